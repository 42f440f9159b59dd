/* engine/judge/ss-reasons-motion.c: which laws of motion the rows of a plan break; see ss-reasons.h. */
#include "judge/ss-reasons-private.h"

#include <math.h>
#include <stdio.h>

struct SsReasonLaws {
  const SsScene *scene;           /* borrowed */
  const SsMotionVerdict *verdict; /* borrowed */
  SsReasonList *list;             /* borrowed */
  SsDynamics *dynamics;
  SsRow *rows; /* room for the rows and the limits of all joints */
};

SsStatus
ss_reason_laws_new (const SsScene *scene, const SsMotionVerdict *verdict, SsReasonList *list, SsReasonLaws **out,
                    SsError *err)
{
  SS_ASSERT (out != NULL);

  SsReasonLaws *laws = ss_new (SsReasonLaws);
  SsStatus status = SS_ERR_MEMORY;

  *out = NULL;
  if (laws != NULL) {
    *laws = (SsReasonLaws){.scene = scene, .verdict = verdict, .list = list};
    laws->rows = ss_new_array (SsRow, SS_JOINT_ROWS_MAX * (size_t)scene->n_joints + 1);
    if (laws->rows != NULL)
      status = ss_dynamics_new (scene, &laws->dynamics, err);
  }
  if (status != SS_OK) {
    ss_reason_laws_free (laws);
    return status == SS_ERR_MEMORY ? ss_error_set (err, status, "out of memory") : status;
  }
  *out = laws;
  return SS_OK;
}

void
ss_reason_laws_free (SsReasonLaws *laws)
{
  if (laws == NULL)
    return;
  ss_dynamics_free (laws->dynamics);
  ss_free (laws->rows);
  ss_free (laws);
}

/* ---- the start --------------------------------------------------------------------------------------------------- */

/* "0.18 m/s", with its direction where the speed alone does not say it. */
static void
describe_start_velocity (const double *is, const double *asked, char *text, size_t size)
{
  const double speed = hypot (is[0], is[1]), given = hypot (asked[0], asked[1]);
  char a[SS_REASON_QUANTITY], b[SS_REASON_QUANTITY];

  if (given == 0)
    snprintf (text, size, "at %s", ss_reason_quantity (speed, "m/s", a));
  else if (fabs (speed - given) >= SS_WORTH_LEAST * SS_WORTH_SPEED)
    snprintf (text, size, "at %s instead of %s", ss_reason_quantity (speed, "m/s", a),
              ss_reason_quantity (given, "m/s", b));
  else
    snprintf (text, size, "at (%.3g, %.3g) instead of (%.3g, %.3g) m/s", is[0], is[1], asked[0], asked[1]);
}

static void
look_at_start (SsReasonLaws *laws, const SsMotionContent *content, const SsMotionRow *row)
{
  const SsScene *scene = laws->scene;
  const int n = scene->n_bodies;
  char how[128], value[SS_REASON_QUANTITY];

  for (int i = 0; i < n; i++) {
    const SsBody *body = &scene->bodies[i];
    const double *q = row->q + 3 * i, *v = row->v + 3 * i;
    const double away = hypot (q[0] - body->q[0], q[1] - body->q[1]), turned = fabs (q[2] - body->q[2]);
    SsReason *reason = ss_reason_take (laws->list, SS_REASON_START, i, away, "m", row->t, away / SS_WORTH_LENGTH);

    if (reason != NULL)
      snprintf (reason->text, sizeof reason->text, "only possible if %s started %s from where it is", body->name,
                ss_reason_quantity (away, "m", value));
    reason = ss_reason_take (laws->list, SS_REASON_START, n + i, turned, "rad", row->t, turned / SS_WORTH_ANGLE);
    if (reason != NULL)
      snprintf (reason->text, sizeof reason->text, "only possible if %s started turned by %s", body->name,
                ss_reason_quantity (turned, "rad", value));
    if (!content->velocities || body->is_fixed)
      continue;
    const double fast = hypot (v[0] - body->v[0], v[1] - body->v[1]), spin = fabs (v[2] - body->v[2]);
    reason = ss_reason_take (laws->list, SS_REASON_START, 2 * n + i, fast, "m/s", row->t, fast / SS_WORTH_SPEED);
    if (reason != NULL) {
      describe_start_velocity (v, body->v, how, sizeof how);
      snprintf (reason->text, sizeof reason->text, "only possible if %s started %s", body->name, how);
    }
    reason = ss_reason_take (laws->list, SS_REASON_START, 3 * n + i, spin, "rad/s", row->t, spin / SS_WORTH_TURN);
    if (reason != NULL)
      snprintf (reason->text, sizeof reason->text, "only possible if %s started turning at %s", body->name,
                ss_reason_quantity (v[2], "rad/s", value));
  }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* By how much a coordinate's change leaves what lies between both velocities. */
static double
beyond (double moved, double one, double other)
{
  return fmax (fmax (moved - fmax (one, other), fmin (one, other) - moved), 0);
}

static void
look_at_jump (SsReasonLaws *laws, int body, const SsMotionRow *before, const SsMotionRow *row,
              const SsMotionStage *stages, int n_stages)
{
  const double h = row->t - before->t;
  double by_end[3], between[3], by_stages[3];
  char value[SS_REASON_QUANTITY];

  for (int k = 0; k < 3; k++) {
    const int i = 3 * body + k;
    const double moved = row->q[i] - before->q[i];

    by_end[k] = moved - h * row->v[i];
    between[k] = beyond (moved, h * before->v[i], h * row->v[i]);
    by_stages[k] = moved;
    for (int s = 0; s < n_stages; s++)
      by_stages[k] -= stages[s].weight * stages[s].at.v[i];
  }
  double far = fmin (hypot (by_end[0], by_end[1]), hypot (between[0], between[1]));
  double turn = fmin (fabs (by_end[2]), between[2]);
  if (n_stages > 0) {
    far = fmin (far, hypot (by_stages[0], by_stages[1]));
    turn = fmin (turn, fabs (by_stages[2]));
  }
  SsReason *reason = ss_reason_take (laws->list, SS_REASON_JUMP, body, far, "m", row->t, far / SS_WORTH_LENGTH);
  if (reason != NULL)
    snprintf (reason->text, sizeof reason->text, "%s jumps by %s in the step to t = %.4g s",
              laws->scene->bodies[body].name, ss_reason_quantity (far, "m", value), row->t);
  reason = ss_reason_take (laws->list, SS_REASON_JUMP, laws->scene->n_bodies + body, turn, "rad", row->t,
                           turn / SS_WORTH_ANGLE);
  if (reason != NULL)
    snprintf (reason->text, sizeof reason->text, "%s jumps by %s in the step to t = %.4g s",
              laws->scene->bodies[body].name, ss_reason_quantity (turn, "rad", value), row->t);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static void
tell_joint (SsReasonLaws *laws, int index, double value, bool is_angle, double t)
{
  const SsJoint *joint = &laws->scene->joints[index];
  const char *unit = is_angle ? "rad" : "m";
  char text[SS_REASON_QUANTITY];
  SsReason *reason = ss_reason_take (laws->list, SS_REASON_JOINT, 2 * index + is_angle, fabs (value), unit, t,
                                     fabs (value) / (is_angle ? SS_WORTH_ANGLE : SS_WORTH_LENGTH));

  if (reason == NULL)
    return;
  ss_reason_quantity (fabs (value), unit, text);
  snprintf (reason->text, sizeof reason->text, "%s between %s and %s %s %s at t = %.4g s",
            ss_joint_kinds[joint->kind].type, ss_reason_body (laws->scene, joint->body_a),
            ss_reason_body (laws->scene, joint->body_b), text,
            is_angle                         ? "turned"
            : joint->kind == SS_JOINT_ROD    ? (value > 0 ? "too long" : "too short")
            : joint->kind == SS_JOINT_SLIDER ? "off its line"
                                             : "apart",
            t);
}

static void
look_at_joints (SsReasonLaws *laws, const SsMotionRow *row)
{
  const SsScene *scene = laws->scene;
  ss_dynamics_set_time (laws->dynamics, row->t);
  const int n = scene->n_joints > 0 ? ss_dynamics_joint_rows (laws->dynamics, row->q, row->v, laws->rows) : 0;

  for (int i = 0; i < n; i++) {
    const SsRow *first = &laws->rows[i];

    if (first->index > 0)
      continue;
    switch (scene->joints[first->source].kind) {
    case SS_JOINT_PIN:
      tell_joint (laws, first->source, hypot (first[0].phi, first[1].phi), false, row->t);
      break;
    case SS_JOINT_WELD:
      tell_joint (laws, first->source, hypot (first[0].phi, first[1].phi), false, row->t);
      tell_joint (laws, first->source, first[2].phi, true, row->t);
      break;
    case SS_JOINT_SLIDER:
      tell_joint (laws, first->source, first[0].phi, false, row->t);
      tell_joint (laws, first->source, first[1].phi, true, row->t);
      break;
    default:
      tell_joint (laws, first->source, first[0].phi, false, row->t);
      break;
    }
  }
}

static void
look_at_joint_limits (SsReasonLaws *laws, const SsMotionRow *row)
{
  const SsScene *scene = laws->scene;
  ss_dynamics_set_time (laws->dynamics, row->t);
  const int n = scene->n_joints > 0 ? ss_dynamics_limit_rows (laws->dynamics, row->q, row->v, laws->rows) : 0;
  char text[SS_REASON_QUANTITY];

  for (int i = 0; i < n; i++) {
    const SsRow *limit = &laws->rows[i];
    const bool is_angle = ss_joint_kinds[scene->joints[limit->source].kind].is_angle;
    const char *unit = is_angle ? "rad" : "m";
    const double beyond_it = fmax (-limit->phi, 0);
    SsReason *reason = ss_reason_take (laws->list, SS_REASON_JOINT_LIMIT, limit->source, beyond_it, unit, row->t,
                                       beyond_it / (is_angle ? SS_WORTH_ANGLE : SS_WORTH_LENGTH));

    if (reason != NULL)
      snprintf (reason->text, sizeof reason->text, "%s %s is %s beyond its range at t = %.4g s",
                ss_joint_word (&scene->joints[limit->source]), scene->joints[limit->source].name,
                ss_reason_quantity (beyond_it, unit, text), row->t);
  }
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* The impulse p of a contact at the verdict's worst instant; NULL: it is elsewhere. *length: of the time in which it
 * acts, 0 of a jump. */
static const double *
impulse_there (const SsMotionWorst *worst, const SsMotionRow *before, const SsMotionRow *row,
               const SsMotionStage *stages, int n_stages, double *length)
{
  const double *largest = NULL;

  if (worst->index < 0 || before == NULL)
    return NULL;
  for (int s = 0; s < n_stages; s++) {
    const double *p = stages[s].at.impulse + 2 * worst->index;

    if (stages[s].at.t == worst->t && (largest == NULL || hypot (p[0], p[1]) > hypot (largest[0], largest[1]))) {
      largest = p;
      *length = fabs (stages[s].weight);
    }
  }
  if (largest != NULL && hypot (largest[0], largest[1]) > 0)
    return largest;
  *length = row->t - before->t;
  return row->t == worst->t ? row->impulse + 2 * worst->index : NULL;
}

/* "3.1 N", or an impulse where it acts at once. */
static char *
describe_force (double impulse, double length, char text[SS_REASON_QUANTITY])
{
  return length > 0 ? ss_reason_quantity (impulse / length, "N", text) : ss_reason_quantity (impulse, "N s", text);
}

static void
look_at_distant_force (SsReasonLaws *laws, const SsMotionRow *before, const SsMotionRow *row,
                       const SsMotionStage *stages, int n_stages)
{
  const SsMotionWorst *worst = &laws->verdict->complementarity;
  const SsScene *scene = laws->scene;
  double length;
  const double *p = impulse_there (worst, before, row, stages, n_stages, &length);
  const double size = p != NULL ? hypot (p[0], p[1]) : 0;
  char force[SS_REASON_QUANTITY], distance[SS_REASON_QUANTITY];

  if (!(size > 0))
    return;
  const double gap = worst->value / size, speed = size * ss_reason_mobility (scene, worst->index);
  const double value = length > 0 ? size / length : size;
  SsReason *reason = ss_reason_take (laws->list, SS_REASON_DISTANT_FORCE, worst->index, value, length > 0 ? "N" : "N s",
                                     worst->t, fmin (gap / SS_WORTH_LENGTH, speed / SS_WORTH_SPEED));
  if (reason == NULL)
    return;
  const int on = ss_reason_on (scene, worst->index);
  snprintf (reason->text, sizeof reason->text, "%s %s on %s at t = %.4g s while %s is %s away",
            length > 0 ? "force" : "impulse", describe_force (size, length, force), scene->bodies[on].name, worst->t,
            scene->bodies[ss_reason_other (scene, worst->index, on)].name, ss_reason_quantity (gap, "m", distance));
}

static void
look_at_cone (SsReasonLaws *laws, const SsMotionRow *before, const SsMotionRow *row, const SsMotionStage *stages,
              int n_stages)
{
  const SsMotionWorst *worst = &laws->verdict->cone;
  const SsScene *scene = laws->scene;
  double length;
  const double *p = impulse_there (worst, before, row, stages, n_stages, &length);
  char is[SS_REASON_QUANTITY], most[SS_REASON_QUANTITY];

  if (p == NULL || !(worst->value > 0))
    return;
  const int on = ss_reason_on (scene, worst->index), other = ss_reason_other (scene, worst->index, on);
  const double speed = worst->value * ss_reason_mobility (scene, worst->index);
  const double pressed =
      p[0] + (n_stages == 0 ? ss_law_cohesion (scene, worst->index, before->q, INFINITY, length) : 0);
  const bool is_pull = -pressed >= worst->value;
  const double miss = is_pull ? -pressed : worst->value;
  SsReason *reason =
      ss_reason_take (laws->list, is_pull ? SS_REASON_PULL : SS_REASON_FRICTION, worst->index,
                      length > 0 ? miss / length : miss, length > 0 ? "N" : "N s", worst->t, speed / SS_WORTH_SPEED);
  if (reason == NULL)
    return;
  if (is_pull)
    snprintf (reason->text, sizeof reason->text, "%s pulls %s with %s at t = %.4g s", scene->bodies[other].name,
              scene->bodies[on].name, describe_force (-p[0], length, is), worst->t);
  else
    snprintf (reason->text, sizeof reason->text, "friction of %s between %s and %s at t = %.4g s, where %s is the most",
              describe_force (fabs (p[1]), length, is), scene->bodies[on].name, scene->bodies[other].name, worst->t,
              describe_force (scene->contacts[worst->index].mu * fmax (pressed, 0), length, most));
}

/* Sliding speed at the points where the contact is nearest: of b along the tangent (the normal turned by -90 degrees),
 * the least of them, 0 where they differ in sign. */
static double
sliding_speed (const SsScene *scene, const SsContact *contact, const SsMotionRow *row)
{
  const SsBody *a = &scene->bodies[contact->body_a], *b = &scene->bodies[contact->body_b];
  const double *qa = row->q + 3 * contact->body_a, *qb = row->q + 3 * contact->body_b;
  const double *va = row->v + 3 * contact->body_a, *vb = row->v + 3 * contact->body_b;
  double nearest = INFINITY, slip = 0;

  for (int i = 0; i < ss_body_n_shapes (a); i++)
    for (int k = 0; k < ss_body_n_shapes (b); k++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      const int n = ss_geometry_manifold (ss_body_shape (a, i), qa, ss_body_shape (b, k), qb, gaps);

      if (n == 0 || gaps[0].phi >= nearest)
        continue;
      nearest = gaps[0].phi;
      for (int g = 0; g < n; g++) {
        const SsVec2 pa = gaps[g].point_a, pb = gaps[g].point_b;
        const double x = vb[0] - vb[2] * (pb.y - qb[1]) - va[0] + va[2] * (pa.y - qa[1]);
        const double y = vb[1] + vb[2] * (pb.x - qb[0]) - va[1] - va[2] * (pa.x - qa[0]);
        const double s = x * gaps[g].normal.y - y * gaps[g].normal.x;

        slip = g == 0 ? s : slip * s <= 0 ? 0 : fabs (s) < fabs (slip) ? s : slip;
      }
    }
  return slip;
}

/* Friction that is missing of a contact that slides. */
static void
look_at_slip (SsReasonLaws *laws, int index, const SsMotionRow *before, const SsMotionRow *row)
{
  const SsScene *scene = laws->scene;
  const SsContact *contact = &scene->contacts[index];
  const double h = row->t - before->t, pt = row->impulse[2 * index + 1];
  const double pn = row->impulse[2 * index] + ss_law_cohesion (scene, index, before->q, INFINITY, h);
  char is[SS_REASON_QUANTITY], most[SS_REASON_QUANTITY], fast[SS_REASON_QUANTITY];

  if (!(pn > 0) || !(contact->mu > 0) || !(h > 0))
    return;
  const double slip = sliding_speed (scene, contact, row), braking = slip > 0 ? -pt : pt;
  const double missing = contact->mu * pn - braking;
  SsReason *reason = ss_reason_take (
      laws->list, SS_REASON_SLIP, index, missing / h, "N", row->t,
      fmin (fabs (slip) / SS_WORTH_SPEED, missing * ss_reason_mobility (scene, index) / SS_WORTH_SPEED));
  if (reason == NULL)
    return;
  const int on = ss_reason_on (scene, index);
  snprintf (reason->text, sizeof reason->text, "%s slides on %s at %s%s %s of friction, where %s brake, at t = %.4g s",
            scene->bodies[on].name, scene->bodies[ss_reason_other (scene, index, on)].name,
            ss_reason_quantity (fabs (slip), "m/s", fast), braking < 0 ? ", pushed on by" : " with",
            describe_force (fabs (braking), h, is), describe_force (contact->mu * pn, h, most), row->t);
}

SsStatus
ss_reason_laws_row (SsReasonLaws *laws, const SsMotionContent *content, const SsMotionRow *before,
                    const SsMotionRow *row, const SsMotionStage *stages, int n_stages, SsError *err)
{
  SS_ASSERT (laws != NULL && n_stages >= 0);

  const SsScene *scene = laws->scene;

  (void)err;
  if (before == NULL)
    look_at_start (laws, content, row);
  look_at_joints (laws, row);
  look_at_joint_limits (laws, row);
  if (before == NULL)
    return SS_OK;
  for (int i = 0; i < scene->n_bodies && content->velocities; i++)
    if (!scene->bodies[i].is_fixed)
      look_at_jump (laws, i, before, row, stages, n_stages);
  if (!content->impulses || !content->velocities)
    return SS_OK;
  look_at_distant_force (laws, before, row, stages, n_stages);
  look_at_cone (laws, before, row, stages, n_stages);
  for (int i = 0; i < scene->n_contacts && n_stages == 0; i++)
    look_at_slip (laws, i, before, row);
  return SS_OK;
}
