/* tests/store/test-store-memory.c: every allocation of SQLite's may fail while a project is opened, written, merged,
 * archived, made smaller, copied or read.
 *
 * A clean call tells how many it makes; then the n-th fails, and sometimes all after it. The call must tell an error or
 * have done all of it; read by SQLite alone the project is sound and has the run that it had; what is tried again with
 * memory succeeds; nothing of SQLite's is left allocated. (GLib ends a program that has no memory.) */
#include "tests/ss-test-store.h"

#include "app/store/ssapp-store-copy.h"
#include "app/store/ssapp-store-merge.h"
#include "app/store/ssapp-store-shrink.h"
#include "app/store/ssapp-store-sketch.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  N_TRIES = 15,
  N_LONG = 400
}; /* places of an action that are tried, by default and with --all: of 300 to 50,000 */

static char *folder, *project, *other, *made, *was_project, *was_other;
static const char scenario_text[] = "{\"format\": 1, \"name\": \"a\"}";

/* ---- SQLite's memory --------------------------------------------------------------------------------------------- */

static sqlite3_mem_methods plain;
static gint64 n_allocations, failing_from = G_MAXINT64, failing_to = G_MAXINT64;
static gint64 n_blocks; /* that are allocated now */

static gboolean
fails (void)
{
  n_allocations++;
  return n_allocations >= failing_from && n_allocations < failing_to;
}

static void *
allocate (int bytes)
{
  void *block = fails () ? NULL : plain.xMalloc (bytes);

  n_blocks += block != NULL;
  return block;
}

static void *
reallocate (void *block, int bytes)
{
  return fails () ? NULL : plain.xRealloc (block, bytes);
}

static void
release (void *block)
{
  n_blocks -= block != NULL;
  plain.xFree (block);
}

static void
fail_in (gint64 from, gint64 to)
{
  n_allocations = 0;
  failing_from = from;
  failing_to = to;
}

/* ---- what is done ------------------------------------------------------------------------------------------------ */

/* With an open project; FALSE with an error, or all of it is done. */
typedef gboolean (*Act) (SsappStore *store, GError **error);

static gboolean
do_nothing (SsappStore *store, GError **error)
{
  (void)store, (void)error;
  return TRUE;
}

static gboolean
record_run (SsappStore *store, const char *id, GError **error)
{
  static const char *const names[] = {"t", "box.x"};
  g_autofree char *events = g_strdup_printf ("{\"outcome\":\"completed\",\"objective\":2,\"id\":\"%s\"}", id);
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new_named (names, 2, 50, &motion, NULL) == SS_OK);
  for (int i = 0; i < 50; i++)
    SS_CHECK (ss_trajectory_append (motion, (double[]){i, sin (i)}, NULL) == SS_OK);
  const gboolean ok = ssapp_store_record (store, id, scenario_text, "a",
                                          (SsMethodId){SS_METHOD_INTEGRATOR, "moreau-jean"}, "{}", "{}", 7, error) &&
                      ssapp_store_add_log (store, id, 0.1, 1, "begun", error) &&
                      ssapp_store_finish (store, id, events, motion, error);
  ss_trajectory_free (motion);
  return ok;
}

static gboolean
write_run (SsappStore *store, GError **error)
{
  return record_run (store, "new", error);
}

static gboolean
write_sketch (SsappStore *store, GError **error)
{
  g_autofree char *id = ssapp_store_add_sketch (store, "a sketch", scenario_text, error);
  return id != NULL;
}

static gboolean
merge (SsappStore *store, GError **error)
{
  return ssapp_store_merge (store, other, NULL, NULL, error);
}

static gboolean
archive (SsappStore *store, GError **error)
{
  return ssapp_store_archive (store, NULL, made, FALSE, NULL, error);
}

static gboolean
shrink (SsappStore *store, GError **error)
{
  return ssapp_store_shrink_run (store, "old-run", SSAPP_KEEP_METRICS, error);
}

static gboolean
copy (SsappStore *store, GError **error)
{
  (void)store;
  SsappCopied *copied = ssapp_store_copy_readable (project, made, error);
  const gboolean ok = copied != NULL;

  SS_CHECK (!ok || (copied->lost->len == 0 && copied->n_damaged == 0));
  ssapp_copied_free (copied);
  return ok;
}

static gboolean
read_all (SsappStore *store, GError **error)
{
  const SsMetric objective = ss_metric_find ("objective");
  g_autoptr (GPtrArray) runs = ssapp_store_list_runs (store, &objective, 1, error);
  SsTrajectory *motion = runs != NULL ? ssapp_store_get_trajectory (store, "old-run", error) : NULL;
  const gboolean ok = motion != NULL;

  SS_CHECK (runs == NULL || (runs->len == 1 && ((SsappRunRow *)runs->pdata[0])->damage == NULL));
  SS_CHECK (motion == NULL || (motion->n_rows == 50 && motion->values[2 * 49 + 1] == sin (49)));
  ss_trajectory_free (motion);
  return ok;
}

/* `shows`: read by SQLite from the file that the action makes, "1" where all of it is done. */
static const struct {
  const char *name;
  Act act;
  const char *shows, *of;
} actions[] = {
    {"open", do_nothing, "SELECT count(*) FROM run WHERE id = 'old-run'", "project"},
    {"write", write_run,
     "SELECT count(*) FROM run r JOIN motion m ON m.run_id = r.id JOIN log l ON l.run_id = r.id WHERE r.id = 'new' AND "
     "r.outcome = 'completed'",
     "project"},
    {"sketch", write_sketch, "SELECT count(*) FROM sketch WHERE name = 'a sketch'", "project"},
    {"merge", merge, "SELECT count(*) FROM run JOIN motion ON run_id = id WHERE id = 'other'", "project"},
    {"archive", archive, "SELECT count(*) FROM run JOIN motion ON run_id = id WHERE id = 'old-run'", "made"},
    {"shrink", shrink, "SELECT count(*) = 0 FROM motion WHERE run_id = 'old-run'", "project"},
    {"copy", copy, "SELECT count(*) FROM run JOIN motion ON run_id = id WHERE id = 'old-run'", "made"},
    {"read", read_all, "SELECT count(*) FROM run WHERE id = 'old-run'", "project"},
};

/* ---- trying ------------------------------------------------------------------------------------------------------ */

static void
put_file (const char *from, const char *to)
{
  g_autofree char *data = NULL;
  gsize length = 0;

  SS_CHECK (g_file_get_contents (from, &data, &length, NULL) && g_file_set_contents (to, data, (gssize)length, NULL));
}

/* Opens, acts, closes; the opening has memory where there is an act to try, and so has the closing, which stores what
 * could not be stored. `n` is how many are allocated between them, of which those from `from` to before `to` fail. */
static gboolean
try_action (int a, gint64 from, gint64 to, gint64 *n, gboolean *closed, GError **error)
{
  gboolean ok = FALSE;

  fail_in (actions[a].act == do_nothing ? from : G_MAXINT64, to);
  SsappStore *store = ssapp_store_open (project, FALSE, error);
  if (store != NULL) {
    if (actions[a].act != do_nothing)
      fail_in (from, to);
    ok = actions[a].act (store, error);
  }
  *n = n_allocations;
  fail_in (G_MAXINT64, G_MAXINT64);
  g_autoptr (GError) left = NULL;
  *closed = store == NULL || ssapp_store_close (store, &left);
  if (!*closed)
    printf ("  closing: %s\n", left->message);
  g_clear_object (&store);
  return ok;
}

static void
test_action (int a)
{
  gint64 n_places = 0, n_kept = 0, step;
  gboolean closed = FALSE;
  int n_errors = 0;

  for (gint64 n = 0; n <= n_places; n += n == 0 ? 1 : step) {
    g_autoptr (GError) error = NULL;
    const int before = ss_test_failed_checks;
    const gboolean is_clean = n == 0, goes_on = n % 2 == 0;

    put_file (was_project, project);
    put_file (was_other, other);
    unlink (made);
    gint64 n_made;
    const gboolean ok =
        try_action (a, is_clean ? G_MAXINT64 : n, goes_on ? G_MAXINT64 : n + 1, &n_made, &closed, &error);
    if (is_clean) {
      n_kept = n_blocks;
      n_places = n_made;
      step = MAX (1, n_places / (ss_test_is_long () ? N_LONG : N_TRIES));
      printf ("  %s: %" G_GINT64_FORMAT " allocations\n", actions[a].name, n_places);
    }
    SS_CHECK (ok == (error == NULL));
    SS_CHECK (!is_clean || ok);
    SS_CHECK (is_clean || n_blocks == n_kept);
    n_errors += !ok;
    check_query (project, "PRAGMA integrity_check", "ok");
    check_query (project, "SELECT count(*) FROM run WHERE id = 'old-run' AND outcome = 'completed'", "1");
    const char *file = strcmp (actions[a].of, "made") == 0 ? made : project;
    SS_CHECK (closed);
    if (ok)
      check_query (file, actions[a].shows, "1");
    else if (file == made && access (made, F_OK) == 0) /* made and renamed when it was whole */
      check_query (made, actions[a].shows, "1");
    /* A lack of memory is told as what it is: nothing is called damaged, lost or unreadable. */
    SS_CHECK (ok || (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MEMORY) &&
                     strstr (error->message, "out of memory") != NULL));
    if (ss_test_failed_checks > before)
      printf ("  %s: allocation %" G_GINT64_FORMAT "%s: %s\n", actions[a].name, n, goes_on ? " and all after it" : "",
              error != NULL ? error->message : "no error");
  }
  SS_CHECK (n_places > 0 && n_errors > 0); /* else nothing failed, and nothing was tested */
}

static void
test_actions (void)
{
  for (guint a = 0; a < G_N_ELEMENTS (actions); a++)
    test_action ((int)a);
}

static void
make_project (const char *path, const char *id)
{
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, &error);

  SS_CHECK (store != NULL && record_run (store, id, &error));
  close_store (store);
}

int
main (void)
{
  sqlite3_config (SQLITE_CONFIG_GETMALLOC, &plain);
  sqlite3_mem_methods counting = plain;
  counting.xMalloc = allocate;
  counting.xRealloc = reallocate;
  counting.xFree = release;
  sqlite3_config (SQLITE_CONFIG_MALLOC, &counting);

  folder = g_dir_make_tmp ("stickslip-test-XXXXXX", NULL);
  project = g_build_filename (folder, "p.stickslip", NULL);
  other = g_build_filename (folder, "other.stickslip", NULL);
  made = g_build_filename (folder, "made.stickslip", NULL);
  was_project = g_build_filename (folder, "was-p.stickslip", NULL);
  was_other = g_build_filename (folder, "was-other.stickslip", NULL);
  make_project (was_project, "old-run");
  make_project (was_other, "other");
  SS_RUN (test_actions);
  char *const files[] = {project, other, made, was_project, was_other};
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    unlink (files[i]);
    g_free (files[i]);
  }
  g_rmdir (folder);
  g_free (folder);
  return ss_test_finish ();
}
