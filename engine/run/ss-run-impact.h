/* engine/run/ss-run-impact.h: a run of an impact law: outcomes, or samples of them, of one instant.
 *
 * Threads: one at a time. Tests: tests/unit/test-run.c, tests/numeric/test-impact.c
 */
#pragma once

#include "impact/ss-impact-law.h"
#include "solve/ss-run-result.h"

/* Largest gap of a contact that touches where a job does not say [m]. */
#define SS_RUN_TOUCHING 1e-6

typedef struct {
  const SsScenario *scenario; /* borrowed; a scene; NULL is allowed with `impact` */
  const SsImpactLawClass *law;
  const void *options;    /* the law's options struct                                     */
  const SsImpact *impact; /* borrowed; NULL: that of the scene at q, v                    */
  const double *q, *v;    /* 3 n_bodies each; NULL: the scene's initial state             */
  double touching;        /* of a scene: largest gap of a contact that touches [m]; 0: SS_RUN_TOUCHING */
} SsImpactJob;

/* The samples are a row an outcome (speeds of the contacts, energy, share) or a row a sample (speeds, energy, LCPs,
 * state: see SsImpactState); of a scene the outcomes are motions of two rows at one time, before and after. `result` is
 * initialised by the caller. */
SS_NODISCARD SsStatus ss_run_impact (const SsImpactJob *job, SsRunControl *control, SsRunResult *result, SsError *err);
