/* tests/numeric/test-finish.c: the second-order finish and its certificate: small MPCCs with known answers, the branch
 * solver against Ipopt on the same smooth problem, and models against their own rows.
 *
 * Tolerances: values of linear programs that descend are known to a hundredth of themselves (the gap), proofs of
 * the opposite to the 1e-6 that they are asked for, branch problems
 * to a barrier of 1e-10. */
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-auto.h"
#include "nlp/ss-branch.h"
#include "nlp/ss-finish.h"
#include "nlp/ss-interior.h"
#include "nlp/ss-lpcc.h"
#include "nlp/ss-scholtes.h"
#include "ss-test-letters.h"
#include "ss-test-scenario.h"

#include <stdlib.h>

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

static const int first_pair[][3] = {{2, 0, 1}};

static SsLpccResult
certify (SsMpcc *mpcc, const double *x, const signed char *zero, double rho, double *p)
{
  const SsLpccOptions options = {rho, 1e-6, 1e-9, 40, false};
  SsLpcc *lpcc = NULL;
  SsLpccResult result;
  SsBounds bounds;
  SsError err;
  char crossing[256];

  SS_CHECK (ss_bounds_init (&bounds, mpcc, SS_BOUNDS_EXACT, &err) == SS_OK);
  SS_CHECK (ss_bounds_update (&bounds, crossing, sizeof crossing));
  SS_CHECK (ss_lpcc_new (mpcc, &bounds, &lpcc, &err) == SS_OK);
  SS_CHECK (ss_lpcc_solve (lpcc, x, zero, NULL, &options, NULL, &result, &err) == SS_OK);
  memcpy (p, result.p, (size_t)ss_mpcc_n_variables (mpcc) * sizeof (double));
  result.p = NULL;
  result.zero = NULL;
  ss_lpcc_free (lpcc);
  ss_bounds_clear (&bounds);
  return result;
}

/* y: multipliers of the rows, or NULL. */
static SsFinishResult
finish_with (SsMpcc *mpcc, const double *x0, const double *y, double *x)
{
  SsFinishOptions options;
  SsFinish *f = NULL;
  SsFinishResult result;
  SsError err;

  ss_finish_options_init (&options);
  SS_CHECK (ss_finish_new (mpcc, &f, &err) == SS_OK);
  SS_CHECK (ss_finish_run (f, x0, y, &options, NULL, &result, &err) == SS_OK);
  memcpy (x, result.x, (size_t)ss_mpcc_n_variables (mpcc) * sizeof (double));
  result.x = NULL;
  ss_finish_free (f);
  return result;
}

static SsFinishResult
finish (SsMpcc *mpcc, const double *x0, double *x)
{
  return finish_with (mpcc, x0, NULL, x);
}

/* ---- certificates ------------------------------------------------------------------------------------------------ */

/* (a - 1)^2 + (b - 1)^2 with 0 <= a _|_ b >= 0 at the origin: either branch descends by 2 rho, to a = 1 or b = 1. */
static void
test_descent (void)
{
  const char *const rows[] = {"a", "b", "-a*b", NULL};
  SsMpcc *mpcc = ss_test_build_letters (2, "(a - 1)^2 + (b - 1)^2", NULL, rows, 1, first_pair);
  const double origin[2] = {0, 0};
  double p[2], x[2];
  SsLpccResult r = certify (mpcc, origin, (signed char[]){SS_ZERO_A}, 0.1, p);

  SS_CHECK (r.is_descent && r.n_biactive == 1 && !r.is_unknown);
  SS_CHECK_NEAR (r.descent, -0.2, 0.01 * 0.2);
  SS_CHECK (r.bound <= -0.2 && r.bound >= -1.02 * 0.4); /* the relaxation descends on both sides */
  SS_CHECK_NEAR (fmin (p[0], p[1]), 0, 1e-6);
  SsFinishResult f = finish (mpcc, origin, x);
  SS_CHECK (f.is_b_stationary && f.is_improved && f.rounds >= 1);
  SS_CHECK_NEAR (f.objective, 1, 1e-7);
  SS_CHECK_NEAR (fmax (x[0], x[1]), 1, 1e-7);
  SS_CHECK (x[0] * x[1] == 0); /* the zero side is exactly zero */
  SS_CHECK (strncmp (f.text, "B-stationary", 12) == 0);
  ss_mpcc_free (mpcc);
}

/* The same, with multipliers: of two sides that are both zero, that with the larger one stays zero. Both answers are
 * minima of the same objective, so that only the multipliers say which is found. */
static void
test_side_of_multipliers (void)
{
  const char *const rows[] = {"a", "b", "-a*b", NULL};
  SsMpcc *mpcc = ss_test_build_letters (2, "(a - 1)^2 + (b - 1)^2", NULL, rows, 1, first_pair);
  const double origin[2] = {0, 0}, y[2][3] = {{3, 1, 0}, {1, 3, 0}};

  for (int i = 0; i < 2; i++) {
    double x[2];
    SsFinishResult f = finish_with (mpcc, origin, y[i], x);
    SS_CHECK (f.is_b_stationary && f.is_improved);
    SS_CHECK (x[i] == 0);
    SS_CHECK_NEAR (x[1 - i], 1, 1e-7);
  }
  ss_mpcc_free (mpcc);
}

/* a + 2 b: S-stationary at the origin (multipliers 1 and 2), one relaxation proves it. */
static void
test_s_stationary (void)
{
  const char *const rows[] = {"a", "b", "-a*b", NULL};
  SsMpcc *mpcc = ss_test_build_letters (2, "a + 2*b", NULL, rows, 1, first_pair);
  const double origin[2] = {0, 0};
  double p[2];
  SsLpccResult r = certify (mpcc, origin, (signed char[]){SS_ZERO_B}, 0.1, p);

  SS_CHECK (!r.is_descent && r.bound >= -1e-6 && r.bound <= 1e-6 && r.n_nodes == 1);
  ss_mpcc_free (mpcc);
}

/* Scheel and Scholtes (Math. Oper. Res. 25 (2000), example 3): min a + b - c, 4 a - c >= 0, 4 b - c >= 0, a _|_ b. The
 * origin is the minimum, B-stationary but not S-stationary: the relaxation gains a = b = rho/4, c = rho, so that the
 * pair must be branched on. */
static void
test_branching (void)
{
  const char *const rows[] = {"a", "b", "-a*b", "4*a - c", "4*b - c", NULL};
  SsMpcc *mpcc = ss_test_build_letters (3, "a + b - c", NULL, rows, 1, first_pair);
  const double origin[3] = {0, 0, 0};
  double p[4], x[3];
  SsLpccResult r = certify (mpcc, origin, (signed char[]){SS_ZERO_A}, 0.1, p);

  SS_CHECK (!r.is_descent && r.bound >= -1e-6 && r.n_nodes >= 3);
  SsFinishResult f = finish (mpcc, origin, x);
  SS_CHECK_CONTAINS (f.text, "B-stationary: ");
  SS_CHECK (f.is_b_stationary);
  SS_CHECK_NEAR (f.objective, 0, 1e-6);
  ss_mpcc_free (mpcc);

  /* With c cheaper than the detour the branches descend, and there is no minimum within reach of the box. */
  mpcc = ss_test_build_letters (4, "a + b - c + d", (const char *const[]){"d + c", NULL}, rows, 1, first_pair);
  const double higher[4] = {0, 0, -0.2, 0.2};
  r = certify (mpcc, higher, (signed char[]){SS_ZERO_A}, 0.1, p);
  SS_CHECK (r.is_descent);
  SS_CHECK_NEAR (r.descent, -0.2, 0.01 * 0.2); /* c by 0.1 up, d by 0.1 down */
  ss_mpcc_free (mpcc);
}

/* A slope that is small beside 1 within the box is no descent there; what it would add up to is not denied. */
static void
test_longer_ways (void)
{
  const struct {
    const char *cost, *rows[3];
    bool is_said;
  } known[] = {{"1e-9*a", {"a + 1e5", "1e5 - a", NULL}, true}, {"a", {"a", "1 - a", NULL}, false}};
  const double origin[1] = {0};
  double x[1];

  for (int i = 0; i < 2; i++) {
    SsMpcc *mpcc = ss_test_build_letters (1, known[i].cost, NULL, known[i].rows, 0, NULL);
    SsFinishResult f = finish (mpcc, origin, x);
    SS_CHECK (f.is_b_stationary);
    SS_CHECK ((strstr (f.text, "; longer ways may)") != NULL) == known[i].is_said);
    ss_mpcc_free (mpcc);
  }
}

/* The side of a pair that has no row is read off the product: a >= 0, a (b - 1) <= 0 and -a in the cost: at b = 1 - e
 * the force may act. min b - 2 a: from (0, 1), b falls and a rises. */
static void
test_half_pair (void)
{
  const char *const rows[] = {"a", "-(a*(b - 1))", "1 - a", "b", NULL};
  const int pairs[][3] = {{1, 0, -1}};
  SsMpcc *mpcc = ss_test_build_letters (2, "b - 2*a", NULL, rows, 1, pairs);
  const double corner[2] = {0, 1};
  double p[2];
  SsLpccResult r = certify (mpcc, corner, (signed char[]){SS_ZERO_A}, 0.1, p);

  SS_CHECK (r.n_biactive == 1 && !r.is_unknown && r.is_descent);
  SS_CHECK_NEAR (r.descent, -0.3, 0.01 * 0.3);
  SS_CHECK (p[0] > 0.09 && p[1] < -0.09);
  ss_mpcc_free (mpcc);
}

/* ---- branch problems --------------------------------------------------------------------------------------------- */

/* min (a - 2)^2 + (b - 1)^2, a^2 - b <= 0, a + b <= 2: (1, 1) with multipliers 2/3, 2/3. */
static void
test_smooth (void)
{
  const char *const rows[] = {"b - a^2", "2 - a - b", NULL};
  SsMpcc *mpcc = ss_test_build_letters (2, "(a - 2)^2 + (b - 1)^2", NULL, rows, 0, NULL);
  SsBranch *branch = NULL;
  SsBranchResult r;
  SsBounds bounds;
  SsError err;
  char crossing[256];

  SS_CHECK (ss_bounds_init (&bounds, mpcc, SS_BOUNDS_EXACT, &err) == SS_OK);
  SS_CHECK (ss_bounds_update (&bounds, crossing, sizeof crossing));
  SS_CHECK (ss_branch_new (mpcc, &bounds, false, &branch, &err) == SS_OK);
  ss_branch_solve (branch, (double[]){-3, 5}, (signed char[]){0}, 10, 1e-2, NULL, &r);
  SS_CHECK (r.is_solved && r.violation <= 1e-8);
  SS_CHECK_NEAR (r.objective, 1, 1e-6);
  SS_CHECK_NEAR (r.x[0], 1, 1e-6);
  SS_CHECK_NEAR (r.multipliers[0], 2.0 / 3, 1e-5);
  SS_CHECK_NEAR (r.multipliers[1], 2.0 / 3, 1e-5);
  ss_branch_free (branch);
  ss_bounds_clear (&bounds);
  ss_mpcc_free (mpcc);

  /* Rows that depend on each other, one of them an equality that is also a bound: a _|_ b beside a b c = 0. */
  const char *const twice[] = {"a*b*c", "a*b", NULL}, *const signs[] = {"a", "b", "-a*b", NULL};
  double x[3];
  mpcc = ss_test_build_letters (3, "(a - 1)^2 + (b - 2)^2 + c^2", twice, signs, 1, first_pair);
  SsFinishResult f = finish (mpcc, (double[]){0, 1, 1}, x);
  SS_CHECK (f.is_improved && f.violation <= 1e-8);
  SS_CHECK_NEAR (f.objective, 1, 1e-7); /* b = 2, c = 0 */
  ss_mpcc_free (mpcc);
}

/* A side held at zero beside a large one: 1e-9 off zero beside 1000 is a product of 1e-6. The cost pulls at the sum
 * a + c, so that a penalty alone leaves it off zero; a sum is no bound that could be fixed. */
static void
test_large_side (void)
{
  const char *const rows[] = {"a + c", "b", "-(a + c)*b", NULL};
  SsMpcc *mpcc = ss_test_build_letters (3, "(a - 1)^2 + c^2 + 60*(1000 - b) + 30*(a + c)",
                                        (const char *const[]){"b - 1000 + a - c", NULL}, rows, 1, first_pair);
  SsBranch *branch = NULL;
  SsBranchResult r;
  SsBounds bounds;
  SsError err;
  char crossing[256];

  SS_CHECK (ss_bounds_init (&bounds, mpcc, SS_BOUNDS_EXACT, &err) == SS_OK);
  SS_CHECK (ss_bounds_update (&bounds, crossing, sizeof crossing));
  SS_CHECK (ss_branch_new (mpcc, &bounds, false, &branch, &err) == SS_OK);
  ss_branch_solve (branch, (double[]){0.5, 900, 0.1}, (signed char[]){SS_ZERO_A}, 100, 1e-3, NULL, &r);
  SS_CHECK (r.is_solved && r.violation <= 1e-8);
  SS_CHECK (fabs ((r.x[0] + r.x[2]) * r.x[1]) <= 1e-8);
  ss_branch_free (branch);
  ss_bounds_clear (&bounds);
  ss_mpcc_free (mpcc);
}

/* min 100 (a - 3)^2 with a = 1, whose multiplier is 400: at a penalty of 30 the way ends at a = 3 - 30/200, where it
 * has cost 2.25; penalties that rise end at 1, for 400, and the first cost is told. */
static void
test_forced_way (void)
{
  SsMpcc *mpcc = ss_test_build_letters (2, "100*(a - 3)^2 + b^2", (const char *const[]){"a + b - 1 + 0*a*b", "b", NULL},
                                        (const char *const[]){"a*b + 1", NULL}, 0, NULL);
  SsRelaxation way = {30, 1, 0.35, 1e-5, 1, 0.1, 300, 30, 0};
  SsBranch *branch = NULL;
  SsBranchResult r;
  SsBounds bounds;
  SsError err;
  char crossing[256];

  SS_CHECK (ss_bounds_init (&bounds, mpcc, SS_BOUNDS_ROWS, &err) == SS_OK);
  SS_CHECK (ss_bounds_update (&bounds, crossing, sizeof crossing));
  SS_CHECK (ss_branch_new (mpcc, &bounds, true, &branch, &err) == SS_OK);
  ss_branch_relax (branch, (double[]){2, 0}, &way, NULL, &r);
  SS_CHECK_NEAR (r.x[0], 3 - 30.0 / 200, 1e-2);
  SS_CHECK_NEAR (r.unforced, r.objective, 0);
  way.raise_below = 1e-2;
  ss_branch_relax (branch, (double[]){2, 0}, &way, NULL, &r);
  SS_CHECK_NEAR (r.x[0], 1, 1e-4);
  SS_CHECK_NEAR (r.unforced, 2.25, 0.5); /* the barrier was 1e-2 then */
  ss_branch_free (branch);
  ss_bounds_clear (&bounds);
  ss_mpcc_free (mpcc);
}

static SsNlpResult
optimise (const SsNlpClass *class_, SsMpcc *mpcc, const double *x0, const char *const *options, double *x)
{
  void *values = calloc (1, class_->options->size), *solver = NULL;
  SsNlpResult result;
  SsError err;

  ss_options_init (class_->options, values);
  for (int i = 0; options[i] != NULL; i += 2)
    SS_CHECK (ss_options_set (class_->options, values, options[i], options[i + 1], &err) == SS_OK);
  SS_CHECK (class_->new_ (mpcc, values, &solver, &err) == SS_OK);
  SS_CHECK (class_->solve (solver, x0, NULL, &result, &err) == SS_OK);
  memcpy (x, result.x, (size_t)ss_mpcc_n_variables (mpcc) * sizeof (double));
  class_->free_ (solver);
  free (values);
  return result;
}

/* The cartpole swings up between walls that it does not touch: one branch, no force. Ipopt, from the finish's answer
 * with the same rows, must not move; from the guess it ends elsewhere or there, never lower within that branch. */
static void
test_against_ipopt (void)
{
  const SsOverride walls[] = {{"d1", 50}, {"d2", 50}, {"N", 60}};
  SsScenario *scenario = ss_test_read_file ("examples/crisp/cartpole.stickslip.json", walls, 3);
  SsMpcc *mpcc = NULL;
  SsError err;

  SS_CHECK (ss_problem_build (scenario, &mpcc, &err) == SS_OK);
  const int n = ss_mpcc_n_variables (mpcc);
  double *guess = calloc ((size_t)n, sizeof (double)), *ours = calloc ((size_t)n, sizeof (double)),
         *theirs = calloc ((size_t)n, sizeof (double));
  SS_CHECK (ss_problem_guess (scenario, guess, &err) == SS_OK);
  SsNlpResult r = optimise (&ss_nlp_crisp, mpcc, guess, (const char *const[]){"finish", "on", NULL}, ours);
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED && r.finish.is_b_stationary && r.finish.n_biactive == 0);
  SS_CHECK (r.finish.value >= -1e-5 && r.finish.rho == 0.1);
  SsNlpResult ipopt =
      optimise (&ss_nlp_ipopt, mpcc, ours, (const char *const[]){"tol", "1e-9", "bounds", "exact", NULL}, theirs);
  SS_CHECK (ipopt.outcome == SS_OUTCOME_SOLVED);
  SsMetrics a, b;
  SS_CHECK (ss_metrics_compute (scenario, ours, &a, &err) == SS_OK &&
            ss_metrics_compute (scenario, theirs, &b, &err) == SS_OK);
  SS_CHECK (a.max_violation <= 1e-8);
  /* Ipopt widens bounds by 1e-8, times multipliers of up to a hundred */
  SS_CHECK_NEAR (a.objective, b.objective, 1e-5 * (1 + fabs (b.objective)));
  for (int j = 0; j < n; j++)
    SS_CHECK_NEAR (ours[j], theirs[j], 1e-2);
  free (guess);
  free (ours);
  free (theirs);
  ss_mpcc_free (mpcc);
  ss_scenario_free (scenario);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* The finish lowers the answer, keeps every row to 1e-8, and says what it proved; without it bits are as before. */
static void
test_push_box (void)
{
  const SsOverride target[] = {{"j", 5}, {"N", 60}};
  SsScenario *scenario = ss_test_read_file ("examples/crisp/push-box.stickslip.json", target, 2);
  SsMpcc *mpcc = NULL;
  SsMetrics without, with;
  SsError err;

  SS_CHECK (ss_problem_build (scenario, &mpcc, &err) == SS_OK);
  const int n = ss_mpcc_n_variables (mpcc);
  double *guess = calloc ((size_t)n, sizeof (double)), *x = calloc ((size_t)n, sizeof (double));
  SsNlpResult r = optimise (&ss_nlp_crisp, mpcc, guess, (const char *const[]){NULL}, x);
  SS_CHECK (r.finish.text[0] == '\0');
  SS_CHECK (ss_metrics_compute (scenario, x, &without, &err) == SS_OK);
  r = optimise (&ss_nlp_crisp, mpcc, guess, (const char *const[]){"finish", "on", NULL}, x);
  SS_CHECK (ss_metrics_compute (scenario, x, &with, &err) == SS_OK);
  SS_CHECK (r.finish.is_b_stationary && r.finish.n_biactive > 100);
  SS_CHECK (with.objective < without.objective && with.max_violation <= 1e-8);
  SS_CHECK (r.finish.cpu_seconds > 0 && r.finish.rounds >= 1);
  free (guess);
  free (x);
  ss_mpcc_free (mpcc);
  ss_scenario_free (scenario);
}

/* The race for models and answers of other optimisers: possible, proved, and far better than to leave the box where it
 * is, which is feasible too. */
static void
test_other_optimisers (void)
{
  const SsOverride target[] = {{"j", 5}, {"N", 30}};
  const struct {
    const SsNlpClass *class_;
    const char *const options[4];
  } runs[] = {
      {&ss_nlp_auto, {NULL}}, {&ss_nlp_ipopt, {"finish", "on", NULL}}, {&ss_nlp_scholtes, {"finish", "on", NULL}}};
  SsScenario *scenario = ss_test_read_file ("examples/crisp/push-box.stickslip.json", target, 2);
  SsMpcc *mpcc = NULL;
  SsMetrics at_rest, found;
  SsError err;

  SS_CHECK (ss_problem_build (scenario, &mpcc, &err) == SS_OK);
  const int n = ss_mpcc_n_variables (mpcc);
  double *guess = calloc ((size_t)n, sizeof (double)), *x = calloc ((size_t)n, sizeof (double));
  SS_CHECK (ss_metrics_compute (scenario, guess, &at_rest, &err) == SS_OK);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    SsNlpResult r = optimise (runs[i].class_, mpcc, guess, runs[i].options, x);
    SS_CHECK (ss_metrics_compute (scenario, x, &found, &err) == SS_OK);
    SS_CHECK (r.outcome == SS_OUTCOME_SOLVED && found.max_violation <= 1e-8);
    SS_CHECK (r.finish.is_b_stationary && r.finish.value >= -1e-6 * (1 + found.objective) && r.finish.rho == 0.1);
    SS_CHECK (strncmp (r.message, "B-stationary", 12) == 0);
    SS_CHECK (found.objective < 0.1 * at_rest.objective);
    if (ss_test_failed_checks > 0)
      printf ("  %s: %g, %s\n", runs[i].class_->name, found.objective, r.message);
  }
  free (guess);
  free (x);
  ss_mpcc_free (mpcc);
  ss_scenario_free (scenario);
}

/* Swing-ups: the race's answers are no worse than those of its interior point alone, where that has any, and proved;
 * somewhere another member found a better one. */
static void
test_race_of_models (void)
{
  int n_better = 0;

  for (int k = 0; k < 3; k++) {
    const SsOverride start[] = {{"N", 60}, {"th0", 2.5 + 0.5 * k}, {"thd0", 1}};
    SsScenario *scenario = ss_test_read_file ("examples/crisp/cartpole.stickslip.json", start, 3);
    SsMpcc *mpcc = NULL;
    SsMetrics alone, raced;
    SsError err;

    SS_CHECK (ss_problem_build (scenario, &mpcc, &err) == SS_OK);
    const int n = ss_mpcc_n_variables (mpcc);
    double *guess = calloc ((size_t)n, sizeof (double)), *x = calloc ((size_t)n, sizeof (double));
    SS_CHECK (ss_problem_guess (scenario, guess, &err) == SS_OK);
    const SsNlpResult one = optimise (&ss_nlp_interior, mpcc, guess, (const char *const[]){NULL}, x);
    SS_CHECK (ss_metrics_compute (scenario, x, &alone, &err) == SS_OK);
    const SsNlpResult all = optimise (&ss_nlp_auto, mpcc, guess, (const char *const[]){NULL}, x);
    SS_CHECK (ss_metrics_compute (scenario, x, &raced, &err) == SS_OK);
    SS_CHECK (all.outcome == SS_OUTCOME_SOLVED && raced.max_violation <= 1e-8 && all.finish.is_b_stationary);
    const bool has_one = one.outcome == SS_OUTCOME_SOLVED;
    SS_CHECK (!has_one || raced.objective <= alone.objective + 1e-5 * (1 + fabs (alone.objective)));
    n_better += !has_one || raced.objective < 0.99 * alone.objective;
    free (guess);
    free (x);
    ss_mpcc_free (mpcc);
    ss_scenario_free (scenario);
  }
  SS_CHECK (n_better > 0);
}

/* Slopes that are small beside 1 where variables go far: what counts is what they can change. Least objectives are
 * known; each is met to a thousandth of the distance from the start. */
static void
test_small_slopes (void)
{
  static const struct {
    int n;
    const char *cost, *rows[5];
    int n_pairs;
    double x0[2], least;
  } known[] = {{1, "-1e-7*a", {"a", "1e5-a", NULL}, 0, {1}, -1e-2},
               {1, "-1e-5*a", {"a", "1e8-a", NULL}, 0, {10}, -1e3},
               {2, "-1e-7*a+1e-3*b^2", {"a", "b", "-a*b", "1e6-a", NULL}, 1, {10, 0}, -0.1},
               {2, "3e-7*a+2e-7*b", {"a", "b", "a+b-1e4", NULL}, 0, {2e4, 1e4}, 2e-3},
               {1, "1e-10*(a-5e4)^2", {"a+1e9", NULL}, 0, {10}, 0}};

  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    static const char *const none[] = {NULL};
    SsMpcc *mpcc = ss_test_build_letters (known[i].n, known[i].cost, none, known[i].rows, known[i].n_pairs, first_pair);
    double x[2];
    SsMpccEval *eval = NULL;
    SsError err;

    const SsFinishResult r = finish (mpcc, known[i].x0, x);
    SS_CHECK (ss_mpcc_eval_new (mpcc, &eval, &err) == SS_OK);
    const double from = ss_mpcc_objective (eval, known[i].x0);
    SS_CHECK (r.objective - known[i].least <= 1e-3 * (from - known[i].least));
    if (!(r.objective - known[i].least <= 1e-3 * (from - known[i].least)))
      printf ("  %s: %g, %s\n", known[i].cost, r.objective, r.text);
    ss_mpcc_eval_free (eval);
    ss_mpcc_free (mpcc);
  }
}

int
main (void)
{
  SS_RUN (test_descent);
  SS_RUN (test_side_of_multipliers);
  SS_RUN (test_s_stationary);
  SS_RUN (test_branching);
  SS_RUN (test_longer_ways);
  SS_RUN (test_half_pair);
  SS_RUN (test_smooth);
  SS_RUN (test_large_side);
  SS_RUN (test_small_slopes);
  SS_RUN (test_forced_way);
  SS_RUN (test_against_ipopt);
  SS_RUN (test_push_box);
  SS_RUN (test_other_optimisers);
  SS_RUN (test_race_of_models);
  return ss_test_finish ();
}
