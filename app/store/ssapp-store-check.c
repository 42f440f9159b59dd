/* app/store/ssapp-store-check.c: see the header. */
#include "app/store/ssapp-store-check.h"

#include "app/base/ssapp-text.h"
#include "app/store/ssapp-store-walk.h"

#include <string.h>

/* ---- words ------------------------------------------------------------------------------------------------------- */

static void
add_words (GString *words, const char *what)
{
  g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", what);
}

/* "its metrics, its log: not as stored ..."; frees `words`; NULL where there are none. */
static char *
end_words (GString *words)
{
  if (words->len > 0)
    g_string_append (words, ": " SSAPP_NOT_AS_STORED);
  return g_string_free (words, words->len == 0);
}

/* ---- one run ----------------------------------------------------------------------------------------------------- */

static void
add_state (GString *words, SsappSumState state, const char *what)
{
  if (state == SSAPP_SUM_OTHER || state == SSAPP_SUM_ERROR)
    add_words (words, what);
}

/* Its key is the checksum of the text. */
static gboolean
is_text_sound (SsappStore *self, const char *id)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self,
      "SELECT r.scenario_sha256, t.text FROM run r LEFT JOIN scenario_text t ON t.sha256 = r.scenario_sha256 WHERE "
      "r.id = ?1",
      id, NULL);
  gboolean is_sound = TRUE;

  if (s == NULL)
    return FALSE;
  if (sqlite3_step (s) == SQLITE_ROW) {
    const char *text = (const char *)sqlite3_column_text (s, 1);
    g_autofree char *sha256 =
        text != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, sqlite3_column_bytes (s, 1)) : NULL;
    is_sound = g_strcmp0 (sha256, (const char *)sqlite3_column_text (s, 0)) == 0;
  }
  ssapp_store_end_statement (self, s);
  return is_sound;
}

/* Rows of one kind of item: part, n, number of channels, type, data. */
static void
check_items (SsappStore *self, const char *sql, const char *id, GString *words)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (self, sql, id, NULL);
  int code = SQLITE_ERROR;

  while (s != NULL && (code = sqlite3_step (s)) == SQLITE_ROW) {
    const char *part = (const char *)sqlite3_column_text (s, 0);
    const void *data = sqlite3_column_blob (s, 4);
    const SsappSumState state = ssapp_store_item_state (
        self, id, part != NULL ? part : "", sqlite3_column_int64 (s, 1), sqlite3_column_int64 (s, 2),
        (const char *)sqlite3_column_text (s, 3), data, (gsize)sqlite3_column_bytes (s, 4));
    g_autofree char *what = g_strdup_printf ("its %s", part != NULL ? part : "motion");
    add_state (words, state, what);
  }
  if (code != SQLITE_DONE)
    add_words (words, "its motions or samples");
  ssapp_store_end_statement (self, s);
}

static void
check_parts (SsappStore *self, const char *of, const char *id, GString *words)
{
  for (guint i = 0; i < ssapp_store_n_parts (); i++) {
    const SsappStorePart *part = ssapp_store_part (i);
    if (strcmp (part->of, of) == 0)
      add_state (words, ssapp_store_sum_state (self, "main", of, id, part->name), part->words);
  }
}

char *
ssapp_store_check_run (SsappStore *self, const char *id, gboolean with_motions, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  GString *words = g_string_new (NULL);
  const gboolean began = ssapp_store_begin_read (self);
  check_parts (self, "run", id, words);
  if (!is_text_sound (self, id))
    add_words (words, "the text of its scenario");
  if (with_motions && self->has_sums) {
    check_items (self,
                 "SELECT 'motion ' || role || ' ' || branch || ' ' || iteration, n_rows, n_channels, NULL, data FROM "
                 "motion WHERE run_id = ?1 ORDER BY role, branch, iteration",
                 id, words);
    check_items (self, "SELECT 'sample ' || name, n, 0, type, data FROM sample WHERE run_id = ?1 ORDER BY name", id,
                 words);
  }
  ssapp_store_end_read (self, began);
  if (!ssapp_store_had_memory (self, error))
    g_string_truncate (words, 0);
  return end_words (words);
}

gboolean
ssapp_store_check_part (SsappStore *self, const char *id, const char *name, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const SsappSumState state = ssapp_store_sum_state (self, "main", "run", id, name);
  const char *words = name;

  if (state != SSAPP_SUM_OTHER && state != SSAPP_SUM_ERROR)
    return TRUE;
  if (!ssapp_store_had_memory (self, error))
    return FALSE;
  for (guint i = 0; i < ssapp_store_n_parts (); i++)
    if (strcmp (ssapp_store_part (i)->of, "run") == 0 && strcmp (ssapp_store_part (i)->name, name) == 0)
      words = ssapp_store_part (i)->words;
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED, "%s: run %s is damaged: %s: " SSAPP_NOT_AS_STORED,
               self->path, id, words);
  return FALSE;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void
damage_free (SsappDamage *damage)
{
  g_free (damage->id);
  g_free (damage->words);
  g_free (damage);
}

void
ssapp_check_free (SsappCheck *check)
{
  if (check == NULL)
    return;
  g_ptr_array_unref (check->damage);
  g_free (check);
}

/* Takes `words`, which may be NULL: sound. */
static void
add_damage (SsappCheck *check, const char *of, const char *id, char *words)
{
  SsappDamage *damage;

  if (words == NULL)
    return;
  damage = g_new0 (SsappDamage, 1);
  *damage = (SsappDamage){of, g_strdup (id), words};
  g_ptr_array_add (check->damage, damage);
}

static void
on_table_state (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state, gpointer data)
{
  (void)number;
  if (state == SSAPP_SUM_OTHER)
    add_damage (data, part->of, id != NULL ? id : "that is missing", g_strdup (SSAPP_NOT_AS_STORED));
}

/* What no run owns any more. */
typedef struct {
  SsappCheck *check;
  GPtrArray *ids;
} Owners;

static void
on_state (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state, gpointer data)
{
  Owners *owners = data;

  if (id == NULL)
    add_damage (owners->check, "project", "",
                g_strdup_printf ("%s number %d is missing, parts of it are there", part->of, (int)number));
  else if (state != SSAPP_SUM_NONE)
    g_ptr_array_add (owners->ids, g_strdup (id));
}

guint
ssapp_store_count_damaged (SsappStore *self, GPtrArray *run_ids, gboolean all, char **first)
{
  g_return_val_if_fail (self != NULL, 0);
  static const struct {
    const char *of, *parts[2];
    guint n_parts;
  } tables[] = {
      {"run", {"marks", "row"}, 2}, {"sketch", {"row"}, 1}, {"study", {"row"}, 1}, {"comparison", {"row", "runs"}, 2}};
  SsappCheck check = {.damage = g_ptr_array_new_with_free_func ((GDestroyNotify)damage_free)};

  const gboolean began = ssapp_store_begin_read (self);
  for (guint i = 0; i < run_ids->len; i++) {
    const char *id = g_ptr_array_index (run_ids, i);
    add_damage (&check, "run", id, ssapp_store_check_run (self, id, TRUE, NULL));
  }
  /* a run that nobody removed may look so, and one that has ended as if it ran */
  for (guint t = check.damage->len > 0 || !all ? 1 : 0; self->has_sums && t < G_N_ELEMENTS (tables); t++) {
    const SsappWalk walk = {
        .of = tables[t].of, .parts = tables[t].parts, .n_parts = tables[t].n_parts, .on_state = on_table_state};
    ssapp_store_walk (self, &walk, &check, NULL);
  }
  ssapp_store_end_read (self, began);
  const SsappDamage *one = check.damage->len > 0 ? g_ptr_array_index (check.damage, 0) : NULL;
  *first = one != NULL ? g_strdup_printf ("%s %s: %s", one->of, one->id, one->words) : NULL;
  const guint n = check.damage->len;
  g_ptr_array_unref (check.damage);
  return n;
}

static gboolean
check_file (SsappStore *self, SsappCheck *check, GError **error)
{
  g_autofree char *fault = NULL;

  if (!ssapp_store_find_file_fault (self, &fault, error))
    return FALSE;
  if (fault != NULL)
    add_damage (check, "project", "", g_strdup_printf ("the file is damaged: %s", fault));
  return TRUE;
}

/* Rows that belong to nothing: of a run, comparison or study that is not there. No reader shows them; they tell that
 * something is gone, or was put in by another program. */
static gboolean
check_owners (SsappStore *self, SsappCheck *check, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (
      self,
      "SELECT DISTINCT \"table\" || ' of a ' || \"parent\" FROM pragma_foreign_key_check UNION ALL "
      "SELECT 'checksum of a ' || c.of || ': ' || c.part FROM main.checksum c WHERE c.of NOT IN "
      "('run', 'sketch', 'study', 'comparison') OR (c.of = 'run' AND c.number NOT IN (SELECT number FROM main.run NOT "
      "INDEXED)) OR (c.of = 'run' AND (c.part LIKE 'motion %' AND c.part NOT IN (SELECT "
      "'motion ' || m.role || ' ' || m.branch || ' ' || m.iteration FROM main.run r JOIN main.motion m ON m.run_id = "
      "r.id WHERE r.number = c.number) OR c.part LIKE 'sample %' AND c.part NOT IN (SELECT 'sample ' || s.name FROM "
      "main.run r JOIN main.sample s ON s.run_id = r.id WHERE r.number = c.number)))",
      error);
  int code;

  if (s == NULL)
    return FALSE;
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    const char *words = (const char *)sqlite3_column_text (s, 0);
    g_autofree char *shown = ssapp_text_visible (words != NULL ? words : "", FALSE);
    add_damage (check, "project", "", g_strdup_printf ("a row belongs to nothing: %s that is not there", shown));
  }
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "check the project");
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE;
}

/* Also texts that no run names any more. */
static gboolean
check_texts (SsappStore *self, SsappCheck *check, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (
      self,
      "SELECT t.sha256, t.text FROM main.scenario_text t WHERE t.sha256 NOT IN (SELECT r.scenario_sha256 FROM main.run "
      "r)",
      error);
  int code;

  if (s == NULL)
    return FALSE;
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    const char *text = (const char *)sqlite3_column_text (s, 1);
    g_autofree char *sha256 =
        g_compute_checksum_for_string (G_CHECKSUM_SHA256, text != NULL ? text : "", sqlite3_column_bytes (s, 1));
    if (g_strcmp0 (sha256, (const char *)sqlite3_column_text (s, 0)) != 0)
      add_damage (check, "project", "", g_strdup ("a scenario's text that no run has: " SSAPP_NOT_AS_STORED));
  }
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "check the project");
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE;
}

static void
on_picture (const char *id, gpointer data)
{
  if (id != NULL)
    add_damage (data, "sketch", id, g_strdup ("the picture under it: " SSAPP_NOT_AS_STORED));
  else
    add_damage (data, "project", "", g_strdup ("a row belongs to nothing: a picture of a sketch that is not there"));
}

/* ---- which runs are looked at one by one ------------------------------------------------------------------------- */

static void
on_unsound (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state, gpointer data)
{
  (void)number;
  (void)part;
  if (id != NULL && (state == SSAPP_SUM_OTHER || state == SSAPP_SUM_ERROR))
    g_hash_table_add (data, g_strdup (id));
}

/* Adds the ids of a query. */
static gboolean
add_ids (SsappStore *self, const char *sql, const char *about, GHashTable *ids)
{
  sqlite3_stmt *s =
      about != NULL ? ssapp_store_prepare_for (self, sql, about, NULL) : ssapp_store_prepare (self, sql, NULL);
  int code = SQLITE_ERROR;

  while (s != NULL && (code = sqlite3_step (s)) == SQLITE_ROW)
    g_hash_table_add (ids, ssapp_store_column_text (s, 0));
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE;
}

/* Runs whose scenario's text is missing or another one: each text is read once. */
static gboolean
add_runs_of_wrong_texts (SsappStore *self, GHashTable *ids)
{
  sqlite3_stmt *s = ssapp_store_prepare (self, "SELECT sha256, text FROM main.scenario_text", NULL);
  gboolean ok = s != NULL;
  int code = SQLITE_ERROR;

  while (ok && (code = sqlite3_step (s)) == SQLITE_ROW) {
    g_autofree char *key = ssapp_store_column_text (s, 0), *found = NULL;
    const char *text = (const char *)sqlite3_column_text (s, 1);
    found = text != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, sqlite3_column_bytes (s, 1)) : NULL;
    if (g_strcmp0 (key, found) != 0)
      ok = add_ids (self, "SELECT id FROM main.run NOT INDEXED WHERE scenario_sha256 = ?1", key, ids);
  }
  ssapp_store_end_statement (self, s);
  return ok && code == SQLITE_DONE &&
         add_ids (self,
                  "SELECT r.id FROM main.run r NOT INDEXED LEFT JOIN main.scenario_text t ON t.sha256 = "
                  "r.scenario_sha256 WHERE t.sha256 IS NULL",
                  NULL, ids);
}

/* Set of ids of the runs that have motions, samples or parts that are not sound: all others are as they were stored,
 * which one pass over the tables says. NULL: it cannot be read to its end, so that each run tells what of it can. */
static GHashTable *
list_to_look_at (SsappStore *self)
{
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();

  for (guint i = 0; i < ssapp_store_n_parts (); i++)
    if (strcmp (ssapp_store_part (i)->of, "run") == 0)
      g_ptr_array_add (parts, (gpointer)ssapp_store_part (i)->name);
  const SsappWalk walk = {
      .of = "run", .parts = (const char *const *)parts->pdata, .n_parts = parts->len, .on_state = on_unsound};
  const gboolean ok = ssapp_store_walk (self, &walk, ids, NULL) && add_runs_of_wrong_texts (self, ids) &&
                      add_ids (self, "SELECT run_id FROM main.motion UNION SELECT run_id FROM main.sample", NULL, ids);
  return ok ? g_steal_pointer (&ids) : NULL;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

SsappCheck *
ssapp_store_check (SsappStore *self, GError **error)
{
  static const char *const tables[][2] = {
      {"run", "metrics"}, {"sketch", "row"}, {"study", "row"}, {"comparison", "row"}};

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  g_autoptr (SsappCheck) check = g_new0 (SsappCheck, 1);
  check->has_sums = self->has_sums;
  check->damage = g_ptr_array_new_with_free_func ((GDestroyNotify)damage_free);
  if (!self->has_sums)
    return g_steal_pointer (&check);
  const gboolean began = ssapp_store_begin_read (self);
  gboolean ok = TRUE;
  g_autoptr (GHashTable) runs = list_to_look_at (self);
  for (guint t = 0; ok && t < G_N_ELEMENTS (tables); t++) {
    g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
    Owners owners = {check, ids};
    const SsappWalk walk = {.of = tables[t][0], .parts = &tables[t][1], .n_parts = 1, .on_state = on_state};
    ok = ssapp_store_walk (self, &walk, &owners, error);
    check->n_checked += ids->len;
    for (guint i = 0; ok && i < ids->len; i++) {
      const char *id = g_ptr_array_index (ids, i);
      GString *words = t > 0 ? g_string_new (NULL) : NULL;
      if (t > 0)
        check_parts (self, tables[t][0], id, words);
      if (t > 0)
        add_damage (check, tables[t][0], id, end_words (words));
      else if (runs == NULL || g_hash_table_contains (runs, id))
        add_damage (check, tables[t][0], id, ssapp_store_check_run (self, id, TRUE, NULL));
    }
  }
  ok = ok && check_file (self, check, error) && check_owners (self, check, error) &&
       ssapp_store_check_pictures (self, on_picture, check, error) && check_texts (self, check, error) &&
       ssapp_store_had_memory (self, error);
  ssapp_store_end_read (self, began);
  return ok ? g_steal_pointer (&check) : NULL;
}
