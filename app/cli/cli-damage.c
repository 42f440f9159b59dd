/* app/cli/cli-damage.c: whether a project is as it was stored (`list --check`), and runs whose program is gone (`end`).
 * Tests: tests/cli/test-damage.sh */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-text.h"
#include "app/store/ssapp-store-check.h"

#include <stdio.h>
#include <string.h>

/* ---- list --check ------------------------------------------------------------------------------------------------ */

static void
print_check_json (const SsappCheck *check)
{
  json_t *damage = json_array ();

  for (guint i = 0; i < check->damage->len; i++) {
    const SsappDamage *item = g_ptr_array_index (check->damage, i);
    json_array_append_new (damage, json_pack ("{s:s, s:s, s:s}", "of", item->of, "id", item->id, "what", item->words));
  }
  json_t *answer = json_pack ("{s:b, s:i, s:o}", "has_checksums", (int)check->has_sums, "checked",
                              (int)check->n_checked, "damage", damage);
  cli_print_json (answer);
  json_decref (answer);
}

int
cli_list_check (const CliArgs *args, SsappStore *store)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappCheck) check = ssapp_store_check (store, &error);

  if (check == NULL)
    return cli_fail ("%s", error->message);
  if (cli_args_flag (args, "--json")) {
    print_check_json (check);
  } else if (!check->has_sums) {
    printf ("This project is of an older format, which has no checksums; it gets them when it is opened for writing\n");
  } else {
    for (guint i = 0; i < check->damage->len; i++) {
      const SsappDamage *item = g_ptr_array_index (check->damage, i);
      g_autofree char *id = ssapp_text_visible (item->id, FALSE), *words = ssapp_text_visible (item->words, FALSE);
      printf ("%s %s is damaged: %s\n", item->of, id, words);
    }
    printf ("%u checked, %u damaged\n", check->n_checked, check->damage->len);
  }
  return check->damage->len > 0 ? CLI_NO_SUCCESS : CLI_OK;
}

/* ---- end --------------------------------------------------------------------------------------------------------- */

int
cli_end (const CliArgs *args)
{
  int status = CLI_OK;

  if (cli_args_text (args, "--project") == NULL)
    return cli_fail ("'end' needs --project FILE");
  SsappStore *store = cli_open_project (args, FALSE, &status);
  if (store != NULL)
    status = cli_require_writable (&store);
  for (int i = 0; store != NULL && status == CLI_OK && i < cli_args_n_positional (args); i++) {
    const char *name = cli_args_positional (args, i);
    g_autoptr (GError) error = NULL;
    if (strcmp (name, "old") == 0)
      continue; /* they ended when the project was opened */
    SsappRunRow *row = ssapp_store_get_run (store, name, &error);
    if (row == NULL || !ssapp_store_end_run (store, row->id, &error))
      status = cli_fail ("%s", error->message);
    else if (!cli_args_flag (args, "--quiet"))
      printf ("%s: interrupted\n", row->id);
    ssapp_run_row_free (row);
  }
  const int closed = cli_close_project (&store);
  return status != CLI_OK ? status : closed;
}
