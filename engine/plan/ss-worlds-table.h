/* engine/plan/ss-worlds-table.h: what the table of a plan in other worlds (SsPlanWorlds.table of plan/ss-plan-worlds.h)
 * says of its numbers: which columns they are, which replays there are, and which explain where the plan misses.
 *
 * Threads  any. Tests: tests/numeric/test-plan-worlds.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "solve/ss-run-result.h"

/* Replays of one kind. */
typedef struct {
  SsControllerKind by; /* SS_CONTROLLER_NONE: the controls as they are */
  int held;            /* columns */
  int miss;            /* [m]; NaN: the replay failed */
  int angle;           /* [rad] */
  int n, n_held;
} SsWorldsKind;

/* As many as there are, into kinds[SS_CONTROLLER_COUNT], in the order of the table's columns. */
int ss_worlds_table_kinds (const SsTrajectory *table, SsWorldsKind *kinds);
/* Numbers of the worlds are columns 1 to this many. */
int ss_worlds_table_n_numbers (const SsTrajectory *table);
/* How much a number (a column) explains of where replays miss, all kinds together: the worlds in its order fall into
 * SS_WORLDS_GROUPS groups of equal size; the part of the misses' variance that lies between the groups, 0 to 1 (the
 * correlation ratio, which finds misses at both ends of a range too). 0 where no replay misses or none holds.
 * SS_ERR_MEMORY. */
enum { SS_WORLDS_GROUPS = 4 };
SS_NODISCARD SsStatus ss_worlds_table_explains (const SsTrajectory *table, int number, double *part, SsError *err);
/* The two numbers that explain most, the first one most; of equal ones those that stand first; -1: there are not so
 * many. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_worlds_table_axes (const SsTrajectory *table, int axes[2], SsError *err);
