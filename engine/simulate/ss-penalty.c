/* engine/simulate/ss-penalty.c: contact by spring, damper and clamped slip damper, integrated by the explicit or the
 * semi-implicit Euler rule.
 *
 *     phi < 0:  lambda_n = max (0, -K phi - B phidot),  lambda_t = clamp (-B_t slip, -mu lambda_n, mu lambda_n)
 * (K, B, B_t: the options, or the contact's own formulas)
 *     v1 = v0 + h (g + M^-1 (Gn' lambda_n + Gt' lambda_t)(q0, v0)),   q1 = q0 + h v1 (semi-implicit) or q0 + h v0
 *     (explicit)
 * Each step is divided into substeps. Stable only while h^2 K and h B are small against the masses (semi-implicit: h^2
 * K < 4 m_eff with little damping; explicit: only with damping enough); beyond, the run ends as diverged. Bodies at
 * rest lie m g/K deep and creep down slopes with speed tangential load/B_t.
 */
#include "contact/ss-contact-corner.h"
#include "simulate/ss-stepper-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  double stiffness, damping, slip_damping;
  int substeps;
  int forces; /* semi-implicit only */
  SsSimLimits limits;
} Options;

/* The options of both rules. Energy that comes from nothing is what the explicit one is there to show: it is told, and
 * no fault. */
#define OPTIONS(energy_gain_)                                                                                          \
  SS_OPTION_NOT_NEGATIVE (Options, stiffness, "stiffness", 1e15, 1e5, "K", "N/m", true,                                \
                          "Stiffness of the spring at each contact. With larger values bodies penetrate less and "     \
                          "steps must be shorter."),                                                                   \
      SS_OPTION_NOT_NEGATIVE (Options, damping, "damping", 1e15, 200, "B", "N s/m", true,                              \
                              "Damping of each contact along its normal. With larger values bodies bounce less and "   \
                              "steps must be shorter."),                                                               \
      SS_OPTION_NOT_NEGATIVE (                                                                                         \
          Options, slip_damping, "slip-damping", 1e15, 300, "B_t", "N s/m", false,                                     \
          "Damping of slip, by which a contact sticks: a body at rest creeps at its load divided by this damping. "    \
          "With larger values bodies creep more slowly and steps must be shorter."),                                   \
      {.name = "substeps",                                                                                             \
       .type = SS_OPTION_INTEGER,                                                                                      \
       .offset = offsetof (Options, substeps),                                                                         \
       .minimum = 1,                                                                                                   \
       .maximum = 1e6,                                                                                                 \
       .fallback = 10,                                                                                                 \
       .symbol = "",                                                                                                   \
       .unit = "",                                                                                                     \
       .common = true,                                                                                                 \
       .summary = "Number of steps that the method takes within one step of the run. More steps take longer and stay " \
                  "stable with stiffer contacts."},                                                                    \
      SS_SIM_LIMITS_OPTIONS (Options, limits, energy_gain_)
static const SsOptionSpec semi_implicit_specs[] = {SS_FORCES_OPTION (Options, forces), OPTIONS (SS_SIM_ENERGY_GAIN)};
static const SsOptionSpec explicit_specs[] = {OPTIONS (1)};
static const SsOptionTable semi_implicit_table = {sizeof semi_implicit_specs / sizeof *semi_implicit_specs,
                                                  semi_implicit_specs, sizeof (Options)};
static const SsOptionTable explicit_table = {sizeof explicit_specs / sizeof *explicit_specs, explicit_specs,
                                             sizeof (Options)};

enum { Q, V, V_OLD, F, N_VECTORS };

typedef struct {
  SsStepper base;
  Options options;
  double *q, *v, *v_old, *f; /* 3 n_bodies each, one block                    */
  double *impulse;           /* 2 n_contacts: normal, tangential of the step  */
  double *dissipated;        /* n_contacts: of the step                       */
} Stepper;

static SsStatus
stepper_new (const SsScene *scene, const SsOptionTable *table, const void *options, void **integrator, SsError *err)
{
  const SsStepperLayout layout = {sizeof (Stepper), offsetof (Stepper, options), table, N_VECTORS};
  size_t m = (size_t)scene->n_contacts;
  SsStatus status = ss_stepper_new (&layout, scene, options, 3 * m, integrator, err);
  if (status != SS_OK)
    return status;
  Stepper *stepper = *integrator;
  stepper->q = ss_stepper_vector (&stepper->base, Q);
  stepper->v = ss_stepper_vector (&stepper->base, V);
  stepper->v_old = ss_stepper_vector (&stepper->base, V_OLD);
  stepper->f = ss_stepper_vector (&stepper->base, F);
  stepper->impulse = ss_stepper_vector (&stepper->base, N_VECTORS);
  stepper->dissipated = stepper->impulse + 2 * m;
  return SS_OK;
}

static SsStatus
semi_implicit_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  return stepper_new (scene, &semi_implicit_table, options, integrator, err);
}

static SsStatus
explicit_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  return stepper_new (scene, &explicit_table, options, integrator, err);
}

/* Normal force of a point that may be negative, and its damping of slip. */
static SsStatus
find_force (const Stepper *stepper, const SsContactPoint *p, double *normal, double *slip_damping, SsError *err)
{
  const Options *o = &stepper->options;
  const double rate = ss_contact_point_normal_velocity (p, stepper->v_old);
  SsComplianceForce force;
  *slip_damping = o->slip_damping;
  if (stepper->base.scene->contacts[p->contact].compliance == NULL) {
    *normal = -o->stiffness * p->phi - o->damping * rate;
    return SS_OK;
  }
  SsStatus status =
      ss_compliances_find (stepper->base.compliances, p->contact, p->phi, rate, o->stiffness, o->damping, &force, err);
  if (status != SS_OK)
    return status;
  *normal = force.force;
  if (!isnan (force.slip_damping))
    *slip_damping = force.slip_damping;
  return SS_OK;
}

/* Impulses of the points over a substep from the forces at its start. */
static SsStatus
apply_contacts (Stepper *stepper, double h, SsPointImpulses *points, SsError *err)
{
  for (int i = 0; i < stepper->base.problem->n_points; i++) {
    SsContactPoint *p = &stepper->base.problem->points[i];
    if (p->contact < 0)
      continue;
    double normal, slip_damping;
    SsStatus status = find_force (stepper, p, &normal, &slip_damping, err);
    if (status != SS_OK)
      return status;
    normal = fmax (normal, 0);
    double bound = p->mu * normal, tangential = -slip_damping * ss_contact_point_slip (p, stepper->v_old);
    p->pn = h * normal;
    p->pt = h * fmin (fmax (tangential, -bound), bound);
    ss_contact_problem_push (stepper->base.problem, p, stepper->v);
    stepper->impulse[2 * p->contact] += p->pn;
    stepper->impulse[2 * p->contact + 1] += p->pt;
    if (points != NULL && p->pn > 0)
      ss_point_impulses_add (points, p->contact, p->corner, p->pn, p->pt);
  }
  return SS_OK;
}

/* The work of the substep's impulses, with the velocities before and after. */
static void
count_dissipation (Stepper *stepper)
{
  for (int i = 0; i < stepper->base.problem->n_points; i++) {
    const SsContactPoint *p = &stepper->base.problem->points[i];
    if (p->contact >= 0)
      stepper->dissipated[p->contact] -=
          0.5 * (p->pn * (ss_contact_point_normal_velocity (p, stepper->v_old) +
                          ss_contact_point_normal_velocity (p, stepper->v)) +
                 p->pt * (ss_contact_point_slip (p, stepper->v_old) + ss_contact_point_slip (p, stepper->v)));
  }
}

/* Joints and limits hold rigidly, up to *residual; with the semi-implicit rule the dampers of springs act at the end's
 * velocity. stepper->v holds the velocities without them. */
static SsStatus
hold_joints (Stepper *stepper, double t, double h, bool is_explicit, double *joint, double *residual, SsError *err)
{
  SsContactProblem *problem = stepper->base.problem;
  int n_limits = 0;
  SsStepInfo info = {0};
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].bias = problem->rows[i].row.phi / h + 0.5 * h * problem->rows[i].row.gdv;
  if (!is_explicit) {
    int first = problem->n_rows, n = first;
    ss_contact_problem_append_springs (problem, stepper->q, stepper->v_old);
    for (int i = first; i < problem->n_rows; i++)
      if (problem->rows[i].row.damping > 0) {
        problem->rows[n] = problem->rows[i];
        problem->rows[n++].compliance = 1 / (h * problem->rows[i].row.damping);
      }
    problem->n_rows = n;
  }
  for (int i = 0; i < problem->n_points; i++)
    if (problem->points[i].contact < 0) {
      problem->points[n_limits] = problem->points[i];
      problem->points[n_limits++].bias = problem->points[i].phi / h;
    }
  problem->n_points = n_limits;
  if (problem->n_rows == 0 && n_limits == 0 && stepper->base.stiff == NULL)
    return SS_OK;
  memcpy (stepper->f, stepper->v, 3 * (size_t)stepper->base.scene->n_bodies * sizeof *stepper->v);
  SsStatus status = ss_stiff_solve (stepper->base.stiff, problem, stepper->f, t, stepper->v, &info, err);
  *residual = fmax (*residual, info.residual);
  ss_contact_problem_add_joints (problem, joint);
  return status;
}

/* [003 (7)-(8)] or [003 (11)-(12)]. */
static SsStatus
substep (Stepper *stepper, double t, double h, const double *controls, bool is_explicit, SsSimState *state,
         double *residual, SsError *err)
{
  SsContactProblem *problem = stepper->base.problem;
  const SsScene *scene = stepper->base.scene;
  size_t n = 3 * (size_t)scene->n_bodies;
  memcpy (stepper->v_old, stepper->v, n * sizeof *stepper->v);
  ss_dynamics_set_time (problem->dynamics, t);
  SsStatus status = ss_contact_problem_collect (problem, stepper->q, stepper->v_old, 0, INFINITY, err);
  if (status != SS_OK)
    return status;
  const int which = is_explicit ? SS_FORCE_ALL : SS_FORCE_ALL & ~SS_FORCE_DAMPERS;
  const SsStiffRule rule = {.h = h, .kick = h, .way = h, .bends = true, .which = which};
  ss_stiff_choose (stepper->base.stiff, problem->dynamics, &rule, t, stepper->q, stepper->v_old, controls);
  ss_stiff_forces (stepper->base.stiff, problem->dynamics, which, t, stepper->q, stepper->v_old, controls, stepper->f);
  ss_contact_problem_free_motion (problem, stepper->v_old, stepper->f, h, stepper->v);
  status = apply_contacts (stepper, h, state->points, err);
  if (status != SS_OK)
    return status;
  count_dissipation (stepper);
  status = hold_joints (stepper, t, h, is_explicit, state->joint, residual, err);
  if (status != SS_OK)
    return status;
  const double *way = is_explicit ? stepper->v_old : stepper->v;
  for (size_t i = 0; i < n; i++)
    stepper->q[i] += h * way[i];
  return SS_OK;
}

static SsStatus
do_step (Stepper *stepper, const SsStep *step, bool is_explicit, SsSimState *state, SsStepInfo *info, SsError *err)
{
  const double dt = step->dt;
  const SsScene *scene = stepper->base.scene;
  size_t n = 3 * (size_t)scene->n_bodies;
  memcpy (stepper->q, state->q, n * sizeof *state->q);
  for (size_t i = 0; i < n; i++)
    stepper->v[i] = state->v[i];
  memset (stepper->impulse, 0, 3 * (size_t)scene->n_contacts * sizeof *stepper->impulse);
  double h = dt / stepper->options.substeps, residual = 0;
  for (int k = 0; k < stepper->options.substeps; k++) {
    SsStatus status = substep (stepper, state->t + k * h, h, step->controls, is_explicit, state, &residual, err);
    if (status != SS_OK)
      return status;
  }

  memcpy (state->q, stepper->q, n * sizeof *state->q);
  memcpy (state->v, stepper->v, n * sizeof *state->v);
  state->t += dt;
  for (int i = 0; i < scene->n_contacts; i++) {
    double *values = state->contact + SS_SIM_N_CONTACT_VALUES * i;
    values[SS_SIM_GAP] =
        scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX ? ss_scene_contact_gap (scene, i, state->q) : INFINITY;
    values[SS_SIM_IMPULSE_N] = stepper->impulse[2 * i];
    values[SS_SIM_IMPULSE_T] = stepper->impulse[2 * i + 1];
    values[SS_SIM_LAMBDA_N] = values[SS_SIM_IMPULSE_N] / dt;
    values[SS_SIM_LAMBDA_T] = values[SS_SIM_IMPULSE_T] / dt;
    if (state->dissipated != NULL)
      state->dissipated[i] += stepper->dissipated[i];
  }
  *info = (SsStepInfo){.residual = residual,
                       .n_points = stepper->base.problem->n_points,
                       .is_left = ss_stiff_is_left (stepper->base.stiff)};
  return SS_OK;
}

static SsStatus
semi_implicit_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  return do_step (integrator, step, false, state, info, err);
}

static SsStatus
explicit_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  return do_step (integrator, step, true, state, info, err);
}

const SsIntegratorClass ss_integrator_semi_implicit_euler = {
    .name = "semi-implicit-euler",
    .label = "Semi-implicit Euler (penalty)",
    .summary = "Contact by spring and damper; velocities are advanced before positions. Cheap, first order; "
               "penetrates and creeps; restitution follows from the damper.",
    .solves = SS_SOLVES_PENALTY,
    .options = &semi_implicit_table,
    .new_ = semi_implicit_new,
    .step = semi_implicit_step,
    .free_ = ss_stepper_free,
    .uses = SS_USES_COMPLIANCE | SS_USES_TIME,
    .contact_law = {.place = SS_LAW_WITHIN},
};

const SsIntegratorClass ss_integrator_explicit_euler = {
    .name = "explicit-euler",
    .label = "Explicit Euler (penalty)",
    .summary = "Contact by spring and damper; positions are advanced by the old velocities, which adds energy: for "
               "comparison. Its runs do not fail for that energy unless energy-gain says so.",
    .solves = SS_SOLVES_PENALTY,
    .options = &explicit_table,
    .new_ = explicit_new,
    .step = explicit_step,
    .free_ = ss_stepper_free,
    .uses = SS_USES_COMPLIANCE | SS_USES_TIME,
    .contact_law = {.place = SS_LAW_WITHIN},
};
