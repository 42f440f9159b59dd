/* app/base/ssapp-outcome.h: how runs end, in words for people. Threads: any. Tests: tests/unit/test-run-list.c */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "Solved" of "solved", "Iteration limit" of "max_iterations"; NULL is "Ready", an unknown one stays as it is.
 * Borrowed. */
const char *ssapp_outcome_label (const char *outcome);

G_END_DECLS
