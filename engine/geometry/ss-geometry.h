/* engine/geometry/ss-geometry.h: gap, witness points and normal between two planar shapes at given poses.
 * phi > 0 apart, 0 touching, < 0 penetrating; normal is unit, points from shape a to shape b. Pure functions, no
 * allocation. Tests: tests/numeric/test-geometry.c */
#pragma once

#include "core/ss-core.h"

typedef enum { SS_SHAPE_CIRCLE, SS_SHAPE_POLYGON, SS_SHAPE_HALF_PLANE, SS_SHAPE_CAPSULE, SS_SHAPE_SEGMENT } SsShapeKind;

typedef struct {
  SsShapeKind kind;
  double radius; /* CIRCLE, CAPSULE [m]                                                              */
  /* POLYGON: 3..64, convex, counter-clockwise, body frame [m] (file order is normalised); CAPSULE, SEGMENT: 2 end
   * points */
  int n_vertices;
  const SsVec2 *vertices;
  SsVec2 normal; /* HALF_PLANE: unit, body frame; matter where normal . (p - centre) <= 0                 */
  SsVec2 centre; /* CIRCLE, HALF_PLANE: body frame [m]; (0, 0) for a single-shape body                    */
} SsShape;

typedef struct {
  double phi;     /* gap [m]                                             */
  SsVec2 normal;  /* from a to b                                         */
  SsVec2 point_a; /* witness on a, world frame                           */
  SsVec2 point_b; /* witness on b                                        */
} SsGap;

enum { SS_MANIFOLD_MAX = 2, SS_POLYGON_MAX = 64 };
/* Contact manifold: one point for circles, up to two where faces (of polygons, capsules, segments, half-planes) may
 * touch. Returns the number of points written (0 only for two half-planes). pose = x, y, theta of the body; its shapes
 * are placed in its frame.
 *
 * gaps[0].phi is the signed distance: apart, the Euclidean distance; overlapping, minus the shortest translation that
 * separates. gaps[1], if there, is the second point of the touching face with its own gap (>= gaps[0].phi). point_b =
 * point_a + phi normal for both. Polygons less than 1e-10 of their size from a face contact are taken as face contacts
 * (phi is then that face's separation). The end points of a capsule or segment are distinct. Crossing segments overlap:
 * phi is minus the shortest translation that parts them. */
int ss_geometry_manifold (const SsShape *a, const double pose_a[3], const SsShape *b, const double pose_b[3],
                          SsGap gaps[SS_MANIFOLD_MAX]);
/* A pose with the cosine and sine of its angle, for who asks for many shapes of one body. */
typedef struct {
  SsVec2 at;
  double c, s;
} SsPlace;
/* Of a pose x, y, theta. */
SsPlace ss_place (const double pose[3]);
/* The same manifold, to the bit. */
int ss_geometry_manifold_placed (const SsShape *a, const SsPlace *place_a, const SsShape *b, const SsPlace *place_b,
                                 SsGap gaps[SS_MANIFOLD_MAX]);
/* Radius of a circle about the body's origin that holds the shape; INFINITY for a half-plane. */
double ss_shape_radius (const SsShape *shape);

typedef struct {
  SsVec2 lower, upper; /* world frame [m]; -INFINITY, INFINITY where a half-plane does not end */
} SsBox;
/* Smallest box along the axes that holds the shape at this pose of its body, grown by margin [m] on all sides. */
SsBox ss_shape_box (const SsShape *shape, const double pose[3], double margin);
SsBox ss_shape_box_placed (const SsShape *shape, const SsPlace *place, double margin);
