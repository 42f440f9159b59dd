/* engine/dynamics/ss-start-fit.c: see the header. */
#include "dynamics/ss-start-fit.h"

#include "core/ss-memory.h"

#include <stdio.h>
#include <string.h>

/* Velocities that miss a joint by less than this part of the kinetic energy are rounding of the file. */
static const double misfit_tolerance = 1e-9;

SsStatus
ss_start_misfit (SsDynamics *dynamics, const SsScene *scene, double t, const double *q, const double *v,
                 bool has_springs, SsStartMisfit *out, SsError *err)
{
  SS_ASSERT (dynamics != NULL && scene != NULL && out != NULL);

  *out = (SsStartMisfit){.joint = -1};
  if (scene->n_joints == 0)
    return SS_OK;
  SsRow *rows = ss_new_array (SsRow, SS_JOINT_ROWS_MAX * scene->n_joints);
  if (rows == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_dynamics_set_time (dynamics, t);
  const double *inverse_mass = ss_dynamics_inverse_mass (dynamics);
  const int n = ss_dynamics_joint_rows (dynamics, q, v, rows);
  int worst = -1;
  out->kinetic = ss_dynamics_kinetic_energy (dynamics, v);
  for (int i = 0; i < n; i++) {
    const double rate = ss_row_velocity (&rows[i], v), mobility = ss_row_mobility (&rows[i], inverse_mass);
    const bool keeps = (has_springs && rows[i].stiffness > 0) || !(mobility > 0);
    const double energy = keeps ? 0 : rate * rate / (2 * mobility);
    if (energy > out->energy) {
      out->energy = energy;
      worst = rows[i].source;
    }
  }
  if (out->energy > misfit_tolerance * out->kinetic)
    out->joint = worst;
  ss_free (rows);
  return SS_OK;
}

SsStatus
ss_start_misfit_of_scene (const SsScene *scene, bool has_springs, SsStartMisfit *out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  *out = (SsStartMisfit){.joint = -1};
  if (scene->n_joints == 0)
    return SS_OK;
  SsDynamics *dynamics = NULL;
  double *q = ss_new_array (double, 6 * scene->n_bodies + 1), *v = q + 3 * scene->n_bodies;
  SsStatus status =
      q != NULL ? ss_dynamics_new (scene, &dynamics, err) : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; status == SS_OK && i < scene->n_bodies; i++) {
    memcpy (&q[3 * i], scene->bodies[i].q, 3 * sizeof *q);
    memcpy (&v[3 * i], scene->bodies[i].v, 3 * sizeof *v);
  }
  if (status == SS_OK)
    status = ss_start_misfit (dynamics, scene, 0, q, v, has_springs, out, err);
  ss_dynamics_free (dynamics);
  ss_free (q);
  return status;
}

void
ss_start_misfit_text (const SsScene *scene, const SsStartMisfit *misfit, char *text, size_t size)
{
  SS_ASSERT (misfit != NULL && misfit->joint >= 0 && misfit->joint < scene->n_joints);

  snprintf (text, size,
            "the start velocities do not fit joint %s: it changes them at once, and the kinetic energy by %.3g of %.3g "
            "J; give velocities that fit",
            scene->joints[misfit->joint].name, misfit->energy, misfit->kinetic);
}
