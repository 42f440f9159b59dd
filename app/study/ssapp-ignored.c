/* app/study/ssapp-ignored.c: see ssapp-ignored.h. */
#include "app/study/ssapp-ignored.h"

#include "app/store/ssapp-store-study.h"
#include "run/ss-method.h"
#include "transcribe/ss-transcriptions.h"
#include "scene/ss-uses.h"

#include <jansson.h>
#include <string.h>

/* The table's defaults with those of the options that it has and that are texts or numbers. g_free. */
static void *
read_options (const SsOptionTable *table, json_t *options)
{
  void *read = g_malloc0 (table->size + 1);
  const char *name;
  json_t *value;

  ss_options_init (table, read);
  json_object_foreach (options, name, value)
  {
    g_autofree char *text = json_is_string (value)    ? g_strdup (json_string_value (value))
                            : json_is_number (value)  ? g_strdup_printf ("%.17g", json_number_value (value))
                            : json_is_boolean (value) ? g_strdup (json_is_true (value) ? "true" : "false")
                                                      : NULL;

    if (text != NULL && ss_options_find (table, name) >= 0) {
      SsStatus status = ss_options_set (table, read, name, text, NULL);
      (void)status; /* a value of another version: the default */
    }
  }
  return read;
}

char *
ssapp_ignored_by (const SsScenario *scenario, SsMethodId id, json_t *options)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  const SsMethod *method = ss_method_lookup (id);
  char text[256] = "";

  if (method == NULL || !method->is_built || scenario->scene == NULL)
    return g_strdup ("");
  g_autofree void *own = read_options (method->options, options);
  g_autofree void *common = read_options (ss_transcription_option_table (), options);
  const SsTranscribeOptions chosen = ss_transcription_choose (common);
  ss_uses_summarise_ignored (scenario->scene, ss_method_uses (method, chosen.class_, own), text, sizeof text);
  return g_strdup (text);
}

static char *
ignored_by_run (SsappStore *store, const SsappRunRow *row)
{
  g_autofree char *text = ssapp_store_get_scenario_text (store, row->id, NULL), *ignores = NULL;
  SsScenario *scenario = NULL;
  SsProblems problems;

  if (text == NULL) /* a figure without the note would look as if nothing were ignored */
    return g_strdup ("what is not known, since the text of a scenario is damaged");
  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), "", NULL, 0, &problems, &scenario) == SS_OK) {
    json_t *options = json_loads (row->options_json, 0, NULL);
    ignores = ssapp_ignored_by (scenario, ssapp_run_row_get_method (row), options);
    json_decref (options);
  }
  ss_scenario_free (scenario);
  ss_problems_clear (&problems);
  return ignores != NULL ? g_steal_pointer (&ignores) : g_strdup ("");
}

/* ---- of many runs ------------------------------------------------------------------------------------------------ */

#define FEW_RUNS 64

/* What was read: texts by method, and in this pass studies by method. Runs of a study have one scene with other starts,
 * and each its text: of many the first and the last one are read. */
typedef struct {
  GHashTable *texts, *groups;
  GHashTable *studies; /* NULL: the runs are few */
  const SsappRunRow *before;
} Seen;

/* `studies` (as of ssapp_store_list_run_studies) NULL: they are read where they are needed. */
static Seen
seen_new (SsappStore *store, GHashTable *studies, guint n_runs)
{
  return (Seen){g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                n_runs <= FEW_RUNS ? NULL
                : studies != NULL  ? g_hash_table_ref (studies)
                                   : ssapp_store_list_run_studies (store, NULL),
                NULL};
}

static void
seen_clear (Seen *self)
{
  g_hash_table_unref (self->texts);
  g_hash_table_unref (self->groups);
  g_clear_pointer (&self->studies, g_hash_table_unref);
}

/* The row of a place in both passes, from the first on and from the last back. */
static guint
row_of_place (Seen *self, guint place, guint n)
{
  if (place == n) {
    g_hash_table_remove_all (self->groups);
    self->before = NULL;
  }
  return place < n ? place : 2 * n - 1 - place;
}

/* Whether the row is one more of those that the last one was of, as most are: what it says was asked for already. */
static gboolean
is_like_before (Seen *self, const SsappRunRow *row)
{
  const SsappRunRow *before = self->before;

  self->before = row;
  if (before == NULL || before->kind != row->kind || strcmp (before->method, row->method) != 0 ||
      strcmp (before->options_json, row->options_json) != 0)
    return FALSE;
  if (strcmp (before->scenario_sha256, row->scenario_sha256) == 0)
    return TRUE;
  const SsappRunStudy *own = self->studies != NULL ? g_hash_table_lookup (self->studies, row->id) : NULL,
                      *other = own != NULL ? g_hash_table_lookup (self->studies, before->id) : NULL;
  return other != NULL && strcmp (own->id, other->id) == 0;
}

/* Takes `method`, which says it with its options. */
static gboolean
is_to_be_read (Seen *self, char *method, const SsappRunRow *row)
{
  g_autofree char *own = method;
  const SsappRunStudy *study = self->studies != NULL ? g_hash_table_lookup (self->studies, row->id) : NULL;

  if (study != NULL && !g_hash_table_add (self->groups, g_strdup_printf ("%s %s", own, study->id)))
    return FALSE;
  return g_hash_table_add (self->texts, g_strdup_printf ("%s %s", own, row->scenario_sha256));
}

void
ssapp_run_set_tell_ignored (SsappRunSet *set, SsappStore *store)
{
  g_return_if_fail (set != NULL);
  const guint n = set->items->len;
  Seen seen = seen_new (store, NULL, n);

  for (guint k = 0; k < 2 * n; k++) {
    const SsappRunItem *item = &g_array_index (set->items, SsappRunItem, row_of_place (&seen, k, n));
    SsappRunMethod *method = g_ptr_array_index (set->methods, item->method);

    if (item->row == NULL || *method->ignores != '\0' || is_like_before (&seen, item->row) ||
        !is_to_be_read (&seen, g_strdup_printf ("%u", item->method), item->row))
      continue;
    g_free (method->ignores);
    method->ignores = ignored_by_run (store, item->row);
  }
  seen_clear (&seen);
}

void
ssapp_ignored_add_notes (SsappTable *table, GPtrArray *rows, GHashTable *studies, SsappStore *store)
{
  g_return_if_fail (table != NULL && rows != NULL);

  g_autoptr (GHashTable) notes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Seen seen = seen_new (store, studies, rows->len);

  for (guint k = 0; k < 2 * rows->len; k++) {
    const SsappRunRow *row = g_ptr_array_index (rows, row_of_place (&seen, k, rows->len));
    const SsMethodId id = ssapp_run_row_get_method (row);
    const SsMethod *method = ss_method_lookup (id);

    if (method == NULL || is_like_before (&seen, row) ||
        !is_to_be_read (&seen, g_strdup_printf ("%d %s %s", (int)id.kind, id.name, row->options_json), row))
      continue;
    g_autofree char *ignores = ignored_by_run (store, row);
    char *note = g_strdup_printf ("%s %s.", method->label, ignores);
    if (*ignores != '\0' && !g_hash_table_contains (notes, note))
      ssapp_table_add_note (table, note);
    g_hash_table_add (notes, note);
  }
  seen_clear (&seen);
}
