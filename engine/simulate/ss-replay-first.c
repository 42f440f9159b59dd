/* engine/simulate/ss-replay-first.c: see the header. */
#include "simulate/ss-replay-first.h"

#include "core/ss-memory.h"
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A normal force, as a part of the motion's largest, that is what a solver leaves of none. */
static const double force_rounding = 1e-6;
/* Friction force, as a part of its bound, from which a contact slips. */
static const double cone_part = 0.995;
/* Part of the time between two points by which the replay may end before the last one. */
static const double end_rounding = 1e-6;

typedef struct {
  int lambda_n, lambda_t; /* columns; -1: none */
} Columns;

typedef struct {
  const SsScene *scene;
  const SsTrajectory *motion;
  Columns *columns; /* by contacts */
  double least;     /* normal force of a contact that is closed [N] */
} Side;

const char *
ss_contact_state_name (SsContactState state)
{
  static const char *const names[SS_CONTACT_STATE_COUNT] = {"open", "touches", "sticks", "slips"};

  SS_ASSERT ((int)state >= 0 && state < SS_CONTACT_STATE_COUNT);
  return names[state];
}

static bool
open_side (Side *side)
{
  char name[SS_CHANNEL_NAME_MAX];
  double largest = 0;

  side->columns = ss_alloc ((size_t)side->scene->n_contacts + 1, sizeof *side->columns);
  if (side->columns == NULL)
    return false;
  for (int i = 0; i < side->scene->n_contacts; i++) {
    Columns *c = &side->columns[i];

    snprintf (name, sizeof name, "%s.lambda_n", side->scene->contacts[i].name);
    c->lambda_n = ss_trajectory_channel (side->motion, name);
    snprintf (name, sizeof name, "%s.lambda_t", side->scene->contacts[i].name);
    c->lambda_t = ss_trajectory_channel (side->motion, name);
    for (int k = 0; k < side->motion->n_rows && c->lambda_n >= 0; k++)
      largest = fmax (largest, ss_trajectory_row (side->motion, k)[c->lambda_n]);
  }
  side->least = force_rounding * largest;
  return true;
}

static bool
tells (const Side *side, int contact)
{
  return side->columns[contact].lambda_n >= 0 && side->columns[contact].lambda_t >= 0;
}

static SsContactState
state_at (const Side *side, int contact, int row)
{
  const double *values = ss_trajectory_row (side->motion, row);
  const double normal = values[side->columns[contact].lambda_n],
               friction = fabs (values[side->columns[contact].lambda_t]);
  const double mu = side->scene->contacts[contact].mu;

  if (!(normal > side->least) || !(normal > 0))
    return SS_CONTACT_STATE_OPEN;
  if (!(mu > 0))
    return SS_CONTACT_STATE_TOUCHES;
  return friction >= cone_part * mu * normal ? SS_CONTACT_STATE_SLIPS : SS_CONTACT_STATE_STICKS;
}

static double
force_at (const Side *side, int contact, int row)
{
  return ss_trajectory_row (side->motion, row)[side->columns[contact].lambda_n];
}

/* The row of the replay whose step contains the time, so that it has the forces that act up to then. */
static int
row_at (const SsTrajectory *motion, double t, double rounding, int from)
{
  int row = from;

  while (row + 1 < motion->n_rows && ss_trajectory_row (motion, row)[0] < t - rounding)
    row++;
  return ss_trajectory_last_at (motion, row);
}

/* Of the contacts that differ at a time and the next one, the one with the larger force; -1: none. `was`: which differ
 * at this time, `will`: at the next. */
static int
first_of (const Side *plan, const Side *replay, const bool *was, const bool *will, int plan_row, int replay_row)
{
  double largest = -1;
  int found = -1;

  for (int i = 0; i < plan->scene->n_contacts; i++) {
    if (!was[i] || !will[i])
      continue;
    const double force = fmax (force_at (plan, i, plan_row), force_at (replay, i, replay_row));
    if (force > largest) {
      largest = force;
      found = i;
    }
  }
  return found;
}

typedef struct {
  Side plan, replay;
  bool *was, *is; /* which contacts differ */
  SsTrajectory *over_time;
} Search;

static void
compare_contacts (const Search *s, int plan_row, int replay_row, bool *differs)
{
  for (int i = 0; i < s->plan.scene->n_contacts; i++)
    differs[i] = tells (&s->plan, i) && tells (&s->replay, i) &&
                 state_at (&s->plan, i, plan_row) != state_at (&s->replay, i, replay_row);
}

/* The contact that parts first, and at which row of the plan; -1: none. */
static int
find_contact (Search *s, int *at, SsReplayFirst *out)
{
  const SsTrajectory *plan = s->plan.motion, *replay = s->replay.motion;
  const double reached = ss_trajectory_row (replay, replay->n_rows - 1)[0];
  int plan_before = -1, replay_before = 0, row = 0, found = -1;
  double before = ss_trajectory_row (plan, 0)[0];

  for (int k = ss_trajectory_last_at (plan, 0) + 1; k < plan->n_rows && found < 0; k++) {
    k = ss_trajectory_last_at (plan, k);
    const double t = ss_trajectory_row (plan, k)[0], rounding = end_rounding * (t - before);
    if (t > reached + rounding)
      break;
    row = row_at (replay, t, rounding, row);
    compare_contacts (s, k, row, s->is);
    if (plan_before >= 0)
      found = first_of (&s->plan, &s->replay, s->was, s->is, plan_before, replay_before);
    if (found < 0 && k == plan->n_rows - 1) { /* nothing comes behind the last time */
      found = first_of (&s->plan, &s->replay, s->is, s->is, k, row);
      plan_before = k;
      replay_before = row;
    }
    if (found < 0) {
      bool *swap = s->was;
      s->was = s->is;
      s->is = swap;
      plan_before = k;
      replay_before = row;
    }
    before = t;
  }
  if (found >= 0) {
    *at = plan_before;
    out->plan = state_at (&s->plan, found, plan_before);
    out->replay = state_at (&s->replay, found, replay_before);
  }
  return found;
}

/* The body that is farthest from its plan at a time. */
static int
farthest_body (const SsScene *scene, const SsTrajectory *plan, const SsTrajectory *replay, double t, double *values)
{
  char name[SS_CHANNEL_NAME_MAX];
  double largest = -1;
  int body = -1;

  for (int i = 0; i < scene->n_bodies; i++) {
    double off[2], *other = values + plan->n_channels;
    bool is_known = !ss_body_is_immovable (&scene->bodies[i]);

    ss_trajectory_sample (plan, t, values);
    ss_trajectory_sample (replay, t, other);
    for (int c = 0; c < 2 && is_known; c++) {
      snprintf (name, sizeof name, "%s.%s", scene->bodies[i].name, ss_body_channels[c]);
      const int a = ss_trajectory_channel (plan, name), b = ss_trajectory_channel (replay, name);
      is_known = a >= 0 && b >= 0;
      off[c] = is_known ? other[b] - values[a] : 0;
    }
    if (is_known && hypot (off[0], off[1]) > largest) {
      largest = hypot (off[0], off[1]);
      body = i;
    }
  }
  return body;
}

/* The first row of the distances that is farther than `limit`; -1: none. */
static int
parted_row (const SsTrajectory *over_time, double limit)
{
  for (int k = 0; k < over_time->n_rows; k++) {
    const double *row = ss_trajectory_row (over_time, k);
    if (fmax (row[1], row[2]) > limit)
      return k;
  }
  return -1;
}

static void
fill (const Search *s, double t, SsReplayFirst *out, double *values)
{
  double row[3];

  out->is_parted = true;
  out->t = t;
  ss_trajectory_sample (s->over_time, t, row);
  out->distance = row[1];
  out->angle = row[2];
  out->body = farthest_body (s->plan.scene, s->plan.motion, s->replay.motion, t, values);
}

SsStatus
ss_replay_find_first (const SsScene *scene, const SsScene *believed, const SsTrajectory *plan,
                      const SsTrajectory *replay, SsReplayFirst *out, SsError *err)
{
  SS_ASSERT (scene != NULL && plan != NULL && replay != NULL && out != NULL);
  SS_ASSERT (believed == NULL || believed->n_contacts == scene->n_contacts);
  Search s = {.plan = {.scene = believed != NULL ? believed : scene, .motion = plan},
              .replay = {.scene = scene, .motion = replay}};
  SsReplayFirst found = {.contact = -1, .body = -1, .t = NAN};
  SsReplayDistance distance;
  double *values = NULL;
  SsStatus status = ss_replay_compare (scene, plan, replay, &distance, &s.over_time, err);

  if (status != SS_OK)
    return status;
  found.largest = fmax (distance.largest, distance.largest_angle);
  values = ss_alloc ((size_t)plan->n_channels + (size_t)replay->n_channels + 1, sizeof *values);
  s.was = ss_new_array (bool, scene->n_contacts + 1);
  s.is = ss_new_array (bool, scene->n_contacts + 1);
  if (values == NULL || s.was == NULL || s.is == NULL || !open_side (&s.plan) || !open_side (&s.replay))
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory to compare plan and replay");
  const int parted = status == SS_OK ? parted_row (s.over_time, SS_REPLAY_PARTED) : -1;
  if (parted >= 0) {
    int row = 0;
    found.contact = find_contact (&s, &row, &found);
    if (found.contact >= 0)
      fill (&s, ss_trajectory_row (plan, row)[0], &found, values);
    if (found.contact >= 0 && fmax (found.distance, found.angle) > SS_REPLAY_APART)
      found.contact = -1;
    if (found.contact < 0) {
      const int astray = parted_row (s.over_time, SS_REPLAY_ASTRAY);
      fill (&s, ss_trajectory_row (s.over_time, astray >= 0 ? astray : parted)[0], &found, values);
    }
  }
  if (status == SS_OK)
    *out = found;
  ss_trajectory_free (s.over_time);
  ss_free (values);
  ss_free (s.was);
  ss_free (s.is);
  ss_free (s.plan.columns);
  ss_free (s.replay.columns);
  return status;
}
