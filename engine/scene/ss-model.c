/* engine/scene/ss-model.c: reads the `model` section: variables, definitions, blocks of rows, costs.
 *
 * Rows and costs are formulas over the slots that ss-scenario.h describes. They need derivatives, so comparisons, if,
 * floor and mod are refused here; abs, min and max are allowed. */
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
add_variable (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  NameList *list = user_data;
  const char *name;

  if (!json_is_string (at->value)) {
    ss_reader_problem (reader, at, "a name in quotes", "this is no name of a variable");
    return;
  }
  if (list->n_names >= SS_VARIABLES_MAX) {
    if (list->n_names == SS_VARIABLES_MAX)
      ss_reader_problem (reader, at, "at most 100000 variables per time point", "the model has too many variables");
    return;
  }
  name = ss_reader_expand (reader, at);
  if (name == NULL)
    return;
  name = ss_reader_strdup (reader, name);
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
read_variables (SsReader *reader, const SsJsonAt *model_at, SsModel *model)
{
  NameList list = {0};
  SsJsonAt at;

  if (ss_read_member (reader, model_at, "states", "a list of names", &at))
    ss_read_items (reader, &at, add_variable, &list);
  model->n_states = list.n_names;
  if (ss_at_member (reader, model_at, "controls", &at))
    ss_read_items (reader, &at, add_variable, &list);
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
add_row (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  RowList *list = user_data;
  SsModelRow row = {.kind = list->kind, .a = SS_EXPR_NONE, .b = SS_EXPR_NONE, .line = ss_reader_line (reader, at)};
  char path[sizeof ((SsError *)NULL)->path];

  if (list->kind == SS_ROWS_COMPLEMENTARY ? !read_complementary (reader, at, list->reaches_end, &row)
                                          : !read_smooth (reader, at, list->reaches_end, &row.a))
    return;
  ss_reader_path (reader, at, path, sizeof path);
  row.path = ss_reader_strdup (reader, path);
  if (ss_reader_reserve (reader, (void **)&list->rows, &list->capacity, list->n_rows + 1, sizeof *list->rows))
    list->rows[list->n_rows++] = row;
}

static const char *
read_block_name (SsReader *reader, const SsJsonAt *at, const char *section)
{
  char fallback[48];

  snprintf (fallback, sizeof fallback, "%s[%d]", section, at->index);
  return ss_read_text (reader, at, "name", ss_reader_strdup (reader, fallback));
}

static bool
read_block (SsReader *reader, const SsJsonAt *at, const SsModel *model, SsModelBlock *block)
{
  static const char *const keys[] = {"zero", "nonnegative", "complementary"};
  static const SsRowsKind kinds[] = {SS_ROWS_EQUALITY, SS_ROWS_NONNEGATIVE, SS_ROWS_COMPLEMENTARY};
  RowList list = {0};
  SsJsonAt rows_at;
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
  if (!has_rows)
    ss_reader_problem (reader, at, "'zero', 'nonnegative' or 'complementary'", "the block has no rows");
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

  if (!ss_at_member (reader, model_at, "constraints", &at) || !ss_read_is_array (reader, &at))
    return;
  blocks = ss_reader_alloc (reader, json_array_size (at.value), sizeof *blocks);
  if (blocks == NULL)
    return;
  for (bool more = ss_at_first (reader, &at, &child); more && !reader->out_of_memory;
       more = ss_at_next (reader, &child))
    if (read_block (reader, &child, model, &blocks[model->n_blocks]))
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
