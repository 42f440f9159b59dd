/* tests/unit/test-plan-contact.c: a feedback that knows contacts.
 *
 * Gains on friction are those of the whole least-squares problem of a sled that slips, written down here: all controls
 * at once against a difference of its friction that halves from step to step. A pusher that strikes a block later or
 * earlier than planned, on the phase's own way, has the plan's controls to the bit of rounding, where LQR by time asks
 * for the gain times the jump of its speed. On the plan there is no correction at all. */
#include "contact/ss-step-state.h"
#include "linalg/ss-linalg.h"
#include "plan/ss-feedback.h"
#include "plan/ss-plan-contact.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-stewart-trinkle.h"
#include "ss-test-scenario.h"

enum { STEPS = 20 };
static const double DT = 0.05, MASS = 2;

static const char sled_text[] =
    "{\"format\": 1, \"name\": \"sled\", \"scene\": {\"gravity\": [0, -10], \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
    "{\"name\": \"sled\", \"mass\": 2, \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}, \"position\": "
    "[0, 0.1], \"velocity\": [1, 0], \"lock\": [\"theta\"]}], \"contacts\": [{\"bodies\": [\"floor\", \"sled\"], "
    "\"friction\": 0.3}], \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"sled\", \"direction\": "
    "[1, 0], \"lower\": -50, \"upper\": 50}]}, \"task\": {\"t_end\": 1, \"dt\": 0.05}}";

/* A pusher 9 cm from a block of its own mass: with 1 N it is there at a row of the plan, .0025 m (1 + ... + 8). */
static const char strike_text[] =
    "{\"format\": 1, \"name\": \"strike\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
    "{\"name\": \"pusher\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 0.1, \"height\": 0.1}, "
    "\"position\": [-0.34, 0], \"lock\": [\"y\", \"theta\"]}, "
    "{\"name\": \"block\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}, \"lock\": "
    "[\"y\", \"theta\"]}], \"contacts\": [{\"bodies\": [\"pusher\", \"block\"], \"friction\": 0}], "
    "\"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"pusher\", \"direction\": [1, 0], \"lower\": "
    "-50, \"upper\": 50}]}, \"task\": {\"t_end\": 1, \"dt\": 0.05}}";

/* The motion by the law of plans, one step a step of the plan; with a constant force, or held. */
static SsTrajectory *
move (const SsScene *scene, double force, SsFeedback *feedback)
{
  double t[STEPS], u[STEPS];
  const SsControls controls = {STEPS, 1, t, u};
  SsStewartTrinkleOptions options;
  SsSimResult result = {0};
  SsError err;

  for (int k = 0; k < STEPS; k++) {
    t[k] = DT * k;
    u[k] = force;
  }
  ss_options_init (ss_integrator_stewart_trinkle.options, &options);
  options.gap = SS_STEWART_TRINKLE_END;
  SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = scene,
                                         .integrator = &ss_integrator_stewart_trinkle,
                                         .options = &options,
                                         .controls = &controls,
                                         .controller = feedback != NULL ? ss_feedback_controller (feedback) : NULL,
                                         .dt = DT,
                                         .t_end = STEPS * DT},
                             NULL, &result, &err) == SS_OK);
  SsTrajectory *motion = result.trajectory;
  result.trajectory = NULL;
  ss_sim_result_clear (&result);
  return motion;
}

static double
at (const SsTrajectory *motion, int row, const char *channel)
{
  return ss_trajectory_row (motion, row)[ss_trajectory_channel (motion, channel)];
}

/* The first of the cheapest controls from step `from` on, where friction is 1 N more than planned in that step and
 * lasts in part: positions and speeds of a mass, x' = x + h v', v' = v + h (u + d) / m. */
static double
first_control (int from, double q, double q_rate, double r, double end)
{
  const int n = STEPS - from;
  double hessian[STEPS * STEPS] = {0}, right[STEPS] = {0}, x[STEPS + 1][STEPS + 1] = {{0}}, v[STEPS + 1] = {0};

  /* column n: without controls; v is of one column at a time */
  for (int j = 0; j <= n; j++) {
    double place = 0, speed = 0, lasts = 1;

    for (int k = 0; k < n; k++) {
      speed += DT / MASS * (j == n ? lasts : j == k);
      place += DT * speed;
      lasts *= SS_PLAN_CONTACT_LASTS;
      x[k + 1][j] = place;
    }
  }
  for (int k = 1; k <= n; k++)
    for (int c = 0; c < 2; c++) {
      const double weight = (k == n ? STEPS * DT * end : DT) * (c == 0 ? q : q_rate);

      for (int j = 0; j <= n; j++)
        v[j] = c == 0 ? x[k][j] : (x[k][j] - x[k - 1][j]) / DT;
      for (int i = 0; i < n; i++) {
        right[i] -= weight * v[i] * v[n];
        for (int j = 0; j < n; j++)
          hessian[i * n + j] += weight * v[i] * v[j];
      }
    }
  for (int i = 0; i < n; i++)
    hessian[i * n + i] += DT * r;
  SS_CHECK (ss_dense_cholesky (n, hessian, n) == SS_OK);
  ss_dense_cholesky_solve (n, hessian, n, right);
  return right[0];
}

static void
gains_on_friction_are_those_of_the_whole_least_squares_problem (void)
{
  SsScenario *scenario = ss_test_read_text (sled_text);
  SsTrajectory *plan = move (scenario->scene, 6, NULL); /* as much as its friction: 1 m/s all the time */
  SsPlanContact *contact = NULL;
  SsError err;

  SS_CHECK_NEAR (at (plan, STEPS, "sled.x"), 1, 1e-9);
  SS_CHECK (ss_plan_contact_new (scenario->scene, plan, &(SsPlanLqrWeights){.q = 3, .r = 0.2, .end = 4}, NULL, &contact,
                                 &err) == SS_OK);
  const SsPlanLqr *lqr = ss_plan_contact_lqr (contact);
  const double *q = ss_plan_lqr_state_weights (lqr), r = ss_plan_lqr_control_weights (lqr)[0];
  SS_CHECK (ss_plan_lqr_n_states (lqr) == 4 && ss_plan_lqr_n_forces (lqr) == 2);
  for (int from = 0; from < STEPS; from += 4) {
    const double truth = -first_control (from, q[0], q[2], r, 4);

    /* differences of 1e-6 on steps that are exact to 1e-15 leave 1e-9 of A and B */
    SS_CHECK_NEAR (ss_plan_lqr_force_gain (lqr, from)[1], truth, 1e-6 * (1 + fabs (truth)));
    SS_CHECK_NEAR (ss_plan_lqr_force_gain (lqr, from)[0], 0, 0); /* the floor's normal force: a constraint's */
    SS_CHECK (truth > 0.01);
  }
  /* 1 N more friction against the motion: pushed harder by that gain; 10 N count as .3 of the 20 N of the weight */
  double state_q[6] = {0, 0, 0, 0.1, 0.1, 0}, state_v[6] = {0, 0, 0, 1, 0, 0}, values[SS_SIM_N_CONTACT_VALUES] = {0};
  state_q[3] = at (plan, 2, "sled.x");
  values[SS_SIM_LAMBDA_N] = 20;
  values[SS_SIM_LAMBDA_T] = -7;
  const double gain = ss_plan_lqr_force_gain (lqr, 2)[1];
  SS_CHECK_NEAR (ss_plan_contact_controls (contact, 2 * DT, state_q, state_v, values)[0], 6 + gain, 1e-7);
  values[SS_SIM_LAMBDA_T] = -16;
  SS_CHECK_NEAR (ss_plan_contact_controls (contact, 2 * DT, state_q, state_v, values)[0], 6 + 6 * gain, 1e-7);
  values[SS_SIM_LAMBDA_N] = 0; /* it has left the floor */
  SS_CHECK_NEAR (ss_plan_contact_controls (contact, 2 * DT, state_q, state_v, values)[0], 6, 1e-7);
  ss_plan_contact_free (contact);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

static void
an_impact_that_comes_late_or_early_has_no_peak_of_control (void)
{
  SsScenario *scenario = ss_test_read_text (strike_text);
  SsTrajectory *plan = move (scenario->scene, 1, NULL);
  SsPlanContact *contact = NULL;
  SsPlanLqr *lqr = NULL;
  SsError err;

  SS_CHECK (ss_plan_contact_new (scenario->scene, plan, NULL, NULL, &contact, &err) == SS_OK);
  SS_CHECK (ss_plan_lqr_new (scenario->scene, plan, NULL, NULL, &lqr, &err) == SS_OK);
  const SsPlanContactTable *of = ss_plan_contact_table (contact);
  SS_CHECK (of->n_phases == 2 && of->phases[1].closing == 0 && of->phases[0].last + 1 == of->phases[1].first);
  const int before = of->phases[0].last, after = of->phases[1].first;
  const double v_before = at (plan, before, "pusher.vx"), v_after = at (plan, after, "pusher.vx");
  SS_CHECK (v_before > 0.3 && v_after < 0.7 * v_before && at (plan, after, "block.vx") > 0.1);

  /* late by less than the window: the pusher goes on as before the impact, the block rests */
  double q[6] = {0}, v[6] = {0}, values[SS_SIM_N_CONTACT_VALUES] = {0};
  const double late = 0.015, t = of->t[after] + late;
  SS_CHECK (t < of->phases[1].until);
  q[0] = at (plan, before, "pusher.x") + (t - of->t[before]) * v_before;
  v[0] = v_before;
  SS_CHECK_NEAR (ss_plan_contact_controls (contact, t, q, v, values)[0], 1, 1e-9);
  SS_CHECK (ss_plan_contact_phase (contact) == 0);
  SS_CHECK (fabs (ss_plan_lqr_controls (lqr, t, q, v)[0] - 1) > 1); /* by time: a peak larger than the plan's control */
  /* it strikes, within the plan's place of that time: what is left is the way that it is ahead */
  values[SS_SIM_LAMBDA_N] = 10;
  const double place = at (plan, after, "pusher.x") + late * v_after + late * late / 4; /* 1 N on 2 kg */
  q[0] = place;
  q[3] = place + at (plan, after, "block.x") - at (plan, after, "pusher.x");
  v[0] = v[3] = v_after + late / 2;
  SS_CHECK (fabs (ss_plan_contact_controls (contact, t, q, v, values)[0] - 1) < 0.1);
  SS_CHECK (ss_plan_contact_phase (contact) == 1);
  /* once struck it stays so, also where both part */
  values[SS_SIM_LAMBDA_N] = 0;
  ss_plan_contact_controls (contact, t + 0.001, q, v, values);
  SS_CHECK (ss_plan_contact_phase (contact) == 1);

  /* early: an earlier time begins anew; both are on the way that they have after the impact, drawn back */
  const double early = of->t[after] - 0.015;
  SS_CHECK (early > of->phases[1].from);
  values[SS_SIM_LAMBDA_N] = 10;
  q[0] = at (plan, after, "pusher.x") - 0.015 * v_after;
  q[3] = at (plan, after, "block.x") - 0.015 * at (plan, after, "block.vx");
  v[0] = v_after;
  v[3] = at (plan, after, "block.vx");
  SS_CHECK_NEAR (ss_plan_contact_controls (contact, early, q, v, values)[0], 1, 1e-9);
  SS_CHECK (ss_plan_contact_phase (contact) == 1);
  SS_CHECK (fabs (ss_plan_lqr_controls (lqr, early, q, v)[0] - 1) > 0.4); /* the plan has most of the jump behind it */
  /* no contact at all: behind the window the clock decides */
  ss_plan_contact_controls (contact, 0, q, v, NULL);
  SS_CHECK (ss_plan_contact_phase (contact) == 0);
  ss_plan_contact_controls (contact, of->phases[1].until + 1e-9, q, v, NULL);
  SS_CHECK (ss_plan_contact_phase (contact) == 1);
  ss_plan_contact_free (contact);
  ss_plan_lqr_free (lqr);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

static void
on_the_plan_nothing_is_corrected (void)
{
  const char *const texts[] = {sled_text, strike_text};

  for (size_t i = 0; i < 2; i++) {
    SsScenario *scenario = ss_test_read_text (texts[i]);
    SsTrajectory *plan = move (scenario->scene, i == 0 ? 6 : 1, NULL), *held;
    SsFeedbackOptions options = SS_FEEDBACK_OPTIONS;
    SsFeedback *feedback = NULL;
    SsError err;

    options.kind = SS_CONTROLLER_CONTACT;
    SS_CHECK (ss_feedback_new (scenario, plan, &options, NULL, &feedback, &err) == SS_OK);
    held = move (scenario->scene, 0, feedback);
    for (int k = 0; k < STEPS; k++) /* rounding of the steps, 1e-15, times gains up to 1e3 */
      SS_CHECK_NEAR (at (held, k, "u.f"), i == 0 ? 6 : 1, 1e-10);
    ss_feedback_free (feedback);
    ss_trajectory_free (held);
    ss_trajectory_free (plan);
    ss_scenario_free (scenario);
  }
}

/* Between two rows a force is that of the step which goes on, at a row that of the step which ended: of a sled that is
 * pressed down more in each step, friction as planned asks for the plan's control at both. */
static void
forces_between_rows_are_those_of_the_step (void)
{
  SsScenario *scenario = ss_test_read_text (sled_text);
  SsTrajectory *plan = move (scenario->scene, 6, NULL);
  SsPlanContact *contact = NULL;
  const int n = ss_trajectory_channel (plan, "floor-sled.lambda_n"),
            t = ss_trajectory_channel (plan, "floor-sled.lambda_t");

  for (int k = 1; k <= STEPS; k++) { /* as if somebody stood on it more and more */
    plan->values[k * plan->n_channels + n] *= 1 + 0.02 * k;
    plan->values[k * plan->n_channels + t] *= 1 + 0.02 * k;
  }
  SS_CHECK (ss_plan_contact_new (scenario->scene, plan, NULL, NULL, &contact, NULL) == SS_OK);
  const SsPlanContactTable *of = ss_plan_contact_table (contact);
  double largest = 0;
  for (int k = 1; k < STEPS; k++)
    for (int place = 0; place < 3; place++) { /* at the row, by rounding behind it, between two */
      const bool is_between = place == 2;
      const double *step = ss_trajectory_row (plan, k + is_between), *from = ss_trajectory_row (plan, k),
                   *to = ss_trajectory_row (plan, k + 1);
      const double part = (const double[]){0, 1e-8, 0.5}[place];
      double q[6] = {0}, v[6] = {0}, values[SS_SIM_N_CONTACT_VALUES] = {0};
      for (int i = 0; i < 3; i++) { /* of the sled, the second body; the first row of channels is t */
        q[3 + i] = from[1 + SS_BODY_CHANNELS + i] * (1 - part) + to[1 + SS_BODY_CHANNELS + i] * part;
        v[3 + i] = from[4 + SS_BODY_CHANNELS + i] * (1 - part) + to[4 + SS_BODY_CHANNELS + i] * part;
      }
      values[SS_SIM_LAMBDA_N] = step[n];
      values[SS_SIM_LAMBDA_T] = step[t];
      const double time = of->t[k] + part * (of->t[k + 1] - of->t[k]);
      SS_CHECK_NEAR (ss_plan_contact_controls (contact, time, q, v, values)[0], 6, 1e-9);
      values[SS_SIM_LAMBDA_T] *= 1.1; /* else a gain of nothing would pass */
      largest = fmax (largest, fabs (ss_plan_contact_controls (contact, time, q, v, values)[0] - 6));
    }
  SS_CHECK (largest > 1e-3);
  ss_plan_contact_free (contact);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (gains_on_friction_are_those_of_the_whole_least_squares_problem);
  SS_RUN (an_impact_that_comes_late_or_early_has_no_peak_of_control);
  SS_RUN (on_the_plan_nothing_is_corrected);
  SS_RUN (forces_between_rows_are_those_of_the_step);
  return ss_test_finish ();
}
