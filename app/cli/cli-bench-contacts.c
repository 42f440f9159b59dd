/* app/cli/cli-bench-contacts.c: suite contact-solvers of the verb `bench`: the problems of data/bench/steps, which are
 * built in. */
#include "app/cli/cli-bench-common.h"

#include "app/base/ssapp-file.h"
#include "app/cli/cli-contacts.h"

#include <errno.h>
#include <glib/gstdio.h>

static const double CPU_SECONDS = 1;

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
    g_autoptr (GBytes) text = ssapp_bench_contacts_text (name);
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

int
cli_bench_contact_solvers (const CliArgs *args, const CliBenchAsked *asked)
{
  const char *folder = cli_args_text (args, "--data");
  g_autoptr (GError) error = NULL;
  SsStepLimits limits;
  SsappContactsPlot plot;
  int status = CLI_BROKEN;

  if (!cli_contacts_read_limits (args, CPU_SECONDS, &limits) || !cli_contacts_read_plot (args, &plot))
    return CLI_BAD_INPUT;
  g_autoptr (GPtrArray) names = ssapp_bench_contacts_names ((const char *const *)asked->problems, &error);
  if (names == NULL)
    return cli_fail ("%s", error->message);
  if (folder != NULL)
    return write_data (folder, names);
  SsappBenchContacts *bench = ssapp_bench_contacts_new (cli_args_text (args, "--solver"), &limits, &error);
  if (bench == NULL)
    return cli_fail ("--solver: %s", error->message);
  if (ssapp_bench_contacts_run (bench, names, cli_control (), cli_bench_listener (args), &error)) {
    status = cli_contacts_tell (args, bench, plot, FALSE);
    status = status == CLI_NO_SUCCESS ? CLI_OK : status; /* jams are there to be tried */
  } else {
    cli_fail ("%s", error->message);
  }
  ssapp_bench_contacts_free (bench);
  return status;
}
