/* tests/ss-replay.h: a plan beside its replay by stewart-trinkle with gap=end, whose law a transcribed plan obeys. */
#pragma once

#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* <owner>.<channel> in a row; NaN when there is no such channel. */
static inline double
ss_replay_value (const SsTrajectory *trajectory, int row, const char *owner, const char *channel)
{
  char name[256];
  snprintf (name, sizeof name, "%s.%s", owner, channel);
  int c = ss_trajectory_channel (trajectory, name);
  return c >= 0 ? ss_trajectory_row (trajectory, row)[c] : NAN;
}

/* The whole replay with steps of dt (NaN: the plan's own), and step by step (`steps` may be NULL). */
static bool
ss_replay_by_its_law (const SsScene *scene, const SsTrajectory *plan, double dt, SsReplayDistance *whole,
                      SsReplaySteps *steps)
{
  const SsIntegratorClass *integrator = &ss_integrator_stewart_trinkle;
  void *options = calloc (1, integrator->options->size);
  SsReplay *replay = NULL;
  SsSimResult run = {0};
  SsError err = {0};
  if (options == NULL)
    return false;
  ss_options_init (integrator->options, options);
  bool is_good = ss_options_set (integrator->options, options, "gap", "end", &err) == SS_OK &&
                 ss_replay_new (scene, plan, &replay, &err) == SS_OK &&
                 ss_simulate_job (&(SsSimJob){.scene = ss_replay_scene (replay),
                                              .integrator = integrator,
                                              .options = options,
                                              .controls = ss_replay_controls (replay),
                                              .dt = dt,
                                              .t_end = ss_replay_t_end (replay)},
                                  NULL, &run, &err) == SS_OK &&
                 ss_replay_compare (scene, plan, run.trajectory, whole, NULL, &err) == SS_OK &&
                 (steps == NULL || ss_replay_compare_steps (scene, plan, integrator, options, steps, &err) == SS_OK);
  if (!is_good)
    printf ("  no replay: %s %s\n", err.message, run.message);
  const bool is_whole = run.outcome == SS_OUTCOME_COMPLETED;
  ss_sim_result_clear (&run);
  ss_replay_free (replay);
  free (options);
  return is_good && is_whole;
}
