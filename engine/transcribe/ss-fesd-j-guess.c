/* engine/transcribe/ss-fesd-j-guess.c: the table of the initial guess of a plan by fesd-j: standing still, zeros, or a
 * motion. */
#include "scene/ss-motion-bodies.h"
#include "simulate/ss-stewart-trinkle.h"
#include "transcribe/ss-fesd-j-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of variables of friction and restitution where nothing is known of them, as the paper's code has it (problem text,
 * sec. 6). */
static const double unknown = 1;

/* ---- standing still ---------------------------------------------------------------------------------------------- */

void
ss_fesd_stand_at (const SsFesd *t, int k, double *q, double *v, double *work, double *x)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const SsScene *scene = t->base.scene;
  const int n = 3 * scene->n_bodies;
  const bool is_zero = t->base.plan->guess == SS_PLAN_GUESS_ZEROS;

  for (int i = 0; i < n; i++) {
    const SsBody *body = &scene->bodies[i / 3];
    const bool is_driven = t->base.v[i] == SS_NO_VARIABLE && ss_transcription_is_own_slot (&t->base, i);

    q[i] = is_zero && !is_driven && k > 0 ? 0 : body->q[i % 3] + (is_driven ? k * t->mean_length * body->v[i % 3] : 0);
    v[i] = is_driven || !is_zero || k == 0 ? body->v[i % 3] : 0;
  }
  ss_fesd_set_state (t, t->base.q, t->base.v, q, v, work, x);
  for (int j = 0; j < t->tableau.n; j++)
    ss_fesd_set_state (t, t->stage_q + j * n, t->stage_v + j * n, q, v, work, x);
  ss_fesd_set_state (t, t->end_q, t->end_v, q, v, work, x);
}

/* Gaps 0, friction unknown, normal forces (lambda_n, by gap) those of a
 * first step of time stepping: the paper starts its boxes with their weights. */
static void
stand_still (const SsFesd *t, const double *lambda_n, double *q, double *v, double *work, double *table)
{
  const bool is_zero = t->base.plan->guess == SS_PLAN_GUESS_ZEROS;

  for (int k = 0; k <= t->n_points; k++) {
    double *x = table + (size_t)k * t->base.n_variables;

    ss_fesd_stand_at (t, k, q, v, work, x);
    for (int c = 0; c < t->n_contacts && !is_zero; c++) {
      const SsFesdContact *contact = &t->contacts[c];

      ss_fesd_set (x, contact->r, unknown);
      for (int j = -1; j <= t->tableau.n; j++) {
        const SsFesdSide *side = j < 0 ? &contact->left : j < t->tableau.n ? &contact->stage[j] : &contact->end;
        if (j >= 0)
          ss_fesd_set (x, side->force, lambda_n[c]);
        const int variables[] = {side->force_1, side->force_2, side->gamma, side->beta, side->part_1, side->part_2};

        for (int i = 0; i < (int)(sizeof variables / sizeof *variables); i++)
          ss_fesd_set (x, variables[i], unknown);
      }
    }
  }
}

/* ---- a motion ---------------------------------------------------------------------------------------------------- */

/* Channels of a trajectory by body and contact: 6 per body, then lambda_n and lambda_t per gap, or of its
 * contact; -1: none. */
static int
find_channels (const SsFesd *t, const SsTrajectory *start, int *bodies, int *contacts)
{
  const SsScene *scene = t->base.scene;
  char name[SS_CHANNEL_NAME_MAX];
  int n_known = 0;

  ss_motion_find_bodies (start, scene, bodies);
  for (int i = 0; i < 6 * scene->n_bodies; i++)
    n_known += bodies[i] > 0 && !scene->bodies[i / 6].is_fixed;
  for (int c = t->n_contacts - t->n_limits; c < t->n_contacts; c++)
    contacts[2 * c] = contacts[2 * c + 1] = -1;
  for (int c = 0; c < t->n_contacts - t->n_limits; c++)
    for (int i = 0; i < 2; i++) {
      const char *of = scene->contacts[t->contacts[c].contact].name;

      snprintf (name, sizeof name, "%s.lambda_%s", t->contacts[c].name, i == 0 ? "n" : "t");
      contacts[2 * c + i] = ss_trajectory_channel (start, name);
      snprintf (name, sizeof name, "%s.lambda_%s", of, i == 0 ? "n" : "t");
      if (contacts[2 * c + i] < 0)
        contacts[2 * c + i] = ss_trajectory_channel (start, name);
    }
  return n_known;
}

/* What a contact's variables are at a pose with these forces; impulses are not known. */
static void
set_side (const SsFesd *t, const SsFesdContact *contact, const SsFesdSide *side, const double *q, const double *v,
          double lambda_n, double lambda_t, double *x)
{
  const double mu = ss_fesd_law_of (t, contact)->mu;
  double slip = 0, phi = ss_fesd_gap_value (t, contact, q, v, &slip);

  ss_fesd_set (x, side->y, fmax (phi, 0));
  ss_fesd_set (x, side->force, lambda_n);
  if (!contact->has_friction)
    return;
  if (t->options.friction == SS_FESD_CONIC) {
    ss_fesd_set (x, side->force_1, lambda_t);
    ss_fesd_set (x, side->beta, fmax (mu * mu * lambda_n * lambda_n - lambda_t * lambda_t, 0));
    ss_fesd_set (x, side->gamma, lambda_n > 0 ? fabs (slip) / (2 * mu * lambda_n) : 0);
    ss_fesd_set (x, side->part_1, fmax (slip, 0));
    ss_fesd_set (x, side->part_2, fmax (-slip, 0));
    return;
  }
  ss_fesd_set (x, side->force_1, fmax (lambda_t, 0));
  ss_fesd_set (x, side->force_2, fmax (-lambda_t, 0));
  ss_fesd_set (x, side->beta, fmax (mu * lambda_n - fabs (lambda_t), 0));
  ss_fesd_set (x, side->gamma, fabs (slip));
  ss_fesd_set (x, side->part_1, fabs (slip) + slip);
  ss_fesd_set (x, side->part_2, fabs (slip) - slip);
}

/* Whether a force that is told of a contact as a whole is this gap's: no other gap of it is smaller. */
static bool
carries (const SsFesd *t, const int *contacts, int gap, const double *q)
{
  const double own = ss_fesd_gap_value (t, &t->contacts[gap], q, NULL, NULL);

  for (int l = 0; l < t->n_contacts - t->n_limits; l++)
    if (l != gap && t->contacts[l].contact == t->contacts[gap].contact && contacts[2 * l] == contacts[2 * gap]) {
      const double other = ss_fesd_gap_value (t, &t->contacts[l], q, NULL, NULL);

      if (other < own || (other == own && l < gap))
        return false;
    }
  return true;
}

bool
ss_fesd_copy_plan (const SsFesd *t, const SsTrajectory *start, double *table)
{
  SS_ASSERT (t != NULL && start != NULL);

  const int n = t->base.n_variables;

  if (start->n_rows != 2 * t->n_points + 1)
    return false;
  for (int i = 0; i < n; i++)
    if (ss_trajectory_channel (start, t->base.variables[i].name) < 0)
      return false;
  for (int i = 0; i < n; i++) {
    const int channel = ss_trajectory_channel (start, t->base.variables[i].name);

    for (int k = 0; k <= t->n_points; k++)
      table[(size_t)k * n + i] = ss_trajectory_row (start, 2 * k)[channel];
  }
  return true;
}

static SsStatus
follow (const SsFesd *t, const SsTrajectory *start, double *table, SsError *err)
{
  const SsScene *scene = t->base.scene;
  const int n_bodies = scene->n_bodies, n = 3 * n_bodies, n_stages = t->tableau.n;
  int *bodies = ss_new_array (int, 6 * n_bodies + 2 * t->n_contacts + 1), *contacts = NULL;
  double *row = ss_new_array (double, start->n_channels + 12 * n_bodies + 1), *q = NULL, *v = NULL;
  SsStatus status = SS_ERR_MEMORY;

  if (bodies == NULL || row == NULL)
    goto done;
  contacts = bodies + 6 * n_bodies;
  q = row + start->n_channels;
  v = q + n;
  status = SS_OK;
  if (find_channels (t, start, bodies, contacts) == 0 || start->n_rows == 0) {
    status = ss_error_set (err, SS_ERR_INVALID, "no channel of the trajectory to start from is a variable of '%s'",
                           t->base.source->name);
    goto done;
  }
  const double first = ss_trajectory_row (start, 0)[0];
  for (int k = 0; k <= t->n_points; k++) {
    double *x = table + (size_t)k * t->base.n_variables;

    /* the left point, the stages, the end */
    for (int j = -1; j <= n_stages; j++) {
      const double c = j < 0 || k == t->n_points ? 0 : j < n_stages ? t->tableau.c[j] : 1;
      const int *of_q = j < 0          ? t->base.q
                        : j < n_stages ? t->stage_q + j * n
                                       : t->end_q,
                *of_v = j < 0          ? t->base.v
                        : j < n_stages ? t->stage_v + j * n
                                       : t->end_v;

      ss_trajectory_sample (start, first + (k + c) * t->mean_length, row);
      ss_motion_read_bodies (row, scene, bodies, q, v);
      ss_fesd_set_state (t, of_q, of_v, q, v, v + n, x);
      for (int i = 0; i < t->n_contacts; i++) {
        const SsFesdContact *contact = &t->contacts[i];
        const SsFesdSide *side = j < 0 ? &contact->left : j < n_stages ? &contact->stage[j] : &contact->end;
        const bool acts = j >= 0 && contacts[2 * i] > 0 && carries (t, contacts, i, q);
        const double lambda_n = acts ? fmax (row[contacts[2 * i]], 0) : 0,
                     lambda_t = acts && contacts[2 * i + 1] > 0 ? row[contacts[2 * i + 1]] : 0;

        set_side (t, contact, side, q, v, lambda_n, lambda_t, x);
      }
      if (j >= 0)
        continue;
      for (int a = 0; a < scene->n_actuators; a++) {
        const int channel = ss_trajectory_channel (start, t->base.variables[t->base.u[a]].name);
        ss_fesd_set (x, t->base.u[a], channel > 0 ? row[channel] : 0);
      }
    }
  }

done:
  ss_free (bodies);
  ss_free (row);
  return status;
}

/* The motion under the actuators' own formulas, by time stepping with one problem a step: first values of plans follow
 * from its forces. */
SsStatus
ss_fesd_simulate_guess (const SsFesd *t, double t_end, SsTrajectory **motion, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const SsIntegratorClass *integrator = &ss_integrator_stewart_trinkle;
  SsStewartTrinkleOptions options;
  SsSimMetrics metrics;
  SsOutcome outcome;
  char message[256];

  ss_options_init (integrator->options, &options);
  options.joints = SS_JOINTS_START;
  options.restitution = SS_RESTITUTION_OFF; /* modes of a guess: what bounces little would switch often */
  return ss_simulate (t->base.scene, integrator, &options, t->mean_length, t_end, NULL, motion, &metrics, &outcome,
                      message, sizeof message, err);
}

/* Normal forces of the first step, by gap: 0 of contacts with several gaps. */
static SsStatus
find_weights (const SsFesd *t, double *lambda_n, SsError *err)
{
  SsTrajectory *motion = NULL;
  char name[SS_CHANNEL_NAME_MAX];
  SsStatus status = ss_fesd_simulate_guess (t, t->mean_length, &motion, err);

  for (int c = 0; c < t->n_contacts - t->n_limits && status == SS_OK; c++) {
    snprintf (name, sizeof name, "%s.lambda_n", t->base.scene->contacts[t->contacts[c].contact].name);
    const int channel = t->contacts[c].is_only ? ss_trajectory_channel (motion, name) : -1;

    lambda_n[c] = channel >= 0 && motion->n_rows > 1 ? fmax (ss_trajectory_row (motion, 1)[channel], 0) : 0;
  }
  ss_trajectory_free (motion);
  return status;
}

SsStatus
ss_fesd_guess (const SsFesd *t, const SsTrajectory *start, double *x, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const size_t n = 3 * (size_t)t->base.scene->n_bodies + 1;
  double *q = ss_new_array (double, 4 * n + (size_t)t->n_contacts), *lambda_n = q != NULL ? q + 4 * n : NULL;
  SsTrajectory *motion = NULL;
  SsStatus status = SS_OK;

  if (q == NULL)
    return SS_ERR_MEMORY;
  if (start != NULL && ss_fesd_copy_plan (t, start, x)) {
    ss_free (q);
    return SS_OK;
  }
  if (start != NULL)
    status = follow (t, start, x, err);
  else if (t->base.plan->guess == SS_PLAN_GUESS_SIMULATION)
    status = ss_fesd_simulate_guess (t, t->base.plan->horizon, &motion, err);
  else if (t->base.plan->guess == SS_PLAN_GUESS_STILL)
    status = find_weights (t, lambda_n, err);
  if (motion != NULL && status == SS_OK)
    status = follow (t, motion, x, err);
  else if (start == NULL && status == SS_OK)
    stand_still (t, lambda_n, q, q + n, q + 2 * n, x);
  ss_trajectory_free (motion);
  for (int k = 0; k <= t->n_points; k++) {
    double *point = x + (size_t)k * t->base.n_variables;

    point[t->base.clock] = k * t->mean_length;
    point[t->base.h] = t->mean_length;
    ss_fesd_set (point, t->horizon, t->base.plan->horizon);
  }
  ss_free (q);
  return status;
}
