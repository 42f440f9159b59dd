/* app/document/ssapp-convex.h: simple polygons, also concave ones, as convex pieces, as the format takes them. No GTK.
 * Tests: tests/unit/test-document-shape.c
 */
#pragma once

#include <gio/gio.h>

#include "geometry/ss-geometry.h"

G_BEGIN_DECLS

/* Corners in either direction, without the first one again at the end [m]. Returns a list of GArrays of SsVec2, each
 * convex, counter-clockwise, without corners on a straight line; together they fill the polygon and nothing twice.
 * NULL with an error: fewer than three corners, no area, edges that cross. Free with g_ptr_array_unref. */
GPtrArray *ssapp_convex_split (const SsVec2 *points, int n_points, GError **error);

G_END_DECLS
