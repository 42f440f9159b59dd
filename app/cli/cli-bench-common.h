/* app/cli/cli-bench-common.h: what suites of the verb `bench` share: options that mean the same in all, and output. */
#pragma once

#include "app/cli/cli-common.h"

#include "app/bench/ssapp-bench-sheet.h"
#include "app/bench/ssapp-bench-world.h"
#include "app/bench/ssapp-bench.h"

G_BEGIN_DECLS

/* Says the message, which it frees; CLI_BAD_INPUT. */
int cli_bench_fail (char *message);
/* A whole number of --NAME between 1 and `most`; 0 after an error. */
int cli_bench_count (const CliArgs *args, const char *name, int fallback, int most);
/* A number of --NAME above 0 (or 0 if `is_inclusive`); NaN after an error. */
double cli_bench_positive (const CliArgs *args, const char *name, double fallback, gboolean is_inclusive);
/* The methods of --methods with the options of --option; NULL after an error. */
GPtrArray *cli_bench_methods (const CliArgs *args, SsMethodKind kind, const char *fallback);
/* Writes the text unless the path is NULL: CLI_OK, or CLI_BROKEN after an error. */
int cli_bench_write_csv (const char *path, const char *text);
/* Says lines on standard error; NULL with --json or --quiet. */
SsappBenchSay cli_bench_listener (const CliArgs *args);
/* Prints and frees the sheet; the exit status. */
int cli_bench_print_sheet (const CliArgs *args, const char *suite, SsappBenchSheet *sheet, gboolean is_success);
/* The suite of app/bench/ssapp-bench-closed.h. */
int cli_bench_closed_forms (const CliArgs *args);
/* The suite of app/bench/ssapp-bench-collection.h. */
int cli_bench_collection (const CliArgs *args);
/* The solvers of app/bench/ssapp-bench-contacts.h on the shipped problems of data/bench/steps. */
int cli_bench_contact_solvers (const CliArgs *args);

G_END_DECLS
