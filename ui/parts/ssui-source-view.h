/* ui/parts/ssui-source-view.h: the text of the scenario, to be edited: JSON in colours, problems marked at their lines
 * a moment after typing, applied as one undo step. What is not applied waits with its sketch when another one comes.
 * Tested by tests/ui/test_sketches.py. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

#define SSUI_TYPE_SOURCE_VIEW (ssui_source_view_get_type ())
G_DECLARE_FINAL_TYPE (SsuiSourceView, ssui_source_view, SSUI, SOURCE_VIEW, GtkWidget)

/* Signal "message" (const char *text): something to be told. */

/* Shows and changes it. */
void ssui_source_view_set_document (SsuiSourceView *self, SsappDocument *document);
/* Whether there is text that is not applied. */
gboolean ssui_source_view_is_changed (SsuiSourceView *self);
/* FALSE: the text has problems, and stays. */
gboolean ssui_source_view_apply (SsuiSourceView *self);
/* Back to the text of the scenario. */
void ssui_source_view_revert (SsuiSourceView *self);
/* The search bar; the next match where it is open. */
void ssui_source_view_find (SsuiSourceView *self);
/* Of what was typed; FALSE: there is nothing to take back (or to do again). */
gboolean ssui_source_view_undo (SsuiSourceView *self, gboolean redo);
void ssui_source_view_focus (SsuiSourceView *self);

G_END_DECLS
