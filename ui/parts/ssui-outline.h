/* ui/parts/ssui-outline.h: everything in the scenario as a list: the way to bodies for keyboard and screen reader.
 * Selection is the document's. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

#define SSUI_TYPE_OUTLINE (ssui_outline_get_type ())
G_DECLARE_FINAL_TYPE (SsuiOutline, ssui_outline, SSUI, OUTLINE, GtkWidget)

/* Signal "path-activated" (const char *path): a row that is a field was chosen ("task.t_end"). */

void ssui_outline_set_document (SsuiOutline *self, SsappDocument *document);

G_END_DECLS
