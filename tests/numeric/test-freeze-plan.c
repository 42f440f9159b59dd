/* tests/numeric/test-freeze-plan.c: the transcription time-freezing. Truth: the exact optimum of paper 001's Example 5
 * (tests/data/fesd/example5_ocp_exact.json), whose motion is quadratic between switches, so that two stages hold it
 * exactly: written into the variables, it must fulfil every row. */
#include "transcribe/ss-freeze-plan.h"

#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "plan/ss-stick-moves.h"
#include "plan/ss-try-controls.h"
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
  double tau, h, mu, a_n;
  bool is_lifted, is_free_grid;
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
  if (!w->is_lifted)
    return;
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
  w->h = tau / s;
  put (w, "h", w->h);
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

/* An interval of n phases: the longest are divided until there are as many as elements. Its speed of time s, or
 * (is_free_grid) its length. No element may be longer than twice the mean. */
static void
put_interval (Writer *w, Phase *phase, double *tau, int n, double u, double s)
{
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
    put_element (w, phase[e], u, tau[e], w->is_free_grid ? 1 : s);
}

/* The last point repeats the last element's end. */
static void
put_end (Writer *w, double u, double s)
{
  const double h = w->h;

  put_element (w, STICK, u, 0, w->is_free_grid ? 1 : s);
  w->k--;
  put (w, "h", h);
}

/* A plan by its phases, whose intervals are equally long in time. */
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

    for (int e = 0; e < n; e++)
      s += tau[e] / (last - first);
    put_interval (w, phase, tau, n, u[i], s);
  }
  put_end (w, u[N - 1], 1 / pace_of (STICK, w->a_n));
}

/* A plan with one speed of time, whose intervals are equally long in numerical time: pushed ahead first, then less.
 * Returns where it ends. */
static double
write_even_plan (Writer *w, double height)
{
  const double hit = sqrt (2 * height / gravity), jump = gravity * hit / w->a_n, pace = pace_of (SLIP, w->a_n),
               s = (hit + jump + (horizon - hit) / pace) / horizon;
  double done = 0;

  w->state = (State){{0, height}, {0, 0}, 0};
  for (int i = 0; i < N; i++) {
    const double u = i < 8 ? 9 : 2;
    const double last = (i + 1) * s * horizon / N;
    Phase phase[ELEMENTS];
    double tau[ELEMENTS], vx = w->state.v[0];
    int n = 0;

    for (; last - done > 1e-12; n++) {
      const double brake = w->mu * gravity - u;
      double left = INFINITY;

      SS_CHECK (n < ELEMENTS);
      phase[n] = done < hit - 1e-12 ? FLIGHT : done < hit + jump - 1e-12 ? JUMP : vx > 1e-12 ? SLIP : STICK;
      if (phase[n] == FLIGHT)
        left = hit - done;
      else if (phase[n] == JUMP)
        left = hit + jump - done;
      else if (phase[n] == SLIP && brake > 0)
        left = vx / brake / pace;
      tau[n] = fmin (left, last - done);
      vx += phase[n] == FLIGHT ? u * tau[n]
            : phase[n] == JUMP ? -w->mu * w->a_n * tau[n]
            : phase[n] == SLIP ? -brake * pace * tau[n]
                               : 0;
      done += tau[n];
    }
    put_interval (w, phase, tau, n, u, s);
  }
  put_end (w, 2, s);
  SS_CHECK_NEAR (w->state.v[0], 0, 1e-12);
  return w->state.q[0];
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

/* A scene's model with the options of a case and more of them, "name=value name=value", and metrics of a plan that is
 * written into it. */
typedef struct {
  SsScenario *scenario, *model;
  void *own;
  double *x;
  Writer w;
  SsMetrics metrics;
} Written;

static Written
open_written (SsScenario *scenario, double mu, const char *more)
{
  Written p = {.scenario = scenario, .own = calloc (1, ss_transcription_time_freezing.options->size)};
  SsError err = {0};

  ss_options_init (ss_transcription_time_freezing.options, p.own);
  set (p.own, "elements", "4");
  set (p.own, "a-n", "9.81");
  set (p.own, "step-equilibration", "none");
  p.w = (Writer){.mu = mu, .a_n = 9.81, .is_lifted = true};
  for (const char *at = more; at != NULL && at[0] != '\0';) {
    char name[40], value[40];

    SS_CHECK (sscanf (at, "%39[^=]=%39[^ ]", name, value) == 2);
    set (p.own, name, value);
    p.w.is_lifted = p.w.is_lifted && strcmp (name, "lift") != 0;
    p.w.is_free_grid = p.w.is_free_grid || strcmp (name, "grid") == 0;
    at = strchr (at, ' ') != NULL ? strchr (at, ' ') + 1 : NULL;
  }
  const SsTranscribeOptions options = {.class_ = &ss_transcription_time_freezing, .own = p.own};
  SS_CHECK (ss_transcribe (scenario, &options, &p.model, &err) == SS_OK);
  p.x = calloc ((size_t)p.model->model->n_points * (size_t)p.model->model->n_variables + 1, sizeof *p.x);
  p.w.model = p.model;
  p.w.x = p.x;
  return p;
}

static void
judge_written (Written *p)
{
  SsError err = {0};

  SS_CHECK (ss_metrics_compute (p->model, p->x, &p->metrics, &err) == SS_OK);
}

static void
clear_written (Written *p)
{
  free (p->x);
  free (p->own);
  ss_scenario_free (p->model);
  ss_scenario_free (p->scenario);
}

static const char *const example = "examples/time-freezing/particle-ocp.stickslip.json";

/* The exact optimum fulfils every row, and costs what it costs [001 Ex 5]. The file has eight digits of the controls,
 * and so the targets are met to 1e-7. */
static void
check_rows (const json_t *one, const char *more)
{
  const double mu = json_of (one, "mu"), height = json_of (one, "start_height"),
               in_time = json_of (one, "integral_of_u_squared_over_physical_time");
  const SsOverride overrides[] = {{"mu", mu}, {"height", height}};
  const bool is_tau = strstr (json_string_value (json_object_get (one, "name")), "numerical") != NULL;
  char options[120];
  double u[N];

  snprintf (options, sizeof options, "%s cost=%s", more, is_tau ? "numerical" : "physical");
  Written p = open_written (ss_test_read_file (example, overrides, 2), mu, options);
  for (int i = 0; i < N; i++)
    u[i] = json_number_value (json_array_get (json_object_get (one, "u"), (size_t)i));
  write_plan (&p.w, height, json_of (one, "stopping_time"), u);
  judge_written (&p);
  printf ("%s, %s: violation %.1e at %s, objective %.9f (in time %.9f)\n",
          json_string_value (json_object_get (one, "name")), more, p.metrics.max_violation, p.metrics.worst,
          p.metrics.objective, in_time);
  SS_CHECK (p.metrics.max_violation < 2e-7);
  SS_CHECK_NEAR (p.metrics.objective, json_of (one, "optimal_cost"), 2e-6);
  clear_written (&p);
}

static void
test_rows (void)
{
  static const char *const forms[] = {
      "cross=1",       "cross=3",        "cross=7",         "lift=off",
      "grid=physical", "clock=terminal", "frozen-path=off", "grid=physical clock=terminal"};
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

/* One speed of time for all: its intervals are not those of time. */
static void
test_one_speed (void)
{
  const double height = 0.8, mu = 0.5;
  double target = 3;

  for (int i = 0; i < 2; i++) {
    const SsOverride overrides[] = {{"mu", mu}, {"height", height}, {"target", target}};
    Written p = open_written (ss_test_read_file (example, overrides, 3), mu, "speed=global clock=terminal");

    target = write_even_plan (&p.w, height);
    judge_written (&p);
    printf ("ends at %.9f: violation %.1e at %s\n", target, p.metrics.max_violation, p.metrics.worst);
    SS_CHECK (i == 0 || p.metrics.max_violation < 1e-9);
    clear_written (&p);
  }
}

/* A constraint that the velocities of the jump break in its middle, and nothing else. */
static void
test_frozen_path (void)
{
  char path[512];
  json_t *root =
      json_load_file (ss_test_source_path ("tests/data/fesd/example5_ocp_exact.json", path, sizeof path), 0, NULL);
  json_t *scene = json_load_file (ss_test_source_path (example, path, sizeof path), 0, NULL);
  const json_t *one = json_array_get (json_object_get (root, "cases"), 0);
  const double at = -0.5 * sqrt (2 * gravity); /* the jump takes two elements */
  double u[N];

  for (int i = 0; i < N; i++)
    u[i] = json_number_value (json_array_get (json_object_get (one, "u"), (size_t)i));
  char row[96];
  snprintf (row, sizeof row, "(particle.vy - (%.9f))^2 + 100*particle.y^2 - 0.25", at);
  json_object_set_new (json_object_get (scene, "task"), "constraints",
                       json_pack ("[{s:s, s:s, s:[s]}]", "name", "not so", "points", "all", "nonnegative", row));
  char *text = json_dumps (scene, 0);
  for (int is_on = 0; is_on < 2; is_on++) {
    Written p = open_written (ss_test_read_text (text), 0.6, is_on ? "path=stages" : "path=stages frozen-path=off");

    write_plan (&p.w, 1, json_of (one, "stopping_time"), u);
    judge_written (&p);
    if (is_on)
      SS_CHECK_NEAR (p.metrics.max_violation, 0.25, 1e-6);
    else
      SS_CHECK (p.metrics.max_violation < 2e-7);
    clear_written (&p);
  }
  free (text);
  json_decref (scene);
  json_decref (root);
}

/* What has no solution is refused. */
static void
test_one_speed_refused (void)
{
  SsScenario *scenario = ss_test_read_file (example, NULL, 0), *model = NULL;
  void *own = calloc (1, ss_transcription_time_freezing.options->size);
  SsError err = {0};

  ss_options_init (ss_transcription_time_freezing.options, own);
  set (own, "speed", "global");
  const SsTranscribeOptions options = {.class_ = &ss_transcription_time_freezing, .own = own};
  SS_CHECK (ss_transcribe (scenario, &options, &model, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "clock=terminal");
  free (own);
  ss_scenario_free (scenario);
}

/* From the paper's start to the exact optimum: some 10 s a case, where time is. Fewer intervals: test_fresh. */
static void
test_optimum (void)
{
  char path[512];
  json_t *root =
      json_load_file (ss_test_source_path ("tests/data/fesd/example5_ocp_exact.json", path, sizeof path), 0, NULL);
  const json_t *cases = json_object_get (root, "cases");

  for (size_t i = 0; i < json_array_size (cases) && ss_test_is_long (); i++)
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

/* Friction and height at random, from nothing but the scene's own options: the optimum. The first of the long run is
 * one for which a homotopy that is stopped at sigma 0.1 leads to 167.14 rather than 159.47. */
static void
test_fresh (void)
{
  const int n_cases = 7, n = 20;
  SsRandom random;
  int done = 0;

  ss_random_seed (&random, 20261);
  for (int i = 0; i < 100 && done < n_cases; i++) {
    const bool is_given = i == 0, in_tau = !is_given && i % 2 == 1;
    const double mu = is_given ? 0.8755 : ss_random_between (&random, 0.2, 0.86),
                 height = is_given ? 0.9065 : ss_random_between (&random, 0.5, 2);
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

/* ---- free end time ----------------------------------------------------------------------------------------------- */

static double
cost_until (double end, double weight)
{
  const SsTestOracle o = {
      .g = gravity, .a_n = gravity, .u_max = 10, .mu = 0.6, .height = 1, .target = 3, .horizon = end, .n = 8};
  return ss_test_oracle (&o).cost + weight * end;
}

/* The least of pushes and 20 a second over the horizon, by the convex problem; the least of a scan from 1.3 to 2 is at
 * 1.499, about which it has one valley: golden sections. */
static double
best_free_time (double weight)
{
  const double golden = 0.6180339887498949;
  double low = 1.48, high = 1.52, x[2] = {high - golden * (high - low), low + golden * (high - low)},
         cost[2] = {cost_until (x[0], weight), cost_until (x[1], weight)};

  while (high - low > 1e-4) {
    const int worse = cost[0] < cost[1]; /* the end on its side moves to it */

    *(worse == 1 ? &high : &low) = x[worse];
    x[worse] = x[1 - worse];
    cost[worse] = cost[1 - worse];
    x[1 - worse] = worse == 1 ? high - golden * (high - low) : low + golden * (high - low);
    cost[1 - worse] = cost_until (x[1 - worse], weight);
  }
  return fmin (cost[0], cost[1]);
}

/* Example 5 with eight intervals and its end free, by one clock for each interval and (where time is) by one. */
static void
test_free_time (void)
{
  static const char *const clocks[] = {"stagewise", "terminal"};
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "scholtes", NULL);
  const SsOptionTable *table = ss_transcription_option_table ();
  const double weight = 20, best = best_free_time (weight);
  char path[512];
  json_t *scene = json_load_file (ss_test_source_path (example, path, sizeof path), 0, NULL);
  json_t *task = json_object_get (scene, "task");

  json_object_set_new (task, "steps", json_integer (8));
  json_object_set_new (task, "free_time", json_pack ("{s:f, s:f, s:f}", "lower", 1.2, "upper", 2.5, "weight", weight));
  char *text = json_dumps (scene, 0);
  for (size_t i = 0; i < (ss_test_is_long () ? sizeof clocks / sizeof *clocks : 1); i++) {
    SsScenario *scenario = ss_test_read_text (text);
    void *options = calloc (1, method->options->size + 1), *own = calloc (1, table->size);
    SsRunResult result;
    SsError err = {0};

    ss_test_plan_init_options (method, scenario, options, own);
    SS_CHECK (ss_options_set (table, own, "first", "method", &err) == SS_OK);
    SS_CHECK (ss_options_set (table, own, "clock", clocks[i], &err) == SS_OK);
    SsJob job = ss_job (method, scenario, options);
    job.solve.transcription = ss_transcription_choose (own);
    SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
    printf ("free end, clock=%s: %.7f, best %.7f: %s\n", clocks[i],
            ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_OBJECTIVE), best, result.message);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK_NEAR (ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_OBJECTIVE), best, 1e-4 * best);
    ss_run_result_clear (&result);
    ss_scenario_free (scenario);
    free (options);
    free (own);
  }
  free (text);
  json_decref (scene);
}

int
main (void)
{
  SS_RUN (test_rows);
  SS_RUN (test_one_speed);
  SS_RUN (test_one_speed_refused);
  SS_RUN (test_frozen_path);
  SS_RUN (test_optimum);
  SS_RUN (test_oracle);
  SS_RUN_LONG (test_fresh);
  SS_RUN (test_free_time);
  return ss_test_finish ();
}
