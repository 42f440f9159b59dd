/* app/cli/cli-scenario.c: scenarios and their texts: of files, of sketches and of stored runs. */
#include "app/cli/cli-common.h"
#include "app/cli/cli-sketch.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-import.h"
#include "app/base/ssapp-text.h"
#include "core/ss-core.h"
#include "scene/ss-number.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* In the place of a sketch's name: the text that a run was made from. */
#define OF_RUN "run:"

gboolean
cli_split_sketch (const char *path, char **project, const char **name)
{
  static const char mark[] = SSAPP_PROJECT_SUFFIX "#";
  const char *at = strstr (path, mark);

  if (at == NULL || g_file_test (path, G_FILE_TEST_EXISTS))
    return FALSE;
  *project = g_strndup (path, (gsize)(at - path) + strlen (SSAPP_PROJECT_SUFFIX));
  *name = at + strlen (mark);
  return TRUE;
}

/* The text that a stored run was made from, as a sketch without a row of its own: PROJECT#run:ID. */
static SsappSketchRow *
text_of_run (SsappStore *store, const char *id, GError **error)
{
  SsappRunRow *run = ssapp_store_get_sound_run (store, id, error);
  char *text = run != NULL ? ssapp_store_get_scenario_text (store, run->id, error) : NULL;
  SsappSketchRow *row = NULL;

  if (text != NULL) {
    row = g_new0 (SsappSketchRow, 1);
    row->id = g_strdup ("");
    row->name = g_strdup (run->scenario_name);
    row->title = g_strdup (run->scenario_name);
    row->description = g_strdup ("");
    row->text = text;
    row->sha256 = g_strdup (run->scenario_sha256);
    row->created = g_strdup (run->started);
    row->changed = g_strdup (run->started);
    row->n_runs = 1;
  }
  ssapp_run_row_free (run);
  return row;
}

/* NAME, or NAME@NUMBER: what the sketch was in that version. */
static SsappSketchRow *
load_version (SsappStore *store, const char *name, GError **error)
{
  const char *at = strrchr (name, '@');
  const gboolean is_version = at != NULL && at[1] != '\0' && strspn (at + 1, "0123456789") == strlen (at + 1);
  g_autofree char *own = is_version ? g_strndup (name, (gsize)(at - name)) : g_strdup (name);
  SsappSketchRow *row = ssapp_store_get_sketch (store, own, error);
  SsappSketchVersion *version =
      row != NULL && is_version
          ? ssapp_store_get_version (store, row->id, (int)CLAMP (g_ascii_strtoll (at + 1, NULL, 10), 0, G_MAXINT),
                                     error)
          : NULL;

  if (version != NULL) {
    g_free (row->text);
    row->text = g_steal_pointer (&version->text);
    g_free (row->sha256);
    row->sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, row->text, -1);
    g_free (row->changed);
    row->changed = g_strdup (version->saved);
  } else if (is_version) {
    g_clear_pointer (&row, ssapp_sketch_row_free);
  }
  ssapp_sketch_version_free (version);
  return row;
}

SsappSketchRow *
cli_load_sketch (const char *path)
{
  g_autofree char *project = NULL;
  const char *name = NULL;
  g_autoptr (GError) error = NULL;
  SsappSketchRow *row = NULL;
  SsappStore *store;

  if (!cli_split_sketch (path, &project, &name)) {
    cli_fail ("'%s' names no sketch (expected PROJECT%s#NAME)", path, SSAPP_PROJECT_SUFFIX);
    return NULL;
  }
  store = ssapp_store_open (project, FALSE, &error);
  if (store != NULL) {
    row = g_str_has_prefix (name, OF_RUN) ? text_of_run (store, name + strlen (OF_RUN), &error)
                                          : load_version (store, name, &error);
    g_object_unref (store); /* which closes it */
  }
  if (row == NULL)
    cli_fail ("%s", error->message);
  return row;
}

char *
cli_read_sketch (const char *path)
{
  SsappSketchRow *row = cli_load_sketch (path);
  char *text = row != NULL ? g_steal_pointer (&row->text) : NULL;

  ssapp_sketch_row_free (row);
  return text;
}

char *
cli_read_text (const char *path)
{
  GError *error = NULL;
  GStatBuf info;
  char *text = NULL, *project;
  const char *sketch;
  SsProblems problems;
  gsize length = 0;
  int line = 1;

  if (cli_split_sketch (path, &project, &sketch)) {
    g_free (project);
    return cli_read_sketch (path);
  }
  if (g_stat (path, &info) == 0 && S_ISREG (info.st_mode) && info.st_size > (goffset)SS_SCENARIO_MAX_BYTES)
    fprintf (stderr, "%s:1: the file is too large (expected at most %u MiB)\n", path, SS_SCENARIO_MAX_BYTES >> 20);
  else if (!ssapp_read_file (path, SS_SCENARIO_MAX_BYTES, &text, &length, &error))
    cli_fail ("%s", error->message);
  ss_problems_init (&problems);
  if (text != NULL && !ssapp_take_nl (path, &text, &length, &problems))
    cli_print_problems (stderr, &problems);
  ss_problems_clear (&problems);
  /* A text ends at its first NUL byte: the rest would be lost without a word. */
  if (text != NULL && strlen (text) < length) {
    for (const char *c = text; *c != '\0'; c++)
      line += *c == '\n';
    fprintf (stderr, "%s:%d: a NUL byte (expected text in UTF-8)\n", path, line);
    g_clear_pointer (&text, g_free);
  }
  g_clear_error (&error);
  return text;
}

gboolean
cli_is_file (const char *name)
{
  return g_file_test (name, G_FILE_TEST_EXISTS) || strchr (name, '#') != NULL;
}

void
cli_print_problems (FILE *to, const SsProblems *problems)
{
  char line[1024];

  for (int i = 0; i < problems->n_items; i++) {
    ss_error_format (&problems->items[i], line, sizeof line);
    g_autofree char *shown = ssapp_text_visible (line, TRUE);
    fprintf (to, "%s\n", shown);
  }
  if (problems->truncated)
    fprintf (to, "stickslip-cli: more problems were found than are shown\n");
}

int
cli_status_of_problems (const SsProblems *problems)
{
  for (int i = 0; i < problems->n_items; i++)
    if (problems->items[i].status == SS_ERR_MEMORY)
      return CLI_BROKEN;
  return CLI_BAD_INPUT;
}

/* ---- with --set -------------------------------------------------------------------------------------------------- */

gboolean
cli_set_is_number (const char *name)
{
  return strchr (name, '.') != NULL;
}

/* NAME=VALUE of --set: parameters, or numbers of the scene. Names owned by the array. */
static GArray *
list_set (const CliArgs *args, gboolean numbers)
{
  GPtrArray *pairs = cli_args_list (args, "--set");
  GArray *list = g_array_new (FALSE, TRUE, sizeof (SsOverride));

  for (guint i = 0; i < pairs->len; i++) {
    SsOverride one = {.value = NAN}; /* was checked while parsing */
    const char *value;
    char *name;
    cli_args_split (g_ptr_array_index (pairs, i), &name, &value);
    ss_parse_double (value, &one.value);
    one.name = g_intern_string (name);
    g_free (name);
    if (cli_set_is_number (one.name) == numbers)
      g_array_append_val (list, one);
  }
  return list;
}

static SsStatus
read_text (const char *path, const GArray *overrides, SsProblems *problems, SsScenario **scenario)
{
  const SsOverride *first = (const SsOverride *)(const void *)overrides->data;
  const char *sketch;
  char *project;

  if (!cli_split_sketch (path, &project, &sketch))
    return ss_scenario_read_file (path, first, (int)overrides->len, problems, scenario);
  g_free (project);
  g_autofree char *text = cli_read_sketch (path);
  return text != NULL ? ss_scenario_read (text, strlen (text), path, first, (int)overrides->len, problems, scenario)
                      : SS_ERR_INVALID;
}

/* Reads it again with the numbers in its text; frees it. */
static SsStatus
set_numbers (const char *path, const GArray *overrides, const GArray *numbers, SsProblems *problems,
             SsScenario **scenario)
{
  SsScenario *before = *scenario;
  SsError err = {0};
  char *text = NULL;

  *scenario = NULL;
  SsStatus status = ss_scenario_with_numbers (before, (const SsOverride *)(const void *)numbers->data,
                                              (int)numbers->len, &text, &err);
  if (status == SS_OK)
    status = ss_scenario_read (text, strlen (text), path, (const SsOverride *)(const void *)overrides->data,
                               (int)overrides->len, problems, scenario);
  else {
    g_strlcpy (err.path, "--set", sizeof err.path);
    ss_problems_add (problems, &err);
  }
  ss_free (text);
  ss_scenario_free (before);
  return status;
}

SsScenario *
cli_read_scenario_problems (const CliArgs *args, const char *path, SsProblems *problems)
{
  g_autoptr (GArray) overrides = list_set (args, FALSE), numbers = list_set (args, TRUE);
  SsScenario *scenario = NULL;
  SsStatus status = read_text (path, overrides, problems, &scenario);

  if (status == SS_OK && numbers->len > 0)
    status = set_numbers (path, overrides, numbers, problems, &scenario);
  return status == SS_OK ? scenario : NULL;
}

SsScenario *
cli_read_scenario_as_written (const char *path)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (SsOverride));
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  if (read_text (path, none, &problems, &scenario) != SS_OK) {
    scenario = NULL;
    cli_print_problems (stderr, &problems);
  }
  ss_problems_clear (&problems);
  return scenario;
}

SsScenario *
cli_read_scenario (const CliArgs *args, const char *path)
{
  SsProblems problems;
  SsScenario *scenario;

  ss_problems_init (&problems);
  scenario = cli_read_scenario_problems (args, path, &problems);
  if (scenario == NULL)
    cli_print_problems (stderr, &problems);
  ss_problems_clear (&problems);
  return scenario;
}

SsScenario *
cli_load_scenario (SsappStore *store, const SsappRunRow *row, GError **error)
{
  char *text = ssapp_store_get_scenario_text (store, row->id, error);
  json_t *set = cli_parse_or_null (row->parameters_json), *value;
  SsOverride *overrides = g_new0 (SsOverride, json_object_size (set) + 1);
  SsScenario *scenario = NULL;
  SsProblems problems;
  const char *name;
  int n = 0;

  ss_problems_init (&problems);
  json_object_foreach (set, name, value) overrides[n++] = (SsOverride){name, json_number_value (value)};
  if (text != NULL &&
      ss_scenario_read (text, strlen (text), row->scenario_name, overrides, n, &problems, &scenario) != SS_OK) {
    char line[1024] = "";
    if (problems.n_items > 0)
      ss_error_format (&problems.items[0], line, sizeof line);
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "the stored scenario cannot be read: %s", line);
  }
  ss_problems_clear (&problems);
  g_free (overrides);
  json_decref (set);
  g_free (text);
  return scenario;
}

gboolean
cli_set_numbers (const CliArgs *args, const char *path, char **text)
{
  g_autoptr (GArray) overrides = list_set (args, FALSE), numbers = list_set (args, TRUE);
  SsScenario *scenario = NULL;
  SsProblems problems;

  if (numbers->len == 0)
    return TRUE;
  ss_problems_init (&problems);
  SsStatus status = ss_scenario_read (*text, strlen (*text), path, (const SsOverride *)(const void *)overrides->data,
                                      (int)overrides->len, &problems, &scenario);
  if (status == SS_OK)
    status = set_numbers (path, overrides, numbers, &problems, &scenario);
  if (status == SS_OK) {
    g_free (*text);
    *text = g_strdup (scenario->text);
    ss_scenario_free (scenario);
  } else {
    cli_print_problems (stderr, &problems);
  }
  ss_problems_clear (&problems);
  return status == SS_OK;
}
