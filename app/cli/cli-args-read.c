/* app/cli/cli-args-read.c: what was given on the command line, after it was parsed. */
#include "app/cli/cli-args-private.h"

#include "app/base/ssapp-memory.h"

#include <math.h>
#include <string.h>

const CliVerb *
cli_args_verb (const CliArgs *args)
{
  return args->verb;
}

int
cli_args_n_positional (const CliArgs *args)
{
  return (int)args->positional->len;
}

const char *
cli_args_positional (const CliArgs *args, int index)
{
  return (guint)index < args->positional->len ? g_ptr_array_index (args->positional, (guint)index) : NULL;
}

gboolean
cli_args_name_all (const CliArgs *args)
{
  return cli_args_n_positional (args) == 1 && strcmp (cli_args_positional (args, 0), "all") == 0;
}

gboolean
cli_args_flag (const CliArgs *args, const char *name)
{
  return g_hash_table_contains (args->values, name);
}

const char *
cli_args_text (const CliArgs *args, const char *name)
{
  GPtrArray *list = g_hash_table_lookup (args->values, name);

  return list != NULL ? g_ptr_array_index (list, list->len - 1) : NULL;
}

double
cli_args_number (const CliArgs *args, const char *name, double fallback)
{
  const char *text = cli_args_text (args, name);
  double value;

  return text != NULL && ss_parse_double (text, &value) ? value : fallback;
}

double
cli_args_size (const CliArgs *args, const char *name, double fallback)
{
  const char *text = cli_args_text (args, name);
  double value;

  return text != NULL && ssapp_memory_parse (text, &value) ? value : fallback;
}

GPtrArray *
cli_args_list (const CliArgs *args, const char *name)
{
  GPtrArray *list = g_hash_table_lookup (args->values, name);

  return list != NULL ? list : args->nothing;
}

void
cli_args_split (const char *pair, char **name, const char **value)
{
  const char *sign = strchr (pair, '=');

  *name = g_strndup (pair, (gsize)(sign - pair));
  *value = sign + 1;
}
