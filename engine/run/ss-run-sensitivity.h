/* engine/run/ss-run-sensitivity.h: numbers of a scenario, by their names, as inputs of derivatives of its motion.
 *
 * A name is that of a number (scene/ss-number.h): where a body starts is a coordinate, all others are scenes that are
 * read with a little less and a little more. Threads: any. Tests: tests/numeric/test-sensitivity.c
 */
#pragma once

#include "simulate/ss-sensitivity.h"

typedef struct {
  int n;
  SsSensitivityInput *inputs; /* owned, for SsSimJob; names as they were given */
  double *values;             /* owned: of the numbers */
  /* Private: what the inputs borrow. */
  char **names;
  SsScenario **scenarios; /* 2 n; NULL: of a coordinate */
} SsSensitivityInputs;

/* SS_ERR_INVALID: no such number, or one that cannot move to both sides. On failure *out is NULL. */
SS_NODISCARD SsStatus ss_sensitivity_inputs_new (const SsScenario *scenario, const char *const *names, int n,
                                                 SsSensitivityInputs **out, SsError *err);
void ss_sensitivity_inputs_free (SsSensitivityInputs *inputs); /* NULL is allowed */
