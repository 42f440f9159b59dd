/* app/cli/cli-python.c: the verb python-path: where the Python package is. Tests:
 * tests/cli/test-python.sh */
#include "app/cli/cli-args.h"

#include <stdio.h>

int
cli_python_path (const CliArgs *args)
{
  /* beside the program where it is installed, and in the source tree where it was built */
  static const char *const places[] = {"../share/stickslip/python", "../../data/python"};
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : g_strdup (".");

  (void)args;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_autofree char *place = g_canonicalize_filename (places[i], folder);
    g_autofree char *module = g_build_filename (place, "stickslip", "__init__.py", NULL);
    if (!g_file_test (module, G_FILE_TEST_EXISTS))
      continue;
    printf ("%s\n", place);
    return CLI_OK;
  }
  return cli_fail ("the Python package is not installed: the folder stickslip is expected in ../share/stickslip/python "
                   "beside the program's folder");
}
