/* ui/pages/ssui-project-page.h: the sketches and the runs of the project: search, open, compare, export, delete
 * with undo. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-session.h"
#include "ui/parts/ssui-run-table.h"

G_BEGIN_DECLS

#define SSUI_TYPE_PROJECT_PAGE (ssui_project_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiProjectPage, ssui_project_page, SSUI, PROJECT_PAGE, GtkWidget)

/* Signal "message" (const char *). Buttons activate win.open-run, win.compare, win.export-run, win.delete-runs with
 * ids. */

void ssui_project_page_set_session (SsuiProjectPage *self, SsappSession *session);
void ssui_project_page_focus_search (SsuiProjectPage *self);
void ssui_project_page_search (SsuiProjectPage *self, const char *text); /* as if it was typed */
SsuiRunTable *ssui_project_page_get_table (SsuiProjectPage *self);
/* Ids of the ticked runs, else of the one under the cursor; comma-separated, "" if none; g_free. */
char *ssui_project_page_dup_chosen (SsuiProjectPage *self);

G_END_DECLS
