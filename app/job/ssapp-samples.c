/* app/job/ssapp-samples.c: see the header. */
#include "app/job/ssapp-samples.h"

#include "impact/ss-impact-summary.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 16 };
/* Distances below this part of a hull's size are none. */
static const double told_apart = 1e-6;

static const double *
row_of (const SsSamples *samples, int k)
{
  return samples->values + (gsize)k * (gsize)samples->n_columns;
}

static guint
hash_place (gconstpointer place)
{
  const SsVec2 *p = place;

  return g_double_hash (&p->x) * 31u + g_double_hash (&p->y);
}

static gboolean
is_same_place (gconstpointer a, gconstpointer b)
{
  const SsVec2 *p = a, *q = b;

  return p->x == q->x && p->y == q->y;
}

static SsVec2
place_of (const SsSamples *samples, int k, int x, int y)
{
  const double *row = row_of (samples, k);

  return (SsVec2){row[x] + 0., row[y] + 0.}; /* -0 is 0 */
}

static gboolean
is_place (SsVec2 p)
{
  return isfinite (p.x) && isfinite (p.y);
}

/* Corners of the hull of the places that lie farthest to DIRECTIONS sides; their number. */
static int
find_farthest (const SsSamples *samples, int x, int y, SsVec2 corners[DIRECTIONS + 1])
{
  SsVec2 farthest[DIRECTIONS], sides[DIRECTIONS];
  double most[DIRECTIONS];
  gboolean is_any = FALSE;

  for (int d = 0; d < DIRECTIONS; d++) {
    sides[d] = (SsVec2){cos (2 * G_PI * d / DIRECTIONS), sin (2 * G_PI * d / DIRECTIONS)};
    most[d] = -INFINITY;
  }
  for (int k = 0; k < samples->n_rows; k++) {
    const SsVec2 p = place_of (samples, k, x, y);
    for (int d = 0; d < DIRECTIONS && is_place (p); d++) {
      const double along = sides[d].x * p.x + sides[d].y * p.y;
      if (along > most[d]) {
        most[d] = along;
        farthest[d] = p;
        is_any = TRUE;
      }
    }
  }
  return is_any ? ss_impact_hull (farthest, DIRECTIONS, corners) : 0;
}

/* How far p lies outside of a convex polygon, counter-clockwise; negative inside. */
static double
distance_outside (const SsVec2 *corners, int n, SsVec2 p)
{
  double most = n == 1 ? hypot (p.x - corners[0].x, p.y - corners[0].y) : -INFINITY;

  for (int k = 0; n > 1 && k < n; k++) {
    const SsVec2 a = corners[k], b = corners[(k + 1) % n];
    const double dx = b.x - a.x, dy = b.y - a.y;
    most = fmax (most, (dy * (p.x - a.x) - dx * (p.y - a.y)) / hypot (dx, dy));
  }
  return most;
}

/* Marks the first row at each corner of the hull in a plane. What lies inside of the farthest places is no corner. */
static void
keep_corners (const SsSamples *samples, int x, int y, gboolean *is_kept)
{
  g_autofree SsVec2 *points = g_new (SsVec2, samples->n_rows + DIRECTIONS + 1),
                    *hull = g_new (SsVec2, samples->n_rows + DIRECTIONS + 1);
  g_autoptr (GHashTable) places = g_hash_table_new (hash_place, is_same_place);
  SsVec2 corners[DIRECTIONS + 1];
  const int n_corners = find_farthest (samples, x, y, corners);
  double size = 0;
  int n = n_corners;

  for (int k = 0; k < n_corners; k++)
    size = fmax (size, hypot (corners[k].x - corners[0].x, corners[k].y - corners[0].y));
  memcpy (points, corners, sizeof *points * (gsize)n_corners);
  for (int k = 0; k < samples->n_rows && n_corners > 0; k++) {
    const SsVec2 p = place_of (samples, k, x, y);
    if (is_place (p) && distance_outside (corners, n_corners, p) > told_apart * size)
      points[n++] = p;
  }
  const int n_hull = ss_impact_hull (points, n, hull);
  for (int k = 0; k < n_hull; k++)
    g_hash_table_add (places, &hull[k]);
  for (int k = 0; k < samples->n_rows && g_hash_table_size (places) > 0; k++) {
    const SsVec2 p = place_of (samples, k, x, y);
    if (g_hash_table_remove (places, &p))
      is_kept[k] = TRUE;
  }
}

static gboolean
begins_with (const SsSamples *samples, int column, const char *prefix)
{
  return g_str_has_prefix (samples->columns[column], prefix);
}

static void
keep_all_corners (const SsSamples *samples, gboolean *is_kept)
{
  for (int x = 0; x < samples->n_columns; x++)
    for (int y = 0; y < samples->n_columns; y++) {
      const gboolean is_contact = begins_with (samples, x, "vt_") && begins_with (samples, y, "vn_") &&
                                  strcmp (samples->columns[x] + 3, samples->columns[y] + 3) == 0;
      const gboolean is_pair = x < y && begins_with (samples, x, "vn_") && begins_with (samples, y, "vn_");
      if (is_contact || is_pair)
        keep_corners (samples, x, y, is_kept);
    }
}

SsStatus
ssapp_samples_thin (const SsSamples *samples, SsSamples **out, SsError *err)
{
  g_return_val_if_fail (samples != NULL && out != NULL, SS_ERR_ARG);

  const int stride = MAX (1, (samples->n_rows + SSAPP_SAMPLES_KEPT - 1) / SSAPP_SAMPLES_KEPT);
  g_autofree gboolean *is_kept = g_new0 (gboolean, samples->n_rows + 1);
  int n = 0, at = 0;

  if (stride > 1)
    keep_all_corners (samples, is_kept);
  for (int k = 0; k < samples->n_rows; k++) {
    is_kept[k] = is_kept[k] || k % stride == 0;
    n += is_kept[k];
  }
  const SsStatus status = ss_samples_new ((const char *const *)samples->columns, samples->n_columns, n, out, err);
  for (int k = 0; status == SS_OK && k < samples->n_rows; k++)
    if (is_kept[k])
      memcpy ((*out)->values + (gsize)at++ * (gsize)samples->n_columns, row_of (samples, k),
              sizeof (double) * (gsize)samples->n_columns);
  return status;
}
