/* app/export/ssapp-export-video.c: a film as WebM (VP9) or MP4 (H.264), coded by GStreamer's program where that is
 * installed: it is looked for when a film is written, and nothing is linked.
 *
 * The program reads the pictures from a pipe and writes into a file that has no name, since both containers go back to
 * their heads at the end; the whole is then put in place as all files are. So nothing is left of a film that was
 * cancelled, and nothing of a program that was killed.
 */
#include "app/export/ssapp-export-private.h"

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-text.h"

#include <math.h>
#include <sys/mman.h>
#include <string.h>
#include <unistd.h>

#define LAUNCH  "gst-launch-1.0"
#define INSPECT "gst-inspect-1.0"

enum { LAST_WORDS = 400 };
/* Pictures a second are told as a fraction of this. */
enum { PER_SECOND = 1000 };

/* What codes the pictures of an ending. Line drawings on white: at these numbers (quantisers of 0..63 and 0..51, lower
 * is better) no block is seen around a line. */
static const struct {
  const char *ending, *coder;
} coders[] = {
    {".webm", "vp9enc end-usage=cq cq-level=16 target-bitrate=20000000 deadline=1 cpu-used=7 ! webmmux ! "},
    {".mp4", "x264enc pass=qual quantizer=18 ! video/x-h264,profile=high ! mp4mux ! "},
};

/* Elements of the lines above and below, and the package of Debian that has them. */
static const struct {
  const char *element, *package;
} elements[] = {{"rawvideoparse", "gstreamer1.0-plugins-base"}, {"videoconvert", "gstreamer1.0-plugins-base"},
                {"vp9enc", "gstreamer1.0-plugins-good"},        {"webmmux", "gstreamer1.0-plugins-good"},
                {"x264enc", "gstreamer1.0-plugins-ugly"},       {"mp4mux", "gstreamer1.0-plugins-good"}};

typedef struct {
  const SsappFilm *film;
  GSubprocess *process;
  int film_fd, words_fd; /* nameless files: what it makes, what it says */
} Video;

/* ---- what is missing --------------------------------------------------------------------------------------------- */

static gboolean
has_element (const char *name)
{
  g_autoptr (GSubprocess) inspect = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL, INSPECT, "--exists", name, NULL);

  return inspect != NULL && g_subprocess_wait_check (inspect, NULL, NULL);
}

/* "gstreamer1.0-tools and gstreamer1.0-plugins-good", of the packages that this line of words wants and that are not
 * there; NULL: none. g_free. */
static char *
missing_packages (const char *line)
{
  g_autofree char *launch = g_find_program_in_path (LAUNCH);
  g_autoptr (GPtrArray) packages = g_ptr_array_new ();

  if (launch == NULL)
    g_ptr_array_add (packages, (gpointer) "gstreamer1.0-tools");
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (strstr (line, elements[i].element) != NULL && (launch == NULL || !has_element (elements[i].element)) &&
        !g_ptr_array_find_with_equal_func (packages, elements[i].package, g_str_equal, NULL))
      g_ptr_array_add (packages, (gpointer)elements[i].package);
  if (packages->len == 0)
    return NULL;
  g_ptr_array_add (packages, NULL);
  return ssapp_endings_join ((const char *const *)packages->pdata, " and ");
}

/* Why it ended early: what is missing, else what it said. */
static gboolean
fail_coding (const Video *video, const char *line, GError **error)
{
  const char *path = video->film->path;
  g_autofree char *packages = missing_packages (line), *text = NULL, *words = g_malloc0 (LAST_WORDS + 1);

  if (packages != NULL)
    text = g_strdup_printf ("GStreamer, which codes films of %s, lacks a part: install the Debian packages %s, or "
                            "write .webp, .gif or .zip",
                            ssapp_ending_of (path), packages);
  else {
    const off_t end = lseek (video->words_fd, 0, SEEK_END);
    const gssize n = pread (video->words_fd, words, LAST_WORDS, MAX (0, end - LAST_WORDS));
    words[MAX (n, 0)] = '\0';
    g_strstrip (g_strdelimit (words, "\r\n", ' '));
    g_autofree char *visible = ssapp_text_visible (words, FALSE);
    text = g_strdup_printf ("GStreamer ended with: %s", *visible != '\0' ? visible : "no word");
  }
  return ssapp_export_fail (path, G_IO_ERROR_FAILED, text, error);
}

/* ---- coding ------------------------------------------------------------------------------------------------------ */

/* The words for the program, one space between each; g_free. */
static char *
coding_line (const SsappFilm *film)
{
  const char *coder = coders[0].coder;

  for (guint i = 0; i < G_N_ELEMENTS (coders); i++)
    if (ssapp_ending_is (film->path, coders[i].ending))
      coder = coders[i].coder;
  return g_strdup_printf (LAUNCH " -q fdsrc fd=0 ! rawvideoparse format=%s width=%d height=%d framerate=%ld/%d ! "
                                 "videoconvert ! video/x-raw,format=I420 ! %sfdsink fd=1",
                          G_BYTE_ORDER == G_LITTLE_ENDIAN ? "bgrx" : "xrgb", film->w, film->h,
                          lround (film->fps * PER_SECOND), PER_SECOND, coder);
}

static gboolean
start (Video *video, const char *line, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  video->film_fd = memfd_create ("film", MFD_CLOEXEC);
  video->words_fd = memfd_create ("words", MFD_CLOEXEC);
  if (video->film_fd < 0 || video->words_fd < 0)
    return ssapp_export_fail (video->film->path, G_IO_ERROR_FAILED, "out of memory", error);
  g_subprocess_launcher_take_stdout_fd (launcher, dup (video->film_fd));
  g_subprocess_launcher_take_stderr_fd (launcher, dup (video->words_fd));
  video->process = g_subprocess_launcher_spawnv (launcher, (const char *const *)words, NULL);
  return video->process != NULL || fail_coding (video, line, error);
}

static gboolean
add_to_video (cairo_surface_t *surface, int frame, gpointer data, GError **error)
{
  Video *video = data;
  const SsappFilm *film = video->film;
  GOutputStream *pipe = g_subprocess_get_stdin_pipe (video->process);
  const unsigned char *pixels = cairo_image_surface_get_data (surface);
  const gsize n_bytes = (gsize)cairo_image_surface_get_stride (surface) * (gsize)film->h;
  const long n_times = frame < film->n_frames - 1 ? 1 : MAX (1, lround (film->fps * SSAPP_FILM_HOLDS_MS / 1000.));

  for (long i = 0; i < n_times; i++)
    if (!g_output_stream_write_all (pipe, pixels, n_bytes, NULL, film->cancellable, error))
      return FALSE;
  return TRUE;
}

static gboolean
film_to_video (Video *video, const char *line, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!start (video, line, error))
    return FALSE;
  if (!ssapp_film_walk (video->film, 1, add_to_video, video, &local)) {
    /* a pipe that nobody reads says nothing; the program does, once it has ended by itself */
    if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE)) {
      g_subprocess_wait (video->process, NULL, NULL);
      return fail_coding (video, line, error);
    }
    g_subprocess_force_exit (video->process);
    g_subprocess_wait (video->process, NULL, NULL);
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  g_output_stream_close (g_subprocess_get_stdin_pipe (video->process), NULL, NULL);
  if (!g_subprocess_wait (video->process, video->film->cancellable, error)) {
    g_subprocess_force_exit (video->process);
    g_subprocess_wait (video->process, NULL, NULL);
    return FALSE;
  }
  return g_subprocess_get_successful (video->process) || fail_coding (video, line, error);
}

static gboolean
put_in_place (const Video *video, const char *path, GError **error)
{
  const off_t n = lseek (video->film_fd, 0, SEEK_END);
  char *bytes = n > 0 ? mmap (NULL, (gsize)n, PROT_READ, MAP_PRIVATE, video->film_fd, 0) : MAP_FAILED;

  if (bytes == MAP_FAILED)
    return ssapp_export_fail (path, G_IO_ERROR_FAILED, n > 0 ? "out of memory" : "GStreamer wrote nothing", error);
  const gboolean done = ssapp_write_file (path, bytes, n, error);
  munmap (bytes, (gsize)n);
  return done;
}

gboolean
ssapp_write_video (const SsappSheet *sheet, const char *path, GError **error)
{
  SsappFilm film;
  Video video = {&film, NULL, -1, -1};

  if (!ssapp_film_init (&film, sheet, path, error))
    return FALSE;
  film.w += film.w % 2; /* colours are told for two by two pixels */
  film.h += film.h % 2;
  g_autofree char *line = coding_line (&film);
  const gboolean done = film_to_video (&video, line, error) && put_in_place (&video, path, error);
  g_clear_object (&video.process);
  if (video.film_fd >= 0)
    close (video.film_fd);
  if (video.words_fd >= 0)
    close (video.words_fd);
  return done;
}
