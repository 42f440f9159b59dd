/* engine/simulate/ss-stewart-trinkle.c: Stewart-Trinkle time stepping at position level.
 *
 * D. E. Stewart, J. C. Trinkle, An implicit time-stepping scheme for rigid body dynamics with inelastic collisions and
 * Coulomb friction, Int. J. Numer. Meth. Eng. 39 (1996). One step:
 *     v1 = v0 + h g + M^-1 (Gn' pn + Gt' pt),  q1 = q0 + h v1,  0 <= pn _|_ phi(q1)/h >= 0, planar friction with two
 *     directions and a slack.
 * gap=linear takes phi(q1) = phi(q0) + h Gn(q0) v1: impulses act at the start's contact points, momentum and angular
 * momentum are kept to rounding, the true gap at the end errs by O(h^2). gap=end re-linearises gap and directions at
 * the step's end until they agree: no penetration at the end; as impulses act along the end's normals, rolling over
 * convex shapes may win energy of O(h), and angular momentum of impulses is that of the end's points. Every point that
 * could close within the step is a candidate: the margin is checked against the velocities found and widened if they
 * were too fast for it. With gap=end the scheme is inelastic; with gap=linear contacts that the bodies run into bounce
 * by Newton's or Poisson's hypothesis (ss-bounce.h), from the pose of the step's start: a ball that bounces by e = 1
 * keeps v^2/2 + g y - h g v/2, the energy of the scheme, to rounding.
 * A contact with cohesion c: 0 <= pn + h c _|_ phi(q1)/h >= 0, |pt| <= mu (pn + h c), c shared equally by its points
 * that touch at q0; with gap=linear and with all forces at the step's start.
 *
 * Joints. joints=start: v1 obeys phi(q0) + h G(q0) v1 + h^2/2 gdv = 0; their drift is of third order in h and does not
 * add up. joints=rattle (ss-rattle.h; scenes without joints are stepped as with start): the way of the step is made
 * with the velocities va in its middle, q1 = q0 + h va, which take the place of v1 in the gap's complementarity; then
 * the second half of the forces acts, and the points that pushed or touch hold at velocity level:
 *     0 <= pn _|_ Gn(q1) v1 + max (phi(q1), 0)/h >= 0,   G(q1) v1 = 0.
 * Between contacts that is of second order and keeps the energy. gap=end is backward Euler, joints too; gap=midpoint
 * is the law of plans with law=midpoint, ss-midpoint.h.
 *
 * convex-time-stepping is the same step with the relaxed law 0 <= p+ _|_ Gn v + mu Gt v + phi/h >= 0, 0 <= p- _|_ Gn v
 * - mu Gt v + phi/h >= 0, pn = p+ + p-, pt = mu (p+ - p-): the optimality conditions of a convex QP in v. Where a
 * contact slides it also separates, at speed mu |slip|: a gap of h mu |slip| is kept. (M. Anitescu, Math. Program. 105
 * (2006).) An impact is over in one step, so that a body that strikes while it slides flies off at that speed, however
 * short the step: tests/numeric/test-motion-law.c.
 */
#include "simulate/ss-stewart-trinkle.h"

#include "simulate/ss-bounce.h"
#include "simulate/ss-midpoint.h"
#include "simulate/ss-rattle.h"
#include "simulate/ss-stepper-private.h"

#include <math.h>
#include <string.h>

/* gap=end stops when the configuration moves less than this [m] between two linearisations; rounding of coordinates of
 * some metres is 1e-15. */
static const double settled = 1e-13;
/* The first margin is this many times the way that the fastest bodies go towards each other in the step. */
static const double margin_factor = 1.5;
/* Margins tried: each at least twice the former; a solution that needs more is not a motion. */
enum { MARGINS_MAX = 8 };

static const char *const gap_choices[] = {"linear", "end", "midpoint", NULL};
static const char *const joints_choices[] = SS_JOINTS_CHOICES;
static const char *const restitution_choices[] = {"newton", "off", "poisson", NULL};
static const SsOptionSpec specs[] = {
    SS_CERTAINTY_OPTIONS (SsStewartTrinkleOptions), /* first: the relaxed law, which has one velocity, is without */
    {.name = "gap",
     .type = SS_OPTION_CHOICE,
     .offset = offsetof (SsStewartTrinkleOptions, gap),
     .fallback = SS_STEWART_TRINKLE_LINEAR,
     .choices = gap_choices,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary =
         "Which gap is complementary to a contact's impulse. linear: the gap extrapolated from the start of "
         "the step; end: the gap at the end of the step, for which a step solves several LCPs and takes all forces "
         "explicitly, as plans with law=implicit do; midpoint: the same gap on the way of a step with forces at its "
         "middle, joints and contacts in halves, as plans with law=midpoint do: of order 2 between contacts."},
    {.name = "restitution",
     .type = SS_OPTION_CHOICE,
     .offset = offsetof (SsStewartTrinkleOptions, restitution),
     .fallback = SS_RESTITUTION_NEWTON,
     .choices = restitution_choices,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "How contacts with restitution e bounce, with gap=linear (the others are inelastic). newton: a point "
                "leaves with e times the velocity of its approach; off: not at all; poisson: a point pushes back with "
                "e times the impulse that stopped it."},
    {.name = "joints",
     .type = SS_OPTION_CHOICE,
     .offset = offsetof (SsStewartTrinkleOptions, joints),
     .fallback = SS_JOINTS_RATTLE,
     .choices = joints_choices,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Where a step takes joints and forces, in scenes with joints and with gap=linear. rattle: half of each "
                "at either end of the step, which is of order 2 between contacts, keeps the energy of a swing and "
                "closes the joints; start: all at the start of the step, which is of order 1."},
    {.name = "relinearisations",
     .type = SS_OPTION_INTEGER,
     .offset = offsetof (SsStewartTrinkleOptions, relinearisations),
     .minimum = 1,
     .maximum = 1000,
     .fallback = 50,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "With gap=end and midpoint: largest number of LCPs in a step. A step that needs more ends with a "
                "residual that is "
                "not small; larger values let such a step take longer."},
    SS_FORCES_OPTION (SsStewartTrinkleOptions, forces),
    SS_SWEPT_OPTION (SsStewartTrinkleOptions, swept),
    SS_SIM_LIMITS_OPTIONS (SsStewartTrinkleOptions, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable table = {sizeof specs / sizeof *specs, specs, sizeof (SsStewartTrinkleOptions)};
static const SsOptionTable convex_table = {sizeof specs / sizeof *specs - SS_CERTAINTY_N_OPTIONS,
                                           specs + SS_CERTAINTY_N_OPTIONS, sizeof (SsStewartTrinkleOptions)};

enum { V_FREE, V, V_BEFORE, Q, F, N_VECTORS };

typedef struct {
  SsStepper base;
  SsStewartTrinkleOptions options;
  double *v_free, *v, *v_before, *q, *f; /* 3 n_bodies each, one block */
  /* NULL: joints act at the start, or there are none; of gap=midpoint what acted on the way */
  SsRattle *rattle;
  bool bounces; /* a contact has restitution, and the options take it */
} Stepper;

static void
stepper_free (void *integrator)
{
  Stepper *stepper = integrator;
  if (stepper != NULL)
    ss_rattle_free (stepper->rattle);
  ss_stepper_free (stepper);
}

static bool
acts_at_both_ends (const SsScene *scene, const void *options)
{
  const SsStewartTrinkleOptions *o = options;
  return (o != NULL && o->gap == SS_STEWART_TRINKLE_MIDPOINT) ||
         (scene->n_joints > 0 && (o == NULL || (o->joints == SS_JOINTS_RATTLE && o->gap == SS_STEWART_TRINKLE_LINEAR)));
}

/* Steps that are more than one linear problem; NULL: they are one. */
static const char *
why_undecided (const SsScene *scene, const SsStewartTrinkleOptions *options)
{
  if (options->gap != SS_STEWART_TRINKLE_LINEAR)
    return "certainty: steps with gap=end or gap=midpoint are several linear problems and stay undecided; gap=linear "
           "has one";
  return acts_at_both_ends (scene, options)
             ? "certainty: steps with joints=rattle are several linear problems and stay "
               "undecided; joints=start has one"
             : NULL;
}

static SsStatus
stepper_create (const SsScene *scene, const void *options, bool is_convex, void **integrator, SsError *err)
{
  const SsStepperLayout layout = {sizeof (Stepper), offsetof (Stepper, options), is_convex ? &convex_table : &table,
                                  N_VECTORS};
  void *made;
  SsStatus status = ss_stepper_new (&layout, scene, options, 0, &made, err);
  if (status != SS_OK)
    return status;
  Stepper *stepper = made;
  stepper->base.problem->is_convex = is_convex;
  stepper->v_free = ss_stepper_vector (&stepper->base, V_FREE);
  stepper->v = ss_stepper_vector (&stepper->base, V);
  stepper->v_before = ss_stepper_vector (&stepper->base, V_BEFORE);
  stepper->q = ss_stepper_vector (&stepper->base, Q);
  stepper->f = ss_stepper_vector (&stepper->base, F);
  stepper->bounces =
      stepper->options.gap == SS_STEWART_TRINKLE_LINEAR && ss_bounce_is_used (scene, stepper->options.restitution);
  if (stepper->options.gap != SS_STEWART_TRINKLE_LINEAR) /* laws of plans, which have no rows for forces */
    ss_stepper_be_explicit (&stepper->base);
  if (acts_at_both_ends (scene, &stepper->options))
    status = ss_rattle_new (scene, &stepper->rattle, err);
  if (status == SS_OK && !is_convex)
    status = ss_stepper_be_certain (&stepper->base, stepper->options.certainty,
                                    why_undecided (scene, &stepper->options) != NULL, err);
  if (status != SS_OK)
    stepper_free (stepper);
  else
    *integrator = stepper;
  return status;
}

static SsStatus
stepper_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  return stepper_create (scene, options, false, integrator, err);
}

static SsStatus
convex_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  return stepper_create (scene, options, true, integrator, err);
}

/* Biases of rows linearised at stepper->q about velocities v_there (NULL: q is the step's start, where half of the
 * second derivative is known and makes the joints' drift of third order). */
static void
set_biases (Stepper *stepper, const double *v_there, double dt)
{
  SsContactProblem *problem = stepper->base.problem;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    p->bias = p->phi / dt - (v_there != NULL ? ss_contact_point_normal_velocity (p, v_there) : 0);
  }
  for (int i = 0; i < problem->n_rows; i++) {
    SsJointConstraint *c = &problem->rows[i];
    c->bias = c->row.phi / dt - (v_there != NULL ? ss_row_velocity (&c->row, v_there) : -0.5 * dt * c->row.gdv);
  }
}

/* Collects at stepper->q (margin on top of the linearised way from there) and solves with the gap linearised there.
 * Repeats with a wider margin if the answer is faster than the margin allowed. `v_row`: velocities for the joints'
 * second derivatives. */
static SsStatus
solve_linearised (Stepper *stepper, const double *v_there, const double *v_row, double t, double dt, double *margin,
                  SsStepInfo *info, SsError *err)
{
  SsContactProblem *problem = stepper->base.problem;
  ss_dynamics_set_time (problem->dynamics, v_there != NULL ? t + dt : t);
  for (int attempt = 0; attempt < MARGINS_MAX; attempt++) {
    ss_certain_attempt (stepper->base.certain);
    SsStatus status = ss_contact_problem_collect (problem, stepper->q, v_row, *margin, INFINITY, err);
    if (status != SS_OK)
      return status;
    set_biases (stepper, v_there, dt);
    ss_contact_problem_set_drives (problem, stepper->q, v_row, dt);
    ss_contact_problem_give_cohesion (problem, dt, stepper->v_free);
    status = ss_stiff_solve (stepper->base.stiff, problem, stepper->v_free, t, stepper->v, info, err);
    if (status == SS_OK && stepper->bounces) /* then the rows are at the start, and v_row its velocities */
      status = ss_bounce (problem, stepper->base.stiff, stepper->options.restitution, v_row, stepper->v_free, t,
                          stepper->v, stepper->v_before, info, err);
    ss_contact_problem_take_cohesion (problem, stepper->v_free);
    if (status != SS_OK)
      return status;
    double needed = ss_stepper_reach (&stepper->base, stepper->v, dt) +
                    (v_there != NULL ? ss_stepper_reach (&stepper->base, v_there, dt) : 0);
    if (needed <= *margin)
      break;
    *margin = 2 * needed;
  }
  return SS_OK;
}

/* What a contact at the pose that was collected last owes its law with the gap there [m/s]: the gap's rate is to be at
 * least that of the edges of the relaxed law (0 of the exact one) and, as the mean over the edges that push, theirs;
 * or the point does not push, which is measured by the velocity that it gives. */
static double
point_violation (const SsContactProblem *problem, const SsContactPoint *p, const double *v, double dt)
{
  double rate = p->phi / dt, least = rate, given = 0;
  if (problem->is_convex) {
    const SsContactPoint *parts[] = {p, p->resisted > 0 ? &problem->points[p->resisted] : NULL};
    for (int i = 0; i < 2 && parts[i] != NULL; i++) {
      const double slip = ss_contact_point_slip (parts[i], v);
      least -= parts[i]->mu * fabs (slip);
      rate += p->pn > 0 ? parts[i]->pt / p->pn * slip : 0;
    }
  }
  for (int k = 0; k < 6; k++)
    given += p->body[k / 3] >= 0 ? problem->inverse_mass[3 * p->body[k / 3] + k % 3] * p->jn[k] * p->jn[k] * p->pn : 0;
  return fmax (-least, fmin (fabs (rate), given));
}

static double
end_violation (const Stepper *stepper, double dt)
{
  const SsContactProblem *problem = stepper->base.problem;
  double worst = 0;
  for (int i = 0; i < problem->n_points; i++)
    if (problem->points[i].drive == SS_DRIVE_NONE)
      worst = fmax (worst, point_violation (problem, &problem->points[i], stepper->v, dt));
  return worst;
}

/* gap=end: Newton's method on the gap at the step's end; directions follow. */
static SsStatus
settle_at_end (Stepper *stepper, const SsSimState *state, double dt, double margin, SsStepInfo *info, SsError *err)
{
  size_t n = 3 * (size_t)stepper->base.scene->n_bodies;
  int pivots = info->pivots;
  margin *= 2; /* the way from the end's linearisation to the answer, on top of the way of the step */
  for (int k = 0; k < stepper->options.relinearisations; k++) {
    memcpy (stepper->v_before, stepper->v, n * sizeof *stepper->v);
    for (size_t i = 0; i < n; i++)
      stepper->q[i] = state->q[i] + dt * stepper->v_before[i];
    SsStatus status =
        solve_linearised (stepper, stepper->v_before, stepper->v_before, state->t, dt, &margin, info, err);
    if (status != SS_OK)
      return status;
    pivots += info->pivots;
    if (ss_stepper_difference_of_way (&stepper->base, stepper->v, stepper->v_before, dt) <= settled)
      break;
  }
  info->pivots = pivots;
  info->residual = fmax (info->residual, end_violation (stepper, dt));
  return SS_OK;
}

/* ---- joints=rattle ----------------------------------------------------------------------------------------------- */

/* The way of the step: va into stepper->v, q1 into stepper->q. */
static SsStatus
go_with_joints (Stepper *stepper, const SsRattleWay *way, const SsSimState *state, double *margin, SsStepInfo *info,
                SsError *err)
{
  SsContactProblem *problem = stepper->base.problem;
  for (int attempt = 0; attempt < MARGINS_MAX; attempt++) {
    ss_dynamics_set_time (problem->dynamics, way->t);
    SsStatus status = ss_contact_problem_collect (problem, state->q, state->v, *margin, INFINITY, err);
    if (status != SS_OK)
      return status;
    for (int i = 0; i < problem->n_points; i++)
      problem->points[i].bias = problem->points[i].phi / way->h;
    ss_contact_problem_set_drives (problem, state->q, state->v, way->h / 2);
    ss_rattle_set_biases (problem, way);
    status = ss_rattle_go (stepper->rattle, problem, way, stepper->v, stepper->q, info, err);
    if (status != SS_OK)
      return status;
    double needed = ss_stepper_reach (&stepper->base, stepper->v, way->h);
    if (needed <= *margin)
      break;
    *margin = 2 * needed;
  }
  return SS_OK;
}

/* v1 at q1 into v_end, which has the free motion; v0 was at the start. */
static SsStatus
hold_at_end (Stepper *stepper, const SsRattleWay *way, const double *v0, double margin, double *v_end, SsStepInfo *info,
             SsError *err)
{
  SsContactProblem *problem = stepper->base.problem;
  SsStepInfo end;
  ss_dynamics_set_time (problem->dynamics, way->t + way->h);
  SsStatus status = ss_contact_problem_collect (problem, stepper->q, stepper->v, margin, INFINITY, err);
  if (status != SS_OK)
    return status;
  ss_rattle_choose (stepper->rattle, problem);
  for (int i = 0; i < problem->n_points; i++)
    problem->points[i].bias = fmax (problem->points[i].phi, 0) / way->h;
  ss_contact_problem_set_drives (problem, stepper->q, v0, way->h / 2);
  status = ss_stiff_solve (stepper->base.stiff, problem, stepper->v_free, way->t + way->h, v_end, &end, err);
  if (status == SS_OK && stepper->bounces)
    status = ss_bounce (problem, stepper->base.stiff, stepper->options.restitution, v0, stepper->v_free,
                        way->t + way->h, v_end, stepper->f, &end, err);
  info->residual = fmax (info->residual, end.residual);
  info->pivots += end.pivots;
  return status;
}

static SsStatus
step_with_joints (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  Stepper *stepper = integrator;
  SsContactProblem *problem = stepper->base.problem;
  const double h = step->dt;
  const size_t n = 3 * (size_t)stepper->base.scene->n_bodies;
  double *v_end = stepper->v_before;
  const SsRattleWay way = {.q0 = state->q,
                           .v_free = stepper->v_free,
                           .t = state->t,
                           .h = h,
                           .with_points = true,
                           .stiff = stepper->base.stiff};

  ss_rattle_free_start (problem, &way, step->controls, state->v, stepper->f, stepper->v_free);
  double margin = margin_factor * fmax (ss_stepper_reach (&stepper->base, state->v, h),
                                        ss_stepper_reach (&stepper->base, stepper->v_free, h));
  SsStatus status = go_with_joints (stepper, &way, state, &margin, info, err);
  if (status == SS_OK)
    status = ss_rattle_keep (stepper->rattle, problem, err);
  if (status != SS_OK)
    return status;
  ss_rattle_free_end (problem, &way, step->controls, state->v, stepper->v, stepper->q, stepper->f, v_end);
  memcpy (stepper->v_free, v_end, n * sizeof *v_end);
  status = hold_at_end (stepper, &way, state->v, margin, v_end, info, err);
  if (status != SS_OK)
    return status;
  return ss_rattle_end (stepper->rattle, problem, h, stepper->v, v_end, stepper->q, state, err);
}

static SsStatus
stepper_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  Stepper *stepper = integrator;
  const double dt = step->dt;
  const SsScene *scene = stepper->base.scene;
  size_t n = 3 * (size_t)scene->n_bodies;

  if (stepper->options.gap == SS_STEWART_TRINKLE_MIDPOINT) {
    SsStatus status = ss_midpoint_step (&(SsMidpoint){.base = &stepper->base,
                                                      .rattle = stepper->rattle,
                                                      .rounds = stepper->options.relinearisations,
                                                      .v_free = stepper->v_free,
                                                      .f = stepper->f,
                                                      .v = stepper->v,
                                                      .v_before = stepper->v_before,
                                                      .q = stepper->q},
                                        step, state, info, err);
    return ss_stepper_end_certain (&stepper->base, status, info, err);
  }
  if (stepper->rattle != NULL)
    return ss_stepper_end_certain (
        &stepper->base, ss_rattle_step (stepper->rattle, step_with_joints, stepper, step, state, info, err), info, err);
  memcpy (stepper->q, state->q, n * sizeof *state->q);
  ss_stepper_free_motion (&stepper->base, step, state, stepper->f, stepper->v_free);
  double margin = margin_factor * fmax (ss_stepper_reach (&stepper->base, state->v, dt),
                                        ss_stepper_reach (&stepper->base, stepper->v_free, dt));
  ss_certain_begin (stepper->base.certain, state->t);
  SsStatus status = solve_linearised (stepper, NULL, state->v, state->t, dt, &margin, info, err);
  if (status == SS_OK && stepper->options.gap == SS_STEWART_TRINKLE_END)
    status = settle_at_end (stepper, state, dt, margin, info, err);
  status = ss_stepper_end_certain (&stepper->base, status, info, err);
  if (status != SS_OK)
    return status;

  ss_stepper_advance (&stepper->base, stepper->v, dt, stepper->v_before, state);
  return SS_OK;
}

static SsStatus
stepper_law_residual (void *integrator, const SsStep *step, const SsSimState *start, const SsSimState *end,
                      double tolerance, double *residual, SsError *err)
{
  Stepper *stepper = integrator;
  const double dt = step->dt;
  const SsScene *scene = stepper->base.scene;
  double way = 0;

  *residual = NAN;
  if (stepper->options.gap != SS_STEWART_TRINKLE_END || stepper->base.problem->is_convex) /* it is of the exact law */
    return SS_OK;
  ss_stepper_free_motion (&stepper->base, step, start, stepper->f, stepper->v_free);
  ss_stiff_push (stepper->base.stiff, stepper->base.problem, end->v, stepper->v_free);
  ss_dynamics_set_time (stepper->base.problem->dynamics, end->t);
  SsStatus status = ss_contact_problem_law_residual (stepper->base.problem, stepper->v_free, dt, end->q, end->v,
                                                     tolerance, residual, err);
  for (int i = 0; i < 3 * scene->n_bodies; i++)
    way = fmax (way, fabs (end->q[i] - start->q[i] - dt * end->v[i]));
  if (status == SS_OK)
    *residual = fmax (*residual, way);
  return status;
}

static unsigned
uses_with (const void *options)
{
  const SsStewartTrinkleOptions *o = options;
  const bool bounces = o == NULL || (o->gap == SS_STEWART_TRINKLE_LINEAR && o->restitution != SS_RESTITUTION_OFF);
  const bool takes_time = o == NULL || o->gap != SS_STEWART_TRINKLE_MIDPOINT; /* as plans, whose step it is */
  return SS_USES_JOINT_DRIVES | SS_USES_ROLLING | (takes_time ? SS_USES_TIME : 0) | (bounces ? SS_USES_RESTITUTION : 0);
}

/* With the gap at the end a solution does not know which points touched at the start. */
static unsigned
exact_uses_with (const void *options)
{
  const SsStewartTrinkleOptions *o = options;
  return uses_with (options) | (o == NULL || o->gap == SS_STEWART_TRINKLE_LINEAR ? SS_USES_COHESION : 0);
}

static const char *
caveat (const SsScene *scene, const void *options)
{
  const SsStewartTrinkleOptions *o = options;
  return o != NULL && o->gap == SS_STEWART_TRINKLE_END && ss_scene_has_swings (scene)
             ? SS_SWINGS_LOSE_ENERGY ("41", "gap=linear")
             : NULL;
}

static const char *
exact_caveat (const SsScene *scene, const void *options)
{
  const SsStewartTrinkleOptions *o = options;
  const char *why = o != NULL && o->certainty != SS_CERTAINTY_OFF ? why_undecided (scene, o) : NULL;
  return why != NULL ? why : caveat (scene, options);
}

static int
most_motions (const void *options)
{
  const SsStewartTrinkleOptions *o = options;
  return o != NULL && o->certainty == SS_CERTAINTY_BRANCHES ? o->max_branches : 1;
}

static const SsForkClass fork = {.most = most_motions, SS_STEPPER_FORK};

const SsIntegratorClass ss_integrator_stewart_trinkle = {
    .name = "stewart-trinkle",
    .label = "Stewart–Trinkle",
    .summary = "Time stepping with complementarity between the gap at the step's end and the contact impulse; "
               "bounces by Newton's or Poisson's hypothesis, sticks without creep; first order, with joints second "
               "order between contacts: a swing "
               "keeps its energy.",
    .solves =
        "Rigid contact in the gap at the end of the step (Signorini) with Coulomb friction; impacts of a step are "
        "simultaneous, each contact with Newton's or Poisson's restitution.",
    .options = &table,
    .new_ = stepper_new,
    .step = stepper_step,
    .free_ = stepper_free,
    .uses = SS_USES_RESTITUTION | SS_USES_JOINT_DRIVES | SS_USES_ROLLING | SS_USES_COHESION | SS_USES_TIME,
    .uses_with = exact_uses_with,
    .contact_law = {.place = SS_LAW_START_GAP},
    .acts_at_both_ends = acts_at_both_ends,
    .watch_contacts = ss_stepper_watch_contacts,
    .caveat = exact_caveat,
    .law_residual = stepper_law_residual,
    .second = ss_stepper_second,
    .fork = &fork,
};

#define RELAXED                                                                                                        \
  "a convex relaxation: sliding contacts separate with the speed mu |slip|, so that sliding bodies ride at a gap of "  \
  "h "                                                                                                                 \
  "mu |slip|, and what is held on two sides is braked without touching: in a shaft with 1 mm clearance on either "     \
  "side "                                                                                                              \
  "a disc with mu = 0.5 falls 0.20 m in 1 s at h = 0.01 s instead of 4.9 m; a smaller h brakes less, sticking "        \
  "contacts "                                                                                                          \
  "are not affected"

static const char *
convex_caveat (const SsScene *scene, const void *options)
{
  bool slides = false;
  for (int i = 0; i < scene->n_contacts; i++)
    slides = slides || scene->contacts[i].mu > 0;
  if (caveat (scene, options) == NULL)
    return slides ? RELAXED : NULL;
  return slides ? SS_SWINGS_LOSE_ENERGY ("41", "gap=linear") "; and " RELAXED : caveat (scene, options);
}

const SsIntegratorClass ss_integrator_convex_time_stepping = {
    .name = "convex-time-stepping",
    .label = "Convex time stepping",
    .summary =
        "Time stepping with one convex QP a step: fast and always solvable; first order, with joints second order "
        "between contacts; sliding contacts separate at speed mu |slip| (an artefact of the relaxation) and need a gap "
        "of h mu |slip|, so that narrow passages brake: "
        "a disc in a shaft with clearance c on either side falls no faster than c/(h mu).",
    .solves = "A convex relaxation of rigid contact with Coulomb friction: what slides keeps a gap of h mu |slip|, "
              "that vanishes with the step; what strikes while it slides leaves faster by mu |slip| than Newton's "
              "restitution says, at any step (max_exact_residual tells how far that is from Coulomb's law).",
    .options = &convex_table,
    .new_ = convex_new,
    .step = stepper_step,
    .free_ = stepper_free,
    .uses = SS_USES_RESTITUTION | SS_USES_JOINT_DRIVES | SS_USES_ROLLING | SS_USES_TIME,
    .uses_with = uses_with,
    .contact_law = {.place = SS_LAW_START_GAP, .is_relaxed = true},
    .acts_at_both_ends = acts_at_both_ends,
    .caveat = convex_caveat,
};

void
ss_stewart_trinkle_suit_plan (SsStewartTrinkleOptions *options)
{
  SS_ASSERT (options != NULL);
  ss_options_init (&table, options);
  options->gap = SS_STEWART_TRINKLE_END;
  options->swept = false;
}
