/* tests/ss-test-fit.h: films of motions whose formulas are known, as a fit gets them: 100 Hz, 1 mm of noise, 2 %
 * outliers of 2 to 10 cm, a twentieth of the frames lost. */
#pragma once

#include "core/ss-core.h"
#include "fit/ss-fit.h"
#include "ss-test-scenario.h"

enum { TRIALS = 3, BODIES_MAX = 2, COLUMNS = 3 * BODIES_MAX };
static const double G = 9.81, RATE = 100, NOISE = 1e-3;

#define FLOOR "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
#define SCENE(parameters, bodies, rest)                                                                                \
  "{\"format\": 1, \"name\": \"measured\", \"parameters\": {" parameters "}, \"scene\": {\"gravity\": [0, -9.81], "    \
  "\"friction\": \"mu\", \"restitution\": \"e\", \"contacts\": \"all\", \"bodies\": [" FLOOR bodies "]" rest           \
  "}, \"task\": {\"t_end\": 1, \"dt\": 0.05}}"
#define MU_E(mu, e)                                                                                                    \
  "\"mu\": {\"value\": " mu ", \"minimum\": 0, \"maximum\": 1}, \"e\": {\"value\": " e ", \"minimum\": 0, "            \
  "\"maximum\": 1}"

/* ---- measured motions -------------------------------------------------------------------------------------------- */

/* Poses of all bodies of a trial at t: x, y, theta each. */
typedef void (*Truth) (int trial, double t, double *poses);

typedef struct {
  const char *text;
  Truth truth;
  double t_end;
  int n_columns;
  const char *columns[COLUMNS]; /* of poses, in their order; NULL: not measured */
  int n_free;
  SsFitFree free[6];
  struct {
    const char *name;
    double truth, within; /* relative */
  } told[3];
} Case;

static double
noise (SsRandom *random, bool has_outliers)
{
  const double n = NOISE * ss_random_normal (random);

  if (!has_outliers || ss_random_uniform (random) >= 0.02)
    return n;
  return n + (ss_random_uniform (random) < 0.5 ? -1 : 1) * ss_random_between (random, 0.02, 0.1);
}

/* A trial as a film of it would have it; a twentieth of its frames are lost. */
static SsTrajectory *
film (const Case *c, int trial, SsRandom *random, double scale)
{
  const char *names[COLUMNS + 1] = {"t"};
  double poses[COLUMNS], row[COLUMNS + 1];
  SsTrajectory *table = NULL;
  int columns[COLUMNS], n = 1;

  for (int i = 0; i < c->n_columns; i++)
    if (c->columns[i] != NULL) {
      columns[n] = i;
      names[n++] = c->columns[i];
    }
  SS_CHECK (ss_trajectory_new_named (names, n, 128, &table, NULL) == SS_OK);
  for (int k = 0; k <= (int)(c->t_end * RATE); k++) {
    row[0] = k / RATE;
    c->truth (trial, row[0], poses);
    for (int i = 1; i < n; i++)
      row[i] = scale * poses[columns[i]] + noise (random, true);
    for (int i = 1; i < n && ss_random_uniform (random) < 0.05; i++)
      row[i] = NAN;
    SS_CHECK (ss_trajectory_append (table, row, NULL) == SS_OK);
  }
  return table;
}

typedef struct {
  SsScenario *scenario;
  SsTrajectory *trials[TRIALS];
  char options[4096];
  SsFitJob job;
} Measured;

static void
measured_init (Measured *m, const Case *c, uint64_t seed, double scale)
{
  SsRandom random;

  ss_random_seed (&random, seed);
  m->scenario = ss_test_read_text (c->text);
  for (int i = 0; i < TRIALS; i++)
    m->trials[i] = film (c, i, &random, scale);
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "event-driven", NULL);
  SS_CHECK (method != NULL && method->options->size <= sizeof m->options);
  ss_method_init_options (method, m->scenario, m->options);
  m->job = (SsFitJob){.scenario = m->scenario,
                      .method = method,
                      .options = m->options,
                      .dt = NAN,
                      .n_trials = TRIALS,
                      .trials = (const SsTrajectory *const *)m->trials,
                      .n_free = c->n_free,
                      .free = c->free,
                      .loss = SS_FIT_TUKEY};
}

static void
measured_clear (Measured *m)
{
  for (int i = 0; i < TRIALS; i++)
    ss_trajectory_free (m->trials[i]);
  ss_scenario_free (m->scenario);
}

static inline const SsFitEstimate *
estimate_of (const SsFitResult *result, const char *name)
{
  for (int k = 0; k < result->n_estimates; k++)
    if (strcmp (result->estimates[k].name, name) == 0)
      return &result->estimates[k];
  SS_CHECK (!"an estimate of that name");
  return &result->estimates[0];
}

/* ---- sliding ----------------------------------------------------------------------------------------------------- */

/* x = x0 + v0 t - mu g t^2 / 2 until it rests. */
static double
slide (double x, double v, double mu, double t)
{
  const double end = fmin (t, fabs (v) / (mu * G));

  return x + v * end - copysign (mu * G * end * end / 2, v);
}

static void
sliding (int trial, double t, double *poses)
{
  poses[0] = slide (0.1 * trial, 1.2 + 0.4 * trial, 0.31, t);
  poses[1] = 0.1;
  poses[2] = 0;
}

static const Case slider = {
    SCENE (
        MU_E ("0.5", "0"),
        "{\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.1], \"velocity\": [1, 0], \"shape\": {\"type\": \"box\", "
        "\"width\": 0.4, \"height\": 0.2}}",
        ""),
    sliding,
    0.9,
    3,
    {"box.x", "box.y"},
    3,
    {{"mu", NAN, NAN}, {"box.x", NAN, NAN}, {"box.vx", NAN, NAN}},
    {{"mu", 0.31, 0.05}}};

/* ---- bouncing ---------------------------------------------------------------------------------------------------- */

/* A disc with radius R: flights, and impacts with Newton's restitution and Coulomb's bound on the tangential impulse,
 * beside that of stick, m u / 3 (its slip u meets 1 / m + R^2 / I = 3 / m). */
static void
bounce (double mu, double e, double x, double y, double vx, double vy, double t, double *poses)
{
  const double r = 0.05;
  double theta = 0, omega = 0;

  for (;;) {
    const double until = (vy + sqrt (vy * vy + 2 * G * (y - r))) / G, part = fmin (t, until);
    x += vx * part;
    y += vy * part - G * part * part / 2;
    vy -= G * part;
    theta += omega * part;
    t -= part;
    if (t <= 0)
      break;
    const double slip = vx + r * omega, bound = mu * (1 + e) * fabs (vy);
    const double impulse = copysign (fmin (fabs (slip) / 3, bound), -slip);
    vx += impulse;
    omega += 2 * impulse / r;
    vy = -e * vy;
    y = r;
  }
  poses[0] = x;
  poses[1] = y;
  poses[2] = theta;
}

static void
bouncing (int trial, double t, double *poses)
{
  static const double vx[] = {4, 3, 0.5};

  bounce (0.14, 0.72, 0.1 * trial, 0.9 - 0.1 * trial, vx[trial], 0.5, t, poses);
}

#define BALL                                                                                                           \
  "{\"name\": \"disc\", \"mass\": 0.5, \"position\": [0, 0.8], \"velocity\": [1, 0], \"shape\": {\"type\": "           \
  "\"circle\", "                                                                                                       \
  "\"radius\": 0.05}}"

static const Case ball = {SCENE (MU_E ("0.3", "0.5"), BALL, ""),
                          bouncing,
                          1.2,
                          3,
                          {"disc.x", "disc.y"},
                          3,
                          {{"mu", NAN, NAN}, {"e", NAN, NAN}, {"start", NAN, NAN}},
                          {{"mu", 0.14, 0.05}, {"e", 0.72, 0.03}}};
