/* app/cli/cli-oracle.c: the verb oracle: questions about a scenario as JSON lines on standard input, replies on
 * standard output. Tests: tests/cli/test-your-method.py */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-oracle.h"
#include "mpcc/ss-problem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line that is no JSON gets a reply, too, so that who asks need not guess. */
static json_t *
reply_to (SsappOracle *oracle, const char *line)
{
  json_error_t where;
  json_t *question = json_loads (line, JSON_REJECT_DUPLICATES, &where), *reply;

  if (json_is_object (question))
    reply = ssapp_oracle_reply (oracle, question);
  else
    reply = json_pack ("{s:s, s:s}", "type", "reply", "error", "this line is no JSON object");
  json_decref (question);
  return reply;
}

/* To the end of the input, or until nobody reads the replies. */
static int
serve (SsappOracle *oracle)
{
  char *line = NULL;
  size_t size = 0;

  while (getline (&line, &size, stdin) >= 0) {
    if (g_strstrip (line)[0] == '\0')
      continue;
    json_t *reply = reply_to (oracle, line);
    g_autofree char *text = ssapp_json_text (reply, FALSE);
    json_decref (reply);
    if (puts (text) < 0 || fflush (stdout) != 0)
      break;
  }
  free (line);
  return CLI_OK;
}

static int
serve_problem (const SsScenario *scenario)
{
  SsappOracle *oracle = NULL;
  SsMpcc *mpcc = NULL;
  SsError error = {0};
  SsStatus status = ss_problem_build (scenario, &mpcc, &error);
  g_autofree double *x0 = g_new0 (double, (gsize)scenario->model->n_points *(gsize)scenario->model->n_variables + 1);
  g_autofree double *parameters = g_new0 (double, scenario->n_parameters + 1);

  if (status == SS_OK)
    status = ss_problem_guess (scenario, x0, &error);
  if (status == SS_OK) {
    ss_problem_parameters (scenario, parameters);
    ss_mpcc_set_parameters (mpcc, parameters);
    oracle = ssapp_oracle_new_problem (mpcc, x0, &error);
  }
  const int result = oracle != NULL ? serve (oracle) : cli_fail ("%s", error.message);
  ssapp_oracle_free (oracle);
  ss_mpcc_free (mpcc);
  return result;
}

static int
serve_scene (const SsScenario *scenario)
{
  SsError error = {0};
  SsappOracle *oracle = ssapp_oracle_new_scene (scenario->scene, scenario->task.dt, scenario->task.t_end, NULL, &error);
  const int result = oracle != NULL ? serve (oracle) : cli_fail ("%s", error.message);

  ssapp_oracle_free (oracle);
  return result;
}

int
cli_oracle (const CliArgs *args)
{
  SsScenario *scenario = cli_read_scenario (args, cli_args_positional (args, 0));

  if (scenario == NULL)
    return CLI_BAD_INPUT;
  const int status = scenario->model != NULL ? serve_problem (scenario) : serve_scene (scenario);
  ss_scenario_free (scenario);
  return status;
}
