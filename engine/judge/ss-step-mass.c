/* engine/judge/ss-step-mass.c: M^-1 of a step's problem; see ss-step-problem.h. */
#include "judge/ss-step-problem.h"

#include "core/ss-memory.h"

struct SsStepMass {
  int n;
  double *inverse; /* of a diagonal; else NULL */
  SsLdl *ldl;
};

static SsStatus
factor (const SsStepProblem *problem, SsStepMass *mass, SsError *err)
{
  const SsPattern *a = &problem->M.pattern;
  const int n_all = ss_sparse_n_entries (&problem->M);
  SsPattern lower = {0};
  int n = 0, *major = ss_new_array (int, (size_t)n_all + 1), *minor = ss_new_array (int, (size_t)n_all + 1),
      *slot = ss_new_array (int, (size_t)n_all + 1);
  double *values = ss_new_array (double, (size_t)n_all + 1), *picked = ss_new_array (double, (size_t)n_all + 1);
  SsStatus status = major != NULL && minor != NULL && slot != NULL && values != NULL && picked != NULL
                        ? SS_OK
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory for a mass matrix of %d entries", n_all);
  for (int i = 0; i < a->n_major && status == SS_OK; i++)
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      if (a->index[k] <= i) {
        major[n] = a->index[k];
        minor[n] = i;
        picked[n++] = problem->M.value[k];
      }
  if (status == SS_OK)
    status = ss_pattern_from_triplets (&lower, a->n_major, a->n_major, n, major, minor, slot, err);
  for (int k = 0; k < n && status == SS_OK; k++)
    values[slot[k]] = picked[k];
  if (status == SS_OK)
    status = ss_ldl_new (&lower, &mass->ldl, err);
  if (status == SS_OK &&
      (ss_ldl_factor (mass->ldl, values, NULL, 0, NULL) != SS_OK || ss_ldl_n_negative (mass->ldl) > 0))
    status = ss_error_set (err, SS_ERR_SINGULAR, "the matrix M is not positive definite");
  ss_pattern_clear (&lower);
  ss_free (major);
  ss_free (minor);
  ss_free (slot);
  ss_free (values);
  ss_free (picked);
  return status;
}

SsStatus
ss_step_mass_new (const SsStepProblem *problem, SsStepMass **out, SsError *err)
{
  SS_ASSERT (problem != NULL);

  SsStepMass *mass = ss_new (SsStepMass);
  SsStatus status = SS_OK;
  if (mass == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a mass matrix");
  mass->n = problem->n_velocities;
  for (int i = 0; i < mass->n; i++)
    if (!(ss_sparse_get (&problem->M, i, i) > 0)) {
      ss_step_mass_free (mass);
      return ss_error_set (err, SS_ERR_SINGULAR, "the matrix M is not positive definite: entry (%d, %d) is %g", i, i,
                           ss_sparse_get (&problem->M, i, i));
    }
  if (ss_sparse_is_diagonal (&problem->M)) {
    mass->inverse = ss_new_array (double, (size_t)mass->n + 1);
    for (int i = 0; i < mass->n && mass->inverse != NULL; i++)
      mass->inverse[i] = 1 / ss_sparse_get (&problem->M, i, i);
    if (mass->inverse == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a mass matrix");
  } else {
    status = factor (problem, mass, err);
  }
  if (status != SS_OK)
    ss_step_mass_free (mass);
  else
    *out = mass;
  return status;
}

void
ss_step_mass_free (SsStepMass *mass)
{
  if (mass == NULL)
    return;
  ss_free (mass->inverse);
  ss_ldl_free (mass->ldl);
  ss_free (mass);
}

void
ss_step_mass_solve (const SsStepMass *mass, double *x)
{
  SS_ASSERT (mass != NULL);
  if (mass->inverse == NULL) {
    ss_ldl_solve (mass->ldl, x);
    return;
  }
  for (int i = 0; i < mass->n; i++)
    x[i] *= mass->inverse[i];
}

const double *
ss_step_mass_inverse (const SsStepMass *mass)
{
  SS_ASSERT (mass != NULL);
  return mass->inverse;
}
