/* engine/plan/ss-polish-tell.c: see the header. */
#include "plan/ss-polish-tell.h"

/* Iterations from one row of progress to the next. */
enum { TOLD = 10 };

static void
tell_iteration (void *user_data, const SsProgress *progress)
{
  SsPolishTelling *telling = user_data;

  telling->pass (&telling->silence, progress);
  if (progress->kind != SS_PROGRESS_ITERATION || progress->iteration == 0 || progress->iteration % TOLD != 0)
    return;
  const SsColumn row[] = {{"objective", ss_progress_column (progress, "objective")},
                          {"violation", ss_progress_column (progress, "violation")},
                          {"problem", telling->problem},
                          {"inner", progress->iteration}};
  ss_run_control_emit_iteration (telling->silence.outer, telling->n_before + progress->iteration, row, 4);
}

void
ss_polish_telling_init (SsPolishTelling *telling, SsRunControl *outer, bool tells, int problem, int n_before)
{
  SS_ASSERT (telling != NULL && n_before >= 0);
  *telling = (SsPolishTelling){.problem = problem, .n_before = n_before};
  ss_silence_init (&telling->silence, outer);
  if (!tells || outer == NULL)
    return;
  telling->pass = telling->silence.inner.progress;
  telling->silence.inner.progress = tell_iteration;
  telling->silence.inner.user_data = telling;
}
