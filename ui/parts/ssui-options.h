/* ui/parts/ssui-options.h: the common options of the chosen methods and the time limit, in a popover. Made from the
 * methods' option tables. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_OPTIONS (ssui_options_get_type ())
G_DECLARE_FINAL_TYPE (SsuiOptions, ssui_options, SSUI, OPTIONS, GtkPopover)

void ssui_options_set_session (SsuiOptions *self, SsappSession *session);

G_END_DECLS
