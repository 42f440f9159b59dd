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
enum { CLI_BENCH_MAX_STEPS = 10000000 };

/* What a suite has of the options that mean the same in all suites, and what they are where they are not given. */
typedef struct {
  SsMethodKind kind;
  const char *methods;       /* of --methods and --option; "": all of the kind; NULL: it has none */
  int count, repeats, steps; /* 0: it has no such option, or reads it itself */
  double cpu_limit;          /* the same, CPU time [s] */
} CliBenchAsk;

/* What was asked for. */
typedef struct {
  GPtrArray *methods; /* of SsappBenchMethod, owned; NULL: none */
  char **problems;    /* of --problems, owned; NULL: all */
  int count, repeats, steps;
  double cpu_limit;
  guint64 seed; /* 1 where --seed is not given */
} CliBenchAsked;

/* FALSE after an error; to be cleared in any case. */
gboolean cli_bench_ask (const CliArgs *args, const CliBenchAsk *ask, CliBenchAsked *asked);
void cli_bench_asked_clear (CliBenchAsked *asked);
/* Writes the text unless the path is NULL: CLI_OK, or CLI_BROKEN after an error. */
int cli_bench_write_csv (const char *path, const char *text);
/* Says lines on standard error; NULL with --json or --quiet. */
SsappBenchSay cli_bench_listener (const CliArgs *args);
/* Prints and frees the sheet and writes `csv`, where it is not NULL, to --to; the exit status. */
int cli_bench_print_sheet (const CliArgs *args, const char *suite, SsappBenchSheet *sheet, const char *csv,
                           gboolean is_success);
/* The suite of app/bench/ssapp-bench-closed.h. */
int cli_bench_closed_forms (const CliArgs *args, const CliBenchAsked *asked);
/* The suite of app/bench/ssapp-bench-collection.h. */
int cli_bench_collection (const CliArgs *args, const CliBenchAsked *asked);
/* The solvers of app/bench/ssapp-bench-contacts.h on the shipped problems of data/bench/steps. */
int cli_bench_contact_solvers (const CliArgs *args, const CliBenchAsked *asked);
/* The suite of app/bench/ssapp-bench-laws.h. */
int cli_bench_laws (const CliArgs *args, const CliBenchAsked *asked);
/* The loops of app/bench/ssapp-bench-loop.h on a model, whose text is that of the file. */
int cli_bench_loop (const CliArgs *args, const CliBenchAsked *asked, const char *file, const char *text);

G_END_DECLS
