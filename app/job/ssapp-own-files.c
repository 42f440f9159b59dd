/* app/job/ssapp-own-files.c: see the header. */
#include "app/job/ssapp-own-files.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-text.h"

#include <string.h>

enum { DEPTH_MOST = 8, FILES_MOST = 2000 };
#define CACHE "__pycache__"

gboolean
ssapp_own_files_has (const SsappOwnFiles *files, const char *name)
{
  g_return_val_if_fail (files != NULL && name != NULL, FALSE);
  g_autofree char *path = g_build_filename (files->folder, name, NULL);

  return files->kept != NULL ? json_is_string (json_object_get (files->kept, name))
                             : g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

gboolean
ssapp_own_files_read (const SsappOwnFiles *files, const char *name, char **content, gsize *size, GError **error)
{
  g_return_val_if_fail (files != NULL && name != NULL, FALSE);
  g_autofree char *path = name[0] == '/' ? g_strdup (name) : g_build_filename (files->folder, name, NULL);
  const json_t *text = files->kept != NULL && name[0] != '/' ? json_object_get (files->kept, name) : NULL;

  if (files->kept == NULL || name[0] == '/')
    return ssapp_read_file (path, 0, content, size, error);
  if (!json_is_string (text))
    return ssapp_fail_input (error, "%s is not there", name);
  *size = json_string_length (text);
  *content = g_memdup2 (json_string_value (text), *size + 1);
  return TRUE;
}

/* ---- modules of Python ------------------------------------------------------------------------------------------- */

int
ssapp_own_files_find_module (char **words, const char **module)
{
  g_return_val_if_fail (words != NULL && words[0] != NULL && module != NULL, -1);
  g_autofree char *program = g_path_get_basename (words[0]);

  if (!g_str_has_prefix (program, "python") && !g_str_has_prefix (program, "pypy"))
    return -1;
  for (int i = 1; words[i] != NULL && words[i][0] == '-'; i++) {
    if (g_str_has_prefix (words[i], "-m")) {
      const int at = words[i][2] != '\0' ? i : i + 1;
      *module = words[at] != NULL && at == i ? words[at] + 2 : words[at];
      return *module != NULL ? at : -1;
    }
    if (strcmp (words[i], "-c") == 0)
      return -1;
    if ((strcmp (words[i], "-W") == 0 || strcmp (words[i], "-X") == 0) && words[i + 1] != NULL)
      i++;
  }
  return -1;
}

/* Files below a folder, by their names from the files' folder. */
static void
add_below (const SsappOwnFiles *files, const char *name, int depth, GPtrArray *found)
{
  g_autofree char *path = g_build_filename (files->folder, name, NULL);
  g_autoptr (GDir) dir = depth < DEPTH_MOST ? g_dir_open (path, 0, NULL) : NULL;
  const char *entry;

  while (dir != NULL && found->len < FILES_MOST && (entry = g_dir_read_name (dir)) != NULL) {
    g_autofree char *below = g_build_filename (name, entry, NULL), *whole = g_build_filename (path, entry, NULL);
    if (g_file_test (whole, G_FILE_TEST_IS_REGULAR))
      g_ptr_array_add (found, g_steal_pointer (&below));
    else if (strcmp (entry, CACHE) != 0)
      add_below (files, below, depth + 1, found);
  }
}

/* NAME.py, NAME.pyc, NAME.so, NAME.abi3.so and the like. */
static gboolean
is_of_module (const char *file, const char *top)
{
  const gsize length = strlen (top);

  return strncmp (file, top, length) == 0 && file[length] == '.' &&
         (g_str_has_suffix (file, ".py") || g_str_has_suffix (file, ".pyc") || g_str_has_suffix (file, ".so"));
}

GPtrArray *
ssapp_own_files_of_module (const SsappOwnFiles *files, const char *module)
{
  g_return_val_if_fail (files != NULL && module != NULL, NULL);
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *top = g_strndup (module, strcspn (module, ".")), *below = g_strconcat (top, "/", NULL);
  const char *name;
  json_t *text;

  if (top[0] == '\0' || strchr (top, '/') != NULL)
    return found;
  json_object_foreach ((json_t *)files->kept, name, text)
  {
    if (g_str_has_prefix (name, below) || is_of_module (name, top))
      g_ptr_array_add (found, g_strdup (name));
  }
  if (files->kept == NULL) {
    g_autoptr (GDir) dir = g_dir_open (files->folder, 0, NULL);
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
      if (is_of_module (name, top))
        g_ptr_array_add (found, g_strdup (name));
    add_below (files, top, 0, found);
  }
  g_ptr_array_sort (found, ssapp_text_compare);
  return found;
}

/* ---- the hash ---------------------------------------------------------------------------------------------------- */

static gboolean
add_file (GChecksum *sum, const SsappOwnFiles *files, const char *name, gboolean with_name, GError **error)
{
  g_autofree char *content = NULL;
  gsize size = 0;

  if (!ssapp_own_files_read (files, name, &content, &size, error))
    return FALSE;
  g_checksum_update (sum, (const guchar *)"\n", 1);
  if (with_name)
    g_checksum_update (sum, (const guchar *)name, (gssize)strlen (name) + 1);
  g_checksum_update (sum, (const guchar *)content, (gssize)size);
  return TRUE;
}

char *
ssapp_own_files_hash (const SsappOwnFiles *files, const char *text, gsize length, const GPtrArray *named,
                      const GPtrArray *found, GError **error)
{
  g_return_val_if_fail (files != NULL && text != NULL && named != NULL && found != NULL, NULL);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gboolean ok = TRUE;

  g_checksum_update (sum, (const guchar *)text, (gssize)length);
  for (guint i = 0; ok && i < named->len; i++)
    ok = add_file (sum, files, g_ptr_array_index (named, i), FALSE, error);
  for (guint i = 0; ok && i < found->len; i++)
    ok = add_file (sum, files, g_ptr_array_index (found, i), TRUE, error);
  return ok ? g_strconcat ("sha256:", g_checksum_get_string (sum), NULL) : NULL;
}
