/* app/base/ssapp-outcome.h: how runs end, in words for people. Threads: any. Tests: tests/unit/test-run-list.c */
#pragma once

#include <glib.h>

#include "core/ss-status.h"

G_BEGIN_DECLS

/* "Solved" of "solved", "Iteration limit" of "max_iterations"; NULL is "Ready", an unknown one stays as it is.
 * Borrowed. */
const char *ssapp_outcome_label (const char *outcome);

/* Names of outcomes by their numbers, as words of a field (app/base/ssapp-record.h). */
#define SSAPP_ONE_OUTCOME(id, name) +1
enum { SSAPP_OUTCOMES = SS_OUTCOME_LIST (SSAPP_ONE_OUTCOME) };
const char *ssapp_outcome_word (int outcome);

G_END_DECLS
