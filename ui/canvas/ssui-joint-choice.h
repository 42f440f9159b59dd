/* ui/canvas/ssui-joint-choice.h: where several bodies overlap at a joint: which two it joins, to be chosen with pointer
 * or keys. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* A popover on `parent` at (x, y) with the pairs that the joint or spring at the path could join there. `always`: also
 * where there is nothing to choose. FALSE: it was not shown. Choosing activates win.join-pair. */
gboolean ssui_joint_choice_offer (GtkWidget *parent, SsappDocument *document, const char *path, double x, double y,
                                  gboolean always);

/* Popovers of the widget stay where they belong: call when it gets its place. */
void ssui_joint_choice_allocate (GtkWidget *parent);

G_END_DECLS
