/* ui/window/ssui-window.h: one window: start page, or the pages Sketch, Run, Compare, Project of one session. Every
 * command is an action: tables `commands` of the window's files. The state "win.status" is JSON for scripts and tests,
 * made when it is asked for. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_WINDOW (ssui_window_get_type ())
G_DECLARE_FINAL_TYPE (SsuiWindow, ssui_window, SSUI, WINDOW, AdwApplicationWindow)

GtkWidget *ssui_window_new (GtkApplication *application);
void ssui_window_open_path (SsuiWindow *self,
                            const char *path); /* scenario or project, by its suffix; asks about unsaved changes */
gboolean ssui_window_is_pristine (SsuiWindow *self); /* nothing was opened in it yet */

G_END_DECLS
