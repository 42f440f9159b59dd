/* ui/pages/ssui-start-page.h: before anything is open: new sketch, open, recent projects, examples. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-gallery.h"

G_BEGIN_DECLS

#define SSUI_TYPE_START_PAGE (ssui_start_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiStartPage, ssui_start_page, SSUI, START_PAGE, GtkWidget)

/* Everything it offers is an action of the window: win.new-sketch, win.open-dialog, win.open, win.open-example. */
void ssui_start_page_focus_search (SsuiStartPage *self);
GPtrArray *ssui_start_page_get_gallery (SsuiStartPage *self); /* of SsappExample; borrowed */

G_END_DECLS
