/* engine/transcribe/ss-freeze-plan-private.h: what the files of the transcription time-freezing share (order:
 * variables, rows). The law and the letters: ss-freeze-plan.h. */
#pragma once

#include "transcribe/ss-fesd-j-private.h"
#include "transcribe/ss-freeze-plan.h"

enum { SS_FREEZE_C1, SS_FREEZE_C2, SS_FREEZE_C3, SS_FREEZE_FUNCTIONS };

/* Variables of a contact's switching functions at a stage, or at the left point, where there is no alpha. */
typedef struct {
  int alpha[SS_FREEZE_FUNCTIONS], minus[SS_FREEZE_FUNCTIONS], plus[SS_FREEZE_FUNCTIONS];
  int theta[2]; /* th_1, th_2; SS_NO_VARIABLE with lift=off */
} SsFreezeSide;

typedef struct {
  int n; /* switching functions: 2, or 3 with friction */
  SsFreezeSide left, stage[SS_TABLEAU_STAGES_MAX];
} SsFreezeGap;

typedef struct {
  SsFesd fesd;       /* elements, states, gaps; its sides of contacts and its jumps are not used */
  SsFreezeGap *gaps; /* as fesd.contacts */
  double *a_n;       /* of each [N] */
  int tau, speed;    /* variables */
  int t[SS_TABLEAU_STAGES_MAX], theta[SS_TABLEAU_STAGES_MAX];

  /* while the model is written */
  SsExpr s, theta_free[SS_TABLEAU_STAGES_MAX];
  SsExpr *thetas; /* [(stage * n_contacts + contact) * 2 + i] */
} SsFreezePlan;

/* ss-freeze-plan-rows.c: c_i of a contact at a motion. */
SsExpr ss_freeze_plan_switch (const SsFreezePlan *p, int contact, int i, const SsMotionExpr *motion);
/* th_1 (i = 0) or th_2 of a contact at a stage. */
SsExpr ss_freeze_plan_theta (const SsFreezePlan *p, int stage, int contact, int i);
/* All blocks and costs. */
SS_NODISCARD SsStatus ss_freeze_plan_add_rows (SsFreezePlan *p, SsError *err);
/* ss-freeze-plan-guess.c */
SS_NODISCARD SsStatus ss_freeze_plan_guess (const SsFreezePlan *p, const SsTrajectory *start, double *x, SsError *err);
/* Poses and velocities of all bodies in a row of a motion; those that it has not are the start's. [3 n_bodies] */
void ss_freeze_plan_read_state (const SsScene *scene, const SsTrajectory *motion, const double *row, double *q,
                                double *v);
