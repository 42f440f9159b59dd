/* app/cli/cli-edit.c: the verb `edit`: fields of a scenario's file, changed by their paths; bodies cut or traced. */
#include "app/cli/cli-sketch.h"

#include "app/cli/cli-common.h"
#include "app/document/ssapp-document.h"
#include "app/draw/ssapp-underlay.h"
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

/* "X,Y" of an option, in [m] or pixels. */
static gboolean
take_pair (const CliArgs *args, const char *option, double pair[2], GError **error)
{
  const char *text = cli_args_text (args, option);
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);

  if (text == NULL || (g_strv_length (words) == 2 && ss_parse_double (words[0], &pair[0]) &&
                       ss_parse_double (words[1], &pair[1]) && isfinite (pair[0]) && isfinite (pair[1])))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s takes two numbers, X,Y, not '%s'", option, text);
  return FALSE;
}

/* A region of a picture becomes a body. */
static gboolean
trace (const CliArgs *args, SsappDocument *document, const char *path, GError **error)
{
  g_autoptr (SsappUnderlay) underlay = ssapp_underlay_load (path, error);
  double corner[2] = {0, 0};
  int n;

  if (underlay == NULL)
    return FALSE;
  const int *given = underlay->given; /* columns and rows; what is traced can have fewer */
  double pixel[2] = {given[0] / 2, given[1] / 2};
  if (!take_pair (args, "--corner", corner, error) || !take_pair (args, "--pixel", pixel, error))
    return FALSE;
  if (!(pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] <= given[0] - 1 && pixel[1] <= given[1] - 1)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the picture of %d x %d pixels has no pixel %g,%g",
                 given[0], given[1], pixel[0], pixel[1]);
    return FALSE;
  }
  underlay->at = (SsVec2){corner[0], corner[1]};
  underlay->width = cli_args_number (args, "--width", underlay->width);
  const double share = ssapp_underlay_columns (underlay) / (double)given[0];
  underlay->likeness = cli_args_number (args, "--likeness", 100 * underlay->likeness) / 100;
  underlay->fineness = share * cli_args_number (args, "--fineness", underlay->fineness / share);
  if (!(underlay->width > 0) || !(underlay->fineness > 0) || !(underlay->likeness >= 0 && underlay->likeness <= 1)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "--trace needs a --width and a --fineness above 0, and a --likeness of 0 to 100");
    return FALSE;
  }
  const SsVec2 at = {underlay->at.x + underlay->width * (pixel[0] + 0.5) / given[0],
                     underlay->at.y + ssapp_underlay_height (underlay) * (1 - (pixel[1] + 0.5) / given[1])};
  g_autofree SsVec2 *corners = ssapp_underlay_trace (underlay, at, &n, error);
  if (corners == NULL || !ssapp_document_draw_shape (document, SSAPP_SHAPE_POLYGON, corners, n, NULL, error))
    return FALSE;
  if (!cli_args_flag (args, "--quiet"))
    fprintf (stderr, "%s: %d corners\n", ssapp_document_get_selected (document), n);
  return TRUE;
}

/* FALSE after an error that was told. */
static gboolean
check_trace (const CliArgs *args)
{
  static const char *const of_trace[] = {"--pixel", "--width", "--corner", "--likeness", "--fineness", NULL};

  return cli_args_text (args, "--trace") != NULL ||
         cli_args_none (args, " without --trace", of_trace, "it is of the picture of --trace") == CLI_OK;
}

/* FALSE after an error that was told. */
static gboolean
apply (const CliArgs *args, SsappDocument *document)
{
  GPtrArray *without = cli_args_list (args, "--without"), *fields = cli_args_list (args, "--field"),
            *cuts = cli_args_list (args, "--cut");
  const char *picture = cli_args_text (args, "--trace");
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
  if (n == 0 && cuts->len == 0 && picture == NULL && !finds_time) {
    cli_fail ("'edit' needs --field PATH=VALUE, --without PATH, --cut X,Y,X,Y, --trace PICTURE or --find-time");
    return FALSE;
  }
  gboolean done = n == 0 || ssapp_document_apply_edits (document, edits, n, "Edit fields", &error);
  for (guint i = 0; done && i < cuts->len; i++)
    done = cut (args, document, g_ptr_array_index (cuts, i), &error);
  if (done && picture != NULL)
    done = trace (args, document, picture, &error);
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

  if (text == NULL || !check_trace (args))
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
