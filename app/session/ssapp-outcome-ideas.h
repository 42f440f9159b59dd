/* app/session/ssapp-outcome-ideas.h: words and formulas to begin with for who asks motions (job/ssapp-interests.h).
 * Threads: any. Tests: tests/ui/test_study_outcomes.py
 */
#pragma once

#include <glib.h>

#include "scene/ss-scenario.h"

G_BEGIN_DECLS

/* Before there is a name. */
#define SSAPP_OUTCOME_WANTED "A name, and a formula over channels and events of the motion"
/* "third [m], of each of 135 runs", "hits, a number, of 3 of 5 runs"; g_free. */
char *ssapp_outcome_words (const char *name, const char *unit, guint n, guint n_runs);

typedef struct {
  char *name, *formula, *title; /* "end", "final(box.x)", "where box ends" */
} SsappOutcomeIdea;

/* Of SsappOutcomeIdea: for bodies of the scenario's scene; empty without one, or of NULL. g_ptr_array_unref. */
GPtrArray *ssapp_outcome_ideas (const SsScenario *scenario);

G_END_DECLS
