/* engine/simulate/ss-simulate-private.h: what the drivers of one motion (ss-simulate.c), of a fan
 * (ss-fan.c) and of a whole run (ss-sim-job.c) share. */
#pragma once

#include "simulate/ss-rebound.h"
#include "simulate/ss-record-private.h"
#include "simulate/ss-swept-private.h"

/* A step's law is met to this, or the run says so. (Natural residual, [m/s].) */
#define SS_SIM_RESIDUAL_PROMISED 1e-8

typedef struct {
  const SsSimJob *job;
  SsRunControl *control; /* nullable */
  SsSimRecord record;
  SsSwept *swept;     /* owned; NULL: steps are never taken in parts */
  SsRebound *rebound; /* owned; NULL: nothing is to be looked at      */
  SsSimMetrics metrics;
  int n_missed;     /* steps with a larger residual than promised */
  bool is_over;     /* the integrator ended the motion in the last step */
  double t_from;    /* the last break, or the start: steps are counted from there */
  int n_from;       /* steps since then */
  double t_break;   /* the next one; INFINITY: none */
  int next_control; /* where steps are those of the controls: the row that the next one ends at */
  int change;       /* the row of the controls that acts otherwise and ends a step, too; none: their number of rows */
  bool is_watched;
  int every;
  int untold, untold_stage; /* first row and stage that the watch has not seen */
  bool keeps_untold;        /* of a step whose last row is kept */
} SsSimRun;

/* Whether the motion is watched, and rows are kept of some steps only; before the first row. */
SS_NODISCARD SsStatus ss_sim_watch_begin (SsSimRun *run, bool is_fan, SsError *err);
/* A step has ended, with rows from `first` on: those before are told, and gone if they are not kept. */
SS_NODISCARD SsStatus ss_sim_watch_step (SsSimRun *run, int first, SsError *err);
/* The motion has ended: the last row is kept. */
SS_NODISCARD SsStatus ss_sim_watch_end (SsSimRun *run, SsError *err);

/* The motion of a scene without channels of contacts, with those of the contacts in the list after all others, unless
 * they are more than SS_CONTACTS_WITH_CHANNELS_MAX; *n_channels: how many contacts have them. *motion is taken and
 * given. SS_ERR_MEMORY: it is as it was. ss-widen.c */
SS_NODISCARD SsStatus ss_sim_widen (const SsScene *scene, const SsContactRows *contacts, SsTrajectory **motion,
                                    int *n_with_channels, SsError *err);

/* The first row of the job's controls from `row` on that acts otherwise than the one before it and ends a step: where
 * steps have a dt of their own, nobody controls by the state, and a step at least has gone since t_last, the start or
 * the change before that ended one [s]; rows up to then act already. None: their number of rows. *n_within (NULL: not
 * wanted): counts those that are passed over since they are nearer. */
int ss_sim_next_change (const SsSimJob *job, int row, double t_last, int *n_within);
/* Whether the control tells the run to end: outcome and message then say so. */
bool ss_sim_run_stops (const SsSimRun *run, SsSimResult *result);
/* End of the next step, and that it is behind us. */
double ss_sim_run_next_time (const SsSimRun *run);
void ss_sim_run_count_step (SsSimRun *run, double last, double next);
/* From the record's state to `next`. *outcome COMPLETED: done; FAILED, DIVERGED: the step was taken back, the message
 * says why. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_sim_run_step (SsSimRun *run, void *stepper, double next, SsOutcome *outcome, char *message,
                                       size_t size, SsError *err);
/* Contacts and energy of the present state, into the metrics. */
void ss_sim_run_measure (SsSimRun *run);
/* From now on the controls of the job at the present time act, until this is called again; a controller may choose them
 * by the state. */
void ss_sim_run_hold (SsSimRecord *record, const SsSimJob *job);
/* Tells the listener of the rows from `first` on. */
void ss_sim_run_tell (const SsSimRun *run, int first);

/* All branches of an integrator that forks, from the record's first row on; fills the branches of `result`, and its
 * outcome and message. `most`: motions at most. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_sim_run_fan (SsSimRun *run, void *stepper, int most, SsSimResult *result, SsError *err);
