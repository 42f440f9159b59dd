/* engine/scene/ss-nl-rows.c: formulas of a model as sums of linear terms, a constant and nonlinear parts, and rows of
 * one variable as its bounds; see ss-nl-write.c. */
#include "scene/ss-nl-write-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A side of a pair or a row that says slope * x + constant of one variable. */
typedef struct {
  int variable; /* -1: it does not */
  double bound;
  bool is_upper;
} OneVariable;

bool
ss_nl_broken (SsNlWriter *w)
{
  SS_ASSERT (w != NULL);
  if (w->status == SS_OK)
    w->status = ss_error_set (w->err, SS_ERR_MEMORY, "out of memory while writing the problem");
  return false;
}

static bool
ss_nl_reserve (SsNlWriter *w, void **items, int *capacity, int needed, size_t size)
{
  return ss_array_reserve (items, capacity, needed, size) == 0 || ss_nl_broken (w);
}

/* ---- formulas at a time point ------------------------------------------------------------------------------------ */

/* The meaning of the model's slots at point k; values of slots that are not read do not matter. */
static void
map_point (SsNlWriter *w, int k)
{
  const SsModel *m = w->model;

  for (int i = 0; i < m->n_variables; i++) {
    w->map[i] = ss_graph_input (w->graph, k * m->n_variables + i);
    w->map[m->slot_next + i] =
        k + 1 < m->n_points ? ss_graph_input (w->graph, (k + 1) * m->n_variables + i) : ss_graph_constant (w->graph, 0);
  }
  for (int p = 0; p < w->scenario->n_parameters; p++)
    w->map[m->slot_parameters + p] = ss_graph_constant (w->graph, w->scenario->parameters[p].value);
  w->map[m->slot_k] = ss_graph_constant (w->graph, k);
  w->map[m->slot_t] = ss_graph_constant (w->graph, k * m->time_step);
}

static SsExpr
copy (SsNlWriter *w, SsExpr e)
{
  return ss_graph_import (w->graph, w->scenario->graph, e, w->map, w->model->n_slots);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

bool
ss_nl_open_part (SsNlWriter *w, SsExpr node, double coefficient)
{
  SS_ASSERT (w != NULL);
  if (!ss_nl_reserve (w, (void **)&w->open, &w->open_capacity, w->n_open + 1, sizeof *w->open))
    return false;
  w->open[w->n_open++] = (SsNlPart){node, coefficient};
  return true;
}

static bool
keep_part (SsNlWriter *w, SsNlPart part)
{
  if (!ss_nl_reserve (w, (void **)&w->parts, &w->parts_capacity, w->n_parts + 1, sizeof *w->parts))
    return false;
  w->parts[w->n_parts++] = part;
  return true;
}

/* What is left of a node when the constant beside it is taken out: SS_EXPR_NONE where there is none. */
static SsExpr
without_constant (const SsGraph *graph, SsExpr e, double *factor)
{
  const SsOp op = ss_graph_op (graph, e);

  if (op != SS_OP_MUL && op != SS_OP_DIV)
    return SS_EXPR_NONE;
  for (int i = op == SS_OP_DIV ? 1 : 0; i < 2; i++) {
    const SsExpr operand = ss_graph_operand (graph, e, i);
    if (ss_graph_op (graph, operand) != SS_OP_CONSTANT)
      continue;
    *factor = op == SS_OP_DIV ? 1 / ss_graph_value (graph, operand) : ss_graph_value (graph, operand);
    return isfinite (*factor) ? ss_graph_operand (graph, e, 1 - i) : SS_EXPR_NONE;
  }
  return SS_EXPR_NONE;
}

/* Takes the open parts apart, as far as sums and constant factors go. Sums that share parts could be taken apart for
 * ever: after as many steps as there are nodes, a part stays as it is. */
static bool
split_open (SsNlWriter *w, SsNlParts *sum)
{
  long long steps_left = 4LL * ss_graph_n_nodes (w->graph) + 64;
  int n_met = 0, *met = NULL, met_capacity = 0;
  bool ok = true;

  sum->first = w->n_parts;
  sum->first_term = w->n_terms;
  while (ok && w->n_open > 0) {
    const SsNlPart part = w->open[--w->n_open];
    const SsExpr e = part.node;
    if (e == SS_EXPR_NONE) {
      ok = ss_nl_broken (w);
      break;
    }
    const SsOp op = ss_graph_op (w->graph, e);
    const SsExpr a = ss_graph_operand (w->graph, e, 0), b = ss_graph_operand (w->graph, e, 1);
    double factor = 1;
    if (op == SS_OP_CONSTANT) {
      sum->constant += part.coefficient * ss_graph_value (w->graph, e);
    } else if (op == SS_OP_INPUT) {
      const int x = ss_graph_slot (w->graph, e);
      if (!w->is_at[x]) {
        ok = ss_nl_reserve (w, (void **)&met, &met_capacity, n_met + 1, sizeof *met);
        if (!ok)
          break;
        met[n_met++] = x;
      }
      w->is_at[x] = true;
      w->at[x] += part.coefficient;
    } else if (steps_left-- <= 0) {
      ok = keep_part (w, part);
    } else if (op == SS_OP_ADD || op == SS_OP_SUB) {
      ok = ss_nl_open_part (w, b, op == SS_OP_SUB ? -part.coefficient : part.coefficient) &&
           ss_nl_open_part (w, a, part.coefficient);
    } else if (op == SS_OP_NEG) {
      ok = ss_nl_open_part (w, a, -part.coefficient);
    } else if (without_constant (w->graph, e, &factor) != SS_EXPR_NONE) {
      ok = ss_nl_open_part (w, without_constant (w->graph, e, &factor), factor * part.coefficient);
    } else {
      ok = keep_part (w, part);
    }
  }
  sum->n = w->n_parts - sum->first;
  ok = ok && ss_nl_reserve (w, (void **)&w->terms, &w->term_capacity, w->n_terms + n_met, sizeof *w->terms);
  for (int i = 0; i < n_met; i++) {
    if (ok)
      w->terms[w->n_terms++] = (SsNlTerm){met[i], w->at[met[i]]};
    w->at[met[i]] = 0;
    w->is_at[met[i]] = false;
  }
  w->n_open = 0;
  ss_free (met);
  sum->n_terms = w->n_terms - sum->first_term;
  return ok;
}

static bool
split (SsNlWriter *w, SsExpr e, double coefficient, SsNlParts *sum)
{
  return ss_nl_open_part (w, e, coefficient) && split_open (w, sum);
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

/* Room for a variable beyond the model's, of which there are never more than pairs. */
static int
add_stand (SsNlWriter *w, SsExpr side)
{
  if (!ss_nl_reserve (w, (void **)&w->stands, &w->stand_capacity, w->n_stands + 1, sizeof *w->stands))
    return 0;
  SS_ASSERT (w->n_variables < w->n_capacity);
  w->stands[w->n_stands++] = side;
  w->lower[w->n_variables] = 0;
  w->upper[w->n_variables] = INFINITY;
  return w->n_variables++;
}

/* What a formula bounds, if it is affine in one variable. */
static OneVariable
one_variable (SsNlWriter *w, SsExpr e)
{
  OneVariable out = {.variable = -1};
  const int n_parts = w->n_parts, n_terms = w->n_terms;
  SsNlParts sum = {0};

  if (!split (w, e, 1, &sum))
    return out;
  if (sum.n == 0 && sum.n_terms == 1 && w->terms[sum.first_term].coefficient != 0) {
    const SsNlTerm term = w->terms[sum.first_term];
    out = (OneVariable){term.variable, -sum.constant / term.coefficient, term.coefficient < 0};
    if (out.bound == 0)
      out.bound = 0; /* no negative zero */
    if (!isfinite (out.bound))
      out.variable = -1;
  }
  w->n_parts = n_parts;
  w->n_terms = n_terms;
  return out;
}

static void
tighten (SsNlWriter *w, OneVariable one)
{
  if (one.is_upper)
    w->upper[one.variable] = fmin (w->upper[one.variable], one.bound);
  else
    w->lower[one.variable] = fmax (w->lower[one.variable], one.bound);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static bool
add_row (SsNlWriter *w, SsNlWrittenRow row, SsExpr e, double coefficient, int stand)
{
  if (!split (w, e, coefficient, &row.sum) ||
      !ss_nl_reserve (w, (void **)&w->rows, &w->row_capacity, w->n_rows + 1, sizeof *w->rows))
    return false;
  if (stand >= 0) {
    if (!ss_nl_reserve (w, (void **)&w->terms, &w->term_capacity, w->n_terms + 1, sizeof *w->terms))
      return false;
    w->terms[w->n_terms++] = (SsNlTerm){stand, -1};
    row.sum.n_terms++;
  }
  w->rows[w->n_rows++] = row;
  return true;
}

/* The side of a pair that is a variable at its bound, which no other row complements. */
static OneVariable
side_at_bound (SsNlWriter *w, SsExpr side)
{
  OneVariable one = one_variable (w, side);

  if (one.variable >= 0 && (w->is_paired[one.variable] || w->lower[one.variable] == w->upper[one.variable] ||
                            one.bound != (one.is_upper ? w->upper[one.variable] : w->lower[one.variable])))
    one.variable = -1;
  return one;
}

static bool
add_pair (SsNlWriter *w, const SsNlWrittenRow *about, SsExpr a, SsExpr b)
{
  OneVariable one = side_at_bound (w, b);
  SsExpr other = a;
  SsNlWrittenRow row = *about;

  row.kind = SS_NL_PAIR;
  if (one.variable < 0) {
    one = side_at_bound (w, a);
    other = b;
  }
  if (one.variable < 0) {
    const int stand = add_stand (w, b);
    SsNlWrittenRow equal = *about;
    equal.kind = SS_NL_ZERO;
    snprintf (equal.name + strlen (equal.name), sizeof equal.name - strlen (equal.name), ".side");
    if (w->status != SS_OK || !add_row (w, equal, b, 1, stand))
      return false;
    one = (OneVariable){.variable = stand};
    other = a;
  }
  w->is_paired[one.variable] = true;
  row.complements = one.variable;
  row.at_upper = one.is_upper;
  return add_row (w, row, other, one.is_upper ? -1 : 1, -1);
}

/* A row that is no bound; a pair in full, or what there is of it. */
static bool
add_model_row (SsNlWriter *w, const SsModelRow *row, SsNlWrittenRow about)
{
  const SsExpr a = copy (w, row->a), b = row->kind == SS_ROWS_COMPLEMENTARY ? copy (w, row->b) : SS_EXPR_NONE;
  OneVariable one;

  about.kind = SS_NL_NONNEGATIVE;
  switch (row->kind) {
  case SS_ROWS_EQUALITY:
    about.kind = SS_NL_ZERO;
    one = one_variable (w, a);
    if (one.variable >= 0 && w->lower[one.variable] == one.bound && w->upper[one.variable] == one.bound)
      return w->status == SS_OK;
    return add_row (w, about, a, 1, -1);
  case SS_ROWS_NONNEGATIVE:
    one = one_variable (w, a);
    return one.variable >= 0 ? w->status == SS_OK : add_row (w, about, a, 1, -1);
  default:
    break;
  }
  if (row->impose_a && row->impose_b)
    return add_pair (w, &about, a, b);
  for (int side = 0; side < 2; side++) {
    const SsExpr e = side == 0 ? a : b;
    if ((side == 0 ? row->impose_a : row->impose_b) && one_variable (w, e).variable < 0 &&
        !add_row (w, about, e, 1, -1))
      return false;
  }
  return add_row (w, about, ss_graph_unary (w->graph, SS_OP_NEG, ss_graph_binary (w->graph, SS_OP_MUL, a, b)), 1, -1);
}

/* Rows of one variable become bounds: equations first, where no other has fixed the variable. */
static void
take_bounds (SsNlWriter *w, const SsModelRow *row, bool is_fixing)
{
  OneVariable one;

  if ((row->kind == SS_ROWS_EQUALITY) != is_fixing)
    return;
  for (int side = 0; side < 2; side++) {
    if (row->kind == SS_ROWS_COMPLEMENTARY ? !(side == 0 ? row->impose_a : row->impose_b) : side == 1)
      continue;
    one = one_variable (w, copy (w, side == 0 ? row->a : row->b));
    if (one.variable < 0)
      continue;
    if (!is_fixing)
      tighten (w, one);
    else if (!isfinite (w->lower[one.variable]))
      w->lower[one.variable] = w->upper[one.variable] = one.bound;
  }
}

typedef enum { PASS_FIXED, PASS_BOUNDS, PASS_ROWS } Pass;

static bool
pass_rows (SsNlWriter *w, Pass pass)
{
  const SsModel *m = w->model;

  for (int b = 0; b < m->n_blocks; b++)
    for (int k = m->blocks[b].first; k <= m->blocks[b].last; k += m->blocks[b].stride) {
      map_point (w, k);
      for (int r = 0; r < m->blocks[b].n_rows && w->status == SS_OK; r++) {
        const SsModelRow *row = &m->blocks[b].rows[r];
        const char *dot = row->path != NULL ? strrchr (row->path, '.') : NULL;
        SsNlWrittenRow about = {.complements = -1};
        if (pass != PASS_ROWS) {
          take_bounds (w, row, pass == PASS_FIXED);
          continue;
        }
        snprintf (about.name, sizeof about.name, "%.64s[%d].%.64s", m->blocks[b].name, k,
                  dot != NULL ? dot + 1 : "row");
        if (!add_model_row (w, row, about))
          return false;
      }
    }
  return w->status == SS_OK;
}

static bool
add_costs (SsNlWriter *w)
{
  const SsModel *m = w->model;

  for (int c = 0; c < m->n_costs; c++)
    for (int k = m->costs[c].first; k <= m->costs[c].last; k += m->costs[c].stride) {
      map_point (w, k);
      if (!ss_nl_open_part (w, copy (w, m->costs[c].cost), 1))
        return false;
    }
  return split_open (w, &w->objective);
}

bool
ss_nl_make_rows (SsNlWriter *w)
{
  return pass_rows (w, PASS_FIXED) && pass_rows (w, PASS_BOUNDS) && pass_rows (w, PASS_ROWS) && add_costs (w);
}
