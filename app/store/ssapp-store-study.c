/* app/store/ssapp-store-study.c: see the header. */
#include "app/store/ssapp-store-study.h"

#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-private.h"
#include "app/store/ssapp-store-walk.h"

#include <string.h>

void
ssapp_study_row_free (SsappStudyRow *row)
{
  if (row == NULL)
    return;
  g_free (row->id);
  g_free (row->title);
  g_free (row->definition);
  g_free (row->created);
  g_free (row->changed);
  g_free (row);
}

/* Whether run r ended by itself; and the same of one that goes on. */
#define HAS_ENDED "r.deleted IS NULL AND r.outcome NOT IN ('interrupted', 'cancelled', 'running')"
#define ANSWERS   "r.deleted IS NULL AND r.outcome NOT IN ('interrupted', 'cancelled')"

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* `n_runs`: one look at each run of the study, or 0. */
#define COLUMNS(n_runs)                                                                                                \
  "SELECT k.id, k.title, k.definition, k.created, k.changed, k.n_tasks, " n_runs ", k.deleted IS NOT NULL FROM study " \
  "k "
#define COUNT_RUNS                                                                                                     \
  "(SELECT count (*) FROM study_run s JOIN run r ON r.id = s.run_id WHERE s.study = k.number AND " HAS_ENDED ")"

static SsappStudyRow *
read_row (sqlite3_stmt *s)
{
  SsappStudyRow *row = g_new0 (SsappStudyRow, 1);

  row->id = ssapp_store_column_text (s, 0);
  row->title = ssapp_store_column_text (s, 1);
  row->definition = ssapp_store_column_text (s, 2);
  row->created = ssapp_store_column_text (s, 3);
  row->changed = ssapp_store_column_text (s, 4);
  row->n_tasks = (guint)sqlite3_column_int64 (s, 5);
  row->n_runs = (guint)sqlite3_column_int64 (s, 6);
  return row;
}

/* Runs that are not sound in what a study says of them: which tasks they answer, outcome, removal. */
typedef struct {
  GHashTable *ids; /* of those that are there */
  char *places;    /* one of which it is not known which tasks it answers, or one that is gone, in words; NULL: none */
} DamagedRuns;

static void
damaged_runs_free (DamagedRuns *runs)
{
  g_hash_table_unref (runs->ids);
  g_free (runs->places);
  g_free (runs);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DamagedRuns, damaged_runs_free)

static void
on_run_state (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state, gpointer data)
{
  DamagedRuns *runs = data;

  if (state != SSAPP_SUM_OTHER)
    return;
  if (id != NULL)
    g_hash_table_add (runs->ids, g_strdup (id));
  if (runs->places == NULL && id == NULL)
    runs->places = g_strdup_printf ("run number %" G_GINT64_FORMAT " is missing", number);
  else if (runs->places == NULL && strcmp (part->name, "tasks") == 0)
    runs->places = g_strdup_printf ("the places of run %s: " SSAPP_NOT_AS_STORED, id);
}

/* NULL with an error. */
static DamagedRuns *
find_damaged_runs (SsappStore *self, GError **error)
{
  static const char *const told[] = {"tasks", "row", "marks"};
  g_autoptr (DamagedRuns) runs = g_new0 (DamagedRuns, 1);

  runs->ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (self->has_sums && !ssapp_store_walk_unsound (self, told, G_N_ELEMENTS (told), on_run_state, runs, error))
    return NULL;
  return g_steal_pointer (&runs);
}

/* Whether the study has one of these runs. */
static gboolean
has_one_of (SsappStore *self, const SsappStudyRow *row, GHashTable *ids)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self, "SELECT run_id FROM study_run WHERE study = (SELECT number FROM study WHERE id = ?1)", row->id, NULL);
  gboolean has = FALSE;

  while (s != NULL && !has && sqlite3_step (s) == SQLITE_ROW) {
    const char *id = (const char *)sqlite3_column_text (s, 0);
    has = id != NULL && g_hash_table_contains (ids, id);
  }
  ssapp_store_end_statement (self, s);
  return has;
}

/* The numbers of runs that a list shows are those of sound runs, or the title says that they are not. */
static gboolean
check_runs (SsappStore *self, GPtrArray *rows, GError **error)
{
  if (rows->len == 0 || !self->has_sums)
    return TRUE;
  g_autoptr (DamagedRuns) runs = find_damaged_runs (self, error);
  for (guint i = 0; runs != NULL && i < rows->len; i++) {
    SsappStudyRow *row = g_ptr_array_index (rows, i);
    if (row->is_damaged || (runs->places == NULL && !has_one_of (self, row, runs->ids)))
      continue;
    g_autofree char *title = row->title;
    row->title = g_strdup_printf ("%s (has damaged runs)", title);
  }
  return runs != NULL;
}

/* Its title says so. */
static void
check_study (SsappStore *self, SsappStudyRow *row)
{
  const SsappSumState state = ssapp_store_sum_state (self, "main", "study", row->id, "row");

  row->is_damaged = state == SSAPP_SUM_OTHER || state == SSAPP_SUM_ERROR;
  if (!row->is_damaged)
    return;
  g_autofree char *title = row->title;
  row->title = g_strdup_printf ("%s (damaged)", title);
}

/* Takes the statement. */
static GPtrArray *
read_rows (SsappStore *self, sqlite3_stmt *s, GError **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_study_row_free);
  int code = SQLITE_DONE;

  if (s == NULL)
    return NULL;
  const gboolean began = ssapp_store_begin_read (self);
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    SsappStudyRow *row = read_row (s);
    check_study (self, row);
    if (row->is_damaged || sqlite3_column_int (s, 7) == 0)
      g_ptr_array_add (rows, row);
    else
      ssapp_study_row_free (row);
  }
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "list the studies");
  ssapp_store_end_statement (self, s);
  ssapp_store_end_read (self, began);
  return code == SQLITE_DONE && ssapp_store_had_memory (self, error) ? g_steal_pointer (&rows) : NULL;
}

/* Studies that are no longer there, though nobody removed them by this program. */
static void
add_gone (SsappStore *self, GPtrArray *rows)
{
  g_autoptr (GPtrArray) gone = ssapp_store_list_gone (self, "study");

  for (guint i = 0; i < gone->len; i++) {
    SsappStudyRow *row = g_new0 (SsappStudyRow, 1);
    *row = (SsappStudyRow){.id = g_strdup (g_ptr_array_index (gone, i)),
                           .title = g_strdup ("A study that is gone (damaged)"),
                           .definition = g_strdup ("{}"),
                           .created = g_strdup (""),
                           .changed = g_strdup (""),
                           .is_damaged = TRUE};
    g_ptr_array_add (rows, row);
  }
}

GPtrArray *
ssapp_store_list_studies (SsappStore *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  const gboolean began = ssapp_store_begin_read (self);
  g_autoptr (GPtrArray) rows =
      read_rows (self, ssapp_store_prepare (self, COLUMNS (COUNT_RUNS) "ORDER BY k.number DESC", error), error);
  const gboolean ok = rows != NULL && check_runs (self, rows, error);
  if (ok)
    add_gone (self, rows);
  ssapp_store_end_read (self, began);
  return ok ? g_steal_pointer (&rows) : NULL;
}

static void
set_not_found (SsappStore *self, const char *id, GError **error)
{
  g_autoptr (GPtrArray) rows = ssapp_store_list_studies (self, NULL);
  g_autoptr (GString) titles = g_string_new (NULL);

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    g_string_append_printf (titles, "%s%s", i > 0 ? ", " : "", ((SsappStudyRow *)g_ptr_array_index (rows, i))->title);
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: there is no study '%s' (there %s%s)",
               self->path, id, titles->len > 0 ? "are: " : "is none", titles->str);
}

SsappStudyRow *
ssapp_store_get_study (SsappStore *self, const char *id, GError **error)
{
  static const char by_name[] = COLUMNS (
      "0") "WHERE k.deleted IS NULL AND (k.id = ?1 OR k.title = ?1) ORDER BY k.id = ?1 DESC, k.number DESC LIMIT 2";
  static const char by_prefix[] =
      COLUMNS ("0") "WHERE k.deleted IS NULL AND substr (k.id, 1, length (?1)) = ?1 LIMIT 2";
  static const char last[] = COLUMNS ("0") "WHERE k.deleted IS NULL AND ?1 = 'last' ORDER BY k.number DESC LIMIT 1";
  enum { SHORTEST_PREFIX = 4 };
  const char *const queries[] = {by_name, strcmp (id, "last") == 0 ? last : by_prefix};

  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++) {
    if (queries[i] == by_prefix && strlen (id) < SHORTEST_PREFIX)
      continue;
    g_autoptr (GPtrArray) rows = read_rows (self, ssapp_store_prepare_for (self, queries[i], id, error), error);
    if (rows == NULL)
      return NULL;
    const gboolean is_exact = rows->len > 0 && strcmp (((SsappStudyRow *)g_ptr_array_index (rows, 0))->id, id) == 0;
    if (rows->len > 1 && !is_exact) {
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                   "%s: more than one study is '%s': say which by its id, %s or %s", self->path, id,
                   ((SsappStudyRow *)g_ptr_array_index (rows, 0))->id,
                   ((SsappStudyRow *)g_ptr_array_index (rows, 1))->id);
      return NULL;
    }
    if (rows->len > 0 && !((SsappStudyRow *)g_ptr_array_index (rows, 0))->is_damaged)
      return g_ptr_array_steal_index (rows, 0);
    if (rows->len > 0) {
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED,
                   "%s: the study '%s' is damaged: " SSAPP_NOT_AS_STORED, self->path, id);
      return NULL;
    }
  }
  set_not_found (self, id, error);
  return NULL;
}

/* Runs that are not sound in what a study says of them: outcome, removal. NULL with an error where that is so of which
 * task a run answers, or where a run is gone: then no task can be trusted to have its own run. */
static GHashTable *
find_damaged (SsappStore *self, GError **error)
{
  g_autoptr (DamagedRuns) runs = find_damaged_runs (self, error);

  if (runs == NULL)
    return NULL;
  if (runs->places == NULL)
    return g_hash_table_ref (runs->ids);
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED, "%s: the studies are damaged: %s", self->path,
               runs->places);
  return NULL;
}

/* Key of each task to a column of its run, of those runs of which the fourth column is true; one that is damaged is
 * there, and its outcome is that. */
static GHashTable *
list_tasks (SsappStore *self, const char *sql, const char *study_id, gboolean is_outcome, GError **error)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  const gboolean began = ssapp_store_begin_read (self);
  g_autoptr (GHashTable) damaged = find_damaged (self, error);
  sqlite3_stmt *s = damaged != NULL ? ssapp_store_prepare_for (self, sql, study_id, error) : NULL;
  int code = SQLITE_DONE;

  while (s != NULL && (code = sqlite3_step (s)) == SQLITE_ROW) {
    const char *id = (const char *)sqlite3_column_text (s, 2);
    const gboolean is_damaged = id != NULL && g_hash_table_contains (damaged, id);
    if (!is_damaged && !sqlite3_column_int (s, 3))
      continue;
    g_hash_table_insert (table, ssapp_store_column_text (s, 0),
                         is_damaged && is_outcome ? g_strdup (SSAPP_OUTCOME_DAMAGED) : ssapp_store_column_text (s, 1));
  }
  if (s != NULL && code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "list the runs of a study");
  ssapp_store_end_statement (self, s);
  ssapp_store_end_read (self, began);
  if (s == NULL)
    return NULL;
  return code == SQLITE_DONE ? g_steal_pointer (&table) : NULL;
}

#define SELECT_TASKS(column, which)                                                                                    \
  "SELECT s.key, " column ", r.id, " which " FROM study_run s JOIN run r ON r.id = s.run_id WHERE s.study = (SELECT "  \
  "number FROM study WHERE id = ?1)"

GHashTable *
ssapp_store_list_study_runs (SsappStore *self, const char *study_id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && study_id != NULL, NULL);
  return list_tasks (self, SELECT_TASKS ("r.id", ANSWERS), study_id, FALSE, error);
}

GPtrArray *
ssapp_store_pick_study_rows (GHashTable *runs, const GPtrArray *rows)
{
  g_return_val_if_fail (runs != NULL && rows != NULL, NULL);
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *picked = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, &id))
    g_hash_table_add (ids, id);
  for (guint i = 0; i < rows->len; i++)
    if (g_hash_table_contains (ids, ((const SsappRunRow *)g_ptr_array_index (rows, i))->id))
      g_ptr_array_add (picked, g_ptr_array_index (rows, i));
  return picked;
}

GHashTable *
ssapp_store_list_study_attempts (SsappStore *self, const char *study_id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && study_id != NULL, NULL);
  return list_tasks (self, SELECT_TASKS ("r.id", "r.deleted IS NULL"), study_id, FALSE, error);
}

GHashTable *
ssapp_store_list_study_outcomes (SsappStore *self, const char *study_id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && study_id != NULL, NULL);
  return list_tasks (self, SELECT_TASKS ("r.outcome", ANSWERS), study_id, TRUE, error);
}

/* Runs of a study share its texts, and the rest of one is one piece: there may be a hundred thousand. */
typedef struct {
  SsappRunStudy study; /* what others see of it */
  char texts[];        /* id of the run, task */
} ListedStudy;

static void
listed_study_free (gpointer data)
{
  ListedStudy *self = data;

  g_ref_string_release (self->study.id);
  g_ref_string_release (self->study.title);
  g_free (self);
}

/* A reference to `known` where that is the text. */
static char *
share_text (char *known, sqlite3_stmt *s, int column)
{
  const char *text = (const char *)sqlite3_column_text (s, column);

  return known != NULL && strcmp (known, text != NULL ? text : "") == 0 ? g_ref_string_acquire (known)
                                                                        : g_ref_string_new (text != NULL ? text : "");
}

/* `before`: that of the row before, of the same study most often; NULL. */
static ListedStudy *
listed_study_new (sqlite3_stmt *s, const ListedStudy *before)
{
  const char *of = (const char *)sqlite3_column_text (s, 0), *what = (const char *)sqlite3_column_text (s, 3);
  const char *run = of != NULL ? of : "", *task = what != NULL ? what : "";
  const gsize n_run = strlen (run), n_task = strlen (task);
  ListedStudy *self = g_malloc0 (sizeof *self + n_run + n_task + 2);

  memcpy (self->texts, run, n_run);
  memcpy (self->texts + n_run + 1, task, n_task);
  self->study =
      (SsappRunStudy){share_text (before != NULL ? before->study.id : NULL, s, 1),
                      share_text (before != NULL ? before->study.title : NULL, s, 2), self->texts + n_run + 1};
  return self;
}

GHashTable *
ssapp_store_list_run_studies (SsappStore *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  sqlite3_stmt *s =
      ssapp_store_prepare (self,
                           "SELECT r.run_id, s.id, s.title, r.task FROM study_run r JOIN study s ON s.number = "
                           "r.study WHERE s.deleted IS NULL ORDER BY s.number",
                           error);
  g_autoptr (GHashTable) studies = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, listed_study_free);
  ListedStudy *last = NULL;
  int code;

  if (s == NULL)
    return NULL;
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    last = listed_study_new (s, last);
    g_hash_table_replace (studies, last->texts, last);
  }
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "list the runs of studies");
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE ? g_steal_pointer (&studies) : NULL;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Ends what ssapp_store_begin began. */
static gboolean
end_change (SsappStore *self, gboolean ok, const char *what, GError **error)
{
  if (!ssapp_store_end_transaction (self, ok, what, ok ? error : NULL))
    return FALSE;
  self->has_written = TRUE;
  ssapp_store_tell_changed (self);
  return ssapp_store_check_place (self, error);
}

char *
ssapp_store_add_study (SsappStore *self, const char *title, const char *definition, guint n_tasks, GError **error)
{
  static const char what[] = "add a study";
  g_autofree char *id = g_uuid_string_random ();

  g_return_val_if_fail (SSAPP_IS_STORE (self) && definition != NULL, NULL);
  if (!ssapp_store_begin (self, what, error))
    return NULL;
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self, "INSERT INTO study (id, title, definition, n_tasks, created, changed) VALUES (?1, ?2, ?3, ?4, ?5, ?5)", id,
      error);
  gboolean ok = s != NULL;
  if (ok) {
    ssapp_store_bind_text (s, 2, title);
    ssapp_store_bind_text (s, 3, definition);
    sqlite3_bind_int64 (s, 4, n_tasks);
    ssapp_store_bind_now (s, 5);
    ok = ssapp_store_finish_statement (self, s, what, error) && ssapp_store_seal (self, "study", id, NULL, error);
  }
  return end_change (self, ok, what, error) ? g_steal_pointer (&id) : NULL;
}

/* A statement on one study that is in `s`, which it takes; an error where there is no such study. */
static gboolean
change_study (SsappStore *self, sqlite3_stmt *s, const char *id, const char *what, GError **error)
{
  const SsappSumState before = ssapp_store_sum_state (self, "main", "study", id, "row");
  gboolean ok = s != NULL && ssapp_store_finish_statement (self, s, what, error);

  if (ok && sqlite3_changes (self->db) == 0) {
    set_not_found (self, id, error);
    ok = FALSE;
  }
  ok = ok && ssapp_store_seal_again (self, before, "study", id, "row", error);
  return end_change (self, ok, what, error);
}

gboolean
ssapp_store_set_study (SsappStore *self, const char *id, const char *title, const char *definition, guint n_tasks,
                       GError **error)
{
  static const char what[] = "change a study";

  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL && definition != NULL, FALSE);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self, "UPDATE study SET title = ?2, definition = ?3, n_tasks = ?4, changed = ?5 WHERE id = ?1", id, error);
  if (s != NULL) {
    ssapp_store_bind_text (s, 2, title);
    ssapp_store_bind_text (s, 3, definition);
    sqlite3_bind_int64 (s, 4, n_tasks);
    ssapp_store_bind_now (s, 5);
  }
  return change_study (self, s, id, what, error);
}

static gboolean
set_deleted (SsappStore *self, const char *id, gboolean is_deleted, const char *what, GError **error)
{
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  sqlite3_stmt *s = ssapp_store_prepare_for (self, "UPDATE study SET deleted = ?2 WHERE id = ?1", id, error);
  if (s != NULL && is_deleted)
    ssapp_store_bind_now (s, 2);
  return change_study (self, s, id, what, error);
}

gboolean
ssapp_store_delete_study (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, FALSE);
  return set_deleted (self, id, TRUE, "delete a study", error);
}

gboolean
ssapp_store_undelete_study (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && id != NULL, FALSE);
  return set_deleted (self, id, FALSE, "bring back a study", error);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

/* A statement with ?1 study, ?2 key, ?3 run, ?4 task, ?5 now. */
static gboolean
run_claim (SsappStore *self, const char *sql, const SsappStoreClaim *claim, const char *run_id, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (self, sql, claim->study, error);

  if (s == NULL)
    return FALSE;
  ssapp_store_bind_text (s, 2, claim->key);
  ssapp_store_bind_text (s, 3, run_id);
  if (claim->task != NULL)
    ssapp_store_bind_text (s, 4, claim->task);
  ssapp_store_bind_now (s, 5);
  return ssapp_store_finish_statement (self, s, "record a run of a study", error);
}

/* A run whose places in studies or whose removal a claim may change, and whether these were sound before. */
typedef struct {
  char *id;
  SsappSumState marks, tasks;
} Touched;

static void
touched_free (Touched *touched)
{
  g_free (touched->id);
  g_free (touched);
}

/* ?1 study, ?2 key: the run that the task had, and its other local solutions. All runs are looked through for those, so
 * not where the task had no run (CROSS JOIN keeps the order). */
#define HAD                                                                                                            \
  "had (id) AS (SELECT run_id FROM study_run WHERE study = (SELECT number FROM study WHERE id = ?1) AND key = ?2)"
#define SOLUTIONS "SELECT r.id FROM had CROSS JOIN run r ON r.solution_of = had.id"

/* Of Touched: the run, and those. */
static GPtrArray *
list_touched (SsappStore *self, const SsappStoreClaim *claim, const char *run_id, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify)touched_free);
  sqlite3_stmt *s = ssapp_store_prepare_for (self, "WITH " HAD " SELECT ?3 UNION SELECT id FROM had UNION " SOLUTIONS,
                                             claim->study, error);
  int code;

  if (s == NULL)
    return NULL;
  ssapp_store_bind_text (s, 2, claim->key);
  ssapp_store_bind_text (s, 3, run_id);
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    Touched *touched = g_new0 (Touched, 1);
    touched->id = ssapp_store_column_text (s, 0);
    touched->marks = ssapp_store_sum_state (self, "main", "run", touched->id, "marks");
    touched->tasks = ssapp_store_sum_state (self, "main", "run", touched->id, "tasks");
    g_ptr_array_add (list, touched);
  }
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "record a run of a study");
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE ? g_steal_pointer (&list) : NULL;
}

static gboolean
seal_touched (SsappStore *self, GPtrArray *list, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < list->len; i++) {
    const Touched *touched = g_ptr_array_index (list, i);
    ok = ssapp_store_seal_again (self, touched->marks, "run", touched->id, "marks", error) &&
         ssapp_store_seal_again (self, touched->tasks, "run", touched->id, "tasks", error);
  }
  return ok;
}

gboolean
ssapp_store_claim_task (SsappStore *self, const SsappStoreClaim *claim, const char *run_id, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  static const char remove[] =
      "UPDATE run SET deleted = ?5 WHERE deleted IS NULL AND outcome IN ('interrupted', 'cancelled') AND ?3 <> id AND "
      "(?4 IS NULL OR ?4 <> '') AND id IN (WITH " HAD " SELECT id FROM had UNION " SOLUTIONS ")";
  static const char insert[] =
      "INSERT INTO study_run (study, key, run_id, task) VALUES ((SELECT number FROM study WHERE id = ?1), ?2, ?3, "
      "coalesce (?4, (SELECT o.task FROM study_run o WHERE o.key = ?2 AND o.run_id = ?3), '{}')) ON CONFLICT (study, "
      "key) "
      "DO UPDATE SET run_id = ?3, task = coalesce (?4, task) WHERE ?5 IS NOT NULL AND (study_run.run_id = ?3 OR NOT "
      "EXISTS (SELECT 1 FROM run r WHERE r.id = study_run.run_id AND " ANSWERS "))";

  g_autoptr (GPtrArray) touched = list_touched (self, claim, run_id, error);
  if (touched == NULL || !run_claim (self, remove, claim, run_id, error) ||
      !run_claim (self, insert, claim, run_id, error))
    return FALSE;
  if (sqlite3_changes (self->db) > 0)
    return seal_touched (self, touched, error);
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_TAKEN,
               "%s: another run answers this task of the study already", self->path);
  return FALSE;
}

gboolean
ssapp_store_set_study_run (SsappStore *self, const char *study_id, const char *key, const char *task,
                           const char *run_id, GError **error)
{
  static const char what[] = "record a run of a study";
  const SsappStoreClaim claim = {study_id, key, task};

  g_return_val_if_fail (SSAPP_IS_STORE (self) && study_id != NULL && key != NULL && run_id != NULL, FALSE);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  return end_change (self, ssapp_store_claim_task (self, &claim, run_id, error), what, error);
}

/* ---- from elsewhere ---------------------------------------------------------------------------------------------- */

/* ?1 run, ?2 started, ?3 ended, ?4 ... ?11 texts of the machine, ?12 cores, ?13 pid, ?14 start. */
static gboolean
run_origin (SsappStore *self, const char *sql, const char *id, const char *started, const char *ended,
            const json_t *machine, GError **error)
{
  static const char *const texts[] = {"version", "git_commit", "compiler", "build_flags",
                                      "host",    "cpu",        "os",       "libraries"};
  static const char *const numbers[] = {"cpu_count", "pid", "start"};
  sqlite3_stmt *s = ssapp_store_prepare_for (self, sql, id, error);

  if (s == NULL)
    return FALSE;
  if (started != NULL)
    ssapp_store_bind_text (s, 2, started);
  if (ended != NULL)
    ssapp_store_bind_text (s, 3, ended);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    ssapp_store_bind_text (s, 4 + (int)i, ssapp_json_get_string (machine, texts[i]));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    sqlite3_bind_int64 (s, 12 + (int)i, json_integer_value (json_object_get (machine, numbers[i])));
  return ssapp_store_finish_statement (self, s, "store where a run was made", error);
}

gboolean
ssapp_store_set_origin (SsappStore *self, const char *run_id, const char *started, const char *ended,
                        const json_t *machine, GError **error)
{
  static const char insert[] =
      "INSERT OR IGNORE INTO provenance (version, git_commit, compiler, build_flags, host, cpu, os, libraries, "
      "cpu_count) SELECT ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 WHERE ?1 IS NOT NULL AND coalesce (?2, ?3, ?13, ?14, 0) "
      "IS NOT NULL";
  static const char update[] =
      "UPDATE run SET started = coalesce (?2, started), ended = coalesce (?3, ended), owner_host = ?8, owner_pid = "
      "?13, "
      "owner_start = ?14, provenance_id = (SELECT id FROM provenance WHERE version = ?4 AND git_commit = ?5 AND "
      "compiler = ?6 AND build_flags = ?7 AND host = ?8 AND cpu = ?9 AND os = ?10 AND libraries = ?11 AND cpu_count = "
      "?12) WHERE id = ?1";

  g_return_val_if_fail (SSAPP_IS_STORE (self) && run_id != NULL, FALSE);
  if (!ssapp_store_begin (self, "store where a run was made", error))
    return FALSE;
  const SsappSumState row = ssapp_store_sum_state (self, "main", "run", run_id, "row"),
                      made = ssapp_store_sum_state (self, "main", "run", run_id, "provenance");
  return end_change (self,
                     run_origin (self, insert, run_id, started, ended, machine, error) &&
                         run_origin (self, update, run_id, started, ended, machine, error) &&
                         ssapp_store_seal_again (self, row, "run", run_id, "row", error) &&
                         ssapp_store_seal_again (self, made, "run", run_id, "provenance", error),
                     "store where a run was made", error);
}

void
ssapp_store_add_iteration_json (SsappStore *self, const char *run_id, const char *json)
{
  SsappIteration row;

  g_return_if_fail (SSAPP_IS_STORE (self) && run_id != NULL);
  if (json == NULL || !ssapp_store_check_writable (self, NULL) || !ssapp_iteration_from_json (json, &row))
    return;
  ssapp_store_queue_iteration (self, run_id, &row);
  ssapp_iteration_clear (&row);
}

/* ---- tags -------------------------------------------------------------------------------------------------------- */

/* Words in their order, each once, without blanks around them. */
static char *
tidy_tags (const char *tags)
{
  g_auto (GStrv) parts = g_strsplit (tags, ",", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0' && g_hash_table_add (seen, parts[i]))
      g_strv_builder_add (builder, parts[i]);
  g_auto (GStrv) words = g_strv_builder_end (builder);
  return g_strjoinv (", ", words);
}

gboolean
ssapp_store_set_tags (SsappStore *self, const char *run_id, const char *tags, GError **error)
{
  static const char what[] = "write tags";
  g_autofree char *tidy = NULL;

  g_return_val_if_fail (SSAPP_IS_STORE (self) && run_id != NULL && tags != NULL, FALSE);
  tidy = tidy_tags (tags);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  const SsappSumState before = ssapp_store_sum_state (self, "main", "run", run_id, "marks");
  sqlite3_stmt *s = ssapp_store_prepare_for (self, "UPDATE run SET tags = ?2 WHERE id = ?1", run_id, error);
  gboolean ok = s != NULL;
  if (ok) {
    ssapp_store_bind_text (s, 2, tidy);
    ok = ssapp_store_finish_statement (self, s, what, error);
  }
  if (ok && sqlite3_changes (self->db) == 0) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: there is no run '%s'", self->path, run_id);
    ok = FALSE;
  }
  ok = ok && ssapp_store_seal_again (self, before, "run", run_id, "marks", error);
  return end_change (self, ok, what, error);
}
