/* engine/library/ss-library-private.h: what the objects of library/stickslip.h are. Scenario, method and trajectory are
 * the engine's own behind other names. */
#pragma once

#include "library/stickslip.h"

#include "run/ss-run.h"

struct StickslipResult {
  SsRunResult run;
};

static inline const SsScenario *
ss_library_scenario (const StickslipScenario *scenario)
{
  SS_ASSERT (scenario != NULL);
  return (const SsScenario *)(const void *)scenario;
}

static inline const SsMethod *
ss_library_method (const StickslipMethod *method)
{
  SS_ASSERT (method != NULL);
  return (const SsMethod *)(const void *)method;
}

static inline const SsTrajectory *
ss_library_trajectory (const StickslipTrajectory *trajectory)
{
  SS_ASSERT (trajectory != NULL);
  return (const SsTrajectory *)(const void *)trajectory;
}

/* Writes the error for the caller of the library; returns whether there was none. */
bool ss_library_tell (SsStatus status, const SsError *from, char *error, size_t size);
/* Likewise of the first of a list. */
bool ss_library_tell_first (SsStatus status, const SsProblems *from, char *error, size_t size);
