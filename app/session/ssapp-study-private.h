/* app/session/ssapp-study-private.h: shared by the files of a window's studies: session (studies, edits, queue), look
 * (figures, selection, tables, export). Not for others. */
#pragma once

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

/* What a figure can show. */
typedef struct {
  char *key;
  char *title;
} SsappStudyChoice;

struct _SsappStudySession {
  GObject parent_instance;
  SsappSession *session;  /* borrowed */
  SsappStore *store;      /* of the session; nullable, referenced to keep the queue's alive */
  char *id;               /* of the study on show; nullable */
  SsappStudy *study;      /* nullable */
  GPtrArray *undo, *redo; /* of Step */
  SsappStudyQueue *queue; /* of the study on show, since it was started; nullable */
  char *queue_id;         /* its study */
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

/* Emits "changed", "progress", "runs", "looked". */
void ssapp_study_session_tell (SsappStudySession *self, const char *signal);
/* The set is another, or goes: charts and lists of choices are forgotten. */
void ssapp_study_look_forget (SsappStudySession *self);
/* Another study: selection, hidden methods, choices as they are to begin with. */
void ssapp_study_look_reset (SsappStudySession *self);
void ssapp_study_look_init (SsappStudySession *self);
void ssapp_study_look_finalize (SsappStudySession *self);

G_END_DECLS
