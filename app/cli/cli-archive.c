/* app/cli/cli-archive.c: runs from one project into another, and motions from elsewhere: `archive`, `import`,
 * `copy`, `import-motion`. */
#include "app/cli/cli-common.h"

#include "app/session/ssapp-import-judge.h"
#include "app/session/ssapp-import-motion.h"
#include "app/store/ssapp-store-copy.h"
#include "app/store/ssapp-store-merge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whole ids of the runs that were named; NULL where it was "all"; NULL and an error where one is not there. */
static char **
read_ids (const CliArgs *args, SsappStore *store, GError **error)
{
  return cli_args_name_all (args) ? NULL : cli_run_ids (args, store, error);
}

/* The exit status: runs that are damaged are no success. */
static int
print (const CliArgs *args, const char *path, const SsappMerge *told)
{
  g_autofree char *words = ssapp_merge_describe (told);

  if (told->n_damaged > 0)
    cli_fail ("%s: %s", path, words);
  else if (!cli_args_flag (args, "--quiet"))
    printf ("%s: %s\n", path, words);
  return told->n_damaged > 0 ? CLI_NO_SUCCESS : CLI_OK;
}

/* What is not opened, as what can be read of it. */
int
cli_copy (const CliArgs *args)
{
  const char *from = cli_args_positional (args, 0), *to = cli_args_text (args, "--to");
  g_autoptr (GError) error = NULL;

  if (to == NULL || !g_str_has_suffix (to, SSAPP_PROJECT_SUFFIX))
    return cli_fail ("'copy' needs --to FILE" SSAPP_PROJECT_SUFFIX);
  g_autoptr (SsappCopied) copied = ssapp_store_copy_readable (from, to, &error);
  if (copied == NULL)
    return cli_fail ("%s", error->message);
  g_autofree char *words = ssapp_copied_describe (copied);
  if (!cli_args_flag (args, "--quiet"))
    printf ("%s: %s\n", to, words);
  return copied->n_damaged > 0 || copied->lost->len > 0 ? CLI_NO_SUCCESS : CLI_OK;
}

int
cli_archive (const CliArgs *args)
{
  const char *to = cli_args_text (args, "--to");
  GError *error = NULL;
  SsappMerge told = {0};
  int status;

  if (to == NULL)
    return cli_fail ("'archive' needs --to FILE" SSAPP_PROJECT_SUFFIX);
  SsappStore *store = cli_open_project (args, FALSE, &status);
  if (store == NULL)
    return status == CLI_OK ? cli_fail ("'archive' needs --project FILE") : status;
  g_auto (GStrv) ids = read_ids (args, store, &error);
  if (error == NULL && ssapp_store_archive (store, (const char *const *)ids, to, FALSE, &told, &error))
    status = print (args, to, &told);
  if (error != NULL)
    status = cli_fail ("%s", error->message);
  g_clear_error (&error);
  g_object_unref (store);
  return status;
}

/* The exit status: runs that claim what their motion does not bear out are no success. */
static int
judge (SsappStore *store, const char *path, const GPtrArray *ids)
{
  int status = CLI_OK;
  guint n_without = 0;

  for (guint i = 0; i < ids->len; i++) {
    const char *id = g_ptr_array_index (ids, i);
    g_autofree char *doubt = ssapp_import_judge (store, id, &n_without);
    if (doubt == NULL)
      continue;
    cli_fail ("%s: run %.8s claims what its motion does not bear out, and is tagged " SSAPP_DOUBTFUL_TAG ": %s", path,
              id, doubt);
    status = CLI_NO_SUCCESS;
  }
  if (n_without > 0)
    fprintf (stderr, "%s: %u runs do not keep their motion: what they claim was not judged\n", path, n_without);
  return status;
}

int
cli_import (const CliArgs *args)
{
  GError *error = NULL;
  int status;

  if (cli_args_text (args, "--project") == NULL)
    return cli_fail ("'import' needs --project FILE");
  SsappStore *store = cli_open_project (args, TRUE, &status);
  for (int i = 0; store != NULL && error == NULL && i < cli_args_n_positional (args); i++) {
    const char *path = cli_args_positional (args, i);
    g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_free);
    SsappMerge told = {.fresh = fresh};
    if (!ssapp_store_merge (store, path, NULL, &told, &error))
      break;
    const int merged = print (args, path, &told), judged = judge (store, path, fresh);
    status = MAX (status, MAX (merged, judged));
  }
  if (error != NULL)
    status = cli_fail ("%s", error->message);
  g_clear_error (&error);
  const int closed = cli_close_project (&store);
  return status != CLI_OK ? status : closed;
}

int
cli_import_motion (const CliArgs *args)
{
  const char *scene = cli_args_text (args, "--scene"), *path = cli_args_positional (args, 0);
  g_autoptr (GError) error = NULL;
  int status;

  if (scene == NULL)
    return cli_fail ("'import-motion' needs --scene FILE");
  if (cli_args_text (args, "--project") == NULL)
    return cli_fail ("'import-motion' needs --project FILE");
  SsScenario *scenario = cli_read_scenario (args, scene);
  if (scenario == NULL)
    return CLI_BAD_INPUT;
  SsappStore *store = cli_open_project (args, TRUE, &status);
  if (store != NULL) {
    SsappJobSpec *spec = ssapp_job_spec_new ();
    cli_spec_add_options (spec, args);
    g_autofree char *options = ssapp_job_spec_options_json (spec);
    ssapp_job_spec_free (spec);
    const SsappImportClaims claims = {.method = cli_args_text (args, "--method"),
                                      .options = options,
                                      .seconds = cli_args_number (args, "--seconds", NAN),
                                      .iterations = (int)cli_args_number (args, "--iterations", -1)};
    g_autofree char *id = ssapp_import_motion (store, scenario, scenario->text, path, &claims, &error);
    if (id == NULL)
      status = cli_fail ("%s", error->message);
    else if (!cli_args_flag (args, "--quiet"))
      printf ("%s\n", id);
  }
  ss_scenario_free (scenario);
  const int closed = cli_close_project (&store);
  return status != CLI_OK ? status : closed;
}
