/* engine/plan/ss-replan.h: the task of a scene in a loop: the plan is made again every few steps from the state at
 * hand, and its first controls act (a receding horizon; paper 004, sec. IV-D).
 *
 * Problem   time stepping with the steps of the task's plan, `look-ahead` of them, from the present state. What the
 *           task asks for as a constraint at its end becomes a cost (`weight`), since a goal that was moved may be out
 *           of reach within the horizon: the plan then goes as near as it can. A plan with a free time has the length
 *           that the task starts with. Only starts and targets change, so derivatives and orderings are made once.
 * Start     the better, by the merit function, of two: the last plan, shifted by what has passed, and the motion that
 *           its controls would give from the present state (stewart-trinkle, gap=end: the plan's own law), which breaks
 *           no row. What the solver had at a deadline, where that was no motion, is a third one, so that what takes
 *           longer than a deadline goes on at the next. The first plan has none: it is looked for from standing
 *           still, as plans of drawn scenes are.
 * Stuck     a solver that is warm finds no other contacts than those of its start: a box that was pushed past its goal
 *           stays there. An answer says so (`is_stuck`); then a second object of the same scenario, in a thread of its
 *           own, may look for a plan from the state at hand as for a first one, and its controls are offered
 *           (ss_replan_offer): they are a start like the others. One that helped nothing would find the same again from
 *           the same state: the next looks from elsewhere (ss_replan_look_from).
 * Deadline  of wall time, kept to within one iteration of a subproblem. When it is reached, the best answer so far
 *           acts: the iterate where it is a motion, within a millimetre and such, else the motion of the last plan's
 *           controls; and the answer says that it is late. The first plan has a limit of its own (`first`).
 * Time      forces, costs and constraints that depend on time are refused: a plan's clock starts at 0 each time.
 *
 * Solver    CRISP with preset=warm and higher penalties. Three live on one problem: two that look for a first plan, one
 *           for all others.
 * Memory    what a re-plan needs beyond the solver's own is allocated anew; the solver allocates nothing.
 * Threads   one at a time; whoever simulates meanwhile takes copies of the controls.
 * Tests     tests/numeric/test-replan.c
 */
#pragma once

#include "core/ss-option.h"
#include "core/ss-run-control.h"
#include "scene/ss-scenario.h"

typedef struct SsControls SsControls;

typedef struct {
  int look_ahead;  /* steps of a plan; 0: those of the task                                                      */
  int every;       /* steps from one plan to the next, at most look_ahead                                        */
  double deadline; /* of one re-plan, from the call to the answer [s]; 0: none                                     */
  double first;    /* of the first plan [s]                                                                       */
  double weight;   /* of (x - target)^2 [1/m2, 1/rad2]; of speeds times SS_REPLAN_TIME^2; 0: targets stay constraints */
} SsReplanOptions;
/* Of SsReplanOptions. */
extern const SsOptionTable ss_replan_option_table;

/* A speed at the end counts as the way that it leads within this time [s]. */
#define SS_REPLAN_TIME 0.1
/* A plan that ends this near to its targets has reached them [m], [rad]. */
#define SS_REPLAN_NEAR       5e-3
#define SS_REPLAN_NEAR_ANGLE 0.05

typedef struct SsReplan SsReplan;

/* Of a scene with a task->plan, which must outlive it. options NULL: defaults. SS_ERR_INVALID: no plan, or one that
 * cannot be made again and again, with the reason. */
SS_NODISCARD SsStatus ss_replan_new (const SsScenario *scenario, const SsReplanOptions *options, SsReplan **out,
                                     SsError *err);
void ss_replan_free (SsReplan *replan); /* NULL is allowed */

double ss_replan_step (const SsReplan *replan);   /* length of the plan's steps [s]         */
double ss_replan_period (const SsReplan *replan); /* from one plan to the next [s]          */
/* Steps of a plan. */
int ss_replan_look_ahead (const SsReplan *replan);
double ss_replan_setup_seconds (const SsReplan *replan); /* wall: transcription, derivatives, orderings */

/* Moves a target: `target` and `coordinate` index the plan's (SsPlan.targets, SS_PLAN_COORDINATES); one that is free
 * stays free. From the next plan on. */
void ss_replan_set_target (SsReplan *replan, int target, int coordinate, double value);
double ss_replan_target (const SsReplan *replan, int target, int coordinate);
/* Deadline of the re-plans to come [s]; 0: none. */
void ss_replan_set_deadline (SsReplan *replan, double seconds);
/* Forgets the last plan: the next one is a first one, looked for from standing still. */
void ss_replan_forget (SsReplan *replan);
/* Where a first plan is looked for from: 0, standing still; else a motion of driven bodies round others, drawn by this
 * number as a seed. A first plan that was not found makes it one more. */
void ss_replan_look_from (SsReplan *replan, int look);
/* Begins with a plan that is there already, in the state t, q, v: the motion of its controls (of any number of rows, at
 * their own times, the last one held) is the plan that acts, and the next one is no first one. SS_ERR_INVALID: they
 * have no motion from there, or no plan can begin in that state; then the next plan is a first one. */
SS_NODISCARD SsStatus ss_replan_begin (SsReplan *replan, double t, const double *q, const double *v,
                                       const SsControls *controls, SsError *err);
/* Controls of another plan (copied), of ss_replan_controls of an object with the same scenario and options: the next
 * plan starts from their motion where that is the best start, at their own times or at once. */
void ss_replan_offer (SsReplan *replan, const SsControls *controls);

/* ---- one plan ---------------------------------------------------------------------------------------------------- */

typedef struct {
  /* SOLVED: the method's own tolerances; TIME_LIMIT: the deadline; CANCELLED; others as of an optimiser */
  SsOutcome outcome;
  bool is_first;
  bool is_late;    /* the deadline was reached before the method's own end: a miss  */
  bool is_stuck;   /* the plans end away from the targets and come no nearer                                     */
  bool is_offered; /* it started from an offered plan                                                            */
  bool is_kept;    /* what acts are the controls of the last plan (of the first one: none, all are 0)        */
  double wall_seconds, cpu_seconds; /* of the whole call                                            */
  double start_seconds, qp_seconds; /* CPU: the starting points; the subproblems                        */
  int iterations, inner_iterations; /* outer; interior point                                            */
  double objective, violation;      /* of the motion that acts; NaN, infinite where there is none     */
  double miss, miss_angle;          /* from the targets at its end: positions [m], angles [rad]        */
  char message[256];                /* the method's account, or why there is no plan                  */
} SsReplanAnswer;

/* Plans from time t, poses and speeds q, v [3 n_bodies]. `control` may be NULL; its deadline is not read. Whatever
 * comes of it stands in the answer; an error only of memory. */
SS_NODISCARD SsStatus ss_replan_solve (SsReplan *replan, double t, const double *q, const double *v,
                                       SsRunControl *control, SsReplanAnswer *answer, SsError *err);
/* The controls that act: row k at t + k h. Borrowed until the next plan; NULL before the first. */
const SsControls *ss_replan_controls (const SsReplan *replan);
/* Poses of the motion of the plan that acts, point k of 0..look_ahead: q[3 n_bodies]. False: there is none. */
bool ss_replan_poses (const SsReplan *replan, int k, double *q);
/* Distance of poses from the targets, as in the answer; NaN where no target has a position (an angle). */
void ss_replan_distance (const SsReplan *replan, const double *q, double *miss, double *miss_angle);
