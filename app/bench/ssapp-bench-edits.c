/* app/bench/ssapp-bench-edits.c: see the header. */
#include "app/bench/ssapp-bench-edits.h"

#include "app/bench/ssapp-bench-common.h"
#include "app/session/ssapp-gallery.h"
#include "app/session/ssapp-session.h"

#include <math.h>

static const char gallery_prefix[] = "/org/stickslip/Stickslip";
static const double goal_share = 0.95;

typedef struct {
  const SsappBenchEditsPlan *plan;
  SsappBenchSheet *sheet;
  GPtrArray *examples; /* of SsappExample, borrowed */
  GArray *medians;     /* of double [ms], of scenes with a whole motion */
  int n_failed;
} Edits;

static void
wait_for (SsappLiveMotion *live)
{
  while (ssapp_live_motion_is_computing (live))
    g_main_context_iteration (NULL, TRUE);
}

/* CPU time from an edit to its motion [ms]. */
static double
time_edit (SsappSession *session, int number)
{
  g_autofree char *title = g_strdup_printf ("Edit %d", number);
  const double began = ss_clock_process_cpu ();

  if (!ssapp_document_set_text (ssapp_session_get_document (session), "title", title, NULL))
    return NAN;
  wait_for (ssapp_session_get_live (session));
  return 1e3 * (ss_clock_process_cpu () - began);
}

static gboolean
run_scene (gpointer data, guint problem, guint method, GError **error)
{
  Edits *edits = data;
  const SsappExample *example = g_ptr_array_index (edits->examples, problem);
  g_autofree char *text = ssapp_example_load_text (example, error);
  g_autoptr (SsappSession) session = text != NULL ? ssapp_session_new () : NULL;
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  (void)method;
  if (text == NULL || !ssapp_document_load_text (ssapp_session_get_document (session), text, -1, example->name, error))
    return FALSE;
  ssapp_session_set_live (session, TRUE);
  SsappLiveMotion *live = ssapp_session_get_live (session);
  const gboolean moves = ssapp_live_motion_is_computing (live); /* else equations, or nothing is free */
  wait_for (live);
  for (int i = 0; moves && i < edits->plan->repeats && !ssapp_bench_is_cancelled (edits->plan->control); i++) {
    const double ms = time_edit (session, i);
    g_array_append_val (times, ms);
  }
  if (times->len == 0)
    return TRUE;
  const double median = ssapp_bench_median (times);
  const gboolean is_whole = ssapp_live_motion_is_whole (live);
  SsappRun *now = ssapp_live_motion_get_now (live);
  const char *end = is_whole ? "completed" : ssapp_live_motion_get_message (live);
  SSAPP_BENCH_ROW (edits->sheet, {example->name},
                   {.n = now != NULL && ssapp_run_has_motion (now) ? ssapp_run_get_motion (now)->n_rows : 0},
                   {.n = median}, {end});
  ssapp_bench_say (edits->plan->say, "%-28s %8.1f ms  %s", example->name, median, end);
  edits->n_failed += !is_whole;
  if (is_whole)
    g_array_append_val (edits->medians, median);
  return TRUE;
}

/* FALSE: there is no scene of that name. */
static gboolean
choose (Edits *edits, GPtrArray *gallery, GError **error)
{
  char **names = edits->plan->names;

  for (guint i = 0; names == NULL && i < gallery->len; i++)
    g_ptr_array_add (edits->examples, g_ptr_array_index (gallery, i));
  for (int i = 0; names != NULL && names[i] != NULL; i++) {
    const SsappExample *example = ssapp_gallery_find (gallery, names[i]);
    if (example == NULL) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the gallery has no scene '%s'", names[i]);
      return FALSE;
    }
    g_ptr_array_add (edits->examples, (gpointer)example);
  }
  return TRUE;
}

static void
tell_share (Edits *edits)
{
  const guint n = edits->medians->len, n_slow = (guint)ssapp_bench_n_above (edits->medians, SSAPP_BENCH_EDITS_GOAL_MS);

  ssapp_bench_sheet_note (edits->sheet,
                          "%u of %u scenes take at most %d ms of CPU time from edit to motion (goal %.0f %%: %.0f).",
                          n - n_slow, n, SSAPP_BENCH_EDITS_GOAL_MS, 100 * goal_share, ceil (goal_share * n));
}

SsappBenchSheet *
ssapp_bench_edits (const SsappBenchEditsPlan *plan, int *n_failed, GError **error)
{
  g_return_val_if_fail (plan != NULL && plan->repeats > 0 && n_failed != NULL, NULL);
  static const char *const columns[] = {"scene|scene|0", "rows|rows|6", "cpu_ms|CPU [ms]|3", "end|end|0", NULL};
  g_autoptr (GPtrArray) gallery = ssapp_gallery_new (gallery_prefix), examples = g_ptr_array_new ();
  g_autoptr (GArray) medians = g_array_new (FALSE, FALSE, sizeof (double));
  Edits edits = {.plan = plan, .sheet = ssapp_bench_sheet_new (), .examples = examples, .medians = medians};

  ssapp_bench_sheet_table (edits.sheet, "edits", "CPU time from an edit to its motion", columns);
  if (choose (&edits, gallery, error)) {
    const SsappBenchRuns runs = {examples->len, 1, 1, NULL, run_scene, NULL};
    GError *problem = NULL;
    ssapp_bench_make_runs (&runs, &edits, plan->control, &problem);
    if (problem == NULL) {
      tell_share (&edits);
      *n_failed = edits.n_failed;
      return edits.sheet;
    }
    g_propagate_error (error, problem);
  }
  ssapp_bench_sheet_free (edits.sheet);
  return NULL;
}
