/* app/exchange/ssapp-mjcf-joints.c: joints of MJCF as a scene's: pins and sliders where a body has one; without, where
 * it has all three ways of the plane; with a constraint by a formula, where it has two. Their springs, dampers, limits
 * and drives act along coordinates, which are formulas of the bodies' positions. */
#include "app/exchange/ssapp-mjcf-private.h"

#include <math.h>
#include <string.h>

#define digits ssapp_mjcf_digits

SsVec2
ssapp_mjcf_in_body (const SsappLinkBody *body, SsVec2 point)
{
  const double dx = point.x - body->centre.x, dy = point.y - body->centre.y;
  const double c = cos (body->angle), s = sin (body->angle);

  return (SsVec2){c * dx + s * dy, c * dy - s * dx};
}

int
ssapp_mjcf_carrier (const SsappMjcf *self, int leader)
{
  const int parent = SSAPP_BODY (self, leader)->parent;

  return parent < 0 ? -1 : SSAPP_BODY (self, parent)->leader;
}

const char *
ssapp_mjcf_body_name (const SsappMjcf *self, int leader)
{
  return leader < 0 ? "world" : SSAPP_BODY (self, leader)->name;
}

/* ---- coordinates ------------------------------------------------------------------------------------------------- */

static double
angle_between (const SsappMjcf *self, int leader)
{
  const int carrier = ssapp_mjcf_carrier (self, leader);

  return SSAPP_BODY (self, leader)->angle - (carrier < 0 ? 0 : SSAPP_BODY (self, carrier)->angle);
}

/* Where the body's sliding point is, as a point of the body ("joint") and of what carries it ("at_BODY"). */
static void
need_points (SsappMjcf *self, const SsappLink *link)
{
  SsappLinkBody *body = SSAPP_BODY (self, link->body);
  const int carrier = ssapp_mjcf_carrier (self, link->body);
  const SsVec2 p = ssapp_mjcf_in_body (body, link->anchor);

  if (body->has_point)
    return;
  body->has_point = TRUE;
  g_string_append_printf (body->points, "%s\"joint\": [%s, %s]", body->points->len > 0 ? ", " : "", digits (p.x),
                          digits (p.y));
  if (carrier >= 0) {
    GString *points = SSAPP_BODY (self, carrier)->points;
    const SsVec2 q = ssapp_mjcf_in_body (SSAPP_BODY (self, carrier), link->anchor);
    g_string_append_printf (points, "%s\"at_%s\": [%s, %s]", points->len > 0 ? ", " : "", body->name, digits (q.x),
                            digits (q.y));
  }
}

/* The direction of a slide, or across it, as two formulas; g_free. */
static void
direction_of (SsappMjcf *self, const SsappLink *link, SsVec2 direction, char *formulas[2])
{
  const int carrier = ssapp_mjcf_carrier (self, link->body), frame = link->turns_with ? link->body : carrier;
  const double length = hypot (direction.x, direction.y);

  if (frame < 0) {
    formulas[0] = g_strdup_printf ("(%s)", digits (direction.x));
    formulas[1] = g_strdup_printf ("(%s)", digits (direction.y));
    return;
  }
  const double angle = atan2 (direction.y, direction.x) - SSAPP_BODY (self, frame)->angle;
  const char *name = SSAPP_BODY (self, frame)->name;
  for (int i = 0; i < 2; i++)
    formulas[i] =
        g_strdup_printf ("(%s*%s(%s.theta + (%s)))", digits (length), i == 0 ? "cos" : "sin", name, digits (angle));
}

/* How far the sliding point is from its place, or how fast, as two formulas; g_free. */
static void
offset_of (SsappMjcf *self, const SsappLink *link, gboolean of_rate, char *formulas[2])
{
  const SsappLinkBody *body = SSAPP_BODY (self, link->body);
  const int carrier = ssapp_mjcf_carrier (self, link->body);
  const double start[2] = {link->anchor.x, link->anchor.y};
  const char *v = of_rate ? "v" : "";

  need_points (self, link);
  for (int i = 0; i < 2; i++) {
    const char axis = i == 0 ? 'x' : 'y';
    if (carrier >= 0)
      formulas[i] = g_strdup_printf ("(%s.joint.%s%c - %s.at_%s.%s%c)", body->name, v, axis,
                                     SSAPP_BODY (self, carrier)->name, body->name, v, axis);
    else if (of_rate)
      formulas[i] = g_strdup_printf ("%s.joint.v%c", body->name, axis);
    else
      formulas[i] = g_strdup_printf ("(%s.joint.%c - (%s))", body->name, axis, digits (start[i]));
  }
}

/* direction . offset; g_free */
static char *
projection (SsappMjcf *self, const SsappLink *link, SsVec2 direction, gboolean of_rate)
{
  const int carrier = ssapp_mjcf_carrier (self, link->body), frame = link->turns_with ? link->body : carrier;
  char *d[2], *o[2], *t[2];

  direction_of (self, link, direction, d);
  offset_of (self, link, of_rate, o);
  char *formula = g_strdup_printf ("(%s*%s + %s*%s)", d[0], o[0], d[1], o[1]);
  if (of_rate && frame >= 0) { /* the direction turns, too */
    g_autofree char *straight = formula;
    offset_of (self, link, FALSE, t);
    formula = g_strdup_printf ("(%s + %s.omega*(%s*%s - %s*%s))", straight, SSAPP_BODY (self, frame)->name, d[0], t[1],
                               d[1], t[0]);
    g_free (t[0]);
    g_free (t[1]);
  }
  for (int i = 0; i < 2; i++) {
    g_free (d[i]);
    g_free (o[i]);
  }
  return formula;
}

char *
ssapp_mjcf_coordinate (SsappMjcf *self, const SsappLink *link, gboolean of_rate)
{
  const int carrier = ssapp_mjcf_carrier (self, link->body);
  const char *name = SSAPP_BODY (self, link->body)->name, *sign = link->sign < 0 ? "-" : "";

  if (link->kind == SSAPP_LINK_SLIDE) {
    char *formula = projection (self, link, link->dual, of_rate);
    if (of_rate || link->ref == 0)
      return formula;
    g_autofree char *before = formula;
    return g_strdup_printf ("(%s + (%s))", before, digits (link->ref));
  }
  g_autofree char *between = carrier < 0
                                 ? g_strdup_printf ("%s.%s", name, of_rate ? "omega" : "theta")
                                 : g_strdup_printf ("(%s.%s - %s.%s)", name, of_rate ? "omega" : "theta",
                                                    SSAPP_BODY (self, carrier)->name, of_rate ? "omega" : "theta");
  const double zero = link->ref - link->sign * angle_between (self, link->body);
  if (of_rate || zero == 0)
    return g_strdup_printf ("(%s%s)", sign, between);
  return g_strdup_printf ("(%s%s + (%s))", sign, between, digits (zero));
}

/* A force that a formula gives along a joint's coordinate, as forces. */
static void
write_effort (SsappMjcf *self, const SsappLink *link, const char *name, const char *formula, GString *forces)
{
  const int carrier = ssapp_mjcf_carrier (self, link->body);
  const char *body = SSAPP_BODY (self, link->body)->name, *sign = link->sign < 0 ? "-" : "";
  const char *back = link->sign < 0 ? "" : "-";

  if (link->kind == SSAPP_LINK_HINGE) {
    ssapp_mjcf_open (forces, "{\"name\": \"%s\", \"body\": \"%s\", \"torque\": \"%s(%s)\"}", name, body, sign, formula);
    if (carrier >= 0)
      ssapp_mjcf_open (forces, "{\"name\": \"%s_back\", \"body\": \"%s\", \"torque\": \"%s(%s)\"}", name,
                       ssapp_mjcf_body_name (self, carrier), back, formula);
    return;
  }
  char *d[2];
  need_points (self, link);
  direction_of (self, link, link->dual, d);
  g_autofree char *fx = g_strdup_printf ("(%s)*%s", formula, d[0]);
  g_autofree char *fy = g_strdup_printf ("(%s)*%s", formula, d[1]);
  if (carrier < 0 && link->joint != NULL) /* it cannot turn */
    ssapp_mjcf_open (forces, "{\"name\": \"%s\", \"body\": \"%s\", \"force\": [\"%s\", \"%s\"]}", name, body, fx, fy);
  else
    ssapp_mjcf_open (forces,
                     "{\"name\": \"%s\", \"body\": \"%s\", \"force\": [\"%s\", \"%s\"],\n       \"torque\": "
                     "\"(%s.joint.x - %s.x)*(%s) - (%s.joint.y - %s.y)*(%s)\"}",
                     name, body, fx, fy, body, body, fy, body, body, fx);
  if (carrier >= 0) {
    const char *other = ssapp_mjcf_body_name (self, carrier);
    ssapp_mjcf_open (forces,
                     "{\"name\": \"%s_back\", \"body\": \"%s\", \"force\": [\"-%s\", \"-%s\"],\n       \"torque\": "
                     "\"(%s.joint.y - %s.y)*(%s) - (%s.joint.x - %s.x)*(%s)\"}",
                     name, other, fx, fy, body, other, fx, body, other, fy);
  }
  g_free (d[0]);
  g_free (d[1]);
}

/* ---- what a body's joints are ------------------------------------------------------------------------------------ */

/* The start is within the limits, or they reach to it. */
static void
widen_limits (SsappMjcf *self, SsappLink *link)
{
  if (link->ref >= link->lower && link->ref <= link->upper)
    return;
  ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, link->element, "starts beyond its range, which reaches to the start here");
  link->lower = fmin (link->lower, link->ref);
  link->upper = fmax (link->upper, link->ref);
}

static void
append_limits (GString *text, double lower, double upper)
{
  if (isfinite (lower))
    g_string_append_printf (text, ", \"lower\": %s", digits (lower));
  if (isfinite (upper))
    g_string_append_printf (text, ", \"upper\": %s", digits (upper));
}

static void
write_single (SsappMjcf *self, SsappLink *link, GString *joints)
{
  const int carrier = ssapp_mjcf_carrier (self, link->body);
  const gboolean turns = link->kind == SSAPP_LINK_HINGE;

  link->joint = ssapp_mjcf_name (self, link->element, turns ? "pin" : "slider");
  ssapp_mjcf_open (joints, "{\"name\": \"%s\", \"type\": \"%s\", \"bodies\": [\"%s\", \"%s\"], \"anchor\": [%s, %s]",
                   link->joint, turns ? "pin" : "slider", ssapp_mjcf_body_name (self, carrier),
                   ssapp_mjcf_body_name (self, link->body), digits (link->anchor.x), digits (link->anchor.y));
  if (turns) {
    const double start = angle_between (self, link->body);
    const double at_lower = start + link->sign * (link->lower - link->ref);
    const double at_upper = start + link->sign * (link->upper - link->ref);
    append_limits (joints, fmin (at_lower, at_upper), fmax (at_lower, at_upper));
  } else {
    const double angle = carrier < 0 ? 0 : -SSAPP_BODY (self, carrier)->angle;
    g_string_append_printf (joints, ", \"axis\": [%s, %s]",
                            digits (cos (angle) * link->direction.x - sin (angle) * link->direction.y),
                            digits (sin (angle) * link->direction.x + cos (angle) * link->direction.y));
    append_limits (joints, link->lower - link->ref, link->upper - link->ref);
  }
  if (link->friction > 0)
    g_string_append_printf (joints, ", \"friction\": %s", digits (link->friction));
  g_string_append_c (joints, '}');
}

/* A body with two of the plane's ways, or all: no joint of the scene. FALSE after telling. */
static gboolean
write_several (SsappMjcf *self, SsappLinkBody *body, GString *constraints)
{
  SsappLink *slides[2] = {NULL, NULL}, *hinge = NULL, *last = NULL;
  const int leader = SSAPP_LINK (body, 0)->body, carrier = ssapp_mjcf_carrier (self, leader);
  int n_slides = 0;

  for (guint i = 0; i < body->links->len; i++) {
    SsappLink *link = last = SSAPP_LINK (body, i);
    link->turns_with = hinge != NULL;
    if (link->kind == SSAPP_LINK_SLIDE && n_slides < 2)
      slides[n_slides++] = link;
    else if (link->kind == SSAPP_LINK_HINGE && hinge == NULL)
      hinge = link;
    else
      n_slides = 3;
  }
  if (n_slides == 2) {
    const SsVec2 a = slides[0]->direction, b = slides[1]->direction;
    const double area = a.x * b.y - a.y * b.x;
    if (fabs (area) > 1e-6 && slides[0]->turns_with == slides[1]->turns_with) {
      slides[0]->dual = (SsVec2){b.y / area, -b.x / area};
      slides[1]->dual = (SsVec2){-a.y / area, a.x / area};
    } else {
      n_slides = 3;
    }
  } else if (n_slides == 1) {
    slides[0]->dual = slides[0]->direction;
  }
  if (n_slides > 2 || n_slides == 0) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, last->element,
                     "its body has joints in a combination that needs massless bodies between");
    return FALSE;
  }
  for (int i = 0; i < n_slides; i++) /* a place that turning does not move */
    slides[i]->anchor = hinge != NULL ? hinge->anchor : slides[0]->anchor;
  if (n_slides == 2 && hinge == NULL && carrier < 0) {
    body->is_upright = TRUE;
  } else if (n_slides == 2 && hinge == NULL) {
    g_autofree char *name = ssapp_mjcf_name (self, NULL, "upright");
    const char *other = SSAPP_BODY (self, carrier)->name;
    ssapp_mjcf_open (constraints, "{\"name\": \"%s\", \"formula\": \"%s.theta - %s.theta - (%s)\"}", name, body->name,
                     other, digits (angle_between (self, leader)));
  } else if (n_slides == 1) {
    g_autofree char *name = ssapp_mjcf_name (self, NULL, "line");
    g_autofree char *off =
        projection (self, slides[0], (SsVec2){-slides[0]->direction.y, slides[0]->direction.x}, FALSE);
    ssapp_mjcf_open (constraints, "{\"name\": \"%s\", \"formula\": \"%s\"}", name, off);
  }
  return TRUE;
}

static void
write_limits (SsappMjcf *self, const SsappLink *link, const char *name, GString *constraints)
{
  g_autofree char *q = ssapp_mjcf_coordinate (self, link, FALSE);

  if (isfinite (link->lower))
    ssapp_mjcf_open (constraints, "{\"name\": \"%s_lower\", \"kind\": \"at_least\", \"formula\": \"%s - (%s)\"}", name,
                     q, digits (link->lower));
  if (isfinite (link->upper))
    ssapp_mjcf_open (constraints, "{\"name\": \"%s_upper\", \"kind\": \"at_least\", \"formula\": \"(%s) - %s\"}", name,
                     digits (link->upper), q);
}

/* Springs, dampers, limits and the like along one coordinate. */
static void
write_along (SsappMjcf *self, SsappLink *link, GString *springs, GString *forces, GString *constraints)
{
  SsappLinkBody *body = SSAPP_BODY (self, link->body);
  const int carrier = ssapp_mjcf_carrier (self, link->body);
  const gboolean turns = link->kind == SSAPP_LINK_HINGE;
  const char *given = ssapp_xml_peek (link->element, "name");
  const gboolean is_limited = link->joint == NULL && (isfinite (link->lower) || isfinite (link->upper));
  g_autofree char *name = link->stiffness > 0 || link->damping > 0 || is_limited
                              ? ssapp_mjcf_name (self, NULL, given != NULL ? given : "joint")
                              : NULL;

  if (is_limited)
    write_limits (self, link, name, constraints);
  if ((link->stiffness > 0 || link->damping > 0) && turns) {
    const double rest = angle_between (self, link->body) + link->sign * (link->springref - link->ref);
    ssapp_mjcf_open (springs, "{\"name\": \"%s\", \"bodies\": [\"%s\", \"%s\"], \"torsion\": true", name,
                     ssapp_mjcf_body_name (self, carrier), body->name);
    if (link->stiffness > 0)
      g_string_append_printf (springs, ", \"stiffness\": %s, \"rest\": %s", digits (link->stiffness), digits (rest));
    if (link->damping > 0)
      g_string_append_printf (springs, ", \"damping\": %s", digits (link->damping));
    g_string_append_c (springs, '}');
  } else if (link->stiffness > 0 || link->damping > 0) {
    g_autofree char *q = ssapp_mjcf_coordinate (self, link, FALSE), *rate = ssapp_mjcf_coordinate (self, link, TRUE);
    g_autoptr (GString) formula = g_string_new (NULL);
    if (link->stiffness > 0)
      g_string_append_printf (formula, "-%s*(%s - (%s))", digits (link->stiffness), q, digits (link->springref));
    if (link->damping > 0)
      g_string_append_printf (formula, "%s-%s*%s", formula->len > 0 ? " " : "", digits (link->damping), rate);
    write_effort (self, link, name, formula->str, forces);
  }
  if (link->joint == NULL && link->friction > 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, link->element,
                     "frictionloss is left out: only single joints have friction");
  if (link->armature > 0 && turns && carrier < 0)
    body->inertia += link->armature;
  else if (link->armature > 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, link->element,
                     "armature is left out: only a hinge on the world can have it, as inertia of its body");
}

void
ssapp_mjcf_write_joints (SsappMjcf *self, GString *joints, GString *springs, GString *forces, GString *constraints)
{
  for (guint b = 0; b < self->bodies->len; b++) {
    SsappLinkBody *body = SSAPP_BODY (self, b);
    const guint n = body->links->len;
    if (n == 0)
      continue;
    if (SSAPP_LINK (body, 0)->kind == SSAPP_LINK_FREE && n == 1 && ssapp_mjcf_carrier (self, (int)b) < 0)
      continue;
    for (guint i = 0; i < n; i++)
      if (SSAPP_LINK (body, i)->kind == SSAPP_LINK_FREE) {
        ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, body->element, "a free joint stands alone, in a body of the world");
        return;
      } else {
        widen_limits (self, SSAPP_LINK (body, i));
        SSAPP_LINK (body, i)->dual = SSAPP_LINK (body, i)->direction;
      }
    if (n == 1)
      write_single (self, SSAPP_LINK (body, 0), joints);
    else if (!write_several (self, body, constraints))
      continue;
    for (guint i = 0; i < n; i++)
      write_along (self, SSAPP_LINK (body, i), springs, forces, constraints);
  }
}

/* ---- equality ---------------------------------------------------------------------------------------------------- */

SsappLink *
ssapp_mjcf_find_link (SsappMjcf *self, const SsappXml *asks, const char *name)
{
  for (guint b = 0; name != NULL && b < self->bodies->len; b++) {
    SsappLinkBody *body = SSAPP_BODY (self, b);
    for (guint i = 0; i < body->links->len; i++)
      if (g_strcmp0 (ssapp_xml_peek (SSAPP_LINK (body, i)->element, "name"), name) == 0)
        return SSAPP_LINK (body, i);
  }
  ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, asks, "there is no joint '%.60s' in the plane", name != NULL ? name : "");
  return NULL;
}

/* Bodies of the scene that an element names: leaders, -1 the world, and the place of the first. FALSE after telling. */
static gboolean
find_two (SsappMjcf *self, SsappXml *element, int leaders[2], SsappPose *first)
{
  static const char *const keys[] = {"body1", "body2"};

  *first = SSAPP_POSE_NONE;
  for (int i = 0; i < 2; i++) {
    const char *name = ssapp_mjcf_get (self, element, keys[i]);
    const guint index = name != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->body_of, name)) : 0;
    leaders[i] = -1;
    if (index > 0) {
      leaders[i] = SSAPP_BODY (self, index - 1)->leader;
      if (i == 0)
        *first = SSAPP_BODY (self, index - 1)->pose;
    } else if (i == 0 || (name != NULL && strcmp (name, "world") != 0)) {
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "%s",
                       name == NULL ? "names no bodies" : "names a body that is not there");
      return FALSE;
    }
  }
  if (leaders[0] == leaders[1]) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: its bodies are one");
    return FALSE;
  }
  return TRUE;
}

static void
write_tie (SsappMjcf *self, SsappXml *element, gboolean is_weld, GString *joints)
{
  double relative[7];
  SsappPose first;
  int leaders[2];

  if (!find_two (self, element, leaders, &first))
    return;
  if (is_weld && ssapp_mjcf_numbers (self, element, "relpose", 7, 7, relative) == 7 &&
      (relative[3] != 0 || relative[4] != 0 || relative[5] != 0 || relative[6] != 0))
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "relpose is left out: the bodies keep the places of the start");
  const SsappVec3 anchor = ssapp_mjcf_vec3 (self, element, "anchor", (SsappVec3){0, 0, 0});
  const SsVec2 at = ssapp_view_of (&self->view, ssapp_pose_point (&first, anchor));
  g_autofree char *name = ssapp_mjcf_name (self, element, is_weld ? "weld" : "connect");
  const int a = leaders[1] < 0 ? 1 : 0; /* "world" is the first */
  ssapp_mjcf_open (joints, "{\"name\": \"%s\", \"type\": \"%s\", \"bodies\": [\"%s\", \"%s\"], \"anchor\": [%s, %s]}",
                   name, is_weld ? "weld" : "pin", ssapp_mjcf_body_name (self, leaders[a]),
                   ssapp_mjcf_body_name (self, leaders[1 - a]), digits (at.x), digits (at.y));
}

/* q1 - ref1 = a polynomial of q2 - ref2. */
static void
write_gear (SsappMjcf *self, SsappXml *element, GString *constraints)
{
  const char *second = ssapp_mjcf_get (self, element, "joint2");
  double c[5] = {0, 1, 0, 0, 0};
  SsappLink *links[2] = {ssapp_mjcf_find_link (self, element, ssapp_mjcf_get (self, element, "joint1")), NULL};
  int moving[4], n = 0;

  if (second != NULL)
    links[1] = ssapp_mjcf_find_link (self, element, second);
  if (links[0] == NULL || (second != NULL && links[1] == NULL))
    return;
  ssapp_mjcf_numbers (self, element, "polycoef", 1, 5, c);
  for (int i = 0; i < 2 && links[i] != NULL; i++) {
    const int of[2] = {links[i]->body, ssapp_mjcf_carrier (self, links[i]->body)};
    for (int k = 0; k < 2; k++) {
      gboolean is_new = of[k] >= 0;
      for (int m = 0; m < n; m++)
        is_new = is_new && moving[m] != of[k];
      if (is_new)
        moving[n++] = of[k];
    }
  }
  if (fabs (c[0]) > 1e-6)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "does not hold at the start");
  if (n > 2) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "ties %d bodies (a constraint has at most 2)", n);
    return;
  }
  g_autofree char *name = ssapp_mjcf_name (self, element, "gear"), *q = ssapp_mjcf_coordinate (self, links[0], FALSE);
  g_autoptr (GString) formula = g_string_new (NULL);
  g_string_append_printf (formula, "%s - (%s) - (%s)", q, digits (links[0]->ref), digits (c[0]));
  if (links[1] != NULL) {
    g_autofree char *p = ssapp_mjcf_coordinate (self, links[1], FALSE);
    for (int i = 1; i < 5; i++)
      if (c[i] != 0)
        g_string_append_printf (formula, " - (%s)*(%s - (%s))^%d", digits (c[i]), p, digits (links[1]->ref), i);
  }
  ssapp_mjcf_open (constraints, "{\"name\": \"%s\", \"formula\": \"%s\"}", name, formula->str);
}

void
ssapp_mjcf_write_equalities (SsappMjcf *self, GString *joints, GString *constraints)
{
  for (guint i = 0; i < self->root->children->len; i++) {
    SsappXml *section = ssapp_xml_child (self->root, i);
    if (strcmp (section->name, "equality") != 0 || self->has_no_equality)
      continue;
    section->is_read = TRUE;
    for (guint k = 0; k < section->children->len; k++) {
      SsappXml *element = ssapp_xml_child (section, k);
      element->is_read = TRUE;
      if (!ssapp_mjcf_flag (self, element, "active", TRUE))
        ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: it is not active");
      else if (strcmp (element->name, "joint") == 0)
        write_gear (self, element, constraints);
      else if (strcmp (element->name, "connect") == 0 || strcmp (element->name, "weld") == 0)
        write_tie (self, element, element->name[0] == 'w', joints);
      else
        ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "is not read");
    }
  }
}
