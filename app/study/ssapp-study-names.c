/* app/study/ssapp-study-names.c: what an axis may be called, whether a value suits it, and initial states in a
 * scenario's text; see ssapp-study.h. */
#include "app/study/ssapp-study-private.h"

#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <string.h>

/* ---- initial states ---------------------------------------------------------------------------------------------- */

/* Initial states of a body, by the fields of its JSON. */
static const struct {
  const char *name, *field;
  int index; /* in a list of two; -1: a number */
  const char *unit;
} states[] = {{"x", "position", 0, "m"},
              {"y", "position", 1, "m"},
              {"angle", "angle", -1, "rad"},
              {"theta", "angle", -1, "rad"},
              {"vx", "velocity", 0, "m/s"},
              {"vy", "velocity", 1, "m/s"},
              {"omega", "angular_velocity", -1, "rad/s"}};
#define STATE_NAMES "x, y, angle, vx, vy, omega"

/* Body and state that a name is of: the longest body's name that fits. -1: none. */
static int
find_state (const SsScene *scene, const char *name, guint *state)
{
  for (int b = 0; scene != NULL && b < scene->n_bodies; b++) {
    const size_t length = strlen (scene->bodies[b].name);
    if (strncmp (name, scene->bodies[b].name, length) != 0 || name[length] != '.')
      continue;
    for (guint s = 0; s < G_N_ELEMENTS (states); s++)
      if (strcmp (name + length + 1, states[s].name) == 0) {
        *state = s;
        return b;
      }
  }
  return -1;
}

const char *
ssapp_study_state_unit (const char *name)
{
  const char *dot = strrchr (name, '.');

  for (guint s = 0; dot != NULL && s < G_N_ELEMENTS (states); s++)
    if (strcmp (dot + 1, states[s].name) == 0)
      return states[s].unit;
  return NULL;
}

gboolean
ssapp_study_set_initial (json_t *scenario, const SsScenario *read, const char *name, double value, GError **error)
{
  guint state = 0;
  const int body = find_state (read->scene, name, &state);
  json_t *object = NULL;

  if (body >= 0 && read->scene->bodies[body].item >= 0)
    object = json_array_get (json_object_get (json_object_get (scenario, "scene"), "bodies"),
                             (size_t)read->scene->bodies[body].item);
  if (!json_is_object (object))
    return ssapp_study_fail (error, "'%s' cannot vary: the body is written by a family, vary its parameters", name);
  if (states[state].index < 0) {
    json_object_set_new (object, states[state].field, json_real (value));
    return TRUE;
  }
  json_t *pair = json_object_get (object, states[state].field);
  if (!json_is_array (pair) || json_array_size (pair) != 2) {
    pair = json_pack ("[i, i]", 0, 0);
    json_object_set_new (object, states[state].field, pair);
  }
  json_array_set_new (pair, (size_t)states[state].index, json_real (value));
  return TRUE;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

const SsOptionTable *
ssapp_study_option_table (const SsMethod *method, const char *name)
{
  g_return_val_if_fail (method != NULL, NULL);
  const SsOptionTable *common = ss_transcription_option_table ();

  return method->kind == SS_METHOD_OPTIMISER && ss_options_find (common, name) >= 0 ? common : method->options;
}

const char *
ssapp_study_own_option (const SsMethod *method, const char *name)
{
  const size_t length = strlen (method->name);

  if (!method->is_built)
    return NULL;
  if (strncmp (name, method->name, length) == 0 && name[length] == '.')
    name += length + 1;
  return ss_options_knows (ssapp_study_option_table (method, name), name) ? name : NULL;
}

static gboolean
is_option (const char *name)
{
  for (int i = 0; i < ss_method_count (); i++)
    if (ss_method_at (i)->kind != SS_METHOD_IMPACT_LAW && ssapp_study_own_option (ss_method_at (i), name) != NULL)
      return TRUE;
  return FALSE;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static char *
list_names (const SsScenario *scenario)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < scenario->n_parameters; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "parameters " : ", ", scenario->parameters[i].name);
  for (int b = 0, n = 0; scenario->scene != NULL && b < scenario->scene->n_bodies; b++)
    if (scenario->scene->bodies[b].item >= 0)
      g_string_append_printf (text, "%s%s",
                              n++ > 0         ? ", "
                              : text->len > 0 ? "; initial states of "
                                              : "initial states of ",
                              scenario->scene->bodies[b].name);
  if (scenario->scene != NULL && scenario->scene->n_bodies > 0)
    g_string_append (text, " (." STATE_NAMES ")");
  g_string_append_printf (text, "%s%sseed, guess; options of methods", text->len > 0 ? "; " : "",
                          scenario->scene != NULL ? "dt, " : "");
  return g_string_free (text, FALSE);
}

/* What is near to a name that is none. */
static const char *
nearest (const SsScenario *scenario, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int i = 0; i < scenario->n_parameters; i++)
    g_ptr_array_add (names, (void *)scenario->parameters[i].name);
  g_ptr_array_add (names, (void *)"seed");
  g_ptr_array_add (names, (void *)"guess");
  g_ptr_array_add (names, (void *)"dt");
  for (int i = 0; i < ss_method_count (); i++) {
    const SsOptionTable *table = ss_method_at (i)->options;
    for (int k = 0; ss_method_at (i)->is_built && k < table->n_specs; k++)
      g_ptr_array_add (names, (void *)table->specs[k].name);
  }
  return ss_nearest_name (name, (const char *const *)names->pdata, (int)names->len);
}

gboolean
ssapp_study_resolve (const SsScenario *scenario, const char *name, SsappAxisKind *kind, GError **error)
{
  guint state;

  if (strcmp (name, "seed") == 0)
    *kind = SSAPP_AXIS_SEED; /* also a parameter of that name */
  else if (ss_scenario_parameter (scenario, name) >= 0)
    *kind = SSAPP_AXIS_PARAMETER;
  else if (strcmp (name, "guess") == 0)
    *kind = SSAPP_AXIS_GUESS;
  else if (strcmp (name, "dt") == 0 && scenario->scene != NULL)
    *kind = SSAPP_AXIS_STEP;
  else if (find_state (scenario->scene, name, &state) >= 0)
    *kind = SSAPP_AXIS_INITIAL;
  else if (is_option (name))
    *kind = SSAPP_AXIS_OPTION;
  else {
    const char *near = nearest (scenario, name);
    g_autofree char *names = list_names (scenario);
    return ssapp_study_fail (error, "'%s' cannot vary in %s%s%s%s: there are %s", name,
                             scenario->name[0] != '\0' ? scenario->name : "this scenario",
                             near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "",
                             names);
  }
  return TRUE;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static gboolean
check_parameter (const SsParameter *parameter, const char *value, GError **error)
{
  double number = NAN;

  if (!ss_parse_double (value, &number))
    return ssapp_study_fail (error, "'%s' of '%s' is no number", value, parameter->name);
  if (parameter->is_integer && number != floor (number))
    return ssapp_study_fail (error, "'%s' takes whole numbers, %s is none", parameter->name, value);
  if (number < parameter->minimum || number > parameter->maximum)
    return ssapp_study_fail (error, "%s is out of the range of '%s', %g to %g", value, parameter->name,
                             parameter->minimum, parameter->maximum);
  return TRUE;
}

/* Of every method of the study that has the option. */
static gboolean
check_option (const SsappStudy *self, const char *name, const char *value, GError **error)
{
  gboolean is_taken = FALSE;

  for (guint i = 0; i < self->methods->len; i++) {
    const SsappStudyMethod *own = g_ptr_array_index (self->methods, i);
    const SsMethod *method = ss_method_lookup (own->id);
    const char *option = method != NULL ? ssapp_study_own_option (method, name) : NULL;
    SsError problem;
    if (option == NULL)
      continue;
    const SsOptionTable *table = ssapp_study_option_table (method, option);
    g_autofree void *scratch = g_malloc0 (MAX (table->size, 1));
    ss_options_init (table, scratch);
    if (ss_options_set (table, scratch, option, value, &problem) != SS_OK)
      return ssapp_study_fail (error, "%s: %s%s%s%s", method->name, problem.message,
                               problem.expected[0] != '\0' ? " (expected " : "", problem.expected,
                               problem.expected[0] != '\0' ? ")" : "");
    is_taken = TRUE;
  }
  return is_taken || ssapp_study_fail (error, "none of the study's methods has an option '%s'", name);
}

gboolean
ssapp_study_check_value (const SsappStudy *self, const SsScenario *scenario, const SsappStudyAxis *axis,
                         const char *value, GError **error)
{
  double number = NAN;

  switch (axis->kind) {
  case SSAPP_AXIS_PARAMETER:
    return check_parameter (&scenario->parameters[ss_scenario_parameter (scenario, axis->name)], value, error);
  case SSAPP_AXIS_SEED:
    return g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, NULL, NULL) ||
           ssapp_study_fail (error, "a seed is a whole number, not negative; %s is none", value);
  case SSAPP_AXIS_STEP:
    return (ss_parse_double (value, &number) && number > 0) ||
           ssapp_study_fail (error, "a step must be above 0; %s is not", value);
  case SSAPP_AXIS_OPTION:
    return check_option (self, axis->name, value, error);
  case SSAPP_AXIS_INITIAL:
  case SSAPP_AXIS_GUESS:
    break;
  }
  return TRUE;
}
