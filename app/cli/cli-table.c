/* app/cli/cli-table.c: stored runs as a table: found, sorted, with what differs; and how any verb's table leaves. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-file.h"
#include "app/base/ssapp-table.h"
#include "app/session/ssapp-asked-runs.h"
#include "app/session/ssapp-run-list.h"
#include "app/store/ssapp-store-steps.h"
#include "app/study/ssapp-ignored.h"

#include <stdio.h>
#include <string.h>

SsappTableFormat
cli_table_format (const CliArgs *args, int *status)
{
  const char *name = cli_args_text (args, "--format"), *path = cli_args_text (args, "--to");
  SsappTableFormat format = SSAPP_TABLE_TEXT, of_path = SSAPP_TABLE_TEXT;

  if (*status != CLI_OK)
    return format;
  if (path != NULL && (*status = cli_check_ending ("table", path)) == CLI_OK)
    ssapp_table_format_of_path (path, &of_path);
  if (*status != CLI_OK)
    return format;
  format = of_path;
  if (name != NULL && !ssapp_table_format_from_name (name, &format))
    *status = cli_fail ("'%s' is no format of tables (expected %s)", name, ssapp_table_format_names ());
  else if (name != NULL && path != NULL && *ssapp_ending_of (path) != '\0' && format != of_path)
    *status = cli_fail ("--format %s and the name %s say different formats", name, path);
  return format;
}

int
cli_write_table (const CliArgs *args, const SsappTable *table, SsappTableFormat format)
{
  const char *path = cli_args_text (args, "--to");
  g_autofree char *text = ssapp_table_write (table, format);
  g_autoptr (GError) error = NULL;

  if (path == NULL) {
    fputs (text, stdout);
    return CLI_OK;
  }
  if (!ssapp_write_file (path, text, -1, &error)) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  return CLI_OK;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct {
  SsMetric shown[SS_METRIC_COUNT], read[SS_METRIC_COUNT];
  guint n_shown, n_read;
} Metrics;

static void
show_too (Metrics *self, SsMetric metric)
{
  for (guint i = 0; i < self->n_shown; i++)
    if (self->shown[i] == metric)
      return;
  self->shown[self->n_shown++] = metric;
}

static void
read_too (Metrics *self, SsMetric metric)
{
  for (guint i = 0; i < self->n_read; i++)
    if (self->read[i] == metric)
      return;
  if (metric < SS_METRIC_COUNT)
    self->read[self->n_read++] = metric;
}

/* Metrics that are asked for, and those that order and filter need. */
static gboolean
choose_metrics (const CliArgs *args, Metrics *self, GError **error)
{
  const char *asked = cli_args_text (args, "--metrics"), *sort = cli_args_text (args, "--sort"),
             *filter = cli_args_text (args, "--filter");
  g_auto (GStrv) names = g_strsplit (asked != NULL ? asked : "", ",", -1);
  g_auto (GStrv) columns = ssapp_table_split_columns (cli_args_text (args, "--columns"));
  SsMetric metric;

  for (guint i = 0; asked == NULL && i < ssapp_run_n_usual_metrics (); i++)
    self->shown[self->n_shown++] = ssapp_run_usual_metrics[i];
  for (int i = 0; names[i] != NULL; i++) {
    const char *name = g_strstrip (names[i]);
    if (*name == '\0')
      continue;
    if (ssapp_run_column_kind_of (name, &metric) != SSAPP_RUN_COLUMN_METRIC) {
      const char *nearest = ssapp_run_column_suggest (name);
      g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_UNKNOWN,
                   "there is no metric '%s'%s%s (`methods --metrics` lists them)", name,
                   nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "");
      return FALSE;
    }
    show_too (self, metric);
  }
  for (int i = 0; columns[i] != NULL; i++)
    if (ssapp_run_column_kind_of (columns[i], &metric) == SSAPP_RUN_COLUMN_METRIC)
      show_too (self, metric);
  for (guint i = 0; i < self->n_shown; i++)
    read_too (self, self->shown[i]);
  if (sort != NULL && ssapp_run_column_kind_of (sort, &metric) == SSAPP_RUN_COLUMN_METRIC)
    read_too (self, metric);
  g_autoptr (GPtrArray) terms = ssapp_run_filter_parse (filter != NULL ? filter : "", error);
  for (guint i = 0; terms != NULL && i < terms->len; i++) {
    const SsappRunTerm *term = g_ptr_array_index (terms, i);
    if (term->name != NULL && term->kind == SSAPP_RUN_COLUMN_METRIC)
      read_too (self, term->metric);
  }
  return terms != NULL;
}

/* The runs that are named, in the order of the list; all without names or with `all`. FALSE with an error. */
static gboolean
keep_named (const CliArgs *args, SsappStore *store, GPtrArray *rows, GError **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const int n = cli_args_name_all (args) ? 0 : cli_args_n_positional (args);

  for (int i = 0; i < n; i++) {
    SsappRunRow *row = ssapp_store_get_run (store, cli_args_positional (args, i), error);
    if (row == NULL)
      return FALSE;
    g_hash_table_add (ids, g_strdup (row->id));
    ssapp_run_row_free (row);
  }
  for (guint i = rows->len; n > 0 && i > 0; i--)
    if (!g_hash_table_contains (ids, ((const SsappRunRow *)g_ptr_array_index (rows, i - 1))->id))
      g_ptr_array_remove_index (rows, i - 1);
  return TRUE;
}

/* `with_steps`: also what runs were asked for, which tells problems apart. */
static SsappRunList *
read_list (const CliArgs *args, SsappStore *store, const Metrics *metrics, const SsappInterests *interests,
           gboolean with_steps, char **lack, GError **error)
{
  const char *filter = cli_args_text (args, "--filter"), *sort = cli_args_text (args, "--sort");
  g_autoptr (GPtrArray) rows = ssapp_store_list_runs (store, metrics->read, (int)metrics->n_read, error);
  SsappRunColumn column;

  if (rows == NULL || !keep_named (args, store, rows, error) ||
      !ssapp_interests_ask_runs (interests, rows, store, lack, error))
    return NULL;
  g_autoptr (SsappRunList) list = ssapp_run_list_new (g_steal_pointer (&rows));
  GHashTable *steps = with_steps ? ssapp_store_list_steps (store, error) : NULL;
  if (with_steps && steps == NULL)
    return NULL;
  ssapp_run_list_set_steps (list, steps);
  GHashTable *studies = ssapp_store_list_run_studies (store, error);
  if (studies == NULL)
    return NULL;
  ssapp_run_list_set_studies (list, studies);
  if (filter != NULL && !ssapp_run_list_filter (list, filter, error))
    return NULL;
  if (sort != NULL) {
    if (!ssapp_run_list_find_column (list, sort, &column, error))
      return NULL;
    ssapp_run_list_sort (list, &column, cli_args_flag (args, "--descending"));
  }
  return g_steal_pointer (&list);
}

/* Of the runs that are shown. */
static void
add_ignored (SsappTable *table, SsappRunList *list, SsappStore *store)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  for (guint i = 0; i < ssapp_run_list_get_n_shown (list); i++)
    g_ptr_array_add (rows, (gpointer)ssapp_run_list_get_row (list, ssapp_run_list_get_shown (list, i)));
  ssapp_ignored_add_notes (table, rows, ssapp_run_list_get_studies (list), store);
}

int
cli_table (const CliArgs *args)
{
  g_autoptr (GError) error = NULL;
  Metrics metrics = {0};
  int status = cli_check_output (args, "--to");
  const SsappTableFormat format = cli_table_format (args, &status);

  if (status != CLI_OK)
    return status;
  if (cli_args_text (args, "--project") == NULL)
    return cli_fail ("'table' needs --project FILE");
  g_autoptr (SsappInterests) interests = cli_interests (args, &status);
  if (interests == NULL)
    return status;
  if (!choose_metrics (args, &metrics, &error))
    return cli_fail ("%s", error->message);
  SsappStore *store = cli_open_project (args, FALSE, &status);
  if (store == NULL)
    return status;
  g_autofree char *lack = NULL;
  /* A paper's table names no runs. */
  const gboolean with_ids = format != SSAPP_TABLE_MARKDOWN && format != SSAPP_TABLE_LATEX;
  g_autoptr (SsappRunList) list = read_list (args, store, &metrics, interests, !with_ids, &lack, &error);
  if (list == NULL)
    status = cli_fail ("%s", error->message);
  else {
    const char *columns = cli_args_text (args, "--columns");
    if (columns != NULL)
      ssapp_run_list_want (list, columns);
    const guint n = ssapp_run_list_known_metrics (list, metrics.shown, metrics.n_shown);
    g_autoptr (SsappTable) table =
        ssapp_run_list_to_table (list, "Runs", metrics.shown, n, cli_args_flag (args, "--only-differs"), with_ids);
    if (lack != NULL)
      ssapp_table_add_note (table, lack);
    add_ignored (table, list, store);
    ssapp_table_set_long (table, cli_args_flag (args, "--long"));
    if (columns != NULL && !ssapp_table_choose_columns (table, columns, &error))
      status = cli_fail ("option --columns: %s", error->message);
    else
      status = cli_write_table (args, table, format);
  }
  const int closed = cli_close_project (&store);
  return status != CLI_OK ? status : closed;
}
