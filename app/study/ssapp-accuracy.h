/* app/study/ssapp-accuracy.h: simulators against a reference: what each run of a method with a step was off by and what
 * it cost; slopes fitted; tables.
 *
 * Fit        slope of log(error) against log(step), and of log(CPU time), least squares, over the steps on which the
 *            error falls: from the last step, long to short, before which it does not fall, to the first after which it
 *            does not. It falls from one step to the next while the local slope is above 0.25; a point out of line
 *            between two that fall is kept. The longest step is left out while the slope from it differs by more than
 *            1 from that of the others: too long to speak of an order. What lies below 1e-13 of the truth's way is
 *            rounding and left out. At least three points. Which points were taken is told.
 * Exact      a method whose errors are all below 1e-11 of the truth's way has no order. One with steps of its own
 *            answers to its tolerance at any step.
 * Energy     the judge's account (engine/judge/ss-motion.h): energy that nothing gave (> 0) or took (< 0).
 *
 * Threads    any, one at a time. Tests: tests/unit/test-accuracy.c
 */
#pragma once

#include <jansson.h>

#include "app/base/ssapp-table.h"
#include "app/study/ssapp-truth.h"
#include "judge/ss-motion.h"
#include "run/ss-method.h"

G_BEGIN_DECLS

/* An integrator with options. */
typedef struct {
  const SsMethod *method;
  char *label;            /* "fesd-j:stages=2" */
  char **names, **values; /* options that differ from the defaults, NULL-terminated both */
} SsappAccuracyMethod;
/* Texts are copied; NULL: no options, the label is the name. */
SsappAccuracyMethod *ssapp_accuracy_method_new (const SsMethod *method, const char *label, const char *const *names,
                                                const char *const *values);
void ssapp_accuracy_method_free (SsappAccuracyMethod *self); /* NULL is allowed */

/* A run that ended. Texts owned. */
typedef struct {
  guint method; /* of the methods */
  double dt;    /* [s] */
  gboolean is_success;
  char *outcome, *message; /* message: of the run, or why there is no error */
  char *run;               /* id; in the project where there is one */
  double errors[SSAPP_ERROR_COUNT], scale;
  double answer, answer_scale; /* to the outcome that was asked, and what its error is small against; NaN: none */
  SsMetricSet metrics;         /* CPU_SECONDS: the least of the repeats */
  double surplus, turned_over, work[SS_WORK_COUNT]; /* [J]; NaN: not judged */
} SsappAccuracyRow;

typedef struct {
  gboolean is_exact;
  double order, cpu_slope;   /* NaN: not fitted */
  guint n_points;            /* of the fit */
  double dt_first, dt_last;  /* longest and shortest step of these */
  double factor, cpu_factor; /* of the line: factor * dt^order, cpu_factor * cpu^cpu_slope */
  const char *note;          /* why there is none, or what is to be known; "" */
} SsappAccuracyFit;

typedef struct {
  char *title;              /* of the scenario */
  char *reference;          /* what the runs were compared with, in words */
  char *compared;           /* channels, "ball.y, ball.theta" */
  GPtrArray *methods;       /* of SsappAccuracyMethod */
  GArray *rows;             /* of SsappAccuracyRow, by method, then by step, long to short */
  SsappErrorKind kind;      /* of fits and figures */
  char *asked, *asked_unit; /* the outcome that ERROR_OUTCOME is of, "third", "m"; NULL: none */
} SsappAccuracy;

/* Without methods and rows. */
SsappAccuracy *ssapp_accuracy_new (const char *title, SsappErrorKind kind);
void ssapp_accuracy_free (SsappAccuracy *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappAccuracy, ssapp_accuracy_free)
/* Takes the texts of the row; a row of the same method and step keeps the less of both CPU times and takes the rest. */
void ssapp_accuracy_add (SsappAccuracy *self, const SsappAccuracyRow *row);
/* Errors, metrics and accounts that are not known. */
void ssapp_accuracy_row_init (SsappAccuracyRow *row, guint method, double dt);
/* "mean error", "error of third [m]": what fits and figures are of, or of another kind; g_free. */
char *ssapp_accuracy_error_words (const SsappAccuracy *self, SsappErrorKind kind);
/* Fills outcome, message, run, metrics and account from a result (app/job/ssapp-result.h). */
void ssapp_accuracy_row_read (SsappAccuracyRow *row, const json_t *result);

/* Of n runs, long steps first; cpu may be NULL. `scale`: of SsappMotionError. */
void ssapp_accuracy_fit_points (const double *steps, const double *errors, const double *cpu, guint n, double scale,
                                SsappAccuracyFit *out);
void ssapp_accuracy_fit (const SsappAccuracy *self, guint method, SsappAccuracyFit *out);

/* A row a run: errors, cost, what the judge says. */
SsappTable *ssapp_accuracy_runs_table (const SsappAccuracy *self);
/* A row a method: order, slope against CPU time, points that were fitted; below it the law that each solves. */
SsappTable *ssapp_accuracy_orders_table (const SsappAccuracy *self);
/* A row a run: the judge's account of energy. */
SsappTable *ssapp_accuracy_energy_table (const SsappAccuracy *self);
/* "runs", "orders", "energy": one of these; NULL: none of them. */
SsappTable *ssapp_accuracy_table_by_name (const SsappAccuracy *self, const char *name);
/* Everything, a new reference. */
json_t *ssapp_accuracy_to_json (const SsappAccuracy *self);

G_END_DECLS
