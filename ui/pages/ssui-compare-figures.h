/* ui/pages/ssui-compare-figures.h: the chosen runs as figures: a performance profile, and boxes of three metrics by
 * method. Made for many runs of the Compare page. */
#pragma once

#include <adwaita.h>

#include "app/study/ssapp-chart.h"

G_BEGIN_DECLS

#define SSUI_TYPE_COMPARE_FIGURES (ssui_compare_figures_get_type ())
G_DECLARE_FINAL_TYPE (SsuiCompareFigures, ssui_compare_figures, SSUI, COMPARE_FIGURES, GtkWidget)

/* The set of the runs, borrowed until it is set again; NULL: none. */
void ssui_compare_figures_set (SsuiCompareFigures *self, const SsappRunSet *set);
/* "profile", "outcome", "objective", "error", "violation": what is drawn there; NULL: there is none of that name. */
const SsappChart *ssui_compare_figures_get_chart (SsuiCompareFigures *self, const char *name);

G_END_DECLS
