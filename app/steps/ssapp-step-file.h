/* app/steps/ssapp-step-file.h: problems of single steps as files: one table of formats, by the ending of a name and by
 * what is in the file. A format is a line of the table and its two functions.
 *
 *   json    ours, with everything that a problem has (data/step-problem.schema.json)
 *   fc2d    Siconos' text form of a reduced problem: W, q, mu
 *   gfc2d   Siconos' text form of a problem of bodies: M, H, q, b, mu
 * Numbers keep all their digits in all of them, so that what is read back is equal to the bit. Siconos' own files print
 * sparse matrices with six.
 * Threads: any. Tests: tests/unit/test-step-file.c */
#pragma once

#include <gio/gio.h>

#include "judge/ss-step-problem.h"

G_BEGIN_DECLS

/* How Siconos' forms store matrices. */
typedef enum {
  SSAPP_STEP_COLUMNS,  /* compressed columns, the first of CSparse's printed forms */
  SSAPP_STEP_TRIPLETS, /* the other one                                            */
  SSAPP_STEP_DENSE,    /* column by column, as Siconos' memory has it              */
  SSAPP_STEP_N_STORAGES
} SsappStepStorage;
extern const char *const ssapp_step_storage_names[SSAPP_STEP_N_STORAGES + 1]; /* "columns", ...; then NULL */

typedef struct {
  const char *name, *endings; /* "json", ".json"; endings with blanks between them */
  const char *summary;
  /* Whether a text seems to be one. */
  gboolean (*looks_so) (const char *text);
  /* NULL with an error that names file, line or member, and what was expected. */
  SsStepProblem *(*read) (const char *file, const char *text, GError **error);
  /* The text, g_free; NULL: it has no place for what the problem has. */
  char *(*write) (const SsStepProblem *problem, SsappStepStorage storage, GError **error);
} SsappStepFormat;

const SsappStepFormat *ssapp_step_formats (guint *n); /* static */
/* By its name; NULL: there is none. */
const SsappStepFormat *ssapp_step_format_find (const char *name);
/* By the ending; NULL: no format ends so, or more than one does. */
const SsappStepFormat *ssapp_step_format_of_path (const char *path);
char *ssapp_step_endings (void); /* ".json, .fc2d and .gfc2d", for messages; g_free */

/* Reads a file by its ending, else by its content. ss_step_problem_free; NULL with an error. */
SsStepProblem *ssapp_step_read (const char *path, GError **error);
/* Writes one; `format` NULL: by the ending. A file that exists stays as it is, which is an error, unless
 * `is_replaced`. */
gboolean ssapp_step_write (const SsStepProblem *problem, const char *path, const SsappStepFormat *format,
                           SsappStepStorage storage, gboolean is_replaced, GError **error);

/* The fewest digits that read back as the same number, '.' in every locale. */
void ssapp_step_append_number (GString *out, double value);
/* An engine's error as that of a file. FALSE. */
gboolean ssapp_step_set_error (GError **error, const char *file, const SsError *why);

/* The formats. */
SsStepProblem *ssapp_step_read_json (const char *file, const char *text, GError **error);
char *ssapp_step_write_json (const SsStepProblem *problem, SsappStepStorage storage, GError **error);
SsStepProblem *ssapp_step_read_fc2d (const char *file, const char *text, GError **error);
char *ssapp_step_write_fc2d (const SsStepProblem *problem, SsappStepStorage storage, GError **error);
SsStepProblem *ssapp_step_read_gfc2d (const char *file, const char *text, GError **error);
char *ssapp_step_write_gfc2d (const SsStepProblem *problem, SsappStepStorage storage, GError **error);
gboolean ssapp_step_looks_fc2d (const char *text);
gboolean ssapp_step_looks_gfc2d (const char *text);

G_END_DECLS
