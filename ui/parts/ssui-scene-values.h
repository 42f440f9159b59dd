/* ui/parts/ssui-scene-values.h: a slider for each parameter of a drawn scene that changes the configuration at an
 * impact. The list is empty, and hidden, where there is none. */
#pragma once

#include <gtk/gtk.h>

#include "app/impact/ssapp-impact-source.h"

G_BEGIN_DECLS

#define SSUI_TYPE_SCENE_VALUES (ssui_scene_values_get_type ())
G_DECLARE_FINAL_TYPE (SsuiSceneValues, ssui_scene_values, SSUI, SCENE_VALUES, GtkWidget)

/* Signal "dragged" (int parameter, double value): somebody moved a slider or typed a value. */

/* Shows the values of the source (NULL: none): new rows where it has other parameters. */
void ssui_scene_values_load (SsuiSceneValues *self, SsappImpactSource *source);
/* As if it had been typed; FALSE: there is no such parameter. */
gboolean ssui_scene_values_set (SsuiSceneValues *self, const char *name, double value);

G_END_DECLS
