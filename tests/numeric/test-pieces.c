/* tests/numeric/test-pieces.c: plans in pieces. Truth: the least cost of a linear system in closed form, the least cost
 * of a plan with one bounce by a search over its one free control; and replays by the integrator, which share nothing
 * with the plan but the scene. */
#include "plan/ss-polish-pieces.h"

#include "plan/ss-plan-rest.h"
#include "solve/ss-run-replayed.h"
#include "mpcc/ss-problem.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <string.h>

/* ---- a block that falls off -------------------------------------------------------------------------------------- */

/* A block glides on a floor, pushed away from the middle by what it is away from it, 100 N/m: x'' = 100 x + u, so that
 * what is off grows by e^30 in 3 s. It begins at .1 m, at rest, and shall rest in the middle at the end. */
enum { INTERVALS = 30, PIECES = 15 };
static const double rate = 10, interval = 0.1, begins = 0.1;

static const char *const block_text =
    "{\"format\": 1, \"name\": \"block\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81],"
    " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "  {\"name\": \"p\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"lock\": [\"theta\"],"
    "   \"position\": [0.1, 0.1]}],"
    " \"contacts\": [{\"name\": \"c\", \"bodies\": [\"floor\", \"p\"], \"friction\": 0}],"
    " \"forces\": [{\"name\": \"away\", \"body\": \"p\", \"force\": [\"100*p.x\", 0]}],"
    " \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"p\", \"direction\": [1, 0], \"lower\": -90, "
    "\"upper\": 90}]},"
    " \"task\": {\"horizon\": 3, \"steps\": 30, \"effort\": 1, \"targets\": [{\"body\": \"p\", \"position\": [0, null],"
    " \"velocity\": [0, null]}]}}";

/* Least sum of interval u^2: of each mode s = x' +- 10 x, which grows or falls by e^+-1 an interval, a row of weights
 * of the controls; the answer of least norm. */
static double
block_cost (void)
{
  const double step = exp (rate * interval);
  double gram[3] = {0, 0, 0}; /* of the two rows: 00, 01, 11 */
  double right[2];

  for (int k = 0; k < INTERVALS; k++) {
    /* s+' = 10 s+ + u, brought to time 0; s-' = -10 s- + u, brought to the end */
    const double a = exp (-rate * interval * (k + 1)) * (step - 1) / rate;
    const double b = exp (-rate * interval * (INTERVALS - 1 - k)) * (1 - 1 / step) / rate;

    gram[0] += a * a;
    gram[1] += a * b;
    gram[2] += b * b;
  }
  right[0] = -rate * begins;
  right[1] = rate * begins * exp (-rate * interval * INTERVALS);
  const double det = gram[0] * gram[2] - gram[1] * gram[1];
  const double y[2] = {(gram[2] * right[0] - gram[1] * right[1]) / det,
                       (gram[0] * right[1] - gram[1] * right[0]) / det};

  return interval * (y[0] * right[0] + y[1] * right[1]);
}

/* On the floor in every interval, at rest where it begins: no motion yet. */
static SsFesdSequence *
stand (const SsScenario *scenario)
{
  const SsScene *scene = scenario->scene;
  SsFesdSequence *sequence = NULL;
  SsError err = {0};

  SS_CHECK (ss_fesd_sequence_new (INTERVALS, 1, 3 * scene->n_bodies, 1, INTERVALS * interval, &sequence, &err) ==
            SS_OK);
  for (int s = 0; s < INTERVALS; s++) {
    SS_CHECK (ss_fesd_sequence_insert (sequence, s, s, interval, &err) == SS_OK);
    sequence->segments[s].mode[0] = SS_FESD_SLIP_PLUS;
    double *sample = ss_fesd_sequence_add_sample (sequence, s, 0);
    for (int i = 0; i < 3 * scene->n_bodies; i++)
      sample[1 + i] = scene->bodies[i / 3].q[i % 3];
  }
  return sequence;
}

/* The polish's replay of the whole plan, as the judge makes it. */
static SsPlanReplay
replay (const SsScenario *scenario, const SsTranscribeOptions *options, const SsPolished *plan)
{
  SsTrajectory *motion = NULL;
  SsPlanReplay out = {0};
  SsError err = {0};

  SS_CHECK (ss_problem_trajectory (plan->model, plan->x, &motion, &err) == SS_OK);
  SS_CHECK (ss_run_replay_plan (scenario, options, motion, NULL, &out, &err) == SS_OK);
  ss_trajectory_free (motion);
  return out;
}

static void
test_block (void)
{
  SsFesdOptions own;
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j, .own = &own};
  const SsPolishOptions how = {.pieces = PIECES, .distance = 1e-7};
  SsScenario *scenario = ss_test_read_text (block_text);
  SsFesdSequence *sequence = stand (scenario);
  SsPolished polished;
  SsPlanReplay whole;
  SsError err = {0};

  ss_options_init (ss_transcription_fesd_j.options, &own);
  SS_CHECK (ss_polish (scenario, &options, sequence, &how, NULL, &polished, &err) == SS_OK);
  SS_CHECK (polished.is_solved && polished.agrees && polished.n_pieces == 0);
  whole = replay (scenario, &options, &polished);
  printf ("  block: %.9g of %.9g; %.2g m a piece, whole %.2g m; violation %.2g, %.2g s\n", polished.metrics.objective,
          block_cost (), polished.end_distance, whole.end_distance, polished.metrics.max_violation,
          polished.cpu_seconds);
  /* Rounding alone, 1e-16 of .1 m, grows to 1e-4 m; Ipopt leaves 1e-11. */
  SS_CHECK (!(whole.end_distance < 1e-3));
  ss_plan_replay_clear (&whole);

  SS_CHECK (ss_polish_pieces (scenario, &options, &how, PIECES, NULL, &polished, &err) == SS_OK);
  whole = replay (scenario, &options, &polished);
  printf ("  in %d pieces: %.9g; whole %.2g m; violation %.2g, %.2g s\n", polished.n_pieces, polished.metrics.objective,
          whole.end_distance, polished.metrics.max_violation, polished.cpu_seconds);
  SS_CHECK (polished.is_solved && polished.agrees && polished.n_pieces == PIECES);
  /* What one piece is off by, and nothing that came before it. */
  SS_CHECK (whole.end_distance < 1e-7);
  SS_CHECK_NEAR (polished.end_distance, whole.end_distance, 1e-15);
  /* Joints are missed by as much, their velocities by 10 times that. */
  SS_CHECK (polished.metrics.max_violation < 1e-6);
  SS_CHECK (fabs (polished.metrics.objective / block_cost () - 1) < 1e-5);
  ss_plan_replay_clear (&whole);
  ss_polished_clear (&polished);
  ss_fesd_sequence_free (sequence);
  ss_scenario_free (scenario);
}

/* ---- cuts and rests ---------------------------------------------------------------------------------------------- */

/* Cuts lie where nothing jumps, each after the one before. */
static void
test_cuts (void)
{
  SsScenario *scenario = ss_test_read_text (block_text);
  SsFesdSequence *sequence = stand (scenario);
  int cuts[INTERVALS + 2];

  SS_CHECK (ss_pieces_cuts (sequence, 1, cuts) == 0);
  SS_CHECK (ss_pieces_cuts (sequence, 3, cuts) == 2 && cuts[0] == 10 && cuts[1] == 20);
  sequence->segments[10].jump[0] = sequence->segments[11].jump[0] = SS_FESD_SLIP_PLUS;
  SS_CHECK (ss_pieces_cuts (sequence, 3, cuts) == 2 && cuts[0] == 12 && cuts[1] == 20);
  SS_CHECK (ss_pieces_cuts (sequence, INTERVALS + 1, cuts) == INTERVALS - 3);
  ss_fesd_sequence_free (sequence);
  ss_scenario_free (scenario);
}

/* What depends on the time has no rest. */
static void
test_refusal (void)
{
  char text[2048];
  const char *const formula = strstr (block_text, "100*p.x");
  SsError err = {0};

  snprintf (text, sizeof text, "%.*s100*p.x + t%s", (int)(formula - block_text), block_text, formula + 7);
  SsScenario *scenario = ss_test_read_text (text);
  SS_CHECK (ss_plan_rest_check (scenario, "planned in pieces", &err) == SS_ERR_INVALID);
  SS_CHECK (strstr (err.message, "planned in pieces: the force away depends on the time") != NULL);
  ss_scenario_free (scenario);
}

/* ---- copies of a motion ------------------------------------------------------------------------------------------ */

/* Clocks and places go on, stages with their owner; all else is as it was. */
static void
test_repeat (void)
{
  static const char *const names[] = {"t", "a.x", "a.vx", "a.stage_1.x", "time", "lambda_n.c"};
  static const double rows[3][6] = {{0, 5, 1, 5.5, 0, 7}, {1, 6, 2, 6.5, 1, 8}, {3, 9, 3, 9.5, 3, 9}};
  static const double expected[4][6] = {
      {0, 6, 2, 6.5, 1, 8}, {2, 9, 3, 9.5, 3, 9}, {2, 9, 2, 9.5, 3, 8}, {4, 12, 3, 12.5, 5, 9}};
  SsTrajectory *motion = NULL, *repeated = NULL;
  SsError err = {0};

  SS_CHECK (ss_trajectory_new_named (names, 6, 3, &motion, &err) == SS_OK);
  for (int r = 0; r < 3; r++)
    SS_CHECK (ss_trajectory_append (motion, rows[r], &err) == SS_OK);
  SS_CHECK (ss_trajectory_repeat (motion, 1, 2, &repeated, &err) == SS_OK);
  SS_CHECK (repeated->n_rows == 4);
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 6; c++)
      SS_CHECK (ss_trajectory_row (repeated, r)[c] == expected[r][c]);
  ss_trajectory_free (repeated);
  SS_CHECK (ss_trajectory_repeat (motion, 2, 1, &repeated, &err) == SS_ERR_INVALID && repeated == NULL);
  ss_trajectory_free (motion);
}

int
main (void)
{
  SS_RUN (test_repeat);
  SS_RUN (test_cuts);
  SS_RUN (test_block);
  SS_RUN (test_refusal);
  return ss_test_finish ();
}
