/* ui/parts/ssui-corner-list.h: the corners of a polygon: a line for each with x, y, and buttons that add one behind it
 * or take it out. It follows the document by itself. Tests: tests/ui/test_shapes.py */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

#define SSUI_TYPE_CORNER_LIST (ssui_corner_list_get_type ())
G_DECLARE_FINAL_TYPE (SsuiCornerList, ssui_corner_list, SSUI, CORNER_LIST, GtkBox)

/* path: "scene.bodies[1].shape.vertices" */
GtkWidget *ssui_corner_list_new (SsappDocument *document, const char *path);

G_END_DECLS
