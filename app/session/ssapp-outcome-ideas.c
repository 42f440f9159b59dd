/* app/session/ssapp-outcome-ideas.c: see the header. */
#include "app/session/ssapp-outcome-ideas.h"

enum { BODIES = 3 }; /* that are asked for */

char *
ssapp_outcome_words (const char *name, const char *unit, guint n, guint n_runs)
{
  g_autofree char *what =
      *unit != '\0' ? g_strdup_printf ("%s [%s]", name, unit) : g_strdup_printf ("%s, a number", name);

  return n == n_runs ? g_strdup_printf ("%s, of each of %u runs", what, n)
                     : g_strdup_printf ("%s, of %u of %u runs", what, n, n_runs);
}

static void
idea_free (gpointer data)
{
  SsappOutcomeIdea *idea = data;

  g_free (idea->name);
  g_free (idea->formula);
  g_free (idea->title);
  g_free (idea);
}

/* Takes formula and title. */
static void
add_idea (GPtrArray *ideas, const char *name, char *formula, char *title)
{
  SsappOutcomeIdea *idea = g_new (SsappOutcomeIdea, 1);

  *idea = (SsappOutcomeIdea){g_strdup (name), formula, title};
  g_ptr_array_add (ideas, idea);
}

GPtrArray *
ssapp_outcome_ideas (const SsScenario *scenario)
{
  GPtrArray *ideas = g_ptr_array_new_with_free_func (idea_free);
  const SsScene *scene = scenario != NULL ? scenario->scene : NULL;
  int n = 0;

  for (int i = scene != NULL ? scene->n_bodies - 1 : -1; i >= 0 && n < BODIES; i--) {
    g_autofree char *channel = g_strdelimit (g_strdup (scene->bodies[i].name), "-", '_');
    if (scene->bodies[i].is_fixed)
      continue;
    add_idea (ideas, n == 0 ? "end" : channel, g_strdup_printf ("final(%s.x)", channel),
              g_strdup_printf ("where %s ends", scene->bodies[i].name));
    if (n == 0)
      add_idea (ideas, "up", g_strdup_printf ("always(%s.y > 0, from=0)", channel),
                g_strdup_printf ("%s stays up", scene->bodies[i].name));
    n++;
  }
  if (n > 0) {
    add_idea (ideas, "lost", g_strdup ("start(energy.kinetic + energy.potential) - energy.kinetic - energy.potential"),
              g_strdup ("energy lost"));
    add_idea (ideas, "hits", g_strdup ("count(impact)"), g_strdup ("impacts"));
    add_idea (ideas, "first", g_strdup ("first(impact).t"), g_strdup ("time of the first"));
  }
  return ideas;
}
