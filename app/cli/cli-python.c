/* app/cli/cli-python.c: the verb python-path: where the Python package is. Tests:
 * tests/cli/test-python.sh */
#include "app/base/ssapp-place.h"
#include "app/cli/cli-args.h"

#include <stdio.h>

int
cli_python_path (const CliArgs *args)
{
  g_autofree char *place = ssapp_place_of_python ();

  (void)args;
  if (place == NULL)
    return cli_fail ("the Python package is not installed: the folder stickslip is expected in "
                     "../share/stickslip/python beside the program's folder");
  printf ("%s\n", place);
  return CLI_OK;
}
