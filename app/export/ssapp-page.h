/* app/export/ssapp-page.h: a run as one HTML file that plays, scrubs and plots without a network, a server or this
 * program: for a paper's supplement. The page draws what the program gives it: the marks of the scenario's view at the
 * frames, channels, events, metrics, provenance. Its parts are data/html/run.html, run.css and run.js.
 *
 * Numbers are rounded, frames and channels left out where the file would be too large: the page says so in words.
 * Threads: any, with data of its own. Tests: tests/unit/test-page.c, tests/cli/test-page.py (in a browser) */
#pragma once

#include "app/export/ssapp-export.h"
#include "judge/ss-metric.h"

#include <jansson.h>

G_BEGIN_DECLS

#define SSAPP_PAGE_SUFFIX ".html"
/* Bytes of a page, at most. */
#define SSAPP_PAGE_MOST 5000000

/* What a page shows; all borrowed. */
typedef struct {
  const SsScenario *scenario;
  const SsappFigureRun *run;       /* with a motion of more than one row    */
  const SsMetricSet *metrics;      /* NULL: none are shown                  */
  const SsappRunOutcome *outcomes; /* of the run; n_outcomes of them        */
  guint n_outcomes;
  const char *id, *started;                   /* of a stored run, else NULL            */
  const char *provenance_json;                /* an object, as the project has it; NULL */
  const char *options_json, *parameters_json; /* objects; NULL or "{}": nothing to tell */
  const char *channels;      /* plots at first, as ssapp_channel_plots_read takes them; NULL: what suits */
  gboolean is_live;          /* it computes: simulations of scenes; adds some 700 kB (app/live)            */
  const char *asked_json;    /* where is_live: what was asked of the run (app/job/ssapp-asked.h); NULL */
  const char *title;         /* NULL: the scenario's                */
  const char *figure_svg;    /* of a study, above the motion; NULL  */
  const char *study_json;    /* with the figure: its runs, as data/html/live.js reads them; NULL */
  gsize most;                /* bytes of the file; 0: SSAPP_PAGE_MOST  */
  GCancellable *cancellable; /* NULL is allowed                       */
} SsappPage;

/* Why no page can compute on this machine, and what to do; NULL: they can. Static. */
const char *ssapp_page_live_lack (void);
/* What the engine of pages finds of jobs (array, app/live/live.c) on this machine, an object each, with problems where
 * it cannot; a new reference. NULL with an error. */
json_t *ssapp_page_live_run (const json_t *jobs, GCancellable *cancellable, GError **error);
/* Whether the name says that a page is to be written. */
gboolean ssapp_page_is_name (const char *path);
/* The whole page; NULL with an error: no motion, no picture of it, an unknown channel, a motion that cannot be made
 * small enough, cancelled. */
GString *ssapp_page_make (const SsappPage *page, GError **error);
/* Into a file; a failure leaves what was there. */
gboolean ssapp_page_export (const SsappPage *page, const char *path, GError **error);
/* n pages into as many files on a thread of its own, for a window; copies what it needs. Finish in `callback` (main
 * thread) with ssapp_export_figure_finish. After a failure the files before it are there. */
void ssapp_page_export_async (const SsappPage *pages, const char *const *paths, int n, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);

G_END_DECLS
