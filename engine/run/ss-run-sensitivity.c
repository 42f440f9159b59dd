/* engine/run/ss-run-sensitivity.c: see the header. */
#include "run/ss-run-sensitivity.h"

#include "core/ss-memory.h"
#include "scene/ss-number.h"

#include <math.h>
#include <string.h>

/* A number moves by this part of itself: central differences are then off by its square, and by rounding over it. */
static const double part = 1e-5;

/* The scenario with one number moved. */
static SsStatus
read_moved (const SsScenario *scenario, const char *name, double value, SsScenario **out, SsError *err)
{
  const SsOverride moved = {.name = name, .value = value};
  SsProblems problems;
  char *text;
  SsStatus status = ss_scenario_with_numbers (scenario, &moved, 1, &text, err);
  if (status != SS_OK)
    return status;
  ss_problems_init (&problems);
  status = ss_scenario_read (text, strlen (text), scenario->file, NULL, 0, &problems, out);
  if (status != SS_OK)
    status = ss_error_set (err, status, "no derivative by %s: with %s = %.9g the scene breaks a rule: %s", name, name,
                           value, problems.n_items > 0 ? problems.items[0].message : "");
  ss_problems_clear (&problems);
  ss_free (text);
  return status;
}

static SsStatus
set_input (SsSensitivityInputs *self, const SsScenario *scenario, int i, SsError *err)
{
  SsNumber number;
  SsStatus status = ss_scenario_number (scenario, self->names[i], &number, err);
  if (status != SS_OK)
    return status;
  self->values[i] = number.value;
  SsSensitivityInput *input = &self->inputs[i];
  *input = (SsSensitivityInput){.name = self->names[i], .coordinate = -1, .actuator = -1};
  if (number.body >= 0) {
    const int k = number.coordinate;
    input->coordinate = (k < 3 ? 0 : 3 * scenario->scene->n_bodies - 3) + 3 * number.body + k;
    return SS_OK;
  }
  input->step = part * (number.value != 0 ? fabs (number.value) : 1);
  /* 0 of a friction coefficient, 1 of a restitution: nothing lies beyond */
  if (number.value - input->step < number.lower || number.value + input->step > number.upper)
    return ss_error_set (err, SS_ERR_INVALID,
                         "no derivative by %s = %.9g: it cannot be less and more (%.9g to %.9g are allowed)",
                         self->names[i], number.value, number.lower, number.upper);
  for (int k = 0; status == SS_OK && k < 2; k++) {
    status = read_moved (scenario, self->names[i], number.value + (k == 0 ? -1 : 1) * input->step,
                         &self->scenarios[2 * i + k], err);
    input->scene[k] = status == SS_OK ? self->scenarios[2 * i + k]->scene : NULL;
  }
  return status;
}

SsStatus
ss_sensitivity_inputs_new (const SsScenario *scenario, const char *const *names, int n, SsSensitivityInputs **out,
                           SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->scene != NULL && names != NULL && n > 0 && out != NULL);

  *out = NULL;
  SsSensitivityInputs *self = ss_new (SsSensitivityInputs);
  SsStatus status = self != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  if (status != SS_OK)
    return status;
  self->n = n;
  self->inputs = ss_new_array (SsSensitivityInput, n);
  self->values = ss_new_array (double, n);
  self->names = ss_new_array (char *, n);
  self->scenarios = ss_new_array (SsScenario *, 2 * n);
  if (self->inputs == NULL || self->values == NULL || self->names == NULL || self->scenarios == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  for (int i = 0; status == SS_OK && i < n; i++) {
    self->names[i] = ss_strdup (names[i]);
    status = self->names[i] != NULL ? set_input (self, scenario, i, err)
                                    : ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  }
  if (status == SS_OK)
    *out = self;
  else
    ss_sensitivity_inputs_free (self);
  return status;
}

void
ss_sensitivity_inputs_free (SsSensitivityInputs *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < self->n; i++) {
    if (self->names != NULL)
      ss_free (self->names[i]);
    for (int k = 0; self->scenarios != NULL && k < 2; k++)
      ss_scenario_free (self->scenarios[2 * i + k]);
  }
  ss_free (self->inputs);
  ss_free (self->values);
  ss_free (self->names);
  ss_free (self->scenarios);
  ss_free (self);
}
