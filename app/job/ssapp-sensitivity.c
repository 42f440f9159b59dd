/* app/job/ssapp-sensitivity.c: see the header. */
#include "app/job/ssapp-sensitivity.h"

#include "app/base/ssapp-json.h"
#include "simulate/ss-sensitivity.h"

#include <math.h>
#include <stdlib.h>

/* One input's derivatives of the final state. */
static json_t *
state_to_json (const SsScene *scene, const double *slopes)
{
  json_t *object = json_object ();

  for (int c = 0; c < scene->n_bodies * SS_BODY_CHANNELS; c++) {
    const SsBody *body = &scene->bodies[c / SS_BODY_CHANNELS];
    g_autofree char *name = g_strdup_printf ("%s.%s", body->name, ss_body_channels[c % SS_BODY_CHANNELS]);
    if (!ss_body_is_immovable (body))
      json_object_set_new (object, name, ssapp_json_real (slopes[c]));
  }
  return object;
}

static json_t *
side_to_json (const SsScene *scene, const SsSensitivity *s, const SsSensitivitySide *side)
{
  const gboolean exists = side->kind == SS_SENSITIVITY_SIDE_EXISTS;

  return json_pack ("{s:s, s:s, s:o, s:o, s:o}", "of", s->names[side->input], "side", side->is_more ? "more" : "less",
                    "derivatives", exists ? state_to_json (scene, side->slopes) : json_null (), "kind",
                    exists ? json_null () : json_string (ss_sensitivity_side_name (side->kind)), "meaning",
                    exists ? json_null () : json_string (ss_sensitivity_side_meaning (side->kind)));
}

static json_t *
break_to_json (const SsScene *scene, const SsSensitivity *s, const SsSensitivityBreak *item)
{
  return json_pack ("{s:s, s:o, s:s, s:o, s:s}", "of", s->names[item->input], "t", ssapp_json_real (item->t), "kind",
                    ss_sensitivity_break_name (item->kind), "contact",
                    item->contact >= 0 ? json_string (scene->contacts[item->contact].name) : json_null (), "meaning",
                    ss_sensitivity_break_meaning (item->kind));
}

/* Why a metric has no derivative. */
static const char *
why_none (const SsMetricSpec *spec)
{
  return spec->type == SS_METRIC_TYPE_REAL
             ? "a largest value, an error or a time of the computation: no smooth function of the motion"
             : "a number of things, which changes by whole ones";
}

static void
add_metrics (json_t *object, const SsSensitivity *s, const SsMetricSet *metrics)
{
  json_t *all = json_object (), *others = json_object ();
  SsMetricSet slopes;

  for (int i = 0; i < s->n_inputs; i++) {
    json_t *own = json_object ();
    ss_sensitivity_metrics (s, i, &slopes);
    for (int m = 0; m < SS_METRIC_COUNT; m++) {
      const SsMetricSpec *spec = ss_metric_spec ((SsMetric)m);
      if (metrics->is_set[m] && slopes.is_set[m])
        json_object_set_new (own, spec->name, ssapp_json_real (slopes.value[m]));
      else if (metrics->is_set[m])
        json_object_set_new (others, spec->name, json_string (why_none (spec)));
    }
    json_object_set_new (all, s->names[i], own);
  }
  json_object_set_new (object, "metric_sensitivities", all);
  json_object_set_new (object, "metrics_without_sensitivity", others);
}

void
ssapp_sensitivity_add_to_json (json_t *object, const SsScene *scene, const SsRunResult *result)
{
  const SsSensitivity *s = result->sensitivity;
  json_t *all, *breaks, *sides, *events = json_object_get (object, "events");

  if (s == NULL)
    return;
  all = json_object ();
  breaks = json_array ();
  for (int i = 0; i < s->n_inputs; i++)
    json_object_set_new (all, s->names[i], state_to_json (scene, ss_sensitivity_final_columns (s, i)));
  sides = json_array ();
  for (int i = 0; i < s->n_sides; i++)
    json_array_append_new (sides, side_to_json (scene, s, &s->sides[i]));
  for (int i = 0; i < s->n_breaks; i++)
    json_array_append_new (breaks, break_to_json (scene, s, &s->breaks[i]));
  json_object_set_new (object, "sensitivities", all);
  json_object_set_new (object, "sensitivity_breaks", breaks);
  json_object_set_new (object, "sensitivity_sides", sides);
  add_metrics (object, s, &result->metrics);
  for (int k = 0; k < s->n_events && k < (int)json_array_size (events); k++) {
    json_t *own = json_object ();
    for (int i = 0; i < s->n_inputs; i++)
      json_object_set_new (own, s->names[i], ssapp_json_real (s->event_slopes[k * s->n_inputs + i]));
    json_object_set_new (json_array_get (events, (size_t)k), "sensitivity", own);
  }
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  double value;
} Slope;

static int
compare_slopes (const void *a, const void *b)
{
  const double x = fabs (((const Slope *)a)->value), y = fabs (((const Slope *)b)->value);

  return (x < y) - (x > y);
}

/* What is less, as a part of the largest derivative, is rounding or as good as that. */
static const double none = 1e-6;

static char *
line_of (const char *name, const json_t *slopes, int most)
{
  g_autofree Slope *list = g_new0 (Slope, json_object_size (slopes) + 1);
  GString *line = g_string_new (name);
  const char *channel;
  json_t *value;
  int n = 0;

  json_object_foreach ((json_t *)slopes, channel, value) if (json_is_number (value) && json_number_value (value) != 0)
      list[n++] = (Slope){channel, json_number_value (value)};
  qsort (list, (size_t)n, sizeof *list, compare_slopes);
  for (int i = 0; i < n && i < most && fabs (list[i].value) > none * fabs (list[0].value); i++)
    g_string_append_printf (line, "%s%s %.4g", i == 0 ? ": " : ", ", list[i].name, list[i].value);
  if (n == 0)
    g_string_append (line, ": nothing at the end depends on it");
  return g_string_free (line, FALSE);
}

char *
ssapp_sensitivity_break_words (const json_t *item)
{
  const char *contact = ssapp_json_get_string (item, "contact"), *of = ssapp_json_get_string (item, "of"),
             *meaning = ssapp_json_get_string (item, "meaning");

  return g_strdup_printf ("%s: at t = %.6g s%s%s: %s", of != NULL ? of : "", ssapp_json_get_real (item, "t"),
                          contact != NULL ? ", " : "", contact != NULL ? contact : "", meaning != NULL ? meaning : "");
}

static gboolean
goes_on (const char *kind)
{
  for (int k = 0; k < SS_SENSITIVITY_N_BREAKS; k++)
    if (g_strcmp0 (kind, ss_sensitivity_break_name ((SsSensitivityBreakKind)k)) == 0)
      return ss_sensitivity_goes_on ((SsSensitivityBreakKind)k);
  return FALSE;
}

/* "mu, a little more: box.x -4.3", of an item of sensitivity_sides; g_free. */
static char *
ssapp_sensitivity_side_words (const json_t *item, int most)
{
  const char *of = ssapp_json_get_string (item, "of"), *side = ssapp_json_get_string (item, "side"),
             *reason = ssapp_json_get_string (item, "meaning");
  g_autofree char *name = g_strdup_printf ("%s, a little %s", of, side);

  return reason != NULL ? g_strdup_printf ("%s: no derivative: %s", name, reason)
                        : line_of (name, json_object_get (item, "derivatives"), most);
}

char **
ssapp_sensitivity_lines (const json_t *result, int most)
{
  const json_t *all = json_object_get (result, "sensitivities"), *breaks;
  GPtrArray *lines;
  const char *name;
  json_t *slopes, *item;
  size_t i;

  if (!json_is_object (all))
    return NULL;
  lines = g_ptr_array_new ();
  breaks = json_object_get (result, "sensitivity_breaks");
  json_object_foreach ((json_t *)all, name, slopes)
  {
    gboolean is_known = TRUE;
    json_array_foreach (breaks, i, item)
    {
      const char *kind = ssapp_json_get_string (item, "kind");
      if (g_strcmp0 (ssapp_json_get_string (item, "of"), name) != 0)
        continue;
      is_known = is_known && goes_on (kind);
      g_ptr_array_add (lines, ssapp_sensitivity_break_words (item));
    }
    if (is_known)
      g_ptr_array_add (lines, line_of (name, slopes, most));
    json_array_foreach (json_object_get (result, "sensitivity_sides"), i,
                        item) if (g_strcmp0 (ssapp_json_get_string (item, "of"), name) == 0)
        g_ptr_array_add (lines, ssapp_sensitivity_side_words (item, most));
  }
  g_ptr_array_add (lines, NULL);
  return (char **)g_ptr_array_free (lines, FALSE);
}
