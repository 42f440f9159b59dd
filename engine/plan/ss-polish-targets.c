/* engine/plan/ss-polish-targets.c: see the header. */
#include "plan/ss-polish-targets.h"

#include <math.h>

SsStatus
ss_polish_missed (const SsPlan *plan, const SsFesdSequence *sequence, double *missed, SsError *err)
{
  SS_ASSERT (plan != NULL && plan->steps >= 0 && sequence != NULL && sequence->n_segments <= sequence->capacity &&
             missed != NULL);

  double *sample = ss_new_array (double, ss_fesd_sequence_sample_size (sequence));

  *missed = 0;
  if (sample == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_fesd_sequence_sample (sequence, sequence->n_segments - 1, 1, sample);
  for (int i = 0; i < plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanTarget *target = &plan->targets[i];
      const int at = 1 + 3 * target->body + (c < 3 ? c : sequence->n_q + c - 3);

      if (!isnan (target->value[c]) && isinf (target->weight[c]))
        *missed = fmax (*missed, fabs (sample[at] - target->value[c]));
    }
  ss_free (sample);
  return SS_OK;
}
