/* engine/simulate/ss-foundation.c: elastic foundation: a polygon rests on a half-plane on many springs (paper 003,
 * section 5.5, in the plane).
 *
 * Each edge of the polygon that faces the half-plane carries n springs at the middles of n equal pieces. Each is a
 * contact point of its own with 1/n of the contact's stiffness and damping, so that stiffness is that of a whole edge:
 * E area/depth. A point's `memory` is -1 - (n edge + piece). Which edges face it: outward normal within 45 degrees of
 * the plane's inward normal.
 */
#include "simulate/ss-constraint-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An edge takes part when the cosine between its outward normal and the plane's inward normal is above. */
static const double facing_cosine = 0.7071067811865476;

static bool
is_pair_with_plane (const SsScene *scene, int contact, int *plane)
{
  const SsContact *c = &scene->contacts[contact];
  const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];
  if (a->n_shapes > 1 || b->n_shapes > 1)
    return false;
  *plane = a->shape.kind == SS_SHAPE_HALF_PLANE ? 0 : 1;
  return (a->shape.kind == SS_SHAPE_HALF_PLANE && b->shape.kind == SS_SHAPE_POLYGON) ||
         (b->shape.kind == SS_SHAPE_HALF_PLANE && a->shape.kind == SS_SHAPE_POLYGON);
}

/* A direction e on the second body minus the first, at arms from their origins; sign turns it. */
static void
fill_row (double *j, SsVec2 e, const SsVec2 arm[2])
{
  for (int side = 0; side < 2; side++) {
    double sign = side == 0 ? -1 : 1;
    j[3 * side] = sign * e.x;
    j[3 * side + 1] = sign * e.y;
    j[3 * side + 2] = sign * (arm[side].x * e.y - arm[side].y * e.x);
  }
}

/* The springs of one pair. */
static bool
add_springs (SsContactProblem *problem, int contact, int plane, int n, const double *q, double band)
{
  const SsScene *scene = problem->scene;
  const SsContact *c = &scene->contacts[contact];
  int body[2] = {c->body_a, c->body_b}, other = 1 - plane;
  const SsShape *ground = &scene->bodies[body[plane]].shape, *polygon = &scene->bodies[body[other]].shape;
  const double *qg = q + 3 * body[plane], *qp = q + 3 * body[other];
  double cg = cos (qg[2]), sg = sin (qg[2]), cp = cos (qp[2]), sp = sin (qp[2]);
  SsVec2 up = {cg * ground->normal.x - sg * ground->normal.y, sg * ground->normal.x + cg * ground->normal.y};
  SsVec2 at = {qg[0] + cg * ground->centre.x - sg * ground->centre.y,
               qg[1] + sg * ground->centre.x + cg * ground->centre.y};
  SsVec2 normal = plane == 0 ? up : (SsVec2){-up.x, -up.y};
  for (int k = 0; k < polygon->n_vertices; k++) {
    SsVec2 a = polygon->vertices[k], b = polygon->vertices[(k + 1) % polygon->n_vertices];
    SsVec2 outward = {cp * (b.y - a.y) + sp * (b.x - a.x), sp * (b.y - a.y) - cp * (b.x - a.x)};
    if (-(outward.x * up.x + outward.y * up.y) < facing_cosine * hypot (outward.x, outward.y))
      continue;
    for (int i = 0; i < n; i++) {
      double way = (i + 0.5) / n, x = a.x + way * (b.x - a.x), y = a.y + way * (b.y - a.y);
      SsVec2 arm = {cp * x - sp * y, sp * x + cp * y};
      double phi = up.x * (qp[0] - at.x + arm.x) + up.y * (qp[1] - at.y + arm.y);
      if (phi > band)
        continue;
      SsContactPoint *p = ss_contact_problem_add_point (problem);
      if (p == NULL)
        return false;
      p->contact = contact;
      p->corner = way < 0.5 ? k : (k + 1) % polygon->n_vertices; /* each half of an edge belongs to its end */
      p->body[0] = body[0];
      p->body[1] = body[1];
      p->phi = phi;
      p->mu = c->mu;
      p->point = (SsVec2){qp[0] + arm.x, qp[1] + arm.y};
      p->normal = normal;
      p->memory = -1 - (n * k + i);
      SsVec2 arms[2];
      arms[other] = arm;
      arms[plane] = (SsVec2){p->point.x - qg[0], p->point.y - qg[1]};
      fill_row (p->jn, normal, arms);
      fill_row (p->jt, (SsVec2){normal.y, -normal.x}, arms);
    }
  }
  return true;
}

SsStatus
ss_foundation_replace (SsContactProblem *problem, int n, const double *q, double band, SsError *err)
{
  SS_ASSERT (problem != NULL && n >= 0);

  int n_kept = 0, n_points = problem->n_points, plane, last = -1;
  for (int i = 0; i < n_points; i++) {
    SsContactPoint p = problem->points[i];
    if (p.contact >= 0 && is_pair_with_plane (problem->scene, p.contact, &plane)) {
      if (p.contact != last) {
        last = p.contact;
        if (!add_springs (problem, p.contact, plane, n, q, band))
          return ss_error_set (err, SS_ERR_MEMORY, "no memory for a foundation of %d springs", n);
      }
    } else {
      problem->points[n_kept++] = p;
    }
  }
  for (int i = n_points; i < problem->n_points; i++)
    problem->points[n_kept++] = problem->points[i];
  problem->n_points = n_kept;
  return SS_OK;
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

/* Springs that the contact can have: on all edges of its polygon. */
static int
n_springs_of (const SsScene *scene, int contact, int n)
{
  int plane;
  if (!is_pair_with_plane (scene, contact, &plane))
    return 0;
  const SsContact *c = &scene->contacts[contact];
  return n * scene->bodies[plane == 0 ? c->body_b : c->body_a].shape.n_vertices;
}

int
ss_foundation_n_channels (const SsScene *scene, int n)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);

  int sum = 0;
  for (int i = 0; i < scene->n_contacts && n > 0 && sum <= SS_FOUNDATION_CHANNELS_MAX; i++)
    sum += n_springs_of (scene, i, n);
  return sum <= SS_FOUNDATION_CHANNELS_MAX ? sum : 0;
}

SsChannel
ss_foundation_channel (const SsScene *scene, int n, int i, char *name, size_t size)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0 && n >= 0);

  int contact = 0;
  for (; i >= n_springs_of (scene, contact, n); contact++)
    i -= n_springs_of (scene, contact, n);
  const char *owner = scene->contacts[contact].name;
  snprintf (name, size, "%s.spring_%d_%d", owner, i / n + 1, i % n + 1);
  return (SsChannel){.name = name,
                     .quantity = SS_QUANTITY_UNKNOWN,
                     .unit = ss_quantity_unit (SS_QUANTITY_NORMAL_FORCE),
                     .owner = SS_OWNER_CONTACT,
                     .owner_name = owner};
}

/* [003 Fig 7]. */
void
ss_foundation_report (const SsContactProblem *problem, int n, double dt, double *forces)
{
  SS_ASSERT (problem != NULL && n >= 0);

  const int n_channels = ss_foundation_n_channels (problem->scene, n);
  int contact = 0, first = 0;
  memset (forces, 0, (size_t)n_channels * sizeof *forces);
  for (int i = 0; i < problem->n_points && n_channels > 0; i++) {
    const SsContactPoint *p = &problem->points[i];
    if (p->contact < 0 || p->memory >= 0)
      continue;
    if (p->contact < contact)
      contact = first = 0;
    for (; contact < p->contact; contact++)
      first += n_springs_of (problem->scene, contact, n);
    forces[first - 1 - p->memory] += p->pn / dt;
  }
}
