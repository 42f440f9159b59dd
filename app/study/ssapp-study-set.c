/* app/study/ssapp-study-set.c: see the header. */
#include "app/study/ssapp-study-set.h"

#include "run/ss-run.h"

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
  guint n;       /* that there are to be */
  GArray *tasks; /* of Task */
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
  const gint64 end = g_get_monotonic_time () + budget;

  while (self->tasks->len < self->n) {
    add_task (self);
    if (budget > 0 && g_get_monotonic_time () >= end)
      break;
  }
  return self->tasks->len >= self->n;
}

gboolean
ssapp_study_tasks_is_whole (const SsappStudyTasks *self)
{
  return self->tasks->len >= self->n;
}

const char *
ssapp_study_tasks_get_problem (const SsappStudyTasks *self)
{
  return self->problem;
}

const SsappStudy *
ssapp_study_tasks_get_study (const SsappStudyTasks *self)
{
  return self->study;
}

guint
ssapp_study_tasks_get_n (const SsappStudyTasks *self)
{
  return self->tasks->len;
}

const char *
ssapp_study_tasks_get_key (const SsappStudyTasks *self, guint task)
{
  return task < self->tasks->len ? g_array_index (self->tasks, Task, task).key : NULL;
}

/* ---- its set ----------------------------------------------------------------------------------------------------- */

static void
axis_free (gpointer data)
{
  SsappRunAxis *axis = data;

  g_free (axis->name);
  g_free (axis->title);
  g_free (axis->values);
  for (guint k = 0; k < axis->n_values; k++)
    g_free (axis->texts[k]);
  g_free (axis->texts);
  g_free (axis);
}

static void
method_free (gpointer data)
{
  SsappRunMethod *method = data;

  g_free (method->label);
  g_free (method);
}

static void
item_clear (gpointer data)
{
  g_free (((SsappRunItem *)data)->places);
}

static const char *
title_of (const SsappStudyAxis *axis)
{
  switch (axis->kind) {
  case SSAPP_AXIS_STEP:
    return "Time step [s]";
  case SSAPP_AXIS_SEED:
    return "Seed";
  case SSAPP_AXIS_GUESS:
    return "Start";
  case SSAPP_AXIS_PARAMETER:
  case SSAPP_AXIS_INITIAL:
  case SSAPP_AXIS_OPTION:
  default:
    return strcmp (axis->name, "mu") == 0 ? "μ" : axis->name;
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
static SsappRunAxis *
make_axis (const SsappStudyAxis *from, const Values *values, guint **order)
{
  SsappRunAxis *axis = g_new0 (SsappRunAxis, 1);
  const guint n = values->texts->len;
  g_autofree Sorted *sorted = g_new0 (Sorted, n + 1);

  axis->name = g_strdup (from->name);
  axis->title = g_strdup (title_of (from));
  axis->is_number = TRUE;
  axis->n_values = n;
  axis->values = g_new0 (double, n + 1);
  axis->texts = g_new0 (char *, n + 1);
  *order = g_new0 (guint, n + 1);
  for (guint k = 0; k < n; k++) {
    sorted[k] = (Sorted){NAN, k};
    if (!ss_parse_double (g_ptr_array_index (values->texts, k), &sorted[k].value))
      axis->is_number = FALSE;
  }
  if (axis->is_number)
    qsort (sorted, n, sizeof *sorted, compare_sorted);
  for (guint k = 0; k < n; k++) {
    axis->values[k] = axis->is_number ? sorted[k].value : NAN;
    axis->texts[k] = g_strdup (g_ptr_array_index (values->texts, sorted[k].place));
    (*order)[sorted[k].place] = k;
  }
  return axis;
}

static SsappRunState
state_of (const SsappRunRow *row)
{
  if (row == NULL)
    return SSAPP_RUN_QUEUED;
  if (g_strcmp0 (row->outcome, "running") == 0 || g_strcmp0 (row->outcome, "cancelling") == 0)
    return SSAPP_RUN_RUNNING;
  return g_strcmp0 (row->outcome, "solved") == 0 || g_strcmp0 (row->outcome, "completed") == 0 ? SSAPP_RUN_SOLVED
                                                                                               : SSAPP_RUN_UNSOLVED;
}

static void
add_methods (SsappRunSet *set, const SsappStudy *study)
{
  for (guint m = 0; m < study->methods->len; m++) {
    const SsappStudyMethod *from = g_ptr_array_index (study->methods, m);
    SsappRunMethod *method = g_new0 (SsappRunMethod, 1);
    const SsMethod *known = ss_method_lookup (from->id);
    guint same = 0;
    for (guint k = 0; k < m; k++)
      same += ss_method_id_is_equal (((const SsappStudyMethod *)g_ptr_array_index (study->methods, k))->id, from->id);
    method->id = (SsMethodId){from->id.kind, known != NULL ? known->name : g_intern_string (from->id.name)};
    method->label = g_strdup (from->label);
    method->look = -1;
    if (same > 0) { /* the first free look of those that no other method here has */
      gboolean is_taken = TRUE;
      for (int look = 0; is_taken; look++) {
        is_taken = FALSE;
        for (guint k = 0; k < study->methods->len && !is_taken; k++) {
          const SsMethod *other = ss_method_lookup (((const SsappStudyMethod *)g_ptr_array_index (study->methods, k))->id);
          is_taken = other != NULL && other->look == look;
        }
        for (guint k = 0; k < m && !is_taken; k++)
          is_taken = ((const SsappRunMethod *)g_ptr_array_index (set->methods, k))->look == look;
        method->look = look;
      }
    }
    g_ptr_array_add (set->methods, method);
  }
}

/* "mu 0.5, j 6". */
static char *
words_of (const SsappRunSet *set, const guint *places)
{
  GString *text = g_string_new (NULL);

  for (guint a = 0; a < set->axes->len; a++) {
    const SsappRunAxis *axis = g_ptr_array_index (set->axes, a);
    if (axis->n_values > 1)
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", axis->title, axis->texts[places[a]]);
  }
  return g_string_free (text, FALSE);
}

SsappRunSet *
ssapp_study_tasks_make_set (const SsappStudyTasks *self, const SsappRunRow *const *rows)
{
  SsappRunSet *set = g_new0 (SsappRunSet, 1);
  const guint n_axes = self->study->axes->len, n_methods = self->study->methods->len;
  guint **orders = g_new0 (guint *, n_axes + 1);

  set->rows = g_ptr_array_new ();
  set->axes = g_ptr_array_new_with_free_func (axis_free);
  set->methods = g_ptr_array_new_with_free_func (method_free);
  set->items = g_array_new (FALSE, FALSE, sizeof (SsappRunItem));
  g_array_set_clear_func (set->items, item_clear);
  for (guint a = 0; a < n_axes; a++)
    g_ptr_array_add (set->axes, make_axis (g_ptr_array_index (self->study->axes, a), &self->axes[a], &orders[a]));
  add_methods (set, self->study);
  set->n_problems = n_methods > 0 ? (self->tasks->len + n_methods - 1) / n_methods : 0;
  set->problems = g_new0 (char *, set->n_problems + 1);
  for (guint i = 0; i < self->tasks->len; i++) {
    const Task *task = &g_array_index (self->tasks, Task, i);
    SsappRunItem item = {.state = state_of (rows[i]), .row = rows[i], .method = task->method};
    item.problem = i / n_methods;
    item.places = g_new0 (guint, n_axes + 1);
    for (guint a = 0; a < n_axes; a++)
      item.places[a] = orders[a][task->places[a]];
    if (set->problems[item.problem] == NULL)
      set->problems[item.problem] = words_of (set, item.places);
    if (rows[i] != NULL)
      g_ptr_array_add (set->rows, (gpointer)rows[i]);
    g_array_append_val (set->items, item);
  }
  for (guint a = 0; a < n_axes; a++)
    g_free (orders[a]);
  g_free (orders);
  return set;
}

/* ---- what can vary ----------------------------------------------------------------------------------------------- */

void
ssapp_varying_free (gpointer data)
{
  SsappVarying *varying = data;

  g_free (varying->name);
  g_free (varying->title);
  g_free (varying->now);
  g_free (varying->values);
  g_free (varying);
}

static void
add_varying (GPtrArray *list, SsappAxisKind kind, const char *name, const char *title, const char *now,
             const char *values)
{
  SsappVarying *varying = g_new0 (SsappVarying, 1);

  varying->kind = kind;
  varying->name = g_strdup (name);
  varying->title = g_strdup (title);
  varying->now = g_strdup (now);
  varying->values = g_strdup (values);
  g_ptr_array_add (list, varying);
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
    add_varying (list, SSAPP_AXIS_PARAMETER, parameter->name, parameter->description, now, now);
  }
}

static void
add_bodies (GPtrArray *list, const SsScene *scene)
{
  static const char *const names[SS_BODY_CHANNELS] = {"x", "y", "angle", "vx", "vy", "omega"};
  static const char *const titles[SS_BODY_CHANNELS] = {"Position x of %s [m]",    "Position y of %s [m]",
                                                       "Angle of %s [rad]",       "Velocity x of %s [m/s]",
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
      add_varying (list, SSAPP_AXIS_INITIAL, name, title, now, now);
    }
  }
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
      add_varying (list, SSAPP_AXIS_OPTION, name, title, now, choices);
    }
  }
}

static SsScenario *
read_scenario (const SsappStudy *study)
{
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (ss_scenario_read (study->scenario_text, strlen (study->scenario_text), study->scenario_name, NULL, 0, &problems,
                        &scenario) != SS_OK)
    scenario = NULL;
  ss_problems_clear (&problems);
  return scenario;
}

GPtrArray *
ssapp_study_list_varying (const SsappStudy *study)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (ssapp_varying_free);
  SsScenario *scenario = read_scenario (study);
  char now[32];

  if (scenario == NULL)
    return list;
  add_parameters (list, scenario);
  if (scenario->scene != NULL) {
    add_bodies (list, scenario->scene);
    ss_format_double (scenario->task.dt, now, sizeof now);
    add_varying (list, SSAPP_AXIS_STEP, "dt", "Time step [s]", now, now);
  }
  add_varying (list, SSAPP_AXIS_SEED, "seed", "Seed of all that is drawn at random", "", "1, 2, 3");
  add_varying (list, SSAPP_AXIS_GUESS, "guess", "What optimisers start from", "scenario", "scenario, zeros");
  add_options (list, study);
  ss_scenario_free (scenario);
  return list;
}

GPtrArray *
ssapp_study_list_methods (const SsappStudy *study)
{
  GPtrArray *list = g_ptr_array_new ();
  SsScenario *scenario = read_scenario (study);
  const SsMethodKind kind = study->methods->len > 0
                                ? ((const SsappStudyMethod *)g_ptr_array_index (study->methods, 0))->id.kind
                                : SS_METHOD_KIND_COUNT;

  for (int i = 0; scenario != NULL && i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (method->kind != SS_METHOD_IMPACT_LAW && (kind == SS_METHOD_KIND_COUNT || method->kind == kind) &&
        ss_run_check (scenario, method, NULL) == SS_OK)
      g_ptr_array_add (list, (gpointer)method);
  }
  ss_scenario_free (scenario);
  return list;
}
