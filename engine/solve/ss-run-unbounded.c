/* engine/solve/ss-run-unbounded.c: see the header. */
#include "solve/ss-run-unbounded.h"

#include "nlp/ss-least-violation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "box.x at k = 3" */
static void
name_variable (const SsScenario *scenario, int variable, char *text, size_t size)
{
  const SsModel *model = scenario->model;

  snprintf (text, size, "%s at k = %d", model->variables[variable % model->n_variables], variable / model->n_variables);
}

static void
describe (const SsScenario *model, const SsUnboundedResult *look, char *text, size_t size)
{
  char reached[16] = "-inf", far[16], name[96] = "the largest variable";

  if (isfinite (look->reached))
    ss_run_format_short (look->reached, reached);
  if (look->variable >= 0)
    name_variable (model, look->variable, name, sizeof name);
  snprintf (text, size, "the objective falls without bound along points that keep every row: to %s with %s at %s",
            reached, name, ss_run_format_short (look->size, far));
}

SsStatus
ss_run_look_unbounded (const SsScenario *model, const SsMpcc *mpcc, const double *x0, SsRunControl *control, double *x,
                       SsNlpResult *answer, bool *is_found, SsError *err)
{
  SS_ASSERT (answer != NULL && is_found != NULL);

  SsUnboundedResult look;

  *is_found = false;
  SsStatus status = ss_unbounded_look (mpcc, x0, control, x, &look, err);
  if (status != SS_OK || !look.is_unbounded)
    return status;
  *is_found = true;
  *answer = (SsNlpResult){.outcome = SS_OUTCOME_UNBOUNDED,
                          .iterations = answer->iterations,
                          .subproblems = answer->subproblems + look.programs,
                          .inner_iterations = answer->inner_iterations,
                          .solve_seconds = answer->solve_seconds + look.cpu_seconds,
                          .cpu_seconds = answer->cpu_seconds + look.cpu_seconds,
                          .qp_seconds = NAN,
                          .linear_seconds = NAN,
                          .stationarity = NAN,
                          .x = x,
                          .members = answer->members,
                          .n_members = answer->n_members};
  describe (model, &look, answer->message, sizeof answer->message);
  return SS_OK;
}

SsStatus
ss_run_doubt_infeasible (const SsMpcc *mpcc, const double *guess, SsRunControl *control, double *x, SsNlpResult *answer,
                         bool *is_found, SsError *err)
{
  SS_ASSERT (answer != NULL && is_found != NULL);

  char message[sizeof answer->message];

  *is_found = false;
  if (answer->outcome != SS_OUTCOME_INFEASIBLE)
    return SS_OK;
  SsStatus status = ss_feasible_look (mpcc, guess, control, x, is_found, err);
  if (status == SS_OK && !*is_found)
    status = ss_feasible_look (mpcc, answer->x, control, x, is_found, err);
  if (status != SS_OK || !*is_found)
    return status;
  answer->outcome = SS_OUTCOME_STALLED;
  snprintf (message, sizeof message, "%s", answer->message);
  snprintf (answer->message, sizeof answer->message,
            "not infeasible: corrected for its rows alone, a point keeps them; %.180s", message);
  return SS_OK;
}

static void
put_before (SsNlpResult *answer, const char *words)
{
  char message[sizeof answer->message];

  snprintf (message, sizeof message, "%.200s; %.380s", words, answer->message);
  memcpy (answer->message, message, sizeof message);
}

SsStatus
ss_run_name_conflict (SsMpcc *mpcc, const double *guess, SsRunControl *control, double *x, SsNlpResult *answer,
                      bool *is_found, bool *is_conflict, SsError *err)
{
  SS_ASSERT (answer != NULL && is_found != NULL);

  const bool is_none = answer->outcome != SS_OUTCOME_SOLVED && answer->outcome != SS_OUTCOME_UNBOUNDED &&
                       !ss_outcome_is_early (answer->outcome);
  SsLeastViolation least;
  char words[240], sum[16];

  *is_found = *is_conflict = false;
  if (!is_none || answer->x == NULL)
    return SS_OK;
  SsStatus status = ss_least_violation_look (mpcc, answer->outcome == SS_OUTCOME_DIVERGED ? guess : answer->x, control,
                                             x, &least, err);
  if (status != SS_OK)
    return status;
  answer->cpu_seconds += least.cpu_seconds;
  if (least.is_feasible && answer->outcome == SS_OUTCOME_INFEASIBLE) {
    *is_found = true;
    answer->outcome = SS_OUTCOME_STALLED;
    put_before (answer, "not infeasible: without the objective a point keeps the rows");
  } else if (least.is_least) {
    *is_conflict = true;
    answer->outcome = SS_OUTCOME_INFEASIBLE;
    answer->x = x;
    answer->multipliers = NULL;
    snprintf (words, sizeof words, "least sum of violations %s", ss_run_format_short (least.sum, sum));
    put_before (answer, words);
    ss_least_violation_describe (mpcc, &least, words, sizeof words);
    put_before (answer, words);
  }
  return SS_OK;
}
