/* engine/core/ss-trajectory.h: a table of channels over time, row-major, first channel "t".
 *
 * A motion may have a second clock, a channel of its own by which every row has its place, also where the time stands
 * still (ss_trajectory_second_clock). ss_trajectory_by_clock is the same motion told by that clock: its first channel
 * is the clock, and all functions here, and all that plays, draws and exports motions, then go by it.
 *
 * Times do not descend (nobody checks it here). Rows with equal t are a jump: the first of them is the state before it,
 * the last the state after, and at that time the last one holds. */
#pragma once

#include "core/ss-channel.h"
#include "core/ss-status.h"

typedef struct {
  int n_channels;
  SsChannel *channels; /* owned, with their texts; channels[0].name is "t" */
  int n_rows;
  int capacity;   /* rows                                   */
  double *values; /* owned; n_rows x n_channels, row-major  */
  /* Private: many rows lie in a file (core/ss-spool.h), and of these what was let go. */
  struct SsSpool *spool;
  size_t released;
} SsTrajectory;

/* `channels` are copied. On failure *out is NULL. */
SS_NODISCARD SsStatus ss_trajectory_new (const SsChannel *channels, int n_channels, int reserve_rows,
                                         SsTrajectory **out, SsError *err);
/* The same where only names are known (ss_channel_named). */
SS_NODISCARD SsStatus ss_trajectory_new_named (const char *const *names, int n_channels, int reserve_rows,
                                               SsTrajectory **out, SsError *err);
/* Replaces what is said of a channel by quantity, unit, owner and is_state of `about`, whose texts are copied; the name
 * stays. SS_ERR_MEMORY: unchanged. */
SS_NODISCARD SsStatus ss_trajectory_describe (SsTrajectory *trajectory, int channel, const SsChannel *about,
                                              SsError *err);
/* Where there is no room for more rows (SS_ERR_MEMORY) the others stay. */
SS_NODISCARD SsStatus ss_trajectory_append (SsTrajectory *trajectory, const double *row, SsError *err);
/* Who goes over many rows once says which it has passed, so that they are not held in memory; they stay readable.
 * ss-trajectory.c */
void ss_trajectory_pass (const SsTrajectory *trajectory, int end);
/* Takes out the rows first..end - 1; later rows move up. ss-trajectory.c */
void ss_trajectory_remove (SsTrajectory *trajectory, int first, int end);
SS_NODISCARD SsStatus ss_trajectory_copy (const SsTrajectory *from, SsTrajectory **out, SsError *err);
/* The rows from the time `after` on (-INFINITY: all), `copies` times, one copy behind the other: the clock begins at 0,
 * and clocks and places go on from where the copy before ended, that is t, `time` and `tau`, and of each owner `x`,
 * `y`, `theta` and `position`, stages (`owner.stage_2.x`) with their owner. Nothing else changes: velocities may jump
 * where copies meet. SS_ERR_INVALID: fewer than two rows. On failure *out is NULL. ss-trajectory-repeat.c */
SS_NODISCARD SsStatus ss_trajectory_repeat (const SsTrajectory *from, double after, int copies, SsTrajectory **out,
                                            SsError *err);
void ss_trajectory_free (SsTrajectory *trajectory); /* NULL is allowed */

int ss_trajectory_channel (const SsTrajectory *trajectory, const char *name);     /* -1 if absent */
int ss_trajectory_quantity (const SsTrajectory *trajectory, SsQuantity quantity); /* first channel of it, -1: none */
const double *ss_trajectory_row (const SsTrajectory *trajectory, int row);        /* borrowed     */
/* The channel of its second clock; -1: it has none. Of a motion told by that clock it is channel 0. */
int ss_trajectory_second_clock (const SsTrajectory *trajectory);
/* A copy that is told by the clock in `channel`: this channel and the first one change places, names and all. Rows of
 * one time that the clock tells apart are no jump there, but what happens between them. SS_ERR_INVALID where the clock
 * runs backwards or is not finite, with the row. On failure *out is NULL. */
SS_NODISCARD SsStatus ss_trajectory_by_clock (const SsTrajectory *from, int channel, SsTrajectory **out, SsError *err);
/* The value of channel `to` where channel `from`, which must not descend, has `value`: linear between rows, the later
 * row where several have it, the first or last row beyond the ends. */
double ss_trajectory_convert (const SsTrajectory *trajectory, int from, int to, double value);
/* The last row whose value in a channel, which must not descend, is up to this one; 0 where there is none. */
int ss_trajectory_row_up_to (const SsTrajectory *trajectory, int channel, double value);
/* The last and the first row with the time of this one. */
int ss_trajectory_last_at (const SsTrajectory *trajectory, int row);
int ss_trajectory_first_at (const SsTrajectory *trajectory, int row);
/* As ss_trajectory_sample, but of a jump at that time, or so near that only rounding is between, the first row: the
 * state before it, which who asks for an impact means. */
void ss_trajectory_sample_before (const SsTrajectory *trajectory, double t, double *row);
/* Row values at time t into row[n_channels]: those of the last row with that time where there is one, else by linear
 * interpolation between the rows around it; the first row before the first time (and where t is NaN), the last row
 * after the last. At least one row. */
void ss_trajectory_sample (const SsTrajectory *trajectory, double t, double *row);
/* As ss_trajectory_sample, for who looks at a motion: positions and angles of bodies between two rows are those of the
 * cubic polynomial that has the positions and the velocities of both (Hermite), so that the flight of a long step is
 * curved. Not where a velocity jumps within the step, which would bend the path through the ground: where the later
 * row has an impulse of a contact, or where the way is not what the velocities say: its mean is further from the mean
 * of the two velocities than a quarter of their sizes. (A smooth motion is off by its change of acceleration only, a
 * step of backward Euler that turns a velocity round by half their sizes.) There, and for all other channels, it is
 * linear. A step of the trapezoidal rule into the limit of a joint, whose impulse no channel has, is drawn as a
 * parabola. Told by a second clock, the path between two rows is that of the time between them. */
void ss_trajectory_sample_motion (const SsTrajectory *trajectory, double t, double *row);
