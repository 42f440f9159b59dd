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

static const SsappRecordField side_fields[] = {
    SSAPP_FIELD (SsappSensitivitySide, of, "of", STRING, "", "number that derivatives are by"),
    SSAPP_FIELD (SsappSensitivitySide, side, "side", STRING, "", "more or less: for larger or smaller values"),
    SSAPP_FIELD_AS (SsappSensitivitySide, derivatives, "derivatives", "null|{real}", false, "",
                    "of the final state by channel; null: there are none"),
    SSAPP_FIELD (SsappSensitivitySide, kind, "kind", LABEL, "", "why there are none"),
    SSAPP_FIELD (SsappSensitivitySide, meaning, "meaning", LABEL, "", "the same in words")};
const SsappRecord ssapp_sensitivity_side_record = SSAPP_RECORD (SsappSensitivitySide, side_fields);

static const SsappRecordField break_fields[] = {
    SSAPP_FIELD (SsappSensitivityBreak, of, "of", STRING, "", "number that derivatives are by"),
    SSAPP_FIELD (SsappSensitivityBreak, t, "t", REAL, "s", "when"),
    SSAPP_FIELD (SsappSensitivityBreak, kind, "kind", STRING, "", "why"),
    SSAPP_FIELD (SsappSensitivityBreak, contact, "contact", LABEL, "", "at which contact; null: none"),
    SSAPP_FIELD (SsappSensitivityBreak, meaning, "meaning", STRING, "", "the same in words")};
const SsappRecord ssapp_sensitivity_break_record = SSAPP_RECORD (SsappSensitivityBreak, break_fields);

static json_t *
side_to_json (const SsScene *scene, const SsSensitivity *s, const SsSensitivitySide *side)
{
  const gboolean exists = side->kind == SS_SENSITIVITY_SIDE_EXISTS;
  const SsappSensitivitySide told = {.of = s->names[side->input],
                                     .side = side->is_more ? "more" : "less",
                                     .derivatives = exists ? state_to_json (scene, side->slopes) : NULL,
                                     .kind = exists ? NULL : ss_sensitivity_side_name (side->kind),
                                     .meaning = exists ? NULL : ss_sensitivity_side_meaning (side->kind)};
  json_t *object = ssapp_record_to_json (&ssapp_sensitivity_side_record, &told);

  json_decref (told.derivatives);
  return object;
}

static json_t *
break_to_json (const SsScene *scene, const SsSensitivity *s, const SsSensitivityBreak *item)
{
  const SsappSensitivityBreak told = {.of = s->names[item->input],
                                      .kind = ss_sensitivity_break_name (item->kind),
                                      .contact = item->contact >= 0 ? scene->contacts[item->contact].name : NULL,
                                      .meaning = ss_sensitivity_break_meaning (item->kind),
                                      .t = item->t};

  return ssapp_record_to_json (&ssapp_sensitivity_break_record, &told);
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
ssapp_sensitivity_break_words (const SsappSensitivityBreak *item)
{
  g_return_val_if_fail (item != NULL, NULL);
  return g_strdup_printf ("%s: at t = %.6g s%s%s: %s", item->of, item->t, item->contact != NULL ? ", " : "",
                          item->contact != NULL ? item->contact : "", item->meaning);
}

static gboolean
goes_on (const char *kind)
{
  for (int k = 0; k < SS_SENSITIVITY_N_BREAKS; k++)
    if (g_strcmp0 (kind, ss_sensitivity_break_name ((SsSensitivityBreakKind)k)) == 0)
      return ss_sensitivity_goes_on ((SsSensitivityBreakKind)k);
  return FALSE;
}

/* "mu, a little more: box.x -4.3"; g_free. */
static char *
side_words (const SsappSensitivitySide *item, int most)
{
  g_autofree char *name = g_strdup_printf ("%s, a little %s", item->of, item->side);

  return item->meaning != NULL ? g_strdup_printf ("%s: no derivative: %s", name, item->meaning)
                               : line_of (name, item->derivatives, most);
}

GArray *
ssapp_sensitivity_breaks (const json_t *result)
{
  return ssapp_records_from_json (&ssapp_sensitivity_break_record, json_object_get (result, "sensitivity_breaks"));
}

char **
ssapp_sensitivity_lines (const json_t *result, int most)
{
  const json_t *all = json_object_get (result, "sensitivities");
  GPtrArray *lines;
  GArray *breaks, *sides;
  const char *name;
  json_t *slopes;

  if (!json_is_object (all))
    return NULL;
  lines = g_ptr_array_new ();
  breaks = ssapp_sensitivity_breaks (result);
  sides = ssapp_records_from_json (&ssapp_sensitivity_side_record, json_object_get (result, "sensitivity_sides"));
  json_object_foreach ((json_t *)all, name, slopes)
  {
    gboolean is_known = TRUE;
    for (guint i = 0; i < breaks->len; i++) {
      const SsappSensitivityBreak *item = &g_array_index (breaks, SsappSensitivityBreak, i);
      if (!g_str_equal (item->of, name))
        continue;
      is_known = is_known && goes_on (item->kind);
      g_ptr_array_add (lines, ssapp_sensitivity_break_words (item));
    }
    if (is_known)
      g_ptr_array_add (lines, line_of (name, slopes, most));
    for (guint i = 0; i < sides->len; i++) {
      const SsappSensitivitySide *item = &g_array_index (sides, SsappSensitivitySide, i);
      if (g_str_equal (item->of, name))
        g_ptr_array_add (lines, side_words (item, most));
    }
  }
  ssapp_records_free (&ssapp_sensitivity_break_record, breaks);
  ssapp_records_free (&ssapp_sensitivity_side_record, sides);
  g_ptr_array_add (lines, NULL);
  return (char **)g_ptr_array_free (lines, FALSE);
}
