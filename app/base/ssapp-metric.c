/* app/base/ssapp-metric.c: see ssapp-metric.h. */
#include "app/base/ssapp-metric.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"

#include <math.h>
#include <string.h>

/* Name of the object that a name with a dot is a member of: "tracking_error" of "tracking_error.position"; NULL without
 * a dot. *member is the rest, or the whole. */
static char *
split_name (const char *name, const char **member)
{
  const char *dot = strchr (name, '.');

  *member = dot != NULL ? dot + 1 : name;
  return dot != NULL ? g_strndup (name, (gsize)(dot - name)) : NULL;
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

/* Specs that were asked for so far, of SsMetricSpec, which stay; by row name to their index + 1. */
static GMutex outcomes_mutex;
static GPtrArray *outcomes;
static GHashTable *outcome_by_row;

static const char OUTCOME_PREFIX[] = "outcomes.";

char *
ssapp_metric_outcome_row (const char *name, const char *unit)
{
  g_return_val_if_fail (name != NULL && unit != NULL, NULL);
  return *unit != '\0' ? g_strdup_printf ("%s%s [%s]", OUTCOME_PREFIX, name, unit)
                       : g_strconcat (OUTCOME_PREFIX, name, NULL);
}

/* Under the mutex. */
static SsMetric
find_outcome (const char *row)
{
  if (outcomes == NULL) {
    outcomes = g_ptr_array_new ();
    outcome_by_row = g_hash_table_new (g_str_hash, g_str_equal);
  }
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (outcome_by_row, row));
  if (place == 0) {
    const char *name = row + strlen (OUTCOME_PREFIX), *bracket = strstr (name, " [");
    g_autofree char *own = bracket != NULL ? g_strndup (name, (gsize)(bracket - name)) : g_strdup (name);
    g_autofree char *unit =
        bracket != NULL ? g_strndup (bracket + strlen (" ["), strlen (bracket) - strlen (" []")) : g_strdup ("");
    SsMetricSpec *spec = g_new (SsMetricSpec, 1);

    *spec = (SsMetricSpec){.name = g_intern_string (own),
                           .label = g_intern_string (own),
                           .unit = g_intern_string (unit),
                           .format = "%.6g",
                           .type = SS_METRIC_TYPE_REAL,
                           .better = SS_BETTER_NEITHER,
                           .summary = "outcome that was asked for"};
    g_ptr_array_add (outcomes, spec);
    place = outcomes->len;
    g_hash_table_insert (outcome_by_row, (gpointer)g_intern_string (row), GUINT_TO_POINTER (place));
  }
  return (SsMetric)(SS_METRIC_COUNT + place);
}

SsMetric
ssapp_metric_outcome_of_row (const char *row)
{
  g_return_val_if_fail (row != NULL, SS_METRIC_COUNT);
  if (!g_str_has_prefix (row, OUTCOME_PREFIX)) /* most rows */
    return SS_METRIC_COUNT;
  const gsize n = strlen (row);
  const char *bracket = strstr (row, " [");
  if (n == strlen (OUTCOME_PREFIX) || (bracket != NULL && row[n - 1] != ']'))
    return SS_METRIC_COUNT;
  g_mutex_lock (&outcomes_mutex);
  const SsMetric metric = find_outcome (row);
  g_mutex_unlock (&outcomes_mutex);
  return metric;
}

SsMetric
ssapp_metric_of_outcome (const char *name, const char *unit)
{
  g_autofree char *row = ssapp_metric_outcome_row (name, unit);

  return ssapp_metric_outcome_of_row (row);
}

gboolean
ssapp_metric_is_outcome (SsMetric metric)
{
  return metric > SS_METRIC_COUNT;
}

const SsMetricSpec *
ssapp_metric_spec (SsMetric metric)
{
  if (!ssapp_metric_is_outcome (metric))
    return ss_metric_spec (metric);
  g_mutex_lock (&outcomes_mutex);
  const SsMetricSpec *spec = g_ptr_array_index (outcomes, (guint)metric - SS_METRIC_COUNT - 1);
  g_mutex_unlock (&outcomes_mutex);
  return spec;
}

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

json_t *
ssapp_metric_to_json (SsMetric metric, double value)
{
  const double largest_integer = 9e15; /* beyond, not every integer is a double */

  switch (ssapp_metric_spec (metric)->type) {
  case SS_METRIC_TYPE_COUNT:
    if (fabs (value) < largest_integer)
      return json_integer ((json_int_t)value);
    break;
  case SS_METRIC_TYPE_FLAG:
    if (!isnan (value))
      return json_boolean (value != 0);
    break;
  case SS_METRIC_TYPE_REAL:
    break;
  }
  return ssapp_json_real (value);
}

json_t *
ssapp_metrics_to_json (const SsMetricSet *set)
{
  json_t *object = json_object ();

  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const char *member;
    g_autofree char *group = split_name (ss_metric_spec ((SsMetric)i)->name, &member);
    json_t *into = group != NULL ? json_object_get (object, group) : object;
    if (!set->is_set[i])
      continue;
    if (into == NULL) {
      into = json_object ();
      json_object_set_new (object, group, into);
    }
    json_object_set_new (into, member, ssapp_metric_to_json ((SsMetric)i, set->value[i]));
  }
  return object;
}

void
ssapp_metrics_from_json (const json_t *metrics, SsMetricSet *set)
{
  g_return_if_fail (set != NULL);
  *set = (SsMetricSet){0};
  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const char *member;
    g_autofree char *group = split_name (ss_metric_spec ((SsMetric)i)->name, &member);
    const json_t *value = json_object_get (group != NULL ? json_object_get (metrics, group) : metrics, member);
    if (json_is_number (value) || json_is_boolean (value) || json_is_null (value))
      ss_metric_set (set, (SsMetric)i,
                     json_is_number (value)    ? json_number_value (value)
                     : json_is_boolean (value) ? json_is_true (value)
                                               : NAN);
  }
}

char *
ssapp_metric_flat_name (SsMetric metric)
{
  const char *member;
  char *group = split_name (ssapp_metric_spec (metric)->name, &member);

  return group != NULL ? group : g_strdup (member);
}

/* Takes the text. */
static char *
add_unit (char *text, const char *unit)
{
  char *title = unit[0] != '\0' ? g_strdup_printf ("%s [%s]", text, unit) : g_strdup (text);

  g_free (text);
  return title;
}

char *
ssapp_metric_title (SsMetric metric)
{
  const SsMetricSpec *spec = ssapp_metric_spec (metric);

  return add_unit (g_strdup (spec->label), spec->unit);
}

char *
ssapp_metric_words (SsMetric metric)
{
  char *words = g_strdup (ssapp_metric_spec (metric)->label);

  if (!g_ascii_isupper (words[1])) /* no abbreviation */
    words[0] = g_ascii_tolower (words[0]);
  return words;
}

char *
ssapp_metric_heading (SsMetric metric)
{
  return add_unit (ssapp_metric_words (metric), ssapp_metric_spec (metric)->unit);
}

char *
ssapp_metric_text (SsMetric metric, double value)
{
  const SsMetricSpec *spec = ssapp_metric_spec (metric);

  if (!isfinite (value))
    return g_strdup ("-");
  if (spec->type == SS_METRIC_TYPE_FLAG)
    return g_strdup (value != 0 ? "yes" : "no");
  return ssapp_text_number (spec->format, value);
}

gboolean
ssapp_metric_is_better (SsMetric metric, double value, double than)
{
  switch (ssapp_metric_spec (metric)->better) {
  case SS_BETTER_LOWER:
    return value < than || (!isnan (value) && isnan (than));
  case SS_BETTER_HIGHER:
    return value > than || (!isnan (value) && isnan (than));
  case SS_BETTER_NEITHER:
    break;
  }
  return FALSE;
}

double
ssapp_metric_best (SsMetric metric, const double *values, guint n)
{
  double best = NAN;

  for (guint i = 0; i < n; i++)
    if (ssapp_metric_is_better (metric, values[i], best))
      best = values[i];
  return best;
}
