/* tests/store/test-store-pieces.c: motions too long to be in memory once more: packed and written in pieces, on a full
 * disk too, and read as they were. */
#include "tests/ss-test-store.h"

#include "app/job/ssapp-keep.h"
#include "app/store/ssapp-store-compact.h"
#include "app/store/ssapp-store-pack.h"
#include "app/store/ssapp-store-private.h"
#include "app/store/ssapp-store-steps.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;

static const char scenario_text[] = "{\"format\": 1, \"name\": \"a\"}";
enum { N_ROWS = 18000, N_CHANNELS = 100, RAW_BYTES = N_ROWS * N_CHANNELS * 8 };
/* What may be allocated meanwhile: the packer's share of the heap (SSAPP_STORE_HEAP_BYTES, 4 MB), which grows beside
 * what it has, a block of rows (1 MB), pages of SQLite (2 MB); less than what is stored (10.8 and 14.4 MB). */
enum { MORE_BYTES = 9 << 20 };

/* Numbers with `n_bytes` lowest bytes of noise, which take as many bytes each when they are packed. */
static SsTrajectory *
make_motion (int n_bytes)
{
  static char text[N_CHANNELS][8];
  const char *names[N_CHANNELS];
  double row[N_CHANNELS];
  SsTrajectory *motion = NULL;
  guint64 noise = 1;

  for (int c = 0; c < N_CHANNELS; c++) {
    g_snprintf (text[c], sizeof text[c], "c%d", c);
    names[c] = text[c];
  }
  SS_CHECK (ss_trajectory_new_named (names, N_CHANNELS, N_ROWS, &motion, NULL) == SS_OK);
  for (int i = 0; i < N_ROWS; i++) {
    for (int c = 0; c < N_CHANNELS; c++) {
      noise = noise * 6364136223846793005u + 1442695040888963407u;
      const guint64 mixed = (noise ^ (noise >> 29)) * 0xbf58476d1ce4e5b9u, word = mixed ^ (mixed >> 32);
      const guint64 kept = n_bytes < 8 ? word & (((guint64)1 << (8 * n_bytes)) - 1) : word;
      memcpy (&row[c], &kept, sizeof kept);
    }
    SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
  }
  return motion;
}

/* Private memory that may be written [bytes], which RLIMIT_DATA limits. */
static rlim_t
data_bytes (void)
{
  g_autofree char *text = NULL;
  const char *line = g_file_get_contents ("/proc/self/status", &text, NULL, NULL) ? strstr (text, "VmData:") : NULL;

  return line != NULL ? (rlim_t)g_ascii_strtoull (line + strlen ("VmData:"), NULL, 10) * 1024 : RLIM_INFINITY;
}

static void
limit_data (void)
{
  struct rlimit limit;

  getrlimit (RLIMIT_DATA, &limit);
  limit.rlim_cur = data_bytes () + MORE_BYTES;
  setrlimit (RLIMIT_DATA, &limit);
}

/* Stores the motion as the answer; 0 or at what it failed. In a process of its own. */
typedef int (*Storing) (SsappStore *store, const SsTrajectory *motion);

static int
in_little_memory (SsappStore *store, const SsTrajectory *motion)
{
  if (!ss_test_is_coarse ()) /* sanitizers need memory of their own */
    limit_data ();
  return ssapp_store_finish (store, "run", "{\"outcome\":\"solved\"}", motion, NULL) ? 0 : 3;
}

/* Packed on the heap, since the file beside cannot be made, and written when there is room again. */
static int
on_full_disk (SsappStore *store, const SsTrajectory *motion)
{
  struct rlimit limit;
  g_autoptr (GError) error = NULL;

  getrlimit (RLIMIT_FSIZE, &limit);
  const struct rlimit small = {RAW_BYTES / 2, limit.rlim_max};
  setrlimit (RLIMIT_FSIZE, &small);
  if (ssapp_store_finish (store, "run", "{\"outcome\":\"solved\"}", motion, &error))
    return 3;
  if (!g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FULL))
    return 4;
  setrlimit (RLIMIT_FSIZE, &limit);
  return ssapp_store_flush (store, NULL) ? 0 : 5;
}

static int
store_motion (const char *path, const SsTrajectory *motion, Storing storing)
{
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);

  signal (SIGXFSZ, SIG_IGN);
  if (store == NULL || !ssapp_store_record (store, "run", scenario_text, "a",
                                            (SsMethodId){SS_METHOD_OPTIMISER, "crisp"}, "{}", "{}", 7, NULL))
    return 1;
  const int failed = storing (store, motion);
  return failed != 0 ? failed : ssapp_store_close (store, NULL) ? 0 : 6;
}

static void
check_stored (const char *name, int n_bytes, Storing storing)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  SsTrajectory *motion = make_motion (n_bytes), *read;
  GError *error = NULL;
  int status = -1;

  const pid_t child = fork ();
  if (child == 0)
    _exit (store_motion (path, motion, storing));
  waitpid (child, &status, 0);
  SS_CHECK (WIFEXITED (status)); /* GLib ends a process without memory by a signal */
  SS_CHECK_NEAR (WEXITSTATUS (status), 0, 0);
  SsappStore *store = ssapp_store_open (path, FALSE, &error);
  SS_CHECK (store != NULL);
  read = ssapp_store_get_trajectory (store, "run", &error); /* which looks at the checksum */
  SS_CHECK (read != NULL && read->n_rows == N_ROWS && read->n_channels == N_CHANNELS);
  SS_CHECK (read != NULL && memcmp (read->values, motion->values, RAW_BYTES) == 0);
  g_clear_error (&error);
  ss_trajectory_free (read);
  ss_trajectory_free (motion);
  close_store (store);
  check_query (path, "PRAGMA integrity_check", "ok");
  /* noise is kept as it is; of other numbers the share that is noise, and next to nothing for the rest */
  g_autofree char *size = query (path, "SELECT length(data) FROM motion");
  const double bytes = size != NULL ? g_ascii_strtod (size, NULL) : 0;
  if (n_bytes == 8)
    SS_CHECK_NEAR (bytes, RAW_BYTES, 0);
  else
    SS_CHECK_NEAR (bytes / RAW_BYTES, n_bytes / 8.0, 0.02);
}

static void
test_in_pieces (void)
{
  check_stored ("packed.stickslip", 6, in_little_memory);
  check_stored ("plain.stickslip", 8, in_little_memory);
}

static void
test_disk_full (void)
{
  check_stored ("full.stickslip", 6, on_full_disk);
}

/* A result and channels of more than 8192 bytes take less room, and are read as they were; what is no packed text is
 * told. */
static void
test_long_texts (void)
{
  enum { LONG_CHANNELS = 1500, LONG_BYTES = 20000 };
  g_autofree char *path = g_build_filename (folder, "texts.stickslip", NULL), *said = g_strnfill (LONG_BYTES, 'x'),
                  *result = g_strdup_printf ("{\"outcome\":\"solved\",\"asked\":{\"dt\":0.25},\"said\":\"%s\"}", said);
  g_autofree char (*names)[8] = g_malloc0 (LONG_CHANNELS * sizeof *names);
  g_autofree const char **list = g_new (const char *, LONG_CHANNELS);
  g_autofree double *row = g_new0 (double, LONG_CHANNELS);
  SsTrajectory *motion = NULL;
  GError *error = NULL;

  for (int c = 0; c < LONG_CHANNELS; c++) {
    g_snprintf (names[c], sizeof names[c], "c%d", c);
    list[c] = names[c];
  }
  SS_CHECK (ss_trajectory_new_named (list, LONG_CHANNELS, 1, &motion, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  SS_CHECK (ssapp_store_record (store, "run", scenario_text, "a", (SsMethodId){SS_METHOD_OPTIMISER, "crisp"}, "{}",
                                "{}", 7, NULL));
  SS_CHECK (ssapp_store_add_motion (store, "run", &(SsappMotionKey){"answer", 0, -1}, 1, motion, NULL));
  SS_CHECK (ssapp_store_finish (store, "run", result, NULL, NULL));
  close_store (store);
  check_query (path, "SELECT typeof (result) || ' ' || (length (result) < 1000) FROM run_result", "blob 1");
  check_query (path, "SELECT typeof (channel_records) || ' ' || typeof (channels) FROM motion", "blob blob");

  store = ssapp_store_open (path, FALSE, NULL);
  g_autofree char *read = ssapp_store_get_result_json (store, "run", &error);
  SS_CHECK_STR (read, result);
  g_autoptr (GHashTable) steps = ssapp_store_list_steps (store, &error);
  const SsappAskedSteps *asked = steps != NULL ? g_hash_table_lookup (steps, "run") : NULL;
  SS_CHECK (asked != NULL && asked->dt == 0.25);
  SsTrajectory *there = ssapp_store_get_trajectory (store, "run", &error);
  SS_CHECK (error == NULL && there != NULL && there->n_channels == LONG_CHANNELS);
  for (int c = 0; there != NULL && c < LONG_CHANNELS; c++)
    SS_CHECK_STR (there->channels[c].name, names[c]);
  ss_trajectory_free (there);
  ss_trajectory_free (motion);
  close_store (store);
  g_free (query (path, "UPDATE run_result SET result = x'0102'; DELETE FROM checksum WHERE part = 'result'"));
  store = ssapp_store_open (path, FALSE, NULL);
  SS_CHECK (ssapp_store_get_result_json (store, "run", &error) == NULL);
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED));
  g_clear_error (&error);
  close_store (store);
}

static gsize
packed_bytes (const SsTrajectory *motion)
{
  SsappPackedMotion *packed = ssapp_store_pack_motion (motion);
  gsize size;

  (void)ssapp_packed_motion_data (packed, &size);
  ssapp_packed_motion_free (packed);
  return size;
}

/* Of a motion that goes on as if for ever, and one that comes to rest, which packs best. */
static void
test_thinned_is_smaller (void)
{
  static const char *const names[] = {"t", "x", "v"};

  for (int n_channels = 2; n_channels <= 3; n_channels++)
    for (int n_rows = SSAPP_KEEP_ROWS + 1; n_rows < 3 * SSAPP_KEEP_ROWS; n_rows += 66)
      for (int at_rest = 0; at_rest < 2; at_rest++) {
        SsTrajectory *motion = NULL;
        SS_CHECK (ss_trajectory_new_named (names, n_channels, n_rows, &motion, NULL) == SS_OK);
        for (int k = 0; k < n_rows; k++) {
          const double t = 0.01 * k, decay = at_rest ? MAX (1 - t, 0) : 1;
          SS_CHECK (ss_trajectory_append (motion, (const double[]){t, decay * sin (t), decay * cos (t)}, NULL) ==
                    SS_OK);
        }
        SsTrajectory *thin = ssapp_keep_thin (motion, SSAPP_KEEP_ROWS);
        SS_CHECK (thin->n_rows < n_rows && thin->n_rows > SSAPP_KEEP_ROWS / 2);
        SS_CHECK (packed_bytes (thin) < packed_bytes (motion));
        ss_trajectory_free (thin);
        ss_trajectory_free (motion);
      }
}

/* A project for which there is no room from the beginning: said so, and no file is left, which would be no project. */
static int
make_without_room (const char *path)
{
  GError *error = NULL;
  const struct rlimit small = {40 * 1024, RLIM_INFINITY};

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &small);
  SsappStore *store = ssapp_store_open (path, TRUE, &error);
  if (store != NULL)
    return 1;
  if (!g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FULL) || strstr (error->message, path) == NULL)
    return 2;
  g_clear_error (&error);
  return g_file_test (path, G_FILE_TEST_EXISTS) ? 3 : 0;
}

static void
test_no_room_for_new (void)
{
  g_autofree char *path = g_build_filename (folder, "no-room.stickslip", NULL);
  int status = -1;
  pid_t child = fork ();

  if (child == 0)
    _exit (make_without_room (path));
  waitpid (child, &status, 0);
  SS_CHECK (WIFEXITED (status));
  SS_CHECK_NEAR (WEXITSTATUS (status), 0, 0);
}

/* Where a process may open no file more, or one, or two, the file is not written anew, which is said; it is as before,
 * and is written when there are enough. */
static void
test_no_file_can_be_opened (void)
{
  g_autofree char *path = g_build_filename (folder, "no-file.stickslip", NULL);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  struct rlimit limit;
  gboolean ok = FALSE;
  int n_refused = 0;

  SS_CHECK (store != NULL && getrlimit (RLIMIT_NOFILE, &limit) == 0);
  SS_CHECK (ssapp_store_record (store, "one", scenario_text, "a", (SsMethodId){SS_METHOD_OPTIMISER, "crisp"}, "{}",
                                "{}", 1, NULL));
  for (int more = 0; !ok && more < 20; more++) {
    g_autoptr (GError) error = NULL;
    const int next = dup (0); /* the lowest that is free */
    close (next);
    const struct rlimit few = {(rlim_t)(next + more), limit.rlim_max};
    SS_CHECK (setrlimit (RLIMIT_NOFILE, &few) == 0);
    ok = ssapp_store_compact (store, &error);
    SS_CHECK (setrlimit (RLIMIT_NOFILE, &limit) == 0);
    SS_CHECK (ok == (error == NULL));
    SS_CHECK (error == NULL || (strstr (error->message, path) != NULL && strstr (error->message, "already") == NULL));
    n_refused += !ok;
  }
  SS_CHECK (ok && n_refused > 0);
  close_store (store);
  check_query (path, "PRAGMA integrity_check", "ok");
  check_query (path, "SELECT id FROM run", "one");
}

static void
on_compacted (GObject *object, GAsyncResult *result, gpointer data)
{
  (void)object;
  *(GAsyncResult **)data = g_object_ref (result);
}

/* A project that is closed when it was just written anew, before that was told: nothing is left to do for it later,
 * when its file is closed. */
static void
test_closed_when_written_anew (void)
{
  g_autofree char *path = g_build_filename (folder, "anew.stickslip", NULL);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);
  g_autoptr (GAsyncResult) result = NULL;

  SS_CHECK (store != NULL && ssapp_store_record (store, "one", scenario_text, "a",
                                                 (SsMethodId){SS_METHOD_OPTIMISER, "crisp"}, "{}", "{}", 1, NULL));
  SS_CHECK (ssapp_store_flush (store, NULL));
  g_autofree char *before = query (path, "PRAGMA schema_version"); /* counts what is written anew */
  ssapp_store_compact_async (store, NULL, on_compacted, &result);
  for (gboolean is_written = FALSE; !is_written;) {
    g_autofree char *now = query (path, "PRAGMA schema_version");
    is_written = now != NULL && strcmp (now, before) != 0;
    g_usleep (1000);
  }
  SS_CHECK (ssapp_store_close (store, NULL));
  SS_CHECK (store->timer == 0);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (ssapp_store_compact_finish (store, result, NULL));
  g_object_unref (store);
  check_query (path, "SELECT id FROM run", "one");
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-store-pieces-XXXXXX", NULL);
  SS_RUN (test_in_pieces);
  SS_RUN (test_disk_full);
  SS_RUN (test_no_room_for_new);
  SS_RUN (test_no_file_can_be_opened);
  SS_RUN (test_closed_when_written_anew);
  SS_RUN (test_long_texts);
  SS_RUN (test_thinned_is_smaller);
  char *command = g_strdup_printf ("rm -rf %s", folder);
  (void)!system (command);
  g_free (command);
  g_free (folder);
  return ss_test_finish ();
}
