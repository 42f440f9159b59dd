/* engine/transcribe/ss-freeze-plan-guess.c: the table of the initial guess of a plan in numerical time: the start at
 * every point, or a motion; see ss-freeze-plan.h. */
#include "transcribe/ss-freeze-plan-private.h"

#include <math.h>
#include <stdio.h>

/* alpha, lambda- and lambda+ where nothing is known of them: the released code's later value (problem text, sec. 6). */
static const double unknown = 0.5;

/* th, th_1, th_2 of a stage from its alphas. */
static void
set_thetas (const SsFreezePlan *p, int stage, double *x)
{
  double product = 1;

  for (int c = 0; c < p->fesd.n_contacts; c++) {
    const SsFreezeSide *side = &p->gaps[c].stage[stage];
    const double under = (1 - x[side->alpha[0]]) * (1 - x[side->alpha[1]]);
    const double alpha = p->gaps[c].n > SS_FREEZE_C3 ? x[side->alpha[SS_FREEZE_C3]] : 1;

    product *= 1 - under;
    ss_fesd_set (x, side->theta[0], under * alpha);
    ss_fesd_set (x, side->theta[1], under * (1 - alpha));
  }
  ss_fesd_set (x, p->theta[stage], product);
}

static void
set_unknown (const SsFreezePlan *p, double *x)
{
  for (int j = -1; j < p->fesd.tableau.n; j++) {
    for (int c = 0; c < p->fesd.n_contacts; c++)
      for (int i = 0; i < p->gaps[c].n; i++) {
        const SsFreezeSide *side = j < 0 ? &p->gaps[c].left : &p->gaps[c].stage[j];

        ss_fesd_set (x, side->alpha[i], unknown);
        ss_fesd_set (x, side->minus[i], unknown);
        ss_fesd_set (x, side->plus[i], unknown);
      }
    if (j >= 0)
      set_thetas (p, j, x);
  }
}

/* c_2 of numbers by a difference: the gap along the velocities. */
static double
closing_speed (const SsFreezePlan *p, int c, const double *q, const double *v, double *moved)
{
  const double reach = 1e-6;
  const SsFesd *t = &p->fesd;

  for (int i = 0; i < 3 * t->base.scene->n_bodies; i++)
    moved[i] = q[i] + reach * v[i];
  return (ss_fesd_gap_value (t, &t->contacts[c], moved, NULL, NULL) -
          ss_fesd_gap_value (t, &t->contacts[c], q, NULL, NULL)) /
         reach;
}

/* What the switching functions of a motion make of its variables at the left point (stage -1) or a stage; forces of a
 * contact keep it closed with time at its speed there. */
static void
set_switches (const SsFreezePlan *p, int stage, const double *q, const double *v, const double *lambda_n,
              const double *lambda_t, double *moved, double *x)
{
  const SsFesd *t = &p->fesd;

  for (int c = 0; c < t->n_contacts; c++) {
    const SsFreezeSide *side = stage < 0 ? &p->gaps[c].left : &p->gaps[c].stage[stage];
    double slip = 0;
    const double gap = ss_fesd_gap_value (t, &t->contacts[c], q, v, &slip),
                 values[] = {gap, closing_speed (p, c, q, v, moved), slip};
    const double mu = t->base.scene->contacts[t->contacts[c].contact].mu;
    const bool is_loaded = lambda_n[c] > 0;

    for (int i = 0; i < p->gaps[c].n; i++) {
      const double value = is_loaded && i < SS_FREEZE_C3 ? 0 : values[i];

      ss_fesd_set (x, side->minus[i], fmax (-value, 0));
      ss_fesd_set (x, side->plus[i], fmax (value, 0));
      ss_fesd_set (x, side->alpha[i], value > 0 ? 1 : 0);
    }
    if (!is_loaded || stage < 0)
      continue;
    /* th lambda_n = a_n (1 - th), alpha_2 = 0, alpha_1 = th; alpha_3 by where lambda_t is in the cone */
    ss_fesd_set (x, side->alpha[SS_FREEZE_C1], p->a_n[c] / (p->a_n[c] + lambda_n[c]));
    ss_fesd_set (x, side->alpha[SS_FREEZE_C2], 0);
    if (p->gaps[c].n > SS_FREEZE_C3)
      ss_fesd_set (x, side->alpha[SS_FREEZE_C3], 0.5 - 0.5 * fmin (fmax (lambda_t[c] / (mu * lambda_n[c]), -1), 1));
  }
  if (stage >= 0)
    set_thetas (p, stage, x);
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

static void
stand_still (const SsFreezePlan *p, double *q, double *v, double *work, double *table)
{
  const SsFesd *t = &p->fesd;

  for (int k = 0; k <= t->n_points; k++) {
    double *x = table + (size_t)k * t->base.n_variables;

    ss_fesd_stand_at (t, k, q, v, work, x);
    set_unknown (p, x);
  }
}

/* Value of the channel `owner.what` in a sampled row. */
static double
value_of (const SsTrajectory *start, const double *row, const char *owner, const char *what, double otherwise)
{
  char name[SS_CHANNEL_NAME_MAX];

  snprintf (name, sizeof name, "%s.%s", owner, what);
  const int channel = ss_trajectory_channel (start, name);
  return channel > 0 ? row[channel] : otherwise;
}

void
ss_freeze_plan_read_state (const SsScene *scene, const SsTrajectory *motion, const double *row, double *q, double *v)
{
  SS_ASSERT (scene != NULL);
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i / 3];

    q[i] = value_of (motion, row, body->name, ss_body_channels[i % 3], body->q[i % 3]);
    v[i] = body->is_fixed ? 0 : value_of (motion, row, body->name, ss_body_channels[3 + i % 3], body->v[i % 3]);
  }
}

/* A motion in time, at speed 1: numerical time is time, and nothing is frozen. */
static SsStatus
follow (const SsFreezePlan *p, const SsTrajectory *start, double *table, SsError *err)
{
  const SsFesd *t = &p->fesd;
  const SsScene *scene = t->base.scene;
  const int n = 3 * scene->n_bodies, n_contacts = t->n_contacts;
  double *row = ss_new_array (double, start->n_channels + 5 * n + 2 * n_contacts + 1);

  if (row == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  double *q = row + start->n_channels, *v = q + n, *moved = v + n, *normal = moved + n,
         *tangential = normal + n_contacts, *work = tangential + n_contacts;
  for (int k = 0; k <= t->n_points; k++) {
    double *x = table + (size_t)k * t->base.n_variables;

    for (int j = -1; j < t->tableau.n; j++) {
      const double c = j < 0 || k == t->n_points ? 0 : t->tableau.c[j];

      ss_trajectory_sample (start, ss_trajectory_row (start, 0)[0] + (k + c) * t->mean_length, row);
      ss_freeze_plan_read_state (scene, start, row, q, v);
      for (int i = 0; i < n_contacts; i++) {
        const char *name = scene->contacts[t->contacts[i].contact].name;

        normal[i] = t->contacts[i].is_only ? fmax (value_of (start, row, name, "lambda_n", 0), 0) : 0;
        tangential[i] = t->contacts[i].is_only ? value_of (start, row, name, "lambda_t", 0) : 0;
      }
      ss_fesd_set_state (t, j < 0 ? t->base.q : t->stage_q + j * n, j < 0 ? t->base.v : t->stage_v + j * n, q, v, work,
                         x);
      set_switches (p, j, q, v, normal, tangential, moved, x);
      for (int a = 0; a < scene->n_actuators && j < 0; a++) {
        const int channel = ss_trajectory_channel (start, t->base.variables[t->base.u[a]].name);
        ss_fesd_set (x, t->base.u[a], channel > 0 ? row[channel] : 0);
      }
    }
  }
  ss_free (row);
  return SS_OK;
}

static void
set_clocks (const SsFreezePlan *p, double *table)
{
  const SsFesd *t = &p->fesd;

  for (int k = 0; k <= t->n_points; k++) {
    double *x = table + (size_t)k * t->base.n_variables;

    x[t->base.clock] = x[p->tau] = k * t->mean_length;
    for (int j = 0; j < t->tableau.n; j++)
      x[p->t[j]] = (k + (k < t->n_points ? t->tableau.c[j] : 0)) * t->mean_length;
    x[t->base.h] = t->mean_length;
    x[p->speed] = 1;
    ss_fesd_set (x, t->horizon, t->base.plan->horizon);
  }
}

SsStatus
ss_freeze_plan_guess (const SsFreezePlan *p, const SsTrajectory *start, double *x, SsError *err)
{
  SS_ASSERT (p != NULL);

  const SsFesd *t = &p->fesd;
  const size_t n = 3 * (size_t)t->base.scene->n_bodies + 1;
  SsTrajectory *motion = NULL;
  SsStatus status = SS_OK;

  if (start != NULL && ss_fesd_copy_plan (t, start, x))
    return SS_OK;
  if (start != NULL && start->n_rows == 0)
    return ss_error_set (err, SS_ERR_INVALID, "the trajectory to start from has no rows");
  if (start == NULL && t->base.plan->guess == SS_PLAN_GUESS_SIMULATION) {
    status = ss_fesd_simulate_guess (t, t->base.plan->horizon, &motion, err);
    start = motion;
  }
  if (status == SS_OK && start != NULL)
    status = follow (p, start, x, err);
  else if (status == SS_OK) {
    double *q = ss_new_array (double, 4 * n);

    if (q == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    stand_still (p, q, q + n, q + 2 * n, x);
    ss_free (q);
  }
  set_clocks (p, x);
  ss_trajectory_free (motion);
  return status;
}
