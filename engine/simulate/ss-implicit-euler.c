/* engine/simulate/ss-implicit-euler.c: contact by spring, damper and clamped slip damper, springs and forces, all at
 * the end of the step.
 *
 *     M (v1 - v0) = h (f (t1, q1, v1) + Gn' lambda_n + Gt' lambda_t),   q1 = q0 + h v1,
 *     lambda_n = max (0, -K phi1 - B phidot1),   lambda_t = clamp (-B_t slip1, -mu lambda_n, mu lambda_n);
 * joints hold rigidly at the end. The step is linearised at its own end until it settles (Newton's method for springs,
 * gaps, joints and stiff formulas, ss-stiff.h; a fixed point for what is left of formulas), each linearised step being
 * a problem of ss-contact-problem.h. Stable for any stiffness, first order; damps oscillations faster than the step.
 * The damper does not pull bodies apart before they touch: it acts where the gap was closed at the step's start or the
 * spring outweighs it (h K >= B).
 */
#include "simulate/ss-stepper-private.h"

#include <math.h>
#include <string.h>

/* The step has settled when its end moves by less between two linearisations [m]. */
static const double settled = 1e-13;
/* The margin of candidates is this many times the way that bodies can go towards each other. */
static const double margin_factor = 2;

typedef struct {
  double stiffness, damping, slip_damping;
  int linearisations;
  int forces;
  SsSimLimits limits;
} Options;

static const SsOptionSpec specs[] = {
    SS_OPTION_NOT_NEGATIVE (Options, stiffness, "stiffness", 1e15, 1e6, "K", "N/m", true,
                            "Stiffness of each contact to which the scene gives none. With larger values bodies "
                            "penetrate less."),
    SS_OPTION_NOT_NEGATIVE (
        Options, damping, "damping", 1e15, 200, "B", "N s/m", true,
        "Damping, along the normal, of each contact to which the scene gives none. With larger values bodies bounce "
        "less."),
    SS_OPTION_NOT_NEGATIVE (Options, slip_damping, "slip-damping", 1e15, 1e6, "B_t", "N s/m", false,
                            "Damping of slip, by which a contact sticks: a body at rest creeps at its load divided "
                            "by this damping. With larger values bodies creep more slowly."),
    {.name = "linearisations",
     .type = SS_OPTION_INTEGER,
     .offset = offsetof (Options, linearisations),
     .minimum = 1,
     .maximum = 1000,
     .fallback = 50,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Largest number of linearisations in a step. A step that needs more ends with a residual that is not "
                "small; larger values let such a step take longer."},
    SS_FORCES_OPTION (Options, forces),
    SS_SIM_LIMITS_OPTIONS (Options, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable table = {sizeof specs / sizeof *specs, specs, sizeof (Options)};

enum { V_FREE, V, V_GUESS, Q, F, N_VECTORS };

typedef struct {
  SsStepper base;
  Options options;
  double *v_free, *v, *v_guess, *q, *f; /* 3 n_bodies each, one block */
} Stepper;

static SsStatus
stepper_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  static const SsStepperLayout layout = {sizeof (Stepper), offsetof (Stepper, options), &table, N_VECTORS};
  SsStatus status = ss_stepper_new (&layout, scene, options, 0, integrator, err);
  if (status != SS_OK)
    return status;
  Stepper *s = *integrator;
  s->v_free = ss_stepper_vector (&s->base, V_FREE);
  s->v = ss_stepper_vector (&s->base, V);
  s->v_guess = ss_stepper_vector (&s->base, V_GUESS);
  s->q = ss_stepper_vector (&s->base, Q);
  s->f = ss_stepper_vector (&s->base, F);
  return SS_OK;
}

/* A spring and damper on phi with the force `push` where phi is 0, linearised at the guess: phi1 = phi + h (G v - G
 * v_guess). False if it carries no force. */
static bool
set_law (double stiffness, double damping, double push, double phi, double rate_guess, double h, double *bias,
         double *compliance)
{
  double delta = h * h * stiffness + h * damping;
  if (!(delta > 0))
    return false;
  *compliance = 1 / delta;
  *bias = (h * stiffness * (phi - h * rate_guess) - h * push) / delta;
  return true;
}

/* The law of a contact's point; *carries is false where it has no force. */
static SsStatus
set_law_of_contact (Stepper *s, SsContactPoint *p, double rate, double h, bool *carries, SsError *err)
{
  const SsContact *c = &s->base.scene->contacts[p->contact];
  SsLinearForce law = {.stiffness = c->stiffness > 0 ? c->stiffness : s->options.stiffness,
                       .damping = c->damping > 0 ? c->damping : s->options.damping,
                       .slip_damping = s->options.slip_damping};
  if (c->compliance != NULL) {
    SsStatus status = ss_stepper_linearise (&s->base, p, p->phi, rate, &law, err);
    if (status != SS_OK)
      return status;
  } else if (p->phi - h * rate > 0 && h * law.stiffness < law.damping) {
    law.damping = 0;
  }
  *carries = set_law (law.stiffness, law.damping, law.push, p->phi, rate, h, &p->bias, &p->compliance);
  if (law.slip_damping > 0)
    p->compliance_t = 1 / (h * law.slip_damping);
  else
    p->mu = 0;
  return SS_OK;
}

static SsStatus
set_laws_of_points (Stepper *s, double h, SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  int n = 0;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    const double rate = ss_contact_point_normal_velocity (p, s->v_guess);
    bool carries = true;
    if (p->contact < 0) {
      p->bias = p->phi / h - rate; /* limits hold rigidly */
    } else {
      SsStatus status = set_law_of_contact (s, p, rate, h, &carries, err);
      if (status != SS_OK)
        return status;
    }
    if (carries)
      problem->points[n++] = *p;
  }
  problem->n_points = n;
  return SS_OK;
}

static void
set_laws_of_rows (Stepper *s, double h)
{
  SsContactProblem *problem = s->base.problem;
  int n = 0;
  for (int i = 0; i < problem->n_rows; i++) {
    SsJointConstraint *c = &problem->rows[i];
    double rate = ss_row_velocity (&c->row, s->v_guess);
    if (c->row.kind == SS_ROW_JOINT)
      c->bias = c->row.phi / h - rate;
    else if (!set_law (c->row.stiffness, c->row.damping, 0, c->row.phi, rate, h, &c->bias, &c->compliance))
      continue;
    problem->rows[n++] = *c;
  }
  problem->n_rows = n;
}

/* One linearised step about s->v_guess into s->v [003 (13)-(14)]. */
static SsStatus
solve_linearised (Stepper *s, const SsStep *step, const SsSimState *state, double margin, SsStepInfo *info,
                  SsError *err)
{
  const double h = step->dt;
  SsContactProblem *problem = s->base.problem;
  for (int i = 0; i < 3 * s->base.scene->n_bodies; i++)
    s->q[i] = state->q[i] + h * s->v_guess[i];
  ss_dynamics_set_time (problem->dynamics, state->t + h);
  SsStatus status = ss_contact_problem_collect (problem, s->q, s->v_guess, margin, INFINITY, err);
  if (status != SS_OK)
    return status;
  ss_contact_problem_append_springs (problem, s->q, s->v_guess);
  status = set_laws_of_points (s, h, err);
  if (status != SS_OK)
    return status;
  set_laws_of_rows (s, h);
  const int which = SS_FORCE_GRAVITY | SS_FORCE_FORMULAS | SS_FORCE_ACTUATORS;
  const SsStiffRule rule = {.h = h, .kick = h, .way = h, .is_end = true, .which = which};
  ss_stiff_choose (s->base.stiff, problem->dynamics, &rule, state->t + h, s->q, s->v_guess, step->controls);
  ss_stiff_forces (s->base.stiff, problem->dynamics, which, state->t + h, s->q, s->v_guess, step->controls, s->f);
  ss_contact_problem_free_motion (problem, state->v, s->f, h, s->v_free);
  return ss_stiff_solve (s->base.stiff, problem, s->v_free, state->t, s->v, info, err);
}

static SsStatus
stepper_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  Stepper *s = integrator;
  const double dt = step->dt;
  size_t n = 3 * (size_t)s->base.scene->n_bodies;
  int pivots = 0;
  double moved = INFINITY;
  for (size_t i = 0; i < n; i++)
    s->v_guess[i] = state->v[i];
  for (int k = 0; k < s->options.linearisations && moved > settled; k++) {
    double top = ss_contact_problem_top_speed (s->base.problem, s->v_guess);
    SsStatus status = solve_linearised (s, step, state, margin_factor * 2 * dt * top + settled, info, err);
    if (status != SS_OK)
      return status;
    moved = ss_stepper_difference_of_way (&s->base, s->v, s->v_guess, dt);
    /* faster than the margin allowed: candidates may be missing */
    pivots += info->pivots;
    memcpy (s->v_guess, s->v, n * sizeof *s->v);
  }
  info->pivots = pivots;
  if (moved > settled)
    info->residual = fmax (info->residual, moved / dt);
  ss_stepper_advance (&s->base, s->v, dt, s->v_guess, state);
  return SS_OK;
}

static const char *
caveat (const SsScene *scene, const void *options)
{
  (void)options;
  return ss_scene_has_swings (scene) ? SS_SWINGS_LOSE_ENERGY ("41", "stewart-trinkle") : NULL;
}

const SsIntegratorClass ss_integrator_implicit_euler = {
    .name = "implicit-euler",
    .label = "Implicit Euler (penalty)",
    .summary = "Contact by spring and damper; forces are those at the end of the step. Stable for any stiffness, "
               "first order with joints and without; penetrates, creeps and damps: swings lose energy.",
    .solves = SS_SOLVES_PENALTY,
    .options = &table,
    .new_ = stepper_new,
    .step = stepper_step,
    .free_ = ss_stepper_free,
    .uses = SS_USES_CONTACT_STIFFNESS | SS_USES_CONTACT_DAMPING | SS_USES_COMPLIANCE | SS_USES_TIME,
    .contact_law = {.place = SS_LAW_END_SPRING},
    .caveat = caveat,
};
