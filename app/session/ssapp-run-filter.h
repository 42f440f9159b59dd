/* app/session/ssapp-run-filter.h: what a user types to find runs, taken apart: words and conditions, all of which hold.
 *
 *   push                  a word, anywhere in method, scenario, outcome, note and tags; "two words" in quotes
 *   scenario:push         the text has it; "=" is it: outcome=solved; "," either: method:crisp,ipopt
 *   objective<7           numbers: < <= > >= = !=, of any metric, parameter or option: mu>=0.5
 *   started>=2026-01-15   times, UTC, as long as they are typed
 *   -tag:old              not
 *
 * Letters may be large or small. Threads: any. Tests: tests/unit/test-run-list.c
 */
#pragma once

#include <glib.h>

#include "app/base/ssapp-run-column.h"
#include "judge/ss-metric.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_RUN_OP_HAS,
  SSAPP_RUN_OP_IS,
  SSAPP_RUN_OP_IS_NOT,
  SSAPP_RUN_OP_LESS,
  SSAPP_RUN_OP_AT_MOST,
  SSAPP_RUN_OP_MORE,
  SSAPP_RUN_OP_AT_LEAST
} SsappRunOp;

typedef struct {
  char *name;              /* of the column; NULL: a word */
  SsappRunColumnKind kind; /* of a column */
  SsMetric metric;
  SsappRunOp op;
  gboolean is_not;
  char **texts;    /* what it is compared with, any of them, in small letters; NULL-terminated */
  double *numbers; /* the same as numbers; NaN where it is none */
} SsappRunTerm;

/* Of SsappRunTerm with its free function; empty for an empty text. NULL with an error that says what is wrong. */
GPtrArray *ssapp_run_filter_parse (const char *text, GError **error);

/* Errors of this header and of ssapp-run-list.h. */
#define SSAPP_RUN_FILTER_ERROR (ssapp_run_filter_error_quark ())
/* The domain. */
GQuark ssapp_run_filter_error_quark (void);
typedef enum { SSAPP_RUN_FILTER_ERROR_SYNTAX, SSAPP_RUN_FILTER_ERROR_UNKNOWN } SsappRunFilterError;

G_END_DECLS
