/* tests/unit/test-sketches.c: the sketches of a project: names, texts, views, deletion and its undo; projects of
 * format 4, made by the scripts of that format; and a window's document among them, where no edit may be lost. */
#include "app/document/ssapp-source.h"
#include "app/session/ssapp-newer-sketch.h"
#include "app/session/ssapp-session.h"
#include "app/session/ssapp-sketch-picture.h"
#include "app/store/ssapp-store-private.h"
#include "tests/ss-test-store.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static char *folder;

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static SsappStore *
open_new (const char *name, char **path)
{
  GError *error = NULL;
  *path = path_of (name);
  SsappStore *store = ssapp_store_open (*path, TRUE, &error);
  SS_CHECK (store != NULL && error == NULL);
  return store;
}

static char *
sketch_text (const char *name, const char *title)
{
  return g_strdup_printf ("{\"format\": 1, \"name\": \"%s\", \"title\": \"%s\", \"description\": \"About %s.\", "
                          "\"scene\": {\"gravity\": [0, -9.81], \"bodies\": [], \"contacts\": \"all\"}, "
                          "\"task\": {\"t_end\": 1, \"dt\": 0.01}}\n",
                          name, title, name);
}

/* "name:title:runs name:title:runs": the one changed last first. */
static char *
summary (SsappStore *store)
{
  g_autoptr (GPtrArray) rows = ssapp_store_list_sketches (store, NULL);
  GString *text = g_string_new (NULL);

  SS_CHECK (rows != NULL);
  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    const SsappSketchRow *row = g_ptr_array_index (rows, i);
    SS_CHECK (row->text == NULL);
    g_string_append_printf (text, "%s%s:%s:%d", i > 0 ? " " : "", row->name, row->title, (int)row->n_runs);
  }
  return g_string_free (text, FALSE);
}

static void
check_summary (SsappStore *store, const char *expected)
{
  g_autofree char *text = summary (store);
  SS_CHECK_STR (text, expected);
}

/* ---- the project ------------------------------------------------------------------------------------------------- */

static void
test_rows (void)
{
  g_autofree char *path = NULL, *box = sketch_text ("box", "A Box"), *other = sketch_text ("box", "Another");
  SsappStore *store = open_new ("rows.stickslip", &path);
  g_autoptr (GError) error = NULL;
  g_autofree char *a = ssapp_store_add_sketch (store, "box", box, &error),
                  *b = ssapp_store_add_sketch (store, "box", other, &error), *found = NULL;

  check_summary (store, "box-2:Another:0 box:A Box:0");
  found = ssapp_store_find_sketch (store, box);
  SS_CHECK_STR (found, a);
  SsappSketchRow *row = ssapp_store_get_sketch (store, "box-2", &error);
  SS_CHECK_STR (row->id, b);
  SS_CHECK_STR (row->text, other);
  SS_CHECK_STR (row->description, "About box.");
  /* Who knows another text than the one that is there does not write over it. */
  SS_CHECK (ssapp_store_set_sketch_text (store, a, other, NULL, "Edit", &error));
  SS_CHECK (!ssapp_store_set_sketch_text (store, b, box, "0123", "Edit", &error));
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_OTHER));
  g_clear_error (&error);
  SS_CHECK (ssapp_store_set_sketch_text (store, b, box, row->sha256, "Edit", &error));
  ssapp_sketch_row_free (row);
  /* A run belongs to the sketch with its text. */
  SS_CHECK (ssapp_store_record (store, "run-of-b", box, "box", (SsMethodId){SS_METHOD_INTEGRATOR, "moreau-jean"}, NULL,
                                NULL, 0, &error));
  check_query (path, "SELECT count(*) FROM run JOIN sketch ON sketch.id = run.sketch WHERE sketch.name = 'box-2'", "1");
  /* Names: taken ones get numbers, deleted ones are free, and what comes back finds its name taken. */
  SS_CHECK (ssapp_store_rename_sketch (store, b, "box", &error));
  check_summary (store, "box-2:A Box:1 box:Another:0");
  SS_CHECK (ssapp_store_delete_sketch (store, a, &error) && ssapp_store_rename_sketch (store, b, "box", &error));
  check_summary (store, "box:A Box:1");
  SS_CHECK (!ssapp_store_delete_sketch (store, a, &error) && error != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_store_undelete_sketch (store, a, &error));
  SS_CHECK (ssapp_store_get_sketch (store, "nobody", &error) == NULL && strstr (error->message, "box") != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_store_set_sketch_view (store, b, "{\"zoom\":2}", &error));
  g_autofree char *view = ssapp_store_get_sketch_view (store, b, &error),
                  *empty = ssapp_store_get_sketch_view (store, a, &error);
  SS_CHECK_STR (view, "{\"zoom\":2}");
  SS_CHECK_STR (empty, "{}");
  close_store (store);
  SS_CHECK (g_unlink (path) == 0);
}

/* ---- format 4 ---------------------------------------------------------------------------------------------------- */

static void
execute_file (sqlite3 *db, const char *name)
{
  g_autofree char *path = g_build_filename (SS_SOURCE_ROOT, "data", name, NULL), *sql = NULL;
  SS_CHECK (g_file_get_contents (path, &sql, NULL, NULL));
  SS_CHECK (sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

/* A project as the program of format 4 wrote it: two scenarios, one with two texts, and a run of an impact law. */
static char *
make_format_4 (const char *name)
{
  static const char rows[] =
      "PRAGMA application_id = 1397967952; PRAGMA user_version = 4;"
      "INSERT INTO provenance (id, version, compiler, host, cpu, cpu_count, os, libraries) "
      "VALUES (1, '0', 'c', 'h', 'c', 1, 'o', '{}');"
      "INSERT INTO scenario_text VALUES ('aa', '{\"title\": \"First\"}', '2026-01-01T00:00:00.000Z'), "
      "('bb', '{\"title\": \"Second\"}', '2026-01-02T00:00:00.000Z'), "
      "('cc', '{\"title\": \"Numbers\"}', '2026-01-02T00:00:00.000Z'), "
      "('dd', '{}', '2026-01-03T00:00:00.000Z');"
      "INSERT INTO run (id, scenario_name, scenario_sha256, kind, method, provenance_id, owner_host, owner_pid, "
      "owner_start, started, outcome, parameters, options) VALUES "
      "('r1', 'box', 'aa', 'integrator', 'moreau-jean', 1, '', 0, 0, '2026-01-01T00:00:00.000Z', 'completed', '{}', "
      "'{}'),"
      "('r2', 'ball', 'dd', 'optimiser', 'crisp', 1, '', 0, 0, '2026-01-02T00:00:00.000Z', 'solved', '{}', '{}'),"
      "('r3', 'box', 'bb', 'integrator', 'moreau-jean', 1, '', 0, 0, '2026-01-03T00:00:00.000Z', 'completed', '{}', "
      "'{}'),"
      "('r4', 'rod', 'cc', 'impact-law', 'newton', 1, '', 0, 0, '2026-01-04T00:00:00.000Z', 'completed', '{}', '{}');";
  /* What stands in `rows` for the SHA-256 of each text. */
  static const struct {
    const char *key, *text;
  } keys[] = {{"'aa'", "{\"title\": \"First\"}"},
              {"'bb'", "{\"title\": \"Second\"}"},
              {"'cc'", "{\"title\": \"Numbers\"}"},
              {"'dd'", "{}"}};
  char *path = path_of (name);
  sqlite3 *db = NULL;

  SS_CHECK (sqlite3_open (path, &db) == SQLITE_OK);
  execute_file (db, "schema-1.sql");
  execute_file (db, "schema-2.sql");
  execute_file (db, "schema-3.sql");
  execute_file (db, "schema-4.sql");
  GString *sql = g_string_new (rows);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_autofree char *key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, keys[i].text, -1),
                    *quoted = g_strdup_printf ("'%s'", key);
    g_string_replace (sql, keys[i].key, quoted, 0);
  }
  SS_CHECK (sqlite3_exec (db, sql->str, NULL, NULL, NULL) == SQLITE_OK);
  g_string_free (sql, TRUE);
  sqlite3_close (db);
  return path;
}

/* In the order of their last change; the impact's numbers are no sketch. */
static const char of_format_4[] = "box:Second:2 ball:ball:1";

static void
test_upgrade (void)
{
  g_autofree char *path = make_format_4 ("old.stickslip");
  g_autoptr (GError) error = NULL;

  for (int round = 0; round < 2; round++) { /* upgraded, then opened as it is */
    SsappStore *store = ssapp_store_open (path, FALSE, &error);
    SS_CHECK (store != NULL && error == NULL);
    check_summary (store, of_format_4);
    /* Runs keep the text that they were made from. */
    g_autofree char *text = ssapp_store_get_scenario_text (store, "r1", &error);
    SS_CHECK_STR (text, "{\"title\": \"First\"}");
    close_store (store);
    check_query (path, "PRAGMA user_version", G_STRINGIFY (SSAPP_STORE_SCHEMA_VERSION));
    check_query (path, "SELECT sketch FROM run WHERE id = 'r4'", "");
    check_query (path, "SELECT length (id) FROM sketch WHERE name = 'ball'", "36");
  }
  /* What a newer program wrote is refused, in words, and stays as it is. */
  g_autofree char *newer = g_strdup_printf ("%d", SSAPP_STORE_SCHEMA_VERSION + 1),
                  *stamp = g_strdup_printf ("PRAGMA user_version = %s", newer);
  g_free (query (path, stamp));
  SS_CHECK (ssapp_store_open (path, FALSE, &error) == NULL);
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NEWER));
  SS_CHECK (strstr (error->message, "newer") != NULL && strstr (error->message, path) != NULL);
  check_query (path, "PRAGMA user_version", newer);
}

/* In a process that may not write, which root could. */
static void
test_read_only (void)
{
  g_autofree char *path = make_format_4 ("read-only.stickslip");
  int status = -1;

  SS_CHECK (g_chmod (path, 0444) == 0 && g_chmod (folder, 0755) == 0);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0) {
    if (geteuid () == 0 && seteuid (65534) != 0)
      _exit (1);
    ss_test_failed_checks = 0;
    SsappStore *store = ssapp_store_open (path, FALSE, NULL);
    SS_CHECK (store != NULL && ssapp_store_is_read_only (store));
    check_summary (store, of_format_4);
    g_autoptr (GError) error = NULL;
    SS_CHECK (ssapp_store_add_sketch (store, "x", "{}", &error) == NULL && error != NULL);
    SsappRunRow *row = ssapp_store_get_run (store, "last", NULL);
    SS_CHECK (row != NULL && strcmp (row->id, "r4") == 0);
    ssapp_run_row_free (row);
    g_object_unref (store);
    fflush (stdout);
    _exit (ss_test_failed_checks > 0 ? 2 : 0);
  }
  waitpid (child, &status, 0);
  SS_CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  check_query (path, "PRAGMA user_version", "4");
}

/* ---- a window's document ----------------------------------------------------------------------------------------- */

static gboolean
on_later (gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_seconds (double seconds)
{
  gboolean is_over = FALSE;
  g_timeout_add ((guint)(seconds * 1000), on_later, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

static int
n_bodies (SsappSession *session)
{
  return ssapp_document_get_scenario (ssapp_session_get_document (session))->scene->n_bodies;
}

static void
add_box (SsappSession *session, double x)
{
  SS_CHECK (ssapp_document_add_box (ssapp_session_get_document (session), (SsVec2){x, 0}, (SsVec2){x + 1, 1}, NULL));
}

/* A project that has a name, open in a session. */
static SsappSession *
session_in (const char *name, char **path)
{
  SsappSession *session = ssapp_session_new ();
  g_autoptr (GError) error = NULL;
  SsappStore *store = open_new (name, path);
  close_store (store);
  SS_CHECK (ssapp_session_open_store (session, *path, &error));
  return session;
}

static void
test_switching (void)
{
  g_autofree char *path = NULL;
  g_autoptr (SsappSession) session = session_in ("switching.stickslip", &path);
  SsappSketches *sketches = ssapp_session_get_sketches (session);
  SsappDocument *document = ssapp_session_get_document (session);
  SsappStore *store = ssapp_session_get_store (session);
  g_autoptr (GError) error = NULL;

  /* Looked at, it is none of the project's; edited, it becomes one. */
  SS_CHECK (ssapp_sketches_get_current (sketches) == NULL);
  add_box (session, 0);
  SS_CHECK (ssapp_session_set_view (session, "plots", "[\"box.x\"]"));
  SS_CHECK (ssapp_document_is_dirty (document));
  SS_CHECK (ssapp_sketches_add_new (sketches, &error)); /* at once, before the timer */
  check_summary (store, "sketch:Untitled Sketch:0");    /* what is empty is not kept */
  SS_CHECK (n_bodies (session) == 0 && !ssapp_document_is_dirty (document));
  SS_CHECK (ssapp_session_get_view (session, "plots") == NULL);
  add_box (session, 0);
  add_box (session, 2);
  /* Back and forth: nothing is lost, each has its view. */
  SS_CHECK (ssapp_sketches_open (sketches, "sketch", &error) && n_bodies (session) == 1);
  g_autofree char *view = ssapp_session_get_view (session, "plots");
  SS_CHECK_STR (view, "[\"box.x\"]");
  add_box (session, 4);
  SS_CHECK (ssapp_sketches_open (sketches, "untitled-sketch-2", &error) && n_bodies (session) == 2);
  SS_CHECK (ssapp_sketches_open (sketches, "sketch", &error) && n_bodies (session) == 2);
  SS_CHECK (!ssapp_sketches_open (sketches, "nobody", &error) && n_bodies (session) == 2);
  g_clear_error (&error);
  SS_CHECK (!ssapp_session_set_view (session, "plots", "no json ["));
}

static void
count_told (int *n)
{
  ++*n;
}

/* Another program takes the lock as soon as something is written. */
static int
lock_again (void *other, sqlite3 *db, const char *name, int n_pages)
{
  (void)db, (void)name, (void)n_pages;
  (void)sqlite3_exec (other, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
  return SQLITE_OK;
}

static void
take_message (char **into, const char *message)
{
  g_free (*into);
  *into = g_strdup (message);
}

/* Another program has the project locked: what is edited waits and is kept when the lock is gone, without one more edit
 * and as the same sketch. */
static void
test_locked (void)
{
  g_autofree char *path = NULL;
  g_autoptr (SsappSession) session = session_in ("locked.stickslip", &path);
  SsappSketches *sketches = ssapp_session_get_sketches (session);
  SsappStore *store = ssapp_session_get_store (session);
  g_autoptr (GError) error = NULL;
  int n_failed = 0, n_kept = 0;
  sqlite3 *other = NULL;

  add_box (session, 0);
  SS_CHECK (ssapp_sketches_keep (sketches, &error) && !ssapp_sketches_is_waiting (sketches));
  g_signal_connect_swapped (sketches, "failed", G_CALLBACK (count_told), &n_failed);
  g_signal_connect_swapped (sketches, "kept", G_CALLBACK (count_told), &n_kept);
  SS_CHECK (sqlite3_open (path, &other) == SQLITE_OK &&
            sqlite3_exec (other, "BEGIN EXCLUSIVE", NULL, NULL, NULL) == SQLITE_OK);
  add_box (session, 2);
  SS_CHECK (ssapp_session_set_view (session, "plots", "[]") && ssapp_sketches_is_waiting (sketches));
  SS_CHECK (!ssapp_sketches_keep (sketches, &error) &&
            g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY));
  g_clear_error (&error);
  SS_CHECK (!ssapp_session_keep_sketch (session, &error) && ssapp_sketches_is_waiting (sketches));
  g_clear_error (&error);
  while (n_failed == 0)
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (n_kept == 0 && sqlite3_exec (other, "ROLLBACK", NULL, NULL, NULL) == SQLITE_OK);
  while (ssapp_sketches_is_waiting (sketches))
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (n_failed == 1 && n_kept == 1 && ssapp_document_is_dirty (ssapp_session_get_document (session)) == FALSE);
  g_autofree char *rows = summary (store),
                  *view = ssapp_store_get_sketch_view (store, ssapp_sketches_get_current (sketches), NULL);
  SS_CHECK_STR (rows, "sketch:Untitled Sketch:0");
  SS_CHECK (strstr (view, "plots") != NULL);
  sqlite3_close (other);
}

/* Another scenario or project comes while it is locked: it is told that the last edits are not kept, and not later that
 * they are. Discarded ones are not told, and stop nothing. */
static void
test_locked_and_left (void)
{
  g_autofree char *path = NULL, *message = NULL;
  int n_kept = 0; /* counts until the session is gone */
  g_autoptr (SsappSession) session = session_in ("left.stickslip", &path);
  SsappSketches *sketches = ssapp_session_get_sketches (session);
  SsappDocument *document = ssapp_session_get_document (session);
  g_autoptr (GError) error = NULL;
  sqlite3 *other = NULL;

  add_box (session, 0);
  SS_CHECK (ssapp_sketches_keep (sketches, &error));
  g_autofree char *one = g_strdup (ssapp_document_get_text (document));
  g_signal_connect_swapped (sketches, "failed", G_CALLBACK (take_message), &message);
  g_signal_connect_swapped (sketches, "kept", G_CALLBACK (count_told), &n_kept);
  SS_CHECK (sqlite3_open (path, &other) == SQLITE_OK &&
            sqlite3_exec (other, "BEGIN EXCLUSIVE", NULL, NULL, NULL) == SQLITE_OK);
  add_box (session, 2);
  while (message == NULL)
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK_CONTAINS (message, "Edits wait");
  SS_CHECK (ssapp_document_load_text (document, one, -1, NULL, &error));
  SS_CHECK_CONTAINS (message, "not in “left.stickslip”: another program has it locked");
  add_box (session, 2);
  ssapp_sketches_discard (sketches);
  SS_CHECK (!ssapp_sketches_is_waiting (sketches) && ssapp_sketches_add_new (sketches, &error));
  SS_CHECK (n_bodies (session) == 0 && ssapp_document_load_text (document, one, -1, NULL, &error));
  g_clear_pointer (&message, g_free);
  add_box (session, 2);
  g_autofree char *next = NULL;
  SsappStore *store = open_new ("next.stickslip", &next);
  close_store (store);
  SS_CHECK (ssapp_session_open_store (session, next, &error));
  SS_CHECK_CONTAINS (message != NULL ? message : "", "not in “left.stickslip”");
  add_box (session, 4);
  SS_CHECK (ssapp_sketches_keep (sketches, &error) && n_kept == 0);
  sqlite3_close (other);
}

/* The lock comes between text and view: with the view, the text counts as kept. */
static void
test_locked_between (void)
{
  g_autofree char *path = NULL;
  int n_changed = 0; /* counts until the session is gone */
  g_autoptr (SsappSession) session = session_in ("between.stickslip", &path);
  SsappSketches *sketches = ssapp_session_get_sketches (session);
  g_autoptr (GError) error = NULL;
  sqlite3 *other = NULL;

  add_box (session, 0);
  SS_CHECK (ssapp_sketches_keep (sketches, &error) && sqlite3_open (path, &other) == SQLITE_OK);
  sqlite3_wal_hook (ssapp_session_get_store (session)->db, lock_again, other);
  g_signal_connect_swapped (sketches, "changed", G_CALLBACK (count_told), &n_changed);
  add_box (session, 2);
  SS_CHECK (ssapp_session_set_view (session, "plots", "[]") && !ssapp_sketches_keep (sketches, &error) &&
            n_changed == 0);
  g_clear_error (&error);
  sqlite3_wal_hook (ssapp_session_get_store (session)->db, NULL, NULL);
  SS_CHECK (sqlite3_exec (other, "ROLLBACK", NULL, NULL, NULL) == SQLITE_OK);
  SS_CHECK (ssapp_sketches_keep (sketches, &error) && n_changed == 1 &&
            !ssapp_document_is_dirty (ssapp_session_get_document (session)));
  sqlite3_close (other);
}

/* "3:Add box 2:Undo Add box 1:" of a sketch. */
static char *
versions_of (SsappSketches *sketches, const char *id)
{
  g_autoptr (GPtrArray) versions = ssapp_sketches_list_versions (sketches, id, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; versions != NULL && i < versions->len; i++) {
    const SsappSketchVersion *version = g_ptr_array_index (versions, i);
    SS_CHECK (!version->is_damaged && version->text != NULL);
    g_string_append_printf (text, "%s%d:%s", i > 0 ? " " : "", version->number, version->what);
  }
  return g_string_free (text, FALSE);
}

/* Each edit is a version, edits of one kind together; going back is an edit. A sketch that was emptied stays, for its
 * versions. */
static void
test_versions (void)
{
  g_autofree char *path = NULL;
  g_autoptr (SsappSession) session = session_in ("versions.stickslip", &path);
  SsappSketches *sketches = ssapp_session_get_sketches (session);
  SsappDocument *document = ssapp_session_get_document (session);
  SsappStore *store = ssapp_session_get_store (session);
  g_autoptr (GError) error = NULL;

  add_box (session, 0);
  SS_CHECK (ssapp_sketches_keep (sketches, &error));
  g_autofree char *id = g_strdup (ssapp_sketches_get_current (sketches)),
                  *one = g_strdup (ssapp_document_get_text (document));
  add_box (session, 2);
  SS_CHECK (ssapp_sketches_keep (sketches, &error));
  for (int i = 3; i < 6; i++) { /* a number that is scrubbed */
    g_autofree char *width = g_strdup_printf ("%d", i);
    SS_CHECK (ssapp_document_set_field (document, "scene.bodies[0].shape.width", width, "m", NULL) &&
              ssapp_sketches_keep (sketches, &error));
  }
  g_autofree char *three = versions_of (sketches, id);
  SS_CHECK_STR (three, "3:Set width 2:Add box-2 1:");
  SS_CHECK (ssapp_sketches_go_back (sketches, id, 1, &error));
  SS_CHECK_STR (ssapp_document_get_text (document), one);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Go back to version 1");
  g_autofree char *four = versions_of (sketches, id);
  SS_CHECK_STR (four, "4:Go back to version 1 3:Set width 2:Add box-2 1:");
  ssapp_document_undo (document);
  SS_CHECK (n_bodies (session) == 2);
  g_autofree char *five = versions_of (sketches, id);
  SS_CHECK (g_str_has_prefix (five, "5:Undo Go back to version 1 4:"));
  SS_CHECK (!ssapp_sketches_go_back (sketches, id, 9, &error) && n_bodies (session) == 2);
  SS_CHECK_CONTAINS (error->message, "no version 9");
  g_clear_error (&error);
  /* All undone, or deleted by mistake, and left: versions bring it back. */
  while (ssapp_document_get_undo_label (document) != NULL)
    ssapp_document_undo (document);
  SS_CHECK (n_bodies (session) == 0 && ssapp_sketches_add_new (sketches, &error));
  check_summary (store, "sketch:Untitled Sketch:0");
  SS_CHECK (ssapp_sketches_go_back (sketches, id, 3, &error) && n_bodies (session) == 2);
}

/* Of hundreds of versions the older ones are thinned, none of the newer half; a long one is packed, a damaged one
 * told. */
static void
test_many_versions (void)
{
  g_autofree char *path = g_build_filename (folder, "many.stickslip", NULL), *long_text = g_strnfill (100000, 'x'),
                  *big = g_strdup_printf ("{\"description\": \"%s\"}", long_text), *id = NULL;
  g_autoptr (GError) error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, &error);
  enum { N = 450 };

  id = ssapp_store_add_sketch (store, "box", "{}", &error);
  for (int i = 2; i <= N; i++) {
    g_autofree char *text = g_strdup_printf ("{\"title\": \"%d\"}", i), *what = g_strdup_printf ("Edit %d", i);
    if (!ssapp_store_set_sketch_text (store, id, i == N ? big : text, NULL, what, &error))
      SS_CHECK (error == NULL);
  }
  g_autoptr (GPtrArray) all = ssapp_store_list_versions (store, id, &error);
  SS_CHECK (all != NULL && all->len > 200 && all->len <= 400);
  for (int i = 0; all != NULL && i < 200; i++) {
    const SsappSketchVersion *version = g_ptr_array_index (all, (guint)i);
    SS_CHECK (version->number == N - i && version->text != NULL);
  }
  SsappSketchVersion *newest = ssapp_store_get_version (store, id, N, &error);
  SS_CHECK_STR (newest != NULL ? newest->text : NULL, big);
  ssapp_sketch_version_free (newest);
  check_query (path, "SELECT typeof (text) FROM sketch_version WHERE number = 450", "blob");
  SS_CHECK (ssapp_store_close (store, &error));
  g_object_unref (store);
  check_query (path, "UPDATE sketch_version SET text = '{}' WHERE number = 449 RETURNING number", "449");
  store = ssapp_store_open (path, TRUE, &error);
  SS_CHECK (ssapp_store_get_version (store, id, 449, &error) == NULL &&
            g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED));
  g_object_unref (store);
}

/* What another process finds in the file a moment after an edit, without anything being closed; and what the close
 * leaves of the last edit. */
static void
test_crash (void)
{
  g_autofree char *path = NULL, *copy = NULL, *whole = NULL;
  SsappSession *session = session_in ("crash.stickslip", &path);

  add_box (session, 0);
  wait_seconds (1.3);
  check_query (path, "SELECT count(*) FROM sketch WHERE text LIKE '%box%'", "1");
  SS_CHECK (!ssapp_document_is_dirty (ssapp_session_get_document (session)));
  add_box (session, 3);
  SS_CHECK (ssapp_document_is_dirty (ssapp_session_get_document (session)));
  copy = g_strdup (ssapp_document_get_text (ssapp_session_get_document (session)));
  g_object_unref (session);
  whole = query (path, "SELECT text FROM sketch");
  SS_CHECK_STR (whole, copy);
}

static void
test_commands (void)
{
  g_autofree char *path = NULL, *id = NULL;
  g_autoptr (SsappSession) session = session_in ("commands.stickslip", &path);
  SsappSketches *sketches = ssapp_session_get_sketches (session);
  SsappDocument *document = ssapp_session_get_document (session);
  SsappStore *store = ssapp_session_get_store (session);
  g_autoptr (GError) error = NULL;

  add_box (session, 0);
  SS_CHECK (ssapp_sketches_keep (sketches, &error));
  id = g_strdup (ssapp_sketches_get_current (sketches));
  SS_CHECK (ssapp_sketches_rename (sketches, id, "Push a Box!", &error));
  check_summary (store, "push-a-box:Push a Box!:0");
  SS_CHECK_STR (ssapp_document_get_title (document), "Push a Box!");
  SS_CHECK_STR (ssapp_document_get_name (document), "push-a-box");
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Rename sketch");
  add_box (session, 6); /* waits to be kept while the borrowed id is used */
  SS_CHECK (ssapp_sketches_rename (sketches, ssapp_sketches_get_current (sketches), "Push a Box!", &error));
  ssapp_document_undo (document);
  SS_CHECK (n_bodies (session) == 1 && ssapp_sketches_keep (sketches, &error));
  SS_CHECK (!ssapp_sketches_rename (sketches, id, "  ", &error) && error != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_sketches_copy (sketches, id, &error) && n_bodies (session) == 1);
  check_summary (store, "push-a-box-copy:Push a Box! (copy):0 push-a-box:Push a Box!:0");
  /* One that is not the document keeps the document. */
  SS_CHECK (ssapp_sketches_rename (sketches, id, "Other", &error));
  SS_CHECK_STR (ssapp_document_get_title (document), "Push a Box! (copy)");
  /* The document's sketch goes: the other one comes; undo brings it back. */
  g_autofree char *copy = g_strdup (ssapp_sketches_get_current (sketches));
  add_box (session, 2);
  SS_CHECK (ssapp_sketches_delete (sketches, copy, &error));
  SS_CHECK_STR (ssapp_sketches_get_current (sketches), id);
  SS_CHECK (ssapp_sketches_undelete (sketches, copy, &error) && n_bodies (session) == 2);
  SS_CHECK_STR (ssapp_sketches_get_current (sketches), copy);
  /* Another process wrote this sketch: the edit here becomes one of its own. */
  g_free (query (path, "UPDATE sketch SET sha256 = 'other', text = '{}' WHERE name = 'push-a-box-copy'"));
  add_box (session, 4);
  SS_CHECK (ssapp_sketches_keep (sketches, &error));
  check_query (path, "SELECT count(*) || ' ' || max(name) FROM sketch", "3 push-a-box-copy-2");
  /* The last one goes: an empty document, none of the project's. */
  g_free (query (path, "UPDATE sketch SET deleted = 'now' WHERE name <> 'push-a-box-copy-2'"));
  SS_CHECK (ssapp_sketches_delete (sketches, ssapp_sketches_get_current (sketches), &error));
  SS_CHECK (n_bodies (session) == 0 && ssapp_sketches_get_current (sketches) == NULL);
}

/* Somebody else loads a scenario, as examples and runs do: edits before it are kept all the same. In a project without
 * a name the document goes on to say that it is not saved, until the project gets one. */
static void
test_loads (void)
{
  g_autoptr (SsappSession) session = ssapp_session_new ();
  SsappSketches *sketches = ssapp_session_get_sketches (session);
  SsappDocument *document = ssapp_session_get_document (session);
  g_autofree char *other = sketch_text ("other", "Other"), *target = path_of ("named.stickslip"), *text = NULL;
  g_autoptr (GError) error = NULL;

  add_box (session, 0);
  SS_CHECK (!ssapp_sketches_keep (sketches, &error) && error == NULL);
  SS_CHECK (!ssapp_sketches_add_new (sketches, &error) && error != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_session_ensure_store (session, &error));
  SS_CHECK (ssapp_sketches_keep (sketches, &error) && !ssapp_document_is_dirty (document));
  add_box (session, 2);
  text = g_strdup (ssapp_document_get_text (document));
  SS_CHECK (ssapp_document_load_text (document, other, -1, NULL, &error));
  SS_CHECK (ssapp_sketches_get_current (sketches) == NULL);
  check_summary (ssapp_session_get_store (session), "sketch:Untitled Sketch:0");
  /* The very text of a sketch is that sketch. */
  SS_CHECK (ssapp_document_load_text (document, text, -1, NULL, &error));
  SS_CHECK (ssapp_sketches_get_current (sketches) != NULL && n_bodies (session) == 2);
  add_box (session, 4);
  SS_CHECK (ssapp_document_is_dirty (document));
  SS_CHECK (ssapp_session_save_store_as (session, target, &error) && !ssapp_document_is_dirty (document));
  check_query (target, "SELECT text FROM sketch", ssapp_document_get_text (document));
}

/* What of the file is in the projects of nobody's name: "" where there is nothing newer. */
static char *
newer_than (const char *file)
{
  g_autofree char *text = NULL, *projects = ssapp_projects_folder ();
  SS_CHECK (g_file_get_contents (file, &text, NULL, NULL));
  g_autoptr (SsappNewerSketch) newer = ssapp_newer_sketch_find (projects, NULL, file, text);
  SsappStore *store = newer != NULL ? ssapp_store_open (newer->project, FALSE, NULL) : NULL;
  SsappSketchRow *row = store != NULL ? ssapp_store_get_sketch (store, newer->id, NULL) : NULL;
  char *found = g_strdup (row != NULL ? row->text : "");

  SS_CHECK (newer == NULL || row != NULL);
  ssapp_sketch_row_free (row);
  g_clear_object (&store);
  return found;
}

/* A file that was edited and not saved: who opens it again learns of the edits, until the file has them, or was written
 * later. A project tells nobody where the file lies. */
static void
test_newer_than_its_file (void)
{
  g_autofree char *file = path_of ("edited.json"), *link = path_of ("link.json"), *other = path_of ("other.json"),
                  *text = sketch_text ("edited", "Edited");
  g_autoptr (SsappSession) session = ssapp_session_new ();
  SsappDocument *document = ssapp_session_get_document (session);
  struct utimbuf later = {time (NULL) + 60, time (NULL) + 60};

  SS_CHECK (g_file_set_contents (file, text, -1, NULL) && g_file_set_contents (other, text, -1, NULL));
  SS_CHECK (symlink (file, link) == 0);
  SS_CHECK (ssapp_document_load_file (document, file, NULL));
  g_autofree char *before = newer_than (file);
  SS_CHECK_STR (before, "");
  add_box (session, 0);
  SS_CHECK (ssapp_session_keep_sketch (session, NULL));
  add_box (session, 2); /* a second sketch of the file is none */
  SS_CHECK (ssapp_session_keep_sketch (session, NULL));
  g_autofree char *edited = newer_than (file), *through_link = newer_than (link), *elsewhere = newer_than (other);
  SS_CHECK_STR (edited, ssapp_document_get_text (document));
  SS_CHECK_STR (through_link, edited);
  SS_CHECK_STR (elsewhere, "");
  /* On from the project, without the file. */
  SS_CHECK (ssapp_sketches_open (ssapp_session_get_sketches (session), "edited", NULL));
  g_autofree char *view = ssapp_store_get_sketch_view (
      ssapp_session_get_store (session), ssapp_sketches_get_current (ssapp_session_get_sketches (session)), NULL);
  SS_CHECK (strstr (view, "\"file\"") != NULL && strstr (view, "edited") == NULL);
  SS_CHECK (ssapp_document_load_file (document, file, NULL) && n_bodies (session) == 0);
  g_autofree char *opened = newer_than (file);
  SS_CHECK_STR (opened, edited);
  /* Written by somebody else since. */
  SS_CHECK (g_utime (file, &later) == 0);
  g_autofree char *written = newer_than (file);
  SS_CHECK_STR (written, "");
  later.actime = later.modtime = 1;
  SS_CHECK (g_file_set_contents (file, edited, -1, NULL) && g_utime (file, &later) == 0);
  g_autofree char *saved = newer_than (file);
  SS_CHECK_STR (saved, "");
}

static void
test_names (void)
{
  static const char *const pairs[][2] = {
      {"Push a Box!", "push-a-box"}, {"  ", "sketch"}, {"A--b 2", "a-b-2"}, {"é", "sketch"}};

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_autofree char *name = ssapp_sketch_name_of_title (pairs[i][0]);
    SS_CHECK_STR (name, pairs[i][1]);
  }
}

/* ---- source, picture --------------------------------------------------------------------------------------------- */

static void
test_source (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  g_autofree char *good = sketch_text ("box", "A Box"), *before = g_strdup (ssapp_document_get_text (document));
  static const char bad[] = "{\n  \"format\": 1,\n  \"name\": \"x\",\n  \"scene\": {\"gravity\": 3, \"bodies\": []},\n"
                            "  \"task\": {\"t_end\": -1}\n}\n";
  g_autoptr (GPtrArray) none = ssapp_source_check (good), some = ssapp_source_check (bad),
                        syntax = ssapp_source_check ("{\n1");
  g_autofree char *summary = ssapp_source_summary (some), *nothing = ssapp_source_summary (none);
  g_autoptr (GError) error = NULL;

  SS_CHECK (none->len == 0 && syntax->len == 1);
  SS_CHECK_STR (nothing, "");
  SS_CHECK (some->len >= 2);
  const SsappSourceProblem *first = g_ptr_array_index (some, 0), *second = g_ptr_array_index (some, 1);
  SS_CHECK (first->line == 4 && second->line == 5 && !first->is_warning);
  SS_CHECK (g_str_has_prefix (first->text, "scene.gravity: ") && g_str_has_prefix (second->text, "task.t_end: "));
  SS_CHECK (g_str_has_prefix (summary, "Line 4: scene.gravity: ") && g_str_has_suffix (summary, " more)"));
  /* What the reader refuses changes nothing; the rest is one step, as it was typed. */
  SS_CHECK (!ssapp_document_set_source (document, bad, &error) && error != NULL);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
  SS_CHECK (ssapp_document_set_source (document, good, NULL));
  SS_CHECK_STR (ssapp_document_get_text (document), good);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Edit source");
  SS_CHECK (ssapp_document_set_source (document, good, NULL)); /* the same again is no step */
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
  SS_CHECK (ssapp_document_get_undo_label (document) == NULL);
  ssapp_document_redo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), good);
}

static void
test_picture (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  g_autofree char *empty = g_strdup (ssapp_document_get_text (document));
  g_autoptr (GDateTime) now = g_date_time_new_utc (2026, 3, 5, 12, 0, 0);
  SsappStyle style;
  gboolean is_seen = FALSE;

  ssapp_style_init (&style, FALSE);
  SS_CHECK (ssapp_sketch_picture (empty, &style, 100, 50) == NULL);
  SS_CHECK (ssapp_sketch_picture ("no scenario", &style, 100, 50) == NULL);
  SS_CHECK (ssapp_document_add_box (document, (SsVec2){0, 0}, (SsVec2){2, 1}, NULL));
  cairo_surface_t *surface = ssapp_sketch_picture (ssapp_document_get_text (document), &style, 100, 50);
  SS_CHECK (surface != NULL && cairo_image_surface_get_width (surface) == 100);
  cairo_surface_flush (surface);
  /* The middle is the box, the corner is not. */
  const unsigned char *data = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  for (int x = 40; x < 60; x++)
    is_seen = is_seen || data[25 * stride + 4 * x + 3] > 0;
  SS_CHECK (is_seen && data[3] == 0);
  cairo_surface_destroy (surface);
  const char *const ages[][2] = {{"2026-03-05T08:30:00.000Z", "08:30"},
                                 {"2026-03-02T08:30:00.000Z", "Monday"},
                                 {"2025-11-03T08:30:00.000Z", "3 Nov 2025"},
                                 {"nonsense", ""}};
  for (guint i = 0; i < G_N_ELEMENTS (ages); i++) {
    g_autofree char *age = ssapp_sketch_age (ages[i][0], now);
    SS_CHECK_STR (age, ages[i][1]);
  }
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-sketches-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  SS_RUN (test_rows);
  SS_RUN (test_upgrade);
  SS_RUN (test_read_only);
  SS_RUN (test_switching);
  SS_RUN (test_locked);
  SS_RUN (test_locked_and_left);
  SS_RUN (test_locked_between);
  SS_RUN (test_versions);
  SS_RUN (test_many_versions);
  SS_RUN (test_crash);
  SS_RUN (test_commands);
  SS_RUN (test_loads);
  SS_RUN (test_newer_than_its_file);
  SS_RUN (test_names);
  SS_RUN (test_source);
  SS_RUN (test_picture);
  g_autofree char *command = g_strdup_printf ("rm -rf %s", folder);
  (void)!system (command);
  g_free (folder);
  return ss_test_finish ();
}
