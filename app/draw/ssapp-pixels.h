/* app/draw/ssapp-pixels.h: polygons straight onto a surface of pixels, each with the exact share of every pixel that it
 * covers. For crowds (ssapp-draw-crowd.c) of small shapes, of which Cairo fills and strokes one in the time of five to
 * ten here. Tests: tests/unit/test-pixels.c */
#pragma once

#include "app/draw/ssapp-draw-parts.h"

G_BEGIN_DECLS

typedef struct {
  cairo_surface_t *surface; /* borrowed */
  unsigned char *data;
  int stride;
  int x0, y0, x1, y1;       /* what may be painted [device px] */
  double device, left, top; /* device px a user unit; the user's origin on the surface [user units] */
  guint32 color;            /* premultiplied */
  GArray *edges;            /* of what was added and not yet filled */
  double box[4];            /* of these [device px] */
  GArray *cover;            /* of float: a band of rows */
  guint n_filled;           /* fills so far that were not beside the picture */
  guint n_set_down;         /* pictures                                      */
} SsappPixels;

/* Pixels of the context's surface within its clip. FALSE, and nothing to end, where there are none: another kind of
 * surface, user units that are turned or stretched, a clip that is no rectangle. Nothing may be drawn by Cairo until
 * ssapp_pixels_end. */
gboolean ssapp_pixels_begin (SsappPixels *self, cairo_t *cr);
void ssapp_pixels_end (SsappPixels *self);
void ssapp_pixels_set_color (SsappPixels *self, SsappColor color);
/* A closed polygon of n finite points x, y, x, y, ... [user units]. */
void ssapp_pixels_add (SsappPixels *self, const double *points, int n);
/* Paints what was added since the last fill over what is there: all that is inside of polygons that turn one way, less
 * what is inside of those that turn the other way. */
void ssapp_pixels_fill (SsappPixels *self);
/* A picture of the same format over what is there, pixel on pixel, its first one at column and row of the surface. */
void ssapp_pixels_set_down (SsappPixels *self, cairo_surface_t *picture, int column, int row);

/* A polygon, circle or capsule at (x, y) on the device with an outline of that width: what is inside, and the outline.
 * FALSE: nothing is painted, since it has too many corners, sharp ones that Cairo cuts, or edges shorter than its line
 * is wide; the same of both functions. */
gboolean ssapp_pixels_fill_body (SsappPixels *self, const SsappCamera *camera, const SsMark *mark, double x, double y,
                                 double line_width);
gboolean ssapp_pixels_stroke_body (SsappPixels *self, const SsappCamera *camera, const SsMark *mark, double x, double y,
                                   double line_width);
/* In its colour, which stays set. */
void ssapp_pixels_arrow (SsappPixels *self, const SsappArrow *arrow);

G_END_DECLS
