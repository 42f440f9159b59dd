/* ui/parts/ssui-recent.c: see the header. */
#include "ui/parts/ssui-recent.h"

#include "app/session/ssapp-recent-name.h"
#include "app/session/ssapp-session.h"

#include <string.h>

static void
recent_free (SsuiRecent *recent)
{
  g_free (recent->path);
  g_free (recent->name);
  g_free (recent);
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  gint64 x = (*(SsuiRecent *const *)a)->changed, y = (*(SsuiRecent *const *)b)->changed;
  return (x < y) - (x > y);
}

static void
add_recent (GPtrArray *list, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_TIME_MODIFIED, 0, NULL, NULL);
  g_autoptr (GDateTime) time = info != NULL ? g_file_info_get_modification_date_time (info) : NULL;
  SsuiRecent *recent;

  if (time == NULL)
    return;
  for (guint i = 0; i < list->len; i++)
    if (strcmp (((SsuiRecent *)g_ptr_array_index (list, i))->path, path) == 0)
      return;
  recent = g_new0 (SsuiRecent, 1);
  recent->path = g_strdup (path);
  recent->is_project = g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX);
  recent->changed = g_date_time_to_unix (time);
  g_ptr_array_add (list, recent);
}

GPtrArray *
ssui_recent_list (guint most)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)recent_free);
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  g_autofree char *folder = ssapp_projects_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  for (GList *l = items; l != NULL; l = l->next) {
    g_autofree char *path = g_filename_from_uri (gtk_recent_info_get_uri (l->data), NULL, NULL);
    if (path != NULL &&
        (g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX) || g_str_has_suffix (path, SSAPP_SCENARIO_SUFFIX)))
      add_recent (list, path);
  }
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SSAPP_PROJECT_SUFFIX)) {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      add_recent (list, path);
    }
  g_ptr_array_sort (list, newest_first);
  if (list->len > most)
    g_ptr_array_set_size (list, (int)most);
  for (guint i = 0; i < list->len; i++) {
    SsuiRecent *recent = g_ptr_array_index (list, i);
    recent->name = ssapp_recent_name (recent->path);
  }
  return list;
}

void
ssui_recent_add (const char *path)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  GtkRecentData data = {.mime_type = (char *)"application/x-stickslip",
                        .app_name = (char *)"Stickslip",
                        .app_exec = (char *)"stickslip %u"};

  if (uri != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}
