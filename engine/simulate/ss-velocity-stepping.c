/* engine/simulate/ss-velocity-stepping.c: time stepping at velocity level: Moreau-Jean and Anitescu-Potra.
 *
 * Moreau-Jean: contacts whose gap predicted at q0 + (h/2) v0 is closed; Newton restitution 0 <= pn _|_ Gn v1 + e Gn v0
 * >= 0; positions by the theta rule. Anitescu-Potra: contacts whose gap at q0 is closed; 0 <= pn _|_ Gn v1 >= 0;
 * restitution e > 0 by Poisson's hypothesis: after the compression pc a second problem with pn >= e pc; cohesion c as
 * 0 <= pn + h c _|_ Gn v1 >= 0, |pt| <= mu (pn + h c) of what touches at q0. Neither corrects gaps.
 * J. J. Moreau (1988); M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999); M. Anitescu, F. A. Potra, Nonlinear
 * Dynamics 14 (1997).
 *
 * Joints. Moreau-Jean with theta = 1/2: RATTLE (ss-rattle.h) for the smooth motion, the impulses of contacts split over
 * its two parts so that the way is that of the theta rule, va = (v0 + v1)/2 along a contact that acts:
 *     0 <= p0 _|_ Gn va - (1 - e)/2 Gn v0 >= 0 on the way, phi(q1) = 0
 *     0 <= p1 _|_ Gn v1 + e Gn v0 >= 0 at its end,         G(q1) v1 = 0.
 * Without joints p0 = p1, the scheme above; what rests stays. (Splitting as in O. Bruls, V. Acary, A. Cardona, Comput.
 * Methods Appl. Mech. Eng. 281 (2014).) With theta > 1/2 velocities obey the joint rows at the end that v0 predicts and
 * positions are moved onto the joints: first order, a swing loses energy. Anitescu-Potra: phi(q0) + h G(q0) v1 +
 * h^2/2 gdv = 0, drift of third order a step that does not add up.
 */
#include "simulate/ss-rattle.h"
#include "simulate/ss-stepper-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  double theta;
  double gap_tolerance;
  int forces;
  bool swept;
  int certainty, max_branches; /* of moreau-jean */
  SsSimLimits limits;
} Options;

/* Gaps below this count as closed, or a touching contact would toggle by rounding and fall g h^2 each time. [m] */
#define DEFAULT_GAP_TOLERANCE 1e-9

static const SsOptionSpec moreau_jean_specs[] = {
    {.name = "theta",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, theta),
     .minimum = 0.5,
     .maximum = 1,
     .fallback = 0.5,
     .symbol = "θ",
     .unit = "",
     .common = true,
     .summary = "Weight of a step's end velocity in the change of positions. 0.5 is of second order between impacts; "
                "larger values damp vibrations and make joints be of first order."},
    {.name = "gap-tolerance",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, gap_tolerance),
     .minimum = 0,
     .maximum = 1,
     .fallback = DEFAULT_GAP_TOLERANCE,
     .symbol = "ε",
     .unit = "m",
     .common = false,
     .summary = "Largest predicted gap at which a contact counts as closed. With larger values bodies stop before "
                "they touch."},
    SS_FORCES_OPTION (Options, forces),
    SS_SWEPT_OPTION (Options, swept),
    SS_CERTAINTY_OPTIONS (Options),
    SS_SIM_LIMITS_OPTIONS (Options, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable moreau_jean_table = {sizeof moreau_jean_specs / sizeof *moreau_jean_specs, moreau_jean_specs,
                                                sizeof (Options)};

static const SsOptionSpec anitescu_potra_specs[] = {
    {.name = "gap-tolerance",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, gap_tolerance),
     .minimum = 0,
     .maximum = 1,
     .fallback = DEFAULT_GAP_TOLERANCE,
     .symbol = "ε",
     .unit = "m",
     .common = false,
     .summary = "Largest gap at which a contact counts as closed. With larger values bodies stop before they touch."},
    SS_FORCES_OPTION (Options, forces),
    SS_SWEPT_OPTION (Options, swept),
    SS_SIM_LIMITS_OPTIONS (Options, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable anitescu_potra_table = {sizeof anitescu_potra_specs / sizeof *anitescu_potra_specs,
                                                   anitescu_potra_specs, sizeof (Options)};

enum { V_FREE, V, Q, F, F_END, V_START, V_WAY, N_VECTORS };

typedef struct {
  SsStepper base;
  Options options;
  double *v_free, *v, *q, *f, *f_end, *v_start, *v_way; /* 3 n_bodies each, one block     */
  SsRattle *rattle;                                     /* NULL: no joints, or not by it */
} Stepper;

static void
stepper_free (void *integrator)
{
  Stepper *stepper = integrator;
  if (stepper != NULL)
    ss_rattle_free (stepper->rattle);
  ss_stepper_free (stepper);
}

static SsStatus
stepper_new (const SsScene *scene, const SsOptionTable *table, const void *options, void **integrator, SsError *err)
{
  const SsStepperLayout layout = {sizeof (Stepper), offsetof (Stepper, options), table, N_VECTORS};
  SsStatus status = ss_stepper_new (&layout, scene, options, 0, integrator, err);
  if (status != SS_OK)
    return status;
  Stepper *stepper = *integrator;
  stepper->v_free = ss_stepper_vector (&stepper->base, V_FREE);
  stepper->v = ss_stepper_vector (&stepper->base, V);
  stepper->q = ss_stepper_vector (&stepper->base, Q);
  stepper->f = ss_stepper_vector (&stepper->base, F);
  stepper->f_end = ss_stepper_vector (&stepper->base, F_END);
  stepper->v_start = ss_stepper_vector (&stepper->base, V_START);
  stepper->v_way = ss_stepper_vector (&stepper->base, V_WAY);
  return SS_OK;
}

static bool
acts_at_both_ends (const SsScene *scene, const void *options)
{
  const Options *o = options;
  return scene->n_joints > 0 && (o == NULL || o->theta == 0.5);
}

static SsStatus
moreau_jean_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  void *made;
  SsStatus status = stepper_new (scene, &moreau_jean_table, options, &made, err);
  if (status != SS_OK)
    return status;
  Stepper *stepper = made;
  if (acts_at_both_ends (scene, &stepper->options))
    status = ss_rattle_new (scene, &stepper->rattle, err);
  if (status == SS_OK)
    status = ss_stepper_be_certain (&stepper->base, stepper->options.certainty, stepper->rattle != NULL, err);
  if (status != SS_OK)
    stepper_free (stepper);
  else
    *integrator = stepper;
  return status;
}

static SsStatus
anitescu_potra_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  return stepper_new (scene, &anitescu_potra_table, options, integrator, err);
}

/* stepper->q = q0 + way v0. */
static void
move (Stepper *stepper, const SsSimState *state, double way)
{
  for (int i = 0; i < 3 * stepper->base.scene->n_bodies; i++)
    stepper->q[i] = state->q[i] + way * state->v[i];
}

/* Free motion with the force at the start, without what is stiff, of which the theta rule's own weights are. */
static void
predict (Stepper *stepper, const SsStep *step, const SsSimState *state, double theta)
{
  const double dt = step->dt;
  SsDynamics *dynamics = stepper->base.problem->dynamics;
  const SsStiffRule rule = {
      .h = dt, .kick = dt, .way = dt, .theta = theta, .early = (1 - theta) * dt, .bends = true, .which = SS_FORCE_ALL};
  move (stepper, state, rule.early);
  ss_stiff_choose (stepper->base.stiff, dynamics, &rule, state->t + theta * dt, stepper->q, state->v, step->controls);
  ss_stiff_forces (stepper->base.stiff, dynamics, SS_FORCE_ALL, state->t, state->q, state->v, step->controls,
                   stepper->f);
  ss_contact_problem_free_motion (stepper->base.problem, state->v, stepper->f, dt, stepper->v_free);
}

/* Free motion with f = theta f1 + (1 - theta) f0, f1 at the end that f0 predicts. */
static void
correct (Stepper *stepper, const SsStep *step, const SsSimState *state, double theta)
{
  const double dt = step->dt;
  SsContactProblem *problem = stepper->base.problem;
  int n = 3 * stepper->base.scene->n_bodies;
  if (!ss_dynamics_has_state_forces (problem->dynamics, step->controls))
    return;
  for (int i = 0; i < n; i++)
    stepper->q[i] = state->q[i] + dt * (theta * stepper->v_free[i] + (1 - theta) * state->v[i]);
  ss_stiff_forces (stepper->base.stiff, problem->dynamics, SS_FORCE_ALL, state->t + dt, stepper->q, stepper->v_free,
                   step->controls, stepper->f_end);
  for (int i = 0; i < n; i++)
    stepper->f[i] = theta * stepper->f_end[i] + (1 - theta) * stepper->f[i];
  ss_contact_problem_free_motion (problem, state->v, stepper->f, dt, stepper->v_free);
}

/* The step ends with stepper->v at stepper->q. */
static void
finish (Stepper *stepper, double dt, SsSimState *state)
{
  size_t n = 3 * (size_t)stepper->base.scene->n_bodies;
  memcpy (stepper->v_start, state->v, n * sizeof *state->v);
  memcpy (state->q, stepper->q, n * sizeof *state->q);
  memcpy (state->v, stepper->v, n * sizeof *state->v);
  state->t += dt;
  ss_contact_problem_report (stepper->base.problem, dt, stepper->v_start, state);
}

/* q += h (theta v1 + (1 - theta) v0), v = v1. */
static SsStatus
advance (Stepper *stepper, double theta, bool close, double dt, SsSimState *state, SsError *err)
{
  int n = 3 * stepper->base.scene->n_bodies;
  for (int i = 0; i < n; i++)
    stepper->q[i] = state->q[i] + dt * (theta * stepper->v[i] + (1 - theta) * state->v[i]);
  if (close) {
    SsStatus status = ss_contact_problem_close_joints (stepper->base.problem, state->t, stepper->q, stepper->f, err);
    if (status != SS_OK)
      return status;
  }
  finish (stepper, dt, state);
  return SS_OK;
}

/* Contacts closed half a step of free motion on. */
static SsStatus
collect_predicted (Stepper *stepper, const SsSimState *state, double dt, SsError *err)
{
  move (stepper, state, dt / 2);
  ss_dynamics_set_time (stepper->base.problem->dynamics, state->t + dt / 2);
  return ss_contact_problem_collect (stepper->base.problem, stepper->q, state->v, stepper->options.gap_tolerance,
                                     stepper->options.gap_tolerance, err);
}

/* Newton's restitution, of the velocities of the way or of those at the end; drives act over h. */
static void
set_laws (Stepper *stepper, const double *v0, bool is_way, double h)
{
  SsContactProblem *problem = stepper->base.problem;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    const double e = ss_contact_point_restitution (problem, p);
    if (is_way)
      p->bias = -(1 - e) / 2 * ss_contact_point_normal_velocity (p, v0);
    else if (p->contact >= 0 || e > 0)
      p->bias = e * ss_contact_point_normal_velocity (p, v0);
    else
      p->bias = 0;
  }
  ss_contact_problem_set_drives (problem, stepper->q, v0, h);
}

static SsStatus
moreau_jean_step_joints (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  Stepper *stepper = integrator;
  SsContactProblem *problem = stepper->base.problem;
  const double dt = step->dt;
  const size_t n = 3 * (size_t)stepper->base.scene->n_bodies;
  const SsRattleWay way = {.q0 = state->q,
                           .v_free = stepper->v_free,
                           .t = state->t,
                           .h = dt,
                           .with_points = true,
                           .stiff = stepper->base.stiff};
  SsStepInfo end;

  ss_rattle_free_start (problem, &way, step->controls, state->v, stepper->f, stepper->v_free);
  SsStatus status = collect_predicted (stepper, state, dt, err);
  if (status != SS_OK)
    return status;
  set_laws (stepper, state->v, true, dt / 2);
  ss_dynamics_set_time (problem->dynamics, state->t);
  ss_contact_problem_collect_joints (problem, state->q, state->v);
  ss_rattle_set_biases (problem, &way);
  status = ss_rattle_go (stepper->rattle, problem, &way, stepper->v_way, stepper->q, info, err);
  if (status == SS_OK)
    status = ss_rattle_keep (stepper->rattle, problem, err);
  if (status != SS_OK)
    return status;

  ss_rattle_free_end (problem, &way, step->controls, state->v, stepper->v_way, stepper->q, stepper->f, stepper->v);
  memcpy (stepper->v_free, stepper->v, n * sizeof *stepper->v);
  set_laws (stepper, state->v, false, dt / 2);
  ss_dynamics_set_time (problem->dynamics, state->t + dt);
  ss_contact_problem_collect_joints (problem, stepper->q, stepper->v_way);
  status = ss_stiff_solve (stepper->base.stiff, problem, stepper->v_free, state->t, stepper->v, &end, err);
  if (status != SS_OK)
    return status;
  info->residual = fmax (info->residual, end.residual);
  info->pivots += end.pivots;
  return ss_rattle_end (stepper->rattle, problem, dt, stepper->v_way, stepper->v, stepper->q, state, err);
}

static SsStatus
moreau_jean_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  Stepper *stepper = integrator;
  const double dt = step->dt;
  SsContactProblem *problem = stepper->base.problem;
  if (stepper->rattle != NULL)
    return ss_stepper_end_certain (
        &stepper->base, ss_rattle_step (stepper->rattle, moreau_jean_step_joints, stepper, step, state, info, err),
        info, err);
  ss_certain_begin (stepper->base.certain, state->t);
  predict (stepper, step, state, stepper->options.theta);
  correct (stepper, step, state, stepper->options.theta);
  SsStatus status = collect_predicted (stepper, state, dt, err);
  if (status != SS_OK)
    return status;
  set_laws (stepper, state->v, false, dt);
  move (stepper, state, dt); /* velocities obey the joints where they end */
  ss_dynamics_set_time (problem->dynamics, state->t + dt);
  ss_contact_problem_collect_joints (problem, stepper->q, state->v);
  status = ss_stiff_solve (stepper->base.stiff, problem, stepper->v_free, state->t, stepper->v, info, err);
  status = ss_stepper_end_certain (&stepper->base, status, info, err);
  if (status != SS_OK)
    return status;
  return advance (stepper, stepper->options.theta, true, dt, state, err);
}

/* Whether a point meets with more than what the forces of one step give it, v0 being the velocities at its start. */
static bool
is_impact (const Stepper *stepper, const SsContactPoint *p, const double *v0)
{
  const double approach = -ss_contact_point_normal_velocity (p, v0),
               gained = -ss_contact_point_normal_velocity (p, stepper->v_free) - approach;
  return p->pn > 0 && approach > fmax (gained, 0);
}

/* Decompression: impulses at least e times those of the compression, in groups with an impact. What rests, or bounces
 * no higher than a step can tell, has none: a sequence of bounces ends. True if any contact has some. */
static bool
ask_for_restitution (Stepper *stepper, const double *v0)
{
  const SsContactProblem *problem = stepper->base.problem;
  bool any = false, can_bounce = false;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    p->pn_least = 0;
    can_bounce = can_bounce || ss_contact_point_restitution (problem, p) > 0;
  }
  for (int i = 0; i < problem->n_points && can_bounce; i++) {
    if (!is_impact (stepper, &problem->points[i], v0) || problem->points[i].pn_least > 0)
      continue;
    for (int k = 0; k < problem->n_points; k++) {
      SsContactPoint *p = &problem->points[k];
      if (p->group == problem->points[i].group && p->drive == SS_DRIVE_NONE)
        p->pn_least = ss_contact_point_restitution (problem, p) * p->pn;
      any = any || p->pn_least > 0;
    }
  }
  return any;
}

static SsStatus
anitescu_potra_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  Stepper *stepper = integrator;
  const double dt = step->dt;
  SsContactProblem *problem = stepper->base.problem;
  ss_stepper_free_motion (&stepper->base, step, state, stepper->f, stepper->v_free);
  ss_dynamics_set_time (problem->dynamics, state->t);
  SsStatus status = ss_contact_problem_collect (problem, state->q, state->v, stepper->options.gap_tolerance,
                                                stepper->options.gap_tolerance, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < problem->n_rows; i++) /* half of the second derivative: drift of third order */
    problem->rows[i].bias = problem->rows[i].row.phi / dt + 0.5 * dt * problem->rows[i].row.gdv;
  ss_contact_problem_set_drives (problem, state->q, state->v, dt);
  ss_contact_problem_give_cohesion (problem, dt, stepper->v_free);
  status = ss_stiff_solve (stepper->base.stiff, problem, stepper->v_free, state->t, stepper->v, info, err);
  if (status != SS_OK)
    return status;
  if (ask_for_restitution (stepper, state->v)) {
    /* start of the second phase: the velocities after compression; impulses of both phases are reported */
    SsStepInfo second;
    for (int i = 0; i < problem->n_points; i++) {
      problem->points[i].pn_first = problem->points[i].pn;
      problem->points[i].pt_first = problem->points[i].pt;
    }
    for (int i = 0; i < problem->n_rows; i++)
      problem->rows[i].p_first = problem->rows[i].p;
    memcpy (stepper->v_free, stepper->v, 3 * (size_t)stepper->base.scene->n_bodies * sizeof *stepper->v);
    ss_stiff_go_on (stepper->base.stiff);
    status = ss_stiff_solve (stepper->base.stiff, problem, stepper->v_free, state->t, stepper->v, &second, err);
    if (status != SS_OK)
      return status;
    for (int i = 0; i < problem->n_points; i++) {
      problem->points[i].pn += problem->points[i].pn_first;
      problem->points[i].pt += problem->points[i].pt_first;
    }
    for (int i = 0; i < problem->n_rows; i++)
      problem->rows[i].p += problem->rows[i].p_first;
    info->residual = fmax (info->residual, second.residual);
    info->pivots += second.pivots;
  }
  ss_contact_problem_take_cohesion (problem, stepper->v_free);
  return advance (stepper, 1, false, dt, state, err);
}

static const char *
moreau_jean_caveat (const SsScene *scene, const void *options)
{
  const Options *o = options;
  if (o != NULL && o->certainty != SS_CERTAINTY_OFF && acts_at_both_ends (scene, o))
    return "certainty: steps with joints and theta = 0.5 are several linear problems and stay undecided; a larger "
           "theta "
           "has one";
  return o != NULL && o->theta > 0.5 && ss_scene_has_swings (scene)
             ? SS_SWINGS_LOSE_ENERGY ("at theta = 1 45", "theta = 0.5")
             : NULL;
}

static int
most_motions (const void *options)
{
  const Options *o = options;
  return o != NULL && o->certainty == SS_CERTAINTY_BRANCHES ? o->max_branches : 1;
}

static const SsForkClass fork = {.most = most_motions, SS_STEPPER_FORK};

const SsIntegratorClass ss_integrator_moreau_jean = {
    .name = "moreau-jean",
    .label = "Moreau–Jean",
    .summary = "Time stepping at velocity level with Newton restitution; second order between impacts, with joints and "
               "without: a swing keeps its energy; contacts are not corrected in position, joints are closed.",
    .solves = "Rigid contact in velocities (Signorini, Moreau) with Coulomb friction: all impacts of a step at once, "
              "each contact with Newton's restitution.",
    .options = &moreau_jean_table,
    .new_ = moreau_jean_new,
    .step = moreau_jean_step,
    .free_ = stepper_free,
    .uses = SS_USES_RESTITUTION | SS_USES_JOINT_DRIVES | SS_USES_ROLLING | SS_USES_TIME,
    .contact_law = {.place = SS_LAW_HALF_VELOCITY},
    .acts_at_both_ends = acts_at_both_ends,
    .watch_contacts = ss_stepper_watch_contacts,
    .caveat = moreau_jean_caveat,
    .second = ss_stepper_second,
    .fork = &fork,
};

const SsIntegratorClass ss_integrator_anitescu_potra = {
    .name = "anitescu-potra",
    .label = "Anitescu–Potra",
    .summary = "Time stepping at velocity level, always solvable; Poisson restitution by a second problem, no position "
               "correction.",
    .solves = "Rigid contact in velocities with Coulomb friction: all impacts of a step at once, restitution by "
              "Poisson's hypothesis.",
    .options = &anitescu_potra_table,
    .new_ = anitescu_potra_new,
    .step = anitescu_potra_step,
    .free_ = stepper_free,
    .uses = SS_USES_RESTITUTION | SS_USES_JOINT_DRIVES | SS_USES_ROLLING | SS_USES_COHESION | SS_USES_TIME,
    .watch_contacts = ss_stepper_watch_contacts,
    .contact_law = {.place = SS_LAW_START_VELOCITY},
};
