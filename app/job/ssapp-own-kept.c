/* app/job/ssapp-own-kept.c: see the header.
 *
 * {"stickslip_method": 1, "file": "NAME.stickslip-method.json", "files": {"NAME.stickslip-method.json": "...", ...}} */
#include "app/job/ssapp-own-kept.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"
#include "app/job/ssapp-own-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

enum { FORMAT = 1, MOST_BYTES = 4 << 20 };
#define FOLDER "of-projects"

/* ---- making ------------------------------------------------------------------------------------------------------ */

static gboolean
add_file (json_t *kept, const SsappOwnFiles *files, const char *name, gsize *total, GError **error)
{
  g_autofree char *content = NULL;
  gsize size = 0;

  if (!ssapp_own_files_read (files, name, &content, &size, error))
    return FALSE;
  *total += size;
  if (*total > MOST_BYTES)
    return ssapp_fail_input (error, "its files have more than %d MB", MOST_BYTES >> 20);
  if (json_object_set_new (kept, name, json_stringn (content, size)) != 0 || memchr (content, 0, size) != NULL)
    return ssapp_fail_input (error, "%s is no text: a project keeps sources, no compiled programs", name);
  return TRUE;
}

/* The files of the words of its command. */
static gboolean
add_words (json_t *kept, const SsappOwn *own, const SsappOwnFiles *files, gsize *total, GError **error)
{
  g_autofree char *start = g_strconcat (files->folder, "/", NULL);
  gboolean ok = TRUE;

  for (int i = 0; ok && own->command[i] != NULL; i++) {
    const char *word = own->command[i], *name = word + strlen (start);
    if (word[0] != '/')
      continue;
    if (!g_str_has_prefix (word, start) || strstr (name, "..") != NULL)
      return ssapp_fail_input (error, "%s does not lie beside the method's file: only what lies there is kept", word);
    ok = add_file (kept, files, name, total, error);
  }
  return ok;
}

char *
ssapp_own_keep (const SsappOwn *own, GError **error)
{
  g_return_val_if_fail (own != NULL, NULL);
  g_autofree char *folder = g_path_get_dirname (own->file), *name = g_path_get_basename (own->file), *text = NULL;
  const SsappOwnFiles files = {.folder = folder};
  const char *module = NULL;
  json_t *kept = json_object ();
  gsize total = 0;
  gboolean ok =
      own->unhashed == NULL ||
      ssapp_fail_input (error, "%s does not lie beside the method's file: only what lies there is kept", own->unhashed);

  ok = ok && add_file (kept, &files, name, &total, error) && add_words (kept, own, &files, &total, error);
  if (ok && ssapp_own_files_find_module (own->command, &module) >= 0) {
    g_autoptr (GPtrArray) found = ssapp_own_files_of_module (&files, module);
    for (guint i = 0; ok && i < found->len; i++)
      ok = add_file (kept, &files, g_ptr_array_index (found, i), &total, error);
  }
  json_t *object = json_pack ("{s:i, s:s, s:O}", "stickslip_method", FORMAT, "file", name, "files", kept);
  char *dumped = ok ? json_dumps (object, JSON_COMPACT) : NULL;
  text = g_strdup (dumped);
  free (dumped);
  json_decref (object);
  json_decref (kept);
  return g_steal_pointer (&text);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Whether a name leads nowhere but below the folder. */
static gboolean
is_below (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  for (int i = 0; parts[i] != NULL; i++)
    if (parts[i][0] == '\0' || parts[i][0] == '.' || strpbrk (parts[i], "\\:") != NULL)
      return FALSE;
  return parts[0] != NULL;
}

/* Its object, with file and files; new reference. NULL with an error. */
static json_t *
load (const char *text, char **folder, GError **error)
{
  g_autofree char *data = ssapp_own_data_folder (), *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  json_t *object = json_loads (text, JSON_REJECT_DUPLICATES, NULL), *files = json_object_get (object, "files"),
         *content;
  const char *file = ssapp_json_get_string (object, "file"), *name;
  gboolean ok = json_integer_value (json_object_get (object, "stickslip_method")) == FORMAT && file != NULL &&
                g_str_has_suffix (file, SSAPP_OWN_ENDING) && strchr (file, '/') == NULL;

  json_object_foreach (files, name, content) ok = ok && is_below (name) && json_is_string (content);
  if (ok) {
    *folder = g_build_filename (data, FOLDER, sum, NULL);
    return object;
  }
  json_decref (object);
  ssapp_fail_input (error, "a method that is kept in the project is none that this program knows");
  return NULL;
}

SsappOwn *
ssapp_own_read_kept (const char *text, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_autofree char *folder = NULL;
  json_t *object = load (text, &folder, error);

  if (object == NULL)
    return NULL;
  const SsappOwnFiles files = {.folder = folder, .kept = json_object_get (object, "files")};
  SsappOwn *own = ssapp_own_read (&files, ssapp_json_get_string (object, "file"), error);
  json_decref (object);
  return own;
}

/* ---- allowing ---------------------------------------------------------------------------------------------------- */

static gboolean
write_file (const char *folder, const char *name, const char *content, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *above = g_path_get_dirname (path);

  if (g_mkdir_with_parents (above, 0700) != 0) {
    ssapp_set_file_error (error, above, "make", errno);
    return FALSE;
  }
  return ssapp_write_file (path, content, -1, error) && (g_chmod (path, 0700) == 0 || /* its command may start it */
                                                         ssapp_set_file_error (error, path, "write", errno));
}

const SsappOwn *
ssapp_own_allow_kept (const char *text, const char *project, GError **error)
{
  SsappOwn *own = ssapp_own_read_kept (text, error);
  g_autofree char *folder = NULL;
  json_t *object = own != NULL ? load (text, &folder, error) : NULL, *content;
  const char *name;
  gboolean ok = object != NULL;

  json_object_foreach (json_object_get (object, "files"), name, content) ok =
      ok && write_file (folder, name, json_string_value (content), error);
  json_decref (object);
  return ok ? ssapp_own_allow_as (own->file, own->version, project, error) : NULL;
}
