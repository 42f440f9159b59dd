/* ui/canvas/ssui-layers-button.h: a menu button with a check and a sample for each layer of a motion. */
#pragma once

#include <adwaita.h>

#include "ui/canvas/ssui-motion-look.h"

G_BEGIN_DECLS

/* Gives the button its popover; the checks follow the look. */
void ssui_layers_button_attach (GtkMenuButton *button, SsuiMotionLook *look);

G_END_DECLS
