/* engine/core/ss-stage-rows.c: see the header. */
#include "core/ss-stage-rows.h"

#include "core/ss-core.h"

#include <math.h>

static int
stage_of (const SsTrajectory *motion, int channel, int row)
{
  return (int)ss_trajectory_row (motion, row)[channel];
}

bool
ss_stage_rows_has (const SsTrajectory *motion)
{
  return ss_stage_rows_channel (motion) >= 0;
}

int
ss_stage_rows_channel (const SsTrajectory *motion)
{
  SS_ASSERT (motion != NULL);
  return ss_trajectory_quantity (motion, SS_QUANTITY_STAGE);
}

bool
ss_stage_rows_is_one (const SsTrajectory *motion, int stage, int row)
{
  return stage >= 0 && stage_of (motion, stage, row) > 0;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const SsTrajectory *motion;
  int time, step, stage, n_stages; /* channels */
} Marks;

/* Whether a row ends an element: time goes on to it. */
static bool
ends_element (const Marks *m, int row)
{
  return row > 0 && stage_of (m->motion, m->stage, row) == 0 &&
         ss_trajectory_row (m->motion, row)[m->time] > ss_trajectory_row (m->motion, row - 1)[m->time];
}

bool
ss_stage_rows_place (const SsTrajectory *motion, int row, SsStagePlace *place)
{
  SS_ASSERT (motion != NULL && place != NULL && row >= 0 && row < motion->n_rows);

  const Marks m = {motion, ss_trajectory_quantity (motion, SS_QUANTITY_TIME),
                   ss_trajectory_quantity (motion, SS_QUANTITY_STEP_NUMBER), ss_stage_rows_channel (motion),
                   ss_trajectory_quantity (motion, SS_QUANTITY_N_STAGES)};
  *place = (SsStagePlace){0};
  if (m.time < 0 || m.step < 0 || m.stage < 0 || m.n_stages < 0)
    return false;
  place->step = stage_of (motion, m.step, row);
  place->n_stages = stage_of (motion, m.n_stages, row);
  int ended = 0; /* elements of the step before the row */
  for (int k = row - 1; k >= 0 && stage_of (motion, m.step, k) == place->step; k--)
    ended += ends_element (&m, k) ? 1 : 0;
  place->n_elements = ended;
  for (int k = row; k < motion->n_rows && stage_of (motion, m.step, k) == place->step; k++)
    place->n_elements += ends_element (&m, k) ? 1 : 0;
  const bool is_end = ends_element (&m, row);
  place->stage = stage_of (motion, m.stage, row);
  if (place->stage > 0 || is_end)
    place->element = ended + 1;
  if (is_end && stage_of (motion, m.stage, row - 1) < place->n_stages)
    place->stage = place->n_stages;
  return true;
}

int
ss_stage_rows_next_step (const SsTrajectory *motion, int stage, int row)
{
  do
    row++;
  while (row < motion->n_rows && ss_stage_rows_is_one (motion, stage, row));
  return row < motion->n_rows ? row : -1;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Whether a stage lies between the row before it and the one that ends its element, and hides neither: the last row of
 * a time is the motion's own. */
static bool
lies_between (const double *before, const double *at, const double *end)
{
  const double rounding = 1e-9 * (end[0] - before[0]); /* of times that are added up */
  return at[0] > before[0] + rounding && at[0] < end[0];
}

/* What a stage's row takes of the row before it and of the one that ends its element. */
static void
fit_between (const SsTrajectory *motion, const double *before, const double *end, double *row)
{
  for (int c = 1; c < motion->n_channels; c++)
    if (ss_quantity_is_second_clock (motion->channels[c].quantity))
      row[c] = fmax (fmin (row[c], end[c]), before[c]);
    else if (motion->channels[c].quantity == SS_QUANTITY_LAW_RESIDUAL)
      row[c] = end[c];
}

SsStatus
ss_stage_rows_insert (SsTrajectory *motion, const SsTrajectory *rows, const SsTrajectory *stages, SsError *err)
{
  SS_ASSERT (motion != NULL && rows != NULL && stages != NULL && rows->n_rows == stages->n_rows);
  SS_ASSERT (rows->n_channels == motion->n_channels);

  const int before = ss_trajectory_channel (stages, "row");
  SsTrajectory *out;
  SsStatus status = ss_trajectory_new (motion->channels, motion->n_channels, motion->n_rows + rows->n_rows, &out, err);
  SS_ASSERT (before >= 0);
  for (int row = 0, i = 0; status == SS_OK && row < motion->n_rows; row++) {
    const double *end = ss_trajectory_row (motion, row);
    for (; status == SS_OK && i < rows->n_rows && ss_trajectory_row (stages, i)[before] <= row; i++) {
      const double *at = ss_trajectory_row (rows, i);
      if (out->n_rows == 0 || !lies_between (ss_trajectory_row (out, out->n_rows - 1), at, end))
        continue;
      status = ss_trajectory_append (out, at, err);
      if (status == SS_OK)
        fit_between (out, ss_trajectory_row (out, out->n_rows - 2), end,
                     out->values + (size_t)(out->n_rows - 1) * (size_t)out->n_channels);
    }
    if (status == SS_OK)
      status = ss_trajectory_append (out, end, err);
  }
  if (status == SS_OK) {
    const SsTrajectory taken = *out;
    *out = *motion;
    *motion = taken;
  }
  ss_trajectory_free (out);
  return status;
}

SsStatus
ss_stage_rows_leave_out (const SsTrajectory *motion, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (motion != NULL && out != NULL);

  const int stage = ss_stage_rows_channel (motion);
  SsStatus status = ss_trajectory_new (motion->channels, motion->n_channels, motion->n_rows, out, err);
  for (int row = 0; status == SS_OK && row < motion->n_rows; row++)
    if (!ss_stage_rows_is_one (motion, stage, row))
      status = ss_trajectory_append (*out, ss_trajectory_row (motion, row), err);
  if (status != SS_OK) {
    ss_trajectory_free (*out);
    *out = NULL;
  }
  return status;
}
