/* tests/numeric/test-step-homotopy.c: modes that a homotopy proposes to the marching integrators: where it is asked
 * first the motion is that of the law, a proposal that lies changes nothing, and a scene without consistent modes, or
 * an impact in their place, still fails. */
#include "fesd/ss-fesd-j.h"
#include "run/ss-run.h"
#include "plan/ss-step-homotopy.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A box on a floor is pushed back while it slides: it stops, and sticks, on both corners. */
static const char box_text[] =
    "{\"format\": 1, \"name\": \"box\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.4, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 0.6, \"height\": 0.2}, \"mass\": 2,"
    " \"position\": [0, 0.1], \"velocity\": [1, 0]}],"
    " \"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"box\", \"direction\": [-1, 0],"
    "  \"formula\": \"3\", \"lower\": -10, \"upper\": 10}]},"
    " \"task\": {\"t_end\": 0.4, \"dt\": 0.05}}";

static bool
run (const SsScenario *scenario, const char *method, const char *option, const char *value, SsRunControl *control,
     SsRunResult *result)
{
  const SsMethod *found = ss_method_lookup ((SsMethodId){SS_METHOD_INTEGRATOR, method});
  double options[128];
  SsError err = {0};

  ss_method_init_options (found, scenario, options);
  SS_CHECK (found->options->size <= sizeof options);
  SS_CHECK (ss_options_set (found->options, options, option, value, &err) == SS_OK);
  const SsJob job = ss_job (found, scenario, options);
  const bool ok = ss_run (&job, control, result, &err) == SS_OK;
  SS_CHECK (ok);
  if (!ok)
    printf ("%s\n", err.message);
  return ok;
}

/* The largest difference of poses and speeds at the end. */
static double
difference (const SsScene *scene, const SsTrajectory *a, const SsTrajectory *b)
{
  const double *one = ss_trajectory_row (a, a->n_rows - 1), *two = ss_trajectory_row (b, b->n_rows - 1);
  double largest = 0;

  for (int c = 0; c <= 6 * scene->n_bodies; c++)
    largest = fmax (largest, fabs (one[c] - two[c]));
  return largest;
}

static void
compare (SsScenario *scenario, const char *name, const char *method)
{
  SsRunResult law, asked;

  if (run (scenario, method, "alternatives", "off", NULL, &law)) {
    if (run (scenario, method, "alternatives", "first", NULL, &asked)) {
      printf ("  %s, %s: %d steps by homotopy; %s\n", name, method, asked.n_by_way[SS_STEP_HOMOTOPY], asked.message);
      SS_CHECK (law.outcome == SS_OUTCOME_COMPLETED && asked.outcome == SS_OUTCOME_COMPLETED);
      SS_CHECK (law.n_by_way[SS_STEP_HOMOTOPY] == 0);
      SS_CHECK (asked.n_by_way[SS_STEP_HOMOTOPY] > 0);
      SS_CHECK_CONTAINS (asked.message, "a homotopy was asked for modes");
      SS_CHECK (law.events->n_items == asked.events->n_items);
      SS_CHECK_NEAR (difference (scenario->scene, ss_run_motion (&law), ss_run_motion (&asked)), 0, 1e-8);
      ss_run_result_clear (&asked);
    }
    ss_run_result_clear (&law);
  }
  ss_scenario_free (scenario);
}

/* Impact, slip and stick; slip that passes through zero; two corners, under a control. */
static void
test_same_motion (void)
{
  compare (ss_test_read_file ("examples/fesd-j/particle.stickslip.json", NULL, 0), "particle", "fesd-j");
  if (!ss_test_is_coarse ())
    compare (ss_test_read_file ("examples/fesd-j/slip-reversal.stickslip.json", NULL, 0), "slip-reversal",
             "event-driven");
  if (ss_test_is_long ())
    compare (ss_test_read_text (box_text), "box", "fesd-j");
}

/* ---- a proposal that lies ---------------------------------------------------------------------------------------- */

typedef struct {
  int n_asked, n_taken, n_q;
  int n_controls;
  double control; /* what all of these are expected to be */
  double q[6], v[6];
} Liar;

/* Contact opens, and slips the other way. */
static SsStatus
lie (void *owner, const SsSimState *state, const double *controls, double length, SsProposal *proposal, SsError *err)
{
  Liar *liar = owner;

  (void)err;
  SS_CHECK (length > 0);
  for (int i = 0; i < liar->n_controls; i++)
    SS_CHECK_NEAR (controls[i], liar->control, 0);
  for (int i = 0; i < liar->n_q; i++) {
    liar->q[i] = state->q[i] + (liar->n_asked % 2 == 0 && i == 4 ? 1 : i == 3 ? 1 : 0);
    liar->v[i] = i == 3 ? -state->v[i] - 1 : state->v[i];
  }
  liar->n_asked++;
  *proposal = (SsProposal){.n = 1, .q = liar->q, .v = liar->v};
  return SS_OK;
}

static void
note (void *owner, double t, bool is_taken)
{
  Liar *liar = owner;

  (void)t;
  liar->n_taken += is_taken;
}

static void
test_nothing_is_believed (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/particle.stickslip.json", NULL, 0);
  const SsIntegratorClass *integrator = &ss_integrator_fesd_j;
  Liar liar = {.n_q = 6};
  const SsProposer proposer = {.owner = &liar, .propose = lie, .tell = note};
  double options[128];
  SsSimResult law = {0}, told = {0};
  SsSimJob job = {.scene = scenario->scene, .integrator = integrator, .dt = 0.05, .t_end = 1.5};

  SS_CHECK (ss_simulate_job (&job, NULL, &law, NULL) == SS_OK);
  ss_options_init (integrator->options, options);
  SS_CHECK (ss_options_set (integrator->options, options, "alternatives", "first", NULL) == SS_OK);
  job.options = options;
  job.proposer = &proposer;
  SS_CHECK (ss_simulate_job (&job, NULL, &told, NULL) == SS_OK);
  printf ("  asked %d times, %d taken\n", liar.n_asked, liar.n_taken);
  SS_CHECK (liar.n_asked > 0 && liar.n_taken == 0);
  SS_CHECK (told.outcome == SS_OUTCOME_COMPLETED && told.metrics.n_by_way[SS_STEP_HOMOTOPY] == 0);
  SS_CHECK_NEAR (difference (scenario->scene, law.trajectory, told.trajectory), 0, 1e-12);
  ss_sim_result_clear (&law);
  ss_sim_result_clear (&told);
  ss_scenario_free (scenario);
}

/* Who proposes modes is told the controls that are given in the place of formulas. */
static void
test_controls_are_told (void)
{
  static const char *const text =
      "{\"format\": 1, \"name\": \"block\", \"scene\": {\"gravity\": [0, -9.81],"
      " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "  {\"name\": \"p\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 2, \"lock\": [\"theta\"],"
      "   \"position\": [0, 0.2], \"velocity\": [1, 0]}],"
      " \"contacts\": [{\"name\": \"c\", \"bodies\": [\"floor\", \"p\"], \"friction\": 0.3}],"
      " \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"p\", \"direction\": [1, 0], \"lower\": -9, "
      "\"upper\": 9}]}, \"task\": {\"t_end\": 0.3, \"dt\": 0.05}}";
  SsScenario *scenario = ss_test_read_text (text);
  double t[] = {0}, u[] = {1.25}, options[128];
  const SsControls controls = {.n_rows = 1, .n_actuators = 1, .t = t, .u = u};
  Liar liar = {.n_q = 6, .n_controls = 1, .control = u[0]};
  const SsProposer proposer = {.owner = &liar, .propose = lie, .tell = note};
  SsSimResult told = {0};
  const SsSimJob job = {.scene = scenario->scene,
                        .integrator = &ss_integrator_fesd_j,
                        .options = options,
                        .controls = &controls,
                        .proposer = &proposer,
                        .dt = 0.05,
                        .t_end = 0.3};

  ss_options_init (job.integrator->options, options);
  SS_CHECK (ss_options_set (job.integrator->options, options, "alternatives", "first", NULL) == SS_OK);
  SS_CHECK (ss_simulate_job (&job, NULL, &told, NULL) == SS_OK);
  SS_CHECK (told.outcome == SS_OUTCOME_COMPLETED && liar.n_asked > 0);
  ss_sim_result_clear (&told);
  ss_scenario_free (scenario);
}

/* ---- no modes at all --------------------------------------------------------------------------------------------- */

/* The rod of Painleve beside twelve discs at rest: too many modes to look at all of them, as law=set-valued asks.
 * Contact, mode and time are named. The homotopy may find a plan all the same, one that jumps later in the step; the
 * modes that it begins with do not obey the law at that instant. */
static void
test_no_mode (void)
{
  char text[4000];
  size_t used = (size_t)snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"jam\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 2, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"rod\", \"shape\": {\"type\": \"segment\", \"length\": 1}, \"mass\": 1, \"inertia\": %.17g,"
      " \"position\": [%.17g, %.17g], \"angle\": 1, \"velocity\": [-3, 0]}",
      1.0 / 12, 0.5 * cos (1), 0.5 * sin (1));
  for (int i = 0; i < 12; i++)
    used += (size_t)snprintf (text + used, sizeof text - used,
                              ", {\"name\": \"d%d\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1,"
                              " \"position\": [%d, 0.1]}",
                              i, i + 2);
  snprintf (text + used, sizeof text - used, "]}, \"task\": {\"t_end\": 0.01, \"dt\": 0.005}}");
  SsScenario *scenario = ss_test_read_text (text);
  SsRunResult result;

  if (run (scenario, "event-driven", "law", "set-valued", NULL, &result)) {
    printf ("  %s\n", result.message);
    SS_CHECK (result.outcome == SS_OUTCOME_FAILED);
    SS_CHECK_CONTAINS (result.message, "no consistent mode of contact floor-rod at t = 0 s");
    SS_CHECK_CONTAINS (result.message, "slip -");
    SS_CHECK_CONTAINS (result.message, "a homotopy was asked for modes 1 time");
    SS_CHECK_CONTAINS (result.message, "0 were taken");
    SS_CHECK (result.n_by_way[SS_STEP_HOMOTOPY] == 0);
    ss_run_result_clear (&result);
  }
  if (run (scenario, "fesd-j", "alternatives", "on", NULL, &result)) { /* by an impact without a collision, unasked */
    SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (strstr (result.message, "homotopy") == NULL);
    ss_run_result_clear (&result);
  }
  ss_scenario_free (scenario);
}

/* A run that is stopped asks no more. */
static void
test_stop (void)
{
  const SsOverride at_rest[] = {{"height", 0}};
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/sliding-rod.stickslip.json", at_rest, 1);
  const SsScene *scene = scenario->scene;
  double q[6], v[6], contact[SS_SIM_N_CONTACT_VALUES] = {0};
  const SsSimState state = {.q = q, .v = v, .contact = contact};
  SsStepHomotopy *homotopy = NULL;
  SsProposal proposal;
  SsRunControl control;

  for (int i = 0; i < 6; i++) {
    q[i] = scene->bodies[i / 3].q[i % 3];
    v[i] = scene->bodies[i / 3].v[i % 3];
  }
  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  SS_CHECK (ss_step_homotopy_new (scenario, scene, &control, &homotopy, NULL) == SS_OK);
  const SsProposer *proposer = ss_step_homotopy_proposer (homotopy);
  const double begun = ss_clock_thread_cpu ();
  SS_CHECK (proposer->propose (proposer->owner, &state, NULL, 0.005, &proposal, NULL) == SS_OK);
  SS_CHECK (proposal.n == 0);
  SS_CHECK (ss_clock_thread_cpu () - begun < 0.5);
  ss_step_homotopy_free (homotopy);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_same_motion);
  SS_RUN (test_nothing_is_believed);
  SS_RUN (test_controls_are_told);
  SS_RUN_LONG (test_no_mode);
  SS_RUN (test_stop);
  return ss_test_finish ();
}
