/* app/session/ssapp-fit-unknowns.c: see the header. */
#include "app/session/ssapp-fit-unknowns.h"

#include "app/draw/ssapp-plot.h"
#include "scene/ss-number.h"

#include <string.h>

static void
clear_unknown (gpointer data)
{
  SsappFitUnknown *unknown = data;

  g_free (unknown->name);
  g_free (unknown->title);
  g_free (unknown->value);
}

SsappFitUnknown *
ssapp_fit_unknowns_find (GArray *unknowns, const char *name)
{
  for (guint i = 0; i < unknowns->len; i++)
    if (strcmp (g_array_index (unknowns, SsappFitUnknown, i).name, name) == 0)
      return &g_array_index (unknowns, SsappFitUnknown, i);
  return NULL;
}

/* A number that the sketch gives, not by a formula; takes the title. */
static void
add_number (GArray *unknowns, const SsScenario *scenario, const char *name, char *title)
{
  SsNumber number;
  SsappFitUnknown unknown = {.title = title};

  if (ss_scenario_number (scenario, name, &number, NULL) != SS_OK || number.is_default) {
    g_free (title);
    return;
  }
  unknown.name = g_strdup (name);
  unknown.value = ssapp_format_number (number.value, 4);
  g_array_append_val (unknowns, unknown);
}

static void
add_measured (GArray *unknowns, const char *name, const char *title)
{
  const SsappFitUnknown unknown = {g_strdup (name), g_strdup (title), g_strdup (""), FALSE};

  g_array_append_val (unknowns, unknown);
}

static void
list_scene (GArray *unknowns, const SsScenario *scenario)
{
  const SsScene *scene = scenario->scene;

  add_number (unknowns, scenario, "scene.friction", g_strdup ("Friction of the scene"));
  add_number (unknowns, scenario, "scene.restitution", g_strdup ("Restitution of the scene"));
  for (int i = 0; i < scene->n_contacts; i++)
    for (int k = 0; k < 2; k++) {
      static const char *const fields[] = {"friction", "restitution"}, *const titles[] = {"Friction", "Restitution"};
      g_autofree char *name = g_strdup_printf ("%s.%s", scene->contacts[i].name, fields[k]);
      add_number (unknowns, scenario, name, g_strdup_printf ("%s of %s", titles[k], scene->contacts[i].name));
    }
  for (int b = 0; b < scene->n_bodies; b++) {
    g_autofree char *name = g_strdup_printf ("%s.mass", scene->bodies[b].name);
    if (!ss_body_is_immovable (&scene->bodies[b]))
      add_number (unknowns, scenario, name, g_strdup_printf ("Mass of %s", scene->bodies[b].name));
  }
  add_number (unknowns, scenario, "gravity.y", g_strdup ("Gravity, upwards"));
}

GArray *
ssapp_fit_unknowns_new (const SsScenario *scenario)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  GArray *unknowns = g_array_new (FALSE, TRUE, sizeof (SsappFitUnknown));

  g_array_set_clear_func (unknowns, clear_unknown);
  for (int i = 0; scenario->scene != NULL && i < scenario->n_parameters; i++) {
    const SsParameter *p = &scenario->parameters[i];
    if (!p->is_structural && !p->is_integer)
      add_number (unknowns, scenario, p->name, g_strdup (p->name));
  }
  if (scenario->scene != NULL) {
    list_scene (unknowns, scenario);
    add_measured (unknowns, "start", "Start of each trial");
    add_measured (unknowns, "time_offset", "Time at which each begins");
    add_measured (unknowns, "scale", "Scale of the lengths");
  }
  return unknowns;
}
