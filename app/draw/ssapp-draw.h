/* app/draw/ssapp-draw.h: the one scene renderer: pure functions of (cairo_t, data, size) behind the canvas, the race
 * cards, PDF, SVG and PNG. Colours, widths and fonts come from SsappStyle (../shared look: light and dark palettes;
 * paper = white). No GTK.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "run/ss-method.h"
#include "scene/ss-view.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_dark, is_paper, is_high_contrast;
  double scale;     /* 1 on screen; on paper 1 px = 0.5 pt                         */
  const char *font; /* family, "Cantarell" or "sans"                               */
  double font_size; /* px                                                           */
} SsappStyle;
/* The look on screen, light or dark, at scale 1; fields may be changed afterwards. `font` is static. */
void ssapp_style_init (SsappStyle *style, gboolean dark);
/* The look on white paper; a unit is half a point (see `scale`). */
void ssapp_style_init_paper (SsappStyle *style);
typedef struct {
  double r, g, b, a;
} SsappColor;
/* Colour, dash and mark of a method: by its place in the registry, unknown ones by their letters. No two methods of the
 * registry share a mark, which is a marker, filled or hollow, with or without strokes. */
typedef enum {
  SSAPP_MARKER_CIRCLE,
  SSAPP_MARKER_SQUARE,
  SSAPP_MARKER_TRIANGLE,
  SSAPP_MARKER_DIAMOND,
  SSAPP_MARKER_DOWN,
  SSAPP_MARKER_PLUS,
  SSAPP_MARKER_CROSS,
  SSAPP_MARKER_STAR,
  SSAPP_MARKER_LEFT,
  SSAPP_MARKER_RIGHT,
  SSAPP_MARKER_COUNT
} SsappMarker;
typedef struct {
  SsappColor color;
  double dash[6];
  int n_dash;
  SsappMarker marker;
  gboolean filled;
  guint strokes; /* bit k: one that leaves the marker at ssapp_stroke_angle (k); of looks after the first 20 */
} SsappMethodStyle;
/* A method without a name has the first look. */
void ssapp_style_method (const SsappStyle *style, SsMethodId method, SsappMethodStyle *out);
/* The look of that number, of 0, 1, ...: the first 20 have plain marks, each 20 more the same marks with other
 * strokes. */
enum { SSAPP_PLAIN_LOOKS = 20, SSAPP_MARK_STROKES = 8 };
void ssapp_style_look (const SsappStyle *style, int look, SsappMethodStyle *out);
/* Of stroke k, counter-clockwise from the right [rad]: between the directions in which markers and straight lines
 * reach. */
double ssapp_stroke_angle (int k);
/* How far strokes reach, in radii of the mark: twice as far as its points. */
#define SSAPP_STROKE_REACH 2.5
SsappColor ssapp_style_time_color (const SsappStyle *style, double fraction); /* viridis ramp */

/* World to device: x_dev = ox + x*scale, y_dev = oy - y*scale. */
typedef struct {
  double scale;
  double ox, oy;
  double width, height;
} SsappCamera;
/* Shows bounds (least x, least y, largest x, largest y [m]) in the middle of width x height with a margin [px]. Bounds
 * that are NULL or not finite count as 1 m from the origin; a point gets a square of 2 m. */
void ssapp_camera_fit (SsappCamera *camera, const double bounds[4], double width, double height, double margin);
/* From device px (y down) to the world [m] and back. */
SsVec2 ssapp_camera_to_world (const SsappCamera *camera, double x, double y);
void ssapp_camera_to_device (const SsappCamera *camera, SsVec2 p, double *x, double *y);

/* What a motion is drawn with (ssapp-overlays.h). */
typedef enum {
  SSAPP_LAYER_ONION = 1 << 0,
  SSAPP_LAYER_TRACES = 1 << 1,
  SSAPP_LAYER_CONTACTS = 1 << 2,
  SSAPP_LAYER_NORMALS = 1 << 3,
  SSAPP_LAYER_FORCES = 1 << 4,
  SSAPP_LAYER_IMPULSES = 1 << 5,
  SSAPP_LAYER_CONES = 1 << 6,
  SSAPP_LAYER_VELOCITIES = 1 << 7,
  SSAPP_LAYER_CENTRES = 1 << 8,
  SSAPP_LAYER_ENERGIES = 1 << 9,
  SSAPP_LAYERS_CHOSEN = 1 << 15, /* somebody chose: what has no bit is not drawn */
} SsappLayer;

typedef struct {
  gboolean grid, rulers, scale_bar, axes_hud; /* backdrop                                        */
  gboolean past_frames, trace;                /* of marks with `trace`                           */
  int n_past_frames;                          /* 8                                               */
  gboolean labels;                            /* names beside centres of mass                     */
  const char *selected;                       /* name of the selected mark, or NULL               */
  const char *contact;                        /* contact whose points and force others draw; NULL */
  gboolean handles;                           /* all of the selection frame                       */
  gboolean rotation;                          /* only the one that turns                          */
  gboolean before_jump;                       /* at a jump the state before it, not the one after */
  double scales_above;                        /* px that are kept free below the scales: buttons lie there */
  double scales_left;                         /* px that are kept free left of them: tools lie there       */
  guint layers;                               /* of a motion: SsappLayer; 0: past_frames, trace and all marks */
  const char *forces_of;                      /* body: contact forces and impulses on it alone; NULL: all */
  const SsScene *scene;                       /* of the motion, for its contacts; NULL: a model             */
  GArray *events;                             /* of the motion, of SsappRunEvent; borrowed, may be NULL     */
} SsappSceneFlags;

/* What lies below everything: paper, grid, rulers, scale bar, axes, as the flags ask. */
void ssapp_draw_backdrop (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera,
                          const SsappSceneFlags *flags);
/* One frame. marks as from ss_view_frame. */
void ssapp_draw_marks (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                       int n_marks, const SsappSceneFlags *flags);
/* Motions that are compared share one scale of their arrows: take in each of them, then draw each with the result. */
typedef struct {
  double largest_force, largest_velocity; /* drawn at full length; NaN: the motion's own largest */
  double largest_speed, largest_impulse;  /* of bodies, of events: of the layers that show them  */
  double largest_energy;
} SsappArrowScale;
void ssapp_arrow_scale_init (SsappArrowScale *scale); /* all NaN */
/* Widens the scale to the motion's largest force, velocity and energy, over all its rows. */
void ssapp_arrow_scale_take (SsappArrowScale *scale, SsView *view, const SsTrajectory *trajectory);
/* And to its events (of SsappRunEvent; may be NULL). */
void ssapp_arrow_scale_take_events (SsappArrowScale *scale, GArray *events);
/* Whole picture of a motion at time t: backdrop, past frames in time colours, trace, the frame at t, scale bars.
 * trajectory may be NULL (initial frame only with marks); `scale` has NaN where the motion's own is meant. */
void ssapp_draw_motion_scaled (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                               const SsTrajectory *trajectory, double t, const SsappSceneFlags *flags,
                               const SsappArrowScale *scale);
/* A frame of a motion on a picture that has its backdrop: onion skin and traces as the layers say, the frame at time t,
 * its overlays, scale bar and printed scales of arrows. For the canvas, whose frame has names. */
void ssapp_draw_motion_frame (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                              const SsTrajectory *trajectory, double t, const SsappSceneFlags *flags,
                              const SsappArrowScale *scale);
/* What drives the bodies of a sketch at its start: arrows to both sides where a control may push, a bent arrow for a
 * torque. */
void ssapp_draw_actuators (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsScene *scene,
                           const char *selected);
/* Signs of what holds them there and has no extent: a coil at a torsion spring, a crossed square at a weld. */
void ssapp_draw_holds (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsScene *scene);
/* Outlines of the bodies of another motion at time t, as a ghost behind or over a motion: the plan of a replay. */
void ssapp_draw_ghost (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                       const SsTrajectory *trajectory, double t);
/* What pulls a body: from the body to the pointer, with a ring where it holds. */
void ssapp_draw_pull (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsVec2 on_body, SsVec2 pointer);
/* Topmost mark at a device point, -1 if none. tolerance in px. */
int ssapp_hit_test (const SsappCamera *camera, const SsMark *marks, int n_marks, double x, double y, double tolerance);
/* The same of the marks of bodies alone; the body's name, borrowed, NULL if none. */
const char *ssapp_hit_body (const SsappCamera *camera, const SsMark *marks, int n_marks, double x, double y,
                            double tolerance);

/* Handles of the selection frame, for the pointer: device positions as ssapp_draw_marks paints them. Circles and
 * polygons have all nine, segments and arrows the two ends (NW = start, SE = end), others none. */
typedef enum {
  SSAPP_HANDLE_NW,
  SSAPP_HANDLE_N,
  SSAPP_HANDLE_NE,
  SSAPP_HANDLE_E,
  SSAPP_HANDLE_SE,
  SSAPP_HANDLE_S,
  SSAPP_HANDLE_SW,
  SSAPP_HANDLE_W,
  SSAPP_HANDLE_ROTATE,
  SSAPP_N_HANDLES
} SsappHandle;
/* Fills points[handle] (NaN where there is none) and returns how many there are. */
int ssapp_selection_handles (const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
                             double points[SSAPP_N_HANDLES][2]);
/* The handle within `tolerance` px of (x, y), -1 if none. */
int ssapp_handle_at (const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, double x, double y,
                     double tolerance);
/* A flag above each goal by which it is held where a body lies on it: the goal whose flag is at a device point, -1 if
 * none. */
int ssapp_goal_handle_at (const SsappStyle *style, const SsappCamera *camera, const SsMark *marks, int n_marks,
                          double x, double y);
void ssapp_draw_goal_handles (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                              int n_marks);
/* Grid step of the backdrop at this zoom [m]: what snapping to the grid uses. */
void ssapp_grid_steps (const SsappCamera *camera, const SsappStyle *style, double *minor, double *major);
/* Outlined text, markers and method lines for other widgets (legend entries, chips): line with a marker in its
 * middle. */
void ssapp_draw_method_sample (cairo_t *cr, const SsappStyle *style, SsMethodId method, double x, double y,
                               double width);
/* The same of a look by its number, see ssapp_style_look. */
void ssapp_draw_numbered_sample (cairo_t *cr, const SsappStyle *style, int look, double x, double y, double width);

G_END_DECLS
