/* engine/plan/ss-stages-hand.c: see the header. */
#include "plan/ss-stages-hand.h"

#include "plan/ss-stages-way.h"

#include <math.h>

/* Rounds of Gauss-Seidel; the sine from which on two directions are two. */
enum { ROUNDS = 8 };
static const double APART = 0.1;

static SsVec2
direction_of (const SsActuator *a, double angle)
{
  return a->is_body_frame ? ss_vec2_turned (a->direction, angle) : a->direction;
}

/* Its place among the hands; a new one where there is room; NULL: none. */
static SsStagesHand *
hand_of (const SsScene *scene, SsStagesHand *hands, int *n, int body)
{
  const SsBody *b = &scene->bodies[body];

  for (int i = 0; i < *n; i++)
    if (hands[i].body == body)
      return &hands[i];
  if (*n == SS_HANDS || ss_body_is_immovable (b))
    return NULL;
  hands[*n] =
      (SsStagesHand){.body = body, .torque = -1, .mass = b->mass, .radius = ss_body_radius (b), .force = INFINITY};
  return &hands[(*n)++];
}

static void
look_at_directions (const SsScene *scene, SsStagesHand *hand)
{
  const SsBody *body = &scene->bodies[hand->body];
  const SsVec2 first = direction_of (&scene->actuators[hand->actuators[0]], body->q[2]);
  const double length = hypot (first.x, first.y);

  hand->line = length > 0 ? (SsVec2){first.x / length, first.y / length} : (SsVec2){1, 0};
  for (int i = 0; i < hand->n; i++) {
    const SsActuator *a = &scene->actuators[hand->actuators[i]];
    const SsVec2 d = direction_of (a, body->q[2]);
    const double size = hypot (d.x, d.y);

    hand->is_plane = hand->is_plane || fabs (hand->line.x * d.y - hand->line.y * d.x) > APART * size;
    hand->force = fmin (hand->force, size * fmax (fabs (a->lower), fabs (a->upper)));
  }
  hand->is_plane = hand->is_plane && !body->lock[0] && !body->lock[1];
}

int
ss_hands_find (const SsScene *scene, SsStagesHand hands[SS_HANDS])
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);

  int n = 0, kept = 0;

  for (int i = 0; i < scene->n_actuators; i++) {
    const SsActuator *a = &scene->actuators[i];
    SsStagesHand *hand =
        a->kind == SS_ACTUATOR_JOINT || ss_body_is_joined (scene, a->body) ? NULL : hand_of (scene, hands, &n, a->body);

    if (hand == NULL)
      continue;
    if (a->kind == SS_ACTUATOR_TORQUE)
      hand->torque = i;
    else if (hand->n < SS_HAND_ACTUATORS)
      hand->actuators[hand->n++] = i;
  }
  for (int i = 0; i < n; i++)
    if (hands[i].n > 0 && isfinite (hands[i].radius)) {
      look_at_directions (scene, &hands[i]);
      hands[kept++] = hands[i];
    }
  return kept;
}

void
ss_hand_drive (const SsScene *scene, const SsStagesHand *hand, double angle, SsVec2 force, double torque, double *u)
{
  SS_ASSERT (hand != NULL);

  SsVec2 left = force;

  for (int i = 0; i < hand->n; i++)
    u[hand->actuators[i]] = 0;
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < hand->n; i++) {
      const SsActuator *a = &scene->actuators[hand->actuators[i]];
      const SsVec2 d = direction_of (a, angle);
      const double size = d.x * d.x + d.y * d.y, before = u[hand->actuators[i]];
      const double wanted = size > 0 ? before + (d.x * left.x + d.y * left.y) / size : 0,
                   now = fmin (fmax (wanted, a->lower), a->upper);

      u[hand->actuators[i]] = now;
      left.x -= d.x * (now - before);
      left.y -= d.y * (now - before);
    }
  if (hand->torque >= 0) {
    const SsActuator *a = &scene->actuators[hand->torque];
    u[hand->torque] = fmin (fmax (torque, a->lower), a->upper);
  }
}
