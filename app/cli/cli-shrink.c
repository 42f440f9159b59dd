/* app/cli/cli-shrink.c: the runs that a verb is told of by names and --study, and `shrink`, which leaves less of their
 * motions. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-text.h"
#include "app/store/ssapp-store-compact.h"
#include "app/store/ssapp-store-shrink.h"
#include "app/store/ssapp-store-study.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* Runs that answer the study's tasks, oldest first. */
static gboolean
add_study (GPtrArray *ids, SsappStore *store, const char *name, GError **error)
{
  SsappStudyRow *study = ssapp_store_get_study (store, name, error);
  g_autoptr (GHashTable) runs = study != NULL ? ssapp_store_list_study_runs (store, study->id, error) : NULL;
  g_autoptr (GPtrArray) rows = runs != NULL ? ssapp_store_list_runs (store, NULL, 0, error) : NULL;

  ssapp_study_row_free (study);
  if (rows == NULL)
    return FALSE;
  g_autoptr (GPtrArray) wanted = ssapp_store_pick_study_rows (runs, rows);
  for (guint i = wanted->len; i > 0; i--)
    g_ptr_array_add (ids, g_strdup (((const SsappRunRow *)g_ptr_array_index (wanted, i - 1))->id));
  return TRUE;
}

char **
cli_run_ids (const CliArgs *args, SsappStore *store, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  const char *study = cli_args_text (args, "--study");

  if (study == NULL && cli_args_n_positional (args) == 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "'%s' needs RUN... or --study STUDY",
                 cli_args_verb (args)->name);
    return NULL;
  }
  for (int i = 0; i < cli_args_n_positional (args); i++) {
    SsappRunRow *row = ssapp_store_get_run (store, cli_args_positional (args, i), error);
    if (row == NULL)
      return NULL;
    g_ptr_array_add (ids, g_strdup (row->id));
    ssapp_run_row_free (row);
  }
  if (study != NULL && !add_study (ids, store, study, error))
    return NULL;
  g_ptr_array_add (ids, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&ids), FALSE);
}

/* Of the project and its journals [bytes]. */
static double
size_of (const char *path)
{
  GStatBuf info;

  return g_stat (path, &info) == 0 ? (double)info.st_size : 0;
}

int
cli_shrink (const CliArgs *args)
{
  const char *what = cli_args_text (args, "--keep"), *path = cli_args_text (args, "--project");
  const gboolean has_runs = cli_args_text (args, "--study") != NULL || cli_args_n_positional (args) > 0;
  g_autoptr (GError) error = NULL;
  SsappKeep keep = SSAPP_KEEP_METRICS;
  int status = CLI_OK;

  if ((has_runs || what != NULL) && (what == NULL || !ssapp_keep_from_name (what, &keep) || keep == SSAPP_KEEP_ALL))
    return cli_fail ("'shrink' needs --keep thinned or --keep metrics with runs");
  if (path == NULL)
    return cli_fail ("'shrink' needs --project FILE");
  const double before = size_of (path);
  SsappStore *store = cli_open_project (args, FALSE, &status);
  if (store == NULL)
    return status;
  if ((status = cli_require_writable (&store)) != CLI_OK)
    return status;
  /* with --keep and no runs cli_run_ids says what is lacking */
  g_auto (GStrv) ids =
      has_runs || what != NULL ? cli_run_ids (args, store, &error) : ssapp_store_list_deleted (store, &error);
  if (ids == NULL || !ssapp_store_shrink_runs (store, (const char *const *)ids, keep, &error))
    status = cli_fail ("%s", error->message);
  const int closed = cli_close_project (&store);
  if (status == CLI_OK && closed == CLI_OK && !cli_args_flag (args, "--quiet"))
    printf ("%u runs: %s had %.2f MB, has %.2f MB\n", g_strv_length (ids), path, before / 1e6, size_of (path) / 1e6);
  return status != CLI_OK ? status : closed;
}
