/* app/store/ssapp-store-result.c: what a result says in numbers and what it says happened, as rows; see
 * ssapp-store.h. */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/store/ssapp-store-pack.h"

#include <math.h>
#include <string.h>

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

/* "tracking_error.total" is a member of the object "tracking_error". NULL when there is none. */
static const json_t *
find_metric (const json_t *metrics, const char *name)
{
  const char *dot = strchr (name, '.');
  g_autofree char *object = dot != NULL ? g_strndup (name, (gsize)(dot - name)) : NULL;

  return dot == NULL ? json_object_get (metrics, name) : json_object_get (json_object_get (metrics, object), dot + 1);
}

static gboolean
write_metric (SsappStore *self, sqlite3_stmt *s, gint64 run, const char *name, const json_t *value, GError **error)
{
  sqlite3_bind_int64 (s, 1, run);
  ssapp_store_bind_text (s, 2, name);
  if (json_is_boolean (value))
    sqlite3_bind_double (s, 3, json_is_true (value) ? 1 : 0);
  else
    ssapp_store_bind_real (s, 3, json_is_number (value) ? json_number_value (value) : (double)NAN);
  const gboolean ok = sqlite3_step (s) == SQLITE_DONE;
  if (!ok)
    ssapp_store_set_error (self, error, "store a metric");
  sqlite3_reset (s);
  return ok;
}

/* And what was asked of the run. */
static gboolean
write_metrics (SsappStore *self, gint64 run, const json_t *metrics, const json_t *outcomes, GError **error)
{
  sqlite3_stmt *s =
      ssapp_store_prepare (self, "INSERT OR REPLACE INTO metric (run, name, value) VALUES (?1, ?2, ?3)", error);
  gboolean ok = s != NULL;
  const char *outcome;
  json_t *one;

  for (int i = 0; ok && i < SS_METRIC_COUNT; i++) {
    const char *name = ss_metric_spec ((SsMetric)i)->name;
    const json_t *value = find_metric (metrics, name);
    if (value != NULL)
      ok = write_metric (self, s, run, name, value, error);
  }
  json_object_foreach ((json_t *)outcomes, outcome, one)
  {
    const char *unit = ssapp_json_get_string (one, "unit");
    g_autofree char *name = ssapp_metric_outcome_row (outcome, unit != NULL ? unit : "");
    /* without a motion there is neither a value nor a unit, in which it would be another outcome */
    if (json_is_number (json_object_get (one, "value")) || (unit != NULL && *unit != '\0'))
      ok = ok && write_metric (self, s, run, name, json_object_get (one, "value"), error);
  }
  ssapp_store_end_statement (self, s);
  return ok;
}

/* The member `outcomes` of the run's result, which has their formulas too. */
static gboolean
write_answers (SsappStore *self, const char *id, const json_t *outcomes, GError **error)
{
  g_autofree char *text = ssapp_store_get_result_json (self, id, NULL);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL, *answers = json_object_get (result, "outcomes"),
         *one;
  const char *name;

  if (!json_is_object (result)) { /* a run that was abandoned */
    json_decref (result);
    return TRUE;
  }
  if (answers == NULL)
    json_object_set_new (result, "outcomes", answers = json_object ());
  json_object_foreach ((json_t *)outcomes, name, one)
  {
    if (json_is_object (one))
      json_object_set (answers, name, one);
    else
      json_object_del (answers, name);
  }
  if (json_object_size (answers) == 0)
    json_object_del (result, "outcomes");
  char *dumped = json_dumps (result, SSAPP_JSON_FLAGS);
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self, "UPDATE run_result SET result = ?2 WHERE run = (SELECT number FROM run WHERE id = ?1)", id, error);
  if (s != NULL)
    ssapp_store_bind_packed (s, 2, dumped);
  const gboolean ok = s != NULL && ssapp_store_finish_statement (self, s, "store outcomes", error);
  free (dumped);
  json_decref (result);
  return ok;
}

gboolean
ssapp_store_write_outcomes (SsappStore *self, const char *id, const json_t *outcomes, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (self, "SELECT number FROM run WHERE id = ?1", id, error);
  const char *name;
  json_t *one;
  gboolean is_there = FALSE,
           ok = s != NULL && ssapp_store_step (self, s, &is_there, "store outcomes", error) && is_there;
  const gint64 run = ok ? sqlite3_column_int64 (s, 0) : 0;

  ssapp_store_end_statement (self, s);
  json_object_foreach ((json_t *)outcomes, name, one)
  {
    g_autofree char *row = ssapp_metric_outcome_row (name, ""), *with_unit = g_strconcat (row, " [%", NULL);
    s = ok ? ssapp_store_prepare (self, "DELETE FROM metric WHERE run = ?1 AND (name = ?2 OR name LIKE ?3)", error)
           : NULL;
    if (s != NULL) {
      sqlite3_bind_int64 (s, 1, run);
      ssapp_store_bind_text (s, 2, row);
      ssapp_store_bind_text (s, 3, with_unit);
    }
    ok = s != NULL && ssapp_store_finish_statement (self, s, "store outcomes", error);
  }
  return ok && write_metrics (self, run, NULL, outcomes, error) && write_answers (self, id, outcomes, error);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Columns of the table of events but its details, and the members of an event that they are, in their order. */
static const struct {
  const char *column, *member;
  enum { COLUMN_REAL, COLUMN_TEXT, COLUMN_INTEGER, COLUMN_FLAG } type;
  gboolean is_always_told; /* as null where it has none */
} event_columns[] = {{"t", "t", COLUMN_REAL, TRUE},
                     {"tau", "tau", COLUMN_REAL, FALSE},
                     {"kind", "kind", COLUMN_TEXT, TRUE},
                     {"contact", "contact", COLUMN_TEXT, TRUE},
                     {"point", "point", COLUMN_INTEGER, FALSE},
                     {"impulse", "impulse", COLUMN_REAL, TRUE},
                     {"joint", "joint", COLUMN_TEXT, FALSE},
                     {"joint_limit", "limit", COLUMN_TEXT, FALSE},
                     {"exact", "exact", COLUMN_FLAG, FALSE}};
enum { EVENT_COLUMNS = G_N_ELEMENTS (event_columns) };

/* "t, tau, ..., details". */
static char *
list_event_columns (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < EVENT_COLUMNS; i++)
    g_string_append_printf (list, "%s, ", event_columns[i].column);
  return g_string_free (g_string_append (list, "details"), FALSE);
}

/* What is left of an event without those, as JSON; NULL when nothing is. */
static char *
other_members (const json_t *event)
{
  json_t *rest = json_copy ((json_t *)event); /* Jansson takes no const; nothing of the event is changed */
  char *text = NULL;

  for (guint i = 0; i < EVENT_COLUMNS; i++)
    json_object_del (rest, event_columns[i].member);
  if (json_object_size (rest) > 0)
    text = ssapp_json_text (rest, FALSE);
  json_decref (rest);
  return text;
}

static void
bind_text_or_null (sqlite3_stmt *s, int index, const char *text)
{
  if (text != NULL)
    ssapp_store_bind_text (s, index, text);
  else
    sqlite3_bind_null (s, index);
}

static void
bind_member (sqlite3_stmt *s, int at, guint column, const json_t *event)
{
  const json_t *value = json_object_get (event, event_columns[column].member);

  switch (event_columns[column].type) {
  case COLUMN_REAL:
    ssapp_store_bind_real (s, at, json_is_number (value) ? json_number_value (value) : (double)NAN);
    break;
  case COLUMN_TEXT:
    bind_text_or_null (s, at, json_string_value (value));
    break;
  case COLUMN_INTEGER:
    if (json_is_integer (value))
      sqlite3_bind_int64 (s, at, json_integer_value (value));
    else
      sqlite3_bind_null (s, at);
    break;
  case COLUMN_FLAG:
    sqlite3_bind_int (s, at, json_is_true (value));
    break;
  }
}

static gboolean
write_event (SsappStore *self, sqlite3_stmt *s, gint64 run, int branch, gint64 number, const json_t *event,
             GError **error)
{
  g_autofree char *details = other_members (event);

  sqlite3_bind_int64 (s, 1, run);
  sqlite3_bind_int (s, 2, branch);
  sqlite3_bind_int64 (s, 3, number);
  for (guint i = 0; i < EVENT_COLUMNS; i++)
    bind_member (s, (int)i + 4, i, event);
  bind_text_or_null (s, EVENT_COLUMNS + 4, details);
  const gboolean ok = sqlite3_step (s) == SQLITE_DONE;
  if (!ok)
    ssapp_store_set_error (self, error, "store an event");
  sqlite3_reset (s);
  return ok;
}

/* An event without a time or a kind is none. */
static gboolean
write_events (SsappStore *self, gint64 run, int branch, const json_t *events, GError **error)
{
  g_autofree char *columns = list_event_columns ();
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_printf (sql, "INSERT OR REPLACE INTO event (run, branch, number, %s) VALUES (?, ?, ?", columns);
  for (guint i = 0; i <= EVENT_COLUMNS; i++)
    g_string_append (sql, ", ?");
  sqlite3_stmt *s = ssapp_store_prepare (self, g_string_append (sql, ")")->str, error);
  gboolean ok = s != NULL;
  gint64 number = 0;

  for (size_t i = 0; ok && i < json_array_size (events); i++) {
    const json_t *event = json_array_get (events, i);
    if (isfinite (ssapp_json_get_real (event, "t")) && ssapp_json_get_string (event, "kind") != NULL)
      ok = write_event (self, s, run, branch, number++, event, error);
  }
  ssapp_store_end_statement (self, s);
  return ok;
}

gboolean
ssapp_store_write_result_rows (SsappStore *self, gint64 run, const json_t *result, GError **error)
{
  const json_t *branches = json_object_get (result, "branches");
  gboolean ok =
      write_metrics (self, run, json_object_get (result, "metrics"), json_object_get (result, "outcomes"), error) &&
      write_events (self, run, 0, json_object_get (result, "events"), error);

  for (size_t i = 0; ok && i < json_array_size (branches); i++) {
    const json_t *branch = json_array_get (branches, i), *number = json_object_get (branch, "branch");
    if (json_is_integer (number) && json_integer_value (number) > 0 && json_integer_value (number) <= G_MAXINT)
      ok = write_events (self, run, (int)json_integer_value (number), json_object_get (branch, "events"), error);
  }
  return ok;
}

/* ---- back -------------------------------------------------------------------------------------------------------- */

/* NULL: it has none. */
static json_t *
member_from_column (sqlite3_stmt *s, guint column)
{
  if (sqlite3_column_type (s, (int)column) == SQLITE_NULL)
    return event_columns[column].is_always_told ? json_null () : NULL;
  switch (event_columns[column].type) {
  case COLUMN_REAL:
    return json_real (sqlite3_column_double (s, (int)column));
  case COLUMN_TEXT:
    return json_string ((const char *)sqlite3_column_text (s, (int)column));
  case COLUMN_INTEGER:
    return json_integer (sqlite3_column_int64 (s, (int)column));
  case COLUMN_FLAG:
    return sqlite3_column_int (s, (int)column) != 0 ? json_true () : NULL;
  }
  return NULL;
}

static json_t *
event_from_statement (sqlite3_stmt *s)
{
  const char *details = (const char *)sqlite3_column_text (s, EVENT_COLUMNS);
  json_t *event = details != NULL ? json_loads (details, 0, NULL) : NULL;

  if (!json_is_object (event)) {
    json_decref (event);
    event = json_object ();
  }
  for (guint i = 0; i < EVENT_COLUMNS; i++) {
    json_t *member = member_from_column (s, i);
    if (member != NULL)
      json_object_set_new (event, event_columns[i].member, member);
  }
  return event;
}

json_t *
ssapp_store_get_events (SsappStore *self, const char *id, int branch, GError **error)
{
  sqlite3_stmt *s;
  json_t *events;
  int code;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  g_return_val_if_fail (id != NULL && branch >= 0, NULL);
  if (!ssapp_store_check_open (self, error) || !ssapp_store_check_part (self, id, "events", error))
    return NULL;
  g_autofree char *columns = list_event_columns ();
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM event WHERE run = (SELECT number FROM run WHERE id = ?1) AND "
                                          "branch = ?2 ORDER BY number",
                                          columns);
  s = ssapp_store_prepare (self, sql, error);
  if (s == NULL)
    return NULL;
  ssapp_store_bind_text (s, 1, id);
  sqlite3_bind_int (s, 2, branch);
  events = json_array ();
  while ((code = sqlite3_step (s)) == SQLITE_ROW)
    json_array_append_new (events, event_from_statement (s));
  if (code != SQLITE_DONE) {
    ssapp_store_set_error (self, error, "list events");
    g_clear_pointer (&events, json_decref);
  }
  ssapp_store_end_statement (self, s);
  return events;
}
