/* engine/plan/ss-plan-lqr.c: see the header. */
#include "plan/ss-plan-lqr.h"

#include "contact/ss-contact-problem.h"
#include "core/ss-memory.h"
#include "linalg/ss-linalg.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-stewart-trinkle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the differences [m, rad, m/s, rad/s]: far above what a step leaves of its laws (1e-10), far below what a mode
 * bears. Of controls: this part of their range. */
static const double DIFFERENCE = 1e-6, CONTROL_DIFFERENCE = 1e-5;
/* Least ranges: a plan that hardly moves has no small ranges for that. [m], [rad] */
static const double LEAST_WAY = 0.01, LEAST_ANGLE = 0.1;
/* A speed counts as the way that it leads within this part of the plan: how fast a deviation is to go. With the plan's
 * own speeds it would go as slowly as the plan goes its way. */
static const double RATE_PARTS = 50;
/* A force acts where its bodies are nearer to each other than this in the plan [m]. */
static const double FORCE_BAND = 0.02;

struct SsPlanLqr {
  const SsScene *scene;
  SsScene own; /* with fewer contacts */
  SsContact *contacts;
  SsTrajectory *plan;
  SsControls *controls;
  SsPlanLqrWeights weights;
  double begin, end;   /* of the plan's clock at its first row; a duration that weighs the end [s] */
  int n, m, n_steps;   /* states, actuators */
  int *coordinates;    /* n / 2: of those that can move, 3 body + 0..2 */
  int *columns;        /* n: of the plan */
  int *rows;           /* n_steps + 1: the row that holds at the beginning of each step, and the last one */
  bool has_contacts;   /* what contacts move is held, too, and forces have gains */
  bool *is_driven;     /* n_bodies */
  bool *is_held;       /* n_bodies: whose coordinates are states */
  double *q_weight;    /* n */
  double *r_weight;    /* m */
  double *gains;       /* n_steps x m x n */
  int n_forces;        /* two a contact that the plan has forces of */
  int *forces;         /* n_forces / 2: contacts of the scene */
  int *force_columns;  /* n_forces: of the plan */
  double *force_gains; /* n_steps x m x n_forces */
  double *sample, *x, *u;
};

/* What one step is differentiated with. */
typedef struct {
  SsPlanLqr *l;
  void *stepper;
  double *block;
  SsSimState start, end; /* in block */
  double *a, *b;         /* n x n, n x m, row-major */
  double *p, *pa, *pb, *gram, *right;
  SsContactProblem *problem; /* NULL without forces */
  double *d, *s, *pd;        /* n x n_forces */
  double *push;              /* 3 n_bodies */
} Work;

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* Which bodies an actuator moves, or joints tie to one that it moves: n_bodies. */
static bool *
find_driven (const SsScene *scene)
{
  bool *driven = ss_new_array (bool, scene->n_bodies + 1), grows = driven != NULL;

  for (int a = 0; a < scene->n_actuators && driven != NULL; a++) {
    const SsActuator *actuator = &scene->actuators[a];
    driven[actuator->joint >= 0 ? scene->joints[actuator->joint].body_b : actuator->body] = true;
  }
  while (grows) {
    grows = false;
    for (int k = 0; k < scene->n_joints; k++) {
      const int first = scene->joints[k].body_a, second = scene->joints[k].body_b;
      if (first < 0 || driven[first] == driven[second] || scene->bodies[first].is_fixed ||
          scene->bodies[second].is_fixed)
        continue;
      driven[first] = driven[second] = grows = true;
    }
  }
  return driven;
}

/* The scene that steps are made of: of the contacts those of what is held with what is held or does not move. */
static SsStatus
choose_contacts (SsPlanLqr *l, SsError *err)
{
  const SsScene *scene = l->scene;
  int n = 0;

  l->is_driven = find_driven (scene);
  l->is_held = ss_new_array (bool, scene->n_bodies + 1);
  l->contacts = ss_new_array (SsContact, scene->n_contacts + 1);
  if (l->is_driven == NULL || l->is_held == NULL || l->contacts == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  for (int b = 0; b < scene->n_bodies; b++)
    l->is_held[b] = l->has_contacts ? !ss_body_is_immovable (&scene->bodies[b]) : l->is_driven[b];
  for (int i = 0; i < scene->n_contacts; i++) {
    const int a = scene->contacts[i].body_a, b = scene->contacts[i].body_b;
    if ((l->is_held[a] && (l->is_held[b] || ss_body_is_immovable (&scene->bodies[b]))) ||
        (l->is_held[b] && ss_body_is_immovable (&scene->bodies[a])))
      l->contacts[n++] = scene->contacts[i];
  }
  l->own = *scene;
  l->own.contacts = l->contacts;
  l->own.n_contacts = n;
  return SS_OK;
}

static bool
is_held (const SsPlanLqr *l, int coordinate)
{
  const SsBody *body = &l->scene->bodies[coordinate / 3];

  return l->is_held[coordinate / 3] && !body->is_fixed && !body->lock[coordinate % 3];
}

static SsStatus
find_coordinates (SsPlanLqr *l, SsError *err)
{
  char name[SS_CHANNEL_NAME_MAX];
  int half = 0;

  for (int i = 0; i < 3 * l->scene->n_bodies; i++)
    half += is_held (l, i);
  if (half == 0 || half > SS_PLAN_LQR_COORDINATES)
    return ss_error_set (err, SS_ERR_INVALID,
                         "a feedback holds 1 to %d coordinates of driven bodies; this scene has "
                         "%d",
                         SS_PLAN_LQR_COORDINATES, half);
  l->n = 2 * half;
  l->coordinates = ss_new_array (int, half);
  l->columns = ss_new_array (int, l->n);
  if (l->coordinates == NULL || l->columns == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  for (int i = 0, k = 0; i < 3 * l->scene->n_bodies; i++)
    if (is_held (l, i))
      l->coordinates[k++] = i;
  for (int k = 0; k < l->n; k++) {
    const int i = l->coordinates[k % half];

    snprintf (name, sizeof name, "%s.%s", l->scene->bodies[i / 3].name, ss_body_channels[i % 3 + (k < half ? 0 : 3)]);
    l->columns[k] = ss_trajectory_channel (l->plan, name);
    if (l->columns[k] < 0)
      return ss_error_set (err, SS_ERR_INVALID, "the plan has no channel %s, so nothing can be held on it", name);
  }
  return SS_OK;
}

/* Contacts whose forces the plan has. */
static SsStatus
find_forces (SsPlanLqr *l, SsError *err)
{
  static const char *const quantities[] = {"lambda_n", "lambda_t"};
  char name[SS_CHANNEL_NAME_MAX];

  l->forces = ss_new_array (int, l->scene->n_contacts + 1);
  l->force_columns = ss_new_array (int, 2 * l->scene->n_contacts + 1);
  if (l->forces == NULL || l->force_columns == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  for (int i = 0; i < l->scene->n_contacts && l->has_contacts; i++) {
    int columns[2];

    for (int k = 0; k < 2; k++) {
      snprintf (name, sizeof name, "%s.%s", l->scene->contacts[i].name, quantities[k]);
      columns[k] = ss_trajectory_channel (l->plan, name);
    }
    if (columns[0] < 0 || columns[1] < 0)
      continue;
    l->forces[l->n_forces / 2] = i;
    memcpy (l->force_columns + l->n_forces, columns, sizeof columns);
    l->n_forces += 2;
  }
  return SS_OK;
}

static SsStatus
find_rows (SsPlanLqr *l, SsError *err)
{
  l->rows = ss_new_array (int, l->plan->n_rows + 1);
  if (l->rows == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  for (int row = 0, n = 0; row < l->plan->n_rows; row++, n++) {
    row = ss_trajectory_last_at (l->plan, row);
    l->rows[n] = row;
    l->n_steps = n;
  }
  if (l->n_steps < 1 || l->n_steps > SS_PLAN_LQR_STEPS)
    return ss_error_set (err, SS_ERR_INVALID, "a feedback needs a plan of 1 to %d steps; this one has %d",
                         SS_PLAN_LQR_STEPS, l->n_steps);
  return SS_OK;
}

/* 0: x, y; 1: theta; 2: vx, vy; 3: omega. */
static int
kind_of (const SsPlanLqr *l, int state)
{
  const int half = l->n / 2;

  return (l->coordinates[state % half] % 3 == 2) + 2 * (state >= half);
}

static SsStatus
set_weights (SsPlanLqr *l, SsError *err)
{
  double range[4] = {LEAST_WAY, LEAST_ANGLE, 0, 0};

  for (int i = 0; i < l->n; i++) {
    double least = INFINITY, most = -INFINITY;

    for (int k = 0; k <= l->n_steps; k++) {
      const double value = ss_trajectory_row (l->plan, l->rows[k])[l->columns[i]];
      if (!isfinite (value))
        return ss_error_set (err, SS_ERR_INVALID, "the plan is not finite");
      least = fmin (least, value);
      most = fmax (most, value);
    }
    const int kind = kind_of (l, i);
    if (kind < 2)
      range[kind] = fmax (range[kind], most - least);
  }
  for (int kind = 0; kind < 2; kind++)
    range[2 + kind] = RATE_PARTS * range[kind] / fmax (l->end, 1e-3);
  for (int i = 0; i < l->n; i++) {
    const double own = range[kind_of (l, i)];
    l->q_weight[i] = l->weights.q / (own * own);
  }
  for (int a = 0; a < l->m; a++) {
    const SsActuator *actuator = &l->scene->actuators[a];
    double largest = 0;

    for (int k = 0; k < l->controls->n_rows; k++)
      largest = fmax (largest, fabs (l->controls->u[k * l->m + a]));
    if (!(largest > 0)) /* it rests in the plan */
      largest = isfinite (actuator->upper - actuator->lower) ? (actuator->upper - actuator->lower) / 2 : 1;
    l->r_weight[a] = l->weights.r / fmax (largest * largest, 1e-12);
  }
  return SS_OK;
}

/* ---- one step ---------------------------------------------------------------------------------------------------- */

static void
read_state (const SsPlanLqr *l, int row, SsSimState *state)
{
  const double *values = ss_trajectory_row (l->plan, row);
  const int half = l->n / 2;

  state->t = values[0];
  for (int i = 0; i < 3 * l->scene->n_bodies; i++) {
    const SsBody *body = &l->scene->bodies[i / 3];

    state->q[i] = body->q[i % 3];
    state->v[i] = body->is_fixed ? 0 : body->v[i % 3];
    if (!body->is_fixed && body->lock[i % 3]) /* moves steadily */
      state->q[i] += (l->begin + values[0]) * state->v[i];
  }
  for (int k = 0; k < half; k++) {
    state->q[l->coordinates[k]] = values[l->columns[k]];
    state->v[l->coordinates[k]] = values[l->columns[half + k]];
  }
}

/* The state after one step from w->start, which is left alone. */
static SsStatus
step_from (Work *w, double dt, const double *u, SsError *err)
{
  const size_t size = 3 * (size_t)w->l->scene->n_bodies * sizeof (double);
  SsStepInfo info = {0};

  w->end.t = w->start.t;
  memcpy (w->end.q, w->start.q, size);
  memcpy (w->end.v, w->start.v, size);
  memset (w->end.contact, 0, SS_SIM_N_CONTACT_VALUES * (size_t)w->l->own.n_contacts * sizeof (double));
  return ss_integrator_stewart_trinkle.step (w->stepper, &(SsStep){.dt = dt, .controls = u}, &w->end, &info, err);
}

static double *
place_of (const SsPlanLqr *l, SsSimState *state, int i)
{
  const int half = l->n / 2;

  return i < half ? &state->q[l->coordinates[i]] : &state->v[l->coordinates[i - half]];
}

/* Column of a matrix with `width` columns: the difference of two steps, in which *what is moved up and down. */
static SsStatus
fill_column (Work *w, double *what, double by, double dt, const double *u, double *matrix, int width, int column,
             SsError *err)
{
  const SsPlanLqr *l = w->l;
  const double before = *what;
  SsStatus status;

  *what = before + by;
  status = step_from (w, dt, u, err);
  for (int i = 0; i < l->n && status == SS_OK; i++)
    matrix[i * width + column] = *place_of (l, &w->end, i);
  *what = before - by;
  if (status == SS_OK)
    status = step_from (w, dt, u, err);
  for (int i = 0; i < l->n && status == SS_OK; i++)
    matrix[i * width + column] = (matrix[i * width + column] - *place_of (l, &w->end, i)) / (2 * by);
  *what = before;
  return status;
}

/* A and B of a step of the plan. The controls that it has are in l->u. */
static SsStatus
differentiate (Work *w, int step, SsError *err)
{
  SsPlanLqr *l = w->l;
  SsStatus status = SS_OK;
  SsError why = {0};

  read_state (l, l->rows[step], &w->start);
  const double dt = ss_trajectory_row (l->plan, l->rows[step + 1])[0] - w->start.t;
  for (int a = 0; a < l->m; a++) {
    const SsActuator *actuator = &l->scene->actuators[a];
    l->u[a] = fmin (fmax (l->controls->u[step * l->m + a], actuator->lower), actuator->upper);
  }
  for (int i = 0; i < l->n && status == SS_OK; i++)
    status = fill_column (w, place_of (l, &w->start, i), DIFFERENCE, dt, l->u, w->a, l->n, i, &why);
  for (int a = 0; a < l->m && status == SS_OK; a++) {
    const SsActuator *actuator = &l->scene->actuators[a];
    const double by = CONTROL_DIFFERENCE * sqrt (l->weights.r / l->r_weight[a]), held = l->u[a];

    /* steps clamp controls: at a bound the middle is moved inside */
    if (actuator->upper - actuator->lower > 2 * by)
      l->u[a] = fmin (fmax (held, actuator->lower + by), actuator->upper - by);
    status = fill_column (w, &l->u[a], by, dt, l->u, w->b, l->m, a, &why);
    l->u[a] = held;
  }
  return status == SS_OK
             ? SS_OK
             : ss_error_set (err, status == SS_ERR_MEMORY ? status : SS_ERR_INVALID,
                             "the plan's step at t = %.9g s cannot be made linear: %.200s", w->start.t, why.message);
}

/* D of a step of length h, whose A is known: a force of friction acts over the step as the change of speeds that its
 * impulse makes at the step's start, h M^-1 J'; of several points of a contact in the middle of those that are near.
 * Normal forces have no column: A holds closed contacts as constraints, and what these do is in A. */
static SsStatus
fill_forces (Work *w, double h, SsError *err)
{
  SsPlanLqr *l = w->l;
  const int n = l->n, half = n / 2, f = l->n_forces;
  SsStatus status = ss_contact_problem_collect (w->problem, w->start.q, w->start.v, FORCE_BAND, FORCE_BAND, err);

  memset (w->d, 0, (size_t)(n * f) * sizeof *w->d);
  for (int j = 1; j < f && status == SS_OK; j += 2) {
    int n_points = 0;

    memset (w->push, 0, 3 * (size_t)l->scene->n_bodies * sizeof *w->push);
    for (int i = 0; i < w->problem->n_points; i++) {
      SsContactPoint point = w->problem->points[i];

      if (point.contact != l->forces[j / 2])
        continue;
      point.pn = 0;
      point.pt = h;
      ss_contact_problem_push (w->problem, &point, w->push);
      n_points++;
    }
    for (int i = 0; i < n && n_points > 0; i++) {
      double sum = 0;

      for (int k = 0; k < half; k++)
        sum += w->a[i * n + half + k] * w->push[l->coordinates[k]];
      w->d[i * f + j] = sum / n_points;
    }
  }
  return status;
}

/* ---- Riccati ----------------------------------------------------------------------------------------------------- */

/* out = a b, or a' b; sums have `inner` terms, a row of b and of out `columns` numbers. */
static void
multiply (int rows, int inner, int columns, const double *a, bool is_turned, const double *b, double *out)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      double sum = 0;
      for (int k = 0; k < inner; k++)
        sum += a[is_turned ? k * rows + i : i * inner + k] * b[k * columns + j];
      out[i * columns + j] = sum;
    }
}

/* Gains on forces of a step, and S before it, from P and S after it, A, B, D, the factor of R + B' P B and K. */
static void
recur_forces (Work *w, int step)
{
  SsPlanLqr *l = w->l;
  const int n = l->n, m = l->m, f = l->n_forces;
  const double *gain = l->gains + (size_t)step * (size_t)(n * m);
  double *force_gain = l->force_gains + (size_t)step * (size_t)(m * f);

  multiply (n, n, f, w->p, false, w->d, w->pd);
  for (int i = 0; i < n * f; i++)
    w->pd[i] += SS_PLAN_CONTACT_LASTS * w->s[i];
  multiply (n, n, f, w->a, true, w->pd, w->s);
  multiply (m, n, f, w->b, true, w->pd, force_gain);
  for (int j = 0; j < f; j++) {
    for (int a = 0; a < m; a++) {
      w->right[a] = force_gain[a * f + j];
      for (int i = 0; i < n; i++)
        w->s[i * f + j] -= gain[a * n + i] * w->right[a];
    }
    ss_dense_cholesky_solve (m, w->gram, m, w->right);
    for (int a = 0; a < m; a++)
      force_gain[a * f + j] = w->right[a];
  }
}

/* P and the gain of a step, from P after it and A, B; h the step's length. */
static SsStatus
recur (Work *w, int step, double h, SsError *err)
{
  SsPlanLqr *l = w->l;
  const int n = l->n, m = l->m;
  double *gain = l->gains + (size_t)step * (size_t)(n * m);

  multiply (n, n, n, w->p, false, w->a, w->pa);
  multiply (n, n, m, w->p, false, w->b, w->pb);
  for (int a = 0; a < m; a++)
    for (int c = 0; c < m; c++) {
      double sum = a == c ? h * l->r_weight[a] : 0;
      for (int k = 0; k < n; k++)
        sum += w->b[k * m + a] * w->pb[k * m + c];
      w->gram[c * m + a] = sum;
    }
  if (ss_dense_cholesky (m, w->gram, m) != SS_OK)
    return ss_error_set (err, SS_ERR_INVALID, "the feedback's gains cannot be found at step %d of the plan", step);
  for (int j = 0; j < n; j++) {
    for (int a = 0; a < m; a++) {
      w->right[a] = 0;
      for (int k = 0; k < n; k++)
        w->right[a] += w->pb[k * m + a] * w->a[k * n + j];
    }
    ss_dense_cholesky_solve (m, w->gram, m, w->right);
    for (int a = 0; a < m; a++)
      gain[a * n + j] = w->right[a];
  }
  recur_forces (w, step);
  /* P = h Q + h K' R K + (A - B K)' P (A - B K), which rounding does not make indefinite, made symmetric again */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int a = 0; a < m; a++)
        w->a[i * n + j] -= w->b[i * m + a] * gain[a * n + j];
  multiply (n, n, n, w->p, false, w->a, w->pa);
  multiply (n, n, n, w->a, true, w->pa, w->p);
  for (int i = 0; i < n; i++) {
    w->p[i * n + i] += h * l->q_weight[i];
    for (int j = 0; j < n; j++)
      for (int a = 0; a < m; a++)
        w->p[i * n + j] += h * l->r_weight[a] * gain[a * n + i] * gain[a * n + j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      w->p[i * n + j] = w->p[j * n + i] = (w->p[i * n + j] + w->p[j * n + i]) / 2;
  for (int i = 0; i < n * n; i++)
    if (!isfinite (w->p[i]))
      return ss_error_set (err, SS_ERR_INVALID, "the feedback's gains grow beyond all numbers at step %d of the plan",
                           step);
  return SS_OK;
}

static void
work_clear (Work *w)
{
  if (w->stepper != NULL)
    ss_integrator_stewart_trinkle.free_ (w->stepper);
  ss_contact_problem_free (w->problem);
  ss_free (w->block);
}

static SsStatus
work_open (Work *w, void *options, SsError *err)
{
  const size_t n3 = 3 * (size_t)w->l->scene->n_bodies, n = (size_t)w->l->n, m = (size_t)w->l->m,
               f = (size_t)w->l->n_forces, contact = SS_SIM_N_CONTACT_VALUES * (size_t)w->l->own.n_contacts;

  w->block = ss_alloc (4 * n3 + 2 * contact + 3 * n * n + 2 * n * m + m * m + m + 3 * n * f + n3 + 1, sizeof (double));
  if (w->block == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  w->start = (SsSimState){.q = w->block, .v = w->block + n3, .contact = w->block + 2 * n3};
  w->end = (SsSimState){.q = w->start.contact + contact, .v = w->start.contact + contact + n3};
  w->end.contact = w->end.v + n3;
  w->a = w->end.contact + contact;
  w->p = w->a + n * n;
  w->pa = w->p + n * n;
  w->b = w->pa + n * n;
  w->pb = w->b + n * m;
  w->gram = w->pb + n * m;
  w->right = w->gram + m * m;
  w->d = w->right + m;
  w->s = w->d + n * f;
  w->pd = w->s + n * f;
  w->push = w->pd + n * f;
  if (f > 0) {
    const SsStatus status = ss_contact_problem_new (w->l->scene, &w->problem, err);
    if (status != SS_OK)
      return status;
  }
  return ss_integrator_stewart_trinkle.new_ (&w->l->own, options, &w->stepper, err);
}

/* All gains; *is_done false: it was told to stop. */
static SsStatus
find_gains (SsPlanLqr *l, SsRunControl *control, bool *is_done, SsError *err)
{
  SsStewartTrinkleOptions options;
  Work w = {.l = l};
  SsOutcome why;
  SsStatus status = SS_OK;

  *is_done = false;
  l->gains = ss_alloc ((size_t)l->n_steps * (size_t)(l->n * l->m), sizeof (double));
  l->force_gains = ss_alloc ((size_t)l->n_steps * (size_t)(l->n_forces * l->m) + 1, sizeof (double));
  if (l->gains == NULL || l->force_gains == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  ss_options_init (ss_integrator_stewart_trinkle.options, &options);
  options.gap = SS_STEWART_TRINKLE_END;
  if (status == SS_OK)
    status = work_open (&w, &options, err);
  for (int i = 0; i < l->n && status == SS_OK; i++)
    w.p[i * l->n + i] = l->end * l->weights.end * l->q_weight[i];
  int step = l->n_steps - 1;
  for (; step >= 0 && status == SS_OK && !ss_run_control_should_stop (control, &why); step--) {
    const double h = ss_trajectory_row (l->plan, l->rows[step + 1])[0] - ss_trajectory_row (l->plan, l->rows[step])[0];
    status = differentiate (&w, step, err);
    if (status == SS_OK && l->n_forces > 0)
      status = fill_forces (&w, h, err);
    if (status == SS_OK)
      status = recur (&w, step, h, err);
  }
  *is_done = status == SS_OK && step < 0;
  work_clear (&w);
  return status;
}

/* `like` NULL: weights of the plan's own ranges. */
static SsStatus
fill (SsPlanLqr *l, const SsPlanLqr *like, const SsTrajectory *plan, SsError *err)
{
  SsStatus status = ss_trajectory_copy (plan, &l->plan, err);

  if (status == SS_OK)
    status = ss_controls_new (l->scene, plan, &l->controls, err);
  if (status == SS_OK)
    status = choose_contacts (l, err);
  if (status == SS_OK)
    status = find_coordinates (l, err);
  if (status == SS_OK)
    status = find_rows (l, err);
  if (status == SS_OK)
    status = find_forces (l, err);
  if (status != SS_OK)
    return status;
  l->x = ss_new_array (double, l->n);
  l->u = ss_new_array (double, l->m);
  l->q_weight = ss_new_array (double, l->n);
  l->r_weight = ss_new_array (double, l->m);
  l->sample = ss_new_array (double, l->plan->n_channels);
  if (l->x == NULL || l->u == NULL || l->q_weight == NULL || l->r_weight == NULL || l->sample == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  l->end = like != NULL ? like->end : ss_trajectory_row (plan, plan->n_rows - 1)[0];
  if (like == NULL)
    return set_weights (l, err);
  memcpy (l->q_weight, like->q_weight, (size_t)l->n * sizeof *l->q_weight);
  memcpy (l->r_weight, like->r_weight, (size_t)l->m * sizeof *l->r_weight);
  return SS_OK;
}

static SsStatus
make (const SsScene *scene, bool has_contacts, const SsPlanLqr *like, double begin, const SsTrajectory *plan,
      const SsPlanLqrWeights *weights, SsRunControl *control, SsPlanLqr **out, SsError *err)
{
  SsPlanLqr *l = ss_new (SsPlanLqr);
  bool is_done = false;
  SsStatus status;

  *out = NULL;
  if (l == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  l->scene = scene;
  l->has_contacts = has_contacts;
  l->begin = begin;
  l->weights = weights != NULL ? *weights : SS_PLAN_LQR_WEIGHTS;
  l->m = scene->n_actuators;
  if (l->m == 0)
    status = ss_error_set (err, SS_ERR_INVALID, "there is no actuator that a feedback could move");
  else if (!(l->weights.q > 0 && l->weights.r > 0 && l->weights.end > 0))
    status = ss_error_set (err, SS_ERR_INVALID, "the weights of a feedback must be positive numbers");
  else
    status = fill (l, like, plan, err);
  if (status == SS_OK)
    status = find_gains (l, control, &is_done, err);
  if (status == SS_OK && is_done)
    *out = l;
  else
    ss_plan_lqr_free (l);
  return status;
}

SsStatus
ss_plan_lqr_new (const SsScene *scene, const SsTrajectory *plan, const SsPlanLqrWeights *weights, SsRunControl *control,
                 SsPlanLqr **out, SsError *err)
{
  SS_ASSERT (scene != NULL && plan != NULL && out != NULL);
  return make (scene, false, NULL, 0, plan, weights, control, out, err);
}

SsStatus
ss_plan_lqr_contacts_new (const SsScene *scene, const SsTrajectory *plan, const SsPlanLqrWeights *weights,
                          SsRunControl *control, SsPlanLqr **out, SsError *err)
{
  SS_ASSERT (scene != NULL && plan != NULL && out != NULL);
  return make (scene, true, NULL, 0, plan, weights, control, out, err);
}

SsStatus
ss_plan_lqr_along (const SsPlanLqr *like, double begin, const SsTrajectory *motion, SsRunControl *control,
                   SsPlanLqr **out, SsError *err)
{
  SS_ASSERT (like != NULL && motion != NULL && out != NULL);
  return make (like->scene, like->has_contacts, like, begin, motion, &like->weights, control, out, err);
}

void
ss_plan_lqr_free (SsPlanLqr *l)
{
  if (l == NULL)
    return;
  ss_trajectory_free (l->plan);
  ss_controls_free (l->controls);
  ss_free (l->coordinates);
  ss_free (l->columns);
  ss_free (l->rows);
  ss_free (l->is_driven);
  ss_free (l->is_held);
  ss_free (l->contacts);
  ss_free (l->q_weight);
  ss_free (l->r_weight);
  ss_free (l->gains);
  ss_free (l->forces);
  ss_free (l->force_columns);
  ss_free (l->force_gains);
  ss_free (l->sample);
  ss_free (l->x);
  ss_free (l->u);
  ss_free (l);
}

/* ---- acting ------------------------------------------------------------------------------------------------------ */

/* The step in which t lies, where a millionth of it is rounding of t. */
static int
step_at (const SsPlanLqr *l, double t)
{
  int low = 0, high = l->n_steps - 1;

  while (low < high) {
    const int middle = (low + high + 1) / 2;
    const double begin = l->controls->t[middle], before = l->controls->t[middle - 1];

    if (begin <= t + 1e-6 * (begin - before))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

const double *
ss_plan_lqr_controls (SsPlanLqr *l, double t, const double *q, const double *v)
{
  return ss_plan_lqr_controls_moved (l, t, q, v, NULL);
}

const double *
ss_plan_lqr_controls_moved (SsPlanLqr *l, double t, const double *q, const double *v, const double *more)
{
  SS_ASSERT (l != NULL && q != NULL && v != NULL);
  const int step = step_at (l, t), half = l->n / 2;
  const double *gain = ss_plan_lqr_gain (l, step), *planned = ss_controls_at (l->controls, t);

  ss_trajectory_sample (l->plan, t, l->sample);
  for (int i = 0; i < l->n; i++)
    l->x[i] = (i < half ? q[l->coordinates[i]] : v[l->coordinates[i - half]]) - l->sample[l->columns[i]];
  for (int a = 0; a < l->m; a++) {
    const SsActuator *actuator = &l->scene->actuators[a];

    const double wanted =
        planned[a] + (more != NULL ? more[a] : 0) - ss_dot (l->n, gain + (size_t)a * (size_t)l->n, l->x);

    l->u[a] = fmin (fmax (wanted, actuator->lower), actuator->upper);
  }
  return l->u;
}

int
ss_plan_lqr_n_states (const SsPlanLqr *l)
{
  return l->n;
}

int
ss_plan_lqr_n_steps (const SsPlanLqr *l)
{
  return l->n_steps;
}

int
ss_plan_lqr_coordinate (const SsPlanLqr *l, int i)
{
  SS_ASSERT (i >= 0 && i < l->n / 2);
  return l->coordinates[i];
}

const double *
ss_plan_lqr_gain (const SsPlanLqr *l, int step)
{
  SS_ASSERT (step >= 0 && step < l->n_steps);
  return l->gains + (size_t)step * (size_t)(l->n * l->m);
}

const double *
ss_plan_lqr_state_weights (const SsPlanLqr *l)
{
  return l->q_weight;
}

const double *
ss_plan_lqr_control_weights (const SsPlanLqr *l)
{
  return l->r_weight;
}

double
ss_plan_lqr_largest (const SsPlanLqr *l, int actuator)
{
  SS_ASSERT (actuator >= 0 && actuator < l->m);
  return sqrt (l->weights.r / l->r_weight[actuator]);
}

bool
ss_plan_lqr_is_driven (const SsPlanLqr *l, int body)
{
  return l->is_driven[body];
}

int
ss_plan_lqr_row (const SsPlanLqr *l, int step)
{
  SS_ASSERT (step >= 0 && step <= l->n_steps);
  return l->rows[step];
}

int
ss_plan_lqr_column (const SsPlanLqr *l, int i)
{
  SS_ASSERT (i >= 0 && i < l->n);
  return l->columns[i];
}

int
ss_plan_lqr_n_forces (const SsPlanLqr *l)
{
  return l->n_forces;
}

int
ss_plan_lqr_force (const SsPlanLqr *l, int i)
{
  SS_ASSERT (i >= 0 && i < l->n_forces);
  return l->forces[i / 2];
}

int
ss_plan_lqr_force_column (const SsPlanLqr *l, int i)
{
  SS_ASSERT (i >= 0 && i < l->n_forces);
  return l->force_columns[i];
}

const double *
ss_plan_lqr_force_gain (const SsPlanLqr *l, int step)
{
  SS_ASSERT (step >= 0 && step < l->n_steps);
  return l->force_gains + (size_t)step * (size_t)(l->n_forces * l->m);
}
