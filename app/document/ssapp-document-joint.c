/* app/document/ssapp-document-joint.c: joints and springs drawn between what lies under two points of the canvas. */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>

/* A new spring swings what hangs on it with this period [s] and this share of critical damping: slow enough to be seen,
 * and it comes to rest. */
#define SPRING_PERIOD  0.5
#define SPRING_DAMPING 0.1
/* [m] A drag shorter than this has no direction. */
#define SHORTEST_DRAG 1e-3
#define WORLD         (-1)

/* As SsappJointKind. */
static const struct {
  const char *name, *list, *label;
  gboolean has_two_ends;
} kinds[] = {
    [SSAPP_JOINT_PIN] = {"pin", "joints", "Add a pin", FALSE},
    [SSAPP_JOINT_SLIDER] = {"slider", "joints", "Add a slider", FALSE},
    [SSAPP_JOINT_ROD] = {"rod", "joints", "Add a rod", TRUE},
    [SSAPP_JOINT_SPRING] = {"spring", "springs", "Add a spring", TRUE},
    [SSAPP_JOINT_WELD] = {"weld", "joints", "Add a weld", FALSE},
    [SSAPP_JOINT_TORSION] = {"torsion", "springs", "Add a torsion spring", FALSE},
    [SSAPP_JOINT_GEAR] = {"gear", "joints", "Add a gear", TRUE},
    [SSAPP_JOINT_ROPE] = {"rope", "joints", "Add a rope", TRUE},
};

gboolean
ssapp_joint_kind_from_name (const char *name, SsappJointKind *kind)
{
  g_return_val_if_fail (kind != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (name, kinds[i].name) == 0) {
      *kind = (SsappJointKind)i;
      return TRUE;
    }
  return FALSE;
}

gboolean
ssapp_joint_has_two_ends (SsappJointKind kind)
{
  return kinds[kind].has_two_ends;
}

/* ---- what lies under a point ------------------------------------------------------------------------------------- */

gboolean
ssapp_body_covers (const SsBody *body, SsVec2 point, double reach)
{
  const SsShape dot = {.kind = SS_SHAPE_CIRCLE, .radius = reach};
  const double pose[3] = {point.x, point.y, 0};
  SsGap gaps[SS_MANIFOLD_MAX];

  for (int i = 0; i < body->n_shapes; i++)
    if (ss_geometry_manifold (&body->shapes[i], body->q, &dot, pose, gaps) > 0 && gaps[0].phi <= 0)
      return TRUE;
  return FALSE;
}

/* The topmost body under the point that is drawn below number `above`; WORLD if there is none. */
static int
body_under (const SsScene *scene, SsVec2 point, double reach, int above)
{
  for (int b = above - 1; b >= 0; b--)
    if (ssapp_body_covers (&scene->bodies[b], point, reach))
      return b;
  return WORLD;
}

static const char *
name_of (const SsScene *scene, int body)
{
  return body == WORLD ? "world" : scene->bodies[body].name;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static json_t *
point_to_json (SsVec2 p)
{
  return json_pack ("[f, f]", ssapp_tidy (p.x), ssapp_tidy (p.y));
}

/* The lighter one of the two counts; the world is heavy. */
static double
moving_mass (const SsScene *scene, int a, int b)
{
  double mass = INFINITY;

  if (a != WORLD && !ss_body_is_immovable (&scene->bodies[a]))
    mass = scene->bodies[a].mass;
  if (b != WORLD && !ss_body_is_immovable (&scene->bodies[b]))
    mass = MIN (mass, scene->bodies[b].mass);
  return isfinite (mass) ? mass : 1;
}

static json_t *
spring_entry (const SsScene *scene, int a, int b, SsVec2 from, SsVec2 to)
{
  double mass = moving_mass (scene, a, b), stiffness = mass * pow (2 * G_PI / SPRING_PERIOD, 2);

  return json_pack ("{s:[s, s], s:[o, o], s:f, s:f}", "bodies", name_of (scene, a), name_of (scene, b), "points",
                    point_to_json (from), point_to_json (to), "stiffness", ssapp_round_roughly (stiffness), "damping",
                    ssapp_round_roughly (2 * SPRING_DAMPING * sqrt (stiffness * mass)));
}

/* The lighter one to turn counts. */
static double
moving_inertia (const SsScene *scene, int a, int b)
{
  double inertia = INFINITY;

  for (int i = 0; i < 2; i++) {
    const SsBody *body = (i == 0 ? a : b) != WORLD ? &scene->bodies[i == 0 ? a : b] : NULL;
    if (body != NULL && !ss_body_is_immovable (body) && body->inertia > 0)
      inertia = MIN (inertia, body->inertia);
  }
  return isfinite (inertia) ? inertia : 1;
}

static json_t *
torsion_entry (const SsScene *scene, int a, int b, SsVec2 at)
{
  double inertia = moving_inertia (scene, a, b), stiffness = inertia * pow (2 * G_PI / SPRING_PERIOD, 2);

  return json_pack ("{s:b, s:[s, s], s:o, s:f, s:f}", "torsion", 1, "bodies", name_of (scene, a), name_of (scene, b),
                    "anchor", point_to_json (at), "stiffness", ssapp_round_roughly (stiffness), "damping",
                    ssapp_round_roughly (2 * SPRING_DAMPING * sqrt (stiffness * inertia)));
}

static json_t *
slider_entry (const SsScene *scene, int a, int b, SsVec2 from, SsVec2 to)
{
  double dx = to.x - from.x, dy = to.y - from.y, length = hypot (dx, dy);

  if (length < SHORTEST_DRAG) { /* a click: a level rail */
    dx = length = 1;
    dy = 0;
  }
  /* The axis is given in the first body's frame. */
  double angle = a == WORLD ? 0 : -scene->bodies[a].q[2], c = cos (angle), s = sin (angle);
  SsVec2 axis = {(c * dx - s * dy) / length, (s * dx + c * dy) / length};
  return json_pack ("{s:s, s:[s, s], s:o, s:o}", "type", "slider", "bodies", name_of (scene, a), name_of (scene, b),
                    "anchor", point_to_json (from), "axis", point_to_json (axis));
}

/* Of a disc its radius, of others half their size. */
static double
wheel_radius (const SsBody *body)
{
  return body->shape.kind == SS_SHAPE_CIRCLE ? body->shape.radius : ss_body_size (body) / 2;
}

/* Wheels that are apart have a belt; one within the other has teeth inside; others have teeth, whose radii meet between
 * their middles. */
static json_t *
gear_entry (const SsScene *scene, int a, int b)
{
  static const double near = 1.02; /* of what touches but for how it was drawn */
  const SsBody *bodies[2] = {&scene->bodies[a], &scene->bodies[b]};
  const double d = hypot (bodies[1]->q[0] - bodies[0]->q[0], bodies[1]->q[1] - bodies[0]->q[1]);
  double r[2] = {wheel_radius (bodies[0]), wheel_radius (bodies[1])};
  const int larger = r[1] > r[0];
  const char *style = "external";

  if (d > near * (r[0] + r[1])) {
    style = "belt";
  } else if (near * d < fabs (r[0] - r[1])) {
    style = "internal";
    r[larger] = d > SHORTEST_DRAG ? r[1 - larger] + d : r[larger];
  } else {
    r[0] *= d / (r[0] + r[1]);
    r[1] = d - r[0];
  }
  return json_pack ("{s:s, s:[s, s], s:[f, f], s:s}", "type", "gear", "bodies", name_of (scene, a), name_of (scene, b),
                    "radii", ssapp_tidy (r[0]), ssapp_tidy (r[1]), "style", style);
}

gboolean
ssapp_document_append_entry (SsappDocument *self, const char *list_name, json_t *entry, const char *label,
                             GError **error)
{
  json_t *root = json_deep_copy (ssapp_document_root (self)),
         *list = ssapp_tree_require_list (root, "scene", list_name);
  g_autofree char *path = g_strdup_printf ("scene.%s[%zu]", list_name, json_array_size (list));

  json_array_append_new (list, entry);
  if (!ssapp_document_commit (self, root, label, error))
    return FALSE;
  ssapp_document_select_item (self, path);
  return TRUE;
}

gboolean
ssapp_document_join (SsappDocument *self, SsappJointKind kind, int a, int b, SsVec2 from, SsVec2 to, GError **error)
{
  const SsScene *scene = ssapp_document_scene (self);
  json_t *entry;

  if (kind == SSAPP_JOINT_SPRING)
    entry = spring_entry (scene, a, b, from, to);
  else if (kind == SSAPP_JOINT_GEAR && a == WORLD)
    return ssapp_refuse (error, _ ("A gear joins two bodies that turn"));
  else if (kind == SSAPP_JOINT_GEAR)
    entry = gear_entry (scene, a, b);
  else if (kinds[kind].has_two_ends)
    entry = json_pack ("{s:s, s:[s, s], s:[o, o]}", "type", kinds[kind].name, "bodies", name_of (scene, a),
                       name_of (scene, b), "points", point_to_json (from), point_to_json (to));
  else if (kind == SSAPP_JOINT_SLIDER)
    entry = slider_entry (scene, a, b, from, to);
  else if (kind == SSAPP_JOINT_TORSION)
    entry = torsion_entry (scene, a, b, from);
  else
    entry = json_pack ("{s:s, s:[s, s], s:o}", "type", kinds[kind].name, "bodies", name_of (scene, a),
                       name_of (scene, b), "anchor", point_to_json (from));
  return ssapp_document_append_entry (self, kinds[kind].list, entry, kinds[kind].label, error);
}

gboolean
ssapp_document_add_joint (SsappDocument *self, SsappJointKind kind, SsVec2 from, SsVec2 to, double reach,
                          GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsScene *scene = ssapp_document_scene (self);
  const gboolean has_two_ends = kinds[kind].has_two_ends;
  int a, b;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  /* A pin, a weld and a slider join the two topmost bodies under the point, or the only one with the world; the
   * others what lies under their ends. */
  b = body_under (scene, has_two_ends ? to : from, reach, scene->n_bodies);
  a = has_two_ends ? body_under (scene, from, reach, scene->n_bodies)
      : b == WORLD ? WORLD
                   : body_under (scene, from, reach, b);
  if (b == WORLD) { /* the world comes first */
    int swap = a;
    SsVec2 end = from;
    a = b;
    b = swap;
    from = has_two_ends ? to : from;
    to = has_two_ends ? end : to;
  }
  if (b == WORLD)
    return ssapp_refuse (error, has_two_ends ? _ ("There is no body at either end") : _ ("There is no body there"));
  if (a == b)
    return ssapp_refuse (error, _ ("Both ends are on the same body"));
  if (has_two_ends && hypot (to.x - from.x, to.y - from.y) < SHORTEST_DRAG)
    return ssapp_refuse (error, _ ("Drag from one end to the other"));
  return ssapp_document_join (self, kind, a, b, from, to, error);
}
