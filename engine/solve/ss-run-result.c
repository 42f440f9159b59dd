/* engine/solve/ss-run-result.c: see the header. */
#include "solve/ss-run-result.h"

#include "core/ss-memory.h"
#include "impact/ss-impact-law.h"
#include "simulate/ss-sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool
ss_outcome_is_success (SsOutcome outcome)
{
  return outcome == SS_OUTCOME_SOLVED || outcome == SS_OUTCOME_COMPLETED;
}

static const char *const role_names[] = {
#define X(id, name) name,
    SS_MOTION_ROLE_LIST (X)
#undef X
};

const char *
ss_motion_role_name (SsMotionRole role)
{
  SS_ASSERT (role >= 0 && role < SS_MOTION_ROLE_COUNT);
  return role_names[role];
}

SsMotionRole
ss_motion_role_find (const char *name)
{
  int role = 0;

  SS_ASSERT (name != NULL);
  while (role < SS_MOTION_ROLE_COUNT && strcmp (role_names[role], name) != 0)
    role++;
  return (SsMotionRole)role;
}

const SsControllerAbout ss_controllers[SS_CONTROLLER_COUNT] = {
    [SS_CONTROLLER_NONE] = {"none", "Open Loop", "Replay", "as it is", "the plan's controls as they are", false, false},
    [SS_CONTROLLER_LQR] = {"lqr", "LQR", "Held by LQR", "held by LQR", "gains that vary in time", true, false},
    [SS_CONTROLLER_CONTACT] = {"contact", "Contact LQR", "Held by Contact LQR", "held by contact LQR",
                               "LQR of all bodies with gains on contact forces, which waits for the plan's impacts",
                               true, false},
    [SS_CONTROLLER_REPLAN] = {"replan", "Re-Planning", "Held by Plans", "held by plans",
                              "LQR, and where it would miss the plan's end a new plan back to the plan", false, true},
    [SS_CONTROLLER_PREDICT] = {"predict", "Predictive", "Held by Prediction", "held by prediction",
                               "LQR whose plan is moved so that motions simulated ahead reach the task's targets", true,
                               true},
};

const char *
ss_controller_name (SsControllerKind kind)
{
  SS_ASSERT ((int)kind >= 0 && kind < SS_CONTROLLER_COUNT);
  return ss_controllers[kind].name;
}

SsControllerKind
ss_controller_find (const char *name)
{
  int kind = 0;

  while (kind < SS_CONTROLLER_COUNT && strcmp (ss_controllers[kind].name, name) != 0)
    kind++;
  return (SsControllerKind)kind;
}

SsStatus
ss_samples_new (const char *const *columns, int n_columns, int n_rows, SsSamples **out, SsError *err)
{
  SS_ASSERT (out != NULL && n_columns >= 0 && n_rows >= 0);
  SsSamples *samples = ss_new (SsSamples);
  bool ok = samples != NULL;

  *out = NULL;
  if (ok) {
    samples->columns = ss_new_array (char *, n_columns + 1);
    samples->values = ss_alloc ((size_t)n_rows + 1, sizeof (double) * ((size_t)n_columns + 1));
    ok = samples->columns != NULL && samples->values != NULL;
  }
  for (int c = 0; ok && c < n_columns; c++) {
    samples->columns[c] = ss_strdup (columns[c]);
    ok = samples->columns[c] != NULL;
    samples->n_columns = c + 1;
  }
  if (!ok) {
    ss_samples_free (samples);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  samples->n_rows = n_rows;
  *out = samples;
  return SS_OK;
}

void
ss_samples_free (SsSamples *samples)
{
  if (samples == NULL)
    return;
  for (int c = 0; c < samples->n_columns; c++)
    ss_free (samples->columns[c]);
  ss_free (samples->columns);
  ss_free (samples->values);
  ss_free (samples);
}

void
ss_run_fan_free (SsRunFan *fan)
{
  if (fan == NULL)
    return;
  for (int i = 0; i < fan->n_branches; i++)
    ss_events_free (fan->branches[i].events);
  ss_free (fan->branches);
  ss_free (fan->bodies);
  ss_free (fan);
}

void
ss_run_result_init (SsRunResult *result)
{
  SS_ASSERT (result != NULL);
  memset (result, 0, sizeof *result);
  result->outcome = SS_OUTCOME_FAILED;
}

void
ss_run_result_clear (SsRunResult *result)
{
  SS_ASSERT (result != NULL);

  for (int i = 0; i < result->n_motions; i++)
    ss_trajectory_free (result->motions[i].trajectory);
  ss_free (result->motions);
  ss_trajectory_free (result->stages);
  ss_events_free (result->events);
  ss_sensitivity_free (result->sensitivity);
  ss_samples_free (result->samples);
  ss_run_fan_free (result->fan);
  ss_impact_free (result->configuration);
  if (result->impact != NULL)
    ss_impact_result_clear (result->impact);
  ss_free (result->impact);
  ss_motion_verdict_clear (&result->verdict);
  ss_violations_clear (&result->violations);
  for (int i = 0; i < result->n_solutions; i++)
    ss_run_result_clear (&result->solutions[i]);
  ss_free (result->solutions);
  ss_free (result->members);
  ss_tries_clear (&result->tries);
  ss_nlp_state_clear (&result->state);
  for (int i = 0; i < result->n_ways; i++)
    ss_way_on_clear (&result->ways[i]);
  ss_free (result->ways);
  ss_run_result_init (result);
}

/* Index of the answer among the motions, or -1. */
static int
find_answer (const SsRunResult *result)
{
  for (int i = 0; i < result->n_motions; i++)
    if (result->motions[i].role == SS_MOTION_ANSWER)
      return i;
  return -1;
}

const SsTrajectory *
ss_run_motion (const SsRunResult *result)
{
  const int answer = find_answer (result);

  return answer >= 0 ? result->motions[answer].trajectory : NULL;
}

const SsTrajectory *
ss_run_solution_motion (const SsRunResult *result, int solution)
{
  SS_ASSERT (result != NULL && result->n_motions >= 0);
  for (int i = 0; i < result->n_motions; i++)
    if (result->motions[i].role == SS_MOTION_SOLUTION && result->motions[i].branch == solution)
      return result->motions[i].trajectory;
  return NULL;
}

SsTrajectory *
ss_run_own_motion (SsRunResult *result)
{
  const int answer = find_answer (result);

  return answer >= 0 ? result->motions[answer].trajectory : NULL;
}

int
ss_run_second_clock (const SsRunResult *result)
{
  const SsTrajectory *motion = ss_run_motion (result);

  return motion != NULL ? ss_trajectory_second_clock (motion) : -1;
}

SsTrajectory *
ss_run_take_motion (SsRunResult *result)
{
  const int answer = find_answer (result);
  SsTrajectory *trajectory = answer >= 0 ? result->motions[answer].trajectory : NULL;

  if (answer >= 0)
    result->motions[answer].trajectory = NULL;
  return trajectory;
}

SsStatus
ss_run_add_motion (SsRunResult *result, SsTrajectory **trajectory, SsMotionRole role, int branch, double share,
                   SsError *err)
{
  SS_ASSERT (result != NULL && trajectory != NULL && role >= 0 && role < SS_MOTION_ROLE_COUNT);
  SS_ASSERT (isnan (share) || (share >= 0 && share <= 1));
  SsRunMotion *motions = ss_realloc (result->motions, (size_t)result->n_motions + 1, sizeof *motions);

  if (motions == NULL) {
    ss_trajectory_free (*trajectory);
    *trajectory = NULL;
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  result->motions = motions;
  motions[result->n_motions++] = (SsRunMotion){*trajectory, role, branch, share};
  *trajectory = NULL;
  return SS_OK;
}

SsStatus
ss_run_add_answer (SsRunResult *result, SsTrajectory **trajectory, SsError *err)
{
  return ss_run_add_motion (result, trajectory, SS_MOTION_ANSWER, 0, 1, err);
}

SsStatus
ss_run_keep_solution (SsRunResult *own, SsRunResult *result, SsError *err)
{
  SS_ASSERT (own != NULL && result != NULL);

  SsRunResult *solutions = ss_realloc (result->solutions, (size_t)result->n_solutions + 1, sizeof *solutions);

  if (solutions == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  result->solutions = solutions;
  solutions[result->n_solutions++] = *own;
  SsTrajectory *trajectory = ss_run_take_motion (own);
  solutions[result->n_solutions - 1].n_motions = 0; /* that was the only one */
  own->n_motions = 0;
  ss_run_result_init (own);
  return ss_run_add_motion (result, &trajectory, SS_MOTION_SOLUTION, result->n_solutions, NAN, err);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

const char *
ss_run_format_short (double value, char buffer[16])
{
  char text[40];

  if (!isfinite (value)) {
    snprintf (buffer, 16, "not finite");
    return buffer;
  }
  snprintf (text, sizeof text, "%.1e", fabs (value));
  const char *exponent = strchr (text, 'e');
  snprintf (buffer, 16, "%s%c.%c%.5s", value < 0 ? "-" : "", text[0], exponent[-1], exponent);
  return buffer;
}

void
ss_run_append_text (char *message, size_t size, const char *text)
{
  size_t used = strlen (message);

  if (text != NULL && text[0] != '\0')
    snprintf (message + used, size - used, "%s%s", used > 0 ? "; " : "", text);
}

void
ss_run_end_early (SsRunResult *result, SsOutcome outcome, const char *when)
{
  SS_ASSERT (result != NULL);
  result->outcome = outcome;
  snprintf (result->message, sizeof result->message, "%s %s", ss_outcome_early_words (outcome), when);
}
