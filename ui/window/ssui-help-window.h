/* ui/window/ssui-help-window.h: the help of a page of the window, to read and to print. The words:
 * app/export/ssapp-help.h. Tests: tests/ui/test_welcome.py */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* `page`: "sketch", as the window calls it. */
void ssui_help_window_present (GtkWindow *parent, const char *page);

G_END_DECLS
