/* tests/ss-test-outcomes.h: whether an impact has any outcome by the equations of paper 000, sec. 3.3, found by trying
 * all of them: for every touching point no impulse and no approach, or a rebound v+ = -e v- with a sticking end, a
 * sliding end either way, or an end without slip and friction. Shares nothing with the engine: own contact points (of
 * circles, polygons and half-planes), rows and elimination. Tolerances are wide on purpose: they help outcomes, not the
 * claim that there is none. No joints.
 */
#pragma once

#include "scene/ss-scenario.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SS_TEST_POINTS_MAX = 12, SS_TEST_ROWS_MAX = 2 * SS_TEST_POINTS_MAX };
#define SS_TEST_NEAR    1e-8 /* gaps of touching points [m] */
#define SS_TEST_PLACE   1e-6 /* points that near are one [m] */
#define SS_TEST_OUTCOME 1e-7 /* of the largest speed */

typedef struct {
  int contact, body[2]; /* a, b */
  SsVec2 at, normal;    /* from a to b */
  double clearance;     /* how well the normal parts the bodies */
} SsTestTouch;

typedef struct {
  const SsScene *scene;
  const double *q;
  int n;
  SsTestTouch touches[SS_TEST_POINTS_MAX];
} SsTestTouches;

static inline SsVec2
ss_test_turn (SsVec2 p, double angle)
{
  return (SsVec2){cos (angle) * p.x - sin (angle) * p.y, sin (angle) * p.x + cos (angle) * p.y};
}

static inline SsVec2
ss_test_world (SsVec2 p, const double *pose)
{
  const SsVec2 r = ss_test_turn (p, pose[2]);
  return (SsVec2){pose[0] + r.x, pose[1] + r.y};
}

static inline double
ss_test_dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

static inline void
ss_test_add_touch (SsTestTouches *s, int contact, bool normal_is_of_a, SsVec2 at, SsVec2 normal, double clearance)
{
  const SsContact *c = &s->scene->contacts[contact];
  SsTestTouch touch = {.contact = contact, .body = {c->body_a, c->body_b}, .at = at, .clearance = clearance};
  touch.normal = normal_is_of_a ? normal : (SsVec2){-normal.x, -normal.y};
  for (int i = 0; i < s->n; i++)
    if (s->touches[i].contact == contact &&
        hypot (s->touches[i].at.x - at.x, s->touches[i].at.y - at.y) < SS_TEST_PLACE) {
      if (clearance > s->touches[i].clearance)
        s->touches[i] = touch;
      return;
    }
  if (s->n < SS_TEST_POINTS_MAX)
    s->touches[s->n++] = touch;
}

/* A half-plane of one body against the other. */
static inline void
ss_test_meet_plane (SsTestTouches *s, int contact, bool plane_is_a, const SsShape *plane, const double *pose,
                    const SsShape *other, const double *pose_other)
{
  const SsVec2 n = ss_test_turn (plane->normal, pose[2]), o = ss_test_world (plane->centre, pose);
  const int n_points = other->kind == SS_SHAPE_CIRCLE ? 1 : other->n_vertices;
  for (int i = 0; i < n_points; i++) {
    const bool is_circle = other->kind == SS_SHAPE_CIRCLE;
    const SsVec2 p = ss_test_world (is_circle ? other->centre : other->vertices[i], pose_other);
    const double radius = is_circle ? other->radius : 0;
    const double gap = ss_test_dot (n, (SsVec2){p.x - o.x, p.y - o.y}) - radius;
    if (fabs (gap) < SS_TEST_NEAR)
      ss_test_add_touch (s, contact, plane_is_a, (SsVec2){p.x - radius * n.x, p.y - radius * n.y}, n, 1);
  }
}

/* Vertices of one polygon, or a circle, on the edges of another polygon. */
static inline void
ss_test_meet_edges (SsTestTouches *s, int contact, bool edges_are_a, const SsShape *edges, const double *pose,
                    const SsShape *other, const double *pose_other)
{
  const bool is_circle = other->kind == SS_SHAPE_CIRCLE;
  const int n = edges->n_vertices, n_points = is_circle ? 1 : other->n_vertices;
  for (int i = 0; i < n; i++) {
    const SsVec2 a = ss_test_world (edges->vertices[i], pose), b = ss_test_world (edges->vertices[(i + 1) % n], pose);
    const double length = hypot (b.x - a.x, b.y - a.y);
    const SsVec2 t = {(b.x - a.x) / length, (b.y - a.y) / length}, out = {t.y, -t.x};
    for (int k = 0; k < n_points; k++) {
      const SsVec2 p = ss_test_world (is_circle ? other->centre : other->vertices[k], pose_other);
      const SsVec2 way = {p.x - a.x, p.y - a.y};
      const double along = ss_test_dot (way, t), radius = is_circle ? other->radius : 0;
      if (along < -SS_TEST_NEAR || along > length + SS_TEST_NEAR ||
          fabs (ss_test_dot (way, out) - radius) > SS_TEST_NEAR)
        continue;
      double clearance = 1;
      for (int side = 0; !is_circle && side < 2; side++) {
        const SsVec2 next =
            ss_test_world (other->vertices[(k + (side == 0 ? 1 : n_points - 1)) % n_points], pose_other);
        const SsVec2 leads = {next.x - p.x, next.y - p.y};
        clearance = fmin (clearance, ss_test_dot (leads, out) / hypot (leads.x, leads.y));
      }
      if (clearance > -1e-6)
        ss_test_add_touch (s, contact, edges_are_a, (SsVec2){p.x - radius * out.x, p.y - radius * out.y}, out,
                           clearance);
    }
  }
}

/* Two circles, or a circle and the corners of a polygon. */
static inline void
ss_test_meet_round (SsTestTouches *s, int contact, const SsShape *a, const double *pose_a, const SsShape *b,
                    const double *pose_b)
{
  const int n_a = a->kind == SS_SHAPE_CIRCLE ? 1 : a->n_vertices, n_b = b->kind == SS_SHAPE_CIRCLE ? 1 : b->n_vertices;
  for (int i = 0; i < n_a; i++)
    for (int k = 0; k < n_b; k++) {
      const SsVec2 p = ss_test_world (a->kind == SS_SHAPE_CIRCLE ? a->centre : a->vertices[i], pose_a);
      const SsVec2 r = ss_test_world (b->kind == SS_SHAPE_CIRCLE ? b->centre : b->vertices[k], pose_b);
      const double ra = a->kind == SS_SHAPE_CIRCLE ? a->radius : 0, rb = b->kind == SS_SHAPE_CIRCLE ? b->radius : 0;
      const double distance = hypot (r.x - p.x, r.y - p.y);
      if (ra + rb == 0 || fabs (distance - ra - rb) > SS_TEST_NEAR)
        continue;
      const SsVec2 n = {(r.x - p.x) / distance, (r.y - p.y) / distance};
      ss_test_add_touch (s, contact, true, (SsVec2){p.x + ra * n.x, p.y + ra * n.y}, n, 0);
    }
}

static inline void
ss_test_find_touches (SsTestTouches *s, const SsScene *scene, const double *q)
{
  *s = (SsTestTouches){.scene = scene, .q = q};
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    const SsShape *a = &scene->bodies[c->body_a].shape, *b = &scene->bodies[c->body_b].shape;
    const double *pa = q + 3 * c->body_a, *pb = q + 3 * c->body_b;
    if (a->kind == SS_SHAPE_HALF_PLANE || b->kind == SS_SHAPE_HALF_PLANE) {
      const bool is_a = a->kind == SS_SHAPE_HALF_PLANE;
      ss_test_meet_plane (s, i, is_a, is_a ? a : b, is_a ? pa : pb, is_a ? b : a, is_a ? pb : pa);
      continue;
    }
    if (a->kind == SS_SHAPE_POLYGON)
      ss_test_meet_edges (s, i, true, a, pa, b, pb);
    if (b->kind == SS_SHAPE_POLYGON)
      ss_test_meet_edges (s, i, false, b, pb, a, pa);
    if (a->kind == SS_SHAPE_CIRCLE || b->kind == SS_SHAPE_CIRCLE)
      ss_test_meet_round (s, i, a, pa, b, pb);
  }
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

typedef struct {
  int n;
  double w[SS_TEST_ROWS_MAX][SS_TEST_ROWS_MAX]; /* J M^-1 J', normal and tangential row of each point */
  double before[SS_TEST_ROWS_MAX], mu[SS_TEST_POINTS_MAX], e[SS_TEST_POINTS_MAX], scale;
} SsTestImpact;

/* Row of a direction at a point: entries of both bodies. */
static inline void
ss_test_row (const SsTestTouches *s, const SsTestTouch *touch, bool tangential, double row[6])
{
  const SsVec2 d = tangential ? (SsVec2){touch->normal.y, -touch->normal.x} : touch->normal;
  for (int side = 0; side < 2; side++) {
    const double *pose = s->q + 3 * touch->body[side], sign = side == 0 ? -1 : 1;
    row[3 * side] = sign * d.x;
    row[3 * side + 1] = sign * d.y;
    row[3 * side + 2] = sign * ((touch->at.x - pose[0]) * d.y - (touch->at.y - pose[1]) * d.x);
  }
}

static inline void
ss_test_set_impact (const SsTestTouches *s, const double *v, SsTestImpact *m)
{
  *m = (SsTestImpact){.n = s->n, .scale = 0};
  for (int i = 0; i < 2 * s->n; i++) {
    double row[6];
    ss_test_row (s, &s->touches[i / 2], i % 2 == 1, row);
    for (int k = 0; k < 6; k++)
      m->before[i] += row[k] * v[3 * s->touches[i / 2].body[k / 3] + k % 3];
    m->scale = fmax (m->scale, fabs (m->before[i]));
    for (int j = 0; j < 2 * s->n; j++) {
      double other[6];
      ss_test_row (s, &s->touches[j / 2], j % 2 == 1, other);
      for (int k = 0; k < 6; k++)
        for (int l = 0; l < 6; l++) {
          const int body = s->touches[i / 2].body[k / 3];
          const SsBody *b = &s->scene->bodies[body];
          if (body == s->touches[j / 2].body[l / 3] && k % 3 == l % 3 && !b->is_fixed)
            m->w[i][j] += row[k] * other[l] / (k % 3 == 2 ? b->inertia : b->mass);
        }
    }
  }
  for (int i = 0; i < s->n; i++) {
    m->mu[i] = s->scene->contacts[s->touches[i].contact].mu;
    m->e[i] = s->scene->contacts[s->touches[i].contact].restitution;
  }
}

/* Solves a x = r by elimination with full pivoting; unknowns without a pivot are zero. False: no solution. */
static inline bool
ss_test_eliminate (int n, double a[SS_TEST_ROWS_MAX][SS_TEST_ROWS_MAX], double *r, double *x, double tolerance)
{
  int column[SS_TEST_ROWS_MAX], rank = 0;
  double largest = 0;
  for (int i = 0; i < n; i++) {
    column[i] = i;
    for (int j = 0; j < n; j++)
      largest = fmax (largest, fabs (a[i][j]));
  }
  for (; rank < n; rank++) {
    int pi = rank, pj = rank;
    for (int i = rank; i < n; i++)
      for (int j = rank; j < n; j++)
        if (fabs (a[i][column[j]]) > fabs (a[pi][column[pj]]))
          pi = i, pj = j;
    if (!(fabs (a[pi][column[pj]]) > 1e-9 * largest))
      break;
    for (int j = 0; j < n; j++) {
      const double swap = a[rank][j];
      a[rank][j] = a[pi][j], a[pi][j] = swap;
    }
    const double swap = r[rank];
    r[rank] = r[pi], r[pi] = swap;
    const int c = column[rank];
    column[rank] = column[pj], column[pj] = c;
    for (int i = rank + 1; i < n; i++) {
      const double f = a[i][column[rank]] / a[rank][column[rank]];
      for (int j = rank; j < n; j++)
        a[i][column[j]] -= f * a[rank][column[j]];
      r[i] -= f * r[rank];
    }
  }
  for (int i = rank; i < n; i++)
    if (fabs (r[i]) > tolerance)
      return false;
  for (int i = 0; i < n; i++)
    x[i] = 0;
  for (int i = rank - 1; i >= 0; i--) {
    x[column[i]] = r[i];
    for (int j = i + 1; j < rank; j++)
      x[column[i]] -= a[i][column[j]] * x[column[j]];
    x[column[i]] /= a[i][column[i]];
  }
  return true;
}

enum { SS_TEST_FREE, SS_TEST_STICKS, SS_TEST_SLIDES_PLUS, SS_TEST_SLIDES_MINUS, SS_TEST_ROLLS, SS_TEST_N_ENDS };

/* Whether these ends of all points are an outcome. */
static inline bool
ss_test_is_outcome (const SsTestImpact *m, const int *end)
{
  const double tolerance = SS_TEST_OUTCOME * m->scale;
  double a[SS_TEST_ROWS_MAX][SS_TEST_ROWS_MAX], r[SS_TEST_ROWS_MAX], x[SS_TEST_ROWS_MAX],
      impulse[SS_TEST_ROWS_MAX] = {0};
  int row[SS_TEST_ROWS_MAX], n = 0;
  for (int i = 0; i < m->n; i++) {
    if (end[i] != SS_TEST_FREE)
      row[n++] = 2 * i;
    if (end[i] == SS_TEST_STICKS)
      row[n++] = 2 * i + 1;
  }
  for (int k = 0; k < n; k++) {
    const int i = row[k] / 2;
    r[k] = row[k] % 2 == 1 ? -m->before[row[k]] : -m->e[i] * fmin (m->before[row[k]], 0) - m->before[row[k]];
    for (int l = 0; l < n; l++) {
      const int j = row[l] / 2;
      const double friction = end[j] == SS_TEST_SLIDES_PLUS ? -m->mu[j] : end[j] == SS_TEST_SLIDES_MINUS ? m->mu[j] : 0;
      a[k][l] = m->w[row[k]][row[l]];
      if (row[l] % 2 == 0)
        a[k][l] += friction * m->w[row[k]][row[l] + 1];
    }
  }
  if (!ss_test_eliminate (n, a, r, x, tolerance))
    return false;
  double largest = 0;
  for (int k = 0; k < n; k++)
    impulse[row[k]] = x[k], largest = fmax (largest, fabs (x[k]));
  for (int i = 0; i < m->n; i++)
    if (end[i] == SS_TEST_SLIDES_PLUS || end[i] == SS_TEST_SLIDES_MINUS)
      impulse[2 * i + 1] = (end[i] == SS_TEST_SLIDES_PLUS ? -1 : 1) * m->mu[i] * impulse[2 * i];
  for (int i = 0; i < m->n; i++) {
    double after[2] = {m->before[2 * i], m->before[2 * i + 1]};
    for (int j = 0; j < 2 * m->n; j++)
      for (int k = 0; k < 2; k++)
        after[k] += m->w[2 * i + k][j] * impulse[j];
    if (impulse[2 * i] < -SS_TEST_OUTCOME * largest || after[0] < -tolerance)
      return false;
    if (fabs (impulse[2 * i + 1]) > m->mu[i] * impulse[2 * i] + SS_TEST_OUTCOME * largest)
      return false;
    if (m->mu[i] > 0 && ((end[i] == SS_TEST_SLIDES_PLUS && after[1] < -tolerance) ||
                         (end[i] == SS_TEST_SLIDES_MINUS && after[1] > tolerance) ||
                         (end[i] == SS_TEST_ROLLS && fabs (after[1]) > tolerance)))
      return false;
  }
  return true;
}

/* Whether the impact at (q, v) has an outcome. *n_points: touching ones. */
static inline bool
ss_test_has_outcome (const SsScene *scene, const double *q, const double *v, int *n_points)
{
  SsTestTouches touches;
  SsTestImpact impact;
  int end[SS_TEST_POINTS_MAX] = {0};
  ss_test_find_touches (&touches, scene, q);
  ss_test_set_impact (&touches, v, &impact);
  *n_points = touches.n;
  for (;;) {
    if (ss_test_is_outcome (&impact, end))
      return true;
    int i = 0;
    while (i < touches.n && ++end[i] == (impact.mu[i] > 0 ? SS_TEST_N_ENDS : SS_TEST_STICKS + 2))
      end[i++] = SS_TEST_FREE;
    if (i == touches.n)
      return false;
    for (int k = 0; k < touches.n; k++) /* without friction one kind of end with an impulse is enough */
      if (impact.mu[k] == 0 && end[k] == SS_TEST_STICKS)
        end[k] = SS_TEST_SLIDES_PLUS;
  }
}
