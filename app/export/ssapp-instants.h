/* app/export/ssapp-instants.h: which instants of a motion stand side by side in a figure: a list, evenly spread ones,
 * or those at which something happens. Threads: any. Tests: tests/cli/test-project.sh
 */
#pragma once

#include "app/export/ssapp-export.h"

G_BEGIN_DECLS

enum { SSAPP_INSTANTS_MOST = 60 };
/* What ssapp_instants_read takes, for helps and messages. */
#define SSAPP_INSTANTS_TAKEN                                                                                           \
  "up to 60 times in seconds such as 0,0.5,1; events; or a number of evenly spread ones such as even:8"

/* "0,0.5,1", "events" or "even:8" as instants [s] of the motions of these runs; their number, 0 and an error where it
 * is no such text, or where no run has events. With 0 runs only the text is looked at, and 1 says that it is one. At
 * events: begin, end and events between, no two nearer than a 40th of the motion; of more than 10 those that lie
 * farthest from each other. */
int ssapp_instants_read (const char *text, const SsappFigureRun *runs, int n_runs, double times[SSAPP_INSTANTS_MOST],
                         GError **error);

G_END_DECLS
