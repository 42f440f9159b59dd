/* app/draw/ssapp-plane.h: a plane of post-impact velocities: samples counted in a grid of cells as they stream in, with
 * their hull, so that a picture of a million samples costs what a picture of the grid costs.
 *
 * Cells    SSAPP_PLANE_CELLS to each side; when a sample lies outside the grid doubles and four cells become one, so
 *          that counts stay exact. Each cell knows the mode of the majority of its samples.
 * Threads  a plane belongs to one thread at a time. Tests: tests/unit/test-plane.c
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

enum { SSAPP_PLANE_CELLS = 512, SSAPP_PLANE_POINTS = 4096 };

typedef struct {
  guint32 count, votes; /* samples; by how many the majority leads (Boyer, Moore) */
  guint16 mode;         /* of the majority */
} SsappPlaneCell;

typedef struct {
  gint64 n;
  double x_min, x_max, y_min, y_max; /* of the samples of the mode; unset where n is 0 */
  GArray *hull;                      /* of those samples and of what else is reached, as below; NULL: of nothing */
  GArray *outside;                   /* of double[2]: what the hull lacks yet; empty between two calls */
} SsappPlaneMode;

typedef struct {
  float x, y;
  guint16 mode;
} SsappPlanePoint;

typedef struct {
  double x0, y0, width, height; /* what the grid covers; width 0: no sample yet */
  SsappPlaneCell *cells;        /* SSAPP_PLANE_CELLS squared, row by row, lowest y first */
  guint64 *used;                /* a bit a cell that has samples, in the same order */
  guint32 largest;              /* count */
  gint64 n;
  double x_min, x_max, y_min, y_max;
  GArray *modes;  /* of SsappPlaneMode, by the samples' numbers of modes */
  GArray *hull;   /* of double[2]; counter-clockwise, no three on a line */
  GArray *points; /* of SsappPlanePoint: the first SSAPP_PLANE_POINTS samples as they are */
} SsappPlane;

/* The first cell from number `from` on that has samples; SSAPP_PLANE_CELLS squared: there is none. Most are empty. */
int ssapp_plane_next_cell (const SsappPlane *plane, int from);
/* Empty; ssapp_plane_free. */
SsappPlane *ssapp_plane_new (void);
void ssapp_plane_free (SsappPlane *plane); /* NULL is allowed */
/* As new. */
void ssapp_plane_clear (SsappPlane *plane);
/* With all that was counted; ssapp_plane_free. */
SsappPlane *ssapp_plane_copy (const SsappPlane *plane);
/* Counts n samples; mode: number of each one's joint mode, below 65536. mask NULL or, per sample, 0: left out. Values
 * that are not finite are left out. */
void ssapp_plane_add (SsappPlane *plane, const float *x, const float *y, const guint16 *mode, const guint8 *mask,
                      gint64 n);
/* Widens the hulls of modes only: outcomes that are no samples. */
void ssapp_plane_reach (SsappPlane *plane, const float *x, const float *y, const guint16 *mode, gint64 n);
/* Of the convex hull; 0 for a line or a point. */
double ssapp_plane_hull_area (const SsappPlane *plane);
/* Cells of a coarse grid of `side` x `side` over the samples' box that hold a sample. */
int ssapp_plane_occupied (const SsappPlane *plane, int side);

/* The sample nearest to (x, y) when lengths along the axes are multiplied by x_scale and y_scale (pixels per unit); -1:
 * there is none. mask as above. */
gint64 ssapp_plane_nearest (const float *xs, const float *ys, const guint8 *mask, gint64 n, double x, double y,
                            double x_scale, double y_scale);
/* Samples inside the closed box: 1 in mask, else 0. Returns how many. */
gint64 ssapp_plane_brush (const float *xs, const float *ys, gint64 n, double x_min, double x_max, double y_min,
                          double y_max, guint8 *mask);

G_END_DECLS
