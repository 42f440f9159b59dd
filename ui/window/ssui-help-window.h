/* ui/window/ssui-help-window.h: the manual, to read, to search and to print. The words: app/export/ssapp-help.h. Tests:
 * tests/ui/test_welcome.py */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* `page`: "window/sketch", "integrators/fesd-j", as the manual calls it; the index where there is none of that name. */
void ssui_help_window_present (GtkWindow *parent, const char *page);

G_END_DECLS
