/* engine/solve/ss-way-on.h: what would make a failed plan solvable: a change of the scene that was tried, and what came
 * of it. plan/ss-ways-on.h finds them; they are part of a run's record.
 *
 * Threads: a record belongs to one thread at a time.
 */
#pragma once

#include "nlp/ss-nlp.h"
#include "scene/ss-edit.h"

enum { SS_WAY_TEXT = 200 };

typedef struct {
  const char *kind;        /* static: "time", see SsWayKind (plan/ss-ways-on.h) */
  char words[SS_WAY_TEXT]; /* follow "Solvable with": "3 s instead of 2 s" */
  SsOutcome outcome;       /* SOLVED: tried, and judged as every plan is */
  double objective;        /* of the plan of the changed scene; NaN: there is none */
  double cpu, work;        /* that trying it took [s], counted [s] (core/ss-work.h) */
  int n_edits;
  SsEdit *edits; /* owned, with their texts: the changed scene is the job's with these (ss_scenario_with_edits) */
} SsWayOn;

/* Adds an edit; the path is made by printf. SS_ERR_MEMORY. `value` NULL: the field is taken out. */
SS_NODISCARD SsStatus ss_way_on_add (SsWayOn *way, const char *value, SsError *err, const char *path, ...)
    SS_PRINTF (4, 5);
void ss_way_on_clear (SsWayOn *way);
/* "Solvable with 3 s instead of 2 s (tried: solved, cost 0.31)". Returns buffer. */
const char *ss_way_on_describe (const SsWayOn *way, char *buffer, size_t size);
