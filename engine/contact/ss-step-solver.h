/* engine/contact/ss-step-solver.h: solvers of a step's problem side by side, each to the same residual, that of
 * judge/ss-step-problem.h. A solver is a line of the table in ss-step-solver.c and a function in a file.
 *
 * What simulates is here itself: `step` is the whole of ss_contact_problem_solve, `newton`, `interior-point` and
 * `path` the ways of contact/ss-contact-ways.c, one at a time. `gauss-seidel` and `admm` take what a problem is
 * reduced to, u = W r + b with the bilateral rows among its own (ss-step-rows.h). Starts are cold. Threads: one at a
 * time a run. Tests: tests/numeric/test-step-problem.c */
#pragma once

#include "core/ss-run-control.h"
#include "judge/ss-step-problem.h"

/* When a solver ends. */
typedef struct {
  double absolute, relative; /* solved: residual <= max (absolute, relative times the problem's scale)  */
  int iterations;            /* at most; 0: no limit beside the solver's own                            */
  double cpu_seconds;        /* of the solver alone, without judging; INFINITY: no limit. Ways of the step end at the
                              * next iterate that they tell                                             */
} SsStepLimits;

typedef struct {
  int iteration;
  double cpu_seconds, residual; /* of the solver so far; of this iterate */
} SsStepSample;

/* One run. */
typedef struct {
  SsOutcome outcome; /* SOLVED, MAX_ITERATIONS, CPU_LIMIT, CANCELLED, STALLED: the solver gave up, FAILED: `message` */
  bool applies;      /* false: it takes no problem like this one, and was not run; FAILED then                      */
  char message[320];
  double residual, tolerance; /* the best that was seen; what was asked for */
  int iterations;
  double cpu_seconds;
  int n_samples;
  SsStepSample *samples; /* owned */
  double *r, *p;         /* owned: the best impulses, 2 m and k */
} SsStepResult;
void ss_step_result_clear (SsStepResult *result); /* a zeroed one is allowed */

/* A run from the solver's side. */
typedef struct SsStepRun SsStepRun;
typedef struct {
  const char *name, *summary, *source;
  bool needs_bodies; /* takes problems of bodies only (ss_step_bodies_fit) */
  /* What stands in the place of `go` for problems without bodies; NULL: nothing does. */
  SsStatus (*go_reduced) (SsStepRun *run, SsError *err);
  SsStatus (*go) (SsStepRun *run, SsError *err);
} SsStepSolver;
const SsStepSolver *ss_step_solvers (int *n);               /* static */
const SsStepSolver *ss_step_solver_find (const char *name); /* NULL: there is none */

/* Runs a solver on a finished problem. `cancel` (nullable): looked at between iterates. What a solver cannot do is an
 * outcome; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_step_solve (const SsStepSolver *solver, const SsStepProblem *problem,
                                     const SsStepLimits *limits, SsRunControl *cancel, SsStepResult *result,
                                     SsError *err);

/* ---- for solvers ------------------------------------------------------------------------------------------------- */

/* What is to be solved. */
const SsStepProblem *ss_step_run_problem (const SsStepRun *run);
/* The residual that ends the run. */
double ss_step_run_tolerance (const SsStepRun *run);
/* An iterate: it is judged, with the solver's clock stopped, and kept where it is the best. Returns whether to go
 * on. */
bool ss_step_run_tell (SsStepRun *run, int iteration, const double *r, const double *p);
/* Whether an iterate of this number is worth judging, for solvers whose iterations cost as little as that; where it is
 * false only limits are looked at. */
bool ss_step_run_is_due (const SsStepRun *run, int iteration);
/* The limits alone, for solvers that have nothing to show yet. */
bool ss_step_run_goes_on (SsStepRun *run, int iteration);
/* The solver has no more to offer: why, in a few words. */
void ss_step_run_give_up (SsStepRun *run, const char *why);

/* The solvers. */
SS_NODISCARD SsStatus ss_step_go_whole (SsStepRun *run, SsError *err);
SS_NODISCARD SsStatus ss_step_go_newton (SsStepRun *run, SsError *err);
SS_NODISCARD SsStatus ss_step_go_interior (SsStepRun *run, SsError *err);
SS_NODISCARD SsStatus ss_step_go_path (SsStepRun *run, SsError *err);
SS_NODISCARD SsStatus ss_step_go_reduced_newton (SsStepRun *run, SsError *err);
SS_NODISCARD SsStatus ss_step_go_reduced_interior (SsStepRun *run, SsError *err);
SS_NODISCARD SsStatus ss_step_go_lemke (SsStepRun *run, SsError *err);
SS_NODISCARD SsStatus ss_step_go_gauss_seidel (SsStepRun *run, SsError *err);
SS_NODISCARD SsStatus ss_step_go_admm (SsStepRun *run, SsError *err);
