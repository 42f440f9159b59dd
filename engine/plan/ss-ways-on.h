/* engine/plan/ss-ways-on.h: what would make a failed plan solvable: changes of its scene that are tried, each by short
 * solves. Private to the room `plan`, but for the table of kinds.
 *
 * Kinds are a table (ss-way-edits.c): a name, what is changed, and how much, from little to much. Of each kind one
 * amount is tried first, then, of those that were solved, the least amount is looked for by bisection; of walls one
 * after another. A change is a list of edits of the file (scene/ss-edit.h), and what is tried is the file with these,
 * read as any other, so that who applies them has what was tried. A try is the first plan that members of the race find
 * (plan/ss-race.h): from the failed motion, from sampled motions, with products priced; it is solved where its plan is
 * judged to be honest as every plan is.
 *
 * Work is counted: the same job has the same ways at any load, unless a clock ends it.
 * Threads  the caller's. Tests: tests/numeric/test-ways-on.c
 */
#pragma once

#include "solve/ss-solve.h"

/* What a person waits for after a failure: counted work where nobody says otherwise [s]. */
#define SS_WAYS_ON_SECONDS 6.0

/* What a person is told of a kind. */
typedef struct {
  const char *name;    /* "time", as in results */
  const char *label;   /* "More Time" */
  const char *summary; /* what is changed */
} SsWayKind;

/* The kinds, in the order in which they are tried; static. */
const SsWayKind *ss_way_kind_find (const char *name); /* NULL: there is none */

/* Whether ways on are looked for: a plan of a scene that found no answer, and was not ended by hand. */
bool ss_ways_on_wanted (const SsSolveJob *job, const SsRunResult *result);
/* Tries changes for job->ways_on seconds of counted work, within the control's limits; result gets its ways, and the
 * best of them at the head of its message. What ends it early leaves those that were tried. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_ways_on_find (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err);
