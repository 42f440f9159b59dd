/* ui/pages/ssui-project-page.h: the sketches and the runs of the project: search, open, compare, export, delete
 * with undo. */
#pragma once

#include <adwaita.h>

#include "ui/pages/ssui-page.h"

G_BEGIN_DECLS

#define SSUI_TYPE_PROJECT_PAGE (ssui_project_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiProjectPage, ssui_project_page, SSUI, PROJECT_PAGE, GtkWidget)

/* Signal "message" (const char *). Buttons activate win.open-run, win.compare, win.export-run, win.delete-runs with
 * ids. */

extern const SsuiPage ssui_project_page;

G_END_DECLS
