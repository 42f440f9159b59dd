/* app/document/ssapp-place-faces.c: straight edges and marked points of bodies, for what can be snapped to. */
#include "app/document/ssapp-place.h"

#include <math.h>

static SsVec2
to_world (const double q[3], SsVec2 p)
{
  const double c = cos (q[2]), s = sin (q[2]);

  return (SsVec2){q[0] + c * p.x - s * p.y, q[1] + s * p.x + c * p.y};
}

static void
add_face (GArray *faces, SsVec2 from, SsVec2 to, double offset)
{
  const double dx = to.x - from.x, dy = to.y - from.y, length = hypot (dx, dy);
  SsappFace face = {.normal = {dy / length, -dx / length}};

  if (length <= 0)
    return;
  face.from = (SsVec2){from.x + offset * face.normal.x, from.y + offset * face.normal.y};
  face.to = (SsVec2){to.x + offset * face.normal.x, to.y + offset * face.normal.y};
  g_array_append_val (faces, face);
}

static void
add_faces (GArray *faces, const SsShape *shape, const double q[3])
{
  const double offset = shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;

  if (shape->kind == SS_SHAPE_HALF_PLANE) {
    const double c = cos (q[2]), s = sin (q[2]);
    const SsVec2 at = to_world (q, shape->centre),
                 n = {c * shape->normal.x - s * shape->normal.y, s * shape->normal.x + c * shape->normal.y};
    const SsappFace face = {at, {at.x - n.y, at.y + n.x}, n, TRUE};

    g_array_append_val (faces, face);
  }
  if (shape->kind != SS_SHAPE_CIRCLE && shape->kind != SS_SHAPE_HALF_PLANE)
    for (int i = 0; i < shape->n_vertices; i++) /* of two points both sides */
      add_face (faces, to_world (q, shape->vertices[i]), to_world (q, shape->vertices[(i + 1) % shape->n_vertices]),
                offset);
}

GArray *
ssapp_place_faces (const SsScene *scene, int body, const double q[3])
{
  g_return_val_if_fail (scene != NULL, NULL);
  GArray *faces = g_array_new (FALSE, FALSE, sizeof (SsappFace));

  for (int i = 0; i < scene->bodies[body].n_shapes; i++)
    add_faces (faces, &scene->bodies[body].shapes[i], q);
  return faces;
}

static void
add_point (GArray *points, SsVec2 at, SsappPointKind kind)
{
  const SsappPoint point = {at, kind};

  g_array_append_val (points, point);
}

GArray *
ssapp_place_points (const SsScene *scene, int body, const double q[3])
{
  g_return_val_if_fail (scene != NULL, NULL);
  const SsBody *about = &scene->bodies[body];
  GArray *points = g_array_new (FALSE, FALSE, sizeof (SsappPoint));
  gboolean has_end = FALSE;

  for (int i = 0; i < about->n_shapes; i++) {
    const SsShape *shape = &about->shapes[i];

    has_end = has_end || shape->kind != SS_SHAPE_HALF_PLANE;
    if (shape->kind == SS_SHAPE_CIRCLE)
      add_point (points, to_world (q, shape->centre), SSAPP_POINT_CENTRE);
    if (shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_HALF_PLANE)
      continue;
    for (int v = 0; v < shape->n_vertices; v++) {
      const SsVec2 a = to_world (q, shape->vertices[v]), b = to_world (q, shape->vertices[(v + 1) % shape->n_vertices]);

      add_point (points, a, shape->kind == SS_SHAPE_CAPSULE ? SSAPP_POINT_CENTRE : SSAPP_POINT_CORNER);
      if (shape->n_vertices > 2 || v == 0)
        add_point (points, (SsVec2){(a.x + b.x) / 2, (a.y + b.y) / 2}, SSAPP_POINT_MIDDLE);
    }
  }
  if (has_end)
    add_point (points, (SsVec2){q[0], q[1]}, SSAPP_POINT_CENTRE);
  return points;
}
