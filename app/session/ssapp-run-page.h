/* app/session/ssapp-run-page.h: what a page (app/export/ssapp-page.h) shows of a run of the window. */
#pragma once

#include "app/export/ssapp-page.h"
#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

typedef struct {
  SsappPage page; /* of the rest, and of the run, which must live as long */
  SsappFigureRun run;
  SsMetricSet metrics;
  SsappRunRow *row; /* owned; NULL: not in a project */
  char *provenance; /* owned                         */
  char *asked;      /* owned; JSON, NULL: not told   */
} SsappRunPage;

/* The run with what the project knows of it (`store` may be NULL); `channels` as SsappPage, borrowed. FALSE: its
 * scenario can no longer be read. ssapp_run_page_clear in either case. */
gboolean ssapp_run_page_init (SsappRunPage *self, SsappRun *run, SsappStore *store, const char *channels);
void ssapp_run_page_clear (SsappRunPage *self);

G_END_DECLS
