/* ui/parts/ssui-sketch-list.h: the sketches of the project as a row of cards: picture, title, description, runs,
 * date; a click opens, F2, Delete and the card's menu do the rest. Tested by tests/ui/test_sketches.py. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_SKETCH_LIST (ssui_sketch_list_get_type ())
G_DECLARE_FINAL_TYPE (SsuiSketchList, ssui_sketch_list, SSUI, SKETCH_LIST, GtkWidget)

/* Follows its sketches while it is on the screen. */
void ssui_sketch_list_set_session (SsuiSketchList *self, SsappSession *session);

G_END_DECLS
