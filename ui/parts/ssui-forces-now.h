/* ui/parts/ssui-forces-now.h: the forces on the selected body, or of the selected joint, spring or motor, at the time
 * that is shown, by the laws alone (SsappContactWatch); and of the selected contact what the motion has. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-contact-watch.h"

G_BEGIN_DECLS

#define SSUI_TYPE_FORCES_NOW (ssui_forces_now_get_type ())
G_DECLARE_FINAL_TYPE (SsuiForcesNow, ssui_forces_now, SSUI, FORCES_NOW, GtkWidget)

/* Adds to the box what there is to be shown of what is selected; nothing without a watch, or of several objects. */
void ssui_forces_now_add (GtkBox *box, SsappDocument *document, SsappContactWatch *watch);

G_END_DECLS
