/* engine/nlp/ss-stationarity.h: in which sense a point of an MPCC is stationary, and its curvature.
 *
 * At a point x that keeps its rows, multipliers y with gradient J - C'y = 0, where y >= 0 of inequalities and 0 of
 * those that are not active; a side of a pair that is zero is an equality, with a multiplier u (of a) or v (of b) of
 * any sign. What is asked of u and v where both sides are zero (Scheel, Scholtes, Math. Oper. Res. 25 (2000); Ye 2005):
 *
 *   weakly   nothing
 *   C        u v >= 0
 *   M        u v = 0, or both > 0
 *   strongly u, v >= 0; then x is B-stationary too, which without it needs one pair of signs for each branch
 *
 * Each is a linear program (its rows say which signs are allowed) solved by room `qp`; a kind is claimed only where the
 * multipliers prove it: sum_i y_i max (0, c_i) of inequalities + sum_j box_j |gradient - C'y|_j <= 1e-6 (1 + min (|J|,
 * box |gradient|)), with box_j = 0.1 max (1, |x_j|). Both sides of a pair count as zero up to 1e-6, and up to 1e-3
 * where they are within a factor of 100: products of 1e-6 do not say which of such sides is zero. With up to four
 * pairs that are zero on both sides all patterns of signs are tried; with more those of one set of multipliers, and
 * less may be told than holds.
 *
 * Second order: the Hessian of the Lagrangian on the directions that keep what has a multiplier, by the inertia of its
 * KKT matrix. Positive there: x is a strict local minimum of every branch for whose multipliers it was looked at
 * (strongly: of all; M: of one). Negative on the smaller space that keeps all that is active: x is none. Directions are
 * positive or negative from 1e-6 of the largest entry of the Hessian on.
 *
 * Threads: any. Memory: allocated for the look. Tests: tests/numeric/test-verdicts.c
 */
#pragma once

#include "nlp/ss-nlp.h"

/* Each implies those before it. */
typedef enum {
  SS_STATIONARY_NOT_CHECKED,
  SS_STATIONARY_NONE, /* no multipliers were found */
  SS_STATIONARY_WEAKLY,
  SS_STATIONARY_C,
  SS_STATIONARY_M,
  SS_STATIONARY_STRONGLY
} SsStationaryKind;

typedef enum { SS_CURVATURE_NOT_CHECKED, SS_CURVATURE_HOLDS, SS_CURVATURE_FAILS } SsCurvature;

typedef struct {
  SsStationaryKind kind;
  bool is_complete; /* kinds above were excluded, not only not found */
  SsCurvature curvature;
  int n_biactive;          /* pairs that are zero on both sides */
  int programs;            /* linear programs */
  const char *why_kind;    /* static: why a kind was not checked; "" */
  const char *why_nothing; /* static: why the curvature was not checked; "" */
  double cpu_seconds;
} SsStationarity;

/* At x (n_variables), which keeps its rows to 1e-6. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_stationarity_look (const SsMpcc *mpcc, const double *x, SsRunControl *control,
                                            SsStationarity *result, SsError *err);
/* "strongly stationary (1 pair zero on both sides); second order holds" */
void ss_stationarity_describe (const SsStationarity *result, char *text, size_t size);
