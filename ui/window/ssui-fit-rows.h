/* ui/window/ssui-fit-rows.h: rows of the window of fits: an estimate with its interval, what the data do not tell. */
#pragma once

#include <gtk/gtk.h>

#include "app/session/ssapp-fit-session.h"

G_BEGIN_DECLS

/* A label with its text at that side, and a style class unless that is NULL. */
GtkWidget *ssui_fit_label_new (const char *text, double xalign, const char *class);
/* Of both sides, of above and below [px]. */
void ssui_fit_set_margins (GtkWidget *widget, int across, int along);
/* Of estimate k of the result, which there must be. */
GtkWidget *ssui_fit_estimate_row_new (SsappFitSession *fit, int k);
GtkWidget *ssui_fit_open_row_new (const char *name, const char *why); /* why it is not told */

G_END_DECLS
