/* ui/canvas/ssui-impact-view.h: one picture of a set of impact outcomes. In a plane a click picks the nearest outcome
 * and a drag brushes; in the histogram of energy a drag, or left and right, brush; in the impulse sequence a click
 * marks a step; in the picture of rates a drag draws them. */
#pragma once

#include <gtk/gtk.h>

#include "app/impact/ssapp-impact-view.h"

G_BEGIN_DECLS

#define SSUI_TYPE_IMPACT_VIEW (ssui_impact_view_get_type ())
G_DECLARE_FINAL_TYPE (SsuiImpactView, ssui_impact_view, SSUI, IMPACT_VIEW, GtkWidget)

/* Takes a reference to the set. */
void ssui_impact_view_show (SsuiImpactView *self, SsappImpactSet *set, SsappImpactView view);

G_END_DECLS
