/* tests/fuzz/ss-fuzz-project.h: what fuzz targets of projects share: two files, in memory where there are such folders:
 * SQLite syncs each commit. */
#pragma once

#include "app/store/ssapp-store-sketch.h"
#include "app/store/ssapp-store.h"
#include "ss-fuzz-target.h"

#include <glib/gstdio.h>

static const char *const tokens[] = {
    "SELECT", "NULL", "\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "run", "motion", "checksum", "running", "deleted",
    "{}",     NULL};
static char *folder, *project, *other;

/* A project of the present format with a run, whose id is given, and a sketch of the same name. */
static void
make_project (const char *path, const char *id)
{
  static const char *const names[] = {"t", "b.x"};
  static const char scenario[] = "{\"format\": 1, \"name\": \"a\"}";
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  SsTrajectory *motion = NULL;

  SS_CHECK (store != NULL && ss_trajectory_new_named (names, 2, 2, &motion, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_append (motion, (double[]){0, 1}, NULL) == SS_OK);
  SS_CHECK (ssapp_store_record (store, id, scenario, "a", (SsMethodId){SS_METHOD_INTEGRATOR, "moreau-jean"}, "{}", "{}",
                                7, NULL) &&
            ssapp_store_add_log (store, id, 0.1, 1, "begun", NULL) &&
            ssapp_store_finish (store, id, "{\"outcome\":\"completed\",\"objective\":2}", motion, NULL));
  g_free (ssapp_store_add_sketch (store, id, scenario, NULL));
  SS_CHECK (ssapp_store_close (store, NULL));
  g_object_unref (store);
  ss_trajectory_free (motion);
}

static void
begin (void)
{
  folder = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? g_strdup ("/dev/shm/stickslip-fuzz-XXXXXX") : NULL;
  if (folder == NULL || g_mkdtemp (folder) == NULL) {
    g_free (folder);
    folder = g_dir_make_tmp ("stickslip-fuzz-XXXXXX", NULL);
  }
  project = g_build_filename (folder, "p.stickslip", NULL);
  other = g_build_filename (folder, "o.stickslip", NULL);
  make_project (other, "theirs");
  ss_fuzz_read (other); /* mutations begin with it */
}

static void
end (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
  g_clear_pointer (&project, g_free);
  g_clear_pointer (&other, g_free);
}

/* The file alone: journals of the one before would be taken for its own. */
static void
put_project (const char *path, const char *bytes, size_t length)
{
  static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    g_autofree char *name = g_strconcat (path, suffixes[i], NULL);
    g_unlink (name);
  }
  FILE *file = fopen (path, "wb");
  SS_CHECK (file != NULL && fwrite (bytes, 1, length, file) == length);
  if (file != NULL)
    fclose (file);
}
