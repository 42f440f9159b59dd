/* engine/geometry/ss-sweep.c: see the header. */
#include "geometry/ss-sweep.h"

#include <math.h>

/* Looks at one pair: a way along which the bound is so poor that they do not suffice counts as arrived where it is. */
enum { LOOKS_MAX = 2000 };

/* ---- widths ------------------------------------------------------------------------------------------------------ */

double
ss_shape_width (const SsShape *shape)
{
  SS_ASSERT (shape != NULL);

  double least = INFINITY;
  if (shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE)
    return 2 * shape->radius;
  if (shape->kind == SS_SHAPE_SEGMENT)
    return 0;
  for (int i = 0; shape->kind == SS_SHAPE_POLYGON && i < shape->n_vertices; i++) {
    const SsVec2 p = shape->vertices[i], e = shape->vertices[(i + 1) % shape->n_vertices];
    const double length = hypot (e.x - p.x, e.y - p.y);
    double farthest = 0;

    for (int k = 0; k < shape->n_vertices; k++)
      farthest = fmax (farthest,
                       fabs ((e.x - p.x) * (shape->vertices[k].y - p.y) - (e.y - p.y) * (shape->vertices[k].x - p.x)));
    if (length > 0)
      least = fmin (least, farthest / length);
  }
  return least;
}

double
ss_shape_thinner_width (double width_a, double width_b)
{
  if (width_a == 0 && width_b == 0)
    return SS_LINE_WIDTH;
  if (width_a == 0 || width_b == 0)
    return fmax (width_a, width_b) / 2;
  return fmin (width_a, width_b);
}

double
ss_shape_turning_radius (const SsShape *shape)
{
  SS_ASSERT (shape != NULL);

  double largest = 0;
  if (shape->kind == SS_SHAPE_HALF_PLANE)
    return INFINITY;
  if (shape->kind == SS_SHAPE_CIRCLE)
    return hypot (shape->centre.x, shape->centre.y);
  for (int i = 0; i < shape->n_vertices; i++)
    largest = fmax (largest, hypot (shape->vertices[i].x, shape->vertices[i].y));
  return largest;
}

/* ---- ways -------------------------------------------------------------------------------------------------------- */

static void
place (const SsSweep *sweep, double s, double pose[2][3])
{
  if (sweep->place != NULL) {
    sweep->place (sweep->owner, s, pose);
    return;
  }
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 3; k++)
      pose[side][k] = sweep->from[side][k] + s * (sweep->to[side][k] - sweep->from[side][k]);
}

static bool
look (const SsSweep *sweep, double s, SsGap *gap)
{
  SsGap gaps[SS_MANIFOLD_MAX];
  double pose[2][3];
  place (sweep, s, pose);
  if (ss_geometry_manifold (sweep->shape[0], pose[0], sweep->shape[1], pose[1], gaps) == 0)
    return false;
  *gap = gaps[0];
  return true;
}

double
ss_sweep_gap (const SsSweep *sweep, double s)
{
  SS_ASSERT (sweep != NULL);

  SsGap gap;
  return look (sweep, s, &gap) ? gap.phi : INFINITY;
}

double
ss_sweep_first (const SsSweep *sweep, double start, double level, double tolerance)
{
  SS_ASSERT (sweep != NULL && tolerance > 0);

  double turns = sweep->bend, s = start;
  const double *a = sweep->from[0], *b = sweep->from[1];
  const SsVec2 way = {sweep->to[1][0] - b[0] - (sweep->to[0][0] - a[0]),
                      sweep->to[1][1] - b[1] - (sweep->to[0][1] - a[1])};
  for (int side = 0; side < 2; side++) {
    const double turn = fabs (sweep->to[side][2] - sweep->from[side][2]);
    if (turn > 0)
      turns += turn * ss_shape_turning_radius (sweep->shape[side]);
  }
  if (!isfinite (turns))
    return INFINITY;
  for (int i = 0; i < LOOKS_MAX; i++) {
    SsGap gap;
    if (!look (sweep, s, &gap))
      return INFINITY;
    if (!(gap.phi - level > tolerance))
      return s;
    const double closing = turns - (gap.normal.x * way.x + gap.normal.y * way.y);
    /* at s = 1 the bound itself has been kept on the whole way */
    if (!(closing * (1 - s) > gap.phi - level))
      return INFINITY;
    s += (gap.phi - level) / closing;
  }
  return s;
}
