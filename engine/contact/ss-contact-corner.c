/* engine/contact/ss-contact-corner.c: see the header. */
#include "contact/ss-contact-corner.h"

#include <math.h>

static int
n_corners_of_shape (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_HALF_PLANE ? 0 : shape->kind == SS_SHAPE_CIRCLE ? 1 : shape->n_vertices;
}

/* Of the shapes before number n. */
static int
n_corners_before (const SsBody *body, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += n_corners_of_shape (ss_body_shape (body, i));
  return sum;
}

static double
core_radius (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;
}

/* World frame; of a round shape the point of the core that it is grown from. */
static SsVec2
core_corner (const SsShape *shape, int corner, const SsPlace *place)
{
  SsVec2 p = shape->kind == SS_SHAPE_CIRCLE ? shape->centre : shape->vertices[corner];
  return (SsVec2){place->at.x + place->c * p.x - place->s * p.y, place->at.y + place->s * p.x + place->c * p.y};
}

int
ss_contact_n_corners (const SsScene *scene, int contact)
{
  SS_ASSERT (scene != NULL && contact >= 0 && contact < scene->n_contacts);

  const SsContact *c = &scene->contacts[contact];
  const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];
  return n_corners_before (a, ss_body_n_shapes (a)) + n_corners_before (b, ss_body_n_shapes (b));
}

int
ss_contact_corner (const SsScene *scene, int contact, const int shape[2], const SsGap *gap, const double *q)
{
  SS_ASSERT (scene != NULL && shape != NULL && gap != NULL && q != NULL);
  SS_ASSERT (contact >= 0 && contact < scene->n_contacts);

  const SsContact *c = &scene->contacts[contact];
  const int body[2] = {c->body_b, c->body_a};
  int best = 0, first = 0;
  double nearest = INFINITY;
  for (int side = 0; side < 2; side++) { /* b, then a */
    const SsBody *owner = &scene->bodies[body[side]];
    const int index = shape[1 - side];
    const SsShape *s = ss_body_shape (owner, index);
    const SsVec2 witness = side == 0 ? gap->point_b : gap->point_a;
    const int start = first + n_corners_before (owner, index);
    if (s->kind == SS_SHAPE_CIRCLE)
      return start;
    const SsPlace place = ss_place (q + 3 * body[side]);
    for (int k = 0; k < n_corners_of_shape (s); k++) {
      SsVec2 p = core_corner (s, k, &place);
      /* without a radius: no nearer than along either axis */
      if (s->kind == SS_SHAPE_POLYGON && (fabs (p.x - witness.x) >= nearest || fabs (p.y - witness.y) >= nearest))
        continue;
      double away = fabs (hypot (p.x - witness.x, p.y - witness.y) - core_radius (s));
      if (away < nearest) {
        nearest = away;
        best = start + k;
      }
    }
    first += n_corners_before (owner, ss_body_n_shapes (owner));
  }
  return best;
}

SsCorner
ss_contact_corner_at (const SsScene *scene, int contact, int corner, const double *q)
{
  SS_ASSERT (scene != NULL && q != NULL && corner >= 0 && corner < ss_contact_n_corners (scene, contact));

  const SsContact *c = &scene->contacts[contact];
  const int n_b = n_corners_before (&scene->bodies[c->body_b], ss_body_n_shapes (&scene->bodies[c->body_b]));
  const bool is_of_b = corner < n_b;
  const SsBody *owner = &scene->bodies[is_of_b ? c->body_b : c->body_a];
  const SsBody *other = &scene->bodies[is_of_b ? c->body_a : c->body_b];
  const double *pose = q + 3 * (is_of_b ? c->body_b : c->body_a),
               *pose_other = q + 3 * (is_of_b ? c->body_a : c->body_b);
  int index = 0, k = is_of_b ? corner : corner - n_b;
  while (k >= n_corners_of_shape (ss_body_shape (owner, index)))
    k -= n_corners_of_shape (ss_body_shape (owner, index++));
  const SsShape *shape = ss_body_shape (owner, index);
  SsGap nearest = {.phi = INFINITY};
  for (int i = 0; i < ss_body_n_shapes (other); i++) {
    SsGap gaps[SS_MANIFOLD_MAX];
    const SsShape *met = ss_body_shape (other, i);
    if (ss_geometry_manifold (is_of_b ? met : shape, is_of_b ? pose_other : pose, is_of_b ? shape : met,
                              is_of_b ? pose : pose_other, gaps) > 0 &&
        gaps[0].phi < nearest.phi)
      nearest = gaps[0];
  }
  if (!isfinite (nearest.phi))
    return (SsCorner){.phi = INFINITY};
  const SsPlace place = ss_place (pose);
  const SsVec2 n = nearest.normal, p = core_corner (shape, k, &place);
  const SsVec2 reference = is_of_b ? nearest.point_a : nearest.point_b;
  const double sign = is_of_b ? 1 : -1, radius = core_radius (shape);
  SsCorner out = {.normal = n, .point = {p.x - sign * radius * n.x, p.y - sign * radius * n.y}};
  out.phi = sign * (n.x * (out.point.x - reference.x) + n.y * (out.point.y - reference.y));
  return out;
}

void
ss_point_impulses_add (SsPointImpulses *impulses, int contact, int point, double pn, double pt)
{
  SS_ASSERT (impulses != NULL && contact >= 0 && point >= 0);

  SsPointImpulse *item = NULL;
  const bool may_be_there = impulses->n > 0 && contact <= impulses->greatest;
  for (int k = 0; may_be_there && k < impulses->n && item == NULL; k++) { /* substeps meet them in the same order */
    const int i = (impulses->last + k) % impulses->n;
    if (impulses->items[i].contact == contact && impulses->items[i].point == point)
      item = &impulses->items[impulses->last = i];
  }
  if (item == NULL) {
    SS_ASSERT (impulses->n < impulses->capacity);
    item = &impulses->items[impulses->last = impulses->n++];
    *item = (SsPointImpulse){.contact = contact, .point = point};
    impulses->greatest = may_be_there ? impulses->greatest : contact;
  }
  item->pn += pn;
  item->pt += pt;
}

void
ss_point_impulses_free (SsPointImpulses *points)
{
  if (points == NULL)
    return;
  ss_free (points->items);
  ss_free (points);
}
