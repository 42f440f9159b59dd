/* ui/window/ssui-paper-window.h: a table or figure of a paper as a ready study: what it is, the paper's column beside
 * ours once it has run. Looked at in tests/ui/test_reference.py */
#pragma once

#include "app/bench/ssapp-paper.h"
#include "ui/window/ssui-window.h"

G_BEGIN_DECLS

#define SSUI_TYPE_PAPER_WINDOW (ssui_paper_window_get_type ())
G_DECLARE_FINAL_TYPE (SsuiPaperWindow, ssui_paper_window, SSUI, PAPER_WINDOW, AdwWindow)

/* Its buttons are actions of the window: paper-run, paper-stop, paper-copy, paper-save-dialog. */
SsuiPaperWindow *ssui_paper_window_new (SsuiWindow *window);
/* Shows that one; what ran for another one is ended. */
void ssui_paper_window_open (SsuiPaperWindow *self, const SsappPaper *paper);
/* Nothing happens while it runs. */
void ssui_paper_window_run (SsuiPaperWindow *self, SsappPaperExtent extent);
void ssui_paper_window_stop (SsuiPaperWindow *self);
/* The table on show; NULL: there is none yet. Borrowed. */
const SsappTable *ssui_paper_window_get_table (SsuiPaperWindow *self);
/* What makes it on a command line, to the extent that is chosen; g_free. */
char *ssui_paper_window_dup_command (SsuiPaperWindow *self);
/* A line at the bottom for a while. */
void ssui_paper_window_toast (SsuiPaperWindow *self, const char *text);

G_END_DECLS
