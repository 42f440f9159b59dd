/* ui/parts/ssui-study-limits.h: the button that says the limits of a study's runs, how many run at once, what is kept
 * of them and how values are drawn; its popover changes them. Threads: main thread only.
 * Tests: tests/ui/test_study.py
 */
#pragma once

#include <gtk/gtk.h>

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_STUDY_LIMITS (ssui_study_limits_get_type ())
G_DECLARE_FINAL_TYPE (SsuiStudyLimits, ssui_study_limits, SSUI, STUDY_LIMITS, GtkWidget)

GtkWidget *ssui_study_limits_new (SsappStudySession *study);

G_END_DECLS
