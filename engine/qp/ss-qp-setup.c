/* engine/qp/ss-qp-setup.c: everything about a QP that depends on its patterns only. See ss-qp-private.h. */
#include "qp/ss-qp-private.h"

#include <string.h>

/* One allocation of doubles or ints that notes failure, so that many can be checked at once. */
static double *
new_doubles (int count, bool *ok)
{
  double *block = ss_new_array (double, count > 0 ? count : 1);
  if (block == NULL)
    *ok = false;
  return block;
}

static int *
new_ints (int count, bool *ok)
{
  int *block = ss_new_array (int, count > 0 ? count : 1);
  if (block == NULL)
    *ok = false;
  return block;
}

static void
rows_clear (SsQpRows *rows)
{
  ss_free (rows->start);
  ss_free (rows->col);
  ss_free (rows->slot);
  ss_free (rows->a);
}

static bool
rows_init (SsQpRows *rows, int n_rows, int n_entries)
{
  bool ok = true;
  rows->n_rows = 0;
  rows->start = new_ints (n_rows + 1, &ok);
  rows->col = new_ints (n_entries, &ok);
  rows->slot = new_ints (n_entries, &ok);
  rows->a = new_doubles (n_entries, &ok);
  return ok;
}

static void
rows_append (SsQpRows *rows, const SsPattern *jacobian, int row)
{
  int next = rows->start[rows->n_rows];
  for (int k = jacobian->start[row]; k < jacobian->start[row + 1]; k++, next++) {
    rows->col[next] = jacobian->index[k];
    rows->slot[next] = k;
  }
  rows->start[++rows->n_rows] = next;
}

/* Counts the rows of each kind and the entries of the compressed blocks. */
static void
count_rows (SsQp *qp, const SsQpShape *shape, int *eq_entries, int *general_entries)
{
  const SsPattern *j = shape->jacobian;
  *eq_entries = *general_entries = 0;
  for (int row = 0; row < qp->n_given; row++) {
    int q = j->start[row + 1] - j->start[row];
    if (q == 0)
      qp->n_constant++;
    else if (row < shape->n_eq) {
      qp->n_eq++;
      *eq_entries += q;
    } else if (q == 1)
      qp->n_one++;
    else if (q == 2)
      qp->n_two++;
    else {
      qp->n_general++;
      *general_entries += q;
    }
  }
  qp->n_rows = qp->n_eq + qp->n_one + qp->n_two + qp->n_general;
}

/* Renumbers the rows and copies columns and slots. */
static void
sort_rows (SsQp *qp, const SsQpShape *shape)
{
  const SsPattern *j = shape->jacobian;
  int eq = 0, one = 0, two = 0, general = 0, constant = 0;
  for (int row = 0; row < qp->n_given; row++) {
    int first = j->start[row], q = j->start[row + 1] - first;
    if (q == 0)
      qp->constant[constant++] = row;
    else if (row < shape->n_eq) {
      qp->given[eq++] = row;
      rows_append (&qp->eq, j, row);
    } else if (q == 1) {
      qp->given[qp->n_eq + one] = row;
      qp->one_col[one] = j->index[first];
      qp->one_slot[one++] = first;
    } else if (q == 2) {
      qp->given[qp->n_eq + qp->n_one + two] = row;
      for (int e = 0; e < 2; e++) {
        qp->two_col[2 * two + e] = j->index[first + e];
        qp->two_slot[2 * two + e] = first + e;
      }
      two++;
    } else {
      qp->given[qp->n_eq + qp->n_one + qp->n_two + general++] = row;
      rows_append (&qp->general, j, row);
    }
  }
}

static void
sort_hessian (SsQp *qp, const SsPattern *h)
{
  int diagonal = 0, off = 0;
  for (int col = 0; col < qp->n; col++)
    for (int k = h->start[col]; k < h->start[col + 1]; k++) {
      if (h->index[k] == col) {
        qp->diagonal_col[diagonal] = col;
        qp->diagonal_slot[diagonal++] = k;
      } else {
        qp->off_row[off] = h->index[k];
        qp->off_col[off] = col;
        qp->off_slot[off++] = k;
      }
    }
  qp->n_diagonal = diagonal;
  qp->n_off = off;
}

/* Pattern of the factorised matrix [H + J_I'W J_I + D, J_E'; J_E, -D_E] and the place of every contribution in it. */
static SsStatus
build_matrix (SsQp *qp, SsError *err)
{
  int size = qp->n + qp->n_eq, n_general = 0, n_eq_entries = qp->eq.start[qp->n_eq];
  for (int i = 0; i < qp->n_general; i++) {
    int q = qp->general.start[i + 1] - qp->general.start[i];
    n_general += q * (q + 1) / 2;
  }
  bool ok = true;
  int count = size + qp->n_diagonal + qp->n_off + n_eq_entries + qp->n_two + n_general, next = 0;
  int *major = new_ints (count, &ok), *minor = new_ints (count, &ok), *slot = new_ints (count, &ok);
  qp->k_diagonal = new_ints (size, &ok);
  qp->k_diagonal_h = new_ints (qp->n_diagonal, &ok);
  qp->k_off_h = new_ints (qp->n_off, &ok);
  qp->k_eq = new_ints (n_eq_entries, &ok);
  qp->k_two = new_ints (qp->n_two, &ok);
  qp->k_one = new_ints (qp->n_one, &ok);
  qp->k_two_diagonal = new_ints (2 * qp->n_two, &ok);
  qp->k_general = new_ints (n_general, &ok);
  SsStatus status = SS_OK;
  if (!ok) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP of %d variables", qp->n);
    goto done;
  }

#define ADD(column, row) (major[next] = (column), minor[next] = (row), next++)
  for (int i = 0; i < size; i++)
    ADD (i, i);
  for (int k = 0; k < qp->n_diagonal; k++)
    ADD (qp->diagonal_col[k], qp->diagonal_col[k]);
  for (int k = 0; k < qp->n_off; k++)
    ADD (qp->off_col[k], qp->off_row[k]);
  for (int i = 0; i < qp->n_eq; i++)
    for (int k = qp->eq.start[i]; k < qp->eq.start[i + 1]; k++)
      ADD (qp->eq.col[k], qp->n + i);
  for (int i = 0; i < qp->n_two; i++)
    ADD (qp->two_col[2 * i], qp->two_col[2 * i + 1]); /* columns of a row ascend */
  for (int i = 0; i < qp->n_general; i++)
    for (int k = qp->general.start[i]; k < qp->general.start[i + 1]; k++)
      for (int l = qp->general.start[i]; l <= k; l++)
        ADD (qp->general.col[l], qp->general.col[k]);
#undef ADD
  SS_ASSERT (next == count);

  status = ss_pattern_from_triplets (&qp->lower, size, size, count, major, minor, slot, err);
  if (status != SS_OK)
    goto done;
  int *const to[] = {qp->k_diagonal, qp->k_diagonal_h, qp->k_off_h, qp->k_eq, qp->k_two, qp->k_general};
  const int counts[] = {size, qp->n_diagonal, qp->n_off, n_eq_entries, qp->n_two, n_general};
  next = 0;
  for (int part = 0; part < 6; part++) {
    memcpy (to[part], slot + next, (size_t)counts[part] * sizeof (int));
    next += counts[part];
  }
  for (int i = 0; i < qp->n_one; i++)
    qp->k_one[i] = qp->k_diagonal[qp->one_col[i]];
  for (int i = 0; i < 2 * qp->n_two; i++)
    qp->k_two_diagonal[i] = qp->k_diagonal[qp->two_col[i]];
  int n_entries = qp->lower.start[size];
  qp->base = new_doubles (n_entries, &ok);
  qp->matrix = new_doubles (n_entries, &ok);
  qp->sign = ss_new_array (signed char, size > 0 ? size : 1);
  if (!ok || qp->sign == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP's matrix of %d entries", n_entries);
    goto done;
  }
  for (int i = 0; i < size; i++)
    qp->sign[i] = i < qp->n ? 1 : -1;
  status = ss_ldl_new (&qp->lower, &qp->ldl, err);
done:
  ss_free (major);
  ss_free (minor);
  ss_free (slot);
  return status;
}

/* Lists the vectors of the iteration, for allocation and release alike. */
enum { N_ROW_VECTORS = 18, N_VARIABLE_VECTORS = 19 };

static void
list_vectors (SsQp *qp, double ***row, double ***variable)
{
  double **rows[N_ROW_VECTORS] = {&qp->m,  &qp->c,  &qp->r,  &qp->s,  &qp->t,  &qp->y, &qp->z,  &qp->ds, &qp->dt,
                                  &qp->dy, &qp->is, &qp->it, &qp->iy, &qp->iz, &qp->w, &qp->c1, &qp->c2, &qp->dr};
  double **variables[N_VARIABLE_VECTORS] = {
      &qp->p,           &qp->dp,           &qp->g,   &qp->hp,  &qp->radius, &qp->lower_slack, &qp->bl,
      &qp->bu,          &qp->il,           &qp->iu,  &qp->dbl, &qp->dbu,    &qp->f1,          &qp->f2,
      &qp->upper_slack, &qp->stationarity, &qp->ibl, &qp->ibu, &qp->barrier};
  memcpy (row, rows, sizeof rows);
  memcpy (variable, variables, sizeof variables);
}

static bool
new_vectors (SsQp *qp)
{
  double **row[N_ROW_VECTORS], **variable[N_VARIABLE_VECTORS];
  bool ok = true;
  list_vectors (qp, row, variable);
  for (int i = 0; i < N_ROW_VECTORS; i++)
    *row[i] = new_doubles (qp->n_rows, &ok);
  for (int i = 0; i < N_VARIABLE_VECTORS; i++)
    *variable[i] = new_doubles (qp->n, &ok);
  qp->v = new_doubles (qp->n_rows, &ok);
  qp->rhs = new_doubles (qp->n + qp->n_eq, &ok);
  qp->solution = new_doubles (qp->n + qp->n_eq, &ok);
  qp->refined = new_doubles (qp->n + qp->n_eq, &ok);
  qp->hx = new_doubles (qp->n, &ok);
  qp->multipliers = new_doubles (qp->n_given, &ok);
  return ok;
}

void
ss_qp_options_init (SsQpOptions *options)
{
  *options = (SsQpOptions){
      .max_iterations = 60,
      .tolerance_residual = 1e-4,
      .tolerance_gap = 1e-3,
      .step_fraction = 0.98,
      .shift = 1e-11,
  };
}

void
ss_qp_set_options (SsQp *qp, const SsQpOptions *options)
{
  qp->options = *options;
}

SsStatus
ss_qp_new (const SsQpShape *shape, const SsQpOptions *options, SsQp **out, SsError *err)
{
  SS_ASSERT (shape->hessian->n_major == shape->n && shape->jacobian->n_minor == shape->n);
  SS_ASSERT (shape->jacobian->n_major == shape->n_eq + shape->n_ineq);
  SsQp *qp = ss_new (SsQp);
  if (qp == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP");
  if (options != NULL)
    qp->options = *options;
  else
    ss_qp_options_init (&qp->options);
  qp->n = shape->n;
  qp->n_given = shape->n_eq + shape->n_ineq;
  qp->n_given_eq = shape->n_eq;

  int eq_entries, general_entries, n_hessian = shape->hessian->start[shape->n];
  count_rows (qp, shape, &eq_entries, &general_entries);
  bool ok = true;
  qp->given = new_ints (qp->n_rows, &ok);
  qp->constant = new_ints (qp->n_constant, &ok);
  qp->one_col = new_ints (qp->n_one, &ok);
  qp->one_slot = new_ints (qp->n_one, &ok);
  qp->one_a = new_doubles (qp->n_one, &ok);
  qp->two_col = new_ints (2 * qp->n_two, &ok);
  qp->two_slot = new_ints (2 * qp->n_two, &ok);
  qp->two_a = new_doubles (2 * qp->n_two, &ok);
  qp->diagonal_col = new_ints (n_hessian, &ok);
  qp->diagonal_slot = new_ints (n_hessian, &ok);
  qp->diagonal_h = new_doubles (n_hessian, &ok);
  qp->off_row = new_ints (n_hessian, &ok);
  qp->off_col = new_ints (n_hessian, &ok);
  qp->off_slot = new_ints (n_hessian, &ok);
  qp->off_h = new_doubles (n_hessian, &ok);
  ok = rows_init (&qp->eq, qp->n_eq, eq_entries) && ok;
  ok = rows_init (&qp->general, qp->n_general, general_entries) && ok;
  ok = new_vectors (qp) && ok;
  SsStatus status;
  if (!ok) {
    status =
        ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP of %d variables and %d rows", qp->n, qp->n_given);
    goto fail;
  }
  sort_rows (qp, shape);
  sort_hessian (qp, shape->hessian);
  status = build_matrix (qp, err);
  if (status != SS_OK)
    goto fail;
  *out = qp;
  return SS_OK;
fail:
  ss_qp_free (qp);
  *out = NULL;
  return status;
}

void
ss_qp_free (SsQp *qp)
{
  if (qp == NULL)
    return;
  double **row[N_ROW_VECTORS], **variable[N_VARIABLE_VECTORS];
  list_vectors (qp, row, variable);
  for (int i = 0; i < N_ROW_VECTORS; i++)
    ss_free (*row[i]);
  for (int i = 0; i < N_VARIABLE_VECTORS; i++)
    ss_free (*variable[i]);
  void *const blocks[] = {qp->v,
                          qp->rhs,
                          qp->multipliers,
                          qp->given,
                          qp->constant,
                          qp->one_col,
                          qp->one_slot,
                          qp->one_a,
                          qp->two_col,
                          qp->two_slot,
                          qp->two_a,
                          qp->diagonal_col,
                          qp->diagonal_slot,
                          qp->diagonal_h,
                          qp->off_row,
                          qp->off_col,
                          qp->off_slot,
                          qp->off_h,
                          qp->base,
                          qp->matrix,
                          qp->sign,
                          qp->k_diagonal,
                          qp->k_diagonal_h,
                          qp->k_off_h,
                          qp->k_eq,
                          qp->k_two,
                          qp->k_one,
                          qp->k_two_diagonal,
                          qp->k_general,
                          qp->solution,
                          qp->refined,
                          qp->hx};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    ss_free (blocks[i]);
  rows_clear (&qp->eq);
  rows_clear (&qp->general);
  ss_ldl_free (qp->ldl);
  ss_pattern_clear (&qp->lower);
  ss_free (qp);
}
