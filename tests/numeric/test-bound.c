/* tests/numeric/test-bound.c: lower bounds. Truth: the published optima of tests/data/mpcc, which no bound may exceed;
 * the definition of the Lagrangian at random points; and proofs that are spoilt on purpose.
 *
 * Tolerance of published optima: they are printed with six digits, so half a unit of the sixth, and where they are near
 * 0 what their authors' solvers are exact to (1e-5). */
#include "bound/ss-bound-relax.h"
#include "bound/ss-bound-run.h"
#include "core/ss-random.h"
#include "ss-test-scenario.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static SsScenario *
open_problem (const char *name)
{
  char path[200];

  snprintf (path, sizeof path, "tests/data/mpcc/%.100s.stickslip.json", name);
  return ss_test_read_file (path, NULL, 0);
}

/* ---- intervals --------------------------------------------------------------------------------------------------- */

static void
test_intervals (void)
{
  SsRandom random;

  ss_random_seed (&random, 7);
  for (int i = 0; i < 10000; i++) {
    const double a = ss_random_normal (&random) * pow (10, ss_random_between (&random, -8, 8));
    const double b = ss_random_normal (&random) * pow (10, ss_random_between (&random, -8, 8));
    const SsInterval x = ss_interval (a), y = ss_interval (b), sum = ss_interval_add (x, y),
                     product = ss_interval_multiply (x, y), ratio = ss_interval_divide (x, y);
    /* eleven more bits than a double: wrong by less than a unit of theirs */
    const long double s = (long double)a + b, p = (long double)a * b, q = (long double)a / b;
    const long double slack = 1.1e-19L;
    SS_CHECK (sum.low <= s + slack * fabsl (s) && s - slack * fabsl (s) <= sum.high);
    SS_CHECK (product.low <= p + slack * fabsl (p) && p - slack * fabsl (p) <= product.high);
    SS_CHECK (ratio.low <= q + slack * fabsl (q) && q - slack * fabsl (q) <= ratio.high);
    SS_CHECK (sum.high - sum.low <= 4e-16 * fabs (a + b));
  }
  /* what is exact stays so, 0.1 + 0.2 is not */
  SS_CHECK (ss_interval_add (ss_interval (50.5), ss_interval (-49.5)).low == 1);
  SS_CHECK (ss_interval_add (ss_interval (50.5), ss_interval (-49.5)).high == 1);
  SS_CHECK (ss_interval_add (ss_interval (0.1), ss_interval (0.2)).low <
            ss_interval_add (ss_interval (0.1), ss_interval (0.2)).high);
  SS_CHECK (ss_interval_multiply (ss_interval (0), SS_INTERVAL_ALL).high == 0);
  /* beyond the largest double: what is taken away again must not leave an infinite lower end, below which nothing is */
  const SsInterval large = ss_interval (1e308), twice = ss_interval_add (large, large),
                   square = ss_interval_multiply (large, large), tiny = ss_interval (1e-310);
  SS_CHECK (twice.low <= 2 * (long double)1e308 && isinf (twice.high));
  SS_CHECK (square.low <= (long double)1e308 * 1e308L && isinf (square.high));
  SS_CHECK (ss_interval_divide (ss_interval (1), tiny).low <= 1e310L && isinf (ss_interval_divide (large, tiny).high));
  SS_CHECK (isinf (ss_interval_negate (twice).low) && ss_interval_negate (twice).high >= -2 * (long double)1e308);
}

/* ---- the Lagrangian ---------------------------------------------------------------------------------------------- */

/* f(x) - u'c(x) at points of random boxes is not below the floor, for random multipliers of rows. */
static void
test_floor (const char *name)
{
  SsScenario *scenario = open_problem (name);
  SsBoundProblem *p = NULL;
  SsBoundKernel *kernel = NULL;
  SsRandom random;
  SsError err;

  SS_CHECK (ss_bound_problem_new (scenario, &p, &err) == SS_OK);
  SS_CHECK (ss_bound_kernel_new (p, &kernel, &err) == SS_OK);
  double *x = calloc ((size_t)p->n, sizeof *x), *at = calloc ((size_t)p->n, sizeof *at),
         *u = calloc ((size_t)p->n_rows + 1, sizeof *u);
  SsInterval *box = calloc ((size_t)p->n, sizeof *box);
  bool *side_on = calloc (2 * (size_t)p->n_pairs + 1, sizeof *side_on);
  int *constraint = calloc ((size_t)p->n_rows + 1, sizeof *constraint);
  ss_random_seed (&random, 3);
  for (int round = 0; round < 50; round++) {
    SsBoundFloor least;
    for (int i = 0; i < p->n; i++) {
      const double a = ss_random_between (&random, -3, 3), b = ss_random_between (&random, -3, 3);
      box[i] = (SsInterval){fmin (a, b), fmax (a, b)};
      at[i] = ss_random_between (&random, -3, 3);
    }
    for (int i = 0; i < p->n_rows; i++) {
      constraint[i] = i;
      u[i] = p->rows[i].is_equality ? ss_random_normal (&random) : ss_random_uniform (&random);
    }
    const SsBoundMultipliers multipliers = {round % 2, p->n_rows, constraint, u, at};
    SS_CHECK (ss_bound_kernel_floor (kernel, &multipliers, side_on, box, &least, &err) == SS_OK);
    for (int draw = 0; draw < 100; draw++) {
      for (int i = 0; i < p->n; i++) /* ends as often as the inside */
        x[i] = draw % 2 == 0                       ? ss_random_between (&random, box[i].low, box[i].high)
               : ss_random_uniform (&random) < 0.5 ? box[i].low
                                                   : box[i].high;
      double value = round % 2 == 1 ? ss_bound_value (p, &p->objective, x).high : 0;
      for (int i = 0; i < p->n_rows; i++)
        value -= u[i] * ss_bound_value (p, &p->rows[i].form, x).high;
      SS_CHECK (value >= least.value - 1e-9 * (1 + fabs (value)));
    }
  }
  free (x);
  free (at);
  free (u);
  free (box);
  free (side_on);
  free (constraint);
  ss_bound_kernel_free (kernel);
  ss_bound_problem_free (p);
  ss_scenario_free (scenario);
}

static void
test_floors (void)
{
  test_floor ("bard1m");    /* squares */
  test_floor ("outrata31"); /* products and quotients */
  test_floor ("flp2");      /* coupled squares */
}

/* ---- published optima -------------------------------------------------------------------------------------------- */

/* Objectives with a constant of -60 that was subtracted once more in what is published. */
static double
published_offset (const char *name)
{
  return strcmp (name, "ex9_2_3") == 0 || strcmp (name, "bilevel1m") == 0 ? 60 : 0;
}

static SsBoundRun
bound_of (const SsScenario *scenario, double gap)
{
  SsBoundRunOptions options;
  SsRunControl control;
  SsBoundRun run = {0};
  SsError err = {0};

  ss_run_control_init (&control);
  ss_bound_run_options_init (&options);
  options.gap = gap;
  options.cpu_seconds = ss_test_is_long () ? 10 : 1.5;
  options.max_nodes = ss_test_is_long () ? 100000 : 40;
  if (ss_bound_run (scenario, &options, &control, &run, &err) != SS_OK) {
    SS_CHECK (err.status == SS_ERR_INVALID && strncmp (err.message, "no bound: ", 10) == 0);
    run.bound = run.gap = NAN;
  }
  return run;
}

static void
test_published (void)
{
  FILE *index = fopen (SS_SOURCE_ROOT "/tests/data/mpcc/index.csv", "r");
  char line[300], name[100], sense[10];
  int variables, equalities, inequalities, pairs, n = 0, n_close = 0, n_bounds = 0;
  double optimum;

  SS_CHECK (index != NULL);
  while (index != NULL && fgets (line, sizeof line, index) != NULL) {
    if (sscanf (line, "%99[^,],%d,%d,%d,%d,%lf,%9s", name, &variables, &equalities, &inequalities, &pairs, &optimum,
                sense) != 7)
      continue;
    /* powers that are no halves: only their range is known, so these take long to say nothing */
    if (!ss_test_is_long () && (strncmp (name, "gnash", 5) == 0 || strcmp (name, "water-net") == 0))
      continue;
    SsScenario *scenario = open_problem (name);
    SsBoundRun run = bound_of (scenario, 1e-3);
    const double truth = (strcmp (sense, "max") == 0 ? -optimum : optimum) + published_offset (name);
    n++;
    if (run.has_bound) {
      n_bounds++;
      SS_CHECK (run.bound <= truth + 5e-6 * fabs (truth) + 1e-5);
    } else {
      SS_CHECK (isnan (run.bound));
    }
    n_close += run.gap <= 0.01;
    if (!(run.gap <= 0.01))
      printf ("%s: bound %g, answer %g, published %g: %s\n", name, run.bound, run.answer, truth, run.message);
    ss_bound_run_clear (&run);
    ss_scenario_free (scenario);
  }
  if (index != NULL)
    fclose (index);
  printf ("%d of %d within 1 %%, %d have a bound\n", n_close, n, n_bounds);
  SS_CHECK (n >= 40 && n_close >= 38);
}

/* ---- relaxations ------------------------------------------------------------------------------------------------- */

/* The point of a relaxation that was solved lies in the box and obeys its rows: those of the problem without products,
 * up to what the QP solver leaves, 1e-8 of a row that was scaled to 1, and room. The point says so of itself. */
static void
test_points_obey_their_rows (void)
{
  static const char *const names[] = {"bard1m", "bilevel3", "gnash10"};
  enum { MANY = 2000 };
  static bool side_on[MANY];
  static SsInterval box[MANY];
  static int constraint[MANY];
  static double value[MANY], at[MANY];

  for (int k = 0; k < 3; k++) {
    SsScenario *scenario = open_problem (names[k]);
    SsBoundProblem *p = NULL;
    SsBoundRelaxation *relaxation = NULL;
    SsBoundMultipliers u = {.constraint = constraint, .value = value, .at = at};
    double worst = 0;

    SS_CHECK (ss_bound_problem_new (scenario, &p, NULL) == SS_OK);
    SS_CHECK (ss_bound_relaxation_new (p, &relaxation, NULL) == SS_OK);
    SS_CHECK (p->n < MANY && ss_bound_n_constraints (p) < MANY);
    for (int i = 0; i < p->n; i++)
      box[i] = (SsInterval){-100, 100};
    SS_CHECK (ss_bound_relaxation_solve (relaxation, side_on, box, &(SsBoundAsk){.penalty = 1e4}, NULL, &u, NULL) ==
              SS_OK);
    const SsBoundPoint point = ss_bound_relaxation_point (relaxation);
    for (int i = 0; i < p->n_rows; i++) {
      const SsInterval row = ss_bound_value (p, &p->rows[i].form, point.x);
      if (p->rows[i].form.n_products == 0)
        worst = fmax (worst, p->rows[i].is_equality ? fmax (fabs (row.low), fabs (row.high)) : -row.high);
    }
    printf ("  %s: rows %.1e, as it says %.1e\n", names[k], worst, point.violation);
    SS_CHECK (worst < 1e-6 && point.violation < 1e-6);
    ss_bound_relaxation_free (relaxation);
    ss_bound_problem_free (p);
    ss_scenario_free (scenario);
  }
}

/* ---- spoilt proofs ----------------------------------------------------------------------------------------------- */

static bool
is_refused (const SsScenario *scenario, const SsBoundProblem *p, const SsBoundCertificate *c)
{
  SsBoundVerdict verdict;
  SsError err;

  return ss_bound_check (scenario, p, c, &verdict, &err) == SS_ERR_INVALID || verdict.bound < c->bound;
}

static void
test_spoilt (void)
{
  SsScenario *scenario = open_problem ("ex9_2_2"), *other = open_problem ("ex9_2_7");
  SsBoundRun run = bound_of (scenario, 0);
  SsBoundCertificate *c = &run.certificate;
  SsBoundProblem *p = NULL, *of_other = NULL;
  SsError err;
  int n_leaves = 0, n_branches = 0;

  SS_CHECK (run.has_bound);
  SS_CHECK (ss_bound_problem_new (scenario, &p, &err) == SS_OK);
  SS_CHECK (ss_bound_problem_new (other, &of_other, &err) == SS_OK);
  SS_CHECK (!is_refused (scenario, p, c));
  for (int i = 0; i < c->n_nodes; i++) {
    SsBoundNode *node = &c->nodes[i];
    if (node->kind == SS_BOUND_LEAF && node->leaf.n > 0 && node->leaf.weight == 1) {
      int k = 0;
      for (int m = 1; m < node->leaf.n; m++)
        if (fabs (node->leaf.value[m]) > fabs (node->leaf.value[k]))
          k = m;
      const double kept = node->leaf.value[k];
      n_leaves++;
      node->leaf.value[k] = kept * (1 + 1e-3); /* a digit */
      const bool up = is_refused (scenario, p, c);
      node->leaf.value[k] = kept * (1 - 1e-3);
      const bool down = is_refused (scenario, p, c);
      SS_CHECK (up || down); /* the floor is concave in u: one of them lowers it */
      node->leaf.value[k] = NAN;
      SS_CHECK (is_refused (scenario, p, c));
      node->leaf.value[k] = kept;
      const int constraint = node->leaf.constraint[k];
      node->leaf.constraint[k] = ss_bound_n_constraints (p);
      SS_CHECK (is_refused (scenario, p, c));
      node->leaf.constraint[k] = constraint;
    } else if (node->kind == SS_BOUND_BRANCH_PAIR) {
      const int second = node->second;
      n_branches++;
      node->second = node->first; /* a half is left out */
      SS_CHECK (is_refused (scenario, p, c));
      node->second = 0;
      SS_CHECK (is_refused (scenario, p, c));
      node->second = second;
      node->branch = -1;
      SS_CHECK (is_refused (scenario, p, c));
      break;
    } else if (node->kind == SS_BOUND_EMPTY && node->n_steps > 0) {
      node->n_steps--; /* of the one that shows it */
      SS_CHECK (is_refused (scenario, p, c));
      node->n_steps++;
    }
  }
  SS_CHECK (n_leaves + n_branches > 0);
  SS_CHECK (is_refused (other, of_other, c));
  ss_bound_problem_free (p);
  ss_bound_problem_free (of_other);
  ss_bound_run_clear (&run);
  ss_scenario_free (scenario);
  ss_scenario_free (other);
}

/* a and b of a pair, b in [-5, 1]; the claim is 1 above the least of b, by a limit on where pairs lie that holds only
 * where a and b may both be positive. */
static void
test_negative_pair (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"pair\", \"model\": {\"points\": 2, \"time_step\": 1, \"states\": [\"a\", \"b\"],"
      " \"constraints\": [{\"name\": \"rows\", \"points\": 0, \"nonnegative\": [\"-1 - a\", \"a + 5\", \"1 - b\", \"b "
      "+ 5\"]},"
      " {\"name\": \"pair\", \"points\": 0, \"complementary\": [{\"a\": \"a\", \"b\": \"b\", \"signs\": \"none\"}]}],"
      " \"cost\": [{\"name\": \"objective\", \"points\": 0, \"cost\": \"b\"}]}}");
  SsBoundProblem *p = NULL;
  SsBoundVerdict verdict;
  SsError err = {0};

  SS_CHECK (scenario != NULL && ss_bound_problem_new (scenario, &p, &err) == SS_OK);
  if (p == NULL)
    return;
  SsBoundStep steps[] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}};
  int constraints[] = {ss_bound_pair_constraint (p, 0, SS_BOUND_HULL), 1};
  double values[] = {1, 1};
  SsBoundNode node = {.kind = SS_BOUND_LEAF, .n_steps = 4, .steps = steps, .leaf = {1, 2, constraints, values, NULL}};
  const SsBoundCertificate c = {.cutoff = INFINITY, .bound = -4, .n_variables = p->n, .n_nodes = 1, .nodes = &node};
  node.floor = -INFINITY;
  SS_CHECK (p->n_rows == 4 && p->n_pairs == 1);
  SS_CHECK (ss_bound_check (scenario, p, &c, &verdict, &err) == SS_OK && verdict.bound <= -5);
  /* numbers of constraints from a file may be any */
  const int wrong[] = {INT_MIN, -2, INT_MAX};
  for (int i = 0; i < 3; i++) {
    steps[0].constraint = wrong[i];
    SS_CHECK (is_refused (scenario, p, &c));
    steps[0].constraint = 0;
    constraints[0] = wrong[i];
    SS_CHECK (is_refused (scenario, p, &c));
    constraints[0] = 0;
  }
  ss_bound_problem_free (p);
  ss_scenario_free (scenario);
}

/* c = b + a, d = c + b, ...: a sum of 10^12 terms, written out. */
static void
test_fibonacci (void)
{
  char text[4000] =
      "{\"format\": 1, \"name\": \"sums\", \"model\": {\"definitions\": {\"s0\": \"x + 1\", \"s1\": \"x - 1\"";

  for (int i = 2; i < 60; i++)
    snprintf (text + strlen (text), sizeof text - strlen (text), ", \"s%d\": \"s%d + s%d\"", i, i - 1, i - 2);
  snprintf (text + strlen (text), sizeof text - strlen (text),
            "}, \"points\": 2, \"time_step\": 1, \"states\": [\"x\"],"
            " \"cost\": [{\"name\": \"objective\", \"points\": 0, \"cost\": \"s59^2\"}]}}");
  SsScenario *scenario = ss_test_read_text (text);
  SsBoundProblem *p = NULL;
  SsError err = {0};

  SS_CHECK (scenario != NULL && ss_bound_problem_new (scenario, &p, &err) == SS_ERR_INVALID);
  SS_CHECK (strstr (err.message, "too many terms") != NULL);
  ss_bound_problem_free (p);
  ss_scenario_free (scenario);
}

/* Without a limit: branches on one variable go on outwards. They end, and the check stays within its stack. */
static void
test_unlimited (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"saddle\", \"model\": {\"points\": 2, \"time_step\": 1, \"states\": [\"x\", \"y\"],"
      " \"cost\": [{\"name\": \"objective\", \"points\": 0, \"cost\": \"x^2 - y^2\"}]}}");
  SsBoundRunOptions options;
  SsRunControl control;
  SsBoundRun run;
  SsError err = {0};

  ss_run_control_init (&control);
  ss_bound_run_options_init (&options);
  options.has_answers = false;
  options.cpu_seconds = 20;
  options.max_nodes = 2 * SS_BOUND_DEPTH_MAX + 1000;
  SS_CHECK (scenario != NULL && ss_bound_run (scenario, &options, &control, &run, &err) == SS_OK);
  SS_CHECK (!run.has_bound && strncmp (run.message, "no bound: ", 10) == 0);
  SS_CHECK (run.verdict.deepest > 1000 && run.verdict.deepest <= SS_BOUND_DEPTH_MAX);
  ss_bound_run_clear (&run);
  ss_scenario_free (scenario);
}

/* A run that is told to end looks for no answer any more, and proves what it has. */
static void
test_cancelled (void)
{
  SsScenario *scenario = open_problem ("ex9_2_2");
  SsBoundRunOptions options;
  SsRunControl control;
  SsBoundRun run;
  SsError err = {0};

  ss_run_control_init (&control);
  ss_bound_run_options_init (&options);
  ss_run_control_cancel (&control);
  SS_CHECK (ss_bound_run (scenario, &options, &control, &run, &err) == SS_OK);
  SS_CHECK (run.x == NULL && !run.search.is_finished && run.search.n_solved <= 1);
  ss_bound_run_clear (&run);
  ss_scenario_free (scenario);
}

/* A cost in other units, or with a number added, has the same bound in them, and its proof is checked alike. The best
 * is at a corner: costs are linear in y, and in x or falling. */
static void
test_units_of_the_cost (void)
{
  static const struct {
    const char *cost;
    double best;
  } cases[] = {{"x*y - x - 2*y + 5", -3},
               {"x*y - x - 2*y - 800", -808},
               {"(x - 1.5)^2 - x*y + 40", 30.25},
               {"x*y - x - 2*y - 8e9", -8e9 - 8}};
  static const double units[] = {1, 1e-5, 1e4, 1e9}, gap = 1e-4;

  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
      char text[800];
      snprintf (text, sizeof text,
                "{\"format\": 1, \"name\": \"box\", \"model\": {\"points\": 1, \"states\": [\"x\", \"y\"], "
                "\"constraints\": [{\"nonnegative\": [\"x\", \"3 - x\", \"y\", \"4 - y\"]}], "
                "\"cost\": [{\"cost\": \"%.17g*(%s)\"}]}}",
                units[u], cases[k].cost);
      SsScenario *scenario = ss_test_read_text (text);
      SsBoundRun run = bound_of (scenario, gap);
      const double best = units[u] * cases[k].best, room = gap * fabs (best);
      SS_CHECK (run.has_bound && run.bound <= best + 1e-12 * fabs (best)); /* proved: rounding of the unit alone */
      SS_CHECK (run.bound >= best - room && run.answer >= run.bound && run.answer <= best + room);
      SS_CHECK (run.gap <= gap);
      ss_bound_run_clear (&run);
      ss_scenario_free (scenario);
    }
}

static void
test_words (void)
{
  char text[200];

  ss_bound_words (96, 100, text, sizeof text);
  SS_CHECK (strcmp (text, "at most 4.2 % above the best possible") == 0);
  ss_bound_words (1, 11.02, text, sizeof text);
  SS_CHECK (strcmp (text, "at most 12 times the best possible") == 0);
  ss_bound_words (-11, -10, text, sizeof text);
  SS_CHECK (strcmp (text, "at most 9.1 % above the best possible") == 0);
  ss_bound_words (-1, 10, text, sizeof text);
  SS_CHECK (strcmp (text, "the best possible lies between -1 and 10") == 0);
  ss_bound_words (10, 10, text, sizeof text);
  SS_CHECK (strstr (text, "nothing better") != NULL);
  SS_CHECK (isnan (ss_bound_gap (-INFINITY, 1)) && ss_bound_gap (1, 2) == 0.5);
}

int
main (void)
{
  SS_RUN (test_intervals);
  SS_RUN (test_floors);
  SS_RUN_SLOW (test_published);
  SS_RUN (test_points_obey_their_rows);
  SS_RUN (test_spoilt);
  SS_RUN (test_negative_pair);
  SS_RUN (test_fibonacci);
  SS_RUN (test_unlimited);
  SS_RUN (test_cancelled);
  SS_RUN (test_units_of_the_cost);
  SS_RUN (test_words);
  return ss_test_finish ();
}
