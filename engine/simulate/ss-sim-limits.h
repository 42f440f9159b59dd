/* engine/simulate/ss-sim-limits.h: when a simulation counts as nonsense: two options that every integrator has.
 *
 *     SsSimLimits limits;                           a field of the integrator's options
 *     SS_SIM_LIMITS_OPTIONS (Options, limits, 0.05) the last two lines of its table
 *
 * The run decides by them, not the integrator: engine/solve/ss-run-judge.c. Tests: tests/numeric/test-nonsense.c,
 * test-ledger.c
 */
#pragma once

#include "core/ss-option.h"

typedef struct {
  double law_misses;  /* part of the steps that may miss their law by more than SS_SIM_LAW_MISSED by their own word, or
                       * by more than SS_LAW_MISSED by the judge's; 1: all, and joints may open by any way */
  double energy_gain; /* energy that may come from nothing, as a part of the largest in play; 1: any */
} SsSimLimits;

/* A step whose residual (SsStepInfo) is above this has missed its law [m/s]. */
#define SS_SIM_LAW_MISSED  1e-4
#define SS_SIM_LAW_MISSES  0.01
#define SS_SIM_ENERGY_GAIN 0.05
/* A joint that opens by more than this part of the smaller body that it joins has missed its law, too. */
#define SS_SIM_JOINT_OPENING 0.01

#define SS_SIM_LAW_MISSES_NAME  "law-misses"
#define SS_SIM_ENERGY_GAIN_NAME "energy-gain"

#define SS_SIM_LIMITS_OPTIONS(options_, field_, energy_gain_)                                                          \
  {.name = SS_SIM_LAW_MISSES_NAME,                                                                                     \
   .type = SS_OPTION_REAL,                                                                                             \
   .offset = offsetof (options_, field_.law_misses),                                                                   \
   .minimum = 0,                                                                                                       \
   .maximum = 1,                                                                                                       \
   .fallback = SS_SIM_LAW_MISSES,                                                                                      \
   .symbol = "",                                                                                                       \
   .unit = "",                                                                                                         \
   .common = false,                                                                                                    \
   .summary =                                                                                                          \
       "Largest part of the steps that may break the contact law by more than 1e-4 m/s; a run in which more steps "    \
       "break it fails. A run in which a joint opens by more than 1 % of the smaller body that it joins fails, "       \
       "too. Larger values let more runs pass; 1: no run fails for either."},                                          \
  {                                                                                                                    \
    .name = SS_SIM_ENERGY_GAIN_NAME, .type = SS_OPTION_REAL, .offset = offsetof (options_, field_.energy_gain),        \
    .minimum = 0, .maximum = 1, .fallback = energy_gain_, .symbol = "", .unit = "", .common = false,                   \
    .summary = "Largest energy that a run may gain from nothing, as a part of the largest energy of its motion; a "    \
               "run that gains more fails. Larger values let more runs pass; 1: no run fails for a gain."              \
  }
