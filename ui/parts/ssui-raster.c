/* ui/parts/ssui-raster.c: see the header. */
#include "ui/parts/ssui-raster.h"

#include <string.h>

enum { KEPT = 3 }; /* one is drawn while the last is shown and the one before is let go */

struct SsuiRaster {
  cairo_surface_t *frames[KEPT]; /* by turns; Cairo copies one that is still shown when it is drawn on again */
  int turn;
  cairo_t *cr;
  cairo_surface_t *back;
  gpointer key;
  gsize key_size;
  int width, height, scale; /* [px], device pixels a px */
};

/* ---- the raster -------------------------------------------------------------------------------------------------- */

SsuiRaster *
ssui_raster_new (void)
{
  return g_new0 (SsuiRaster, 1);
}

static void
forget_frames (SsuiRaster *self)
{
  for (int i = 0; i < KEPT; i++)
    g_clear_pointer (&self->frames[i], cairo_surface_destroy);
}

static void
forget_back (SsuiRaster *self)
{
  g_clear_pointer (&self->back, cairo_surface_destroy);
  g_clear_pointer (&self->key, g_free);
}

void
ssui_raster_free (SsuiRaster *self)
{
  if (self == NULL)
    return;
  forget_back (self);
  g_clear_pointer (&self->cr, cairo_destroy);
  forget_frames (self);
  g_free (self);
}

/* NULL without memory. */
static cairo_surface_t *
make_surface (const SsuiRaster *self)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, self->width * self->scale, self->height * self->scale);

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    g_clear_pointer (&surface, cairo_surface_destroy);
  else
    cairo_surface_set_device_scale (surface, self->scale, self->scale);
  return surface;
}

static gboolean
draw_back (SsuiRaster *self, gconstpointer key, gsize key_size, SsuiRasterDraw draw, gpointer data)
{
  cairo_t *cr;

  if (self->back != NULL && self->key_size == key_size && memcmp (self->key, key, key_size) == 0)
    return TRUE;
  forget_back (self);
  self->back = make_surface (self);
  if (self->back == NULL)
    return FALSE;
  self->key = g_memdup2 (key, key_size);
  self->key_size = key_size;
  cr = cairo_create (self->back);
  if (draw != NULL)
    draw (cr, data);
  cairo_destroy (cr);
  cairo_surface_flush (self->back);
  return TRUE;
}

cairo_t *
ssui_raster_begin (SsuiRaster *self, GtkWidget *widget, gconstpointer key, gsize key_size, SsuiRasterDraw draw,
                   gpointer data)
{
  g_return_val_if_fail (self != NULL && self->cr == NULL && GTK_IS_WIDGET (widget), NULL);

  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget),
            scale = gtk_widget_get_scale_factor (widget);
  if (width <= 0 || height <= 0)
    return NULL;
  if (width != self->width || height != self->height || scale != self->scale) {
    forget_back (self);
    forget_frames (self);
  }
  self->width = width;
  self->height = height;
  self->scale = scale;
  self->turn = (self->turn + 1) % KEPT;
  if (self->frames[self->turn] == NULL)
    self->frames[self->turn] = make_surface (self);
  cairo_surface_t *frame = self->frames[self->turn];
  if (frame == NULL || !draw_back (self, key, key_size, draw, data))
    return NULL;
  cairo_surface_flush (frame);
  memcpy (cairo_image_surface_get_data (frame), cairo_image_surface_get_data (self->back),
          (gsize)cairo_image_surface_get_stride (frame) * (gsize)(height * scale));
  cairo_surface_mark_dirty (frame);
  self->cr = cairo_create (frame);
  return self->cr;
}

void
ssui_raster_end (SsuiRaster *self, GtkSnapshot *snapshot)
{
  g_return_if_fail (self != NULL && self->cr != NULL);

  cairo_t *cr =
      gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float)self->width, (float)self->height));
  g_clear_pointer (&self->cr, cairo_destroy);
  cairo_set_source_surface (cr, self->frames[self->turn], 0, 0);
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_paint (cr);
  cairo_destroy (cr);
}
