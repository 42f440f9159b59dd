/* app/study/ssapp-study-set.c: see the header. */
#include "app/study/ssapp-study-set.h"

#include "app/study/ssapp-run-set-private.h"
#include "app/study/ssapp-study-private.h"
#include "run/ss-run.h"
#include "scene/ss-number.h"

#include <math.h>
#include <string.h>

/* ---- tasks of a study, without their scenarios ------------------------------------------------------------------- */

typedef struct {
  char *key;
  guint method;
  guint *places; /* of each axis */
} Task;

typedef struct {
  GPtrArray *texts;  /* of char *, in the order in which they were seen, then sorted */
  GHashTable *known; /* text to its place + 1 */
} Values;

struct SsappStudyTasks {
  SsappStudy *study;
  SsappStudyPlan *plan; /* NULL: the study cannot be run */
  guint n;              /* that there are to be */
  GArray *tasks;        /* of Task */
  Values *axes;
  char *problem; /* nullable */
};

static void
task_clear (gpointer data)
{
  Task *task = data;

  g_free (task->key);
  g_free (task->places);
}

SsappStudyTasks *
ssapp_study_tasks_new (const SsappStudy *study)
{
  g_return_val_if_fail (study != NULL, NULL);
  SsappStudyTasks *self = g_new0 (SsappStudyTasks, 1);
  g_autoptr (GError) error = NULL;

  self->study = ssapp_study_copy (study);
  self->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  g_array_set_clear_func (self->tasks, task_clear);
  self->axes = g_new0 (Values, study->axes->len + 1);
  for (guint a = 0; a < study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (self->study->axes, a);
    self->axes[a].texts = g_ptr_array_new_with_free_func (g_free);
    self->axes[a].known = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint k = 0; axis->values != NULL && axis->values[k] != NULL; k++) {
      char *text = g_strdup (axis->values[k]);
      if (g_hash_table_contains (self->axes[a].known, text)) {
        g_free (text);
        continue;
      }
      g_ptr_array_add (self->axes[a].texts, text);
      g_hash_table_insert (self->axes[a].known, text, GUINT_TO_POINTER (self->axes[a].texts->len));
    }
  }
  self->plan = ssapp_study_plan_new (study, &error);
  if (self->plan != NULL)
    self->n = ssapp_study_plan_get_count (self->plan);
  else
    self->problem = g_strdup (error->message);
  return self;
}

void
ssapp_study_tasks_free (SsappStudyTasks *self)
{
  if (self == NULL)
    return;
  for (guint a = 0; a < self->study->axes->len; a++) {
    g_hash_table_unref (self->axes[a].known);
    g_ptr_array_unref (self->axes[a].texts);
  }
  g_free (self->axes);
  g_array_unref (self->tasks);
  ssapp_study_plan_free (self->plan);
  ssapp_study_free (self->study);
  g_free (self->problem);
  g_free (self);
}

static guint
place_of (Values *values, const char *text)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (values->known, text));

  if (place == 0) {
    char *copy = g_strdup (text);
    g_ptr_array_add (values->texts, copy);
    place = values->texts->len;
    g_hash_table_insert (values->known, copy, GUINT_TO_POINTER (place));
  }
  return place - 1;
}

static void
add_task (SsappStudyTasks *self)
{
  g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (self->plan, self->tasks->len, FALSE);
  Task own = {0};

  own.key = g_strdup (task->key);
  own.method = task->method;
  own.places = g_new0 (guint, self->study->axes->len + 1);
  for (guint a = 0; a < self->study->axes->len && task->values[a] != NULL; a++)
    own.places[a] = place_of (&self->axes[a], task->values[a]);
  g_array_append_val (self->tasks, own);
}

gboolean
ssapp_study_tasks_go_on (SsappStudyTasks *self, gint64 budget)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const gint64 end = g_get_monotonic_time () + budget;

  while (self->tasks->len < self->n) {
    add_task (self);
    if (budget > 0 && g_get_monotonic_time () >= end)
      break;
  }
  return self->tasks->len >= self->n;
}

const char *
ssapp_study_tasks_get_problem (const SsappStudyTasks *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->problem;
}

guint
ssapp_study_tasks_get_n (const SsappStudyTasks *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->tasks->len;
}

const char *
ssapp_study_tasks_get_key (const SsappStudyTasks *self, guint task)
{
  g_return_val_if_fail (self != NULL, NULL);
  return task < self->tasks->len ? g_array_index (self->tasks, Task, task).key : NULL;
}

/* ---- its set ----------------------------------------------------------------------------------------------------- */

/* g_free. */
static char *
title_of (const SsappStudyAxis *axis)
{
  const char *unit = axis->kind == SSAPP_AXIS_NUMBER ? ssapp_study_number_unit (axis->name) : NULL;

  switch (axis->kind) {
  case SSAPP_AXIS_STEP:
    return g_strdup ("Time step [s]");
  case SSAPP_AXIS_HORIZON:
    return g_strdup ("Horizon [s]");
  case SSAPP_AXIS_SEED:
    return g_strdup ("Seed");
  case SSAPP_AXIS_GUESS:
    return g_strdup ("Start");
  case SSAPP_AXIS_PARAMETER:
  case SSAPP_AXIS_NUMBER:
  case SSAPP_AXIS_OPTION:
  default:
    return unit != NULL ? g_strdup_printf ("%s [%s]", axis->name, unit) : g_strdup (ssapp_run_axis_symbol (axis->name));
  }
}

typedef struct {
  double value;
  guint place; /* before they were sorted */
} Sorted;

static int
compare_sorted (gconstpointer first, gconstpointer second)
{
  const Sorted *a = first, *b = second;
  return (a->value > b->value) - (a->value < b->value);
}

/* `order`: new place of each old one. Numbers ascend; texts stay in the order in which they were typed. */
static void
add_axis (SsappRunSet *set, const SsappStudyAxis *from, const Values *values, guint *order)
{
  const guint n = values->texts->len;
  g_autofree Sorted *sorted = g_new0 (Sorted, n + 1);
  gboolean is_number = TRUE;
  SsappRunAxis *axis;

  for (guint k = 0; k < n; k++) {
    sorted[k] = (Sorted){NAN, k};
    if (!ss_parse_double (g_ptr_array_index (values->texts, k), &sorted[k].value))
      is_number = FALSE;
  }
  if (is_number)
    qsort (sorted, n, sizeof *sorted, compare_sorted);
  g_autofree char *title = title_of (from);
  axis = ssapp_run_set_add_axis (set, from->name, title, is_number, n);
  for (guint k = 0; k < n; k++) {
    axis->values[k] = is_number ? sorted[k].value : (double)NAN;
    axis->texts[k] = is_number ? NULL : g_strdup (g_ptr_array_index (values->texts, sorted[k].place));
    order[sorted[k].place] = k;
  }
  if (is_number)
    ssapp_run_axis_write_texts (axis);
}

SsappRunSet *
ssapp_study_tasks_make_set (const SsappStudyTasks *self, const SsappRunRow *const *rows)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappRunSet *set = ssapp_run_set_new_empty ();
  const guint n_axes = self->study->axes->len;
  g_autoptr (GPtrArray) orders = g_ptr_array_new_with_free_func (g_free);

  for (guint a = 0; a < n_axes; a++) {
    g_ptr_array_add (orders, g_new0 (guint, self->axes[a].texts->len + 1));
    add_axis (set, g_ptr_array_index (self->study->axes, a), &self->axes[a], g_ptr_array_index (orders, a));
  }
  for (guint m = 0; m < self->study->methods->len; m++) {
    const SsappStudyMethod *method = g_ptr_array_index (self->study->methods, m);
    const SsMethod *known = ss_method_lookup (method->id);
    ssapp_run_set_add_method (set, known != NULL ? ss_method_id (known) : method->id, method->label);
  }
  for (guint i = 0; i < self->tasks->len; i++) {
    const Task *task = &g_array_index (self->tasks, Task, i);
    SsappRunItem *item = ssapp_run_set_add_item (set, rows[i]);
    item->method = task->method;
    for (guint a = 0; a < n_axes; a++)
      item->places[a] = ((const guint *)g_ptr_array_index (orders, a))[task->places[a]];
  }
  ssapp_run_set_finish (set);
  return set;
}

/* ---- what can vary ----------------------------------------------------------------------------------------------- */

static void
varying_free (gpointer data)
{
  SsappVarying *varying = data;

  g_free (varying->name);
  g_free (varying->title);
  g_free (varying->now);
  g_free (varying->values);
  g_free (varying);
}

static SsappVarying *
add_varying (GPtrArray *list, SsappAxisKind kind, const char *name, const char *title, const char *now,
             const char *values)
{
  SsappVarying *varying = g_new0 (SsappVarying, 1);

  varying->kind = kind;
  varying->name = g_strdup (name);
  varying->title = g_strdup (title);
  varying->now = g_strdup (now);
  varying->values = g_strdup (values);
  varying->minimum = -INFINITY;
  varying->maximum = INFINITY;
  varying->is_number = ss_parse_double (now, &varying->value);
  if (!varying->is_number)
    varying->value = NAN;
  g_ptr_array_add (list, varying);
  return varying;
}

/* From half of the value to twice as much, else over the whole range that it may have; whole numbers stay whole. */
static void
find_ends (const SsappVarying *varying, gboolean is_log, double *from, double *to)
{
  const double value = varying->value;

  *from = is_log ? fabs (value) / 10 : value != 0 ? value - fabs (value) / 2 : -1;
  *to = is_log ? fabs (value) * 10 : value != 0 ? value + fabs (value) : 1;
  if (is_log && value == 0) {
    *from = 0.01;
    *to = 1;
  }
  if (isfinite (varying->minimum) && isfinite (varying->maximum) && !is_log) {
    *from = varying->minimum;
    *to = varying->maximum;
  }
  *from = MAX (*from, varying->minimum);
  *to = MIN (*to, varying->maximum);
  if (varying->is_integer) {
    *from = ceil (*from);
    *to = floor (*to);
  }
}

char *
ssapp_varying_suggest (const SsappVarying *varying, SsappAxisForm form)
{
  enum { USUAL_POINTS = 5 };
  double from, to;
  char first[32], last[32];
  int n = USUAL_POINTS;

  if (form == SSAPP_AXIS_LIST || !varying->is_number)
    return g_strdup (varying->values);
  find_ends (varying, form == SSAPP_AXIS_LOG, &from, &to);
  if (varying->is_integer && form == SSAPP_AXIS_GRID) { /* as many as keep them whole */
    while (n > 2 && fmod (to - from, n - 1) != 0)
      n--;
    if (to - from < USUAL_POINTS)
      n = (int)(to - from) + 1;
  }
  ss_format_double (from, first, sizeof first);
  ss_format_double (to, last, sizeof last);
  if (form == SSAPP_AXIS_RANGE)
    return g_strdup_printf ("%s..%s", first, last);
  return g_strdup_printf (form == SSAPP_AXIS_LOG ? "%s:%s:%dlog" : "%s:%s:%d", first, last, n);
}

static void
add_parameters (GPtrArray *list, const SsScenario *scenario)
{
  for (int k = 0; k < scenario->n_parameters; k++) {
    const SsParameter *parameter = &scenario->parameters[k];
    char now[32];
    if (parameter->formula != NULL) /* it follows the others */
      continue;
    ss_format_double (parameter->value, now, sizeof now);
    SsappVarying *varying = add_varying (list, SSAPP_AXIS_PARAMETER, parameter->name, parameter->description, now, now);
    varying->minimum = parameter->minimum;
    varying->maximum = parameter->maximum;
    varying->is_integer = parameter->is_integer;
  }
}

static void
add_bodies (GPtrArray *list, const SsScene *scene)
{
  static const char *const names[SS_BODY_CHANNELS] = {"x", "y", "angle", "vx", "vy", "omega"};
  static const char *const titles[SS_BODY_CHANNELS] = {"Position x of %s [m]",   "Position y of %s [m]",
                                                       "Angle of %s [rad]",      "Velocity x of %s [m/s]",
                                                       "Velocity y of %s [m/s]", "Angular velocity of %s [rad/s]"};

  for (int b = 0; b < scene->n_bodies; b++) {
    const SsBody *body = &scene->bodies[b];
    if (ss_body_is_immovable (body) || body->item < 0)
      continue;
    for (int c = 0; c < SS_BODY_CHANNELS; c++) {
      const double value = c < 3 ? body->q[c] : body->v[c - 3];
      g_autofree char *name = g_strdup_printf ("%s.%s", body->name, names[c]);
      g_auto (GStrv) parts = g_strsplit (titles[c], "%s", 2);
      g_autofree char *title = g_strconcat (parts[0], body->name, parts[1], NULL);
      char now[32];
      ss_format_double (value, now, sizeof now);
      add_varying (list, SSAPP_AXIS_NUMBER, name, title, now, now);
    }
  }
}

/* Numbers of what the scene's file names, where they are numbers there. Takes name and title. */
static void
add_number (GPtrArray *list, const SsScenario *scenario, char *name, char *title)
{
  SsNumber number;
  char now[32];

  if (ss_scenario_number (scenario, name, &number, NULL) == SS_OK && isfinite (number.value)) {
    ss_format_double (number.value, now, sizeof now);
    SsappVarying *varying = add_varying (list, SSAPP_AXIS_NUMBER, name, title, now, now);
    varying->minimum = number.lower;
    varying->maximum = number.upper;
  }
  g_free (name);
  g_free (title);
}

/* What bodies weigh, how contacts answer. */
static void
add_numbers (GPtrArray *list, const SsScenario *scenario)
{
  const SsScene *scene = scenario->scene;

  for (int c = 0; c < scene->n_contacts; c++) {
    const char *name = scene->contacts[c].name;
    add_number (list, scenario, g_strdup_printf ("%s.restitution", name), g_strdup_printf ("Restitution of %s", name));
    add_number (list, scenario, g_strdup_printf ("%s.friction", name), g_strdup_printf ("Friction of %s", name));
  }
  for (int b = 0; b < scene->n_bodies; b++)
    if (!ss_body_is_immovable (&scene->bodies[b]))
      add_number (list, scenario, g_strdup_printf ("%s.mass", scene->bodies[b].name),
                  g_strdup_printf ("Mass of %s [kg]", scene->bodies[b].name));
}

/* The common options of the study's methods. */
static void
add_options (GPtrArray *list, const SsappStudy *study)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint m = 0; m < study->methods->len; m++) {
    const SsMethod *method = ss_method_lookup (((const SsappStudyMethod *)g_ptr_array_index (study->methods, m))->id);
    if (method == NULL || !method->is_built || !g_hash_table_add (seen, (gpointer)method))
      continue;
    g_autofree void *options = g_malloc0 (method->options->size + 1);
    ss_options_init (method->options, options);
    for (int k = 0; k < method->options->n_specs; k++) {
      const SsOptionSpec *spec = &method->options->specs[k];
      g_autofree char *name = g_strdup_printf ("%s.%s", method->name, spec->name);
      g_autofree char *title = g_strdup_printf ("%s: %s", method->label, spec->summary);
      char now[SS_OPTION_TEXT_MAX];
      if (!spec->common)
        continue;
      ss_options_format (method->options, options, k, now, sizeof now);
      g_autofree char *choices =
          spec->type == SS_OPTION_CHOICE ? g_strjoinv (", ", (char **)spec->choices) : g_strdup (now);
      SsappVarying *varying = add_varying (list, SSAPP_AXIS_OPTION, name, title, now, choices);
      varying->is_number = spec->type == SS_OPTION_REAL || spec->type == SS_OPTION_INTEGER;
      varying->is_integer = spec->type == SS_OPTION_INTEGER;
      varying->minimum = spec->minimum;
      varying->maximum = spec->maximum;
    }
  }
}

GPtrArray *
ssapp_study_list_varying (const SsappStudy *study)
{
  g_return_val_if_fail (study != NULL, NULL);
  GPtrArray *list = g_ptr_array_new_with_free_func (varying_free);
  SsScenario *scenario = ssapp_study_read_scenario (study, NULL);
  char now[32];

  if (scenario == NULL)
    return list;
  add_parameters (list, scenario);
  if (scenario->scene != NULL) {
    add_bodies (list, scenario->scene);
    add_numbers (list, scenario);
    ss_format_double (scenario->task.dt, now, sizeof now);
    add_varying (list, SSAPP_AXIS_STEP, "dt", "Time step [s]", now, now);
  }
  if (scenario->scene != NULL && (study->methods->len == 0 || ssapp_study_is_of (study, SS_METHOD_INTEGRATOR))) {
    ss_format_double (scenario->task.t_end, now, sizeof now);
    add_varying (list, SSAPP_AXIS_HORIZON, "t_end", "Horizon [s]", now, now);
  }
  add_varying (list, SSAPP_AXIS_SEED, "seed", "Seed of all that is drawn at random", "", "1, 2, 3");
  if (study->methods->len == 0 || ssapp_study_is_of (study, SS_METHOD_OPTIMISER))
    add_varying (list, SSAPP_AXIS_GUESS, "guess", "What optimisers start from", "scenario", "scenario, zeros");
  add_options (list, study);
  ss_scenario_free (scenario);
  return list;
}

GPtrArray *
ssapp_study_list_methods (const SsappStudy *study)
{
  g_return_val_if_fail (study != NULL, NULL);
  GPtrArray *list = g_ptr_array_new ();
  SsScenario *scenario = ssapp_study_read_scenario (study, NULL);
  const SsMethodKind kind = study->methods->len > 0
                                ? ((const SsappStudyMethod *)g_ptr_array_index (study->methods, 0))->id.kind
                                : SS_METHOD_KIND_COUNT;

  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; scenario != NULL && i < ss_method_count (); i++) {
      const SsMethod *method = ss_method_at (i);
      const gboolean is_first = kind == SS_METHOD_KIND_COUNT || method->kind == kind;
      if (method->kind != SS_METHOD_IMPACT_LAW && is_first == (pass == 0) &&
          ss_run_check (scenario, method, NULL) == SS_OK)
        g_ptr_array_add (list, (gpointer)method);
    }
  ss_scenario_free (scenario);
  return list;
}
