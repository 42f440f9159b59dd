/* app/document/ssapp-document-scene.c: what the parts of a document look up in a scene as read, and numbers as people
 * write them. Knows no document. */
#include "app/document/ssapp-document-private.h"

#include "app/base/ssapp-text.h"

#include <math.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------------------------- */

int
ssapp_scene_material_of (const SsScene *scene, int body)
{
  g_return_val_if_fail (scene != NULL, 0);
  return scene->material_of_body != NULL ? scene->material_of_body[body] : -1;
}

int
ssapp_scene_find_material (const SsScene *scene, const char *name)
{
  for (int i = 0; scene != NULL && i < scene->n_materials; i++)
    if (g_strcmp0 (scene->materials[i].name, name) == 0)
      return i;
  return -1;
}

gboolean
ssapp_scene_is_taken (const SsScene *scene, const char *name)
{
  g_return_val_if_fail (scene != NULL, FALSE);
  static const SsOwner owners[] = {SS_OWNER_ACTUATOR, SS_OWNER_JOINT, SS_OWNER_SPRING, SS_OWNER_CONTACT};
  for (gsize i = 0; i < G_N_ELEMENTS (owners); i++)
    if (ss_scene_find (scene, owners[i], name) >= 0)
      return TRUE;
  for (int i = 0; i < scene->n_forces; i++)
    if (strcmp (scene->forces[i].name, name) == 0)
      return TRUE;
  return FALSE;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

double
ssapp_tidy (double value)
{
  const double unit = 1e-9;
  double rounded = round (value / unit);
  return fabs (rounded) < 1e15 ? rounded / 1e9 : value;
}

double
ssapp_round_roughly (double value)
{
  double unit = pow (10, floor (log10 (value)) - 1);
  return ssapp_tidy (round (value / unit) * unit);
}

char *
ssapp_short_number (double value)
{
  return ssapp_text_number ("%.4g", value);
}

double
ssapp_snap (double value, double step)
{
  return step > 0 ? round (value / step) * step : value;
}

/* ---- geometry ---------------------------------------------------------------------------------------------------- */

void
ssapp_body_to_file (const SsBody *body, const double q[3], double pose[3])
{
  g_return_if_fail (body != NULL);
  double c = cos (q[2]), s = sin (q[2]);

  pose[0] = q[0] + c * body->origin.x - s * body->origin.y;
  pose[1] = q[1] + s * body->origin.x + c * body->origin.y;
  pose[2] = q[2];
}

/* Area, and the area's first moment about the body's origin. */
static double
area_of_shape (const SsShape *shape, SsVec2 *moment)
{
  const SsVec2 *p = shape->vertices;
  double area = 0;

  *moment = (SsVec2){0, 0};
  if (shape->kind == SS_SHAPE_CIRCLE) {
    area = G_PI * shape->radius * shape->radius;
    *moment = (SsVec2){area * shape->centre.x, area * shape->centre.y};
  } else if (shape->kind == SS_SHAPE_CAPSULE) {
    area =
        shape->radius * (G_PI * shape->radius + 2 * hypot (p[1].x - p[0].x, p[1].y - p[0].y)); /* and two half discs */
    *moment = (SsVec2){area * (p[0].x + p[1].x) / 2, area * (p[0].y + p[1].y) / 2};
  } else if (shape->kind == SS_SHAPE_POLYGON) {
    for (int i = 0; i < shape->n_vertices; i++) {
      SsVec2 a = p[i], b = p[(i + 1) % shape->n_vertices];
      double twice = a.x * b.y - b.x * a.y;
      area += twice / 2;
      moment->x += twice * (a.x + b.x) / 6;
      moment->y += twice * (a.y + b.y) / 6;
    }
  }
  return area;
}

double
ssapp_shapes_area (const SsShape *shapes, int n_shapes, SsVec2 *centroid)
{
  SsVec2 sum = {0, 0}, moment;
  double area = 0;

  for (int i = 0; i < n_shapes; i++) {
    area += area_of_shape (&shapes[i], &moment);
    sum.x += moment.x;
    sum.y += moment.y;
  }
  if (centroid != NULL)
    *centroid = area > 0 ? (SsVec2){sum.x / area, sum.y / area} : (SsVec2){0, 0};
  return area;
}
