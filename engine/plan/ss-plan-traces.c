/* engine/plan/ss-plan-traces.c: see the header. */
#include "plan/ss-plan-traces.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MAX = 16 };

static bool
is_first_problem (const SsProgress *progress)
{
  return ss_progress_column (progress, "problem") == 1;
}

static void
pass_row (SsPlanTraces *t, const SsProgress *progress)
{
  SsColumn columns[COLUMNS_MAX + 1];
  const int n = progress->n_columns < COLUMNS_MAX ? progress->n_columns : COLUMNS_MAX;
  SsProgress row = *progress;

  if (t->is_leading)
    return;
  if (!t->is_polishing) {
    t->last = progress->iteration;
    t->progress (t->user_data, progress);
    return;
  }
  if (is_first_problem (progress) && !t->is_within) {
    t->base = t->last;
    t->polish++;
  }
  t->is_within = is_first_problem (progress) && !isnan (ss_progress_column (progress, "inner"));
  memcpy (columns, progress->columns, (size_t)n * sizeof *columns);
  columns[n] = (SsColumn){"polish", t->polish};
  row.columns = columns;
  row.n_columns = n + 1;
  row.iteration = t->last = t->base + progress->iteration;
  t->progress (t->user_data, &row);
}

static void
on_progress (void *user_data, const SsProgress *progress)
{
  SsPlanTraces *t = user_data;

  if (progress->kind == SS_PROGRESS_ITERATION)
    pass_row (t, progress);
  else
    t->progress (t->user_data, progress);
}

void
ss_plan_traces_begin (SsPlanTraces *traces, SsRunControl *control)
{
  SS_ASSERT (traces != NULL);
  *traces = (SsPlanTraces){.control = control != NULL && control->progress != NULL ? control : NULL};
  if (traces->control == NULL)
    return;
  traces->progress = control->progress;
  traces->user_data = control->user_data;
  control->progress = on_progress;
  control->user_data = traces;
}

void
ss_plan_traces_polish (SsPlanTraces *traces)
{
  SS_ASSERT (traces != NULL);
  traces->is_polishing = true;
}

void
ss_plan_traces_end (SsPlanTraces *traces)
{
  SS_ASSERT (traces != NULL);
  if (traces->control == NULL)
    return;
  traces->control->progress = traces->progress;
  traces->control->user_data = traces->user_data;
  traces->control = NULL;
}
