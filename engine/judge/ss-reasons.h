/* engine/judge/ss-reasons.h: why a plan is none, in words of who drew the scene: bodies, joints, contacts and controls
 * by their names, lengths, speeds and forces with their units, and the time of the worst.
 *
 * An optimiser that fails leaves a motion that breaks some law where that costs it least. What is broken is found from
 * the scene, the task and the motion alone, by measures of the judge (judge/ss-motion.h) and, of what that does not
 * measure, by these:
 *   start     distance of the first row from where the scene has its bodies, and of its velocities
 *   jump      what a body moves in a step beyond what its velocities say: |q1 - q0 - d|, d = h v1 (time stepping) or,
 *             of a motion with stages, the sum of weights times velocities; the less of that and of the distance from
 *             all between h v0 and h v1 counts
 *   joint     distance of the anchors, angle, or length beyond that of a rod, of the rows of each joint
 *   slip      impulse that Coulomb's law asks for and that is not there: mu pn + pt sign (s) with the sliding speed s;
 *             of motions without stages
 *   target, bound, constraint, control, horizon   what the task asks for, at the points of the motion
 * Each kind has a size that is worth a word (1 mm, 1 cm/s, 1 % of a range); reasons are ordered by what they miss in
 * that unit. A force at a distance, a friction that is missing or too much count with the change of velocity that they
 * give to both bodies, a force at a distance not more than its distance.
 *
 * Threads: any. Tests: tests/numeric/test-reasons.c
 */
#pragma once

#include "judge/ss-motion.h"
#include "scene/ss-scenario.h"

/* Identifier, name in files. */
#define SS_REASON_LIST(X)                                                                                              \
  X (START, "start")                 /* only possible with another start                 */                            \
  X (JUMP, "jump")                   /* a body moves further than its velocity says      */                            \
  X (JOINT, "joint")                 /* a joint is open                                  */                            \
  X (JOINT_LIMIT, "joint-limit")     /* a joint is beyond its range                    */                              \
  X (OVERLAP, "overlap")             /* bodies overlap                                   */                            \
  X (PASSAGE, "passage")             /* bodies pass through each other                   */                            \
  X (DISTANT_FORCE, "distant-force") /* a contact pushes without touching          */                                  \
  X (FRICTION, "friction")           /* more friction than the normal force allows       */                            \
  X (PULL, "pull")                   /* a contact pulls                                  */                            \
  X (SLIP, "slip")                   /* sliding with too little friction                 */                            \
  X (NO_FORCE, "no-force")           /* a velocity changes and nothing pushes            */                            \
  X (ENERGY, "energy")               /* a contact gives energy                           */                            \
  X (TARGET, "target")               /* the end is not where it shall be                 */                            \
  X (BOUND, "bound")                 /* a coordinate leaves its bounds                   */                            \
  X (CONSTRAINT, "constraint")       /* a formula of the task is broken                  */                            \
  X (CONTROL, "control")             /* a control beyond its limits                      */                            \
  X (HORIZON, "horizon")             /* a free time beyond its limits                    */                            \
  X (LIMIT_REACHED, "limit-reached") /* a control at its limit most of the time    */                                  \
  X (ROW, "row")                     /* a row of a model, or one nobody has words for    */                            \
  X (BUDGET, "budget")               /* time or iterations ran out                       */

typedef enum {
#define X(id, name) SS_REASON_##id,
  SS_REASON_LIST (X)
#undef X
      SS_REASON_COUNT
} SsReasonKind;

/* "start"; static text. */
const char *ss_reason_name (SsReasonKind kind);

enum { SS_REASONS_MAX = 5, SS_REASON_TEXT = 240 };

typedef struct {
  SsReasonKind kind;
  double value;    /* >= 0, in `unit` */
  char unit[8];    /* "m", "rad", "m/s", "rad/s", "N", "N m", "J", "s", "" for shares, counts and rows */
  double t, until; /* [s]; of the worst, and where it ends if it has a length; NaN: of no time */
  double size;     /* value in units of what is worth a word; orders reasons */
  int key;         /* tells reasons of one kind apart */
  char text[SS_REASON_TEXT];
} SsReason;

/* Worst first; hints (limit-reached, budget) last. */
typedef struct {
  int n;
  SsReason items[SS_REASONS_MAX];
} SsReasons;

/* Of a motion of the plan of a scene; `stages` as of ss_motion_judge_stages, NULL: none; `verdict` the judge's on that
 * motion, complete or not. Nothing is found of a motion that is possible, and what is below a hundredth of what is
 * worth a word is not told. SS_ERR_MEMORY, SS_ERR_INVALID as of ss_motion_judge; `out` is empty then. */
SS_NODISCARD SsStatus ss_reasons_of_motion (const SsScenario *scenario, const SsTrajectory *motion,
                                            const SsTrajectory *stages, const SsMotionVerdict *verdict, SsReasons *out,
                                            SsError *err);
/* Of a point x of a model (n_points x n_variables): the worst row of each block and kind, largest first, by block, row
 * and point, with its formula. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_reasons_of_model (const SsScenario *scenario, const double *x, SsReasons *out, SsError *err);
/* Adds one that is known otherwise, at the end; the last item makes room for it. */
void ss_reasons_add (SsReasons *reasons, const SsReason *reason);
