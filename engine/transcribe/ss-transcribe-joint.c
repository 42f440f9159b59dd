/* engine/transcribe/ss-transcribe-joint.c: joint coordinates: bodies carried by pins, sliders and welds that form
 * trees. */
#include "transcribe/ss-transcribe-private.h"

#include <math.h>

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

/* Whether the chain of carriers of `body` leads through `other`. */
static bool
rests_on (const SsTranscription *t, int body, int other)
{
  for (int b = body; b >= 0; b = t->tree[b] >= 0 ? t->scene->joints[t->tree[b]].body_a : -1)
    if (b == other)
      return true;
  return false;
}

/* In the order of the joints: the second body is carried by the first unless something carries it already, it rests on
 * it, or it has locks. */
void
ss_transcription_choose_tree (SsTranscription *t)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  const SsScene *scene = t->scene;

  for (int b = 0; b < scene->n_bodies; b++)
    t->tree[b] = -1;
  for (int j = 0; j < scene->n_joints && t->is_joint; j++) {
    const SsJoint *joint = &scene->joints[j];
    const SsBody *body = &scene->bodies[joint->body_b];
    bool is_free = !body->is_fixed && !body->lock[0] && !body->lock[1] && !body->lock[2];

    if (ss_joint_kinds[joint->kind].carries && is_free && t->tree[joint->body_b] < 0 &&
        !rests_on (t, joint->body_a, joint->body_b))
      t->tree[joint->body_b] = j;
  }
}

bool
ss_transcription_is_carrier (const SsTranscription *t, int joint)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity && joint >= 0 &&
             joint < t->scene->n_joints);
  return t->tree[t->scene->joints[joint].body_b] == joint;
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

double
ss_transcription_travel (const SsScene *scene, int index, const double *q)
{
  SS_ASSERT (scene != NULL && index >= 0 && index < scene->n_joints);
  static const double world[3] = {0, 0, 0};
  const SsJoint *joint = &scene->joints[index];
  const double *a = joint->body_a >= 0 ? q + 3 * joint->body_a : world, *b = q + 3 * joint->body_b;

  if (joint->kind == SS_JOINT_PIN)
    return b[2] - a[2];
  if (joint->kind == SS_JOINT_ROPE)
    return ss_rope_room (joint, q);
  double ca = cos (a[2]), sa = sin (a[2]), cb = cos (b[2]), sb = sin (b[2]);
  double dx =
      b[0] + cb * joint->anchor_b.x - sb * joint->anchor_b.y - (a[0] + ca * joint->anchor_a.x - sa * joint->anchor_a.y);
  double dy =
      b[1] + sb * joint->anchor_b.x + cb * joint->anchor_b.y - (a[1] + sa * joint->anchor_a.x + ca * joint->anchor_a.y);
  return dx * (ca * joint->axis.x - sa * joint->axis.y) + dy * (sa * joint->axis.x + ca * joint->axis.y);
}

void
ss_transcription_carry (const SsTranscription *t, const SsJoint *joint, const SsExpr *pose_a, SsExpr travel,
                        SsExpr *pose_b)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity && joint != NULL &&
             pose_b != NULL);

  SsGraph *g = t->graph;
  SsExpr zero = ss_expr_number (g, 0), angle_a = pose_a != NULL ? pose_a[2] : zero;
  SsVec2Expr turn_a = ss_vec2_expr_direction (g, angle_a);
  SsVec2Expr place = ss_vec2_expr_turn (g, turn_a, ss_vec2_expr_at (g, t->inputs, &joint->anchor_a));

  if (pose_a != NULL)
    place = ss_vec2_expr_add (g, place, (SsVec2Expr){pose_a[0], pose_a[1]});
  pose_b[2] = joint->kind == SS_JOINT_PIN ? ss_expr_add (g, angle_a, travel)
                                          : ss_expr_add (g, angle_a, ss_transcription_number (t, &joint->angle));
  if (joint->kind == SS_JOINT_SLIDER) {
    SsVec2Expr axis = ss_vec2_expr_turn (g, turn_a, ss_vec2_expr_at (g, t->inputs, &joint->axis));

    place = ss_vec2_expr_add (g, place, ss_vec2_expr_scale (g, travel, axis));
  }
  const SsVec2Expr anchor_b = ss_vec2_expr_at (g, t->inputs, &joint->anchor_b);
  place = ss_vec2_expr_sub (g, place, ss_vec2_expr_turn (g, ss_vec2_expr_direction (g, pose_b[2]), anchor_b));
  pose_b[0] = place.x;
  pose_b[1] = place.y;
}
