/* ui/window/ssui-accuracy-window.h: simulators of the sketch against a reference: methods, steps and reference are
 * chosen, runs made one after another in processes of their own, errors drawn and listed. Looked at in
 * tests/ui/test_reference.py */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/store/ssapp-store.h"
#include "scene/ss-scenario.h"
#include "ui/window/ssui-window.h"

G_BEGIN_DECLS

#define SSUI_TYPE_ACCURACY_WINDOW (ssui_accuracy_window_get_type ())
G_DECLARE_FINAL_TYPE (SsuiAccuracyWindow, ssui_accuracy_window, SSUI, ACCURACY_WINDOW, AdwWindow)

/* Its buttons are actions of the window: accuracy-run, accuracy-stop, accuracy-copy, accuracy-save-dialog. */
SsuiAccuracyWindow *ssui_accuracy_window_new (SsuiWindow *window);
/* Offers what suits that scenario (of a scene; read now). What is shown of another one stays until the next run. */
void ssui_accuracy_window_load (SsuiAccuracyWindow *self, const SsScenario *scenario);
/* What was asked for, as app/study/ssapp-accuracy-ask.h reads it; FALSE with an error. */
gboolean ssui_accuracy_window_run (SsuiAccuracyWindow *self, const SsScenario *scenario, SsappStore *store,
                                   const char *methods, const char *steps, const char *reference,
                                   const char *error_name, GError **error);
void ssui_accuracy_window_stop (SsuiAccuracyWindow *self);
/* The table on show; NULL: there is none yet. Borrowed. */
const SsappTable *ssui_accuracy_window_get_table (SsuiAccuracyWindow *self);
/* As PDF, SVG or PNG; FALSE with an error. */
gboolean ssui_accuracy_window_save_figure (SsuiAccuracyWindow *self, const char *path, GError **error);
/* A line above the results, which stays: progress, or why nothing runs. */
void ssui_accuracy_window_tell (SsuiAccuracyWindow *self, const char *text);
/* A line at the bottom for a while. */
void ssui_accuracy_window_toast (SsuiAccuracyWindow *self, const char *text);

G_END_DECLS
