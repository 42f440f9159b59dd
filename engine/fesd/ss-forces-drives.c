/* engine/fesd/ss-forces-drives.c: see the header. */
#include "fesd/ss-forces-drives.h"

#include "fesd/ss-forces.h"
#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* Rounds of Newton's method: one for each change of what holds and what slips, and a few to end. */
enum { ROUNDS_MAX = 60 };
/* Steps of the differences, and what is left of the residual, as parts of the largest bound. */
static const double difference = 1e-6, settled = 1e-12;
/* Added to a matrix whose drives say the same twice, as a part of its diagonal: they share. */
static const double shared = 1e-9;

typedef struct {
  SsForceDrive *drives;
  int n, n_touches;
  SsFesdSystem *system;
  SsFesdLaw *law;
  double t;
  const double *q, *v;
  SsFesdTouch *touches;
  double *extra, *a, *bilateral;
  bool is_solved;
} Drives;

static void
add (SsForceDrive *drives, int *n, const double *v, SsContactDrive kind, const SsRow *row, double most, double speed)
{
  if (!(most > 0))
    return;
  SsForceDrive *drive = &drives[(*n)++];
  *drive = (SsForceDrive){.kind = kind,
                          .index = row->source,
                          .touch = -1,
                          .body = {row->body[0], row->body[1]},
                          .gdv = row->gdv,
                          .rate = ss_row_velocity (row, v) - speed,
                          .most = most};
  memcpy (drive->j, row->j, sizeof drive->j);
}

SsStatus
ss_force_drives_find (const SsFesdSystem *system, const double *q, const double *v, const SsFesdTouch *touches,
                      int n_touches, SsForceDrive **drives, int *n, SsError *err)
{
  SS_ASSERT (system != NULL && q != NULL && v != NULL && drives != NULL && n != NULL);

  const SsScene *scene = system->scene;
  SsRow *rows = ss_new_array (SsRow, scene->n_joints + 1);
  *n = 0;
  *drives = ss_new_array (SsForceDrive, SS_JOINT_DRIVES_MAX * scene->n_joints + n_touches + 1);
  if (rows == NULL || *drives == NULL) {
    ss_free (rows);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the drives of %d joints", scene->n_joints);
  }
  const int n_rows = ss_dynamics_drive_rows (system->dynamics, q, v, rows);
  for (int i = 0; i < n_rows; i++) {
    const SsJoint *joint = &scene->joints[rows[i].source];
    add (*drives, n, v, SS_DRIVE_FRICTION, &rows[i], joint->friction, 0);
    add (*drives, n, v, SS_DRIVE_MOTOR, &rows[i], joint->motor_limit, joint->motor_speed);
  }
  for (int i = 0; i < n_touches; i++) {
    if (touches[i].item >= system->n_points)
      continue;
    const SsFesdPoint *point = &system->points[touches[i].item];
    const int first = *n;
    const SsRow turning = {
        .source = point->contact, .body = {point->body[0], point->body[1]}, .j = {[2] = -1, [5] = 1}};
    add (*drives, n, v, SS_DRIVE_ROLLING, &turning, scene->contacts[point->contact].rolling, 0);
    if (*n > first)
      (*drives)[first].touch = i;
  }
  ss_free (rows);
  return SS_OK;
}

/* Accelerations and forces with what the drives now push. */
static SsStatus
evaluate (Drives *s, SsError *err)
{
  memset (s->extra, 0, (size_t)s->system->n_q * sizeof *s->extra);
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 6; k++)
      if (s->drives[i].body[k / 3] >= 0)
        s->extra[3 * s->drives[i].body[k / 3] + k % 3] += s->drives[i].j[k] * s->drives[i].value;
  SsStatus status =
      ss_fesd_law_forces (s->law, s->t, s->q, s->v, s->touches, s->n_touches, s->a, s->bilateral, &s->is_solved, err);
  for (int i = 0; i < s->n; i++)
    if (s->drives[i].touch >= 0)
      s->drives[i].most =
          s->system->scene->contacts[s->drives[i].index].rolling * fmax (s->touches[s->drives[i].touch].force_n, 0);
  return status;
}

/* J M^-1 J' of a drive, for the step of its projection. */
static double
mobility_of (const Drives *s, const SsForceDrive *drive)
{
  double sum = 0;
  for (int k = 0; k < 6; k++) {
    const int i = drive->body[k / 3] < 0 ? -1 : s->system->index[3 * drive->body[k / 3] + k % 3];
    sum += i >= 0 ? drive->j[k] * drive->j[k] / s->system->mass[i] : 0;
  }
  return sum > 0 ? sum : 1;
}

/* By how much each drive misses its law. */
static void
miss (const Drives *s, double *residual)
{
  for (int i = 0; i < s->n; i++) {
    SsForceDrive *drive = &s->drives[i];
    double wanted;
    if (fabs (drive->rate) > SS_FORCES_AT_REST)
      wanted = drive->rate > 0 ? -drive->most : drive->most;
    else {
      double after = drive->gdv;
      for (int k = 0; k < 6; k++) {
        const int c = drive->body[k / 3] < 0 ? -1 : s->system->index[3 * drive->body[k / 3] + k % 3];
        after += c >= 0 ? drive->j[k] * s->a[c] : 0;
      }
      wanted = drive->value - after / mobility_of (s, drive);
      drive->holds = fabs (wanted) < drive->most;
      wanted = fmin (fmax (wanted, -drive->most), drive->most);
    }
    residual[i] = drive->value - wanted;
  }
}

/* One step of Newton from `residual`, whose columns of differences go to `matrix`. */
static SsStatus
improve (Drives *s, double scale, const double *residual, double *matrix, double *moved, int *pivot, SsError *err)
{
  const int n = s->n;
  for (int j = 0; j < n; j++) {
    const double kept = s->drives[j].value, step = (kept > 0 ? -1 : 1) * difference * scale;
    s->drives[j].value = kept + step;
    SsStatus status = evaluate (s, err);
    if (status != SS_OK)
      return status;
    double *column = matrix + (size_t)j * (size_t)n;
    miss (s, column);
    for (int i = 0; i < n; i++)
      column[i] = (column[i] - residual[i]) / step;
    column[j] += shared;
    s->drives[j].value = kept;
  }
  memcpy (moved, residual, (size_t)n * sizeof *moved);
  if (ss_dense_lu (n, matrix, n, pivot) != SS_OK)
    return ss_error_set (err, SS_ERR_SINGULAR, "the drives of the scene at t = %.9g s say the same twice", s->t);
  ss_dense_lu_solve (n, matrix, n, pivot, moved);
  for (int i = 0; i < n; i++)
    s->drives[i].value -= moved[i];
  return SS_OK;
}

SsStatus
ss_force_drives_solve (SsForceDrive *drives, int n, SsFesdSystem *system, SsFesdLaw *law, double t, const double *q,
                       const double *v, SsFesdTouch *touches, int n_touches, double *extra, double *a,
                       double *bilateral, bool *is_solved, SsError *err)
{
  SS_ASSERT ((drives != NULL || n == 0) && system != NULL && law != NULL && extra != NULL && is_solved != NULL);

  Drives s = {drives, n, n_touches, system, law, t, q, v, touches, extra, a, bilateral, true};
  double *block = ss_new_array (double, (size_t)n *((size_t)n + 2) + 1);
  int *pivot = ss_new_array (int, n + 1);
  bool is_found = false;
  SsStatus status =
      block != NULL && pivot != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for the drives of a scene");
  if (status == SS_OK) {
    ss_fesd_law_set_extra (law, extra);
    status = evaluate (&s, err);
  }
  for (int k = 0; status == SS_OK && s.is_solved && !is_found && k < ROUNDS_MAX; k++) {
    double largest = 0, scale = 0;
    miss (&s, block);
    for (int i = 0; i < n; i++) {
      largest = fmax (largest, fabs (block[i]));
      scale = fmax (scale, fmax (drives[i].most, fabs (drives[i].value)));
    }
    is_found = largest <= settled * scale;
    if (is_found)
      break;
    status = improve (&s, scale, block, block + 2 * n, block + n, pivot, err);
    if (status == SS_OK)
      status = evaluate (&s, err);
  }
  *is_solved = s.is_solved;
  if (status == SS_OK && s.is_solved && !is_found)
    status =
        ss_error_set (err, SS_ERR_SINGULAR, "no forces of the joints' friction and motors were found at t = %.9g s", t);
  ss_free (block);
  ss_free (pivot);
  return status;
}
