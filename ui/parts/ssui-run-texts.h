/* ui/parts/ssui-run-texts.h: what the lines of a list of runs say in its table. Texts: g_free. */
#pragma once

#include "app/session/ssapp-run-list.h"

G_BEGIN_DECLS

/* The time of a run's start as it is here; "" without one. */
char *ssui_run_started_text (const char *started);
/* Of a run, or of all of a group; the head's own name stands in the column of methods: "▸ Law, 14 runs". */
char *ssui_run_line_text (SsappRunList *list, SsappRunLine line, const SsappRunColumn *column);

G_END_DECLS
