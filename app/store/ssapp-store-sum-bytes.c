/* app/store/ssapp-store-sum-bytes.c: see the header. Tests: tests/cli/test-damage.sh */
#include "app/store/ssapp-store-sum-bytes.h"

#include <string.h>

/* A letter and 8 bytes, with `rest` bytes behind them, where the caller writes. */
static guint8 *
append_head (GByteArray *bytes, char letter, gint64 value, gsize rest)
{
  const guint64 word = GUINT64_TO_LE ((guint64)value);
  const guint before = bytes->len;

  g_byte_array_set_size (bytes, before + (guint)(1 + sizeof word + rest));
  bytes->data[before] = (guint8)letter;
  memcpy (bytes->data + before + 1, &word, sizeof word);
  return bytes->data + before + 1 + sizeof word;
}

void
ssapp_sum_append_integer (GByteArray *bytes, char letter, gint64 value)
{
  append_head (bytes, letter, value, 0);
}

void
ssapp_sum_append_letter (GByteArray *bytes, char letter)
{
  g_byte_array_append (bytes, (const guint8 *)&letter, 1);
}

static void
append_sized (GByteArray *bytes, char letter, const void *data, gsize size)
{
  guint8 *rest = append_head (bytes, letter, (gint64)size, size);

  if (size > 0)
    memcpy (rest, data, size);
}

void
ssapp_sum_append_text (GByteArray *bytes, const char *text)
{
  append_sized (bytes, 't', text, strlen (text));
}

static void
append_value (GByteArray *bytes, sqlite3_stmt *s, int column)
{
  double real;
  gint64 word;

  switch (sqlite3_column_type (s, column)) {
  case SQLITE_INTEGER:
    ssapp_sum_append_integer (bytes, 'i', sqlite3_column_int64 (s, column));
    break;
  case SQLITE_FLOAT:
    real = sqlite3_column_double (s, column);
    memcpy (&word, &real, sizeof word);
    ssapp_sum_append_integer (bytes, 'f', word);
    break;
  case SQLITE_TEXT: {
    const void *text = sqlite3_column_text (s, column); /* before its size */
    append_sized (bytes, 't', text, (gsize)sqlite3_column_bytes (s, column));
    break;
  }
  case SQLITE_BLOB: {
    const void *blob = sqlite3_column_blob (s, column);
    append_sized (bytes, 'b', blob, (gsize)sqlite3_column_bytes (s, column));
    break;
  }
  default:
    ssapp_sum_append_letter (bytes, 'n');
  }
}

void
ssapp_sum_begin (GByteArray *bytes, const char *of, const char *part, const char *id)
{
  g_byte_array_set_size (bytes, 0);
  ssapp_sum_append_text (bytes, of);
  ssapp_sum_append_text (bytes, part);
  ssapp_sum_append_text (bytes, id);
}

void
ssapp_sum_append_row (GByteArray *bytes, sqlite3_stmt *s, int first)
{
  ssapp_sum_append_letter (bytes, 'r');
  for (int i = first; i < sqlite3_column_count (s); i++)
    append_value (bytes, s, i);
}

void
ssapp_sum_append_columns (GByteArray *bytes, sqlite3_stmt *s, const int *places, guint n)
{
  ssapp_sum_append_letter (bytes, 'r');
  for (guint i = 0; i < n; i++)
    append_value (bytes, s, places[i]);
}

void
ssapp_sum_end (GByteArray *bytes, guint8 sum[SSAPP_SUM_SIZE])
{
  struct sha256_ctx whole;

  sha256_init (&whole);
  sha256_update (&whole, bytes->len, bytes->data);
  sha256_digest (&whole, SHA256_DIGEST_SIZE, sum);
}
