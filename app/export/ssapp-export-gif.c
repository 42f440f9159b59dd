/* app/export/ssapp-export-gif.c: a film as an animated GIF (giflib), for places that show nothing newer.
 *
 * 255 colours for all frames, by median cut (Heckbert 1982) over a sample of them, and one that is transparent: of each
 * frame only the rectangle that differs from the one before is told, what is the same within it is transparent. Line
 * drawings have few colours, so that nothing is dithered. */
#include "app/export/ssapp-export-private.h"

#include <gif_lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  BITS = 5, /* of a channel, for the histogram */
  LEVELS = 1 << BITS,
  N_BINS = 1 << (3 * BITS),
  N_COLORS = 255,
  TRANSPARENT = 255,
  SAMPLED_FRAMES = 16,
};
static const double FPS_MAX = 50.; /* programs that show GIFs slow down what is faster */

typedef struct {
  guint32 n;
  guint64 sum[3]; /* of the colours in it */
} Bin;

/* Bins order[first..first+n-1]. */
typedef struct {
  int first, n;
} Box;

typedef struct {
  const SsappFilm *film;
  GifFileType *gif;
  Bin *bins;            /* N_BINS      */
  guint8 *index;        /* of a bin    */
  guint8 *frame, *last; /* w x h indices; `last` is what is seen */
  guint8 (*palette)[3];
  GByteArray *out;
} Gif;

/* ---- colours ----------------------------------------------------------------------------------------------------- */

static int
bin_of (guint32 pixel)
{
  enum { SHIFT = 8 - BITS };
  return (int)(((pixel >> (16 + SHIFT) & (LEVELS - 1)) << (2 * BITS)) |
               ((pixel >> (8 + SHIFT) & (LEVELS - 1)) << BITS) | (pixel >> SHIFT & (LEVELS - 1)));
}

static gboolean
count_colors (cairo_surface_t *surface, int frame, gpointer data, GError **error)
{
  Gif *gif = data;
  const unsigned char *pixels = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface);

  (void)frame;
  (void)error;
  for (int y = 0; y < gif->film->h; y++) {
    const guint32 *line = (const guint32 *)(const void *)(pixels + (gsize)y * (gsize)stride);
    for (int x = 0; x < gif->film->w; x++) {
      Bin *bin = &gif->bins[bin_of (line[x])];
      bin->n++;
      for (int c = 0; c < 3; c++)
        bin->sum[c] += line[x] >> (16 - 8 * c) & 0xFF;
    }
  }
  return TRUE;
}

static int
channel_of (int bin, int c)
{
  return bin >> (BITS * (2 - c)) & (LEVELS - 1);
}

static int
compare_bins (gconstpointer a, gconstpointer b, gpointer channel)
{
  return channel_of (*(const int *)a, GPOINTER_TO_INT (channel)) -
         channel_of (*(const int *)b, GPOINTER_TO_INT (channel));
}

/* Its longest side, and the channel of that. */
static int
extent (const int *order, const Box *box, int *channel)
{
  int longest = -1;

  for (int c = 0; c < 3; c++) {
    int least = LEVELS, most = 0;
    for (int i = box->first; i < box->first + box->n; i++) {
      least = MIN (least, channel_of (order[i], c));
      most = MAX (most, channel_of (order[i], c));
    }
    if (most - least > longest) {
      longest = most - least;
      *channel = c;
    }
  }
  return longest;
}

/* How much splitting it gains: pixels (thin lines count too) times the side. */
static double
weight_of (const Gif *gif, const int *order, const Box *box)
{
  guint64 n = 0;
  int channel;

  if (box->n < 2)
    return -1;
  for (int i = box->first; i < box->first + box->n; i++)
    n += gif->bins[order[i]].n;
  return pow ((double)n, 0.25) * extent (order, box, &channel);
}

/* Two boxes with about as many pixels each. */
static void
split (const Gif *gif, int *order, Box *box, Box *other)
{
  guint64 all = 0, below = 0;
  int channel = 0, n = 0;

  extent (order, box, &channel);
  g_qsort_with_data (order + box->first, box->n, sizeof *order, compare_bins, GINT_TO_POINTER (channel));
  for (int i = 0; i < box->n; i++)
    all += gif->bins[order[box->first + i]].n;
  while (n < box->n - 1 && (n == 0 || 2 * below < all))
    below += gif->bins[order[box->first + n++]].n;
  *other = (Box){box->first + n, box->n - n};
  box->n = n;
}

static void
mean_color (const Gif *gif, const int *order, const Box *box, guint8 color[3])
{
  guint64 n = 0, sum[3] = {0};

  for (int i = box->first; i < box->first + box->n; i++) {
    n += gif->bins[order[i]].n;
    for (int c = 0; c < 3; c++)
      sum[c] += gif->bins[order[i]].sum[c];
  }
  for (int c = 0; c < 3; c++)
    color[c] = (guint8)((sum[c] + n / 2) / MAX (n, 1));
}

/* The nearest colour of each bin that was not counted. */
static void
find_nearest (Gif *gif, int n_colors)
{
  for (int bin = 0; bin < N_BINS; bin++) {
    int best = G_MAXINT;
    if (gif->bins[bin].n > 0)
      continue;
    for (int k = 0; k < n_colors; k++) {
      int distance = 0;
      for (int c = 0; c < 3; c++) {
        const int d = gif->palette[k][c] - (channel_of (bin, c) * 255 + (LEVELS - 1) / 2) / (LEVELS - 1);
        distance += d * d;
      }
      if (distance < best) {
        best = distance;
        gif->index[bin] = (guint8)k;
      }
    }
  }
}

static void
choose_palette (Gif *gif)
{
  g_autofree int *order = g_new (int, N_BINS);
  Box boxes[N_COLORS] = {{0, 0}};
  int n = 1;

  for (int bin = 0; bin < N_BINS; bin++)
    if (gif->bins[bin].n > 0)
      order[boxes[0].n++] = bin;
  for (; n < N_COLORS; n++) {
    int widest = 0;
    double most = -1;
    for (int i = 0; i < n; i++) {
      const double weight = weight_of (gif, order, &boxes[i]);
      if (weight > most) {
        most = weight;
        widest = i;
      }
    }
    if (!(most > 0))
      break;
    split (gif, order, &boxes[widest], &boxes[n]);
  }
  for (int i = 0; i < n; i++) {
    mean_color (gif, order, &boxes[i], gif->palette[i]);
    for (int k = boxes[i].first; k < boxes[i].first + boxes[i].n; k++)
      gif->index[order[k]] = (guint8)i;
  }
  find_nearest (gif, n);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static int
write_bytes (GifFileType *file, const GifByteType *bytes, int n)
{
  g_byte_array_append (file->UserData, bytes, (guint)n);
  return n;
}

static gboolean
begin (Gif *gif)
{
  static const char application[] = "NETSCAPE2.0";
  static const GifByteType forever[] = {1, 0, 0};
  ColorMapObject *map = GifMakeMapObject (N_COLORS + 1, NULL);
  gboolean ok = map != NULL;

  for (int k = 0; ok && k < N_COLORS; k++)
    map->Colors[k] = (GifColorType){gif->palette[k][0], gif->palette[k][1], gif->palette[k][2]};
  EGifSetGifVersion (gif->gif, true);
  ok = ok && EGifPutScreenDesc (gif->gif, gif->film->w, gif->film->h, 8, 0, map) == GIF_OK &&
       EGifPutExtensionLeader (gif->gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
       EGifPutExtensionBlock (gif->gif, (int)strlen (application), application) == GIF_OK &&
       EGifPutExtensionBlock (gif->gif, sizeof forever, forever) == GIF_OK &&
       EGifPutExtensionTrailer (gif->gif) == GIF_OK;
  GifFreeMapObject (map);
  return ok;
}

/* The rectangle of what differs from what is seen, at least a pixel. */
static void
find_change (const Gif *gif, int frame, int rectangle[4])
{
  const int w = gif->film->w, h = gif->film->h;
  int x0 = w, y0 = h, x1 = -1, y1 = -1;

  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      if (frame == 0 || gif->frame[y * w + x] != gif->last[y * w + x]) {
        x0 = MIN (x0, x);
        x1 = MAX (x1, x);
        y0 = MIN (y0, y);
        y1 = MAX (y1, y);
      }
  if (x1 < 0)
    x0 = y0 = x1 = y1 = 0;
  rectangle[0] = x0;
  rectangle[1] = y0;
  rectangle[2] = x1 - x0 + 1;
  rectangle[3] = y1 - y0 + 1;
}

/* Hundredths of a second at which a frame begins. */
static int
begins (const Gif *gif, int frame)
{
  return (int)lround (100. * frame / gif->film->fps);
}

static gboolean
put_frame (Gif *gif, int frame)
{
  const int w = gif->film->w, end = gif->film->n_frames - 1;
  const GraphicsControlBlock control = {.DisposalMode = DISPOSE_DO_NOT,
                                        .DelayTime = frame == end ? (int)(SSAPP_FILM_HOLDS_MS / 10)
                                                                  : begins (gif, frame + 1) - begins (gif, frame),
                                        .TransparentColor = TRANSPARENT};
  GifByteType bytes[4];
  int r[4];

  find_change (gif, frame, r);
  gboolean ok = EGifGCBToExtension (&control, bytes) == 4 &&
                EGifPutExtension (gif->gif, GRAPHICS_EXT_FUNC_CODE, 4, bytes) == GIF_OK &&
                EGifPutImageDesc (gif->gif, r[0], r[1], r[2], r[3], false, NULL) == GIF_OK;
  g_autofree GifByteType *line = g_new (GifByteType, w);
  for (int y = r[1]; ok && y < r[1] + r[3]; y++) {
    for (int x = r[0]; x < r[0] + r[2]; x++) {
      const int at = y * w + x;
      line[x - r[0]] = frame > 0 && gif->frame[at] == gif->last[at] ? TRANSPARENT : gif->frame[at];
    }
    ok = EGifPutLine (gif->gif, line, r[2]) == GIF_OK;
  }
  memcpy (gif->last, gif->frame, (gsize)w * (gsize)gif->film->h);
  return ok;
}

static gboolean
add_to_gif (cairo_surface_t *surface, int frame, gpointer data, GError **error)
{
  Gif *gif = data;
  const unsigned char *pixels = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface), w = gif->film->w;

  for (int y = 0; y < gif->film->h; y++) {
    const guint32 *line = (const guint32 *)(const void *)(pixels + (gsize)y * (gsize)stride);
    for (int x = 0; x < w; x++)
      gif->frame[y * w + x] = gif->index[bin_of (line[x])];
  }
  return put_frame (gif, frame) ||
         ssapp_export_fail (gif->film->path, G_IO_ERROR_FAILED, GifErrorString (gif->gif->Error), error);
}

static gboolean
film_to_gif (const SsappFilm *film, GByteArray *out, GError **error)
{
  const gsize n_pixels = (gsize)film->w * (gsize)film->h;
  g_autofree Bin *bins = g_new0 (Bin, N_BINS);
  g_autofree guint8 *index = g_new0 (guint8, N_BINS), *frame = g_malloc0 (n_pixels), *last = g_malloc0 (n_pixels);
  guint8 palette[N_COLORS][3] = {{0}};
  Gif gif = {.film = film, .bins = bins, .index = index, .frame = frame, .last = last, .palette = palette};
  int code = 0;

  if (film->fps > FPS_MAX)
    return ssapp_export_fail (gif.film->path, G_IO_ERROR_FAILED, "a GIF has at most 50 pictures a second", error);
  if (!ssapp_film_walk (film, MAX (1, film->n_frames / SAMPLED_FRAMES), count_colors, &gif, error))
    return FALSE;
  choose_palette (&gif);
  gif.gif = EGifOpen (out, write_bytes, &code);
  if (gif.gif == NULL)
    return ssapp_export_fail (gif.film->path, G_IO_ERROR_FAILED, GifErrorString (code), error);
  gboolean done =
      (begin (&gif) || ssapp_export_fail (gif.film->path, G_IO_ERROR_FAILED, GifErrorString (gif.gif->Error), error)) &&
      ssapp_film_walk (film, 1, add_to_gif, &gif, error);
  if (EGifCloseFile (gif.gif, &code) != GIF_OK && done)
    done = ssapp_export_fail (gif.film->path, G_IO_ERROR_FAILED, GifErrorString (code), error);
  return done;
}

gboolean
ssapp_write_gif (const SsappSheet *sheet, const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  SsappFilm film;

  return ssapp_film_init (&film, sheet, path, error) && film_to_gif (&film, bytes, error) &&
         ssapp_write_file (path, (const char *)bytes->data, bytes->len, error);
}
