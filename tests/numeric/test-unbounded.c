/* tests/numeric/test-unbounded.c: problems whose objective falls without bound, and such that only look like it. */
#include "nlp/ss-unbounded.h"
#include "core/ss-random.h"
#include "run/ss-run.h"
#include "ss-test-letters.h"
#include "ss-test-scenario.h"

typedef struct {
  int n;
  const char *cost;
  const char *equalities[4], *inequalities[8];
  int n_pairs;
  int pairs[2][3];
  double x0[6];
} Problem;

static const Problem unbounded[] = {
    {2, "-a-b", {NULL}, {"a", "b", "-a*b", NULL}, 1, {{2, 0, 1}}, {0}},
    {2, "-a-b", {NULL}, {"a", "b", "-a*b", NULL}, 1, {{2, 0, 1}}, {3, 3}},
    {1, "-a^2", {NULL}, {NULL}, 0, {{0}}, {1}},
    {1, "-a^2", {NULL}, {NULL}, 0, {{0}}, {0}},
    {1, "a^3-a", {NULL}, {NULL}, 0, {{0}}, {-2}},
    {1, "-log(a)", {NULL}, {"a-1", NULL}, 0, {{0}}, {2}},
    {1, "-sqrt(a)", {NULL}, {"a-1", NULL}, 0, {{0}}, {2}},
    {1, "-1e-6*a", {NULL}, {NULL}, 0, {{0}}, {0}},
    {1, "-1e6*a", {NULL}, {NULL}, 0, {{0}}, {0}},
    {1, "1e9-a", {NULL}, {NULL}, 0, {{0}}, {0}},
    {1, "-exp(a)", {NULL}, {NULL}, 0, {{0}}, {0}},
    {2, "-b", {"b-a^2", NULL}, {NULL}, 0, {{0}}, {1, 1}},
    {2, "-a", {"b-a^3", NULL}, {"b", NULL}, 0, {{0}}, {0}},
    {2, "a*b", {NULL}, {NULL}, 0, {{0}}, {1, 1}},
    {2, "a^2-2*a*b+b^2-a-b", {NULL}, {"a", "b", NULL}, 0, {{0}}, {1, 1}},
    {3, "c-2*a", {"c-a-b", NULL}, {"a", "b", "-a*b", NULL}, 1, {{2, 0, 1}}, {1, 1, 1}},
    {3, "(a-1)^2+(b-2)^2-c", {NULL}, {"a", "b", "-a*b", NULL}, 1, {{2, 0, 1}}, {0}},
    {4, "-d", {"c-a+b-3", "d-2*c+a", NULL}, {"a", "b", "-a*b", NULL}, 1, {{2, 0, 1}}, {0}},
    {2, "-a", {"0.1*a-0.3*b-0.7", NULL}, {"b", NULL}, 0, {{0}}, {0}},
    {2, "a^2-1.5*b^2", {"a-b", NULL}, {NULL}, 0, {{0}}, {0.1, 0.1}}, /* multipliers grow with the way */
    {3, "a^2+b^2-2*c^2+a", {"a+b+c", NULL}, {NULL}, 0, {{0}}, {0.1}},
    {1, "-exp(0.01*a)", {NULL}, {"a", NULL}, 0, {{0}}, {0}},    /* leaves the range of numbers in a box */
    {2, "-a^2-b^2", {"a-0.01*b", NULL}, {NULL}, 0, {{0}}, {0}}, /* the start is a maximum */
    {2, "-a^2+1e3*b^2", {NULL}, {"a", NULL}, 0, {{0}}, {0}},
    {3, "-c^2", {"c-a+b", NULL}, {"a", "b", "1-b", "-a*b", NULL}, 1, {{3, 0, 1}}, {0}},
    {1, "-a", {NULL}, {"a", "1e17-a", NULL}, 0, {{0}}, {0}}, /* a bound that counts as none */
};

static const Problem bounded[] = {
    {1, "-a", {NULL}, {"1e9-a", NULL}, 0, {{0}}, {0}},
    {1, "-a", {NULL}, {"1-1e-9*a", NULL}, 0, {{0}}, {0}},
    {1, "-a+1e-12*a^2", {NULL}, {NULL}, 0, {{0}}, {0}},
    {1, "-a+1e-6*a^2", {NULL}, {NULL}, 0, {{0}}, {0}},
    {1, "1e9*(a-1)^2-1e9*a", {NULL}, {NULL}, 0, {{0}}, {0}},
    {1, "1e9*a^2-1e9*a-1e9", {NULL}, {NULL}, 0, {{0}}, {5}},
    {1, "exp(-a)+0*a", {NULL}, {NULL}, 0, {{0}}, {0}},
    {1, "-atan(a)-1/(1+a^2)", {NULL}, {"a", NULL}, 0, {{0}}, {0}},
    {1, "1/a-3", {NULL}, {"a-1", NULL}, 0, {{0}}, {1}},
    {1, "-a/(1+a)", {NULL}, {"a", NULL}, 0, {{0}}, {1}},
    {2, "-a", {"a-b", NULL}, {"1e8-b", NULL}, 0, {{0}}, {0}},
    {2, "-a-b", {NULL}, {"a", "b", "-a*b", "1e7-a-b", NULL}, 1, {{2, 0, 1}}, {0}},
    {2, "-a-b", {NULL}, {"a", "b", "-a*b", "1e6-1e-3*a", "1e6-1e-3*b", NULL}, 1, {{2, 0, 1}}, {0}},
    {2, "-a", {NULL}, {"5+1e-9*b-a", "100-b", NULL}, 0, {{0}}, {0}},
    {2, "-b", {"b-a^2", NULL}, {"1e4-a", "1e4+a", NULL}, 0, {{0}}, {1, 1}},
    {2, "a*b", {NULL}, {"a", "b", "-a*b", NULL}, 1, {{2, 0, 1}}, {1, 1}},
    {2, "a^2-2*a*b+b^2-a+b", {NULL}, {NULL}, 0, {{0}}, {1, 1}},
    {1, "a^4-1e6*a^2-1e6*a", {NULL}, {NULL}, 0, {{0}}, {1}},
    {2, "-a^2", {NULL}, {"1e3-a", "a+1e3", NULL}, 0, {{0}}, {0}},
    {2, "b^2-a^2", {NULL}, {"b-a", "b+a", NULL}, 0, {{0}}, {0}}, /* the cone within which it does not fall */
    {2, "-a", {NULL}, {"a", "b", "-a*b", "b-1", NULL}, 1, {{2, 0, 1}}, {0}},
    {3, "-c", {"c-1e5*a+1e5*b", NULL}, {"a", "b", "-a*b", "1e4-a", NULL}, 1, {{2, 0, 1}}, {0}},
    /* rows that contradict one another by less than the rounding of the terms where a method ended */
    {2, "-a", {"a+b-1", "a+b-3", NULL}, {NULL}, 0, {{0}}, {1.37e11, -1.37e11}},
    {2, "-a", {NULL}, {"a-b-2", "b-a+1", NULL}, 0, {{0}}, {1.4e11, 1.4e11}},
    {3, "c-3*a", {"a+b-c-1", "2*a+2*b-2*c-5", NULL}, {NULL}, 0, {{0}}, {1e11, 1e11, 2e11}},
};

static SsUnboundedResult
look (const Problem *p, double *x)
{
  SsMpcc *mpcc = ss_test_build_letters (p->n, p->cost, p->equalities, p->inequalities, p->n_pairs, p->pairs);
  SsUnboundedResult result;

  SS_CHECK (ss_unbounded_look (mpcc, p->x0, NULL, x, &result, NULL) == SS_OK);
  ss_mpcc_free (mpcc);
  return result;
}

static void
test_unbounded (void)
{
  double x[8];

  for (size_t i = 0; i < sizeof unbounded / sizeof *unbounded; i++) {
    const SsUnboundedResult r = look (&unbounded[i], x);
    SS_CHECK (r.is_unbounded && isfinite (r.objective));
    if (!r.is_unbounded || !isfinite (r.objective))
      printf ("  %s (%zu): floor %g, objective %g, reached %g, size %g\n", unbounded[i].cost, i, r.floor, r.objective,
              r.reached, r.size);
  }
}

static void
test_bounded (void)
{
  double x[8];

  for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++) {
    const SsUnboundedResult r = look (&bounded[i], x);
    SS_CHECK (!r.is_unbounded);
    if (r.is_unbounded)
      printf ("  %s (%zu): floor %g, objective %g, reached %g, size %g\n", bounded[i].cost, i, r.floor, r.objective,
              r.reached, r.size);
  }
}

/* The rows alone: a point is found where there is one, and none where there is none. */
static void
test_feasible (void)
{
  static const struct {
    Problem problem;
    bool is_there;
  } known[] = {{{2, "-1e9*a", {"a+b-3", NULL}, {"a", "b", "-a*b", NULL}, 1, {{2, 0, 1}}, {0}}, true},
               {{2, "a", {"a^2+b^2-25", NULL}, {"a", "b", "-a*b", NULL}, 1, {{2, 0, 1}}, {1, 2}}, true},
               {{2, "a", {"a^2+b^2+1", NULL}, {"a", "b", "-a*b", NULL}, 1, {{2, 0, 1}}, {1, 2}}, false},
               {{2, "a", {NULL}, {"a", "b", "-a*b", "a-1", "b-1", NULL}, 1, {{2, 0, 1}}, {0}}, false},
               {{1, "a", {NULL}, {"a-1", "-a", NULL}, 0, {{0}}, {0}}, false}};

  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const Problem *p = &known[i].problem;
    SsMpcc *mpcc = ss_test_build_letters (p->n, p->cost, p->equalities, p->inequalities, p->n_pairs, p->pairs);
    double x[8];
    bool found;
    SS_CHECK (ss_feasible_look (mpcc, p->x0, NULL, x, &found, NULL) == SS_OK && found == known[i].is_there);
    ss_mpcc_free (mpcc);
  }
}

static void
test_no_memory (void)
{
  const Problem *p = &unbounded[0];
  SsMpcc *mpcc = ss_test_build_letters (p->n, p->cost, p->equalities, p->inequalities, p->n_pairs, p->pairs);
  SsUnboundedResult result;
  SsStatus status = SS_ERR_MEMORY;
  double x[8];

  for (uint64_t k = 1; k < 1000 && status == SS_ERR_MEMORY; k++) {
    SsError err = {0};
    ss_alloc_fail_at (k);
    status = ss_unbounded_look (mpcc, p->x0, NULL, x, &result, &err);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && err.message[0] != '\0' && !result.is_unbounded));
  }
  SS_CHECK (status == SS_OK && result.is_unbounded);
  ss_mpcc_free (mpcc);
}

/* ---- random programs with linear rows, pairs and costs ----------------------------------------------------------- */

enum { N = 3, PAIRS = 2, ROWS_MOST = 10, SIDES = 2 * PAIRS };

/* min cost'x + x'(q q')x/2 with rows[i]'(x, 1) >= 0 and 0 <= sides[2 i]'(x, 1) _|_ sides[2 i + 1]'(x, 1) >= 0. */
typedef struct {
  double cost[N], q[N];
  int n_rows;
  double rows[ROWS_MOST][N + 1], sides[SIDES][N + 1];
} Program;

static double
at (const double *row, const double *x)
{
  double sum = row[N];

  for (int i = 0; i < N; i++)
    sum += row[i] * x[i];
  return sum;
}

static double
cost_at (const Program *p, const double *x)
{
  double sum = 0, q = 0;

  for (int i = 0; i < N; i++) {
    sum += p->cost[i] * x[i];
    q += p->q[i] * x[i];
  }
  return sum + q * q / 2;
}

/* x where three rows are 0; false: they are dependent. Cramer's rule. */
static bool
meet (const double *const rows[N], double *x)
{
  double d[N + 1];

  for (int c = 0; c <= N; c++) { /* column c - 1 replaced by the constants */
    double m[N][N];
    for (int r = 0; r < N; r++)
      for (int k = 0; k < N; k++)
        m[r][k] = k == c - 1 ? -rows[r][N] : rows[r][k];
    d[c] = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  }
  if (fabs (d[0]) < 1e-9)
    return false;
  for (int i = 0; i < N; i++)
    x[i] = d[i + 1] / d[0];
  return true;
}

/* The least linear cost in a branch (bit i of `branch`: side 2 i + 1 of pair i is 0) among the corners of its
 * polyhedron, which must be bounded; INFINITY: it is empty, to 1e-7. */
static double
least_of_branch (const Program *p, int branch)
{
  const double *all[ROWS_MOST + SIDES];
  double least = INFINITY, x[N];
  int n = 0;

  for (int r = 0; r < p->n_rows; r++)
    all[n++] = p->rows[r];
  for (int s = 0; s < SIDES; s++)
    all[n++] = p->sides[s];
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      for (int k = j + 1; k < n; k++) {
        const double *const three[N] = {all[i], all[j], all[k]};
        bool holds = meet (three, x);
        for (int r = 0; r < n && holds; r++)
          holds = at (all[r], x) >= -1e-7;
        for (int pair = 0; pair < PAIRS && holds; pair++)
          holds = at (p->sides[2 * pair + (branch >> pair & 1)], x) <= 1e-7;
        if (holds)
          least = fmin (least, cost_at (p, x));
      }
  return least;
}

static SsScenario *
write_program (const Program *p, const double *x0)
{
  static const char names[] = "abc";
  char text[8000], row[400];
  size_t n = 0;

#define SAY(...) n += (size_t)snprintf (text + n, sizeof text - n, __VA_ARGS__)
  SAY ("{\"format\":1,\"name\":\"program\",\"model\":{\"points\":2,\"time_step\":1,\"states\":[\"a\",\"b\",\"c\"],"
       "\"controls\":[],\"constraints\":[{\"name\":\"rows\",\"points\":0,\"nonnegative\":[");
  for (int r = 0; r < p->n_rows + SIDES; r++) {
    const double *c = r < p->n_rows ? p->rows[r] : p->sides[r - p->n_rows];
    snprintf (row, sizeof row, "\"%.17g*a+%.17g*b+%.17g*c+%.17g\"", c[0], c[1], c[2], c[3]);
    if (r == p->n_rows)
      SAY ("],\"complementary\":[");
    if (r < p->n_rows)
      SAY ("%s%s", r > 0 ? "," : "", row);
    else
      SAY ("%s%s%s", (r - p->n_rows) % 2 == 0 ? (r > p->n_rows ? ",[" : "[") : ",", row,
           (r - p->n_rows) % 2 == 1 ? "]" : "");
  }
  SAY ("]},{\"name\":\"unused\",\"points\":1,\"zero\":[\"a\",\"b\",\"c\"]}],\"cost\":[{\"name\":\"cost\",\"points\":0,"
       "\"cost\":\"%.17g*a+%.17g*b+%.17g*c+(%.17g*a+%.17g*b+%.17g*c)^2/2\"}]},\"task\":{\"guess\":{\"values\":{",
       p->cost[0], p->cost[1], p->cost[2], p->q[0], p->q[1], p->q[2]);
  for (int i = 0; i < N; i++)
    SAY ("%s\"%c\":\"if(k < 0.5, %.17g, 0)\"", i > 0 ? "," : "", names[i], x0[i]);
  SAY ("}}}}");
#undef SAY
  return ss_test_read_text (text);
}

/* The answer's point (N) where it has one. */
static SsOutcome
run (const SsScenario *scenario, const char *method, double *x, SsRunResult *result)
{
  const SsMethod *found = ss_method_find (SS_METHOD_OPTIMISER, method, NULL);
  void *options = calloc (1, found->options->size + 1);
  const SsJob job = ss_job (found, scenario, options);

  ss_options_init (found->options, options);
  SS_CHECK (ss_run (&job, NULL, result, NULL) == SS_OK);
  free (options);
  const SsTrajectory *motion = ss_run_motion (result);
  for (int i = 0; i < N && motion != NULL; i++)
    x[i] = ss_trajectory_row (motion, 0)[1 + i];
  return result->outcome;
}

static const char *const methods[] = {"auto", "crisp", "ipopt", "scholtes"};
enum { METHODS = sizeof methods / sizeof *methods };

static void
random_row (SsRandom *random, double *row)
{
  for (int i = 0; i <= N; i++)
    row[i] = ss_random_normal (random);
}

/* Within |x| <= 10; x0 keeps every row where is_feasible. */
static void
make_program (SsRandom *random, bool is_feasible, const double *x0, Program *p)
{
  *p = (Program){.n_rows = 2 * N + 2};
  for (int i = 0; i < N; i++) {
    p->cost[i] = ss_random_normal (random);
    p->rows[2 * i][i] = 1;
    p->rows[2 * i + 1][i] = -1;
    p->rows[2 * i][N] = p->rows[2 * i + 1][N] = 10;
  }
  for (int r = 2 * N; r < p->n_rows; r++) {
    random_row (random, p->rows[r]);
    if (is_feasible)
      p->rows[r][N] += fabs (ss_random_normal (random)) - at (p->rows[r], x0);
  }
  for (int s = 0; s < SIDES; s++) {
    random_row (random, p->sides[s]);
    if (is_feasible)
      p->sides[s][N] += (s % 2 == 0 ? 0 : fabs (ss_random_normal (random))) - at (p->sides[s], x0);
  }
}

/* A claim of B-stationarity at x against all branches that x lies in: corners with a lower cost would be in reach. */
static void
check_stationary (const Program *p, const double *x)
{
  const double cost = cost_at (p, x);

  for (int branch = 0; branch < 1 << PAIRS; branch++) {
    bool is_in = true;
    for (int pair = 0; pair < PAIRS; pair++)
      is_in = is_in && at (p->sides[2 * pair + (branch >> pair & 1)], x) <= 1e-6;
    if (is_in) /* 1e-3: a slope of 1e-6 within .1, over the 30 from corner to corner */
      SS_CHECK (least_of_branch (p, branch) >= cost - 1e-3);
  }
}

static void
test_linear_programs (void)
{
  SsRandom random;
  int n_solved[METHODS] = {0}, n_feasible = 0;

  ss_random_seed (&random, 2301);
  for (int round = 0; round < (ss_test_is_coarse () ? 12 : 60); round++) {
    double x0[N], x[N] = {0};
    Program p;
    for (int i = 0; i < N; i++)
      x0[i] = ss_random_between (&random, -3, 3);
    make_program (&random, round % 2 == 0, x0, &p);
    double least = INFINITY;
    for (int branch = 0; branch < 1 << PAIRS; branch++)
      least = fmin (least, least_of_branch (&p, branch));
    SsScenario *scenario = write_program (&p, (const double[N]){0});
    n_feasible += isfinite (least);
    for (int m = 0; m < METHODS; m++) {
      SsRunResult result;
      const SsOutcome outcome = run (scenario, methods[m], x, &result);
      const bool is_proved = ss_metric_get (&result.metrics, SS_METRIC_B_VERIFIED) == 1;
      SS_CHECK (outcome != SS_OUTCOME_UNBOUNDED);
      if (isfinite (least)) {
        n_solved[m] += outcome == SS_OUTCOME_SOLVED;
        SS_CHECK (m > 0 || outcome == SS_OUTCOME_SOLVED || outcome == SS_OUTCOME_INFEASIBLE);
        SS_CHECK (outcome != SS_OUTCOME_SOLVED || cost_at (&p, x) >= least - 1e-4);
        if (is_proved)
          check_stationary (&p, x);
      } else {
        SS_CHECK (m > 0 || outcome == SS_OUTCOME_INFEASIBLE);
        SS_CHECK (outcome != SS_OUTCOME_SOLVED && !is_proved);
        if (ss_test_failed_checks > 0)
          printf ("  round %d, %s: %s: %s\n", round, methods[m], ss_outcome_name (outcome), result.message);
      }
      ss_run_result_clear (&result);
    }
    ss_scenario_free (scenario);
  }
  printf ("# of %d feasible: auto %d, crisp %d, ipopt %d, scholtes %d solved\n", n_feasible, n_solved[0], n_solved[1],
          n_solved[2], n_solved[3]);
  SS_CHECK (n_solved[0] >= n_feasible * 0.9);
}

/* With a ray d from x0: rows do not fall along it, one side of each pair stays 0, the square stays, the cost falls. */
static void
test_rays (void)
{
  SsRandom random;
  int n_found[METHODS] = {0};
  enum { ROUNDS = 30 };

  ss_random_seed (&random, 2302);
  for (int round = 0; round < ROUNDS; round++) {
    const double zero[N] = {0};
    double x0[N], d[N + 1] = {0}, x[N] = {0}, size = 0;
    Program p;
    for (int i = 0; i < N; i++) {
      x0[i] = ss_random_between (&random, -3, 3);
      d[i] = ss_random_normal (&random);
      size += d[i] * d[i];
    }
    make_program (&random, true, x0, &p);
    for (int r = 0; r < 2; r++)
      memcpy (p.rows[r], p.rows[2 * N + r], sizeof p.rows[r]);
    p.n_rows = 2;
    for (int r = 0; r < p.n_rows + SIDES + 2; r++) { /* turned until they are as they should be along d */
      double *row = r < p.n_rows            ? p.rows[r]
                    : r < p.n_rows + SIDES  ? p.sides[r - p.n_rows]
                    : r == p.n_rows + SIDES ? p.cost
                                            : p.q;
      const bool is_row = r < p.n_rows + SIDES,
                 stays = (r >= p.n_rows && is_row && (r - p.n_rows) % 2 == 0) || row == p.q;
      const double before = is_row ? at (row, x0) : 0;
      double along = 0;
      for (int i = 0; i < N; i++) {
        row[i] = row == p.q ? ss_random_normal (&random) : row[i];
        along += row[i] * d[i];
      }
      const double change = stays ? -along : row == p.cost ? -fabs (along) - along - 0.1 : fabs (along) - along + 0.1;
      for (int i = 0; i < N; i++)
        row[i] += change * d[i] / size;
      if (is_row)
        row[N] += before - at (row, x0);
    }
    SsScenario *scenario = write_program (&p, round % 2 == 0 ? x0 : zero);
    for (int m = 0; m < METHODS; m++) {
      SsRunResult result;
      const SsOutcome outcome = run (scenario, methods[m], x, &result);
      n_found[m] += outcome == SS_OUTCOME_UNBOUNDED;
      if (outcome == SS_OUTCOME_UNBOUNDED) {
        SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION) < 1e-6);
        SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_B_VERIFIED) != 1);
      } else {
        printf ("  round %d, %s: %s: %s\n", round, methods[m], ss_outcome_name (outcome), result.message);
      }
      ss_run_result_clear (&result);
    }
    ss_scenario_free (scenario);
  }
  printf ("# of %d with a ray: auto %d, crisp %d, ipopt %d, scholtes %d unbounded\n", ROUNDS, n_found[0], n_found[1],
          n_found[2], n_found[3]);
  for (int m = 0; m < METHODS; m++)
    SS_CHECK (n_found[m] >= 0.9 * ROUNDS);
}

int
main (void)
{
  SS_RUN (test_unbounded);
  SS_RUN (test_bounded);
  SS_RUN (test_feasible);
  SS_RUN (test_no_memory);
  SS_RUN_SLOW (test_linear_programs);
  SS_RUN (test_rays);
  return ss_test_finish ();
}
