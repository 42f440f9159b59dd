/* engine/contact/ss-step-law.c: see ss-contact-problem.h, ss_contact_problem_law_residual.
 *
 * Impulses of the active points form a cone: per point the edges Jn' +- mu Jt' where it sticks, the one edge against
 * the slip where it slides; joint rows in both signs. The change of momentum of the step, M (v - vf), must lie in it.
 * Its projection onto the cone, min |M^-1/2 (M (v - vf) - A p)|^2 over p >= 0, is the LCP with matrix A' M^-1 A and
 * vector -A' (v - vf), positive semidefinite, which Lemke's method always solves.
 */
#include "contact/ss-contact-problem.h"

#include <math.h>
#include <string.h>

/* Pivots per generator that are many more than Lemke's method needs. */
enum { PIVOTS_PER_GENERATOR = 50 };

typedef struct {
  int body[2];
  double j[6];
} Generator;

static int
generators_of_point (const SsContactPoint *point, const double *v, double dt, double tolerance, Generator *out)
{
  if (point->drive != SS_DRIVE_NONE) { /* up to its bound, of which the cone knows nothing */
    for (int side = 0; side < 2; side++) {
      out[side] = (Generator){.body = {point->body[0], point->body[1]}};
      for (int k = 0; k < 6; k++)
        out[side].j[k] = (side == 0 ? -1 : 1) * point->jt[k];
    }
    return 2;
  }
  double slip = point->limit < 0 ? ss_contact_point_slip (point, v) : 0;
  int n = 0;
  for (int side = -1; side <= 1; side += 2) {
    double mu = point->limit < 0 ? point->mu : 0;
    if (side > 0 && mu == 0)
      break;
    if (mu > 0 && side * slip * dt > tolerance) /* the impulse is against the slip */
      continue;
    out[n] = (Generator){.body = {point->body[0], point->body[1]}};
    for (int k = 0; k < 6; k++)
      out[n].j[k] = point->jn[k] + side * mu * point->jt[k];
    n++;
  }
  return n;
}

static int
collect_generators (const SsContactProblem *problem, const double *v, double dt, double tolerance, Generator *out)
{
  int n = 0;
  for (int i = 0; i < problem->n_points; i++)
    if (problem->points[i].phi <= tolerance || problem->points[i].drive != SS_DRIVE_NONE)
      n += generators_of_point (&problem->points[i], v, dt, tolerance, out + n);
  for (int i = 0; i < problem->n_rows; i++)
    for (int side = -1; side <= 1; side += 2) {
      const SsRow *row = &problem->rows[i].row;
      out[n] = (Generator){.body = {row->body[0], row->body[1]}};
      for (int k = 0; k < 6; k++)
        out[n].j[k] = side * row->j[k];
      n++;
    }
  return n;
}

/* dv -= M^-1 A p for the impulses nearest to it. */
static SsStatus
project (const SsContactProblem *problem, const Generator *generators, int n, double *dv, SsError *err)
{
  SsLcpResult lcp;
  SsLemke *lemke = NULL;
  double *matrix = ss_new_array (double, (size_t)n *(size_t)n + 1), *q = ss_new_array (double, n + 1);
  double *p = ss_new_array (double, n + 1);
  SsStatus status = matrix != NULL && q != NULL && p != NULL
                        ? ss_lemke_new (n, &lemke, err)
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory to check a step");
  if (status != SS_OK)
    goto done;
  for (int r = 0; r < n; r++) {
    for (int s = 0; s < n; s++)
      matrix[r + (size_t)s * (size_t)n] =
          ss_contact_coupling (problem, generators[r].body, generators[r].j, generators[s].body, generators[s].j);
    for (int k = 0; k < 6; k++)
      if (generators[r].body[k / 3] >= 0)
        q[r] -= generators[r].j[k] * dv[3 * generators[r].body[k / 3] + k % 3];
  }
  status = ss_lemke_solve (lemke, n, matrix, n, q, PIVOTS_PER_GENERATOR * (n + 1), p, &lcp, err);
  if (status != SS_OK)
    goto done;
  for (int r = 0; r < n; r++)
    for (int k = 0; k < 6; k++)
      if (generators[r].body[k / 3] >= 0) {
        int i = 3 * generators[r].body[k / 3] + k % 3;
        dv[i] -= problem->inverse_mass[i] * generators[r].j[k] * p[r];
      }

done:
  ss_lemke_free (lemke);
  ss_free (matrix);
  ss_free (q);
  ss_free (p);
  return status;
}

SsStatus
ss_contact_problem_law_residual (SsContactProblem *problem, const double *v_free, double dt, const double *q,
                                 const double *v, double tolerance, double *residual, SsError *err)
{
  SS_ASSERT (problem != NULL && v_free != NULL && q != NULL && v != NULL && residual != NULL);
  SS_ASSERT (dt > 0 && tolerance >= 0);

  int n_coordinates = 3 * problem->scene->n_bodies;
  double worst = 0;
  SsStatus status = ss_contact_problem_collect (problem, q, v, tolerance, tolerance, err);
  if (status != SS_OK)
    return status;
  Generator *generators = ss_new_array (Generator, 2 * ((size_t)problem->n_points + (size_t)problem->n_rows) + 1);
  double *dv = ss_new_array (double, n_coordinates + 1);
  if (generators == NULL || dv == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory to check a step");
    goto done;
  }
  for (int i = 0; i < problem->n_points; i++)
    worst = fmax (worst, -problem->points[i].phi);
  for (int i = 0; i < problem->n_rows; i++)
    worst = fmax (worst, fabs (problem->rows[i].row.phi));
  for (int i = 0; i < n_coordinates; i++)
    dv[i] = problem->inverse_mass[i] > 0 ? v[i] - v_free[i] : 0;
  status = project (problem, generators, collect_generators (problem, v, dt, tolerance, generators), dv, err);
  for (int i = 0; i < n_coordinates; i++)
    worst = fmax (worst, dt * fabs (dv[i]));
  if (status == SS_OK)
    *residual = worst;

done:
  ss_free (generators);
  ss_free (dv);
  return status;
}
