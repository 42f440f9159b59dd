/* app/document/ssapp-document-shape.c: shapes of bodies: drawn ones as new bodies or as more shapes of a body, taken
 * out again; corners of polygons; what a body weighs in words. Tests: tests/unit/test-document-shape.c */
#include "app/document/ssapp-convex.h"
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* [m] Shorter drags are clicks: the shape gets a default size. */
#define SMALLEST_SIZE       1e-3
#define DEFAULT_LENGTH      1.0
#define DEFAULT_BOX_HEIGHT  0.5
#define DEFAULT_DISC_RADIUS 0.25
/* Radius of the first capsule of a sketch as a share of its length; further ones are as thick as the last. */
#define CAPSULE_SHARE 0.1
/* [m] A body's mass stands for matter that fills its shapes evenly when their centroid is this near to its origin. */
#define CENTRED 1e-6

static json_t *
point_to_json (SsVec2 p)
{
  return json_pack ("[f, f]", ssapp_tidy (p.x), ssapp_tidy (p.y));
}

static double
round_to (double value, const char *format)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (digits, sizeof digits, format, value);
  return g_ascii_strtod (digits, NULL);
}

/* ---- one drawn shape --------------------------------------------------------------------------------------------- */

/* The body's frame in the world; a new body has one of its own. */
typedef struct {
  double x, y, angle;
} Frame;

static SsVec2
into_frame (const Frame *frame, SsVec2 p)
{
  double c = cos (frame->angle), s = sin (frame->angle), dx = p.x - frame->x, dy = p.y - frame->y;

  return (SsVec2){ssapp_tidy (c * dx + s * dy), ssapp_tidy (-s * dx + c * dy)};
}

double
ssapp_document_capsule_radius (SsappDocument *self, double length)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), 0);
  const SsScene *scene = ssapp_document_scene (self);
  double last = 0;

  for (int b = 0; scene != NULL && b < scene->n_bodies; b++)
    for (int s = 0; s < scene->bodies[b].n_shapes; s++)
      if (scene->bodies[b].shapes[s].kind == SS_SHAPE_CAPSULE)
        last = scene->bodies[b].shapes[s].radius;
  if (length < SMALLEST_SIZE)
    length = DEFAULT_LENGTH;
  return last > 0 && last < length ? ssapp_tidy (last) : ssapp_tidy (round_to (CAPSULE_SHARE * length, "%.2g"));
}

/* Ends of a capsule or segment; a click lies level about its point. */
static void
find_ends (const SsVec2 points[2], SsVec2 ends[2])
{
  ends[0] = points[0];
  ends[1] = points[1];
  if (hypot (ends[1].x - ends[0].x, ends[1].y - ends[0].y) < SMALLEST_SIZE) {
    ends[0].x = points[0].x - DEFAULT_LENGTH / 2;
    ends[1] = (SsVec2){points[0].x + DEFAULT_LENGTH / 2, points[0].y};
  }
}

static json_t *
box_in (const Frame *frame, const SsVec2 points[2])
{
  double width = ssapp_tidy (fabs (points[1].x - points[0].x)), height = ssapp_tidy (fabs (points[1].y - points[0].y));
  SsVec2 middle = {(points[0].x + points[1].x) / 2, (points[0].y + points[1].y) / 2};
  json_t *shape;

  if (width < SMALLEST_SIZE || height < SMALLEST_SIZE) {
    width = DEFAULT_LENGTH;
    height = DEFAULT_BOX_HEIGHT;
  }
  shape = json_pack ("{s:s, s:f, s:f, s:o}", "type", "box", "width", width, "height", height, "position",
                     point_to_json (into_frame (frame, middle)));
  json_object_set_new (shape, "angle", json_real (ssapp_tidy (-frame->angle) + 0.0));
  return shape;
}

static json_t *
disc_in (const Frame *frame, const SsVec2 points[2])
{
  double radius = ssapp_tidy (hypot (points[1].x - points[0].x, points[1].y - points[0].y));

  return json_pack ("{s:s, s:f, s:o}", "type", "circle", "radius",
                    radius < SMALLEST_SIZE ? DEFAULT_DISC_RADIUS : radius, "position",
                    point_to_json (into_frame (frame, points[0])));
}

/* Convex polygons that fill the drawn one, appended to the list. */
static gboolean
append_polygons (json_t *list, const Frame *frame, const SsVec2 *points, int n_points, GError **error)
{
  g_autofree SsVec2 *local = g_new (SsVec2, MAX (n_points, 1));
  g_autoptr (GPtrArray) pieces = NULL;

  for (int i = 0; i < n_points; i++)
    local[i] = into_frame (frame, points[i]);
  pieces = ssapp_convex_split (local, n_points, error);
  for (guint i = 0; pieces != NULL && i < pieces->len; i++) {
    const GArray *corners = g_ptr_array_index (pieces, i);
    json_t *vertices = json_array ();
    for (guint k = 0; k < corners->len; k++)
      json_array_append_new (vertices, point_to_json (g_array_index (corners, SsVec2, k)));
    json_array_append_new (list, json_pack ("{s:s, s:o}", "type", "polygon", "vertices", vertices));
  }
  return pieces != NULL;
}

/* The drawn shape in a body's frame as entries of a list. */
static gboolean
append_shapes (SsappDocument *self, json_t *list, SsappShapeKind kind, const Frame *frame, const SsVec2 *points,
               int n_points, GError **error)
{
  SsVec2 ends[2];

  switch (kind) {
  case SSAPP_SHAPE_BOX:
    return json_array_append_new (list, box_in (frame, points)) == 0;
  case SSAPP_SHAPE_DISC:
    return json_array_append_new (list, disc_in (frame, points)) == 0;
  case SSAPP_SHAPE_CAPSULE:
  case SSAPP_SHAPE_SEGMENT: {
    json_t *shape = json_pack ("{s:s}", "type", kind == SSAPP_SHAPE_CAPSULE ? "capsule" : "segment");
    find_ends (points, ends);
    if (kind == SSAPP_SHAPE_CAPSULE)
      json_object_set_new (
          shape, "radius",
          json_real (ssapp_document_capsule_radius (self, hypot (ends[1].x - ends[0].x, ends[1].y - ends[0].y))));
    json_object_set_new (shape, "from", point_to_json (into_frame (frame, ends[0])));
    json_object_set_new (shape, "to", point_to_json (into_frame (frame, ends[1])));
    return json_array_append_new (list, shape) == 0;
  }
  case SSAPP_SHAPE_POLYGON:
  default:
    return append_polygons (list, frame, points, n_points, error);
  }
}

/* ---- new bodies -------------------------------------------------------------------------------------------------- */

/* A capsule or segment lies along x of its body, about the middle. */
static gboolean
add_long_body (SsappDocument *self, SsappShapeKind kind, const SsVec2 points[2], GError **error)
{
  gboolean is_capsule = kind == SSAPP_SHAPE_CAPSULE;
  SsVec2 ends[2];
  json_t *body;
  double length, radius;

  find_ends (points, ends);
  length = ssapp_tidy (hypot (ends[1].x - ends[0].x, ends[1].y - ends[0].y));
  radius = ssapp_document_capsule_radius (self, length);
  body = json_pack ("{s:s, s:{s:s, s:f}, s:o, s:f}", "name", "", "shape", "type", is_capsule ? "capsule" : "segment",
                    "length", length, "position",
                    point_to_json ((SsVec2){(ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2}), "angle",
                    atan2 (ends[1].y - ends[0].y, ends[1].x - ends[0].x));
  if (is_capsule) {
    json_object_set_new (json_object_get (body, "shape"), "radius", json_real (radius));
    json_object_set_new (body, "density", json_real (SSAPP_NEW_DENSITY));
    json_object_set_new (body, "color", json_string ("green"));
  } else {
    json_object_set_new (body, "fixed", json_true ()); /* a wall; the inspector frees it */
  }
  return ssapp_document_commit_body (self, body, is_capsule ? "capsule" : "segment", error);
}

/* Drawn from its first corner, which is the origin of its frame: corners keep round numbers. What it weighs, and where,
 * follows from a density, so that it stays right when corners move. */
static gboolean
add_polygon_body (SsappDocument *self, const SsVec2 *points, int n_points, GError **error)
{
  const Frame frame = {n_points > 0 ? ssapp_tidy (points[0].x) : 0, n_points > 0 ? ssapp_tidy (points[0].y) : 0, 0};
  json_t *list = json_array (), *body;

  if (!append_polygons (list, &frame, points, n_points, error)) {
    json_decref (list);
    return FALSE;
  }
  body = json_pack ("{s:s}", "name", "");
  if (json_array_size (list) == 1) {
    json_object_set (body, "shape", json_array_get (list, 0));
    json_decref (list);
  } else {
    json_object_set_new (body, "shapes", list);
  }
  json_object_set_new (body, "density", json_real (SSAPP_NEW_DENSITY));
  json_object_set_new (body, "position", json_pack ("[f, f]", frame.x, frame.y));
  json_object_set_new (body, "angle", json_real (0));
  json_object_set_new (body, "color", json_string ("brown"));
  return ssapp_document_commit_body (self, body, "polygon", error);
}

/* ---- more shapes of a body --------------------------------------------------------------------------------------- */

/* The shapes of a body in the file as a list, made where there is a single one. Borrowed. */
static json_t *
require_shapes (json_t *body)
{
  json_t *shapes = json_object_get (body, "shapes"), *single = json_object_get (body, "shape");

  if (shapes == NULL) {
    shapes = json_array ();
    if (single != NULL)
      json_array_append (shapes, single);
    json_object_del (body, "shape");
    json_object_set_new (body, "shapes", shapes);
  }
  return shapes;
}

/* A mass that fills the shapes evenly becomes the density that it is, so that it stays so with another shape. */
static void
weigh_by_density (json_t *body, const SsBody *read)
{
  const json_t *mass = json_object_get (body, "mass");
  SsVec2 centroid;
  double area = ssapp_shapes_area (read->shapes, read->n_shapes, &centroid);

  if (read->is_fixed || !json_is_number (mass) || json_object_get (body, "inertia") != NULL || !(area > 0) ||
      hypot (centroid.x, centroid.y) > CENTRED)
    return;
  json_object_set_new (body, "density", json_real (round_to (json_number_value (mass) / area, "%.6g")));
  json_object_del (body, "mass");
}

static gboolean
add_to_body (SsappDocument *self, int index, SsappShapeKind kind, const SsVec2 *points, int n_points, GError **error)
{
  g_autofree char *path = ssapp_document_body_path (self, index), *label = NULL;
  json_t *root, *body;
  double pose[3];

  if (path == NULL)
    return ssapp_refuse (error, _ ("The file writes this body by a rule: change the rule in the file"));
  ssapp_document_get_pose (self, index, pose);
  const Frame frame = {pose[0], pose[1], pose[2]};
  root = json_deep_copy (ssapp_document_root (self));
  body = ssapp_tree_get (root, path);
  weigh_by_density (body, &ssapp_document_scene (self)->bodies[index]);
  if (!append_shapes (self, require_shapes (body), kind, &frame, points, n_points, error)) {
    json_decref (root);
    return FALSE;
  }
  label = g_strdup_printf ("Add a shape to %s", ssapp_document_scene (self)->bodies[index].name);
  return ssapp_document_commit (self, root, label, error);
}

gboolean
ssapp_document_draw_shape (SsappDocument *self, SsappShapeKind kind, const SsVec2 *points, int n_points,
                           const char *body, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && points != NULL && (kind == SSAPP_SHAPE_POLYGON || n_points == 2),
                        FALSE);

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  if (body != NULL) {
    int index = ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, body);
    return index >= 0 ? add_to_body (self, index, kind, points, n_points, error)
                      : ssapp_refuse (error, _ ("Select the body that shall have the shape"));
  }
  switch (kind) {
  case SSAPP_SHAPE_BOX:
    return ssapp_document_add_box (self, points[0], points[1], error);
  case SSAPP_SHAPE_DISC:
    return ssapp_document_add_disc (self, points[0], hypot (points[1].x - points[0].x, points[1].y - points[0].y),
                                    error);
  case SSAPP_SHAPE_CAPSULE:
  case SSAPP_SHAPE_SEGMENT:
    return add_long_body (self, kind, points, error);
  case SSAPP_SHAPE_POLYGON:
  default:
    return add_polygon_body (self, points, n_points, error);
  }
}

gboolean
ssapp_document_place_shape (SsappDocument *self, SsappShapeKind kind, SsVec2 at, const char *body, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const double r = DEFAULT_LENGTH / 2; /* a hexagon of round corners */
  const SsVec2 corners[] = {{at.x - r, at.y}, {at.x - r / 2, at.y - r}, {at.x + r / 2, at.y - r},
                            {at.x + r, at.y}, {at.x + r / 2, at.y + r}, {at.x - r / 2, at.y + r}},
               click[2] = {at, at};

  return kind == SSAPP_SHAPE_POLYGON
             ? ssapp_document_draw_shape (self, kind, corners, G_N_ELEMENTS (corners), body, error)
             : ssapp_document_draw_shape (self, kind, click, 2, body, error);
}

gboolean
ssapp_document_remove_shape (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && path != NULL, FALSE);
  const char *bracket = strrchr (path, '['), *dot = strrchr (path, '.');
  g_autofree char *body_path = g_strndup (path, dot != NULL ? (gsize)(dot - path) : 0), *label = NULL;
  json_t *root, *body, *shapes;
  const char *name;

  if (bracket == NULL || dot == NULL || !g_str_has_prefix (path, "scene.bodies[") ||
      !g_str_has_prefix (dot, ".shapes[") || ssapp_tree_get (ssapp_document_root (self), path) == NULL)
    return ssapp_refuse (error, _ ("A body needs a shape: delete the body instead"));
  root = json_deep_copy (ssapp_document_root (self));
  body = ssapp_tree_get (root, body_path);
  shapes = json_object_get (body, "shapes");
  if (json_array_size (shapes) < 2) {
    json_decref (root);
    return ssapp_refuse (error, _ ("A body needs a shape: delete the body instead"));
  }
  json_array_remove (shapes, (size_t)g_ascii_strtoull (bracket + 1, NULL, 10));
  if (json_array_size (shapes) == 1) {
    json_object_set (body, "shape", json_array_get (shapes, 0));
    json_object_del (body, "shapes");
  }
  name = json_string_value (json_object_get (body, "name"));
  label = g_strdup_printf ("Delete a shape of %s", name != NULL ? name : "a body");
  return ssapp_document_commit (self, root, label, error);
}

/* ---- corners ----------------------------------------------------------------------------------------------------- */

/* Halfway between two numbers or formulas. */
static json_t *
middle_of (const json_t *a, const json_t *b)
{
  g_autofree char *first = NULL, *second = NULL, *text = NULL;
  char digits[64];

  if (json_is_number (a) && json_is_number (b))
    return json_real (ssapp_tidy ((json_number_value (a) + json_number_value (b)) / 2));
  for (int i = 0; i < 2; i++) {
    const json_t *value = i == 0 ? a : b;
    char **out = i == 0 ? &first : &second;
    if (json_is_number (value))
      ss_format_double (json_number_value (value), digits, sizeof digits);
    *out = g_strdup (json_is_number (value) ? digits : json_string_value (value));
  }
  text = g_strdup_printf ("((%s) + (%s))/2", first != NULL ? first : "0", second != NULL ? second : "0");
  return json_string (text);
}

/* The list that a path such as "….vertices[2]" leads into, in a copy of the tree; NULL with an error. */
static json_t *
copy_with_corners (SsappDocument *self, const char *path, json_t **corners, size_t *index, GError **error)
{
  const char *bracket = path != NULL ? strrchr (path, '[') : NULL;
  g_autofree char *list = g_strndup (path, bracket != NULL ? (gsize)(bracket - path) : 0);
  json_t *root;

  *index = bracket != NULL ? (size_t)g_ascii_strtoull (bracket + 1, NULL, 10) : 0;
  if (!g_str_has_suffix (list, ".vertices") || ssapp_tree_get (ssapp_document_root (self), path) == NULL) {
    ssapp_refuse (error, _ ("There is no such corner"));
    return NULL;
  }
  root = json_deep_copy (ssapp_document_root (self));
  *corners = ssapp_tree_get (root, list);
  return root;
}

gboolean
ssapp_document_add_corner (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  json_t *corners, *root;
  size_t index;

  root = copy_with_corners (self, path, &corners, &index, error);
  if (root == NULL)
    return FALSE;
  const json_t *a = json_array_get (corners, index),
               *b = json_array_get (corners, (index + 1) % json_array_size (corners));
  json_array_insert_new (corners, index + 1,
                         json_pack ("[o, o]", middle_of (json_array_get (a, 0), json_array_get (b, 0)),
                                    middle_of (json_array_get (a, 1), json_array_get (b, 1))));
  return ssapp_document_commit (self, root, "Add a corner", error);
}

gboolean
ssapp_document_remove_corner (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  json_t *corners, *root;
  size_t index;

  root = copy_with_corners (self, path, &corners, &index, error);
  if (root == NULL)
    return FALSE;
  json_array_remove (corners, index);
  if (json_array_size (corners) < 3) {
    json_decref (root);
    return ssapp_refuse (error, _ ("A polygon needs three corners"));
  }
  return ssapp_document_commit (self, root, "Delete a corner", error);
}

/* ---- in words ---------------------------------------------------------------------------------------------------- */

static const char *
word_for (const SsShape *shape, gboolean is_box)
{
  switch (shape->kind) {
  case SS_SHAPE_CIRCLE:
    return _ ("Disc");
  case SS_SHAPE_CAPSULE:
    return _ ("Capsule");
  case SS_SHAPE_SEGMENT:
    return _ ("Segment");
  case SS_SHAPE_HALF_PLANE:
    return _ ("Ground");
  case SS_SHAPE_POLYGON:
  default:
    return is_box ? _ ("Box") : _ ("Polygon");
  }
}

char *
ssapp_document_shape_path (SsappDocument *self, int index, int shape)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  g_autofree char *body = ssapp_document_body_path (self, index),
                  *listed = body != NULL ? g_strdup_printf ("%s.shapes[%d]", body, shape) : NULL;

  if (listed != NULL && ssapp_tree_get (ssapp_document_root (self), listed) != NULL)
    return g_steal_pointer (&listed);
  return body != NULL && shape == 0 ? g_strconcat (body, ".shape", NULL) : NULL;
}

char *
ssapp_document_name_shape (SsappDocument *self, int index, int shape)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  const SsBody *body = &ssapp_document_scene (self)->bodies[index];
  g_autofree char *path = ssapp_document_shape_path (self, index, shape),
                  *type_path = path != NULL ? g_strconcat (path, ".type", NULL) : NULL;
  const char *type =
      type_path != NULL ? json_string_value (ssapp_tree_get (ssapp_document_root (self), type_path)) : NULL;
  const char *word = word_for (&body->shapes[shape], g_strcmp0 (type, "box") == 0);

  return body->n_shapes > 1 ? g_strdup_printf (_ ("Shape %d: %s"), shape + 1, word) : g_strdup (word);
}

char *
ssapp_document_describe_mass (SsappDocument *self, int index)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  const SsScene *scene = ssapp_document_scene (self);
  const SsBody *body = scene != NULL && index >= 0 && index < scene->n_bodies ? &scene->bodies[index] : NULL;
  g_autofree char *mass = NULL, *inertia = NULL, *x = NULL, *y = NULL;

  if (body == NULL || body->is_fixed)
    return NULL;
  mass = ssapp_short_number (body->mass);
  inertia = ssapp_short_number (body->inertia);
  x = ssapp_short_number (ssapp_tidy (-body->origin.x) + 0.0);
  y = ssapp_short_number (ssapp_tidy (-body->origin.y) + 0.0);
  return g_strdup_printf (_ ("Mass %s kg, inertia %s kg m², centre of mass at %s, %s m in its frame."), mass, inertia,
                          x, y);
}
