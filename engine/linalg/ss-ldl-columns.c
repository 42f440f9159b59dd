/* engine/linalg/ss-ldl-columns.c: LDL' of a symmetric quasi-definite matrix, one column after the other.
 *
 * Any order of a symmetric quasi-definite matrix has an LDL' with diagonal D (R. Vanderbei, SIAM J. Optim. 5 (1995)),
 * so the order is chosen once, for sparsity alone, by SuiteSparse's AMD. (Sorting it by height in the elimination tree,
 * which makes neighbouring columns independent at the same fill, was measured and gained nothing.)
 *
 * The factor lives in one array: D, then the columns of L. Factoring is right-looking: column j subtracts l_a u_b from
 * the entry (row a, row b) for each pair of its rows. The places of these entries, in the order of use, form the list
 * of targets, computed once; refactoring is then a single pass over that list, without searches or index arithmetic.
 * Factors with more operations than SS_LDL_MAX_TARGETS find the places by walking down the target column instead, which
 * costs time but no memory. */
#include "linalg/ss-ldl-private.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>

enum { SS_LDL_MAX_TARGETS = 1 << 24 }; /* 64 MB of targets */

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* The diagonal must come first in each column, rows ascend. */
static bool
is_lower_with_diagonal (const SsPattern *lower)
{
  if (lower->n_major != lower->n_minor)
    return false;
  for (int j = 0; j < lower->n_major; j++) {
    if (lower->start[j] == lower->start[j + 1] || lower->index[lower->start[j]] != j)
      return false;
    for (int p = lower->start[j] + 1; p < lower->start[j + 1]; p++)
      if (lower->index[p] <= lower->index[p - 1] || lower->index[p] >= lower->n_minor)
        return false;
  }
  return true;
}

static SsStatus
order_by_amd (const SsPattern *lower, int *order, SsError *err)
{
  double control[AMD_CONTROL];
  int result;

  if (lower->n_major == 0)
    return SS_OK;
  amd_defaults (control);
  result = amd_order (lower->n_major, lower->start, lower->index, order, control, NULL);
  if (result == AMD_OUT_OF_MEMORY)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for ordering a matrix of %d rows", lower->n_major);
  if (result < AMD_OK)
    return ss_error_set (err, SS_ERR_INTERNAL, "AMD refused a pattern of %d rows", lower->n_major);
  return SS_OK;
}

/* ---- pattern of the factor --------------------------------------------------------------------------------------- */

/* Growing columns of L, rows unsorted, and the elimination tree that falls out. */
typedef struct {
  int n;
  SsPattern permuted; /* strictly lower triangle in pivot order, by columns */
  int *start;         /* n + 1 */
  int *row;
  int capacity;
  int *parent;      /* of the elimination tree; -1 at roots        */
  int *first_child; /* -1 if none                                  */
  int *next_child;  /* next with the same parent; -1 at the last   */
  int *mark;
} Symbolic;

static void
symbolic_clear (Symbolic *s)
{
  ss_pattern_clear (&s->permuted);
  ss_free (s->start);
  ss_free (s->row);
  ss_free (s->parent);
  ss_free (s->first_child);
  ss_free (s->next_child);
  ss_free (s->mark);
  memset (s, 0, sizeof *s);
}

/* Strictly lower triangle of the matrix in pivot order. */
static SsStatus
permute (Symbolic *s, const SsPattern *lower, const int *order, SsError *err)
{
  int n = s->n, n_off = lower->start[n] - n, t = 0;
  int *position = ss_new_array (int, (size_t)n + 1), *major = ss_new_array (int, (size_t)n_off + 1),
      *minor = ss_new_array (int, (size_t)n_off + 1), *slot = ss_new_array (int, (size_t)n_off + 1);
  SsStatus status;

  if (position == NULL || major == NULL || minor == NULL || slot == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a matrix of %d rows", n);
    goto done;
  }
  for (int k = 0; k < n; k++)
    position[order[k]] = k;
  for (int j = 0; j < n; j++) {
    for (int p = lower->start[j] + 1; p < lower->start[j + 1]; p++, t++) {
      int a = position[j], b = position[lower->index[p]];

      major[t] = a < b ? a : b;
      minor[t] = a < b ? b : a;
    }
  }
  status = ss_pattern_from_triplets (&s->permuted, n, n, n_off, major, minor, slot, err);

done:
  ss_free (position);
  ss_free (major);
  ss_free (minor);
  ss_free (slot);
  return status;
}

/* Adds the rows of a list that lie below j and are not in column j yet. The room has been reserved. */
static void
add_rows (Symbolic *s, int j, const int *rows, int n_rows)
{
  for (int p = 0; p < n_rows; p++) {
    if (rows[p] > j && s->mark[rows[p]] != j) {
      s->mark[rows[p]] = j;
      s->row[s->start[j + 1]++] = rows[p];
      if (s->parent[j] < 0 || rows[p] < s->parent[j])
        s->parent[j] = rows[p];
    }
  }
}

/* Most rows that column j can get from its own entries and its children. */
static int64_t
room_for_column (const Symbolic *s, int j)
{
  int64_t room = s->permuted.start[j + 1] - s->permuted.start[j];

  for (int c = s->first_child[j]; c >= 0; c = s->next_child[c])
    room += s->start[c + 1] - s->start[c];
  return room < s->n - j ? room : s->n - j;
}

/* Column j of L is the union of its own entries and those of the columns whose first row below the diagonal is j. */
static SsStatus
find_columns (Symbolic *s, SsError *err)
{
  for (int j = 0; j < s->n; j++) {
    int64_t needed = s->start[j] + room_for_column (s, j);

    if (needed > INT_MAX - s->n ||
        ss_array_reserve ((void **)&s->row, &s->capacity, (int)needed + 1, sizeof *s->row) != 0)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a factor of more than %d entries", s->start[j]);
    s->start[j + 1] = s->start[j];
    add_rows (s, j, s->permuted.index + s->permuted.start[j], s->permuted.start[j + 1] - s->permuted.start[j]);
    for (int c = s->first_child[j]; c >= 0; c = s->next_child[c])
      add_rows (s, j, s->row + s->start[c], s->start[c + 1] - s->start[c]);
    if (s->parent[j] >= 0) {
      s->next_child[j] = s->first_child[s->parent[j]];
      s->first_child[s->parent[j]] = j;
    }
  }
  return SS_OK;
}

/* Pattern and tree of the factor for the given order of pivots. */
static SsStatus
symbolic_init (Symbolic *s, const SsPattern *lower, const int *order, SsError *err)
{
  size_t n = (size_t)lower->n_major + 1;
  SsStatus status;

  memset (s, 0, sizeof *s);
  s->n = lower->n_major;
  s->start = ss_new_array (int, n);
  s->parent = ss_new_array (int, n);
  s->first_child = ss_new_array (int, n);
  s->next_child = ss_new_array (int, n);
  s->mark = ss_new_array (int, n);
  if (s->start == NULL || s->parent == NULL || s->first_child == NULL || s->next_child == NULL || s->mark == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a matrix of %d rows", lower->n_major);
  for (int j = 0; j < s->n; j++)
    s->parent[j] = s->first_child[j] = s->next_child[j] = s->mark[j] = -1;
  status = permute (s, lower, order, err);
  return status != SS_OK ? status : find_columns (s, err);
}

/* ---- analysis ---------------------------------------------------------------------------------------------------- */

/* Copies the pattern of L with ascending rows: transposed twice. */
static SsStatus
copy_sorted (SsLdl *ldl, const Symbolic *s, SsError *err)
{
  SsPattern unsorted = {.n_major = s->n, .n_minor = s->n, .start = s->start, .index = s->row}; /* borrowed */
  SsPattern transposed = {0}, sorted = {0};
  int n_entries = s->start[s->n];
  SsStatus status = ss_pattern_transpose (&unsorted, &transposed, NULL, err);

  if (status == SS_OK)
    status = ss_pattern_transpose (&transposed, &sorted, NULL, err);
  if (status != SS_OK)
    goto done;
  ldl->row = ss_new_array (int, (size_t)ldl->n + (size_t)n_entries + 1);
  if (ldl->row == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a factor of %d entries", n_entries);
    goto done;
  }
  for (int j = 0; j <= ldl->n; j++)
    ldl->start[j] = sorted.start[j] + ldl->n;
  memcpy (ldl->row + ldl->n, sorted.index, (size_t)n_entries * sizeof *ldl->row);

done:
  ss_pattern_clear (&transposed);
  ss_pattern_clear (&sorted);
  return status;
}

/* Place of entry (row, column) of L, searched from place p of that column downwards. It exists. */
static inline int
find_place (const int *row, int p, int wanted)
{
  while (row[p] < wanted)
    p++;
  return p;
}

/* Where each given entry goes. */
static SsStatus
find_input_places (SsLdl *ldl, const SsPattern *lower, SsError *err)
{
  int *position = ss_new_array (int, (size_t)ldl->n + 1);

  if (position == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a matrix of %d rows", ldl->n);
  for (int k = 0; k < ldl->n; k++)
    position[ldl->order[k]] = k;
  for (int j = 0; j < ldl->n; j++) {
    for (int p = lower->start[j]; p < lower->start[j + 1]; p++) {
      int a = position[j], b = position[lower->index[p]];
      int column = a < b ? a : b, row = a < b ? b : a;

      ldl->place[p] = row == column ? row : find_place (ldl->row, ldl->start[column], row);
    }
  }
  ss_free (position);
  return SS_OK;
}

/* Multiply-subtracts of one factorisation. */
int64_t
ss_ldl_columns_n_operations (const SsLdl *ldl)
{
  SS_ASSERT (ldl != NULL && ldl->n >= 0);

  int64_t n = 0;

  for (int j = 0; j < ldl->n; j++) {
    int64_t length = ldl->start[j + 1] - ldl->start[j];

    n += length * (length + 1) / 2;
  }
  return n;
}

static SsStatus
find_targets (SsLdl *ldl, SsError *err)
{
  int64_t n_operations = ss_ldl_columns_n_operations (ldl);
  int *t;

  if (n_operations > SS_LDL_MAX_TARGETS)
    return SS_OK;
  t = ldl->target = ss_new_array (int, (size_t)n_operations + 1);
  if (t == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a factor of %d entries",
                         ss_ldl_columns_n_factor_entries (ldl));
  for (int j = 0; j < ldl->n; j++) {
    for (int a = ldl->start[j]; a < ldl->start[j + 1]; a++) {
      int k = ldl->row[a], p = ldl->start[k];

      *t++ = k;
      for (int b = a + 1; b < ldl->start[j + 1]; b++)
        *t++ = p = find_place (ldl->row, p, ldl->row[b]);
    }
  }
  return SS_OK;
}

/* Everything that depends on the pattern alone. */
static SsStatus
analyse (SsLdl *ldl, const SsPattern *lower, SsError *err)
{
  Symbolic s = {0};
  SsStatus status = order_by_amd (lower, ldl->order, err);

  if (status == SS_OK)
    status = symbolic_init (&s, lower, ldl->order, err);
  if (status == SS_OK)
    status = copy_sorted (ldl, &s, err);
  symbolic_clear (&s);
  if (status == SS_OK)
    status = find_input_places (ldl, lower, err);
  if (status == SS_OK)
    status = find_targets (ldl, err);
  return status;
}

SsStatus
ss_ldl_new (const SsPattern *lower, SsLdl **out, SsError *err)
{
  SS_ASSERT (lower != NULL && out != NULL);

  SsLdl *ldl = NULL;
  size_t n = (size_t)lower->n_major + 1;
  SsStatus status;

  *out = NULL;
  if (!is_lower_with_diagonal (lower))
    return ss_error_set (err, SS_ERR_ARG, "not the pattern of a lower triangle with its whole diagonal");
  ldl = ss_new (SsLdl);
  if (ldl == NULL)
    goto fail_memory;
  ldl->n = lower->n_major;
  ldl->n_input = lower->start[ldl->n];
  ldl->order = ss_new_array (int, n);
  ldl->place = ss_new_array (int, (size_t)ldl->n_input + 1);
  ldl->start = ss_new_array (int, n);
  ldl->inverse = ss_new_array (double, n);
  ldl->x = ss_new_array (double, n);
  if (ldl->order == NULL || ldl->place == NULL || ldl->start == NULL || ldl->inverse == NULL || ldl->x == NULL)
    goto fail_memory;
  status = analyse (ldl, lower, err);
  if (status != SS_OK)
    goto fail;
  ldl->n_factor = ldl->start[ldl->n];
  ldl->factor = ss_new_array (double, (size_t)ldl->n_factor + 1);
  if (ldl->factor == NULL)
    goto fail_memory;
  *out = ldl;
  return SS_OK;

fail_memory:
  status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a matrix of %d rows", lower->n_major);
fail:
  ss_ldl_columns_free (ldl);
  return status;
}

void
ss_ldl_columns_free (SsLdl *ldl)
{
  if (ldl == NULL)
    return;
  ss_free (ldl->order);
  ss_free (ldl->place);
  ss_free (ldl->start);
  ss_free (ldl->row);
  ss_free (ldl->target);
  if (!ldl->borrowed)
    ss_free (ldl->factor);
  ss_free (ldl->inverse);
  ss_free (ldl->x);
  ss_free (ldl);
}

int
ss_ldl_columns_n_factor_entries (const SsLdl *ldl)
{
  SS_ASSERT (ldl != NULL && ldl->n >= 0);
  return ldl->start[ldl->n] - ldl->n;
}

int
ss_ldl_place (const SsLdl *ldl, int entry)
{
  SS_ASSERT (entry >= 0 && entry < ldl->n_input);
  return ldl->place[entry];
}

void
ss_ldl_columns_clear (SsLdl *ldl)
{
  SS_ASSERT (ldl != NULL);
  memset (ldl->factor, 0, (size_t)ldl->n_factor * sizeof (double));
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Column j, not yet divided by its pivot, subtracts its outer product from the columns behind it and becomes a column
 * of L. Returns the next target. (Straight code for short columns was measured: no gain.) */
static inline const int *
eliminate (double *restrict factor, double *restrict column, int length, double inverse, const int *restrict target)
{
  for (int a = 0; a < length; a++) {
    double l = column[a] * inverse;

    for (int b = a; b < length; b++)
      factor[target[b - a]] -= l * column[b];
    target += length - a;
    column[a] = l;
  }
  return target;
}

/* The same where the list of targets would be too long: places are searched along the target column. */
static void
eliminate_searching (SsLdl *ldl, int j, double inverse)
{
  for (int a = ldl->start[j]; a < ldl->start[j + 1]; a++) {
    int k = ldl->row[a], p = ldl->start[k];
    double l = ldl->factor[a] * inverse;

    ldl->factor[k] -= l * ldl->factor[a];
    for (int b = a + 1; b < ldl->start[j + 1]; b++) {
      p = find_place (ldl->row, p, ldl->row[b]);
      ldl->factor[p] -= l * ldl->factor[b];
    }
    ldl->factor[a] = l;
  }
}

SsStatus
ss_ldl_columns_factor_numbers (SsLdl *ldl, const signed char *expected_sign, double minimum, int *n_replaced)
{
  SS_ASSERT (ldl != NULL);

  double *factor = ldl->factor;
  const int *target = ldl->target;
  double operations = 0;
  int n = 0;

  for (int j = 0; j < ldl->n; j++) {
    double d = factor[j], inverse;

    if (expected_sign != NULL && expected_sign[ldl->order[j]] * d < minimum) {
      d = factor[j] = expected_sign[ldl->order[j]] * minimum;
      n++;
    }
    if (d == 0.0 || !isfinite (d))
      return SS_ERR_SINGULAR;
    const double length = ldl->start[j + 1] - ldl->start[j];
    operations += length * (length + 1) / 2;
    ldl->inverse[j] = inverse = 1.0 / d;
    if (target != NULL)
      target = eliminate (factor, factor + ldl->start[j], ldl->start[j + 1] - ldl->start[j], inverse, target);
    else
      eliminate_searching (ldl, j, inverse);
  }
  ss_work_add (operations + ldl->n);
  if (n_replaced != NULL)
    *n_replaced = n;
  return SS_OK;
}

int
ss_ldl_n_negative (const SsLdl *ldl)
{
  int n = 0;

  SS_ASSERT (ldl != NULL && ldl->lanes == NULL);
  for (int j = 0; j < ldl->n; j++)
    n += ldl->inverse[j] < 0;
  return n;
}

void
ss_ldl_columns_solve (SsLdl *ldl, double *b)
{
  SS_ASSERT (ldl != NULL && ldl->n >= 0);

  const double *factor = ldl->factor;
  const int *row = ldl->row;
  double *x = ldl->x;

  ss_work_add (2.0 * ldl->start[ldl->n]);
  for (int k = 0; k < ldl->n; k++)
    x[k] = b[ldl->order[k]];
  for (int j = 0; j < ldl->n; j++) {
    double xj = x[j];

    for (int p = ldl->start[j]; p < ldl->start[j + 1]; p++)
      x[row[p]] -= factor[p] * xj;
  }
  for (int j = ldl->n - 1; j >= 0; j--) {
    double sum = x[j] * ldl->inverse[j];

    for (int p = ldl->start[j]; p < ldl->start[j + 1]; p++)
      sum -= factor[p] * x[row[p]];
    x[j] = sum;
    b[ldl->order[j]] = sum;
  }
}
