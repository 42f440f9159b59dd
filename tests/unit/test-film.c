/* tests/unit/test-film.c: films as GIF, as a zip of PNG files and as a folder of them: the same pictures, as many as
 * the film has; failures and a cancel leave nothing. */
#include "app/export/ssapp-export-private.h"
#include "tests/ss-test-scenario.h"

#include <gif_lib.h>
#include <glib/gstdio.h>

static char *folder;
static SsScenario *scenario;
static SsRunResult result;

static char *
file (const char *name)
{
  return g_strdup_printf ("%s/%s", folder, name); /* "a/" stays a folder */
}

static gboolean
export_film (const char *name, double fps, GCancellable *cancellable, GError **error)
{
  const SsappFigureRun run = {
      .label = "run", .method = {SS_METHOD_INTEGRATOR, "stewart-trinkle"}, .trajectory = ss_run_motion (&result)};
  const SsappFigureOptions options = {
      .width_mm = 40, .dpi = 72, .time = NAN, .frames_per_second = fps, .cancellable = cancellable};
  g_autofree char *path = file (name);

  return ssapp_export_figure (ssapp_plot_find ("motion"), scenario, &run, 1, &options, path, error);
}

/* A picture of the folder as RGB24. */
static cairo_surface_t *
read_frame (const char *of, int frame)
{
  g_autofree char *name = g_strdup_printf ("%s/frame-%04d.png", of, frame + 1), *path = file (name);
  cairo_surface_t *surface = cairo_image_surface_create_from_png (path);

  SS_CHECK (cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS);
  return surface;
}

static int
count_entries (const char *of)
{
  g_autofree char *path = file (of);
  GDir *dir = g_dir_open (path, 0, NULL);
  int n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  if (dir != NULL)
    g_dir_close (dir);
  return dir != NULL ? n : -1;
}

enum { FPS = 10, N_FRAMES = 21 }; /* two seconds */

static void
a_folder_has_every_frame (void)
{
  GError *error = NULL;

  SS_CHECK (export_film ("frames/", FPS, NULL, &error) && error == NULL);
  SS_CHECK (count_entries ("frames") == N_FRAMES && count_entries ("") == 1);
  SS_CHECK (!export_film ("frames/", FPS, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "such a folder already");
  g_clear_error (&error);
  SS_CHECK (count_entries ("frames") == N_FRAMES);
}

typedef struct {
  gboolean is_over, is_done;
} Drawn;

static void
on_drawn (GObject *source, GAsyncResult *answer, gpointer user_data)
{
  Drawn *drawn = user_data;

  (void)source;
  drawn->is_done = ssapp_export_figure_finish (answer, NULL);
  drawn->is_over = TRUE;
}

/* By a thread, from copies of what is drawn: the same bytes. */
static void
a_film_is_drawn_in_the_background (void)
{
  const SsappFigureRun run = {
      .label = "run", .method = {SS_METHOD_INTEGRATOR, "stewart-trinkle"}, .trajectory = ss_run_motion (&result)};
  const SsappFigureOptions options = {.width_mm = 40, .dpi = 72, .time = NAN, .frames_per_second = FPS};
  g_autofree char *path = file ("thread.webp"), *here = file ("here.webp"), *bytes = NULL, *same = NULL;
  gsize size = 0, n = 0;
  Drawn drawn = {0};

  ssapp_export_figure_async (ssapp_plot_find ("motion"), scenario, &run, 1, &options, path, on_drawn, &drawn);
  while (!drawn.is_over)
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (drawn.is_done && export_film ("here.webp", FPS, NULL, NULL));
  SS_CHECK (g_file_get_contents (path, &bytes, &size, NULL) && g_file_get_contents (here, &same, &n, NULL));
  SS_CHECK (size > 0 && size == n && memcmp (bytes, same, size) == 0);
  g_remove (path);
  g_remove (here);
}

/* Frames that are drawn upon one another, as a browser does. */
static void
a_gif_shows_the_same (void)
{
  g_autofree char *path = file ("film.gif");
  GError *error = NULL;
  int code = 0;

  SS_CHECK (export_film ("film.gif", FPS, NULL, &error) && error == NULL);
  GifFileType *gif = DGifOpenFileName (path, &code);
  SS_CHECK (gif != NULL && DGifSlurp (gif) == GIF_OK);
  SS_CHECK (gif->ImageCount == N_FRAMES);
  const int w = gif->SWidth, h = gif->SHeight;
  g_autofree guint8 *seen = g_malloc0 ((gsize)w * (gsize)h);
  int delays = 0, n_told = 0;
  for (int i = 0; i < gif->ImageCount; i++) {
    const SavedImage *image = &gif->SavedImages[i];
    GraphicsControlBlock control;
    SS_CHECK (DGifSavedExtensionToGCB (gif, i, &control) == GIF_OK);
    delays += control.DelayTime;
    for (int y = 0; y < image->ImageDesc.Height; y++)
      for (int x = 0; x < image->ImageDesc.Width; x++) {
        const guint8 value = image->RasterBits[y * image->ImageDesc.Width + x];
        n_told += value != control.TransparentColor;
        if (value != control.TransparentColor)
          seen[(y + image->ImageDesc.Top) * w + x + image->ImageDesc.Left] = value;
      }
    cairo_surface_t *frame = read_frame ("frames", i);
    SS_CHECK (cairo_image_surface_get_width (frame) == w && cairo_image_surface_get_height (frame) == h);
    const unsigned char *data = cairo_image_surface_get_data (frame);
    const int stride = cairo_image_surface_get_stride (frame);
    double sum = 0;
    int worst = 0;
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        const guint32 pixel = ((const guint32 *)(const void *)(data + (gsize)y * (gsize)stride))[x];
        const GifColorType *color = &gif->SColorMap->Colors[seen[y * w + x]];
        const int d[3] = {color->Red - (int)(pixel >> 16 & 255), color->Green - (int)(pixel >> 8 & 255),
                          color->Blue - (int)(pixel & 255)};
        for (int c = 0; c < 3; c++) {
          sum += d[c] * d[c];
          worst = MAX (worst, abs (d[c]));
        }
      }
    SS_CHECK (sqrt (sum / (3. * w * h)) < 3); /* of 255: blends of lines are what is off */
    SS_CHECK (worst < 64);
    cairo_surface_destroy (frame);
  }
  SS_CHECK (delays == (N_FRAMES - 1) * 100 / FPS + 100); /* the last one is held for a second */
  SS_CHECK (n_told < N_FRAMES * w * h / 2);              /* only what differs is told */
  DGifCloseFile (gif, &code);
  SS_CHECK (!export_film ("fast.gif", 60, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "at most 50 pictures a second");
  g_clear_error (&error);
}

static guint32
number_at (const guint8 *bytes, int n)
{
  guint32 value = 0;

  for (int i = n - 1; i >= 0; i--)
    value = value << 8 | bytes[i];
  return value;
}

static void
a_zip_holds_the_same_files (void)
{
  g_autofree char *path = file ("film.zip"), *text = NULL;
  GError *error = NULL;
  gsize length = 0;

  SS_CHECK (export_film ("film.zip", FPS, NULL, &error) && error == NULL);
  SS_CHECK (g_file_get_contents (path, &text, &length, NULL));
  const guint8 *bytes = (const guint8 *)text, *end = bytes + length - 22;
  SS_CHECK (number_at (end, 4) == 0x06054b50 && number_at (end + 10, 2) == N_FRAMES);
  const guint8 *entry = bytes + number_at (end + 16, 4);
  for (int i = 0; i < N_FRAMES; i++) { /* by the directory at its end, as unzip does */
    g_autofree char *name = g_strdup_printf ("frames/frame-%04d.png", i + 1), *of = file (name), *png = NULL;
    const guint8 *at = bytes + number_at (entry + 42, 4);
    const guint32 size = number_at (entry + 24, 4), name_length = number_at (entry + 28, 2);
    gsize wanted = 0;
    SS_CHECK (number_at (entry, 4) == 0x02014b50 && number_at (at, 4) == 0x04034b50);
    SS_CHECK (memcmp (entry + 46, name + 7, name_length) == 0);
    SS_CHECK (g_file_get_contents (of, &png, &wanted, NULL) && wanted == size);
    SS_CHECK (memcmp (at + 30 + name_length, png, size) == 0);
    SS_CHECK (number_at (entry + 16, 4) == ssapp_crc32 ((const guint8 *)png, size));
    entry += 46 + name_length;
  }
  SS_CHECK (entry == end);
  SS_CHECK (ssapp_crc32 ((const guint8 *)"123456789", 9) == 0xCBF43926); /* the published check value */
}

static void
a_cancel_leaves_nothing (void)
{
  static const char *const names[] = {"no.gif", "no.zip", "no/", "no.webp", "no.webm"};
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();

  g_cancellable_cancel (cancelled);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;
    SS_CHECK (!export_film (names[i], FPS, cancelled, &error));
    SS_CHECK (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  }
  g_autoptr (GError) error = NULL;
  SS_CHECK (!export_film ("nowhere/no/", FPS, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "nowhere/no/");
  SS_CHECK (count_entries ("") == 3);
}

static void
remove_all (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL; name = g_dir_read_name (dir)) {
    g_autofree char *inner = g_build_filename (path, name, NULL);
    remove_all (inner);
  }
  if (dir != NULL)
    g_dir_close (dir);
  g_remove (path);
}

int
main (void)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL);
  g_autofree void *options = g_malloc0 (method->options->size);
  SsRunControl control;

  folder = g_dir_make_tmp ("test-film-XXXXXX", NULL);
  scenario = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  ss_options_init (method->options, options);
  ss_run_control_init (&control);
  const SsJob job = ss_job (method, scenario, options);
  if (ss_run (&job, &control, &result, NULL) != SS_OK)
    return 1;
  SS_RUN (a_folder_has_every_frame);
  SS_RUN (a_gif_shows_the_same);
  SS_RUN (a_zip_holds_the_same_files);
  SS_RUN (a_film_is_drawn_in_the_background);
  SS_RUN (a_cancel_leaves_nothing);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
  remove_all (folder);
  g_free (folder);
  return ss_test_finish ();
}
