/* engine/solve/ss-solve-private.h: what is kept between solves. Private to the room. */
#pragma once

#include "solve/ss-solve.h"

struct SsSolveCache {
  SsTranscript *transcript; /* of a scene; NULL for a model */
  char sha256[65];
  int n_parameters;
  double *parameters; /* values of the mpcc: of the last job */
  SsMpcc *mpcc;       /* NULL: none is kept */
  const SsNlpClass *nlp;
  double *options; /* two numbers per option: its value, and whether it was given (presets fill in what was not) */
  void *solver;
};

/* The model of the job, with its numbers, from the cache where one of that structure is kept. */
SS_NODISCARD SsStatus ss_solve_cache_model (SsSolveCache *cache, const SsSolveJob *job, const SsScenario **model,
                                            SsError *err);
/* The problem of that model, with its numbers; without a solver. */
SS_NODISCARD SsStatus ss_solve_cache_problem (SsSolveCache *cache, const SsSolveJob *job, const SsScenario *model,
                                              SsError *err);
/* Problem and solver, unless the job takes its start; *is_reused: the problem was kept. */
SS_NODISCARD SsStatus ss_solve_cache_solver (SsSolveCache *cache, const SsSolveJob *job, const SsScenario *model,
                                             bool *is_reused, SsError *err);
void ss_solve_cache_clear_problem (SsSolveCache *cache);
void ss_solve_cache_clear (SsSolveCache *cache);
