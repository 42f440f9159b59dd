/* tests/ss-test-freeze.h: the guiding particle of paper 001 by time-freezing, against files with the keys a_n and
 * tau_end: times in t and tau, impulses, states, and the table in numerical time beside the file. */
#pragma once

#include "fesd/ss-time-freezing.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <jansson.h>

/* Told of every number that is compared. */
typedef void (*SsTestFreezeCompare) (void *data, const char *what, double ours, double theirs, double tolerance);

static const double ss_test_freeze_tolerance = 1e-7;

/* A number, or its decimals in text; NaN: neither. */
static inline double
ss_test_freeze_number (const json_t *value)
{
  double out = NAN;
  if (json_is_number (value))
    return json_number_value (value);
  if (json_string_value (value) != NULL && ss_parse_double (json_string_value (value), &out))
    return out;
  return NAN;
}

static inline double
ss_test_freeze_result (const json_t *root, const char *object, const char *name)
{
  return ss_test_freeze_number (json_object_get (json_object_get (root, object), name));
}

/* The first event of a kind; NULL: none. */
static inline const SsEvent *
ss_test_freeze_event (const SsSimResult *run, SsEventKind kind)
{
  for (int i = 0; run->events != NULL && i < run->events->n_items; i++)
    if (run->events->items[i].kind == kind)
      return &run->events->items[i];
  return NULL;
}

/* The last row up to that time by the channel `clock`. */
static inline int
ss_test_freeze_row (const SsTrajectory *motion, const char *clock, double time)
{
  int row = 0;
  while (row + 1 < motion->n_rows && ss_test_value (motion, row + 1, clock) <= time + 1e-11)
    row++;
  return row;
}

/* The example with the file's numbers over its numerical horizon. `t`: ends of the steps, n of them. */
static inline SsScenario *
ss_test_freeze_run (const json_t *root, double *t, int n, const char *stages, SsSimResult *run)
{
  const json_t *p = json_object_get (root, "parameters"), *y0 = json_object_get (p, "y0");
  const double mu = ss_test_freeze_number (json_object_get (p, "mu"));
  const SsOverride overrides[] = {{"mass", ss_test_freeze_number (json_object_get (p, "mass"))},
                                  {"g", ss_test_freeze_number (json_object_get (p, "g"))},
                                  {"mu", isnan (mu) ? 0 : mu},
                                  {"u1", ss_test_freeze_number (json_object_get (p, "u1"))},
                                  {"lift", 2 / ss_test_freeze_number (json_object_get (p, "mass"))},
                                  {"q10", ss_test_freeze_number (json_array_get (y0, 0))},
                                  {"q20", ss_test_freeze_number (json_array_get (y0, 1))},
                                  {"v10", ss_test_freeze_number (json_array_get (y0, 2))},
                                  {"v20", ss_test_freeze_number (json_array_get (y0, 3))}};
  SsScenario *scenario = ss_test_read_file ("examples/time-freezing/guiding-particle.stickslip.json", overrides,
                                            sizeof overrides / sizeof *overrides);
  _Alignas(max_align_t) char options[256];
  char text[64];
  SsError err = {0};
  const SsOptionTable *table = ss_integrator_time_freezing.options;
  *run = (SsSimResult){0};
  SS_CHECK (table->size <= sizeof options);
  ss_options_init (table, options);
  snprintf (text, sizeof text, "%.17g", ss_test_freeze_number (json_object_get (p, "a_n")));
  SS_CHECK (ss_options_set (table, options, "a-n", text, &err) == SS_OK);
  snprintf (text, sizeof text, "%.17g", ss_test_freeze_number (json_object_get (p, "tau_end")));
  SS_CHECK (ss_options_set (table, options, "tau-end", text, &err) == SS_OK);
  SS_CHECK (ss_options_set (table, options, "stages", stages, &err) == SS_OK);
  if (scenario == NULL)
    return NULL;
  const SsControls steps = {.n_rows = n, .t = t};
  const SsSimJob job = {.scene = scenario->scene,
                        .integrator = &ss_integrator_time_freezing,
                        .options = options,
                        .controls = &steps,
                        .dt = NAN,
                        .t_end = t[n - 1] + (t[n - 1] - t[n - 2])};
  SS_CHECK (ss_simulate_job (&job, NULL, run, &err) == SS_OK);
  SS_CHECK (run->outcome == SS_OUTCOME_COMPLETED);
  if (run->outcome != SS_OUTCOME_COMPLETED)
    printf ("%s %s\n", err.message, run->message);
  return scenario;
}

/* Rows of the table "tau,q1,q2,v1,v2,t", owned by the caller; *n: how many. NULL: there is none. */
static inline double *
ss_test_freeze_table (const char *json_file, int *n)
{
  char path[512], line[512];
  double *rows = NULL;
  *n = 0;
  snprintf (path, sizeof path, "%s", json_file);
  char *end = strrchr (path, '.');
  if (end != NULL)
    snprintf (end, sizeof path - (size_t)(end - path), "_numerical_time.csv");
  FILE *file = end != NULL ? fopen (path, "r") : NULL;
  for (int i = 0; file != NULL && fgets (line, sizeof line, file) != NULL; i++) {
    rows = realloc (rows, 6 * (size_t)(*n + 1) * sizeof *rows);
    double *row = rows + 6 * (size_t)*n;
    *n += i > 0 && sscanf (line, "%lf,%lf,%lf,%lf,%lf,%lf", &row[0], &row[1], &row[2], &row[3], &row[4], &row[5]) == 6;
  }
  if (file != NULL)
    fclose (file);
  return rows;
}

/* Every row of the table: those in which time stands still lie on straight lines in tau. */
static inline void
ss_test_freeze_compare_table (const SsTrajectory *motion, const double *table, int n, SsTestFreezeCompare compare,
                              void *data)
{
  static const char *const channels[6] = {"tau", "particle.x", "particle.y", "particle.vx", "particle.vy", "t"};
  for (int i = 0; i < n; i++) {
    const double *row = table + 6 * (size_t)i;
    int k = ss_test_freeze_row (motion, "tau", row[0] - 2e-11);
    if (ss_test_value (motion, k, "tau") < row[0] - 1e-11 && k + 1 < motion->n_rows)
      k++; /* the first one that is not before it */
    const int before = k > 0 ? k - 1 : 0;
    const double from = ss_test_value (motion, before, "tau"), to = ss_test_value (motion, k, "tau");
    const bool is_frozen = ss_test_value (motion, before, "t") == ss_test_value (motion, k, "t") && to > from;
    const double part = is_frozen ? (row[0] - from) / (to - from) : 1;
    for (int c = is_frozen ? 1 : 0; c < 6; c++)
      compare (data, channels[c],
               (1 - part) * ss_test_value (motion, before, channels[c]) + part * ss_test_value (motion, k, channels[c]),
               row[c], ss_test_freeze_tolerance);
  }
}

/* Times of the table without those that stand still, so that its rows are ends of steps; where there is none, steps of
 * 5 ms. Owned by the caller. */
static inline double *
ss_test_freeze_steps (const double *table, int n_table, double t_end, int *n)
{
  const int n_equal = (int)ceil (t_end / 0.005 - 1e-9);
  double *t = malloc ((size_t)(n_table + n_equal + 2) * sizeof *t);
  *n = 0;
  t[(*n)++] = 0;
  for (int i = 0; i < n_table; i++)
    if (table[6 * i + 5] > t[*n - 1] + 1e-9)
      t[(*n)++] = table[6 * i + 5];
  for (int i = 1; n_table == 0 && i <= n_equal; i++)
    t[(*n)++] = t_end * i / n_equal;
  return t;
}

/* [001 (5a)-(5d) (16) (24) Fig 3 Fig 5]. */
static inline void
ss_test_guided_by_freezing (const char *file, const json_t *root, SsTestFreezeCompare compare, void *data)
{
  const double tolerance = ss_test_freeze_tolerance;
  SsSimResult run;
  int n_table, n;
  double *table = ss_test_freeze_table (file, &n_table);
  double *t = ss_test_freeze_steps (table, n_table, ss_test_freeze_result (root, "final_state", "t"), &n);
  SsScenario *scenario = ss_test_freeze_run (root, t, n, "3", &run);
  const SsTrajectory *motion = run.trajectory;
  const SsEvent *impact = ss_test_freeze_event (&run, SS_EVENT_IMPACT),
                *liftoff = ss_test_freeze_event (&run, SS_EVENT_SEPARATION);
  SS_CHECK (impact != NULL && liftoff != NULL);
  if (impact == NULL || liftoff == NULL)
    goto done;
  static const char *const states[4][2] = {
      {"q1", "particle.x"}, {"q2", "particle.y"}, {"v1", "particle.vx"}, {"v2", "particle.vy"}};
  const int last = motion->n_rows - 1, before = ss_test_freeze_row (motion, "t", impact->t - 1e-9) + 1,
            after = ss_test_freeze_row (motion, "t", impact->t);
  double impulse[2] = {0, 0};
  for (int row = before; row <= after; row++) {
    impulse[0] += ss_test_value (motion, row, "ground.impulse_n");
    impulse[1] += ss_test_value (motion, row, "ground.impulse_t");
    /* time-freezing: no position moves while time stands still */
    SS_CHECK_NEAR (ss_test_value (motion, row, "particle.x"), ss_test_value (motion, before, "particle.x"), 1e-12);
    SS_CHECK_NEAR (ss_test_value (motion, row, "particle.y"), ss_test_value (motion, before, "particle.y"), 1e-12);
  }
  const struct {
    const char *object, *name;
    double ours;
  } values[] = {{"impact", "t", impact->t},
                {"impact", "q1", ss_test_value (motion, before, "particle.x")},
                {"impact", "v1_pre", ss_test_value (motion, before, "particle.vx")},
                {"impact", "v2_pre", ss_test_value (motion, before, "particle.vy")},
                {"impact", "v1_post", ss_test_value (motion, after, "particle.vx")},
                {"impact", "v2_post", ss_test_value (motion, after, "particle.vy")},
                {"impact", "normal_impulse", impulse[0]},
                {"impact", "normal_impulse", impact->impulse},
                {"impact", "tangential_impulse", impulse[1]},
                {"numerical_times", "tau_impact", impact->tau},
                {"numerical_times", "tau_end_of_jump", ss_test_value (motion, after, "tau")},
                {"numerical_times", "tau_liftoff", liftoff->tau},
                {"liftoff", "t", liftoff->t},
                {"final_state", "tau", ss_test_value (motion, last, "tau")},
                {"final_state", "t", ss_test_value (motion, last, "t")}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    compare (data, values[i].name, values[i].ours, ss_test_freeze_result (root, values[i].object, values[i].name),
             tolerance);
  const int at_one = ss_test_freeze_row (motion, "t", 1), lifts = ss_test_freeze_row (motion, "t", liftoff->t);
  compare (data, "tau at t = 1", ss_test_value (motion, at_one, "tau"),
           ss_test_freeze_result (root, "numerical_times", "tau_at_t1"), tolerance);
  for (int i = 0; i < 4; i++) {
    compare (data, states[i][1], ss_test_value (motion, last, states[i][1]),
             ss_test_freeze_result (root, "final_state", states[i][0]), tolerance);
    if (i % 2 == 1)
      continue;
    compare (data, states[i][1], ss_test_value (motion, at_one, states[i][1]),
             ss_test_freeze_result (root, "state_at_t1", states[i][0]), tolerance);
    compare (data, states[i][1], ss_test_value (motion, lifts, states[i][1]),
             ss_test_freeze_result (root, "liftoff", states[i][0]), tolerance);
  }
  ss_test_freeze_compare_table (motion, table, n_table, compare, data);
  /* a step that ends a rounding before the impact leaves it an element of no length */
  SS_CHECK_NEAR (run.metrics.own_residual, 0, 1e-9);

done:
  ss_sim_result_clear (&run);
  ss_scenario_free (scenario);
  free (table);
  free (t);
}
