/* app/base/ssapp-json.c: see ssapp-json.h. */
#include "app/base/ssapp-json.h"

#include <math.h>
#include <string.h>

json_t *
ssapp_json_real (double value)
{
  return isfinite (value) ? json_real (value) : json_null ();
}

static json_t *
text_to_json (const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  return json_string (valid);
}

void
ssapp_json_add_options (json_t *object, const SsOptionTable *table, const void *options)
{
  g_return_if_fail (object != NULL && (options == NULL || table != NULL));
  for (int i = 0; options != NULL && i < table->n_specs; i++) {
    const SsOptionSpec *spec = &table->specs[i];
    const double value = ss_options_get (table, options, i);
    char word[SS_OPTION_TEXT_MAX];
    switch (spec->type) {
    case SS_OPTION_REAL:
      json_object_set_new (object, spec->name, ssapp_json_real (value));
      break;
    case SS_OPTION_INTEGER:
      json_object_set_new (object, spec->name, isfinite (value) ? json_integer ((json_int_t)value) : json_null ());
      break;
    case SS_OPTION_BOOLEAN:
      json_object_set_new (object, spec->name, json_boolean (value != 0));
      break;
    case SS_OPTION_CHOICE:
    case SS_OPTION_TEXT:
      ss_options_format (table, options, i, word, sizeof word);
      json_object_set_new (object, spec->name, text_to_json (word));
      break;
    }
  }
}

json_t *
ssapp_json_reals (const double *values, int n)
{
  g_return_val_if_fail ((values != NULL || n == 0) && n >= 0, NULL);

  json_t *list = json_array ();

  for (int i = 0; i < n; i++)
    json_array_append_new (list, ssapp_json_real (values[i]));
  return list;
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
  g_return_val_if_fail (trajectory != NULL, NULL);
  json_t *names = json_array ();

  for (int i = 0; i < trajectory->n_channels; i++)
    json_array_append_new (names, json_string (trajectory->channels[i].name));
  return names;
}

json_t *
ssapp_json_channel_records (const SsTrajectory *trajectory)
{
  g_return_val_if_fail (trajectory != NULL, NULL);
  json_t *records = json_array ();

  for (int i = 0; i < trajectory->n_channels; i++) {
    const SsChannel *channel = &trajectory->channels[i];
    json_array_append_new (records, json_pack ("{s:s, s:s, s:s, s:s, s:s, s:b}", "name", channel->name, "quantity",
                                               ss_quantity_name (channel->quantity), "unit", channel->unit, "owner",
                                               ss_owner_name (channel->owner), "of", channel->owner_name, "state",
                                               (int)channel->is_state));
  }
  return records;
}

const json_t *
ssapp_json_get_channels (const json_t *object)
{
  const json_t *names = json_object_get (object, "channels"), *records = json_object_get (object, "channel_records");

  return json_is_array (records) && json_array_size (records) == json_array_size (names) ? records : names;
}

/* A record, or the name alone; texts are borrowed. FALSE when it is neither. */
static gboolean
channel_from_json (const json_t *item, SsChannel *channel)
{
  const char *name = json_is_object (item) ? ssapp_json_get_string (item, "name") : json_string_value (item);
  const char *quantity = ssapp_json_get_string (item, "quantity"), *unit = ssapp_json_get_string (item, "unit");
  const char *owner = ssapp_json_get_string (item, "owner"), *of = ssapp_json_get_string (item, "of");

  if (name == NULL)
    return FALSE;
  *channel = ss_channel_named (name);
  if (quantity != NULL)
    channel->quantity = ss_quantity_find (quantity);
  if (unit != NULL)
    channel->unit = unit;
  if (owner != NULL)
    channel->owner = ss_owner_find (owner);
  if (of != NULL)
    channel->owner_name = of;
  channel->is_state = json_is_true (json_object_get (item, "state"));
  return TRUE;
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
copy_doubles (const double *values, gsize n)
{
  guint64 *words = g_new (guint64, MAX (n, 1));

  if (n > 0)
    memcpy (words, values, n * sizeof (double));
  swap_to_little_endian (words, n);
  return words;
}

static const double *
rows_from (const SsTrajectory *trajectory, int first)
{
  return trajectory->values + (gsize)first * (gsize)trajectory->n_channels;
}

char *
ssapp_base64_doubles (const double *values, gsize n)
{
  guint64 *words = copy_doubles (values, n);
  char *text = g_base64_encode ((const guchar *)words, n * sizeof (double));

  g_free (words);
  return text;
}

gboolean
ssapp_base64_read_doubles (const char *text, double *values, gsize n)
{
  gsize size = 0;
  guchar *bytes = text != NULL ? g_base64_decode (text, &size) : NULL;
  const gboolean fits = bytes != NULL && size == n * sizeof (double);

  if (fits && n > 0)
    memcpy (values, bytes, size);
  if (fits)
    swap_to_little_endian ((guint64 *)(void *)values, n);
  g_free (bytes);
  return fits;
}

char *
ssapp_base64_rows (const SsTrajectory *trajectory, int first, int count)
{
  g_return_val_if_fail (trajectory != NULL, NULL);
  return ssapp_base64_doubles (rows_from (trajectory, first), (gsize)count * (gsize)trajectory->n_channels);
}

GBytes *
ssapp_trajectory_to_bytes (const SsTrajectory *trajectory)
{
  g_return_val_if_fail (trajectory != NULL, NULL);
  const gsize n = (gsize)trajectory->n_rows * (gsize)trajectory->n_channels;

  return g_bytes_new_take (copy_doubles (rows_from (trajectory, 0), n), n * sizeof (double));
}

SsTrajectory *
ssapp_trajectory_from_bytes (const json_t *channels, int n_rows, const void *data, size_t size)
{
  int n_channels = (int)json_array_size (channels);
  SsTrajectory *trajectory = NULL;

  if (n_channels < 1 || n_rows < 0 || size != (size_t)n_rows * (size_t)n_channels * sizeof (double))
    return NULL;
  SsChannel *records = g_new0 (SsChannel, n_channels);
  gboolean are_good = TRUE;
  for (int i = 0; i < n_channels; i++)
    are_good = are_good && channel_from_json (json_array_get (channels, (size_t)i), &records[i]);
  if (are_good && ss_trajectory_new (records, n_channels, MAX (n_rows, 1), &trajectory, NULL) == SS_OK && n_rows > 0) {
    memcpy (trajectory->values, data, size); /* the rows were reserved above */
    swap_to_little_endian ((guint64 *)(void *)trajectory->values, size / sizeof (double));
    trajectory->n_rows = n_rows;
  }
  g_free (records);
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
