/* engine/simulate/ss-stepper.c: see ss-stepper-private.h. */
#include "simulate/ss-stepper-private.h"

#include <math.h>
#include <string.h>

SsStatus
ss_stepper_new (const SsStepperLayout *layout, const SsScene *scene, const void *options, size_t n_more, void **out,
                SsError *err)
{
  SS_ASSERT (layout != NULL && scene != NULL && out != NULL);

  size_t n = 3 * (size_t)scene->n_bodies;
  SsStepper *stepper = ss_alloc (1, layout->size);
  if (stepper == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the integrator");
  stepper->scene = scene;
  if (options != NULL)
    memcpy ((char *)stepper + layout->options, options, layout->table->size);
  else
    ss_options_init (layout->table, (char *)stepper + layout->options);
  SsStatus status = ss_contact_problem_new (scene, &stepper->problem, err);
  if (status != SS_OK)
    goto fail;
  status = ss_stiff_new (
      scene,
      (int)ss_options_value (layout->table, (char *)stepper + layout->options, SS_FORCES_NAME, SS_FORCES_EXPLICIT),
      &stepper->stiff, err);
  if (status == SS_OK)
    status = ss_compliances_new (scene, &stepper->compliances, err);
  if (status != SS_OK)
    goto fail;
  stepper->work = ss_new_array (double, (size_t)layout->n_vectors *n + n_more + 1);
  if (stepper->work == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the state of %d bodies", scene->n_bodies);
    goto fail;
  }
  *out = stepper;
  return SS_OK;

fail:
  ss_stepper_free (stepper);
  return status;
}

void
ss_stepper_be_explicit (SsStepper *stepper)
{
  SS_ASSERT (stepper != NULL);
  ss_stiff_free (stepper->stiff);
  stepper->stiff = NULL;
}

void
ss_stepper_free (void *stepper)
{
  SsStepper *s = stepper;
  if (s == NULL)
    return;
  ss_certain_free (s->certain);
  ss_contact_problem_free (s->problem);
  ss_stiff_free (s->stiff);
  ss_compliances_free (s->compliances);
  ss_free (s->work);
  ss_free (s);
}

SsStatus
ss_stepper_be_certain (SsStepper *stepper, int rule, bool is_blind, SsError *err)
{
  SS_ASSERT (stepper != NULL);
  return ss_certain_new (stepper->scene, rule, is_blind, stepper->problem, &stepper->certain, err);
}

SsStatus
ss_stepper_end_certain (SsStepper *stepper, SsStatus status, SsStepInfo *info, SsError *err)
{
  return status == SS_OK ? ss_certain_end (stepper->certain, info, err) : status;
}

SsStatus
ss_stepper_keep (void *stepper, void **memory, SsError *err)
{
  const SsStepper *s = stepper;
  return ss_contact_problem_keep (s->problem, memory, err);
}

void
ss_stepper_put_back (void *stepper, void *memory)
{
  const SsStepper *s = stepper;
  ss_contact_problem_put_back (s->problem, memory);
}

void
ss_stepper_choose (void *stepper, const SsForkChoice *choices, int n, int room)
{
  SS_ASSERT (n >= 0);

  const SsStepper *s = stepper;
  ss_certain_choose (s->certain, choices, n, room);
}

const SsFork *
ss_stepper_forks (void *stepper, int *n)
{
  const SsStepper *s = stepper;
  return ss_certain_forks (s->certain, n);
}

const SsSecondSolution *
ss_stepper_second (const void *stepper)
{
  const SsStepper *s = stepper;
  return ss_certain_second (s->certain);
}

void
ss_stepper_watch_contacts (void *stepper, const SsContactWatch *watch)
{
  ((SsStepper *)stepper)->problem->watch = watch;
}

double *
ss_stepper_vector (const SsStepper *stepper, int index)
{
  SS_ASSERT (stepper != NULL);
  return stepper->work + 3 * (size_t)stepper->scene->n_bodies * (size_t)index;
}

bool
ss_scene_has_swings (const SsScene *scene)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);
  for (int i = 0; i < scene->n_joints; i++) {
    const SsJoint *joint = &scene->joints[i];
    const bool moves = !ss_body_is_immovable (&scene->bodies[joint->body_b]) ||
                       (joint->body_a >= 0 && !ss_body_is_immovable (&scene->bodies[joint->body_a]));
    if (moves && ss_joint_kinds[joint->kind].swings)
      return true;
  }
  return false;
}

SsStatus
ss_stepper_linearise (const SsStepper *stepper, const SsContactPoint *point, double phi, double rate,
                      SsLinearForce *force, SsError *err)
{
  SS_ASSERT (force != NULL);

  SsComplianceForce f;
  SsStatus status =
      ss_compliances_find (stepper->compliances, point->contact, phi, rate, force->stiffness, force->damping, &f, err);
  if (status != SS_OK)
    return status;
  if (!isnan (f.slip_damping))
    force->slip_damping = f.slip_damping;
  force->stiffness = phi < 0 ? fmax (f.of_depth, 0) : 0;
  force->damping = phi < 0 ? fmax (f.of_rate, 0) : 0;
  if (phi < 0 && f.force > 0 && !(force->stiffness > 0) && !(force->damping > 0)) /* a constant: by its secant */
    force->stiffness = f.force / -phi;
  force->push = phi < 0 ? f.force + force->stiffness * phi + force->damping * rate : 0;
  return SS_OK;
}

double
ss_stepper_reach (const SsStepper *stepper, const double *v, double dt)
{
  SS_ASSERT (stepper != NULL);
  return 2 * dt * ss_contact_problem_top_speed (stepper->problem, v);
}

double
ss_stepper_difference_of_way (const SsStepper *stepper, const double *v_a, const double *v_b, double dt)
{
  SS_ASSERT (stepper != NULL);

  double largest = 0;
  for (int i = 0; i < stepper->scene->n_bodies; i++) {
    const double *a = v_a + 3 * i, *b = v_b + 3 * i;
    if (stepper->problem->moves[i] && isfinite (stepper->problem->radius[i]))
      largest = fmax (largest, hypot (a[0] - b[0], a[1] - b[1]) + fabs (a[2] - b[2]) * stepper->problem->radius[i]);
  }
  return dt * largest;
}

void
ss_stepper_free_motion (const SsStepper *stepper, const SsStep *step, const SsSimState *start, double *f,
                        double *v_free)
{
  SS_ASSERT (stepper != NULL && step != NULL && start != NULL);

  SsDynamics *dynamics = stepper->problem->dynamics;
  const SsStiffRule rule = {.h = step->dt, .kick = step->dt, .way = step->dt, .bends = true, .which = SS_FORCE_ALL};
  ss_stiff_choose (stepper->stiff, dynamics, &rule, start->t, start->q, start->v, step->controls);
  ss_stiff_forces (stepper->stiff, dynamics, SS_FORCE_ALL, start->t, start->q, start->v, step->controls, f);
  ss_contact_problem_free_motion (stepper->problem, start->v, f, step->dt, v_free);
}

/* [003 (36)]. */
void
ss_stepper_advance (SsStepper *stepper, const double *v, double dt, double *v_start, SsSimState *state)
{
  SS_ASSERT (stepper != NULL && state != NULL);

  size_t n = 3 * (size_t)stepper->scene->n_bodies;
  memcpy (v_start, state->v, n * sizeof *state->v);
  memcpy (state->v, v, n * sizeof *state->v);
  for (size_t i = 0; i < n; i++)
    state->q[i] += dt * state->v[i];
  state->t += dt;
  ss_contact_problem_report (stepper->problem, dt, v_start, state);
}
