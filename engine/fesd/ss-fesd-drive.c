/* engine/fesd/ss-fesd-drive.c: friction and motors of joints, as items of a march beside points and limits; see
 * ss-fesd-system.h.
 *
 * A drive is a contact's tangent whose normal force is known: modes of stick and slip, their signs and their switches
 * are those of Coulomb's law with mu = 1 and the normal force `most`. It takes no part in jumps: it has no impulses.
 */
#include "fesd/ss-fesd-system.h"

static void
add (SsFesdDrive *drives, int *n, int joint, double most, double speed)
{
  if (!(most > 0))
    return;
  if (drives != NULL)
    drives[*n] = (SsFesdDrive){.joint = joint, .most = most, .speed = speed};
  (*n)++;
}

int
ss_fesd_find_drives (const SsScene *scene, SsFesdDrive *drives)
{
  SS_ASSERT (scene != NULL);

  int n = 0;
  for (int i = 0; i < scene->n_joints; i++) {
    const SsJoint *joint = &scene->joints[i];
    const double holds = joint->motor_speed == 0 ? joint->motor_limit : 0;
    if (!ss_joint_has_drive (joint))
      continue;
    add (drives, &n, i, joint->friction + holds, 0);
    add (drives, &n, i, joint->motor_limit - holds, joint->motor_speed);
  }
  return n;
}

const SsFesdDrive *
ss_fesd_drive_of (const SsFesdSystem *s, int item)
{
  SS_ASSERT (s != NULL && s->n_free <= s->n_q);

  const int drive = item - (s->n_points + s->n_rows - s->n_bilateral - s->n_drives);
  return drive >= 0 ? &s->drives[drive] : NULL;
}

int
ss_fesd_item_rows (const SsFesdSystem *s, double t, const double *q, const double *v, SsRow *rows)
{
  SS_ASSERT (s != NULL && q != NULL && rows != NULL);

  if (s->n_rows == s->n_bilateral)
    return 0;
  ss_dynamics_set_time (s->dynamics, t);
  const int n = ss_dynamics_limit_rows (s->dynamics, q, v, rows);
  int joint = (s->n_drives > 0 ? ss_dynamics_drive_rows (s->dynamics, q, v, rows + n) : 0) - 1;
  for (int i = s->n_drives - 1; i >= 0; i--) { /* one row a joint becomes one a drive, from behind */
    rows[n + i] = rows[n + joint];
    joint -= i > 0 && s->drives[i - 1].joint != s->drives[i].joint;
  }
  return n + s->n_drives;
}

double
ss_fesd_drive_rate (const SsFesdDrive *drive, const SsRow *row, const double *v)
{
  SS_ASSERT (drive != NULL);
  return ss_row_velocity (row, v) - drive->speed;
}

double
ss_fesd_drive_force (const SsFesdDrive *drive, SsFesdMode mode)
{
  return mode == SS_FESD_SLIP_PLUS ? -drive->most : mode == SS_FESD_SLIP_MINUS ? drive->most : 0;
}
