/* engine/nlp/ss-best-point.c: see the header. */
#include "nlp/ss-best-point.h"

#include "core/ss-core.h"
#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

static void
hear (void *user_data, const SsProgress *progress)
{
  SsBestPoint *best = user_data;

  if (progress->kind == SS_PROGRESS_ITERATION) {
    best->now_iteration = progress->iteration;
    best->now_objective = ss_progress_column (progress, "objective");
    best->now_violation =
        fmax (ss_progress_column (progress, "violation"), ss_progress_column (progress, "complementarity"));
  } else if (progress->kind == SS_PROGRESS_ITERATE && progress->iteration > 0 && progress->n_values == best->n &&
             progress->iteration == best->now_iteration && best->now_violation < best->feasible &&
             best->now_objective < best->objective) {
    memcpy (best->x, progress->values, (size_t)best->n * sizeof *best->x);
    best->objective = best->now_objective;
    best->iteration = progress->iteration;
  }
  if (best->progress != NULL)
    best->progress (best->user_data, progress);
}

SsStatus
ss_best_point_begin (SsBestPoint *best, int n, double feasible, SsRunControl *control, SsError *err)
{
  SS_ASSERT (best != NULL && control != NULL && n >= 0);

  *best = (SsBestPoint){.n = n,
                        .iteration = -1,
                        .objective = INFINITY,
                        .feasible = feasible,
                        .now_iteration = -1,
                        .control = control,
                        .progress = control->progress,
                        .user_data = control->user_data};
  best->x = ss_new_array (double, (size_t)n + 1);
  if (best->x == NULL) {
    best->control = NULL;
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  control->progress = hear;
  control->user_data = best;
  return SS_OK;
}

void
ss_best_point_end (SsBestPoint *best)
{
  SS_ASSERT (best != NULL);
  if (best->control == NULL)
    return;
  best->control->progress = best->progress;
  best->control->user_data = best->user_data;
  best->control = NULL;
}

void
ss_best_point_clear (SsBestPoint *best)
{
  SS_ASSERT (best != NULL);
  ss_best_point_end (best);
  ss_free (best->x);
  *best = (SsBestPoint){.iteration = -1};
}
