/* app/exchange/ssapp-mjcf-geom.c: geoms of MJCF: what they weigh in space, and their shape in the plane. */
#include "app/exchange/ssapp-mjcf-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Directions that agree to this part count as one, lengths [m] as 0: what a file's decimals leave. */
#define SAME 1e-6
/* Corners of what is round and lies across the plane. */
#define CORNERS 32
/* As many as a scene's polygon may have. */
#define MOST_CORNERS 64

enum { PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, OTHER };

/* A geom while it is read. */
typedef struct {
  int type;
  double size[3];
  SsappPose pose; /* in the world */
  double along;   /* cosine of its axis and the plane's normal, not negative */
} Solid;

static SsappVec3
axis_of (const Solid *solid, int k)
{
  return ssapp_pose_turned (&solid->pose, (SsappVec3){k == 0, k == 1, k == 2});
}

/* ---- the plane --------------------------------------------------------------------------------------------------- */

static double
cross_of (SsVec2 o, SsVec2 a, SsVec2 b)
{
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const SsVec2 *p = a, *q = b;

  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* The convex hull of points, against the clock: Andrew's chains. What turns by less than rounding is left out. */
static void
make_hull (GArray *points)
{
  const guint n = points->len;
  g_autofree SsVec2 *hull = g_new (SsVec2, 2 * n + 2);
  guint count = 0;
  double size = 0;

  g_array_sort (points, compare_points);
  const SsVec2 *p = (const SsVec2 *)(void *)points->data;
  for (guint i = 0; i < n; i++)
    size = fmax (size, fmax (fabs (p[i].x - p[0].x), fabs (p[i].y - p[0].y)));
  for (int pass = 0; pass < 2; pass++) {
    const guint first = count;
    for (guint i = 0; i < n; i++) {
      const SsVec2 next = p[pass == 0 ? i : n - 1 - i];
      while (count >= first + 2 && cross_of (hull[count - 2], hull[count - 1], next) <= 1e-12 * size * size)
        count--;
      hull[count++] = next;
    }
    count--; /* the last is the first of the other chain */
  }
  g_array_set_size (points, 0);
  g_array_append_vals (points, hull, count);
}

static void
add_point (const SsappMjcf *self, GArray *points, SsappVec3 point)
{
  const SsVec2 p = ssapp_view_of (&self->view, point);

  g_array_append_val (points, p);
}

static SsappVec3
corner_of (const Solid *solid, double x, double y, double z)
{
  return ssapp_pose_point (&solid->pose, (SsappVec3){x, y, z});
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void
shape_box (SsappMjcf *self, SsappXml *element, const Solid *solid, SsappGeom *geom)
{
  const double *s = solid->size;
  gboolean is_square = FALSE;

  for (int k = 0; k < 3; k++)
    is_square = is_square || fabs (ssapp_vec3_dot (axis_of (solid, k), self->view.normal)) > 1 - SAME;
  if (!is_square)
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "lies askew to the plane: its outline is taken");
  geom->kind = SSAPP_GEOM_POLYGON;
  for (int i = 0; i < 8; i++)
    add_point (self, geom->points, corner_of (solid, i & 1 ? s[0] : -s[0], i & 2 ? s[1] : -s[1], i & 4 ? s[2] : -s[2]));
  make_hull (geom->points);
  if (is_square && geom->points->len > 4) /* corners behind each other, apart by rounding */
    g_array_set_size (geom->points, 4);
}

static void
shape_capsule (SsappMjcf *self, SsappXml *element, const Solid *solid, SsappGeom *geom)
{
  geom->radius = solid->size[0];
  if (solid->along > 1 - SAME) {
    geom->kind = SSAPP_GEOM_CIRCLE;
    add_point (self, geom->points, solid->pose.at);
    return;
  }
  if (solid->along > SAME)
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "lies askew to the plane: its outline is taken");
  geom->kind = SSAPP_GEOM_CAPSULE;
  add_point (self, geom->points, corner_of (solid, 0, 0, -solid->size[1]));
  add_point (self, geom->points, corner_of (solid, 0, 0, solid->size[1]));
}

static void
shape_cylinder (SsappMjcf *self, SsappXml *element, const Solid *solid, SsappGeom *geom)
{
  const double r = solid->size[0], h = solid->size[1];

  geom->radius = r;
  if (solid->along > 1 - SAME) {
    geom->kind = SSAPP_GEOM_CIRCLE;
    add_point (self, geom->points, solid->pose.at);
    return;
  }
  geom->kind = SSAPP_GEOM_POLYGON;
  if (solid->along < SAME) {
    const SsappVec3 z = axis_of (solid, 2), across = ssapp_vec3_cross (self->view.normal, z);
    const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++)
      add_point (self, geom->points,
                 ssapp_vec3_plus (ssapp_vec3_plus (solid->pose.at, z, h * signs[i][0]), across, r * signs[i][1]));
    return;
  }
  ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "lies askew to the plane: its outline is taken");
  for (int i = 0; i < CORNERS; i++) {
    const double a = 2 * G_PI * (i / 2) / (CORNERS / 2.0);
    add_point (self, geom->points, corner_of (solid, r * cos (a), r * sin (a), i % 2 ? h : -h));
  }
  make_hull (geom->points);
}

/* The points of the outline whose normals are CORNERS directions of the plane. */
static void
shape_ellipsoid (SsappMjcf *self, SsappXml *element, const Solid *solid, SsappGeom *geom)
{
  const double *s = solid->size;

  ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "is a polygon of %d corners", CORNERS);
  geom->kind = SSAPP_GEOM_POLYGON;
  for (int i = 0; i < CORNERS; i++) {
    const double a = 2 * G_PI * i / CORNERS;
    SsappVec3 d = ssapp_vec3_plus ((SsappVec3){0, 0, 0}, self->view.x, cos (a));
    double local[3], length = 0;
    d = ssapp_vec3_plus (d, self->view.y, sin (a));
    for (int k = 0; k < 3; k++) {
      local[k] = s[k] * ssapp_vec3_dot (axis_of (solid, k), d);
      length += local[k] * local[k];
    }
    length = sqrt (length);
    add_point (self, geom->points,
               corner_of (solid, s[0] * local[0] / length, s[1] * local[1] / length, s[2] * local[2] / length));
  }
}

static void
shape_plane (SsappMjcf *self, SsappXml *element, const Solid *solid, SsappGeom *geom)
{
  const SsappVec3 normal = axis_of (solid, 2);

  if (geom->leader >= 0) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "a plane belongs to what stands still");
  } else if (solid->along > SAME) {
    ssapp_mjcf_tell (self, solid->along > 1 - SAME ? SSAPP_TOLD_LEFT_OUT : SSAPP_TOLD_WRONG, element,
                     solid->along > 1 - SAME ? "is left out: a wall beside the plane" : "stands askew to the plane");
  } else {
    geom->kind = SSAPP_GEOM_HALF_PLANE;
    add_point (self, geom->points, solid->pose.at);
    add_point (self, geom->points, normal);
  }
}

/* The hull of vertices that the file itself has. */
static void
shape_mesh (SsappMjcf *self, SsappXml *element, const Solid *solid, SsappGeom *geom)
{
  const char *name = ssapp_mjcf_get (self, element, "mesh");
  SsappXml *mesh = NULL;

  for (guint i = 0; i < self->root->children->len; i++) {
    SsappXml *asset = ssapp_xml_child (self->root, i);
    for (guint k = 0; strcmp (asset->name, "asset") == 0 && k < asset->children->len; k++) {
      SsappXml *child = ssapp_xml_child (asset, k);
      if (strcmp (child->name, "mesh") == 0 && g_strcmp0 (ssapp_xml_peek (child, "name"), name) == 0)
        mesh = child;
    }
    asset->is_read = asset->is_read || mesh != NULL;
  }
  const char *vertices = mesh != NULL ? ssapp_xml_get (mesh, "vertex") : NULL;
  if (vertices == NULL) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "its shape is left out: meshes of files are not read");
    return;
  }
  mesh->is_read = TRUE;
  const SsappVec3 scale = ssapp_mjcf_vec3 (self, mesh, "scale", (SsappVec3){1, 1, 1});
  g_auto (GStrv) words = g_strsplit_set (vertices, " \t\r\n", -1);
  double v[3];
  int n = 0;
  for (int i = 0; words[i] != NULL; i++) {
    if (*words[i] == '\0')
      continue;
    v[n % 3] = g_ascii_strtod (words[i], NULL);
    if (!isfinite (v[n % 3]))
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, mesh, "a vertex is '%.40s'", words[i]);
    if (++n % 3 == 0)
      add_point (self, geom->points, corner_of (solid, v[0] * scale.x, v[1] * scale.y, v[2] * scale.z));
  }
  geom->kind = SSAPP_GEOM_POLYGON;
  if (n % 3 != 0 || n == 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, mesh, "%d numbers are no vertices", n);
  else
    make_hull (geom->points);
  if (geom->points->len < 3 || geom->points->len > MOST_CORNERS) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, mesh, "its outline has %u corners (expected 3 to %d)", geom->points->len,
                     MOST_CORNERS);
    geom->kind = SSAPP_GEOM_NONE;
  }
}

/* ---- weight ------------------------------------------------------------------------------------------------------ */

/* Volume, and moments of inertia about the solid's axes with a mass of 1. */
static double
volume_of (const Solid *solid, double moments[3])
{
  const double *s = solid->size;
  double r = s[0], h = s[1], volume, part;

  switch (solid->type) {
  case SPHERE:
    moments[0] = moments[1] = moments[2] = 0.4 * r * r;
    return 4.0 / 3 * G_PI * r * r * r;
  case CAPSULE:
    volume = G_PI * r * r * (2 * h + 4.0 / 3 * r);
    part = 2 * h / (2 * h + 4.0 / 3 * r); /* of the cylinder */
    moments[2] = part * r * r / 2 + (1 - part) * 0.4 * r * r;
    moments[0] = moments[1] = part * (3 * r * r + 4 * h * h) / 12 + (1 - part) * (0.4 * r * r + h * h + 0.75 * h * r);
    return volume;
  case CYLINDER:
    moments[2] = r * r / 2;
    moments[0] = moments[1] = (3 * r * r + 4 * h * h) / 12;
    return 2 * G_PI * r * r * h;
  case ELLIPSOID:
  case BOX:
    for (int k = 0; k < 3; k++) {
      const double a = s[(k + 1) % 3], b = s[(k + 2) % 3];
      moments[k] = (a * a + b * b) / (solid->type == BOX ? 3 : 5);
    }
    return (solid->type == BOX ? 8 : 4.0 / 3 * G_PI) * s[0] * s[1] * s[2];
  default:
    moments[0] = moments[1] = moments[2] = 0;
    return 0;
  }
}

static void
weigh_geom (SsappMjcf *self, SsappXml *element, const Solid *solid, SsappGeom *geom)
{
  double moments[3];
  const double volume = volume_of (solid, moments);
  const double density = ssapp_mjcf_number (self, element, "density", 1000);

  geom->mass = ssapp_mjcf_number (self, element, "mass", density * volume);
  if (geom->mass < 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "its mass is negative");
  if (solid->type == MESH)
    geom->mass = NAN; /* not known; needed where the body has no inertial */
  for (int k = 0; k < 3; k++) {
    const double c = ssapp_vec3_dot (axis_of (solid, k), self->view.normal);
    geom->inertia += geom->mass * moments[k] * c * c;
  }
  geom->centre = ssapp_view_of (&self->view, solid->pose.at);
  if (ssapp_mjcf_flag (self, element, "shellinertia", FALSE))
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "shellinertia: only solid geoms are weighed");
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Sizes, and the place by fromto; FALSE after telling. */
static gboolean
read_size (SsappMjcf *self, SsappXml *element, const SsappPose *frame, Solid *solid)
{
  static const int counts[] = {[SPHERE] = 1, [CAPSULE] = 2, [ELLIPSOID] = 3, [CYLINDER] = 2, [BOX] = 3};
  double ends[6];
  int n = ssapp_mjcf_numbers (self, element, "size", 0, 3, solid->size);
  int wanted = solid->type == PLANE || solid->type >= MESH ? 0 : counts[solid->type];

  if (solid->type >= CAPSULE && solid->type <= BOX && ssapp_mjcf_numbers (self, element, "fromto", 6, 6, ends) == 6) {
    const SsappVec3 from = {ends[0], ends[1], ends[2]}, to = {ends[3], ends[4], ends[5]};
    const SsappVec3 way = ssapp_vec3_plus (to, from, -1);
    SsappPose pose = SSAPP_POSE_NONE;
    if (!ssapp_pose_to_axis (&pose, way)) {
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "fromto has no length");
      return FALSE;
    }
    pose.at = ssapp_vec3_plus (from, way, 0.5);
    solid->pose = ssapp_pose_in (frame, &pose);
    solid->size[wanted - 1] = ssapp_vec3_length (way) / 2;
    if (wanted == 3)
      solid->size[1] = solid->size[0];
    n = n > 0 ? wanted : 0;
  }
  if (n < wanted) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "size has %d numbers (expected %d)", n, wanted);
    return FALSE;
  }
  for (int i = 0; i < wanted; i++)
    if (!(solid->size[i] > 0)) {
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "a size is not above 0");
      return FALSE;
    }
  return TRUE;
}

static void
read_contact (SsappMjcf *self, SsappXml *element, SsappGeom *geom)
{
  geom->contype = ssapp_mjcf_whole (self, element, "contype", 1);
  geom->conaffinity = ssapp_mjcf_whole (self, element, "conaffinity", 1);
  geom->condim = ssapp_mjcf_whole (self, element, "condim", 3);
  geom->priority = ssapp_mjcf_whole (self, element, "priority", 0);
  geom->friction[0] = 1;
  geom->friction[1] = 0.005;
  geom->friction[2] = 0.0001;
  ssapp_mjcf_numbers (self, element, "friction", 1, 3, geom->friction);
}

static void
shape_geom (SsappMjcf *self, SsappXml *element, const Solid *solid, SsappGeom *geom)
{
  switch (solid->type) {
  case PLANE:
    shape_plane (self, element, solid, geom);
    break;
  case SPHERE:
    geom->kind = SSAPP_GEOM_CIRCLE;
    geom->radius = solid->size[0];
    add_point (self, geom->points, solid->pose.at);
    break;
  case CAPSULE:
    shape_capsule (self, element, solid, geom);
    break;
  case ELLIPSOID:
    shape_ellipsoid (self, element, solid, geom);
    break;
  case CYLINDER:
    shape_cylinder (self, element, solid, geom);
    break;
  case BOX:
    shape_box (self, element, solid, geom);
    break;
  default:
    shape_mesh (self, element, solid, geom);
  }
}

void
ssapp_mjcf_read_geom (SsappMjcf *self, SsappXml *element, int body, const SsappPose *frame)
{
  static const char *const types[] = {"plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};
  const char *type = ssapp_mjcf_get (self, element, "type"), *name = ssapp_xml_get (element, "name");
  const SsappPose own = ssapp_mjcf_pose (self, element);
  Solid solid = {.type = OTHER, .pose = ssapp_pose_in (frame, &own)};
  SsappGeom geom = {.element = element, .body = body, .leader = body >= 0 ? SSAPP_BODY (self, body)->leader : -1};

  element->is_read = TRUE;
  if (type == NULL)
    type = ssapp_mjcf_get (self, element, "mesh") != NULL ? "mesh" : "sphere";
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (types[i], type) == 0)
      solid.type = (int)i;
  if (solid.type == OTHER) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "type is '%.40s'", type);
    return;
  }
  read_contact (self, element, &geom);
  if (!read_size (self, element, frame, &solid))
    return;
  solid.along = fabs (ssapp_vec3_dot (axis_of (&solid, 2), self->view.normal));
  geom.points = g_array_new (FALSE, FALSE, sizeof (SsVec2));
  weigh_geom (self, element, &solid, &geom);
  shape_geom (self, element, &solid, &geom);
  if (solid.type != PLANE && fabs (ssapp_vec3_dot (solid.pose.at, self->view.normal)) > SAME)
    ssapp_mjcf_tell_once (self, SSAPP_TOLD_CHANGED, element, "lies beside the plane and is moved into it");
  g_array_append_val (self->geoms, geom);
  if (name != NULL)
    g_hash_table_insert (self->geom_of, g_strdup (name), GUINT_TO_POINTER (self->geoms->len));
}
