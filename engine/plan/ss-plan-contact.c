/* engine/plan/ss-plan-contact.c: see the header. */
#include "plan/ss-plan-contact.h"

#include "contact/ss-step-state.h"
#include "core/ss-memory.h"
#include "linalg/ss-linalg.h"
#include "simulate/ss-simulate.h"

#include <math.h>

/* A closing counts after so many open steps. */
enum { OPEN_STEPS = 2 };

struct SsPlanContact {
  const SsScene *scene;
  SsPlanLqr *lqr;
  SsPlanContactTable table;
  double *block; /* t, x, lambda, u of the table, and what acts */
  SsPlanPhase *phases;
  bool *is_struck;
  double *dx, *dlambda, *controls;
  int phase;
  double t_last;
};

/* ---- making ------------------------------------------------------------------------------------------------------ */

static SsStatus
fill_table (SsPlanContact *c, const SsTrajectory *plan, SsError *err)
{
  SsPlanContactTable *of = &c->table;
  SsControls *controls = NULL;

  of->n_rows = ss_plan_lqr_n_steps (c->lqr) + 1;
  of->n_states = ss_plan_lqr_n_states (c->lqr);
  of->n_controls = c->scene->n_actuators;
  of->n_forces = ss_plan_lqr_n_forces (c->lqr);
  const size_t rows = (size_t)of->n_rows, n = (size_t)of->n_states, m = (size_t)of->n_controls,
               f = (size_t)of->n_forces;
  c->block = ss_new_array (double, rows *(1 + n + f + m) + n + f + m);
  c->phases = ss_new_array (SsPlanPhase, rows + 1);
  c->is_struck = ss_new_array (bool, (rows + 1) * n);
  if (c->block == NULL || c->phases == NULL || c->is_struck == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  double *t = c->block, *x = t + rows, *lambda = x + rows * n, *u = lambda + rows * f;
  SsStatus status = ss_controls_new (c->scene, plan, &controls, err);
  for (int k = 0; k < of->n_rows && status == SS_OK; k++) {
    const double *row = ss_trajectory_row (plan, ss_plan_lqr_row (c->lqr, k));

    t[k] = row[0];
    for (size_t i = 0; i < n; i++)
      x[(size_t)k * n + i] = row[ss_plan_lqr_column (c->lqr, (int)i)];
    for (size_t j = 0; j < f; j++)
      lambda[(size_t)k * f + j] = row[ss_plan_lqr_force_column (c->lqr, (int)j)];
    for (size_t a = 0; a < m; a++)
      u[(size_t)k * m + a] = ss_controls_at (controls, t[k])[a];
  }
  ss_controls_free (controls);
  of->t = t;
  of->x = x;
  of->lambda = lambda;
  of->u = u;
  of->phases = c->phases;
  of->is_struck = c->is_struck;
  c->dx = u + rows * m;
  c->dlambda = c->dx + n;
  c->controls = c->dlambda + f;
  return status;
}

static bool
is_closed (const SsPlanContactTable *of, int row, int force)
{
  return of->lambda[row * of->n_forces + force] > of->least;
}

/* How long [steps] the contact of a normal force was open when it closes in the step that ends in a row; 0: it does
 * not. */
static int
open_before (const SsPlanContact *c, int row, int force)
{
  const SsContact *contact = &c->scene->contacts[ss_plan_lqr_force (c->lqr, force)];
  int n = 0;

  if (!is_closed (&c->table, row, force) ||
      !(ss_plan_lqr_is_driven (c->lqr, contact->body_a) || ss_plan_lqr_is_driven (c->lqr, contact->body_b)))
    return 0;
  while (n < row && !is_closed (&c->table, row - 1 - n, force))
    n++;
  return n;
}

static void
find_phases (SsPlanContact *c)
{
  SsPlanContactTable *of = &c->table;
  const double window = SS_PLAN_CONTACT_WINDOW * of->t[of->n_rows - 1];
  double most = 0;

  for (int i = 0; i < of->n_rows * of->n_forces; i += 2)
    most = fmax (most, of->lambda[i]);
  of->least = SS_PLAN_CONTACT_LEAST * most;
  of->n_phases = 1;
  c->phases[0] = (SsPlanPhase){0, of->n_rows - 1, -1, -INFINITY, -INFINITY};
  for (int row = 1; row < of->n_rows; row++) {
    int force = 0, open = 0;

    for (int j = 0; j < of->n_forces && open < OPEN_STEPS; j += 2) {
      force = j;
      open = open_before (c, row, j);
    }
    if (open < OPEN_STEPS)
      continue;
    const double before = fmin (window, (of->t[row] - of->t[row - open]) / 2);
    const SsContact *contact = &c->scene->contacts[ss_plan_lqr_force (c->lqr, force)];
    for (int i = 0; i < of->n_states; i++) {
      const int body = ss_plan_lqr_coordinate (c->lqr, i % (of->n_states / 2)) / 3;
      c->is_struck[of->n_phases * of->n_states + i] = body == contact->body_a || body == contact->body_b;
    }
    c->phases[of->n_phases - 1].last = row - 1;
    c->phases[of->n_phases++] = (SsPlanPhase){row, of->n_rows - 1, force, of->t[row] - before, of->t[row] + window};
  }
}

SsStatus
ss_plan_contact_new (const SsScene *scene, const SsTrajectory *plan, const SsPlanLqrWeights *weights,
                     SsRunControl *control, SsPlanContact **out, SsError *err)
{
  SS_ASSERT (scene != NULL && plan != NULL && out != NULL);
  SsPlanContact *c = ss_new (SsPlanContact);

  *out = NULL;
  if (c == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  c->scene = scene;
  SsStatus status = ss_plan_lqr_contacts_new (scene, plan, weights, control, &c->lqr, err);
  if (status == SS_ERR_INVALID) { /* too many coordinates, or steps that are far from linear */
    if (err != NULL)
      *err = (SsError){0};
    status = ss_plan_lqr_new (scene, plan, weights, control, &c->lqr, err);
  }
  const bool is_made = status == SS_OK && c->lqr != NULL;
  if (is_made)
    status = fill_table (c, plan, err);
  if (!is_made || status != SS_OK) {
    ss_plan_contact_free (c);
    return status;
  }
  find_phases (c);
  *out = c;
  return SS_OK;
}

void
ss_plan_contact_free (SsPlanContact *c)
{
  if (c == NULL)
    return;
  ss_plan_lqr_free (c->lqr);
  ss_free (c->block);
  ss_free (c->phases);
  ss_free (c->is_struck);
  ss_free (c);
}

/* ---- acting ------------------------------------------------------------------------------------------------------ */

static double
value_of (const SsPlanContact *c, const double *values, int force)
{
  return values[SS_SIM_N_CONTACT_VALUES * ss_plan_lqr_force (c->lqr, force) +
                (force % 2 == 0 ? SS_SIM_LAMBDA_N : SS_SIM_LAMBDA_T)];
}

static void
find_phase (SsPlanContact *c, double t, const double *values)
{
  if (t < c->t_last)
    c->phase = 0;
  c->t_last = t;
  for (int p = c->phase + 1; p < c->table.n_phases && t >= c->phases[p].from; p++)
    if (t >= c->phases[p].until || (values != NULL && value_of (c, values, c->phases[p].closing) > c->table.least))
      c->phase = p;
}

/* The last row that is not after t, where a millionth of a step is rounding of t; *is_at: it is at t, not between. */
static int
row_at (const SsPlanContactTable *of, double t, bool *is_at)
{
  int low = 0, high = of->n_rows - 1;

  while (low < high) {
    const int middle = (low + high + 1) / 2;

    if (of->t[middle] - 1e-6 * (of->t[middle] - of->t[middle - 1]) <= t)
      low = middle;
    else
      high = middle - 1;
  }
  *is_at = low == of->n_rows - 1 || t <= of->t[low] + 1e-6 * (of->t[low + 1] - of->t[low]);
  return low;
}

/* The plan's state at t, in the phase: `row` is that of row_at. */
static double
reference (const SsPlanContact *c, double t, int row, int state)
{
  const SsPlanContactTable *of = &c->table;
  const SsPlanPhase *phase = &c->phases[c->phase];
  const int n = of->n_states;
  int from = row;

  if (row < phase->first && of->is_struck[c->phase * n + state])
    from = phase->first;
  else if (row >= phase->last && c->phase + 1 < of->n_phases && of->is_struck[(c->phase + 1) * n + state])
    from = phase->last;
  else {
    const double *x = of->x + row * n + state;
    const double part = row + 1 < of->n_rows ? fmax (0, (t - of->t[row]) / (of->t[row + 1] - of->t[row])) : 0;

    return part > 0 ? x[0] + part * (x[n] - x[0]) : x[0];
  }
  const double *x = of->x + from * n;
  return state < n / 2 ? x[state] + (t - of->t[from]) * x[n / 2 + state] : x[state];
}

const double *
ss_plan_contact_controls (SsPlanContact *c, double t, const double *q, const double *v, const double *values)
{
  SS_ASSERT (c != NULL && q != NULL && v != NULL);
  const SsPlanContactTable *of = &c->table;
  const int n = of->n_states, f = of->n_forces;
  bool is_at;

  find_phase (c, t, values);
  const SsPlanPhase *phase = &c->phases[c->phase];
  const int row = row_at (of, t, &is_at), ended = is_at ? row : row + 1;
  const int k = row < phase->first ? phase->first : row > phase->last ? phase->last : row;
  const int e = ended < phase->first ? phase->first : ended > phase->last ? phase->last : ended;
  for (int i = 0; i < n; i++) {
    const int coordinate = ss_plan_lqr_coordinate (c->lqr, i % (n / 2));

    c->dx[i] = (i < n / 2 ? q : v)[coordinate] - reference (c, t, row, i);
  }
  for (int j = 0; j < f; j++) {
    const double normal = of->lambda[e * f + j - j % 2], most = SS_PLAN_CONTACT_MOST * normal;
    const bool pushes = values != NULL && normal > of->least && value_of (c, values, j - j % 2) > of->least;

    c->dlambda[j] = pushes ? fmin (fmax (value_of (c, values, j) - of->lambda[e * f + j], -most), most) : 0;
  }
  const int step = k < of->n_rows - 1 ? k : k - 1;
  for (int a = 0; a < of->n_controls; a++) {
    const SsActuator *actuator = &c->scene->actuators[a];
    const double wanted = of->u[k * of->n_controls + a] - ss_dot (n, ss_plan_lqr_gain (c->lqr, step) + a * n, c->dx) -
                          ss_dot (f, ss_plan_lqr_force_gain (c->lqr, step) + a * f, c->dlambda);

    c->controls[a] = fmin (fmax (wanted, actuator->lower), actuator->upper);
  }
  return c->controls;
}

const SsPlanContactTable *
ss_plan_contact_table (const SsPlanContact *c)
{
  return &c->table;
}

const SsPlanLqr *
ss_plan_contact_lqr (const SsPlanContact *c)
{
  return c->lqr;
}

int
ss_plan_contact_phase (const SsPlanContact *c)
{
  return c->phase;
}
