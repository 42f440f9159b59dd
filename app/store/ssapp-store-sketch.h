/* app/store/ssapp-store-sketch.h: the sketches of a project: the texts of scenarios that are being edited, each with a
 * name of its own and with how it is looked at. A run belongs to the sketch whose text it was made from when it was
 * recorded, whatever becomes of that text later.
 *
 * All calls on the store's thread. None tells "changed": who changes sketches knows (session/ssapp-sketches.h).
 * Tests: tests/unit/test-sketches.c, tests/store/test-upgrade.c */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* A sketch as a row. */
typedef struct {
  char *id, *name;           /* name: unique in the project                                */
  char *title, *description; /* as the text says; title: else the name; description may be "" */
  char *text, *sha256;       /* text NULL in lists                                         */
  char *created, *changed;   /* as of runs                                                 */
  gint64 n_runs;             /* that were not removed                                      */
  gboolean is_damaged;       /* it does not match its checksum; its title says so too      */
} SsappSketchRow;
/* With its texts; NULL is allowed. */
void ssapp_sketch_row_free (SsappSketchRow *row);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappSketchRow, ssapp_sketch_row_free)

/* Of SsappSketchRow, without texts, the one that was changed last first; free function set. */
GPtrArray *ssapp_store_list_sketches (SsappStore *self, GError **error);
/* By id or name, with its text; NULL with an error that lists the names there are, or with
 * DAMAGED. */
SsappSketchRow *ssapp_store_get_sketch (SsappStore *self, const char *id_or_name, GError **error);
/* Id of the sketch with exactly this text, the one changed last; g_free; NULL: none. */
char *ssapp_store_find_sketch (SsappStore *self, const char *text);
/* A new one; a name that is taken gets a number: "box-2". Its id, g_free. */
char *ssapp_store_add_sketch (SsappStore *self, const char *name, const char *text, GError **error);
/* Replaces the text, which becomes a version of the sketch. `was`: SHA-256 of the text that the caller replaces;
 * another process that wrote meanwhile is not written over: FALSE with OTHER. NULL: whatever it was. `what` was
 * changed: "Add box"; edits of one kind within a minute are one version. */
gboolean ssapp_store_set_sketch_text (SsappStore *self, const char *id, const char *text, const char *was,
                                      const char *what, GError **error);
/* Another name, with a number where it is taken. */
gboolean ssapp_store_rename_sketch (SsappStore *self, const char *id, const char *name, GError **error);
/* Soft, and back; its runs stay as they are. What comes back under a name that was given meanwhile gets a number. */
gboolean ssapp_store_delete_sketch (SsappStore *self, const char *id, GError **error);
gboolean ssapp_store_undelete_sketch (SsappStore *self, const char *id, GError **error);
/* How it is looked at, a JSON object; g_free; NULL with an error. The member `picture` has a picture as `png`, in
 * base64, or, where that is missing or damaged, its `sha256` alone. */
char *ssapp_store_get_sketch_view (SsappStore *self, const char *id, GError **error);
gboolean ssapp_store_set_sketch_view (SsappStore *self, const char *id, const char *json, GError **error);

/* Title of the sketch that was changed last in the project at `path`, and how many it has; NULL: none, or it cannot be
 * read. Opens the file for that moment and changes nothing. Threads: any. g_free. */
char *ssapp_store_peek_title (const char *path, gint64 *n_sketches);
/* The sketch of the project at `path` whose view has this `file`, the one changed last, with its text; NULL: none, or
 * it cannot be read. As ssapp_store_peek_title. */
SsappSketchRow *ssapp_store_peek_sketch_of_file (const char *path, const char *file);

/* What a sketch was at some time; its newest version is what it is now. */
typedef struct {
  int number;          /* from 1                                                      */
  char *saved, *what;  /* as of runs; what was changed, "" where that is not known    */
  char *text;          /* NULL of a damaged one                                       */
  gboolean is_damaged; /* its text does not match its checksum                        */
} SsappSketchVersion;
void ssapp_sketch_version_free (SsappSketchVersion *version); /* NULL is allowed */
/* Of SsappSketchVersion, the newest one first; empty of a sketch that was not changed since a program of format 9 or
 * less made it. NULL with an error. */
GPtrArray *ssapp_store_list_versions (SsappStore *self, const char *id, GError **error);
SsappSketchVersion *ssapp_store_get_version (SsappStore *self, const char *id, int number, GError **error);

G_END_DECLS
