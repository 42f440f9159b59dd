/* engine/simulate/ss-sim-job.c: a whole run: its warnings, its steps or its fan, its result. */
#include "simulate/ss-simulate.h"

#include "contact/ss-contact-corner.h"
#include "dynamics/ss-start-fit.h"
#include "scene/ss-uses.h"
#include "simulate/ss-fan.h"
#include "simulate/ss-past.h"
#include "simulate/ss-simulate-private.h"

#include <math.h>
#include <stdio.h>

/* An initial overlap up to this is rounding of the sketch, not worth a warning. [m] */
static const double overlap_tolerance = 1e-6;
/* Most steps of a run (an int counts them); more is a wrong dt. */
static const double steps_max = 2e9;
/* Rows reserved at first; a longer trajectory grows. */
enum { ROWS_RESERVED_MAX = 4096 };

/* ---- warnings ---------------------------------------------------------------------------------------------------- */

static void
warn_about_ignored (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                    SsRunControl *control)
{
  const unsigned uses = ss_integrator_uses (integrator, options);
  const int n = control != NULL ? ss_uses_count_ignored (scene, uses) : 0;
  char text[256];

  for (int i = 0; i < n; i++) {
    ss_uses_describe_ignored (scene, uses, i, text, sizeof text);
    ss_run_control_log (control, SS_LOG_WARNING, "%s %s", integrator->name, text);
  }
}

static void
warn_about_caveat (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                   SsRunControl *control)
{
  const char *text = control != NULL && integrator->caveat != NULL ? integrator->caveat (scene, options) : NULL;
  if (text != NULL)
    ss_run_control_log (control, SS_LOG_WARNING, "%s: %s", integrator->name, text);
}

/* Overlapping bodies are pushed apart by the position-level schemes, which costs or makes energy: say so at the
 * start. Contacts that are springs, by methods that take them so, go on with the overlap that the motion so far ended
 * with. */
static void
warn_about_overlap (const SsSimRecord *record, const SsSimJob *job, SsRunControl *control)
{
  const bool is_of_springs = job->past != NULL && ss_law_is_of_springs (job->integrator->contact_law.place);
  for (int i = 0; control != NULL && i < record->scene->n_contacts; i++) {
    const SsContact *contact = &record->scene->contacts[i];
    const double gap = record->state.contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_GAP];
    if (!(gap < -overlap_tolerance))
      continue;
    const bool is_spring = is_of_springs && (contact->stiffness > 0 || contact->compliance != NULL);
    if (!is_spring || gap < ss_past_gap (job->past, i) - overlap_tolerance) {
      ss_run_control_log (control, SS_LOG_WARNING, "the bodies of contact %s overlap by %.3g m at t = %.9g s",
                          record->scene->contacts[i].name, -gap, record->state.t);
      return;
    }
  }
}

/* Start velocities that do not fit a joint. A joint that is a spring of the method keeps them. What goes on has the
 * velocities that its motion so far ended with. */
static void
warn_about_start (const SsSimRun *run)
{
  const SsSimRecord *r = &run->record;
  const bool has_springs = (run->job->integrator->uses & SS_USES_JOINT_STIFFNESS) != 0;
  SsStartMisfit misfit;
  char text[320];

  if (run->control == NULL || run->job->past != NULL ||
      ss_start_misfit (r->dynamics, r->scene, r->state.t, r->state.q, r->state.v, has_springs, &misfit, NULL) !=
          SS_OK ||
      misfit.joint < 0)
    return;
  ss_start_misfit_text (r->scene, &misfit, text, sizeof text);
  ss_run_control_log (run->control, SS_LOG_WARNING, "%s", text);
}

/* Controls that change faster than steps end act from the next end on, or never. */
static void
warn_about_controls (const SsSimRun *run)
{
  const SsControls *c = run->job->controls;
  double t_last = run->t_from; /* the start */
  int n_within = 0, row = 1;

  while (c != NULL && (row = ss_sim_next_change (run->job, row, t_last, &n_within)) < c->n_rows)
    t_last = c->t[row++];
  if (run->control != NULL && n_within > 0)
    ss_run_control_log (run->control, SS_LOG_WARNING,
                        "the plan changes its controls %d times in less than a step of %.3g s: each step takes those "
                        "of its start; a smaller dt follows them",
                        n_within, run->job->dt);
}

static void
warn_about_residuals (const SsSimRun *run)
{
  if (run->control != NULL && run->n_missed > 0)
    ss_run_control_log (run->control, SS_LOG_WARNING,
                        "%d of %d steps did not meet their contact law to %.0e m/s: %.2g m/s at worst, at t = %.9g s; "
                        "the channel residual shows which",
                        run->n_missed, run->metrics.steps, SS_SIM_RESIDUAL_PROMISED, run->metrics.own_residual,
                        run->metrics.t_residual);
}

/* Errors that do not fall as they should. */
static void
warn_about_order (const SsSimRun *run)
{
  const SsSimMetrics *m = &run->metrics;
  if (run->control != NULL && m->has_error && m->order != 0 && m->order < m->due_order - 1)
    ss_run_control_log (run->control, SS_LOG_WARNING,
                        "errors fall with order %.1f here, not with %.0f as those of the scheme: forces bend or jump "
                        "within elements (task.breaks tells when), or elements are too long for what they follow; the "
                        "estimated error is %.1e m",
                        m->order, m->due_order, m->error);
}

/* Bodies that came apart where the scene says that nothing is given back. */
static void
warn_about_rebound (const SsSimRun *run)
{
  const SsRebounded r = ss_rebound_largest (run->rebound, SS_REBOUND_CONTACT),
                    limit = ss_rebound_largest (run->rebound, SS_REBOUND_LIMIT);
  if (run->control != NULL && r.subject >= 0)
    ss_run_control_log (
        run->control, SS_LOG_WARNING,
        "%s bounces where the scene's restitution is 0: the bodies of contact %s met at %.3g m/s at t = "
        "%.9g s and came apart at %.3g m/s; a larger damping gives back less",
        run->job->integrator->name, run->record.scene->contacts[r.subject].name, r.met, r.t, r.parted);
  if (run->control == NULL || limit.subject < 0)
    return;
  const SsJoint *joint = &run->record.scene->joints[limit.subject];
  const char *unit = ss_joint_kinds[joint->kind].is_angle ? "rad/s" : "m/s";
  ss_run_control_log (run->control, SS_LOG_WARNING,
                      "%s bounces where the scene's restitution is 0: joint %s met its limit at %.3g %s at t = %.9g s "
                      "and left it at %.3g %s; a larger damping, of the method or of the joint, gives back less",
                      run->job->integrator->name, joint->name, limit.met, unit, limit.t, limit.parted, unit);
}

/* Forces that should have been implicit and could not. */
static void
warn_about_left (const SsSimRun *run)
{
  if (run->control != NULL && run->metrics.n_left > 0)
    ss_run_control_log (run->control, SS_LOG_WARNING,
                        "in %d steps, first to t = %.9g s, forces that the step is too long for stayed explicit: "
                        "formulas of which a part does not push back where it is measured, as a magnetic force; a "
                        "smaller dt, or cvode, follows them",
                        run->metrics.n_left, run->metrics.t_left);
}

/* Steps that were taken in parts, and parts in which something may have passed all the same. */
static void
tell_of_parts (const SsSimRun *run)
{
  const SsSweptCount *n = &run->metrics.parts;
  if (run->control != NULL && n->n_halved > 0)
    ss_run_control_log (run->control, SS_LOG_WARNING,
                        "%d of %d steps could not be solved and were taken in shorter parts, the first from t = %.9g s "
                        "on: a smaller dt, or masses, sizes and stiffnesses less far apart, are solved at once",
                        n->n_halved, run->metrics.steps, n->t_halved);
  if (run->control == NULL || n->contact < 0)
    return;
  const SsContact *c = &run->record.scene->contacts[n->contact];
  const char *a = run->record.scene->bodies[c->body_a].name, *b = run->record.scene->bodies[c->body_b].name;
  if (n->n_steps > n->n_halved)
    ss_run_control_log (run->control, SS_LOG_INFO,
                        "%d of %d steps were taken in %d parts, or something fast would have passed through something, "
                        "or been pushed from afar: the first from t = %.9g s on, for %s and %s",
                        n->n_steps, run->metrics.steps, n->n_parts, n->t, a, b);
  if (n->n_left > 0)
    ss_run_control_log (run->control, SS_LOG_WARNING,
                        "%d parts of steps could not be made short enough: something fast may have passed through "
                        "something, or been pushed from afar; a smaller dt keeps them apart",
                        n->n_left);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Steps until the end or a reason to stop. */
static SsStatus
integrate (SsSimRun *run, void *stepper, SsSimResult *result, SsError *err)
{
  SsSimRecord *r = &run->record;
  while (r->state.t < run->job->t_end) {
    if (ss_sim_run_stops (run, result))
      return SS_OK;
    const double last = r->state.t, next = ss_sim_run_next_time (run);
    const int n_rows = r->motion->n_rows;
    SsStatus status =
        ss_sim_run_step (run, stepper, next, &result->outcome, result->message, sizeof result->message, err);
    if (status != SS_OK)
      return status;
    if (result->outcome != SS_OUTCOME_FAILED)
      ss_sim_run_count_step (run, last, r->state.t);
    if (result->outcome != SS_OUTCOME_COMPLETED)
      return SS_OK;
    if (run->metrics.steps % run->every == 0)
      ss_sim_run_tell (run, run->every > 1 ? r->motion->n_rows - 1 : n_rows);
    status = ss_sim_watch_step (run, n_rows, err);
    if (status == SS_OK && result->sensitivity != NULL)
      status = ss_sensitivity_add (result->sensitivity, r->state.t, run->job->integrator->sensitivity->state (stepper),
                                   r->events, err);
    if (status != SS_OK)
      return status;
    if (run->metrics.steps == 1 && run->job->integrator->say != NULL)
      run->job->integrator->say (stepper, run->control);
    if (run->is_over)
      break;
  }
  result->outcome = SS_OUTCOME_COMPLETED;
  const SsSweptCount parts = ss_swept_count (run->swept);
  int n = snprintf (result->message, sizeof result->message, "reached t = %.9g s in %d steps", r->state.t,
                    run->metrics.steps);
  if (parts.n_steps > 0)
    snprintf (result->message + n, sizeof result->message - (size_t)n, ", %d of them in %d parts", parts.n_steps,
              parts.n_parts);
  return SS_OK;
}

static double
start_of (const SsSimJob *job)
{
  return job->past != NULL ? ss_past_t (job->past) : 0;
}

static SsStatus
check_job (const SsSimJob *job, SsError *err)
{
  bool steps_by_row = job->controls != NULL && isnan (job->dt);
  if (!steps_by_row && (!(job->dt > 0) || !isfinite (job->dt)))
    return ss_error_set (err, SS_ERR_ARG, "the step dt = %g s must be positive and finite", job->dt);
  if (!(job->t_end >= start_of (job)) || !isfinite (job->t_end))
    return ss_error_set (err, SS_ERR_ARG, "the end time %g s must be finite and not before the start, %g s", job->t_end,
                         start_of (job));
  const double n_steps = (job->t_end - start_of (job)) / job->dt;
  if (!steps_by_row && n_steps + job->scene->n_breaks > steps_max)
    return ss_error_set (err, SS_ERR_ARG, "dt = %g s needs %.3g steps to t = %g s; at most %.0g are allowed", job->dt,
                         n_steps, job->t_end, steps_max);
  if (job->every > 1 && ss_integrator_keeps_stages (job->integrator, job->options) > 0)
    return ss_error_set (err, SS_ERR_INVALID,
                         "rows of stages are kept of every step: ask for stage-rows or for fewer rows, not for both");
  return SS_OK;
}

/* Whether the steps have contact problems that can be looked at. */
static SsStatus
check_contacts (const SsSimJob *job, SsError *err)
{
  if (job->contacts == NULL)
    return SS_OK;
  if (job->integrator->watch_contacts == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "%s has no steps whose contact problem is that of the exact law: stewart-trinkle, moreau-jean "
                         "and anitescu-potra have",
                         job->integrator->name);
  for (int i = 0; i < job->scene->n_contacts; i++)
    if (job->scene->contacts[i].rolling > 0)
      return ss_error_set (err, SS_ERR_INVALID,
                           "contact %s resists rolling, which no saved problem of a step has: its points have a normal "
                           "and a tangent",
                           job->scene->contacts[i].name);
  return SS_OK;
}

/* Derivatives, from the start on. */
static SsStatus
follow_inputs (const SsSimJob *job, void *stepper, SsSimResult *result, SsError *err)
{
  const SsSensitivityClass *class = job->integrator->sensitivity;
  if (job->n_inputs == 0)
    return SS_OK;
  if (class == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "%s follows no derivatives of its motions: fesd-j, event-driven and time-freezing do",
                         job->integrator->name);
  if (job->integrator->fork != NULL && job->integrator->fork->most (job->options) > 1)
    return ss_error_set (err, SS_ERR_INVALID, "a fan of motions has no derivatives: ask for one motion");
  SsStatus status = class->follow (stepper, job->inputs, job->n_inputs, err);
  if (status == SS_OK)
    status = ss_sensitivity_new (job->scene, job->inputs, job->n_inputs, &result->sensitivity, err);
  return status == SS_OK ? ss_sensitivity_add (result->sensitivity, start_of (job), class->state (stepper), NULL, err)
                         : status;
}

SsStatus
ss_simulate_job (const SsSimJob *job, SsRunControl *control, SsSimResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && result != NULL);
  SS_ASSERT (job->scene != NULL && job->integrator != NULL);
  SS_ASSERT (job != NULL && job->scene != NULL && job->integrator != NULL && result != NULL);
  SS_ASSERT (job->controls == NULL || job->controls->n_actuators == job->scene->n_actuators);
  SsStatus status = check_job (job, err);
  if (status == SS_OK)
    status = ss_integrator_check_scene (job->integrator, job->options, job->scene, err);
  if (status == SS_OK)
    status = check_contacts (job, err);
  if (status != SS_OK)
    return status;

  SsSimRun run = {.job = job,
                  .control = control,
                  .t_from = start_of (job),
                  .t_break = ss_scene_next_break (job->scene, start_of (job)),
                  .next_control = 1};
  run.change = ss_sim_next_change (job, 1, start_of (job), NULL);
  SsSimRecord *record = &run.record;
  SsSimResult out = {.outcome = SS_OUTCOME_FAILED};
  void *stepper = NULL;
  double rows = isnan (job->dt) ? job->controls->n_rows + 1 : (job->t_end - start_of (job)) / job->dt + 2;
  status =
      ss_sim_record_init (record, job->scene, job->integrator, job->options, (int)fmin (rows, ROWS_RESERVED_MAX), err);
  if (status != SS_OK)
    goto done;
  record->control = control;
  record->state.t = start_of (job);
  ss_sim_run_hold (record, job);
  status = job->integrator->new_ (job->scene, job->options, &stepper, err);
  if (status != SS_OK)
    goto done;
  if (!isnan (job->dt)) /* at a plan's own steps its law stays that of its steps */
    status = ss_swept_new (job->scene, job->integrator, job->options, &run.swept, err);
  if (status != SS_OK)
    goto done;
  status = ss_rebound_new (job->scene, job->integrator, job->options, &run.rebound, err);
  if (status != SS_OK)
    goto done;
  if (job->proposer != NULL && job->integrator->set_proposer != NULL)
    job->integrator->set_proposer (stepper, job->proposer);
  if (job->contacts != NULL)
    job->integrator->watch_contacts (stepper, job->contacts);
  record->watch_contacts = job->contacts;
  status = follow_inputs (job, stepper, &out, err);
  if (status != SS_OK)
    goto done;
  if (job->integrator->start != NULL)
    job->integrator->start (stepper, &record->state);
  warn_about_ignored (job->scene, job->integrator, job->options, control);
  warn_about_overlap (record, job, control);
  warn_about_start (&run);
  warn_about_controls (&run);
  warn_about_caveat (job->scene, job->integrator, job->options, control);
  status = ss_sim_record_append (record, err);
  if (status != SS_OK)
    goto done;
  ss_rebound_step (run.rebound, &record->state);
  ss_sim_run_measure (&run);
  run.metrics.energy_initial = run.metrics.energy_final;
  ss_sim_run_tell (&run, 0);
  const SsForkClass *fork = job->integrator->fork;
  const int most = fork != NULL ? fork->most (job->options) : 1;
  status = ss_sim_watch_begin (&run, most > 1, err);
  if (status != SS_OK)
    goto done;
  status = most > 1 ? ss_sim_run_fan (&run, stepper, most, &out, err) : integrate (&run, stepper, &out, err);
  if (status == SS_OK)
    status = ss_sim_watch_end (&run, err);
  if (status == SS_OK && record->contacts != NULL) {
    int n_with_channels;
    status = ss_sim_widen (job->scene, record->contacts, &record->motion, &n_with_channels, err);
    out.n_without_channels = job->scene->n_contacts - n_with_channels;
  }
  if (status != SS_OK)
    goto done;
  run.metrics.parts = ss_swept_count (run.swept);
  tell_of_parts (&run);
  warn_about_left (&run);
  warn_about_residuals (&run);
  warn_about_order (&run);
  warn_about_rebound (&run);
  out.metrics = run.metrics;
  out.trajectory = record->motion;
  out.stages = record->stages;
  out.stage_rows = record->stage_rows;
  out.events = record->events;
  out.points = record->points;
  out.is_watched = run.is_watched;
  out.every = run.every;
  record->motion = record->stages = record->stage_rows = NULL;
  record->events = NULL;
  record->points = NULL;
  *result = out;
  out = (SsSimResult){0};

done:
  ss_fan_branches_free (out.branches, out.n_branches);
  ss_sensitivity_free (out.sensitivity);
  if (stepper != NULL)
    job->integrator->free_ (stepper);
  ss_swept_free (run.swept);
  ss_rebound_free (run.rebound);
  ss_sim_record_clear (record);
  return status;
}

void
ss_sim_result_clear (SsSimResult *result)
{
  SS_ASSERT (result != NULL);

  ss_trajectory_free (result->trajectory);
  ss_trajectory_free (result->stages);
  ss_trajectory_free (result->stage_rows);
  ss_events_free (result->events);
  ss_point_impulses_free (result->points);
  ss_fan_branches_free (result->branches, result->n_branches);
  ss_sensitivity_free (result->sensitivity);
  *result = (SsSimResult){0};
}

SsStatus
ss_simulate (const SsScene *scene, const SsIntegratorClass *integrator, const void *options, double dt, double t_end,
             SsRunControl *control, SsTrajectory **trajectory, SsSimMetrics *metrics, SsOutcome *outcome, char *message,
             size_t message_size, SsError *err)
{
  SS_ASSERT (scene != NULL && integrator != NULL && trajectory != NULL && metrics != NULL && outcome != NULL);
  SS_ASSERT (message_size == 0 || message != NULL);
  SS_ASSERT (trajectory != NULL && metrics != NULL && outcome != NULL && message_size > 0);
  const SsSimJob job = {.scene = scene, .integrator = integrator, .options = options, .dt = dt, .t_end = t_end};
  SsSimResult result = {0};
  SsStatus status = ss_simulate_job (&job, control, &result, err);
  if (status != SS_OK)
    return status;
  *trajectory = result.trajectory;
  result.trajectory = NULL;
  *metrics = result.metrics;
  *outcome = result.outcome;
  snprintf (message, message_size, "%s", result.message);
  ss_sim_result_clear (&result);
  return SS_OK;
}
