/* ui/parts/ssui-page-tabs.h: the pages of the window as tabs on one line: icon and word, or one of both. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define SSUI_TYPE_PAGE_TABS (ssui_page_tabs_get_type ())
G_DECLARE_FINAL_TYPE (SsuiPageTabs, ssui_page_tabs, SSUI, PAGE_TABS, GtkWidget)

/* A tab a page of the stack, in its order; each activates win.page with the page's name. Once. */
void ssui_page_tabs_set_stack (SsuiPageTabs *self, AdwViewStack *stack);
/* What tabs have: icon and word, the word, or the icon with the word as its tooltip. */
typedef enum { SSUI_TABS_BOTH, SSUI_TABS_WORDS, SSUI_TABS_ICONS } SsuiTabsShow;
void ssui_page_tabs_show (SsuiPageTabs *self, SsuiTabsShow what);
int ssui_page_tabs_get_room (SsuiPageTabs *self); /* px that all tabs take beside each other, shown or not */

G_END_DECLS
