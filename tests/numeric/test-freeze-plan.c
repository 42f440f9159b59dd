/* tests/numeric/test-freeze-plan.c: the transcription time-freezing. Truth: the exact optimum of paper 001's Example 5
 * (tests/data/fesd/example5_ocp_exact.json), whose motion is quadratic between switches, so that two stages hold it
 * exactly: written into the variables, it must fulfil every row. */
#include "transcribe/ss-freeze-plan.h"

#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "run/ss-stick-moves.h"
#include "run/ss-try-controls.h"
#include "core/ss-random.h"
#include "ss-test-freeze-oracle.h"
#include "ss-test-freeze-plans.h"

/* ---- Example 5 in closed form ------------------------------------------------------------------------------------ */

enum { N = 20, ELEMENTS = 4, STAGES = 2 };
static const double gravity = 9.81, horizon = 2, stages[STAGES] = {1.0 / 3, 1};

typedef enum { FLIGHT, JUMP, SLIP, STICK } Phase;

/* Position and velocity, t; the rest of an element. */
typedef struct {
  double q[2], v[2], t;
} State;

typedef struct {
  double mu, a_n, u;
  Phase phase;
  double pace; /* of time */
} Law;

/* dt/dtau of a phase: the weight and a_n in contact. */
static double
pace_of (Phase phase, double a_n)
{
  return phase == FLIGHT ? 1 : phase == JUMP ? 0 : a_n / (a_n + gravity);
}

/* After `tau` at speed of time 1. */
static State
advance (State x, const Law *law, double tau)
{
  const double t = tau * law->pace;
  const double a[2] = {law->phase == FLIGHT ? law->u
                       : law->phase == SLIP ? law->u - law->mu * gravity
                                            : 0,
                       law->phase == FLIGHT ? -gravity : 0};

  for (int k = 0; k < 2; k++) {
    x.q[k] += x.v[k] * t + a[k] * t * t / 2;
    x.v[k] += a[k] * t;
  }
  if (law->phase == JUMP) {
    x.v[1] += law->a_n * tau;
    x.v[0] -= law->mu * law->a_n * tau;
  }
  x.t += t;
  return x;
}

typedef struct {
  const SsScenario *model;
  double *x;
  int k; /* point */
  State state;
  double tau, mu, a_n;
} Writer;

static void
put (Writer *w, const char *name, double value)
{
  const SsModel *model = w->model->model;
  int found = 0;

  for (int i = 0; i < model->n_variables; i++)
    if (strcmp (model->variables[i], name) == 0) {
      w->x[(size_t)w->k * model->n_variables + i] = value;
      found++;
    }
  SS_CHECK (found == 1);
}

static void
put_at (Writer *w, const char *owner, int stage, const char *what, double value)
{
  char name[96];

  if (stage < 0)
    snprintf (name, sizeof name, "%s.%s", owner, what);
  else
    snprintf (name, sizeof name, "%s.stage_%d.%s", owner, stage + 1, what);
  put (w, name, value);
}

/* c = lambda+ - lambda-, and the state. */
static void
put_state (Writer *w, int stage, const State *x)
{
  static const char *const plus[] = {"lambda_plus_n", "lambda_plus_v", "lambda_plus_t"};
  static const char *const minus[] = {"lambda_minus_n", "lambda_minus_v", "lambda_minus_t"};
  const double c[3] = {x->q[1], x->v[1], x->v[0]};

  put_at (w, "particle", stage, "x", x->q[0]);
  put_at (w, "particle", stage, "y", x->q[1]);
  put_at (w, "particle", stage, "vx", x->v[0]);
  put_at (w, "particle", stage, "vy", x->v[1]);
  for (int i = 0; i < 3; i++) {
    put_at (w, "ground", stage, plus[i], fmax (c[i], 0));
    put_at (w, "ground", stage, minus[i], fmax (-c[i], 0));
  }
  if (stage < 0)
    put (w, "time", x->t);
  else
    put (w, stage == 0 ? "stage_1.time" : "stage_2.time", x->t);
}

/* alpha of the phase: time is alpha_1 in contact; the friction of a stick carries the push. */
static void
put_multipliers (Writer *w, int stage, const Law *law)
{
  const double alpha[3] = {law->phase == FLIGHT ? 1 : law->pace, 0,
                           law->phase == STICK ? 0.5 + 0.5 * law->u / (law->mu * gravity) : 1};
  const double under = (1 - alpha[0]) * (1 - alpha[1]);

  put_at (w, "ground", stage, "alpha_n", alpha[0]);
  put_at (w, "ground", stage, "alpha_v", alpha[1]);
  put_at (w, "ground", stage, "alpha_t", alpha[2]);
  put_at (w, "ground", stage, "theta_1", under * alpha[2]);
  put_at (w, "ground", stage, "theta_2", under * (1 - alpha[2]));
  put (w, stage == 0 ? "stage_1.theta" : "stage_2.theta", 1 - under);
}

/* The element of a phase that lasts `tau` at speed 1, in an interval of speed s. */
static void
put_element (Writer *w, Phase phase, double u, double tau, double s)
{
  const Law law = {w->mu, w->a_n, u, phase, pace_of (phase, w->a_n)};

  put_state (w, -1, &w->state);
  put (w, "tau", w->tau);
  put (w, "h", tau / s);
  put (w, "s_k", s);
  put (w, "u.push", u);
  for (int j = 0; j < STAGES; j++) {
    const State x = advance (w->state, &law, stages[j] * tau);

    put_state (w, j, &x);
    put_multipliers (w, j, &law);
  }
  w->state = advance (w->state, &law, tau);
  w->tau += tau / s;
  w->k++;
}

/* The phases of an interval between two times and how long they last at speed 1; returns their number. */
static int
list_phases (const Writer *w, double first, double last, double hit, double stop, Phase *phase, double *tau)
{
  const double jump = gravity * hit / w->a_n, ends[] = {hit, stop, horizon};
  static const Phase phases[] = {FLIGHT, SLIP, STICK};
  double from = first;
  int n = 0;

  for (int i = 0; i < 3; i++) {
    const double to = fmin (ends[i], last);

    if (to > from) {
      phase[n] = phases[i];
      tau[n++] = (to - from) / pace_of (phases[i], w->a_n);
    }
    if (i == 0 && first < hit && hit <= last) {
      phase[n] = JUMP;
      tau[n++] = jump;
    }
    from = fmax (from, to);
  }
  return n;
}

/* A plan by its phases; in each interval the longest are divided until there are as many as elements. No element may be
 * longer than twice the mean. */
static void
write_plan (Writer *w, double height, double stop, const double *u)
{
  const double hit = sqrt (2 * height / gravity);

  w->state = (State){{0, height}, {0, 0}, 0};
  for (int i = 0; i < N; i++) {
    const double first = i * horizon / N, last = (i + 1) * horizon / N;
    Phase phase[ELEMENTS];
    double tau[ELEMENTS], s = 0;
    int n = list_phases (w, first, last, hit, stop, phase, tau);

    for (; n < ELEMENTS; n++) {
      int longest = 0;

      for (int e = 1; e < n; e++)
        longest = tau[e] > tau[longest] ? e : longest;
      for (int e = n; e > longest; e--) {
        tau[e] = tau[e - 1];
        phase[e] = phase[e - 1];
      }
      tau[longest] = tau[longest + 1] = tau[longest] / 2;
    }
    for (int e = 0; e < ELEMENTS; e++)
      s += tau[e] / (last - first);
    for (int e = 0; e < ELEMENTS; e++)
      put_element (w, phase[e], u[i], tau[e], s);
  }
  /* the last point repeats the last element's end */
  put_element (w, STICK, u[N - 1], 0, 1 / pace_of (STICK, w->a_n));
  w->k--;
  put (w, "h", horizon / N / ELEMENTS);
}

static double
json_of (const json_t *object, const char *name)
{
  return json_number_value (json_object_get (object, name));
}

static void
set (void *own, const char *name, const char *value)
{
  SsError err = {0};

  SS_CHECK (ss_options_set (ss_transcription_time_freezing.options, own, name, value, &err) == SS_OK);
}

/* The exact optimum fulfils every row, and costs what it costs. The file has eight digits of the controls, and so the
 * targets are met to 1e-7. */
static void
check_rows (const json_t *one, const char *form)
{
  const double mu = json_of (one, "mu"), height = json_of (one, "start_height"),
               in_time = json_of (one, "integral_of_u_squared_over_physical_time");
  const SsOverride overrides[] = {{"mu", mu}, {"height", height}};
  SsScenario *scenario = ss_test_read_file ("examples/time-freezing/particle-ocp.stickslip.json", overrides, 2), *model;
  void *own = calloc (1, ss_transcription_time_freezing.options->size);
  const bool is_tau = strstr (json_string_value (json_object_get (one, "name")), "numerical") != NULL;
  double u[N];
  SsMetrics metrics;
  SsError err = {0};

  ss_options_init (ss_transcription_time_freezing.options, own);
  set (own, "elements", "4");
  set (own, "a-n", "9.81");
  set (own, "cross", form);
  set (own, "step-equilibration", "none");
  set (own, "cost", is_tau ? "numerical" : "physical");
  const SsTranscribeOptions options = {.class_ = &ss_transcription_time_freezing, .own = own};
  SS_CHECK (ss_transcribe (scenario, &options, &model, &err) == SS_OK);
  double *x = calloc ((size_t)model->model->n_points * (size_t)model->model->n_variables + 1, sizeof *x);
  for (int i = 0; i < N; i++)
    u[i] = json_number_value (json_array_get (json_object_get (one, "u"), (size_t)i));
  Writer w = {.model = model, .x = x, .mu = mu, .a_n = 9.81};
  write_plan (&w, height, json_of (one, "stopping_time"), u);
  SS_CHECK (ss_metrics_compute (model, x, &metrics, &err) == SS_OK);
  printf ("%s, cross %s: violation %.1e at %s, objective %.9f (in time %.9f)\n",
          json_string_value (json_object_get (one, "name")), form, metrics.max_violation, metrics.worst,
          metrics.objective, in_time);
  SS_CHECK (metrics.max_violation < 2e-7);
  SS_CHECK_NEAR (metrics.objective, json_of (one, "optimal_cost"), 2e-6);
  free (x);
  free (own);
  ss_scenario_free (model);
  ss_scenario_free (scenario);
}

static void
test_rows (void)
{
  static const char *const forms[] = {"1", "3", "7"};
  char path[512];
  json_t *root =
      json_load_file (ss_test_source_path ("tests/data/fesd/example5_ocp_exact.json", path, sizeof path), 0, NULL);
  const json_t *cases = json_object_get (root, "cases");

  SS_CHECK (json_array_size (cases) == 4);
  for (size_t i = 0; i < json_array_size (cases); i++)
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
      check_rows (json_array_get (cases, i), forms[k]);
  json_decref (root);
}

/* From the paper's start to the exact optimum: seconds for the first case; the others where time is. */
static void
test_optimum (void)
{
  char path[512];
  json_t *root =
      json_load_file (ss_test_source_path ("tests/data/fesd/example5_ocp_exact.json", path, sizeof path), 0, NULL);
  const json_t *cases = json_object_get (root, "cases");

  /* the case with height 1.5 is solved without other sticks, and is the quickest */
  for (size_t i = 0; i < json_array_size (cases); i++)
    if (ss_test_is_long () || i == 2)
      ss_test_freeze_plan_case (root, json_array_get (cases, i));
  json_decref (root);
}

/* ---- other numbers ----------------------------------------------------------------------------------------------- */

static SsTestOracle
oracle_of (const json_t *root, const json_t *one)
{
  return (SsTestOracle){
      .g = ss_test_freeze_common (root, "g"),
      .a_n = ss_test_freeze_common (root, "a_n"),
      .u_max = ss_test_freeze_common (root, "u_max"),
      .mu = json_of (one, "mu"),
      .height = json_of (one, "start_height"),
      .target = json_number_value (json_array_get (json_object_get (json_object_get (root, "common"), "target_q"), 0)),
      .horizon = ss_test_freeze_common (root, "T"),
      .n = (int)ss_test_freeze_common (root, "N"),
      .in_tau = strncmp (json_string_value (json_object_get (one, "cost_variant")), "num", 3) == 0};
}

/* The convex problem of these tests gives the optima of the file, which were found by other means. */
static void
test_oracle (void)
{
  char path[512];
  json_t *root =
      json_load_file (ss_test_source_path ("tests/data/fesd/example5_ocp_exact.json", path, sizeof path), 0, NULL);
  const json_t *cases = json_object_get (root, "cases");

  for (size_t i = 0; i < json_array_size (cases); i++) {
    const json_t *one = json_array_get (cases, i);
    const SsTestOracle o = oracle_of (root, one);
    const SsTestOptimum best = ss_test_oracle (&o);

    SS_CHECK_NEAR (best.cost, json_of (one, "optimal_cost"), 1e-7);
    SS_CHECK_NEAR (best.stop, json_of (one, "stopping_time"), 1e-6);
  }
  json_decref (root);
}

/* Whether the pushes of the oracle do what it says: slip without a stop or a turn, and end at the target. */
static bool
is_slip (const SsTestOracle *o, const SsTestOptimum *best)
{
  SsTestSlide s = {.mass = 1, .g = o->g, .mu = o->mu, .a_n = o->a_n, .height = o->height};
  bool is_ahead = isfinite (best->cost);

  s.hit = sqrt (2 * o->height / o->g);
  for (int k = 0; k < o->n && is_ahead; k++) {
    const double t = k * o->horizon / o->n, end = (k + 1) * o->horizon / o->n;

    ss_test_slide (&s, best->u[k], t, end);
    is_ahead = end >= best->stop || s.v > 0;
  }
  return is_ahead && fabs (s.x - o->target) < 1e-8 && s.v == 0;
}

/* Friction and height at random, from nothing but the scene's own options: the optimum. */
static void
test_fresh (void)
{
  const int n_cases = ss_test_is_long () ? 6 : 2, n = ss_test_is_long () ? 20 : 8;
  SsRandom random;
  int done = 0;

  ss_random_seed (&random, 20261);
  for (int i = 0; i < 100 && done < n_cases; i++) {
    const double mu = ss_random_between (&random, 0.2, 0.9), height = ss_random_between (&random, 0.5, 2);
    const bool in_tau = i % 2 == 1;
    json_t *root = json_pack ("{s: {s:f, s:f, s:f, s:f, s:f, s:i, s:[f, f]}}", "common", "mass", 1.0, "g", 9.81, "a_n",
                              9.81, "u_max", 10.0, "T", 2.0, "N", n, "target_q", 3.0, 0.0);
    json_t *one = json_pack ("{s:s, s:f, s:f, s:s}", "name", "fresh", "start_height", height, "mu", mu, "cost_variant",
                             in_tau ? "numerical" : "physical");
    const SsTestOracle o = oracle_of (root, one);
    const SsTestOptimum best = ss_test_oracle (&o);

    if (is_slip (&o, &best)) { /* else out of reach */
      printf ("mu %.4f, height %.4f, %s: ", mu, height, in_tau ? "numerical" : "physical");
      json_object_set_new (one, "optimal_cost", json_real (best.cost));
      ss_test_freeze_plan_solve (root, one, NULL);
      done++;
    }
    json_decref (one);
    json_decref (root);
  }
  SS_CHECK (done == n_cases);
}

int
main (void)
{
  SS_RUN (test_rows);
  SS_RUN (test_optimum);
  SS_RUN (test_oracle);
  SS_RUN (test_fresh);
  return ss_test_finish ();
}
