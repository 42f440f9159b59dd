/* app/base/ssapp-run-column.h: the names by which lists, filters, tables and the command line know what runs have:
 * texts such as the method, metrics, and the rest: a parameter, an option or an outcome. No outcome takes one of these
 * names.
 * Threads: any. Tests: tests/unit/test-run-list.c
 */
#pragma once

#include <glib.h>

#include "judge/ss-metric.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_RUN_COLUMN_METHOD,
  SSAPP_RUN_COLUMN_SCENARIO,
  SSAPP_RUN_COLUMN_OUTCOME,
  SSAPP_RUN_COLUMN_STARTED,
  SSAPP_RUN_COLUMN_NOTE,
  SSAPP_RUN_COLUMN_TAGS,
  SSAPP_RUN_COLUMN_START, /* what led to a plan */
  SSAPP_RUN_COLUMN_SEED,
  SSAPP_RUN_COLUMN_KIND,
  SSAPP_RUN_COLUMN_STUDY, /* title of the study that it is a run of */
  SSAPP_RUN_COLUMN_ID,
  SSAPP_RUN_N_TEXTS,                           /* number of those above */
  SSAPP_RUN_COLUMN_METRIC = SSAPP_RUN_N_TEXTS, /* with its metric */
  SSAPP_RUN_COLUMN_FIELD                       /* a parameter or an option, by name */
} SsappRunColumnKind;

/* "method", "tag", "objective", "time", "tracking_error.total" and the like: which column is meant; others are
 * fields. */
SsappRunColumnKind ssapp_run_column_kind_of (const char *name, SsMetric *metric);
/* What is nearest to a misspelt name, of columns and metrics; NULL: nothing is near. Static. */
const char *ssapp_run_column_suggest (const char *name);

G_END_DECLS
