/* app/cli/cli-contacts.c: the verb contacts: how each contact of a scene answers, who says so, and its gap at the
 * start. Tested in tests/cli/test-verbs.sh. */
#include "app/cli/cli-common.h"
#include "app/cli/cli-contacts.h"

#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-contact.h"

#include <math.h>
#include <stdio.h>

static const char *const source_names[SS_VALUE_SOURCES] = {"contact", "pair", "material", "scene"};

static void
values_of (const SsContact *contact, double values[SS_MATERIAL_VALUES])
{
  values[SS_MATERIAL_FRICTION] = contact->mu;
  values[SS_MATERIAL_RESTITUTION] = contact->restitution;
  values[SS_MATERIAL_STIFFNESS] = contact->stiffness;
  values[SS_MATERIAL_DAMPING] = contact->damping;
}

static double
gap_of (const SsScene *scene, int contact)
{
  SsappContactReading reading;
  return ssapp_contact_read_sketch (scene, contact, &reading) ? reading.gap : NAN;
}

static json_t *
contact_to_json (const SsScene *scene, int index)
{
  const SsContact *contact = &scene->contacts[index];
  double values[SS_MATERIAL_VALUES];
  json_t *item =
      json_pack ("{s:s, s:[s, s], s:o}", "name", contact->name, "bodies", scene->bodies[contact->body_a].name,
                 scene->bodies[contact->body_b].name, "gap", ssapp_json_real (gap_of (scene, index)));

  values_of (contact, values);
  for (int i = 0; i < SS_MATERIAL_VALUES; i++)
    json_object_set_new (
        item, ss_material_value_names[i],
        json_pack ("{s:o, s:s}", "value", ssapp_json_real (values[i]), "from", source_names[contact->from[i]]));
  return item;
}

static void
print_contact (const SsScene *scene, int index)
{
  const SsContact *contact = &scene->contacts[index];
  double values[SS_MATERIAL_VALUES];

  values_of (contact, values);
  printf ("%-24s gap %10.4g m", contact->name, gap_of (scene, index));
  for (int i = 0; i < SS_MATERIAL_VALUES; i++)
    if (i < SS_MATERIAL_STIFFNESS || values[i] > 0) /* else the method's own */
      printf ("  %s %.6g (%s)", ss_material_value_names[i], values[i], source_names[contact->from[i]]);
  printf ("\n");
}

int
cli_contacts (const CliArgs *args)
{
  const char *path = cli_args_positional (args, 0);
  int status = CLI_OK;

  if (cli_contacts_mode (args, &status))
    return status;
  if (cli_args_n_positional (args) > 1)
    return cli_fail ("'contacts' takes one FILE, or begins with solve, convert or schema");
  SsScenario *scenario = cli_read_scenario (args, path);
  const SsScene *scene = scenario != NULL ? scenario->scene : NULL;
  if (scenario == NULL)
    return CLI_BAD_INPUT;
  if (scene == NULL) {
    status = cli_fail ("%s: a model in equations has no contacts", path);
  } else if (cli_args_flag (args, "--json")) {
    json_t *list = json_array ();
    for (int i = 0; i < scene->n_contacts; i++)
      json_array_append_new (list, contact_to_json (scene, i));
    cli_print_json (list);
    json_decref (list);
  } else {
    for (int i = 0; i < scene->n_contacts; i++)
      print_contact (scene, i);
  }
  ss_scenario_free (scenario);
  return status;
}
