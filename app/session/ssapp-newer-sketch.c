/* app/session/ssapp-newer-sketch.c: see the header. */
#include "app/session/ssapp-newer-sketch.h"

#include "app/store/ssapp-store-sketch.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

void
ssapp_newer_sketch_free (SsappNewerSketch *newer)
{
  if (newer == NULL)
    return;
  g_free (newer->project);
  g_free (newer->id);
  g_free (newer->changed);
  g_free (newer);
}

char *
ssapp_sketch_file_key (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);
  char *real = realpath (path, NULL); /* the same through a link */
  g_autofree char *absolute = real == NULL ? g_canonicalize_filename (path, NULL) : NULL;
  char *key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, real != NULL ? real : absolute, -1);

  free (real);
  return key;
}

/* Seconds since 1970 of the last write; -1: there is no such file. */
static gint64
time_written (const char *path)
{
  GStatBuf about;
  return g_stat (path, &about) == 0 ? (gint64)about.st_mtime : -1;
}

typedef struct {
  char *path;
  gint64 written;
} Candidate;

static void
candidate_free (gpointer data)
{
  Candidate *candidate = data;
  g_free (candidate->path);
  g_free (candidate);
}

static int
later_first (gconstpointer a, gconstpointer b)
{
  const Candidate *first = *(const Candidate *const *)a, *second = *(const Candidate *const *)b;
  return (second->written > first->written) - (second->written < first->written);
}

static GPtrArray *
list_projects (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *projects = g_ptr_array_new_with_free_func (candidate_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    Candidate *candidate;
    if (!g_str_has_suffix (name, SSAPP_PROJECT_SUFFIX))
      continue;
    candidate = g_new (Candidate, 1);
    candidate->path = g_build_filename (folder, name, NULL);
    candidate->written = time_written (candidate->path);
    g_ptr_array_add (projects, candidate);
  }
  g_ptr_array_sort (projects, later_first);
  g_ptr_array_set_size (projects, (int)MIN (projects->len, SSAPP_MOST_PEEKED));
  return projects;
}

/* Takes the place of `last` if it was changed later. */
static void
look_into (const char *project, const char *key, SsappSketchRow **last, char **where)
{
  g_autoptr (SsappSketchRow) row = ssapp_store_peek_sketch_of_file (project, key);

  if (row == NULL || (*last != NULL && strcmp (row->changed, (*last)->changed) <= 0))
    return;
  ssapp_sketch_row_free (*last);
  *last = g_steal_pointer (&row);
  g_free (*where);
  *where = g_strdup (project);
}

SsappNewerSketch *
ssapp_newer_sketch_find (const char *folder, const char *also, const char *path, const char *text)
{
  g_return_val_if_fail (folder != NULL && path != NULL && text != NULL, NULL);
  g_autofree char *key = ssapp_sketch_file_key (path), *project = NULL;
  g_autoptr (GPtrArray) projects = list_projects (folder);
  g_autoptr (SsappSketchRow) last = NULL;
  g_autoptr (GDateTime) changed = NULL;
  SsappNewerSketch *newer;

  for (guint i = 0; i < projects->len; i++)
    look_into (((Candidate *)g_ptr_array_index (projects, i))->path, key, &last, &project);
  if (also != NULL)
    look_into (also, key, &last, &project);
  changed = last != NULL ? g_date_time_new_from_iso8601 (last->changed, NULL) : NULL;
  if (changed == NULL || strcmp (last->text, text) == 0 || g_date_time_to_unix (changed) < time_written (path))
    return NULL;
  newer = g_new0 (SsappNewerSketch, 1);
  newer->project = g_steal_pointer (&project);
  newer->id = g_steal_pointer (&last->id);
  newer->changed = g_steal_pointer (&last->changed);
  return newer;
}
