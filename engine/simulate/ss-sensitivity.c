/* engine/simulate/ss-sensitivity.c: see the header. */
#include "simulate/ss-sensitivity.h"

#include "core/ss-memory.h"

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

/* Channels t and d.<input>.<body>.<coordinate>. */
static SsStatus
make_table (const SsScene *scene, SsSensitivity *self, SsError *err)
{
  const int n = 1 + self->n_inputs * scene->n_bodies * SS_BODY_CHANNELS;
  char **names = ss_new_array (char *, n);
  char text[512];
  SsStatus status = names != NULL ? SS_OK : SS_ERR_MEMORY;
  for (int i = 0; status == SS_OK && i < n; i++) {
    const int k = (i - 1) % SS_BODY_CHANNELS, body = (i - 1) / SS_BODY_CHANNELS % scene->n_bodies;
    const int input = (i - 1) / SS_BODY_CHANNELS / scene->n_bodies;
    if (i == 0)
      snprintf (text, sizeof text, "t");
    else
      snprintf (text, sizeof text, "d.%s.%s.%s", self->names[input], scene->bodies[body].name, ss_body_channels[k]);
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
  ss_trajectory_free (self->slopes);
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
    for (int i = 0; i < self->n_inputs; i++)
      for (int k = 0; k < 2 * self->n_q; k++) { /* x, y, theta, vx, vy, omega of each body */
        const int place = k % self->n_q;
        row[1 + i * 2 * self->n_q + place / 3 * SS_BODY_CHANNELS + place % 3 + (k < self->n_q ? 0 : 3)] =
            state->slopes[i * 2 * self->n_q + k];
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

double
ss_sensitivity_final (const SsSensitivity *self, int input, int body, int coordinate)
{
  SS_ASSERT (self != NULL && input >= 0 && input < self->n_inputs && coordinate >= 0 && coordinate < SS_BODY_CHANNELS);

  if (self->slopes->n_rows == 0)
    return NAN;
  const double *row = ss_trajectory_row (self->slopes, self->slopes->n_rows - 1);
  return row[1 + input * 2 * self->n_q + body * SS_BODY_CHANNELS + coordinate];
}
