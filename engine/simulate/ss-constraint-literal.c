/* engine/simulate/ss-constraint-literal.c: the quadratic programs of paper 003 exactly as printed, [003 (83)-(85)] and
 * (99)-(108) in the reduced form of its appendix (with f + Gb' C^-1 c in the place of f in (174), (175),
 * (197), (198), which the joints' elimination needs).
 *
 * Unknowns: normal forces of contacts and limits, friction forces of contacts with mu > 0.
 *     minimise    1/2 l' H l + g' l,   H = diag (zeta, 1) + (E + S)' (E + S),   g = (E + S)' d
 *     subject to  l_n + Delta Gn Lambda G' l >= q_n,   l_n >= 0,   -mu l_n <= l_r <= mu l_n,
 * E = h B_r Gr Lambda G', S selects the friction forces, d = Mhat gdv_r + B_r (Gr vf + h gdv_r), q_n = -Mhat gdv_n - K
 * phi_n - D (Gn vf + h gdv_n); Lambda and vf hold the answer of the joints. What is wrong with it: as
 * soon as constraints are coupled, (83)-(85) do not have the solution of the law (68), and (99)-(108) buy friction by
 * inflating the normal forces, so that nothing slides by Coulomb's law. Solved densely by the dual active set method of
 * D. Goldfarb and A. Idnani (Math. Program. 27 (1983)) on a square-root factor of H from the QR of its parts: H itself
 * would have lost half of the digits.
 */
#include "simulate/ss-constraint-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A constraint counts as violated beyond this, after scaling by its norm in the metric of H^-1, relative to the
 * solution's size. */
static const double violation_tolerance = 1e-11;
/* More unknowns take seconds a step. */
enum { UNKNOWNS_MAX = 600, ITERATIONS_PER_CONSTRAINT = 10 };

struct SsConstraintLiteral {
  int n_capacity, m_capacity, v_capacity;
  double *Z;             /* Lambda G' by columns: coordinates x n                   */
  double *stack, *rhs;   /* QR: (n + n_r) x n; n + n_r                              */
  double *J, *R;         /* n x n                                                   */
  double *x, *z, *d, *r; /* n                                                       */
  double *u;             /* n + 1: multipliers of active constraints                */
  int *active;           /* n                                                       */
  double *C, *c;         /* constraints C' x >= c: columns of length n, m           */
  bool *is_active;       /* m                                                       */
};

void
ss_constraint_literal_free (SsConstraintLiteral *q)
{
  if (q == NULL)
    return;
  ss_free (q->Z);
  ss_free (q->stack);
  ss_free (q->rhs);
  ss_free (q->J);
  ss_free (q->R);
  ss_free (q->x);
  ss_free (q->z);
  ss_free (q->d);
  ss_free (q->r);
  ss_free (q->u);
  ss_free (q->active);
  ss_free (q->C);
  ss_free (q->c);
  ss_free (q->is_active);
  ss_free (q);
}

static SsStatus
reserve (SsConstraintStepper *s, int n, int m, int n_coordinates, SsError *err)
{
  SsConstraintLiteral *q = s->literal;
  if (q != NULL && n <= q->n_capacity && m <= q->m_capacity && n_coordinates <= q->v_capacity)
    return SS_OK;
  ss_constraint_literal_free (q);
  s->literal = q = ss_new (SsConstraintLiteral);
  size_t N = (size_t)n + 4, M = (size_t)m + 4, V = (size_t)n_coordinates;
  if (q != NULL) {
    q->Z = ss_new_array (double, V *N);
    q->stack = ss_new_array (double, 2 * N * N);
    q->rhs = ss_new_array (double, 2 * N);
    q->J = ss_new_array (double, N *N);
    q->R = ss_new_array (double, N *N);
    q->x = ss_new_array (double, N);
    q->z = ss_new_array (double, N);
    q->d = ss_new_array (double, N);
    q->r = ss_new_array (double, N);
    q->u = ss_new_array (double, N);
    q->active = ss_new_array (int, N);
    q->C = ss_new_array (double, N *M);
    q->c = ss_new_array (double, M);
    q->is_active = ss_new_array (bool, M);
  }
  if (q == NULL || q->Z == NULL || q->stack == NULL || q->rhs == NULL || q->J == NULL || q->R == NULL || q->x == NULL ||
      q->z == NULL || q->d == NULL || q->r == NULL || q->u == NULL || q->active == NULL || q->C == NULL ||
      q->c == NULL || q->is_active == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a quadratic program of %d unknowns", n);
  q->n_capacity = n;
  q->m_capacity = m;
  q->v_capacity = n_coordinates;
  return SS_OK;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

/* Householder QR of the (rows x n) stack, applied to rhs; R into the upper triangle. */
static void
factor_stack (int rows, int n, double *a, double *b)
{
  for (int k = 0; k < n; k++) {
    double *column = a + (size_t)k * (size_t)rows, norm = ss_norm_2 (rows - k, column + k);
    if (norm == 0)
      continue;
    double alpha = column[k] > 0 ? -norm : norm, head = column[k] - alpha;
    double scale = -1 / (alpha * head); /* H = I - scale w w', w = (head, rest) */
    column[k] = head;
    for (int j = k + 1; j <= n; j++) {
      double *other = j < n ? a + (size_t)j * (size_t)rows : b;
      double dot = scale * ss_dot (rows - k, column + k, other + k);
      ss_axpy (rows - k, -dot, column + k, other + k);
    }
    column[k] = alpha;
    for (int i = k + 1; i < rows; i++)
      column[i] = 0;
  }
}

/* J = R^-1, of the Hessian R' R, and the unconstrained minimum x = -R^-1 Q' (0, d). */
static void
start_point (SsConstraintLiteral *q, int rows, int n)
{
  memset (q->J, 0, (size_t)n * (size_t)n * sizeof *q->J);
#define R_(i, j) q->stack[(size_t)(j) * (size_t)rows + (size_t)(i)]
  for (int j = 0; j < n; j++) {
    double *column = q->J + (size_t)j * (size_t)n;
    column[j] = 1 / R_ (j, j);
    for (int i = j - 1; i >= 0; i--) {
      double sum = 0;
      for (int k = i + 1; k <= j; k++)
        sum += R_ (i, k) * column[k];
      column[i] = -sum / R_ (i, i);
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    double sum = -q->rhs[i];
    for (int k = i + 1; k < n; k++)
      sum -= R_ (i, k) * q->x[k];
    q->x[i] = sum / R_ (i, i);
  }
#undef R_
}

/* d = J' normal of a constraint. */
static void
transform (SsConstraintLiteral *q, int n, int constraint)
{
  for (int j = 0; j < n; j++)
    q->d[j] = ss_dot (n, q->J + (size_t)j * (size_t)n, q->C + (size_t)constraint * (size_t)n);
}

/* Turns columns a, b of J (length n) so that the pair (d_a, d_b) becomes (r, 0). */
static void
turn_columns (double *J, int n, int a, int b, double *da, double *db)
{
  double r = hypot (*da, *db);
  if (*db == 0 || r == 0)
    return;
  double c = *da / r, s = *db / r, *x = J + (size_t)a * (size_t)n, *y = J + (size_t)b * (size_t)n;
  *da = r;
  *db = 0;
  for (int i = 0; i < n; i++) {
    double t = c * x[i] + s * y[i];
    y[i] = c * y[i] - s * x[i];
    x[i] = t;
  }
}

static void
add_active (SsConstraintLiteral *q, int n, int *n_active, int constraint, double u)
{
  int k = *n_active;
  for (int j = n - 1; j > k; j--)
    turn_columns (q->J, n, j - 1, j, &q->d[j - 1], &q->d[j]);
  for (int i = 0; i <= k; i++)
    q->R[(size_t)k * (size_t)n + (size_t)i] = q->d[i];
  q->active[k] = constraint;
  q->is_active[constraint] = true;
  q->u[k] = u;
  ++*n_active;
}

static void
drop_active (SsConstraintLiteral *q, int n, int *n_active, int l)
{
  q->is_active[q->active[l]] = false;
  for (int j = l; j + 1 < *n_active; j++) {
    q->active[j] = q->active[j + 1];
    q->u[j] = q->u[j + 1];
    memcpy (q->R + (size_t)j * (size_t)n, q->R + ((size_t)j + 1) * (size_t)n, (size_t)(j + 2) * sizeof *q->R);
  }
  q->u[*n_active - 1] = q->u[*n_active]; /* that of the constraint being added */
  --*n_active;
  for (int j = l; j < *n_active; j++) { /* entry (j + 1, j) of R back to zero */
    double *a = &q->R[(size_t)j * (size_t)n + (size_t)j], *b = a + 1;
    double r = hypot (*a, *b);
    if (*b == 0 || r == 0)
      continue;
    double c = *a / r, s = *b / r;
    for (int k = j; k < *n_active; k++) {
      double *top = &q->R[(size_t)k * (size_t)n + (size_t)j], x = top[0], y = top[1];
      top[0] = c * x + s * y;
      top[1] = c * y - s * x;
    }
    double *x = q->J + (size_t)j * (size_t)n, *y = x + n;
    for (int i = 0; i < n; i++) {
      double t = c * x[i] + s * y[i];
      y[i] = c * y[i] - s * x[i];
      x[i] = t;
    }
  }
}

/* Adds one violated constraint, dropping others on the way. False if there is no feasible point. */
static bool
satisfy (SsConstraintLiteral *q, int n, int *n_active, int p, int max_drops)
{
  q->u[*n_active] = 0;
  for (int drops = 0; drops <= max_drops; drops++) {
    int k = *n_active, l = -1;
    transform (q, n, p);
    memset (q->z, 0, (size_t)n * sizeof *q->z);
    for (int j = k; j < n; j++)
      ss_axpy (n, q->d[j], q->J + (size_t)j * (size_t)n, q->z);
    for (int i = k - 1; i >= 0; i--) {
      double sum = q->d[i];
      for (int j = i + 1; j < k; j++)
        sum -= q->R[(size_t)j * (size_t)n + (size_t)i] * q->r[j];
      q->r[i] = sum / q->R[(size_t)i * (size_t)n + (size_t)i];
    }
    double t1 = INFINITY, t2 = INFINITY;
    for (int i = 0; i < k; i++)
      if (q->r[i] > 0 && q->u[i] / q->r[i] < t1) {
        t1 = q->u[i] / q->r[i];
        l = i;
      }
    const double *normal = q->C + (size_t)p * (size_t)n;
    double violation = ss_dot (n, normal, q->x) - q->c[p], rest = ss_norm_2 (n - k, q->d + k);
    if (rest > 1e3 * DBL_EPSILON * ss_norm_2 (n, q->d)) /* the normal does not depend on the active ones */
      t2 = -violation / (rest * rest);
    if (isinf (t1) && isinf (t2))
      return false;
    double t = fmin (t1, t2);
    for (int i = 0; i < k; i++)
      q->u[i] -= t * q->r[i];
    q->u[k] += t;
    if (!isinf (t2))
      ss_axpy (n, t, q->z, q->x);
    if (t2 <= t1) {
      double u = q->u[k];
      add_active (q, n, n_active, p, u);
      return true;
    }
    drop_active (q, n, n_active, l);
  }
  return false;
}

static bool
minimise (SsConstraintLiteral *q, int n, int m, int *iterations)
{
  int n_active = 0;
  memset (q->is_active, 0, (size_t)m * sizeof *q->is_active);
  for (int i = 0; i < m; i++) { /* unit normals in the metric of H^-1 */
    transform (q, n, i);
    double norm = ss_norm_2 (n, q->d);
    for (int j = 0; norm > 0 && j < n; j++)
      q->C[(size_t)i * (size_t)n + (size_t)j] /= norm;
    q->c[i] = norm > 0 ? q->c[i] / norm : 0;
  }
  double scale = 0;
  for (int i = 0; i < m; i++)
    scale = fmax (scale, fmax (fabs (q->c[i]), fabs (ss_dot (n, q->C + (size_t)i * (size_t)n, q->x))));
  for (*iterations = 0; *iterations < ITERATIONS_PER_CONSTRAINT * m; ++*iterations) {
    int worst = -1;
    double lowest = -violation_tolerance * scale;
    for (int i = 0; i < m; i++) {
      if (q->is_active[i])
        continue;
      double slack = ss_dot (n, q->C + (size_t)i * (size_t)n, q->x) - q->c[i];
      if (slack < lowest) {
        lowest = slack;
        worst = i;
      }
    }
    if (worst < 0)
      return true;
    if (!satisfy (q, n, &n_active, worst, m))
      return false;
  }
  return false;
}

/* ---- from the step's rows ---------------------------------------------------------------------------------------- */

static double
row_times (const SsContactPoint *p, const double *row, const double *v)
{
  double sum = 0;
  for (int k = 0; k < 6; k++)
    if (p->body[k / 3] >= 0)
      sum += row[k] * v[3 * p->body[k / 3] + k % 3];
  return sum;
}

/* Lambda [003 (189)] times a row: its column of Z [003 (193)-(194)]. */
static SsStatus
response (SsConstraintStepper *s, const SsContactPoint *p, const double *row, double t, double *z, SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  memset (s->f, 0, 3 * (size_t)s->base.scene->n_bodies * sizeof *s->f);
  for (int k = 0; k < 6; k++)
    if (p->body[k / 3] >= 0)
      s->f[3 * p->body[k / 3] + k % 3] += problem->inverse_mass[3 * p->body[k / 3] + k % 3] * row[k];
  return ss_contact_problem_solve_rows (problem, s->f, t, z, err);
}

/* Parts of the Hessian [003 (99) (180)-(181) (183) (195)] and of the slope [003 (184) (197)]; rows [003 (182)]: of the
 * normals [003 (185)-(188)] and the bounds; [003 (104)-(108)]. */
static void
fill_program (SsConstraintStepper *s, int n_normal, int n, int n_coordinates, double dt, const double *vf)
{
  SsConstraintLiteral *q = s->literal;
  SsContactProblem *problem = s->base.problem;
  int n_friction = n - n_normal, rows = n + n_friction, at = 0, k = 0;
  double zeta = s->options.zeta > 0 ? s->options.zeta : 1 / dt, slip_damping = ss_constraint_slip_damping (s, dt);
  memset (q->stack, 0, (size_t)rows * (size_t)n * sizeof *q->stack);
  memset (q->rhs, 0, (size_t)rows * sizeof *q->rhs);
  for (int j = 0; j < n; j++)
    q->stack[(size_t)j * (size_t)rows + (size_t)j] = sqrt (j < n_normal ? zeta : 1);
#define CONSTRAINT(i, j) q->C[(size_t)(i) * (size_t)n + (size_t)(j)]
  memset (q->C, 0, (size_t)n * (size_t)(2 * n_normal + 2 * n_friction) * sizeof *q->C);
  for (int i = 0; i < n_normal; i++) {
    const SsContactPoint *p = &problem->points[i];
    SsConstraintLaw law = ss_constraint_law_of_point (s, p, dt);
    double D = dt * law.stiffness + law.damping;
    for (int j = 0; j < n; j++)
      CONSTRAINT (at, j) = (i == j) + dt * D * row_times (p, p->jn, q->Z + (size_t)j * (size_t)n_coordinates);
    q->c[at++] = -ss_constraint_mhat (s, p, p->jn) * p->gdv_n - law.stiffness * law.phi -
                 D * (row_times (p, p->jn, vf) + dt * p->gdv_n);
    CONSTRAINT (at, i) = 1;
    q->c[at++] = 0;
    if (p->mu == 0)
      continue;
    int column = n_normal + k, row = n + k;
    for (int j = 0; j < n; j++)
      q->stack[(size_t)j * (size_t)rows + (size_t)row] =
          (j == column) + dt * slip_damping * row_times (p, p->jt, q->Z + (size_t)j * (size_t)n_coordinates);
    q->rhs[row] =
        ss_constraint_mhat (s, p, p->jt) * p->gdv_t + slip_damping * (row_times (p, p->jt, vf) + dt * p->gdv_t);
    for (int sign = -1; sign <= 1; sign += 2) {
      CONSTRAINT (at, i) = p->mu;
      CONSTRAINT (at, column) = sign;
      q->c[at++] = 0;
    }
    k++;
  }
#undef CONSTRAINT
}

/* Forces whose bounds leave them nothing are zero: the active ones give that but for rounding, and who asks whether a
 * contact is pushed would hear yes. Bounds as fill_program has them. */
static void
clear_what_is_bound (SsConstraintLiteral *q, const SsContactProblem *problem)
{
  const int n_normal = problem->n_points;
  for (int i = 0, row = 0, column = n_normal; i < n_normal; i++) {
    const bool *is_active = q->is_active + row + 1; /* behind the spring's: no pull, then both signs of friction */
    const bool has_friction = problem->points[i].mu > 0;
    const bool is_nothing = is_active[0] || (has_friction && is_active[1] && is_active[2]);
    if (is_nothing)
      q->x[i] = 0;
    if (is_nothing && has_friction)
      q->x[column] = 0;
    row += has_friction ? 4 : 2;
    column += has_friction;
  }
}

SsStatus
ss_constraint_literal_solve (SsConstraintStepper *s, double t, double dt, SsStepInfo *info, SsError *err)
{
  SS_ASSERT (s != NULL && info != NULL);

  SsContactProblem *problem = s->base.problem;
  int n_normal = problem->n_points, n = n_normal, n_coordinates = 3 * s->base.scene->n_bodies, iterations = 0;
  for (int i = 0; i < n_normal; i++)
    n += problem->points[i].mu > 0;
  *info = (SsStepInfo){.n_points = n_normal};
  SsStatus status = ss_contact_problem_solve_rows (problem, s->v_free, t, s->v, err);
  if (status != SS_OK || n == 0)
    return status;
  if (n > UNKNOWNS_MAX)
    return ss_error_set (err, SS_ERR_SINGULAR,
                         "law=literal at t = %.9g s: %d unknowns; it is dense and takes at most %d", t, n,
                         UNKNOWNS_MAX);
  status = reserve (s, n, 4 * n_normal, n_coordinates, err);
  if (status != SS_OK)
    return status;
  SsConstraintLiteral *q = s->literal;

  /* what one newton of each force does, the joints answering; their biases belong to vf alone */
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].row.phi = problem->rows[i].bias, problem->rows[i].bias = 0;
  for (int i = 0, k = 0; i < n_normal && status == SS_OK; i++) {
    const SsContactPoint *p = &problem->points[i];
    status = response (s, p, p->jn, t, q->Z + (size_t)i * (size_t)n_coordinates, err);
    if (status == SS_OK && p->mu > 0)
      status = response (s, p, p->jt, t, q->Z + (size_t)(n_normal + k++) * (size_t)n_coordinates, err);
  }
  if (status != SS_OK)
    return status;
  fill_program (s, n_normal, n, n_coordinates, dt, s->v);
  factor_stack (2 * n - n_normal, n, q->stack, q->rhs);
  start_point (q, 2 * n - n_normal, n);
  int m = 2 * n_normal + 2 * (n - n_normal);
  if (!minimise (q, n, m, &iterations)) {
    char what[200];
    ss_contact_point_describe (problem, &problem->points[0], what, sizeof what);
    return ss_error_set (err, SS_ERR_SINGULAR,
                         "%s at t = %.9g s: the printed quadratic program of %d unknowns was not solved", what, t, n);
  }
  info->pivots = iterations;
  clear_what_is_bound (q, problem);
  for (int i = 0; i < m; i++)
    info->residual = fmax (info->residual, q->c[i] - ss_dot (n, q->C + (size_t)i * (size_t)n, q->x));
  for (int i = 0, k = 0; i < n_normal; i++) {
    SsContactPoint *p = &problem->points[i];
    p->pn = dt * q->x[i];
    p->pt = p->mu > 0 ? dt * q->x[n_normal + k++] : 0;
  }
  for (int j = 0; j < n; j++)
    ss_axpy (n_coordinates, dt * q->x[j], q->Z + (size_t)j * (size_t)n_coordinates, s->v);

  /* what the joints do with these forces of the contacts, which led to s->v */
  memcpy (s->f, s->v_free, (size_t)n_coordinates * sizeof *s->f);
  for (int i = 0; i < n_normal; i++)
    ss_contact_problem_push (problem, &problem->points[i], s->f);
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].bias = problem->rows[i].row.phi;
  return ss_contact_problem_solve_rows (problem, s->f, t, s->v_start, err);
}
