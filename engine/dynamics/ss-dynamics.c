/* engine/dynamics/ss-dynamics.c: masses, forces, energies. */
#include "dynamics/ss-dynamics-private.h"

#include <math.h>
#include <string.h>

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

/* One tape for all formulas: three components of each force, then one value per actuator. */
static SsStatus
compile_formulas (SsDynamics *d, SsError *err)
{
  const SsScene *scene = d->scene;
  int n = 3 * scene->n_forces + scene->n_actuators, n_used = 0;
  if (n == 0 || scene->graph == NULL)
    return SS_OK;
  SsExpr *outputs = ss_new_array (SsExpr, n);
  d->output = ss_new_array (int, n);
  d->inputs = ss_new_array (double, scene->n_slots + 1);
  if (outputs == NULL || d->output == NULL || d->inputs == NULL) {
    ss_free (outputs);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d formulas", n);
  }
  for (int i = 0; i < n; i++) {
    const SsForce *force = i < 3 * scene->n_forces ? &scene->forces[i / 3] : NULL;
    SsExpr e = force == NULL ? scene->actuators[i - 3 * scene->n_forces].formula
               : i % 3 == 0  ? force->fx
               : i % 3 == 1  ? force->fy
                             : force->torque;
    d->output[i] = e == SS_EXPR_NONE ? -1 : n_used;
    if (e != SS_EXPR_NONE)
      outputs[n_used++] = e;
  }
  SsStatus status = SS_OK;
  if (n_used > 0)
    status = ss_tape_new (scene->graph, outputs, n_used, 0, &d->tape, err);
  ss_free (outputs);
  if (status != SS_OK || n_used == 0)
    return status;
  d->values = ss_new_array (double, n_used);
  d->work = ss_new_array (double, ss_tape_work_size (d->tape) + 1);
  if (d->values == NULL || d->work == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d formulas", n);
  ss_scene_put_parameters (scene, d->inputs);
  return SS_OK;
}

SsStatus
ss_dynamics_new (const SsScene *scene, SsDynamics **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  SsDynamics *d;
  size_t n = 3 * (size_t)scene->n_bodies + 1;
  SsStatus status = ss_scene_check_inertia (scene, err);

  if (status != SS_OK)
    return status;
  d = ss_new (SsDynamics);
  if (d == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", scene->n_bodies);
  d->scene = scene;
  d->mass = ss_new_array (double, n);
  d->inverse_mass = ss_new_array (double, n);
  if (d->mass == NULL || d->inverse_mass == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", scene->n_bodies);
    goto fail;
  }
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      const SsBody *body = &scene->bodies[i];
      if (body->is_fixed || body->lock[k])
        continue;
      d->mass[3 * i + k] = k < 2 ? body->mass : body->inertia;
      d->inverse_mass[3 * i + k] = 1 / d->mass[3 * i + k];
    }
  status = compile_formulas (d, err);
  if (status == SS_OK)
    status = ss_formula_rows_new (scene, &d->formulas, err);
  if (status != SS_OK)
    goto fail;
  *out = d;
  return SS_OK;

fail:
  ss_dynamics_free (d);
  return status;
}

void
ss_dynamics_free (SsDynamics *d)
{
  if (d == NULL)
    return;
  ss_free (d->mass);
  ss_free (d->inverse_mass);
  ss_free (d->output);
  ss_free (d->inputs);
  ss_free (d->values);
  ss_free (d->work);
  ss_tape_free (d->tape);
  ss_formula_rows_free (d->formulas);
  ss_free (d);
}

void
ss_dynamics_set_time (SsDynamics *d, double t)
{
  SS_ASSERT (d != NULL && isfinite (t));

  d->t = t;
}

const double *
ss_dynamics_mass (const SsDynamics *d)
{
  SS_ASSERT (d != NULL);
  return d->mass;
}

const double *
ss_dynamics_inverse_mass (const SsDynamics *d)
{
  SS_ASSERT (d != NULL);
  return d->inverse_mass;
}

bool
ss_dynamics_has_state_forces (const SsDynamics *d, const double *controls)
{
  /* Given controls are constant, but their direction may turn with the body. */
  return d->scene->n_springs > 0 || d->tape != NULL || (controls != NULL && d->scene->n_actuators > 0);
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

/* f += row' force on the two bodies of a row. */
static void
push_row (const SsRow *row, double force, double *f)
{
  for (int side = 0; side < 2; side++)
    for (int k = 0; row->body[side] >= 0 && k < 3; k++)
      f[3 * row->body[side] + k] += row->j[3 * side + k] * force;
}

/* [003 (4)]. */
static void
add_springs (const SsDynamics *d, int which, const double *q, const double *v, double *f)
{
  for (int i = 0; i < d->scene->n_springs; i++) {
    SsRow row;
    ss_dynamics_spring_row (d, i, q, v, &row);
    double force = 0;
    if (which & SS_FORCE_SPRINGS)
      force -= row.stiffness * row.phi;
    if (which & SS_FORCE_DAMPERS)
      force -= row.damping * ss_row_velocity (&row, v);
    push_row (&row, force, f);
  }
}

/* Values of all formulas at (t, q, v) into d->values. */
static void
evaluate_formulas (SsDynamics *d, double t, const double *q, const double *v)
{
  const SsScene *scene = d->scene;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      d->inputs[6 * i + k] = q[3 * i + k];
      d->inputs[6 * i + 3 + k] = v[3 * i + k];
    }
  d->inputs[scene->slot_t] = t;
  ss_tape_eval (d->tape, 1, 1, NULL, 0, d->inputs, d->values, d->work);
}

static double
formula_value (const SsDynamics *d, int i)
{
  return d->tape != NULL && d->output[i] >= 0 ? d->values[d->output[i]] : 0;
}

static double
clamped_control (const SsDynamics *d, int i, const double *controls)
{
  const SsActuator *a = &d->scene->actuators[i];
  double u = controls != NULL ? controls[i] : formula_value (d, 3 * d->scene->n_forces + i);
  return fmin (fmax (u, a->lower), a->upper);
}

bool
ss_dynamics_actuator_row (const SsDynamics *d, int i, const double *q, const double *v, SsRow *row)
{
  SS_ASSERT (d != NULL && q != NULL && row != NULL);
  SS_ASSERT (i >= 0 && i < d->scene->n_actuators);

  const SsActuator *a = &d->scene->actuators[i];
  if (a->kind == SS_ACTUATOR_JOINT)
    return ss_dynamics_travel_row (d, a->joint, q, v, row);
  *row = (SsRow){.kind = SS_ROW_LIMIT, .source = i, .body = {-1, a->body}};
  if (a->kind == SS_ACTUATOR_TORQUE) {
    row->j[5] = 1;
    return true;
  }
  double c = cos (q[3 * a->body + 2]), s = sin (q[3 * a->body + 2]);
  SsVec2 r = {c * a->anchor.x - s * a->anchor.y, s * a->anchor.x + c * a->anchor.y}, e = a->direction;
  if (a->is_body_frame)
    e = (SsVec2){c * a->direction.x - s * a->direction.y, s * a->direction.x + c * a->direction.y};
  row->j[3] = e.x;
  row->j[4] = e.y;
  row->j[5] = r.x * e.y - r.y * e.x;
  return true;
}

static void
add_actuator (const SsDynamics *d, int i, const double *q, const double *v, const double *controls, double *f)
{
  SsRow row;
  if (ss_dynamics_actuator_row (d, i, q, v, &row))
    push_row (&row, clamped_control (d, i, controls), f);
}

void
ss_dynamics_forces (SsDynamics *d, int which, double t, const double *q, const double *v, const double *controls,
                    double *f)
{
  SS_ASSERT (d != NULL && q != NULL && v != NULL && f != NULL);

  const SsScene *scene = d->scene;
  size_t n = 3 * (size_t)scene->n_bodies;
  memset (f, 0, n * sizeof *f);
  if (which & SS_FORCE_GRAVITY)
    for (int i = 0; i < scene->n_bodies; i++) {
      f[3 * i] = scene->bodies[i].mass * scene->gravity.x;
      f[3 * i + 1] = scene->bodies[i].mass * scene->gravity.y;
    }
  if (which & (SS_FORCE_SPRINGS | SS_FORCE_DAMPERS))
    add_springs (d, which, q, v, f);
  if ((which & (SS_FORCE_FORMULAS | SS_FORCE_ACTUATORS)) && d->tape != NULL) {
    evaluate_formulas (d, t, q, v);
    if (which & SS_FORCE_FORMULAS)
      for (int i = 0; i < 3 * scene->n_forces; i++)
        f[3 * scene->forces[i / 3].body + i % 3] += formula_value (d, i);
  }
  if ((which & SS_FORCE_ACTUATORS) && (d->tape != NULL || controls != NULL))
    for (int i = 0; i < scene->n_actuators; i++)
      add_actuator (d, i, q, v, controls, f);
  for (size_t i = 0; i < n && !(which & SS_FORCE_HELD); i++)
    if (d->mass[i] == 0)
      f[i] = 0;
}

double
ss_dynamics_control (SsDynamics *d, int actuator, double t, const double *q, const double *v, const double *controls)
{
  SS_ASSERT (d != NULL);
  SS_ASSERT (actuator >= 0 && actuator < d->scene->n_actuators);
  SS_ASSERT (actuator >= 0 && actuator < d->scene->n_actuators);
  if (d->tape != NULL)
    evaluate_formulas (d, t, q, v);
  return clamped_control (d, actuator, controls);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

double
ss_dynamics_kinetic_energy (const SsDynamics *d, const double *v)
{
  SS_ASSERT (d != NULL && v != NULL);

  double sum = 0;
  for (int i = 0; i < 3 * d->scene->n_bodies; i++)
    sum += 0.5 * d->mass[i] * v[i] * v[i];
  return sum;
}

double
ss_dynamics_potential_energy (const SsDynamics *d, const double *q)
{
  SS_ASSERT (d != NULL && q != NULL);

  const SsScene *scene = d->scene;
  double sum = 0;
  for (int i = 0; i < scene->n_bodies; i++)
    sum -= d->mass[3 * i] * scene->gravity.x * q[3 * i] + d->mass[3 * i + 1] * scene->gravity.y * q[3 * i + 1];
  for (int i = 0; i < scene->n_springs; i++) {
    SsRow row;
    ss_dynamics_spring_row (d, i, q, NULL, &row);
    sum += 0.5 * row.stiffness * row.phi * row.phi;
  }
  return sum;
}

void
ss_dynamics_momentum (const SsDynamics *d, const double *q, const double *v, double momentum[3])
{
  SS_ASSERT (d != NULL && q != NULL && v != NULL && momentum != NULL);

  momentum[0] = momentum[1] = momentum[2] = 0;
  for (int i = 0; i < d->scene->n_bodies; i++) {
    double px = d->mass[3 * i] * v[3 * i], py = d->mass[3 * i + 1] * v[3 * i + 1];
    momentum[0] += px;
    momentum[1] += py;
    momentum[2] += q[3 * i] * py - q[3 * i + 1] * px + d->mass[3 * i + 2] * v[3 * i + 2];
  }
}
