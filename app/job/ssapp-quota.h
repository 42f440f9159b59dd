/* app/job/ssapp-quota.h: how much of what a run tells is kept: lines of its log, rows of its iterations, iterates.
 * A solver or a library in a loop, or a worker that is none of ours, must fill neither the project nor the memory.
 *
 * Used twice: by the process that runs the solver (SsappRunner), and by the one that reads a worker's events and
 * trusts nobody (SsappJob), with a little more room for what the former says of itself. Counts what is left out, and
 * collects the warnings that a result lists. Threads: one at a time. Tests: tests/cli/test-limits.sh
 */
#pragma once

#include <jansson.h>

#include "core/ss-core.h"

#include <glib.h>

G_BEGIN_DECLS

enum {
  SSAPP_LOG_LINES_MAX = 10000,   /* Ipopt at its most talkative has a line an iteration, and 3000 iterations          */
  SSAPP_LOG_BYTES_MAX = 2000000, /* 200 bytes a line                                                                  */
  /* Rows are complete up to this iteration, in which every method ends unless it is told otherwise (CRISP has 1000,
   * Ipopt 3000); from there to ten times as many every tenth is kept, then every hundredth, and so on. The last row is
   * always kept. */
  SSAPP_ROWS_COMPLETE = 10000,
  SSAPP_ROWS_MAX = 60000,         /* only a worker that counts wrongly gets there                                    */
  SSAPP_ROW_BYTES_MAX = 20000000, /* 20 columns take 700 bytes                                                       */
  SSAPP_ITERATES_COMPLETE = 1000, /* likewise, by the number of iterates that were kept                              */
  SSAPP_ITERATE_BYTES_MAX = 250000000,
  SSAPP_WARNINGS_MAX = 100 /* in a result                                                                     */
};

typedef struct {
  gboolean is_reader; /* of a worker's events */
  guint64 lines, line_bytes, rows, row_bytes, iterates, iterate_bytes;
  guint64 lines_out, rows_out, iterates_out, warnings_out; /* left out */
  GPtrArray *warnings;                                     /* of char *, distinct, SSAPP_WARNINGS_MAX at most */
} SsappQuota;

/* Empty, at the start of a run. What it notes is released with ssapp_quota_clear. */
void ssapp_quota_init (SsappQuota *quota, gboolean is_reader);
void ssapp_quota_clear (SsappQuota *quota);

/* Whether there is room; what is refused counts as left out. A warning is noted in either case. */
gboolean ssapp_quota_take_line (SsappQuota *quota, SsLogLevel level, const char *text);
gboolean ssapp_quota_take_row (SsappQuota *quota, int iteration, gsize bytes);
gboolean ssapp_quota_take_iterate (SsappQuota *quota, gsize bytes);
/* The last row of a run, which was refused, is kept after all. */
void ssapp_quota_return_row (SsappQuota *quota);

/* What was left out, a sentence each: texts for the log, of level warning. New array of char *, owned by it. */
GPtrArray *ssapp_quota_notices (const SsappQuota *quota);
/* The list of a result: `given` (a list of texts; NULL: the warnings noted here), then `more`, then the notices;
 * SSAPP_WARNINGS_MAX at most, the notices are always in it. `more` may be NULL. New reference. */
json_t *ssapp_quota_warnings (const SsappQuota *quota, const json_t *given, GPtrArray *more);

G_END_DECLS
