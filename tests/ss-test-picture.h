/* tests/ss-test-picture.h: what tests of pictures share: two that the program draws are compared, one of them seen
 * otherwise. Moves are of whole pixels, so that Cairo rounds alike: a step or two of 255 is left (EXACT). A picture
 * that is turned is sampled by Cairo along other lines, fifteen a pixel downwards: its edges differ by a few fifteenths
 * (TURNED). With SHOTS, a folder, pictures that are not alike are kept there. */
#pragma once

#include "app/draw/ssapp-draw-parts.h"
#include "tests/ss-test.h"

enum { SS_PICTURE_SIDE = 480, SS_PICTURE_EXACT = 8, SS_PICTURE_TURNED = 90, SS_PICTURE_DX = 54, SS_PICTURE_DY = 29 };

static SsappStyle ss_picture_style;

/* What paints, moved by (dx, dy) px. */
typedef void (*SsPicturePaint) (cairo_t *cr, const void *what, double dx, double dy);

G_GNUC_UNUSED static cairo_surface_t *
ss_picture_of (SsPicturePaint paint, const void *what, double dx, double dy)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SS_PICTURE_SIDE, SS_PICTURE_SIDE);
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  paint (cr, what, dx, dy);
  SS_CHECK (cairo_status (cr) == CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

G_GNUC_UNUSED static guint32
ss_picture_pixel (cairo_surface_t *surface, int x, int y)
{
  guint32 v;
  memcpy (&v, cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface) + 4 * x, 4);
  return v & 0xFFFFFF;
}

/* The largest of the three channels' differences, 0..255. */
G_GNUC_UNUSED static int
ss_picture_difference (guint32 a, guint32 b)
{
  int most = 0;
  for (int s = 0; s < 24; s += 8)
    most = MAX (most, abs ((int)((a >> s) & 255) - (int)((b >> s) & 255)));
  return most;
}

typedef enum {
  SS_PICTURE_MOVED,
  SS_PICTURE_HALF,
  SS_PICTURE_QUARTER,
  SS_PICTURE_MIRROR,
  SS_PICTURE_UPSIDE_DOWN
} SsPictureSeen;

/* Where the pixel (x, y) is then. */
G_GNUC_UNUSED static void
ss_picture_place_in (SsPictureSeen seen, int x, int y, int *x1, int *y1)
{
  *x1 = seen == SS_PICTURE_MOVED         ? x + SS_PICTURE_DX
        : seen == SS_PICTURE_QUARTER     ? y
        : seen == SS_PICTURE_UPSIDE_DOWN ? x
                                         : SS_PICTURE_SIDE - 1 - x;
  *y1 = seen == SS_PICTURE_MOVED     ? y + SS_PICTURE_DY
        : seen == SS_PICTURE_QUARTER ? SS_PICTURE_SIDE - 1 - x
        : seen == SS_PICTURE_MIRROR  ? y
                                     : SS_PICTURE_SIDE - 1 - y;
}

/* How many pixels are others in b, `inset` from the edges of a and more, and how many of a are not white. */
G_GNUC_UNUSED static int
ss_picture_count_others (cairo_surface_t *a, cairo_surface_t *b, SsPictureSeen seen, int inset, int least, int *inked)
{
  int n = 0;

  *inked = 0;
  for (int y = inset; y < SS_PICTURE_SIDE - inset; y++)
    for (int x = inset; x < SS_PICTURE_SIDE - inset; x++) {
      int x1, y1;
      ss_picture_place_in (seen, x, y, &x1, &y1);
      if (x1 < 0 || x1 >= SS_PICTURE_SIDE || y1 < 0 || y1 >= SS_PICTURE_SIDE)
        continue;
      n += ss_picture_difference (ss_picture_pixel (a, x, y), ss_picture_pixel (b, x1, y1)) > least;
      *inked += ss_picture_pixel (a, x, y) != 0xFFFFFF;
    }
  return n;
}

G_GNUC_UNUSED static void
ss_picture_check_alike (const char *name, cairo_surface_t *a, cairo_surface_t *b, SsPictureSeen seen, int inset,
                        int least)
{
  int inked;
  const int n = ss_picture_count_others (a, b, seen, inset, least, &inked);

  SS_CHECK (n == 0 && inked > 20);
  if (n != 0 || inked <= 20) {
    printf ("  %s, seen %d: %d pixels differ of %d with ink\n", name, seen, n, inked);
    if (g_getenv ("SHOTS") != NULL) {
      g_autofree char *one = g_strdup_printf ("%s/%s-%d-a.png", g_getenv ("SHOTS"), name, seen),
                      *two = g_strdup_printf ("%s/%s-%d-b.png", g_getenv ("SHOTS"), name, seen);
      cairo_surface_write_to_png (a, one);
      cairo_surface_write_to_png (b, two);
    }
  }
}

/* It is the same wherever it is painted. */
G_GNUC_UNUSED static void
ss_picture_check_moves (const char *name, SsPicturePaint paint, const void *what, int inset)
{
  cairo_surface_t *a = ss_picture_of (paint, what, 0, 0),
                  *b = ss_picture_of (paint, what, SS_PICTURE_DX, SS_PICTURE_DY);

  ss_picture_check_alike (name, a, b, SS_PICTURE_MOVED, inset, SS_PICTURE_EXACT);
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
}

/* The box of what is other in b: left, top, right, bottom, of pixels. FALSE: nothing. */
G_GNUC_UNUSED static gboolean
ss_picture_find_others (cairo_surface_t *a, cairo_surface_t *b, int box[4])
{
  box[0] = box[1] = SS_PICTURE_SIDE;
  box[2] = box[3] = -1;
  for (int y = 0; y < SS_PICTURE_SIDE; y++)
    for (int x = 0; x < SS_PICTURE_SIDE; x++)
      if (ss_picture_difference (ss_picture_pixel (a, x, y), ss_picture_pixel (b, x, y)) > SS_PICTURE_EXACT) {
        box[0] = MIN (box[0], x);
        box[1] = MIN (box[1], y);
        box[2] = MAX (box[2], x);
        box[3] = MAX (box[3], y);
      }
  return box[2] >= 0;
}

/* What the second of two pictures has beside the first. */
G_GNUC_UNUSED static gboolean
ss_picture_find_added (SsPicturePaint paint, const void *first, const void *second, int box[4])
{
  cairo_surface_t *a = ss_picture_of (paint, first, 0, 0), *b = ss_picture_of (paint, second, 0, 0);
  const gboolean is_found = ss_picture_find_others (a, b, box);

  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
  return is_found;
}
