/* tests/unit/test-underlay.c: the picture under a sketch: as text and back, its scale, what is traced of it, bounds of
 * its size. Truth: rectangles by hand. */
#include "app/draw/ssapp-underlay.h"

#include "tests/ss-test.h"

#include <math.h>
#include <string.h>

static const double EXACT = 1e-12;

/* White, with a red rectangle from pixel (20, 10) as far as (80, 90). */
static cairo_surface_t *
paint (int width, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_set_source_rgb (cr, 0.8, 0.1, 0.1);
  cairo_rectangle (cr, 20, 10, 60, 80);
  cairo_fill (cr);
  cairo_destroy (cr);
  return surface;
}

static void
test_trace (void)
{
  cairo_surface_t *surface = paint (200, 100);
  g_autoptr (SsappUnderlay) one = ssapp_underlay_new (surface, NULL), back = NULL;
  g_autoptr (GError) error = NULL;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  int n = 0;

  cairo_surface_destroy (surface);
  SS_CHECK_NEAR (ssapp_underlay_height (one), 0.5, EXACT);
  one->at = (SsVec2){-1, 2};
  one->width = 2; /* a pixel is a centimetre */
  one->opacity = 0.25;
  one->likeness = 0.1;
  one->fineness = 0.5;
  one->is_shown = FALSE;
  g_autofree char *json = ssapp_underlay_to_json (one);
  back = ssapp_underlay_from_json (json);
  SS_CHECK (back != NULL && !back->is_shown && ssapp_underlay_columns (back) == 200 &&
            ssapp_underlay_rows (back) == 100);
  SS_CHECK_NEAR (back->at.x, -1, 0);
  SS_CHECK_NEAR (back->at.y, 2, 0);
  SS_CHECK_NEAR (back->width, 2, 0);
  SS_CHECK_NEAR (back->opacity, 0.25, 0);
  SS_CHECK_NEAR (back->likeness, 0.1, 0);
  SS_CHECK_NEAR (back->fineness, 0.5, 0);
  SS_CHECK (strcmp (back->png, one->png) == 0); /* as it was kept, not made again */
  back->likeness = 1;                           /* everything is alike: the whole picture */
  g_autofree SsVec2 *whole = ssapp_underlay_trace (back, (SsVec2){-0.5, 2.5}, &n, &error);
  SS_CHECK (n == 4);
  for (int i = 0; i < n; i++)
    SS_CHECK_NEAR (fabs (whole[i].x), 1, EXACT);
  back->likeness = one->likeness;
  g_autofree SsVec2 *corners = ssapp_underlay_trace (back, (SsVec2){-0.5, 2.5}, &n, &error);
  SS_CHECK (n == 4);
  for (int i = 0; i < n; i++) {
    low[0] = fmin (low[0], corners[i].x);
    low[1] = fmin (low[1], corners[i].y);
    high[0] = fmax (high[0], corners[i].x);
    high[1] = fmax (high[1], corners[i].y);
  }
  SS_CHECK_NEAR (low[0], -0.8, EXACT);
  SS_CHECK_NEAR (high[0], -0.2, EXACT);
  SS_CHECK_NEAR (low[1], 2.1, EXACT);
  SS_CHECK_NEAR (high[1], 2.9, EXACT);
  SS_CHECK (ssapp_underlay_trace (back, (SsVec2){1.1, 2.5}, &n, &error) == NULL);
  SS_CHECK_STR (error->message, "there is no picture at that place");
}

static void
test_scale (void)
{
  cairo_surface_t *surface = paint (200, 100);
  g_autoptr (SsappUnderlay) one = ssapp_underlay_new (surface, NULL);

  cairo_surface_destroy (surface);
  SS_CHECK (
      ssapp_underlay_set_distance (one, (SsVec2){0.5, 0.25}, (SsVec2){0.5, 0.35}, 0.3)); /* three times as large */
  SS_CHECK_NEAR (one->width, 3, EXACT);
  SS_CHECK_NEAR (one->at.x, 0.5 - 3 * 0.5, EXACT); /* the first point stays */
  SS_CHECK_NEAR (one->at.y, 0.25 - 3 * 0.25, EXACT);
  SS_CHECK (!ssapp_underlay_set_distance (one, (SsVec2){1, 1}, (SsVec2){1, 1}, 1));
  SS_CHECK (!ssapp_underlay_set_distance (one, (SsVec2){1, 1}, (SsVec2){2, 1}, 0));
}

/* A larger one becomes smaller, also where noise makes its PNG large. */
static void
test_bounds (void)
{
  cairo_surface_t *surface = paint (3000, 1200);
  g_autoptr (SsappUnderlay) wide = ssapp_underlay_new (surface, NULL), noisy = NULL;

  cairo_surface_destroy (surface);
  SS_CHECK (ssapp_underlay_columns (wide) == SSAPP_UNDERLAY_SIDE && ssapp_underlay_rows (wide) == 819);
  SS_CHECK (wide->given[0] == 3000 && wide->given[1] == 1200);
  surface = paint (1600, 1200);
  guint32 state = 1;
  for (int i = 0; i < 1600 * 1200 * 4; i++) {
    state = state * 1664525u + 1013904223u;
    cairo_image_surface_get_data (surface)[i] = i % 4 == 3 ? 255 : (guchar)(state >> 24);
  }
  cairo_surface_mark_dirty (surface);
  noisy = ssapp_underlay_new (surface, NULL);
  cairo_surface_destroy (surface);
  g_autofree char *json = ssapp_underlay_to_json (noisy);
  SS_CHECK (ssapp_underlay_columns (noisy) < 1600 && strlen (json) < SSAPP_UNDERLAY_BYTES / 3 * 4 + 1000);
  SS_CHECK (ssapp_underlay_from_json ("{\"png\": \"AAAA\", \"width\": 1}") == NULL);
  SS_CHECK (ssapp_underlay_from_json ("[]") == NULL);
  /* Of an older program, and numbers that no program writes. */
  g_autofree char *old = g_strdup_printf ("{\"png\": \"%s\", \"width\": 1}", wide->png),
                  *wild =
                      g_strdup_printf ("{\"png\": \"%s\", \"width\": 1, \"likeness\": 7, \"fineness\": -1}", wide->png);
  g_autoptr (SsappUnderlay) of_old = ssapp_underlay_from_json (old), of_wild = ssapp_underlay_from_json (wild);
  SS_CHECK_NEAR (of_old->likeness, SSAPP_TRACE_LIKENESS, 0);
  SS_CHECK_NEAR (of_old->fineness, SSAPP_TRACE_FINENESS, 0);
  SS_CHECK_NEAR (of_wild->likeness, 1, 0);
  SS_CHECK_NEAR (of_wild->fineness, SSAPP_TRACE_FINENESS_LEAST, 0);
}

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* A project whose picture is larger than any that is kept there is not unpacked: as many bytes can be gigabytes. */
static void
test_large_in_project (void)
{
  static const int columns[] = {SSAPP_UNDERLAY_SIDE, SSAPP_UNDERLAY_SIDE + 1};

  for (int k = 0; k < 2; k++) {
    cairo_surface_t *surface = paint (columns[k], 100);
    GByteArray *png = g_byte_array_new ();
    cairo_surface_write_to_png_stream (surface, append, png);
    cairo_surface_destroy (surface);
    g_autofree char *base64 = g_base64_encode (png->data, png->len),
                    *json = g_strdup_printf ("{\"png\": \"%s\", \"width\": 1}", base64);
    g_byte_array_unref (png);
    g_autoptr (SsappUnderlay) kept = ssapp_underlay_from_json (json);
    SS_CHECK ((kept != NULL) == (k == 0));
  }
}

int
main (void)
{
  SS_RUN (test_trace);
  SS_RUN (test_scale);
  SS_RUN (test_bounds);
  SS_RUN (test_large_in_project);
  return ss_test_finish ();
}
