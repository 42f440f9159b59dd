/* app/session/ssapp-find-time.c: see the header. */
#include "app/session/ssapp-find-time.h"

#include "app/base/ssapp-text.h"
#include "core/ss-core.h"
#include "core/ss-run-control.h"
#include "core/ss-work.h"
#include "plan/ss-find-time.h"

#include <glib/gi18n.h>
#include <string.h>

/* One search. */
typedef struct {
  SsScenario *scenario; /* the thread's own */
  SsRunControl control;
} Search;

gboolean
ssapp_find_time_can (SsappDocument *document, GError **error)
{
  SsError problem;

  if (ss_find_time_can (ssapp_document_get_scenario (document), &problem) == SS_OK)
    return TRUE;
  return ssapp_fail_input (error, "%s", problem.message);
}

/* FALSE: none; the error says why. */
static gboolean
search (const SsScenario *scenario, SsRunControl *control, SsFoundTime *found, GError **error)
{
  SsError problem;
  SsOutcome why;

  control->work_limit = ss_work_thread () + SSAPP_FIND_TIME_WORK * SS_WORK_SECOND;
  if (ss_find_time (scenario, 0, control, found, &problem) != SS_OK)
    return ssapp_fail_input (error, "%s", problem.message);
  if (found->is_found)
    return TRUE;
  if (ss_run_control_should_stop (control, &why) && why == SS_OUTCOME_CANCELLED) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The search for a time was stopped"));
    return FALSE;
  }
  return ssapp_fail_input (error,
                           _ ("No time was found: no simulated motion of up to %g s came near the targets; a plan may "
                              "find one all the same"),
                           SS_FIND_TIME_LONGEST);
}

/* The fields that the sketch has for them. */
static gboolean
put (SsappDocument *document, const SsFoundTime *found, char **told, GError **error)
{
  g_autofree char *time = g_strdup_printf ("%.9g", found->t_end), *steps = g_strdup_printf ("%d", found->steps);
  SsEdit edits[3] = {{"task.steps", steps}};
  int n = 1;

  if (ssapp_document_has_field (document, "task.horizon"))
    edits[n++] = (SsEdit){"task.horizon", time};
  if (n == 1 || ssapp_document_has_field (document, "task.t_end"))
    edits[n++] = (SsEdit){"task.t_end", time};
  if (!ssapp_document_apply_edits (document, edits, n, _ ("Find the time"), error))
    return FALSE;
  *told = g_strdup_printf (_ ("%s s and %s steps"), time, steps);
  return TRUE;
}

gboolean
ssapp_find_time (SsappDocument *document, char **told, GError **error)
{
  SsRunControl control;
  SsFoundTime found;

  ss_run_control_init (&control);
  return search (ssapp_document_get_scenario (document), &control, &found, error) &&
         put (document, &found, told, error);
}

/* ---- beside the main loop ---------------------------------------------------------------------------------------- */

static void
search_free (gpointer data)
{
  Search *one = data;

  ss_scenario_free (one->scenario);
  g_free (one);
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Search *one = data;

  (void)cancellable;
  ss_run_control_cancel (&one->control);
}

static void
search_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *one = data;
  SsFoundTime *found = g_new0 (SsFoundTime, 1);
  GError *error = NULL;
  const gulong id = cancellable != NULL ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), one, NULL) : 0;

  (void)source;
  const gboolean is_found = search (one->scenario, &one->control, found, &error);
  g_cancellable_disconnect (cancellable, id);
  if (is_found)
    g_task_return_pointer (task, found, g_free);
  else {
    g_free (found);
    g_task_return_error (task, error);
  }
}

void
ssapp_find_time_async (SsappDocument *document, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (document, cancellable, callback, user_data);
  Search *one = g_new0 (Search, 1);
  GError *error = NULL;

  one->scenario = ssapp_document_dup_scenario (document, &error);
  ss_run_control_init (&one->control);
  g_task_set_task_data (task, one, search_free);
  if (one->scenario == NULL)
    g_task_return_error (task, error);
  else
    g_task_run_in_thread (task, search_in_thread);
}

gboolean
ssapp_find_time_finish (SsappDocument *document, GAsyncResult *result, char **told, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, document), FALSE);
  const Search *one = g_task_get_task_data (G_TASK (result));
  g_autofree SsFoundTime *found = g_task_propagate_pointer (G_TASK (result), error);

  if (found == NULL)
    return FALSE;
  if (strcmp (one->scenario->sha256, ssapp_document_get_scenario (document)->sha256) != 0)
    return ssapp_fail_input (error,
                             _ ("The sketch was changed meanwhile: %g s and %d steps were found for what it was"),
                             found->t_end, found->steps);
  return put (document, found, told, error);
}
