/* ui/canvas/ssui-canvas.c: see the header. Layers: backdrop, bodies (at t = 0 or at the clock's time), the shape being
 * drawn. */
#include "ui/canvas/ssui-canvas-private.h"
#include "ui/canvas/ssui-canvas-snap.h"
#include "ui/canvas/ssui-joint-choice.h"

#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-overlays.h"
#include "app/draw/ssapp-paths.h"
#include "ui/parts/ssui-context-menu.h"
#include "ui/parts/ssui-raster.h"
#include "ui/parts/ssui-selection-menu.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define WIDE              640  /* px: buttons and scale bar stand beside each other                       */
#define WIDE_WITH_MORE    1000 /* the same with scales of arrows, or the longer bar of the sandbox        */
#define BUTTONS_HEIGHT    48.0 /* px                                                                      */
#define MOVING_LABELS_MAX 20   /* bodies: names of more that move hide the scene and take most of a frame's time */
#define MOTION_LABELS_MAX 200  /* the same where a motion stands still: it is scrubbed                         */

static const char *const tool_names[] = {"select",  "box",    "disc",          "ground",      "pin",     "slider",
                                         "rod",     "spring", "capsule",       "polygon",     "segment", "weld",
                                         "torsion", "motor",  "measure",       "note",        "gear",    "rope",
                                         "knife",   "trace",  "picture-scale", "picture-move"};

G_DEFINE_FINAL_TYPE (SsuiCanvas, ssui_canvas, GTK_TYPE_WIDGET)

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* The frame of the motion at the clock's time; NULL when the sketch itself is to be shown. */
static const SsMark *
motion_marks (SsuiCanvas *self, int *n_marks)
{
  const SsTrajectory *trajectory;
  SsView *view;

  if (!ssui_canvas_shows_motion (self))
    return NULL;
  view = ssapp_run_get_view (self->run);
  trajectory = ssapp_run_get_trajectory (self->run);
  if (self->row_size < trajectory->n_channels) {
    self->row = g_renew (double, self->row, trajectory->n_channels);
    self->row_size = trajectory->n_channels;
  }
  *n_marks = ss_view_n_marks (view);
  if (self->marks_size < *n_marks) {
    self->marks = g_renew (SsMark, self->marks, *n_marks);
    self->marks_size = *n_marks;
  }
  if (ssui_clock_is_before (self->clock))
    ss_trajectory_sample_before (trajectory, ssui_clock_get_time (self->clock), self->row);
  else
    ss_trajectory_sample_motion (trajectory, ssui_clock_get_time (self->clock), self->row);
  ss_view_frame (view, self->row, self->marks);
  return self->marks;
}

/* The selection can be moved and turned: a body of its own or a goal. */
static gboolean
is_held_by_hand (SsuiCanvas *self)
{
  g_autofree char *path = ssapp_document_body_path (self->document, ssapp_document_get_selected_index (self->document));
  const char *item = ssapp_document_get_selected_item (self->document);

  return path != NULL || (item != NULL && g_str_has_prefix (item, "task.targets"));
}

/* Where the clock is, the sketch as it begins stands beside the motion that follows it: to be edited. */
static void
draw_start (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style, SsappSceneFlags flags)
{
  const double faint = 0.35;
  int n_marks;
  const SsMark *marks = ssapp_document_get_marks (self->document, &n_marks),
               *selected = ssapp_document_get_selected_mark (self->document);

  flags.labels = FALSE;
  cairo_push_group (cr);
  ssapp_draw_marks (cr, style, &self->camera, marks, n_marks, &flags);
  cairo_pop_group_to_source (cr);
  cairo_paint_with_alpha (cr, faint);
  if (selected == NULL || ssapp_document_count_selected (self->document) != 1)
    return;
  flags.selected = selected->name;
  flags.rotation = is_held_by_hand (self);
  flags.handles = ssui_canvas_has_handles (self);
  ssapp_draw_marks (cr, style, &self->camera, selected, 1, &flags);
}

/* Paths of the motion and of the one before, and where that is at the clock's time. */
static void
draw_before (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  SsappRun *before = self->before;
  SsView *view = before != NULL && before != self->run ? ssapp_run_get_view (before) : NULL;

  if (view != NULL) {
    ssapp_draw_paths (cr, style, &self->camera, view, ssapp_run_get_trajectory (before), TRUE);
    if (ssui_clock_get_time (self->clock) > 0)
      ssapp_draw_ghost (cr, style, &self->camera, view, ssapp_run_get_trajectory (before),
                        ssui_clock_get_time (self->clock));
  }
  if (self->run != NULL && ssapp_run_has_motion (self->run) && ssapp_run_get_view (self->run) != NULL)
    ssapp_draw_paths (cr, style, &self->camera, ssapp_run_get_view (self->run), ssapp_run_get_trajectory (self->run),
                      FALSE);
}

/* ---- layers and following ---------------------------------------------------------------------------------------- */

/* The motion that plays, with chosen layers: frame, overlays and scales. */
static void
draw_layers (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style, SsappSceneFlags *flags)
{
  const guint version = ssapp_run_get_version (self->run) + 1;

  flags->layers = ssui_motion_look_get_layers (self->look);
  flags->forces_of = ssui_motion_look_get_forces_of (self->look);
  if (self->arrows_version != version) {
    self->arrows_version = version;
    ssapp_arrow_scale_init (&self->arrows);
    ssapp_arrow_scale_take (&self->arrows, ssapp_run_get_view (self->run), ssapp_run_get_trajectory (self->run));
    ssapp_arrow_scale_take_events (&self->arrows, ssapp_run_get_events (self->run));
  }
  flags->scene = ssapp_run_get_scenario (self->run) != NULL ? ssapp_run_get_scenario (self->run)->scene : NULL;
  flags->events = ssapp_run_get_events (self->run);
  flags->before_jump = ssui_clock_is_before (self->clock);
  flags->scale_bar = TRUE;
  ssapp_draw_motion_frame (cr, style, &self->camera, ssapp_run_get_view (self->run),
                           ssapp_run_get_trajectory (self->run), ssui_clock_get_time (self->clock), flags,
                           &self->arrows);
}

/* The sheet goes along with the body by what it went since the last time. */
static void
follow (SsuiCanvas *self)
{
  const SsappRegion *region = self->look != NULL ? ssui_motion_look_get_region (self->look) : NULL;
  const gboolean was_following = self->is_following;
  SsVec2 at;

  self->is_following = region != NULL && region->follow[0] != '\0' && self->run != NULL && self->clock != NULL &&
                       ssapp_run_get_view (self->run) != NULL &&
                       ssapp_region_body_at (ssapp_run_get_view (self->run), ssapp_run_get_trajectory (self->run),
                                             region->follow, ssui_clock_get_time (self->clock), &at);
  if (!self->is_following)
    return;
  if (was_following) {
    self->camera.ox -= (at.x - self->followed_at.x) * self->camera.scale;
    self->camera.oy += (at.y - self->followed_at.y) * self->camera.scale;
  } else { /* it comes to the middle */
    self->camera.ox = self->camera.width / 2 - at.x * self->camera.scale;
    self->camera.oy = self->camera.height / 2 + at.y * self->camera.scale;
  }
  self->is_fitted = FALSE;
  self->followed_at = at;
}

static void
on_look_changed (SsuiCanvas *self)
{
  const SsappRegion *region = ssui_motion_look_get_region (self->look);

  if (region->follow[0] == '\0' && region->is_chosen) { /* typed or sent: the sheet shows it once */
    ssapp_region_camera (region->bounds, self->camera.width, self->camera.height, &self->camera);
    self->is_fitted = FALSE;
    ssui_motion_look_fit (self->look);
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_ZOOM_CHANGED], 0);
  }
  follow (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_set_look (SsuiCanvas *self, SsuiMotionLook *look)
{
  g_return_if_fail (SSUI_IS_CANVAS (self) && (look == NULL || SSUI_IS_MOTION_LOOK (look)));
  if (self->look != NULL)
    g_signal_handlers_disconnect_by_data (self->look, self);
  g_set_object (&self->look, look);
  if (look == NULL)
    return;
  ssui_motion_look_set_usual (look,
                              SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_CONTACTS | SSAPP_LAYER_FORCES | SSAPP_LAYER_CENTRES);
  g_signal_connect_object (look, "changed", G_CALLBACK (on_look_changed), self, G_CONNECT_SWAPPED);
}

/* The shape under the pen. */
static void
draw_pen (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  SsVec2 a = self->drag_from, b = self->drag_to, vertices[4];
  SsappSceneFlags flags = {0};
  SsMark mark = {.name = "", .color = "blue", .visible = TRUE, .role = SS_ROLE_BODY};

  if (self->tool == SSUI_TOOL_BOX) {
    double w = fabs (b.x - a.x) / 2, h = fabs (b.y - a.y) / 2;
    vertices[0] = (SsVec2){-w, -h};
    vertices[1] = (SsVec2){w, -h};
    vertices[2] = (SsVec2){w, h};
    vertices[3] = (SsVec2){-w, h};
    mark.kind = SS_MARK_POLYGON;
    mark.n_vertices = 4;
    mark.vertices = vertices;
    mark.position = (SsVec2){(a.x + b.x) / 2, (a.y + b.y) / 2};
  } else if (self->tool == SSUI_TOOL_DISC) {
    mark.kind = SS_MARK_CIRCLE;
    mark.color = "yellow";
    mark.position = a;
    mark.radius = hypot (b.x - a.x, b.y - a.y);
  } else if (self->tool == SSUI_TOOL_PIN) {
    mark.kind = SS_MARK_POINT;
    mark.role = SS_ROLE_CONTACT;
    mark.position = a;
  } else if (self->tool != SSUI_TOOL_GROUND) {
    mark.kind = self->tool == SSUI_TOOL_SPRING ? SS_MARK_SPRING : SS_MARK_SEGMENT;
    mark.role = SS_ROLE_GUIDE;
    mark.color = "";
    mark.position = a;
    mark.vector = (SsVec2){b.x - a.x, b.y - a.y};
  } else {
    double tx = b.x - a.x, ty = b.y - a.y;
    mark.kind = SS_MARK_HALF_PLANE;
    mark.role = SS_ROLE_FIXED;
    mark.color = "";
    mark.position = a;
    mark.angle = hypot (tx, ty) > 0 ? atan2 (tx < 0 ? -ty : ty, fabs (tx)) : 0;
  }
  ssapp_draw_marks (cr, style, &self->camera, &mark, 1, &flags);
}

/* What the sheet below everything depends on. */
typedef struct {
  SsappCamera camera;
  SsappStyle style;
  SsappSceneFlags flags;
  const SsappUnderlay *underlay; /* nullable, borrowed */
  guint version;                 /* of it */
} Sheet;

static void
draw_sheet (cairo_t *cr, gpointer data)
{
  const Sheet *sheet = data;
  ssapp_draw_backdrop (cr, &sheet->style, &sheet->camera, &sheet->flags);
  if (sheet->underlay == NULL)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, SSUI_CANVAS_RULER, SSUI_CANVAS_RULER, sheet->camera.width, sheet->camera.height);
  cairo_clip (cr);
  ssapp_draw_underlay (cr, &sheet->camera, sheet->underlay);
  cairo_restore (cr);
}

static cairo_t *
begin_sheet (SsuiCanvas *self, const SsappStyle *style, const SsappSceneFlags *flags)
{
  Sheet sheet;

  memset (&sheet, 0, sizeof sheet); /* it is compared byte by byte */
  sheet.camera = self->camera;
  sheet.style = *style;
  sheet.flags.grid = flags->grid;
  sheet.flags.rulers = flags->rulers;
  sheet.flags.scale_bar = flags->scale_bar;
  sheet.flags.scales_above = flags->scales_above;
  sheet.underlay = self->picture != NULL ? ssapp_sheet_picture_get (self->picture) : NULL;
  sheet.version = self->picture != NULL ? ssapp_sheet_picture_get_version (self->picture) : 0;
  return ssui_raster_begin (self->raster, GTK_WIDGET (self), &sheet, sizeof sheet, draw_sheet, &sheet);
}

static void
ssui_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiCanvas *self = SSUI_CANVAS (widget);
  int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget), n_marks = 0;
  SsappStyle style;
  const SsMark *marks, *selected;
  gboolean shows_sketch = FALSE, has_layers;
  const SsScene *scene;
  SsappSceneFlags flags = {.grid = self->grid, .rulers = TRUE, .scale_bar = TRUE, .labels = TRUE};
  cairo_t *cr;

  if (w <= 0 || h <= 0 || self->document == NULL)
    return;
  scene = ssapp_document_get_scenario (self->document)->scene;
  ssui_style_init (&style, widget);
  marks = self->is_live ? self->live_marks : motion_marks (self, &n_marks);
  if (self->is_live)
    n_marks = self->n_live_marks;
  if (marks != NULL && scene != NULL)
    flags.labels = scene->n_bodies <=
                   (self->is_live || ssui_clock_is_playing (self->clock) ? MOVING_LABELS_MAX : MOTION_LABELS_MAX);
  if (marks == NULL) {
    marks = ssapp_document_get_marks (self->document, &n_marks);
    selected = ssapp_document_get_selected_mark (self->document);
    flags.selected = selected != NULL && ssapp_document_count_selected (self->document) == 1 ? selected->name : NULL;
    flags.rotation = is_held_by_hand (self);
    flags.handles = ssui_canvas_has_handles (self);
    shows_sketch = TRUE;
  }
  flags.contact = self->watch != NULL ? ssapp_contact_watch_get_name (self->watch) : NULL;
  has_layers = !shows_sketch && !self->is_live && self->look != NULL && ssui_motion_look_get_layers (self->look) != 0;
  flags.scale_bar = !has_layers; /* beside those of arrows */
  /* The buttons in the middle of the lower edge lie over the scales of a narrow sheet. */
  flags.scales_above = w < (self->is_live || has_layers ? WIDE_WITH_MORE : WIDE) ? BUTTONS_HEIGHT : 0;
  cr = begin_sheet (self, &style, &flags);
  if (cr == NULL)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, SSUI_CANVAS_RULER, SSUI_CANVAS_RULER, w - SSUI_CANVAS_RULER, h - SSUI_CANVAS_RULER);
  cairo_clip (cr);
  if (self->follows_sketch && !self->is_live) {
    if (!shows_sketch)
      draw_start (self, cr, &style, flags);
    draw_before (self, cr, &style);
  }
  const gboolean has_arrows = !self->is_live && (shows_sketch || self->follows_sketch),
                 has_names = flags.labels && has_arrows && !has_layers; /* above the arrows: both are read */
  flags.labels = flags.labels && !has_names;
  if (!shows_sketch && has_layers)
    draw_layers (self, cr, &style, &flags);
  else if (marks != NULL)
    ssapp_draw_marks (cr, &style, &self->camera, marks, n_marks, &flags);
  if (shows_sketch && scene != NULL) {
    const char *path = ssapp_document_get_selected_item (self->document);
    SsappItem *selected_item = path != NULL ? ssapp_document_get_item (self->document, path) : NULL;
    ssapp_draw_actuators (cr, &style, &self->camera, scene, selected_item != NULL ? selected_item->name : NULL);
    ssapp_item_free (selected_item);
    ssapp_draw_holds (cr, &style, &self->camera, scene);
  }
  ssui_canvas_draw_contact (self, cr, &style, marks, n_marks, &flags);
  ssui_canvas_draw_place (self, cr, &style, shows_sketch || has_arrows);
  ssui_canvas_group_draw (self, cr, &style, shows_sketch || has_arrows);
  if (self->is_live)
    ssapp_draw_goal_handles (cr, &style, &self->camera, marks, n_marks);
  if (has_arrows)
    ssui_canvas_draw_arrows (self, cr, &style);
  if (has_names)
    ssapp_draw_labels (cr, &style, &self->camera, marks, n_marks);
  ssui_canvas_draw_pull (self, cr, &style);
  if (self->has_spring)
    ssapp_draw_pull (cr, &style, &self->camera, self->spring_from, self->spring_to);
  if (!ssui_canvas_draw_shape_pen (self, cr, &style) && self->is_drawing)
    draw_pen (self, cr, &style);
  ssui_canvas_draw_pen_cross (self, cr, &style);
  ssui_canvas_draw_hint (self, cr, &style);
  cairo_restore (cr);
  ssui_raster_end (self->raster, snapshot);
}

static void
ssui_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SsuiCanvas *self = SSUI_CANVAS (widget);

  (void)baseline;
  ssui_joint_choice_allocate (widget);
  if (self->is_fitted || self->camera.width <= 0) {
    ssui_canvas_fit_now (self);
    return;
  }
  /* The middle stays in the middle. */
  self->camera.ox += (width - self->camera.width) / 2;
  self->camera.oy += (height - self->camera.height) / 2;
  self->camera.width = width;
  self->camera.height = height;
}

static void
ssui_canvas_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  (void)widget;
  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : 200;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 600 : 400;
}

/* ---- accessible text --------------------------------------------------------------------------------------------- */

static void
update_description (SsuiCanvas *self)
{
  g_autofree char *text = ssapp_document_describe (self->document);
  g_autofree char *full = NULL;

  if ((self->run != NULL || self->is_live) && self->clock != NULL && ssui_clock_get_time (self->clock) > 0)
    full = g_strdup_printf (_ ("%s, shown at %.3f s of %.3f s"), text, ssui_clock_get_time (self->clock),
                            ssui_clock_get_duration (self->clock));
  ssui_set_description (GTK_WIDGET (self), full != NULL ? full : text);
}

static void
on_document_changed (SsuiCanvas *self)
{
  ssui_canvas_update_contact (self);
  update_description (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_clock_tick (SsuiCanvas *self)
{
  if (!self->is_live) /* then the rows come by themselves */
    ssui_canvas_update_contact (self);
  if (!ssui_clock_is_playing (self->clock))
    update_description (self);
  follow (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- live -------------------------------------------------------------------------------------------------------- */

void
ssui_canvas_set_live (SsuiCanvas *self, gboolean is_live)
{
  self->is_live = is_live;
  self->is_pulling = self->has_spring = FALSE;
  self->live_marks = NULL;
  self->n_live_marks = 0;
  self->live_row = NULL;
  ssui_canvas_update_contact (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_set_live_marks (SsuiCanvas *self, const SsMark *marks, int n_marks)
{
  self->live_marks = marks;
  self->n_live_marks = n_marks;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_set_live_row (SsuiCanvas *self, const SsChannel *channels, int n_channels, const double *row, double step)
{
  self->live_channels = channels;
  self->n_live_channels = n_channels;
  self->live_row = row;
  self->live_step = step;
  ssui_canvas_update_contact (self);
}

void
ssui_canvas_set_spring (SsuiCanvas *self, const SsVec2 *from, const SsVec2 *to)
{
  if (self->has_spring || from != NULL)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  self->has_spring = from != NULL && to != NULL;
  if (self->has_spring) {
    self->spring_from = *from;
    self->spring_to = *to;
  }
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

void
ssui_canvas_set_document (SsuiCanvas *self, SsappDocument *document)
{
  g_return_if_fail (SSUI_IS_CANVAS (self) && (document == NULL || SSAPP_IS_DOCUMENT (document)));
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_set_object (&self->document, document);
  if (document == NULL)
    return;
  g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "selection-changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  on_document_changed (self);
}

void
ssui_canvas_set_picture (SsuiCanvas *self, SsappSheetPicture *picture)
{
  g_return_if_fail (SSUI_IS_CANVAS (self) && self->picture == NULL && SSAPP_IS_SHEET_PICTURE (picture));
  self->picture = g_object_ref (picture);
  g_signal_connect_object (picture, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

SsappSheetPicture *
ssui_canvas_get_picture (SsuiCanvas *self)
{
  g_return_val_if_fail (SSUI_IS_CANVAS (self), NULL);
  return self->picture;
}

void
ssui_canvas_set_watch (SsuiCanvas *self, SsappContactWatch *watch)
{
  g_return_if_fail (SSUI_IS_CANVAS (self) && (watch == NULL || SSAPP_IS_CONTACT_WATCH (watch)));
  g_set_object (&self->watch, watch);
}

void
ssui_canvas_set_clock (SsuiCanvas *self, SsuiClock *clock)
{
  g_return_if_fail (SSUI_IS_CANVAS (self) && (clock == NULL || SSUI_IS_CLOCK (clock)));
  if (self->clock != NULL)
    g_signal_handlers_disconnect_by_data (self->clock, self);
  g_set_object (&self->clock, clock);
  if (clock == NULL)
    return;
  g_signal_connect_object (clock, "tick", G_CALLBACK (on_clock_tick), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (clock, "changed", G_CALLBACK (on_clock_tick), self, G_CONNECT_SWAPPED);
}

static void
on_run_changed (SsuiCanvas *self)
{
  ssui_canvas_update_contact (self);
  if (self->is_fitted && !self->follows_sketch)
    ssui_canvas_fit_now (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pulling_changed (SsuiCanvas *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_set_pulling (SsuiCanvas *self, SsappPulling *pulling)
{
  g_return_if_fail (SSUI_IS_CANVAS (self) && (pulling == NULL || SSAPP_IS_PULLING (pulling)));
  if (self->pulling == pulling)
    return;
  ssui_canvas_pull_end (self, FALSE);
  if (self->pulling != NULL)
    g_signal_handlers_disconnect_by_data (self->pulling, self);
  g_set_object (&self->pulling, pulling);
  if (pulling != NULL)
    g_signal_connect_object (pulling, "changed", G_CALLBACK (on_pulling_changed), self, G_CONNECT_SWAPPED);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_set_following (SsuiCanvas *self, gboolean is_following)
{
  g_return_if_fail (SSUI_IS_CANVAS (self));
  if (self->follows_sketch == is_following)
    return;
  self->follows_sketch = is_following;
  self->fits_motion = FALSE;
  on_run_changed (self);
}

void
ssui_canvas_set_before (SsuiCanvas *self, SsappRun *before)
{
  g_return_if_fail (SSUI_IS_CANVAS (self) && (before == NULL || SSAPP_IS_RUN (before)));
  if (g_set_object (&self->before, before))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_set_run (SsuiCanvas *self, SsappRun *run)
{
  g_return_if_fail (SSUI_IS_CANVAS (self) && (run == NULL || SSAPP_IS_RUN (run)));
  if (run == self->run)
    return;
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_set_object (&self->run, run);
  if (run != NULL)
    g_signal_connect_object (run, "changed", G_CALLBACK (on_run_changed), self, G_CONNECT_SWAPPED);
  on_run_changed (self);
}

gboolean
ssui_canvas_set_tool (SsuiCanvas *self, const char *tool)
{
  g_return_val_if_fail (SSUI_IS_CANVAS (self), FALSE);

  guint i = 0;

  while (i < G_N_ELEMENTS (tool_names) && strcmp (tool, tool_names[i]) != 0)
    i++;
  if (i == G_N_ELEMENTS (tool_names))
    return FALSE;
  self->tool = (SsuiTool)i;
  ssui_canvas_drop_corners (self);
  ssui_canvas_drop_pen (self);
  ssui_canvas_point_trace (self, TRUE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), self->tool == SSUI_TOOL_SELECT ? NULL : "crosshair");
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_TOOL_CHANGED], 0);
  return TRUE;
}

gboolean
ssui_canvas_traces (SsuiCanvas *self)
{
  g_return_val_if_fail (SSUI_IS_CANVAS (self), FALSE);
  return self->tool == SSUI_TOOL_TRACE;
}

void
ssui_canvas_set_snap (SsuiCanvas *self, gboolean snap)
{
  g_return_if_fail (SSUI_IS_CANVAS (self));
  self->snap = snap;
}

void
ssui_canvas_set_grid (SsuiCanvas *self, gboolean grid)
{
  g_return_if_fail (SSUI_IS_CANVAS (self));
  self->grid = grid;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- menu -------------------------------------------------------------------------------------------------------- */

static GMenuModel *
menu_at (GtkWidget *widget, double x, double y, gboolean by_key, gpointer data)
{
  SsuiCanvas *self = data;
  g_autofree char *contact = ssui_canvas_hit_contact (self, x, y, SSUI_CANVAS_HIT_TOLERANCE),
                  *key = contact == NULL ? ssui_canvas_key_at (self, x, y) : NULL;

  return ssui_selection_menu_at (widget, self->document, contact != NULL ? contact : key, by_key);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_canvas_dispose (GObject *object)
{
  SsuiCanvas *self = SSUI_CANVAS (object);

  ssui_unparent_children (GTK_WIDGET (object));
  ssui_canvas_set_document (self, NULL);
  ssui_canvas_set_clock (self, NULL);
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  ssui_canvas_set_look (self, NULL);
  g_clear_object (&self->run);
  g_clear_object (&self->before);
  ssui_canvas_set_pulling (self, NULL);
  g_clear_object (&self->watch);
  g_clear_handle_id (&self->rest_timer, g_source_remove);
  g_clear_object (&self->picture);
  g_clear_pointer (&self->row, g_free);
  g_clear_pointer (&self->held, g_free);
  g_clear_pointer (&self->group.key, g_free);
  g_clear_pointer (&self->group.label, g_free);
  g_clear_pointer (&self->corners, g_array_unref);
  g_clear_pointer (&self->marks, g_free);
  g_clear_pointer (&self->raster, ssui_raster_free);
  self->row_size = self->marks_size = 0;
  G_OBJECT_CLASS (ssui_canvas_parent_class)->dispose (object);
}

static void
ssui_canvas_class_init (SsuiCanvasClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_canvas_dispose;
  widget_class->snapshot = ssui_canvas_snapshot;
  widget_class->size_allocate = ssui_canvas_size_allocate;
  widget_class->measure = ssui_canvas_measure;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  ssui_canvas_signals[SSUI_CANVAS_POINTER_MOVED] = g_signal_new ("pointer-moved", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST,
                                                                 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  ssui_canvas_signals[SSUI_CANVAS_REFUSED] =
      g_signal_new ("refused", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  ssui_canvas_signals[SSUI_CANVAS_PULL] =
      g_signal_new ("pull", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 4, G_TYPE_INT,
                    G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  ssui_canvas_signals[SSUI_CANVAS_ZOOM_CHANGED] =
      g_signal_new ("zoom-changed", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ssui_canvas_signals[SSUI_CANVAS_TOOL_FINISHED] =
      g_signal_new ("tool-finished", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ssui_canvas_signals[SSUI_CANVAS_TOOL_CHANGED] =
      g_signal_new ("tool-changed", SSUI_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssui_canvas_init (SsuiCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  AdwStyleManager *manager = adw_style_manager_get_default ();
  const double default_scale = 200; /* px per metre, until the first fit */

  self->corners = g_array_new (FALSE, FALSE, sizeof (SsVec2));
  self->is_fitted = TRUE;
  self->raster = ssui_raster_new ();
  self->snap = self->grid = TRUE;
  self->camera.scale = default_scale;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  ssui_set_label (widget, _ ("Canvas"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_ROLE_DESCRIPTION, "drawing", -1);

  ssui_canvas_add_controllers (self);
  ssui_context_menu_attach (widget, menu_at, self);

  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
