/* app/base/ssapp-outcome.c: see the header. */
#include "app/base/ssapp-outcome.h"

static const struct {
  const char *outcome, *label;
} outcomes[] = {{"solved", "Solved"},         {"completed", "Completed"},
                {"running", "Running"},       {"waiting", "Waiting"},
                {"cancelling", "Stopping"},   {"max_iterations", "Iteration limit"},
                {"time_limit", "Time limit"}, {"cpu_limit", "CPU limit"},
                {"stalled", "Stalled"},       {"not_replayable", "Not replayable"},
                {"cancelled", "Cancelled"},   {"interrupted", "Interrupted"},
                {"infeasible", "Infeasible"}, {"unbounded", "Unbounded"},
                {"diverged", "Diverged"},     {"failed", "Failed"},
                {"damaged", "Damaged"},       {"machine_slow", "Machine too slow"},
                {"paused", "Paused"}};

const char *
ssapp_outcome_label (const char *outcome)
{
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    if (g_strcmp0 (outcome, outcomes[i].outcome) == 0)
      return outcomes[i].label;
  return outcome == NULL ? "Ready" : outcome;
}

const char *
ssapp_outcome_word (int outcome)
{
  return ss_outcome_name ((SsOutcome)outcome);
}
