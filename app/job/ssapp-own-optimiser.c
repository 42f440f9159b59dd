/* app/job/ssapp-own-optimiser.c: an optimiser that is a program of the user's own. It asks for values and derivatives
 * (ssapp-oracle.h), tells its iterates as `iterate` events with `x`, and ends with a `result` that has `outcome`, `x`
 * and `message`. What its answer is worth the judge says, as of every optimiser. */
#include "app/job/ssapp-own-class.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-own-child.h"
#include "solve/ss-run-result.h"

#include <math.h>
#include <string.h>

typedef struct {
  SsappOwnRun *run;
  const SsMpcc *mpcc; /* borrowed */
  double *x;          /* n_variables: the answer, else the last iterate, else the start */
  int iterations;
} Solver;

static void
solver_free (void *data)
{
  Solver *self = data;

  if (self == NULL)
    return;
  g_free (self->x);
  g_free (self);
}

static SsStatus
solver_new (const SsMpcc *mpcc, const void *options, void **solver, SsError *err)
{
  SsappOwnRun *run = options != NULL ? ((const SsappOwnOptions *)options)->run : NULL;

  if (run == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "a method of your own takes part in runs, which have a job to tell it; here "
                         "there is none");
  Solver *self = g_new0 (Solver, 1);
  self->run = run;
  self->mpcc = mpcc;
  self->x = g_new0 (double, ss_mpcc_n_variables (mpcc) + 1);
  *solver = self;
  return SS_OK;
}

/* The point of an event; FALSE: it has none of that many numbers, and the last one stays. */
static gboolean
take_point (Solver *self, const json_t *event)
{
  const int n = ss_mpcc_n_variables (self->mpcc);
  const json_t *x = json_object_get (event, "x");

  if (!json_is_array (x) || (int)json_array_size (x) != n)
    return FALSE;
  for (int i = 0; i < n; i++)
    if (!json_is_number (json_array_get (x, (size_t)i)))
      return FALSE;
  for (int i = 0; i < n; i++)
    self->x[i] = json_number_value (json_array_get (x, (size_t)i));
  return TRUE;
}

static SsStatus
take_iterate (Solver *self, const json_t *event, SsRunControl *control, SsError *err)
{
  const json_t *number = json_object_get (event, "iteration");
  const int n = ss_mpcc_n_variables (self->mpcc);

  if (!take_point (self, event))
    return ssapp_own_fail (self->run, err, "has an iterate whose x is no list of %d numbers", n);
  self->iterations = json_is_integer (number) ? (int)json_integer_value (number) : self->iterations + 1;
  ss_run_control_emit_iterate (control, self->iterations, self->x, n);
  return SS_OK;
}

/* What it claims; a claim that makes no sense is a failure. */
static SsStatus
take_result (Solver *self, const json_t *event, SsNlpResult *result, SsError *err)
{
  const char *outcome = ssapp_json_get_string (event, "outcome");
  g_autofree char *message = ssapp_own_text (event, "message");

  if (outcome == NULL || !ss_outcome_from_name (outcome, &result->outcome) || ss_outcome_is_early (result->outcome))
    return ssapp_own_fail (self->run, err,
                           "has a result with the outcome \"%.40s\" (expected solved, max_iterations, "
                           "infeasible, stalled, diverged, unbounded or failed)",
                           outcome != NULL ? outcome : "");
  if (result->outcome == SS_OUTCOME_COMPLETED) /* that of a simulation */
    result->outcome = SS_OUTCOME_SOLVED;
  if (!take_point (self, event) && ss_outcome_is_success (result->outcome))
    return ssapp_own_fail (self->run, err, "claims to have solved, but its result has no x of %d numbers",
                           ss_mpcc_n_variables (self->mpcc));
  g_strlcpy (result->message, message[0] != '\0' ? message : outcome, sizeof result->message);
  const json_t *iterations = json_object_get (event, "iterations");
  if (json_is_integer (iterations) && json_integer_value (iterations) >= 0)
    self->iterations = (int)MIN (json_integer_value (iterations), G_MAXINT);
  return SS_OK;
}

/* Hears it to its end. */
static SsStatus
hear (Solver *self, SsappOwnChild *child, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  json_t *event;

  while ((event = ssapp_own_child_next (child, control, err)) != NULL) {
    const char *type = ssapp_json_get_string (event, "type");
    const gboolean is_result = strcmp (type, "result") == 0;
    SsStatus status;

    if (is_result)
      status = take_result (self, event, result, err);
    else if (strcmp (type, "iterate") == 0)
      status = take_iterate (self, event, control, err);
    else
      status = ssapp_own_fail (self->run, err, "wrote an event of type \"%s\", which an optimiser has not", type);
    json_decref (event);
    if (status != SS_OK || is_result)
      return status;
  }
  return SS_ERR_INVALID;
}

static SsStatus
solver_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Solver *self = data;
  const int n = ss_mpcc_n_variables (self->mpcc);
  const double start = ss_clock_wall (), cpu = ss_clock_thread_cpu (), own = self->run->cpu;
  SsError why = {0};
  SsOutcome early;

  *result = (SsNlpResult){.stationarity = NAN, .qp_seconds = NAN, .linear_seconds = NAN};
  memcpy (self->x, x0, sizeof (double) * (size_t)n);
  self->iterations = 0;
  SsappOracle *oracle = ssapp_oracle_new_problem (self->mpcc, x0, err);
  if (oracle == NULL)
    return SS_ERR_MEMORY;
  ss_run_control_emit_iterate (control, 0, x0, n);
  SsappOwnChild *child = ssapp_own_child_new (self->run, NULL, oracle, &why);
  SsStatus status = child != NULL ? hear (self, child, control, result, &why) : SS_ERR_INVALID;
  ssapp_own_child_free (child);
  ssapp_oracle_free (oracle);
  if (status != SS_OK) {
    result->outcome = ss_run_control_should_stop (control, &early) ? early : SS_OUTCOME_FAILED;
    g_strlcpy (result->message, why.message, sizeof result->message);
  }
  result->x = self->x;
  result->iterations = self->iterations;
  result->solve_seconds = ss_clock_wall () - start;
  result->cpu_seconds = ss_clock_thread_cpu () - cpu + self->run->cpu - own;
  return SS_OK;
}

static bool
takes_objective (const void *options)
{
  (void)options;
  return true;
}

const SsNlpClass ssapp_own_optimiser = {
    .new_ = solver_new,
    .solve = solver_solve,
    .free_ = solver_free,
    .keeps_numbers = true,
    .takes_objective = takes_objective,
};
