/* engine/contact/ss-contact-second.c: a second solution of a large island, and whether it is held up without friction;
 * see ss-contact-certainty.h. */
#include "contact/ss-contact-certainty-private.h"

#include "core/ss-random.h"

#include <math.h>
#include <string.h>

/* Starts of the search; sweeps of Gauss-Seidel from each, which are to leave the first solution's neighbourhood, not to
 * arrive. */
enum { FROM_NOTHING, FROM_NOTHING_BACKWARDS, FROM_MIRRORED, FROM_DRAWN, N_STARTS, SWEEPS = 60, SEED = 26 };
/* Of larger islands a solution may take seconds from a strange start. */
enum { SEARCHED_POINTS = 64 };
/* Of the island's fastest row: residual and slip of what rests without friction. */
static const double rests = 1e-9;

static double
normal_rate (const SsContactPoint *p, const double *v)
{
  return ss_contact_point_normal_velocity (p, v) + p->bias + p->compliance * p->pn;
}

static double
slip_rate (const SsContactPoint *p, const double *v)
{
  return ss_contact_point_slip (p, v) + p->bias_t + p->compliance_t * p->pt;
}

/* Mobility along a row. */
static double
mobility (const SsContactProblem *problem, const int body[2], const double *row, double compliance)
{
  const double w = ss_contact_coupling (problem, body, row, body, row) + compliance;
  return w > 0 ? w : 1;
}

static double
next_normal (const SsContactProblem *problem, const SsContactPoint *p, const double *v)
{
  return fmax (p->pn - normal_rate (p, v) / mobility (problem, p->body, p->jn, p->compliance), p->pn_least);
}

static double
next_tangent (const SsContactProblem *problem, const SsContactPoint *p, const double *v)
{
  const double bound = ss_island_bound (problem, p);
  const double y = p->pt - slip_rate (p, v) / mobility (problem, p->body, p->jt, p->compliance_t);
  return fmin (fmax (y, -bound), bound);
}

double
ss_island_residual (const SsContactProblem *problem, const SsIsland *island, const double *v)
{
  SS_ASSERT (island != NULL);

  double largest = 0;
  for (int i = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    if (ss_island_has_normal (p))
      largest = fmax (largest,
                      mobility (problem, p->body, p->jn, p->compliance) * fabs (p->pn - next_normal (problem, p, v)));
    if (p->mu > 0)
      largest = fmax (largest, mobility (problem, p->body, p->jt, p->compliance_t) *
                                   fabs (p->pt - next_tangent (problem, p, v)));
  }
  for (int i = 0; i < island->n_rows; i++) {
    const SsJointConstraint *c = &problem->rows[island->rows[i]];
    largest = fmax (largest, fabs (ss_row_velocity (&c->row, v) + c->bias + c->compliance * c->p));
  }
  return largest;
}

void
ss_island_velocities (const SsContactProblem *problem, const SsIsland *island, const double *v_free, double *v)
{
  SS_ASSERT (island != NULL);
  for (int i = 0; i < island->n_points + island->n_rows; i++) {
    const int *body = i < island->n_points ? problem->points[island->points[i]].body
                                           : problem->rows[island->rows[i - island->n_points]].row.body;
    for (int side = 0; side < 2; side++)
      if (body[side] >= 0)
        memcpy (v + 3 * body[side], v_free + 3 * body[side], 3 * sizeof *v);
  }
  for (int i = 0; i < island->n_points; i++)
    ss_contact_problem_push (problem, &problem->points[island->points[i]], v);
  for (int i = 0; i < island->n_rows; i++)
    ss_contact_problem_push_row (problem, &problem->rows[island->rows[i]].row, problem->rows[island->rows[i]].p, v);
}

double
ss_island_apart (const SsContactProblem *problem, const SsIsland *island, const double *v_a, const double *v_b)
{
  SS_ASSERT (island != NULL);

  double most = 0;
  for (int i = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    most = fmax (most, fabs (ss_contact_point_normal_velocity (p, v_a) - ss_contact_point_normal_velocity (p, v_b)));
    most = fmax (most, fabs (ss_contact_point_slip (p, v_a) - ss_contact_point_slip (p, v_b)));
  }
  return most;
}

/* ---- the large solver -------------------------------------------------------------------------------------------- */

/* The large solver has one tangent a normal. */
static bool
has_rolling (const SsContactProblem *problem, const SsIsland *island)
{
  for (int i = 0; i < island->n_points; i++)
    if (problem->points[island->points[i]].drive == SS_DRIVE_ROLLING)
      return true;
  return false;
}

static SsStatus
solve_from_there (SsContactProblem *problem, const SsIsland *island, const double *v_free, double *v, double *residual,
                  SsError *err)
{
  int iterations = 0, worst = -1;
  bool is_solved;
  SsStatus status = ss_contact_newton_solve (problem->newton, problem, island->points, island->n_points, island->rows,
                                             island->n_rows, v_free, residual, &iterations, &is_solved, &worst, err);
  if (status == SS_OK)
    ss_island_velocities (problem, island, v_free, v);
  return status;
}

SsStatus
ss_island_is_supported (SsContactProblem *problem, const SsIsland *island, const double *v_free, double *v, double *mu,
                        bool *is, SsError *err)
{
  SS_ASSERT (problem != NULL && island != NULL && v_free != NULL && v != NULL && mu != NULL && is != NULL);

  double residual = INFINITY;
  *is = false;
  if (has_rolling (problem, island))
    return SS_OK;
  for (int i = 0; i < island->n_points; i++) {
    SsContactPoint *p = &problem->points[island->points[i]];
    if (!ss_island_has_normal (p))
      continue;
    mu[i] = p->mu;
    p->mu = p->pt = 0;
  }
  SsStatus status = solve_from_there (problem, island, v_free, v, &residual, err);
  *is = status == SS_OK && residual <= rests * island->scale;
  for (int i = 0; i < island->n_points; i++) {
    SsContactPoint *p = &problem->points[island->points[i]];
    if (!ss_island_has_normal (p))
      continue;
    p->mu = mu[i];
    *is = *is && (p->mu == 0 || fabs (slip_rate (p, v)) <= rests * island->scale);
  }
  return status;
}

static void
start_from (SsContactProblem *problem, const SsIsland *island, int attempt)
{
  SsRandom random;
  double largest = 0;
  ss_random_seed (&random, SEED);
  for (int i = 0; i < island->n_points; i++)
    largest = fmax (largest, problem->points[island->points[i]].pn);
  for (int i = 0; i < island->n_points; i++) {
    SsContactPoint *p = &problem->points[island->points[i]];
    const bool has_normal = ss_island_has_normal (p);
    if (attempt == FROM_MIRRORED) {
      p->pt = -p->pt;
    } else if (attempt == FROM_DRAWN) {
      const double pn = ss_random_between (&random, 0, 2), pt = ss_random_between (&random, -1, 1);
      if (has_normal)
        p->pn = p->pn_least + pn * largest;
      p->pt = pt * p->mu * p->pn;
    } else {
      if (has_normal)
        p->pn = p->pn_least;
      p->pt = 0;
    }
  }
}

static void
sweep (SsContactProblem *problem, const SsIsland *island, bool is_backwards, double *v)
{
  for (int i = 0; i < island->n_rows; i++) {
    SsJointConstraint *c = &problem->rows[island->rows[i]];
    const double w = mobility (problem, c->row.body, c->row.j, c->compliance);
    const double dp = -(ss_row_velocity (&c->row, v) + c->bias + c->compliance * c->p) / w;
    c->p += dp;
    ss_contact_problem_push_row (problem, &c->row, dp, v);
  }
  for (int k = 0; k < island->n_points; k++) {
    SsContactPoint *p = &problem->points[island->points[is_backwards ? island->n_points - 1 - k : k]];
    SsContactPoint change = *p;
    const double pn = p->pn, pt = p->pt;
    if (ss_island_has_normal (p))
      p->pn = next_normal (problem, p, v);
    change.pn = p->pn - pn;
    change.pt = 0;
    ss_contact_problem_push (problem, &change, v);
    if (p->mu > 0)
      p->pt = next_tangent (problem, p, v);
    change.pn = 0;
    change.pt = p->pt - pt;
    ss_contact_problem_push (problem, &change, v);
  }
}

SsStatus
ss_island_search (SsContactProblem *problem, const SsIsland *island, int attempt, const double *v_free, double *v,
                  bool *is_any, SsError *err)
{
  SS_ASSERT (problem != NULL && island != NULL && v_free != NULL && v != NULL && is_any != NULL);

  double residual;
  *is_any = attempt < N_STARTS && island->n_points <= SEARCHED_POINTS && !has_rolling (problem, island);
  if (!*is_any)
    return SS_OK;
  start_from (problem, island, attempt);
  ss_island_velocities (problem, island, v_free, v);
  for (int k = 0; k < SWEEPS; k++)
    sweep (problem, island, attempt == FROM_NOTHING_BACKWARDS, v);
  return solve_from_there (problem, island, v_free, v, &residual, err);
}
