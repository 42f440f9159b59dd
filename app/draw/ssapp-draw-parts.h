/* app/draw/ssapp-draw-parts.h: what the drawing files share: palette, text, markers, arrows. Not for the window or the
 * command line. All lengths named "px" are pixels at 100 % and are multiplied by style->scale (on paper 1 px = 0.5 pt).
 */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_COLOR_VIEW,       /* canvas background                             */
  SSAPP_COLOR_CARD,       /* what hollow markers of plots are filled with  */
  SSAPP_COLOR_FOREGROUND, /* text, current frame                           */
  SSAPP_COLOR_DIM,        /* notes, tick labels, axes                      */
  SSAPP_COLOR_GRID_MINOR, /* canvas grid                                   */
  SSAPP_COLOR_GRID_MAJOR,
  SSAPP_COLOR_PLOT_GRID,
  SSAPP_COLOR_RULER, /* ruler background                              */
  SSAPP_COLOR_ACCENT,
  SSAPP_COLOR_ACCENT_TEXT,
  SSAPP_COLOR_GOAL, /* outline of the goal ghost: accent, grey on paper */
  SSAPP_COLOR_FIXED,
  SSAPP_COLOR_CONTACT,
  SSAPP_COLOR_FORCE,
  SSAPP_COLOR_VELOCITY,
  SSAPP_COLOR_MACHINE,   /* runs that the machine was too slow for */
  SSAPP_COLOR_TOLERANCE, /* band below a tolerance                        */
  SSAPP_COLOR_TOLERANCE_TEXT,
  SSAPP_N_COLORS
} SsappColorName;

SsappColor ssapp_style_color (const SsappStyle *style, SsappColorName name);
/* Outline and fill (with its transparency) of a free body; name "" or unknown: blue. */
void ssapp_style_body_colors (const SsappStyle *style, const char *name, SsappColor *outline, SsappColor *fill);
/* Line width of `px` pixels: scaled, one pixel wider in high contrast. */
double ssapp_style_line (const SsappStyle *style, double px);
void ssapp_set_color (cairo_t *cr, SsappColor color);
SsappColor ssapp_color_with_alpha (SsappColor color, double alpha);

/* Text. The anchor is the fraction of the text's box that lies left of (above) the point. Sizes are in user units. */
typedef struct {
  double size;
  gboolean bold;
  SsappColor color;
  double anchor_x, anchor_y;
  double angle;  /* turn about the point [rad], clockwise on the surface */
  gboolean halo; /* a rim in the canvas colour, so that lines below do not disturb the reading */
} SsappTextStyle;
void ssapp_text_draw (cairo_t *cr, const SsappStyle *style, const SsappTextStyle *text_style, double x, double y,
                      const char *text);
/* Needs no cairo_t, so that layouts can be computed without drawing. Either output may be NULL. */
void ssapp_text_measure (const SsappStyle *style, double size, gboolean bold, const char *text, double *width,
                         double *height);
/* The text in lines that are broken between words where the next one would be beyond `width`; at most `most` lines (0:
 * as many as it takes), the last of which has all that is left; g_strfreev. */
GStrv ssapp_text_wrap (const SsappStyle *style, double size, gboolean bold, const char *text, double width, guint most);

/* An SVG surface prepared by this keeps texts as texts: they are collected while drawing, left out of the paths, and
 * written by ssapp_text_record_to_svg before the closing tag. `surface` must be an SVG surface; freed with it. */
void ssapp_text_record_start (cairo_surface_t *surface);
/* Appends one <text> element per collected text, in groups of those that look alike. */
void ssapp_text_record_to_svg (cairo_surface_t *surface, GString *svg);

/* A small flag with its foot left of (x, y). */
void ssapp_draw_flag (cairo_t *cr, const SsappStyle *style, double x, double y, SsappColor color);
/* Marker of radius `radius` (user units), stroked in `color`; filled with it or with `hollow_fill`. Keeps no path. */
void ssapp_draw_marker (cairo_t *cr, SsappMarker marker, double x, double y, double radius, double line_width,
                        SsappColor color, gboolean filled, SsappColor hollow_fill);
/* The mark of a look: its marker with its strokes. */
void ssapp_draw_look_mark (cairo_t *cr, const SsappMethodStyle *look, double x, double y, double radius,
                           double line_width, SsappColor hollow_fill);
/* Line with the mark in its middle. */
void ssapp_draw_look_sample (cairo_t *cr, const SsappStyle *style, const SsappMethodStyle *look, double x, double y,
                             double width);
/* Shaft, a line of butt ends, and filled head. */
typedef struct {
  double x0, y0, ux, uy; /* where it begins, its direction */
  double shaft_x, shaft_y, shaft_width;
  double head[3][2];
  SsappColor color;
} SsappArrow;
/* Of an arrow from (x0, y0) to (x1, y1); the head shrinks with short arrows. FALSE: it has no length. */
gboolean ssapp_arrow_shape (double x0, double y0, double x1, double y1, double line_width, double head,
                            SsappColor color, SsappArrow *out);
void ssapp_draw_arrow (cairo_t *cr, double x0, double y0, double x1, double y1, double line_width, double head,
                       SsappColor color);

/* How far, as a part of its length, an arrow with one end held by a point must move along itself, its free end towards
 * the held one, so that the clip does not cut the free end. 0..1 */
double ssapp_arrow_slide (cairo_t *cr, const SsappStyle *style, double free_x, double free_y, double held_x,
                          double held_y);

/* "-6" as "⁻⁶". */
void ssapp_append_superscript (GString *out, int exponent);

/* Smallest of 1, 2, 5 times a power of ten that is >= value; value > 0. */
double ssapp_nice_ceil (double value);
/* Largest of them <= value; value > 0. */
double ssapp_nice_floor (double value);

/* Horizontal ramp of the time colours with tick labels below: the legend of every picture in time colours. `title` may
 * be NULL. */
typedef struct {
  double t0, t1;     /* [s]                                   */
  const char *title; /* left of the bar, or NULL              */
  int max_labels;
} SsappTimeBar;
void ssapp_draw_time_bar (cairo_t *cr, const SsappStyle *style, const SsappTimeBar *bar, double x, double y,
                          double width, double height);

/* How a motion is painted; the screen's wishes come from SsappSceneFlags, the paper's from the figure. */
typedef struct {
  gboolean future_too;            /* past frames and trace beyond t (fainter), as in the race; else only up to t */
  gboolean current_in_time_color; /* the frame at t in its time colour instead of the foreground              */
  gboolean printed_scales;        /* force and velocity scale                                                     */
  double t_begin, t_end;          /* ends of the time ramp; NaN: the trajectory's                                 */
  double largest_force, largest_velocity; /* drawn at full length; NaN: the trajectory's largest */
  double largest_speed, largest_impulse;  /* the same of layers that are chosen                  */
  double largest_energy;                  /* a full bar                                          */
  double shrink; /* arrows are drawn this much shorter in small pictures; 1 = full                 */
} SsappMotionPaint;
void ssapp_motion_paint_init (SsappMotionPaint *paint);
void ssapp_draw_motion_with (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                             const SsTrajectory *trajectory, double t, const SsappSceneFlags *flags,
                             const SsappMotionPaint *paint);

/* Painting of one mark. NULL colours: by role. */
typedef struct {
  double force_px, velocity_px; /* px per unit                                */
  const SsappColor *outline;    /* instead of the mark's own colour, or NULL */
  double outline_px;            /* 0: by role                                */
  double fill_alpha;            /* of `outline`, when that is given          */
  SsappColor fill;              /* used when fill.a > 0 and outline is given: instead of a tint of the outline */
} SsappMarkPaint;
void ssapp_draw_mark (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
                      const SsappMarkPaint *paint);
/* A measure or a note, whose mark is at (x, y) on the device. */
void ssapp_draw_on_sheet (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, double x,
                          double y);
/* A gear, a belt or a rope, whose mark is at (x, y) on the device (app/draw/ssapp-draw-coupling.c). */
void ssapp_draw_coupling (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
                          const SsappMarkPaint *paint, double x, double y);
/* Colours of a body of that colour name, and the width of its outline. */
double ssapp_body_paint (const SsappStyle *style, const char *color, const SsappMarkPaint *paint, SsappColor *outline,
                         SsappColor *fill);
/* px at 100 %: radii and lines of marks. */
#define SSAPP_OUTLINE_PX        2.
#define SSAPP_CENTRE_RADIUS_PX  5.5
#define SSAPP_CENTRE_LINE_PX    1.2
#define SSAPP_CONTACT_RADIUS_PX 4.
#define SSAPP_POINT_RADIUS_PX   4.5
/* The quartered disc of a centre of mass. */
void ssapp_draw_centre (cairo_t *cr, const SsappStyle *style, double x, double y, double angle);
/* Whether the mark is visible, finite and in the picture or near it; its place on the device. */
gboolean ssapp_mark_is_seen (const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, double *x,
                             double *y);
gboolean ssapp_mark_is_finite (const SsMark *mark);
/* Adds a polygon, circle or capsule that is seen to the path, always turning the same way, so that outlines that
 * overlap are filled as one. */
void ssapp_append_outline (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark);

/* Many marks at once (app/draw/ssapp-draw-crowd.c): bodies of one colour, centres of mass, contact points without a
 * normal are drawn by a few fills and strokes, or as pictures that repeat. */
enum { SSAPP_CROWD_LEAST = 60 }; /* marks; below, each is drawn by itself */
/* Whether crowds have such marks; arrows only on pixels. */
gboolean ssapp_is_of_crowd (const SsMark *mark, gboolean has_pixels);
/* Those of a layer (ssapp_mark_layer). */
void ssapp_draw_crowd_layer (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                             int n_marks, int layer, const SsappMarkPaint *paint, gboolean has_pixels);
void ssapp_draw_crowd_bodies (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                              int n_marks, const SsappMarkPaint *paint);
/* Rings of contact points, and arrows over all of them: of a crowd, on a surface of pixels. Where
 * ssapp_crowd_has_pixels is FALSE each is drawn by itself. */
typedef struct {
  GArray *arrows; /* of SsappArrow          */
  GArray *rings;  /* of double[2], user units */
} SsappCrowdArrows;
gboolean ssapp_crowd_has_pixels (cairo_t *cr, const SsappStyle *style);
void ssapp_crowd_arrows_init (SsappCrowdArrows *crowd);
/* From (x0, y0) to (x1, y1), see ssapp_draw_arrow. */
void ssapp_crowd_arrows_add (SsappCrowdArrows *crowd, double x0, double y0, double x1, double y1, double line_width,
                             double head, SsappColor color);
/* An arrow at once, or, where there is a crowd, with those of the crowd. */
void ssapp_crowd_arrow (SsappCrowdArrows *crowd, cairo_t *cr, double x0, double y0, double x1, double y1,
                        double line_width, double head, SsappColor color);
void ssapp_crowd_arrows_add_ring (SsappCrowdArrows *crowd, double x, double y);
/* And forgets them. */
void ssapp_crowd_arrows_draw (SsappCrowdArrows *crowd, cairo_t *cr, const SsappStyle *style, const SsappCamera *camera);
/* Of a force or a velocity at (x, y); NULL: no crowd. Forces end at their point, velocities begin there; where that
 * would be cut at the picture's edge, the arrow is moved along itself until it is seen, and the point stays on it. */
void ssapp_draw_acting_arrow (cairo_t *cr, const SsappStyle *style, const SsMark *mark, const SsappMarkPaint *paint,
                              double x, double y, SsappCrowdArrows *crowd);
/* What a crowd was drawn with since the last time, of this thread: for tests and for who measures. */
typedef struct {
  guint n_polygons; /* filled straight on pixels */
  guint n_pictures; /* set down                  */
} SsappCrowdCount;
SsappCrowdCount ssapp_crowd_take_count (void);
/* Names of bodies, goals and fixed bodies, where they do not cover each other. */
void ssapp_draw_labels (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                        int n_marks);
void ssapp_draw_selection (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
                           const SsappSceneFlags *flags);
/* Layer in which a mark is painted: 0 half-planes, 1 goals, 2 bodies and guides, 3 points and arrows. */
int ssapp_mark_layer (const SsMark *mark);
#define SSAPP_N_LAYERS        4
#define SSAPP_LAYER_OF_BODIES 2
#define SSAPP_LAYER_OF_POINTS 3
/* Forces [N] and velocities [m/s] below this are rounding errors: bodies of a kilogram at metres a second in steps of a
 * hundredth leave 1e-13 N, and the lightest body whose weight is drawn has 1e-10 kg. They get no arrow and no scale. */
#define SSAPP_SMALLEST_ARROW 1e-9
gboolean ssapp_mark_is_rounding_error (const SsMark *mark);
/* Largest length of visible arrows of a role; 0 when all are rounding errors. */
double ssapp_marks_largest_arrow (const SsMark *marks, int n_marks, SsMarkRole role);
/* Lengths that are drawn at full size: the largest arrows among the rows of a trajectory, single peaks aside. marks:
 * room for ss_view_n_marks. */
void ssapp_largest_arrows (SsView *view, const SsTrajectory *trajectory, SsMark *marks, double *force,
                           double *velocity);
/* Pixels per unit so that the largest arrow has a readable length; 0 when there is none but rounding errors. */
double ssapp_arrow_px (double largest);
/* Marks stay clear of the rulers. */
void ssapp_clip_to_canvas (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera,
                           const SsappSceneFlags *flags);
/* Single scales; they begin at (x, y) and return their width. */
double ssapp_draw_scale_bar (cairo_t *cr, const SsappStyle *style, double px_per_metre, double longest, double x,
                             double y);
double ssapp_draw_arrow_scale (cairo_t *cr, const SsappStyle *style, double px_per_unit, const char *unit,
                               SsappColor color, double x, double y);
/* Scale bar at the lower left, printed scales of arrows beside it. */
void ssapp_draw_scales (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappSceneFlags *flags,
                        gboolean scale_bar, double force_px, double velocity_px, double impulse_px);

G_END_DECLS
