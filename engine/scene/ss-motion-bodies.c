/* engine/scene/ss-motion-bodies.c: see ss-motion-bodies.h. */
#include "scene/ss-motion-bodies.h"

#include <stdio.h>

void
ss_motion_find_bodies (const SsTrajectory *motion, const SsScene *scene, int *columns)
{
  SS_ASSERT (motion != NULL && scene != NULL && columns != NULL);
  char name[SS_CHANNEL_NAME_MAX];

  for (int i = 0; i < SS_BODY_CHANNELS * scene->n_bodies; i++) {
    snprintf (name, sizeof name, "%s.%s", scene->bodies[i / SS_BODY_CHANNELS].name,
              ss_body_channels[i % SS_BODY_CHANNELS]);
    columns[i] = ss_trajectory_channel (motion, name);
  }
}

void
ss_motion_read_bodies (const double *row, const SsScene *scene, const int *columns, double *q, double *v)
{
  SS_ASSERT (row != NULL && scene != NULL && columns != NULL && q != NULL && v != NULL);

  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i / 3];
    const int *own = columns + SS_BODY_CHANNELS * (i / 3) + i % 3;

    q[i] = own[0] >= 0 ? row[own[0]] : body->q[i % 3];
    v[i] = own[3] >= 0 ? row[own[3]] : body->v[i % 3];
  }
}
