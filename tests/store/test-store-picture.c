/* tests/store/test-store-picture.c: pictures under sketches in the project: each is there once, an edit of the sketch
 * does not write it, it goes with its last name, and damage is told while the sketch still opens. Truth: counts by
 * hand; bytes of a picture and of the write-ahead log. */
#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-check.h"
#include "app/store/ssapp-store-copy.h"
#include "app/store/ssapp-store-merge.h"
#include "app/store/ssapp-store-sketch.h"
#include "tests/ss-test-store.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PICTURE_BYTES = 300000, PAGE_BYTES = 4096 };

static char *folder;

/* Of a view with a picture of one letter. */
static char *
view_of (char letter)
{
  g_autofree guchar *png = g_malloc (PICTURE_BYTES);

  memset (png, letter, PICTURE_BYTES);
  g_autofree char *base64 = g_base64_encode (png, PICTURE_BYTES);
  return g_strdup_printf ("{\"zoom\":2,\"picture\":{\"width\":1.5,\"png\":\"%s\"},\"plots\":[]}", base64);
}

static void
check_view (SsappStore *store, const char *id, const char *expected)
{
  g_autofree char *view = ssapp_store_get_sketch_view (store, id, NULL);
  json_t *found = view != NULL ? json_loads (view, 0, NULL) : NULL, *wanted = json_loads (expected, 0, NULL);

  SS_CHECK (json_equal (found, wanted));
  json_decref (found);
  json_decref (wanted);
}

/* "sketch: words; ..." of all that is damaged. */
static void
check_damage (SsappStore *store, const char *expected)
{
  g_autoptr (SsappCheck) check = ssapp_store_check (store, NULL);
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < check->damage->len; i++) {
    const SsappDamage *damage = g_ptr_array_index (check->damage, i);
    g_string_append_printf (words, "%s%s: %s", i > 0 ? "; " : "", damage->of, damage->words);
  }
  SS_CHECK_STR (words->str, expected);
}

static gint64
log_bytes (const char *path)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  struct stat file;

  return stat (log, &file) == 0 ? file.st_size : 0;
}

static void
test_counts (void)
{
  g_autofree char *path = g_build_filename (folder, "counts.stickslip", NULL), *a = NULL, *b = NULL;
  g_autofree char *one = view_of ('1'), *two = view_of ('2');
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);

  a = ssapp_store_add_sketch (store, "a", "{}", NULL);
  b = ssapp_store_add_sketch (store, "b", "{}", NULL);
  SS_CHECK (ssapp_store_set_sketch_view (store, a, one, NULL) && ssapp_store_set_sketch_view (store, b, one, NULL));
  check_query (path, "SELECT count (*) || ' ' || length (png) FROM picture", "1 300000");
  check_query (path, "SELECT max (length (view)) < 200 FROM sketch", "1");
  check_view (store, a, one);
  check_view (store, b, one);
  check_damage (store, "");
  /* An edit of the sketch writes some pages, none of them of the picture. */
  const gint64 before = log_bytes (path);
  SS_CHECK (ssapp_store_set_sketch_text (store, a, "{\"title\": \"Edited\"}", NULL, "Edit", NULL));
  const gint64 written = log_bytes (path) - before;
  SS_CHECK (before > 0 && written > 0 && written < 20 * (PAGE_BYTES + 24));
  /* A picture goes with its last name; that of a sketch that was removed stays. */
  SS_CHECK (ssapp_store_set_sketch_view (store, a, two, NULL));
  check_query (path, "SELECT count (*) FROM picture", "2");
  SS_CHECK (ssapp_store_set_sketch_view (store, b, "{}", NULL) && ssapp_store_delete_sketch (store, a, NULL));
  check_query (path, "SELECT count (*) FROM picture", "1");
  SS_CHECK (ssapp_store_set_sketch_view (store, b, "{\"zoom\":3}", NULL));
  SS_CHECK (ssapp_store_undelete_sketch (store, a, NULL));
  check_view (store, a, two);
  SS_CHECK (ssapp_store_set_sketch_view (store, a, "{}", NULL));
  check_query (path, "SELECT count (*) FROM picture", "0");
  check_damage (store, "");
  close_store (store);
}

static void
test_damage (void)
{
  static const char told[] = "sketch: the picture under it: not as stored (the checksum differs or is missing)";
  g_autofree char *path = g_build_filename (folder, "damage.stickslip", NULL), *a = NULL, *one = view_of ('1');
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);

  a = ssapp_store_add_sketch (store, "a", "{}", NULL);
  SS_CHECK (ssapp_store_set_sketch_view (store, a, one, NULL));
  static const char *const faults[] = {"UPDATE picture SET png = x'0102'", "DELETE FROM picture"};
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_free (query (path, faults[i]));
    check_damage (store, told);
    /* The sketch opens without it, and looking at it otherwise does not take its name away. */
    g_autofree char *view = ssapp_store_get_sketch_view (store, a, NULL);
    SS_CHECK (view != NULL && strstr (view, "\"sha256\":\"") != NULL && strstr (view, "png") == NULL);
    SS_CHECK (ssapp_store_set_sketch_view (store, a, view, NULL));
    check_damage (store, told);
    /* The same picture heals it. */
    SS_CHECK (ssapp_store_set_sketch_view (store, a, one, NULL));
    check_damage (store, "");
    check_view (store, a, one);
  }
  /* Which picture a view names that cannot be read is not known: its own is not told as nobody's. */
  g_autofree char *kept = query (path, "SELECT view FROM sketch"),
                  *back = g_strdup_printf ("UPDATE sketch SET view = '%s'", kept);
  g_free (query (path, "UPDATE sketch SET view = 'x'"));
  check_damage (store, "sketch: it: not as stored (the checksum differs or is missing)");
  g_free (query (path, back));
  check_damage (store, "");
  g_free (query (path, "INSERT INTO picture VALUES ('x', x'01')"));
  check_damage (store, "project: a row belongs to nothing: a picture of a sketch that is not there");
  close_store (store);
}

static void
test_merge (void)
{
  g_autofree char *path = g_build_filename (folder, "from.stickslip", NULL),
                  *to = g_build_filename (folder, "to.stickslip", NULL), *a = NULL, *one = view_of ('1');
  SsappStore *store = ssapp_store_open (path, TRUE, NULL), *other = ssapp_store_open (to, TRUE, NULL);

  a = ssapp_store_add_sketch (store, "a", "{}", NULL);
  SS_CHECK (ssapp_store_set_sketch_view (store, a, one, NULL));
  SS_CHECK (ssapp_store_merge (other, path, NULL, NULL, NULL) && ssapp_store_merge (other, path, NULL, NULL, NULL));
  check_query (to, "SELECT count (*) FROM picture", "1");
  check_view (other, a, one);
  check_damage (other, "");
  /* One that is damaged here is healed, and does not harm a sound one where it is damaged there. */
  for (int i = 0; i < 2; i++) {
    g_free (query (i == 0 ? to : path, "UPDATE picture SET png = x'0102'"));
    SS_CHECK (ssapp_store_merge (other, path, NULL, NULL, NULL));
    check_view (other, a, one);
    check_damage (other, "");
  }
  close_store (store);
  close_store (other);
}

/* A project of format 10 that may not be written: its pictures are in the views, its results in the runs. */
static void
test_merge_older (void)
{
  static const char from[] = SS_SOURCE_ROOT "/tests/data/projects/format-10.stickslip";
  g_autofree char *path = g_build_filename (folder, "older.stickslip", NULL), *data = NULL,
                  *to = g_build_filename (folder, "to-11.stickslip", NULL);
  gsize size = 0;

  SS_CHECK (g_file_get_contents (from, &data, &size, NULL) && g_file_set_contents (path, data, (gssize)size, NULL));
  SS_CHECK (g_chmod (path, 0444) == 0 && g_chmod (folder, 0777) == 0);
  SS_CHECK (geteuid () != 0 || seteuid (65534) == 0); /* root may write everything */
  SsappStore *store = ssapp_store_open_to_read (path, NULL), *other = ssapp_store_open (to, TRUE, NULL);
  SS_CHECK (store != NULL && ssapp_store_merge (other, path, NULL, NULL, NULL));
  check_query (path, "PRAGMA user_version", "10");
  g_autoptr (GPtrArray) runs = ssapp_store_list_runs (store, NULL, 0, NULL);
  SS_CHECK (runs->len > 6);
  for (guint i = 0; i < runs->len; i++) {
    const char *id = ((SsappRunRow *)g_ptr_array_index (runs, i))->id;
    g_autofree char *expected = ssapp_store_get_result_json (store, id, NULL),
                    *found = ssapp_store_get_result_json (other, id, NULL);
    SS_CHECK (g_strcmp0 (found, expected) == 0); /* NULL: one that has not ended */
  }
  g_autofree char *id = query (path, "SELECT id FROM sketch WHERE view LIKE '%\"png\"%'"),
                  *view = ssapp_store_get_sketch_view (store, id, NULL);
  SS_CHECK (view != NULL && strstr (view, "\"png\":\"") != NULL);
  check_view (other, id, view);
  check_query (to, "SELECT count (*) FROM picture", "1");
  check_query (to, "SELECT count (*) FROM run_result WHERE result IS NOT NULL", "6");
  check_damage (other, "");
  close_store (store);
  close_store (other);
  SS_CHECK (getuid () != 0 || seteuid (0) == 0);
}

/* A copy of what can be read of a project whose table of results cannot be: it is of the same format. */
static void
test_copy (void)
{
  g_autofree char *path = g_build_filename (folder, "no-results.stickslip", NULL), *a = NULL, *one = view_of ('1'),
                  *to = g_build_filename (folder, "copy.stickslip", NULL);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  sqlite3 *db = NULL;

  a = ssapp_store_add_sketch (store, "a", "{}", NULL);
  SS_CHECK (ssapp_store_set_sketch_view (store, a, one, NULL));
  close_store (store);
  SS_CHECK (sqlite3_open (path, &db) == SQLITE_OK);
  SS_CHECK (sqlite3_exec (db,
                          "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABEL run_result' WHERE "
                          "name = 'run_result'",
                          NULL, NULL, NULL) == SQLITE_OK);
  SS_CHECK (sqlite3_close (db) == SQLITE_OK);
  SsappCopied *copied = ssapp_store_copy_readable (path, to, NULL);
  SS_CHECK (copied != NULL && copied->format == 11 && copied->lost->len == 1);
  ssapp_copied_free (copied);
  store = ssapp_store_open (to, FALSE, NULL);
  check_view (store, a, one);
  check_damage (store, "");
  close_store (store);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-picture-XXXXXX", NULL);
  SS_RUN (test_counts);
  SS_RUN (test_damage);
  SS_RUN (test_merge);
  SS_RUN (test_merge_older);
  SS_RUN (test_copy);
  g_autofree char *command = g_strdup_printf ("rm -rf %s", folder);
  (void)!system (command);
  g_free (folder);
  return ss_test_finish ();
}
