/* app/export/ssapp-export-film.c: a motion as an animated WebP (libwebp), and exports on a thread of their own.
 *
 * A film is the figure of one instant, painted once a frame with the instant moving on; the region of the world and the
 * scale of the arrows stay those of the whole motion. Frames are coded without loss: line drawings on white come out
 * smaller and sharper than with loss.
 */
#include "app/export/ssapp-export-private.h"

#include <math.h>
#include <string.h>
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

static gboolean
fail (const char *path, const char *what, GError **error)
{
  char *name = g_filename_display_name (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Could not draw “%s”: %s", name, what);
  g_free (name);
  return FALSE;
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
ssapp_film_init (SsappFilm *film, SsappFigure *figure, double width, double height, double zoom,
                 const SsappFigureOptions *options, const char *path, GError **error)
{
  const double fps = options->frames_per_second > 0. ? options->frames_per_second : DEFAULT_FPS;
  const double speed = film_speed (figure, options), duration = (figure->t_end - figure->t_begin) / speed;

  *film = (SsappFilm){.figure = figure,
                      .width = width,
                      .height = height,
                      .zoom = zoom,
                      .w = (int)lround (width * zoom),
                      .h = (int)lround (height * zoom),
                      .fps = fps,
                      .speed = speed,
                      .path = path,
                      .cancellable = options->cancellable};
  if (!(fps >= FPS_MIN && fps <= FPS_MAX))
    return fail (path, "a film has between 1 and 60 pictures a second", error);
  if (!(duration * fps + 1. <= FRAMES_MAX))
    return fail (path, "the film would have more than 6000 pictures; raise the speed or lower the pictures a second",
                 error);
  if (film->w > WEBP_MAX_DIMENSION || film->h > WEBP_MAX_DIMENSION)
    return fail (path, "the film would have more than 16383 pixels on a side", error);
  film->n_frames = (int)floor (duration * fps + 1e-9) + 1;
  return TRUE;
}

gboolean
ssapp_film_walk (const SsappFilm *film, int every, SsappFrameFunc func, gpointer data, GError **error)
{
  SsappFigure *figure = film->figure;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, film->w, film->h);
  gboolean ok = cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS || fail (film->path, "out of memory", error);

  figure->is_film = TRUE;
  for (int i = 0; ok && i < film->n_frames; i += every) {
    figure->time = i == film->n_frames - 1 ? figure->t_end : figure->t_begin + i * film->speed / film->fps;
    ok = !g_cancellable_set_error_if_cancelled (film->cancellable, error) &&
         (paint_frame (figure, surface, film->width, film->height, film->zoom) ||
          fail (film->path, "out of memory", error)) &&
         func (surface, i, data, error);
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
         fail (webp->film->path, WebPAnimEncoderGetError (webp->encoder), error);
}

gboolean
ssapp_film_to_webp (const SsappFilm *film, GByteArray *out, GError **error)
{
  Webp webp = {.film = film};
  WebPAnimEncoderOptions options;
  WebPData data;
  gboolean done = FALSE;

  WebPDataInit (&data);
  if (!WebPPictureInit (&webp.picture) || !WebPConfigInit (&webp.config) || !WebPAnimEncoderOptionsInit (&options))
    return fail (film->path, "out of memory", error);
  webp.config.lossless = 1;
  webp.config.method = WEBP_METHOD;
  webp.config.quality = WEBP_EFFORT;
  webp.picture.use_argb = 1;
  webp.picture.width = film->w;
  webp.picture.height = film->h;
  webp.encoder = WebPAnimEncoderNew (film->w, film->h, &options);
  if (webp.encoder == NULL || !WebPPictureAlloc (&webp.picture))
    fail (film->path, "out of memory", error);
  else if (ssapp_film_walk (film, 1, add_to_webp, &webp, error)) {
    const int end = (int)lround (1000. * (film->n_frames - 1) / film->fps + SSAPP_FILM_HOLDS_MS);
    done = (WebPAnimEncoderAdd (webp.encoder, NULL, end, NULL) && WebPAnimEncoderAssemble (webp.encoder, &data)) ||
           fail (film->path, WebPAnimEncoderGetError (webp.encoder), error);
  }
  if (done)
    g_byte_array_append (out, data.bytes, (guint)data.size);
  WebPDataClear (&data);
  WebPAnimEncoderDelete (webp.encoder);
  WebPPictureFree (&webp.picture);
  return done;
}

/* ---- on a thread of its own -------------------------------------------------------------------------------------- */

/* Copies of all that the thread reads. */
typedef struct {
  SsappFigureKind kind;
  SsScenario *scenario;
  SsappFigureRun *runs;
  int n_runs;
  SsappFigureOptions options;
  char *path;
} Work;

void
ssapp_figure_run_clear (SsappFigureRun *run)
{
  g_free ((char *)run->label);
  g_free ((char *)run->method.name);
  g_free ((char *)run->outcome);
  ss_trajectory_free ((SsTrajectory *)run->trajectory);
  for (int b = 0; b < run->n_branches; b++)
    ss_trajectory_free ((SsTrajectory *)run->branches[b].motion);
  g_free ((SsappFanMotion *)run->branches);
  g_clear_pointer (&run->iterations, g_array_unref);
  g_clear_pointer (&run->events, g_array_unref);
  ss_scenario_free ((SsScenario *)run->scenario);
}

static void
work_free (Work *work)
{
  for (int i = 0; i < work->n_runs; i++)
    ssapp_figure_run_clear (&work->runs[i]);
  g_free (work->runs);
  g_free (work->path);
  g_clear_object (&work->options.cancellable);
  ss_scenario_free (work->scenario);
  g_free (work);
}

SsScenario *
ssapp_figure_copy_scenario (const SsScenario *scenario)
{
  SsOverride *overrides = g_new0 (SsOverride, scenario->n_parameters + 1);
  SsScenario *copy = NULL;
  SsProblems problems;
  int n = 0;

  for (int i = 0; i < scenario->n_parameters; i++)
    if (scenario->parameters[i].is_overridden)
      overrides[n++] = (SsOverride){scenario->parameters[i].name, scenario->parameters[i].value};
  ss_problems_init (&problems);
  if (ss_scenario_read (scenario->text, scenario->text_length, scenario->file, overrides, n, &problems, &copy) != SS_OK)
    copy = NULL;
  ss_problems_clear (&problems);
  g_free (overrides);
  return copy;
}

gboolean
ssapp_figure_run_copy (const SsappFigureRun *from, SsappFigureRun *to)
{
  SsTrajectory *trajectory = NULL;
  SsError error;

  to->label = g_strdup (from->label);
  to->method = (SsMethodId){from->method.kind, g_strdup (from->method.name), from->method.copy};
  to->outcome = g_strdup (from->outcome);
  to->holds_controls = from->holds_controls;
  to->answer = from->answer;
  to->iterations = from->iterations != NULL ? g_array_copy (from->iterations) : NULL;
  to->events = from->events != NULL ? g_array_ref (from->events) : NULL; /* nobody changes them */
  to->scenario = from->scenario != NULL ? ssapp_figure_copy_scenario (from->scenario) : NULL;
  if ((from->scenario != NULL && to->scenario == NULL) ||
      (from->trajectory != NULL && ss_trajectory_copy (from->trajectory, &trajectory, &error) != SS_OK))
    return FALSE;
  to->trajectory = trajectory;
  to->largest_share = from->largest_share;
  SsappFanMotion *branches = g_new0 (SsappFanMotion, MAX (from->n_branches, 1));
  to->branches = branches;
  for (int b = 0; b < from->n_branches; b++) {
    SsTrajectory *motion = NULL;
    if (ss_trajectory_copy (from->branches[b].motion, &motion, &error) != SS_OK)
      return FALSE;
    branches[b] = from->branches[b];
    branches[b].motion = motion;
    to->n_branches = b + 1;
  }
  return TRUE;
}

static void
work_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  GError *error = NULL;

  (void)source;
  (void)cancellable;
  if (ssapp_export_figure (work->kind, work->scenario, work->runs, work->n_runs, &work->options, work->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
ssapp_export_figure_async (SsappFigureKind kind, const SsScenario *scenario, const SsappFigureRun *runs, int n_runs,
                           const SsappFigureOptions *options, const char *path, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task = g_task_new (NULL, options->cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);
  gboolean done = TRUE;

  work->kind = kind;
  work->runs = g_new0 (SsappFigureRun, MAX (n_runs, 1));
  work->n_runs = n_runs;
  work->options = *options;
  work->options.x_channel = work->options.y_channel = NULL;
  work->options.channels = work->options.contact = NULL;
  work->options.snapshots = NULL;
  work->options.n_snapshots = 0;
  work->options.cancellable = options->cancellable != NULL ? g_object_ref (options->cancellable) : NULL;
  work->path = g_strdup (path);
  work->scenario = scenario != NULL ? ssapp_figure_copy_scenario (scenario) : NULL;
  for (int i = 0; i < n_runs; i++)
    done = ssapp_figure_run_copy (&runs[i], &work->runs[i]) && done;
  g_task_set_task_data (task, work, (GDestroyNotify)work_free);
  if (done && (scenario == NULL || work->scenario != NULL))
    g_task_run_in_thread (task, work_in_thread);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "Could not draw “%s”: out of memory", path);
  g_object_unref (task);
}

gboolean
ssapp_export_figure_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
