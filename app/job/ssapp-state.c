/* app/job/ssapp-state.c: see ssapp-state.h. */
#include "app/job/ssapp-state.h"

#include "app/base/ssapp-json.h"
#include "core/ss-memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANGES = 20, MOST_TEXT = 60 };

/* ---- records ----------------------------------------------------------------------------------------------------- */

typedef struct {
  char method[24];
  int iteration, n_variables, n_rows, n_values;
  double scale;
  const char *values;
} StateRecord;

static const SsappRecordField state_fields[] = {
    SSAPP_FIELD (StateRecord, method, "method", TEXT, "", "whose numbers they are"),
    SSAPP_FIELD (StateRecord, iteration, "iteration", INTEGER, "", "at which it was paused"),
    SSAPP_FIELD (StateRecord, n_variables, "n_variables", INTEGER, "", "of the problem"),
    SSAPP_FIELD (StateRecord, n_rows, "n_rows", INTEGER, "", "of the problem"),
    SSAPP_FIELD (StateRecord, scale, "scale", REAL, "", "of the objective, for the method alone"),
    SSAPP_FIELD (StateRecord, n_values, "n_values", INTEGER, "", "how many numbers"),
    SSAPP_FIELD (StateRecord, values, "values", STRING, "",
                 "the numbers, in the method's own order: little-endian float64 in base64")};
const SsappRecord ssapp_state_record = SSAPP_RECORD (StateRecord, state_fields);

static const SsappRecordField continued_fields[] = {
    SSAPP_FIELD (SsappContinued, iteration, "iteration", INTEGER, "",
                 "of the run that it goes on from; 0 of a simulation"),
    SSAPP_FIELD_FREE (SsappContinued, t, "t", REAL, "s", "of a simulation that it goes on from"),
    SSAPP_FIELD (SsappContinued, changes, "changes", TEXTS, "", "of the problem and the method since")};
const SsappRecord ssapp_continued_record = SSAPP_RECORD (SsappContinued, continued_fields);

json_t *
ssapp_state_to_json (const SsNlpState *state)
{
  g_return_val_if_fail (state != NULL && state->n_values >= 0, NULL);
  g_autofree char *values = ssapp_base64_doubles (state->values, (gsize)state->n_values);
  StateRecord told = {.iteration = state->iteration,
                      .n_variables = state->n_variables,
                      .n_rows = state->n_rows,
                      .n_values = state->n_values,
                      .scale = state->scale,
                      .values = values};

  g_strlcpy (told.method, state->method, sizeof told.method);
  return ssapp_record_to_json (&ssapp_state_record, &told);
}

/* FALSE: the object is none. */
static gboolean
state_from_json (const json_t *object, SsNlpState *state)
{
  StateRecord told;
  gboolean ok = json_is_object (object);

  *state = (SsNlpState){0};
  ssapp_record_from_json (&ssapp_state_record, object, &told);
  ok = ok && told.n_values > 0 && told.n_variables > 0 && told.n_rows >= 0 && isfinite (told.scale) && told.scale > 0 &&
       (size_t)told.n_values < strlen (told.values); /* 8 bytes are 11 letters */
  if (ok) {
    *state = (SsNlpState){.iteration = told.iteration,
                          .n_variables = told.n_variables,
                          .n_rows = told.n_rows,
                          .scale = told.scale,
                          .n_values = told.n_values,
                          .values = ss_new_array (double, told.n_values)};
    g_strlcpy (state->method, told.method, sizeof state->method);
    ok = state->values != NULL && ssapp_base64_read_doubles (told.values, state->values, (gsize)told.n_values);
  }
  if (!ok)
    ss_nlp_state_clear (state);
  ssapp_record_clear (&ssapp_state_record, &told);
  return ok;
}

void
ssapp_continued_clear (SsappContinued *continued)
{
  g_return_if_fail (continued != NULL);
  g_clear_pointer (&continued->changes, g_ptr_array_unref);
  ss_nlp_state_clear (&continued->state);
  continued->iteration = 0;
}

json_t *
ssapp_continued_to_json (const SsappContinued *continued)
{
  g_return_val_if_fail (continued != NULL && continued->changes != NULL, NULL);
  return ssapp_record_to_json (&ssapp_continued_record, continued);
}

json_t *
ssapp_continued_to_job (const SsappContinued *continued)
{
  json_t *object = ssapp_continued_to_json (continued);

  if (object != NULL && continued->state.n_values > 0)
    json_object_set_new (object, "state", ssapp_state_to_json (&continued->state));
  return object;
}

gboolean
ssapp_continued_from_json (const json_t *object, SsappContinued *continued)
{
  const json_t *state = json_object_get (object, "state");

  g_return_val_if_fail (continued != NULL, FALSE);
  *continued = (SsappContinued){0};
  if (!json_is_object (object) ||
      (state != NULL && !json_is_null (state) && !state_from_json (state, &continued->state)))
    return FALSE;
  ssapp_record_from_json (&ssapp_continued_record, object, continued); /* leaves the state */
  return TRUE;
}

/* ---- what was changed -------------------------------------------------------------------------------------------- */

/* A value in words, a number with 15 digits where they say all of it: 0.3. */
static char *
dup_value (const json_t *value)
{
  char *text = json_is_real (value) ? json_dumps (value, JSON_REAL_PRECISION (15) | JSON_ENCODE_ANY) : NULL;
  const gboolean says_all = text != NULL && g_ascii_strtod (text, NULL) == json_real_value (value);
  char *copy = says_all ? g_strdup (text) : ssapp_json_text (value, FALSE);

  free (text);
  return copy;
}

static void
add_change (GPtrArray *changes, const char *path, const json_t *before, const json_t *now)
{
  g_autofree char *was = before != NULL ? dup_value (before) : NULL, *is = now != NULL ? dup_value (now) : NULL;
  const gboolean is_long = (was != NULL && strlen (was) > MOST_TEXT) || (is != NULL && strlen (is) > MOST_TEXT);

  if (is_long || (before != NULL && now == NULL))
    g_ptr_array_add (changes, g_strdup_printf ("%s: %s", path, now == NULL ? "taken out" : "changed"));
  else if (before == NULL)
    g_ptr_array_add (changes, g_strdup_printf ("%s: %s, new", path, is));
  else
    g_ptr_array_add (changes, g_strdup_printf ("%s: %s, was %s", path, is, was));
}

static void compare (GPtrArray *changes, const char *path, const json_t *before, const json_t *now);

static void
compare_member (GPtrArray *changes, const char *path, const char *name, const json_t *before, const json_t *now)
{
  g_autofree char *place = path[0] != '\0' ? g_strdup_printf ("%s.%s", path, name) : g_strdup (name);

  compare (changes, place, before, now);
}

/* Adds what differs between two values at a path, each by the deepest path that holds it. */
static void
compare (GPtrArray *changes, const char *path, const json_t *before, const json_t *now)
{
  const gboolean are_lists =
      json_is_array (before) && json_is_array (now) && json_array_size (before) == json_array_size (now);
  const char *name;
  json_t *value;
  size_t i;

  if (changes->len >= MOST_CHANGES || (before != NULL && now != NULL && json_equal (before, now)))
    return;
  if (json_is_object (before) && json_is_object (now)) {
    json_object_foreach ((json_t *)now, name, value)
        compare_member (changes, path, name, json_object_get (before, name), value);
    json_object_foreach ((json_t *)before, name, value)
    {
      if (json_object_get (now, name) == NULL)
        compare_member (changes, path, name, value, NULL);
    }
  } else if (are_lists) {
    json_array_foreach (now, i, value)
    {
      g_autofree char *place = g_strdup_printf ("%s[%zu]", path, i);
      compare (changes, place, json_array_get (before, i), value);
    }
  } else if (json_is_number (before) && json_is_number (now) && json_number_value (before) == json_number_value (now)) {
    return; /* 1 and 1.0 */
  } else {
    add_change (changes, path, before, now);
  }
}

static json_t *
load (const char *text)
{
  json_t *object = text != NULL ? json_loads (text, 0, NULL) : NULL;

  return object != NULL ? object : json_object ();
}

static void
compare_texts (GPtrArray *changes, const char *path, const char *before, const char *now)
{
  json_t *was = load (before), *is = load (now);

  compare (changes, path, was, is);
  json_decref (was);
  json_decref (is);
}

/* Numbers beside the scenario. What was not asked for is the task's, the seed that was drawn, or all rows. */
static void
compare_asked (GPtrArray *changes, const char *text, const json_t *result, const json_t *now)
{
  static const char *const names[] = {"dt", "t_end", "seed", "every"};
  json_t *scenario = load (text), *one = json_integer (1);
  const json_t *asked = json_object_get (result, "asked"), *task = json_object_get (scenario, "task");

  for (guint i = 0; now != NULL && i < G_N_ELEMENTS (names); i++) {
    const gboolean is_every = strcmp (names[i], "every") == 0;
    const json_t *was = json_object_get (asked, names[i]), *is = json_object_get (now, names[i]);
    if (was == NULL)
      was = is_every ? one : json_object_get (strcmp (names[i], "seed") == 0 ? result : task, names[i]);
    if (is == NULL && is_every)
      is = one;
    if (is != NULL)
      compare (changes, names[i], was, is);
  }
  json_decref (one);
  json_decref (scenario);
}

void
ssapp_continued_from (const SsappPosed *before, const json_t *result, const SsappPosed *now, SsappContinued *continued)
{
  g_return_if_fail (before != NULL && now != NULL && continued != NULL);
  const json_t *metrics = json_object_get (result, "metrics");

  *continued = (SsappContinued){.t = NAN, .changes = g_ptr_array_new_with_free_func (g_free)};
  continued->iteration = (int)json_integer_value (json_object_get (metrics, "iterations"));
  if (state_from_json (json_object_get (result, "state"), &continued->state))
    continued->iteration = continued->state.iteration;
  compare_texts (continued->changes, "", before->text, now->text);
  compare_texts (continued->changes, "set", before->parameters_json, now->parameters_json);
  compare_asked (continued->changes, before->text, result, now->asked);
  if (g_strcmp0 (before->method, now->method) != 0)
    g_ptr_array_add (continued->changes, g_strdup_printf ("method: %s, was %s", now->method, before->method));
  else
    compare_texts (continued->changes, "options", before->options_json, now->options_json);
}

gboolean
ssapp_continued_has (const json_t *result)
{
  return json_object_get (result, "continued") != NULL;
}

char *
ssapp_continued_words (const char *run, const json_t *continued)
{
  const json_t *changes = json_object_get (continued, "changes"), *change;
  GString *words = g_string_new (NULL);
  size_t i;

  const double t = ssapp_json_get_real (continued, "t");

  g_string_printf (words, "run %.8s at ", run != NULL ? run : "?");
  if (isfinite (t))
    g_string_append_printf (words, "t = %.9g s", t);
  else
    g_string_append_printf (words, "iteration %d", (int)json_integer_value (json_object_get (continued, "iteration")));
  g_string_append (words, json_array_size (changes) > 0 ? ", with " : ", without changes");
  json_array_foreach (changes, i, change)
      g_string_append_printf (words, "%s%s", i > 0 ? "; " : "", json_string_value (change));
  return g_string_free (words, FALSE);
}
