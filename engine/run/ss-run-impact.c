/* engine/run/ss-run-impact.c: a run of an impact law: a configuration, outcomes or samples, and what they weigh. */
#include "run/ss-run-impact.h"

#include "core/ss-memory.h"
#include "solve/ss-run-judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* vn_A, vt_A, ..., then `last`. */
static SsStatus
new_table (const SsImpact *impact, const char *const *last, int n_last, int n_rows, SsSamples **out, SsError *err)
{
  enum { COLUMNS_MAX = 2 * SS_IMPACT_CONTACTS_MAX + 8 };
  char names[2 * SS_IMPACT_CONTACTS_MAX][200];
  const char *columns[COLUMNS_MAX];
  const int m = impact->m;

  SS_ASSERT (2 * m + n_last <= COLUMNS_MAX);
  for (int i = 0; i < m; i++) {
    snprintf (names[2 * i], sizeof names[2 * i], "vn_%s", impact->contacts[i]);
    snprintf (names[2 * i + 1], sizeof names[2 * i + 1], "vt_%s", impact->contacts[i]);
    columns[2 * i] = names[2 * i];
    columns[2 * i + 1] = names[2 * i + 1];
  }
  for (int i = 0; i < n_last; i++)
    columns[2 * m + i] = last[i];
  return ss_samples_new (columns, 2 * m + n_last, n_rows, out, err);
}

static void
fill_speeds (int m, const double *u, double *row)
{
  for (int i = 0; i < m; i++) {
    row[2 * i] = u[i];
    row[2 * i + 1] = u[m + i];
  }
}

static SsStatus
fill_from_set (const SsImpact *impact, const SsImpactSet *set, SsRunResult *result, SsError *err)
{
  static const char *const last[] = {"kinetic_energy", "lcps", "state"};
  SsStatus status = new_table (impact, last, 3, set->n_samples, &result->samples, err);
  double least = INFINITY, most = -INFINITY;

  for (int k = 0; status == SS_OK && k < set->n_samples; k++) {
    double u[2 * SS_IMPACT_CONTACTS_MAX], *row = result->samples->values + (size_t)k * (size_t)(2 * impact->m + 3);
    ss_impact_speeds (impact, set->v + (size_t)k * (size_t)set->n, u);
    fill_speeds (impact->m, u, row);
    row[2 * impact->m] = set->energy[k];
    row[2 * impact->m + 1] = set->solves[k];
    row[2 * impact->m + 2] = set->state[k];
    if (set->state[k] == SS_IMPACT_FINISHED) {
      least = fmin (least, set->energy[k]);
      most = fmax (most, set->energy[k]);
    }
  }
  const double n = set->n_samples > 0 ? set->n_samples : NAN;
  SsMetricSet *metrics = &result->metrics;
  ss_metric_set (metrics, SS_METRIC_SAMPLES, set->n_samples);
  ss_metric_set (metrics, SS_METRIC_LCPS_PER_SAMPLE, (double)set->n_solves / n);
  ss_metric_set (metrics, SS_METRIC_FINISHED_FRACTION, set->n_finished / n);
  ss_metric_set (metrics, SS_METRIC_UNFINISHED, set->n_unfinished / n);
  ss_metric_set (metrics, SS_METRIC_DROPPED, set->n_dropped / n);
  ss_metric_set (metrics, SS_METRIC_AMBIGUOUS_FRACTION,
                 set->n_ambiguous >= 0 && set->n_solves > 0 ? (double)set->n_ambiguous / (double)set->n_solves : NAN);
  ss_metric_set (metrics, SS_METRIC_MAX_RESIDUAL, set->max_residual);
  ss_metric_set (metrics, SS_METRIC_KINETIC_ENERGY_MIN, isfinite (least) ? least : NAN);
  ss_metric_set (metrics, SS_METRIC_KINETIC_ENERGY_MAX, isfinite (most) ? most : NAN);
  return status;
}

static SsStatus
fill_from_outcomes (const SsImpact *impact, const SsImpactResult *found, SsRunResult *result, SsError *err)
{
  static const char *const last[] = {"kinetic_energy", "share"};
  SsStatus status = new_table (impact, last, 2, found->n_outcomes, &result->samples, err);
  double least = INFINITY, most = -INFINITY;

  for (int k = 0; status == SS_OK && k < found->n_outcomes; k++) {
    const SsImpactOutcome *outcome = &found->outcomes[k];
    double *row = result->samples->values + (size_t)k * (size_t)(2 * impact->m + 2);
    fill_speeds (impact->m, outcome->u, row);
    row[2 * impact->m] = outcome->energy;
    row[2 * impact->m + 1] = outcome->share;
    least = fmin (least, outcome->energy);
    most = fmax (most, outcome->energy);
  }
  ss_metric_set (&result->metrics, SS_METRIC_KINETIC_ENERGY_MIN, least);
  ss_metric_set (&result->metrics, SS_METRIC_KINETIC_ENERGY_MAX, most);
  return status;
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* Before and after at one time: positions, and velocities with those of the outcome. Channels that an impact does not
 * know are NaN. */
static SsStatus
new_motion (const SsScene *scene, const SsImpact *impact, const double *q, const double *v, const double *after,
            SsTrajectory **out, SsError *err)
{
  SsStatus status = ss_scene_trajectory_new (scene, 2, out, err);
  double *values = status == SS_OK ? ss_new_array (double, (*out)->n_channels) : NULL;

  if (status == SS_OK && values == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", scene->n_bodies);
  for (int row = 0; status == SS_OK && row < 2; row++) {
    for (int c = 1; c < (*out)->n_channels; c++)
      values[c] = NAN;
    for (int b = 0; b < scene->n_bodies; b++)
      for (int k = 0; k < 3; k++) {
        values[1 + 6 * b + k] = q[3 * b + k];
        values[1 + 6 * b + 3 + k] = v[3 * b + k];
      }
    for (int i = 0; row == 1 && i < impact->n; i++)
      values[1 + 6 * (impact->coordinates[i] / 3) + 3 + impact->coordinates[i] % 3] = after[i];
    status = ss_trajectory_append (*out, values, err);
  }
  ss_free (values);
  if (status != SS_OK) {
    ss_trajectory_free (*out);
    *out = NULL;
  }
  return status;
}

/* One outcome is the answer; of several each is a branch with its share. */
static SsStatus
add_motions (const SsImpactJob *job, const SsImpactResult *found, SsRunResult *result, SsError *err)
{
  const SsScene *scene = job->scenario->scene;
  double *start = ss_new_array (double, 6 * scene->n_bodies + 1), *q = start, *v = start + 3 * scene->n_bodies;
  SsStatus status = SS_OK;

  if (start == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", scene->n_bodies);
  for (int b = 0; b < scene->n_bodies; b++)
    for (int k = 0; k < 3; k++) {
      q[3 * b + k] = job->q != NULL ? job->q[3 * b + k] : scene->bodies[b].q[k];
      v[3 * b + k] = job->v != NULL ? job->v[3 * b + k] : scene->bodies[b].v[k];
    }
  for (int k = 0; status == SS_OK && k < found->n_outcomes; k++) {
    SsTrajectory *motion = NULL;
    const bool is_only = found->n_outcomes == 1;
    status = new_motion (scene, result->configuration, q, v, found->outcomes[k].v, &motion, err);
    if (status == SS_OK)
      status = ss_run_add_motion (result, &motion, is_only ? SS_MOTION_ANSWER : SS_MOTION_BRANCH, is_only ? 0 : k + 1,
                                  is_only ? 1 : fmin (1, found->outcomes[k].share), err);
  }
  ss_free (start);
  return status;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

SsStatus
ss_run_impact (const SsImpactJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && job->law != NULL && result != NULL);
  SS_ASSERT (job->impact != NULL || (job->scenario != NULL && job->scenario->scene != NULL));

  const double start = ss_clock_wall ();
  const SsImpact *impact = job->impact;
  SsStatus status = SS_OK;

  if (impact == NULL) {
    status =
        ss_impact_new_from_scene (job->scenario->scene, job->q, job->v,
                                  job->touching > 0 ? job->touching : SS_RUN_TOUCHING, &result->configuration, err);
    impact = result->configuration;
  }
  if (status != SS_OK)
    return status;
  if (job->impact == NULL)
    ss_run_warn_of_ignored (job->scenario->scene, job->law->name, ss_impact_law_uses (job->law, job->options), control);
  result->impact = ss_new (SsImpactResult);
  if (result->impact == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the outcomes of an impact");
  const double begun = ss_clock_wall (), cpu = ss_clock_process_cpu ();
  status = ss_impact_resolve (job->law, impact, job->options, control, result->impact, err);
  if (status != SS_OK)
    return status;

  const SsImpactResult *found = result->impact;
  result->outcome = found->set != NULL ? found->set->outcome : SS_OUTCOME_COMPLETED;
  ss_metric_set (&result->metrics, SS_METRIC_KINETIC_ENERGY_BEFORE, ss_impact_kinetic_energy (impact, impact->v));
  ss_metric_set (&result->metrics, SS_METRIC_SETUP_SECONDS, begun - start);
  ss_metric_set (&result->metrics, SS_METRIC_SOLVE_SECONDS, ss_clock_wall () - begun);
  ss_metric_set (&result->metrics, SS_METRIC_CPU_SECONDS, ss_clock_process_cpu () - cpu);
  ss_metric_set (&result->metrics, SS_METRIC_THREADS, found->set != NULL ? found->set->options.n_threads : 1);
  status = found->set != NULL ? fill_from_set (impact, found->set, result, err)
                              : fill_from_outcomes (impact, found, result, err);
  if (status == SS_OK && result->configuration != NULL)
    status = add_motions (job, found, result, err);
  if (status != SS_OK)
    return status;
  if (found->set != NULL && found->set->n_samples == 0)
    snprintf (result->message, sizeof result->message, "ended before the first sample");
  else if (found->message[0] != '\0')
    snprintf (result->message, sizeof result->message, "%s", found->message);
  else if (found->set != NULL)
    snprintf (result->message, sizeof result->message, "%d samples, %.4g LCPs each", found->set->n_samples,
              ss_metric_get (&result->metrics, SS_METRIC_LCPS_PER_SAMPLE));
  else
    snprintf (result->message, sizeof result->message, "%d outcome%s", found->n_outcomes,
              found->n_outcomes == 1 ? "" : "s");
  return SS_OK;
}
