/* engine/fesd/ss-fesd-record.h: what a step tells, kept until the step is sure: rows, stages and events in the order of
 * time, which a step that has to be taken in parts takes back. Memory grows with the longest step seen. */
#pragma once

#include "simulate/ss-simulate.h"

typedef enum { SS_FESD_RECORD_ROW, SS_FESD_RECORD_STAGE, SS_FESD_RECORD_EVENT } SsFesdRecordKind;

typedef struct {
  SsFesdRecordKind kind;
  double weight; /* STAGE */
  SsEvent event; /* EVENT */
  size_t at;     /* ROW, STAGE: place of its numbers */
} SsFesdRecordItem;

typedef struct {
  int n_q, n_contacts, n_joints, n_more;
  int n_items, capacity;
  SsFesdRecordItem *items; /* owned */
  int n_numbers, numbers_capacity;
  double *numbers; /* owned: t, tau, q, v, contact values, dissipated, joint, more of each */
} SsFesdRecord;

/* Empty, for the bodies and contacts of that scene and n_more numbers of the integrator's own. */
void ss_fesd_record_init (SsFesdRecord *record, const SsScene *scene, int n_more);
/* Frees what it holds and leaves it zeroed. */
void ss_fesd_record_clear (SsFesdRecord *record);
/* Numbers of a row or stage in this order, room for them: t, tau, q (n_q), v (n_q), contact (SS_SIM_N_CONTACT_VALUES
 * n), dissipated (n_contacts), joint (SS_JOINT_N_FORCES n_joints, of rows), more (n_more, of rows). On failure
 * (SS_ERR_MEMORY) *numbers is NULL. Borrowed until the next addition. */
SS_NODISCARD SsStatus ss_fesd_record_add (SsFesdRecord *record, SsFesdRecordKind kind, double weight, double **numbers,
                                          SsError *err);
SS_NODISCARD SsStatus ss_fesd_record_add_event (SsFesdRecord *record, const SsEvent *event, SsError *err);
/* A place to go back to, and the way back. */
void ss_fesd_record_cut (SsFesdRecord *record, int n_items, int n_numbers);
double *ss_fesd_record_numbers (SsFesdRecord *record, int item);
/* Tells all of it through the step's sink and forgets it. */
SS_NODISCARD SsStatus ss_fesd_record_emit (SsFesdRecord *record, const SsStep *step, SsError *err);
