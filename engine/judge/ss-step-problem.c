/* engine/judge/ss-step-problem.c: see ss-step-problem.h; the judge is in ss-step-residual.c. */
#include "judge/ss-step-problem.h"

#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* M is taken as symmetric where entries differ by less than this part of the larger one: its printed digits. */
static const double symmetric_to = 1e-4;

SsStatus
ss_step_problem_new (int n_velocities, int n_contacts, int n_joints, SsStepProblem **out, SsError *err)
{
  SS_ASSERT (n_velocities >= 0 && n_contacts >= 0 && n_joints >= 0 && out != NULL);

  SsStepProblem *problem = ss_new (SsStepProblem);
  if (problem == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", n_contacts);
  const size_t n = (size_t)n_velocities, m = (size_t)n_contacts, k = (size_t)n_joints;
  *problem = (SsStepProblem){.t = NAN,
                             .dt = NAN,
                             .n_velocities = n_velocities,
                             .n_contacts = n_contacts,
                             .n_joints = n_joints,
                             .residual = NAN};
  double **const arrays[] = {&problem->q,  &problem->v_free,     &problem->b,
                             &problem->mu, &problem->compliance, &problem->least,
                             &problem->r,  &problem->joint_bias, &problem->joint_compliance,
                             &problem->p,  &problem->v};
  const size_t sizes[] = {n, n, 2 * m, m, 2 * m, m, 2 * m, k, k, k, n};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    *arrays[i] = ss_new_array (double, sizes[i] + 1);
    if (*arrays[i] == NULL) {
      ss_step_problem_free (problem);
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", n_contacts);
    }
  }
  *out = problem;
  return SS_OK;
}

void
ss_step_problem_free (SsStepProblem *problem)
{
  if (problem == NULL)
    return;
  ss_sparse_clear (&problem->M);
  ss_sparse_clear (&problem->H);
  ss_sparse_clear (&problem->G);
  ss_sparse_clear (&problem->W);
  double *const arrays[] = {problem->q,  problem->v_free,     problem->b,
                            problem->mu, problem->compliance, problem->least,
                            problem->r,  problem->joint_bias, problem->joint_compliance,
                            problem->p,  problem->v};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    ss_free (arrays[i]);
  ss_free (problem);
}

/* ---- what makes a problem ---------------------------------------------------------------------------------------- */

bool
ss_step_problem_is_reduced (const SsStepProblem *problem)
{
  return problem->n_velocities == 0 && problem->W.pattern.start != NULL;
}

static SsStatus
refuse (SsError *err, const char *path, const char *expected, const char *message)
{
  ss_error_set (err, SS_ERR_INVALID, "%s", message);
  if (err != NULL) {
    snprintf (err->path, sizeof err->path, "%s", path);
    snprintf (err->expected, sizeof err->expected, "%s", expected);
  }
  return SS_ERR_INVALID;
}

static SsStatus
check_numbers (const char *name, const double *x, int n, double least, SsError *err)
{
  for (int i = 0; i < n; i++)
    if (!isfinite (x[i]) || x[i] < least) {
      char path[64], message[96];
      snprintf (path, sizeof path, "%s[%d]", name, i);
      snprintf (message, sizeof message, "%g is no such number", x[i]);
      return refuse (err, path, isfinite (least) ? "a finite number, not negative" : "a finite number", message);
    }
  return SS_OK;
}

static SsStatus
check_matrix (const char *name, const SsSparse *matrix, int n_rows, int n_columns, SsError *err)
{
  char message[128], expected[64];
  if (matrix->pattern.start == NULL || matrix->pattern.n_major != n_rows || matrix->pattern.n_minor != n_columns) {
    snprintf (message, sizeof message, "the matrix has %d rows and %d columns", matrix->pattern.n_major,
              matrix->pattern.n_minor);
    snprintf (expected, sizeof expected, "%d rows and %d columns", n_rows, n_columns);
    return refuse (err, name, expected, message);
  }
  return check_numbers (name, matrix->value, ss_sparse_n_entries (matrix), -INFINITY, err);
}

static SsStatus
check_symmetric (const char *name, const SsSparse *matrix, SsError *err)
{
  const SsPattern *a = &matrix->pattern;
  double largest = 0;
  for (int k = 0; k < ss_sparse_n_entries (matrix); k++)
    largest = fmax (largest, fabs (matrix->value[k]));
  for (int i = 0; i < a->n_major; i++)
    for (int k = a->start[i]; k < a->start[i + 1]; k++) {
      const double here = matrix->value[k], there = ss_sparse_get (matrix, a->index[k], i);
      char message[128];
      if (fabs (here - there) <= symmetric_to * fmax (fabs (here), largest * symmetric_to))
        continue;
      snprintf (message, sizeof message, "entry (%d, %d) is %g, entry (%d, %d) is %g", i, a->index[k], here,
                a->index[k], i, there);
      return refuse (err, name, "a symmetric matrix", message);
    }
  return SS_OK;
}

static SsStatus
check (const SsStepProblem *problem, SsError *err)
{
  const int n = problem->n_velocities, m = problem->n_contacts, k = problem->n_joints;
  const bool is_reduced = ss_step_problem_is_reduced (problem);
  SsStatus status;
  if (is_reduced && k > 0)
    return refuse (err, "G", "none in a reduced problem", "there are bilateral rows");
  if (is_reduced)
    status = check_matrix ("W", &problem->W, 2 * m, 2 * m, err);
  else
    status = check_matrix ("M", &problem->M, n, n, err);
  if (status == SS_OK)
    status = check_symmetric (is_reduced ? "W" : "M", is_reduced ? &problem->W : &problem->M, err);
  if (status == SS_OK && !is_reduced)
    status = check_matrix ("H", &problem->H, 2 * m, n, err);
  if (status == SS_OK && !is_reduced && k > 0)
    status = check_matrix ("G", &problem->G, k, n, err);
  if (status == SS_OK)
    status = check_numbers ("b", problem->b, 2 * m, -INFINITY, err);
  if (status == SS_OK)
    status = check_numbers ("mu", problem->mu, m, 0, err);
  if (status == SS_OK)
    status = check_numbers ("least", problem->least, m, 0, err);
  if (status == SS_OK)
    status = check_numbers ("compliance", problem->compliance, 2 * m, 0, err);
  if (status == SS_OK)
    status = check_numbers ("joint_bias", problem->joint_bias, k, -INFINITY, err);
  if (status == SS_OK)
    status = check_numbers ("joint_compliance", problem->joint_compliance, k, 0, err);
  return status;
}

SsStatus
ss_step_problem_finish (SsStepProblem *problem, SsStepDerive derive, SsError *err)
{
  SS_ASSERT (problem != NULL);

  SsStatus status = check (problem, err);
  if (status != SS_OK || ss_step_problem_is_reduced (problem))
    return status;
  const size_t n = (size_t)problem->n_velocities;
  SsStepMass *mass = NULL;
  status = ss_step_mass_new (problem, &mass, err);
  if (status == SS_OK && derive == SS_STEP_DERIVE_Q)
    ss_csr_multiply (&problem->M.pattern, problem->M.value, problem->v_free, problem->q);
  if (status == SS_OK && derive == SS_STEP_DERIVE_V_FREE) {
    memcpy (problem->v_free, problem->q, n * sizeof *problem->q);
    ss_step_mass_solve (mass, problem->v_free);
  }
  if (status == SS_OK)
    status = check_numbers ("q", problem->q, problem->n_velocities, -INFINITY, err);
  if (status == SS_OK)
    status = check_numbers ("v_free", problem->v_free, problem->n_velocities, -INFINITY, err);
  ss_step_mass_free (mass);
  return status;
}
