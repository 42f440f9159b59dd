/* engine/simulate/ss-simulate-private.h: what the drivers of one motion (ss-simulate.c), of a fan
 * (ss-fan.c) and of a whole run (ss-sim-job.c) share. */
#pragma once

#include "simulate/ss-record-private.h"
#include "simulate/ss-swept-private.h"

/* A step's law is met to this, or the run says so. (Natural residual, [m/s].) */
#define SS_SIM_RESIDUAL_PROMISED 1e-8

typedef struct {
  const SsSimJob *job;
  SsRunControl *control; /* nullable */
  SsSimRecord record;
  SsSwept *swept; /* owned; NULL: steps are never taken in parts */
  SsSimMetrics metrics;
  int n_missed;     /* steps with a larger residual than promised */
  bool is_over;     /* the integrator ended the motion in the last step */
  double t_from;    /* the last break, or 0: steps are counted from there */
  int n_from;       /* steps since then */
  double t_break;   /* the next one; INFINITY: none */
  int next_control; /* where steps are those of the controls: the row that the next one ends at */
} SsSimRun;

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
