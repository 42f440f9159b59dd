/* app/draw/ssapp-contact.c: see the header. */
#include "app/draw/ssapp-contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Points with a smaller gap touch [m]: as the frames of a view have it (scene/ss-view-scene.c). */
static const double TOUCHING = 1e-4;
/* Forces below this are rounding errors [N]: as arrows of other forces. */
static const double NO_FORCE = 1e-9;
/* Of a friction coefficient: less is shown as 0. */
static const double SHOWN_LEAST = 5e-4;
/* As simulate/ss-events.h has it: slip counts where friction would need longer than this part of a step to end it, and
 * where the friction force has this part of its bound. */
static const double SLIP_SHARE_OF_STEP = 1e-3, BOUND_SHARE = 0.999;
/* Where nothing says how long a step is [m/s]. */
static const double SLIP_LEAST = 1e-6;
/* Of what the normal force could do in the step: more is an impact, of which no margin follows. */
static const double IMPACT_SHARE = 0.2;
/* How far beside its points a force may stand, as a part of their distance, before the balance is not believed. */
static const double BALANCE_SLACK = 0.02;
/* The line between two bodies that are apart is part of the contact up to this length [px]. */
static const double APART_PX = 90.;
/* Of a small body's radius, that its contact points may take from it. */
static const double SMALL_BODY_SHARE = 0.35;

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static void
find_channel (const SsChannel *channels, int n_channels, const char *owner, const char *quantity, int *index)
{
  char name[SS_CHANNEL_NAME_MAX];

  snprintf (name, sizeof name, "%s.%s", owner, quantity);
  if (*index >= 0 && *index < n_channels && strcmp (channels[*index].name, name) == 0)
    return;
  for (*index = 0; *index < n_channels; ++*index)
    if (strcmp (channels[*index].name, name) == 0)
      return;
  *index = -1;
}

void
ssapp_contact_channels_find (SsappContactChannels *self, const SsScene *scene, int contact, const SsChannel *channels,
                             int n_channels)
{
  g_return_if_fail (self != NULL);
  const SsContact *c = &scene->contacts[contact];
  const int bodies[2] = {c->body_a, c->body_b};

  for (int i = 0; i < 2; i++)
    for (int axis = 0; axis < 3; axis++) {
      const char *name = scene->bodies[bodies[i]].name;
      find_channel (channels, n_channels, name, ss_body_channels[axis], &self->pose[i][axis]);
      find_channel (channels, n_channels, name, ss_body_channels[3 + axis], &self->velocity[i][axis]);
    }
  find_channel (channels, n_channels, c->name, "lambda_n", &self->lambda_n);
  find_channel (channels, n_channels, c->name, "lambda_t", &self->lambda_t);
  find_channel (channels, n_channels, c->name, "impulse_n", &self->impulse_n);
  find_channel (channels, n_channels, c->name, "impulse_t", &self->impulse_t);
}

static double
value_of (const double *row, int channel, double fallback)
{
  return channel >= 0 ? row[channel] : fallback;
}

/* ---- geometry ---------------------------------------------------------------------------------------------------- */

/* Keeps the nearest ones, in order. */
static void
insert_point (SsappContactReading *out, const SsGap *gap)
{
  int at = out->n_points;

  while (at > 0 && out->points[at - 1].gap > gap->phi)
    at--;
  if (at == SSAPP_CONTACT_POINTS_MAX)
    return;
  if (at == 0)
    out->normal = gap->normal;
  out->n_points = MIN (out->n_points + 1, SSAPP_CONTACT_POINTS_MAX);
  memmove (&out->points[at + 1], &out->points[at], (gsize)(out->n_points - 1 - at) * sizeof *out->points);
  out->points[at] = (SsappContactPoint){gap->point_a, gap->point_b, gap->phi, NAN, NAN};
}

static gboolean
place (const SsScene *scene, int contact, double poses[2][3], SsappContactReading *out)
{
  const SsContact *c = &scene->contacts[contact];
  const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];
  const double gravity = hypot (scene->gravity.x, scene->gravity.y);
  SsGap gaps[SS_MANIFOLD_MAX];
  int n_touching = 0;

  *out = (SsappContactReading){.state = SSAPP_CONTACT_PLACED,
                               .mu = c->mu,
                               .is_on_a = ss_body_is_immovable (b) && !ss_body_is_immovable (a),
                               .gap_rate = NAN,
                               .slip = NAN,
                               .normal_force = NAN,
                               .tangential_force = NAN,
                               .share = NAN,
                               .mu_other = NAN};
  if (gravity > 0)
    out->down = (SsVec2){scene->gravity.x / gravity, scene->gravity.y / gravity};
  for (int pair = 0; pair < a->n_shapes * b->n_shapes; pair++) {
    int n =
        ss_geometry_manifold (&a->shapes[pair / b->n_shapes], poses[0], &b->shapes[pair % b->n_shapes], poses[1], gaps);
    for (int i = 0; i < n; i++)
      insert_point (out, &gaps[i]);
  }
  if (out->n_points == 0)
    return FALSE;
  out->tangent = (SsVec2){out->normal.y, -out->normal.x};
  out->gap = out->points[0].gap;
  while (n_touching < out->n_points && out->points[n_touching].gap < TOUCHING)
    n_touching++;
  out->is_closed = n_touching > 0;
  out->n_points = MAX (n_touching, 1);
  for (int i = 0; i < out->n_points; i++) {
    SsVec2 p = out->is_on_a ? out->points[i].a : out->points[i].b;
    out->at.x += p.x / out->n_points;
    out->at.y += p.y / out->n_points;
  }
  return TRUE;
}

gboolean
ssapp_contact_read_sketch (const SsScene *scene, int contact, SsappContactReading *out)
{
  g_return_val_if_fail (scene != NULL, FALSE);
  const SsContact *c = &scene->contacts[contact];
  double poses[2][3];

  memcpy (poses[0], scene->bodies[c->body_a].q, sizeof poses[0]);
  memcpy (poses[1], scene->bodies[c->body_b].q, sizeof poses[1]);
  return place (scene, contact, poses, out);
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

/* Velocity of the second body against the first at the contact. */
static SsVec2
relative_velocity (const SsScene *scene, int contact, const SsappContactChannels *channels, double poses[2][3],
                   SsVec2 at, const double *row)
{
  const SsContact *c = &scene->contacts[contact];
  const int bodies[2] = {c->body_a, c->body_b};
  SsVec2 v = {0, 0};

  for (int i = 0; i < 2; i++) {
    const double *start = scene->bodies[bodies[i]].v, sign = i == 0 ? -1 : 1;
    const double vx = value_of (row, channels->velocity[i][0], start[0]),
                 vy = value_of (row, channels->velocity[i][1], start[1]),
                 omega = value_of (row, channels->velocity[i][2], start[2]);
    v.x += sign * (vx - omega * (at.y - poses[i][1]));
    v.y += sign * (vy + omega * (at.x - poses[i][0]));
  }
  return v;
}

static double
dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

/* How the contact's velocities answer to its forces: w[0] normal to normal, w[1] between the two, w[2] tangential to
 * tangential [1/kg]. Two points that touch hold the bodies against turning on one another. */
static void
compliance (const SsScene *scene, int contact, double poses[2][3], const SsappContactReading *reading, double w[3])
{
  const SsContact *c = &scene->contacts[contact];
  const int bodies[2] = {c->body_a, c->body_b};
  const SsVec2 n = reading->normal, t = reading->tangent;

  w[0] = w[1] = w[2] = 0;
  for (int i = 0; i < 2; i++) {
    const SsBody *body = &scene->bodies[bodies[i]];
    const double rx = reading->at.x - poses[i][0], ry = reading->at.y - poses[i][1];
    const double ix = body->is_fixed || body->lock[0] ? 0 : 1 / body->mass,
                 iy = body->is_fixed || body->lock[1] ? 0 : 1 / body->mass,
                 turning = body->is_fixed || body->lock[2] || !(body->inertia > 0) || reading->n_points > 1
                               ? 0
                               : 1 / body->inertia;
    const double arm_n = rx * n.y - ry * n.x, arm_t = rx * t.y - ry * t.x;

    w[0] += n.x * n.x * ix + n.y * n.y * iy + arm_n * arm_n * turning;
    w[1] += n.x * t.x * ix + n.y * t.y * iy + arm_n * arm_t * turning;
    w[2] += t.x * t.x * ix + t.y * t.y * iy + arm_t * arm_t * turning;
  }
}

/* A joint carries forces too, which would change with those of the contact. */
static gboolean
is_joined (const SsScene *scene, int contact)
{
  const SsContact *c = &scene->contacts[contact];

  for (int j = 0; j < scene->n_joints; j++)
    if (scene->joints[j].body_a == c->body_a || scene->joints[j].body_a == c->body_b ||
        scene->joints[j].body_b == c->body_a || scene->joints[j].body_b == c->body_b)
      return TRUE;
  return FALSE;
}

/* The friction that would keep the slip as it is, all forces but those of this contact being what they are: how much
 * the force must change to take the slip's growth away follows from the growth itself. */
static double
friction_that_holds (const SsScene *scene, int contact, const SsappContactChannels *channels, double poses[2][3],
                     const SsappContactReading *reading, const double *from, const double *to)
{
  double w[3], h, determinant, growth, jump, more_n, more_t, normal, tangential;
  SsVec2 before, after;

  if (from == NULL || to == NULL || !(to[0] > from[0]) || is_joined (scene, contact))
    return NAN;
  h = to[0] - from[0];
  normal = value_of (to, channels->lambda_n, NAN);
  tangential = value_of (to, channels->lambda_t, NAN);
  compliance (scene, contact, poses, reading, w);
  before = relative_velocity (scene, contact, channels, poses, reading->at, from);
  after = relative_velocity (scene, contact, channels, poses, reading->at, to);
  jump = dot (after, reading->normal) - dot (before, reading->normal);
  determinant = w[0] * w[2] - w[1] * w[1];
  if (!(normal > NO_FORCE) || !(determinant > 0) || fabs (jump) > IMPACT_SHARE * w[0] * normal * h)
    return NAN;
  growth = (dot (after, reading->tangent) - dot (before, reading->tangent)) / h;
  more_n = w[1] * growth / determinant;
  more_t = -w[0] * growth / determinant;
  return normal + more_n > 0 ? fabs (tangential + more_t) / (normal + more_n) : NAN;
}

/* Whether a joint, spring, actuator or formula acts on the body. */
static gboolean
is_driven (const SsScene *scene, int body)
{
  for (int j = 0; j < scene->n_joints; j++)
    if (scene->joints[j].body_a == body || scene->joints[j].body_b == body)
      return TRUE;
  for (int s = 0; s < scene->n_springs; s++)
    if (scene->springs[s].body_a == body || scene->springs[s].body_b == body)
      return TRUE;
  for (int a = 0; a < scene->n_actuators; a++)
    if (scene->actuators[a].body == body)
      return TRUE;
  for (int f = 0; f < scene->n_forces; f++)
    if (scene->forces[f].body == body)
      return TRUE;
  return FALSE;
}

/* Another contact pushes the body in this row; also where its force is not known. */
static gboolean
is_pushed_elsewhere (const SsScene *scene, int contact, int body, const SsChannel *channels, int n_channels,
                     const double *row)
{
  for (int i = 0; i < scene->n_contacts; i++) {
    /* behind those of the bodies: gap, lambda_n, lambda_t and the two impulses of each contact */
    int channel = 2 + SS_BODY_CHANNELS * scene->n_bodies + 5 * i;

    if (i == contact || (scene->contacts[i].body_a != body && scene->contacts[i].body_b != body))
      continue;
    find_channel (channels, n_channels, scene->contacts[i].name, "lambda_n", &channel);
    if (channel < 0 || row[channel] > NO_FORCE)
      return TRUE;
  }
  return FALSE;
}

/* The moment that turns the body in the step is that of the contact: it says where along the face the force stands, and
 * that how its two points share it. */
static void
share_force (const SsScene *scene, int contact, const SsappContactChannels *channels, const SsTrajectory *trajectory,
             const double *from, const double *to, SsappContactReading *out)
{
  const SsContact *c = &scene->contacts[contact];
  const int side = out->is_on_a ? 0 : 1, index = out->is_on_a ? c->body_a : c->body_b;
  const SsBody *body = &scene->bodies[index];
  const double sign = out->is_on_a ? -1 : 1, normal = value_of (to, channels->lambda_n, NAN),
               tangential = value_of (to, channels->lambda_t, NAN);
  double along[2], turning, arm_x, arm_y, stand, part;

  if (out->n_points != 2 || body->lock[2] || ss_body_is_immovable (body) || !(normal > NO_FORCE) ||
      !(out->normal_force > NO_FORCE) || channels->velocity[side][2] < 0 || is_driven (scene, index) ||
      is_pushed_elsewhere (scene, contact, index, trajectory->channels, trajectory->n_channels, to))
    return;
  turning = body->inertia * (to[channels->velocity[side][2]] - from[channels->velocity[side][2]]) / (to[0] - from[0]);
  arm_x = out->at.x - value_of (to, channels->pose[side][0], body->q[0]);
  arm_y = out->at.y - value_of (to, channels->pose[side][1], body->q[1]);
  /* moment of the sum in the middle of the points, then how far beside it the sum stands */
  stand = sign * normal * (arm_x * out->normal.y - arm_y * out->normal.x) +
          sign * tangential * (arm_x * out->tangent.y - arm_y * out->tangent.x);
  stand = (turning - stand) / (sign * normal);
  for (int i = 0; i < 2; i++) {
    const SsVec2 p = out->is_on_a ? out->points[i].a : out->points[i].b;
    along[i] = (p.x - out->at.x) * out->tangent.x + (p.y - out->at.y) * out->tangent.y;
  }
  part = (stand - along[1]) / (along[0] - along[1]);
  if (!(part >= -BALANCE_SLACK && part <= 1 + BALANCE_SLACK)) /* an impact, or another law than that of rigid bodies */
    return;
  part = CLAMP (part, 0, 1);
  for (int i = 0; i < 2; i++) {
    out->points[i].normal_force = (i == 0 ? part : 1 - part) * out->normal_force;
    out->points[i].tangential_force = (i == 0 ? part : 1 - part) * out->tangential_force;
  }
}

static void
decide (const SsScene *scene, int contact, double poses[2][3], double step, SsappContactReading *out)
{
  const double bound = out->mu * out->normal_force;
  double w[3], least = SLIP_LEAST;

  if (isnan (out->normal_force)) {
    out->state = out->is_closed ? SSAPP_CONTACT_TOUCHING : SSAPP_CONTACT_OPEN;
    return;
  }
  if (!(out->normal_force > NO_FORCE)) {
    out->state = out->is_closed ? SSAPP_CONTACT_TOUCHING : SSAPP_CONTACT_OPEN;
    return;
  }
  out->share = bound > 0 ? MIN (fabs (out->tangential_force) / bound, 1) : NAN;
  compliance (scene, contact, poses, out, w);
  if (step > 0 && bound * w[2] > 0)
    least = SLIP_SHARE_OF_STEP * bound * w[2] * step;
  out->state = fabs (out->slip) > least && !(fabs (out->tangential_force) < BOUND_SHARE * bound)
                   ? SSAPP_CONTACT_SLIPPING
                   : SSAPP_CONTACT_STICKING;
}

gboolean
ssapp_contact_read_row (const SsScene *scene, int contact, const SsappContactChannels *channels, const double *row,
                        const double *from, const double *to, double step, SsappContactReading *out)
{
  g_return_val_if_fail (scene != NULL, FALSE);
  const SsContact *c = &scene->contacts[contact];
  const int bodies[2] = {c->body_a, c->body_b};
  double poses[2][3];
  SsVec2 v;

  for (int i = 0; i < 2; i++)
    for (int axis = 0; axis < 3; axis++)
      poses[i][axis] = value_of (row, channels->pose[i][axis], scene->bodies[bodies[i]].q[axis]);
  if (!place (scene, contact, poses, out))
    return FALSE;
  v = relative_velocity (scene, contact, channels, poses, out->at, row);
  out->gap_rate = dot (v, out->normal);
  out->slip = dot (v, out->tangent);
  out->normal_force = value_of (row, channels->lambda_n, NAN);
  out->tangential_force = value_of (row, channels->lambda_t, NAN);
  out->normal_impulse = value_of (row, channels->impulse_n, 0);
  out->tangential_impulse = value_of (row, channels->impulse_t, 0);
  decide (scene, contact, poses, step, out);
  if (out->state == SSAPP_CONTACT_STICKING)
    out->mu_other = fabs (out->tangential_force) / out->normal_force;
  else if (out->state == SSAPP_CONTACT_SLIPPING)
    out->mu_other = friction_that_holds (scene, contact, channels, poses, out, from, to);
  return TRUE;
}

gboolean
ssapp_contact_read_motion (const SsScene *scene, int contact, SsappContactChannels *channels,
                           const SsTrajectory *trajectory, double t, gboolean is_before, double *row,
                           SsappContactReading *out)
{
  g_return_val_if_fail (scene != NULL && contact < scene->n_contacts && contact >= 0 && trajectory != NULL &&
                            row != NULL && out != NULL,
                        FALSE);

  const double *from = NULL, *to = NULL;
  int k;

  if (trajectory->n_rows == 0)
    return FALSE;
  ssapp_contact_channels_find (channels, scene, contact, trajectory->channels, trajectory->n_channels);
  if (is_before)
    ss_trajectory_sample_before (trajectory, t, row);
  else
    ss_trajectory_sample_motion (trajectory, t, row);
  /* The step that t lies in, or that ends there. */
  k = ss_trajectory_row_up_to (trajectory, 0, t);
  if (k == 0 || ss_trajectory_row (trajectory, k)[0] < t)
    k++;
  if (k < trajectory->n_rows && k > 0) {
    to = ss_trajectory_row (trajectory, k);
    from = ss_trajectory_row (trajectory, k - 1);
  }
  if (!ssapp_contact_read_row (scene, contact, channels, row, from, to, to != NULL ? to[0] - from[0] : 0, out))
    return FALSE;
  if (to != NULL && to[0] > from[0])
    share_force (scene, contact, channels, trajectory, from, to, out);
  return TRUE;
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

int
ssapp_contact_find (const SsScene *scene, const char *a, const char *b)
{
  g_return_val_if_fail (scene != NULL, 0);
  for (int i = 0; i < scene->n_contacts; i++) {
    const char *name_a = scene->bodies[scene->contacts[i].body_a].name,
               *name_b = scene->bodies[scene->contacts[i].body_b].name;
    if ((strcmp (a, name_a) == 0 && strcmp (b, name_b) == 0) || (strcmp (a, name_b) == 0 && strcmp (b, name_a) == 0))
      return i;
  }
  return -1;
}

/* Distance of a point of the picture to the contact [px]. */
static double
distance_px (const SsappCamera *camera, const SsappContactReading *reading, double x, double y)
{
  double nearest = INFINITY;

  for (int i = 0; i < reading->n_points; i++) {
    double ax, ay, bx, by, dx, dy, along = 0;

    ssapp_camera_to_device (camera, reading->points[i].a, &ax, &ay);
    ssapp_camera_to_device (camera, reading->points[i].b, &bx, &by);
    dx = bx - ax;
    dy = by - ay;
    if (hypot (dx, dy) > APART_PX)
      continue;
    if (dx * dx + dy * dy > 0)
      along = CLAMP (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0, 1);
    nearest = fmin (nearest, hypot (x - ax - along * dx, y - ay - along * dy));
  }
  return nearest;
}

int
ssapp_contact_hit (const SsScene *scene, const SsChannel *channels, int n_channels, const double *row,
                   const SsappCamera *camera, double x, double y, double tolerance)
{
  g_return_val_if_fail (scene != NULL, 0);
  const SsVec2 p = ssapp_camera_to_world (camera, x, y);
  const double reach = (APART_PX + tolerance) / camera->scale;
  double best = INFINITY;
  g_autofree double *poses = g_new (double, MAX (3 * scene->n_bodies, 1));
  g_autofree double *radii = g_new (double, MAX (scene->n_bodies, 1));
  int found = -1;

  for (int b = 0; b < scene->n_bodies; b++) {
    int channel = 1 + SS_BODY_CHANNELS * b;
    radii[b] = ss_body_radius (&scene->bodies[b]);
    for (int axis = 0; axis < 3; axis++, channel++) {
      if (row != NULL)
        find_channel (channels, n_channels, scene->bodies[b].name, ss_body_channels[axis], &channel);
      poses[3 * b + axis] = row != NULL ? value_of (row, channel, scene->bodies[b].q[axis]) : scene->bodies[b].q[axis];
    }
  }
  for (int i = 0; i < scene->n_contacts; i++) {
    const int a = scene->contacts[i].body_a, b = scene->contacts[i].body_b;
    const double allowed = fmin (tolerance, SMALL_BODY_SHARE * fmin (radii[a], radii[b]) * camera->scale);
    double both[2][3], distance;
    SsappContactReading reading;

    if (hypot (p.x - poses[3 * a], p.y - poses[3 * a + 1]) > radii[a] + reach ||
        hypot (p.x - poses[3 * b], p.y - poses[3 * b + 1]) > radii[b] + reach)
      continue;
    memcpy (both[0], &poses[3 * a], sizeof both[0]);
    memcpy (both[1], &poses[3 * b], sizeof both[1]);
    if (!place (scene, i, both, &reading))
      continue;
    distance = distance_px (camera, &reading, x, y);
    if (distance <= allowed && distance < best) {
      best = distance;
      found = i;
    }
  }
  return found;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Where the body that is shown slides: down or up a slope, else to the right or left. */
static const char *
direction_of_slip (const SsappContactReading *reading)
{
  static const double slope = 0.05; /* of the way along gravity; less counts as level */
  const double sign = (reading->slip >= 0 ? 1 : -1) * (reading->is_on_a ? -1 : 1);
  const SsVec2 along = {sign * reading->tangent.x, sign * reading->tangent.y};
  const double fall = dot (along, reading->down);

  if (fabs (fall) > slope)
    return fall > 0 ? "down" : "up";
  if (fabs (along.x) >= fabs (along.y))
    return along.x > 0 ? "to the right" : "to the left";
  return along.y > 0 ? "up" : "down";
}

char *
ssapp_contact_describe_state (const SsappContactReading *reading)
{
  g_return_val_if_fail (reading != NULL, NULL);
  switch (reading->state) {
  case SSAPP_CONTACT_OPEN:
    return g_strdup_printf (reading->gap_rate < 0 ? "Open, closing at %.3g m/s" : "Open, parting at %.3g m/s",
                            fabs (reading->gap_rate));
  case SSAPP_CONTACT_TOUCHING:
    return g_strdup (isnan (reading->normal_force) ? "Touches, forces not kept" : "Touches without a force");
  case SSAPP_CONTACT_STICKING:
    return g_strdup ("Sticks");
  case SSAPP_CONTACT_SLIPPING:
    return g_strdup_printf ("Slides %s, %.3g m/s", direction_of_slip (reading), fabs (reading->slip));
  case SSAPP_CONTACT_PLACED:
  default:
    return g_strdup (reading->gap < -TOUCHING ? "Overlaps" : reading->is_closed ? "Touches" : "Apart");
  }
}

/* What a millionth of a millimetre is, is rounding. */
static double
millimetres (double metres)
{
  const double least = 1e-9;
  return fabs (metres) < least ? 0 : 1e3 * metres;
}

char *
ssapp_contact_describe_gap (const SsappContactReading *reading)
{
  g_return_val_if_fail (reading != NULL, NULL);
  const double far = 1; /* m: more is told in metres */
  const char *where = "";

  if (reading->n_points > 1)
    where = reading->n_points == 2 ? " at both points" : " at all points";
  if (reading->gap < -TOUCHING)
    return g_strdup_printf ("overlap of %.3g mm", -millimetres (reading->gap));
  if (reading->gap >= far)
    return g_strdup_printf ("%.3f m", reading->gap);
  return g_strdup_printf ("%.3g mm%s", millimetres (reading->gap) + 0.0, where);
}

char *
ssapp_contact_describe_normal (const SsappContactReading *reading)
{
  g_return_val_if_fail (reading != NULL, NULL);
  if (isnan (reading->normal_force))
    return g_strdup ("not kept");
  if (!(reading->normal_force > NO_FORCE) && reading->normal_impulse > NO_FORCE)
    return g_strdup_printf ("impulse %.3g N s", reading->normal_impulse);
  return g_strdup_printf ("%.4g N", fabs (reading->normal_force) > NO_FORCE ? reading->normal_force : 0);
}

char *
ssapp_contact_describe_friction (const SsappContactReading *reading)
{
  g_return_val_if_fail (reading != NULL, NULL);
  const double force = fabs (reading->tangential_force);

  if (isnan (reading->tangential_force))
    return g_strdup ("not kept");
  if (isnan (reading->share))
    return g_strdup_printf ("%.4g N", force > NO_FORCE ? force : 0);
  if (reading->share >= BOUND_SHARE)
    return g_strdup_printf ("%.4g N, all of the cone", force);
  return g_strdup_printf ("%.4g N, %.0f %% of the cone", force > NO_FORCE ? force : 0, 100 * reading->share);
}

char *
ssapp_contact_describe_margin (const SsappContactReading *reading)
{
  g_return_val_if_fail (reading != NULL, NULL);
  if (isnan (reading->mu_other))
    return g_strdup ("");
  if (reading->state == SSAPP_CONTACT_STICKING && reading->mu_other < SHOWN_LEAST)
    return g_strdup ("Needs no friction to stick");
  if (reading->state == SSAPP_CONTACT_STICKING)
    return g_strdup_printf ("Would slip below µ %.3f", reading->mu_other);
  if (reading->mu_other > reading->mu)
    return g_strdup_printf ("Would stick from µ %.3f", reading->mu_other);
  return g_strdup_printf ("Slows down; holds from µ %.3f once it stands", reading->mu_other);
}
