/* app/session/ssapp-sketches.h: the sketches of a window's project, and which of them its document is. Edits of the
 * document are kept in the project a moment after they were made, and before anything else comes in its place, so
 * that switching loses none and a crash at most the last second. A document that is edited, or run, while a project is
 * open becomes a sketch of it; one in which nothing was drawn does not.
 *
 * Where there is no project, or one that can only be read, nothing is kept here: the document then says that it has
 * unsaved changes, as ever.
 * Threads: main thread only. Tests: tests/unit/test-sketches.c */
#pragma once

#include "app/document/ssapp-document.h"
#include "app/store/ssapp-store-sketch.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_SKETCHES (ssapp_sketches_get_type ())
G_DECLARE_FINAL_TYPE (SsappSketches, ssapp_sketches, SSAPP, SKETCHES, GObject)

/* Signals:
 *   "changed" ()          the list, or what it says of a sketch
 *   "view-changed" ()     another sketch is the document, with its own view
 *   "failed" (const char *message)  edits could not be kept; they wait, and are tried again with the next one, or each
 *                         second where another program has the project locked, which is told after some seconds;
 *                         where another scenario or project comes meanwhile, it says that they are not kept
 *   "kept" ()             they are, after that was told
 *   "picture-lost" ()     a sketch was opened whose picture is missing or damaged: it is the document without it */

/* Of that document, as long as it lives; no project yet. */
SsappSketches *ssapp_sketches_new (SsappDocument *document);
/* Another project, after what waits was kept in the former; NULL: none. A sketch that is kept counts as saved, unless
 * it has a file of its own. */
void ssapp_sketches_set_store (SsappSketches *self, SsappStore *store);

/* Of SsappSketchRow; empty without a project; NULL with an error. */
GPtrArray *ssapp_sketches_list (SsappSketches *self, GError **error);
/* Id of the sketch that the document is; NULL: none of the project's. Borrowed until it changes. */
const char *ssapp_sketches_get_current (SsappSketches *self);
/* Keeps the document, as a sketch of its own if it is none yet and is not empty. FALSE without an error: no project
 * that can be written. */
gboolean ssapp_sketches_keep (SsappSketches *self, GError **error);
/* Something is to be kept that is not yet: edits, or how the sketch is looked at. */
gboolean ssapp_sketches_is_waiting (SsappSketches *self);

/* What waits is not kept, because the user does without it or has it in a file; the document stays as it is. */
void ssapp_sketches_discard (SsappSketches *self);

/* The sketch becomes the document; what was the document is kept first where it was edited. */
gboolean ssapp_sketches_open (SsappSketches *self, const char *id, GError **error);
/* An empty one becomes the document; it is a sketch of the project once something is drawn. The project is one that
 * can be written. */
gboolean ssapp_sketches_add_new (SsappSketches *self, GError **error);
/* A copy under a name of its own ("Title (copy)"), which becomes the document. */
gboolean ssapp_sketches_copy (SsappSketches *self, const char *id, GError **error);
/* Title and name: any text, from which the name is made ("Push a Box" is push-a-box). An undo step of the document
 * where it is that sketch. */
gboolean ssapp_sketches_rename (SsappSketches *self, const char *id, const char *title, GError **error);
/* What it was before, of SsappSketchVersion, the newest first, which is what it is now; NULL with an error. */
GPtrArray *ssapp_sketches_list_versions (SsappSketches *self, const char *id, GError **error);
/* The sketch becomes the document, with the text of that version: an undo step, and one more version. */
gboolean ssapp_sketches_go_back (SsappSketches *self, const char *id, int number, GError **error);
/* Takes it out, or back. The document then is the one changed last, or empty; what comes back becomes the document
 * again if it was. */
gboolean ssapp_sketches_delete (SsappSketches *self, const char *id, GError **error);
gboolean ssapp_sketches_undelete (SsappSketches *self, const char *id, GError **error);

/* Key of the picture under a sketch in its view (ssapp-sheet-picture.h). With one, an empty sketch is kept. */
#define SSAPP_VIEW_PICTURE "picture"

/* How the document is looked at, as JSON texts by key, such as "plots"; kept with its sketch, empty for another one.
 * g_free; NULL: not set. */
char *ssapp_sketches_get_view (SsappSketches *self, const char *key);
/* `json`: any JSON value as text; NULL takes the key away. FALSE: that is no JSON. */
gboolean ssapp_sketches_set_view (SsappSketches *self, const char *key, const char *json);

/* "Push a Box!" as a name: "push-a-box"; "sketch" where nothing is left. g_free. */
char *ssapp_sketch_name_of_title (const char *title);

G_END_DECLS
