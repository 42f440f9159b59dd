/* app/draw/ssapp-underlay.h: a picture that lies under a sketch, to be drawn over or traced. It belongs to no scenario:
 * a project keeps it with how the sketch is looked at (session/ssapp-sheet-picture.h).
 *
 * Threads: any, one at a time; copies may be used at once. Tests: tests/unit/test-underlay.c
 */
#pragma once

#include <gio/gio.h>

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* A larger picture becomes smaller: its longer side has so many pixels at most, and its PNG so many bytes. */
#define SSAPP_UNDERLAY_SIDE  2048
#define SSAPP_UNDERLAY_BYTES (4 << 20)
/* A picture of more pixels, or a longer side, is not read. */
#define SSAPP_PICTURE_PIXELS 100000000
#define SSAPP_PICTURE_SIDE   32767
/* What a trace takes unless told (geometry/ss-trace.h): share of the colours' range, pixels. */
#define SSAPP_TRACE_LIKENESS 0.15
#define SSAPP_TRACE_FINENESS 1.0
/* Between these a picture keeps how far the outline of a trace may be from the pixels. */
#define SSAPP_TRACE_FINENESS_LEAST 0.1
#define SSAPP_TRACE_FINENESS_MOST  100

typedef struct {
  cairo_surface_t *picture; /* owned, of pixels, CAIRO_FORMAT_ARGB32 */
  GRefString *png;          /* the same as PNG in base64, made once: it takes half a second of a large one */
  guint8 *pixels; /* as a trace takes them, from the first one on; else NULL. Copies share them (g_atomic_rc_box) */
  int given[2];   /* columns and rows of the picture that this is of, which can be larger */
  SsVec2 at;      /* its lower left corner [m] */
  double width;   /* [m]; it is as high as its pixels are square */
  double opacity; /* 0..1 */
  double likeness, fineness; /* of the traces of it: share of the colours' range; pixels */
  gboolean is_shown;
} SsappUnderlay;

/* FALSE with an error: a picture of so many pixels is not read. To be asked before it takes memory. */
gboolean ssapp_picture_check_size (int columns, int rows, GError **error);
/* A copy of the picture, 1 m wide at the origin. NULL with an error: it has no pixels, or no
 * memory is left. */
SsappUnderlay *ssapp_underlay_new (cairo_surface_t *picture, GError **error);
/* From a PNG file; NULL with an error. */
SsappUnderlay *ssapp_underlay_load (const char *path, GError **error);
void ssapp_underlay_free (SsappUnderlay *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappUnderlay, ssapp_underlay_free)
/* As JSON with the picture in it, and back; NULL: that is none. g_free. */
char *ssapp_underlay_to_json (const SsappUnderlay *self);
SsappUnderlay *ssapp_underlay_from_json (const char *text);

int ssapp_underlay_columns (const SsappUnderlay *self);   /* pixels from left to right */
int ssapp_underlay_rows (const SsappUnderlay *self);      /* from top to bottom */
double ssapp_underlay_height (const SsappUnderlay *self); /* [m] */
/* Two of its points become that far apart [m]; the first stays. FALSE where they are one, or the distance is none. */
gboolean ssapp_underlay_set_distance (SsappUnderlay *self, SsVec2 from, SsVec2 to, double distance);
/* The same picture, laid and shown in the same way; the caller's. */
SsappUnderlay *ssapp_underlay_copy (const SsappUnderlay *self);
/* Forgets the pixels for traces: the next one makes them anew. */
void ssapp_underlay_drop_pixels (SsappUnderlay *self);
/* The outline of the region of one colour about a point of the world, corners in the world [m], by the picture's
 * likeness and fineness; g_free. NULL with an error. */
SsVec2 *ssapp_underlay_trace (SsappUnderlay *self, SsVec2 at, int *n, GError **error);
/* As it lies in the world; nothing where it is hidden. */
void ssapp_draw_underlay (cairo_t *cr, const SsappCamera *camera, const SsappUnderlay *self);

G_END_DECLS
