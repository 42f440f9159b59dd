/* engine/plan/ss-search-controls.c: see the header. */
#include "plan/ss-search-controls.h"

#include <math.h>
#include <string.h>

/* Leaving the way by this much [its unit] costs as much as the plan does at the start. */
static const double dear = 0.1;
/* Part of the worth that a change must bring; of a sweep, less than which halves the steps. */
static const double worth_it = 1e-6, worth_a_sweep = 1e-2;
static const double first_part = 1.0 / 4, last_part = 1.0 / 32;
static const int lengths[] = {1, 2, 4};

typedef struct {
  const SsScenario *scenario;
  const SsPlan *plan;
  SsRunControl *control;
  int steps, max_tries;
  double *controls, *trial; /* plan->steps * n_actuators */
  double way_price;
  SsSearched *out;
} Search;

/* Infinite: the motion does not come to its end. */
static SsStatus
find_worth (Search *s, const double *controls, double *worth, double *cost, SsError *err)
{
  SsTriedControls tried;
  SsStatus status = ss_try_controls (s->scenario, s->plan, controls, s->steps, NULL, s->control, &tried, err);

  s->out->n_tries++;
  *worth = *cost = INFINITY;
  if (status == SS_OK && tried.is_complete && isfinite (tried.value.objective)) {
    *cost = tried.value.objective;
    *worth = tried.value.objective + s->way_price * tried.value.way;
  }
  ss_tried_controls_clear (&tried);
  return status;
}

static bool
is_over (const Search *s)
{
  SsOutcome why;

  return s->out->n_tries >= s->max_tries || ss_run_control_should_stop (s->control, &why);
}

static double
room_of (const Search *s, int a)
{
  const SsActuator *actuator = &s->scenario->scene->actuators[a];
  const int n = s->scenario->scene->n_actuators;
  double largest = 1;

  if (isfinite (actuator->upper - actuator->lower))
    return actuator->upper - actuator->lower;
  for (int i = 0; i < s->plan->steps; i++)
    largest = fmax (largest, fabs (s->controls[i * n + a]));
  return largest;
}

/* Adds to a control of the intervals first..last - 1; whether that changes anything. */
static bool
add (Search *s, int a, int first, int last, double step)
{
  const SsActuator *actuator = &s->scenario->scene->actuators[a];
  const int n = s->scenario->scene->n_actuators;
  bool changes = false;

  for (int i = first; i < last && i < s->plan->steps; i++) {
    const double before = s->trial[i * n + a];

    s->trial[i * n + a] = fmin (fmax (before + step, actuator->lower), actuator->upper);
    changes = changes || s->trial[i * n + a] != before;
  }
  return changes;
}

/* One change: a block, and with `is_pair` the next one the other way; taken where it is worth it. */
static SsStatus
try_change (Search *s, int a, int first, int length, double step, bool is_pair, bool *taken, SsError *err)
{
  const size_t size = (size_t)s->plan->steps * (size_t)s->scenario->scene->n_actuators * sizeof *s->trial;
  double worth, cost;

  *taken = false;
  memcpy (s->trial, s->controls, size);
  bool changes = add (s, a, first, first + length, step);
  if (is_pair)
    changes = add (s, a, first + length, first + 2 * length, -step) || changes;
  if (!changes)
    return SS_OK;
  SsStatus status = find_worth (s, s->trial, &worth, &cost, err);
  if (status == SS_OK && worth < s->out->after - worth_it * fabs (s->out->after)) {
    s->out->after = worth;
    memcpy (s->controls, s->trial, size);
    *taken = true;
  }
  return status;
}

/* All changes with that part of the room; one that is taken is tried again. */
static SsStatus
sweep (Search *s, double part, SsError *err)
{
  SsStatus status = SS_OK;
  bool taken;

  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (int first = 0; first < s->plan->steps; first += lengths[l])
      for (int a = 0; a < s->scenario->scene->n_actuators; a++)
        for (int kind = 0; kind < 4 && status == SS_OK && !is_over (s); kind++) {
          const double step = part * room_of (s, a) * (kind % 2 == 0 ? 1 : -1);

          do
            status = try_change (s, a, first, lengths[l], step, kind >= 2, &taken, err);
          while (taken && status == SS_OK && !is_over (s));
        }
  return status;
}

SsStatus
ss_search_controls (const SsScenario *scenario, const SsPlan *plan, int steps, int max_tries, SsRunControl *control,
                    double *controls, SsSearched *out, SsError *err)
{
  SS_ASSERT (out != NULL);

  Search s = {.scenario = scenario,
              .plan = plan,
              .control = control,
              .steps = steps,
              .max_tries = max_tries,
              .controls = controls,
              .trial = ss_new_array (double, (size_t)plan->steps *(size_t)scenario->scene->n_actuators + 1),
              .out = out};
  double cost;

  *out = (SsSearched){.before = NAN, .after = NAN};
  if (s.trial == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  SsStatus status = find_worth (&s, controls, &out->before, &cost, err);
  s.way_price = isfinite (cost) ? fabs (cost) / dear : 0;
  if (status == SS_OK && isfinite (cost))
    status = find_worth (&s, controls, &out->before, &cost, err);
  out->after = out->before;
  for (double part = first_part; part >= last_part && status == SS_OK && isfinite (out->before) && !is_over (&s);) {
    const double before = out->after;

    status = sweep (&s, part, err);
    if (!(out->after < before - worth_a_sweep * fabs (before)))
      part /= 2;
  }
  ss_free (s.trial);
  return status;
}
