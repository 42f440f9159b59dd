/* engine/nlp/ss-stationarity.c: see the header. */
#include "nlp/ss-stationarity.h"

#include "nlp/ss-branch.h"
#include "nlp/ss-kkt.h"
#include "qp/ss-qp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ACTIVE = 1e-6; /* a row or side up to this is zero */
/* Products of 1e-6 are kept by sides of 1e-3: up to this, sides within that factor of each other are both zero. */
static const double SMALL_SIDE = 1e-3, ALIKE = 100;
static const double BOX = 0.1, TOLERANCE = 1e-6;
static const double PRICE_FIRST = 30, PRICE_GROWTH = 100, PRICE_MOST = 1e8; /* of the largest slope */
static const double RESIDUAL = 1e-9, GAP = 0.01;
static const double HAS_SIGN = 1e-5;            /* of the largest multiplier: less is none */
static const double HELD = 1e12, LOOSE = 1e-8;  /* correction of multipliers: what does not move, what does */
static const double SOFT = 1e-8, CURVED = 1e-6; /* inertia: of rows whose largest derivative is 1, of the Hessian */
enum { LP_ITERATIONS = 80, CORRECTIONS = 3, MOST_PATTERNS_OF = 4, PRICES = 3 };

/* Of a row, for the curvature: kept by all directions; by those of the smaller space; by none. */
typedef enum { HELD_ROW, LOOSE_ROW, OTHER_ROW } Role;

/* Signs that the sides' multipliers may have, of a pair that is zero on both. */
typedef enum { POSITIVE, ANY, ONLY_A, ONLY_B, NEGATIVE } Signs;

typedef struct {
  const SsMpcc *mpcc;
  SsRunControl *control;
  SsStationarity *result;
  SsError *err;
  int n, n_eq, n_rows, n_pairs;
  const double *x;
  SsMpccEval *eval;
  double *c, *gradient, *jacobian, *hessian;
  double tolerance, steepest;
  int *open;          /* pairs that are zero on both sides */
  signed char *signs; /* n_pairs: Signs of these */
  bool *is_zero;      /* n_rows: rows of sides that are zero */
  signed char *role;  /* n_rows: Role */
  /* the program: rows, a product's in the place of -a >= 0, then n_pairs rows -b >= 0 */
  SsPattern h_pattern, lp_pattern;
  SsQp *qp;
  double *c_lp, *j_lp, *mu, *lower, *upper, *zeros;
  double *y, *slope; /* n_rows: multipliers, of sides with their sign; n */
  /* [H J'; J -E] */
  SsKkt kkt;
  SsLdl *ldl;
  double *values, *rhs, *lambda;
} Look;

/* ---- set-up ------------------------------------------------------------------------------------------------------ */

static int
side_row (const Look *l, int pair, int side)
{
  return ss_branch_zero_row (l->mpcc, pair, side);
}

static int
product_row (const Look *l, int pair)
{
  return l->n_eq + ss_mpcc_pairs (l->mpcc)[pair].product_row;
}

static bool
is_enough (const void *const *pointers, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (pointers[i] == NULL)
      return false;
  return true;
}

static SsStatus
make_program (Look *l)
{
  const SsPattern *j = ss_mpcc_jacobian_pattern (l->mpcc);
  int entries = j->start[l->n_rows], k;
  SsStatus status = ss_pattern_init (&l->h_pattern, l->n, l->n, l->n, l->err);

  for (int i = 0; i < l->n_pairs; i++)
    entries += j->start[product_row (l, i) + 1] - j->start[product_row (l, i)];
  if (status == SS_OK)
    status = ss_pattern_init (&l->lp_pattern, l->n_rows + l->n_pairs, l->n, entries, l->err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < l->n; i++) {
    l->h_pattern.start[i + 1] = i + 1;
    l->h_pattern.index[i] = i;
  }
  k = j->start[l->n_rows];
  memcpy (l->lp_pattern.start, j->start, ((size_t)l->n_rows + 1) * sizeof (int));
  memcpy (l->lp_pattern.index, j->index, (size_t)k * sizeof (int));
  for (int i = 0; i < l->n_pairs; i++) {
    for (int e = j->start[product_row (l, i)]; e < j->start[product_row (l, i) + 1]; e++)
      l->lp_pattern.index[k++] = j->index[e];
    l->lp_pattern.start[l->n_rows + i + 1] = k;
  }
  l->j_lp = ss_new_array (double, k + 1);
  l->c_lp = ss_new_array (double, l->n_rows + l->n_pairs + 1);
  l->mu = ss_new_array (double, l->n_rows + l->n_pairs + 1);
  if (l->j_lp == NULL || l->c_lp == NULL || l->mu == NULL)
    return ss_error_set (l->err, SS_ERR_MEMORY, "out of memory");
  const SsQpShape shape = {l->n, l->n_eq, l->n_rows + l->n_pairs - l->n_eq, &l->h_pattern, &l->lp_pattern, NULL};
  return ss_qp_new (&shape, NULL, &l->qp, l->err);
}

static SsStatus
make_matrix (Look *l)
{
  const SsStatus status = ss_kkt_make (l->mpcc, NULL, l->n_rows, &l->kkt, l->err);

  if (status != SS_OK)
    return status;
  l->values = ss_new_array (double, l->kkt.pattern.start[l->kkt.size] + 1);
  l->rhs = ss_new_array (double, l->kkt.size + 1);
  return l->values == NULL || l->rhs == NULL ? ss_error_set (l->err, SS_ERR_MEMORY, "out of memory")
                                             : ss_ldl_new (&l->kkt.pattern, &l->ldl, l->err);
}

static SsStatus
allocate (Look *l)
{
  const int n_j = ss_mpcc_jacobian_pattern (l->mpcc)->start[l->n_rows],
            n_h = ss_mpcc_lagrangian_hessian_pattern (l->mpcc)->start[l->n];

  l->c = ss_new_array (double, l->n_rows + 1);
  l->y = ss_new_array (double, l->n_rows + 1);
  l->lambda = ss_new_array (double, l->n_rows + 1);
  l->jacobian = ss_new_array (double, n_j + 1);
  l->hessian = ss_new_array (double, n_h + 1);
  l->gradient = ss_new_array (double, l->n + 1);
  l->slope = ss_new_array (double, l->n + 1);
  l->lower = ss_new_array (double, l->n + 1);
  l->upper = ss_new_array (double, l->n + 1);
  l->zeros = ss_new_array (double, l->n + 1);
  l->open = ss_new_array (int, l->n_pairs + 1);
  l->signs = ss_new_array (signed char, l->n_pairs + 1);
  l->is_zero = ss_new_array (bool, l->n_rows + 1);
  l->role = ss_new_array (signed char, l->n_rows + 1);
  return is_enough ((const void *[]){l->c, l->y, l->lambda, l->jacobian, l->hessian, l->gradient, l->slope, l->lower,
                                     l->upper, l->zeros, l->open, l->signs, l->is_zero, l->role},
                    14)
             ? SS_OK
             : ss_error_set (l->err, SS_ERR_MEMORY, "out of memory");
}

static void
clear (Look *l)
{
  ss_mpcc_eval_free (l->eval);
  ss_qp_free (l->qp);
  ss_ldl_free (l->ldl);
  ss_pattern_clear (&l->h_pattern);
  ss_pattern_clear (&l->lp_pattern);
  ss_kkt_clear (&l->kkt);
  void *const all[] = {l->c,     l->y,     l->lambda, l->jacobian, l->hessian, l->gradient, l->slope,
                       l->lower, l->upper, l->zeros,  l->open,     l->signs,   l->is_zero,  l->j_lp,
                       l->c_lp,  l->mu,    l->values, l->rhs,      l->role};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    ss_free (all[i]);
}

static bool
are_both_zero (const Look *l, int a, int b)
{
  const double less = fmin (l->c[a], l->c[b]), more = fmax (l->c[a], l->c[b]);

  return more <= ACTIVE || (more <= SMALL_SIDE && more <= ALIKE * less);
}

/* Values, the box, and which sides are zero. */
static void
evaluate (Look *l)
{
  double most = 0;

  ss_mpcc_rows (l->eval, l->x, l->c);
  ss_mpcc_jacobian (l->eval, l->x, l->jacobian);
  ss_mpcc_gradient (l->eval, l->x, l->gradient);
  for (int j = 0; j < l->n; j++) {
    l->upper[j] = BOX * fmax (1, fabs (l->x[j]));
    l->lower[j] = -l->upper[j];
    most += l->upper[j] * fabs (l->gradient[j]);
    l->steepest = fmax (l->steepest, fabs (l->gradient[j]));
  }
  l->tolerance = TOLERANCE * (1 + fmin (fabs (ss_mpcc_objective (l->eval, l->x)), most));
  for (int i = 0; i < l->n_pairs; i++) {
    const int a = side_row (l, i, SS_ZERO_A), b = side_row (l, i, SS_ZERO_B);
    if (a < 0 || b < 0) {
      l->result->why_kind = "a side of a pair has no row of its own";
      return;
    }
    const bool both = are_both_zero (l, a, b);
    if (both && (l->is_zero[a] || l->is_zero[b]))
      l->result->why_kind = "two pairs share a side that is zero";
    if (both)
      l->open[l->result->n_biactive++] = i;
    if (both || l->c[a] <= l->c[b])
      l->is_zero[a] = true;
    if (both || l->c[a] > l->c[b])
      l->is_zero[b] = true;
  }
}

/* ---- multipliers with given signs -------------------------------------------------------------------------------- */

/* Row `to` of the program, whose pattern holds that of row `from`: sign (value + derivatives) >= 0; from -1: no row. */
static void
put_row (Look *l, int to, int from, double sign)
{
  const SsPattern *lp = &l->lp_pattern, *j = ss_mpcc_jacobian_pattern (l->mpcc);
  int at = from >= 0 ? j->start[from] : 0;
  const int end = from >= 0 ? j->start[from + 1] : 0;

  l->c_lp[to] = from >= 0 ? sign * l->c[from] : 1;
  for (int k = lp->start[to]; k < lp->start[to + 1]; k++) {
    while (at < end && j->index[at] < lp->index[k])
      at++;
    l->j_lp[k] = at < end && j->index[at] == lp->index[k] ? sign * l->jacobian[at] : 0;
  }
}

static void
set_rows (Look *l)
{
  for (int i = 0; i < l->n_rows; i++)
    put_row (l, i, i, 1);
  for (int i = 0; i < l->n_pairs; i++) {
    const int a = side_row (l, i, SS_ZERO_A), b = side_row (l, i, SS_ZERO_B);
    const bool both = are_both_zero (l, a, b);
    const int s = l->signs[i];
    put_row (l, product_row (l, i), both ? (s == POSITIVE || s == ONLY_B ? -1 : a) : l->c[a] <= l->c[b] ? a : -1, -1);
    put_row (l, l->n_rows + i, both ? (s == POSITIVE || s == ONLY_A ? -1 : b) : l->c[a] <= l->c[b] ? -1 : b, -1);
    if (both && (s == ONLY_B || s == NEGATIVE))
      put_row (l, a, -1, 1);
    if (both && (s == ONLY_A || s == NEGATIVE))
      put_row (l, b, -1, 1);
  }
}

/* Multipliers in their signs: those of products and of negative sides go into those of the sides. */
static void
merge (Look *l, const double *y)
{
  memcpy (l->y, y, (size_t)l->n_rows * sizeof (double));
  for (int i = 0; i < l->n_pairs; i++) {
    l->y[side_row (l, i, SS_ZERO_A)] -= y[product_row (l, i)];
    l->y[side_row (l, i, SS_ZERO_B)] -= y[l->n_rows + i];
  }
  for (int i = 0; i < l->n_pairs; i++)
    l->y[product_row (l, i)] = 0;
}

static void
keep_signs (Look *l)
{
  for (int i = l->n_eq; i < l->n_rows; i++)
    if (!l->is_zero[i])
      l->y[i] = fmax (0, l->y[i]);
  for (int k = 0; k < l->result->n_biactive; k++) {
    const int i = l->open[k], s = l->signs[i];
    double *u = &l->y[side_row (l, i, SS_ZERO_A)], *v = &l->y[side_row (l, i, SS_ZERO_B)];
    *u = s == POSITIVE ? fmax (0, *u) : s == NEGATIVE ? fmin (0, *u) : s == ONLY_B ? 0 : *u;
    *v = s == POSITIVE ? fmax (0, *v) : s == NEGATIVE ? fmin (0, *v) : s == ONLY_A ? 0 : *v;
  }
}

/* sum y c of what is not zero + sum box |gradient - C'y|, of multipliers that have their signs. */
static double
error_of (Look *l)
{
  const SsPattern *j = ss_mpcc_jacobian_pattern (l->mpcc);
  double sum = 0;

  memcpy (l->slope, l->gradient, (size_t)l->n * sizeof (double));
  for (int i = 0; i < l->n_rows; i++) {
    sum += i >= l->n_eq && !l->is_zero[i] ? l->y[i] * fmax (0, l->c[i]) : 0;
    for (int k = j->start[i]; k < j->start[i + 1] && l->y[i] != 0; k++)
      l->slope[j->index[k]] -= l->y[i] * l->jacobian[k];
  }
  for (int i = 0; i < l->n; i++)
    sum += l->upper[i] * fabs (l->slope[i]);
  return sum;
}

/* The least change of the multipliers that are not zero that takes the slope away. */
static void
correct (Look *l)
{
  const SsPattern *j = ss_mpcc_jacobian_pattern (l->mpcc);
  const int size = l->n + l->n_rows;

  memset (l->values, 0, (size_t)l->kkt.pattern.start[size] * sizeof (double));
  for (int i = 0; i < l->n; i++) {
    l->values[l->kkt.diagonal[i]] = 1;
    l->rhs[i] = l->slope[i];
  }
  for (int i = 0; i < l->n_rows; i++) {
    const bool moves = fabs (l->y[i]) > fabs (l->c[i]);
    l->values[l->kkt.diagonal[l->n + i]] = moves ? -LOOSE : -HELD;
    l->rhs[l->n + i] = 0;
    for (int k = j->start[i]; k < j->start[i + 1] && moves; k++)
      l->values[l->kkt.j_slot[k]] += l->jacobian[k];
  }
  if (ss_ldl_factor (l->ldl, l->values, NULL, 0, NULL) != SS_OK)
    return;
  ss_ldl_solve (l->ldl, l->rhs);
  for (int i = 0; i < l->n_rows; i++)
    l->y[i] += isfinite (l->rhs[l->n + i]) ? l->rhs[l->n + i] : 0;
}

/* Whether there are multipliers with those signs: they are in y then. */
static SsStatus
find_multipliers (Look *l, bool *is_found)
{
  SsQpOptions options;
  SsQpResult qp;
  double price = PRICE_FIRST * fmax (1, l->steepest);

  *is_found = false;
  ss_qp_options_init (&options);
  options.max_iterations = LP_ITERATIONS;
  options.tolerance_residual = RESIDUAL;
  options.gap_unit = l->tolerance;
  options.tolerance_gap = GAP;
  ss_qp_set_options (l->qp, &options);
  set_rows (l);
  for (int try = 0; try < PRICES && !*is_found; try++, price = fmin (PRICE_MOST, PRICE_GROWTH * price)) {
    for (int i = 0; i < l->n_rows + l->n_pairs; i++)
      l->mu[i] = price;
    const SsQpData data = {l->zeros, l->gradient, l->j_lp, l->c_lp, l->mu, l->lower, l->upper};
    SsStatus status = ss_qp_solve (l->qp, &data, l->control, &qp, l->err);
    if (status != SS_OK || ss_outcome_is_early (qp.outcome))
      return status;
    l->result->programs++;
    merge (l, qp.multipliers);
    keep_signs (l);
    for (int i = 0; i <= CORRECTIONS && !*is_found; i++) {
      *is_found = error_of (l) <= l->tolerance;
      if (!*is_found && i < CORRECTIONS) {
        correct (l);
        keep_signs (l);
      }
    }
    double most = 0;
    for (int i = 0; i < l->n_rows; i++)
      most = fmax (most, fabs (qp.multipliers[i]));
    if (most < 0.5 * price) /* larger ones were not asked for */
      break;
  }
  return SS_OK;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

/* All patterns of these signs, until one has multipliers. */
static SsStatus
try_patterns (Look *l, const Signs *choices, int n_choices, bool *is_found)
{
  const int n = l->result->n_biactive;
  int count = 1;
  SsStatus status = SS_OK;

  for (int k = 0; k < n; k++)
    count *= n_choices;
  *is_found = false;
  for (int pattern = 1; pattern < count && status == SS_OK && !*is_found; pattern++) { /* 0: strongly, was tried */
    for (int k = 0, rest = pattern; k < n; k++, rest /= n_choices)
      l->signs[l->open[k]] = (signed char)choices[rest % n_choices];
    status = find_multipliers (l, is_found);
  }
  return status;
}

/* The one pattern that is nearest to the multipliers in y, which have any signs. */
static SsStatus
try_nearest (Look *l, bool is_m, bool *is_found)
{
  for (int k = 0; k < l->result->n_biactive; k++) {
    const int i = l->open[k];
    const double u = l->y[side_row (l, i, SS_ZERO_A)], v = l->y[side_row (l, i, SS_ZERO_B)];
    l->signs[i] = (signed char)(fmin (u, v) >= 0       ? POSITIVE
                                : !is_m && u + v < 0   ? NEGATIVE
                                : !is_m                ? POSITIVE
                                : fabs (u) >= fabs (v) ? ONLY_A
                                                       : ONLY_B);
  }
  return find_multipliers (l, is_found);
}

static SsStatus
try_weakly (Look *l, bool *is_found)
{
  for (int k = 0; k < l->result->n_biactive; k++)
    l->signs[l->open[k]] = ANY;
  return find_multipliers (l, is_found);
}

static SsStatus
find_kind (Look *l)
{
  static const Signs m[] = {POSITIVE, ONLY_A, ONLY_B}, c[] = {POSITIVE, NEGATIVE};
  SsStationarity *r = l->result;
  const bool is_all = r->n_biactive <= MOST_PATTERNS_OF;
  bool is_found = false, is_weak = false;
  SsStatus status = find_multipliers (l, &is_found); /* all POSITIVE */

  r->is_complete = true;
  r->kind = is_found ? SS_STATIONARY_STRONGLY : SS_STATIONARY_NONE;
  if (status != SS_OK || is_found || r->n_biactive == 0)
    return status;
  status = try_weakly (l, &is_weak);
  if (status != SS_OK || !is_weak)
    return status;
  r->is_complete = is_all;
  r->kind = SS_STATIONARY_M;
  status = is_all ? try_patterns (l, m, 3, &is_found) : try_nearest (l, true, &is_found);
  if (status != SS_OK || is_found)
    return status;
  r->kind = SS_STATIONARY_C;
  if (!is_all)
    status = try_weakly (l, &is_weak);
  if (status == SS_OK)
    status = is_all ? try_patterns (l, c, 2, &is_found) : try_nearest (l, false, &is_found);
  if (status == SS_OK && !is_found)
    r->kind = SS_STATIONARY_WEAKLY;
  return status;
}

/* ---- curvature --------------------------------------------------------------------------------------------------- */

/* What each row is for the curvature. */
static void
take_roles (Look *l)
{
  double largest = 1;

  for (int i = 0; i < l->n_rows; i++)
    largest = fmax (largest, fabs (l->y[i]));
  for (int i = 0; i < l->n_rows; i++) {
    const bool is_held = i < l->n_eq || fabs (l->y[i]) > HAS_SIGN * largest;
    l->role[i] = is_held ? HELD_ROW : l->is_zero[i] || l->c[i] <= ACTIVE ? LOOSE_ROW : OTHER_ROW;
  }
  for (int i = 0; i < l->n_pairs; i++) {
    const int a = side_row (l, i, SS_ZERO_A), b = side_row (l, i, SS_ZERO_B);
    l->role[product_row (l, i)] = OTHER_ROW;
    if (!are_both_zero (l, a, b)) /* one branch only */
      l->role[l->c[a] <= l->c[b] ? a : b] = HELD_ROW;
  }
}

/* Negative eigenvalues beyond one a row, on the directions that keep the rows up to that role; 0: positive on all of
 * them. shift: of the Hessian, in units of its largest entry. -1: not known. */
static int
n_negative (Look *l, Role most, double shift)
{
  const SsPattern *h = ss_mpcc_lagrangian_hessian_pattern (l->mpcc), *j = ss_mpcc_jacobian_pattern (l->mpcc);
  const int size = l->n + l->n_rows;
  double largest = 0;

  for (int k = 0; k < h->start[l->n]; k++)
    largest = fmax (largest, fabs (l->hessian[k]));
  memset (l->values, 0, (size_t)l->kkt.pattern.start[size] * sizeof (double));
  for (int k = 0; k < h->start[l->n] && largest > 0; k++)
    l->values[l->kkt.h_slot[k]] += l->hessian[k] / largest;
  for (int i = 0; i < l->n; i++)
    l->values[l->kkt.diagonal[i]] += shift;
  for (int i = 0; i < l->n_rows; i++) {
    double steepest = 0;
    for (int k = j->start[i]; k < j->start[i + 1]; k++)
      steepest = fmax (steepest, fabs (l->jacobian[k]));
    const bool is_kept = (Role)l->role[i] <= most && steepest > 0;
    l->values[l->kkt.diagonal[l->n + i]] = is_kept ? -SOFT : -1;
    for (int k = j->start[i]; k < j->start[i + 1] && is_kept; k++)
      l->values[l->kkt.j_slot[k]] += l->jacobian[k] / steepest;
  }
  if (ss_ldl_factor (l->ldl, l->values, NULL, 0, NULL) != SS_OK)
    return -1;
  return ss_ldl_n_negative (l->ldl) - l->n_rows;
}

static void
look_at_curvature (Look *l)
{
  SsStationarity *r = l->result;
  bool has_loose = false;

  if (r->kind < SS_STATIONARY_M) {
    r->why_nothing = "no branch has multipliers";
    return;
  }
  take_roles (l);
  for (int i = 0; i < l->n_rows; i++) {
    l->lambda[i] = -l->y[i];
    has_loose = has_loose || l->role[i] == LOOSE_ROW;
  }
  ss_mpcc_lagrangian_hessian (l->eval, l->x, 1, l->lambda, l->hessian);
  if (n_negative (l, HELD_ROW, -CURVED) == 0)
    r->curvature = SS_CURVATURE_HOLDS;
  else if (n_negative (l, LOOSE_ROW, CURVED) > 0)
    r->curvature = SS_CURVATURE_FAILS;
  else
    r->why_nothing = has_loose ? "rows are active without a multiplier" : "some direction has no curvature";
}

SsStatus
ss_stationarity_look (const SsMpcc *mpcc, const double *x, SsRunControl *control, SsStationarity *result, SsError *err)
{
  SS_ASSERT (mpcc != NULL && x != NULL && result != NULL);

  const double cpu = ss_clock_thread_cpu ();
  Look l = {.mpcc = mpcc,
            .control = control,
            .result = result,
            .err = err,
            .n = ss_mpcc_n_variables (mpcc),
            .n_eq = ss_mpcc_n_equalities (mpcc),
            .n_rows = ss_mpcc_n_rows (mpcc),
            .n_pairs = ss_mpcc_n_pairs (mpcc),
            .x = x};
  SsOutcome why;

  *result = (SsStationarity){.why_kind = "", .why_nothing = ""};
  SsStatus status = ss_mpcc_eval_new (mpcc, &l.eval, err);
  if (status == SS_OK)
    status = allocate (&l);
  if (status == SS_OK) {
    evaluate (&l);
    if (result->why_kind[0] == '\0' && (status = make_program (&l)) == SS_OK && (status = make_matrix (&l)) == SS_OK)
      status = find_kind (&l);
  }
  if (status == SS_OK && ss_run_control_should_stop (control, &why)) {
    result->kind = SS_STATIONARY_NOT_CHECKED;
    result->why_kind = "stopped";
  } else if (status == SS_OK && result->kind != SS_STATIONARY_NOT_CHECKED) {
    look_at_curvature (&l);
  }
  clear (&l);
  result->cpu_seconds = ss_clock_thread_cpu () - cpu;
  return status;
}

void
ss_stationarity_describe (const SsStationarity *r, char *text, size_t size)
{
  SS_ASSERT (r != NULL);
  static const char *const kinds[] = {[SS_STATIONARY_NOT_CHECKED] = "stationarity not checked",
                                      [SS_STATIONARY_NONE] = "no multipliers found to 1e-6",
                                      [SS_STATIONARY_WEAKLY] = "weakly stationary",
                                      [SS_STATIONARY_C] = "C-stationary",
                                      [SS_STATIONARY_M] = "M-stationary",
                                      [SS_STATIONARY_STRONGLY] = "strongly stationary"};
  static const char *const curvatures[] = {
      [SS_CURVATURE_NOT_CHECKED] = "not checked", [SS_CURVATURE_HOLDS] = "holds", [SS_CURVATURE_FAILS] = "fails"};

  char pairs[48] = "";

  if (r->n_biactive > 0)
    snprintf (pairs, sizeof pairs, " (%d pair%s zero on both sides)", r->n_biactive, r->n_biactive > 1 ? "s" : "");
  if (r->kind == SS_STATIONARY_NOT_CHECKED)
    snprintf (text, size, "%s: %s", kinds[r->kind], r->why_kind);
  else
    snprintf (text, size, "%s%s%s; second order %s%s%s", r->is_complete ? "" : "at least ", kinds[r->kind], pairs,
              curvatures[r->curvature], r->why_nothing[0] != '\0' ? ": " : "", r->why_nothing);
}
