/* app/document/ssapp-document-copy.c: selected objects deleted together. Tests:
 * tests/unit/test-document-selection.c */
#include "app/document/ssapp-document-private.h"

#include <string.h>

static const SsScene *
scene_of (SsappDocument *self)
{
  return ssapp_document_get_scenario (self)->scene;
}

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
      ssapp_tree_remove_body (root, scene_of (self), *key);
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
    int index = ssapp_scene_find_body (scene_of (self), *key);
    if (index >= 0 && scene_of (self)->bodies[index].item < 0) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   "“%s” is one of a family that the file writes by a rule: change the rule in the file", *key);
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
  if (done)
    ssapp_document_end_gesture (self);
  else
    ssapp_document_cancel_gesture (self);
  return done;
}
