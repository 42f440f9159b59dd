/* ui/pages/ssui-sketch-page.c: see the header. */
#include "ui/pages/ssui-sketch-page.h"

#include "app/draw/ssapp-playing.h"
#include "ui/canvas/ssui-canvas.h"
#include "ui/parts/ssui-inspector.h"
#include "ui/parts/ssui-outline.h"
#include "ui/parts/ssui-pane.h"
#include "ui/canvas/ssui-player.h"
#include "ui/canvas/ssui-live-plots.h"
#include "ui/canvas/ssui-palette.h"
#include "ui/canvas/ssui-assertion-bar.h"
#include "ui/canvas/ssui-pull-card.h"
#include "ui/canvas/ssui-trace-bar.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define NEW_BODY_HALF_WIDTH  0.5  /* m, of a box added by menu */
#define NEW_BODY_HALF_HEIGHT 0.25 /* m */
#define TEXT_PART            0.42 /* of the window's width, at first */
#define INSPECTOR            296  /* px, whatever is selected: the canvas stays where it is */
#define NARROW_INSPECTOR     264

struct _SsuiSketchPage {
  GtkWidget parent_instance;
  AdwFlap *outline_flap, *inspector_flap;
  SsuiOutline *outline;
  SsuiInspector *inspector;
  AdwClamp *inspector_clamp;
  SsuiCanvas *canvas;
  SsuiPlayer *player;
  GtkWidget *zoom, *pointer, *simulate, *keep_run, *empty_hint, *warning_bar, *warning;
  SsuiSandbox *sandbox;
  SsuiPullCard *pull_card;
  SsuiAssertionBar *assertions;
  SsuiTraceBar *trace_bar;
  SsuiLivePlots *live_plots; /* below the inspector */
  SsuiReplanStrip *replan_strip;
  GtkWidget *drawing; /* the tools and the canvas */
  GtkOverlay *canvas_overlay;
  GtkPaned *split; /* the sheet, with all of these, and beside it the text pane */
  GtkWidget *sheet;
  SsuiTextPane *text_pane;
  gboolean is_narrow;
  SsappSession *session;
  SsappLiveMotion *live; /* borrowed from the session */
  SsappRun *told;        /* whose events the timeline has; only to compare */
  guint told_version;
  gboolean told_running;
  gboolean keeps;  /* the motion is being stored: it stays where it is */
  char *dismissed; /* the warning that was closed, not to be shown again for this run */
};

G_DEFINE_FINAL_TYPE (SsuiSketchPage, ssui_sketch_page, GTK_TYPE_WIDGET)

static guint message_signal;

static SsappRun *
shown_run (SsuiSketchPage *self)
{
  GPtrArray *runs = ssapp_session_get_runs (self->session);
  return runs->len > 0 && ssapp_session_runs_are_current (self->session) ? g_ptr_array_index (runs, 0) : NULL;
}

/* A stored run of the sketch as it is, once it has ended; else the motion that follows the sketch. */
static SsappRun *
moving_run (SsuiSketchPage *self)
{
  SsappRun *run = shown_run (self), *now = ssapp_live_motion_get_now (self->live);

  if (run != NULL && (now == NULL || !ssapp_run_is_running (run) || ssapp_run_get_kind (run) != SS_METHOD_INTEGRATOR))
    return run;
  return now;
}

/* Why there is no motion, or not all of it; what the simulator warned about: overlaps, laws that do not apply. */
static void
update_warning (SsuiSketchPage *self, SsappRun *run)
{
  /* The bar moves the sheet from under the pointer: not for a motion that nobody looks at while the sketch is drawn. */
  const gboolean is_drawn = shown_run (self) == NULL && ssui_clock_get_time (ssui_player_get_clock (self->player)) == 0;
  const char *failure = shown_run (self) == NULL ? ssapp_live_motion_get_message (self->live) : "",
             *warnings = run != NULL && !is_drawn && *failure == '\0' ? ssapp_run_get_warnings (run) : "";
  g_autofree char *text =
      *failure != '\0'
          ? g_strdup_printf ("%s: %s", run != NULL ? _ ("The motion ends early") : _ ("There is no motion"), failure)
      : *warnings != '\0' ? g_strdup_printf ("%s: %s", ssapp_run_get_method_label (run), warnings)
                          : g_strdup ("");
  gboolean is_new = *text != '\0' && g_strcmp0 (text, self->dismissed) != 0;

  if (is_new && strcmp (gtk_label_get_text (GTK_LABEL (self->warning)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->warning), text);
  if (!is_new)
    gtk_label_set_text (GTK_LABEL (self->warning), "");
  gtk_info_bar_set_revealed (GTK_INFO_BAR (self->warning_bar), is_new);
}

static void
on_warning_response (SsuiSketchPage *self)
{
  g_free (self->dismissed);
  self->dismissed = g_strdup (gtk_label_get_text (GTK_LABEL (self->warning)));
  gtk_info_bar_set_revealed (GTK_INFO_BAR (self->warning_bar), FALSE);
}

/* Its events on the timeline, read anew when it has others. */
static void
show_events (SsuiSketchPage *self, SsappRun *run)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  if (run == self->told && (run == NULL || self->told_version == ssapp_run_get_version (run)) &&
      (run == NULL || self->told_running == ssapp_run_is_running (run)))
    return;
  self->told = run;
  self->told_version = run != NULL ? ssapp_run_get_version (run) : 0;
  self->told_running = run != NULL && ssapp_run_is_running (run);
  if (run != NULL)
    g_ptr_array_add (runs, g_object_ref (run));
  ssui_player_set_runs (self->player, runs);
}

/* Of a motion that is not whole yet the clock has all the time that the task takes: it keeps its place. */
static double
clock_end (SsuiSketchPage *self, SsappRun *run)
{
  const SsappRun *shown = run != NULL ? run : ssapp_live_motion_get_before (self->live);

  if (run != NULL && ssapp_run_get_id (run) != NULL)
    return ssapp_run_get_duration (run);
  if (shown != NULL && (run == NULL || !ssapp_live_motion_is_whole (self->live)))
    return ssapp_document_get_scenario (ssapp_session_get_document (self->session))->task.t_end;
  return run != NULL ? ssapp_run_get_duration (run) : 0;
}

/* The motion on the canvas is that of the newest run of exactly this sketch. */
static void
update_motion (SsuiSketchPage *self)
{
  SsappRun *run = moving_run (self), *before = ssapp_live_motion_get_before (self->live);
  SsuiClock *clock = ssui_player_get_clock (self->player);
  g_autofree char *note = NULL;

  if (ssui_sandbox_is_live (self->sandbox)) { /* then the clock is the sandbox's */
    note = g_strdup_printf ("%s, live", ssui_sandbox_get_method_label (self->sandbox));
    ssui_player_set_note (self->player, note);
    show_events (self, NULL); /* those of the sketch's motion are at other times */
    ssui_live_plots_show_sandbox (self->live_plots, ssui_sandbox_get_live (self->sandbox));
    return;
  }
  ssui_canvas_set_following (self->canvas, ssapp_document_is_scene (ssapp_session_get_document (self->session)));
  ssui_canvas_set_run (self->canvas, run);
  ssui_canvas_set_before (self->canvas, before);
  show_events (self, run); /* which tells the run by the clock that is chosen */
  ssui_clock_set_duration (clock, clock_end (self, run));
  ssui_player_follow_pull (self->player);
  if (run != NULL) {
    const SsTrajectory *trajectory = ssapp_run_get_trajectory (run);
    g_autofree char *frames = ssapp_frames_text (trajectory != NULL ? trajectory->n_rows : 0);
    const double seconds = ssapp_run_get_id (run) == NULL ? ssapp_live_motion_get_seconds (self->live) : NAN;
    note = isnan (seconds)
               ? g_strdup_printf ("%s, %s", ssapp_run_get_method_label (run), frames)
               : g_strdup_printf (_ ("%s, %s in %.0f ms"), ssapp_run_get_method_label (run), frames, 1e3 * seconds);
  }
  ssui_player_set_note (self->player, note);
  if (run == NULL || run != ssapp_live_motion_get_now (self->live) || ssapp_live_motion_is_whole (self->live))
    ssui_assertion_bar_show (self->assertions, run);
  ssui_live_plots_show (self->live_plots, run, before);
  update_warning (self, run);
}

static void
update_state (SsuiSketchPage *self)
{
  SsappDocument *document = ssapp_session_get_document (self->session);
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  gboolean is_running = ssapp_session_is_running (self->session);
  gboolean has_plan = scene != NULL && ssapp_document_get_scenario (document)->task.plan != NULL;

  gtk_widget_set_visible (self->simulate, has_plan && !is_running && !ssui_sandbox_is_live (self->sandbox));
  /* Not greyed where there is nothing to keep: a press there would reach neither it nor the sheet. */
  gtk_widget_set_visible (self->keep_run, !has_plan && ssui_sketch_page_can_keep (self));
  const SsappUnderlay *underlay = ssapp_sheet_picture_get (ssui_canvas_get_picture (self->canvas));
  gtk_widget_set_visible (self->empty_hint,
                          scene != NULL && scene->n_bodies == 0 && (underlay == NULL || !underlay->is_shown));
}

static void
on_document_changed (SsuiSketchPage *self)
{
  update_motion (self);
  update_state (self);
}

/* The motion follows the sketch while that is seen and is not played by hand; the sandbox gets the processor. */
static void
update_following (SsuiSketchPage *self)
{
  const gboolean is_following =
      gtk_widget_get_mapped (GTK_WIDGET (self->canvas)) && !ssui_sandbox_is_live (self->sandbox);

  if (self->session != NULL)
    ssapp_session_set_live (self->session, is_following);
  if (ssui_sandbox_is_live (self->sandbox))
    ssapp_live_motion_hold (self->live);
}

static void
on_runs_changed (SsuiSketchPage *self)
{
  SsuiClock *clock = ssui_player_get_clock (self->player);

  ssui_sandbox_stop (self->sandbox);
  if (!self->keeps) {
    ssui_clock_set_playing (clock, FALSE);
    ssui_clock_seek (clock, 0);
  }
  g_clear_pointer (&self->dismissed, g_free);
  update_motion (self);
  update_state (self);
}

/* Plays as soon as the simulation is there: pressing the button is asking to see it. */
static void
on_run_ended (SsuiSketchPage *self, SsappRun *run)
{
  const gboolean keeps = self->keeps;

  self->keeps = FALSE;
  update_motion (self);
  update_state (self);
  if (!keeps && gtk_widget_get_mapped (GTK_WIDGET (self->canvas)) && !ssui_sandbox_is_live (self->sandbox) &&
      run == shown_run (self) && ssapp_run_get_kind (run) == SS_METHOD_INTEGRATOR && ssapp_run_has_motion (run))
    ssui_clock_set_playing (ssui_player_get_clock (self->player), TRUE);
}

static void
on_run_changed (SsuiSketchPage *self, SsappRun *run)
{
  (void)run;
  update_motion (self);
  update_state (self);
}

static void
on_pointer_moved (SsuiSketchPage *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->pointer), text);
  gtk_widget_set_visible (self->pointer, *text != '\0' && !ssui_sandbox_is_live (self->sandbox)); /* no room */
}

static void
on_live_changed (SsuiSketchPage *self)
{
  on_pointer_moved (self, "");
  update_following (self);
  update_motion (self);
  update_state (self);
}

static void
on_refused (SsuiSketchPage *self, const char *message)
{
  g_signal_emit (self, message_signal, 0, message);
}

static void
on_zoom_changed (SsuiSketchPage *self)
{
  double scale = ssui_canvas_get_pixels_per_metre (self->canvas);
  g_autofree char *text = g_strdup_printf (scale < 10 ? "%.2g px/m" : "%.0f px/m", scale);
  gtk_label_set_text (GTK_LABEL (self->zoom), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (self->zoom)), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  text, -1);
}

static void
on_tool_finished (SsuiSketchPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.tool", "s", "select");
}

static void
on_path_activated (SsuiSketchPage *self, const char *path)
{
  adw_flap_set_reveal_flap (self->inspector_flap, TRUE);
  ssui_inspector_focus_path (self->inspector, path);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

void
ssui_sketch_page_add (SsuiSketchPage *self, const char *kind)
{
  g_return_if_fail (SSUI_IS_SKETCH_PAGE (self));

  SsappDocument *document = ssapp_session_get_document (self->session);
  SsVec2 c = ssui_canvas_get_centre (self->canvas);
  g_autoptr (GError) error = NULL;

  if (strcmp (kind, "box") == 0)
    ssapp_document_add_box (document, (SsVec2){c.x - NEW_BODY_HALF_WIDTH, c.y - NEW_BODY_HALF_HEIGHT},
                            (SsVec2){c.x + NEW_BODY_HALF_WIDTH, c.y + NEW_BODY_HALF_HEIGHT}, &error);
  else if (strcmp (kind, "disc") == 0)
    ssapp_document_add_disc (document, c, 0, &error);
  else if (strcmp (kind, "capsule") == 0)
    ssapp_document_place_shape (document, SSAPP_SHAPE_CAPSULE, c, NULL, &error);
  else if (strcmp (kind, "polygon") == 0)
    ssapp_document_place_shape (document, SSAPP_SHAPE_POLYGON, c, NULL, &error);
  else if (strcmp (kind, "segment") == 0)
    ssapp_document_place_shape (document, SSAPP_SHAPE_SEGMENT, c, NULL, &error);
  else
    ssapp_document_add_ground (document, (SsVec2){0, 0}, (SsVec2){1, 0}, &error);
  if (error != NULL)
    on_refused (self, error->message);
}

void
ssui_sketch_page_edit_selected (SsuiSketchPage *self)
{
  g_return_if_fail (SSUI_IS_SKETCH_PAGE (self));
  adw_flap_set_reveal_flap (self->inspector_flap, TRUE);
  ssui_inspector_focus_first (self->inspector);
}

void
ssui_sketch_page_edit_path (SsuiSketchPage *self, const char *path)
{
  on_path_activated (self, path);
}

gboolean
ssui_sketch_page_can_keep (SsuiSketchPage *self)
{
  g_return_val_if_fail (SSUI_IS_SKETCH_PAGE (self), FALSE);
  /* Also while an edit's motion is being computed: the run has its own process, and the button does not blink. */
  const gboolean has_motion =
      ssapp_live_motion_get_now (self->live) != NULL || ssapp_live_motion_get_before (self->live) != NULL;

  return has_motion && *ssapp_live_motion_get_message (self->live) == '\0' && shown_run (self) == NULL &&
         !ssui_sandbox_is_live (self->sandbox) && !ssapp_session_is_running (self->session);
}

gboolean
ssui_sketch_page_keep (SsuiSketchPage *self, GError **error)
{
  g_return_val_if_fail (SSUI_IS_SKETCH_PAGE (self), FALSE);
  self->keeps = TRUE;
  if (!ssapp_session_start_simulation (self->session, error))
    self->keeps = FALSE;
  return self->keeps;
}

SsuiSandbox *
ssui_sketch_page_get_sandbox (SsuiSketchPage *self)
{
  g_return_val_if_fail (SSUI_IS_SKETCH_PAGE (self), NULL);
  return self->sandbox;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static void
set_session (GtkWidget *widget, SsappSession *session)
{
  SsuiSketchPage *self = SSUI_SKETCH_PAGE (widget);
  SsappDocument *document = ssapp_session_get_document (session);
  g_autoptr (SsappContactWatch) watch = ssapp_contact_watch_new (document);
  g_autoptr (SsappSheetPicture) picture = ssapp_sheet_picture_new (session);

  self->session = g_object_ref (session);
  self->live = ssapp_session_get_live (session);
  ssui_text_pane_set_session (self->text_pane, session);
  ssui_canvas_set_watch (self->canvas, watch);
  ssui_canvas_set_picture (self->canvas, picture);
  g_signal_connect_object (picture, "changed", G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
  ssui_trace_bar_attach (self->trace_bar, self->canvas);
  ssui_canvas_set_document (self->canvas, document);
  ssui_assertion_bar_attach (self->assertions, document);
  ssui_live_plots_set_session (self->live_plots, session);
  ssui_pull_card_attach (self->pull_card, session, self->canvas, ssui_live_plots_get_plots (self->live_plots),
                         self->player);
  ssui_sandbox_attach (self->sandbox, session, self->canvas, ssui_player_get_clock (self->player));
  ssui_replan_strip_attach (self->replan_strip, session, self->sandbox);
  ssui_outline_set_document (self->outline, document);
  ssui_inspector_set_watch (self->inspector, watch);
  ssui_inspector_set_document (self->inspector, document);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "runs-changed", G_CALLBACK (on_runs_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "run-changed", G_CALLBACK (on_run_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "run-ended", G_CALLBACK (on_run_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->live, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  on_document_changed (self);
}

static void
add_actions (GtkWidget *widget, GActionMap *map)
{
  SsuiSketchPage *self = SSUI_SKETCH_PAGE (widget);
  g_autoptr (GPropertyAction) outline = g_property_action_new ("outline", self->outline_flap, "reveal-flap");
  g_autoptr (GPropertyAction) inspector = g_property_action_new ("inspector", self->inspector_flap, "reveal-flap");
  g_autoptr (GPropertyAction) plots = g_property_action_new ("live-plots", self->live_plots, "shown");

  g_action_map_add_action (map, G_ACTION (outline));
  g_action_map_add_action (map, G_ACTION (inspector));
  g_action_map_add_action (map, G_ACTION (plots));
  ssui_pull_card_add_actions (self->pull_card, map);
  ssui_assertion_bar_add_actions (self->assertions, map);
  ssui_sandbox_add_actions (self->sandbox, map);
  ssui_replan_strip_add_actions (self->replan_strip, map);
}

static void
set_inspector_width (SsuiSketchPage *self, int width)
{
  gtk_widget_set_size_request (GTK_WIDGET (self->inspector), width, -1);
  adw_clamp_set_maximum_size (self->inspector_clamp, width);
  adw_clamp_set_tightening_threshold (self->inspector_clamp, width);
}

/* Side by side where there is room, else the one that was asked for; the outline lies over a narrow sheet. */
static void
set_narrow (GtkWidget *widget, gboolean is_narrow)
{
  SsuiSketchPage *self = SSUI_SKETCH_PAGE (widget);

  self->is_narrow = is_narrow;
  set_inspector_width (self, is_narrow ? NARROW_INSPECTOR : INSPECTOR);
  adw_flap_set_fold_policy (self->outline_flap, is_narrow ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_AUTO);
  gtk_widget_set_visible (self->sheet, !gtk_widget_get_visible (GTK_WIDGET (self->text_pane)) || !is_narrow);
}

static SsuiPageParts
get_parts (GtkWidget *widget)
{
  SsuiSketchPage *self = SSUI_SKETCH_PAGE (widget);

  return (SsuiPageParts){
      .canvas = self->canvas, .sheet = self->sheet, .player = self->player, .live_plots = self->live_plots};
}

static void
describe (GtkWidget *widget, SsappSessionPlace *place)
{
  ssui_sandbox_describe (SSUI_SKETCH_PAGE (widget)->sandbox, place);
  ssui_replan_strip_describe (SSUI_SKETCH_PAGE (widget)->replan_strip, place);
}

void
ssui_sketch_page_show_text (SsuiSketchPage *self, const char *name)
{
  g_return_if_fail (SSUI_IS_SKETCH_PAGE (self));

  const gboolean was_shown = gtk_widget_get_visible (GTK_WIDGET (self->text_pane));
  const int width = gtk_widget_get_width (GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self))));

  if (name != NULL)
    ssui_text_pane_show (self->text_pane, name);
  if (name != NULL && !was_shown)
    gtk_paned_set_position (self->split, (int)((1 - TEXT_PART) * width));
  gtk_widget_set_visible (GTK_WIDGET (self->text_pane), name != NULL);
  set_narrow (GTK_WIDGET (self), self->is_narrow);
}

SsuiTextPane *
ssui_sketch_page_get_text (SsuiSketchPage *self)
{
  g_return_val_if_fail (SSUI_IS_SKETCH_PAGE (self), NULL);
  return self->text_pane;
}

static void
ssui_sketch_page_dispose (GObject *object)
{
  SsuiSketchPage *self = SSUI_SKETCH_PAGE (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_SKETCH_PAGE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->session);
  g_clear_pointer (&self->dismissed, g_free);
  G_OBJECT_CLASS (ssui_sketch_page_parent_class)->dispose (object);
}

static void
ssui_sketch_page_class_init (SsuiSketchPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_sketch_page_dispose;
  message_signal = g_signal_new ("message", SSUI_TYPE_SKETCH_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
  g_type_ensure (SSUI_TYPE_CANVAS);
  g_type_ensure (SSUI_TYPE_OUTLINE);
  g_type_ensure (SSUI_TYPE_INSPECTOR);
  g_type_ensure (SSUI_TYPE_PLAYER);
  g_type_ensure (SSUI_TYPE_SANDBOX);
  g_type_ensure (SSUI_TYPE_REPLAN_STRIP);
  g_type_ensure (SSUI_TYPE_TEXT_PANE);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-sketch-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, outline_flap);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, inspector_flap);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, outline);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, inspector);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, inspector_clamp);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, canvas);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, player);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, zoom);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, pointer);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, simulate);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, keep_run);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, empty_hint);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, warning_bar);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, warning);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, sandbox);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, replan_strip);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, drawing);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, canvas_overlay);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, split);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, sheet);
  gtk_widget_class_bind_template_child (widget_class, SsuiSketchPage, text_pane);
}

static void
put_plots_below_inspector (SsuiSketchPage *self)
{
  g_autoptr (GtkWidget) column = g_object_ref (GTK_WIDGET (self->inspector_clamp));

  adw_flap_set_flap (self->inspector_flap, NULL);
  self->live_plots = SSUI_LIVE_PLOTS (ssui_live_plots_new (column, self->player));
  adw_flap_set_flap (self->inspector_flap, GTK_WIDGET (self->live_plots));
}

static void
ssui_sketch_page_init (SsuiSketchPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ssui_pane_guard (self->split);
  ssui_palette_attach (self->drawing);
  set_inspector_width (self, INSPECTOR);
  put_plots_below_inspector (self);
  self->pull_card = SSUI_PULL_CARD (ssui_pull_card_new ());
  gtk_overlay_add_overlay (self->canvas_overlay, GTK_WIDGET (self->pull_card));
  self->assertions = SSUI_ASSERTION_BAR (ssui_assertion_bar_new ());
  gtk_overlay_add_overlay (self->canvas_overlay, GTK_WIDGET (self->assertions));
  self->trace_bar = SSUI_TRACE_BAR (ssui_trace_bar_new ());
  gtk_overlay_add_overlay (self->canvas_overlay, GTK_WIDGET (self->trace_bar));
  ssui_canvas_set_clock (self->canvas, ssui_player_get_clock (self->player));
  ssui_canvas_set_look (self->canvas, ssui_player_get_look (self->player));
  g_signal_connect_object (self->canvas, "map", G_CALLBACK (update_following), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->canvas, "unmap", G_CALLBACK (update_following), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->canvas, "pointer-moved", G_CALLBACK (on_pointer_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "refused", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "zoom-changed", G_CALLBACK (on_zoom_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "tool-finished", G_CALLBACK (on_tool_finished), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->outline, "path-activated", G_CALLBACK (on_path_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->warning_bar, "response", G_CALLBACK (on_warning_response), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sandbox, "message", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->replan_strip, "message", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssui_text_pane_get_source (self->text_pane), "message", G_CALLBACK (on_refused), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sandbox, "live-changed", G_CALLBACK (on_live_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sandbox, "moved-on", G_CALLBACK (ssui_live_plots_go_on), self->live_plots,
                           G_CONNECT_SWAPPED);
  on_pointer_moved (self, "");
}

const SsuiPage ssui_sketch_page = {.name = "sketch",
                                   .title = N_ ("Sketch"),
                                   .icon = "document-edit-symbolic",
                                   .keys = ssui_canvas_keys,
                                   .get_type = ssui_sketch_page_get_type,
                                   .set_session = set_session,
                                   .add_actions = add_actions,
                                   .set_narrow = set_narrow,
                                   .get_parts = get_parts,
                                   .describe = describe};
