/* engine/solve/ss-run-result.h: the record of a run, for all kinds of method: outcome, message, metrics, motions,
 * events; and the limits by which outcomes are decided.
 *
 * Threads: a record belongs to one thread at a time. Tests: tests/unit/test-run.c, tests/unit/test-record.c
 */
#pragma once

#include "core/ss-members.h"
#include "core/ss-trajectory.h"
#include "core/ss-tries.h"
#include "contact/ss-step-state.h"
#include "impact/ss-impact-set.h"
#include "judge/ss-metric.h"
#include "judge/ss-motion-law.h"
#include "judge/ss-motion.h"
#include "judge/ss-reasons.h"
#include "judge/ss-violations.h"
#include "nlp/ss-nlp.h"
#include "simulate/ss-events.h"
#include "simulate/ss-replay-first.h"
#include "solve/ss-way-on.h"

typedef struct SsImpactResult SsImpactResult;

/* What a motion is of a run. Identifier and name in files. */
#define SS_MOTION_ROLE_LIST(X)                                                                                         \
  /* the run's own: of an optimiser the answer, of a simulation the motion */                                          \
  X (ANSWER, "answer")                                                                                                 \
  /* one of several possible ones, drawn by chance */                                                                  \
  X (SAMPLE, "sample")                                                                                                 \
  /* one of several possible ones, of which each has its share */                                                      \
  X (BRANCH, "branch")                                                                                                 \
  /* a local solution from another start, worse than the answer */                                                     \
  X (SOLUTION, "solution")                                                                                             \
  /* derivatives of the answer by numbers of its scene (SsSensitivity.slopes) */                                       \
  X (SLOPES, "slopes")                                                                                                 \
  /* a row a world: numbers of worlds that a plan was not made for, and its ends there (plan/ss-plan-worlds.h) */      \
  X (WORLDS, "worlds")

typedef enum {
#define X(id, name) SS_MOTION_##id,
  SS_MOTION_ROLE_LIST (X)
#undef X
      SS_MOTION_ROLE_COUNT
} SsMotionRole;

/* "answer"; static text. */
const char *ss_motion_role_name (SsMotionRole role);
/* The role of that name, or SS_MOTION_ROLE_COUNT. */
SsMotionRole ss_motion_role_find (const char *name);

typedef struct {
  SsTrajectory *trajectory; /* owned */
  SsMotionRole role;
  int branch;   /* number of the branch or sample; 0 for an answer */
  double share; /* of all that can happen, in 0..1; 1 for an answer without branches; NaN: not known */
} SsRunMotion;

/* What became of a body in a fan (simulate/ss-fan.h), over the branches that reached the end, as shares of all:
 *   rest     none of its points moves faster than 1e-4 m/s at the end
 *   tipped   it is turned from its start by more than 45 degrees (whole turns count as none)
 *   lowered  its centre is lower than at the start by more than a fifth of its size (twice its largest radius)
 * mean and spread (standard deviation): of its pose there, each branch with its share. */
typedef struct {
  int body; /* of the scene */
  double rest, tipped, lowered;
  double mean[3], spread[3]; /* x, y [m], theta [rad]; NaN: no branch reached the end */
} SsFanBody;

#define SS_FAN_REST    1e-4
#define SS_FAN_TIPPED  0.78539816339744831
#define SS_FAN_LOWERED 0.2

typedef struct {
  int parent;          /* branch that it comes from, -1: none */
  double t_fork;       /* where it leaves it [s] */
  double share;        /* of all */
  SsOutcome outcome;   /* COMPLETED: it reached the end */
  char message[256];   /* why it did not */
  SsEventList *events; /* owned; of branches beside the answer, whose are those of the result */
} SsFanMember;

typedef struct {
  int n_branches;
  SsFanMember *branches; /* owned; the first one is the answer, motions have the same numbers */
  int n_bodies;
  SsFanBody *bodies; /* owned; those that can move */
} SsRunFan;

/* A table of numbers: what an impact law says of every sample. */
typedef struct {
  int n_columns, n_rows;
  char **columns; /* owned; names */
  double *values; /* owned; n_rows x n_columns, row-major */
} SsSamples;

/* Values are zero. The names are copied. On failure *out is NULL. */
SS_NODISCARD SsStatus ss_samples_new (const char *const *columns, int n_columns, int n_rows, SsSamples **out,
                                      SsError *err);
void ss_samples_free (SsSamples *samples); /* NULL is allowed */

/* What holds a replay on its plan (plan/ss-feedback.h), and what it did. */
typedef enum {
  SS_CONTROLLER_NONE,
  SS_CONTROLLER_LQR,
  SS_CONTROLLER_CONTACT,
  SS_CONTROLLER_REPLAN,
  SS_CONTROLLER_PREDICT,
  SS_CONTROLLER_COUNT
} SsControllerKind;

/* What is said of each, wherever one is chosen. */
typedef struct {
  const char *name;    /* "lqr" */
  const char *label;   /* "LQR" */
  const char *replay;  /* of a replay that has it: "Held by LQR" */
  const char *holds;   /* the same before "it holds in ..." */
  const char *summary; /* what it does, as the end of a sentence */
  bool has_gains;      /* of an LQR, whose weights can be chosen */
  bool looks_ahead;    /* and remembers what it saw */
} SsControllerAbout;

/* By kind. The one to take first is SS_CONTROLLER_PREDICT: it reaches the goal in most worlds. */
extern const SsControllerAbout ss_controllers[SS_CONTROLLER_COUNT];
const char *ss_controller_name (SsControllerKind kind);
/* COUNT for another text. */
SsControllerKind ss_controller_find (const char *name);

typedef struct {
  int n_plans, n_kept; /* REPLAN, PREDICT: looks ahead; those that left what acted as it was */
  int n_motions;       /* PREDICT: simulated */
  int n_clipped;       /* those with gains: calls in which a bound cut a control */
  int n_calls;
  double cpu_seconds; /* REPLAN, PREDICT: of all looks */
} SsFeedbackAccount;

/* What came of a run, for all kinds of method; what its kind does not know is not set. */
typedef struct SsRunResult SsRunResult;
struct SsRunResult {
  SsOutcome outcome;
  char message[1200];           /* what was reached by our metrics, then what the method said; the other
                                    way round where it failed */
  char worst[160];              /* path of the row with the largest violation and its time point; or "" */
  SsMetricSet metrics;          /* what was not computed is not set                                    */
  SsNlpCertificate certificate; /* what was verified of the answer; see is_computed there              */
  /* of the answer, where it is a simulated motion, without its steps; is_complete false: not judged to its end */
  SsMotionVerdict verdict;
  SsLawVerdict law;        /* of the same motion, where its law of contact is told */
  SsReasons reasons;       /* OPTIMISER: why it is no success, in words of the scene or the model; empty of a success */
  SsViolations violations; /* OPTIMISER: of the answer, those that its max_violation is the first of; else empty */
  int n_motions;
  SsRunMotion *motions;                   /* owned; what there is so far when ended early         */
  SsTrajectory *stages;                   /* owned; of the answer, see SsSimResult; NULL: none    */
  int n_by_way[SS_STEP_N_WAYS];           /* steps of a simulation by the way they were solved */
  int n_by_certainty[SS_CERTAINTY_COUNT]; /* and by how sure their velocities are; over all branches */
  SsSecondSolution second;                /* of the first step that was several */
  int every;                         /* the answer has rows of every so many steps of its simulation; 0, 1: of all */
  bool lacks_stages;                 /* the answer's forces were told at stages that are not there: no balance */
  SsEventList *events;               /* owned; what happened in the answer; NULL: not known  */
  struct SsSensitivity *sensitivity; /* owned; derivatives of the answer; NULL: none were asked for */
  SsSamples *samples;                /* owned; NULL: none                                    */
  SsRunFan *fan;                     /* owned; of a simulation with branches; NULL: it has none */
  SsImpact *configuration;           /* owned; of an impact law that was given none; else NULL */
  SsImpactResult *impact;            /* owned; of an impact law; NULL: none                    */
  SsNlpState state;                  /* OPTIMISER: owned; PAUSED: what the method needs to go on; zeroed: nothing */
  bool misses_task;                  /* OPTIMISER: the answer is no nearer to its task than the starting point was */
  char start[64]; /* OPTIMISER: what led to the answer (ss-plan-starts.h); "": it has no other starts */
  /* OPTIMISER: owned; local solutions from other starts, judged and replayed as the answer is, each with its own start.
   * Solution i has no motions here: its motion is that of this run with role SOLUTION and branch i + 1. */
  int n_solutions;
  SsRunResult *solutions;
  /* OPTIMISER: number of the solution that is the exact plan beside the answer (plan/ss-exact-finish.h), from 1; 0:
   * there is none, and why where one was asked for. */
  int exact_solution;
  char exact_reason[240];
  int n_members;
  SsMember *members; /* OPTIMISER: owned; of a race; NULL: it was none */
  SsTries tries;     /* OPTIMISER: of a race, or of several starts; owned */
  int n_ways;
  SsWayOn *ways;  /* OPTIMISER: owned; of a failure: changes of its scene that were tried (plan/ss-ways-on.h) */
  bool has_first; /* of a replay whose plan has a motion */
  SsReplayFirst first;
  SsControllerKind controller; /* of a replay */
  SsFeedbackAccount account;   /* of that controller */
};

/* An empty record of a run that failed. */
void ss_run_result_init (SsRunResult *result);
void ss_run_result_clear (SsRunResult *result);
/* The answer's motion, borrowed; NULL: there is none. */
const SsTrajectory *ss_run_motion (const SsRunResult *result);
/* Likewise of its solution of that number, from 1. */
const SsTrajectory *ss_run_solution_motion (const SsRunResult *result, int solution);
/* The answer's, to be changed. */
SsTrajectory *ss_run_own_motion (SsRunResult *result);
/* Its channel that is the second clock of the run (ss_trajectory_second_clock), by which the motion may be told as well
 * (ss_trajectory_by_clock); -1: it has none. */
int ss_run_second_clock (const SsRunResult *result);
/* The motion, the caller's from now on. */
SsTrajectory *ss_run_take_motion (SsRunResult *result);
/* Takes *trajectory, also on failure (SS_ERR_MEMORY), and sets it to NULL. */
SS_NODISCARD SsStatus ss_run_add_motion (SsRunResult *result, SsTrajectory **trajectory, SsMotionRole role, int branch,
                                         double share, SsError *err);
/* Takes `own`, a plan that is not the answer, judged: it is a solution of `result`, and its motion stays with the run.
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_keep_solution (SsRunResult *own, SsRunResult *result, SsError *err);
/* The same of the run's answer, with a share of 1. */
SS_NODISCARD SsStatus ss_run_add_answer (SsRunResult *result, SsTrajectory **trajectory, SsError *err);
void ss_run_fan_free (SsRunFan *fan); /* NULL is allowed */

/* True for outcomes that count as success: solved, completed. */
bool ss_outcome_is_success (SsOutcome outcome);

/* `value` with two significant digits and '.' whatever the locale: "3.1e-10". Returns buffer. */
const char *ss_run_format_short (double value, char buffer[16]);
/* Adds a part to a message of that size, after "; " where there is one already. NULL and "" add nothing. */
void ss_run_append_text (char *message, size_t size, const char *text);
/* Outcome and message of a run that was told to end: "cancelled before the problem was built". */
void ss_run_end_early (SsRunResult *result, SsOutcome outcome, const char *when);

/* ---- limits of the outcome rules --------------------------------------------------------------------------------- */

/* Solved means: our own max_violation is below this. */
#define SS_RUN_FEASIBLE 1e-6
/* Claimed success with a violation above this is `infeasible`, below `stalled`: a solver that stops at its own looser
 * tolerance is not the same as one that found no feasible point. */
#define SS_RUN_NEARLY 1e-3
/* Of the starting point's tracking error: an answer that is no success and has more is told to have missed its task. */
#define SS_RUN_APPROACHED 0.99

/* Overlap of two bodies in a plan's motion, at its points or between them, from which on it is told, and from which on
 * the plan is no motion [m]; the same as a share of the thinner shape's width [-]. */
#define SS_RUN_OVERLAP_TOLD      5e-3
#define SS_RUN_OVERLAP_MAX       20e-3
#define SS_RUN_OVERLAP_SHARE_MAX 0.5
/* Energy that contacts and joints give in a plan, as a part of what is turned over: told, and too much. */
#define SS_RUN_GIVEN_TOLD 0.01
#define SS_RUN_GIVEN_MAX  0.05

/* A step of a plan that misses its law by more is no step of it; less may be left by products of gaps and forces that
 * count as zero below 1e-6 [m or rad]. */
#define SS_RUN_LAW_MISSED 1e-4

/* In a replay path constraints and bounds may be left by this much [their unit]. */
#define SS_RUN_PATH_KEPT 1e-3
