/* engine/dynamics/ss-hand.c: see the header. */
#include "dynamics/ss-hand.h"

#include "core/ss-memory.h"
#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* Of the mean diagonal entry, added to all: actuators and joints may do the same as others. */
static const double RIDGE = 1e-10;
/* Less of the hand's acceleration than this, and the body counts as not driven. */
static const double LEAST_DRIVEN = 0.05;

struct SsHand {
  const SsScene *scene;
  SsDynamics *dynamics;
  int n, m; /* coordinates, unknowns: controls, then rows of joints */
  SsRow *rows;
  double *columns; /* m x n: what each unknown does, times the roots of the inverse masses */
  double *base, *force, *probe, *w;
  double *normal, *z; /* m x m, m */
};

void
ss_hand_free (SsHand *hand)
{
  if (hand == NULL)
    return;
  ss_dynamics_free (hand->dynamics);
  ss_free (hand->rows);
  ss_free (hand->columns);
  ss_free (hand->base);
  ss_free (hand->force);
  ss_free (hand->probe);
  ss_free (hand->w);
  ss_free (hand->normal);
  ss_free (hand->z);
  ss_free (hand);
}

SsStatus
ss_hand_new (const SsScene *scene, SsHand **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);
  SsHand *hand = ss_new (SsHand);
  SsStatus status = SS_OK;

  *out = NULL;
  if (hand == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  const size_t n = 3 * (size_t)scene->n_bodies,
               m = (size_t)scene->n_actuators + SS_JOINT_ROWS_MAX * (size_t)scene->n_joints;
  hand->scene = scene;
  hand->n = (int)n;
  hand->rows = ss_new_array (SsRow, SS_JOINT_ROWS_MAX * (size_t)scene->n_joints + 1);
  hand->columns = ss_new_array (double, m *n + 1);
  hand->base = ss_new_array (double, n + 1);
  hand->force = ss_new_array (double, n + 1);
  hand->w = ss_new_array (double, n + 1);
  hand->probe = ss_new_array (double, (size_t)scene->n_actuators + 1);
  hand->normal = ss_new_array (double, m *m + 1);
  hand->z = ss_new_array (double, m + 1);
  if (hand->rows == NULL || hand->columns == NULL || hand->base == NULL || hand->force == NULL || hand->w == NULL ||
      hand->probe == NULL || hand->normal == NULL || hand->z == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK)
    status = ss_dynamics_new (scene, &hand->dynamics, err);
  if (status != SS_OK) {
    ss_hand_free (hand);
    return status;
  }
  *out = hand;
  return SS_OK;
}

/* A value within the bounds and away from what 0 becomes there. */
static double
probe_value (const SsActuator *actuator, double at_zero)
{
  const double up = fmin (actuator->upper, at_zero + 1);

  return up > at_zero ? up : fmax (actuator->lower, at_zero - 1);
}

/* What a control of one does to each coordinate. */
static void
fill_actuator (SsHand *hand, int actuator, double t, const double *q, const double *v, double *column)
{
  const double *inverse_mass = ss_dynamics_inverse_mass (hand->dynamics);
  const SsActuator *a = &hand->scene->actuators[actuator];
  const double at_zero = fmin (fmax (0, a->lower), a->upper), value = probe_value (a, at_zero);

  hand->probe[actuator] = value;
  ss_dynamics_forces (hand->dynamics, SS_FORCE_ACTUATORS, t, q, v, hand->probe, hand->force);
  hand->probe[actuator] = at_zero;
  for (int i = 0; i < hand->n; i++)
    column[i] = value != at_zero ? sqrt (inverse_mass[i]) * (hand->force[i] - hand->base[i]) / (value - at_zero) : 0;
}

static void
fill_row (SsHand *hand, const SsRow *row, double *column)
{
  const double *inverse_mass = ss_dynamics_inverse_mass (hand->dynamics);

  memset (column, 0, (size_t)hand->n * sizeof *column);
  for (int side = 0; side < 2; side++)
    for (int c = 0; c < 3 && row->body[side] >= 0; c++) {
      const int i = 3 * row->body[side] + c;
      column[i] += sqrt (inverse_mass[i]) * row->j[3 * side + c];
    }
}

/* The unknowns' columns at this state. */
static void
fill_columns (SsHand *hand, double t, const double *q, const double *v)
{
  const int n_u = hand->scene->n_actuators, n_rows = ss_dynamics_joint_rows (hand->dynamics, q, v, hand->rows);

  for (int i = 0; i < n_u; i++)
    hand->probe[i] = fmin (fmax (0, hand->scene->actuators[i].lower), hand->scene->actuators[i].upper);
  ss_dynamics_forces (hand->dynamics, SS_FORCE_ACTUATORS, t, q, v, hand->probe, hand->base);
  for (int i = 0; i < n_u; i++)
    fill_actuator (hand, i, t, q, v, hand->columns + (size_t)i * (size_t)hand->n);
  for (int i = 0; i < n_rows; i++)
    fill_row (hand, &hand->rows[i], hand->columns + (size_t)(n_u + i) * (size_t)hand->n);
  hand->m = n_u + n_rows;
}

/* The least squares over the unknowns from `first` on, into z; what they leave of w, over the length of w. */
static double
solve (SsHand *hand, int first)
{
  const int n = hand->n, m = hand->m - first;
  const double *columns = hand->columns + (size_t)first * (size_t)n;
  double trace = 0, rest = 0;

  for (int i = 0; i < m; i++) {
    for (int k = 0; k < m; k++)
      hand->normal[(size_t)i * (size_t)m + (size_t)k] =
          ss_dot (n, columns + (size_t)i * (size_t)n, columns + (size_t)k * (size_t)n);
    trace += hand->normal[(size_t)i * (size_t)m + (size_t)i];
    hand->z[i] = ss_dot (n, columns + (size_t)i * (size_t)n, hand->w);
  }
  for (int i = 0; i < m; i++)
    hand->normal[(size_t)i * (size_t)m + (size_t)i] += RIDGE * trace / m;
  if (m > 0 && trace > 0 && ss_dense_cholesky (m, hand->normal, m) == SS_OK)
    ss_dense_cholesky_solve (m, hand->normal, m, hand->z);
  else
    memset (hand->z, 0, (size_t)m * sizeof *hand->z);
  for (int i = 0; i < n; i++) {
    double left = hand->w[i];
    for (int k = 0; k < m; k++)
      left -= hand->z[k] * columns[(size_t)k * (size_t)n + (size_t)i];
    rest += left * left;
  }
  return sqrt (rest);
}

bool
ss_hand_pull (SsHand *hand, double t, const double *q, const double *v, int body, SsVec2 point, SsVec2 force, double *u)
{
  SS_ASSERT (hand != NULL && body >= 0 && body < hand->scene->n_bodies && u != NULL);
  const double *inverse_mass = ss_dynamics_inverse_mass (hand->dynamics);
  const double c = cos (q[3 * body + 2]), s = sin (q[3 * body + 2]);
  const SsVec2 r = {c * point.x - s * point.y, s * point.x + c * point.y};
  const double w[3] = {force.x, force.y, r.x * force.y - r.y * force.x};
  const int n_u = hand->scene->n_actuators;

  if (n_u == 0)
    return false;
  memset (hand->w, 0, (size_t)hand->n * sizeof *hand->w);
  for (int i = 0; i < 3; i++)
    hand->w[3 * body + i] = sqrt (inverse_mass[3 * body + i]) * w[i];
  fill_columns (hand, t, q, v);
  /* what joints leave of the hand's acceleration is what it would do; what they and the actuators leave is missing */
  const double wanted = solve (hand, n_u), missing = solve (hand, 0);
  if (!(wanted - missing > LEAST_DRIVEN * wanted))
    return wanted == 0;
  for (int i = 0; i < n_u; i++) {
    const SsActuator *a = &hand->scene->actuators[i];
    u[i] = fmin (fmax (u[i] + hand->z[i], a->lower), a->upper);
  }
  return true;
}
