/* app/study/ssapp-study-ideas.c: see the header. */
#include "app/study/ssapp-study-ideas.h"

#include "app/study/ssapp-study-private.h"
#include "app/study/ssapp-study-set.h"
#include "run/ss-run.h"

#include <math.h>
#include <string.h>

enum { MAX_IDEAS = 4, MAX_PARAMETERS = 2 };

static void
idea_free (gpointer data)
{
  SsappAxisIdea *idea = data;

  g_free (idea->name);
  g_free (idea->values);
  g_free (idea->title);
  g_free (idea->with_name);
  g_free (idea->with_values);
  g_free (idea);
}

static gboolean
has_axis (const SsappStudy *study, const char *name)
{
  for (guint a = 0; a < study->axes->len; a++)
    if (strcmp (((const SsappStudyAxis *)g_ptr_array_index (study->axes, a))->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* Takes name and values. */
static void
add_idea (GPtrArray *ideas, const SsappStudy *study, char *name, char *values, const char *title,
          const SsMethod *method)
{
  if (ideas->len < MAX_IDEAS && !has_axis (study, name)) {
    SsappAxisIdea *idea = g_new (SsappAxisIdea, 1);
    *idea = (SsappAxisIdea){.name = name, .values = values, .title = g_strdup (title), .method = method};
    g_ptr_array_add (ideas, idea);
    return;
  }
  g_free (name);
  g_free (values);
}

static void
add_varying (GPtrArray *ideas, const SsappStudy *study, const SsappVarying *varying)
{
  add_idea (ideas, study, g_strdup (varying->name), ssapp_varying_suggest (varying, SSAPP_AXIS_GRID), varying->title,
            NULL);
}

/* Two bodies that move meet, or something bounces: laws of impacts may differ there. */
static gboolean
has_impacts (const SsScene *scene)
{
  for (int c = 0; c < scene->n_contacts; c++) {
    const SsContact *contact = &scene->contacts[c];
    if (contact->restitution > 0 || (!ss_body_is_immovable (&scene->bodies[contact->body_a]) &&
                                     !ss_body_is_immovable (&scene->bodies[contact->body_b])))
      return TRUE;
  }
  return FALSE;
}

/* Whether something bounces off what stays where it is: then impacts need no start velocity. */
static gboolean
has_bounces (const SsScene *scene)
{
  for (int c = 0; c < scene->n_contacts; c++) {
    const SsContact *contact = &scene->contacts[c];
    if (contact->restitution > 0 && (ss_body_is_immovable (&scene->bodies[contact->body_a]) ||
                                     ss_body_is_immovable (&scene->bodies[contact->body_b])))
      return TRUE;
  }
  return FALSE;
}

/* The option `law` of the integrator that has one. `start`, `speeds`: a velocity and its values for a scene at rest,
 * NULL: it moves. */
static void
add_law (GPtrArray *ideas, const SsappStudy *study, const SsScenario *scenario, const char *start, const char *speeds)
{
  const SsMethod *method = ss_method_lookup ((SsMethodId){SS_METHOD_INTEGRATOR, "event-driven"});
  const int law = method != NULL && method->is_built ? ss_options_find (method->options, "law") : -1;

  if (law < 0 || !has_impacts (scenario->scene) || ss_run_check (scenario, method, NULL) != SS_OK)
    return;
  const SsOptionSpec *spec = &method->options->specs[law];
  add_idea (ideas, study, g_strdup_printf ("%s.%s", method->name, spec->name),
            g_strjoinv (", ", (char **)spec->choices), spec->summary, method);
  if (ideas->len > 0 && speeds != NULL && !has_axis (study, start) && !has_bounces (scenario->scene)) {
    SsappAxisIdea *idea = g_ptr_array_index (ideas, 0);
    idea->with_name = g_strdup (start);
    idea->with_values = g_strdup (speeds);
  }
}

/* Start velocities [m/s] for a scene at rest: from 0 to that of a fall over the way to the body farthest away along
 * that axis, one digit of it, towards that body: slower ones seldom reach what they shall hit. NULL: no such body. */
static char *
dup_from_rest (const SsScene *scene, int body, int axis)
{
  const double g = hypot (scene->gravity.x, scene->gravity.y);
  double far = 0;
  char last[32];

  for (int b = 0; b < scene->n_bodies; b++) {
    const double way = scene->bodies[b].q[axis] - scene->bodies[body].q[axis];
    if (!ss_body_is_immovable (&scene->bodies[b]) && fabs (way) > fabs (far))
      far = way;
  }
  if (far == 0 || g == 0)
    return NULL;
  const double speed = sqrt (2 * g * fabs (far)), digit = pow (10, floor (log10 (speed)));
  ss_format_double (copysign (floor (speed / digit) * digit, far), last, sizeof last);
  return g_strdup_printf ("0:%s:5", last);
}

/* A component of the velocity of the body that moves fastest at the start; where none does, of the first that can, with
 * *values (NULL: the usual ones). */
static char *
dup_fastest (const SsScene *scene, char **values)
{
  double largest = -1;
  char *name = NULL;

  for (int b = 0; b < scene->n_bodies; b++) {
    const SsBody *body = &scene->bodies[b];
    const double speed = hypot (body->v[0], body->v[1]);
    if (ss_body_is_immovable (body) || body->item < 0 || !(speed > largest))
      continue;
    largest = speed;
    g_free (name);
    g_free (*values);
    name = g_strdup_printf ("%s.%s", body->name, fabs (body->v[1]) > fabs (body->v[0]) ? "vy" : "vx");
    *values = speed == 0 ? dup_from_rest (scene, b, 0) : NULL;
  }
  return name;
}

GPtrArray *
ssapp_study_list_ideas (const SsappStudy *study)
{
  g_return_val_if_fail (study != NULL, NULL);
  GPtrArray *ideas = g_ptr_array_new_with_free_func (idea_free);
  SsScenario *scenario = ssapp_study_read_scenario (study, NULL);
  g_autoptr (GPtrArray) list = ssapp_study_list_varying (study);
  g_autofree char *values = NULL;
  g_autofree char *fastest =
      scenario != NULL && scenario->scene != NULL ? dup_fastest (scenario->scene, &values) : NULL;
  int n = 0, n_bouncing = 0;

  if (scenario != NULL && scenario->scene != NULL)
    add_law (ideas, study, scenario, fastest, values);
  for (guint k = 0; k < list->len; k++) {
    const SsappVarying *varying = g_ptr_array_index (list, k);
    if (values != NULL && g_strcmp0 (varying->name, fastest) == 0)
      add_idea (ideas, study, g_strdup (fastest), g_steal_pointer (&values), varying->title, NULL);
    else if ((varying->kind == SSAPP_AXIS_PARAMETER && n++ < MAX_PARAMETERS) ||
             g_strcmp0 (varying->name, fastest) == 0 ||
             (g_str_has_suffix (varying->name, ".restitution") && varying->value > 0 && n_bouncing++ == 0))
      add_varying (ideas, study, varying);
  }
  ss_scenario_free (scenario);
  return ideas;
}

gboolean
ssapp_study_take_idea (SsappStudy *study, const SsappAxisIdea *idea, GError **error)
{
  g_return_val_if_fail (study != NULL && idea != NULL, FALSE);
  gboolean has_method = idea->method == NULL;

  for (guint m = 0; m < study->methods->len; m++)
    has_method |=
        ss_method_lookup (((const SsappStudyMethod *)g_ptr_array_index (study->methods, m))->id) == idea->method;
  if (!has_method)
    ssapp_study_remove_methods (study);
  return (has_method || ssapp_study_add_method (study, idea->method->name, error)) &&
         ssapp_study_set_axis (study, idea->name, idea->values, error) &&
         (idea->with_name == NULL || ssapp_study_set_axis (study, idea->with_name, idea->with_values, error));
}
