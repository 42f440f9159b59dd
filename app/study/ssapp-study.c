/* app/study/ssapp-study.c: the definition of a study: axes, methods, checks; see ssapp-study.h. */
#include "app/study/ssapp-study-private.h"

#include <math.h>
#include <string.h>

#include "app/base/ssapp-method-list.h"
#include "app/job/ssapp-interests.h"
#include "core/ss-core.h"
#include "scene/ss-number.h"

/* ---- life -------------------------------------------------------------------------------------------------------- */

static SsappStudyMethod *
method_copy (const SsappStudyMethod *method)
{
  g_return_val_if_fail (method != NULL, NULL);
  SsappStudyMethod *copy = g_new0 (SsappStudyMethod, 1);

  copy->id = method->id;
  copy->label = g_strdup (method->label);
  copy->names = g_strdupv (method->names);
  copy->values = g_strdupv (method->values);
  return copy;
}

static void
method_free (SsappStudyMethod *method)
{
  g_free (method->label);
  g_strfreev (method->names);
  g_strfreev (method->values);
  g_free (method);
}

static const SsappStudyNumber numbers[] = {
    {"time", "seconds", "--time-limit", "s", 1, offsetof (SsappStudy, time_limit), TRUE},
    {"cpu", "cpu_seconds", "--cpu-limit", "s of CPU time", 1, offsetof (SsappStudy, cpu_limit), TRUE},
    {"memory", "bytes", "--memory-limit", "GB", 1e9, offsetof (SsappStudy, memory_limit), TRUE},
    {"bound", "bound", "--bound", "s for a lower bound", 1, offsetof (SsappStudy, bound), FALSE},
};

const SsappStudyNumber *
ssapp_study_numbers (guint *n)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = G_N_ELEMENTS (numbers);
  return numbers;
}

SsappStudy *
ssapp_study_new (const char *title, const char *scenario_name, const char *scenario_text)
{
  SsappStudy *self = g_new0 (SsappStudy, 1);

  self->title = g_strdup (title != NULL ? title : "");
  self->scenario_name = g_strdup (scenario_name != NULL ? scenario_name : "");
  self->scenario_text = g_strdup (scenario_text != NULL ? scenario_text : "");
  self->axes = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_study_axis_free);
  self->methods = g_ptr_array_new_with_free_func ((GDestroyNotify)method_free);
  self->outcomes = g_ptr_array_new_with_free_func (g_free);
  self->seed = 1;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    *ssapp_study_number (self, &numbers[i]) = NAN;
  return self;
}

void
ssapp_study_free (SsappStudy *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_free (self->scenario_name);
  g_free (self->scenario_text);
  g_ptr_array_unref (self->axes);
  g_ptr_array_unref (self->methods);
  g_ptr_array_unref (self->outcomes);
  g_free (self);
}

SsappStudy *
ssapp_study_copy (const SsappStudy *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappStudy *copy = ssapp_study_new (self->title, self->scenario_name, self->scenario_text);

  for (guint i = 0; i < self->axes->len; i++)
    g_ptr_array_add (copy->axes, ssapp_study_axis_copy (g_ptr_array_index (self->axes, i)));
  for (guint i = 0; i < self->methods->len; i++)
    g_ptr_array_add (copy->methods, method_copy (g_ptr_array_index (self->methods, i)));
  for (guint i = 0; i < self->outcomes->len; i++)
    g_ptr_array_add (copy->outcomes, g_strdup (g_ptr_array_index (self->outcomes, i)));
  copy->draw = self->draw;
  copy->n_drawn = self->n_drawn;
  copy->seed = self->seed;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    *ssapp_study_number (copy, &numbers[i]) = ssapp_study_get_number (self, &numbers[i]);
  copy->workers = self->workers;
  copy->keep = self->keep;
  return copy;
}

SsScenario *
ssapp_study_read_scenario (const SsappStudy *self, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (ss_scenario_read (self->scenario_text, strlen (self->scenario_text), self->scenario_name, NULL, 0, &problems,
                        &scenario) != SS_OK) {
    char line[1024] = "it cannot be read";
    if (problems.n_items > 0)
      ss_error_format (&problems.items[0], line, sizeof line);
    ssapp_study_fail (error, "the scenario of the study: %s", line);
  }
  ss_problems_clear (&problems);
  return scenario;
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static int
find_axis (const SsappStudy *self, const char *name)
{
  for (guint i = 0; i < self->axes->len; i++)
    if (strcmp (((SsappStudyAxis *)g_ptr_array_index (self->axes, i))->name, name) == 0)
      return (int)i;
  return -1;
}

/* Every value; of a range its ends. Options wait for ssapp_study_check, since the methods may still come. */
static gboolean
check_values (const SsappStudy *self, const SsScenario *scenario, const SsappStudyAxis *axis, GError **error)
{
  for (guint i = 0; axis->values != NULL && axis->values[i] != NULL; i++)
    if (!ssapp_study_check_value (self, scenario, axis, axis->values[i], error))
      return FALSE;
  if (axis->form != SSAPP_AXIS_RANGE)
    return TRUE;
  const double ends[] = {axis->is_integer ? ceil (axis->from) : axis->from,
                         axis->is_integer ? floor (axis->to) : axis->to};
  if (!(ends[0] <= ends[1]))
    return ssapp_study_fail (error, "there is no whole number in the range %s of '%s'", axis->text, axis->name);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    char text[32];
    ss_format_double (ends[i], text, sizeof text);
    if (!ssapp_study_check_value (self, scenario, axis, text, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
ssapp_study_set_axis (SsappStudy *self, const char *name, const char *values, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_autofree char *stripped = g_strstrip (g_strdup (name));
  SsScenario *scenario = ssapp_study_read_scenario (self, error);
  SsappStudyAxis *axis = NULL;
  SsappAxisKind kind;
  gboolean ok = scenario != NULL && ssapp_study_resolve (scenario, stripped, &kind, error);

  if (ok) {
    axis = ssapp_study_axis_new (kind, stripped);
    const int parameter = ss_scenario_parameter (scenario, stripped);
    axis->is_integer =
        kind == SSAPP_AXIS_SEED || (kind == SSAPP_AXIS_PARAMETER && scenario->parameters[parameter].is_integer);
    ok = ssapp_study_axis_read_values (axis, values, error) &&
         (kind == SSAPP_AXIS_OPTION || check_values (self, scenario, axis, error));
  }
  ss_scenario_free (scenario);
  if (!ok) {
    if (axis != NULL)
      ssapp_study_axis_free (axis);
    return FALSE;
  }
  const int place = find_axis (self, stripped);
  if (place >= 0) {
    ssapp_study_axis_free (g_ptr_array_index (self->axes, (guint)place));
    g_ptr_array_index (self->axes, (guint)place) = axis;
  } else {
    g_ptr_array_add (self->axes, axis);
  }
  return TRUE;
}

void
ssapp_study_remove_axis (SsappStudy *self, const char *name)
{
  g_return_if_fail (self != NULL);
  const int place = find_axis (self, name);

  if (place >= 0)
    g_ptr_array_remove_index (self->axes, (guint)place);
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

/* "CRISP, relax 10" */
static char *
make_label (const SsMethod *method, char **names, char **values)
{
  GString *text = g_string_new (method->label);

  for (guint i = 0; names[i] != NULL; i++)
    g_string_append_printf (text, ", %s %s", names[i], values[i]);
  return g_string_free (text, FALSE);
}

/* `kind`: SS_METHOD_KIND_COUNT where it is not said. */
static const SsMethod *
find_method (const SsappStudy *self, SsMethodKind kind, const char *name, GError **error)
{
  const SsappStudyMethod *first = self->methods->len > 0 ? g_ptr_array_index (self->methods, 0) : NULL;
  /* Of a name that kinds share, the one is meant that goes with the first. */
  const SsMethodKind meant = kind != SS_METHOD_KIND_COUNT ? kind
                             : first != NULL              ? first->id.kind
                                                          : SS_METHOD_INTEGRATOR;
  const SsMethod *method = ss_method_lookup ((SsMethodId){meant, name});
  SsError problem;

  if (method == NULL)
    method = ss_method_find_either (SS_METHOD_INTEGRATOR, SS_METHOD_OPTIMISER, name, &problem);
  if (method == NULL) {
    ssapp_study_fail (error, "%s%s%s", problem.message, problem.expected[0] != '\0' ? "; did you mean " : "",
                      problem.expected);
    return NULL;
  }
  if (!method->is_built) {
    ssapp_study_fail (error, "'%s' is %s", method->name, method->why_not);
    return NULL;
  }
  if (first != NULL && first->id.kind != method->kind) {
    ssapp_study_fail (error, "integrators and optimisers cannot be in one study");
    return NULL;
  }
  return method;
}

static gboolean
check_method_option (const SsMethod *method, const char *name, const char *value, GError **error)
{
  const SsOptionTable *table = ssapp_study_option_table (method, name);
  g_autofree void *scratch = g_malloc0 (MAX (table->size, 1));
  SsError problem;

  ss_options_init (table, scratch);
  if (ss_options_set (table, scratch, name, value, &problem) == SS_OK)
    return TRUE;
  return ssapp_study_fail (error, "%s: %s%s%s%s", method->name, problem.message,
                           problem.expected[0] != '\0' ? " (expected " : "", problem.expected,
                           problem.expected[0] != '\0' ? ")" : "");
}

gboolean
ssapp_study_add_method_with (SsappStudy *self, SsMethodKind kind, const char *name, GPtrArray *names, GPtrArray *values,
                             const char *label, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  /* As a study that was kept has it. Its figures need no method; check_methods refuses to run it. */
  const gboolean is_kept = kind != SS_METHOD_KIND_COUNT && label != NULL,
                 is_absent = is_kept && ss_method_lookup ((SsMethodId){kind, name}) == NULL;
  const SsMethod *method = is_absent ? NULL : find_method (self, kind, name, error);

  for (guint i = 0; method != NULL && i < names->len; i++)
    if (!check_method_option (method, g_ptr_array_index (names, i), g_ptr_array_index (values, i), error))
      return FALSE;
  if (method == NULL && !is_absent)
    return FALSE;
  SsappStudyMethod *own = g_new0 (SsappStudyMethod, 1);
  own->id = is_absent ? (SsMethodId){.kind = kind, .name = g_intern_string (name)} : ss_method_id (method);
  own->names = g_new0 (char *, names->len + 1);
  own->values = g_new0 (char *, values->len + 1);
  for (guint i = 0; i < names->len; i++) {
    own->names[i] = g_strdup (g_ptr_array_index (names, i));
    own->values[i] = g_strdup (g_ptr_array_index (values, i));
  }
  own->label = label != NULL ? g_strdup (label) : make_label (method, own->names, own->values);
  for (guint i = 0; i < self->methods->len; i++)
    if (strcmp (((SsappStudyMethod *)g_ptr_array_index (self->methods, i))->label, own->label) == 0) {
      ssapp_study_fail (error, "the study has a method '%s' already", own->label);
      method_free (own);
      return FALSE;
    }
  g_ptr_array_add (self->methods, own);
  return TRUE;
}

gboolean
ssapp_study_add_method (SsappStudy *self, const char *text, GError **error)
{
  g_return_val_if_fail (self != NULL && text != NULL, FALSE);

  g_autoptr (SsappMethodAsked) asked = ssapp_method_asked_new (text);

  if (asked->text[0] == '\0')
    return ssapp_study_fail (error, "a method has no name");
  if (asked->wrong != NULL)
    return ssapp_study_fail (error, "'%s' in '%s' is not OPTION=VALUE", asked->wrong, text);
  return ssapp_study_add_method_with (self, SS_METHOD_KIND_COUNT, asked->name, asked->names, asked->values, NULL,
                                      error);
}

void
ssapp_study_remove_method (SsappStudy *self, guint index)
{
  g_return_if_fail (self != NULL);
  if (index < self->methods->len)
    g_ptr_array_remove_index (self->methods, index);
}

void
ssapp_study_remove_methods (SsappStudy *self)
{
  g_return_if_fail (self != NULL);
  g_ptr_array_set_size (self->methods, 0);
  for (guint a = self->axes->len; a-- > 0;)
    if (((const SsappStudyAxis *)g_ptr_array_index (self->axes, a))->kind == SSAPP_AXIS_OPTION)
      g_ptr_array_remove_index (self->axes, a);
}

/* ---- counts and checks ------------------------------------------------------------------------------------------- */

guint
ssapp_study_count (const SsappStudy *self)
{
  g_return_val_if_fail (self != NULL, 0);
  guint64 n = self->methods->len;
  gboolean has_range = FALSE;

  for (guint i = 0; i < self->axes->len && n < G_MAXUINT; i++) {
    const SsappStudyAxis *axis = g_ptr_array_index (self->axes, i);
    const gboolean counts = axis->form != SSAPP_AXIS_RANGE || !has_range;
    has_range = has_range || axis->form == SSAPP_AXIS_RANGE;
    if (counts)
      n *= ssapp_study_count_values (self, axis);
  }
  return (guint)MIN (n, G_MAXUINT);
}

/* The methods suit the scenario, and are here where the study shall run. */
static gboolean
check_methods (const SsappStudy *self, const SsScenario *scenario, gboolean is_to_run, GError **error)
{
  for (guint i = 0; i < self->methods->len; i++) {
    const SsappStudyMethod *own = g_ptr_array_index (self->methods, i);
    if (is_to_run && ss_method_lookup (own->id) == NULL)
      return ssapp_study_fail (error,
                               "the method '%s' (%s) is not here; own methods are looked for in the folders of "
                               "STICKSLIP_METHODS and in your data folder",
                               own->label, own->id.name);
    if (own->id.kind == SS_METHOD_INTEGRATOR && scenario->scene == NULL)
      return ssapp_study_fail (error, "'%s' integrates scenes; %s is a model, for optimisers", own->label,
                               scenario->name);
    if (own->id.kind == SS_METHOD_OPTIMISER && scenario->scene != NULL && scenario->task.plan == NULL)
      return ssapp_study_fail (error, "'%s' needs a task; %s has none", own->label, scenario->name);
  }
  return self->methods->len > 0 || ssapp_study_fail (error, "the study has no method");
}

/* The scenario with the first (or last) value of all axes can be read: what values do together shows there. */
static gboolean
check_scenario (const SsappStudy *self, const SsScenario *scenario, gboolean is_last, GError **error)
{
  g_autoptr (GArray) overrides = g_array_new (FALSE, TRUE, sizeof (SsOverride));
  g_autoptr (GArray) changes = g_array_new (FALSE, TRUE, sizeof (SsOverride));
  char *text = NULL;
  SsScenario *read = NULL;
  SsProblems problems;
  SsError err;

  for (guint i = 0; i < self->axes->len; i++) {
    const SsappStudyAxis *axis = g_ptr_array_index (self->axes, i);
    double number = is_last ? axis->to : axis->from;
    const guint n = axis->values != NULL ? g_strv_length (axis->values) : 0;
    if (n > 0 && !ss_parse_double (axis->values[is_last ? n - 1 : 0], &number))
      continue;
    if (axis->is_integer)
      number = is_last ? floor (number) : ceil (number);
    if (axis->kind == SSAPP_AXIS_PARAMETER)
      g_array_append_vals (overrides, &(SsOverride){axis->name, number}, 1);
    if (axis->kind == SSAPP_AXIS_NUMBER)
      g_array_append_vals (changes, &(SsOverride){axis->name, number}, 1);
  }
  if (changes->len > 0 && ss_scenario_with_numbers (scenario, (const SsOverride *)(const void *)changes->data,
                                                    (int)changes->len, &text, &err) != SS_OK)
    return ssapp_study_fail (error, "%s", err.message);
  ss_problems_init (&problems);
  const char *used = text != NULL ? text : self->scenario_text;
  const gboolean ok = ss_scenario_read (used, strlen (used), self->scenario_name, (const SsOverride *)overrides->data,
                                        (int)overrides->len, &problems, &read) == SS_OK;
  if (!ok) {
    char line[1024] = "it cannot be read";
    if (problems.n_items > 0)
      ss_error_format (&problems.items[0], line, sizeof line);
    ssapp_study_fail (error, "with the %s value of each axis: %s", is_last ? "last" : "first", line);
  }
  ss_problems_clear (&problems);
  ss_scenario_free (read);
  ss_free (text);
  return ok;
}

gboolean
ssapp_study_is_of (const SsappStudy *self, SsMethodKind kind)
{
  return self->methods->len > 0 && ((const SsappStudyMethod *)g_ptr_array_index (self->methods, 0))->id.kind == kind;
}

static gboolean
check_limits (const SsappStudy *self, GError **error)
{
  gboolean has_range = FALSE;

  for (guint i = 0; i < self->axes->len; i++)
    has_range = has_range || ((SsappStudyAxis *)g_ptr_array_index (self->axes, i))->form == SSAPP_AXIS_RANGE;
  if (has_range && self->n_drawn == 0)
    return ssapp_study_fail (error,
                             "a range needs to know how many values are drawn from it: random or Latin hypercube");
  const guint n = ssapp_study_count (self);
  if (n > SSAPP_STUDY_MAX_RUNS)
    return ssapp_study_fail (error, "the study would have %s%u runs; at most %d are possible",
                             n == G_MAXUINT ? "more than " : "", n, SSAPP_STUDY_MAX_RUNS);
  if (self->time_limit <= 0 || self->cpu_limit <= 0)
    return ssapp_study_fail (error, "the limit of time must be above 0");
  if (self->bound <= 0)
    return ssapp_study_fail (error, "the time for a lower bound must be above 0");
  if (isfinite (self->bound) && ssapp_study_is_of (self, SS_METHOD_INTEGRATOR))
    return ssapp_study_fail (error, "a lower bound is of the answers of optimisers");
  return TRUE;
}

static int
find_outcome (const SsappStudy *self, const char *name, gsize length)
{
  for (guint i = 0; i < self->outcomes->len; i++) {
    const char *text = g_ptr_array_index (self->outcomes, i);
    if (strncmp (text, name, length) == 0 && text[length] == '=')
      return (int)i;
  }
  return -1;
}

void
ssapp_study_set_outcome (SsappStudy *self, const char *text)
{
  g_return_if_fail (self != NULL && text != NULL);

  const int place = find_outcome (self, text, strcspn (text, "="));

  if (place < 0) {
    g_ptr_array_add (self->outcomes, g_strdup (text));
    return;
  }
  g_free (self->outcomes->pdata[place]);
  self->outcomes->pdata[place] = g_strdup (text);
}

const char *
ssapp_study_get_outcome (const SsappStudy *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  const int place = find_outcome (self, name, strlen (name));

  return place >= 0 ? (const char *)g_ptr_array_index (self->outcomes, (guint)place) + strlen (name) + 1 : NULL;
}

gboolean
ssapp_study_remove_outcome (SsappStudy *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  const int place = find_outcome (self, name, strlen (name));

  if (place >= 0)
    g_ptr_array_remove_index (self->outcomes, (guint)place);
  return place >= 0;
}

/* A study that was kept may have names that are refused today. */
static gboolean
check_outcomes (const SsappStudy *self, const SsScenario *scenario, gboolean is_to_run, GError **error)
{
  const char *const *texts = (const char *const *)self->outcomes->pdata;
  g_autoptr (SsappInterests) kept = is_to_run ? NULL : ssapp_interests_new_of (texts, self->outcomes->len, NULL);

  if (kept != NULL && ssapp_interests_get_n (kept) == self->outcomes->len)
    return TRUE;
  g_autoptr (SsappInterests) asked = ssapp_interests_new (texts, self->outcomes->len, error);
  return asked != NULL && ssapp_interests_check (asked, scenario, error);
}

static gboolean
check (const SsappStudy *self, gboolean is_to_run, GError **error)
{
  SsScenario *scenario = ssapp_study_read_scenario (self, error);
  gboolean ok = scenario != NULL && check_methods (self, scenario, is_to_run, error) && check_limits (self, error) &&
                check_outcomes (self, scenario, is_to_run, error);

  for (guint i = 0; ok && i < self->axes->len; i++) {
    const SsappStudyAxis *axis = g_ptr_array_index (self->axes, i);
    SsappAxisKind kind;
    ok = ssapp_study_resolve (scenario, axis->name, &kind, error) &&
         (kind == axis->kind || ssapp_study_fail (error, "'%s' is something else in this scenario", axis->name)) &&
         check_values (self, scenario, axis, error);
    if (ok && kind == SSAPP_AXIS_HORIZON && self->methods->len > 0 && !ssapp_study_is_of (self, SS_METHOD_INTEGRATOR))
      ok = ssapp_study_fail (error, "'t_end' is for integrators; the horizon of a plan is in its task");
    if (ok && kind == SSAPP_AXIS_GUESS && ssapp_study_is_of (self, SS_METHOD_INTEGRATOR))
      ok = ssapp_study_fail (error, "'guess' is for optimisers; integrators start from the initial state");
  }
  ok = ok && check_scenario (self, scenario, FALSE, error) && check_scenario (self, scenario, TRUE, error);
  ss_scenario_free (scenario);
  return ok;
}

gboolean
ssapp_study_check (const SsappStudy *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return check (self, TRUE, error);
}

gboolean
ssapp_study_check_kept (const SsappStudy *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return check (self, FALSE, error);
}
