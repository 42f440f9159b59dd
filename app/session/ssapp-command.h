/* app/session/ssapp-command.h: the command line that does what was done here once more: "Copy as Command".
 *
 * A command is one line for a POSIX shell, words quoted where they need it, begins with stickslip-cli and is meant to
 * be run anywhere on this machine: the project is named by its whole path. It stores its run in that project, as the
 * run was.
 *
 * Threads: main thread only. Tests: tests/unit/test-reproduce.c, tests/cli/test-reproduce.sh */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* A command is built word by word. */
typedef struct SsappCommand SsappCommand;
SsappCommand *ssapp_command_new (const char *verb); /* "stickslip-cli VERB" */
void ssapp_command_add (SsappCommand *self, const char *word);
/* "--option VALUE"; NULL: not. */
void ssapp_command_add_option (SsappCommand *self, const char *option, const char *value);
/* "--option NUMBER", with as many digits as it has; NaN: not. */
void ssapp_command_add_number (SsappCommand *self, const char *option, double value);
/* "--option NAME=VALUE". */
void ssapp_command_add_pair (SsappCommand *self, const char *option, const char *name, const char *value);
/* The line, g_free; frees the command. */
char *ssapp_command_finish (SsappCommand *self);
/* One word for a shell, quoted only where it must be; g_free. */
char *ssapp_command_quote (const char *word);

/* Repeats the run. NULL with an error where no command does: runs that hands steered in the sandbox, local solutions
 * that are no run of their own are told by what to repeat. A run that was cancelled or that its time limit ended has a
 * command; what it leaves may be another motion. */
char *ssapp_command_for_run (SsappStore *store, const char *id, GError **error);
/* The commands of several runs, a line each; g_free. */
char *ssapp_command_for_runs (SsappStore *store, const char *const *ids, GError **error);

G_END_DECLS
