/* ui/parts/ssui-contact-now.h: the selected contact at the time that is shown: state, gap, forces, how much of the
 * friction cone they use, and how far it is to the other state. Reads a SsappContactWatch. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-contact-watch.h"

G_BEGIN_DECLS

#define SSUI_TYPE_CONTACT_NOW (ssui_contact_now_get_type ())
G_DECLARE_FINAL_TYPE (SsuiContactNow, ssui_contact_now, SSUI, CONTACT_NOW, GtkWidget)

GtkWidget *ssui_contact_now_new (SsappContactWatch *watch);

G_END_DECLS
