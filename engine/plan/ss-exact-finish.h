/* engine/plan/ss-exact-finish.h: a plan in time steps made exact, until the replay of its controls ends where the plan
 * does; of several answers to one task the first that can be. Private to the room `plan`.
 *
 * Ways       in this order, until one leads to an exact plan:
 *   shooting   controls near the steps' lead the motion by the integrator fesd-j to the targets (ss_shoot_exactly). The
 *              motion finds its contacts and impacts itself, so no modes are read from the steps, corners may be
 *              passed, and the plan is its own replay. It ends at other costs than the steps, by how far it is off.
 *              Answers whose exact motion strays from them are left at once, for the next; when all were tried they
 *              are shot at again from controls that are drawn near theirs, in rounds.
 *   sequences  that of the steps (ss_fesd_sequence_from_steps), and that of the motion that their controls give in the
 *              integrator fesd-j: modes of a plan by fesd-j, whose controls, contacts and times of impact are then
 *              found by the smooth problem that is left (ss-polish.h). Of the first answer alone.
 * Intervals  those of the task, also where the steps were halved: an exact motion needs no short ones.
 * Elements   of sequences: one to a segment at first, three stages; those that the replay asks for are divided.
 * Threads    one at a time; one Ipopt in a process. Tests: tests/numeric/test-exact-finish.c
 */
#pragma once

#include "plan/ss-polish.h"
#include "solve/ss-solve.h"

/* Replay and plan end within this distance [m] of each other where the plan is exact. */
#define SS_EXACT_NEAR 1e-9
/* CPU time that making an answer exact may take beside that of the race [s]. */
#define SS_EXACT_SECONDS 2.0

typedef struct {
  bool is_found;
  SsRunResult result;  /* owned; the exact plan, judged as any other: its motion is its answer; else empty */
  double end_distance; /* of the replay of its controls [m]; NaN: none           */
  double cpu;          /* [s]                                                    */
  int from;            /* number of the motion it was made of                    */
  char reason[240];    /* why there is none, in words of the drawing; ""         */
} SsExactFinish;

/* `job`: scene and task; answers[n]: motions of plans in time steps of them, that of the run's answer first. `seconds`:
 * of CPU time at most. Plans that cannot be made exact are no errors. `out` is initialised here; release with
 * ss_exact_finish_clear, also after an error. */
SS_NODISCARD SsStatus ss_exact_finish (const SsSolveJob *job, const SsTrajectory *const *answers, int n, double seconds,
                                       SsRunControl *control, SsExactFinish *out, SsError *err);
void ss_exact_finish_clear (SsExactFinish *finish);
