/* app/study/ssapp-study-job.h: a task of a study as a job, the same in a queue and on a cluster.
 * Threads: that of the job's main context. Tests: tests/cli/test-sweep.sh
 */
#pragma once

#include "app/job/ssapp-job.h"
#include "app/study/ssapp-study.h"

G_BEGIN_DECLS

/* Not started, with the limits of the study; `workers`: how many run at once, which share the memory where the study
 * has no limit of it. `start`: motion of the run that the task's guess names, NULL where it names none. */
SsappJob *ssapp_study_new_job (const SsappStudy *study, const SsappStudyTask *task, guint workers,
                               const SsTrajectory *start);
/* The run to start from that a task's guess names; NULL: none. Borrowed. */
const char *ssapp_study_get_start (const SsappStudy *study, const SsappStudyTask *task);
/* What varies and its value in this task, as a JSON object: for ssapp_store_set_study_run; g_free. */
char *ssapp_study_task_to_json (const SsappStudy *study, const SsappStudyTask *task);

G_END_DECLS
