/* engine/nlp/ss-nlp.c: see the header. */
#include "nlp/ss-nlp.h"

#include "core/ss-memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
ss_nlp_init_options (const SsNlpClass *nlp, bool is_plan, void *options)
{
  SS_ASSERT (nlp != NULL && options != NULL);

  ss_options_init (nlp->options, options);
  if (is_plan && nlp->plan_preset != NULL) {
    SsStatus status = ss_options_set (nlp->options, options, "preset", nlp->plan_preset, NULL);
    SS_ASSERT (status == SS_OK);
    (void)status;
  }
}

void
ss_nlp_state_clear (SsNlpState *state)
{
  SS_ASSERT (state != NULL);

  ss_free (state->values);
  *state = (SsNlpState){0};
}

SsStatus
ss_nlp_state_copy (const SsNlpState *state, SsNlpState *copy, SsError *err)
{
  SS_ASSERT (state != NULL && copy != NULL && state->n_values >= 0);

  *copy = *state;
  copy->values = ss_new_array (double, state->n_values + 1);
  if (copy->values == NULL) {
    *copy = (SsNlpState){0};
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for what the method knows");
  }
  if (state->n_values > 0)
    memcpy (copy->values, state->values, (size_t)state->n_values * sizeof (double));
  return SS_OK;
}

void
ss_nlp_result_add (SsNlpResult *sum, const SsNlpResult *r)
{
  SS_ASSERT (sum != NULL && r != NULL);

  sum->iterations += r->iterations;
  sum->subproblems += r->subproblems;
  sum->inner_iterations += r->inner_iterations;
  sum->solve_seconds += r->solve_seconds;
  sum->cpu_seconds += r->cpu_seconds;
  sum->qp_seconds += isfinite (r->qp_seconds) ? r->qp_seconds : 0;
  sum->derivative_seconds += r->derivative_seconds;
  sum->value_seconds += r->value_seconds;
}

void
ss_nlp_result_account (SsNlpResult *result, const SsNlpResult *sum)
{
  SS_ASSERT (result != NULL && sum != NULL);

  result->iterations = sum->iterations;
  result->subproblems = sum->subproblems;
  result->inner_iterations = sum->inner_iterations;
  result->cpu_seconds = sum->cpu_seconds;
  result->qp_seconds = sum->qp_seconds;
  result->derivative_seconds = sum->derivative_seconds;
  result->value_seconds = sum->value_seconds;
}

void
ss_nlp_result_tell (SsNlpResult *result, const char *format, ...)
{
  SS_ASSERT (result != NULL && format != NULL);
  const size_t used = strlen (result->message);
  va_list list;

  va_start (list, format);
  vsnprintf (result->message + used, sizeof result->message - used, format, list);
  va_end (list);
}
