/* ui/window/ssui-commands.h: the one table of keys: commands of windows and the program, and keys of widgets, which the
 * widgets answer themselves. Accelerators and the list of keys are made from it.
 *
 * Main thread. Tests: tests/ui/test_habits.py
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ssui_commands_set_keys (GtkApplication *application); /* accelerators */
/* The action win.show-help-overlay: shows the list of keys. The window has all other actions of the table already. */
void ssui_commands_add_list (GtkApplicationWindow *window);

G_END_DECLS
