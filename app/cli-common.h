/* app/cli-common.h: what several verbs share: reading the scenario, job specs, output files. */
#pragma once

#include "app/cli-args.h"
#include "app/ssapp-runner.h"
#include "app/ssapp-store.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Text of a scenario file, or NULL after an error message; at most SS_SCENARIO_MAX_BYTES. */
char *cli_read_text (const char *path);
/* Whether the file named by that option can be written: asked before a long run, not after it. CLI_OK, or CLI_BAD_INPUT after saying why. */
int cli_check_output (const CliArgs *args, const char *option);
/* Prints every problem as "FILE:LINE: PATH: message (expected ...)". */
void cli_print_problems (FILE *to, const SsProblems *problems);
/* Scenario with the parameters of --set; NULL with `problems` filled, or after they were printed. */
SsScenario *cli_read_scenario_problems (const CliArgs *args, const char *path, SsProblems *problems);
SsScenario *cli_read_scenario (const CliArgs *args, const char *path);

/* The project of --project; NULL without error when none was named, *status is CLI_OK then. */
SsappStore *cli_open_project (const CliArgs *args, gboolean create, int *status);

/* Prints JSON, indented, and a newline. */
void cli_print_json (const json_t *json);
/* "1.234e-05", "12.5", "-" for NaN: for tables that people read. */
char *cli_number (double value);

int cli_status_of_end (SsappEnd end);
/* Exit status for an outcome's name. */
int cli_status_of_outcome (const char *outcome);

G_END_DECLS
