/* app/sandbox/ssapp-drag.c: see the header. */
#include "app/sandbox/ssapp-drag.h"

#include <math.h>

/* Natural frequency of the drag spring: a body follows the pointer in a tenth of a second and hangs g (1 + omega
 * h)^2/omega^2, some 2 cm, below it. [rad/s] */
#define SPRING_OMEGA 25.0
/* What the spring can do at most, per mass: pulls a body out from under a dozen others, not through them. [m/s2] */
#define SPRING_ACCELERATION 200.0

static double
inverse_mass (const SsBody *body, int coordinate)
{
  if (body->is_fixed || body->lock[coordinate])
    return 0;
  return 1 / (coordinate < 2 ? body->mass : body->inertia);
}

SsVec2
ssapp_drag_turn (SsVec2 a, double theta)
{
  return (SsVec2){cos (theta) * a.x - sin (theta) * a.y, sin (theta) * a.x + cos (theta) * a.y};
}

/* Impulse of the spring k = m omega^2, d = 2 m omega over h, implicit: with K = J W J^T and C the distance,
 * (K + I / (h (d + h k))) impulse = -(C_dot + C k / (d + h k)). */
SsVec2
ssapp_drag_impulse (const SsScene *scene, const SsappDrag *drag, double h, const double *q_all, const double *v_all)
{
  const SsBody *body = &scene->bodies[drag->body];
  const double *q = q_all + 3 * drag->body, *v = v_all + 3 * drag->body;
  const double wx = inverse_mass (body, 0), wy = inverse_mass (body, 1), wt = inverse_mass (body, 2);
  const double k = body->mass * SPRING_OMEGA * SPRING_OMEGA, d = 2 * body->mass * SPRING_OMEGA;
  const double softness = 1 / (h * (d + h * k)), largest = h * body->mass * SPRING_ACCELERATION;
  const SsVec2 r = ssapp_drag_turn (drag->anchor, q[2]);
  const double k11 = wx + r.y * r.y * wt + softness, k12 = -r.x * r.y * wt, k22 = wy + r.x * r.x * wt + softness;
  const double bx = -(v[0] - r.y * v[2] + (q[0] + r.x - drag->target.x) * k / (d + h * k));
  const double by = -(v[1] + r.x * v[2] + (q[1] + r.y - drag->target.y) * k / (d + h * k));
  const double determinant = k11 * k22 - k12 * k12; /* > 0: softness is */
  const SsVec2 p = {(k22 * bx - k12 * by) / determinant, (k11 * by - k12 * bx) / determinant};
  const double size = hypot (p.x, p.y), part = size > largest ? largest / size : 1;

  return (SsVec2){p.x * part, p.y * part};
}

/* The hand itself: on the speeds. */
void
ssapp_drag_pull (const SsScene *scene, const SsappDrag *drag, double h, SsSimState *state)
{
  g_return_if_fail (scene != NULL);
  const SsBody *body = &scene->bodies[drag->body];
  double *v = state->v + 3 * drag->body;
  const SsVec2 r = ssapp_drag_turn (drag->anchor, state->q[3 * drag->body + 2]),
               p = ssapp_drag_impulse (scene, drag, h, state->q, state->v);

  v[0] += inverse_mass (body, 0) * p.x;
  v[1] += inverse_mass (body, 1) * p.y;
  v[2] += inverse_mass (body, 2) * (r.x * p.y - r.y * p.x);
}
