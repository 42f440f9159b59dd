/* engine/contact/ss-step-run.c: a run of a solver, its clock, its history and its limits; see ss-step-solver.h. */
#include "contact/ss-step-solver.h"

#include "contact/ss-step-take.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Cheap iterates are judged one by one up to the first number, then each time that the number has grown by 1 part in
 * the second. */
enum { ALL_UP_TO = 50, GROWTH = 50 };
/* Samples that are kept; a run with more is thinned to half of them. */
enum { SAMPLES_MAX = 2000 };

struct SsStepRun {
  const SsStepProblem *problem;
  const SsStepLimits *limits;
  SsRunControl *control;
  SsStepJudge *judge;
  SsStepResult *result;
  double started, judging; /* [s] of this thread's CPU */
  int capacity;
  bool is_over, has_memory;
};

const SsStepProblem *
ss_step_run_problem (const SsStepRun *run)
{
  SS_ASSERT (run != NULL);
  return run->problem;
}

double
ss_step_run_tolerance (const SsStepRun *run)
{
  SS_ASSERT (run != NULL);
  return run->result->tolerance;
}

/* The solver's seconds until `now`, without those of the judge. */
static double
own_seconds (const SsStepRun *run, double now)
{
  return now - run->started - run->judging;
}

/* Every second one goes when there are too many; the last stays. */
static void
thin (SsStepResult *result)
{
  int n = 0;
  for (int i = 0; i < result->n_samples; i++)
    if (i % 2 == 0 || i == result->n_samples - 1)
      result->samples[n++] = result->samples[i];
  result->n_samples = n;
}

static void
add_sample (SsStepRun *run, int iteration, double residual)
{
  SsStepResult *result = run->result;
  if (result->n_samples >= SAMPLES_MAX)
    thin (result);
  if (ss_array_reserve ((void **)&result->samples, &run->capacity, result->n_samples + 1, sizeof *result->samples) != 0)
    run->has_memory = false;
  else
    result->samples[result->n_samples++] = (SsStepSample){iteration, result->cpu_seconds, residual};
}

static void
end (SsStepRun *run, SsOutcome outcome, const char *message)
{
  if (!run->is_over) {
    run->result->outcome = outcome;
    snprintf (run->result->message, sizeof run->result->message, "%s", message);
  }
  run->is_over = true;
}

static void
look_at_limits (SsStepRun *run, int iteration)
{
  SsOutcome why;
  run->result->iterations = iteration;
  run->result->cpu_seconds = own_seconds (run, ss_clock_thread_cpu ());
  if (run->control != NULL && ss_run_control_should_stop (run->control, &why))
    end (run, why, ss_outcome_early_words (why));
  else if (run->limits->iterations > 0 && iteration >= run->limits->iterations)
    end (run, SS_OUTCOME_MAX_ITERATIONS, "iteration limit reached");
  else if (run->result->cpu_seconds >= run->limits->cpu_seconds)
    end (run, SS_OUTCOME_CPU_LIMIT, "CPU time limit reached");
}

bool
ss_step_run_tell (SsStepRun *run, int iteration, const double *r, const double *p)
{
  SsStepResult *result = run->result;
  const double before = ss_clock_thread_cpu (); /* also of what a limit has ended: its last iterate may be the best */
  result->iterations = iteration;
  result->cpu_seconds = own_seconds (run, before); /* what is looked at after this is the judge's */
  const double residual = ss_step_judge_residual (run->judge, r, p, NULL);
  if (!(residual >= result->residual)) {
    if (!isnan (residual)) {
      result->residual = residual;
      memcpy (result->r, r, 2 * (size_t)run->problem->n_contacts * sizeof *r);
      if (run->problem->n_joints > 0)
        memcpy (result->p, p, (size_t)run->problem->n_joints * sizeof *p);
    }
  }
  add_sample (run, iteration, residual);
  if (result->residual <= result->tolerance)
    end (run, SS_OUTCOME_SOLVED, "residual reached");
  run->judging += ss_clock_thread_cpu () - before;
  look_at_limits (run, iteration);
  return !run->is_over;
}

bool
ss_step_run_goes_on (SsStepRun *run, int iteration)
{
  look_at_limits (run, iteration);
  return !run->is_over;
}

bool
ss_step_run_is_due (const SsStepRun *run, int iteration)
{
  SS_ASSERT (run != NULL);

  const int n = run->result->n_samples, last = n > 0 ? run->result->samples[n - 1].iteration : 0;
  const int limit = run->limits->iterations;
  return iteration <= ALL_UP_TO || iteration >= last + 1 + last / GROWTH || (limit > 0 && iteration >= limit);
}

void
ss_step_run_give_up (SsStepRun *run, const char *why)
{
  end (run, SS_OUTCOME_STALLED, why);
}

void
ss_step_result_clear (SsStepResult *result)
{
  SS_ASSERT (result != NULL);
  ss_free (result->samples);
  ss_free (result->r);
  ss_free (result->p);
  *result = (SsStepResult){0};
}

/* A problem without contacts has its answer. */
static bool
is_trivial (const SsStepProblem *problem)
{
  return problem->n_contacts == 0 && problem->n_joints == 0;
}

SsStatus
ss_step_solve (const SsStepSolver *solver, const SsStepProblem *problem, const SsStepLimits *limits,
               SsRunControl *cancel, SsStepResult *result, SsError *err)
{
  SS_ASSERT (solver != NULL && problem != NULL && limits != NULL && result != NULL);

  SsStepRun run = {.problem = problem, .limits = limits, .control = cancel, .result = result, .has_memory = true};
  const bool needs_other = solver->needs_bodies && !ss_step_bodies_fit (problem);
  SsStatus (*go) (SsStepRun *, SsError *) = needs_other ? solver->go_reduced : solver->go;
  *result = (SsStepResult){
      .outcome = SS_OUTCOME_STALLED, .residual = INFINITY, .applies = go != NULL || is_trivial (problem)};
  result->r = ss_new_array (double, 2 * (size_t)problem->n_contacts + 1);
  result->p = ss_new_array (double, (size_t)problem->n_joints + 1);
  SsStatus status =
      result->r != NULL && result->p != NULL
          ? ss_step_judge_new (problem, &run.judge, err)
          : ss_error_set (err, SS_ERR_MEMORY, "no memory for a problem of %d contacts", problem->n_contacts);
  if (status != SS_OK) {
    ss_step_result_clear (result);
    return status;
  }
  result->tolerance = fmax (limits->absolute, limits->relative * ss_step_judge_scale (run.judge));
  run.started = ss_clock_thread_cpu ();
  if (!result->applies) {
    result->outcome = SS_OUTCOME_FAILED;
    snprintf (result->message, sizeof result->message,
              "not for this problem: it needs bodies (three velocities each, a diagonal M, rows on two of them)");
  } else if (ss_step_run_tell (&run, 0, result->r, result->p)) { /* no impulses: what nothing touches is solved */
    SsError why;
    const SsStatus went = go (&run, &why);
    if (went == SS_ERR_MEMORY)
      status = ss_error_set (err, went, "%s", why.message);
    else if (went != SS_OK)
      end (&run, SS_OUTCOME_FAILED, why.message);
    result->cpu_seconds = own_seconds (&run, ss_clock_thread_cpu ());
    if (!run.is_over)
      end (&run, SS_OUTCOME_STALLED, "it ended without the residual");
  }
  if (!run.has_memory)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the history of a solver");
  ss_step_judge_free (run.judge);
  if (status != SS_OK)
    ss_step_result_clear (result);
  return status;
}
