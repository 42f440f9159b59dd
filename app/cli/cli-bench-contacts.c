/* app/cli/cli-bench-contacts.c: suite contact-solvers of the verb `bench`: the problems of data/bench/steps, which are
 * built in. */
#include "app/cli/cli-bench-common.h"

#include "app/base/ssapp-file.h"
#include "app/cli/cli-contacts.h"
#include "app/steps/ssapp-step-file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define FOLDER "/org/stickslip/Stickslip/steps"
static const double CPU_SECONDS = 1;

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* Names of the problems that --problems asks for: those that begin so; NULL after an error. */
static GPtrArray *
choose (char *const *begins)
{
  g_auto (GStrv) all = g_resources_enumerate_children (FOLDER, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (int b = 0; begins != NULL && begins[b] != NULL; b++) {
    gboolean is_any = FALSE;
    for (int i = 0; all != NULL && all[i] != NULL; i++)
      is_any = is_any || g_str_has_prefix (all[i], begins[b]);
    if (!is_any) {
      cli_fail ("suite contact-solvers has no problem that begins with '%s'; --data FOLDER writes them all", begins[b]);
      g_ptr_array_unref (names);
      return NULL;
    }
  }
  for (int i = 0; all != NULL && all[i] != NULL; i++) {
    gboolean is_taken = begins == NULL;
    for (int b = 0; !is_taken && begins[b] != NULL; b++)
      is_taken = g_str_has_prefix (all[i], begins[b]);
    if (is_taken)
      g_ptr_array_add (names, g_strdup (all[i]));
  }
  g_ptr_array_sort (names, compare_names);
  return names;
}

static GBytes *
text_of (const char *name)
{
  g_autofree char *path = g_strconcat (FOLDER "/", name, NULL);

  return g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

/* As files, for who compares other programs. */
static int
write_data (const char *folder, const GPtrArray *names)
{
  g_autoptr (GError) error = NULL;

  if (g_mkdir (folder, 0777) != 0 && errno != EEXIST)
    ssapp_set_file_error (&error, folder, "make", errno);
  for (guint i = 0; i < names->len && error == NULL; i++) {
    const char *name = g_ptr_array_index (names, i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autoptr (GBytes) text = text_of (name);
    gsize length;
    const char *data = g_bytes_get_data (text, &length);
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      g_set_error (&error, G_IO_ERROR, G_IO_ERROR_EXISTS, "%s exists and is not replaced", path);
    else
      ssapp_write_file (path, data, (gssize)length, &error);
  }
  if (error == NULL)
    return CLI_OK;
  cli_fail ("%s", error->message);
  return CLI_BROKEN;
}

static int
run (const CliArgs *args, SsappBenchContacts *bench, const GPtrArray *names, SsappContactsPlot plot)
{
  const SsappBenchSay say = cli_bench_listener (args);

  for (guint i = 0; i < names->len && !cli_was_cancelled (); i++) {
    const char *name = g_ptr_array_index (names, i);
    g_autoptr (GBytes) text = text_of (name);
    g_autoptr (GError) error = NULL;
    g_autofree char *line = g_strdup_printf ("%u/%u  %s", i + 1, names->len, name);
    gsize length;
    const char *data = g_bytes_get_data (text, &length);
    g_autofree char *own = g_strndup (data, length);
    SsStepProblem *problem = ssapp_step_read_json (name, own, &error);
    const gboolean ok = problem != NULL && ssapp_bench_contacts_add (bench, name, problem, cli_control (), &error);
    ss_step_problem_free (problem);
    if (!ok) {
      cli_fail ("%s", error->message);
      return CLI_BROKEN;
    }
    if (say != NULL)
      say (line);
  }
  const int status = cli_contacts_tell (args, bench, plot, FALSE);
  return status == CLI_NO_SUCCESS ? CLI_OK : status; /* jams are there to be tried */
}

int
cli_bench_contact_solvers (const CliArgs *args, const CliBenchAsked *asked)
{
  const char *folder = cli_args_text (args, "--data");
  g_autoptr (GError) error = NULL;
  SsStepLimits limits;
  SsappContactsPlot plot;
  int status = CLI_BAD_INPUT;

  if (!cli_contacts_read_limits (args, CPU_SECONDS, &limits) || !cli_contacts_read_plot (args, &plot))
    return CLI_BAD_INPUT;
  g_autoptr (GPtrArray) names = choose (asked->problems);
  if (names == NULL)
    return CLI_BAD_INPUT;
  if (folder != NULL)
    return write_data (folder, names);
  SsappBenchContacts *bench = ssapp_bench_contacts_new (cli_args_text (args, "--solver"), &limits, &error);
  if (bench == NULL)
    return cli_fail ("--solver: %s", error->message);
  status = run (args, bench, names, plot);
  ssapp_bench_contacts_free (bench);
  return status;
}
