/* engine/simulate/ss-constraint-solver.c: the compliant first-order constraint solver (paper 003: E. Drumwright,
 * first-order, implicit, penalty-like constraints).
 *
 * Every constraint is a spring and damper on its deformation phi, taken at the end of the step, plus (compensate) a
 * term that cancels the drift of G:
 *     bilateral   lambda = -K phi1 - B phidot1 - Mhat gdv                             joints
 *     unilateral  lambda = max (0, -K phi1 - B phidot1 - Mhat gdv)                    limits, contact normals
 *     friction    lambda = clamp (-B_r slip1 - Mhat gdv, -mu lambda_n, mu lambda_n)   contact tangents, B_r = 1e6/h
 *     phi1 = phi0 + h phidot1,  phidot1 = G v1 + h gdv,  v1 = v0 + h M^-1 (f + G' lambda),  q1 = q0 + h v1.
 * With Delta = h^2 K + h B, D = Delta/h and impulses p = h lambda this is the step problem of ss-contact-problem.h
 * with
 *     compliance = 1/Delta,   bias = h gdv + (K phi0 + Mhat gdv)/D,
 * symmetric, without cancellation, and harmless for K -> infinity: with K = 1e15 N/m too, where (61), (62) as printed
 * lose all digits. law=max solves this law, but that h gdv of contacts is left out of phi1 and phidot1: it is of
 * second order, and that of the motion before an impact, so that with long steps it throws apart what turns and
 * strikes; joints go by ss-rattle.h and, where that would be unstable, by ss-secant-way.h. law=literal
 * (ss-constraint-literal.c) solves the quadratic programs that the paper prints instead; they are not equivalent. Mhat
 * is the inverse (pseudo-inverse where rows are dependent) of G M^-1 G': of all joint rows together; of one row for
 * limits and contacts. Hertz contact: stiffness E* sqrt(r) [N/m^1.5] becomes K = stiffness sqrt(d0) (secant) or 1.5
 * times that about d0 (tangent), d0 the depth at the step's start. Elastic foundation: see ss-foundation.c. Contacts of
 * which the scene says nothing (rebound=damped) have B = ss_contact_plastic_damping; while phi0 > 0, it is a spring of
 * B/h on phi1.
 */
#include "simulate/ss-constraint-private.h"

#include <math.h>
#include <string.h>

/* The first margin is this many times the way that the fastest bodies go towards each other in the step; margins
 * tried. */
static const double margin_factor = 1.5;
enum { MARGINS_MAX = 8 };
/* Formulas of contacts hold where the way moves by less between two linearisations [m]; their largest number. */
static const double settled = 1e-13;
enum { ROUNDS_MAX = 50 };
/* Joints of a step by RATTLE may give to the motion this part of its kinetic energy at both ends; where they would give
 * more, the step is taken by secants. Where steps resolve the motion, it is less, and comes back. */
static const double gain_allowed = 1e-2;
/* Gaps at the end of a way by secants are right to this part of the way that bodies may go; rounds for that. */
static const double gap_fraction = 1e-4;
enum { GAP_ROUNDS = 6 };

static const char *const law_choices[] = {"max", "literal", NULL};
static const char *const joints_choices[] = SS_JOINTS_CHOICES;
static const char *const activation_choices[] = {"all", "penetrating", NULL};
static const char *const compensate_choices[] = {"off", "on", NULL};
static const char *const rebound_choices[] = {"damped", "spring", "none", NULL};
static const char *const hertz_choices[] = {"off", "secant", "tangent", NULL};

#define FIELD(field) .offset = offsetof (SsConstraintOptions, field)
static const SsOptionSpec specs[] = {
    {.name = "law",
     .type = SS_OPTION_CHOICE,
     FIELD (law),
     .fallback = SS_LAW_MAX,
     .choices = law_choices,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary =
         "Which contact law holds. max: the law that the paper describes; literal: the quadratic programs as the "
         "paper prints them, by which contacts that slide do not obey Coulomb's law."},
    {.name = "joints",
     .type = SS_OPTION_CHOICE,
     FIELD (joints),
     .fallback = SS_JOINTS_RATTLE,
     .choices = joints_choices,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Where a step takes joints and forces, in scenes with joints and with law=max. rattle: half of each at "
                "either end of the step, which is of order 2 between contacts where joints are stiff and keeps the "
                "energy of a swing; steps that are too long for that go along secants, which take energy and give "
                "none. start: all at the start of the step, as the paper does, which is of order 1."},
    {.name = "activation",
     .type = SS_OPTION_CHOICE,
     FIELD (activation),
     .fallback = SS_ACTIVATION_ALL,
     .choices = activation_choices,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "Which constraints the problem of a step has. all: all that are within reach of the step; penetrating: "
                "those that are violated at the start of the step, whose rebound depends on the length of the step."},
    {.name = "compensate",
     .type = SS_OPTION_CHOICE,
     FIELD (compensate),
     .fallback = 1,
     .choices = compensate_choices,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "What the motion tends to as steps become shorter. on: the solution of the paper's "
                "differential-algebraic equation; off: that of the physical spring and damper. The two solutions "
                "differ by O(1/K), K being the stiffness."},
    {.name = "hertz",
     .type = SS_OPTION_CHOICE,
     FIELD (hertz),
     .fallback = SS_HERTZ_OFF,
     .choices = hertz_choices,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary =
         "How the force of a contact grows with the depth. off: in proportion; secant, tangent: with depth^1.5, the "
         "stiffness being E* sqrt(r) [N/m^1.5], linearised at the start of a step by the secant or by the tangent."},
    {.name = "rebound",
     .type = SS_OPTION_CHOICE,
     FIELD (rebound),
     .fallback = SS_REBOUND_DAMPED,
     .choices = rebound_choices,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary =
         "How contacts to which the scene gives no damping leave after an impact, with law=max. damped: with a damping "
         "of 1000 sqrt(stiffness mass), where the scene gives no stiffness either, of which a millionth of the speed "
         "is left, whether steps resolve the impact or not; spring: by their stiffness and the option damping, which "
         "rebounds where steps resolve the impact, as the paper's contacts do; none: with a damping of 1e6 N s2/m "
         "divided by the step; what overlaps parts slowly."},
    {.name = "foundation",
     .type = SS_OPTION_INTEGER,
     FIELD (foundation),
     .minimum = 0,
     .maximum = 100000,
     .fallback = 0,
     .symbol = "n",
     .unit = "",
     .common = false,
     .summary = "Number of springs along each edge of a polygon that rests on a half-plane; the springs share the "
                "stiffness and the damping of the contact. More springs take longer; 0: none. With activation=all a "
                "spring acts in the step that reaches it, with activation=penetrating from the next step on; the two "
                "differ by O(dt)."},
    SS_OPTION_NOT_NEGATIVE (SsConstraintOptions, stiffness, "stiffness", 1e18, 1e8, "K_n", "N/m", true,
                            "Stiffness of each contact to which the scene gives none. With larger values bodies "
                            "penetrate less."),
    SS_OPTION_NOT_NEGATIVE (SsConstraintOptions, damping, "damping", 1e18, 1, "B_n", "N s/m", false,
                            "Damping of each contact to which the scene gives none but a stiffness, and with "
                            "rebound=spring of all others. With larger values bodies bounce less."),
    SS_OPTION_NOT_NEGATIVE (SsConstraintOptions, joint_stiffness, "joint-stiffness", 1e18, 1e10, "K_b", "N/m", true,
                            "Stiffness of each joint and limit to which the scene gives none. With larger values "
                            "joints drift less."),
    SS_OPTION_NOT_NEGATIVE (SsConstraintOptions, joint_damping, "joint-damping", 1e18, 1, "B_b", "N s/m", false,
                            "Damping of each joint and limit to which the scene gives none. With larger values "
                            "joints swing less."),
    SS_OPTION_NOT_NEGATIVE (
        SsConstraintOptions, slip_damping, "slip-damping", 1e18, 0, "B_r", "N s/m", false,
        "Damping of slip, by which a contact sticks: a body at rest creeps at its load divided by this damping. With "
        "larger values bodies creep more slowly; 0: 1e6 N s2/m divided by the step."),
    SS_OPTION_NOT_NEGATIVE (SsConstraintOptions, zeta, "zeta", 1e18, 0, "ζ", "", false,
                            "With law=literal: weight of the normal forces in the quadratic program; 0: the paper's "
                            "weight, 1/h with the step h."),
    SS_FORCES_OPTION (SsConstraintOptions, forces),
    SS_SWEPT_OPTION (SsConstraintOptions, swept),
    SS_SIM_LIMITS_OPTIONS (SsConstraintOptions, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable table = {sizeof specs / sizeof *specs, specs, sizeof (SsConstraintOptions)};

static void
stepper_free (void *integrator)
{
  SsConstraintStepper *s = integrator;
  if (s != NULL) {
    ss_constraint_literal_free (s->literal);
    ss_rattle_free (s->rattle);
    ss_secant_way_free (s->secant);
    ss_contact_problem_free (s->at_end);
    ss_free (s->known);
    ss_stretches_clear (&s->stretches);
  }
  ss_stepper_free (s);
}

enum { V_FREE, V, V_START, F, Q, V_END, V_GUESS, N_VECTORS };

static bool
acts_at_both_ends (const SsScene *scene, const void *options)
{
  const SsConstraintOptions *o = options;
  return scene->n_joints > 0 && (o == NULL || (o->law == SS_LAW_MAX && o->joints == SS_JOINTS_RATTLE));
}

static SsStatus
stepper_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  static const SsStepperLayout layout = {sizeof (SsConstraintStepper), offsetof (SsConstraintStepper, options), &table,
                                         N_VECTORS};
  const size_t n_rows = SS_JOINT_ROWS_MAX * (size_t)scene->n_joints;
  void *made;
  SsStatus status = ss_stepper_new (&layout, scene, options, 3 * n_rows, &made, err);
  if (status != SS_OK)
    return status;
  SsConstraintStepper *s = made;
  if (s->options.law == SS_LAW_LITERAL)
    ss_stepper_be_explicit (&s->base);
  s->v_free = ss_stepper_vector (&s->base, V_FREE);
  s->v = ss_stepper_vector (&s->base, V);
  s->v_start = ss_stepper_vector (&s->base, V_START);
  s->f = ss_stepper_vector (&s->base, F);
  s->q = ss_stepper_vector (&s->base, Q);
  s->v_end = ss_stepper_vector (&s->base, V_END);
  s->v_guess = ss_stepper_vector (&s->base, V_GUESS);
  s->mhat_gdv = ss_stepper_vector (&s->base, N_VECTORS);
  s->kappa = s->mhat_gdv + n_rows;
  s->fixed = s->kappa + n_rows;
  if (acts_at_both_ends (scene, &s->options))
    status = ss_rattle_new (scene, &s->rattle, err);
  if (s->rattle != NULL)
    status = ss_secant_way_new (scene, &s->secant, err);
  if (status != SS_OK)
    stepper_free (s);
  else
    *integrator = s;
  return status;
}

/* ---- laws of the rows -------------------------------------------------------------------------------------------- */

/* Whether the point's contact has formulas, which the programs as printed do not know. */
static bool
has_formulas (const SsConstraintStepper *s, const SsContactPoint *p)
{
  return p->contact >= 0 && s->options.law == SS_LAW_MAX && s->base.scene->contacts[p->contact].compliance != NULL;
}

/* K_r of a point, 0 of most [N/m]; how far its spring is stretched at the start [m]. */
static double
slip_stiffness_of (const SsConstraintStepper *s, const SsContactPoint *p)
{
  return has_formulas (s, p) && p->memory >= 0 ? s->base.scene->contacts[p->contact].compliance->slip_stiffness : 0;
}

static double
stretch_of (const SsConstraintStepper *s, const SsContactPoint *p)
{
  return slip_stiffness_of (s, p) > 0 ? ss_stretches_find (&s->stretches, p->memory) : 0;
}

/* How the laws act: phi is what it is after `way` with the velocities that are asked for, which a force changes by
 * `kick` of its impulse; `bend` is how much of gdv those velocities lack [s]. */
typedef struct {
  double way, kick, bend; /* [s] */
} Reach;

/* A damper must not push before there is contact: where the spring does not outweigh it within the step, it waits, or
 * acts on the depth alone in which the way ends, as a spring of B/way does: the motion is continuous in the gap. */
static SsConstraintLaw
before_contact (SsConstraintLaw law, double dt, double way)
{
  if (law.phi > 0 && (law.brakes || dt * law.stiffness < law.damping)) {
    law.stiffness += law.brakes ? law.damping / way : 0;
    law.damping = 0;
  }
  return law;
}

/* s->mhat_gdv: (G M^-1 G')^+ gdv of the joint rows [003 (24) (59)], 0 without compensation [003 (18)]: the
 * impulses that change the rows' velocities from 0 to gdv. Uses s->f and s->v_start. */
static SsStatus
find_mhat_gdv (SsConstraintStepper *s, double t, SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  bool any = false;
  for (int i = 0; i < problem->n_rows; i++) {
    s->mhat_gdv[i] = 0;
    problem->rows[i].bias = -problem->rows[i].row.gdv;
    problem->rows[i].compliance = 0;
    any = any || problem->rows[i].row.gdv != 0;
  }
  if (!any || !s->options.compensate)
    return SS_OK;
  memset (s->f, 0, 3 * (size_t)s->base.scene->n_bodies * sizeof *s->f);
  SsStatus status = ss_contact_problem_solve_rows (problem, s->f, t, s->v_start, err);
  for (int i = 0; i < problem->n_rows; i++)
    s->mhat_gdv[i] = problem->rows[i].p;
  return status;
}

/* [003 (38)-(39) (51)-(53) (60)-(62)]; those without stiffness and damping carry no force and leave. */
static void
set_laws_of_rows (SsConstraintStepper *s, const Reach *r)
{
  SsContactProblem *problem = s->base.problem;
  int n = 0;
  for (int i = 0; i < problem->n_rows; i++) {
    SsConstraintLaw law = ss_constraint_law_of_row (s, &problem->rows[i].row);
    double delta = r->kick * r->way * law.stiffness + r->kick * law.damping, mhat_gdv = s->mhat_gdv[i];
    if (!(delta > 0))
      continue;
    problem->rows[n] = problem->rows[i];
    s->mhat_gdv[n] = mhat_gdv;
    problem->rows[n].compliance = 1 / delta;
    problem->rows[n].bias = r->bend * problem->rows[n].row.gdv + (law.stiffness * law.phi + mhat_gdv) * r->kick / delta;
    s->kappa[n] = r->kick * r->way * law.stiffness / delta;
    s->fixed[n] = mhat_gdv * r->kick / delta;
    n++;
  }
  problem->n_rows = n;
}

/* [003 (38)-(39) (68) (97)-(98)]. */
static SsStatus
set_laws_of_points (SsConstraintStepper *s, double dt, const Reach *r, SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  int n = 0;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    SsConstraintLaw law = ss_constraint_law_of_point (s, p, dt);
    double slip_damping = ss_constraint_slip_damping (s, dt);
    if (has_formulas (s, p)) {
      SsStatus status = ss_constraint_comply (s, p, r->way, &law, &slip_damping, err);
      if (status != SS_OK)
        return status;
    } else {
      law = before_contact (law, dt, r->way);
    }
    double delta = r->kick * r->way * law.stiffness + r->kick * law.damping;
    double bend = p->contact < 0 || s->options.law == SS_LAW_LITERAL ? r->bend : 0;
    if (!(delta > 0))
      continue;
    p->compliance = 1 / delta;
    p->bias = bend * p->gdv_n +
              (law.stiffness * law.phi - law.push + ss_constraint_mhat (s, p, p->jn) * p->gdv_n) * r->kick / delta;
    const double stretch = slip_stiffness_of (s, p) * stretch_of (s, p);
    slip_damping += r->way * slip_stiffness_of (s, p);
    p->compliance_t = 1 / (r->kick * slip_damping);
    p->bias_t = bend * p->gdv_t + (stretch + ss_constraint_mhat (s, p, p->jt) * p->gdv_t) / slip_damping;
    if (!(slip_damping > 0))
      p->mu = p->compliance_t = p->bias_t = 0;
    problem->points[n++] = *p;
  }
  problem->n_points = n;
  return SS_OK;
}

/* Bias and compliance of all rows and points. */
static SsStatus
set_laws (SsConstraintStepper *s, double t, double dt, const Reach *r, SsError *err)
{
  SsStatus status = find_mhat_gdv (s, t, err);
  if (status != SS_OK)
    return status;
  set_laws_of_rows (s, r);
  return set_laws_of_points (s, dt, r, err);
}

/* ---- step -------------------------------------------------------------------------------------------------------- */

/* By how much the bodies' ways with v and with the guess differ, which v becomes: formulas of contacts are linearised
 * about the guess, and hold where that is the answer. 0 where there are none [m]. */
static double
move_guess (SsConstraintStepper *s, const double *v, double dt)
{
  if (s->base.compliances == NULL || s->options.law != SS_LAW_MAX)
    return 0;
  const double moved = ss_stepper_difference_of_way (&s->base, v, s->v_guess, dt);
  memcpy (s->v_guess, v, 3 * (size_t)s->base.scene->n_bodies * sizeof *v);
  return moved;
}

static SsStatus
collect (SsConstraintStepper *s, double t, const double *q, const double *v, double margin, SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  ss_dynamics_set_time (problem->dynamics, t);
  SsStatus status = ss_contact_problem_collect (problem, q, v, margin,
                                                s->options.activation == SS_ACTIVATION_ALL ? INFINITY : 0, err);
  if (status == SS_OK && s->options.foundation > 0)
    status = ss_foundation_replace (problem, s->options.foundation, q, margin, err);
  if (status == SS_OK && s->options.foundation > 0) /* each of its points may resist rolling */
    status = ss_contact_problem_reserve (problem,
                                         2 * problem->n_points + SS_JOINT_DRIVES_MAX * problem->scene->n_joints, err);
  ss_contact_problem_bend (problem, q, v);
  return status;
}

/* By the velocities at the start and those of the free motion. */
static double
first_margin (const SsConstraintStepper *s, const double *v0, double dt)
{
  return s->options.activation != SS_ACTIVATION_ALL
             ? 0
             : margin_factor * fmax (ss_stepper_reach (&s->base, v0, dt), ss_stepper_reach (&s->base, s->v_free, dt));
}

/* Solves of a way: until none of its contacts can lie beyond the margin, then until formulas hold about its answer. */
typedef struct {
  double margin, moved; /* [m]; moved: by the last solve with a margin that was wide enough */
  int n_margins, n_rounds;
} Tries;

static bool
is_open (const Tries *tries)
{
  return tries->n_margins < MARGINS_MAX && tries->n_rounds < ROUNDS_MAX && tries->moved > settled;
}

/* The answer s->v of a way over dt. */
static void
look_at_answer (SsConstraintStepper *s, double dt, Tries *tries)
{
  const double needed = ss_stepper_reach (&s->base, s->v, dt), moved = move_guess (s, s->v, dt);
  if (s->options.activation != SS_ACTIVATION_ALL || needed <= tries->margin) {
    tries->moved = moved;
    tries->n_rounds++;
  } else {
    tries->moved = INFINITY;
    tries->margin = 2 * needed;
    tries->n_margins++;
  }
}

/* What formulas are off by where rounds have ended before they hold [m/s]. */
static double
left_of (const Tries *tries, double dt)
{
  return isfinite (tries->moved) && tries->moved > settled ? tries->moved / dt : 0;
}

/* Room for what correct_gaps knows of the points, none so far. */
static SsStatus
forget_gaps (SsConstraintStepper *s, SsError *err)
{
  const int n = s->base.problem->n_points;
  if (ss_array_reserve ((void **)&s->known, &s->known_capacity, n, sizeof *s->known) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contact points", n);
  for (int i = 0; i < n; i++)
    s->known[i] = 0;
  return s->at_end != NULL ? SS_OK : ss_contact_problem_new (s->base.scene, &s->at_end, err);
}

/* Where the way has ended with s->v, at t, springs along tangents are stretched by it, at most to friction's bound. */
static SsStatus
keep_stretches (SsConstraintStepper *s, const Reach *r, double t, SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  SsStatus status = SS_OK;
  if (s->base.compliances == NULL)
    return SS_OK;
  ss_stretches_open (&s->stretches);
  for (int i = 0; i < problem->n_points && status == SS_OK; i++) {
    const SsContactPoint *p = &problem->points[i];
    const double k = slip_stiffness_of (s, p), bound = k > 0 ? p->mu * p->pn / r->kick / k : 0;
    if (bound > 0)
      status = ss_stretches_add (
          &s->stretches, p->memory,
          fmin (fmax (stretch_of (s, p) + r->way * ss_contact_point_slip (p, s->v), -bound), bound), err);
  }
  ss_stretches_close (&s->stretches, t);
  return status;
}

/* The gaps at the end s->q of the way with s->v go into the biases of the points that push or overlap there, beyond
 * what they know of it. *is_settled: none has changed by much. */
static SsStatus
correct_gaps (SsConstraintStepper *s, double t, const Reach *r, double margin, bool *is_settled, SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  const double much = gap_fraction * ss_stepper_reach (&s->base, s->v, r->way);
  ss_dynamics_set_time (s->at_end->dynamics, t + r->way);
  SsStatus status = ss_contact_problem_collect (s->at_end, s->q, s->v, margin, INFINITY, err);
  *is_settled = true;
  for (int i = 0, first = 0; i < problem->n_points && status == SS_OK; i++) {
    SsContactPoint *p = &problem->points[i];
    const SsContactPoint *there = NULL;
    while (p->contact >= 0 && first < s->at_end->n_points && s->at_end->points[first].contact >= 0 &&
           s->at_end->points[first].contact < p->contact)
      first++;
    for (int k = first; k < s->at_end->n_points && s->at_end->points[k].contact == p->contact && there == NULL; k++)
      if (p->memory >= 0 && s->at_end->points[k].memory == p->memory)
        there = &s->at_end->points[k];
    if (there == NULL || !(p->pn > 0 || there->phi < 0))
      continue;
    const double bent = there->phi - p->phi - r->way * ss_contact_point_normal_velocity (p, s->v);
    p->bias += (bent - s->known[i]) / r->way; /* of phi1, and of phidot1, which is over the way */
    *is_settled = *is_settled && fabs (bent - s->known[i]) <= much;
    s->known[i] = bent;
  }
  return status;
}

/* Ways that are too long for RATTLE are so for gaps that are linearised at their start: an overlap at the end would be
 * pushed apart within the next step, however short. */
static SsStatus
go_by_secants (SsConstraintStepper *s, const SsRattleWay *way, double margin, SsStepInfo *info, SsError *err)
{
  const Reach reach = {.way = way->h, .kick = way->h / 2};
  int pivots = 0;
  bool is_settled;
  SsStatus status = forget_gaps (s, err);
  for (int k = 0; status == SS_OK; k++) {
    status = ss_secant_way_go (s->secant, s->base.problem, way, s->v, s->q, info, err);
    info->pivots = pivots += info->pivots;
    if (status != SS_OK || s->base.problem->n_points == 0 || k == GAP_ROUNDS)
      break;
    status = correct_gaps (s, way->t, &reach, margin, &is_settled, err);
    if (is_settled)
      break;
  }
  return status;
}

/* How a step with joints=rattle goes its way. ASK: by RATTLE, or by secants where that would be unstable. */
typedef enum { WAY_ASK, WAY_RATTLE, WAY_SECANT } Way;

static SsStatus
go (SsConstraintStepper *s, const SsRattleWay *way, double margin, Way *how, SsStepInfo *info, SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  if (*how == WAY_SECANT)
    return go_by_secants (s, way, margin, info, err);
  SsStatus status = ss_rattle_go (s->rattle, problem, way, s->v, s->q, info, err);
  if (*how == WAY_RATTLE || (status != SS_OK && status != SS_ERR_SINGULAR))
    return status;
  bool is_needed;
  SsStatus asked = ss_secant_way_needed (s->secant, problem, way, &is_needed, err);
  if (asked != SS_OK)
    return asked;
  *how = is_needed ? WAY_SECANT : WAY_RATTLE;
  return is_needed ? go_by_secants (s, way, margin, info, err) : status;
}

/* The way of a step with joints=rattle: velocities into s->v, its end into s->q. *left: what formulas of contacts are
 * off by [m/s]. */
static SsStatus
go_with_joints (SsConstraintStepper *s, const SsRattleWay *way, const SsSimState *state, double *margin, Way *how,
                double *left, SsStepInfo *info, SsError *err)
{
  const Reach reach = {.way = way->h, .kick = way->h / 2, .bend = way->h / 2};
  Tries tries = {.margin = *margin, .moved = INFINITY};
  move_guess (s, s->v_free, way->h);
  while (is_open (&tries)) {
    SsStatus status = collect (s, state->t, state->q, state->v, tries.margin, err);
    if (status == SS_OK)
      status = set_laws (s, state->t, way->h, &reach, err);
    if (status != SS_OK)
      return status;
    ss_contact_problem_set_drives (s->base.problem, state->q, state->v, reach.kick);
    ss_rattle_set_biases (s->base.problem, way);
    status = go (s, way, tries.margin, how, info, err);
    if (status != SS_OK)
      return status;
    look_at_answer (s, way->h, &tries);
  }
  *margin = tries.margin;
  *left = left_of (&tries, way->h);
  return SS_OK;
}

/* What joints give to the motion: their impulses times the velocities about them, without what their springs had. */
static double
work_of_rows (const SsConstraintStepper *s, const double *v_before, const double *v_after, double sign)
{
  double work = 0;
  for (int i = 0; i < s->base.problem->n_rows; i++) {
    const SsJointConstraint *c = &s->base.problem->rows[i];
    if (c->row.kind != SS_ROW_JOINT)
      continue;
    work += c->p * (ss_row_velocity (&c->row, v_before) + ss_row_velocity (&c->row, v_after)) / 2 -
            sign * ss_constraint_law_of_row (s, &c->row).stiffness * c->row.phi * c->row.phi / 2;
  }
  return work;
}

/* What acts where the way has ended: velocities from s->v into s->v_end. */
static SsStatus
end_with_joints (SsConstraintStepper *s, const SsRattleWay *way, const SsStep *step, const SsSimState *state,
                 double margin, Way how, double *left, SsStepInfo *info, SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  const Reach end = {.way = way->h / 2, .kick = way->h / 2, .bend = 0};
  double moved = INFINITY;
  move_guess (s, s->v, way->h);
  for (int round = 0; round < ROUNDS_MAX && moved > settled; round++) {
    SsStepInfo held;
    SsStatus status = collect (s, way->t + way->h, s->q, s->v, margin, err);
    if (status != SS_OK)
      return status;
    ss_rattle_choose (s->rattle, problem);
    status = set_laws (s, state->t + way->h, way->h, &end, err);
    if (status != SS_OK)
      return status;
    ss_contact_problem_set_drives (problem, s->q, s->v, end.kick);
    ss_rattle_free_end (problem, way, step->controls, state->v, s->v, s->q, s->f, s->v_free);
    if (how == WAY_SECANT) {
      ss_secant_way_push (s->secant, problem, s->v_free, s->rattle);
      for (int i = 0; i < problem->n_rows; i++)
        problem->rows[i].bias = 0;
    }
    status = ss_stiff_solve (s->base.stiff, problem, s->v_free, state->t + way->h, s->v_end, &held, err);
    if (status != SS_OK)
      return status;
    info->residual = fmax (info->residual, held.residual);
    info->pivots += held.pivots;
    moved = move_guess (s, s->v_end, way->h);
  }
  if (moved > settled)
    *left = fmax (*left, moved / way->h);
  return SS_OK;
}

/* A step to s->q and s->v_end, which leaves the state. *gain: what joints gave to the motion [J]. Springs act at the
 * end of the way, half a step on, for the second half of the forces; with secants they have acted in both halves, and
 * only what is left of their velocities is taken. */
static SsStatus
try_step (SsConstraintStepper *s, const SsStep *step, const SsSimState *state, Way *how, double *gain, SsStepInfo *info,
          SsError *err)
{
  SsContactProblem *problem = s->base.problem;
  const double h = step->dt;
  const SsRattleWay way = {.q0 = state->q,
                           .v_free = s->v_free,
                           .t = state->t,
                           .h = h,
                           .with_points = true,
                           .kappa = s->kappa,
                           .fixed = s->fixed,
                           .stiff = s->base.stiff};
  double left;
  ss_rattle_free_start (problem, &way, step->controls, state->v, s->f, s->v_free);
  double margin = first_margin (s, state->v, h);
  ss_stretches_begin (&s->stretches, state->t);
  SsStatus status = go_with_joints (s, &way, state, &margin, how, &left, info, err);
  if (status == SS_OK)
    status = keep_stretches (s, &(Reach){.way = h, .kick = h / 2}, state->t + h, err);
  if (status != SS_OK)
    return status;
  *gain = work_of_rows (s, state->v, s->v, 1);
  status = ss_rattle_keep (s->rattle, problem, err);
  if (status == SS_OK)
    status = end_with_joints (s, &way, step, state, margin, *how, &left, info, err);
  if (status != SS_OK)
    return status;
  *gain += work_of_rows (s, s->v, s->v_end, -1);
  info->residual = fmax (info->residual, left);
  return SS_OK;
}

static SsStatus
step_with_joints (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  SsConstraintStepper *s = integrator;
  const SsDynamics *dynamics = s->base.problem->dynamics;
  const bool is_last = ss_rattle_is_last (s->rattle);
  Way how = WAY_ASK;
  double gain = 0;
  SsStatus status = try_step (s, step, state, &how, &gain, info, err);
  if (status == SS_OK && how == WAY_RATTLE &&
      gain > gain_allowed *
                 (ss_dynamics_kinetic_energy (dynamics, state->v) + ss_dynamics_kinetic_energy (dynamics, s->v_end))) {
    how = WAY_SECANT;
    status = try_step (s, step, state, &how, &gain, info, err);
  }
  if (status == SS_ERR_SINGULAR && how == WAY_SECANT && is_last) {
    how = WAY_RATTLE;
    status = try_step (s, step, state, &how, &gain, info, err);
  }
  if (status != SS_OK)
    return status;
  status = ss_rattle_end (s->rattle, s->base.problem, step->dt, s->v, s->v_end, s->q, state, err);
  if (status == SS_OK && state->more != NULL)
    ss_foundation_report (s->base.problem, s->options.foundation, step->dt, state->more);
  return status;
}

static SsStatus
stepper_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  SsConstraintStepper *s = integrator;
  const double dt = step->dt;
  SsContactProblem *problem = s->base.problem;
  const Reach reach = {.way = dt, .kick = dt, .bend = dt};
  if (s->rattle != NULL)
    return ss_rattle_step (s->rattle, step_with_joints, s, step, state, info, err);
  ss_stretches_begin (&s->stretches, state->t);
  ss_stepper_free_motion (&s->base, step, state, s->f, s->v_free);
  Tries tries = {.margin = first_margin (s, state->v, dt), .moved = INFINITY};
  move_guess (s, s->v_free, dt);
  while (is_open (&tries)) {
    SsStatus status = collect (s, state->t, state->q, state->v, tries.margin, err);
    if (status == SS_OK)
      status = set_laws (s, state->t, dt, &reach, err);
    if (status != SS_OK)
      return status;
    if (s->options.law == SS_LAW_MAX)
      ss_contact_problem_set_drives (problem, state->q, state->v, reach.kick);
    if (s->options.law == SS_LAW_LITERAL)
      status = ss_constraint_literal_solve (s, state->t, dt, info, err);
    else
      status = ss_stiff_solve (s->base.stiff, problem, s->v_free, state->t, s->v, info, err);
    if (status != SS_OK)
      return status;
    look_at_answer (s, dt, &tries);
  }
  const double left = left_of (&tries, dt);
  if (left > 0)
    info->residual = fmax (info->residual, left);
  SsStatus status = keep_stretches (s, &reach, state->t + dt, err);
  if (status != SS_OK)
    return status;
  ss_stepper_advance (&s->base, s->v, dt, s->v_start, state);
  if (state->more != NULL)
    ss_foundation_report (problem, s->options.foundation, dt, state->more);
  return SS_OK;
}

static int
n_more (const SsScene *scene, const void *options)
{
  return options != NULL ? ss_foundation_n_channels (scene, ((const SsConstraintOptions *)options)->foundation) : 0;
}

static SsChannel
more (const SsScene *scene, const void *options, int i, char *name, size_t size)
{
  return ss_foundation_channel (scene, ((const SsConstraintOptions *)options)->foundation, i, name, size);
}

static const char *
caveat (const SsScene *scene, const void *options)
{
  const SsConstraintOptions *o = options;
  if (o == NULL || o->law != SS_LAW_LITERAL)
    return NULL;
  for (int i = 0; i < scene->n_contacts; i++)
    if (scene->contacts[i].mu > 0)
      return "law=literal solves the quadratic programs as printed: their weights buy friction by inflating the normal "
             "force, so that sliding bodies are thrown up instead of sliding by Coulomb's law, and they differ from "
             "the max() law as soon as constraints are coupled; law=max is the law that the text means";
  return "law=literal solves the quadratic programs as printed: they differ from the max() law that they replace as "
         "soon as constraints are coupled (a block on many springs); law=max is the law that the text means";
}

/* The printed programs have no rows of friction and motors of joints, nor of what resists rolling, and know no rate of
 * a row beside its velocities. */
static unsigned
uses_with (const void *options)
{
  const SsConstraintOptions *o = options;
  return SS_USES_CONTACT_STIFFNESS | SS_USES_CONTACT_DAMPING | SS_USES_JOINT_STIFFNESS | SS_USES_JOINT_DAMPING |
         (o == NULL || o->law == SS_LAW_MAX
              ? SS_USES_JOINT_DRIVES | SS_USES_ROLLING | SS_USES_COMPLIANCE | SS_USES_SLIP_STIFFNESS | SS_USES_TIME
              : 0);
}

const SsIntegratorClass ss_integrator_constraint_solver = {
    .name = "constraint-solver",
    .label = "First-order constraint solver",
    .summary =
        "Joints, limits and contacts as springs and dampers of any stiffness, taken implicitly; first order, with "
        "stiff joints second order between contacts: a swing keeps its energy; stable for 1e15 N/m, creeps by "
        "load/B_r.",
    .solves = "Joints, limits and contacts are springs and dampers (contacts push only), friction a damper on the "
              "slip, at most mu times the normal force: a compliant law, rigid where stiffness is large.",
    .options = &table,
    .new_ = stepper_new,
    .step = stepper_step,
    .free_ = stepper_free,
    .uses = SS_USES_CONTACT_STIFFNESS | SS_USES_CONTACT_DAMPING | SS_USES_JOINT_STIFFNESS | SS_USES_JOINT_DAMPING |
            SS_USES_JOINT_DRIVES | SS_USES_ROLLING | SS_USES_COMPLIANCE | SS_USES_SLIP_STIFFNESS | SS_USES_TIME,
    .uses_with = uses_with,
    .n_more = n_more,
    .more = more,
    .contact_law = {.place = SS_LAW_START_SPRING},
    .acts_at_both_ends = acts_at_both_ends,
    .caveat = caveat,
};
