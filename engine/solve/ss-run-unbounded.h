/* engine/solve/ss-run-unbounded.h: whether what a job asks for has no least objective, or no feasible point near by;
 * private to the room. */
#pragma once

#include "nlp/ss-unbounded.h"
#include "solve/ss-run-result.h"
#include "scene/ss-scenario.h"

/* From x0, a point of the problem `mpcc` that was made from `model`. Unbounded: *is_found is true, and the answer has
 * outcome, account and x (of n_variables, the caller's) of a point on the way down. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_look_unbounded (const SsScenario *model, const SsMpcc *mpcc, const double *x0,
                                             SsRunControl *control, double *x, SsNlpResult *answer, bool *is_found,
                                             SsError *err);
/* Of an answer that claims that there is no feasible point: from the guess, then from where it ended, one is looked for
 * without the objective. Found: x (n_variables) is that point, and the answer is no longer INFEASIBLE but STALLED, and
 * says so. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_doubt_infeasible (const SsMpcc *mpcc, const double *guess, SsRunControl *control,
                                               double *x, SsNlpResult *answer, bool *is_found, SsError *err);
/* Of an answer that is none and breaks its rows: from where it ended, or from the guess where it ran away, the least
 * violation (nlp/ss-least-violation.h). Where it is one, x (n_variables) is the answer, INFEASIBLE, and the message
 * names the rows that conflict. *is_found: the search ended at a feasible point x instead; then an answer that claims
 * that there is none is STALLED. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_name_conflict (SsMpcc *mpcc, const double *guess, SsRunControl *control, double *x,
                                            SsNlpResult *answer, bool *is_found, bool *is_conflict, SsError *err);
