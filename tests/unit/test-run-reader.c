/* tests/unit/test-run-reader.c: lists that are read soon: short ones at once, long ones by a connection of their own
 * beside the window's; what others wrote is in them, what is damaged or cannot be read is told, and who asks no longer
 * is told nothing. */
#include "app/session/ssapp-run-reader.h"
#include "tests/ss-test-store.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *folder;

/* What a reader told. */
typedef struct {
  guint n_told, n_rows, n_damaged;
  double objective; /* of the newest run */
  char *error;
  gboolean is_calling; /* a call of the reader goes on */
} Told;

typedef struct {
  char *path;
  SsappStore *store;
  SsappRunReader *reader;
  Told told;
} Fixture;

static void
on_list (SsappRunList *list, const GError *error, gpointer data)
{
  Told *told = data;

  SS_CHECK (!told->is_calling && (list == NULL) == (error != NULL));
  told->n_told++;
  told->n_damaged = told->n_rows = 0;
  g_free (told->error);
  told->error = error != NULL ? g_strdup (error->message) : NULL;
  if (list == NULL)
    return;
  told->n_rows = ssapp_run_list_get_n_rows (list);
  for (guint i = 0; i < told->n_rows; i++)
    told->n_damaged += ssapp_run_list_get_row (list, i)->damage != NULL;
  if (told->n_rows > 0)
    told->objective = ssapp_run_row_get_metric (ssapp_run_list_get_row (list, 0), SS_METRIC_OBJECTIVE);
  ssapp_run_list_free (list);
}

/* As another program would. */
static void
execute (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  SS_CHECK (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK);
  SS_CHECK (sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK);
  sqlite3_close (db);
}

/* Makes n runs of the one that there is: they run, so that none has checksums. */
static void
copy_runs (const char *path, int first, int n)
{
  g_autoptr (GString) sql = g_string_new ("BEGIN; CREATE TEMP TABLE one AS SELECT * FROM run WHERE number = 1;");

  for (int k = first; k < first + n; k++)
    g_string_append_printf (sql,
                            "UPDATE one SET number = %d, id = '%08d-0000-4000-8000-000000000000';"
                            "INSERT INTO run SELECT * FROM one;"
                            "INSERT INTO metric VALUES (%d, 'objective', %d);",
                            k, k, k, k);
  execute (path, g_string_append (sql, "COMMIT")->str);
}

/* A project of n runs. */
static void
fixture_init (Fixture *f, const char *name, int n)
{
  *f = (Fixture){.path = g_build_filename (folder, name, NULL)};
  f->store = ssapp_store_open (f->path, TRUE, NULL);
  f->reader = ssapp_run_reader_new (on_list, &f->told);
  SS_CHECK (ssapp_store_record (f->store, "00000001-0000-4000-8000-000000000000", "{}", "a",
                                (SsMethodId){SS_METHOD_OPTIMISER, "crisp"}, "{}", "{}", 7, NULL));
  copy_runs (f->path, 2, n - 1);
}

static void
fixture_clear (Fixture *f)
{
  ssapp_run_reader_free (f->reader);
  g_clear_object (&f->store);
  SS_CHECK (g_unlink (f->path) == 0 || strstr (f->path, "gone") != NULL);
  g_free (f->told.error);
  g_free (f->path);
}

static const SsMetric asked[] = {SS_METRIC_OBJECTIVE};

static guint
read_now (Fixture *f)
{
  f->told.is_calling = TRUE;
  SsappRunList *list = ssapp_run_reader_read (f->reader, f->store, asked, G_N_ELEMENTS (asked), NULL);
  f->told.is_calling = FALSE;
  const guint n = list != NULL ? ssapp_run_list_get_n_rows (list) : 0;
  if (list != NULL)
    ssapp_run_list_free (list);
  return n;
}

static void
queue (Fixture *f)
{
  f->told.is_calling = TRUE;
  ssapp_run_reader_queue (f->reader, f->store, asked, G_N_ELEMENTS (asked));
  f->told.is_calling = FALSE;
}

static void
await (Fixture *f, guint n_told)
{
  while (f->told.n_told < n_told)
    g_main_context_iteration (NULL, TRUE);
}

/* How often this process has the file open. */
static guint
count_open (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *link = g_build_filename ("/proc/self/fd", name, NULL), *to = g_file_read_link (link, NULL);
    n += g_strcmp0 (to, path) == 0;
  }
  return n;
}

/* Until a connection of its own reads; FALSE: the list was there before. */
static gboolean
await_reading (Fixture *f)
{
  const guint before = count_open (f->path), n_told = f->told.n_told;

  while (f->told.n_told == n_told && count_open (f->path) == before)
    g_main_context_iteration (NULL, TRUE);
  return f->told.n_told == n_told;
}

static void
short_lists_are_read_at_once_without_another_connection (void)
{
  Fixture f;

  fixture_init (&f, "short", 20);
  SS_CHECK (read_now (&f) == 20);
  copy_runs (f.path, 21, 1);
  queue (&f);
  queue (&f); /* one list for both */
  SS_CHECK (f.told.n_told == 0 && !await_reading (&f));
  SS_CHECK (f.told.n_told == 1 && f.told.n_rows == 21 && f.told.objective == 21 && f.told.n_damaged == 0);
  SS_CHECK (ssapp_run_reader_read (f.reader, NULL, NULL, 0, NULL) != NULL); /* no project: an empty list */
  fixture_clear (&f);
}

static void
long_lists_are_read_beside (void)
{
  Fixture f;

  fixture_init (&f, "long", SSAPP_RUN_READER_LONG);
  SS_CHECK (read_now (&f) == SSAPP_RUN_READER_LONG);
  copy_runs (f.path, SSAPP_RUN_READER_LONG + 1, 1);
  queue (&f);
  SS_CHECK (await_reading (&f));
  /* what comes while it reads is in the next list, which nobody need ask for once more */
  copy_runs (f.path, SSAPP_RUN_READER_LONG + 2, 1);
  queue (&f);
  await (&f, 1);
  SS_CHECK (f.told.n_rows > SSAPP_RUN_READER_LONG && f.told.objective == f.told.n_rows);
  await (&f, 2);
  SS_CHECK (f.told.n_rows == SSAPP_RUN_READER_LONG + 2 && f.told.objective == f.told.n_rows);
  SS_CHECK (f.told.n_damaged == 0);
  fixture_clear (&f);
}

/* A run that has ended has checksums: one whose outcome another program wrote has none. */
static void
damage_is_told_by_the_connection_beside (void)
{
  Fixture f;

  fixture_init (&f, "damaged", SSAPP_RUN_READER_LONG);
  SS_CHECK (read_now (&f) == SSAPP_RUN_READER_LONG);
  execute (f.path, "UPDATE run SET outcome = 'solved' WHERE number = 500");
  queue (&f);
  SS_CHECK (await_reading (&f));
  await (&f, 1);
  SS_CHECK (f.told.n_rows == SSAPP_RUN_READER_LONG && f.told.n_damaged == 1 && f.told.error == NULL);
  fixture_clear (&f);
}

static void
nothing_is_told_to_one_who_asks_no_longer (void)
{
  static const char *const names[] = {"overtaken", "freed"};

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    Fixture f;
    fixture_init (&f, names[i], SSAPP_RUN_READER_LONG);
    SS_CHECK (read_now (&f) == SSAPP_RUN_READER_LONG);
    queue (&f);
    SS_CHECK (await_reading (&f));
    if (i == 0)
      SS_CHECK (read_now (&f) == SSAPP_RUN_READER_LONG); /* a list that is read now overtakes it */
    else
      g_clear_pointer (&f.reader, ssapp_run_reader_free);
    SS_CHECK (ssapp_store_close (f.store, NULL));
    while (count_open (f.path) > 0) /* the thread gives its connection back */
      g_main_context_iteration (NULL, FALSE);
    while (g_main_context_iteration (NULL, FALSE))
      ;
    SS_CHECK (f.told.n_told == 0);
    fixture_clear (&f);
  }
}

static void
what_cannot_be_read_is_said (void)
{
  Fixture f;

  fixture_init (&f, "closed", SSAPP_RUN_READER_LONG);
  SS_CHECK (read_now (&f) == SSAPP_RUN_READER_LONG);
  /* the thread fails, and the window's own connection says why */
  execute (f.path, "ALTER TABLE metric RENAME TO metrics");
  queue (&f);
  await (&f, 1);
  SS_CHECK (f.told.error != NULL);
  SS_CHECK_CONTAINS (f.told.error, "metric");
  execute (f.path, "ALTER TABLE metrics RENAME TO metric");
  SS_CHECK (ssapp_store_close (f.store, NULL));
  queue (&f);
  await (&f, 2);
  SS_CHECK (f.told.error != NULL);
  SS_CHECK_CONTAINS (f.told.error, "closed");
  fixture_clear (&f);
}

static void
a_connection_beside_reads_only_and_only_what_is_there (void)
{
  Fixture f;
  g_autoptr (GError) error = NULL;

  fixture_init (&f, "gone", 2);
  SsappStore *beside = ssapp_store_open_beside (f.store, NULL);
  SS_CHECK (beside != NULL && ssapp_store_is_read_only (beside));
  SS_CHECK (!ssapp_store_set_note (beside, "00000001-0000-4000-8000-000000000000", "new", &error));
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_READ_ONLY));
  SS_CHECK (ssapp_store_open_beside (beside, NULL) == NULL); /* of one that is read only there is none */
  g_object_unref (beside);
  g_clear_error (&error);
  g_unlink (f.path);
  SS_CHECK (ssapp_store_open_beside (f.store, &error) == NULL);
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_MOVED));
  /* the reader takes the connection that there is */
  queue (&f);
  await (&f, 1);
  SS_CHECK (f.told.n_rows == 2);
  ssapp_store_close (f.store, NULL);
  SS_CHECK (ssapp_store_open_beside (f.store, NULL) == NULL);
  fixture_clear (&f);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-run-reader-XXXXXX", NULL);
  SS_RUN (short_lists_are_read_at_once_without_another_connection);
  SS_RUN_THREADS (long_lists_are_read_beside);
  SS_RUN_THREADS (damage_is_told_by_the_connection_beside);
  SS_RUN_THREADS (nothing_is_told_to_one_who_asks_no_longer);
  SS_RUN_THREADS (what_cannot_be_read_is_said);
  SS_RUN (a_connection_beside_reads_only_and_only_what_is_there);
  g_rmdir (folder);
  g_free (folder);
  return ss_test_finish ();
}
