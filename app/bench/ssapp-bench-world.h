/* app/bench/ssapp-bench-world.h: a built-in scene stepped by an integrator without keeping a trajectory, so that only
 * the steps are timed and a run may have a hundred million of them; and the suites made of such runs.
 */
#pragma once

#include "app/bench/ssapp-bench-measure.h"
#include "app/bench/ssapp-bench-runs.h"
#include "app/bench/ssapp-bench-sheet.h"
#include "app/bench/ssapp-bench.h"
#include "simulate/ss-simulate.h"

G_BEGIN_DECLS

typedef struct {
  SsScenario *scenario;                /* owned */
  const SsIntegratorClass *integrator; /* borrowed */
  void *options, *stepper;             /* owned */
  SsappBenchMeasure *measure;          /* owned */
  SsSimState state;                    /* arrays owned: one block at q */
  double *mark;                        /* 3 n_bodies: positions at half of the way of ssapp_bench_world_steps */
  double mark_t;
  int steps, n_points;           /* n_points: of the last step */
  double cpu_seconds;            /* of the steps alone */
  double residual, max_residual; /* of the last step; over the steps */
  double max_penetration;        /* over the steps [m]; NaN when the integrator tells no gaps */
  double max_drift;              /* of joints, over the steps ([m] or [rad]); NaN without joints */
  char message[512];             /* why it ended; "" while it goes on */
} SsappBenchWorld;

/* Options: the integrator's, then the scenario's, then the method's. `name`: of the built-in scenes. NULL and a message
 * when anything fails. */
SsappBenchWorld *ssapp_bench_world_new (const char *name, const SsOverride *set, int n_set,
                                        const SsappBenchMethod *method, char **message);
/* The same of a scenario, which it owns from then on, also after a failure. */
SsappBenchWorld *ssapp_bench_world_of (SsScenario *scenario, const SsappBenchMethod *method, char **message);
void ssapp_bench_world_free (SsappBenchWorld *self); /* NULL is allowed */
/* One step of length dt, timed and measured. FALSE after a failed step or when a coordinate is no finite number;
 * message says why. */
gboolean ssapp_bench_world_step (SsappBenchWorld *self, double dt);
/* Steps to t_end; FALSE when it ended before, also by `control` (then with an empty message). */
gboolean ssapp_bench_world_run (SsappBenchWorld *self, double dt, double t_end, SsRunControl *control);
/* Steps of dt until there are `steps`, or for about `seconds` of CPU time, or until it is cancelled; half of the way
 * is marked. Arrays of double get one number a step, where they are not NULL: its CPU time [ms]; its residual, of
 * steps that did not fail. */
void ssapp_bench_world_steps (SsappBenchWorld *self, double dt, int steps, double seconds, SsRunControl *control,
                              GArray *milliseconds, GArray *residuals);
/* How these ended: "completed", "limit of CPU time", or why a step failed; borrowed. */
const char *ssapp_bench_world_end (const SsappBenchWorld *self, int steps);
double ssapp_bench_world_energy (const SsappBenchWorld *self); /* kinetic and potential [J] */
/* The largest way of a body since half of the way of ssapp_bench_world_steps, per second [m/s]. */
double ssapp_bench_world_creep (const SsappBenchWorld *self);
int ssapp_bench_moving_bodies (const SsScene *scene);                  /* bodies that are not fixed */
double *ssapp_bench_world_q (SsappBenchWorld *self, const char *body); /* x, y, theta of a body */
double *ssapp_bench_world_v (SsappBenchWorld *self, const char *body);

/* ---- suites ------------------------------------------------------------------------------------------------------ */

typedef struct {
  gboolean is_all;  /* also what takes minutes */
  const char *only; /* key of the only table that is wanted: table-1, fig-4, ...; NULL: all */
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line per run */
} SsappBenchConstraintPlan;

/* The examples of paper 003, its numbers beside ours. */
SsappBenchSheet *ssapp_bench_constraint (const SsappBenchConstraintPlan *plan);
/* Its claim of stability for any stiffness and step: runs that complete, gain energy, are not solved. `only` is a scene
 * of the table, "pendulum". */
SsappBenchSheet *ssapp_bench_stability (const SsappBenchConstraintPlan *plan, gboolean is_quick);

enum { SSAPP_BENCH_SIZES_MAX = 16 };

typedef struct {
  GPtrArray *methods; /* integrators */
  int n_sizes, sizes[SSAPP_BENCH_SIZES_MAX];
  int steps;
  double cpu_limit; /* of one run, CPU time [s]: it ends there with the steps it has */
  SsRunControl *control;
  SsappBenchSay say; /* nullable */
} SsappBenchSimulatePlan;

/* Adds the table of stacks, pyramids, piles, chains, inclines of each size with each integrator. *n_failed grows by the
 * runs that ended otherwise than at their end or the limit of CPU time. */
void ssapp_bench_simulate (const SsappBenchSimulatePlan *plan, SsappBenchSheet *sheet, int *n_failed);
/* Adds the table of observed orders of convergence beside the theory. *n_failed grows by the orders that differ. */
void ssapp_bench_order (const SsappBenchSimulatePlan *plan, SsappBenchSheet *sheet, int *n_failed);
/* What theory says of the method in a scene without contacts; 1 where it is not known, 0: exact. */
double ssapp_bench_order_asked (const SsScene *scene, const SsappBenchMethod *method);

G_END_DECLS
