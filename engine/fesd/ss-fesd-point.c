/* engine/fesd/ss-fesd-point.c: see the header. */
#include "fesd/ss-fesd-point.h"

#include <math.h>
#include <string.h>

/* Centres of discs, and what stands level, need no sine. */
static SsVec2
turned (SsVec2 a, double angle)
{
  if (angle == 0 || (a.x == 0 && a.y == 0))
    return a;
  const double c = cos (angle), s = sin (angle);
  return (SsVec2){c * a.x - s * a.y, s * a.x + c * a.y};
}

static double
length_of (SsVec2 a)
{
  return sqrt (a.x * a.x + a.y * a.y);
}

static double
dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

/* a turned by 90 degrees: its derivative by the angle of its frame. */
static SsVec2
perp (SsVec2 a)
{
  return (SsVec2){-a.y, a.x};
}

static SsVec2
minus_perp (SsVec2 a)
{
  return (SsVec2){a.y, -a.x};
}

/* Arms of at[0] and at[1], and the way from the one to the other. */
static SsVec2
arms (const SsFesdPoint *p, const double *q, SsVec2 *r0, SsVec2 *r1)
{
  const double *a = q + 3 * p->body[0], *b = q + 3 * p->body[1];
  *r0 = turned (p->at[0], a[2]);
  *r1 = turned (p->at[1], b[2]);
  return (SsVec2){b[0] + r1->x - a[0] - r0->x, b[1] + r1->y - a[1] - r0->y};
}

static void
set_row (double row[SS_FESD_POINT_N], SsVec2 direction, double turn0, double turn1)
{
  row[0] = -direction.x;
  row[1] = -direction.y;
  row[2] = turn0;
  row[3] = direction.x;
  row[4] = direction.y;
  row[5] = turn1;
}

/* n turns with body[0], the vertex with body[1]; w is its place as seen from the centre of body[0]. */
static void
set_face (const SsFesdPoint *p, const double *q, bool curvature, SsFesdPointAt *out)
{
  SsVec2 r0, r1;
  const SsVec2 way = arms (p, q, &r0, &r1), n = turned (p->normal, q[3 * p->body[0] + 2]), t = minus_perp (n);
  const SsVec2 w = {way.x + r0.x, way.y + r0.y};
  const double radius = p->radius[1], nw = dot (n, w), tw = dot (t, w), nr = dot (n, r1), tr = dot (t, r1);
  out->phi = dot (n, way) - p->radius[0] - radius;
  set_row (out->jn, n, -tw, dot (n, perp (r1)));
  set_row (out->jt, t, nw - radius, radius - nr);
  if (!curvature)
    return;
  memset (out->hn, 0, sizeof out->hn);
  memset (out->ht, 0, sizeof out->ht);
  const SsVec2 dn = perp (n);
  out->hn[2][0] = out->hn[0][2] = -dn.x;
  out->hn[2][1] = out->hn[1][2] = -dn.y;
  out->hn[2][3] = out->hn[3][2] = dn.x;
  out->hn[2][4] = out->hn[4][2] = dn.y;
  out->hn[2][2] = -nw;
  out->hn[2][5] = out->hn[5][2] = nr;
  out->hn[5][5] = -nr;
  out->ht[0][2] = -n.x;
  out->ht[1][2] = -n.y;
  out->ht[3][2] = n.x;
  out->ht[4][2] = n.y;
  out->ht[5][2] = tr;
  out->ht[5][5] = -dot (n, perp (r1));
  out->ht[2][2] = -tw;
  out->ht[2][0] = -n.x;
  out->ht[2][1] = -n.y;
  out->ht[2][3] = n.x;
  out->ht[2][4] = n.y;
  out->ht[2][5] = dot (n, perp (r1));
}

static void
set_round (const SsFesdPoint *p, const double *q, bool curvature, SsFesdPointAt *out)
{
  SsVec2 r0, r1;
  const SsVec2 z = arms (p, q, &r0, &r1);
  const double length = length_of (z);
  const SsVec2 n = length > 0 ? (SsVec2){z.x / length, z.y / length} : (SsVec2){0, 1}, t = minus_perp (n);
  const SsVec2 d0 = perp (r0), d1 = perp (r1);
  out->phi = length - p->radius[0] - p->radius[1];
  set_row (out->jn, n, -dot (n, d0), dot (n, d1));
  set_row (out->jt, t, -dot (t, d0) + p->radius[0], dot (t, d1) + p->radius[1]);
  if (!curvature)
    return;
  /* how far a coordinate turns the normal towards the tangent: dn = t turn, dt = -n turn */
  double turn[SS_FESD_POINT_N];
  set_row (turn, t, -dot (t, d0), dot (t, d1));
  for (int j = 0; j < SS_FESD_POINT_N; j++)
    turn[j] /= length > 0 ? length : 1;
  for (int j = 0; j < SS_FESD_POINT_N; j++) {
    double across[SS_FESD_POINT_N];
    set_row (across, t, -dot (t, d0), dot (t, d1));
    for (int i = 0; i < SS_FESD_POINT_N; i++)
      out->hn[i][j] = across[i] * turn[j];
    set_row (across, (SsVec2){-n.x, -n.y}, dot (n, d0), -dot (n, d1));
    for (int i = 0; i < SS_FESD_POINT_N; i++)
      out->ht[i][j] = across[i] * turn[j];
  }
  out->hn[2][2] += dot (n, r0);
  out->hn[5][5] -= dot (n, r1);
  out->ht[2][2] += dot (t, r0);
  out->ht[5][5] -= dot (t, r1);
}

void
ss_fesd_point_at (const SsFesdPoint *point, const double *q, bool curvature, SsFesdPointAt *out)
{
  SS_ASSERT (point != NULL && q != NULL && out != NULL);

  if (point->kind == SS_FESD_FACE)
    set_face (point, q, curvature, out);
  else
    set_round (point, q, curvature, out);
}

double
ss_fesd_point_gap (const SsFesdPoint *p, const double *q)
{
  SS_ASSERT (p != NULL && q != NULL);

  SsVec2 r0, r1;
  const SsVec2 way = arms (p, q, &r0, &r1);
  if (p->kind == SS_FESD_ROUND)
    return length_of (way) - p->radius[0] - p->radius[1];
  return dot (turned (p->normal, q[3 * p->body[0] + 2]), way) - p->radius[0] - p->radius[1];
}

SsVec2
ss_fesd_point_place (const SsFesdPoint *p, const double *q)
{
  SS_ASSERT (p != NULL && q != NULL);

  SsVec2 r0, r1, n;
  const SsVec2 way = arms (p, q, &r0, &r1);
  const double length = length_of (way), *b = q + 3 * p->body[1];
  n = p->kind == SS_FESD_FACE ? turned (p->normal, q[3 * p->body[0] + 2])
      : length > 0            ? (SsVec2){way.x / length, way.y / length}
                              : (SsVec2){0, 0};
  return (SsVec2){b[0] + r1.x - p->radius[1] * n.x, b[1] + r1.y - p->radius[1] * n.y};
}

double
ss_fesd_point_room (const SsFesdPoint *p, const double *q, int end)
{
  SS_ASSERT (p != NULL && q != NULL && (end == 0 || end == 1));

  SsVec2 r0, r1;
  const SsVec2 way = arms (p, q, &r0, &r1);
  if (p->kind == SS_FESD_ROUND) {
    const double length = length_of (way);
    double room = INFINITY;
    for (int side = 0; side < 2 && length > 0; side++) {
      const SsVec2 edge = p->edge[side][end];
      const double along = dot (turned (edge, q[3 * p->body[side] + 2]), way) / length;
      if (edge.x != 0 || edge.y != 0)
        room = fmin (room, side == 0 ? -along : along);
    }
    return room;
  }
  if (!isfinite (p->range[end]))
    return INFINITY;
  const double along = dot (minus_perp (turned (p->normal, q[3 * p->body[0] + 2])), way);
  return end == 0 ? along - p->range[0] : p->range[1] - along;
}

double
ss_fesd_point_rate (const SsFesdPoint *point, const double row[SS_FESD_POINT_N], const double *v)
{
  double rate = 0;
  for (int k = 0; k < SS_FESD_POINT_N; k++)
    rate += row[k] * v[3 * point->body[k / 3] + k % 3];
  return rate;
}
