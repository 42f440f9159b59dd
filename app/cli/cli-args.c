/* app/cli/cli-args.c: see cli-args.h. */
#include "app/cli/cli-args-private.h"

#include "app/base/ssapp-memory.h"
#include "app/base/ssapp-text.h"
#include "app/export/ssapp-plot-kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int
cli_fail (const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *text = g_strdup_vprintf (format, list);
  va_end (list);
  g_autofree char *shown = ssapp_text_visible (text, TRUE);
  fprintf (stderr, "stickslip-cli: %s\n", shown);
  return CLI_BAD_INPUT;
}

int
cli_check_ending (const char *kind, const char *path)
{
  g_autoptr (GError) error = NULL;

  return ssapp_endings_check (kind, path, &error) ? CLI_OK : cli_fail ("%s", error->message);
}

/* ---- help -------------------------------------------------------------------------------------------------------- */

const char *const cli_exit_statuses[] = {"success",
                                         "the method ended without success",
                                         "wrong input or command line",
                                         "cancelled, or a limit of time or CPU time",
                                         "something failed that should not have",
                                         NULL};

char *
cli_option_summary (const CliOption *option)
{
  g_autofree char *words = option->words != NULL  ? option->words ()
                           : option->file != NULL ? ssapp_endings_list (option->file)
                                                  : NULL;
  const char *at = words != NULL ? strstr (option->summary, "%s") : NULL;

  return at == NULL ? g_strdup (option->summary)
                    : g_strdup_printf ("%.*s%s%s", (int)(at - option->summary), option->summary, words, at + 2);
}

/* Which plot is written in which formats: those of a verb that makes no runs, or those of runs. */
static void
print_plots (guint64 groups)
{
  guint n;
  const SsappPlotKind *plots = ssapp_plot_kinds (&n);

  printf ("\nFormats of each plot:\n");
  for (guint i = 0; i < n; i++) {
    g_autofree char *endings = ssapp_endings_text (plots[i].file.name);
    if (plots[i].of == SSAPP_PLOT_FIT    ? (groups & CLI_HAS_FIT) != 0
        : plots[i].of == SSAPP_PLOT_PULL ? (groups & CLI_HAS_PULL) != 0
                                         : (groups & CLI_HAS_EXPORT) != 0)
      printf ("  %-24s %s\n", plots[i].file.name, endings);
  }
}

void
cli_print_verb_help (const CliVerb *verb)
{
  g_return_if_fail (verb != NULL);

  guint n;

  printf ("Usage: stickslip-cli %s %s%s[options]\n\n%s\n", verb->name, verb->positional,
          verb->positional[0] != '\0' ? " " : "", verb->summary);
  if (verb->alias != NULL)
    printf ("(also: %s)\n", verb->alias);
  if (verb->details != NULL)
    printf ("\n%s\n", verb->details);
  printf ("\nOptions:\n");
  const CliOption *options = cli_option_list (&n);
  for (guint i = 0; i < n; i++) {
    g_autofree char *summary = cli_option_summary (&options[i]);
    char left[40];
    if ((options[i].groups & verb->options) == 0 && options[i].groups != ~0u)
      continue;
    g_snprintf (left, sizeof left, "%s%s%s", options[i].name, options[i].value != NULL ? " " : "",
                options[i].value != NULL ? options[i].value : "");
    printf ("  %-24s %s\n", left, summary);
  }
  if (verb->options & (CLI_HAS_EXPORT | CLI_HAS_FIT | CLI_HAS_PULL))
    print_plots (verb->options);
  printf ("\nExit status:\n");
  for (int i = 0; cli_exit_statuses[i] != NULL; i++)
    printf ("  %d  %s\n", i, cli_exit_statuses[i]);
}

/* ---- parsing ----------------------------------------------------------------------------------------------------- */

const CliOption *
cli_option_find (const CliVerb *verb, const char *name)
{
  guint n;
  const CliOption *options = cli_option_list (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (options[i].name, name) == 0 && (options[i].groups & (verb->options | (options[i].groups == ~0u))) != 0)
      return &options[i];
  return NULL;
}

static int
fail_unknown (const CliVerb *verb, const char *name)
{
  guint n_options;
  const CliOption *options = cli_option_list (&n_options);
  g_autofree const char **names = g_new (const char *, n_options);
  int n = 0;

  for (guint i = 0; i < n_options; i++) {
    if (strcmp (options[i].name, name) == 0) /* no slip of the pen */
      return cli_fail ("'%s' has no option '%s': it is of other verbs; see `stickslip-cli %s --help`", verb->name, name,
                       verb->name);
    if (cli_option_find (verb, options[i].name) != NULL)
      names[n++] = options[i].name;
  }
  const char *nearest = ss_nearest_name (name, names, n);
  if (nearest != NULL)
    return cli_fail ("'%s' has no option '%s'; did you mean '%s'?", verb->name, name, nearest);
  return cli_fail ("'%s' has no option '%s'; see `stickslip-cli %s --help`", verb->name, name, verb->name);
}

static gboolean
is_count (const char *text)
{
  guint64 value;

  return g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &value, NULL);
}

/* NULL when the value is fine, else what was expected. */
static const char *
check_value (const CliOption *option, const char *value)
{
  const char *sign;
  double number;

  switch (option->kind) {
  case KIND_NUMBER:
    return ss_parse_double (value, &number) ? NULL : "a number";
  case KIND_SECONDS:
    return ss_parse_double (value, &number) && number >= 0 ? NULL : "a number of seconds, not negative";
  case KIND_SIZE:
    return ssapp_memory_parse (value, &number) && number >= SSAPP_MEMORY_LEAST
               ? NULL
               : "bytes, or a number with K, M or G, and at least 300M, which the program itself takes";
  case KIND_COUNT:
    return is_count (value) ? NULL : "a whole number, not negative";
  case KIND_PAIR:
  case KIND_NUMBER_PAIR:
    sign = strchr (value, '=');
    if (sign == NULL || sign == value)
      return "NAME=VALUE";
    return option->kind == KIND_PAIR || ss_parse_double (sign + 1, &number) ? NULL
                                                                            : "NAME=VALUE with a number as value";
  case KIND_FLAG:
  case KIND_TEXT:
    break;
  }
  return value[0] != '\0' ? NULL : "a text";
}

static void
store_value (CliArgs *args, const char *name, const char *value)
{
  GPtrArray *list = g_hash_table_lookup (args->values, name);

  if (list == NULL) {
    list = g_ptr_array_new_with_free_func (g_free);
    g_hash_table_insert (args->values, g_strdup (name), list);
  }
  g_ptr_array_add (list, g_strdup (value));
}

/* Reads the option at argv[*i] and, where it takes one, its value; returns 0 or an exit status. */
static int
parse_option (CliArgs *args, int argc, char **argv, int *i)
{
  const char *equals = strchr (argv[*i], '=');
  char *name = equals != NULL ? g_strndup (argv[*i], (gsize)(equals - argv[*i])) : g_strdup (argv[*i]);
  const CliOption *option = cli_option_find (args->verb, name);
  const char *value = equals != NULL ? equals + 1 : NULL, *expected;
  int status = CLI_OK;

  if (option == NULL) {
    status = fail_unknown (args->verb, name);
  } else if (option->kind == KIND_FLAG) {
    status = value != NULL ? cli_fail ("option %s takes no value", name) : CLI_OK;
    if (status == CLI_OK)
      store_value (args, name, "");
  } else {
    if (value == NULL && *i + 1 < argc)
      value = argv[++*i];
    if (value == NULL)
      status = cli_fail ("option %s needs a value: %s", name, option->value);
    else if ((expected = check_value (option, value)) != NULL)
      status = cli_fail ("option %s: '%s' is not what was expected (%s)", name, value, expected);
    else if (option->file != NULL && cli_check_ending (option->file, value) != CLI_OK)
      status = CLI_BAD_INPUT;
    else
      store_value (args, name, value);
  }
  g_free (name);
  return status;
}

CliArgs *
cli_args_parse (const CliVerb *verb, int argc, char **argv, int *status)
{
  g_return_val_if_fail (verb != NULL && argv != NULL && status != NULL, NULL);

  CliArgs *args = g_new0 (CliArgs, 1);
  gboolean only_positional = FALSE;

  args->verb = verb;
  args->positional = g_ptr_array_new_with_free_func (g_free);
  args->nothing = g_ptr_array_new ();
  args->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
  *status = CLI_OK;
  for (int i = 0; i < argc && *status == CLI_OK; i++) {
    if (!only_positional && strcmp (argv[i], "--") == 0)
      only_positional = TRUE;
    else if (!only_positional && strcmp (argv[i], "-h") == 0)
      store_value (args, "--help", "");
    else if (!only_positional && argv[i][0] == '-' && argv[i][1] != '\0')
      *status = parse_option (args, argc, argv, &i);
    else
      g_ptr_array_add (args->positional, g_strdup (argv[i]));
    if (*status == CLI_OK && i < argc && argv[i][0] == '\0')
      *status = cli_fail ("an argument of '%s' is empty", verb->name);
  }
  if (*status == CLI_OK && cli_args_flag (args, "--help")) {
    cli_print_verb_help (verb);
    g_clear_pointer (&args, cli_args_free);
    return NULL;
  }
  const int n = (int)args->positional->len;
  if (*status == CLI_OK && n < verb->min_positional)
    *status = cli_fail ("'%s' needs %s; see `stickslip-cli %s --help`", verb->name, verb->positional, verb->name);
  if (*status == CLI_OK && n > verb->max_positional)
    *status = cli_fail ("'%s' does not know what to do with '%s'", verb->name,
                        cli_args_positional (args, verb->max_positional));
  if (*status != CLI_OK)
    g_clear_pointer (&args, cli_args_free);
  return args;
}

void
cli_args_free (CliArgs *args)
{
  if (args == NULL)
    return;
  g_ptr_array_unref (args->positional);
  g_ptr_array_unref (args->nothing);
  g_hash_table_unref (args->values);
  g_free (args);
}

/* ---- options that do not go together ----------------------------------------------------------------------------- */

/* The first option given, in the order of the table, that is among `names`, or is not; NULL: there is none. */
static const char *
find_given (const CliArgs *args, const char *const *names, gboolean is_among)
{
  guint n;
  const CliOption *options = cli_option_list (&n);

  for (guint i = 0; i < n; i++)
    if (cli_args_flag (args, options[i].name) && cli_option_find (args->verb, options[i].name) == &options[i] &&
        g_strv_contains (names, options[i].name) == is_among)
      return options[i].name;
  return NULL;
}

static int
refuse (const CliArgs *args, const char *mode, const char *name, const char *why)
{
  return name == NULL ? CLI_OK : cli_fail ("'%s%s' does not take %s: %s", args->verb->name, mode, name, why);
}

int
cli_args_only (const CliArgs *args, const char *mode, const char *const *names, const char *why)
{
  return refuse (args, mode, find_given (args, names, FALSE), why);
}

int
cli_args_none (const CliArgs *args, const char *mode, const char *const *names, const char *why)
{
  return refuse (args, mode, find_given (args, names, TRUE), why);
}
