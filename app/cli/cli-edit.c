/* app/cli/cli-edit.c: the verb `edit`: fields of a scenario's file, changed by their paths; bodies that are cut. */
#include "app/cli/cli-sketch.h"

#include "app/cli/cli-common.h"
#include "app/document/ssapp-document.h"
#include "app/session/ssapp-find-time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* JSON as it is; what is none is a text: a formula. g_free. */
static char *
value_text (const char *value)
{
  json_t *json = json_loads (value, JSON_DECODE_ANY, NULL);
  char *text;

  if (json == NULL)
    json = json_string (value);
  text = json_dumps (json, JSON_ENCODE_ANY | JSON_REAL_PRECISION (17));
  json_decref (json);
  return text;
}

/* "X,Y,X,Y" or "BODY:X,Y,X,Y" cuts; what became of it is told. */
static gboolean
cut (const CliArgs *args, SsappDocument *document, const char *text, GError **error)
{
  const char *colon = strchr (text, ':');
  g_autofree char *body = colon != NULL ? g_strndup (text, (gsize)(colon - text)) : NULL, *told = NULL;
  g_auto (GStrv) words = g_strsplit (colon != NULL ? colon + 1 : text, ",", -1);
  double ends[4];
  gboolean is_stroke = g_strv_length (words) == G_N_ELEMENTS (ends);

  for (gsize i = 0; is_stroke && i < G_N_ELEMENTS (ends); i++)
    is_stroke = ss_parse_double (words[i], &ends[i]) && isfinite (ends[i]);
  if (!is_stroke) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "--cut takes the ends of a stroke [m], as X,Y,X,Y or BODY:X,Y,X,Y, not '%s'", text);
    return FALSE;
  }
  if (!ssapp_document_cut (document, (SsVec2){ends[0], ends[1]}, (SsVec2){ends[2], ends[3]}, body, &told, error))
    return FALSE;
  if (!cli_args_flag (args, "--quiet"))
    fprintf (stderr, "%s\n", told);
  return TRUE;
}

/* FALSE after an error that was told. */
static gboolean
apply (const CliArgs *args, SsappDocument *document)
{
  GPtrArray *without = cli_args_list (args, "--without"), *fields = cli_args_list (args, "--field"),
            *cuts = cli_args_list (args, "--cut");
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree SsEdit *edits = g_new0 (SsEdit, without->len + fields->len + 1);
  g_autoptr (GError) error = NULL;
  int n = 0;

  for (guint i = 0; i < without->len; i++)
    edits[n++].path = g_ptr_array_index (without, i);
  for (guint i = 0; i < fields->len; i++) {
    const char *value;
    char *path, *text;
    cli_args_split (g_ptr_array_index (fields, i), &path, &value);
    text = value_text (value);
    g_ptr_array_add (texts, path);
    g_ptr_array_add (texts, text);
    edits[n++] = (SsEdit){path, text};
  }
  const gboolean finds_time = cli_args_flag (args, "--find-time");
  g_autofree char *told = NULL;
  if (n == 0 && cuts->len == 0 && !finds_time) {
    cli_fail ("'edit' needs --field PATH=VALUE, --without PATH, --cut X,Y,X,Y or --find-time");
    return FALSE;
  }
  gboolean done = n == 0 || ssapp_document_apply_edits (document, edits, n, "Edit fields", &error);
  for (guint i = 0; done && i < cuts->len; i++)
    done = cut (args, document, g_ptr_array_index (cuts, i), &error);
  if (done && (!finds_time || ssapp_find_time (document, &told, &error)))
    return TRUE;
  cli_fail ("%s", error->message);
  return FALSE;
}

int
cli_edit (const CliArgs *args)
{
  const char *path = cli_args_positional (args, 0), *to = cli_args_text (args, "--to");
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  g_autofree char *text = cli_read_text (path);
  g_autoptr (GError) error = NULL;

  if (text == NULL)
    return CLI_BAD_INPUT;
  if (!ssapp_document_load_text (document, text, -1, path, &error))
    return cli_fail ("%s", error->message);
  if (!apply (args, document))
    return CLI_BAD_INPUT;
  if (to == NULL) {
    fputs (ssapp_document_get_text (document), stdout);
    return CLI_OK;
  }
  if (!ssapp_document_save (document, to, &error)) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  if (!cli_args_flag (args, "--quiet"))
    printf ("%s\n", to);
  return CLI_OK;
}
