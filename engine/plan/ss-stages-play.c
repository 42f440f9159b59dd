/* engine/plan/ss-stages-play.c: see the header. */
#include "plan/ss-stages-play.h"

#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

/* LCPs a step at most, and the residual of a step that obeys the law: far below what plans may violate rows by. */
enum { RELINEARISATIONS = 50 };
static const double OBEYS = 1e-9;
/* Of the feedback, a step and at most [1/s]. */
static const double STIFF_STEPS = 0.5, STIFF_MOST = 16;
/* Of steering: how fast the body turns to where it is wanted, and back to its way, over its half width; the angle to
 * its way at most [rad]; how near the hand is to the body [radii]. */
static const double STEER = 1, STEER_BACK = 0.4, STEER_MOST = 0.4, STEER_NEAR = 0.3;

int
ss_stage_steps (const SsStage *stage)
{
  SS_ASSERT (stage != NULL);

  int n = 0;

  for (int i = 0; i < stage->n; i++)
    n += stage->phases[i].steps;
  return n;
}

SsStatus
ss_stage_player_open (const SsScenario *scenario, SsStagePlayer *p, SsError *err)
{
  SS_ASSERT (scenario != NULL && p != NULL);

  const SsScene *scene = scenario->scene;

  *p = (SsStagePlayer){.scene = scene, .plan = scenario->task.plan};
  p->n_hands = ss_hands_find (scene, p->hands);
  if (p->n_hands == 0)
    return SS_OK;
  p->h = p->plan->horizon / p->plan->steps;
  ss_stewart_trinkle_suit_plan (&p->options);
  p->options.relinearisations = RELINEARISATIONS;
  p->controls = (SsControls){.n_rows = 1,
                             .n_actuators = scene->n_actuators,
                             .t = ss_new_array (double, 1),
                             .u = ss_new_array (double, scene->n_actuators + 1)};
  p->force = ss_new_array (double, 3 * scene->n_bodies + 1);
  p->scratch = ss_new_array (double, 9 * scene->n_bodies + 1);
  if (p->controls.t == NULL || p->controls.u == NULL || p->force == NULL || p->scratch == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  SsStatus status = ss_dynamics_new (scene, &p->dynamics, err);
  if (status == SS_OK)
    status = ss_simulation_new (scene, &ss_integrator_stewart_trinkle, &p->options, &p->simulation, err);
  if (status != SS_OK)
    return status;
  ss_simulation_set_controls (p->simulation, &p->controls);
  p->n_channels = ss_simulation_n_channels (p->simulation);
  p->row = ss_new_array (double, p->n_channels + 1);
  return p->row != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
}

void
ss_stage_player_clear (SsStagePlayer *p)
{
  SS_ASSERT (p != NULL);
  ss_simulation_free (p->simulation);
  ss_dynamics_free (p->dynamics);
  ss_free (p->controls.t);
  ss_free (p->controls.u);
  ss_free (p->force);
  ss_free (p->row);
  ss_free (p->scratch);
  *p = (SsStagePlayer){0};
}

SsStatus
ss_stage_motion_new (const SsStagePlayer *p, int n_rows, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (p != NULL && n_rows >= 0);
  return ss_simulation_trajectory_new (p->scene, &ss_integrator_stewart_trinkle, &p->options, n_rows, out, err);
}

void
ss_stage_state (const SsStagePlayer *p, const double *row, double *q, double *v)
{
  SS_ASSERT (p != NULL);
  for (int b = 0; b < p->scene->n_bodies; b++) { /* t, then six channels of each body */
    memcpy (q + 3 * b, row + 1 + SS_BODY_CHANNELS * b, 3 * sizeof *q);
    memcpy (v + 3 * b, row + 4 + SS_BODY_CHANNELS * b, 3 * sizeof *v);
  }
}

/* The part of a way after the part s of its time. */
static double
progress (double s, double rise)
{
  const double r = rise > 0 ? rise : 0.5;

  return s < r ? s * s / r : 1 - (1 - s) * (1 - s) / (1 - r);
}

static double
clamp (double x, double most)
{
  return fmin (fmax (x, -most), most);
}

/* The reference of a hand at the part s of its phase. */
static SsVec2
place_of (const SsHandPhase *phase, const SsHold *hold, double s)
{
  SsVec2 at, tangent;

  if (!phase->moves)
    return hold->at;
  ss_way_at (&phase->way, progress (fmin (s, 1), phase->rise), &at, &tangent);
  if (phase->steer.body >= 0)
    return (SsVec2){at.x - hold->aside * phase->steer.along.y, at.y + hold->aside * phase->steer.along.x};
  if (phase->follows)
    return (SsVec2){at.x + hold->at.x - phase->way.at[0].x, at.y + hold->at.y - phase->way.at[0].y};
  return at;
}

/* How far aside the hand goes for a unit of its way, from what the body does. */
static double
steer (const SsSteer *s, const SsStagesHand *hand, double done, const double *q)
{
  const double *b = q + 3 * s->body, *h = q + 3 * hand->body;
  const double turn = b[2] - s->angle, left = (b[1] - s->from.y) * s->along.x - (b[0] - s->from.x) * s->along.y;
  const SsVec2 normal = ss_vec2_turned (s->normal, turn), arm = {h[0] - b[0], h[1] - b[1]};
  const double a = fmax (normal.x * arm.x + normal.y * arm.y - hand->radius, 0.3 * s->size),
               y = normal.y * arm.x - normal.x * arm.y; /* left of -normal */
  const double wanted = s->turn * done - clamp (STEER_BACK * left / a, STEER_MOST),
               room = s->size * s->size + a * a + y * y;
  const double t = clamp ((STEER * room * (turn - wanted) / a - y) / a, s->cone);
  const double cross = -normal.x * s->along.y + normal.y * s->along.x,
               dot = -(normal.x * s->along.x + normal.y * s->along.y);

  return dot > 0 ? clamp (t - cross / dot, 1) : 0;
}

/* The controls of a hand at step k of a phase. */
static void
drive_hand (SsStagePlayer *p, int hand, const SsHandPhase *phase, const SsHold *hold, int k, int steps,
            const SsSimState *state)
{
  const SsStagesHand *d = &p->hands[hand];
  const double *q = state->q + 3 * d->body, *v = state->v + 3 * d->body, *f = p->force + 3 * d->body;
  const double w = fmin (STIFF_MOST, STIFF_STEPS / p->h), share = (double)(k + 1) / steps;
  const double mass = d->mass + (phase->moves ? phase->load : hold->load);
  const SsVec2 now = place_of (phase, hold, (double)k / steps), next = place_of (phase, hold, share);
  SsVec2 force = hold->force;

  if (phase->moves)
    force = (SsVec2){force.x + share * (phase->force.x - force.x), force.y + share * (phase->force.y - force.y)};
  /* where the free motion of the step ends is to be on the way, at its speed */
  force.x += mass * (w * w * (next.x - q[0] - p->h * v[0]) + 2 * w * ((next.x - now.x) / p->h - v[0])) - f[0];
  force.y += mass * (w * w * (next.y - q[1] - p->h * v[1]) + 2 * w * ((next.y - now.y) / p->h - v[1])) - f[1];
  const SsBody *body = &p->scene->bodies[d->body];
  const double torque = body->inertia * (w * w * (body->q[2] - q[2] - p->h * v[2]) - 2 * w * v[2]) - f[2];
  ss_hand_drive (p->scene, d, q[2], force, torque, p->controls.u);
}

/* The reference of a hand that is steered, for the steps to come. */
static void
go_aside (const SsStagePlayer *p, const SsHandPhase *phase, int hand, SsHold *hold, int k, int steps, const double *q)
{
  const SsStagesHand *h = &p->hands[hand];

  if (!phase->moves || phase->steer.body < 0)
    return;
  const double done = progress ((double)k / steps, phase->rise),
               by = (progress ((double)(k + 1) / steps, phase->rise) - done) * ss_way_length (&phase->way);
  const SsWayScene scene = {p->scene, q, h->body, {-1, -1}, 0};
  const SsVec2 at = {q[3 * h->body], q[3 * h->body + 1]};
  if (ss_way_gap (&scene, phase->steer.body, at) < STEER_NEAR * h->radius)
    hold->aside += by * steer (&phase->steer, h, done, q);
}

static SsStatus
play_step (SsStagePlayer *p, const SsPhase *phase, SsHold *holds, int k, SsTrajectory *rows, bool *obeys, SsError *err)
{
  SsSimState *state = ss_simulation_state (p->simulation);
  SsStepInfo info = {0};
  SsError ignored;

  memset (p->controls.u, 0, (size_t)p->scene->n_actuators * sizeof *p->controls.u);
  ss_dynamics_forces (p->dynamics, SS_FORCE_ALL & ~SS_FORCE_ACTUATORS, state->t, state->q, state->v, p->controls.u,
                      p->force);
  for (int i = 0; i < p->n_hands; i++)
    drive_hand (p, i, &phase->hands[i], &holds[i], k, phase->steps, state);
  if (rows != NULL) {
    ss_simulation_fill (p->simulation, p->row);
    const SsStatus status = ss_trajectory_append (rows, p->row, err);
    if (status != SS_OK)
      return status;
  }
  for (int i = 0; i < p->n_hands; i++)
    go_aside (p, &phase->hands[i], i, &holds[i], k, phase->steps, state->q);
  const SsStatus of_step = ss_simulation_step (p->simulation, p->h, &info, &ignored);
  p->n_steps++;
  *obeys = of_step == SS_OK && info.residual < OBEYS;
  return of_step == SS_ERR_MEMORY ? ss_error_set (err, SS_ERR_MEMORY, "out of memory") : SS_OK;
}

SsStatus
ss_stage_play (SsStagePlayer *p, const SsStage *stage, const double *row, SsHold *holds, SsTrajectory *rows,
               double *end, bool *obeys, SsError *err)
{
  SS_ASSERT (p != NULL && stage != NULL && obeys != NULL);

  SsStatus status = SS_OK;

  ss_simulation_restore (p->simulation, row);
  *obeys = true;
  for (int i = 0; i < stage->n && *obeys; i++) {
    const SsPhase *phase = &stage->phases[i];

    for (int k = 0; k < phase->steps && *obeys; k++) {
      status = play_step (p, phase, holds, k, rows, obeys, err);
      if (status != SS_OK)
        return status;
    }
    for (int h = 0; h < p->n_hands; h++)
      if (phase->hands[h].moves)
        holds[h] =
            (SsHold){phase->hands[h].way.at[phase->hands[h].way.n - 1], phase->hands[h].force, phase->hands[h].load};
  }
  if (*obeys)
    ss_simulation_fill (p->simulation, end);
  return status;
}
