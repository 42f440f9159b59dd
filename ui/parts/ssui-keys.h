/* ui/parts/ssui-keys.h: keys as rows: what a key does, and its line of the list of keys (Ctrl+?), which
 * ui/window/ssui-commands.c makes of all rows. Main thread. Tests: tests/ui/test_habits.py, tests/check-keys.py */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Parts of the list, in its order. */
typedef enum {
  SSUI_KEYS_GENERAL,
  SSUI_KEYS_FIT,
  SSUI_KEYS_PLAY,
  SSUI_KEYS_IMPACT,
  SSUI_KEYS_TOOLS,
  SSUI_KEYS_SEVERAL,
  SSUI_KEYS_PLACEMENT,
  SSUI_KEYS_SKETCH,
  SSUI_N_KEYS
} SsuiKeyGroup;

typedef struct {
  SsuiKeyGroup group;
  const char *title;  /* in the list; NULL: the keys stand with the row before; "": not there */
  const char *keys;   /* as gtk_accelerator_parse takes them, with blanks between */
  const char *action; /* detailed name; NULL: the widget acts by itself */
} SsuiKey;

/* What the rows with an action do while the focus is in `widget`; ends with a row without keys. `unless_typing`: not
 * while it is in an entry or a text, even an empty one, which takes no Ctrl+A and no Ctrl+X. Returns what the widget
 * has now, borrowed. */
GtkEventController *ssui_keys_attach (GtkWidget *widget, const SsuiKey *rows, gboolean unless_typing);
/* Does what the row of that key does, with Shift or without, or else that without Shift; FALSE: there is none. */
gboolean ssui_keys_act (GtkWidget *widget, const SsuiKey *rows, guint key, GdkModifierType state);
void ssui_keys_close (GtkWidget *window); /* Escape closes it */

G_END_DECLS
