/* engine/core/ss-relay.c: see the header. */
#include "core/ss-relay.h"

#include <string.h>

static void
pass_stop (void *user_data, const SsProgress *progress)
{
  SsSilence *silence = user_data;
  SsOutcome why = SS_OUTCOME_CANCELLED;

  if (progress->kind != SS_PROGRESS_ITERATION && progress->kind != SS_PROGRESS_FRAME)
    return;
  bool stops = ss_run_control_should_stop (silence->outer, &why);
  for (int i = 0; i < progress->n_columns && silence->no_restoration; i++)
    stops = stops || (strcmp (progress->columns[i].name, "restoration") == 0 && progress->columns[i].value > 0);
  if (stops)
    ss_run_control_stop (&silence->inner, why);
}

void
ss_silence_init (SsSilence *silence, SsRunControl *outer)
{
  SS_ASSERT (silence != NULL);
  ss_run_control_init (&silence->inner);
  silence->no_restoration = false;
  silence->outer = outer;
  silence->inner.progress = pass_stop;
  silence->inner.user_data = silence;
}

static void
relay_progress (void *user_data, const SsProgress *progress)
{
  SsRelay *relay = user_data;
  SsProgress told = *progress;
  SsOutcome why;

  if (progress->kind == SS_PROGRESS_ITERATION && ss_run_control_should_stop (relay->outer, &why))
    ss_run_control_stop (&relay->inner, why);
  if (relay->outer == NULL || relay->outer->progress == NULL)
    return;
  if (progress->kind == SS_PROGRESS_ITERATION || progress->kind == SS_PROGRESS_ITERATE) {
    told.iteration += relay->offset;
    if (told.iteration > relay->last)
      relay->last = told.iteration;
  }
  /* what a part warns of, such as contacts that it leaves out, is none of the run's business */
  const bool is_own = (progress->kind == SS_PROGRESS_ITERATE) ||
                      (progress->kind == SS_PROGRESS_LOG && progress->level == SS_LOG_WARNING);
  if (!is_own || relay->has_iterates)
    relay->outer->progress (relay->outer->user_data, &told);
}

void
ss_relay_init (SsRelay *relay, SsRunControl *outer)
{
  SS_ASSERT (relay != NULL);
  ss_run_control_init (&relay->inner);
  relay->outer = outer;
  relay->inner.progress = relay_progress;
  relay->inner.user_data = relay;
  ss_run_control_inherit (&relay->inner, outer);
  relay->offset = 0;
  relay->last = -1;
  relay->has_iterates = false;
}
