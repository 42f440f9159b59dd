/* app/session/ssapp-recent-name.c: see the header. */
#include "app/session/ssapp-recent-name.h"

#include "app/base/ssapp-json.h"
#include "app/document/ssapp-document.h"
#include "app/store/ssapp-store-sketch.h"

#include <glib/gi18n.h>
#include <string.h>

/* A scenario is read for its title up to this size [bytes]; a longer one has its file's name. */
#define MOST_BYTES (1 << 20)

/* Without what all files of its kind end in. */
static char *
stem_of (const char *path)
{
  static const char *const endings[] = {SSAPP_SCENARIO_SUFFIX, SSAPP_PROJECT_SUFFIX};
  char *name = g_path_get_basename (path);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]) && strlen (name) > strlen (endings[i])) {
      name[strlen (name) - strlen (endings[i])] = '\0';
      break;
    }
  return name;
}

static char *
title_of_scenario (const char *path)
{
  g_autofree char *text = NULL;
  gsize size = 0;
  json_t *root;
  char *title;

  if (!g_file_get_contents (path, &text, &size, NULL) || size > MOST_BYTES)
    return NULL;
  root = json_loadb (text, size, 0, NULL);
  title = g_strdup (ssapp_json_get_string (root, "title"));
  json_decref (root);
  return title;
}

char *
ssapp_recent_name (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);
  g_autofree char *stem = stem_of (path), *title = NULL;
  const gboolean is_project = g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX),
                 is_untitled = is_project && g_str_has_prefix (stem, "untitled-");
  gint64 n = 0;

  if (!is_project)
    title = title_of_scenario (path);
  else if (is_untitled)
    title = ssapp_store_peek_title (path, &n);
  if (title == NULL || *title == '\0')
    return is_untitled ? g_strdup (_ ("Untitled Project")) : g_steal_pointer (&stem);
  return n > 1 ? g_strdup_printf (_ ("%s, %d more"), title, (int)n - 1) : g_steal_pointer (&title);
}
