/* engine/solve/ss-solve.h: one problem, one answer, judged: an optimiser on a model in equations or on the plan of a
 * scene.
 *
 * The outcome is SOLVED only if our own max_violation is below SS_RUN_FEASIBLE and the method says it converged; a
 * method that claims success with a larger violation ends as INFEASIBLE or STALLED. A plan that obeys its rows, but
 * whose motion could not happen, ends as NOT_REPLAYABLE (ss-run-judge.h).
 *
 * ss_solve does all of it; who has something to do between two of its steps calls the steps: begin, answer, judge, end,
 * in this order, end in any case.
 *
 * Threads: one at a time; jobs in several threads need several caches. Tests: tests/unit/test-run.c
 */
#pragma once

#include "judge/ss-metrics.h"
#include "mpcc/ss-mpcc.h"
#include "nlp/ss-best-point.h"
#include "nlp/ss-nlp.h"
#include "solve/ss-elsewhere.h"
#include "solve/ss-run-result.h"
#include "transcribe/ss-transcribe.h"

/* What may be kept between solves of one scenario: the transcription of a scene's plan and the compiled problem (same
 * text and structure, see ss-transcribe.h and ss-problem.h) and the solver with its orderings (same method and options
 * too; for methods that look at numbers when they are made, the same numbers). Owned by the caller, used by one solve
 * at a time, never changes an answer. */
typedef struct SsSolveCache SsSolveCache;
SsSolveCache *ss_solve_cache_new (void);        /* NULL when out of memory */
void ss_solve_cache_free (SsSolveCache *cache); /* NULL is allowed         */

typedef struct {
  const SsScenario *scenario; /* borrowed; a model in equations, or a scene whose task has a plan */
  const SsNlpClass *nlp;
  const void *options; /* the method's options struct; NULL: defaults */
  const double *x0;    /* starting point; NULL: the scenario's guess  */
  /* A motion to start from, by the names of its channels, interpolated in time where the steps differ; NULL: none */
  const SsTrajectory *start;
  /* With `start`: nothing is solved, that motion is the answer, judged as any other; what it lacks (forces of corners,
   * slips) is completed as for a start. Without a cache */
  bool takes_start;
  /* Part of a run that has been looked at as a whole: it is not asked whether the objective is unbounded, which it may
   * be without the contacts that this part leaves out */
  bool is_part;
  SsTranscribeOptions transcription; /* of a scene's plan; zeroed: defaults */
  SsSolveCache *cache;               /* NULL: nothing is kept               */
  /* Of a scene's plan: a feasible point of a method that was ended early, but not cancelled, or gave up counts as an
   * answer, judged as any other: its outcome is SOLVED or NOT_REPLAYABLE */
  bool keeps_feasible;
  /* What the method knew where it was paused: it goes on from there, in place of the start, where the problem has the
   * structure of that one and the method is the same. NULL: none */
  const SsNlpState *state;
  double ways_on;               /* of a plan that fails: counted work for ways on (plan/ss-ways-on.h) [s]; 0: none */
  double bound;                 /* of a model: CPU time for a lower bound (bound/ss-bound-run.h) [s]; 0: none */
  const SsElsewhere *elsewhere; /* of a race: processes for members; NULL: none */
} SsSolveJob;

/* Whether an optimiser of that name can work on the scenario: SS_ERR_INVALID says what is missing. */
SS_NODISCARD SsStatus ss_solve_check (const SsScenario *scenario, const char *name, SsError *err);

/* Checks the job, solves, judges, and says why where it is no success. `result` is initialised here; release with
 * ss_run_result_clear. `control` may be NULL. */
SS_NODISCARD SsStatus ss_solve (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err);

/* The model in equations that an optimiser works on: the scenario's own (*transcribed is NULL then), or the
 * transcription of its plan, owned by the caller. x0, published iterates and metrics are of this model; trajectories of
 * either model have the channels that the scenario's view draws. */
SS_NODISCARD SsStatus ss_solve_model (const SsScenario *scenario, const SsTranscribeOptions *options,
                                      const SsScenario **model, SsScenario **transcribed, SsError *err);
/* The same, kept in the job's cache, which is required, for the ss_solve of the same job that follows: *model is
 * borrowed from the scenario or the cache, until the cache prepares or runs another job. Meanwhile other threads may
 * read it. */
SS_NODISCARD SsStatus ss_solve_prepare (const SsSolveJob *job, const SsScenario **model, SsError *err);
/* The result of a solve that has to be ended from outside: what our metrics say of the last published iterate x of n_x
 * variables; NULL: nothing was published yet. `result` is initialised here. */
SS_NODISCARD SsStatus ss_solve_from_iterate (const SsSolveJob *job, SsOutcome outcome, int iteration, const double *x,
                                             int n_x, SsRunResult *result, SsError *err);

/* The scenario's guess of a model in equations, and over it what the motion has of its variables. SS_ERR_INVALID: that
 * is nothing; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_solve_follow_motion (const SsScenario *scenario, const SsTrajectory *start, double *x,
                                              SsError *err);
/* Whether the modes are those of the motion that the job starts from (modes=start): the method has nothing to solve. */
bool ss_solve_keeps_modes (const SsSolveJob *job);

/* ---- step by step ------------------------------------------------------------------------------------------------ */

/* A solve under way, and what it cost and claimed beside what its answer is worth. */
typedef struct {
  const SsSolveJob *job;
  SsSolveCache *cache;     /* the job's, or one of its own */
  const SsScenario *model; /* what is solved: the scenario, or its plan's transcription */
  SsMetrics metrics;       /* of the answer */
  SsNlpResult answer;
  int n_pairs;
  double started, work; /* clocks: wall, counted work of this thread */
  double setup_seconds;
  bool is_setup_reused;
  SsBestPoint best;
  double *guess, *far; /* of all variables: the starting point, and room for another one */
  double scale;        /* of the objective, for the method alone (nlp/ss-scale.h); 1: none; 0: not chosen yet */
  double *multipliers; /* of all rows: those of the answer without that scale */
  SsNlpState state;    /* owned; where the method was paused and can go on */
} SsSolve;

/* Checks the job; problem and solver, made or kept, and the starting point. *is_over: told to stop before; `result`,
 * which is initialised here, says so. */
SS_NODISCARD SsStatus ss_solve_begin (SsSolve *solve, const SsSolveJob *job, SsRunControl *control, SsRunResult *result,
                                      bool *is_over, SsError *err);
/* The method's answer, its metrics, and what came of it by them. */
SS_NODISCARD SsStatus ss_solve_answer (SsSolve *solve, SsRunControl *control, SsRunResult *result, SsError *err);
/* Its motion, as ss_run_judge_plan, and the reasons of a model's failure. */
SS_NODISCARD SsStatus ss_solve_judge (SsSolve *solve, SsRunControl *control, SsRunResult *result, SsError *err);
/* Fills the metrics of the result, releases what the solve has, and closes it (ss_solve_close); `status` is what became
 * of the steps before. Without success, of them or of its own, the result is cleared. */
SS_NODISCARD SsStatus ss_solve_end (SsSolve *solve, SsStatus status, SsRunControl *control, SsRunResult *result,
                                    SsError *err);
/* What stands at the end of every solve that ended with success, also of one made of parts: violations of a success cut
 * to the first, reasons of what is none, counted work since `work` of this thread where it is not told yet. `started`:
 * wall clock. */
SS_NODISCARD SsStatus ss_solve_close (const SsSolveJob *job, double started, double work, SsRunControl *control,
                                      SsRunResult *result, SsError *err);

/* A problem whose objective falls without bound, from the job's start, is looked for without solving it: only then has
 * `result` an answer, and its outcome is UNBOUNDED. For plans that are solved in parts. */
SS_NODISCARD SsStatus ss_solve_look_at_whole (const SsSolveJob *job, SsRunControl *control, SsRunResult *result,
                                              SsError *err);

/* Metrics, violations and motion of the point x of `model`, as which the scenario is solved, whatever led to it: the
 * answer of `result`, which has none yet. */
SS_NODISCARD SsStatus ss_solve_judge_point (const SsScenario *scenario, const SsScenario *model, const double *x,
                                            SsMetrics *metrics, SsRunResult *result, SsError *err);
/* What the method claims, corrected by what our metrics found: the outcome of `result`, and its message, which ends
 * with the method's account. */
void ss_solve_decide (SsOutcome claimed, const SsMetrics *metrics, const char *account, SsRunResult *result);
