/* ui/canvas/ssui-live-scene.h: a scene that runs in a sandbox of its own, for a look: it moves while it is seen, bodies
 * are pulled with the pointer, nothing is kept.
 *
 * It rests while its page is not on show, when nobody touched it for some time, and, where the desktop asks for no
 * animations, until somebody presses Play. Looked at in tests/ui/test_welcome.py */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define SSUI_TYPE_LIVE_SCENE (ssui_live_scene_get_type ())
G_DECLARE_FINAL_TYPE (SsuiLiveScene, ssui_live_scene, SSUI, LIVE_SCENE, GtkWidget)

/* Of a scenario's text; `name` is what screen readers say. NULL: the text cannot run. */
GtkWidget *ssui_live_scene_new (const char *scenario_text, const char *name);
/* Signal "playing-changed" (): it began to move or to rest. */
gboolean ssui_live_scene_is_playing (SsuiLiveScene *self);
void ssui_live_scene_set_playing (SsuiLiveScene *self, gboolean is_playing);
void ssui_live_scene_start_over (SsuiLiveScene *self); /* as at the beginning, and moving */

G_END_DECLS
