/* tests/unit/test-track-lqr.c: a plan as a controller, and where a replay parts from its plan.
 *
 * Gains are those of the discrete Riccati equation on a cart, whose matrices are written down here: the recursion
 * carries one matrix, this file solves the same regulator as one dense least-squares problem over all controls and, for
 * the first coordinate alone, by the closed form of a scalar Riccati equation. The cart and pole between walls falls
 * without feedback and must not with it. */
#include "plan/ss-feedback.h"
#include "simulate/ss-replay-first.h"
#include "ss-test-scenario.h"
#include "simulate/ss-simulate.h"

enum { STEPS = 12 };
static const double MASS = 2, DT = 0.1;

static const char cart_text[] =
    "{\"format\": 1, \"name\": \"cart\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
    "{\"name\": \"cart\", \"mass\": 2, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.2}, \"lock\": "
    "[\"y\", "
    "\"theta\"]}], \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"cart\", \"direction\": [1, 0], "
    "\"lower\": -8, \"upper\": 8}]}, \"task\": {\"t_end\": 1.2, \"dt\": 0.1}}";

/* Pushed with 1 N, then braked: rows of the cart's own step, v' = v + h u / m, x' = x + h v'. */
static SsTrajectory *
cart_plan (const SsScene *scene)
{
  SsTrajectory *plan = NULL;
  SsError err;
  double x = 0, v = 0;

  SS_CHECK (ss_scene_trajectory_new (scene, STEPS + 1, &plan, &err) == SS_OK);
  const int u_channel = ss_trajectory_channel (plan, "u.f"), x_channel = ss_trajectory_channel (plan, "cart.x"),
            v_channel = ss_trajectory_channel (plan, "cart.vx");
  double *row = calloc ((size_t)plan->n_channels, sizeof *row);
  for (int k = 0; k <= STEPS && row != NULL; k++) {
    const double u = k < STEPS / 2 ? 1 : -1;
    row[0] = k * DT;
    row[x_channel] = x;
    row[v_channel] = v;
    row[u_channel] = u;
    SS_CHECK (ss_trajectory_append (plan, row, &err) == SS_OK);
    v += DT * u / MASS;
    x += DT * v;
  }
  free (row);
  return plan;
}

/* Gauss with pivots: a is n x n, row-major, b the right side and then the answer. */
static void
solve (int n, double *a, double *b)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      best = fabs (a[i * n + k]) > fabs (a[best * n + k]) ? i : best;
    for (int j = 0; j < n; j++) {
      const double swap = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = swap;
    }
    const double swap = b[k];
    b[k] = b[best];
    b[best] = swap;
    for (int i = k + 1; i < n; i++) {
      const double f = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; j++)
        a[i * n + j] -= f * a[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++)
      b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
}

/* The first control of the cheapest way from (x, v) at step `from` to the end: all controls at once. */
static double
first_control (int from, const double start[2], const double q[2], double r, double end)
{
  const int n = STEPS - from;
  double hessian[STEPS * STEPS] = {0}, gradient[STEPS] = {0};
  double response[STEPS + 1][STEPS][2] = {{{0}}}, free_way[STEPS + 1][2];

  free_way[0][0] = start[0];
  free_way[0][1] = start[1];
  for (int k = 0; k < n; k++) {
    free_way[k + 1][1] = free_way[k][1];
    free_way[k + 1][0] = free_way[k][0] + DT * free_way[k][1];
    for (int j = 0; j < n; j++) {
      response[k + 1][j][1] = response[k][j][1] + (j == k ? DT / MASS : 0);
      response[k + 1][j][0] = response[k][j][0] + DT * response[k + 1][j][1];
    }
  }
  for (int k = 1; k <= n; k++)
    for (int c = 0; c < 2; c++) {
      const double weight = (k == n ? STEPS * DT * end : DT) * q[c];
      for (int i = 0; i < n; i++) {
        gradient[i] -= weight * response[k][i][c] * free_way[k][c];
        for (int j = 0; j < n; j++)
          hessian[i * n + j] += weight * response[k][i][c] * response[k][j][c];
      }
    }
  for (int i = 0; i < n; i++)
    hessian[i * n + i] += DT * r;
  solve (n, hessian, gradient);
  return gradient[0];
}

static void
gains_of_a_cart_are_those_of_the_whole_least_squares_problem (void)
{
  SsScenario *scenario = ss_test_read_text (cart_text);
  SsTrajectory *plan = cart_plan (scenario->scene);
  SsPlanLqr *lqr = NULL;
  SsError err;

  SS_CHECK (ss_plan_lqr_new (scenario->scene, plan, &(SsPlanLqrWeights){.q = 3, .r = 0.2, .end = 4}, NULL, &lqr,
                             &err) == SS_OK);
  SS_CHECK (ss_plan_lqr_n_states (lqr) == 2 && ss_plan_lqr_n_steps (lqr) == STEPS);
  const double *q = ss_plan_lqr_state_weights (lqr), r = ss_plan_lqr_control_weights (lqr)[0];
  /* the plan's own ranges: its way (0.18 m), that in a fiftieth of 1.2 s (7.5 m/s), its largest control (1 N) */
  SS_CHECK_NEAR (r, 0.2, 1e-15);
  SS_CHECK_NEAR (q[1], 3 / (7.5 * 7.5), 1e-9);
  SS_CHECK_NEAR (q[0], 3 / (0.18 * 0.18), 1e-9);
  for (int from = 0; from < STEPS; from += 3)
    for (int c = 0; c < 2; c++) {
      const double start[2] = {c == 0, c == 1}, truth = -first_control (from, start, q, r, 4);
      /* differences of 1e-6 on steps that are exact to 1e-15 leave 1e-9 of A and B */
      SS_CHECK_NEAR (ss_plan_lqr_gain (lqr, from)[c], truth, 1e-6 * (1 + fabs (truth)));
    }
  ss_plan_lqr_free (lqr);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

static void
controls_are_those_of_the_plan_on_it_and_keep_their_bounds_beside_it (void)
{
  SsScenario *scenario = ss_test_read_text (cart_text);
  SsTrajectory *plan = cart_plan (scenario->scene);
  SsPlanLqr *lqr = NULL;
  SsError err;
  double q[3] = {0}, v[3] = {0};

  SS_CHECK (ss_plan_lqr_new (scenario->scene, plan, NULL, NULL, &lqr, &err) == SS_OK);
  SS_CHECK_NEAR (ss_plan_lqr_controls (lqr, 0, q, v)[0], 1, 1e-15);
  q[0] = 1e-6;
  SS_CHECK (ss_plan_lqr_controls (lqr, 0, q, v)[0] < 1);
  q[0] = 10;
  SS_CHECK_NEAR (ss_plan_lqr_controls (lqr, 0, q, v)[0], -8, 0);
  q[0] = -10;
  SS_CHECK_NEAR (ss_plan_lqr_controls (lqr, 0.35, q, v)[0], 8, 0);
  SS_CHECK_NEAR (ss_plan_lqr_controls (lqr, 99, q, v)[0], 8, 0);
  ss_plan_lqr_free (lqr);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

static void
what_cannot_be_held_is_told (void)
{
  SsScenario *scenario = ss_test_read_text (cart_text);
  SsTrajectory *plan = cart_plan (scenario->scene);
  SsScene still = *scenario->scene;
  SsPlanLqr *lqr = NULL;
  SsFeedback *feedback = NULL;
  SsFeedbackOptions options = SS_FEEDBACK_OPTIONS;
  SsError err = {0};

  still.n_actuators = 0;
  SS_CHECK (ss_plan_lqr_new (&still, plan, NULL, NULL, &lqr, &err) == SS_ERR_INVALID && lqr == NULL);
  SS_CHECK_CONTAINS (err.message, "no actuator");
  SS_CHECK (ss_plan_lqr_new (scenario->scene, plan, &(SsPlanLqrWeights){.q = 1, .r = 0, .end = 1}, NULL, &lqr, &err) ==
            SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "positive");
  options.kind = SS_CONTROLLER_REPLAN; /* this task has no target */
  SS_CHECK (ss_feedback_new (scenario, plan, &options, NULL, &feedback, &err) == SS_ERR_INVALID && feedback == NULL);
  SS_CHECK_CONTAINS (err.message, "does not say what shall be reached");
  SsScenario *model = ss_test_read_file ("examples/crisp/push-box.stickslip.json", NULL, 0);
  options.kind = SS_CONTROLLER_LQR;
  SS_CHECK (ss_feedback_new (model, plan, &options, NULL, &feedback, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "model in equations");
  ss_scenario_free (model);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

/* ---- where a replay parts ---------------------------------------------------------------------------------------- */

static const char slide_text[] =
    "{\"format\": 1, \"name\": \"slide\", \"parameters\": {\"mu\": {\"value\": 0.5}}, \"scene\": {\"gravity\": [0, "
    "-10], "
    "\"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
    "{\"name\": \"box\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.2}, \"position\": [0, "
    "0.1]}], "
    "\"contacts\": [{\"bodies\": [\"floor\", \"box\"], \"friction\": \"mu\"}], "
    "\"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"box\", \"direction\": [1, 0], \"formula\": "
    "\"10*t\"}]}, \"task\": {\"t_end\": 0.8, \"dt\": 0.01}}";

static SsTrajectory *
slide (double mu)
{
  const SsOverride set = {"mu", mu};
  SsProblems problems;
  SsScenario *scenario = NULL;
  SsSimMetrics metrics;
  SsOutcome outcome;
  SsTrajectory *motion = NULL;
  char message[200];
  SsError err;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (slide_text, strlen (slide_text), "slide", &set, 1, &problems, &scenario) == SS_OK);
  SS_CHECK (ss_simulate (scenario->scene, &ss_integrator_moreau_jean, NULL, 0.01, 0.8, NULL, &motion, &metrics,
                         &outcome, message, sizeof message, &err) == SS_OK);
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  return motion;
}

static void
a_replay_parts_where_its_contact_slips_first (void)
{
  /* Pulled with 10 t N, a box of 1 kg slips from t = mu on: the plan (0.5) at 0.5 s, the replay (0.4) at 0.4 s. */
  SsScenario *scenario = ss_test_read_text (slide_text);
  SsTrajectory *plan = slide (0.5), *same = slide (0.5), *other = slide (0.4);
  SsReplayFirst first;
  SsError err;

  SS_CHECK (ss_replay_find_first (scenario->scene, NULL, plan, same, &first, &err) == SS_OK);
  SS_CHECK (!first.is_parted && first.largest == 0);
  /* the world's scene has the replay's friction */
  SsScene world = *scenario->scene;
  SsContact contact = world.contacts[0];
  contact.mu = 0.4;
  world.contacts = &contact;
  SS_CHECK (ss_replay_find_first (&world, scenario->scene, plan, other, &first, &err) == SS_OK);
  SS_CHECK (first.is_parted && first.contact == 0 && first.body == 1);
  SS_CHECK_NEAR (first.t, 0.4, 0.021); /* a step late and a force of a step before */
  SS_CHECK (first.replay == SS_CONTACT_STATE_SLIPS && first.plan == SS_CONTACT_STATE_STICKS);
  SS_CHECK (first.distance < 1e-3 && first.largest > 1e-3);
  ss_trajectory_free (plan);
  ss_trajectory_free (same);
  ss_trajectory_free (other);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (gains_of_a_cart_are_those_of_the_whole_least_squares_problem);
  SS_RUN (controls_are_those_of_the_plan_on_it_and_keep_their_bounds_beside_it);
  SS_RUN (what_cannot_be_held_is_told);
  SS_RUN (a_replay_parts_where_its_contact_slips_first);
  return ss_test_finish ();
}
