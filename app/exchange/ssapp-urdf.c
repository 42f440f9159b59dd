/* app/exchange/ssapp-urdf.c: URDF as MJCF: links in one another, joints in their children. A link's first ancestor
 * stands still; without a collision it has the shape that it looks like, and touches nothing. */
#include "app/exchange/ssapp-mjcf-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  SsappMjcf *self;
  SsappXml *robot, *mujoco, *worldbody, *actuator, *equality;
  GHashTable *links;    /* by name */
  GHashTable *children; /* of a link by name: its joints, GPtrArray */
  GHashTable *carried;  /* links that are children, and those that were made */
  int n_made;
} Robot;

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static void
set_numbers (SsappXml *element, const char *name, const double *values, int n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  for (int i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", g_ascii_dtostr (digits, sizeof digits, values[i]));
  ssapp_xml_set (element, name, text->str);
}

/* Of an element without that child, 0 numbers. */
static int
child_numbers (Robot *r, SsappXml *element, const char *child, const char *name, int n, double *out)
{
  SsappXml *found = ssapp_xml_find (element, child);

  if (found == NULL)
    return 0;
  found->is_read = TRUE;
  return ssapp_mjcf_numbers (r->self, found, name, n, n, out);
}

/* `origin` as pos and euler. */
static void
set_origin (Robot *r, SsappXml *from, SsappXml *to)
{
  double v[3];

  if (child_numbers (r, from, "origin", "xyz", 3, v) == 3)
    set_numbers (to, "pos", v, 3);
  if (child_numbers (r, from, "origin", "rpy", 3, v) == 3)
    set_numbers (to, "euler", v, 3);
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

static void
make_inertial (Robot *r, SsappXml *link, SsappXml *body)
{
  static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  SsappXml *from = ssapp_xml_find (link, "inertial");
  double mass, moments[6];

  if (from == NULL)
    return;
  from->is_read = TRUE;
  SsappXml *to = ssapp_xml_add (body, "inertial", from->line);
  set_origin (r, from, to);
  if (child_numbers (r, from, "mass", "value", 1, &mass) == 1)
    set_numbers (to, "mass", &mass, 1);
  for (int i = 0; i < 6; i++)
    if (child_numbers (r, from, "inertia", names[i], 1, &moments[i]) != 1) {
      ssapp_mjcf_tell (r->self, SSAPP_TOLD_WRONG, from, "has no %s", names[i]);
      return;
    }
  set_numbers (to, "fullinertia", moments, 6);
}

static void
make_geom (Robot *r, SsappXml *from, SsappXml *body, gboolean touches)
{
  SsappXml *geometry = ssapp_xml_find (from, "geometry"), *shape;
  double size[3] = {0};

  from->is_read = TRUE;
  if (geometry == NULL || geometry->children->len == 0) {
    ssapp_mjcf_tell (r->self, SSAPP_TOLD_WRONG, from, "has no geometry");
    return;
  }
  geometry->is_read = TRUE;
  shape = ssapp_xml_child (geometry, 0);
  shape->is_read = TRUE;
  SsappXml *to = ssapp_xml_add (body, "geom", from->line);
  to->called = touches ? "collision" : "visual";
  if (ssapp_xml_peek (from, "name") != NULL)
    ssapp_xml_set (to, "name", ssapp_xml_peek (from, "name"));
  set_origin (r, from, to);
  ssapp_xml_set (to, "type", shape->name);
  if (!touches) {
    ssapp_xml_set (to, "contype", "0");
    ssapp_xml_set (to, "conaffinity", "0");
  }
  if (strcmp (shape->name, "box") == 0) {
    ssapp_mjcf_numbers (r->self, shape, "size", 3, 3, size);
    for (int i = 0; i < 3; i++)
      size[i] /= 2;
    set_numbers (to, "size", size, 3);
  } else if (strcmp (shape->name, "sphere") == 0) {
    size[0] = ssapp_mjcf_number (r->self, shape, "radius", 0);
    set_numbers (to, "size", size, 1);
  } else if (strcmp (shape->name, "cylinder") == 0 || strcmp (shape->name, "capsule") == 0) {
    size[0] = ssapp_mjcf_number (r->self, shape, "radius", 0);
    size[1] = ssapp_mjcf_number (r->self, shape, "length", 0) / 2;
    set_numbers (to, "size", size, 2);
  } else {
    ssapp_xml_mark (shape);
  }
}

static void
make_shapes (Robot *r, SsappXml *link, SsappXml *body)
{
  const gboolean touches = ssapp_xml_find (link, "collision") != NULL;

  for (guint i = 0; i < link->children->len; i++) {
    SsappXml *child = ssapp_xml_child (link, i);
    if (strcmp (child->name, touches ? "collision" : "visual") == 0)
      make_geom (r, child, body, touches);
  }
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static SsappXml *
add_joint (SsappXml *body, const SsappXml *from, const char *type, SsappVec3 axis)
{
  SsappXml *to = ssapp_xml_add (body, "joint", from->line);

  ssapp_xml_set (to, "type", type);
  set_numbers (to, "axis", (const double[]){axis.x, axis.y, axis.z}, 3);
  return to;
}

/* Range, and a motor for the effort. */
static void
make_limit (Robot *r, SsappXml *from, SsappXml *to, const char *name, gboolean has_range)
{
  SsappXml *limit = ssapp_xml_find (from, "limit");

  if (limit == NULL)
    return;
  limit->is_read = TRUE;
  const double range[2] = {ssapp_mjcf_number (r->self, limit, "lower", 0),
                           ssapp_mjcf_number (r->self, limit, "upper", 0)};
  const double effort = ssapp_mjcf_number (r->self, limit, "effort", 0), both[2] = {-effort, effort};
  if (has_range && range[0] < range[1])
    set_numbers (to, "range", range, 2);
  else if (has_range)
    ssapp_mjcf_tell (r->self, SSAPP_TOLD_CHANGED, limit, "has no range: the joint is not limited");
  if (!(effort > 0) || ssapp_xml_find (from, "mimic") != NULL)
    return;
  SsappXml *motor = ssapp_xml_add (r->actuator, "motor", limit->line);
  g_autofree char *called = g_strdup_printf ("%s_motor", name);
  ssapp_xml_set (motor, "name", called);
  ssapp_xml_set (motor, "joint", name);
  set_numbers (motor, "ctrlrange", both, 2);
}

static void
make_mimic (Robot *r, SsappXml *from, const char *name)
{
  SsappXml *mimic = ssapp_xml_find (from, "mimic");

  if (mimic == NULL)
    return;
  mimic->is_read = TRUE;
  const char *of = ssapp_xml_get (mimic, "joint");
  const double c[2] = {ssapp_mjcf_number (r->self, mimic, "offset", 0),
                       ssapp_mjcf_number (r->self, mimic, "multiplier", 1)};
  SsappXml *to = ssapp_xml_add (r->equality, "joint", mimic->line);
  to->called = "mimic";
  ssapp_xml_set (to, "joint1", name);
  ssapp_xml_set (to, "joint2", of != NULL ? of : "");
  set_numbers (to, "polycoef", c, 2);
}

static void
make_joint (Robot *r, SsappXml *from, SsappXml *body)
{
  const char *name = ssapp_xml_get (from, "name"), *type = ssapp_xml_get (from, "type");
  const gboolean turns = g_strcmp0 (type, "revolute") == 0 || g_strcmp0 (type, "continuous") == 0;
  double v[3] = {1, 0, 0}, number;
  SsappXml *to;

  from->is_read = TRUE;
  set_origin (r, from, body);
  child_numbers (r, from, "axis", "xyz", 3, v);
  SsappVec3 axis = {v[0], v[1], v[2]};
  if (name == NULL || type == NULL) {
    ssapp_mjcf_tell (r->self, SSAPP_TOLD_WRONG, from, "has no name, or no type");
  } else if (turns || strcmp (type, "prismatic") == 0) {
    to = add_joint (body, from, turns ? "hinge" : "slide", axis);
    ssapp_xml_set (to, "name", name);
    make_limit (r, from, to, name, strcmp (type, "continuous") != 0);
    make_mimic (r, from, name);
    if (child_numbers (r, from, "dynamics", "damping", 1, &number) == 1)
      set_numbers (to, "damping", &number, 1);
    if (child_numbers (r, from, "dynamics", "friction", 1, &number) == 1)
      set_numbers (to, "frictionloss", &number, 1);
  } else if (strcmp (type, "floating") == 0) {
    to = ssapp_xml_add (body, "freejoint", from->line);
    to->called = "joint";
    ssapp_xml_set (to, "name", name);
  } else if (strcmp (type, "planar") == 0 && ssapp_vec3_normalise (&axis)) {
    /* Two directions across the axis, and a turn about it. */
    const SsappVec3 other = fabs (axis.x) < 0.9 ? (SsappVec3){1, 0, 0} : (SsappVec3){0, 1, 0};
    SsappVec3 first = ssapp_vec3_cross (axis, other);
    ssapp_vec3_normalise (&first);
    add_joint (body, from, "slide", first);
    add_joint (body, from, "slide", ssapp_vec3_cross (axis, first));
    to = add_joint (body, from, "hinge", axis);
    ssapp_xml_set (to, "name", name);
  } else if (strcmp (type, "fixed") != 0) {
    ssapp_mjcf_tell (r->self, SSAPP_TOLD_WRONG, from, "its type is '%.40s'", type);
  }
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

/* A link with all that it carries; `joint` (nullable) leads to it. The depth is bounded. */
static void
make_link (Robot *r, SsappXml *link, SsappXml *joint, SsappXml *around, int depth)
{
  const char *name = ssapp_xml_get (link, "name");
  SsappXml *body = ssapp_xml_add (around, "body", link->line);

  if (depth > SSAPP_XML_MAX_DEPTH) {
    ssapp_mjcf_tell (r->self, SSAPP_TOLD_WRONG, link, "more than %d links carry each other", SSAPP_XML_MAX_DEPTH);
    return;
  }
  r->n_made++;
  link->is_read = TRUE;
  body->called = "link";
  ssapp_xml_set (body, "name", name);
  if (joint != NULL)
    make_joint (r, joint, body);
  make_inertial (r, link, body);
  make_shapes (r, link, body);
  const GPtrArray *joints = g_hash_table_lookup (r->children, name);
  for (guint i = 0; joints != NULL && i < joints->len; i++) {
    SsappXml *next = g_ptr_array_index (joints, i), *child = ssapp_xml_find (next, "child");
    make_link (r, g_hash_table_lookup (r->links, ssapp_xml_get (child, "link")), next, body, depth + 1);
  }
}

/* A link that the joint's element `key` names; NULL after telling. */
static SsappXml *
link_of (Robot *r, SsappXml *joint, const char *key)
{
  SsappXml *element = ssapp_xml_find (joint, key);
  const char *name = element != NULL ? ssapp_xml_get (element, "link") : NULL;
  SsappXml *link = name != NULL ? g_hash_table_lookup (r->links, name) : NULL;

  if (element != NULL)
    element->is_read = TRUE;
  if (link == NULL)
    ssapp_mjcf_tell (r->self, SSAPP_TOLD_WRONG, joint, "its %s '%.60s' is no link", key, name != NULL ? name : "");
  return link;
}

static void
read_joint (Robot *r, SsappXml *joint)
{
  SsappXml *parent = link_of (r, joint, "parent"), *child = link_of (r, joint, "child");

  joint->is_read = TRUE;
  if (parent == NULL || child == NULL)
    return;
  if (!g_hash_table_add (r->carried, child)) {
    ssapp_mjcf_tell (r->self, SSAPP_TOLD_WRONG, joint, "its child '%s' is that of another joint",
                     ssapp_xml_peek (child, "name"));
    return;
  }
  const char *name = ssapp_xml_peek (parent, "name");
  GPtrArray *joints = g_hash_table_lookup (r->children, name);
  if (joints == NULL) {
    joints = g_ptr_array_new ();
    g_hash_table_insert (r->children, (gpointer)name, joints);
  }
  g_ptr_array_add (joints, joint);
}

static void
read_links (Robot *r)
{
  for (guint i = 0; i < r->robot->children->len; i++) {
    SsappXml *link = ssapp_xml_child (r->robot, i);
    const char *name = ssapp_xml_peek (link, "name");
    if (strcmp (link->name, "link") != 0)
      continue;
    if (name == NULL || g_hash_table_contains (r->links, name))
      ssapp_mjcf_tell (r->self, SSAPP_TOLD_WRONG, link, "%s",
                       name == NULL ? "has no name" : "its name is that of another link");
    else
      g_hash_table_insert (r->links, (gpointer)name, link);
  }
  for (guint i = 0; i < r->robot->children->len; i++)
    if (strcmp (ssapp_xml_child (r->robot, i)->name, "joint") == 0)
      read_joint (r, ssapp_xml_child (r->robot, i));
}

SsappXml *
ssapp_urdf_to_mjcf (SsappMjcf *self, SsappXml *robot)
{
  Robot r = {
      .self = self,
      .robot = robot,
      .mujoco = ssapp_xml_add (NULL, "mujoco", robot->line),
      .links = g_hash_table_new (g_str_hash, g_str_equal),
      .children = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref),
      .carried = g_hash_table_new (NULL, NULL),
  };
  const char *name = ssapp_xml_get (robot, "name");
  SsappXml *compiler = ssapp_xml_add (r.mujoco, "compiler", robot->line);

  ssapp_xml_set (compiler, "angle", "radian");
  ssapp_xml_set (compiler, "eulerseq", "XYZ");
  ssapp_xml_set (compiler, "inertiafromgeom", "false");
  if (name != NULL)
    ssapp_xml_set (r.mujoco, "model", name);
  r.worldbody = ssapp_xml_add (r.mujoco, "worldbody", robot->line);
  r.actuator = ssapp_xml_add (r.mujoco, "actuator", robot->line);
  r.equality = ssapp_xml_add (r.mujoco, "equality", robot->line);
  read_links (&r);
  for (guint i = 0; i < robot->children->len; i++) {
    SsappXml *link = ssapp_xml_child (robot, i);
    const char *called = ssapp_xml_peek (link, "name");
    if (strcmp (link->name, "link") == 0 && called != NULL && g_hash_table_lookup (r.links, called) == link &&
        !g_hash_table_contains (r.carried, link)) {
      make_link (&r, link, NULL, r.worldbody, 1);
      ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, link, "stands still: no joint leads to it");
    }
  }
  if (r.n_made < (int)g_hash_table_size (r.links) && !self->is_wrong)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, robot, "links carry each other in a circle");
  g_hash_table_unref (r.links);
  g_hash_table_unref (r.children);
  g_hash_table_unref (r.carried);
  return r.mujoco;
}
