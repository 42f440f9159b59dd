/* tests/numeric/test-verdicts.c: what is said of points that are no answers, and of which kind answers are:
 * stationarity and curvature, rows that conflict, penalty functions without a minimum, objectives of any size. Truth:
 * derived by hand beside each problem; u and v are the multipliers of sides a and b of the first pair. */
#include "core/ss-random.h"
#include "nlp/ss-auto.h"
#include "nlp/ss-crisp.h"
#include "nlp/ss-least-violation.h"
#include "nlp/ss-scale.h"
#include "nlp/ss-stationarity.h"
#include "solve/ss-solve.h"
#include "ss-test-letters.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <string.h>

/* ---- kinds of stationarity --------------------------------------------------------------------------------------- */

typedef struct {
  const char *cost;
  const char *equalities[4], *inequalities[9]; /* those of pairs first: a, b, -a*b */
  int n, n_pairs;
  double x[12];
  SsStationaryKind kind;
  SsCurvature curvature;
  int n_biactive;
} Kind;

static const int two_pairs[][3] = {{2, 0, 1}, {5, 3, 4}};

static SsStationarity
look (const Kind *p)
{
  SsMpcc *mpcc = ss_test_build_letters (p->n, p->cost, p->equalities, p->inequalities, p->n_pairs, two_pairs);
  SsStationarity result;
  SsError err;

  SS_CHECK (ss_stationarity_look (mpcc, p->x, NULL, &result, &err) == SS_OK);
  ss_mpcc_free (mpcc);
  return result;
}

static void
test_kinds (void)
{
  static const Kind kinds[] = {
      /* u = 1, v = 2; both sides are held, nothing is left that could curve */
      {"a + 2*b", {0}, {"a", "b", "-a*b"}, 2, 1, {0}, SS_STATIONARY_STRONGLY, SS_CURVATURE_HOLDS, 1},
      /* Scheel, Scholtes 2000, example 3: y1 + y2 = 1 of the last two rows, u = 1 - 4 y1, v = 1 - 4 y2, so u + v = -2:
       * not strongly, though a minimum; y1 = 1/4 has u = 0 */
      {"a + b - c", {0}, {"a", "b", "-a*b", "4*a - c", "4*b - c"}, 3, 1, {0}, SS_STATIONARY_M, SS_CURVATURE_HOLDS, 1},
      /* u = v = -2: the corner where both branches descend */
      {"(a - 1)^2 + (b - 1)^2", {0}, {"a", "b", "-a*b"}, 2, 1, {0}, SS_STATIONARY_C, SS_CURVATURE_NOT_CHECKED, 1},
      /* u = 1, v = -1 */
      {"a - b", {0}, {"a", "b", "-a*b"}, 2, 1, {0}, SS_STATIONARY_WEAKLY, SS_CURVATURE_NOT_CHECKED, 1},
      /* u = 0, v = -1 */
      {"a^2 - b", {0}, {"a", "b", "-a*b"}, 2, 1, {0}, SS_STATIONARY_M, SS_CURVATURE_HOLDS, 1},
      /* nothing holds c */
      {"a + b - c", {0}, {"a", "b", "-a*b"}, 3, 1, {0}, SS_STATIONARY_NONE, SS_CURVATURE_NOT_CHECKED, 1},
      /* a = 0 < b: its multiplier -3 may have any sign, and so may that of a side that is not near its own zero */
      {"-3*a + (b - 1)^2", {0}, {"a", "b", "-a*b"}, 2, 1, {0, 1}, SS_STATIONARY_STRONGLY, SS_CURVATURE_HOLDS, 0},
      /* two pairs: the first strongly (1, 1), the second M (-1, 0): together M */
      {"a + b - c + d^2", {0}, {"a", "b", "-a*b", "c", "d", "-c*d"}, 4, 2, {0}, SS_STATIONARY_M, SS_CURVATURE_HOLDS, 2},
      /* the first M (0, -1), the second C (-1, -1): together C */
      {"a^2 - b - c - d",
       {0},
       {"a", "b", "-a*b", "c", "d", "-c*d"},
       4,
       2,
       {0},
       SS_STATIONARY_C,
       SS_CURVATURE_NOT_CHECKED,
       2},
      /* the first strongly, the second (1, -1): together weakly */
      {"a + b + c - d",
       {0},
       {"a", "b", "-a*b", "c", "d", "-c*d"},
       4,
       2,
       {0},
       SS_STATIONARY_WEAKLY,
       SS_CURVATURE_NOT_CHECKED,
       2},
  };

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const SsStationarity r = look (&kinds[i]);
    char text[200];
    ss_stationarity_describe (&r, text, sizeof text);
    printf ("  %-24s %s\n", kinds[i].cost, text);
    SS_CHECK (r.kind == kinds[i].kind && r.n_biactive == kinds[i].n_biactive && r.is_complete);
    SS_CHECK (r.curvature == kinds[i].curvature);
  }
}

/* Two pairs with a side in common, or one without a row of its own, have no multipliers of their own: where that side
 * is zero nothing is claimed, and the reason is told; where it is not, the pairs are as others. */
static void
test_shared_sides (void)
{
  static const int shared[][2][3] = {{{2, 0, 1}, {4, 0, 3}}, {{2, 0, 1}, {4, 3, 0}}, {{2, 1, 0}, {4, 0, 3}}};
  static const int bare[][3] = {{1, 0, -1}};
  static const char *const rows[] = {"a", "b", "-a*b", "c", "-a*c", NULL}, *const one[] = {"a", "-a*b", NULL};
  static const struct {
    double x[3];
    int n_biactive;
    bool is_told;
  } points[] = {{{0, 0, 0}, 2, true}, {{0, 1, 0}, 1, true}, {{1, 0, 0}, 0, false}};

  for (size_t s = 0; s < sizeof shared / sizeof *shared; s++)
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
      SsMpcc *mpcc = ss_test_build_letters (3, "a + b + c", NULL, rows, 2, shared[s]);
      SsStationarity result;

      SS_CHECK (ss_stationarity_look (mpcc, points[i].x, NULL, &result, NULL) == SS_OK);
      SS_CHECK_STR (result.why_kind, points[i].is_told ? "two pairs share a side that is zero" : "");
      SS_CHECK ((result.kind == SS_STATIONARY_NOT_CHECKED) == points[i].is_told);
      ss_mpcc_free (mpcc);
    }
  SsMpcc *mpcc = ss_test_build_letters (2, "a + b", NULL, one, 1, bare);
  SsStationarity result;

  SS_CHECK (ss_stationarity_look (mpcc, (double[]){0, 0}, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.kind == SS_STATIONARY_NOT_CHECKED);
  SS_CHECK_STR (result.why_kind, "a side of a pair has no row of its own");
  ss_mpcc_free (mpcc);
}

/* The Hessian of the Lagrangian along what is left free, by hand. */
static void
test_curvature (void)
{
  static const Kind kinds[] = {
      /* along c: 2, -2, 0 */
      {"a + b + c^2", {0}, {"a", "b", "-a*b"}, 3, 1, {0}, SS_STATIONARY_STRONGLY, SS_CURVATURE_HOLDS, 1},
      {"a + b - c^2", {0}, {"a", "b", "-a*b"}, 3, 1, {0}, SS_STATIONARY_STRONGLY, SS_CURVATURE_FAILS, 1},
      {"a + b + c^4", {0}, {"a", "b", "-a*b"}, 3, 1, {0}, SS_STATIONARY_STRONGLY, SS_CURVATURE_NOT_CHECKED, 1},
      /* c >= 0 has no multiplier: its half line is no space */
      {"a + b - c^2", {0}, {"a", "b", "-a*b", "c"}, 3, 1, {0}, SS_STATIONARY_STRONGLY, SS_CURVATURE_NOT_CHECKED, 1},
      /* a negative direction that the row d = c takes away: along (0, 0, 1, 1): -2 + 6 */
      {"a + b - c^2 + 3*d^2", {"c - d"}, {"a", "b", "-a*b"}, 4, 1, {0}, SS_STATIONARY_STRONGLY, SS_CURVATURE_HOLDS, 1},
      /* on the circle: least and largest c, y = -1/2 and 1/2, Hessian 1 and -1 along d */
      {"a + b - c",
       {"c^2 + d^2 - 1"},
       {"a", "b", "-a*b"},
       4,
       1,
       {0, 0, 1, 0},
       SS_STATIONARY_STRONGLY,
       SS_CURVATURE_HOLDS,
       1},
      {"a + b + c",
       {"c^2 + d^2 - 1"},
       {"a", "b", "-a*b"},
       4,
       1,
       {0, 0, 1, 0},
       SS_STATIONARY_STRONGLY,
       SS_CURVATURE_FAILS,
       1},
  };

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const SsStationarity r = look (&kinds[i]);
    SS_CHECK (r.kind == kinds[i].kind && r.curvature == kinds[i].curvature);
    SS_CHECK ((r.curvature == SS_CURVATURE_NOT_CHECKED) == (r.why_nothing[0] != '\0'));
  }
}

/* Planted: sides a, b, c, d of two pairs and a row e >= 0 are independent linear forms of six variables, and the slope
 * of the objective at 0 is u a + v b + w c + z d + y e. Multipliers are unique then, and their signs are the kind. Half
 * the square of a sixth form, times +1 or -1, is the curvature along what the five leave free. */
static void
append_form (char *text, size_t size, const double *form, double factor)
{
  for (int j = 0; j < 6; j++) {
    const size_t used = strlen (text);
    snprintf (text + used, size - used, " + (%.17g)*%c", factor * form[j], 'a' + j);
  }
}

static void
test_planted (void)
{
  int n_of[SS_STATIONARY_STRONGLY + 1] = {0};
  SsRandom random;

  ss_random_seed (&random, 20261128);
  for (int draw = 0; draw < 200; draw++) {
    double form[6][6], m[5];
    char side[5][400] = {""}, product[2][900], square[400] = "", cost[3200] = "0";
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        form[i][j] = ss_random_normal (&random) + (i == j ? 3 : 0); /* independent, and well so */
    for (int i = 0; i < 5; i++)
      m[i] = i < 4 && ss_random_uniform (&random) < 0.3 ? 0 : 0.2 + ss_random_uniform (&random);
    for (int i = 0; i < 4; i++)
      m[i] *= ss_random_uniform (&random) < 0.35 ? -1 : 1;
    const double curvature = ss_random_uniform (&random) < 0.5 ? 1 : -1;
    for (int i = 0; i < 5; i++) {
      strcpy (side[i], "0");
      append_form (side[i], sizeof side[i], form[i], 1);
      append_form (cost, sizeof cost, form[i], m[i]);
    }
    append_form (square, sizeof square, form[5], 1);
    const size_t used = strlen (cost);
    snprintf (cost + used, sizeof cost - used, " + (%g)*(0%s)^2", curvature / 2, square);
    for (int i = 0; i < 2; i++)
      snprintf (product[i], sizeof product[i], "-(%.399s)*(%.399s)", side[2 * i], side[2 * i + 1]);
    const Kind kind = {.cost = cost,
                       .inequalities = {side[0], side[1], product[0], side[2], side[3], product[1], side[4]},
                       .n = 6,
                       .n_pairs = 2};
    SsStationaryKind expected = SS_STATIONARY_STRONGLY;
    bool has_zero = false;
    for (int i = 0; i < 4; i += 2) {
      const double u = m[i], v = m[i + 1];
      const SsStationaryKind own = u >= 0 && v >= 0 ? SS_STATIONARY_STRONGLY
                                   : u * v == 0     ? SS_STATIONARY_M
                                   : u * v > 0      ? SS_STATIONARY_C
                                                    : SS_STATIONARY_WEAKLY;
      expected = own < expected ? own : expected;
      has_zero = has_zero || u == 0 || v == 0;
    }
    const SsStationarity r = look (&kind);
    SS_CHECK (r.kind == expected && r.n_biactive == 2 && r.is_complete);
    if (expected == SS_STATIONARY_STRONGLY && !has_zero)
      SS_CHECK (r.curvature == (curvature > 0 ? SS_CURVATURE_HOLDS : SS_CURVATURE_FAILS));
    n_of[r.kind]++;
  }
  for (int kind = SS_STATIONARY_WEAKLY; kind <= SS_STATIONARY_STRONGLY; kind++)
    SS_CHECK (n_of[kind] >= 10);
}

/* ---- rows that conflict ------------------------------------------------------------------------------------------ */

static SsLeastViolation
conflict (int n, const char *const *equalities, const char *const *inequalities, int n_pairs, const double *x0,
          double *x, char *text)
{
  SsMpcc *mpcc = ss_test_build_letters (n, "a", equalities, inequalities, n_pairs, two_pairs);
  SsLeastViolation r;
  SsError err;

  SS_CHECK (ss_least_violation_look (mpcc, x0, NULL, x, &r, &err) == SS_OK);
  ss_least_violation_describe (mpcc, &r, text, 240);
  SS_CHECK (ss_mpcc_objective_scale (mpcc) == 1);
  ss_mpcc_free (mpcc);
  return r;
}

static bool
names (const SsLeastViolation *r, int row)
{
  for (int i = 0; i < r->n_rows && i < SS_CONFLICT_ROWS; i++)
    if (r->rows[i] == row)
      return true;
  return false;
}

static void
test_conflicts (void)
{
  const double start[3] = {0.3, 0.2, 0.1};
  double x[3];
  char text[240];

  /* a + b = 3, a <= 1, b <= 1, c <= 5: the first three miss each other by 1, anywhere; the last is not in it */
  SsLeastViolation r = conflict (3, (const char *const[]){"a + b - 3", NULL},
                                 (const char *const[]){"1 - a", "1 - b", "5 - c", NULL}, 0, start, x, text);
  SS_CHECK (r.is_least && r.is_global && !r.is_feasible && r.n_rows == 3);
  SS_CHECK_NEAR (r.sum, 1, 1e-4); /* the search ends where it promises less than a millionth */
  SS_CHECK (names (&r, 0) && names (&r, 1) && names (&r, 2));
  SS_CHECK_CONTAINS (text, "within 1e6 of here");

  /* a on the unit circle and at least 2: by 1 at (1, 0), where only the linearised rows say so */
  r = conflict (2, (const char *const[]){"a^2 + b^2 - 1", NULL}, (const char *const[]){"a - 2", "5 - b", NULL}, 0,
                start, x, text);
  SS_CHECK (r.is_least && !r.is_global && r.n_rows == 2 && names (&r, 0) && names (&r, 1));
  SS_CHECK_CONTAINS (text, "near here (farther away some may be)");

  /* a pair of which both sides shall be 1 */
  r = conflict (2, NULL, (const char *const[]){"a", "b", "-a*b", "a - 1", "b - 1", NULL}, 1, start, x, text);
  SS_CHECK (r.is_least && !r.is_global && names (&r, 2));
  SS_CHECK_NEAR (r.sum, 1, 1e-4);

  /* exp (a) + b^2 = -1/4: one row alone */
  r = conflict (2, (const char *const[]){"exp (a) + b^2 + 0.25", NULL}, (const char *const[]){"b + 3", NULL}, 0, start,
                x, text);
  SS_CHECK (r.is_least && r.n_rows == 1 && names (&r, 0));
  SS_CHECK_CONTAINS (text, "cannot be kept");

  /* feasible ones are found, whatever the objective */
  r = conflict (2, (const char *const[]){"a^2 + b^2 - 1", NULL}, (const char *const[]){"b - 0.5", NULL}, 0, start, x,
                text);
  SS_CHECK (r.is_feasible && !r.is_least);
  SS_CHECK_NEAR (x[0] * x[0] + x[1] * x[1], 1, 1e-6);
}

/* ---- whole runs -------------------------------------------------------------------------------------------------- */

static const char model[] =
    "{\"format\": 1, \"name\": \"verdict\", \"parameters\": {},"
    " \"model\": {\"points\": 2, \"time_step\": 1, \"states\": [\"x\", \"y\"], \"controls\": [],"
    "  \"constraints\": [{\"name\": \"rows\", \"points\": 0%s},"
    "   {\"name\": \"unused\", \"points\": 1, \"zero\": [\"x\", \"y\"]}],"
    "  \"cost\": [{\"name\": \"objective\", \"points\": 0, \"cost\": \"%s\"}]},"
    " \"task\": {\"guess\": {\"values\": {\"x\": \"if(k < 0.5, %g, 0)\", \"y\": \"if(k < 0.5, %g, 0)\"}}}}";

static SsRunResult
run (const SsNlpClass *nlp, const char *rows, const char *cost, double x, double y)
{
  char text[2048];
  SsRunResult result;
  SsError err;
  union {
    SsCrispOptions crisp;
    SsAutoOptions race;
  } options;

  snprintf (text, sizeof text, model, rows, cost, x, y);
  SsScenario *scenario = ss_test_read_text (text);
  ss_nlp_init_options (nlp, false, &options);
  if (nlp == &ss_nlp_auto)
    options.race.threads = 1;
  const SsSolveJob job = {.scenario = scenario, .nlp = nlp, .options = &options};
  SS_CHECK (ss_solve (&job, NULL, &result, &err) == SS_OK);
  ss_scenario_free (scenario);
  return result;
}

/* Linear mixed complementarities -1 <= x <= 1 _|_ A (x - s) + f with A = I + B B' (positive definite, so that the
 * solution is unique) and planted s and f: f > 0 where s = -1, f < 0 where s = 1, f = 0 between. What comes out is s,
 * to what a violation of 1e-6 of products of sizes near 1 leaves open. */
static void
test_mixed (void)
{
  enum { N = 6, PROBLEMS = 8 };
  SsRandom random;

  ss_random_seed (&random, 77);

  for (int problem = 0; problem < PROBLEMS; problem++) {
    double b[N][N], s[N], f[N];
    char text[4000];
    int at = snprintf (text, sizeof text, "{\"format\": 1, \"name\": \"m\", \"model\": {\"points\": 1, \"states\": [");
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++)
        b[i][j] = 2 * ss_random_uniform (&random) - 1;
      const int kind = (int)(3 * ss_random_uniform (&random));
      s[i] = kind == 0 ? -1 : kind == 1 ? 1 : 1.6 * ss_random_uniform (&random) - 0.8;
      f[i] = kind == 0 ? 0.5 + ss_random_uniform (&random) : kind == 1 ? -0.5 - ss_random_uniform (&random) : 0;
      at += snprintf (text + at, sizeof text - (size_t)at, "%s\"x%d\"", i > 0 ? ", " : "", i);
    }
    at += snprintf (text + at, sizeof text - (size_t)at, "], \"constraints\": [{\"mixed\": [");
    for (int i = 0; i < N; i++) {
      at += snprintf (text + at, sizeof text - (size_t)at, "%s[-1, \"x%d\", 1, \"%.17g", i > 0 ? ", " : "", i, f[i]);
      for (int j = 0; j < N; j++) {
        double a = i == j;
        for (int k = 0; k < N; k++)
          a += b[i][k] * b[j][k];
        at += snprintf (text + at, sizeof text - (size_t)at, " + (%.17g)*(x%d - (%.17g))", a, j, s[j]);
      }
      at += snprintf (text + at, sizeof text - (size_t)at, "\"]");
    }
    snprintf (text + at, sizeof text - (size_t)at, "]}], \"cost\": [{\"cost\": \"0\"}]}}");
    SsScenario *scenario = ss_test_read_text (text);
    SsRunResult result;
    SsError err;
    const SsSolveJob job = {.scenario = scenario, .nlp = &ss_nlp_auto};
    SS_CHECK (ss_solve (&job, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    const SsTrajectory *motion = ss_run_motion (&result);
    SS_CHECK (motion != NULL && motion->n_rows == 1);
    for (int i = 0; i < N && motion != NULL; i++)
      SS_CHECK_NEAR (ss_trajectory_row (motion, 0)[1 + i], s[i], 1e-4);
    ss_run_result_clear (&result);
    ss_scenario_free (scenario);
  }
}

/* min -x^4 for |x| <= 1: mu (|x| - 1) never catches up with x^4 from 10 on, whatever mu. CRISP says so before its
 * thousand iterations are over; the race finds -1, the value at either end. */
static void
test_runaway (void)
{
  const char rows[] = ", \"nonnegative\": [\"1 - x\", \"x + 1\", \"1 - y^2\"]";
  SsRunResult r = run (&ss_nlp_crisp, rows, "-x^4 + y^2", 10, 0);

  SS_CHECK (r.outcome == SS_OUTCOME_DIVERGED && ss_metric_get (&r.metrics, SS_METRIC_ITERATIONS) < 600);
  SS_CHECK_CONTAINS (r.message, "the penalty function falls without end");
  ss_run_result_clear (&r);
  r = run (&ss_nlp_auto, rows, "-x^4 + y^2", 10, 0);
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED && ss_metric_get (&r.metrics, SS_METRIC_B_VERIFIED) == 1);
  SS_CHECK_NEAR (ss_metric_get (&r.metrics, SS_METRIC_OBJECTIVE), -1, 1e-6);
  ss_run_result_clear (&r);

  /* a slope of 1000 is caught up with, in time: 5 - x - y >= 0 and y >= -1 give x = 6, y = -1 */
  r = run (&ss_nlp_crisp, ", \"nonnegative\": [\"5 - x - y\", \"y + 1\"]", "-1000*x + y^2", 0, 0);
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK_NEAR (ss_metric_get (&r.metrics, SS_METRIC_OBJECTIVE), -5999, 1);
  ss_run_result_clear (&r);
}

/* An answer that is none says which rows conflict, whatever the method. */
static void
test_infeasible (void)
{
  const SsNlpClass *const methods[] = {&ss_nlp_crisp, &ss_nlp_auto};

  for (int i = 0; i < 2; i++) {
    SsRunResult r = run (methods[i], ", \"zero\": [\"x*y - 4\"], \"nonnegative\": [\"1 - x\", \"1 - y\", \"x\", \"y\"]",
                         "y - 1000*x", 0.5, 0.5);
    SS_CHECK (r.outcome == SS_OUTCOME_INFEASIBLE);
    SS_CHECK_CONTAINS (r.message, "no point near here (farther away some may be) is feasible: rows ");
    SS_CHECK_CONTAINS (r.message, "rows[0].nonnegative[0]");
    SS_CHECK_CONTAINS (r.message, "rows[0].zero[0]");
    ss_run_result_clear (&r);
  }
}

/* The same problem in other units of its objective: min c ((x - 2)^2 + (y - 1)^2), x _|_ y: 1 c at (2, 0), where
 * 4 c at (0, 1) is the other local answer. Its answer, its proof and its multipliers' kind do not depend on c. */
static void
test_sizes (void)
{
  static const double sizes[] = {1e-12, 1e-8, 1, 1e9, 1e14};

  for (int i = 0; i < 5; i++) {
    char cost[80];
    snprintf (cost, sizeof cost, "%g*((x - 2)^2 + (y - 1)^2)", sizes[i]);
    for (int method = 0; method < 2; method++) {
      SsRunResult r =
          run (method == 0 ? &ss_nlp_crisp : &ss_nlp_auto, ", \"complementary\": [[\"x\", \"y\"]]", cost, 1, 0.4);
      SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
      SS_CHECK_NEAR (ss_metric_get (&r.metrics, SS_METRIC_OBJECTIVE) / sizes[i], 1, method == 0 ? 2e-3 : 1e-6);
      if (method == 1)
        SS_CHECK (ss_metric_get (&r.metrics, SS_METRIC_B_VERIFIED) == 1 &&
                  ss_metric_get (&r.metrics, SS_METRIC_STRONGLY_STATIONARY) == 1 &&
                  ss_metric_get (&r.metrics, SS_METRIC_SECOND_ORDER) == 1);
      ss_run_result_clear (&r);
    }
  }
}

/* What is told while it goes on is in the objective's own unit, too. */
static void
hear (void *user_data, const SsProgress *progress)
{
  double *largest = user_data;

  if (progress->kind == SS_PROGRESS_ITERATION)
    *largest = fmax (*largest, fabs (ss_progress_column (progress, "objective")));
}

static void
test_told (void)
{
  char text[2048];
  double largest = 0;
  SsRunControl control;
  SsCrispOptions options;
  SsRunResult r;
  SsError err;

  snprintf (text, sizeof text, model, ", \"complementary\": [[\"x\", \"y\"]]", "1e12*((x - 2)^2 + (y - 1)^2)", 1.0,
            0.4);
  SsScenario *scenario = ss_test_read_text (text);
  ss_nlp_init_options (&ss_nlp_crisp, false, &options);
  const SsSolveJob job = {.scenario = scenario, .nlp = &ss_nlp_crisp, .options = &options};
  ss_run_control_init (&control);
  control.progress = hear;
  control.user_data = &largest;
  SS_CHECK (ss_solve (&job, &control, &r, &err) == SS_OK);
  SS_CHECK (largest >= 1e12 && largest < 1e14); /* 1.36e12 at the start */
  SS_CHECK (control.progress == hear && control.user_data == &largest);
  ss_run_result_clear (&r);
  ss_scenario_free (scenario);
}

/* The scale itself: powers of two, 1 for common sizes, and 1 where one point alone is flat or steep. */
static void
test_scale (void)
{
  static const struct {
    const char *cost;
    double x0, scale;
  } cases[] = {
      {"a^2 + 3*a", 1, 1},
      {"1e5*a^2", 1, 1},
      {"a^4", 1e-4, 1}, /* flat at the start alone */
      {"0*a", 1, 1},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsMpcc *mpcc = ss_test_build_letters (1, cases[i].cost, NULL, NULL, 0, NULL);
    double scale;
    SsError err;
    SS_CHECK (ss_scale_choose (mpcc, &cases[i].x0, &scale, &err) == SS_OK);
    SS_CHECK (scale == cases[i].scale);
    ss_mpcc_free (mpcc);
  }
  SsMpcc *mpcc = ss_test_build_letters (1, "1e12*(a + 1)", NULL, NULL, 0, NULL);
  const double x0 = 0;
  double scale;
  SsError err;
  int exponent;
  SS_CHECK (ss_scale_choose (mpcc, &x0, &scale, &err) == SS_OK);
  SS_CHECK (frexp (scale, &exponent) == 0.5 && 1e12 * scale > 0.7 * SS_SCALE_COMMON &&
            1e12 * scale < 1.42 * SS_SCALE_COMMON);
  ss_mpcc_free (mpcc);
}

int
main (void)
{
  SS_RUN (test_kinds);
  SS_RUN (test_shared_sides);
  SS_RUN (test_curvature);
  SS_RUN (test_planted);
  SS_RUN (test_conflicts);
  SS_RUN (test_mixed);
  SS_RUN (test_runaway);
  SS_RUN (test_infeasible);
  SS_RUN (test_sizes);
  SS_RUN (test_told);
  SS_RUN (test_scale);
  return ss_test_finish ();
}
