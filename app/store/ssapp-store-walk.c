/* app/store/ssapp-store-walk.c: see the header. */
#include "app/store/ssapp-store-walk.h"

#include "app/store/ssapp-store-sum-bytes.h"

#include <string.h>

/* ---- what is known ----------------------------------------------------------------------------------------------- */

/* When a part was looked at: all that was written since changes one of these. */
typedef struct {
  gint64 others, ours;
} SsappStamp;

static gboolean
read_stamp (SsappStore *self, SsappStamp *now, GError **error)
{
  now->ours = sqlite3_total_changes64 (self->db);
  return ssapp_store_read_integer (self, "PRAGMA data_version", &now->others, error);
}

static gboolean
is_sound (SsappSumState state)
{
  return state == SSAPP_SUM_SAME || state == SSAPP_SUM_NONE;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* One that is compared. */
typedef struct {
  const SsappStorePart *part;
  GArray
      *columns; /* of int: where those of the part are in the table's statement; NULL: it has a statement of its own */
  sqlite3_stmt *s;     /* that one */
  int code;            /* of its last step */
  gboolean is_unsound; /* in any row */
  GHashTable *told;    /* set of numbers (gint64) that no row has; NULL: none */
  /* of the present row */
  guint8 sum[SSAPP_SUM_SIZE];
  gboolean has_sum;
  SsappSumState state;
} Compared;

/* What goes on. */
typedef struct {
  SsappStore *store;
  const SsappWalk *walk;
  gpointer data;
  GPtrArray *names;  /* of char *: columns of the table's statement */
  GArray *compared;  /* of Compared */
  GByteArray *bytes; /* of the part that is summed */
  GString *id;       /* of the present row */
  sqlite3_stmt *sums;
  int sums_code;
  gboolean has_gone; /* of numbers that no row has there are sums */
  gboolean has_failed;
  GError **error;
} Walking;

/* The first error is told: later steps may do as if there had been none. */
static int
step (Walking *self, sqlite3_stmt *s)
{
  const int code = sqlite3_step (s);

  if (code != SQLITE_ROW && code != SQLITE_DONE && !self->has_failed) {
    ssapp_store_set_error (self->store, self->error, "check the project");
    self->has_failed = TRUE;
  }
  return code;
}

static void
compared_clear (gpointer data)
{
  Compared *self = data;

  g_clear_pointer (&self->columns, g_array_unref);
  g_clear_pointer (&self->told, g_hash_table_unref);
}

/* Where a column is; it is added where it is not there. */
static int
place_of (GPtrArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp (g_ptr_array_index (names, i), name) == 0)
      return (int)i;
  g_ptr_array_add (names, g_strdup (name));
  return (int)names->len - 1;
}

static void
add_columns (GPtrArray *names, const char *columns, GArray *places)
{
  g_auto (GStrv) all = g_strsplit (columns, ", ", -1);

  for (int i = 0; all[i] != NULL; i++) {
    const int place = place_of (names, all[i]);
    if (places != NULL)
      g_array_append_val (places, place);
  }
}

/* `text` with the schema in the place of each "@."; without checksums tables of older formats are temporary views. */
static char *
in_schema (SsappStore *self, const char *text)
{
  if (self->has_sums)
    return ssapp_store_in_schema (self, "main", text);
  g_auto (GStrv) pieces = g_strsplit (text, "@.", -1);
  return g_strjoinv ("", pieces);
}

static sqlite3_stmt *
prepare_part (SsappStore *self, const SsappStorePart *part, GError **error)
{
  g_autofree char *from = in_schema (self, part->from);
  g_autofree char *sql =
      g_strdup_printf ("SELECT %s, %s FROM %s ORDER BY %s, %s", part->key, part->columns, from, part->key, part->order);

  return ssapp_store_prepare (self, sql, error);
}

/* Those of a table itself have its number as their key. */
static gboolean
add_parts (Walking *self)
{
  const SsappWalk *walk = self->walk;

  for (guint i = 0; i < walk->n_parts; i++) {
    Compared compared = {.part = ssapp_store_find_part (walk->of, walk->parts[i]), .code = SQLITE_DONE};
    const gboolean is_of_table = strcmp (compared.part->key, "number") == 0;
    if (is_of_table) {
      compared.columns = g_array_new (FALSE, FALSE, sizeof (int));
      if (self->store->has_sums)
        add_columns (self->names, compared.part->columns, compared.columns);
    } else {
      compared.s = prepare_part (self->store, compared.part, self->error);
    }
    g_array_append_val (self->compared, compared);
    if (!is_of_table && compared.s == NULL)
      return FALSE;
  }
  return TRUE;
}

/* Number, id and whether it runs stand behind the walk's columns. Rows are read in the table, whose indexes may be
 * damaged where it is not. */
static sqlite3_stmt *
prepare_table (Walking *self, int *number, int *id, int *runs)
{
  const gboolean is_run = strcmp (self->walk->of, "run") == 0;
  SsappStore *store = self->store;

  *number = place_of (self->names, "number");
  *id = place_of (self->names, "id");
  *runs = (int)self->names->len;
  g_ptr_array_add (self->names, in_schema (store, is_run && store->has_sums ? SSAPP_STORE_RUNS ("@.", "t") : "0"));
  g_ptr_array_add (self->names, NULL);
  g_autofree char *columns = g_strjoinv (", ", (char **)self->names->pdata);
  g_autofree char *sql =
      g_strdup_printf ("SELECT %s FROM %s%s t%s ORDER BY number", columns, store->has_sums ? "main." : "",
                       self->walk->of, store->has_sums ? " NOT INDEXED" : "");
  return ssapp_store_prepare (store, sql, self->error);
}

/* ---- checksums --------------------------------------------------------------------------------------------------- */

static gboolean
prepare_sums (Walking *self)
{
  const SsappWalk *walk = self->walk;

  if (!self->store->has_sums)
    return TRUE;
  g_autoptr (GString) sql = g_string_new ("SELECT number, part, sha256 FROM main.checksum WHERE of = ?1 AND part IN (");
  for (guint i = 0; i < walk->n_parts; i++)
    g_string_append_printf (sql, "%s'%s'", i > 0 ? ", " : "", walk->parts[i]);
  g_string_append (sql, ") ORDER BY number");
  self->sums = ssapp_store_prepare_for (self->store, sql->str, walk->of, self->error);
  if (self->sums != NULL)
    self->sums_code = step (self, self->sums);
  return self->sums != NULL && !self->has_failed;
}

static Compared *
find_compared (Walking *self, const char *name)
{
  for (guint i = 0; name != NULL && i < self->compared->len; i++) {
    Compared *compared = &g_array_index (self->compared, Compared, i);
    if (strcmp (compared->part->name, name) == 0)
      return compared;
  }
  return NULL;
}

/* Those of the number; sums before it are of rows that are gone. */
static void
take_sums (Walking *self, gint64 number)
{
  for (guint i = 0; i < self->compared->len; i++)
    g_array_index (self->compared, Compared, i).has_sum = FALSE;
  while (self->sums_code == SQLITE_ROW && sqlite3_column_int64 (self->sums, 0) <= number) {
    Compared *compared = find_compared (self, (const char *)sqlite3_column_text (self->sums, 1));
    if (compared != NULL && sqlite3_column_int64 (self->sums, 0) < number)
      self->has_gone = TRUE;
    else if (compared != NULL && sqlite3_column_type (self->sums, 2) == SQLITE_BLOB &&
             sqlite3_column_bytes (self->sums, 2) == SSAPP_SUM_SIZE) {
      memcpy (compared->sum, sqlite3_column_blob (self->sums, 2), SSAPP_SUM_SIZE);
      compared->has_sum = TRUE;
    }
    self->sums_code = step (self, self->sums);
  }
}

static void
take_other_sums (Walking *self)
{
  while (self->sums_code == SQLITE_ROW) {
    self->has_gone = self->has_gone || find_compared (self, (const char *)sqlite3_column_text (self->sums, 1)) != NULL;
    self->sums_code = step (self, self->sums);
  }
}

/* Of what was added to the bytes. */
static SsappSumState
state_of (Walking *self, const Compared *compared, gboolean is_running)
{
  guint8 found[SSAPP_SUM_SIZE];

  if (!compared->has_sum)
    return is_running ? SSAPP_SUM_NONE : SSAPP_SUM_OTHER;
  ssapp_sum_end (self->bytes, found);
  return memcmp (compared->sum, found, sizeof found) == 0 ? SSAPP_SUM_SAME : SSAPP_SUM_OTHER;
}

/* Tells of numbers that have a sum of the part, but neither a row nor anything of the part, which was told; also of
 * comparisons and studies that only their members name: where the pages of table and sums are both of earlier. */
static gboolean
tell_gone (SsappStore *self, const SsappStorePart *part, GHashTable *told, SsappWalkStateFunc on_state, gpointer data,
           GError **error)
{
  const char *members = strcmp (part->of, "comparison") == 0 ? "UNION SELECT comparison FROM main.comparison_run"
                        : strcmp (part->of, "study") == 0    ? "UNION SELECT study FROM main.study_run"
                                                             : "";
  g_autofree char *sql = g_strdup_printf (
      "SELECT n.number FROM (SELECT number FROM main.checksum WHERE of = ?1 AND part = ?2 %s) n WHERE n.number NOT IN "
      "(SELECT t.number FROM main.%s t NOT INDEXED) ORDER BY n.number",
      members, part->of);
  sqlite3_stmt *s = ssapp_store_prepare_for (self, sql, part->of, error);
  int code;

  if (s == NULL)
    return FALSE;
  ssapp_store_bind_text (s, 2, part->name);
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    const gint64 number = sqlite3_column_int64 (s, 0);
    if (told == NULL || !g_hash_table_contains (told, &number))
      on_state (number, NULL, part, SSAPP_SUM_OTHER, data);
  }
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "check the project");
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void
tell (Walking *self, Compared *compared, gint64 number, const char *id, SsappSumState state)
{
  compared->is_unsound = compared->is_unsound || !is_sound (state);
  self->walk->on_state (number, id, compared->part, state, self->data);
}

/* Rows of the part until the number is another one; with `is_known` they are of the present row. */
static void
take_part (Walking *self, Compared *compared, gint64 number, gboolean is_known)
{
  while (compared->code == SQLITE_ROW && sqlite3_column_int64 (compared->s, 0) == number) {
    if (is_known && self->store->has_sums)
      ssapp_sum_append_row (self->bytes, compared->s, 1);
    if (is_known && self->walk->on_part != NULL)
      self->walk->on_part (number, compared->s, self->data);
    compared->code = step (self, compared->s);
  }
}

/* Numbers up to `end` that no row has. */
static void
take_unknown (Walking *self, Compared *compared, gint64 end)
{
  while (compared->code == SQLITE_ROW && sqlite3_column_int64 (compared->s, 0) <= end) {
    const gint64 number = sqlite3_column_int64 (compared->s, 0);
    take_part (self, compared, number, FALSE);
    if (compared->told == NULL)
      compared->told = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
    g_hash_table_add (compared->told, g_memdup2 (&number, sizeof number));
    if (self->store->has_sums)
      tell (self, compared, number, NULL, SSAPP_SUM_OTHER);
  }
}

/* The part's bytes begin with its row's id. */
static void
begin_sum (Walking *self, const Compared *compared)
{
  if (self->store->has_sums)
    ssapp_sum_begin (self->bytes, compared->part->of, compared->part->name, self->id->str);
}

/* Summed before anybody reads the row, since reading a value as a text may make it one. */
static void
sum_columns (Walking *self, Compared *compared, sqlite3_stmt *s, gboolean is_running)
{
  begin_sum (self, compared);
  ssapp_sum_append_columns (self->bytes, s, (const int *)(const void *)compared->columns->data, compared->columns->len);
  compared->state = state_of (self, compared, is_running);
}

static void
take_row (Walking *self, sqlite3_stmt *s, gint64 number, gboolean is_running)
{
  const SsappWalk *walk = self->walk;
  const gboolean has_sums = self->store->has_sums;

  take_sums (self, number);
  for (guint i = 0; has_sums && i < self->compared->len; i++) {
    Compared *compared = &g_array_index (self->compared, Compared, i);
    if (compared->columns != NULL)
      sum_columns (self, compared, s, is_running);
  }
  if (walk->on_row != NULL)
    walk->on_row (number, s, self->data);
  for (guint i = 0; i < self->compared->len; i++) {
    Compared *compared = &g_array_index (self->compared, Compared, i);
    if (compared->columns == NULL) {
      take_unknown (self, compared, number - 1);
      begin_sum (self, compared);
      take_part (self, compared, number, TRUE);
      if (has_sums)
        compared->state = state_of (self, compared, is_running);
    }
    if (has_sums)
      tell (self, compared, number, self->id->str, compared->state);
  }
}

static gboolean
take_all (Walking *self)
{
  int number, id, runs, code = SQLITE_ERROR; /* no row is known until the last one was read */
  sqlite3_stmt *s = prepare_table (self, &number, &id, &runs);

  if (s == NULL)
    return FALSE;
  for (guint i = 0; i < self->compared->len; i++) {
    Compared *compared = &g_array_index (self->compared, Compared, i);
    if (compared->s != NULL)
      compared->code = step (self, compared->s);
  }
  while (!self->has_failed && (code = step (self, s)) == SQLITE_ROW) {
    const gboolean is_running = sqlite3_column_int (s, runs);
    const gint64 at = sqlite3_column_int64 (s, number);
    const char *name = (const char *)sqlite3_column_text (s, id);
    g_string_assign (self->id, name != NULL ? name : "");
    take_row (self, s, at, is_running);
  }
  for (guint i = 0; code == SQLITE_DONE && i < self->compared->len; i++)
    take_unknown (self, &g_array_index (self->compared, Compared, i), G_MAXINT64);
  if (code == SQLITE_DONE)
    take_other_sums (self);
  ssapp_store_end_statement (self->store, s);
  return !self->has_failed;
}

/* What was sound in all runs; it was not where sums are of runs that are gone. */
static void
remember (Walking *self, const Compared *compared, gboolean ok, const SsappStamp *now)
{
  if (ok && self->store->has_sums && !compared->is_unsound && !self->has_gone)
    g_hash_table_insert (self->store->sound, (gpointer)compared->part->name, g_memdup2 (now, sizeof *now));
  else
    g_hash_table_remove (self->store->sound, compared->part->name);
}

gboolean
ssapp_store_walk (SsappStore *self, const SsappWalk *walk, gpointer data, GError **error)
{
  g_return_val_if_fail (self != NULL && walk != NULL, FALSE);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) compared = g_array_new (FALSE, FALSE, sizeof (Compared));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GString) id = g_string_new (NULL);
  Walking walking = {.store = self,
                     .walk = walk,
                     .data = data,
                     .names = names,
                     .compared = compared,
                     .bytes = bytes,
                     .id = id,
                     .sums_code = SQLITE_DONE,
                     .error = error};

  g_array_set_clear_func (compared, compared_clear);
  if (walk->columns != NULL)
    add_columns (names, walk->columns, NULL);
  SsappStamp now = {0};
  gboolean ok =
      read_stamp (self, &now, error) && add_parts (&walking) && prepare_sums (&walking) && take_all (&walking);
  ssapp_store_end_statement (self, walking.sums);
  for (guint i = 0; i < compared->len; i++)
    ssapp_store_end_statement (self, g_array_index (compared, Compared, i).s);
  /* others than runs have members that name them */
  const gboolean may_be_gone = self->has_sums && (walking.has_gone || strcmp (walk->of, "run") != 0);
  for (guint i = 0; ok && may_be_gone && i < compared->len; i++) {
    Compared *one = &g_array_index (compared, Compared, i);
    ok = tell_gone (self, one->part, one->told, walk->on_state, data, error);
  }
  for (guint i = 0; strcmp (walk->of, "run") == 0 && i < compared->len; i++)
    remember (&walking, &g_array_index (compared, Compared, i), ok, &now);
  return ok;
}

/* ---- what is not sound ------------------------------------------------------------------------------------------- */

typedef struct {
  SsappWalkStateFunc on_state;
  gpointer data;
} Unsound;

static void
on_unsound (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state, gpointer data)
{
  const Unsound *self = data;

  if (!is_sound (state))
    self->on_state (number, id, part, state, self->data);
}

gboolean
ssapp_store_walk_unsound (SsappStore *self, const char *const *parts, guint n_parts, SsappWalkStateFunc on_state,
                          gpointer data, GError **error)
{
  g_return_val_if_fail (self != NULL && parts != NULL, FALSE);
  g_autoptr (GPtrArray) asked = g_ptr_array_new ();
  Unsound unsound = {on_state, data};
  SsappStamp now = {0};
  const gboolean began = ssapp_store_begin_read (self);
  gboolean ok = read_stamp (self, &now, error);

  for (guint i = 0; ok && i < n_parts; i++) {
    const SsappStamp *then = g_hash_table_lookup (self->sound, parts[i]);
    if (then == NULL || then->others != now.others || then->ours != now.ours)
      g_ptr_array_add (asked, (gpointer)parts[i]);
  }
  const SsappWalk walk = {
      .of = "run", .parts = (const char *const *)asked->pdata, .n_parts = asked->len, .on_state = on_unsound};
  ok = ok && (asked->len == 0 || ssapp_store_walk (self, &walk, &unsound, error));
  ssapp_store_end_read (self, began);
  return ok;
}

static void
take_gone (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state, gpointer data)
{
  (void)id;
  (void)part;
  (void)state;
  g_ptr_array_add (data, g_strdup_printf ("missing-%" G_GINT64_FORMAT, number));
}

GPtrArray *
ssapp_store_list_gone (SsappStore *self, const char *of)
{
  g_return_val_if_fail (self != NULL, NULL);
  GPtrArray *gone = g_ptr_array_new_with_free_func (g_free);

  if (self->has_sums && !tell_gone (self, ssapp_store_find_part (of, "row"), NULL, take_gone, gone, NULL))
    g_ptr_array_set_size (gone, 0);
  return gone;
}
