/* app/study/ssapp-accuracy-draw.h: simulators against a reference as a picture: error over step, and over CPU time,
 * with logarithmic axes; the legend below has both slopes. The same on screen and on paper.
 * Threads: any, one at a time. Tests: tests/unit/test-accuracy.c, tests/ui/test_reference.py
 */
#pragma once

#include "app/draw/ssapp-draw.h"
#include "app/study/ssapp-accuracy.h"

G_BEGIN_DECLS

/* Side by side where there is room for it, else below each other; sizes in the style's units. */
void ssapp_accuracy_draw (cairo_t *cr, const SsappStyle *style, const SsappAccuracy *accuracy, double width,
                          double height);
/* Height that suits a width. */
double ssapp_accuracy_height (const SsappAccuracy *accuracy, const SsappStyle *style, double width);
/* As PDF, SVG or PNG. */
gboolean ssapp_accuracy_export (const SsappAccuracy *accuracy, double width_mm, const char *path, GError **error);

G_END_DECLS
