/* app/export/ssapp-pack.c: see the header. */
#include "app/export/ssapp-pack.h"

#include <math.h>

static const double MOST_LEVELS = 35184372088832.; /* 2^45: differences of second order have two bits more */
enum { N_ORDERS = 3, DEFLATE_LEVEL = 9 };

/* ---- a column ---------------------------------------------------------------------------------------------------- */

static gint64
difference (const gint64 *q, gsize k, int order, gint64 first)
{
  const gint64 one = k > 0 ? q[k - 1] : first, two = k > 1 ? q[k - 2] : first;

  return order == 0 ? q[k] : order == 1 ? q[k] - one : q[k] - 2 * one + two;
}

static guint64
folded (gint64 r)
{
  return r < 0 ? 2 * (guint64)(-(r + 1)) + 1 : 2 * (guint64)r;
}

static int
n_bits (guint64 value)
{
  return value == 0 ? 0 : 64 - __builtin_clzll (value);
}

/* The order whose differences have the fewest bits, and the bytes that its largest one takes. */
static void
choose_order (const gint64 *q, gsize n, SsappPacked *about)
{
  guint64 least = G_MAXUINT64;

  for (int order = 0; order < N_ORDERS; order++) {
    guint64 sum = 0, largest = 0;
    for (gsize k = 0; k < n; k++) {
      const guint64 code = folded (difference (q, k, order, about->first));
      sum += (guint64)n_bits (code);
      largest = MAX (largest, code);
    }
    if (sum >= least)
      continue;
    least = sum;
    about->order = order;
    about->n_bytes = (n_bits (largest) + 7) / 8;
  }
}

SsappPacked
ssapp_pack_column (const double *values, gsize n, double step, GByteArray *out)
{
  SsappPacked about = {.least = NAN};
  double most = NAN;

  for (gsize k = 0; k < n; k++)
    if (isfinite (values[k])) {
      about.least = fmin (about.least, values[k]);
      most = fmax (most, values[k]);
    } else
      about.has_gaps = TRUE;
  if (isnan (about.least))
    about.least = most = 0; /* nothing but gaps */
  if (!about.has_gaps && most == about.least)
    return about;
  about.step = fmax (step, (most - about.least) / MOST_LEVELS);

  g_autofree gint64 *q = g_new (gint64, MAX (n, 1));
  for (gsize k = 0; k < n; k++)
    q[k] = isfinite (values[k]) ? llround ((values[k] - about.least) / about.step) + about.has_gaps : 0;
  about.first = q[0];
  choose_order (q, n, &about);
  for (int b = 0; b < about.n_bytes; b++)
    for (gsize k = 0; k < n; k++) {
      const guint8 byte = (guint8)(folded (difference (q, k, about.order, about.first)) >> (8 * b));
      g_byte_array_append (out, &byte, 1);
    }
  return about;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

GByteArray *
ssapp_deflate (const guint8 *bytes, gsize n, GError **error)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, DEFLATE_LEVEL);
  g_autoptr (GByteArray) out = g_byte_array_new ();
  guint8 piece[16384];
  gsize done = 0;

  for (GConverterResult result = G_CONVERTER_CONVERTED; result != G_CONVERTER_FINISHED;) {
    gsize n_read = 0, n_written = 0;
    result = g_converter_convert (G_CONVERTER (compressor), bytes + done, n - done, piece, sizeof piece,
                                  G_CONVERTER_INPUT_AT_END, &n_read, &n_written, error);
    if (result == G_CONVERTER_ERROR)
      return NULL;
    done += n_read;
    g_byte_array_append (out, piece, (guint)n_written);
  }
  return g_steal_pointer (&out);
}
