/* ui/window/ssui-application.h: the program: windows, files from the command line, keys, about. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define SSUI_TYPE_APPLICATION (ssui_application_get_type ())
G_DECLARE_FINAL_TYPE (SsuiApplication, ssui_application, SSUI, APPLICATION, AdwApplication)

SsuiApplication *ssui_application_new (void);

G_END_DECLS
