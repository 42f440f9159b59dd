/* engine/judge/ss-metrics.c: walks the model point by point and evaluates each formula node by node; see ss-metrics.h.
 *
 * A value that is not finite counts as an infinite violation, so that no comparison can take it for a success.
 */
#include "judge/ss-metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Thresholds of success of paper 004, sec. IV-C. */
static const double success_violation = 1e-5;
static const double success_position = 0.1;   /* [m]     */
static const double success_velocity = 0.5;   /* [m/s]   */
static const double success_angle = PI / 6;   /* [rad]   */
static const double success_omega = 0.1 * PI; /* [rad/s] */

typedef struct {
  const SsScenario *scenario;
  const SsModel *model;
  const double *x;
  double *inputs; /* model slots at the current point */
  double *memo;   /* by node */
  int *stamp;     /* by node: memo is of that tick */
  int *sign_seen; /* by node: point + 1 at which `node >= 0` was last counted as a row */
  int tick;
  SsMetrics *out;
  SsRowVisit *visit; /* NULL: nobody asks */
  void *data;
  const SsModelBlock *block; /* of the row under way, and the values of its formulas */
  double a, b;
} Walk;

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Inputs of all formulas at point k; what does not exist at the last point is NaN, so that reading it shows. */
static void
go_to_point (Walk *walk, int k)
{
  const SsModel *model = walk->model;
  int n = model->n_variables;

  for (int v = 0; v < n; v++) {
    walk->inputs[v] = walk->x[(size_t)k * n + v];
    walk->inputs[model->slot_next + v] = k + 1 < model->n_points ? walk->x[(size_t)(k + 1) * n + v] : NAN;
  }
  for (int p = 0; p < walk->scenario->n_parameters; p++)
    walk->inputs[model->slot_parameters + p] = walk->scenario->parameters[p].value;
  walk->inputs[model->slot_k] = k;
  walk->inputs[model->slot_t] = k * model->time_step;
  walk->tick++;
}

static double
value_of (Walk *walk, SsExpr e)
{
  double value =
      ss_graph_eval (walk->scenario->graph, e, walk->inputs, walk->model->n_slots, walk->memo, walk->stamp, walk->tick);

  if (!isfinite (value)) {
    walk->out->is_finite = false;
    return INFINITY;
  }
  return value;
}

/* One row violated by `amount`. */
static void
count_violation (Walk *walk, double amount, double *worst_of_kind, const SsModelRow *row, const char *part, int k)
{
  SsMetrics *out = walk->out;

  if (walk->visit != NULL)
    walk->visit (walk->data, walk->block, row, part, k, amount, walk->a, walk->b);
  out->l1_violation += amount;
  if (amount > *worst_of_kind)
    *worst_of_kind = amount;
  if (amount > out->max_violation) {
    out->max_violation = amount;
    snprintf (out->worst, sizeof out->worst, "%s%s at k = %d", row->path != NULL ? row->path : "", part, k);
  }
}

static double
shortfall (double value)
{
  return isinf (value) ? INFINITY : value < 0 ? -value : 0;
}

static void
count_listed_row (Walk *walk, const SsModelRow *row, int k)
{
  walk->a = value_of (walk, row->a);
  walk->b = NAN;
  if (row->kind == SS_ROWS_EQUALITY) {
    walk->out->n_equalities++;
    count_violation (walk, fabs (walk->a), &walk->out->violation_equality, row, "", k);
  } else {
    walk->out->n_inequalities++;
    walk->sign_seen[row->a] = k + 1;
    count_violation (walk, shortfall (walk->a), &walk->out->violation_inequality, row, "", k);
  }
}

/* The sign of one side of a pair, unless that formula was already a row at this point. */
static void
count_sign (Walk *walk, const SsModelRow *row, SsExpr side, const char *part, int k)
{
  if (walk->sign_seen[side] == k + 1)
    return;
  walk->sign_seen[side] = k + 1;
  walk->out->n_inequalities++;
  count_violation (walk, shortfall (value_of (walk, side)), &walk->out->violation_inequality, row, part, k);
}

static void
count_pair (Walk *walk, const SsModelRow *row, int k)
{
  double product, size;

  walk->a = value_of (walk, row->a);
  walk->b = value_of (walk, row->b);
  product = walk->a * walk->b;
  if (row->impose_a)
    count_sign (walk, row, row->a, " (first)", k);
  if (row->impose_b)
    count_sign (walk, row, row->b, " (second)", k);
  if (!isfinite (product)) {
    walk->out->is_finite = false;
    product = INFINITY;
  }
  size = fabs (product);
  if (size > walk->out->complementarity)
    walk->out->complementarity = size;
  walk->out->n_inequalities++;
  walk->out->n_products++;
  count_violation (walk, product > 0 ? product : 0, &walk->out->violation_product, row, " (product)", k);
}

/* All rows and costs at point k: listed rows of all blocks first, because they decide which signs of pairs are rows of
 * their own. */
static void
count_point (Walk *walk, int k)
{
  const SsModel *model = walk->model;

  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < model->n_blocks; b++) {
      const SsModelBlock *block = &model->blocks[b];

      if (!ss_model_is_point (block->first, block->last, block->stride, k))
        continue;
      walk->block = block;
      for (int r = 0; r < block->n_rows; r++) {
        bool is_pair = block->rows[r].kind == SS_ROWS_COMPLEMENTARY;

        if (pass == 0 && !is_pair)
          count_listed_row (walk, &block->rows[r], k);
        if (pass == 1 && is_pair)
          count_pair (walk, &block->rows[r], k);
      }
    }
  for (int c = 0; c < model->n_costs; c++)
    if (!model->costs[c].is_penalty &&
        ss_model_is_point (model->costs[c].first, model->costs[c].last, model->costs[c].stride, k))
      walk->out->objective += value_of (walk, model->costs[c].cost);
}

/* ---- tracking ---------------------------------------------------------------------------------------------------- */

/* To (-pi, pi]. */
static double
wrap_angle (double angle)
{
  double wrapped = remainder (angle, 2 * PI);

  return wrapped <= -PI ? wrapped + 2 * PI : wrapped;
}

/* Norms of the terminal residuals; the walk stands at the last point. */
static void
measure_tracking (Walk *walk)
{
  const SsTask *task = &walk->scenario->task;
  SsMetrics *out = walk->out;
  double squares[SS_TRACK_COUNT] = {0}, all = 0;
  bool is_there[SS_TRACK_COUNT] = {false};

  for (int r = 0; r < task->n_tracking; r++) {
    const SsTracking *tracking = &task->tracking[r];
    double residual = value_of (walk, tracking->residual);

    if (tracking->wrap && isfinite (residual))
      residual = wrap_angle (residual);
    is_there[tracking->kind] = true;
    squares[tracking->kind] += residual * residual;
    all += residual * residual;
  }
  for (int kind = 0; kind < SS_TRACK_COUNT; kind++)
    out->tracking[kind] = is_there[kind] ? sqrt (squares[kind]) : NAN;
  out->tracking_error = task->n_tracking > 0 ? sqrt (all) : NAN;
}

/* A kind that the scenario does not track is no hindrance. */
static bool
is_below (double norm, double threshold)
{
  return isnan (norm) || norm < threshold;
}

static SsStatus
compute (const SsScenario *scenario, const double *x, SsRowVisit *visit, void *data, SsMetrics *out, SsError *err)
{
  const SsModel *model = scenario->model;
  int n_nodes = ss_graph_n_nodes (scenario->graph);
  Walk walk = {.scenario = scenario, .model = model, .x = x, .visit = visit, .data = data};
  SsMetrics metrics = {.is_finite = true};
  SsStatus status = SS_OK;

  if (model == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "the scenario has a scene and no model in equations");
  walk.out = &metrics;
  walk.inputs = ss_new_array (double, model->n_slots);
  walk.memo = ss_new_array (double, n_nodes);
  walk.stamp = ss_new_array (int, n_nodes);
  walk.sign_seen = ss_new_array (int, n_nodes);
  if (walk.inputs == NULL || walk.memo == NULL || walk.stamp == NULL || walk.sign_seen == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    goto done;
  }
  metrics.n_variables = model->n_points * model->n_variables;
  for (int k = 0; k < model->n_points; k++) {
    go_to_point (&walk, k);
    count_point (&walk, k);
  }
  measure_tracking (&walk);
  metrics.success_paper = metrics.is_finite && metrics.max_violation < success_violation &&
                          is_below (metrics.tracking[SS_TRACK_POSITION], success_position) &&
                          is_below (metrics.tracking[SS_TRACK_VELOCITY], success_velocity) &&
                          is_below (metrics.tracking[SS_TRACK_ANGLE], success_angle) &&
                          is_below (metrics.tracking[SS_TRACK_ANGULAR_VELOCITY], success_omega);
  *out = metrics;

done:
  ss_free (walk.inputs);
  ss_free (walk.memo);
  ss_free (walk.stamp);
  ss_free (walk.sign_seen);
  return status;
}

SsStatus
ss_metrics_compute (const SsScenario *scenario, const double *x, SsMetrics *out, SsError *err)
{
  SS_ASSERT (scenario != NULL && x != NULL && out != NULL);
  return compute (scenario, x, NULL, NULL, out, err);
}

SsStatus
ss_metrics_visit_rows (const SsScenario *scenario, const double *x, SsRowVisit *visit, void *data, SsError *err)
{
  SS_ASSERT (scenario != NULL && x != NULL && visit != NULL);
  SsMetrics metrics;

  return compute (scenario, x, visit, data, &metrics, err);
}

SsStatus
ss_metrics_compute_and_visit (const SsScenario *scenario, const double *x, SsRowVisit *visit, void *data,
                              SsMetrics *out, SsError *err)
{
  SS_ASSERT (scenario != NULL && x != NULL && visit != NULL && out != NULL);
  return compute (scenario, x, visit, data, out, err);
}

SsMetric
ss_metrics_of_track (SsTrackKind kind)
{
  static const SsMetric metrics[SS_TRACK_COUNT] = {[SS_TRACK_POSITION] = SS_METRIC_TRACKING_POSITION,
                                                   [SS_TRACK_VELOCITY] = SS_METRIC_TRACKING_VELOCITY,
                                                   [SS_TRACK_ANGLE] = SS_METRIC_TRACKING_ANGLE,
                                                   [SS_TRACK_ANGULAR_VELOCITY] = SS_METRIC_TRACKING_ANGULAR_VELOCITY};

  SS_ASSERT (kind >= 0 && kind < SS_TRACK_COUNT);
  return metrics[kind];
}

void
ss_metrics_fill_set (const SsMetrics *metrics, SsMetricSet *set)
{
  SS_ASSERT (metrics != NULL && set != NULL);
  ss_metric_set (set, SS_METRIC_OBJECTIVE, metrics->objective);
  ss_metric_set (set, SS_METRIC_MAX_VIOLATION, metrics->max_violation);
  ss_metric_set (set, SS_METRIC_COMPLEMENTARITY, metrics->complementarity);
  ss_metric_set (set, SS_METRIC_VIOLATION_EQUALITY, metrics->violation_equality);
  ss_metric_set (set, SS_METRIC_VIOLATION_INEQUALITY, metrics->violation_inequality);
  ss_metric_set (set, SS_METRIC_VIOLATION_PRODUCT, metrics->violation_product);
  ss_metric_set (set, SS_METRIC_L1_VIOLATION, metrics->l1_violation);
  for (int kind = 0; kind < SS_TRACK_COUNT; kind++)
    ss_metric_set (set, ss_metrics_of_track ((SsTrackKind)kind), metrics->tracking[kind]);
  ss_metric_set (set, SS_METRIC_TRACKING_TOTAL, metrics->tracking_error);
  ss_metric_set (set, SS_METRIC_SUCCESS_PAPER, metrics->success_paper);
  ss_metric_set (set, SS_METRIC_N_VARIABLES, metrics->n_variables);
  ss_metric_set (set, SS_METRIC_N_CONSTRAINTS, metrics->n_equalities + metrics->n_inequalities);
  ss_metric_set (set, SS_METRIC_N_EQUALITIES, metrics->n_equalities);
  ss_metric_set (set, SS_METRIC_N_INEQUALITIES, metrics->n_inequalities);
  ss_metric_set (set, SS_METRIC_N_PRODUCTS, metrics->n_products);
}
