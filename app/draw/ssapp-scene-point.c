/* app/draw/ssapp-scene-point.c: see the header. */
#include "app/draw/ssapp-scene-point.h"

#include <glib.h>
#include <math.h>

SsVec2
ssapp_turned (SsVec2 v, double angle)
{
  return (SsVec2){cos (angle) * v.x - sin (angle) * v.y, sin (angle) * v.x + cos (angle) * v.y};
}

SsVec2
ssapp_point_at_start (const SsScene *scene, int body, SsVec2 p)
{
  g_return_val_if_fail (scene != NULL && body < scene->n_bodies, p);

  const double *q = body >= 0 ? scene->bodies[body].q : NULL;

  if (q == NULL)
    return p;
  return (SsVec2){q[0] + cos (q[2]) * p.x - sin (q[2]) * p.y, q[1] + sin (q[2]) * p.x + cos (q[2]) * p.y};
}
