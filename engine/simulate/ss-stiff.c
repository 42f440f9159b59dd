/* engine/simulate/ss-stiff.c: see ss-stiff.h. */
#include "simulate/ss-stiff-private.h"

#include <math.h>
#include <string.h>

/* What explicit pushes at a body may add up to: a mode of them stays within twice that, half of what is stable. */
static const double resolved_together = 2;
/* Ends of a spring nearer to each other have no direction [m]. */
static const double coincident = 1e-12;
/* Formulas whose impulses are off by more than this part are linearised again, until they are off by less than that. */
static const double far_off = 0.1, settled = 1e-9;
/* Impulses that are off by less than this part of the velocities are not. */
static const double still = 1e-9;
enum { ROUNDS_MAX = 30 };
/* An impulse beyond an actuator's bound by this part of it is rounding. */
static const double within = 1e-9;

const char *const ss_forces_choices[] = {"implicit", "explicit", NULL};

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static SsStatus
allocate (SsStiff *s, SsError *err)
{
  const SsScene *scene = s->scene;
  const size_t n = 3 * (size_t)scene->n_bodies, n_formulas = 3 * (size_t)scene->n_forces + (size_t)scene->n_actuators;
  s->n_pushes = 2 * scene->n_springs + scene->n_actuators;
  s->pushes = ss_new_array (SsPush, s->n_pushes + 1);
  s->first = ss_new_array (int, scene->n_bodies + 1);
  s->next = ss_new_array (int, 2 * s->n_pushes + 1);
  s->groups = ss_new_array (SsStiffGroup, scene->n_bodies + 1);
  s->group_of_body = ss_new_array (int, scene->n_bodies + 1);
  s->rows = ss_new_array (SsStiffRow, ss_contact_problem_stiff_rows_max (scene) + 1);
  s->kept = ss_new_array (SsStiffRow, ss_contact_problem_stiff_rows_max (scene) + 1);
  s->block = ss_new_array (double, 7 * n + (size_t)scene->n_bodies + n_formulas + 1);
  if (s->pushes == NULL || s->first == NULL || s->next == NULL || s->groups == NULL || s->group_of_body == NULL ||
      s->rows == NULL || s->kept == NULL || s->block == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the forces of %d bodies", scene->n_bodies);
  s->f = s->block;
  s->v_free = s->f + n;
  s->v = s->v_free + n;
  s->q0 = s->v + n;
  s->v0 = s->q0 + n;
  s->f0 = s->v0 + n;
  s->taken = s->f0 + n;
  s->load = s->taken + n;
  s->change = s->load + scene->n_bodies;
  return SS_OK;
}

SsStatus
ss_stiff_new (const SsScene *scene, int forces, SsStiff **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  SsSlopes *slopes = NULL;
  *out = NULL;
  if (forces == SS_FORCES_EXPLICIT)
    return SS_OK;
  SsStatus status = ss_slopes_new (scene, &slopes, err);
  if (status != SS_OK || (slopes == NULL && scene->n_springs == 0))
    return status;
  SsStiff *s = ss_new (SsStiff);
  if (s == NULL) {
    ss_slopes_free (slopes);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the forces of %d bodies", scene->n_bodies);
  }
  s->scene = scene;
  s->slopes = slopes;
  status = allocate (s, err);
  if (status != SS_OK) {
    ss_stiff_free (s);
    return status;
  }
  if (slopes != NULL)
    ss_stiff_make_groups (s);
  *out = s;
  return SS_OK;
}

void
ss_stiff_free (SsStiff *s)
{
  if (s == NULL)
    return;
  ss_slopes_free (s->slopes);
  ss_free (s->pushes);
  ss_free (s->first);
  ss_free (s->next);
  ss_free (s->groups);
  ss_free (s->group_of_body);
  ss_free (s->rows);
  ss_free (s->kept);
  ss_free (s->block);
  ss_free (s);
}

static bool
is_mover (const SsScene *scene, int body)
{
  return body >= 0 && !ss_body_is_immovable (&scene->bodies[body]);
}

/* ---- which pushes are stiff -------------------------------------------------------------------------------------- */

/* Where the end of a spring is on its body, from the body's origin; the world has its at the anchor. */
static SsVec2
arm_of (int body, SsVec2 anchor, const double *q)
{
  if (body < 0)
    return anchor;
  const double c = cos (q[3 * body + 2]), s = sin (q[3 * body + 2]);
  return (SsVec2){c * anchor.x - s * anchor.y, s * anchor.x + c * anchor.y};
}

/* A spring in tension resists being turned, with the stiffness tension/length. Stretch that the step itself makes is
 * none: it is gone at the step's end. */
static void
set_across (const SsStiff *s, const SsStiffRule *rule, int spring, const SsRow *along, const double *q, const double *v,
            SsRow *row)
{
  const SsSpring *a = &s->scene->springs[spring];
  const double length = along->phi + a->rest;
  const SsVec2 e = {-along->j[4], along->j[3]}, ra = arm_of (a->body_a, a->anchor_a, q),
               rb = arm_of (a->body_b, a->anchor_b, q);
  *row = *along;
  row->phi = row->gdv = row->damping = 0;
  const double made = rule->h * (fabs (ss_row_velocity (along, v)) + rule->h / 2 * fabs (along->gdv));
  if (a->is_torsion)
    row->stiffness = 0;
  else if (a->rest == 0)
    row->stiffness = along->stiffness;
  else
    row->stiffness = length > coincident ? along->stiffness * fmax (along->phi - made, 0) / length : 0;
  const double j[6] = {-e.x, -e.y, -(ra.x * e.y - ra.y * e.x), e.x, e.y, rb.x * e.y - rb.y * e.x};
  memcpy (row->j, j, sizeof j);
}

/* The ends' turn on the way is no longer small where they pass each other: then the row is taken as it is. */
static void
limit_bend (const SsStiff *s, int spring, double way, SsRow *row)
{
  const SsSpring *a = &s->scene->springs[spring];
  const double length = a->is_torsion ? 0 : row->phi + a->rest;
  if (way * way * fabs (row->gdv) > length)
    row->gdv = 0;
}

/* k and d of an actuator: how its formula varies along its own row. */
static void
set_actuator (SsStiff *s, const SsDynamics *dynamics, const SsStiffRule *rule, int i, const double *q, const double *v,
              SsPush *push)
{
  const SsActuator *a = &s->scene->actuators[i];
  const int formula = 3 * s->scene->n_forces + i, n = ss_slopes_count (s->slopes);
  const SsSlope *slopes = ss_slopes_get (s->slopes);
  const double *inverse = ss_dynamics_inverse_mass (dynamics);
  double k = 0, d = 0, rest = 0;
  push->force = ss_slopes_value (s->slopes, formula);
  push->change = s->change[formula];
  if (!ss_dynamics_actuator_row (dynamics, i, q, v, &push->row) || push->force <= a->lower || push->force >= a->upper)
    return;
  const double about = ss_row_mobility (&push->row, ss_dynamics_inverse_mass (dynamics));
  if (!(about > 0))
    return;
  for (int side = 0; side < 2; side++)
    for (int at = 0; at < n; at++)
      if (slopes[at].formula == formula && slopes[at].slot / 6 == push->row.body[side]) {
        const int c = slopes[at].slot % 6;
        const double along =
            slopes[at].value * inverse[3 * push->row.body[side] + c % 3] * push->row.j[3 * side + c % 3] / about;
        *(c < 3 ? &k : &d) -= along;
      }
  for (int at = 0; at < n; at++) { /* what does not push back where it is measured */
    const int b = slopes[at].slot / 6, c = slopes[at].slot % 6;
    if (slopes[at].formula != formula)
      continue;
    double own = 0;
    for (int side = 0; side < 2; side++)
      if (push->row.body[side] == b)
        own = (c < 3 ? k : d) * push->row.j[3 * side + c % 3];
    rest = fmax (rest, fabs (slopes[at].value + own) * (c < 3 ? rule->h : 1) * sqrt (inverse[3 * b + c % 3] * about));
  }
  s->is_left = s->is_left || rule->h * rest > SS_STIFF_RESOLVED;
  push->row.stiffness = k;
  push->row.damping = d;
}

static void
set_pushes (SsStiff *s, const SsDynamics *dynamics, const SsStiffRule *rule, const double *q, const double *v,
            const double *controls)
{
  const SsScene *scene = s->scene;
  memset (s->pushes, 0, (size_t)s->n_pushes * sizeof *s->pushes);
  if (scene->n_springs > 0 && (rule->which & SS_FORCE_SPRINGS)) {
    for (int i = 0; i < scene->n_springs; i++) {
      SsRow *along = &s->pushes[2 * i].row;
      ss_dynamics_spring_row (dynamics, i, q, v, along);
      if (!(rule->which & SS_FORCE_DAMPERS))
        along->damping = 0;
      set_across (s, rule, i, along, q, v, &s->pushes[2 * i + 1].row);
      limit_bend (s, i, rule->way, along);
    }
  }
  if (s->slopes != NULL && controls == NULL && (rule->which & SS_FORCE_ACTUATORS))
    for (int i = 0; i < scene->n_actuators; i++)
      set_actuator (s, dynamics, rule, i, q, v, &s->pushes[2 * scene->n_springs + i]);
  for (int i = 0; i < s->n_pushes; i++) {
    const SsRow *row = &s->pushes[i].row;
    s->pushes[i].zeta = fmax (rule->h * (rule->h * row->stiffness + row->damping), 0) *
                        ss_row_mobility (row, ss_dynamics_inverse_mass (dynamics));
  }
}

/* Half the sum of zeta of the pushes on a body that are not stiffer than this one. */
static double
together (const SsStiff *s, int push, int body)
{
  double sum = 0;
  for (int at = s->first[body]; at >= 0; at = s->next[at])
    if (s->pushes[at / 2].zeta <= s->pushes[push].zeta)
      sum += s->pushes[at / 2].zeta;
  return sum / resolved_together;
}

static void
weigh_pushes (SsStiff *s, const SsStiffRule *rule)
{
  const double threshold = ss_stiff_threshold (rule);
  const int n = s->scene->n_bodies;
  bool any = false;
  memset (s->load, 0, (size_t)n * sizeof *s->load);
  for (int i = 0; i < s->n_pushes; i++) {
    const SsPush *push = &s->pushes[i];
    any = any || push->zeta > threshold;
    for (int side = 0; side < 2; side++)
      if (push->zeta > 0 && is_mover (s->scene, push->row.body[side]))
        any = (s->load[push->row.body[side]] += push->zeta) > resolved_together || any;
  }
  if (!any)
    return;
  for (int b = 0; b < n; b++)
    s->first[b] = -1;
  for (int i = s->n_pushes - 1; i >= 0; i--)
    for (int side = 1; side >= 0; side--) {
      const int b = s->pushes[i].row.body[side];
      if (b < 0 || !(s->pushes[i].zeta > 0))
        continue;
      s->next[2 * i + side] = s->first[b];
      s->first[b] = 2 * i + side;
    }
  for (int i = 0; i < s->n_pushes; i++) {
    SsPush *push = &s->pushes[i];
    double zeta = push->zeta;
    for (int side = 0; side < 2; side++)
      if (push->zeta > 0 && is_mover (s->scene, push->row.body[side]))
        zeta = fmax (zeta, together (s, i, push->row.body[side]));
    push->weight = !(zeta > threshold) ? 0 : rule->is_end ? 1 : 1 - 1 / (zeta * zeta);
  }
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void
add_row (SsStiff *s, const SsStiffRule *rule, int i, const double *v)
{
  const SsPush *push = &s->pushes[i];
  const SsStiffWeights w = ss_stiff_weights (rule, push->weight);
  const double k = push->row.stiffness, d = push->row.damping, delta = rule->kick * (w.after * k + w.end * d);
  const double rate = ss_row_velocity (&push->row, v),
               bend = rule->bends ? 0.5 * (rule->h * w.after - rule->early * rule->early) : 0;
  SsStiffRow *row = &s->rows[s->n_rows];
  if (!(delta > 0))
    return;
  *row = (SsStiffRow){.row = {.row = push->row, .compliance = 1 / delta}, .lower = -INFINITY, .upper = INFINITY};
  row->row.row.kind = SS_ROW_STIFF;
  if (i < 2 * s->scene->n_springs) {
    row->row.bias = rule->kick * (k * (push->row.phi + bend * push->row.gdv) + d * (1 - w.end) * rate) / delta;
  } else {
    const SsActuator *a = &s->scene->actuators[i - 2 * s->scene->n_springs];
    const double shift = rule->is_end ? 0 : w.after;
    row->row.bias = -rate - rule->kick * (push->force + shift * push->change) / delta;
    row->lower = rule->kick * a->lower;
    row->upper = rule->kick * a->upper;
  }
  s->n_rows++;
}

/* v += scale M^-1 f along the rows of formulas, which are orthonormal in M^-1. */
static void
add_along_formulas (const SsStiff *s, const double *f, double scale, double *v)
{
  const double *inverse = ss_dynamics_inverse_mass (s->dynamics);
  for (int i = 0; i < 3 * s->scene->n_bodies; i++)
    s->v[i] = inverse[i] * f[i];
  for (int i = 0; i < s->n_formula_rows; i++) {
    const SsRow *row = &s->rows[i].row.row;
    const double along = scale * ss_row_velocity (row, s->v);
    for (int k = 0; k < 6; k++)
      if (row->body[k / 3] >= 0)
        v[3 * row->body[k / 3] + k % 3] += inverse[3 * row->body[k / 3] + k % 3] * row->j[k] * along;
  }
}

static void
keep_choice (SsStiff *s, SsDynamics *dynamics, const SsStiffRule *rule, double t, const double *q, const double *v)
{
  const size_t size = 3 * (size_t)s->scene->n_bodies * sizeof *q;
  s->may_settle = s->n_formula_rows > 0 && !rule->is_end;
  if (!s->may_settle)
    return;
  s->dynamics = dynamics;
  s->rule = *rule;
  s->t = t;
  memcpy (s->q0, q, size);
  memcpy (s->v0, v, size);
  ss_dynamics_forces (dynamics, SS_FORCE_FORMULAS, t, q, v, NULL, s->f0);
  memset (s->taken, 0, size);
  add_along_formulas (s, s->f0, 1, s->taken);
}

void
ss_stiff_choose (SsStiff *s, SsDynamics *dynamics, const SsStiffRule *rule, double t, const double *q, const double *v,
                 const double *controls)
{
  SS_ASSERT (rule != NULL && dynamics != NULL && q != NULL && v != NULL);

  if (s == NULL)
    return;
  s->n_rows = s->n_formula_rows = 0;
  s->is_left = s->may_settle = false;
  if (s->slopes != NULL) {
    const int n = ss_slopes_count (s->slopes);
    const SsSlope *slopes = ss_slopes_get (s->slopes);
    ss_slopes_find (s->slopes, t, q, v);
    memset (s->change, 0, (3 * (size_t)s->scene->n_forces + (size_t)s->scene->n_actuators) * sizeof *s->change);
    for (int k = 0; k < n; k++)
      if (slopes[k].slot % 6 < 3)
        s->change[slopes[k].formula] += slopes[k].value * v[3 * (slopes[k].slot / 6) + slopes[k].slot % 6];
    if (rule->which & SS_FORCE_FORMULAS)
      ss_stiff_add_formulas (s, dynamics, rule, t, q, v);
    s->n_formula_rows = s->n_rows;
    keep_choice (s, dynamics, rule, t, q, v);
  }
  set_pushes (s, dynamics, rule, q, v, controls);
  weigh_pushes (s, rule);
  for (int i = 0; i < s->n_pushes; i++)
    if (s->pushes[i].weight > 0)
      add_row (s, rule, i, v);
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static void
push_row (const SsRow *row, double force, double *f)
{
  for (int k = 0; k < 6; k++)
    if (row->body[k / 3] >= 0)
      f[3 * row->body[k / 3] + k % 3] += row->j[k] * force;
}

/* f += those of formulas without their part along the stiff rows, which are orthonormal in M^-1. */
static void
add_formulas (const SsStiff *s, SsDynamics *dynamics, double t, const double *q, const double *v,
              const double *controls, double *f)
{
  const double *inverse = ss_dynamics_inverse_mass (dynamics);
  const int n = 3 * s->scene->n_bodies;
  ss_dynamics_forces (dynamics, SS_FORCE_FORMULAS, t, q, v, controls, s->f);
  for (int i = 0; i < n; i++)
    s->v[i] = inverse[i] * s->f[i];
  for (int i = 0; i < s->n_formula_rows; i++)
    push_row (&s->rows[i].row.row, -ss_row_velocity (&s->rows[i].row.row, s->v), s->f);
  for (int i = 0; i < n; i++)
    f[i] += s->f[i];
}

void
ss_stiff_forces (const SsStiff *s, SsDynamics *dynamics, int which, double t, const double *q, const double *v,
                 const double *controls, double *f)
{
  SS_ASSERT (dynamics != NULL && q != NULL && v != NULL && f != NULL);

  if (s == NULL || s->n_rows == 0) {
    ss_dynamics_forces (dynamics, which, t, q, v, controls, f);
    return;
  }
  const SsScene *scene = s->scene;
  const double *inverse = ss_dynamics_inverse_mass (dynamics);
  const int springs = SS_FORCE_SPRINGS | SS_FORCE_DAMPERS;
  ss_dynamics_forces (dynamics, which & ~(springs | SS_FORCE_FORMULAS), t, q, v, controls, f);
  if (which & SS_FORCE_FORMULAS)
    add_formulas (s, dynamics, t, q, v, controls, f);
  for (int i = 0; i < scene->n_springs && (which & springs); i++) {
    SsRow row;
    if (s->pushes[2 * i].weight > 0)
      continue;
    ss_dynamics_spring_row (dynamics, i, q, v, &row);
    const double spring = which & SS_FORCE_SPRINGS ? row.stiffness * row.phi : 0,
                 damper = which & SS_FORCE_DAMPERS ? row.damping * ss_row_velocity (&row, v) : 0;
    push_row (&row, -spring - damper, f);
  }
  for (int i = 0; i < scene->n_actuators && (which & SS_FORCE_ACTUATORS); i++) {
    SsRow row;
    if (s->pushes[2 * scene->n_springs + i].weight > 0 && ss_dynamics_actuator_row (dynamics, i, q, v, &row))
      push_row (&row, -ss_dynamics_control (dynamics, i, t, q, v, controls), f);
  }
  for (int i = 0; i < 3 * scene->n_bodies; i++)
    if (!(inverse[i] > 0))
      f[i] = 0;
}

/* ---- solution ---------------------------------------------------------------------------------------------------- */

/* The impulse of a row beyond its bounds is taken back to them. */
static bool
is_beyond (const SsStiffRow *row, double *p)
{
  const double bound = fmin (fmax (*p, row->lower), row->upper);
  const bool is = fabs (*p - bound) > within * fabs (bound);
  *p = bound;
  return is;
}

/* One solution with the rows there are; those of the problem before them are `first`. */
static SsStatus
solve_rows (SsStiff *s, SsContactProblem *problem, int first, const double *v_free, double t, double *v,
            SsStepInfo *info, SsError *err)
{
  memcpy (s->v_free, v_free, 3 * (size_t)s->scene->n_bodies * sizeof *v_free);
  if (s->may_settle) { /* the rows may not be those that the free motion is without */
    for (int i = 0; i < 3 * s->scene->n_bodies; i++)
      s->v_free[i] += s->rule.kick * s->taken[i];
    add_along_formulas (s, s->f0, -s->rule.kick, s->v_free);
  }
  for (int i = 0; i < s->n_rows; i++)
    s->rows[i].is_done = false;
  for (;;) { /* ends: what is done stays done */
    bool any = false;
    problem->n_rows = first;
    for (int i = 0; i < s->n_rows; i++)
      if (!s->rows[i].is_done)
        problem->rows[problem->n_rows++] = s->rows[i].row;
    SsStatus status = ss_contact_problem_solve (problem, s->v_free, t, v, info, err);
    if (status != SS_OK)
      return status;
    for (int i = 0, at = first; i < s->n_rows; i++) {
      SsStiffRow *row = &s->rows[i];
      if (row->is_done)
        continue;
      row->row.p = problem->rows[at++].p;
      if (!is_beyond (row, &row->row.p))
        continue;
      any = row->is_done = true;
      ss_contact_problem_push_row (problem, &row->row.row, row->row.p, s->v_free);
    }
    if (!any)
      return SS_OK;
  }
}

/* By how much the impulses of the formulas' rows differ from what the formulas say at the end that v leads to, as a
 * part of either. */
static double
find_rest (SsStiff *s, const double *v)
{
  const double *inverse = ss_dynamics_inverse_mass (s->dynamics);
  const int n = 3 * s->scene->n_bodies;
  double off = 0, size = 0, fastest = 0;
  for (int i = 0; i < n; i++) {
    s->v[i] = s->q0[i] + s->rule.way * v[i];
    fastest = fmax (fastest, fmax (fabs (v[i]), fabs (s->v0[i])));
  }
  ss_dynamics_forces (s->dynamics, SS_FORCE_FORMULAS, s->t, s->v, v, NULL, s->f);
  for (int i = 0; i < n; i++)
    s->v[i] = s->rule.kick * inverse[i] * s->f[i];
  for (int i = 0; i < s->n_formula_rows; i++) {
    const double wanted = ss_row_velocity (&s->rows[i].row.row, s->v), p = s->rows[i].row.p;
    off = fmax (off, fabs (wanted - p));
    size = fmax (size, fmax (fabs (wanted), fabs (p)));
  }
  return off > still * (1 + fastest) ? off / size : 0;
}

/* The formulas' rows about the end that v leads to, then those of the pushes, as they were. */
static void
linearise_at_end (SsStiff *s, const double *v)
{
  const int n_formula_rows = s->n_formula_rows, n_rows = s->n_rows;
  SsStiffRule rule = s->rule;
  rule.is_end = true;
  for (int i = 0; i < 3 * s->scene->n_bodies; i++)
    s->v[i] = s->q0[i] + s->rule.way * v[i];
  memcpy (s->kept, s->rows, (size_t)n_rows * sizeof *s->rows);
  s->n_rows = 0;
  ss_slopes_find (s->slopes, s->t, s->v, v);
  ss_stiff_add_formulas (s, s->dynamics, &rule, s->t, s->v, v);
  s->n_formula_rows = s->n_rows;
  for (int i = n_formula_rows; i < n_rows; i++)
    s->rows[s->n_rows++] = s->kept[i];
}

/* Newton's method, where one linearisation is not enough: rounds that come nearer are kept. */
static SsStatus
settle (SsStiff *s, SsContactProblem *problem, int first, const double *v_free, double t, double *v, SsStepInfo *info,
        SsError *err)
{
  int pivots = info->pivots;
  double rest = find_rest (s, v);
  if (!(rest > far_off))
    return SS_OK;
  for (int round = 0; round < ROUNDS_MAX && rest > settled; round++) {
    const int n_formula_rows = s->n_formula_rows, n_rows = s->n_rows;
    linearise_at_end (s, v);
    SsStatus status = solve_rows (s, problem, first, v_free, t, v, info, err);
    if (status != SS_OK)
      return status;
    pivots += info->pivots;
    const double next = s->n_formula_rows < n_formula_rows ? INFINITY : find_rest (s, v);
    if (!(next < rest)) { /* a kink: the round before was as near as it gets */
      memcpy (s->rows, s->kept, (size_t)n_rows * sizeof *s->rows);
      s->n_formula_rows = n_formula_rows;
      s->n_rows = n_rows;
      status = solve_rows (s, problem, first, v_free, t, v, info, err);
      info->pivots += pivots;
      return status;
    }
    rest = next;
  }
  info->pivots = pivots;
  return SS_OK;
}

SsStatus
ss_stiff_solve (SsStiff *s, SsContactProblem *problem, const double *v_free, double t, double *v, SsStepInfo *info,
                SsError *err)
{
  SS_ASSERT (problem != NULL && v_free != NULL && v != NULL && info != NULL);

  while (problem->n_rows > 0 && problem->rows[problem->n_rows - 1].row.kind == SS_ROW_STIFF)
    problem->n_rows--;
  const int first = problem->n_rows;
  SsStatus status = s == NULL || s->n_rows == 0 ? ss_contact_problem_solve (problem, v_free, t, v, info, err)
                                                : solve_rows (s, problem, first, v_free, t, v, info, err);
  if (status == SS_OK && s != NULL && s->may_settle)
    status = settle (s, problem, first, v_free, t, v, info, err);
  info->is_left = s != NULL && s->is_left;
  return status;
}

void
ss_stiff_go_on (SsStiff *s)
{
  int n = 0;
  if (s != NULL)
    s->may_settle = false;
  for (int i = 0; s != NULL && i < s->n_rows; i++) {
    SsStiffRow *row = &s->rows[i];
    if (row->is_done)
      continue;
    row->row.bias += row->row.compliance * row->row.p;
    row->lower -= row->row.p;
    row->upper -= row->row.p;
    s->rows[n++] = *row;
  }
  if (s != NULL)
    s->n_rows = n;
}

void
ss_stiff_push (const SsStiff *s, const SsContactProblem *problem, const double *v, double *v_free)
{
  SS_ASSERT (problem != NULL && v != NULL && v_free != NULL);

  for (int i = 0; s != NULL && i < s->n_rows; i++) {
    const SsJointConstraint *row = &s->rows[i].row;
    double p = -(ss_row_velocity (&row->row, v) + row->bias) / row->compliance;
    is_beyond (&s->rows[i], &p);
    ss_contact_problem_push_row (problem, &row->row, p, v_free);
  }
}

bool
ss_stiff_is_left (const SsStiff *s)
{
  return s != NULL && s->is_left;
}
