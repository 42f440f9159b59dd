/* tests/unit/test-sandbox-recent.c: the last seconds of a sandbox for plots beside it, against the rows of a kept run;
 * which plots are the usual ones. */
#include "app/sandbox/ssapp-packed-row.h"
#include "app/sandbox/ssapp-sandbox.h"
#include "tests/ss-test.h"

#include <string.h>

/* A ball of 2 kg in the air over a floor far below. */
#define BALL(dt)                                                                                                       \
  "{\"format\": 1, \"name\": \"ball\", \"parameters\": {\"g\": {\"value\": 9.81}}, \"scene\": {\"gravity\": [0, "      \
  "\"-g\"], \"friction\": 0.5, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": "             \
  "\"half-plane\", \"normal\": [0, 1]}, \"position\": [0, -9999]}, {\"name\": \"ball\", \"shape\": {\"type\": "        \
  "\"circle\", \"radius\": 0.2}, \"mass\": 2, \"velocity\": [1, 0], \"position\": [0, 0]}], \"contacts\": "            \
  "\"all\"}, \"task\": {\"t_end\": 1, \"dt\": " dt "}}"

static SsappSandbox *
make (const char *text)
{
  g_autoptr (GError) error = NULL;
  SsappSandbox *sandbox = ssapp_sandbox_new (text, NULL, NULL, &error);

  if (sandbox == NULL)
    g_error ("%s", error->message);
  return sandbox;
}

static void
step (SsappSandbox *sandbox, int n)
{
  ssapp_sandbox_step (sandbox, n);
  ssapp_sandbox_sync (sandbox);
}

static void
rewind_to (SsappSandbox *sandbox, double t)
{
  ssapp_sandbox_rewind (sandbox, t);
  ssapp_sandbox_sync (sandbox);
}

static void
test_pick (void)
{
  static const int places[] = {0, 1, 62, 63, 64, 65, 127, 128, 130, 199};
  double row[200], picked[G_N_ELEMENTS (places)];

  for (int i = 0; i < 200; i++)
    row[i] = i % 3 == 1 ? 0 : i % 7 == 2 ? -0.0 : i;
  SsappPackedRow *packed = ssapp_packed_row_new (row, 200);
  ssapp_packed_row_pick (packed, places, G_N_ELEMENTS (places), picked);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    SS_CHECK (memcmp (&picked[i], &row[places[i]], sizeof row[0]) == 0);
  ssapp_packed_row_free (packed);
}

/* Seconds from..from + 10 are in sight; the rows are those of a kept run, bit for bit, from the one at or before the
 * beginning up to `last`. */
static void
check_recent (SsappSandbox *sandbox, const SsappChannelPlots *plots, double from, double last)
{
  double range[2];
  SsTrajectory *all = ssapp_sandbox_dup_trajectory (sandbox),
               *recent = ssapp_sandbox_dup_recent (sandbox, plots, range);
  int row = 0, n_same = 0;

  SS_CHECK (all != NULL && recent != NULL && recent->n_channels < all->n_channels);
  SS_CHECK_NEAR (range[0], from, 1e-9);
  SS_CHECK_NEAR (range[1], from + SSAPP_SANDBOX_RECENT, 1e-9);
  SS_CHECK_NEAR (ss_trajectory_row (recent, recent->n_rows - 1)[0], last, 1e-9);
  const double begin = ss_trajectory_row (recent, 0)[0];
  SS_CHECK (begin <= range[0] && begin > range[0] - 1.001 / 120);
  while (ss_trajectory_row (all, row)[0] != begin)
    row++;
  for (int i = 0; i < recent->n_rows && row + i < all->n_rows; i++)
    for (int c = 0; c < recent->n_channels; c++) {
      const int place = ss_trajectory_channel (all, recent->channels[c].name);
      SS_CHECK (place >= 0);
      n_same +=
          memcmp (&ss_trajectory_row (recent, i)[c], &ss_trajectory_row (all, row + i)[place], sizeof (double)) == 0;
    }
  SS_CHECK (n_same == MIN (recent->n_rows, all->n_rows - row) * recent->n_channels);
  ss_trajectory_free (all);
  ss_trajectory_free (recent);
}

/* They follow steps, a change and going back, and have what is plotted, from the beginning also where it is chosen
 * later. */
static void
test_recent (void)
{
  g_autoptr (SsappSandbox) sandbox = make (BALL ("0.01"));
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  double range[2];

  SS_CHECK (ssapp_channel_plots_read (plots, "ball.y;energy.total;nobody.x", NULL));
  check_recent (sandbox, plots, 0, 0);
  step (sandbox, 240);
  check_recent (sandbox, plots, 0, 2);
  step (sandbox, 1560);
  check_recent (sandbox, plots, 5, 15);
  SS_CHECK (ssapp_sandbox_set_parameter (sandbox, "g", 1, NULL));
  step (sandbox, 120);
  check_recent (sandbox, plots, 6, 16);
  rewind_to (sandbox, 12); /* within them: what came after is there until it goes on */
  check_recent (sandbox, plots, 6, 16);
  step (sandbox, 12);
  check_recent (sandbox, plots, 2.1, 12.1);
  rewind_to (sandbox, 1);                           /* before them: those around it */
  check_recent (sandbox, plots, 0, 10 - 1.0 / 120); /* its sum of steps is above 10 by rounding */
  step (sandbox, 12);
  check_recent (sandbox, plots, 0, 1.1);

  SsTrajectory *recent = ssapp_sandbox_dup_recent (sandbox, plots, range);
  SS_CHECK (ss_trajectory_channel (recent, "ball.y") > 0 && ss_trajectory_channel (recent, "energy.kinetic") > 0);
  SS_CHECK (ss_trajectory_channel (recent, "ball.vx") < 0 && recent->channels[0].quantity == SS_QUANTITY_TIME);
  ss_trajectory_free (recent);
  ssapp_channel_plots_add (plots, 0, "ball.vx");
  check_recent (sandbox, plots, 0, 1.1);
  recent = ssapp_sandbox_dup_recent (sandbox, plots, range);
  SS_CHECK (ss_trajectory_row (recent, 0)[ss_trajectory_channel (recent, "ball.vx")] == 1);
  ss_trajectory_free (recent);
  SS_CHECK (ss_trajectory_channel (ssapp_sandbox_get_layout (sandbox), "ball.x") > 0);
  ssapp_channel_plots_free (plots);
}

static void
check_bounded (SsappSandbox *sandbox, const SsappChannelPlots *plots, double shown, double last)
{
  double range[2];
  SsTrajectory *recent = ssapp_sandbox_dup_recent (sandbox, plots, range);

  SS_CHECK (recent != NULL && recent->n_rows == SSAPP_SANDBOX_RECENT_ROWS);
  SS_CHECK_NEAR (ss_trajectory_row (recent, recent->n_rows - 1)[0], last, 1e-3);
  SS_CHECK (ss_trajectory_row (recent, 0)[0] <= shown);
  ss_trajectory_free (recent);
}

/* Of steps so short that there are too many of them fewer seconds are given, the shown time among them; rows that were
 * dropped are missing. */
static void
test_bounds (void)
{
  g_autoptr (SsappSandbox) sandbox = make (BALL ("0.0005")); /* 34 steps to a frame */
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  const double h = ssapp_sandbox_get_step (sandbox);
  double range[2];

  step (sandbox, 9000);
  check_bounded (sandbox, plots, 9000 * h, 9000 * h);
  rewind_to (sandbox, 3500 * h);
  check_bounded (sandbox, plots, 3500 * h, 6500 * h);
  rewind_to (sandbox, 100 * h);
  check_bounded (sandbox, plots, 100 * h, 6000 * h);
  ssapp_sandbox_set_memory (sandbox, 20000, 20000);
  step (sandbox, 1);
  SsTrajectory *recent = ssapp_sandbox_dup_recent (sandbox, plots, range);
  SS_CHECK (recent->n_rows > 1 && recent->n_rows < 101 && ss_trajectory_row (recent, 0)[0] > 0);
  ss_trajectory_free (recent);
  ssapp_channel_plots_free (plots);
}

/* Of a scene that has not moved yet the usual plots have what can move; plots of this scene stay. */
static void
test_suggest (void)
{
  g_autoptr (SsappSandbox) sandbox = make (BALL ("0.01"));
  SsappChannelPlots *plots = ssapp_channel_plots_new ();

  for (int turn = 0; turn < 2; turn++) { /* without plots, with those of another scene */
    SS_CHECK (turn == 0 || ssapp_channel_plots_read (plots, "box.y,box.vy", NULL));
    ssapp_sandbox_suggest_plots (sandbox, plots);
    g_autofree char *usual = ssapp_channel_plots_write (plots);
    SS_CHECK_STR (usual, "ball.y;floor-ball.gap;energy.total");
  }
  SS_CHECK (ssapp_channel_plots_read (plots, "box.y;ball.vx", NULL));
  ssapp_sandbox_suggest_plots (sandbox, plots);
  g_autofree char *kept = ssapp_channel_plots_write (plots);
  SS_CHECK_STR (kept, "box.y;ball.vx");
  ssapp_channel_plots_free (plots);
}

int
main (void)
{
  SS_RUN (test_pick);
  SS_RUN_THREADS (test_recent);
  SS_RUN_THREADS (test_bounds);
  SS_RUN_THREADS (test_suggest);
  return ss_test_finish ();
}
