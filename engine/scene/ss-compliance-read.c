/* engine/scene/ss-compliance-read.c: reads formulas of contacts, of their depth and the rate of their gap, and checks
 * what they give where bodies touch. */
#include "scene/ss-scene-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ss_compliance_inputs[SS_COMPLIANCE_INPUTS] = {"depth", "rate"};

static SsStatus
resolve (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  const SsSceneReader *scene = user_data;
  SsReader *reader = scene->reader;
  SsNameRef ref = {.name = name, .length = length};
  const SsSymbol *symbol;
  int slot = -1;
  SsStatus status;

  if (ss_reader_resolve (reader, reader->scenario->graph, &ref, shift, out, &status, err))
    return status;
  name = ref.name;
  length = ref.length;
  symbol = ref.symbol;
  for (int i = 0; i < SS_COMPLIANCE_INPUTS; i++)
    if (shift == 0 && strlen (ss_compliance_inputs[i]) == length && memcmp (ss_compliance_inputs[i], name, length) == 0)
      slot = i;
  if (slot < 0 && shift == 0 && symbol != NULL && symbol->kind == SS_SYMBOL_PARAMETER)
    slot = scene->scene->slot_parameters + symbol->index;
  if (slot < 0) {
    ss_error_set (err, SS_ERR_INVALID, "the law of a contact cannot read '%.*s'", (int)fmin ((double)length, 99), name);
    if (err != NULL)
      snprintf (err->expected, sizeof err->expected,
                "depth [m, >= 0], rate [m/s, < 0 while bodies approach], parameters");
    return SS_ERR_INVALID;
  }
  *out = ss_graph_input (reader->scenario->graph, slot);
  return *out == SS_EXPR_NONE ? ss_error_set (err, SS_ERR_MEMORY, "out of memory") : SS_OK;
}

/* Where a formula is looked at when it is read: [m], [m/s]. */
static const double tried_depths[] = {0, 1e-6, 1e-2}, tried_rates[] = {-1, 0, 1};

/* Reports a formula that is no force law: not finite, or negative where bodies that touch approach or rest. */
static void
check_values (SsSceneReader *scene, const SsJsonAt *at, SsExpr e)
{
  SsReader *reader = scene->reader;
  const int n_slots = scene->scene->slot_t;
  double *inputs = ss_new_array (double, n_slots + SS_COMPLIANCE_INPUTS);

  if (inputs == NULL) {
    reader->out_of_memory = true;
    return;
  }
  for (int i = 0; i < reader->scenario->n_parameters; i++)
    inputs[scene->scene->slot_parameters + i] = reader->parameters[i].value;
  for (int i = 0; i < 9; i++) {
    char shown[32];
    inputs[SS_COMPLIANCE_DEPTH] = tried_depths[i / 3];
    inputs[SS_COMPLIANCE_RATE] = tried_rates[i % 3];
    const double value = ss_reader_eval (reader, reader->scenario->graph, e, inputs, n_slots);
    if (isfinite (value) && (value >= 0 || tried_rates[i % 3] > 0))
      continue;
    ss_format_double (value, shown, sizeof shown);
    ss_reader_problem (reader, at, "a finite number that is not negative where bodies touch and do not part",
                       "the formula is %s at depth = %g m, rate = %g m/s", shown, tried_depths[i / 3],
                       tried_rates[i % 3]);
    break;
  }
  ss_free (inputs);
}

static SsExpr
read_formula (SsSceneReader *scene, const SsJsonAt *object, const char *key)
{
  SsReader *reader = scene->reader;
  SsGraph *graph = reader->scenario->graph;
  const int before = reader->n_problems;
  SsExpr e = SS_EXPR_NONE;
  SsError error = {0};
  SsJsonAt at;

  if (!ss_at_member (reader, object, key, &at))
    return e;
  scene->scene->graph = graph;
  if (json_is_number (at.value)) {
    e = ss_graph_constant (graph, json_number_value (at.value));
    reader->out_of_memory = reader->out_of_memory || e == SS_EXPR_NONE;
  } else if (!json_is_string (at.value)) {
    ss_reader_problem (reader, &at, "a formula in quotes, such as \"2e6*sqrt(depth)\", or a number",
                       "this is no formula");
  } else {
    const char *text = ss_reader_expand (reader, &at);

    if (text != NULL && ss_expr_parse (graph, text, resolve, scene, &e, &error) != SS_OK) {
      ss_reader_formula_problem (reader, &at, text, &error);
      e = SS_EXPR_NONE;
    }
  }
  if (e != SS_EXPR_NONE && !ss_graph_is_smooth (graph, e))
    ss_reader_problem (reader, &at, "a formula that has a slope",
                       "comparisons, if, floor and mod have no slope, which implicit laws need");
  else if (e != SS_EXPR_NONE && reader->n_problems == before)
    check_values (scene, &at, e);
  return e;
}

const SsCompliance *
ss_read_compliance (SsSceneReader *scene, const SsJsonAt *at, const SsCompliance *fallback)
{
  SS_ASSERT (scene != NULL);

  SsReader *reader = scene->reader;
  SsCompliance *compliance;
  SsJsonAt member;

  if (!ss_at_member (reader, at, "compliance", &member) || !ss_read_is_object (reader, &member))
    return fallback;
  compliance = ss_reader_alloc (reader, 1, sizeof *compliance);
  if (compliance == NULL)
    return fallback;
  compliance->stiffness = read_formula (scene, &member, "stiffness");
  compliance->damping = read_formula (scene, &member, "damping");
  compliance->slip_damping = read_formula (scene, &member, "slip_damping");
  compliance->slip_stiffness = ss_read_real (reader, &member, "slip_stiffness", SS_NONNEGATIVE, 0);
  if (compliance->stiffness == SS_EXPR_NONE && compliance->damping == SS_EXPR_NONE &&
      compliance->slip_damping == SS_EXPR_NONE && !(compliance->slip_stiffness > 0))
    return NULL; /* {}: none, whatever the scene says */
  return compliance;
}
