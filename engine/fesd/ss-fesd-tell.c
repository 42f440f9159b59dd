/* engine/fesd/ss-fesd-tell.c: rows, stages and events of the march, for its record. */
#include "fesd/ss-fesd-march-private.h"

#include "contact/ss-contact-problem.h"
#include "simulate/ss-sim-limits.h"

#include <math.h>
#include <string.h>

int
ss_fesd_contact_of (const SsFesdSystem *s, int item)
{
  return item < s->n_points ? s->points[item].contact : -1;
}

/* Smallest gaps of all contacts at q. */
void
ss_fesd_tell_gaps (const SsFesdMarch *m, const double *q, double *values)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  for (int i = 0; i < s->scene->n_contacts; i++)
    values[i * SS_SIM_N_CONTACT_VALUES + SS_SIM_GAP] = INFINITY;
  for (int i = 0; i < s->n_static; i++) {
    double *gap = &values[s->points[i].contact * SS_SIM_N_CONTACT_VALUES + SS_SIM_GAP];
    *gap = fmin (*gap, ss_fesd_point_gap (&s->points[i], q));
  }
  for (int i = 0; i < s->n_pairs; i++) {
    double gaps[2], *gap = &values[s->pairs[i].contact * SS_SIM_N_CONTACT_VALUES + SS_SIM_GAP];
    ss_fesd_system_gaps (s, &s->pairs[i], q, gaps);
    *gap = fmin (*gap, gaps[0]);
  }
}

/* Forces and impulses of items (NULL: none), summed over the points of each contact. */
void
ss_fesd_tell_forces (const SsFesdSystem *s, const double *lambda_n, const double *lambda_t, const double *impulse,
                     double *values)
{
  SS_ASSERT (s != NULL && s->n_free <= s->n_q);
  for (int i = 0; i < s->scene->n_contacts; i++)
    for (int k = SS_SIM_LAMBDA_N; k < SS_SIM_N_CONTACT_VALUES; k++)
      values[i * SS_SIM_N_CONTACT_VALUES + k] = 0;
  for (int i = 0; i < s->n_points; i++) {
    double *of = values + s->points[i].contact * SS_SIM_N_CONTACT_VALUES;
    of[SS_SIM_LAMBDA_N] += lambda_n != NULL ? lambda_n[i] : 0;
    of[SS_SIM_LAMBDA_T] += lambda_t != NULL ? lambda_t[i] : 0;
    of[SS_SIM_IMPULSE_N] += impulse != NULL ? impulse[2 * i] : 0;
    of[SS_SIM_IMPULSE_T] += impulse != NULL ? impulse[2 * i + 1] : 0;
  }
}

/* Friction and a motor that is to stand share by their bounds. */
static void
add_drive_force (const SsFesdMarch *m, const SsFesdDrive *drive, double force, double *joint)
{
  const SsJoint *of = &m->system->scene->joints[drive->joint];
  const double friction = drive->speed != 0 ? 0 : of->friction / drive->most;
  joint[SS_JOINT_N_FORCES * drive->joint + SS_JOINT_FRICTION] += friction * force;
  joint[SS_JOINT_N_FORCES * drive->joint + SS_JOINT_MOTOR] += (1 - friction) * force;
}

/* Of drives that slip. */
static void
add_slipping (const SsFesdMarch *m, double *joint)
{
  const SsFesdSystem *s = m->system;
  for (int i = ss_fesd_n_items (s) - s->n_drives; i < ss_fesd_n_items (s); i++)
    add_drive_force (m, ss_fesd_drive_of (s, i), ss_fesd_drive_force (ss_fesd_drive_of (s, i), m->now.modes[i]), joint);
}

/* Adds the force of row i of the joints and limits, as m->joint_rows has them, or of a drive that sticks. */
static void
add_joint_force (const SsFesdMarch *m, int i, double force, double *joint)
{
  const SsFesdSystem *s = m->system;
  if (i < s->n_bilateral) {
    const SsJointConstraint row = {.row = m->joint_rows[i], .p = force};
    ss_contact_rows_add_joints (&row, 1, joint);
  } else if (i >= s->n_rows - s->n_drives)
    add_drive_force (m, &s->drives[i - s->n_rows + s->n_drives], force, joint);
  else
    joint[SS_JOINT_N_FORCES * s->row_joint[i] + SS_JOINT_LIMIT] += s->row_is_upper[i] ? -force : force;
}

/* Before the forces at a pose are added. */
static void
begin_joints (SsFesdMarch *m, double t, const double *q, const double *v, double *joint)
{
  memset (joint, 0, SS_JOINT_N_FORCES * (size_t)m->system->scene->n_joints * sizeof *joint);
  ss_dynamics_set_time (m->system->dynamics, t);
  if (m->system->n_bilateral > 0)
    ss_dynamics_joint_rows (m->system->dynamics, q, v, m->joint_rows);
}

void
ss_fesd_tell_joints (SsFesdMarch *m, double *joint)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  if (joint == NULL)
    return;
  begin_joints (m, m->now.t, m->now.q, m->now.v, joint);
  for (int i = 0; i < s->n_bilateral; i++)
    add_joint_force (m, i, m->now.bilateral[i], joint);
  for (int i = s->n_bilateral; i < s->n_rows - s->n_drives; i++)
    add_joint_force (m, i, m->now.lambda_n[s->n_points + i - s->n_bilateral], joint);
  for (int i = s->n_rows - s->n_drives; i < s->n_rows; i++)
    if (m->now.modes[s->n_points + i - s->n_bilateral] == SS_FESD_STICK)
      add_joint_force (m, i, m->now.lambda_t[s->n_points + i - s->n_bilateral], joint);
  add_slipping (m, joint);
}

SsStatus
ss_fesd_tell_row (SsFesdMarch *m, const double *impulse, SsError *err)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  double *at;
  SsStatus status = ss_fesd_record_add (&m->record, SS_FESD_RECORD_ROW, 0, &at, err);
  if (status != SS_OK)
    return status;
  *at++ = m->now.t;
  *at++ = m->now.tau;
  memcpy (at, m->now.q, (size_t)s->n_q * sizeof *at);
  memcpy (at + s->n_q, m->now.v, (size_t)s->n_q * sizeof *at);
  at += 2 * s->n_q;
  ss_fesd_tell_forces (s, m->now.lambda_n, m->now.lambda_t, impulse, at);
  at += SS_SIM_N_CONTACT_VALUES * s->scene->n_contacts;
  memcpy (at, m->now.dissipated, (size_t)s->scene->n_contacts * sizeof *at);
  at += s->scene->n_contacts;
  ss_fesd_tell_joints (m, at);
  if (m->options.freeze.owner != NULL)
    m->options.freeze.fill (m->options.freeze.owner, m, at + SS_JOINT_N_FORCES * s->scene->n_joints);
  return SS_OK;
}

void
ss_fesd_tell_rows (SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);

  const int n_q = m->system->n_q;
  for (int i = 0; i < m->record.n_items; i++)
    if (m->record.items[i].kind == SS_FESD_RECORD_ROW ||
        (m->options.keeps_stages && m->record.items[i].kind == SS_FESD_RECORD_STAGE)) {
      double *q = ss_fesd_record_numbers (&m->record, i) + 2;
      ss_fesd_tell_gaps (m, q, q + 2 * n_q);
    }
}

SsStatus
ss_fesd_tell_event (SsFesdMarch *m, SsEventKind kind, int item, double t, double impulse, SsError *err)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  SsEvent event = {.t = fmin (t, m->t_step_end),
                   .kind = kind,
                   .point = -1,
                   .impulse = impulse,
                   .is_exact = true,
                   .condition = kind != SS_EVENT_ACCUMULATION && m->now.solved == item + 1 ? m->now.condition : NAN,
                   .is_following = kind != SS_EVENT_ACCUMULATION && m->options.freeze.owner == NULL &&
                                   m->now.solved != 0 && m->now.solved != item + 1,
                   .tau = m->options.freeze.owner == NULL ? NAN
                          : isnan (m->tau_of_jump)        ? m->now.tau
                                                          : m->tau_of_jump};
  if (item < s->n_points) {
    event.subject = s->points[item].contact;
    event.point = s->points[item].corner;
  } else {
    const int row = s->n_bilateral + item - s->n_points;
    event.subject = s->row_joint[row];
    event.is_upper = s->row_is_upper[row];
    event.kind = kind == SS_EVENT_IMPACT ? SS_EVENT_LIMIT : kind == SS_EVENT_SEPARATION ? SS_EVENT_LIMIT_LEFT : kind;
    event.impulse = NAN;
  }
  return ss_fesd_record_add_event (&m->record, &event, err);
}

/* What the modes that now act say that those before did not. */
SsStatus
ss_fesd_tell_modes (SsFesdMarch *m, SsError *err)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  SsStatus status = SS_OK;
  for (int i = 0; status == SS_OK && i < ss_fesd_n_items (s); i++) {
    const SsFesdMode before = m->now.told[i], after = m->now.modes[i];
    m->now.told[i] = after;
    if (before == after || before == SS_FESD_OPEN)
      continue;
    const bool has_friction = i < s->n_points && s->scene->contacts[s->points[i].contact].mu > 0;
    if (after == SS_FESD_OPEN)
      status = ss_fesd_tell_event (m, SS_EVENT_SEPARATION, i, m->now.t, NAN, err);
    else if (has_friction)
      status = ss_fesd_tell_event (m,
                                   before == SS_FESD_STICK  ? SS_EVENT_SLIP
                                   : after == SS_FESD_STICK ? SS_EVENT_STICK
                                                            : SS_EVENT_REVERSAL,
                                   i, m->now.t, NAN, err);
  }
  return status;
}

/* What friction of a row that slips takes at a stage [W]. */
static double
slip_power (const SsFesdMarch *m, const SsFesdRow *row, int i, int stage)
{
  const SsFesdElement *e = m->element;
  const SsFesdPoint *point = &m->system->points[row->item];
  SsFesdPointAt where;
  ss_fesd_point_at (point, ss_fesd_element_q (e, stage), false, &where);
  const double slip = ss_fesd_point_rate (point, where.jt, ss_fesd_element_v (e, stage));
  return row->friction * ss_fesd_element_lambda (e, i, stage) * slip;
}

/* Multipliers and speed of time at stage k, as of a row. */
static void
fill_more (SsFesdMarch *m, int k, double tau, const double *q, const double *v, double *more)
{
  const SsFesdSystem *s = m->system;
  const SsFesdRow *rows = ss_fesd_element_rows (m->element);
  const int n = ss_fesd_n_items (s);
  const SsFesdState now = m->now;
  double *at = m->of_stage;
  m->now.q = memcpy (at, q, (size_t)s->n_q * sizeof *at);
  m->now.v = memcpy (at + s->n_q, v, (size_t)s->n_q * sizeof *at);
  m->now.lambda_n = memset (at + 2 * s->n_q, 0, 2 * (size_t)n * sizeof *at);
  m->now.lambda_t = m->now.lambda_n + n;
  m->now.tau = tau;
  for (int i = 0; i < ss_fesd_element_n_rows (m->element); i++) {
    const double force = ss_fesd_element_lambda (m->element, i, k);
    if (rows[i].kind == SS_FESD_ROW_LIMIT)
      m->now.lambda_n[s->n_points + rows[i].item - s->n_bilateral] = force;
    if (rows[i].kind == SS_FESD_ROW_NORMAL)
      m->now.lambda_n[rows[i].item] = force;
    if (rows[i].kind == SS_FESD_ROW_NORMAL || rows[i].kind == SS_FESD_ROW_STICK)
      m->now.lambda_t[rows[i].item] = rows[i].kind == SS_FESD_ROW_STICK ? force : rows[i].friction * force;
  }
  m->options.freeze.fill (m->options.freeze.owner, m, more);
  m->now = now;
}

/* What a row has beside state and forces of contacts, of stage k; `numbers` of all stages are filled but for these. The
 * state has taken what friction takes in the whole element. */
static void
complete_stage (SsFesdMarch *m, int k, double t_end, int first_item)
{
  const SsFesdSystem *s = m->system;
  const SsFesdElement *e = m->element;
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  const SsTableau *tableau = ss_fesd_element_tableau (e);
  const double h = ss_fesd_element_length (e);
  const int n = ss_fesd_element_n_stages (e), n_contacts = s->scene->n_contacts;
  double *at = ss_fesd_record_numbers (&m->record, first_item + k), *q = at + 2, *v = q + s->n_q;
  double *dissipated = v + s->n_q + SS_SIM_N_CONTACT_VALUES * n_contacts, *joint = dissipated + n_contacts;
  if (tableau->ends_at_one && k == n - 1)
    at[0] = t_end;
  at[1] = m->options.freeze.owner != NULL
              ? m->now.tau + m->options.freeze.length (m->options.freeze.owner, e) * m->tableau.c[k]
              : 0;
  memcpy (dissipated, m->now.dissipated, (size_t)n_contacts * sizeof *dissipated);
  for (int j = 0; j < n; j++) {
    const double *values = ss_fesd_record_numbers (&m->record, first_item + j) + 2 + 2 * s->n_q;
    double pressed = 1; /* [002 (46c)] */
    for (int i = 0; i < n_contacts; i++)
      pressed += values[i * SS_SIM_N_CONTACT_VALUES + SS_SIM_LAMBDA_N];
    if (m->options.freeze.owner == NULL)
      at[1] += h * tableau->a[k][j] * pressed;
    for (int i = 0; i < ss_fesd_element_n_rows (e); i++)
      if (rows[i].kind == SS_FESD_ROW_NORMAL && rows[i].friction != 0)
        dissipated[s->points[rows[i].item].contact] +=
            h * (tableau->b[j] - tableau->a[k][j]) * slip_power (m, &rows[i], i, j);
  }
  begin_joints (m, at[0], q, v, joint);
  add_slipping (m, joint);
  for (int i = 0; i < ss_fesd_element_n_rows (e); i++)
    if (rows[i].kind != SS_FESD_ROW_NORMAL && rows[i].kind != SS_FESD_ROW_STICK)
      add_joint_force (m, rows[i].item, ss_fesd_element_lambda (e, i, k), joint);
  if (m->options.freeze.owner != NULL)
    fill_more (m, k, at[1], q, v, joint + SS_JOINT_N_FORCES * s->scene->n_joints);
}

/* Stages of the element, with their weights; what friction takes. */
SsStatus
ss_fesd_tell_stages (SsFesdMarch *m, double t_end, SsError *err)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  const SsFesdElement *e = m->element;
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  const SsTableau *tableau = ss_fesd_element_tableau (e);
  const double h = ss_fesd_element_length (e);
  for (int j = 0; j < ss_fesd_element_n_stages (e); j++) {
    double *at;
    SsStatus status = ss_fesd_record_add (&m->record, SS_FESD_RECORD_STAGE, h * tableau->b[j], &at, err);
    if (status != SS_OK)
      return status;
    const double *q = ss_fesd_element_q (e, j), *v = ss_fesd_element_v (e, j);
    *at++ = fmin (m->now.t + tableau->c[j] * h, t_end);
    *at++ = m->now.tau;
    memcpy (at, q, (size_t)s->n_q * sizeof *at);
    memcpy (at + s->n_q, v, (size_t)s->n_q * sizeof *at);
    at += 2 * s->n_q;
    for (int i = 0; i < s->scene->n_contacts * (SS_SIM_N_CONTACT_VALUES + 1); i++)
      at[i] = 0;
    for (int i = 0; i < ss_fesd_element_n_rows (e); i++) {
      if (rows[i].kind != SS_FESD_ROW_NORMAL && rows[i].kind != SS_FESD_ROW_STICK)
        continue;
      const SsFesdPoint *point = &s->points[rows[i].item];
      const double lambda = ss_fesd_element_lambda (e, i, j);
      double *of = at + point->contact * SS_SIM_N_CONTACT_VALUES;
      if (rows[i].kind == SS_FESD_ROW_STICK) {
        of[SS_SIM_LAMBDA_T] += lambda;
        continue;
      }
      of[SS_SIM_LAMBDA_N] += lambda;
      of[SS_SIM_LAMBDA_T] += rows[i].friction * lambda;
      if (rows[i].friction == 0)
        continue;
      SsFesdPointAt where;
      ss_fesd_point_at (point, q, false, &where);
      const double slip = ss_fesd_point_rate (point, where.jt, v);
      m->now.dissipated[point->contact] -= h * tableau->b[j] * rows[i].friction * lambda * slip;
    }
  }
  for (int j = 0; m->options.keeps_stages && j < ss_fesd_element_n_stages (e); j++)
    complete_stage (m, j, t_end, m->record.n_items - ss_fesd_element_n_stages (e));
  return SS_OK;
}

/* Forces of the row after a jump are those with which the element begins. */
void
ss_fesd_tell_patch (SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  const SsFesdRow *rows = ss_fesd_element_rows (m->element);
  if (m->row_to_patch < 0)
    return;
  double *q = ss_fesd_record_numbers (&m->record, m->row_to_patch) + 2, *values = q + 2 * s->n_q;
  double *joint = values + (SS_SIM_N_CONTACT_VALUES + 1) * s->scene->n_contacts;
  for (int i = 0; i < s->scene->n_contacts; i++)
    values[i * SS_SIM_N_CONTACT_VALUES + SS_SIM_LAMBDA_N] = values[i * SS_SIM_N_CONTACT_VALUES + SS_SIM_LAMBDA_T] = 0;
  begin_joints (m, q[-2], q, q + s->n_q, joint);
  add_slipping (m, joint);
  for (int i = 0; i < ss_fesd_element_n_rows (m->element); i++) {
    const double force = ss_fesd_watch_force (m->watch, m->element, i, 0);
    if (rows[i].kind != SS_FESD_ROW_NORMAL && rows[i].kind != SS_FESD_ROW_STICK) {
      add_joint_force (m, rows[i].item, force, joint);
      continue;
    }
    double *of = values + s->points[rows[i].item].contact * SS_SIM_N_CONTACT_VALUES;
    if (rows[i].kind == SS_FESD_ROW_NORMAL)
      of[SS_SIM_LAMBDA_N] += force;
    of[SS_SIM_LAMBDA_T] += rows[i].kind == SS_FESD_ROW_NORMAL ? rows[i].friction * force : force;
  }
  m->row_to_patch = -1;
}
