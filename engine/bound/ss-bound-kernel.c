/* engine/bound/ss-bound-kernel.c: see ss-bound-kernel.h. */
#include "bound/ss-bound-kernel.h"

#include "core/ss-forest.h"

#include <string.h>

static const double COUPLED = 1e-10; /* least coupling of two squares, of what would make them one */
static const double FLAT = 1e-13;    /* pivot that counts as 0, of its square's factor */

struct SsBoundKernel {
  const SsBoundProblem *p;
  SsInterval *linear, *quadratic; /* of the Lagrangian: n, n_products */
  SsInterval constant;
  int *diagonal, *leader, *place, *list; /* n */
  bool *is_coupled;                      /* n */
};

/* ---- forms over boxes -------------------------------------------------------------------------------------------- */

static SsInterval
product_range (const SsBoundProduct *p, const SsInterval *box)
{
  return p->x == p->y ? ss_interval_square (box[p->x]) : ss_interval_multiply (box[p->x], box[p->y]);
}

/* Without the terms of the variable `without`, -1: with all. */
static SsInterval
range_without (const SsBoundProblem *p, const SsBoundForm *f, const SsInterval *box, int without)
{
  SsInterval sum = f->constant;

  for (int i = 0; i < f->n_linear; i++)
    if (f->variable[i] != without)
      sum = ss_interval_add (sum, ss_interval_multiply (f->linear[i], box[f->variable[i]]));
  for (int i = 0; i < f->n_products; i++) {
    const SsBoundProduct *xy = &p->products[f->product[i]];
    if (xy->x != without && xy->y != without)
      sum = ss_interval_add (sum, ss_interval_multiply (f->quadratic[i], product_range (xy, box)));
  }
  return sum;
}

/* The variable's terms are slope x + square x^2. */
static void
terms_of (const SsBoundProblem *p, const SsBoundForm *f, const SsInterval *box, int variable, SsInterval *slope,
          SsInterval *square)
{
  *slope = *square = ss_interval (0);
  for (int i = 0; i < f->n_linear; i++)
    if (f->variable[i] == variable)
      *slope = ss_interval_add (*slope, f->linear[i]);
  for (int i = 0; i < f->n_products; i++) {
    const SsBoundProduct *xy = &p->products[f->product[i]];
    if (xy->x == variable && xy->y == variable)
      *square = ss_interval_add (*square, f->quadratic[i]);
    else if (xy->x == variable || xy->y == variable)
      *slope = ss_interval_add (*slope, ss_interval_multiply (f->quadratic[i], box[xy->x == variable ? xy->y : xy->x]));
  }
}

/* Numbers x for which slope x + square x^2 may lie in `room`. */
static SsInterval
solve_for (SsInterval slope, SsInterval square, SsInterval room)
{
  if (square.low == 0 && square.high == 0)
    return ss_interval_divide (room, slope);
  if (square.high < 0) {
    square = ss_interval_negate (square);
    slope = ss_interval_negate (slope);
    room = ss_interval_negate (room);
  }
  if (square.low <= 0 || isinf (room.high) || isinf (slope.low) || isinf (slope.high))
    return SS_INTERVAL_ALL;
  /* square (x + slope / 2 square)^2 <= room.high + slope^2 / 4 square */
  const SsInterval twice = ss_interval_multiply (ss_interval (2), square);
  const SsInterval middle = ss_interval_divide (slope, twice);
  const SsInterval size = ss_interval_divide (
      ss_interval_add (ss_interval (room.high), ss_interval_multiply (ss_interval_multiply (middle, middle), square)),
      square);
  if (size.high < 0)
    return (SsInterval){INFINITY, -INFINITY};
  const double half = ss_round_up (sqrt (size.high));
  return ss_interval_subtract ((SsInterval){-half, half}, middle);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static SsStatus
fail (SsError *err, const char *what)
{
  return ss_error_set (err, SS_ERR_INVALID, "%s", what);
}

SsStatus
ss_bound_kernel_step (SsBoundKernel *k, const SsBoundStep *step, const bool *side_on, double cutoff, SsInterval *box,
                      SsError *err)
{
  SS_ASSERT (k != NULL && step != NULL);

  const SsBoundProblem *p = k->p;
  const SsBoundForm *f;
  double sign = 1;
  bool is_equality = false;
  SsInterval slope, square;

  if (step->variable < 0 || step->variable >= p->n)
    return fail (err, "limits a variable that is not there");
  if (step->constraint == SS_BOUND_CUTOFF) {
    f = &p->objective;
    sign = -1;
  } else if (step->constraint >= 0 && step->constraint < p->n_rows) {
    f = &p->rows[step->constraint].form;
    is_equality = p->rows[step->constraint].is_equality;
  } else {
    const int side = step->constraint < 0 ? -1 : step->constraint - p->n_rows, pair = side / 3, which = side % 3;
    if (side < 0 || pair >= p->n_pairs || which > 1 || !side_on[2 * pair + which])
      return fail (err, "limits a variable by a constraint that does not hold there");
    f = which == 0 ? &p->pairs[pair].a : &p->pairs[pair].b;
    sign = -1;
  }
  /* rest + terms >= 0, = 0, or <= 0; of the objective <= cutoff */
  SsInterval rest = range_without (p, f, box, step->variable);
  if (step->constraint == SS_BOUND_CUTOFF)
    rest = ss_interval_subtract (rest, ss_interval (cutoff));
  terms_of (p, f, box, step->variable, &slope, &square);
  const SsInterval room = is_equality ? ss_interval_negate (rest)
                          : sign > 0  ? (SsInterval){-rest.high, INFINITY}
                                      : (SsInterval){-INFINITY, -rest.low};
  box[step->variable] = ss_interval_meet (box[step->variable], solve_for (slope, square, room));
  return SS_OK;
}

/* ---- the Lagrangian ---------------------------------------------------------------------------------------------- */

static void
add_form (SsBoundKernel *k, const SsBoundForm *f, SsInterval factor)
{
  k->constant = ss_interval_add (k->constant, ss_interval_multiply (factor, f->constant));
  for (int i = 0; i < f->n_linear; i++)
    k->linear[f->variable[i]] =
        ss_interval_add (k->linear[f->variable[i]], ss_interval_multiply (factor, f->linear[i]));
  for (int i = 0; i < f->n_products; i++)
    k->quadratic[f->product[i]] =
        ss_interval_add (k->quadratic[f->product[i]], ss_interval_multiply (factor, f->quadratic[i]));
}

static void
add_linear (SsBoundKernel *k, int variable, SsInterval value)
{
  k->linear[variable] = ss_interval_add (k->linear[variable], value);
}

/* u (A B - B a - A b), where A and B are what a and b do not exceed in the box, and 0 at least: of A < 0 it need not
 * hold. */
static bool
add_hull (SsBoundKernel *k, int pair, double u, const SsInterval *box)
{
  const SsBoundPair *ab = &k->p->pairs[pair];
  const double a = fmax (0, range_without (k->p, &ab->a, box, -1).high),
               b = fmax (0, range_without (k->p, &ab->b, box, -1).high);

  if (isinf (a) || isinf (b))
    return false;
  const SsInterval ua = ss_interval_multiply (ss_interval (u), ss_interval (a)),
                   ub = ss_interval_multiply (ss_interval (u), ss_interval (b));
  k->constant = ss_interval_subtract (k->constant, ss_interval_multiply (ua, ss_interval (b)));
  add_form (k, &ab->a, ub);
  add_form (k, &ab->b, ua);
  return true;
}

/* - u (x - c)(y - d) signs, with the corner c, d of the box. */
static bool
add_corner (SsBoundKernel *k, int product, int corner, double u, const SsInterval *box)
{
  const SsBoundProduct *xy = &k->p->products[product];
  const bool x_up = corner >= 2, y_up = corner % 2 == 1;
  const double c = x_up ? box[xy->x].high : box[xy->x].low, d = y_up ? box[xy->y].high : box[xy->y].low;
  const SsInterval factor = ss_interval (x_up == y_up ? -u : u);

  if (isinf (c) || isinf (d))
    return false;
  k->quadratic[product] = ss_interval_add (k->quadratic[product], factor);
  add_linear (k, xy->x, ss_interval_multiply (factor, ss_interval (-d)));
  add_linear (k, xy->y, ss_interval_multiply (factor, ss_interval (-c)));
  k->constant = ss_interval_add (
      k->constant, ss_interval_multiply (factor, ss_interval_multiply (ss_interval (c), ss_interval (d))));
  return true;
}

static SsStatus
add_multiplier (SsBoundKernel *k, int constraint, double u, const bool *side_on, const SsInterval *box, SsError *err)
{
  const SsBoundProblem *p = k->p;
  bool is_there = true;

  if (constraint < 0 || constraint >= ss_bound_n_constraints (p) || !isfinite (u))
    return fail (err, "has a multiplier of nothing, or one that is no number");
  const int side = constraint - p->n_rows, product = side - 3 * p->n_pairs;
  if (u < 0 && (side >= 0 || !p->rows[constraint].is_equality))
    return fail (err, "has a negative multiplier of an inequality");
  if (side < 0) {
    add_form (k, &p->rows[constraint].form, ss_interval (-u));
  } else if (product >= 0) {
    is_there = add_corner (k, product / 4, product % 4, u, box);
  } else if (side % 3 == 2) {
    is_there = add_hull (k, side / 3, u, box);
  } else if (side_on[2 * (side / 3) + side % 3]) {
    const SsBoundPair *pair = &p->pairs[side / 3];
    add_form (k, side % 3 == 0 ? &pair->a : &pair->b, ss_interval (u)); /* -u (-a) */
  } else {
    return fail (err, "uses a side of a pair that does not hold there");
  }
  return is_there ? SS_OK : fail (err, "uses a limit of a variable that has none");
}

/* Takes the tangent at `at` of a sum of squares near the quadratic form of the variables k->list[0..n-1], and leaves
 * what it lacks in k->quadratic. */
static SsStatus
take_squares (SsBoundKernel *k, int n, const double *at, const SsInterval *box, SsError *err)
{
  const SsBoundProblem *p = k->p;
  double *l = ss_new_array (double, (size_t)n *(size_t)n), *d = ss_new_array (double, n);
  SsInterval *squares = ss_new_array (SsInterval, (size_t)n * (size_t)n);
  int *entry = ss_new_array (int, (size_t)n *(size_t)n);
  SsStatus status = SS_OK;

  if (l == NULL || d == NULL || squares == NULL || entry == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a form of %d variables", n);
    goto done;
  }
  memset (entry, -1, (size_t)n * (size_t)n * sizeof (int));
  for (int i = 0; i < n; i++)
    k->place[k->list[i]] = i;
  for (int e = 0; e < p->n_products; e++) {
    const int i = k->place[p->products[e].x], j = k->place[p->products[e].y];
    if (i < 0 || j < 0)
      continue;
    const int row = i > j ? i : j, column = i > j ? j : i;
    const double middle = 0.5 * (k->quadratic[e].low + k->quadratic[e].high);
    entry[row * n + column] = e;
    l[row * n + column] = i == j ? middle : 0.5 * middle;
  }
  for (int i = 0; i < n; i++)
    k->place[k->list[i]] = -1;
  for (int c = 0; c < n; c++) { /* LDL', a pivot that is not positive drops its square */
    const double full = l[c * n + c];
    d[c] = full;
    for (int q = 0; q < c; q++)
      d[c] -= l[c * n + q] * l[c * n + q] * d[q];
    if (!(d[c] > FLAT * fabs (full)))
      d[c] = 0;
    for (int i = c + 1; i < n; i++) {
      double value = l[i * n + c];
      for (int q = 0; q < c; q++)
        value -= l[i * n + q] * l[c * n + q] * d[q];
      l[i * n + c] = d[c] > 0 ? value / d[c] : 0;
    }
    l[c * n + c] = 1;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      SsInterval sum = ss_interval (0);
      for (int q = 0; q <= j; q++)
        if (d[q] > 0 && l[i * n + q] != 0 && l[j * n + q] != 0)
          sum = ss_interval_add (
              sum, ss_interval_multiply (ss_interval_multiply (ss_interval (l[i * n + q]), ss_interval (d[q])),
                                         ss_interval (l[j * n + q])));
      squares[i * n + j] = squares[j * n + i] = sum;
    }
  for (int i = 0; i < n; i++) {
    SsInterval v = ss_interval (0); /* of L D L' at */
    for (int j = 0; j < n; j++)
      v = ss_interval_add (v, ss_interval_multiply (squares[i * n + j], ss_interval (at[k->list[j]])));
    add_linear (k, k->list[i], ss_interval_multiply (ss_interval (2), v));
    k->constant = ss_interval_subtract (k->constant, ss_interval_multiply (ss_interval (at[k->list[i]]), v));
    for (int j = 0; j <= i; j++) {
      const SsInterval part = i == j ? squares[i * n + j] : ss_interval_multiply (ss_interval (2), squares[i * n + j]);
      const int e = entry[i * n + j];
      if (e >= 0)
        k->quadratic[e] = ss_interval_subtract (k->quadratic[e], part);
      else if (part.low != 0 || part.high != 0)
        k->constant =
            ss_interval_subtract (/* the problem has no such product */
                                  k->constant,
                                  ss_interval_multiply (part, ss_interval_multiply (box[k->list[i]], box[k->list[j]])));
    }
  }

done:
  ss_free (l);
  ss_free (d);
  ss_free (squares);
  ss_free (entry);
  return status;
}

/* Squares that products couple, as long as both are there. */
static SsStatus
take_coupled (SsBoundKernel *k, const double *at, const SsInterval *box, SsError *err)
{
  const SsBoundProblem *p = k->p;

  for (int i = 0; i < p->n; i++) {
    k->leader[i] = i;
    k->diagonal[i] = k->place[i] = -1;
    k->is_coupled[i] = false;
  }
  for (int e = 0; e < p->n_products; e++)
    if (p->products[e].x == p->products[e].y)
      k->diagonal[p->products[e].x] = e;
  for (int e = 0; e < p->n_products; e++) {
    const int x = p->products[e].x, y = p->products[e].y;
    if (x == y || k->diagonal[x] < 0 || k->diagonal[y] < 0)
      continue;
    const double a = k->quadratic[k->diagonal[x]].low, b = k->quadratic[k->diagonal[y]].low,
                 ab = fmax (fabs (k->quadratic[e].low), fabs (k->quadratic[e].high));
    if (a > 0 && b > 0 && ab > COUPLED * sqrt (a * b)) {
      k->leader[ss_root_of (k->leader, x)] = ss_root_of (k->leader, y);
      k->is_coupled[x] = k->is_coupled[y] = true;
    }
  }
  for (int i = 0; i < p->n; i++) {
    int n = 0;
    if (!k->is_coupled[i] || ss_root_of (k->leader, i) != i || at == NULL)
      continue;
    for (int j = 0; j < p->n; j++)
      if (k->is_coupled[j] && ss_root_of (k->leader, j) == i)
        k->list[n++] = j;
    SsStatus status = take_squares (k, n, at, box, err);
    if (status != SS_OK)
      return status;
  }
  return SS_OK;
}

/* Least value of slope x + square x^2 in the interval. */
static double
least_of (SsInterval slope, SsInterval square, SsInterval x)
{
  if (square.low > 0) {
    const double t = -0.25 * (slope.low + slope.high) / square.low, at = fmin (fmax (t, x.low), x.high);
    const SsInterval s = ss_interval (square.low), tt = ss_interval_square (ss_interval (at));
    const SsInterval tangent =
        ss_interval_add (slope, ss_interval_multiply (ss_interval (2), ss_interval_multiply (s, ss_interval (at))));
    const double by_tangent =
        isfinite (at) ? ss_interval_subtract (ss_interval_multiply (tangent, x), ss_interval_multiply (s, tt)).low
                      : -INFINITY;
    const SsInterval whole = ss_interval_divide (ss_interval_square (slope), ss_interval_multiply (ss_interval (4), s));
    return fmax (by_tangent, -whole.high);
  }
  if (square.low < 0 && isfinite (x.low) && isfinite (x.high)) {
    /* square.low x^2 is concave and a slope of two signs makes it no less so: least at an end, or at 0 */
    double least = INFINITY;
    const double ends[] = {x.low, x.high, fmin (fmax (0, x.low), x.high)};
    for (int i = 0; i < 3; i++) {
      const SsInterval value =
          ss_interval_add (ss_interval_multiply (slope, ss_interval (ends[i])),
                           ss_interval_multiply (ss_interval (square.low), ss_interval_square (ss_interval (ends[i]))));
      least = fmin (least, value.low);
    }
    return least;
  }
  return ss_interval_add (ss_interval_multiply (slope, x), ss_interval_multiply (square, ss_interval_square (x))).low;
}

/* A number below the Lagrangian in the box. */
static SsStatus
floor_of (SsBoundKernel *k, const double *at, const SsInterval *box, SsBoundFloor *out, SsError *err)
{
  const SsBoundProblem *p = k->p;
  SsStatus status = take_coupled (k, at, box, err);
  double sum = k->constant.low;

  *out = (SsBoundFloor){.unbounded = -1};
  for (int i = 0; i < p->n; i++) {
    const SsInterval square = k->diagonal[i] >= 0 ? k->quadratic[k->diagonal[i]] : ss_interval (0);
    const double least = least_of (k->linear[i], square, box[i]);
    if (least == -INFINITY && out->unbounded < 0)
      out->unbounded = i;
    sum = ss_round_down (sum + least);
  }
  for (int e = 0; e < p->n_products; e++)
    if (p->products[e].x != p->products[e].y && (k->quadratic[e].low != 0 || k->quadratic[e].high != 0)) {
      const int x = p->products[e].x, y = p->products[e].y;
      const double least = ss_interval_multiply (k->quadratic[e], product_range (&p->products[e], box)).low;
      if (least == -INFINITY && out->unbounded < 0)
        out->unbounded = isinf (box[x].low) || isinf (box[x].high) ? x : y;
      sum = ss_round_down (sum + least);
    }
  out->value = isnan (sum) ? -INFINITY : sum;
  return status;
}

SsStatus
ss_bound_kernel_floor (SsBoundKernel *k, const SsBoundMultipliers *u, const bool *side_on, const SsInterval *box,
                       SsBoundFloor *out, SsError *err)
{
  SS_ASSERT (u != NULL);

  SsStatus status = SS_OK;

  if (u->weight != 0 && u->weight != 1)
    return fail (err, "has a weight that is neither 0 nor 1");
  memset (k->linear, 0, (size_t)k->p->n * sizeof (SsInterval));
  memset (k->quadratic, 0, (size_t)k->p->n_products * sizeof (SsInterval));
  k->constant = ss_interval (0);
  if (u->weight == 1)
    add_form (k, &k->p->objective, ss_interval (1));
  for (int i = 0; i < u->n && status == SS_OK; i++)
    status = add_multiplier (k, u->constraint[i], u->value[i], side_on, box, err);
  return status == SS_OK ? floor_of (k, u->at, box, out, err) : status;
}

SsInterval
ss_bound_range (const SsBoundProblem *problem, const SsBoundForm *form, const SsInterval *box)
{
  return range_without (problem, form, box, -1);
}

SsStatus
ss_bound_kernel_new (const SsBoundProblem *problem, SsBoundKernel **out, SsError *err)
{
  SS_ASSERT (problem != NULL && out != NULL);

  SsBoundKernel *k = ss_new (SsBoundKernel);
  const int n = problem->n;

  *out = NULL;
  if (k != NULL) {
    k->p = problem;
    k->linear = ss_new_array (SsInterval, n + 1);
    k->quadratic = ss_new_array (SsInterval, problem->n_products + 1);
    k->diagonal = ss_new_array (int, n + 1);
    k->leader = ss_new_array (int, n + 1);
    k->place = ss_new_array (int, n + 1);
    k->list = ss_new_array (int, n + 1);
    k->is_coupled = ss_new_array (bool, n + 1);
  }
  if (k == NULL || k->linear == NULL || k->quadratic == NULL || k->diagonal == NULL || k->leader == NULL ||
      k->place == NULL || k->list == NULL || k->is_coupled == NULL) {
    ss_bound_kernel_free (k);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a bound of %d variables", n);
  }
  *out = k;
  return SS_OK;
}

void
ss_bound_kernel_free (SsBoundKernel *k)
{
  if (k == NULL)
    return;
  ss_free (k->linear);
  ss_free (k->quadratic);
  ss_free (k->diagonal);
  ss_free (k->leader);
  ss_free (k->place);
  ss_free (k->list);
  ss_free (k->is_coupled);
  ss_free (k);
}
