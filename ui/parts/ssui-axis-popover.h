/* ui/parts/ssui-axis-popover.h: an axis of a study: what varies, chosen from a list with present values, and its
 * values, checked while they are typed. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_AXIS_POPOVER (ssui_axis_popover_get_type ())
G_DECLARE_FINAL_TYPE (SsuiAxisPopover, ssui_axis_popover, SSUI, AXIS_POPOVER, GtkPopover)

/* Of the session's study. `name`: the axis that is changed; NULL: a new one. Shows what there is whenever it opens. */
GtkWidget *ssui_axis_popover_new (SsappStudySession *study, const char *name);

G_END_DECLS
