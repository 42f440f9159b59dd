/* engine/fesd/ss-fesd-check.c: see the header. */
#include "fesd/ss-fesd-check.h"

#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

struct SsFesdCheck {
  const SsFesdSystem *system; /* borrowed */
  SsTableau tableau;
  const double *controls; /* borrowed */
  double *force;          /* n_q (stages): M V */
  SsRow *joints, *limits;
  double *gap, *slip; /* of one contact point: start and stages */
  bool is_other_law;  /* jumps do not obey Newton's law */
  double approach;    /* that jumps may leave [m/s] */
};

SsStatus
ss_fesd_check_new (const SsFesdSystem *system, const SsTableau *tableau, SsFesdCheck **out, SsError *err)
{
  SS_ASSERT (system != NULL && tableau != NULL && out != NULL);

  *out = NULL;
  SsFesdCheck *c = ss_new (SsFesdCheck);
  if (c == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to check elements");
  const size_t n_joints = (size_t)system->scene->n_joints;
  c->system = system;
  c->tableau = *tableau;
  c->force = ss_new_array (double, (size_t)system->n_q *(size_t)tableau->n + 1);
  c->joints = ss_new_array (SsRow, (SS_JOINT_ROWS_MAX + SS_JOINT_LIMITS_MAX + 2) * n_joints + 1);
  if (c->force == NULL || c->joints == NULL) {
    ss_fesd_check_free (c);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to check elements");
  }
  c->limits = c->joints + SS_JOINT_ROWS_MAX * n_joints;
  *out = c;
  return SS_OK;
}

void
ss_fesd_check_free (SsFesdCheck *c)
{
  if (c == NULL)
    return;
  ss_free (c->force);
  ss_free (c->joints);
  ss_free (c);
}

void
ss_fesd_check_set_controls (SsFesdCheck *check, const double *controls)
{
  SS_ASSERT (check != NULL);
  check->controls = controls;
}

void
ss_fesd_check_set_other_law (SsFesdCheck *check, double approach)
{
  SS_ASSERT (check != NULL && approach >= 0);
  check->is_other_law = true;
  check->approach = approach;
}

/* ---- contact points ---------------------------------------------------------------------------------------------- */

/* A point in the world, with the directions of its forces on body b. The place of a round body is that of its own
 * surface: gaps of stages are small, not 0. */
typedef struct {
  int body_a, body_b;
  double phi;
  SsVec2 at_a, at_b, normal, tangent;
} Place;

static SsVec2
in_world (SsVec2 local, const double *pose)
{
  const double c = cos (pose[2]), s = sin (pose[2]);
  return (SsVec2){pose[0] + c * local.x - s * local.y, pose[1] + s * local.x + c * local.y};
}

static Place
place_of (const SsFesdPoint *point, const double *q)
{
  const double *pose[2] = {q + 3 * point->body[0], q + 3 * point->body[1]};
  const SsVec2 from = in_world (point->at[0], pose[0]), to = in_world (point->at[1], pose[1]);
  const SsVec2 way = {to.x - from.x, to.y - from.y};
  Place p = {.body_a = point->body[0], .body_b = point->body[1]};
  if (point->kind == SS_FESD_FACE) {
    const SsVec2 tip = in_world (point->normal, pose[0]);
    p.normal = (SsVec2){tip.x - pose[0][0], tip.y - pose[0][1]};
  } else {
    const double length = hypot (way.x, way.y);
    p.normal = (SsVec2){way.x / length, way.y / length};
  }
  p.tangent = (SsVec2){p.normal.y, -p.normal.x};
  p.phi = way.x * p.normal.x + way.y * p.normal.y - point->radius[0] - point->radius[1];
  p.at_b = (SsVec2){to.x - point->radius[1] * p.normal.x, to.y - point->radius[1] * p.normal.y};
  p.at_a = point->kind == SS_FESD_FACE
               ? p.at_b
               : (SsVec2){from.x + point->radius[0] * p.normal.x, from.y + point->radius[0] * p.normal.y};
  return p;
}

static SsVec2
velocity_at (int body, SsVec2 at, const double *q, const double *v)
{
  const double *x = q + 3 * body, *w = v + 3 * body;
  return (SsVec2){w[0] - w[2] * (at.y - x[1]), w[1] + w[2] * (at.x - x[0])};
}

/* Of b against a along a direction. */
static double
rate_along (const Place *p, SsVec2 direction, const double *q, const double *v)
{
  const SsVec2 a = velocity_at (p->body_a, p->at_a, q, v), b = velocity_at (p->body_b, p->at_b, q, v);
  return (b.x - a.x) * direction.x + (b.y - a.y) * direction.y;
}

static void
push (const Place *p, double normal, double tangential, const double *q, double *f)
{
  const SsVec2 force = {normal * p->normal.x + tangential * p->tangent.x,
                        normal * p->normal.y + tangential * p->tangent.y};
  for (int side = 0; side < 2; side++) {
    const int body = side == 0 ? p->body_a : p->body_b;
    const double sign = side == 0 ? -1 : 1;
    const SsVec2 at = side == 0 ? p->at_a : p->at_b;
    f[3 * body] += sign * force.x;
    f[3 * body + 1] += sign * force.y;
    f[3 * body + 2] += sign * ((at.x - q[3 * body]) * force.y - (at.y - q[3 * body + 1]) * force.x);
  }
}

static void
push_row (const SsRow *row, double force, double *f)
{
  for (int k = 0; k < 6; k++)
    if (row->body[k / 3] >= 0)
      f[3 * row->body[k / 3] + k % 3] += row->j[k] * force;
}

/* 1 / mass of the lighter body that moves. */
static double
lightness (const SsFesdCheck *c, int contact)
{
  const double *inverse = ss_dynamics_inverse_mass (c->system->dynamics);
  const SsContact *k = &c->system->scene->contacts[contact];
  double most = 0;
  for (int i = 0; i < 2; i++)
    most = fmax (most, fmax (inverse[3 * k->body_a + i], inverse[3 * k->body_b + i]));
  return most;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static void
keep_larger (double *largest, double value)
{
  if (!(value <= *largest)) /* NaN stays */
    *largest = value;
}

/* By how much two speeds miss that one of them shall be 0: the smaller one. Their product would be small beside any
 * bound for slow motions, and large for fast ones by rounding alone. */
static double
both (double a, double b)
{
  return isnan (a) || b > a ? a : b;
}

/* Forces of joints are over the length that a rod shall have, not that of the stage. */
static double
unit_of_force (const SsFesdCheck *c, const SsRow *row)
{
  const SsJoint *joint = &c->system->scene->joints[row->source];
  return joint->kind == SS_JOINT_ROD ? 1 + row->phi / joint->length : 1;
}

/* Drives that slip, of which c->limits has the rows. */
static void
push_slipping (const SsFesdCheck *c, const SsFesdSolved *solved, double *f)
{
  const SsFesdSystem *s = c->system;
  for (int i = s->n_points; i < ss_fesd_n_items (s); i++) {
    const SsFesdDrive *drive = ss_fesd_drive_of (s, i);
    if (drive != NULL && solved->modes[i] != SS_FESD_STICK)
      push_row (&c->limits[i - s->n_points], solved->modes[i] == SS_FESD_SLIP_PLUS ? -drive->most : drive->most, f);
  }
}

/* Drives by their law, over all stages: what sticks has no rate and at most its force, what slips has that side. */
static double
check_drives (const SsFesdCheck *c, const SsFesdSolved *solved)
{
  const SsFesdSystem *s = c->system;
  const SsFesdRow *rows = ss_fesd_element_rows (solved->element);
  const double h = ss_fesd_element_length (solved->element), *inverse = ss_dynamics_inverse_mass (s->dynamics);
  double largest = 0;
  for (int j = 0; j < c->tableau.n && s->n_drives > 0; j++) {
    const double *v = ss_fesd_element_v (solved->element, j);
    ss_fesd_item_rows (s, ss_fesd_element_time (solved->element, j), ss_fesd_element_q (solved->element, j), v,
                       c->limits);
    for (int i = s->n_points; i < ss_fesd_n_items (s); i++) {
      const SsFesdDrive *drive = ss_fesd_drive_of (s, i);
      if (drive == NULL)
        continue;
      const double rate = ss_row_velocity (&c->limits[i - s->n_points], v) - drive->speed;
      keep_larger (&largest, solved->modes[i] == SS_FESD_STICK       ? fabs (rate)
                             : solved->modes[i] == SS_FESD_SLIP_PLUS ? -rate
                                                                     : rate);
    }
    for (int i = 0; i < ss_fesd_element_n_rows (solved->element); i++) {
      if (rows[i].kind != SS_FESD_ROW_DRIVE)
        continue;
      const SsRow *row = &c->limits[rows[i].item - s->n_bilateral];
      const double most = ss_fesd_drive_of (s, s->n_points + rows[i].item - s->n_bilateral)->most;
      keep_larger (&largest,
                   h * ss_row_mobility (row, inverse) * (fabs (ss_fesd_element_lambda (solved->element, i, j)) - most));
    }
  }
  return largest;
}

/* M V of all stages, forces of contacts and joints included; rates of joints. */
static double
set_forces (SsFesdCheck *c, const SsFesdSolved *solved)
{
  const SsFesdSystem *s = c->system;
  const SsFesdElement *e = solved->element;
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  const SsTableau *tableau = ss_fesd_element_tableau (e);
  const double h = ss_fesd_element_length (e);
  double largest = 0;
  for (int j = 0; j < c->tableau.n; j++) {
    const double *q = ss_fesd_element_q (e, j), *v = ss_fesd_element_v (e, j);
    double *f = c->force + (size_t)j * (size_t)s->n_q;
    ss_dynamics_forces (s->dynamics, SS_FORCE_ALL, ss_fesd_within (solved->t0, h, tableau->c[j]), q, v, c->controls, f);
    ss_dynamics_set_time (s->dynamics, ss_fesd_element_time (e, j));
    if (s->n_bilateral > 0)
      ss_dynamics_joint_rows (s->dynamics, q, v, c->joints);
    ss_fesd_item_rows (s, ss_fesd_element_time (e, j), q, v, c->limits);
    push_slipping (c, solved, f);
    for (int i = 0; i < ss_fesd_element_n_rows (e); i++) {
      const double force = ss_fesd_element_lambda (e, i, j);
      if (rows[i].kind == SS_FESD_ROW_BILATERAL) {
        push_row (&c->joints[rows[i].item], force * unit_of_force (c, &c->joints[rows[i].item]), f);
        keep_larger (&largest, fabs (ss_row_velocity (&c->joints[rows[i].item], v)));
      } else if (ss_fesd_is_of_tape (rows[i].kind)) {
        push_row (&c->limits[rows[i].item - s->n_bilateral], force, f);
      } else {
        const Place p = place_of (&s->points[rows[i].item], q);
        push (&p, rows[i].kind == SS_FESD_ROW_NORMAL ? force : 0,
              rows[i].kind == SS_FESD_ROW_NORMAL ? rows[i].friction * force : force, q, f);
      }
    }
  }
  return largest;
}

/* The Runge-Kutta equations [000 (12a)-(12d)]. */
static double
check_motion (const SsFesdCheck *c, const SsFesdSolved *solved)
{
  const SsFesdSystem *s = c->system;
  const SsFesdElement *e = solved->element;
  const double *inverse = ss_dynamics_inverse_mass (s->dynamics), h = ss_fesd_element_length (e);
  const SsTableau *tableau = ss_fesd_element_tableau (e);
  double largest = 0;
  for (int j = 0; j <= c->tableau.n; j++) {
    const double *weight = j < c->tableau.n ? tableau->a[j] : tableau->b;
    const double *q = ss_fesd_element_q (e, j), *v = ss_fesd_element_v (e, j);
    for (int i = 0; i < s->n_q; i++) {
      double q_due = solved->q0[i], v_due = solved->v0[i];
      for (int k = 0; k < c->tableau.n; k++) {
        q_due += h * weight[k] * ss_fesd_element_v (e, k)[i];
        v_due += h * weight[k] * inverse[i] * c->force[(size_t)k * (size_t)s->n_q + (size_t)i];
      }
      keep_larger (&largest, fabs (q[i] - q_due));
      keep_larger (&largest, fabs (v[i] - v_due));
    }
  }
  return largest;
}

/* Pairs of one closed point: the gap at the start, rates, forces, friction, products over all points and stages, with
 * polyhedral friction [000 (8a)-(8b) (13a) (20) (21)]. */
static double
check_point (const SsFesdCheck *c, const SsFesdSolved *solved, int row)
{
  const SsFesdElement *e = solved->element;
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  const SsFesdPoint *point = &c->system->points[rows[row].item];
  const double mu = c->system->scene->contacts[point->contact].mu,
               per_mass = ss_fesd_element_length (e) * lightness (c, point->contact);
  const double offset = solved->offset[rows[row].item];
  double largest = 0, force = 0, plus = 0, minus = 0, free = 0;
  for (int j = 0; j < c->tableau.n; j++) {
    const double normal = ss_fesd_element_lambda (e, row, j);
    const double tangential = solved->modes[rows[row].item] == SS_FESD_STICK ? ss_fesd_element_lambda (e, row + 1, j)
                                                                             : rows[row].friction * normal;
    keep_larger (&largest, -normal * per_mass);
    keep_larger (&largest, (fabs (tangential) - mu * normal) * per_mass);
    force = fmax (force, normal * per_mass);
    plus = fmax (plus, tangential * per_mass);
    minus = fmax (minus, -tangential * per_mass);
    free = fmax (free, (mu * normal - fabs (tangential)) * per_mass);
  }
  for (int j = -1; j < c->tableau.n; j++) {
    const double *q = j < 0 ? solved->q0 : ss_fesd_element_q (e, j), *v = j < 0 ? solved->v0 : ss_fesd_element_v (e, j);
    const Place p = place_of (point, q);
    /* what is captured begins with a speed, which its element takes away */
    const double open = fabs (j < 0 ? p.phi - offset : rate_along (&p, p.normal, q, v));
    const double slip = rate_along (&p, p.tangent, q, v);
    keep_larger (&largest, open);
    keep_larger (&largest, both (open, force));
    if (mu > 0) { /* a_1 (t'v + gamma), a_2 (-t'v + gamma), gamma beta with gamma = |t'v| */
      keep_larger (&largest, both (plus, fmax (2 * slip, 0)));
      keep_larger (&largest, both (minus, fmax (-2 * slip, 0)));
      keep_larger (&largest, both (fabs (slip), free));
    }
  }
  return largest;
}

/* Open points stay out of each other [000 (13a)]. */
static double
check_open (const SsFesdCheck *c, const SsFesdSolved *solved)
{
  const SsFesdSystem *s = c->system;
  double largest = 0;
  for (int j = 0; j < c->tableau.n; j++) {
    const double *q = ss_fesd_element_q (solved->element, j);
    for (int i = 0; i < s->n_static; i++)
      if (solved->modes[i] == SS_FESD_OPEN)
        keep_larger (&largest, solved->offset[i] - ss_fesd_point_gap (&s->points[i], q));
  }
  return largest;
}

double
ss_fesd_check_element (SsFesdCheck *c, const SsFesdSolved *solved)
{
  SS_ASSERT (c != NULL && solved != NULL);

  const SsFesdRow *rows = ss_fesd_element_rows (solved->element);
  double largest = set_forces (c, solved);
  keep_larger (&largest, check_motion (c, solved));
  keep_larger (&largest, check_open (c, solved));
  keep_larger (&largest, check_drives (c, solved));
  for (int i = 0; i < ss_fesd_element_n_rows (solved->element); i++)
    if (rows[i].kind == SS_FESD_ROW_NORMAL)
      keep_larger (&largest, check_point (c, solved, i));
  return largest;
}

/* ---- jumps ------------------------------------------------------------------------------------------------------- */

/* [000 (11a)-(11f)] with polyhedral friction. */
double
ss_fesd_check_jump (SsFesdCheck *c, const SsFesdJump *jump)
{
  SS_ASSERT (c != NULL && jump != NULL);

  const SsFesdSystem *s = c->system;
  const double *inverse = ss_dynamics_inverse_mass (s->dynamics);
  double *impulse = c->force, largest = 0;
  memset (impulse, 0, (size_t)s->n_q * sizeof *impulse);
  if (s->n_bilateral > 0)
    ss_dynamics_joint_rows (s->dynamics, jump->q, jump->v_after, c->joints);
  if (s->n_rows > s->n_bilateral)
    ss_dynamics_limit_rows (s->dynamics, jump->q, jump->v_after, c->limits);
  for (int i = 0; i < s->n_bilateral; i++) {
    push_row (&c->joints[i], jump->bilateral[i], impulse);
    keep_larger (&largest, fabs (ss_row_velocity (&c->joints[i], jump->v_after)));
  }
  for (int i = 0; i < jump->n; i++) {
    const SsFesdTouch *touch = &jump->touches[i];
    if (touch->item >= s->n_points) {
      const SsRow *row = &c->limits[touch->item - s->n_points];
      const double before = ss_row_velocity (row, jump->v_before), after = ss_row_velocity (row, jump->v_after);
      const double per_mass = ss_row_mobility (row, inverse);
      push_row (row, touch->force_n, impulse);
      if (ss_fesd_drive_of (s, touch->item) != NULL) /* has no part in a jump */
        continue;
      keep_larger (&largest, -after - c->approach);
      if (!c->is_other_law)
        keep_larger (&largest, both (fabs (touch->force_n) * per_mass,
                                     fabs (after + ss_fesd_restitution (s, touch->item) * fmin (before, 0))));
      continue;
    }
    const SsFesdPoint *point = &s->points[touch->item];
    const SsContact *contact = &s->scene->contacts[point->contact];
    const double per_mass = lightness (c, point->contact);
    const Place p = place_of (point, jump->q);
    const double before = rate_along (&p, p.normal, jump->q, jump->v_before);
    const double after = rate_along (&p, p.normal, jump->q, jump->v_after);
    const double slip = rate_along (&p, p.tangent, jump->q, jump->v_after);
    push (&p, touch->force_n, touch->force_t, jump->q, impulse);
    keep_larger (&largest, -touch->force_n * per_mass);
    keep_larger (&largest, (fabs (touch->force_t) - contact->mu * touch->force_n) * per_mass);
    keep_larger (&largest, -after - c->approach);
    if (c->is_other_law)
      continue;
    keep_larger (&largest,
                 both (fabs (touch->force_n) * per_mass, fabs (after + contact->restitution * fmin (before, 0))));
    if (contact->mu > 0) {
      keep_larger (&largest, both (fmax (touch->force_t, 0) * per_mass, fmax (2 * slip, 0)));
      keep_larger (&largest, both (fmax (-touch->force_t, 0) * per_mass, fmax (-2 * slip, 0)));
      keep_larger (&largest, both (fabs (slip), (contact->mu * touch->force_n - fabs (touch->force_t)) * per_mass));
    }
  }
  for (int i = 0; i < s->n_q; i++)
    keep_larger (&largest, fabs (jump->v_after[i] - jump->v_before[i] - inverse[i] * impulse[i]));
  return largest;
}
