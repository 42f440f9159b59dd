/* app/job/ssapp-interests.c: see the header. */
#include "app/job/ssapp-interests.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-run-column.h"
#include "app/base/ssapp-text.h"
#include "app/draw/ssapp-run-events.h"

#include <math.h>
#include <string.h>

#define COLUMN_NAME "lists and tables call a column of theirs '%s': choose another name"

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
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "outcome %s: %s (at character %d)", name, err->message,
                 err->column);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "outcome %s: %s", name, err->message);
}

static int
find_item (const SsappInterests *self, const char *name)
{
  for (guint i = 0; i < self->items->len; i++)
    if (strcmp (ssapp_interests_get_name (self, i), name) == 0)
      return (int)i;
  return -1;
}

static gboolean
is_column (const char *name)
{
  SsMetric metric;
  return ssapp_run_column_kind_of (name, &metric) != SSAPP_RUN_COLUMN_FIELD;
}

/* `is_asked`: by somebody who can choose another name; what a file or a run calls so already is let through. */
static gboolean
add_item (SsappInterests *self, const char *text, gboolean is_asked, GError **error)
{
  const char *equals = strchr (text, '=');
  Item item = {0};
  SsError err = {0};

  if (equals == NULL || equals == text) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” is no outcome (expected NAME=FORMULA)", text);
    return FALSE;
  }
  item = (Item){.name = g_strndup (text, (gsize)(equals - text)), .formula = g_strdup (equals + 1)};
  g_strstrip (item.name);
  if (find_item (self, item.name) >= 0)
    ss_error_set (&err, SS_ERR_INVALID, "the name is there twice");
  else if (is_asked && is_column (item.name))
    ss_error_set (&err, SS_ERR_INVALID, COLUMN_NAME, item.name);
  for (const char *c = item.name; *c != '\0' && err.message[0] == '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      ss_error_set (&err, SS_ERR_INVALID, "a name has letters, digits, '_' and '-'");
  if (err.message[0] != '\0' || ss_interest_new (item.formula, &item.interest, &err) != SS_OK) {
    refuse (error, item.name, &err);
    item_clear (&item);
    return FALSE;
  }
  g_array_append_val (self->items, item);
  return TRUE;
}

static SsappInterests *
new_empty (void)
{
  SsappInterests *self = g_new0 (SsappInterests, 1);

  self->items = g_array_new (FALSE, TRUE, sizeof (Item));
  g_array_set_clear_func (self->items, item_clear);
  return self;
}

SsappInterests *
ssapp_interests_new (const char *const *texts, guint n, GError **error)
{
  g_return_val_if_fail ((texts != NULL || n == 0), NULL);

  g_autoptr (SsappInterests) self = new_empty ();

  for (guint i = 0; i < n; i++)
    if (!add_item (self, texts[i], TRUE, error))
      return NULL;
  return g_steal_pointer (&self);
}

SsappInterests *
ssapp_interests_new_of (const char *const *texts, guint n, const SsScenario *scenario)
{
  SsappInterests *self = new_empty ();

  for (guint i = 0; i < n; i++)
    add_item (self, texts[i], FALSE, NULL);
  for (int i = 0; scenario != NULL && i < scenario->n_interests; i++) {
    g_autofree char *text = g_strdup_printf ("%s=%s", scenario->interests[i].name, scenario->interests[i].formula);
    if (find_item (self, scenario->interests[i].name) < 0)
      add_item (self, text, FALSE, NULL);
  }
  return self;
}

gboolean
ssapp_interests_check (const SsappInterests *self, const SsScenario *scenario, GError **error)
{
  g_return_val_if_fail (self != NULL && scenario != NULL, FALSE);
  SsError err = {0};

  for (guint i = 0; i < self->items->len; i++) {
    const char *name = ssapp_interests_get_name (self, i);
    if (ss_scenario_parameter (scenario, name) >= 0)
      ss_error_set (&err, SS_ERR_INVALID, "the scenario has a parameter of that name: choose another name");
    g_autofree char *unit = err.message[0] == '\0' ? ssapp_interests_dup_unit (self, i, scenario, error) : NULL;
    if (err.message[0] != '\0')
      refuse (error, name, &err);
    if (unit == NULL)
      return FALSE;
  }
  for (int i = 0; i < scenario->n_interests; i++)
    if (is_column (scenario->interests[i].name)) {
      ss_error_set (&err, SS_ERR_INVALID, COLUMN_NAME, scenario->interests[i].name);
      refuse (error, scenario->interests[i].name, &err);
      return FALSE;
    }
  return TRUE;
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
  g_return_val_if_fail (self != NULL, 0);
  return self->items->len;
}

const char *
ssapp_interests_get_name (const SsappInterests *self, guint index)
{
  g_return_val_if_fail (index < self->items->len, "");
  return g_array_index (self->items, Item, index).name;
}

const SsInterest *
ssapp_interests_get (const SsappInterests *self, guint index)
{
  g_return_val_if_fail (index < self->items->len, NULL);
  return g_array_index (self->items, Item, index).interest;
}

const char *
ssapp_interests_get_formula (const SsappInterests *self, guint index)
{
  g_return_val_if_fail (index < self->items->len, "");
  return g_array_index (self->items, Item, index).formula;
}

gboolean
ssapp_interests_is_assertion (const SsappInterests *self, guint index)
{
  g_return_val_if_fail (index < self->items->len, FALSE);
  return ss_interest_is_assertion (g_array_index (self->items, Item, index).interest);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

char *
ssapp_interests_dup_unit (const SsappInterests *self, guint index, const SsScenario *scenario, GError **error)
{
  char unit[SS_INTEREST_UNIT];
  SsError err = {0};

  g_return_val_if_fail (index < self->items->len && scenario != NULL, NULL);
  const Item *item = &g_array_index (self->items, Item, index);
  if (ss_interest_unit_of (item->interest, scenario, unit, &err) == SS_OK)
    return g_strdup (unit);
  refuse (error, item->name, &err);
  return NULL;
}

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

gboolean
ssapp_interests_is_told (const SsappInterests *self, guint index, int every)
{
  g_return_val_if_fail (index < self->items->len, FALSE);

  return every <= 1 || !ss_interest_reads_all_rows (g_array_index (self->items, Item, index).interest);
}

/* FALSE with an error where a motion with rows of every so many steps does not tell the formula. */
static gboolean
check_told (const SsappInterests *self, guint index, int every, GError **error)
{
  const Item *item = &g_array_index (self->items, Item, index);
  SsError err = {0};

  if (ssapp_interests_is_told (self, index, every))
    return TRUE;
  ss_error_set (&err, SS_ERR_INVALID,
                "the motion keeps rows of every %d steps, which do not tell '%s': keep the rows of all steps", every,
                item->formula);
  refuse (error, item->name, &err);
  return FALSE;
}

gboolean
ssapp_interests_fit_rows (const SsappInterests *self, int every, GError **error)
{
  gboolean fit = TRUE;

  for (guint i = 0; fit && i < self->items->len; i++)
    fit = check_told (self, i, every, error);
  return fit;
}

int
ssapp_interests_every (const json_t *object)
{
  const double every = ssapp_json_get_real (object, "every");

  return every > 1 ? (int)MIN (every, G_MAXINT) : 1;
}

/* `sum`: what all rows told; NULL: the motion tells. */
static gboolean
find_value (const Item *item, const SsInterestSum *sum, const SsTrajectory *motion, const json_t *result, double *value,
            const char **unit, GError **error)
{
  g_autoptr (GArray) listed = ssapp_run_events_from_json (result), events = events_of (listed);
  const SsInterestEvent *all = (const SsInterestEvent *)(const void *)events->data;
  const int n = (int)events->len;
  char text[SS_INTEREST_UNIT];
  SsError err = {0};
  const SsStatus status = sum != NULL ? ss_interest_sum_value (sum, motion, all, n, value, text, &err)
                                      : ss_interest_value (item->interest, motion, all, n, value, text, &err);

  if (status != SS_OK) {
    refuse (error, item->name, &err);
    return FALSE;
  }
  *unit = g_intern_string (text);
  return TRUE;
}

gboolean
ssapp_interests_value (const SsappInterests *self, guint index, const SsTrajectory *motion, const json_t *result,
                       double *value, const char **unit, GError **error)
{
  g_return_val_if_fail (index < self->items->len && motion != NULL && motion->n_rows > 0, FALSE);

  return check_told (self, index, ssapp_interests_every (result), error) &&
         find_value (&g_array_index (self->items, Item, index), NULL, motion, result, value, unit, error);
}

typedef struct {
  double value;
  const char *unit, *formula, *message, *verdict;
  double broken_at;
  bool is_of_all;
} Answer;

static const SsappRecordField answer_fields[] = {
    SSAPP_FIELD (Answer, value, "value", REAL, "`unit`", "of the run"),
    SSAPP_FIELD (Answer, unit, "unit", STRING, "", "its unit"),
    SSAPP_FIELD (Answer, formula, "formula", STRING, "", "what was asked for"),
    SSAPP_FIELD_FREE (Answer, message, "message", LABEL, "", "why it has no value"),
    SSAPP_FIELD_FREE (Answer, verdict, "verdict", LABEL, "",
                      "of an assertion: holds, fails, or untold where the motion has no row to tell by"),
    SSAPP_FIELD_FREE (Answer, broken_at, "broken_at", REAL, "s", "first time at which what always holds does not"),
    SSAPP_FIELD_FREE (Answer, is_of_all, "of_all_rows", FLAG, "",
                      "whether rows told it that the motion does not keep")};
const SsappRecord ssapp_interest_record = SSAPP_RECORD (Answer, answer_fields);

/* What an assertion's value means, and when it was broken. */
static void
tell_verdict (const SsInterest *interest, const SsInterestSum *sum, const SsTrajectory *motion, Answer *answer)
{
  if (!ss_interest_is_assertion (interest))
    return;
  answer->verdict = isnan (answer->value) ? "untold" : answer->value != 0 ? "holds" : "fails";
  if (answer->value == 0 && sum != NULL)
    answer->broken_at = ss_interest_sum_broken_at (sum);
  else if (answer->value == 0 && ss_interest_broken_at (interest, motion, &answer->broken_at, NULL) != SS_OK)
    answer->broken_at = NAN;
}

json_t *
ssapp_interests_to_json (const SsappInterests *self, const SsInterestSum *const *sums, const SsTrajectory *motion,
                         const json_t *result)
{
  g_return_val_if_fail (self != NULL, NULL);
  json_t *object = json_object ();
  const int every = ssapp_interests_every (result);

  for (guint i = 0; i < self->items->len; i++) {
    const Item *item = &g_array_index (self->items, Item, i);
    const SsInterestSum *sum = sums == NULL || ssapp_interests_is_told (self, i, every) ? NULL : sums[i];
    g_autoptr (GError) error = NULL;
    Answer answer = {NAN, "", item->formula, NULL, NULL, NAN, sum != NULL};
    const json_t *stored = json_object_get (json_object_get (result, "outcomes"), item->name);

    if (json_is_true (json_object_get (stored, "of_all_rows")) &&
        ssapp_interests_is_answered (self, i, stored, every)) { /* by rows that are gone */
      json_object_set_new (object, item->name, json_deep_copy (stored));
      continue;
    }
    if (motion != NULL && motion->n_rows > 0 && (sum != NULL || check_told (self, i, every, &error)))
      find_value (item, sum, motion, result, &answer.value, &answer.unit, &error);
    answer.message = error != NULL ? error->message : NULL;
    tell_verdict (item->interest, sum, motion, &answer);
    json_object_set_new (object, item->name, ssapp_record_to_json (&ssapp_interest_record, &answer));
  }
  return object;
}

gboolean
ssapp_interests_is_answered (const SsappInterests *self, guint index, const json_t *answer, int every)
{
  g_return_val_if_fail (index < self->items->len, FALSE);

  return g_strcmp0 (ssapp_json_get_string (answer, "formula"), ssapp_interests_get_formula (self, index)) == 0 &&
         (ssapp_interests_is_told (self, index, every) || json_is_true (json_object_get (answer, "of_all_rows")));
}

const char *
ssapp_interest_verdict (const json_t *answer)
{
  return ssapp_json_get_string (answer, "verdict");
}

char *
ssapp_interest_dup_text (const json_t *answer)
{
  const char *verdict = ssapp_interest_verdict (answer), *unit = ssapp_json_get_string (answer, "unit");
  const double value = ssapp_json_get_real (answer, "value"), broken_at = ssapp_json_get_real (answer, "broken_at");
  g_autofree char *number = ssapp_text_number ("%.6g", value), *time = ssapp_text_number ("%.6g", broken_at);

  if (verdict != NULL)
    return isnan (broken_at) ? g_strdup (verdict) : g_strdup_printf ("%s at %s s", verdict, time);
  return g_strchomp (g_strdup_printf ("%s %s", isnan (value) ? "-" : number, unit != NULL ? unit : ""));
}

/* ---- of a result ------------------------------------------------------------------------------------------------- */

void
ssapp_interests_list (const json_t *result, GArray *metrics)
{
  g_return_if_fail (metrics != NULL);

  const char *name;
  json_t *one;

  json_object_foreach (json_object_get (result, "outcomes"), name, one)
  {
    const char *unit = ssapp_json_get_string (one, "unit");
    const SsMetric metric = ssapp_metric_of_outcome (name, unit != NULL ? unit : "");
    guint place = 0;
    while (place < metrics->len && g_array_index (metrics, SsMetric, place) != metric)
      place++;
    if (place == metrics->len)
      g_array_append_val (metrics, metric);
  }
}

double
ssapp_interests_get_value (const json_t *result, SsMetric metric)
{
  const SsMetricSpec *spec = ssapp_metric_spec (metric);
  const json_t *one = json_object_get (json_object_get (result, "outcomes"), spec->name);

  return g_strcmp0 (ssapp_json_get_string (one, "unit"), spec->unit) == 0 ? ssapp_json_get_real (one, "value")
                                                                          : (double)NAN;
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

json_t *
ssapp_interests_texts_to_json (const GPtrArray *outcomes)
{
  g_return_val_if_fail (outcomes != NULL, NULL);

  json_t *object = json_object ();

  for (guint i = 0; i < outcomes->len; i++) {
    const char *text = g_ptr_array_index (outcomes, i), *equals = strchr (text, '=');
    g_autofree char *name = g_strndup (text, equals != NULL ? (gsize)(equals - text) : strlen (text));
    json_object_set_new (object, g_strstrip (name), json_string (equals != NULL ? equals + 1 : ""));
  }
  return object;
}

GPtrArray *
ssapp_interests_texts_from_json (const json_t *object)
{
  GPtrArray *outcomes = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  json_t *formula;

  json_object_foreach ((json_t *)object, name, formula) if (json_is_string (formula))
      g_ptr_array_add (outcomes, g_strdup_printf ("%s=%s", name, json_string_value (formula)));
  return outcomes;
}
