/* engine/mpcc/ss-problem.c: see ss-problem.h. Each block of the model becomes one template per kind of row with one
 * instance per time point; formulas are copied into a graph of the problem's own with inputs renumbered to the
 * template's local slots.
 */
#include "mpcc/ss-problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Longest name of a formula inside its block ("complementary[123].product"). */
enum { FORMULA_NAME_SIZE = 64 };

/* One formula of a template before it is copied: a row `a`, or the product row -(a*b). */
typedef struct {
  SsExpr a, b; /* of the scenario's graph; b is SS_EXPR_NONE except for products */
  char name[FORMULA_NAME_SIZE];
} Formula;

/* Which inequality row says `expr >= 0` at time point `point`. Open addressing; expr SS_EXPR_NONE marks an empty
 * cell. */
typedef struct {
  SsExpr expr;
  int point, row;
} SignRow;

/* The row exists, its number is not known yet. */
enum { ROW_PENDING = -2 };

typedef struct {
  const SsScenario *scenario;
  const SsModel *model;
  SsGraph *graph; /* the problem's own */
  SsMpccBuilder *builder;
  int n_nodes;    /* of the scenario's graph */
  SsExpr *copies; /* n_nodes: copy of each node in the current template */
  bool *reached;  /* n_nodes */
  SsExpr *inputs; /* model slots: local expression in the current template */
  int *slots;     /* scratch: model n_slots */
  int sign_capacity;
  SignRow *signs;
  int n_rows[2]; /* by SsRowKind */
} Build;

static int
count_points (const SsModelBlock *block)
{
  return ss_model_count_points (block->first, block->last, block->stride);
}

/* ---- sign rows --------------------------------------------------------------------------------------------------- */

/* Cell of (expr, point): occupied, or the empty one where it belongs. */
static SignRow *
find_sign (const Build *build, SsExpr expr, int point)
{
  /* Knuth's multiplicative hash, odd constants; capacity is a power of two. */
  unsigned hash = (unsigned)expr * 2654435761u + (unsigned)point * 40503u;
  unsigned mask = (unsigned)build->sign_capacity - 1, cell = (hash ^ hash >> 15) & mask;

  while (build->signs[cell].expr != SS_EXPR_NONE &&
         (build->signs[cell].expr != expr || build->signs[cell].point != point))
    cell = (cell + 1) & mask;
  return &build->signs[cell];
}

/* Room for all sign rows; all rows that are listed themselves are entered, their numbers pending. */
static SsStatus
collect_listed_signs (Build *build)
{
  const SsModel *model = build->model;
  long long n = 0;

  for (int b = 0; b < model->n_blocks; b++) {
    const SsModelBlock *block = &model->blocks[b];

    for (int r = 0; r < block->n_rows; r++)
      if (block->rows[r].kind != SS_ROWS_EQUALITY)
        n += 2LL * count_points (block);
  }
  if (n > 1 << 28)
    return SS_ERR_MEMORY;
  build->sign_capacity = 16;
  while (build->sign_capacity < 2 * n)
    build->sign_capacity *= 2;
  build->signs = ss_new_array (SignRow, build->sign_capacity);
  if (build->signs == NULL)
    return SS_ERR_MEMORY;
  for (int c = 0; c < build->sign_capacity; c++)
    build->signs[c].expr = SS_EXPR_NONE;
  for (int b = 0; b < model->n_blocks; b++)
    for (int r = 0; r < model->blocks[b].n_rows; r++)
      for (int k = model->blocks[b].first; k <= model->blocks[b].last; k += model->blocks[b].stride)
        if (model->blocks[b].rows[r].kind == SS_ROWS_NONNEGATIVE) {
          SsExpr expr = model->blocks[b].rows[r].a;

          *find_sign (build, expr, k) = (SignRow){expr, k, ROW_PENDING};
        }
  return SS_OK;
}

/* Row number of a listed row; the first of equal rows is the one that pairs refer to. */
static int
number_listed_row (Build *build, SsExpr expr, int point)
{
  SignRow *sign = find_sign (build, expr, point);
  int row = build->n_rows[SS_ROW_INEQUALITY]++;

  if (sign->row == ROW_PENDING)
    sign->row = row;
  return row;
}

/* Row number of a pair's sign, or -1 if that row exists already. */
static int
number_pair_sign (Build *build, SsExpr expr, int point)
{
  SignRow *sign = find_sign (build, expr, point);

  if (sign->expr != SS_EXPR_NONE)
    return -1;
  *sign = (SignRow){expr, point, build->n_rows[SS_ROW_INEQUALITY]++};
  return sign->row;
}

/* ---- copying formulas -------------------------------------------------------------------------------------------- */

static SsExpr
copy_node (const Build *build, SsExpr e)
{
  const SsGraph *from = build->scenario->graph;
  SsOp op = ss_graph_op (from, e);
  SsExpr operand[3] = {SS_EXPR_NONE, SS_EXPR_NONE, SS_EXPR_NONE};
  int arity = 0;

  for (int i = 0; i < 3 && ss_graph_operand (from, e, i) != SS_EXPR_NONE; i++)
    operand[arity++] = build->copies[ss_graph_operand (from, e, i)];
  if (op == SS_OP_CONSTANT)
    return ss_graph_constant (build->graph, ss_graph_value (from, e));
  if (op == SS_OP_INPUT) {
    const SsExpr input = build->inputs[ss_graph_slot (from, e)];
    /* none: there was no memory for it, which the builder tells at the end */
    return input != SS_EXPR_NONE && ss_graph_is_parameter (from, e)
               ? ss_graph_parameter (build->graph, ss_graph_slot (build->graph, input))
               : input;
  }
  if (arity == 1)
    return ss_graph_unary (build->graph, op, operand[0]);
  if (arity == 2)
    return ss_graph_binary (build->graph, op, operand[0], operand[1]);
  return ss_graph_if (build->graph, operand[0], operand[1], operand[2]);
}

static void
reach (Build *build, SsExpr e)
{
  if (e != SS_EXPR_NONE)
    build->reached[e] = true;
}

/* Copies everything that the formulas reach; operands have smaller ids than what is made of them. */
static void
copy_formulas (Build *build, const Formula *formulas, int n)
{
  const SsGraph *from = build->scenario->graph;

  memset (build->reached, 0, (size_t)build->n_nodes * sizeof *build->reached);
  for (int f = 0; f < n; f++) {
    reach (build, formulas[f].a);
    reach (build, formulas[f].b);
  }
  for (SsExpr e = build->n_nodes - 1; e >= 0; e--)
    for (int i = 0; i < 3 && build->reached[e]; i++)
      reach (build, ss_graph_operand (from, e, i));
  for (SsExpr e = 0; e < build->n_nodes; e++)
    if (build->reached[e])
      build->copies[e] = copy_node (build, e);
}

/* Marks in is_read[n_slots] what the formulas read. */
static void
mark_slots (Build *build, const Formula *formulas, int n, bool *is_read)
{
  for (int f = 0; f < n; f++)
    for (int part = 0; part < 2; part++) {
      SsExpr e = part == 0 ? formulas[f].a : formulas[f].b;
      int n_read =
          e == SS_EXPR_NONE ? 0 : ss_graph_inputs (build->scenario->graph, e, build->slots, build->model->n_slots);

      SS_ASSERT (n_read <= build->model->n_slots);
      for (int s = 0; s < n_read; s++)
        is_read[build->slots[s]] = true;
    }
}

/* ---- templates --------------------------------------------------------------------------------------------------- */

/* Expressions of the model's slots inside the template: variables that are read, k and t if read, then all
 * parameters. */
static void
number_inputs (Build *build, const bool *is_read, SsMpccTemplate *t)
{
  const SsModel *model = build->model;
  int n_variable_slots = 2 * model->n_variables;

  for (int s = 0; s < n_variable_slots; s++)
    if (is_read[s])
      build->inputs[s] = ss_graph_input (build->graph, t->n_inputs++);
  for (int s = model->slot_k; s < model->n_slots; s++)
    if (is_read[s])
      build->inputs[s] = ss_graph_input (build->graph, t->n_inputs + t->n_constants++);
  for (int p = 0; p < build->scenario->n_parameters; p++) {
    const SsParameter *parameter = &build->scenario->parameters[p];

    build->inputs[model->slot_parameters + p] = parameter->is_structural
                                                    ? ss_graph_constant (build->graph, parameter->value)
                                                    : ss_graph_input (build->graph, t->n_inputs + t->n_constants + p);
  }
}

/* Points of a template: first, first + stride, ... */
typedef struct {
  int first, stride, n;
} Points;

static Points
points_of (const SsModelBlock *block)
{
  return (Points){block->first, block->stride, count_points (block)};
}

/* Adds formulas over points; rows[point * n + formula] of that kind, or NULL for a cost. */
static SsStatus
add_template (Build *build, const char *name, const Formula *formulas, int n, Points points, SsRowKind kind,
              const int *rows, SsError *err)
{
  const SsModel *model = build->model;
  SsMpccTemplate t = {.name = name, .n_formulas = n, .first_instance = points.first, .instance_stride = points.stride};
  const int n_points = points.n;
  bool *is_read = ss_new_array (bool, model->n_slots);
  SsExpr *copies = ss_new_array (SsExpr, n);
  const char **names = (const char **)ss_alloc ((size_t)n, sizeof *names);
  int *gather = NULL;
  double *constants = NULL;
  SsStatus status = SS_ERR_MEMORY;

  if (is_read == NULL || copies == NULL || names == NULL)
    goto done;
  mark_slots (build, formulas, n, is_read);
  number_inputs (build, is_read, &t);
  gather = ss_new_array (int, (size_t)n_points *(size_t)t.n_inputs);
  constants = ss_new_array (double, (size_t)n_points *(size_t)t.n_constants);
  if (gather == NULL || constants == NULL)
    goto done;
  copy_formulas (build, formulas, n);
  for (int f = 0; f < n; f++) {
    SsExpr a = build->copies[formulas[f].a];

    copies[f] = a;
    if (formulas[f].b != SS_EXPR_NONE)
      copies[f] = ss_graph_unary (build->graph, SS_OP_NEG,
                                  ss_graph_binary (build->graph, SS_OP_MUL, a, build->copies[formulas[f].b]));
    names[f] = formulas[f].name;
  }
  for (int i = 0, at = 0, at_constant = 0; i < n_points; i++) {
    const int k = points.first + i * points.stride;

    for (int s = 0; s < 2 * model->n_variables; s++)
      if (is_read[s])
        gather[at++] = k * model->n_variables + s; /* the slots of k+1 follow those of k, as in x */
    if (is_read[model->slot_k])
      constants[at_constant++] = k;
    if (is_read[model->slot_t])
      constants[at_constant++] = k * model->time_step;
  }
  t.formulas = copies;
  t.constants = constants;
  t.formula_names = names[0] != NULL && names[0][0] != '\0' ? names : NULL;
  status = rows == NULL ? ss_mpcc_builder_add_cost (build->builder, &t, n_points, gather, err)
                        : ss_mpcc_builder_add_rows (build->builder, kind, &t, n_points, gather, rows, err);

done:
  ss_free (is_read);
  ss_free (copies);
  ss_free (names);
  ss_free (gather);
  ss_free (constants);
  return status == SS_ERR_MEMORY ? ss_error_set (err, status, "out of memory") : status;
}

/* The last part of a row's path ("nonnegative[3]") with a suffix. */
static void
name_formula (Formula *formula, const SsModelRow *row, const char *suffix)
{
  const char *dot = row->path != NULL ? strrchr (row->path, '.') : NULL;

  snprintf (formula->name, sizeof formula->name, "%s%s",
            dot != NULL         ? dot + 1
            : row->path != NULL ? row->path
                                : "row",
            suffix);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static SsStatus
add_equalities (Build *build, const SsModelBlock *block, SsError *err)
{
  int n_points = count_points (block), n = 0;
  Formula *formulas = ss_new_array (Formula, block->n_rows);
  int *rows = ss_new_array (int, (size_t)n_points *(size_t)block->n_rows);
  SsStatus status = SS_ERR_MEMORY;

  if (formulas == NULL || rows == NULL)
    goto done;
  for (int r = 0; r < block->n_rows; r++)
    if (block->rows[r].kind == SS_ROWS_EQUALITY) {
      formulas[n] = (Formula){.a = block->rows[r].a, .b = SS_EXPR_NONE};
      name_formula (&formulas[n++], &block->rows[r], "");
    }
  for (int i = 0; i < n_points * n; i++)
    rows[i] = build->n_rows[SS_ROW_EQUALITY]++;
  status = SS_OK;
  if (n > 0)
    status = add_template (build, block->name, formulas, n, points_of (block), SS_ROW_EQUALITY, rows, err);

done:
  ss_free (formulas);
  ss_free (rows);
  return status;
}

/* Drops formulas that have no row at any point. Returns how many are left. */
static int
drop_unused (Formula *formulas, int *rows, int n, int n_points)
{
  int n_kept = 0;

  for (int f = 0; f < n; f++) {
    bool is_used = false;

    for (int i = 0; i < n_points; i++)
      is_used = is_used || rows[(size_t)f * n_points + i] >= 0;
    if (!is_used)
      continue;
    formulas[n_kept] = formulas[f];
    memmove (rows + (size_t)n_kept * n_points, rows + (size_t)f * n_points, (size_t)n_points * sizeof *rows);
    n_kept++;
  }
  return n_kept;
}

/* Formulas of the inequality rows of a block: one per listed row, three per pair (a, b, product). */
static int
list_inequalities (const SsModelBlock *block, Formula *formulas)
{
  int n = 0;

  for (int r = 0; r < block->n_rows; r++) {
    const SsModelRow *row = &block->rows[r];

    if (row->kind == SS_ROWS_EQUALITY)
      continue;
    formulas[n] = (Formula){.a = row->a, .b = SS_EXPR_NONE};
    name_formula (&formulas[n++], row, row->kind == SS_ROWS_COMPLEMENTARY ? ".a" : "");
    if (row->kind != SS_ROWS_COMPLEMENTARY)
      continue;
    formulas[n] = (Formula){.a = row->b, .b = SS_EXPR_NONE};
    name_formula (&formulas[n++], row, ".b");
    formulas[n] = (Formula){.a = row->a, .b = row->b};
    name_formula (&formulas[n++], row, ".product");
  }
  return n;
}

/* Numbers the inequality rows of a block by point, then as listed: rows[formula * n_points + point]. */
static void
number_inequalities (Build *build, const SsModelBlock *block, int *rows)
{
  int n_points = count_points (block);

  for (int i = 0; i < n_points; i++) {
    int *cell = rows + i, k = block->first + i * block->stride;

    for (int r = 0; r < block->n_rows; r++) {
      const SsModelRow *row = &block->rows[r];

      if (row->kind == SS_ROWS_EQUALITY)
        continue;
      if (row->kind == SS_ROWS_NONNEGATIVE) {
        *cell = number_listed_row (build, row->a, k);
        cell += n_points;
        continue;
      }
      cell[0] = row->impose_a ? number_pair_sign (build, row->a, k) : -1;
      cell[n_points] = row->impose_b ? number_pair_sign (build, row->b, k) : -1;
      cell[2 * n_points] = build->n_rows[SS_ROW_INEQUALITY]++;
      cell += 3 * n_points;
    }
  }
}

static SsStatus
add_inequalities (Build *build, const SsModelBlock *block, SsError *err)
{
  int n_points = count_points (block), n;
  Formula *formulas = ss_new_array (Formula, 3 * (size_t)block->n_rows);
  int *rows = ss_new_array (int, 3 * (size_t)n_points * (size_t)block->n_rows);
  int *rows_by_point = ss_new_array (int, 3 * (size_t)n_points * (size_t)block->n_rows);
  SsStatus status = SS_ERR_MEMORY;

  if (formulas == NULL || rows == NULL || rows_by_point == NULL)
    goto done;
  n = list_inequalities (block, formulas);
  number_inequalities (build, block, rows);
  n = drop_unused (formulas, rows, n, n_points);
  for (int i = 0; i < n_points; i++)
    for (int f = 0; f < n; f++)
      rows_by_point[(size_t)i * n + f] = rows[(size_t)f * n_points + i];
  status = SS_OK;
  if (n > 0)
    status = add_template (build, block->name, formulas, n, points_of (block), SS_ROW_INEQUALITY, rows_by_point, err);

done:
  ss_free (formulas);
  ss_free (rows);
  ss_free (rows_by_point);
  return status;
}

static int
sign_row_or_none (const Build *build, SsExpr expr, int point)
{
  const SignRow *sign = find_sign (build, expr, point);

  return sign->expr != SS_EXPR_NONE ? sign->row : -1;
}

/* Pairs after all rows are numbered; walks the inequality rows in the order in which they were numbered. */
static SsStatus
add_pairs (Build *build, SsError *err)
{
  const SsModel *model = build->model;
  int next = 0;

  for (int b = 0; b < model->n_blocks; b++)
    for (int k = model->blocks[b].first; k <= model->blocks[b].last; k += model->blocks[b].stride)
      for (int r = 0; r < model->blocks[b].n_rows; r++) {
        const SsModelRow *row = &model->blocks[b].rows[r];
        int row_a, row_b;
        SsStatus status;

        if (row->kind == SS_ROWS_NONNEGATIVE)
          next++;
        if (row->kind != SS_ROWS_COMPLEMENTARY)
          continue;
        row_a = sign_row_or_none (build, row->a, k);
        row_b = sign_row_or_none (build, row->b, k);
        /* Signs numbered for this very pair stand right before its product. */
        if (row_a == next)
          next++;
        if (row_b == next)
          next++;
        status = ss_mpcc_builder_add_pair (build->builder, next++, row_a, row_b, err);
        if (status != SS_OK)
          return status;
      }
  SS_ASSERT (next == build->n_rows[SS_ROW_INEQUALITY]);
  return SS_OK;
}

static SsStatus
add_model (Build *build, SsError *err)
{
  const SsModel *model = build->model;
  SsStatus status = collect_listed_signs (build);

  if (status != SS_OK)
    return ss_error_set (err, status, "out of memory");
  for (int b = 0; b < model->n_blocks && status == SS_OK; b++)
    status = add_equalities (build, &model->blocks[b], err);
  for (int b = 0; b < model->n_blocks && status == SS_OK; b++)
    status = add_inequalities (build, &model->blocks[b], err);
  for (int c = 0; c < model->n_costs && status == SS_OK; c++) {
    const SsModelCost *cost = &model->costs[c];
    Formula formula = {.a = cost->cost, .b = SS_EXPR_NONE};

    const Points points = {cost->first, cost->stride, ss_model_count_points (cost->first, cost->last, cost->stride)};

    status = add_template (build, cost->name, &formula, 1, points, SS_ROW_EQUALITY, NULL, err);
  }
  return status == SS_OK ? add_pairs (build, err) : status;
}

/* ---- public ------------------------------------------------------------------------------------------------------ */

SsStatus
ss_problem_build (const SsScenario *scenario, SsMpcc **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && out != NULL);

  const SsModel *model = scenario->model;
  Build build = {.scenario = scenario, .model = model};
  double *parameters = NULL;
  SsMpcc *mpcc = NULL;
  SsStatus status = SS_ERR_MEMORY;

  *out = NULL;
  if (model == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "the scenario has a scene and no model in equations");
  build.n_nodes = ss_graph_n_nodes (scenario->graph);
  build.copies = ss_new_array (SsExpr, build.n_nodes);
  build.reached = ss_new_array (bool, build.n_nodes);
  build.inputs = ss_new_array (SsExpr, model->n_slots);
  build.slots = ss_new_array (int, model->n_slots);
  parameters = ss_new_array (double, scenario->n_parameters);
  if (build.copies == NULL || build.reached == NULL || build.inputs == NULL || build.slots == NULL ||
      parameters == NULL) {
    ss_error_set (err, status, "out of memory");
    goto done;
  }
  if ((status = ss_graph_new (&build.graph, err)) != SS_OK ||
      (status = ss_mpcc_builder_new (build.graph, model->n_points * model->n_variables, scenario->n_parameters,
                                     &build.builder, err)) != SS_OK ||
      (status = add_model (&build, err)) != SS_OK || (status = ss_mpcc_build (build.builder, &mpcc, err)) != SS_OK) {
    if (status == SS_ERR_MEMORY)
      ss_error_set (err, status, "no memory for the problem of '%s'", scenario->name);
    goto done;
  }
  ss_problem_parameters (scenario, parameters);
  ss_mpcc_set_parameters (mpcc, parameters);
  *out = mpcc;

done:
  ss_mpcc_builder_free (build.builder);
  ss_graph_free (build.graph);
  ss_free (build.copies);
  ss_free (build.reached);
  ss_free (build.inputs);
  ss_free (build.slots);
  ss_free (build.signs);
  ss_free (parameters);
  return status;
}

void
ss_problem_parameters (const SsScenario *scenario, double *values)
{
  SS_ASSERT (scenario != NULL && (scenario->n_parameters == 0 || values != NULL));

  for (int p = 0; p < scenario->n_parameters; p++)
    values[p] = scenario->parameters[p].value;
}

SsStatus
ss_problem_guess (const SsScenario *scenario, double *x, SsError *err)
{
  SS_ASSERT (scenario != NULL && x != NULL);

  return ss_scenario_guess (scenario, x, err);
}

SsStatus
ss_problem_trajectory (const SsScenario *scenario, const double *x, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->model != NULL && x != NULL && out != NULL);

  const SsModel *model = scenario->model;
  SsTrajectory *trajectory = NULL;
  SsChannel *channels;
  double *row, *inputs, *memo;
  int *stamp, n, n_nodes;
  double last = 0; /* time of the row before */
  SsStatus status = SS_ERR_MEMORY;

  *out = NULL;
  if (model == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "the scenario has a scene and no model in equations");
  n = model->n_variables;
  n_nodes = model->n_channels > 0 || model->end != NULL ? ss_graph_n_nodes (scenario->graph) : 0;
  channels = ss_new_array (SsChannel, n + model->n_channels + 1);
  row = ss_new_array (double, n + model->n_channels + 1);
  inputs = ss_new_array (double, model->n_slots + 1);
  memo = ss_new_array (double, n_nodes + 1);
  stamp = ss_new_array (int, n_nodes + 1);
  if (channels == NULL || row == NULL || inputs == NULL || memo == NULL || stamp == NULL) {
    ss_error_set (err, status, "out of memory");
    goto done;
  }
  channels[0] = ss_channel_of_time ();
  for (int v = 0; v < n; v++)
    channels[v + 1] = ss_model_channel (model, v);
  for (int c = 0; c < model->n_channels; c++)
    channels[n + 1 + c] = model->channels[c].about;
  for (int p = 0; p < scenario->n_parameters; p++)
    inputs[model->slot_parameters + p] = scenario->parameters[p].value;
  status = ss_trajectory_new (channels, n + model->n_channels + 1, ss_model_n_rows (model), &trajectory, err);
  for (int r = 0; r < ss_model_n_rows (model) && status == SS_OK; r++) {
    const int k = ss_model_point_of_row (model, r);

    memcpy (row + 1, x + (size_t)k * n, (size_t)n * sizeof *row);
    row[0] = model->has_clock ? row[1 + model->clock] : k * model->time_step;
    memcpy (inputs, row + 1, (size_t)n * sizeof *inputs);
    inputs[model->slot_k] = k;
    inputs[model->slot_t] = row[0];
    for (int c = 0; c < model->n_channels; c++)
      row[n + 1 + c] =
          ss_graph_eval (scenario->graph, model->channels[c].value, inputs, model->n_slots, memo, stamp, r + 1);
    for (int i = 0; model->row_is_end != NULL && model->row_is_end[r] && i < n + model->n_channels; i++)
      row[1 + i] = ss_graph_eval (scenario->graph, model->end[i], inputs, model->n_slots, memo, stamp, r + 1);
    if (model->row_is_end != NULL) {
      const bool is_end = model->row_is_end[r];

      row[0] = row[1 + model->clock];
      if (r > 0)
        row[0] = is_end ? fmax (row[0], last) : last;
      last = row[0];
    }
    status = ss_trajectory_append (trajectory, row, err);
  }
  if (status == SS_OK)
    *out = trajectory;
  else
    ss_trajectory_free (trajectory);

done:
  ss_free (channels);
  ss_free (row);
  ss_free (inputs);
  ss_free (memo);
  ss_free (stamp);
  return status;
}

SsStatus
ss_problem_stages (const SsScenario *scenario, const double *x, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->model != NULL && x != NULL && out != NULL);

  enum { N_FIRST = 3 }; /* t, weight, row */
  const SsModel *model = scenario->model;
  const int n = model->n_variables, n_nodes = ss_graph_n_nodes (scenario->graph),
            n_formulas = model->n_stage_channels + 2;
  SsTrajectory *trajectory = NULL;

  *out = NULL;
  if (model->n_stages == 0)
    return SS_OK;
  SsChannel *channels = ss_new_array (SsChannel, N_FIRST + model->n_stage_channels);
  double *row = ss_new_array (double, N_FIRST + model->n_stage_channels);
  double *inputs = ss_new_array (double, model->n_slots + 1), *memo = ss_new_array (double, n_nodes + 1);
  int *stamp = ss_new_array (int, n_nodes + 1);
  SsStatus status = SS_ERR_MEMORY;

  if (channels == NULL || row == NULL || inputs == NULL || memo == NULL || stamp == NULL) {
    ss_error_set (err, status, "out of memory");
    goto done;
  }
  channels[0] = ss_channel_of_time ();
  channels[1] = ss_channel_named ("weight");
  channels[1].unit = ss_quantity_unit (SS_QUANTITY_TIME);
  channels[2] = ss_channel_named ("row");
  for (int c = 0; c < model->n_stage_channels; c++)
    channels[N_FIRST + c] = model->stage_channels[c];
  for (int p = 0; p < scenario->n_parameters; p++)
    inputs[model->slot_parameters + p] = scenario->parameters[p].value;
  status = ss_trajectory_new (channels, N_FIRST + model->n_stage_channels, model->n_stages * model->n_points,
                              &trajectory, err);
  for (int r = 0; r < model->n_rows && status == SS_OK; r++) {
    const int k = model->rows[r];

    if (!model->row_is_end[r])
      continue;
    memcpy (inputs, x + (size_t)k * n, (size_t)n * sizeof *inputs);
    inputs[model->slot_k] = k;
    inputs[model->slot_t] = k * model->time_step;
    for (int s = 0; s < model->n_stages && status == SS_OK; s++) {
      const SsExpr *formulas = model->stages + (size_t)s * n_formulas;

      for (int f = 0; f < n_formulas; f++)
        row[f < 2 ? f : f + 1] =
            ss_graph_eval (scenario->graph, formulas[f], inputs, model->n_slots, memo, stamp, r + 1);
      row[2] = r;
      status = ss_trajectory_append (trajectory, row, err);
    }
  }

done:
  if (status == SS_OK)
    *out = trajectory;
  else
    ss_trajectory_free (trajectory);
  ss_free (channels);
  ss_free (row);
  ss_free (inputs);
  ss_free (memo);
  ss_free (stamp);
  return status;
}
