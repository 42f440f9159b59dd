/* engine/scene/ss-model.c: reads the `model` section: variables, definitions, blocks of rows, costs.
 *
 * Rows and costs are formulas over the slots that ss-scenario.h describes. They need derivatives, so comparisons, if,
 * floor and mod are refused here; abs, min and max are allowed.
 *
 * Bounds become rows. A mixed complementarity l <= x <= u _|_ f (f >= 0 where x = l, f <= 0 where x = u, f = 0 between)
 * becomes pairs: with both bounds f = plus - minus, 0 <= plus _|_ x - l >= 0, 0 <= minus _|_ u - x >= 0, where plus and
 * minus are two more variables of the model; with one bound a pair; with none f = 0. */
#include "scene/ss-scenario-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- variables --------------------------------------------------------------------------------------------------- */

typedef struct {
  const char **names;
  int n_names, capacity;
} NameList;

static void
put_variable (SsReader *reader, const SsJsonAt *at, const char *name, NameList *list)
{
  if (list->n_names >= SS_VARIABLES_MAX) {
    if (list->n_names == SS_VARIABLES_MAX)
      ss_reader_problem (reader, at, "at most 100000 variables per time point", "the model has too many variables");
    return;
  }
  if (name == NULL)
    return;
  if (strcmp (name, "k") == 0) {
    ss_reader_problem (reader, at, "another name", "'k' is the index of the time point");
    return;
  }
  if (!ss_reader_add_name (reader, at, name, SS_SYMBOL_VARIABLE, list->n_names) ||
      !ss_reader_reserve (reader, (void **)&list->names, &list->capacity, list->n_names + 1, sizeof *list->names))
    return;
  list->names[list->n_names++] = name;
}

static void
add_element (SsReader *reader, const SsJsonAt *at, const char *name, void *user_data)
{
  put_variable (reader, at, ss_reader_strdup (reader, name), user_data);
}

static void
add_variable (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  if (!json_is_string (at->value)) {
    ss_reader_problem (reader, at, "a name in quotes", "this is no name of a variable");
    return;
  }
  const char *name = ss_reader_expand (reader, at);
  if (name != NULL && strchr (name, '[') != NULL)
    ss_read_vector (reader, at, name, add_element, user_data);
  else
    put_variable (reader, at, name != NULL ? ss_reader_strdup (reader, name) : NULL, user_data);
}

/* [l, x, u, f] with both bounds. */
static bool
needs_parts (const json_t *mixed)
{
  return json_array_size (mixed) == 4 && !json_is_null (json_array_get (mixed, 0)) &&
         !json_is_null (json_array_get (mixed, 2));
}

typedef struct {
  NameList *list;
  int n;
} PartList;

static void
add_parts (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  static const char *const forms[] = {"mixed%d_plus", "mixed%d_minus"};
  PartList *parts = user_data;

  if (!needs_parts (at->value))
    return;
  parts->n++;
  for (int i = 0; i < 2; i++) {
    char name[32];
    snprintf (name, sizeof name, forms[i], parts->n);
    put_variable (reader, at, ss_reader_strdup (reader, name), parts->list);
  }
}

/* The two parts of f for each such row, at every point. */
static int
read_parts (SsReader *reader, const SsJsonAt *model_at, NameList *list)
{
  PartList parts = {list, 0};
  SsJsonAt at, block, rows;

  if (!ss_at_member (reader, model_at, "constraints", &at) || !json_is_array (at.value))
    return 0;
  for (bool more = ss_at_first (reader, &at, &block); more; more = ss_at_next (reader, &block))
    if (json_is_object (block.value) && ss_at_member (reader, &block, "mixed", &rows) && json_is_array (rows.value))
      ss_read_items (reader, &rows, add_parts, &parts);
  return parts.n;
}

static void
read_variables (SsReader *reader, const SsJsonAt *model_at, SsModel *model)
{
  NameList list = {0};
  SsJsonAt at;

  if (ss_read_member (reader, model_at, "states", "a list of names", &at))
    ss_read_items (reader, &at, add_variable, &list);
  model->n_states = list.n_names;
  if (ss_at_member (reader, model_at, "controls", &at))
    ss_read_items (reader, &at, add_variable, &list);
  model->n_mixed = read_parts (reader, model_at, &list);
  model->n_variables = list.n_names;
  model->variables = ss_reader_keep (reader, list.names, list.n_names, sizeof *list.names);
  if (model->n_variables == 0)
    ss_reader_problem (reader, model_at, "at least one name in 'states' or 'controls'", "the model has no variables");
  model->slot_next = model->n_variables;
  model->slot_parameters = 2 * model->n_variables;
  model->slot_k = model->slot_parameters + reader->scenario->n_parameters;
  model->slot_t = model->slot_k + 1;
  model->n_slots = model->slot_t + 1;
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

/* All names first, so that formulas may name what comes later; each is then checked even if no row reads it. */
static void
read_definitions (SsReader *reader, const SsJsonAt *model_at)
{
  SsJsonAt at;
  size_t n;
  int count = 0;

  if (!ss_at_member (reader, model_at, "definitions", &reader->definitions_at) ||
      !ss_read_is_object (reader, &reader->definitions_at))
    return;
  n = json_object_size (reader->definitions_at.value);
  if (n > SS_MODEL_ROWS_MAX) {
    ss_reader_problem (reader, &reader->definitions_at, "at most 100000 definitions", "there are too many definitions");
    return;
  }
  reader->definitions = ss_reader_alloc (reader, n, sizeof *reader->definitions);
  if (reader->definitions == NULL)
    return;
  for (bool more = ss_at_first (reader, &reader->definitions_at, &at); more; more = ss_at_next (reader, &at)) {
    SsDefinition *definition = &reader->definitions[count];

    if (!json_is_string (at.value) && !json_is_number (at.value)) {
      ss_reader_problem (reader, &at, "a formula in quotes", "this is no formula");
      continue;
    }
    definition->name = ss_reader_strdup (reader, at.key);
    definition->at = at;
    if (json_is_string (at.value)) {
      definition->text = json_string_value (at.value);
    } else {
      char number[32];

      ss_format_double (json_number_value (at.value), number, sizeof number);
      definition->text = ss_reader_strdup (reader, number);
    }
    if (ss_reader_add_name (reader, &at, definition->name, SS_SYMBOL_DEFINITION, count))
      count++;
  }
  reader->n_definitions = count;
}

/* Parses every definition at k, through the resolver so that cycles and depth are looked after in one place. */
static void
check_definitions (SsReader *reader)
{
  for (int i = 0; i < reader->n_definitions && !reader->out_of_memory; i++)
    ss_reader_require_definition (reader, i);
}

/* ---- time points ------------------------------------------------------------------------------------------------- */

/* Ends and stride of a list of points: reports what is out of range; the last point becomes one of the list. */
static bool
check_points (SsReader *reader, const SsJsonAt *at, const SsModel *model, int points[3])
{
  char expected[64];

  if (points[2] < 1) {
    ss_reader_problem (reader, at, "[first, last, stride] with a stride of 1 or more", "the stride is %d", points[2]);
    return false;
  }
  if (model->n_points > 0 && (points[0] < 0 || points[0] > points[1] || points[1] >= model->n_points)) {
    snprintf (expected, sizeof expected, "0 <= first <= last <= %d", model->n_points - 1);
    if (points[0] == points[1])
      ss_reader_problem (reader, at, expected, "point %d is out of range", points[0]);
    else
      ss_reader_problem (reader, at, expected, "points %d to %d are out of range", points[0], points[1]);
    return false;
  }
  if (points[0] <= points[1])
    points[1] -= (points[1] - points[0]) % points[2];
  return true;
}

/* `points` of a block: "all", one index, [first, last] or [first, last, stride]; of a model of one point they may be
 * left out. */
static bool
read_points (SsReader *reader, const SsJsonAt *block_at, const SsModel *model, int *first, int *last, int *stride)
{
  SsJsonAt at, child;
  int points[3] = {0, 0, 1};
  bool good = true;

  *first = *last = 0;
  *stride = 1;
  if (model->n_points == 1 && !ss_at_member (reader, block_at, "points", &at))
    return true;
  if (!ss_read_member (reader, block_at, "points", "\"all\", an index, [first, last] or [first, last, stride]", &at))
    return false;
  reader->marks_structural = true;
  if (json_is_string (at.value) && strcmp (json_string_value (at.value), "all") == 0) {
    points[1] = model->n_points - 1;
  } else if (json_is_array (at.value)) {
    if (json_array_size (at.value) != 2 && json_array_size (at.value) != 3) {
      ss_reader_problem (reader, &at, "[first, last] or [first, last, stride]", "a range of points has two ends");
      good = false;
    } else {
      for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
        good = ss_read_integer (reader, &child, -SS_POINTS_MAX, SS_POINTS_MAX, &points[child.index]) && good;
    }
  } else {
    good = ss_read_integer (reader, &at, -SS_POINTS_MAX, SS_POINTS_MAX, &points[0]);
    points[1] = points[0];
  }
  reader->marks_structural = false;
  good = good && check_points (reader, &at, model, points);
  *first = points[0];
  *last = points[1];
  *stride = good ? points[2] : 1;
  return good;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

typedef struct {
  SsRowsKind kind;
  bool reaches_end; /* the block includes the last point: next() has no value there */
  int *parts;       /* the variable that is the next mixed row's plus; its minus follows */
  SsModelRow *rows;
  int n_rows, capacity;
} RowList;

/* A formula of a row or cost: smooth, and without next() where there is none. */
static bool
read_smooth (SsReader *reader, const SsJsonAt *at, bool reaches_end, SsExpr *out)
{
  unsigned uses;

  if (!ss_read_formula (reader, at, SS_USES_VARIABLES | SS_USES_NEXT | SS_USES_INDEX, out, &uses))
    return false;
  if ((uses & SS_USES_NEXT) && reaches_end) {
    ss_reader_problem (reader, at, "points up to N-2 for rows with next()",
                       "the row reads the point after the last one: next() at point N-1");
    return false;
  }
  if (!ss_graph_is_smooth (reader->scenario->graph, *out)) {
    ss_reader_problem (reader, at, "a smooth formula: no comparison, if, floor, mod",
                       "constraints and costs need derivatives, this formula has none");
    return false;
  }
  return true;
}

/* ["a", "b"] or {"a": ..., "b": ..., "signs": ...} */
static bool
read_complementary (SsReader *reader, const SsJsonAt *at, bool reaches_end, SsModelRow *row)
{
  static const char *const signs[] = {"both", "a", "b", "none"};
  SsJsonAt a, b, signs_at;
  bool good;
  int choice = 0;

  if (json_is_array (at->value) && json_array_size (at->value) == 2) {
    ss_at_first (reader, at, &a);
    b = a;
    ss_at_next (reader, &b);
  } else if (json_is_object (at->value)) {
    good = ss_read_member (reader, at, "a", "a formula", &a);
    if (!(ss_read_member (reader, at, "b", "a formula", &b) && good))
      return false;
    if (ss_at_member (reader, at, "signs", &signs_at))
      choice = ss_read_choice (reader, &signs_at, signs, 4, "choice of signs");
    if (choice < 0)
      return false;
  } else {
    ss_reader_problem (reader, at, "[\"a\", \"b\"] or an object with 'a', 'b', 'signs'",
                       "this is no complementary pair");
    return false;
  }
  row->impose_a = choice == 0 || choice == 1;
  row->impose_b = choice == 0 || choice == 2;
  good = read_smooth (reader, &a, reaches_end, &row->a);
  return read_smooth (reader, &b, reaches_end, &row->b) && good;
}

static void
put_row (SsReader *reader, const SsJsonAt *at, SsModelRow row, RowList *list)
{
  char path[sizeof ((SsError *)NULL)->path];

  ss_reader_path (reader, at, path, sizeof path);
  row.path = ss_reader_strdup (reader, path);
  row.line = ss_reader_line (reader, at);
  if (ss_reader_reserve (reader, (void **)&list->rows, &list->capacity, list->n_rows + 1, sizeof *list->rows))
    list->rows[list->n_rows++] = row;
}

static void
add_row (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  RowList *list = user_data;
  SsModelRow row = {.kind = list->kind, .a = SS_EXPR_NONE, .b = SS_EXPR_NONE};

  if (list->kind == SS_ROWS_COMPLEMENTARY ? read_complementary (reader, at, list->reaches_end, &row)
                                          : read_smooth (reader, at, list->reaches_end, &row.a))
    put_row (reader, at, row, list);
}

/* value - bound >= 0, or bound - value >= 0 */
static SsExpr
distance (const SsReader *reader, SsExpr value, SsExpr bound, bool is_upper)
{
  return ss_graph_binary (reader->scenario->graph, SS_OP_SUB, is_upper ? bound : value, is_upper ? value : bound);
}

/* "x": [low, high], either may be null */
static void
add_bounds (SsReader *reader, const SsJsonAt *at, const SsModel *model, RowList *list)
{
  int variable = 0;
  SsJsonAt end;

  while (variable < model->n_variables && strcmp (model->variables[variable], at->key) != 0)
    variable++;
  if (variable == model->n_variables) {
    const char *near = ss_nearest_name (at->key, model->variables, model->n_variables);
    ss_reader_problem (reader, at, near != NULL ? near : "a name of 'states' or 'controls'",
                       "there is no variable '%s'", at->key);
    return;
  }
  if (json_array_size (at->value) != 2) {
    ss_reader_problem (reader, at, "[low, high], null where there is no bound", "these are no bounds");
    return;
  }
  for (bool more = ss_at_first (reader, at, &end); more; more = ss_at_next (reader, &end)) {
    SsModelRow row = {.kind = SS_ROWS_NONNEGATIVE, .b = SS_EXPR_NONE};
    SsExpr bound;
    if (json_is_null (end.value) || !read_smooth (reader, &end, list->reaches_end, &bound))
      continue;
    row.a = distance (reader, ss_graph_input (reader->scenario->graph, variable), bound, end.index == 1);
    put_row (reader, &end, row, list);
  }
}

/* Of one bound: `side`, from the bound inward, with the part of f that it takes. */
static void
add_mixed_pair (SsReader *reader, const SsJsonAt *at, SsExpr part, SsExpr side, RowList *list)
{
  put_row (reader, at,
           (SsModelRow){.kind = SS_ROWS_COMPLEMENTARY, .a = part, .b = side, .impose_a = true, .impose_b = true}, list);
}

/* [l, x, u, f] */
static void
add_mixed (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  enum { LOWER, VALUE, UPPER, BODY, N_PLACES };
  RowList *list = user_data;
  SsGraph *graph = reader->scenario->graph;
  SsExpr place[N_PLACES];
  SsJsonAt child;
  bool good = true;

  if (json_array_size (at->value) != N_PLACES) {
    ss_reader_problem (reader, at, "[low, \"x\", high, \"f\"], null where there is no bound",
                       "this is no mixed complementarity");
    return;
  }
  for (bool more = ss_at_first (reader, at, &child); more; more = ss_at_next (reader, &child)) {
    place[child.index] = SS_EXPR_NONE;
    if (json_is_null (child.value) && (child.index == LOWER || child.index == UPPER))
      continue;
    good = read_smooth (reader, &child, list->reaches_end, &place[child.index]) && good;
  }
  const bool has_lower = !json_is_null (json_array_get (at->value, LOWER)),
             has_upper = !json_is_null (json_array_get (at->value, UPPER));
  const int plus = *list->parts, minus = plus + 1;
  *list->parts += needs_parts (at->value) ? 2 : 0;
  if (!good)
    return;
  const SsExpr above = has_lower ? distance (reader, place[VALUE], place[LOWER], false) : SS_EXPR_NONE,
               below = has_upper ? distance (reader, place[VALUE], place[UPPER], true) : SS_EXPR_NONE;
  SsModelRow zero = {.kind = SS_ROWS_EQUALITY, .a = place[BODY], .b = SS_EXPR_NONE};
  if (has_lower && has_upper) {
    const SsExpr p = ss_graph_input (graph, plus), n = ss_graph_input (graph, minus);
    zero.a = ss_graph_binary (graph, SS_OP_ADD, ss_graph_binary (graph, SS_OP_SUB, place[BODY], p), n);
    put_row (reader, at, zero, list);
    add_mixed_pair (reader, at, p, above, list);
    add_mixed_pair (reader, at, n, below, list);
  } else if (has_lower) {
    add_mixed_pair (reader, at, place[BODY], above, list);
  } else if (has_upper) {
    add_mixed_pair (reader, at, ss_graph_unary (graph, SS_OP_NEG, place[BODY]), below, list);
  } else {
    put_row (reader, at, zero, list);
  }
}

static const char *
read_block_name (SsReader *reader, const SsJsonAt *at, const char *section)
{
  char fallback[48];

  snprintf (fallback, sizeof fallback, "%s[%d]", section, at->index);
  return ss_read_text (reader, at, "name", ss_reader_strdup (reader, fallback));
}

static bool
read_block (SsReader *reader, const SsJsonAt *at, const SsModel *model, int *parts, SsModelBlock *block)
{
  static const char *const keys[] = {"zero", "nonnegative", "complementary"};
  static const SsRowsKind kinds[] = {SS_ROWS_EQUALITY, SS_ROWS_NONNEGATIVE, SS_ROWS_COMPLEMENTARY};
  RowList list = {.parts = parts};
  SsJsonAt rows_at, child;
  bool has_rows = false;

  if (!ss_read_is_object (reader, at))
    return false;
  block->name = read_block_name (reader, at, "constraints");
  /* Where the points are wrong, the rows are read all the same, for their own problems. */
  list.reaches_end = read_points (reader, at, model, &block->first, &block->last, &block->stride) &&
                     block->last == model->n_points - 1;
  for (int i = 0; i < 3; i++) {
    if (!ss_at_member (reader, at, keys[i], &rows_at))
      continue;
    has_rows = true;
    list.kind = kinds[i];
    ss_read_items (reader, &rows_at, add_row, &list);
  }
  if (ss_at_member (reader, at, "bounds", &rows_at) && ss_read_is_object (reader, &rows_at)) {
    has_rows = true;
    for (bool more = ss_at_first (reader, &rows_at, &child); more; more = ss_at_next (reader, &child))
      add_bounds (reader, &child, model, &list);
  }
  if (ss_at_member (reader, at, "mixed", &rows_at) && ss_read_is_array (reader, &rows_at)) {
    has_rows = true;
    if (block->first != 0 || block->last != model->n_points - 1 || block->stride != 1)
      ss_reader_problem (reader, &rows_at, "\"points\": \"all\"", "a mixed complementarity holds at all points");
    ss_read_items (reader, &rows_at, add_mixed, &list);
  }
  if (!has_rows)
    ss_reader_problem (reader, at, "'zero', 'nonnegative', 'complementary', 'bounds' or 'mixed'",
                       "the block has no rows");
  block->n_rows = list.n_rows;
  block->rows = ss_reader_keep (reader, list.rows, list.n_rows, sizeof *list.rows);
  return true;
}

static void
read_blocks (SsReader *reader, const SsJsonAt *model_at, SsModel *model)
{
  SsJsonAt at, child;
  SsModelBlock *blocks;
  double total = 0; /* rows over all points */
  int parts = model->n_variables - 2 * model->n_mixed;

  if (!ss_at_member (reader, model_at, "constraints", &at) || !ss_read_is_array (reader, &at))
    return;
  blocks = ss_reader_alloc (reader, json_array_size (at.value), sizeof *blocks);
  if (blocks == NULL)
    return;
  for (bool more = ss_at_first (reader, &at, &child); more && !reader->out_of_memory;
       more = ss_at_next (reader, &child))
    if (read_block (reader, &child, model, &parts, &blocks[model->n_blocks]))
      model->n_blocks++;
  model->blocks = blocks;
  for (int i = 0; i < model->n_blocks; i++)
    total += (double)blocks[i].n_rows * ss_model_count_points (blocks[i].first, blocks[i].last, blocks[i].stride);
  if (total > SS_ROWS_TOTAL_MAX)
    ss_reader_problem (reader, &at, "at most 50 million rows over all time points", "the problem has %.0f rows", total);
}

static void
read_costs (SsReader *reader, const SsJsonAt *model_at, SsModel *model)
{
  SsJsonAt at, child, cost_at;
  SsModelCost *costs;

  if (!ss_at_member (reader, model_at, "cost", &at) || !ss_read_is_array (reader, &at))
    return;
  costs = ss_reader_alloc (reader, json_array_size (at.value), sizeof *costs);
  if (costs == NULL)
    return;
  for (bool more = ss_at_first (reader, &at, &child); more && !reader->out_of_memory;
       more = ss_at_next (reader, &child)) {
    SsModelCost *cost = &costs[model->n_costs];
    bool reaches_end;

    if (!ss_read_is_object (reader, &child))
      continue;
    cost->name = read_block_name (reader, &child, "cost");
    reaches_end = read_points (reader, &child, model, &cost->first, &cost->last, &cost->stride) &&
                  cost->last == model->n_points - 1;
    if (ss_read_member (reader, &child, "cost", "a formula", &cost_at) &&
        read_smooth (reader, &cost_at, reaches_end, &cost->cost))
      model->n_costs++;
  }
  model->costs = costs;
}

void
ss_read_model (SsReader *reader, const SsJsonAt *model_at)
{
  SsModel *model;
  SsJsonAt at;

  if (!ss_read_is_object (reader, model_at))
    return;
  model = ss_reader_alloc (reader, 1, sizeof *model);
  if (model == NULL)
    return;
  reader->model = model;
  reader->scenario->model = model;

  reader->marks_structural = true;
  if (ss_read_member (reader, model_at, "points", "the number of time points", &at))
    ss_read_integer (reader, &at, 1, SS_POINTS_MAX, &model->n_points);
  reader->marks_structural = false;
  model->time_step = 1;
  /* One point has no time. */
  const bool needs_step = model->n_points != 1 || ss_at_member (reader, model_at, "time_step", &at);
  const bool has_step = needs_step && ss_read_member (reader, model_at, "time_step", "the time step [s]", &at) &&
                        ss_read_number (reader, &at, SS_POSITIVE, &model->time_step);

  if (ss_names_find (&reader->names, "k", 1) != NULL)
    ss_reader_problem (reader, model_at, "another name for the parameter",
                       "'k' is the index of the time point in a model");
  read_variables (reader, model_at, model);
  if ((double)model->n_points * model->n_variables > SS_VARIABLES_TOTAL_MAX)
    ss_reader_problem (reader, model_at, "at most 10 million variables over all time points",
                       "the problem has %.0f variables", (double)model->n_points * model->n_variables);
  read_definitions (reader, model_at);
  check_definitions (reader);
  read_blocks (reader, model_at, model);
  read_costs (reader, model_at, model);

  /* t = k h is a number of each time point, not an input of the problem: where a formula reads it, what h depends on
   * means a new problem. */
  if (reader->reads_time && has_step && ss_read_member (reader, model_at, "time_step", "the time step [s]", &at)) {
    reader->marks_structural = true;
    ss_read_number (reader, &at, SS_POSITIVE, &model->time_step);
    reader->marks_structural = false;
  }
}
