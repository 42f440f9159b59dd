/* tests/unit/test-no-memory.c: every allocation of a run may fail: dynamics, contact problem, integrators, replay,
 * events, transcription, problem, optimisers, metrics, the job that joins them, impacts, forces at a state,
 * derivatives, and what a plan is held and played by.
 *
 * As tests/ss-test-no-memory.h says. (Rooms above dynamics have such tests in their own programs. Ipopt, SUNDIALS, AMD
 * and jansson allocate by malloc, which does not fail here.) */
#include "contact/ss-contact-problem.h"
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "fesd/ss-forces.h"
#include "plan/ss-feedback.h"
#include "plan/ss-stages-play.h"
#include "plan/ss-world-draw.h"
#include "run/ss-run-sensitivity.h"
#include "dynamics/ss-dynamics-expr.h"
#include "impact/ss-impact-summary.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-scholtes.h"
#include "run/ss-run.h"
#include "tests/ss-test-no-memory.h"
#include "tests/ss-test-scenario.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-replay.h"

#include <stdlib.h>
#include <string.h>

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* A bit of everything: contacts with friction, joints of all kinds, a limit, springs, actuators, forces by formula, a
 * plan of two steps. No shape needs weights of corners but the box beside the disc. */
static const char scene_text[] =
    "{\"format\": 1, \"name\": \"everything\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.5, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"box\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2},"
    " \"position\": [0, 0.1]},"
    "{\"name\": \"disc\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [0.3, 0.1]},"
    "{\"name\": \"arm\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.05}, \"position\": [0, 1.5]}],"
    "\"contacts\": [{\"bodies\": [\"floor\", \"box\"]}, {\"bodies\": [\"floor\", \"disc\"]},"
    " {\"bodies\": [\"box\", \"disc\"]}],"
    "\"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", \"arm\"], \"anchor\": [0, 2],"
    " \"lower\": -2, \"upper\": 2}],"
    "\"springs\": [{\"name\": \"spring\", \"bodies\": [\"arm\", \"disc\"], \"stiffness\": 2, \"damping\": 0.1}],"
    "\"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"box\", \"direction\": [1, 0],"
    " \"lower\": -20, \"upper\": 20},"
    "{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"hinge\", \"lower\": -9, \"upper\": 9}],"
    "\"forces\": [{\"body\": \"disc\", \"force\": [\"-0.1*disc.vx\", 0]}]},"
    "\"task\": {\"horizon\": 0.1, \"steps\": 2, \"t_end\": 0.1, \"dt\": 0.05,"
    "\"targets\": [{\"body\": \"box\", \"position\": [0.01, null]}],"
    "\"constraints\": [{\"name\": \"far\", \"nonnegative\": [\"disc.x + 9\"]}],"
    "\"cost\": [{\"name\": \"low\", \"cost\": \"arm.y^2\"}], \"effort\": 0.01}}";

/* Seen from above: a disc that forces drive, beside a box that it shall push, in worlds with other numbers. */
static const char push_text[] =
    "{\"format\": 1, \"name\": \"push\", \"parameters\": {\"k\": 0.01}, \"scene\": {\"gravity\": [0, 0], \"friction\": "
    "0.3, \"bodies\": ["
    "{\"name\": \"a\", \"mass\": 1, \"velocity\": [0.1, 0], \"shape\": {\"type\": \"box\", \"width\": 0.3, \"height\": "
    "0.2}},"
    "{\"name\": \"disc\", \"mass\": 0.5, \"lock\": [\"theta\"], \"position\": [-0.3, 0], \"shape\": {\"type\": "
    "\"circle\", \"radius\": 0.06}}],"
    "\"contacts\": \"all\", \"actuators\": ["
    "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, 0], \"lower\": -20, \"upper\": 20},"
    "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 1], \"lower\": -20, \"upper\": "
    "20}]},"
    "\"task\": {\"horizon\": 0.3, \"steps\": 10, \"t_end\": 0.3, \"dt\": 0.03, \"targets\": [{\"body\": \"a\", "
    "\"position\": [0.2, 0]}], \"effort\": \"k\", \"worlds\": {\"k\": [0.005, 0.02], \"a.mass\": [0.9, 1.1]}}}";

/* Parameters, families, pairs, two costs, a start from formulas. */
static const char model_text[] =
    "{\"format\": 1, \"name\": \"model\", \"parameters\": {\"h\": 0.1, \"goal\": 1}, \"model\": {\"points\": 3,"
    "\"time_step\": \"h\", \"states\": [\"x\", \"v\"], \"controls\": [\"u\", \"w\"],"
    "\"dynamics\": [\"next(x) - x - h*v\", \"next(v) - v - h*(u - w)\"],"
    "\"constraints\": [{\"name\": \"start\", \"points\": 0, \"zero\": [\"x\", \"v\"]}],"
    "\"complementarity\": [{\"name\": \"one\", \"points\": \"all\", \"pairs\": [[\"u\", \"w\"]]}],"
    "\"cost\": [{\"name\": \"goal\", \"points\": \"all\", \"cost\": \"(x - goal)^2 + 0.1*u^2 + 0.1*w^2\"}]},"
    "\"task\": {\"guess\": \"zeros\"}}";

static struct {
  SsScenario *scene, *model, *pile, *particle;
  SsScenario *transcribed; /* of the scene */
  SsMpcc *mpcc;            /* of the model */
  SsTrajectory *motion;    /* of the scene */
  SsScenario *push;
  SsTrajectory *pushed; /* a motion of it with controls */
} given;

/* ---- dynamics ---------------------------------------------------------------------------------------------------- */

static SsStatus
make_dynamics (const void *data, SsError *err)
{
  SsDynamics *dynamics = NULL;
  SsStatus status = ss_dynamics_new (data, &dynamics, err);

  SS_CHECK ((status == SS_OK) == (dynamics != NULL));
  ss_dynamics_free (dynamics);
  return status;
}

/* Rows and forces of all joints in one graph; formulas of the scene are imported into it. */
static SsStatus
make_expressions (const void *data, SsError *err)
{
  enum { MAX = 32 };
  const SsScene *scene = data;
  SsExpr q[MAX], v[MAX], u[MAX], f[MAX];
  SsRowExpr rows[SS_ROW_EXPR_JOINT_MAX];
  SsGraph *graph = NULL;
  SsStatus status = ss_graph_new (&graph, err);
  const int n = 3 * scene->n_bodies;
  int input = 0;

  if (status != SS_OK)
    return status;
  for (int i = 0; i < n; i++) {
    q[i] = ss_graph_input (graph, input++);
    v[i] = ss_graph_input (graph, input++);
  }
  for (int i = 0; i < scene->n_actuators; i++)
    u[i] = ss_graph_input (graph, input++);
  const SsMotionExpr motion = {
      .graph = graph, .scene = scene, .q = q, .v = v, .u = u, .t = ss_graph_input (graph, input)};
  status = ss_dynamics_expr_forces (&motion, f, err);
  for (int j = 0; status == SS_OK && j < scene->n_joints; j++) {
    const int n_rows = ss_dynamics_expr_joint (&motion, j, rows);
    for (int i = 0; i < n_rows; i++)
      ss_dynamics_expr_push (&motion, &rows[i], q[0], f);
  }
  for (int i = 0; status == SS_OK && i < n; i++)
    if (f[i] == SS_EXPR_NONE)
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_graph_free (graph);
  return status;
}

static void
test_dynamics (void)
{
  fail_each_allocation ("dynamics", make_dynamics, given.scene->scene);
  fail_each_allocation ("dynamics as expressions", make_expressions, given.scene->scene);
}

/* ---- integrators ------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsScene *scene;
  const SsMethod *method;
  const void *options;
} Simulated;

static SsStatus
simulate (const void *data, SsError *err)
{
  const Simulated *s = data;
  SsTrajectory *motion = NULL;
  SsSimMetrics metrics;
  SsOutcome outcome = SS_OUTCOME_SOLVED;
  char message[256];
  SsStatus status = ss_simulate (s->scene, s->method->integrator, s->options, 0.01, 0.03, NULL, &motion, &metrics,
                                 &outcome, message, sizeof message, err);

  SS_CHECK ((status == SS_OK) == (motion != NULL));
  SS_CHECK (status != SS_OK || outcome == SS_OUTCOME_COMPLETED);
  add_motion (motion);
  ss_trajectory_free (motion);
  return status;
}

static void
simulate_with (const SsMethod *method, const char *option, const char *value)
{
  void *options = calloc (1, method->options->size + 1);
  SsError err = {0};
  char what[128];

  ss_options_init (method->options, options);
  SS_CHECK (option == NULL || ss_options_set (method->options, options, option, value, &err) == SS_OK);
  snprintf (what, sizeof what, "%s %s", method->name, value != NULL ? value : "");
  /* time-freezing refuses what rests on two points */
  const bool is_choosy = strcmp (method->name, "time-freezing") == 0;
  const SsScene *scene = is_choosy ? given.particle->scene : given.scene->scene;
  fail_each_allocation (what, simulate, &(Simulated){scene, method, options});
  snprintf (what, sizeof what, "%s %s, a pile", method->name, value != NULL ? value : "");
  if (!is_choosy)
    fail_each_allocation (what, simulate, &(Simulated){given.pile->scene, method, options});
  free (options);
}

/* All integrators, those of the constraint solver in each of its forms: every choice of every option that has some. */
static void
test_integrators (void)
{
  for (int m = 0; m < ss_method_count (); m++) {
    const SsMethod *method = ss_method_at (m);
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    simulate_with (method, NULL, NULL);
    for (int o = 0; o < method->options->n_specs; o++) {
      const SsOptionSpec *spec = &method->options->specs[o];
      for (int c = 0; spec->type == SS_OPTION_CHOICE && spec->choices[c] != NULL; c++)
        if (c != (int)spec->fallback)
          simulate_with (method, spec->name, spec->choices[c]);
    }
  }
}

/* ---- replay and events ------------------------------------------------------------------------------------------- */

static SsStatus
make_replay (const void *data, SsError *err)
{
  SsReplay *replay = NULL;
  SsStatus status = ss_replay_new (given.scene->scene, data, &replay, err);

  SS_CHECK ((status == SS_OK) == (replay != NULL));
  ss_replay_free (replay);
  return status;
}

static SsStatus
compare_replay (const void *data, SsError *err)
{
  SsReplayDistance distance;
  SsTrajectory *over_time = NULL;
  SsStatus status = ss_replay_compare (given.scene->scene, data, data, &distance, &over_time, err);

  SS_CHECK ((status == SS_OK) == (over_time != NULL));
  add_motion (over_time);
  ss_trajectory_free (over_time);
  return status;
}

static SsStatus
compare_steps (const void *data, SsError *err)
{
  SsReplaySteps steps;

  SsStatus status =
      ss_replay_compare_steps (given.scene->scene, data, &ss_integrator_stewart_trinkle, NULL, &steps, err);
  sum = status == SS_OK ? steps.largest + steps.n_steps : 0;
  return status;
}

static SsStatus
find_events (const void *data, SsError *err)
{
  SsEventList *events = NULL;
  SsStatus status = ss_events_find (given.scene->scene, data, NULL, &events, err);

  SS_CHECK ((status == SS_OK) == (events != NULL));
  for (int i = 0; events != NULL && i < events->n_items; i++)
    sum += (1 + (int)events->items[i].kind) * events->items[i].t;
  ss_events_free (events);
  return status;
}

static void
test_replay_and_events (void)
{
  fail_each_allocation ("replay", make_replay, given.motion);
  fail_each_allocation ("distance of replays", compare_replay, given.motion);
  fail_each_allocation ("replay step by step", compare_steps, given.motion);
  fail_each_allocation ("events", find_events, given.motion);
}

/* ---- transcription, problem, metrics ----------------------------------------------------------------------------- */

/* From the guess to numbers and a trajectory. */
static SsStatus
look_at_guess (const void *data, SsError *err)
{
  const SsScenario *model = data;
  double *x = calloc ((size_t)(model->model->n_points * model->model->n_variables), sizeof *x);
  SsTrajectory *motion = NULL;
  SsMetrics metrics;
  SsStatus status = ss_problem_guess (model, x, err);

  if (status == SS_OK)
    status = ss_metrics_compute (model, x, &metrics, err);
  if (status == SS_OK)
    status = ss_problem_trajectory (model, x, &motion, err);
  SS_CHECK ((status == SS_OK) == (motion != NULL));
  sum = status == SS_OK ? metrics.objective + metrics.l1_violation : 0;
  add_motion (motion);
  ss_trajectory_free (motion);
  free (x);
  return status;
}

static SsStatus
transcribe (const void *data, SsError *err)
{
  SsScenario *plan = NULL;
  SsStatus status = ss_transcribe (given.scene, data, &plan, err);

  SS_CHECK ((status == SS_OK) == (plan != NULL));
  if (status == SS_OK)
    status = look_at_guess (plan, err);
  ss_scenario_free (plan);
  return status;
}

/* A transcript that is filled once more, and its starting point from a motion. */
static SsStatus
start_from_motion (const void *data, SsError *err)
{
  SsTranscript *transcript = NULL;
  bool fits = false;
  SsStatus status = ss_transcript_new (given.scene, NULL, &transcript, err);

  SS_CHECK ((status == SS_OK) == (transcript != NULL));
  if (status == SS_OK)
    status = ss_transcript_fill (transcript, given.scene, &fits, err);
  if (status == SS_OK) {
    const SsModel *model = ss_transcript_model (transcript)->model;
    double *x = calloc ((size_t)(model->n_points * model->n_variables), sizeof *x);
    SS_CHECK (fits);
    status = ss_transcript_guess (transcript, given.scene, data, x, err);
    sum = x[0] + x[model->n_variables];
    free (x);
  }
  ss_transcript_free (transcript);
  return status;
}

static void
test_transcribe (void)
{
  const SsTranscribeOptions joint = {.coordinates = SS_COORDINATES_JOINT};

  fail_each_allocation ("transcription", transcribe, NULL);
  fail_each_allocation ("transcription in joint coordinates", transcribe, &joint);
  fail_each_allocation ("transcription from a motion", start_from_motion, given.motion);
}

static SsStatus
build_problem (const void *data, SsError *err)
{
  SsMpcc *mpcc = NULL;
  SsStatus status = ss_problem_build (data, &mpcc, err);

  SS_CHECK ((status == SS_OK) == (mpcc != NULL));
  sum = mpcc != NULL ? ss_mpcc_n_variables (mpcc) + 7 * ss_mpcc_n_rows (mpcc) + 11 * ss_mpcc_n_pairs (mpcc) : 0;
  ss_mpcc_free (mpcc);
  return status;
}

static void
test_problem (void)
{
  fail_each_allocation ("problem", build_problem, given.model);
  fail_each_allocation ("problem of a plan", build_problem, given.transcribed);
  fail_each_allocation ("guess, metrics, trajectory", look_at_guess, given.model);
  fail_each_allocation ("guess, metrics, trajectory of a plan", look_at_guess, given.transcribed);
}

/* ---- optimisers -------------------------------------------------------------------------------------------------- */

static SsStatus
solve (const void *data, SsError *err)
{
  const SsNlpClass *class_ = data;
  double x0[12] = {0};
  void *solver = NULL;
  SsNlpResult result;
  SsStatus status = class_->new_ (given.mpcc, NULL, &solver, err);

  SS_CHECK ((status == SS_OK) == (solver != NULL));
  SS_CHECK (ss_mpcc_n_variables (given.mpcc) <= (int)(sizeof x0 / sizeof *x0));
  if (status == SS_OK)
    status = class_->solve (solver, x0, NULL, &result, err);
  for (int i = 0; status == SS_OK && i < ss_mpcc_n_variables (given.mpcc); i++)
    sum += (1 + i) * result.x[i];
  class_->free_ (solver);
  return status;
}

static void
test_optimisers (void)
{
  fail_each_allocation ("CRISP", solve, &ss_nlp_crisp);
  fail_each_allocation ("Ipopt", solve, &ss_nlp_ipopt);
  fail_each_allocation ("homotopy", solve, &ss_nlp_scholtes);
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

static SsStatus
run_job (const void *data, SsError *err)
{
  SsRunResult result;
  SsStatus status = ss_run (data, NULL, &result, err);

  SS_CHECK (status == SS_OK || (result.n_motions == 0 && result.events == NULL));
  SS_CHECK (status != SS_OK || ss_run_motion (&result) != NULL);
  add_motion (ss_run_motion (&result));
  ss_run_result_clear (&result);
  return status;
}

static int n_again;

/* The same with a cache that has seen the failure: what it keeps must still be whole. */
static SsStatus
run_job_again (const void *data, SsError *err)
{
  SsJob job = *(const SsJob *)data;
  SsError later;

  job.solve.cache = ss_solve_cache_new ();
  if (job.solve.cache == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  SsStatus status = run_job (&job, err);
  if (status != SS_OK && n_again++ % 4 == 0) { /* four places in the same phase of a solve leave the same */
    SS_CHECK (run_job (&job, &later) == SS_OK);
  }
  ss_solve_cache_free (job.solve.cache);
  return status;
}

static SsStatus
take_frames (const void *data, SsError *err)
{
  SsTrajectory *frames = NULL;
  SsRunResult result;
  SsStatus status = ss_trajectory_copy (given.motion, &frames, err);

  if (status != SS_OK)
    return status;
  status = ss_run_result_from_iterate (data, SS_OUTCOME_CANCELLED, 2, NULL, 0, &frames, &result, err);
  SS_CHECK (frames == NULL);
  ss_run_result_clear (&result);
  ss_trajectory_free (frames);
  return status;
}

static SsStatus
take_iterate (const void *data, SsError *err)
{
  const double x[12] = {0};
  SsRunResult result;
  SsStatus status = ss_run_result_from_iterate (data, SS_OUTCOME_CANCELLED, 2, x, 12, NULL, &result, err);

  SS_CHECK (status != SS_OK || ss_run_motion (&result) != NULL);
  add_motion (ss_run_motion (&result));
  ss_run_result_clear (&result);
  return status;
}

static void
test_jobs (void)
{
  const SsMethod *crisp = ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL);
  const SsMethod *stepping = ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL);
  void *of_crisp = calloc (1, crisp->options->size), *of_stepping = calloc (1, stepping->options->size);
  SsJob model = ss_job (crisp, given.model, of_crisp);
  SsJob plan = ss_job (crisp, given.scene, of_crisp), simulation = ss_job (stepping, given.scene, of_stepping);

  ss_method_init_options (crisp, given.model, of_crisp);
  ss_method_init_options (stepping, given.scene, of_stepping);
  fail_each_allocation ("job: simulation", run_job, &simulation);
  SsJob onward = simulation;
  onward.simulate.past = given.motion;
  onward.simulate.t_end = 1.2 * ss_trajectory_row (given.motion, given.motion->n_rows - 1)[0];
  fail_each_allocation ("job: simulation that goes on", run_job, &onward);
  simulation.simulate.plan = given.motion;
  fail_each_allocation ("job: replay", run_job, &simulation);
  fail_each_allocation ("job: frames of a replay", take_frames, &simulation);
  fail_each_allocation ("job: model", run_job_again, &model);
  fail_each_allocation ("job: iterate of a model", take_iterate, &model);
  fail_each_allocation ("job: plan", run_job_again, &plan);
  model.solve.bound = 5;
  fail_each_allocation ("job: model with a bound", run_job, &model);
  plan.solve.start = given.motion;
  fail_each_allocation ("job: plan from a motion", run_job, &plan);
  free (of_crisp);
  free (of_stepping);
}

/* ---- impacts ----------------------------------------------------------------------------------------------------- */

static void
add_numbers (const double *values, int n)
{
  for (int i = 0; i < n; i++)
    sum += (1 + i % 7) * values[i];
}

/* From the scene, and without its joints. */
static SsStatus
configure (const void *data, SsError *err)
{
  const SsScenario *scenario = data;
  SsImpact *impact = NULL, *reduced = NULL;
  SsStatus status = ss_impact_new_from_scene (scenario->scene, NULL, NULL, SS_RUN_TOUCHING, &impact, err);

  SS_CHECK ((status == SS_OK) == (impact != NULL));
  if (status == SS_OK) {
    add_numbers (impact->contact, 4 * impact->m * impact->m);
    status = ss_impact_reduce (impact, &reduced, err);
    SS_CHECK ((status == SS_OK) == (reduced != NULL));
  }
  if (status == SS_OK)
    add_numbers (reduced->contact, 4 * reduced->m * reduced->m);
  ss_impact_free (reduced);
  ss_impact_free (impact);
  return status;
}

static SsStatus
read_numbers (const void *data, SsError *err)
{
  SsImpactFile *file = NULL;
  SsImpact *impact = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  SsStatus status = ss_impact_file_read (data, strlen (data), "numbers", &problems, &file);
  SS_CHECK ((status == SS_OK) == (file != NULL));
  if (status == SS_OK)
    status = ss_impact_new_from_file (file, &impact, err);
  else
    ss_error_set (err, status, "not read");
  SS_CHECK ((status == SS_OK) == (impact != NULL));
  if (status == SS_OK)
    add_numbers (impact->contact, 4 * impact->m * impact->m);
  ss_impact_free (impact);
  ss_impact_file_free (file);
  ss_problems_clear (&problems);
  return status;
}

/* A law on the scene: its record has motions or samples, or nothing. */
static SsStatus
run_law (const void *data, SsError *err)
{
  SsRunResult result;
  const SsStatus status = ss_run (data, NULL, &result, err);

  SS_CHECK ((status == SS_OK) == (result.samples != NULL));
  SS_CHECK (status == SS_OK || (result.n_motions == 0 && result.impact == NULL && result.configuration == NULL));
  if (status == SS_OK)
    add_numbers (result.samples->values, result.samples->n_rows * result.samples->n_columns);
  for (int i = 0; status == SS_OK && i < result.n_motions; i++)
    sum += result.motions[i].share * ss_trajectory_row (result.motions[i].trajectory, 1)[5];
  ss_run_result_clear (&result);
  return status;
}

/* What is asked of a set afterwards: joint modes, a sample's way. */
static SsStatus
ask_set (const void *data, SsError *err)
{
  const SsImpact *impact = data;
  const SsImpactSetOptions options = {.policy = SS_IMPACT_POLICY_ENUMERATE, .h = 0.25, .n_samples = 20, .n_threads = 1};
  double velocities[12 * 4], impulses[11 * 4]; /* N = 10, four coordinates, two contacts */
  SsImpactModeShare *shares = NULL;
  SsImpactSet *set = NULL;
  int n_shares = 0, n_steps = 0;
  SsStatus status = ss_impact_set_new (impact, &options, NULL, &set, err);

  SS_CHECK ((status == SS_OK) == (set != NULL));
  if (status == SS_OK)
    status = ss_impact_set_modes (impact, set, SS_IMPACT_MODE_TOLERANCE, &shares, &n_shares, err);
  SS_CHECK ((status == SS_OK) == (shares != NULL));
  for (int k = 0; k < n_shares; k++)
    sum += shares[k].fraction * (1 + (int)shares[k].mode[0]);
  ss_free (shares);
  ss_impact_set_free (set);
  if (status == SS_OK)
    status = ss_impact_set_path (impact, &options, 3, velocities, impulses, &n_steps, err);
  if (status == SS_OK)
    add_numbers (velocities, (n_steps + 1) * impact->n);
  return status;
}

static void
run_law_with (const SsScenario *scenario, const char *law, const char *const *settings)
{
  const SsMethod *method = ss_method_find (SS_METHOD_IMPACT_LAW, law, NULL);
  void *options = calloc (1, method->options->size);
  const SsJob job = ss_job (method, scenario, options);
  char what[128];

  ss_options_init (method->options, options);
  for (int i = 0; settings[i] != NULL; i += 2)
    SS_CHECK (ss_options_set (method->options, options, settings[i], settings[i + 1], NULL) == SS_OK);
  snprintf (what, sizeof what, "%s %s", law, settings[0] != NULL ? settings[1] : "");
  fail_each_allocation (what, run_law, &job);
  free (options);
}

/* Two legs in a pin, without inertia of their own, on a floor: joints by projection, steps with several answers. */
static void
test_impacts (void)
{
  static const char numbers[] =
      "{\"M\": [[1, 0, 0], [0, 1, 0], [0, 0, 0.4166666666666667]],"
      " \"Jn\": [[0, 1, -0.5], [0, 1, 0.5]], \"Jt\": [[1, 0, 1], [1, 0, 1]], \"mu\": [1, 1],"
      " \"v_pre\": [0, -0.44, 0], \"h\": 0.3, \"N\": 10, \"contacts\": [{\"name\": \"A\"}, {\"name\": "
      "\"B\"}]}";
  static const char *const settings[][5] = {{NULL},
                                            {"all", "on", NULL},
                                            {"policy", "lemke", "samples", "40", NULL},
                                            {"policy", "enumerate", "samples", "40", NULL},
                                            {"policy", "random-covering", "samples", "40", NULL},
                                            {"draw", "sobol", "samples", "40", NULL},
                                            {"close", "on", "samples", "40", NULL},
                                            {"rates", "1,1", NULL}};
  SsScenario *gait = ss_test_read_file ("examples/impacts/compass-gait.stickslip.json", NULL, 0);
  SsImpact *impact = NULL, *reduced = NULL;

  SS_CHECK (gait != NULL);
  if (gait == NULL)
    return;
  fail_each_allocation ("a configuration of a scene", configure, gait);
  fail_each_allocation ("a configuration of numbers", read_numbers, numbers);
  run_law_with (gait, "newton", settings[0]);
  run_law_with (gait, "anitescu-potra", settings[1]);
  run_law_with (gait, "sequential", settings[1]);
  for (size_t k = 2; k < sizeof settings / sizeof *settings; k++)
    run_law_with (gait, "set-valued", settings[k]);
  if (ss_impact_new_from_scene (gait->scene, NULL, NULL, SS_RUN_TOUCHING, &impact, NULL) == SS_OK &&
      ss_impact_reduce (impact, &reduced, NULL) == SS_OK)
    fail_each_allocation ("a set, its modes, a way", ask_set, reduced);
  SS_CHECK (reduced != NULL && reduced->n == 4);
  ss_impact_free (reduced);
  ss_impact_free (impact);
  ss_scenario_free (gait);
}

/* ---- forces, derivatives, what plans are held and played by ------------------------------------------------------ */

/* Where the scene starts. */
static void
read_start (const SsScene *scene, double *q, double *v)
{
  for (int b = 0; b < scene->n_bodies; b++) {
    memcpy (q + 3 * b, scene->bodies[b].q, sizeof scene->bodies[b].q);
    memcpy (v + 3 * b, scene->bodies[b].v, sizeof scene->bodies[b].v);
  }
}

static SsStatus
find_forces (const void *data, SsError *err)
{
  const SsScene *scene = data;
  double q[90] = {0}, v[90] = {0};
  SsForces *forces = NULL;

  read_start (scene, q, v);
  SsStatus status = ss_forces_at (scene, 0, q, v, NAN, &forces, err);
  SS_CHECK ((status == SS_OK) == (forces != NULL));
  for (int i = 0; forces != NULL && i < forces->n; i++)
    sum += (1 + i) * (forces->items[i].force.x + 2 * forces->items[i].force.y);
  if (forces != NULL)
    add_numbers (forces->acceleration, 3 * scene->n_bodies);
  ss_forces_free (forces);
  return status;
}

/* Of a start and of a number that is read again. */
static SsStatus
derive (const void *data, SsError *err)
{
  static const char *const names[] = {"a.vx", "disc.mass"};
  SsSensitivityInputs *inputs = NULL;
  SsSimResult result = {0};
  SsStatus status = ss_sensitivity_inputs_new (given.push, NULL, names, 2, &inputs, err);

  SS_CHECK ((status == SS_OK) == (inputs != NULL));
  if (status == SS_OK) {
    const SsSimJob job = {.scene = given.push->scene,
                          .integrator = data,
                          .dt = 0.01,
                          .t_end = 0.02,
                          .inputs = inputs->inputs,
                          .n_inputs = 2};
    status = ss_simulate_job (&job, NULL, &result, err);
  }
  SS_CHECK ((status == SS_OK) == (result.trajectory != NULL));
  add_motion (result.trajectory);
  ss_sim_result_clear (&result);
  ss_sensitivity_inputs_free (inputs);
  return status;
}

static SsStatus
make_feedback (const void *data, SsError *err)
{
  SsFeedback *feedback = NULL;
  SsStatus status = ss_feedback_new (given.push, given.pushed, data, NULL, &feedback, err);

  SS_CHECK ((status == SS_OK) == (feedback != NULL));
  ss_feedback_free (feedback);
  return status;
}

/* Other worlds, and moves of their bodies. */
static SsStatus
draw_world (const void *data, SsError *err)
{
  double numbers[20], by[2 * 10];
  SsWorldDraw *draw = NULL;
  SsStatus status = ss_world_draw_new (data, 3, &draw, err);

  SS_CHECK ((status == SS_OK) == (draw != NULL));
  if (status != SS_OK)
    return status;
  SS_CHECK (ss_world_draw_n_numbers (draw) <= 20);
  ss_world_draw_next (draw, numbers);
  SsWorld world;
  status = ss_world_open (draw, numbers, &world, err);
  if (status == SS_OK)
    status = ss_world_draw_moves (draw, &world.scene, by, err);
  if (status == SS_OK)
    add_numbers (by, 2 * given.push->scene->n_bodies);
  ss_world_close (&world);
  ss_world_draw_free (draw);
  return status;
}

/* A hand that rests for two steps. */
static SsStatus
play_stage (const void *data, SsError *err)
{
  const SsStage stage = {.n = 1, .phases[0].steps = 2};
  SsStagePlayer player;
  SsTrajectory *rows = NULL;
  double row[200] = {0}, end[200];
  bool obeys = false;
  SsStatus status = ss_stage_player_open (data, &player, err);

  if (status == SS_OK)
    status = ss_stage_motion_new (&player, 2, &rows, err);
  if (status == SS_OK) {
    SsHold holds[SS_HANDS] = {0};
    SS_CHECK (player.n_hands == 1 && player.n_channels <= 200);
    ss_simulation_fill (player.simulation, row);
    status = ss_stage_play (&player, &stage, row, holds, rows, end, &obeys, err);
    add_motion (rows);
  }
  ss_trajectory_free (rows);
  ss_stage_player_clear (&player);
  return status;
}

static void
test_plans (void)
{
  fail_each_allocation ("forces at a state", find_forces, given.scene->scene);
  fail_each_allocation ("forces at a state, a pile", find_forces, given.pile->scene);
  fail_each_allocation ("derivatives, event-driven", derive, &ss_integrator_event_driven);
  fail_each_allocation ("derivatives, fesd-j", derive, &ss_integrator_fesd_j);
  for (int kind = SS_CONTROLLER_NONE + 1; kind < SS_CONTROLLER_COUNT; kind++) {
    SsFeedbackOptions options = SS_FEEDBACK_OPTIONS;
    options.kind = (SsControllerKind)kind;
    fail_each_allocation ("feedback", make_feedback, &options);
  }
  fail_each_allocation ("another world", draw_world, given.push);
  fail_each_allocation ("a stage", play_stage, given.push);
}

int
main (void)
{
  const SsOverride rows = {"n", 5}, low = {"q20", 0.001}; /* it lands in the second step */
  SsSimMetrics metrics;
  SsOutcome outcome;
  SsError err = {0};
  char message[256];

  given.scene = ss_test_read_text (scene_text);
  given.model = ss_test_read_text (model_text);
  given.push = ss_test_read_text (push_text);
  given.particle = ss_test_read_file ("examples/time-freezing/guiding-particle.stickslip.json", &low, 1);
  given.pile = ss_test_read_file ("examples/classics/box-pyramid.stickslip.json", &rows, 1);
  if (given.scene == NULL || given.model == NULL || given.pile == NULL || given.particle == NULL ||
      given.push == NULL ||
      ss_simulate (given.scene->scene, &ss_integrator_stewart_trinkle, NULL, 0.05, 0.1, NULL, &given.motion, &metrics,
                   &outcome, message, sizeof message, &err) != SS_OK ||
      ss_transcribe (given.scene, NULL, &given.transcribed, &err) != SS_OK ||
      ss_problem_build (given.model, &given.mpcc, &err) != SS_OK) {
    printf ("%s\n0 passed, 1 failed\n", err.message);
    return 1;
  }
  double at[] = {0}, u[] = {1, 0};
  const SsControls controls = {1, 2, at, u};
  SsSimResult pushed = {0};
  SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = given.push->scene,
                                         .integrator = &ss_integrator_stewart_trinkle,
                                         .controls = &controls,
                                         .dt = 0.03,
                                         .t_end = 0.3},
                             NULL, &pushed, &err) == SS_OK);
  given.pushed = pushed.trajectory;
  count_skipped ();
  SS_RUN (test_dynamics);
  SS_RUN (test_integrators);
  SS_RUN (test_replay_and_events);
  SS_RUN (test_transcribe);
  SS_RUN (test_problem);
  SS_RUN (test_optimisers);
  SS_RUN (test_jobs);
  SS_RUN (test_impacts);
  SS_RUN (test_plans);
  ss_mpcc_free (given.mpcc);
  ss_trajectory_free (given.motion);
  ss_sim_result_clear (&pushed);
  ss_scenario_free (given.push);
  ss_scenario_free (given.transcribed);
  ss_scenario_free (given.pile);
  ss_scenario_free (given.particle);
  ss_scenario_free (given.model);
  ss_scenario_free (given.scene);
  return ss_test_finish ();
}
