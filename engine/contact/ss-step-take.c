/* engine/contact/ss-step-take.c: see ss-step-take.h. */
#include "contact/ss-step-take.h"

#include <math.h>
#include <string.h>

/* ---- from a step ------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsContactProblem *problem;
  const double *v_free;
  int *place; /* per body: of its first velocity; -1: it does not move */
  int *row, *column, n, capacity;
  double *value;
} Taking;

static bool
is_moved (const SsContactProblem *problem, const int body[2])
{
  return (body[0] >= 0 && problem->moves[body[0]]) || (body[1] >= 0 && problem->moves[body[1]]);
}

/* Entries of a row on what moves; returns what the rest adds to its velocity. */
static double
add_row (Taking *taking, int row, const int body[2], const double *j)
{
  double driven = 0;
  for (int k = 0; k < 6; k++) {
    const int b = body[k / 3], i = 3 * b + k % 3;
    if (b < 0 || j[k] == 0)
      continue;
    if (!(taking->problem->inverse_mass[i] > 0)) {
      driven += j[k] * taking->v_free[i];
      continue;
    }
    taking->row[taking->n] = row;
    taking->column[taking->n] = taking->place[b] + k % 3;
    taking->value[taking->n++] = j[k];
  }
  return driven;
}

static SsStatus
take_bodies (Taking *taking, SsStepProblem *out, const double *v, SsError *err)
{
  const SsContactProblem *problem = taking->problem;
  taking->n = 0;
  for (int i = 0; i < problem->scene->n_bodies; i++)
    for (int k = 0; k < 3 && taking->place[i] >= 0; k++) {
      const int at = taking->place[i] + k;
      const bool is_free = problem->inverse_mass[3 * i + k] > 0;
      out->v_free[at] = taking->v_free[3 * i + k];
      out->v[at] = v[3 * i + k];
      taking->row[taking->n] = taking->column[taking->n] = at;
      taking->value[taking->n++] = is_free ? problem->mass[3 * i + k] : 1;
    }
  return ss_sparse_new (out->n_velocities, out->n_velocities, taking->n, taking->row, taking->column, taking->value,
                        &out->M, err);
}

static SsStatus
take_points (Taking *taking, SsStepProblem *out, SsError *err)
{
  const SsContactProblem *problem = taking->problem;
  int m = 0;
  taking->n = 0;
  for (int i = 0; i < problem->n_points; i++) {
    const SsContactPoint *p = &problem->points[i];
    if (!is_moved (problem, p->body))
      continue;
    out->b[2 * m] = p->bias + p->rate_t + add_row (taking, 2 * m, p->body, p->jn);
    out->b[2 * m + 1] = p->bias_t + (p->mu > 0 ? add_row (taking, 2 * m + 1, p->body, p->jt) : 0);
    out->compliance[2 * m] = p->compliance;
    out->compliance[2 * m + 1] = p->compliance_t;
    out->mu[m] = p->mu;
    out->least[m] = p->pn_least;
    out->r[2 * m] = p->pn;
    out->r[2 * m + 1] = p->pt;
    m++;
  }
  return ss_sparse_new (2 * m, out->n_velocities, taking->n, taking->row, taking->column, taking->value, &out->H, err);
}

static SsStatus
take_rows (Taking *taking, SsStepProblem *out, SsError *err)
{
  const SsContactProblem *problem = taking->problem;
  int k = 0;
  taking->n = 0;
  for (int i = 0; i < problem->n_rows; i++) {
    const SsJointConstraint *c = &problem->rows[i];
    if (!is_moved (problem, c->row.body))
      continue;
    out->joint_bias[k] = c->bias + c->row.rate_t + add_row (taking, k, c->row.body, c->row.j);
    out->joint_compliance[k] = c->compliance;
    out->p[k++] = c->p;
  }
  return ss_sparse_new (k, out->n_velocities, taking->n, taking->row, taking->column, taking->value, &out->G, err);
}

SsStatus
ss_step_problem_take (const SsContactProblem *problem, const double *v_free, const double *v, double residual,
                      SsStepProblem **out, SsError *err)
{
  SS_ASSERT (problem != NULL && v_free != NULL && v != NULL && out != NULL && !problem->is_convex);

  SsStepProblem *made = NULL;
  Taking taking = {.problem = problem, .v_free = v_free};
  int n = 0, m = 0, k = 0;
  taking.place = ss_new_array (int, (size_t)problem->scene->n_bodies + 1);
  for (int i = 0; i < problem->scene->n_bodies && taking.place != NULL; i++) {
    taking.place[i] = problem->moves[i] ? n : -1;
    n += problem->moves[i] ? 3 : 0;
  }
  for (int i = 0; i < problem->n_points; i++) {
    SS_ASSERT (problem->points[i].drive != SS_DRIVE_ROLLING && problem->points[i].drive != SS_DRIVE_REBOUND);
    m += is_moved (problem, problem->points[i].body);
  }
  for (int i = 0; i < problem->n_rows; i++)
    k += is_moved (problem, problem->rows[i].row.body);
  const size_t most = 12 * (size_t)m + 6 * (size_t)k + (size_t)n + 1;
  taking.row = ss_new_array (int, most);
  taking.column = ss_new_array (int, most);
  taking.value = ss_new_array (double, most);
  SsStatus status = taking.place != NULL && taking.row != NULL && taking.column != NULL && taking.value != NULL
                        ? ss_step_problem_new (n, m, k, &made, err)
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", m);
  if (status == SS_OK)
    status = take_bodies (&taking, made, v, err);
  if (status == SS_OK)
    status = take_points (&taking, made, err);
  if (status == SS_OK)
    status = take_rows (&taking, made, err);
  if (status == SS_OK) {
    made->has_answer = true;
    made->residual = residual;
    status = ss_step_problem_finish (made, SS_STEP_DERIVE_Q, err);
  }
  ss_free (taking.place);
  ss_free (taking.row);
  ss_free (taking.column);
  ss_free (taking.value);
  if (status != SS_OK)
    ss_step_problem_free (made);
  else
    *out = made;
  return status;
}

/* ---- back to a step ---------------------------------------------------------------------------------------------- */

struct SsStepBodies {
  const SsStepProblem *source; /* borrowed */
  SsScene scene;               /* of bodies without a shape: how many there are, and names for messages */
  SsBody *bodies;
  SsContact contact;
  SsJoint joint;
  SsSpring spring;
  SsContactProblem problem; /* what its solvers read; `scene` and arrays are those here */
  double *mass, *inverse_mass, *v;
};

/* Bodies of a row: at most two triples of velocities; false where there are more. */
static bool
find_bodies (const SsSparse *rows, int row, int body[2])
{
  const SsPattern *a = &rows->pattern;
  for (int k = a->start[row]; k < a->start[row + 1]; k++) {
    const int b = a->index[k] / 3;
    if (rows->value[k] == 0 || b == body[0] || b == body[1])
      continue;
    if (body[0] >= 0 && body[1] >= 0)
      return false;
    body[body[0] >= 0] = b;
  }
  return true;
}

bool
ss_step_bodies_fit (const SsStepProblem *problem)
{
  SS_ASSERT (problem != NULL);
  if (ss_step_problem_is_reduced (problem) || problem->n_velocities % 3 != 0 || !ss_sparse_is_diagonal (&problem->M))
    return false;
  for (int i = 0; i < problem->n_contacts; i++) {
    int body[2] = {-1, -1};
    if (!find_bodies (&problem->H, 2 * i, body) || !find_bodies (&problem->H, 2 * i + 1, body))
      return false;
  }
  for (int i = 0; i < problem->n_joints; i++) {
    int body[2] = {-1, -1};
    if (!find_bodies (&problem->G, i, body))
      return false;
  }
  return true;
}

static void
fill_row (const SsSparse *rows, int row, const int body[2], double *j)
{
  const SsPattern *a = &rows->pattern;
  for (int k = a->start[row]; k < a->start[row + 1]; k++)
    for (int side = 0; side < 2; side++)
      if (a->index[k] / 3 == body[side])
        j[3 * side + a->index[k] % 3] = rows->value[k];
}

static void
fill_points (const SsStepProblem *from, SsContactPoint *points)
{
  for (int i = 0; i < from->n_contacts; i++) {
    SsContactPoint *p = &points[i];
    *p = (SsContactPoint){.limit = -1,
                          .owner = -1,
                          .body = {-1, -1},
                          .mu = from->mu[i],
                          .bias = from->b[2 * i],
                          .bias_t = from->b[2 * i + 1],
                          .compliance = from->compliance[2 * i],
                          .compliance_t = from->compliance[2 * i + 1],
                          .pn_least = from->least[i],
                          .memory = -1};
    find_bodies (&from->H, 2 * i, p->body);
    find_bodies (&from->H, 2 * i + 1, p->body);
    fill_row (&from->H, 2 * i, p->body, p->jn);
    fill_row (&from->H, 2 * i + 1, p->body, p->jt);
  }
}

static void
fill_rows (const SsStepProblem *from, SsJointConstraint *rows)
{
  for (int i = 0; i < from->n_joints; i++) {
    SsJointConstraint *c = &rows[i];
    *c = (SsJointConstraint){.bias = from->joint_bias[i], .compliance = from->joint_compliance[i]};
    c->row.body[0] = c->row.body[1] = -1;
    find_bodies (&from->G, i, c->row.body);
    fill_row (&from->G, i, c->row.body, c->row.j);
  }
}

SsStatus
ss_step_bodies_new (const SsStepProblem *problem, SsStepBodies **out, SsError *err)
{
  SS_ASSERT (problem != NULL && out != NULL && ss_step_bodies_fit (problem));

  const size_t n = (size_t)problem->n_velocities / 3, m = (size_t)problem->n_contacts, k = (size_t)problem->n_joints;
  SsStepBodies *made = ss_new (SsStepBodies);
  SsStatus status = SS_OK;
  if (made == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", problem->n_contacts);
  SsContactProblem *p = &made->problem;
  made->source = problem;
  made->scene.n_bodies = (int)n;
  made->scene.bodies = made->bodies = ss_new_array (SsBody, n + 1);
  for (size_t i = 0; i < n && made->bodies != NULL; i++)
    made->bodies[i].name = "of the problem";
  made->contact.name = made->joint.name = made->spring.name = "of the problem";
  made->scene.contacts = &made->contact;
  made->scene.joints = &made->joint;
  made->scene.springs = &made->spring;
  made->mass = ss_new_array (double, 3 * n + 1);
  made->inverse_mass = ss_new_array (double, 3 * n + 1);
  made->v = ss_new_array (double, 3 * n + 1);
  p->scene = &made->scene;
  p->mass = made->mass;
  p->inverse_mass = made->inverse_mass;
  p->n_points = (int)m;
  p->n_rows = (int)k;
  p->points = ss_new_array (SsContactPoint, m + 1);
  p->rows = ss_new_array (SsJointConstraint, k + 1);
  p->memory_row = ss_new_array (double, k + 1);
  p->row_order = ss_new_array (int, k + 1);
  p->moves = ss_new_array (bool, n + 1);
  p->parent = ss_new_array (int, n + 1 + m + k + 1); /* counts of groups, too */
  p->group_of_root = ss_new_array (int, n + 1);
  p->local = ss_new_array (int, n + 1);
  if (made->bodies == NULL || made->mass == NULL || made->inverse_mass == NULL || made->v == NULL ||
      p->points == NULL || p->rows == NULL || p->memory_row == NULL || p->row_order == NULL || p->moves == NULL ||
      p->parent == NULL || p->group_of_root == NULL || p->local == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", problem->n_contacts);
  for (size_t i = 0; i < 3 * n && status == SS_OK; i++) {
    made->mass[i] = ss_sparse_get (&problem->M, (int)i, (int)i);
    made->inverse_mass[i] = 1 / made->mass[i];
    p->moves[i / 3] = true;
  }
  if (status == SS_OK) {
    fill_points (problem, p->points);
    fill_rows (problem, p->rows);
    status = ss_lemke_new (16, &p->lemke, err);
  }
  if (status == SS_OK)
    status = ss_contact_newton_new (p, &p->newton, err);
  if (status != SS_OK)
    ss_step_bodies_free (made);
  else
    *out = made;
  return status;
}

void
ss_step_bodies_free (SsStepBodies *bodies)
{
  if (bodies == NULL)
    return;
  SsContactProblem *p = &bodies->problem;
  ss_contact_newton_free (p->newton);
  ss_lemke_free (p->lemke);
  void *const arrays[] = {
      bodies->bodies,       p->points, p->rows, p->memory_row, p->row_order, p->moves, p->parent, p->local,
      p->group_of_root,     p->order,  p->slot, p->matrix,     p->rhs,       p->z,     p->dense,  bodies->mass,
      bodies->inverse_mass, bodies->v};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    ss_free (arrays[i]);
  ss_free (bodies);
}

SsContactProblem *
ss_step_bodies_problem (SsStepBodies *bodies)
{
  SS_ASSERT (bodies != NULL);
  return &bodies->problem;
}

const double *
ss_step_bodies_v_free (const SsStepBodies *bodies)
{
  SS_ASSERT (bodies != NULL);
  return bodies->source->v_free;
}

double *
ss_step_bodies_v (SsStepBodies *bodies)
{
  SS_ASSERT (bodies != NULL);
  return bodies->v;
}

void
ss_step_bodies_impulses (const SsStepBodies *bodies, double *r, double *p)
{
  SS_ASSERT (bodies != NULL);
  for (int i = 0; i < bodies->problem.n_points; i++) {
    r[2 * i] = bodies->problem.points[i].pn;
    r[2 * i + 1] = bodies->problem.points[i].pt;
  }
  for (int i = 0; i < bodies->problem.n_rows; i++)
    p[i] = bodies->problem.rows[i].p;
}
