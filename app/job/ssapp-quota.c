/* app/job/ssapp-quota.c: see the header. */
#include "app/job/ssapp-quota.h"

#include <string.h>

/* What a reader grants beyond: the notices of the process whose events it reads. */
enum { READER_LINES = 10, READER_BYTES = 10000 };

void
ssapp_quota_init (SsappQuota *quota, gboolean is_reader)
{
  *quota = (SsappQuota){.is_reader = is_reader, .warnings = g_ptr_array_new_with_free_func (g_free)};
}

void
ssapp_quota_clear (SsappQuota *quota)
{
  g_clear_pointer (&quota->warnings, g_ptr_array_unref);
}

static void
note_warning (SsappQuota *quota, const char *text)
{
  if (g_ptr_array_find_with_equal_func (quota->warnings, text, g_str_equal, NULL))
    return;
  if (quota->warnings->len < SSAPP_WARNINGS_MAX)
    g_ptr_array_add (quota->warnings, g_strdup (text));
  else
    quota->warnings_out++;
}

gboolean
ssapp_quota_take_line (SsappQuota *quota, SsLogLevel level, const char *text)
{
  g_return_val_if_fail (quota != NULL, FALSE);
  const gsize bytes = strlen (text);
  const guint64 lines_max = SSAPP_LOG_LINES_MAX + (quota->is_reader ? READER_LINES : 0);
  const guint64 bytes_max = SSAPP_LOG_BYTES_MAX + (quota->is_reader ? READER_BYTES : 0);

  if (level == SS_LOG_WARNING)
    note_warning (quota, text);
  if (quota->lines >= lines_max || quota->line_bytes + bytes > bytes_max) {
    quota->lines_out++;
    return FALSE;
  }
  quota->lines++;
  quota->line_bytes += bytes;
  return TRUE;
}

/* Whether number `n` is one of those that stay: all up to `complete`, then every tenth up to ten times as many, ... */
static gboolean
stays (guint64 n, guint64 complete)
{
  guint64 stride = 1;

  for (guint64 end = complete; n >= end && end < G_MAXINT; end *= 10)
    stride *= 10;
  return n % stride == 0;
}

gboolean
ssapp_quota_take_row (SsappQuota *quota, int iteration, gsize bytes)
{
  g_return_val_if_fail (quota != NULL, FALSE);
  if (iteration < 0 || !stays ((guint64)iteration, SSAPP_ROWS_COMPLETE) || quota->rows >= SSAPP_ROWS_MAX ||
      quota->row_bytes + bytes > SSAPP_ROW_BYTES_MAX) {
    quota->rows_out++;
    return FALSE;
  }
  quota->rows++;
  quota->row_bytes += bytes;
  return TRUE;
}

void
ssapp_quota_return_row (SsappQuota *quota)
{
  g_return_if_fail (quota->rows_out > 0);
  quota->rows_out--;
}

gboolean
ssapp_quota_take_iterate (SsappQuota *quota, gsize bytes)
{
  const guint64 number = quota->iterates++;

  /* A reader counts what has been thinned already. */
  if ((!quota->is_reader && !stays (number, SSAPP_ITERATES_COMPLETE)) ||
      (quota->is_reader && number >= SSAPP_ROWS_MAX) || quota->iterate_bytes + bytes > SSAPP_ITERATE_BYTES_MAX) {
    quota->iterates_out++;
    return FALSE;
  }
  quota->iterate_bytes += bytes;
  return TRUE;
}

GPtrArray *
ssapp_quota_notices (const SsappQuota *quota)
{
  g_return_val_if_fail (quota != NULL, NULL);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  if (quota->lines_out > 0)
    g_ptr_array_add (list,
                     g_strdup_printf ("%" G_GUINT64_FORMAT " lines of the log were left out: a run keeps %d lines "
                                      "and %g MB",
                                      quota->lines_out, SSAPP_LOG_LINES_MAX, SSAPP_LOG_BYTES_MAX / 1e6));
  if (quota->rows_out > 0)
    g_ptr_array_add (list, g_strdup_printf ("%" G_GUINT64_FORMAT
                                            " rows of the iterations were left out: a run keeps all up to iteration "
                                            "%d, then fewer and fewer, and %g MB",
                                            quota->rows_out, SSAPP_ROWS_COMPLETE, SSAPP_ROW_BYTES_MAX / 1e6));
  if (quota->iterates_out > 0)
    g_ptr_array_add (list,
                     g_strdup_printf ("%" G_GUINT64_FORMAT
                                      " iterates were left out: a run keeps the first %d, then fewer and fewer, "
                                      "and %g MB",
                                      quota->iterates_out, SSAPP_ITERATES_COMPLETE, SSAPP_ITERATE_BYTES_MAX / 1e6));
  return list;
}

static void
append_texts (json_t *list, GPtrArray *texts)
{
  for (guint i = 0; texts != NULL && i < texts->len; i++) {
    g_autofree char *valid = g_utf8_make_valid (g_ptr_array_index (texts, i), -1);
    json_array_append_new (list, json_string (valid));
  }
}

json_t *
ssapp_quota_warnings (const SsappQuota *quota, const json_t *given, GPtrArray *more)
{
  g_return_val_if_fail (quota != NULL, NULL);
  json_t *list = json_array (), *text;
  g_autoptr (GPtrArray) notices = ssapp_quota_notices (quota);
  guint64 n_out = json_is_array (given) ? 0 : quota->warnings_out;
  size_t i;

  json_array_foreach ((json_t *)given, i, text)
  {
    if (json_is_string (text))
      json_array_append (list, text);
  }
  if (!json_is_array (given))
    append_texts (list, quota->warnings);
  append_texts (list, more);
  /* The last places are for what is said of the others. */
  if (json_array_size (list) + notices->len > SSAPP_WARNINGS_MAX || n_out > 0) {
    const size_t keep = SSAPP_WARNINGS_MAX - notices->len - 1;
    while (json_array_size (list) > keep) {
      json_array_remove (list, json_array_size (list) - 1);
      n_out++;
    }
    g_ptr_array_insert (notices, 0,
                        g_strdup_printf ("%" G_GUINT64_FORMAT " further warnings are in the log alone", n_out));
  }
  append_texts (list, notices);
  return list;
}
