/* app/session/ssapp-provenance-sheet.c: see the header. */
#include "app/session/ssapp-provenance-sheet.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-text.h"
#include "app/job/ssapp-state.h"
#include "app/store/ssapp-store-sketch.h"
#include "run/ss-run.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* A sheet that is being written. */
typedef struct {
  SsappProvenanceSheet *sheet;
  SsappStore *store;
  const SsappRunRow *row;
  const json_t *result, *asked, *program; /* NULL where there is none */
} Writer;

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void
clear_row (gpointer row)
{
  SsappSheetRow *self = row;

  g_free (self->key);
  g_free (self->title);
  g_free (self->value);
  g_free (self->usual);
}

static void
clear_group (gpointer group)
{
  g_array_unref (((SsappSheetGroup *)group)->rows);
}

static void
begin (Writer *self, const char *title)
{
  SsappSheetGroup group = {title, g_array_new (FALSE, TRUE, sizeof (SsappSheetRow))};

  g_array_set_clear_func (group.rows, clear_row);
  g_array_append_val (self->sheet->groups, group);
}

/* A group without rows goes again. */
static void
end (Writer *self)
{
  GArray *groups = self->sheet->groups;

  if (g_array_index (groups, SsappSheetGroup, groups->len - 1).rows->len == 0)
    g_array_set_size (groups, groups->len - 1);
}

/* Texts are copied; `value` NULL or "": no row. */
static SsappSheetRow *
add (Writer *self, const char *key, const char *title, const char *value)
{
  GArray *rows = g_array_index (self->sheet->groups, SsappSheetGroup, self->sheet->groups->len - 1).rows;
  SsappSheetRow row = {.key = NULL};

  if (value == NULL || value[0] == '\0')
    return NULL;
  row.key = g_strdup (key);
  row.title = g_strdup (title);
  row.value = g_strdup (value);
  g_array_append_val (rows, row);
  return &g_array_index (rows, SsappSheetRow, rows->len - 1);
}

static void
add_usual (Writer *self, const char *key, const char *title, const char *value, const char *usual)
{
  SsappSheetRow *row = add (self, key, title, value);

  if (row == NULL)
    return;
  row->usual = g_strdup (usual);
  row->is_changed = strcmp (value, usual) != 0;
}

static char *
number_text (double value, const char *unit)
{
  char text[40];

  ss_format_double (value, text, sizeof text);
  return unit[0] != '\0' ? g_strdup_printf ("%s %s", text, unit) : g_strdup (text);
}

/* NaN: no row. */
static void
add_number (Writer *self, const char *key, const char *title, double value, const char *unit)
{
  g_autofree char *text = isnan (value) ? NULL : number_text (value, unit);

  add (self, key, title, text);
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static void
write_run (Writer *self)
{
  const SsappRunRow *row = self->row;

  begin (self, _ ("Run"));
  add (self, "run", _ ("Run"), row->id);
  add (self, "outcome", _ ("Outcome"), row->outcome);
  add (self, "message", _ ("Message"), row->message);
  add (self, "started", _ ("Started (UTC)"), row->started);
  add (self, "ended", _ ("Ended (UTC)"), row->ended);
  add (self, "note", _ ("Note"), row->note);
  end (self);
}

/* "run 1a2b3c4d, CRISP of push-box", or that it is gone. */
static char *
words_of_run (SsappStore *store, const char *id)
{
  SsappRunRow *row = ssapp_store_get_run (store, id, NULL);
  char *words = row != NULL ? g_strdup_printf (_ ("run %.8s, %s of %s"), id, row->label, row->scenario_name)
                            : g_strdup_printf (_ ("run %.8s, which is not in this project"), id);

  ssapp_run_row_free (row);
  return words;
}

static void
add_run (Writer *self, const char *key, const char *title, const char *id)
{
  g_autofree char *words = id != NULL && id[0] != '\0' ? words_of_run (self->store, id) : NULL;

  add (self, key, title, words);
}

static void
write_source (Writer *self)
{
  const json_t *motion = json_object_get (self->asked, "motion");
  const char *from = ssapp_json_get_string (motion, "run");
  const gboolean is_replay =
      self->row->replay_of[0] != '\0' || g_strcmp0 (ssapp_json_get_string (self->asked, "verb"), "replay") == 0;

  begin (self, _ ("Comes From"));
  add_run (self, "solution_of", _ ("Local solution of"), self->row->solution_of);
  add (self, "start", _ ("Led to by"), self->row->start);
  if (from == NULL)
    from = is_replay ? self->row->replay_of : ssapp_json_get_string (self->result, "start_from");
  add_run (self, is_replay ? "plan" : "start_from", is_replay ? _ ("Plan") : _ ("Started from"), from);
  const json_t *continued = json_object_get (self->result, "continued");
  if (continued != NULL) {
    g_autofree char *words = ssapp_continued_words (from, continued);
    add (self, "continued", _ ("Goes on from"), words);
  }
  if (motion != NULL && from != NULL && from[0] == '\0')
    add (self, is_replay ? "plan" : "start_from", is_replay ? _ ("Plan") : _ ("Started from"), _ ("a table"));
  add (self, "motion_sha256", _ ("Its SHA-256"), ssapp_json_get_string (motion, "sha256"));
  if (g_strcmp0 (ssapp_json_get_string (self->asked, "verb"), "sandbox") == 0)
    add (self, "sandbox", _ ("Sandbox"),
         json_integer_value (json_object_get (self->asked, "by_hand")) > 0 ? _ ("steered by hand: see the log")
                                                                           : _ ("without a hand"));
  end (self);
}

static void
write_scenario (Writer *self)
{
  const json_t *overrides = json_object_get (json_object_get (self->result, "scenario"), "parameters");
  json_t *values = json_object_get (json_object_get (self->result, "scenario"), "values"), *value;
  g_autoptr (GPtrArray) sketches = ssapp_store_list_sketches (self->store, NULL);
  const char *name;

  begin (self, _ ("Scenario"));
  add (self, "scenario", _ ("Scenario"), self->row->scenario_name);
  add (self, "scenario_sha256", "SHA-256", self->row->scenario_sha256);
  for (guint i = 0; sketches != NULL && i < sketches->len; i++) {
    const SsappSketchRow *sketch = g_ptr_array_index (sketches, i);
    if (strcmp (sketch->sha256, self->row->scenario_sha256) == 0)
      add (self, "sketch", _ ("Sketch with this text"), sketch->name);
  }
  json_object_foreach (values, name, value)
  {
    g_autofree char *key = g_strdup_printf ("parameter.%s", name), *title = g_strdup_printf (_ ("Parameter %s"), name),
                    *text = number_text (json_number_value (value), "");
    SsappSheetRow *row = add (self, key, title, text);
    if (row != NULL)
      row->is_changed = json_object_get (overrides, name) != NULL;
  }
  end (self);
}

/* As results have it, as text like that of an option. */
static char *
option_text (const json_t *value)
{
  if (json_is_string (value))
    return g_strdup (json_string_value (value));
  if (json_is_boolean (value))
    return g_strdup (json_is_true (value) ? "true" : "false");
  return json_is_number (value) ? number_text (json_number_value (value), "") : NULL;
}

/* The default of an option as that text; NULL: no method of this version has it. */
static char *
usual_text (const SsMethod *method, const char *name)
{
  const SsOptionTable *tables[] = {method != NULL ? method->options : NULL, ss_transcription_option_table ()};

  for (guint t = 0; t < G_N_ELEMENTS (tables); t++) {
    const int i = tables[t] != NULL ? ss_options_find (tables[t], name) : -1;
    if (i < 0)
      continue;
    const SsOptionSpec *spec = &tables[t]->specs[i];
    g_autofree void *options = g_malloc0 (tables[t]->size);
    char word[SS_OPTION_TEXT_MAX];
    ss_options_init (tables[t], options);
    if (spec->type == SS_OPTION_BOOLEAN)
      return g_strdup (spec->fallback != 0 ? "true" : "false");
    if (spec->type == SS_OPTION_REAL || spec->type == SS_OPTION_INTEGER)
      return number_text (spec->fallback, "");
    ss_options_format (tables[t], options, i, word, sizeof word);
    return g_strdup (word);
  }
  return NULL;
}

static void
write_options (Writer *self, const SsMethod *method)
{
  json_t *used = json_object_get (json_object_get (self->result, "method"), "options"), *value;
  json_t *given = json_loads (self->row->options_json, 0, NULL);
  const char *name;

  begin (self, _ ("Options"));
  json_object_foreach (used, name, value)
  {
    g_autofree char *key = g_strdup_printf ("option.%s", name), *text = option_text (value),
                    *usual = usual_text (method, name);
    if (usual != NULL)
      add_usual (self, key, name, text, usual);
    else
      add (self, key, name, text);
  }
  /* Without a result: what was asked for. */
  json_object_foreach (given, name, value)
  {
    g_autofree char *key = g_strdup_printf ("option.%s", name), *text = option_text (value);
    SsappSheetRow *row = json_object_get (used, name) == NULL ? add (self, key, name, text) : NULL;
    if (row != NULL)
      row->is_changed = TRUE;
  }
  json_decref (given);
  end (self);
}

static void
write_method (Writer *self)
{
  const SsMethod *method = ss_method_lookup (ssapp_run_row_get_method (self->row));
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, self->row->seed);
  g_autofree char *words = g_strdup_printf ("%s (%s)", self->row->label, self->row->method);
  const json_t *controller = json_object_get (self->result, "controller"), *disturb;
  const double bytes = ssapp_json_get_real (self->asked, "bytes");
  g_autofree char *size = isfinite (bytes) ? ssapp_memory_format (bytes) : NULL;
  const char *name;
  json_t *value;

  begin (self, _ ("Method"));
  add (self, "method", _ ("Method"), words);
  const json_t *told = json_object_get (self->result, "method");
  add (self, "method_version", _ ("Version"), ssapp_json_get_string (told, "version"));
  add (self, "method_program", _ ("Program"), ssapp_json_get_string (told, "program"));
  add (self, "method_program_version", _ ("Version of the program"), ssapp_json_get_string (told, "program_version"));
  SsappSheetRow *seed_row = add (self, "seed", _ ("Seed"), seed);
  seed_row->is_changed = json_object_get (self->asked, "seed") != NULL;
  add_number (self, "dt", _ ("Step"), ssapp_json_get_real (self->asked, "dt"), "s");
  add_number (self, "t_end", _ ("Horizon"), ssapp_json_get_real (self->asked, "t_end"), "s");
  add_number (self, "time_limit", _ ("Time limit"), ssapp_json_get_real (self->asked, "seconds"), "s");
  add_number (self, "cpu_limit", _ ("CPU limit"), ssapp_json_get_real (self->asked, "cpu_seconds"), "s");
  add (self, "memory_limit", _ ("Memory limit"), size);
  add_number (self, "bound", _ ("Lower bound looked for"), ssapp_json_get_real (self->asked, "bound"), "s");
  add_number (self, "every", _ ("Keeps rows of every n-th step"), ssapp_json_get_real (self->asked, "every"), "");
  add (self, "sensitivity", _ ("Derivatives by"), json_string_value (json_object_get (self->asked, "sensitivity")));
  add_number (self, "keep_iterates", _ ("Keeps every n-th iterate"), ssapp_json_get_real (self->asked, "keep_iterates"),
              "");
  add (self, "controller", _ ("Controller"), ssapp_json_get_string (controller, "name"));
  json_object_foreach ((json_t *)controller, name, value)
  {
    g_autofree char *key = g_strdup_printf ("controller.%s", name),
                    *title = g_strdup_printf (_ ("Controller’s %s"), name);
    if (json_is_number (value))
      add_number (self, key, title, json_number_value (value), "");
  }
  add_number (self, "friction", _ ("Friction of the world, as a part"), ssapp_json_get_real (self->result, "friction"),
              "");
  disturb = json_object_get (self->result, "disturb");
  json_object_foreach ((json_t *)disturb, name, value)
  {
    g_autofree char *key = g_strdup_printf ("disturb.%s", name), *title = g_strdup_printf (_ ("Start moved, %s"), name);
    add_number (self, key, title, json_number_value (value), "");
  }
  end (self);
  write_options (self, method);
}

static void
write_program (Writer *self)
{
  static const char *const texts[][3] = {{"version", "version", "Stickslip"},
                                         {"git_commit", "commit", N_ ("Commit")},
                                         {"compiler", "compiler", N_ ("Compiler")},
                                         {"build", "build", N_ ("Build")}};
  json_t *libraries = json_object_get (self->program, "libraries"), *value;
  const char *name;

  begin (self, _ ("Program"));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    add (self, texts[i][1], _ (texts[i][2]), ssapp_json_get_string (self->program, texts[i][0]));
  json_object_foreach (libraries, name, value)
  {
    g_autofree char *key = g_strdup_printf ("library.%s", name), *title = g_strdup_printf (_ ("Library %s"), name);
    add (self, key, title, json_string_value (value));
  }
  end (self);
}

static void
write_machine (Writer *self)
{
  begin (self, _ ("Machine"));
  add (self, "host", _ ("Host"), ssapp_json_get_string (self->program, "host"));
  add (self, "cpu", _ ("Processor"), ssapp_json_get_string (self->program, "cpu"));
  add_number (self, "cpu_count", _ ("Processors"), ssapp_json_get_real (self->program, "cpu_count"), "");
  add (self, "os", _ ("System"), ssapp_json_get_string (self->program, "os"));
  add_number (self, "pid", _ ("Process"), ssapp_json_get_real (self->program, "pid"), "");
  end (self);
}

static void
write_times (Writer *self)
{
  begin (self, _ ("Times"));
  for (int m = 0; m < SS_METRIC_COUNT; m++) {
    const SsMetricSpec *spec = ss_metric_spec ((SsMetric)m);
    const double value = ssapp_run_row_get_metric (self->row, (SsMetric)m);
    if (strstr (spec->name, "seconds") == NULL || isnan (value))
      continue;
    g_autofree char *number = ssapp_metric_text ((SsMetric)m, value), *text = g_strdup_printf ("%s s", number);
    add (self, spec->name, spec->label, text);
  }
  add_number (self, "threads", _ ("Threads"), ssapp_run_row_get_metric (self->row, SS_METRIC_THREADS), "");
  end (self);
}

/* ---- the sheet --------------------------------------------------------------------------------------------------- */

static json_t *
object_or_null (const char *text)
{
  return text != NULL ? json_loads (text, 0, NULL) : NULL;
}

SsappProvenanceSheet *
ssapp_provenance_sheet_new (SsappStore *store, const char *id, GError **error)
{
  GError *local = NULL;
  SsappRunRow *row = ssapp_store_get_sound_run (store, id, &local);
  g_autofree char *result_text = row != NULL ? ssapp_store_get_result_json (store, row->id, &local) : NULL;
  g_autofree char *program_text = local == NULL ? ssapp_store_get_provenance_json (store, row->id, &local) : NULL;
  SsappProvenanceSheet *sheet = NULL;

  if (local == NULL) {
    json_t *result = object_or_null (result_text), *program = object_or_null (program_text);
    sheet = g_new0 (SsappProvenanceSheet, 1);
    sheet->run = g_strdup (row->id);
    sheet->name = g_strdup_printf ("%s, %s, %.8s", row->label, row->scenario_name, row->id);
    sheet->groups = g_array_new (FALSE, TRUE, sizeof (SsappSheetGroup));
    g_array_set_clear_func (sheet->groups, clear_group);
    Writer writer = {sheet, store, row, result, json_object_get (result, "asked"), program};
    write_run (&writer);
    write_source (&writer);
    write_scenario (&writer);
    write_method (&writer);
    write_program (&writer);
    write_machine (&writer);
    write_times (&writer);
    json_decref (result);
    json_decref (program);
  }
  if (local != NULL)
    g_propagate_error (error, local);
  ssapp_run_row_free (row);
  return sheet;
}

void
ssapp_provenance_sheet_free (SsappProvenanceSheet *self)
{
  if (self == NULL)
    return;
  g_free (self->run);
  g_free (self->name);
  g_array_unref (self->groups);
  g_free (self);
}

/* "0.001 (default 0.01)" of a row that was changed, else the value; g_free. */
static char *
dup_value (const SsappSheetRow *row)
{
  return row->is_changed && row->usual != NULL
             ? g_strdup_printf (_ ("%s (default %s)"), row->value, row->usual[0] != '\0' ? row->usual : _ ("none"))
             : g_strdup (row->value);
}

char *
ssapp_provenance_sheet_dup_text (const SsappProvenanceSheet *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *text = g_string_new (NULL);

  for (guint g = 0; g < self->groups->len; g++) {
    const SsappSheetGroup *group = &g_array_index (self->groups, SsappSheetGroup, g);
    g_string_append_printf (text, "%s\n", group->title);
    for (guint i = 0; i < group->rows->len; i++) {
      const SsappSheetRow *row = &g_array_index (group->rows, SsappSheetRow, i);
      g_autofree char *value = dup_value (row), *shown = ssapp_text_visible (value, FALSE),
                      *title = ssapp_text_visible (row->title, FALSE);
      const int pad = MAX (0, 26 - (int)g_utf8_strlen (title, -1));
      g_string_append_printf (text, "  %c %s%*s  %s\n", row->is_changed ? '*' : ' ', title, pad, "", shown);
    }
  }
  g_string_append (text, _ ("  (* differs from the default, or from the scenario's own value)\n"));
  return g_string_free (text, FALSE);
}

json_t *
ssapp_provenance_sheet_to_json (const SsappProvenanceSheet *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  json_t *groups = json_array ();

  for (guint g = 0; g < self->groups->len; g++) {
    const SsappSheetGroup *group = &g_array_index (self->groups, SsappSheetGroup, g);
    json_t *rows = json_array ();
    for (guint i = 0; i < group->rows->len; i++) {
      const SsappSheetRow *row = &g_array_index (group->rows, SsappSheetRow, i);
      json_t *item = json_pack ("{s:s, s:s, s:s, s:b}", "key", row->key, "title", row->title, "value", row->value,
                                "changed", row->is_changed);
      if (row->usual != NULL)
        json_object_set_new (item, "default", json_string (row->usual));
      json_array_append_new (rows, item);
    }
    json_array_append_new (groups, json_pack ("{s:s, s:o}", "title", group->title, "rows", rows));
  }
  return json_pack ("{s:s, s:s, s:o}", "run", self->run, "name", self->name, "groups", groups);
}
