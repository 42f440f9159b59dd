/* app/document/ssapp-document-join.c: joints between selected bodies, without a pointer: where they go. Tests:
 * tests/unit/test-document-join.c */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define WORLD (-1)

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* The middle of the two nearest points of the surfaces. */
static SsVec2
nearest_place (const SsBody *a, const SsBody *b)
{
  SsVec2 place = {(a->q[0] + b->q[0]) / 2, (a->q[1] + b->q[1]) / 2};
  double least = INFINITY;

  for (int i = 0; i < a->n_shapes; i++)
    for (int k = 0; k < b->n_shapes; k++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      int n = ss_geometry_manifold (&a->shapes[i], a->q, &b->shapes[k], b->q, gaps), n_least = 0;
      SsVec2 sum = {0, 0};
      double smallest = INFINITY;
      for (int g = 0; g < n; g++)
        smallest = MIN (smallest, gaps[g].phi);
      for (int g = 0; g < n; g++) /* of an edge on an edge: the middle */
        if (gaps[g].phi <= smallest + 1e-9) {
          sum.x += (gaps[g].point_a.x + gaps[g].point_b.x) / 2;
          sum.y += (gaps[g].point_a.y + gaps[g].point_b.y) / 2;
          n_least++;
        }
      if (n_least > 0 && smallest < least) {
        least = smallest;
        place = (SsVec2){sum.x / n_least, sum.y / n_least};
      }
    }
  return place;
}

/* Where a rod or spring ends in a body: its centre of mass, or the point of a surface without end below the other. */
static SsVec2
end_in (const SsBody *body, SsVec2 other)
{
  const SsShape *shape = &body->shape;
  double c = cos (body->q[2]), s = sin (body->q[2]), off;
  SsVec2 normal;

  if (shape->kind != SS_SHAPE_HALF_PLANE)
    return (SsVec2){body->q[0], body->q[1]};
  normal = (SsVec2){c * shape->normal.x - s * shape->normal.y, s * shape->normal.x + c * shape->normal.y};
  off = (other.x - body->q[0]) * normal.x + (other.y - body->q[1]) * normal.y;
  return (SsVec2){other.x - off * normal.x, other.y - off * normal.y};
}

/* ---- joining ----------------------------------------------------------------------------------------------------- */

/* The selected bodies among the scene's, the world first if there is one only; FALSE with an error. */
static gboolean
find_pair (SsappDocument *self, int pair[2], GError **error)
{
  int n = 0;

  pair[0] = pair[1] = WORLD;
  for (const char *const *key = ssapp_document_get_selection (self, NULL); *key != NULL; key++) {
    int index = ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, *key);
    if (index < 0)
      continue;
    if (n < 2)
      pair[n] = index;
    n++;
  }
  if (n != 1 && n != 2) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         _ ("Select two bodies to join, or one to join it with the world"));
    return FALSE;
  }
  if (n == 1) {
    pair[1] = pair[0];
    pair[0] = WORLD;
  }
  return TRUE;
}

gboolean
ssapp_document_join_selection (SsappDocument *self, SsappJointKind kind, const SsVec2 *at, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const gboolean has_two_ends = ssapp_joint_has_two_ends (kind);
  const SsBody *a, *b;
  SsVec2 from, to, middle;
  int pair[2];

  if (!ssapp_document_require_scene (self, error) || !find_pair (self, pair, error))
    return FALSE;
  a = pair[0] == WORLD ? NULL : &ssapp_document_scene (self)->bodies[pair[0]];
  b = &ssapp_document_scene (self)->bodies[pair[1]];
  middle = (SsVec2){b->q[0], b->q[1]};
  if (has_two_ends) {
    from = at != NULL ? *at : a == NULL ? (SsVec2){middle.x, middle.y + ss_body_size (b)} : end_in (a, middle);
    to = end_in (b, from);
    if (hypot (to.x - from.x, to.y - from.y) < 1e-9) {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           _ ("The two ends would be at one point: use a pin"));
      return FALSE;
    }
  } else {
    from = at != NULL ? *at : a == NULL ? middle : nearest_place (a, b);
    /* A slider's axis: level from the world, else from one body to the other. */
    to = a == NULL ? (SsVec2){from.x + 1, from.y}
                   : (SsVec2){from.x + middle.x - end_in (a, middle).x, from.y + middle.y - end_in (a, middle).y};
  }
  return ssapp_document_join (self, kind, pair[0], pair[1], from, to, error);
}
