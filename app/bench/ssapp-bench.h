/* app/bench/ssapp-bench.h: benchmark suites: instances with their published results, timed runs, statistics, tables.
 *
 * Suite `crisp` reruns Table II of paper 004: six problems, many initial states, targets and guesses. The reference
 * data (data/bench) are what the authors' program and Ipopt did on each instance, and what the paper prints; the
 * scenario files of examples/crisp are built in, so that a benchmark does not depend on where the program is started.
 * Suite `mpc` closes a loop around push T. Suites `constraint-solver` and `simulate`: ssapp-bench-world.h.
 *
 * Timing    one solve at a time on the calling thread, methods taking turns; thread CPU of the solve; median of
 *           repeats.
 * Threads   everything on one thread; SsRunControl.cancel may be set from anywhere.
 * Tests     tests/cli/test-bench.sh
 */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/store/ssapp-store.h"
#include "judge/ss-metrics.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

/* ---- methods ----------------------------------------------------------------------------------------------------- */

/* An optimiser or integrator and the options that differ from its defaults. */
typedef struct {
  const SsMethod *method;
  char *label;               /* as asked for: "crisp" or "crisp:preset=paper"                     */
  GPtrArray *names, *values; /* of char *                                                        */
} SsappBenchMethod;

/* Reads "NAME[:OPTION=VALUE]...,NAME..."; NULL and a message when something in it is wrong. Elements are freed with the
 * array. */
GPtrArray *ssapp_bench_methods_parse (SsMethodKind kind, const char *list, char **message);
/* OPTION=VALUE for every method that has it, METHOD.OPTION=VALUE for one; FALSE and a message when nobody takes it. */
gboolean ssapp_bench_methods_set (GPtrArray *methods, const char *name, const char *value, char **message);
/* Defaults, the scenario's, then the method's own; g_free. NULL and `error` when one does not fit. */
void *ssapp_bench_method_options (const SsappBenchMethod *method, const SsScenario *scenario, SsError *error);
/* A job for ss_run with the options that it borrows: the method's, and of plans of scenes those of transcriptions. */
typedef struct {
  SsJob job;
  void *options, *transcription; /* owned */
} SsappBenchJob;
/* FALSE and `error` when an option does not fit; to be cleared in any case. */
gboolean ssapp_bench_job_init (SsappBenchJob *self, const SsappBenchMethod *method, const SsScenario *scenario,
                               SsError *error);
void ssapp_bench_job_clear (SsappBenchJob *self);

/* ---- reference --------------------------------------------------------------------------------------------------- */

/* One run of the authors' program or of Ipopt on the authors' problems, on another machine. Numbers are NaN where
 * unknown. */
typedef struct {
  char *solver, *problem, *condition, *config, *status; /* owned */
  int n_points;
  double initial_state[8], target[8];
  gboolean success; /* by the criterion of the paper */
  double objective, tracking_error, violation, iterations, qp_solves, cpu_seconds;
} SsappBenchReference;

/* One cell row of Table II (hopper, waiter: the objectives in the text of sec. IV-C). */
typedef struct {
  char *solver, *problem; /* owned */
  double success_percent, tracking_error, violation, iterations, time_seconds, objective;
} SsappBenchPaper;

GPtrArray *ssapp_bench_reference (void); /* of SsappBenchReference; freed with the array */
GPtrArray *ssapp_bench_paper (void);     /* of SsappBenchPaper; freed with the array     */
/* The row of a solver on a problem, borrowed from `paper`; NULL where the paper has none. */
const SsappBenchPaper *ssapp_bench_paper_find (GPtrArray *paper, const char *solver, const char *problem);

/* ---- instances of suite crisp ------------------------------------------------------------------------------------ */

#define SSAPP_BENCH_PROBLEMS 6
/* cartpole push-box transport push-t hopper waiter, NULL behind them */
extern const char *const ssapp_bench_problems[SSAPP_BENCH_PROBLEMS + 1];

typedef enum {
  SSAPP_BENCH_LISTED, /* the instances of the reference                                      */
  SSAPP_BENCH_ALL,    /* and what their families leave out there                             */
  SSAPP_BENCH_QUICK,  /* two of each group                                                   */
  SSAPP_BENCH_NONE    /* none: only fresh ones                                               */
} SsappBenchSelection;

enum { SSAPP_BENCH_MAX_SET = 12 };

typedef struct {
  const char *problem; /* of ssapp_bench_problems; with `text`: its scenario's name           */
  char *text;          /* owned; of a scenario; NULL: that of the problem                     */
  char *group;         /* one table each: "cartpole, N = 100"; owned                          */
  char *condition;     /* the reference's name: "k12"; owned                                  */
  int n_points;
  int n_set;
  SsOverride set[SSAPP_BENCH_MAX_SET];  /* parameters of the scenario                         */
  const SsappBenchReference *crisp;     /* authors' program; NULL where not in the reference  */
  const SsappBenchReference *crisp_alt; /* the same with other settings, for the listing      */
  const SsappBenchReference *ipopt;     /* NULL where not in the reference                    */
  double best;                          /* lowest objective known before the run; NaN: none   */
} SsappBenchInstance;

/* Instances of the problems named (NULL: all six), in the order of the groups; freed with the array. `reference` must
 * outlive them. Beside the selection there are n_fresh of each problem drawn from the seed: "s<seed>-<number>". */
GPtrArray *ssapp_bench_instances (GPtrArray *reference, char *const *problems, SsappBenchSelection selection,
                                  int n_fresh, guint64 seed);
/* Number `number` of the instances that a seed draws of a problem: the same on every machine, however many there are.
 * Ranges span the listed instances. */
SsappBenchInstance *ssapp_bench_fresh (int problem, guint64 seed, int number);
/* Fills `best` from the table of best known objectives (data/bench/crisp-best.csv). */
void ssapp_bench_know_best (GPtrArray *instances);
/* Scenario text of a problem (built in). */
const char *ssapp_bench_scenario_text (const char *problem);

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* One method on one instance. */
typedef struct {
  const SsappBenchInstance *instance;
  const SsappBenchMethod *method;
  gboolean is_done;
  SsOutcome outcome;
  char *message; /* owned */
  /* Of the first run, when nothing was kept; SETUP_SECONDS with the reading of the scenario, CPU_SECONDS and
   * SOLVE_SECONDS the medians over the repeats. */
  SsMetricSet metrics;
  double reading_seconds; /* wall, as the metric SETUP_SECONDS that it is added to */
  double cpu_min, cpu_max;
  gboolean is_stationary; /* the method's certificate: stationary for its merit function */
  /* parts of cpu_seconds, of the first run; NaN: the method does not tell */
  double qp_share, derivative_share, value_share;
  int n_repeats;
  gboolean is_repeatable; /* all repeats gave the same objective, bit by bit                      */
  /* of the first method where it misses a limit of the paper: objective of the same problem with the limits as
   * constraints; else NaN */
  double within_limits;
  char *impossible; /* why no answer can be within them; NULL: not known to be so; owned */
  char *run;        /* id in the project; NULL when not stored; owned                       */
} SsappBenchRun;

/* A metric of the run; NaN where it has none. */
double ssapp_bench_run_get (const SsappBenchRun *run, SsMetric metric);

typedef void (*SsappBenchTell) (const SsappBenchRun *run, int index, int count, gpointer user_data);

typedef struct {
  GPtrArray *instances, *methods; /* borrowed */
  int repeats;
  double cpu_limit;      /* of one solve, CPU time [s]; INFINITY: none */
  SsappStore *store;     /* nullable: first repeat of each run is recorded there */
  SsRunControl *control; /* cancel ends the suite */
  SsappBenchTell tell;   /* nullable */
  gpointer user_data;
} SsappBenchPlan;

/* A run that took longer is not repeated: noise of some ms does not matter for it [s]. */
#define SSAPP_BENCH_SLOW 5.0

/* Runs the plan; the array has one SsappBenchRun per instance and method, instance by instance, those not reached with
 * is_done FALSE. `error` is set when the suite could not go on (out of memory, project not writable); what there is, is
 * returned all the same. */
GPtrArray *ssapp_bench_run (const SsappBenchPlan *plan, GError **error);

/* One solve within the plan's limits, which the control has not any more afterwards. */
SsStatus ssapp_bench_solve (const SsappBenchPlan *plan, const SsJob *job, SsRunResult *result, SsError *err);

/* Whether errors at the end are within the paper's limits. */
gboolean ssapp_bench_is_reached (const SsMetrics *metrics);
/* Why no answer at all can be within the paper's limits, by a bound that needs no solver; NULL: not known to be
 * impossible. g_free. */
char *ssapp_bench_impossible (const SsScenario *scenario);
/* Objective of the run's instance with the paper's limits as constraints at the last time point, solved by the run's
 * method from the scenario's guess and from `answer`, the better of both; NaN when neither gave an answer within the
 * limits. */
double ssapp_bench_within_limits (const SsappBenchPlan *plan, const SsappBenchRun *run, const SsTrajectory *answer);

/* The table of best known objectives with what solved runs found below it (violations below SS_RUN_FEASIBLE), to
 * replace data/bench/crisp-best.csv; g_free. */
char *ssapp_bench_best_csv (GPtrArray *runs);

/* ---- report ------------------------------------------------------------------------------------------------------ */

typedef struct {
  GPtrArray *instances, *methods, *runs, *paper; /* borrowed */
  int repeats;
  double cpu_limit; /* of one solve, CPU time [s] */
  gboolean is_complete;
} SsappBenchReport;

char *ssapp_bench_report_text (const SsappBenchReport *report, gboolean verbose); /* tables; g_free          */
/* Machine, instances, runs and sums as one object; a new reference. */
json_t *ssapp_bench_report_json (const SsappBenchReport *report);
char *ssapp_bench_report_csv (const SsappBenchReport *report); /* a row per instance and method; g_free      */

/* ---- suite mpc --------------------------------------------------------------------------------------------------- */

typedef struct {
  GPtrArray *methods;
  int steps;    /* re-solves per method                                                       */
  int episode;  /* steps until the T is put elsewhere                                         */
  int n_points; /* horizon                                                                    */
  double noise; /* standard deviation of the position noise per step [m]                      */
  guint64 seed;
  double cpu_limit; /* of one solve, CPU time [s] */
  SsRunControl *control;
} SsappBenchMpcPlan;

/* What one loop did. Times in seconds. */
typedef struct {
  const SsappBenchMethod *method;
  int n_steps, n_failures, n_episodes, n_checked, n_differing;
  double setup_seconds;
  GArray *cpu;  /* of double: one per re-solve that had a plan to start from */
  GArray *cold; /* of double: CPU of the first solve of each episode, from zeros         */
  double violation_max, iterations_mean;
  GArray *final_position, *final_angle; /* of double, one per finished episode [m], [rad]         */
  double start_position_mean, start_angle_mean;
  guint64 allocations;            /* by the solver and its evaluations during re-solves         */
  gint64 memory_warm, memory_end; /* own bytes after a tenth of the steps, at the end       */
} SsappBenchLoop;

GPtrArray *ssapp_bench_mpc (const SsappBenchMpcPlan *plan,
                            GError **error); /* of SsappBenchLoop, freed with the array */
/* Tables of what ssapp_bench_mpc gave back, one row a loop; g_free. */
char *ssapp_bench_mpc_text (const SsappBenchMpcPlan *plan, GPtrArray *loops);
/* The same with every time, a new reference; is_complete false: the suite was cancelled, `loops` is what there is. */
json_t *ssapp_bench_mpc_json (const SsappBenchMpcPlan *plan, GPtrArray *loops, gboolean is_complete);

/* ---- statistics -------------------------------------------------------------------------------------------------- */

double ssapp_median (const double *values, int n);                     /* NaN for none                */
double ssapp_percentile (const double *values, int n, double percent); /* nearest rank; NaN for none  */
/* NaN for none. The geometric mean is that of positive values: others make it NaN or 0. */
double ssapp_mean (const double *values, int n);
double ssapp_geometric_mean (const double *values, int n);
/* The machine and the program: what a time depends on. */
json_t *ssapp_bench_machine (void);

G_END_DECLS
