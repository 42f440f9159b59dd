/* app/bench/ssapp-bench-runs.h: the runs of a suite, one at a time: methods on problems. A suite says what a problem
 * and a run are; order, repeats, the end by a cancel or an error, and lines of progress are here.
 *
 * Order    problem by problem; in each, the methods take turns as often as there are repeats.
 * Threads  that of the caller; SsRunControl.cancel may be set from anywhere. Tests: tests/cli/test-bench.sh
 */
#pragma once

#include <glib.h>

#include "core/ss-run-control.h"

G_BEGIN_DECLS

typedef struct {
  guint n_problems, n_methods;
  guint repeats; /* at least 1 */
  /* Makes a problem ready; FALSE: it is passed over, or with `error` the runs end. Nullable. */
  gboolean (*begin) (gpointer suite, guint problem, GError **error);
  /* One run, whose row the suite keeps or writes. FALSE: the runs end, with or without `error`. */
  gboolean (*run) (gpointer suite, guint problem, guint method, GError **error);
  /* After the last run of a problem that began; is_whole: none of them ended the runs. Nullable. */
  void (*end) (gpointer suite, guint problem, gboolean is_whole);
} SsappBenchRuns;

/* Makes them, with `suite` handed to each function. FALSE: they ended before the last, by a cancel or with `error`. */
gboolean ssapp_bench_make_runs (const SsappBenchRuns *runs, gpointer suite, SsRunControl *control, GError **error);

/* Whether it was cancelled. */
gboolean ssapp_bench_is_cancelled (SsRunControl *control); /* NULL: no */

/* Says a line of progress. */
typedef void (*SsappBenchSay) (const char *line);
/* The same, formatted; `say` may be NULL. */
void ssapp_bench_say (SsappBenchSay say, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
