/* engine/bound/ss-bound-relax.c: see ss-bound-relax.h. */
#include "bound/ss-bound-relax.h"

#include "core/ss-forest.h"
#include "qp/ss-qp.h"

#include <string.h>

static const double FAR = 100;       /* stands for a limit that is not there, of the constants of rows and of 10 */
static const double FAR_AWAY = 0.02; /* of that distance */
static const double NARROW = 1e-9;   /* half width of the box of a fixed variable */
static const double PUSH = 1e-7;     /* slope towards the limit of a variable that has one, of the objective's scale */
static const double DROPPED = 1e-13; /* multipliers of inequalities below this part of the largest are left out */
static const double CONVEX = 1e-10;  /* least pivot of a convex form, of its diagonal */
enum { ITERATIONS = 100, MAX_COUPLED = 600 };

struct SsBoundRelaxation {
  const SsBoundProblem *p;
  SsQp *qp;
  int n, n_w, n_eq, n_qp_rows, n_constraints;
  int *w_of;         /* n_products: place among the lifted, -1 */
  bool *in_hessian;  /* n_products: of the objective, not lifted there */
  int *row_of;       /* n_constraints: row of the QP, -1 */
  double *scale;     /* n_constraints */
  int *first, *slot; /* n_constraints + 1; places of a constraint's terms in the Jacobian, in their order */
  SsPattern hessian_pattern, jacobian_pattern;
  double *hessian, *gradient, *jacobian, *c, *mu, *lower, *upper; /* gradient: without pushes */
  double *pushed, *w, *x;
  bool *is_far;
  double slope; /* scale of the objective's gradient */
  double far_away;
  SsBoundPoint point;
};

static double
mid (SsInterval x)
{
  return 0.5 * (x.low + x.high);
}

bool
ss_bound_relaxation_lifts (const SsBoundRelaxation *r, int product)
{
  SS_ASSERT (r != NULL);
  return r->w_of[product] >= 0;
}

/* ---- what is convex ---------------------------------------------------------------------------------------------- */

/* Whether a dense symmetric matrix has no negative pivot. */
static bool
is_semidefinite (int n, double *a)
{
  for (int c = 0; c < n; c++) {
    const double full = a[c * n + c], pivot = full;
    double d = pivot;
    for (int q = 0; q < c; q++)
      d -= a[c * n + q] * a[c * n + q] * a[q * n + q];
    if (d < -CONVEX * (1 + fabs (full)))
      return false;
    for (int i = c + 1; i < n; i++) {
      double value = a[i * n + c];
      for (int q = 0; q < c; q++)
        value -= a[i * n + q] * a[c * n + q] * a[q * n + q];
      if (d <= CONVEX * (1 + fabs (full)) && fabs (value) > CONVEX * (1 + fabs (full)))
        return false;
      a[i * n + c] = d > CONVEX * (1 + fabs (full)) ? value / d : 0;
    }
    a[c * n + c] = d > 0 ? d : 0;
  }
  return true;
}

/* The objective's products stay in the Hessian where those that hang together are convex; else its squares do. */
static SsStatus
split_objective (SsBoundRelaxation *r, SsError *err)
{
  const SsBoundProblem *p = r->p;
  const SsBoundForm *f = &p->objective;
  int *leader = ss_new_array (int, p->n + 1), *place = ss_new_array (int, p->n + 1);
  SsStatus status = SS_OK;

  if (leader == NULL || place == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for the relaxation");
    goto done;
  }
  for (int i = 0; i < p->n; i++)
    leader[i] = i;
  for (int i = 0; i < f->n_products; i++) {
    const SsBoundProduct *xy = &p->products[f->product[i]];
    leader[ss_root_of (leader, xy->x)] = ss_root_of (leader, xy->y);
  }
  for (int root = 0; root < p->n; root++) {
    int n = 0;
    if (ss_root_of (leader, root) != root)
      continue;
    for (int i = 0; i < p->n; i++)
      place[i] = ss_root_of (leader, i) == root ? n++ : -1;
    double *a = n <= MAX_COUPLED ? ss_new_array (double, (size_t)n *(size_t)n) : NULL;
    for (int i = 0; a != NULL && i < f->n_products; i++) {
      const SsBoundProduct *xy = &p->products[f->product[i]];
      const int x = place[xy->x], y = place[xy->y];
      if (x >= 0)
        a[(x > y ? x : y) * n + (x > y ? y : x)] += mid (f->quadratic[i]) * (x == y ? 1 : 0.5);
    }
    const bool is_convex = a != NULL && is_semidefinite (n, a);
    for (int i = 0; i < f->n_products; i++) {
      const SsBoundProduct *xy = &p->products[f->product[i]];
      if (place[xy->x] >= 0)
        r->in_hessian[f->product[i]] = is_convex || (xy->x == xy->y && mid (f->quadratic[i]) > 0);
    }
    ss_free (a);
  }

done:
  ss_free (leader);
  ss_free (place);
  return status;
}

static void
lift_form (SsBoundRelaxation *r, const SsBoundForm *f, bool is_objective)
{
  for (int i = 0; i < f->n_products; i++)
    if (!(is_objective && r->in_hessian[f->product[i]]))
      r->w_of[f->product[i]] = 0;
}

/* ---- set-up ------------------------------------------------------------------------------------------------------ */

typedef struct {
  int *row, *column;
  int n;
} Triplets;

static void
add_entry (Triplets *t, int row, int column)
{
  if (t->row != NULL) {
    t->row[t->n] = row;
    t->column[t->n] = column;
  }
  t->n++;
}

static void
add_form_entries (const SsBoundRelaxation *r, Triplets *t, int row, const SsBoundForm *f)
{
  for (int i = 0; i < f->n_linear; i++)
    add_entry (t, row, f->variable[i]);
  for (int i = 0; i < f->n_products; i++)
    add_entry (t, row, r->n + r->w_of[f->product[i]]);
}

/* Entries of all constraints, in the order in which they are written at each solve. */
static void
list_entries (const SsBoundRelaxation *r, Triplets *t, int *first)
{
  const SsBoundProblem *p = r->p;

  for (int c = 0; c < r->n_constraints; c++) {
    const int side = c - p->n_rows, product = side - 3 * p->n_pairs, row = r->row_of[c];
    if (first != NULL)
      first[c] = t->n;
    if (row < 0)
      continue;
    if (side < 0) {
      add_form_entries (r, t, row, &p->rows[c].form);
    } else if (product >= 0) {
      const SsBoundProduct *xy = &p->products[product / 4];
      add_entry (t, row, xy->x);
      add_entry (t, row, xy->y);
      add_entry (t, row, r->n + r->w_of[product / 4]);
    } else {
      const SsBoundPair *pair = &p->pairs[side / 3];
      if (side % 3 != 1)
        add_form_entries (r, t, row, &pair->a);
      if (side % 3 != 0)
        add_form_entries (r, t, row, &pair->b);
    }
  }
  if (first != NULL)
    first[r->n_constraints] = t->n;
}

static void
number_rows (SsBoundRelaxation *r)
{
  const SsBoundProblem *p = r->p;
  int row = 0;

  for (int pass = 0; pass < 2; pass++) {
    for (int c = 0; c < r->n_constraints; c++) {
      const int product = c - p->n_rows - 3 * p->n_pairs;
      const bool is_equality = c < p->n_rows && p->rows[c].is_equality;
      if (product >= 0 && r->w_of[product / 4] < 0)
        r->row_of[c] = -1;
      else if (is_equality == (pass == 0))
        r->row_of[c] = row++;
    }
    if (pass == 0)
      r->n_eq = row;
  }
  r->n_qp_rows = row;
}

static double
scale_of (const SsBoundForm *f)
{
  double most = 0;

  for (int i = 0; i < f->n_linear; i++)
    most = fmax (most, fabs (mid (f->linear[i])));
  for (int i = 0; i < f->n_products; i++)
    most = fmax (most, fabs (mid (f->quadratic[i])));
  return most > 0 ? 1 / most : 1;
}

static SsStatus
build_jacobian (SsBoundRelaxation *r, SsError *err)
{
  Triplets t = {0};
  SsStatus status = SS_ERR_MEMORY;

  list_entries (r, &t, NULL);
  const int n = t.n;
  t = (Triplets){ss_new_array (int, n + 1), ss_new_array (int, n + 1), 0};
  r->first = ss_new_array (int, r->n_constraints + 1);
  r->slot = ss_new_array (int, n + 1);
  if (t.row == NULL || t.column == NULL || r->first == NULL || r->slot == NULL) {
    ss_error_set (err, status, "out of memory for the relaxation");
  } else {
    list_entries (r, &t, r->first);
    status =
        ss_pattern_from_triplets (&r->jacobian_pattern, r->n_qp_rows, r->n + r->n_w, n, t.row, t.column, r->slot, err);
  }
  ss_free (t.row);
  ss_free (t.column);
  return status;
}

/* Objective: Hessian and gradient, once. */
static SsStatus
build_objective (SsBoundRelaxation *r, SsError *err)
{
  const SsBoundForm *f = &r->p->objective;
  const int size = r->n + r->n_w, most = size + f->n_products;
  int *major = ss_new_array (int, most + 1), *minor = ss_new_array (int, most + 1),
      *slot = ss_new_array (int, most + 1), n = 0;
  SsStatus status = SS_ERR_MEMORY;

  if (major == NULL || minor == NULL || slot == NULL) {
    ss_error_set (err, status, "out of memory for the relaxation");
    goto done;
  }
  for (; n < size; n++)
    major[n] = minor[n] = n;
  for (int i = 0; i < f->n_products; i++)
    if (r->in_hessian[f->product[i]]) {
      major[n] = r->p->products[f->product[i]].x;
      minor[n++] = r->p->products[f->product[i]].y;
    }
  status = ss_pattern_from_triplets (&r->hessian_pattern, size, size, n, major, minor, slot, err);
  if (status == SS_OK && (r->hessian = ss_new_array (double, r->hessian_pattern.start[size] + 1)) == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for the relaxation");
  if (status != SS_OK)
    goto done;
  n = size;
  r->slope = 0;
  for (int i = 0; i < f->n_linear; i++) {
    r->gradient[f->variable[i]] = mid (f->linear[i]);
    r->slope = fmax (r->slope, fabs (mid (f->linear[i])));
  }
  for (int i = 0; i < f->n_products; i++) {
    const SsBoundProduct *xy = &r->p->products[f->product[i]];
    const double value = mid (f->quadratic[i]);
    r->slope = fmax (r->slope, fabs (value));
    if (r->in_hessian[f->product[i]])
      r->hessian[slot[n++]] += xy->x == xy->y ? 2 * value : value;
    else
      r->gradient[r->n + r->w_of[f->product[i]]] += value;
  }
  r->slope = fmax (r->slope, 1e-6);

done:
  ss_free (major);
  ss_free (minor);
  ss_free (slot);
  return status;
}

static SsStatus
build (SsBoundRelaxation *r, SsError *err)
{
  const SsBoundProblem *p = r->p;
  SsQpOptions options;
  SsStatus status;

  if ((status = split_objective (r, err)) != SS_OK)
    return status;
  for (int e = 0; e < p->n_products; e++)
    r->w_of[e] = -1;
  lift_form (r, &p->objective, true);
  for (int i = 0; i < p->n_rows; i++)
    lift_form (r, &p->rows[i].form, false);
  for (int i = 0; i < p->n_pairs; i++) {
    lift_form (r, &p->pairs[i].a, false);
    lift_form (r, &p->pairs[i].b, false);
  }
  for (int e = 0; e < p->n_products; e++)
    if (r->w_of[e] == 0)
      r->w_of[e] = r->n_w++;
  number_rows (r);
  for (int c = 0; c < r->n_constraints; c++)
    r->scale[c] = 1;
  r->far_away = 10;
  for (int i = 0; i < p->n_rows; i++) {
    r->scale[i] = scale_of (&p->rows[i].form);
    r->far_away = fmax (r->far_away, fabs (r->scale[i] * mid (p->rows[i].form.constant)));
  }
  r->far_away *= FAR;
  for (int i = 0; i < p->n_pairs; i++) {
    r->scale[ss_bound_pair_constraint (p, i, SS_BOUND_SIDE_A)] = scale_of (&p->pairs[i].a);
    r->scale[ss_bound_pair_constraint (p, i, SS_BOUND_SIDE_B)] = scale_of (&p->pairs[i].b);
  }
  const int size = r->n + r->n_w;
  r->gradient = ss_new_array (double, size + 1);
  r->pushed = ss_new_array (double, size + 1);
  r->lower = ss_new_array (double, size + 1);
  r->upper = ss_new_array (double, size + 1);
  r->w = ss_new_array (double, p->n_products + 1);
  r->x = ss_new_array (double, r->n + 1);
  r->is_far = ss_new_array (bool, r->n + 1);
  r->c = ss_new_array (double, r->n_qp_rows + 1);
  r->mu = ss_new_array (double, r->n_qp_rows + 1);
  if (r->gradient == NULL || r->pushed == NULL || r->lower == NULL || r->upper == NULL || r->w == NULL ||
      r->x == NULL || r->is_far == NULL || r->c == NULL || r->mu == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the relaxation");
  if ((status = build_jacobian (r, err)) != SS_OK || (status = build_objective (r, err)) != SS_OK)
    return status;
  r->jacobian = ss_new_array (double, r->jacobian_pattern.start[r->n_qp_rows] + 1);
  if (r->jacobian == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the relaxation");
  ss_qp_options_init (&options);
  options.max_iterations = ITERATIONS;
  options.tolerance_residual = 1e-8;
  options.tolerance_gap = 1e-7;
  options.gap_unit = 1e-3;
  const SsQpShape shape = {size, r->n_eq, r->n_qp_rows - r->n_eq, &r->hessian_pattern, &r->jacobian_pattern, NULL};
  return ss_qp_new (&shape, &options, &r->qp, err);
}

SsStatus
ss_bound_relaxation_new (const SsBoundProblem *problem, SsBoundRelaxation **out, SsError *err)
{
  SS_ASSERT (out != NULL);

  SsBoundRelaxation *r = ss_new (SsBoundRelaxation);
  SsStatus status = SS_ERR_MEMORY;

  *out = NULL;
  if (r != NULL) {
    r->p = problem;
    r->n = problem->n;
    r->n_constraints = ss_bound_n_constraints (problem);
    r->w_of = ss_new_array (int, problem->n_products + 1);
    r->in_hessian = ss_new_array (bool, problem->n_products + 1);
    r->row_of = ss_new_array (int, r->n_constraints + 1);
    r->scale = ss_new_array (double, r->n_constraints + 1);
  }
  if (r == NULL || r->w_of == NULL || r->in_hessian == NULL || r->row_of == NULL || r->scale == NULL)
    ss_error_set (err, status, "out of memory for the relaxation");
  else
    status = build (r, err);
  if (status != SS_OK) {
    ss_bound_relaxation_free (r);
    return status;
  }
  *out = r;
  return SS_OK;
}

void
ss_bound_relaxation_free (SsBoundRelaxation *r)
{
  if (r == NULL)
    return;
  ss_qp_free (r->qp);
  ss_pattern_clear (&r->hessian_pattern);
  ss_pattern_clear (&r->jacobian_pattern);
  void *const all[] = {r->w_of,    r->in_hessian, r->row_of,   r->scale, r->first, r->slot,
                       r->hessian, r->gradient,   r->jacobian, r->c,     r->mu,    r->lower,
                       r->upper,   r->pushed,     r->w,        r->x,     r->is_far};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    ss_free (all[i]);
  ss_free (r);
}

/* ---- a node ------------------------------------------------------------------------------------------------------ */

/* Adds factor * f to a row, whose next entry is *entry. */
static void
write_form (SsBoundRelaxation *r, const SsBoundForm *f, double factor, int row, int *entry)
{
  r->c[row] += factor * mid (f->constant);
  for (int i = 0; i < f->n_linear; i++)
    r->jacobian[r->slot[(*entry)++]] += factor * mid (f->linear[i]);
  for (int i = 0; i < f->n_products; i++)
    r->jacobian[r->slot[(*entry)++]] += factor * mid (f->quadratic[i]);
}

/* A constraint that does not hold here, or says nothing. */
static void
write_nothing (SsBoundRelaxation *r, int row)
{
  r->c[row] = 1;
}

static void
write_corner (SsBoundRelaxation *r, int c, int product, int corner, const SsInterval *box)
{
  const SsBoundProduct *xy = &r->p->products[product];
  const bool x_up = corner >= 2, y_up = corner % 2 == 1;
  const double x = x_up ? box[xy->x].high : box[xy->x].low, y = y_up ? box[xy->y].high : box[xy->y].low;
  const int row = r->row_of[c], e = r->first[c];

  if (isinf (x) || isinf (y)) {
    write_nothing (r, row);
    return;
  }
  const double s = (x_up == y_up ? 1 : -1) * (r->scale[c] = 1 / fmax (1, fmax (fabs (x), fabs (y))));
  r->c[row] += s * x * y;
  r->jacobian[r->slot[e]] -= s * y;
  r->jacobian[r->slot[e + 1]] -= s * x;
  r->jacobian[r->slot[e + 2]] += s;
}

static void
write_pair (SsBoundRelaxation *r, int c, int pair, int which, const bool *side_on, const SsInterval *box)
{
  const SsBoundPair *ab = &r->p->pairs[pair];
  const int row = r->row_of[c];
  int entry = r->first[c];

  if (which < 2) {
    if (side_on[2 * pair + which])
      write_form (r, which == 0 ? &ab->a : &ab->b, -r->scale[c], row, &entry);
    else
      write_nothing (r, row);
    return;
  }
  const double a = fmax (0, ss_bound_range (r->p, &ab->a, box).high),
               b = fmax (0, ss_bound_range (r->p, &ab->b, box).high);
  if (isinf (a) || isinf (b) || side_on[2 * pair] || side_on[2 * pair + 1]) {
    write_nothing (r, row);
    return;
  }
  const double s = r->scale[c] = 1 / fmax (1e-9, fmax (fabs (a) * scale_of (&ab->b), fabs (b) * scale_of (&ab->a)));
  r->c[row] = s * a * b;
  write_form (r, &ab->a, -s * b, row, &entry);
  write_form (r, &ab->b, -s * a, row, &entry);
}

static void
write_node (SsBoundRelaxation *r, const bool *side_on, const SsInterval *box)
{
  const SsBoundProblem *p = r->p;

  memset (r->c, 0, (size_t)r->n_qp_rows * sizeof (double));
  memset (r->jacobian, 0, (size_t)r->jacobian_pattern.start[r->n_qp_rows] * sizeof (double));
  for (int c = 0; c < r->n_constraints; c++) {
    const int side = c - p->n_rows, product = side - 3 * p->n_pairs;
    int entry = r->first[c];
    if (r->row_of[c] < 0)
      continue;
    if (side < 0)
      write_form (r, &p->rows[c].form, r->scale[c], r->row_of[c], &entry);
    else if (product >= 0)
      write_corner (r, c, product / 4, product % 4, box);
    else
      write_pair (r, c, side / 3, side % 3, side_on, box);
  }
}

static void
set_box (SsBoundRelaxation *r, int i, SsInterval range)
{
  const double far_away = r->far_away;
  const bool has_low = !isinf (range.low), has_high = !isinf (range.high);
  const double low = has_low ? range.low : fmin (-far_away, has_high ? range.high - far_away : 0),
               high = has_high ? range.high : fmax (far_away, has_low ? range.low + far_away : 0);
  const double widen = NARROW * (1 + fabs (low));

  r->lower[i] = high - low < 2 * widen ? low - widen : low;
  r->upper[i] = high - low < 2 * widen ? high + widen : high;
  r->pushed[i] = r->gradient[i];
  if (isinf (range.high) && !isinf (range.low))
    r->pushed[i] -= PUSH * r->slope;
  else if (isinf (range.low) && !isinf (range.high))
    r->pushed[i] += PUSH * r->slope;
}

double
ss_bound_relaxation_slope (const SsBoundRelaxation *relaxation)
{
  SS_ASSERT (relaxation != NULL);
  return relaxation->slope;
}

static void
take_multipliers (const SsBoundRelaxation *r, const SsQpResult *result, SsBoundMultipliers *u)
{
  double most = 0;

  for (int row = 0; row < r->n_qp_rows; row++)
    most = fmax (most, fabs (result->multipliers[row]));
  u->weight = 1;
  u->n = 0;
  for (int c = 0; c < r->n_constraints; c++) {
    const int row = r->row_of[c];
    if (row < 0 || (row >= r->n_eq && result->multipliers[row] <= DROPPED * most) || result->multipliers[row] == 0 ||
        !isfinite (result->multipliers[row] * r->scale[c]))
      continue;
    bool says_nothing = true;
    for (int e = r->jacobian_pattern.start[row]; e < r->jacobian_pattern.start[row + 1] && says_nothing; e++)
      says_nothing = r->jacobian[e] == 0;
    if (says_nothing)
      continue;
    u->constraint[u->n] = c;
    u->value[u->n++] = result->multipliers[row] * r->scale[c];
  }
  for (int i = 0; i < r->n; i++)
    u->at[i] = isfinite (result->p[i]) ? result->p[i] : 0;
}

/* Marks variables without a limit that were far away at the last solve. */
static void
mark_far (SsBoundRelaxation *r, const SsInterval *box, bool is_asked)
{
  for (int i = 0; i < r->n; i++)
    r->is_far[i] = is_asked && ((isinf (box[i].low) && r->x[i] < -FAR_AWAY * r->far_away) ||
                                (isinf (box[i].high) && r->x[i] > FAR_AWAY * r->far_away));
}

static bool
reaches_far (const SsBoundRelaxation *r, int row)
{
  for (int e = r->jacobian_pattern.start[row]; e < r->jacobian_pattern.start[row + 1]; e++)
    if (r->jacobian[e] != 0 && r->jacobian_pattern.index[e] < r->n && r->is_far[r->jacobian_pattern.index[e]])
      return true;
  return false;
}

static void
leave_out_far (SsBoundRelaxation *r)
{
  for (int row = 0; row < r->n_qp_rows; row++)
    if (reaches_far (r, row)) {
      for (int e = r->jacobian_pattern.start[row]; e < r->jacobian_pattern.start[row + 1]; e++)
        r->jacobian[e] = 0;
      r->c[row] = row < r->n_eq ? 0 : 1;
    }
}

static void
pull_form (SsBoundRelaxation *r, const SsBoundForm *f, double by)
{
  for (int i = 0; i < f->n_linear; i++)
    r->pushed[f->variable[i]] += by * mid (f->linear[i]);
  for (int i = 0; i < f->n_products; i++)
    r->pushed[r->n + r->w_of[f->product[i]]] += by * mid (f->quadratic[i]);
}

static void
pull_pairs (SsBoundRelaxation *r, const bool *side_on, double by)
{
  const SsBoundProblem *p = r->p;

  for (int i = 0; i < p->n_pairs; i++)
    if (!side_on[2 * i] && !side_on[2 * i + 1]) {
      pull_form (r, &p->pairs[i].a, by * r->scale[ss_bound_pair_constraint (p, i, SS_BOUND_SIDE_A)]);
      pull_form (r, &p->pairs[i].b, by * r->scale[ss_bound_pair_constraint (p, i, SS_BOUND_SIDE_B)]);
    }
}

/* Of the objective without pulls and pushes. */
static double
value_at (const SsBoundRelaxation *r, const double *x)
{
  double sum = mid (r->p->objective.constant);

  for (int j = 0; j < r->n + r->n_w; j++) {
    sum += r->gradient[j] * x[j];
    for (int e = r->hessian_pattern.start[j]; e < r->hessian_pattern.start[j + 1]; e++)
      sum += (r->hessian_pattern.index[e] == j ? 0.5 : 1) * r->hessian[e] * x[j] * x[r->hessian_pattern.index[e]];
  }
  return sum;
}

static void
keep_point (SsBoundRelaxation *r, const SsQpResult *result)
{
  memcpy (r->x, result->p, (size_t)r->n * sizeof (double));
  for (int e = 0; e < r->p->n_products; e++)
    r->w[e] = r->w_of[e] >= 0 ? result->p[r->n + r->w_of[e]] : 0;
  r->point = (SsBoundPoint){r->x, r->w, value_at (r, result->p), 0};
  for (int row = 0; row < r->n_qp_rows; row++) {
    double value = r->c[row];
    for (int e = r->jacobian_pattern.start[row]; e < r->jacobian_pattern.start[row + 1]; e++)
      value += r->jacobian[e] * result->p[r->jacobian_pattern.index[e]];
    r->point.violation = fmax (r->point.violation, row < r->n_eq ? fabs (value) : -value);
  }
}

SsBoundPoint
ss_bound_relaxation_point (const SsBoundRelaxation *relaxation)
{
  SS_ASSERT (relaxation != NULL);
  return relaxation->point;
}

SsStatus
ss_bound_relaxation_solve (SsBoundRelaxation *r, const bool *side_on, const SsInterval *box, const SsBoundAsk *ask,
                           SsRunControl *control, SsBoundMultipliers *u, SsError *err)
{
  SS_ASSERT (r != NULL);

  const SsBoundProblem *p = r->p;
  SsQpResult result;

  mark_far (r, box, ask->without_far);
  write_node (r, side_on, box);
  if (ask->without_far)
    leave_out_far (r);
  for (int i = 0; i < r->n; i++)
    set_box (r, i, box[i]);
  for (int e = 0; e < p->n_products; e++)
    if (r->w_of[e] >= 0) {
      const SsBoundProduct *xy = &p->products[e];
      set_box (r, r->n + r->w_of[e],
               xy->x == xy->y ? ss_interval_square (box[xy->x]) : ss_interval_multiply (box[xy->x], box[xy->y]));
    }
  if (ask->pull > 0)
    pull_pairs (r, side_on, ask->pull);
  for (int i = 0; i < r->n_qp_rows; i++)
    r->mu[i] = ask->penalty * r->slope;
  const SsQpData data = {r->hessian, r->pushed, r->jacobian, r->c, r->mu, r->lower, r->upper};
  SsStatus status = ss_qp_solve (r->qp, &data, control, &result, err);
  if (status != SS_OK)
    return status;
  take_multipliers (r, &result, u);
  if (!ask->without_far)
    keep_point (r, &result);
  return SS_OK;
}
