/* engine/plan/ss-elements-replay.c: see the header. */
#include "plan/ss-elements-replay.h"

#include "core/ss-memory.h"
#include "plan/ss-plan-rest.h"
#include "plan/ss-try-controls.h"

#include <math.h>
#include <stdio.h>

/* Steps of the integrator in an element, as in the judge's replay. */
enum { ELEMENT_STEPS = 4 };

/* Largest differences at the end of the motion: of centres of mass [m], and of all coordinates and, where they count,
 * velocities. `sample`: of the plan. */
static void
compare_ends (const SsScene *scene, const SsTrajectory *motion, const double *sample, bool with_velocities,
              double *distance, double *off)
{
  const double *end = ss_trajectory_row (motion, motion->n_rows - 1);

  *distance = *off = 0;
  for (int b = 0; b < scene->n_bodies; b++) {
    double way[6] = {0};

    for (int i = 0; i < (with_velocities ? 6 : 3); i++) {
      char name[SS_CHANNEL_NAME_MAX];

      snprintf (name, sizeof name, "%s.%s", scene->bodies[b].name, ss_body_channels[i]);
      const int channel = ss_trajectory_channel (motion, name);
      if (channel > 0)
        way[i] = end[channel] - sample[1 + (i < 3 ? 0 : 3 * scene->n_bodies) + 3 * b + i % 3];
      *off = fmax (*off, fabs (way[i]));
    }
    *distance = fmax (*distance, hypot (way[0], way[1]));
  }
}

/* Of one element; velocities count where is_joint. sample[sample size] is scratch. */
static SsStatus
replay_element (const SsScenario *scenario, const SsFesdSequence *sequence, const SsFesdPlace *place, bool is_start,
                bool is_joint, SsRunControl *control, double *sample, double *off, SsElementsReplay *out, SsError *err)
{
  const int interval = sequence->segments[place->segment].interval;
  SsTriedControls tried = {0};
  SsPlanRest element;
  double distance;
  SsStatus status = ss_plan_rest_open (scenario, place->length, 1, &element, err);

  *off = INFINITY;
  if (status == SS_OK) {
    ss_fesd_sequence_sample (sequence, place->segment, place->first, sample);
    if (!is_start)
      ss_plan_rest_place (&element, sample + 1, sample + 1 + sequence->n_q);
    status = ss_try_controls (&element.scenario, &element.plan,
                              sequence->controls + (size_t)interval * (size_t)sequence->n_controls, ELEMENT_STEPS, NULL,
                              control, &tried, err);
  }
  if (status == SS_OK && tried.is_complete) {
    ss_fesd_sequence_sample (sequence, place->segment, place->last, sample);
    compare_ends (scenario->scene, tried.simulated.trajectory, sample, is_joint, &distance, off);
    out->distance = fmax (out->distance, distance);
    out->way = fmax (out->way, tried.value.way);
  }
  out->largest = fmax (out->largest, *off);
  out->is_complete = out->is_complete && tried.is_complete;
  ss_tried_controls_clear (&tried);
  ss_plan_rest_close (&element);
  return status;
}

SsStatus
ss_elements_replay (const SsScenario *scenario, const SsFesdSequence *sequence, SsRunControl *control,
                    SsElementsReplay *out, SsError *err)
{
  SS_ASSERT (out != NULL);

  const int n = ss_fesd_sequence_n_elements (sequence);
  double *sample = ss_new_array (double, ss_fesd_sequence_sample_size (sequence));
  SsFesdPlace *places = ss_new_array (SsFesdPlace, n + 1);
  SsStatus status = sample != NULL && places != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  *out = (SsElementsReplay){.is_complete = true, .off = out->off};
  if (status == SS_OK)
    ss_fesd_sequence_places (sequence, places);
  for (int k = 0; k < n && status == SS_OK; k++) {
    const bool is_joint = k + 1 < n && (places[k + 1].segment == places[k].segment ||
                                        !ss_fesd_sequence_jumps (sequence, places[k + 1].segment));

    status = replay_element (scenario, sequence, &places[k], k == 0, is_joint, control, sample, &out->off[k], out, err);
  }
  ss_free (sample);
  ss_free (places);
  return status;
}
