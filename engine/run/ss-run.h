/* engine/run/ss-run.h: one job: scenario + method + options -> trajectory, metrics, outcome; and the registry of methods.
 *
 * The registry is what the menus, the command line and the tests walk.
 */
#pragma once

#include "mpcc/ss-metrics.h"
#include "nlp/ss-nlp.h"
#include "simulate/ss-events.h"
#include "simulate/ss-replay.h"
#include "transcribe/ss-transcribe.h"

#define SS_VERSION "0.1.0"

typedef enum { SS_METHOD_INTEGRATOR, SS_METHOD_OPTIMISER, SS_METHOD_IMPACT_LAW } SsMethodKind;

typedef struct {
  SsMethodKind kind;
  const char *name, *label, *summary;
  bool is_built;                       /* false: known name of the contract, not in this build           */
  const char *why_not;                 /* when not built                                                  */
  const SsOptionTable *options;        /* empty table when not built                                      */
  const SsNlpClass *nlp;               /* OPTIMISER                                                       */
  const SsIntegratorClass *integrator; /* INTEGRATOR                                                    */
} SsMethod;

int ss_method_count (void);
const SsMethod *ss_method_at (int index);
/* Finds by name; on failure err suggests the nearest. kind is checked. */
const SsMethod *ss_method_find (SsMethodKind kind, const char *name, SsError *err);

/* Checks the scenario's `methods` section, which its reader takes as it is: methods that exist, options that they have, values in range.
 * Adds every problem with its line and path and returns SS_ERR_INVALID if there was one. Methods that are not built may have any options. */
SS_NODISCARD SsStatus ss_method_check_defaults (const SsScenario *scenario, SsProblems *problems);

/* Defaults of a method's options for a scenario's kind (ss_options_init, then the preset for plans of scenes). What the file and the user say comes after. */
void ss_method_init_options (const SsMethod *method, const SsScenario *scenario, void *options);

/* The table that has an option of that name: the method's own, or that of the transcription (ss_transcribe_option_table) where the method is an optimiser and the
 * scenario a scene. Never NULL: names of neither are refused by the method's own. */
const SsOptionTable *ss_method_option_table (const SsMethod *method, const SsScenario *scenario, const char *name);

/* What may be kept between runs of one scenario: the compiled problem (same text and structural parameters) and the solver with its
 * orderings (same method and options too; for methods that look at numbers when they are made, the same parameters). Owned by the caller, used by one run at a time, never changes an answer. */
typedef struct SsRunCache SsRunCache;
SsRunCache *ss_run_cache_new (void);        /* NULL when out of memory */
void ss_run_cache_free (SsRunCache *cache); /* NULL is allowed         */

typedef struct {
  const SsScenario *scenario; /* borrowed                                                              */
  const SsMethod *method;
  const void *options; /* the method's options struct                                           */
  double dt, t_end;    /* INTEGRATOR; NaN = the scenario's                                      */
  const double *x0;    /* OPTIMISER: starting point; NULL = the scenario's guess                */
  const SsTrajectory *
      start; /* OPTIMISER: a motion to start from, by the names of its channels, interpolated in time where the steps differ; NULL: none */
  const SsTrajectory *
      plan; /* INTEGRATOR: its controls and initial state are replayed, by default at its own steps and to its end; NULL: none */
  SsTranscribeOptions transcription; /* OPTIMISER of a scene's plan; zeroed: defaults               */
  SsRunCache *cache;                 /* OPTIMISER; NULL: nothing is kept                                      */
} SsJob;

typedef struct {
  SsOutcome outcome;
  char message[512]; /* ours: what was reached by our metrics, then what the method said      */
  bool is_simulation;
  SsMetrics metrics; /* OPTIMISER                                                             */
  SsSimMetrics sim;  /* INTEGRATOR                                                            */
  int iterations, subproblems, inner_iterations;
  int n_pairs;
  double setup_seconds, solve_seconds, cpu_seconds;
  double qp_seconds, derivative_seconds,
      value_seconds;            /* OPTIMISER: parts of cpu_seconds, see SsNlpResult; NaN: unknown */
  double stationarity;          /* OPTIMISER: the method's own last measure; NaN if none                 */
  SsNlpCertificate certificate; /* OPTIMISER: what was verified of the answer; see is_computed there */
  bool is_setup_reused;         /* the problem came from the cache                                       */
  bool is_replay;               /* INTEGRATOR: of a plan, and `replay` says how far from it */
  SsReplayDistance replay;
  bool
      has_replay_steps; /* INTEGRATOR: a completed replay with the plan's own steps, and `replay_steps` compares them one by one */
  SsReplaySteps replay_steps;
  SsEventList *events;      /* INTEGRATOR: what happened; owned by the result; may be NULL */
  SsTrajectory *trajectory; /* owned by the result; what there is so far when ended early; may be NULL */
} SsRunResult;

/* Limits of the outcome rules. */
#define SS_RUN_FEASIBLE 1e-6 /* solved means: our own max_violation is below this                           */
#define SS_RUN_NEARLY                                                                                                  \
  1e-3 /* claimed success with a violation above this is `infeasible`, below `stalled`: a solver that
                                     stops at its own looser tolerance is not the same as one that found no feasible point */

#define SS_RUN_APPROACHED                                                                                              \
  0.99 /* of the starting point's tracking error: an answer that is no success and has more is told to have missed its task */

/* Whether the method can run that scenario at all: built, and the scenario is of its kind. ss_run asks this first. */
SS_NODISCARD SsStatus ss_run_check (const SsScenario *scenario, const SsMethod *method, SsError *err);

/* The model in equations that an optimiser works on: the scenario's own (*transcribed is NULL then), or the transcription of its plan, owned by the caller. x0, published
 * iterates and metrics are of this model; trajectories of either model have the channels that the scenario's view draws. */
SS_NODISCARD SsStatus ss_run_model (const SsScenario *scenario, const SsTranscribeOptions *options,
                                    const SsScenario **model, SsScenario **transcribed, SsError *err);

/* Runs a job. `result` is initialised here; release with ss_run_result_clear. An optimiser's outcome is SOLVED only if our own
 * max_violation is below 1e-6 and the method says it converged; a method that claims success with a larger violation ends as INFEASIBLE or STALLED. */
SS_NODISCARD SsStatus ss_run (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err);
void ss_run_result_clear (SsRunResult *result);
/* The result of a run that has to be ended from outside: what our metrics say of the last published iterate (optimiser: x of n_x variables;
 * integrator: NULL, and *frames is taken as the trajectory). `result` is initialised here. x == NULL for an optimiser: nothing was published yet. */
SS_NODISCARD SsStatus ss_run_result_from_iterate (const SsJob *job, SsOutcome outcome, int iteration, const double *x,
                                                  int n_x, SsTrajectory **frames, SsRunResult *result, SsError *err);
/* True for outcomes that count as success: solved, completed. */
bool ss_outcome_is_success (SsOutcome outcome);
