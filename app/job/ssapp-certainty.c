/* app/job/ssapp-certainty.c: see the header. */
#include "app/job/ssapp-certainty.h"

#include "app/base/ssapp-json.h"

#include <string.h>

static const SsappRecordField two_velocities_fields[] = {
    SSAPP_FIELD (SsappTwoVelocities, body, "body", STRING, "", "name of the body"),
    SSAPP_FIELD (SsappTwoVelocities, first, "first", REALS, "m/s, m/s, rad/s", "at the step's end, as the run has it"),
    SSAPP_FIELD (SsappTwoVelocities, second, "second", REALS, "m/s, m/s, rad/s", "the same in the second solution")};
static const SsappRecord two_velocities_record = SSAPP_RECORD (SsappTwoVelocities, two_velocities_fields);

static const SsappRecordField second_fields[] = {
    SSAPP_FIELD (SsappSecond, t, "t", REAL, "s", "when the step begins"),
    SSAPP_FIELD (SsappSecond, residual, "residual", REAL, "m/s", "of the second solution"),
    SSAPP_FIELD (SsappSecond, apart, "apart", REAL, "m/s", "how far apart both are"),
    SSAPP_FIELD (SsappSecond, contacts, "contacts", TEXTS, "", "contacts that differ"),
    SSAPP_FIELD_MADE_OF (SsappSecond, velocities, "velocities", LIST, &two_velocities_record, false,
                         "bodies that differ")};
static const SsappRecord second_record = SSAPP_RECORD (SsappSecond, second_fields);

static const SsappRecordField steps_fields[] = {
    SSAPP_FIELD (SsappSteps, unique, "unique", INTEGER, "", "steps with one solution in velocities"),
    SSAPP_FIELD (SsappSteps, several, "several", INTEGER, "", "steps with several"),
    SSAPP_FIELD (SsappSteps, undecided, "undecided", INTEGER, "", "steps of which it is not known"),
    SSAPP_FIELD_MADE_OF (SsappSteps, first_several, "first_several", RECORD, &second_record, true,
                         "the first step with several")};
const SsappRecord ssapp_steps_record = SSAPP_RECORD (SsappSteps, steps_fields);

json_t *
ssapp_certainty_to_json (const SsScene *scene, const SsRunResult *result)
{
  const int *n = result->n_by_certainty;
  const SsSecondSolution *found = &result->second;
  const gboolean has_second = found->is_there && scene != NULL;
  g_autoptr (GPtrArray) contacts = g_ptr_array_new ();
  g_autoptr (GArray) velocities = g_array_new (FALSE, FALSE, sizeof (SsappTwoVelocities));
  SsappSecond second = {found->t, found->residual, found->apart, contacts, velocities};
  const SsappSteps steps = {n[SS_CERTAINTY_UNIQUE], n[SS_CERTAINTY_SEVERAL], n[SS_CERTAINTY_UNDECIDED],
                            has_second ? &second : NULL};

  for (int i = 0; has_second && i < found->n_contacts; i++)
    g_ptr_array_add (contacts, (char *)scene->contacts[found->contacts[i]].name);
  for (int i = 0; has_second && i < found->n_bodies; i++) {
    SsappTwoVelocities own = {.body = scene->bodies[found->bodies[i]].name};
    memcpy (own.first, found->first[i], sizeof own.first);
    memcpy (own.second, found->second[i], sizeof own.second);
    g_array_append_val (velocities, own);
  }
  return steps.unique + steps.several + steps.undecided > 0 ? ssapp_record_to_json (&ssapp_steps_record, &steps) : NULL;
}

/* Of a result; FALSE where it has none. Released with clear_steps. */
static gboolean
read_steps (const json_t *result, SsappSteps *steps)
{
  const json_t *object = json_object_get (result, "steps");

  ssapp_record_from_json (&ssapp_steps_record, object, steps);
  return json_is_object (object);
}

static void
clear_steps (SsappSteps *steps)
{
  ssapp_record_clear (&ssapp_steps_record, steps);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SsappSteps, clear_steps)

/* ---- words ------------------------------------------------------------------------------------------------------- */

char *
ssapp_certainty_summary (const json_t *result)
{
  g_auto (SsappSteps) steps;
  GString *line;

  if (!read_steps (result, &steps))
    return NULL;
  line = g_string_new (NULL);
  g_string_append_printf (line, "%d unique in velocities, %d several", steps.unique, steps.several);
  if (steps.first_several != NULL) {
    g_string_append_printf (line, " (first from %.9g s on, at", steps.first_several->t);
    for (guint i = 0; i < steps.first_several->contacts->len; i++)
      g_string_append_printf (line, "%s %s", i > 0 ? "," : "",
                              (char *)g_ptr_array_index (steps.first_several->contacts, i));
    g_string_append_c (line, ')');
  }
  g_string_append_printf (line, ", %d undecided", steps.undecided);
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
append_velocity (GString *line, const char *before, const double v[3])
{
  g_string_append_printf (line, "%s%.4g m/s, %.4g m/s, %.4g rad/s", before, v[0], v[1], v[2]);
}

char *
ssapp_certainty_details (const json_t *result)
{
  g_auto (SsappSteps) steps;
  const gboolean has_steps = read_steps (result, &steps);
  const SsappSecond *first = steps.first_several;
  GString *line;

  if (!has_steps || first == NULL)
    return NULL;
  line = g_string_new (NULL);
  g_string_append_printf (line, "The step from %.9g s on has a second solution, %.3g m/s away (residual %.1g m/s):\n",
                          first->t, first->apart, first->residual);
  for (guint i = 0; i < first->velocities->len; i++) {
    const SsappTwoVelocities *own = &g_array_index (first->velocities, SsappTwoVelocities, i);
    g_string_append_printf (line, "%s ends with", own->body);
    append_velocity (line, " ", own->first);
    append_velocity (line, "; or ", own->second);
    g_string_append_c (line, '\n');
  }
  g_string_append (line, "certainty=branches goes on with both.");
  return g_string_free (line, FALSE);
}
