/* engine/simulate/ss-cvode.c: contact by spring, damper and friction (Kelvin-Voigt), integrated by SUNDIALS' CVODE: BDF
 * of variable order and step.
 *
 *     M vdot = f (t, q, v) + Gn' lambda_n + Gt' lambda_t + Gb' lambda_b,   qdot = v
 *     phi <= 0:  lambda_n = max (0, -K phi - B phidot),   lambda_t = -mu lambda_n tanh (slip/v_s)  or  clamp (-B_t
 *     slip, -mu lambda_n, mu lambda_n)
 *     joints:    phi'' + 2 a phi' + a^2 phi = 0, from which lambda_b; a is far slower than a stiff spring, so that
 *                joints are rigid and their drift dies out.
 * Limits are springs and dampers of the same K and B on their coordinate. (Notes, section 7.4.)
 *
 * Unknowns     y = (q - q of the scene's start, v) of the coordinates that answer to forces. Displacements, so that
 *              rtol means them and not the place in the world.
 * Jacobian     contacts, limits and joint rows from their own rows, other forces by differences; without the change of
 *              the rows' directions, which is not stiff.
 * Impulses     lambda_n, lambda_t and the power that contacts take are quadratures beside the solution (CVODES, which
 *              is CVODE with them), without error control.
 *              Made anew for every internal step: one that was kept from before a contact opened makes Newton's method
 *              believe in a solution at once, and the method's history then drives bodies in free flight (a bounced
 *              ball gained 2.7 of its 27 J so).
 * Roots        with roots=on steps end where a gap changes its sign and the method starts anew there: the force jumps
 *              by B phidot.
 * Steps        a step of the run is many internal ones; the history is kept from step to step unless the caller changes
 *              the state.
 * Memory       that of SUNDIALS comes from malloc, all else from ss_alloc. Nothing is printed: messages go to the
 *              SsError.
 * Stiff contact    the elastic foundation of paper 003 with E = 1e11 (springs of 1e9 N/m each, depths of 1e-9 m, swings
 *                  of 1e5 rad/s that hardly decay): the default tolerances damp the swings out, 1 s takes 10 to 20 s,
 *                  and what is left agrees with the reference to some per cent, which is its ringing. rtol 1e-10 and
 *                  atol 1e-16 follow the swings, at minutes a second. Where the static answer is wanted,
 *                  constraint-solver gives it in milliseconds.
 * Built only where SUNDIALS 6 is found (engine/meson.build).
 */
#include "simulate/ss-constraint-private.h"

#include <cvodes/cvodes.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

/* Largest a of the joints' stabilisation [1/s]: an opening is gone in some hundredths of a second. It is 1/h of the
 * library's own steps where these are longer, as in slow motions: an opening of atol gives a false acceleration of
 * a^2 atol, which they would drown in. */
static const double joint_rate_most = 100;
/* Gaps beyond this count as this for the root finder [m, rad]; only their sign matters. */
static const double root_band = 0.01;
/* Relative step of differences of forces: the root of the rounding error, about the best for first differences. */
static const double difference_step = 1.5e-8;
/* Times that differ by less than this many roundings are one. */
static const double same_time_roundings = 16;
/* A time that no motion reaches [s]. */
static const double never = 1e300;
/* A body should rest at least this many times atol deep, or the tolerance hides the contact. */
static const double depth_over_tolerance = 10;
/* The dense Newton matrix has 4 entries per pair of coordinates: 46 MB here, a second a factorisation. */
enum { COORDINATES_MAX = 1200 };
/* After so many states without finite forces in a step of the run, shorter internal steps lead nowhere. */
enum { BAD_STATES_MAX = 200 };
/* Quadratures per contact. */
enum { QUAD_IMPULSE_N, QUAD_IMPULSE_T, QUAD_WORK, N_QUADS };
enum { FRICTION_TANH, FRICTION_CLAMP };

static const char *const friction_choices[] = {"tanh", "clamp", NULL};

typedef struct {
  double rtol, atol, max_step, stiffness, damping, slip_velocity, slip_damping;
  int max_order, max_steps, friction, foundation;
  bool roots;
  SsSimLimits limits;
} Options;

#define FIELD(name) .offset = offsetof (Options, name)

static const SsOptionSpec specs[] = {
    {.name = "rtol",
     .type = SS_OPTION_REAL,
     FIELD (rtol),
     .minimum = 1e-14,
     .maximum = 0.1,
     .fallback = 1e-6,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "Largest local error of an internal step, relative to speeds and to displacements from the start. "
                "Larger values are faster and less accurate."},
    {.name = "atol",
     .type = SS_OPTION_REAL,
     FIELD (atol),
     .minimum = 1e-300,
     .maximum = 1,
     .fallback = 1e-9,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "Largest local error of an internal step [m, rad, m/s, rad/s], added to the relative one of rtol. It "
                "must be small against the depth m g/K at which a body rests. Larger values are faster and less "
                "accurate."},
    SS_OPTION_NOT_NEGATIVE (
        Options, stiffness, "stiffness", 1e15, 1e6, "K", "N/m", true,
        "Stiffness of each contact and limit to which the scene gives none. With larger values bodies penetrate "
        "less, and the number of steps grows with the square root of the stiffness."),
    SS_OPTION_NOT_NEGATIVE (Options, damping, "damping", 1e15, 200, "B", "N s/m", true,
                            "Damping of each contact and limit to which the scene gives none. With larger values "
                            "bodies bounce less."),
    {.name = "friction",
     .type = SS_OPTION_CHOICE,
     FIELD (friction),
     .fallback = FRICTION_TANH,
     .choices = friction_choices,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "How the friction force follows from slip. tanh: the friction coefficient times the normal force "
                "times tanh(slip/v_s), a smooth function; clamp: B_t times the slip, at most the friction "
                "coefficient times the normal force."},
    {.name = "slip-velocity",
     .type = SS_OPTION_REAL,
     FIELD (slip_velocity),
     .minimum = 1e-15,
     .maximum = 1e3,
     .fallback = 1e-4,
     .symbol = "v_s",
     .unit = "m/s",
     .common = true,
     .summary = "With friction=tanh: speed of slip at which the friction force reaches three quarters of its bound. "
                "A contact that sticks creeps at about this speed, so larger values creep faster."},
    SS_OPTION_NOT_NEGATIVE (Options, slip_damping, "slip-damping", 1e15, 1e6, "B_t", "N s/m", false,
                            "With friction=clamp: damping of slip, by which a contact sticks. A body at rest creeps "
                            "at its load divided by this damping, so larger values creep more slowly."),
    {.name = "roots",
     .type = SS_OPTION_BOOLEAN,
     FIELD (roots),
     .fallback = 0,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "Whether the integrator finds each time at which a gap changes its sign and starts anew there. Steps "
                "then take longer, since each one searches all near pairs of shapes."},
    {.name = "max-order",
     .type = SS_OPTION_INTEGER,
     FIELD (max_order),
     .minimum = 1,
     .maximum = 5,
     .fallback = 5,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary =
         "Highest order of the BDF formula; orders above 2 ring with undamped oscillations, order 1 damps them."},
    SS_OPTION_NOT_NEGATIVE (Options, max_step, "max-step", 1e9, 0, "", "s", false,
                            "Longest internal step. With larger values a step may pass over a short contact; 0: the "
                            "step of the run."),
    {.name = "max-steps",
     .type = SS_OPTION_INTEGER,
     FIELD (max_steps),
     .minimum = 1,
     .maximum = 2e9,
     .fallback = 1e6,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Largest number of internal steps within one step of the run; a run that needs more fails."},
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
                "stiffness and the damping of the contact. More springs take longer; 0: none."},
    SS_SIM_LIMITS_OPTIONS (Options, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable table = {sizeof specs / sizeof *specs, specs, sizeof (Options)};

typedef struct {
  SsStepper base;
  Options options;
  int n_free;             /* coordinates that answer to forces; y has twice as many   */
  int *coordinate;        /* n_free: index into q                                     */
  int *index;             /* 3 n_bodies: index into `coordinate`, -1: does not answer */
  double *start;          /* 3 n_bodies each, in base.work: q of the scene            */
  double *q, *v, *a;      /*   at the last evaluation                                 */
  double *f, *f_moved;    /*   forces, and at a neighbouring state                    */
  double *q_locked;       /*   at t_locked                                            */
  double *v_locked;       /*                                                          */
  double *q_end, *v_end;  /*  what the last step answered                            */
  double *quads;          /* N_QUADS n_contacts: at the end of the last step          */
  double *held;           /* n_actuators: the controls of the last step              */
  const double *controls; /* of the step that is taken; borrowed                     */
  double t_locked;        /* when the locked coordinates were at q_locked             */
  double t_end;
  double joint_rate;  /* a, of the step that is taken [1/s]                       */
  realtype h_last;    /* the library's last own step [s]; 0: none yet             */
  double t_break;     /* the break after the last step's start [s]; INFINITY: none */
  bool is_started;    /* CVODE stands at the end of the last step                 */
  int bad_coordinate; /* with a value that is not finite, in the last evaluation; -1 */
  int n_bad;          /* such evaluations in this step                                     */
  SsStatus status;    /* of the last evaluation                                   */
  SsError error;      /*                                                          */
  char message[256];  /* of the library                                           */
  SUNContext context;
  void *cvode;
  N_Vector y, yq, estimate, weight;
  SUNMatrix matrix;
  SUNLinearSolver solver;
} Stepper;

/* ---- laws -------------------------------------------------------------------------------------------------------- */

static SsStatus
find_law (Stepper *s, const SsContactPoint *p, SsLinearForce *law)
{
  double stiffness, damping;
  if (p->contact >= 0) {
    stiffness = s->base.scene->contacts[p->contact].stiffness;
    damping = s->base.scene->contacts[p->contact].damping;
  } else {
    stiffness = s->base.scene->joints[p->limit].stiffness;
    damping = s->base.scene->joints[p->limit].damping;
  }
  *law = (SsLinearForce){.stiffness = stiffness > 0 ? stiffness : s->options.stiffness,
                         .damping = damping > 0 ? damping : s->options.damping,
                         .slip_damping = s->options.slip_damping};
  if (p->contact >= 0 && s->base.scene->contacts[p->contact].compliance != NULL) {
    SsStatus status =
        ss_stepper_linearise (&s->base, p, p->phi, ss_contact_point_normal_velocity (p, s->v), law, &s->error);
    if (status != SS_OK)
      return status;
  }
  if (p->contact >= 0 && p->memory < 0) { /* an element of the foundation */
    law->stiffness /= s->options.foundation;
    law->damping /= s->options.foundation;
    law->push /= s->options.foundation;
  }
  return SS_OK;
}

/* Forces of a point, kept in pn and pt. */
static SsStatus
apply_law (Stepper *s, SsContactPoint *p)
{
  SsLinearForce law;
  SsStatus status = find_law (s, p, &law);
  if (status != SS_OK)
    return status;
  p->pn = fmax (law.push - law.stiffness * p->phi - law.damping * ss_contact_point_normal_velocity (p, s->v), 0);
  p->pt = 0;
  if (p->contact < 0 || !(p->mu * p->pn > 0))
    return SS_OK;
  double slip = ss_contact_point_slip (p, s->v), bound = p->mu * p->pn;
  if (s->options.friction == FRICTION_TANH)
    p->pt = -bound * tanh (slip / s->options.slip_velocity);
  else
    p->pt = fmin (fmax (-law.slip_damping * slip, -bound), bound);
  return SS_OK;
}

/* pt = share pn where the bound holds; its own damper acts along the tangent. */
static void
friction_slopes (const Stepper *s, const SsContactPoint *p, double slip_damping, double *share, double *damper)
{
  *share = *damper = 0;
  if (p->contact < 0 || !(p->mu * p->pn > 0))
    return;
  double slip = ss_contact_point_slip (p, s->v), bound = p->mu * p->pn;
  if (s->options.friction == FRICTION_TANH) {
    double part = tanh (slip / s->options.slip_velocity);
    *share = -p->mu * part;
    *damper = bound * (1 - part * part) / s->options.slip_velocity;
  } else if (slip_damping * fabs (slip) < bound) {
    *damper = slip_damping;
  } else {
    *share = slip > 0 ? -p->mu : p->mu;
  }
}

/* ---- the differential equation ----------------------------------------------------------------------------------- */

/* Coordinates and speeds of all bodies from y. */
static void
unpack (Stepper *s, double t, const double *y)
{
  for (int i = 0; i < 3 * s->base.scene->n_bodies; i++) {
    int k = s->index[i];
    s->q[i] = k >= 0 ? s->start[i] + y[k] : s->q_locked[i] + (t - s->t_locked) * s->v_locked[i];
    s->v[i] = k >= 0 ? y[s->n_free + k] : s->v_locked[i];
  }
}

/* Points in touch with their forces, joint rows. */
static SsStatus
collect (Stepper *s, double t, const double *y, double band, double band_limits)
{
  unpack (s, t, y);
  s->bad_coordinate = -1;
  for (int i = 0; i < 3 * s->base.scene->n_bodies; i++)
    if (!isfinite (s->q[i]) || !isfinite (s->v[i])) {
      s->bad_coordinate = i;
      return SS_ERR_SINGULAR;
    }
  ss_dynamics_set_time (s->base.problem->dynamics, t);
  return ss_contact_problem_collect (s->base.problem, s->q, s->v, band, band_limits, &s->error);
}

static SsStatus
evaluate_contacts (Stepper *s, double t, const double *y)
{
  SsStatus status = collect (s, t, y, 0, 0);
  if (status == SS_OK && s->options.foundation > 0)
    status = ss_foundation_replace (s->base.problem, s->options.foundation, s->q, 0, &s->error);
  for (int i = 0; status == SS_OK && i < s->base.problem->n_points; i++)
    status = apply_law (s, &s->base.problem->points[i]);
  return status;
}

/* Accelerations that keep the joints, from those without them: a = a_free + M^-1 Gb' lambda_b. */
static SsStatus
hold_joints (Stepper *s, double t, const double *a_free, double *a)
{
  if (s->base.problem->n_rows == 0) {
    memcpy (a, a_free, 3 * (size_t)s->base.scene->n_bodies * sizeof *a);
    return SS_OK;
  }
  return ss_contact_problem_solve_rows (s->base.problem, a_free, t, a, &s->error);
}

/* What the library is told about a failure; it tries a shorter step for those that depend on the state. */
static int
verdict (Stepper *s, SsStatus status)
{
  s->status = status;
  s->n_bad += status != SS_OK;
  return status == SS_OK ? 0 : status == SS_ERR_MEMORY || s->n_bad > BAD_STATES_MAX ? -1 : 1;
}

static int
evaluate (realtype t, N_Vector y, N_Vector ydot, void *data)
{
  Stepper *s = data;
  SsContactProblem *problem = s->base.problem;
  double *rate = N_VGetArrayPointer (ydot);
  SsStatus status = evaluate_contacts (s, t, N_VGetArrayPointer (y));
  if (status != SS_OK)
    return verdict (s, status);
  ss_dynamics_forces (problem->dynamics, SS_FORCE_ALL, t, s->q, s->v, s->controls, s->f);
  for (int i = 0; i < 3 * s->base.scene->n_bodies; i++)
    s->f[i] *= problem->inverse_mass[i];
  for (int i = 0; i < problem->n_points; i++)
    ss_contact_problem_push (problem, &problem->points[i], s->f);
  for (int i = 0; i < problem->n_rows; i++) {
    const SsRow *row = &problem->rows[i].row;
    problem->rows[i].bias =
        row->gdv + 2 * s->joint_rate * ss_row_velocity (row, s->v) + s->joint_rate * s->joint_rate * row->phi;
  }
  status = hold_joints (s, t, s->f, s->a);
  for (int k = 0; status == SS_OK && k < s->n_free; k++) {
    rate[k] = s->v[s->coordinate[k]];
    rate[s->n_free + k] = s->a[s->coordinate[k]];
    if (!isfinite (rate[s->n_free + k])) {
      s->bad_coordinate = s->coordinate[k];
      status = SS_ERR_SINGULAR;
    }
  }
  return verdict (s, status);
}

static int
evaluate_quadratures (realtype t, N_Vector y, N_Vector rates, void *data)
{
  Stepper *s = data;
  SsStatus status = evaluate_contacts (s, t, N_VGetArrayPointer (y));
  if (status != SS_OK)
    return verdict (s, status);
  N_VConst (0, rates);
  for (int i = 0; i < s->base.problem->n_points; i++) {
    const SsContactPoint *p = &s->base.problem->points[i];
    if (p->contact < 0)
      continue;
    double *rate = N_VGetArrayPointer (rates) + N_QUADS * p->contact;
    rate[QUAD_IMPULSE_N] += p->pn;
    rate[QUAD_IMPULSE_T] += p->pt;
    rate[QUAD_WORK] -= p->pn * ss_contact_point_normal_velocity (p, s->v) + p->pt * ss_contact_point_slip (p, s->v);
  }
  return verdict (s, SS_OK);
}

/* Gaps by their place in the problem's memory; what is far counts as root_band, so that the functions are
 * continuous. */
static int
evaluate_roots (realtype t, N_Vector y, realtype *gaps, void *data)
{
  Stepper *s = data;
  SsStatus status = collect (s, t, N_VGetArrayPointer (y), root_band, INFINITY);
  if (status != SS_OK)
    return verdict (s, status);
  for (int i = 0; i < s->base.problem->n_memory; i++)
    gaps[i] = root_band;
  for (int i = 0; i < s->base.problem->n_points; i++)
    gaps[s->base.problem->points[i].memory] = fmin (s->base.problem->points[i].phi, root_band);
  return verdict (s, SS_OK);
}

/* ---- its Jacobian ------------------------------------------------------------------------------------------------ */

/* Adds d force / d y of a point whose law was found before; columns are those of the matrix, rows coordinates. */
static void
add_point_slopes (Stepper *s, const SsContactPoint *p)
{
  int n = s->n_free;
  if (!(p->pn > 0))
    return;
  SsLinearForce law;
  double share, damper;
  if (find_law (s, p, &law) != SS_OK)
    return;
  friction_slopes (s, p, law.slip_damping, &share, &damper);
  for (int c = 0; c < 6; c++) {
    int column = p->body[c / 3] >= 0 ? s->index[3 * p->body[c / 3] + c % 3] : -1;
    if (column < 0)
      continue;
    double *of_q = SM_COLUMN_D (s->matrix, column), *of_v = SM_COLUMN_D (s->matrix, n + column);
    double stiff = law.stiffness * p->jn[c], damp = law.damping * p->jn[c], drag = damper * p->jt[c];
    for (int r = 0; r < 6; r++) {
      int row = p->body[r / 3] >= 0 ? s->index[3 * p->body[r / 3] + r % 3] : -1;
      if (row < 0)
        continue;
      double along = p->jn[r] + share * p->jt[r];
      of_q[n + row] -= along * stiff;
      of_v[n + row] -= along * damp + p->jt[r] * drag;
    }
  }
}

/* Differences of all other forces where they depend on the state. */
static void
add_force_slopes (Stepper *s, double t)
{
  SsDynamics *dynamics = s->base.problem->dynamics;
  int n = s->n_free;
  if (!ss_dynamics_has_state_forces (dynamics, s->controls))
    return;
  ss_dynamics_forces (dynamics, SS_FORCE_ALL, t, s->q, s->v, s->controls, s->f);
  for (int column = 0; column < 2 * n; column++) {
    double *moved = (column < n ? s->q : s->v) + s->coordinate[column % n], kept = *moved;
    *moved += difference_step * fmax (fabs (kept), 1);
    double way = *moved - kept;
    ss_dynamics_forces (dynamics, SS_FORCE_ALL, t, s->q, s->v, s->controls, s->f_moved);
    *moved = kept;
    double *slopes = SM_COLUMN_D (s->matrix, column) + n;
    for (int row = 0; row < n; row++)
      slopes[row] += (s->f_moved[s->coordinate[row]] - s->f[s->coordinate[row]]) / way;
  }
}

/* From d force / d y to d acceleration / d y, joints held. */
static SsStatus
finish_column (Stepper *s, double t, int column)
{
  int n = s->n_free;
  SsContactProblem *problem = s->base.problem;
  double *slopes = SM_COLUMN_D (s->matrix, column) + n;
  int moved = s->coordinate[column % n], body = moved / 3;
  double scale = column < n ? s->joint_rate * s->joint_rate : 2 * s->joint_rate;
  for (int row = 0; row < n; row++)
    slopes[row] *= problem->inverse_mass[s->coordinate[row]];
  if (problem->n_rows == 0)
    return SS_OK;
  memset (s->f, 0, 3 * (size_t)s->base.scene->n_bodies * sizeof *s->f);
  for (int row = 0; row < n; row++)
    s->f[s->coordinate[row]] = slopes[row];
  for (int i = 0; i < problem->n_rows; i++) {
    const SsRow *row = &problem->rows[i].row;
    problem->rows[i].bias = 0;
    for (int side = 0; side < 2; side++)
      if (row->body[side] == body)
        problem->rows[i].bias += scale * row->j[3 * side + moved % 3];
  }
  SsStatus status = hold_joints (s, t, s->f, s->a);
  for (int row = 0; status == SS_OK && row < n; row++)
    slopes[row] = s->a[s->coordinate[row]];
  return status;
}

static int
evaluate_jacobian (realtype t, N_Vector y, N_Vector ydot, SUNMatrix matrix, void *data, N_Vector work1, N_Vector work2,
                   N_Vector work3)
{
  Stepper *s = data;
  (void)ydot, (void)work1, (void)work2, (void)work3;
  SsStatus status = evaluate_contacts (s, t, N_VGetArrayPointer (y));
  SUNMatZero (matrix);
  SS_ASSERT (matrix == s->matrix);
  for (int i = 0; status == SS_OK && i < s->base.problem->n_points; i++)
    add_point_slopes (s, &s->base.problem->points[i]);
  if (status == SS_OK)
    add_force_slopes (s, t);
  for (int column = 0; status == SS_OK && column < 2 * s->n_free; column++)
    status = finish_column (s, t, column);
  for (int k = 0; k < s->n_free; k++)
    SM_ELEMENT_D (matrix, k, s->n_free + k) = 1;
  return verdict (s, status);
}

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

/* Keeps the library's message instead of printing it. */
static void
keep_message (int code, const char *module, const char *function, char *text, void *data)
{
  Stepper *s = data;
  (void)module, (void)function;
  if (code < 0)
    snprintf (s->message, sizeof s->message, "%s", text);
}

static void
stepper_free (void *integrator)
{
  Stepper *s = integrator;
  if (s == NULL)
    return;
  if (s->cvode != NULL)
    CVodeFree (&s->cvode);
  if (s->solver != NULL)
    SUNLinSolFree (s->solver);
  if (s->matrix != NULL)
    SUNMatDestroy (s->matrix);
  N_Vector vectors[] = {s->y, s->yq, s->estimate, s->weight};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    if (vectors[i] != NULL)
      N_VDestroy (vectors[i]);
  if (s->context != NULL)
    SUNContext_Free (&s->context);
  ss_free (s->coordinate);
  ss_free (s->index);
  ss_stepper_free (s);
}

enum { N_VECTORS = 10 };

static SsStatus
allocate_state (Stepper *s, SsError *err)
{
  const SsScene *scene = s->base.scene;
  size_t n = 3 * (size_t)scene->n_bodies;
  s->coordinate = ss_new_array (int, n + 1);
  s->index = ss_new_array (int, n + 1);
  if (s->coordinate == NULL || s->index == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the state of %d bodies", scene->n_bodies);
  double **vectors[] = {&s->start,   &s->q,        &s->v,        &s->a,     &s->f,
                        &s->f_moved, &s->q_locked, &s->v_locked, &s->q_end, &s->v_end};
  for (int i = 0; i < N_VECTORS; i++)
    *vectors[i] = ss_stepper_vector (&s->base, i);
  s->quads = ss_stepper_vector (&s->base, N_VECTORS);
  s->held = s->quads + N_QUADS * scene->n_contacts;
  for (size_t i = 0; i < n; i++) {
    s->start[i] = scene->bodies[i / 3].q[i % 3];
    s->index[i] = -1;
    if (s->base.problem->inverse_mass[i] > 0) {
      s->index[i] = s->n_free;
      s->coordinate[s->n_free++] = (int)i;
    }
  }
  if (s->n_free > COORDINATES_MAX)
    return ss_error_set (err, SS_ERR_ARG,
                         "cvode solves with full matrices, for at most %d free coordinates; the scene has %d",
                         COORDINATES_MAX, s->n_free);
  return SS_OK;
}

/* The library's objects. They know the stepper by its address. */
static SsStatus
allocate_library (Stepper *s, SsError *err)
{
  const Options *o = &s->options;
  int n = 2 * s->n_free, n_quads = N_QUADS * s->base.scene->n_contacts;
  if (SUNContext_Create (NULL, &s->context) != 0)
    goto no_memory;
  s->y = N_VNew_Serial (n, s->context);
  s->estimate = N_VNew_Serial (n, s->context);
  s->weight = N_VNew_Serial (n, s->context);
  s->yq = N_VNew_Serial (n_quads + 1, s->context);
  s->matrix = SUNDenseMatrix (n, n, s->context);
  if (s->y == NULL || s->estimate == NULL || s->weight == NULL || s->yq == NULL || s->matrix == NULL)
    goto no_memory;
  s->solver = SUNLinSol_Dense (s->y, s->matrix, s->context);
  s->cvode = CVodeCreate (CV_BDF, s->context);
  if (s->solver == NULL || s->cvode == NULL)
    goto no_memory;
  N_VConst (0, s->y);
  N_VConst (0, s->yq);
  if (CVodeSetErrHandlerFn (s->cvode, keep_message, s) != CV_SUCCESS ||
      CVodeInit (s->cvode, evaluate, 0, s->y) != CV_SUCCESS || CVodeSetUserData (s->cvode, s) != CV_SUCCESS ||
      CVodeSStolerances (s->cvode, o->rtol, o->atol) != CV_SUCCESS ||
      CVodeSetLinearSolver (s->cvode, s->solver, s->matrix) != CV_SUCCESS ||
      CVodeSetJacFn (s->cvode, evaluate_jacobian) != CV_SUCCESS ||
      CVodeSetLSetupFrequency (s->cvode, 1) != CV_SUCCESS || CVodeSetJacEvalFrequency (s->cvode, 1) != CV_SUCCESS ||
      CVodeSetMaxOrd (s->cvode, o->max_order) != CV_SUCCESS ||
      CVodeSetMaxNumSteps (s->cvode, o->max_steps) != CV_SUCCESS)
    goto refused;
  if (s->base.scene->n_contacts > 0 && CVodeQuadInit (s->cvode, evaluate_quadratures, s->yq) != CV_SUCCESS)
    goto refused;
  if (o->roots && s->base.problem->n_memory > 0 &&
      (CVodeRootInit (s->cvode, s->base.problem->n_memory, evaluate_roots) != CV_SUCCESS ||
       CVodeSetNoInactiveRootWarn (s->cvode) != CV_SUCCESS))
    goto refused;
  return SS_OK;

no_memory:
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for CVODE and %d coordinates", s->n_free);
refused:
  return ss_error_set (err, SS_ERR_MEMORY, "CVODE could not be set up: %s", s->message);
}

static SsStatus
stepper_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  static const SsStepperLayout layout = {sizeof (Stepper), offsetof (Stepper, options), &table, N_VECTORS};
  void *stepper = NULL;
  const size_t n_more = N_QUADS * (size_t)scene->n_contacts + (size_t)scene->n_actuators;
  SsStatus status = ss_stepper_new (&layout, scene, options, n_more, &stepper, err);
  if (status != SS_OK)
    return status;
  Stepper *s = stepper;
  s->bad_coordinate = -1;
  status = allocate_state (s, err);
  if (status != SS_OK)
    goto fail;
  if (s->n_free > 0)
    status = allocate_library (s, err);
  if (status != SS_OK)
    goto fail;
  *integrator = s;
  return SS_OK;

fail:
  stepper_free (s);
  return status;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool
is_same_time (double a, double b)
{
  return fabs (a - b) <= same_time_roundings * DBL_EPSILON * fmax (fabs (a), fabs (b));
}

/* The coordinate that the library had most trouble with. */
static int
worst_coordinate (Stepper *s)
{
  if (s->bad_coordinate >= 0)
    return s->bad_coordinate;
  if (CVodeGetEstLocalErrors (s->cvode, s->estimate) != CV_SUCCESS ||
      CVodeGetErrWeights (s->cvode, s->weight) != CV_SUCCESS)
    return -1;
  const double *estimate = N_VGetArrayPointer (s->estimate), *weight = N_VGetArrayPointer (s->weight);
  int worst = 0;
  for (int k = 1; k < 2 * s->n_free; k++)
    if (fabs (estimate[k]) * weight[k] > fabs (estimate[worst]) * weight[worst])
      worst = k;
  return s->coordinate[worst % s->n_free];
}

/* Says what went wrong, where and when. */
static SsStatus
explain (Stepper *s, int flag, double t, SsError *err)
{
  static const char *const coordinate_names[] = {"x", "y", "theta"};
  const char *what = s->message;
  char steps[64], where[96] = "";
  if (s->status == SS_ERR_MEMORY || flag == CV_MEM_FAIL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a step of CVODE at t = %.9g s", t);
  if (flag == CV_TOO_MUCH_WORK) {
    snprintf (steps, sizeof steps, "%d internal steps did not suffice (max-steps)", s->options.max_steps);
    what = steps;
  } else if (flag == CV_TOO_MUCH_ACC)
    what = "rtol and atol ask for more than the precision of numbers";
  else if (s->bad_coordinate >= 0)
    what = "a coordinate or force is not finite";
  else if (flag == CV_ERR_FAILURE)
    what = "the error test fails with the shortest step";
  else if (flag == CV_CONV_FAILURE)
    what = "Newton's method fails with the shortest step";
  else if (s->status != SS_OK && s->error.message[0] != '\0') /* of the joints: names them */
    what = s->error.message;
  int worst = worst_coordinate (s);
  if (worst >= 0)
    snprintf (where, sizeof where, ", body %.64s, coordinate %s", s->base.scene->bodies[worst / 3].name,
              coordinate_names[worst % 3]);
  return ss_error_set (err, SS_ERR_SINGULAR, "cvode at t = %.9g s%s: %s", t, where, what);
}

/* From the caller's state. */
static int
start (Stepper *s, const SsSimState *state)
{
  double *y = N_VGetArrayPointer (s->y);
  for (int k = 0; k < s->n_free; k++) {
    y[k] = state->q[s->coordinate[k]] - s->start[s->coordinate[k]];
    y[s->n_free + k] = state->v[s->coordinate[k]];
  }
  N_VConst (0, s->yq);
  memset (s->quads, 0, N_QUADS * (size_t)s->base.scene->n_contacts * sizeof *s->quads);
  int flag = CVodeReInit (s->cvode, state->t, s->y);
  if (flag == CV_SUCCESS && s->base.scene->n_contacts > 0)
    flag = CVodeQuadReInit (s->cvode, s->yq);
  return flag;
}

/* On from a root, where the forces jump: the history before it says nothing. */
static int
start_again (Stepper *s, double t)
{
  double t_quads;
  int flag = CV_SUCCESS;
  if (s->base.scene->n_contacts > 0)
    flag = CVodeGetQuad (s->cvode, &t_quads, s->yq);
  if (flag == CV_SUCCESS)
    flag = CVodeReInit (s->cvode, t, s->y);
  if (flag == CV_SUCCESS && s->base.scene->n_contacts > 0)
    flag = CVodeQuadReInit (s->cvode, s->yq);
  return flag;
}

/* s->y and s->yq at time t1. *reached tells how far it came. */
static int
integrate (Stepper *s, double t0, double t1, double *reached)
{
  int flag = CV_SUCCESS;
  *reached = t0;
  for (int n_roots = 0; n_roots <= s->options.max_steps; n_roots++) {
    flag = CVode (s->cvode, t1, s->y, reached, CV_NORMAL);
    if (flag != CV_ROOT_RETURN)
      break;
    flag = start_again (s, *reached);
    if (flag != CV_SUCCESS || is_same_time (*reached, t1))
      return flag;
    flag = CV_TOO_MUCH_WORK; /* unless it goes on */
  }
  double t_quads;
  if (flag >= 0 && s->base.scene->n_contacts > 0)
    flag = CVodeGetQuad (s->cvode, &t_quads, s->yq);
  return flag;
}

/* Forces of the joints at the step's end, as over the whole step. */
static void
report_joints (Stepper *s, double dt, SsSimState *state)
{
  SsContactProblem *problem = s->base.problem;
  const int n = SS_JOINT_N_FORCES * s->base.scene->n_joints;
  if (n == 0 || state->joint == NULL || s->n_free == 0)
    return;
  const bool is_known = evaluate (state->t, s->y, s->estimate, s) == 0;
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].p *= is_known ? dt : NAN;
  for (int i = 0; i < problem->n_points; i++)
    problem->points[i].pn *= is_known ? dt : NAN;
  ss_contact_problem_add_joints (problem, state->joint);
}

/* Channels of the contacts over the step. */
static void
report (Stepper *s, double dt, SsSimState *state)
{
  const SsScene *scene = s->base.scene;
  const double *now = s->n_free > 0 ? N_VGetArrayPointer (s->yq) : s->quads;
  for (int i = 0; i < scene->n_contacts; i++) {
    double *values = state->contact + SS_SIM_N_CONTACT_VALUES * i, *before = s->quads + N_QUADS * i;
    const double *quads = now + N_QUADS * i;
    values[SS_SIM_GAP] =
        scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX ? ss_scene_contact_gap (scene, i, state->q) : INFINITY;
    values[SS_SIM_IMPULSE_N] = quads[QUAD_IMPULSE_N] - before[QUAD_IMPULSE_N];
    values[SS_SIM_IMPULSE_T] = quads[QUAD_IMPULSE_T] - before[QUAD_IMPULSE_T];
    values[SS_SIM_LAMBDA_N] = values[SS_SIM_IMPULSE_N] / dt;
    values[SS_SIM_LAMBDA_T] = values[SS_SIM_IMPULSE_T] / dt;
    if (state->dissipated != NULL)
      state->dissipated[i] += quads[QUAD_WORK] - before[QUAD_WORK];
    memcpy (before, quads, N_QUADS * sizeof *before);
  }
}

static SsStatus
stepper_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  Stepper *s = integrator;
  const double dt = step->dt;
  size_t size = 3 * (size_t)s->base.scene->n_bodies * sizeof *state->q;
  const size_t controls_size = (size_t)s->base.scene->n_actuators * sizeof *s->held;
  double reached = state->t, t1 = state->t + dt;
  long before = 0, after = 0;
  s->message[0] = s->error.message[0] = '\0';
  s->status = SS_OK;
  s->bad_coordinate = -1;
  s->n_bad = 0;
  s->controls = step->controls;
  s->joint_rate = fmin (joint_rate_most, 1 / (s->h_last > 0 ? s->h_last : dt));
  /* Where the forces have a kink the history before it says nothing, and no step goes over it. Nor does the library's
   * own step, which may reach beyond the last one's end, know of controls that act from there on. */
  const bool starts_at_break = s->is_started && isfinite (s->t_break) && is_same_time (state->t, s->t_break);
  s->t_break = ss_scene_next_break (s->base.scene, state->t);
  bool goes_on = s->is_started && !starts_at_break && is_same_time (s->t_end, state->t) &&
                 memcmp (s->q_end, state->q, size) == 0 && memcmp (s->v_end, state->v, size) == 0 &&
                 (step->controls == NULL || memcmp (s->held, step->controls, controls_size) == 0);
  s->is_started = false;
  if (step->controls != NULL)
    memcpy (s->held, step->controls, controls_size);
  if (!goes_on) {
    memcpy (s->q_locked, state->q, size);
    memcpy (s->v_locked, state->v, size);
    s->t_locked = state->t;
  }
  if (s->n_free > 0) {
    int flag = goes_on ? CV_SUCCESS : start (s, state);
    if (flag == CV_SUCCESS && s->base.scene->n_breaks > 0) /* it keeps the last one: none is far away */
      flag = CVodeSetStopTime (s->cvode, fmin (s->t_break, never));
    if (flag == CV_SUCCESS)
      flag = CVodeSetMaxStep (s->cvode, s->options.max_step > 0 ? s->options.max_step : dt);
    CVodeGetNumNonlinSolvIters (s->cvode, &before);
    if (flag == CV_SUCCESS)
      flag = integrate (s, state->t, t1, &reached);
    if (flag < 0)
      return explain (s, flag, reached, err);
    CVodeGetNumNonlinSolvIters (s->cvode, &after);
    CVodeGetLastStep (s->cvode, &s->h_last);
  }
  unpack (s, t1, s->n_free > 0 ? N_VGetArrayPointer (s->y) : NULL);
  memcpy (state->q, s->q, size);
  memcpy (state->v, s->v, size);
  memcpy (s->q_end, s->q, size);
  memcpy (s->v_end, s->v, size);
  state->t = s->t_end = t1;
  s->is_started = true;
  report (s, dt, state);
  report_joints (s, dt, state);
  *info = (SsStepInfo){.n_points = s->base.problem->n_points, .pivots = (int)(after > before ? after - before : after)};
  return SS_OK;
}

/* ---- the class --------------------------------------------------------------------------------------------------- */

static const char *
caveat (const SsScene *scene, const void *options)
{
  const Options *o = options;
  double gravity = hypot (scene->gravity.x, scene->gravity.y);
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    double stiffness = c->stiffness > 0 ? c->stiffness : o->stiffness;
    for (int side = 0; side < 2; side++) {
      const SsBody *body = &scene->bodies[side == 0 ? c->body_a : c->body_b];
      if (!ss_body_is_immovable (body) && gravity > 0 &&
          body->mass * gravity < depth_over_tolerance * o->atol * stiffness)
        return "atol is not small against the depth m g/K at which bodies rest: lower it";
    }
  }
  return NULL;
}

const SsIntegratorClass ss_integrator_cvode = {
    .name = "cvode",
    .label = "CVODE (penalty)",
    .summary = "Contact by spring, damper and friction, solved by SUNDIALS' BDF to a tolerance with steps of its own; "
               "penetrates and creeps.",
    .solves = "Contacts are springs and dampers that push only (penalty), friction a smooth function of the slip that "
              "tends to mu times the normal force: impacts last, and what they give back follows from the damper.",
    .options = &table,
    .new_ = stepper_new,
    .step = stepper_step,
    .free_ = stepper_free,
    .uses = SS_USES_CONTACT_STIFFNESS | SS_USES_CONTACT_DAMPING | SS_USES_COMPLIANCE | SS_USES_TIME,
    .contact_law = {.place = SS_LAW_WITHIN},
    .caveat = caveat,
};
