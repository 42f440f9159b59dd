/* ui/pages/ssui-start-page.h: before anything is open: new sketch, open, recent projects, examples. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-gallery.h"
#include "ui/pages/ssui-page.h"

G_BEGIN_DECLS

#define SSUI_TYPE_START_PAGE (ssui_start_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiStartPage, ssui_start_page, SSUI, START_PAGE, GtkWidget)

GPtrArray *ssui_start_page_get_gallery (SsuiStartPage *self); /* of SsappExample; borrowed */
extern const SsuiPage ssui_start_page;

G_END_DECLS
