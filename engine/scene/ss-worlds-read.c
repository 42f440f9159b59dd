/* engine/scene/ss-worlds-read.c: reads task.worlds: between which values numbers of the scenario may be, where one
 * control shall reach the goal. Names are those of ss-number.h. */
#include "scene/ss-number.h"
#include "scene/ss-scene-private.h"

#include <math.h>
#include <string.h>

/* Worlds that are drawn where the file does not say how many, and at most; numbers that may vary. */
enum { SAMPLES_DEFAULT = 40, SAMPLES_MAX = 10000, RANGES_MAX = 100 };

/* Both ends are values that the number may have. */
static void
check_range (SsReader *reader, const SsJsonAt *at, const SsPlanRange *range, const SsNumber *number)
{
  const bool is_structural = number->parameter >= 0 && reader->scenario->parameters[number->parameter].is_structural;
  char lower[32], upper[32];

  if (is_structural)
    ss_reader_problem (reader, at, "a number that changes no sizes",
                       "'%s' decides how many points or items there are: it is the same in all worlds", range->name);
  else if (!(range->lower <= range->upper))
    ss_reader_problem (reader, at, "lower <= upper", "no value fits between lower and upper");
  else if (range->lower < number->lower || range->upper > number->upper) {
    ss_format_double (number->lower, lower, sizeof lower);
    ss_format_double (number->upper, upper, sizeof upper);
    ss_reader_problem (reader, at, "a range within these limits", "'%s' may be from %s to %s", range->name, lower,
                       upper);
  } else if (number->is_mass && !(range->lower > 0))
    ss_reader_problem (reader, at, "a range of positive numbers", "'%s' is always above 0", range->name);
}

static void
read_range (SsReader *reader, const SsJsonAt *at, SsPlanRange *range)
{
  SsNumber number;
  SsError error;
  SsVec2 pair;

  range->name = ss_reader_strdup (reader, at->key);
  if (!ss_read_pair (reader, at, &pair))
    return;
  range->lower = pair.x;
  range->upper = pair.y;
  if (reader->scene_has_problems) /* it may be a number of what was rejected */
    return;
  const SsStatus status = ss_scenario_number (reader->scenario, range->name, &number, &error);
  if (status == SS_ERR_MEMORY)
    reader->out_of_memory = true;
  else if (status != SS_OK)
    ss_reader_problem (reader, at, "a number of the file by its name", "%s", error.message);
  else
    check_range (reader, at, range, &number);
}

/* What is no number of the scene. */
static bool
is_setting (const char *key)
{
  static const char *const settings[] = {"samples", "seed", "feedback", "description"};
  bool is_one = false;

  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    is_one = is_one || strcmp (key, settings[i]) == 0;
  return is_one;
}

void
ss_read_worlds (SsReader *reader, const SsJsonAt *task_at, SsPlan *plan)
{
  SS_ASSERT (plan != NULL);

  SsJsonAt at, child;
  int seed = 1;

  plan->world_samples = SAMPLES_DEFAULT;
  plan->world_seed = 1;
  if (!ss_at_member (reader, task_at, "worlds", &at) || !ss_read_is_object (reader, &at))
    return;
  const size_t n = json_object_size (at.value);
  SsPlanRange *ranges = ss_reader_alloc (reader, n, sizeof *ranges);
  if (ranges == NULL)
    return;
  if (ss_at_member (reader, &at, "samples", &child))
    ss_read_integer (reader, &child, 1, SAMPLES_MAX, &plan->world_samples);
  if (ss_at_member (reader, &at, "feedback", &child)) {
    static const char *const feedbacks[] = {"none", "lqr"}; /* in the order of SsPlanWorldFeedback */
    const int choice = ss_read_choice (reader, &child, feedbacks, 2, "feedback");

    plan->world_feedback = choice > 0 ? SS_PLAN_WORLDS_LQR : SS_PLAN_WORLDS_OPEN;
  }
  if (ss_at_member (reader, &at, "seed", &child) && ss_read_integer (reader, &child, 0, 1000000000, &seed))
    plan->world_seed = (uint64_t)seed;
  if (n > RANGES_MAX)
    ss_reader_problem (reader, &at, "at most 100 numbers", "so many numbers cannot vary");
  plan->ranges = ranges;
  for (bool more = n <= RANGES_MAX && ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
    if (!is_setting (child.key))
      read_range (reader, &child, &ranges[plan->n_ranges++]);
  if (plan->n_ranges == 0 && n <= RANGES_MAX)
    ss_reader_problem (reader, &at, "{\"mu\": [0.2, 0.4]}: numbers by name, with their ranges",
                       "the worlds do not differ in anything");
}
