/* ui/window/ssui-provenance-dialog.h: the sheet of what a stored run depends on (app/session/ssapp-provenance-sheet.h),
 * as a window: groups of rows, what differs from its default in bold; copied as text, with the run's command line, and
 * the way to repeat the run. Tests: tests/ui/test_provenance.py */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-provenance-sheet.h"

G_BEGIN_DECLS

/* Of these runs (ids, NULL-terminated, at least one), the first one shown; a list chooses among several. NULL with an
 * error where one cannot be read. `parent` has the actions win.copy-command and win.reproduce. */
GtkWindow *ssui_provenance_dialog_new (GtkWindow *parent, SsappStore *store, const char *const *ids, GError **error);

G_END_DECLS
