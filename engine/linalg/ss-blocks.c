/* engine/linalg/ss-blocks.c: LU and LDL' of 3 x 3 blocks: see ss-blocks.h.
 *
 * The analysis is that of LDL' (ss-ldl-columns.c) of the graph, whose places are blocks here. The diagonal block k is
 * L_kk U_kk; column k of L is A_ik U_kk^-1, row k of U is L_kk^-1 A_kj. In the symmetric case A_ik = W_ik L_kk' and
 * L_ik = W_ik D_k^-1. Right-looking, as there. */
#include "linalg/ss-blocks.h"

#include "linalg/ss-lanes.h"
#include "linalg/ss-ldl-private.h"

#include <math.h>
#include <string.h>

enum { LANES = SS_BLOCK_LANES, BLOCK = SS_BLOCK_NUMBERS };

typedef double Vector __attribute__ ((vector_size (32), aligned (8), may_alias));

/* Of a diagonal block: inverse pivots, the unit triangle below them, and what is above them (LU). */
typedef struct {
  double inverse[3], l10, l20, l21, u01, u02, u12;
} Pivot;

struct SsBlocks {
  SsLdl *graph; /* owned: the analysis                               */
  int n;
  bool *is_swapped; /* per entry of the pattern                          */
  bool is_symmetric;
  double *lower, *upper;
  double *kept; /* of one column, undivided                          */
  Pivot *pivots;
  double *x; /* LANES n: right-hand side in the pivots' order     */
};

SsStatus
ss_blocks_new (const SsPattern *lower, SsBlocks **out, SsError *err)
{
  SS_ASSERT (lower != NULL && out != NULL);

  SsBlocks *b = ss_new (SsBlocks);
  int *position = NULL, longest = 0;

  *out = NULL;
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a matrix of %d blocks", lower->n_major);
  if (b == NULL)
    return status;
  status = ss_ldl_new (lower, &b->graph, err);
  if (status != SS_OK)
    goto fail;
  b->n = b->graph->n;
  for (int j = 0; j < b->n; j++) {
    const int length = b->graph->start[j + 1] - b->graph->start[j];
    longest = length > longest ? length : longest;
  }
  const size_t n_numbers = (size_t)BLOCK * (size_t)b->graph->n_factor + 1;
  b->is_swapped = ss_new_array (bool, (size_t)b->graph->n_input + 1);
  b->lower = ss_new_array (double, n_numbers);
  b->upper = ss_new_array (double, n_numbers);
  b->kept = ss_new_array (double, BLOCK *(size_t)longest + 1);
  b->pivots = ss_new_array (Pivot, (size_t)b->n + 1);
  b->x = ss_new_array (double, LANES *(size_t)b->n + 1);
  position = ss_new_array (int, (size_t)b->n + 1);
  if (b->is_swapped == NULL || b->lower == NULL || b->upper == NULL || b->kept == NULL || b->pivots == NULL ||
      b->x == NULL || position == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a matrix of %d blocks", b->n);
    goto fail;
  }
  for (int k = 0; k < b->n; k++)
    position[b->graph->order[k]] = k;
  for (int j = 0; j < b->n; j++)
    for (int p = lower->start[j]; p < lower->start[j + 1]; p++)
      b->is_swapped[p] = position[lower->index[p]] < position[j];
  ss_free (position);
  *out = b;
  return SS_OK;

fail:
  ss_free (position);
  ss_blocks_free (b);
  return status;
}

void
ss_blocks_free (SsBlocks *blocks)
{
  if (blocks == NULL)
    return;
  ss_ldl_free (blocks->graph);
  ss_free (blocks->is_swapped);
  ss_free (blocks->lower);
  ss_free (blocks->upper);
  ss_free (blocks->kept);
  ss_free (blocks->pivots);
  ss_free (blocks->x);
  ss_free (blocks);
}

int
ss_blocks_place (const SsBlocks *blocks, int entry, bool *is_swapped)
{
  SS_ASSERT (entry >= 0 && entry < blocks->graph->n_input);
  *is_swapped = blocks->is_swapped[entry];
  return blocks->graph->place[entry];
}

double *
ss_blocks_lower (SsBlocks *blocks)
{
  SS_ASSERT (blocks != NULL);
  return blocks->lower;
}

double *
ss_blocks_upper (SsBlocks *blocks)
{
  SS_ASSERT (blocks != NULL);
  return blocks->upper;
}

void
ss_blocks_clear (SsBlocks *blocks, bool is_symmetric)
{
  SS_ASSERT (blocks != NULL);

  const size_t size = (size_t)BLOCK * (size_t)blocks->graph->n_factor * sizeof (double);
  memset (blocks->lower, 0, size);
  if (!is_symmetric)
    memset (blocks->upper, 0, size);
}

/* ---- factor ------------------------------------------------------------------------------------------------------ */

SS_LANES_INLINE Vector *
block_of (double *numbers, int place)
{
  return (Vector *)(numbers + (size_t)BLOCK * (size_t)place);
}

static inline bool
is_pivot (double d)
{
  return d != 0 && isfinite (d);
}

/* Of a block by columns; in the symmetric case of its lower triangle. */
static inline bool
factor_pivot (const double *d, bool is_symmetric, Pivot *p)
{
  if (!is_pivot (d[0]))
    return false;
  p->inverse[0] = 1 / d[0];
  p->u01 = is_symmetric ? d[1] : d[LANES];
  p->u02 = is_symmetric ? d[2] : d[2 * LANES];
  p->l10 = d[1] * p->inverse[0];
  p->l20 = d[2] * p->inverse[0];
  const double d1 = d[LANES + 1] - p->l10 * p->u01, below = d[LANES + 2] - p->l20 * p->u01;
  if (!is_pivot (d1))
    return false;
  p->inverse[1] = 1 / d1;
  p->u12 = is_symmetric ? below : d[2 * LANES + 1] - p->l10 * p->u02;
  p->l21 = below * p->inverse[1];
  const double d2 = d[2 * LANES + 2] - p->l20 * p->u02 - p->l21 * p->u12;
  p->inverse[2] = 1 / d2;
  return is_pivot (d2);
}

/* Block by columns (rows) -= sum of l_c y_c', where l_c stay vectors and y_c give the numbers. */
SS_LANES_INLINE void
subtract (Vector *block, const Vector *l, const double *y)
{
  for (int q = 0; q < 3; q++) {
    Vector sum = block[q];
    sum -= l[0] * y[q];
    sum -= l[1] * y[LANES + q];
    sum -= l[2] * y[2 * LANES + q];
    block[q] = sum;
  }
}

/* Places of the blocks that column `a` of a pivot's column changes: its diagonal, then those of the rows behind it.
 * Searched where the list of them would be too long. */
typedef struct {
  const int *listed;
  const SsLdl *graph;
  int p;
} Targets;

SS_LANES_INLINE int
next_target (Targets *t, int row)
{
  if (t->listed != NULL)
    return *t->listed++;
  while (t->graph->row[t->p] < row)
    t->p++;
  return t->p;
}

SS_LANES_INLINE void
start_targets (Targets *t, int column)
{
  if (t->listed != NULL)
    t->listed++;
  else
    t->p = t->graph->start[column];
}

SS_CLONES static bool
factor_symmetric (SsBlocks *b)
{
  const SsLdl *g = b->graph;
  Targets t = {.listed = g->target, .graph = g};
  for (int k = 0; k < b->n; k++) {
    const int first = g->start[k], length = g->start[k + 1] - first;
    Pivot *p = &b->pivots[k];
    if (!factor_pivot (b->lower + (size_t)BLOCK * (size_t)k, true, p))
      return false;
    for (int a = 0; a < length; a++) {
      Vector *l = block_of (b->lower, first + a), *w = block_of (b->kept, a);
      w[0] = l[0];
      w[1] = l[1] - w[0] * p->l10;
      w[2] = l[2] - w[0] * p->l20 - w[1] * p->l21;
      for (int c = 0; c < 3; c++)
        l[c] = w[c] * p->inverse[c];
    }
    for (int a = 0; a < length; a++) {
      const int column = g->row[first + a];
      const double *l = b->lower + (size_t)BLOCK * (size_t)(first + a);
      start_targets (&t, column);
      subtract (block_of (b->lower, column), block_of (b->kept, a), l);
      for (int i = a + 1; i < length; i++)
        subtract (block_of (b->lower, next_target (&t, g->row[first + i])), block_of (b->kept, i), l);
    }
  }
  return true;
}

SS_CLONES static bool
factor_unsymmetric (SsBlocks *b)
{
  const SsLdl *g = b->graph;
  Targets t = {.listed = g->target, .graph = g};
  for (int k = 0; k < b->n; k++) {
    const int first = g->start[k], length = g->start[k + 1] - first;
    Pivot *p = &b->pivots[k];
    if (!factor_pivot (b->lower + (size_t)BLOCK * (size_t)k, false, p))
      return false;
    for (int a = 0; a < length; a++) {
      Vector *l = block_of (b->lower, first + a), *u = block_of (b->upper, first + a);
      l[0] *= p->inverse[0];
      l[1] = (l[1] - l[0] * p->u01) * p->inverse[1];
      l[2] = (l[2] - l[0] * p->u02 - l[1] * p->u12) * p->inverse[2];
      u[1] -= u[0] * p->l10;
      u[2] = u[2] - u[0] * p->l20 - u[1] * p->l21;
    }
    for (int a = 0; a < length; a++) {
      const int column = g->row[first + a];
      const size_t at = (size_t)BLOCK * (size_t)(first + a);
      start_targets (&t, column);
      subtract (block_of (b->lower, column), block_of (b->lower, first + a), b->upper + at);
      for (int i = a + 1; i < length; i++) {
        const int place = next_target (&t, g->row[first + i]);
        subtract (block_of (b->lower, place), block_of (b->lower, first + i), b->upper + at);
        subtract (block_of (b->upper, place), block_of (b->upper, first + i), b->lower + at);
      }
    }
  }
  return true;
}

SsStatus
ss_blocks_factor (SsBlocks *blocks, bool is_symmetric)
{
  SS_ASSERT (blocks != NULL);

  const SsLdl *g = blocks->graph;
  double operations = 3.0 * blocks->n;
  for (int k = 0; k < blocks->n; k++) { /* of the rows of 3 x 3 numbers that there are */
    const double length = 3.0 * (g->start[k + 1] - g->start[k]);
    operations += 3 * length * (length + 1);
  }
  ss_work_add (is_symmetric ? operations / 2 : operations);
  blocks->is_symmetric = is_symmetric;
  return (is_symmetric ? factor_symmetric (blocks) : factor_unsymmetric (blocks)) ? SS_OK : SS_ERR_SINGULAR;
}

int
ss_blocks_sign (const SsBlocks *blocks)
{
  SS_ASSERT (blocks != NULL);

  int sign = 1;
  for (int k = 0; k < blocks->n; k++)
    for (int c = 0; c < 3; c++)
      if (blocks->pivots[k].inverse[c] < 0)
        sign = -sign;
  return sign;
}

/* ---- solve ------------------------------------------------------------------------------------------------------- */

SS_CLONES static void
substitute (SsBlocks *b)
{
  const SsLdl *g = b->graph;
  double *x = b->x;
  for (int k = 0; k < b->n; k++) {
    const Pivot *p = &b->pivots[k];
    double *y = x + LANES * k;
    y[1] -= p->l10 * y[0];
    y[2] = y[2] - p->l20 * y[0] - p->l21 * y[1];
    for (int i = g->start[k]; i < g->start[k + 1]; i++) {
      const Vector *l = block_of (b->lower, i);
      Vector *behind = (Vector *)(x + LANES * g->row[i]);
      *behind = *behind - l[0] * y[0] - l[1] * y[1] - l[2] * y[2];
    }
  }
  double *rows = b->is_symmetric ? b->lower : b->upper;
  for (int k = b->n - 1; k >= 0; k--) {
    const Pivot *p = &b->pivots[k];
    double *y = x + LANES * k;
    Vector sum0 = {0}, sum1 = {0}, sum2 = {0};
    for (int i = g->start[k]; i < g->start[k + 1]; i++) {
      const Vector *u = block_of (rows, i), behind = *(const Vector *)(x + LANES * g->row[i]);
      sum0 += u[0] * behind;
      sum1 += u[1] * behind;
      sum2 += u[2] * behind;
    }
    const double s0 = sum0[0] + sum0[1] + sum0[2], s1 = sum1[0] + sum1[1] + sum1[2], s2 = sum2[0] + sum2[1] + sum2[2];
    if (b->is_symmetric) {
      y[2] = y[2] * p->inverse[2] - s2;
      y[1] = y[1] * p->inverse[1] - s1 - p->l21 * y[2];
      y[0] = y[0] * p->inverse[0] - s0 - p->l10 * y[1] - p->l20 * y[2];
    } else {
      y[2] = (y[2] - s2) * p->inverse[2];
      y[1] = (y[1] - s1 - p->u12 * y[2]) * p->inverse[1];
      y[0] = (y[0] - s0 - p->u01 * y[1] - p->u02 * y[2]) * p->inverse[0];
    }
  }
}

void
ss_blocks_solve (SsBlocks *blocks, double *b)
{
  SS_ASSERT (blocks != NULL && b != NULL);

  const int *order = blocks->graph->order;
  ss_work_add (18.0 * (blocks->graph->start[blocks->n] - blocks->n));
  for (int k = 0; k < blocks->n; k++) {
    memcpy (blocks->x + LANES * k, b + 3 * order[k], 3 * sizeof *b);
    blocks->x[LANES * k + 3] = 0;
  }
  substitute (blocks);
  for (int k = 0; k < blocks->n; k++)
    memcpy (b + 3 * order[k], blocks->x + LANES * k, 3 * sizeof *b);
}
