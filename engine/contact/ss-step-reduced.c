/* engine/contact/ss-step-reduced.c: newton and interior point for problems without bodies, u = W r + q.
 *
 * Newton: in each piece, where every normal is open (r_n = 0) or closed (u_n = 0), every tangent sticks (u_t = 0) or
 * slides (r_t = +- mu r_n), the equation is linear; the states of its solution are the next ones (P. Alart, A.
 * Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991)). It ends where the states come back.
 *
 * Interior point: the LCP of ss-contact-interior.c, per point z = (pn, p+, p-, lambda) complementary to w = (u_n,
 * u_t + lambda, -u_t + lambda, mu pn - p+ - p-). With D_k = z_k/w_k and K = w_4/lambda + D2 + D3 Newton's equations
 * condense to dr = e - B du, B = [D1, 0; (D2 - D3) mu D1/K, T], T = (4 D2 D3 + (D2 + D3) w_4/lambda)/K, and with du
 * = W dr + (W r + q - u) to the velocities of the contacts,
 *     (I + W B) du = W e + W r + q - u,
 * unsymmetric and dense here: problems of some hundred points. Predictor and corrector of S. Mehrotra (SIAM J.
 * Optim. 2 (1992)), infeasible start, several starts. W may be singular, as it is where there are more points than
 * bodies bear. */
#include "contact/ss-step-rows.h"
#include "contact/ss-step-solver.h"

#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

/* Rows of the dense matrix: a factorisation takes a second. */
enum { ROWS_MAX = 1600, ITERATIONS_MAX = 100, STUCK_MAX = 4 };
/* Speeds of the starts in parts of the largest one, as in ss-contact-ways.c; a later one is spread by this exponent. */
static const double starts[] = {0.5, 5, 0.05, 0.5}, start_spread = 0.3;
/* Part of the way to the boundary; below `crowded` products are made more equal: `centring` of the gap is the
 * target. */
static const double way_part = 0.995, crowded = 0.1, centring = 0.3, step_least = 0.02;

/* What is added to a held row's own mobility, in parts of it, so that points that bear the same load do not make the
 * matrix singular; and the least mobility. */
static const double softness = 1e-13, tiny = 1e-300;

typedef struct {
  double z[4], w[4], dz[4], dw[4], c[4], B[3], h, weight, mu;
} Point;

typedef struct {
  const SsStepProblem *problem;
  SsStepRows rows;
  int m;
  Point *points;
  double *A, *u, *du, *r, *e, *work; /* (2 m)^2, 2 m each */
  int *pivot;
} Reduced;

static int
n_pairs (const Point *x)
{
  return x->mu > 0 ? 4 : 1;
}

static void
start (Reduced *s, double speed, int attempt)
{
  for (int i = 0; i < s->m; i++) {
    const double w = ss_sparse_get (&s->rows.W, 2 * i, 2 * i);
    Point *x = &s->points[i];
    *x = (Point){.weight = w > 0 ? w : 1, .mu = s->problem->mu[i]};
    for (int k = 0; k < 4; k++) {
      const double spread = exp (attempt * start_spread * sin (1.7 * i + 0.9 * k + 2.3 * attempt));
      x->z[k] = speed * spread / (k < 3 ? x->weight : 1);
      x->w[k] = speed / spread / (k < 3 ? 1 : x->weight);
    }
    s->u[2 * i] = x->w[0];
    s->u[2 * i + 1] = 0;
  }
}

static void
find_impulses (Reduced *s)
{
  for (int i = 0; i < s->m; i++) {
    s->r[2 * i] = s->points[i].z[0];
    s->r[2 * i + 1] = s->points[i].mu > 0 ? s->points[i].z[1] - s->points[i].z[2] : 0;
  }
}

/* Mean product after a step of that length along the direction: a square of a speed. */
static double
find_gap (const Reduced *s, double along)
{
  double sum = 0;
  int n = 0;
  for (int i = 0; i < s->m; i++) {
    const Point *x = &s->points[i];
    for (int k = 0; k < n_pairs (x); k++, n++)
      sum += x->weight * (x->z[k] + along * x->dz[k]) * (x->w[k] + along * x->dw[k]);
  }
  return sum / n;
}

/* I + W B. */
static bool
factor (Reduced *s)
{
  const size_t n = 2 * (size_t)s->m;
  const SsPattern *a = &s->rows.W.pattern;
  memset (s->A, 0, n * n * sizeof *s->A);
  for (int i = 0; i < s->m; i++) {
    Point *x = &s->points[i];
    const double D1 = x->z[0] / x->w[0], D2 = x->z[1] / x->w[1], D3 = x->z[2] / x->w[2], slack = x->w[3] / x->z[3],
                 K = slack + D2 + D3;
    x->B[0] = D1;
    x->B[1] = x->mu > 0 ? (D2 - D3) * x->mu * D1 / K : 0;
    x->B[2] = x->mu > 0 ? (4 * D2 * D3 + (D2 + D3) * slack) / K : 0;
  }
  for (int i = 0; i < 2 * s->m; i++) {
    s->A[(size_t)i * (n + 1)] = 1;
    for (int k = a->start[i]; k < a->start[i + 1]; k++) {
      const int j = a->index[k];
      const Point *x = &s->points[j / 2];
      const double w = s->rows.W.value[k];
      if (j % 2 == 0) {
        s->A[(size_t)i + n * (size_t)j] += w * x->B[0];
      } else {
        s->A[(size_t)i + n * (size_t)(j - 1)] += w * x->B[1];
        s->A[(size_t)i + n * (size_t)j] += w * x->B[2];
      }
    }
  }
  return ss_dense_lu ((int)n, s->A, (int)n, s->pivot) == SS_OK;
}

/* What the rows of w miss: between u and them, and of the bound. */
static void
find_misses (const Point *x, const double *u, double miss[4])
{
  miss[0] = u[0] - x->w[0];
  miss[1] = u[1] + x->z[3] - x->w[1];
  miss[2] = x->z[3] - u[1] - x->w[2];
  miss[3] = x->mu * x->z[0] - x->z[1] - x->z[2] - x->w[3];
}

/* dz, dw and du for the products' right-hand sides c. */
static void
find_direction (Reduced *s)
{
  const int n = 2 * s->m;
  for (int i = 0; i < s->m; i++) {
    Point *x = &s->points[i];
    double miss[4];
    find_misses (x, s->u + 2 * i, miss);
    const double e1 = (x->c[0] - x->z[0] * miss[0]) / x->w[0];
    s->e[2 * i] = e1;
    s->e[2 * i + 1] = 0;
    if (x->mu == 0)
      continue;
    const double e2 = (x->c[1] - x->z[1] * miss[1]) / x->w[1], e3 = (x->c[2] - x->z[2] * miss[2]) / x->w[2],
                 D2 = x->z[1] / x->w[1], D3 = x->z[2] / x->w[2], K = x->w[3] / x->z[3] + D2 + D3;
    x->h = (x->c[3] / x->z[3] - miss[3] - x->mu * e1 + e2 + e3) / K; /* dlambda at du = 0 */
    s->e[2 * i + 1] = e2 - e3 - (D2 - D3) * x->h;
  }
  for (int i = 0; i < n; i++)
    s->work[i] = s->e[i] + s->r[i];
  ss_csr_multiply (&s->rows.W.pattern, s->rows.W.value, s->work, s->du);
  for (int i = 0; i < n; i++)
    s->du[i] += s->rows.q[i] - s->u[i];
  ss_dense_lu_solve (n, s->A, n, s->pivot, s->du);
  for (int i = 0; i < s->m; i++) {
    Point *x = &s->points[i];
    double miss[4];
    find_misses (x, s->u + 2 * i, miss);
    const double dn = s->du[2 * i], dt = s->du[2 * i + 1];
    x->dw[0] = dn + miss[0];
    x->dz[0] = (x->c[0] - x->z[0] * x->dw[0]) / x->w[0];
    if (x->mu == 0)
      continue;
    const double D2 = x->z[1] / x->w[1], D3 = x->z[2] / x->w[2], K = x->w[3] / x->z[3] + D2 + D3;
    x->dz[3] = x->h + (x->mu * x->B[0] * dn - (D2 - D3) * dt) / K;
    x->dw[1] = dt + x->dz[3] + miss[1];
    x->dw[2] = -dt + x->dz[3] + miss[2];
    x->dz[1] = (x->c[1] - x->z[1] * x->dw[1]) / x->w[1];
    x->dz[2] = (x->c[2] - x->z[2] * x->dw[2]) / x->w[2];
    x->dw[3] = (x->c[3] - x->w[3] * x->dz[3]) / x->z[3];
  }
}

/* Largest step that leaves nothing below 0. */
static double
largest_step (const Reduced *s)
{
  double least = -1;
  for (int i = 0; i < s->m; i++)
    for (int k = 0; k < n_pairs (&s->points[i]); k++) {
      least = fmin (least, s->points[i].dz[k] / s->points[i].z[k]);
      least = fmin (least, s->points[i].dw[k] / s->points[i].w[k]);
    }
  return -1 / least;
}

static void
set_targets (Reduced *s, double target, bool has_corrector)
{
  for (int i = 0; i < s->m; i++) {
    Point *x = &s->points[i];
    for (int k = 0; k < 4; k++)
      x->c[k] = target / x->weight - x->z[k] * x->w[k] - (has_corrector ? x->dz[k] * x->dw[k] : 0);
  }
}

/* The iterate as impulses: rounded to the states that its products tell, which is what remains to be right. */
static void
round_off (const Reduced *s, double *r)
{
  for (int i = 0; i < s->m; i++) {
    const Point *x = &s->points[i];
    const double pt = x->mu > 0 ? x->z[1] - x->z[2] : 0;
    r[2 * i] = x->weight * x->z[0] > x->w[0] ? x->z[0] : 0;
    const double bound = x->mu * r[2 * i];
    r[2 * i + 1] = x->weight * x->w[3] < x->z[3] ? copysign (bound, pt) : fmin (fmax (pt, -bound), bound);
  }
}

/* ---- newton ------------------------------------------------------------------------------------------------------ */

/* The piece of s->r and u: the equation's matrix and right-hand side in s->A and s->r. Returns a number of the
 * states. */
static uint64_t
set_piece (Reduced *s, const double *u)
{
  const size_t n = 2 * (size_t)s->m;
  const SsPattern *a = &s->rows.W.pattern;
  uint64_t states = 0;
  memset (s->A, 0, n * n * sizeof *s->A);
  for (int i = 0; i < s->m; i++) {
    const double mu = s->problem->mu[i], wn = fmax (ss_sparse_get (&s->rows.W, 2 * i, 2 * i), tiny),
                 wt = fmax (ss_sparse_get (&s->rows.W, 2 * i + 1, 2 * i + 1), tiny), yn = s->r[2 * i] - u[2 * i] / wn,
                 yt = s->r[2 * i + 1] - u[2 * i + 1] / wt, bound = mu * fmax (yn, 0);
    const bool is_closed = yn > 0;
    const int slide = fabs (yt) < bound ? 0 : yt > 0 ? 1 : -1;
    states = states * 31 + (uint64_t)(is_closed ? 2 + slide : 0);
    for (int row = 2 * i; row <= 2 * i + 1; row++) {
      const bool is_held = is_closed && (row % 2 == 0 || slide == 0); /* by u = 0 */
      s->e[row] = is_held ? -s->rows.q[row] : 0;
      s->A[(size_t)row * (n + 1)] = is_held ? softness * (row % 2 == 0 ? wn : wt) : 1;
      for (int k = a->start[row]; is_held && k < a->start[row + 1]; k++)
        s->A[(size_t)row + n * (size_t)a->index[k]] += s->rows.W.value[k];
    }
    if (is_closed && slide != 0)
      s->A[(size_t)(2 * i + 1) + n * (size_t)(2 * i)] = -slide * mu;
  }
  memcpy (s->r, s->e, n * sizeof *s->r);
  return states;
}

static void
go_by_states (Reduced *s, SsStepRun *run)
{
  const int n = 2 * s->m;
  uint64_t before = 0;
  memset (s->r, 0, (size_t)n * sizeof *s->r);
  for (int k = 1; k <= ITERATIONS_MAX; k++) {
    ss_csr_multiply (&s->rows.W.pattern, s->rows.W.value, s->r, s->u);
    for (int i = 0; i < n; i++)
      s->u[i] += s->rows.q[i];
    const uint64_t states = set_piece (s, s->u);
    if ((k > 1 && states == before) || ss_dense_lu (n, s->A, n, s->pivot) != SS_OK)
      break;
    before = states;
    ss_dense_lu_solve (n, s->A, n, s->pivot, s->r);
    if (!ss_step_run_tell (run, k, s->r, NULL))
      return;
  }
  ss_step_run_give_up (run, "its states came back, or go in a circle");
}

/* ---- from starts, and both --------------------------------------------------------------------------------------- */

/* From one start. Returns whether to go on with another one. */
static bool
go (Reduced *s, SsStepRun *run, int *iterations)
{
  double last = 1;
  for (int k = 0, n_stuck = 0; k < ITERATIONS_MAX && n_stuck < STUCK_MAX; k++) {
    find_impulses (s);
    const double gap = find_gap (s, 0);
    if (!isfinite (gap) || !(gap > 0) || !factor (s))
      return true;
    ++*iterations;
    set_targets (s, 0, false);
    find_direction (s);
    const double left = find_gap (s, fmin (1, largest_step (s))) / gap;
    const bool is_free = last > crowded;
    set_targets (s, is_free ? left * left * left * gap : centring * gap, is_free);
    find_direction (s);
    last = fmin (1, way_part * largest_step (s));
    n_stuck = last < step_least ? n_stuck + 1 : 0;
    for (int i = 0; i < s->m; i++)
      for (int j = 0; j < n_pairs (&s->points[i]); j++) {
        s->points[i].z[j] += last * s->points[i].dz[j];
        s->points[i].w[j] += last * s->points[i].dw[j];
      }
    ss_axpy (2 * s->m, last, s->du, s->u);
    round_off (s, s->work);
    if (!ss_step_run_tell (run, *iterations, s->work, NULL))
      return false;
  }
  return true;
}

static void
go_inside (Reduced *s, SsStepRun *run)
{
  const double scale = ss_norm_inf (2 * s->m, s->rows.q);
  int iterations = 0;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    start (s, starts[i] * scale, (int)i);
    if (!go (s, run, &iterations))
      return;
  }
  ss_step_run_give_up (run, "the central path turned from every start");
}

/* Why the problem is none of these; NULL: it is. */
static const char *
why_not (const SsStepProblem *problem)
{
  if (2 * (size_t)problem->n_contacts > ROWS_MAX)
    return "more than 800 points are too many for a dense matrix";
  for (int i = 0; i < problem->n_contacts; i++)
    if (problem->least[i] > 0)
      return "it takes no least impulses";
  return problem->n_joints > 0 ? "it takes no bilateral rows" : NULL;
}

static SsStatus
go_reduced (SsStepRun *run, void (*solve) (Reduced *, SsStepRun *), SsError *err)
{
  const SsStepProblem *problem = ss_step_run_problem (run);
  const size_t m = (size_t)problem->n_contacts, n = 2 * m;
  Reduced s = {.problem = problem, .m = problem->n_contacts};
  if (why_not (problem) != NULL) {
    ss_step_run_give_up (run, why_not (problem));
    return SS_OK;
  }
  SsStatus status = ss_step_rows_new (problem, &s.rows, err);
  s.points = ss_new_array (Point, m + 1);
  s.A = ss_new_array (double, n *n + 1);
  s.u = ss_new_array (double, 5 * n + 1);
  s.pivot = ss_new_array (int, n + 1);
  if (status == SS_OK && (s.points == NULL || s.A == NULL || s.u == NULL || s.pivot == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a solver");
  if (status == SS_OK) {
    s.du = s.u + n;
    s.r = s.du + n;
    s.e = s.r + n;
    s.work = s.e + n;
    solve (&s, run);
  }
  ss_step_rows_clear (&s.rows);
  ss_free (s.points);
  ss_free (s.A);
  ss_free (s.u);
  ss_free (s.pivot);
  return status;
}

SsStatus
ss_step_go_reduced_interior (SsStepRun *run, SsError *err)
{
  return go_reduced (run, go_inside, err);
}

SsStatus
ss_step_go_reduced_newton (SsStepRun *run, SsError *err)
{
  return go_reduced (run, go_by_states, err);
}
