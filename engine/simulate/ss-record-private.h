/* engine/simulate/ss-record-private.h: what a simulation keeps of its motion: rows, stages, events, and the state that
 * the next step starts from. It fills and keeps; what the rows are worth is said elsewhere.
 *
 * A step is begun, taken by the integrator with the record's sink, and then either ended, which adds the row of the
 * state at its end, or taken back. Once every size has been seen nothing is allocated when the rows are forgotten from
 * step to step.
 */
#pragma once

#include "dynamics/ss-dynamics.h"
#include "simulate/ss-simulate.h"

/* First channels of a stage. */
enum { SS_SIM_STAGE_T, SS_SIM_STAGE_WEIGHT, SS_SIM_STAGE_ROW, SS_SIM_N_STAGE_CHANNELS };

typedef struct {
  const SsScene *scene;     /* borrowed */
  SsQuantity clock;         /* the second one; UNKNOWN: none */
  SsDynamics *dynamics;     /* owned */
  SsSimState state;         /* arrays owned: one block at q */
  const double *controls;   /* n_actuators, that act from the state on; borrowed; NULL: the formulas */
  double residual;          /* of the last step */
  SsTrajectory *motion;     /* owned */
  SsTrajectory *stages;     /* owned; NULL: the integrator gives none */
  SsTrajectory *stage_rows; /* owned; rows of the motion that belong to `stages`; NULL: none are wanted */
  SsEventList *events;      /* owned; NULL: the integrator gives none */
  SsPointImpulses *points;  /* owned; of the rows in `motion`; NULL: the integrator gives events */
  SsContactRows *contacts;  /* owned; of the rows in `motion`, where these have no channels of contacts; else NULL */
  SsStepSink sink;
  const struct SsContactWatch *watch_contacts; /* borrowed; NULL: nobody */
  SsRunControl *control;                       /* of the steps; borrowed; NULL: none */
  /* private */
  SsPointImpulses step_points; /* of the step under way, room for all corners */
  double *row;                 /* motion->n_channels, in the state's block */
  SsRow *springs;              /* owned; n_springs */
  double *of_stage;
  int n_channel_contacts;
  int residual_column, n_more;
  int of_element;  /* stages of an element where rows of them are wanted; else 0 */
  int step, stage; /* of the row that comes next: steps begun; stages of the element told so far */
  /* the step under way: its end, its controls, the time of the last row, what there was at its beginning */
  double t_begin, t_end, t_last;
  const double *step_controls;
  int n_rows, n_stages, n_events, n_left_out, n_points, n_contact_rows;
} SsSimRecord;

/* In the scene's initial state, without a row. The record must stay where it is (its sink knows it) and is cleared by
 * the caller, also on failure. */
SS_NODISCARD SsStatus ss_sim_record_init (SsSimRecord *record, const SsScene *scene,
                                          const SsIntegratorClass *integrator, const void *options, int n_rows,
                                          SsError *err);
void ss_sim_record_clear (SsSimRecord *record);

/* Numbers of the state in the block at state.q, all but its times. */
size_t ss_sim_record_state_size (const SsSimRecord *record);
/* The row of the present state: motion->n_channels values. */
void ss_sim_record_fill (SsSimRecord *record, double *row);
/* The other way; see ss_simulation_restore. */
void ss_sim_record_restore (SsSimRecord *record, const double *row);
/* Adds the row of the present state. */
SS_NODISCARD SsStatus ss_sim_record_append (SsSimRecord *record, SsError *err);
/* Rows, stages and events are forgotten, their places kept. */
void ss_sim_record_forget (SsSimRecord *record);

/* From the present state to t_end under the present controls. */
void ss_sim_record_begin_step (SsSimRecord *record, double t_end);
/* All rows of the step get its residual; the state is to be that at its end. */
SS_NODISCARD SsStatus ss_sim_record_end_step (SsSimRecord *record, double residual, SsError *err);
void ss_sim_record_undo_step (SsSimRecord *record);
/* Index of the first row since the step was begun. */
int ss_sim_record_first_row (const SsSimRecord *record);

/* Of the contacts with channels, SS_SIM_N_CONTACT_VALUES each, in a row of the motion. */
const double *ss_sim_record_contact_values (const SsSimRecord *record, const double *row, int *n_contacts);
/* Of a contact's values: max (|impulse_t| - mu (impulse_n + h cohesion), 0) [N s]; whether it touched at the start of
 * the step, without which it has no cohesion, is the judge's. */
double ss_sim_cone_violation (const SsScene *scene, int contact, const double *values);
