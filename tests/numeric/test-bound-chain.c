/* tests/numeric/test-bound-chain.c: lower bounds of chains of stages (bound/ss-bound-chain.h). Truth: motions that obey
 * every row by construction, whose cost no bound may exceed, whatever multipliers, slopes and cells it is made of; a
 * dynamic programme over a fine grid, which shares no code; and proofs that break the rules. */
#include "bound/ss-bound-chain.h"
#include "bound/ss-bound-run.h"
#include "core/ss-random.h"
#include "ss-test-scenario.h"

enum { SLOPES = 41 };

typedef struct {
  SsScenario *scenario;
  SsBoundProblem *problem;
  SsBoundChain *chain;
  SsBoundChainProof proof;
} Fixture;

/* Cells over about [low, high], slopes +- top / ratio^i and 0. */
static void
begin (Fixture *f, SsScenario *scenario, double low, double high, int n, double top)
{
  char why[200];
  SsError err;

  *f = (Fixture){.scenario = scenario};
  SS_CHECK (ss_bound_problem_new (scenario, &f->problem, &err) == SS_OK);
  SS_CHECK (ss_bound_chain_new (scenario, f->problem, &f->chain, why, sizeof why, &err) == SS_OK && f->chain != NULL);
  f->proof.n_multipliers = ss_bound_chain_n_multipliers (f->chain);
  f->proof.multipliers = ss_new_array (double, f->proof.n_multipliers + 1);
  f->proof.n_slopes = SLOPES;
  f->proof.slopes = ss_new_array (double, SLOPES);
  for (int i = 0; i < SLOPES / 2; i++) {
    f->proof.slopes[i] = -top * pow (0.75, i);
    f->proof.slopes[SLOPES - 1 - i] = -f->proof.slopes[i];
  }
  f->proof.width = ldexp (ceil ((high - low) / n * 0x1p14), -14);
  f->proof.first = (int)floor (low / f->proof.width);
  f->proof.n_cells = n;
  f->proof.reach = n;
}

static void
end (Fixture *f)
{
  ss_bound_chain_proof_clear (&f->proof);
  ss_bound_chain_free (f->chain);
  ss_bound_problem_free (f->problem);
  ss_scenario_free (f->scenario);
}

static double
value (const Fixture *f)
{
  double bound;
  SsError err;

  SS_CHECK (ss_bound_chain_value (f->chain, &f->proof, &bound, NULL, &err) == SS_OK);
  return bound;
}

/* ---- pushes ------------------------------------------------------------------------------------------------------ */

enum { POINTS = 4 };

/* Cost of random pushes on random faces of the box of examples/crisp/push-box: m = 1, mu = 0.5, a = 0.5, b = 0.25,
 * c = 0.4, h = 0.02. */
static double
push (SsRandom *random, const double target[3])
{
  const double f = 0.5 * 9.8, arm = 0.4 * sqrt (0.5 * 0.5 + 0.25 * 0.25), a[2] = {0.5, 0.25}, h = 0.02;
  double x = 0, y = 0, th = 0, effort = 0;

  for (int k = 0; k < POINTS - 1; k++) {
    const int face = (int)ss_random_between (random, 0, 3.999);
    const double size = pow (10, ss_random_between (random, -1, 2.8)), sign = face < 2 ? 1 : -1;
    const bool is_x = face % 2 == 1;
    const double at = ss_random_between (random, -1, 1) * (is_x ? a[1] : a[0]);
    const double fx = is_x ? sign * size : 0, fy = is_x ? 0 : sign * size;
    const double turn = is_x ? -at * fx : at * fy;
    x += h * (cos (th) * fx - sin (th) * fy) / f;
    y += h * (sin (th) * fx + cos (th) * fy) / f;
    th += h * turn / (f * arm);
    effort += 0.001 * size * size;
  }
  return effort + 100 * (pow (x - target[0], 2) + pow (y - target[1], 2) + pow (th - target[2], 2));
}

static void
test_pushes (void)
{
  const SsOverride override[] = {{"N", POINTS}, {"j", 3}};
  const double angle = 3 * 2 * 3.14159265358979323846 / 18, target[3] = {3 * cos (angle), 3 * sin (angle), angle};
  Fixture f;
  SsRandom random;
  double best = INFINITY, highest = -INFINITY;

  begin (&f, ss_test_read_file ("examples/crisp/push-box.stickslip.json", override, 2), -2, 3, 100, 500);
  SS_CHECK (f.proof.n_multipliers == 2);
  ss_random_seed (&random, 5);
  for (int i = 0; i < 60000; i++)
    best = fmin (best, push (&random, target));
  for (int round = 0; round < 16; round++) {
    f.proof.multipliers[0] = -ss_random_between (&random, -100, 300);
    f.proof.multipliers[1] = -ss_random_between (&random, -100, 500);
    f.proof.reach = round % 2 == 0 ? 100 : 1 + round; /* a short one: bounds hold and are looser */
    f.proof.first = -40 - round;                      /* fewer cells on one side: what is outside must count */
    const double bound = value (&f);
    SS_CHECK (bound <= best);
    highest = fmax (highest, bound);
  }
  /* random pushes come within a few times of the best, random multipliers too */
  SS_CHECK (highest > 0.2 * best && best < 600);
  printf ("  bounds up to %.4g, random pushes down to %.4g\n", highest, best);
  end (&f);
}

/* ---- a wavy cost ------------------------------------------------------------------------------------------------- */

static const char *const waves =
    "{\"format\": 1, \"name\": \"waves\", \"model\": {\"points\": 5, \"time_step\": 1, \"states\": [\"x\"], "
    "\"controls\": [\"u\"], \"constraints\": [{\"name\": \"dynamics\", \"points\": [0, 3], \"zero\": [\"next(x) - x - "
    "u\"]}, {\"name\": \"start\", \"points\": 0, \"zero\": [\"x - 0.4\"]}], \"cost\": [{\"name\": \"stage\", "
    "\"points\": "
    "[0, 3], \"cost\": \"u^2 + 2*sin(3*x)\"}, {\"name\": \"end\", \"points\": 4, \"cost\": \"(x - 3)^2\"}]}}";

/* Least cost where x moves on a grid: that of a motion, so no bound may be above it. */
static double
best_wave (void)
{
  enum { N = 701 };
  static double now[N], next[N];
  const double step = 0.01, low = -2;

  for (int i = 0; i < N; i++)
    next[i] = pow (low + i * step - 3, 2);
  for (int k = 3; k >= 0; k--) {
    for (int i = 0; i < N; i++) {
      now[i] = INFINITY;
      for (int j = 0; j < N; j++)
        now[i] = fmin (now[i], pow ((j - i) * step, 2) + next[j]);
      now[i] += 2 * sin (3 * (low + i * step));
    }
    memcpy (next, now, sizeof now);
  }
  return next[240]; /* x = 0.4 */
}

static void
test_waves (void)
{
  Fixture f;
  const double best = best_wave ();

  begin (&f, ss_test_read_text (waves), -2, 5, 1400, 20);
  SS_CHECK (f.proof.n_multipliers == 0);
  const double bound = value (&f);
  printf ("  bound %.6f, on a grid %.6f\n", bound, best);
  SS_CHECK (bound <= best);
  /* cells of 0.005 let x move by so much for nothing in 4 stages, where the cost's slope is 6 at most; slopes are 25 %
   * apart, which costs a part of (0.25 / 2)^2 of u^2, 1 or so */
  SS_CHECK (bound >= best - 0.15);
  end (&f);
}

/* ---- the whole run ----------------------------------------------------------------------------------------------- */

static SsBoundRun
run_of (const char *text)
{
  SsScenario *scenario = ss_test_read_text (text);
  SsBoundRunOptions options;
  SsRunControl control;
  SsBoundRun run;
  SsError err = {0};

  ss_run_control_init (&control);
  ss_bound_run_options_init (&options);
  options.cpu_seconds = 20; /* it ends long before, by itself */
  options.gap = 0.05;
  SS_CHECK (ss_bound_run (scenario, &options, &control, &run, &err) == SS_OK);
  SS_CHECK_STR (err.message, "");
  ss_scenario_free (scenario);
  return run;
}

/* Three steps of half a metre along x, which turns by u: the first goes along 0.3. The best over a grid of the other
 * two directions. */
static const char *const walk =
    "{\"format\": 1, \"name\": \"walk\", \"model\": {\"points\": 4, \"time_step\": 1, \"states\": [\"x\", \"p\", "
    "\"r\"], "
    "\"controls\": [\"u\"], \"constraints\": [{\"points\": [0, 2], \"zero\": [\"next(x) - x - u\", \"next(p) - p - "
    "cos(x)/2\", \"next(r) - r - sin(x)/2\"]}, {\"points\": 0, \"zero\": [\"x - 0.3\", \"p\", \"r\"]}], \"cost\": "
    "[{\"points\": [0, 2], \"cost\": \"u^2/10\"}, {\"points\": 3, \"cost\": \"4*(p + 0.2)^2 + 4*(r - 1)^2\"}]}}";

static double
best_walk (void)
{
  enum { N = 800 };
  const double step = 0.01;
  double best = INFINITY;

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      const double one = (i - N / 2) * step, two = (j - N / 2) * step;
      const double p = (cos (0.3) + cos (one) + cos (two)) / 2, r = (sin (0.3) + sin (one) + sin (two)) / 2;
      best = fmin (best, (pow (one - 0.3, 2) + pow (two - one, 2)) / 10 + 4 * pow (p + 0.2, 2) + 4 * pow (r - 1, 2));
    }
  return best;
}

/* Multipliers, slopes and cells are found by the program: the bound holds, and comes as near as was asked. Answers are
 * looked for from its paths, which lead past the nearest least cost to the best. */
static void
test_runs (void)
{
  const double best[] = {best_wave (), best_walk ()};

  for (int k = 0; k < 2; k++) {
    SsBoundRun run = run_of (k == 0 ? waves : walk);
    SS_CHECK (run.has_bound && run.certificate.has_chain);
    SS_CHECK (run.bound <= best[k] && run.bound <= run.answer);
    SS_CHECK_NEAR (run.answer, best[k], 1e-3); /* the grid's step squared, times curvatures of ten and more */
    SS_CHECK (run.gap <= 0.05 && run.search.cpu_seconds < 10); /* as near as was asked, not as long as was allowed */
    ss_bound_run_clear (&run);
  }
}

/* ---- proofs that break the rules --------------------------------------------------------------------------------- */

static void
check_refused (const Fixture *f, const char *part)
{
  double bound;
  SsError err;

  SS_CHECK (ss_bound_chain_value (f->chain, &f->proof, &bound, NULL, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, part);
  SS_CHECK (bound == -INFINITY);
}

static void
test_rules (void)
{
  Fixture f;

  begin (&f, ss_test_read_text (waves), -2, 5, 20, 20);
  SsBoundChainProof whole = f.proof;
  f.proof.slopes[SLOPES / 2] = 1e-30;
  check_refused (&f, "slope 0");
  f.proof.slopes[SLOPES / 2] = 1e9;
  check_refused (&f, "ascend");
  f.proof.slopes[SLOPES / 2] = 0;
  f.proof.width = 0.1;
  check_refused (&f, "not exact");
  f.proof.width = whole.width;
  f.proof.n_multipliers = 1;
  check_refused (&f, "number of multipliers");
  f.proof.n_multipliers = 0;
  f.proof.n_cells = SS_BOUND_CHAIN_CELLS + 1;
  check_refused (&f, "cells");
  f.proof.n_cells = whole.n_cells;
  f.proof.reach = 0;
  check_refused (&f, "cells");
  f.proof.reach = whole.reach;
  SS_CHECK (isfinite (value (&f)));
  end (&f);
}

/* What is no chain with one such state says why. */
static void
test_others (void)
{
  static const char *const files[] = {"examples/crisp/cartpole", "examples/crisp/transport", "tests/data/mpcc/bard1m"};

  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[200], why[200] = "";
    SsBoundProblem *problem = NULL;
    SsBoundChain *chain = NULL;
    SsError err;
    snprintf (path, sizeof path, "%s.stickslip.json", files[i]);
    SsScenario *scenario = ss_test_read_file (path, NULL, 0);
    SS_CHECK (ss_bound_problem_new (scenario, &problem, &err) == SS_OK);
    SS_CHECK (ss_bound_chain_new (scenario, problem, &chain, why, sizeof why, &err) == SS_OK);
    SS_CHECK (chain == NULL && why[0] != '\0');
    printf ("  %s: %s\n", files[i], why);
    ss_bound_problem_free (problem);
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  SS_RUN (test_pushes);
  SS_RUN (test_waves);
  SS_RUN (test_runs);
  SS_RUN (test_rules);
  SS_RUN (test_others);
  return ss_test_finish ();
}
