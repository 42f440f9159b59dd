/* engine/run/ss-run-past.c: see the header. */
#include "run/ss-run-past.h"

#include "simulate/ss-simulate.h"

#include <stdio.h>

SsStatus
ss_run_past_events (const SsSimulateJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && job->past != NULL && result != NULL && result->events != NULL);

  const SsTrajectory *past = job->past;
  const double *last = ss_trajectory_row (past, past->n_rows - 1);
  SsEventList *own = result->events, *all;
  double tau = 0;
  SsStatus status = ss_events_new (&all, err);

  if (status != SS_OK)
    return status;
  for (int i = 0; i < past->n_channels; i++)
    tau = ss_quantity_is_second_clock (past->channels[i].quantity) ? last[i] : tau;
  if (job->past_events == NULL)
    ss_run_control_log (control, SS_LOG_WARNING,
                        "what happened before t = %.9g s is not known: no events of it are listed", last[0]);
  for (int i = 0; job->past_events != NULL && i < job->past_events->n_items; i++)
    if (job->past_events->items[i].t <= last[0])
      ss_events_add (all, &job->past_events->items[i]);
  for (int i = 0; i < own->n_items; i++) {
    SsEvent event = own->items[i];
    event.tau += tau;
    if (event.t >= last[0]) /* else found in rows of the past */
      ss_events_add (all, &event);
  }
  all->n_left_out += own->n_left_out;
  ss_events_free (own);
  result->events = all;
  return SS_OK;
}

void
ss_run_past_warn (const SsSimulateJob *job, const SsPast *past, SsRunControl *control)
{
  SS_ASSERT (job != NULL && past != NULL);

  const SsScene *scene = ss_past_scene (past);
  const unsigned uses = ss_integrator_uses (job->integrator, job->options);
  char names[160] = "";
  int n = 0;
  size_t length = 0;

  for (int i = 0; i < scene->n_bodies; i++)
    if (ss_past_overrules_start (past, i)) {
      length += length < sizeof names ? (size_t)snprintf (names + length, sizeof names - length, "%s%s",
                                                          n > 0 ? ", " : "", scene->bodies[i].name)
                                      : 0;
      n++;
    }
  if (n > 0)
    ss_run_control_log (control, SS_LOG_WARNING,
                        "%s%s %s from t = %.9g s on where and as fast as %s then: %s in the scene has no effect", names,
                        length < sizeof names ? "" : "...", n > 1 ? "go on" : "goes on", ss_past_t (past),
                        n > 1 ? "they were" : "it was", n > 1 ? "their start" : "its start");
  for (int i = 0; i < scene->n_contacts && (uses & SS_USES_SLIP_STIFFNESS) != 0; i++)
    if (scene->contacts[i].compliance != NULL && scene->contacts[i].compliance->slip_stiffness > 0) {
      ss_run_control_log (control, SS_LOG_WARNING,
                          "springs of slip (slip_stiffness), as that of contact %s, begin unstretched at t = %.9g s: "
                          "how far they were stretched is no part of a state",
                          scene->contacts[i].name, ss_past_t (past));
      return;
    }
}
