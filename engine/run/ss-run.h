/* engine/run/ss-run.h: one job: a method on a scenario -> the record of a run.
 *
 * The one place that knows all methods. What a run of each kind is stands in its own header: ss-solve.h and ss-plan.h
 * (optimisers), ss-run-simulate.h (integrators), ss-run-impact.h (impact laws).
 *
 * Threads: one job a thread; see those headers. Tests: tests/unit/test-run.c
 */
#pragma once

#include "run/ss-method.h"
#include "run/ss-run-impact.h"
#include "solve/ss-run-judge.h"
#include "solve/ss-run-result.h"
#include "run/ss-run-simulate.h"
#include "solve/ss-solve.h"
#include "transcribe/ss-transcriptions.h"

#define SS_VERSION "0.3.0"

typedef struct {
  const SsMethod *method; /* its kind says which of these is read */
  union {
    SsSolveJob solve;       /* OPTIMISER  */
    SsSimulateJob simulate; /* INTEGRATOR */
    SsImpactJob impact;     /* IMPACT_LAW */
  };
} SsJob;

/* The method on the scenario (NULL: of an IMPACT_LAW that gets its `impact`) with these options (the method's struct),
 * all borrowed; the rest as the scenario has it. */
SsJob ss_job (const SsMethod *method, const SsScenario *scenario, const void *options);

/* Whether the method can run that scenario at all: built, and the scenario is of its kind. ss_run asks this first. */
SS_NODISCARD SsStatus ss_run_check (const SsScenario *scenario, const SsMethod *method, SsError *err);

/* Runs a job. `result` is initialised here; release with ss_run_result_clear. A replay of a plan with steps that do not
 * obey the law of the integrator that replays it ends as NOT_REPLAYABLE. */
SS_NODISCARD SsStatus ss_run (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err);
/* The result of a run that has to be ended from outside: what our metrics say of the last published iterate (optimiser:
 * x of n_x variables, NULL: nothing was published yet; integrator: NULL, and *frames is taken as the trajectory).
 * `result` is initialised here. Not of an IMPACT_LAW. */
SS_NODISCARD SsStatus ss_run_result_from_iterate (const SsJob *job, SsOutcome outcome, int iteration, const double *x,
                                                  int n_x, SsTrajectory **frames, SsRunResult *result, SsError *err);
