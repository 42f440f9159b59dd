/* app/draw/ssapp-region.h: which part of the world a picture of a motion shows: all that matters of it, a chosen
 * rectangle, or one that goes along with a body. The window, figures and films use the same. Rectangles: least x, least
 * y, largest x, largest y [m]. No GTK. Tests: tests/unit/test-overlays.c */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_chosen; /* FALSE: what matters of the motions, ssapp_region_of_motion */
  double bounds[4];   /* at the motion's start; where a body is followed they go along with it */
  char follow[128];   /* the body, "": none */
} SsappRegion;

/* Nothing chosen, nobody followed. */
void ssapp_region_init (SsappRegion *region);
/* "x0,y0,x1,y1": two corners [m]. FALSE with an error that says what is wrong. */
gboolean ssapp_region_parse (const char *text, double bounds[4], GError **error);

/* A half-plane has no end, so bounds leave it out: the point of its surface next to the middle of the box comes into
 * it, unless that is far off. */
void ssapp_region_include_grounds (const SsMark *marks, int n_marks, double box[4]);
/* What a motion needs to be seen: its scenario's own bounds where it gives them, else all poses of all bodies, but for
 * those that fly off: whose path would make the picture more than eight times as large as what the others need. They
 * are in it where they start. One body alone is never left out. FALSE: nothing finite. */
gboolean ssapp_region_of_motion (SsView *view, const SsTrajectory *motion, double out[4]);
/* The smallest box that holds n boxes, but for those that make it more than eight times as large as the smaller ones
 * do. FALSE: none is finite. */
gboolean ssapp_region_unite (const double (*boxes)[4], int n, double out[4]);

/* Names of the bodies that can be followed, each once; of char *, g_ptr_array_unref. */
GPtrArray *ssapp_region_list_bodies (SsView *view, const SsTrajectory *motion);
/* Where the body is at time t; FALSE: there is none of that name, or it is nowhere. */
gboolean ssapp_region_body_at (SsView *view, const SsTrajectory *motion, const char *body, double t, SsVec2 *out);
/* The chosen rectangle at time t of this motion. */
void ssapp_region_at (const SsappRegion *region, SsView *view, const SsTrajectory *motion, double t, double out[4]);
/* Follows a body from now (t) on, "" or NULL: nobody. `seen` is what is shown now: the picture keeps its size, but for
 * one that nobody chose, which becomes ten times the size of the body where that is smaller. The body comes to its
 * middle. */
void ssapp_region_follow (SsappRegion *region, SsView *view, const SsTrajectory *motion, double t, const char *body,
                          const double seen[4]);

/* About (x, y), which stays where it is in the picture: `factor` times as large. Between a micrometre and a million
 * kilometres. */
void ssapp_region_zoom (double bounds[4], double factor, double x, double y);
void ssapp_region_pan (double bounds[4], double dx, double dy);
/* The camera that shows all of it in the middle of width x height, and what a camera shows. */
void ssapp_region_camera (const double bounds[4], double width, double height, SsappCamera *camera);
void ssapp_region_of_camera (const SsappCamera *camera, double bounds[4]);

/* "ball 1.2 km right": how far outside the picture; dx to the right, dy up [m]; g_free. */
char *ssapp_region_away_text (const char *body, double dx, double dy);
/* An arrow at the edge for every body that is outside the picture, none in its uppermost `top` px. */
void ssapp_region_draw_away (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                             int n_marks, double top);

G_END_DECLS
