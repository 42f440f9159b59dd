/* engine/bound/ss-bound-run.c: see ss-bound-run.h. */
#include "bound/ss-bound-run.h"

#include "bound/ss-bound-multipliers.h"
#include "core/ss-relay.h"
#include "judge/ss-metrics.h"
#include "nlp/ss-crisp.h"
#include "solve/ss-run-judge.h"
#include "solve/ss-solve.h"

#include <stdio.h>
#include <string.h>

static const double GAP = 1e-3, CPU_SECONDS = 60;
static const double ANSWER_PART = 0.25; /* of the time that is left, for one answer */
static const double CHAIN_PART = 0.5;   /* of the time, for the dual of a chain where the tree is tried too */

typedef struct {
  const SsScenario *scenario;
  SsRunControl *control;
  SsSolveCache *cache;
  SsBoundRun *out;
  double best;
} Answers;

void
ss_bound_run_options_init (SsBoundRunOptions *options)
{
  SS_ASSERT (options != NULL);
  *options = (SsBoundRunOptions){GAP, CPU_SECONDS, 10000000, INFINITY, true, NULL};
}

void
ss_bound_run_clear (SsBoundRun *run)
{
  SS_ASSERT (run != NULL);
  ss_free (run->x);
  ss_bound_certificate_clear (&run->certificate);
  *run = (SsBoundRun){0};
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static bool
keep_answer (Answers *a, const double *x, double objective)
{
  const SsModel *model = a->scenario->model;
  const size_t n = (size_t)model->n_points * (size_t)model->n_variables;

  if (!(objective < a->best))
    return false;
  if (a->out->x == NULL && (a->out->x = ss_new_array (double, n + 1)) == NULL)
    return false;
  memcpy (a->out->x, x, n * sizeof (double));
  a->best = objective;
  return true;
}

/* x NULL: from the scenario's guess. */
static bool
solve_from (Answers *a, const double *x)
{
  SsCrispOptions options;
  const SsSolveJob job = {
      .scenario = a->scenario, .nlp = &ss_nlp_crisp, .options = &options, .x0 = x, .is_part = true, .cache = a->cache};
  const double left = a->control->cpu_limit - ss_run_control_cpu (a->control);
  SsSilence silence;
  SsRunControl *control = &silence.inner;
  SsRunResult result;
  SsSolve solve;
  SsError error;
  SsOutcome why;
  bool is_over = true, is_better = false;

  if (left <= 0 || ss_run_control_should_stop (a->control, &why))
    return false;
  ss_nlp_init_options (&ss_nlp_crisp, false, &options);
  ss_silence_init (&silence, a->control);
  ss_run_control_limit_cpu (control, ANSWER_PART * left);
  SsStatus status = ss_solve_begin (&solve, &job, control, &result, &is_over, &error);
  if (status == SS_OK && !is_over)
    status = ss_solve_answer (&solve, control, &result, &error);
  if (status == SS_OK && !is_over && solve.metrics.is_finite && solve.metrics.max_violation < SS_RUN_FEASIBLE) {
    is_better = keep_answer (a, solve.answer.x, solve.metrics.objective);
  }
  if (ss_solve_end (&solve, status, control, &result, &error) == SS_OK)
    ss_run_result_clear (&result);
  return is_better;
}

static bool
take_point (Answers *a, const double *x)
{
  SsMetrics metrics;

  return ss_metrics_compute (a->scenario, x, &metrics, NULL) == SS_OK && metrics.is_finite &&
         metrics.max_violation < SS_RUN_FEASIBLE && keep_answer (a, x, metrics.objective);
}

/* A point that is feasible as it is counts; another one starts CRISP. */
static bool
improve (void *data, const double *x, double *objective)
{
  Answers *a = data;
  const bool is_kept = take_point (a, x), is_better = solve_from (a, x);

  *objective = a->best;
  return is_kept || is_better;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

double
ss_bound_gap (double bound, double answer)
{
  if (!isfinite (bound) || !isfinite (answer))
    return NAN;
  const double difference = answer - bound;

  return difference <= SS_BOUND_SAME * fmax (1, fabs (answer)) ? 0 : difference / fabs (answer);
}

/* Rounded up to two digits, so that "at most" is true. */
static double
two_digits_up (double value)
{
  const double unit = pow (10, floor (log10 (value)) - 1);

  return ceil (value / unit * (1 - 1e-12)) * unit;
}

void
ss_bound_words (double bound, double answer, char *text, size_t size)
{
  const double gap = ss_bound_gap (bound, answer);

  if (!isfinite (bound))
    snprintf (text, size, "no bound");
  else if (!isfinite (answer))
    snprintf (text, size, "no answer is known; none can be below %.6g", bound);
  else if (gap == 0)
    snprintf (text, size, "nothing better is possible, within the accuracy of answers");
  else if (bound > 0 && answer > 2 * bound)
    snprintf (text, size, "at most %.2g times the best possible", two_digits_up (answer / bound));
  else if ((bound > 0) == (answer > 0) && bound != 0 && gap < 10)
    snprintf (text, size, "at most %.2g %% above the best possible",
              two_digits_up (100 * (answer - bound) / fabs (bound)));
  else
    snprintf (text, size, "the best possible lies between %.6g and %.6g", bound, answer);
}

static void
say_why (const SsScenario *scenario, const SsBoundProblem *p, SsBoundRun *out)
{
  const int i = out->verdict.unbounded, n = scenario->model->n_variables;

  if (i < 0 || i >= p->n)
    snprintf (out->message, sizeof out->message, "no bound: no multipliers were found that give one");
  else if (i < p->n_model)
    snprintf (out->message, sizeof out->message,
              "no bound: the model's rows limit %s at k = %d too little, and no multipliers were found that do without "
              "its limits",
              scenario->model->variables[i % n], i / n);
  else
    snprintf (out->message, sizeof out->message, "no bound: a part of a formula is not limited%s%s",
              p->n_loose > 0 ? ", as only the range of its functions is known: " : "", p->loose);
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

/* Where the model is a chain of stages its dual is looked at first; alone where functions leave the tree nothing. */
static SsStatus
search_all (const SsScenario *scenario, const SsBoundProblem *p, const SsBoundOptions *options, Answers *answers,
            SsBoundRun *out, SsError *err)
{
  SsBoundChain *chain = NULL;
  SsBoundCertificate dual = {.n_variables = p->n};
  SsBoundSearch search;
  SsStatus status = ss_bound_chain_new (scenario, p, &chain, NULL, 0, err);

  if (status != SS_OK || chain == NULL)
    return status != SS_OK ? status
                           : ss_bound_search (p, options, answers->control, &out->search, &out->certificate, err);
  const bool is_alone = p->n_loose > 0;
  status = ss_bound_multipliers_search (chain, p, options, out->x, is_alone ? 1 : CHAIN_PART, answers->control, &search,
                                        &dual.chain, err);
  ss_bound_chain_free (chain);
  if (status != SS_OK)
    return status;
  dual.has_chain = isfinite (search.bound);
  dual.bound = search.bound;
  dual.cutoff = INFINITY;
  if (!dual.has_chain || (!search.is_finished && !is_alone)) {
    SsBoundOptions rest = *options;
    rest.answer = search.answer;
    status = ss_bound_search (p, &rest, answers->control, &out->search, &out->certificate, err);
    out->search.cpu_seconds += search.cpu_seconds;
    if (status != SS_OK || !dual.has_chain || out->search.bound > search.bound) {
      ss_bound_certificate_clear (&dual);
      return status;
    }
    ss_bound_certificate_clear (&out->certificate);
    search.answer = out->search.answer;
    search.cpu_seconds = out->search.cpu_seconds;
  }
  out->search = search;
  out->certificate = dual;
  return SS_OK;
}

static SsStatus
search_and_check (const SsScenario *scenario, const SsBoundProblem *p, const SsBoundRunOptions *o, Answers *answers,
                  SsBoundRun *out, SsError *err)
{
  SsBoundOptions options = {o->gap, o->max_nodes, o->answer, o->has_answers ? improve : NULL, answers};
  SsError what;
  SsStatus status;

  if (o->x != NULL ? take_point (answers, o->x) : o->has_answers && solve_from (answers, NULL))
    options.answer = fmin (options.answer, answers->best);
  if ((status = search_all (scenario, p, &options, answers, out, err)) != SS_OK)
    return status;
  const double before = ss_clock_thread_cpu ();
  if ((status = ss_bound_check (scenario, p, &out->certificate, &out->verdict, &what)) != SS_OK)
    return ss_error_set (err, status == SS_ERR_INVALID ? SS_ERR_INTERNAL : status,
                         "the search's own certificate was refused: %s", what.message);
  out->check_seconds = ss_clock_thread_cpu () - before;
  out->answer = out->search.answer;
  out->has_bound = isfinite (out->verdict.bound);
  out->bound = out->has_bound ? out->verdict.bound : NAN;
  out->certificate.bound = out->verdict.bound;
  out->gap = ss_bound_gap (out->verdict.bound, out->answer);
  if (out->verdict.bound == INFINITY)
    snprintf (out->message, sizeof out->message, "no point is feasible: every branch was shown to be empty");
  else if (out->has_bound)
    ss_bound_words (out->bound, out->answer, out->message, sizeof out->message);
  else
    say_why (scenario, p, out);
  const size_t used = strlen (out->message);
  if (out->has_bound && answers->best > out->answer)
    snprintf (out->message + used, sizeof out->message - used,
              ", if there is a point of the given answer: none was found");
  return SS_OK;
}

SsStatus
ss_bound_run (const SsScenario *scenario, const SsBoundRunOptions *options, SsRunControl *control, SsBoundRun *out,
              SsError *err)
{
  SS_ASSERT (scenario != NULL && options != NULL && control != NULL && out != NULL);
  Answers answers = {.scenario = scenario, .control = control, .out = out, .best = INFINITY};
  SsBoundProblem *problem = NULL;
  SsStatus status;

  *out = (SsBoundRun){.bound = NAN, .answer = INFINITY, .gap = NAN};
  ss_run_control_limit_cpu (control, options->cpu_seconds);
  if ((status = ss_bound_problem_new (scenario, &problem, err)) != SS_OK)
    return status;
  answers.cache = ss_solve_cache_new ();
  status = answers.cache == NULL ? ss_error_set (err, SS_ERR_MEMORY, "out of memory")
                                 : search_and_check (scenario, problem, options, &answers, out, err);
  ss_solve_cache_free (answers.cache);
  ss_bound_problem_free (problem);
  if (status != SS_OK)
    ss_bound_run_clear (out);
  return status;
}
