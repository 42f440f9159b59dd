/* engine/impact/ss-impact-joints.c: see ss-impact-joints-private.h. */
#include "impact/ss-impact-joints-private.h"

#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* What is left of a row that the rows before it say already, relative to its length. */
static const double dependent = 1e-10;
/* Smallest diagonal entry of the factor of N' M N, relative to the largest: below it a motion has no inertia. */
static const double inertialess = 1e-9;

/* Takes out of `row` what lies along the first n_rows of the basis and adds it up in parts (n_rows); twice, for
 * rounding. */
static void
make_normal (int n, int n_rows, const double *basis, double *row, double *parts)
{
  memset (parts, 0, (size_t)n * sizeof *parts);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < n_rows; i++) {
      const double *e = basis + (size_t)i * (size_t)n;
      const double part = ss_dot (n, e, row);
      ss_axpy (n, -part, e, row);
      parts[i] += part;
    }
}

bool
ss_joint_basis_add (int n, int rank, double *basis, const double *row, double *parts, double *left)
{
  SS_ASSERT (n >= 0);
  if (rank >= n)
    return false;
  double *e = basis + (size_t)rank * (size_t)n;
  const double length = ss_norm_2 (n, row);

  memcpy (e, row, (size_t)n * sizeof *e);
  make_normal (n, rank, basis, e, parts);
  *left = ss_norm_2 (n, e);
  if (*left <= dependent * length)
    return false;
  for (int k = 0; k < n; k++)
    e[k] /= *left;
  return true;
}

void
ss_joint_basis_complete (int n, int rank, double *basis, double *parts)
{
  SS_ASSERT (n >= 0);
  for (int i = rank; i < n; i++) {
    double *row = basis + (size_t)i * (size_t)n, most = 0;
    int best = 0;
    for (int k = 0; k < n; k++) {
      double left = 1;
      for (int j = 0; j < i; j++)
        left -= basis[j * n + k] * basis[j * n + k];
      if (left > most) {
        most = left;
        best = k;
      }
    }
    memset (row, 0, (size_t)n * sizeof *row);
    row[best] = 1;
    make_normal (n, i, basis, row, parts);
    const double left = ss_norm_2 (n, row);
    for (int k = 0; k < n; k++)
      row[k] /= left;
  }
}

SsStatus
ss_joint_response (int n, int rank, const double *basis, const double *mass, double *inertia, double *parts,
                   double *response)
{
  const int n_free = n - rank;
  const double *space = basis + (size_t)rank * (size_t)n;
  double largest = 0, smallest = INFINITY;

  for (int i = 0; i < n_free; i++)
    for (int j = 0; j < n_free; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += space[i * n + k] * mass[k] * space[j * n + k];
      inertia[j * n + i] = sum;
    }
  if (n_free > 0 && ss_dense_cholesky (n_free, inertia, n) != SS_OK)
    return SS_ERR_SINGULAR;
  for (int i = 0; i < n_free; i++) {
    largest = fmax (largest, inertia[i * n + i]);
    smallest = fmin (smallest, inertia[i * n + i]);
  }
  if (n_free > 0 && !(smallest > inertialess * largest))
    return SS_ERR_SINGULAR;
  for (int c = 0; c < n; c++) {
    for (int i = 0; i < n_free; i++)
      parts[i] = space[i * n + c];
    if (n_free > 0)
      ss_dense_cholesky_solve (n_free, inertia, n, parts);
    for (int r = 0; r <= c; r++) { /* the same bits on both sides */
      double sum = 0;
      for (int i = 0; i < n_free; i++)
        sum += space[i * n + r] * parts[i];
      response[c * n + r] = response[r * n + c] = sum;
    }
  }
  return SS_OK;
}
