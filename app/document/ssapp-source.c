/* app/document/ssapp-source.c: see the header. */
#include "app/document/ssapp-source.h"

#include "scene/ss-scenario.h"

#include <glib/gi18n.h>
#include <string.h>

static void
problem_free (gpointer data)
{
  SsappSourceProblem *problem = data;
  g_free (problem->text);
  g_free (problem);
}

static void
add (GPtrArray *problems, const SsError *error, gboolean is_warning)
{
  SsappSourceProblem *problem = g_new0 (SsappSourceProblem, 1);
  SsError alone = *error;
  char line[1024];

  /* The line stands beside it, the file is the one that is typed. */
  alone.line = 0;
  alone.column = 0;
  memset (&alone.file, 0, sizeof alone.file);
  ss_error_format (&alone, line, sizeof line);
  problem->line = error->line;
  problem->text = g_strdup (line);
  problem->is_warning = is_warning;
  g_ptr_array_add (problems, problem);
}

static int
by_line (gconstpointer a, gconstpointer b)
{
  const SsappSourceProblem *first = *(SsappSourceProblem *const *)a, *second = *(SsappSourceProblem *const *)b;
  return first->line - second->line;
}

GPtrArray *
ssapp_source_check (const char *text)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (problem_free);
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), "", NULL, 0, &problems, &scenario) != SS_OK)
    for (int i = 0; i < problems.n_items; i++)
      add (list, &problems.items[i], FALSE);
  for (int i = 0; scenario != NULL && i < scenario->n_warnings; i++)
    add (list, &scenario->warnings[i], TRUE);
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  g_ptr_array_sort (list, by_line);
  return list;
}

char *
ssapp_source_summary (GPtrArray *problems)
{
  g_return_val_if_fail (problems != NULL, NULL);

  const SsappSourceProblem *first = problems->len > 0 ? g_ptr_array_index (problems, 0) : NULL;
  GString *text = g_string_new (NULL);

  if (first == NULL)
    return g_string_free (text, FALSE);
  if (first->line > 0)
    g_string_append_printf (text, _ ("Line %d: "), first->line);
  g_string_append (text, first->text);
  if (problems->len > 1)
    g_string_append_printf (text, _ (" (and %u more)"), problems->len - 1);
  return g_string_free (text, FALSE);
}
