/* tests/ss-test-simulate.h: what tests of integrators share: a run of a scene that must be accepted, and values of its
 * trajectory. */
#pragma once

#include "simulate/ss-simulate.h"
#include "ss-test.h"

#include <stddef.h>

typedef struct {
  SsTrajectory *trajectory; /* to be freed */
  SsSimMetrics metrics;
  SsOutcome outcome;
  char message[512];
} SsTestRun;

/* The options' own values, and over them those given as "name=value", ended by NULL (or NULL: none). */
static inline void
ss_test_set_options (const SsOptionTable *table, void *options, const char *const *texts, SsError *err)
{
  ss_options_init (table, options);
  for (; texts != NULL && *texts != NULL; texts++) {
    char name[64];
    const char *equals = strchr (*texts, '=');
    SS_CHECK (equals != NULL);
    if (equals == NULL)
      continue;
    snprintf (name, sizeof name, "%.*s", (int)(equals - *texts), *texts);
    SS_CHECK (ss_options_set (table, options, name, equals + 1, err) == SS_OK);
  }
}

/* Options as above. A run that did not complete is printed, not judged. */
static inline SsTestRun
ss_test_simulate (const SsScene *scene, const SsIntegratorClass *integrator, const char *const *options_text, double dt,
                  double t_end, SsRunControl *control)
{
  SsTestRun run = {0};
  SsError err = {0};
  _Alignas(max_align_t) char options[1024];

  SS_CHECK (integrator->options->size <= sizeof options);
  ss_test_set_options (integrator->options, options, options_text, &err);
  SsStatus status = ss_simulate (scene, integrator, options, dt, t_end, control, &run.trajectory, &run.metrics,
                                 &run.outcome, run.message, sizeof run.message, &err);
  SS_CHECK (status == SS_OK);
  if (status != SS_OK)
    printf ("  %s: %s\n", integrator->name, err.message);
  else if (run.outcome != SS_OUTCOME_COMPLETED)
    printf ("  %s: %s: %s\n", integrator->name, ss_outcome_name (run.outcome), run.message);
  return run;
}

/* A channel in a row; NaN after a failed check where there is none. */
static inline double
ss_test_value (const SsTrajectory *trajectory, int row, const char *channel)
{
  int c = trajectory != NULL ? ss_trajectory_channel (trajectory, channel) : -1;

  if (c < 0)
    printf ("  no channel %s\n", channel);
  SS_CHECK (c >= 0);
  return c >= 0 ? ss_trajectory_row (trajectory, row)[c] : NAN;
}

static inline double
ss_test_last_value (const SsTrajectory *trajectory, const char *channel)
{
  return ss_test_value (trajectory, trajectory != NULL ? trajectory->n_rows - 1 : 0, channel);
}
