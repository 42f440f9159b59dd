/* app/bench/ssapp-bench-closed.h: suite closed-forms: motions whose formulas are known, by every integrator: errors,
 * and the order with which they fall.
 *
 * Scenes   data/bench/closed-forms, built in. What is compared is in their files: each strip of the view has a value
 *          of the motion and, as its reference, the closed form: of time and parameters alone, or of the state where
 *          the formula is an invariant. The description says where it comes from.
 * Error    mean over the steps of |value - closed form|, of the strip where it is largest, in its unit. Velocities
 *          cannot converge at the instant of an impact, their mean over the time can. Where within a step an impact
 *          falls changes an error by as much as it is: a level's error is the largest of sixteen step lengths between
 *          one and its half.
 * Order    slope of log (error) against log (step), least squares over levels that halve. What falls below rounding has
 *          none: "exact".
 * Asked    1 at least; in scenes without contacts and limits what theory says of the method (ssapp-bench-world.h). 0.4
 *          less still passes, as orders are measured at finite steps. Nothing is asked of contacts that are springs of
 *          the method: their motions tend to others.
 *
 * Threads  one at a time; the control may be asked to stop from anywhere. Tests: tests/cli/test-bench.sh
 */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/bench/ssapp-bench-sheet.h"
#include "app/bench/ssapp-bench-world.h"

G_BEGIN_DECLS

enum { SSAPP_CLOSED_LEVELS = 3 }; /* step lengths of a slope */

typedef struct {
  GPtrArray *methods;          /* integrators */
  const char *const *problems; /* names of scenes, up to a NULL; NULL: all */
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line a run */
} SsappBenchClosedPlan;

typedef enum {
  SSAPP_CLOSED_EXACT,
  SSAPP_CLOSED_ORDER,   /* it has the order that is asked for */
  SSAPP_CLOSED_MISSED,  /* it has not */
  SSAPP_CLOSED_SPRINGS, /* it has not, as contacts are springs of the method */
  SSAPP_CLOSED_RELAXED, /* it has not, as what slides separates: an impact with slip misses at any step */
  SSAPP_CLOSED_REFUSED, /* the method ignores the restitution, or refuses the scene: the message says why */
  SSAPP_CLOSED_FAILED   /* a run failed */
} SsappClosedKind;

typedef struct {
  guint problem, method;
  SsappClosedKind kind;
  double errors[SSAPP_CLOSED_LEVELS]; /* long steps first; NaN: not known */
  double order, asked;                /* NaN: none */
  char *message;                      /* owned: why it failed, or "" */
} SsappClosedRow;

typedef struct SsappBenchClosed SsappBenchClosed;

/* Runs it. NULL with an error that names the problem that is none, or the scene that can't be read. */
SsappBenchClosed *ssapp_bench_closed_new (const SsappBenchClosedPlan *plan, GError **error);
void ssapp_bench_closed_free (SsappBenchClosed *self); /* NULL is allowed */
/* By problem, then by method. */
const GArray *ssapp_bench_closed_rows (const SsappBenchClosed *self);
const char *ssapp_bench_closed_problem (const SsappBenchClosed *self, const SsappClosedRow *row);
const char *ssapp_bench_closed_method (const SsappBenchClosed *self, const SsappClosedRow *row);
/* How many missed or failed. */
int ssapp_bench_closed_n_failed (const SsappBenchClosed *self);
/* A row a run, and a row a problem with the orders of all methods. */
SsappBenchSheet *ssapp_bench_closed_sheet (const SsappBenchClosed *self);
/* A row a problem, with the orders of all methods. */
SsappTable *ssapp_bench_closed_table (const SsappBenchClosed *self);

G_END_DECLS
