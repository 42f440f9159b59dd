/* engine/simulate/ss-replay.c: see the header. */
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Part of a control by which it may leave its bounds: what an optimiser leaves of them. */
static const double bound_rounding = 1e-6;
/* Part of the time between two points by which the replay may end before the last one. */
static const double end_rounding = 1e-6;

enum { NAME_LENGTH = 512, N_COORDINATES = 6 };

struct SsReplay {
  SsScene scene;        /* copy with other bodies */
  SsBody *bodies;       /* owned */
  SsControls *controls; /* owned */
};

/* Columns of x, y, theta, vx, vy, omega; false when one is missing. */
static bool
find_body (const SsTrajectory *trajectory, const char *body, int columns[N_COORDINATES])
{
  char name[NAME_LENGTH];
  for (int k = 0; k < N_COORDINATES; k++) {
    snprintf (name, sizeof name, "%s.%s", body, ss_body_channels[k]);
    columns[k] = ss_trajectory_channel (trajectory, name);
    if (columns[k] < 0)
      return false;
  }
  return true;
}

SsStatus
ss_replay_new (const SsScene *scene, const SsTrajectory *plan, SsReplay **out, SsError *err)
{
  SS_ASSERT (scene != NULL && plan != NULL && out != NULL);
  *out = NULL;
  SsReplay *r = ss_new (SsReplay);
  if (r == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a replay");
  r->scene = *scene;
  r->bodies = ss_new_array (SsBody, scene->n_bodies + 1);
  SsStatus status = r->bodies != NULL ? ss_controls_new (scene, plan, &r->controls, err)
                                      : ss_error_set (err, SS_ERR_MEMORY, "no memory for a replay");
  if (status != SS_OK)
    goto fail;
  const double *first = ss_trajectory_row (plan, 0);
  for (int i = 0; i < scene->n_bodies; i++) {
    int columns[N_COORDINATES];
    SsBody *body = &r->bodies[i];
    *body = scene->bodies[i];
    if (body->is_fixed || !find_body (plan, body->name, columns))
      continue;
    for (int k = 0; k < 3; k++) {
      body->q[k] = first[columns[k]];
      body->v[k] = first[columns[3 + k]];
      if (!isfinite (body->q[k]) || !isfinite (body->v[k])) {
        status = ss_error_set (err, SS_ERR_INVALID, "the plan's first row has no finite state of body %s", body->name);
        goto fail;
      }
    }
  }
  r->scene.bodies = r->bodies;
  *out = r;
  return SS_OK;

fail:
  ss_replay_free (r);
  return status;
}

void
ss_replay_free (SsReplay *r)
{
  if (r == NULL)
    return;
  ss_controls_free (r->controls);
  ss_free (r->bodies);
  ss_free (r);
}

const SsScene *
ss_replay_scene (const SsReplay *r)
{
  SS_ASSERT (r != NULL);
  return &r->scene;
}

const SsControls *
ss_replay_controls (const SsReplay *r)
{
  SS_ASSERT (r != NULL);
  return r->controls;
}

void
ss_replay_disturb (SsReplay *r, int body, int coordinate, double by)
{
  SS_ASSERT (r != NULL && body >= 0 && body < r->scene.n_bodies && coordinate >= 0 && coordinate < N_COORDINATES);

  *(coordinate < 3 ? &r->bodies[body].q[coordinate] : &r->bodies[body].v[coordinate - 3]) += by;
}

double
ss_replay_t_end (const SsReplay *r)
{
  SS_ASSERT (r != NULL);
  return r->controls->t[r->controls->n_rows - 1];
}

int
ss_replay_clamped (const SsReplay *r)
{
  SS_ASSERT (r != NULL);

  const SsControls *c = r->controls;
  for (int i = 0; i < c->n_actuators; i++) {
    const SsActuator *a = &r->scene.actuators[i];
    for (int k = 0; k < c->n_rows; k++) {
      double u = c->u[(size_t)k * (size_t)c->n_actuators + (size_t)i], slack = bound_rounding * (1 + fabs (u));
      if (u < a->lower - slack || u > a->upper + slack)
        return i;
    }
  }
  return -1;
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */

typedef struct {
  int body;
  int plan[N_COORDINATES], replay[N_COORDINATES];
} Pair;

static int
pair_bodies (const SsScene *scene, const SsTrajectory *plan, const SsTrajectory *replay, Pair *pairs)
{
  int n = 0;
  for (int i = 0; i < scene->n_bodies; i++) {
    Pair *pair = &pairs[n];
    if (ss_body_is_immovable (&scene->bodies[i]) || !find_body (plan, scene->bodies[i].name, pair->plan) ||
        !find_body (replay, scene->bodies[i].name, pair->replay))
      continue;
    pair->body = i;
    n++;
  }
  return n;
}

/* Largest distance and angle over the bodies between a row of each; returns the body of the distance. */
static int
compare_rows (const Pair *pairs, int n, const double *plan, const double *replay, double *distance, double *angle)
{
  int body = -1;
  *distance = *angle = 0;
  for (int i = 0; i < n; i++) {
    const Pair *p = &pairs[i];
    double way = hypot (replay[p->replay[0]] - plan[p->plan[0]], replay[p->replay[1]] - plan[p->plan[1]]);
    *angle = fmax (*angle, fabs (replay[p->replay[2]] - plan[p->plan[2]]));
    if (body < 0 || way > *distance) {
      *distance = way;
      body = p->body;
    }
  }
  return body;
}

SsStatus
ss_replay_compare (const SsScene *scene, const SsTrajectory *plan, const SsTrajectory *replay, SsReplayDistance *out,
                   SsTrajectory **over_time, SsError *err)
{
  SsChannel channels[] = {ss_channel_of_time (), ss_channel_named ("distance"), ss_channel_named ("angle")};
  SS_ASSERT (scene != NULL && plan != NULL && replay != NULL && out != NULL);
  SsReplayDistance result = {.at_end = NAN, .at_end_angle = NAN, .body = -1};
  SsTrajectory *series = NULL;
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "no memory to compare plan and replay");
  Pair *pairs = ss_new_array (Pair, scene->n_bodies + 1);
  double *sample = ss_new_array (double, replay->n_channels + 1);
  channels[1].quantity = SS_QUANTITY_DISTANCE;
  channels[2].quantity = SS_QUANTITY_ANGLE_DISTANCE;
  for (int i = 1; i < 3; i++)
    channels[i].unit = ss_quantity_unit (channels[i].quantity);
  if (pairs == NULL || sample == NULL)
    goto done;
  int n = pair_bodies (scene, plan, replay, pairs);
  if (n == 0 || replay->n_rows == 0 || plan->n_rows == 0) {
    status = ss_error_set (err, SS_ERR_INVALID, "plan and replay have no moving body in common");
    goto done;
  }
  status = ss_trajectory_new (channels, 3, plan->n_rows, &series, err);
  double reached = ss_trajectory_row (replay, replay->n_rows - 1)[0];
  double before = NAN; /* the time looked at before */
  for (int k = 0; status == SS_OK && k < plan->n_rows; k++) {
    k = ss_trajectory_last_at (plan, k);
    const double *row = ss_trajectory_row (plan, k);
    double distance, angle, length = isnan (before) ? 0 : row[0] - before;
    before = row[0];
    if (row[0] > reached + end_rounding * length)
      break;
    ss_trajectory_sample (replay, row[0], sample);
    int body = compare_rows (pairs, n, row, sample, &distance, &angle);
    if (result.body < 0 || distance > result.largest) {
      result.largest = distance;
      result.body = body;
      result.t = row[0];
    }
    result.largest_angle = fmax (result.largest_angle, angle);
    if (k == plan->n_rows - 1) {
      result.at_end = distance;
      result.at_end_angle = angle;
    }
    status = ss_trajectory_append (series, (double[]){row[0], distance, angle}, err);
  }
  if (status != SS_OK)
    goto done;
  *out = result;
  if (over_time != NULL) {
    *over_time = series;
    series = NULL;
  }

done:
  ss_trajectory_free (series);
  ss_free (pairs);
  ss_free (sample);
  return status;
}
