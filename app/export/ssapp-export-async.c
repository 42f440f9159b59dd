/* app/export/ssapp-export-async.c: exports on a thread of their own, with copies of all that they read. */
#include "app/export/ssapp-export-private.h"

/* Copies of all that the thread reads. */
typedef struct {
  const SsappPlotKind *plot;
  SsScenario *scenario;
  SsappFigureRun *runs;
  int n_runs;
  SsappFigureOptions options;
  char *path;
  char *forces_of; /* of the options */
} Work;

void
ssapp_figure_run_clear (SsappFigureRun *run)
{
  g_free ((char *)run->label);
  g_free ((char *)run->method.name);
  g_free ((char *)run->outcome);
  ss_trajectory_free ((SsTrajectory *)run->trajectory);
  ss_trajectory_free ((SsTrajectory *)run->slopes);
  g_strfreev ((char **)run->members);
  if (run->tries != NULL)
    ss_tries_clear ((SsTries *)run->tries);
  g_free ((SsTries *)run->tries);
  ss_trajectory_free ((SsTrajectory *)run->worlds);
  for (int b = 0; b < run->n_branches; b++)
    ss_trajectory_free ((SsTrajectory *)run->branches[b].motion);
  g_free ((SsappFanMotion *)run->branches);
  g_clear_pointer (&run->iterations, g_array_unref);
  g_clear_pointer (&run->events, g_array_unref);
  ss_scenario_free ((SsScenario *)run->scenario);
}

static void
work_free (Work *work)
{
  for (int i = 0; i < work->n_runs; i++)
    ssapp_figure_run_clear (&work->runs[i]);
  g_free (work->runs);
  g_free (work->path);
  g_free (work->forces_of);
  g_clear_object (&work->options.cancellable);
  ss_scenario_free (work->scenario);
  g_free (work);
}

SsScenario *
ssapp_figure_copy_scenario (const SsScenario *scenario)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  SsOverride *overrides = g_new0 (SsOverride, scenario->n_parameters + 1);
  SsScenario *copy = NULL;
  SsProblems problems;
  int n = 0;

  for (int i = 0; i < scenario->n_parameters; i++)
    if (scenario->parameters[i].is_overridden)
      overrides[n++] = (SsOverride){scenario->parameters[i].name, scenario->parameters[i].value};
  ss_problems_init (&problems);
  if (ss_scenario_read (scenario->text, scenario->text_length, scenario->file, overrides, n, &problems, &copy) != SS_OK)
    copy = NULL;
  ss_problems_clear (&problems);
  g_free (overrides);
  return copy;
}

gboolean
ssapp_figure_run_copy (const SsappFigureRun *from, SsappFigureRun *to)
{
  g_return_val_if_fail (from != NULL, FALSE);
  SsTrajectory *trajectory = NULL;
  SsError error;

  to->label = g_strdup (from->label);
  to->method = (SsMethodId){from->method.kind, g_strdup (from->method.name), from->method.copy};
  to->outcome = g_strdup (from->outcome);
  to->holds_controls = from->holds_controls;
  to->answer = from->answer;
  to->iterations = from->iterations != NULL ? g_array_copy (from->iterations) : NULL;
  to->events = from->events != NULL ? g_array_ref (from->events) : NULL; /* nobody changes them */
  to->scenario = from->scenario != NULL ? ssapp_figure_copy_scenario (from->scenario) : NULL;
  if ((from->scenario != NULL && to->scenario == NULL) ||
      (from->trajectory != NULL && ss_trajectory_copy (from->trajectory, &trajectory, &error) != SS_OK))
    return FALSE;
  to->trajectory = trajectory;
  if (from->slopes != NULL && ss_trajectory_copy (from->slopes, &trajectory, &error) != SS_OK)
    return FALSE;
  to->slopes = from->slopes != NULL ? trajectory : NULL;
  if (from->tries != NULL) {
    SsTries *tries = g_new0 (SsTries, 1), copy = *from->tries;
    copy.items = g_memdup2 (from->tries->items, sizeof *copy.items * (gsize)copy.n);
    copy.capacity = copy.n;
    to->tries = tries;
    if (ss_tries_take (tries, &copy, &error) != SS_OK)
      return FALSE;
  }
  if (from->worlds != NULL && ss_trajectory_copy (from->worlds, &trajectory, &error) != SS_OK)
    return FALSE;
  to->worlds = from->worlds != NULL ? trajectory : NULL;
  to->largest_share = from->largest_share;
  to->members = (const char *const *)g_strdupv ((char **)from->members);
  SsappFanMotion *branches = g_new0 (SsappFanMotion, MAX (from->n_branches, 1));
  to->branches = branches;
  for (int b = 0; b < from->n_branches; b++) {
    SsTrajectory *motion = NULL;
    if (ss_trajectory_copy (from->branches[b].motion, &motion, &error) != SS_OK)
      return FALSE;
    branches[b] = from->branches[b];
    branches[b].motion = motion;
    to->n_branches = b + 1;
  }
  return TRUE;
}

static void
work_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  GError *error = NULL;

  (void)source;
  (void)cancellable;
  if (ssapp_export_figure (work->plot, work->scenario, work->runs, work->n_runs, &work->options, work->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
ssapp_export_figure_async (const SsappPlotKind *plot, const SsScenario *scenario, const SsappFigureRun *runs,
                           int n_runs, const SsappFigureOptions *options, const char *path,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail ((runs != NULL || n_runs == 0) && n_runs >= 0 && options != NULL);

  GTask *task = g_task_new (NULL, options->cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);
  gboolean done = TRUE;

  work->plot = plot;
  work->runs = g_new0 (SsappFigureRun, MAX (n_runs, 1));
  work->n_runs = n_runs;
  work->options = *options;
  work->options.x_channel = work->options.y_channel = NULL;
  work->options.channels = work->options.contact = work->options.band = NULL;
  work->options.snapshots = NULL;
  work->options.n_snapshots = 0;
  work->options.cancellable = options->cancellable != NULL ? g_object_ref (options->cancellable) : NULL;
  work->options.forces_of = work->forces_of = g_strdup (options->forces_of);
  work->path = g_strdup (path);
  work->scenario = scenario != NULL ? ssapp_figure_copy_scenario (scenario) : NULL;
  for (int i = 0; i < n_runs; i++)
    done = ssapp_figure_run_copy (&runs[i], &work->runs[i]) && done;
  g_task_set_task_data (task, work, (GDestroyNotify)work_free);
  if (done && (scenario == NULL || work->scenario != NULL))
    g_task_run_in_thread (task, work_in_thread);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "Could not draw “%s”: out of memory", path);
  g_object_unref (task);
}

gboolean
ssapp_export_figure_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
