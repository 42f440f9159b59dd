/* app/study/ssapp-ignored.h: what methods ignore of the scenes that they run, as notes of tables and figures of runs.
 *
 * By the scenario, the method and its options, never by what a run said (ss_method_uses). "CRISP ignores restitution of
 * contacts" stands below each figure and table that shows such a method.
 * Threads: that of the store. Tests: tests/cli/test-figure.sh, tests/unit/test-uses.c
 */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/store/ssapp-store.h"
#include "app/study/ssapp-run-set.h"

G_BEGIN_DECLS

/* "ignores stiffness and damping of contacts"; "" where nothing is. `options` of names and values (NULL: none), of
 * which unknown ones mean nothing; g_free. */
char *ssapp_ignored_by (const SsScenario *scenario, SsMethodId method, json_t *options);
/* Fills SsappRunMethod.ignores of all methods from the scenarios of their runs; of several the first that says
 * anything. Runs whose scenario can't be read say nothing. */
void ssapp_run_set_tell_ignored (SsappRunSet *set, SsappStore *store);
/* The same of rows of runs (SsappRunRow), as notes below their table, each once. `studies`: as of
 * ssapp_store_list_run_studies; NULL: they are read where they are needed. */
void ssapp_ignored_add_notes (SsappTable *table, GPtrArray *rows, GHashTable *studies, SsappStore *store);

G_END_DECLS
