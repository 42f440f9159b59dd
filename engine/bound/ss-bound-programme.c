/* engine/bound/ss-bound-programme.c: the dynamic programme over cells, see ss-bound-chain.h. */
#include "bound/ss-bound-chain-private.h"

#include <stdlib.h>
#include <string.h>

static const double WIDTH_STEPS = 0x1p20; /* of a cell's width in its power of two */

static SsStatus
out_of_memory (SsError *err)
{
  return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a chain of stages");
}

/* ---- the dynamic programme --------------------------------------------------------------------------------------- */

enum { BELOW, ABOVE };

typedef struct {
  const SsBoundChain *c;
  const SsBoundChainProof *proof;
  int n, flat, reach;                                     /* cells, the slope 0, no more than n */
  SsInterval *value, *turn;                               /* of terms: c + l'g, and -t */
  SsInterval *box;                                        /* n_local */
  SsBoundSum one, other;                                  /* of these */
  double *table;                                          /* [branch][cell, below, above][slope] */
  double *cost;                                           /* [reach + d][i] of i to i + d */
  double *tail[2], *to[2], *from[2], across[2], stays[2]; /* n each: beyond the reach; to and from what is outside */
  double *left, *right;                                   /* least values of all below and above */
  double *values;                                         /* [point][cell, below, above] */
} Programme;

static SsInterval
cell_box (const SsBoundChainProof *proof, int cell)
{
  const int n = proof->n_cells;
  const double low = proof->first * proof->width, high = ((double)proof->first + n) * proof->width;

  return cell == n + BELOW   ? (SsInterval){-INFINITY, low}
         : cell == n + ABOVE ? (SsInterval){high, INFINITY}
                             : (SsInterval){((double)proof->first + cell) * proof->width,
                                            ((double)proof->first + cell + 1) * proof->width};
}

static void
combine (Programme *g)
{
  const SsBoundChain *c = g->c;

  for (int t = 0; t < c->n_terms; t++) {
    SsInterval sum = c->value[SS_BOUND_COST * c->n_terms + t];
    for (int s = 0; s < c->n_states; s++)
      sum = ss_interval_add (sum, ss_interval_multiply (ss_interval (g->proof->multipliers[s]),
                                                        c->value[(SS_BOUND_MOVE + s) * c->n_terms + t]));
    g->value[t] = sum;
    g->turn[t] = ss_interval_negate (c->value[SS_BOUND_TURN * c->n_terms + t]);
  }
}

static void
set_box (Programme *g, const SsBoundBranch *b, const SsBoundStagePoint *at, int point, int cell)
{
  const SsBoundChain *c = g->c;

  memcpy (g->box, b->box, (size_t)c->n * sizeof (SsInterval));
  g->box[c->x] = cell_box (g->proof, cell);
  ss_bound_range_auxiliary (at, c->n, c->p->range + c->stages->first_auxiliary[point], g->box);
}

static void
sum_up_cell (Programme *g, const SsBoundBranch *b, int cell)
{
  set_box (g, b, &g->c->stages->stage, g->c->stages->point, cell);
  ss_bound_sum_up (b, g->value, g->box, &g->one);
  ss_bound_sum_up (b, g->turn, g->box, &g->other);
}

static void
fill_table (Programme *g)
{
  const SsBoundChain *c = g->c;
  const int n_slopes = g->proof->n_slopes, cells = g->n + 2;
  double *value = g->table;

  combine (g);
  for (int b = 0; b < c->n_branches; b++)
    for (int cell = 0; cell < cells; cell++) {
      sum_up_cell (g, &c->branches[b], cell);
      for (int m = 0; m < n_slopes; m++)
        *value++ = ss_bound_least (&c->branches[b], &g->one, &g->other, g->proof->slopes[m], g->box);
    }
}

/* Of a line: least cost where x changes by so many cells or more (slopes >= 0), or by that or less (slopes <= 0). */
static double
line (const Programme *g, const double *row, int m, double cells)
{
  const double rise = g->proof->slopes[m] * (cells * g->proof->width), value = rise + row[m]; /* the width is exact */

  return value - (fabs (rise) + fabs (value)) * 0x1p-52 - 0x1p-1000;
}

/* The best line for a change of at least `cells` upwards (way 1) or downwards (way -1), from line *m on. */
static double
best_line (const Programme *g, const double *row, int *m, double cells, int way)
{
  double best = line (g, row, *m, cells);

  while (*m + way >= 0 && *m + way < g->proof->n_slopes) {
    const double next = line (g, row, *m + way, cells);
    if (!(next >= best))
      break;
    best = next;
    *m += way;
  }
  return best;
}

static void
fill_costs (Programme *g)
{
  const int n = g->n, reach = g->reach, n_slopes = g->proof->n_slopes;
  const size_t size = (size_t)n;

  for (size_t e = 0; e < (2 * (size_t)reach + 1) * size; e++)
    g->cost[e] = INFINITY;
  for (int side = 0; side < 2; side++) {
    g->across[side] = g->stays[side] = INFINITY;
    for (int i = 0; i < n; i++)
      g->tail[side][i] = g->to[side][i] = g->from[side][i] = INFINITY;
  }
  for (int b = 0; b < g->c->n_branches; b++) {
    const double *rows = g->table + (size_t)b * (size_t)(n + 2) * (size_t)n_slopes;
    for (int i = 0; i < n; i++) {
      const double *row = rows + (size_t)i * (size_t)n_slopes;
      for (int side = 0; side < 2; side++) {
        const int way = side == ABOVE ? 1 : -1, to_end = side == ABOVE ? n - i : i + 1;
        int m = g->flat;
        double value = -INFINITY;
        for (int d = 0; d <= reach; d++) {
          double *cost = &g->cost[(size_t)(reach + way * d) * size + (size_t)i];
          value = best_line (g, row, &m, way * (d - 1.), way);
          if (d == 0) { /* either way */
            int other = g->flat;
            value = fmax (value, best_line (g, row, &other, way, -way));
            *cost = side == ABOVE ? fmin (*cost, value) : *cost;
          } else {
            *cost = fmin (*cost, value);
          }
          if (d == to_end)
            g->to[side][i] = fmin (g->to[side][i], value);
        }
        value = best_line (g, row, &m, way * (double)reach, way);
        g->tail[side][i] = fmin (g->tail[side][i], value);
        if (to_end > reach)
          g->to[side][i] = fmin (g->to[side][i], value);
      }
    }
    for (int side = 0; side < 2; side++) { /* from what is above downwards, and from below upwards */
      const double *row = rows + (size_t)(n + side) * (size_t)n_slopes;
      const int way = side == ABOVE ? -1 : 1;
      int m = g->flat;
      for (int d = 0; d < n; d++) {
        const int j = side == ABOVE ? n - 1 - d : d;
        g->from[side][j] = fmin (g->from[side][j], best_line (g, row, &m, way * (double)d, way));
      }
      g->across[side] = fmin (g->across[side], best_line (g, row, &m, way * (double)n, way));
      g->stays[side] = fmin (g->stays[side], row[g->flat]);
    }
  }
}

static double
least_of (const double *values, int n)
{
  double best = INFINITY;

  for (int i = 0; i < n; i++)
    best = values[i] < best ? values[i] : best;
  return best;
}

/* Values of a point from those of the next one. */
static void
step_back (Programme *g, const double *restrict next, double *restrict now)
{
  const int n = g->n, reach = g->reach;

  for (int i = 0; i < n; i++) {
    g->left[i] = i > 0 ? fmin (g->left[i - 1], next[i]) : next[i];
    g->right[n - 1 - i] = i > 0 ? fmin (g->right[n - i], next[n - 1 - i]) : next[n - 1];
  }
  for (int i = 0; i < n; i++) {
    double best = fmin (g->to[BELOW][i] + next[n + BELOW], g->to[ABOVE][i] + next[n + ABOVE]);
    if (i + reach + 1 < n)
      best = fmin (best, g->tail[ABOVE][i] + g->right[i + reach + 1]);
    if (i - reach - 1 >= 0)
      best = fmin (best, g->tail[BELOW][i] + g->left[i - reach - 1]);
    now[i] = best;
  }
  for (int d = -reach; d <= reach; d++) {
    const double *restrict cost = g->cost + (size_t)(reach + d) * (size_t)n;
    const int first = d < 0 ? -d : 0, last = d < 0 ? n : n - d;
    for (int i = first; i < last; i++) {
      const double value = cost[i] + next[i + d];
      now[i] = value < now[i] ? value : now[i];
    }
  }
  for (int side = 0; side < 2; side++) {
    double best = fmin (g->stays[side] + next[n + side], g->across[side] + next[n + 1 - side]);
    for (int j = 0; j < n; j++)
      best = fmin (best, g->from[side][j] + next[j]);
    now[n + side] = best;
  }
  /* each sum is wrong by half a unit at most, and rounding down keeps the order */
  for (int i = 0; i < n + 2; i++)
    now[i] = isnan (now[i]) ? -INFINITY : ss_round_down (now[i]);
}

static void
fill_values (Programme *g)
{
  const SsBoundChain *c = g->c;
  const int n_points = c->n_points, cells = g->n + 2;
  SsInterval *value = g->value;

  for (int t = 0; t < c->end_terms.n; t++)
    value[t] = c->end_terms.terms[t].c;
  for (int cell = 0; cell < cells; cell++) {
    set_box (g, &c->end, &c->stages->end, n_points - 1, cell);
    ss_bound_sum_up (&c->end, value, g->box, &g->one);
    g->values[(size_t)(n_points - 1) * (size_t)cells + (size_t)cell] =
        ss_bound_least (&c->end, &g->one, &g->one, 0, g->box);
  }
  for (int k = n_points - 2; k >= 0; k--)
    step_back (g, g->values + (size_t)(k + 1) * (size_t)cells, g->values + (size_t)k * (size_t)cells);
}

static int
start_cell (const Programme *g, double *best)
{
  const SsInterval start = g->c->stages->start[g->c->x];
  int at = -1;

  *best = INFINITY;
  for (int cell = 0; cell < g->n + 2; cell++) {
    const SsInterval meet = ss_interval_meet (start, cell_box (g->proof, cell));
    if (meet.low <= meet.high && (at < 0 || g->values[cell] < *best)) {
      *best = g->values[cell];
      at = cell;
    }
  }
  return at;
}

/* Objective's constant and the dualised states. */
static double
rest_of (const SsBoundChain *c, const SsBoundChainProof *proof)
{
  double sum = c->p->objective.constant.low;

  for (int s = 0; s < c->n_states; s++) {
    const SsInterval multiplier = ss_interval (proof->multipliers[s]);
    sum = ss_add_down (sum, ss_interval_multiply (multiplier, c->stages->start[c->states[s]]).low);
    if (c->square[s].low > 0) {
      const SsInterval off = ss_interval_subtract (multiplier, c->slope[s]),
                       least = ss_interval_divide (ss_interval_square (off),
                                                   ss_interval_multiply (ss_interval (4), c->square[s]));
      sum = ss_add_down (sum, -least.high);
    }
  }
  return sum;
}

static bool
new_programme (Programme *g, const SsBoundChain *c, const SsBoundChainProof *proof)
{
  const int n = proof->n_cells, n_terms = c->n_terms + c->end_terms.n;

  *g = (Programme){.c = c, .proof = proof, .n = n, .reach = proof->reach < n ? proof->reach : n};
  while (proof->slopes[g->flat] != 0)
    g->flat++;
  g->value = ss_new_array (SsInterval, n_terms + 1);
  g->box = ss_new_array (SsInterval, c->n_local + 1);
  g->turn = ss_new_array (SsInterval, n_terms + 1);
  g->one.slope = ss_new_array (SsInterval, c->n_local + 1);
  g->one.square = ss_new_array (SsInterval, c->n_local + 1);
  g->other.slope = ss_new_array (SsInterval, c->n_local + 1);
  g->other.square = ss_new_array (SsInterval, c->n_local + 1);
  g->table = ss_alloc ((size_t)c->n_branches * (size_t)(n + 2) * (size_t)proof->n_slopes, sizeof (double));
  g->cost = ss_alloc ((2 * (size_t)g->reach + 1) * (size_t)n, sizeof (double));
  g->left = ss_new_array (double, n);
  g->right = ss_new_array (double, n);
  g->values = ss_alloc ((size_t)c->n_points * (size_t)(n + 2), sizeof (double));
  bool ok = g->value != NULL && g->box != NULL && g->turn != NULL && g->one.slope != NULL && g->one.square != NULL &&
            g->other.slope != NULL && g->other.square != NULL && g->table != NULL && g->cost != NULL &&
            g->left != NULL && g->right != NULL && g->values != NULL;
  for (int side = 0; side < 2; side++) {
    g->tail[side] = ss_new_array (double, n);
    g->to[side] = ss_new_array (double, n);
    g->from[side] = ss_new_array (double, n);
    ok = ok && g->tail[side] != NULL && g->to[side] != NULL && g->from[side] != NULL;
  }
  return ok;
}

static void
free_programme (Programme *g)
{
  ss_free (g->value);
  ss_free (g->box);
  ss_free (g->turn);
  ss_free (g->one.slope);
  ss_free (g->one.square);
  ss_free (g->other.slope);
  ss_free (g->other.square);
  ss_free (g->table);
  ss_free (g->cost);
  ss_free (g->left);
  ss_free (g->right);
  ss_free (g->values);
  for (int side = 0; side < 2; side++) {
    ss_free (g->tail[side]);
    ss_free (g->to[side]);
    ss_free (g->from[side]);
  }
}

/* NULL: it keeps the rules. */
static const char *
fault_of (const SsBoundChain *c, const SsBoundChainProof *proof)
{
  int exponent;
  const double part = frexp (proof->width, &exponent) * WIDTH_STEPS * 2, first = proof->first, n = proof->n_cells;
  bool has_flat = false;

  if (proof->n_multipliers != c->n_states)
    return "has another number of multipliers";
  if (!(proof->width > 0x1p-60) || !(proof->width < 0x1p60) || part != floor (part))
    return "has a width of cells that is not exact";
  if (proof->n_cells < 2 || proof->n_cells > SS_BOUND_CHAIN_CELLS || fabs (first) > 0x1p30 ||
      fabs (first + n) > 0x1p30 || proof->reach < 1)
    return "has cells that are none";
  if (proof->n_slopes < 1 || proof->n_slopes > SS_BOUND_CHAIN_SLOPES)
    return "has no slopes";
  for (int i = 0; i < proof->n_slopes; i++) {
    if (!(fabs (proof->slopes[i]) < 1e100) || (i > 0 && !(proof->slopes[i - 1] < proof->slopes[i])))
      return "has slopes that do not ascend";
    has_flat = has_flat || proof->slopes[i] == 0;
  }
  if (!has_flat)
    return "lacks the slope 0";
  for (int s = 0; s < c->n_states; s++) {
    if (!(fabs (proof->multipliers[s]) < 1e100))
      return "has a multiplier that is no number";
    if (c->square[s].low == 0 && proof->multipliers[s] != c->slope[s].low)
      return "has a multiplier that a linear cost forbids";
  }
  return NULL;
}

/* ---- the path ---------------------------------------------------------------------------------------------------- */

/* The cell after one of a point, on a path of least cost. */
static int
next_cell (const Programme *g, int k, int cell, SsBoundChainPath *path)
{
  const int n = g->n, reach = g->reach;
  const double *next = g->values + (size_t)(k + 1) * (size_t)(n + 2);
  double best = INFINITY;
  int at = cell;

  for (int j = 0; j < n + 2; j++) {
    double cost;
    if (cell >= n)
      cost = j < n ? g->from[cell - n][j] : j == cell ? g->stays[cell - n] : g->across[cell - n];
    else if (j >= n)
      cost = g->to[j - n][cell];
    else
      cost = j - cell > reach   ? g->tail[ABOVE][cell]
             : cell - j > reach ? g->tail[BELOW][cell]
                                : g->cost[(size_t)(reach + j - cell) * (size_t)n + (size_t)cell];
    if (cost + next[j] < best) {
      best = cost + next[j];
      at = j;
    }
  }
  path->is_outside = path->is_outside || at >= n;
  path->is_beyond_reach = path->is_beyond_reach || (cell < n && at < n && abs (at - cell) > reach);
  return at;
}

/* The branch and line of least cost from a cell over so many. */
static void
find_line (const Programme *g, int cell, double cells, int *branch, int *slope)
{
  const int n_slopes = g->proof->n_slopes, way = cells >= 0 ? 1 : -1;
  double least_cost = INFINITY;

  for (int b = 0; b < g->c->n_branches; b++) {
    const double *row = g->table + ((size_t)b * (size_t)(g->n + 2) + (size_t)cell) * (size_t)n_slopes;
    int m = g->flat;
    const double cost = best_line (g, row, &m, cells, way);
    if (cost < least_cost) {
      least_cost = cost;
      *branch = b;
      *slope = m;
    }
  }
}

static double
clamp (double x, SsInterval z)
{
  return fmin (fmax (x, z.low), z.high);
}

/* Controls with which a branch changes x by `turn`: of owners where their minimum is, one other for the turn. */
static void
set_controls (Programme *g, const SsBoundBranch *b, int cell, double by_slope, double turn, double *x)
{
  const SsBoundChain *c = g->c;
  const SsInterval *turns = c->value + SS_BOUND_TURN * c->n_terms;

  sum_up_cell (g, b, cell);
  for (int m = 0; m < c->n; m++)
    if (c->stages->carried[m].row < 0)
      x[m] = ss_bound_middle (g->box[m]);
  for (int e = 0; e < b->n_owners; e++) {
    const int v = b->owners[e];
    const double square = g->one.square[e].low + by_slope * g->other.square[e].low;
    const SsInterval slope = ss_interval_add (g->one.slope[e], ss_bound_times (g->other.slope[e], by_slope));
    if (v < c->n && v != c->x && square > 0)
      x[v] = clamp (slope.low < 0    ? -slope.low / (2 * square)
                    : slope.high > 0 ? -slope.high / (2 * square)
                                     : 0,
                    g->box[v]);
  }
  for (int m = 0; m < c->n; m++) {
    double by = 0, rest = 0;
    bool is_owner = c->stages->carried[m].row >= 0 || g->box[m].low == g->box[m].high;
    for (int e = 0; e < b->n_owners; e++)
      is_owner = is_owner || b->owners[e] == m;
    for (int t = 0; t < c->n_terms && !is_owner; t++) {
      const int i = c->term_i[t], j = c->term_j[t];
      const double value = ss_bound_middle (turns[t]),
                   at_i = i < 0      ? 1
                          : i < c->n ? x[i]
                                     : ss_bound_middle (g->box[i]),
                   at_j = j < 0      ? 1
                          : j < c->n ? x[j]
                                     : ss_bound_middle (g->box[j]);
      if (i == m || j == m)
        by += value * (i == m ? at_j : at_i);
      else
        rest += value * at_i * at_j;
    }
    if (!is_owner && by != 0) {
      x[m] = clamp ((turn - rest) / by, g->box[m]);
      return;
    }
  }
}

/* The states that are summed up, from a point's numbers. */
static void
sum_states (const SsBoundChain *c, double *x)
{
  for (int k = 0; k < c->n_points; k++)
    for (int s = 0; s < c->n_states; s++) {
      const int m = c->states[s];
      const SsBoundTerms *f = &c->stages->carried[m].change;
      double sum = k == 0 ? ss_bound_middle (c->stages->start[m]) : x[(k - 1) * c->n + m];
      for (int e = 0; e < f->n && k > 0; e++) {
        const SsBoundTerm *t = &f->terms[e];
        double value = ss_bound_middle (t->c);
        for (int side = 0; side < 2; side++) {
          const int v = side == 0 ? t->i : t->j;
          if (v >= 0)
            value *= v < c->n ? x[(k - 1) * c->n + v] : x[c->stages->first_auxiliary[k - 1] + v - c->n];
        }
        sum += value;
      }
      x[k * c->n + m] = sum;
    }
}

static SsStatus
follow_path (Programme *g, int cell, SsBoundChainPath *path, SsError *err)
{
  const SsBoundChain *c = g->c;
  const SsInterval start = c->stages->start[c->x];
  double *x = ss_new_array (double, c->p->n + 1), at = isfinite (start.low) ? ss_bound_middle (start) : NAN;

  if (x == NULL)
    return out_of_memory (err);
  for (int k = 0; k < c->n_points; k++) {
    double *own = x + k * c->n;
    at = isnan (at) ? ss_bound_middle (cell_box (g->proof, cell)) : at;
    own[c->x] = at;
    if (k == c->n_points - 1)
      break;
    const int next = next_cell (g, k, cell, path);
    int branch = 0, slope = g->flat;
    const double to = ss_bound_middle (cell_box (g->proof, next));
    find_line (g, cell, (to - at) / g->proof->width, &branch, &slope);
    set_controls (g, &c->branches[branch], cell, g->proof->slopes[slope], to - at, own);
    at = to;
    cell = next;
  }
  ss_bound_complete (c->p, x);
  sum_states (c, x);
  path->x = x;
  return SS_OK;
}

/* ---- value ------------------------------------------------------------------------------------------------------- */

SsStatus
ss_bound_chain_value (const SsBoundChain *chain, const SsBoundChainProof *proof, double *bound, SsBoundChainPath *path,
                      SsError *err)
{
  SS_ASSERT (bound != NULL);

  const char *fault = fault_of (chain, proof);
  Programme g;
  SsStatus status = SS_OK;

  *bound = -INFINITY;
  if (path != NULL)
    *path = (SsBoundChainPath){0};
  if (fault != NULL)
    return ss_error_set (err, SS_ERR_INVALID, "the certificate does not hold: it %s", fault);
  if (new_programme (&g, chain, proof)) {
    double least_value;
    fill_table (&g);
    fill_costs (&g);
    fill_values (&g);
    const int start = start_cell (&g, &least_value);
    *bound = ss_add_down (least_value, rest_of (chain, proof));
    if (isnan (*bound))
      *bound = -INFINITY;
    if (path != NULL && isfinite (*bound))
      status = follow_path (&g, start, path, err);
  } else {
    status = out_of_memory (err);
  }
  free_programme (&g);
  return status;
}

SsStatus
ss_bound_chain_conjugate (const SsBoundChain *chain, const SsBoundChainProof *proof, double slope, double *out,
                          SsError *err)
{
  SS_ASSERT (out != NULL);

  double slopes[1] = {0};
  SsBoundChainProof flat = *proof;
  Programme g;

  *out = INFINITY;
  flat.slopes = slopes;
  flat.n_slopes = 1;
  flat.reach = 1;
  if (new_programme (&g, chain, &flat)) {
    slopes[0] = slope;
    fill_table (&g);
    *out = least_of (g.table, chain->n_branches * (g.n + 2));
  }
  free_programme (&g);
  return isinf (*out) && *out > 0 ? out_of_memory (err) : SS_OK;
}
