/* app/bench/ssapp-bench-runs.c: see ssapp-bench-runs.h. */
#include "app/bench/ssapp-bench-runs.h"

gboolean
ssapp_bench_is_cancelled (SsRunControl *control)
{
  return control != NULL && atomic_load (&control->cancel) != 0;
}

void
ssapp_bench_say (SsappBenchSay say, const char *format, ...)
{
  va_list arguments;

  if (say == NULL)
    return;
  va_start (arguments, format);
  g_autofree char *line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  say (line);
}

/* All methods in turn on one problem. FALSE: the runs end. */
static gboolean
run_problem (const SsappBenchRuns *runs, gpointer suite, guint problem, SsRunControl *control, GError **error)
{
  const guint n = runs->repeats * runs->n_methods;
  GError *failure = NULL;
  gboolean is_whole = TRUE;

  if (runs->begin == NULL || runs->begin (suite, problem, &failure)) {
    for (guint i = 0; i < n && is_whole; i++)
      is_whole = !ssapp_bench_is_cancelled (control) && runs->run (suite, problem, i % runs->n_methods, &failure);
    if (runs->end != NULL)
      runs->end (suite, problem, is_whole);
  }
  if (failure == NULL)
    return is_whole;
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
ssapp_bench_make_runs (const SsappBenchRuns *runs, gpointer suite, SsRunControl *control, GError **error)
{
  g_return_val_if_fail (runs != NULL, FALSE);
  gboolean ok = TRUE;

  for (guint p = 0; p < runs->n_problems && ok; p++)
    ok = !ssapp_bench_is_cancelled (control) && run_problem (runs, suite, p, control, error);
  return ok;
}
