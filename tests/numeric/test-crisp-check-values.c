/* tests/numeric/test-crisp-check-values.c: the benchmark problems of paper 004 against the values that the authors'
 * program gives at two points per problem (reference notes, section 9), from the tapes and from the metrics, which
 * share no code; sizes; derivatives of push box against differences.
 *
 * Tolerance of a published value: 0.6 units of its last printed digit (its rounding, and ours). Central differences
 * with step 1e-6 of functions with values up to 2e3 err by 1e-16 * 2e3 / 1e-6 = 2e-7 in rounding and by 1e-12 * third
 * derivative; 1e-5 covers both.
 */
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "ss-test-scenario.h"

#include <stdlib.h>

typedef struct {
  const char *file;      /* examples/crisp/<file>.stickslip.json */
  const char *point;     /* "test" or "guess" */
  const char *objective; /* as printed in the reference */
  const char *equality, *inequality, *l1;
  double loosened; /* absolute, where the reference prints 0 for something that is only tiny */
  bool is_required;
} Published;

/* [004 (41)-(72) (74)-(78) (87)-(100) (110)-(121) (125a)-(125c) (132) (134)-(139) (142a)-(142c) (142e) (143)-(150)];
 * rows that these points do not violate: test_rows_that_hold. */
static const Published published[] = {
    {"push-box", "test", "2765.777627", "0.5982904", "0.2999993", "179.7312832", 0, true},
    {"push-box", "guess", "2654.596338", "0", "0", "0", 0, true},
    {"cartpole", "test", "7.44703329", "2.939304", "0.3493129", "188.8444341", 0, true},
    {"cartpole", "guess", "1827.962758", "0", "0", "0", 1e-13, true},
    {"transport", "test", "9871.434123", "4.298764", "0.6575926", "445.8210832", 0, true},
    {"transport", "guess", "25080", "4", "0", "14.5", 0, true},
    {"push-t", "test", "247.904987", "1.257155", "0.4224134", "361.4888106", 0, true},
    {"push-t", "guess", "152.240005", "1", "0", "74.81951068", 0, true},
    {"hopper", "test", "1797.29559", "1.297714", "0.5472149", "661.469951", 0, true},
    {"hopper", "guess", "1051.914786", "0.2197440", "0", "8.793681183", 0, true},
    {"waiter", "test", "828.5104594", "20.06304", "0.5590679", "2214.165156", 0, true},
    {"waiter", "guess", "802", "19.62", "0.1", "1958.48", 0, true},
};

/* Sizes (section 0). Push T: the 41 rows of the last point that are identically zero may be left out. */
typedef struct {
  const char *file;
  int n, n_equalities, n_inequalities, n_optional;
} Size;

static const Size sizes[] = {
    {"cartpole", 700, 400, 594, 0},  {"push-box", 900, 300, 1782, 0}, {"transport", 1600, 1001, 1800, 0},
    {"push-t", 1450, 601, 3422, 41}, {"hopper", 2200, 1801, 1800, 0}, {"waiter", 1300, 701, 1900, 0},
};

/* One of the examples, read and built. */
typedef struct {
  SsScenario *scenario;
  SsMpcc *mpcc;
  SsMpccEval *eval;
  int n, n_rows;
  double *x, *c;
} Problem;

static bool
open_problem (Problem *p, const char *file, const SsOverride *overrides, int n_overrides)
{
  char path[512];
  SsProblems problems;
  SsError err;
  FILE *stream;

  memset (p, 0, sizeof *p);
  snprintf (path, sizeof path, "%s/examples/crisp/%s.stickslip.json", SS_SOURCE_ROOT, file);
  stream = fopen (path, "r");
  if (stream == NULL)
    return false;
  fclose (stream);
  ss_problems_init (&problems);
  if (ss_scenario_read_file (path, overrides, n_overrides, &problems, &p->scenario) != SS_OK) {
    ss_test_print_problems (&problems);
    SS_CHECK (!"the example can be read");
    ss_problems_clear (&problems);
    return false;
  }
  ss_problems_clear (&problems);
  if (ss_problem_build (p->scenario, &p->mpcc, &err) != SS_OK) {
    printf ("%s\n", err.message);
    SS_CHECK (!"the problem can be built");
    ss_scenario_free (p->scenario);
    return false;
  }
  SS_CHECK (ss_mpcc_eval_new (p->mpcc, &p->eval, &err) == SS_OK);
  p->n = ss_mpcc_n_variables (p->mpcc);
  p->n_rows = ss_mpcc_n_rows (p->mpcc);
  p->x = calloc ((size_t)p->n, sizeof (double));
  p->c = calloc ((size_t)p->n_rows, sizeof (double));
  return true;
}

static void
close_problem (Problem *p)
{
  ss_mpcc_eval_free (p->eval);
  ss_mpcc_free (p->mpcc);
  ss_scenario_free (p->scenario);
  free (p->x);
  free (p->c);
}

static void
go_to (Problem *p, const char *point)
{
  SsError err;

  if (strcmp (point, "guess") == 0)
    SS_CHECK (ss_problem_guess (p->scenario, p->x, &err) == SS_OK);
  else
    for (int j = 0; j < p->n; j++)
      p->x[j] = 0.3 * sin (0.37 * (j + 1));
}

/* 0.6 units of the last digit printed. */
static double
unit_of (const char *printed)
{
  const char *dot = strchr (printed, '.');

  return dot == NULL ? 1e-9 * (1 + fabs (atof (printed))) : 0.6 * pow (10, -(double)strlen (dot + 1));
}

static void
check_printed (const Published *p, const char *what, const char *printed, double value)
{
  double expected = atof (printed), tolerance = expected == 0 ? p->loosened : unit_of (printed);

  if (!(fabs (value - expected) <= tolerance))
    printf ("%s at %s, %s: %.12g, published %s\n", p->file, p->point, what, value, printed);
  SS_CHECK_NEAR (value, expected, tolerance);
}

/* [004 (9a)-(9c)]. */
static void
check_published (const Published *p)
{
  Problem problem;
  SsMetrics metrics;
  SsError err;
  double equality = 0, inequality = 0, l1 = 0;
  if (!open_problem (&problem, p->file, NULL, 0)) {
    printf ("no examples/crisp/%s.stickslip.json%s\n", p->file, p->is_required ? "" : " (not required)");
    SS_CHECK (!p->is_required);
    return;
  }
  go_to (&problem, p->point);
  ss_mpcc_rows (problem.eval, problem.x, problem.c);
  for (int r = 0; r < problem.n_rows; r++) {
    bool is_equality = r < ss_mpcc_n_equalities (problem.mpcc);
    double amount = is_equality ? fabs (problem.c[r]) : fmax (0, -problem.c[r]);

    l1 += amount;
    if (is_equality)
      equality = fmax (equality, amount);
    else
      inequality = fmax (inequality, amount);
  }
  check_printed (p, "objective (tapes)", p->objective, ss_mpcc_objective (problem.eval, problem.x));
  check_printed (p, "equalities (tapes)", p->equality, equality);
  check_printed (p, "inequalities (tapes)", p->inequality, inequality);
  check_printed (p, "l1 (tapes)", p->l1, l1);

  SS_CHECK (ss_metrics_compute (problem.scenario, problem.x, &metrics, &err) == SS_OK);
  check_printed (p, "objective (metrics)", p->objective, metrics.objective);
  check_printed (p, "equalities (metrics)", p->equality, metrics.violation_equality);
  check_printed (p, "inequalities (metrics)", p->inequality,
                 fmax (metrics.violation_inequality, metrics.violation_product));
  check_printed (p, "l1 (metrics)", p->l1, metrics.l1_violation);
  SS_CHECK (metrics.is_finite);
  SS_CHECK (metrics.n_variables == problem.n);
  SS_CHECK (metrics.n_equalities == ss_mpcc_n_equalities (problem.mpcc));
  SS_CHECK (metrics.n_inequalities == ss_mpcc_n_inequalities (problem.mpcc));
  SS_CHECK (metrics.n_products == ss_mpcc_n_pairs (problem.mpcc));
  SS_CHECK_NEAR (metrics.max_violation, fmax (equality, inequality), 1e-12 * (1 + equality));
  close_problem (&problem);
}

static void
test_published_values (void)
{
  for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
    check_published (&published[i]);
}

/* Rows that no point of the table violates, at one where they have other values [004 (73) (141) (142d) (142f)]. */
static void
test_rows_that_hold (void)
{
  static const struct {
    const char *file, *row;
    int at[3]; /* variables a, b, c; value = constant + slope_a a + slope_b b + bilinear c (b - a + 7) */
    double constant, slope_a, slope_b, bilinear;
  } cases[] = {
      {"transport", "friction[1].nonnegative[4]", {8, 9, 0}, 1, 1, -1, 0},
      {"transport", "friction[1].nonnegative[5]", {8, 9, 0}, 1, -1, 1, 0},
      {"hopper", "contact[1].nonnegative[0]", {16, 0, 0}, 0, 1, 0, 0},
      {"hopper", "contact[1].nonnegative[3]", {16, 0, 0}, 0.8, -1, 0, 0},
      {"waiter", "contact[1].nonnegative[6]", {0, 14, 0}, -0.1, 0, 1, 0},
      {"waiter", "contact[1].nonnegative[7]", {13, 14, 0}, 7, 1, -1, 0},
      {"waiter", "contact[1].nonnegative[8]", {13, 14, 21}, 2 * 9.81 * 7, 0, 0, -1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Problem p;
    int row = -1;
    if (!open_problem (&p, cases[i].file, NULL, 0))
      continue;
    go_to (&p, "test");
    for (int r = 0; r < p.n_rows && row < 0; r++)
      if (strcmp (ss_mpcc_row_name (p.mpcc, r), cases[i].row) == 0)
        row = r;
    SS_CHECK (row >= ss_mpcc_n_equalities (p.mpcc));
    ss_mpcc_rows (p.eval, p.x, p.c);
    const double a = p.x[cases[i].at[0]], b = p.x[cases[i].at[1]], c = p.x[cases[i].at[2]];
    if (row >= 0)
      SS_CHECK_NEAR (p.c[row],
                     cases[i].constant + cases[i].slope_a * a + cases[i].slope_b * b +
                         cases[i].bilinear * c * (b - a + 7),
                     1e-12 * (1 + fabs (cases[i].constant)));
    close_problem (&p);
  }
}

static void
test_sizes (void)
{
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    Problem p;
    int missing;

    if (!open_problem (&p, sizes[i].file, NULL, 0))
      continue;
    missing = sizes[i].n_inequalities - ss_mpcc_n_inequalities (p.mpcc);
    SS_CHECK (p.n == sizes[i].n);
    SS_CHECK (ss_mpcc_n_equalities (p.mpcc) == sizes[i].n_equalities);
    SS_CHECK (missing == 0 || missing == sizes[i].n_optional);
    close_problem (&p);
  }
}

/* ---- push box ---------------------------------------------------------------------------------------------------- */

/* [004 (8e)]. Structural nonzeros as in the reference: it counts every entry that is not identically zero, and so do
 * we. */
static void
test_push_box_structure (void)
{
  Problem p;
  const SsPattern *jacobian, *hessian;
  int off_diagonal = 0, n_affine = 0;
  const SsMpccPair *pairs;

  if (!open_problem (&p, "push-box", NULL, 0))
    return;
  jacobian = ss_mpcc_jacobian_pattern (p.mpcc);
  hessian = ss_mpcc_objective_hessian_pattern (p.mpcc);
  SS_CHECK (jacobian->start[300] == 2181);
  SS_CHECK (jacobian->start[p.n_rows] - jacobian->start[300] == 2772);
  for (int c = 0; c < p.n; c++)
    for (int e = hessian->start[c]; e < hessian->start[c + 1]; e++)
      off_diagonal += hessian->index[e] != c;
  SS_CHECK (hessian->start[p.n] + off_diagonal == 399);
  /* Affine: 3 initial rows and the 8 sign rows of each of 99 points. */
  for (int r = 0; r < p.n_rows; r++)
    n_affine += ss_mpcc_row_is_affine (p.mpcc, r);
  SS_CHECK (n_affine == 3 + 8 * 99);
  /* Order: point 0 has its 12 rows of block "contact" first; block "single-force" comes after all of them. */
  SS_CHECK_STR (ss_mpcc_row_name (p.mpcc, 0), "dynamics[0].zero[0]");
  SS_CHECK_STR (ss_mpcc_row_name (p.mpcc, 4), "dynamics[1].zero[1]");
  SS_CHECK_STR (ss_mpcc_row_name (p.mpcc, 299), "start[0].zero[2]");
  SS_CHECK_STR (ss_mpcc_row_name (p.mpcc, 300 + 12 + 3), "contact[1].nonnegative[3]");
  SS_CHECK_STR (ss_mpcc_row_name (p.mpcc, 300 + 8), "contact[0].complementary[0].product");
  SS_CHECK_STR (ss_mpcc_row_name (p.mpcc, 300 + 12 * 99), "single-force[0].complementary[0].product");
  /* Pairs point at the rows listed elsewhere: (l1, cy + b) of point 1, and (-l3, -l4) of the last. */
  pairs = ss_mpcc_pairs (p.mpcc);
  SS_CHECK (ss_mpcc_n_pairs (p.mpcc) == 10 * 99);
  SS_CHECK (pairs[4].product_row == 12 + 8 && pairs[4].row_a == 12 && pairs[4].row_b == 12 + 4);
  SS_CHECK (pairs[989].product_row == 1781 && pairs[989].row_a == 98 * 12 + 2 && pairs[989].row_b == 98 * 12 + 3);
  close_problem (&p);
}

static double
entry (const SsPattern *pattern, const double *values, int major, int minor)
{
  for (int e = pattern->start[major]; e < pattern->start[major + 1]; e++)
    if (pattern->index[e] == minor)
      return values[e];
  return 0;
}

static const double difference_step = 1e-6;
static const double difference_error = 1e-5;

/* Dense comparison of all rows and of the Lagrangian's gradient, column by column. */
static void
test_push_box_derivatives (void)
{
  Problem p;
  const SsPattern *jacobian, *lagrangian;
  double *values, *h, *plus, *minus, *lambda, *up, *down;
  double worst_first = 0, worst_second = 0;
  SsRandom random;

  if (!open_problem (&p, "push-box", NULL, 0))
    return;
  jacobian = ss_mpcc_jacobian_pattern (p.mpcc);
  lagrangian = ss_mpcc_lagrangian_hessian_pattern (p.mpcc);
  values = calloc ((size_t)jacobian->start[p.n_rows], sizeof *values);
  h = calloc ((size_t)lagrangian->start[p.n], sizeof *h);
  plus = calloc ((size_t)p.n_rows, sizeof *plus);
  minus = calloc ((size_t)p.n_rows, sizeof *minus);
  lambda = calloc ((size_t)p.n_rows, sizeof *lambda);
  up = calloc ((size_t)p.n, sizeof *up);
  down = calloc ((size_t)p.n, sizeof *down);
  ss_random_seed (&random, 4);
  for (int j = 0; j < p.n; j++)
    p.x[j] = ss_random_between (&random, -1, 1);
  for (int r = 0; r < p.n_rows; r++)
    lambda[r] = ss_random_between (&random, -1, 1);
  ss_mpcc_lagrangian_hessian (p.eval, p.x, 0.5, lambda, h);
  for (int j = 0; j < p.n; j++) {
    double at = p.x[j];

    for (int side = 0; side < 2; side++) {
      p.x[j] = side == 0 ? at + difference_step : at - difference_step;
      ss_mpcc_rows (p.eval, p.x, side == 0 ? plus : minus);
      ss_mpcc_gradient (p.eval, p.x, side == 0 ? up : down);
      for (int i = 0; i < p.n; i++)
        (side == 0 ? up : down)[i] *= 0.5;
      ss_mpcc_jacobian (p.eval, p.x, values);
      ss_csr_multiply_transposed (jacobian, values, lambda, side == 0 ? up : down);
    }
    p.x[j] = at;
    ss_mpcc_jacobian (p.eval, p.x, values);
    for (int r = 0; r < p.n_rows; r++)
      worst_first =
          fmax (worst_first, fabs (entry (jacobian, values, r, j) - (plus[r] - minus[r]) / (2 * difference_step)));
    for (int i = j; i < p.n; i++)
      worst_second =
          fmax (worst_second, fabs (entry (lagrangian, h, j, i) - (up[i] - down[i]) / (2 * difference_step)));
  }
  printf ("worst difference: jacobian %.2g, lagrangian hessian %.2g\n", worst_first, worst_second);
  SS_CHECK_NEAR (worst_first, 0, difference_error);
  SS_CHECK_NEAR (worst_second, 0, difference_error);
  free (values);
  free (h);
  free (plus);
  free (minus);
  free (lambda);
  free (up);
  free (down);
  close_problem (&p);
}

/* Another target is another set of numbers, not another problem. */
static void
test_push_box_parameters (void)
{
  Problem p, q;
  double values[64];
  SsOverride j = {"j", 3};
  SsMetrics metrics;
  SsError err;
  uint64_t before;

  if (!open_problem (&p, "push-box", NULL, 0) || !open_problem (&q, "push-box", &j, 1))
    return;
  SS_CHECK (q.scenario->n_parameters <= 64);
  ss_problem_parameters (q.scenario, values);
  before = ss_alloc_count ();
  ss_mpcc_set_parameters (p.mpcc, values);
  go_to (&p, "test");
  ss_mpcc_rows (p.eval, p.x, p.c);
  SS_CHECK (ss_alloc_count () == before);
  SS_CHECK (ss_metrics_compute (q.scenario, p.x, &metrics, &err) == SS_OK);
  SS_CHECK_NEAR (ss_mpcc_objective (p.eval, p.x), metrics.objective, 1e-10 * metrics.objective);
  SS_CHECK_NEAR (ss_mpcc_objective (p.eval, p.x), ss_mpcc_objective (q.eval, p.x), 0);
  close_problem (&p);
  close_problem (&q);
}

/* Tracking, the worst row, values that are not finite. */
static void
test_push_box_metrics (void)
{
  Problem p;
  SsMetrics metrics;
  SsError err;
  double target[3];

  if (!open_problem (&p, "push-box", NULL, 0))
    return;
  SS_CHECK (ss_metrics_compute (p.scenario, p.x, &metrics, &err) == SS_OK);
  SS_CHECK_NEAR (metrics.tracking[SS_TRACK_POSITION], 3, 1e-12);
  SS_CHECK_NEAR (metrics.tracking[SS_TRACK_ANGLE], 12 * 2 * 3.14159265358979 / 18, 1e-12);
  SS_CHECK (isnan (metrics.tracking[SS_TRACK_VELOCITY]));
  SS_CHECK_NEAR (metrics.tracking_error, sqrt (2654.596338 / 100), 1e-7);
  SS_CHECK (!metrics.success_paper);

  /* The last point on the target and everything else at rest: only the last dynamics rows are violated, most of all
   * that of the angle. */
  target[2] = 12 * 2 * 3.14159265358979323846 / 18;
  target[0] = 3 * cos (target[2]);
  target[1] = 3 * sin (target[2]);
  memcpy (p.x + 99 * 9, target, sizeof target);
  SS_CHECK (ss_metrics_compute (p.scenario, p.x, &metrics, &err) == SS_OK);
  SS_CHECK_NEAR (metrics.tracking_error, 0, 1e-14);
  SS_CHECK_NEAR (metrics.max_violation, target[2], 1e-14);
  SS_CHECK_CONTAINS (metrics.worst, "zero[2]");
  SS_CHECK_CONTAINS (metrics.worst, "k = 98");
  SS_CHECK (!metrics.success_paper);

  p.x[5 * 9 + 6] = NAN;
  SS_CHECK (ss_metrics_compute (p.scenario, p.x, &metrics, &err) == SS_OK);
  SS_CHECK (!metrics.is_finite && !metrics.success_paper && isinf (metrics.max_violation));
  close_problem (&p);
}

static void
test_push_box_trajectory (void)
{
  Problem p;
  SsTrajectory *trajectory = NULL;
  SsError err;

  if (!open_problem (&p, "push-box", NULL, 0))
    return;
  go_to (&p, "test");
  SS_CHECK (ss_problem_trajectory (p.scenario, p.x, &trajectory, &err) == SS_OK);
  SS_CHECK (trajectory->n_rows == 100 && trajectory->n_channels == 10);
  SS_CHECK_STR (trajectory->channels[1].name, "px");
  SS_CHECK_NEAR (ss_trajectory_row (trajectory, 99)[0], 1.98, 1e-15);
  SS_CHECK_NEAR (ss_trajectory_row (trajectory, 7)[ss_trajectory_channel (trajectory, "l4")], p.x[7 * 9 + 8], 0);
  ss_trajectory_free (trajectory);
  close_problem (&p);
}

int
main (void)
{
  SS_RUN (test_published_values);
  SS_RUN (test_rows_that_hold);
  SS_RUN (test_sizes);
  SS_RUN (test_push_box_structure);
  SS_RUN (test_push_box_derivatives);
  SS_RUN (test_push_box_parameters);
  SS_RUN (test_push_box_metrics);
  SS_RUN (test_push_box_trajectory);
  return ss_test_finish ();
}
