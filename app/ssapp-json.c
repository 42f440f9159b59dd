/* app/ssapp-json.c: see ssapp-json.h. */
#include "app/ssapp-json.h"

#include <math.h>
#include <string.h>

json_t *
ssapp_json_real (double value)
{
  return isfinite (value) ? json_real (value) : json_null ();
}

char *
ssapp_json_text (const json_t *json, gboolean indented)
{
  size_t flags = indented ? JSON_REAL_PRECISION (17) | JSON_INDENT (2) : SSAPP_JSON_FLAGS;
  char *text = json_dumps (json, flags | JSON_ENCODE_ANY);
  char *copy = g_strdup (text != NULL ? text : "null");

  free (text);
  return copy;
}

double
ssapp_json_get_real (const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);

  return json_is_number (value) ? json_number_value (value) : NAN;
}

const char *
ssapp_json_get_string (const json_t *object, const char *key)
{
  return json_string_value (json_object_get (object, key));
}

json_t *
ssapp_json_channels (const SsTrajectory *trajectory)
{
  json_t *names = json_array ();

  for (int i = 0; i < trajectory->n_channels; i++)
    json_array_append_new (names, json_string (trajectory->channels[i]));
  return names;
}

/* Little-endian bytes of doubles, and back: the same on every machine. */
static void
swap_to_little_endian (guint64 *words, size_t count)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return;
  for (size_t i = 0; i < count; i++)
    words[i] = GUINT64_SWAP_LE_BE (words[i]);
}

static guint64 *
copy_rows (const SsTrajectory *trajectory, int first, int count, size_t *n)
{
  *n = (size_t)count * (size_t)trajectory->n_channels;
  guint64 *words = g_new (guint64, MAX (*n, 1));

  if (*n > 0)
    memcpy (words, trajectory->values + (size_t)first * (size_t)trajectory->n_channels, *n * sizeof (double));
  swap_to_little_endian (words, *n);
  return words;
}

char *
ssapp_base64_rows (const SsTrajectory *trajectory, int first, int count)
{
  size_t n;
  guint64 *words = copy_rows (trajectory, first, count, &n);
  char *text = g_base64_encode ((const guchar *)words, n * sizeof (double));

  g_free (words);
  return text;
}

GBytes *
ssapp_trajectory_to_bytes (const SsTrajectory *trajectory)
{
  size_t n;
  guint64 *words = copy_rows (trajectory, 0, trajectory->n_rows, &n);

  return g_bytes_new_take (words, n * sizeof (double));
}

SsTrajectory *
ssapp_trajectory_from_bytes (const json_t *channels, int n_rows, const void *data, size_t size)
{
  int n_channels = (int)json_array_size (channels);
  SsTrajectory *trajectory = NULL;

  if (n_channels < 1 || n_rows < 0 || size != (size_t)n_rows * (size_t)n_channels * sizeof (double))
    return NULL;
  const char **names = g_new0 (const char *, n_channels);
  gboolean all_text = TRUE;
  for (int i = 0; i < n_channels; i++) {
    names[i] = json_string_value (json_array_get (channels, (size_t)i));
    all_text = all_text && names[i] != NULL;
  }
  if (all_text && ss_trajectory_new (names, n_channels, MAX (n_rows, 1), &trajectory, NULL) == SS_OK) {
    double *row = g_new (double, n_channels);
    size_t row_size = (size_t)n_channels * sizeof (double);
    gboolean ok = TRUE;
    for (int r = 0; r < n_rows && ok; r++) {
      memcpy (row, (const char *)data + (size_t)r * row_size, row_size);
      swap_to_little_endian ((guint64 *)(void *)row, (size_t)n_channels);
      ok = ss_trajectory_append (trajectory, row, NULL) == SS_OK;
    }
    g_free (row);
    if (!ok) {
      ss_trajectory_free (trajectory);
      trajectory = NULL;
    }
  }
  g_free (names);
  return trajectory;
}

char *
ssapp_time_now (void)
{
  GDateTime *now = g_date_time_new_now_utc ();
  char *seconds = g_date_time_format (now, "%Y-%m-%dT%H:%M:%S");
  char *text = g_strdup_printf ("%s.%03dZ", seconds, g_date_time_get_microsecond (now) / 1000);

  g_free (seconds);
  g_date_time_unref (now);
  return text;
}
