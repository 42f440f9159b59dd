/* engine/scene/ss-formula.c: formulas of models, guesses and views: names resolved to slots, definitions inlined,
 * families and vectors written out.
 *
 * A definition is parsed when it is first read, once at k and once at k+1 (inside next()), straight into the scenario's
 * graph; equal subexpressions become one node there, so that inlining costs nothing. What a formula used (next, k, ...)
 * is tracked while names are resolved.
 */
#include "scene/ss-scenario-private.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  SsReader *reader;
  int base_shift; /* 1 inside next(definition) */
  unsigned allowed;
  unsigned uses;
  bool is_quiet; /* stopped at something that has been reported already */
} FormulaScope;

static SsStatus resolve_name (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err);

/* ---- names ------------------------------------------------------------------------------------------------------- */

static SsStatus
refuse (SsError *err, const char *expected, const char *message, const char *name)
{
  ss_error_set (err, SS_ERR_INVALID, message, name);
  if (err != NULL)
    snprintf (err->expected, sizeof err->expected, "%s", expected);
  return SS_ERR_INVALID;
}

int
ss_view_slot_parameters (const SsScenario *scenario)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0);
  if (scenario->model != NULL)
    return scenario->model->slot_parameters;
  return ss_scene_n_channels (scenario->scene);
}

int
ss_view_slot_index (const SsScenario *scenario)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0);
  return ss_view_slot_parameters (scenario) + scenario->n_parameters;
}

/* Slots of parameters, k and t: of the model, or of a scene's view. */
static int
slot_of_parameters (const SsReader *reader)
{
  return reader->model != NULL ? reader->model->slot_parameters : ss_view_slot_parameters (reader->scenario);
}

/* t, and k where no parameter of a scene has that name. At k+1 inside next(definition). */
static SsStatus
resolve_index (FormulaScope *scope, bool is_time, SsExpr *out, SsError *err)
{
  SsReader *reader = scope->reader;
  SsGraph *graph = reader->scenario->graph;
  int slot = slot_of_parameters (reader) + reader->scenario->n_parameters + (is_time ? 1 : 0);

  if (!(scope->allowed & SS_USES_INDEX))
    return refuse (err, "", "'%s' has no meaning here", is_time ? "t" : "k");
  scope->uses |= SS_USES_INDEX;
  reader->reads_time = reader->reads_time || is_time;
  *out = ss_graph_input (graph, slot);
  if (scope->base_shift > 0)
    *out = ss_graph_binary (graph, SS_OP_ADD, *out, ss_graph_constant (graph, is_time ? reader->model->time_step : 1));
  return *out == SS_EXPR_NONE ? ss_error_set (err, SS_ERR_MEMORY, "out of memory") : SS_OK;
}

/* Parses a definition at k (shift 0) or k+1, once. */
static void
parse_definition (SsReader *reader, SsDefinition *definition, int shift)
{
  FormulaScope scope = {
      .reader = reader, .base_shift = shift, .allowed = SS_USES_VARIABLES | SS_USES_NEXT | SS_USES_INDEX};
  SsError error = {0};

  definition->state[shift] = SS_TEXT_READING;
  reader->definition_depth++;
  if (ss_expr_parse (reader->scenario->graph, definition->text, resolve_name, &scope, &definition->expr[shift],
                     &error) == SS_OK) {
    definition->uses[shift] = scope.uses;
    definition->state[shift] = SS_TEXT_READ;
  } else {
    if (!scope.is_quiet)
      ss_reader_formula_problem (reader, &definition->at, definition->text, &error);
    definition->state[shift] = SS_TEXT_BAD;
  }
  reader->definition_depth--;
}

static SsStatus
resolve_definition (FormulaScope *scope, SsDefinition *definition, int shift, SsExpr *out, SsError *err)
{
  if (definition->state[shift] == SS_TEXT_READING)
    return refuse (err, "definitions that do not depend on themselves", "the definitions form a cycle through '%s'",
                   definition->name);
  if (definition->state[shift] == SS_TEXT_UNREAD) {
    if (scope->reader->definition_depth >= SS_DEFINITION_DEPTH_MAX)
      return refuse (err, "a definition listed before those that use it",
                     "definitions use one another in too long a chain, at '%s'", definition->name);
    parse_definition (scope->reader, definition, shift);
  }
  if (definition->state[shift] == SS_TEXT_BAD) {
    scope->is_quiet = true;
    return ss_error_set (err, SS_ERR_INVALID, "the definition '%s' is not valid", definition->name);
  }
  if ((definition->uses[shift] & SS_USES_NEXT) && !(scope->allowed & SS_USES_NEXT))
    return refuse (err, "values at k only", "'%s' reads next values, which are not known here", definition->name);
  scope->uses |= definition->uses[shift];
  *out = definition->expr[shift];
  return SS_OK;
}

static SsStatus
resolve_unknown (FormulaScope *scope, const char *name, size_t length, SsError *err)
{
  unsigned kinds = 1u << SS_SYMBOL_PARAMETER;
  char wrong[SS_NAME_MAX + 1];
  const char *near;

  if (scope->allowed & SS_USES_VARIABLES)
    kinds |= 1u << SS_SYMBOL_VARIABLE | 1u << SS_SYMBOL_DEFINITION;
  if (scope->allowed & SS_USES_AUXILIARY)
    kinds |= 1u << SS_SYMBOL_AUXILIARY;
  if (scope->allowed & SS_USES_CHANNELS)
    kinds |= 1u << SS_SYMBOL_CHANNEL;
  snprintf (wrong, sizeof wrong, "%.*s", (int)(length < SS_NAME_MAX ? length : SS_NAME_MAX), name);
  near = ss_reader_nearest (scope->reader, wrong, kinds);
  if (near != NULL)
    ss_error_set (err, SS_ERR_INVALID, "unknown name '%s'; did you mean '%s'?", wrong, near);
  else
    ss_error_set (err, SS_ERR_INVALID, "unknown name '%s'", wrong);
  if (err != NULL)
    snprintf (err->expected, sizeof err->expected, "%s",
              scope->allowed & SS_USES_CHANNELS ? "channels such as box.x, parameters, k, t"
                                                : "variables, definitions, parameters, k, t");
  return SS_ERR_INVALID;
}

static SsStatus
resolve_name (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  FormulaScope *scope = user_data;
  SsReader *reader = scope->reader;
  SsGraph *graph = reader->scenario->graph;
  SsNameRef ref = {.name = name, .length = length};
  const SsSymbol *symbol;
  int total_shift = scope->base_shift + shift;
  SsStatus status;

  if (ss_reader_resolve (reader, graph, &ref, shift, out, &status, err))
    return status;
  name = ref.name;
  length = ref.length;
  symbol = ref.symbol;
  if (shift != 0 && !(scope->allowed & SS_USES_NEXT))
    return refuse (err, "values at k only", "next() is not allowed here%s", "");
  if (symbol == NULL) {
    if (shift == 0 && length == 1 && (name[0] == 't' || name[0] == 'k'))
      return resolve_index (scope, name[0] == 't', out, err);
    return resolve_unknown (scope, name, length, err);
  }
  if (total_shift > 1)
    return refuse (err, "values at k and k+1", "next(%s) would be two points ahead", symbol->name);

  switch (symbol->kind) {
  case SS_SYMBOL_PARAMETER:
    if (shift != 0)
      return refuse (err, "a variable or a definition", "next(%s): a parameter does not change with time",
                     symbol->name);
    *out = ss_graph_input (graph, slot_of_parameters (reader) + symbol->index);
    break;
  case SS_SYMBOL_VARIABLE:
    if (!(scope->allowed & SS_USES_VARIABLES))
      return refuse (err, "parameters, k, t", "the variable '%s' has no value here", symbol->name);
    scope->uses |= total_shift > 0 ? SS_USES_NEXT | SS_USES_VARIABLES : SS_USES_VARIABLES;
    *out = ss_graph_input (graph, symbol->index + (total_shift > 0 ? reader->model->slot_next : 0));
    break;
  case SS_SYMBOL_DEFINITION:
    if (!(scope->allowed & SS_USES_VARIABLES))
      return refuse (err, "parameters, k, t", "the definition '%s' has no value here", symbol->name);
    return resolve_definition (scope, &reader->definitions[symbol->index], total_shift, out, err);
  case SS_SYMBOL_AUXILIARY:
    if (!(scope->allowed & SS_USES_AUXILIARY))
      return refuse (err, "", "the auxiliary value '%s' belongs to the initial guess", symbol->name);
    scope->uses |= total_shift > 0 ? SS_USES_NEXT | SS_USES_AUXILIARY : SS_USES_AUXILIARY;
    *out = ss_graph_input (graph, reader->slot_auxiliary + symbol->index + (total_shift > 0 ? reader->n_auxiliary : 0));
    break;
  case SS_SYMBOL_TABLE: /* has been looked after above */
    break;
  case SS_SYMBOL_CHANNEL:
    if (!(scope->allowed & SS_USES_CHANNELS))
      return refuse (err, "", "the channel '%s' has no value here", symbol->name);
    scope->uses |= SS_USES_CHANNELS;
    *out = ss_graph_input (graph, symbol->index);
    break;
  }
  return *out == SS_EXPR_NONE ? ss_error_set (err, SS_ERR_MEMORY, "out of memory") : SS_OK;
}

void
ss_reader_require_definition (SsReader *reader, int index)
{
  SS_ASSERT (reader != NULL);
  if (reader->definitions[index].state[0] == SS_TEXT_UNREAD)
    parse_definition (reader, &reader->definitions[index], 0);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

bool
ss_read_formula (SsReader *reader, const SsJsonAt *at, unsigned allowed, SsExpr *out, unsigned *uses)
{
  SS_ASSERT (reader != NULL && at != NULL && out != NULL);

  FormulaScope scope = {.reader = reader, .allowed = allowed};
  SsError error = {0};
  const char *text;

  *out = SS_EXPR_NONE;
  if (uses != NULL)
    *uses = 0;
  if (json_is_number (at->value)) {
    *out = ss_graph_constant (reader->scenario->graph, json_number_value (at->value));
    if (*out == SS_EXPR_NONE)
      reader->out_of_memory = true;
    return *out != SS_EXPR_NONE;
  }
  if (!json_is_string (at->value)) {
    ss_reader_problem (reader, at, "a formula in quotes, or a number", "this is no formula");
    return false;
  }
  text = ss_reader_expand (reader, at);
  if (text == NULL)
    return false;
  if (ss_expr_parse (reader->scenario->graph, text, resolve_name, &scope, out, &error) != SS_OK) {
    if (!scope.is_quiet)
      ss_reader_formula_problem (reader, at, text, &error);
    *out = SS_EXPR_NONE;
    return false;
  }
  if (uses != NULL)
    *uses = scope.uses;
  return true;
}

/* ---- families ---------------------------------------------------------------------------------------------------- */

/* {"for": "i", "from": 1, "to": 7, "rows": [...]} */
static void
read_family (SsReader *reader, const SsJsonAt *at, SsItemFunc item, void *user_data)
{
  SsJsonAt for_at, from_at, to_at, rows_at;
  const char *name;
  int from = 0, to = 0, before = reader->n_problems;
  bool marks = reader->marks_structural;

  if (reader->n_bindings == SS_FAMILY_DEPTH_MAX) {
    ss_reader_problem (reader, at, "at most 4 families within one another", "the families are nested too deeply");
    return;
  }
  ss_at_member (reader, at, "for", &for_at);
  name = ss_read_text (reader, at, "for", "");
  if (json_is_string (for_at.value))
    ss_read_is_name (reader, &for_at, name, false, "a counter");
  reader->marks_structural = true;
  if (ss_read_member (reader, at, "from", "a whole number", &from_at))
    ss_read_integer (reader, &from_at, -SS_MODEL_ROWS_MAX, SS_MODEL_ROWS_MAX, &from);
  if (ss_read_member (reader, at, "to", "a whole number", &to_at))
    ss_read_integer (reader, &to_at, -SS_MODEL_ROWS_MAX, SS_MODEL_ROWS_MAX, &to);
  reader->marks_structural = marks;
  if (!ss_read_member (reader, at, "rows", "a list of rows", &rows_at) || !ss_read_is_array (reader, &rows_at) ||
      reader->n_problems > before)
    return;
  /* Stops after the first value that has problems: the others would have the same. */
  for (int value = from; value <= to && reader->n_problems == before; value++) {
    if (ss_reader_exceeds (reader, at, reader->n_family_values++ >= SS_FAMILY_VALUES_MAX,
                           "at most a million values of counters"))
      return;
    reader->bindings[reader->n_bindings++] = (SsBinding){.name = name, .value = value};
    ss_read_items (reader, &rows_at, item, user_data);
    reader->n_bindings--;
  }
}

void
ss_read_items (SsReader *reader, const SsJsonAt *list, SsItemFunc item, void *user_data)
{
  SsJsonAt at, for_at;

  if (!ss_read_is_array (reader, list))
    return;
  for (bool more = ss_at_first (reader, list, &at); more; more = ss_at_next (reader, &at)) {
    if (ss_at_member (reader, &at, "for", &for_at)) {
      read_family (reader, &at, item, user_data);
    } else if (reader->n_model_rows >= SS_MODEL_ROWS_MAX) {
      if (reader->n_model_rows++ == SS_MODEL_ROWS_MAX)
        ss_reader_problem (reader, &at, "at most 100000 rows and variables per time point, or entries of a scene",
                           "the list is too large");
      return;
    } else {
      reader->n_model_rows++;
      item (reader, &at, user_data);
    }
    if (reader->out_of_memory)
      return;
  }
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

/* The formula of one size, that begins at `text`; *length: up to its comma or bracket. */
static bool
read_size (SsReader *reader, const SsJsonAt *at, const char *text, size_t *length, int *size)
{
  SsJsonAt size_at = *at;
  int open = 0;
  bool good;

  for (*length = 0; text[*length] != '\0' && (open > 0 || strchr (",]", text[*length]) == NULL); ++*length)
    open += strchr ("([", text[*length]) != NULL ? 1 : strchr (")]", text[*length]) != NULL ? -1 : 0;
  size_at.value = json_stringn (text, *length);
  reader->out_of_memory = reader->out_of_memory || size_at.value == NULL;
  good = size_at.value != NULL && ss_read_integer (reader, &size_at, 1, SS_VARIABLES_MAX, size);
  json_decref (size_at.value);
  return good;
}

void
ss_read_vector (SsReader *reader, const SsJsonAt *at, const char *text, SsElementFunc element, void *user_data)
{
  const bool marks = reader->marks_structural;
  const size_t base = strcspn (text, "[");
  int sizes[2] = {1, 1}, n = 0, index[2];
  size_t place = base, length = 0;
  char name[SS_NAME_MAX + 32];
  const SsSymbol *symbol = ss_names_find (&reader->names, text, base);
  bool good = true;

  reader->marks_structural = true;
  do {
    good = read_size (reader, at, text + place + 1, &length, &sizes[n++]);
    place += length + 1;
  } while (good && n < 2 && text[place] == ',');
  reader->marks_structural = marks;
  if (!good)
    return;
  if (base == 0 || base > SS_NAME_MAX || text[place] != ']' || text[place + 1] != '\0') {
    ss_reader_problem (reader, at, "\"x[5]\", \"x[n]\" or \"u[3,2]\"", "this is no vector of variables");
    return;
  }
  if (symbol != NULL && symbol->kind == SS_SYMBOL_TABLE) {
    ss_reader_problem (reader, at, "a name that is not taken", "'%s' is already a table (line %d)", symbol->name,
                       symbol->line);
    return;
  }
  if ((long long)sizes[0] * sizes[1] > SS_VARIABLES_MAX) {
    ss_reader_problem (reader, at, "at most 100000 variables per time point", "the model has too many variables");
    return;
  }
  const int before = reader->n_problems;
  for (index[0] = 1; index[0] <= sizes[0]; index[0]++)
    for (index[1] = 1; index[1] <= sizes[1] && reader->n_problems == before && !reader->out_of_memory; index[1]++) {
      ss_write_element (name, sizeof name, text, (int)base, n, index);
      element (reader, at, name, user_data);
    }
}
