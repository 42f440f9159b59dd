/* engine/scene/ss-nl-write.c: a model in equations as a .nl file; see ss-nl.h.
 *
 * All formulas, at every time point, are copied into one graph whose inputs are the model's variables, so equal parts
 * are equal nodes wherever they stand. Each is then split into linear terms, a constant and nonlinear parts; nodes that
 * are read more than once become common expressions. [1] orders variables (nonlinear in rows and objective, in rows, in
 * the objective, the others) and rows (nonlinear ones first).
 */
#include "scene/ss-nl-write-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- order and common expressions -------------------------------------------------------------------------------- */

static int
arity_of (const SsNlWriter *w, SsExpr e)
{
  int n = 0;

  while (n < 3 && ss_graph_operand (w->graph, e, n) != SS_EXPR_NONE)
    n++;
  return n;
}

static void
use_parts (SsNlWriter *w, const SsNlParts *sum, bool *in)
{
  for (int i = 0; i < sum->n; i++) {
    w->uses[w->parts[sum->first + i].node]++;
    in[w->parts[sum->first + i].node] = true;
  }
}

/* Which nodes are read where, and how often; nodes are made of nodes with smaller numbers. FALSE where an operation has
 * no operator. */
static bool
count_uses (SsNlWriter *w)
{
  use_parts (w, &w->objective, w->in_objective);
  for (int r = 0; r < w->n_rows; r++)
    use_parts (w, &w->rows[r].sum, w->in_rows);
  for (SsExpr e = ss_graph_n_nodes (w->graph) - 1; e >= 0; e--) {
    if (!w->in_rows[e] && !w->in_objective[e])
      continue;
    const SsOp op = ss_graph_op (w->graph, e);
    if (op != SS_OP_CONSTANT && op != SS_OP_INPUT && ss_nl_operator_of (op) == NULL) {
      char formula[128];
      ss_expr_format (w->graph, e, NULL, 0, formula, sizeof formula);
      w->status = ss_error_set (w->err, SS_ERR_INVALID, "the format .nl has no smooth operator for %.100s", formula);
      return false;
    }
    for (int i = 0; i < arity_of (w, e); i++) {
      const SsExpr operand = ss_graph_operand (w->graph, e, i);
      w->uses[operand]++;
      w->in_rows[operand] = w->in_rows[operand] || w->in_rows[e];
      w->in_objective[operand] = w->in_objective[operand] || w->in_objective[e];
    }
  }
  for (SsExpr e = 0; e < ss_graph_n_nodes (w->graph); e++)
    w->common_place[e] = w->uses[e] > 1 && arity_of (w, e) > 0 ? w->n_commons++ : -1;
  return true;
}

/* 0: nonlinear in rows and objective, 1: in rows, 2: in the objective, 3: in none. */
static int
class_of (SsNlWriter *w, int variable)
{
  const SsExpr e = ss_graph_input (w->graph, variable); /* which is there already */

  return w->in_rows[e] ? (w->in_objective[e] ? 0 : 1) : w->in_objective[e] ? 2 : 3;
}

static void
order_all (SsNlWriter *w, int n_of_class[4], int *n_nonlinear)
{
  int n = 0;

  for (int class = 0; class < 4; class ++) {
    n_of_class[class] = -n;
    for (int x = 0; x < w->n_variables; x++)
      if (class_of (w, x) == class) {
        w->place[x] = n;
        w->order[n++] = x;
      }
    n_of_class[class] += n;
  }
  n = 0;
  for (int is_linear = 0; is_linear < 2; is_linear++) {
    for (int r = 0; r < w->n_rows; r++)
      if ((w->rows[r].sum.n == 0) == is_linear)
        w->row_order[n++] = r;
    if (!is_linear)
      *n_nonlinear = n;
  }
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void
write_constant (SsNlText *out, double value)
{
  ss_nl_text_puts (out, "n");
  ss_nl_text_number (out, value);
  ss_nl_text_puts (out, "\n");
}

/* A node, operators first; `is_definition`: its formula, not its name. */
static bool
write_node (SsNlWriter *w, SsNlText *out, SsExpr root, bool is_definition)
{
  if (!ss_nl_open_part (w, root, 0))
    return false;
  while (w->n_open > 0) {
    const SsExpr e = w->open[--w->n_open].node;
    const SsOp op = ss_graph_op (w->graph, e);
    if (op == SS_OP_CONSTANT) {
      write_constant (out, ss_graph_value (w->graph, e));
    } else if (op == SS_OP_INPUT) {
      ss_nl_text_printf (out, "v%d\n", w->place[ss_graph_slot (w->graph, e)]);
    } else if (w->common_place[e] >= 0 && !is_definition) {
      ss_nl_text_printf (out, "v%d\n", w->n_variables + w->common_place[e]);
    } else {
      const SsNlOperator *operator= ss_nl_operator_of (op);
      ss_nl_text_printf (out, "o%d\n", operator->code);
      if (operator->arity == SS_NL_LIST)
        ss_nl_text_printf (out, "%d\n", arity_of (w, e));
      for (int i = arity_of (w, e) - 1; i >= 0; i--)
        if (!ss_nl_open_part (w, ss_graph_operand (w->graph, e, i), 0))
          return false;
    }
    is_definition = false;
  }
  return true;
}

/* The nonlinear parts of a sum with its constant. */
static bool
write_parts (SsNlWriter *w, SsNlText *out, const SsNlParts *sum, double constant)
{
  const int n = sum->n + (constant != 0);

  if (n == 0) {
    ss_nl_text_puts (out, "n0\n");
    return true;
  }
  if (n == 2)
    ss_nl_text_puts (out, "o0\n");
  else if (n > 2)
    ss_nl_text_printf (out, "o54\n%d\n", n);
  for (int i = 0; i < sum->n; i++) {
    const SsNlPart *part = &w->parts[sum->first + i];
    if (part->coefficient == -1) {
      ss_nl_text_puts (out, "o16\n");
    } else if (part->coefficient != 1) {
      ss_nl_text_puts (out, "o2\n");
      write_constant (out, part->coefficient);
    }
    if (!write_node (w, out, part->node, false))
      return false;
  }
  if (constant != 0)
    write_constant (out, constant);
  return true;
}

/* Variables of a sum with their linear coefficients, in the order of the file: into places[n] and w->at by place. */
static int
list_terms (SsNlWriter *w, const SsNlParts *sum, int *places, int *slots)
{
  int n = 0;

  for (int i = 0; i < sum->n_terms; i++) {
    const SsNlTerm term = w->terms[sum->first_term + i];
    w->at[term.variable] += term.coefficient;
    if (!w->is_at[term.variable])
      places[n++] = w->place[term.variable];
    w->is_at[term.variable] = true;
  }
  for (int i = 0; i < sum->n; i++) {
    const int n_slots = ss_graph_inputs (w->graph, w->parts[sum->first + i].node, slots, w->n_variables);
    for (int s = 0; s < n_slots; s++) {
      if (!w->is_at[slots[s]])
        places[n++] = w->place[slots[s]];
      w->is_at[slots[s]] = true;
    }
  }
  /* Sorted by insertion where few, which they are but in a sum over everything: then by a look at all. */
  if (n > 64) {
    n = 0;
    for (int p = 0; p < w->n_variables; p++)
      if (w->is_at[w->order[p]])
        places[n++] = p;
    return n;
  }
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && places[j - 1] > places[j]; j--) {
      const int swap = places[j];
      places[j] = places[j - 1];
      places[j - 1] = swap;
    }
  return n;
}

static void
write_terms (SsNlWriter *w, SsNlText *out, const int *places, int n, int *column)
{
  for (int i = 0; i < n; i++) {
    const int x = w->order[places[i]];
    ss_nl_text_printf (out, "%d ", places[i]);
    ss_nl_text_number (out, w->at[x]);
    ss_nl_text_puts (out, "\n");
    w->at[x] = 0;
    w->is_at[x] = false;
    if (column != NULL)
      column[places[i]]++;
  }
}

static void
write_bounds (SsNlText *out, double lower, double upper)
{
  if (lower == upper) {
    ss_nl_text_puts (out, "4 ");
    ss_nl_text_number (out, lower);
  } else if (isfinite (lower) && isfinite (upper)) {
    ss_nl_text_puts (out, "0 ");
    ss_nl_text_number (out, lower);
    ss_nl_text_puts (out, " ");
    ss_nl_text_number (out, upper);
  } else if (isfinite (lower) || isfinite (upper)) {
    ss_nl_text_puts (out, isfinite (lower) ? "2 " : "1 ");
    ss_nl_text_number (out, isfinite (lower) ? lower : upper);
  } else {
    ss_nl_text_puts (out, "3");
  }
  ss_nl_text_puts (out, "\n");
}

static void
write_row_bounds (const SsNlWriter *w, SsNlText *out)
{
  if (w->n_rows == 0)
    return;
  ss_nl_text_puts (out, "r\n");
  for (int i = 0; i < w->n_rows; i++) {
    const SsNlWrittenRow *row = &w->rows[w->row_order[i]];
    if (row->kind == SS_NL_PAIR)
      ss_nl_text_printf (out, "5 %d %d\n", row->at_upper ? 2 : 1, w->place[row->complements] + 1);
    else
      write_bounds (out, 0 - row->sum.constant, row->kind == SS_NL_ZERO ? 0 - row->sum.constant : INFINITY);
  }
}

/* Segments J and G; their numbers of nonzeros. */
static bool
write_jacobian (SsNlWriter *w, SsNlText *jacobian, SsNlText *gradient, SsNlText *columns, int *nzc, int *nzo)
{
  int *places = ss_new_array (int, w->n_variables + 1), *slots = ss_new_array (int, w->n_variables + 1);
  int *column = ss_new_array (int, w->n_variables + 1), total = 0;
  const bool ok = places != NULL && slots != NULL && column != NULL;

  for (int i = 0; ok && i < w->n_rows; i++) {
    const int n = list_terms (w, &w->rows[w->row_order[i]].sum, places, slots);
    if (n > 0)
      ss_nl_text_printf (jacobian, "J%d %d\n", i, n);
    write_terms (w, jacobian, places, n, column);
    *nzc += n;
  }
  if (ok && w->model->n_costs > 0) {
    *nzo = list_terms (w, &w->objective, places, slots);
    if (*nzo > 0)
      ss_nl_text_printf (gradient, "G0 %d\n", *nzo);
    write_terms (w, gradient, places, *nzo, NULL);
  }
  if (ok && w->n_rows > 0) {
    ss_nl_text_printf (columns, "k%d\n", w->n_variables - 1);
    for (int x = 0; x + 1 < w->n_variables; x++)
      ss_nl_text_printf (columns, "%d\n", total += column[x]);
  }
  ss_free (places);
  ss_free (slots);
  ss_free (column);
  return ok || ss_nl_broken (w);
}

static void
write_header (const SsNlWriter *w, SsNlText *out, const int n_of_class[4], int n_nonlinear, int nzc, int nzo)
{
  const int n_objectives = w->model->n_costs > 0, both = n_of_class[0], in_rows = both + n_of_class[1];
  const int in_objective = n_of_class[2] > 0 ? in_rows + n_of_class[2] : both;
  int n_equal = 0, n_pairs[2] = {0}, n_shifted = 0;

  for (int i = 0; i < w->n_rows; i++) {
    const SsNlWrittenRow *row = &w->rows[w->row_order[i]];
    n_equal += row->kind == SS_NL_ZERO;
    if (row->kind != SS_NL_PAIR)
      continue;
    n_pairs[i < n_nonlinear]++;
    n_shifted += !row->at_upper && w->lower[row->complements] != 0;
  }
  ss_nl_text_printf (out, "g3 1 1 0\t# problem %.64s\n", w->scenario->name);
  ss_nl_text_printf (out, " %d %d %d 0 %d\t# vars, constraints, objectives, ranges, eqns\n", w->n_variables, w->n_rows,
                     n_objectives, n_equal);
  ss_nl_text_printf (out, " %d %d %d %d 0 %d\t# nonlinear constrs, objs; ccons: lin, nonlin, nd, nzlb\n", n_nonlinear,
                     w->objective.n > 0, n_pairs[0], n_pairs[1], n_shifted);
  ss_nl_text_puts (out, " 0 0\t# network constraints: nonlinear, linear\n");
  ss_nl_text_printf (out, " %d %d %d\t# nonlinear vars in constraints, objectives, both\n", in_rows, in_objective,
                     both);
  ss_nl_text_puts (out, " 0 0 0 1\t# linear network variables; functions; arith, flags\n");
  ss_nl_text_puts (out, " 0 0 0 0 0\t# discrete variables: binary, integer, nonlinear (b,c,o)\n");
  ss_nl_text_printf (out, " %d %d\t# nonzeros in Jacobian, obj. gradient\n", nzc, nzo);
  ss_nl_text_puts (out, " 0 0\t# max name lengths: constraints, variables\n");
  ss_nl_text_printf (out, " %d 0 0 0 0\t# common exprs: b,c,o,c1,o1\n", w->n_commons);
}

static bool
write_expressions (SsNlWriter *w, SsNlText *out)
{
  for (SsExpr e = 0; e < ss_graph_n_nodes (w->graph); e++)
    if (w->common_place[e] >= 0) {
      ss_nl_text_printf (out, "V%d 0 0\n", w->n_variables + w->common_place[e]);
      if (!write_node (w, out, e, true))
        return false;
    }
  for (int i = 0; i < w->n_rows; i++) {
    const SsNlWrittenRow *row = &w->rows[w->row_order[i]];
    ss_nl_text_printf (out, "C%d\n", i);
    if (!write_parts (w, out, &row->sum, row->kind == SS_NL_PAIR ? row->sum.constant : 0))
      return false;
  }
  if (w->model->n_costs == 0)
    return true;
  ss_nl_text_puts (out, "O0 0\n");
  return write_parts (w, out, &w->objective, w->objective.constant);
}

static bool
write_all (SsNlWriter *w, SsNlText *out)
{
  SsNlText jacobian = {0}, gradient = {0}, columns = {0};
  int n_of_class[4], n_nonlinear = 0, nzc = 0, nzo = 0, n_starts = 0;

  order_all (w, n_of_class, &n_nonlinear);
  bool ok = write_jacobian (w, &jacobian, &gradient, &columns, &nzc, &nzo);
  write_header (w, out, n_of_class, n_nonlinear, nzc, nzo);
  ok = ok && write_expressions (w, out);
  for (int x = 0; x < w->n_variables; x++)
    n_starts += w->start[x] != 0;
  if (n_starts > 0)
    ss_nl_text_printf (out, "x%d\n", n_starts);
  for (int p = 0; p < w->n_variables; p++)
    if (w->start[w->order[p]] != 0) {
      ss_nl_text_printf (out, "%d ", p);
      ss_nl_text_number (out, w->start[w->order[p]]);
      ss_nl_text_puts (out, "\n");
    }
  write_row_bounds (w, out);
  ss_nl_text_puts (out, "b\n");
  for (int p = 0; p < w->n_variables; p++)
    write_bounds (out, w->lower[w->order[p]], w->upper[w->order[p]]);
  for (SsNlText *const *part = (SsNlText *const[]){&columns, &jacobian, &gradient, NULL}; *part != NULL; part++) {
    ss_nl_text_add (out, (*part)->text != NULL ? (*part)->text : "", (*part)->length);
    ok = ok && !(*part)->is_broken;
    ss_nl_text_clear (*part);
  }
  return (ok && !out->is_broken) || ss_nl_broken (w);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static bool
list_names (SsNlWriter *w, SsNlNames *names)
{
  const SsModel *m = w->model;
  char name[320];
  bool ok;

  *names = (SsNlNames){.n_variables = w->n_variables, .n_rows = w->n_rows};
  names->variables = ss_new_array (char *, w->n_variables + 1);
  names->rows = ss_new_array (char *, w->n_rows + 1);
  names->index = ss_new_array (int, w->n_variables + 1);
  ok = names->variables != NULL && names->rows != NULL && names->index != NULL;
  for (int p = 0; ok && p < w->n_variables; p++) {
    const int x = w->order[p], n = m->n_points * m->n_variables;
    names->index[p] = x < n ? x : -1;
    if (x >= n)
      snprintf (name, sizeof name, "side[%d]", x - n);
    else if (m->n_points == 1)
      snprintf (name, sizeof name, "%s", m->variables[x]);
    else
      snprintf (name, sizeof name, "%s[%d]", m->variables[x % m->n_variables], x / m->n_variables);
    names->variables[p] = ss_strdup (name);
    ok = names->variables[p] != NULL;
  }
  for (int r = 0; ok && r < w->n_rows; r++) {
    names->rows[r] = ss_strdup (w->rows[w->row_order[r]].name);
    ok = names->rows[r] != NULL;
  }
  if (!ok)
    ss_nl_names_clear (names);
  return ok || ss_nl_broken (w);
}

void
ss_nl_names_clear (SsNlNames *names)
{
  SS_ASSERT (names != NULL);
  for (int i = 0; names->variables != NULL && i < names->n_variables; i++)
    ss_free (names->variables[i]);
  for (int i = 0; names->rows != NULL && i < names->n_rows; i++)
    ss_free (names->rows[i]);
  ss_free (names->variables);
  ss_free (names->rows);
  ss_free (names->index);
  *names = (SsNlNames){0};
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static long long
count_pairs (const SsModel *m)
{
  long long n = 0;

  for (int b = 0; b < m->n_blocks; b++)
    for (int r = 0; r < m->blocks[b].n_rows; r++)
      if (m->blocks[b].rows[r].kind == SS_ROWS_COMPLEMENTARY)
        n += ss_model_count_points (m->blocks[b].first, m->blocks[b].last, m->blocks[b].stride);
  return n;
}

/* Arrays of variables; bounds are open, the start is the guess. */
static bool
make_room (SsNlWriter *w)
{
  const SsModel *m = w->model;
  const long long n = (long long)m->n_points * m->n_variables + count_pairs (m);

  if (n > 50000000)
    return ss_nl_broken (w);
  w->n_capacity = (int)n;
  w->n_variables = m->n_points * m->n_variables;
  w->map = ss_new_array (SsExpr, m->n_slots);
  w->lower = ss_new_array (double, n);
  w->upper = ss_new_array (double, n);
  w->start = ss_new_array (double, n);
  w->at = ss_new_array (double, n);
  w->is_at = ss_new_array (bool, n);
  w->is_paired = ss_new_array (bool, n);
  w->order = ss_new_array (int, n);
  w->place = ss_new_array (int, n);
  if (w->map == NULL || w->lower == NULL || w->upper == NULL || w->start == NULL || w->at == NULL || w->is_at == NULL ||
      w->is_paired == NULL || w->order == NULL || w->place == NULL || ss_graph_new (&w->graph, NULL) != SS_OK)
    return ss_nl_broken (w);
  for (int i = 0; i < n; i++) {
    w->lower[i] = -INFINITY;
    w->upper[i] = INFINITY;
  }
  w->status = ss_scenario_guess (w->scenario, w->start, w->err);
  return w->status == SS_OK;
}

/* Arrays of nodes, when all are there, and starts of variables that stand for a side. */
static bool
make_room_of_nodes (SsNlWriter *w)
{
  /* Inputs of variables that no formula reads are nodes, too. */
  for (int x = 0; x < w->n_variables; x++)
    if (ss_graph_input (w->graph, x) == SS_EXPR_NONE)
      return ss_nl_broken (w);
  const int n = ss_graph_n_nodes (w->graph), n_own = w->model->n_points * w->model->n_variables;
  double *memo = ss_new_array (double, n);
  int *stamp = ss_new_array (int, n);

  w->uses = ss_new_array (int, n);
  w->common_place = ss_new_array (int, n);
  w->in_rows = ss_new_array (bool, n);
  w->in_objective = ss_new_array (bool, n);
  w->row_order = ss_new_array (int, w->n_rows + 1);
  const bool ok = memo != NULL && stamp != NULL && w->uses != NULL && w->common_place != NULL && w->in_rows != NULL &&
                  w->in_objective != NULL && w->row_order != NULL;
  for (int s = 0; ok && s < w->n_stands; s++) {
    const double value = ss_graph_eval (w->graph, w->stands[s], w->start, n_own, memo, stamp, 1);
    w->start[n_own + s] = isfinite (value) ? fmax (value, 0) : 0;
  }
  ss_free (memo);
  ss_free (stamp);
  return ok || ss_nl_broken (w);
}

SsStatus
ss_nl_write (const SsScenario *scenario, char **bytes, size_t *length, SsNlNames *names, SsError *err)
{
  SS_ASSERT (scenario != NULL && bytes != NULL && length != NULL);

  SsNlWriter w = {.scenario = scenario, .model = scenario->model, .err = err};
  SsNlText out = {0};

  *bytes = NULL;
  *length = 0;
  if (names != NULL)
    *names = (SsNlNames){0};
  if (scenario->model == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "the scenario has a scene and no model in equations");
  if (make_room (&w) && ss_nl_make_rows (&w) && make_room_of_nodes (&w) && count_uses (&w) && write_all (&w, &out) &&
      (names == NULL || list_names (&w, names))) {
    *bytes = out.text;
    *length = out.length;
  } else {
    ss_nl_text_clear (&out);
  }
  void *const blocks[] = {w.map,    w.lower, w.upper,     w.start, w.at,           w.is_at,   w.is_paired,
                          w.order,  w.place, w.row_order, w.uses,  w.common_place, w.in_rows, w.in_objective,
                          w.stands, w.parts, w.terms,     w.rows,  w.open};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    ss_free (blocks[i]);
  ss_graph_free (w.graph);
  return w.status;
}
