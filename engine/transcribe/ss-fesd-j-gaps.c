/* engine/transcribe/ss-fesd-j-gaps.c: the gaps of the contacts of a plan by fesd-j, all of them smooth; see
 * ss-fesd-j.h. */
#include "transcribe/ss-fesd-j-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of the size of a hull: vertices this near to the farthest one along a direction lie on one face with it. */
static const double face_fraction = 1e-9;

static bool
is_still (const SsBody *body)
{
  for (int k = 0; k < 3; k++)
    if (!body->is_fixed && (!body->lock[k] || body->v[k] != 0))
      return false;
  return true;
}

static bool
can_turn (const SsBody *body)
{
  return !body->is_fixed && (!body->lock[2] || body->v[2] != 0);
}

static int
core_size (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE ? 1 : shape->n_vertices;
}

static SsVec2
core_vertex (const SsShape *shape, int i)
{
  return shape->kind == SS_SHAPE_CIRCLE ? shape->centre : shape->vertices[i];
}

static double
core_radius (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;
}

static SsVec2
turn (double angle, SsVec2 a)
{
  return (SsVec2){cos (angle) * a.x - sin (angle) * a.y, sin (angle) * a.x + cos (angle) * a.y};
}

/* ---- two hulls --------------------------------------------------------------------------------------------------- */

/* Vertices of a core on the far side along n (frame of the body); returns how many, at most two. */
static int
find_support (const SsShape *shape, SsVec2 n, int index[2])
{
  double best = -INFINITY, size = 0;
  int count = 0;

  for (int i = 0; i < core_size (shape); i++) {
    SsVec2 v = core_vertex (shape, i);
    best = fmax (best, n.x * v.x + n.y * v.y);
    size = fmax (size, hypot (v.x, v.y));
  }
  for (int i = 0; i < core_size (shape) && count < 2; i++) {
    SsVec2 v = core_vertex (shape, i);
    if (n.x * v.x + n.y * v.y >= best - face_fraction * size)
      index[count++] = i;
  }
  return count;
}

/* A half-plane in the place of a face with outward normal n (frame of the body), or a circle in that of a corner. */
static SsShape *
make_shape (SsFesd *t, const SsShape *shape, SsVec2 n, int vertex, bool is_face)
{
  SsShape *made = ss_transcription_alloc (&t->base, 1, sizeof *made);
  SsVec2 v = core_vertex (shape, vertex);
  double radius = core_radius (shape);

  if (made == NULL)
    return NULL;
  if (is_face)
    *made = (SsShape){.kind = SS_SHAPE_HALF_PLANE, .normal = n, .centre = {v.x + radius * n.x, v.y + radius * n.y}};
  else
    *made = (SsShape){.kind = SS_SHAPE_CIRCLE, .centre = v, .radius = radius};
  return made;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static void
add_gap (SsFesd *t, int contact, const SsGapPair *pair)
{
  const SsContact *c = &t->base.scene->contacts[contact];

  if (ss_array_reserve ((void **)&t->contacts, &t->contact_capacity, t->n_contacts + 1, sizeof *t->contacts) != 0) {
    t->base.out_of_memory = true;
    return;
  }
  SsFesdContact *added = &t->contacts[t->n_contacts++];
  *added = (SsFesdContact){
      .contact = contact, .body_a = c->body_a, .body_b = c->body_b, .pair = *pair, .has_friction = c->mu > 0};
  if (pair->kind == SS_GAP_ROUND && t->options.round_gap == SS_FESD_SQUARE)
    added->pair.kind = SS_GAP_SQUARE;
}

static SsStatus
add_hulls (SsFesd *t, int contact, const SsShape *a, const SsShape *b, SsError *err)
{
  const SsContact *c = &t->base.scene->contacts[contact];
  const SsBody *body_a = &t->base.scene->bodies[c->body_a], *body_b = &t->base.scene->bodies[c->body_b];
  SsGap gaps[SS_MANIFOLD_MAX];
  int on_a[2], on_b[2];

  if (ss_geometry_manifold (a, body_a->q, b, body_b->q, gaps) == 0)
    return SS_OK;
  SsVec2 n_a = turn (-body_a->q[2], gaps[0].normal);
  SsVec2 n_b = turn (-body_b->q[2], (SsVec2){-gaps[0].normal.x, -gaps[0].normal.y});
  const bool is_face_of_a = find_support (a, n_a, on_a) == 2, is_face_of_b = find_support (b, n_b, on_b) == 2;

  if (is_face_of_a || is_face_of_b) {
    SsShape *face = is_face_of_a ? make_shape (t, a, n_a, on_a[0], true) : make_shape (t, b, n_b, on_b[0], true);
    const SsShape *other = is_face_of_a ? b : a;

    for (int i = 0; face != NULL && i < core_size (other); i++)
      add_gap (
          t, contact,
          &(SsGapPair){.kind = SS_GAP_PLANE, .a = is_face_of_a ? face : a, .b = is_face_of_a ? b : face, .vertex = i});
    return SS_OK;
  }
  if (core_radius (a) + core_radius (b) == 0)
    return ss_error_set (err, SS_ERR_INVALID,
                         "the contact '%s' starts corner to corner, without a face that the transcription fesd-j could "
                         "keep: turn one of the bodies a little",
                         c->name);
  SsShape *circle_a = make_shape (t, a, n_a, on_a[0], false), *circle_b = make_shape (t, b, n_b, on_b[0], false);
  if (circle_a != NULL && circle_b != NULL)
    add_gap (t, contact, &(SsGapPair){.kind = SS_GAP_ROUND, .a = circle_a, .b = circle_b});
  return SS_OK;
}

static const SsShape *
plane_of (const SsGapPair *pair)
{
  return pair->a->kind == SS_SHAPE_HALF_PLANE ? pair->a : pair->b;
}

/* Of two bodies that keep their angles, gaps to one plane differ by constants: the smallest is all that can close. */
static void
drop_equal_gaps (SsFesd *t, int first)
{
  const SsScene *scene = t->base.scene;

  for (int i = first; i < t->n_contacts; i++) {
    const SsFesdContact *one = &t->contacts[i];
    const SsBody *a = &scene->bodies[one->body_a], *b = &scene->bodies[one->body_b];

    if (one->pair.kind != SS_GAP_PLANE || can_turn (a) || can_turn (b))
      continue;
    for (int j = t->n_contacts - 1; j > i; j--) {
      const SsFesdContact *two = &t->contacts[j];

      if (two->pair.kind != SS_GAP_PLANE || plane_of (&two->pair) != plane_of (&one->pair))
        continue;
      /* Equal but for rounding: the first one stays. */
      if (ss_fesd_gap_value (t, two, NULL, NULL, NULL) < ss_fesd_gap_value (t, one, NULL, NULL, NULL) - face_fraction)
        t->contacts[i].pair = two->pair;
      memmove (&t->contacts[j], &t->contacts[j + 1], (size_t)(t->n_contacts - j - 1) * sizeof *t->contacts);
      t->n_contacts--;
    }
  }
}

static void
name_gaps (SsFesd *t, int first)
{
  const int n = t->n_contacts - first;

  for (int i = first; i < t->n_contacts; i++) {
    const char *name = t->base.scene->contacts[t->contacts[i].contact].name;

    t->contacts[i].is_only = n == 1;
    t->contacts[i].name = n == 1 ? ss_transcription_name (&t->base, "%s", name)
                                 : ss_transcription_name (&t->base, "%s.%d", name, i - first + 1);
  }
}

/* What would have to stay the same for other numbers of the scene to fit these gaps. */
static void
note_features (SsFesd *t)
{
  t->features = ss_transcription_alloc (&t->base, (size_t)t->n_contacts, sizeof *t->features);
  if (t->features == NULL)
    return;
  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];
    const SsGapPair *pair = &contact->pair;
    const SsVec2 n = pair->kind == SS_GAP_PLANE ? plane_of (pair)->normal : (SsVec2){0, 0};

    /* Contact, kind, corner, side of the plane, and the eighth of a turn where its normal points. */
    t->features[c] = contact->contact + 1e-3 * pair->vertex + 10000.0 * (int)pair->kind +
                     100000.0 * (pair->a->kind == SS_SHAPE_HALF_PLANE) +
                     1000000.0 * (4 * (n.x > 0) + 2 * (n.y > 0) + (fabs (n.x) > fabs (n.y)));
  }
  t->n_features = t->n_contacts;
}

/* Both ends of what pins and sliders leave free. */
static void
add_limits (SsFesd *t)
{
  const SsScene *scene = t->base.scene;

  for (int i = 0; i < 2 * scene->n_joints; i++) {
    const SsJoint *joint = &scene->joints[i / 2];
    const bool is_upper = i % 2 == 1, has_travel = ss_joint_has_range (joint);

    if (!has_travel || !isfinite (is_upper ? joint->upper : joint->lower))
      continue;
    if (ss_array_reserve ((void **)&t->contacts, &t->contact_capacity, t->n_contacts + 1, sizeof *t->contacts) != 0) {
      t->base.out_of_memory = true;
      return;
    }
    t->n_limits++;
    t->contacts[t->n_contacts++] =
        (SsFesdContact){.contact = -1,
                        .joint = i / 2,
                        .is_upper = is_upper,
                        .body_a = joint->body_a,
                        .body_b = joint->body_b,
                        .name = ss_transcription_name (&t->base, "%s.%s", joint->name, is_upper ? "upper" : "lower"),
                        .is_only = true};
  }
}

SsStatus
ss_fesd_choose_gaps (SsFesd *t, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const SsScene *scene = t->base.scene;
  SsGapPair pairs[SS_GAP_PAIRS_MAX];
  SsStatus status = SS_OK;

  for (int i = 0; i < t->base.plan->n_candidates && status == SS_OK; i++) {
    const int index = t->base.plan->candidates[i], first = t->n_contacts;
    const SsContact *c = &scene->contacts[index];
    const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];

    if (is_still (a) && is_still (b))
      continue;
    for (int k = 0; k < a->n_shapes * b->n_shapes && status == SS_OK; k++) {
      const SsShape *shape_a = &a->shapes[k / b->n_shapes], *shape_b = &b->shapes[k % b->n_shapes];
      const int n = ss_gap_pairs (shape_a, shape_b, pairs);

      for (int p = 0; p < n && status == SS_OK; p++)
        if (pairs[p].kind == SS_GAP_HULLS)
          status = add_hulls (t, index, shape_a, shape_b, err);
        else
          add_gap (t, index, &pairs[p]);
    }
    drop_equal_gaps (t, first);
    name_gaps (t, first);
  }
  note_features (t);
  add_limits (t);
  return t->base.out_of_memory ? SS_ERR_MEMORY : status;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static SsVec2
point_of (const double *pose, SsVec2 local)
{
  SsVec2 arm = turn (pose[2], local);
  return (SsVec2){pose[0] + arm.x, pose[1] + arm.y};
}

static SsVec2
velocity_at (const double *pose, const double *v, SsVec2 point)
{
  return (SsVec2){v[0] - v[2] * (point.y - pose[1]), v[1] + v[2] * (point.x - pose[0])};
}

double
ss_fesd_gap_value (const SsFesd *t, const SsFesdContact *contact, const double *q, const double *v, double *slip)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity && contact != NULL);

  const SsScene *scene = t->base.scene;
  const SsGapPair *pair = &contact->pair;

  if (ss_fesd_is_limit (contact)) {
    const SsJoint *joint = &scene->joints[contact->joint];
    const double travel = ss_transcription_travel (scene, contact->joint, q);

    if (slip != NULL)
      *slip = 0;
    return contact->is_upper ? joint->upper - travel : travel - joint->lower;
  }
  const double *pose_a = q != NULL ? q + 3 * contact->body_a : scene->bodies[contact->body_a].q,
               *pose_b = q != NULL ? q + 3 * contact->body_b : scene->bodies[contact->body_b].q;
  double phi;
  SsVec2 n, point_a, point_b;

  if (pair->kind == SS_GAP_PLANE) {
    const bool plane_a = pair->a->kind == SS_SHAPE_HALF_PLANE;
    const SsShape *plane = plane_a ? pair->a : pair->b, *other = plane_a ? pair->b : pair->a;
    const double *pose_plane = plane_a ? pose_a : pose_b, *pose_other = plane_a ? pose_b : pose_a;
    const double radius = core_radius (other);
    SsVec2 normal = turn (pose_plane[2], plane->normal), centre = point_of (pose_plane, plane->centre),
           p = point_of (pose_other, core_vertex (other, pair->vertex));

    phi = normal.x * (p.x - centre.x) + normal.y * (p.y - centre.y) - radius;
    point_a = point_b = (SsVec2){p.x - radius * normal.x, p.y - radius * normal.y};
    n = plane_a ? normal : (SsVec2){-normal.x, -normal.y};
  } else {
    SsVec2 a = point_of (pose_a, core_vertex (pair->a, 0)), b = point_of (pose_b, core_vertex (pair->b, 0));
    const double radius = core_radius (pair->a), sum = radius + core_radius (pair->b);

    /* SQUARE: the normal grows with the distance */
    const double distance = hypot (b.x - a.x, b.y - a.y);
    const double scale = pair->kind == SS_GAP_SQUARE ? sum : fmax (distance, DBL_MIN);
    n = (SsVec2){(b.x - a.x) / scale, (b.y - a.y) / scale};
    phi = pair->kind == SS_GAP_SQUARE ? 0.5 * sum * (n.x * n.x + n.y * n.y - 1) : distance - sum;
    point_a = (SsVec2){a.x + radius * n.x, a.y + radius * n.y};
    point_b = (SsVec2){b.x - (sum - radius) * n.x, b.y - (sum - radius) * n.y};
  }
  if (slip != NULL && v != NULL) {
    SsVec2 of_a = velocity_at (pose_a, v + 3 * contact->body_a, point_a),
           of_b = velocity_at (pose_b, v + 3 * contact->body_b, point_b);
    *slip = n.y * (of_b.x - of_a.x) - n.x * (of_b.y - of_a.y);
  }
  return phi;
}
