/* app/export/ssapp-svg.h: Cairo's SVG with fewer bytes and the same look. Threads: any. Tests: tests/unit/test-svg.c */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Rounds the numbers of paths to hundredths of a unit (a point: 3.5 micrometres), writes colours as #rrggbb and leaves
 * out of styles what every path has anyway. Only what Cairo writes is touched: attributes d and style of elements in
 * which nothing makes the path larger. */
void ssapp_svg_shrink (GString *svg);

G_END_DECLS
