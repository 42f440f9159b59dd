/* app/export/ssapp-export-film.c: a motion as an animated WebP (libwebp).
 *
 * A film is the figure of one instant, painted once a frame with the instant moving on; the region of the world and the
 * scale of the arrows stay those of the whole motion. Frames are coded without loss: line drawings on white come out
 * smaller and sharper than with loss.
 */
#include "app/export/ssapp-export-private.h"

#include <math.h>
#include <webp/encode.h>
#include <webp/mux.h>

static const double DEFAULT_FPS = 25., FPS_MIN = 1., FPS_MAX = 60.;
/* A motion shorter than this would be over before anybody looked [s]; it is slowed down when no speed is asked for. */
static const double SHORTEST_FILM = 2.;
enum { FRAMES_MAX = 6000 };
/* Of libwebp's scales 0..6 and 0..100: the picture is without loss at each; these decide time against size. */
enum { WEBP_METHOD = 1, WEBP_EFFORT = 30 };

/* What is chosen, or what suits. */
static double
film_speed (const SsappFigure *figure, const SsappFigureOptions *options)
{
  double duration = figure->t_end - figure->t_begin;
  return options->speed > 0. ? options->speed : duration > 0. ? MIN (1., duration / SHORTEST_FILM) : 1.;
}

/* The figure at its present time. */
static gboolean
paint_frame (const SsappFigure *figure, cairo_surface_t *surface, double width, double height, double zoom)
{
  SsappStyle style;
  cairo_t *cr = cairo_create (surface);
  ssapp_style_init_paper (&style);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_scale (cr, zoom, zoom);
  ssapp_figure_paint (cr, &style, figure, width, height);
  gboolean done = cairo_status (cr) == CAIRO_STATUS_SUCCESS;
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return done;
}

gboolean
ssapp_film_init (SsappFilm *film, const SsappSheet *sheet, const char *path, GError **error)
{
  SsappFigure *figure = sheet->figure;
  const SsappFigureOptions *options = sheet->options;
  const double fps = options->frames_per_second > 0. ? options->frames_per_second : DEFAULT_FPS;
  const double speed = film_speed (figure, options), duration = (figure->t_end - figure->t_begin) / speed;
  const double dpi = MIN (options->dpi, SSAPP_FILM_DPI_MAX), zoom = dpi / SSAPP_PT_PER_INCH;
  const double width = sheet->width, height = ssapp_figure_film_height (figure, width);

  *film = (SsappFilm){.figure = figure,
                      .width = width,
                      .height = height,
                      .zoom = zoom,
                      .dpi = dpi,
                      .w = (int)lround (width * zoom),
                      .h = (int)lround (height * zoom),
                      .fps = fps,
                      .speed = speed,
                      .path = path,
                      .cancellable = options->cancellable,
                      .progress = options->progress,
                      .progress_data = options->progress_data};
  if (options->n_snapshots > 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "Could not draw “%s”: a film shows all instants, chosen ones are for pictures", path);
    return FALSE;
  }
  if (!(fps >= FPS_MIN && fps <= FPS_MAX))
    return ssapp_export_fail (path, G_IO_ERROR_FAILED, "a film has between 1 and 60 pictures a second", error);
  if (!(duration * fps + 1. <= FRAMES_MAX))
    return ssapp_export_fail (
        path, G_IO_ERROR_FAILED,
        "the film would have more than 6000 pictures; raise the speed or lower the pictures a second", error);
  if (film->w > WEBP_MAX_DIMENSION || film->h > WEBP_MAX_DIMENSION)
    return ssapp_export_fail (path, G_IO_ERROR_FAILED, "the film would have more than 16383 pixels on a side", error);
  film->n_frames = (int)floor (duration * fps + 1e-9) + 1;
  return TRUE;
}

gboolean
ssapp_film_walk (const SsappFilm *film, int every, SsappFrameFunc func, gpointer data, GError **error)
{
  g_return_val_if_fail (film != NULL, FALSE);
  SsappFigure *figure = film->figure;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, film->w, film->h);
  gboolean ok = cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS ||
                ssapp_export_fail (film->path, G_IO_ERROR_FAILED, "out of memory", error);

  figure->is_film = TRUE;
  for (int i = 0; ok && i < film->n_frames; i += every) {
    figure->time = i == film->n_frames - 1 ? figure->t_end : figure->t_begin + i * film->speed / film->fps;
    ok = !g_cancellable_set_error_if_cancelled (film->cancellable, error) &&
         (paint_frame (figure, surface, film->width, film->height, film->zoom) ||
          ssapp_export_fail (film->path, G_IO_ERROR_FAILED, "out of memory", error)) &&
         func (surface, i, data, error);
    if (ok && every == 1 && film->progress != NULL)
      film->progress (i + 1, film->n_frames, film->progress_data);
  }
  cairo_surface_destroy (surface);
  return ok;
}

/* What libwebp is given. */
typedef struct {
  const SsappFilm *film;
  WebPAnimEncoder *encoder;
  WebPConfig config;
  WebPPicture picture;
} Webp;

static gboolean
add_to_webp (cairo_surface_t *surface, int i, gpointer user_data, GError **error)
{
  Webp *webp = user_data;
  WebPPicture *picture = &webp->picture;
  const unsigned char *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  for (int y = 0; y < picture->height; y++) {
    const guint32 *from = (const guint32 *)(const void *)(data + (gsize)y * (gsize)stride);
    guint32 *to = picture->argb + (gsize)y * (gsize)picture->argb_stride;
    for (int x = 0; x < picture->width; x++)
      to[x] = from[x] | 0xFF000000u; /* the fourth byte of RGB24 is undefined */
  }
  return WebPAnimEncoderAdd (webp->encoder, picture, (int)lround (1000. * i / webp->film->fps), &webp->config) ||
         ssapp_export_fail (webp->film->path, G_IO_ERROR_FAILED, WebPAnimEncoderGetError (webp->encoder), error);
}

static gboolean
film_to_webp (const SsappFilm *film, GByteArray *out, GError **error)
{
  Webp webp = {.film = film};
  WebPAnimEncoderOptions options;
  WebPData data;
  gboolean done = FALSE;

  WebPDataInit (&data);
  if (!WebPPictureInit (&webp.picture) || !WebPConfigInit (&webp.config) || !WebPAnimEncoderOptionsInit (&options))
    return ssapp_export_fail (film->path, G_IO_ERROR_FAILED, "out of memory", error);
  webp.config.lossless = 1;
  webp.config.method = WEBP_METHOD;
  webp.config.quality = WEBP_EFFORT;
  webp.picture.use_argb = 1;
  webp.picture.width = film->w;
  webp.picture.height = film->h;
  webp.encoder = WebPAnimEncoderNew (film->w, film->h, &options);
  if (webp.encoder == NULL || !WebPPictureAlloc (&webp.picture))
    ssapp_export_fail (film->path, G_IO_ERROR_FAILED, "out of memory", error);
  else if (ssapp_film_walk (film, 1, add_to_webp, &webp, error)) {
    const int end = (int)lround (1000. * (film->n_frames - 1) / film->fps + SSAPP_FILM_HOLDS_MS);
    done = (WebPAnimEncoderAdd (webp.encoder, NULL, end, NULL) && WebPAnimEncoderAssemble (webp.encoder, &data)) ||
           ssapp_export_fail (film->path, G_IO_ERROR_FAILED, WebPAnimEncoderGetError (webp.encoder), error);
  }
  if (done)
    g_byte_array_append (out, data.bytes, (guint)data.size);
  WebPDataClear (&data);
  WebPAnimEncoderDelete (webp.encoder);
  WebPPictureFree (&webp.picture);
  return done;
}

gboolean
ssapp_write_webp (const SsappSheet *sheet, const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  SsappFilm film;

  return ssapp_film_init (&film, sheet, path, error) && film_to_webp (&film, bytes, error) &&
         ssapp_write_file (path, (const char *)bytes->data, bytes->len, error);
}
