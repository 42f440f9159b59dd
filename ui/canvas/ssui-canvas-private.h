/* ui/canvas/ssui-canvas-private.h: the canvas' two halves: sheet and drawing (ssui-canvas.c), pointer and keys
 * (ssui-canvas-pointer.c). */
#pragma once

#include "ui/canvas/ssui-canvas.h"

G_BEGIN_DECLS

#define SSUI_CANVAS_ZOOM_STEP 1.25 /* one key press or wheel notch */

typedef enum {
  SSUI_TOOL_SELECT,
  SSUI_TOOL_BOX,
  SSUI_TOOL_DISC,
  SSUI_TOOL_GROUND,
  SSUI_TOOL_PIN,
  SSUI_TOOL_SLIDER,
  SSUI_TOOL_ROD,
  SSUI_TOOL_SPRING
} SsuiTool;

struct _SsuiCanvas {
  GtkWidget parent_instance;
  SsappDocument *document;
  SsuiClock *clock;
  SsappRun *run;
  SsuiMotionLook *look;
  SsappArrowScale arrows; /* of the run, found once for each version of it */
  guint arrows_version;
  SsVec2 followed_at; /* where the body was when the sheet was placed */
  gboolean is_following;
  SsappCamera camera;
  gboolean is_fitted; /* keep the whole sketch in view until the user zooms or pans  */
  SsuiTool tool;
  gboolean snap, grid;
  /* drag */
  GtkGesture *drag;
  gboolean is_panning, is_moving, is_turning, is_drawing;
  gboolean space_down;
  SsVec2 drag_from, drag_to; /* world, snapped */
  char *held;                /* path of the body or goal that is moved or turned, owned */
  double pose_from[3];       /* of it, as the file says it                              */
  SsVec2 pivot;              /* about which it is turned [m]                            */
  SsappCamera camera_from;
  double pointer_x, pointer_y;
  double zoom_from;
  double *row; /* sampled trajectory row */
  SsMark *marks;
  int row_size, marks_size;
  /* live */
  gboolean is_live, is_pulling, has_spring;
  const SsMark *live_marks; /* borrowed */
  int n_live_marks;
  SsVec2 spring_from, spring_to;
};

enum {
  SSUI_CANVAS_POINTER_MOVED,
  SSUI_CANVAS_REFUSED,
  SSUI_CANVAS_ZOOM_CHANGED,
  SSUI_CANVAS_TOOL_FINISHED,
  SSUI_CANVAS_PULL,
  SSUI_CANVAS_N_SIGNALS
};
extern guint ssui_canvas_signals[SSUI_CANVAS_N_SIGNALS];

/* Zooms with the point (x, y) of the widget staying where it is. */
void ssui_canvas_set_scale_at (SsuiCanvas *self, double scale, double x, double y);
double ssui_canvas_grid_step (SsuiCanvas *self); /* [m] */
SsVec2 ssui_canvas_world_at (SsuiCanvas *self, double x, double y, gboolean snap);
void ssui_canvas_add_controllers (SsuiCanvas *self);

G_END_DECLS
