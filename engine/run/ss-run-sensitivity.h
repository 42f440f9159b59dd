/* engine/run/ss-run-sensitivity.h: numbers of a scenario, by their names, as inputs of derivatives of its motion.
 *
 * A name is that of a number (scene/ss-number.h): where a body starts is a coordinate, all others are scenes that are
 * read with a little less and a little more. A number that the scene allows to one side only, or to none, moves
 * nothing: its derivatives come from that side (run/ss-run-sides.h).
 * Threads: any. Tests: tests/numeric/test-sensitivity.c
 */
#pragma once

#include "scene/ss-number.h"
#include "simulate/ss-sensitivity.h"

typedef struct {
  int n;
  SsSensitivityInput *inputs; /* owned, for SsSimJob; names as they were given */
  SsNumber *numbers;          /* owned */
  /* Owned: by which a number moves, 1e-5 of it, of a start at least of its body's size (an angle: of 1 rad), of 0 of
   * 1. */
  double *steps;
  bool (*allowed)[2]; /* owned: whether it may be a little less, a little more */
  /* Private: what the inputs borrow. */
  char **names;
  SsScenario **scenarios; /* 2 n; NULL: of a coordinate */
} SsSensitivityInputs;

/* With a plan that is replayed also its controls: `push`, an actuator's in all steps, or `push[3]`, in its third, as a
 * number that is added [its unit]. SS_ERR_INVALID: no such number or step. On failure *out is NULL. */
SS_NODISCARD SsStatus ss_sensitivity_inputs_new (const SsScenario *scenario, const SsTrajectory *plan,
                                                 const char *const *names, int n, SsSensitivityInputs **out,
                                                 SsError *err);
void ss_sensitivity_inputs_free (SsSensitivityInputs *inputs); /* NULL is allowed */
/* The scenario with one number changed. SS_ERR_INVALID: it breaks a rule, which the message says. */
SS_NODISCARD SsStatus ss_scenario_read_with (const SsScenario *scenario, const char *name, double value,
                                             SsScenario **out, SsError *err);
