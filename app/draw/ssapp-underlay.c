/* app/draw/ssapp-underlay.c: see the header. */
#include "app/draw/ssapp-underlay.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"
#include "geometry/ss-trace.h"

#include <math.h>
#include <string.h>

/* By this factor a picture shrinks until its PNG is small enough. */
#define SHRINK 0.8

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

int
ssapp_underlay_columns (const SsappUnderlay *self)
{
  return cairo_image_surface_get_width (self->picture);
}

int
ssapp_underlay_rows (const SsappUnderlay *self)
{
  return cairo_image_surface_get_height (self->picture);
}

gboolean
ssapp_picture_check_size (int columns, int rows, GError **error)
{
  if (columns > 0 && rows > 0 && MAX (columns, rows) <= SSAPP_PICTURE_SIDE &&
      (gint64)columns * rows <= SSAPP_PICTURE_PIXELS)
    return TRUE;
  return ssapp_fail_input (error,
                           "the picture has %d x %d pixels; what is read has %d million pixels at most, and %d at most "
                           "along a side",
                           columns, rows, SSAPP_PICTURE_PIXELS / 1000000, SSAPP_PICTURE_SIDE);
}

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static GByteArray *
to_png (cairo_surface_t *picture)
{
  GByteArray *png = g_byte_array_new ();

  cairo_surface_write_to_png_stream (picture, append, png);
  return png;
}

/* A copy of that many columns. */
static cairo_surface_t *
scaled (cairo_surface_t *picture, double factor)
{
  const int w = cairo_image_surface_get_width (picture), h = cairo_image_surface_get_height (picture);
  cairo_surface_t *copy = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, MAX ((int)lround (w * factor), 1),
                                                      MAX ((int)lround (h * factor), 1));
  cairo_t *cr = cairo_create (copy);

  cairo_scale (cr, cairo_image_surface_get_width (copy) / (double)w, cairo_image_surface_get_height (copy) / (double)h);
  cairo_set_source_surface (cr, picture, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), factor < 1 ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (copy);
  return copy;
}

/* Takes the picture. */
static SsappUnderlay *
new_of (cairo_surface_t *picture, const char *png, int columns, int rows)
{
  SsappUnderlay *self = g_new0 (SsappUnderlay, 1);

  *self = (SsappUnderlay){.picture = picture,
                          .png = g_ref_string_new (png),
                          .given = {columns, rows},
                          .width = 1,
                          .opacity = 0.5,
                          .likeness = SSAPP_TRACE_LIKENESS,
                          .fineness = SSAPP_TRACE_FINENESS,
                          .is_shown = TRUE};
  return self;
}

SsappUnderlay *
ssapp_underlay_copy (const SsappUnderlay *self)
{
  SsappUnderlay *copy = g_memdup2 (self, sizeof *self);

  cairo_surface_reference (copy->picture);
  g_ref_string_acquire (copy->png);
  if (copy->pixels != NULL)
    g_atomic_rc_box_acquire (copy->pixels);
  return copy;
}

SsappUnderlay *
ssapp_underlay_new (cairo_surface_t *picture, GError **error)
{
  const gboolean is_good = cairo_surface_status (picture) == CAIRO_STATUS_SUCCESS &&
                           cairo_surface_get_type (picture) == CAIRO_SURFACE_TYPE_IMAGE;
  const int side =
      is_good ? MAX (cairo_image_surface_get_width (picture), cairo_image_surface_get_height (picture)) : 0;

  if (side <= 0) {
    ssapp_fail_input (error, "the picture has no pixels");
    return NULL;
  }
  double factor = MIN (1, SSAPP_UNDERLAY_SIDE / (double)side);
  cairo_surface_t *copy = scaled (picture, factor);
  GByteArray *png = to_png (copy);
  while (png->len > SSAPP_UNDERLAY_BYTES) {
    factor *= SHRINK;
    cairo_surface_destroy (copy);
    copy = scaled (picture, factor);
    g_byte_array_unref (png);
    png = to_png (copy);
  }
  g_autofree char *base64 = g_base64_encode (png->data, png->len);
  g_byte_array_unref (png);
  if (cairo_surface_status (copy) != CAIRO_STATUS_SUCCESS) {
    ssapp_fail_input (error, "the picture cannot be copied: %s", cairo_status_to_string (cairo_surface_status (copy)));
    cairo_surface_destroy (copy);
    return NULL;
  }
  return new_of (copy, base64, cairo_image_surface_get_width (picture), cairo_image_surface_get_height (picture));
}

typedef struct {
  const guchar *data;
  gsize left;
} Bytes;

static cairo_status_t
take (void *closure, unsigned char *data, unsigned int length)
{
  Bytes *bytes = closure;

  if (length > bytes->left)
    return CAIRO_STATUS_READ_ERROR;
  memcpy (data, bytes->data, length);
  bytes->data += length;
  bytes->left -= length;
  return CAIRO_STATUS_SUCCESS;
}

/* NULL with an error. Its size is looked at before it is unpacked: a few bytes of PNG can be gigabytes of pixels. */
static cairo_surface_t *
unpack_png (const guchar *data, gsize n, int longest, GError **error)
{
  static const guchar head[] = {137, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
  guint32 size[2]; /* columns, rows */
  Bytes bytes = {data, n};

  if (n < sizeof head + sizeof size || memcmp (data, head, sizeof head) != 0) {
    ssapp_fail_input (error, "it is none");
    return NULL;
  }
  memcpy (size, data + sizeof head, sizeof size);
  const int columns = (int)MIN (GUINT32_FROM_BE (size[0]), G_MAXINT),
            rows = (int)MIN (GUINT32_FROM_BE (size[1]), G_MAXINT);
  if (!ssapp_picture_check_size (columns, rows, error))
    return NULL;
  if (MAX (columns, rows) > longest) {
    ssapp_fail_input (error, "a side has more than %d pixels", longest);
    return NULL;
  }
  cairo_surface_t *picture = cairo_image_surface_create_from_png_stream (take, &bytes);
  if (cairo_surface_status (picture) == CAIRO_STATUS_SUCCESS)
    return picture;
  ssapp_fail_input (error, "%s", cairo_status_to_string (cairo_surface_status (picture)));
  cairo_surface_destroy (picture);
  return NULL;
}

SsappUnderlay *
ssapp_underlay_load (const char *path, GError **error)
{
  g_autofree char *data = NULL;
  g_autoptr (GError) why = NULL;
  cairo_surface_t *picture = NULL;
  SsappUnderlay *self = NULL;
  gsize n;

  if (g_file_get_contents (path, &data, &n, &why))
    picture = unpack_png ((const guchar *)data, n, SSAPP_PICTURE_SIDE, &why);
  if (picture != NULL) {
    self = ssapp_underlay_new (picture, &why);
    cairo_surface_destroy (picture);
  }
  if (self == NULL)
    ssapp_fail_input (error, "cannot read “%s” as a PNG picture: %s", path, why->message);
  return self;
}

void
ssapp_underlay_free (SsappUnderlay *self)
{
  if (self == NULL)
    return;
  cairo_surface_destroy (self->picture);
  g_ref_string_release (self->png);
  ssapp_underlay_drop_pixels (self);
  g_free (self);
}

void
ssapp_underlay_drop_pixels (SsappUnderlay *self)
{
  g_clear_pointer (&self->pixels, g_atomic_rc_box_release);
}

/* ---- as text ----------------------------------------------------------------------------------------------------- */

char *
ssapp_underlay_to_json (const SsappUnderlay *self)
{
  json_t *json = json_pack ("{s:[f, f], s:f, s:f, s:f, s:f, s:b, s:s}", "at", self->at.x, self->at.y, "width",
                            self->width, "opacity", self->opacity, "likeness", self->likeness, "fineness",
                            self->fineness, "shown", (int)self->is_shown, "png", self->png);
  char *text = ssapp_json_text (json, FALSE);

  json_decref (json);
  return text;
}

/* What it keeps of a number, where that is one from `least` to `most`. */
static void
take_number (const json_t *json, const char *key, double least, double most, double *value)
{
  const double kept = ssapp_json_get_real (json, key);

  if (!isnan (kept))
    *value = CLAMP (kept, least, most);
}

SsappUnderlay *
ssapp_underlay_from_json (const char *text)
{
  json_t *json = json_loads (text, 0, NULL);
  const char *base64 = ssapp_json_get_string (json, "png");
  const json_t *at = json_object_get (json, "at");
  const double width = ssapp_json_get_real (json, "width");
  gsize n = 0;
  g_autofree guchar *data = base64 != NULL ? g_base64_decode (base64, &n) : NULL;
  cairo_surface_t *given =
      data != NULL && width > 0 && isfinite (width) ? unpack_png (data, n, SSAPP_UNDERLAY_SIDE, NULL) : NULL;
  SsappUnderlay *self = NULL;

  if (given != NULL) {
    self = new_of (scaled (given, 1), base64, cairo_image_surface_get_width (given),
                   cairo_image_surface_get_height (given));
    cairo_surface_destroy (given);
  }
  if (self != NULL && cairo_surface_status (self->picture) != CAIRO_STATUS_SUCCESS) /* no memory */
    g_clear_pointer (&self, ssapp_underlay_free);
  if (self != NULL) {
    self->at = (SsVec2){json_number_value (json_array_get (at, 0)), json_number_value (json_array_get (at, 1))};
    self->width = width;
    take_number (json, "opacity", 0, 1, &self->opacity);
    take_number (json, "likeness", 0, 1, &self->likeness);
    take_number (json, "fineness", SSAPP_TRACE_FINENESS_LEAST, SSAPP_TRACE_FINENESS_MOST, &self->fineness);
    self->is_shown = !json_is_false (json_object_get (json, "shown"));
  }
  json_decref (json);
  return self;
}

/* ---- in the world ------------------------------------------------------------------------------------------------ */

double
ssapp_underlay_height (const SsappUnderlay *self)
{
  return self->width * ssapp_underlay_rows (self) / ssapp_underlay_columns (self);
}

gboolean
ssapp_underlay_set_distance (SsappUnderlay *self, SsVec2 from, SsVec2 to, double distance)
{
  const double now = hypot (to.x - from.x, to.y - from.y), factor = distance / now;

  if (!(now > 0) || !(distance > 0) || !isfinite (factor) || !(factor > 0))
    return FALSE;
  self->width *= factor;
  self->at.x = from.x + factor * (self->at.x - from.x);
  self->at.y = from.y + factor * (self->at.y - from.y);
  return TRUE;
}

/* Four bytes a pixel as the trace takes them; g_atomic_rc_box_release. */
static guint8 *
to_pixels (cairo_surface_t *picture)
{
  const int w = cairo_image_surface_get_width (picture), h = cairo_image_surface_get_height (picture);
  const int stride = cairo_image_surface_get_stride (picture);
  const guchar *data = cairo_image_surface_get_data (picture);
  guint8 *pixels = g_atomic_rc_box_alloc ((gsize)w * (gsize)h * 4);

  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      guint32 argb;
      memcpy (&argb, data + (gsize)y * (gsize)stride + 4 * (gsize)x, sizeof argb);
      const guint alpha = argb >> 24;
      guint8 *pixel = pixels + 4 * ((gsize)y * (gsize)w + (gsize)x);
      for (int c = 0; c < 3; c++) {
        const guint value = (argb >> (16 - 8 * c)) & 255;
        pixel[c] = (guint8)(alpha > 0 ? MIN (value * 255 / alpha, 255) : 0);
      }
      pixel[3] = (guint8)alpha;
    }
  return pixels;
}

SsVec2 *
ssapp_underlay_trace (SsappUnderlay *self, SsVec2 at, int *n, GError **error)
{
  const int w = ssapp_underlay_columns (self), h = ssapp_underlay_rows (self);
  const double metre = w / self->width; /* pixels */
  const double x = floor ((at.x - self->at.x) * metre), y = floor (h - (at.y - self->at.y) * metre);
  SsVec2 *traced = NULL, *corners = NULL;
  SsError err = {0};

  if (!(x >= 0 && y >= 0 && x < w && y < h)) {
    ssapp_fail_input (error, "there is no picture at that place");
    return NULL;
  }
  if (self->pixels == NULL)
    self->pixels = to_pixels (self->picture);
  const SsImage image = {self->pixels, w, h, 4 * w};
  if (ss_trace_region (&image, (int)x, (int)y, self->likeness, self->fineness, &traced, n, &err) != SS_OK) {
    ssapp_fail_input (error, "%s", err.message);
    return NULL;
  }
  corners = g_new (SsVec2, *n);
  for (int i = 0; i < *n; i++)
    corners[i] = (SsVec2){self->at.x + traced[i].x / metre, self->at.y + (h - traced[i].y) / metre};
  ss_free (traced);
  return corners;
}

void
ssapp_draw_underlay (cairo_t *cr, const SsappCamera *camera, const SsappUnderlay *self)
{
  const SsVec2 corner = {self->at.x, self->at.y + ssapp_underlay_height (self)};
  const double scale = self->width * camera->scale / ssapp_underlay_columns (self);
  double x, y;

  if (!self->is_shown)
    return;
  ssapp_camera_to_device (camera, corner, &x, &y);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_scale (cr, scale, scale);
  cairo_set_source_surface (cr, self->picture, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), scale > 2 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR);
  cairo_paint_with_alpha (cr, self->opacity);
  cairo_restore (cr);
}
