/* engine/run/ss-run-sensitivity.c: see the header. */
#include "run/ss-run-sensitivity.h"

#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number moves by this part of itself: central differences are then off by its square, and by rounding over it. */
static const double part = 1e-5;
/* Of a step of a plan, how far its beginning may be from the time that the plan says. */
static const double rounding = 1e-9;

SsStatus
ss_scenario_read_with (const SsScenario *scenario, const char *name, double value, SsScenario **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && name != NULL && out != NULL);

  const SsOverride moved = {.name = name, .value = value};
  SsProblems problems;
  char *text;
  *out = NULL;
  SsStatus status = ss_scenario_with_numbers (scenario, &moved, 1, &text, err);
  if (status != SS_OK)
    return status;
  ss_problems_init (&problems);
  status = ss_scenario_read (text, strlen (text), scenario->file, NULL, 0, &problems, out);
  if (status == SS_ERR_MEMORY)
    ss_error_set (err, status, "no memory for derivatives");
  else if (status != SS_OK)
    status = ss_error_set (err, status, "no derivative by %s: with %s = %.9g the scene breaks a rule: %s", name, name,
                           value, problems.n_items > 0 ? problems.items[0].message : "");
  ss_problems_clear (&problems);
  ss_free (text);
  return status;
}

/* Whether the name is that of an actuator, `push`, or of one of its steps, `push[3]`; then its control in the plan
 * moves, in all steps or in that one. SS_ERR_INVALID: the plan has no such step. */
static SsStatus
set_control (SsSensitivityInputs *self, const SsScenario *scenario, const SsTrajectory *plan, int i, bool *is_control,
             SsError *err)
{
  const SsScene *scene = scenario->scene;
  const size_t length = strcspn (self->names[i], "[");
  const char *bracket = self->names[i] + length;
  int actuator = 0;
  while (actuator < scene->n_actuators && !(strlen (scene->actuators[actuator].name) == length &&
                                            strncmp (scene->actuators[actuator].name, self->names[i], length) == 0))
    actuator++;
  *is_control = actuator < scene->n_actuators;
  if (!*is_control)
    return SS_OK;
  SsSensitivityInput *input = &self->inputs[i];
  *input = (SsSensitivityInput){.name = self->names[i],
                                .coordinate = -1,
                                .actuator = actuator,
                                .t_from = -INFINITY,
                                .t_to = INFINITY,
                                .step = part};
  if (*bracket != '\0') {
    char *end;
    const long k = strtol (bracket + 1, &end, 10);
    if (strcmp (end, "]") != 0 || k < 1 || k >= plan->n_rows)
      return ss_error_set (err, SS_ERR_INVALID, "no derivative by %s: the plan has the steps 1 to %d", self->names[i],
                           plan->n_rows - 1);
    const double from = ss_trajectory_row (plan, (int)k - 1)[0], to = ss_trajectory_row (plan, (int)k)[0];
    input->t_from = from - rounding * (to - from); /* steps add up to the plan's times but for rounding */
    input->t_to = to - rounding * (to - from);
  }
  char channel[256];
  snprintf (channel, sizeof channel, "u.%s", scene->actuators[actuator].name);
  const int column = ss_trajectory_channel (plan, channel);
  for (int row = 0; column >= 0 && row < plan->n_rows; row++)
    input->step = fmax (input->step, part * fabs (ss_trajectory_row (plan, row)[column]));
  self->numbers[i] = (SsNumber){.lower = -INFINITY, .upper = INFINITY, .parameter = -1, .body = -1, .coordinate = -1};
  self->steps[i] = input->step;
  self->allowed[i][0] = self->allowed[i][1] = true;
  return SS_OK;
}

static SsStatus
set_input (SsSensitivityInputs *self, const SsScenario *scenario, const SsTrajectory *plan, int i, SsError *err)
{
  SsNumber *number = &self->numbers[i];
  SsSensitivityInput *input = &self->inputs[i];
  bool is_control = false;
  if (plan != NULL && ss_scenario_parameter (scenario, self->names[i]) < 0) {
    const SsStatus found = set_control (self, scenario, plan, i, &is_control, err);
    if (found != SS_OK || is_control)
      return found;
  }
  SsStatus status = ss_scenario_number (scenario, self->names[i], number, err);
  if (status != SS_OK)
    return status;
  *input = (SsSensitivityInput){.name = self->names[i], .coordinate = -1, .actuator = -1};
  self->steps[i] = part * (number->value != 0 ? fabs (number->value) : 1);
  if (number->body >= 0) {
    const int k = number->coordinate;
    self->steps[i] =
        part * fmax (fabs (number->value), k % 3 == 2 ? 1 : ss_body_size (&scenario->scene->bodies[number->body]));
    input->coordinate = (k < 3 ? 0 : 3 * scenario->scene->n_bodies - 3) + 3 * number->body + k;
    self->allowed[i][0] = self->allowed[i][1] = true;
    return SS_OK;
  }
  for (int k = 0; k < 2; k++) { /* 0 of a friction coefficient, 1 of a restitution: nothing lies beyond */
    const double value = number->value + (k == 0 ? -1 : 1) * self->steps[i];
    SsScenario **moved = &self->scenarios[2 * i + k];
    if (value < number->lower || value > number->upper)
      continue;
    status = ss_scenario_read_with (scenario, self->names[i], value, moved, err);
    if (status == SS_ERR_MEMORY)
      return status;
    self->allowed[i][k] = status == SS_OK && (*moved)->scene != NULL;
  }
  for (int k = 0; self->allowed[i][0] && self->allowed[i][1] && k < 2; k++) {
    input->scene[k] = self->scenarios[2 * i + k]->scene;
    input->step = self->steps[i];
  }
  return SS_OK;
}

SsStatus
ss_sensitivity_inputs_new (const SsScenario *scenario, const SsTrajectory *plan, const char *const *names, int n,
                           SsSensitivityInputs **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->scene != NULL && names != NULL && n > 0 && out != NULL);

  *out = NULL;
  SsSensitivityInputs *self = ss_new (SsSensitivityInputs);
  SsStatus status = self != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  if (status != SS_OK)
    return status;
  self->n = n;
  self->inputs = ss_new_array (SsSensitivityInput, n);
  self->numbers = ss_new_array (SsNumber, n);
  self->steps = ss_new_array (double, n);
  self->allowed = (bool (*)[2])ss_new_array (bool, 2 * n);
  self->names = ss_new_array (char *, n);
  self->scenarios = ss_new_array (SsScenario *, 2 * n);
  if (self->inputs == NULL || self->numbers == NULL || self->steps == NULL || self->allowed == NULL ||
      self->names == NULL || self->scenarios == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  for (int i = 0; status == SS_OK && i < n; i++) {
    self->names[i] = ss_strdup (names[i]);
    status = self->names[i] != NULL ? set_input (self, scenario, plan, i, err)
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
  ss_free (self->numbers);
  ss_free (self->steps);
  ss_free (self->allowed);
  ss_free (self->names);
  ss_free (self->scenarios);
  ss_free (self);
}
