/* engine/contact/ss-contact-ways.c: which method solves a large contact problem: those that cost little first.
 *
 *   nothing   where the impulses of the last solve solve this one, too: what rests
 *   newton    from the states of the last solve (ss-contact-clamp.c)
 *   interior  from a few starts (ss-contact-interior.c), each finished by newton: most of what moves
 *   held      the same from answers with friction bounds held, where the central path of Coulomb's law turns; at last
 *             from relaxed impulses
 *   convex    the fixed points of ss-contact-convex.c, and newton from there
 *   path      the paths of ss-contact-clamp.c, from where the interior point got stuck: they arrive, but they change
 *             one state at a time
 *   relaxed   paths in other directions from relaxed impulses
 * Points that give way or have a least impulse have no interior point here. Each answer is judged by the natural
 * residual of the law; the best is what is left.
 */
#include "contact/ss-contact-newton-private.h"

#include <math.h>
#include <string.h>

/* The residual that needs no other method, relative to the largest speed of the problem. */
static const double residual_accepted = 1e-10;
/* It is never more than this [m/s]: half of what every step promises. */
static const double residual_most = 5e-9;
/* Interior point: speeds of the starts, in parts of the largest one of the problem (much smaller ones get stuck where
 * one body strikes a heap at rest), and gaps, in its squares, at which Newton's method is tried: sooner its states are
 * often wrong, later there is little left to gain. */
static const double starts[] = {0.5, 5, 0.05, 0.5}, gaps[] = {1e-12, 1e-15, 1e-18};
/* Bounds are held at no less than this part of the largest speed: an interior needs room. */
static const double bound_least = 1e-6;
/* From the answer with bounds held the interior point goes on with Coulomb's law at speeds of this part of the largest
 * one, another one in each round. Half of what gets stuck is solved so; later rounds solve no more. */
static const double recentred_to[] = {1e-2, 1e-3, 1e-1, 1e-2};
enum {
  N_STARTS = sizeof starts / sizeof *starts,
  N_GAPS = sizeof gaps / sizeof *gaps,
  HELD_ROUNDS = sizeof recentred_to / sizeof *recentred_to,
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
finish (Solve *solve, bool by_path)
{
  double reached;
  int where = -1;
  ss_contact_clamp_solve (solve->s, by_path, solve->scale, solve->accepted, &reached, solve->iterations, &where);
  return keep_better (solve, reached, where);
}

static bool
from_states (Solve *solve, bool by_path)
{
  int where;
  start_from_impulses (solve->s, &where);
  return finish (solve, by_path);
}

static bool
from_inside (Solve *solve)
{
  for (int i = 0; i < N_STARTS; i++) {
    if (!ss_contact_interior_start (solve->s, starts[i] * solve->scale, i))
      return false;
    bool is_near = true;
    for (int k = 0; k < N_GAPS && is_near; k++) {
      is_near = ss_contact_interior_go (solve->s, solve->scale, gaps[k], false, solve->iterations);
      if (finish (solve, false))
        return true;
    }
  }
  return false;
}

/* Bounds of the normal impulses as they are. */
static void
set_bounds (SsContactNewton *s, double least_speed)
{
  for (int i = 0; i < s->n_rows; i++) {
    Row *row = &s->rows[i];
    if (row->kind == ROW_TANGENT)
      row->bound = fmax (row->mu * s->rows[row->normal].p, least_speed / s->rows[row->normal].w);
  }
}

static bool
with_bounds_held (Solve *solve)
{
  SsContactNewton *s = solve->s;
  int where;
  if (s->n_friction == 0 || !ss_contact_interior_start (s, starts[0] * solve->scale, 0))
    return false;
  ss_contact_interior_go (s, solve->scale, gaps[0], false, solve->iterations);
  for (int k = 0; k < HELD_ROUNDS; k++) {
    set_bounds (s, bound_least * solve->scale);
    ss_contact_interior_start (s, starts[0] * solve->scale, 0);
    ss_contact_interior_go (s, solve->scale, gaps[0], true, solve->iterations);
    ss_contact_interior_recentre (s, recentred_to[k] * solve->scale);
    ss_contact_interior_go (s, solve->scale, gaps[0], false, solve->iterations);
    if (finish (solve, false))
      return true;
  }
  set_bounds (s, 0);
  for (int i = 0; i < s->n_rows; i++)
    if (s->rows[i].kind == ROW_TANGENT)
      s->rows[i].p = fmin (fmax (s->rows[i].p, -s->rows[i].bound), s->rows[i].bound);
  start_from_impulses (s, &where);
  ss_contact_newton_relax (s, solve->scale);
  return from_states (solve, false);
}

static bool
from_fixed_points (Solve *solve)
{
  double reached;
  int where = -1;
  start_from_impulses (solve->s, &where);
  ss_contact_newton_iterate (solve->s, solve->scale, &reached, solve->iterations, &where);
  return keep_better (solve, reached, where) || from_states (solve, false);
}

static bool
by_paths (Solve *solve)
{
  SsContactNewton *s = solve->s;
  int where;
  start_from_impulses (s, &where);
  if (ss_contact_interior_start (s, starts[0] * solve->scale, 0))
    ss_contact_interior_go (s, solve->scale, gaps[0], false, solve->iterations);
  if (finish (solve, true))
    return true;
  for (int k = 0; k<RELAXED_MAX && * solve->residual> residual_most; k++) {
    start_from_impulses (s, &where);
    ss_contact_newton_relax (s, solve->scale);
    from_states (solve, true);
  }
  return *solve->residual <= residual_most;
}

void
ss_contact_newton_solve_rows (SsContactNewton *s, double scale, double *residual, int *iterations, int *worst)
{
  Solve solve = {s, scale, fmin (residual_accepted * scale, residual_most), residual, iterations, worst};
  int where = -1;
  double reached = start_from_impulses (s, &where);
  *residual = INFINITY;
  s->n_lifts = 0;
  keep_better (&solve, reached, where);
  if (reached <= ss_contact_residual_wanted * scale || from_states (&solve, false) || from_inside (&solve) ||
      with_bounds_held (&solve) || from_fixed_points (&solve))
    return;
  by_paths (&solve);
}
