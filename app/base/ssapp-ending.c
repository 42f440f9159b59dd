/* app/base/ssapp-ending.c: see ssapp-ending.h. */
#include "app/base/ssapp-ending.h"

#include <string.h>

const char *
ssapp_ending_of (const char *path)
{
  const char *slash = strrchr (path, '/'), *last = slash != NULL ? slash + 1 : path, *dot = strrchr (last, '.');

  if (slash != NULL && *last == '\0')
    return "/";
  return dot != NULL && dot > last && dot[1] != '\0' ? dot : "";
}

gboolean
ssapp_ending_is (const char *path, const char *ending)
{
  return g_ascii_strcasecmp (ssapp_ending_of (path), ending) == 0;
}

char *
ssapp_endings_join (const char *const *endings, const char *last)
{
  g_return_val_if_fail (endings != NULL, NULL);

  const guint n = g_strv_length ((char **)endings);
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s%s%s",
                            i == 0      ? ""
                            : i + 1 < n ? ", "
                                        : last,
                            strcmp (endings[i], "/") == 0 ? "FOLDER" : "", endings[i]);
  return g_string_free (list, FALSE);
}
