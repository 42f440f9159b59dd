/* app/store/ssapp-store-merge.h: runs from one project into another: a selection as a project of its own (an archive),
 * and an archive, or any project, into this one. Runs keep their ids, so that doing it twice changes nothing.
 *
 * All calls on the store's thread. Tests: tests/store/test-merge.c */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* What was done. */
typedef struct {
  int n_runs;  /* that are new here                                                              */
  int n_more;  /* of these, those nobody named: plans of replays, answers of other local solutions */
  int n_known; /* that were here already: left as they are; those that had been removed are back  */
  int n_sketches, n_comparisons;
  GPtrArray *fresh; /* an array of texts that their ids are added to; NULL: nobody asks */
  int n_damaged;    /* runs, sketches, studies, comparisons that do not match their checksums: copied and marked */
} SsappMerge;

/* "3 runs, 1 sketch; 2 runs were here already"; g_free. */
char *ssapp_merge_describe (const SsappMerge *told);

/* Runs of the project at `from`, with all that it has of them, their sketches and studies, and comparisons of which
 * every run is among them. `ids`: which ones, whole ids, NULL: all that were not removed. In one transaction: after
 * a failure nothing of it is here. The file at `from` is brought to this format where it is older and may be
 * written. `told` may be NULL. */
gboolean ssapp_store_merge (SsappStore *self, const char *from, const char *const *ids, SsappMerge *told,
                            GError **error);
/* The same the other way: a new project at `path` with these runs of this one (NULL: all). Made beside it and
 * renamed. A file that is there is an error, or replaced where `replaces` says so, unless somebody has it open. */
gboolean ssapp_store_archive (SsappStore *self, const char *const *ids, const char *path, gboolean replaces,
                              SsappMerge *told, GError **error);

G_END_DECLS
