/* engine/plan/ss-stages-way.c: see the header. */
#include "plan/ss-stages-way.h"

#include "core/ss-work.h"
#include "geometry/ss-sweep.h"

#include <math.h>

enum { OBSTACLES = 48, NODES = 160, ENTRIES = 6000 };
static const double PI = 3.14159265358979323846;
/* Gaps that sweeps cannot tell apart; how much nearer than at an end a way may come to what is near there [m]. */
static const double TOLERANCE = 1e-4, CLOSER = 1e-3;
/* Counted work of a sweep and of an entry of the queue that is looked at. */
static const double SWEEP_UNIT = 600, ENTRY_UNIT = 2;

/* ---- polylines --------------------------------------------------------------------------------------------------- */

SsWay
ss_way_straight (SsVec2 from, SsVec2 to)
{
  return (SsWay){2, {from, to}};
}

static double
distance (SsVec2 a, SsVec2 b)
{
  return hypot (b.x - a.x, b.y - a.y);
}

double
ss_way_length (const SsWay *way)
{
  SS_ASSERT (way != NULL);

  double sum = 0;

  for (int i = 1; i < way->n; i++)
    sum += distance (way->at[i - 1], way->at[i]);
  return sum;
}

void
ss_way_at (const SsWay *way, double s, SsVec2 *at, SsVec2 *tangent)
{
  SS_ASSERT (way != NULL && at != NULL);

  double left = fmin (fmax (s, 0), 1) * ss_way_length (way);

  *at = way->at[way->n - 1];
  *tangent = (SsVec2){0, 0};
  for (int i = 1; i < way->n; i++) {
    const SsVec2 a = way->at[i - 1], b = way->at[i];
    const double length = distance (a, b);

    if (length > 0)
      *tangent = (SsVec2){(b.x - a.x) / length, (b.y - a.y) / length};
    if (left <= length) {
      *at = (SsVec2){a.x + left * tangent->x, a.y + left * tangent->y};
      return;
    }
    left -= length;
  }
}

/* ---- what is in the way ------------------------------------------------------------------------------------------ */

typedef struct {
  const SsWayScene *asked;
  double radius; /* of the mover */
  int n;
  int obstacles[OBSTACLES];
  double keeps[OBSTACLES], at_from[OBSTACLES], at_to[OBSTACLES]; /* gaps that are kept: between nodes, at the ends */
  int n_nodes;
  SsVec2 nodes[NODES]; /* 0: from, 1: to */
} Graph;

static void
find_obstacles (Graph *g)
{
  const SsWayScene *w = g->asked;

  for (int c = 0; c < w->scene->n_contacts && g->n < OBSTACLES; c++) {
    const SsContact *contact = &w->scene->contacts[c];
    const int other = contact->body_a == w->body ? contact->body_b : contact->body_b == w->body ? contact->body_a : -1;

    if (other >= 0 && other != w->ignored[0] && other != w->ignored[1] &&
        (!w->only_fixed || ss_body_is_immovable (&w->scene->bodies[other])))
      g->obstacles[g->n++] = other;
  }
}

static void
pose_at (const SsWayScene *w, SsVec2 at, double pose[3])
{
  pose[0] = at.x;
  pose[1] = at.y;
  pose[2] = w->q[3 * w->body + 2];
}

/* Smallest gap to another body there. */
double
ss_way_gap (const SsWayScene *w, int other, SsVec2 at)
{
  SS_ASSERT (w != NULL && other >= 0 && other < w->scene->n_bodies);

  const SsBody *a = &w->scene->bodies[w->body], *b = &w->scene->bodies[other];
  SsGap gaps[SS_MANIFOLD_MAX];
  double least = INFINITY, pose[3];

  pose_at (w, at, pose);
  for (int i = 0; i < ss_body_n_shapes (a); i++)
    for (int k = 0; k < ss_body_n_shapes (b); k++)
      if (ss_geometry_manifold (ss_body_shape (a, i), pose, ss_body_shape (b, k), w->q + 3 * other, gaps) > 0)
        least = fmin (least, gaps[0].phi);
  ss_work_add (SWEEP_UNIT);
  return least;
}

/* The first part of the straight way where the gap to `other` is not above `level`; INFINITY: nowhere. */
static double
first_below (const SsWayScene *w, int other, SsVec2 from, SsVec2 to, double level)
{
  const SsBody *a = &w->scene->bodies[w->body], *b = &w->scene->bodies[other];
  const double *still = w->q + 3 * other, reach = ss_body_radius (a) + ss_body_radius (b) + fmax (level, 0);
  const double length = distance (from, to);
  double start[3], end[3], least = INFINITY;

  if (isfinite (reach) && length > 0) { /* far from the line? */
    const SsVec2 d = {(to.x - from.x) / length, (to.y - from.y) / length};
    const double along = fmin (fmax ((still[0] - from.x) * d.x + (still[1] - from.y) * d.y, 0), length);

    if (hypot (from.x + along * d.x - still[0], from.y + along * d.y - still[1]) > reach + TOLERANCE)
      return INFINITY;
  }
  pose_at (w, from, start);
  pose_at (w, to, end);
  for (int i = 0; i < ss_body_n_shapes (a); i++)
    for (int k = 0; k < ss_body_n_shapes (b); k++) {
      const SsSweep sweep = {
          .shape = {ss_body_shape (a, i), ss_body_shape (b, k)}, .from = {start, still}, .to = {end, still}};

      least = fmin (least, ss_sweep_first (&sweep, 0, level, TOLERANCE));
      ss_work_add (SWEEP_UNIT);
    }
  return least;
}

double
ss_way_touch (const SsWayScene *w, int other, SsVec2 from, SsVec2 to)
{
  return first_below (w, other, from, to, 0);
}

/* Whether the edge between two nodes is free. */
static bool
is_free (const Graph *g, int a, int b)
{
  for (int i = 0; i < g->n; i++) {
    double level = g->keeps[i];

    if (a == 0 || b == 0)
      level = fmin (level, g->at_from[i]);
    if (a == 1 || b == 1)
      level = fmin (level, g->at_to[i]);
    if (isfinite (first_below (g->asked, g->obstacles[i], g->nodes[a], g->nodes[b], level)))
      return false;
  }
  return true;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static void
add_node (Graph *g, double x, double y)
{
  if (g->n_nodes < NODES)
    g->nodes[g->n_nodes++] = (SsVec2){x, y};
}

/* Points on a circle round a point that the sides of their polygon do not enter. */
static void
add_ring (Graph *g, SsVec2 centre, double radius, int n)
{
  for (int i = 0; i < n; i++) {
    const double angle = 2 * PI * i / n;

    add_node (g, centre.x + radius / cos (PI / n) * cos (angle), centre.y + radius / cos (PI / n) * sin (angle));
  }
}

SsVec2
ss_way_placed (const SsPlace *place, SsVec2 p)
{
  SS_ASSERT (place != NULL);
  return (SsVec2){place->at.x + place->c * p.x - place->s * p.y, place->at.y + place->s * p.x + place->c * p.y};
}

/* The corner between two edges, pushed out. */
static void
add_corner (Graph *g, SsVec2 before, SsVec2 at, SsVec2 after, double by)
{
  const double l1 = distance (before, at), l2 = distance (at, after);
  /* counter-clockwise: outwards is to the right */
  const SsVec2 n1 = {(at.y - before.y) / l1, -(at.x - before.x) / l1},
               n2 = {(after.y - at.y) / l2, -(after.x - at.x) / l2}, sum = {n1.x + n2.x, n1.y + n2.y};
  const double size = fmax (hypot (sum.x, sum.y), 1e-9), half = fmax (size / 2, 0.5);

  add_node (g, at.x + by / half * sum.x / size, at.y + by / half * sum.y / size);
}

static void
add_nodes (Graph *g, int body)
{
  const SsBody *b = &g->asked->scene->bodies[body];
  const SsPlace place = ss_place (g->asked->q + 3 * body);
  const double out = g->radius + 1.5 * g->asked->margin;

  for (int k = 0; k < ss_body_n_shapes (b); k++) {
    const SsShape *shape = ss_body_shape (b, k);

    if (shape->kind == SS_SHAPE_CIRCLE)
      add_ring (g, ss_way_placed (&place, shape->centre), shape->radius + out, 8);
    else if (shape->kind == SS_SHAPE_POLYGON)
      for (int i = 0; i < shape->n_vertices; i++) {
        const int n = shape->n_vertices;

        add_corner (g, ss_way_placed (&place, shape->vertices[(i + n - 1) % n]),
                    ss_way_placed (&place, shape->vertices[i]), ss_way_placed (&place, shape->vertices[(i + 1) % n]),
                    out);
      }
    else if (shape->kind != SS_SHAPE_HALF_PLANE)
      for (int i = 0; i < 2; i++)
        add_ring (g, ss_way_placed (&place, shape->vertices[i]),
                  (shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0) + out, 4);
  }
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

typedef struct {
  int node, before;
  double cost, bound; /* of the way so far, and with the straight rest [m] */
} Entry;

static int
take_least (Entry *entries, int *n)
{
  int least = 0;

  for (int i = 1; i < *n; i++)
    if (entries[i].bound < entries[least].bound)
      least = i;
  ss_work_add (ENTRY_UNIT * *n);
  const Entry last = entries[--*n];
  entries[*n] = entries[least];
  entries[least] = last;
  return *n;
}

/* Reads the way off, from its end. */
static bool
read_way (const Graph *g, const int *before, SsWay *way)
{
  int n = 1;

  for (int node = 1; node != 0; node = before[node])
    n++;
  if (n > SS_WAY_POINTS)
    return false;
  way->n = n;
  for (int node = 1, i = n - 1; i >= 0; node = before[node], i--)
    way->at[i] = g->nodes[node];
  return true;
}

static bool
search (const Graph *g, SsWay *way)
{
  Entry entries[ENTRIES];
  int before[NODES], n = 1;

  for (int i = 0; i < NODES; i++)
    before[i] = -1;
  entries[0] = (Entry){0, 0, 0, 0};
  while (n > 0) {
    const Entry e = entries[take_least (entries, &n)];

    if (before[e.node] >= 0 || (e.node != 0 && !is_free (g, e.before, e.node)))
      continue;
    before[e.node] = e.before;
    if (e.node == 1)
      return read_way (g, before, way);
    for (int k = 1; k < g->n_nodes && n < ENTRIES; k++) {
      const double cost = e.cost + distance (g->nodes[e.node], g->nodes[k]);

      if (before[k] < 0)
        entries[n++] = (Entry){k, e.node, cost, cost + distance (g->nodes[k], g->nodes[1])};
    }
  }
  return false;
}

bool
ss_way_find (const SsWayScene *w, SsVec2 from, SsVec2 to, SsWay *way)
{
  SS_ASSERT (w != NULL);

  Graph g = {.asked = w, .radius = ss_body_radius (&w->scene->bodies[w->body]), .n_nodes = 2, .nodes = {from, to}};

  find_obstacles (&g);
  for (int i = 0; i < g.n; i++) {
    g.keeps[i] = w->margin;
    g.at_from[i] = ss_way_gap (w, g.obstacles[i], from) - CLOSER;
    g.at_to[i] = ss_way_gap (w, g.obstacles[i], to) - CLOSER;
    if (g.at_to[i] < -2 * CLOSER)
      return false;
  }
  if (is_free (&g, 0, 1)) {
    *way = ss_way_straight (from, to);
    return true;
  }
  if (!isfinite (g.radius))
    return false;
  for (int i = 0; i < g.n; i++)
    add_nodes (&g, g.obstacles[i]);
  return search (&g, way);
}
