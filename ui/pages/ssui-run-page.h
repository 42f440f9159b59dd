/* ui/pages/ssui-run-page.h: choose methods, run them at once, watch motions on one clock, convergence, metrics and
 * log. */
#pragma once

#include <adwaita.h>

#include "ui/pages/ssui-page.h"
#include "ui/parts/ssui-log-table.h"

G_BEGIN_DECLS

#define SSUI_TYPE_RUN_PAGE (ssui_run_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRunPage, ssui_run_page, SSUI, RUN_PAGE, GtkWidget)

void ssui_run_page_copy_events (SsuiRunPage *self); /* the table of events, to the clipboard */
/* The log: iterations, solvers' text, violations (ui/parts/ssui-log-table.h); borrowed. It is not on show where all
 * runs are simulations. */
SsuiLogTable *ssui_run_page_get_log (SsuiRunPage *self);
/* Selects what row `row` of the violations is about, marks it in its motion, and moves the clock to its time. FALSE:
 * there is no such row. */
gboolean ssui_run_page_go_to_violation (SsuiRunPage *self, int row);
/* Shows the channel plots and opens the chooser of channels. */
void ssui_run_page_choose_channels (SsuiRunPage *self);
extern const SsuiPage ssui_run_page;

G_END_DECLS
