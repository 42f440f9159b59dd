/* engine/nlp/ss-least-violation.c: see the header. */
#include "nlp/ss-least-violation.h"

#include "nlp/ss-crisp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FEASIBLE = 1e-6;
static const double BOX = 0.1, FAR_BOX = 1e6;
static const double LEAST_PART = 0.9; /* of the sum, of the bound: the rest is accuracy and curvature */
static const double WEIGHT = 1e-3;    /* of the largest */
static const double DECREASE = 1e-6;  /* promised part of the sum at which the search ends */
static const double SMALL_SUM = 1e-3; /* the same of sums below this is told from this */
enum { MOST_ITERATIONS = 150 };

static void
set_options (SsCrispOptions *o)
{
  ss_options_init (ss_nlp_crisp.options, o);
  o->mu0 = o->mu_max = 1;
  o->k_max = MOST_ITERATIONS;
  o->level_iterations = o->restarts = 0;
  o->eps_decrease = DECREASE;
  o->merit_floor = SMALL_SUM;
  o->certify = true; /* accurate multipliers */
}

/* -w'c - sum box |C'w|; slope: n, scratch. */
static double
bound_of (const SsMpcc *mpcc, const double *x, const double *c, const double *jacobian, const double *w, double box,
          double *slope)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (mpcc);
  const int n = ss_mpcc_n_variables (mpcc), n_rows = ss_mpcc_n_rows (mpcc);
  double bound = 0;

  memset (slope, 0, (size_t)n * sizeof *slope);
  for (int i = 0; i < n_rows; i++) {
    bound -= w[i] * c[i];
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++)
      slope[pattern->index[k]] += w[i] * jacobian[k];
  }
  for (int j = 0; j < n; j++)
    bound -= box * fmax (1, fabs (x[j])) * fabs (slope[j]);
  return bound;
}

/* Weights are in their intervals, whatever the solver says. */
static void
choose_weights (const SsMpcc *mpcc, const double *y, double *w)
{
  const int n_eq = ss_mpcc_n_equalities (mpcc);

  for (int i = 0; i < ss_mpcc_n_rows (mpcc); i++)
    w[i] = i < n_eq ? fmax (-1, fmin (1, y[i])) : fmax (0, fmin (1, y[i]));
}

static void
list_rows (const SsMpcc *mpcc, const double *w, SsLeastViolation *r)
{
  double largest = 0, before = INFINITY;

  r->is_global = true;
  for (int i = 0; i < ss_mpcc_n_rows (mpcc); i++)
    largest = fmax (largest, fabs (w[i]));
  for (int i = 0; i < ss_mpcc_n_rows (mpcc); i++) {
    if (!(fabs (w[i]) > WEIGHT * largest))
      continue;
    r->n_rows++;
    r->is_global = r->is_global && ss_mpcc_row_is_affine (mpcc, i);
  }
  for (int place = 0, last = -1; place < SS_CONFLICT_ROWS && place < r->n_rows; place++) {
    int best = -1;
    for (int i = 0; i < ss_mpcc_n_rows (mpcc); i++) {
      const double size = fabs (w[i]);
      const bool is_after = size < before || (size == before && i > last);
      if (is_after && (best < 0 || size > fabs (w[best])))
        best = i;
    }
    before = fabs (w[best]);
    r->rows[place] = last = best;
  }
}

static SsStatus
judge (const SsMpcc *mpcc, const double *x, const double *y, SsLeastViolation *r, SsError *err)
{
  const int n_eq = ss_mpcc_n_equalities (mpcc), n_rows = ss_mpcc_n_rows (mpcc);
  SsMpccEval *eval = NULL;
  SsStatus status = ss_mpcc_eval_new (mpcc, &eval, err);
  double *c = ss_new_array (double, n_rows + 1), *w = ss_new_array (double, n_rows + 1),
         *jacobian = ss_new_array (double, ss_mpcc_jacobian_pattern (mpcc)->start[n_rows] + 1),
         *slope = ss_new_array (double, ss_mpcc_n_variables (mpcc) + 1);
  double worst = 0;

  if (status == SS_OK && (c == NULL || w == NULL || jacobian == NULL || slope == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK) {
    ss_mpcc_rows (eval, x, c);
    ss_mpcc_jacobian (eval, x, jacobian);
    for (int i = 0; i < n_rows; i++) {
      const double violation = i < n_eq ? fabs (c[i]) : fmax (0, -c[i]);
      r->sum += violation;
      worst = fmax (worst, violation);
    }
    r->is_feasible = worst < FEASIBLE;
    if (y != NULL && !r->is_feasible && isfinite (r->sum)) {
      choose_weights (mpcc, y, w);
      r->bound = bound_of (mpcc, x, c, jacobian, w, BOX, slope);
      r->is_least = r->bound >= LEAST_PART * r->sum;
      list_rows (mpcc, w, r);
      r->is_global = r->is_global && r->is_least && bound_of (mpcc, x, c, jacobian, w, FAR_BOX, slope) > 0;
    }
  }
  ss_mpcc_eval_free (eval);
  ss_free (c);
  ss_free (w);
  ss_free (jacobian);
  ss_free (slope);
  return status;
}

SsStatus
ss_least_violation_look (SsMpcc *mpcc, const double *x0, SsRunControl *control, double *x, SsLeastViolation *r,
                         SsError *err)
{
  SS_ASSERT (mpcc != NULL && x0 != NULL && x != NULL && r != NULL);

  const double scale = ss_mpcc_objective_scale (mpcc), cpu = ss_clock_thread_cpu ();
  SsCrispOptions options;
  SsNlpResult found;
  SsRunControl silent;
  void *solver = NULL;

  *r = (SsLeastViolation){0};
  set_options (&options);
  if (control == NULL) {
    ss_run_control_init (&silent);
    control = &silent;
  }
  const SsProgressFunc progress = control->progress; /* another problem's iterates are nobody's */
  control->progress = NULL;
  ss_mpcc_set_objective_scale (mpcc, 0);
  SsStatus status = ss_nlp_crisp.new_ (mpcc, &options, &solver, err);
  if (status == SS_OK)
    status = ss_nlp_crisp.solve (solver, x0, control, &found, err);
  control->progress = progress;
  ss_mpcc_set_objective_scale (mpcc, scale);
  if (status == SS_OK) {
    memcpy (x, found.x, (size_t)ss_mpcc_n_variables (mpcc) * sizeof *x);
    status = judge (mpcc, x, found.multipliers, r, err);
  }
  if (solver != NULL)
    ss_nlp_crisp.free_ (solver);
  r->cpu_seconds = ss_clock_thread_cpu () - cpu;
  return status;
}

void
ss_least_violation_describe (const SsMpcc *mpcc, const SsLeastViolation *r, char *text, size_t size)
{
  SS_ASSERT (r != NULL);

  char rows[160] = "", more[32] = "";
  size_t used = 0;
  int n = 0;

  for (; n < r->n_rows && n < SS_CONFLICT_ROWS && used < sizeof rows - 40; n++)
    used += (size_t)snprintf (rows + used, sizeof rows - used, "%s%.36s", n > 0 ? ", " : "",
                              ss_mpcc_row_name (mpcc, r->rows[n]));
  if (n < r->n_rows)
    snprintf (more, sizeof more, " and %d more", r->n_rows - n);
  snprintf (text, size, "no point %s is feasible: row%s %s%s %s",
            r->is_global ? "within 1e6 of here" : "near here (farther away some may be)", r->n_rows > 1 ? "s" : "",
            rows, more, r->n_rows > 1 ? "conflict" : "cannot be kept");
}
