/* ui/pages/ssui-compare-page.h: stored runs against each other: table, convergence over each other, motions on one
 * clock. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-compared.h"
#include "app/study/ssapp-chart.h"
#include "ui/pages/ssui-page.h"

G_BEGIN_DECLS

#define SSUI_TYPE_COMPARE_PAGE (ssui_compare_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiComparePage, ssui_compare_page, SSUI, COMPARE_PAGE, GtkWidget)

/* Signal "message" (const char *). */

void ssui_compare_page_compare (SsuiComparePage *self, const char *const *ids);
/* The runs of a comparison of the project, under its labels; FALSE: there is none of that id. */
gboolean ssui_compare_page_open (SsuiComparePage *self, const char *comparison);
/* What the chosen runs are asked; borrowed. */
SsappCompared *ssui_compare_page_get_compared (SsuiComparePage *self);
void ssui_compare_page_set_over_time (SsuiComparePage *self, gboolean is_over_time); /* convergence */
/* Of tables: only options, parameters and the like in which the runs differ. */
void ssui_compare_page_set_only_differing (SsuiComparePage *self, gboolean is_only);
void ssui_compare_page_set_overlaid (SsuiComparePage *self, gboolean is_overlaid); /* motions in one picture */
/* "runs" or "figures"; FALSE: there is none of that name. */
gboolean ssui_compare_page_show_view (SsuiComparePage *self, const char *view);
/* The run on show from which differences of channels are; FALSE: it is not there. */
gboolean ssui_compare_page_set_reference (SsuiComparePage *self, const char *id);
/* Of the chosen runs: see ssui_compare_figures_get_chart. */
const SsappChart *ssui_compare_page_get_chart (SsuiComparePage *self, const char *name);
/* All chosen runs, a row each or a row a method; NULL: none is chosen. */
SsappTable *ssui_compare_page_make_table (SsuiComparePage *self, gboolean by_method);
extern const SsuiPage ssui_compare_page;

G_END_DECLS
