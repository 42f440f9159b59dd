/* engine/simulate/ss-rattle.c: see ss-rattle.h. */
#include "simulate/ss-rattle.h"

#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* Joints that are open by less are closed [m, rad]: rounding of coordinates of some metres. */
static const double closed = 1e-13;
/* Joints far from the origin are closed where rounding lets them close no more, up to this [m, rad]. */
static const double closed_far = 1e-11;
/* A history of so many changes makes the iteration converge as a Krylov method of that many steps. A round gains about
 * a digit where the way turns by a tenth of a radian: one that needs more rounds is too long, and is gone in parts, but
 * for the shortest that are tried. */
enum { DEPTH = 5, ROUNDS_MAX = 10, ROUNDS_AT_LAST = 40 };
/* Joints that do not close so are moved a long way, in so many attempts. */
enum { CLOSINGS_MAX = 8 };
/* A step has at most 2 to this parts. */
enum { HALVINGS_MAX = 6 };
/* Changes whose least squares are singular to this are dropped with the history [-]. */
static const double independent = 1e-14;
/* Points with gaps below this touch at the end of the way [m or rad]. */
static const double touching = 1e-9;

struct SsRattle {
  const SsScene *scene;
  int capacity; /* rows */
  SsRow *rows;
  double *first, *bias, *rest, *last_bias, *last_rest; /* capacity each           */
  double *changes_bias, *changes_rest;                 /* DEPTH x capacity                */
  double *work;                                        /* 6 n_bodies                      */
  int n_changes, next;
  double *start; /* of a step in parts: q, v, contact, dissipated, joint; then the sums of the parts' impulses */
  bool is_last;  /* the parts are the shortest that are tried */
  double *block;
  SsContactPoint *kept; /* that pushed on the way, contacts by index, then limits */
  int n_kept, kept_capacity;
  double *kept_joints; /* SS_JOINT_N_FORCES n_joints: what the rows did on the way */
};

SsStatus
ss_rattle_new (const SsScene *scene, SsRattle **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  SsRattle *r = ss_new (SsRattle);
  if (r == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d joints", scene->n_joints);
  const size_t n = SS_JOINT_ROWS_MAX * (size_t)scene->n_joints + 1;
  r->scene = scene;
  r->capacity = (int)n;
  r->rows = ss_new_array (SsRow, n);
  r->block = ss_new_array (double, (5 + 2 * DEPTH) * n + 12 * (size_t)scene->n_bodies +
                                       (SS_SIM_N_CONTACT_VALUES + 3) * (size_t)scene->n_contacts +
                                       2 * SS_JOINT_N_FORCES * (size_t)scene->n_joints + 1);
  if (r->rows == NULL || r->block == NULL) {
    ss_rattle_free (r);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d joints", scene->n_joints);
  }
  r->bias = r->block;
  r->rest = r->bias + n;
  r->last_bias = r->rest + n;
  r->last_rest = r->last_bias + n;
  r->changes_bias = r->last_rest + n;
  r->changes_rest = r->changes_bias + DEPTH * n;
  r->first = r->changes_rest + DEPTH * n;
  r->work = r->first + n;
  r->start = r->work + 6 * (size_t)scene->n_bodies;
  r->kept_joints = r->start + 6 * (size_t)scene->n_bodies + (SS_SIM_N_CONTACT_VALUES + 3) * (size_t)scene->n_contacts +
                   SS_JOINT_N_FORCES * (size_t)scene->n_joints;
  *out = r;
  return SS_OK;
}

void
ss_rattle_free (SsRattle *r)
{
  if (r == NULL)
    return;
  ss_free (r->rows);
  ss_free (r->block);
  ss_free (r->kept);
  ss_free (r);
}

void
ss_rattle_set_biases (SsContactProblem *problem, const SsRattleWay *way)
{
  SS_ASSERT (problem != NULL && way != NULL && way->h > 0);

  for (int i = 0; i < problem->n_rows; i++) {
    SsJointConstraint *c = &problem->rows[i];
    c->bias = (way->kappa != NULL ? way->kappa[i] : 1) * (c->row.phi / way->h + 0.5 * way->h * c->row.gdv) +
              (way->fixed != NULL ? way->fixed[i] : 0);
  }
}

/* ---- Anderson acceleration --------------------------------------------------------------------------------------- */

/* What the last round changed goes into the history. */
static void
remember (SsRattle *r, int n)
{
  double *db = r->changes_bias + (size_t)r->next * (size_t)r->capacity,
         *dr = r->changes_rest + (size_t)r->next * (size_t)r->capacity;
  for (int i = 0; i < n; i++) {
    db[i] = r->bias[i] - r->last_bias[i];
    dr[i] = r->rest[i] - r->last_rest[i];
  }
  r->next = (r->next + 1) % DEPTH;
  if (r->n_changes < DEPTH)
    r->n_changes++;
}

/* weights: least squares of rest - changes_rest weights. False where the changes are not independent. */
static bool
find_weights (const SsRattle *r, int n, double *weights)
{
  double gram[DEPTH * DEPTH];
  const int m = r->n_changes;
  for (int a = 0; a < m; a++) {
    const double *da = r->changes_rest + (size_t)a * (size_t)r->capacity;
    for (int b = 0; b < m; b++)
      gram[b * m + a] = ss_dot (n, da, r->changes_rest + (size_t)b * (size_t)r->capacity);
    weights[a] = ss_dot (n, da, r->rest);
  }
  for (int a = 0; a < m; a++)
    gram[a * m + a] *= 1 + independent;
  if (ss_dense_cholesky (m, gram, m) != SS_OK)
    return false;
  ss_dense_cholesky_solve (m, gram, m, weights);
  return true;
}

/* The next bias. */
static void
improve (SsRattle *r, int n)
{
  double weights[DEPTH];
  const bool has_weights = r->n_changes > 0 && find_weights (r, n, weights);
  if (!has_weights)
    r->n_changes = r->next = 0;
  memcpy (r->last_bias, r->bias, (size_t)n * sizeof *r->bias);
  memcpy (r->last_rest, r->rest, (size_t)n * sizeof *r->rest);
  ss_axpy (n, 1, r->rest, r->bias);
  for (int a = 0; a < r->n_changes; a++) {
    ss_axpy (n, -weights[a], r->changes_bias + (size_t)a * (size_t)r->capacity, r->bias);
    ss_axpy (n, -weights[a], r->changes_rest + (size_t)a * (size_t)r->capacity, r->bias);
  }
}

/* ---- the way ----------------------------------------------------------------------------------------------------- */

/* r->rest at the end q of the way with v; returns the largest of it [m or rad]. The first n rows of the problem are
 * some of the scene's joints, in their order. */
static double
find_rest (SsRattle *r, const SsContactProblem *problem, const SsRattleWay *way, int n, const double *v,
           const double *q)
{
  double largest = 0;
  int at = 0;
  ss_dynamics_set_time (problem->dynamics, way->t + way->h);
  const int n_all = ss_dynamics_joint_rows (problem->dynamics, q, v, r->rows);
  for (int i = 0; i < n; i++) {
    const SsRow *row = &problem->rows[i].row;
    const double kappa = way->kappa != NULL ? way->kappa[i] : 1, fixed = way->fixed != NULL ? way->fixed[i] : 0;
    while (at < n_all && (r->rows[at].source != row->source || r->rows[at].index != row->index))
      at++;
    SS_ASSERT (at < n_all);
    r->rest[i] = kappa * (r->rows[at].phi / way->h - ss_row_velocity (row, v)) + fixed - r->bias[i];
    largest = fmax (largest, way->h * fabs (r->rest[i]));
  }
  return largest;
}

/* One solution with the biases of the rows, and where its way ends. */
static SsStatus
solve (SsContactProblem *problem, const SsRattleWay *way, int n, const double *bias, double *v, double *q,
       SsStepInfo *info, SsError *err)
{
  const int pivots = info->pivots;
  for (int i = 0; i < n; i++)
    problem->rows[i].bias = bias[i] + (way->with_points ? 0 : problem->rows[i].row.rate_t);
  SsStatus status = way->with_points ? ss_stiff_solve (way->stiff, problem, way->v_free, way->t, v, info, err)
                                     : ss_contact_problem_solve_rows (problem, way->v_free, way->t, v, err);
  info->pivots += pivots;
  for (int i = 0; status == SS_OK && i < 3 * problem->scene->n_bodies; i++)
    q[i] = way->q0[i] + way->h * v[i];
  return status;
}

SsStatus
ss_rattle_go (SsRattle *r, SsContactProblem *problem, const SsRattleWay *way, double *v, double *q, SsStepInfo *info,
              SsError *err)
{
  SS_ASSERT (r != NULL && problem != NULL && way != NULL && v != NULL && q != NULL && info != NULL);

  const int n = problem->n_rows;
  double least = INFINITY;
  *info = (SsStepInfo){0};
  r->n_changes = r->next = 0;
  for (int i = 0; i < n; i++)
    r->first[i] = r->bias[i] = problem->rows[i].bias;
  for (int k = 0; k < (r->is_last ? ROUNDS_AT_LAST : ROUNDS_MAX); k++) {
    SsStatus status = solve (problem, way, n, r->bias, v, q, info, err);
    if (status != SS_OK)
      return status;
    const double open = find_rest (r, problem, way, n, v, q);
    if (open <= closed || (open <= closed_far && open > least / 2))
      return SS_OK;
    least = fmin (least, open);
    if (k > 0)
      remember (r, n);
    improve (r, n);
  }
  if (!r->is_last)
    return ss_error_set (err, SS_ERR_SINGULAR, "the joints at t = %.9g s: a step of %.9g s does not close them", way->t,
                         way->h);
  SsStatus status = solve (problem, way, n, r->first, v, q, info, err);
  for (int k = 0; k < CLOSINGS_MAX && status == SS_OK && way->kappa == NULL; k++)
    status = ss_contact_problem_close_joints (problem, way->t, q, r->work, err);
  return status;
}

void
ss_rattle_free_start (SsContactProblem *problem, const SsRattleWay *way, const double *controls, const double *v0,
                      double *f, double *v_free)
{
  SS_ASSERT (problem != NULL && way != NULL && v0 != NULL && f != NULL && v_free != NULL);

  const SsStiffRule rule = {.h = way->h, .kick = way->h / 2, .way = way->h, .bends = true, .which = SS_FORCE_ALL};
  ss_stiff_choose (way->stiff, problem->dynamics, &rule, way->t, way->q0, v0, controls);
  ss_stiff_forces (way->stiff, problem->dynamics, SS_FORCE_ALL, way->t, way->q0, v0, controls, f);
  ss_contact_problem_free_motion (problem, v0, f, way->h / 2, v_free);
}

void
ss_rattle_free_end (SsContactProblem *problem, const SsRattleWay *way, const double *controls, const double *v0,
                    const double *va, const double *q1, double *f, double *v_end)
{
  SS_ASSERT (problem != NULL && way != NULL && v0 != NULL && va != NULL && q1 != NULL && f != NULL && v_end != NULL);

  for (int i = 0; i < 3 * problem->scene->n_bodies; i++)
    v_end[i] = 2 * va[i] - v0[i];
  const SsStiffRule rule = {.h = way->h, .kick = way->h / 2, .way = way->h / 2, .which = SS_FORCE_ALL};
  ss_stiff_choose (way->stiff, problem->dynamics, &rule, way->t + way->h, q1, v_end, controls);
  ss_stiff_forces (way->stiff, problem->dynamics, SS_FORCE_ALL, way->t + way->h, q1, v_end, controls, f);
  ss_contact_problem_free_motion (problem, va, f, way->h / 2, v_end);
}

/* ---- steps in parts ---------------------------------------------------------------------------------------------- */

/* Copies what a step changes of the state to r->start, or back. Points of contacts are added up: only their number. */
static void
keep_state (SsRattle *r, SsSimState *state, bool is_back)
{
  const size_t n = 3 * (size_t)r->scene->n_bodies, m = (size_t)r->scene->n_contacts;
  double *const parts[] = {state->q, state->v, state->contact, state->dissipated, state->joint};
  const size_t sizes[] = {n, n, SS_SIM_N_CONTACT_VALUES * m, m, SS_JOINT_N_FORCES * (size_t)r->scene->n_joints};
  double *kept = r->start;
  for (int k = 0; k < 5; kept += sizes[k++])
    if (parts[k] != NULL)
      memcpy (is_back ? parts[k] : kept, is_back ? kept : parts[k], sizes[k] * sizeof (double));
}

/* Adds the impulses of a part to `sums`, and gives the state those of all parts so far, which took `h`. */
static void
add_impulses (const SsRattle *r, double *sums, double h, SsSimState *state)
{
  for (int i = 0; i < r->scene->n_contacts && state->contact != NULL; i++) {
    double *values = state->contact + SS_SIM_N_CONTACT_VALUES * i, *sum = sums + 2 * i;
    sum[0] = values[SS_SIM_IMPULSE_N] += sum[0];
    sum[1] = values[SS_SIM_IMPULSE_T] += sum[1];
    values[SS_SIM_LAMBDA_N] = sum[0] / h;
    values[SS_SIM_LAMBDA_T] = sum[1] / h;
  }
}

/* The step in equal parts. */
static SsStatus
step_in_parts (SsRattle *r, SsRattleStep one, void *stepper, const SsStep *step, int n_parts, SsSimState *state,
               SsStepInfo *info, SsError *err)
{
  const size_t m = (size_t)r->scene->n_contacts;
  double *sums = r->start + 6 * (size_t)r->scene->n_bodies + (SS_SIM_N_CONTACT_VALUES + 1) * m +
                 SS_JOINT_N_FORCES * (size_t)r->scene->n_joints;
  const double t = state->t;
  SsStep part = *step;
  part.dt = step->dt / n_parts;
  memset (sums, 0, 2 * m * sizeof *sums);
  *info = (SsStepInfo){.way = SS_STEP_BISECTED};
  for (int k = 0; k < n_parts; k++) {
    SsStepInfo of_part;
    SsStatus status = one (stepper, &part, state, &of_part, err);
    if (status != SS_OK)
      return status;
    state->t = t + (k + 1) * part.dt;
    add_impulses (r, sums, (k + 1) * part.dt, state);
    info->residual = fmax (info->residual, of_part.residual);
    info->pivots += of_part.pivots;
    info->n_points = of_part.n_points > info->n_points ? of_part.n_points : info->n_points;
  }
  state->t = t + step->dt;
  return SS_OK;
}

SsStatus
ss_rattle_step (SsRattle *r, SsRattleStep one, void *stepper, const SsStep *step, SsSimState *state, SsStepInfo *info,
                SsError *err)
{
  SS_ASSERT (r != NULL && one != NULL && step != NULL && state != NULL && info != NULL);

  const double t = state->t;
  const int n_points = state->points != NULL ? state->points->n : 0;
  r->is_last = false;
  SsStatus status = one (stepper, step, state, info, err);
  if (status != SS_ERR_SINGULAR)
    return status;
  keep_state (r, state, false);
  for (int k = 1; k <= HALVINGS_MAX && status == SS_ERR_SINGULAR; k++) {
    r->is_last = k == HALVINGS_MAX;
    status = step_in_parts (r, one, stepper, step, 1 << k, state, info, err);
    if (status == SS_OK)
      break;
    keep_state (r, state, true);
    state->t = t;
    if (state->points != NULL)
      state->points->n = n_points;
  }
  return status;
}

bool
ss_rattle_is_last (const SsRattle *r)
{
  SS_ASSERT (r != NULL);

  return r->is_last;
}

/* ---- contacts at both ends of the way ---------------------------------------------------------------------------- */

void
ss_rattle_keep_rows (SsRattle *r, const SsJointConstraint *rows, int n_rows)
{
  SS_ASSERT (r != NULL && (rows != NULL || n_rows == 0));

  ss_contact_rows_add_joints (rows, n_rows, r->kept_joints);
}

SsStatus
ss_rattle_keep (SsRattle *r, const SsContactProblem *problem, SsError *err)
{
  SS_ASSERT (r != NULL && problem != NULL);

  r->n_kept = 0;
  memset (r->kept_joints, 0, SS_JOINT_N_FORCES * (size_t)r->scene->n_joints * sizeof *r->kept_joints);
  ss_rattle_keep_rows (r, problem->rows, problem->n_rows);
  if (ss_array_reserve ((void **)&r->kept, &r->kept_capacity, problem->n_points, sizeof *r->kept) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contact points", problem->n_points);
  for (int i = 0; i < problem->n_points; i++)
    if (problem->points[i].pn > 0)
      r->kept[r->n_kept++] = problem->points[i];
  return SS_OK;
}

static bool
is_of (const SsContactPoint *a, const SsContactPoint *b)
{
  return a->contact == b->contact && a->limit == b->limit;
}

/* Contacts by index, then limits. */
static bool
is_before (const SsContactPoint *a, const SsContactPoint *b)
{
  return a->contact >= 0 && (b->contact < 0 || a->contact < b->contact);
}

void
ss_rattle_choose (const SsRattle *r, SsContactProblem *problem)
{
  SS_ASSERT (r != NULL && problem != NULL);

  int n = 0;
  for (int i = 0; i < problem->n_points; i++) {
    const SsContactPoint *p = &problem->points[i];
    bool acts = p->phi <= touching;
    for (int k = 0; k < r->n_kept && !acts; k++)
      acts = is_of (p, &r->kept[k]);
    if (acts)
      problem->points[n++] = *p;
  }
  problem->n_points = n;
}

/* The kept points go to their places among those of the problem, which has room. */
static void
merge (const SsRattle *r, SsContactProblem *problem)
{
  int i = problem->n_points - 1, at = i + r->n_kept;
  problem->n_points += r->n_kept;
  for (int k = r->n_kept - 1; k >= 0; at--)
    if (i >= 0 && is_before (&r->kept[k], &problem->points[i]))
      problem->points[at] = problem->points[i--];
    else
      problem->points[at] = r->kept[k--];
}

SsStatus
ss_rattle_end (SsRattle *r, SsContactProblem *problem, double h, const double *va, const double *v1, const double *q1,
               SsSimState *state, SsError *err)
{
  SS_ASSERT (r != NULL && problem != NULL && va != NULL && v1 != NULL && q1 != NULL && state != NULL);
  SS_ASSERT (h > 0);

  const size_t n = 3 * (size_t)problem->scene->n_bodies;
  if (ss_contact_problem_reserve (problem, problem->n_points + r->n_kept, err) != SS_OK)
    return SS_ERR_MEMORY;
  ss_contact_points_dissipate (r->kept, r->n_kept, state->v, va, state->dissipated);
  ss_contact_points_dissipate (problem->points, problem->n_points, va, v1, state->dissipated);
  merge (r, problem);
  memcpy (state->q, q1, n * sizeof *q1);
  memcpy (state->v, v1, n * sizeof *v1);
  state->t += h;
  for (int i = 0; i < SS_JOINT_N_FORCES * r->scene->n_joints && state->joint != NULL; i++)
    state->joint[i] += r->kept_joints[i];
  SsSimState reported = *state;
  reported.dissipated = NULL; /* known already */
  ss_contact_problem_report (problem, h, va, &reported);
  return SS_OK;
}
