/* engine/run/ss-run.h: one job: scenario + method + options -> the record of a run. */
#pragma once

#include "impact/ss-impact-law.h"
#include "judge/ss-metric.h"
#include "judge/ss-metrics.h"
#include "judge/ss-motion.h"
#include "judge/ss-reasons.h"
#include "judge/ss-violations.h"
#include "run/ss-elsewhere.h"
#include "core/ss-members.h"
#include "run/ss-method.h"
#include "run/ss-transcriptions.h"
#include "simulate/ss-events.h"
#include "run/ss-feedback.h"
#include "simulate/ss-replay-first.h"

#define SS_VERSION "0.2.0"

/* What may be kept between runs of one scenario: the transcription of a scene's plan and the compiled problem (same
 * text and structure, see ss-transcribe.h and ss-problem.h) and the solver with its orderings (same method and options
 * too; for methods that look at numbers when they are made, the same numbers). Owned by the caller, used by one run at
 * a time, never changes an answer. */
typedef struct SsRunCache SsRunCache;
SsRunCache *ss_run_cache_new (void);        /* NULL when out of memory */
void ss_run_cache_free (SsRunCache *cache); /* NULL is allowed         */

/* What a replay starts with beside its plan: a coordinate (0..5: x, y, theta, vx, vy, omega) of a body, moved. */
typedef struct {
  int body, coordinate;
  double by;
} SsDisturbance;

typedef struct {
  const SsScenario *scenario; /* borrowed; NULL is allowed for an IMPACT_LAW with `impact`             */
  const SsMethod *method;
  const void *options; /* the method's options struct                                           */
  double dt, t_end;    /* INTEGRATOR; NaN = the scenario's                                      */
  const double *x0;    /* OPTIMISER: starting point; NULL = the scenario's guess                */
  /* OPTIMISER: a motion to start from, by the names of its channels, interpolated in time where the steps differ; NULL:
   * none */
  const SsTrajectory *start;
  /* OPTIMISER: with `start`: nothing is solved, that motion is the answer, judged as any other; what it lacks (forces
   * of corners, slips) is completed as for a start. Without a cache */
  bool takes_start;
  /* OPTIMISER: part of a run that has been looked at as a whole: it is not asked whether the objective is unbounded,
   * which it may be without the contacts that this part leaves out */
  bool is_part;
  /* INTEGRATOR: its controls and initial state are replayed, by default at its own steps and to its end; NULL: none */
  const SsTrajectory *plan;
  /* INTEGRATOR, with `plan`: what holds the motion on it; NULL, or kind NONE: the plan's controls act as they are. The
   * scenario is then the world, and `believed` what the plan was made for; NULL: the same */
  const SsFeedbackOptions *feedback;
  const SsScenario *believed;
  double friction;    /* INTEGRATOR, with `plan`: of all contacts of the world, times what they have; 0: as it is */
  int n_disturbances; /* INTEGRATOR, with `plan` */
  const SsDisturbance *disturbances;
  SsTranscribeOptions transcription; /* OPTIMISER of a scene's plan; zeroed: defaults               */
  SsRunCache *cache;                 /* OPTIMISER; NULL: nothing is kept                                      */
  /* OPTIMISER of a scene's plan: a feasible point of a method that was ended early, but not cancelled, or gave up
   * counts as an answer, judged as any other: its outcome is SOLVED or NOT_REPLAYABLE */
  bool keeps_feasible;
  const SsElsewhere *elsewhere; /* OPTIMISER: of a race: processes for members; NULL: none               */
  const SsImpact *impact;       /* IMPACT_LAW: borrowed; NULL: that of the scene at q, v         */
  const double *q, *v;          /* IMPACT_LAW: 3 n_bodies each; NULL: the scene's initial state          */
  double touching;              /* IMPACT_LAW: of a scene [m]; 0: SS_RUN_TOUCHING                         */
} SsJob;

/* ---- the record -------------------------------------------------------------------------------------------------- */

/* What a motion is of a run. Identifier and name in files. */
#define SS_MOTION_ROLE_LIST(X)                                                                                         \
  /* the run's own: of an optimiser the answer, of a simulation the motion */                                          \
  X (ANSWER, "answer")                                                                                                 \
  /* one of several possible ones, drawn by chance */                                                                  \
  X (SAMPLE, "sample")                                                                                                 \
  /* one of several possible ones, of which each has its share */                                                      \
  X (BRANCH, "branch")                                                                                                 \
  /* a local solution from another start, worse than the answer */                                                     \
  X (SOLUTION, "solution")

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

/* What came of a run, for all kinds of method; what its kind does not know is not set. */
typedef struct SsRunResult SsRunResult;
struct SsRunResult {
  SsOutcome outcome;
  char message[1200];           /* ours: what was reached by our metrics, then what the method said    */
  char worst[160];              /* path of the row with the largest violation and its time point; or "" */
  SsMetricSet metrics;          /* what was not computed is not set                                    */
  SsNlpCertificate certificate; /* what was verified of the answer; see is_computed there              */
  /* of the answer, where it is a simulated motion, without its steps; is_complete false: not judged to its end */
  SsMotionVerdict verdict;
  SsReasons reasons;       /* OPTIMISER: why it is no success, in words of the scene or the model; empty of a success */
  SsViolations violations; /* OPTIMISER: of the answer, those that its max_violation is the first of; else empty */
  int n_motions;
  SsRunMotion *motions;         /* owned; what there is so far when ended early         */
  SsTrajectory *stages;         /* owned; of the answer, see SsSimResult; NULL: none    */
  int n_by_way[SS_STEP_N_WAYS]; /* steps of a simulation by the way they were solved */
  bool lacks_stages;            /* the answer's forces were told at stages that are not there: no balance */
  SsEventList *events;          /* owned; what happened in the answer; NULL: not known  */
  SsSamples *samples;           /* owned; NULL: none                                    */
  SsRunFan *fan;                /* owned; of a simulation with branches; NULL: it has none */
  SsImpact *configuration;      /* owned; of an impact law that was given none; else NULL */
  SsImpactResult *impact;       /* owned; of an impact law; NULL: none                    */
  bool misses_task;             /* OPTIMISER: the answer is no nearer to its task than the starting point was */
  char start[64];               /* OPTIMISER: what led to the answer (ss-run-starts.h); "": it has no other starts */
  /* OPTIMISER: owned; local solutions from other starts, judged and replayed as the answer is, each with its own start.
   * Solution i has no motions here: its motion is that of this run with role SOLUTION and branch i + 1. */
  int n_solutions;
  SsRunResult *solutions;
  int n_members;
  SsMember *members; /* OPTIMISER: owned; of a race; NULL: it was none */
  bool has_first;    /* of a replay whose plan has a motion */
  SsReplayFirst first;
  SsControllerKind controller; /* of a replay */
  SsFeedbackAccount account;   /* of that controller */
};

/* An empty record of a run that failed. */
void ss_run_result_init (SsRunResult *result);
void ss_run_result_clear (SsRunResult *result);
/* The answer's motion, borrowed; NULL: there is none. */
const SsTrajectory *ss_run_motion (const SsRunResult *result);
/* Its channel that is the second clock of the run (ss_trajectory_second_clock), by which the motion may be told as well
 * (ss_trajectory_by_clock); -1: it has none. */
int ss_run_second_clock (const SsRunResult *result);
/* The motion, the caller's from now on. */
SsTrajectory *ss_run_take_motion (SsRunResult *result);
/* Takes *trajectory, also on failure (SS_ERR_MEMORY), and sets it to NULL. */
SS_NODISCARD SsStatus ss_run_add_motion (SsRunResult *result, SsTrajectory **trajectory, SsMotionRole role, int branch,
                                         double share, SsError *err);

/* The fan of a simulation: takes its branches, also on failure (SS_ERR_MEMORY), as motions of role BRANCH beside the
 * answer, which the result has already. */
SS_NODISCARD SsStatus ss_run_take_fan (const SsScene *scene, SsSimResult *simulated, SsRunResult *result, SsError *err);
void ss_run_fan_free (SsRunFan *fan); /* NULL is allowed */

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

/* Largest gap of a contact that touches where a job does not say [m]. */
#define SS_RUN_TOUCHING 1e-6

/* Whether the method can run that scenario at all: built, and the scenario is of its kind. ss_run asks this first. */
SS_NODISCARD SsStatus ss_run_check (const SsScenario *scenario, const SsMethod *method, SsError *err);

/* The model in equations that an optimiser works on: the scenario's own (*transcribed is NULL then), or the
 * transcription of its plan, owned by the caller. x0, published iterates and metrics are of this model; trajectories of
 * either model have the channels that the scenario's view draws. */
SS_NODISCARD SsStatus ss_run_model (const SsScenario *scenario, const SsTranscribeOptions *options,
                                    const SsScenario **model, SsScenario **transcribed, SsError *err);

/* The same, kept in the job's cache, which is required, for the ss_run of the same job that follows: *model is borrowed
 * from the scenario or the cache, until the cache prepares or runs another job. Meanwhile other threads may read it. */
SS_NODISCARD SsStatus ss_run_prepare (const SsJob *job, const SsScenario **model, SsError *err);

/* A run of an impact law: the part of ss_run for its kind. The samples are a row an outcome (speeds of the contacts,
 * energy, share) or a row a sample (speeds, energy, LCPs, state: see SsImpactState); of a scene the outcomes are
 * motions of two rows at one time, before and after. */
SS_NODISCARD SsStatus ss_run_impact (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err);

/* Runs a job. `result` is initialised here; release with ss_run_result_clear. An optimiser's outcome is SOLVED only if
 * our own max_violation is below 1e-6 and the method says it converged; a method that claims success with a larger
 * violation ends as INFEASIBLE or STALLED. A plan of a scene that obeys its rows, but whose motion could not happen,
 * ends as NOT_REPLAYABLE: bodies pass through each other between its points, contacts or joints give energy, or a step
 * does not obey the law of the integrator that the plan transcribes. So does a replay of such a step by that law. */
SS_NODISCARD SsStatus ss_run (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err);
/* The result of a run that has to be ended from outside: what our metrics say of the last published iterate (optimiser:
 * x of n_x variables; integrator: NULL, and *frames is taken as the trajectory). `result` is initialised here. x ==
 * NULL for an optimiser: nothing was published yet. */
SS_NODISCARD SsStatus ss_run_result_from_iterate (const SsJob *job, SsOutcome outcome, int iteration, const double *x,
                                                  int n_x, SsTrajectory **frames, SsRunResult *result, SsError *err);
/* The record of a simulation that was made elsewhere, with the metrics that ss_run would give its motion. Of
 * `simulated` the trajectory, stages and events are taken, also on failure, and set to NULL; metrics.steps is read.
 * `result` is initialised here. */
SS_NODISCARD SsStatus ss_run_result_from_motion (const SsScene *scene, SsOutcome outcome, SsSimResult *simulated,
                                                 SsRunResult *result, SsError *err);
/* Judges the answer's motion, one of that scene: result->verdict, and the metrics that are the judge's; NaN where they
 * are told of every simulation and are not known. Where the outcome is that the run was told to end, for a short time
 * only: energies and penetration are those that the rows tell of themselves, where that did not suffice, and without
 * channels of contacts the penetration is that of the rows that were judged. Part of ss_run and of the two above.
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_judge_motion (const SsScene *scene, SsRunControl *control, SsRunResult *result,
                                           SsError *err);
/* Largest value of the channels of a quantity over all rows; NaN: there are none. */
double ss_run_largest (const SsTrajectory *motion, SsQuantity quantity);
/* Time of the last row of a motion before a body of the scene leaves its first pose or speed by over 1e-6; that of the
 * first row where none does. One that was played by hand has waited before it began. */
double ss_run_begins_to_move (const SsScene *scene, const SsTrajectory *motion);
/* Warns of the first passage that the judge found (ss-motion.h); `control` may be NULL. */
void ss_run_warn_of_passage (const SsScene *scene, const SsMotionVerdict *verdict, SsRunControl *control);
/* A simulation that is nonsense has not completed: its outcome becomes FAILED, with time, body and what to try before
 * the message, when
 *   - more steps than the option law-misses allows missed their law by over 1e-4 m/s, by the integrator's own word (the
 *     residual of its step; the judge's balance counts only in the energy, since rules with steps of their own within
 *     the step leave a rest there),
 *   - a joint is open by more than 1 % of the smaller body that it joins (the judge's joint_opening), unless law-misses
 *     allows all, or
 *   - more energy than the option energy-gain allows came from nothing (the judge's `gained`, a part of the largest
 *     energy in play).
 * Warns of passages, of energy that was lost beyond the usual limit, and of a gain that the option allows. Part of
 * ss_run; the motion is kept. */
void ss_run_refuse_nonsense (const SsJob *job, const SsSimMetrics *own, SsRunControl *control, SsRunResult *result);
/* True for outcomes that count as success: solved, completed. */
bool ss_outcome_is_success (SsOutcome outcome);
