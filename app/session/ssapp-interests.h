/* app/session/ssapp-interests.h: quantities of interest (judge/ss-interest.h) by name, of motions and of stored runs.
 *
 * What a user asks of every run, "third=final(box3.x)", stands in results, tables, filters and orders by its name.
 * Threads: one at a time. Tests: tests/cli/test-interests.sh
 */
#pragma once

#include <jansson.h>

#include "app/session/ssapp-run-list.h"
#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

typedef struct SsappInterests SsappInterests;

/* Of `n` texts "NAME=FORMULA". NULL with an error (SSAPP_RUN_FILTER_ERROR) that names the one that is none, or twice
 * there. */
SsappInterests *ssapp_interests_new (const char *const *texts, guint n, GError **error);
void ssapp_interests_free (SsappInterests *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappInterests, ssapp_interests_free)

/* How many there are, and the name of each, borrowed. */
guint ssapp_interests_get_n (const SsappInterests *self);
const char *ssapp_interests_get_name (const SsappInterests *self, guint index);

/* Of a motion with the result that lists its events (NULL: none): {"third": {"value": 1.2, "unit": "m", "formula":
 * "final(box3.x)"}}, value null where there is none. NULL with an error where a formula does not fit the motion. */
json_t *ssapp_interests_to_json (const SsappInterests *self, const SsTrajectory *motion, const json_t *result,
                                 GError **error);
/* Adds a column each to a list of the store's runs, from their motions; runs without a motion have none. FALSE with an
 * error where a formula fits no run, or a name is taken. */
gboolean ssapp_interests_add_columns (const SsappInterests *self, SsappRunList *list, SsappStore *store,
                                      GError **error);

G_END_DECLS
