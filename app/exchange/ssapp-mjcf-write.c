/* app/exchange/ssapp-mjcf-write.c: a scene as MJCF.
 *
 * Bodies hang on each other by their pins and sliders, the first that reaches each; what closes a loop is an equality.
 * A body without has two slides and a hinge of the world. Frames lie in centres of mass, axes are the scene's, so that
 * coordinates are those of the scene, too. Contacts are pairs of geoms. */
#include "app/exchange/ssapp-robot.h"

#include "core/ss-option.h"

#include <math.h>
#include <string.h>

/* More pairs of geoms are no file to read. */
#define MOST_PAIRS 20000
/* Half the depth of what has one here in the plane alone [m], and of a plane that is drawn. */
#define DEPTH 0.1

typedef struct {
  int joint;  /* that leads to it; -1: none */
  int parent; /* body, -1: the world */
  gboolean is_still;
} Place;

typedef struct {
  const SsScene *scene;
  const char *path;
  const SsappRobotOptions *options;
  GPtrArray *told;
  gboolean is_wrong;
  Place *places;
  GString *bodies, *assets, *equalities, *tendons, *actuators, *pairs, *rates;
  GString **sites; /* of each body, the world's last */
  gboolean moves;  /* a body has a velocity */
} Writer;

G_GNUC_PRINTF (3, 4)
static void
tell (Writer *w, gboolean is_wrong, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  w->is_wrong = w->is_wrong || is_wrong;
  g_ptr_array_add (w->told, g_strdup_printf ("%s: %s%s", w->path, text,
                                             !is_wrong              ? ""
                                             : w->options->is_lossy ? " (left out)"
                                                                    : " (error)"));
}

/* Static, for one use each of 8. */
static const char *
digits (double value)
{
  static _Thread_local char texts[8][32];
  static _Thread_local int next;
  char *text = texts[next++ % 8];

  ss_format_double (value, text, sizeof texts[0]);
  return text;
}

static void
append_point (const Writer *w, GString *text, const char *name, double x, double y)
{
  g_string_append_printf (text, " %s=\"%s %s %s\"", name, digits (x), w->options->is_xy ? digits (y) : "0",
                          w->options->is_xy ? "0" : digits (y));
}

static void
append_turn (const Writer *w, GString *text, double angle)
{
  const double c = cos (angle / 2), s = sin (angle / 2);

  if (angle != 0)
    g_string_append_printf (text, " quat=\"%s 0 %s %s\"", digits (c), w->options->is_xy ? "0" : digits (-s),
                            w->options->is_xy ? digits (s) : "0");
}

static void
append_pair (GString *text, const char *name, double low, double high)
{
  if (isfinite (low) || isfinite (high))
    g_string_append_printf (text, " %s=\"%s %s\"", name, digits (fmax (low, -SSAPP_ROBOT_FAR)),
                            digits (fmin (high, SSAPP_ROBOT_FAR)));
}

static const char *
name_of (const Writer *w, int body)
{
  return body < 0 ? "world" : w->scene->bodies[body].name;
}

/* A body that has a place in the tree of moving ones. */
static gboolean
is_moving (const Writer *w, int body)
{
  return body >= 0 && !w->places[body].is_still;
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

static gboolean
hangs_on (const Writer *w, int body, int other)
{
  for (; body >= 0; body = w->places[body].parent)
    if (body == other)
      return TRUE;
  return FALSE;
}

static gboolean
has_lock (const SsBody *body)
{
  return body->lock[0] || body->lock[1] || body->lock[2];
}

/* Joints in the order of the file lead to bodies that no other leads to. */
static void
make_tree (Writer *w)
{
  const SsScene *scene = w->scene;

  for (int b = 0; b < scene->n_bodies; b++) {
    const SsBody *body = &scene->bodies[b];
    w->places[b] = (Place){-1, -1, ss_body_is_immovable (body)};
    for (int k = 0; k < 3; k++)
      if (body->lock[k] && body->v[k] != 0)
        tell (w, TRUE, "body '%s': moves steadily by its lock", body->name);
  }
  for (int j = 0; j < scene->n_joints; j++) {
    const SsJoint *joint = &scene->joints[j];
    const int ends[2] = {joint->body_b, joint->body_a};
    if (joint->kind != SS_JOINT_PIN && joint->kind != SS_JOINT_SLIDER)
      continue;
    for (int e = 0; e < 2; e++) {
      const int child = ends[e], parent = ends[1 - e];
      if (!is_moving (w, child) || w->places[child].joint >= 0 || has_lock (&scene->bodies[child]) ||
          (is_moving (w, parent) && hangs_on (w, parent, child)))
        continue;
      w->places[child] = (Place){j, is_moving (w, parent) ? parent : -1, FALSE};
      break;
    }
  }
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* The sides of a rectangle from its first corner; FALSE: it is none. */
static gboolean
is_rectangle (const SsShape *shape)
{
  const SsVec2 *v = shape->vertices;

  if (shape->n_vertices != 4)
    return FALSE;
  const SsVec2 a = {v[1].x - v[0].x, v[1].y - v[0].y}, b = {v[2].x - v[1].x, v[2].y - v[1].y};
  const double size = hypot (a.x, a.y) + hypot (b.x, b.y);
  return fabs (a.x * b.x + a.y * b.y) < 1e-14 * size * size && fabs (v[3].x - v[2].x + a.x) < 1e-14 * size &&
         fabs (v[3].y - v[2].y + a.y) < 1e-14 * size;
}

static void
write_polygon (Writer *w, const SsShape *shape, const char *name, GString *out)
{
  const SsVec2 *v = shape->vertices;

  if (is_rectangle (shape)) {
    const SsVec2 a = {v[1].x - v[0].x, v[1].y - v[0].y};
    const double width = hypot (a.x, a.y) / 2, height = hypot (v[2].x - v[1].x, v[2].y - v[1].y) / 2;
    g_string_append_printf (out, " type=\"box\" size=\"%s %s %s\"", digits (width),
                            digits (w->options->is_xy ? height : DEPTH), digits (w->options->is_xy ? DEPTH : height));
    append_point (w, out, "pos", (v[0].x + v[2].x) / 2, (v[0].y + v[2].y) / 2);
    append_turn (w, out, atan2 (a.y, a.x));
    return;
  }
  g_string_append_printf (out, " type=\"mesh\" mesh=\"%s\"", name);
  g_string_append_printf (w->assets, "    <mesh name=\"%s\" vertex=\"", name);
  for (int side = -1; side <= 1; side += 2)
    for (int i = 0; i < shape->n_vertices; i++)
      g_string_append_printf (w->assets, "%s%s %s %s", side > -1 || i > 0 ? "  " : "", digits (v[i].x),
                              digits (w->options->is_xy ? v[i].y : side * DEPTH),
                              digits (w->options->is_xy ? side * DEPTH : v[i].y));
  g_string_append (w->assets, "\"/>\n");
}

static char *
geom_name (const SsBody *body, int i)
{
  return ss_body_n_shapes (body) == 1 ? g_strdup (body->name) : g_strdup_printf ("%s_%d", body->name, i + 1);
}

static void
write_shapes (Writer *w, int index, const char *indent, GString *out)
{
  const SsBody *body = &w->scene->bodies[index];
  gboolean touches = FALSE;

  for (int i = 0; i < w->scene->n_contacts; i++)
    touches = touches || w->scene->contacts[i].body_a == index || w->scene->contacts[i].body_b == index;
  for (int i = 0; i < ss_body_n_shapes (body); i++) {
    const SsShape *shape = ss_body_shape (body, i);
    g_autofree char *name = geom_name (body, i);
    if (shape->kind == SS_SHAPE_SEGMENT) {
      tell (w, touches, "body '%s': a segment is left out: it has no thickness", body->name);
      continue;
    }
    g_string_append_printf (out, "%s<geom name=\"%s\"", indent, name);
    switch (shape->kind) {
    case SS_SHAPE_CIRCLE:
      g_string_append_printf (out, " type=\"sphere\" size=\"%s\"", digits (shape->radius));
      append_point (w, out, "pos", shape->centre.x, shape->centre.y);
      break;
    case SS_SHAPE_CAPSULE: {
      const SsVec2 a = shape->vertices[0], b = shape->vertices[1];
      const gboolean is_xy = w->options->is_xy;
      g_string_append_printf (out, " type=\"capsule\" size=\"%s\" fromto=\"%s %s %s", digits (shape->radius),
                              digits (a.x), is_xy ? digits (a.y) : "0", is_xy ? "0" : digits (a.y));
      g_string_append_printf (out, " %s %s %s\"", digits (b.x), is_xy ? digits (b.y) : "0", is_xy ? "0" : digits (b.y));
      break;
    }
    case SS_SHAPE_HALF_PLANE:
      g_string_append (out, " type=\"plane\" size=\"10 10 1\"");
      append_point (w, out, "pos", shape->centre.x, shape->centre.y);
      append_point (w, out, "zaxis", shape->normal.x, shape->normal.y);
      break;
    default:
      write_polygon (w, shape, name, out);
    }
    g_string_append (out, "/>\n");
  }
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* Torsion springs along one pin, or, with joint -1, between the world and a free body, as attributes. */
static void
append_springs (Writer *w, GString *out, int a, int b)
{
  double stiffness = 0, damping = 0, rest = 0;

  for (int s = 0; s < w->scene->n_springs; s++) {
    const SsSpring *spring = &w->scene->springs[s];
    if (!spring->is_torsion || spring->body_a != a || spring->body_b != b)
      continue;
    if (stiffness > 0 && spring->stiffness > 0 && spring->rest != rest)
      tell (w, TRUE, "spring '%s': another spring is there with another rest", spring->name);
    if (spring->stiffness > 0)
      rest = spring->rest;
    stiffness += spring->stiffness;
    damping += spring->damping;
  }
  if (stiffness > 0)
    g_string_append_printf (out, " stiffness=\"%s\" springref=\"%s\"", digits (stiffness), digits (rest));
  if (damping > 0)
    g_string_append_printf (out, " damping=\"%s\"", digits (damping));
}

static void
add_rate (Writer *w, double rate)
{
  g_string_append_printf (w->rates, " %s", digits (rate));
  w->moves = w->moves || rate != 0;
}

/* The turn of the plane is about -Y, or about Z. */
static const char *
hinge_axis (const Writer *w, gboolean is_reversed)
{
  static const char *const axes[] = {"0 -1 0", "0 1 0", "0 0 1", "0 0 -1"};

  return axes[2 * (w->options->is_xy != 0) + (is_reversed != 0)];
}

static SsVec2
point_velocity (const Writer *w, int body, SsVec2 anchor)
{
  if (body < 0)
    return (SsVec2){0, 0};
  const SsBody *b = &w->scene->bodies[body];
  const SsVec2 r = ss_vec2_turned (anchor, b->q[2]);
  return (SsVec2){b->v[0] - b->v[2] * r.y, b->v[1] + b->v[2] * r.x};
}

static void
write_tree_joint (Writer *w, int child, const char *indent, GString *out)
{
  const SsBody *bodies = w->scene->bodies;
  const SsJoint *joint = &w->scene->joints[w->places[child].joint];
  const int a = joint->body_a, b = joint->body_b;
  const gboolean is_reversed = child == a;
  const SsVec2 anchor = is_reversed ? joint->anchor_a : joint->anchor_b;
  const SsVec2 va = point_velocity (w, a, joint->anchor_a), vb = point_velocity (w, b, joint->anchor_b);
  const double turn = a < 0 ? 0 : bodies[a].q[2], rate = bodies[b].v[2] - (a < 0 ? 0 : bodies[a].v[2]);

  g_string_append_printf (out, "%s<joint name=\"%s\"", indent, joint->name);
  append_point (w, out, "pos", anchor.x, anchor.y);
  if (joint->kind == SS_JOINT_PIN) {
    g_string_append_printf (out, " axis=\"%s\"", hinge_axis (w, is_reversed));
    if (joint->angle != 0)
      g_string_append_printf (out, " ref=\"%s\"", digits (joint->angle));
    append_springs (w, out, a, b);
    add_rate (w, rate);
    if (hypot (vb.x - va.x, vb.y - va.y) > 1e-9)
      tell (w, TRUE, "joint '%s': the velocities of its bodies part it", joint->name);
  } else {
    const SsVec2 axis = ss_vec2_turned (joint->axis, turn),
                 at = a < 0 ? joint->anchor_a : ss_vec2_turned (joint->anchor_a, turn);
    const SsVec2 to = ss_vec2_turned (joint->anchor_b, bodies[b].q[2]);
    const SsVec2 pa = a < 0 ? at : (SsVec2){bodies[a].q[0] + at.x, bodies[a].q[1] + at.y};
    const double travel = axis.x * (bodies[b].q[0] + to.x - pa.x) + axis.y * (bodies[b].q[1] + to.y - pa.y);
    const SsVec2 local = ss_vec2_turned (axis, -bodies[child].q[2]);
    const double sign = is_reversed ? -1 : 1;
    g_string_append (out, " type=\"slide\"");
    append_point (w, out, "axis", sign * local.x, sign * local.y);
    if (travel != 0)
      g_string_append_printf (out, " ref=\"%s\"", digits (travel));
    add_rate (w, axis.x * (vb.x - va.x) + axis.y * (vb.y - va.y));
    if (fabs (rate) > 1e-9)
      tell (w, TRUE, "joint '%s': the velocities of its bodies turn it", joint->name);
  }
  append_pair (out, "range", joint->lower, joint->upper);
  if (joint->friction > 0)
    g_string_append_printf (out, " frictionloss=\"%s\"", digits (joint->friction));
  g_string_append (out, "/>\n");
}

static void
write_free (Writer *w, int b, const char *indent, GString *out)
{
  const SsBody *body = &w->scene->bodies[b];
  const char *const names[] = {"x", "y", "turn"};

  for (int k = 0; k < 3; k++) {
    if (body->lock[k])
      continue;
    g_string_append_printf (out, "%s<joint name=\"%s_%s\"", indent, body->name, names[k]);
    if (k < 2) { /* axes are of the body's frame */
      const SsVec2 axis = ss_vec2_turned ((SsVec2){k == 0, k == 1}, -body->q[2]);
      g_string_append (out, " type=\"slide\"");
      append_point (w, out, "axis", axis.x, axis.y);
    } else {
      g_string_append_printf (out, " axis=\"%s\"", hinge_axis (w, FALSE));
      append_springs (w, out, -1, b);
    }
    if (body->q[k] != 0)
      g_string_append_printf (out, " ref=\"%s\"", digits (body->q[k]));
    add_rate (w, body->v[k]);
    g_string_append (out, "/>\n");
  }
}

static void
write_sites (Writer *w, int place, const char *indent)
{
  g_auto (GStrv) lines = w->sites[place] != NULL ? g_strsplit (w->sites[place]->str, "\n", -1) : NULL;

  for (int i = 0; lines != NULL && lines[i][0] != '\0'; i++)
    g_string_append_printf (w->bodies, "%s%s\n", indent, lines[i]);
}

/* A body with what hangs on it; the depth is bounded by their number. */
static void
write_body (Writer *w, int b, int depth)
{
  const SsBody *body = &w->scene->bodies[b];
  const Place *place = &w->places[b];
  g_autofree char *indent = g_strnfill ((gsize)(4 + 2 * depth), ' '), *inner = g_strconcat (indent, "  ", NULL);
  SsVec2 at = {body->q[0], body->q[1]};
  double angle = body->q[2];

  if (place->parent >= 0) {
    const double *q = w->scene->bodies[place->parent].q;
    at = ss_vec2_turned ((SsVec2){at.x - q[0], at.y - q[1]}, -q[2]);
    angle -= q[2];
  }
  g_string_append_printf (w->bodies, "%s<body name=\"%s\"", indent, body->name);
  append_point (w, w->bodies, "pos", at.x, at.y);
  append_turn (w, w->bodies, angle);
  g_string_append (w->bodies, ">\n");
  if (!place->is_still) {
    const char *i = digits (body->inertia);
    g_string_append_printf (w->bodies, "%s<inertial pos=\"0 0 0\" mass=\"%s\" diaginertia=\"%s %s %s\"/>\n", inner,
                            digits (body->mass), i, i, i);
    if (!(body->inertia > 0))
      tell (w, TRUE, "body '%s': has no moment of inertia", body->name);
    if (place->joint >= 0)
      write_tree_joint (w, b, inner, w->bodies);
    else
      write_free (w, b, inner, w->bodies);
  }
  write_shapes (w, b, inner, w->bodies);
  write_sites (w, b, inner);
  for (int c = 0; c < w->scene->n_bodies; c++)
    if (w->places[c].joint >= 0 && w->places[c].parent == b)
      write_body (w, c, depth + 1);
  g_string_append_printf (w->bodies, "%s</body>\n", indent);
}

/* The coordinate that is a body's angle in the world: of its pin, or of its own hinge; NULL: none is. */
static char *
hinge_of (const Writer *w, int body)
{
  const int joint = w->places[body].joint;

  if (!is_moving (w, body))
    return NULL;
  if (joint < 0)
    return w->scene->bodies[body].lock[2] ? NULL : g_strdup_printf ("%s_turn", w->scene->bodies[body].name);
  return w->scene->joints[joint].kind == SS_JOINT_PIN && w->places[body].parent < 0 &&
                 w->scene->joints[joint].body_a < 0
             ? g_strdup (w->scene->joints[joint].name)
             : NULL;
}

/* FALSE: its wheels have no hinges in the world. */
static gboolean
write_gear (Writer *w, const SsJoint *gear)
{
  g_autofree char *a = hinge_of (w, gear->body_a), *b = hinge_of (w, gear->body_b);

  if (a == NULL || b == NULL)
    return FALSE;
  g_string_append_printf (w->equalities,
                          "    <joint name=\"%s\" joint1=\"%s\" joint2=\"%s\" polycoef=\"0 %s 0 0 0\"/>\n", gear->name,
                          a, b, digits (-gear->radius[1] / gear->radius[0]));
  return TRUE;
}

/* What keeps bodies together beside the tree. */
static void
write_equalities (Writer *w)
{
  for (int j = 0; j < w->scene->n_joints; j++) {
    const SsJoint *joint = &w->scene->joints[j];
    const gboolean is_tree = (joint->body_a >= 0 && w->places[joint->body_a].joint == j) ||
                             (joint->body_b >= 0 && w->places[joint->body_b].joint == j);
    if (joint->motor_limit > 0)
      tell (w, TRUE, "joint '%s': its motor with a speed", joint->name);
    if (joint->stiffness > 0 || joint->damping > 0)
      tell (w, FALSE, "joint '%s': stiffness and damping of compliant laws are left out", joint->name);
    if (is_tree || joint->kind == SS_JOINT_ROPE || (joint->kind == SS_JOINT_GEAR && write_gear (w, joint)))
      continue;
    const gboolean is_pin = joint->kind == SS_JOINT_PIN && !isfinite (joint->lower) && !isfinite (joint->upper);
    if ((!is_pin && joint->kind != SS_JOINT_WELD) || joint->friction > 0) {
      tell (w, TRUE, "%s '%s': closes a loop or ties bodies as no equality of MJCF", ss_joint_word (joint),
            joint->name);
      continue;
    }
    /* The anchor is a point of the first body that is one. */
    const int first = joint->body_a >= 0 ? joint->body_a : joint->body_b;
    const SsVec2 anchor = joint->body_a >= 0 ? joint->anchor_a : joint->anchor_b;
    g_string_append_printf (w->equalities, "    <%s name=\"%s\" body1=\"%s\"", is_pin ? "connect" : "weld", joint->name,
                            name_of (w, first));
    if (joint->body_a >= 0)
      g_string_append_printf (w->equalities, " body2=\"%s\"", name_of (w, joint->body_b));
    append_point (w, w->equalities, "anchor", anchor.x, anchor.y);
    g_string_append (w->equalities, "/>\n");
  }
}

/* ---- springs, actuators, forces ---------------------------------------------------------------------------------- */

static void
add_site (Writer *w, int body, const char *name, SsVec2 at)
{
  GString **sites = &w->sites[body < 0 ? w->scene->n_bodies : body];

  if (*sites == NULL)
    *sites = g_string_new (NULL);
  g_string_append_printf (*sites, "<site name=\"%s\"", name);
  append_point (w, *sites, "pos", at.x, at.y);
  g_string_append (*sites, "/>\n");
}

/* Whether a joint has the torsion spring: a pin of the tree, or the hinge of a free body. */
static gboolean
has_place (const Writer *w, const SsSpring *spring)
{
  const int a = spring->body_a, b = spring->body_b;

  for (int j = 0; j < w->scene->n_joints; j++) {
    const SsJoint *joint = &w->scene->joints[j];
    if (joint->kind == SS_JOINT_PIN && joint->body_a == a && joint->body_b == b &&
        ((a >= 0 && w->places[a].joint == j) || w->places[b].joint == j))
      return TRUE;
  }
  return a < 0 && is_moving (w, b) && w->places[b].joint < 0 && !w->scene->bodies[b].lock[2];
}

/* A tendon with a limit over sites; before bodies are written, as springs. */
static void
write_ropes (Writer *w)
{
  for (int j = 0; j < w->scene->n_joints; j++) {
    const SsJoint *rope = &w->scene->joints[j];
    if (rope->kind != SS_JOINT_ROPE)
      continue;
    if (rope->restitution > 0)
      tell (w, TRUE, "joint '%s': restitution of a rope", rope->name);
    g_string_append_printf (w->tendons, "    <spatial name=\"%s\" limited=\"true\" range=\"0 %s\">\n", rope->name,
                            digits (rope->length));
    for (int i = 0; i < rope->n_over + 2; i++) {
      const SsRopePoint point = ss_rope_point (rope, i);
      g_autofree char *site = g_strdup_printf ("%s_%d", rope->name, i + 1);
      add_site (w, point.body, site, point.anchor);
      g_string_append_printf (w->tendons, "      <site site=\"%s\"/>\n", site);
    }
    g_string_append (w->tendons, "    </spatial>\n");
  }
}

/* Before bodies are written: sites are in them. */
static void
write_springs (Writer *w)
{
  for (int s = 0; s < w->scene->n_springs; s++) {
    const SsSpring *spring = &w->scene->springs[s];
    if (spring->is_torsion) {
      if (!has_place (w, spring))
        tell (w, TRUE, "spring '%s': turns bodies that no joint of MJCF connects", spring->name);
      continue;
    }
    g_autofree char *a = g_strdup_printf ("%s_1", spring->name), *b = g_strdup_printf ("%s_2", spring->name);
    add_site (w, spring->body_a, a, spring->anchor_a);
    add_site (w, spring->body_b, b, spring->anchor_b);
    g_string_append_printf (w->tendons,
                            "    <spatial name=\"%s\" stiffness=\"%s\" damping=\"%s\" springlength=\"%s\">\n"
                            "      <site site=\"%s\"/>\n      <site site=\"%s\"/>\n    </spatial>\n",
                            spring->name, digits (spring->stiffness), digits (spring->damping), digits (spring->rest),
                            a, b);
  }
}

static void
write_actuators (Writer *w)
{
  for (int i = 0; i < w->scene->n_actuators; i++) {
    const SsActuator *actuator = &w->scene->actuators[i];
    g_autofree char *joint = NULL;
    double gear = 1;
    if (actuator->formula != SS_EXPR_NONE)
      tell (w, TRUE, "actuator '%s': its formula", actuator->name);
    if (actuator->kind == SS_ACTUATOR_JOINT) {
      const SsJoint *driven = &w->scene->joints[actuator->joint];
      const int a = driven->body_a, b = driven->body_b;
      if ((a >= 0 && w->places[a].joint == actuator->joint) || (b >= 0 && w->places[b].joint == actuator->joint))
        joint = g_strdup (driven->name);
    } else if (is_moving (w, actuator->body) && w->places[actuator->body].joint < 0) {
      const SsBody *body = &w->scene->bodies[actuator->body];
      const SsVec2 d = actuator->direction;
      if (actuator->kind == SS_ACTUATOR_TORQUE && !body->lock[2])
        joint = g_strdup_printf ("%s_turn", body->name);
      else if (actuator->kind == SS_ACTUATOR_FORCE && !actuator->is_body_frame && (d.x == 0 || d.y == 0) &&
               (body->lock[2] || (actuator->anchor.x == 0 && actuator->anchor.y == 0)) && !body->lock[d.x == 0]) {
        joint = g_strdup_printf ("%s_%s", body->name, d.x == 0 ? "y" : "x");
        gear = d.x + d.y;
      }
    }
    if (joint == NULL) {
      tell (w, FALSE, "actuator '%s': is left out: it acts along no joint of MJCF", actuator->name);
      continue;
    }
    g_string_append_printf (w->actuators, "    <motor name=\"%s\" joint=\"%s\"", actuator->name, joint);
    if (gear != 1)
      g_string_append_printf (w->actuators, " gear=\"%s\"", digits (gear));
    append_pair (w->actuators, "ctrlrange", actuator->lower, actuator->upper);
    g_string_append (w->actuators, "/>\n");
  }
  for (int i = 0; i < w->scene->n_forces; i++)
    tell (w, TRUE, "force '%s': a formula", w->scene->forces[i].name);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static void
write_contacts (Writer *w)
{
  int n = 0;

  for (int i = 0; i < w->scene->n_contacts && n <= MOST_PAIRS; i++) {
    const SsContact *contact = &w->scene->contacts[i];
    const SsBody *a = &w->scene->bodies[contact->body_a], *b = &w->scene->bodies[contact->body_b];
    if (contact->restitution > 0)
      tell (w, TRUE, "contact '%s': its restitution", contact->name);
    if (contact->cohesion > 0)
      tell (w, TRUE, "contact '%s': its cohesion", contact->name);
    if (contact->stiffness > 0 || contact->damping > 0 || contact->compliance != NULL)
      tell (w, FALSE, "contact '%s': stiffness and damping of compliant laws are left out", contact->name);
    for (int p = 0; p < ss_body_n_shapes (a); p++)
      for (int q = 0; q < ss_body_n_shapes (b) && n++ <= MOST_PAIRS; q++) {
        if (ss_body_shape (a, p)->kind == SS_SHAPE_SEGMENT || ss_body_shape (b, q)->kind == SS_SHAPE_SEGMENT)
          continue;
        g_autofree char *first = geom_name (a, p), *second = geom_name (b, q);
        g_string_append_printf (w->pairs, "    <pair geom1=\"%s\" geom2=\"%s\"", first, second);
        if (contact->mu > 0)
          g_string_append_printf (w->pairs, " condim=\"%d\" friction=\"%s %s 0 %s %s\"/>\n",
                                  contact->rolling > 0 ? 6 : 3, digits (contact->mu), digits (contact->mu),
                                  digits (contact->rolling), digits (contact->rolling));
        else
          g_string_append (w->pairs, " condim=\"1\"/>\n");
      }
  }
  if (n > MOST_PAIRS)
    tell (w, TRUE, "contacts: more than %d pairs of geoms", MOST_PAIRS);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void
append_section (GString *text, const char *name, GString *section)
{
  if (section->len > 0)
    g_string_append_printf (text, "  <%s>\n%s  </%s>\n", name, section->str, name);
  g_string_free (section, TRUE);
}

char *
ssapp_scene_to_mjcf (const char *path, const SsScenario *scenario, const SsappRobotOptions *options, GPtrArray *told,
                     GError **error)
{
  g_return_val_if_fail (scenario != NULL, NULL);

  const SsScene *scene = scenario->scene;
  GString *text = g_string_new (NULL);

  if (scene == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: this is no scene", path);
    return g_string_free (text, TRUE);
  }
  const int n = scene->n_bodies;
  Writer w = {scene, path, options, told, FALSE, g_new0 (Place, n + 1)};
  GString **const sections[] = {&w.bodies, &w.assets, &w.equalities, &w.tendons, &w.actuators, &w.pairs, &w.rates};
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    *sections[i] = g_string_new (NULL);
  w.sites = g_new0 (GString *, n + 1);
  make_tree (&w);
  write_springs (&w);
  write_ropes (&w);
  for (int b = 0; b < n; b++)
    if (w.places[b].joint < 0 || w.places[b].parent < 0)
      write_body (&w, b, 0);
  write_sites (&w, n, "    ");
  write_equalities (&w);
  write_actuators (&w);
  write_contacts (&w);
  if (scenario->task.plan != NULL)
    tell (&w, FALSE, "task: what shall be reached is left out");

  g_autofree char *title = g_markup_escape_text (scenario->name != NULL ? scenario->name : "scene", -1);
  g_string_append_printf (text, "<mujoco model=\"%s\">\n  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n",
                          title);
  g_string_append_printf (text, "  <option timestep=\"%s\"", digits (scenario->task.dt));
  append_point (&w, text, "gravity", scene->gravity.x, scene->gravity.y);
  g_string_append (text, "/>\n  <default>\n    <geom contype=\"0\" conaffinity=\"0\"/>\n  </default>\n");
  append_section (text, "asset", w.assets);
  append_section (text, "worldbody", w.bodies);
  append_section (text, "tendon", w.tendons);
  append_section (text, "equality", w.equalities);
  append_section (text, "contact", w.pairs);
  append_section (text, "actuator", w.actuators);
  if (w.moves)
    g_string_append_printf (text, "  <keyframe>\n    <key name=\"start\" qvel=\"%s\"/>\n  </keyframe>\n",
                            w.rates->str + 1);
  g_string_append (text, "</mujoco>\n");
  g_string_free (w.rates, TRUE);
  for (int b = 0; b <= n; b++)
    if (w.sites[b] != NULL)
      g_string_free (w.sites[b], TRUE);
  g_free (w.sites);
  g_free (w.places);
  if (w.is_wrong && !options->is_lossy) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                 "%s: MJCF cannot say what is marked as an error; --lossy leaves it out", path);
    return g_string_free (text, TRUE);
  }
  return g_string_free (text, FALSE);
}
