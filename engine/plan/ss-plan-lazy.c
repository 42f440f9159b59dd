/* engine/plan/ss-plan-lazy.c: see the header. */
#include "plan/ss-plan-lazy.h"

#include "core/ss-memory.h"
#include "nlp/ss-crisp.h"
#include "plan/ss-lazy-contacts.h"
#include "plan/ss-plan-rank.h"
#include "core/ss-relay.h"
#include "plan/ss-plan-solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Stages before all contacts are taken. */
enum { STAGES_MAX = 6 };

/* Of a warm start: penalties and steps that neither look for contacts nor leave the motion. */
static const SsOptionValue warm[] = {{offsetof (SsCrispOptions, mu0), 30},
                                     {offsetof (SsCrispOptions, delta0), 0.3},
                                     {offsetof (SsCrispOptions, relax), 0},
                                     {offsetof (SsCrispOptions, price), 0}};

typedef struct {
  const SsSolveJob *job;
  SsLazyWay way;
  SsRunControl *control;
  SsLazyContacts contacts;
  void *warm_options; /* owned */
  SsRelay relay;
  SsRunResult best; /* of the newest stage that may be the answer */
  SsLazyAccount account;
  double setup, solve, cpu;
  int iterations;
} Lazy;

/* ---- stages ------------------------------------------------------------------------------------------------------ */

static bool
is_answer (const SsRunResult *result)
{
  return result->outcome == SS_OUTCOME_SOLVED || result->outcome == SS_OUTCOME_NOT_REPLAYABLE;
}

static bool
was_stopped (const Lazy *l)
{
  SsOutcome why;

  return ss_run_control_should_stop (l->control, &why);
}

/* Solves with the contacts there are; `start` NULL: from the job's own start. */
static SsStatus
solve_stage (Lazy *l, const SsTrajectory *start, SsRunResult *result, SsError *err)
{
  SsLazyScenario lazy;
  SsSolveJob job = *l->job;
  SsStatus status = ss_lazy_scenario_new (&l->contacts, &lazy, err);

  if (status != SS_OK)
    return status;
  const bool has_all = l->contacts.n_has == l->contacts.n;
  if (!has_all) {
    job.scenario = &lazy.scenario;
    job.cache = NULL;
    job.x0 = NULL;
  }
  if (start != NULL) {
    job.options = l->warm_options;
    job.start = start;
    job.x0 = NULL;
  }
  job.transcription.contacts = SS_PLAN_CONTACTS_ALL;
  l->relay.offset = l->relay.last + 1;
  l->relay.has_iterates = has_all;
  status = ss_plan_solve (&job, &l->relay.inner, result, err);
  ss_lazy_scenario_clear (&lazy);
  if (status != SS_OK)
    return status;
  l->account.stages++;
  l->setup += fmax (ss_metric_get (&result->metrics, SS_METRIC_SETUP_SECONDS), 0);
  l->solve += fmax (ss_metric_get (&result->metrics, SS_METRIC_SOLVE_SECONDS), 0);
  l->cpu += fmax (ss_metric_get (&result->metrics, SS_METRIC_CPU_SECONDS), 0);
  l->iterations += (int)fmax (ss_metric_get (&result->metrics, SS_METRIC_ITERATIONS), 0);
  if (l->control != NULL)
    ss_run_control_log (l->control, SS_LOG_INFO, "%d of %d contacts%s: %s, objective %.6g: %s", l->contacts.n_has,
                        l->contacts.n, start != NULL ? ", from the motion before" : "",
                        ss_outcome_name (result->outcome), ss_metric_get (&result->metrics, SS_METRIC_OBJECTIVE),
                        result->message);
  return SS_OK;
}

static void
take (Lazy *l, SsRunResult *result)
{
  ss_run_result_clear (&l->best);
  l->best = *result;
  ss_run_result_init (result);
}

/* From the motion, else from the start. */
static SsStatus
solve_again (Lazy *l, SsError *err)
{
  SsRunResult result;
  SsStatus status = solve_stage (l, ss_run_motion (&l->best), &result, err);

  if (status == SS_OK && !is_answer (&result) && !was_stopped (l)) {
    ss_run_result_clear (&result);
    status = solve_stage (l, NULL, &result, err);
  }
  if (status == SS_OK)
    take (l, &result);
  return status;
}

/* All contacts, from the motion in which none is missing: the answer where it is no worse. */
static SsStatus
solve_whole (Lazy *l, SsError *err)
{
  SsRunResult result;

  if (l->contacts.n_has == l->contacts.n || was_stopped (l))
    return SS_OK;
  ss_lazy_contacts_add_all (&l->contacts);
  SsStatus status = solve_stage (l, ss_run_motion (&l->best), &result, err);
  if (status != SS_OK)
    return status;
  const SsPlanRank whole = ss_plan_rank (&result), best = ss_plan_rank (&l->best);
  if (result.outcome == SS_OUTCOME_SOLVED && !ss_plan_goes_before (&best, &whole))
    take (l, &result);
  else
    ss_run_result_clear (&result);
  return SS_OK;
}

/* Adds what the answer so far shows to be missing; false: nothing. */
static SsStatus
add_missing (Lazy *l, bool *found, SsError *err)
{
  const SsMotionVerdict *verdict = &l->best.verdict;
  const int n = ss_lazy_contacts_check (&l->contacts, ss_run_motion (&l->best), SS_RUN_OVERLAP_TOLD);

  *found = n > 0;
  if (n < 0)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  /* what the judge alone has seen */
  if (verdict->swept_overlap.value > SS_RUN_OVERLAP_TOLD)
    *found = ss_lazy_contacts_add (&l->contacts, verdict->swept_overlap.index) || *found;
  if (verdict->overlap_share.value > SS_RUN_OVERLAP_SHARE_MAX)
    *found = ss_lazy_contacts_add (&l->contacts, verdict->overlap_share.index) || *found;
  return SS_OK;
}

static SsStatus
run_stages (Lazy *l, SsError *err)
{
  SsRunResult result;
  SsStatus status = solve_stage (l, NULL, &result, err);
  bool found = true;

  if (status != SS_OK)
    return status;
  take (l, &result);
  if (!is_answer (&l->best) && l->contacts.n_has < l->contacts.n && !was_stopped (l)) {
    ss_lazy_contacts_add_all (&l->contacts);
    status = solve_stage (l, NULL, &result, err);
    if (status == SS_OK)
      take (l, &result);
    return status;
  }
  while (status == SS_OK && is_answer (&l->best)) {
    status = add_missing (l, &found, err);
    if (status != SS_OK || !found || was_stopped (l))
      break;
    if (l->account.stages >= STAGES_MAX)
      ss_lazy_contacts_add_all (&l->contacts);
    status = solve_again (l, err);
  }
  /* a motion in which something is missing is no answer */
  SsOutcome why = SS_OUTCOME_TIME_LIMIT;
  if (status == SS_OK && found && is_answer (&l->best)) {
    ss_run_control_should_stop (l->control, &why);
    l->best.outcome = why;
    ss_run_append_text (l->best.message, sizeof l->best.message, "ended before all contacts were looked at");
  }
  if (status != SS_OK || found || l->best.outcome != SS_OUTCOME_SOLVED)
    return status;
  if (l->way.found != NULL)
    l->way.found (l->way.user_data, &l->best);
  if (!l->way.is_brief)
    status = solve_whole (l, err);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* The job's options, and with CRISP those of a warm start. */
static SsStatus
make_warm_options (Lazy *l, SsError *err)
{
  const SsOptionTable *table = l->job->nlp->options;

  l->warm_options = ss_alloc (1, table->size + 1);
  if (l->warm_options == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (l->job->options != NULL)
    memcpy (l->warm_options, l->job->options, table->size);
  else
    ss_options_init (table, l->warm_options);
  if (table == ss_nlp_crisp.options)
    ss_options_give (table, l->warm_options, warm, sizeof warm / sizeof *warm);
  return SS_OK;
}

static void
finish (Lazy *l, SsRunResult *result)
{
  char text[96];

  *result = l->best;
  ss_run_result_init (&l->best);
  ss_metric_set (&result->metrics, SS_METRIC_SETUP_SECONDS, l->setup);
  ss_metric_set (&result->metrics, SS_METRIC_SOLVE_SECONDS, l->solve);
  ss_metric_set (&result->metrics, SS_METRIC_CPU_SECONDS, l->cpu);
  ss_metric_set (&result->metrics, SS_METRIC_ITERATIONS, l->iterations);
  result->metrics.is_set[SS_METRIC_WORK] = false; /* that of the last stage alone */
  snprintf (text, sizeof text, "%d solves, first with %d of %d contacts", l->account.stages, l->account.n_contacts,
            l->account.n_candidates);
  ss_run_append_text (result->message, sizeof result->message, text);
}

SsStatus
ss_plan_lazily (const SsSolveJob *job, const SsLazyWay *way, SsRunControl *control, SsLazyAccount *account,
                SsRunResult *result, SsError *err)
{
  Lazy l = {.job = job, .way = way != NULL ? *way : (SsLazyWay){0}, .control = control};
  SsStatus status;

  SS_ASSERT (job->scenario->scene != NULL && job->scenario->task.plan != NULL);
  ss_run_result_init (&l.best);
  ss_relay_init (&l.relay, control);
  status = make_warm_options (&l, err);
  if (status == SS_OK)
    status = ss_lazy_contacts_new (job->scenario, &l.contacts, err);
  if (status == SS_OK) {
    /* what a motion to start from touches is known to be needed */
    if (job->start != NULL && ss_lazy_contacts_touch (&l.contacts, job->start) < 0)
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  if (status == SS_OK) {
    l.account.n_contacts = l.contacts.n_has;
    l.account.n_candidates = l.contacts.n;
    status = run_stages (&l, err);
  }
  if (status == SS_OK)
    finish (&l, result);
  if (account != NULL)
    *account = l.account;
  ss_run_result_clear (&l.best);
  ss_lazy_contacts_clear (&l.contacts);
  ss_free (l.warm_options);
  return status;
}
