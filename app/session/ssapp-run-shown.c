/* app/session/ssapp-run-shown.c: motions of a run as they are shown: by which clock, branches, derivatives, other
 * worlds; see ssapp-run.h. */
#include "app/session/ssapp-run-private.h"

#include "app/draw/ssapp-band.h"
#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-frozen.h"
#include "simulate/ss-simulate.h"

#include <glib/gi18n.h>
#include <math.h>

/* The motion by the second clock; NULL where it is told by the time. */
static const SsTrajectory *
told (SsappRun *self)
{
  const SsTrajectory *of = self->by_second ? ssapp_run_own_motion (self) : NULL;

  if (of == NULL)
    return NULL;
  if (self->told.of != of || self->told.n_rows != of->n_rows) {
    ssapp_run_clear_told (self);
    self->told.of = of;
    self->told.n_rows = of->n_rows;
    self->told.motion = ssapp_told_by_second_clock (of);
    if (self->told.motion != NULL)
      self->told.events = ssapp_events_by_second_clock (self->events, of);
  }
  return self->told.motion;
}

GArray *
ssapp_run_get_events (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return told (self) != NULL ? self->told.events : self->events;
}

const SsappFan *
ssapp_run_get_fan (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return self->fan;
}

const char *
ssapp_run_get_why_no_stages (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);

  const SsMethod *method = ss_method_lookup (ssapp_run_get_method (self));
  const SsIntegratorClass *integrator = method != NULL ? method->integrator : NULL;

  return integrator != NULL && integrator->keeps_stages != NULL
             ? _ ("This run kept no stages: turn on stage-rows among the options of its method, and simulate again")
             : _ ("The method of this run keeps no stages: each row is a step");
}

SsQuantity
ssapp_run_get_second_clock (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), SS_QUANTITY_UNKNOWN);

  const SsTrajectory *of = ssapp_run_own_motion (self);
  const int channel = of != NULL ? ss_trajectory_second_clock (of) : -1;
  return channel >= 0 ? of->channels[channel].quantity : SS_QUANTITY_UNKNOWN;
}

void
ssapp_run_set_by_second_clock (SsappRun *self, gboolean by_second)
{
  g_return_if_fail (SSAPP_IS_RUN (self));
  if (self->by_second == by_second)
    return;
  self->by_second = by_second;
  ssapp_run_clear_told (self);
  self->version++;
  ssapp_run_emit_changed (self);
}

gboolean
ssapp_run_is_by_second_clock (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), FALSE);
  return told (self) != NULL;
}

char *
ssapp_run_describe_other_clock (SsappRun *self, double reading, gboolean is_before)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);

  const SsTrajectory *rows = ssapp_run_has_motion (self) ? ssapp_run_get_trajectory (self) : NULL;
  const SsQuantity clock = ssapp_run_get_second_clock (self);
  if (rows == NULL || clock == SS_QUANTITY_UNKNOWN)
    return NULL;
  if (told (self) != NULL)
    return g_strdup_printf (ssapp_frozen_is_at (rows, reading) ? _ ("t %.4f s, stands") : "t %.4f s",
                            ssapp_run_to_time (self, reading));
  const double other = is_before ? ssapp_second_clock_at (rows, reading)
                                 : ss_trajectory_convert (rows, 0, ss_trajectory_second_clock (rows), reading);
  return g_strdup_printf ("%s %.4f s", clock == SS_QUANTITY_NUMERICAL_TIME ? "τ" : "s", other);
}

guint
ssapp_runs_get_version (GPtrArray *runs)
{
  g_return_val_if_fail (runs != NULL, 0);

  guint version = runs->len;

  for (guint i = 0; i < runs->len; i++)
    version = version * 31 + ssapp_run_get_version (g_ptr_array_index (runs, i));
  return version;
}

double
ssapp_run_to_time (SsappRun *self, double reading)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), reading);

  const SsTrajectory *of = ssapp_run_own_motion (self);
  return told (self) != NULL ? ss_trajectory_convert (of, ss_trajectory_second_clock (of), 0, reading) : reading;
}

double
ssapp_run_from_time (SsappRun *self, double time)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), time);

  const SsTrajectory *of = ssapp_run_own_motion (self);
  return told (self) != NULL ? ss_trajectory_convert (of, 0, ss_trajectory_second_clock (of), time) : time;
}

/* Branch number i of the fan's list, i > 0; NULL: it was not kept. */
static const SsTrajectory *
branch_motion (SsappRun *self, guint i)
{
  const int branch = g_array_index (self->fan->branches, SsappFanBranch, i).branch;
  int n = 0;
  const SsRunMotion *motions = self->job != NULL ? ssapp_job_get_motions (self->job, &n) : NULL;

  for (int k = 0; k < n; k++)
    if (motions[k].role == SS_MOTION_BRANCH && motions[k].branch == branch)
      return motions[k].trajectory;
  return self->stored_branches != NULL && i - 1 < self->stored_branches->len
             ? g_ptr_array_index (self->stored_branches, i - 1)
             : NULL;
}

GArray *
ssapp_run_list_motions (SsappRun *self)
{
  GArray *list = g_array_new (FALSE, TRUE, sizeof (SsappBranchMotion));

  g_return_val_if_fail (SSAPP_IS_RUN (self), list);
  for (guint i = 0; ssapp_run_own_motion (self) != NULL && self->fan != NULL && i < self->fan->branches->len; i++) {
    const SsappFanBranch *about = &g_array_index (self->fan->branches, SsappFanBranch, i);
    const SsappBranchMotion one = {i == 0 ? ssapp_run_own_motion (self) : branch_motion (self, i), about->branch,
                                   about->own.share};
    if (one.motion != NULL)
      g_array_append_val (list, one);
  }
  return list;
}

/* Branches with the channels of the run's motion, by its clock. */
static void
collect_branches (SsappRun *self, gboolean is_told)
{
  const SsTrajectory *answer = ssapp_run_own_motion (self);

  ssapp_run_clear_branches (self);
  self->branches = g_array_new (FALSE, TRUE, sizeof (SsappFanMotion));
  self->told_branches = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free);
  self->branches_are_told = is_told;
  for (guint i = 1; answer != NULL && self->fan != NULL && i < self->fan->branches->len; i++) {
    const SsappFanBranch *about = &g_array_index (self->fan->branches, SsappFanBranch, i);
    const SsTrajectory *own = branch_motion (self, i);
    SsappFanMotion branch = {
        .motion = own, .from = about->own.t_fork, .share = about->own.share, .branch = about->branch};
    if (own == NULL || own->n_rows == 0 || own->n_channels != answer->n_channels || !isfinite (about->own.t_fork))
      continue;
    if (is_told) {
      SsTrajectory *copy = ssapp_told_by_second_clock (own);
      if (copy == NULL)
        continue;
      branch.from = ssapp_second_clock_at (own, about->own.t_fork);
      branch.motion = copy;
      g_ptr_array_add (self->told_branches, copy);
    }
    g_array_append_val (self->branches, branch);
  }
}

const SsappFanMotion *
ssapp_run_get_branches (SsappRun *self, int *n, double *largest)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self) && n != NULL && largest != NULL, NULL);

  const gboolean is_told = told (self) != NULL;
  *n = 0;
  *largest = 1;
  if (self->fan == NULL || self->fan->branches->len == 0)
    return NULL;
  if (self->branches == NULL || self->branches_are_told != is_told)
    collect_branches (self, is_told);
  const SsappFanMotion *branches = (const SsappFanMotion *)(const void *)self->branches->data;
  *n = (int)self->branches->len;
  *largest = ssapp_fan_largest_share (branches, *n, g_array_index (self->fan->branches, SsappFanBranch, 0).own.share);
  return branches;
}

const SsTrajectory *
ssapp_run_get_trajectory (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);

  const SsTrajectory *trajectory = told (self);
  return trajectory != NULL ? trajectory : ssapp_run_get_motion (self);
}

SsView *
ssapp_run_get_view (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);

  const SsTrajectory *trajectory = ssapp_run_get_trajectory (self);
  SsError err;

  if (trajectory == NULL)
    return NULL;
  if ((self->view != NULL || self->view_failed) && self->view_channels == trajectory->n_channels &&
      self->view_is_told == (told (self) != NULL))
    return self->view;
  g_clear_pointer (&self->view, ss_view_free);
  self->view_channels = trajectory->n_channels;
  self->view_is_told = told (self) != NULL;
  self->view_failed =
      ss_view_new (self->scenario, trajectory->channels, trajectory->n_channels, &self->view, &err) != SS_OK;
  return self->view;
}

double
ssapp_run_get_duration (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NAN);

  const SsTrajectory *trajectory = ssapp_run_own_motion (self) != NULL ? ssapp_run_get_trajectory (self) : NULL;
  return trajectory != NULL ? ss_trajectory_row (trajectory, trajectory->n_rows - 1)[0] : 0;
}

static const char *const *
member_names (const SsappRun *self)
{
  return self->race != NULL ? (const char *const *)self->race->names : NULL;
}

void
ssapp_run_fill_figure (SsappRun *self, SsappFigureRun *out)
{
  g_return_if_fail (SSAPP_IS_RUN (self));
  memset (out, 0, sizeof *out);
  out->label = ssapp_run_get_label (self);
  out->method = ssapp_run_get_method (self);
  out->trajectory = ssapp_run_get_trajectory (self);
  out->iterations = ssapp_run_get_iterations (self);
  out->outcome = ssapp_run_get_outcome (self);
  out->holds_controls = ssapp_run_get_kind (self) == SS_METHOD_OPTIMISER || ssapp_run_get_replay_of (self) != NULL;
  out->branches = ssapp_run_get_branches (self, &out->n_branches, &out->largest_share);
  out->events = ssapp_run_get_events (self);
  out->scenario = self->scenario;
  out->answer = ssapp_run_get_answer (self);
  out->tries = &self->tries;
  out->members = member_names (self);
  out->worlds = ssapp_run_get_worlds (self);
  out->slopes = ssapp_run_is_by_second_clock (self) ? NULL : ssapp_run_get_slopes (self);
}

const char *
ssapp_run_get_trace_label (SsappRun *self, int trace)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  return ssapp_trace_label (member_names (self), trace, ssapp_run_get_label (self));
}

/* ---- other worlds ------------------------------------------------------------------------------------------------ */

const SsTrajectory *
ssapp_run_get_worlds (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  int n = 0;
  const SsRunMotion *motions = self->job != NULL ? ssapp_job_get_motions (self->job, &n) : NULL;

  for (int i = 0; self->worlds == NULL && i < n; i++)
    if (motions[i].role == SS_MOTION_WORLDS)
      return motions[i].trajectory;
  return self->worlds;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

const SsTrajectory *
ssapp_run_get_slopes (SsappRun *self)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), NULL);
  int n = 0;
  const SsRunMotion *motions = self->job != NULL ? ssapp_job_get_motions (self->job, &n) : NULL;

  for (int i = 0; self->slopes == NULL && i < n; i++)
    if (motions[i].role == SS_MOTION_SLOPES)
      return motions[i].trajectory;
  return self->slopes;
}

void
ssapp_run_take_slopes (SsappRun *self, SsTrajectory *slopes)
{
  g_return_if_fail (SSAPP_IS_RUN (self));
  ss_trajectory_free (self->slopes);
  self->slopes = slopes;
  self->version++;
  ssapp_run_emit_changed (self);
}

SsappBand
ssapp_run_get_band (SsappRun *self, const char *number)
{
  g_return_val_if_fail (SSAPP_IS_RUN (self), ((SsappBand){0}));
  if (number == NULL || self->iterate != NULL || ssapp_run_is_by_second_clock (self))
    return (SsappBand){0};
  return ssapp_band_of (self->scenario, ssapp_run_get_slopes (self), number);
}
