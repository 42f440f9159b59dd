/* app/study/ssapp-ignored.c: see ssapp-ignored.h. */
#include "app/study/ssapp-ignored.h"

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

void
ssapp_run_set_tell_ignored (SsappRunSet *set, SsappStore *store)
{
  g_return_if_fail (set != NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < set->items->len; i++) {
    const SsappRunItem *item = &g_array_index (set->items, SsappRunItem, i);
    SsappRunMethod *method = g_ptr_array_index (set->methods, item->method);

    if (item->row == NULL || *method->ignores != '\0' ||
        !g_hash_table_add (seen, g_strdup_printf ("%u %s", item->method, item->row->scenario_sha256)))
      continue;
    g_free (method->ignores);
    method->ignores = ignored_by_run (store, item->row);
  }
}

void
ssapp_ignored_add_notes (SsappTable *table, GPtrArray *rows, SsappStore *store)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < rows->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (rows, i);
    const SsMethodId id = ssapp_run_row_get_method (row);
    const SsMethod *method = ss_method_lookup (id);

    if (method == NULL || !g_hash_table_add (seen, g_strdup_printf ("%d %s %s %s", (int)id.kind, id.name,
                                                                    row->scenario_sha256, row->options_json)))
      continue;
    g_autofree char *ignores = ignored_by_run (store, row);
    char *note = g_strdup_printf ("%s %s.", method->label, ignores);
    if (*ignores != '\0' && !g_hash_table_contains (seen, note))
      ssapp_table_add_note (table, note);
    g_hash_table_add (seen, note);
  }
}
