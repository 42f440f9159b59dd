/* ui/window/ssui-fit-window.h: numbers of the sketch from measured motions: what is asked at the side, the fit as it
 * converges, what it found with intervals, and what the data do not tell (app/session/ssapp-fit-session.h). Buttons and
 * keys are actions win.fit-*. Closing it ends a fit that goes on. Tests: tests/ui/test_fit.py */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-fit-session.h"
#include "ui/parts/ssui-keys.h"

G_BEGIN_DECLS

#define SSUI_TYPE_FIT_WINDOW (ssui_fit_window_get_type ())
G_DECLARE_FINAL_TYPE (SsuiFitWindow, ssui_fit_window, SSUI, FIT_WINDOW, AdwWindow)

/* Beside its window, whose actions it has. */
SsuiFitWindow *ssui_fit_window_new (GtkWindow *window, SsappSession *session);
SsappFitSession *ssui_fit_window_get_fit (SsuiFitWindow *self); /* borrowed */
/* What is wrong with what was asked for, until something else is told. */
void ssui_fit_window_tell (SsuiFitWindow *self, const char *text);
void ssui_fit_window_toast (SsuiFitWindow *self, const char *text);
void ssui_fit_window_toast_undo (SsuiFitWindow *self, const char *text); /* with the way back to the sketch before */
/* What is on show, for exports. */
SsappFitPicture ssui_fit_window_get_picture (SsuiFitWindow *self, gboolean *is_there);
/* Shows a trial, from 1; 0: all. */
void ssui_fit_window_show_trial (SsuiFitWindow *self, int trial);
void ssui_fit_window_toggle_side (SsuiFitWindow *self);
extern const SsuiKey ssui_fit_keys[];

G_END_DECLS
