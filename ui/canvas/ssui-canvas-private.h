/* ui/canvas/ssui-canvas-private.h: the canvas' fields, and its files from below: where it looks (-sheet), the contact
 * (-contact), what a drag snaps to (-snap), shapes (-shape), handles (-handles), arrows (-arrows),
 * several objects (-selection), drags
 * (-drag), typed numbers (-typing), the pen by keys (-pen), pointer and keys (-pointer), the widget and its picture
 * (ssui-canvas.c). */
#pragma once

#include "app/document/ssapp-typed.h"
#include "app/document/ssapp-vector.h"
#include "ui/canvas/ssui-canvas.h"

G_BEGIN_DECLS

#define SSUI_CANVAS_ZOOM_STEP      1.25        /* one key press or wheel notch                            */
#define SSUI_CANVAS_HIT_TOLERANCE  6.0         /* px around a thin shape that still counts as a hit       */
#define SSUI_CANVAS_DRAG_THRESHOLD 3.0         /* px: less is a click                                     */
#define SSUI_CANVAS_TURN_STEP      (G_PI / 12) /* [rad] while snapping                                    */
#define SSUI_CANVAS_RULER          22.0        /* px of the rulers left and above (mock-up)               */

typedef enum {
  SSUI_TOOL_SELECT,
  SSUI_TOOL_BOX,
  SSUI_TOOL_DISC,
  SSUI_TOOL_GROUND,
  SSUI_TOOL_PIN,
  SSUI_TOOL_SLIDER,
  SSUI_TOOL_ROD,
  SSUI_TOOL_SPRING,
  SSUI_TOOL_CAPSULE, /* from here on: ssui-canvas-shape.c */
  SSUI_TOOL_POLYGON,
  SSUI_TOOL_SEGMENT,
  SSUI_TOOL_WELD,
  SSUI_TOOL_TORSION,
  SSUI_TOOL_MOTOR,
  SSUI_TOOL_MEASURE,
  SSUI_TOOL_NOTE,
  SSUI_TOOL_GEAR,
  SSUI_TOOL_ROPE,
  SSUI_TOOL_KNIFE,
  SSUI_TOOL_TRACE, /* from here on: of the picture under the sheet */
  SSUI_TOOL_PICTURE_SCALE,
  SSUI_TOOL_PICTURE_MOVE
} SsuiTool;

/* A drag that starts on empty ground, on one of several selected objects, on a joint, or on the handle of the group. */
typedef enum {
  SSUI_GROUP_NONE,
  SSUI_GROUP_BAND,
  SSUI_GROUP_PRESSED,
  SSUI_GROUP_TURNS,
  SSUI_GROUP_RESIZES,
  SSUI_GROUP_ARROW /* of gravity or of a start velocity */
} SsuiGroupPhase;
typedef struct {
  SsuiGroupPhase phase;
  gboolean adds, is_dragging, is_editing; /* editing: a gesture of the document runs */
  char *key;                              /* what was pressed, owned; NULL: a joint that is selected already */
  double from_x, from_y, dx, dy;          /* px */
  double done[2];                         /* of the drag: moved [m], turned [rad], or the arrow's value */
  int handle;                             /* SsappHandle, of RESIZES */
  char *label;                            /* of the step, owned */
  SsVec2 pivot;
  SsappVector *vector; /* as it was pressed, owned; of ARROW */
} SsuiGroupDrag;

struct _SsuiCanvas {
  GtkWidget parent_instance;
  SsappDocument *document;
  SsuiClock *clock;
  SsappRun *run, *before;  /* nullable */
  gboolean follows_sketch; /* the motion does; fits_motion: the sheet was fitted by hand since */
  gboolean fits_motion;
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
  gboolean draws_into;       /* the shape becomes one of the selected body */
  GArray *corners;           /* of SsVec2, of the polygon being drawn, owned */
  char *held;                /* path of the body or goal that is moved or turned, owned */
  double pose_from[3];       /* of it, as the file says it                              */
  SsVec2 pivot;              /* about which it is turned [m]                            */
  SsuiGroupDrag group;
  const char *cursor; /* that is shown, static */
  SsappCamera camera_from;
  double pointer_x, pointer_y;
  double zoom_from;
  /* the pen by keys: ssui-canvas-pen.c */
  gboolean has_pen, pen_moved; /* moved: since it was put down */
  SsVec2 pen;
  double seen_x, seen_y; /* the pointer's own last place, px */
  guint rest_timer;      /* until the outline of a trace is looked for */
  /* exact placement: ssui-canvas-snap.c */
  SsappSnap snapped; /* what the drag or the pen is snapped to           */
  SsappTyped typed;  /* numbers typed meanwhile                          */
  gboolean typed_is_wrong;
  double typed_now[3]; /* pose of what is held when typing began           */
  SsVec2 typed_to;     /* where the pen was then                           */
  double *row;         /* sampled trajectory row */
  SsMark *marks;
  int row_size, marks_size;
  /* live */
  gboolean presses_contact;       /* the press selected one: a drag from there is of the body below */
  SsappContactWatch *watch;       /* nullable */
  SsappSheetPicture *picture;     /* nullable */
  const SsChannel *live_channels; /* borrowed, with the row of the live marks; NULL: none */
  int n_live_channels;
  const double *live_row;
  double live_step;
  gboolean is_live, is_pulling, has_spring;
  const SsMark *live_marks; /* borrowed */
  int n_live_marks;
  SsVec2 spring_from, spring_to;
  SsappPulling *pulling; /* nullable: bodies of the motion are pulled */
  gboolean is_pulled;    /* one is; pull_offset: from its centre to where it is held [m] */
  SsVec2 pull_offset;
  struct SsuiRaster *raster;
};

enum {
  SSUI_CANVAS_POINTER_MOVED,
  SSUI_CANVAS_REFUSED,
  SSUI_CANVAS_ZOOM_CHANGED,
  SSUI_CANVAS_TOOL_FINISHED,
  SSUI_CANVAS_TOOL_CHANGED,
  SSUI_CANVAS_PULL,
  SSUI_CANVAS_N_SIGNALS
};
extern guint ssui_canvas_signals[SSUI_CANVAS_N_SIGNALS];

/* ---- a body of the motion that is pulled (ssui-canvas-pull.c); px of the widget ---- */
/* FALSE: none is there, or none is pulled. TRUE with an error: it is there, and does not move. */
gboolean ssui_canvas_pull_press (SsuiCanvas *self, double x, double y, GError **error);
gboolean ssui_canvas_pull_drag (SsuiCanvas *self, double x, double y);
void ssui_canvas_pull_end (SsuiCanvas *self, gboolean keeps);
void ssui_canvas_draw_pull (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style);

void ssui_canvas_fit_now (SsuiCanvas *self); /* the sheet shows everything, as long as nothing else moves it */
/* Zooms with the point (x, y) of the widget staying where it is. */
void ssui_canvas_set_scale_at (SsuiCanvas *self, double scale, double x, double y);
/* A frame of the run is shown, not the sketch. */
gboolean ssui_canvas_shows_motion (SsuiCanvas *self);
void ssui_canvas_update_contact (SsuiCanvas *self); /* tells the watch what is shown */
char *ssui_canvas_hit_contact (SsuiCanvas *self, double x, double y, double tolerance); /* path; NULL */
void ssui_canvas_draw_contact (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style, const SsMark *marks, int n_marks,
                               const SsappSceneFlags *flags);
SsVec2 ssui_canvas_world_at (SsuiCanvas *self, double x, double y, gboolean snap);
void ssui_canvas_add_controllers (SsuiCanvas *self);
/* An edit begins: the motion stands still, and one that does not follow the sketch is left. */
void ssui_canvas_leave_motion (SsuiCanvas *self);

/* ---- several objects (ssui-canvas-selection.c) ---- */
/* The steps of a drag with the select tool, where it concerns several objects; FALSE: it does not. */
gboolean ssui_canvas_group_press (SsuiCanvas *self, double x, double y, GdkModifierType state);
gboolean ssui_canvas_group_drag (SsuiCanvas *self, double dx, double dy);
void ssui_canvas_group_release (SsuiCanvas *self);
gboolean ssui_canvas_group_cancel (SsuiCanvas *self);
gboolean ssui_canvas_group_nudge (SsuiCanvas *self, double dx, double dy); /* [m] */
char *ssui_canvas_key_at (SsuiCanvas *self, double x, double y);           /* of the object there; NULL; caller frees */
void ssui_canvas_group_draw (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style, gboolean shows_sketch);

/* ---- handles of one object (ssui-canvas-handles.c) ---- */
gboolean ssui_canvas_has_handles (SsuiCanvas *self);
gboolean ssui_canvas_handle_press (SsuiCanvas *self, double x, double y); /* TRUE: a drag of the group's kind begins */
void ssui_canvas_handle_drag (SsuiCanvas *self, double dx, double dy);    /* px since the press */
const char *ssui_canvas_handle_cursor (SsuiCanvas *self, double x, double y); /* NULL: no handle is there */
/* The handle that turns one object or several is there. */
gboolean ssui_canvas_is_on_rotation (SsuiCanvas *self, double x, double y);

/* ---- arrows of gravity and start velocities (ssui-canvas-arrows.c) ---- */
gboolean ssui_canvas_is_on_arrow (SsuiCanvas *self, double x, double y);
gboolean ssui_canvas_arrow_press (SsuiCanvas *self, double x, double y); /* TRUE: a drag of the group's kind begins */
void ssui_canvas_arrow_drag (SsuiCanvas *self, double dx, double dy);    /* px since the press */
void ssui_canvas_draw_arrows (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style);

/* ---- the pen by keys, and where a trace would begin (ssui-canvas-pen.c) ---- */
gboolean ssui_canvas_pen_key (SsuiCanvas *self, guint key, GdkModifierType state); /* TRUE: it was for the pen */
void ssui_canvas_drop_pen (SsuiCanvas *self);                                      /* and what is being drawn */
void ssui_canvas_note_pointer (SsuiCanvas *self, double x, double y); /* where it moves, a pen that is up goes */
void ssui_canvas_draw_pen_cross (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style);
void ssui_canvas_tell_pointer (SsuiCanvas *self); /* signal "pointer-moved" */
/* Pointer or pen are somewhere else, or gone from the sheet. */
void ssui_canvas_point_trace (SsuiCanvas *self, gboolean is_there);

/* ssui-canvas-shape.c */
/* What is drawn ends in ssui_canvas_finish_shape: the tool is one of there, or draws into the selected body. */
gboolean ssui_canvas_is_shape_tool (SsuiCanvas *self);
gboolean ssui_canvas_finish_shape (SsuiCanvas *self, SsVec2 from, SsVec2 to, GError **error);
/* A press with a drawing tool; TRUE: it was a corner of a polygon, nothing is dragged. */
gboolean ssui_canvas_press_shape (SsuiCanvas *self, double x, double y, GdkModifierType state);
void ssui_canvas_move_shape (SsuiCanvas *self, double x, double y);
gboolean ssui_canvas_key_shape (SsuiCanvas *self, guint key); /* TRUE: it was for the polygon being drawn */
void ssui_canvas_drop_corners (SsuiCanvas *self);
char *ssui_canvas_shape_hint (SsuiCanvas *self); /* beside the pointer; NULL for none; caller frees */
gboolean ssui_canvas_draw_shape_pen (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style); /* FALSE: nothing */

G_END_DECLS
