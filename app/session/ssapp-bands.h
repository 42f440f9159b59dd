/* app/session/ssapp-bands.h: derivatives of a run on show, for the bands around its channels: the run's own where it
 * was made with them, else its simulation is made once more, by all numbers that ssapp_effects_new lists, in a worker.
 * Threads: main. Tests: tests/ui/test_sensitivity.py */
#pragma once

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

/* Whether the run has derivatives by that number. */
gboolean ssapp_bands_has (SsappRun *run, const char *number);
/* Numbers that a band may be by: those of its derivatives, else those that may be asked for; NULL: it has none
 * (ssapp_effects_reason); NULL-terminated, g_strfreev. */
char **ssapp_bands_numbers (SsappRun *run);
/* Starts the simulation once more, unless it is under way; once it has ended the run has its derivatives
 * (ssapp_run_take_slopes) and emits "changed". Borrowed; NULL with an error where it cannot be made. */
SsappJob *ssapp_bands_ask (SsappStore *store, SsappRun *run, GError **error);

G_END_DECLS
