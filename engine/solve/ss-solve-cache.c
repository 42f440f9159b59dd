/* engine/solve/ss-solve-cache.c: what is kept between solves; see ss-solve-private.h. */
#include "solve/ss-solve-private.h"

#include "core/ss-memory.h"
#include "mpcc/ss-problem.h"

#include <string.h>

static void
clear_solver (SsSolveCache *cache)
{
  if (cache->solver != NULL)
    cache->nlp->free_ (cache->solver);
  ss_free (cache->options);
  cache->solver = NULL;
  cache->options = NULL;
  cache->nlp = NULL;
}

void
ss_solve_cache_clear_problem (SsSolveCache *cache)
{
  SS_ASSERT (cache != NULL);
  clear_solver (cache);
  ss_mpcc_free (cache->mpcc);
  ss_free (cache->parameters);
  cache->mpcc = NULL;
  cache->parameters = NULL;
}

void
ss_solve_cache_clear (SsSolveCache *cache)
{
  SS_ASSERT (cache != NULL);
  ss_solve_cache_clear_problem (cache);
  ss_transcript_free (cache->transcript);
  memset (cache, 0, sizeof *cache);
}

SsSolveCache *
ss_solve_cache_new (void)
{
  return ss_new (SsSolveCache);
}

void
ss_solve_cache_free (SsSolveCache *cache)
{
  if (cache == NULL)
    return;
  ss_solve_cache_clear (cache);
  ss_free (cache);
}

SsStatus
ss_solve_cache_model (SsSolveCache *cache, const SsSolveJob *job, const SsScenario **model, SsError *err)
{
  SS_ASSERT (job != NULL && model != NULL);

  SsStatus status = SS_OK;
  bool fits = false;

  *model = job->scenario;
  if (job->scenario->model != NULL)
    return SS_OK;
  if (cache->transcript != NULL && ss_transcript_has_options (cache->transcript, &job->transcription))
    status = ss_transcript_fill (cache->transcript, job->scenario, &fits, err);
  if (status == SS_OK && !fits) {
    ss_solve_cache_clear (cache);
    status = ss_transcript_new (job->scenario, &job->transcription, &cache->transcript, err);
  }
  if (status == SS_OK)
    *model = ss_transcript_model (cache->transcript);
  return status;
}

/* The kept problem is that of the kept transcript, or of the same text with no other parameter that changes sizes. */
static bool
problem_fits (const SsSolveCache *cache, const SsScenario *scenario)
{
  if (cache->mpcc == NULL || scenario->model == NULL)
    return cache->mpcc != NULL;
  if (cache->transcript != NULL || strcmp (cache->sha256, scenario->sha256) != 0 ||
      cache->n_parameters != scenario->n_parameters)
    return false;
  for (int i = 0; i < scenario->n_parameters; i++)
    if (scenario->parameters[i].is_structural && scenario->parameters[i].value != cache->parameters[i])
      return false;
  return true;
}

/* Value of the job's option, and whether it was given; of no options the default. */
static void
look_at_option (const SsSolveJob *job, int option, double look[2])
{
  const SsOptionTable *table = job->nlp->options;

  look[0] = ss_options_get_or_default (table, job->options, option);
  look[1] = job->options != NULL && ss_options_is_given (table, job->options, option);
}

/* The kept solver fits when, moreover, method and options are the same, and the numbers too where it has looked at
 * them. */
static bool
solver_fits (const SsSolveCache *cache, const SsSolveJob *job, const SsScenario *model)
{
  if (cache->solver == NULL || cache->nlp != job->nlp)
    return false;
  for (int i = 0; job->nlp->keeps_numbers && i < cache->n_parameters; i++)
    if (model->parameters[i].value != cache->parameters[i])
      return false;
  for (int i = 0; i < job->nlp->options->n_specs + job->nlp->options->n_inner; i++) {
    double look[2];
    look_at_option (job, i, look);
    if (look[0] != cache->options[2 * i] || look[1] != cache->options[2 * i + 1])
      return false;
  }
  return true;
}

static SsStatus
keep_problem (SsSolveCache *cache, const SsSolveJob *job, const SsScenario *model, SsError *err)
{
  if (job->scenario->model != NULL)
    ss_solve_cache_clear (cache);
  else
    ss_solve_cache_clear_problem (cache);
  cache->parameters = ss_new_array (double, model->n_parameters + 1);
  if (cache->parameters == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  SsStatus status = ss_problem_build (model, &cache->mpcc, err);
  if (status != SS_OK)
    return status;
  ss_problem_parameters (model, cache->parameters);
  cache->n_parameters = model->n_parameters;
  memcpy (cache->sha256, model->sha256, sizeof cache->sha256);
  return SS_OK;
}

static void
set_numbers (SsSolveCache *cache, const SsScenario *model)
{
  ss_problem_parameters (model, cache->parameters);
  ss_mpcc_set_parameters (cache->mpcc, cache->parameters);
}

static SsStatus
keep_solver (SsSolveCache *cache, const SsSolveJob *job, const SsScenario *model, SsError *err)
{
  const SsOptionTable *table = job->nlp->options;
  const int n = table->n_specs + table->n_inner;

  clear_solver (cache);
  set_numbers (cache, model);
  cache->options = ss_new_array (double, 2 * n + 1);
  if (cache->options == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < n; i++)
    look_at_option (job, i, &cache->options[2 * i]);
  cache->nlp = job->nlp;
  return job->nlp->new_ (cache->mpcc, job->options, &cache->solver, err);
}

/* The compiled problem with the model's numbers. */
static SsStatus
take_problem (SsSolveCache *cache, const SsSolveJob *job, const SsScenario *model, bool *is_reused, SsError *err)
{
  *is_reused = problem_fits (cache, job->scenario);
  return *is_reused ? SS_OK : keep_problem (cache, job, model, err);
}

SsStatus
ss_solve_cache_problem (SsSolveCache *cache, const SsSolveJob *job, const SsScenario *model, SsError *err)
{
  bool is_reused;
  const SsStatus status = take_problem (cache, job, model, &is_reused, err);

  if (status == SS_OK)
    set_numbers (cache, model);
  return status;
}

SsStatus
ss_solve_cache_solver (SsSolveCache *cache, const SsSolveJob *job, const SsScenario *model, bool *is_reused,
                       SsError *err)
{
  const SsStatus status = take_problem (cache, job, model, is_reused, err);

  if (status != SS_OK)
    return status;
  if (!job->takes_start && !solver_fits (cache, job, model))
    return keep_solver (cache, job, model, err);
  set_numbers (cache, model);
  return SS_OK;
}
