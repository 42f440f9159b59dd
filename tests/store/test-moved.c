/* tests/store/test-moved.c: a project that is deleted, renamed or replaced while it is written, copies of it, and disks
 * that are full: nothing is lost without a word, and no file is left that is not whole. */
#define _DEFAULT_SOURCE 1 /* mkdtemp, symlink */

#include "tests/ss-test-store.h"

#include <math.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  TRIALS = 20,
  N_ROWS = 12,     /* of the convergence table of a run */
  N_BESIDE = 8,    /* trials beside other writers, for which closing waits a little */
  N_STAGES = 4,    /* of a run: recorded, half told, all told, ended */
  N_POINTS = 500,  /* of an answer: 12 kB */
  N_ITERATES = 40, /* kept: half a megabyte */
};

static char *folder;

static const char scenario_text[] = "{\"format\": 1, \"name\": \"a\"}";
static const char solved[] = "{\"outcome\":\"solved\",\"metrics\":{\"objective\":6.5}}";

static char *
place (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static SsappStore *
open_store (const char *path, gboolean create)
{
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, create, &error);

  SS_CHECK (store != NULL);
  if (error != NULL)
    printf ("  %s\n", error->message);
  g_clear_error (&error);
  return store;
}

static void
remove_project (const char *path)
{
  static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    char *name = g_strconcat (path, suffixes[i], NULL);
    g_unlink (name);
    g_free (name);
  }
}

static gboolean
has_journal (const char *path)
{
  char *name = g_strconcat (path, "-wal", NULL);
  gboolean is_there = g_file_test (name, G_FILE_TEST_EXISTS);

  g_free (name);
  return is_there;
}

static SsTrajectory *
make_motion (int rows)
{
  static const char *const names[] = {"t", "x", "y"};
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new_named (names, 3, rows, &motion, NULL) == SS_OK);
  for (int i = 0; i < rows; i++) {
    const double noise = (unsigned)i * 2654435761U / 3.0; /* takes its room also where motions are packed */
    const double row[] = {0.1 * i, sin (noise), cos (noise)};
    SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
  }
  return motion;
}

static gboolean
record (SsappStore *store, const char *id, GError **error)
{
  return ssapp_store_record (store, id, scenario_text, "a", (SsMethodId){SS_METHOD_OPTIMISER, "crisp"}, "{}", "{}", 1,
                             error);
}

static gboolean
tell (SsappStore *store, const char *id, int from, int to, GError **error)
{
  gboolean ok = TRUE;

  for (int i = from; i < to; i++) { /* each for itself, as events come */
    const SsColumn columns[] = {{"objective", 1.0 / (i + 1)}, {"violation", 1e-3}};
    ok = ssapp_store_add_iteration (store, id, i, 0.01 * i, columns, G_N_ELEMENTS (columns), ok ? error : NULL) && ok;
  }
  return ssapp_store_add_log (store, id, 0.1, SS_LOG_INFO, "a line", ok ? error : NULL) && ok;
}

static gboolean
finish (SsappStore *store, const char *id, GError **error)
{
  SsTrajectory *motion = make_motion (N_POINTS);
  gboolean ok = ssapp_store_finish (store, id, solved, motion, error);

  ss_trajectory_free (motion);
  return ok;
}

/* A whole run of a store of its own. */
static void
make_project (const char *path, const char *id)
{
  remove_project (path);
  SsappStore *store = open_store (path, TRUE);
  SS_CHECK (record (store, id, NULL) && tell (store, id, 0, N_ROWS, NULL) && finish (store, id, NULL));
  close_store (store);
}

/* One run of that id, ended with its motion and all its rows, in a sound file. */
static void
check_whole (const char *path, const char *id)
{
  char *sql = g_strdup_printf ("SELECT count(*) FROM run JOIN motion ON run_id = id WHERE id = '%s' AND outcome = "
                               "'solved' AND role = 'answer' AND n_rows = %d AND (SELECT count(*) FROM iteration WHERE "
                               "run_id = id) = %d",
                               id, N_POINTS, N_ROWS);

  check_query (path, "PRAGMA integrity_check", "ok");
  check_query (path, sql, "1");
  g_free (sql);
}

/* ---- deleted, renamed, replaced ---------------------------------------------------------------------------------- */

typedef enum { DELETED, DELETED_WITH_JOURNALS, RENAMED, REPLACED, LOST_JOURNAL, N_FATES } Fate;

static void
meet (Fate fate, const char *path, const char *elsewhere, const char *other)
{
  char *log = g_strconcat (path, "-wal", NULL);

  switch (fate) {
  case DELETED:
    SS_CHECK (g_unlink (path) == 0);
    break;
  case DELETED_WITH_JOURNALS:
    remove_project (path);
    break;
  case RENAMED:
    SS_CHECK (g_rename (path, elsewhere) == 0);
    break;
  case REPLACED:
    make_project (other, "other");
    SS_CHECK (g_rename (other, path) == 0);
    break;
  case LOST_JOURNAL:
    SS_CHECK (g_unlink (log) == 0);
    break;
  case N_FATES:
    break;
  }
  g_free (log);
}

static void
count_call (SsappStore *store, const char *message, int *count)
{
  (void)store;
  (void)message;
  ++*count;
}

/* A run whose file meets its fate at a stage. `saves`: what is left in memory gets another file. */
static void
try_fate (Fate fate, int stage, gboolean saves)
{
  char *path = place ("p.stickslip"), *elsewhere = place ("renamed.stickslip"), *other = place ("other.stickslip"),
       *saved = place ("saved.stickslip");
  GError *error = NULL, *closing = NULL;
  SsappStore *store, *second = NULL;
  int n_lost = 0;

  remove_project (path);
  remove_project (saved);
  store = open_store (path, TRUE);
  g_signal_connect (store, "lost", G_CALLBACK (count_call), &n_lost);
  SS_CHECK (record (store, "run-1", NULL));
  if (stage == 0)
    meet (fate, path, elsewhere, other);
  SS_CHECK (tell (store, "run-1", 0, N_ROWS / 2, stage > 0 ? &error : NULL) || stage == 0);
  if (stage == 1) {
    SS_CHECK (ssapp_store_flush (store, NULL));
    meet (fate, path, elsewhere, other);
  }
  (void)tell (store, "run-1", N_ROWS / 2, N_ROWS, NULL);
  if (stage == 2)
    meet (fate, path, elsewhere, other);
  SS_CHECK (finish (store, "run-1", &error) == (stage == 3));
  if (stage == 3)
    meet (fate, path, elsewhere, other);
  SS_CHECK (!ssapp_store_check_kept (store, &closing) && ssapp_store_is_lost (store) && n_lost == 1);
  SS_CHECK (g_error_matches (closing, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED));
  SS_CHECK_CONTAINS (closing->message, path);
  if (stage < 3) {
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED));
    SS_CHECK_CONTAINS (error->message, path);
  }
  g_clear_error (&error);
  g_clear_error (&closing);
  SS_CHECK (!record (store, "run-2", &error)); /* nothing new begins that has no file */
  g_clear_error (&error);
  if (fate == REPLACED) { /* the other project is at work, with a journal of its own, when ours is closed */
    second = open_store (path, FALSE);
    SS_CHECK (record (second, "other-2", NULL) && tell (second, "other-2", 0, N_ROWS, NULL));
    SS_CHECK (ssapp_store_flush (second, NULL) && has_journal (path));
  }
  if (saves) {
    SS_CHECK (ssapp_store_save_as (store, saved, TRUE, &error));
    SS_CHECK (!ssapp_store_is_lost (store));
    SS_CHECK_STR (ssapp_store_get_path (store), saved);
    close_store (store);
    check_whole (saved, "run-1");
  } else {
    SS_CHECK (!ssapp_store_close (store, &error));
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED));
    SS_CHECK_CONTAINS (error->message, path);
    g_clear_error (&error);
    g_object_unref (store);
  }
  if (second != NULL) {
    SS_CHECK (has_journal (path));
    SS_CHECK (finish (second, "other-2", NULL));
    close_store (second);
    check_whole (path, "other");
    check_whole (path, "other-2");
  } else if (fate != LOST_JOURNAL) {
    SS_CHECK (!g_file_test (path, G_FILE_TEST_EXISTS));
  }
  SS_CHECK (!has_journal (path)); /* it would be taken for that of the next project of this name */
  if (fate == RENAMED)
    check_query (elsewhere, "PRAGMA integrity_check", "ok");
  remove_project (elsewhere);
  g_free (path);
  g_free (elsewhere);
  g_free (other);
  g_free (saved);
}

static void
test_deleted (void)
{
  for (int i = 0; i < TRIALS; i++)
    try_fate (i % 2 == 0 ? DELETED : DELETED_WITH_JOURNALS, i % N_STAGES, i / N_STAGES % 2 == 0);
}

static void
test_renamed (void)
{
  for (int i = 0; i < TRIALS; i++)
    try_fate (RENAMED, i % N_STAGES, i / N_STAGES % 2 == 0);
}

static void
test_replaced (void)
{
  for (int i = 0; i < TRIALS; i++)
    try_fate (REPLACED, i % N_STAGES, i / N_STAGES % 2 == 0);
}

static void
test_lost_journal (void)
{
  for (int i = 0; i < 2 * N_STAGES; i++)
    try_fate (LOST_JOURNAL, i % N_STAGES, i / N_STAGES % 2 == 0);
}

/* Soon after a run the file itself has all: renamed then, it is whole. */
static void
test_renamed_between_runs (void)
{
  char *path = place ("p.stickslip"), *elsewhere = place ("renamed.stickslip");

  remove_project (path);
  SsappStore *store = open_store (path, TRUE);
  SS_CHECK (record (store, "run-1", NULL) && tell (store, "run-1", 0, N_ROWS, NULL) && finish (store, "run-1", NULL));
  g_main_context_iteration (NULL, TRUE); /* the store's timer */
  SS_CHECK (g_rename (path, elsewhere) == 0);
  SS_CHECK (!ssapp_store_close (store, NULL));
  g_object_unref (store);
  check_whole (elsewhere, "run-1");
  remove_project (elsewhere);
  g_free (path);
  g_free (elsewhere);
}

/* A look into a project whose file goes meanwhile is no loss. */
static void
test_only_read (void)
{
  char *path = place ("p.stickslip");

  make_project (path, "run-1");
  SsappStore *store = open_store (path, FALSE);
  SS_CHECK (g_unlink (path) == 0);
  close_store (store);
  SS_CHECK (!has_journal (path));
  g_free (path);
}

/* Opening a project twice in one process, as two windows do, must not drop the locks of the first: another process
 * that closes the project would then remove the journal under both. */
static void
test_two_windows (void)
{
  char *path = place ("p.stickslip");

  make_project (path, "run-1");
  SsappStore *first = open_store (path, FALSE), *second = open_store (path, FALSE);
  SS_CHECK (record (first, "run-2", NULL));
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0) {
    execl ("/proc/self/exe", "test-moved", "close", path, NULL);
    _exit (1);
  }
  int status = -1;
  waitpid (child, &status, 0);
  SS_CHECK_NEAR (status, 0, 0);
  SS_CHECK (has_journal (path));
  SS_CHECK (tell (second, "run-2", 0, N_ROWS, NULL) && finish (second, "run-2", NULL));
  close_store (first);
  close_store (second);
  check_whole (path, "run-2");
  g_free (path);
}

/* A child that writes into a project until it is killed; it says so by a run of its own. */
static pid_t
start_writer (const char *path, const char *id)
{
  char *argv[] = {(char *)"test-moved", (char *)"write", (char *)path, (char *)id, NULL};
  int pipe_ends[2];
  char byte;

  SS_CHECK (pipe (pipe_ends) == 0);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0) {
    dup2 (pipe_ends[1], STDOUT_FILENO);
    execv ("/proc/self/exe", argv);
    _exit (1);
  }
  close (pipe_ends[1]);
  SS_CHECK (read (pipe_ends[0], &byte, 1) == 1); /* its first rows are in */
  close (pipe_ends[0]);
  return child;
}

static int
write_until_killed (const char *path, const char *id)
{
  SsappStore *store = ssapp_store_open (path, FALSE, NULL);

  if (store == NULL || !record (store, id, NULL))
    return 1;
  for (int i = 0;; i++) {
    if (!tell (store, id, i, i + 1, NULL) || !ssapp_store_flush (store, NULL))
      return 2;
    if (i == 0 && write (STDOUT_FILENO, "+", 1) != 1)
      return 3;
  }
}

/* Opened by somebody else before the first writer could notice: its rows must not show up in the other project. */
static void
test_replaced_and_opened_at_once (void)
{
  char *path = place ("p.stickslip"), *other = place ("other.stickslip");

  for (int i = 0; i < TRIALS; i++) {
    remove_project (path);
    make_project (other, "other");
    SsappStore *store = open_store (path, TRUE);
    SS_CHECK (record (store, "run-1", NULL) && tell (store, "run-1", 0, 1 + i % N_ROWS, NULL));
    SS_CHECK (ssapp_store_flush (store, NULL) && has_journal (path));
    SS_CHECK (g_rename (other, path) == 0);
    SsappStore *second = open_store (path, FALSE);
    SsappRunRow *row = ssapp_store_get_run (second, "last", NULL);
    SS_CHECK_STR (row != NULL ? row->id : NULL, "other");
    ssapp_run_row_free (row);
    SS_CHECK (record (second, "other-2", NULL) && tell (second, "other-2", 0, N_ROWS, NULL));
    SS_CHECK (!finish (store, "run-1", NULL));
    SS_CHECK (finish (second, "other-2", NULL));
    SS_CHECK (!ssapp_store_close (store, NULL));
    g_object_unref (store);
    close_store (second);
    check_whole (path, "other");
    check_whole (path, "other-2");
  }
  /* The same with a writer in another process, which looks after its file by itself. */
  make_project (path, "run-0");
  make_project (other, "other");
  pid_t child = start_writer (path, "theirs");
  SS_CHECK (g_rename (other, path) == 0);
  SsappStore *second = open_store (path, FALSE);
  SS_CHECK (record (second, "other-2", NULL) && tell (second, "other-2", 0, N_ROWS, NULL));
  SS_CHECK (finish (second, "other-2", NULL));
  int status = -1;
  waitpid (child, &status, 0);
  SS_CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 2); /* it was told */
  close_store (second);
  check_whole (path, "other");
  check_whole (path, "other-2");
  remove_project (path);
  g_free (path);
  g_free (other);
}

/* With a writer that does not answer it is refused, after five seconds. */
static void
test_replaced_under_a_silent_writer (void)
{
  char *path = place ("p.stickslip"), *other = place ("other.stickslip");
  GError *error = NULL;

  make_project (path, "run-0");
  make_project (other, "other");
  pid_t child = start_writer (path, "theirs");
  kill (child, SIGSTOP);
  SS_CHECK (g_rename (other, path) == 0);
  SS_CHECK (ssapp_store_open (path, FALSE, &error) == NULL);
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY));
  SS_CHECK_CONTAINS (error->message, path);
  g_clear_error (&error);
  kill (child, SIGKILL);
  waitpid (child, NULL, 0);
  remove_project (path);
  g_free (path);
  g_free (other);
}

/* ---- another file ------------------------------------------------------------------------------------------------ */

/* Names in the folder that begin so. */
static int
count_files (const char *prefix)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, prefix) ? 1 : 0;
  g_dir_close (dir);
  return n;
}

/* While a run is told: before, in and after it the copy has all, and what comes later goes there. */
static void
test_save_as_while_writing (void)
{
  char *path = place ("p.stickslip"), *copy = place ("copy.stickslip"), *link = place ("link.stickslip");

  for (int i = 0; i < TRIALS; i++) {
    const gboolean is_untitled = i % 2 == 0;
    GError *error = NULL;
    if (i % 3 == 0)
      make_project (copy, "former"); /* it is replaced */
    else
      remove_project (copy);
    make_project (path, "run-0");
    SsappStore *store = open_store (path, FALSE);
    SS_CHECK (record (store, "run-1", NULL) && tell (store, "run-1", 0, i % N_ROWS, NULL));
    SS_CHECK (ssapp_store_save_as (store, copy, is_untitled, &error));
    SS_CHECK (tell (store, "run-1", i % N_ROWS, N_ROWS, NULL) && finish (store, "run-1", NULL));
    close_store (store);
    check_whole (copy, "run-0");
    check_whole (copy, "run-1");
    SS_CHECK (g_file_test (path, G_FILE_TEST_EXISTS) == !is_untitled);
    SS_CHECK (count_files ("copy") == 1); /* no journals, no parts */
    g_clear_error (&error);
  }
  /* A link stays one, and onto itself is no copy. */
  SS_CHECK (symlink (copy, link) == 0);
  SsappStore *store = open_store (copy, FALSE);
  SS_CHECK (ssapp_store_save_as (store, link, TRUE, NULL));
  close_store (store);
  SS_CHECK (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  check_whole (copy, "run-1");
  g_unlink (link);
  remove_project (path);
  remove_project (copy);
  g_free (link);
  g_free (path);
  g_free (copy);
}

/* The original of a copy stays where another process or another window writes it, and a file that somebody has open is
 * not replaced. */
static void
test_save_as_beside_writers (void)
{
  char *path = place ("p.stickslip"), *copy = place ("copy.stickslip");
  GError *error = NULL;

  for (int i = 0; i < N_BESIDE; i++) {
    const gboolean is_process = i % 4 == 0; /* the others are windows, which need no start */
    remove_project (copy);
    make_project (path, "run-0");
    SsappStore *store = open_store (path, FALSE), *window = NULL;
    pid_t child = 0;
    if (is_process) {
      child = start_writer (path, "theirs");
    } else {
      window = open_store (path, FALSE);
      SS_CHECK (record (window, "theirs", NULL) && tell (window, "theirs", 0, 1, NULL));
      SS_CHECK (ssapp_store_flush (window, NULL));
    }
    SS_CHECK (ssapp_store_save_as (store, copy, TRUE, &error));
    SS_CHECK (g_file_test (path, G_FILE_TEST_EXISTS));
    close_store (store);
    check_whole (copy, "run-0");
    check_query (copy, "SELECT count(*) FROM run WHERE id = 'theirs'", "1");
    store = open_store (copy, FALSE);
    SS_CHECK (!ssapp_store_save_as (store, path, FALSE, &error));
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY));
    SS_CHECK_CONTAINS (error->message, path);
    g_clear_error (&error);
    if (is_process) {
      kill (child, SIGKILL);
      waitpid (child, NULL, 0);
    } else {
      close_store (window);
    }
    close_store (store);
    check_whole (path, "run-0");
    check_query (path, "SELECT count(*) FROM iteration WHERE run_id = 'theirs' AND iteration = 0", "1");
  }
  remove_project (path);
  remove_project (copy);
  g_free (path);
  g_free (copy);
}

/* ---- no room ----------------------------------------------------------------------------------------------------- */

/* A file size limit stands for a full disk: the system refuses the write in the same way. */
static void
limit_files (guint64 bytes)
{
  struct rlimit limit;

  getrlimit (RLIMIT_FSIZE, &limit);
  limit.rlim_cur = MIN (bytes, limit.rlim_max);
  setrlimit (RLIMIT_FSIZE, &limit);
}

static void
test_save_as_without_room (void)
{
  char *path = place ("p.stickslip"), *copy = place ("copy.stickslip");

  for (int i = 0; i < TRIALS; i++) {
    const gboolean replaces = i % 2 == 0;
    GError *error = NULL;
    remove_project (copy);
    if (replaces)
      make_project (copy, "former");
    make_project (path, "run-0"); /* more than 120 kB */
    SsappStore *store = open_store (path, FALSE);
    SS_CHECK (record (store, "run-1", NULL) && tell (store, "run-1", 0, N_ROWS, NULL));
    limit_files ((guint64)(i + 1) * 5000);
    SS_CHECK (!ssapp_store_save_as (store, copy, TRUE, &error));
    limit_files (RLIM_INFINITY);
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FULL));
    SS_CHECK_CONTAINS (error->message, copy);
    g_clear_error (&error);
    SS_CHECK (count_files ("copy") == (replaces ? 1 : 0));
    if (replaces)
      check_whole (copy, "former");
    /* It goes on where it was. */
    SS_CHECK (finish (store, "run-1", NULL));
    close_store (store);
    check_whole (path, "run-0");
    check_whole (path, "run-1");
  }
  remove_project (path);
  remove_project (copy);
  g_free (path);
  g_free (copy);
}

/* Room for the answer, not for the iterates that are kept: the run is stored as solved, with its motion. */
static void
test_answer_first (void)
{
  char *path = place ("p.stickslip");

  for (int i = 0; i < TRIALS; i++) {
    GError *error = NULL;
    SsTrajectory *iterate = make_motion (N_POINTS);
    make_project (path, "run-0");
    SsappStore *store = open_store (path, FALSE);
    SS_CHECK (record (store, "run-1", NULL));
    limit_files (220000 + (guint64)i * 10000); /* the file, an answer and some more, less than all iterates */
    for (int k = 0; k < N_ITERATES; k++) {
      SS_CHECK (ssapp_store_add_iterate (store, "run-1", k, iterate, NULL));
      SS_CHECK (tell (store, "run-1", k, k + 1, NULL));
      if (k % (N_ITERATES / 4) == 0)
        SS_CHECK (ssapp_store_flush (store, NULL)); /* as after 100 ms */
    }
    SS_CHECK (!finish (store, "run-1", &error));
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FULL));
    SS_CHECK_CONTAINS (error->message, path);
    g_clear_error (&error);
    SS_CHECK (!ssapp_store_close (store, &error)); /* the iterates have no place yet */
    SS_CHECK_CONTAINS (error->message, path);
    g_clear_error (&error);
    g_object_unref (store);
    limit_files (RLIM_INFINITY);
    check_whole (path, "run-0");
    check_query (path,
                 "SELECT outcome || ' ' || n_rows FROM run JOIN motion ON run_id = id WHERE id = 'run-1' AND "
                 "role = 'answer'",
                 "solved 500");
    check_query (path, "SELECT value FROM metric JOIN run ON run = number WHERE id = 'run-1' AND name = 'objective'",
                 "6.5");
    ss_trajectory_free (iterate);
  }
  remove_project (path);
  g_free (path);
}

/* In memory where the machine has enough of it: hundreds of projects are synced here, and a disk takes its time. */
static char *
make_folder (void)
{
  static const guint64 enough = 256 << 20; /* where room is short the store writes in another order */
  struct statvfs disk;
  char *name = g_strdup ("/dev/shm/test-moved-XXXXXX");

  if (statvfs ("/dev/shm", &disk) == 0 && (guint64)disk.f_bavail * disk.f_frsize > enough && mkdtemp (name) != NULL)
    return name;
  g_free (name);
  return g_dir_make_tmp ("test-moved-XXXXXX", NULL);
}

int
main (void)
{
  if (ss_test_argc > 3 && g_str_equal (ss_test_argv[1], "write"))
    return write_until_killed (ss_test_argv[2], ss_test_argv[3]);
  if (ss_test_argc > 2 && g_str_equal (ss_test_argv[1], "close")) {
    SsappStore *store = ssapp_store_open (ss_test_argv[2], FALSE, NULL);
    return store != NULL && ssapp_store_close (store, NULL) ? 0 : 1;
  }
  signal (SIGXFSZ, SIG_IGN);
  folder = make_folder ();
  SS_RUN (test_deleted);
  SS_RUN (test_renamed);
  SS_RUN (test_replaced);
  SS_RUN (test_lost_journal);
  SS_RUN_SLOW (test_replaced_and_opened_at_once);
  if (ss_test_is_long ())
    SS_RUN (test_replaced_under_a_silent_writer);
  SS_RUN (test_renamed_between_runs);
  SS_RUN (test_only_read);
  SS_RUN (test_two_windows);
  SS_RUN_SLOW (test_save_as_while_writing);
  SS_RUN_SLOW (test_save_as_beside_writers);
  SS_RUN (test_save_as_without_room);
  SS_RUN_SLOW (test_answer_first);
  char *command = g_strdup_printf ("rm -rf %s", folder);
  (void)!system (command);
  g_free (command);
  g_free (folder);
  return ss_test_finish ();
}
