/* ui/window/ssui-array-dialog.h: asks how the selected objects are repeated: how many, how far apart, turned by how
 * much about which point. Looked at in tests/ui/test_edit.py. */
#pragma once

#include "ui/window/ssui-window.h"

G_BEGIN_DECLS

/* Where the rows start: beside the bounds of the selection (xmin, ymin, xmax, ymax [m]). "array" of the window is
 * activated with the answer. */
void ssui_array_dialog_present (SsuiWindow *window, const double bounds[4]);

G_END_DECLS
