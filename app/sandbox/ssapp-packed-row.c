/* app/sandbox/ssapp-packed-row.c: see the header. */
#include "app/sandbox/ssapp-packed-row.h"

#include <string.h>

void
ssapp_packed_row_free (SsappPackedRow *packed)
{
  if (packed == NULL)
    return;
  g_clear_pointer (&packed->stages, g_ptr_array_unref);
  g_clear_pointer (&packed->events, g_array_unref);
  g_free (packed->words);
  g_free (packed);
}

SsappPackedRow *
ssapp_packed_row_new (const double *row, int n)
{
  const int n_masks = (n + 63) / 64;
  guint64 *words = g_new0 (guint64, (gsize)n_masks + (gsize)n);
  SsappPackedRow *packed = g_new0 (SsappPackedRow, 1);
  int used = n_masks;

  for (int i = 0; i < n; i++) {
    guint64 bits;
    memcpy (&bits, row + i, sizeof bits);
    if (bits == 0)
      continue;
    words[i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
    words[used++] = bits;
  }
  packed->t = row[0];
  packed->n_masks = n_masks;
  packed->size = (gsize)used * sizeof *words;
  packed->full_size = (gsize)n * sizeof *row;
  packed->words = g_realloc (words, (gsize)used * sizeof *words);
  return packed;
}

void
ssapp_packed_row_unpack (const SsappPackedRow *packed, double *row, int n)
{
  g_return_if_fail (packed != NULL);
  int used = (n + 63) / 64;

  for (int i = 0; i < n; i++) {
    row[i] = 0;
    if (packed->words[i / 64] >> (i % 64) & 1)
      memcpy (row + i, &packed->words[used++], sizeof *row);
  }
}

void
ssapp_packed_row_pick (const SsappPackedRow *packed, const int *places, int n_places, double *values)
{
  g_return_if_fail (packed != NULL && (places != NULL || n_places == 0));
  const guint64 one = 1;
  int word = 0, before = 0; /* values that are not +0 in the words before that one */

  for (int i = 0; i < n_places; i++) {
    for (; word < places[i] / 64; word++)
      before += __builtin_popcountll (packed->words[word]);
    const guint64 mask = one << (places[i] % 64);
    values[i] = 0;
    if (packed->words[word] & mask)
      memcpy (values + i,
              &packed->words[packed->n_masks + before + __builtin_popcountll (packed->words[word] & (mask - 1))],
              sizeof *values);
  }
}
