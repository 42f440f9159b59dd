/* ui/window/ssui-fit-setup.h: what a fit is asked for, at the side of its window: trials, columns, unknowns, method and
 * limits, of an SsappFitSession. Tests: tests/ui/test_fit.py */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-fit-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_FIT_SETUP (ssui_fit_setup_get_type ())
G_DECLARE_FINAL_TYPE (SsuiFitSetup, ssui_fit_setup, SSUI, FIT_SETUP, AdwBin)

/* Shows the session as long as it lives; its buttons activate win.fit-add-dialog and win.fit-remove. */
GtkWidget *ssui_fit_setup_new (SsappFitSession *fit);

G_END_DECLS
