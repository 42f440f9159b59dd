/* app/session/ssapp-study-look.c: what is shown of the runs of a study: choices of its figures, the marked problem,
 * tables, files. */
#include "app/session/ssapp-study-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/export/ssapp-file-kind.h"
#include "app/study/ssapp-chart-export.h"
#include "app/study/ssapp-study-page.h"

#include <math.h>
#include <string.h>

#define WITHIN         1.1     /* of the best objective: what counts as solved in the profiles that say so */
#define NARROW_METRICS 4       /* of the table with what differs only */
#define RELATIVE       "/best" /* behind a metric's name: divided by the best of its problem */

static const char *const part_names[SSAPP_STUDY_PARTS] = {"heat", "profile", "box", "time", "runs"};

const char *
ssapp_study_part_name (SsappStudyPart part)
{
  return part < SSAPP_STUDY_PARTS ? part_names[part] : "";
}

gboolean
ssapp_study_part_from_name (const char *name, SsappStudyPart *part)
{
  g_return_val_if_fail (part != NULL, FALSE);
  for (guint k = 0; k < SSAPP_STUDY_PARTS; k++)
    if (strcmp (part_names[k], name) == 0) {
      *part = (SsappStudyPart)k;
      return TRUE;
    }
  return FALSE;
}

/* ---- choices ----------------------------------------------------------------------------------------------------- */

static void
choice_free (gpointer data)
{
  SsappStudyChoice *choice = data;

  g_free (choice->key);
  g_free (choice->title);
  g_free (choice);
}

static void
add_choice (GPtrArray *list, char *key, char *title)
{
  SsappStudyChoice *choice = g_new0 (SsappStudyChoice, 1);

  choice->key = key;
  choice->title = title;
  g_ptr_array_add (list, choice);
}

/* Whether runs of the set tell the metric, and not all the same. */
static gboolean
is_telling (const SsappRunSet *set, SsMetric metric)
{
  double first = NAN;

  for (guint i = 0; i < set->items->len; i++) {
    const double value = ssapp_run_set_get (set, i, metric);
    if (!isfinite (value))
      continue;
    if (!isnan (first) && value != first)
      return TRUE;
    first = value;
  }
  return FALSE;
}

/* Those that people look at first. */
static const SsMetric usual[] = {SS_METRIC_OBJECTIVE,       SS_METRIC_CPU_SECONDS,      SS_METRIC_ITERATIONS,
                                 SS_METRIC_MAX_VIOLATION,   SS_METRIC_TRACKING_TOTAL,   SS_METRIC_STEPS,
                                 SS_METRIC_MAX_PENETRATION, SS_METRIC_TRACKING_POSITION};

static gboolean
is_usual (SsMetric metric)
{
  for (guint k = 0; k < G_N_ELEMENTS (usual); k++)
    if (usual[k] == metric)
      return TRUE;
  return FALSE;
}

static void
add_metric (GPtrArray *list, SsMetric metric)
{
  const SsMetricSpec *spec = ssapp_metric_spec (metric);

  if (metric == SS_METRIC_OBJECTIVE)
    add_choice (list, g_strconcat (spec->name, RELATIVE, NULL), g_strdup ("Objective / best"));
  add_choice (list, g_strdup (spec->name), ssapp_metric_title (metric));
  if (metric == SS_METRIC_CPU_SECONDS)
    add_choice (list, g_strconcat (spec->name, RELATIVE, NULL), g_strdup ("CPU time / best"));
}

/* Runs of the study have an objective, also before there are any. */
static gboolean
has_plans (SsappStudySession *self)
{
  return self->study == NULL || self->study->methods->len == 0 ||
         ((const SsappStudyMethod *)g_ptr_array_index (self->study->methods, 0))->id.kind == SS_METHOD_OPTIMISER;
}

static GPtrArray *
list_metrics (SsappStudySession *self)
{
  const SsappRunSet *set = self->set;
  GPtrArray *list = g_ptr_array_new_with_free_func (choice_free);

  g_autoptr (GArray) outcomes = set != NULL ? ssapp_run_set_list_outcomes (set) : NULL;
  for (guint k = 0; outcomes != NULL && k < outcomes->len; k++)
    add_metric (list, g_array_index (outcomes, SsMetric, k));
  for (guint k = 0; set != NULL && k < G_N_ELEMENTS (usual); k++)
    if (is_telling (set, usual[k]))
      add_metric (list, usual[k]);
  for (int m = 0; set != NULL && m < SS_METRIC_COUNT; m++)
    if (!is_usual ((SsMetric)m) && ssapp_metric_spec ((SsMetric)m)->better != SS_BETTER_NEITHER &&
        is_telling (set, (SsMetric)m))
      add_metric (list, (SsMetric)m);
  if (list->len == 0) { /* before anything has ended */
    add_metric (list, has_plans (self) ? SS_METRIC_OBJECTIVE : SS_METRIC_MAX_PENETRATION);
    add_metric (list, SS_METRIC_CPU_SECONDS);
  }
  return list;
}

static const struct {
  const char *key, *title;
  SsappChartKind kind;
  double within;
} profiles[] = {{"data-best", "Data, within 10 % of best", SSAPP_CHART_DATA, WITHIN},
                {"data", "Data, %s", SSAPP_CHART_DATA, NAN},
                {"performance-best", "Performance, within 10 % of best", SSAPP_CHART_PERFORMANCE, WITHIN},
                {"performance", "Performance, %s", SSAPP_CHART_PERFORMANCE, NAN},
                {"success", "Share of %s runs", SSAPP_CHART_SUCCESS, NAN},
                {"curves", "Objective over an axis", SSAPP_CHART_CURVES, NAN},
                {"work", "Violation against CPU time", SSAPP_CHART_WORK, NAN},
                {"decides", "What decides?", SSAPP_CHART_DECIDES, NAN},
                {"distribution", "Distribution over the runs", SSAPP_CHART_DISTRIBUTION, NAN}};

/* With the word for runs that end well in its place; g_free. */
static char *
dup_title (SsappStudySession *self, guint profile)
{
  g_auto (GStrv) parts = g_strsplit (profiles[profile].title, "%s", 2);

  return g_strjoinv (has_plans (self) ? "solved" : "completed", parts);
}

/* Profiles need several problems, those within a part of the best an objective; without one the runs' outcomes over an
 * axis come first. */
static GPtrArray *
list_profiles (SsappStudySession *self)
{
  const SsappRunSet *set = self->set;
  GPtrArray *list = g_ptr_array_new_with_free_func (choice_free);
  gboolean has_any = FALSE, has_objective = FALSE;

  for (guint i = 0; set != NULL && i < set->items->len; i++) {
    has_any = has_any || g_array_index (set->items, SsappRunItem, i).row != NULL;
    has_objective = has_objective || isfinite (ssapp_run_set_get (set, i, SS_METRIC_OBJECTIVE));
  }
  has_objective = has_objective || (!has_any && has_plans (self));
  for (guint k = 0; k < G_N_ELEMENTS (profiles); k++) {
    const gboolean is_profile = profiles[k].kind == SSAPP_CHART_DATA || profiles[k].kind == SSAPP_CHART_PERFORMANCE,
                   is_curves = profiles[k].kind == SSAPP_CHART_CURVES;
    if ((is_profile && has_any && set->n_problems < 2) ||
        (!has_objective && (!isnan (profiles[k].within) || profiles[k].kind == SSAPP_CHART_WORK)))
      continue;
    add_choice (list, g_strdup (profiles[k].key),
                is_curves && !has_objective ? g_strdup ("Outcome over an axis") : dup_title (self, k));
    if (is_curves && !has_objective && list->len > 1) /* first */
      g_ptr_array_insert (list, 0, g_ptr_array_steal_index (list, list->len - 1));
  }
  return list;
}

static GPtrArray *
choices_of (SsappStudySession *self, SsappStudyPart part)
{
  if (self->lists[part] != NULL)
    return self->lists[part];
  if (part == SSAPP_STUDY_PROFILE) {
    self->lists[part] = list_profiles (self);
  } else if (part == SSAPP_STUDY_RUNS) {
    self->lists[part] = g_ptr_array_new_with_free_func (choice_free);
  } else {
    self->lists[part] = list_metrics (self);
  }
  return self->lists[part];
}

const char *const *
ssapp_study_session_list_choices (SsappStudySession *self, SsappStudyPart part)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self) && part < SSAPP_STUDY_PARTS, NULL);
  GPtrArray *list = choices_of (self, part);

  if (self->keys[part] == NULL) {
    self->keys[part] = g_new0 (char *, list->len + 1);
    for (guint k = 0; k < list->len; k++)
      self->keys[part][k] = g_strdup (((const SsappStudyChoice *)g_ptr_array_index (list, k))->key);
  }
  return (const char *const *)self->keys[part];
}

static const SsappStudyChoice *
find_choice (SsappStudySession *self, SsappStudyPart part, const char *key)
{
  GPtrArray *list = choices_of (self, part);

  for (guint k = 0; k < list->len; k++) {
    const SsappStudyChoice *choice = g_ptr_array_index (list, k);
    if (g_strcmp0 (choice->key, key) == 0)
      return choice;
  }
  return NULL;
}

const char *
ssapp_study_session_get_choice_title (SsappStudySession *self, SsappStudyPart part, const char *key)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self) && part < SSAPP_STUDY_PARTS, NULL);
  const SsappStudyChoice *choice = find_choice (self, part, key);
  return choice != NULL ? choice->title : "";
}

/* What was chosen, else the usual one, else the first that there is. */
const char *
ssapp_study_session_get_choice (SsappStudySession *self, SsappStudyPart part)
{
  static const char *const first[SSAPP_STUDY_PARTS] = {"objective" RELATIVE, "data-best", "objective" RELATIVE,
                                                       "cpu_seconds", ""};
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self) && part < SSAPP_STUDY_PARTS, NULL);
  GPtrArray *list = choices_of (self, part);

  if (find_choice (self, part, self->choices[part]) != NULL)
    return self->choices[part];
  if (part == SSAPP_STUDY_TIME) { /* not what stands beside it */
    const char *beside = ssapp_study_session_get_choice (self, SSAPP_STUDY_BOX);
    for (guint k = 0; k < list->len && g_strcmp0 (beside, first[part]) == 0; k++) {
      const char *key = ((const SsappStudyChoice *)g_ptr_array_index (list, k))->key;
      if (strcmp (key, beside) != 0 && !g_str_has_suffix (key, RELATIVE))
        return key;
    }
  }
  if (find_choice (self, part, first[part]) != NULL || list->len == 0)
    return first[part];
  return ((const SsappStudyChoice *)g_ptr_array_index (list, 0))->key;
}

void
ssapp_study_look_want (SsappStudySession *self, const char *outcome)
{
  static const SsappStudyPart parts[] = {SSAPP_STUDY_HEAT, SSAPP_STUDY_BOX};

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_free (self->choices[parts[i]]);
    self->choices[parts[i]] = g_strdup (outcome);
  }
  ssapp_study_look_drop_charts (self);
  ssapp_study_session_tell (self, "looked");
}

gboolean
ssapp_study_session_set_choice (SsappStudySession *self, SsappStudyPart part, const char *key)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self) && part < SSAPP_STUDY_PARTS, FALSE);

  if (find_choice (self, part, key) == NULL)
    return FALSE;
  if (g_strcmp0 (key, ssapp_study_session_get_choice (self, part)) == 0)
    return TRUE;
  g_free (self->choices[part]);
  self->choices[part] = g_strdup (key);
  ssapp_study_look_drop_chart (self, part);
  if (part == SSAPP_STUDY_HEAT) /* what decides it */
    ssapp_study_look_drop_chart (self, SSAPP_STUDY_PROFILE);
  ssapp_study_session_tell (self, "looked");
  return TRUE;
}

void
ssapp_study_session_set_heat_axes (SsappStudySession *self, int x_axis, int y_axis)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));

  if (self->x_axis == x_axis && self->y_axis == y_axis)
    return;
  self->x_axis = x_axis;
  self->y_axis = y_axis;
  ssapp_study_look_drop_chart (self, SSAPP_STUDY_HEAT);
  ssapp_study_session_tell (self, "looked");
}

/* The axes that the heat maps have: those chosen, else the first two with several values. */
static void
find_heat_axes (SsappStudySession *self, int *x, int *y)
{
  *x = self->x_axis;
  *y = self->y_axis;
  for (int a = 0; a < (int)self->set->axes->len; a++) {
    if (((const SsappRunAxis *)g_ptr_array_index (self->set->axes, a))->n_values < 2 || a == *x || a == *y)
      continue;
    if (*x < 0)
      *x = a;
    else if (*y < 0)
      *y = a;
  }
}

/* Calls for each pair of axes with several values, y first for people, until one returns TRUE. */
typedef gboolean (*Pair) (SsappStudySession *self, guint pair, int x, int y, gpointer data);

static void
for_pairs (SsappStudySession *self, Pair act, gpointer data)
{
  const int n = self->set != NULL ? (int)self->set->axes->len : 0;
  guint pair = 0;

  for (int x = 0; x < n; x++)
    for (int y = 0; y < n; y++) {
      const SsappRunAxis *of_x = g_ptr_array_index (self->set->axes, x), *of_y = g_ptr_array_index (self->set->axes, y);
      if (x != y && of_x->n_values > 1 && of_y->n_values > 1 && act (self, pair++, x, y, data))
        return;
    }
}

typedef struct {
  GStrvBuilder *titles;
  guint *selected, wanted;
} Pairs;

static gboolean
add_pair (SsappStudySession *self, guint pair, int x, int y, gpointer data)
{
  Pairs *pairs = data;
  g_autofree char *title =
      g_strdup_printf ("%s by %s", ((const SsappRunAxis *)g_ptr_array_index (self->set->axes, y))->title,
                       ((const SsappRunAxis *)g_ptr_array_index (self->set->axes, x))->title);
  int x_now, y_now;

  find_heat_axes (self, &x_now, &y_now);
  g_strv_builder_add (pairs->titles, title);
  if (x == x_now && y == y_now)
    *pairs->selected = pair;
  return FALSE;
}

char **
ssapp_study_session_list_heat_axes (SsappStudySession *self, guint *selected)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  Pairs pairs = {.titles = builder, .selected = selected};

  *selected = 0;
  for_pairs (self, add_pair, &pairs);
  return g_strv_builder_end (builder);
}

static gboolean
take_pair (SsappStudySession *self, guint pair, int x, int y, gpointer data)
{
  if (pair != ((const Pairs *)data)->wanted)
    return FALSE;
  ssapp_study_session_set_heat_axes (self, x, y);
  return TRUE;
}

void
ssapp_study_session_choose_heat_axes (SsappStudySession *self, guint pair)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  Pairs pairs = {.wanted = pair};

  for_pairs (self, take_pair, &pairs);
}

gboolean
ssapp_study_session_takes_unsolved (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  return self->takes_unsolved;
}

void
ssapp_study_session_set_takes_unsolved (SsappStudySession *self, gboolean takes_unsolved)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));

  if (self->takes_unsolved == takes_unsolved)
    return;
  self->takes_unsolved = takes_unsolved;
  ssapp_study_look_drop_chart (self, SSAPP_STUDY_BOX);
  ssapp_study_look_drop_chart (self, SSAPP_STUDY_TIME);
  ssapp_study_session_tell (self, "looked");
}

static const char *
label_of (SsappStudySession *self, guint method)
{
  return self->set != NULL && method < self->set->methods->len
             ? ((const SsappRunMethod *)g_ptr_array_index (self->set->methods, method))->label
             : "";
}

gboolean
ssapp_study_session_is_hidden (SsappStudySession *self, guint method)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  return g_hash_table_contains (self->hidden, label_of (self, method));
}

void
ssapp_study_session_set_hidden (SsappStudySession *self, guint method, gboolean is_hidden)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  const char *label = label_of (self, method);

  if (*label == '\0' || is_hidden == ssapp_study_session_is_hidden (self, method))
    return;
  if (is_hidden)
    g_hash_table_add (self->hidden, g_strdup (label));
  else
    g_hash_table_remove (self->hidden, label);
  ssapp_study_look_drop_charts (self);
  ssapp_study_session_tell (self, "looked");
}

/* ---- charts ------------------------------------------------------------------------------------------------------ */

/* "objective/best": the metric, and whether it is divided. */
static void
read_metric (const SsappRunSet *set, const char *key, SsMetric *metric, gboolean *is_relative)
{
  g_autofree char *name = g_strdup (key);

  *is_relative = g_str_has_suffix (name, RELATIVE);
  if (*is_relative)
    name[strlen (name) - strlen (RELATIVE)] = '\0';
  *metric = ssapp_run_set_find_metric (set, name);
}

static void
fill_spec (SsappStudySession *self, SsappStudyPart part, SsappChartSpec *spec)
{
  const char *key = ssapp_study_session_get_choice (self, part);

  if (part == SSAPP_STUDY_PROFILE) {
    for (guint k = 0; k < G_N_ELEMENTS (profiles); k++)
      if (strcmp (profiles[k].key, key) == 0) {
        ssapp_chart_spec_init (spec, profiles[k].kind, self->set);
        spec->within = profiles[k].within;
        if (profiles[k].kind == SSAPP_CHART_WORK) {
          spec->metric = SS_METRIC_MAX_VIOLATION;
          spec->other = SS_METRIC_CPU_SECONDS;
          spec->x_log = spec->y_log = TRUE;
        }
        if (profiles[k].kind >= SSAPP_CHART_DECIDES) /* of what the maps show, as is the distribution */
          read_metric (self->set, ssapp_study_session_get_choice (self, SSAPP_STUDY_HEAT), &spec->metric,
                       &spec->is_relative);
      }
    return;
  }
  ssapp_chart_spec_init (spec, part == SSAPP_STUDY_HEAT ? SSAPP_CHART_HEAT : SSAPP_CHART_BOX, self->set);
  read_metric (self->set, key, &spec->metric, &spec->is_relative);
  spec->takes_unsolved = self->takes_unsolved;
  if (part != SSAPP_STUDY_HEAT && spec->is_relative)
    spec->y_log = TRUE;
  if (part == SSAPP_STUDY_HEAT) {
    spec->x_axis = self->x_axis;
    spec->y_axis = self->y_axis;
  }
}

/* Of each method of the set; g_free. */
static gboolean *
list_hidden (SsappStudySession *self)
{
  gboolean *hidden = g_new0 (gboolean, self->set->methods->len + 1);

  for (guint m = 0; m < self->set->methods->len; m++)
    hidden[m] = ssapp_study_session_is_hidden (self, m);
  return hidden;
}

const SsappChart *
ssapp_study_session_get_chart (SsappStudySession *self, SsappStudyPart part)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self) && part < SSAPP_STUDY_PARTS, NULL);

  if (self->set == NULL || part == SSAPP_STUDY_RUNS)
    return NULL;
  if (self->charts[part] == NULL) {
    g_autofree gboolean *hidden = list_hidden (self);
    SsappChartSpec spec;
    fill_spec (self, part, &spec);
    spec.hidden = hidden;
    self->charts[part] = ssapp_chart_new (self->set, &spec);
  }
  return self->charts[part];
}

/* ---- the marked problem ------------------------------------------------------------------------------------------ */

const int *
ssapp_study_session_get_selected (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  return self->selected;
}

static const SsappRunItem *
item_of (const SsappRunSet *set, guint item)
{
  return &g_array_index (set->items, SsappRunItem, item);
}

void
ssapp_study_session_select_items (SsappStudySession *self, const guint *items, guint n)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  const guint n_axes = self->set != NULL ? self->set->axes->len : 0;
  g_autofree int *places = g_new0 (int, n_axes + 1);
  gboolean is_same = self->selected != NULL;

  if (n == 0 || self->set == NULL) {
    if (self->selected == NULL)
      return;
    g_clear_pointer (&self->selected, g_free);
    ssapp_study_session_tell (self, "looked");
    return;
  }
  for (guint a = 0; a < n_axes; a++) {
    places[a] = (int)item_of (self->set, items[0])->places[a];
    for (guint k = 1; k < n; k++)
      if ((int)item_of (self->set, items[k])->places[a] != places[a])
        places[a] = -1;
    is_same = is_same && self->selected[a] == places[a];
  }
  g_free (self->selected);
  self->selected = is_same ? NULL : g_steal_pointer (&places);
  ssapp_study_session_tell (self, "looked");
}

void
ssapp_study_session_step_selected (SsappStudySession *self, int dx, int dy)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  int axes[2], by[] = {dx, dy};

  if (self->set == NULL || self->set->items->len == 0)
    return;
  find_heat_axes (self, &axes[0], &axes[1]);
  if (self->selected == NULL) {
    self->selected = g_new (int, self->set->axes->len + 1);
    for (guint a = 0; a < self->set->axes->len; a++)
      self->selected[a] = (int)a == axes[0] || (int)a == axes[1] ? 0 : -1;
  } else {
    for (int k = 0; k < 2; k++)
      if (axes[k] >= 0) {
        const int n = (int)((const SsappRunAxis *)g_ptr_array_index (self->set->axes, axes[k]))->n_values;
        self->selected[axes[k]] = CLAMP (self->selected[axes[k]] + by[k], 0, n - 1);
      }
  }
  ssapp_study_session_tell (self, "looked");
}

gboolean
ssapp_study_session_is_item_selected (SsappStudySession *self, guint item)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);

  if (self->selected == NULL || self->set == NULL || item >= self->set->items->len)
    return FALSE;
  for (guint a = 0; a < self->set->axes->len; a++)
    if (self->selected[a] >= 0 && self->selected[a] != (int)item_of (self->set, item)->places[a])
      return FALSE;
  return TRUE;
}

char *
ssapp_study_session_dup_selected_words (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  GString *text = g_string_new (NULL);

  for (guint a = 0; self->selected != NULL && self->set != NULL && a < self->set->axes->len; a++) {
    const SsappRunAxis *axis = g_ptr_array_index (self->set->axes, a);
    if (self->selected[a] >= 0 && axis->n_values > 1)
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", axis->title, axis->texts[self->selected[a]]);
  }
  return g_string_free (text, FALSE);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

gboolean
ssapp_study_session_shows_all (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  return self->shows_all;
}

void
ssapp_study_session_set_shows_all (SsappStudySession *self, gboolean shows_all)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));

  if (self->shows_all == shows_all)
    return;
  self->shows_all = shows_all;
  ssapp_study_session_tell (self, "looked");
}

static const char *
outcome_of (const SsappRunItem *item)
{
  return item->row == NULL ? "queued" : item->state == SSAPP_RUN_RUNNING ? "running" : item->row->outcome;
}

/* Objective over the best of its problem; NaN of runs that were not solved, whose objective may be below the best. */
static double
ratio_of (const SsappRunSet *set, guint item)
{
  const double best = ssapp_run_set_best (set, item_of (set, item)->problem, SS_METRIC_OBJECTIVE, NULL),
               value = ssapp_run_set_get (set, item, SS_METRIC_OBJECTIVE);

  return item_of (set, item)->state == SSAPP_RUN_SOLVED && best > 0 ? value / best : NAN;
}

/* Axes with more than one value, or all. */
static gboolean
shows_axis (const SsappRunSet *set, guint axis, gboolean all)
{
  return all || ((const SsappRunAxis *)g_ptr_array_index (set->axes, axis))->n_values > 1;
}

/* Those that differ; `all`: every one that is known. */
static GArray *
metrics_to_show (const SsappRunSet *set, gboolean all)
{
  GArray *metrics = ssapp_run_set_list_outcomes (set);

  for (guint k = 0; k < G_N_ELEMENTS (usual) && (all || metrics->len < NARROW_METRICS); k++)
    if (is_telling (set, usual[k]))
      g_array_append_val (metrics, usual[k]);
  for (int m = 0; all && m < SS_METRIC_COUNT; m++) {
    const SsMetric metric = (SsMetric)m;
    gboolean is_there = FALSE;
    for (guint k = 0; k < metrics->len; k++)
      is_there |= g_array_index (metrics, SsMetric, k) == metric;
    for (guint i = 0; !is_there && i < set->items->len; i++)
      if (isfinite (ssapp_run_set_get (set, i, metric))) {
        g_array_append_val (metrics, metric);
        break;
      }
  }
  return metrics;
}

/* Titles as short as a narrow table wants them. */
static void
add_metric_column (SsappTable *table, SsMetric metric)
{
  ssapp_table_add_metric_column_called (table, metric,
                                        metric == SS_METRIC_CPU_SECONDS  ? "CPU"
                                        : metric == SS_METRIC_ITERATIONS ? "Iter."
                                                                         : ssapp_metric_spec (metric)->label);
}

static SsappTable *
make_runs (SsappStudySession *self)
{
  const SsappRunSet *set = self->set;
  SsappTable *table = ssapp_table_new (self->study->title);
  g_autoptr (GArray) metrics = metrics_to_show (set, self->shows_all);
  gboolean has_ratio = FALSE;

  g_array_set_size (self->table_items, 0);
  ssapp_table_add_text_column (table, "method", "Method");
  for (guint a = 0; a < set->axes->len; a++) {
    const SsappRunAxis *axis = g_ptr_array_index (set->axes, a);
    if (!shows_axis (set, a, self->shows_all))
      continue;
    if (axis->is_number)
      ssapp_table_add_number_column (table, axis->name, axis->title, "", "%.6g", SSAPP_BEST_NONE);
    else
      ssapp_table_add_text_column (table, axis->name, axis->title);
  }
  for (guint k = 0; k < metrics->len; k++) {
    const SsMetric metric = g_array_index (metrics, SsMetric, k);
    add_metric_column (table, metric);
    if (metric == SS_METRIC_OBJECTIVE && set->methods->len > 1) {
      ssapp_table_add_number_column (table, "objective_ratio", "/ best", "", "%.4g", SSAPP_BEST_LOWEST);
      has_ratio = TRUE;
    }
  }
  ssapp_table_add_text_column (table, "outcome", "Outcome");
  for (guint i = 0; i < set->items->len; i++) {
    const SsappRunItem *item = item_of (set, i);
    if (item->row == NULL && !self->shows_all)
      continue;
    ssapp_table_set_group (table, item->problem);
    ssapp_table_set_apart (table, item->state != SSAPP_RUN_SOLVED);
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, label_of (self, item->method));
    for (guint a = 0; a < set->axes->len; a++) {
      const SsappRunAxis *axis = g_ptr_array_index (set->axes, a);
      if (!shows_axis (set, a, self->shows_all))
        continue;
      if (axis->is_number)
        ssapp_table_add_number (table, axis->values[item->places[a]]);
      else
        ssapp_table_add_text (table, axis->texts[item->places[a]]);
    }
    for (guint k = 0; k < metrics->len; k++) {
      const SsMetric metric = g_array_index (metrics, SsMetric, k);
      ssapp_table_add_number (table, ssapp_run_set_get (set, i, metric));
      if (metric == SS_METRIC_OBJECTIVE && has_ratio)
        ssapp_table_add_number (table, ratio_of (set, i));
    }
    ssapp_table_add_text (table, outcome_of (item));
    g_array_append_val (self->table_items, i);
  }
  return table;
}

SsappTable *
ssapp_study_session_make_table (SsappStudySession *self, SsappStudyPart part)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self) && part < SSAPP_STUDY_PARTS, NULL);

  if (self->set == NULL)
    return NULL;
  return part == SSAPP_STUDY_RUNS ? make_runs (self)
                                  : ssapp_chart_to_table (ssapp_study_session_get_chart (self, part));
}

GArray *
ssapp_study_session_get_table_items (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  return self->table_items;
}

static const double PAGE_BESIDE = 1; /* CPU time that a window waits for a page's engine [s] */

/* ---- files ------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_study_session_export (SsappStudySession *self, SsappStudyPart part, double width_mm, const char *path,
                            GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self) && part < SSAPP_STUDY_PARTS, FALSE);

  if (self->set == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is nothing to export yet");
    return FALSE;
  }
  const double width = width_mm > 0 ? width_mm : SSAPP_CHART_PAGE_MM;
  const SsappStudyPage page = {.store = self->store,
                               .study = self->study,
                               .set = self->set,
                               .chart = ssapp_study_session_get_chart (self, part),
                               .width_mm = width,
                               .beside = PAGE_BESIDE};
  if (part != SSAPP_STUDY_RUNS && ssapp_endings_check ("page", path, NULL))
    return ssapp_study_page_export (&page, path, error);
  if (part != SSAPP_STUDY_RUNS)
    return ssapp_chart_export (page.chart, width, path, error);
  g_autoptr (SsappTable) table = ssapp_study_session_make_table (self, part);
  return ssapp_table_export (table, path, error);
}

int
ssapp_study_session_export_all (SsappStudySession *self, double width_mm, const char *folder, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), -1);
  g_autofree gboolean *hidden = NULL;
  g_autoptr (GPtrArray) done = NULL;

  if (self->set == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is nothing to export yet");
    return -1;
  }
  hidden = list_hidden (self);
  if (!ssapp_run_set_export_all (self->set, hidden, width_mm > 0 ? width_mm : SSAPP_CHART_PAGE_MM, folder, &done,
                                 error))
    return -1;
  return (int)done->len;
}
