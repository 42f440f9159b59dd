/* tests/numeric/test-fesd-robust.c: the integrator fesd-j where motions get difficult: bounces that accumulate,
 * loops of joints with a stop, and its agreement with time stepping. */
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "judge/ss-motion.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include "core/ss-random.h"

static SsSimResult
run (const SsScene *scene, const SsIntegratorClass *integrator, double dt, double t_end)
{
  SsSimResult result = {0};
  const SsSimJob job = {.scene = scene, .integrator = integrator, .dt = dt, .t_end = t_end};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
  return result;
}

static SsMotionVerdict
judge (const SsScene *scene, const SsSimResult *result)
{
  SsMotionVerdict verdict = {0};
  SS_CHECK (ss_motion_judge_stages (scene, result->trajectory, result->stages, true, NULL, &verdict, NULL) == SS_OK);
  return verdict;
}

/* Every speed that an accumulation takes away is explained by forces that push: the judge's balance of momentum, which
 * knows the scene and the table alone. */
static void
test_accumulation_is_explained (void)
{
  const struct {
    const char *file;
    double t_end;
  } cases[] = {{"examples/fesd-j/bouncing-ball.stickslip.json", 2}, {"examples/impacts/zeno-block.stickslip.json", 3}};
  const double steps[] = {1e-3, 1e-2};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      const SsOverride bounce = {"restitution", 0.5};
      SsScenario *scenario = ss_test_read_file (cases[i].file, &bounce, i == 0 ? 1 : 0);
      SsSimResult result = run (scenario->scene, &ss_integrator_fesd_j, steps[k], cases[i].t_end);
      SsMotionVerdict verdict = judge (scenario->scene, &result);
      double worst = 0, t = 0;
      for (int r = 0; r < verdict.n_rows; r++)
        if (verdict.steps[r].balance > worst)
          worst = verdict.steps[r].balance, t = verdict.steps[r].t;
      printf ("  %s dt %g: balance %.2e at %g, cone %.2e, residual %.2e\n", cases[i].file, steps[k], worst, t,
              verdict.cone.value, result.metrics.own_residual);
      SS_CHECK_NEAR (worst, 0, steps[k] < 0.005 ? 1e-9 : 1e-6); /* forces of lower order than velocities */
      SS_CHECK_NEAR (verdict.cone.value, 0, 1e-9);
      SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-9);
      ss_motion_verdict_clear (&verdict);
      ss_sim_result_clear (&result);
      ss_scenario_free (scenario);
    }
}

/* Rows of dominoes that lean on each other: slow slips of those behind are driven by those in front, and nothing may
 * take them away, nor what drives them: momentum holds in every step, by the judge. Driven slips below 1e-10 m/s are
 * still held, which costs some 1e-4 N s in the long rows; slips of 1e-7 m/s that were held cost .12 N s in that of 8.
 */
static void
test_dominoes (void)
{
  static const struct {
    double n, dt;
  } cases[] = {{8, 1. / 540}, {10, 1. / 540}, {12, 1e-3}};
  for (size_t i = 0; i < (!ss_test_is_long () ? 1 : sizeof cases / sizeof *cases); i++) {
    const SsOverride number = {"n", cases[i].n};
    SsScenario *scenario = ss_test_read_file ("examples/classics/domino-row.stickslip.json", &number, 1);
    SsSimResult result = run (scenario->scene, &ss_integrator_fesd_j, cases[i].dt, 3);
    SsMotionVerdict verdict = judge (scenario->scene, &result);
    SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
    printf ("  n = %g, dt %.3g: balance %.2e N s, cone %.2e, residual %.2e\n", cases[i].n, cases[i].dt,
            verdict.balance.value, verdict.cone.value, result.metrics.own_residual);
    SS_CHECK (verdict.balance.value < 1e-3);
    SS_CHECK (verdict.cone.value < 1e-9 && result.metrics.own_residual < 1e-9);
    SS_CHECK (ss_test_last_value (result.trajectory, "d1.theta") < -atan2 (0.1, 0.5));
    ss_motion_verdict_clear (&verdict);
    ss_sim_result_clear (&result);
    ss_scenario_free (scenario);
  }
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

/* A linkage of one degree of freedom theta: M (theta) and half of its derivative, V' (theta), and what the stop
 * sees. */
typedef struct {
  double mass, half_slope, pull; /* M, M'/2, V' */
  double x, dx;                  /* of the piston */
  double second, dsecond;        /* angle of the second bar, and its derivative by theta */
  double third, dthird;          /* of the third bar */
} Linkage;

typedef struct {
  bool is_four_bar;
  double a, b, c, d, g;                   /* bars; slider-crank: a the crank, b the rod */
  double inertia[3], m[3], wall, rebound; /* of crank, second bar, third bar or piston */
  double guess[2];                        /* angles of the second and third bar, for Newton's method */
} Mechanism;

/* Angles of the four-bar: a e(theta) + b e(beta) = (d, 0) + c e(gamma). */
static void
close_four_bar (Mechanism *m, double theta)
{
  for (int i = 0; i < 50; i++) {
    const double beta = m->guess[0], gamma = m->guess[1];
    const double x = m->a * cos (theta) + m->b * cos (beta) - m->d - m->c * cos (gamma);
    const double y = m->a * sin (theta) + m->b * sin (beta) - m->c * sin (gamma);
    const double det = -m->b * sin (beta) * -m->c * cos (gamma) - m->c * sin (gamma) * m->b * cos (beta);
    const double to_beta = (x * -m->c * cos (gamma) - m->c * sin (gamma) * y) / det;
    const double to_gamma = (-m->b * sin (beta) * y - m->b * cos (beta) * x) / det;
    m->guess[0] -= to_beta;
    m->guess[1] -= to_gamma;
    if (fabs (to_beta) + fabs (to_gamma) < 1e-15)
      break;
  }
}

static Linkage
linkage_at (Mechanism *m, double theta)
{
  Linkage l = {0};
  double b, db, ddb, third = 0, dthird = 0, ddthird = 0; /* angle of the second bar by theta; of the third */
  const double a = m->a, s = sin (theta), c = cos (theta);
  if (m->is_four_bar) {
    close_four_bar (m, theta);
    b = m->guess[0], third = m->guess[1];
    const double det = m->b * m->c * sin (third - b);
    db = a * m->c * sin (theta - third) / det;
    dthird = a * m->b * sin (theta - b) / det;
    /* b e'(beta) ddb - c e'(gamma) ddc = a e(theta) + b e(beta) db2 - c e(gamma) dc2, e' = e turned by 90 degrees */
    const double x = a * c + m->b * cos (b) * db * db - m->c * cos (third) * dthird * dthird;
    const double y = a * s + m->b * sin (b) * db * db - m->c * sin (third) * dthird * dthird;
    ddb = -(x * cos (third) + y * sin (third)) * m->c / det;
    ddthird = -(x * cos (b) + y * sin (b)) * m->b / det;
    ddb = -ddb, ddthird = -ddthird;
  } else {
    b = asin (-a * s / m->b);
    db = -a * c / (m->b * cos (b));
    ddb = (a * s + m->b * sin (b) * db * db) / (m->b * cos (b));
  }
  const double xr = -a * s - 0.5 * m->b * sin (b) * db, yr = a * c + 0.5 * m->b * cos (b) * db;
  const double xrr = -a * c - 0.5 * m->b * (cos (b) * db * db + sin (b) * ddb);
  const double yrr = -a * s + 0.5 * m->b * (-sin (b) * db * db + cos (b) * ddb);
  l.mass = m->inertia[0] + m->m[1] * (xr * xr + yr * yr) + m->inertia[1] * db * db;
  l.half_slope = m->m[1] * (xr * xrr + yr * yrr) + m->inertia[1] * db * ddb;
  l.pull = m->g * m->m[1] * yr;
  l.second = b, l.dsecond = db, l.third = third, l.dthird = dthird;
  if (m->is_four_bar) {
    const double about_pin = m->inertia[2] + m->m[2] * m->c * m->c / 4;
    l.mass += about_pin * dthird * dthird;
    l.half_slope += about_pin * dthird * ddthird;
    l.pull += m->g * m->m[2] * 0.5 * m->c * cos (third) * dthird;
    return l;
  }
  l.x = a * c + m->b * cos (b);
  l.dx = -a * s - m->b * sin (b) * db;
  const double dxx = -a * c - m->b * (cos (b) * db * db + sin (b) * ddb);
  l.mass += m->m[2] * l.dx * l.dx;
  l.half_slope += m->m[2] * l.dx * dxx;
  return l;
}

static double
acceleration (Mechanism *m, double theta, double omega)
{
  const Linkage l = linkage_at (m, theta);
  return -(l.half_slope * omega * omega + l.pull) / l.mass;
}

/* One step of the classical fourth-order scheme. */
static void
step_linkage (Mechanism *m, double h, double *theta, double *omega)
{
  const double v1 = *omega, a1 = acceleration (m, *theta, v1);
  const double v2 = *omega + h / 2 * a1, a2 = acceleration (m, *theta + h / 2 * v1, v2);
  const double v3 = *omega + h / 2 * a2, a3 = acceleration (m, *theta + h / 2 * v2, v3);
  const double v4 = *omega + h * a3, a4 = acceleration (m, *theta + h * v3, v4);
  *theta += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  *omega += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
}

/* To t_end, in steps of 1e-4 s; the piston bounces off the wall, whose time is bisected for. *n_impacts counts. */
static void
move_linkage (Mechanism *m, double t_end, double *theta, double *omega, int *n_impacts)
{
  *n_impacts = 0;
  for (double t = 0; t_end - t > 1e-14;) {
    double h = fmin (1e-4, t_end - t), q = *theta, v = *omega;
    step_linkage (m, h, &q, &v);
    if (!m->is_four_bar && linkage_at (m, q).x > m->wall && linkage_at (m, q).dx * v > 0) {
      double low = 0, high = h;
      for (int i = 0; i < 60; i++) {
        h = 0.5 * (low + high), q = *theta, v = *omega;
        step_linkage (m, h, &q, &v);
        *(linkage_at (m, q).x > m->wall ? &high : &low) = h;
      }
      v *= -m->rebound;
      ++*n_impacts;
    }
    *theta = q, *omega = v, t += h;
  }
}

static double
value (const SsTrajectory *motion, int row, const char *body, const char *channel)
{
  char name[64];
  snprintf (name, sizeof name, "%s.%s", body, channel);
  return ss_test_value (motion, row, name);
}

/* How far the ends of two bars are apart: the first body's point (x, 0) and the second's, at most over the motion. */
static double
opening (const SsTrajectory *motion, const char *first, double at_first, const char *second, double at_second)
{
  double worst = 0;
  for (int k = 0; k < motion->n_rows; k++) {
    const double p = value (motion, k, first, "theta"), q = value (motion, k, second, "theta");
    const double x =
        value (motion, k, first, "x") + at_first * cos (p) - value (motion, k, second, "x") - at_second * cos (q);
    const double y =
        value (motion, k, first, "y") + at_first * sin (p) - value (motion, k, second, "y") - at_second * sin (q);
    worst = fmax (worst, hypot (x, y));
  }
  return worst;
}

static void
take_masses (Mechanism *m, const SsScene *scene, int first)
{
  for (int i = 0; i < 3; i++) {
    m->m[i] = scene->bodies[first + i].mass;
    m->inertia[i] = scene->bodies[first + i].inertia;
  }
}

/* A crank that coasts, its piston bounces off a wall: the motion in the crank's angle alone, integrated here. */
static void
test_slider_crank_with_a_stop (void)
{
  Mechanism m = {.a = 0.5, .b = 1.5, .g = 9.81, .wall = 1.9, .rebound = 0.6};
  const double theta0 = 2, omega0 = -3, t_end = 4;
  char text[4096];
  const Linkage at = linkage_at (&m, theta0);
  const double x = m.a * cos (theta0) + 0.5 * m.b * cos (at.second), y = 0.5 * m.a * sin (theta0);
  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"stop\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0, "
      "\"restitution\": 0.6, \"bodies\": ["
      "{\"name\": \"wall\", \"fixed\": true, \"position\": [2.1, 0], \"shape\": {\"type\": \"half-plane\", "
      "\"normal\": [-1, 0]}},"
      "{\"name\": \"crank\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.3}, \"angle\": %.17g, "
      "\"angular_velocity\": %.17g},"
      "{\"name\": \"rod\", \"mass\": 0.5, \"shape\": {\"type\": \"capsule\", \"length\": 1.5, \"radius\": 0.05}, "
      "\"position\": [%.17g, %.17g], \"angle\": %.17g, \"velocity\": [%.17g, %.17g], \"angular_velocity\": %.17g},"
      "{\"name\": \"piston\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.3}, "
      "\"position\": [%.17g, 0], \"velocity\": [%.17g, 0]}],"
      "\"joints\": [{\"name\": \"pivot\", \"type\": \"pin\", \"bodies\": [\"world\", \"crank\"], \"anchors\": [[0, "
      "0], [0, 0]]},"
      "{\"name\": \"crank_pin\", \"type\": \"pin\", \"bodies\": [\"crank\", \"rod\"], \"anchors\": [[0.5, 0], "
      "[-0.75, 0]]},"
      "{\"name\": \"wrist\", \"type\": \"pin\", \"bodies\": [\"rod\", \"piston\"], \"anchors\": [[0.75, 0], [0, "
      "0]]},"
      "{\"name\": \"guide\", \"type\": \"slider\", \"bodies\": [\"world\", \"piston\"], \"anchors\": [[0, 0], [0, "
      "0]], \"axis\": [1, 0]}],"
      "\"contacts\": [{\"bodies\": [\"wall\", \"piston\"]}]}}",
      theta0, omega0, x, y, at.second, omega0 * (-m.a * sin (theta0) - 0.5 * m.b * sin (at.second) * at.dsecond),
      omega0 * 0.5 * m.a * cos (theta0), omega0 * at.dsecond, at.x, omega0 * at.dx);
  SsScenario *scenario = ss_test_read_text (text);
  SS_CHECK (scenario != NULL);
  if (scenario == NULL)
    return;
  take_masses (&m, scenario->scene, 1);
  double theta = theta0, omega = omega0, steps[2] = {0.01, 0.005}, error[2];
  int n_impacts, n_told = 0;
  move_linkage (&m, t_end, &theta, &omega, &n_impacts);
  for (int i = 0; i < 2; i++) {
    SsSimResult result = run (scenario->scene, &ss_integrator_fesd_j, steps[i], t_end);
    const SsTrajectory *motion = result.trajectory;
    error[i] = fmax (fabs (ss_test_last_value (motion, "crank.theta") - theta),
                     fabs (ss_test_last_value (motion, "crank.omega") - omega));
    const double drift =
        fmax (fmax (opening (motion, "crank", 0.5, "rod", -0.75), opening (motion, "rod", 0.75, "piston", 0)),
              fabs (ss_test_last_value (motion, "piston.y")));
    printf ("  dt %g: error %.2e, drift %.1e, residual %.1e, %d impacts\n", steps[i], error[i], drift,
            result.metrics.own_residual, n_impacts);
    SS_CHECK_NEAR (drift, 0, 1e-10);
    SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-9);
    n_told = 0;
    for (int k = 0; k < result.events->n_items; k++) /* both corners of the piston hit at once */
      n_told += result.events->items[k].kind == SS_EVENT_IMPACT &&
                (k == 0 || result.events->items[k].t != result.events->items[k - 1].t);
    SS_CHECK (n_told == n_impacts && n_impacts >= 2);
    ss_sim_result_clear (&result);
  }
  SS_CHECK_NEAR (error[1], 0, 1e-8);
  ss_scenario_free (scenario);
}

/* A crank-rocker that coasts under gravity. */
static void
test_four_bar (void)
{
  Mechanism m = {.is_four_bar = true, .a = 1, .b = 3.5, .c = 3, .d = 4, .g = 9.81, .guess = {1, 2}};
  const double theta0 = 0.7, omega0 = 4, t_end = 2;
  char text[4096];
  const Linkage at = linkage_at (&m, theta0);
  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"bars\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
      "{\"name\": \"crank\", \"mass\": 5, \"shape\": {\"type\": \"circle\", \"radius\": 0.9}, \"angle\": %.17g, "
      "\"angular_velocity\": %.17g},"
      "{\"name\": \"coupler\", \"mass\": 2, \"shape\": {\"type\": \"capsule\", \"length\": 3.5, \"radius\": 0.08}, "
      "\"position\": [%.17g, %.17g], \"angle\": %.17g, \"velocity\": [%.17g, %.17g], \"angular_velocity\": %.17g},"
      "{\"name\": \"rocker\", \"mass\": 2, \"shape\": {\"type\": \"capsule\", \"length\": 3, \"radius\": 0.08}, "
      "\"position\": [%.17g, %.17g], \"angle\": %.17g, \"velocity\": [%.17g, %.17g], \"angular_velocity\": %.17g}],"
      "\"joints\": [{\"name\": \"pivot\", \"type\": \"pin\", \"bodies\": [\"world\", \"crank\"], \"anchors\": [[0, 0], "
      "[0, 0]]},"
      "{\"name\": \"crank_pin\", \"type\": \"pin\", \"bodies\": [\"crank\", \"coupler\"], \"anchors\": [[1, 0], "
      "[-1.75, "
      "0]]},"
      "{\"name\": \"coupler_pin\", \"type\": \"pin\", \"bodies\": [\"coupler\", \"rocker\"], \"anchors\": [[1.75, 0], "
      "[1.5, 0]]},"
      "{\"name\": \"rocker_pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"rocker\"], \"anchors\": [[4, 0], [-1.5, "
      "0]]}], \"contacts\": []}}",
      theta0, omega0, m.a * cos (theta0) + 1.75 * cos (at.second), m.a * sin (theta0) + 1.75 * sin (at.second),
      at.second, omega0 * (-m.a * sin (theta0) - 1.75 * sin (at.second) * at.dsecond),
      omega0 * (m.a * cos (theta0) + 1.75 * cos (at.second) * at.dsecond), omega0 * at.dsecond,
      4 + 1.5 * cos (at.third), 1.5 * sin (at.third), at.third, -omega0 * 1.5 * sin (at.third) * at.dthird,
      omega0 * 1.5 * cos (at.third) * at.dthird, omega0 * at.dthird);
  SsScenario *scenario = ss_test_read_text (text);
  SS_CHECK (scenario != NULL);
  if (scenario == NULL)
    return;
  take_masses (&m, scenario->scene, 0);
  double theta = theta0, omega = omega0, steps[2] = {0.01, 0.005}, error[2];
  int n_impacts;
  move_linkage (&m, t_end, &theta, &omega, &n_impacts);
  for (int i = 0; i < 2; i++) {
    SsSimResult result = run (scenario->scene, &ss_integrator_fesd_j, steps[i], t_end);
    const SsTrajectory *motion = result.trajectory;
    error[i] = fmax (fabs (ss_test_last_value (motion, "crank.theta") - theta),
                     fabs (ss_test_last_value (motion, "crank.omega") - omega));
    const double drift =
        fmax (opening (motion, "crank", 1, "coupler", -1.75), opening (motion, "coupler", 1.75, "rocker", 1.5));
    printf ("  dt %g: error %.2e, drift %.1e, residual %.1e\n", steps[i], error[i], drift, result.metrics.own_residual);
    SS_CHECK_NEAR (drift, 0, 1e-10);
    SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-9);
    ss_sim_result_clear (&result);
  }
  SS_CHECK_NEAR (error[1], 0, 1e-8);
  ss_scenario_free (scenario);
}

/* ---- formulas that switch ---------------------------------------------------------------------------------------- */

/* A push from t = 1 on, by a condition on the time: exact where the task breaks there. By one on the state: refused. */
static void
test_switching_formulas (void)
{
  const char *const conditions[] = {"if(t >= 1, 4, 0)", "if(ball.x > 1, 4, 0)", "4*floor(ball.vx)*if(t >= 1, 1, 0)"};
  for (int i = 0; i < 3; i++) {
    char text[1024];
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"push\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"ball\", "
              "\"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"forces\": [{\"name\": \"push\", "
              "\"body\": "
              "\"ball\", \"force\": [\"%s\", 0]}], \"contacts\": []}, \"task\": {\"t_end\": 2, \"dt\": 0.3, "
              "\"breaks\": [1]}}",
              conditions[i]);
    SsScenario *scenario = ss_test_read_text (text);
    SS_CHECK (scenario != NULL);
    if (scenario == NULL)
      continue;
    SsSimResult result = {0};
    SsError err = {0};
    const SsSimJob job = {.scene = scenario->scene, .integrator = &ss_integrator_fesd_j, .dt = 0.3, .t_end = 2};
    const SsStatus status = ss_simulate_job (&job, NULL, &result, &err);
    SS_CHECK ((status == SS_OK) == (i == 0));
    if (status == SS_OK) { /* 4 N on 2 kg for 1 s */
      SS_CHECK_NEAR (ss_test_last_value (result.trajectory, "ball.x"), 1, 1e-13);
      SS_CHECK_NEAR (ss_test_last_value (result.trajectory, "ball.vx"), 2, 1e-13);
      ss_sim_result_clear (&result);
    } else {
      SS_CHECK_CONTAINS (err.message, "force 'push'");
      SS_CHECK_CONTAINS (err.message, "reads more than the time");
    }
    ss_scenario_free (scenario);
  }
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

/* The falling rod before its second end lands: flight, then turning about the end that has landed (frictionless, so
 * that it slides). Orders of its angle and angular velocity against the finest steps: reported, and at least those
 * of velocities by the paper's scheme; test-fesd-curved.c has those of ours. */
static void
test_rod_orders (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/falling-rod.stickslip.json", NULL, 0);
  const double t_end = 0.32, steps[] = {0.04, 0.02, 0.01, 0.000625};
  double angle[4], rate[4];
  if (scenario == NULL)
    return;
  for (int i = 0; i < 4; i++) {
    SsSimResult result = run (scenario->scene, &ss_integrator_fesd_j, steps[i], t_end);
    angle[i] = ss_test_last_value (result.trajectory, "rod.theta");
    rate[i] = ss_test_last_value (result.trajectory, "rod.omega");
    if (i == 3)
      printf ("  %d events until %g s\n", result.events->n_items, t_end);
    ss_sim_result_clear (&result);
  }
  for (int i = 0; i < 3; i++)
    printf ("  dt %g: angle %.2e, velocity %.2e\n", steps[i], fabs (angle[i] - angle[3]), fabs (rate[i] - rate[3]));
  const double of_angle = log2 (fabs (angle[0] - angle[3]) / fabs (angle[2] - angle[3])) / 2;
  const double of_rate = log2 (fabs (rate[0] - rate[3]) / fabs (rate[2] - rate[3])) / 2;
  printf ("  orders in the pivot phase: position %.2f, velocity %.2f\n", of_angle, of_rate);
  SS_CHECK (of_angle > 2.7 && of_rate > 2.7);
  ss_scenario_free (scenario);
}

/* ---- parting below zero ------------------------------------------------------------------------------------------ */

/* An arm strikes a box at rest, pushes it and parts again. Its pins are put right where an element ends, which leaves
 * the contact closed some 1e-10 m below zero: where its force vanishes it parts from there. Each step has its elements
 * and those of its events; the motor's torques are those of a plan, to three digits. */
static void
test_parting_below_zero (void)
{
  enum { STEPS = 50 };
  static const double torques[STEPS][2] = {
      {0.0369, -0.0639}, {-0.286, 0.417}, {-0.157, 0.12}, {-0.2, 0.281},   {-0.0236, 0.155}, {-0.00362, 0.27},
      {0.104, 0.297},    {0.174, 0.395},  {0.251, 0.498}, {0.332, 0.6},    {0.427, 0.691},   {0.516, 0.759},
      {0.58, 0.815},     {0.617, 0.852},  {0.633, 0.865}, {0.636, 0.858},  {0.634, 0.836},   {0.624, 0.809},
      {0.607, 0.777},    {0.593, 0.735},  {0.573, 0.687}, {0.549, 0.631},  {0.535, 0.544},   {0.517, 0.463},
      {0.497, 0.421},    {0.476, 0.379},  {0.306, 0.224}, {0.0717, 0.246}, {-0.0574, 0.199}, {-0.0207, 0.157},
      {0.045, 0.139},    {0.114, 0.143},  {0.175, 0.169}, {0.296, 0.0213}, {0.268, 0.141},   {0.267, 0.147},
      {0.253, 0.151},    {0.234, 0.157},  {0.222, 0.156}, {0.219, 0.148},  {0.193, 0.16},    {0.192, 0.153},
      {0.194, 0.145},    {0.197, 0.137},  {0.2, 0.131},   {0.202, 0.127},  {0.207, 0.127},   {0.215, 0.131},
      {0.222, 0.136},    {0.229, 0.142}};
  SsScenario *scenario = ss_test_read_file ("examples/plans/arm-push-box.stickslip.json", NULL, 0);
  double t[STEPS];
  SsSimResult result = {0};

  if (scenario == NULL)
    return;
  for (int i = 0; i < STEPS; i++)
    t[i] = i * 0.05;
  double u[STEPS * 2];
  memcpy (u, torques, sizeof u);
  const SsControls controls = {.n_rows = STEPS, .n_actuators = 2, .t = t, .u = u};
  const SsSimJob job = {
      .scene = scenario->scene, .integrator = &ss_integrator_fesd_j, .dt = 0.05, .t_end = 2.5, .controls = &controls};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
  int n_parted = 0;
  for (int i = 0; i < result.events->n_items; i++)
    n_parted += result.events->items[i].kind == SS_EVENT_SEPARATION;
  printf ("  %d rows, %d separations, residual %.2e\n", result.trajectory->n_rows, n_parted,
          result.metrics.own_residual);
  SS_CHECK (n_parted > 0);
  SS_CHECK (result.trajectory->n_rows <= 2 * STEPS + 4 * result.events->n_items + 1);
  SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-9);
  ss_sim_result_clear (&result);
  ss_scenario_free (scenario);
}

/* ---- an element that ends where another body began -------------------------------------------------------------- */

/* A ball falls upon a floor whose own place is the middle of the scene: its one element would end just there, within
 * the floor. One stage of Radau's is the implicit Euler method, so that it strikes at the time h with y + h (v - g h) =
 * r. */
static void
test_element_ends_in_the_middle (void)
{
  const double y = 1, v = -9, r = 0.1, g = 10, step = 0.1;
  const char *const texts[] = {"scheme=radau-iia", "stages=1", "elements=1", NULL};
  _Alignas(max_align_t) char options[1024];
  SsSimResult result = {0};
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"b\", \"scene\": {\"gravity\": [0, -10], \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
      "{\"name\": \"ball\", \"mass\": 1, \"position\": [0, 1], \"velocity\": [0, -9], "
      "\"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]}}");

  ss_test_set_options (ss_integrator_fesd_j.options, options, texts, NULL);
  const SsSimJob job = {
      .scene = scenario->scene, .integrator = &ss_integrator_fesd_j, .options = options, .dt = step, .t_end = step};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, NULL) == SS_OK && result.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK_NEAR (y + step * (v - g * step), 0, 1e-15); /* where it would be */
  SS_CHECK (result.events->n_items > 0 && result.events->items[0].kind == SS_EVENT_IMPACT);
  if (result.events->n_items > 0)
    SS_CHECK_NEAR (result.events->items[0].t, (v + sqrt (v * v + 4 * g * (y - r))) / (2 * g), 1e-12);
  SS_CHECK_NEAR (ss_test_last_value (result.trajectory, "ball.y"), r, 1e-12);
  ss_sim_result_clear (&result);
  ss_scenario_free (scenario);
}

/* ---- a step that takes long -------------------------------------------------------------------------------------- */

/* A step of many elements ends within itself where the run should, and says so; without that it is whole. */
static void
test_step_is_ended (void)
{
  const SsOverride n = {"n", 10};
  SsScenario *scenario = ss_test_read_file ("data/bench/discs.stickslip.json", &n, 1);
  SsRunControl control;

  if (scenario == NULL)
    return;
  ss_run_control_init (&control);
  for (int i = 0; i < 2; i++) {
    SsSimulation *simulation = NULL;
    SsStepInfo info;
    SsError err = {0};

    SS_CHECK (ss_simulation_new (scenario->scene, &ss_integrator_fesd_j, NULL, &simulation, NULL) == SS_OK);
    ss_simulation_set_control (simulation, &control);
    SS_CHECK ((ss_simulation_step (simulation, 0.6, &info, &err) == SS_OK) == (i == 0));
    if (i == 1)
      SS_CHECK_CONTAINS (err.message, "ended within a step");
    SS_CHECK_NEAR (ss_simulation_state (simulation)->t, i == 0 ? 0.6 : 0, 0);
    ss_simulation_free (simulation);
    ss_run_control_cancel (&control);
  }
  ss_scenario_free (scenario);
}

/* ---- heaps ------------------------------------------------------------------------------------------------------- */

/* Heaps in which many points touch: an impact of 21 points that Lemke's method does not solve, a chain of 20 links far
 * from the origin, whose poses know its gaps less well. They complete, and the judge finds the bodies apart. */
static void
test_heaps (void)
{
  const struct {
    const char *file;
    double n, t_end;
  } cases[] = {{"data/bench/discs.stickslip.json", 20, 0.625},
               {"data/bench/chain-on-floor.stickslip.json", 20, 0.8},
               {"data/bench/discs.stickslip.json", 10, 1.1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const SsOverride n = {"n", cases[i].n};
    SsScenario *scenario = ss_test_read_file (cases[i].file, &n, 1);
    SsSimResult result = run (scenario->scene, &ss_integrator_fesd_j, 1.0 / 120, cases[i].t_end);
    SsMotionVerdict verdict = judge (scenario->scene, &result);
    printf ("  %s n=%g: residual %.2e, penetration %.2e, cone %.2e\n", cases[i].file, cases[i].n,
            result.metrics.own_residual, verdict.penetration.value, verdict.cone.value);
    SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-9);
    SS_CHECK_NEAR (verdict.penetration.value, 0, 1e-9);
    ss_motion_verdict_clear (&verdict);
    ss_sim_result_clear (&result);
    ss_scenario_free (scenario);
  }
}

/* Discs of all sizes fall between two walls and wedge: at slips that are given no forces obey the law, or none that
 * Lemke's method finds. Short time steps tell the modes, or the impact without a collision; without them piles 1 and 6
 * fail, the first at .839 s. */
static void
test_wedged_discs (void)
{
  const int seeds[] = {1, 2, 3, 4, 5, 6};
  for (int k = 0; k < (ss_test_is_long () ? 6 : 1); k++) {
    char text[4000];
    SsRandom random;
    ss_random_seed (&random, (uint64_t)seeds[k]);
    size_t used = (size_t)snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"pile\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.5, \"bodies\": ["
        "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
        "{\"name\": \"left\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 0]},"
        " \"position\": [-1.4, 0]},"
        "{\"name\": \"right\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [-1, 0]},"
        " \"position\": [1.4, 0]}");
    for (int i = 0; i < 20; i++)
      used += (size_t)snprintf (text + used, sizeof text - used,
                                ", {\"name\": \"d%d\", \"shape\": {\"type\": \"circle\", \"radius\": %.6f},"
                                " \"mass\": %.6f, \"position\": [%.6f, %.6f], \"velocity\": [%.6f, %.6f]}",
                                i, ss_random_between (&random, 0.15, 0.25), ss_random_between (&random, 0.5, 2),
                                (i % 4 - 1.5) * 0.55 + ss_random_between (&random, -0.02, 0.02),
                                0.3 + i / 4 * 0.55 + ss_random_between (&random, -0.02, 0.02),
                                ss_random_between (&random, -1, 1), ss_random_between (&random, -1, 1));
    snprintf (text + used, sizeof text - used, "]}}");
    SsScenario *scenario = ss_test_read_text (text);
    SsSimResult result = run (scenario->scene, &ss_integrator_fesd_j, 0.01, ss_test_is_long () ? 1.2 : 0.85);
    SsMotionVerdict verdict = judge (scenario->scene, &result);
    printf ("  seed %d: residual %.2e, penetration %.2e, cone %.2e\n", seeds[k], result.metrics.own_residual,
            verdict.penetration.value, verdict.cone.value);
    SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-8); /* noise of rests that is carried through wedges */
    SS_CHECK_NEAR (verdict.penetration.value, 0, 1e-9);
    ss_motion_verdict_clear (&verdict);
    ss_sim_result_clear (&result);
    ss_scenario_free (scenario);
  }
}

/* A disc that lies on the floor pushes a box to whose side it sticks: either may bear its weight, and the friction
 * under the box slows by how much it bears. Which it is must not hang on roundings: starts that differ by some end side
 * by side. What the bodies do to each other is of order 1, so that an honest difference is that of the starts, times a
 * few. */
static void
test_shared_weight (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"lean\", \"scene\": {\"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.3}, \"mass\": 1,"
      " \"position\": [%.17g, 0.15]},"
      "{\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 0.5, \"lock\": [\"theta\"],"
      " \"position\": [-0.4, 0.1], \"velocity\": [0.5, 0]}],"
      "\"contacts\": [{\"bodies\": [\"floor\", \"box\"], \"friction\": 0.3},"
      " {\"bodies\": [\"box\", \"disc\"], \"friction\": 0.2}, {\"bodies\": [\"floor\", \"disc\"], \"friction\": 0}],"
      "\"forces\": [{\"name\": \"f\", \"body\": \"disc\", \"force\": [\"4+sin(5*t)\", \"0.2*sin(9*t)\"]}]}}";
  const double starts[] = {0, 3.4e-12, -1e-11};
  double ends[3];
  for (int i = 0; i < 3; i++) {
    char own[sizeof text + 40];
    snprintf (own, sizeof own, text, starts[i]);
    SsScenario *scenario = ss_test_read_text (own);
    SsSimResult result = run (scenario->scene, &ss_integrator_fesd_j, 0.04, 1);
    const int column = ss_trajectory_channel (result.trajectory, "box.x");
    ends[i] = ss_trajectory_row (result.trajectory, result.trajectory->n_rows - 1)[column];
    SS_CHECK_NEAR (ends[i], ends[0], 1e-9);
    ss_sim_result_clear (&result);
    ss_scenario_free (scenario);
  }
  SS_CHECK (ends[0] > 0.5); /* it was pushed */
}

int
main (void)
{
  SS_RUN (test_switching_formulas);
  SS_RUN (test_rod_orders);
  SS_RUN (test_slider_crank_with_a_stop);
  SS_RUN (test_four_bar);
  SS_RUN (test_accumulation_is_explained);
  SS_RUN_SLOW (test_dominoes);
  SS_RUN (test_parting_below_zero);
  SS_RUN (test_element_ends_in_the_middle);
  SS_RUN (test_step_is_ended);
  SS_RUN_SLOW (test_heaps);
  SS_RUN_SLOW (test_wedged_discs);
  SS_RUN (test_shared_weight);
  return ss_test_finish ();
}
