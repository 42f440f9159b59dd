/* engine/simulate/ss-sensitivity.c: see the header. */
#include "simulate/ss-sensitivity.h"

#include "contact/ss-contact-problem.h"
#include "core/ss-memory.h"
#include "dynamics/ss-dynamics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *meaning;
} kinds[] = {
#define X(id, name, meaning) {name, meaning},
    SS_SENSITIVITY_BREAK_LIST (X)
#undef X
};

const char *
ss_sensitivity_break_name (SsSensitivityBreakKind kind)
{
  SS_ASSERT (kind >= 0 && kind < SS_SENSITIVITY_N_BREAKS);
  return kinds[kind].name;
}

const char *
ss_sensitivity_break_meaning (SsSensitivityBreakKind kind)
{
  SS_ASSERT (kind >= 0 && kind < SS_SENSITIVITY_N_BREAKS);
  return kinds[kind].meaning;
}

bool
ss_sensitivity_goes_on (SsSensitivityBreakKind kind)
{
  return kind == SS_SENSITIVITY_ACCUMULATION || kind == SS_SENSITIVITY_END;
}

static const struct {
  const char *name, *meaning;
} side_kinds[] = {
#define X(id, name, meaning) {name, meaning},
    SS_SENSITIVITY_SIDE_LIST (X)
#undef X
};

const char *
ss_sensitivity_side_name (SsSensitivitySideKind kind)
{
  SS_ASSERT (kind >= 0 && kind < SS_SENSITIVITY_SIDE_N);
  return side_kinds[kind].name;
}

const char *
ss_sensitivity_side_meaning (SsSensitivitySideKind kind)
{
  SS_ASSERT (kind >= 0 && kind < SS_SENSITIVITY_SIDE_N);
  return side_kinds[kind].meaning;
}

/* ---- what follows from the state --------------------------------------------------------------------------------- */

/* The state moves by this part of what places and speeds are, in its central differences. */
static const double beside = 1e-5;
/* Second difference of a gap, as a part of the first, from which on its nearest points are others; as a part of the
 * size, what is rounding. */
static const double kink = 1e-2, rounding = 1e-13;

/* Of the whole scene, in the order of the channels. */
static const SsQuantity sums[] = {SS_QUANTITY_KINETIC_ENERGY, SS_QUANTITY_POTENTIAL_ENERGY, SS_QUANTITY_MOMENTUM_X,
                                  SS_QUANTITY_MOMENTUM_Y, SS_QUANTITY_ANGULAR_MOMENTUM};
enum { N_SUMS = sizeof sums / sizeof *sums, KINETIC = 0, POTENTIAL, MOMENTUM, LESS = 0, MORE, SIDES };

/* A scene that is looked at. */
typedef struct {
  const SsScene *scene; /* borrowed */
  SsDynamics *dynamics; /* owned */
} Look;

struct SsSensitivityParts {
  int n_gaps, n; /* contacts with channels; values of a state: sums and gaps */
  Look own;
  Look *sides;                           /* n_inputs x SIDES; no scene: the own */
  double *steps;                         /* n_inputs */
  double *q, *v;                         /* n_q each: a state beside */
  double *values, *before, *after, *out; /* n each */
};

static SsStatus
look_init (Look *look, const SsScene *scene, SsError *err)
{
  look->scene = scene;
  return scene != NULL ? ss_dynamics_new (scene, &look->dynamics, err) : SS_OK;
}

static void
parts_free (struct SsSensitivityParts *self, int n_inputs)
{
  if (self == NULL)
    return;
  ss_dynamics_free (self->own.dynamics);
  for (int i = 0; self->sides != NULL && i < SIDES * n_inputs; i++)
    ss_dynamics_free (self->sides[i].dynamics);
  ss_free (self->sides);
  ss_free (self->steps);
  ss_free (self->q);
  ss_free (self->v);
  ss_free (self->values);
  ss_free (self->before);
  ss_free (self->after);
  ss_free (self->out);
  ss_free (self);
}

static SsStatus
make_parts (const SsScene *scene, const SsSensitivityInput *inputs, int n, SsSensitivity *to, SsError *err)
{
  struct SsSensitivityParts *self = to->parts = ss_new (struct SsSensitivityParts);
  if (self == NULL)
    return SS_ERR_MEMORY;
  self->n_gaps = scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX ? scene->n_contacts : 0;
  self->n = N_SUMS + self->n_gaps;
  double **const arrays[] = {&self->q, &self->v, &self->values, &self->before, &self->after, &self->out};
  bool is_there = true;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    *arrays[k] = ss_new_array (double, k < 2 ? to->n_q + 1 : self->n);
    is_there = is_there && *arrays[k] != NULL;
  }
  self->steps = ss_new_array (double, n);
  self->sides = ss_new_array (Look, SIDES * n);
  SsStatus status = is_there && self->steps != NULL && self->sides != NULL ? SS_OK : SS_ERR_MEMORY;
  if (status == SS_OK)
    status = look_init (&self->own, scene, err);
  for (int i = 0; status == SS_OK && i < n; i++) {
    self->steps[i] = inputs[i].step;
    for (int k = 0; status == SS_OK && k < SIDES; k++)
      status = look_init (&self->sides[SIDES * i + k], inputs[i].scene[k], err);
  }
  return status;
}

static void
look_at (const Look *look, int n_gaps, const double *q, const double *v, double *values)
{
  values[KINETIC] = ss_dynamics_kinetic_energy (look->dynamics, v);
  values[POTENTIAL] = ss_dynamics_potential_energy (look->dynamics, q);
  ss_dynamics_momentum (look->dynamics, q, v, &values[MOMENTUM]);
  for (int i = 0; i < n_gaps; i++)
    values[N_SUMS + i] = ss_scene_contact_gap (look->scene, i, q);
}

/* Adds the difference of both looks over `over` to the derivatives. */
static void
add_difference (const struct SsSensitivityParts *self, double over, double size)
{
  for (int k = 0; k < self->n; k++) {
    const double first = self->after[k] - self->before[k];
    const double second = fabs (self->after[k] + self->before[k] - 2 * self->values[k]);
    const bool is_kink = k >= N_SUMS && second > kink * fabs (first) + rounding * size;
    self->out[k] += is_kink ? NAN : first / over;
  }
}

/* Derivatives by input i at the state, into parts->out. */
static void
derive_parts (const SsSensitivity *to, const SsSensitivityState *state, int i)
{
  const struct SsSensitivityParts *self = to->parts;
  const Look *sides = &self->sides[SIDES * i];
  const double *slopes = state->slopes + i * 2 * to->n_q;
  double largest = 0, size = 1e-3;
  for (int k = 0; k < to->n_q; k++) {
    largest = fmax (largest, fmax (fabs (slopes[k]), fabs (slopes[to->n_q + k])));
    size = fmax (size, fmax (fabs (state->q[k]), fabs (state->v[k])));
    if (isnan (slopes[k]))
      largest = NAN;
  }
  for (int k = 0; k < self->n; k++)
    self->out[k] = isnan (largest) ? NAN : 0;
  if (isnan (largest))
    return;
  look_at (&self->own, self->n_gaps, state->q, state->v, self->values);
  if (sides[LESS].scene != NULL) {
    look_at (&sides[LESS], self->n_gaps, state->q, state->v, self->before);
    look_at (&sides[MORE], self->n_gaps, state->q, state->v, self->after);
    add_difference (self, 2 * self->steps[i], size);
  }
  if (largest == 0)
    return;
  const double by = beside * size / largest;
  for (int side = LESS; side <= MORE; side++) {
    for (int k = 0; k < to->n_q; k++) {
      self->q[k] = state->q[k] + (side == LESS ? -by : by) * slopes[k];
      self->v[k] = state->v[k] + (side == LESS ? -by : by) * slopes[to->n_q + k];
    }
    look_at (&self->own, self->n_gaps, self->q, self->v, side == LESS ? self->before : self->after);
  }
  add_difference (self, 2 * by, size);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

int
ss_sensitivity_width (const SsSensitivity *self)
{
  SS_ASSERT (self != NULL);
  return 2 * self->n_q + self->parts->n;
}

/* Name of column k of an input. */
static void
name_column (const SsScene *scene, const SsSensitivity *self, int input, int k, char *text, size_t size)
{
  const char *name = self->names[input];
  const int sum = k - 2 * self->n_q, gap = sum - N_SUMS;
  if (sum < 0)
    snprintf (text, size, "d.%s.%s.%s", name, scene->bodies[k / SS_BODY_CHANNELS].name,
              ss_body_channels[k % SS_BODY_CHANNELS]);
  else if (gap < 0)
    snprintf (text, size, "d.%s.%s", name, ss_quantity_name (sums[sum]));
  else
    snprintf (text, size, "d.%s.%s.%s", name, scene->contacts[gap].name, ss_quantity_name (SS_QUANTITY_GAP));
}

static SsStatus
make_table (const SsScene *scene, SsSensitivity *self, SsError *err)
{
  const int width = ss_sensitivity_width (self), n = 1 + self->n_inputs * width;
  char **names = ss_new_array (char *, n);
  char text[512];
  SsStatus status = names != NULL ? SS_OK : SS_ERR_MEMORY;
  for (int i = 0; status == SS_OK && i < n; i++) {
    snprintf (text, sizeof text, "t");
    if (i > 0)
      name_column (scene, self, (i - 1) / width, (i - 1) % width, text, sizeof text);
    names[i] = ss_strdup (text);
    status = names[i] != NULL ? SS_OK : SS_ERR_MEMORY;
  }
  if (status == SS_OK)
    status = ss_trajectory_new_named ((const char *const *)names, n, 64, &self->slopes, err);
  for (int i = 0; names != NULL && i < n; i++)
    ss_free (names[i]);
  ss_free (names);
  return status;
}

SsStatus
ss_sensitivity_new (const SsScene *scene, const SsSensitivityInput *inputs, int n, SsSensitivity **out, SsError *err)
{
  SS_ASSERT (scene != NULL && inputs != NULL && n > 0 && out != NULL);

  *out = NULL;
  SsSensitivity *self = ss_new (SsSensitivity);
  SsStatus status = self != NULL ? SS_OK : SS_ERR_MEMORY;
  if (status == SS_OK) {
    self->n_inputs = n;
    self->n_q = 3 * scene->n_bodies;
    self->names = ss_new_array (char *, n);
    status = self->names != NULL ? SS_OK : SS_ERR_MEMORY;
  }
  for (int i = 0; status == SS_OK && i < n; i++) {
    self->names[i] = ss_strdup (inputs[i].name);
    status = self->names[i] != NULL ? SS_OK : SS_ERR_MEMORY;
  }
  if (status == SS_OK)
    status = make_parts (scene, inputs, n, self, err);
  if (status == SS_OK)
    status = make_table (scene, self, err);
  if (status == SS_OK) {
    *out = self;
    return SS_OK;
  }
  ss_sensitivity_free (self);
  return ss_error_set (err, status, "no memory for derivatives by %d numbers", n);
}

void
ss_sensitivity_free (SsSensitivity *self)
{
  if (self == NULL)
    return;
  for (int i = 0; self->names != NULL && i < self->n_inputs; i++)
    ss_free (self->names[i]);
  ss_free (self->names);
  parts_free (self->parts, self->n_inputs);
  ss_trajectory_free (self->slopes);
  for (int i = 0; i < self->n_sides; i++)
    ss_free (self->sides[i].slopes);
  ss_free (self->sides);
  ss_free (self->event_slopes);
  ss_free (self->breaks);
  ss_free (self);
}

/* dt/dp of events that were told since the last call. */
static SsStatus
add_events (SsSensitivity *self, const SsSensitivityState *state, const SsEventList *events)
{
  const int n = events != NULL ? events->n_items : 0, width = self->n_inputs;
  if (ss_array_reserve ((void **)&self->event_slopes, &self->events_capacity, n * width, sizeof *self->event_slopes) !=
      0)
    return SS_ERR_MEMORY;
  for (; self->n_events < n; self->n_events++) {
    double *slopes = self->event_slopes + self->n_events * width;
    for (int i = 0; i < width; i++)
      slopes[i] = NAN;
    for (int k = 0; k < state->n_switches; k++)
      if (state->times[k] == events->items[self->n_events].t)
        memcpy (slopes, state->time_slopes + k * width, (size_t)width * sizeof *slopes);
  }
  return SS_OK;
}

SsStatus
ss_sensitivity_add (SsSensitivity *self, double t, const SsSensitivityState *state, const SsEventList *events,
                    SsError *err)
{
  SS_ASSERT (self != NULL && state != NULL && state->n_inputs == self->n_inputs && state->n_q == self->n_q);

  SsTrajectory *table = self->slopes;
  double *row = ss_new_array (double, table->n_channels);
  SsStatus status = row != NULL ? SS_OK : SS_ERR_MEMORY;
  if (status == SS_OK) {
    row[0] = t;
    for (int i = 0; i < self->n_inputs; i++) {
      double *own = row + 1 + i * ss_sensitivity_width (self);
      for (int k = 0; k < 2 * self->n_q; k++) { /* x, y, theta, vx, vy, omega of each body */
        const int place = k % self->n_q;
        own[place / 3 * SS_BODY_CHANNELS + place % 3 + (k < self->n_q ? 0 : 3)] = state->slopes[i * 2 * self->n_q + k];
      }
      derive_parts (self, state, i);
      memcpy (own + 2 * self->n_q, self->parts->out, (size_t)self->parts->n * sizeof *own);
    }
    status = ss_trajectory_append (table, row, err);
  }
  ss_free (row);
  if (status == SS_OK)
    status = add_events (self, state, events);
  if (status == SS_OK && state->n_breaks > self->n_breaks) {
    SsSensitivityBreak *breaks = ss_realloc (self->breaks, (size_t)state->n_breaks, sizeof *breaks);
    status = breaks != NULL ? SS_OK : SS_ERR_MEMORY;
    if (breaks != NULL) {
      memcpy (breaks, state->breaks, (size_t)state->n_breaks * sizeof *breaks);
      self->breaks = breaks;
      self->n_breaks = state->n_breaks;
    }
  }
  return status == SS_OK ? SS_OK : ss_error_set (err, status, "no memory for derivatives of the motion");
}

/* ---- sides ------------------------------------------------------------------------------------------------------- */

/* Sides that differ by less, as a part of the largest derivative, are one. */
static const double agree = 1e-6;

SsStatus
ss_sensitivity_add_side (SsSensitivity *self, SsSensitivitySide side, SsError *err)
{
  SS_ASSERT (self != NULL && side.input >= 0 && side.input < self->n_inputs && side.slopes != NULL);

  SsSensitivitySide *sides = ss_realloc (self->sides, (size_t)self->n_sides + 1, sizeof *sides);
  if (sides == NULL) {
    ss_free (side.slopes);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives of the motion");
  }
  self->sides = sides;
  sides[self->n_sides++] = side;
  return SS_OK;
}

SsStatus
ss_sensitivity_add_break (SsSensitivity *self, SsSensitivityBreak item, SsError *err)
{
  SS_ASSERT (self != NULL && item.input >= 0 && item.input < self->n_inputs);

  SsSensitivityBreak *breaks = ss_realloc (self->breaks, (size_t)self->n_breaks + 1, sizeof *breaks);
  if (breaks == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives of the motion");
  self->breaks = breaks;
  breaks[self->n_breaks++] = item;
  return SS_OK;
}

const SsSensitivitySide *
ss_sensitivity_side (const SsSensitivity *self, int input, bool is_more)
{
  SS_ASSERT (self != NULL);
  for (int i = 0; i < self->n_sides; i++)
    if (self->sides[i].input == input && self->sides[i].is_more == is_more)
      return &self->sides[i];
  return NULL;
}

/* Columns of an input at the end: the last row's, or, where that breaks, those of both sides where they agree. */
const double *
ss_sensitivity_final_columns (const SsSensitivity *self, int input)
{
  SS_ASSERT (self != NULL && input >= 0 && input < self->n_inputs && self->slopes->n_rows > 0);

  const double *row = ss_trajectory_row (self->slopes, self->slopes->n_rows - 1);
  const double *own = row + 1 + input * ss_sensitivity_width (self);
  const SsSensitivitySide *less = ss_sensitivity_side (self, input, false),
                          *more = ss_sensitivity_side (self, input, true);
  double largest = 0, off = 0;
  if (self->n_q == 0 || !isnan (own[0]) || less == NULL || more == NULL || less->kind != SS_SENSITIVITY_SIDE_EXISTS ||
      more->kind != SS_SENSITIVITY_SIDE_EXISTS)
    return own;
  for (int k = 0; k < 2 * self->n_q; k++) {
    largest = fmax (largest, fmax (fabs (less->slopes[k]), fabs (more->slopes[k])));
    off = fmax (off, fabs (less->slopes[k] - more->slopes[k]));
  }
  return off <= agree * largest ? more->slopes : own;
}

double
ss_sensitivity_final (const SsSensitivity *self, int input, int body, int coordinate)
{
  SS_ASSERT (self != NULL && input >= 0 && input < self->n_inputs && coordinate >= 0 && coordinate < SS_BODY_CHANNELS);

  return self->slopes->n_rows > 0 ? ss_sensitivity_final_columns (self, input)[body * SS_BODY_CHANNELS + coordinate]
                                  : NAN;
}

/* Kinetic and potential energy among the columns of an input. */
static double
energy_slope (const SsSensitivity *self, const double *columns)
{
  const double *sum = columns + 2 * self->n_q;
  return sum[KINETIC] + sum[POTENTIAL];
}

void
ss_sensitivity_metrics (const SsSensitivity *self, int input, SsMetricSet *out)
{
  SS_ASSERT (self != NULL && input >= 0 && input < self->n_inputs && out != NULL);

  *out = (SsMetricSet){0};
  if (self->slopes->n_rows == 0)
    return;
  const double *first = ss_trajectory_row (self->slopes, 0) + 1 + input * ss_sensitivity_width (self);
  ss_metric_set (out, SS_METRIC_ENERGY_INITIAL, energy_slope (self, first));
  ss_metric_set (out, SS_METRIC_ENERGY_FINAL, energy_slope (self, ss_sensitivity_final_columns (self, input)));
}
