/* engine/dynamics/ss-joint.c: rows of joints, limits and springs.
 *
 * With ends pa = ca + R(theta_a) ra and pb likewise, d = pb - pa: d' = vb + omega_b x rb - ..., and with bodies that do
 * not accelerate d'' = -omega_b^2 rb + omega_a^2 ra.
 */
#include "dynamics/ss-dynamics-private.h"

#include <math.h>
#include <string.h>

/* Ends closer than this have no direction of their own [m]. */
static const double coincident = 1e-300;

/* Two ends and their relative motion. */
typedef struct {
  SsVec2 ra, rb;           /* from the bodies' origins, world frame */
  SsVec2 d, rate, bending; /* pb - pa, its rate, its second derivative without accelerations */
  double omega_a, omega_b;
} Ends;

static double
dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

static double
cross (SsVec2 a, SsVec2 b)
{
  return a.x * b.y - a.y * b.x;
}

/* Arm, position and velocity of an end. The world's end is its anchor. */
static SsVec2
arm_of (int body, SsVec2 anchor, const double *q)
{
  return body < 0 ? anchor : ss_vec2_turned (anchor, q[3 * body + 2]);
}

static Ends
find_ends (int body_a, SsVec2 anchor_a, int body_b, SsVec2 anchor_b, const double *q, const double *v)
{
  static const double nothing[3] = {0, 0, 0};
  Ends e = {.ra = arm_of (body_a, anchor_a, q), .rb = arm_of (body_b, anchor_b, q)};
  const double *qa = body_a < 0 ? nothing : q + 3 * body_a, *qb = body_b < 0 ? nothing : q + 3 * body_b;
  const double *va = body_a < 0 || v == NULL ? nothing : v + 3 * body_a,
               *vb = body_b < 0 || v == NULL ? nothing : v + 3 * body_b;
  e.omega_a = va[2];
  e.omega_b = vb[2];
  /* origins first: their difference is exact for bodies that are near each other and far from the world's origin */
  e.d = (SsVec2){(qb[0] - qa[0]) + (e.rb.x - e.ra.x), (qb[1] - qa[1]) + (e.rb.y - e.ra.y)};
  e.rate = (SsVec2){(vb[0] - vb[2] * e.rb.y) - (va[0] - va[2] * e.ra.y),
                    (vb[1] + vb[2] * e.rb.x) - (va[1] + va[2] * e.ra.x)};
  e.bending =
      (SsVec2){-vb[2] * vb[2] * e.rb.x + va[2] * va[2] * e.ra.x, -vb[2] * vb[2] * e.rb.y + va[2] * va[2] * e.ra.y};
  return e;
}

/* Jacobian of e . d for a direction that does not turn. */
static void
set_direction (SsRow *row, const Ends *ends, SsVec2 e)
{
  row->j[0] = -e.x;
  row->j[1] = -e.y;
  row->j[2] = -cross (ends->ra, e);
  row->j[3] = e.x;
  row->j[4] = e.y;
  row->j[5] = cross (ends->rb, e);
}

/* phi = e . d with e turning with body a. */
static void
set_turning_direction (SsRow *row, const Ends *ends, SsVec2 e)
{
  SsVec2 across = {-e.y, e.x}; /* e' = omega_a across, e'' = -omega_a^2 e */
  set_direction (row, ends, e);
  row->j[2] += dot (across, ends->d);
  row->phi = dot (e, ends->d);
  row->gdv =
      -ends->omega_a * ends->omega_a * row->phi + 2 * ends->omega_a * dot (across, ends->rate) + dot (e, ends->bending);
}

/* phi = |d|. */
static void
set_length (SsRow *row, const Ends *ends)
{
  double length = hypot (ends->d.x, ends->d.y), speed = hypot (ends->rate.x, ends->rate.y);
  SsVec2 e = {1, 0};
  if (length > coincident)
    e = (SsVec2){ends->d.x / length, ends->d.y / length};
  else if (speed > coincident)
    e = (SsVec2){ends->rate.x / speed, ends->rate.y / speed};
  set_direction (row, ends, e);
  row->phi = length;
  double along = dot (e, ends->rate);
  row->gdv = dot (e, ends->bending);
  if (length > coincident)
    row->gdv += (speed * speed - along * along) / length;
}

static void
set_angle (SsRow *row, const double *q)
{
  memset (row->j, 0, sizeof row->j);
  row->j[2] = -1;
  row->j[5] = 1;
  row->phi = (row->body[1] < 0 ? 0 : q[3 * row->body[1] + 2]) - (row->body[0] < 0 ? 0 : q[3 * row->body[0] + 2]);
  row->gdv = 0;
}

static Ends
joint_ends (const SsJoint *joint, const double *q, const double *v)
{
  return find_ends (joint->body_a, joint->anchor_a, joint->body_b, joint->anchor_b, q, v);
}

static SsVec2
joint_axis (const SsJoint *joint, const double *q)
{
  return arm_of (joint->body_a, joint->axis, q);
}

static SsRow
new_row (const SsJoint *joint, SsJointRowKind kind, int source, int index)
{
  return (SsRow){.kind = kind,
                 .source = source,
                 .index = index,
                 .body = {joint->body_a, joint->body_b},
                 .is_at_centre = joint->kind == SS_JOINT_FORMULA || joint->kind == SS_JOINT_GEAR,
                 .stiffness = joint->stiffness,
                 .damping = joint->damping};
}

static void
set_formula (const SsDynamics *d, int joint, const double *q, const double *v, SsRow *row)
{
  const SsFormulaRow found = ss_formula_rows_find (d->formulas, joint, d->t, q, v);
  row->phi = found.phi;
  row->rate_t = found.rate_t;
  row->gdv = found.gdv;
  memcpy (row->j, found.j, sizeof row->j);
}

static void
set_gear (const SsJoint *joint, const double *q, SsRow *row)
{
  memset (row->j, 0, sizeof row->j);
  row->phi = -joint->angle;
  for (int side = 0; side < 2; side++) {
    row->j[3 * side + 2] = joint->radius[side];
    row->phi += joint->radius[side] * q[3 * row->body[side] + 2];
  }
}

/* What one span of a rope takes of the room that is left: both of its ends may be of one body. */
static void
take_span (const SsRopePoint *from, const SsRopePoint *to, const double *q, const double *v, SsRow *row)
{
  const Ends ends = find_ends (from->body, from->anchor, to->body, to->anchor, q, v);
  SsRow span = {.phi = 0};
  set_length (&span, &ends);
  row->phi -= span.phi;
  row->gdv -= span.gdv;
  for (int end = 0; end < 2; end++) {
    const int body = end == 0 ? from->body : to->body;
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < 3 && body >= 0 && row->body[side] == body; k++)
        row->j[3 * side + k] -= span.j[3 * end + k];
  }
}

static void
set_rope (const SsJoint *joint, const double *q, const double *v, SsRow *row)
{
  memset (row->j, 0, sizeof row->j);
  row->phi = joint->length;
  for (int i = 0; i <= joint->n_over; i++) {
    const SsRopePoint from = ss_rope_point (joint, i), to = ss_rope_point (joint, i + 1);
    take_span (&from, &to, q, v, row);
  }
}

/* The rows of one joint. Returns their number. */
static int
rows_of_joint (const SsDynamics *d, int i, const double *q, const double *v, SsRow *rows)
{
  const SsJoint *joint = &d->scene->joints[i];
  int n = 0;
  for (int k = 0; k < ss_joint_n_rows (joint); k++)
    rows[k] = new_row (joint, SS_ROW_JOINT, i, k);
  if (ss_joint_n_rows (joint) == 0)
    return 0; /* it is a limit alone */
  if (joint->kind == SS_JOINT_FORMULA) {
    set_formula (d, i, q, v, &rows[0]);
    return 1;
  }
  if (joint->kind == SS_JOINT_GEAR) {
    set_gear (joint, q, &rows[0]);
    return 1;
  }
  Ends ends = joint_ends (joint, q, v);
  if (joint->kind == SS_JOINT_ROD) {
    set_length (&rows[0], &ends);
    rows[0].phi -= joint->length;
    return 1;
  }
  if (joint->kind == SS_JOINT_SLIDER) {
    SsVec2 axis = joint_axis (joint, q);
    set_turning_direction (&rows[n++], &ends, (SsVec2){-axis.y, axis.x});
  } else {
    SsVec2 directions[2] = {{1, 0}, {0, 1}};
    for (int k = 0; k < 2; k++, n++) {
      set_direction (&rows[n], &ends, directions[k]);
      rows[n].phi = dot (directions[k], ends.d);
      rows[n].gdv = dot (directions[k], ends.bending);
    }
  }
  if (joint->kind != SS_JOINT_PIN) {
    set_angle (&rows[n], q);
    rows[n++].phi -= joint->angle;
  }
  return n;
}

int
ss_dynamics_joint_rows (const SsDynamics *d, const double *q, const double *v, SsRow *rows)
{
  SS_ASSERT (d != NULL);

  int n = 0;
  for (int i = 0; i < d->scene->n_joints; i++)
    n += rows_of_joint (d, i, q, v, rows + n);
  return n;
}

bool
ss_dynamics_travel_row (const SsDynamics *d, int i, const double *q, const double *v, SsRow *row)
{
  SS_ASSERT (d != NULL && row != NULL && i >= 0 && i < d->scene->n_joints);

  const SsJoint *joint = &d->scene->joints[i];
  *row = new_row (joint, SS_ROW_LIMIT, i, 0);
  if (joint->kind == SS_JOINT_FORMULA) {
    set_formula (d, i, q, v, row);
    return true;
  }
  if (joint->kind == SS_JOINT_ROPE) {
    set_rope (joint, q, v, row);
    return true;
  }
  Ends ends = joint_ends (joint, q, v);
  if (joint->kind == SS_JOINT_PIN)
    set_angle (row, q);
  else if (joint->kind == SS_JOINT_SLIDER)
    set_turning_direction (row, &ends, joint_axis (joint, q));
  else if (joint->kind == SS_JOINT_ROD)
    set_length (row, &ends);
  else
    return false;
  return true;
}

int
ss_dynamics_limit_rows (const SsDynamics *d, const double *q, const double *v, SsRow *rows)
{
  SS_ASSERT (d != NULL);

  int n = 0;
  for (int i = 0; i < d->scene->n_joints; i++) {
    const SsJoint *joint = &d->scene->joints[i];
    if (!ss_joint_has_range (joint))
      continue;
    if (isfinite (joint->lower)) {
      ss_dynamics_travel_row (d, i, q, v, &rows[n]);
      rows[n++].phi -= joint->lower;
    }
    if (isfinite (joint->upper)) {
      ss_dynamics_travel_row (d, i, q, v, &rows[n]);
      rows[n].phi = joint->upper - rows[n].phi;
      rows[n].gdv = -rows[n].gdv;
      rows[n].rate_t = -rows[n].rate_t;
      rows[n].index = 1;
      for (int k = 0; k < 6; k++)
        rows[n].j[k] = -rows[n].j[k];
      n++;
    }
  }
  return n;
}

int
ss_dynamics_n_limits (const SsScene *scene)
{
  SS_ASSERT (scene != NULL);

  int n = 0;
  for (int i = 0; i < scene->n_joints; i++)
    if (ss_joint_has_range (&scene->joints[i]))
      n += isfinite (scene->joints[i].lower) + isfinite (scene->joints[i].upper);
  return n;
}

int
ss_dynamics_drive_rows (const SsDynamics *d, const double *q, const double *v, SsRow *rows)
{
  SS_ASSERT (d != NULL);

  int n = 0;
  for (int i = 0; i < d->scene->n_joints; i++)
    if (ss_joint_has_drive (&d->scene->joints[i]) && ss_dynamics_travel_row (d, i, q, v, &rows[n]))
      rows[n++].kind = SS_ROW_DRIVE;
  return n;
}

void
ss_dynamics_spring_row (const SsDynamics *d, int i, const double *q, const double *v, SsRow *row)
{
  SS_ASSERT (d != NULL && row != NULL && i >= 0 && i < d->scene->n_springs);

  const SsSpring *spring = &d->scene->springs[i];
  *row = (SsRow){.kind = SS_ROW_SPRING,
                 .source = i,
                 .body = {spring->body_a, spring->body_b},
                 .stiffness = spring->stiffness,
                 .damping = spring->damping};
  if (spring->is_torsion) {
    set_angle (row, q);
  } else {
    Ends ends = find_ends (spring->body_a, spring->anchor_a, spring->body_b, spring->anchor_b, q, v);
    set_length (row, &ends);
  }
  row->phi -= spring->rest;
}

int
ss_dynamics_spring_rows (const SsDynamics *d, const double *q, const double *v, SsRow *rows)
{
  SS_ASSERT (d != NULL);
  for (int i = 0; i < d->scene->n_springs; i++)
    ss_dynamics_spring_row (d, i, q, v, &rows[i]);
  return d->scene->n_springs;
}

double
ss_row_velocity (const SsRow *row, const double *v)
{
  SS_ASSERT (row != NULL);

  double sum = row->rate_t;
  for (int side = 0; side < 2; side++)
    if (row->body[side] >= 0) {
      const double *u = v + 3 * row->body[side], *j = row->j + 3 * side;
      sum += j[0] * u[0] + j[1] * u[1] + j[2] * u[2];
    }
  return sum;
}

double
ss_row_mobility (const SsRow *row, const double *inverse_mass)
{
  double sum = 0;
  for (int k = 0; k < 6; k++)
    if (row->body[k / 3] >= 0)
      sum += row->j[k] * row->j[k] * inverse_mass[3 * row->body[k / 3] + k % 3];
  return sum;
}

void
ss_dynamics_joint_opening (const SsDynamics *d, int joint, const double *q, double *length, double *angle)
{
  SS_ASSERT (d != NULL && q != NULL && length != NULL && angle != NULL);
  SS_ASSERT (joint >= 0 && joint < d->scene->n_joints);

  const SsJointKind kind = d->scene->joints[joint].kind;
  SsRow rows[SS_JOINT_ROWS_MAX];
  const int n = rows_of_joint (d, joint, q, NULL, rows);
  const int n_lengths = kind == SS_JOINT_SLIDER || kind == SS_JOINT_WELD ? n - 1 : n; /* the last is the angle */
  *length = *angle = 0;
  if (n == 0) { /* a constraint that is >= 0: how far beyond */
    SsRow row;
    ss_dynamics_travel_row (d, joint, q, NULL, &row);
    *length = fmax (0, -row.phi);
  }
  for (int i = 0; i < n; i++) {
    double *largest = i < n_lengths ? length : angle;
    *largest = fmax (*largest, fabs (rows[i].phi));
  }
}

double
ss_dynamics_joint_drift (const SsDynamics *d, int joint, const double *q)
{
  double length, angle;

  ss_dynamics_joint_opening (d, joint, q, &length, &angle);
  return fmax (length, angle);
}
