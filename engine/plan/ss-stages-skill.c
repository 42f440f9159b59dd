/* engine/plan/ss-stages-skill.c: see the header. */
#include "plan/ss-stages-skill.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
/* Of a hand's force for its own acceleration; of friction's cone in which a push is sure to stick; of a hand's force
 * for a grip at most. */
static const double FORCE_PART = 0.5, CONE_PART = 0.7, GRIP_MOST = 0.6;
/* Of the time of a push, that in which it gets faster, at least. */
static const double RISE_LEAST = 0.25;
/* Room before a touch and after it, as a part of the hand's radius; above what a body is carried over, as a part of the
 * body's radius; the most that hands move in a step, in radii. */
static const double ROOM = 0.4, CLEAR = 0.2, STEP_MOST = 4;
/* Accelerations: of a carry beside gravity, of a carry, and the least that a body is braked with [m/s2]. */
static const double CARRY_SURE = 6, CARRY = 4, BRAKE_LEAST = 0.3;
/* A body that is braked less does not stop by itself within reach; ways and turns that are none [m], [rad]. */
static const double NO_WAY = 1e-3, NO_TURN = 0.03;
/* What a body that is pushed keeps from what is in its way, a part of its radius. */
static const double MARGIN = 0.1;
/* Steps at least: of a way, to take hold, to let go. */
enum { WAY_LEAST = 3, HOLD_STEPS = 4, RELEASE_STEPS = 3, DIRECTIONS = 8 };

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

static SsVec2
along (SsVec2 a, double s, SsVec2 b)
{
  return (SsVec2){a.x + s * b.x, a.y + s * b.y};
}

static double
dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

static SsVec2
at_pose (const double *q)
{
  return (SsVec2){q[0], q[1]};
}

/* ---- faces ------------------------------------------------------------------------------------------------------- */

static void
add_face (SsFace *faces, int *n, SsVec2 middle, SsVec2 normal, double half)
{
  if (*n < SS_FACES)
    faces[(*n)++] = (SsFace){middle, normal, half};
}

/* The side from a to b, with the body on its left, pushed out. */
static void
add_side (SsFace *faces, int *n, SsVec2 a, SsVec2 b, double out)
{
  const double length = hypot (b.x - a.x, b.y - a.y);

  if (!(length > 0))
    return;
  const SsVec2 normal = {(b.y - a.y) / length, -(b.x - a.x) / length};
  add_face (faces, n, along ((SsVec2){(a.x + b.x) / 2, (a.y + b.y) / 2}, out, normal), normal, length / 2);
}

int
ss_skill_faces (const SsScene *scene, int body, const double *q, SsVec2 asked, SsFace faces[SS_FACES])
{
  SS_ASSERT (scene != NULL && body >= 0 && body < scene->n_bodies);

  const SsBody *b = &scene->bodies[body];
  const SsPlace place = ss_place (q + 3 * body);
  const double length = hypot (asked.x, asked.y), first = length > NO_WAY ? atan2 (-asked.y, -asked.x) : 0;
  int n = 0;

  for (int k = 0; k < ss_body_n_shapes (b); k++) {
    const SsShape *shape = ss_body_shape (b, k);

    if (shape->kind == SS_SHAPE_CIRCLE)
      for (int i = 0; i < DIRECTIONS; i++) {
        const SsVec2 normal = ss_vec2_turned ((SsVec2){1, 0}, first + 2 * PI * i / DIRECTIONS);
        add_face (faces, &n, along (ss_way_placed (&place, shape->centre), shape->radius, normal), normal, 0);
      }
    else if (shape->kind == SS_SHAPE_POLYGON)
      for (int i = 0; i < shape->n_vertices; i++)
        add_side (faces, &n, ss_way_placed (&place, shape->vertices[i]),
                  ss_way_placed (&place, shape->vertices[(i + 1) % shape->n_vertices]), 0);
    else if (shape->kind != SS_SHAPE_HALF_PLANE) {
      const SsVec2 a = ss_way_placed (&place, shape->vertices[0]), e = ss_way_placed (&place, shape->vertices[1]);
      const double out = shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;
      add_side (faces, &n, a, e, out);
      add_side (faces, &n, e, a, out);
    }
  }
  return n;
}

/* ---- what is asked ----------------------------------------------------------------------------------------------- */

void
ss_skill_asked (const SsPlanTarget *target, const double *q, SsVec2 *way, double *turn)
{
  SS_ASSERT (target != NULL && way != NULL && turn != NULL);

  const double *pose = q + 3 * target->body;

  way->x = isnan (target->value[0]) ? 0 : target->value[0] - pose[0];
  way->y = isnan (target->value[1]) ? 0 : target->value[1] - pose[1];
  *turn = isnan (target->value[2]) ? 0 : target->value[2] - pose[2];
}

void
ss_skill_missed (const SsPlanTarget *target, SsVec2 asked, const double from[3], const double to[3], SsVec2 *way,
                 double *turn)
{
  SS_ASSERT (target != NULL && way != NULL && turn != NULL);

  way->x = asked.x - (isnan (target->value[0]) ? 0 : to[0] - from[0]);
  way->y = asked.y - (isnan (target->value[1]) ? 0 : to[1] - from[1]);
  *turn = (isnan (target->value[2]) ? from[2] : target->value[2]) - to[2];
}

void
ss_skill_leg (const SsStagePlayer *p, const SsPlanTarget *target, const double *q, SsVec2 *leg, double *length,
              double *turn)
{
  const SsScene *scene = p->scene;
  const SsWayScene among = {scene, q, target->body, {-1, -1}, MARGIN * ss_body_radius (&scene->bodies[target->body]),
                            true};
  const SsVec2 from = at_pose (q + 3 * target->body);
  SsWay way;

  ss_skill_asked (target, q, leg, turn);
  *length = hypot (leg->x, leg->y);
  if (scene->gravity.x != 0 || scene->gravity.y != 0 || *length < NO_WAY ||
      !ss_way_find (&among, from, along (from, 1, *leg), &way) || way.n == 2)
    return;
  *length = ss_way_length (&way);
  *leg = along (way.at[1], -1, from);
}

static const SsContact *
contact_of (const SsScene *scene, int a, int b)
{
  for (int c = 0; c < scene->n_contacts; c++) {
    const SsContact *contact = &scene->contacts[c];
    if ((contact->body_a == a && contact->body_b == b) || (contact->body_a == b && contact->body_b == a))
      return contact;
  }
  return NULL;
}

/* Upwards; (0, 0): seen from above. */
static SsVec2
up_of (const SsScene *scene)
{
  const double g = hypot (scene->gravity.x, scene->gravity.y);

  return g > 0 ? (SsVec2){-scene->gravity.x / g, -scene->gravity.y / g} : (SsVec2){0, 0};
}

/* What brakes a body that slides that way, from its own forces by formula and from friction on what does not move
 * [m/s2]. */
static double
brake_of (const SsStagePlayer *p, int body, SsVec2 way)
{
  const SsScene *scene = p->scene;
  const double length = hypot (way.x, way.y);
  const SsVec2 d = length > 0 ? (SsVec2){way.x / length, way.y / length} : (SsVec2){1, 0};
  const double g = hypot (scene->gravity.x, scene->gravity.y);
  double friction = 0;

  for (int c = 0; c < scene->n_contacts; c++) {
    const SsContact *contact = &scene->contacts[c];
    const int other = contact->body_a == body ? contact->body_b : contact->body_b == body ? contact->body_a : -1;

    if (other >= 0 && ss_body_is_immovable (&scene->bodies[other]))
      friction = fmax (friction, contact->mu * g);
  }
  if (scene->n_forces == 0)
    return friction;
  const int n = 3 * scene->n_bodies;
  double *q = p->scratch, *v = q + n, *f = v + n, rest;
  for (int i = 0; i < n; i++) {
    q[i] = scene->bodies[i / 3].q[i % 3];
    v[i] = 0;
  }
  ss_dynamics_forces (p->dynamics, SS_FORCE_FORMULAS, 0, q, v, NULL, f);
  rest = f[3 * body] * d.x + f[3 * body + 1] * d.y;
  v[3 * body] = 0.3 * d.x;
  v[3 * body + 1] = 0.3 * d.y;
  ss_dynamics_forces (p->dynamics, SS_FORCE_FORMULAS, 0, q, v, NULL, f);
  return friction + fmax (0, rest - f[3 * body] * d.x - f[3 * body + 1] * d.y) / scene->bodies[body].mass;
}

/* ---- durations --------------------------------------------------------------------------------------------------- */

/* Steps of a way from rest to rest, getting faster for the part `rise` of the time and slower with that acceleration at
 * most, and speed. */
static int
steps_rising (const SsStagePlayer *p, double length, double acceleration, double radius, double pace, double rise)
{
  const double time =
      fmax (sqrt (2 * length / ((1 - rise) * fmax (acceleration, 1e-3))), 2 * length * p->h / (STEP_MOST * radius));
  const double steps = ceil (pace * time / p->h);

  return steps < WAY_LEAST ? WAY_LEAST : steps < p->plan->steps ? (int)steps : p->plan->steps + 1;
}

static int
steps_of (const SsStagePlayer *p, double length, double acceleration, double radius, double pace)
{
  return steps_rising (p, length, acceleration, radius, pace, 0.5);
}

static double
acceleration_of (const SsStagesHand *hand, double load)
{
  return FORCE_PART * hand->force / (hand->mass + load);
}

/* ---- ways of hands ----------------------------------------------------------------------------------------------- */

static double
room_of (const SsStagesHand *hand)
{
  return ROOM * hand->radius;
}

/* A hand's way to a place; one that has a line stays on it. */
static bool
find_way (const SsStagePlayer *p, int hand, const double *q, int ignored, SsVec2 to, SsWay *way)
{
  const SsStagesHand *h = &p->hands[hand];
  const SsWayScene scene = {p->scene, q, h->body, {ignored, -1}, room_of (h) / 2};
  const SsVec2 from = at_pose (q + 3 * h->body);

  if (!h->is_plane) {
    const double by = (to.x - from.x) * h->line.x + (to.y - from.y) * h->line.y;

    *way = ss_way_straight (from, along (from, by, h->line));
    return hypot (way->at[1].x - to.x, way->at[1].y - to.y) < room_of (h);
  }
  return ss_way_find (&scene, from, to, way);
}

static SsPhase *
add_phase (SsStage *stage, int steps)
{
  SsPhase *phase = &stage->phases[stage->n++];

  SS_ASSERT (stage->n <= SS_STAGE_PHASES);
  memset (phase, 0, sizeof *phase);
  phase->steps = steps;
  return phase;
}

static void
move_hand (SsPhase *phase, int hand, SsWay way, SsVec2 force, double load)
{
  phase->hands[hand] = (SsHandPhase){.moves = true, .way = way, .force = force, .load = load, .steer.body = -1};
}

/* Where a hand touches the body when it comes along -normal towards a point of it; false: it does not. */
static bool
find_touch (const SsStagePlayer *p, int hand, int body, const double *q, const SsFace *face, double offset,
            SsVec2 *touch)
{
  const SsStagesHand *h = &p->hands[hand];
  const SsWayScene scene = {p->scene, q, h->body, {-1, -1}, 0};
  const SsVec2 tangent = {-face->normal.y, face->normal.x}, at = along (face->middle, offset * face->half, tangent),
               far = along (at, 1.5 * h->radius, face->normal);
  const double s = ss_way_touch (&scene, body, far, at);

  if (!isfinite (s) || s == 0)
    return false;
  *touch = (SsVec2){far.x + s * (at.x - far.x), far.y + s * (at.y - far.y)};
  return true;
}

/* ---- PUSH -------------------------------------------------------------------------------------------------------- */

/* Where a push goes: the direction of the hand and how far from the touch on. */
static SsVec2
push_of (const SsStagePlayer *p, const SsSkillMove *move, const SsSkillNumbers *n, const SsFace *face, SsVec2 asked,
         double *by)
{
  const SsPlanTarget *target = &p->plan->targets[move->target];
  const SsContact *contact = contact_of (p->scene, p->hands[move->hands[0]].body, target->body);
  const SsVec2 inward = {-face->normal.x, -face->normal.y};
  const double cone = CONE_PART * atan (contact != NULL ? contact->mu : 0),
               away = atan2 (inward.x * asked.y - inward.y * asked.x, dot (inward, asked));
  const double angle = dot (inward, asked) > NO_WAY ? fmin (fmax (away, -cone), cone) : 0;
  const SsVec2 d = p->hands[move->hands[0]].is_plane ? ss_vec2_turned (inward, angle + n->tilt) : inward;

  *by = dot (asked, d) + dot (n->by, d);
  return d;
}

/* Away from the body; as far as there is room. */
static void
back_off (const SsStagePlayer *p, int hand, SsVec2 from, SsVec2 normal, double pace, SsStage *stage)
{
  const SsStagesHand *h = &p->hands[hand];
  const SsVec2 d =
      h->is_plane ? normal : (SsVec2){h->line.x * dot (h->line, normal), h->line.y * dot (h->line, normal)};
  const double by = room_of (h);

  move_hand (add_phase (stage, steps_of (p, by, acceleration_of (h, 0), h->radius, fmin (pace, 1.5))), hand,
             ss_way_straight (from, along (from, by, d)), (SsVec2){0, 0}, 0);
  stage->phases[stage->n - 1].hands[hand].follows = true;
}

static bool
make_push (const SsStagePlayer *p, const SsSkillMove *move, const SsSkillNumbers *n, const double *q, SsStage *stage)
{
  const SsPlanTarget *target = &p->plan->targets[move->target];
  const int hand = move->hands[0];
  const SsStagesHand *h = &p->hands[hand];
  SsFace faces[SS_FACES];
  SsVec2 asked, touch;
  double turn, by, whole;
  SsWay way;

  ss_skill_leg (p, target, q, &asked, &whole, &turn);
  if (move->faces[0] >= ss_skill_faces (p->scene, target->body, q, asked, faces))
    return false;
  const SsFace *face = &faces[move->faces[0]];
  const SsVec2 d = push_of (p, move, n, face, asked, &by);
  const SsContact *contact = contact_of (p->scene, h->body, target->body);
  const double friction = contact != NULL ? contact->mu : 0;
  if (by < NO_WAY || !find_touch (p, hand, target->body, q, face, n->offset, &touch))
    return false;
  const SsVec2 before = along (touch, -room_of (h), d), end = along (touch, by, d);
  if (!find_way (p, hand, q, -1, before, &way))
    return false;
  const SsVec2 begin = way.at[way.n - 1]; /* of a hand with a line, on it */
  const double load = p->scene->bodies[target->body].mass, brake = brake_of (p, target->body, d),
               acceleration = acceleration_of (h, load);

  move_hand (add_phase (stage, steps_of (p, ss_way_length (&way), acceleration_of (h, 0), h->radius, n->pace)), hand,
             way, (SsVec2){0, 0}, 0);
  const double length = room_of (h) + by, braked = fmin (acceleration, fmax (brake, BRAKE_LEAST)),
               rise = fmin (fmax (braked / (braked + acceleration), RISE_LEAST), 0.5);
  SsPhase *push = add_phase (stage, steps_rising (p, length, braked, h->radius, n->brisk, rise));
  move_hand (push, hand, ss_way_straight (begin, along (begin, length, d)), (SsVec2){0, 0}, load);
  push->hands[hand].rise = rise;
  if (h->is_plane && p->scene->gravity.x == 0 && p->scene->gravity.y == 0 && face->half > 0)
    push->hands[hand].steer = (SsSteer){.body = target->body,
                                        .from = at_pose (q + 3 * target->body),
                                        .normal = face->normal,
                                        .along = d,
                                        .angle = q[3 * target->body + 2],
                                        .turn = turn,
                                        .cone = 0.8 * friction,
                                        .size = 0.6 * ss_body_radius (&p->scene->bodies[target->body])};
  back_off (p, hand, along (end, dot ((SsVec2){begin.x - before.x, begin.y - before.y}, d), d), face->normal, n->pace,
            stage);
  return true;
}

/* ---- CARRY ------------------------------------------------------------------------------------------------------- */

/* How far the body's shapes reach along d from its place. */
static double
reach_of (const SsScene *scene, int body, const double *q, SsVec2 d)
{
  const SsBody *b = &scene->bodies[body];
  const SsPlace place = ss_place (q + 3 * body);
  double most = -INFINITY;

  for (int k = 0; k < ss_body_n_shapes (b); k++) {
    const SsShape *shape = ss_body_shape (b, k);

    if (shape->kind == SS_SHAPE_CIRCLE)
      most = fmax (most, dot (ss_way_placed (&place, shape->centre), d) + shape->radius);
    else if (shape->kind != SS_SHAPE_HALF_PLANE)
      for (int i = 0; i < shape->n_vertices; i++)
        most = fmax (most, dot (ss_way_placed (&place, shape->vertices[i]), d) +
                               (shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0));
  }
  return most;
}

static bool
is_hand (const SsStagePlayer *p, int body)
{
  for (int i = 0; i < p->n_hands; i++)
    if (p->hands[i].body == body)
      return true;
  return false;
}

/* How high the body's lowest point has to go over what lies between its place and that after the way `asked`; hands
 * that hold it, of radius `wide`, beside it. */
static double
top_between (const SsStagePlayer *p, int body, const double *q, SsVec2 asked, SsVec2 up, double wide)
{
  const SsVec2 across = {up.y, -up.x}, back = {-up.y, up.x};
  const double by = dot (asked, across), from = -reach_of (p->scene, body, q, back) + fmin (by, 0) - wide,
               to = reach_of (p->scene, body, q, across) + fmax (by, 0) + wide;
  double top = -INFINITY;

  for (int b = 0; b < p->scene->n_bodies; b++)
    if (b != body && !is_hand (p, b) && isfinite (ss_body_radius (&p->scene->bodies[b])) &&
        reach_of (p->scene, b, q, across) > from && -reach_of (p->scene, b, q, back) < to)
      top = fmax (top, reach_of (p->scene, b, q, up));
  return top;
}

/* The ways that the body is carried, leg by leg; returns their number. */
static int
carry_legs (const SsStagePlayer *p, int body, const double *q, SsVec2 asked, SsVec2 legs[3])
{
  const SsVec2 up = up_of (p->scene), across = {up.y, -up.x}, down = {-up.x, -up.y};
  const double radius = ss_body_radius (&p->scene->bodies[body]), rises = dot (asked, up), aside = dot (asked, across);
  double wide = 0;

  if (up.x == 0 && up.y == 0) {
    legs[0] = asked;
    return 1;
  }
  for (int i = 0; i < p->n_hands; i++)
    wide = fmax (wide, 2.5 * p->hands[i].radius);
  const double bottom = -reach_of (p->scene, body, q, down), clear = CLEAR * radius;
  double lift = fmax (rises, 0) + (fabs (aside) > NO_WAY ? clear : 0);
  const double top = top_between (p, body, q, asked, up, wide);

  if (fabs (aside) > NO_WAY)
    lift = fmax (lift, top + clear - bottom);
  legs[0] = (SsVec2){lift * up.x, lift * up.y};
  legs[1] = (SsVec2){aside * across.x, aside * across.y};
  legs[2] = (SsVec2){(rises - lift) * up.x, (rises - lift) * up.y};
  return 3;
}

typedef struct {
  SsVec2 touch, normal; /* of the face */
  SsVec2 at;            /* now */
} Grip;

/* A leg for both hands: the body goes by `leg` and turns by `turn` about its centre, which is at `centre`. */
static void
carry_leg (const SsStagePlayer *p, const SsSkillMove *move, double pace, SsVec2 leg, SsVec2 centre, double turn,
           double load, double squeeze, SsVec2 weight, Grip grips[2], SsStage *stage)
{
  const double radius = fmin (p->hands[move->hands[0]].radius, p->hands[move->hands[1]].radius),
               length = hypot (leg.x, leg.y);

  if (length < NO_WAY && fabs (turn) < NO_TURN)
    return;
  SsPhase *phase = add_phase (stage, steps_of (p, length + radius * fabs (turn), CARRY, radius, pace));
  for (int i = 0; i < 2; i++) {
    const SsVec2 arm = {grips[i].at.x - centre.x, grips[i].at.y - centre.y};
    const int n = fabs (turn) < NO_TURN ? 2 : SS_WAY_POINTS;
    SsWay way = {.n = n};

    for (int k = 0; k < n; k++) {
      const double s = (double)k / (n - 1);
      way.at[k] = along (along (centre, s, leg), 1, ss_vec2_turned (arm, s * turn));
    }
    grips[i].at = way.at[n - 1];
    grips[i].normal = ss_vec2_turned (grips[i].normal, turn);
    move_hand (phase, move->hands[i], way, along (weight, -squeeze, grips[i].normal), load);
  }
}

/* The body, and all that lies on it. */
static double
load_of (const SsStagePlayer *p, int body, const double *q)
{
  const SsVec2 up = up_of (p->scene);
  double mass = p->scene->bodies[body].mass;

  if (up.x == 0 && up.y == 0)
    return mass;
  for (int b = 0; b < p->scene->n_bodies; b++) {
    const SsWayScene scene = {p->scene, q, b, {-1, -1}, 0};
    const SsVec2 at = at_pose (q + 3 * b), below = along (at, -NO_WAY, up);

    if (b != body && !is_hand (p, b) && !ss_body_is_immovable (&p->scene->bodies[b]) &&
        contact_of (p->scene, b, body) != NULL && dot (at, up) > dot (at_pose (q + 3 * body), up) &&
        isfinite (ss_way_touch (&scene, body, at, below)))
      mass += p->scene->bodies[b].mass;
  }
  return mass;
}

/* Hands go to both faces, one after the other in thought: who comes second goes round the first one's place. */
static bool
reach_faces (const SsStagePlayer *p, const SsSkillMove *move, const SsSkillNumbers *n, const double *q,
             const Grip grips[2], SsStage *stage)
{
  SsWay ways[2];
  int steps = 0;

  for (int i = 0; i < 2; i++) {
    const SsStagesHand *h = &p->hands[move->hands[i]];

    if (!h->is_plane || !find_way (p, move->hands[i], q, p->hands[move->hands[1 - i]].body,
                                   along (grips[i].touch, room_of (h), grips[i].normal), &ways[i]))
      return false;
    const int own = steps_of (p, ss_way_length (&ways[i]), acceleration_of (h, 0), h->radius, n->pace);
    steps = own > steps ? own : steps;
  }
  SsPhase *phase = add_phase (stage, steps);
  for (int i = 0; i < 2; i++)
    move_hand (phase, move->hands[i], ways[i], (SsVec2){0, 0}, 0);
  return true;
}

static void
let_go (const SsStagePlayer *p, const SsSkillMove *move, double pace, const Grip grips[2], SsStage *stage)
{
  SsPhase *release = add_phase (stage, RELEASE_STEPS);
  int steps = 0;

  for (int i = 0; i < 2; i++) {
    const SsStagesHand *h = &p->hands[move->hands[i]];
    const int own = steps_of (p, room_of (h), acceleration_of (h, 0), h->radius, fmin (pace, 1.5));

    move_hand (release, move->hands[i], ss_way_straight (grips[i].at, grips[i].at), (SsVec2){0, 0}, 0);
    steps = own > steps ? own : steps;
  }
  SsPhase *phase = add_phase (stage, steps);
  for (int i = 0; i < 2; i++)
    move_hand (phase, move->hands[i],
               ss_way_straight (grips[i].at, along (grips[i].at, room_of (&p->hands[move->hands[i]]), grips[i].normal)),
               (SsVec2){0, 0}, 0);
}

static bool
make_carry (const SsStagePlayer *p, const SsSkillMove *move, const SsSkillNumbers *n, const double *q, SsStage *stage)
{
  const SsPlanTarget *target = &p->plan->targets[move->target];
  const SsScene *scene = p->scene;
  const SsVec2 up = up_of (scene);
  const double g = hypot (scene->gravity.x, scene->gravity.y), load = load_of (p, target->body, q);
  SsFace faces[SS_FACES];
  SsVec2 asked, legs[3];
  double turn, length, mu = INFINITY, force = INFINITY;
  Grip grips[2];

  ss_skill_leg (p, target, q, &asked, &length, &turn);
  const int n_faces = ss_skill_faces (scene, target->body, q, asked, faces);
  for (int i = 0; i < 2; i++) {
    const SsFace *face = &faces[move->faces[i]];
    const SsContact *contact = contact_of (scene, p->hands[move->hands[i]].body, target->body);

    if (move->faces[i] >= n_faces || contact == NULL)
      return false;
    const double sign = g > 0 && -face->normal.y * up.x + face->normal.x * up.y < 0 ? -1 : 1;
    if (!find_touch (p, move->hands[i], target->body, q, face, sign * n->offset, &grips[i].touch))
      return false;
    grips[i].normal = face->normal;
    grips[i].at = grips[i].touch;
    mu = fmin (mu, contact->mu);
    force = fmin (force, p->hands[move->hands[i]].force);
  }
  const double brake = g > 0 ? g : brake_of (p, target->body, (SsVec2){1, 0}),
               squeeze = fmin (n->squeeze * load * (brake + CARRY_SURE) / (2 * mu), GRIP_MOST * force);
  if (!(mu > 0) || !reach_faces (p, move, n, q, grips, stage))
    return false;

  SsPhase *hold = add_phase (stage, HOLD_STEPS);
  for (int i = 0; i < 2; i++)
    move_hand (
        hold, move->hands[i],
        ss_way_straight (along (grips[i].touch, room_of (&p->hands[move->hands[i]]), grips[i].normal), grips[i].touch),
        (SsVec2){-squeeze * grips[i].normal.x, -squeeze * grips[i].normal.y}, 0);
  const SsVec2 weight = {load * g * up.x / 2, load * g * up.y / 2};
  SsVec2 centre = at_pose (q + 3 * target->body);
  const int n_legs = carry_legs (p, target->body, q, along (asked, 1, n->by), legs);
  for (int i = 0; i < n_legs; i++) {
    carry_leg (p, move, n->pace, legs[i], centre, i == (n_legs == 1 ? 0 : 1) ? turn : 0, load / 2, squeeze, weight,
               grips, stage);
    centre = along (centre, 1, legs[i]);
  }
  if (!n->stays)
    let_go (p, move, n->pace, grips, stage);
  return true;
}

/* ---- GLIDE ------------------------------------------------------------------------------------------------------- */

static bool
make_glide (const SsStagePlayer *p, const SsSkillMove *move, const SsSkillNumbers *n, const double *q, SsStage *stage)
{
  const SsStagesHand *h = &p->hands[move->hands[0]];
  SsVec2 asked;
  double turn;
  SsWay way;

  ss_skill_asked (&p->plan->targets[move->target], q, &asked, &turn);
  if (!find_way (p, move->hands[0], q, -1, along (along (at_pose (q + 3 * h->body), 1, asked), 1, n->by), &way))
    return false;
  move_hand (add_phase (stage, steps_of (p, ss_way_length (&way), acceleration_of (h, 0), h->radius, n->pace)),
             move->hands[0], way, (SsVec2){0, 0}, 0);
  return true;
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

SsSkillNumbers
ss_skill_nominal (const SsStagePlayer *p, const SsSkillMove *move, double pace)
{
  SS_ASSERT (move != NULL);
  (void)p;
  return (SsSkillNumbers){.offset = move->skill == SS_SKILL_CARRY ? 0.2 : 0, .pace = pace, .brisk = 1, .squeeze = 1};
}

bool
ss_skill_stage (const SsStagePlayer *p, const SsSkillMove *move, const SsSkillNumbers *numbers, const double *q,
                int steps, SsStage *stage)
{
  SsSkillNumbers n = *numbers;

  for (;;) {
    stage->n = 0;
    const bool is_made = move->skill == SS_SKILL_PUSH    ? make_push (p, move, &n, q, stage)
                         : move->skill == SS_SKILL_CARRY ? make_carry (p, move, &n, q, stage)
                                                         : make_glide (p, move, &n, q, stage);
    if (!is_made)
      return false;
    if (ss_stage_steps (stage) <= steps)
      return true;
    /* the horizon ends before the hands are away */
    for (int after = move->skill == SS_SKILL_CARRY && !n.stays ? 2
                     : move->skill == SS_SKILL_PUSH            ? 1
                                                               : 0;
         after > 0; after--) {
      const int last = stage->phases[stage->n - 1].steps;

      if (ss_stage_steps (stage) - last < steps) {
        stage->phases[stage->n - 1].steps = steps - (ss_stage_steps (stage) - last);
        return true;
      }
      stage->n--;
    }
    if (n.pace <= 1)
      return false;
    n.pace = fmax (1, n.pace * 0.85 * steps / ss_stage_steps (stage));
  }
}

SsSkillNumbers
ss_skill_correct (const SsStagePlayer *p, const SsSkillMove *move, const SsSkillNumbers *numbers, const double *q,
                  SsVec2 missed, double turn)
{
  SS_ASSERT (p != NULL && move != NULL);

  SsSkillNumbers n = *numbers;
  const SsPlanTarget *target = &p->plan->targets[move->target];
  SsVec2 asked;
  double own, length;

  n.by = along (n.by, 1, missed);
  if (move->skill != SS_SKILL_PUSH || hypot (p->scene->gravity.x, p->scene->gravity.y) > 0)
    return n;
  SsFace faces[SS_FACES];
  ss_skill_leg (p, target, q, &asked, &length, &own);
  if (move->faces[0] >= ss_skill_faces (p->scene, target->body, q, asked, faces))
    return n;
  const SsFace *face = &faces[move->faces[0]];
  const double size = 0.6 * ss_body_radius (&p->scene->bodies[target->body]),
               way = fmax (-dot (asked, face->normal), size);
  if (face->half > 0)
    n.offset = fmin (fmax (n.offset + turn * size * size / (way * face->half), -0.9), 0.9);
  return n;
}

/* Keeps the moves that rank highest, in their order. */
static void
offer (SsSkillMove *moves, int *n, int most, SsSkillMove move)
{
  if (*n == most && !(moves[most - 1].rank < move.rank))
    return;
  int i = *n < most ? (*n)++ : most - 1;
  for (; i > 0 && moves[i - 1].rank < move.rank; i--)
    moves[i] = moves[i - 1];
  moves[i] = move;
}

static void
offer_pushes (const SsStagePlayer *p, int target, const double *q, SsVec2 asked, double turn, SsSkillMove *moves,
              int *n, int most)
{
  const int body = p->plan->targets[target].body;
  const SsVec2 up = up_of (p->scene);
  const double size = ss_body_radius (&p->scene->bodies[body]);
  SsFace faces[SS_FACES];
  const int n_faces = ss_skill_faces (p->scene, body, q, asked, faces);

  for (int h = 0; h < p->n_hands; h++)
    for (int f = 0; f < n_faces && contact_of (p->scene, p->hands[h].body, body) != NULL; f++) {
      SsSkillMove move = {SS_SKILL_PUSH, target, {h, -1}, {f, -1}, 0};
      const SsSkillNumbers nominal = ss_skill_nominal (p, &move, 1);
      double by;

      const SsVec2 d = push_of (p, &move, &nominal, &faces[f], asked, &by);
      if (fabs (dot (faces[f].normal, up)) > 0.7 ||
          (!p->hands[h].is_plane && fabs (dot (p->hands[h].line, faces[f].normal)) < 0.7))
        continue;
      /* what is left beside the push costs, a turn that is missing makes small ways worth it */
      move.rank = by - 0.3 * fabs (asked.x * d.y - asked.y * d.x);
      if (by > NO_WAY || (fabs (turn) > NO_TURN && by > -size))
        offer (moves, n, most, move);
    }
}

static void
offer_carries (const SsStagePlayer *p, int target, const double *q, SsVec2 asked, SsSkillMove *moves, int *n, int most)
{
  const int body = p->plan->targets[target].body;
  const SsVec2 up = up_of (p->scene);
  SsFace faces[SS_FACES];
  const int n_faces = ss_skill_faces (p->scene, body, q, asked, faces);

  for (int a = 0; a < n_faces; a++)
    for (int b = a + 1; b < n_faces; b++) {
      if (dot (faces[a].normal, faces[b].normal) > -0.95 || fabs (dot (faces[a].normal, up)) > 0.5)
        continue;
      for (int h = 0; h < p->n_hands; h++)
        for (int k = h + 1; k < p->n_hands; k++) {
          const SsVec2 first = at_pose (q + 3 * p->hands[h].body), second = at_pose (q + 3 * p->hands[k].body);
          const double straight = hypot (first.x - faces[a].middle.x, first.y - faces[a].middle.y) +
                                  hypot (second.x - faces[b].middle.x, second.y - faces[b].middle.y),
                       crossed = hypot (first.x - faces[b].middle.x, first.y - faces[b].middle.y) +
                                 hypot (second.x - faces[a].middle.x, second.y - faces[a].middle.y);
          const bool is_straight = straight <= crossed;

          offer (moves, n, most,
                 (SsSkillMove){SS_SKILL_CARRY,
                               target,
                               {h, k},
                               {is_straight ? a : b, is_straight ? b : a},
                               hypot (asked.x, asked.y) * (dot (asked, up) > NO_WAY ? 1.3 : 0.8)});
        }
    }
}

int
ss_skill_moves (const SsStagePlayer *p, const double *q, SsSkillMove *moves, int most)
{
  SS_ASSERT (p != NULL);

  int n = 0;

  for (int t = 0; t < p->plan->n_targets; t++) {
    const int body = p->plan->targets[t].body;
    SsVec2 asked;
    double turn, length;

    ss_skill_leg (p, &p->plan->targets[t], q, &asked, &length, &turn);
    if (hypot (asked.x, asked.y) < NO_WAY && fabs (turn) < NO_TURN)
      continue;
    for (int h = 0; h < p->n_hands; h++)
      if (p->hands[h].body == body)
        offer (moves, &n, most, (SsSkillMove){SS_SKILL_GLIDE, t, {h, -1}, {-1, -1}, 0});
    if (is_hand (p, body))
      continue;
    offer_pushes (p, t, q, asked, turn, moves, &n, most);
    offer_carries (p, t, q, asked, moves, &n, most);
  }
  return n;
}

double
ss_skill_need (const SsStagePlayer *p, const double *q)
{
  SS_ASSERT (p != NULL);

  double sum = 0;

  for (int t = 0; t < p->plan->n_targets; t++) {
    const int body = p->plan->targets[t].body;
    double turn, length, nearest = INFINITY, least = INFINITY;
    SsVec2 asked;

    ss_skill_leg (p, &p->plan->targets[t], q, &asked, &length, &turn);
    if (length < NO_WAY && fabs (turn) < NO_TURN)
      continue;
    for (int h = 0; h < p->n_hands; h++) {
      const SsStagesHand *hand = &p->hands[h];
      const double away = hypot (q[3 * hand->body] - q[3 * body], q[3 * hand->body + 1] - q[3 * body + 1]);

      nearest = fmin (nearest, steps_of (p, away, acceleration_of (hand, 0), hand->radius, 1));
      least = fmin (least, steps_rising (p, length,
                                         fmin (acceleration_of (hand, p->scene->bodies[body].mass),
                                               fmax (brake_of (p, body, asked), BRAKE_LEAST)),
                                         hand->radius, 1, RISE_LEAST));
    }
    sum += (is_hand (p, body) ? 0 : nearest + HOLD_STEPS + RELEASE_STEPS) + least;
  }
  return sum;
}
