/* engine/judge/ss-motion-column.c: a column of the fit with its source; see ss-motion-balance-private.h. */
#include "judge/ss-motion-balance-private.h"

SsStatus
ss_motion_add_column (SsMotionBalance *b, const SsFitColumn *column, Source source, SsError *err)
{
  const int n = ss_motion_fit_n_columns (b->fit);

  if (ss_array_reserve ((void **)&b->source_of_column, &b->source_capacity, n + 1, sizeof *b->source_of_column) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a step");
  b->source_of_column[n] = source;
  return ss_motion_fit_add (b->fit, column, err);
}
