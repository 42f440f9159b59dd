/* ui/window/ssui-history-menu.h: the steps that can be undone and redone as a menu; choosing one goes there. Looked at
 * in tests/ui/test_edit.py. */
#pragma once

#include <gtk/gtk.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* The button's menu is made when it is opened; its entries activate win.history with the number of steps, those to be
 * undone below 0. The document must live as long as the button. */
void ssui_history_menu_attach (GtkMenuButton *button, SsappDocument *document);

G_END_DECLS
