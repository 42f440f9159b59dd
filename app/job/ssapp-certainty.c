/* app/job/ssapp-certainty.c: see the header. */
#include "app/job/ssapp-certainty.h"

#include "app/base/ssapp-json.h"

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static json_t *
text (const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  return json_string (valid);
}

static json_t *
second_to_json (const SsScene *scene, const SsSecondSolution *second)
{
  json_t *object = json_object (), *contacts = json_array (), *velocities = json_array ();

  json_object_set_new (object, "t", ssapp_json_real (second->t));
  json_object_set_new (object, "residual", ssapp_json_real (second->residual));
  json_object_set_new (object, "apart", ssapp_json_real (second->apart));
  for (int i = 0; i < second->n_contacts; i++)
    json_array_append_new (contacts, text (scene->contacts[second->contacts[i]].name));
  for (int i = 0; i < second->n_bodies; i++) {
    json_t *item = json_object ();
    json_object_set_new (item, "body", text (scene->bodies[second->bodies[i]].name));
    json_object_set_new (item, "first", ssapp_json_reals (second->first[i], 3));
    json_object_set_new (item, "second", ssapp_json_reals (second->second[i], 3));
    json_array_append_new (velocities, item);
  }
  json_object_set_new (object, "contacts", contacts);
  json_object_set_new (object, "velocities", velocities);
  return object;
}

json_t *
ssapp_certainty_to_json (const SsScene *scene, const SsRunResult *result)
{
  const int *n = result->n_by_certainty;
  json_t *steps;

  if (n[SS_CERTAINTY_UNIQUE] + n[SS_CERTAINTY_SEVERAL] + n[SS_CERTAINTY_UNDECIDED] == 0)
    return NULL;
  steps = json_object ();
  json_object_set_new (steps, "unique", json_integer (n[SS_CERTAINTY_UNIQUE]));
  json_object_set_new (steps, "several", json_integer (n[SS_CERTAINTY_SEVERAL]));
  json_object_set_new (steps, "undecided", json_integer (n[SS_CERTAINTY_UNDECIDED]));
  if (result->second.is_there && scene != NULL)
    json_object_set_new (steps, "first_several", second_to_json (scene, &result->second));
  return steps;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

char *
ssapp_certainty_summary (const json_t *result)
{
  const json_t *steps = json_object_get (result, "steps"), *first = json_object_get (steps, "first_several"), *contact;
  size_t i;
  GString *line;

  if (!json_is_object (steps))
    return NULL;
  line = g_string_new (NULL);
  g_string_append_printf (line, "%" JSON_INTEGER_FORMAT " unique in velocities, %" JSON_INTEGER_FORMAT " several",
                          json_integer_value (json_object_get (steps, "unique")),
                          json_integer_value (json_object_get (steps, "several")));
  if (json_is_object (first)) {
    g_string_append_printf (line, " (first from %.9g s on, at", ssapp_json_get_real (first, "t"));
    json_array_foreach (json_object_get (first, "contacts"), i, contact) g_string_append_printf (
        line, "%s %s", i > 0 ? "," : "", json_is_string (contact) ? json_string_value (contact) : "?");
    g_string_append_c (line, ')');
  }
  g_string_append_printf (line, ", %" JSON_INTEGER_FORMAT " undecided",
                          json_integer_value (json_object_get (steps, "undecided")));
  return g_string_free (line, FALSE);
}

char *
ssapp_certainty_dup_markup (const json_t *result, gboolean can_branch)
{
  g_autofree char *summary = ssapp_certainty_summary (result);
  g_autofree char *escaped = summary != NULL ? g_markup_escape_text (summary, -1) : NULL;

  if (escaped == NULL)
    return NULL;
  return can_branch && json_is_object (json_object_get (json_object_get (result, "steps"), "first_several"))
             ? g_strdup_printf ("Steps: %s. <a href=\"" SSAPP_CERTAINTY_LINK "\">Go On With Both</a>", escaped)
             : g_strdup_printf ("Steps: %s", escaped);
}

static void
append_velocity (GString *line, const char *before, const json_t *values)
{
  g_string_append_printf (
      line, "%s%.4g m/s, %.4g m/s, %.4g rad/s", before, json_number_value (json_array_get (values, 0)),
      json_number_value (json_array_get (values, 1)), json_number_value (json_array_get (values, 2)));
}

char *
ssapp_certainty_details (const json_t *result)
{
  const json_t *first = json_object_get (json_object_get (result, "steps"), "first_several"), *item;
  size_t i;
  GString *line;

  if (!json_is_object (first))
    return NULL;
  line = g_string_new (NULL);
  g_string_append_printf (line, "The step from %.9g s on has a second solution, %.3g m/s away (residual %.1g m/s):\n",
                          ssapp_json_get_real (first, "t"), ssapp_json_get_real (first, "apart"),
                          ssapp_json_get_real (first, "residual"));
  json_array_foreach (json_object_get (first, "velocities"), i, item)
  {
    const char *body = ssapp_json_get_string (item, "body");
    g_string_append_printf (line, "%s ends with", body != NULL ? body : "?");
    append_velocity (line, " ", json_object_get (item, "first"));
    append_velocity (line, "; or ", json_object_get (item, "second"));
    g_string_append_c (line, '\n');
  }
  g_string_append (line, "certainty=branches goes on with both.");
  return g_string_free (line, FALSE);
}
