/* app/study/ssapp-accuracy.c: see ssapp-accuracy.h. */
#include "app/study/ssapp-accuracy.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/job/ssapp-result.h"

#include <math.h>
#include <string.h>

/* Of the truth's way: below is rounding; a method that stays below is exact. */
static const double rounding = 1e-13, exact = 1e-11;
/* Local slope from which on an error falls. */
static const double least_slope = 0.25;
/* By how much the slope at the longest step may differ from that of the others. */
static const double alike = 1;
enum { LEAST_POINTS = 3 };

/* ---- methods and rows -------------------------------------------------------------------------------------------- */

SsappAccuracyMethod *
ssapp_accuracy_method_new (const SsMethod *method, const char *label, const char *const *names,
                           const char *const *values)
{
  g_return_val_if_fail (method != NULL, NULL);
  static const char *const none[] = {NULL};
  SsappAccuracyMethod *self = g_new0 (SsappAccuracyMethod, 1);

  self->method = method;
  self->label = g_strdup (label != NULL ? label : method->name);
  self->names = g_strdupv ((char **)(void *)(names != NULL ? names : none));
  self->values = g_strdupv ((char **)(void *)(values != NULL ? values : none));
  return self;
}

void
ssapp_accuracy_method_free (SsappAccuracyMethod *self)
{
  if (self == NULL)
    return;
  g_free (self->label);
  g_strfreev (self->names);
  g_strfreev (self->values);
  g_free (self);
}

static void
row_clear (gpointer data)
{
  SsappAccuracyRow *row = data;

  g_free (row->outcome);
  g_free (row->message);
  g_free (row->run);
}

SsappAccuracy *
ssapp_accuracy_new (const char *title, SsappErrorKind kind)
{
  SsappAccuracy *self = g_new0 (SsappAccuracy, 1);

  self->title = g_strdup (title);
  self->reference = g_strdup ("");
  self->compared = g_strdup ("");
  self->methods = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_accuracy_method_free);
  self->rows = g_array_new (FALSE, FALSE, sizeof (SsappAccuracyRow));
  g_array_set_clear_func (self->rows, row_clear);
  self->kind = kind;
  return self;
}

void
ssapp_accuracy_free (SsappAccuracy *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_free (self->reference);
  g_free (self->compared);
  g_free (self->asked);
  g_free (self->asked_unit);
  g_ptr_array_unref (self->methods);
  g_array_unref (self->rows);
  g_free (self);
}

static SsappAccuracyRow *
row_at (const SsappAccuracy *self, guint index)
{
  return &g_array_index (self->rows, SsappAccuracyRow, index);
}

void
ssapp_accuracy_add (SsappAccuracy *self, const SsappAccuracyRow *row)
{
  g_return_if_fail (self != NULL);
  guint i = 0;

  while (i < self->rows->len && (row_at (self, i)->method < row->method ||
                                 (row_at (self, i)->method == row->method && row_at (self, i)->dt > row->dt)))
    i++;
  if (i == self->rows->len || row_at (self, i)->method != row->method || row_at (self, i)->dt < row->dt) {
    g_array_insert_val (self->rows, i, *row);
    return;
  }
  SsappAccuracyRow *old = row_at (self, i), taken = *row;
  const double cpu =
      fmin (ss_metric_get (&old->metrics, SS_METRIC_CPU_SECONDS), ss_metric_get (&row->metrics, SS_METRIC_CPU_SECONDS));
  if (isfinite (cpu))
    ss_metric_set (&taken.metrics, SS_METRIC_CPU_SECONDS, cpu);
  row_clear (old);
  *old = taken;
}

void
ssapp_accuracy_row_init (SsappAccuracyRow *row, guint method, double dt)
{
  *row = (SsappAccuracyRow){.method = method, .dt = dt, .scale = NAN, .surplus = NAN, .turned_over = NAN};
  row->answer = row->answer_scale = NAN;
  for (guint i = 0; i < SSAPP_ERROR_COUNT; i++)
    row->errors[i] = NAN;
  for (guint i = 0; i < SS_WORK_COUNT; i++)
    row->work[i] = NAN;
}

void
ssapp_accuracy_row_read (SsappAccuracyRow *row, const json_t *result)
{
  g_return_if_fail (row != NULL);
  SsappEnergy energy;
  SsOutcome outcome;

  ssapp_record_from_json (&ssapp_energy_record, json_object_get (result, "energy"), &energy);
  row->outcome = g_strdup (ssapp_json_get_string (result, "outcome"));
  row->message = g_strdup (ssapp_json_get_string (result, "message"));
  row->run = g_strdup (ssapp_json_get_string (result, "run"));
  row->is_success =
      row->outcome != NULL && ss_outcome_from_name (row->outcome, &outcome) && outcome == SS_OUTCOME_COMPLETED;
  ssapp_metrics_from_json (json_object_get (result, "metrics"), &row->metrics);
  row->surplus = energy.surplus;
  row->turned_over = energy.turned_over;
  for (guint i = 0; i < SS_WORK_COUNT; i++)
    row->work[i] = ssapp_json_get_real (energy.work, ss_work_name ((SsWork)i));
  ssapp_record_clear (&ssapp_energy_record, &energy);
}

/* ---- fits -------------------------------------------------------------------------------------------------------- */

typedef struct {
  double n, x, y, xx, xy;
} Sums;

/* Slope, and the factor of the power law. */
static double
solve (const Sums *s, double *factor)
{
  const double d = s->n * s->xx - s->x * s->x;
  const double slope = d > 0 ? (s->n * s->xy - s->x * s->y) / d : (double)NAN;

  *factor = exp ((s->y - slope * s->x) / s->n);
  return slope;
}

static void
add (Sums *s, double x, double y)
{
  s->n++;
  s->x += log (x);
  s->y += log (y);
  s->xx += log (x) * log (x);
  s->xy += log (x) * log (y);
}

static gboolean
falls (const double *steps, const double *errors, guint i, guint k)
{
  return log (errors[i] / errors[k]) > least_slope * log (steps[i] / steps[k]);
}

static double
slope_of (const double *steps, const double *errors, guint first, guint end)
{
  Sums sums = {0};
  double factor;

  for (guint i = first; i < end; i++)
    add (&sums, steps[i], errors[i]);
  return solve (&sums, &factor);
}

/* The range of points [*first, *end) on which the error falls. */
static void
find_range (const double *steps, const double *errors, guint n, double floor, guint *first, guint *end)
{
  guint least = 0, most = 0;

  for (guint i = 0; i < n; i++)
    if (errors[i] < errors[least])
      least = i;
  for (guint i = 0; i < least; i++)
    if (errors[i] >= errors[most])
      most = i;
  while (least > most && errors[least] <= floor)
    least--;
  while (least > most && !falls (steps, errors, least - 1, least))
    least--;
  while (most < least && !falls (steps, errors, most, most + 1))
    most++;
  /* A step that is too long for the method says nothing of its order. */
  while (least + 1 - most > LEAST_POINTS &&
         fabs (slope_of (steps, errors, most, most + 2) - slope_of (steps, errors, most + 1, least + 1)) > alike)
    most++;
  *first = most;
  *end = least + 1;
}

void
ssapp_accuracy_fit_points (const double *steps, const double *errors, const double *cpu, guint n, double scale,
                           SsappAccuracyFit *out)
{
  g_autofree double *h = g_new (double, n + 1), *e = g_new (double, n + 1), *c = g_new (double, n + 1);
  Sums by_step = {0}, by_cpu = {0};
  guint m = 0, first, end, n_cpu = 0;

  *out = (SsappAccuracyFit){.is_exact = TRUE, .order = NAN, .cpu_slope = NAN, .dt_first = NAN, .dt_last = NAN};
  out->factor = out->cpu_factor = NAN;
  out->note = "";
  for (guint i = 0; i < n; i++)
    if (isfinite (errors[i])) { /* 0 has no logarithm, but is rounding */
      h[m] = steps[i];
      c[m] = cpu != NULL ? cpu[i] : (double)NAN;
      e[m++] = fmax (errors[i], 1e-300);
      out->is_exact = out->is_exact && errors[i] <= exact * scale;
    }
  out->is_exact = out->is_exact && m > 0;
  if (m == 0 || out->is_exact) {
    out->note = m == 0 ? "no run to compare" : "exact up to rounding";
    return;
  }
  find_range (h, e, m, rounding * scale, &first, &end);
  if (end - first < LEAST_POINTS || !(slope_of (h, e, first, end) > least_slope)) {
    out->note = m < LEAST_POINTS ? "fewer than three runs" : "the error does not fall over three steps";
    return;
  }
  for (guint i = first; i < end; i++) {
    add (&by_step, h[i], e[i]);
    if (c[i] > 0) {
      add (&by_cpu, c[i], e[i]);
      n_cpu++;
    }
  }
  out->order = solve (&by_step, &out->factor);
  if (n_cpu >= LEAST_POINTS)
    out->cpu_slope = solve (&by_cpu, &out->cpu_factor);
  out->n_points = end - first;
  out->dt_first = h[first];
  out->dt_last = h[end - 1];
}

void
ssapp_accuracy_fit (const SsappAccuracy *self, guint method, SsappAccuracyFit *out)
{
  g_return_if_fail (self != NULL);
  g_autofree double *values = g_new (double, 3 * self->rows->len + 1);
  double *steps = values, *errors = values + self->rows->len, *cpu = values + 2 * self->rows->len, scale = 0;
  guint n = 0, n_failed = 0;

  for (guint i = 0; i < self->rows->len; i++) {
    const SsappAccuracyRow *row = row_at (self, i);
    if (row->method != method)
      continue;
    n_failed += !row->is_success;
    steps[n] = row->dt;
    errors[n] = row->is_success ? row->errors[self->kind] : (double)NAN;
    cpu[n++] = ss_metric_get (&row->metrics, SS_METRIC_CPU_SECONDS);
    scale = fmax (scale, self->kind == SSAPP_ERROR_OUTCOME ? row->answer_scale : row->scale);
  }
  ssapp_accuracy_fit_points (steps, errors, cpu, n, scale, out);
  if (n > 0 && n_failed == n)
    out->note = "no run to compare: each one failed";
  const SsappAccuracyMethod *own = g_ptr_array_index (self->methods, method);
  if (own->method->has_own_steps && !out->is_exact && n > 0) {
    *out = (SsappAccuracyFit){.order = NAN, .cpu_slope = NAN, .factor = NAN, .cpu_factor = NAN};
    out->dt_first = out->dt_last = NAN;
    out->note = "steps of its own: answers to its tolerance at any step";
  }
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

char *
ssapp_accuracy_error_words (const SsappAccuracy *self, SsappErrorKind kind)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (kind != SSAPP_ERROR_OUTCOME || self->asked == NULL)
    return g_strdup (ssapp_error_kind_words (kind));
  return *self->asked_unit != '\0' ? g_strdup_printf ("error of %s [%s]", self->asked, self->asked_unit)
                                   : g_strdup_printf ("error of %s", self->asked);
}

/* Kinds of errors that are known of the runs: the last one only where an outcome was asked. */
static guint
n_kinds (const SsappAccuracy *self)
{
  return self->asked != NULL ? SSAPP_ERROR_COUNT : SSAPP_ERROR_OUTCOME;
}

static void
add_notes (SsappTable *table, const SsappAccuracy *self)
{
  g_autofree char *note = g_strdup_printf ("Reference: %s. Compared: %s.", self->reference, self->compared);

  ssapp_table_add_note (table, note);
}

static const char *
label_of (const SsappAccuracy *self, guint method)
{
  return ((const SsappAccuracyMethod *)g_ptr_array_index (self->methods, method))->label;
}

static void
begin_run (SsappTable *table, const SsappAccuracy *self, const SsappAccuracyRow *row)
{
  ssapp_table_begin_row (table);
  ssapp_table_set_apart (table, !row->is_success);
  ssapp_table_add_text (table, label_of (self, row->method));
  ssapp_table_add_number (table, row->dt);
}

static SsappTable *
new_runs_table (const SsappAccuracy *self, const char *what)
{
  g_autofree char *title = g_strdup_printf ("%s: %s", self->title, what);
  SsappTable *table = ssapp_table_new (title);

  ssapp_table_add_text_column (table, "method", "Method");
  ssapp_table_add_number_column (table, "dt", "Step", "s", "%.4g", SSAPP_BEST_NONE);
  return table;
}

/* What the judge and the driver say of a run, beside its errors. */
static const SsMetric judged[] = {SS_METRIC_MAX_PENETRATION, SS_METRIC_MAX_CONE_VIOLATION,
                                  SS_METRIC_MAX_COMPLEMENTARITY, SS_METRIC_MAX_JOINT_DRIFT,
                                  SS_METRIC_MAX_BALANCE_RESIDUAL};

SsappTable *
ssapp_accuracy_runs_table (const SsappAccuracy *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappTable *table = new_runs_table (self, "errors and cost");

  if (self->asked != NULL)
    ssapp_table_add_number_column (table, self->asked, self->asked, self->asked_unit, "%.8g", SSAPP_BEST_NONE);
  for (guint k = 0; k < n_kinds (self); k++) {
    g_autofree char *key = g_strdup_printf ("error_%s", ssapp_error_kind_name ((SsappErrorKind)k));
    g_autofree char *title = ssapp_accuracy_error_words (self, (SsappErrorKind)k);
    title[0] = g_ascii_toupper (title[0]);
    ssapp_table_add_number_column (table, key, title, "", "%.2e", SSAPP_BEST_LOWEST);
  }
  ssapp_table_add_metric_column (table, SS_METRIC_STEPS);
  ssapp_table_add_metric_column (table, SS_METRIC_CPU_SECONDS);
  ssapp_table_add_number_column (table, "energy_drift", "Energy from nothing", "J", "%.2e", SSAPP_BEST_NONE);
  for (guint i = 0; i < G_N_ELEMENTS (judged); i++)
    ssapp_table_add_metric_column (table, judged[i]);
  ssapp_table_add_text_column (table, "outcome", "Outcome");
  for (guint i = 0; i < self->rows->len; i++) {
    const SsappAccuracyRow *row = row_at (self, i);
    begin_run (table, self, row);
    if (self->asked != NULL)
      ssapp_table_add_number (table, row->answer);
    for (guint k = 0; k < n_kinds (self); k++)
      ssapp_table_add_number (table, row->errors[k]);
    ssapp_table_add_number (table, ss_metric_get (&row->metrics, SS_METRIC_STEPS));
    ssapp_table_add_number (table, ss_metric_get (&row->metrics, SS_METRIC_CPU_SECONDS));
    ssapp_table_add_number (table, row->surplus);
    for (guint k = 0; k < G_N_ELEMENTS (judged); k++)
      ssapp_table_add_number (table, ss_metric_get (&row->metrics, judged[k]));
    ssapp_table_add_text (table, row->outcome);
  }
  add_notes (table, self);
  ssapp_table_add_note (table,
                        "Energy from nothing: the change of kinetic and potential energy that no force explains; "
                        "below 0 it was lost. Penetration, cone, impulse at a gap, joint drift and unexplained "
                        "velocity are the judge's, the largest over the motion.");
  return table;
}

/* Which law each method solves, methods of one law together. */
static void
add_laws (SsappTable *table, const SsappAccuracy *self)
{
  for (guint m = 0; m < self->methods->len; m++) {
    const SsappAccuracyMethod *method = g_ptr_array_index (self->methods, m);
    g_autoptr (GString) line = g_string_new (method->label);
    gboolean is_told = FALSE;
    for (guint k = 0; k < self->methods->len; k++) {
      const SsappAccuracyMethod *other = g_ptr_array_index (self->methods, k);
      if (k == m || strcmp (other->method->solves, method->method->solves) != 0)
        continue;
      is_told = is_told || k < m;
      g_string_append_printf (line, ", %s", other->label);
    }
    g_string_append_printf (line, ": %s", method->method->solves);
    if (!is_told)
      ssapp_table_add_note (table, line->str);
  }
}

SsappTable *
ssapp_accuracy_orders_table (const SsappAccuracy *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_autofree char *title = g_strdup_printf ("%s: order of the %s", self->title, ssapp_error_kind_words (self->kind));
  SsappTable *table = ssapp_table_new (title);

  ssapp_table_add_text_column (table, "method", "Method");
  ssapp_table_add_number_column (table, "order", "Order", "", "%.2f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "cpu_slope", "Slope over CPU time", "", "%.2f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "points", "Points", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "dt_first", "Longest step", "s", "%.4g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "dt_last", "Shortest step", "s", "%.4g", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "note", "Note");
  for (guint m = 0; m < self->methods->len; m++) {
    const SsappAccuracyMethod *method = g_ptr_array_index (self->methods, m);
    SsappAccuracyFit fit;
    ssapp_accuracy_fit (self, m, &fit);
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, method->label);
    ssapp_table_add_number (table, fit.order);
    ssapp_table_add_number (table, fit.cpu_slope);
    ssapp_table_add_number (table, fit.n_points > 0 ? fit.n_points : (double)NAN);
    ssapp_table_add_number (table, fit.dt_first);
    ssapp_table_add_number (table, fit.dt_last);
    ssapp_table_add_text (table, fit.note);
  }
  add_notes (table, self);
  ssapp_table_add_note (table, "Least squares of the logarithms over the steps on which the error falls.");
  add_laws (table, self);
  return table;
}

SsappTable *
ssapp_accuracy_energy_table (const SsappAccuracy *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappTable *table = new_runs_table (self, "account of energy");

  ssapp_table_add_metric_column (table, SS_METRIC_ENERGY_INITIAL);
  ssapp_table_add_metric_column (table, SS_METRIC_ENERGY_FINAL);
  for (guint i = 0; i < SS_WORK_COUNT; i++) {
    g_autofree char *key = g_strdup_printf ("work_%s", ss_work_name ((SsWork)i));
    g_autofree char *title =
        g_strdup_printf (i == SS_WORK_UNEXPLAINED ? "Work %s" : "Work of %s", ss_work_name ((SsWork)i));
    ssapp_table_add_number_column (table, key, title, "J", "%.4g", SSAPP_BEST_NONE);
  }
  ssapp_table_add_number_column (table, "energy_drift", "Energy from nothing", "J", "%.2e", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "turned_over", "Turned over", "J", "%.4g", SSAPP_BEST_NONE);
  for (guint i = 0; i < self->rows->len; i++) {
    const SsappAccuracyRow *row = row_at (self, i);
    begin_run (table, self, row);
    ssapp_table_add_number (table, ss_metric_get (&row->metrics, SS_METRIC_ENERGY_INITIAL));
    ssapp_table_add_number (table, ss_metric_get (&row->metrics, SS_METRIC_ENERGY_FINAL));
    for (guint k = 0; k < SS_WORK_COUNT; k++)
      ssapp_table_add_number (table, row->work[k]);
    ssapp_table_add_number (table, row->surplus);
    ssapp_table_add_number (table, row->turned_over);
  }
  ssapp_table_add_note (table, "The judge's account, from the scene and the rows alone.");
  return table;
}

SsappTable *
ssapp_accuracy_table_by_name (const SsappAccuracy *self, const char *name)
{
  if (strcmp (name, "runs") == 0)
    return ssapp_accuracy_runs_table (self);
  if (strcmp (name, "orders") == 0)
    return ssapp_accuracy_orders_table (self);
  return strcmp (name, "energy") == 0 ? ssapp_accuracy_energy_table (self) : NULL;
}

static json_t *
fit_to_json (const SsappAccuracy *self, guint m)
{
  const SsappAccuracyMethod *method = g_ptr_array_index (self->methods, m);
  SsappAccuracyFit fit;
  json_t *object;

  ssapp_accuracy_fit (self, m, &fit);
  object = json_pack ("{s:s, s:s, s:s, s:b, s:o, s:o, s:i, s:o, s:o, s:s}", "method", method->label, "name",
                      method->method->name, "law", method->method->solves, "exact", fit.is_exact, "order",
                      ssapp_json_real (fit.order), "cpu_slope", ssapp_json_real (fit.cpu_slope), "points",
                      (int)fit.n_points, "dt_first", ssapp_json_real (fit.dt_first), "dt_last",
                      ssapp_json_real (fit.dt_last), "note", fit.note);
  return object;
}

static json_t *
row_to_json (const SsappAccuracy *self, const SsappAccuracyRow *row)
{
  json_t *object = json_object (), *errors = json_object (), *work = json_object ();

  if (self->asked != NULL)
    json_object_set_new (object, "answer", ssapp_json_real (row->answer));
  for (guint k = 0; k < n_kinds (self); k++)
    json_object_set_new (errors, ssapp_error_kind_name ((SsappErrorKind)k), ssapp_json_real (row->errors[k]));
  for (guint k = 0; k < SS_WORK_COUNT; k++)
    json_object_set_new (work, ss_work_name ((SsWork)k), ssapp_json_real (row->work[k]));
  json_object_set_new (object, "method", json_string (label_of (self, row->method)));
  json_object_set_new (object, "dt", ssapp_json_real (row->dt));
  json_object_set_new (object, "outcome", json_string (row->outcome != NULL ? row->outcome : ""));
  json_object_set_new (object, "message", json_string (row->message != NULL ? row->message : ""));
  json_object_set_new (object, "run", row->run != NULL ? json_string (row->run) : json_null ());
  json_object_set_new (object, "errors", errors);
  json_object_set_new (object, "metrics", ssapp_metrics_to_json (&row->metrics));
  json_object_set_new (object, "surplus", ssapp_json_real (row->surplus));
  json_object_set_new (object, "turned_over", ssapp_json_real (row->turned_over));
  json_object_set_new (object, "work", work);
  return object;
}

json_t *
ssapp_accuracy_to_json (const SsappAccuracy *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  json_t *object = json_object (), *methods = json_array (), *runs = json_array ();

  for (guint m = 0; m < self->methods->len; m++)
    json_array_append_new (methods, fit_to_json (self, m));
  for (guint i = 0; i < self->rows->len; i++)
    json_array_append_new (runs, row_to_json (self, row_at (self, i)));
  json_object_set_new (object, "format", json_integer (1));
  json_object_set_new (object, "scenario", json_string (self->title));
  json_object_set_new (object, "reference", json_string (self->reference));
  json_object_set_new (object, "compared", json_string (self->compared));
  if (self->asked != NULL)
    json_object_set_new (object, "asked", json_string (self->asked));
  json_object_set_new (object, "error", json_string (ssapp_error_kind_name (self->kind)));
  json_object_set_new (object, "methods", methods);
  json_object_set_new (object, "runs", runs);
  return object;
}
