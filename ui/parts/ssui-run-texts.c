/* ui/parts/ssui-run-texts.c: see the header. */
#include "ui/parts/ssui-run-texts.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

char *
ssui_run_started_text (const char *started)
{
  g_autoptr (GDateTime) utc = started != NULL ? g_date_time_new_from_iso8601 (started, NULL) : NULL;
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;
  return local != NULL ? g_date_time_format (local, "%e %b, %H:%M:%S") : g_strdup (started != NULL ? started : "");
}

static char *
cell_text (SsappRunList *list, guint row, const SsappRunColumn *column)
{
  if (column->kind == SSAPP_RUN_COLUMN_STARTED)
    return ssui_run_started_text (ssapp_run_list_get_row (list, row)->started);
  if (column->kind == SSAPP_RUN_COLUMN_METRIC)
    return ssui_metric (column->metric, ssapp_run_list_get_number (list, row, column));
  return ssapp_run_list_dup_text (list, row, column);
}

char *
ssui_run_line_text (SsappRunList *list, SsappRunLine line, const SsappRunColumn *column)
{
  if (line.row != SSAPP_RUN_LIST_HEAD)
    return cell_text (list, line.row, column);
  if (column->kind != SSAPP_RUN_COLUMN_METHOD)
    return g_strdup (ssapp_run_list_get_group_text (list, line.group, column));
  const guint n = ssapp_run_list_get_group_rows (list, line.group)->len;
  return g_strdup_printf (ngettext ("%s %s, %u run", "%s %s, %u runs", n),
                          ssapp_run_list_is_open (list, line.group) ? "▾" : "▸",
                          ssapp_run_list_get_group_title (list, line.group), n);
}
