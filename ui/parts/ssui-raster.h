/* ui/parts/ssui-raster.h: a widget's drawing as pixels of its own, with a background that is kept. A drawing that changes
 * every frame costs half as much so as by gtk_snapshot_append_cairo, which records it first and plays it then
 * (tests/ui/frame-cost.py). Threads: main thread only. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct SsuiRaster SsuiRaster;
typedef void (*SsuiRasterDraw) (cairo_t *cr, gpointer data);

SsuiRaster *ssui_raster_new (void);
void ssui_raster_free (SsuiRaster *self); /* NULL is allowed; frames that are still shown live on */

/* A context over the whole widget, in its coordinates, on the background: what `draw` painted when `key` (key_size bytes,
 * copied; compared byte by byte) or the widget's size or scale was last another one. Owned by the raster; NULL for a widget
 * without area, or without memory. */
cairo_t *ssui_raster_begin (SsuiRaster *self, GtkWidget *widget, gconstpointer key, gsize key_size, SsuiRasterDraw draw,
                            gpointer data);
/* Shows what was drawn. */
void ssui_raster_end (SsuiRaster *self, GtkSnapshot *snapshot);

G_END_DECLS
