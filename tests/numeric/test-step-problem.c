/* tests/numeric/test-step-problem.c: contact problems of single steps: closed forms of one point by every solver, a
 * problem with three solutions, problems drawn at random, those that simulations solve, and what is no problem; the
 * judge sees a wrong digit. */
#include "contact/ss-step-rows.h"
#include "contact/ss-step-solver.h"
#include "contact/ss-step-take.h"
#include "core/ss-random.h"
#include "simulate/ss-simulate.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const SsStepLimits limits = {.absolute = 1e-9, .cpu_seconds = INFINITY};
/* Impulses and velocities of a problem of numbers near 1 whose residual is 1e-9 at most. */
static const double near = 1e-7;

/* ---- making problems --------------------------------------------------------------------------------------------- */

static SsSparse
dense (int n_rows, int n_columns, const double *x)
{
  int row[400], column[400], n = 0;
  double value[400];
  SsSparse out = {0};
  for (int i = 0; i < n_rows; i++)
    for (int j = 0; j < n_columns; j++)
      if (x[i * n_columns + j] != 0) {
        row[n] = i;
        column[n] = j;
        value[n++] = x[i * n_columns + j];
      }
  SS_CHECK (ss_sparse_new (n_rows, n_columns, n, row, column, value, &out, NULL) == SS_OK);
  return out;
}

/* A point on a body with M = diag (m, m, I), normal row (0, 1, a), tangent row (1, 0, c); u_n = H v + b. */
static SsStepProblem *
one_point (double mass, double inertia, double a, double c, double vx, double vy, double b, double mu)
{
  SsStepProblem *problem = NULL;
  SS_CHECK (ss_step_problem_new (3, 1, 0, &problem, NULL) == SS_OK);
  problem->M = dense (3, 3, (double[]){mass, 0, 0, 0, mass, 0, 0, 0, inertia});
  problem->H = dense (2, 3, (double[]){0, 1, a, 1, 0, c});
  problem->v_free[0] = vx;
  problem->v_free[1] = vy;
  problem->b[0] = b;
  problem->mu[0] = mu;
  SS_CHECK (ss_step_problem_finish (problem, SS_STEP_DERIVE_Q, NULL) == SS_OK);
  return problem;
}

static double
judge_of (const SsStepProblem *problem, const double *r, const double *p, int *worst)
{
  SsStepJudge *judge = NULL;
  SS_CHECK (ss_step_judge_new (problem, &judge, NULL) == SS_OK);
  const double residual = ss_step_judge_residual (judge, r, p, worst);
  ss_step_judge_free (judge);
  return residual;
}

/* ---- one point --------------------------------------------------------------------------------------------------- */

/* By every solver; `is_reduced`: without its body, by those that can. */
static void
check_one (SsStepProblem *problem, const char *what, double rn, double rt)
{
  int n;
  const SsStepSolver *solvers = ss_step_solvers (&n);
  SsStepProblem *reduced = NULL;
  SS_CHECK (ss_step_problem_reduce (problem, &reduced, NULL) == SS_OK);
  SS_CHECK (judge_of (problem, (double[]){rn, rt}, NULL, NULL) <= 4 * DBL_EPSILON);
  for (int i = 0; i < 2 * n; i++) {
    const SsStepSolver *solver = &solvers[i / 2];
    SsStepResult result;
    SS_CHECK (ss_step_solve (solver, i % 2 == 0 ? problem : reduced, &limits, NULL, &result, NULL) == SS_OK);
    if (i % 2 == 1 && solver->needs_bodies && solver->go_reduced == NULL) {
      SS_CHECK (!result.applies && result.outcome == SS_OUTCOME_FAILED);
    } else {
      SS_CHECK (result.applies);
      if (result.outcome != SS_OUTCOME_SOLVED)
        printf ("%s, %s: %s, residual %g\n", what, solver->name, ss_outcome_name (result.outcome), result.residual);
      SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.residual <= limits.absolute);
      SS_CHECK_NEAR (result.r[0], rn, near);
      SS_CHECK_NEAR (result.r[1], rt, near);
      SS_CHECK (result.n_samples > 0 && result.samples[result.n_samples - 1].residual <= limits.absolute);
    }
    ss_step_result_clear (&result);
  }
  ss_step_problem_free (reduced);
  ss_step_problem_free (problem);
}

/* A ball of 2 kg: it strikes the floor with 1 m/s and 0.3 m/s of slip, which takes 2 N s and 0.6 N s to stop. */
static void
test_one_point (void)
{
  check_one (one_point (2, 1, 0, 0, 0.3, -1, 0, 0.5), "sticks", 2, -0.6);
  check_one (one_point (2, 1, 0, 0, 0.3, -1, 0, 0.1), "slides", 2, -0.2);
  check_one (one_point (2, 1, 0, 0, -0.3, -1, 0, 0.1), "slides the other way", 2, 0.2);
  check_one (one_point (2, 1, 0, 0, 0.3, -1, 0, 0), "without friction", 2, 0);
  check_one (one_point (2, 1, 0, 0, 0.3, 1, 0, 0.5), "separates", 0, 0);
  check_one (one_point (2, 1, 0, 0, 0.3, -1, 1.5, 0.5), "is far", 0, 0);
  check_one (one_point (2, 1, 0, 0, 0.3, -1, -0.5, 0.5), "is pushed out, or bounces", 3, -0.6);
}

/* W = [2 1; 1 2], mu = 3: pushing while it slides to the right pulls the point into the floor (P. Painleve). With u
 * = (1, 8) without impulses the point may be free, slide (r_n = 1, r_t = -3: u_n = 1 + 2 - 3, u_t = 8 + 1 - 6) or
 * stick (W r = -(1, 8): r = (2, -5)), all three by Coulomb's law. Every solver finds one of them, and nothing
 * between them is one. */
static void
test_three_answers (void)
{
  static const double answers[3][2] = {{0, 0}, {1, -3}, {2, -5}};
  SsStepProblem *problem = one_point (1, 1, 1, 1, 8, 1, 0, 3);
  int n;
  const SsStepSolver *solvers = ss_step_solvers (&n);
  for (int i = 0; i < 3; i++) {
    SS_CHECK (judge_of (problem, answers[i], NULL, NULL) <= 8 * DBL_EPSILON);
    const double *next = answers[(i + 1) % 3];
    SS_CHECK (judge_of (problem, (double[]){0.5 * (answers[i][0] + next[0]), 0.5 * (answers[i][1] + next[1])}, NULL,
                        NULL) > 0.1);
  }
  /* what nothing touches is an answer already: without impulses as a start, others are found */
  problem->v_free[1] = -0.5;
  SS_CHECK (ss_step_problem_finish (problem, SS_STEP_DERIVE_Q, NULL) == SS_OK);
  for (int i = 0; i < n; i++) { /* u = (-0.5, 8): sticks alone, W r = (0.5, -8), r = (3, -5.5) */
    SsStepResult result;
    SS_CHECK (ss_step_solve (&solvers[i], problem, &limits, NULL, &result, NULL) == SS_OK);
    if (result.outcome == SS_OUTCOME_SOLVED) {
      SS_CHECK_NEAR (result.r[0], 3, near);
      SS_CHECK_NEAR (result.r[1], -5.5, near);
    } else {
      SS_CHECK (result.outcome == SS_OUTCOME_STALLED && result.residual > limits.absolute);
    }
    if (strcmp (solvers[i].name, "step") == 0 || strcmp (solvers[i].name, "path") == 0)
      SS_CHECK (result.outcome == SS_OUTCOME_SOLVED); /* Lemke's path ends at an answer */
    ss_step_result_clear (&result);
  }
  ss_step_problem_free (problem);
}

/* ---- drawn at random --------------------------------------------------------------------------------------------- */

enum { BODIES = 4, POINTS = 7 };

/* Points between bodies, or a body and the floor; joints between the last two. */
static SsStepProblem *
drawn (uint64_t seed, double mu, int n_joints)
{
  SsRandom random;
  SsStepProblem *problem = NULL;
  double M[9 * BODIES * BODIES] = {0}, H[2 * POINTS * 3 * BODIES] = {0}, G[2 * 3 * BODIES] = {0};
  ss_random_seed (&random, seed);
  SS_CHECK (ss_step_problem_new (3 * BODIES, POINTS, n_joints, &problem, NULL) == SS_OK);
  for (int i = 0; i < 3 * BODIES; i++) {
    M[i * (3 * BODIES + 1)] = 0.5 + ss_random_uniform (&random);
    problem->v_free[i] = 2 * ss_random_uniform (&random) - 1;
  }
  for (int i = 0; i < POINTS; i++) {
    const double angle = 2 * ss_random_uniform (&random), n[2] = {sin (angle), cos (angle)}, t[2] = {n[1], -n[0]};
    for (int side = 0; side < 2; side++) {
      const int body = (i + side) % (BODIES + 1);
      const double x = ss_random_uniform (&random) - 0.5, y = ss_random_uniform (&random) - 0.5, sign = side ? 1 : -1;
      if (body == BODIES)
        continue;
      for (int row = 0; row < 2; row++) {
        const double *e = row == 0 ? n : t;
        double *h = H + (2 * i + row) * 3 * BODIES + 3 * body;
        h[0] = sign * e[0];
        h[1] = sign * e[1];
        h[2] = sign * (x * e[1] - y * e[0]);
      }
    }
    problem->b[2 * i] = 0.2 * ss_random_uniform (&random);
    problem->mu[i] = mu;
  }
  for (int i = 0; i < n_joints; i++) {
    G[i * 3 * BODIES + 3 * (BODIES - 2) + i] = -1;
    G[i * 3 * BODIES + 3 * (BODIES - 1) + i] = 1;
  }
  problem->M = dense (3 * BODIES, 3 * BODIES, M);
  problem->H = dense (2 * POINTS, 3 * BODIES, H);
  if (n_joints > 0)
    problem->G = dense (n_joints, 3 * BODIES, G);
  SS_CHECK (ss_step_problem_finish (problem, SS_STEP_DERIVE_Q, NULL) == SS_OK);
  return problem;
}

/* The residual as the head of ss-step-problem.h writes it, with dense loops over a diagonal M; *worst likewise. */
static double
residual_of (const SsStepProblem *problem, const double *r, const double *p, int *worst)
{
  const int n = problem->n_velocities, m = problem->n_contacts;
  double v[3 * BODIES], largest = 0;
  for (int i = 0; i < n; i++) {
    double impulse = 0;
    for (int k = 0; k < 2 * m; k++)
      impulse += ss_sparse_get (&problem->H, k, i) * r[k];
    for (int k = 0; k < problem->n_joints; k++)
      impulse += ss_sparse_get (&problem->G, k, i) * p[k];
    v[i] = problem->v_free[i] + impulse / ss_sparse_get (&problem->M, i, i);
  }
  for (int k = 0; k < 2 * m + problem->n_joints; k++) {
    const bool is_joint = k >= 2 * m;
    const int row = is_joint ? k - 2 * m : k;
    const SsSparse *jacobian = is_joint ? &problem->G : &problem->H;
    const double compliance = is_joint ? problem->joint_compliance[row] : problem->compliance[row],
                 own = r[k % (2 * m)];
    double u = is_joint ? problem->joint_bias[row] + compliance * p[row] : problem->b[row] + compliance * own, here, w;
    w = compliance;
    for (int i = 0; i < n; i++) {
      const double h = ss_sparse_get (jacobian, row, i);
      u += h * v[i];
      w += h * h / ss_sparse_get (&problem->M, i, i);
    }
    if (is_joint) {
      here = fabs (u);
    } else if (row % 2 == 0) {
      here = w * fabs (own - fmax (own - u / w, problem->least[row / 2]));
    } else {
      const double bound = problem->mu[row / 2] * fmax (r[row - 1], 0);
      here = w * fabs (own - fmin (fmax (own - u / w, -bound), bound));
    }
    if (here > largest) {
      largest = here;
      *worst = is_joint ? m + row : row / 2;
    }
  }
  return largest;
}

/* Every row has a compliance, a bias, a bound and a least impulse of its own, and each is once the one that misses
 * most; numbers of order 1, so that 1e-12 is some thousand roundings. */
static void
test_residual (void)
{
  SsRandom random;
  ss_random_seed (&random, 7);
  for (int k = 0; k < 2 * POINTS + 2; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      SsStepProblem *problem = drawn (100 + (uint64_t)k, 0.3, 2);
      double r[2 * POINTS], p[2];
      int expected = -1, worst = -1;
      for (int i = 0; i < 2 * POINTS; i++) {
        problem->compliance[i] = ss_random_uniform (&random);
        problem->b[i] = ss_random_uniform (&random) - 0.5;
        problem->mu[i / 2] = ss_random_uniform (&random);
        problem->least[i / 2] = i % 3 == 0 ? ss_random_uniform (&random) : 0;
        r[i] = ss_random_uniform (&random) - (i % 2 == 0 ? 0.2 : 0.5);
      }
      for (int i = 0; i < 2; i++) {
        problem->joint_compliance[i] = ss_random_uniform (&random);
        problem->joint_bias[i] = ss_random_uniform (&random) - 0.5;
        p[i] = ss_random_uniform (&random) - 0.5;
      }
      *(k < 2 * POINTS ? &problem->b[k] : &problem->joint_bias[k - 2 * POINTS]) += 20. * sign;
      SS_CHECK (ss_step_problem_finish (problem, SS_STEP_DERIVE_Q, NULL) == SS_OK);
      const double residual = residual_of (problem, r, p, &expected);
      SS_CHECK_NEAR (judge_of (problem, r, p, &worst), residual, 1e-12);
      SS_CHECK (worst == expected);
      ss_step_problem_free (problem);
    }
}

/* Without friction the step is a convex problem in the velocities, which are unique whatever impulses there are. */
static void
test_agree (void)
{
  int n;
  const SsStepSolver *solvers = ss_step_solvers (&n);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    SsStepProblem *problem = drawn (seed, 0, seed % 3 == 0 ? 2 : 0);
    SsStepJudge *judge = NULL;
    double v[3 * BODIES] = {0};
    bool has_v = false;
    SS_CHECK (ss_step_judge_new (problem, &judge, NULL) == SS_OK);
    for (int i = 0; i < n; i++) {
      SsStepResult result;
      SS_CHECK (ss_step_solve (&solvers[i], problem, &limits, NULL, &result, NULL) == SS_OK);
      if (result.outcome != SS_OUTCOME_SOLVED)
        printf ("seed %d, %s: %s\n", (int)seed, solvers[i].name, result.message);
      SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
      SS_CHECK_NEAR (ss_step_judge_residual (judge, result.r, result.p, NULL), result.residual, 0);
      for (int k = 0; k < 3 * BODIES; k++) { /* the condition of W of few points is 1e4 at most */
        if (has_v)
          SS_CHECK_NEAR (ss_step_judge_velocities (judge)[k], v[k], 1e4 * limits.absolute);
        v[k] = has_v ? v[k] : ss_step_judge_velocities (judge)[k];
      }
      has_v = true;
      ss_step_result_clear (&result);
    }
    ss_step_judge_free (judge);
    ss_step_problem_free (problem);
  }
}

/* With friction: the step's own method solves all, and an answer that is wrong in one digit is none. */
static void
test_wrong_digit (void)
{
  for (uint64_t seed = 1; seed <= 20; seed++) {
    SsStepProblem *problem = drawn (seed, 0.4, seed % 3 == 0 ? 2 : 0);
    SsStepResult result;
    SS_CHECK (ss_step_solve (ss_step_solver_find ("step"), problem, &limits, NULL, &result, NULL) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    for (int i = 0; i < 2 * POINTS; i++) {
      const double was = result.r[i];
      int worst;
      if (was == 0)
        continue;
      result.r[i] *= 1 + 1e-5; /* the sixth digit */
      /* a row moves itself by w dr, or leaves its bound by that; w is 0.6 at least: 1/M of a body */
      const double residual = judge_of (problem, result.r, result.p, &worst);
      SS_CHECK (residual >= 0.1 * 1e-5 * fabs (was) - limits.absolute);
      SS_CHECK (worst >= 0 && worst < POINTS + problem->n_joints);
      result.r[i] = was;
    }
    result.r[0] = NAN;
    SS_CHECK (isnan (judge_of (problem, result.r, result.p, NULL)));
    ss_step_result_clear (&result);
    ss_step_problem_free (problem);
  }
}

/* Reduced to its contacts, joints out of it, a problem has the same answers and the same residual. */
static void
test_reduced (void)
{
  for (uint64_t seed = 1; seed <= 10; seed++) {
    SsStepProblem *problem = drawn (seed, 0.4, 2), *reduced = NULL;
    SsStepResult result;
    SS_CHECK (ss_step_problem_reduce (problem, &reduced, NULL) == SS_OK);
    SS_CHECK (ss_step_problem_is_reduced (reduced) && reduced->n_joints == 0);
    SS_CHECK (ss_step_solve (ss_step_solver_find ("step"), problem, &limits, NULL, &result, NULL) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    /* what joints miss, 1e-9, comes back through them */
    SS_CHECK (judge_of (reduced, result.r, NULL, NULL) <= 100 * limits.absolute);
    ss_step_result_clear (&result);
    ss_step_problem_free (reduced);
    ss_step_problem_free (problem);
  }
}

/* ---- those of simulations ---------------------------------------------------------------------------------------- */

typedef struct {
  int n, n_steps, n_joints, n_least;
  double worst, worst_v, worst_again;
} Seen;

static void
count_step (void *owner, double t, double h)
{
  Seen *seen = owner;
  SS_CHECK (t >= 0 && h > 0);
  seen->n_steps++;
}

static void
look (void *owner, const SsContactProblem *problem, const double *v_free, const double *v, double residual)
{
  Seen *seen = owner;
  SsStepProblem *taken = NULL;
  SsStepJudge *judge = NULL;
  SS_CHECK (ss_step_problem_take (problem, v_free, v, residual, &taken, NULL) == SS_OK);
  SS_CHECK (ss_step_judge_new (taken, &judge, NULL) == SS_OK);
  SS_CHECK (ss_step_bodies_fit (taken) && taken->has_answer);
  seen->worst = fmax (seen->worst, ss_step_judge_residual (judge, taken->r, taken->p, NULL));
  for (int i = 0; i < taken->n_velocities; i++)
    seen->worst_v = fmax (seen->worst_v, fabs (ss_step_judge_velocities (judge)[i] - taken->v[i]));
  seen->n_joints += taken->n_joints;
  for (int i = 0; i < taken->n_contacts; i++)
    seen->n_least += taken->least[i] > 0;
  if (seen->n++ % 7 == 0) {
    SsStepResult result;
    SS_CHECK (ss_step_solve (ss_step_solver_find ("step"), taken, &limits, NULL, &result, NULL) == SS_OK);
    seen->worst_again = fmax (seen->worst_again, result.residual);
    ss_step_result_clear (&result);
  }
  ss_step_judge_free (judge);
  ss_step_problem_free (taken);
}

static Seen
watch (const SsScene *scene, const SsIntegratorClass *integrator, double dt, double t_end)
{
  Seen seen = {0};
  const SsContactWatch watch = {&seen, count_step, look};
  SsSimResult result = {0};
  SsError err = {0};
  const SsStatus status = ss_simulate_job (
      &(SsSimJob){.scene = scene, .integrator = integrator, .dt = dt, .t_end = t_end, .contacts = &watch}, NULL,
      &result, &err);
  if (status != SS_OK)
    printf ("%s\n", err.message);
  SS_CHECK (status == SS_OK && result.outcome == SS_OUTCOME_COMPLETED);
  ss_sim_result_clear (&result);
  return seen;
}

/* What a step solved is solved as a thing of its own, with the same velocities: contacts and joints, limits, motors,
 * bounces, belts and springs that are driven, to the rounding of impulses of some 10 N s. */
static void
test_taken (void)
{
  static const char *const files[] = {
      "examples/classics/rocking-block.stickslip.json", "examples/classics/slider-crank.stickslip.json",
      "examples/classics/belt-block.stickslip.json",    "examples/classics/newtons-cradle.stickslip.json",
      "examples/classics/four-bar.stickslip.json",      "examples/classics/slack-rope.stickslip.json",
      "examples/classics/card-house.stickslip.json",    "examples/classics/sticky-ceiling.stickslip.json"};
  int n_joints = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    for (int k = 0; k < 2; k++) {
      SsScenario *scenario = ss_test_read_file (files[i], NULL, 0);
      const SsIntegratorClass *integrator = k == 0 ? &ss_integrator_stewart_trinkle : &ss_integrator_moreau_jean;
      if (scenario == NULL || ss_integrator_check_scene (integrator, NULL, scenario->scene, NULL) != SS_OK) {
        ss_scenario_free (scenario);
        continue;
      }
      const Seen seen = watch (scenario->scene, integrator, 0.01, 0.3);
      SS_CHECK (seen.n >= 30 && seen.n_steps >= 30);
      if (!(seen.worst <= 1e-9 && seen.worst_v <= 1e-9 && seen.worst_again <= 1e-9))
        printf ("%s, %s: residual %g, again %g, velocities %g\n", files[i], integrator->name, seen.worst,
                seen.worst_again, seen.worst_v);
      SS_CHECK (seen.worst <= 1e-9);
      SS_CHECK (seen.worst_v <= 1e-9);
      SS_CHECK (seen.worst_again <= 1e-9);
      n_joints += seen.n_joints;
      ss_scenario_free (scenario);
    }
  SS_CHECK (n_joints > 0);
}

static void
test_refused (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  Seen seen = {0};
  const SsContactWatch watch = {&seen, count_step, look};
  SsSimResult result = {0};
  SsError err = {0};
  const SsSimJob job = {.scene = scenario->scene,
                        .integrator = &ss_integrator_convex_time_stepping,
                        .dt = 0.01,
                        .t_end = 0.1,
                        .contacts = &watch};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "convex-time-stepping");
  ss_scenario_free (scenario);
}

/* ---- limits, and what is no problem ------------------------------------------------------------------------------ */

static void
test_limits (void)
{
  SsStepProblem *problem = drawn (3, 0.4, 2);
  const SsStepLimits few = {.absolute = 0, .iterations = 3, .cpu_seconds = INFINITY},
                     no_time = {.absolute = 0, .cpu_seconds = 0},
                     relative = {.absolute = 0, .relative = 0.5, .cpu_seconds = INFINITY};
  SsStepResult result;
  SS_CHECK (ss_step_solve (ss_step_solver_find ("gauss-seidel"), problem, &few, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_MAX_ITERATIONS && result.iterations == 3);
  ss_step_result_clear (&result);
  SS_CHECK (ss_step_solve (ss_step_solver_find ("admm"), problem, &no_time, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_CPU_LIMIT && result.iterations == 0);
  ss_step_result_clear (&result);
  SS_CHECK (ss_step_solve (ss_step_solver_find ("gauss-seidel"), problem, &relative, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.residual <= result.tolerance && result.tolerance > 0.1);
  ss_step_result_clear (&result);
  SS_CHECK (ss_step_solver_find ("newtn") == NULL);
  ss_step_problem_free (problem);
}

static void
check_bad (SsStepProblem *problem, const char *path)
{
  SsError err = {0};
  SS_CHECK (ss_step_problem_finish (problem, SS_STEP_DERIVE_Q, &err) != SS_OK);
  SS_CHECK_STR (err.path, path);
  ss_step_problem_free (problem);
}

static void
test_bad (void)
{
  SsStepProblem *problem = one_point (2, 1, 0, 0, 0.3, -1, 0, 0.5);
  problem->mu[0] = -0.1;
  check_bad (problem, "mu[0]");
  problem = one_point (2, 1, 0, 0, 0.3, -1, 0, 0.5);
  problem->b[1] = NAN;
  check_bad (problem, "b[1]");
  problem = one_point (2, 1, 0, 0, 0.3, -1, 0, 0.5);
  ss_sparse_clear (&problem->M);
  problem->M = dense (3, 3, (double[]){1, 0.5, 0, 0, 1, 0, 0, 0, 1});
  check_bad (problem, "M");
  problem = one_point (2, 1, 0, 0, 0.3, -1, 0, 0.5);
  ss_sparse_clear (&problem->H);
  problem->H = dense (1, 3, (double[]){0, 1, 0});
  check_bad (problem, "H");
  problem = one_point (2, 1, 0, 0, 0.3, -1, 0, 0.5);
  ss_sparse_clear (&problem->M);
  problem->M = dense (3, 3, (double[]){1, 2, 0, 2, 1, 0, 0, 0, 1});
  check_bad (problem, ""); /* not positive definite */
}

/* A mass matrix that is no diagonal: no bodies, and the same answer by the solvers that need none. */
static void
test_full_mass (void)
{
  SsStepProblem *problem = drawn (5, 0.3, 0), *reduced = NULL;
  SsStepResult result;
  const int n = 3 * BODIES;
  double M[9 * BODIES * BODIES] = {0};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      M[i * n + j] = i == j ? 2 : 1. / (1 + abs (i - j)) / n;
  ss_sparse_clear (&problem->M);
  problem->M = dense (n, n, M);
  SS_CHECK (ss_step_problem_finish (problem, SS_STEP_DERIVE_Q, NULL) == SS_OK);
  SS_CHECK (!ss_step_bodies_fit (problem));
  SS_CHECK (ss_step_solve (ss_step_solver_find ("gauss-seidel"), problem, &limits, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (ss_step_problem_reduce (problem, &reduced, NULL) == SS_OK);
  SS_CHECK_NEAR (judge_of (reduced, result.r, NULL, NULL), result.residual, 1e-13); /* rounding of M^-1 */
  ss_step_result_clear (&result);
  ss_step_problem_free (reduced);
  ss_step_problem_free (problem);
}

int
main (void)
{
  SS_RUN (test_one_point);
  SS_RUN (test_three_answers);
  SS_RUN (test_residual);
  SS_RUN (test_agree);
  SS_RUN (test_wrong_digit);
  SS_RUN (test_reduced);
  SS_RUN (test_taken);
  SS_RUN (test_refused);
  SS_RUN (test_limits);
  SS_RUN (test_bad);
  SS_RUN (test_full_mass);
  return ss_test_finish ();
}
