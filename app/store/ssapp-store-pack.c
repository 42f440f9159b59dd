/* app/store/ssapp-store-pack.c: see the header. */
#include "app/store/ssapp-store-pack.h"

#include "app/base/ssapp-json.h"

#include <gio/gio.h>
#include <string.h>

/* Numbers of a block, whole rows of at least one; zlib's level: more takes thrice the time for a tenth of the room. */
enum { BLOCK_NUMBERS = 131072, LEVEL = 1, OUT_BYTES = 65536 };

static gsize
block_rows (gsize n_channels)
{
  return MAX (BLOCK_NUMBERS / n_channels, 1);
}

/* From rows of doubles to planes of bytes: of each channel the words, each as it differs from the row before, and of
 * these first all lowest bytes, last all highest. */
static void
to_planes (const double *rows, gsize n_rows, gsize n_channels, guint8 *planes)
{
  for (gsize c = 0; c < n_channels; c++, planes += 8 * n_rows) {
    guint64 before = 0;
    for (gsize k = 0; k < n_rows; k++) {
      guint64 word;
      memcpy (&word, &rows[k * n_channels + c], sizeof word);
      const guint64 change = word ^ before;
      before = word;
      for (gsize b = 0; b < 8; b++)
        planes[b * n_rows + k] = (guint8)(change >> (8 * b));
    }
  }
}

static void
from_planes (const guint8 *planes, gsize n_rows, gsize n_channels, double *rows)
{
  for (gsize c = 0; c < n_channels; c++, planes += 8 * n_rows) {
    guint64 word = 0;
    for (gsize k = 0; k < n_rows; k++) {
      guint64 change = 0;
      for (gsize b = 0; b < 8; b++)
        change |= (guint64)planes[b * n_rows + k] << (8 * b);
      word ^= change;
      memcpy (&rows[k * n_channels + c], &word, sizeof word);
    }
  }
}

/* All of `in` through the compressor, behind what there is of `out`. FALSE: it cannot. */
static gboolean
convert (GConverter *converter, const guint8 *in, gsize size, gboolean is_last, GByteArray *out)
{
  guint8 buffer[OUT_BYTES];
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (size > 0 || (is_last && result != G_CONVERTER_FINISHED)) {
    gsize n_read = 0, n_written = 0;
    result = g_converter_convert (converter, in, size, buffer, sizeof buffer,
                                  is_last ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &n_read, &n_written, NULL);
    if (result == G_CONVERTER_ERROR)
      return FALSE;
    g_byte_array_append (out, buffer, (guint)n_written);
    in += n_read;
    size -= n_read;
  }
  return TRUE;
}

GBytes *
ssapp_store_pack_motion (const SsTrajectory *motion)
{
  const gsize n_channels = (gsize)motion->n_channels, n_rows = (gsize)motion->n_rows, step = block_rows (n_channels);

  if (n_rows * n_channels * sizeof (double) <= SSAPP_STORE_PLAIN_BYTES)
    return ssapp_trajectory_to_bytes (motion);
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, LEVEL);
  g_autofree guint8 *planes = g_malloc (MIN (step, n_rows) * n_channels * 8);
  g_autoptr (GByteArray) out = g_byte_array_new ();
  gboolean ok = TRUE;
  for (gsize first = 0; ok && first < n_rows; first += step) {
    const gsize n = MIN (step, n_rows - first);
    to_planes (motion->values + first * n_channels, n, n_channels, planes);
    ss_trajectory_pass (motion, (int)first);
    ok = out->len < G_MAXINT / 2 &&
         convert (G_CONVERTER (compressor), planes, 8 * n * n_channels, first + n == n_rows, out);
  }
  if (!ok || out->len >= n_rows * n_channels * sizeof (double)) /* noise is no smaller packed */
    return ssapp_trajectory_to_bytes (motion);
  return g_byte_array_free_to_bytes (g_steal_pointer (&out));
}

/* `n` bytes more of what was packed. */
static gboolean
unpack (GConverter *converter, const guint8 **data, gsize *size, guint8 *out, gsize n)
{
  while (n > 0) {
    gsize n_read = 0, n_written = 0;
    const GConverterResult result =
        g_converter_convert (converter, *data, *size, out, n, G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
    if (result == G_CONVERTER_ERROR || (result == G_CONVERTER_FINISHED && n_written < n))
      return FALSE;
    *data += n_read;
    *size -= n_read;
    out += n_written;
    n -= n_written;
  }
  return TRUE;
}

SsTrajectory *
ssapp_store_unpack_motion (const json_t *channels, int n_rows, const void *data, gsize size)
{
  const gsize n_channels = json_array_size (channels), rows = (gsize)MAX (n_rows, 0);
  const guint8 *at = data;

  if (n_channels < 1 || n_rows < 0 || size == rows * n_channels * sizeof (double) ||
      rows * n_channels * sizeof (double) <= SSAPP_STORE_PLAIN_BYTES)
    return ssapp_trajectory_from_bytes (channels, n_rows, data, size);
  SsTrajectory *motion = ssapp_trajectory_from_bytes (channels, 0, "", 0);
  const gsize step = MIN (block_rows (n_channels), rows);
  g_autofree double *values = g_new (double, step *n_channels);
  g_autofree guint8 *planes = g_malloc (step * n_channels * 8);
  g_autoptr (GZlibDecompressor) decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  gboolean ok = motion != NULL;
  for (gsize first = 0; ok && first < rows; first += step) {
    const gsize n = MIN (step, rows - first);
    ok = unpack (G_CONVERTER (decompressor), &at, &size, planes, 8 * n * n_channels);
    if (ok)
      from_planes (planes, n, n_channels, values);
    for (gsize k = 0; ok && k < n; k++)
      ok = ss_trajectory_append (motion, values + k * n_channels, NULL) == SS_OK;
  }
  if (!ok)
    g_clear_pointer (&motion, ss_trajectory_free);
  return motion;
}
