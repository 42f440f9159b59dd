/* engine/plan/ss-plan-lazy.h: an optimiser's run whose contacts are added as its motions show them to be missing
 * (option contacts=lazy of plans of scenes). Private to the room `plan`.
 *
 * Solve with the first set (ss-lazy-contacts.h); check the exact gaps of all candidates at all points and between them;
 * add what is missing, solve again from that motion (options of a warm start where the method has them), or from the
 * start where that fails; at last solve with all contacts from the motion in which nothing is missing. With zero forces
 * in the contacts that were left out that motion is a feasible point of the whole plan, so it is the answer where the
 * last solve fails or costs more. A first set with which nothing is found gives way to all contacts at once.
 */
#pragma once

#include "solve/ss-solve.h"

typedef struct {
  int stages;     /* solves                               */
  int n_contacts; /* in the first set, of n_candidates    */
  int n_candidates;
} SsLazyAccount;

/* What may differ. Zeroed: as the option has it. */
typedef struct {
  bool is_brief; /* no last solve with all contacts from an answer in which none is missing */
  /* Told as soon as there is such an answer, solved and judged, in the thread of the run; it lives during the call.
   * NULL: nobody. */
  void (*found) (void *user_data, const SsRunResult *answer);
  void *user_data;
} SsLazyWay;

/* `job` has an optimiser and a scene's plan; options of a warm start are set beside those of the job where those were
 * not given. The result is of the last stage, with the times and iterations of all; `way` and `account` may be
 * NULL. */
SS_NODISCARD SsStatus ss_plan_lazily (const SsSolveJob *job, const SsLazyWay *way, SsRunControl *control,
                                      SsLazyAccount *account, SsRunResult *result, SsError *err);
