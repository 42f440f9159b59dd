/* app/store/ssapp-store-shrink.h: stored runs without motions that nobody needs any more.
 * Threads and errors as in ssapp-store.h. Tests: tests/cli/test-keep.sh
 */
#pragma once

#include "app/job/ssapp-keep.h"
#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* What is kept of the motions of a job; before it is followed. All without it. */
void ssapp_store_keep (SsappJob *job, SsappKeep keep);
SsappKeep ssapp_store_get_keep (SsappJob *job);
/* Leaves of the run's motions what `keep` says, and what the run was given to start from. A run that goes on is
 * refused. The file gets smaller by ssapp_store_compact. */
gboolean ssapp_store_shrink_run (SsappStore *self, const char *id, SsappKeep keep, GError **error);
/* For all of these runs, and writes the file anew (ssapp-store-compact.h); ends at the first that is refused. */
gboolean ssapp_store_shrink_runs (SsappStore *self, const char *const *ids, SsappKeep keep, GError **error);
/* The motion to look at: the answer, else the newest one, else the thinned one; NULL without error: there is none.
 * `is_thinned` (may be NULL): it is the thinned one. */
SsTrajectory *ssapp_store_get_shown (SsappStore *self, const char *id, gboolean *is_thinned, GError **error);
/* Answers to what was asked of a run later, {name: {"value", "unit", "formula"}}, as metrics of it and in its result,
 * in the place of those of the same name; null: that name has none any more. */
gboolean ssapp_store_add_outcomes (SsappStore *self, const char *id, const json_t *outcomes, GError **error);

/* Removes the runs of a study with one of these outcomes, NULL: with any that is no success, softly
 * (ssapp_store_delete_run), so that their tasks are run once more. How many; -1 with an error, also for a name that is
 * no outcome. */
int ssapp_store_forget_study_runs (SsappStore *self, const char *study_id, const char *const *outcomes, GError **error);

G_END_DECLS
