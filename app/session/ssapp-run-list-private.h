/* app/session/ssapp-run-list-private.h: a list of runs, shared by its files. Not for others. */
#pragma once

#include "app/session/ssapp-run-list.h"

G_BEGIN_DECLS

/* A distinct text of a column. */
typedef struct {
  char *text;   /* as the project has it */
  char *folded; /* in small letters, with what people call it on a second line */
  double number;
  guint rank; /* among the column's values, once those were ordered; the same for equal ones */
} SsappRunListValue;

/* SsappRunListTexts of all rows: which value each has. SsappRunListValue 0 is the empty text. */
typedef struct {
  GArray *values; /* of SsappRunListValue */
  guint *of_row;  /* n_rows */
  gboolean is_ranked;
} SsappRunListTexts;

typedef struct {
  char *name;
  gboolean is_option;
  SsappRunListTexts texts;
} SsappRunListField;

struct SsappRunList {
  GPtrArray *rows;
  guint n, n_shown;
  SsappRunListTexts texts[SSAPP_RUN_N_TEXTS];
  GArray *fields;      /* of SsappRunListField; NULL until they are asked for */
  guint *order;        /* n: sorted */
  guint *shown;        /* n_shown of n: filtered, in that order */
  guint8 *passes;      /* n: by the filter */
  GPtrArray *labels;   /* n: of char *, NULL: none was given */
  GArray *wanted;      /* of SsappRunColumn: tables have them whatever the rows say; NULL: none */
  GHashTable *steps;   /* as of ssapp_store_list_steps; NULL: not known */
  GHashTable *studies; /* as of ssapp_store_list_run_studies; NULL: not known */
  GHashTable *open;    /* ids of studies that are unfolded; NULL: runs are not grouped */
  GPtrArray *groups;   /* of SsappRunListGroup; NULL until they are asked for */
  guint *group_of;     /* n: from 1; 0: of none */
  GArray *lines;       /* of SsappRunLine; NULL until they are asked for: the rows shown are others */
};

typedef struct {
  char *id, *title;
  GArray *rows;      /* of guint: those shown, in their order */
  GHashTable *texts; /* what the columns say, "kind metric field" to text; as long as `lines` */
} SsappRunListGroup;

/* Empty, of n rows: all have value 0. */
void ssapp_run_texts_init (SsappRunListTexts *texts, guint n);
void ssapp_run_texts_clear (SsappRunListTexts *texts);
/* Adds a value; `words`: what people call it, or NULL. Returns its place. */
guint ssapp_run_texts_add (SsappRunListTexts *texts, const char *text, const char *words);
/* Gives the values their ranks, once. */
void ssapp_run_texts_rank (SsappRunListTexts *texts);
/* The study that a run is of, borrowed; NULL: of none, or not known. */
const SsappRunStudy *ssapp_run_list_study_of (const SsappRunList *self, const SsappRunRow *row);
/* Fills `fields`, once. */
void ssapp_run_list_read_fields (SsappRunList *self);
/* SsappRunListTexts of a column; NULL of a metric. */
SsappRunListTexts *ssapp_run_list_texts (SsappRunList *self, const SsappRunColumn *column);
/* What that row has there. Borrowed. */
const SsappRunListValue *ssapp_run_list_value (const SsappRunListTexts *texts, guint row);
/* Names of the columns of texts in tables. */
extern const char *const ssapp_run_list_keys[SSAPP_RUN_N_TEXTS];

G_END_DECLS
