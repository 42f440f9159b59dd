/* ui/parts/ssui-outcome-popover.h: what a study asks of every run: a name and a formula, checked while they are typed,
 * with formulas to begin with. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_OUTCOME_POPOVER (ssui_outcome_popover_get_type ())
G_DECLARE_FINAL_TYPE (SsuiOutcomePopover, ssui_outcome_popover, SSUI, OUTCOME_POPOVER, GtkPopover)

/* Of the session's study. `name`: the outcome that is changed; NULL: a new one. Shows what there is whenever it opens.
 */
GtkWidget *ssui_outcome_popover_new (SsappStudySession *study, const char *name);

G_END_DECLS
