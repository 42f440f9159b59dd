/* ui/window/ssui-commands.h: accelerators and the list of keys, made of the rows of commands (ssui-window-private.h),
 * of keys of pages, the canvas and the fit (ui/parts/ssui-keys.h), and of the list of pages.
 *
 * Main thread. Tests: tests/ui/test_habits.py
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/parts/ssui-context-menu.h"

G_BEGIN_DECLS

void ssui_commands_set_keys (GtkApplication *application); /* accelerators */
/* The action win.show-help-overlay: shows the list of keys. The window has all other actions of the table already. */
void ssui_commands_add_list (GtkApplicationWindow *window);
/* Lines of the menu, and of its sections, that have no label get that of their command. */
void ssui_commands_name (GMenu *menu);
void ssui_commands_fill_menu (GMenu *lines, SsuiMenuGroup group, GVariant *target); /* see ssui-context-menu.h */

G_END_DECLS
