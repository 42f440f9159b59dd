/* app/export/ssapp-export-data.c: numbers as text: the data behind a figure. RFC 4180,
 * '.' in every locale. */
#include "app/export/ssapp-export-private.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the data behind a figure ------------------------------------------------------------------------------------ */

static void
curve_to_csv (const SsappFigureCurve *curve, gpointer data)
{
  g_autofree char *quantity = ssapp_figure_curve_name (curve);
  GString *out = data;

  for (int i = 0; i < curve->n; i++) {
    ssapp_csv_append_text (out, curve->run->label);
    g_string_append_c (out, ',');
    ssapp_csv_append_text (out, curve->run->method.name);
    g_string_append_c (out, ',');
    ssapp_csv_append_text (out, quantity);
    g_string_append_printf (out, ",%s,", curve->x_name);
    ssapp_csv_append_number (out, curve->x[i]);
    g_string_append_c (out, ',');
    ssapp_csv_append_number (out, curve->y[(gsize)i * curve->stride]);
    g_string_append_c (out, '\n');
  }
}

gboolean
ssapp_write_csv (const SsappSheet *sheet, const char *path, GError **error)
{
  g_autoptr (GString) out = g_string_new ("run,method,quantity,x_name,x,y\n");

  ssapp_figure_for_each_curve (sheet->figure, curve_to_csv, out);
  return ssapp_write_file (path, out->str, (gssize)out->len, error);
}

static json_t *
number_or_null (double value)
{
  return isfinite (value) ? json_real (value) : json_null ();
}

static json_t *
text_or_null (const char *text)
{
  return text != NULL ? json_string (text) : json_null ();
}

static void
curve_to_json (const SsappFigureCurve *curve, gpointer data)
{
  json_t *object = json_object (), *x = json_array (), *y = json_array ();
  g_autofree char *quantity = ssapp_figure_curve_name (curve);

  for (int i = 0; i < curve->n; i++) {
    json_array_append_new (x, number_or_null (curve->x[i]));
    json_array_append_new (y, number_or_null (curve->y[(gsize)i * curve->stride]));
  }
  json_object_set_new (object, "run", text_or_null (curve->run->label));
  json_object_set_new (object, "method", text_or_null (curve->run->method.name));
  json_object_set_new (object, "outcome", text_or_null (curve->run->outcome));
  json_object_set_new (object, "quantity", text_or_null (quantity));
  json_object_set_new (object, "x_name", json_string (curve->x_name));
  json_object_set_new (object, "x", x);
  json_object_set_new (object, "y", y);
  json_array_append_new (data, object);
}

gboolean
ssapp_write_json (const SsappSheet *sheet, const char *path, GError **error)
{
  const SsScenario *scenario = sheet->figure->scenario;
  json_t *root = json_object (), *curves = json_array ();
  g_autoptr (GString) out = g_string_new (NULL);

  ssapp_figure_for_each_curve (sheet->figure, curve_to_json, curves);
  json_object_set_new (root, "format", json_integer (1));
  json_object_set_new (root, "scenario", text_or_null (scenario != NULL ? scenario->name : NULL));
  json_object_set_new (root, "curves", curves);
  char *text = json_dumps (root, JSON_REAL_PRECISION (17) | JSON_COMPACT);
  g_string_append (out, text != NULL ? text : "{}");
  g_string_append_c (out, '\n');
  free (text);
  json_decref (root);
  return ssapp_write_file (path, out->str, (gssize)out->len, error);
}
