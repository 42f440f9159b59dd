/* engine/qp/ss-qp-setup.c: everything about a QP that depends on its patterns only. See ss-qp-private.h. */
#include "qp/ss-qp-private.h"

#include <stdlib.h>
#include <string.h>

static const double LANES_WORTH =
    2; /* cost of an operation on eight numbers, in operations on one, with vectors of four to eight */

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
}

static bool
rows_init (SsQpRows *rows, int n_rows, int n_entries)
{
  bool ok = true;
  rows->n_rows = 0;
  rows->start = new_ints (n_rows + 1, &ok);
  rows->col = new_ints (n_entries, &ok);
  rows->slot = new_ints (n_entries, &ok);
  return ok;
}

/* Copies columns and slots of the given rows item[0..n), the first 8 n_groups of them in groups. */
static void
rows_fill (SsQpRows *rows, const SsPattern *jacobian, const int *number, const int *item, int n, int n_groups)
{
  int next = 0;
  rows->n_rows = n;
  rows->n_groups = n_groups;
  for (int i = 0; i < n; i++) {
    bool is_grouped = i < SS_LANES * n_groups;
    int lane = is_grouped ? i % SS_LANES : 0, stride = is_grouped ? SS_LANES : 1;
    int first = jacobian->start[item[i]], q = jacobian->start[item[i] + 1] - first;
    rows->start[i] = next;
    for (int e = 0; e < q; e++) {
      rows->col[next + e * stride + lane] = number[jacobian->index[first + e]];
      rows->slot[next + e * stride + lane] = first + e;
    }
    if (!is_grouped || lane == SS_LANES - 1)
      next += q * stride;
  }
  rows->start[n] = next;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

typedef struct {
  int slot, lane, item;
} Seated;

static int
compare_seated (const void *a, const void *b)
{
  const Seated *x = a, *y = b;
  return x->slot != y->slot ? (x->slot > y->slot) - (x->slot < y->slot) : (x->lane > y->lane) - (x->lane < y->lane);
}

/* Whether eight rows, one per lane, have columns that are neighbours entry by entry. */
static bool
rows_are_alike (const SsPattern *j, const int *number, const Seated *row)
{
  int first = j->start[row[0].item], q = j->start[row[0].item + 1] - first;
  for (int lane = 1; lane < SS_LANES; lane++) {
    int own = j->start[row[lane].item];
    if (j->start[row[lane].item + 1] - own != q)
      return false;
    for (int e = 0; e < q; e++)
      if (number[j->index[own + e]] != number[j->index[first + e]] + lane)
        return false;
  }
  return true;
}

/* Reorders items (variables, or rows when j is given): groups of eight seats with one slot first, then the others as
 * they were. Returns the number of groups. Scratch: seated[n], rest[n]. */
static int
gather_groups (const SsQpSeat *seat, const SsPattern *j, const int *number, int *item, int n, Seated *seated, int *rest)
{
  int n_seated = 0, n_groups = 0, n_rest = 0;
  if (seat == NULL)
    return 0;
  for (int i = 0; i < n; i++)
    if (seat[item[i]].lane >= 0)
      seated[n_seated++] = (Seated){seat[item[i]].slot, seat[item[i]].lane, item[i]};
  qsort (seated, (size_t)n_seated, sizeof *seated, compare_seated);
  for (int first = 0, end; first < n_seated; first = end) {
    for (end = first; end < n_seated && seated[end].slot == seated[first].slot; end++)
      ;
    bool is_group = end - first == SS_LANES && seated[first].lane == 0 && seated[end - 1].lane == SS_LANES - 1;
    if (is_group && (j == NULL || rows_are_alike (j, number, seated + first))) {
      if (n_groups * SS_LANES != first)
        memmove (seated + n_groups * SS_LANES, seated + first, SS_LANES * sizeof *seated);
      n_groups++;
    }
  }
  /* What is in no group keeps its order: groups are taken out of the items. */
  for (int i = 0; i < n; i++) {
    Seated key = {seat[item[i]].slot, seat[item[i]].lane, item[i]};
    const Seated *found =
        key.lane >= 0 ? bsearch (&key, seated, (size_t)n_groups * SS_LANES, sizeof key, compare_seated) : NULL;
    if (found == NULL)
      rest[n_rest++] = item[i];
  }
  for (int i = 0; i < n_groups * SS_LANES; i++)
    item[i] = seated[i].item;
  memcpy (item + n_groups * SS_LANES, rest, (size_t)n_rest * sizeof *rest);
  return n_groups;
}

/* ---- rows and variables ------------------------------------------------------------------------------------------ */

static bool
is_outside (const SsQpShape *shape, int row)
{
  return shape->is_outside != NULL && row >= shape->n_eq && shape->is_outside[row];
}

/* Counts the rows of each kind and the entries of the compressed blocks. */
static void
count_rows (SsQp *qp, const SsQpShape *shape, int *eq_entries, int *general_entries)
{
  const SsPattern *j = shape->jacobian;
  *eq_entries = *general_entries = 0;
  for (int row = 0; row < qp->n_given; row++) {
    int q = j->start[row + 1] - j->start[row];
    if (is_outside (shape, row))
      continue;
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

/* Renumbers the variables. */
static bool
sort_variables (SsQp *qp, const SsQpLanes *lanes)
{
  bool ok = true;
  int *rest = new_ints (qp->n, &ok);
  Seated *seated = ss_new_array (Seated, qp->n + 1);
  ok = ok && seated != NULL;
  for (int j = 0; j < qp->n; j++)
    qp->variable[j] = j;
  if (ok)
    qp->n_groups = gather_groups (lanes->variable, NULL, NULL, qp->variable, qp->n, seated, rest);
  for (int j = 0; j < qp->n; j++)
    qp->number[qp->variable[j]] = j;
  ss_free (rest);
  ss_free (seated);
  return ok;
}

/* Renumbers the rows and copies columns and slots. */
static bool
sort_rows (SsQp *qp, const SsQpShape *shape, const SsQpLanes *lanes)
{
  enum { EQ, ONE, TWO, GENERAL, N_KINDS };
  const SsPattern *j = shape->jacobian;
  int *item[N_KINDS] = {qp->given, qp->given + qp->n_eq, qp->given + qp->n_eq + qp->n_one,
                        qp->given + qp->n_eq + qp->n_one + qp->n_two};
  int count[N_KINDS] = {0}, n_groups[N_KINDS], constant = 0;
  bool ok = true;
  int *rest = new_ints (qp->n_rows, &ok);
  Seated *seated = ss_new_array (Seated, qp->n_rows + 1);
  ok = ok && seated != NULL;
  for (int row = 0; row < qp->n_given && ok; row++) {
    int q = j->start[row + 1] - j->start[row];
    int kind = row < shape->n_eq ? EQ : q == 1 ? ONE : q == 2 ? TWO : GENERAL;
    if (is_outside (shape, row))
      continue;
    if (q == 0)
      qp->constant[constant++] = row;
    else
      item[kind][count[kind]++] = row;
  }
  for (int kind = 0; kind < N_KINDS && ok; kind++)
    n_groups[kind] = gather_groups (lanes->row, j, qp->number, item[kind], count[kind], seated, rest);
  ss_free (rest);
  ss_free (seated);
  if (!ok)
    return false;
  rows_fill (&qp->eq, j, qp->number, item[EQ], count[EQ], n_groups[EQ]);
  rows_fill (&qp->general, j, qp->number, item[GENERAL], count[GENERAL], n_groups[GENERAL]);
  qp->n_one_groups = n_groups[ONE];
  qp->n_two_groups = n_groups[TWO];
  for (int i = 0; i < qp->n_one; i++) {
    qp->one_slot[i] = j->start[item[ONE][i]];
    qp->one_col[i] = qp->number[j->index[qp->one_slot[i]]];
  }
  for (int e = 0; e < 2; e++)
    for (int i = 0; i < qp->n_two; i++) {
      qp->two_slot[e][i] = j->start[item[TWO][i]] + e;
      qp->two_col[e][i] = qp->number[j->index[qp->two_slot[e][i]]];
    }
  return true;
}

static void
sort_hessian (SsQp *qp, const SsPattern *h)
{
  int diagonal = 0, off = 0;
  for (int col = 0; col < qp->n; col++)
    for (int k = h->start[col]; k < h->start[col + 1]; k++) {
      if (h->index[k] == col) {
        qp->diagonal_col[diagonal] = qp->number[col];
        qp->diagonal_slot[diagonal++] = k;
      } else {
        qp->off_row[off] = qp->number[h->index[k]];
        qp->off_col[off] = qp->number[col];
        qp->off_slot[off++] = k;
      }
    }
  qp->n_diagonal = diagonal;
  qp->n_off = off;
}

/* ---- matrix ------------------------------------------------------------------------------------------------------ */

/* Seats of the matrix's unknowns, with slots numbered anew where somebody sits. */
typedef struct {
  int *lane, *slot, *separator;
} Seating;

static void
seating_clear (Seating *s)
{
  ss_free (s->lane);
  ss_free (s->slot);
  ss_free (s->separator);
}

static bool
seat_unknowns (const SsQp *qp, const SsQpLanes *lanes, Seating *s)
{
  int size = qp->n + qp->n_eq, largest_variable = 0, largest_row = 0, next[2] = {0, 0};
  bool ok = true;
  for (int j = 0; j < qp->n; j++)
    largest_variable = lanes->variable[j].slot > largest_variable ? lanes->variable[j].slot : largest_variable;
  for (int i = 0; i < qp->n_given; i++)
    largest_row = lanes->row[i].slot > largest_row ? lanes->row[i].slot : largest_row;
  int n_slots = largest_variable + 1 + largest_row + 1;
  int *renumbered = new_ints (2 * n_slots, &ok); /* inner, then coarse; 0: not met yet */
  s->lane = new_ints (size, &ok);
  s->slot = new_ints (size, &ok);
  s->separator = new_ints (size, &ok);
  for (int i = 0; i < size && ok; i++) {
    const SsQpSeat *seat = i < qp->n ? &lanes->variable[qp->variable[i]] : &lanes->row[qp->given[i - qp->n]];
    int is_coarse = seat->lane < 0;
    int *slot = &renumbered[is_coarse * n_slots + seat->slot + (i < qp->n ? 0 : largest_variable + 1)];
    if (*slot == 0)
      *slot = ++next[is_coarse];
    s->lane[i] = seat->lane;
    s->slot[i] = *slot - 1;
    s->separator[i] = seat->separator;
  }
  ss_free (renumbered);
  return ok;
}

/* The ordinary factor, or the one in lanes if the problem has them. */
static SsStatus
new_factor (SsQp *qp, const SsQpLanes *lanes, SsError *err)
{
  Seating seating = {0};
  SsStatus status;
  if (lanes->variable == NULL)
    return ss_ldl_new (&qp->lower, &qp->ldl, err);
  if (seat_unknowns (qp, lanes, &seating)) {
    SsLdlLanes in = {seating.lane, seating.slot, seating.separator};
    status = ss_ldl_new_in_lanes (&qp->lower, &in, qp->sign, &qp->ldl, err);
  } else
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP of %d variables", qp->n);
  seating_clear (&seating);
  return status;
}

/* Pattern of the factorised matrix [H + J_I'W J_I + D, J_E'; J_E, -D_E] and the place of every contribution in it. */
static SsStatus
build_matrix (SsQp *qp, const SsQpLanes *lanes, SsError *err)
{
  int size = qp->n + qp->n_eq, n_general = 0, n_eq_entries = qp->eq.start[qp->n_eq];
  const SsQpRows *rows = &qp->general;
  for (int i = 0; i < qp->n_general; i++) {
    bool is_grouped = i < SS_LANES * rows->n_groups; /* a group's numbers are counted with its first row */
    int q = is_grouped ? (rows->start[i - i % SS_LANES + SS_LANES] - rows->start[i - i % SS_LANES]) / SS_LANES
                       : rows->start[i + 1] - rows->start[i];
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
  qp->k_two_diagonal[0] = new_ints (qp->n_two, &ok);
  qp->k_two_diagonal[1] = new_ints (qp->n_two, &ok);
  qp->k_general = new_ints (n_general, &ok);
  SsStatus status = SS_OK;
  if (!ok) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP of %d variables", qp->n);
    goto done;
  }

#define ADD(a, b) (major[next] = (a) < (b) ? (a) : (b), minor[next] = (a) < (b) ? (b) : (a), next++)
  for (int i = 0; i < size; i++)
    ADD (i, i);
  for (int k = 0; k < qp->n_diagonal; k++)
    ADD (qp->diagonal_col[k], qp->diagonal_col[k]);
  for (int k = 0; k < qp->n_off; k++)
    ADD (qp->off_col[k], qp->off_row[k]);
  for (int i = 0; i < qp->n_eq; i++) {
    if (i < SS_LANES * qp->eq.n_groups) {
      int first = i - i % SS_LANES;
      if (i == first)
        for (int k = qp->eq.start[first]; k < qp->eq.start[first + SS_LANES]; k++)
          ADD (qp->eq.col[k], qp->n + first + (k - qp->eq.start[first]) % SS_LANES);
    } else
      for (int k = qp->eq.start[i]; k < qp->eq.start[i + 1]; k++)
        ADD (qp->eq.col[k], qp->n + i);
  }
  for (int i = 0; i < qp->n_two; i++)
    ADD (qp->two_col[0][i], qp->two_col[1][i]);
  for (int i = 0; i < SS_LANES * rows->n_groups; i += SS_LANES)
    for (int k = rows->start[i]; k < rows->start[i + SS_LANES]; k += SS_LANES)
      for (int l = rows->start[i]; l <= k; l += SS_LANES)
        for (int lane = 0; lane < SS_LANES; lane++)
          ADD (rows->col[l + lane], rows->col[k + lane]);
  for (int i = SS_LANES * rows->n_groups; i < qp->n_general; i++)
    for (int k = rows->start[i]; k < rows->start[i + 1]; k++)
      for (int l = rows->start[i]; l <= k; l++)
        ADD (rows->col[l], rows->col[k]);
#undef ADD
  SS_ASSERT (next == count);

  status = ss_pattern_from_triplets (&qp->lower, size, size, count, major, minor, slot, err);
  if (status != SS_OK)
    goto done;
  qp->sign = ss_new_array (signed char, size > 0 ? size : 1);
  if (qp->sign == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP of %d variables", qp->n);
    goto done;
  }
  for (int i = 0; i < size; i++)
    qp->sign[i] = i < qp->n ? 1 : -1;
  status = new_factor (qp, lanes, err);
  if (status != SS_OK)
    goto done;

  int *const to[] = {qp->k_diagonal, qp->k_diagonal_h, qp->k_off_h, qp->k_eq, qp->k_two, qp->k_general};
  const int counts[] = {size, qp->n_diagonal, qp->n_off, n_eq_entries, qp->n_two, n_general};
  next = 0;
  for (int part = 0; part < 6; part++)
    for (int k = 0; k < counts[part]; k++)
      to[part][k] = ss_ldl_place (qp->ldl, slot[next++]);
  for (int i = 0; i < qp->n_one; i++)
    qp->k_one[i] = qp->k_diagonal[qp->one_col[i]];
  for (int e = 0; e < 2; e++)
    for (int i = 0; i < qp->n_two; i++)
      qp->k_two_diagonal[e][i] = qp->k_diagonal[qp->two_col[e][i]];
  qp->base_block = new_doubles (ss_ldl_n_numbers (qp->ldl) + SS_LANES, &ok);
  if (ok)
    qp->base = ss_lanes_align (qp->base_block);
  else
    status =
        ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP's matrix of %d numbers", ss_ldl_n_numbers (qp->ldl));
done:
  ss_free (major);
  ss_free (minor);
  ss_free (slot);
  return status;
}

/* ---- storage ----------------------------------------------------------------------------------------------------- */

enum { N_ROW_VECTORS = 19, N_VARIABLE_VECTORS = 21, N_BOTH_VECTORS = 3, N_COEFFICIENTS = 5 };

static void
list_vectors (SsQp *qp, double ***row, double ***variable)
{
  double **rows[N_ROW_VECTORS] = {&qp->m,  &qp->c,  &qp->r,  &qp->s,  &qp->t,  &qp->y,  &qp->z,
                                  &qp->ds, &qp->dt, &qp->dy, &qp->is, &qp->it, &qp->iy, &qp->iz,
                                  &qp->w,  &qp->c1, &qp->c2, &qp->dr, &qp->v};
  double **variables[N_VARIABLE_VECTORS] = {&qp->p,           &qp->dp,           &qp->g,   &qp->hp,  &qp->box_lower,
                                            &qp->box_upper,   &qp->lower_slack,  &qp->bl,  &qp->bu,  &qp->il,
                                            &qp->iu,          &qp->dbl,          &qp->dbu, &qp->f1,  &qp->f2,
                                            &qp->upper_slack, &qp->stationarity, &qp->ibl, &qp->ibu, &qp->barrier,
                                            &qp->hx};
  memcpy (row, rows, sizeof rows);
  memcpy (variable, variables, sizeof variables);
}

/* All vectors in one block, each at the start of a cache line, and one line further than a multiple of eight would put
 * it: vectors that are read together must not all fall on the same part of the cache. */
static bool
new_vectors (SsQp *qp, int eq_entries, int general_entries)
{
  double **row[N_ROW_VECTORS], **variable[N_VARIABLE_VECTORS],
      **both[N_BOTH_VECTORS] = {&qp->rhs, &qp->solution, &qp->refined};
  const size_t row_size = (size_t)(qp->n_rows / SS_LANES + 2) * SS_LANES,
               size = (size_t)(qp->n / SS_LANES + 2) * SS_LANES;
  bool ok = true;
  list_vectors (qp, row, variable);
  qp->multipliers = new_doubles (qp->n_given, &ok);
  qp->answer = new_doubles (qp->n, &ok);
  qp->at_lower = new_doubles (qp->n, &ok);
  qp->at_upper = new_doubles (qp->n, &ok);
  const struct {
    double **vector;
    int count;
  } coefficients[N_COEFFICIENTS] = {{&qp->eq.a, eq_entries},
                                    {&qp->general.a, general_entries},
                                    {&qp->one_a, qp->n_one},
                                    {&qp->two_a[0], qp->n_two},
                                    {&qp->two_a[1], qp->n_two}};
  size_t total = N_ROW_VECTORS * row_size + N_VARIABLE_VECTORS * size + N_BOTH_VECTORS * (row_size + size) + SS_LANES;
  for (int i = 0; i < N_COEFFICIENTS; i++)
    total += (size_t)(coefficients[i].count / SS_LANES + 2) * SS_LANES;
  qp->block = ss_new_array (double, total);
  if (!ok || qp->block == NULL)
    return false;
  double *next = ss_lanes_align (qp->block);
  for (int i = 0; i < N_COEFFICIENTS; i++) {
    *coefficients[i].vector = next;
    next += (coefficients[i].count / SS_LANES + 2) * SS_LANES;
  }
  for (int i = 0; i < N_ROW_VECTORS; i++, next += row_size)
    *row[i] = next;
  for (int i = 0; i < N_VARIABLE_VECTORS; i++, next += size)
    *variable[i] = next;
  for (int i = 0; i < N_BOTH_VECTORS; i++, next += row_size + size)
    *both[i] = next;
  return true;
}

void
ss_qp_options_init (SsQpOptions *options)
{
  SS_ASSERT (options != NULL);

  *options = (SsQpOptions){
      .max_iterations = 60,
      .tolerance_residual = 1e-4,
      .tolerance_gap = 1e-3,
      .gap_unit = 1,
      .step_fraction = 0.98,
      .shift = 1e-11,
  };
}

void
ss_qp_set_options (SsQp *qp, const SsQpOptions *options)
{
  SS_ASSERT (qp != NULL && options != NULL);

  qp->options = *options;
}

/* With lanes->variable == NULL: without lanes. */
static SsStatus
qp_new (const SsQpShape *shape, const SsQpOptions *options, const SsQpLanes *lanes, SsQp **out, SsError *err)
{
  SsQp *qp = ss_new (SsQp);
  *out = NULL;
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
  qp->variable = new_ints (qp->n, &ok);
  qp->number = new_ints (qp->n, &ok);
  qp->one_col = new_ints (qp->n_one, &ok);
  qp->one_slot = new_ints (qp->n_one, &ok);
  for (int e = 0; e < 2; e++) {
    qp->two_col[e] = new_ints (qp->n_two, &ok);
    qp->two_slot[e] = new_ints (qp->n_two, &ok);
  }
  qp->diagonal_col = new_ints (n_hessian, &ok);
  qp->diagonal_slot = new_ints (n_hessian, &ok);
  qp->diagonal_h = new_doubles (n_hessian, &ok);
  qp->off_row = new_ints (n_hessian, &ok);
  qp->off_col = new_ints (n_hessian, &ok);
  qp->off_slot = new_ints (n_hessian, &ok);
  qp->off_h = new_doubles (n_hessian, &ok);
  ok = rows_init (&qp->eq, qp->n_eq, eq_entries) && ok;
  ok = rows_init (&qp->general, qp->n_general, general_entries) && ok;
  ok = new_vectors (qp, eq_entries, general_entries) && ok;
  ok = ok && sort_variables (qp, lanes) && sort_rows (qp, shape, lanes);
  SsStatus status;
  if (!ok) {
    status =
        ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP of %d variables and %d rows", qp->n, qp->n_given);
    goto fail;
  }
  sort_hessian (qp, shape->hessian);
  status = build_matrix (qp, lanes, err);
  if (status != SS_OK)
    goto fail;
  *out = qp;
  return SS_OK;
fail:
  ss_qp_free (qp);
  return status;
}

/* In lanes where that is cheaper. */
SsStatus
ss_qp_new (const SsQpShape *shape, const SsQpOptions *options, SsQp **out, SsError *err)
{
  SS_ASSERT (shape != NULL && out != NULL);
  SS_ASSERT (shape->n >= 0 && shape->n_eq >= 0 && shape->n_ineq >= 0);
  SS_ASSERT (shape->hessian->n_major == shape->n && shape->jacobian->n_minor == shape->n);
  SS_ASSERT (shape->jacobian->n_major == shape->n_eq + shape->n_ineq);
  SsQpLanes lanes, none = {0};
  bool ok;
  SsQp *qp = NULL;
  SsLdl *ordinary = NULL;
  SsStatus status = SS_ERR_ARG;
  *out = NULL;
  if (ss_qp_find_lanes (shape, &lanes, &ok))
    status = qp_new (shape, options, &lanes, &qp, err);
  else if (!ok)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a QP of %d variables", shape->n);
  if (status == SS_OK)
    status = ss_ldl_new (&qp->lower, &ordinary, err);
  if (status == SS_OK && LANES_WORTH * ss_ldl_cost (qp->ldl) > ss_ldl_cost (ordinary))
    status = SS_ERR_ARG;
  if (status == SS_OK)
    *out = qp;
  else {
    ss_qp_free (qp);
    if (status == SS_ERR_ARG) /* no lanes in this pattern */
      status = qp_new (shape, options, &none, out, err);
  }
  ss_ldl_free (ordinary);
  ss_qp_lanes_clear (&lanes);
  return status;
}

void
ss_qp_free (SsQp *qp)
{
  if (qp == NULL)
    return;
  void *const blocks[] = {qp->block,
                          qp->base_block,
                          qp->multipliers,
                          qp->given,
                          qp->constant,
                          qp->one_col,
                          qp->one_slot,
                          qp->two_col[0],
                          qp->two_slot[0],
                          qp->two_col[1],
                          qp->two_slot[1],
                          qp->variable,
                          qp->number,
                          qp->answer,
                          qp->at_lower,
                          qp->at_upper,
                          qp->diagonal_col,
                          qp->diagonal_slot,
                          qp->diagonal_h,
                          qp->off_row,
                          qp->off_col,
                          qp->off_slot,
                          qp->off_h,
                          qp->sign,
                          qp->k_diagonal,
                          qp->k_diagonal_h,
                          qp->k_off_h,
                          qp->k_eq,
                          qp->k_two,
                          qp->k_one,
                          qp->k_two_diagonal[0],
                          qp->k_two_diagonal[1],
                          qp->k_general};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    ss_free (blocks[i]);
  rows_clear (&qp->eq);
  rows_clear (&qp->general);
  ss_ldl_free (qp->ldl);
  ss_pattern_clear (&qp->lower);
  ss_free (qp);
}
