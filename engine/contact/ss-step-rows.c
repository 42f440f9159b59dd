/* engine/contact/ss-step-rows.c: see ss-step-rows.h. */
#include "contact/ss-step-rows.h"

#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- W and q ----------------------------------------------------------------------------------------------------- */

/* Entries of a matrix while they are found. */
typedef struct {
  int n, capacity_row, capacity_column, capacity_value, *row, *column;
  double *value;
} Entries;

static bool
add_entry (Entries *e, int row, int column, double value)
{
  if (ss_array_reserve ((void **)&e->row, &e->capacity_row, e->n + 1, sizeof *e->row) != 0 ||
      ss_array_reserve ((void **)&e->column, &e->capacity_column, e->n + 1, sizeof *e->column) != 0 ||
      ss_array_reserve ((void **)&e->value, &e->capacity_value, e->n + 1, sizeof *e->value) != 0)
    return false;
  e->row[e->n] = row;
  e->column[e->n] = column;
  e->value[e->n++] = value;
  return true;
}

static void
entries_clear (Entries *e)
{
  ss_free (e->row);
  ss_free (e->column);
  ss_free (e->value);
}

/* H above G. */
static SsStatus
stack (const SsStepProblem *problem, SsSparse *out, SsError *err)
{
  Entries e = {0};
  bool ok = true;
  for (int part = 0; part < 2; part++) {
    const SsSparse *rows = part == 0 ? &problem->H : &problem->G;
    const int n = part == 0 ? 2 * problem->n_contacts : problem->n_joints;
    for (int i = 0; i < n; i++)
      for (int k = rows->pattern.start[i]; k < rows->pattern.start[i + 1] && ok; k++)
        ok = add_entry (&e, i + (part == 0 ? 0 : 2 * problem->n_contacts), rows->pattern.index[k], rows->value[k]);
  }
  SsStatus status =
      ok ? ss_sparse_new (2 * problem->n_contacts + problem->n_joints, problem->n_velocities, e.n, e.row, e.column,
                          e.value, out, err)
         : ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", problem->n_contacts);
  entries_clear (&e);
  return status;
}

static double
compliance_of (const SsStepProblem *problem, int row)
{
  return row < 2 * problem->n_contacts ? problem->compliance[row]
                                       : problem->joint_compliance[row - 2 * problem->n_contacts];
}

/* Row i of W, by what x = M^-1 row' gives to the rows that share its velocities. */
static bool
find_row (const SsStepProblem *problem, const SsSparse *rows, const SsSparse *columns, const SsStepMass *mass,
          const bool is_diagonal, int i, double *x, double *sum, bool *is_seen, int *seen, Entries *e)
{
  int n_seen = 0;
  memset (x, 0, (size_t)problem->n_velocities * sizeof *x);
  for (int k = rows->pattern.start[i]; k < rows->pattern.start[i + 1]; k++)
    x[rows->pattern.index[k]] = is_diagonal ? 1 : rows->value[k];
  ss_step_mass_solve (mass, x); /* of a diagonal: its inverse where the row is */
  const int first = is_diagonal ? rows->pattern.start[i] : 0,
            last = is_diagonal ? rows->pattern.start[i + 1] : problem->n_velocities;
  for (int k = first; k < last; k++) {
    const int c = is_diagonal ? rows->pattern.index[k] : k;
    for (int l = columns->pattern.start[c]; l < columns->pattern.start[c + 1] && x[c] != 0; l++) {
      const int j = columns->pattern.index[l];
      /* the products of both rows first, so that W is symmetric to the bit */
      sum[j] += is_diagonal ? rows->value[k] * columns->value[l] * x[c] : columns->value[l] * x[c];
      if (!is_seen[j]) {
        is_seen[j] = true;
        seen[n_seen++] = j;
      }
    }
  }
  sum[i] += compliance_of (problem, i);
  if (!is_seen[i])
    seen[n_seen++] = i;
  bool ok = true;
  for (int s = 0; s < n_seen; s++) {
    if (sum[seen[s]] != 0 || seen[s] == i)
      ok = ok && add_entry (e, i, seen[s], sum[seen[s]]);
    sum[seen[s]] = 0;
    is_seen[seen[s]] = false;
  }
  return ok;
}

static SsStatus
multiply_out (const SsStepProblem *problem, SsStepRows *out, SsError *err)
{
  SsSparse rows = {0}, columns = {0};
  SsStepMass *mass = NULL;
  Entries e = {0};
  const size_t n = (size_t)out->n;
  double *x = ss_new_array (double, (size_t)problem->n_velocities + 1), *sum = ss_new_array (double, n + 1);
  bool *is_seen = ss_new_array (bool, n + 1);
  int *seen = ss_new_array (int, n + 1);
  const bool is_diagonal = ss_sparse_is_diagonal (&problem->M);
  bool ok = x != NULL && sum != NULL && is_seen != NULL && seen != NULL;
  SsStatus status =
      ok ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", problem->n_contacts);
  if (status == SS_OK)
    status = stack (problem, &rows, err);
  if (status == SS_OK)
    status = ss_sparse_transpose (&rows, &columns, err);
  if (status == SS_OK)
    status = ss_step_mass_new (problem, &mass, err);
  for (int i = 0; i < out->n && status == SS_OK; i++)
    if (!find_row (problem, &rows, &columns, mass, is_diagonal, i, x, sum, is_seen, seen, &e))
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", problem->n_contacts);
  if (status == SS_OK)
    status = ss_sparse_new (out->n, out->n, e.n, e.row, e.column, e.value, &out->W, err);
  if (status == SS_OK)
    ss_csr_multiply (&rows.pattern, rows.value, problem->v_free, out->q);
  entries_clear (&e);
  ss_sparse_clear (&rows);
  ss_sparse_clear (&columns);
  ss_step_mass_free (mass);
  ss_free (x);
  ss_free (sum);
  ss_free (is_seen);
  ss_free (seen);
  return status;
}

/* W with the compliances, of a problem that has it. */
static SsStatus
copy_out (const SsStepProblem *problem, SsStepRows *out, SsError *err)
{
  const SsPattern *a = &problem->W.pattern;
  Entries e = {0};
  bool ok = true;
  for (int i = 0; i < out->n && ok; i++) {
    for (int k = a->start[i]; k < a->start[i + 1] && ok; k++)
      ok = add_entry (&e, i, a->index[k], problem->W.value[k]);
    ok = ok && add_entry (&e, i, i, problem->compliance[i]);
  }
  SsStatus status =
      ok ? ss_sparse_new (out->n, out->n, e.n, e.row, e.column, e.value, &out->W, err)
         : ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", problem->n_contacts);
  entries_clear (&e);
  return status;
}

SsStatus
ss_step_rows_new (const SsStepProblem *problem, SsStepRows *out, SsError *err)
{
  SS_ASSERT (problem != NULL && out != NULL);

  *out = (SsStepRows){.n = 2 * problem->n_contacts + problem->n_joints, .n_contacts = problem->n_contacts};
  out->q = ss_new_array (double, (size_t)out->n + 1);
  SsStatus status =
      out->q == NULL ? ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", problem->n_contacts)
      : ss_step_problem_is_reduced (problem) ? copy_out (problem, out, err)
                                             : multiply_out (problem, out, err);
  for (int i = 0; i < out->n && status == SS_OK; i++)
    out->q[i] += i < 2 * problem->n_contacts ? problem->b[i] : problem->joint_bias[i - 2 * problem->n_contacts];
  if (status != SS_OK)
    ss_step_rows_clear (out);
  return status;
}

void
ss_step_rows_clear (SsStepRows *rows)
{
  SS_ASSERT (rows != NULL);
  ss_sparse_clear (&rows->W);
  ss_free (rows->q);
  *rows = (SsStepRows){0};
}

/* ---- reduced ----------------------------------------------------------------------------------------------------- */

/* X = W_jj^-1 [W_jc, q_j], by columns, k rows each. */
static SsStatus
eliminate (const SsStepRows *rows, int k, double *X, SsError *err)
{
  const int m = 2 * rows->n_contacts;
  double *A = ss_new_array (double, (size_t)k *(size_t)k + 1);
  SsStatus status = A != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for %d bilateral rows", k);
  for (int i = 0; i < k && status == SS_OK; i++) {
    const int row = m + i;
    for (int l = rows->W.pattern.start[row]; l < rows->W.pattern.start[row + 1]; l++) {
      const int column = rows->W.pattern.index[l];
      if (column >= m)
        A[i + (size_t)k * (size_t)(column - m)] = rows->W.value[l];
      else
        X[i + (size_t)k * (size_t)column] = rows->W.value[l];
    }
    X[i + (size_t)k * (size_t)m] = rows->q[row];
  }
  if (status == SS_OK && ss_dense_cholesky (k, A, k) != SS_OK)
    status = ss_error_set (err, SS_ERR_SINGULAR,
                           "bilateral rows hold the same thing twice: the problem cannot be reduced to its contacts");
  for (int j = 0; j <= m && status == SS_OK; j++)
    ss_dense_cholesky_solve (k, A, k, X + (size_t)k * (size_t)j);
  ss_free (A);
  return status;
}

SsStatus
ss_step_problem_reduce (const SsStepProblem *problem, SsStepProblem **out, SsError *err)
{
  SS_ASSERT (problem != NULL && out != NULL);

  const int m = 2 * problem->n_contacts, k = problem->n_joints;
  SsStepRows rows = {0};
  SsStepProblem *made = NULL;
  Entries e = {0};
  double *X = NULL;
  for (int i = 0; i < problem->n_contacts; i++)
    if (problem->least[i] > 0) {
      ss_error_set (err, SS_ERR_INVALID, "point %d has a least impulse (a motor, friction of a joint or a bounce)", i);
      if (err != NULL)
        snprintf (err->expected, sizeof err->expected, "none where a problem is reduced to W, q and mu");
      return SS_ERR_INVALID;
    }
  SsStatus status = ss_step_rows_new (problem, &rows, err);
  if (status == SS_OK)
    status = ss_step_problem_new (0, problem->n_contacts, 0, &made, err);
  if (status == SS_OK && k > 0) {
    X = ss_new_array (double, (size_t)k *(size_t)(m + 1) + 1);
    status = X != NULL ? eliminate (&rows, k, X, err)
                       : ss_error_set (err, SS_ERR_MEMORY, "no memory for %d bilateral rows", k);
  }
  if (status != SS_OK)
    goto done;
  bool ok = true;
  memcpy (made->b, rows.q, (size_t)m * sizeof *made->b);
  for (int i = 0; i < m && ok; i++)
    for (int l = rows.W.pattern.start[i]; l < rows.W.pattern.start[i + 1] && ok; l++) {
      const int column = rows.W.pattern.index[l];
      if (column < m)
        ok = add_entry (&e, i, column, rows.W.value[l]);
      else
        made->b[i] -= rows.W.value[l] * X[column - m + (size_t)k * (size_t)m];
    }
  for (int i = 0; i < m && k > 0 && ok; i++)
    for (int j = 0; j < m && ok; j++) {
      double sum = 0;
      for (int l = rows.W.pattern.start[i]; l < rows.W.pattern.start[i + 1]; l++)
        if (rows.W.pattern.index[l] >= m)
          sum += rows.W.value[l] * X[rows.W.pattern.index[l] - m + (size_t)k * (size_t)j];
      if (sum != 0)
        ok = add_entry (&e, i, j, -sum);
    }
  status = ok ? ss_sparse_new (m, m, e.n, e.row, e.column, e.value, &made->W, err)
              : ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", problem->n_contacts);
  memcpy (made->mu, problem->mu, (size_t)problem->n_contacts * sizeof *made->mu);
  memcpy (made->r, problem->r, (size_t)m * sizeof *made->r);
  memcpy (made->scene, problem->scene, sizeof made->scene);
  memcpy (made->method, problem->method, sizeof made->method);
  made->has_answer = problem->has_answer;
  made->residual = problem->residual;
  made->t = problem->t;
  made->dt = problem->dt;
  made->step = problem->step;
  made->solve = problem->solve;
  if (status == SS_OK)
    status = ss_step_problem_finish (made, SS_STEP_DERIVE_NONE, err);

done:
  if (status == SS_OK)
    *out = made;
  else
    ss_step_problem_free (made);
  entries_clear (&e);
  ss_step_rows_clear (&rows);
  ss_free (X);
  return status;
}
