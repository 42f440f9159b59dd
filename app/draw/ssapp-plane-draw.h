/* app/draw/ssapp-plane-draw.h: the picture of a plane of post-impact velocities, on screen and on paper, from the
 * counts of an SsappPlane: its cost does not depend on the number of samples.
 * Threads: any. Tests: tests/unit/test-plane.c
 */
#pragma once

#include "app/draw/ssapp-impact-mode.h"
#include "app/draw/ssapp-plane.h"

G_BEGIN_DECLS

/* What a marked outcome or a path belongs to. */
typedef enum {
  SSAPP_PLANE_SIMULTANEOUS,
  SSAPP_PLANE_SEQUENTIAL,
  SSAPP_PLANE_COMPLIANT,
  SSAPP_PLANE_CHOSEN,
  SSAPP_PLANE_RATES
} SsappPlaneLayer;

typedef struct {
  double x, y;
  SsappPlaneLayer layer;
  const char *label; /* may be NULL */
} SsappPlaneMark;

typedef struct {
  const double *xy; /* n x 2 */
  int n;
  SsappPlaneLayer layer;
} SsappPlanePath;

/* All pointers are borrowed for the call. */
typedef struct {
  const char *letter;            /* "(a)" on paper, or NULL */
  const char *title;             /* above the axes; NULL: the caller has its own */
  const char *x_label, *y_label; /* with units */
  const SsappPlane *plane;       /* NULL or empty: axes alone */
  const SsappPlane *brushed;     /* these in colour and all others grey; NULL: all in colour */
  const SsappPlane *between;     /* intermediate velocities, light grey below; NULL: none */
  const SsappPlane *other;       /* another set: its samples in one colour below, its hull dotted; NULL: none */
  const char *other_label;       /* its name, at the hull; may be NULL */
  const SsappPlane *mirror; /* its hull with x turned about, or, with mirror_swaps, x and y exchanged; NULL: none */
  gboolean mirror_swaps;
  const SsappJointLook *looks; /* by the samples' numbers of modes */
  int n_looks;
  gboolean has_points;          /* single samples with their markers over the density */
  gboolean has_hull;            /* of the samples of each mode */
  const SsappPlanePath *bounds; /* polygons that hold every outcome, of each mode; their layers are not looked at */
  int n_bounds;
  const SsappPlaneMark *marks;
  int n_marks;
  const SsappPlanePath *paths;
  int n_paths;
  double chosen[2]; /* NaN: none */
  double brush[4];  /* least and largest x, least and largest y; NaN: none */
} SsappPlaneSpec;

/* With nothing to show: no samples, no chosen outcome, no brush. */
void ssapp_plane_spec_init (SsappPlaneSpec *spec);
void ssapp_plane_draw (cairo_t *cr, const SsappStyle *style, const SsappPlaneSpec *spec, double x, double y,
                       double width, double height);
/* Values at a place (device_x, device_y) of a picture drawn at (0, 0) in that size, and pixels per unit along the axes.
 * FALSE: the place is outside the axes by more than a few pixels. */
gboolean ssapp_plane_value_at (const SsappStyle *style, const SsappPlaneSpec *spec, double width, double height,
                               double device_x, double device_y, double value[2], double scale[2]);

G_END_DECLS
