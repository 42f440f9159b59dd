/* app/exchange/ssapp-mjcf-bodies.c: the tree of bodies of MJCF, with their joints and masses. */
#include "app/exchange/ssapp-mjcf-private.h"

#include <math.h>
#include <string.h>

/* Directions that agree to this part count as one: what a file's decimals leave. */
#define SAME 1e-6
/* As many as a scene may have, and geoms whose pairs are looked at in a second. */
#define MOST_BODIES 2000
#define MOST_GEOMS  10000

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static void
read_coordinate (SsappMjcf *self, SsappXml *element, SsappLink *link)
{
  const double unit = self->in_degrees && link->kind == SSAPP_LINK_HINGE ? G_PI / 180 : 1;
  double range[2];

  link->ref = unit * ssapp_mjcf_number (self, element, "ref", 0);
  link->springref = unit * ssapp_mjcf_number (self, element, "springref", 0);
  link->stiffness = self->has_no_spring ? 0 : ssapp_mjcf_number (self, element, "stiffness", 0);
  link->damping = self->has_no_damper ? 0 : ssapp_mjcf_number (self, element, "damping", 0);
  link->friction = self->has_no_friction ? 0 : ssapp_mjcf_number (self, element, "frictionloss", 0);
  link->armature = ssapp_mjcf_number (self, element, "armature", 0);
  if (ssapp_mjcf_get (self, element, "springdamper") != NULL)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "springdamper is not read (expected stiffness and damping)");
  ssapp_mjcf_range (self, element, "range", "limited", range);
  link->lower = self->has_no_limit ? -INFINITY : unit * range[0];
  link->upper = self->has_no_limit ? INFINITY : unit * range[1];
}

/* Whether the joint lets the body move in the plane; what lets it leave the plane is told. */
static gboolean
read_link (SsappMjcf *self, SsappXml *element, const SsappPose *frame, int body)
{
  const gboolean is_free = strcmp (element->name, "freejoint") == 0;
  const char *type = is_free ? "free" : ssapp_mjcf_get (self, element, "type");
  SsappLink link = {.element = element, .body = body};
  const SsappVec3 at = ssapp_mjcf_vec3 (self, element, "pos", (SsappVec3){0, 0, 0});
  SsappVec3 axis = ssapp_mjcf_vec3 (self, element, "axis", (SsappVec3){0, 0, 1});

  element->is_read = TRUE;
  link.anchor = ssapp_view_of (&self->view, ssapp_pose_point (frame, at));
  if (is_free || g_strcmp0 (type, "free") == 0) {
    link.kind = SSAPP_LINK_FREE;
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "moves in the plane alone");
    g_array_append_val (SSAPP_BODY (self, body)->links, link);
    return TRUE;
  }
  axis = ssapp_pose_turned (frame, axis);
  if (!ssapp_vec3_normalise (&axis)) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "axis is zero");
    return FALSE;
  }
  const double across = ssapp_vec3_dot (axis, self->view.normal);
  if (type == NULL || strcmp (type, "hinge") == 0) {
    link.kind = SSAPP_LINK_HINGE;
    link.sign = across < 0 ? -1 : 1;
    if (fabs (across) < 1 - SAME) {
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "turns out of the plane");
      return FALSE;
    }
  } else if (strcmp (type, "slide") == 0) {
    link.kind = SSAPP_LINK_SLIDE;
    link.direction = ssapp_view_of (&self->view, axis);
    if (fabs (across) > SAME) {
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "slides out of the plane");
      return FALSE;
    }
  } else {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "a %.40s joint moves out of the plane", type);
    return FALSE;
  }
  read_coordinate (self, element, &link);
  g_array_append_val (SSAPP_BODY (self, body)->links, link);
  return TRUE;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static int
add_body (SsappMjcf *self, SsappXml *element, int parent, const SsappPose *pose)
{
  SsappLinkBody body = {.element = element, .parent = parent, .leader = -1, .pose = *pose};
  const char *name = ssapp_xml_get (element, "name");

  body.links = g_array_new (FALSE, FALSE, sizeof (SsappLink));
  body.points = g_string_new (NULL);
  g_array_append_val (self->bodies, body);
  if (name != NULL)
    g_hash_table_insert (self->body_of, g_strdup (name), GUINT_TO_POINTER (self->bodies->len));
  return (int)self->bodies->len - 1;
}

/* The angle of a leader's frame, that of what carries it where its own leaves the plane. */
static double
angle_of (const SsappMjcf *self, int body)
{
  double angle = 0;

  for (int b = body; b >= 0; b = SSAPP_BODY (self, b)->parent)
    if (ssapp_view_angle (&self->view, &SSAPP_BODY (self, b)->pose, &angle))
      break;
  return angle;
}

static void read_body (SsappMjcf *self, SsappXml *element, int parent, const SsappPose *around);

/* Joints are read before all else: they say who the leader is. The depth of elements is bounded. */
static void
read_joints (SsappMjcf *self, SsappXml *element, const SsappPose *pose, int body)
{
  for (guint i = 0; i < element->children->len; i++) {
    SsappXml *child = ssapp_xml_child (element, i);
    if (strcmp (child->name, "joint") != 0 && strcmp (child->name, "freejoint") != 0)
      continue;
    if (body < 0)
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, child, "the world has no joints");
    else if (read_link (self, child, pose, body))
      SSAPP_BODY (self, body)->leader = body;
  }
}

static void
read_members (SsappMjcf *self, SsappXml *element, const SsappPose *pose, int body)
{
  static const char *const wrong[] = {"composite", "flexcomp", "attach", "replicate", "plugin", "include", NULL};

  for (guint i = 0; i < element->children->len; i++) {
    SsappXml *child = ssapp_xml_child (element, i);
    if (strcmp (child->name, "body") == 0) {
      read_body (self, child, body, pose);
    } else if (strcmp (child->name, "geom") == 0) {
      if (self->geoms->len < MOST_GEOMS)
        ssapp_mjcf_read_geom (self, child, body, pose);
      else
        ssapp_mjcf_tell_once (self, SSAPP_TOLD_WRONG, child, "there are more than %d geoms", MOST_GEOMS);
    } else if (strcmp (child->name, "site") == 0 && ssapp_xml_peek (child, "name") != NULL) {
      SsappSite *site = g_new0 (SsappSite, 1);
      *site = (SsappSite){child, body < 0 ? -1 : SSAPP_BODY (self, body)->leader};
      site->at = ssapp_view_of (&self->view, ssapp_pose_point (pose, ssapp_mjcf_pose (self, child).at));
      g_hash_table_insert (self->site_of, g_strdup (ssapp_xml_peek (child, "name")), site);
    } else if (strcmp (child->name, "frame") == 0) {
      const SsappPose own = ssapp_mjcf_pose (self, child), frame = ssapp_pose_in (pose, &own);
      child->is_read = TRUE;
      read_members (self, child, &frame, body);
    } else if (g_strv_contains (wrong, child->name)) {
      child->is_read = TRUE;
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, child, "is not read");
    }
  }
}

static void
read_body (SsappMjcf *self, SsappXml *element, int parent, const SsappPose *around)
{
  const SsappPose own = ssapp_mjcf_pose (self, element), pose = ssapp_pose_in (around, &own);

  element->is_read = TRUE;
  if (self->bodies->len >= MOST_BODIES) {
    ssapp_mjcf_tell_once (self, SSAPP_TOLD_WRONG, element, "there are more than %d bodies", MOST_BODIES);
    return;
  }
  const int body = add_body (self, element, parent, &pose);
  if (ssapp_mjcf_flag (self, element, "mocap", FALSE))
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "stands still: nobody moves it");
  if (ssapp_mjcf_number (self, element, "gravcomp", 0) != 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "gravcomp is not read: the body has its weight");
  read_joints (self, element, &pose, body);
  SsappLinkBody *read = SSAPP_BODY (self, body);
  if (read->leader < 0 && parent >= 0)
    read->leader = SSAPP_BODY (self, parent)->leader;
  read->angle = angle_of (self, body);
  read_members (self, element, &pose, body);
}

void
ssapp_mjcf_read_bodies (SsappMjcf *self)
{
  const SsappPose world = SSAPP_POSE_NONE;

  for (guint i = 0; i < self->root->children->len; i++) {
    SsappXml *element = ssapp_xml_child (self->root, i);
    if (strcmp (element->name, "include") == 0 || strcmp (element->name, "deformable") == 0) {
      element->is_read = TRUE;
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "is not read");
    }
    if (strcmp (element->name, "worldbody") != 0)
      continue;
    element->is_read = TRUE;
    read_joints (self, element, &world, -1);
    read_members (self, element, &world, -1);
  }
}

/* ---- mass -------------------------------------------------------------------------------------------------------- */

typedef struct {
  double mass, inertia; /* about `centre` */
  SsVec2 centre;
} Matter;

/* Steiner's rule, twice. */
static void
add_matter (Matter *sum, const Matter *part)
{
  const double mass = sum->mass + part->mass;
  const double dx = part->centre.x - sum->centre.x, dy = part->centre.y - sum->centre.y;

  if (!(part->mass != 0)) {
    sum->inertia += part->inertia;
    return;
  }
  sum->inertia += part->inertia + sum->mass * part->mass / mass * (dx * dx + dy * dy);
  sum->centre = (SsVec2){sum->centre.x + part->mass / mass * dx, sum->centre.y + part->mass / mass * dy};
  sum->mass = mass;
}

static void
read_inertial (SsappMjcf *self, SsappXml *element, const SsappPose *frame, Matter *matter)
{
  const SsappPose own = ssapp_mjcf_pose (self, element), pose = ssapp_pose_in (frame, &own);
  const SsappVec3 n = self->view.normal;
  double full[6], normal[3] = {0}, diagonal[3] = {0};

  element->is_read = TRUE;
  matter->mass = ssapp_mjcf_number (self, element, "mass", NAN);
  matter->centre = ssapp_view_of (&self->view, pose.at);
  if (!(matter->mass >= 0))
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "has no mass");
  /* The plane's normal in the inertial's frame. */
  for (int k = 0; k < 3; k++)
    normal[k] = ssapp_vec3_dot (ssapp_pose_turned (&pose, (SsappVec3){k == 0, k == 1, k == 2}), n);
  if (ssapp_mjcf_numbers (self, element, "fullinertia", 6, 6, full) == 6) {
    matter->inertia = full[0] * normal[0] * normal[0] + full[1] * normal[1] * normal[1] +
                      full[2] * normal[2] * normal[2] + 2 * full[3] * normal[0] * normal[1] +
                      2 * full[4] * normal[0] * normal[2] + 2 * full[5] * normal[1] * normal[2];
  } else if (ssapp_mjcf_numbers (self, element, "diaginertia", 3, 3, diagonal) == 3) {
    for (int k = 0; k < 3; k++)
      matter->inertia += diagonal[k] * normal[k] * normal[k];
  } else {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "has no moments of inertia");
  }
}

/* Of one body of the file, without those that it carries. */
static Matter
matter_of (SsappMjcf *self, int body)
{
  SsappXml *inertial = ssapp_xml_find (SSAPP_BODY (self, body)->element, "inertial");
  Matter matter = {.centre = ssapp_view_of (&self->view, SSAPP_BODY (self, body)->pose.at)};

  if (inertial != NULL && self->inertia_from_geom != 1) {
    read_inertial (self, inertial, &SSAPP_BODY (self, body)->pose, &matter);
  } else if (self->inertia_from_geom != 0) {
    if (inertial != NULL) {
      inertial->is_read = TRUE;
      ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, inertial, "is left out: inertiafromgeom is true");
    }
    for (guint i = 0; i < self->geoms->len; i++) {
      const SsappGeom *geom = SSAPP_GEOM (self, i);
      const double group = geom->body == body ? ssapp_mjcf_number (self, geom->element, "group", 0) : 0;
      if (geom->body != body || group < self->inertia_groups[0] || group > self->inertia_groups[1])
        continue;
      if (isnan (geom->mass))
        ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, geom->element,
                         "what a mesh weighs is not known, and its body has no inertial");
      add_matter (&matter, &(const Matter){geom->mass, geom->inertia, geom->centre});
    }
  }
  matter.mass = fmax (matter.mass, self->bound_mass);
  matter.inertia = fmax (matter.inertia, self->bound_inertia);
  return matter;
}

void
ssapp_mjcf_weigh (SsappMjcf *self)
{
  const guint n = self->bodies->len;
  g_autofree Matter *matter = g_new0 (Matter, n + 1);
  double total = 0, times = 1;

  for (guint b = 0; b < n; b++) {
    matter[b] = matter_of (self, (int)b);
    total += matter[b].mass;
  }
  if (self->total_mass > 0 && total > 0)
    times = self->total_mass / total;
  for (guint leader = 0; leader < n; leader++) {
    SsappLinkBody *body = SSAPP_BODY (self, leader);
    Matter sum = {0};
    if (body->leader != (int)leader)
      continue;
    for (guint b = leader; b < n; b++)
      if (SSAPP_BODY (self, b)->leader == (int)leader)
        add_matter (&sum, &matter[b]);
    body->mass = sum.mass * times;
    body->inertia = sum.inertia * times;
    body->centre = sum.centre;
    if (!(sum.mass > 0 && sum.inertia > 0) && !self->is_wrong)
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, body->element, "moves and has no mass, or no moment of inertia");
  }
}
