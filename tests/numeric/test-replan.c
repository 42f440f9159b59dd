/* tests/numeric/test-replan.c: the task of a scene in a loop.
 *
 * The world is never the plan's own: its steps are a tenth as long, its friction is off by a fifth, hands push. Truth
 * is where the box comes to rest, and the clock. */
#include "core/ss-memory.h"
#include "mpcc/ss-problem.h"
#include "plan/ss-replan.h"
#include "ss-test-scenario.h"
#include "transcribe/ss-transcribe.h"
#include "simulate/ss-simulate.h"

enum { PARTS = 10, BOX = 1 };
static const char file[] = "examples/plans/push-box-with-disc.stickslip.json";

/* ---- a loop ------------------------------------------------------------------------------------------------------ */

typedef struct {
  SsScenario *planned, *real;
  SsSimulation *world;
  SsReplan *loop, *scout;
  double ready; /* when the scout has its plan; NaN: it does not look */
  int n_plans, n_late, n_kept, n_stuck;
} Loop;

static void
open_loop (Loop *l, const SsReplanOptions *options, double friction)
{
  const SsOverride set = {"mu", friction};
  SsError err = {0};

  *l = (Loop){.planned = ss_test_read_file (file, NULL, 0), .real = ss_test_read_file (file, &set, 1), .ready = NAN};
  SS_CHECK (ss_simulation_new (l->real->scene, &ss_integrator_stewart_trinkle, NULL, &l->world, &err) == SS_OK);
  SS_CHECK (ss_replan_new (l->planned, options, &l->loop, &err) == SS_OK);
  SS_CHECK (ss_replan_new (l->planned, options, &l->scout, &err) == SS_OK);
}

static void
close_loop (Loop *l)
{
  ss_replan_free (l->loop);
  ss_replan_free (l->scout);
  ss_simulation_free (l->world);
  ss_scenario_free (l->planned);
  ss_scenario_free (l->real);
}

/* What a second thread would do, which takes 0.4 s of the world's time whatever the machine. */
static void
scout (Loop *l, bool is_stuck)
{
  const SsSimState *s = ss_simulation_state (l->world);
  SsReplanAnswer answer;
  SsError err;

  if (isnan (l->ready) && is_stuck) {
    ss_replan_forget (l->scout);
    for (int c = 0; c < SS_PLAN_COORDINATES; c++)
      ss_replan_set_target (l->scout, 0, c, ss_replan_target (l->loop, 0, c));
    SS_CHECK (ss_replan_solve (l->scout, s->t, s->q, s->v, NULL, &answer, &err) == SS_OK);
    l->ready = s->t + 0.4;
  } else if (s->t >= l->ready) {
    if (ss_replan_controls (l->scout) != NULL)
      ss_replan_offer (l->loop, ss_replan_controls (l->scout));
    l->ready = NAN;
  }
}

static void
run (Loop *l, double until)
{
  const SsSimState *s = ss_simulation_state (l->world);
  SsReplanAnswer answer = {0};
  SsStepInfo info;
  SsError err = {0};

  while (s->t < until - 1e-9) {
    SS_CHECK (ss_replan_solve (l->loop, s->t, s->q, s->v, NULL, &answer, &err) == SS_OK);
    l->n_plans++;
    l->n_late += answer.is_late;
    l->n_kept += answer.is_kept;
    l->n_stuck += answer.is_stuck;
    SS_CHECK (answer.is_kept || answer.violation <= 1e-3); /* what acts is a motion */
    scout (l, answer.is_stuck);
    ss_simulation_set_controls (l->world, ss_replan_controls (l->loop));
    for (int k = 0; k < PARTS * (int)round (ss_replan_period (l->loop) / ss_replan_step (l->loop)); k++)
      SS_CHECK (ss_simulation_step (l->world, ss_replan_step (l->loop) / PARTS, &info, &err) == SS_OK);
  }
}

static double
distance (const Loop *l)
{
  double miss, angle;

  ss_replan_distance (l->loop, ss_simulation_state (l->world)->q, &miss, &angle);
  return hypot (miss, 0.2 * angle); /* of a corner, about */
}

static SsReplanOptions
options_of (int every, double deadline, double weight)
{
  SsReplanOptions o;

  ss_options_init (&ss_replan_option_table, &o);
  o.first = 1e3; /* by the wall's clock, on a machine that may be busy: the first plan is looked for to its end */
  o.look_ahead = 50;
  o.every = every;
  o.deadline = deadline;
  o.weight = weight;
  return o;
}

/* ---- closed loops ------------------------------------------------------------------------------------------------ */

/* Plan and world differ: at 2 s a box that is pushed open-loop lies centimetres off. One that lies within 1 cm is at
 * its goal; nothing can pull it back once it has slid past. The horizon is that of the task: within less the box has to
 * be thrown, and what it slides too far with a fifth less friction is a fifth of its way. */
static void
test_friction (void)
{
  static const double frictions[] = {0.24, 0.36};

  for (int i = 0; i < (ss_test_is_long () ? 2 : 1); i++) {
    const SsReplanOptions options = options_of (1, 0, 1000);
    Loop l;

    open_loop (&l, &options, frictions[i]);
    run (&l, 2.4);
    SS_CHECK_NEAR (distance (&l), 0, 0.01);
    SS_CHECK_NEAR (ss_simulation_state (l.world)->v[3 * BOX], 0, 1e-3);
    SS_CHECK (l.n_late == 0 && l.n_kept == 0);
    close_loop (&l);
  }
}

/* A hand throws the box back on its way; and when it lies at its goal, the goal moves on: a solver that is warm alone
 * lets it lie. */
static void
test_hands (void)
{
  const SsReplanOptions options = options_of (2, 0, 1000);
  SsSimState *s;
  Loop l;

  open_loop (&l, &options, 0.3);
  s = ss_simulation_state (l.world);
  run (&l, 0.48);
  s->v[3 * BOX] -= 1;
  if (ss_test_is_coarse ()) { /* the rest runs little other code */
    run (&l, 0.64);
    SS_CHECK (isfinite (distance (&l)));
    close_loop (&l);
    return;
  }
  run (&l, 3.2);
  SS_CHECK_NEAR (distance (&l), 0, 0.02); /* with a plan every 0.08 s: a twentieth of the box */
  const int before = l.n_stuck;
  ss_replan_set_target (l.loop, 0, 0, 1.05);
  SS_CHECK (distance (&l) > 0.2);
  run (&l, 6.4);
  SS_CHECK_NEAR (distance (&l), 0, 0.02);
  SS_CHECK (l.n_stuck > before); /* it was told, and a scout found the way */
  close_loop (&l);
}

/* A box that lies a little too far, with the disc where it came from or above it: a search from standing still ends
 * where the box lies. One from a drawn motion round the box pushes it back. */
static void
test_looks_from_elsewhere (void)
{
  static const double discs[2][2] = {{-0.3, 0.12}, {0.15, 0.41}}; /* from the box [m] */
  const SsReplanOptions options = options_of (1, 0, 1000);
  SsReplanAnswer answer;
  SsError err;
  Loop l;

  open_loop (&l, &options, 0.3);
  for (int i = 0; i < (ss_test_is_long () ? 2 : 1); i++) {
    const double q[9] = {0, 0, 0, 0.86, 0.15, 0, 0.86 + discs[i][0], discs[i][1], 0}, v[9] = {0};
    double miss, angle, ends[9];

    ss_replan_forget (l.scout);
    ss_replan_look_from (l.scout, 1);
    SS_CHECK (ss_replan_solve (l.scout, 0, q, v, NULL, &answer, &err) == SS_OK);
    SS_CHECK (!answer.is_kept && answer.violation <= 1e-3); /* a motion */
    SS_CHECK (ss_replan_poses (l.scout, options.look_ahead, ends));
    ss_replan_distance (l.scout, ends, &miss, &angle);
    SS_CHECK (miss < SS_REPLAN_NEAR && angle < SS_REPLAN_NEAR_ANGLE);
    SS_CHECK_NEAR (hypot (ends[3] - 0.8, ends[4] - 0.15), miss, 1e-12); /* rounding */
  }
  close_loop (&l);
}

/* ---- deadlines --------------------------------------------------------------------------------------------------- */

/* The clock of this thread: what others take from it is none of the solver's. It runs no faster than the wall's, so a
 * deadline kept on the wall is kept here, but for one iteration and the starting points: some 0.5 ms; 20 ms with
 * sanitizers. */
static void
test_deadline (void)
{
  const SsReplanOptions options = options_of (1, 0, 1000);
  const SsSimState *s;
  SsReplanAnswer answer;
  SsError err;
  Loop l;
  int n_late = 0;

  open_loop (&l, &options, 0.36);
  s = ss_simulation_state (l.world);
  run (&l, 0.04);
  ss_replan_set_deadline (l.loop, 0.002);
  for (int k = 0; k < 12; k++) {
    ss_replan_set_target (l.loop, 0, 0, 0.8 + 0.03 * k);
    SS_CHECK (ss_replan_solve (l.loop, s->t, s->q, s->v, NULL, &answer, &err) == SS_OK);
    SS_CHECK (answer.cpu_seconds < 0.002 + 0.02);
    SS_CHECK (!answer.is_late || answer.wall_seconds >= 0.002);
    SS_CHECK (ss_replan_controls (l.loop) != NULL && answer.violation <= 1e-3);
    n_late += answer.is_late;
  }
  SS_CHECK (n_late > 0); /* a first plan far from its goal takes 100 subproblems' iterations */
  close_loop (&l);
}

/* Targets as constraints, and one that nothing can reach in 2 s: no plan, told in time, and the old one goes on. */
static void
test_out_of_reach (void)
{
  SsReplanOptions options = options_of (1, 0.05, 0);
  const SsSimState *s;
  SsReplanAnswer answer;
  SsError err;
  Loop l;

  options.first = 0.3;
  open_loop (&l, &options, 0.3);
  s = ss_simulation_state (l.world);
  ss_replan_set_target (l.loop, 0, 0, 50);
  SS_CHECK (ss_replan_solve (l.loop, s->t, s->q, s->v, NULL, &answer, &err) == SS_OK);
  SS_CHECK (answer.outcome != SS_OUTCOME_SOLVED && answer.is_kept && ss_replan_controls (l.loop) == NULL);
  SS_CHECK (answer.is_late && answer.cpu_seconds < 0.3 + 0.05);
  close_loop (&l);

  options.first = 20;
  open_loop (&l, &options, 0.3);
  s = ss_simulation_state (l.world);
  SS_CHECK (ss_replan_solve (l.loop, s->t, s->q, s->v, NULL, &answer, &err) == SS_OK);
  SS_CHECK (answer.outcome == SS_OUTCOME_SOLVED && answer.miss < 1e-6);
  ss_replan_set_target (l.loop, 0, 0, 50);
  SS_CHECK (ss_replan_solve (l.loop, s->t, s->q, s->v, NULL, &answer, &err) == SS_OK);
  SS_CHECK (answer.is_kept && ss_replan_controls (l.loop) != NULL);
  SS_CHECK (answer.outcome != SS_OUTCOME_SOLVED && answer.cpu_seconds < 0.05 + 0.05);
  SS_CHECK_NEAR (answer.miss, 49.2, 0.2); /* the last plan still brings the box to 0.8 m */
  close_loop (&l);
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

/* A transcript that follows has the rows and the objective of one that was made from a text with these numbers. */
static void
test_follow (void)
{
  static const char scene[] =
      "{\"format\": 1, \"name\": \"two\", \"scene\": {\"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": "
      "{\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"a\", \"shape\": {\"type\": \"box\", \"width\": "
      "0.4, "
      "\"height\": 0.2}, \"mass\": 1, \"position\": [%g, 0.1], \"velocity\": [%g, 0]}, {\"name\": \"b\", \"lock\": "
      "[\"theta\"], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 2, \"position\": [0, %g]}], "
      "\"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"b\", \"direction\": [1, 0]}]}, \"task\": "
      "{\"horizon\": 0.2, \"steps\": 4, \"effort\": 1, \"targets\": [{\"body\": \"a\", \"position\": [%g, null], "
      "\"velocity\": [0, 0]}, {\"body\": \"b\", \"position\": [%g, %g], \"weight\": 3}]}}";
  static const double numbers[2][6] = {{1, 0, 0.1, 0, 0, 0}, {1.5, -0.3, 0.2, 1.7, -0.4, 0.25}};
  const SsTranscribeOptions follows = {.is_followed = true};
  SsScenario *scenarios[2];
  SsTranscript *transcripts[2];
  double *x[2], *rows[2], *values[2], objectives[2];
  bool fits = false;
  SsError err;
  int n = 0, n_rows = 0;

  for (int i = 0; i < 2; i++) {
    char text[2000];
    const double *v = numbers[i];

    snprintf (text, sizeof text, scene, v[0], v[1], v[2], v[3], v[4], v[5]);
    scenarios[i] = ss_test_read_text (text);
    SS_CHECK (ss_transcript_new (scenarios[i], &follows, &transcripts[i], &err) == SS_OK);
  }
  SsScenario moved = *scenarios[1]; /* the other numbers, and the first text */
  memcpy (moved.sha256, scenarios[0]->sha256, sizeof moved.sha256);
  SS_CHECK (ss_transcript_follow (transcripts[0], &moved, &fits, &err) == SS_OK);
  SS_CHECK (fits);
  for (int i = 0; i < 2; i++) {
    const SsScenario *model = ss_transcript_model (transcripts[i]);
    SsMpcc *mpcc;
    SsMpccEval *eval;

    SS_CHECK (ss_problem_build (model, &mpcc, &err) == SS_OK && ss_mpcc_eval_new (mpcc, &eval, &err) == SS_OK);
    n = ss_mpcc_n_variables (mpcc);
    n_rows = ss_mpcc_n_rows (mpcc);
    x[i] = calloc ((size_t)n, sizeof (double));
    rows[i] = calloc ((size_t)n_rows, sizeof (double));
    values[i] = calloc ((size_t)model->n_parameters, sizeof (double));
    ss_problem_parameters (model, values[i]);
    ss_mpcc_set_parameters (mpcc, values[i]);
    for (int j = 0; j < n; j++)
      x[i][j] = sin (1 + j);
    objectives[i] = ss_mpcc_objective (eval, x[i]);
    ss_mpcc_rows (eval, x[i], rows[i]);
    ss_mpcc_eval_free (eval);
    ss_mpcc_free (mpcc);
  }
  SS_CHECK (n > 0 && objectives[0] == objectives[1]);
  SS_CHECK (memcmp (rows[0], rows[1], (size_t)n_rows * sizeof (double)) == 0);
  for (int i = 0; i < 2; i++) {
    free (x[i]);
    free (rows[i]);
    free (values[i]);
    ss_transcript_free (transcripts[i]);
    ss_scenario_free (scenarios[i]);
  }
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

#define BALL(more, task)                                                                                               \
  "{\"format\": 1, \"name\": \"ball\", \"scene\": {\"bodies\": [{\"name\": \"ball\", \"shape\": {\"type\": "           \
  "\"circle\", \"radius\": 0.1}, \"mass\": 1}]" more "}, \"task\": {" task "}}"
#define PUSH ", \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"ball\", \"direction\": [1, 0]}]"
#define GO   "\"horizon\": 1, \"steps\": 5, \"targets\": [{\"body\": \"ball\", \"position\": [1, null]}]"

static void
test_refusals (void)
{
  static const struct {
    const char *text, *part;
    int look_ahead, every;
  } cases[] = {
      {BALL (PUSH, "\"t_end\": 1, \"dt\": 0.1"), "a task that says what shall be reached", 5, 1},
      {BALL ("", GO), "no actuator", 5, 1},
      {BALL (PUSH ", \"forces\": [{\"name\": \"wind\", \"body\": \"ball\", \"force\": [\"sin(t)\", 0]}]", GO),
       "the force wind depends on the time", 5, 1},
      {BALL (PUSH, GO ", \"breaks\": [0.2]"), "task.breaks", 5, 1},
      {BALL (PUSH, GO), "look ahead further", 5, 6},
      {BALL (PUSH, GO), NULL, 5, 5},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsReplanOptions options = options_of (cases[i].every, 0, 1000);
    SsScenario *scenario = ss_test_read_text (cases[i].text);
    SsReplan *loop = NULL;
    SsError err = {0};

    options.look_ahead = cases[i].look_ahead;
    SS_CHECK ((ss_replan_new (scenario, &options, &loop, &err) == SS_OK) == (cases[i].part == NULL));
    if (cases[i].part != NULL)
      SS_CHECK_CONTAINS (err.message, cases[i].part);
    ss_replan_free (loop);
    ss_scenario_free (scenario);
  }
}

/* Every allocation that fails is told, and nothing is lost (by the sanitizer's word). */
static void
test_no_memory (void)
{
  SsScenario *scenario = ss_test_read_text (BALL (PUSH, GO));
  SsStatus status = SS_ERR_MEMORY;

  for (uint64_t n = 1; status != SS_OK && n < 100000; n += 1 + n / 20) {
    SsReplan *loop = NULL;
    SsReplanAnswer answer;
    SsError err = {0};

    ss_alloc_fail_at (n);
    status = ss_replan_new (scenario, NULL, &loop, &err);
    for (int k = 0; k < 2 && status == SS_OK; k++)
      status = ss_replan_solve (loop, 0.2 * k, scenario->scene->bodies[0].q, scenario->scene->bodies[0].v, NULL,
                                &answer, &err);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || status == SS_ERR_MEMORY);
    ss_replan_free (loop);
  }
  SS_CHECK (status == SS_OK);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_follow);
  SS_RUN (test_refusals);
  SS_RUN (test_no_memory);
  SS_RUN_SLOW (test_friction);
  SS_RUN (test_hands);
  SS_RUN (test_looks_from_elsewhere);
  SS_RUN (test_deadline);
  SS_RUN (test_out_of_reach);
  return ss_test_finish ();
}
