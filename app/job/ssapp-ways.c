/* app/job/ssapp-ways.c: see the header. */
#include "app/job/ssapp-ways.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-outcome.h"
#include "app/base/ssapp-record.h"

#include <stdlib.h>
#include <string.h>

static const SsappRecordField way_fields[] = {
    SSAPP_FIELD (SsWayOn, words, "with", TEXT, "", "what is changed, in words"),
    SSAPP_FIELD_OF (SsWayOn, outcome, "outcome", WORD, ssapp_outcome_word, SSAPP_OUTCOMES, -1,
                    "how the changed plan ended"),
    SSAPP_FIELD (SsWayOn, objective, "objective", REAL, "", "of the plan of the changed scene; null: there is none"),
    SSAPP_FIELD (SsWayOn, cpu, "cpu_seconds", REAL, "s", "CPU time of trying it"),
    SSAPP_FIELD (SsWayOn, work, "work", REAL, "s", "counted time of trying it")};
const SsappRecord ssapp_way_record = SSAPP_RECORD (SsWayOn, way_fields);

static json_t *
edits_to_json (const SsWayOn *way)
{
  json_t *list = json_array ();

  for (int i = 0; i < way->n_edits; i++) {
    json_t *edit = json_pack ("{s:s}", "path", way->edits[i].path);
    if (way->edits[i].value != NULL)
      json_object_set_new (edit, "value", json_loads (way->edits[i].value, JSON_DECODE_ANY, NULL));
    json_array_append_new (list, edit);
  }
  return list;
}

json_t *
ssapp_ways_to_json (const SsWayOn *ways, int n)
{
  json_t *list = json_array ();

  for (int i = 0; i < n; i++) {
    json_t *way = json_pack ("{s:s}", "kind", ways[i].kind);
    ssapp_record_add_to_json (&ssapp_way_record, &ways[i], way);
    json_object_set_new (way, "edits", edits_to_json (&ways[i]));
    json_array_append_new (list, way);
  }
  return list;
}

static void
way_free (gpointer data)
{
  ss_way_on_clear (data);
  g_free (data);
}

/* Adds the edits; FALSE where one is none. */
static gboolean
read_edits (const json_t *item, SsWayOn *way)
{
  const json_t *list = json_object_get (item, "edits"), *edit;
  size_t i;

  json_array_foreach ((json_t *)list, i, edit)
  {
    const char *path = ssapp_json_get_string (edit, "path");
    const json_t *value = json_object_get (edit, "value");
    char *text = value != NULL ? json_dumps (value, JSON_REAL_PRECISION (15) | JSON_ENCODE_ANY) : NULL;
    const gboolean ok = path != NULL && ss_way_on_add (way, text, NULL, "%s", path) == SS_OK;

    free (text); /* Jansson's */
    if (!ok)
      return FALSE;
  }
  return TRUE;
}

GPtrArray *
ssapp_ways_from_json (const json_t *result)
{
  GPtrArray *ways = g_ptr_array_new_with_free_func (way_free);
  const json_t *list = json_object_get (result, "ways_on"), *item;
  size_t i;

  json_array_foreach ((json_t *)list, i, item)
  {
    const SsWayKind *kind = ss_way_kind_find (ssapp_json_get_string (item, "kind"));
    SsWayOn *way = g_new0 (SsWayOn, 1);

    ssapp_record_from_json (&ssapp_way_record, item, way);
    if (kind != NULL && ssapp_json_get_string (item, "with") != NULL && (int)way->outcome >= 0 &&
        read_edits (item, way)) {
      way->kind = kind->name;
      g_ptr_array_add (ways, way);
    } else
      way_free (way);
  }
  return ways;
}

/* The file's name beside which the changed one is written: "push-box-time.stickslip.json". */
static char *
changed_name (const SsWayOn *way, const char *file)
{
  static const char ending[] = ".stickslip.json";
  g_autofree char *base = g_path_get_basename (file);

  if (g_str_has_suffix (base, ending))
    base[strlen (base) - strlen (ending)] = '\0';
  g_strdelimit (base, "#:", '-'); /* a sketch of a project */
  return g_strdup_printf ("%s-%s%s", base, way->kind, ending);
}

char *
ssapp_way_dup_command (const SsWayOn *way, const char *file)
{
  g_return_val_if_fail (way != NULL, NULL);
  g_autofree char *name = changed_name (way, file), *quoted = g_shell_quote (file), *to = g_shell_quote (name);
  GString *line = g_string_new ("stickslip-cli edit ");

  g_string_append (line, quoted);
  for (int i = 0; i < way->n_edits; i++) {
    const SsEdit *edit = &way->edits[i];
    g_autofree char *word =
        edit->value != NULL ? g_strdup_printf ("%s=%s", edit->path, edit->value) : g_strdup (edit->path);
    g_autofree char *word_quoted = g_shell_quote (word);
    g_string_append_printf (line, " %s %s", edit->value != NULL ? "--field" : "--without", word_quoted);
  }
  g_string_append_printf (line, " --to %s", to);
  return g_string_free (line, FALSE);
}
