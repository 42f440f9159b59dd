/* engine/simulate/ss-secant-way.c: see ss-secant-way.h. */
#include "simulate/ss-secant-way.h"

#include <math.h>
#include <string.h>

/* What the rows miss of being secants of the way that they lead to [m, rad]: joints are closed to that, and their work
 * is right. The second is taken where rounding lets it become no less. */
static const double closed = 1e-11, closed_far = 1e-9;
/* By how much the end of the way moves in the last round [m, rad]: at first, and of contacts that stick or slip by
 * turns from round to round. */
static const double settled = 1e-8, settled_late = 1e-4;
/* Rounds, and those that count as late. */
enum { ROUNDS_MAX = 30, LATE = 15 };
/* A way that turns less than this [rad] has secants to rounding. */
static const double straight = 1e-9;
/* Angles are moved by this to see how the rows turn [rad]. */
static const double turn = 1e-6;
/* RATTLE is stable up to h sqrt(k/J) = 2; there its motion has little to do with the scene's. */
static const double longest = 1.5;
/* Rounds of the power method, which find the fastest motion to some percent. */
enum { POWERS = 8 };

struct SsSecantWay {
  int capacity;        /* rows */
  SsRow *middle, *end; /* of the scene, in the middle of the way and at its end    */
  SsJointConstraint *rows;
  int n_rows; /* of the last way, with their impulses                     */
  double *block;
  double *q_middle, *v_free, *v_last, *inertia, *inverse, *bend, *x, *y; /* 3 n_bodies each */
  double *p, *bias;                                                      /* capacity each   */
};

SsStatus
ss_secant_way_new (const SsScene *scene, SsSecantWay **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  SsSecantWay *s = ss_new (SsSecantWay);
  const size_t n = SS_JOINT_ROWS_MAX * (size_t)scene->n_joints + 1, m = 3 * (size_t)scene->n_bodies;
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d joints", scene->n_joints);
  s->capacity = (int)n;
  s->middle = ss_new_array (SsRow, n);
  s->end = ss_new_array (SsRow, n);
  s->rows = ss_new_array (SsJointConstraint, n);
  s->block = ss_new_array (double, 8 * m + 2 * n);
  if (s->middle == NULL || s->end == NULL || s->rows == NULL || s->block == NULL) {
    ss_secant_way_free (s);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d joints", scene->n_joints);
  }
  double **const vectors[] = {&s->q_middle, &s->v_free, &s->v_last, &s->inertia, &s->inverse, &s->bend, &s->x, &s->y};
  for (int i = 0; i < 8; i++)
    *vectors[i] = s->block + (size_t)i * m;
  s->p = s->block + 8 * m;
  s->bias = s->p + n;
  *out = s;
  return SS_OK;
}

void
ss_secant_way_free (SsSecantWay *s)
{
  if (s == NULL)
    return;
  ss_free (s->middle);
  ss_free (s->end);
  ss_free (s->rows);
  ss_free (s->block);
  ss_free (s);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Those of joints are first. */
static int
n_joint_rows (const SsContactProblem *problem)
{
  int n = 0;
  while (n < problem->n_rows && problem->rows[n].row.kind == SS_ROW_JOINT)
    n++;
  return n;
}

/* The row of the scene's `rows` that row i of the problem is, which has some of them in their order. */
static const SsRow *
same_row (const SsContactProblem *problem, int i, const SsRow *rows, int *at)
{
  const SsRow *row = &problem->rows[i].row;
  while (rows[*at].source != row->source || rows[*at].index != row->index)
    ++*at;
  return &rows[*at];
}

/* The largest bend of each angle, k h/2 as an inertia, from the impulses of the rows, whose entries for the angles
 * change by `turn` from `here` to `there`. What is pressed, not pulled, has a negative one, and is left to the rounds.
 */
static void
find_bend (SsSecantWay *s, const SsContactProblem *problem, const SsRow *here, const SsRow *there, double h)
{
  int at = 0;
  memset (s->bend, 0, 3 * (size_t)problem->scene->n_bodies * sizeof *s->bend);
  for (int i = 0; i < s->n_rows; i++) {
    const SsRow *a = same_row (problem, i, here, &at), *b = &there[at];
    for (int side = 0; side < 2; side++)
      if (a->body[side] >= 0)
        s->bend[3 * a->body[side] + 2] -= h / 2 * problem->rows[i].p * (b->j[3 * side + 2] - a->j[3 * side + 2]) / turn;
  }
  for (int i = 0; i < problem->scene->n_bodies; i++)
    s->bend[3 * i + 2] = problem->inverse_mass[3 * i + 2] > 0 ? fmax (s->bend[3 * i + 2], 0) : 0;
}

/* Rows in the middle of the way into s->middle, and their bend. */
static void
find_middle (SsSecantWay *s, const SsContactProblem *problem, const SsRattleWay *way, const double *v)
{
  const int n = 3 * problem->scene->n_bodies;
  for (int i = 0; i < n; i++)
    s->q_middle[i] = way->q0[i] + way->h / 2 * v[i] + (i % 3 == 2 ? turn : 0);
  ss_dynamics_set_time (problem->dynamics, way->t + way->h / 2);
  ss_dynamics_joint_rows (problem->dynamics, s->q_middle, v, s->end);
  for (int i = 2; i < n; i += 3)
    s->q_middle[i] -= turn;
  ss_dynamics_joint_rows (problem->dynamics, s->q_middle, v, s->middle);
  find_bend (s, problem, s->middle, s->end, way->h);
}

/* The rows of the problem become secants of the way with v, which ends at q. Returns what they missed before. */
static double
set_secants (SsSecantWay *s, SsContactProblem *problem, const SsRattleWay *way, const double *v, const double *q)
{
  int at = 0;
  double missed = 0;
  ss_dynamics_set_time (problem->dynamics, way->t + way->h);
  ss_dynamics_joint_rows (problem->dynamics, q, v, s->end);
  for (int i = 0; i < s->n_rows; i++) {
    SsRow *row = &problem->rows[i].row;
    const SsRow *middle = same_row (problem, i, s->middle, &at);
    missed = fmax (missed, fabs (s->end[at].phi - row->phi - way->h * ss_row_velocity (row, v)));
    memcpy (row->j, middle->j, sizeof row->j);
    row->rate_t = middle->rate_t;
    double turned = 0, lacking = s->end[at].phi - row->phi - way->h * ss_row_velocity (row, v);
    for (int side = 0; side < 2; side++)
      if (row->body[side] >= 0 && row->j[3 * side + 2] != 0)
        turned += pow (way->h * v[3 * row->body[side] + 2], 2);
    for (int side = 0; side < 2 && turned > straight * straight; side++)
      if (row->body[side] >= 0 && row->j[3 * side + 2] != 0)
        row->j[3 * side + 2] += lacking * way->h * v[3 * row->body[side] + 2] / turned;
    if (problem->scene->joints[row->source].reads_time && !(turned > straight * straight))
      row->rate_t += lacking / way->h;
  }
  return missed;
}

/* ---- the way ----------------------------------------------------------------------------------------------------- */

/* One solution with the bends added to the inertias; they act on what v differs from s->v_last. */
static SsStatus
solve_bent (SsSecantWay *s, SsContactProblem *problem, const SsRattleWay *way, double *v, SsStepInfo *info,
            SsError *err)
{
  const double *mass = problem->mass, *inverse_mass = problem->inverse_mass;
  const int n = 3 * problem->scene->n_bodies;
  for (int i = 0; i < n; i++) {
    s->inertia[i] = mass[i] + s->bend[i];
    s->inverse[i] = s->bend[i] > 0 ? 1 / s->inertia[i] : inverse_mass[i];
    s->v_free[i] =
        s->bend[i] > 0 ? (mass[i] * way->v_free[i] + s->bend[i] * s->v_last[i]) / s->inertia[i] : way->v_free[i];
  }
  problem->mass = s->inertia;
  problem->inverse_mass = s->inverse;
  SsStatus status = ss_stiff_solve (way->stiff, problem, s->v_free, way->t, v, info, err);
  problem->mass = mass;
  problem->inverse_mass = inverse_mass;
  return status;
}

SsStatus
ss_secant_way_go (SsSecantWay *s, SsContactProblem *problem, const SsRattleWay *way, double *v, double *q,
                  SsStepInfo *info, SsError *err)
{
  SS_ASSERT (s != NULL && problem != NULL && way != NULL && v != NULL && q != NULL && info != NULL);

  const size_t n = 3 * (size_t)problem->scene->n_bodies;
  int pivots = 0;
  double moved = INFINITY, least = INFINITY;
  s->n_rows = n_joint_rows (problem);
  for (int i = 0; i < s->n_rows; i++)
    problem->rows[i].bias = (way->kappa != NULL ? way->kappa[i] : 1) * problem->rows[i].row.phi / way->h;
  for (int k = 0; k < ROUNDS_MAX; k++) {
    for (size_t i = 0; i < n; i++)
      q[i] = way->q0[i] + way->h * v[i];
    memcpy (s->rows, problem->rows, (size_t)s->n_rows * sizeof *s->rows);
    find_middle (s, problem, way, v);
    const double missed = set_secants (s, problem, way, v, q);
    if (moved <= (k < LATE ? settled : settled_late) &&
        (missed <= closed || (missed <= closed_far && missed > least / 2))) {
      memcpy (problem->rows, s->rows, (size_t)s->n_rows * sizeof *s->rows);
      return SS_OK;
    }
    least = k > 0 ? fmin (least, missed) : INFINITY;
    memcpy (s->v_last, v, n * sizeof *v);
    SsStatus status = solve_bent (s, problem, way, v, info, err);
    if (status != SS_OK)
      return status;
    info->pivots = pivots += info->pivots;
    moved = 0;
    for (size_t i = 0; i < n; i++)
      moved = fmax (moved, way->h * fabs (v[i] - s->v_last[i]));
  }
  return ss_error_set (err, SS_ERR_SINGULAR, "the joints at t = %.9g s: a step of %.9g s does not close them", way->t,
                       way->h);
}

void
ss_secant_way_push (const SsSecantWay *s, const SsContactProblem *problem, double *v, SsRattle *rattle)
{
  SS_ASSERT (s != NULL && problem != NULL && v != NULL);

  if (rattle != NULL)
    ss_rattle_keep_rows (rattle, s->rows, s->n_rows);
  for (int i = 0; i < s->n_rows; i++)
    ss_contact_problem_push_row (problem, &s->rows[i].row, s->rows[i].p, v);
}

/* ---- whether it is needed ---------------------------------------------------------------------------------------- */

/* h^2 k/J of the fastest motion, by the power method on M^-1 k among the motions that the joints allow. */
static SsStatus
find_fastest (SsSecantWay *s, SsContactProblem *problem, const SsRattleWay *way, double *fastest, SsError *err)
{
  const int n = 3 * problem->scene->n_bodies;
  SsStatus status = SS_OK;
  *fastest = 0;
  for (int i = 0; i < n; i++) /* alternating, as the fastest motion of a chain */
    s->x[i] = i % 3 == 2 && s->bend[i] > 0 ? (i / 3 % 2 == 0 ? 1 : -1) * (1 + 0.1 * sin (i)) : 0;
  for (int k = 0; k < POWERS && status == SS_OK; k++) {
    double size = 0;
    for (int i = 0; i < n; i++)
      s->x[i] *= problem->inverse_mass[i] * s->bend[i] * 4;
    status = ss_contact_problem_solve_rows (problem, s->x, way->t, s->y, err);
    for (int i = 0; i < n; i++)
      size += problem->mass[i] * s->y[i] * s->y[i];
    size = sqrt (size);
    if (!(size > 0))
      break;
    *fastest = k > 0 ? size : 0;
    for (int i = 0; i < n; i++)
      s->x[i] = s->y[i] / size;
  }
  return status;
}

SsStatus
ss_secant_way_needed (SsSecantWay *s, SsContactProblem *problem, const SsRattleWay *way, bool *is_needed, SsError *err)
{
  SS_ASSERT (s != NULL && problem != NULL && way != NULL && is_needed != NULL);

  const int n = 3 * problem->scene->n_bodies;
  double bound = 0, fastest;
  s->n_rows = n_joint_rows (problem);
  for (int i = 0; i < n; i++)
    s->q_middle[i] = way->q0[i] + (i % 3 == 2 ? turn : 0);
  ss_dynamics_set_time (problem->dynamics, way->t);
  ss_dynamics_joint_rows (problem->dynamics, way->q0, way->v_free, s->middle);
  ss_dynamics_joint_rows (problem->dynamics, s->q_middle, way->v_free, s->end);
  find_bend (s, problem, s->middle, s->end, way->h);
  for (int i = 0; i < n; i++)
    bound = fmax (bound, 4 * problem->inverse_mass[i] * s->bend[i]);
  *is_needed = false;
  if (!(bound > longest * longest))
    return SS_OK;
  for (int i = 0; i < s->n_rows; i++) {
    s->p[i] = problem->rows[i].p;
    s->bias[i] = problem->rows[i].bias;
    problem->rows[i].bias = 0;
  }
  SsStatus status = find_fastest (s, problem, way, &fastest, err);
  for (int i = 0; i < s->n_rows; i++) {
    problem->rows[i].p = s->p[i];
    problem->rows[i].bias = s->bias[i];
  }
  *is_needed = status == SS_OK && fastest > longest * longest;
  return status;
}
