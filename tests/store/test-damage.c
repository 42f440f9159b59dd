/* tests/store/test-damage.c: checksums follow whatever the program itself changes, and never what anybody else does. */
#include "app/store/ssapp-store-check.h"
#include "app/store/ssapp-store-copy.h"
#include "app/store/ssapp-store-merge.h"
#include "app/store/ssapp-store-sketch.h"
#include "app/store/ssapp-store-study.h"
#include "tests/ss-test-store.h"

#include <glib/gstdio.h>
#include <stdlib.h>

static char *folder;

/* Things that do not match; their words joined. */
static char *
damage_of (SsappStore *store)
{
  g_autoptr (SsappCheck) check = ssapp_store_check (store, NULL);
  GString *words = g_string_new (NULL);

  SS_CHECK (check != NULL && check->has_sums);
  for (guint i = 0; check != NULL && i < check->damage->len; i++) {
    const SsappDamage *damage = g_ptr_array_index (check->damage, i);
    g_string_append_printf (words, "%s %s: %s\n", damage->of, damage->id, damage->words);
  }
  return g_string_free (words, FALSE);
}

static void
check_sound (SsappStore *store)
{
  g_autofree char *words = damage_of (store);

  SS_CHECK_STR (words, "");
}

static const char result[] = "{\"outcome\": \"completed\", \"message\": \"\", \"metrics\": {\"steps\": 3}, \"events\": "
                             "[{\"t\": 0.5, \"kind\": \"impact\", \"contact\": \"a\", \"impulse\": 1.5}]}";

static void
add_run (SsappStore *store, const char *id)
{
  const SsMethodId method = {SS_METHOD_INTEGRATOR, "moreau-jean"};

  SS_CHECK (ssapp_store_record (store, id, "{}", "a", method, "{\"x\": 1}", NULL, 7, NULL));
  check_sound (store); /* while it runs, too */
  SS_CHECK (ssapp_store_add_log (store, id, 0.1, 1, "a line", NULL));
  SS_CHECK (ssapp_store_finish (store, id, result, NULL, NULL));
  check_sound (store);
}

static void
test_own_changes_are_summed (void)
{
  g_autofree char *path = g_build_filename (folder, "own.stickslip", NULL), *sketch = NULL, *study = NULL,
                  *title = NULL;
  g_autoptr (SsappStore) store = ssapp_store_open (path, TRUE, NULL);
  const char *const ids[] = {"run-a", "run-b", NULL}, *const names[] = {"vx", NULL};
  const double values[] = {1, 2, 3};
  json_t *machine = json_pack ("{s:s, s:i}", "host", "elsewhere", "cpu_count", 4);

  add_run (store, "run-a");
  add_run (store, "run-b");
  SS_CHECK (ssapp_store_add_samples (store, "run-a", "velocities", names, values, 3, FALSE, NULL));
  check_sound (store);
  SS_CHECK (ssapp_store_set_note (store, "run-a", "a note", NULL) &&
            ssapp_store_set_tags (store, "run-a", "x, y", NULL));
  SS_CHECK (ssapp_store_delete_run (store, "run-b", NULL));
  check_sound (store);
  SS_CHECK (ssapp_store_undelete_run (store, "run-b", NULL));
  SS_CHECK (ssapp_store_set_replay_of (store, "run-b", "run-a", NULL));
  SS_CHECK (ssapp_store_set_origin (store, "run-b", "2026-01-01T00:00:00.000Z", NULL, machine, NULL));
  check_sound (store);
  /* A log that comes after the end. */
  SS_CHECK (ssapp_store_add_log (store, "run-b", 9, 1, "late", NULL) && ssapp_store_flush (store, NULL));
  check_sound (store);
  sketch = ssapp_store_add_sketch (store, "box", "{}", NULL);
  SS_CHECK (ssapp_store_set_sketch_text (store, sketch, "{\"a\": 1}", "", "Edit", NULL) &&
            ssapp_store_rename_sketch (store, sketch, "ball", NULL) &&
            ssapp_store_set_sketch_view (store, sketch, "{\"b\": 2}", NULL) &&
            ssapp_store_delete_sketch (store, sketch, NULL) && ssapp_store_undelete_sketch (store, sketch, NULL));
  check_sound (store);
  study = ssapp_store_add_study (store, "S", "{}", 2, NULL);
  SS_CHECK (ssapp_store_set_study_run (store, study, "key-1", "{\"mu\": 1}", "run-a", NULL) &&
            ssapp_store_set_study (store, study, "T", "{\"x\": 1}", 3, NULL) &&
            ssapp_store_delete_study (store, study, NULL) && ssapp_store_undelete_study (store, study, NULL));
  title = ssapp_store_add_comparison (store, "both", ids, NULL, NULL);
  SS_CHECK (title != NULL);
  check_sound (store);
  json_decref (machine);

  /* Into another project, by halves and then all of it, where a name is taken. */
  g_autofree char *other_path = g_build_filename (folder, "other.stickslip", NULL), *taken = NULL;
  g_autoptr (SsappStore) other = ssapp_store_open (other_path, TRUE, NULL);
  taken = ssapp_store_add_sketch (other, "ball", "{\"other\": 1}", NULL);
  SsappMerge told = {0};
  const char *const some[] = {"run-a", NULL};
  SS_CHECK (ssapp_store_merge (other, path, some, &told, NULL) && told.n_damaged == 0);
  check_sound (other);
  SS_CHECK (ssapp_store_delete_run (other, "run-a", NULL));
  SS_CHECK (ssapp_store_merge (other, path, NULL, &told, NULL) && told.n_damaged == 0 && told.n_runs == 1);
  check_sound (other);
}

/* What somebody else changed stays known, whatever the user does to the run afterwards. */
static void
test_damage_is_not_summed_away (void)
{
  static const struct {
    const char *sql, *words;
  } changes[] = {{"UPDATE run SET note = 'x' WHERE id = 'run-a'", "its note, tags or removal"},
                 {"UPDATE run SET seed = 8 WHERE id = 'run-a'", "its name"},
                 {"UPDATE metric SET value = 4", "its metrics"},
                 {"UPDATE event SET impulse = 4", "its events"},
                 {"UPDATE sketch SET text = '{\"c\": 1}'", "it: not as stored"},
                 {"UPDATE study SET definition = '{\"c\": 1}'", "it: not as stored"}};

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    g_autofree char *name = g_strdup_printf ("away-%u.stickslip", i), *path = g_build_filename (folder, name, NULL);
    SsappStore *store = ssapp_store_open (path, TRUE, NULL);
    add_run (store, "run-a");
    g_autofree char *sketch = ssapp_store_add_sketch (store, "box", "{}", NULL),
                    *study = ssapp_store_add_study (store, "S", "{}", 2, NULL);
    SS_CHECK (ssapp_store_close (store, NULL));
    g_object_unref (store);
    g_free (query (path, changes[i].sql));
    store = ssapp_store_open (path, FALSE, NULL);
    SS_CHECK (ssapp_store_set_note (store, "run-a", "fine", NULL) && ssapp_store_set_tags (store, "run-a", "y", NULL) &&
              ssapp_store_delete_run (store, "run-a", NULL) && ssapp_store_undelete_run (store, "run-a", NULL) &&
              ssapp_store_set_replay_of (store, "run-a", "", NULL) &&
              ssapp_store_rename_sketch (store, sketch, "other", NULL) &&
              ssapp_store_set_study (store, study, "T", "{\"d\": 1}", 2, NULL) &&
              ssapp_store_set_study_run (store, study, "key", "{}", "run-a", NULL));
    g_autofree char *words = damage_of (store);
    SS_CHECK_CONTAINS (words, changes[i].words);
    SS_CHECK (strchr (words, '\n') == strrchr (words, '\n')); /* one thing, not more */
    SS_CHECK (ssapp_store_close (store, NULL));
    g_object_unref (store);
  }
}

/* A motion without a checksum is read while its run goes on, which may have been killed before it was summed; of a run
 * that has ended somebody took the checksum away. */
static void
test_motions_without_a_checksum (void)
{
  static const char away[] = "DELETE FROM checksum WHERE of = 'run' AND part LIKE '%motion%'";
  g_autofree char *path = g_build_filename (folder, "running.stickslip", NULL);
  g_autoptr (SsappStore) store = ssapp_store_open (path, TRUE, NULL);
  const SsMethodId method = {SS_METHOD_INTEGRATOR, "moreau-jean"};
  const SsappMotionKey key = {.role = "branch", .branch = 1, .iteration = -1};
  const char *const names[] = {"t", "a.x"};
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new_named (names, 2, 1, &motion, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_append (motion, (double[]){0, 3}, NULL) == SS_OK);
  SS_CHECK (ssapp_store_record (store, "run-a", "{}", "a", method, "{}", NULL, 7, NULL));
  SS_CHECK (ssapp_store_add_motion (store, "run-a", &key, 1, motion, NULL) && ssapp_store_flush (store, NULL));
  for (int is_ended = 0; is_ended < 2; is_ended++) {
    g_autoptr (GError) error = NULL;
    check_query (path, "SELECT count(*) > 0 FROM checksum WHERE of = 'run' AND part LIKE '%motion%'", "1");
    g_free (query (path, away));
    SsTrajectory *found = ssapp_store_get_motion (store, "run-a", &key, &error);
    SS_CHECK ((found != NULL) == !is_ended && (error != NULL) == is_ended);
    ss_trajectory_free (found);
    if (!is_ended)
      SS_CHECK (ssapp_store_finish (store, "run-a", result, NULL, NULL));
  }
  ss_trajectory_free (motion);
}

/* Something of which the schema does not say what it is: what can be read is saved, and the thing is told. */
static void
test_a_schema_without_a_kind_is_saved (void)
{
  g_autofree char *path = g_build_filename (folder, "kind.stickslip", NULL),
                  *to = g_build_filename (folder, "kind-saved.stickslip", NULL);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  sqlite3 *db = NULL;

  add_run (store, "run-a");
  close_store (store);
  SS_CHECK (sqlite3_open (path, &db) == SQLITE_OK);
  SS_CHECK (
      sqlite3_exec (db, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = NULL WHERE name = 'run_by_time'",
                    NULL, NULL, NULL) == SQLITE_OK);
  SS_CHECK (sqlite3_close (db) == SQLITE_OK);
  SsappCopied *copied = ssapp_store_copy_readable (path, to, NULL);
  SS_CHECK (copied != NULL);
  if (copied == NULL)
    return;
  SS_CHECK (copied->n_runs == 1 && copied->lost->len == 0 && copied->apart->len == 1);
  if (copied->apart->len == 1)
    SS_CHECK_STR (g_ptr_array_index (copied->apart, 0), "? run_by_time on run");
  ssapp_copied_free (copied);
}

/* An index that knows nothing of a row as it is now leads to other runs than the rows would: SQLite's own look at the
 * file tells it, beside what the checksum tells of the row. */
static void
test_an_index_apart_is_told (void)
{
  static const char *const steps[] = {
      "PRAGMA writable_schema = ON; CREATE TEMP TABLE kept AS SELECT * FROM main.sqlite_schema WHERE name = "
      "'run_by_time'; DELETE FROM main.sqlite_schema WHERE name = 'run_by_time'; PRAGMA writable_schema = RESET",
      "UPDATE run SET started = '2001-01-01T00:00:00.000Z'",
      "PRAGMA writable_schema = ON; INSERT INTO main.sqlite_schema SELECT * FROM temp.kept; PRAGMA writable_schema = "
      "RESET"};
  g_autofree char *path = g_build_filename (folder, "index.stickslip", NULL);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  sqlite3 *db = NULL;

  add_run (store, "run-a");
  close_store (store);
  SS_CHECK (sqlite3_open (path, &db) == SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    SS_CHECK (sqlite3_exec (db, steps[i], NULL, NULL, NULL) == SQLITE_OK);
  SS_CHECK (sqlite3_close (db) == SQLITE_OK);
  store = ssapp_store_open_to_read (path, NULL);
  SS_CHECK (store != NULL);
  g_autofree char *words = damage_of (store);
  SS_CHECK_CONTAINS (words, "project : the file is damaged: row 1 missing from index run_by_time");
  SS_CHECK_CONTAINS (words, "run run-a: its name, method, options, times or outcome");
  close_store (store);
  g_unlink (path);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-damage-XXXXXX", NULL);
  SS_RUN (test_own_changes_are_summed);
  SS_RUN (test_damage_is_not_summed_away);
  SS_RUN (test_motions_without_a_checksum);
  SS_RUN (test_an_index_apart_is_told);
  SS_RUN (test_a_schema_without_a_kind_is_saved);
  g_autofree char *command = g_strdup_printf ("rm -rf %s", folder);
  (void)!system (command);
  g_free (folder);
  return ss_test_finish ();
}
