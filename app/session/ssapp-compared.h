/* app/session/ssapp-compared.h: what the runs that are compared are asked (job/ssapp-interests.h): added, changed and
 * removed, each a step that can be taken back. Answers are the runs' own, kept in the project as those of the command
 * line are; they are read run after run between turns of the main loop.
 * Threads: main thread only. Tests: tests/unit/test-compared.c, tests/ui/test_compare_outcomes.py
 */
#pragma once

#include "app/session/ssapp-outcome-ideas.h"
#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_COMPARED (ssapp_compared_get_type ())
G_DECLARE_FINAL_TYPE (SsappCompared, ssapp_compared, SSAPP, COMPARED, GObject)

/* Signals:
 *   "runs-changed" ()  other runs, or the same with other outcomes
 *   "changed" ()       steps, or whether it is at work
 *   "answered" (const char *account)  the step is done and the project has other outcomes: "rise: 3 of 5 runs answer"
 *   "failed" (const char *message)    the project cannot be read or written; what was done until then is a step */

/* Of no runs yet. */
SsappCompared *ssapp_compared_new (void);
/* The runs, of SsappRunRow as they are in the project now; NULL: none. Steps stay until it is another project. */
void ssapp_compared_set_runs (SsappCompared *self, SsappStore *store, GPtrArray *rows);

typedef struct {
  char *name, *unit, *formula; /* formula "": the project does not know it */
  guint n;                     /* runs with a value */
} SsappComparedOutcome;
/* What the runs were asked, now or when they were made; of SsappComparedOutcome, g_ptr_array_unref. */
GPtrArray *ssapp_compared_list_outcomes (SsappCompared *self);
/* g_free; NULL: none of that name, or the project does not know it. */
char *ssapp_compared_dup_formula (SsappCompared *self, const char *name);
/* What "NAME=FORMULA" would be, in words: "third [m], of each of 3 runs"; NULL with an error that says what is wrong.
 * `name`: the outcome in whose place; NULL or "": a new one. g_free. */
char *ssapp_compared_try (SsappCompared *self, const char *name, const char *text, GError **error);
/* Begins to ask the runs, in the place of that one. FALSE with an error: not begun. */
gboolean ssapp_compared_set (SsappCompared *self, const char *name, const char *text, GError **error);
/* Begins to take that one's answers from the runs. */
gboolean ssapp_compared_remove (SsappCompared *self, const char *name, GError **error);
/* What the next step back, or forth, is called; borrowed, NULL: there is none. */
const char *ssapp_compared_get_undo_label (SsappCompared *self, gboolean redo);
gboolean ssapp_compared_undo (SsappCompared *self, gboolean redo, GError **error);
gboolean ssapp_compared_is_busy (SsappCompared *self);
/* Of SsappOutcomeIdea, for the scenario of the first run; g_ptr_array_unref. */
GPtrArray *ssapp_compared_list_ideas (SsappCompared *self);

G_END_DECLS
