/* app/study/ssapp-study-names.c: what an axis may be called, and whether a value suits it; see ssapp-study.h. */
#include "app/study/ssapp-study-private.h"

#include "scene/ss-number.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <string.h>

/* ---- numbers of the scene ---------------------------------------------------------------------------------------- */

#define STATE_NAMES "x, y, angle, vx, vy, omega"

/* What fields of bodies and contacts are measured in. */
static const struct {
  const char *field, *unit;
} units[] = {{"x", "m"},           {"y", "m"},       {"angle", "rad"},   {"theta", "rad"},
             {"vx", "m/s"},        {"vy", "m/s"},    {"omega", "rad/s"}, {"mass", "kg"},
             {"inertia", "kg m²"}, {"rolling", "m"}, {"cohesion", "N"}};

const char *
ssapp_study_number_unit (const char *name)
{
  const char *dot = strrchr (name, '.');

  if (dot != NULL && g_str_has_prefix (name, "gravity."))
    return "m/s²";
  for (guint s = 0; dot != NULL && s < G_N_ELEMENTS (units); s++)
    if (strcmp (dot + 1, units[s].field) == 0)
      return units[s].unit;
  return NULL;
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
    g_string_append (text, " (." STATE_NAMES "); numbers of the file (scene.restitution, A-B.friction, BODY.mass)");
  g_string_append_printf (text, "%s%sseed, guess; options of methods", text->len > 0 ? "; " : "",
                          scenario->scene != NULL ? "dt, t_end, " : "");
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
  g_ptr_array_add (names, (void *)"t_end");
  for (int i = 0; i < ss_method_count (); i++) {
    const SsOptionTable *table = ss_method_at (i)->options;
    for (int k = 0; ss_method_at (i)->is_built && k < table->n_specs; k++)
      g_ptr_array_add (names, (void *)table->specs[k].name);
  }
  return ss_nearest_name (name, (const char *const *)names->pdata, (int)names->len);
}

/* "floor-box.friction": what the name says it is of is there, whatever it has. */
static gboolean
is_of_scene (const SsScene *scene, const char *name)
{
  const char *dot = strrchr (name, '.');
  const size_t length = dot != NULL ? (size_t)(dot - name) : 0;
  gboolean is = FALSE;

  for (int i = 0; scene != NULL && dot != NULL && !is && i < scene->n_contacts; i++)
    is = strncmp (scene->contacts[i].name, name, length) == 0 && scene->contacts[i].name[length] == '\0';
  for (int i = 0; scene != NULL && dot != NULL && !is && i < scene->n_bodies; i++)
    is = strncmp (scene->bodies[i].name, name, length) == 0 && scene->bodies[i].name[length] == '\0';
  return is;
}

gboolean
ssapp_study_resolve (const SsScenario *scenario, const char *name, SsappAxisKind *kind, GError **error)
{
  SsNumber number;
  SsError why = {0};

  if (strcmp (name, "seed") == 0)
    *kind = SSAPP_AXIS_SEED; /* also a parameter of that name */
  else if (ss_scenario_parameter (scenario, name) >= 0)
    *kind = SSAPP_AXIS_PARAMETER;
  else if (strcmp (name, "guess") == 0)
    *kind = SSAPP_AXIS_GUESS;
  else if (strcmp (name, "dt") == 0 && scenario->scene != NULL)
    *kind = SSAPP_AXIS_STEP;
  else if (strcmp (name, "t_end") == 0 && scenario->scene != NULL)
    *kind = SSAPP_AXIS_HORIZON;
  else if (ss_scenario_number (scenario, name, &number, &why) == SS_OK)
    *kind = SSAPP_AXIS_NUMBER;
  else if (is_option (name))
    *kind = SSAPP_AXIS_OPTION;
  else {
    const char *near = is_of_scene (scenario->scene, name) ? NULL : nearest (scenario, name);
    g_autofree char *names = list_names (scenario);
    const gboolean is_field = near == NULL && strchr (name, '.') != NULL; /* the reason says what is wrong with it */
    return ssapp_study_fail (error, "'%s' cannot vary in %s%s%s%s: %s%sthere are %s", name,
                             scenario->name[0] != '\0' ? scenario->name : "this scenario",
                             near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "",
                             is_field ? why.message : "", is_field ? "; " : "", names);
  }
  return TRUE;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static gboolean
check_range (const char *name, const char *value, double number, double lower, double upper, GError **error)
{
  return (number >= lower && number <= upper) ||
         ssapp_study_fail (error, "%s is out of the range of '%s', %g to %g", value, name, lower, upper);
}

static gboolean
check_parameter (const SsParameter *parameter, const char *value, GError **error)
{
  double number = NAN;

  if (!ss_parse_double (value, &number))
    return ssapp_study_fail (error, "'%s' of '%s' is no number", value, parameter->name);
  if (parameter->is_integer && number != floor (number))
    return ssapp_study_fail (error, "'%s' takes whole numbers, %s is none", parameter->name, value);
  return check_range (parameter->name, value, number, parameter->minimum, parameter->maximum, error);
}

static gboolean
check_number (const SsScenario *scenario, const char *name, const char *value, GError **error)
{
  double number = NAN;
  SsNumber of;
  SsError why;

  if (!ss_parse_double (value, &number))
    return ssapp_study_fail (error, "'%s' of '%s' is no number", value, name);
  if (ss_scenario_number (scenario, name, &of, &why) != SS_OK)
    return ssapp_study_fail (error, "%s", why.message);
  return check_range (name, value, number, of.lower, of.upper, error);
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
  case SSAPP_AXIS_NUMBER:
    return check_number (scenario, axis->name, value, error);
  case SSAPP_AXIS_SEED:
    return g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, NULL, NULL) ||
           ssapp_study_fail (error, "a seed is a whole number, not negative; %s is none", value);
  case SSAPP_AXIS_STEP:
    return (ss_parse_double (value, &number) && number > 0) ||
           ssapp_study_fail (error, "a step must be above 0; %s is not", value);
  case SSAPP_AXIS_HORIZON:
    return (ss_parse_double (value, &number) && number > 0) ||
           ssapp_study_fail (error, "a horizon must be above 0; %s is not", value);
  case SSAPP_AXIS_OPTION:
    return check_option (self, axis->name, value, error);
  case SSAPP_AXIS_GUESS:
    break;
  }
  return TRUE;
}
