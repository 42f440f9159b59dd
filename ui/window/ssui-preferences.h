/* ui/window/ssui-preferences.h: what the program remembers of how it shall look and work, to be chosen. Every row is a
 * key of data/org.stickslip.Stickslip.gschema.xml. Tests: tests/ui/test_welcome.py */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void ssui_preferences_present (GtkWindow *parent, GSettings *settings);

G_END_DECLS
