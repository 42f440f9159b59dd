/* engine/plan/ss-replan-ways.c: where a plan is looked for from when standing still led nowhere: a motion in which the
 * bodies that are driven go round others and run into them, from a side that is drawn; see ss-replan.h.
 *
 * A way    three places one after the other, at a third of the horizon each: two around a body, at drawn angles and
 *          just clear of it, and the body itself. An angle or a joint that is driven goes to drawn values.
 * Motion   each drive pulls its coordinate along the way like a critically damped spring, in the plan's own law. It
 *          breaks no row, so any will do as a start; that which comes nearest to the targets on its way tells from
 *          where to push. By how much is the solver's business. */
#include "core/ss-random.h"
#include "geometry/ss-geometry.h"
#include "plan/ss-drive.h"
#include "plan/ss-replan-private.h"

#include <math.h>
#include <string.h>

enum { PLACES = 3, WAYS = 64 };
/* A place around a body is this many radii of both bodies away from it. */
static const double CLEAR = 1.1;
/* Stiffness of a drive times the step over which it holds: a spring that is read so rarely swings up above 1. */
static const double STIFF = 0.5;
static const double TURN = 6.283185307179586;

static double
radius_of (const SsBody *body)
{
  return body->shape.kind == SS_SHAPE_HALF_PLANE ? 0 : ss_shape_radius (&body->shape);
}

/* A body that moves, other than `but` where there is one. */
static int
draw_body (const SsReplan *r, SsRandom *random, int but)
{
  int found = but, n = 0;

  for (int b = 0; b < r->scene.n_bodies; b++)
    if (!r->bodies[b].is_fixed && b != but && ss_random_uniform (random) * ++n < 1)
      found = b;
  return found;
}

/* places[k][i]: of coordinate i of 3 n_bodies; only those of driven bodies are set. */
static void
draw_places (const SsReplan *r, SsRandom *random, const SsDrive *drives, double *places)
{
  const int n_q = 3 * r->scene.n_bodies;

  for (int a = 0; a < r->scene.n_actuators; a++) {
    const int b = drives[a].body;
    bool is_drawn = false;

    for (int before = 0; before < a && !is_drawn; before++)
      is_drawn = drives[before].body == b;
    if (is_drawn)
      continue;
    const SsBody *other = &r->bodies[draw_body (r, random, b)];
    const double away = CLEAR * (radius_of (other) + radius_of (&r->bodies[b]));
    for (int k = 0; k < PLACES; k++) {
      const double angle = ss_random_between (random, 0, TURN), r_k = k < PLACES - 1 ? away : 0;

      places[k * n_q + 3 * b] = other->q[0] + r_k * cos (angle);
      places[k * n_q + 3 * b + 1] = other->q[1] + r_k * sin (angle);
      places[k * n_q + 3 * b + 2] = r->bodies[b].q[2] + ss_random_between (random, -TURN / 2, TURN / 2);
    }
  }
}

/* Where a drive is to be at a part s in [0, 1] of the horizon; `from`: its coordinate now. */
static double
place_at (const SsReplan *r, const SsDrive *d, const double *places, const double *joint_places, double from, double s)
{
  const int n_q = 3 * r->scene.n_bodies, k = (int)fmin (floor (s * PLACES), PLACES - 1);
  double ends[2] = {from, from};

  for (int i = 0; i < 2; i++)
    if (k - 1 + i >= 0)
      ends[i] = d->axis < 3 ? places[(k - 1 + i) * n_q + 3 * d->body + d->axis] : from + joint_places[k - 1 + i];
  return ends[0] + (s * PLACES - k) * (ends[1] - ends[0]);
}

/* How far poses are from the targets, 1: near; NaN: no target is a place. */
static double
off_target (const SsReplan *r, const double *q)
{
  double miss, angle;

  ss_replan_distance (r, q, &miss, &angle);
  return fmax (miss / SS_REPLAN_NEAR, angle / SS_REPLAN_NEAR_ANGLE);
}

typedef struct {
  SsDrive *drives;      /* n_actuators */
  double *places;       /* PLACES x 3 n_bodies */
  double *joint_places; /* n_actuators x PLACES: changes of joints */
  double *q;            /* 3 n_bodies, now */
} Ways;

/* The motion of one way; *nearest: how near to the targets it comes. False: a step fails. */
static bool
follow_way (SsReplan *r, double t, const Ways *w, double *nearest)
{
  const SsSimState *state = ss_replan_begin_motion (r, t);
  const int n_u = r->scene.n_actuators;
  const double stiffness = STIFF / r->h;

  *nearest = INFINITY;
  r->offered.n_rows = r->plan.steps;
  for (int k = 0; k < r->plan.steps; k++)
    r->offered.t[k] = k == 0 ? 0 : t + k * r->h;
  ss_simulation_set_controls (r->simulation, &r->offered);
  for (int k = 0; k < r->plan.steps; k++) {
    for (int a = 0; a < n_u; a++) {
      const SsDrive *d = &w->drives[a];
      const double from = ss_drive_coordinate (&r->scene, d, w->q, w->q, false),
                   at = ss_drive_coordinate (&r->scene, d, w->q, state->q, false),
                   rate = ss_drive_coordinate (&r->scene, d, w->q, state->v, true), part = 1.0 / r->plan.steps,
                   now = place_at (r, d, w->places, w->joint_places + a * PLACES, from, k * part),
                   next = place_at (r, d, w->places, w->joint_places + a * PLACES, from, (k + 1) * part);

      r->offered.u[k * n_u + a] =
          ss_drive_control (d, stiffness, d->sign * d->weight, now - at, (next - now) / r->h - rate);
    }
    if (!ss_replan_step_motion (r))
      return false;
    *nearest = fmin (*nearest, off_target (r, state->q));
  }
  return true;
}

/* Draws ways; x becomes the motion of the one that comes nearest to the targets, where one comes nearer. */
static SsStatus
try_ways (SsReplan *r, double t, Ways *w, SsRunControl *control, double *x, SsError *err)
{
  SsOutcome why;
  SsRandom random;
  SsStatus status = SS_OK;

  ss_random_seed (&random, (uint64_t)r->look);
  for (int i = 0; i < 3 * r->scene.n_bodies; i++)
    w->q[i] = r->bodies[i / 3].q[i % 3];
  for (int a = 0; a < r->scene.n_actuators; a++)
    ss_drive_open (&r->scene, a, w->q, &w->drives[a]);
  double best = off_target (r, w->q);
  for (int i = 0; i < WAYS && status == SS_OK && !ss_run_control_should_stop (control, &why); i++) {
    double nearest;

    draw_places (r, &random, w->drives, w->places);
    for (int a = 0; a < PLACES * r->scene.n_actuators; a++) {
      const SsDrive *d = &w->drives[a / PLACES];
      const bool slides = d->axis == 3 && r->scene.joints[d->actuator->joint].kind == SS_JOINT_SLIDER;

      w->joint_places[a] =
          ss_random_between (&random, -0.5, 0.5) * (slides ? 2 * radius_of (&r->bodies[d->body]) : TURN);
    }
    if (!follow_way (r, t, w, &nearest) || !(nearest < best))
      continue;
    best = nearest;
    status = ss_transcript_guess (r->transcript, &r->scenario, r->motion, x, err);
  }
  return status;
}

SsStatus
ss_replan_find_way (SsReplan *r, double t, SsRunControl *control, double *x, SsError *err)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0);

  const int n_u = r->scene.n_actuators, n_q = 3 * r->scene.n_bodies;
  Ways w = {.drives = ss_new_array (SsDrive, n_u + 1),
            .places = ss_new_array (double, (PLACES + 1) * n_q + PLACES * n_u + 1)};
  SsStatus status = SS_OK;

  r->has_offer = false;
  if (w.drives == NULL || w.places == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  } else {
    w.q = w.places + PLACES * n_q;
    w.joint_places = w.q + n_q;
    status = try_ways (r, t, &w, control, x, err);
  }
  ss_free (w.drives);
  ss_free (w.places);
  return status;
}
