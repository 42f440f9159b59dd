/* app/document/ssapp-document-resize.c: a body pulled larger or smaller at a handle of its frame, and the ends of rods
 * and springs pulled elsewhere.
 *
 * The side opposite to the handle stays where it is. A box changes width and height, a disc its radius, a capsule its
 * length or radius, a segment its length, a polygon its corners. A mass or inertia that the file gives stays; what a
 * density gives follows the new shape. Tests: tests/unit/test-document-resize.c */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define SMALLEST 1e-3 /* [m] no side gets smaller */

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* The only shape of a body of its own that has an end; NULL. */
static json_t *
shape_of (json_t *root, const char *path)
{
  g_autofree char *single = g_strconcat (path, ".shape", NULL), *listed = g_strconcat (path, ".shapes", NULL);
  json_t *shape = ssapp_tree_get (root, single), *list = ssapp_tree_get (root, listed);

  if (shape == NULL && json_array_size (list) == 1)
    shape = json_array_get (list, 0);
  return shape;
}

gboolean
ssapp_document_is_resizable (SsappDocument *self, int index)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autofree char *path = ssapp_document_body_path (self, index);
  const json_t *shape = path != NULL ? shape_of (ssapp_document_root (self), path) : NULL;

  return shape != NULL && ssapp_document_scene (self)->bodies[index].shape.kind != SS_SHAPE_HALF_PLANE &&
         json_object_get (shape, "angle") == NULL; /* what is turned in its frame has no sides along it */
}

/* Bounds of the shape in the frame of the file. */
static void
get_bounds (const SsBody *body, double box[4])
{
  const SsShape *shape = &body->shape;
  double reach = shape->kind == SS_SHAPE_POLYGON || shape->kind == SS_SHAPE_SEGMENT ? 0 : shape->radius;

  box[0] = box[1] = INFINITY;
  box[2] = box[3] = -INFINITY;
  for (int i = 0; i < MAX (shape->n_vertices, 1); i++) {
    SsVec2 v = shape->n_vertices > 0 ? shape->vertices[i] : shape->centre;
    box[0] = MIN (box[0], v.x - body->origin.x - reach);
    box[1] = MIN (box[1], v.y - body->origin.y - reach);
    box[2] = MAX (box[2], v.x - body->origin.x + reach);
    box[3] = MAX (box[3], v.y - body->origin.y + reach);
  }
}

static void
scale_number (json_t *object, const char *key, double read, double factor)
{
  if (json_object_get (object, key) != NULL && factor != 1)
    json_object_set_new (object, key, json_real (ssapp_tidy (read * factor)));
}

/* A point of the frame, as it is read. */
static void
store_point (json_t *pair, SsVec2 read, const double k[2])
{
  if (k[0] != 1)
    json_array_set_new (pair, 0, json_real (ssapp_tidy (read.x * k[0]) + 0.0));
  if (k[1] != 1)
    json_array_set_new (pair, 1, json_real (ssapp_tidy (read.y * k[1]) + 0.0));
}

/* Corners or ends, whose order the reader may have turned round: each is found by where it is. */
static void
scale_points (json_t *points, const double k[2])
{
  for (size_t i = 0; i < json_array_size (points); i++) {
    json_t *pair = json_array_get (points, i);
    for (size_t c = 0; c < 2; c++)
      if (k[c] != 1 && json_is_number (json_array_get (pair, c)))
        json_array_set_new (pair, c,
                            json_real (ssapp_tidy (json_number_value (json_array_get (pair, c)) * k[c]) + 0.0));
  }
}

/* Writes the shape with sides k times as long; `size`: width and height before. */
static gboolean
scale_shape (json_t *shape, const SsBody *body, const double size[2], const double k[2], GError **error)
{
  const SsShape *read = &body->shape;
  json_t *vertices = json_object_get (shape, "vertices");
  double length;

  if (ssapp_tree_has_formula (vertices)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                         _ ("Formulas give the corners of this polygon: change them in the inspector"));
    return FALSE;
  }
  scale_points (vertices, k);
  scale_number (shape, "width", size[0], k[0]);
  scale_number (shape, "height", size[1], k[1]);
  if (read->kind == SS_SHAPE_CIRCLE)
    scale_number (shape, "radius", read->radius, k[0]);
  if (read->kind == SS_SHAPE_CAPSULE)
    scale_number (shape, "radius", read->radius, k[1]);
  if (json_object_get (shape, "length") != NULL) {
    length = hypot (read->vertices[1].x - read->vertices[0].x, read->vertices[1].y - read->vertices[0].y);
    if (read->kind == SS_SHAPE_CAPSULE)
      json_object_set_new (shape, "length",
                           json_real (ssapp_tidy (MAX (size[0] * k[0] - 2 * read->radius * k[1], SMALLEST))));
    else
      scale_number (shape, "length", length, k[0]);
  }
  for (int end = 0; end < 2; end++) {
    json_t *pair = json_object_get (shape, end == 0 ? "from" : "to");
    if (pair != NULL)
      store_point (pair, (SsVec2){read->vertices[end].x - body->origin.x, read->vertices[end].y - body->origin.y}, k);
  }
  return TRUE;
}

gboolean
ssapp_document_resize (SsappDocument *self, int index, int side_x, int side_y, SsVec2 pull, gboolean keeps_proportions,
                       GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autofree char *path = ssapp_document_body_path (self, index), *label = NULL;
  const int sides[2] = {side_x, side_y};
  const SsBody *body;
  double box[4], size[2], k[2] = {1, 1}, pose[3], c, s, shift[2], local[2];
  json_t *root, *shape, *position;

  if (!ssapp_document_is_resizable (self, index)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                         _ ("Only a body with one shape that has an end is resized by its frame"));
    return FALSE;
  }
  body = &ssapp_document_scene (self)->bodies[index];
  ssapp_document_get_pose (self, index, pose);
  get_bounds (body, box);
  c = cos (pose[2]);
  s = sin (pose[2]);
  local[0] = c * pull.x + s * pull.y;
  local[1] = -s * pull.x + c * pull.y;
  for (int a = 0; a < 2; a++) {
    size[a] = box[a + 2] - box[a];
    if (sides[a] != 0 && size[a] > 0)
      k[a] = MAX (size[a] + sides[a] * local[a], SMALLEST) / size[a];
  }
  if (body->shape.kind == SS_SHAPE_CIRCLE || keeps_proportions) /* as much as the handle that is pulled further */
    k[0] = k[1] = side_x == 0 || (side_y != 0 && fabs (k[1] - 1) > fabs (k[0] - 1)) ? k[1] : k[0];
  root = json_deep_copy (ssapp_document_root (self));
  shape = shape_of (root, path);
  if (!scale_shape (shape, body, size, k, error)) {
    json_decref (root);
    return FALSE;
  }
  position = json_object_get (shape, "position"); /* of the shape in its frame */
  if (position != NULL)
    store_point (position, (SsVec2){(box[0] + box[2]) / 2, (box[1] + box[3]) / 2}, k);
  for (int a = 0; a < 2; a++) { /* the opposite side, or the middle, stays */
    double kept = sides[a] > 0 ? box[a] : sides[a] < 0 ? box[a + 2] : (box[a] + box[a + 2]) / 2;
    shift[a] = kept - k[a] * kept;
  }
  const double moved[2] = {pose[0] + c * shift[0] - s * shift[1], pose[1] + s * shift[0] + c * shift[1]};
  for (int a = 0; a < 2; a++) {
    g_autofree char *field = g_strdup_printf ("%s.position[%d]", path, a);
    if (fabs (moved[a] - pose[a]) > 1e-12)
      ssapp_tree_set (root, field, json_real (ssapp_tidy (moved[a]) + 0.0), NULL);
  }
  label = g_strdup_printf ("Resize %s", body->name);
  return ssapp_document_commit_change (self, root, label, error);
}

/* ---- ends -------------------------------------------------------------------------------------------------------- */

/* The bodies of the rod, rope or spring at a path; FALSE if it is neither or has no two ends. */
static gboolean
find_ends (SsappDocument *self, const char *path, int bodies[2])
{
  SsappItem *item = ssapp_document_get_item (self, path);
  const SsScene *scene = ssapp_document_scene (self);
  gboolean found = FALSE;

  for (int j = 0; item != NULL && !item->is_family && g_str_has_prefix (path, "scene.joints[") && j < scene->n_joints;
       j++)
    if (strcmp (scene->joints[j].name, item->name) == 0 &&
        (scene->joints[j].kind == SS_JOINT_ROD || scene->joints[j].kind == SS_JOINT_ROPE)) {
      bodies[0] = scene->joints[j].body_a;
      bodies[1] = scene->joints[j].body_b;
      found = TRUE;
    }
  for (int j = 0; item != NULL && !item->is_family && g_str_has_prefix (path, "scene.springs[") && j < scene->n_springs;
       j++)
    if (strcmp (scene->springs[j].name, item->name) == 0 && !scene->springs[j].is_torsion) {
      bodies[0] = scene->springs[j].body_a;
      bodies[1] = scene->springs[j].body_b;
      found = TRUE;
    }
  ssapp_item_free (item);
  return found;
}

gboolean
ssapp_document_has_ends (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  int bodies[2];

  return path != NULL && find_ends (self, path, bodies);
}

gboolean
ssapp_document_move_end (SsappDocument *self, const char *path, int end, SsVec2 to, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && (end == 0 || end == 1), FALSE);
  int bodies[2];
  json_t *root, *entry, *points;
  g_autofree char *label = NULL;
  SsappItem *item;

  if (!find_ends (self, path, bodies)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                         _ ("Only rods, ropes and springs have ends to pull"));
    return FALSE;
  }
  root = json_deep_copy (ssapp_document_root (self));
  entry = ssapp_tree_get (root, path);
  points = json_object_get (entry, "points");
  if (points == NULL && bodies[end] >= 0) { /* in the frame of its body */
    double pose[3], c, s;
    ssapp_document_get_pose (self, bodies[end], pose);
    c = cos (pose[2]);
    s = sin (pose[2]);
    to = (SsVec2){c * (to.x - pose[0]) + s * (to.y - pose[1]), -s * (to.x - pose[0]) + c * (to.y - pose[1])};
  }
  if (points == NULL) {
    points = json_object_get (entry, "anchors");
    if (points == NULL) {
      points = json_pack ("[[i, i], [i, i]]", 0, 0, 0, 0);
      json_object_set_new (entry, "anchors", points);
    }
  }
  json_array_set_new (points, (size_t)end, json_pack ("[f, f]", ssapp_tidy (to.x) + 0.0, ssapp_tidy (to.y) + 0.0));
  if (g_strcmp0 (json_string_value (json_object_get (entry, "type")), "rope") != 0)
    json_object_del (entry, "length"); /* of a rod: what is drawn */
  item = ssapp_document_get_item (self, path);
  label = g_strdup_printf ("Move an end of %s", item->name);
  ssapp_item_free (item);
  return ssapp_document_commit (self, root, label, error);
}
