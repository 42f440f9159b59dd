/* engine/nlp/ss-unbounded.c: see the header. */
#include "nlp/ss-unbounded.h"

#include "nlp/ss-branch.h"
#include "nlp/ss-finish.h"
#include "nlp/ss-interior.h"
#include "nlp/ss-lpcc.h"
#include "qp/ss-qp.h"

#include <math.h>
#include <string.h>

static const double FEASIBLE = 1e-6;  /* violation of an answer                                              */
static const double ACCURATE = 1e-10; /* of a row, of the size of its terms                                    */
static const double PART = 0.9;       /* least fall of a decade, of that of the one before                     */
static const double HELD = 0.5;       /* of a box, that some variable of its answer goes at least                */
static const double DESCENT = 1e-6;   /* least promise of a linear program, of what the gradient could do there  */
static const double ACTIVITY = 1e-6;  /* a side up to this is zero, of its terms in units of 1 or more          */
static const double FACTOR = 10;      /* from box to box, and from point to point of the trail                 */
static const double FAR = 1e15;       /* where bounds count as none                                            */
static const double STEEPEST = 1e4;   /* growth from point to point: fourth powers                             */
static const double STILL = 1e-7;     /* change of a variable, of its size, that is none                       */
static const double ROOM = 1e3;       /* of a row, that is enough, in units of what others miss                   */
static const double PENALTY = 1e4;    /* of a row, against changes of the size of the variables                 */
static const double STEEPER = 1e2;    /* least penalty of an answer, of its start's slope: of the next box it is 10 */
static const double ASIDE = 1e-2;     /* part of its size by which a start is moved: it may be a maximum       */
static const double CURVED = 1e-9;    /* least curvature down, of the largest seen                                  */
static const double LOWEST = -1e300;  /* of an objective within the range of numbers                           */
enum {
  BOXES = 5,
  BOXES_MOST = 8,
  POINTS = 3,
  POINTS_MOST = 40,
  CORRECTIONS = 12,
  HALVINGS = 4,
  MAX_NODES = 40,
  CURVED_STEPS = 12
};

typedef struct {
  const SsMpcc *mpcc;
  SsRunControl *control;
  SsUnboundedResult *result;
  SsMpccEval *eval;
  SsBounds exact, bounds; /* of the problem; with a box, for the start */
  SsFinish *finish;
  SsLpcc *lpcc;
  SsQp *qp;
  SsPattern identity;
  int n, n_eq, n_rows;
  double *point[3], *next; /* n: the last three points of the trail, the one in hand */
  double *trial, *from, *gradient;
  double *kept, *way[2],
      *curve; /* n: along which the objective curves down from the point in hand, in sizes of variables */
  bool is_curved[2], has_ways;
  double *lower, *upper, *ones, *zeros, *mu;
  double *c, *jacobian, *size; /* rows; size of their terms */
  double *c_scaled, *j_scaled;
  double *memory;
  signed char *zero; /* n_pairs: the side that is zero on the trail */
  bool has_answer;   /* x keeps its rows as answers do */
  SsError *err;
} Look;

/* ---- set-up ------------------------------------------------------------------------------------------------------ */

static void
clear_look (Look *l)
{
  ss_mpcc_eval_free (l->eval);
  ss_finish_free (l->finish);
  ss_lpcc_free (l->lpcc);
  ss_qp_free (l->qp);
  ss_pattern_clear (&l->identity);
  ss_bounds_clear (&l->bounds);
  ss_bounds_clear (&l->exact);
  ss_free (l->memory);
  ss_free (l->zero);
}

static bool
allocate (Look *l)
{
  const int n = l->n, m = l->n_rows, n_j = ss_mpcc_jacobian_pattern (l->mpcc)->start[m];
  const struct {
    double **vector;
    int count;
  } all[] = {{&l->way[0], n},    {&l->way[1], n},   {&l->curve, n},      {&l->kept, n},  {&l->point[0], n},
             {&l->point[1], n},  {&l->point[2], n}, {&l->next, n},       {&l->trial, n}, {&l->from, n},
             {&l->gradient, n},  {&l->lower, n},    {&l->upper, n},      {&l->ones, n},  {&l->zeros, n},
             {&l->mu, m},        {&l->c, m},        {&l->jacobian, n_j}, {&l->size, m},  {&l->c_scaled, m},
             {&l->j_scaled, n_j}};
  size_t total = 1;

  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    total += (size_t)all[i].count;
  l->memory = ss_alloc (total, sizeof (double));
  l->zero = ss_new_array (signed char, ss_mpcc_n_pairs (l->mpcc) + 1);
  if (l->memory == NULL || l->zero == NULL)
    return false;
  total = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    *all[i].vector = l->memory + total;
    total += (size_t)all[i].count;
  }
  return true;
}

/* For corrections: all rows, least squares of the changes. */
static SsStatus
make_qp (Look *l)
{
  SsStatus status = ss_pattern_init (&l->identity, l->n, l->n, l->n, l->err);
  SsQpOptions options;

  if (status != SS_OK)
    return status;
  for (int j = 0; j < l->n; j++) {
    l->identity.start[j + 1] = j + 1;
    l->identity.index[j] = j;
    l->ones[j] = 1;
  }
  for (int i = 0; i < l->n_rows; i++)
    l->mu[i] = PENALTY;
  ss_qp_options_init (&options);
  options.tolerance_residual = 1e-10;
  options.tolerance_gap = 1e-6;
  const SsQpShape shape = {.n = l->n,
                           .n_eq = l->n_eq,
                           .n_ineq = l->n_rows - l->n_eq,
                           .hessian = &l->identity,
                           .jacobian = ss_mpcc_jacobian_pattern (l->mpcc)};
  return ss_qp_new (&shape, &options, &l->qp, l->err);
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static bool
is_stopped (Look *l)
{
  SsOutcome why;

  l->result->is_stopped = l->result->is_stopped || ss_run_control_should_stop (l->control, &why);
  return l->result->is_stopped;
}

static double
violation_at (Look *l, const double *x)
{
  double worst = 0;

  ss_mpcc_rows (l->eval, x, l->c);
  for (int i = 0; i < l->n_rows; i++) {
    const double violation = i < l->n_eq ? fabs (l->c[i]) : -l->c[i];
    worst = violation <= worst ? worst : violation; /* NaN too */
  }
  return worst;
}

static double
largest (int n, const double *x)
{
  return ss_norm_inf (n, x);
}

static void
keep_point (Look *l, const double *x)
{
  double *oldest = l->point[0];

  l->point[0] = l->point[1];
  l->point[1] = l->point[2];
  l->point[2] = oldest;
  memcpy (oldest, x, (size_t)l->n * sizeof *oldest);
}

/* ---- the trail --------------------------------------------------------------------------------------------------- */

/* Each variable goes on as it has grown: what grows with the box by a power does so exactly. */
static void
draw_out (Look *l)
{
  for (int j = 0; j < l->n; j++) {
    const double first = l->point[1][j] - l->point[0][j], second = l->point[2][j] - l->point[1][j];
    const double size = fmax (1, fabs (l->point[2][j]));
    double growth = fabs (first) > STILL * size ? second / first : FACTOR;
    if (fabs (second) <= STILL * size)
      growth = 0;
    l->next[j] = l->point[2][j] + fmin (STEEPEST, fmax (0, growth)) * second;
  }
}

/* Which side of each pair is zero: relative to the terms of its row, as sides of 1e15 have rounding of .1. */
static void
choose_sides (Look *l)
{
  for (int i = 0; i < ss_mpcc_n_pairs (l->mpcc); i++) {
    const int a = ss_branch_zero_row (l->mpcc, i, SS_ZERO_A), b = ss_branch_zero_row (l->mpcc, i, SS_ZERO_B);
    l->zero[i] = a < 0 || (b >= 0 && l->c[b] / l->size[b] < l->c[a] / l->size[a]) ? SS_ZERO_B : SS_ZERO_A;
  }
}

/* Rows at the point in hand and the sizes of their terms; the largest violation, of these. */
static double
measure_rows (Look *l)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (l->mpcc);
  double worst = 0;

  ss_mpcc_rows (l->eval, l->next, l->c);
  ss_mpcc_jacobian (l->eval, l->next, l->jacobian);
  for (int i = 0; i < l->n_rows; i++) {
    l->size[i] = 1;
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++)
      l->size[i] += fabs (l->jacobian[k] * l->next[pattern->index[k]]);
    const double violation = (i < l->n_eq ? fabs (l->c[i]) : fmax (0, -l->c[i])) / l->size[i];
    worst = violation <= worst ? worst : violation; /* NaN too */
  }
  return worst;
}

/* A row of the correction: row `from` with its sign, in units of its terms and of the variables. */
static void
set_row (Look *l, int row, int from, double sign)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (l->mpcc);
  int at = pattern->start[from];

  l->c_scaled[row] = sign * l->c[from] / l->size[from];
  for (int k = pattern->start[row]; k < pattern->start[row + 1]; k++) {
    const int j = pattern->index[k];
    while (at < pattern->start[from + 1] && pattern->index[at] < j)
      at++;
    const bool is_there = at < pattern->start[from + 1] && pattern->index[at] == j;
    l->j_scaled[k] = is_there ? sign * l->jacobian[at] * fmax (1, fabs (l->next[j])) / l->size[from] : 0;
  }
}

/* Moves the point in hand to the rows, by least changes of the variables' sizes; products by their zero sides. All in
 * units of what is missed, so that the last digits count as the first. */
static SsStatus
correct_once (Look *l)
{
  const SsMpccPair *pairs = ss_mpcc_pairs (l->mpcc);
  SsQpResult qp;
  double unit = 0;

  for (int i = 0; i < l->n_rows; i++)
    set_row (l, i, i, 1);
  for (int i = 0; i < ss_mpcc_n_pairs (l->mpcc); i++) {
    const int side = ss_branch_zero_row (l->mpcc, i, l->zero[i]);
    if (side >= 0 && pairs[i].row_a >= 0 && pairs[i].row_b >= 0)
      set_row (l, l->n_eq + pairs[i].product_row, side, -1);
  }
  for (int i = 0; i < l->n_rows; i++)
    unit = fmax (unit, i < l->n_eq ? fabs (l->c_scaled[i]) : -l->c_scaled[i]);
  if (unit == 0)
    return SS_OK;
  for (int i = 0; i < l->n_rows; i++)
    l->c_scaled[i] = fmin (ROOM, l->c_scaled[i] / unit);
  for (int j = 0; j < l->n; j++) {
    l->upper[j] = FACTOR;
    l->lower[j] = -FACTOR;
  }
  const SsQpData data = {l->ones, l->zeros, l->j_scaled, l->c_scaled, l->mu, l->lower, l->upper};
  SsStatus status = ss_qp_solve (l->qp, &data, l->control, &qp, l->err);
  if (status != SS_OK)
    return status;
  l->result->programs++;
  for (int j = 0; j < l->n; j++)
    l->next[j] += unit * qp.p[j] * fmax (1, fabs (l->next[j]));
  return SS_OK;
}

/* The point in hand keeps its rows afterwards, or *holds is false; has_sides: the zero sides are chosen. */
static SsStatus
correct (Look *l, bool has_sides, bool *holds)
{
  SsStatus status = SS_OK;
  double worst = INFINITY;

  *holds = false;
  for (int k = 0; k <= CORRECTIONS && status == SS_OK && !is_stopped (l); k++) {
    worst = measure_rows (l);
    if (worst <= ACCURATE || !isfinite (worst))
      break;
    if (k == 0 && !has_sides)
      choose_sides (l);
    status = correct_once (l);
  }
  *holds = worst <= ACCURATE;
  return status;
}

static int
find_grown (const Look *l)
{
  int grown = 0;

  for (int j = 1; j < l->n; j++)
    if (fabs (l->point[2][j]) > fabs (l->point[2][grown]))
      grown = j;
  return grown;
}

/* Follows the trail to where bounds count as none. */
static SsStatus
follow (Look *l, double *J)
{
  SsUnboundedResult *r = l->result;
  SsStatus status = SS_OK;

  for (int k = 0; k < POINTS_MOST && !is_stopped (l); k++) {
    bool holds;
    draw_out (l);
    status = correct (l, false, &holds);
    if (status != SS_OK || !holds)
      return status;
    const double objective = ss_mpcc_objective (l->eval, l->next), fall = J[2] - objective;
    if (isnan (objective) || !(fall > 0) || !(fall >= PART * (J[1] - J[2])))
      return SS_OK;
    keep_point (l, l->next);
    J[0] = J[1];
    J[1] = J[2];
    J[2] = r->reached = objective;
    r->size = largest (l->n, l->next);
    r->variable = find_grown (l);
    r->is_unbounded = r->size >= FAR || objective < LOWEST;
    if (r->is_unbounded)
      return SS_OK;
  }
  return status;
}

/* ---- the answers of the boxes ------------------------------------------------------------------------------------ */

static void
move_aside (Look *l, const double *x0)
{
  uint32_t chance = 1;

  for (int j = 0; j < l->n; j++) {
    chance = chance * 1664525u + 1013904223u; /* a fixed row of numbers */
    l->next[j] = x0[j] + ASIDE * fmax (1, fabs (x0[j])) * ((chance >> 8) / 8388608.0 - 1);
  }
  ss_bounds_project (&l->bounds, l->next);
}

/* From the point in hand the end of a way with relaxed products, within a box around 0 and x0, which leaves rest and
 * sticking behind where that pays. */
static SsStatus
relax (Look *l, const double *x0, double box)
{
  SsBranch *branch = NULL;
  SsBranchResult way;

  memcpy (l->bounds.lower, l->exact.lower, (size_t)l->n * sizeof *l->bounds.lower);
  memcpy (l->bounds.upper, l->exact.upper, (size_t)l->n * sizeof *l->bounds.upper);
  for (int j = 0; j < l->n; j++) {
    l->bounds.lower[j] = fmax (l->bounds.lower[j], fmin (0, x0[j]) - box);
    l->bounds.upper[j] = fmin (l->bounds.upper[j], fmax (0, x0[j]) + box);
  }
  const SsRelaxation relaxation = ss_interior_way (NULL);
  SsStatus status = ss_branch_new (l->mpcc, &l->bounds, true, &branch, l->err);
  if (status == SS_OK) {
    ss_branch_relax (branch, l->next, &relaxation, l->control, &way);
    memcpy (l->next, way.x, (size_t)l->n * sizeof *l->next);
    l->result->programs++;
  }
  ss_branch_free (branch);
  return status;
}

static SsStatus
relax_start (Look *l, const double *x0, double box)
{
  move_aside (l, x0);
  return relax (l, x0, box);
}

/* The start, moved aside if that can be, corrected to the rows by the sides that are smaller at it. */
static SsStatus
correct_start (Look *l, const double *x0)
{
  SsStatus status = SS_OK;
  bool holds = false;

  memcpy (l->next, x0, (size_t)l->n * sizeof *l->next);
  measure_rows (l);
  choose_sides (l);
  for (int k = 0; k < 2 && status == SS_OK && !holds; k++) {
    if (k == 0)
      move_aside (l, x0);
    else
      memcpy (l->next, x0, (size_t)l->n * sizeof *l->next);
    status = correct (l, true, &holds);
  }
  return status;
}

/* Whether the point in hand lies within some boxes of 0 and of where its box was opened, as a correction may lead out
 * a little. One that has run away keeps no row: it has grown the terms until what is missed is small beside them. */
static bool
is_near (const Look *l, double box)
{
  for (int j = 0; j < l->n; j++)
    if (!(l->next[j] >= fmin (0, l->from[j]) - FACTOR * box && l->next[j] <= fmax (0, l->from[j]) + FACTOR * box))
      return false;
  return true;
}

/* From the point in hand, to second order: true where a better one was found, which is then in hand. */
static SsStatus
solve_box (Look *l, double box, double *objective)
{
  SsFinishOptions options;
  SsFinishResult answer;

  ss_finish_options_init (&options);
  options.box = box;
  ss_mpcc_gradient (l->eval, l->next, l->gradient);
  options.penalty = fmax (options.penalty, STEEPER * largest (l->n, l->gradient));
  SsStatus status = ss_finish_run (l->finish, l->next, NULL, &options, l->control, &answer, l->err);
  if (status != SS_OK)
    return status;
  l->result->programs += answer.rounds;
  bool holds = violation_at (l, answer.x) <= FEASIBLE;
  if (holds || *objective == INFINITY)
    memcpy (l->trial, answer.x, (size_t)l->n * sizeof *l->trial);
  else
    return SS_OK;
  if (!holds) { /* near to rows, as far as the answer has come */
    memcpy (l->next, l->trial, (size_t)l->n * sizeof *l->next);
    status = correct (l, false, &holds);
    holds = holds && is_near (l, box);
    memcpy (l->trial, l->next, (size_t)l->n * sizeof *l->trial);
  }
  const double found = ss_mpcc_objective (l->eval, l->trial);
  if (status == SS_OK && holds && !isnan (found) && !(found >= *objective)) {
    memcpy (l->next, l->trial, (size_t)l->n * sizeof *l->next);
    *objective = found;
  }
  return status;
}

/* The rows at the point in hand as a program in units of the variables' sizes, but for the products. */
static void
set_rows_but_products (Look *l)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (l->mpcc);

  for (int i = 0; i < l->n_rows; i++) {
    set_row (l, i, i, 1);
    l->c_scaled[i] = fmin (ROOM, l->c_scaled[i]);
  }
  for (int i = 0; i < ss_mpcc_n_pairs (l->mpcc); i++) {
    const int row = l->n_eq + ss_mpcc_pairs (l->mpcc)[i].product_row;
    l->c_scaled[row] = ROOM;
    for (int k = pattern->start[row]; k < pattern->start[row + 1]; k++)
      l->j_scaled[k] = 0;
  }
  for (int j = 0; j < l->n; j++) {
    l->upper[j] = 1;
    l->lower[j] = -1;
  }
}

/* How the slope changes along `way` from the point in hand, in units of the variables' sizes; l->gradient: there. */
static void
curve_along (Look *l, const double *way)
{
  for (int j = 0; j < l->n; j++)
    l->trial[j] = l->next[j] + ASIDE * fmax (1, fabs (l->next[j])) * way[j];
  ss_mpcc_gradient (l->eval, l->trial, l->curve);
  for (int j = 0; j < l->n; j++)
    l->curve[j] = (l->curve[j] - l->gradient[j]) * fmax (1, fabs (l->next[j])) / ASIDE;
}

/* A way from the point in hand along which the objective curves down and the rows hold to first order, products aside:
 * by a power iteration that the largest curvature up is taken from, begun with random numbers or their negatives. */
static SsStatus
find_way (Look *l, int which)
{
  double *way = l->way[which], most = 0;
  uint32_t chance = 1;
  SsStatus status = SS_OK;

  l->is_curved[which] = false;
  measure_rows (l);
  set_rows_but_products (l);
  ss_mpcc_gradient (l->eval, l->next, l->gradient);
  for (int j = 0; j < l->n; j++) {
    chance = chance * 1664525u + 1013904223u;
    way[j] = (which == 0 ? 1 : -1) * ((chance >> 8) / 8388608.0 - 1);
  }
  for (int k = 0; k <= CURVED_STEPS && !is_stopped (l); k++) {
    SsQpResult qp;
    const double length = ss_norm_2 (l->n, way);
    if (!(length > 0))
      return SS_OK;
    for (int j = 0; j < l->n; j++)
      way[j] /= length;
    curve_along (l, way);
    const double along = ss_dot (l->n, way, l->curve), size = ss_norm_2 (l->n, l->curve);
    if (!isfinite (size))
      return SS_OK;
    most = fmax (most, along);
    l->is_curved[which] = k > 0 && along < -CURVED * fmax (most, size); /* the first way keeps no row */
    if (k == CURVED_STEPS || (k > 0 && size == 0))
      break;
    for (int j = 0; j < l->n; j++)
      l->curve[j] -= most * way[j];
    const double unit = ss_norm_2 (l->n, l->curve);
    for (int j = 0; j < l->n; j++)
      l->curve[j] /= unit > 0 ? unit : 1;
    const SsQpData data = {l->ones, l->curve, l->j_scaled, l->c_scaled, l->mu, l->lower, l->upper};
    status = ss_qp_solve (l->qp, &data, l->control, &qp, l->err);
    if (status != SS_OK)
      return status;
    l->result->programs++;
    memcpy (way, qp.p, (size_t)l->n * sizeof *way);
  }
  return status;
}

/* The same to first order, which finds slopes that are too small for the other, and where the objective is concave: the
 * linear program with complementarity in the box, its step corrected to the rows, halved while it does not pay. */
static SsStatus
step_in_box (Look *l, double box, double activity, double *objective)
{
  double *from = l->trial, slope = 0;
  SsLpccResult program;

  memcpy (from, l->next, (size_t)l->n * sizeof *from);
  measure_rows (l);
  choose_sides (l);
  ss_mpcc_gradient (l->eval, from, l->gradient);
  for (int j = 0; j < l->n; j++)
    slope += fabs (l->gradient[j]);
  const SsLpccOptions options = {box, fmax (DESCENT * slope * box, 1e-300), activity, MAX_NODES, false};
  SsStatus status = ss_lpcc_solve (l->lpcc, from, l->zero, NULL, &options, l->control, &program, l->err);
  l->result->programs += program.n_nodes;
  if (status != SS_OK || !program.is_descent)
    return status;
  double part = 1;
  for (int k = 0; k <= HALVINGS && status == SS_OK; k++, part /= 2) {
    bool holds;
    for (int j = 0; j < l->n; j++)
      l->next[j] = from[j] + part * program.p[j];
    memcpy (l->zero, program.zero, (size_t)ss_mpcc_n_pairs (l->mpcc));
    status = correct (l, true, &holds);
    const double found = ss_mpcc_objective (l->eval, l->next);
    if (status == SS_OK && holds && is_near (l, box) && found < *objective) {
      *objective = found;
      return SS_OK;
    }
  }
  memcpy (l->next, from, (size_t)l->n * sizeof *from);
  return status;
}

/* Whether the point in hand is where it is because of the box around 0 and `from`. */
static bool
is_held_by (const Look *l, const double *from, double box)
{
  for (int j = 0; j < l->n; j++)
    if (l->next[j] < fmin (0, from[j]) - HELD * box || l->next[j] > fmax (0, from[j]) + HELD * box)
      return true;
  return false;
}

/* To second order from half a box along `way`: what is better is in hand then. */
static SsStatus
relax_along (Look *l, double box, const double *way, double *objective)
{
  const double before = *objective, length = ss_norm_inf (l->n, way);

  memcpy (l->kept, l->next, (size_t)l->n * sizeof *l->kept);
  for (int j = 0; j < l->n; j++)
    l->next[j] += HELD * box / length * way[j];
  ss_bounds_project (&l->exact, l->next);
  SsStatus status = relax (l, l->kept, box);
  if (status == SS_OK)
    status = solve_box (l, box, objective);
  if (!(*objective < before))
    memcpy (l->next, l->kept, (size_t)l->n * sizeof *l->next);
  return status;
}

/* Along the ways on which the objective curves down, of which both are looked for once a point. */
static SsStatus
step_down_curve (Look *l, double box, double *objective, bool *is_held)
{
  SsStatus status = SS_OK;

  for (int which = 0; which < 2 && status == SS_OK && !l->has_ways; which++)
    status = find_way (l, which);
  l->has_ways = true;
  for (int which = 0; which < 2 && status == SS_OK && !*is_held; which++) {
    const double before = *objective;
    if (l->is_curved[which])
      status = relax_along (l, box, l->way[which], objective);
    l->has_ways = l->has_ways && !(*objective < before);
    *is_held = is_held_by (l, l->from, box);
  }
  return status;
}

/* The answer of a box from the one before: to second order where that was held by its box, to first order where
 * nothing holds it yet, at last over all branches of the linear program, and down where there is no slope: the way down
 * may begin elsewhere. */
static SsStatus
grow (Look *l, double box, bool may_move, double *objective, bool *is_held)
{
  SsStatus status = SS_OK;

  memcpy (l->from, l->next, (size_t)l->n * sizeof *l->from);
  const double before = *objective;
  if (may_move)
    status = solve_box (l, box, objective);
  *is_held = is_held_by (l, l->from, box);
  for (int k = 0; k < 2 && status == SS_OK && isfinite (*objective) && !*is_held; k++) {
    status = step_in_box (l, box, k == 0 ? ACTIVITY : box, objective);
    *is_held = is_held_by (l, l->from, box);
  }
  l->has_ways = l->has_ways && *objective == before;
  if (status == SS_OK && isfinite (*objective) && !*is_held)
    status = step_down_curve (l, box, objective, is_held);
  return status;
}

/* The answers of the boxes, of which the last three stay as points, their objectives in J, and of which the last one
 * that keeps its rows as answers do is x; *falls: those three are each better than the one before and held by their
 * boxes. */
static SsStatus
open_boxes (Look *l, double *J, double *x, bool *falls)
{
  double box = FACTOR, objective = INFINITY;
  int n_held = 0;
  SsStatus status = SS_OK;

  *falls = false;
  if (violation_at (l, l->next) <= FEASIBLE)
    objective = ss_mpcc_objective (l->eval, l->next);
  for (int k = 0; k < BOXES_MOST && status == SS_OK && !*falls && !is_stopped (l); k++, box *= FACTOR) {
    const double before = objective;
    bool is_held;
    status = grow (l, box, k == 0 || n_held > 0, &objective, &is_held);
    n_held = is_held && objective < before ? n_held + 1 : 0;
    if (status != SS_OK || objective == INFINITY || (n_held == 0 && k >= BOXES))
      return status;
    const bool keeps_rows = violation_at (l, l->next) <= FEASIBLE; /* far away, rounding of products is more */
    if (keeps_rows && isfinite (objective)) {
      memcpy (x, l->next, (size_t)l->n * sizeof *x);
      l->has_answer = true;
    }
    if (n_held == 0)
      continue;
    if (objective < LOWEST) {
      l->result->is_unbounded = l->has_answer;
      l->result->reached = objective;
      l->result->size = largest (l->n, l->next);
      return status;
    }
    keep_point (l, l->next);
    J[0] = J[1];
    J[1] = J[2];
    J[2] = objective;
    *falls = n_held >= POINTS && k >= BOXES - 1 && l->has_answer;
  }
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static SsStatus
look (Look *l, const double *x0, double *x)
{
  SsStatus status = ss_finish_new (l->mpcc, &l->finish, l->err);

  if (status == SS_OK)
    status = ss_lpcc_new (l->mpcc, &l->exact, &l->lpcc, l->err);
  if (status == SS_OK)
    status = make_qp (l);
  if (status == SS_OK && violation_at (l, x0) <= FEASIBLE) {
    memcpy (x, x0, (size_t)l->n * sizeof *x);
    l->has_answer = true;
  }
  for (int start = 0; start < 2 && status == SS_OK && !l->result->is_unbounded && !is_stopped (l); start++) {
    double J[3] = {INFINITY, INFINITY, INFINITY};
    bool falls = false;
    l->has_ways = false;
    status = start == 0 ? relax_start (l, x0, FACTOR) : correct_start (l, x0);
    if (status == SS_OK)
      status = open_boxes (l, J, x, &falls);
    if (status == SS_OK && falls)
      status = follow (l, J);
  }
  return status;
}

/* Of both doors; false: bounds cross, and nothing can be looked for. */
static SsStatus
open_look (Look *l, bool *has_room)
{
  char crossing[256];
  SsStatus status = ss_bounds_init (&l->bounds, l->mpcc, SS_BOUNDS_EXACT, l->err);

  *has_room = false;
  if (status == SS_OK)
    status = ss_bounds_init (&l->exact, l->mpcc, SS_BOUNDS_EXACT, l->err);
  if (status == SS_OK)
    status = ss_mpcc_eval_new (l->mpcc, &l->eval, l->err);
  if (status == SS_OK)
    *has_room = ss_bounds_update (&l->bounds, crossing, sizeof crossing) &&
                ss_bounds_update (&l->exact, crossing, sizeof crossing);
  return status;
}

SsStatus
ss_unbounded_look (const SsMpcc *mpcc, const double *x0, SsRunControl *control, double *x, SsUnboundedResult *result,
                   SsError *err)
{
  SS_ASSERT (mpcc != NULL && x0 != NULL && x != NULL && result != NULL);

  Look l = {.mpcc = mpcc,
            .control = control,
            .result = result,
            .n = ss_mpcc_n_variables (mpcc),
            .n_eq = ss_mpcc_n_equalities (mpcc),
            .n_rows = ss_mpcc_n_rows (mpcc),
            .err = err};
  const double start = ss_clock_thread_cpu ();
  bool has_room;

  *result = (SsUnboundedResult){.floor = -INFINITY, .objective = NAN, .reached = NAN, .size = NAN, .variable = -1};
  SsStatus status = open_look (&l, &has_room);
  if (status == SS_OK && has_room) {
    for (int j = 0; j < l.n; j++) {
      l.exact.lower[j] = l.exact.lower[j] <= -FAR ? -INFINITY : l.exact.lower[j];
      l.exact.upper[j] = l.exact.upper[j] >= FAR ? INFINITY : l.exact.upper[j];
    }
    result->floor = ss_mpcc_objective_floor (l.eval, l.exact.lower, l.exact.upper);
    if (result->floor == -INFINITY)
      status =
          allocate (&l) ? look (&l, x0, x) : ss_error_set (err, SS_ERR_MEMORY, "out of memory for %d variables", l.n);
  }
  if (status == SS_OK && result->is_unbounded)
    result->objective = ss_mpcc_objective (l.eval, x);
  clear_look (&l);
  result->cpu_seconds = ss_clock_thread_cpu () - start;
  return status;
}

SsStatus
ss_feasible_look (const SsMpcc *mpcc, const double *x0, SsRunControl *control, double *x, bool *found, SsError *err)
{
  SS_ASSERT (mpcc != NULL && x0 != NULL && x != NULL && found != NULL);

  SsUnboundedResult result = {0};
  Look l = {.mpcc = mpcc,
            .control = control,
            .result = &result,
            .n = ss_mpcc_n_variables (mpcc),
            .n_eq = ss_mpcc_n_equalities (mpcc),
            .n_rows = ss_mpcc_n_rows (mpcc),
            .err = err};
  bool has_room;
  SsStatus status = open_look (&l, &has_room);

  *found = false;
  if (status == SS_OK && has_room) {
    status = allocate (&l) ? make_qp (&l) : ss_error_set (err, SS_ERR_MEMORY, "out of memory for %d variables", l.n);
    if (status == SS_OK)
      status = correct_start (&l, x0);
    *found = status == SS_OK && violation_at (&l, l.next) < FEASIBLE;
    if (*found)
      memcpy (x, l.next, (size_t)l.n * sizeof *x);
  }
  clear_look (&l);
  return status;
}
