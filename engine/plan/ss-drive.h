/* engine/plan/ss-drive.h: what an actuator moves, as one coordinate with a mass of its own: what feedback needs that
 * holds a body on its way. Private to the room `plan`.
 *
 * Threads  any. Tests: tests/numeric/test-refine.c, tests/numeric/test-race.c
 */
#pragma once

#include "scene/ss-scenario.h"

/* An actuator and the coordinate that it moves. */
typedef struct {
  const SsActuator *actuator; /* borrowed from the scene */
  int body;                   /* that it moves most */
  int axis;                   /* 0, 1, 2: x, y, theta of the body; 3: of the joint */
  double sign;                /* of u on the coordinate */
  double mass;                /* that the coordinate has, about [kg or kg m2] */
  double weight;              /* what u, times sign, must hold [N or N m] */
} SsDrive;

/* q: poses at the start, 3 n_bodies. A force along a slanted direction counts for the axis that is nearer. */
void ss_drive_open (const SsScene *scene, int actuator, const double *q, SsDrive *drive);
/* The coordinate at poses q, or its rate at velocities q; of a slider as the way since the poses `start`. */
double ss_drive_coordinate (const SsScene *scene, const SsDrive *drive, const double *start, const double *q,
                            bool is_rate);
/* u, and what pulls the coordinate over the distance `off` to its place, like a critically damped spring of that
 * `stiffness` [1/s] on its mass; within the limits. rate_off: by how much the rate is below that of the place. */
double ss_drive_control (const SsDrive *drive, double stiffness, double u, double off, double rate_off);
