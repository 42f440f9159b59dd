/* app/cli-methods.c: the registry of methods as text and JSON. */
#include "app/cli-common.h"

#include "app/ssapp-json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kind_titles[] = {"Integrators", "Optimisers", "Impact laws"};
static const char *const kind_names[] = {"integrator", "optimiser", "impact-law"};
static const char *const type_names[] = {"real", "integer", "boolean", "choice"};

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
  }
  json_object_set_new (object, "unit", json_string (spec->unit != NULL ? spec->unit : ""));
  json_object_set_new (object, "symbol", json_string (spec->symbol != NULL ? spec->symbol : ""));
  json_object_set_new (object, "common", json_boolean (spec->common));
  json_object_set_new (object, "summary", json_string (spec->summary != NULL ? spec->summary : ""));
  return object;
}

static json_t *
method_to_json (const SsMethod *method)
{
  json_t *object = json_object (), *options = json_array ();

  json_object_set_new (object, "kind", json_string (kind_names[method->kind]));
  json_object_set_new (object, "name", json_string (method->name));
  json_object_set_new (object, "label", json_string (method->label));
  json_object_set_new (object, "summary", json_string (method->summary));
  json_object_set_new (object, "built", json_boolean (method->is_built));
  if (!method->is_built)
    json_object_set_new (object, "why_not", json_string (method->why_not));
  for (int i = 0; i < method->options->n_specs; i++)
    json_array_append_new (options, option_to_json (&method->options->specs[i]));
  for (int i = 0; method->kind == SS_METHOD_OPTIMISER && i < ss_transcribe_option_table.n_specs; i++) {
    json_t *option = option_to_json (&ss_transcribe_option_table.specs[i]);
    json_object_set_new (option, "scenes_only", json_true ());
    json_array_append_new (options, option);
  }
  json_object_set_new (object, "options", options);
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
  printf ("  %-22s %s%s%s\n", method->name, method->summary,
          method->is_built ? "" : " -- not built: ", method->is_built ? "" : method->why_not);
  for (int i = 0; with_options && i < method->options->n_specs; i++)
    print_option (&method->options->specs[i]);
  for (int i = 0; with_options && method->kind == SS_METHOD_OPTIMISER && i < ss_transcribe_option_table.n_specs; i++)
    print_option (&ss_transcribe_option_table.specs[i]);
}

int
cli_methods (const CliArgs *args)
{
  const char *only = cli_args_n_positional (args) > 0 ? cli_args_positional (args, 0) : NULL;
  const gboolean json = cli_args_flag (args, "--json");
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
      printf ("%s%s\n", kind >= 0 ? "\n" : "", kind_titles[method->kind]);
    kind = (int)method->kind;
    print_method (method, TRUE);
  }
  if (shown == 0) {
    const char *nearest = ss_nearest_name (only, names, ss_method_count ());
    status = nearest != NULL ? cli_fail ("there is no method '%s'; did you mean '%s'?", only, nearest)
                             : cli_fail ("there is no method '%s'", only);
  } else if (json) {
    cli_print_json (list);
  }
  json_decref (list);
  g_free (names);
  return status;
}
