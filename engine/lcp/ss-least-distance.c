/* engine/lcp/ss-least-distance.c: see the header. */
#include "lcp/ss-least-distance.h"

#include <math.h>
#include <string.h>

/* Slopes and lengths below this part of theirs are rounding. */
static const double ROUNDING = 1e-13;
/* Distance of the hull of the rows' directions from 0, below which it holds 0 but for rounding. */
static const double LEAST_ANGLE = 1e-9;
/* Part of h by which the answer may miss a row. */
static const double MISSED = 1e-6;

typedef struct {
  int n, rows;
  int most;         /* columns chosen at a time: n + 1 independent ones, and one that may depend on them */
  double *columns;  /* (n + 1) x rows: direction of each row, unit, and h behind it                    */
  double *basis;    /* (n + 1) x most: of the chosen columns, orthonormal                              */
  double *upper;    /* most x most by columns, above the diagonal and on it: chosen columns = basis * upper */
  double *target;   /* n + 1: what the columns are to add up to                                        */
  double *residual; /* n + 1: what is missing of it                                                    */
  double *u, *z;    /* rows                                                                            */
  int *chosen;      /* most: columns with u > 0                                                        */
  bool *is_refused; /* rows: dependent on the chosen ones, or of no help, until the residual has fallen */
  int n_chosen;
} Least;

static double *
column (const Least *l, int k)
{
  return l->columns + (size_t)k * ((size_t)l->n + 1);
}

static double *
basis (const Least *l, int k)
{
  return l->basis + (size_t)k * ((size_t)l->n + 1);
}

static double *
upper (const Least *l, int k)
{
  return l->upper + (size_t)k * (size_t)l->most;
}

/* The first `size` numbers of the chosen columns, orthonormal, each twice; false: one depends on those before it. */
static bool
orthonormalise (Least *l, int size)
{
  for (int k = 0; k < l->n_chosen; k++) {
    double *q = basis (l, k), *parts = upper (l, k);

    memset (parts, 0, (size_t)k * sizeof *parts);
    memcpy (q, column (l, l->chosen[k]), (size_t)size * sizeof *q);
    const double before = ss_norm_2 (size, q);
    for (int pass = 0; pass < 2; pass++)
      for (int i = 0; i < k; i++) {
        const double part = ss_dot (size, basis (l, i), q);
        parts[i] += part;
        ss_axpy (size, -part, basis (l, i), q);
      }
    parts[k] = ss_norm_2 (size, q);
    if (!(parts[k] > ROUNDING * before))
      return false;
    for (int i = 0; i < size; i++)
      q[i] /= parts[k];
  }
  return true;
}

/* Least squares of the chosen columns, into z. */
static bool
fit_chosen (Least *l)
{
  if (!orthonormalise (l, l->n + 1))
    return false;
  for (int k = l->n_chosen - 1; k >= 0; k--) {
    l->z[k] = ss_dot (l->n + 1, basis (l, k), l->target);
    for (int i = k + 1; i < l->n_chosen; i++)
      l->z[k] -= upper (l, i)[k] * l->z[i];
    l->z[k] /= upper (l, k)[k];
  }
  return true;
}

static void
drop (Least *l, int place)
{
  l->u[l->chosen[place]] = 0;
  l->n_chosen--;
  for (int k = place; k < l->n_chosen; k++)
    l->chosen[k] = l->chosen[k + 1];
}

/* To the least squares of the chosen columns; those whose u would become negative on the way are let go. */
static bool
advance (Least *l)
{
  for (;;) {
    double part = 1;
    int stops = -1;
    if (!fit_chosen (l))
      return false;
    for (int k = 0; k < l->n_chosen; k++) {
      const double u = l->u[l->chosen[k]];
      if (l->z[k] <= 0 && (stops < 0 || u / (u - l->z[k]) < part)) {
        part = u / (u - l->z[k]);
        stops = k;
      }
    }
    for (int k = 0; k < l->n_chosen; k++)
      l->u[l->chosen[k]] += part * (l->z[k] - l->u[l->chosen[k]]);
    if (stops < 0)
      return true;
    drop (l, stops);
    for (int k = l->n_chosen - 1; k >= 0; k--) /* those that became 0 together */
      if (!(l->u[l->chosen[k]] > 0))
        drop (l, k);
  }
}

/* The residual with the present u; its length. */
static double
find_residual (Least *l)
{
  memcpy (l->residual, l->target, ((size_t)l->n + 1) * sizeof *l->residual);
  for (int k = 0; k < l->n_chosen; k++)
    ss_axpy (l->n + 1, -l->u[l->chosen[k]], column (l, l->chosen[k]), l->residual);
  return ss_norm_2 (l->n + 1, l->residual);
}

/* The column that helps most; -1: none does. */
static int
find_entering (const Least *l, double size)
{
  double best = ROUNDING * size;
  int entering = -1;

  for (int k = 0; k < l->rows; k++) {
    const double slope = ss_dot (l->n + 1, column (l, k), l->residual);
    if (l->u[k] > 0 || l->is_refused[k] || !(slope > best))
      continue;
    best = slope;
    entering = k;
  }
  return entering;
}

/* Nonnegative least squares; the length of its residual. */
static double
solve (Least *l)
{
  const int most = 20 * (l->rows + 1); /* changes; it takes hardly more than there are rows */
  double size;

  memset (l->u, 0, (size_t)l->rows * sizeof *l->u);
  memset (l->is_refused, 0, (size_t)l->rows * sizeof *l->is_refused);
  l->n_chosen = 0;
  size = find_residual (l);
  for (int change = 0; change < most && size > ROUNDING; change++) {
    const int entering = find_entering (l, size);
    const double before = size;

    if (entering < 0)
      break;
    SS_ASSERT (l->n_chosen < l->most);
    l->chosen[l->n_chosen++] = entering;
    if (!advance (l)) { /* the last is the one that depends on the others */
      drop (l, l->n_chosen - 1);
      advance (l);
    }
    size = find_residual (l);
    if (size < before)
      memset (l->is_refused, 0, (size_t)l->rows * sizeof *l->is_refused);
    l->is_refused[entering] = !(l->u[entering] > 0);
  }
  return size;
}

/* The shortest r that meets the chosen rows exactly, and its multipliers; false: it misses another by too much. */
static bool
meet_chosen (Least *l, double *r)
{
  if (!orthonormalise (l, l->n))
    return false;
  memset (r, 0, (size_t)l->n * sizeof *r);
  for (int k = 0; k < l->n_chosen; k++) {
    l->z[k] = column (l, l->chosen[k])[l->n];
    for (int i = 0; i < k; i++)
      l->z[k] -= upper (l, k)[i] * l->z[i];
    l->z[k] /= upper (l, k)[k];
    ss_axpy (l->n, l->z[k], basis (l, k), r);
  }
  for (int k = l->n_chosen - 1; k >= 0; k--) {
    for (int i = k + 1; i < l->n_chosen; i++)
      l->z[k] -= upper (l, i)[k] * l->z[i];
    l->z[k] /= upper (l, k)[k];
    l->u[l->chosen[k]] = l->z[k];
  }
  for (int k = 0; k < l->rows; k++)
    if (!(ss_dot (l->n, column (l, k), r) >= column (l, k)[l->n] * (1 - MISSED)))
      return false;
  return true;
}

static void
free_least (Least *l)
{
  ss_free (l->columns);
  ss_free (l->basis);
  ss_free (l->upper);
  ss_free (l->target);
  ss_free (l->residual);
  ss_free (l->u);
  ss_free (l->z);
  ss_free (l->chosen);
  ss_free (l->is_refused);
}

static bool
allocate (Least *l)
{
  const size_t rows = (size_t)l->rows + 1;

  l->most = (l->rows < l->n + 1 ? l->rows : l->n + 1) + 1;
  l->columns = ss_alloc (rows, ((size_t)l->n + 1) * sizeof (double));
  l->basis = ss_alloc ((size_t)l->most, ((size_t)l->n + 1) * sizeof (double));
  l->upper = ss_alloc ((size_t)l->most, (size_t)l->most * sizeof (double));
  l->target = ss_new_array (double, l->n + 1);
  l->residual = ss_new_array (double, l->n + 1);
  l->u = ss_new_array (double, rows);
  l->z = ss_new_array (double, l->most);
  l->chosen = ss_new_array (int, l->most);
  l->is_refused = ss_new_array (bool, rows);
  return l->columns != NULL && l->basis != NULL && l->upper != NULL && l->target != NULL && l->residual != NULL &&
         l->u != NULL && l->z != NULL && l->chosen != NULL && l->is_refused != NULL;
}

/* Directions of the rows; false: a row is 0, and its u alone is the proof. */
static bool
set_directions (Least *l, const double *G, double *lengths)
{
  for (int k = 0; k < l->rows; k++) {
    const double *g = G + (size_t)k * (size_t)l->n;
    lengths[k] = ss_norm_2 (l->n, g);
    if (!(lengths[k] > 0)) {
      l->u[k] = lengths[k] = 1;
      return false;
    }
    for (int i = 0; i < l->n; i++)
      column (l, k)[i] = g[i] / lengths[k];
    column (l, k)[l->n] = 1;
  }
  return true;
}

/* The shortest r, in units in which the largest h of a unit row is 1. */
static void
find_shortest (Least *l, const double *h, const double *lengths, double *r)
{
  double unit = 0;

  for (int k = 0; k < l->rows; k++)
    unit = fmax (unit, h[k] / lengths[k]);
  for (int k = 0; k < l->rows; k++)
    column (l, k)[l->n] = h[k] / lengths[k] / unit;
  solve (l);
  if (!meet_chosen (l, r)) { /* rows of very different size: one that is good for unit rows is good for all of them */
    for (int k = 0; k < l->rows; k++)
      column (l, k)[l->n] = 1;
    solve (l);
    meet_chosen (l, r);
  }
  for (int i = 0; i < l->n; i++)
    r[i] *= unit;
  for (int k = 0; k < l->rows; k++)
    l->u[k] *= unit;
}

SsStatus
ss_least_distance (int n, int n_rows, const double *G, const double *h, double *r, double *u, bool *exists,
                   SsError *err)
{
  SS_ASSERT (n > 0 && n_rows >= 0 && r != NULL && u != NULL && exists != NULL);

  Least l = {.n = n, .rows = n_rows};
  double *lengths = ss_new_array (double, n_rows + 1);
  SsStatus status = SS_OK;

  *exists = false;
  memset (r, 0, (size_t)n * sizeof *r);
  if (lengths == NULL || !allocate (&l)) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d rows of %d numbers", n_rows, n);
    goto done;
  }
  l.target[n] = 1;
  *exists = set_directions (&l, G, lengths) && solve (&l) > LEAST_ANGLE;
  if (*exists)
    find_shortest (&l, h, lengths, r);
  for (int k = 0; k < n_rows; k++)
    u[k] = l.u[k] / (lengths[k] > 0 ? lengths[k] : 1);

done:
  ss_free (lengths);
  free_least (&l);
  return status;
}

SsStatus
ss_distance_to_cone (int n, int n_columns, const double *columns, const double *target, double *u, double *distance,
                     SsError *err)
{
  SS_ASSERT (n > 1 && n_columns >= 0 && target != NULL && u != NULL && distance != NULL);

  Least l = {.n = n - 1, .rows = n_columns};
  const double size = ss_norm_2 (n, target);
  SsStatus status = SS_OK;

  memset (u, 0, (size_t)n_columns * sizeof *u);
  *distance = size;
  if (n_columns == 0 || !(size > 0))
    return SS_OK;
  if (allocate (&l)) {
    for (int i = 0; i < n; i++)
      l.target[i] = target[i] / size;
    memcpy (l.columns, columns, (size_t)n * (size_t)n_columns * sizeof *columns);
    *distance = solve (&l) * size;
    for (int k = 0; k < n_columns; k++)
      u[k] = l.u[k] * size;
  } else {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d columns of %d numbers", n_columns, n);
  }
  free_least (&l);
  return status;
}
