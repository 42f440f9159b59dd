/* ui/parts/ssui-page-tabs.h: the pages of the window as tabs on one line: icon and word, or the word alone. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define SSUI_TYPE_PAGE_TABS (ssui_page_tabs_get_type ())
G_DECLARE_FINAL_TYPE (SsuiPageTabs, ssui_page_tabs, SSUI, PAGE_TABS, GtkWidget)

/* A tab a page of the stack, in its order; each activates win.page with the page's name. Once. */
void ssui_page_tabs_set_stack (SsuiPageTabs *self, AdwViewStack *stack);
void ssui_page_tabs_set_icons (SsuiPageTabs *self, gboolean has_icons);
int ssui_page_tabs_get_room (SsuiPageTabs *self); /* px that all tabs take beside each other, shown or not */

G_END_DECLS
