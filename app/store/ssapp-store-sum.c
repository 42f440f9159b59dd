/* app/store/ssapp-store-sum.c: see the header. Tests: tests/cli/test-damage.sh, tests/store/test-upgrade.c */
#include "app/store/ssapp-store-sum.h"

#include "app/base/ssapp-text.h"
#include "app/store/ssapp-store-sum-bytes.h"

#include <string.h>

/* ---- the parts --------------------------------------------------------------------------------------------------- */

/* What a user, a study or a merge may change later is a part of its own. project.py of data/python has the same
 * columns. */
static const SsappStorePart parts[] = {
    {"run", "row", "its name, method, options, times or outcome",
     "scenario_name, scenario_sha256, kind, method, label, seed, owner_host, owner_pid, owner_start, started, ended, "
     "outcome, replay_of, solution_of, start, sketch, message, parameters, options",
     "@.run NOT INDEXED", "number", "number"},
    {"run", "marks", "its note, tags or removal", "note, tags, deleted", "@.run NOT INDEXED", "number", "number"},
    {"run", "metrics", "its metrics", "name, value", "@.metric", "run", "name"},
    {"run", "result", "its result", "o.result", "@.run r LEFT JOIN @.run_result o ON o.run = r.number", "r.number",
     "r.number"},
    {"run", "provenance", "where it was made",
     "p.version, p.git_commit, p.compiler, p.build_flags, p.host, p.cpu, p.cpu_count, p.os, p.libraries",
     "@.run r JOIN @.provenance p ON p.id = r.provenance_id", "r.number", "r.number"},
    {"run", "events", "its events",
     "branch, number, t, tau, kind, contact, point, joint, joint_limit, impulse, exact, details", "@.event", "run",
     "branch, number"},
    {"run", "iterations", "its iterations",
     "i.iteration, i.t, i.objective, i.violation, i.complementarity, i.step, i.parameter, i.parameter_name, i.columns",
     "@.run r JOIN @.iteration i ON i.run_id = r.id", "r.number", "i.iteration"},
    {"run", "log", "its log", "l.t, l.level, l.text", "@.run r JOIN @.log l ON l.run_id = r.id", "r.number", "l.id"},
    {"run", "motions", "the list of its motions",
     "m.role, m.branch, m.iteration, m.share, m.n_rows, m.n_channels, m.channels, m.channel_records",
     "@.run r JOIN @.motion m ON m.run_id = r.id", "r.number", "m.role, m.branch, m.iteration"},
    {"run", "samples", "the list of its samples", "s.name, s.columns, s.n, s.type",
     "@.run r JOIN @.sample s ON s.run_id = r.id", "r.number", "s.name"},
    {"run", "tasks", "its places in studies", "s.id, t.key, t.task",
     "@.run r JOIN @.study_run t ON t.run_id = r.id JOIN @.study s ON s.number = t.study", "r.number", "s.id, t.key"},
    {"sketch", "row", "it", "name, text, sha256, created, changed, deleted, view", "@.sketch NOT INDEXED", "number",
     "number"},
    {"study", "row", "it", "title, definition, n_tasks, created, changed, deleted", "@.study NOT INDEXED", "number",
     "number"},
    {"comparison", "row", "it", "title, created, deleted", "@.comparison NOT INDEXED", "number", "number"},
    {"comparison", "runs", "its runs", "position, run_id, label", "@.comparison_run", "comparison", "position"}};

/* Written on after a run has ended: its log and what else waits while room is short. */
static const char *const told_later[] = {"iterations", "log", "motions", "samples"};

guint
ssapp_store_n_parts (void)
{
  return G_N_ELEMENTS (parts);
}

const SsappStorePart *
ssapp_store_part (guint index)
{
  return &parts[index];
}

const SsappStorePart *
ssapp_store_find_part (const char *of, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strcmp (parts[i].of, of) == 0 && strcmp (parts[i].name, name) == 0)
      return &parts[i];
  return NULL;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

char *
ssapp_store_in_schema (SsappStore *self, const char *schema, const char *sql)
{
  g_return_val_if_fail (self != NULL && schema != NULL && sql != NULL, NULL);
  /* Other errors than that there is no such table are the statement's to tell. */
  const int code = sqlite3_table_column_metadata (self->db, schema, "run_result", NULL, NULL, NULL, NULL, NULL, NULL);
  GString *text = g_string_new (sql);

  if ((code & 0xff) == SQLITE_ERROR)
    g_string_replace (text, "@.run_result", "temp.run_result", 0);
  g_string_replace (text, "@", schema, 0);
  return g_string_free (text, FALSE);
}

static sqlite3_stmt *
prepare_in (SsappStore *self, const char *schema, const char *sql, GError **error)
{
  g_autofree char *whole = ssapp_store_in_schema (self, schema, sql);

  return ssapp_store_prepare (self, whole, error);
}

/* No row has it: a number that somebody else wrote may be any but this one. */
#define NO_NUMBER G_MININT64

/* Number of the row of that id; NO_NUMBER: there is none. */
static gboolean
find_number (SsappStore *self, const char *schema, const char *of, const char *id, gint64 *number, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT number FROM @.%s WHERE id = ?1", of);
  sqlite3_stmt *s = prepare_in (self, schema, sql, error);
  gboolean is_there;

  *number = NO_NUMBER;
  if (s == NULL)
    return FALSE;
  ssapp_store_bind_text (s, 1, id);
  const gboolean ok = ssapp_store_step (self, s, &is_there, "make a checksum", error);
  if (is_there)
    *number = sqlite3_column_int64 (s, 0);
  ssapp_store_end_statement (self, s);
  return ok;
}

static gboolean
sum_part (SsappStore *self, const char *schema, const SsappStorePart *part, gint64 number, const char *id,
          guint8 sum[SSAPP_SUM_SIZE], GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM %s WHERE %s = ?1 ORDER BY %s", part->columns, part->from,
                                          part->key, part->order);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  sqlite3_stmt *s = prepare_in (self, schema, sql, error);
  int code;

  if (s == NULL)
    return FALSE;
  sqlite3_bind_int64 (s, 1, number);
  ssapp_sum_begin (bytes, part->of, part->name, id);
  while ((code = sqlite3_step (s)) == SQLITE_ROW)
    ssapp_sum_append_row (bytes, s, 0);
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "make a checksum");
  ssapp_store_end_statement (self, s);
  ssapp_sum_end (bytes, sum);
  return code == SQLITE_DONE;
}

static gboolean
write_sum (SsappStore *self, const char *of, gint64 number, const char *part, const guint8 sum[SSAPP_SUM_SIZE],
           GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (
      self, "INSERT OR REPLACE INTO main.checksum (of, number, part, sha256) VALUES (?1, ?2, ?3, ?4)", error);

  if (s == NULL)
    return FALSE;
  ssapp_store_bind_text (s, 1, of);
  sqlite3_bind_int64 (s, 2, number);
  ssapp_store_bind_text (s, 3, part);
  sqlite3_bind_blob (s, 4, sum, SSAPP_SUM_SIZE, SQLITE_STATIC);
  return ssapp_store_finish_statement (self, s, "store a checksum", error);
}

/* The stored sum; `is_there`: whether there is one, of the right size. */
static gboolean
read_sum (SsappStore *self, const char *schema, const char *of, gint64 number, const char *part,
          guint8 sum[SSAPP_SUM_SIZE], gboolean *is_there, GError **error)
{
  sqlite3_stmt *s =
      prepare_in (self, schema, "SELECT sha256 FROM @.checksum WHERE of = ?1 AND number = ?2 AND part = ?3", error);

  *is_there = FALSE;
  if (s == NULL)
    return FALSE;
  ssapp_store_bind_text (s, 1, of);
  sqlite3_bind_int64 (s, 2, number);
  ssapp_store_bind_text (s, 3, part);
  const gboolean ok = ssapp_store_step (self, s, is_there, "read a checksum", error);
  *is_there = *is_there && sqlite3_column_type (s, 0) == SQLITE_BLOB && sqlite3_column_bytes (s, 0) == SSAPP_SUM_SIZE;
  if (*is_there)
    memcpy (sum, sqlite3_column_blob (s, 0), SSAPP_SUM_SIZE);
  ssapp_store_end_statement (self, s);
  return ok;
}

/* Whether the row of that number meets the condition. */
static gboolean
find_run (SsappStore *self, const char *schema, gint64 number, const char *condition, gboolean *is_there,
          GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT 1 FROM @.run r NOT INDEXED WHERE r.number = ?1 AND %s", condition);
  sqlite3_stmt *s = prepare_in (self, schema, sql, error);

  *is_there = FALSE;
  if (s == NULL)
    return FALSE;
  sqlite3_bind_int64 (s, 1, number);
  const gboolean ok = ssapp_store_step (self, s, is_there, "make a checksum", error);
  ssapp_store_end_statement (self, s);
  return ok;
}

/* NONE: there is no such row, or it is of a run that runs and has no checksums yet. SAME: `stored` is its sum. */
static SsappSumState
read_stored (SsappStore *self, const char *schema, const char *of, const char *id, const char *part, gint64 *number,
             guint8 stored[SSAPP_SUM_SIZE])
{
  gboolean has_sum = FALSE, runs = FALSE;

  if (!find_number (self, schema, of, id, number, NULL) ||
      !read_sum (self, schema, of, *number, part, stored, &has_sum, NULL))
    return SSAPP_SUM_ERROR;
  if (has_sum)
    return SSAPP_SUM_SAME;
  if (*number != NO_NUMBER && strcmp (of, "run") == 0 &&
      !find_run (self, schema, *number, SSAPP_STORE_RUNS ("@.", "r"), &runs, NULL))
    return SSAPP_SUM_ERROR;
  return *number == NO_NUMBER || runs ? SSAPP_SUM_NONE : SSAPP_SUM_OTHER;
}

/* ---- parts of one row -------------------------------------------------------------------------------------------- */

SsappSumState
ssapp_store_sum_state (SsappStore *self, const char *schema, const char *of, const char *id, const char *part)
{
  guint8 stored[SSAPP_SUM_SIZE], found[SSAPP_SUM_SIZE];
  SsappSumState state;

  if (!self->has_sums)
    return SSAPP_SUM_NONE;
  const gboolean began = ssapp_store_begin_read (self);
  gint64 number;
  state = read_stored (self, schema, of, id, part, &number, stored);
  if (state == SSAPP_SUM_SAME && !sum_part (self, schema, ssapp_store_find_part (of, part), number, id, found, NULL))
    state = SSAPP_SUM_ERROR;
  else if (state == SSAPP_SUM_SAME && memcmp (stored, found, sizeof found) != 0)
    state = SSAPP_SUM_OTHER;
  ssapp_store_end_read (self, began);
  return state;
}

static gboolean
seal_part (SsappStore *self, const SsappStorePart *part, gint64 number, const char *id, GError **error)
{
  guint8 sum[SSAPP_SUM_SIZE];

  return sum_part (self, "main", part, number, id, sum, error) &&
         write_sum (self, part->of, number, part->name, sum, error);
}

gboolean
ssapp_store_seal (SsappStore *self, const char *of, const char *id, const char *part, GError **error)
{
  gint64 number;
  gboolean ok = find_number (self, "main", of, id, &number, error);

  for (guint i = 0; ok && number != NO_NUMBER && i < G_N_ELEMENTS (parts); i++)
    if (strcmp (parts[i].of, of) == 0 && (part == NULL || strcmp (parts[i].name, part) == 0))
      ok = seal_part (self, &parts[i], number, id, error);
  return ok;
}

gboolean
ssapp_store_seal_again (SsappStore *self, SsappSumState before, const char *of, const char *id, const char *part,
                        GError **error)
{
  return before != SSAPP_SUM_SAME || ssapp_store_seal (self, of, id, part, error);
}

/* ---- motions and samples ----------------------------------------------------------------------------------------- */

char *
ssapp_store_motion_part (const SsappMotionKey *key)
{
  g_return_val_if_fail (key != NULL, NULL);
  return g_strdup_printf ("motion %s %d %d", key->role, key->branch, key->iteration);
}

char *
ssapp_store_sample_part (const char *name)
{
  return g_strdup_printf ("sample %s", name);
}

struct sha256_ctx
ssapp_store_begin_item (const char *run_id, const char *part, gint64 n, gint64 n_channels, const char *type, gsize size)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  struct sha256_ctx sum;

  ssapp_sum_begin (bytes, "run", part, run_id);
  ssapp_sum_append_letter (bytes, 'r');
  ssapp_sum_append_integer (bytes, 'i', n);
  if (type != NULL) {
    ssapp_sum_append_text (bytes, type);
  } else {
    ssapp_sum_append_integer (bytes, 'i', n_channels);
  }
  ssapp_sum_append_integer (bytes, 'b', (gint64)size);
  sha256_init (&sum);
  sha256_update (&sum, bytes->len, bytes->data);
  return sum;
}

static void
sum_item (const char *run_id, const char *part, gint64 n, gint64 n_channels, const char *type, const void *data,
          gsize size, guint8 sum[SSAPP_SUM_SIZE])
{
  struct sha256_ctx begun = ssapp_store_begin_item (run_id, part, n, n_channels, type, size);

  sha256_update (&begun, size, data);
  sha256_digest (&begun, SHA256_DIGEST_SIZE, sum);
}

gboolean
ssapp_store_seal_begun_item (SsappStore *self, const char *run_id, const char *part, struct sha256_ctx *sum,
                             GError **error)
{
  guint8 digest[SSAPP_SUM_SIZE];
  gint64 number;

  sha256_digest (sum, SHA256_DIGEST_SIZE, digest);
  return find_number (self, "main", "run", run_id, &number, error) &&
         write_sum (self, "run", number, part, digest, error);
}

gboolean
ssapp_store_seal_item (SsappStore *self, const char *run_id, const char *part, gint64 n, gint64 n_channels,
                       const char *type, const void *data, gsize size, GError **error)
{
  guint8 sum[SSAPP_SUM_SIZE];
  gint64 number;

  sum_item (run_id, part, n, n_channels, type, data, size, sum);
  return find_number (self, "main", "run", run_id, &number, error) && write_sum (self, "run", number, part, sum, error);
}

SsappSumState
ssapp_store_item_state (SsappStore *self, const char *run_id, const char *part, gint64 n, gint64 n_channels,
                        const char *type, const void *data, gsize size)
{
  guint8 stored[SSAPP_SUM_SIZE], found[SSAPP_SUM_SIZE];

  if (!self->has_sums)
    return SSAPP_SUM_NONE;
  gint64 number;
  const SsappSumState state = read_stored (self, "main", "run", run_id, part, &number, stored);
  if (state != SSAPP_SUM_SAME)
    return number == NO_NUMBER && state == SSAPP_SUM_NONE ? SSAPP_SUM_OTHER : state;
  sum_item (run_id, part, n, n_channels, type, data, size, found);
  return memcmp (stored, found, sizeof found) == 0 ? SSAPP_SUM_SAME : SSAPP_SUM_OTHER;
}

/* Of the run ?1 with the number ?2: name of the part, n, number of channels, type, data. */
static gboolean
seal_items (SsappStore *self, const char *sql, gint64 number, const char *id, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (self, sql, id, error);
  gboolean ok = s != NULL;
  int code = SQLITE_DONE;

  if (!ok)
    return FALSE;
  sqlite3_bind_int64 (s, 2, number);
  while (ok && (code = sqlite3_step (s)) == SQLITE_ROW) {
    guint8 sum[SSAPP_SUM_SIZE];
    const char *part = (const char *)sqlite3_column_text (s, 0), *type = (const char *)sqlite3_column_text (s, 3);
    const void *data = sqlite3_column_blob (s, 4);
    sum_item (id, part, sqlite3_column_int64 (s, 1), sqlite3_column_int64 (s, 2), type, data,
              (gsize)sqlite3_column_bytes (s, 4), sum);
    ok = write_sum (self, "run", number, part, sum, error);
  }
  if (ok && code != SQLITE_DONE) {
    ssapp_store_set_error (self, error, "make a checksum");
    ok = FALSE;
  }
  ssapp_store_end_statement (self, s);
  return ok;
}

#define WITHOUT_SUM "part NOT IN (SELECT c.part FROM checksum c WHERE c.of = 'run' AND c.number = ?2)"

/* Those that have no sum yet: most are summed when they are written. */
static gboolean
seal_new_items (SsappStore *self, gint64 number, const char *id, GError **error)
{
  return seal_items (self,
                     "SELECT 'motion ' || role || ' ' || branch || ' ' || iteration AS part, n_rows, n_channels, NULL, "
                     "data FROM motion WHERE run_id = ?1 AND " WITHOUT_SUM,
                     number, id, error) &&
         seal_items (
             self, "SELECT 'sample ' || name AS part, n, 0, type, data FROM sample WHERE run_id = ?1 AND " WITHOUT_SUM,
             number, id, error);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_store_seal_run (SsappStore *self, const char *id, GError **error)
{
  guint8 sum[SSAPP_SUM_SIZE];
  gboolean ok = TRUE, runs, has_sum;
  gint64 number;

  if (!find_number (self, "main", "run", id, &number, error))
    return FALSE;
  if (number == NO_NUMBER)
    return TRUE;
  if (!find_run (self, "main", number, "r.outcome = 'running'", &runs, error))
    return FALSE;
  if (runs)
    return TRUE;
  if (!seal_new_items (self, number, id, error) || !read_sum (self, "main", "run", number, "row", sum, &has_sum, error))
    return FALSE;
  if (!has_sum)
    return ssapp_store_seal (self, "run", id, NULL, error);
  for (guint i = 0; ok && i < G_N_ELEMENTS (told_later); i++)
    ok = ssapp_store_seal (self, "run", id, told_later[i], error);
  return ok;
}

/* Ids of a table. */
static GPtrArray *
list_ids (SsappStore *self, const char *of, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT id FROM main.%s NOT INDEXED", of);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *s = ssapp_store_prepare (self, sql, error);
  int code;

  if (s == NULL)
    return NULL;
  while ((code = sqlite3_step (s)) == SQLITE_ROW)
    g_ptr_array_add (ids, g_strdup ((const char *)sqlite3_column_text (s, 0)));
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "make checksums");
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE ? g_steal_pointer (&ids) : NULL;
}

gboolean
ssapp_store_seal_all (SsappStore *self, GError **error)
{
  static const char *const tables[] = {"sketch", "study", "comparison", "run"};

  for (guint t = 0; t < G_N_ELEMENTS (tables); t++) {
    g_autoptr (GPtrArray) ids = list_ids (self, tables[t], error);
    if (ids == NULL)
      return FALSE;
    for (guint i = 0; i < ids->len; i++) {
      const char *id = g_ptr_array_index (ids, i);
      if (!(strcmp (tables[t], "run") == 0 ? ssapp_store_seal_run (self, id, error)
                                           : ssapp_store_seal (self, tables[t], id, NULL, error)))
        return FALSE;
    }
  }
  return TRUE;
}
