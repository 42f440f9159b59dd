/* app/store/ssapp-store-pack.c: see the header. */
#include "app/store/ssapp-store-pack.h"

#include "app/base/ssapp-json.h"
#include "core/ss-memory.h"
#include "core/ss-spool.h"

#include <gio/gio.h>
#include <string.h>

/* Numbers of a block, whole rows of at least one; zlib's level: more takes thrice the time for a tenth of the room. */
enum { BLOCK_NUMBERS = 131072, LEVEL = 1, OUT_BYTES = 65536 };
/* What was packed is let go in pieces of this many bytes. */
enum { PASS_BYTES = 1 << 20 };

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

/* ---- what was packed --------------------------------------------------------------------------------------------- */

struct SsappPackedMotion {
  guint8 *data;
  gsize size, room;
  SsSpool *spool; /* NULL: on the heap */
  gsize released;
  gboolean has_no_disk; /* any more */
};

static void
put_on_heap (SsappPackedMotion *self, gsize room)
{
  guint8 *data = ss_realloc (self->spool == NULL ? self->data : NULL, room, 1);

  if (data == NULL)
    g_error ("%s: failed to allocate %" G_GSIZE_FORMAT " bytes", G_STRLOC, room);
  if (self->spool != NULL) {
    memcpy (data, self->data, self->size);
    ss_spool_free (g_steal_pointer (&self->spool), self->data);
  }
  self->data = data;
  self->room = room;
}

/* In a file where it is much; where there is no disk, or no room on it, on the heap. */
static void
packed_append (SsappPackedMotion *self, const guint8 *data, gsize n)
{
  const gsize end = self->size + n;

  if (end > self->room && end <= SSAPP_STORE_HEAP_BYTES) {
    put_on_heap (self, CLAMP (2 * self->room, end, SSAPP_STORE_HEAP_BYTES));
  } else if (end > self->room) {
    void *block = self->data;
    gsize room = self->size;
    self->has_no_disk = self->has_no_disk || ss_spool_grow (&self->spool, &block, &room, end) != 0;
    self->data = block;
    if (self->has_no_disk)
      put_on_heap (self, MAX (2 * self->room, end));
    else
      self->room = room;
  }
  memcpy (self->data + self->size, data, n);
  self->size = end;
  if (end > self->released + PASS_BYTES) {
    ssapp_packed_motion_pass (self, end);
    self->released = end;
  }
}

const guint8 *
ssapp_packed_motion_data (const SsappPackedMotion *self, gsize *size)
{
  g_return_val_if_fail (self != NULL, NULL);
  *size = self->size;
  return self->data;
}

void
ssapp_packed_motion_pass (const SsappPackedMotion *self, gsize end)
{
  g_return_if_fail (self != NULL);
  if (self->spool != NULL)
    ss_spool_release (self->spool, self->data, end);
}

static void
packed_clear (SsappPackedMotion *self)
{
  if (self->spool != NULL)
    ss_spool_free (self->spool, self->data);
  else
    ss_free (self->data);
}

void
ssapp_packed_motion_free (SsappPackedMotion *self)
{
  if (self == NULL)
    return;
  packed_clear (self);
  g_free (self);
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

/* All of `in` through the compressor, behind what there is of `out`. FALSE: it cannot. */
static gboolean
convert (GConverter *converter, const guint8 *in, gsize size, gboolean is_last, SsappPackedMotion *out)
{
  guint8 buffer[OUT_BYTES];
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (size > 0 || (is_last && result != G_CONVERTER_FINISHED)) {
    gsize n_read = 0, n_written = 0;
    result = g_converter_convert (converter, in, size, buffer, sizeof buffer,
                                  is_last ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &n_read, &n_written, NULL);
    if (result == G_CONVERTER_ERROR)
      return FALSE;
    packed_append (out, buffer, n_written);
    in += n_read;
    size -= n_read;
  }
  return TRUE;
}

/* The numbers as they are, in the order of bytes that a project has. */
static void
to_words (const double *rows, gsize count, guint8 *words)
{
  for (gsize i = 0; i < count; i++) {
    guint64 word;
    memcpy (&word, &rows[i], sizeof word);
    word = GUINT64_TO_LE (word);
    memcpy (words + i * sizeof word, &word, sizeof word);
  }
}

/* FALSE: noise, which is no smaller packed. */
static gboolean
pack (const SsTrajectory *motion, gsize step, guint8 *planes, SsappPackedMotion *out)
{
  const gsize n_channels = (gsize)motion->n_channels, n_rows = (gsize)motion->n_rows;
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, LEVEL);
  gboolean ok = TRUE;

  for (gsize first = 0; ok && first < n_rows; first += step) {
    const gsize n = MIN (step, n_rows - first);
    to_planes (motion->values + first * n_channels, n, n_channels, planes);
    ss_trajectory_pass (motion, (int)first);
    ok = convert (G_CONVERTER (compressor), planes, 8 * n * n_channels, first + n == n_rows, out) &&
         out->size < n_rows * n_channels * sizeof (double);
  }
  return ok;
}

SsappPackedMotion *
ssapp_store_pack_motion (const SsTrajectory *motion)
{
  g_return_val_if_fail (motion != NULL, NULL);
  const gsize n_channels = (gsize)motion->n_channels, n_rows = (gsize)motion->n_rows, step = block_rows (n_channels);
  g_autofree guint8 *block = g_malloc (MAX (MIN (step, n_rows) * n_channels * 8, 1));
  SsappPackedMotion *out = g_new0 (SsappPackedMotion, 1);

  if (n_rows * n_channels * sizeof (double) > SSAPP_STORE_PLAIN_BYTES) {
    if (pack (motion, step, block, out))
      return out;
    ssapp_packed_motion_free (out);
    out = g_new0 (SsappPackedMotion, 1);
  }
  for (gsize first = 0; first < n_rows; first += step) {
    const gsize n = MIN (step, n_rows - first);
    to_words (motion->values + first * n_channels, n * n_channels, block);
    ss_trajectory_pass (motion, (int)first);
    packed_append (out, block, 8 * n * n_channels);
  }
  return out;
}

/* ---- unpacking --------------------------------------------------------------------------------------------------- */

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

  if (n_channels < 1 || n_rows < 0 || size >= rows * n_channels * sizeof (double)) /* not packed, or none */
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

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* zlib's level: texts are short, and the next ones take no less room. */
enum { TEXT_LEVEL = 6 };

void
ssapp_store_bind_packed (sqlite3_stmt *s, int index, const char *text)
{
  g_return_if_fail (s != NULL);
  const gsize size = text != NULL ? strlen (text) : 0;
  SsappPackedMotion out = {0};

  if (size > SSAPP_STORE_PLAIN_TEXT) {
    g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, TEXT_LEVEL);
    if (convert (G_CONVERTER (compressor), (const guint8 *)text, size, TRUE, &out) && out.size < size)
      sqlite3_bind_blob64 (s, index, out.data, out.size, SQLITE_TRANSIENT);
    else
      sqlite3_bind_text (s, index, text, -1, SQLITE_TRANSIENT);
    packed_clear (&out);
  } else {
    sqlite3_bind_text (s, index, text != NULL ? text : "", -1, SQLITE_TRANSIENT);
  }
}

/* FALSE: no zlib stream, or one of more than `most` bytes. */
static gboolean
unpack_text (const guint8 *data, gsize size, gsize most, GString *text)
{
  g_autoptr (GZlibDecompressor) decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  char buffer[OUT_BYTES];
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (result != G_CONVERTER_FINISHED && text->len <= most) {
    gsize n_read = 0, n_written = 0;
    result = g_converter_convert (G_CONVERTER (decompressor), data, size, buffer, sizeof buffer,
                                  G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
    if (result == G_CONVERTER_ERROR)
      return FALSE;
    g_string_append_len (text, buffer, (gssize)n_written);
    data += n_read;
    size -= n_read;
  }
  return text->len <= most;
}

static void
sql_unpack (sqlite3_context *context, int n, sqlite3_value **values)
{
  (void)n;
  if (sqlite3_value_type (values[0]) != SQLITE_BLOB) {
    sqlite3_result_value (context, values[0]);
    return;
  }
  const int most = sqlite3_limit (sqlite3_context_db_handle (context), SQLITE_LIMIT_LENGTH, -1);
  const void *data = sqlite3_value_blob (values[0]);
  g_autoptr (GString) text = g_string_new (NULL);

  if (unpack_text (data, (gsize)sqlite3_value_bytes (values[0]), (gsize)most, text))
    sqlite3_result_text64 (context, text->str, text->len, SQLITE_TRANSIENT, SQLITE_UTF8);
  else
    sqlite3_result_error (context, "a packed text is damaged", -1);
}

void
ssapp_store_add_unpack (sqlite3 *db)
{
  g_return_if_fail (db != NULL);
  sqlite3_create_function (db, "unpack", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL, sql_unpack,
                           NULL, NULL);
}
