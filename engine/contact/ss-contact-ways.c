/* engine/contact/ss-contact-ways.c: which method solves a large contact problem: those that cost little first.
 *
 *   nothing   where the impulses of the last solve solve this one, too: what rests
 *   newton    from the states of the last solve (ss-contact-clamp.c)
 *   interior  the interior point method (ss-contact-interior.c), finished by newton: most of what moves
 *   curve     its central path through its turns (ss-contact-curve.c), finished by newton: the rest
 *   convex    the fixed points of ss-contact-convex.c, and newton from there
 *   path      the paths of ss-contact-clamp.c: they change one state at a time; from relaxed impulses at last
 * Points that have a least impulse have no interior point here: convex and path are for them. Each answer is judged by
 * the natural residual of the law; the best is what is left.
 */
#include "contact/ss-contact-newton-private.h"

#include <math.h>
#include <string.h>

/* The residual that needs no other method, relative to the largest speed of the problem. */
static const double residual_accepted = 1e-10;
/* It is never more than this [m/s]: half of what every step promises. */
static const double residual_most = 5e-9;
/* Speed of the interior point's start, in parts of the largest one of the problem: much smaller ones get stuck where
 * one body strikes a heap at rest. The relaxed law, which is monotone, may begin near the last solve's answer. The
 * curve has another way from each start. */
static const double start_speed = 0.5, warm_speed = 0.01, curve_starts[] = {0.5, 5, 0.05};
/* Gaps, in squares of the largest speed, at which Newton's method is tried: sooner its states are often wrong, later
 * there is little left to gain; along the curve one more step costs more. */
static const double gaps[] = {1e-12, 1e-15, 1e-18}, curve_gaps[] = {1e-12, 1e-14, 1e-15};
enum {
  N_GAPS = sizeof gaps / sizeof *gaps,
  N_CURVES = sizeof curve_starts / sizeof *curve_starts,
  N_CURVE_GAPS = sizeof curve_gaps / sizeof *curve_gaps,
  RELAXED_MAX = 1
};

typedef struct {
  SsContactNewton *s;
  double scale, accepted;
  double *residual; /* of what is kept */
  int *iterations, *worst;
} Solve;

/* Centres, bounds and velocities of the rows' p, and their residual. */
static double
start_from_impulses (SsContactNewton *s, int *worst)
{
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    row->centre = row->p;
    if (row->kind == ROW_TANGENT)
      row->bound = row->mu * s->rows[row->normal].p;
  }
  double residual = ss_contact_newton_residual (s, worst);
  memcpy (s->v, s->v_end, 3 * (size_t)s->n_bodies * sizeof *s->v);
  return residual;
}

/* The rows' p are kept where they are better than what is kept; else that is taken back. Returns whether it is good
 * enough. */
static bool
keep_better (Solve *solve, double reached, int where)
{
  const bool is_better = reached < *solve->residual;
  for (int i = 0; i < solve->s->n_rows; i++) {
    Row *row = &solve->s->rows[i];
    if (is_better)
      row->kept_p = row->p;
    else
      row->p = row->kept_p;
  }
  if (is_better) {
    *solve->residual = reached;
    *solve->worst = where;
  }
  return *solve->residual <= solve->accepted;
}

static bool
finish (Solve *solve, SsClampEffort effort, double wanted)
{
  double reached;
  int where = -1;
  ss_contact_clamp_solve (solve->s, effort, solve->scale, wanted, &reached, solve->iterations, &where);
  return keep_better (solve, reached, where);
}

static bool
from_states (Solve *solve, SsClampEffort effort)
{
  int where;
  start_from_impulses (solve->s, &where);
  return finish (solve, effort, solve->accepted);
}

static bool
from_inside (Solve *solve)
{
  SsContactNewton *s = solve->s;
  if (!ss_contact_interior_start (s, start_speed * solve->scale))
    return false;
  if (s->n_friction == 0) {
    int where;
    start_from_impulses (s, &where);
    ss_contact_interior_warm (s, warm_speed * solve->scale);
  }
  bool is_near = true;
  for (int k = 0; k < N_GAPS && is_near; k++) {
    is_near = ss_contact_interior_go (s, solve->scale, gaps[k], solve->iterations);
    if (finish (solve, SS_CLAMP_ONCE, solve->accepted))
      return true;
  }
  return false;
}

/* From one start after another: each has another curve. Where states are hard to tell at its end, because many points
 * touch with little more than nothing, Newton's method is tried again from softer terms; last a path from there, which
 * is short. */
static bool
along_curve (Solve *solve)
{
  SsContactNewton *s = solve->s;
  for (int i = 0; i < N_CURVES; i++) {
    if (!ss_contact_interior_start (s, curve_starts[i] * solve->scale))
      return false;
    bool is_near = true;
    for (int k = 0; k < N_CURVE_GAPS && is_near; k++) {
      is_near = ss_contact_curve_follow (s, solve->scale, curve_gaps[k], solve->iterations);
      const SsClampEffort effort = is_near && k > 0 ? SS_CLAMP_AGAIN : SS_CLAMP_ONCE;
      if (finish (solve, effort, k > 0 ? residual_most : solve->accepted) || *solve->residual <= residual_most)
        return true;
    }
  }
  ss_contact_interior_begin (s);
  ss_contact_interior_round (s);
  return finish (solve, SS_CLAMP_PATH, residual_most) || *solve->residual <= residual_most;
}

static bool
from_fixed_points (Solve *solve)
{
  double reached;
  int where = -1;
  start_from_impulses (solve->s, &where);
  ss_contact_newton_iterate (solve->s, solve->scale, &reached, solve->iterations, &where);
  return keep_better (solve, reached, where) || from_states (solve, SS_CLAMP_ONCE);
}

static bool
by_paths (Solve *solve)
{
  SsContactNewton *s = solve->s;
  int where;
  if (from_states (solve, SS_CLAMP_PATH))
    return true;
  for (int k = 0; k<RELAXED_MAX && * solve->residual> residual_most; k++) {
    start_from_impulses (s, &where);
    ss_contact_newton_relax (s, solve->scale);
    from_states (solve, SS_CLAMP_PATH);
  }
  return *solve->residual <= residual_most;
}

void
ss_contact_newton_solve_rows (SsContactNewton *s, double scale, double *residual, int *iterations, int *worst)
{
  SS_ASSERT (s != NULL && residual != NULL);

  Solve solve = {s, scale, fmin (residual_accepted * scale, residual_most), residual, iterations, worst};
  int where = -1;
  double reached = start_from_impulses (s, &where);
  *residual = INFINITY;
  s->n_lifts = 0;
  keep_better (&solve, reached, where);
  if (reached <= ss_contact_residual_wanted * scale || from_states (&solve, SS_CLAMP_ONCE) || from_inside (&solve) ||
      along_curve (&solve) || from_fixed_points (&solve))
    return;
  by_paths (&solve);
}

void
ss_contact_newton_solve_by (SsContactNewton *s, SsContactWay way, double scale, double wanted, double *residual,
                            int *iterations, int *worst)
{
  SS_ASSERT (s != NULL && residual != NULL);

  Solve solve = {s, scale, wanted, residual, iterations, worst};
  int where = -1;
  *residual = INFINITY;
  s->n_lifts = 0;
  s->is_told_to_end = false;
  if (keep_better (&solve, start_from_impulses (s, &where), where))
    return;
  switch (way) {
  case SS_CONTACT_WAY_NEWTON:
    if (!from_states (&solve, SS_CLAMP_ONCE))
      from_fixed_points (&solve);
    break;
  case SS_CONTACT_WAY_INTERIOR:
    if (!from_inside (&solve))
      along_curve (&solve);
    break;
  case SS_CONTACT_WAY_PATH:
    if (!from_states (&solve, SS_CLAMP_PATH))
      by_paths (&solve);
    break;
  }
}
