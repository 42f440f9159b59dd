/* ui/parts/ssui-method-popover.h: a method of a study: chosen from those that fit its scenario, and its options, as one
 * text that is checked while it is typed. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_METHOD_POPOVER (ssui_method_popover_get_type ())
G_DECLARE_FINAL_TYPE (SsuiMethodPopover, ssui_method_popover, SSUI, METHOD_POPOVER, GtkPopover)

/* Of the session's study. `index`: the method that is changed; -1: a new one. */
GtkWidget *ssui_method_popover_new (SsappStudySession *study, int index);

G_END_DECLS
