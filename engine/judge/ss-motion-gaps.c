/* engine/judge/ss-motion-gaps.c: overlap at rows and between them; see ss-motion.h. */
#include "geometry/ss-sweep.h"
#include "judge/ss-motion-private.h"
#include "scene/ss-near-contacts.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Overlaps between rows are looked for to this, or to this fraction of the deepest [m]. */
static const double depth_wanted = 1e-6, depth_wanted_fraction = 1e-3;
/* A direction is a half-plane's normal when the cosine differs from 1 by less. */
static const double parallel_tolerance = 1e-9;
/* Parts of a step that are looked at for one pair of shapes: halving 50 m to 1e-6 m on both sides takes 60. */
enum { SAMPLES_MAX = 240 };
/* Of steps that turn far an overlap is looked for to this, or to this part of the thinner width [m]. */
static const double turned_wanted = 2e-3, turned_wanted_part = 0.25;
/* Shapes touch at a gap below this [m]. */
static const double touching = 1e-3;

/* The gap of a contact of two single shapes at a row, for the step that begins there. */
typedef struct {
  int row; /* counted from 1 */
  double gap;
  SsVec2 normal;
} Seen;

struct SsMotionGaps {
  const SsScene *scene; /* borrowed */
  int row;              /* that was judged last, from 1 */
  Seen *seen;           /* n_contacts */
  double *radius;       /* n_bodies: of a circle about the origin */
  double *turning;      /* n_bodies: of what is not round about the origin */
  SsBox *boxes;
  SsNearContacts *near;
};

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

SsVec2
ss_motion_place_of_impulse (const SsShape *a, const SsShape *b, const SsGap *gap)
{
  SS_ASSERT (a != NULL && a->n_vertices >= 0 && gap != NULL);

  const double way = a->kind == SS_SHAPE_HALF_PLANE ? 1 : b->kind == SS_SHAPE_HALF_PLANE ? 0 : 0.5;

  return (SsVec2){gap->point_a.x + way * (gap->point_b.x - gap->point_a.x),
                  gap->point_a.y + way * (gap->point_b.y - gap->point_a.y)};
}

/* The thinner of both; see ss-motion.h. */
static double
thinner_width (const SsShape *a, const SsShape *b)
{
  return ss_shape_thinner_width (ss_shape_width (a), ss_shape_width (b));
}

/* Largest n . p of the shape, from the body's origin. */
static double
support (const SsShape *shape, double angle, SsVec2 n)
{
  const double c = cos (angle), s = sin (angle);
  const SsVec2 d = {c * n.x + s * n.y, c * n.y - s * n.x};
  double largest = -INFINITY;

  switch (shape->kind) {
  case SS_SHAPE_CIRCLE:
    return d.x * shape->centre.x + d.y * shape->centre.y + shape->radius;
  case SS_SHAPE_HALF_PLANE:
    if (d.x * shape->normal.x + d.y * shape->normal.y < 1 - parallel_tolerance)
      return INFINITY;
    return d.x * shape->centre.x + d.y * shape->centre.y;
  case SS_SHAPE_POLYGON:
  case SS_SHAPE_CAPSULE:
  case SS_SHAPE_SEGMENT:
    break;
  }
  for (int i = 0; i < shape->n_vertices; i++)
    largest = fmax (largest, d.x * shape->vertices[i].x + d.y * shape->vertices[i].y);
  return shape->kind == SS_SHAPE_CAPSULE ? largest + shape->radius : largest;
}

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

SsStatus
ss_motion_gaps_new (const SsScene *scene, SsMotionGaps **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  const size_t n = (size_t)scene->n_bodies + 1, m = (size_t)scene->n_contacts + 1;
  SsMotionGaps *gaps = ss_new (SsMotionGaps);
  SsStatus status = SS_ERR_MEMORY;

  *out = NULL;
  if (gaps == NULL)
    goto fail;
  gaps->scene = scene;
  gaps->seen = ss_new_array (Seen, m);
  gaps->radius = ss_new_array (double, n);
  gaps->turning = ss_new_array (double, n);
  gaps->boxes = ss_new_array (SsBox, n);
  if (gaps->seen == NULL || gaps->radius == NULL || gaps->turning == NULL || gaps->boxes == NULL)
    goto fail;
  for (int i = 0; i < scene->n_bodies; i++) {
    gaps->radius[i] = ss_body_radius (&scene->bodies[i]);
    gaps->turning[i] = ss_body_turning_radius (&scene->bodies[i]);
  }
  status = ss_near_contacts_new (scene, &gaps->near, err);
  if (status != SS_OK)
    goto fail;
  *out = gaps;
  return SS_OK;

fail:
  if (status == SS_ERR_MEMORY)
    ss_error_set (err, status, "no memory to judge a scene of %d bodies", scene->n_bodies);
  ss_motion_gaps_free (gaps);
  return status;
}

void
ss_motion_gaps_free (SsMotionGaps *gaps)
{
  if (gaps == NULL)
    return;
  ss_near_contacts_free (gaps->near);
  ss_free (gaps->seen);
  ss_free (gaps->radius);
  ss_free (gaps->turning);
  ss_free (gaps->boxes);
  ss_free (gaps);
}

/* ---- between two rows -------------------------------------------------------------------------------------------- */

/* Directions are followed in three frames: that of the world, and those that turn with either body, in which the
 * normal of a face stays. */
enum { WORLD_FRAME, A_FRAME, B_FRAME, N_FRAMES };

/* Two shapes on their way. */
typedef struct {
  const SsShape *shape[2];
  const double *from[2], *to[2]; /* poses at both rows */
  double bend[N_FRAMES];         /* of the whole step: a direction's room differs from straight lines by less [m] */
  bool is_screw;                 /* each body turns about one point, instead of its origin going straight */
  double skin;                   /* what gaps count as less: of two lines their width [m] */
  double wanted;                 /* overlaps are looked for to this [m] */
} Way;

typedef struct {
  double s; /* 0..1 of the step */
  double gap;
  SsVec2 normal;
  double pose[2][3];
} Sample;

static double
change (const double *from, const double *to, int k, double s)
{
  return s == 1 ? to[k] : from[k] + s * (to[k] - from[k]);
}

/* The pose of a body that turns about one point, by less than half a turn: of a chord d and an angle a the part
 * sin (s a/2)/sin (a/2), turned back by (1 - s) a/2. */
static void
turn_about_a_point (const double *from, const double *to, double s, double *pose)
{
  const double half = (to[2] - from[2]) / 2, part = sin (s * half) / sin (half);
  const double c = part * cos ((1 - s) * half), d = -part * sin ((1 - s) * half);
  const double x = to[0] - from[0], y = to[1] - from[1];

  pose[0] = from[0] + c * x - d * y;
  pose[1] = from[1] + d * x + c * y;
}

static bool
turns_about_a_point (const Way *way, int side)
{
  const double turn = fabs (way->to[side][2] - way->from[side][2]);

  return way->is_screw && turn > 0 && turn < PI;
}

static Sample
sample_at (const Way *way, double s)
{
  Sample sample = {.s = s, .gap = INFINITY};

  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 3; k++)
      sample.pose[side][k] = change (way->from[side], way->to[side], k, s);
    if (turns_about_a_point (way, side) && s > 0 && s < 1)
      turn_about_a_point (way->from[side], way->to[side], s, sample.pose[side]);
  }
  return sample;
}

static Sample
look (const Way *way, double s)
{
  Sample sample = sample_at (way, s);
  SsGap found[SS_MANIFOLD_MAX];

  if (ss_geometry_manifold (way->shape[0], sample.pose[0], way->shape[1], sample.pose[1], found) > 0) {
    sample.gap = found[0].phi - way->skin;
    sample.normal = found[0].normal;
  }
  return sample;
}

/* Room between the shapes along n. */
static double
room (const Way *way, const Sample *sample, SsVec2 n)
{
  const double *a = sample->pose[0], *b = sample->pose[1];

  return n.x * (b[0] - a[0]) + n.y * (b[1] - a[1]) - support (way->shape[1], b[2], (SsVec2){-n.x, -n.y}) -
         support (way->shape[0], a[2], n) - way->skin;
}

/* Room at another sample along the normal of one, which has turned with the frame meanwhile. */
static double
room_in_frame (const Way *way, int frame, const Sample *normal_of, const Sample *at)
{
  const int side = frame - A_FRAME;
  const double angle = frame == WORLD_FRAME ? 0 : at->pose[side][2] - normal_of->pose[side][2];
  const double c = cos (angle), s = sin (angle);
  const SsVec2 n = normal_of->normal;

  return room (way, at, angle == 0 ? n : (SsVec2){c * n.x - s * n.y, s * n.x + c * n.y});
}

/* Whether no gap between the two samples can be below. */
static bool
is_ruled_out (const Way *way, const Sample *first, const Sample *last, double below)
{
  const double part = last->s - first->s;

  for (int frame = 0; frame < N_FRAMES; frame++) {
    const double needed = below + way->bend[frame] * part * part;

    if (frame != WORLD_FRAME && way->from[frame - A_FRAME][2] == way->to[frame - A_FRAME][2])
      continue; /* the world's */
    if ((first->gap >= needed && room_in_frame (way, frame, first, last) >= needed) ||
        (last->gap >= needed && room_in_frame (way, frame, last, first) >= needed))
      return true;
  }
  return false;
}

static void
find_bends (Way *way)
{
  double turn[2], radius[2], start = 0, end = 0, moved = 0;

  for (int side = 0; side < 2; side++) {
    turn[side] = fabs (way->to[side][2] - way->from[side][2]);
    radius[side] = ss_shape_turning_radius (way->shape[side]);
  }
  start = hypot (way->from[1][0] - way->from[0][0], way->from[1][1] - way->from[0][1]);
  end = hypot (way->to[1][0] - way->to[0][0], way->to[1][1] - way->to[0][1]);
  moved = hypot (way->to[1][0] - way->to[0][0] - (way->from[1][0] - way->from[0][0]),
                 way->to[1][1] - way->to[0][1] - (way->from[1][1] - way->from[0][1]));
  way->bend[WORLD_FRAME] = 0;
  for (int side = 0; side < 2; side++) {
    const int other = 1 - side;
    const double relative = fabs (way->to[other][2] - way->from[other][2] - (way->to[side][2] - way->from[side][2]));

    if (turn[side] > 0)
      way->bend[WORLD_FRAME] += radius[side] * turn[side] * turn[side] / 8;
    way->bend[A_FRAME + side] = (fmax (start, end) * turn[side] + 2 * moved) * turn[side] / 8;
    if (relative > 0)
      way->bend[A_FRAME + side] += radius[other] * relative * relative / 8;
  }
}

/* The same where bodies turn about points: the way of the origin bends with its distance from that point. Other frames
 * than the world's rule nothing out. */
static void
find_screw_bends (Way *way)
{
  way->bend[WORLD_FRAME] = 0;
  way->bend[A_FRAME] = way->bend[B_FRAME] = INFINITY;
  for (int side = 0; side < 2; side++) {
    const double turn = fabs (way->to[side][2] - way->from[side][2]);
    const double moved = hypot (way->to[side][0] - way->from[side][0], way->to[side][1] - way->from[side][1]);
    const double arm = turns_about_a_point (way, side) ? moved / (2 * sin (turn / 2)) : 0;

    if (turn > 0)
      way->bend[WORLD_FRAME] += (ss_shape_turning_radius (way->shape[side]) + arm) * turn * turn / 8;
  }
}

/* What need not be found: see ss-motion.h. */
static double
precision (const Way *way, double deepest)
{
  return depth_wanted + fmax (way->wanted, -depth_wanted_fraction * deepest);
}

/* Deepest overlap on the way beyond that of its ends, and when. */
static double
sweep (const Way *way, const Sample *first, const Sample *last, double *when)
{
  Sample samples[SAMPLES_MAX];
  struct {
    int first, last;
  } parts[SAMPLES_MAX];
  const double at_ends = fmin (fmin (first->gap, last->gap), 0);
  double deepest = at_ends;
  int n_samples = 2, n_parts = 1;

  samples[0] = *first;
  samples[1] = *last;
  parts[0].first = 0;
  parts[0].last = 1;
  while (n_parts > 0 && n_samples < SAMPLES_MAX) {
    const int a = parts[n_parts - 1].first, b = parts[n_parts - 1].last, middle = n_samples;

    n_parts--;
    if (is_ruled_out (way, &samples[a], &samples[b], deepest - precision (way, deepest)))
      continue;
    n_samples++;
    samples[middle] = look (way, (samples[a].s + samples[b].s) / 2);
    if (samples[middle].gap < deepest) {
      deepest = samples[middle].gap;
      *when = samples[middle].s;
    }
    parts[n_parts].first = middle;
    parts[n_parts++].last = b;
    parts[n_parts].first = a;
    parts[n_parts++].last = middle;
  }
  return at_ends - deepest > precision (way, deepest) ? at_ends - deepest : 0;
}

/* Whether the shapes face each other with other sides at both ends, in the frames of those that are not round. */
static bool
change_sides (const Way *way, const Sample *first, const Sample *last)
{
  for (int side = 0; side < 2; side++) {
    const double angle = last->pose[side][2] - first->pose[side][2], c = cos (angle), s = sin (angle);
    const SsVec2 n = first->normal, m = last->normal;

    if (way->shape[side]->kind != SS_SHAPE_CIRCLE && (c * n.x - s * n.y) * m.x + (s * n.x + c * n.y) * m.y >= 0)
      return false;
  }
  return true;
}

/* The same of a step that turns so far that straight ways of the origins say too little: what both they and turns about
 * one point have. Of shapes that touch at an end, whose ways between are neither, only what leads to other sides. */
static double
sweep_turned (Way *way, const Sample *first, const Sample *last, double width, double *when)
{
  const double bend = way->bend[WORLD_FRAME];

  way->wanted = fmin (turned_wanted, isfinite (width) ? turned_wanted_part * width : turned_wanted);
  if (!(bend > way->wanted))
    return 0;
  const double straight = sweep (way, first, last, when);
  if (!(straight > 0))
    return 0;
  way->is_screw = true;
  find_screw_bends (way);
  const double turned = sweep (way, first, last, when);
  const bool is_doubtful = fmin (first->gap, last->gap) < touching && fmin (straight, turned) <= 2 * bend;
  return is_doubtful && !change_sides (way, first, last) ? 0 : fmin (straight, turned);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* Box of the body on its way. */
static SsBox
swept_box (const SsMotionGaps *gaps, int body, const double *from, const double *to)
{
  const SsBody *b = &gaps->scene->bodies[body];
  const double turn = fabs (to[2] - from[2]);
  /* what turns leaves the straight line between its ends by at most this */
  const double margin =
      turn > 0 && isfinite (gaps->turning[body]) ? gaps->turning[body] * fmin (turn * turn / 8, 2) : 0;
  SsBox box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

  for (int i = 0; i < ss_body_n_shapes (b); i++)
    for (int end = 0; end < (from == to ? 1 : 2); end++) {
      const SsBox more = ss_shape_box (ss_body_shape (b, i), end == 0 ? from : to, margin);

      box.lower = (SsVec2){fmin (box.lower.x, more.lower.x), fmin (box.lower.y, more.lower.y)};
      box.upper = (SsVec2){fmax (box.upper.x, more.upper.x), fmax (box.upper.y, more.upper.y)};
    }
  return box;
}

/* Least distance of the origin from the way of b relative to a. */
static double
nearest_way (const double *a0, const double *a1, const double *b0, const double *b1)
{
  const double x = b0[0] - a0[0], y = b0[1] - a0[1], dx = b1[0] - a1[0] - x, dy = b1[1] - a1[1] - y;
  const double square = dx * dx + dy * dy;
  const double s = square > 0 ? fmin (fmax (-(x * dx + y * dy) / square, 0), 1) : 0;

  return hypot (x + s * dx, y + s * dy);
}

/* Whether circles about the bodies, or a circle and a half-plane that does not turn, stay apart on the whole way. */
static bool
stay_apart (const SsMotionGaps *gaps, int a, int b, const double *from, const double *to)
{
  const double *a0 = from + 3 * a, *a1 = to + 3 * a, *b0 = from + 3 * b, *b1 = to + 3 * b;

  if (isfinite (gaps->radius[a]) && isfinite (gaps->radius[b]))
    return nearest_way (a0, a1, b0, b1) > gaps->radius[a] + gaps->radius[b];
  for (int side = 0; side < 2; side++) {
    const int plane = side == 0 ? a : b, other = side == 0 ? b : a;
    const SsBody *body = &gaps->scene->bodies[plane];
    const SsShape *shape = ss_body_shape (body, 0);
    const double *p0 = from + 3 * plane, *p1 = to + 3 * plane, *o0 = from + 3 * other, *o1 = to + 3 * other;

    if (ss_body_n_shapes (body) > 1 || shape->kind != SS_SHAPE_HALF_PLANE || p0[2] != p1[2] ||
        !isfinite (gaps->radius[other]))
      continue;
    const double c = cos (p0[2]), s = sin (p0[2]);
    const SsVec2 n = {c * shape->normal.x - s * shape->normal.y, s * shape->normal.x + c * shape->normal.y};
    const double reach = shape->normal.x * shape->centre.x + shape->normal.y * shape->centre.y + gaps->radius[other];

    if (n.x * (o0[0] - p0[0]) + n.y * (o0[1] - p0[1]) > reach && n.x * (o1[0] - p1[0]) + n.y * (o1[1] - p1[1]) > reach)
      return true;
  }
  return false;
}

static void
note (SsMotionWorst *worst, double value, double t, int index)
{
  if (value > worst->value)
    *worst = (SsMotionWorst){value, t, index};
}

/* An overlap at a row, or one between two rows, beyond theirs and in all. */
static void
note_share (SsMotionOverlap *overlap, const Way *way, double depth, double in_all, double t, int contact)
{
  const double width = thinner_width (way->shape[0], way->shape[1]);
  SsMotionWorst *passage = &overlap->passage;

  note (&overlap->share, depth / width, t, contact);
  if (in_all > width / 2 && (passage->index < 0 || t < passage->t))
    *passage = (SsMotionWorst){in_all, t, contact};
}

static void
judge_contact (SsMotionGaps *gaps, int contact, const SsMotionRow *before, const SsMotionRow *after,
               SsMotionOverlap *overlap)
{
  const SsContact *c = &gaps->scene->contacts[contact];
  const SsBody *a = &gaps->scene->bodies[c->body_a], *b = &gaps->scene->bodies[c->body_b];
  const double *q0 = before != NULL ? before->q : after->q, *q1 = after->q;
  const bool is_single = ss_body_n_shapes (a) * ss_body_n_shapes (b) == 1;

  if (stay_apart (gaps, c->body_a, c->body_b, q0, q1))
    return;
  for (int i = 0; i < ss_body_n_shapes (a); i++)
    for (int j = 0; j < ss_body_n_shapes (b); j++) {
      Way way = {.shape = {ss_body_shape (a, i), ss_body_shape (b, j)},
                 .from = {q0 + 3 * c->body_a, q0 + 3 * c->body_b},
                 .to = {q1 + 3 * c->body_a, q1 + 3 * c->body_b}};
      const double width = thinner_width (way.shape[0], way.shape[1]);
      Sample last = look (&way, 1);
      Seen seen = gaps->seen[contact];
      double when = 0;

      gaps->seen[contact] = (Seen){is_single ? gaps->row : 0, last.gap, last.normal};

      note (&overlap->penetration, -last.gap, after->t, contact);
      if (last.gap < 0)
        note_share (overlap, &way, -last.gap, -last.gap, after->t, contact);
      if (before == NULL)
        continue;
      find_bends (&way);
      Sample first = sample_at (&way, 0);
      if (seen.row == gaps->row - 1 && seen.row > 0) {
        first.gap = seen.gap;
        first.normal = seen.normal;
      } else {
        first = look (&way, 0);
      }
      if (way.shape[0]->kind == SS_SHAPE_SEGMENT && way.shape[1]->kind == SS_SHAPE_SEGMENT) {
        way.skin = SS_LINE_WIDTH;
        first.gap -= way.skin;
        last.gap -= way.skin;
      }
      way.wanted = way.bend[WORLD_FRAME];
      double depth = sweep (&way, &first, &last, &when);
      if (depth == 0)
        depth = sweep_turned (&way, &first, &last, width, &when);
      const double t = before->t + when * (after->t - before->t);
      note (&overlap->swept, depth, t, contact);
      if (depth > 0)
        note_share (overlap, &way, depth, depth - fmin (fmin (first.gap, last.gap), 0), t, contact);
    }
}

SsStatus
ss_motion_gaps_step (SsMotionGaps *gaps, const SsMotionRow *before, const SsMotionRow *after, SsMotionOverlap *overlap,
                     SsError *err)
{
  SS_ASSERT (gaps != NULL && overlap != NULL);

  const double *from = before != NULL ? before->q : after->q;
  const int *near;
  int n_near;

  gaps->row++;
  overlap->penetration = overlap->swept = overlap->share = overlap->passage = (SsMotionWorst){0, NAN, -1};
  for (int i = 0; i < gaps->scene->n_bodies; i++)
    gaps->boxes[i] = swept_box (gaps, i, from + 3 * i, after->q + 3 * i);
  SsStatus status = ss_near_contacts_find (gaps->near, gaps->boxes, &near, &n_near, err);
  for (int k = 0; status == SS_OK && k < n_near; k++)
    judge_contact (gaps, near[k], before, after, overlap);
  return status;
}
