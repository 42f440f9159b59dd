/* tests/ss-test-truth.h: rigid bodies with contacts whose switches have exact times, for tests: an event-driven
 * simulator that shares no code with the engine.
 *
 * Between events, in given modes of all contacts, accelerations and forces follow from
 *
 *     M a = f + J'l,   J a + J' v = 0   (pins; closed points along the normal, what sticks along the tangent as well)
 *
 * by elimination, and the motion by Gragg's midpoint rule with the extrapolation of Bulirsch and Stoer: six columns,
 * order 12. An event (a gap, a normal force, a slip or the room that friction has left vanishes) is the length of a
 * step at whose end it does. What follows is every combination of modes that the laws of Signorini and Coulomb allow,
 * at an impact those of Newton with friction; a motion that could go on in two ways is given up, as is one that
 * bounces without end, grazes, or has no answer.
 *
 * Points are round (a disc, the end of a capsule, a corner of radius 0) against a plane or another round one. Tangents
 * are normals turned by -90 degrees. Units: SI. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { TRUTH_BODIES = 5, TRUTH_POINTS = 8, TRUTH_PINS = 3, TRUTH_ROWS = 2 * TRUTH_PINS + 2 * TRUTH_POINTS };
enum { TRUTH_N = 3 * TRUTH_BODIES, TRUTH_STATE = 2 * TRUTH_N };

typedef enum { TRUTH_OPEN, TRUTH_STICK, TRUTH_PLUS, TRUTH_MINUS, TRUTH_N_MODES } TruthMode;

/* Of body b against body a, whose outward normal points to b; a == -1: the plane through the origin with `normal`. */
typedef struct {
  int a, b;
  double normal[2];
  double at_a[2], at_b[2]; /* centres of the roundings, in the frames of the bodies */
  double radius_a, radius_b, mu, e;
} TruthPoint;

/* a == -1: at_a is a place of the world. */
typedef struct {
  int a, b;
  double at_a[2], at_b[2];
} TruthPin;

typedef struct {
  int n_bodies, n_points, n_pins;
  double inverse[TRUTH_N]; /* of masses and inertias; 0: does not move */
  TruthPoint points[TRUTH_POINTS];
  TruthPin pins[TRUTH_PINS];
  double state[TRUTH_STATE]; /* q, v; x, y, angle of each body */
  /* the present */
  TruthMode modes[TRUTH_POINTS];
  double force[TRUTH_POINTS][2]; /* normal, tangential */
  int n_events;
  const char *why; /* it was given up; NULL: it was not */
} Truth;

static const double truth_gravity = 9.81;
/* A step between events [s]; gaps [m] and speeds [m/s] that count as none: far above rounding, far below motions. */
static const double truth_step = 4e-3, truth_none = 1e-9;
enum { TRUTH_EVENTS_MAX = 80, TRUTH_COLUMNS = 6 };

/* ---- kinematics -------------------------------------------------------------------------------------------------- */

/* A point of a body: its place from the body's centre turned into the world, place, velocity, and the acceleration
 * that it has where the body's accelerations are 0. */
typedef struct {
  double arm[2], place[2], speed[2], bend[2];
} TruthAt;

static inline TruthAt
truth_at (const Truth *t, int body, const double at[2], const double *y)
{
  TruthAt p = {.place = {at[0], at[1]}};
  if (body < 0)
    return p;
  const double *q = y + 3 * body, *v = y + 3 * t->n_bodies + 3 * body, c = cos (q[2]), s = sin (q[2]);
  p.arm[0] = c * at[0] - s * at[1];
  p.arm[1] = s * at[0] + c * at[1];
  for (int k = 0; k < 2; k++) {
    p.place[k] = q[k] + p.arm[k];
    p.speed[k] = v[k] + (k == 0 ? -1 : 1) * v[2] * p.arm[1 - k];
    p.bend[k] = -v[2] * v[2] * p.arm[k];
  }
  return p;
}

/* row += sign d/dv of the velocity along d of a point with that arm; a turn of the body itself by `spin` more. */
static inline void
truth_add (double *row, int body, const double d[2], const double arm[2], double spin, double sign)
{
  if (body < 0)
    return;
  row[3 * body] += sign * d[0];
  row[3 * body + 1] += sign * d[1];
  row[3 * body + 2] += sign * (arm[0] * d[1] - arm[1] * d[0]) + spin;
}

typedef struct {
  double gap, rate, slip;
  double row[2][TRUTH_N]; /* of the normal, of the tangent */
  double bend[2];         /* J' v of both */
} TruthTouch;

static inline TruthTouch
truth_touch (const Truth *t, const TruthPoint *p, const double *y)
{
  TruthTouch touch = {0};
  const TruthAt a = truth_at (t, p->a, p->at_a, y), b = truth_at (t, p->b, p->at_b, y);
  const double way[2] = {b.place[0] - a.place[0], b.place[1] - a.place[1]};
  const double length = p->a < 0 ? INFINITY : hypot (way[0], way[1]);
  const double n[2] = {p->a < 0 ? p->normal[0] : way[0] / length, p->a < 0 ? p->normal[1] : way[1] / length};
  const double d[2] = {n[1], -n[0]};
  const double u[2] = {b.speed[0] - a.speed[0], b.speed[1] - a.speed[1]};
  const double w[2] = {b.bend[0] - a.bend[0], b.bend[1] - a.bend[1]};
  const double across = u[0] * d[0] + u[1] * d[1], along = u[0] * n[0] + u[1] * n[1];
  const double radius_a = p->a < 0 ? 0 : p->radius_a;
  const double *v = y + 3 * t->n_bodies;
  touch.gap = (p->a < 0 ? way[0] * n[0] + way[1] * n[1] : length) - radius_a - p->radius_b;
  touch.rate = along;
  touch.slip = across + p->radius_b * v[3 * p->b + 2] + (p->a < 0 ? 0 : radius_a * v[3 * p->a + 2]);
  truth_add (touch.row[0], p->b, n, b.arm, 0, 1);
  truth_add (touch.row[0], p->a, n, a.arm, 0, -1);
  truth_add (touch.row[1], p->b, d, b.arm, p->radius_b, 1);
  truth_add (touch.row[1], p->a, d, a.arm, radius_a, -1);
  touch.bend[0] = w[0] * n[0] + w[1] * n[1] + across * across / length;
  touch.bend[1] = w[0] * d[0] + w[1] * d[1] - across * along / length;
  return touch;
}

/* ---- forces and impulses ----------------------------------------------------------------------------------------- */

typedef struct {
  int n;
  double row[TRUTH_ROWS][TRUTH_N], push[TRUTH_ROWS][TRUTH_N], right[TRUTH_ROWS], x[TRUTH_ROWS];
} TruthRows;

static inline void
truth_add_row (TruthRows *rows, const double *row, const double *push, double right)
{
  memcpy (rows->row[rows->n], row, sizeof rows->row[0]);
  memcpy (rows->push[rows->n], push, sizeof rows->push[0]);
  rows->right[rows->n++] = right;
}

/* J M^-1 P' x = right with pivots of the whole matrix; x = 0 of rows that depend on others. False: those rows say
 * something else than these. */
static inline bool
truth_solve (const Truth *t, TruthRows *rows)
{
  const int n = rows->n;
  double a[TRUTH_ROWS][TRUTH_ROWS + 1];
  int column[TRUTH_ROWS], rank = 0;
  for (int i = 0; i < n; i++) {
    column[i] = i;
    a[i][n] = rows->right[i];
    for (int j = 0; j < n; j++) {
      a[i][j] = 0;
      for (int k = 0; k < 3 * t->n_bodies; k++)
        a[i][j] += rows->row[i][k] * t->inverse[k] * rows->push[j][k];
    }
  }
  for (; rank < n; rank++) {
    int r = rank, c = rank;
    for (int i = rank; i < n; i++)
      for (int j = rank; j < n; j++)
        if (fabs (a[i][j]) > fabs (a[r][c])) {
          r = i;
          c = j;
        }
    if (fabs (a[r][c]) < 1e-9)
      break;
    for (int j = 0; j <= n; j++) {
      const double keep = a[r][j];
      a[r][j] = a[rank][j];
      a[rank][j] = keep;
    }
    for (int i = 0; i < n; i++) {
      const double keep = a[i][c];
      a[i][c] = a[i][rank];
      a[i][rank] = keep;
    }
    const int keep = column[c];
    column[c] = column[rank];
    column[rank] = keep;
    for (int i = rank + 1; i < n; i++)
      for (int j = n; j >= rank; j--)
        a[i][j] -= a[i][rank] / a[rank][rank] * a[rank][j];
  }
  for (int i = rank; i < n; i++)
    if (fabs (a[i][n]) > 1e-7)
      return false;
  for (int i = n - 1; i >= 0; i--) {
    double sum = i < rank ? a[i][n] : 0;
    for (int j = i + 1; j < rank && i < rank; j++)
      sum -= a[i][j] * rows->x[column[j]];
    rows->x[column[i]] = i < rank ? sum / a[i][i] : 0;
  }
  return true;
}

/* Rows of the pins, and of the points in these modes; right: J' v with minus, or J v with minus where `is_jump`.
 * `free`: accelerations (velocities) without forces. */
static inline void
truth_set_rows (const Truth *t, const TruthMode *modes, const double *y, const double *free, bool is_jump,
                TruthRows *rows)
{
  rows->n = 0;
  for (int i = 0; i < t->n_pins; i++) {
    const TruthPin *pin = &t->pins[i];
    const TruthAt a = truth_at (t, pin->a, pin->at_a, y), b = truth_at (t, pin->b, pin->at_b, y);
    for (int k = 0; k < 2; k++) {
      double row[TRUTH_N] = {0}, right = is_jump ? 0 : a.bend[k] - b.bend[k];
      const double d[2] = {k == 0, k == 1};
      truth_add (row, pin->b, d, b.arm, 0, 1);
      truth_add (row, pin->a, d, a.arm, 0, -1);
      for (int j = 0; j < 3 * t->n_bodies; j++)
        right -= row[j] * free[j];
      truth_add_row (rows, row, row, right);
    }
  }
  for (int i = 0; i < t->n_points; i++) {
    if (modes[i] == TRUTH_OPEN)
      continue;
    const TruthTouch touch = truth_touch (t, &t->points[i], y);
    const double friction = modes[i] == TRUTH_STICK ? 0 : t->points[i].mu * (modes[i] == TRUTH_PLUS ? -1 : 1);
    double push[TRUTH_N], right[2] = {is_jump ? -t->points[i].e * touch.rate : -touch.bend[0], 0};
    right[1] = is_jump ? 0 : -touch.bend[1];
    for (int j = 0; j < 3 * t->n_bodies; j++) {
      push[j] = touch.row[0][j] + friction * touch.row[1][j];
      right[0] -= touch.row[0][j] * free[j];
      right[1] -= touch.row[1][j] * free[j];
    }
    truth_add_row (rows, touch.row[0], push, right[0]);
    if (modes[i] == TRUTH_STICK)
      truth_add_row (rows, touch.row[1], touch.row[1], right[1]);
  }
}

/* Accelerations, or velocities after a jump, in these modes, with forces or impulses of the points. */
static inline bool
truth_answer (const Truth *t, const TruthMode *modes, const double *y, bool is_jump, double *out,
              double force[TRUTH_POINTS][2])
{
  TruthRows rows;
  const int n = 3 * t->n_bodies;
  for (int k = 0; k < n; k++)
    out[k] = is_jump ? y[n + k] : k % 3 == 1 && t->inverse[k] > 0 ? -truth_gravity : 0;
  truth_set_rows (t, modes, y, out, is_jump, &rows);
  if (!truth_solve (t, &rows))
    return false;
  for (int r = 0; r < rows.n; r++)
    for (int k = 0; k < n; k++)
      out[k] += t->inverse[k] * rows.push[r][k] * rows.x[r];
  for (int i = 0, r = 2 * t->n_pins; i < t->n_points; i++) {
    force[i][0] = force[i][1] = 0;
    if (modes[i] == TRUTH_OPEN)
      continue;
    force[i][0] = rows.x[r++];
    force[i][1] = modes[i] == TRUTH_STICK  ? rows.x[r++]
                  : modes[i] == TRUTH_PLUS ? -t->points[i].mu * force[i][0]
                                           : t->points[i].mu * force[i][0];
  }
  return true;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static inline void
truth_slope (const Truth *t, const double *y, double *slope)
{
  double force[TRUTH_POINTS][2];
  const int n = 3 * t->n_bodies;
  memcpy (slope, y + n, (size_t)n * sizeof *slope);
  if (!truth_answer (t, t->modes, y, false, slope + n, force))
    slope[n] = NAN;
}

static inline void
truth_advance (const Truth *t, const double *from, double h, double *to)
{
  double column[TRUTH_COLUMNS][TRUTH_STATE], slope[TRUTH_STATE], before[TRUTH_STATE], now[TRUTH_STATE];
  const int n = 6 * t->n_bodies;
  for (int c = 0; c < TRUTH_COLUMNS; c++) {
    const int parts = 2 * (c + 1);
    const double part = h / parts;
    memcpy (before, from, (size_t)n * sizeof *before);
    truth_slope (t, from, slope);
    for (int i = 0; i < n; i++)
      now[i] = from[i] + part * slope[i];
    for (int k = 1; k < parts; k++) {
      truth_slope (t, now, slope);
      for (int i = 0; i < n; i++) {
        const double next = before[i] + 2 * part * slope[i];
        before[i] = now[i];
        now[i] = next;
      }
    }
    truth_slope (t, now, slope);
    for (int i = 0; i < n; i++)
      column[c][i] = 0.5 * (now[i] + before[i] + part * slope[i]);
    for (int k = c - 1; k >= 0; k--) {
      const double ratio = (double)(c + 1) / (k + 1);
      for (int i = 0; i < n; i++)
        column[k][i] = column[k + 1][i] + (column[k + 1][i] - column[k][i]) / (ratio * ratio - 1);
    }
  }
  memcpy (to, column[0], (size_t)n * sizeof *to);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* What must not fall below 0 at point i: the gap; the normal force; the room of friction, or the slip in its
 * direction. */
static inline double
truth_condition (const Truth *t, int i, int which, const double *y)
{
  double force[TRUTH_POINTS][2], a[TRUTH_N];
  const TruthTouch touch = truth_touch (t, &t->points[i], y);
  if (t->modes[i] == TRUTH_OPEN)
    return which == 0 ? touch.gap : INFINITY;
  if (which == 2 && t->modes[i] != TRUTH_STICK)
    return t->modes[i] == TRUTH_PLUS ? touch.slip : -touch.slip;
  if (!truth_answer (t, t->modes, y, false, a, force))
    return NAN;
  return which == 0 ? INFINITY : which == 1 ? force[i][0] : t->points[i].mu * force[i][0] - fabs (force[i][1]);
}

/* Length of the step at whose end the condition holds just no more; it does not after `h`. */
static inline double
truth_root (const Truth *t, const double *from, double h, int i, int which)
{
  double y[TRUTH_STATE], low = 0, high = h, g_low = truth_condition (t, i, which, from), g_high;
  truth_advance (t, from, h, y);
  g_high = truth_condition (t, i, which, y);
  for (int round = 0, side = 0; round < 200 && high - low > 1e-16; round++) {
    double at = g_low > 0 && round % 8 != 7 ? low + (high - low) * g_low / (g_low - g_high) : 0.5 * (low + high);
    if (!(at > low && at < high))
      at = 0.5 * (low + high);
    truth_advance (t, from, at, y);
    const double g = truth_condition (t, i, which, y);
    if (g < 0) {
      high = at;
      g_high = g;
      g_low *= side == -1 ? 0.5 : 1;
      side = -1;
    } else {
      low = at;
      g_low = g;
      g_high *= side == 1 ? 0.5 : 1;
      side = 1;
      if (g == 0)
        return at;
    }
  }
  return high;
}

/* A gap that closes and opens again within a step: the length to its least, if that is below 0. */
static inline bool
truth_dips (Truth *t, const double *from, double h, int i, double *least)
{
  double y[TRUTH_STATE], low = 0, high = h;
  truth_advance (t, from, h, y);
  if (!(truth_touch (t, &t->points[i], from).rate < 0 && truth_touch (t, &t->points[i], y).rate > 0))
    return false;
  for (int round = 0; round < 50; round++) {
    const double middle = 0.5 * (low + high);
    truth_advance (t, from, middle, y);
    *(truth_touch (t, &t->points[i], y).rate < 0 ? &low : &high) = middle;
  }
  truth_advance (t, from, high, y);
  const double gap = truth_touch (t, &t->points[i], y).gap;
  if (fabs (gap) < 1e-7)
    t->why = "it grazes";
  *least = high;
  return gap < 0;
}

/* ---- what follows ------------------------------------------------------------------------------------------------ */

static inline bool
truth_next_modes (const Truth *t, const bool *is_touching, TruthMode *modes)
{
  for (int i = 0; i < t->n_points; i++) {
    if (!is_touching[i])
      continue;
    modes[i] = (TruthMode)((modes[i] + 1) % TRUTH_N_MODES);
    if (modes[i] == TRUTH_MINUS && t->points[i].mu == 0)
      modes[i] = TRUTH_OPEN;
    if (modes[i] == TRUTH_STICK && t->points[i].mu == 0)
      modes[i] = TRUTH_PLUS;
    if (modes[i] != TRUTH_OPEN)
      return true;
  }
  return false;
}

/* Whether what the modes answer at y obeys the law. */
static inline bool
truth_allows (const Truth *t, const bool *is_touching, const TruthMode *modes, const double *y, bool is_jump,
              const double *out, double force[TRUTH_POINTS][2])
{
  const double tiny = is_jump ? 1e-10 : 1e-8;
  for (int i = 0; i < t->n_points; i++) {
    if (!is_touching[i])
      continue;
    const TruthPoint *p = &t->points[i];
    const TruthTouch touch = truth_touch (t, p, y);
    double normal = is_jump ? p->e * touch.rate : touch.bend[0], tangential = is_jump ? 0 : touch.bend[1];
    for (int k = 0; k < 3 * t->n_bodies; k++) {
      normal += touch.row[0][k] * out[k];
      tangential += touch.row[1][k] * out[k];
    }
    if (modes[i] == TRUTH_OPEN ? normal < -tiny : force[i][0] < -tiny)
      return false;
    if (modes[i] == TRUTH_OPEN || p->mu == 0)
      continue;
    const bool slips = !is_jump && fabs (touch.slip) > truth_none;
    if (slips && (modes[i] == TRUTH_STICK || (modes[i] == TRUTH_PLUS) != (touch.slip > 0)))
      return false;
    if (modes[i] == TRUTH_STICK ? fabs (force[i][1]) > p->mu * force[i][0] + tiny
                                : !slips && (modes[i] == TRUTH_PLUS ? tangential : -tangential) < -tiny)
      return false;
  }
  return true;
}

/* By how much the modes break the law a moment later: several sets of modes may say the same now. */
static inline double
truth_promise (const Truth *t, const TruthMode *modes)
{
  Truth trial = *t;
  double y[TRUTH_STATE], worst = INFINITY;
  memcpy (trial.modes, modes, sizeof trial.modes);
  truth_advance (&trial, t->state, 1e-5, y);
  for (int i = 0; i < t->n_points; i++)
    for (int which = 0; which < 3; which++)
      if (which < 2 || t->points[i].mu > 0)
        worst = fmin (worst, truth_condition (&trial, i, which, y));
  return isnan (worst) ? -INFINITY : fmin (worst, 0);
}

/* Modes, or the velocities after an impact, at the present state. */
static inline void
truth_settle (Truth *t, const bool *is_touching, bool is_jump)
{
  TruthMode modes[TRUTH_POINTS] = {0}, best_modes[TRUTH_POINTS] = {0};
  double best[TRUTH_N], out[TRUTH_N], force[TRUTH_POINTS][2], promise = -INFINITY;
  const int n = 3 * t->n_bodies;
  bool found = false;
  do {
    if (!truth_answer (t, modes, t->state, is_jump, out, force) ||
        !truth_allows (t, is_touching, modes, t->state, is_jump, out, force))
      continue;
    for (int k = 0; found && k < n; k++)
      if (fabs (out[k] - best[k]) > (is_jump ? 1e-8 : 1e-6) * (1 + fabs (best[k])))
        t->why = "it goes on in several ways";
    const double here = is_jump ? 0 : truth_promise (t, modes);
    if (!found || here > promise) {
      memcpy (best_modes, modes, sizeof modes);
      memcpy (best, out, sizeof best);
      promise = here;
    }
    found = true;
  } while (truth_next_modes (t, is_touching, modes));
  if (!found)
    t->why = is_jump ? "an impact has no answer" : "no modes go on";
  else if (is_jump)
    memcpy (t->state + n, best, (size_t)n * sizeof *best);
  else
    memcpy (t->modes, best_modes, sizeof best_modes);
}

static inline void
truth_look_around (Truth *t)
{
  bool is_touching[TRUTH_POINTS], hits = false;
  for (int i = 0; i < t->n_points; i++) {
    const TruthTouch touch = truth_touch (t, &t->points[i], t->state);
    is_touching[i] = touch.gap < truth_none;
    hits = hits || (is_touching[i] && touch.rate < -truth_none);
  }
  if (hits)
    truth_settle (t, is_touching, true);
  for (int i = 0; i < t->n_points; i++)
    is_touching[i] = is_touching[i] && truth_touch (t, &t->points[i], t->state).rate < truth_none;
  if (t->why == NULL)
    truth_settle (t, is_touching, false);
}

/* The motion over `length`; `step`: between events. Where it is given up, t->why says why. */
static inline void
truth_run (Truth *t, double length, double step)
{
  double y[TRUTH_STATE], at = 0;
  truth_look_around (t);
  while (t->why == NULL && at < length) {
    double h = fmin (step, length - at);
    bool is_event = false;
    for (bool again = true; again;) {
      again = false;
      truth_advance (t, t->state, h, y);
      for (int i = 0; i < t->n_points && t->why == NULL; i++)
        for (int which = 0; which < 3; which++) {
          if (which == 2 && t->points[i].mu == 0)
            continue;
          const double g = truth_condition (t, i, which, y), g0 = truth_condition (t, i, which, t->state);
          double least = h;
          if (isnan (g))
            t->why = "forces are not determined";
          /* what stays at 0 by the other modes is no event */
          const bool stays = which == 2 && t->modes[i] != TRUTH_STICK && fabs (g0) < truth_none && g > -10 * truth_none;
          if (stays || !(g < 0 || (which == 0 && t->modes[i] == TRUTH_OPEN && truth_dips (t, t->state, h, i, &least))))
            continue;
          if (g0 < 0 && which > 0 && g0 > -1e-7)
            continue; /* it begins there, by rounding */
          const double root = truth_root (t, t->state, least, i, which);
          again = again || root < h;
          is_event = true;
          h = root;
          truth_advance (t, t->state, h, y);
        }
    }
    memcpy (t->state, y, sizeof y);
    at += h;
    if (!isfinite (y[0]))
      t->why = "it is no number";
    if (is_event && t->why == NULL)
      truth_look_around (t);
    t->n_events += is_event;
    if (t->n_events > TRUTH_EVENTS_MAX)
      t->why = "it has too many events";
  }
}
