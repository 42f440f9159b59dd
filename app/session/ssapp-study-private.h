/* app/session/ssapp-study-private.h: shared by the files of a window's studies:
 * session (the object, the set of runs), above it edit and look (figures, selection, tables, export), above these
 * project (studies of the project, their start). Not for others. */
#pragma once

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

/* What a figure can show. */
typedef struct {
  char *key;
  char *title;
} SsappStudyChoice;

/* One of the steps that can be taken back. */
typedef struct {
  char *label;
  SsappStudy *before;
} SsappStudyStep;

struct _SsappStudySession {
  GObject parent_instance;
  SsappSession *session;  /* borrowed */
  SsappStore *store;      /* of the session; nullable, referenced to keep the queue's alive */
  char *id;               /* of the study on show; nullable */
  SsappStudy *study;      /* nullable */
  GPtrArray *undo, *redo; /* of SsappStudyStep */
  SsappStudyQueue *queue; /* of the study on show, since it was started; nullable */
  char *queue_id;         /* its study */
  gboolean is_looked_at;  /* else its runs are not read */
  SsappStudyTasks *tasks; /* of the study as it is; nullable */
  guint tasks_idle;
  /* runs */
  GHashTable *rows;    /* run id to SsappRunRow, owned both; all that ended stay */
  GPtrArray *old_rows; /* of rows that the set still has */
  SsappRunSet *set;    /* nullable */
  guint refresh;       /* source of the next look at the project */
  gint64 refreshed;    /* [us] */
  /* look */
  SsappChart *charts[SSAPP_STUDY_PARTS]; /* nullable: made when asked for */
  char *choices[SSAPP_STUDY_PARTS];      /* keys */
  GPtrArray *lists[SSAPP_STUDY_PARTS];   /* of SsappStudyChoice; nullable */
  GStrv keys[SSAPP_STUDY_PARTS];
  int x_axis, y_axis;
  gboolean takes_unsolved, shows_all;
  GHashTable *hidden; /* set of labels of methods, owned */
  int *selected;      /* of each axis; nullable */
  GArray *table_items;
};

/* FALSE and an error of G_IO_ERROR_INVALID_ARGUMENT. */
gboolean ssapp_study_fail_with (GError **error, const char *message);
char *ssapp_study_to_text (const SsappStudy *study); /* as the project keeps it; g_free */
/* Ends what runs of the study on show; its queue is made again when it is started. */
void ssapp_study_session_drop_queue (SsappStudySession *self);
/* The study on show is another one: tasks, set. */
void ssapp_study_session_restart (SsappStudySession *self);
/* Emits "changed", "progress", "runs", "looked". */
void ssapp_study_session_tell (SsappStudySession *self, const char *signal);
/* Emits "failed". */
void ssapp_study_session_tell_failed (SsappStudySession *self, const char *message);
/* The set of runs goes, and what is shown of it. */
void ssapp_study_session_drop_set (SsappStudySession *self);
/* Reads the runs again: at once where nothing was read for a while, else when half a second has passed. */
void ssapp_study_session_refresh_soon (SsappStudySession *self);
/* A chart, or all of them, are to be made again. */
void ssapp_study_look_drop_chart (SsappStudySession *self, SsappStudyPart part);
void ssapp_study_look_drop_charts (SsappStudySession *self);
/* Another study: selection, hidden methods, choices as they are to begin with. */
void ssapp_study_look_reset (SsappStudySession *self);

/* A copy of the study to be changed, NULL with an error: not now; and the study as it is from now on, which is taken,
 * as a step that can be taken back. */
SsappStudy *ssapp_study_begin_edit (SsappStudySession *self, GError **error);
gboolean ssapp_study_end_edit (SsappStudySession *self, SsappStudy *study, const char *label, GError **error);
/* Figures show that outcome as soon as runs have it. */
void ssapp_study_look_want (SsappStudySession *self, const char *outcome);

G_END_DECLS
