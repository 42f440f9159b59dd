/* app/cli/cli-marks.c: verbs that mark what a project holds: tag, note, delete. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-text.h"
#include "app/store/ssapp-store-study.h"

#include <stdio.h>
#include <string.h>

/* Changes one run, and returns what is to be told of it (g_free); NULL with an error. */
typedef char *(*Mark) (SsappStore *store, const SsappRunRow *row, const CliArgs *args, GError **error);

/* Opens the project of --project for writing; NULL with the exit status. */
static SsappStore *
open_to_mark (const CliArgs *args, int *status)
{
  SsappStore *store = NULL;

  if (cli_args_text (args, "--project") == NULL)
    *status = cli_fail ("'%s' needs --project FILE", cli_args_verb (args)->name);
  else
    store = cli_open_project (args, FALSE, status);
  if (store != NULL)
    *status = cli_require_writable (&store);
  return store;
}

/* Of SsappRunRow: all runs that are named, and those of --study; NULL with an error where there is one that is not. */
static GPtrArray *
read_named (SsappStore *store, const CliArgs *args, GError **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);

  g_auto (GStrv) ids = cli_run_ids (args, store, error);

  if (ids == NULL)
    return NULL;
  for (int i = 0; ids[i] != NULL; i++) {
    SsappRunRow *row = ssapp_store_get_run (store, ids[i], error);
    if (row == NULL)
      return NULL;
    g_ptr_array_add (rows, row);
  }
  return g_steal_pointer (&rows);
}

static int
mark_rows (SsappStore *store, GPtrArray *rows, const CliArgs *args, Mark mark)
{
  for (guint i = 0; i < rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (rows, i);
    g_autoptr (GError) error = NULL;
    g_autofree char *told = mark (store, row, args, &error);

    if (told == NULL)
      return cli_fail ("%s", error->message);
    if (!cli_args_flag (args, "--quiet")) {
      g_autofree char *id = ssapp_text_visible (row->id, FALSE), *shown = ssapp_text_visible (told, FALSE);
      printf ("%s: %s\n", id, shown);
    }
  }
  return CLI_OK;
}

/* Nothing is written where a run is not there. */
static int
mark_runs (const CliArgs *args, Mark mark)
{
  int status = CLI_OK;
  SsappStore *store = open_to_mark (args, &status);

  if (store == NULL || status != CLI_OK)
    return status;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = read_named (store, args, &error);
  status = rows != NULL ? mark_rows (store, rows, args, mark) : cli_fail ("%s", error->message);
  const int closed = cli_close_project (&store);
  return status != CLI_OK ? status : closed;
}

/* ---- tag, note --------------------------------------------------------------------------------------------------- */

static char *
tag (SsappStore *store, const SsappRunRow *row, const CliArgs *args, GError **error)
{
  const char *given = cli_args_text (args, "--tags"), *more = cli_args_text (args, "--add");
  g_autofree char *tags = g_strconcat (given != NULL ? given : row->tags, ",", more, NULL);

  if (!ssapp_store_set_tags (store, row->id, tags, error))
    return NULL;
  SsappRunRow *now = ssapp_store_get_run (store, row->id, error);
  char *told = now == NULL ? NULL : *now->tags != '\0' ? g_strdup (now->tags) : g_strdup ("no tags");
  ssapp_run_row_free (now);
  return told;
}

int
cli_tag (const CliArgs *args)
{
  if (cli_args_text (args, "--tags") == NULL && cli_args_text (args, "--add") == NULL)
    return cli_fail ("'tag' needs --tags A,B or --add A,B");
  return mark_runs (args, tag);
}

static char *
note (SsappStore *store, const SsappRunRow *row, const CliArgs *args, GError **error)
{
  const char *text = cli_args_text (args, "--text");

  if (!ssapp_store_set_note (store, row->id, text, error))
    return NULL;
  return g_strdup (*text != '\0' ? text : "no note");
}

int
cli_note (const CliArgs *args)
{
  if (cli_args_text (args, "--text") == NULL)
    return cli_fail ("'note' needs --text TEXT; an empty one takes the note away");
  return mark_runs (args, note);
}

/* ---- delete ------------------------------------------------------------------------------------------------------ */

static char *
delete_run (SsappStore *store, const SsappRunRow *row, const CliArgs *args, GError **error)
{
  const gboolean is_back = cli_args_flag (args, "--undo");

  const gboolean ok =
      is_back ? ssapp_store_undelete_run (store, row->id, error) : ssapp_store_delete_run (store, row->id, error);

  if (!ok)
    return NULL;
  return g_strdup (is_back ? "is back" : "deleted");
}

/* The study of that name or id, of --study. */
static char *
delete_study (SsappStore *store, const char *name, gboolean is_back, GError **error)
{
  SsappStudyRow *row = is_back ? NULL : ssapp_store_get_study (store, name, error);
  g_autofree char *id = row != NULL ? g_strdup (row->id) : is_back ? g_strdup (name) : NULL;

  ssapp_study_row_free (row);
  if (id == NULL)
    return NULL;
  if (!(is_back ? ssapp_store_undelete_study (store, id, error) : ssapp_store_delete_study (store, id, error)))
    return NULL;
  return g_strdup_printf ("study %s: %s", id, is_back ? "is back" : "deleted; its runs stay");
}

int
cli_delete (const CliArgs *args)
{
  const char *study = cli_args_text (args, "--study");
  int status = CLI_OK;

  if ((study != NULL) == (cli_args_n_positional (args) > 0))
    return cli_fail ("'delete' needs RUN... or --study STUDY");
  if (study == NULL)
    return mark_runs (args, delete_run);
  SsappStore *store = open_to_mark (args, &status);
  if (store == NULL || status != CLI_OK)
    return status;
  g_autoptr (GError) error = NULL;
  g_autofree char *told = delete_study (store, study, cli_args_flag (args, "--undo"), &error);
  if (told == NULL)
    status = cli_fail ("%s", error->message);
  else if (!cli_args_flag (args, "--quiet"))
    printf ("%s\n", told);
  const int closed = cli_close_project (&store);
  return status != CLI_OK ? status : closed;
}
