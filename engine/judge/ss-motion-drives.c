/* engine/judge/ss-motion-drives.c: friction and motors of joints and what resists rolling, in the balance of a step.
 *
 * Rows do not tell what they gave. The fit takes any impulse along a joint's own direction, and any torque between
 * the bodies of a contact with rolling resistance; the law is looked at then: a joint with friction f and a motor of at
 * most m at the speed s gives, over the step h,
 *     -h f Sign (w) - h m Sign (w - s),
 * a contact with the normal impulse pn (and its cohesion) and the lever r: -r pn Sign (w), w its turning. A rate that
 * is on the same side of 0, or of s, at both rows was so within the step. Where stages are told, the law is that of
 * the stage's rate, and what it allows is a sum of impulses to both sides of h most altogether, to one side where the
 * rate has a sign.
 */
#include "judge/ss-motion-balance-private.h"

#include <math.h>

/* SsRow.index of what resists rolling; its source is the contact. */
enum { OF_CONTACT = -1 };

static SsRow *
drive_rows (const SsMotionBalance *b)
{
  return b->limits + SS_JOINT_LIMITS_MAX * b->scene->n_joints;
}

size_t
ss_motion_most_drives (const SsScene *scene)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);

  size_t n = (size_t)scene->n_joints;

  for (int i = 0; i < scene->n_contacts; i++)
    n += scene->contacts[i].rolling > 0;
  return n;
}

static int
find_drives (const SsMotionBalance *b, Place place, const SsMotionRow *before, const SsMotionRow *after)
{
  SsRow *rows = drive_rows (b);
  int n = ss_dynamics_drive_rows (b->dynamics, b->q[place == N_PLACES ? AT_START : place], before->v, rows);

  for (int i = 0; i < b->n_active; i++) {
    const SsContact *c = &b->scene->contacts[b->active[i]];

    if (c->rolling > 0 && after->impulse[2 * b->active[i]] + b->cohesion[b->active[i]] > 0)
      rows[n++] = (SsRow){.kind = SS_ROW_DRIVE,
                          .source = b->active[i],
                          .index = OF_CONTACT,
                          .body = {c->body_a, c->body_b},
                          .j = {[2] = -1, [5] = 1}};
  }
  return n;
}

SsStatus
ss_motion_add_drives (SsMotionBalance *b, Place place, const SsMotionRow *before, const SsMotionRow *after,
                      SsError *err)
{
  SS_ASSERT (b != NULL);

  SsStatus status = SS_OK;

  b->first_drive = ss_motion_fit_n_columns (b->fit);
  b->n_drives = find_drives (b, place, before, after);
  for (int i = 0; i < 2 * b->n_drives && status == SS_OK; i++) {
    const SsRow *row = &drive_rows (b)[i / 2];
    const bool gives = row->index != OF_CONTACT && b->scene->joints[row->source].motor_limit > 0;
    const Source source = {gives ? SS_WORK_ACTUATORS : SS_WORK_DAMPERS, row->source, 0, 0};
    SsFitColumn column = {.body = {row->body[0], row->body[1]}};

    for (int k = 0; k < 6; k++)
      column.j[k] = (i % 2 == 0 ? 1 : -1) * row->j[k];
    status = ss_motion_fit_begin (b->fit, NAN, err);
    if (status == SS_OK)
      status = ss_motion_add_column (b, &column, source, err);
  }
  return status;
}

/* One sign law at a stage. */
static SsStatus
add_drive_at (SsMotionBalance *b, const SsRow *row, double most, double rate, double weight, SsWork work, SsError *err)
{
  if (!(most > 0))
    return SS_OK;
  SsStatus status = ss_motion_fit_begin (b->fit, most * fabs (weight), err);
  for (int side = -1; side <= 1 && status == SS_OK; side += 2) {
    SsFitColumn column = {.body = {row->body[0], row->body[1]}};

    if (side * rate > SS_MOTION_STILL) /* it acts against the rate */
      continue;
    for (int k = 0; k < 6; k++)
      column.j[k] = (weight < 0 ? -side : side) * row->j[k];
    status = ss_motion_add_column (b, &column, (Source){work, row->source, 0, 0}, err);
  }
  return status;
}

SsStatus
ss_motion_add_drives_at (SsMotionBalance *b, const SsMotionRow *at, double weight, SsError *err)
{
  SsRow *rows = drive_rows (b);
  const int n = b->scene->n_joints > 0 ? ss_dynamics_drive_rows (b->dynamics, at->q, at->v, rows) : 0;
  SsStatus status = SS_OK;

  for (int i = 0; i < n && status == SS_OK; i++) {
    const SsJoint *joint = &b->scene->joints[rows[i].source];
    const double rate = ss_row_velocity (&rows[i], at->v);

    status = add_drive_at (b, &rows[i], joint->friction, rate, weight, SS_WORK_DAMPERS, err);
    if (status == SS_OK)
      status =
          add_drive_at (b, &rows[i], joint->motor_limit, rate - joint->motor_speed, weight, SS_WORK_ACTUATORS, err);
  }
  return status;
}

/* Adds to [least, most] what a bound gives against a rate that the rows tell. */
static void
widen (double bound, double rate_before, double rate_after, double *least, double *most)
{
  const bool is_up = fmin (rate_before, rate_after) > SS_MOTION_STILL,
             is_down = fmax (rate_before, rate_after) < -SS_MOTION_STILL;

  *least -= is_down ? -bound : bound;
  *most += is_up ? -bound : bound;
}

void
ss_motion_refuse_drives (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after, double h)
{
  SS_ASSERT (b != NULL && b->n_points <= b->points_capacity);
  for (int i = 0; i < b->n_drives; i++) {
    const SsFitColumn *column = ss_motion_fit_columns (b->fit) + b->first_drive + 2 * i;
    const SsRow *row = &drive_rows (b)[i];
    const double w[] = {ss_row_velocity (row, before->v), ss_row_velocity (row, after->v)};
    const double given = column[0].weight - column[1].weight;
    double least = 0, most = 0;

    if (row->index == OF_CONTACT) {
      const double pressed = after->impulse[2 * row->source] + b->cohesion[row->source];

      widen (b->scene->contacts[row->source].rolling * pressed, w[0], w[1], &least, &most);
    } else {
      const SsJoint *joint = &b->scene->joints[row->source];

      widen (h * joint->friction, w[0], w[1], &least, &most);
      widen (h * joint->motor_limit, w[0] - joint->motor_speed, w[1] - joint->motor_speed, &least, &most);
    }
    const double wrong = given - fmin (fmax (given, least), most);
    for (int k = 0; k < 6 && wrong != 0; k++)
      if (row->body[k / 3] >= 0) {
        const int coordinate = 3 * row->body[k / 3] + k % 3;
        b->rest[coordinate] += b->inverse_mass[coordinate] * row->j[k] * wrong;
      }
  }
}
