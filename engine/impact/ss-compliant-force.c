/* engine/impact/ss-compliant-force.c: accelerations of a compliant study and their derivatives. */
#include "impact/ss-compliant-private.h"

#include "impact/ss-impact-joints-private.h"
#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* Gaps beyond this count as no contact [m]. */
static const double band = 0.1;

/* Row of a contact or joint on the coordinates that answer to forces. */
static void
spread (const SsCompliant *study, const int body[2], const double *j, double *row)
{
  memset (row, 0, (size_t)study->n * sizeof *row);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 3 && body[side] >= 0; k++) {
      int i = study->index[3 * body[side] + k];
      if (i >= 0)
        row[i] += j[3 * side + k];
    }
}

static void
place (SsCompliant *study, double t, const double *d, const double *v)
{
  for (int i = 0; i < 3 * study->scene->n_bodies; i++) {
    int k = study->index[i];
    study->q[i] = study->q_start[i] + (k >= 0 ? d[k] : t * study->v_start[i]);
    study->u[i] = k >= 0 ? v[k] : study->v_start[i];
  }
}

/* An orthonormal basis of the joints' rows; `along` (their number, returned): accelerations along it that keep the
 * joints. */
static int
find_joint_space (SsCompliant *study)
{
  int n = study->n, rank = 0;
  for (int i = 0; i < study->problem->n_rows && rank < n; i++) {
    const SsRow *joint = &study->problem->rows[i].row;
    double left;
    spread (study, joint->body, joint->j, study->row);
    if (!ss_joint_basis_add (n, rank, study->basis, study->row, study->parts, &left))
      continue;
    study->along[rank] = (-joint->gdv - ss_dot (rank, study->parts, study->along)) / left;
    rank++;
  }
  return rank;
}

SsStatus
ss_compliant_respond (SsCompliant *study, SsError *err)
{
  SS_ASSERT (study != NULL);

  int n = study->n, rank = find_joint_space (study);
  ss_joint_basis_complete (n, rank, study->basis, study->parts);
  if (ss_joint_response (n, rank, study->basis, study->mass, study->inertia, study->parts, study->response) != SS_OK)
    return ss_error_set (err, SS_ERR_INVALID, "masses and joints leave a motion of the bodies without inertia");
  /* bent = (1 - P M) (accelerations along the joints' rows) */
  memset (study->bent, 0, (size_t)n * sizeof *study->bent);
  for (int i = 0; i < rank; i++)
    ss_axpy (n, study->along[i], study->basis + (size_t)i * (size_t)n, study->bent);
  for (int k = 0; k < n; k++)
    study->parts[k] = -study->mass[k] * study->bent[k];
  for (int c = 0; c < n; c++)
    ss_axpy (n, study->parts[c], study->response + (size_t)c * (size_t)n, study->bent);
  return SS_OK;
}

/* The contact's point in the last collection, or NULL: it is far away. */
static const SsContactPoint *
find_point (const SsCompliant *study, int contact)
{
  for (int i = 0; i < study->problem->n_points; i++) {
    const SsContactPoint *p = &study->problem->points[i];
    if (p->contact == study->contact[contact] && p->memory == study->memory[contact])
      return p;
  }
  return NULL;
}

/* [002 (88)]. */
SsStatus
ss_compliant_collect (SsCompliant *study, double t, const double *d, const double *v, SsCompliantPoint points[2],
                      SsError *err)
{
  SS_ASSERT (study != NULL);
  place (study, t, d, v);
  SsStatus status = ss_contact_problem_collect (study->problem, study->q, study->u, band, -INFINITY, err);
  if (status != SS_OK)
    return status;
  for (int c = 0; c < 2; c++) {
    const SsContactPoint *found = find_point (study, c);
    points[c] = (SsCompliantPoint){.phi = INFINITY, .push = -INFINITY};
    if (found == NULL) {
      memset (study->jn[c], 0, (size_t)study->n * sizeof (double));
      memset (study->jt[c], 0, (size_t)study->n * sizeof (double));
      continue;
    }
    spread (study, found->body, found->jn, study->jn[c]);
    spread (study, found->body, found->jt, study->jt[c]);
    points[c].phi = found->phi;
    points[c].vn = ss_contact_point_normal_velocity (found, study->u);
    points[c].vt = ss_contact_point_slip (found, study->u);
    points[c].push = -study->stiffness[c] * found->phi - study->damping[c] * points[c].vn;
    points[c].normal = found->normal;
  }
  return SS_OK;
}

/* Derivative of a force along `row` whose size has the derivative factor slope'. */
static void
add_derivative (int n, const double *row, const double *slope, double factor, double *jacobian)
{
  for (int c = 0; c < n; c++)
    ss_axpy (n, factor * slope[c], row, jacobian + (size_t)c * (size_t)n);
}

/* Forces of a pressing contact and their derivatives. Beyond the piece the normal force pulls; what sticks loses its
 * friction there, which would otherwise drive it [002 (89)-(90)]. */
static void
press (SsCompliant *study, int c, int slip, SsCompliantPoint *point, double *jd, double *jv)
{
  int n = study->n;
  double epsilon = study->options.slip_speed, k = study->stiffness[c], d = study->damping[c], mu = study->mu[c];
  double unit = slip != 0 ? slip : point->push > 0 ? point->vt / epsilon : 0;
  point->lambda_n = point->push;
  point->lambda_t = -mu * point->lambda_n * unit;
  ss_axpy (n, point->lambda_n, study->jn[c], study->force);
  ss_axpy (n, point->lambda_t, study->jt[c], study->force);
  if (jd == NULL)
    return;
  /* jn + (d lambda_t / d lambda_n) jt, the direction of the force of a unit of lambda_n */
  memcpy (study->parts, study->jn[c], (size_t)n * sizeof (double));
  ss_axpy (n, -mu * unit, study->jt[c], study->parts);
  add_derivative (n, study->parts, study->jn[c], -k, jd);
  add_derivative (n, study->parts, study->jn[c], -d, jv);
  if (slip == 0 && point->push > 0)
    add_derivative (n, study->jt[c], study->jt[c], -mu * point->lambda_n / epsilon, jv);
}

static void
apply_response (SsCompliant *study, const double *force, double *a)
{
  memset (study->parts, 0, (size_t)study->n * sizeof (double));
  for (int c = 0; c < study->n; c++)
    ss_axpy (study->n, force[c], study->response + (size_t)c * (size_t)study->n, study->parts);
  memcpy (a, study->parts, (size_t)study->n * sizeof (double));
}

SsStatus
ss_compliant_evaluate (SsCompliant *study, const SsPieces *pieces, double t, const double *d, const double *v,
                       double *a, double *jd, double *jv, SsCompliantPoint points[2], SsError *err)
{
  SS_ASSERT (study != NULL);

  int n = study->n;
  size_t square = (size_t)n * (size_t)n * sizeof (double);
  SsStatus status = ss_compliant_collect (study, t, d, v, points, err);
  if (status == SS_OK && study->scene->n_joints > 0)
    status = ss_compliant_respond (study, err);
  if (status != SS_OK)
    return status;
  ss_dynamics_forces (study->problem->dynamics, SS_FORCE_ALL, t, study->q, study->u, NULL, study->f);
  for (int k = 0; k < n; k++)
    study->force[k] = study->f[study->coordinate[k]];
  if (jd != NULL) {
    memset (jd, 0, square);
    memset (jv, 0, square);
  }
  for (int c = 0; c < 2; c++)
    if (pieces->piece[c] == SS_PIECE_PRESSING)
      press (study, c, pieces->slip[c], &points[c], jd, jv);
  apply_response (study, study->force, a);
  ss_axpy (n, 1, study->bent, a);
  for (int c = 0; c < n && jd != NULL; c++) {
    apply_response (study, jd + (size_t)c * (size_t)n, jd + (size_t)c * (size_t)n);
    apply_response (study, jv + (size_t)c * (size_t)n, jv + (size_t)c * (size_t)n);
  }
  return SS_OK;
}
