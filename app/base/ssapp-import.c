/* app/base/ssapp-import.c: see the header. */
#include "app/base/ssapp-file.h"
#include "app/base/ssapp-import.h"

#include <math.h>
#include <string.h>

#define MAX_BYTES (1u << 30) /* a table that large is a mistake */

G_GNUC_PRINTF (4, 5)
static void
set_error (GError **error, const char *path, int line, const char *format, ...)
{
  va_list arguments;
  g_autofree char *text = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%d: %s", path, line, text);
}

/* Fields of a line at its commas. Names that need quotes have no commas in them: those of scenarios cannot. */
static char **
split (char *line)
{
  char **fields = g_strsplit (g_strstrip (line), ",", -1);

  for (int i = 0; fields[i] != NULL; i++) {
    gsize length = strlen (g_strstrip (fields[i]));
    if (length >= 2 && fields[i][0] == '"' && fields[i][length - 1] == '"') {
      fields[i][length - 1] = '\0';
      memmove (fields[i], fields[i] + 1, length - 1);
    }
  }
  return fields;
}

int
ssapp_import_time (const char *const *names, int n)
{
  g_return_val_if_fail ((names != NULL || n == 0) && n >= 0, -1);

  static const char *const also[] = {"time", "t [s]", "time [s]", "t (s)", "time (s)", "t_s", "time_s", NULL};

  for (int i = 0; i < n; i++)
    if (strcmp (names[i], "t") == 0)
      return i;
  for (int i = 0; i < n; i++) {
    g_autofree char *name = g_ascii_strdown (names[i], -1);
    if (g_strv_contains (also, name))
      return i;
  }
  return -1;
}

/* The order in which columns become channels: t first. */
static gboolean
order_columns (char **names, int n, int *order, const char *path, GError **error)
{
  const int time = ssapp_import_time ((const char *const *)names, n);
  int n_used = 1;

  if (time < 0) {
    set_error (error, path, 1, "there is no column t");
    return FALSE;
  }
  order[0] = time;
  for (int i = 0; i < n; i++)
    if (i != time)
      order[n_used++] = i;
  return TRUE;
}

static gboolean
add_row (SsTrajectory *trajectory, char *text, const int *order, gboolean has_gaps, const char *path, int line,
         GError **error)
{
  g_auto (GStrv) fields = split (text);
  const int n = trajectory->n_channels;
  g_autofree double *row = g_new (double, n);

  if ((int)g_strv_length (fields) != n) {
    set_error (error, path, line, "%u values (expected %d)", g_strv_length (fields), n);
    return FALSE;
  }
  for (int c = 0; c < n; c++)
    if (has_gaps && c > 0 && (fields[order[c]][0] == '\0' || g_ascii_strcasecmp (fields[order[c]], "nan") == 0)) {
      row[c] = NAN;
    } else if (!ss_parse_double (fields[order[c]], &row[c])) {
      set_error (error, path, line, "column %d (%s): '%s' is no number", order[c] + 1, trajectory->channels[c].name,
                 fields[order[c]]);
      return FALSE;
    }
  const int n_rows = trajectory->n_rows;
  if (!isfinite (row[0]) || (n_rows > 0 && row[0] < ss_trajectory_row (trajectory, n_rows - 1)[0])) {
    set_error (error, path, line, "the times must be finite and not descend, but t is %s", fields[order[0]]);
    return FALSE;
  }
  if (ss_trajectory_append (trajectory, row, NULL) != SS_OK) {
    set_error (error, path, line, "out of memory");
    return FALSE;
  }
  return TRUE;
}

const char *
ssapp_import_skip_mark (const char *text)
{
  static const char mark[] = "\xef\xbb\xbf";

  return g_str_has_prefix (text, mark) ? text + strlen (mark) : text;
}

static SsTrajectory *
read_table (const char *path, gboolean has_gaps, GError **error)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL, names = NULL;
  g_autofree int *order = NULL;
  g_autofree const char **channels = NULL;
  SsTrajectory *trajectory = NULL;
  gsize length;
  SsError err;
  int n;

  if (!ssapp_read_file (path, 0, &text, &length, error))
    return NULL;
  if (length > MAX_BYTES || memchr (text, 0, length) != NULL) {
    set_error (error, path, 1, "this is no table of numbers");
    return NULL;
  }
  lines = g_strsplit (ssapp_import_skip_mark (text), "\n", -1);
  names = lines[0] != NULL ? split (lines[0]) : NULL;
  n = names != NULL ? (int)g_strv_length (names) : 0;
  order = g_new0 (int, n + 1);
  if (!order_columns (names, n, order, path, error))
    return NULL;
  channels = g_new0 (const char *, n + 1);
  channels[0] = "t";
  for (int i = 1; i < n; i++)
    channels[i] = names[order[i]];
  if (ss_trajectory_new_named (channels, n, 256, &trajectory, &err) != SS_OK) {
    set_error (error, path, 1, "%s", err.message);
    return NULL;
  }
  for (int i = 1; lines[i] != NULL; i++)
    if (g_strstrip (lines[i])[0] != '\0' && !add_row (trajectory, lines[i], order, has_gaps, path, i + 1, error)) {
      ss_trajectory_free (trajectory);
      return NULL;
    }
  return trajectory;
}

SsTrajectory *
ssapp_import_trajectory_csv (const char *path, GError **error)
{
  return read_table (path, FALSE, error);
}

SsTrajectory *
ssapp_import_gappy_csv (const char *path, GError **error)
{
  return read_table (path, TRUE, error);
}
