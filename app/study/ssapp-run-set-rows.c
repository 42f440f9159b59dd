/* app/study/ssapp-run-set-rows.c: a run set of stored runs: axes and methods are what differs among them. */
#include "app/study/ssapp-run-set-private.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"

/* What the value of an axis, or of an option, is in a run that does not say it. */
static const char DEFAULT_TEXT[] = "default";
enum { SHORT_HASH = 6, SHORT_ID = 8 };

/* A value before it has its place. */
typedef struct {
  double number; /* NaN: a text */
  const char *text;
} Value;

typedef struct {
  GPtrArray *rows;
  GPtrArray *options, *parameters; /* of json_t, of each row; NULL where the text is none */
  GStringChunk *texts;
  GHashTable *steps; /* as of ssapp_store_list_steps; NULL: not known */
} Reading;

static json_t *
read_object (const char *text)
{
  json_t *object = text != NULL ? json_loads (text, 0, NULL) : NULL;

  if (json_is_object (object))
    return object;
  json_decref (object);
  return json_object ();
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  const Value *left = a, *right = b;

  if (isnan (left->number) || isnan (right->number)) {
    if (isnan (left->number) && isnan (right->number))
      return strcmp (left->text, right->text);
    return isnan (left->number) ? -1 : 1;
  }
  return left->number < right->number ? -1 : left->number > right->number;
}

static Value
value_of_json (Reading *reading, const json_t *json)
{
  if (json == NULL || json_is_null (json))
    return (Value){NAN, DEFAULT_TEXT};
  if (json_is_number (json))
    return (Value){json_number_value (json), ""};
  if (json_is_string (json))
    return (Value){NAN, g_string_chunk_insert_const (reading->texts, json_string_value (json))};
  g_autofree char *text = ssapp_json_text (json, FALSE);
  return (Value){NAN, g_string_chunk_insert_const (reading->texts, text)};
}

/* An axis of n values, one of each row, where they differ; places are written into the items. */
static void
add_axis (SsappRunSet *set, GArray *values, const char *name, const char *title)
{
  g_autoptr (GArray) sorted = g_array_copy (values);
  guint n = 0;
  gboolean is_number = FALSE;

  if (values->len == 0)
    return;
  g_array_sort (sorted, compare_values);
  for (guint i = 0; i < sorted->len; i++) {
    const Value value = g_array_index (sorted, Value, i);
    if (n > 0 && compare_values (&g_array_index (sorted, Value, n - 1), &value) == 0)
      continue;
    g_array_index (sorted, Value, n++) = value;
    is_number = is_number || !isnan (value.number);
  }
  if (n < 2)
    return;
  SsappRunAxis *axis = ssapp_run_set_add_axis (set, name, title, is_number, n);
  for (guint i = 0; i < n; i++) {
    const Value *value = &g_array_index (sorted, Value, i);
    axis->values[i] = value->number;
    if (isnan (value->number))
      axis->texts[i] = g_strdup (value->text);
  }
  ssapp_run_axis_write_texts (axis);
  for (guint i = 0; i < values->len; i++) {
    SsappRunItem *item = &g_array_index (set->items, SsappRunItem, i);
    const Value *found = bsearch (&g_array_index (values, Value, i), sorted->data, n, sizeof (Value), compare_values);
    item->places = g_renew (guint, item->places, set->axes->len);
    item->places[set->axes->len - 1] = (guint)(found - (const Value *)(const void *)sorted->data);
  }
}

/* ---- what may differ --------------------------------------------------------------------------------------------- */

/* Names of all members of the objects, in the order in which they are met. */
static GPtrArray *
list_names (GPtrArray *objects)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < objects->len; i++) {
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)g_ptr_array_index (objects, i), name, value)
    {
      if (g_hash_table_add (known, (gpointer)name))
        g_ptr_array_add (names, (gpointer)name);
    }
  }
  return names;
}

/* By name; scenarios of one name with different texts are told apart by the beginning of their hash. */
static void
add_scenarios (Reading *reading, SsappRunSet *set)
{
  g_autoptr (GHashTable) hashes = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) several = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (Value));

  for (guint i = 0; i < reading->rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (reading->rows, i);
    const char *hash = g_hash_table_lookup (hashes, row->scenario_name);
    if (hash == NULL)
      g_hash_table_insert (hashes, row->scenario_name, row->scenario_sha256);
    else if (strcmp (hash, row->scenario_sha256) != 0)
      g_hash_table_add (several, row->scenario_name);
  }
  for (guint i = 0; i < reading->rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (reading->rows, i);
    g_autofree char *text = g_hash_table_contains (several, row->scenario_name)
                                ? g_strdup_printf ("%s (%.*s)", row->scenario_name, SHORT_HASH, row->scenario_sha256)
                                : g_strdup (row->scenario_name);
    const Value value = {NAN, g_string_chunk_insert_const (reading->texts, text)};
    g_array_append_val (values, value);
  }
  add_axis (set, values, "scenario", "Scenario");
}

static void
add_parameters (Reading *reading, SsappRunSet *set)
{
  g_autoptr (GPtrArray) names = list_names (reading->parameters);

  for (guint k = 0; k < names->len; k++) {
    const char *name = g_ptr_array_index (names, k);
    g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (Value));
    for (guint i = 0; i < reading->parameters->len; i++) {
      const Value value = value_of_json (reading, json_object_get (g_ptr_array_index (reading->parameters, i), name));
      g_array_append_val (values, value);
    }
    add_axis (set, values, name, ssapp_run_axis_symbol (name));
  }
}

static Value
seed_of (Reading *reading, const SsappRunRow *row)
{
  (void)reading;
  return (Value){(double)row->seed, ""};
}

static Value
start_of (Reading *reading, const SsappRunRow *row)
{
  (void)reading;
  return (Value){NAN, *row->start != '\0' ? row->start : DEFAULT_TEXT};
}

static Value
plan_of (Reading *reading, const SsappRunRow *row)
{
  g_autofree char *text = *row->replay_of != '\0' ? g_strndup (row->replay_of, SHORT_ID) : g_strdup ("none");

  return (Value){NAN, g_string_chunk_insert_const (reading->texts, text)};
}

static Value
number_or_default (double number)
{
  return (Value){number, isnan (number) ? DEFAULT_TEXT : ""};
}

static Value
step_of (Reading *reading, const SsappRunRow *row)
{
  const SsappAskedSteps *asked = g_hash_table_lookup (reading->steps, row->id);

  return number_or_default (asked != NULL ? asked->dt : (double)NAN);
}

static Value
horizon_of (Reading *reading, const SsappRunRow *row)
{
  const SsappAskedSteps *asked = g_hash_table_lookup (reading->steps, row->id);

  return number_or_default (asked != NULL ? asked->t_end : (double)NAN);
}

static void
add_of_rows (Reading *reading, SsappRunSet *set, Value (*value_of) (Reading *, const SsappRunRow *), const char *name,
             const char *title)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (Value));

  for (guint i = 0; i < reading->rows->len; i++) {
    const Value value = value_of (reading, g_ptr_array_index (reading->rows, i));
    g_array_append_val (values, value);
  }
  add_axis (set, values, name, title);
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

/* The shortest text that is read as this number: "1e-5", "20000". */
static char *
short_number (double number)
{
  const double size = fabs (number);
  g_autofree char *text = ssapp_text_number_exact (number + 0.0, size >= 1 && size < 1e6 ? 1 + (int)log10 (size) : 1);
  char *power = strchr (text, 'e');
  if (power == NULL)
    return g_steal_pointer (&text);
  *power = '\0';
  return g_strdup_printf ("%se%d", text, atoi (power + 1));
}

static char *
option_text (const json_t *options, const char *name)
{
  const json_t *value = json_object_get (options, name);
  double number;

  if (value == NULL)
    return NULL;
  if (json_is_number (value))
    return short_number (json_number_value (value));
  if (!json_is_string (value))
    return ssapp_json_text (value, FALSE);
  return ss_parse_double (json_string_value (value), &number) && isfinite (number)
             ? short_number (number)
             : g_strdup (json_string_value (value));
}

/* Names of options in which runs of a method differ: all are compared with the first of them. */
typedef struct {
  SsMethodId id;
  json_t *first;     /* options of the first run; borrowed */
  GHashTable *names; /* of char * */
} Differing;

static void
differing_clear (gpointer data)
{
  g_hash_table_unref (((Differing *)data)->names);
}

static void
add_differing (const json_t *of, const json_t *with, GHashTable *names)
{
  const char *name;
  json_t *value;

  json_object_foreach ((json_t *)of, name, value)
  {
    g_autofree char *own = option_text (of, name), *other = option_text (with, name);
    if (g_strcmp0 (own, other) != 0)
      g_hash_table_add (names, (gpointer)name);
  }
}

static const Differing *
find_differing (const GArray *all, SsMethodId id)
{
  for (guint i = 0; i < all->len; i++)
    if (ss_method_id_is_equal (g_array_index (all, Differing, i).id, id))
      return &g_array_index (all, Differing, i);
  return NULL;
}

static GArray *
list_differing (Reading *reading)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Differing));

  g_array_set_clear_func (all, differing_clear);
  for (guint i = 0; i < reading->rows->len; i++) {
    const SsMethodId id = ssapp_run_row_get_method (g_ptr_array_index (reading->rows, i));
    json_t *options = g_ptr_array_index (reading->options, i);
    const Differing *known = find_differing (all, id);
    if (known == NULL) {
      const Differing added = {id, options, g_hash_table_new (g_str_hash, g_str_equal)};
      g_array_append_val (all, added);
      continue;
    }
    add_differing (options, known->first, known->names);
    add_differing (known->first, options, known->names);
  }
  return all;
}

/* "CRISP, relax 10"; only options are told in which runs of the method differ. */
static char *
label_of (const SsappRunRow *row, const json_t *options, const GArray *differing)
{
  const Differing *those = find_differing (differing, ssapp_run_row_get_method (row));
  GString *label = g_string_new (*row->label != '\0' ? row->label : row->method);
  const char *name;
  json_t *value;

  json_object_foreach ((json_t *)options, name, value)
  {
    if (!g_hash_table_contains (those->names, name))
      continue;
    g_autofree char *text = option_text (options, name);
    g_string_append_printf (label, ", %s %s", name, text);
  }
  return g_string_free (label, FALSE);
}

/* Method and options of a row as one text, whatever the order of the options. */
static char *
key_of (const SsappRunRow *row, const json_t *options)
{
  g_autofree char *text = json_dumps (options, JSON_COMPACT | JSON_SORT_KEYS);
  return g_strdup_printf ("%d %s %s", (int)row->kind, row->method, text);
}

static void
add_methods (Reading *reading, SsappRunSet *set)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) differing = list_differing (reading);

  for (guint i = 0; i < reading->rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (reading->rows, i);
    SsappRunItem *item = &g_array_index (set->items, SsappRunItem, i);
    char *key = key_of (row, g_ptr_array_index (reading->options, i));
    gpointer found;
    if (g_hash_table_lookup_extended (known, key, NULL, &found)) {
      item->method = GPOINTER_TO_UINT (found);
      g_free (key);
      continue;
    }
    item->method = set->methods->len;
    g_hash_table_insert (known, key, GUINT_TO_POINTER (item->method));
    g_autofree char *label = label_of (row, g_ptr_array_index (reading->options, i), differing);
    ssapp_run_set_add_method (set, ssapp_run_row_get_method (row), label);
  }
}

/* Methods in the order of the registry, then of their options' texts, whatever the order of the rows. */
static int
place_of_method (const SsappRunMethod *method)
{
  for (int i = 0; i < ss_method_count (); i++)
    if (ss_method_id_is_equal (ss_method_id (ss_method_at (i)), method->id))
      return i;
  return ss_method_count ();
}

static int
compare_methods (gconstpointer a, gconstpointer b)
{
  const SsappRunMethod *left = *(SsappRunMethod *const *)a, *right = *(SsappRunMethod *const *)b;
  const int order = place_of_method (left) - place_of_method (right);

  return order != 0 ? order : strcmp (left->label, right->label);
}

static void
order_methods (SsappRunSet *set)
{
  const guint n = set->methods->len;
  g_autofree gpointer *before = g_memdup2 (set->methods->pdata, n * sizeof (gpointer));
  g_autofree guint *to = g_new0 (guint, MAX (n, 1));

  g_ptr_array_sort (set->methods, compare_methods);
  for (guint m = 0; m < n; m++)
    for (guint k = 0; k < n; k++)
      if (before[m] == g_ptr_array_index (set->methods, k))
        to[m] = k;
  for (guint i = 0; i < set->items->len; i++) {
    SsappRunItem *item = &g_array_index (set->items, SsappRunItem, i);
    item->method = to[item->method];
  }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
json_free (gpointer json)
{
  json_decref (json);
}

SsappRunSet *
ssapp_run_set_new (GPtrArray *rows)
{
  return ssapp_run_set_new_with_steps (rows, NULL);
}

SsappRunSet *
ssapp_run_set_new_with_steps (GPtrArray *rows, GHashTable *steps)
{
  g_return_val_if_fail (rows != NULL, NULL);

  SsappRunSet *set = ssapp_run_set_new_empty ();
  Reading reading = {.rows = rows,
                     .options = g_ptr_array_new_with_free_func (json_free),
                     .parameters = g_ptr_array_new_with_free_func (json_free),
                     .texts = g_string_chunk_new (1024),
                     .steps = steps};

  g_ptr_array_unref (set->rows);
  set->rows = rows;
  for (guint i = 0; i < rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (rows, i);
    g_ptr_array_add (reading.options, read_object (row->options_json));
    g_ptr_array_add (reading.parameters, read_object (row->parameters_json));
    ssapp_run_set_add_item (set, row);
  }
  add_scenarios (&reading, set);
  add_parameters (&reading, set);
  if (steps != NULL) {
    add_of_rows (&reading, set, step_of, "dt", "Time step [s]");
    add_of_rows (&reading, set, horizon_of, "t_end", "Horizon [s]");
  }
  add_of_rows (&reading, set, seed_of, "seed", "Seed");
  add_of_rows (&reading, set, start_of, "start", "Start");
  add_of_rows (&reading, set, plan_of, "plan", "Plan");
  add_methods (&reading, set);
  order_methods (set);
  ssapp_run_set_finish (set);
  g_ptr_array_unref (reading.options);
  g_ptr_array_unref (reading.parameters);
  g_string_chunk_free (reading.texts);
  return set;
}
