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

/* Of SsappSketchRow, without texts, the one that was changed last first; free function set. */
GPtrArray *ssapp_store_list_sketches (SsappStore *self, GError **error);
/* By id or name, with its text; NULL with an error that lists the names there are, or with
 * DAMAGED. */
SsappSketchRow *ssapp_store_get_sketch (SsappStore *self, const char *id_or_name, GError **error);
/* Id of the sketch with exactly this text, the one changed last; g_free; NULL: none. */
char *ssapp_store_find_sketch (SsappStore *self, const char *text);
/* A new one; a name that is taken gets a number: "box-2". Its id, g_free. */
char *ssapp_store_add_sketch (SsappStore *self, const char *name, const char *text, GError **error);
/* Replaces the text. `was`: SHA-256 of the text that the caller replaces; another process that wrote meanwhile is not
 * written over: FALSE with BUSY. NULL: whatever it was. */
gboolean ssapp_store_set_sketch_text (SsappStore *self, const char *id, const char *text, const char *was,
                                      GError **error);
/* Another name, with a number where it is taken. */
gboolean ssapp_store_rename_sketch (SsappStore *self, const char *id, const char *name, GError **error);
/* Soft, and back; its runs stay as they are. What comes back under a name that was given meanwhile gets a number. */
gboolean ssapp_store_delete_sketch (SsappStore *self, const char *id, GError **error);
gboolean ssapp_store_undelete_sketch (SsappStore *self, const char *id, GError **error);
/* How it is looked at, a JSON object; g_free; NULL with an error. */
char *ssapp_store_get_sketch_view (SsappStore *self, const char *id, GError **error);
gboolean ssapp_store_set_sketch_view (SsappStore *self, const char *id, const char *json, GError **error);

G_END_DECLS
