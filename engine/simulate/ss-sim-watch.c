/* engine/simulate/ss-sim-watch.c: a motion is told to its watch a step late, when it is known whether more comes, and
 * rows that are not kept go then; see ss-simulate.h. */
#include "simulate/ss-simulate-private.h"

#include <math.h>
#include <string.h>

SsStatus
ss_sim_watch_begin (SsSimRun *run, bool is_fan, SsError *err)
{
  const SsSimWatch *watch = run->job->watch;
  const SsSimRecord *r = &run->record;

  run->is_watched = watch != NULL && !is_fan && r->clock != SS_QUANTITY_NUMERICAL_TIME;
  run->every = run->is_watched && run->job->every > 1 ? run->job->every : 1;
  run->keeps_untold = true; /* the first row */
  if (!run->is_watched)
    return SS_OK;
  return watch->begin (watch->owner,
                       &(SsMotionBlock){.motion = r->motion, .stages = r->stages, .contacts = r->contacts}, err);
}

static void
shift_stages (SsTrajectory *stages, int first, int end)
{
  for (int i = 0; i < stages->n_rows; i++) /* they count rows */
    stages->values[(size_t)i * (size_t)stages->n_channels + SS_SIM_STAGE_ROW] -= end - first;
}

/* Rows up to `end` are told. */
static SsStatus
tell (SsSimRun *run, int end, bool is_last, SsError *err)
{
  SsSimRecord *r = &run->record;
  const SsSimWatch *watch = run->job->watch;
  int first_contact = 0;

  if (!run->is_watched || end <= run->untold)
    return SS_OK;
  if (r->contacts != NULL)
    for (first_contact = r->contacts->n; first_contact > 0 && r->contacts->items[first_contact - 1].row >= run->untold;)
      first_contact--;
  SsStatus status = watch->rows (watch->owner,
                                 &(SsMotionBlock){.motion = r->motion,
                                                  .stages = r->stages,
                                                  .contacts = r->contacts,
                                                  .first = run->untold,
                                                  .end = end,
                                                  .first_stage = run->untold_stage,
                                                  .first_contact = first_contact,
                                                  .is_last = is_last},
                                 r->points, err);
  if (status != SS_OK)
    return status;
  if (r->points != NULL) {
    int n = 0;
    for (int i = 0; i < r->points->n; i++)
      if (r->points->items[i].row >= end)
        r->points->items[n++] = r->points->items[i];
    r->points->n = n;
  }
  if (r->stages != NULL) {
    int told = run->untold_stage;
    while (told < r->stages->n_rows && ss_trajectory_row (r->stages, told)[SS_SIM_STAGE_ROW] < end)
      told++;
    run->untold_stage = told;
    if (run->every > 1) {
      ss_trajectory_remove (r->stages, 0, told);
      run->untold_stage = 0;
    }
  }
  return SS_OK;
}

/* Rows first..end - 1, told already, are not kept: later ones move up. */
static void
drop (SsSimRun *run, int first, int end)
{
  SsSimRecord *r = &run->record;

  ss_trajectory_remove (r->motion, first, end);
  if (r->contacts != NULL)
    ss_contact_rows_remove (r->contacts, first, end);
  if (r->stages != NULL)
    shift_stages (r->stages, first, end);
  for (int i = 0; r->points != NULL && i < r->points->n; i++)
    r->points->items[i].row -= end - first;
}

SsStatus
ss_sim_watch_step (SsSimRun *run, int first, SsError *err)
{
  SS_ASSERT (run != NULL);

  const int untold = run->untold;
  SsStatus status = tell (run, first, false, err);

  if (status != SS_OK)
    return status;
  run->untold = first;
  if (run->every > 1 && untold > 0) { /* of the step before its last row stays, or none */
    const int end = run->keeps_untold ? first - 1 : first;
    drop (run, untold, end);
    run->untold -= end - untold;
  }
  run->keeps_untold = run->metrics.steps % run->every == 0;
  return SS_OK;
}

SsStatus
ss_sim_watch_end (SsSimRun *run, SsError *err)
{
  SS_ASSERT (run != NULL);

  const int n_rows = run->record.motion->n_rows, untold = run->untold;
  SsStatus status = tell (run, n_rows, true, err);

  run->untold = n_rows;
  if (status == SS_OK && run->every > 1 && untold > 0 && n_rows - 1 > untold)
    drop (run, untold, n_rows - 1);
  return status;
}
