/* engine/judge/ss-violations.h: the rows of a point that are violated most, named.
 *
 * The amounts are those of judge/ss-metrics.h, from the same pass over the same formulas: the first row of the list is
 * the one that `SsMetrics.max_violation` and `SsMetrics.worst` tell of, and no solver has a word in it. Rows of one
 * amount stay in the order in which the metrics count them.
 *
 * A row of a model in equations is named by its block, its number there and its formula; one of a plan by what it is
 * about (body, contact, joint of the scene) and by the law in words.
 *
 * Threads: any. Tests: tests/unit/test-violations.c
 */
#pragma once

#include "judge/ss-metrics.h"

enum { SS_VIOLATION_NAME = 64, SS_VIOLATION_ROW = 160, SS_VIOLATION_EQUATION = 160 };
/* How many a result keeps: of a success only those that one may ask about. */
enum { SS_VIOLATIONS_KEPT = 30, SS_VIOLATIONS_KEPT_OF_SUCCESS = 5 };

typedef struct {
  double amount; /* > 0, unscaled; INFINITY: a formula has no finite value there */
  int k;         /* time point */
  double t;      /* its time [s] */
  double a, b;   /* values of the row's formulas; b is NaN but of a pair */
  int index;     /* of the row in its block */
  int point;     /* of the contact, where it has several: 1, 2, ...; 0: it has one, or the row is of none */
  char block[SS_VIOLATION_NAME];
  char row[SS_VIOLATION_ROW];           /* its path and, of a pair, which part of it */
  char equation[SS_VIOLATION_EQUATION]; /* what should hold, in words of the scene or as a formula of the model */
  /* Names in the scene; "" where the row is of none. Of a contact the body is the one that can move. */
  char body[SS_VIOLATION_NAME], contact[SS_VIOLATION_NAME], joint[SS_VIOLATION_NAME];
} SsViolation;

typedef struct {
  int n;
  SsViolation *items; /* owned; largest first */
  int n_rows;         /* that the metrics count */
  int n_violated;     /* of these, by more than 0 */
} SsViolations;

/* The n_max (>= 1) largest at the point x of a scenario with a model, and its metrics (NULL: nobody asks). `scene`: of
 * which the model is a plan; NULL: of none. SS_ERR_MEMORY; *out is empty then. */
SS_NODISCARD SsStatus ss_violations_find (const SsScenario *model, const SsScene *scene, const double *x, int n_max,
                                          SsMetrics *metrics, SsViolations *out, SsError *err);
/* Keeps the first n_max. */
void ss_violations_truncate (SsViolations *violations, int n_max);
void ss_violations_clear (SsViolations *violations);
