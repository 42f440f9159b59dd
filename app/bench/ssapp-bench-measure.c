/* app/bench/ssapp-bench-measure.c: see ssapp-bench-measure.h. */
#include "app/bench/ssapp-bench-measure.h"

#include "dynamics/ss-dynamics.h"

#include <math.h>

struct SsappBenchMeasure {
  SsDynamics *dynamics; /* owned */
  int n_joints;
};

SsappBenchMeasure *
ssapp_bench_measure_new (const SsScene *scene, SsError *error)
{
  g_return_val_if_fail (scene != NULL, NULL);
  SsappBenchMeasure *self = g_new0 (SsappBenchMeasure, 1);

  self->n_joints = scene->n_joints;
  if (ss_dynamics_new (scene, &self->dynamics, error) != SS_OK)
    g_clear_pointer (&self, g_free);
  return self;
}

void
ssapp_bench_measure_free (SsappBenchMeasure *self)
{
  if (self != NULL)
    ss_dynamics_free (self->dynamics);
  g_free (self);
}

double
ssapp_bench_measure_energy (const SsappBenchMeasure *self, const double *q, const double *v)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  return ss_dynamics_kinetic_energy (self->dynamics, v) + ss_dynamics_potential_energy (self->dynamics, q);
}

double
ssapp_bench_measure_drift (const SsappBenchMeasure *self, double t, const double *q)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  double drift = self->n_joints > 0 ? 0 : NAN;

  ss_dynamics_set_time (self->dynamics, t);
  for (int i = 0; i < self->n_joints; i++)
    drift = fmax (drift, ss_dynamics_joint_drift (self->dynamics, i, q));
  return drift;
}
