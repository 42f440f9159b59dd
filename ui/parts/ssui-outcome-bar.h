/* ui/parts/ssui-outcome-bar.h: what the runs that are compared are asked: a button for each outcome, which opens its
 * formula, and a sign that runs are answering. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-compared.h"

G_BEGIN_DECLS

#define SSUI_TYPE_OUTCOME_BAR (ssui_outcome_bar_get_type ())
G_DECLARE_FINAL_TYPE (SsuiOutcomeBar, ssui_outcome_bar, SSUI, OUTCOME_BAR, GtkWidget)

/* Once. `add`: the button that adds one. */
void ssui_outcome_bar_set_compared (SsuiOutcomeBar *self, SsappCompared *compared, GtkMenuButton *add);

G_END_DECLS
