/* engine/scene/ss-parameters.c: the `parameters` section and every number that may be a formula of parameters.
 *
 * Parameter formulas are parsed with input slot = parameter index, ordered by what they read (depth first; what comes
 * back to a parameter in work is a cycle), and evaluated once. A number formula of another section is parsed with
 * parameters as constants. */
#include "scene/ss-scenario-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest whole number that every integer parameter may have: counts fit into an int. */
#define INTEGER_MAX 1e9

int
ss_scenario_parameter (const SsScenario *scenario, const char *name)
{
  SS_ASSERT (scenario != NULL && name != NULL);

  for (int i = 0; i < scenario->n_parameters; i++)
    if (strcmp (scenario->parameters[i].name, name) == 0)
      return i;
  return -1;
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

double
ss_reader_eval (SsReader *reader, const SsGraph *graph, SsExpr e, const double *inputs, int n_inputs)
{
  SS_ASSERT (n_inputs >= 0);

  int n = ss_graph_n_nodes (graph);

  if (e == SS_EXPR_NONE)
    return NAN;
  if (n > reader->memo_size) {
    int size = n > 2 * reader->memo_size ? n : 2 * reader->memo_size;
    double *memo = ss_new_array (double, size);
    int *stamp = ss_new_array (int, size);

    if (memo == NULL || stamp == NULL) {
      ss_free (memo);
      ss_free (stamp);
      reader->out_of_memory = true;
      return NAN;
    }
    ss_free (reader->memo);
    ss_free (reader->stamp);
    reader->memo = memo;
    reader->stamp = stamp;
    reader->memo_size = size;
    reader->tick = 0;
  }
  return ss_graph_eval (graph, e, inputs, n_inputs, reader->memo, reader->stamp, ++reader->tick);
}

void
ss_reader_formula_problem (SsReader *reader, const SsJsonAt *at, const char *text, const SsError *error)
{
  enum { SHOWN = 60 }; /* characters of the formula in the message */

  if (error->status == SS_ERR_MEMORY) {
    reader->out_of_memory = true;
    return;
  }
  if (error->column > 0)
    ss_reader_problem (reader, at, error->expected, "%s (character %d of '%.*s%s')", error->message, error->column,
                       SHOWN, text, strlen (text) > SHOWN ? "..." : "");
  else
    ss_reader_problem (reader, at, error->expected, "%s", error->message);
}

/* ---- names in number formulas ------------------------------------------------------------------------------------ */

typedef struct {
  SsReader *reader;
  SsGraph *graph;
  bool as_input; /* in parameter formulas: an input; else the value as a constant         */
  bool is_quiet; /* stopped at a parameter with a problem that has been reported already */
} NumberScope;

static SsStatus
resolve_parameter (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  NumberScope *scope = user_data;
  SsReader *reader = scope->reader;
  SsNameRef ref = {.name = name, .length = length};
  const SsSymbol *symbol;
  SsStatus status;

  /* Parameters have no values before all their formulas are read. */
  const bool is_early = shift == SS_NAME_CONSTANT && scope->as_input;
  if (ss_reader_resolve (reader, scope->graph, &ref, is_early ? SS_NAME_VALUE : shift, out, &status, err))
    return status;
  if (is_early)
    return ss_error_set (err, SS_ERR_INVALID, "indices and limits of sums in a parameter's formula are plain numbers");
  name = ref.name;
  length = ref.length;
  symbol = ref.symbol;
  if (shift != SS_NAME_VALUE)
    return ss_error_set (err, SS_ERR_INVALID, "next() has no meaning here; only parameters can be used");
  if (symbol == NULL || symbol->kind != SS_SYMBOL_PARAMETER) {
    char wrong[SS_NAME_MAX + 1];
    const char *near;

    snprintf (wrong, sizeof wrong, "%.*s", (int)(length < SS_NAME_MAX ? length : SS_NAME_MAX), name);
    near = ss_reader_nearest (reader, wrong, 1u << SS_SYMBOL_PARAMETER);
    if (symbol != NULL)
      ss_error_set (err, SS_ERR_INVALID, "'%s' is no parameter; a number can depend on parameters only", wrong);
    else if (near != NULL)
      ss_error_set (err, SS_ERR_INVALID, "unknown name '%s'; did you mean '%s'?", wrong, near);
    else
      ss_error_set (err, SS_ERR_INVALID, "unknown name '%s'", wrong);
    if (err != NULL)
      snprintf (err->expected, sizeof err->expected, "names of parameters");
    return SS_ERR_INVALID;
  }
  if (scope->as_input) {
    *out = ss_graph_input (scope->graph, symbol->index);
    return SS_OK;
  }
  if (reader->parameter_is_bad[symbol->index]) {
    scope->is_quiet = true;
    return ss_error_set (err, SS_ERR_INVALID, "the parameter '%s' is not valid", symbol->name);
  }
  if (reader->marks_structural)
    reader->parameters[symbol->index].is_structural = true;
  *out = ss_graph_constant (scope->graph, reader->parameters[symbol->index].value);
  return SS_OK;
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

/* The place of a parameter's number or formula. */
static bool
find_value (SsReader *reader, const SsJsonAt *at, SsJsonAt *value)
{
  if (!json_is_object (at->value)) {
    *value = *at;
    return true;
  }
  return ss_read_member (reader, at, "value", "a number or a formula", value);
}

/* First pass: name, description, range. */
static void
declare_parameter (SsReader *reader, const SsJsonAt *at, int index)
{
  SsParameter *parameter = &reader->parameters[index];

  parameter->name = ss_reader_strdup (reader, at->key);
  parameter->description = "";
  parameter->minimum = -INFINITY;
  parameter->maximum = INFINITY;
  if (!ss_reader_add_name (reader, at, parameter->name, SS_SYMBOL_PARAMETER, index))
    reader->parameter_is_bad[index] = true;
  if (json_is_object (at->value)) {
    SsJsonAt limit;

    parameter->description = ss_read_text (reader, at, "description", "");
    parameter->is_integer = ss_read_boolean (reader, at, "integer", false);
    if (ss_at_member (reader, at, "minimum", &limit)) {
      if (json_is_number (limit.value))
        parameter->minimum = json_number_value (limit.value);
      else
        ss_reader_problem (reader, &limit, "a number", "a limit is a plain number");
    }
    if (ss_at_member (reader, at, "maximum", &limit)) {
      if (json_is_number (limit.value))
        parameter->maximum = json_number_value (limit.value);
      else
        ss_reader_problem (reader, &limit, "a number", "a limit is a plain number");
    }
    if (parameter->minimum > parameter->maximum)
      ss_reader_problem (reader, at, "minimum <= maximum", "no value fits between minimum and maximum");
  }
}

/* Second pass: the number, or the formula as an expression of parameters. */
static SsExpr
parse_parameter (SsReader *reader, const SsJsonAt *at, int index)
{
  SsParameter *parameter = &reader->parameters[index];
  SsJsonAt value;
  SsExpr e = SS_EXPR_NONE;

  if (!find_value (reader, at, &value)) {
    reader->parameter_is_bad[index] = true;
  } else if (json_is_number (value.value)) {
    parameter->value = json_number_value (value.value);
  } else if (json_is_string (value.value)) {
    NumberScope scope = {.reader = reader, .graph = reader->scratch, .as_input = true};
    SsError error = {0};

    parameter->formula = ss_reader_strdup (reader, json_string_value (value.value));
    if (ss_expr_parse (reader->scratch, parameter->formula, resolve_parameter, &scope, &e, &error) != SS_OK) {
      ss_reader_formula_problem (reader, &value, parameter->formula, &error);
      reader->parameter_is_bad[index] = true;
      e = SS_EXPR_NONE;
    }
  } else {
    ss_reader_problem (reader, &value, "a number, or a formula in quotes", "a parameter is a number");
    reader->parameter_is_bad[index] = true;
  }
  return e;
}

/* Message for a value that breaks the parameter's rules; false if it keeps them. */
static bool
breaks_rules (const SsParameter *parameter, double value, char *message, size_t size)
{
  char shown[32], limit[32];

  ss_format_double (value, shown, sizeof shown);
  if (!isfinite (value))
    snprintf (message, size, "'%s' is not a finite number", parameter->name);
  else if (parameter->is_integer && (value != floor (value) || fabs (value) > INTEGER_MAX))
    snprintf (message, size, "'%s' is a whole number up to 1e9, not %s", parameter->name, shown);
  else if (value < parameter->minimum) {
    ss_format_double (parameter->minimum, limit, sizeof limit);
    snprintf (message, size, "'%s' is %s, below its minimum %s", parameter->name, shown, limit);
  } else if (value > parameter->maximum) {
    ss_format_double (parameter->maximum, limit, sizeof limit);
    snprintf (message, size, "'%s' is %s, above its maximum %s", parameter->name, shown, limit);
  } else
    return false;
  return true;
}

static void
expected_range (const SsParameter *parameter, char *expected, size_t size)
{
  char lo[32] = "", hi[32] = "";

  if (parameter->minimum > -INFINITY)
    ss_format_double (parameter->minimum, lo, sizeof lo);
  if (parameter->maximum < INFINITY)
    ss_format_double (parameter->maximum, hi, sizeof hi);
  snprintf (expected, size, "%s%s%s%s%s%s", parameter->is_integer ? "a whole number" : "a number",
            lo[0] ? " from " : "", lo, hi[0] ? " to " : "", hi, lo[0] && !hi[0] ? " up" : "");
}

/* A problem of the command line. */
static void
report_override (SsReader *reader, const char *name, const char *message, const char *expected)
{
  SsError error = {.status = SS_ERR_INVALID};

  reader->n_problems++;
  snprintf (error.path, sizeof error.path, "--set %.100s", name);
  snprintf (error.message, sizeof error.message, "%s", message);
  snprintf (error.expected, sizeof error.expected, "%s", expected);
  ss_problems_add (reader->problems, &error);
}

static void
apply_overrides (SsReader *reader, const SsOverride *overrides, int n_overrides)
{
  char message[256], expected[128];

  for (int i = 0; i < n_overrides; i++) {
    const SsSymbol *symbol = ss_names_find (&reader->names, overrides[i].name, strlen (overrides[i].name));
    SsParameter *parameter;

    if (symbol == NULL || symbol->kind != SS_SYMBOL_PARAMETER) {
      const char *near = ss_reader_nearest (reader, overrides[i].name, 1u << SS_SYMBOL_PARAMETER);

      snprintf (message, sizeof message,
                near != NULL ? "unknown parameter '%.60s'; did you mean '%s'?" : "unknown parameter '%.60s'",
                overrides[i].name, near);
      report_override (reader, overrides[i].name, message, "a parameter of the scenario");
      continue;
    }
    parameter = &reader->parameters[symbol->index];
    if (breaks_rules (parameter, overrides[i].value, message, sizeof message)) {
      expected_range (parameter, expected, sizeof expected);
      report_override (reader, overrides[i].name, message, expected);
      reader->parameter_is_bad[symbol->index] = true;
    }
    parameter->value = overrides[i].value;
    parameter->is_overridden = true;
  }
}

/* Lists what each formula reads. */
static bool
collect_reads (SsReader *reader, const SsExpr *formulas, int n)
{
  int *slots = ss_new_array (int, n + 1), n_reads = 0, capacity = 0;
  bool good = slots != NULL;

  for (int i = 0; i < n && good; i++) {
    int n_slots = formulas[i] != SS_EXPR_NONE ? ss_graph_inputs (reader->scratch, formulas[i], slots, n) : 0;

    reader->reads_start[i] = n_reads;
    good = ss_array_reserve ((void **)&reader->reads, &capacity, n_reads + n_slots + 1, sizeof (int)) == 0;
    if (good && n_slots > 0)
      memcpy (reader->reads + n_reads, slots, (size_t)n_slots * sizeof (int));
    n_reads += n_slots;
  }
  reader->reads_start[n] = n_reads;
  if (!good)
    reader->out_of_memory = true;
  ss_free (slots);
  return good;
}

/* Value of a formula whose parameters are known. */
static void
evaluate_parameter (SsReader *reader, SsExpr formula, int index, double *values, int n)
{
  SsParameter *parameter = &reader->parameters[index];

  for (int r = reader->reads_start[index]; r < reader->reads_start[index + 1]; r++)
    if (reader->parameter_is_bad[reader->reads[r]] && !parameter->is_overridden)
      reader->parameter_is_bad[index] = true;
  if (formula != SS_EXPR_NONE && !parameter->is_overridden && !reader->parameter_is_bad[index])
    parameter->value = ss_reader_eval (reader, reader->scratch, formula, values, n);
  values[index] = parameter->value;
}

/* "a -> b -> a" of a cycle that closes at the top of the stack. */
static void
report_cycle (SsReader *reader, const SsJsonAt *parameters_at, const int *stack, int depth, int closes)
{
  char chain[200] = "";
  int from = depth - 1;
  SsJsonAt at;

  while (from > 0 && stack[from] != closes)
    from--;
  for (int i = from; i < depth; i++) {
    size_t used = strlen (chain);

    snprintf (chain + used, sizeof chain - used, "%s -> ", reader->parameters[stack[i]].name);
    reader->parameter_is_bad[stack[i]] = true;
  }
  if (!ss_at_member (reader, parameters_at, reader->parameters[closes].name, &at))
    at = *parameters_at;
  ss_reader_problem (reader, &at, "formulas that do not depend on themselves", "the parameters form a cycle: %s%s",
                     chain, reader->parameters[closes].name);
}

/* Depth-first evaluation with a stack of our own: chains may be as long as the list. */
static void
evaluate_parameters (SsReader *reader, const SsJsonAt *at, const SsExpr *formulas, int n)
{
  enum { UNTOUCHED, IN_WORK, DONE };
  int *stack = ss_new_array (int, n + 1), *cursor = ss_new_array (int, n + 1);
  unsigned char *state = ss_new_array (unsigned char, n + 1);
  double *values = ss_new_array (double, n + 1);

  if (stack == NULL || cursor == NULL || state == NULL || values == NULL) {
    reader->out_of_memory = true;
    goto out;
  }
  for (int root = 0; root < n; root++) {
    int depth = 0;

    if (state[root] != UNTOUCHED)
      continue;
    stack[depth++] = root;
    state[root] = IN_WORK;
    cursor[root] = reader->reads_start[root];
    while (depth > 0) {
      int index = stack[depth - 1];

      if (cursor[index] < reader->reads_start[index + 1]) {
        int read = reader->reads[cursor[index]++];

        if (state[read] == IN_WORK) {
          report_cycle (reader, at, stack, depth, read);
        } else if (state[read] == UNTOUCHED) {
          state[read] = IN_WORK;
          cursor[read] = reader->reads_start[read];
          stack[depth++] = read;
        }
      } else {
        evaluate_parameter (reader, formulas[index], index, values, n);
        state[index] = DONE;
        depth--;
      }
    }
  }

out:
  ss_free (stack);
  ss_free (cursor);
  ss_free (state);
  ss_free (values);
}

bool
ss_read_parameters (SsReader *reader, const SsJsonAt *root, const SsOverride *overrides, int n_overrides)
{
  SS_ASSERT (n_overrides >= 0);

  SsJsonAt at, child;
  SsExpr *formulas = NULL;
  int n = 0, index = 0;
  bool has_section = ss_at_member (reader, root, "parameters", &at) && ss_read_is_object (reader, &at);

  if (has_section && json_object_size (at.value) > SS_PARAMETERS_MAX) {
    ss_reader_problem (reader, &at, "at most 10000 parameters", "there are too many parameters");
    has_section = false;
  }
  n = has_section ? (int)json_object_size (at.value) : 0;
  reader->parameters = ss_reader_alloc (reader, (size_t)n, sizeof *reader->parameters);
  reader->parameter_is_bad = ss_reader_alloc (reader, (size_t)n, sizeof *reader->parameter_is_bad);
  reader->reads_start = ss_reader_alloc (reader, (size_t)n + 1, sizeof *reader->reads_start);
  formulas = ss_new_array (SsExpr, n + 1);
  if (reader->parameters == NULL || reader->parameter_is_bad == NULL || reader->reads_start == NULL ||
      formulas == NULL) {
    ss_free (formulas);
    reader->out_of_memory = true;
    return false;
  }
  reader->scenario->parameters = reader->parameters;
  reader->scenario->n_parameters = n;

  if (has_section) {
    for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
      declare_parameter (reader, &child, index++);
    index = 0;
    for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child), index++)
      formulas[index] = parse_parameter (reader, &child, index);
  }
  apply_overrides (reader, overrides, n_overrides);
  if (has_section && collect_reads (reader, formulas, n))
    evaluate_parameters (reader, &at, formulas, n);

  /* Rules of the values that come from the file. */
  index = 0;
  for (bool more = has_section && ss_at_first (reader, &at, &child); more;
       more = ss_at_next (reader, &child), index++) {
    char message[256], expected[128];
    SsJsonAt value;

    if (reader->parameter_is_bad[index] || reader->parameters[index].is_overridden)
      continue;
    if (breaks_rules (&reader->parameters[index], reader->parameters[index].value, message, sizeof message)) {
      if (!find_value (reader, &child, &value))
        value = child;
      expected_range (&reader->parameters[index], expected, sizeof expected);
      ss_reader_problem (reader, &value, expected, "%s", message);
      reader->parameter_is_bad[index] = true;
    }
  }
  ss_free (formulas);
  return !reader->out_of_memory;
}

void
ss_reader_close_structural (SsReader *reader)
{
  int n = reader->scenario->n_parameters;
  int *stack = ss_new_array (int, n + 1), depth = 0;

  if (stack == NULL) {
    reader->out_of_memory = true;
    return;
  }
  for (int i = 0; i < n; i++)
    if (reader->parameters[i].is_structural)
      stack[depth++] = i;
  /* Each parameter is pushed once: when it becomes structural. */
  while (depth > 0) {
    int i = stack[--depth];

    for (int r = reader->reads_start[i]; r < reader->reads_start[i + 1]; r++) {
      int read = reader->reads[r];

      if (!reader->parameters[read].is_structural) {
        reader->parameters[read].is_structural = true;
        stack[depth++] = read;
      }
    }
  }
  ss_free (stack);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static bool
keeps_rule (double value, SsNumberRule rule)
{
  switch (rule) {
  case SS_POSITIVE:
    return value > 0;
  case SS_NONNEGATIVE:
    return value >= 0;
  case SS_UNIT_INTERVAL:
    return value >= 0 && value <= 1;
  default:
    return true;
  }
}

bool
ss_read_number (SsReader *reader, const SsJsonAt *at, SsNumberRule rule, double *value)
{
  SS_ASSERT (at != NULL);
  static const char *const expected[] = {"a finite number", "a number above 0", "a number, 0 or more",
                                         "a number from 0 to 1"};
  double number;

  if (json_is_number (at->value)) {
    number = json_number_value (at->value);
  } else if (json_is_string (at->value)) {
    NumberScope scope = {.reader = reader, .graph = reader->scratch};
    const char *text = ss_reader_expand (reader, at);
    SsError error = {0};
    SsExpr e;

    if (text == NULL)
      return false;
    if (ss_expr_parse (reader->scratch, text, resolve_parameter, &scope, &e, &error) != SS_OK) {
      if (!scope.is_quiet)
        ss_reader_formula_problem (reader, at, text, &error);
      return false;
    }
    number = ss_reader_eval (reader, reader->scratch, e, NULL, 0);
  } else {
    ss_reader_problem (reader, at, "a number, or a formula of parameters in quotes", "this is no number");
    return false;
  }
  if (!isfinite (number) || !keeps_rule (number, rule)) {
    char shown[32];

    ss_format_double (number, shown, sizeof shown);
    ss_reader_problem (reader, at, expected[rule], "the value is %s", shown);
    return false;
  }
  *value = number;
  return true;
}

double
ss_read_real (SsReader *reader, const SsJsonAt *object, const char *key, SsNumberRule rule, double fallback)
{
  SsJsonAt at;
  double value = isnan (fallback) ? 0 : fallback;

  if (!isnan (fallback) && !ss_at_member (reader, object, key, &at))
    return fallback;
  if (ss_read_member (reader, object, key, "a number", &at) && !ss_read_number (reader, &at, rule, &value))
    value = isnan (fallback) ? 0 : fallback;
  return value;
}

bool
ss_read_integer (SsReader *reader, const SsJsonAt *at, int minimum, int maximum, int *value)
{
  double number;
  char expected[80];

  if (!ss_read_number (reader, at, SS_ANY_NUMBER, &number))
    return false;
  if (number != floor (number) || number < minimum || number > maximum) {
    char shown[32];

    ss_format_double (number, shown, sizeof shown);
    snprintf (expected, sizeof expected, "a whole number from %d to %d", minimum, maximum);
    ss_reader_problem (reader, at, expected, "the value is %s", shown);
    return false;
  }
  *value = (int)number;
  return true;
}

bool
ss_read_pair (SsReader *reader, const SsJsonAt *at, SsVec2 *value)
{
  SsJsonAt child;
  double numbers[2] = {0, 0};
  bool good = true;

  if (!json_is_array (at->value) || json_array_size (at->value) != 2) {
    ss_reader_problem (reader, at, "two numbers [x, y]", "this is not a pair of numbers");
    return false;
  }
  for (bool more = ss_at_first (reader, at, &child); more; more = ss_at_next (reader, &child))
    good = ss_read_number (reader, &child, SS_ANY_NUMBER, &numbers[child.index]) && good;
  *value = (SsVec2){numbers[0], numbers[1]};
  return good;
}
