/* engine/plan/ss-lazy-contacts.c: see the header. */
#include "plan/ss-lazy-contacts.h"

#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Instants between two rows at which gaps are looked at. */
enum { INSTANTS = 8 };

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

SsGap
ss_lazy_nearest (const SsScene *scene, int contact, const double *q)
{
  SS_ASSERT (scene != NULL && contact >= 0 && contact < scene->n_contacts);

  const SsContact *c = &scene->contacts[contact];
  const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];
  SsGap gaps[SS_MANIFOLD_MAX], nearest = {.phi = INFINITY};

  for (int i = 0; i < a->n_shapes; i++)
    for (int k = 0; k < b->n_shapes; k++)
      if (ss_geometry_manifold (&a->shapes[i], q + 3 * c->body_a, &b->shapes[k], q + 3 * c->body_b, gaps) > 0 &&
          gaps[0].phi < nearest.phi)
        nearest = gaps[0];
  return nearest;
}

double
ss_lazy_gap (const SsScene *scene, int contact, const double *q)
{
  return ss_lazy_nearest (scene, contact, q).phi;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const SsScene *scene;
  const SsPlan *plan;
  double *q, *goal;                         /* 3 n_bodies: at the start; with the targets' poses */
  int *group;                               /* n_bodies: bodies held together by joints have one number */
  bool *is_driven, *is_linked, *has_target; /* n_bodies; driven, linked: by their groups */
} Bodies;

static void
clear_bodies (Bodies *b)
{
  ss_free (b->q);
  ss_free (b->goal);
  ss_free (b->group);
  ss_free (b->is_driven);
  ss_free (b->is_linked);
  ss_free (b->has_target);
}

static void
merge (Bodies *b, int from, int to)
{
  for (int i = 0; i < b->scene->n_bodies; i++)
    if (b->group[i] == from)
      b->group[i] = to;
}

static void
drive (Bodies *b, int body)
{
  for (int i = 0; i < b->scene->n_bodies && body >= 0; i++)
    if (b->group[i] == b->group[body] && !ss_body_is_immovable (&b->scene->bodies[i]))
      b->is_driven[i] = true;
}

static SsStatus
open_bodies (Bodies *b, const SsScenario *scenario, SsError *err)
{
  const SsScene *scene = scenario->scene;
  const int n = scene->n_bodies;

  *b = (Bodies){.scene = scene,
                .plan = scenario->task.plan,
                .q = ss_new_array (double, 3 * n + 1),
                .goal = ss_new_array (double, 3 * n + 1),
                .group = ss_new_array (int, n + 1),
                .is_driven = ss_new_array (bool, n + 1),
                .is_linked = ss_new_array (bool, n + 1),
                .has_target = ss_new_array (bool, n + 1)};
  if (b->q == NULL || b->goal == NULL || b->group == NULL || b->is_driven == NULL || b->is_linked == NULL ||
      b->has_target == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < n; i++) {
    b->group[i] = i;
    memcpy (b->q + 3 * i, scene->bodies[i].q, 3 * sizeof (double));
  }
  memcpy (b->goal, b->q, 3 * (size_t)n * sizeof (double));
  for (int j = 0; j < scene->n_joints; j++)
    if (scene->joints[j].body_a >= 0 && !ss_body_is_immovable (&scene->bodies[scene->joints[j].body_a]))
      merge (b, b->group[scene->joints[j].body_b], b->group[scene->joints[j].body_a]);
  for (int a = 0; a < scene->n_actuators; a++) {
    const SsActuator *actuator = &scene->actuators[a];

    if (actuator->joint >= 0)
      drive (b, scene->joints[actuator->joint].body_a);
    drive (b, actuator->joint >= 0 ? scene->joints[actuator->joint].body_b : actuator->body);
  }
  for (int i = 0; i < b->plan->n_targets; i++) {
    const SsPlanTarget *target = &b->plan->targets[i];

    for (int k = 0; k < 3; k++)
      if (!isnan (target->value[k]))
        b->goal[3 * target->body + k] = target->value[k];
    b->has_target[target->body] = !ss_body_is_immovable (&scene->bodies[target->body]);
  }
  return SS_OK;
}

/* ---- the set ----------------------------------------------------------------------------------------------------- */

bool
ss_lazy_contacts_add (SsLazyContacts *contacts, int contact)
{
  const SsPlan *plan = contacts->scenario->task.plan;

  for (int i = 0; i < contacts->n; i++)
    if (plan->candidates[i] == contact && !contacts->has[i]) {
      contacts->has[i] = true;
      contacts->n_has++;
      return true;
    }
  return false;
}

void
ss_lazy_contacts_add_all (SsLazyContacts *contacts)
{
  SS_ASSERT (contacts != NULL);
  for (int i = 0; i < contacts->n; i++)
    contacts->has[i] = true;
  contacts->n_has = contacts->n;
}

static const SsContact *
candidate (const Bodies *b, int i)
{
  return &b->scene->contacts[b->plan->candidates[i]];
}

static bool
can_move (const Bodies *b, int body)
{
  return !ss_body_is_immovable (&b->scene->bodies[body]);
}

/* What touches at the start; at the goal, of pairs with a target. */
static void
add_touching (SsLazyContacts *contacts, const Bodies *b)
{
  for (int i = 0; i < contacts->n; i++) {
    const SsContact *c = candidate (b, i);
    const int contact = b->plan->candidates[i];
    const bool are_told = (b->has_target[c->body_a] || !can_move (b, c->body_a)) &&
                          (b->has_target[c->body_b] || !can_move (b, c->body_b));

    if ((can_move (b, c->body_a) || can_move (b, c->body_b)) &&
        (ss_lazy_gap (b->scene, contact, b->q) < SS_LAZY_TOUCHING ||
         (are_told && ss_lazy_gap (b->scene, contact, b->goal) < SS_LAZY_TOUCHING)))
      ss_lazy_contacts_add (contacts, contact);
  }
}

/* The nearest candidate between a body of the first kind and one of the second, that movable; -1: none. */
static int
find_nearest (const SsLazyContacts *contacts, const Bodies *b, const bool *first, const bool *second)
{
  double least = INFINITY;
  int nearest = -1;

  for (int i = 0; i < contacts->n; i++) {
    const SsContact *c = candidate (b, i);
    const bool joins = (first[c->body_a] && second[c->body_b] && can_move (b, c->body_b)) ||
                       (first[c->body_b] && second[c->body_a] && can_move (b, c->body_a));
    const double gap = joins ? ss_lazy_gap (b->scene, b->plan->candidates[i], b->q) : INFINITY;

    if (gap < least) {
      least = gap;
      nearest = b->plan->candidates[i];
    }
  }
  return nearest;
}

static void
link_body (Bodies *b, int body)
{
  for (int i = 0; i < b->scene->n_bodies; i++)
    b->is_linked[i] = b->is_linked[i] || (b->group[i] == b->group[body] && can_move (b, i));
}

/* Links through the contacts that there are. */
static void
link_known (const SsLazyContacts *contacts, Bodies *b)
{
  for (int round = 0; round < b->scene->n_bodies; round++)
    for (int i = 0; i < contacts->n; i++) {
      const SsContact *c = candidate (b, i);

      if (!contacts->has[i] || !can_move (b, c->body_a) || !can_move (b, c->body_b))
        continue;
      if (b->is_linked[c->body_a] && !b->is_linked[c->body_b])
        link_body (b, c->body_b);
      else if (b->is_linked[c->body_b] && !b->is_linked[c->body_a])
        link_body (b, c->body_a);
    }
}

static bool
targets_are_linked (const Bodies *b)
{
  for (int i = 0; i < b->scene->n_bodies; i++)
    if (b->has_target[i] && !b->is_linked[i])
      return false;
  return true;
}

/* Of every actuated body its nearest one that none moves; then the nearest pairs until the targets are linked. */
static SsStatus
add_links (SsLazyContacts *contacts, Bodies *b, SsError *err)
{
  const int n = b->scene->n_bodies;
  bool *one = ss_new_array (bool, n + 1), *others = ss_new_array (bool, n + 1);

  if (one == NULL || others == NULL) {
    ss_free (one);
    ss_free (others);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < n; i++)
    others[i] = !b->is_driven[i];
  for (int i = 0; i < n; i++)
    if (b->is_driven[i]) {
      memset (one, 0, (size_t)n * sizeof *one);
      one[i] = true;
      const int contact = find_nearest (contacts, b, one, others);

      if (contact >= 0)
        ss_lazy_contacts_add (contacts, contact);
      b->is_linked[i] = true;
    }
  link_known (contacts, b);
  for (int round = 0; round < n && !targets_are_linked (b); round++) {
    for (int i = 0; i < n; i++)
      others[i] = !b->is_linked[i];
    const int contact = find_nearest (contacts, b, b->is_linked, others);

    if (contact < 0)
      break;
    ss_lazy_contacts_add (contacts, contact);
    link_known (contacts, b);
  }
  ss_free (one);
  ss_free (others);
  return SS_OK;
}

/* Of every body that can move its nearest pair. */
static void
add_nearest (SsLazyContacts *contacts, const Bodies *b)
{
  for (int body = 0; body < b->scene->n_bodies; body++) {
    double least = INFINITY;
    int nearest = -1;

    for (int i = 0; i < contacts->n && can_move (b, body); i++) {
      const SsContact *c = candidate (b, i);
      const double gap =
          c->body_a == body || c->body_b == body ? ss_lazy_gap (b->scene, b->plan->candidates[i], b->q) : INFINITY;

      if (gap < least) {
        least = gap;
        nearest = b->plan->candidates[i];
      }
    }
    if (nearest >= 0)
      ss_lazy_contacts_add (contacts, nearest);
  }
}

SsStatus
ss_lazy_contacts_new (const SsScenario *scenario, SsLazyContacts *out, SsError *err)
{
  Bodies bodies;

  SS_ASSERT (scenario->scene != NULL && scenario->task.plan != NULL);
  *out = (SsLazyContacts){.scenario = scenario, .n = scenario->task.plan->n_candidates};
  out->has = ss_new_array (bool, out->n + 1);
  SsStatus status = open_bodies (&bodies, scenario, err);
  if (status == SS_OK && out->has == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK) {
    add_touching (out, &bodies);
    status = add_links (out, &bodies, err);
  }
  if (status == SS_OK && out->n_has == 0)
    add_nearest (out, &bodies);
  clear_bodies (&bodies);
  if (status != SS_OK)
    ss_lazy_contacts_clear (out);
  return status;
}

void
ss_lazy_contacts_clear (SsLazyContacts *contacts)
{
  SS_ASSERT (contacts != NULL);
  ss_free (contacts->has);
  *contacts = (SsLazyContacts){0};
}

/* ---- what a motion shows ----------------------------------------------------------------------------------------- */

/* Places of the poses in the motion's rows: at[3 n_bodies], -1: the start's. */
static void
find_poses (const SsScene *scene, const SsTrajectory *motion, int *at)
{
  static const char *const names[] = {"x", "y", "theta"};
  char name[SS_CHANNEL_NAME_MAX];

  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    snprintf (name, sizeof name, "%s.%s", scene->bodies[i / 3].name, names[i % 3]);
    at[i] = ss_trajectory_channel (motion, name);
  }
}

/* Adds the missing contacts that overlap by more than `allowed` at these poses. */
static int
check_poses (SsLazyContacts *contacts, const double *q, double allowed)
{
  const SsPlan *plan = contacts->scenario->task.plan;
  int n = 0;

  for (int i = 0; i < contacts->n; i++)
    if (!contacts->has[i] && ss_lazy_gap (contacts->scenario->scene, plan->candidates[i], q) < -allowed)
      n += ss_lazy_contacts_add (contacts, plan->candidates[i]);
  return n;
}

/* Adds what overlaps by more than `allowed` at the rows, by more than `between` at `instants` - 1 times between. */
static int
check_motion (SsLazyContacts *contacts, const SsTrajectory *motion, int instants, double allowed, double between)
{
  const SsScene *scene = contacts->scenario->scene;
  const int n = 3 * scene->n_bodies;
  int *at = ss_new_array (int, n + 1), added = 0;
  double *q = ss_new_array (double, n + 1);

  if (at == NULL || q == NULL)
    added = -1;
  else
    find_poses (scene, motion, at);
  for (int k = 0; k < motion->n_rows && added >= 0; k++)
    for (int part = k + 1 < motion->n_rows ? instants - 1 : 0; part >= 0; part--) {
      const double s = (double)part / instants, *row = ss_trajectory_row (motion, k),
                   *next = part > 0 ? ss_trajectory_row (motion, k + 1) : row;

      for (int i = 0; i < n; i++)
        q[i] = at[i] > 0 ? (1 - s) * row[at[i]] + s * next[at[i]] : scene->bodies[i / 3].q[i % 3];
      added += check_poses (contacts, q, part > 0 ? between : allowed);
    }
  ss_free (at);
  ss_free (q);
  return added;
}

int
ss_lazy_contacts_check (SsLazyContacts *contacts, const SsTrajectory *motion, double between)
{
  return check_motion (contacts, motion, INSTANTS, SS_LAZY_OVERLAP, between);
}

int
ss_lazy_contacts_touch (SsLazyContacts *contacts, const SsTrajectory *motion)
{
  return check_motion (contacts, motion, 1, -SS_LAZY_TOUCHING, 0);
}

/* ---- the scenario ------------------------------------------------------------------------------------------------ */

SsStatus
ss_lazy_scenario_new (const SsLazyContacts *contacts, SsLazyScenario *out, SsError *err)
{
  SS_ASSERT (contacts != NULL && out != NULL);

  const SsPlan *plan = contacts->scenario->task.plan;
  int n = 0;

  out->scenario = *contacts->scenario;
  out->plan = *plan;
  out->candidates = ss_new_array (int, contacts->n_has + 1);
  if (out->candidates == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < contacts->n; i++)
    if (contacts->has[i])
      out->candidates[n++] = plan->candidates[i];
  out->plan.candidates = out->candidates;
  out->plan.n_candidates = n;
  out->scenario.task.plan = &out->plan;
  return SS_OK;
}

void
ss_lazy_scenario_clear (SsLazyScenario *lazy)
{
  SS_ASSERT (lazy != NULL);
  ss_free (lazy->candidates);
  lazy->candidates = NULL;
}
