/* app/document/ssapp-place-snap.c: what a dragged body, a drawn point and a drawn radius snap to. See ssapp-place.h.
 *
 * A body goes, in this order, flush onto an edge, against what it nearly touches, with a point onto a point, onto the
 * grid. What lies on an edge may still go along it: there a second body, the ends and the middle of the edge, and the
 * grid pull. */
#include "app/document/ssapp-place.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MAX_TURN SSAPP_PLACE_FLUSH_ANGLE
/* Bodies in the way count from this depth on [m]. */
#define IN_THE_WAY 1e-9

static double
dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

static SsVec2
sub (SsVec2 a, SsVec2 b)
{
  return (SsVec2){a.x - b.x, a.y - b.y};
}

static double
snapped (double value, double step)
{
  return step > 0 ? round (value / step) * step : value;
}

static gboolean
pulls (const SsappSnapRules *rules, int body, int other)
{
  return other != body && (rules->moves_along == NULL || !rules->moves_along[other]);
}

/* The same for what is near enough to a circle: of the thousands of a large sketch few are. */
static gboolean
pulls_near (const SsScene *scene, const SsappSnapRules *rules, int body, int other, SsVec2 at, double radius)
{
  const SsBody *b = &scene->bodies[other];

  return pulls (rules, body, other) &&
         hypot (b->q[0] - at.x, b->q[1] - at.y) <= radius + ss_body_radius (b) + 2 * rules->reach;
}

static void
say (SsappSnap *snap, const char *format, const char *a, const char *b)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_snprintf (snap->text, sizeof snap->text, format, a, b);
#pragma GCC diagnostic pop
  G_GNUC_END_IGNORE_DEPRECATIONS
}

/* ---- touching ---------------------------------------------------------------------------------------------------- */

/* Turned about its centre so that one face lies against another, and moved there: how well that fits. */
typedef struct {
  double cost; /* [m] */
  double q[3];
  SsappFace target;
} Flush;

static void
try_flush (const SsScene *scene, int body, int other, const double want[3], double reach, guint index,
           const SsappFace *face, const SsappFace *target, Flush *best)
{
  const SsVec2 against = {-target->normal.x, -target->normal.y}, edge = sub (target->to, target->from);
  const double turn = atan2 (face->normal.x * against.y - face->normal.y * against.x, dot (face->normal, against));
  const double length = hypot (edge.x, edge.y);
  const SsVec2 t = {edge.x / length, edge.y / length};
  double p[3] = {want[0], want[1], want[2] + turn}, height, a, b, cost;
  SsappFace turned;
  g_autoptr (GArray) faces = NULL;

  if (fabs (turn) > MAX_TURN)
    return;
  faces = ssapp_place_faces (scene, body, p);
  turned = g_array_index (faces, SsappFace, index);
  height = dot (target->normal, sub (turned.from, target->from));
  a = dot (t, sub (turned.from, target->from));
  b = dot (t, sub (turned.to, target->from));
  cost = fabs (height);
  if (cost > reach || cost >= best->cost ||
      (!target->is_endless && !turned.is_endless && (fmax (a, b) <= 0 || fmin (a, b) >= length)))
    return;
  p[0] -= height * target->normal.x;
  p[1] -= height * target->normal.y;
  if (ssapp_place_gap (scene, body, p, other, NULL) < -IN_THE_WAY)
    return; /* another part of it is lower */
  best->cost = cost;
  best->target = *target;
  memcpy (best->q, p, sizeof p);
}

static void
find_flush (const SsScene *scene, int body, int other, const double want[3], double reach, Flush *best)
{
  g_autoptr (GArray) own = ssapp_place_faces (scene, body, want),
                     theirs = ssapp_place_faces (scene, other, scene->bodies[other].q);

  for (guint i = 0; i < own->len; i++)
    for (guint k = 0; k < theirs->len; k++)
      try_flush (scene, body, other, want, reach, i, &g_array_index (own, SsappFace, i),
                 &g_array_index (theirs, SsappFace, k), best);
}

/* Whether a face of the body lies on `target`, and between which points. */
static gboolean
find_edge (const SsScene *scene, int body, const double q[3], const SsappFace *target, SsVec2 edge[2])
{
  g_autoptr (GArray) faces = ssapp_place_faces (scene, body, q);

  for (guint i = 0; i < faces->len; i++) {
    const SsappFace *face = &g_array_index (faces, SsappFace, i);
    if (dot (face->normal, target->normal) < -1 + 1e-9 &&
        fabs (dot (target->normal, sub (face->from, target->from))) < IN_THE_WAY) {
      edge[0] = face->is_endless ? target->from : face->from;
      edge[1] = face->is_endless ? target->to : face->to;
      return TRUE;
    }
  }
  return FALSE;
}

/* Along `free` until another body is met, if that is near. */
static gboolean
meet_second (const SsScene *scene, int body, const SsappSnapRules *rules, SsappSnap *snap)
{
  const SsVec2 at = {snap->q[0], snap->q[1]};
  const double radius = ss_body_radius (&scene->bodies[body]);
  double least = rules->reach, found[3];

  snap->second = -1;
  for (int o = 0; o < scene->n_bodies; o++) {
    double p[3], way = 0, phi;
    const int both[2] = {snap->body, o};
    SsGap gap = {0};

    if (!pulls_near (scene, rules, body, o, at, radius) || o == snap->body)
      continue;
    phi = ssapp_place_gap (scene, body, snap->q, o, &gap);
    if (!(fabs (phi) <= 2 * rules->reach) || fabs (dot (gap.normal, snap->free)) < 0.1)
      continue;
    memcpy (p, snap->q, sizeof p);
    if (!ssapp_place_settle (scene, body, both, 2, p))
      continue;
    way = hypot (p[0] - snap->q[0], p[1] - snap->q[1]);
    if (way > least)
      continue;
    least = way;
    snap->second = o;
    memcpy (found, p, sizeof found);
  }
  if (snap->second >= 0)
    memcpy (snap->q, found, sizeof found);
  return snap->second >= 0;
}

/* The way along the edge after which ends or middles are over one another. FALSE: none is near. */
static gboolean
align_on (const SsVec2 edge[2], const SsappFace *target, double reach, double *way)
{
  const SsVec2 d = sub (target->to, target->from);
  const double length = hypot (d.x, d.y);
  const SsVec2 t = {d.x / length, d.y / length};
  const double a = dot (t, sub (edge[0], target->from)), b = dot (t, sub (edge[1], target->from));
  const double ways[] = {-a, length - a, -b, length - b, length / 2 - (a + b) / 2};
  gboolean is_near = FALSE;

  *way = reach;
  for (guint i = 0; i < G_N_ELEMENTS (ways) && !target->is_endless; i++)
    if (fabs (ways[i]) <= fabs (*way)) {
      *way = ways[i];
      is_near = TRUE;
    }
  return is_near;
}

/* What lies on a straight edge may go along it: to a second body, to ends, on the grid. */
static void
go_along (const SsScene *scene, int body, const double from[3], const SsappSnapRules *rules, const SsappFace *target,
          SsappSnap *snap)
{
  const SsVec2 d = sub (target->to, target->from);
  const double length = hypot (d.x, d.y);
  const double sign = d.x < -1e-9 * length || (d.x < 1e-9 * length && d.y < 0) ? -1 : 1; /* to the right, or up */
  const SsVec2 t = {sign * d.x / length, sign * d.y / length};
  double way = 0;

  snap->free = t;
  if (meet_second (scene, body, rules, snap)) {
    snap->is_pinned = TRUE;
    snap->free = (SsVec2){0, 0};
  } else {
    if (snap->has_edge && align_on (snap->edge, target, rules->reach, &way)) {
      way *= sign;
    } else {
      const double gone = dot (t, (SsVec2){snap->q[0] - from[0], snap->q[1] - from[1]});
      way = snapped (gone, rules->step) - gone;
    }
    snap->q[0] += way * t.x;
    snap->q[1] += way * t.y;
    ssapp_place_settle (scene, body, &snap->body, 1, snap->q);
  }
}

/* Flush or touching; FALSE if nothing is near. */
static gboolean
snap_to_contact (const SsScene *scene, int body, const double from[3], const double want[3],
                 const SsappSnapRules *rules, SsappSnap *snap)
{
  Flush flush = {.cost = INFINITY};
  double nearest = rules->reach;
  SsGap touching = {0};
  gboolean is_straight = FALSE;
  const SsVec2 at = {want[0], want[1]};
  const double radius = ss_body_radius (&scene->bodies[body]);

  for (int o = 0; o < scene->n_bodies; o++) {
    const double before = flush.cost;

    if (!pulls_near (scene, rules, body, o, at, radius))
      continue;
    find_flush (scene, body, o, want, rules->reach, &flush);
    if (flush.cost < before)
      snap->body = o;
  }
  if (isfinite (flush.cost)) {
    memcpy (snap->q, flush.q, sizeof flush.q);
    if (!ssapp_place_settle (scene, body, &snap->body, 1, snap->q))
      return FALSE;
    snap->has_edge = find_edge (scene, body, snap->q, &flush.target, snap->edge);
    go_along (scene, body, from, rules, &flush.target, snap);
    snap->has_edge = find_edge (scene, body, snap->q, &flush.target, snap->edge);
    snap->kind = SSAPP_SNAP_FLUSH;
    return TRUE;
  }
  for (int o = 0; o < scene->n_bodies; o++) {
    SsGap gap = {0};
    const double phi =
        pulls_near (scene, rules, body, o, at, radius) ? ssapp_place_gap (scene, body, want, o, &gap) : INFINITY;

    if (fabs (phi) > nearest)
      continue;
    nearest = fabs (phi);
    touching = gap;
    snap->body = o;
  }
  if (snap->body < 0 || !ssapp_place_settle (scene, body, &snap->body, 1, snap->q))
    return FALSE;
  {
    g_autoptr (GArray) faces = ssapp_place_faces (scene, snap->body, scene->bodies[snap->body].q);
    const SsappFace *target = NULL;

    for (guint i = 0; i < faces->len; i++)
      if (dot (g_array_index (faces, SsappFace, i).normal, touching.normal) < -1 + 1e-12)
        target = &g_array_index (faces, SsappFace, i);
    is_straight = target != NULL;
    if (is_straight) {
      go_along (scene, body, from, rules, target, snap);
    } else {
      snap->free = (SsVec2){-touching.normal.y, touching.normal.x};
      snap->is_pinned = meet_second (scene, body, rules, snap);
      if (snap->is_pinned)
        snap->free = (SsVec2){0, 0};
    }
  }
  snap->kind = SSAPP_SNAP_TOUCH;
  return TRUE;
}

static void
tell_contact (const SsScene *scene, int body, SsappSnap *snap)
{
  const char *name = scene->bodies[snap->body].name;
  const gboolean is_round = scene->bodies[body].n_shapes == 1 && scene->bodies[body].shape.kind == SS_SHAPE_CIRCLE;
  SsGap gap = {0};

  ssapp_place_gap (scene, body, snap->q, snap->body, &gap);
  snap->at = gap.point_b;
  if (snap->second >= 0)
    say (snap,
         snap->kind == SSAPP_SNAP_FLUSH ? _ ("Flush with %s and against %s, gap 0") : _ ("Against %s and %s, gap 0"),
         name, scene->bodies[snap->second].name);
  else if (snap->kind == SSAPP_SNAP_FLUSH)
    say (snap, _ ("Flush with %s, gap 0%s"), name, "");
  else if (is_round || scene->bodies[snap->body].shape.kind == SS_SHAPE_CIRCLE)
    say (snap, _ ("Tangent to %s, gap 0%s"), name, "");
  else
    say (snap, _ ("Corner touches %s, gap 0%s"), name, "");
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static const char *
kind_name (SsappPointKind kind, gboolean is_first)
{
  static const char *const names[][2] = {
      {N_ ("corner"), N_ ("Corner")}, {N_ ("centre"), N_ ("Centre")}, {N_ ("middle of edge"), N_ ("Middle of edge")}};

  return _ (names[kind][is_first ? 1 : 0]);
}

static gboolean
snap_points (const SsScene *scene, int body, const double want[3], const SsappSnapRules *rules, SsappSnap *snap)
{
  g_autoptr (GArray) own = ssapp_place_points (scene, body, want);
  const SsVec2 at = {want[0], want[1]};
  const double radius = ss_body_radius (&scene->bodies[body]);
  double least = rules->reach;

  for (int o = 0; o < scene->n_bodies; o++) {
    g_autoptr (GArray) theirs = NULL;

    if (!pulls_near (scene, rules, body, o, at, radius))
      continue;
    theirs = ssapp_place_points (scene, o, scene->bodies[o].q);
    for (guint i = 0; i < own->len; i++)
      for (guint k = 0; k < theirs->len; k++) {
        const SsappPoint *a = &g_array_index (own, SsappPoint, i), *b = &g_array_index (theirs, SsappPoint, k);
        const SsVec2 d = sub (b->at, a->at);

        if (!(hypot (d.x, d.y) < least))
          continue;
        least = hypot (d.x, d.y);
        snap->kind = SSAPP_SNAP_POINT;
        snap->body = o;
        snap->q[0] = want[0] + d.x;
        snap->q[1] = want[1] + d.y;
        snap->at = b->at;
        snap->is_pinned = TRUE;
        g_snprintf (snap->text, sizeof snap->text, _ ("%s on %s of %s"), kind_name (a->kind, TRUE),
                    kind_name (b->kind, FALSE), scene->bodies[o].name);
      }
  }
  return snap->kind == SSAPP_SNAP_POINT;
}

static void
clear (SsappSnap *snap, const double q[3])
{
  *snap = (SsappSnap){.kind = SSAPP_SNAP_NONE, .body = -1, .second = -1};
  memcpy (snap->q, q, sizeof snap->q);
  snap->at = (SsVec2){q[0], q[1]};
}

void
ssapp_place_snap_body (const SsScene *scene, int body, const double from[3], const double want[3],
                       const SsappSnapRules *rules, SsappSnap *snap)
{
  clear (snap, want);
  if (rules->is_free)
    return;
  if (snap_to_contact (scene, body, from, want, rules, snap)) {
    tell_contact (scene, body, snap);
    return;
  }
  clear (snap, want);
  if (snap_points (scene, body, want, rules, snap))
    return;
  clear (snap, want);
  if (rules->step <= 0)
    return;
  snap->kind = SSAPP_SNAP_GRID;
  snap->q[0] = from[0] + snapped (want[0] - from[0], rules->step);
  snap->q[1] = from[1] + snapped (want[1] - from[1], rules->step);
  snap->at = (SsVec2){snap->q[0], snap->q[1]};
}

/* The point of a face that is nearest to `p`; where a line of the grid crosses the face near it, that one. */
static SsVec2
point_on_face (const SsappFace *face, SsVec2 p, const SsappSnapRules *rules)
{
  const SsVec2 d = sub (face->to, face->from);
  const double length = hypot (d.x, d.y);
  const SsVec2 t = {d.x / length, d.y / length};
  const double lower = face->is_endless ? -INFINITY : 0, upper = face->is_endless ? INFINITY : length;
  const double s = CLAMP (dot (t, sub (p, face->from)), lower, upper);
  double best = s, least = rules->reach;

  if (rules->step > 0) {
    const double lines[2] = {snapped (p.x, rules->step) - face->from.x, snapped (p.y, rules->step) - face->from.y};
    const double along[2] = {t.x, t.y};

    for (int axis = 0; axis < 2; axis++) {
      const double cut = fabs (along[axis]) > 0.3 ? lines[axis] / along[axis] : NAN;
      if (cut >= lower && cut <= upper && fabs (cut - s) <= least) {
        least = fabs (cut - s);
        best = cut;
      }
    }
  }
  return (SsVec2){face->from.x + best * t.x, face->from.y + best * t.y};
}

void
ssapp_place_snap_point (const SsScene *scene, SsVec2 want, const SsappSnapRules *rules, SsappSnap *snap)
{
  g_return_if_fail (rules != NULL && snap != NULL);

  const double q[3] = {want.x, want.y, 0};
  double least = rules->reach;

  clear (snap, q);
  if (rules->is_free)
    return;
  for (int o = 0; scene != NULL && o < scene->n_bodies; o++) {
    g_autoptr (GArray) points =
        pulls_near (scene, rules, -1, o, want, 0) ? ssapp_place_points (scene, o, scene->bodies[o].q) : NULL;

    for (guint k = 0; points != NULL && k < points->len; k++) {
      const SsappPoint *point = &g_array_index (points, SsappPoint, k);
      const double distance = hypot (point->at.x - want.x, point->at.y - want.y);

      if (!(distance < least))
        continue;
      least = distance;
      snap->kind = SSAPP_SNAP_POINT;
      snap->body = o;
      snap->at = point->at;
      g_snprintf (snap->text, sizeof snap->text, _ ("%s of %s"), kind_name (point->kind, TRUE), scene->bodies[o].name);
    }
  }
  least = rules->reach;
  for (int o = 0; scene != NULL && snap->kind == SSAPP_SNAP_NONE && o < scene->n_bodies; o++) {
    g_autoptr (GArray) faces =
        pulls_near (scene, rules, -1, o, want, 0) ? ssapp_place_faces (scene, o, scene->bodies[o].q) : NULL;

    for (guint k = 0; faces != NULL && k < faces->len; k++) {
      const SsappFace *face = &g_array_index (faces, SsappFace, k);
      const SsappSnapRules off_grid = {.reach = rules->reach};
      const SsVec2 foot = point_on_face (face, want, &off_grid);
      const double distance = hypot (foot.x - want.x, foot.y - want.y);

      if (!(distance < least))
        continue;
      least = distance;
      snap->body = o;
      snap->at = point_on_face (face, want, rules);
      snap->has_edge = !face->is_endless;
      snap->edge[0] = face->from;
      snap->edge[1] = face->to;
      g_snprintf (snap->text, sizeof snap->text, _ ("On edge of %s"), scene->bodies[o].name);
    }
  }
  if (snap->kind == SSAPP_SNAP_NONE && snap->body >= 0)
    snap->kind = SSAPP_SNAP_EDGE;
  if (snap->kind == SSAPP_SNAP_NONE && rules->step > 0) {
    snap->kind = SSAPP_SNAP_GRID;
    snap->at = (SsVec2){snapped (want.x, rules->step), snapped (want.y, rules->step)};
  }
  snap->q[0] = snap->at.x;
  snap->q[1] = snap->at.y;
}

double
ssapp_place_snap_radius (const SsScene *scene, SsVec2 centre, SsVec2 want, const SsappSnapRules *rules, SsappSnap *snap)
{
  g_return_val_if_fail (rules != NULL && snap != NULL, 0);

  const SsShape dot_shape = {.kind = SS_SHAPE_CIRCLE, .radius = 0};
  const double pose[3] = {centre.x, centre.y, 0}, radius = hypot (want.x - centre.x, want.y - centre.y);
  double least = rules->reach, found = radius;

  ssapp_place_snap_point (NULL, want, rules, snap);
  if (rules->is_free)
    return radius;
  for (int o = 0; scene != NULL && o < scene->n_bodies; o++)
    for (int i = 0; pulls (rules, -1, o) && i < scene->bodies[o].n_shapes; i++) {
      SsGap gaps[SS_MANIFOLD_MAX];

      if (ss_geometry_manifold (&dot_shape, pose, &scene->bodies[o].shapes[i], scene->bodies[o].q, gaps) < 1 ||
          gaps[0].phi <= 0 || !(fabs (gaps[0].phi - radius) < least))
        continue;
      least = fabs (gaps[0].phi - radius);
      found = gaps[0].phi;
      snap->kind = SSAPP_SNAP_TOUCH;
      snap->body = o;
      snap->at = gaps[0].point_b;
      say (snap, _ ("Tangent to %s, gap 0%s"), scene->bodies[o].name, "");
    }
  if (snap->kind != SSAPP_SNAP_TOUCH)
    found = hypot (snap->at.x - centre.x, snap->at.y - centre.y);
  return found;
}
