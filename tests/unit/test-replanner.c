/* tests/unit/test-replanner.c: a live scene whose task is planned again and again beside it: it reaches its goal,
 * follows one that moves, counts what is late, and lets go.
 *
 * The scene runs by the clock and plans come when they come, so only where things end is checked, not when. */
#include "app/base/ssapp-file.h"
#include "app/sandbox/ssapp-sandbox.h"
#include "ss-test.h"

static const double PATIENCE = 60; /* [s] on a machine with much else to do */

static char *
read_example (void)
{
  char *text = NULL;

  SS_CHECK (
      g_file_get_contents (SS_SOURCE_ROOT "/examples/plans/push-box-with-disc.stickslip.json", &text, NULL, NULL));
  return text;
}

static SsReplanOptions
options_of (double deadline)
{
  SsReplanOptions options;

  ss_options_init (&ss_replan_option_table, &options);
  options.every = 2;
  options.deadline = deadline;
  return options;
}

static double
value_of (SsappSandbox *sandbox, const char *channel)
{
  g_autofree double *row = g_new0 (double, ssapp_sandbox_get_n_channels (sandbox));

  ssapp_sandbox_take_frame_with (sandbox, 0, row, NULL);
  for (int i = 0; i < ssapp_sandbox_get_n_channels (sandbox); i++)
    if (strcmp (ssapp_sandbox_get_channels (sandbox)[i].name, channel) == 0)
      return row[i];
  return NAN;
}

/* Waits until the box lies within 3 cm of x: plans come late where the machine is busy, and nothing pulls a box
 * back. */
static gboolean
comes_to (SsappSandbox *sandbox, double x)
{
  const double end = ss_clock_wall () + PATIENCE;

  while (ss_clock_wall () < end) {
    if (fabs (value_of (sandbox, "box.x") - x) < 0.03 && fabs (value_of (sandbox, "box.vx")) < 1e-3)
      return TRUE;
    g_usleep (20000);
  }
  printf ("box.x = %g\n", value_of (sandbox, "box.x"));
  return FALSE;
}

static void
test_goal (void)
{
  g_autofree char *text = read_example ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappSandbox) sandbox = ssapp_sandbox_new (text, NULL, NULL, &error);
  const SsReplanOptions options = options_of (0);
  SsappReplanRecord records[SSAPP_REPLANNER_RECORDS];
  SsappReplanState state;
  guint64 version;

  SS_CHECK (sandbox != NULL && ssapp_sandbox_get_replanner (sandbox) == NULL);
  SS_CHECK (ssapp_sandbox_set_replan (sandbox, &options, &error));
  SsappReplanner *loop = ssapp_sandbox_get_replanner (sandbox);
  SS_CHECK_NEAR (ssapp_replanner_get_period (loop), 0.08, 1e-12);
  ssapp_sandbox_set_speed (sandbox, 0.25); /* a busy machine's plans are as fresh as a quiet one's at full speed */
  ssapp_sandbox_set_paused (sandbox, FALSE);
  SS_CHECK (comes_to (sandbox, 0.8));
  ssapp_replanner_get_state (loop, &state);
  SS_CHECK (!state.is_looking && state.n_plans > 5 && state.n_missed == 0 && state.median > 0);
  SS_CHECK (state.percentile_99 >= state.median && state.last > 0);
  const int n = ssapp_replanner_get_records (loop, records, SSAPP_REPLANNER_RECORDS, &version);
  SS_CHECK (n == (int)version && records[0].is_first && !records[1].is_first && records[0].t == 0);
  for (int i = 1; i < n; i++)
    SS_CHECK (records[i].t >= records[i - 1].t + 0.08 - 1.0 / 60 - 1e-9); /* steps of the scene are whole */
  /* the goal of another reading: the loop finds that it is stuck, and another way */
  SS_CHECK (ssapp_sandbox_set_parameter (sandbox, "xt", 1.1, &error));
  SS_CHECK (comes_to (sandbox, 1.1));
  /* and without the loop the box lies where it is */
  SS_CHECK (ssapp_sandbox_set_replan (sandbox, NULL, &error) && ssapp_sandbox_get_replanner (sandbox) == NULL);
  SS_CHECK (ssapp_sandbox_set_parameter (sandbox, "xt", 0.5, &error));
  ssapp_sandbox_step (sandbox, 60);
  ssapp_sandbox_sync (sandbox);
  SS_CHECK_NEAR (value_of (sandbox, "box.x"), 1.1, 0.03);
  SS_CHECK (value_of (sandbox, "u.fx") == 0);
}

/* No machine plans in a tenth of a millisecond. */
static void
test_misses (void)
{
  g_autofree char *text = read_example ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappSandbox) sandbox = ssapp_sandbox_new (text, NULL, NULL, &error);
  const SsReplanOptions options = options_of (1e-4);
  const double end = ss_clock_wall () + PATIENCE;
  SsappReplanState state = {0};

  SS_CHECK (ssapp_sandbox_set_replan (sandbox, &options, &error));
  ssapp_sandbox_set_paused (sandbox, FALSE);
  while (state.n_plans < 4 && ss_clock_wall () < end) {
    g_usleep (20000);
    ssapp_replanner_get_state (ssapp_sandbox_get_replanner (sandbox), &state);
  }
  SS_CHECK (state.n_plans >= 4 && state.n_missed == state.n_plans);
  ssapp_replanner_set_deadline (ssapp_sandbox_get_replanner (sandbox), 0);
  const guint64 missed = state.n_missed + 1; /* one may be under way */
  while (state.n_plans < 12 && ss_clock_wall () < end) {
    g_usleep (20000);
    ssapp_replanner_get_state (ssapp_sandbox_get_replanner (sandbox), &state);
  }
  SS_CHECK (state.n_plans >= 12 && state.n_missed <= missed);
}

static void
test_refusal (void)
{
  static const char ball[] =
      "{\"format\": 1, \"name\": \"ball\", \"scene\": {\"bodies\": [{\"name\": \"ball\", \"shape\": "
      "{\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1}]}, \"task\": {\"t_end\": 1, \"dt\": "
      "0.01}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappSandbox) sandbox = ssapp_sandbox_new (ball, NULL, NULL, &error);
  const SsReplanOptions options = options_of (0);

  SS_CHECK (!ssapp_sandbox_set_replan (sandbox, &options, &error));
  SS_CHECK_CONTAINS (error->message, "a task that says what shall be reached");
  SS_CHECK (ssapp_sandbox_get_replanner (sandbox) == NULL);
}

int
main (void)
{
  SS_RUN (test_refusal);
  SS_RUN (test_misses);
  SS_RUN (test_goal);
  return ss_test_finish ();
}
