/* app/document/ssapp-document-copy.c: selected objects deleted, copied as text, pasted, duplicated, and repeated in an
 * array. What a piece holds: ssapp-piece.c. Tests: tests/unit/test-document-selection.c,
 * tests/unit/test-document-copy.c */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* ---- deleting ---------------------------------------------------------------------------------------------------- */

/* Where the entry is now in the list that the path begins with; NULL if it went with something else. Caller frees. */
static char *
find_again (json_t *root, const char *path, const json_t *entry)
{
  const char *bracket = strrchr (path, '[');
  g_autofree char *list_path = bracket != NULL ? g_strndup (path, (gsize)(bracket - path)) : NULL;
  json_t *list = list_path != NULL ? ssapp_tree_get (root, list_path) : NULL;

  for (size_t i = 0; i < json_array_size (list); i++)
    if (json_array_get (list, i) == entry)
      return g_strdup_printf ("%s[%zu]", list_path, i);
  return list_path == NULL && ssapp_tree_get (root, path) == entry ? g_strdup (path) : NULL;
}

/* Bodies with what belongs to them, then the entries that are still there. */
static void
remove_keys (SsappDocument *self, json_t *root, char **keys)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();

  for (char **key = keys; *key != NULL; key++) /* before places in lists change */
    g_ptr_array_add (entries, ssapp_key_is_item (*key) ? json_incref (ssapp_tree_get (root, *key)) : NULL);
  for (char **key = keys; *key != NULL; key++)
    if (!ssapp_key_is_item (*key))
      ssapp_tree_remove_body (root, ssapp_document_scene (self), *key);
  for (guint i = 0; i < entries->len; i++) {
    json_t *entry = g_ptr_array_index (entries, i);
    g_autofree char *path = entry != NULL ? find_again (root, keys[i], entry) : NULL;
    if (path != NULL)
      ssapp_tree_remove_item (root, path);
    json_decref (entry);
  }
}

/* Contacts are turned off; they go by names, which stay. */
static gboolean
turn_contacts_off (SsappDocument *self, char **keys, GError **error)
{
  for (char **key = keys; *key != NULL; key++)
    if (ssapp_tree_parse_contact (*key, NULL, NULL, NULL) && ssapp_document_find_contact (self, *key) >= 0 &&
        !ssapp_document_set_contact_on (self, *key, FALSE, error))
      return FALSE;
  return TRUE;
}

gboolean
ssapp_document_delete_selection (SsappDocument *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_auto (GStrv) keys = g_strdupv ((char **)ssapp_document_get_selection (self, NULL));
  g_autofree char *words = ssapp_document_describe_selection (self), *label = g_strdup_printf ("Delete %s", words);
  g_autoptr (GPtrArray) rest = g_ptr_array_new ();
  static const char *const none[] = {NULL};
  gboolean done;
  json_t *root;

  for (char **key = keys; *key != NULL; key++) {
    int index = ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, *key);
    if (index >= 0 && ssapp_document_scene (self)->bodies[index].item < 0) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   _ ("“%s” is one of a family that the file writes by a rule: change the rule in the file"), *key);
      return FALSE;
    }
    if (!ssapp_tree_parse_contact (*key, NULL, NULL, NULL))
      g_ptr_array_add (rest, *key);
  }
  g_ptr_array_add (rest, NULL);
  ssapp_document_begin_gesture (self, label);
  done = turn_contacts_off (self, keys, error);
  if (done && rest->len > 1) {
    root = json_deep_copy (ssapp_document_root (self));
    remove_keys (self, root, (char **)rest->pdata);
    done = ssapp_document_commit_keys (self, root, label, none, NULL, error);
  }
  return ssapp_document_finish_gesture (self, done);
}

/* ---- copying ----------------------------------------------------------------------------------------------------- */

/* The piece of what is selected; NULL with an error. */
static json_t *
take_selection (SsappDocument *self, GError **error)
{
  g_auto (GStrv) keys = g_strdupv ((char **)ssapp_document_get_selection (self, NULL));
  json_t *piece;

  if (!ssapp_document_require_scene (self, error))
    return NULL;
  piece = ssapp_piece_take (self, (const char *const *)keys);
  if (piece == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         _ ("Select a body to copy: joints, goals and drives go with their bodies"));
  return piece;
}

char *
ssapp_document_copy_selection (SsappDocument *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  json_t *piece = take_selection (self, error);
  char *text = piece != NULL ? ssapp_tree_write (piece) : NULL;

  json_decref (piece);
  return text;
}

/* Whether the body would lie exactly on another one of those before `n_old` that is like it. */
static gboolean
lies_on_twin (const SsScene *scene, int body, int n_old, double dx, double dy)
{
  const double same = 1e-9; /* m, kg, kg m2 */
  const SsBody *b = &scene->bodies[body];

  for (int i = 0; i < n_old; i++) {
    const SsBody *other = &scene->bodies[i];
    if (other->shape.kind == b->shape.kind && fabs (other->mass - b->mass) < same &&
        fabs (other->inertia - b->inertia) < same && fabs (b->q[0] + dx - other->q[0]) < same &&
        fabs (b->q[1] + dy - other->q[1]) < same)
      return TRUE;
  }
  return FALSE;
}

/* How often (dx, dy) is added to what came behind the first `n_old` bodies until nothing lies on its twin. */
static SsVec2
find_free_place (SsappDocument *self, int n_old, SsVec2 step)
{
  enum { TRIES = 100 };
  const SsScene *scene = ssapp_document_scene (self);
  int shift = 0;

  for (int b = n_old; b < scene->n_bodies && shift < TRIES && (step.x != 0 || step.y != 0);)
    if (lies_on_twin (scene, b, n_old, shift * step.x, shift * step.y)) {
      shift++;
      b = n_old;
    } else {
      b++;
    }
  return (SsVec2){shift * step.x, shift * step.y};
}

/* What has a place, of the keys of something new: it is selected then. */
static void
keep_placed (SsappDocument *self, GPtrArray *keys)
{
  for (guint i = keys->len; i-- > 0;)
    if (!ssapp_document_is_movable (self, g_ptr_array_index (keys, i)))
      g_ptr_array_remove_index (keys, i);
  g_ptr_array_add (keys, NULL);
}

/* Copies of a piece in one step of undo, each taken elsewhere by its isometry; or, where these are NULL, by as many
 * `beside` as keep it off its twin. What came is selected. */
static gboolean
insert_copies (SsappDocument *self, const json_t *piece, int n, const SsappIsometry *isometries, const SsVec2 *beside,
               const char *label, GError **error)
{
  int n_old = ssapp_document_scene (self)->n_bodies;
  json_t *root = json_deep_copy (ssapp_document_root (self));
  g_autoptr (GPtrArray) sets = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref),
                        candidates = g_ptr_array_new_with_free_func (g_free),
                        all = g_ptr_array_new_with_free_func (g_free);
  gboolean done;

  for (int i = 0; i < n; i++) {
    GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);
    ssapp_piece_insert (self, root, piece, keys, candidates);
    for (guint k = 0; k < keys->len; k++)
      g_ptr_array_add (all, g_strdup (g_ptr_array_index (keys, k)));
    g_ptr_array_add (keys, NULL);
    g_ptr_array_add (sets, keys);
  }
  ssapp_document_begin_gesture (self, label);
  done = ssapp_document_commit (self, root, label, error);
  for (int i = 0; done && i < n; i++) {
    const GPtrArray *keys = g_ptr_array_index (sets, i);
    SsVec2 shift = isometries == NULL ? find_free_place (self, n_old, *beside) : (SsVec2){0, 0};
    const SsappIsometry iso = isometries != NULL ? isometries[i] : ssapp_isometry_move (shift.x, shift.y);
    done = ssapp_document_transform (self, (const char *const *)keys->pdata, &iso, label, error);
  }
  for (guint i = 0; done && i < candidates->len; i++)
    if (ssapp_document_find_contact (self, g_ptr_array_index (candidates, i)) >= 0)
      done = ssapp_document_set_candidate (self, g_ptr_array_index (candidates, i), TRUE, error);
  if (!ssapp_document_finish_gesture (self, done))
    return FALSE;
  keep_placed (self, all);
  ssapp_document_set_selection (self, (const char *const *)all->pdata);
  return TRUE;
}

gboolean
ssapp_document_duplicate_selection (SsappDocument *self, double dx, double dy, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  json_t *piece = take_selection (self, error);
  g_autofree char *words = ssapp_document_describe_selection (self), *label = g_strdup_printf ("Duplicate %s", words);
  const SsappIsometry iso = ssapp_isometry_move (dx, dy);
  gboolean done;

  if (piece == NULL)
    return FALSE;
  done = insert_copies (self, piece, 1, &iso, NULL, label, error);
  json_decref (piece);
  return done;
}

gboolean
ssapp_document_paste (SsappDocument *self, const char *text, double dx, double dy, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && text != NULL, FALSE);
  const SsVec2 step = {dx, dy};
  json_t *piece;
  g_autofree char *label = NULL;
  size_t n;
  gboolean done;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  piece = ssapp_piece_parse (text, error);
  if (piece == NULL)
    return FALSE;
  n = json_array_size (ssapp_tree_get (piece, "scene.bodies"));
  label = n == 1 ? g_strdup ("Paste a body") : g_strdup_printf ("Paste %zu bodies", n);
  done = insert_copies (self, piece, 1, NULL, &step, label, error);
  json_decref (piece);
  return done;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

gboolean
ssapp_document_array_selection (SsappDocument *self, int n, double dx, double dy, double angle, const SsVec2 *centre,
                                GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  enum { COPIES_MAX = 200 };
  g_autofree char *words = ssapp_document_describe_selection (self), *label = NULL;
  g_autofree SsappIsometry *isometries = NULL;
  json_t *piece;
  SsVec2 middle;
  gboolean done;

  if (n < 2 || n > COPIES_MAX) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("An array has 2 to %d objects"), COPIES_MAX);
    return FALSE;
  }
  if (!isfinite (dx + dy + angle) || (dx == 0 && dy == 0 && angle == 0)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         _ ("Say how far each one is from the one before, or by how much it is turned"));
    return FALSE;
  }
  piece = take_selection (self, error);
  if (piece == NULL)
    return FALSE;
  middle = centre != NULL ? *centre : ssapp_document_get_selection_centre (self);
  isometries = g_new (SsappIsometry, n);
  for (int i = 1; i < n; i++) {
    isometries[i - 1] = ssapp_isometry_turn (middle, i * angle);
    isometries[i - 1].t.x += i * dx;
    isometries[i - 1].t.y += i * dy;
  }
  label = g_strdup_printf ("Array of %s", words);
  done = insert_copies (self, piece, n - 1, isometries, NULL, label, error);
  json_decref (piece);
  return done;
}
