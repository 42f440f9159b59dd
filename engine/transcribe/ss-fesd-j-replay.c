/* engine/transcribe/ss-fesd-j-replay.c: the step at which a plan on finite elements is replayed. */
#include "transcribe/ss-fesd-fixed.h"
#include "transcribe/ss-fesd-j-private.h"

#include <math.h>
#include <string.h>

/* The longest time of which both are multiples, but for `rounding`. */
static double
common_time (double a, double b, double rounding)
{
  while (b > rounding) {
    double rest = fmod (a, b);

    if (b - rest <= rounding)
      rest = 0;
    a = b;
    b = rest;
  }
  return a;
}

/* Whether a control of the row differs from that of the row before by more than what solvers leave of equalities;
 * `most`: the largest of each channel. */
static bool
controls_change (const SsTrajectory *plan, int row, const double *most)
{
  const double rounding = 1e-9;
  bool change = false;

  for (int i = 0; i < plan->n_channels; i++)
    change =
        change || (strncmp (plan->channels[i].name, "u.", 2) == 0 &&
                   fabs (ss_trajectory_row (plan, row)[i] - ss_trajectory_row (plan, row - 1)[i]) > rounding * most[i]);
  return change;
}

/* The largest value of each channel; NULL: no memory. */
static double *
find_largest (const SsTrajectory *plan)
{
  double *most = ss_new_array (double, plan->n_channels + 1);

  for (int row = 0; row < plan->n_rows && most != NULL; row++)
    for (int i = 0; i < plan->n_channels; i++)
      most[i] = fmax (most[i], fabs (ss_trajectory_row (plan, row)[i]));
  return most;
}

/* A time of which all changes of the controls are multiples, in as many steps as four to each of the elements in it
 * where there are most: intervals end with steps, be their elements equally many or not. A plan has stages, and two
 * rows an element. */
double
ss_fesd_replay_step (const SsTrajectory *plan)
{
  SS_ASSERT (plan != NULL && plan->n_rows >= 0);
  enum { STEPS_OF_AN_ELEMENT = 4 };
  const double rounding_part = 1e-7;
  bool has_stages = false;
  const int told = ss_trajectory_channel (plan, SS_FESD_STEP_CHANNEL);
  int most = 0;

  if (told > 0 && plan->n_rows > 0)
    return ss_trajectory_row (plan, 0)[told];
  for (int i = 0; i < plan->n_channels; i++)
    has_stages = has_stages || strstr (plan->channels[i].name, ".stage_1.") != NULL;
  if (!has_stages || plan->n_rows < 3 || plan->n_rows % 2 == 0)
    return NAN;
  const double first = ss_trajectory_row (plan, 0)[0], all = ss_trajectory_row (plan, plan->n_rows - 1)[0] - first;
  double window = all;
  double *largest = find_largest (plan);
  if (largest == NULL)
    return NAN;
  for (int row = 1; row < plan->n_rows; row++)
    if (controls_change (plan, row, largest))
      window = common_time (window, ss_trajectory_row (plan, row)[0] - first, rounding_part * all);
  ss_free (largest);
  for (int row = 0, n = 0, last = -1; row + 1 < plan->n_rows; row += 2) {
    const double middle = 0.5 * (ss_trajectory_row (plan, row)[0] + ss_trajectory_row (plan, row + 1)[0]) - first;
    const int number = (int)floor (middle / window);

    n = number == last ? n + 1 : 1;
    last = number;
    most = n > most ? n : most;
  }
  return all / (round (all / window) * STEPS_OF_AN_ELEMENT * most);
}
