/* app/store/ssapp-store-schema.c: whether the tables of a project are ours and nothing but ours. A project may come
 * from somebody else: a trigger, a view in the place of a table or a default that was altered would change results.
 *
 * What a format has is made from its scripts in memory, so that it stands nowhere twice. Texts are compared by their
 * words: SQLite quotes and keeps comments as it likes. Tests: tests/cli/test-damage.sh */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-text.h"
#include "app/store/ssapp-store-pack.h"

#include <string.h>

void
ssapp_store_harden (sqlite3 *db)
{
  static const struct {
    int option, value;
  } options[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                 {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                 {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                 {SQLITE_DBCONFIG_ENABLE_VIEW, 0}, /* temporary views stay */
                 {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0}};

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    sqlite3_db_config (db, options[i].option, options[i].value, NULL);
  sqlite3_exec (db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
  ssapp_store_add_unpack (db);
}

/* ---- words of SQL ------------------------------------------------------------------------------------------------ */

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (c & 0x80) != 0;
}

/* End of what is quoted from `at` on; a quote that stands twice is one. */
static const char *
end_of_quoted (const char *at, char close)
{
  for (at++; *at != '\0'; at++) {
    if (*at == close && at[1] == close && close != ']')
      at++;
    else if (*at == close)
      return at + 1;
  }
  return at;
}

/* End of a comment that begins at `at`; `at` itself where none does. */
static const char *
end_of_comment (const char *at)
{
  if (at[0] == '-' && at[1] == '-')
    return at + strcspn (at, "\n");
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr (at + 2, "*/");
    return end != NULL ? end + 2 : at + strlen (at);
  }
  return at;
}

/* The words, each with a blank after it: without comments, without quotes of names that need none. */
static char *
words_of (const char *sql)
{
  GString *out = g_string_new (NULL);

  for (const char *at = sql; *at != '\0';) {
    const char *end = end_of_comment (at);
    if (end > at || g_ascii_isspace (*at)) {
      at = end > at ? end : at + 1;
      continue;
    }
    const gboolean is_quoted = strchr ("\"'`[", *at) != NULL;
    end = is_quoted ? end_of_quoted (at, *at == '[' ? ']' : *at) : at + 1;
    while (!is_quoted && is_word (*at) && is_word (*end))
      end++;
    gsize skip = is_quoted && *at != '\'' && end > at + 2 ? 1 : 0;
    for (const char *c = at + 1; skip > 0 && c < end - 1; c++)
      skip = is_word (*c) ? 1 : 0;
    g_string_append_len (out, at + skip, (gssize)(end - at) - 2 * (gssize)skip);
    g_string_append_c (out, ' ');
    at = end;
  }
  return g_string_free (out, FALSE);
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

/* SQLite's own, of ANALYZE. */
static gboolean
is_statistics (const char *name, const char *words)
{
  return (strcmp (name, "sqlite_stat1") == 0 &&
          strcmp (words, "CREATE TABLE sqlite_stat1 ( tbl , idx , stat ) ") == 0) ||
         (strcmp (name, "sqlite_stat4") == 0 &&
          strcmp (words, "CREATE TABLE sqlite_stat4 ( tbl , idx , neq , nlt , ndlt , sample ) ") == 0);
}

/* "table metric" to its table and words; NULL with an error. */
static GHashTable *
read_schema (SsappStore *self, const char *schema, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT type, name, tbl_name, sql FROM %s.sqlite_schema", schema);
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  sqlite3_stmt *s = ssapp_store_prepare (self, sql, error);
  int code;

  if (s == NULL)
    return NULL;
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    const char *texts[4];
    for (int i = 0; i < 4; i++) {
      texts[i] = (const char *)sqlite3_column_text (s, i);
      texts[i] = texts[i] != NULL ? texts[i] : "";
    }
    g_autofree char *words = words_of (texts[3]);
    if (!is_statistics (texts[1], words))
      g_hash_table_insert (found, g_strdup_printf ("%s %s", texts[0], texts[1]),
                           g_strdup_printf ("%s\n%s", texts[2], words));
  }
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "read the project");
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE ? g_steal_pointer (&found) : NULL;
}

/* What a format has. */
static GHashTable *
known_schema (gint64 format, GError **error)
{
  g_autoptr (SsappStore) model = ssapp_store_new_in_memory (format, error);

  return model != NULL ? read_schema (model, "main", error) : NULL;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static void
add_difference (GPtrArray *differences, const char *name, const char *is_what, const char *definition)
{
  const char *end = definition != NULL ? strchr (definition, '\n') : NULL;
  g_autofree char *table = end != NULL ? g_strndup (definition, (gsize)(end - definition)) : NULL;
  g_autofree char *shown = ssapp_text_visible (name, FALSE),
                  *shown_table = table != NULL ? ssapp_text_visible (table, FALSE) : NULL;
  const gboolean has_table = table != NULL && !g_str_has_suffix (name, table);

  g_ptr_array_add (differences,
                   g_strdup_printf ("%s%s%s%s", shown, has_table ? " on " : "", has_table ? shown_table : "", is_what));
}

/* Of char *, in order; empty where both are the same. */
static GPtrArray *
list_differences (GHashTable *found, GHashTable *known)
{
  GPtrArray *differences = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer name, definition;

  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &name, &definition)) {
    const char *expected = g_hash_table_lookup (known, name);
    if (expected == NULL)
      add_difference (differences, name, "", definition);
    else if (strcmp (expected, definition) != 0)
      add_difference (differences, name, " (defined otherwise)", definition);
  }
  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, &name, &definition))
    if (!g_hash_table_contains (found, name))
      add_difference (differences, name, " (missing)", NULL);
  g_ptr_array_sort (differences, ssapp_text_compare);
  return differences;
}

gboolean
ssapp_store_check_schema (SsappStore *self, const char *schema, const char *path, gint64 format, GError **error)
{
  enum { MOST_NAMED = 5 };
  g_autoptr (GHashTable) found = read_schema (self, schema, error);
  g_autoptr (GHashTable) known = found != NULL ? known_schema (format, error) : NULL;

  if (known == NULL)
    return FALSE;
  g_autoptr (GPtrArray) differences = list_differences (found, known);
  if (differences->len == 0)
    return TRUE;
  const guint n = differences->len;
  g_ptr_array_set_size (differences, (gint)MIN (n, MOST_NAMED));
  g_ptr_array_add (differences, NULL);
  g_autofree char *list = g_strjoinv (", ", (char **)differences->pdata);
  g_autofree char *more = n > MOST_NAMED ? g_strdup_printf (" and %u more", n - MOST_NAMED) : g_strdup ("");
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FOREIGN,
               "%s is not as Stickslip made it: %s%s. Such things can change results, so that it is not opened; %s",
               path, list, more, SSAPP_STORE_WAY_OUT);
  return FALSE;
}
