/* app/job/ssapp-sensitivity.c: see the header. */
#include "app/job/ssapp-sensitivity.h"

#include "app/base/ssapp-json.h"
#include "simulate/ss-sensitivity.h"

#include <math.h>
#include <stdlib.h>

static json_t *
final_to_json (const SsScene *scene, const SsSensitivity *s, int input)
{
  json_t *object = json_object ();

  for (int body = 0; body < scene->n_bodies; body++)
    for (int k = 0; k < SS_BODY_CHANNELS; k++) {
      g_autofree char *name = g_strdup_printf ("%s.%s", scene->bodies[body].name, ss_body_channels[k]);
      if (!ss_body_is_immovable (&scene->bodies[body]))
        json_object_set_new (object, name, ssapp_json_real (ss_sensitivity_final (s, input, body, k)));
    }
  return object;
}

static json_t *
break_to_json (const SsScene *scene, const SsSensitivity *s, const SsSensitivityBreak *item)
{
  return json_pack ("{s:s, s:o, s:s, s:o, s:s}", "of", s->names[item->input], "t", ssapp_json_real (item->t), "kind",
                    ss_sensitivity_break_name (item->kind), "contact",
                    item->contact >= 0 ? json_string (scene->contacts[item->contact].name) : json_null (), "meaning",
                    ss_sensitivity_break_meaning (item->kind));
}

void
ssapp_sensitivity_add_to_json (json_t *object, const SsScene *scene, const SsRunResult *result)
{
  const SsSensitivity *s = result->sensitivity;
  json_t *all, *breaks, *events = json_object_get (object, "events");

  if (s == NULL)
    return;
  all = json_object ();
  breaks = json_array ();
  for (int i = 0; i < s->n_inputs; i++)
    json_object_set_new (all, s->names[i], final_to_json (scene, s, i));
  for (int i = 0; i < s->n_breaks; i++)
    json_array_append_new (breaks, break_to_json (scene, s, &s->breaks[i]));
  json_object_set_new (object, "sensitivities", all);
  json_object_set_new (object, "sensitivity_breaks", breaks);
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
      is_known = is_known && g_strcmp0 (kind, ss_sensitivity_break_name (SS_SENSITIVITY_ACCUMULATION)) == 0;
      g_ptr_array_add (lines, ssapp_sensitivity_break_words (item));
    }
    if (is_known)
      g_ptr_array_add (lines, line_of (name, slopes, most));
  }
  g_ptr_array_add (lines, NULL);
  return (char **)g_ptr_array_free (lines, FALSE);
}
