/* app/study/ssapp-study-form.h: whether the lines of a file of events (ssapp-study-events.h) have the form that a
 * program of ours gives them, and say one thing each: a file comes from elsewhere, damaged or made by hand.
 * Threads: any. Tests: tests/cli/test-sweep-cluster.sh
 */
#pragma once

#include <glib.h>
#include <jansson.h>

G_BEGIN_DECLS

/* What the first line (`task`), those between (`events`, of json_t) and the last (`result`) have wrong by themselves
 * or against each other; NULL: nothing. g_free. Lines of unknown types are passed over. */
char *ssapp_study_form_fault (const json_t *head, const GPtrArray *events, const json_t *result);

G_END_DECLS
