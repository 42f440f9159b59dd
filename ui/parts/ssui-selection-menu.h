/* ui/parts/ssui-selection-menu.h: the context menu of what is selected in a sketch, for canvas and outline: right
 * click, long press, Menu key, Shift+F10. Looked at in tests/ui/test_edit.py. */
#pragma once

#include <gtk/gtk.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* Key of what lies under a point of the widget, as in ssapp_document_get_selection; NULL: nothing. Caller frees. */
typedef char *(*SsuiKeyAt) (GtkWidget *widget, double x, double y);
/* `document` is where the pointer to the document is, which may change; it must live as long as the widget. */
void ssui_selection_menu_attach (GtkWidget *widget, SsappDocument **document, SsuiKeyAt key_at);

G_END_DECLS
