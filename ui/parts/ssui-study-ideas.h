/* ui/parts/ssui-study-ideas.h: what a study that begins may ask and vary, each by one click. Threads: main thread only.
 * Tests: tests/ui/test_study_outcomes.py
 */
#pragma once

#include <gtk/gtk.h>

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

/* Appends a button for each idea to the list: of outcomes where the study has none, of axes where it has fewer than
 * two. */
void ssui_study_ideas_append_outcomes (GtkBox *list, SsappStudySession *study);
void ssui_study_ideas_append_axes (GtkBox *list, SsappStudySession *study);

G_END_DECLS
