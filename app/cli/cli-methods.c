/* app/cli/cli-methods.c: the registry of methods as text and JSON; methods of the user's own that are allowed. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"
#include "app/equations/ssapp-equations.h"
#include "app/export/ssapp-help.h"
#include "app/job/ssapp-own-kept.h"
#include "app/store/ssapp-store-method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const type_names[] = {"real", "integer", "boolean", "choice", "text"};

static json_t *
option_to_json (const SsOptionSpec *spec)
{
  json_t *object = json_object (), *choices;

  json_object_set_new (object, "name", json_string (spec->name));
  json_object_set_new (object, "type", json_string (type_names[spec->type]));
  switch (spec->type) {
  case SS_OPTION_REAL:
  case SS_OPTION_INTEGER:
    json_object_set_new (object, "minimum", ssapp_json_real (spec->minimum));
    json_object_set_new (object, "maximum", ssapp_json_real (spec->maximum));
    json_object_set_new (object, "default",
                         spec->type == SS_OPTION_INTEGER ? json_integer ((json_int_t)spec->fallback)
                                                         : ssapp_json_real (spec->fallback));
    break;
  case SS_OPTION_BOOLEAN:
    json_object_set_new (object, "default", json_boolean (spec->fallback != 0));
    break;
  case SS_OPTION_CHOICE:
    choices = json_array ();
    for (int i = 0; spec->choices[i] != NULL; i++)
      json_array_append_new (choices, json_string (spec->choices[i]));
    json_object_set_new (object, "choices", choices);
    json_object_set_new (object, "default", json_string (spec->choices[(int)spec->fallback]));
    break;
  case SS_OPTION_TEXT:
    json_object_set_new (object, "default", json_string (""));
    break;
  }
  json_object_set_new (object, "unit", json_string (spec->unit != NULL ? spec->unit : ""));
  json_object_set_new (object, "symbol", json_string (spec->symbol != NULL ? spec->symbol : ""));
  json_object_set_new (object, "common", json_boolean (spec->common));
  json_object_set_new (object, "summary", json_string (spec->summary != NULL ? spec->summary : ""));
  return object;
}

static gboolean
has_option (const SsTranscriptionClass *class_, const char *name)
{
  for (int i = 0; i < class_->options->n_specs; i++)
    if (strcmp (class_->options->specs[i].name, name) == 0)
      return TRUE;
  return FALSE;
}

/* An option of optimisers on scenes: what its choices mean where they are transcriptions, else which transcriptions
 * have it, if not all. */
static json_t *
plan_option_to_json (const SsOptionSpec *spec)
{
  json_t *option = option_to_json (spec), *summaries = json_object (), *owners = json_array ();
  const gboolean is_choice = strcmp (spec->name, "transcription") == 0;

  json_object_set_new (option, "scenes_only", json_true ());
  for (int i = 0; i < ss_transcription_count (); i++) {
    const SsTranscriptionClass *class_ = ss_transcription_at (i);

    if (is_choice)
      json_object_set_new (summaries, class_->name, json_string (class_->summary));
    if (has_option (class_, spec->name))
      json_array_append_new (owners, json_string (class_->name));
  }
  if (is_choice)
    json_object_set (option, "choice_summaries", summaries);
  if (json_array_size (owners) > 0)
    json_object_set (option, "transcriptions", owners);
  json_decref (summaries);
  json_decref (owners);
  return option;
}

static json_t *
method_to_json (const SsMethod *method)
{
  const SsOptionTable *plans = ss_transcription_option_table ();
  json_t *object = json_object (), *options = json_array (), *retired = json_array ();

  json_object_set_new (object, "kind", json_string (ss_method_kind_spec (method->kind)->name));
  json_object_set_new (object, "name", json_string (method->name));
  json_object_set_new (object, "label", json_string (method->label));
  json_object_set_new (object, "summary", json_string (method->summary));
  if (method->solves[0] != '\0')
    json_object_set_new (object, "solves", json_string (method->solves));
  json_object_set_new (object, "built", json_boolean (method->is_built));
  if (method->version != NULL)
    json_object_set_new (object, "version", json_string (method->version));
  if (ssapp_equations_paper (method) != NULL)
    json_object_set_new (object, "paper", json_string (ssapp_equations_paper (method)));
  g_autofree char *page = ssapp_help_method_page (method);
  json_object_set_new (object, "page", json_string (page));
  if (!method->is_built)
    json_object_set_new (object, "why_not", json_string (method->why_not));
  for (int i = 0; i < method->options->n_specs; i++)
    json_array_append_new (options, option_to_json (&method->options->specs[i]));
  for (int i = 0; method->kind == SS_METHOD_OPTIMISER && i < plans->n_specs; i++)
    json_array_append_new (options, plan_option_to_json (&plans->specs[i]));
  json_object_set_new (object, "options", options);
  for (int i = 0; i < method->options->n_retired; i++) {
    const SsRetiredOption *r = &method->options->retired[i];
    json_array_append_new (retired,
                           json_pack ("{s:s, s:s, s:s}", "name", r->name, "value", r->value, "instead", r->instead));
  }
  json_object_set_new (object, "retired", retired);
  return object;
}

static void
print_option (const SsOptionSpec *spec)
{
  char *low = cli_number (spec->minimum), *high = cli_number (spec->maximum), *fallback = cli_number (spec->fallback);
  GString *range = g_string_new ("");

  switch (spec->type) {
  case SS_OPTION_REAL:
  case SS_OPTION_INTEGER:
    g_string_append_printf (range, "%s, %s to %s", fallback, low, high);
    break;
  case SS_OPTION_BOOLEAN:
    g_string_append_printf (range, "%s, true or false", spec->fallback != 0 ? "true" : "false");
    break;
  case SS_OPTION_CHOICE:
    g_string_append (range, spec->choices[(int)spec->fallback]);
    for (int i = 0; spec->choices[i] != NULL; i++)
      g_string_append_printf (range, "%s%s", i == 0 ? ", " : "|", spec->choices[i]);
    break;
  case SS_OPTION_TEXT:
    g_string_append (range, "empty, a text");
    break;
  }
  if (spec->unit != NULL && spec->unit[0] != '\0')
    g_string_append_printf (range, " %s", spec->unit);
  printf ("      %-22s default %s\n", spec->name, range->str);
  printf ("      %-22s %s\n", "", spec->summary != NULL ? spec->summary : "");
  g_string_free (range, TRUE);
  g_free (low);
  g_free (high);
  g_free (fallback);
}

static void
print_method (const SsMethod *method, gboolean with_options)
{
  const SsOptionTable *plans = ss_transcription_option_table ();

  printf ("  %-22s %s%s%s\n", method->name, method->summary,
          method->is_built ? "" : " -- not built: ", method->is_built ? "" : method->why_not);
  if (method->solves[0] != '\0')
    printf ("  %-22s Law: %s\n", "", method->solves);
  if (with_options && ssapp_equations_paper (method) != NULL)
    printf ("  %-22s Equations of its paper, lines and tests: stickslip-cli paper equations %s\n", "",
            ssapp_equations_paper (method));
  if (with_options) {
    g_autofree char *page = ssapp_help_method_page (method);
    printf ("  %-22s %s: stickslip-cli guide %s\n", "",
            ssapp_own_find (method) != NULL ? "Of your own" : "What it assumes, and where it errs", page);
  }
  for (int i = 0; with_options && i < method->options->n_specs; i++)
    print_option (&method->options->specs[i]);
  for (int i = 0; with_options && method->kind == SS_METHOD_OPTIMISER && i < plans->n_specs; i++)
    print_option (&plans->specs[i]);
  for (int i = 0; with_options && i < method->options->n_retired; i++)
    printf ("%s%s=%s", i == 0 ? "      Retired, taken with these values alone: " : ", ",
            method->options->retired[i].name, method->options->retired[i].value);
  if (with_options && method->options->n_retired > 0)
    printf ("\n");
}

static void
print_transcriptions (void)
{
  printf ("\nTranscriptions (option transcription of optimisers, on scenes)\n");
  for (int i = 0; i < ss_transcription_count (); i++)
    printf ("  %-22s %s\n", ss_transcription_at (i)->name, ss_transcription_at (i)->summary);
}

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

static const char *
better_name (SsBetter better)
{
  static const char *const names[] = {
      [SS_BETTER_NEITHER] = "neither", [SS_BETTER_LOWER] = "lower", [SS_BETTER_HIGHER] = "higher"};

  return names[better];
}

static json_t *
metric_to_json (const SsMetricSpec *spec)
{
  static const char *const types[] = {
      [SS_METRIC_TYPE_REAL] = "real", [SS_METRIC_TYPE_COUNT] = "integer", [SS_METRIC_TYPE_FLAG] = "boolean"};

  return json_pack ("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", spec->name, "label", spec->label, "unit", spec->unit,
                    "type", types[spec->type], "better", better_name (spec->better), "summary", spec->summary);
}

static int
print_metrics (gboolean json)
{
  json_t *list = json_array ();

  if (!json)
    printf ("%-32s %-6s %-8s %s\n", "metric", "unit", "better", "meaning");
  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const SsMetricSpec *spec = ss_metric_spec ((SsMetric)i);
    if (json)
      json_array_append_new (list, metric_to_json (spec));
    else
      printf ("%-32s %-6s %-8s %s\n", spec->name, spec->unit, better_name (spec->better), spec->summary);
  }
  if (json)
    cli_print_json (list);
  json_decref (list);
  return CLI_OK;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

/* What a method of the user's own starts, with what is known of it. */
static void
print_own (const char *first, const SsappOwn *own)
{
  g_autofree char *words = g_strjoinv (" ", own->command), *command = ssapp_text_visible (words, FALSE);
  g_autofree char *program_version = ssapp_own_program_version (own);
  printf ("%s: %s, %s\n", first, own->file, own->version);
  printf ("command: %s\n", command);
  printf ("program: %s, %s\n", own->program != NULL ? own->program : "not found",
          program_version != NULL ? program_version : "no hash");
  if (own->unhashed != NULL)
    printf ("no hash: %s, which does not lie beside the method's file and may change without being asked again\n",
            own->unhashed);
}

/* It may be run from now on. */
static int
tell_allowed (const SsappOwn *own, const GError *error)
{
  if (own == NULL)
    return cli_fail ("%s", error->message);
  print_own ("allowed", own);
  printf ("It reads and writes what you may. When one of these files changes it asks again.\n");
  return CLI_OK;
}

/* ---- methods that a project keeps -------------------------------------------------------------------------------- */

/* The text of those that the project keeps which has a method of that name; NULL: none has. */
static const char *
find_kept (const GPtrArray *texts, const char *name)
{
  for (guint i = 0; i < texts->len; i++) {
    const SsappOwn *own = ssapp_own_read_kept (g_ptr_array_index (texts, i), NULL);
    if (own != NULL && strcmp (own->method.name, name) == 0)
      return g_ptr_array_index (texts, i);
  }
  return NULL;
}

static int
allow_kept (const GPtrArray *texts, const char *path, const char *name)
{
  g_autoptr (GError) error = NULL;
  const char *text = find_kept (texts, name);

  if (text == NULL)
    return cli_fail ("%s keeps no method '%s'", path, name);
  const SsappOwn *own =
      ssapp_own_allow_kept (text, path, &error); /* not as an argument beside the error that it sets */
  return tell_allowed (own, error);
}

void
cli_tell_kept_method (const char *name, const char *project)
{
  g_autoptr (SsappStore) store = name != NULL && project != NULL ? ssapp_store_open_to_read (project, NULL) : NULL;
  g_autoptr (GPtrArray) texts = store != NULL ? ssapp_store_list_methods (store, NULL) : NULL;

  if (texts != NULL && ssapp_own_find_by_name (name) == NULL && find_kept (texts, name) != NULL) {
    g_autofree char *quoted = g_shell_quote (project);
    cli_fail ("the project keeps '%s': `stickslip-cli methods --allow %s --project %s` lets it run here", name, name,
              quoted);
  }
}

static int
list_kept (const GPtrArray *texts)
{
  for (guint i = 0; i < texts->len; i++) {
    g_autoptr (GError) error = NULL;
    const SsappOwn *own = ssapp_own_read_kept (g_ptr_array_index (texts, i), &error);
    if (own == NULL)
      cli_fail ("%s", error->message);
    else {
      printf ("%s: %s\n", own->method.name, own->method.summary);
      print_own (ssapp_own_is_known (own) ? "it runs here" : "not allowed", own);
    }
  }
  if (texts->len == 0)
    printf ("no method of your own is kept\n");
  return CLI_OK;
}

/* The method's text goes into the project. */
static int
keep (SsappStore *store, const char *name)
{
  g_autoptr (GError) error = NULL;
  const SsappOwn *own = ssapp_own_find_by_name (name);

  if (own == NULL)
    return cli_fail ("'%s' is no method of your own that runs here", name);
  g_autofree char *text = ssapp_own_keep (own, &error);
  if (text == NULL || !ssapp_store_keep_method (store, text, &error))
    return cli_fail ("%s: %s", own->file, error->message);
  print_own ("kept", own);
  return CLI_OK;
}

static int
methods_of_project (const CliArgs *args)
{
  const char *keep_name = cli_args_text (args, "--keep"), *allow = cli_args_text (args, "--allow");
  g_autoptr (GError) error = NULL;
  int status;
  SsappStore *store = cli_open_project (args, FALSE, &status);

  if (store == NULL)
    return status;
  g_autoptr (GPtrArray) texts = ssapp_store_list_methods (store, &error);
  if (texts == NULL)
    status = cli_fail ("%s", error->message);
  else if (keep_name != NULL)
    status = keep (store, keep_name);
  else
    status = allow != NULL ? allow_kept (texts, cli_args_text (args, "--project"), allow) : list_kept (texts);
  const int closed = cli_close_project (&store);
  return status != CLI_OK ? status : closed;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* Files of the user's own methods that cannot be taken; the others are in the list. */
static void
warn_of_own (void)
{
  const GPtrArray *problems = ssapp_own_problems ();

  for (guint i = 0; i < problems->len; i++)
    cli_fail ("%s", (const char *)g_ptr_array_index (problems, i));
}

/* All of them for NULL. */
static int
print_methods (const char *only, gboolean json)
{
  json_t *list = json_array ();
  const char **names = g_new0 (const char *, ss_method_count () + 1);
  int kind = -1, shown = 0, status = CLI_OK;

  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    names[i] = method->name;
    if (only != NULL && strcmp (only, method->name) != 0)
      continue;
    shown++;
    if (json) {
      json_array_append_new (list, method_to_json (method));
      continue;
    }
    if (kind != (int)method->kind)
      printf ("%s%s\n", kind >= 0 ? "\n" : "", ss_method_kind_spec (method->kind)->title);
    kind = (int)method->kind;
    print_method (method, TRUE);
  }
  if (shown == 0) {
    const char *nearest = ss_nearest_name (only, names, ss_method_count ());
    status = nearest != NULL ? cli_fail ("there is no method '%s'; did you mean '%s'?", only, nearest)
                             : cli_fail ("there is no method '%s'", only);
  } else if (json) {
    cli_print_json (list);
  } else if (only == NULL) {
    print_transcriptions ();
  }
  json_decref (list);
  g_free (names);
  return status;
}

int
cli_methods (const CliArgs *args)
{
  const char *only = cli_args_n_positional (args) > 0 ? cli_args_positional (args, 0) : NULL;
  const gboolean json = cli_args_flag (args, "--json");

  const char *allow = cli_args_text (args, "--allow"), *keep_name = cli_args_text (args, "--keep");
  const gboolean has_project = cli_args_text (args, "--project") != NULL;
  g_autoptr (GError) error = NULL;

  if (only != NULL && (allow != NULL || keep_name != NULL || has_project))
    return cli_fail ("--allow, --keep and --project take no other name");
  if (keep_name != NULL && (allow != NULL || !has_project))
    return cli_fail ("--keep needs --project FILE, and does not go with --allow");
  if (has_project)
    return methods_of_project (args);
  if (allow != NULL) {
    const SsappOwn *allowed = ssapp_own_allow (allow, &error);
    return tell_allowed (allowed, error);
  }
  warn_of_own ();
  if (!cli_args_flag (args, "--metrics"))
    return print_methods (only, json);
  return only == NULL ? print_metrics (json) : cli_fail ("--metrics takes no name of a method");
}
