/* tests/numeric/test-passages.c: motions that pass through something between two points, which no plan may have, and
 * motions that come near it and may. Written by hand; truth is geometry. */
#include "run/ss-run.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  SsOutcome outcome;
  double share, overlap; /* of the verdict */
  char message[sizeof ((SsRunResult *)NULL)->message];
} Told;

/* What is said of a motion of bodies a and b (NULL: b stands) that an optimiser calls solved; poses x, y, theta by row,
 * velocities by the law q1 = q0 + h v1. */
static Told
judge_control (const SsScenario *scenario, const double (*a)[3], const double (*b)[3], int n_rows,
               SsRunControl *control)
{
  static const char *const names[] = {"t",   "a.x", "a.y",     "a.theta", "a.vx", "a.vy",   "a.omega",
                                      "b.x", "b.y", "b.theta", "b.vx",    "b.vy", "b.omega"};
  const double h = 0.02;
  const int n = b != NULL ? 13 : 7;
  const SsTranscribeOptions transcription = {0};
  SsChannel channels[13] = {ss_channel_of_time ()};
  SsTrajectory *motion = NULL;
  SsRunResult result;
  SsError err = {0};
  Told told = {.outcome = SS_OUTCOME_FAILED};

  for (int i = 1; i < n; i++)
    channels[i] = ss_channel_named (names[i]);
  SS_CHECK (ss_trajectory_new (channels, n, n_rows, &motion, &err) == SS_OK);
  for (int i = 0; i < n_rows; i++) {
    double row[13] = {i * h};

    for (int k = 0; k < 3; k++) {
      row[1 + k] = a[i][k];
      row[4 + k] = i > 0 ? (a[i][k] - a[i - 1][k]) / h : (a[1][k] - a[0][k]) / h;
      if (b != NULL) {
        row[7 + k] = b[i][k];
        row[10 + k] = i > 0 ? (b[i][k] - b[i - 1][k]) / h : (b[1][k] - b[0][k]) / h;
      }
    }
    SS_CHECK (ss_trajectory_append (motion, row, &err) == SS_OK);
  }
  SS_CHECK (ss_scenario_describe (scenario, motion, &err) == SS_OK);
  ss_run_result_init (&result);
  SS_CHECK (ss_run_add_motion (&result, &motion, SS_MOTION_ANSWER, 0, 1, &err) == SS_OK);
  result.outcome = SS_OUTCOME_SOLVED;
  SS_CHECK (ss_run_judge_plan (scenario, &transcription, control, &result, &err) == SS_OK);
  told.outcome = result.outcome;
  told.share = result.verdict.overlap_share.value;
  told.overlap = fmax (result.verdict.swept_overlap.value, result.verdict.penetration.value);
  snprintf (told.message, sizeof told.message, "%s", result.message);
  printf ("  %s: %.4g m, share %.4g; %s\n", ss_outcome_name (told.outcome), told.overlap, told.share, told.message);
  ss_run_result_clear (&result);
  return told;
}

static Told
judge (const SsScenario *scenario, const double (*a)[3], const double (*b)[3], int n_rows)
{
  return judge_control (scenario, a, b, n_rows, NULL);
}

/* Bodies a (moves) and b (fixed or moves) by their shapes; b stands at (x, y) with an angle. */
static SsScenario *
scene_of (const char *a, const char *b, bool b_is_fixed, double x, double y, double angle)
{
  char text[1024];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"pass\", \"scene\": {\"gravity\": [0, 0], \"friction\": 0, \"bodies\": ["
            "{\"name\": \"a\", \"mass\": 1, \"shape\": %s},"
            "{\"name\": \"b\", %s, \"position\": [%.17g, %.17g], \"angle\": %.17g, \"shape\": %s}],"
            " \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.02}}",
            a, b_is_fixed ? "\"fixed\": true" : "\"mass\": 1", x, y, angle, b);
  return ss_test_read_text (text);
}

static const char *const small_disc = "{\"type\": \"circle\", \"radius\": 0.01}";
static const char *const rod = "{\"type\": \"box\", \"width\": 1, \"height\": 0.01}";

static void
check_refused (const Told *told)
{
  SS_CHECK (told->outcome == SS_OUTCOME_NOT_REPLAYABLE);
  SS_CHECK (told->share > SS_RUN_OVERLAP_SHARE_MAX);
  SS_CHECK_CONTAINS (told->message, "one body passes through the other");
}

/* A wall of half a millimetre, by a ball of 5 mm at 10 to 10000 m/s, straight and slanting. */
static void
thin_walls (void)
{
  SsScenario *scenario = scene_of ("{\"type\": \"circle\", \"radius\": 0.005}",
                                   "{\"type\": \"box\", \"width\": 0.0005, \"height\": 1}", true, 0, 0, 0);

  for (int i = 0; i < 4; i++) {
    const double way = 0.1 * pow (10, i);
    const double straight[][3] = {{-0.37 * way, 0.1, 0}, {0.63 * way, 0.1, 0}};
    const double slanting[][3] = {{-0.5 * way, -0.3 * way, 0}, {0.5 * way, 0.3 * way, 0}};
    Told told = judge (scenario, straight, NULL, 2);

    check_refused (&told);
    /* the ball's centre in the middle of the wall: both edges are as far away */
    SS_CHECK_NEAR (told.overlap, 0.00525, 1e-5);
    told = judge (scenario, slanting, NULL, 2);
    check_refused (&told);
  }
  ss_scenario_free (scenario);
}

/* A rod of a metre turns about its middle by `turn` and sweeps over a disc of a centimetre, which is as deep as both
 * half widths in the middle. */
static void
sweeping_rods (void)
{
  for (int i = 0; i < 6; i++) {
    const double turn = (double[]){0.1, 0.3, 1, 2, 2.9, 5.5}[i];
    const double way[][3] = {{0, 0, -turn / 2}, {0, 0, turn / 2}};
    SsScenario *scenario = scene_of (rod, small_disc, true, 0.4, 0, 0);
    const Told told = judge (scenario, way, NULL, 2);

    printf ("  turned by %g rad\n", turn);
    check_refused (&told);
    SS_CHECK_NEAR (told.overlap, 0.015, 1e-4);
    ss_scenario_free (scenario);
  }
}

/* A rod that turns about its end: the end stays, and what is behind it is not touched, though the middle's straight way
 * would push it there; what is before it is swept over. */
static void
rods_on_a_pivot (void)
{
  const double turn = 1, half = 0.5;
  const double way[][3] = {{half * cos (turn / 2), -half * sin (turn / 2), -turn / 2},
                           {half * cos (turn / 2), half * sin (turn / 2), turn / 2}};
  SsScenario *scenario = scene_of (rod, small_disc, true, -0.0125, 0, 0);
  Told told = judge (scenario, way, NULL, 2);

  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED && told.share < SS_RUN_OVERLAP_SHARE_MAX);
  ss_scenario_free (scenario);

  scenario = scene_of (rod, small_disc, true, 0.7, 0, 0);
  told = judge (scenario, way, NULL, 2);
  check_refused (&told);
  SS_CHECK_NEAR (told.overlap, 0.015, 1e-3);
  ss_scenario_free (scenario);

  /* beyond the tip, by a millimetre */
  scenario = scene_of (rod, small_disc, true, 1.011, 0, 0);
  told = judge (scenario, way, NULL, 2);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED);
  ss_scenario_free (scenario);
}

/* A paddle of 2 mm that swings meets a ball of 5 mm that flies: the middle of the step has both in one place. */
static void
paddle_and_ball (void)
{
  SsScenario *scenario = scene_of ("{\"type\": \"box\", \"width\": 0.6, \"height\": 0.002}",
                                   "{\"type\": \"circle\", \"radius\": 0.005}", false, 0.2, 0.3, 0);
  const double paddle[][3] = {{0, 0, -0.15}, {0, 0, 0.15}}, ball[][3] = {{0.2, 0.3, 0}, {0.2, -0.3, 0}};
  const Told told = judge (scenario, paddle, ball, 2);

  check_refused (&told);
  SS_CHECK_NEAR (told.overlap, 0.006, 1e-4);
  ss_scenario_free (scenario);
}

/* Two bodies that fly through each other, head on and crosswise; and the same that miss each other by a millimetre. */
static void
crossing_bodies (void)
{
  SsScenario *scenario = scene_of (small_disc, small_disc, false, 3, 0, 0);
  const double right[][3] = {{-3, 0, 0}, {3, 0, 0}}, left[][3] = {{3, 0, 0}, {-3, 0, 0}};
  const double down[][3] = {{0, 3, 0}, {0, -3, 0}}, late[][3] = {{0, 3.03, 0}, {0, -2.97, 0}};
  Told told = judge (scenario, right, left, 2);

  check_refused (&told);
  SS_CHECK_NEAR (told.overlap, 0.02, 1e-4);
  told = judge (scenario, right, down, 2);
  check_refused (&told);
  /* behind by 0.03: nearest at 0.03/sqrt(2) = 0.0212, more than both radii */
  told = judge (scenario, right, late, 2);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED && told.overlap == 0);
  ss_scenario_free (scenario);
}

/* Two links on a post, which turn by 46 and 69 degrees in a step: the outer one sweeps over a disc. Anchors stay
 * together at the rows, so that no joint shows it. */
static void
a_mechanism (void)
{
  const double one = 0.4, other = 0.6; /* from minus to plus these [rad] */
  const double ix = 0.25 * cos (one), iy = 0.25 * sin (one);
  const double ox = 2 * ix + 0.25 * cos (other), oy = 2 * iy + 0.25 * sin (other);
  const double inner[][3] = {{ix, -iy, -one}, {ix, iy, one}}, outer[][3] = {{ox, -oy, -other}, {ox, oy, other}};
  char text[1536];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"links\", \"scene\": {\"gravity\": [0, 0], \"friction\": 0, \"bodies\": ["
            "{\"name\": \"post\", \"fixed\": true, \"shape\": {\"type\": \"circle\", \"radius\": 0.01}},"
            "{\"name\": \"disc\", \"fixed\": true, \"position\": [0.75, 0], \"shape\": %s},"
            "{\"name\": \"a\", \"mass\": 1, \"position\": [0.25, 0],"
            " \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 0.01}},"
            "{\"name\": \"b\", \"mass\": 1, \"position\": [0.75, 0],"
            " \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 0.01}}],"
            " \"joints\": [{\"name\": \"first\", \"type\": \"pin\", \"bodies\": [\"post\", \"a\"], \"anchor\": [0, 0]},"
            " {\"name\": \"second\", \"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [0.5, 0]}],"
            " \"contacts\": [{\"bodies\": [\"disc\", \"b\"]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.02}}",
            small_disc);
  SsScenario *scenario = ss_test_read_text (text);
  const Told told = judge (scenario, inner, outer, 2);
  check_refused (&told);
  SS_CHECK_NEAR (told.overlap, 0.015, 1e-3);
  ss_scenario_free (scenario);
}

/* A ball that goes into a half-plane and comes out again. */
static void
into_a_half_plane (void)
{
  SsScenario *scenario = scene_of (small_disc, "{\"type\": \"half-plane\", \"normal\": [0, 1]}", true, 0, 0, 0);
  const double under[][3] = {{0.3, 0.2, 0}, {0.3, -0.2, 0}, {0.3, 0.2, 0}};
  const Told told = judge (scenario, under, NULL, 3);

  SS_CHECK (told.outcome == SS_OUTCOME_NOT_REPLAYABLE);
  SS_CHECK_NEAR (told.overlap, 0.21, 1e-9);
  ss_scenario_free (scenario);
}

/* Two lines: at rest on each other to rounding they are none; across each other they are. */
static void
segments (void)
{
  static const char *const line = "{\"type\": \"segment\", \"from\": [-0.5, 0], \"to\": [0.5, 0]}";
  SsScenario *scenario = scene_of (line, line, true, 0, 0, 0);
  const double across[][3] = {{0, 0.3, 1.5}, {0, 0.3, 1.5}}, through[][3] = {{0, 0.1, 0}, {0, -0.1, 0}};
  const double half_pi = acos (0);
  const double on_it[][3] = {{0, 0.5 - 1e-9, half_pi}, {0, 0.5 - 1e-9, half_pi}};
  Told told = judge (scenario, across, NULL, 2);

  SS_CHECK (told.outcome == SS_OUTCOME_NOT_REPLAYABLE);
  told = judge (scenario, on_it, NULL, 2);
  SS_CHECK (told.outcome == SS_OUTCOME_SOLVED);
  told = judge (scenario, through, NULL, 2);
  SS_CHECK (told.outcome == SS_OUTCOME_NOT_REPLAYABLE); /* lines count as a millimetre thick there */
  ss_scenario_free (scenario);
}

/* What is told to stop before it is judged is not solved. */
static void
not_judged (void)
{
  SsScenario *scenario = scene_of (small_disc, small_disc, true, 0, 0, 0);
  const double through[][3] = {{-1, 0, 0}, {1, 0, 0}};
  SsRunControl control;

  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  const Told told = judge_control (scenario, through, NULL, 2, &control);
  SS_CHECK (told.outcome == SS_OUTCOME_CANCELLED);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (thin_walls);
  SS_RUN (sweeping_rods);
  SS_RUN (rods_on_a_pivot);
  SS_RUN (paddle_and_ball);
  SS_RUN (crossing_bodies);
  SS_RUN (a_mechanism);
  SS_RUN (into_a_half_plane);
  SS_RUN (segments);
  SS_RUN (not_judged);
  return ss_test_finish ();
}
