/* tests/ui/window-walk.h: what the files of the library that looks at windows share. */
#pragma once

#include <adwaita.h>

/* Appends a finding to `out`: kind, where the widget stands, text and more, parted by tabs. */
void window_walk_tell (GString *out, const char *kind, GtkWidget *where, const char *text, const char *more);

/* Whether the widget is on show. */
gboolean window_walk_is_seen (GtkWidget *widget);

/* Gives the focus to all that Tab and the arrows reach in the window, and appends what can be used and was not reached
 * ("unreached"), and what takes clicks and has no place for the keys ("no-key"). */
void window_walk_keys (GtkWindow *window, GString *out);
