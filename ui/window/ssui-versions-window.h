/* ui/window/ssui-versions-window.h: what a sketch was before: its versions with picture, time and what was changed, to
 * go back to. Tests: tests/ui/test_sketches.py */
#pragma once

#include "ui/window/ssui-window.h"

G_BEGIN_DECLS

/* Of the sketch of that id in the session's project. "go-back" of the window is activated with what is chosen. */
void ssui_versions_window_present (SsuiWindow *window, SsappSession *session, const char *id);

G_END_DECLS
