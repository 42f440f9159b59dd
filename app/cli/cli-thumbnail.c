/* app/cli/cli-thumbnail.c: the hidden verb `thumbnail`: a small picture of a scenario, or of where a project was,
 * for file managers (data/org.stickslip.Stickslip.thumbnailer).
 *
 *   stickslip-cli thumbnail FILE PICTURE SIZE    PICTURE: a PNG of SIZE x SIZE pixels or less, 16 to 2048
 *
 * Nothing is written beside it. Tests: tests/cli/test-installed.sh */
#include "app/cli/cli-args.h"

#include "app/base/ssapp-file.h"
#include "app/session/ssapp-sketch-picture.h"
#include "app/store/ssapp-store-sketch.h"
#include "app/store/ssapp-store.h"

#include <string.h>

/* The newest of the project's sketches, else the scenario of its newest run; g_free. NULL: it has none, or an error. */
static char *
text_of_project (const char *path, GError **error)
{
  g_autoptr (SsappStore) store = ssapp_store_open (path, FALSE, error);
  g_autoptr (GPtrArray) sketches = store != NULL ? ssapp_store_list_sketches (store, error) : NULL;
  char *text = NULL;

  if (sketches != NULL && sketches->len > 0) {
    SsappSketchRow *row =
        ssapp_store_get_sketch (store, ((SsappSketchRow *)g_ptr_array_index (sketches, 0))->id, error);
    text = row != NULL ? g_strdup (row->text) : NULL;
    ssapp_sketch_row_free (row);
  } else if (sketches != NULL) {
    g_autoptr (GPtrArray) runs = ssapp_store_list_runs (store, NULL, 0, error);
    if (runs != NULL && runs->len > 0)
      text = ssapp_store_get_scenario_text (store, ((SsappRunRow *)g_ptr_array_index (runs, 0))->id, error);
  }
  return text;
}

int
cli_thumbnail (const char *path, const char *picture, const char *size)
{
  g_return_val_if_fail (path != NULL && picture != NULL && size != NULL, CLI_BROKEN);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  SsappStyle style;
  guint64 pixels;

  if (!g_ascii_string_to_unsigned (size, 10, 16, 2048, &pixels, &error))
    return cli_fail ("%s", error->message);
  if (g_str_has_suffix (path, ".stickslip"))
    text = text_of_project (path, &error);
  else
    ssapp_read_file (path, SS_SCENARIO_MAX_BYTES, &text, NULL, &error);
  if (error != NULL)
    return cli_fail ("%s", error->message);
  ssapp_style_init (&style, FALSE);
  cairo_surface_t *surface = text != NULL ? ssapp_sketch_picture (text, &style, (int)pixels, (int)pixels) : NULL;
  if (surface == NULL)
    return cli_fail ("%s: nothing to be seen", path);
  const cairo_status_t status = cairo_surface_write_to_png (surface, picture);
  cairo_surface_destroy (surface);
  return status == CAIRO_STATUS_SUCCESS ? CLI_OK : cli_fail ("%s: %s", picture, cairo_status_to_string (status));
}
