/* tests/numeric/ss-test-freeze-plans.h: plans of paper 001's Example 5 against the exact optimum; files of the form of
 * tests/data/fesd/example5_ocp_exact.json. `scholtes` with the options of the example's own section, polish included,
 * whatever the numbers of a case; the cost is that of a case. What the plan's controls do is computed here in closed
 * form. */
#pragma once

#include "ss-test-plans.h"

/* Excess of the cost, relative; miss of the targets [m, m/s]; violation of the plan's rows, and of those of the
 * method's own answer before its polish. */
static const double ss_test_freeze_excess = 1e-3, ss_test_freeze_miss = 1e-6, ss_test_freeze_violation = 1e-10,
                    ss_test_freeze_before = 1e-6;

static inline double
ss_test_freeze_common (const json_t *root, const char *name)
{
  return json_number_value (json_object_get (json_object_get (root, "common"), name));
}

static inline bool
ss_test_is_freeze_plan_file (const json_t *root)
{
  return json_object_get (json_array_get (json_object_get (root, "cases"), 0), "cost_variant") != NULL;
}

/* A particle on a floor under a push, which is constant in each interval. */
typedef struct {
  double mass, g, mu, a_n, height;
  double x, v;            /* along the floor */
  double in_time, in_tau; /* integrals of u^2 */
  double hit;             /* when it falls on the floor */
} SsTestSlide;

/* `length` seconds on the floor. */
static inline void
ss_test_slide_on (SsTestSlide *s, double u, double length)
{
  const double friction = s->mu * s->mass * s->g;

  for (int i = 0; i < 3 && length > 0; i++) {
    const double sign = s->v != 0 ? copysign (1, s->v) : fabs (u) > friction ? copysign (1, u) : 0;
    const double a = sign != 0 ? (u - sign * friction) / s->mass : 0;
    const double t = s->v != 0 && a * s->v < 0 ? fmin (length, -s->v / a) : length;

    s->x += s->v * t + a * t * t / 2;
    s->v = t < length ? 0 : s->v + a * t;
    length -= t;
  }
}

/* An interval from t to end. */
static inline void
ss_test_slide (SsTestSlide *s, double u, double t, double end)
{
  const double flight = fmax (fmin (end, s->hit) - t, 0), a = u / s->mass;

  s->x += s->v * flight + a * flight * flight / 2;
  s->v += a * flight;
  s->in_time += u * u * (end - t);
  s->in_tau += u * u * (flight + (end - t - flight) * (1 + s->mass * s->g / s->a_n));
  if (t < s->hit && s->hit <= end) {
    s->in_tau += u * u * s->mass * s->g * s->hit / s->a_n;
    s->v -= copysign (fmin (fabs (s->v), s->mu * s->g * s->hit), s->v);
  }
  ss_test_slide_on (s, u, end - t - flight);
}

/* The control of a plan in the middle of an interval. */
static inline double
ss_test_plan_control (const SsTrajectory *plan, const char *name, double t)
{
  const int channel = ss_trajectory_channel (plan, name);
  double u = NAN;

  for (int r = 0; r < plan->n_rows && ss_trajectory_row (plan, r)[0] <= t; r++)
    u = ss_trajectory_row (plan, r)[channel];
  return u;
}

/* Largest distance of a row from the nearest end of an interval, where there should be one [s]. */
static inline double
ss_test_off_grid (const SsTrajectory *plan, double horizon, int n)
{
  double worst = 0;

  for (int i = 0; i <= n; i++) {
    double nearest = INFINITY;

    for (int r = 0; r < plan->n_rows; r++)
      nearest = fmin (nearest, fabs (ss_trajectory_row (plan, r)[0] - i * horizon / n));
    worst = fmax (worst, nearest);
  }
  return worst;
}

static inline SsTestSlide
ss_test_slide_plan (const json_t *root, const json_t *one, const SsTrajectory *plan)
{
  const double horizon = ss_test_freeze_common (root, "T");
  const int n = (int)ss_test_freeze_common (root, "N");
  SsTestSlide slide = {.mass = ss_test_freeze_common (root, "mass"),
                       .g = ss_test_freeze_common (root, "g"),
                       .mu = json_number_value (json_object_get (one, "mu")),
                       .a_n = ss_test_freeze_common (root, "a_n"),
                       .height = json_number_value (json_object_get (one, "start_height"))};

  slide.hit = sqrt (2 * slide.height / slide.g);
  for (int i = 0; i < n; i++)
    ss_test_slide (&slide, ss_test_plan_control (plan, "u.push", (i + 0.5) * horizon / n), i * horizon / n,
                   (i + 1) * horizon / n);
  return slide;
}

/* With more options, "name=value name=value" (NULL: none). */
static inline void
ss_test_freeze_plan_solve (const json_t *root, const json_t *one, const char *more)
{
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "scholtes", NULL);
  const SsOptionTable *table = ss_transcription_option_table ();
  const double target =
      json_number_value (json_array_get (json_object_get (json_object_get (root, "common"), "target_q"), 0));
  const SsOverride overrides[] = {{"mass", ss_test_freeze_common (root, "mass")},
                                  {"g", ss_test_freeze_common (root, "g")},
                                  {"u_max", ss_test_freeze_common (root, "u_max")},
                                  {"target", target},
                                  {"mu", json_number_value (json_object_get (one, "mu"))},
                                  {"height", json_number_value (json_object_get (one, "start_height"))}};
  SsScenario *scenario = ss_test_read_file ("examples/time-freezing/particle-ocp.stickslip.json", overrides,
                                            (int)(sizeof overrides / sizeof *overrides));
  void *options = calloc (1, method->options->size + 1), *own = calloc (1, table->size);
  const bool in_tau = strncmp (json_string_value (json_object_get (one, "cost_variant")), "numerical", 9) == 0;
  const double best = json_number_value (json_object_get (one, "optimal_cost")),
               horizon = ss_test_freeze_common (root, "T"), n = ss_test_freeze_common (root, "N");
  char a_n[40];
  SsRunResult result;
  SsError err = {0};

  if (scenario == NULL || options == NULL || own == NULL)
    return;
  ss_test_plan_init_options (method, scenario, options, own);
  snprintf (a_n, sizeof a_n, "%.17g", ss_test_freeze_common (root, "a_n"));
  SS_CHECK (ss_options_set (table, own, "first", "method", &err) == SS_OK);
  SS_CHECK (ss_options_set (table, own, "a-n", a_n, &err) == SS_OK);
  SS_CHECK (ss_options_set (table, own, "cost", in_tau ? "numerical" : "physical", &err) == SS_OK);
  for (const char *at = more; at != NULL && at[0] != '\0';) {
    char name[40], value[40];

    SS_CHECK (sscanf (at, "%39[^=]=%39[^ ]", name, value) == 2);
    const SsOptionTable *of = ss_method_option_table (method, scenario, name);
    SS_CHECK (ss_options_set (of, of == method->options ? options : own, name, value, &err) == SS_OK);
    at = strchr (at, ' ') != NULL ? strchr (at, ' ') + 1 : NULL;
  }
  SsJob job = ss_job (method, scenario, options);
  job.solve.transcription = ss_transcription_choose (own);
  job.solve.transcription.t_end = horizon;
  job.solve.transcription.dt = horizon / n;
  const double start = ss_clock_thread_cpu ();
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  if (ss_run_motion (&result) != NULL) {
    const SsTestSlide slide = ss_test_slide_plan (root, one, ss_run_motion (&result));
    const double cost = in_tau ? slide.in_tau : slide.in_time,
                 violation = ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION),
                 away = ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_END_DISTANCE),
                 off = ss_test_off_grid (ss_run_motion (&result), horizon, (int)n);

    printf ("%s (%s%s%s): cost %.7f of its controls, optimum %.7f; ends %.1e m and %.1e m/s off; replay %.1e m away, "
            "violation %.1e, grid %.1e; %.1f s of CPU; %s\n",
            scenario->name, json_string_value (json_object_get (one, "name")), more != NULL ? ", " : "",
            more != NULL ? more : "", cost, best, slide.x - target, slide.v, away, violation, off,
            ss_clock_thread_cpu () - start, result.message);
    SS_CHECK (cost <= best * (1 + ss_test_freeze_excess));
    SS_CHECK (fabs (slide.x - target) <= ss_test_freeze_miss && fabs (slide.v) <= ss_test_freeze_miss);
    SS_CHECK (away <= ss_test_freeze_miss);
    SS_CHECK (violation <= ss_test_freeze_violation);
    SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_POLISH_BEFORE) <= ss_test_freeze_before);
    SS_CHECK (off <= 1e-8);
  } else
    SS_CHECK (false);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
  free (options);
  free (own);
}

static inline void
ss_test_freeze_plan_case (const json_t *root, const json_t *one)
{
  ss_test_freeze_plan_solve (root, one, NULL);
}

/* Solves every case of the file from nothing but the scene and its options; returns the number of cases. */
static inline int
ss_test_freeze_plan_file (const json_t *root)
{
  const json_t *cases = json_object_get (root, "cases");

  for (size_t i = 0; i < json_array_size (cases); i++)
    ss_test_freeze_plan_case (root, json_array_get (cases, i));
  return (int)json_array_size (cases);
}
