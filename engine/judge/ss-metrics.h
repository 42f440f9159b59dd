/* engine/judge/ss-metrics.h: objective, violations and tracking error of a point, recomputed from the scenario's
 * formulas node by node (ss_graph_eval), sharing no code with tapes, gather tables, derivatives or solvers. Whatever a
 * solver says, these numbers decide.
 */
#pragma once

#include "judge/ss-metric.h"
#include "scene/ss-scenario.h"

typedef struct {
  double objective;
  double max_violation;        /* largest of all below, unscaled                                                 */
  double violation_equality;   /* max |c_E|                                                                      */
  double violation_inequality; /* max(0, -c_I) over rows that are no products                                    */
  double violation_product;    /* max(0, a*b) over complementarity pairs                                         */
  double complementarity;      /* max |a*b|                                                                      */
  double l1_violation;         /* sum |c_E| + sum max(0, -c_I), products included (reference sec. 9: L1)         */
  int n_variables, n_equalities, n_inequalities, n_products;
  double tracking[SS_TRACK_COUNT]; /* norms by kind; NaN where the scenario has none of that kind                */
  double tracking_error;           /* norm over all residuals                                                         */
  bool success_paper; /* 004 sec. IV-C: violation 1e-5, position .1, velocity .5, angle pi/6, angular velocity .1 pi */
  bool is_finite;
  char worst[160]; /* path of the row with the largest violation and its time point                  */
} SsMetrics;

/* Of the point x (n_points x n_variables, finite or not) of a scenario with a model. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_metrics_compute (const SsScenario *scenario, const double *x, SsMetrics *out, SsError *err);
/* Every row of the point x as the metrics count it: by how much it is violated (>= 0, INFINITY: not finite), at time
 * point k. `part` of a pair: "" of the row itself, " (first)", " (second)" for the sign of a side, " (product)"; a
 * and b are the values of the row's formulas (b NaN without one). */
typedef void SsRowVisit (void *data, const SsModelBlock *block, const SsModelRow *row, const char *part, int k,
                         double amount, double a, double b);
SS_NODISCARD SsStatus ss_metrics_visit_rows (const SsScenario *scenario, const double *x, SsRowVisit *visit, void *data,
                                             SsError *err);
/* Both in one pass. */
SS_NODISCARD SsStatus ss_metrics_compute_and_visit (const SsScenario *scenario, const double *x, SsRowVisit *visit,
                                                    void *data, SsMetrics *out, SsError *err);
/* Puts them into the set of a run. */
void ss_metrics_fill_set (const SsMetrics *metrics, SsMetricSet *set);
/* How the tracking error of a kind is called there. */
SsMetric ss_metrics_of_track (SsTrackKind kind);
