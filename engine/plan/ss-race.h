/* engine/plan/ss-race.h: the method `auto` on the plan of a scene: several ways of planning at once, short and many,
 * since of what one of them solves at all nearly everything takes it a few seconds, and they fail on different tasks.
 * Private to the room `plan`.
 *
 * Members, in the order in which they start:
 *   given    warm from the motion that the job starts from, as soon as it moves; contacts lazily from what it touches
 *   sampled  the best of many simulated motions (plan/ss-sampled-motion.h), of up to three searches while the best is
 *            far from the targets; warm, contacts lazily from what it touches:
 *            first any plan near that motion, which often holds in shorter steps where the cheapest one, with its
 *            forces at the edge of their cones, does not (an answer of its own, `steady`); from there the cheapest
 *   stages   likewise from the best of many sequences of stages of contact (plan/ss-stages.h)
 *   priced   CRISP with products priced instead of relaxed, contacts lazily (plan/ss-plan-lazy.h)
 *   drawn    CRISP's preset of drawn scenes with levels cut short, contacts lazily
 *   again    as sampled, from other motions
 *   joint    as priced, in joint coordinates; of scenes with joints
 *   dearer   as priced at ten times the price from lower penalties
 *   whole    drawn with all contacts
 *   ipopt    near the motion that Ipopt finds, with its contacts lazily, in a process of its own
 * (solve/ss-elsewhere.h):
 *            it is not safe in threads, may hang in a factorisation, and may end its process, which is a member's
 *            failure then and no more; its motion is a start here, so that its answer is judged as all others are
 *   elements likewise near the motion of finite elements (fesd-j) from several starts (its option `starts`)
 * and after the race
 *   shot     from the cheapest honest answer to cheaper simulated motions (plan/ss-shoot-cheaper.h)
 *   fine     beside it, where that answer does not hold: sampled motions that do, cheaper while they do
 *            (plan/ss-hold-plan.h)
 *   improved, lowered  from the cheapest honest answer then, with all contacts, by CRISP's preset of drawn scenes or
 *            by its default one, then the second-order finish: what stays near a simulated motion or is found with
 *            priced products may cost several times what is possible there
 *   searched where no member has an honest answer and time is left: as sampled, from motions with new seeds, three at a
 *            time and up to ten times as many samples, the best of each pattern of contacts
 *            (plan/ss-contact-pattern.h), with more and more work each, on every thread until the race's end or the
 *            first honest answer
 *   refined  an honest answer whose replay at a tenth of its step ends elsewhere, in halved steps (plan/ss-refine.h),
 *            cheaper while it holds; beside improved, the answer so far where that holds and a cheaper one does not
 * A limit of CPU time (also `budget`) is for all of them: once there is an honest answer, members take at most half of
 * it, and what is left in the end goes into rounds: new motions (searched) and members whose turn had not come, then
 * shot, improved and lowered from the cheapest answer that nobody has started from. Two rounds in turn without a
 * cheaper answer are the last.
 * Each has a limit of counted work (core/ss-work.h; about seconds of CPU time, not iterations), and ends earlier where
 * nothing comes of it: for half of its work so far its violation has not been halved, nor the objective of what obeys
 * its rows fallen by a hundredth. A member that fails never fails the run. One that is stopped, or gives up, hands over
 * the best point that it was at: where that obeys its rows it is judged and replayed as any other answer. Honest is
 * what ss_run calls solved (judged as every plan is: overlap at points and between them, given energy, each step by the
 * law); which honest answer wins says plan/ss-plan-rank.h: those that hold in such a replay, of these the cheapest. The
 * first one of a member that ended by itself sets the work that others have to improve on it (`improve`). Where the
 * cheapest does not hold, it and a steady one (else the nearest) are refined (`refine`), on a thread each; where they
 * end without holding, the cheapest of the race is the answer, or the refined one where that ends much nearer, and the
 * message says what does not converge. All answers that obey their rows stay as motions of the run (role SOLUTION),
 * also those that could not happen; without an honest one, the answer is that of the member that came nearest, and the
 * message says what was wrong with it. Where each member is, the listener is told at every change, and five times a
 * second while they work (core/ss-members.h); the result has it at the end.
 *
 * The race schedules its members by counted work, never by a clock, so with one thread it gives the same bits again at
 * any load, unless a limit ends it. Limits are clocks: that of time (wall), and that of CPU time, all threads and
 * processes together, of which `budget` is another name. What ended a race before its members had ended is told in the
 * message.
 *
 * Threads  `threads` of its own beside the caller's, which alone talks to the listener. Tests:
 *          tests/numeric/test-race.c, tests/numeric/test-refine.c
 */
#pragma once

#include "nlp/ss-auto.h"
#include "plan/ss-refine.h"
#include "plan/ss-plan-lazy.h"

/* Whether the job is one for the race. */
bool ss_plan_races (const SsSolveJob *job);
SS_NODISCARD SsStatus ss_plan_race (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err);

/* ---- members (ss-race-member.c) ---------------------------------------------------------------------------------- */

typedef struct {
  const char *name, *label, *summary; /* static */
  double limit;                       /* of its counted work [s] */
} SsRaceMemberSpec;

/* Static. */
const SsRaceMemberSpec *ss_race_member_spec (SsRaceMember member);
/* Whether the member means something for the job's scene. */
bool ss_race_member_fits (const SsSolveJob *job, SsRaceMember member);
/* What a member has beside its answer. */
typedef struct {
  SsRefined refined;  /* of REFINED */
  SsRunResult steady; /* of SAMPLED and AGAIN: the first plan, where the answer is another; owned */
  SsTries tries;      /* what came of its attempts; owned */
  double cpu, work;   /* of IPOPT and ELEMENTS: that their processes used [s], and counted (core/ss-work.h) */
} SsRaceBeside;

/* Runs the member: any thread. `result` is initialised here; `way` (not NULL) is told of a first honest answer before
 * the member ends. */
SS_NODISCARD SsStatus ss_race_member_run (const SsSolveJob *job, SsRaceMember member, const SsAutoOptions *race,
                                          const SsLazyWay *way, SsRaceBeside *beside, SsRunControl *control,
                                          SsRunResult *result, SsError *err);
