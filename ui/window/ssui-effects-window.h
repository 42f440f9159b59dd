/* ui/window/ssui-effects-window.h: what moves a run: the same simulation is made once more with derivatives, and a bar
 * a number of the scene says how far 1 % of it moves the time of an event or a final value
 * (app/session/ssapp-effects.h). Closing it ends the run that it makes. Tests: tests/ui/test_sensitivity.py */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

#define SSUI_TYPE_EFFECTS_WINDOW (ssui_effects_window_get_type ())
G_DECLARE_FINAL_TYPE (SsuiEffectsWindow, ssui_effects_window, SSUI, EFFECTS_WINDOW, AdwWindow)

/* Of a stored run that has derivatives (ssapp_effects_reason); starts at once. `t`: of the event that is asked for to
 * begin with [s]; NaN: a final value. NULL with an error where the run cannot be made again. */
GtkWindow *ssui_effects_window_new (GtkWindow *parent, SsappStore *store, SsappRun *run, double t, GError **error);

G_END_DECLS
