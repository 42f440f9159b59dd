/* app/session/ssapp-interests.c: see the header. */
#include "app/session/ssapp-interests.h"

#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-run-events.h"

#include "judge/ss-interest.h"

#include <math.h>
#include <string.h>

typedef struct {
  char *name, *formula;
  SsInterest *interest;
} Item;

struct SsappInterests {
  GArray *items;
};

static void
item_clear (gpointer data)
{
  Item *item = data;

  g_free (item->name);
  g_free (item->formula);
  ss_interest_free (item->interest);
}

static void
refuse (GError **error, const char *name, const SsError *err)
{
  if (err->column > 0)
    g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_SYNTAX, "outcome %s: %s (at character %d)", name,
                 err->message, err->column);
  else
    g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_SYNTAX, "outcome %s: %s", name, err->message);
}

static gboolean
add_item (SsappInterests *self, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  Item item = {0};
  SsError err = {0};

  if (equals == NULL || equals == text) {
    g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_SYNTAX,
                 "“%s” is no outcome (expected NAME=FORMULA)", text);
    return FALSE;
  }
  item = (Item){.name = g_strndup (text, (gsize)(equals - text)), .formula = g_strdup (equals + 1)};
  g_strstrip (item.name);
  for (guint i = 0; i < self->items->len; i++)
    if (strcmp (ssapp_interests_get_name (self, i), item.name) == 0)
      ss_error_set (&err, SS_ERR_INVALID, "the name is there twice");
  if (err.message[0] != '\0' || ss_interest_new (item.formula, &item.interest, &err) != SS_OK) {
    refuse (error, item.name, &err);
    item_clear (&item);
    return FALSE;
  }
  g_array_append_val (self->items, item);
  return TRUE;
}

SsappInterests *
ssapp_interests_new (const char *const *texts, guint n, GError **error)
{
  g_autoptr (SsappInterests) self = g_new0 (SsappInterests, 1);

  self->items = g_array_new (FALSE, TRUE, sizeof (Item));
  g_array_set_clear_func (self->items, item_clear);
  for (guint i = 0; i < n; i++)
    if (!add_item (self, texts[i], error))
      return NULL;
  return g_steal_pointer (&self);
}

void
ssapp_interests_free (SsappInterests *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_free (self);
}

guint
ssapp_interests_get_n (const SsappInterests *self)
{
  return self->items->len;
}

const char *
ssapp_interests_get_name (const SsappInterests *self, guint index)
{
  g_return_val_if_fail (index < self->items->len, "");
  return g_array_index (self->items, Item, index).name;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Of SsInterestEvent, borrowed from the events. */
static GArray *
events_of (const GArray *events)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (SsInterestEvent));

  for (guint i = 0; i < events->len; i++) {
    const SsappRunEvent *event = &g_array_index (events, SsappRunEvent, i);
    const SsInterestEvent one = {.kind = ss_event_kind_name (event->kind),
                                 .subject = ssapp_run_event_subject (event),
                                 .t = event->t,
                                 .impulse = event->impulse};
    g_array_append_val (all, one);
  }
  return all;
}

static SsStatus
value_of (const Item *item, const SsTrajectory *motion, const GArray *events, double *value,
          char unit[SS_INTEREST_UNIT], SsError *err)
{
  return ss_interest_value (item->interest, motion, (const SsInterestEvent *)(const void *)events->data,
                            (int)events->len, value, unit, err);
}

json_t *
ssapp_interests_to_json (const SsappInterests *self, const SsTrajectory *motion, const json_t *result, GError **error)
{
  g_autoptr (GArray) listed = ssapp_run_events_from_json (result), events = events_of (listed);
  json_t *object = json_object ();

  for (guint i = 0; i < self->items->len; i++) {
    const Item *item = &g_array_index (self->items, Item, i);
    char unit[SS_INTEREST_UNIT];
    double value;
    SsError err = {0};

    if (value_of (item, motion, events, &value, unit, &err) != SS_OK) {
      refuse (error, item->name, &err);
      json_decref (object);
      return NULL;
    }
    json_object_set_new (
        object, item->name,
        json_pack ("{s:o, s:s, s:s}", "value", ssapp_json_real (value), "unit", unit, "formula", item->formula));
  }
  return object;
}

/* ---- stored runs ------------------------------------------------------------------------------------------------- */

typedef struct {
  double *values; /* n_rows x items, by items */
  char (*units)[SS_INTEREST_UNIT];
  gboolean *are_known;
  SsError *errors; /* the first one of each */
} Columns;

/* What a run says of each. FALSE with an error where the project cannot be read. */
static gboolean
read_run (const SsappInterests *self, SsappStore *store, const char *id, guint row, guint n_rows, Columns *columns,
          GError **error)
{
  g_autoptr (GError) local = NULL;
  SsTrajectory *motion = ssapp_store_get_trajectory (store, id, &local);
  json_t *list = motion != NULL ? ssapp_store_get_events (store, id, 0, &local) : NULL;

  if (local != NULL) {
    g_propagate_error (error, g_steal_pointer (&local));
    ss_trajectory_free (motion);
    return FALSE;
  }
  json_t *result = json_pack ("{s:o}", "events", list != NULL ? list : json_array ());
  g_autoptr (GArray) listed = ssapp_run_events_from_json (result), events = events_of (listed);
  for (guint i = 0; i < self->items->len; i++) {
    double *value = &columns->values[i * n_rows + row];
    SsError err = {0};

    *value = NAN;
    if (motion == NULL || motion->n_rows == 0)
      continue;
    if (value_of (&g_array_index (self->items, Item, i), motion, events, value, columns->units[i], &err) == SS_OK)
      columns->are_known[i] = TRUE;
    else if (columns->errors[i].message[0] == '\0')
      columns->errors[i] = err;
  }
  json_decref (result);
  ss_trajectory_free (motion);
  return TRUE;
}

gboolean
ssapp_interests_add_columns (const SsappInterests *self, SsappRunList *list, SsappStore *store, GError **error)
{
  const guint n = ssapp_run_list_get_n_rows (list), n_items = self->items->len;
  g_autofree double *values = g_new (double, (gsize)n *n_items + 1);
  g_autofree gboolean *are_known = g_new0 (gboolean, n_items + 1);
  g_autofree SsError *errors = g_new0 (SsError, n_items + 1);
  g_autofree char *units = g_new0 (char, (gsize)SS_INTEREST_UNIT *n_items + 1);
  Columns columns = {
      .values = values, .units = (char (*)[SS_INTEREST_UNIT]) (void *)units, .are_known = are_known, .errors = errors};

  for (guint row = 0; row < n; row++)
    if (!read_run (self, store, ssapp_run_list_get_row (list, row)->id, row, n, &columns, error))
      return FALSE;
  for (guint i = 0; i < n_items; i++) {
    const char *name = ssapp_interests_get_name (self, i);
    if (!are_known[i] && errors[i].message[0] != '\0') {
      refuse (error, name, &errors[i]);
      return FALSE;
    }
    if (!ssapp_run_list_add_numbers (list, name, columns.units[i], &values[i * n], error))
      return FALSE;
  }
  return TRUE;
}
