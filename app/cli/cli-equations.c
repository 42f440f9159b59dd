/* app/cli/cli-equations.c: the verb `equations`. */
#include "app/cli/cli-common.h"
#include "app/base/ssapp-text.h"
#include "app/equations/ssapp-equations.h"

#include <stdio.h>
#include <string.h>

/* By name, of the kinds that fit the scenario first: anitescu-potra is an integrator and an impact law. */
static const SsMethod *
find_method (const SsScenario *scenario, const char *name)
{
  const SsMethod *other = NULL;

  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (strcmp (method->name, name) != 0)
      continue;
    if ((method->kind == SS_METHOD_OPTIMISER) == (scenario->model != NULL) && method->kind != SS_METHOD_IMPACT_LAW)
      return method;
    other = method->kind != SS_METHOD_IMPACT_LAW || other == NULL ? method : other;
  }
  return other;
}

int
cli_equations (const CliArgs *args)
{
  SsScenario *scenario = cli_read_scenario (args, cli_args_positional (args, 0));
  const char *name = cli_args_text (args, "--method");
  const SsMethod *method;

  if (scenario == NULL)
    return CLI_BAD_INPUT;
  method = name != NULL ? find_method (scenario, name) : NULL;
  if (name != NULL && (method == NULL || (scenario->model != NULL && method->kind != SS_METHOD_OPTIMISER))) {
    ss_scenario_free (scenario);
    return cli_fail ("'%s' is no method for this scenario; `stickslip-cli methods` lists them", name);
  }
  g_autoptr (GError) error = NULL;
  SsappEquations *equations = ssapp_equations_new_with (scenario, method, cli_args_list (args, "--option"), &error);
  if (equations == NULL) {
    ss_scenario_free (scenario);
    return cli_fail ("%s", error->message);
  }
  g_autofree char *text =
      cli_args_flag (args, "--latex") ? ssapp_equations_to_latex (equations) : ssapp_equations_to_text (equations);
  g_autofree char *shown = ssapp_text_visible (text, TRUE);
  fputs (shown, stdout);
  ssapp_equations_free (equations);
  ss_scenario_free (scenario);
  return CLI_OK;
}
