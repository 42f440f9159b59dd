/* app/cli/cli-contacts.h: what `contacts solve` and `bench contact-solvers` share. */
#pragma once

#include "app/cli/cli-args.h"

#include "app/bench/ssapp-bench-contacts.h"

G_BEGIN_DECLS

/* TRUE: the verb contacts was about problems of steps, or told what is wrong; *status is its exit status. */
gboolean cli_contacts_mode (const CliArgs *args, int *status);
/* --tolerance --relative --iterations --cpu-limit, and --plot; FALSE after an error that was told. */
gboolean cli_contacts_read_limits (const CliArgs *args, double cpu_seconds, SsStepLimits *limits);
gboolean cli_contacts_read_plot (const CliArgs *args, SsappContactsPlot *plot);
/* Prints the table or the result, writes --figure and --to; the exit status. */
int cli_contacts_tell (const CliArgs *args, const SsappBenchContacts *bench, SsappContactsPlot plot,
                       gboolean with_history);

G_END_DECLS
