/* engine/plan/ss-drive.c: see the header. */
#include "plan/ss-drive.h"

#include <math.h>

void
ss_drive_open (const SsScene *scene, int actuator, const double *q, SsDrive *d)
{
  SS_ASSERT (scene != NULL && d != NULL);

  const SsActuator *a = &scene->actuators[actuator];
  const SsJoint *joint = a->joint >= 0 ? &scene->joints[a->joint] : NULL;

  *d = (SsDrive){.actuator = a, .body = joint != NULL ? joint->body_b : a->body, .sign = 1};
  const SsBody *body = &scene->bodies[d->body];
  if (joint != NULL) {
    const double arm = hypot (joint->anchor_b.x, joint->anchor_b.y);

    d->axis = 3;
    d->mass = joint->kind == SS_JOINT_SLIDER ? body->mass : body->inertia + body->mass * arm * arm;
    d->weight = joint->kind == SS_JOINT_SLIDER
                    ? -body->mass * (scene->gravity.x * joint->axis.x + scene->gravity.y * joint->axis.y)
                    : 0;
  } else if (a->kind == SS_ACTUATOR_TORQUE) {
    d->axis = 2;
    d->mass = body->inertia;
  } else {
    const double turn = a->is_body_frame ? q[3 * d->body + 2] : 0;
    const double x = cos (turn) * a->direction.x - sin (turn) * a->direction.y,
                 y = sin (turn) * a->direction.x + cos (turn) * a->direction.y;

    d->axis = fabs (x) >= fabs (y) ? 0 : 1;
    d->sign = (d->axis == 0 ? x : y) >= 0 ? 1 : -1;
    d->mass = body->mass;
    d->weight = -body->mass * (d->axis == 0 ? scene->gravity.x : scene->gravity.y);
  }
}

double
ss_drive_coordinate (const SsScene *scene, const SsDrive *d, const double *start, const double *q, bool is_rate)
{
  SS_ASSERT (d != NULL);
  static const double world[3] = {0};

  if (d->axis < 3)
    return q[3 * d->body + d->axis];
  const SsJoint *joint = &scene->joints[d->actuator->joint];
  const double *a = joint->body_a >= 0 ? q + 3 * joint->body_a : world, *b = q + 3 * joint->body_b;
  if (joint->kind != SS_JOINT_SLIDER)
    return b[2] - a[2];
  if (is_rate)
    return joint->axis.x * (b[0] - a[0]) + joint->axis.y * (b[1] - a[1]);
  return joint->axis.x * (b[0] - a[0] - start[3 * joint->body_b]) +
         joint->axis.y * (b[1] - a[1] - start[3 * joint->body_b + 1]);
}

double
ss_drive_control (const SsDrive *d, double stiffness, double u, double off, double rate_off)
{
  SS_ASSERT (d != NULL);
  u += d->sign * d->mass * (stiffness * stiffness * off + 2 * stiffness * rate_off);
  return fmin (fmax (u, d->actuator->lower), d->actuator->upper);
}
