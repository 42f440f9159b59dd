/* engine/scene/ss-coupling.c: see ss-coupling.h. */
#include "scene/ss-coupling.h"

#include <math.h>

/* Teeth of the smaller wheel: between these, whatever lets the other wheel have a whole number too. */
enum { TEETH_LEAST = 9, TEETH_MOST = 22, TEETH_OF_LARGER = 240, TOOTH_VERTICES = 4, ARC_VERTICES = 25 };
/* Heights of a tooth above the pitch circle and below it, in modules (twice the radius over the number of teeth). */
static const double above = 0.8, below = 1.0;
/* Half the width of a tooth's top, and of the ground between teeth, in parts of the way from tooth to tooth. */
static const double half_top = 0.14, half_ground = 0.12;

bool
ss_gear_is_belt (const SsJoint *gear)
{
  return gear->style == SS_GEAR_BELT || gear->style == SS_GEAR_CROSSED;
}

static double
two_pi (void)
{
  return 8 * atan (1);
}

/* How many teeth both wheels have. */
static void
count_teeth (const SsJoint *gear, int n[2])
{
  const double r[2] = {gear->radius[0], fabs (gear->radius[1])};
  const int smaller = r[1] < r[0];
  const double ratio = r[1 - smaller] / r[smaller];
  double least = INFINITY;

  for (int teeth = TEETH_LEAST; teeth <= TEETH_MOST; teeth++) {
    const double other = teeth * ratio, off = fabs (other - round (other)) / ratio;
    if (off < least - 1e-9) {
      least = off;
      n[smaller] = teeth;
      n[1 - smaller] = other < TEETH_OF_LARGER ? (int)round (other) : TEETH_OF_LARGER;
    }
  }
}

int
ss_coupling_n_vertices (const SsJoint *joint, int line)
{
  SS_ASSERT (joint != NULL && (line == 0 || line == 1));
  int n[2];

  if (joint->kind == SS_JOINT_ROPE)
    return line == 0 ? joint->n_over + 2 : 0;
  if (joint->kind != SS_JOINT_GEAR)
    return 0;
  if (ss_gear_is_belt (joint))
    return line == 0 ? 2 * ARC_VERTICES : 0;
  count_teeth (joint, n);
  return TOOTH_VERTICES * n[line];
}

/* Where a tooth of the second wheel is in its body's frame, so that it meshes at the start. */
static double
phase (const SsScene *scene, const SsJoint *gear, const int n[2])
{
  const SsBody *a = &scene->bodies[gear->body_a], *b = &scene->bodies[gear->body_b];
  const SsVec2 at_a = ss_vec2_turned (gear->anchor_a, a->q[2]), at_b = ss_vec2_turned (gear->anchor_b, b->q[2]);
  const double to_b = atan2 (b->q[1] + at_b.y - a->q[1] - at_a.y, b->q[0] + at_b.x - a->q[0] - at_a.x),
               turn = two_pi ();

  if (gear->style == SS_GEAR_EXTERNAL) { /* a tooth in a gap, on opposite sides of their wheels */
    const double of_a = n[0] * (to_b - a->q[2]) / turn;
    return to_b + turn / 2 - b->q[2] - turn * (0.5 - of_a) / n[1];
  }
  /* Both look from the larger wheel's centre to the smaller one's; the line of the ring follows the teeth within. */
  const double to_smaller = fabs (gear->radius[1]) < gear->radius[0] ? to_b : to_b + turn / 2;
  return to_smaller - b->q[2] - n[0] * (to_smaller - a->q[2]) / n[1];
}

void
ss_coupling_teeth (const SsScene *scene, const SsJoint *gear, int wheel, SsVec2 *vertices)
{
  SS_ASSERT (gear->kind == SS_JOINT_GEAR && !ss_gear_is_belt (gear) && (wheel == 0 || wheel == 1));
  int n[2];

  count_teeth (gear, n);
  const double r = fabs (gear->radius[wheel]), module = 2 * r / n[wheel], pitch = two_pi () / n[wheel];
  const bool is_ring = gear->style == SS_GEAR_INTERNAL && r > fabs (gear->radius[1 - wheel]);
  const double top = r + (is_ring ? below : above) * module, ground = r - (is_ring ? above : below) * module;
  const double first = wheel == 0 ? 0 : phase (scene, gear, n);
  const double angle[TOOTH_VERTICES] = {-half_top, half_top, 0.5 - half_ground, 0.5 + half_ground};
  for (int tooth = 0; tooth < n[wheel]; tooth++)
    for (int k = 0; k < TOOTH_VERTICES; k++) {
      const double at = first + pitch * (tooth + angle[k]), radius = k < 2 ? top : ground;
      vertices[TOOTH_VERTICES * tooth + k] = (SsVec2){radius * cos (at), radius * sin (at)};
    }
}

/* About two wheels, the second at d from the first: round the far side of one, along a tangent, round the other. */
static void
set_belt (const SsJoint *gear, SsVec2 d, SsVec2 *vertices)
{
  const bool is_crossed = gear->style == SS_GEAR_CROSSED;
  const double r0 = gear->radius[0], r1 = fabs (gear->radius[1]), way = atan2 (d.y, d.x), half = two_pi () / 2;
  const double share = (is_crossed ? r0 + r1 : r0 - r1) / fmax (hypot (d.x, d.y), 1e-300);
  const double meets = acos (fmax (-1, fmin (1, share))); /* from the line of centres to where tangents begin */
  const double from[2] = {way + meets, is_crossed ? way + half - meets : way - meets};
  const double to[2] = {way + 2 * half - meets, is_crossed ? way - half + meets : way + meets};

  for (int i = 0; i < 2 * ARC_VERTICES; i++) {
    const int wheel = i / ARC_VERTICES, k = i % ARC_VERTICES;
    const double at = from[wheel] + (to[wheel] - from[wheel]) * k / (ARC_VERTICES - 1), r = wheel == 0 ? r0 : r1;
    vertices[i] = (SsVec2){wheel * d.x + r * cos (at), wheel * d.y + r * sin (at)};
  }
}

/* The anchors of a joint whose bodies are none of the world. */
static SsVec2
place_of (int body, SsVec2 anchor, const double *poses)
{
  const SsVec2 arm = ss_vec2_turned (anchor, poses[3 * body + 2]);
  return (SsVec2){poses[3 * body] + arm.x, poses[3 * body + 1] + arm.y};
}

void
ss_coupling_line (const SsJoint *joint, const double *poses, SsVec2 *vertices)
{
  SS_ASSERT (joint->kind == SS_JOINT_ROPE || (joint->kind == SS_JOINT_GEAR && ss_gear_is_belt (joint)));

  if (joint->kind == SS_JOINT_GEAR) {
    const SsVec2 a = place_of (joint->body_a, joint->anchor_a, poses),
                 b = place_of (joint->body_b, joint->anchor_b, poses);
    set_belt (joint, (SsVec2){b.x - a.x, b.y - a.y}, vertices);
    return;
  }
  const SsVec2 first = ss_rope_place (joint, 0, poses);
  for (int i = 0; i < joint->n_over + 2; i++) {
    const SsVec2 at = ss_rope_place (joint, i, poses);
    vertices[i] = (SsVec2){at.x - first.x, at.y - first.y};
  }
}
