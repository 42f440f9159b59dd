/* app/cli/cli-schema.c: the verb `schema`. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-json.h"
#include "app/schema/ssapp-schemas.h"

#include <stdio.h>

int
cli_schema (const CliArgs *args)
{
  const char *name = cli_args_positional (args, 0);
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; ssapp_schemas[i] != NULL; i++) {
    if (g_str_equal (ssapp_schemas[i]->name, name)) {
      json_t *schema = ssapp_schema_to_json (ssapp_schemas[i]);
      g_autofree char *text = ssapp_json_text (schema, TRUE);
      json_decref (schema);
      printf ("%s\n", text);
      return CLI_OK;
    }
    g_string_append_printf (names, "%s%s",
                            i == 0                         ? ""
                            : ssapp_schemas[i + 1] != NULL ? ", "
                                                           : " or ",
                            ssapp_schemas[i]->name);
  }
  return cli_fail ("'%s' is no document with a schema: %s", name, names->str);
}
