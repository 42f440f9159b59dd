/* app/session/ssapp-sketches.c: see the header. */
#include "app/session/ssapp-sketches.h"

#include "app/base/ssapp-json.h"
#include "app/session/ssapp-newer-sketch.h"

#include <glib/gi18n.h>
#include <string.h>

/* Edits of a drag come many times a second: they are kept together. */
#define KEEP_MS 1000
/* So long a keep may hold the window up while another program writes; then it is tried again a moment later. The first:
 * by the timer, or where the lock is known; the second: where somebody waits for the answer. */
#define PATIENCE_MS 100
#define ASKED_MS    500
/* Tries until a lock is told. */
#define TRIES_UNTOLD 4

struct _SsappSketches {
  GObject parent_instance;
  SsappDocument *document;
  SsappStore *store; /* nullable */
  char *current;     /* id of the sketch that the document is; nullable                 */
  char *sha256;      /* of its text in the project, as it was read or written here      */
  char *pending;     /* text of the document that is not in the project yet; nullable   */
  char *changes;     /* what was changed since: "Add box, Move box"; nullable           */
  char *name;        /* of the document when that text was its                          */
  char *deleted;     /* id of the sketch that was the document when it was deleted      */
  json_t *view;
  gboolean view_waits;
  gboolean is_written; /* the last text, but not yet what goes with it                   */
  gboolean is_opening; /* a sketch is being loaded: the document stays attached          */
  guint timer;
  guint n_tries;    /* of what waits, at a project that another program has locked */
  gboolean is_told; /* that edits could not be kept                                */
};

G_DEFINE_FINAL_TYPE (SsappSketches, ssapp_sketches, G_TYPE_OBJECT)

enum { CHANGED, VIEW_CHANGED, FAILED, KEPT, PICTURE_LOST, N_SIGNALS };
static guint signals[N_SIGNALS];

static gboolean
can_write (SsappSketches *self)
{
  return self->store != NULL && !ssapp_store_is_read_only (self->store) && !ssapp_store_is_lost (self->store);
}

static void
set_current (SsappSketches *self, const char *id, const char *text)
{
  char *copy = g_strdup (id);

  g_free (self->current);
  self->current = copy;
  g_free (self->sha256);
  self->sha256 = id != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1) : NULL;
}

/* ---- empty ones -------------------------------------------------------------------------------------------------- */

/* Nothing was drawn or written, and no picture lies under it: nobody would look for it again. */
static gboolean
is_empty (SsappSketches *self, const char *text)
{
  json_t *root = json_loads (text, 0, NULL), *scene = json_object_get (root, "scene"), *value;
  gboolean empty = json_object_get (self->view, SSAPP_VIEW_PICTURE) == NULL && json_is_object (scene) &&
                   json_object_get (root, "model") == NULL &&
                   json_object_size (json_object_get (root, "parameters")) == 0 &&
                   *(json_string_value (json_object_get (root, "description")) != NULL
                         ? json_string_value (json_object_get (root, "description"))
                         : "") == '\0';
  const char *key;

  json_object_foreach (scene, key, value) empty =
      empty && (strcmp (key, "gravity") == 0 || (json_array_size (value) == 0 && json_object_size (value) == 0));
  json_decref (root);
  return empty;
}

/* ---- keeping ----------------------------------------------------------------------------------------------------- */

/* The text of the current sketch, or a new sketch where there is none, or where somebody else changed that one. */
static gboolean
write_text (SsappSketches *self, const char *text, const char *name, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *id = NULL;

  if (self->current != NULL) {
    if (ssapp_store_set_sketch_text (self->store, self->current, text, self->sha256, self->changes, &local)) {
      g_autofree char *same = g_strdup (self->current);
      set_current (self, same, text);
      return TRUE;
    }
    if (!g_error_matches (local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_OTHER)) {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  }
  if (is_empty (self, text))
    return TRUE;
  id = ssapp_store_add_sketch (self->store, name, text, error);
  if (id == NULL)
    return FALSE;
  set_current (self, id, text);
  self->view_waits = json_object_size (self->view) > 0;
  return TRUE;
}

static gboolean
write_view (SsappSketches *self, GError **error)
{
  g_autofree char *text = NULL;

  if (!self->view_waits || self->current == NULL)
    return TRUE;
  text = ssapp_json_text (self->view, FALSE);
  if (!ssapp_store_set_sketch_view (self->store, self->current, text, error))
    return FALSE;
  self->view_waits = FALSE;
  return TRUE;
}

static void
count_as_saved (SsappSketches *self)
{
  if (self->current != NULL && ssapp_document_get_path (self->document) == NULL)
    ssapp_document_mark_saved (self->document);
}

/* From which file the document came, so that who opens that file finds what became of it. */
static void
note_file (SsappSketches *self)
{
  const char *path = ssapp_document_get_path (self->document);
  g_autofree char *key = path != NULL ? ssapp_sketch_file_key (path) : NULL;

  if (key == NULL || g_strcmp0 (key, ssapp_json_get_string (self->view, "file")) == 0)
    return;
  json_object_set_new (self->view, "file", json_string (key));
  self->view_waits = TRUE;
}

static gboolean
write_waiting (SsappSketches *self, GError **error)
{
  if (self->pending != NULL) {
    if (!write_text (self, self->pending, self->name, error))
      return FALSE;
    self->is_written = TRUE;
    g_clear_pointer (&self->pending, g_free);
    g_clear_pointer (&self->changes, g_free);
  }
  return write_view (self, error);
}

static gboolean
is_lock (const GError *error)
{
  return g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY);
}

static void flush_soon (SsappSketches *self);

/* What waits; `is_document`: it still is the document. TRUE if nothing waits any more. At a lock it is tried again. */
static gboolean
flush (SsappSketches *self, gboolean is_document, GError **error)
{
  g_autoptr (SsappStore) store = self->store != NULL ? g_object_ref (self->store) : NULL;
  GError *local = NULL;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->pending == NULL && !self->view_waits)
    return TRUE;
  if (!can_write (self))
    return FALSE;
  if (self->pending != NULL && is_document)
    note_file (self);
  ssapp_store_set_patience (store, self->n_tries > 0 ? PATIENCE_MS : ASKED_MS);
  const gboolean done = write_waiting (self, &local);
  ssapp_store_set_patience (store, SSAPP_STORE_BUSY_MS);
  if (!done) {
    if (is_lock (local)) {
      self->n_tries = MAX (self->n_tries, 1);
      flush_soon (self);
    }
    if (local != NULL)
      g_propagate_error (error, local);
    return FALSE;
  }
  const gboolean was_told = self->is_told, has_text = self->is_written;
  self->n_tries = 0;
  self->is_told = self->is_written = FALSE;
  if (has_text && is_document)
    count_as_saved (self);
  if (has_text)
    g_signal_emit (self, signals[CHANGED], 0);
  if (was_told)
    g_signal_emit (self, signals[KEPT], 0);
  return TRUE;
}

static void
tell_failure (SsappSketches *self, const GError *error)
{
  if (error == NULL || g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED)) /* "lost" told it */
    return;
  self->is_told = TRUE;
  g_signal_emit (self, signals[FAILED], 0,
                 is_lock (error) ? _ ("Another program has it locked. Edits wait, and are kept when it lets go.")
                                 : error->message);
}

void
ssapp_sketches_discard (SsappSketches *self)
{
  g_return_if_fail (SSAPP_IS_SKETCHES (self));

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_pointer (&self->pending, g_free);
  g_clear_pointer (&self->changes, g_free);
  self->view_waits = self->is_written = self->is_told = FALSE;
  self->n_tries = 0;
}

/* What waits is not the document, or not of this project, a moment later: now or never. */
static void
flush_at_last (SsappSketches *self, gboolean is_document)
{
  g_autoptr (GError) error = NULL;

  if (!flush (self, is_document, &error)) {
    if (is_lock (error)) {
      g_autofree char *name = g_path_get_basename (ssapp_store_get_path (self->store));
      g_autofree char *message =
          g_strdup_printf (_ ("The last changes of the sketch are not in “%s”: another program has it locked"), name);
      g_signal_emit (self, signals[FAILED], 0, message);
    } else {
      tell_failure (self, error);
    }
  }
  ssapp_sketches_discard (self);
}

static gboolean
on_timer (gpointer data)
{
  SsappSketches *self = data;
  g_autoptr (GError) error = NULL;

  self->timer = 0;
  if (self->store == NULL)
    return G_SOURCE_REMOVE;
  self->n_tries++;
  if (flush (self, TRUE, &error))
    self->n_tries = 0;
  else if (!is_lock (error) || (self->n_tries >= TRIES_UNTOLD && !self->is_told))
    tell_failure (self, error);
  return G_SOURCE_REMOVE;
}

static void
flush_soon (SsappSketches *self)
{
  if (self->timer == 0)
    self->timer = g_timeout_add (KEEP_MS, on_timer, self);
}

gboolean
ssapp_sketches_is_waiting (SsappSketches *self)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self), FALSE);
  return can_write (self) && (self->pending != NULL || (self->view_waits && self->current != NULL));
}

/* The document is not what is kept. */
static gboolean
is_edited (SsappSketches *self)
{
  g_autofree char *sha256 =
      g_compute_checksum_for_string (G_CHECKSUM_SHA256, ssapp_document_get_text (self->document), -1);

  return self->current != NULL ? g_strcmp0 (sha256, self->sha256) != 0 : ssapp_document_is_dirty (self->document);
}

/* Its text waits. */
static void
take_document (SsappSketches *self)
{
  g_free (self->pending);
  self->pending = g_strdup (ssapp_document_get_text (self->document));
  g_free (self->name);
  self->name = g_strdup (ssapp_document_get_name (self->document));
}

gboolean
ssapp_sketches_keep (SsappSketches *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self), FALSE);

  if (!can_write (self))
    return FALSE;
  if (self->current == NULL && self->pending == NULL) {
    if (is_empty (self, ssapp_document_get_text (self->document)))
      return TRUE;
    take_document (self);
  } else if (self->pending == NULL && is_edited (self)) { /* what was discarded, and then did not go */
    take_document (self);
  }
  return flush (self, TRUE, error);
}

/* ---- following the document -------------------------------------------------------------------------------------- */

static void
reset_view (SsappSketches *self, const char *text)
{
  json_decref (self->view);
  self->view = text != NULL ? json_loads (text, 0, NULL) : NULL;
  if (!json_is_object (self->view)) {
    json_decref (self->view);
    self->view = json_object ();
  }
  self->view_waits = FALSE;
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

/* The document has the text of this sketch, or of none (NULL). */
static void
attach (SsappSketches *self, const char *id)
{
  g_autofree char *view = id != NULL ? ssapp_store_get_sketch_view (self->store, id, NULL) : NULL;

  set_current (self, id, ssapp_document_get_text (self->document));
  reset_view (self, view);
  g_signal_emit (self, signals[CHANGED], 0);
  if (json_object_get (json_object_get (self->view, SSAPP_VIEW_PICTURE), "sha256") != NULL)
    g_signal_emit (self, signals[PICTURE_LOST], 0);
}

static void
attach_by_text (SsappSketches *self)
{
  g_autofree char *id =
      self->store != NULL ? ssapp_store_find_sketch (self->store, ssapp_document_get_text (self->document)) : NULL;
  attach (self, id);
}

/* Somebody loaded another scenario: what was edited before is kept, as that was the last time to do it. */
static void
on_loaded (SsappSketches *self)
{
  if (self->is_opening)
    return;
  flush_at_last (self, FALSE);
  attach_by_text (self);
}

/* Adds the last edit to what was changed since the text was kept, unless it was told. */
static void
note_change (SsappSketches *self)
{
  const char *undone = ssapp_document_get_redo_label (self->document),
             *label = undone != NULL ? undone : ssapp_document_get_undo_label (self->document);
  g_autofree char *what =
      undone != NULL ? g_strdup_printf (_ ("Undo %s"), undone) : g_strdup (label != NULL ? label : "");

  if (*what == '\0' || (self->changes != NULL && strstr (self->changes, what) != NULL))
    return;
  char *all = self->changes != NULL ? g_strconcat (self->changes, ", ", what, NULL) : g_strdup (what);
  g_free (self->changes);
  self->changes = all;
}

static void
on_edited (SsappSketches *self)
{
  if (self->is_opening || self->store == NULL)
    return;
  if (self->pending == NULL && !is_edited (self)) /* a load, a save, or back to what is kept */
    return;
  take_document (self);
  note_change (self);
  flush_soon (self);
}

void
ssapp_sketches_set_store (SsappSketches *self, SsappStore *store)
{
  g_return_if_fail (SSAPP_IS_SKETCHES (self));
  g_autoptr (GError) error = NULL;

  if (store != NULL && store == self->store) {
    if (!flush (self, TRUE, &error))
      tell_failure (self, error);
    return;
  }
  if (self->store != NULL)
    flush_at_last (self, TRUE);
  g_clear_pointer (&self->deleted, g_free);
  g_set_object (&self->store, store);
  /* What was looked at before a project was there stays so. */
  g_autofree char *id =
      store != NULL ? ssapp_store_find_sketch (store, ssapp_document_get_text (self->document)) : NULL;
  if (id != NULL)
    attach (self, id);
  else
    set_current (self, NULL, NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

GPtrArray *
ssapp_sketches_list (SsappSketches *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self), NULL);
  if (self->store == NULL)
    return g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_sketch_row_free);
  return ssapp_store_list_sketches (self->store, error);
}

const char *
ssapp_sketches_get_current (SsappSketches *self)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self), NULL);
  return self->current;
}

/* A store that can be written, for commands that need one. */
static gboolean
require_store (SsappSketches *self, GError **error)
{
  if (can_write (self))
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY,
                       self->store == NULL ? _ ("There is no project yet") : _ ("The project can only be read"));
  return FALSE;
}

/* Before another sketch comes: edits are in the project, or in the document's own file. */
static gboolean
keep_before_switching (SsappSketches *self, GError **error)
{
  GError *local = NULL;

  if ((self->pending == NULL && !self->view_waits) ||
      (can_write (self) ? flush (self, TRUE, &local) : !ssapp_document_is_dirty (self->document)))
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, local);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY,
                         _ ("The project can only be read: save the changes of this sketch in a file first"));
  return FALSE;
}

static gboolean
load (SsappSketches *self, const char *id, const char *text, const char *name, GError **error)
{
  g_autofree char *file = name != NULL ? g_strconcat (name, SSAPP_SCENARIO_SUFFIX, NULL) : NULL;
  gboolean ok;

  self->is_opening = TRUE;
  ok = ssapp_document_load_text (self->document, text, -1, file, error);
  self->is_opening = FALSE;
  if (!ok)
    return FALSE;
  g_clear_pointer (&self->pending, g_free);
  attach (self, id);
  return TRUE;
}

gboolean
ssapp_sketches_open (SsappSketches *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self) && id != NULL, FALSE);
  g_autofree char *own = g_strdup (id); /* it may be that of get_current, which keeping replaces */
  SsappSketchRow *row;
  gboolean ok;

  if (self->store == NULL)
    return require_store (self, error);
  if (!keep_before_switching (self, error))
    return FALSE;
  row = ssapp_store_get_sketch (self->store, own, error);
  if (row == NULL)
    return FALSE;
  ok = g_strcmp0 (row->id, self->current) == 0 || load (self, row->id, row->text, row->name, error);
  ssapp_sketch_row_free (row);
  return ok;
}

/* The text with another title and name; NULL with an error. g_free. */
static char *
retitle (const char *text, const char *title, const char *name, GError **error)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();

  if (!ssapp_document_load_text (document, text, -1, NULL, error) ||
      !ssapp_document_set_text (document, "title", title, error) ||
      !ssapp_document_set_text (document, "name", name, error))
    return NULL;
  return g_strdup (ssapp_document_get_text (document));
}

/* A title that no other sketch has: "Push a Box 2". g_free. */
static char *
free_title (SsappSketches *self, const char *wanted)
{
  g_autoptr (GPtrArray) rows = ssapp_sketches_list (self, NULL);

  for (int number = 1;; number++) {
    g_autofree char *title = number == 1 ? g_strdup (wanted) : g_strdup_printf ("%s %d", wanted, number);
    gboolean is_taken = FALSE;
    for (guint i = 0; rows != NULL && i < rows->len; i++)
      is_taken = is_taken || strcmp (((SsappSketchRow *)g_ptr_array_index (rows, i))->title, title) == 0;
    if (!is_taken)
      return g_steal_pointer (&title);
  }
}

/* Stores the text under that title and makes it the document. */
static gboolean
add (SsappSketches *self, const char *text, const char *title, GError **error)
{
  g_autofree char *unique = free_title (self, title), *name = ssapp_sketch_name_of_title (unique), *copy = NULL,
                  *id = NULL;

  copy = retitle (text, unique, name, error);
  id = copy != NULL ? ssapp_store_add_sketch (self->store, name, copy, error) : NULL;
  return id != NULL && load (self, id, copy, name, error);
}

gboolean
ssapp_sketches_add_new (SsappSketches *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self), FALSE);
  g_autoptr (SsappDocument) empty = ssapp_document_new ();

  if (!require_store (self, error) || !keep_before_switching (self, error))
    return FALSE;
  g_autofree char *title = free_title (self, ssapp_document_get_title (empty)),
                  *name = ssapp_sketch_name_of_title (title),
                  *text = retitle (ssapp_document_get_text (empty), title, name, error);
  return text != NULL && load (self, NULL, text, name, error);
}

gboolean
ssapp_sketches_copy (SsappSketches *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self) && id != NULL, FALSE);
  g_autofree char *title = NULL, *own = g_strdup (id);
  SsappSketchRow *row;
  gboolean ok;

  if (!require_store (self, error) || !keep_before_switching (self, error))
    return FALSE;
  row = ssapp_store_get_sketch (self->store, own, error);
  if (row == NULL)
    return FALSE;
  title = g_strdup_printf ("%s (copy)", row->title);
  ok = add (self, row->text, title, error);
  ssapp_sketch_row_free (row);
  return ok;
}

gboolean
ssapp_sketches_rename (SsappSketches *self, const char *id, const char *title, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self) && id != NULL && title != NULL, FALSE);
  g_autofree char *stripped = g_strstrip (g_strdup (title)), *name = ssapp_sketch_name_of_title (stripped),
                  *text = NULL, *own = g_strdup (id);
  SsappSketchRow *row;
  gboolean ok;

  if (*stripped == '\0') {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("A sketch needs a name"));
    return FALSE;
  }
  if (!require_store (self, error) || (g_strcmp0 (own, self->current) == 0 && !keep_before_switching (self, error)))
    return FALSE;
  row = ssapp_store_get_sketch (self->store, own, error);
  if (row == NULL)
    return FALSE;
  text = retitle (row->text, stripped, name, error);
  if (text == NULL)
    ok = FALSE;
  else if (g_strcmp0 (own, self->current) == 0)
    ok = ssapp_document_set_source_as (self->document, text, _ ("Rename sketch"), error) &&
         keep_before_switching (self, error);
  else
    ok = ssapp_store_set_sketch_text (self->store, own, text, row->sha256, _ ("Rename sketch"), error);
  ok = ok && ssapp_store_rename_sketch (self->store, own, name, error);
  ssapp_sketch_row_free (row);
  g_signal_emit (self, signals[CHANGED], 0);
  return ok;
}

GPtrArray *
ssapp_sketches_list_versions (SsappSketches *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self) && id != NULL, NULL);
  g_autofree char *own = g_strdup (id);

  if (self->store == NULL) {
    (void)require_store (self, error);
    return NULL;
  }
  if (can_write (self))
    (void)flush (self, TRUE, NULL);
  return ssapp_store_list_versions (self->store, own, error);
}

gboolean
ssapp_sketches_go_back (SsappSketches *self, const char *id, int number, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self) && id != NULL, FALSE);
  g_autofree char *label = g_strdup_printf (_ ("Go back to version %d"), number), *own = g_strdup (id);
  SsappSketchVersion *version;
  gboolean ok;

  if (!ssapp_sketches_open (self, own, error))
    return FALSE;
  version = ssapp_store_get_version (self->store, own, number, error);
  ok = version != NULL && ssapp_document_set_source_as (self->document, version->text, label, error);
  ssapp_sketch_version_free (version);
  return ok;
}

gboolean
ssapp_sketches_delete (SsappSketches *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self) && id != NULL, FALSE);
  const gboolean is_current = g_strcmp0 (id, self->current) == 0;
  g_autofree char *gone = g_strdup (id);

  if (!require_store (self, error) || (is_current && !keep_before_switching (self, error)) ||
      !ssapp_store_delete_sketch (self->store, gone, error))
    return FALSE;
  if (is_current) {
    g_autoptr (GPtrArray) rows = ssapp_sketches_list (self, NULL);
    g_autoptr (SsappDocument) empty = ssapp_document_new ();
    g_free (self->deleted);
    self->deleted = g_strdup (gone);
    set_current (self, NULL, NULL);
    if (rows == NULL || rows->len == 0 ||
        !ssapp_sketches_open (self, ((SsappSketchRow *)g_ptr_array_index (rows, 0))->id, NULL))
      (void)load (self, NULL, ssapp_document_get_text (empty), NULL, NULL);
  }
  g_signal_emit (self, signals[CHANGED], 0);
  return TRUE;
}

gboolean
ssapp_sketches_undelete (SsappSketches *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self) && id != NULL, FALSE);
  g_autofree char *back = g_strdup (id);
  gboolean ok;

  if (!require_store (self, error) || !ssapp_store_undelete_sketch (self->store, back, error))
    return FALSE;
  ok = g_strcmp0 (self->deleted, back) != 0 || ssapp_sketches_open (self, back, error);
  g_clear_pointer (&self->deleted, g_free);
  g_signal_emit (self, signals[CHANGED], 0);
  return ok;
}

char *
ssapp_sketch_name_of_title (const char *title)
{
  GString *name = g_string_new (NULL);

  for (const char *c = title; *c != '\0'; c++)
    if (g_ascii_isalnum (*c))
      g_string_append_c (name, g_ascii_tolower (*c));
    else if (name->len > 0 && name->str[name->len - 1] != '-')
      g_string_append_c (name, '-');
  while (name->len > 0 && name->str[name->len - 1] == '-')
    g_string_truncate (name, name->len - 1);
  if (name->len == 0)
    g_string_append (name, "sketch");
  return g_string_free (name, FALSE);
}

/* ---- view -------------------------------------------------------------------------------------------------------- */

char *
ssapp_sketches_get_view (SsappSketches *self, const char *key)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self) && key != NULL, NULL);
  const json_t *value = json_object_get (self->view, key);

  return value != NULL ? json_dumps (value, JSON_ENCODE_ANY | SSAPP_JSON_FLAGS) : NULL;
}

gboolean
ssapp_sketches_set_view (SsappSketches *self, const char *key, const char *json)
{
  g_return_val_if_fail (SSAPP_IS_SKETCHES (self) && key != NULL, FALSE);
  json_t *value = json != NULL ? json_loads (json, JSON_DECODE_ANY, NULL) : NULL;

  if (json != NULL && value == NULL)
    return FALSE;
  if (value == NULL ? json_object_get (self->view, key) == NULL
                    : json_equal (value, json_object_get (self->view, key))) {
    json_decref (value);
    return TRUE;
  }
  if (value == NULL)
    json_object_del (self->view, key);
  else
    json_object_set_new (self->view, key, value);
  if (self->current != NULL) {
    self->view_waits = TRUE;
    flush_soon (self);
  }
  return TRUE;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssapp_sketches_dispose (GObject *object)
{
  SsappSketches *self = SSAPP_SKETCHES (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  if (self->store != NULL)
    (void)flush (self, FALSE, NULL);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->store);
  g_clear_object (&self->document);
  g_clear_pointer (&self->current, g_free);
  g_clear_pointer (&self->sha256, g_free);
  g_clear_pointer (&self->pending, g_free);
  g_clear_pointer (&self->changes, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->deleted, g_free);
  g_clear_pointer (&self->view, json_decref);
  G_OBJECT_CLASS (ssapp_sketches_parent_class)->dispose (object);
}

static void
ssapp_sketches_class_init (SsappSketchesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssapp_sketches_dispose;
  signals[CHANGED] =
      g_signal_new ("changed", SSAPP_TYPE_SKETCHES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[VIEW_CHANGED] =
      g_signal_new ("view-changed", SSAPP_TYPE_SKETCHES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PICTURE_LOST] =
      g_signal_new ("picture-lost", SSAPP_TYPE_SKETCHES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[KEPT] = g_signal_new ("kept", SSAPP_TYPE_SKETCHES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", SSAPP_TYPE_SKETCHES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_STRING);
}

static void
ssapp_sketches_init (SsappSketches *self)
{
  self->view = json_object ();
}

SsappSketches *
ssapp_sketches_new (SsappDocument *document)
{
  SsappSketches *self = g_object_new (SSAPP_TYPE_SKETCHES, NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (document, "loaded", G_CALLBACK (on_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_edited), self, G_CONNECT_SWAPPED);
  return self;
}
