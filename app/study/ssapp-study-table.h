/* app/study/ssapp-study-table.h: the tasks of a study as a table, a row each in their order.
 * Threads: that of the store. Tests: tests/cli/test-sweep.sh
 */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/store/ssapp-store.h"
#include "app/study/ssapp-study.h"

G_BEGIN_DECLS

/* Method and what varies. New. */
SsappTable *ssapp_study_tasks_to_table (const SsappStudyPlan *plan);
/* Beside these outcome, metrics and id of the run that answers each task; outcome "queued" where there is none. NULL
 * with an error. */
SsappTable *ssapp_study_runs_to_table (const SsappStudyPlan *plan, SsappStore *store, const char *study_id,
                                       GError **error);

G_END_DECLS
