/* app/cli/cli-sketch.c: sketches of a project: `list --sketches`, `show` of one, the verb `add`. */
#include "app/cli/cli-sketch.h"

#include "app/base/ssapp-text.h"
#include "app/cli/cli-common.h"

#include <stdio.h>
#include <string.h>

static json_t *
row_to_json (const SsappSketchRow *row)
{
  return json_pack ("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I}", "id", row->id, "name", row->name, "title", row->title,
                    "description", row->description, "sha256", row->sha256, "created", row->created, "changed",
                    row->changed, "runs", (json_int_t)row->n_runs);
}

int
cli_list_sketches (const CliArgs *args, const char *project)
{
  g_autoptr (GError) error = NULL;
  SsappStore *store = ssapp_store_open (project, FALSE, &error);
  g_autoptr (GPtrArray) rows = store != NULL ? ssapp_store_list_sketches (store, &error) : NULL;
  g_autoptr (GPtrArray) runs = rows != NULL ? ssapp_store_list_runs (store, NULL, 0, &error) : NULL;

  g_clear_object (&store);
  if (runs == NULL)
    return cli_fail ("%s", error->message);
  for (guint i = 0; i < runs->len; i++) /* they may be runs of another sketch than it seems */
    if (((const SsappRunRow *)g_ptr_array_index (runs, i))->damage != NULL) {
      cli_fail ("runs of this project are damaged (list --check): the numbers of runs may be others");
      break;
    }
  if (cli_args_flag (args, "--json")) {
    json_t *list = json_array ();
    for (guint i = 0; i < rows->len; i++)
      json_array_append_new (list, row_to_json (g_ptr_array_index (rows, i)));
    cli_print_json (list);
    json_decref (list);
    return CLI_OK;
  }
  printf ("%-24s  %5s  %-19s  %s\n", "sketch", "runs", "changed (UTC)", "title");
  for (guint i = 0; i < rows->len; i++) {
    const SsappSketchRow *row = g_ptr_array_index (rows, i);
    g_autofree char *name = ssapp_text_visible (row->name, FALSE), *title = ssapp_text_visible (row->title, FALSE),
                    *changed = ssapp_text_visible (row->changed, FALSE);
    printf ("%-24s  %5" G_GINT64_FORMAT "  %-19.19s  %s\n", name, row->n_runs, changed, title);
  }
  return CLI_OK;
}

int
cli_list_versions (const CliArgs *args, const char *project, const char *name)
{
  g_autoptr (GError) error = NULL;
  SsappStore *store = ssapp_store_open (project, FALSE, &error);
  SsappSketchRow *row = store != NULL ? ssapp_store_get_sketch (store, name, &error) : NULL;
  g_autoptr (GPtrArray) versions = row != NULL ? ssapp_store_list_versions (store, row->id, &error) : NULL;
  json_t *list = json_array ();

  ssapp_sketch_row_free (row);
  g_clear_object (&store);
  if (versions == NULL)
    cli_fail ("%s", error->message);
  else if (!cli_args_flag (args, "--json"))
    printf ("%7s  %-19s  %s\n", "version", "saved (UTC)", "what was changed");
  for (guint i = 0; versions != NULL && i < versions->len; i++) {
    const SsappSketchVersion *version = g_ptr_array_index (versions, i);
    g_autofree char *what = ssapp_text_visible (version->what, FALSE),
                    *saved = ssapp_text_visible (version->saved, FALSE);
    if (cli_args_flag (args, "--json"))
      json_array_append_new (list, json_pack ("{s:i, s:s, s:s, s:b}", "version", version->number, "saved",
                                              version->saved, "what", version->what, "damaged", version->is_damaged));
    else
      printf ("%7d  %-19.19s  %s%s\n", version->number, saved, what, version->is_damaged ? " (damaged)" : "");
  }
  if (versions != NULL && cli_args_flag (args, "--json"))
    cli_print_json (list);
  json_decref (list);
  return versions != NULL ? CLI_OK : CLI_BAD_INPUT;
}

int
cli_show_sketch (const CliArgs *args, const char *path)
{
  SsappSketchRow *row = cli_load_sketch (path);

  if (row == NULL)
    return CLI_BAD_INPUT;
  if (cli_args_flag (args, "--json")) {
    json_t *object = row_to_json (row);
    json_object_set_new (object, "text", json_string (row->text));
    cli_print_json (object);
    json_decref (object);
  } else {
    fputs (row->text, stdout); /* as it is: to be written to a file */
  }
  ssapp_sketch_row_free (row);
  return CLI_OK;
}

/* Adds the text of one file, which the reader accepts; its name is told. */
static int
add_file (const CliArgs *args, SsappStore *store, const char *path, const char *wanted)
{
  g_autoptr (GError) error = NULL;
  SsScenario *scenario = cli_read_scenario (args, path);
  g_autofree char *text = scenario != NULL ? cli_read_text (path) : NULL, *id = NULL;
  SsappSketchRow *row;

  if (text == NULL) {
    ss_scenario_free (scenario);
    return CLI_BAD_INPUT;
  }
  id = ssapp_store_add_sketch (store, wanted != NULL ? wanted : scenario->name, text, &error);
  ss_scenario_free (scenario);
  row = id != NULL ? ssapp_store_get_sketch (store, id, &error) : NULL;
  if (row == NULL) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  g_autofree char *name = ssapp_text_visible (row->name, FALSE);
  if (!cli_args_flag (args, "--quiet"))
    printf ("%s\n", name);
  ssapp_sketch_row_free (row);
  return CLI_OK;
}

int
cli_add (const CliArgs *args)
{
  const char *wanted = cli_args_text (args, "--name");
  int status, closing;
  SsappStore *store;

  if (cli_args_text (args, "--project") == NULL)
    return cli_fail ("'add' needs --project FILE");
  if (wanted != NULL && cli_args_n_positional (args) > 1)
    return cli_fail ("--name is for one file");
  store = cli_open_project (args, TRUE, &status);
  if (store == NULL)
    return status;
  for (int i = 0; status == CLI_OK && i < cli_args_n_positional (args); i++)
    status = add_file (args, store, cli_args_positional (args, i), wanted);
  closing = cli_close_project (&store);
  return status == CLI_OK ? closing : status;
}
