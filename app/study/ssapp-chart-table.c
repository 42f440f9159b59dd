/* app/study/ssapp-chart-table.c: the numbers of each chart as a table; runs and summary of a set. */
#include "app/study/ssapp-chart-private.h"

#include <math.h>

#include "app/base/ssapp-metric.h"

static const char AXIS_FORMAT[] = "%.10g", SHARE_FORMAT[] = "%.4f";

/* ---- axes as columns --------------------------------------------------------------------------------------------- */

static gboolean
is_all_numbers (const SsappRunAxis *axis)
{
  for (guint i = 0; i < axis->n_values; i++)
    if (isnan (axis->values[i]))
      return FALSE;
  return axis->is_number;
}

static void
add_axis_column (SsappTable *table, const SsappRunAxis *axis)
{
  if (is_all_numbers (axis))
    ssapp_table_add_number_column (table, axis->name, axis->title, "", AXIS_FORMAT, SSAPP_BEST_NONE);
  else
    ssapp_table_add_text_column (table, axis->name, axis->title);
}

static void
add_axis_cell (SsappTable *table, const SsappRunAxis *axis, guint place)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_all_numbers (axis))
    ssapp_table_add_number (table, axis->values[place]);
  else if (isnan (axis->values[place]))
    ssapp_table_add_text (table, axis->texts[place]);
  else
    ssapp_table_add_text (table, g_ascii_formatd (buffer, sizeof buffer, AXIS_FORMAT, axis->values[place]));
}

static const SsappRunAxis *
axis_of (const SsappRunSet *set, guint axis)
{
  return g_ptr_array_index (set->axes, axis);
}

static const char *
label_of (const SsappRunSet *set, guint method)
{
  return ((const SsappRunMethod *)g_ptr_array_index (set->methods, method))->label;
}

/* Title without unit, key, unit of what the chart shows. */
static void
add_value_column (const SsappChart *self, SsappTable *table, const char *key, const char *words)
{
  const SsMetricSpec *metric = ssapp_metric_spec (self->spec.metric);
  const SsappBest best = SSAPP_BEST_NONE;
  g_autofree char *name =
      self->spec.is_relative ? g_strdup_printf ("%s / best", metric->label) : g_strdup (metric->label);
  g_autofree char *title = words != NULL ? g_strdup_printf ("%s, %s", name, words) : g_strdup (name);

  ssapp_table_add_number_column (table, key, title, self->spec.is_relative ? "" : metric->unit,
                                 self->spec.is_relative ? "%.4g" : metric->format, best);
}

/* A note with the word for runs that ended well, where it has a place for it. */
static void
add_note (SsappTable *table, const char *format, const char *done)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  g_autofree char *note = g_strjoinv (done, parts);
  ssapp_table_add_note (table, note);
}

/* ---- tables of the charts ---------------------------------------------------------------------------------------- */

static const char *
state_words (const SsappChart *self, const SsappChartCell *cell)
{
  const gboolean is_solved = strcmp (ssapp_run_set_done (self->set), "solved") == 0;

  if (cell->n_solved == cell->n_runs)
    return ssapp_run_set_done (self->set);
  if (cell->n_solved > 0)
    return is_solved ? "partly solved" : "partly completed";
  if (cell->n_running > 0)
    return "running";
  if (cell->n_slow > 0)
    return SSAPP_SLOW_WORDS;
  if (cell->item != SSAPP_NO_ITEM && ssapp_chart_item (self, cell->item)->state == SSAPP_RUN_QUEUED)
    return "queued";
  return is_solved ? "not solved" : "not completed";
}

static void
heat_table (const SsappChart *self, SsappTable *table)
{
  if (self->cells == NULL)
    return;
  const SsappRunAxis *x = ssapp_chart_way_axis (self, 0), *y = ssapp_chart_way_axis (self, 1);

  ssapp_table_add_text_column (table, "method", "Method");
  add_axis_column (table, x);
  if (y != NULL)
    add_axis_column (table, y);
  add_value_column (self, table, "value", NULL);
  ssapp_table_add_number_column (table, "solved", ssapp_run_set_done_title (self->set), "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "runs", "Runs", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "state", "State");
  for (guint map = 0; map < self->n_shown; map++)
    for (guint row = 0; row < self->n_y; row++)
      for (guint column = 0; column < self->n_x; column++) {
        const SsappChartCell *cell = &self->cells[(map * self->n_y + row) * self->n_x + column];
        if (cell->n_runs == 0)
          continue;
        ssapp_table_begin_row (table);
        ssapp_table_add_text (table, label_of (self->set, self->shown[map]));
        add_axis_cell (table, x, column);
        if (y != NULL)
          add_axis_cell (table, y, row);
        ssapp_table_add_number (table, cell->value);
        ssapp_table_add_number (table, cell->n_solved);
        ssapp_table_add_number (table, cell->n_runs);
        ssapp_table_add_text (table, state_words (self, cell));
      }
  if (ssapp_run_set_is_truth (self->set, self->spec.metric))
    ssapp_table_add_note (table, "Of several runs in a cell the share in which it holds.");
  else
    add_note (table, "Of several runs in a cell the median of those that were %s.", ssapp_run_set_done (self->set));
}

static void
box_table (const SsappChart *self, SsappTable *table)
{
  static const char *const keys[] = {"low", "lower", "median", "upper", "high"};
  static const char *const words[] = {"lower whisker", "lower quartile", "median", "upper quartile", "upper whisker"};

  ssapp_table_add_text_column (table, "method", "Method");
  ssapp_table_add_number_column (table, "runs", "Runs", "", "%.0f", SSAPP_BEST_NONE);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    add_value_column (self, table, keys[i], words[i]);
  ssapp_table_add_number_column (table, "outliers", "Outliers", "", "%.0f", SSAPP_BEST_NONE);
  for (guint g = 0; g < self->groups->len; g++) {
    const SsappChartGroup *group = &g_array_index (self->groups, SsappChartGroup, g);
    const double numbers[] = {group->box.low, group->box.lower, group->box.median, group->box.upper, group->box.high};
    guint n_outliers = 0;
    for (guint i = 0; i < group->n; i++)
      n_outliers += ssapp_box_is_outlier (&group->box, group->values[i]);
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, label_of (self->set, group->method));
    ssapp_table_add_number (table, group->n);
    for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
      ssapp_table_add_number (table, numbers[i]);
    ssapp_table_add_number (table, n_outliers);
  }
  add_note (table, self->spec.takes_unsolved ? "Of all runs that ended." : "Of %s runs.",
            ssapp_run_set_done (self->set));
  ssapp_table_add_note (table, "Quartiles between order statistics; whiskers to the farthest value within 1.5 quartile "
                               "distances of the box.");
}

/* "1 time limit, 2 stalled" of the runs of a method that were not solved, as they come; g_free. */
static char *
list_others (const SsappChart *self, guint method)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) outcomes = g_ptr_array_new ();
  GString *words = g_string_new ("");

  for (guint i = 0; i < self->set->items->len; i++) {
    const SsappRunItem *item = ssapp_chart_item (self, i);
    if (item->method != method || item->state == SSAPP_RUN_SOLVED)
      continue;
    gpointer outcome = item->row != NULL                  ? item->row->outcome
                       : item->state == SSAPP_RUN_RUNNING ? (char *)"running"
                                                          : (char *)"queued";
    const guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, outcome));
    if (count == 0)
      g_ptr_array_add (outcomes, outcome);
    g_hash_table_insert (counts, outcome, GUINT_TO_POINTER (count + 1));
  }
  for (guint i = 0; i < outcomes->len; i++) {
    gpointer outcome = g_ptr_array_index (outcomes, i);
    g_autofree char *text = strcmp (outcome, ss_outcome_name (SS_OUTCOME_MACHINE_SLOW)) == 0
                                ? g_strdup (SSAPP_SLOW_WORDS)
                                : g_strdelimit (g_strdup (outcome), "_", ' ');
    g_string_append_printf (words, "%s%u %s", i > 0 ? ", " : "",
                            GPOINTER_TO_UINT (g_hash_table_lookup (counts, outcome)), text);
  }
  return g_string_free (words, FALSE);
}

static void
success_table (const SsappChart *self, SsappTable *table)
{
  ssapp_table_add_text_column (table, "method", "Method");
  ssapp_table_add_number_column (table, "solved", ssapp_run_set_done_title (self->set), "", "%.0f", SSAPP_BEST_HIGHEST);
  ssapp_table_add_number_column (table, "runs", "Runs", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "share", "Share", "%", "%.1f", SSAPP_BEST_HIGHEST);
  ssapp_table_add_text_column (table, "others", "Others");
  for (guint g = 0; g < self->groups->len; g++) {
    const SsappChartGroup *group = &g_array_index (self->groups, SsappChartGroup, g);
    g_autofree char *others = list_others (self, group->method);
    ssapp_table_begin_row (table);
    ssapp_table_set_apart (table, !ssapp_chart_are_of_same_problems (self->set, TRUE));
    ssapp_table_add_text (table, label_of (self->set, group->method));
    ssapp_table_add_number (table, group->n_solved);
    ssapp_table_add_number (table, group->n_runs);
    ssapp_table_add_number (table, group->n_runs > 0 ? 100. * group->n_solved / group->n_runs : (double)NAN);
    ssapp_table_add_text (table, others);
  }
}

static void
profile_table (const SsappChart *self, SsappTable *table)
{
  const SsMetricSpec *metric = ssapp_metric_spec (self->spec.metric);
  const gboolean is_performance = self->spec.kind == SSAPP_CHART_PERFORMANCE;

  ssapp_table_add_text_column (table, "method", "Method");
  if (is_performance)
    ssapp_table_add_number_column (table, "ratio", "Ratio to the best", "", "%.6g", SSAPP_BEST_NONE);
  else
    ssapp_table_add_number_column (table, metric->name, metric->label, metric->unit, "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "share", "Part of problems", "", SHARE_FORMAT, SSAPP_BEST_NONE);
  for (guint c = 0; c < self->curves->len; c++) {
    const SsappChartCurve *curve = &g_array_index (self->curves, SsappChartCurve, c);
    for (guint k = 0; k < curve->n; k++) {
      ssapp_table_begin_row (table);
      ssapp_table_add_text (table, label_of (self->set, curve->method));
      ssapp_table_add_number (table, curve->x[k]);
      ssapp_table_add_number (table, curve->y[k]);
    }
  }
  add_note (table, "From each row on that part of the problems is %s; other runs never count.",
            ssapp_run_set_done (self->set));
  if (!isnan (self->spec.within)) {
    g_autofree char *note =
        g_strdup_printf ("Solved: within %.3g %% of the best objective.", 100 * (self->spec.within - 1));
    ssapp_table_add_note (table, note);
  }
}

static void
curves_table (const SsappChart *self, SsappTable *table)
{
  const gboolean is_work = self->spec.kind == SSAPP_CHART_WORK;
  const SsappRunAxis *axis = self->spec.x_axis >= 0 ? ssapp_chart_axis (self, self->spec.x_axis) : NULL;
  const SsMetricSpec *other = ssapp_metric_spec (self->spec.other);

  ssapp_table_add_text_column (table, "method", "Method");
  if (is_work)
    ssapp_table_add_number_column (table, other->name, other->label, other->unit, other->format, SSAPP_BEST_NONE);
  else if (axis != NULL && axis->is_number)
    ssapp_table_add_number_column (table, axis->name, axis->title, "", AXIS_FORMAT, SSAPP_BEST_NONE);
  else
    ssapp_table_add_text_column (table, axis != NULL ? axis->name : "place", axis != NULL ? axis->title : "Place");
  add_value_column (self, table, ssapp_metric_spec (self->spec.metric)->name, NULL);
  ssapp_table_add_number_column (table, "runs", "Runs", "", "%.0f", SSAPP_BEST_NONE);
  for (guint c = 0; c < self->curves->len; c++) {
    const SsappChartCurve *curve = &g_array_index (self->curves, SsappChartCurve, c);
    for (guint k = 0; k < curve->n; k++) {
      ssapp_table_begin_row (table);
      ssapp_table_add_text (table, label_of (self->set, curve->method));
      if (is_work || (axis != NULL && axis->is_number))
        ssapp_table_add_number (table, curve->x[k]);
      else
        ssapp_table_add_text (table, axis != NULL ? axis->texts[(guint)curve->x[k]] : "");
      ssapp_table_add_number (table, curve->y[k]);
      ssapp_table_add_number (table, curve->counts[k]);
    }
  }
  add_note (table, self->spec.takes_unsolved ? "Medians of the runs that ended." : "Medians of the %s runs.",
            ssapp_run_set_done (self->set));
  for (guint c = 0; c < self->curves->len; c++) {
    const SsappChartCurve *curve = &g_array_index (self->curves, SsappChartCurve, c);
    double slope;
    if (!ssapp_chart_slope (self, curve, &slope))
      continue;
    g_autofree char *note =
        g_strdup_printf ("Slope of %s through the logarithms: %.3g.", label_of (self->set, curve->method), slope);
    ssapp_table_add_note (table, note);
  }
}

/* A note of what a method ignores of its scenes. */
static void
add_notes_of_set (SsappTable *table, const SsappRunSet *set, gboolean tells_times)
{
  guint line = 0;

  for (char *note = NULL; (note = ssapp_run_set_note (set, NULL, tells_times, line)) != NULL; g_free (note), line++)
    ssapp_table_add_note (table, note);
}

SsappTable *
ssapp_chart_to_table (const SsappChart *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappTable *table = ssapp_table_new (self->title);

  switch (self->spec.kind) {
  case SSAPP_CHART_HEAT:
    heat_table (self, table);
    break;
  case SSAPP_CHART_BOX:
    box_table (self, table);
    break;
  case SSAPP_CHART_SUCCESS:
    success_table (self, table);
    break;
  case SSAPP_CHART_PERFORMANCE:
  case SSAPP_CHART_DATA:
    profile_table (self, table);
    break;
  case SSAPP_CHART_CURVES:
  case SSAPP_CHART_WORK:
    curves_table (self, table);
    break;
  case SSAPP_CHART_DECIDES:
    ssapp_chart_shares_table (self, table);
    break;
  case SSAPP_CHART_DISTRIBUTION:
    ssapp_chart_spread_table (self, table);
    break;
  case SSAPP_CHART_COUNT:
    break;
  }
  if (self->empty != NULL)
    ssapp_table_add_note (table, self->empty);
  guint line = 0;
  for (char *note = NULL; (note = ssapp_chart_note (self, line)) != NULL; g_free (note), line++)
    ssapp_table_add_note (table, note);
  return table;
}

/* ---- tables of a set --------------------------------------------------------------------------------------------- */

SsappTable *
ssapp_run_set_to_table (const SsappRunSet *set, const SsMetric *metrics, guint n_metrics)
{
  g_return_val_if_fail (set != NULL, NULL);
  SsappTable *table = ssapp_table_new ("Runs");

  ssapp_table_add_text_column (table, "method", "Method");
  for (guint a = 0; a < set->axes->len; a++)
    add_axis_column (table, axis_of (set, a));
  for (guint k = 0; k < n_metrics; k++)
    ssapp_table_add_metric_column (table, metrics[k]);
  ssapp_table_add_text_column (table, "outcome", "Outcome");
  ssapp_table_add_text_column (table, "run", "Run");
  for (guint p = 0; p < set->n_problems; p++)
    for (guint k = set->first_of[p]; k < set->first_of[p + 1]; k++) {
      const SsappRunItem *item = &g_array_index (set->items, SsappRunItem, set->items_of[k]);
      ssapp_table_set_group (table, p); /* the best of each problem */
      ssapp_table_begin_row (table);
      ssapp_table_set_apart (table, item->state != SSAPP_RUN_SOLVED);
      ssapp_table_add_text (table, label_of (set, item->method));
      for (guint a = 0; a < set->axes->len; a++)
        add_axis_cell (table, axis_of (set, a), item->places[a]);
      for (guint m = 0; m < n_metrics; m++)
        ssapp_table_add_number (table, ssapp_run_set_get (set, set->items_of[k], metrics[m]));
      ssapp_table_add_text (table, item->row != NULL                  ? item->row->outcome
                                   : item->state == SSAPP_RUN_RUNNING ? "running"
                                                                      : "queued");
      ssapp_table_add_text (table, item->row != NULL ? item->row->id : "");
    }
  add_notes_of_set (table, set, FALSE);
  return table;
}

/* Medians of some of the runs that are counted, since others have no such value. */
static void
add_valueless_note (SsappTable *table, const char *words)
{
  g_autofree char *note = *words != '\0' ? g_strdup_printf ("Of runs that have a value: %s.", words) : NULL;

  if (note != NULL)
    ssapp_table_add_note (table, note);
}

static SsappTable *
summary_of (const SsappRunSet *set, const SsMetric *metrics, guint n_metrics, gboolean takes_unsolved)
{
  const gboolean has_same_runs = ssapp_chart_are_of_same_problems (set, TRUE);
  const gboolean has_same_medians = ssapp_chart_are_of_same_problems (set, takes_unsolved);
  SsappTable *table = ssapp_table_new ("Summary");
  g_autoptr (GString) valueless = g_string_new ("");

  ssapp_table_add_text_column (table, "method", "Method");
  ssapp_table_add_number_column (table, "solved", ssapp_run_set_done_title (set), "", "%.0f", SSAPP_BEST_HIGHEST);
  ssapp_table_add_number_column (table, "runs", "Runs", "", "%.0f", SSAPP_BEST_NONE);
  for (guint k = 0; k < n_metrics; k++) {
    g_autofree char *words = ssapp_metric_words (metrics[k]),
                    *title =
                        g_strconcat (ssapp_run_set_is_truth (set, metrics[k]) ? "Share of " : "Median ", words, NULL);
    ssapp_table_add_metric_column_called (table, metrics[k], title);
  }
  for (guint m = 0; m < set->methods->len; m++) {
    g_autofree double *values = g_new (double, MAX (set->items->len, 1));
    guint n_solved = 0, n_runs = 0;
    for (guint i = 0; i < set->items->len; i++) {
      const SsappRunItem *item = &g_array_index (set->items, SsappRunItem, i);
      n_runs += item->method == m;
      n_solved += item->method == m && item->state == SSAPP_RUN_SOLVED;
    }
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, label_of (set, m));
    ssapp_table_set_apart (table, !has_same_runs);
    ssapp_table_add_number (table, n_solved);
    ssapp_table_add_number (table, n_runs);
    ssapp_table_set_apart (table, !has_same_medians);
    for (guint k = 0; k < n_metrics; k++) {
      guint n = 0;
      for (guint i = 0; i < set->items->len; i++) {
        const SsappRunItem *item = &g_array_index (set->items, SsappRunItem, i);
        if (item->method == m &&
            (item->state == SSAPP_RUN_SOLVED || (takes_unsolved && item->state == SSAPP_RUN_UNSOLVED)))
          values[n++] = ssapp_run_set_get (set, i, metrics[k]);
      }
      guint n_told = 0;
      for (guint i = 0; i < n; i++)
        n_told += !isnan (values[i]);
      if (n_told > 0 && n_told < n)
        g_string_append_printf (valueless, "%s%s of %s %u of %u", valueless->len > 0 ? ", " : "",
                                ssapp_metric_spec (metrics[k])->label, label_of (set, m), n_told, n);
      ssapp_table_add_number (table, ssapp_run_set_middle (set, metrics[k], values, n));
    }
  }
  add_note (table, takes_unsolved ? "Medians over the runs that ended." : "Medians over the %s runs.",
            ssapp_run_set_done (set));
  add_valueless_note (table, valueless->str);
  if (!has_same_medians)
    ssapp_table_add_note (table, "The methods' medians are over different problems: none is the best.");
  add_notes_of_set (table, set, TRUE);
  return table;
}

SsappTable *
ssapp_run_set_summary (const SsappRunSet *set, const SsMetric *metrics, guint n_metrics)
{
  return summary_of (set, metrics, n_metrics, FALSE);
}

SsappTable *
ssapp_run_set_summary_of_all (const SsappRunSet *set, const SsMetric *metrics, guint n_metrics)
{
  return summary_of (set, metrics, n_metrics, TRUE);
}
