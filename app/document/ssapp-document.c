/* app/document/ssapp-document.c: the edited scenario: snapshots, gestures, selection, files. See the header; the JSON
 * work is in ssapp-document-tree.c. */
#include "app/document/ssapp-document.h"
#include "app/base/ssapp-file.h"
#include "app/document/ssapp-document-private.h"
#include "app/document/ssapp-picture.h"
#include "app/export/ssapp-export.h"
#include "scene/ss-nl.h"

#include <glib/gi18n.h>
#include <string.h>

/* Steps kept for undo. Whole texts of a few kB each: a megabyte at most for ordinary sketches. */
#define UNDO_LIMIT 200

static const char EMPTY_SKETCH[] = "{\n"
                                   "  \"format\": 1,\n"
                                   "  \"name\": \"sketch\",\n"
                                   "  \"title\": \"Untitled Sketch\",\n"
                                   "  \"scene\": {\n"
                                   "    \"gravity\": [0, -9.81],\n"
                                   "    \"friction\": 0.5,\n"
                                   "    \"restitution\": 0,\n"
                                   "    \"bodies\": [],\n"
                                   "    \"contacts\": \"all\"\n"
                                   "  },\n"
                                   "  \"task\": {\"t_end\": 2, \"dt\": 0.01}\n"
                                   "}\n";

/* What undo goes back to. */
typedef struct {
  char *text, *selected, *item;
  char **others;
  char *label;        /* of the edit that left this state */
  SsappStepSwap swap; /* of a step beside the text; then there is no text, and `state` is exchanged */
  gpointer state;
  GDestroyNotify destroy;
} Snapshot;

struct _SsappDocument {
  GObject parent_instance;
  char *path;       /* owned, nullable                                     */
  char *text;       /* the master                                          */
  char *saved_text; /* as loaded or saved; for the dirty mark              */
  json_t *root;     /* tree of `text`                                      */
  SsScenario *scenario;
  char *selected;       /* name of a body, nullable                            */
  char *item;           /* path of another entry, nullable; not both           */
  char **others;        /* keys of what else is selected, never NULL           */
  GPtrArray *keys;      /* the whole selection for callers, the primary last   */
  GQueue undo, redo;    /* of Snapshot, newest at the head                     */
  Snapshot *gesture;    /* state before the running gesture, else NULL         */
  guint step;           /* of the history, see the header                      */
  SsappPicture picture; /* of the current scenario, made on demand */
};

G_DEFINE_FINAL_TYPE (SsappDocument, ssapp_document, G_TYPE_OBJECT)

enum { SIGNAL_LOADED, SIGNAL_CHANGED, SIGNAL_SELECTION_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
snapshot_free (Snapshot *snapshot)
{
  if (snapshot == NULL)
    return;
  g_free (snapshot->text);
  g_free (snapshot->selected);
  g_free (snapshot->item);
  g_strfreev (snapshot->others);
  g_free (snapshot->label);
  if (snapshot->destroy != NULL)
    snapshot->destroy (snapshot->state);
  g_free (snapshot);
}

static Snapshot *
take_snapshot (SsappDocument *self, const char *label)
{
  Snapshot *snapshot = g_new0 (Snapshot, 1);
  snapshot->text = g_strdup (self->text);
  snapshot->selected = g_strdup (self->selected);
  snapshot->item = g_strdup (self->item);
  snapshot->others = g_strdupv (self->others);
  snapshot->label = g_strdup (label);
  return snapshot;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* All problems in one message, a line each; the first ones are enough for a person. */
static void
set_problems_error (GError **error, const SsProblems *problems)
{
  enum { SHOWN = 5 };
  g_autoptr (GString) message = g_string_new (NULL);
  char line[1024];

  for (int i = 0; i < problems->n_items && i < SHOWN; i++) {
    ss_error_format (&problems->items[i], line, sizeof line);
    g_string_append_printf (message, "%s%s", i > 0 ? "\n" : "", line);
  }
  if (problems->n_items > SHOWN)
    g_string_append_printf (message, _ ("\nand %d more"), problems->n_items - SHOWN);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       message->len > 0 ? message->str : _ ("The scenario cannot be read"));
}

static SsScenario *
read_text (const char *text, gsize length, const char *file, GError **error)
{
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (ss_scenario_read (text, length, file != NULL ? file : "", NULL, 0, &problems, &scenario) != SS_OK)
    set_problems_error (error, &problems);
  ss_problems_clear (&problems);
  return scenario;
}

/* Takes over text, root and scenario (all owned by the document from here on). */
static void
install (SsappDocument *self, char *text, json_t *root, SsScenario *scenario)
{
  ssapp_picture_clear (&self->picture);
  g_free (self->text);
  json_decref (self->root);
  ss_scenario_free (self->scenario);
  self->text = text;
  self->root = root;
  self->scenario = scenario;
}

int
ssapp_document_find_contact (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), 0);

  const SsScene *scene = ssapp_document_scene (self);
  g_autofree char *name_a = NULL, *name_b = NULL;
  int a, b;

  if (scene == NULL || !ssapp_tree_parse_contact (path, &name_a, &name_b, NULL))
    return -1;
  a = ss_scene_find (scene, SS_OWNER_BODY, name_a);
  b = ss_scene_find (scene, SS_OWNER_BODY, name_b);
  for (int i = 0; i < scene->n_contacts; i++)
    if ((scene->contacts[i].body_a == a && scene->contacts[i].body_b == b) ||
        (scene->contacts[i].body_a == b && scene->contacts[i].body_b == a))
      return i;
  return -1;
}

gboolean
ssapp_key_is_item (const char *key)
{
  return g_str_has_prefix (key, "scene.") || g_str_has_prefix (key, "task."); /* names of bodies have no dot */
}

static gboolean
has_body (SsappDocument *self, const char *name)
{
  return ss_scene_find (self->scenario->scene, SS_OWNER_BODY, name) >= 0;
}

/* Whether the path leads to something that can be selected. */
static gboolean
has_item (SsappDocument *self, const char *item)
{
  if (json_is_object (ssapp_tree_get (self->root, item)))
    return TRUE;
  return ssapp_tree_parse_contact (item, NULL, NULL, NULL) && ssapp_document_find_contact (self, item) >= 0;
}

static gboolean
has_key (SsappDocument *self, const char *key)
{
  return ssapp_key_is_item (key) ? has_item (self, key) : has_body (self, key);
}

/* Those of the keys that are there, each once, without the primary; the caller frees. */
static char **
keep_known (SsappDocument *self, const char *const *others, const char *primary)
{
  GPtrArray *known = g_ptr_array_new ();

  for (; others != NULL && *others != NULL; others++)
    if (g_strcmp0 (*others, primary) != 0 && has_key (self, *others) &&
        !g_ptr_array_find_with_equal_func (known, *others, g_str_equal, NULL))
      g_ptr_array_add (known, g_strdup (*others));
  g_ptr_array_add (known, NULL);
  return (char **)g_ptr_array_free (known, FALSE);
}

static const char *
primary_of (SsappDocument *self)
{
  return self->selected != NULL ? self->selected : self->item;
}

/* FALSE if it is selected already. Takes `others`. */
static gboolean
store_selection (SsappDocument *self, char **others, const char *primary)
{
  gboolean is_item = primary != NULL && ssapp_key_is_item (primary);
  char *copy = g_strdup (primary);

  if (g_strcmp0 (primary, primary_of (self)) == 0 &&
      g_strv_equal ((const char *const *)others, (const char *const *)self->others)) {
    g_strfreev (others);
    g_free (copy);
    return FALSE;
  }
  g_strfreev (self->others);
  g_free (self->selected);
  g_free (self->item);
  self->others = others;
  self->selected = is_item ? NULL : copy;
  self->item = is_item ? copy : NULL;
  return TRUE;
}

void
ssapp_document_set_keys (SsappDocument *self, const char *const *others, const char *primary)
{
  char **known;

  if (primary != NULL && !has_key (self, primary))
    primary = NULL;
  known = keep_known (self, others, primary);
  if (store_selection (self, known, primary))
    g_signal_emit (self, signals[SIGNAL_SELECTION_CHANGED], 0);
}

static void
set_selected (SsappDocument *self, const char *key)
{
  ssapp_document_set_keys (self, NULL, key);
}

/* The selection may name bodies or entries that are gone: nobody shall see them then. Of what is left the last one is
 * the primary. Whether anything went. */
static gboolean
prune_selection (SsappDocument *self)
{
  const char *primary = primary_of (self);
  gboolean is_gone = primary != NULL && !has_key (self, primary);
  g_auto (GStrv) known = keep_known (self, (const char *const *)self->others, is_gone ? NULL : primary);
  guint n = g_strv_length (known);
  g_autofree char *last = is_gone && n > 0 ? g_steal_pointer (&known[n - 1]) : g_strdup (is_gone ? NULL : primary);

  return store_selection (self, g_steal_pointer (&known), last);
}

static void
announce (SsappDocument *self)
{
  gboolean is_stale = prune_selection (self);

  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  if (is_stale)
    g_signal_emit (self, signals[SIGNAL_SELECTION_CHANGED], 0);
}

static void
push_undo (SsappDocument *self, Snapshot *snapshot)
{
  self->step++;
  g_queue_push_head (&self->undo, snapshot);
  while (self->undo.length > UNDO_LIMIT)
    snapshot_free (g_queue_pop_tail (&self->undo));
  g_queue_clear_full (&self->redo, (GDestroyNotify)snapshot_free);
}

gboolean
ssapp_document_commit_keys (SsappDocument *self, json_t *root, const char *label, const char *const *others,
                            const char *primary, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  char *text = ssapp_tree_write (root);
  SsScenario *scenario = read_text (text, strlen (text), NULL, error);
  gboolean is_other;

  if (scenario == NULL) {
    g_free (text);
    json_decref (root);
    return FALSE;
  }
  if (self->gesture == NULL)
    push_undo (self, take_snapshot (self, label));
  install (self, text, root, scenario);
  /* Before anybody looks: what was selected may be gone. */
  is_other = store_selection (self, g_strdupv ((char **)others), primary);
  announce (self);
  if (is_other)
    g_signal_emit (self, signals[SIGNAL_SELECTION_CHANGED], 0);
  return TRUE;
}

gboolean
ssapp_document_commit_selecting (SsappDocument *self, json_t *root, const char *label, const char *item, GError **error)
{
  static const char *const none[] = {NULL};

  return ssapp_document_commit_keys (self, root, label, none, item, error);
}

gboolean
ssapp_document_commit (SsappDocument *self, json_t *root, const char *label, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_auto (GStrv) others = g_strdupv (self->others);
  g_autofree char *primary = g_strdup (primary_of (self));

  return ssapp_document_commit_keys (self, root, label, (const char *const *)others, primary, error);
}

gboolean
ssapp_document_commit_change (SsappDocument *self, json_t *root, const char *label, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (!json_equal (root, self->root))
    return ssapp_document_commit (self, root, label, error);
  json_decref (root);
  return TRUE;
}

static gboolean
restore (SsappDocument *self, const Snapshot *snapshot)
{
  SsScenario *scenario = read_text (snapshot->text, strlen (snapshot->text), self->path, NULL);
  json_t *root = json_loads (snapshot->text, 0, NULL);

  if (scenario == NULL || root == NULL) { /* it was accepted before; only a lack of memory gets here */
    ss_scenario_free (scenario);
    json_decref (root);
    return FALSE;
  }
  install (self, g_strdup (snapshot->text), root, scenario);
  ssapp_document_set_keys (self, (const char *const *)snapshot->others,
                           snapshot->selected != NULL ? snapshot->selected : snapshot->item);
  announce (self);
  return TRUE;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_document_load_text (SsappDocument *self, const char *text, gssize length, const char *file_name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  gsize n = length < 0 ? strlen (text) : (gsize)length;
  SsScenario *scenario = read_text (text, n, file_name, error);
  json_error_t json_error;
  json_t *root;

  if (scenario == NULL)
    return FALSE;
  root = json_loadb (text, n, 0, &json_error);
  if (root == NULL) {
    ss_scenario_free (scenario);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%d: %s", file_name != NULL ? file_name : "",
                 json_error.line, json_error.text);
    return FALSE;
  }
  install (self, g_strndup (text, n), root, scenario);
  g_queue_clear_full (&self->undo, (GDestroyNotify)snapshot_free);
  g_queue_clear_full (&self->redo, (GDestroyNotify)snapshot_free);
  g_clear_pointer (&self->gesture, snapshot_free);
  self->step++;
  g_clear_pointer (&self->path, g_free);
  g_free (self->saved_text);
  self->saved_text = g_strdup (self->text);
  set_selected (self, NULL);
  g_signal_emit (self, signals[SIGNAL_LOADED], 0);
  announce (self);
  return TRUE;
}

gboolean
ssapp_document_load_file (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *text = NULL, *name = g_path_get_basename (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, 0, NULL, error);
  SsProblems problems;
  gsize length = 0;

  if (info == NULL)
    return FALSE;
  if (g_file_info_get_size (info) > (goffset)SS_SCENARIO_MAX_BYTES) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("“%s” is larger than a scenario may be (%u MB)"), name,
                 SS_SCENARIO_MAX_BYTES >> 20);
    return FALSE;
  }
  if (!ssapp_read_file (path, 0, &text, &length, error))
    return FALSE;
  ss_problems_init (&problems);
  const gboolean is_taken = ssapp_take_nl (path, &text, &length, &problems);
  if (!is_taken)
    set_problems_error (error, &problems);
  ss_problems_clear (&problems);
  if (!is_taken || !ssapp_document_load_text (self, text, (gssize)length, name, error))
    return FALSE;
  /* A scenario that is saved must not replace the problem that it was made from. */
  self->path = ss_nl_is_path (path) ? NULL : g_file_get_path (file);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return TRUE;
}

gboolean
ssapp_document_save (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (path != NULL || self->path != NULL, FALSE);
  g_autofree char *target = g_strdup (path != NULL ? path : self->path);

  if (!ssapp_write_file (target, self->text, (gssize)strlen (self->text), error))
    return FALSE;
  g_free (self->path);
  self->path = g_steal_pointer (&target);
  g_free (self->saved_text);
  self->saved_text = g_strdup (self->text);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return TRUE;
}

void
ssapp_document_mark_saved (SsappDocument *self)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));
  if (!ssapp_document_is_dirty (self))
    return;
  g_free (self->saved_text);
  self->saved_text = g_strdup (self->text);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

gboolean
ssapp_document_set_source (SsappDocument *self, const char *text, GError **error)
{
  return ssapp_document_set_source_as (self, text, "Edit source", error);
}

gboolean
ssapp_document_set_source_as (SsappDocument *self, const char *text, const char *label, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && text != NULL && (label != NULL || self->gesture != NULL), FALSE);
  if (strcmp (text, self->text) == 0)
    return TRUE;
  SsScenario *scenario = read_text (text, strlen (text), NULL, error);
  if (scenario == NULL)
    return FALSE;
  json_t *root = json_loads (text, 0, NULL);
  if (root == NULL) { /* the reader took it: only a lack of memory gets here */
    ss_scenario_free (scenario);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("The text cannot be taken over"));
    return FALSE;
  }
  if (label != NULL) {
    ssapp_document_end_gesture (self);
    push_undo (self, take_snapshot (self, label));
  }
  install (self, g_strdup (text), root, scenario);
  announce (self);
  return TRUE;
}

const char *
ssapp_document_get_path (SsappDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->path;
}

json_t *
ssapp_document_root (SsappDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->root;
}

const char *
ssapp_document_get_text (SsappDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->text;
}

const char *
ssapp_document_get_name (SsappDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->scenario->name;
}

const char *
ssapp_document_get_title (SsappDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  const char *title = self->scenario->title;
  return title != NULL && *title != '\0' ? title : self->scenario->name;
}

gboolean
ssapp_document_is_dirty (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  return g_strcmp0 (self->text, self->saved_text) != 0;
}

gboolean
ssapp_document_is_scene (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  return self->scenario->scene != NULL;
}

const SsScenario *
ssapp_document_get_scenario (SsappDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->scenario;
}

const SsScene *
ssapp_document_scene (SsappDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->scenario->scene;
}

SsScenario *
ssapp_document_dup_scenario (SsappDocument *self, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  return read_text (self->text, strlen (self->text), self->path, error);
}

/* ---- undo -------------------------------------------------------------------------------------------------------- */

const char *
ssapp_document_get_undo_label (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  const Snapshot *snapshot = g_queue_peek_head (&self->undo);
  return snapshot != NULL ? snapshot->label : NULL;
}

const char *
ssapp_document_get_redo_label (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  const Snapshot *snapshot = g_queue_peek_head (&self->redo);
  return snapshot != NULL ? snapshot->label : NULL;
}

static void
step_history (SsappDocument *self, GQueue *from, GQueue *to)
{
  Snapshot *snapshot = g_queue_pop_head (from), *now;

  ssapp_document_end_gesture (self);
  if (snapshot == NULL)
    return;
  self->step++;
  if (snapshot->swap != NULL) {
    g_queue_push_head (to, snapshot);
    snapshot->swap (snapshot->state);
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
    return;
  }
  now = take_snapshot (self, snapshot->label);
  g_queue_push_head (to, now);
  if (!restore (self, snapshot))
    snapshot_free (g_queue_pop_head (to));
  snapshot_free (snapshot);
}

void
ssapp_document_push_step (SsappDocument *self, const char *label, SsappStepSwap swap, gpointer state,
                          GDestroyNotify destroy)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self) && label != NULL && swap != NULL);
  Snapshot *snapshot = g_new0 (Snapshot, 1);

  *snapshot = (Snapshot){.label = g_strdup (label), .swap = swap, .state = state, .destroy = destroy};
  ssapp_document_end_gesture (self);
  push_undo (self, snapshot);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
ssapp_document_undo (SsappDocument *self)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));
  step_history (self, &self->undo, &self->redo);
}

void
ssapp_document_redo (SsappDocument *self)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));
  step_history (self, &self->redo, &self->undo);
}

GPtrArray *
ssapp_document_list_steps (SsappDocument *self, gboolean is_redo)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  GPtrArray *labels = g_ptr_array_new ();

  for (const GList *step = is_redo ? self->redo.head : self->undo.head; step != NULL; step = step->next)
    g_ptr_array_add (labels, ((const Snapshot *)step->data)->label);
  return labels;
}

void
ssapp_document_go (SsappDocument *self, int n_steps)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));

  GQueue *from = n_steps < 0 ? &self->undo : &self->redo, *to = n_steps < 0 ? &self->redo : &self->undo;

  for (int i = 0; i < ABS (n_steps) && from->length > 0; i++)
    step_history (self, from, to);
}

void
ssapp_document_begin_gesture (SsappDocument *self, const char *label)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));
  ssapp_document_end_gesture (self);
  self->gesture = take_snapshot (self, label);
  self->step++;
}

guint
ssapp_document_get_step (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), 0);
  return self->step;
}

void
ssapp_document_end_gesture (SsappDocument *self)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));

  Snapshot *before = g_steal_pointer (&self->gesture);

  if (before == NULL)
    return;
  if (strcmp (before->text, self->text) == 0) {
    snapshot_free (before);
    return;
  }
  push_undo (self, before);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
ssapp_document_cancel_gesture (SsappDocument *self)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));

  Snapshot *before = g_steal_pointer (&self->gesture);

  if (before != NULL && strcmp (before->text, self->text) != 0)
    restore (self, before);
  snapshot_free (before);
}

/* ---- selection --------------------------------------------------------------------------------------------------- */

const char *
ssapp_document_get_selected (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  return self->selected;
}

int
ssapp_document_get_selected_index (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), 0);
  return ss_scene_find (self->scenario->scene, SS_OWNER_BODY, self->selected);
}

const char *
ssapp_document_get_selected_item (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  return self->item;
}

const char *const *
ssapp_document_get_selection (SsappDocument *self, int *n)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  g_ptr_array_set_size (self->keys, 0);
  for (int i = 0; self->others[i] != NULL; i++)
    g_ptr_array_add (self->keys, self->others[i]);
  if (primary_of (self) != NULL)
    g_ptr_array_add (self->keys, (char *)primary_of (self));
  if (n != NULL)
    *n = (int)self->keys->len;
  g_ptr_array_add (self->keys, NULL);
  return (const char *const *)self->keys->pdata;
}

void
ssapp_document_select (SsappDocument *self, const char *name)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));
  set_selected (self, name != NULL && !ssapp_key_is_item (name) ? name : NULL);
}

/* ---- picture ----------------------------------------------------------------------------------------------------- */

const SsMark *
ssapp_document_get_marks (SsappDocument *self, int *n_marks)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  ssapp_picture_ensure (&self->picture, self->scenario);
  *n_marks = self->picture.n_marks;
  return self->picture.marks;
}

void
ssapp_document_get_bounds (SsappDocument *self, double bounds[4])
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));
  ssapp_picture_ensure (&self->picture, self->scenario);
  ssapp_picture_bounds (&self->picture, bounds);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssapp_document_finalize (GObject *object)
{
  SsappDocument *self = SSAPP_DOCUMENT (object);

  ssapp_picture_clear (&self->picture);
  g_queue_clear_full (&self->undo, (GDestroyNotify)snapshot_free);
  g_queue_clear_full (&self->redo, (GDestroyNotify)snapshot_free);
  snapshot_free (self->gesture);
  g_free (self->path);
  g_free (self->text);
  g_free (self->saved_text);
  g_free (self->selected);
  g_free (self->item);
  g_strfreev (self->others);
  g_ptr_array_unref (self->keys);
  json_decref (self->root);
  ss_scenario_free (self->scenario);
  G_OBJECT_CLASS (ssapp_document_parent_class)->finalize (object);
}

static void
ssapp_document_class_init (SsappDocumentClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_document_finalize;
  signals[SIGNAL_LOADED] =
      g_signal_new ("loaded", SSAPP_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", SSAPP_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_SELECTION_CHANGED] =
      g_signal_new ("selection-changed", SSAPP_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_document_init (SsappDocument *self)
{
  g_autoptr (GError) error = NULL;

  g_queue_init (&self->undo);
  g_queue_init (&self->redo);
  self->others = g_new0 (char *, 1);
  self->keys = g_ptr_array_new ();
  if (!ssapp_document_load_text (self, EMPTY_SKETCH, -1, NULL, &error))
    g_error ("the empty sketch cannot be read: %s", error->message);
}

SsappDocument *
ssapp_document_new (void)
{
  return g_object_new (SSAPP_TYPE_DOCUMENT, NULL);
}
