/* app/session/ssapp-violation-list.h: what the optimisers among the runs on show violate most, as one list for a table:
 * the lists that their results keep, and of iterates, of runs whose worker died and of runs of older versions those
 * that are found again from the motion, in a thread. No GTK.
 * Threads: main thread only. Tests: tests/unit/test-violations.c
 */
#pragma once

#include "app/document/ssapp-document.h"
#include "app/job/ssapp-violations.h"
#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_VIOLATION_LIST (ssapp_violation_list_get_type ())
G_DECLARE_FINAL_TYPE (SsappViolationList, ssapp_violation_list, SSAPP, VIOLATION_LIST, GObject)

/* Signal "changed" (): other rows. */

typedef struct {
  SsappRun *run;                /* borrowed */
  const SsViolation *violation; /* borrowed until the list changes */
} SsappViolationRow;

/* Empty, and nobody looks at it. */
SsappViolationList *ssapp_violation_list_new (void);
/* Of SsappRun; NULL: none. Those that are no optimisers have no rows, nor those that run. */
void ssapp_violation_list_set_runs (SsappViolationList *self, GPtrArray *runs);
/* Somebody looks at it: what has to be found again is found only then. */
void ssapp_violation_list_set_active (SsappViolationList *self, gboolean is_active);
/* Takes what became of the runs since; cheap where that is nothing, so that it may be called once a frame. */
void ssapp_violation_list_update (SsappViolationList *self);

/* Of SsappViolationRow, the largest first. Borrowed until "changed". */
GArray *ssapp_violation_list_get_rows (SsappViolationList *self);
/* "30 of 1616 violated rows"; where nothing is listed, why: a sentence. Borrowed likewise. */
const char *ssapp_violation_list_get_account (SsappViolationList *self);
/* Whether a motion is looked at now. */
gboolean ssapp_violation_list_is_busy (SsappViolationList *self);
/* As a table, with the runs' labels where there are several. */
SsappTable *ssapp_violation_list_to_table (SsappViolationList *self);

/* Selects what the row is about in a document that has it: the contact, else the joint, else the body. FALSE: it has
 * none of these. */
gboolean ssapp_violation_select (const SsViolation *violation, SsappDocument *document);

G_END_DECLS
