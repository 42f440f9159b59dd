/* app/store/ssapp-store-study.h: studies of a project and which run answers which task. Texts are UTF-8.
 *
 * The definition is JSON that app/study reads; the project keeps it as it is. A task has one run at most: recording
 * another for it fails unless the former was interrupted, cancelled or removed.
 * Threads and errors as in ssapp-store.h. Tests: tests/store/test-store-study.c
 */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

typedef struct {
  char *id, *title, *definition, *created, *changed;
  guint n_tasks;       /* as the definition had them when it was stored */
  guint n_runs;        /* that ended by themselves; in lists alone */
  gboolean is_damaged; /* it does not match its checksum; its title says so too */
} SsappStudyRow;
void ssapp_study_row_free (SsappStudyRow *row); /* NULL is allowed */

/* Returns its id (g_free). */
char *ssapp_store_add_study (SsappStore *self, const char *title, const char *definition, guint n_tasks,
                             GError **error);
/* Another title or definition; runs of tasks that are there no more stay runs of the project. */
gboolean ssapp_store_set_study (SsappStore *self, const char *id, const char *title, const char *definition,
                                guint n_tasks, GError **error);
gboolean ssapp_store_delete_study (SsappStore *self, const char *id, GError **error); /* soft; its runs stay */
gboolean ssapp_store_undelete_study (SsappStore *self, const char *id, GError **error);
/* Of SsappStudyRow, newest first; free function set. */
GPtrArray *ssapp_store_list_studies (SsappStore *self, GError **error);
/* By id, unique prefix, title or "last". One that is damaged is not given (DAMAGED). */
SsappStudyRow *ssapp_store_get_study (SsappStore *self, const char *id, GError **error);

/* The run answers the task with that key (SsappStudyTask.key); `task`: what varies and its value in this run, as a JSON
 * object, for queries; NULL: what another study says of it. Another run of the task that did not end by itself
 * (interrupted, cancelled) is removed; where one did, or still runs: TAKEN. */
gboolean ssapp_store_set_study_run (SsappStore *self, const char *study_id, const char *key, const char *task,
                                    const char *run_id, GError **error);
/* Both at once, ssapp_store_follow and this. */
gboolean ssapp_store_follow_task (SsappStore *self, SsappJob *job, const char *study_id, const char *key,
                                  const char *task, GError **error);
/* Key of the task to the run's id, both owned by the table; without runs that were removed, interrupted or cancelled.
 */
GHashTable *ssapp_store_list_study_runs (SsappStore *self, const char *study_id, GError **error);
/* Those of the rows (of SsappRunRow, borrowed) whose runs that table has, in their order. */
GPtrArray *ssapp_store_pick_study_rows (GHashTable *runs, const GPtrArray *rows);
/* The same with those that were interrupted or cancelled, where they are the newest of their task. */
GHashTable *ssapp_store_list_study_attempts (SsappStore *self, const char *study_id, GError **error);
/* Of those that answer their tasks, as ssapp_store_list_study_runs has them, the outcomes, "running" too. */
GHashTable *ssapp_store_list_study_outcomes (SsappStore *self, const char *study_id, GError **error);

/* Where a run stands in a study. Texts owned by the table. */
typedef struct {
  char *id, *title; /* of the study; of several the newest */
  char *task;       /* what varies and its value in the run, JSON */
} SsappRunStudy;
/* Of all runs that answer tasks of studies that are there: run id to SsappRunStudy, both owned by the table. */
GHashTable *ssapp_store_list_run_studies (SsappStore *self, GError **error);

/* The run was made elsewhere: when, and on which machine, an object with version, git_commit, compiler, build_flags,
 * host, cpu, os, libraries (a text), cpu_count, pid, start. Texts may be NULL: those of now. */
gboolean ssapp_store_set_origin (SsappStore *self, const char *run_id, const char *started, const char *ended,
                                 const json_t *machine, GError **error);
/* A row of iterations as an event says it, written with the next flush; one that is no such event is left out. */
void ssapp_store_add_iteration_json (SsappStore *self, const char *run_id, const char *json);

/* Words that a user sorts runs by, copied; comma-separated, "" takes them away. SsappRunRow.tags has them. */
gboolean ssapp_store_set_tags (SsappStore *self, const char *run_id, const char *tags, GError **error);

G_END_DECLS
