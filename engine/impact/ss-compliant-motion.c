/* engine/impact/ss-compliant-motion.c: Radau IIA of order 5 for a compliant study, cut at the changes of its pieces.
 *
 *     V_i = v0 + h sum_j a_ij F (Q_j, V_j),   Q_i = q0 + h sum_j a_ij V_j,   i = 1..3
 * Newton's method on the three velocities at once, Q eliminated, with derivatives at every stage. Error estimate and
 * step control as in Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8.
 */
#include "impact/ss-compliant-private.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 3, NEWTON_MAX = 12, STEPS_MAX = 100000, SWITCHES_MAX = 5000, LOCATE_MAX = 60, SECANTS_MAX = 12 };
/* Newton's method ends when a change is this part of the error allowed: its next one is then far below. */
static const double newton_part = 1e-3;
/* It also ends with changes of this part that no longer shrink. */
static const double rounding_part = 0.1;
/* Coordinates that stand still count as moving at this part of the largest speed. */
static const double others = 1e-2;
/* Steps start at this part of the time limit and grow by at most this factor each time. */
static const double first_part = 1e-9, growth = 8;
/* Of ways, the error allowed is that of speeds times this [s] besides rtol of the way itself. */
static const double way_time = 1e-2;
/* After a change of piece the next step is this part of the last one. */
static const double after_switch = 0.1;
/* What ends a search for a change: gap [m], part of the weight of force, of epsilon, and speed [m/s]. */
static const double near_gap = 1e-14, near_force = 1e-9, near_slip = 1e-3, near_speed = 1e-14;

static const double root6 = 2.449489742783178098197284;
/* 81^(1/3) - 9^(1/3) */
static const double root_difference = 2.246647647306165;

typedef struct {
  double a[STAGES][STAGES], c[STAGES], e[STAGES];
  double gamma; /* the real eigenvalue of the inverse of a */
} Radau;

static Radau
radau_coefficients (void)
{
  const double s = root6;
  return (Radau){
      .a = {{(88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225},
            {(296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225},
            {(16 - s) / 36, (16 + s) / 36, 1.0 / 9}},
      .c = {(4 - s) / 10, (4 + s) / 10, 1},
      .e = {-(13 + 7 * s) / 3, (-13 + 7 * s) / 3, -1.0 / 3},
      .gamma = 30 / (6 + root_difference),
  };
}

typedef struct {
  SsCompliant *study;
  Radau radau;
  SsPieces pieces;
  double top_speed;                   /* largest of the state's velocities */
  double h;                           /* of the stages that are there */
  double last_h;                      /* of the last accepted step in these pieces; 0: none */
  SsCompliantPoint start[2];          /* at the step's start                */
  SsCompliantPoint points[STAGES][2]; /* at the stages                      */
  double least_impulse;               /* what both must exceed at the end   */
  int first;                          /* contact that touched first; -1     */
  double first_impulse;               /* when the other touched; NaN        */
  SsCompliantResult *result;
} Motion;

/* ---- one step ---------------------------------------------------------------------------------------------------- */

/* Weights of the stages in the polynomial through them and 0 at the step's start, at part s of the step. */
static void
lagrange (const Radau *radau, double s, double weight[STAGES])
{
  for (int i = 0; i < STAGES; i++) {
    weight[i] = s / radau->c[i];
    for (int j = 0; j < STAGES; j++)
      if (j != i)
        weight[i] *= (s - radau->c[j]) / (radau->c[i] - radau->c[j]);
  }
}

static void
guess_stages (Motion *motion, double h)
{
  SsCompliant *s = motion->study;
  size_t n = (size_t)s->n;
  if (!(motion->last_h > 0)) {
    memset (s->stage, 0, STAGES * n * sizeof (double));
    return;
  }
  double weight[STAGES];
  for (int i = 0; i < STAGES; i++) {
    lagrange (&motion->radau, 1 + motion->radau.c[i] * h / motion->last_h, weight);
    for (size_t k = 0; k < n; k++)
      s->stage[i * (int)n + (int)k] =
          weight[0] * s->last_stage[k] + weight[1] * s->last_stage[n + k] + (weight[2] - 1) * s->last_stage[2 * n + k];
  }
}

/* Place and velocity of a stage, into trial. */
static void
stage_state (Motion *motion, double h, int stage)
{
  SsCompliant *s = motion->study;
  int n = s->n;
  for (int k = 0; k < n; k++) {
    double way = motion->radau.c[stage] * s->state.v[k];
    for (int j = 0; j < STAGES; j++)
      way += motion->radau.a[stage][j] * s->stage[j * n + k];
    s->trial.d[k] = s->state.d[k] + h * way;
    s->trial.v[k] = s->state.v[k] + s->stage[stage * n + k];
  }
  s->trial.t = s->state.t + motion->radau.c[stage] * h;
}

/* Error allowed of a speed of that size: rounding spreads from the fastest coordinate to all others. */
static double
scale_of (const Motion *motion, double speed)
{
  const SsCompliantOptions *o = &motion->study->options;
  return o->atol + o->rtol * fmax (fabs (speed), others * motion->top_speed);
}

static SsStatus
evaluate_stages (Motion *motion, double h, bool with_derivatives, SsError *err)
{
  SsCompliant *s = motion->study;
  size_t n = (size_t)s->n;
  for (int i = 0; i < STAGES; i++) {
    stage_state (motion, h, i);
    double *jd = with_derivatives ? s->stage_jd + (size_t)i * n * n : NULL;
    double *jv = with_derivatives ? s->stage_jv + (size_t)i * n * n : NULL;
    SsStatus status = ss_compliant_evaluate (s, &motion->pieces, s->trial.t, s->trial.d, s->trial.v,
                                             s->stage_a + (size_t)i * n, jd, jv, motion->points[i], err);
    if (status != SS_OK)
      return status;
  }
  return SS_OK;
}

/* 1 - h A J_v - h^2 A J_d A, with the derivatives of each stage. */
static void
fill_matrix (Motion *motion, double h)
{
  SsCompliant *s = motion->study;
  int n = s->n, size = STAGES * n;
  const Radau *r = &motion->radau;
  for (int i = 0; i < STAGES; i++)
    for (int k = 0; k < STAGES; k++)
      for (int col = 0; col < n; col++)
        for (int row = 0; row < n; row++) {
          int at = col * n + row;
          double sum = i == k && row == col ? 1 : 0;
          sum -= h * r->a[i][k] * s->stage_jv[k * n * n + at];
          for (int j = 0; j < STAGES; j++)
            sum -= h * h * r->a[i][j] * r->a[j][k] * s->stage_jd[j * n * n + at];
          s->matrix[(k * n + col) * size + i * n + row] = sum;
        }
}

/* Solves for the stages of a step of length h. *converged false: a shorter step is needed. */
static SsStatus
solve_stages (Motion *motion, double h, bool *converged, SsError *err)
{
  SsCompliant *s = motion->study;
  int n = s->n, size = STAGES * n;
  double before = INFINITY;
  *converged = false;
  guess_stages (motion, h);
  for (int iteration = 0; iteration < NEWTON_MAX; iteration++) {
    SsStatus status = evaluate_stages (motion, h, true, err);
    if (status != SS_OK)
      return status;
    fill_matrix (motion, h);
    for (int i = 0; i < STAGES; i++)
      for (int k = 0; k < n; k++) {
        double sum = -s->stage[i * n + k];
        for (int j = 0; j < STAGES; j++)
          sum += h * motion->radau.a[i][j] * s->stage_a[j * n + k];
        s->change[i * n + k] = sum;
      }
    if (ss_dense_lu (size, s->matrix, size, s->pivot) != SS_OK)
      return SS_OK;
    ss_dense_lu_solve (size, s->matrix, size, s->pivot, s->change);
    double norm = 0;
    for (int i = 0; i < size; i++) {
      s->stage[i] += s->change[i];
      norm = fmax (norm, fabs (s->change[i]) / scale_of (motion, s->state.v[i % n]));
    }
    if (!isfinite (norm) || (iteration > 2 && norm > 2 * before))
      return SS_OK;
    bool is_rounding = iteration > 1 && norm <= rounding_part && norm > 0.1 * before;
    if (norm <= newton_part || is_rounding) {
      *converged = true;
      motion->h = h;
      return evaluate_stages (motion, h, false, err);
    }
    before = norm;
  }
  return SS_OK;
}

/* (gamma/h - J) e = w for places and velocities, w given as w_d in trial.d and w_v in trial.v; e replaces them. */
static bool
filter_error (Motion *motion)
{
  SsCompliant *s = motion->study;
  int n = s->n;
  double g = motion->radau.gamma / motion->h;
  for (int c = 0; c < n; c++)
    for (int r = 0; r < n; r++) {
      s->matrix[c * n + r] = (r == c ? g : 0) - s->jv[c * n + r] - s->jd[c * n + r] / g;
      s->trial.v[r] += s->jd[c * n + r] / g * s->trial.d[c];
    }
  if (ss_dense_lu (n, s->matrix, n, s->pivot) != SS_OK)
    return false;
  ss_dense_lu_solve (n, s->matrix, n, s->pivot, s->trial.v);
  for (int k = 0; k < n; k++)
    s->trial.d[k] = (s->trial.d[k] + s->trial.v[k]) / g;
  return true;
}

/* Estimated error over the error allowed. */
static double
step_error (Motion *motion)
{
  SsCompliant *s = motion->study;
  const Radau *r = &motion->radau;
  int n = s->n;
  double h = motion->h;
  for (int k = 0; k < n; k++) {
    double sum_d = s->state.v[k], sum_v = s->a[k];
    for (int i = 0; i < STAGES; i++) {
      double way = r->c[i] * s->state.v[k];
      for (int j = 0; j < STAGES; j++)
        way += r->a[i][j] * s->stage[j * n + k];
      sum_d += r->e[i] * way;
      sum_v += r->e[i] / h * s->stage[i * n + k];
    }
    s->trial.d[k] = sum_d;
    s->trial.v[k] = sum_v;
  }
  if (!filter_error (motion))
    return INFINITY;
  double sum = 0;
  for (int k = 0; k < n; k++) {
    double speed = fmax (fabs (s->state.v[k]), fabs (s->state.v[k] + s->stage[2 * n + k]));
    double of_v = s->trial.v[k] / scale_of (motion, speed);
    double of_d = s->trial.d[k] / (s->options.atol * way_time + s->options.rtol * fabs (s->state.d[k]));
    sum += of_v * of_v + of_d * of_d;
  }
  return sqrt (sum / (2 * n));
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static int
slip_of (const SsCompliant *study, double vt)
{
  double epsilon = study->options.slip_speed;
  return vt > epsilon ? 1 : vt < -epsilon ? -1 : 0;
}

/* Pieces at the start, from the points alone. */
static SsPieces
first_pieces (const SsCompliant *study, const SsCompliantPoint points[2])
{
  SsPieces pieces;
  for (int c = 0; c < 2; c++) {
    pieces.piece[c] = points[c].phi > 0 ? SS_PIECE_APART : points[c].push > 0 ? SS_PIECE_PRESSING : SS_PIECE_LET_GO;
    pieces.slip[c] = slip_of (study, points[c].vt);
  }
  return pieces;
}

/* What holds within a piece, >= 0 there, in units of what is near enough to 0: three of each contact, and that the
 * impact has not ended. */
enum { CONTACT_GUARDS = 3, END_GUARD = 2 * CONTACT_GUARDS, GUARDS };
static void
find_contact_guards (const Motion *motion, int c, const SsCompliantPoint *p, double guard[CONTACT_GUARDS])
{
  const SsCompliant *s = motion->study;
  double epsilon = s->options.slip_speed, slip = near_slip * epsilon;
  double force = near_force * (s->damping[c] * s->speed + DBL_MIN);
  guard[0] = guard[1] = guard[2] = INFINITY;
  switch (motion->pieces.piece[c]) {
  case SS_PIECE_APART:
    guard[0] = p->phi / near_gap;
    break;
  case SS_PIECE_LET_GO:
    guard[0] = -p->phi / near_gap;
    guard[1] = -p->push / force;
    break;
  case SS_PIECE_PRESSING:
    guard[0] = p->push / force;
    if (s->mu[c] <= 0)
      break;
    if (motion->pieces.slip[c] != 0) {
      guard[1] = (motion->pieces.slip[c] * p->vt - epsilon) / slip;
    } else {
      guard[1] = (epsilon - p->vt) / slip;
      guard[2] = (epsilon + p->vt) / slip;
    }
    break;
  }
}

/* How far the end of the impact is away: < 0 when it is over. */
static double
end_guard (const Motion *motion, const SsCompliantPoint points[2], const double impulse[2])
{
  const SsCompliant *s = motion->study;
  double least = INFINITY;
  for (int c = 0; c < 2; c++) {
    if (motion->pieces.piece[c] != SS_PIECE_APART)
      least = fmin (least, points[c].vn + s->options.stop_speed);
    least = fmin (least, (impulse[c] - motion->least_impulse) / s->total_mass);
  }
  return -least / near_speed;
}

/* Guards at these points with these normal impulses. Returns the least. */
static double
find_guards (const Motion *motion, const SsCompliantPoint points[2], const double impulse[2], double guard[GUARDS])
{
  find_contact_guards (motion, 0, &points[0], guard);
  find_contact_guards (motion, 1, &points[1], guard + CONTACT_GUARDS);
  guard[END_GUARD] = end_guard (motion, points, impulse);
  double least = INFINITY;
  for (int i = 0; i < GUARDS; i++)
    least = fmin (least, guard[i]);
  return least;
}

/* The same at the end of the stages that are there. */
static double
find_guards_at_end (const Motion *motion, double guard[GUARDS])
{
  double impulse[2];
  for (int c = 0; c < 2; c++) {
    impulse[c] = motion->result->impulse_n[c];
    for (int i = 0; i < STAGES; i++)
      impulse[c] += motion->h * motion->radau.a[2][i] * motion->points[i][c].lambda_n;
  }
  return find_guards (motion, motion->points[2], impulse, guard);
}

/* Enters the pieces that the points ask for. Returns the number of changes. */
static int
switch_pieces (Motion *motion, const SsCompliantPoint points[2])
{
  int changes = 0;
  double guard[CONTACT_GUARDS];
  for (int c = 0; c < 2; c++) {
    const SsCompliantPoint *p = &points[c];
    SsPiece *piece = &motion->pieces.piece[c];
    find_contact_guards (motion, c, p, guard);
    if (guard[0] >= 0 && guard[1] >= 0 && guard[2] >= 0)
      continue;
    changes++;
    int *slip = &motion->pieces.slip[c];
    if (*piece == SS_PIECE_PRESSING && guard[0] >= 0) {
      *slip = *slip != 0 ? 0 : guard[1] < 0 ? 1 : -1;
      continue;
    }
    SsPiece next = p->phi > 0 ? SS_PIECE_APART : p->push > 0 ? SS_PIECE_PRESSING : SS_PIECE_LET_GO;
    /* the gap of what lets go is below 0 but for rounding */
    *piece = *piece == SS_PIECE_PRESSING ? SS_PIECE_LET_GO : next;
    *slip = slip_of (motion->study, p->vt);
  }
  return changes;
}

/* ---- the way ----------------------------------------------------------------------------------------------------- */

/* A change that lies between the start and a stage, and is gone at the end: shortens the step to that stage.
 * *converged false: it has no solution that is found. */
static SsStatus
look_between (Motion *motion, bool *converged, SsError *err)
{
  double guard[GUARDS];
  *converged = true;
  for (int i = 0; i < STAGES - 1; i++)
    if (find_guards (motion, motion->points[i], motion->result->impulse_n, guard) < -1)
      return solve_stages (motion, motion->radau.c[i] * motion->h, converged, err);
  return SS_OK;
}

/* The first part of the way from low to high at which a line says that a guard becomes negative, aimed a little
 * beyond. */
static double
next_part (const double low[GUARDS], const double high[GUARDS])
{
  double part = 1;
  for (int i = 0; i < GUARDS; i++)
    if (high[i] < 0 && isfinite (low[i]))
      part = fmin (part, (fmax (low[i], 0) + 0.5) / (fmax (low[i], 0) - high[i]));
  return part < 1 ? part : 0.5;
}

/* Finds the first change within the step that is there, whose end is beyond one, and leaves the stages of the step to
 * just behind it: the rule of Illinois for all guards at once, with halves between should it be slow. *converged false:
 * a part of the step has no solution that is found. */
static SsStatus
locate (Motion *motion, bool *converged, SsError *err)
{
  double low = 0, high = motion->h, at_low[GUARDS], at_high[GUARDS], guard[GUARDS];
  double least = find_guards_at_end (motion, at_high);
  int side = 0; /* how often in a row the high (> 0) or low (< 0) end was moved */
  find_guards (motion, motion->start, motion->result->impulse_n, at_low);
  for (int i = 0; i < LOCATE_MAX && least < -1 && high - low > 4 * DBL_EPSILON * high; i++) {
    double part = i >= SECANTS_MAX && i % 2 == 0 ? 0.5 : next_part (at_low, at_high);
    double h = low + part * (high - low);
    SsStatus status = solve_stages (motion, h, converged, err);
    if (status != SS_OK || !*converged)
      return status;
    double found = find_guards_at_end (motion, guard);
    bool is_beyond = found < 0;
    side = is_beyond ? (side > 0 ? side + 1 : 1) : (side < 0 ? side - 1 : -1);
    double *moved = is_beyond ? at_high : at_low, *kept = is_beyond ? at_low : at_high;
    for (int k = 0; k < GUARDS; k++) {
      moved[k] = guard[k];
      kept[k] *= abs (side) > 1 ? 0.5 : 1;
    }
    if (is_beyond) {
      high = h;
      least = found;
    } else {
      low = h;
    }
  }
  return motion->h < high || motion->h > high ? solve_stages (motion, high, converged, err) : SS_OK;
}

/* Adds what the contacts did in the step that is there. Weights of the quadrature are the last row of a. */
static void
add_up (Motion *motion)
{
  SsCompliantResult *r = motion->result;
  const SsCompliant *s = motion->study;
  for (int c = 0; c < 2; c++) {
    if (motion->pieces.piece[c] != SS_PIECE_PRESSING)
      continue;
    for (int i = 0; i < STAGES; i++) {
      const SsCompliantPoint *p = &motion->points[i][c];
      double weight = motion->h * motion->radau.a[2][i];
      r->impulse_n[c] += weight * p->lambda_n;
      r->impulse_t[c] += weight * p->lambda_t;
      r->damper_loss[c] += weight * s->damping[c] * p->vn * p->vn;
      r->friction_loss[c] -= weight * p->lambda_t * p->vt;
    }
    double from = motion->start[c].phi, to = motion->points[2][c].phi;
    r->spring_work[c] += 0.5 * s->stiffness[c] * (to * to - from * from);
  }
}

static void
note_touch (Motion *motion)
{
  bool touch[2] = {motion->pieces.piece[0] != SS_PIECE_APART, motion->pieces.piece[1] != SS_PIECE_APART};
  if (motion->first < 0 && (touch[0] || touch[1]))
    motion->first = touch[0] ? 0 : 1;
  if (touch[0] && touch[1] && isnan (motion->first_impulse))
    motion->first_impulse = motion->result->impulse_n[motion->first];
}

/* Forces and derivatives at the state, in pieces that hold there. */
static SsStatus
begin (Motion *motion, SsError *err)
{
  SsCompliant *s = motion->study;
  SsStatus status;
  do {
    status = ss_compliant_evaluate (s, &motion->pieces, s->state.t, s->state.d, s->state.v, s->a, s->jd, s->jv,
                                    motion->start, err);
    if (status != SS_OK || switch_pieces (motion, motion->start) == 0)
      break;
    motion->last_h = 0;
  } while (motion->result->n_switches++ < SWITCHES_MAX);
  note_touch (motion);
  motion->top_speed = ss_norm_inf (s->n, s->state.v);
  return status;
}

static void
accept (Motion *motion)
{
  SsCompliant *s = motion->study;
  size_t size = (size_t)s->n * sizeof (double);
  add_up (motion);
  stage_state (motion, motion->h, STAGES - 1);
  memcpy (s->state.d, s->trial.d, size);
  memcpy (s->state.v, s->trial.v, size);
  s->state.t += motion->h;
  memcpy (s->last_stage, s->stage, STAGES * size);
  motion->last_h = motion->h;
  motion->result->n_steps++;
}

static SsStatus
fail (Motion *motion, const char *why)
{
  motion->result->outcome = SS_OUTCOME_FAILED;
  snprintf (motion->result->message, sizeof motion->result->message, "at %.6g s %s", motion->study->state.t, why);
  return SS_OK;
}

/* One step of at most *h, which becomes the next one's length. */
static SsStatus
step (Motion *motion, double *h, SsError *err)
{
  bool converged;
  SsStatus status = solve_stages (motion, *h, &converged, err);
  if (status != SS_OK)
    return status;
  double error = converged ? step_error (motion) : INFINITY;
  if (!(error <= 1)) {
    *h *= isfinite (error) ? fmax (0.1, 0.9 / sqrt (sqrt (error))) : 0.25;
    motion->result->n_rejected++;
    return SS_OK;
  }
  double next = *h * fmin (growth, 0.9 / sqrt (sqrt (fmax (error, 1e-12))));
  double guard[GUARDS];
  status = look_between (motion, &converged, err);
  if (status == SS_OK && converged && find_guards_at_end (motion, guard) < 0) {
    status = locate (motion, &converged, err);
    next = fmax (*h * after_switch, DBL_MIN);
  }
  if (status != SS_OK)
    return status;
  if (!converged) {
    *h *= 0.25;
    motion->result->n_rejected++;
    return SS_OK;
  }
  accept (motion);
  *h = next;
  return begin (motion, err);
}

SsStatus
ss_compliant_integrate (SsCompliant *study, SsRunControl *control, SsCompliantResult *result, SsError *err)
{
  SS_ASSERT (study != NULL && result != NULL);

  const SsCompliantOptions *o = &study->options;
  Motion motion = {.study = study, .radau = radau_coefficients (), .result = result, .first = -1};
  motion.first_impulse = NAN;
  motion.least_impulse = o->stop_impulse * study->total_mass * study->speed;
  study->state.t = 0;
  for (int k = 0; k < study->n; k++) {
    study->state.d[k] = 0;
    study->state.v[k] = study->v_start[study->coordinate[k]];
  }
  SsStatus status = ss_compliant_collect (study, 0, study->state.d, study->state.v, motion.start, err);
  if (status != SS_OK)
    return status;
  motion.pieces = first_pieces (study, motion.start);
  status = begin (&motion, err);
  double h = first_part * o->time_limit;
  while (status == SS_OK && result->outcome == SS_OUTCOME_COMPLETED) {
    if (end_guard (&motion, motion.start, result->impulse_n) < 0)
      break;
    if (ss_run_control_should_stop (control, &result->outcome))
      break;
    if (study->state.t >= o->time_limit) {
      result->outcome = SS_OUTCOME_STALLED;
      snprintf (result->message, sizeof result->message, "the contacts still approach after %g s", o->time_limit);
    } else if (result->n_steps + result->n_rejected > STEPS_MAX || result->n_switches > SWITCHES_MAX) {
      status = fail (&motion, "too many steps or changes of the contacts");
    } else if (h < DBL_EPSILON * DBL_EPSILON * o->time_limit) {
      status = fail (&motion, "the steps became too small");
    } else {
      h = fmin (h, o->time_limit - study->state.t);
      status = step (&motion, &h, err);
    }
  }
  result->t = study->state.t;
  for (int c = 0; c < 2; c++) {
    result->vn[c] = motion.start[c].vn;
    result->vt[c] = motion.start[c].vt;
  }
  if (motion.first >= 0 && result->impulse_n[motion.first] > 0)
    result->share_before_second = motion.first_impulse / result->impulse_n[motion.first];
  return status;
}
