/* app/session/ssapp-sketch-picture.c: see the header. */
#include "app/session/ssapp-sketch-picture.h"

#include "app/document/ssapp-document.h"

cairo_surface_t *
ssapp_sketch_picture (const char *text, const SsappStyle *style, int width, int height)
{
  const double margin = 10; /* px */
  const SsappSceneFlags flags = {0};
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  cairo_surface_t *surface;
  SsappCamera camera;
  double bounds[4];
  int n_marks;

  if (!ssapp_document_load_text (document, text, -1, NULL, NULL))
    return NULL;
  const SsMark *marks = ssapp_document_get_marks (document, &n_marks);
  if (marks == NULL || n_marks == 0)
    return NULL;
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);
  ssapp_document_get_bounds (document, bounds);
  ssapp_camera_fit (&camera, bounds, width, height, margin);
  ssapp_draw_marks (cr, style, &camera, marks, n_marks, &flags);
  cairo_destroy (cr);
  return surface;
}

char *
ssapp_sketch_age (const char *changed, GDateTime *now)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_iso8601 (changed, NULL);
  g_autoptr (GDateTime) local = then != NULL ? g_date_time_to_timezone (then, g_date_time_get_timezone (now)) : NULL;

  if (local == NULL)
    return g_strdup ("");
  const GTimeSpan age = g_date_time_difference (now, local);
  if (age < G_TIME_SPAN_DAY && g_date_time_get_day_of_year (local) == g_date_time_get_day_of_year (now))
    return g_date_time_format (local, "%H:%M");
  return g_date_time_format (local, age < 6 * G_TIME_SPAN_DAY ? "%A" : "%-d %b %Y");
}
