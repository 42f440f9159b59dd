/* app/cli/cli-sweep.h: what the parts of the verb `sweep` share. Not for other verbs. */
#pragma once

#include "app/cli/cli-args.h"
#include "app/store/ssapp-store.h"
#include "app/study/ssapp-study.h"

G_BEGIN_DECLS

/* The study of FILE and options, or of --study, checked; NULL after an error that was told. */
SsappStudy *cli_sweep_read_study (const CliArgs *args);
/* Sets limits, title, outcomes and what is kept as options say; FALSE after an error that was told. */
gboolean cli_sweep_change_study (const CliArgs *args, SsappStudy *study);
/* Id of the study in the project, where it is put unless one with the same runs is there; g_free. */
char *cli_sweep_keep_study (SsappStore *store, const SsappStudy *study, GError **error);

/* One task of --study, its run written to --events. */
int cli_sweep_task (const CliArgs *args);
/* The study as a folder with a job array, submitted. */
int cli_sweep_slurm (const CliArgs *args);
/* Files of events of such a folder into --project. */
int cli_sweep_merge (const CliArgs *args);

G_END_DECLS
