/* app/study/ssapp-study-events.h: the run of one task as a file of events, written where it runs and merged into a
 * project elsewhere: for clusters, whose file systems are no place for a database.
 *
 * JSON lines: `task` (task, key, run, scenario, method, options, parameters, seed, machine), then `iteration`, `log`
 * and `trajectory`, at last `result`. A file without its last line is of a task that was ended from outside, and not
 * taken. Runs keep their ids: merging twice changes nothing.
 * Threads: that of the job or the store. Tests: tests/cli/test-sweep-cluster.sh
 */
#pragma once

#include "app/job/ssapp-job.h"
#include "app/store/ssapp-store.h"
#include "app/study/ssapp-study.h"

G_BEGIN_DECLS

/* Of a job that was not started yet. */
typedef struct SsappStudyRecorder SsappStudyRecorder;
SsappStudyRecorder *ssapp_study_recorder_new (const SsappStudy *study, const SsappStudyTask *task, SsappJob *job);
void ssapp_study_recorder_free (SsappStudyRecorder *self); /* NULL is allowed */
/* After the job has ended: beside `path`, then renamed. */
gboolean ssapp_study_recorder_write (SsappStudyRecorder *self, const char *path, GError **error);

/* What merging found, by tasks. */
typedef struct {
  guint n_new;       /* runs that came in                                      */
  guint n_known;     /* that were here already                                 */
  guint n_answered;  /* tasks that another run answers: left out               */
  guint n_missing;   /* tasks without a file                                   */
  GPtrArray *faults; /* of char *: files that were left out and why; g_ptr_array_unref */
} SsappStudyMerge;

/* All files <task>.jsonl of a folder into a study of the project, in one transaction. FALSE and nothing is changed when
 * the project cannot be written; files that are no good are told in `told`, which is filled in any case. */
gboolean ssapp_study_merge_events (SsappStore *store, const char *study_id, const char *folder, SsappStudyMerge *told,
                                   GError **error);

G_END_DECLS
