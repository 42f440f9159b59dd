/* ui/parts/ssui-selection-menu.h: the context menu of what is selected in a sketch, for canvas and outline: right
 * click, long press, Menu key, Shift+F10. Looked at in tests/ui/test_edit.py. */
#pragma once

#include <gtk/gtk.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* New. `key`: of what is under the pointer, as in ssapp_document_get_selection; NULL: nothing. It is meant, so it is
 * selected, unless it is one of several. `by_key`: what is selected is meant. `widget` takes the focus. */
GMenuModel *ssui_selection_menu_at (GtkWidget *widget, SsappDocument *document, const char *key, gboolean by_key);

G_END_DECLS
