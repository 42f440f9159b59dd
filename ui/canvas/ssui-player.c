/* ui/canvas/ssui-player.c: see the header. The clock runs on the frame clock, at real time, only while it plays and is
 * seen. */
#include "ui/canvas/ssui-player.h"

#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-frozen.h"
#include "app/draw/ssapp-playing.h"
#include "ui/canvas/ssui-follow-menu.h"
#include "ui/canvas/ssui-iterate-row.h"
#include "ui/canvas/ssui-layers-button.h"
#include "ui/canvas/ssui-pull-hold.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

struct _SsuiPlayer {
  GtkWidget parent_instance;
  GtkWidget *first, *play, *last, *loop, *clocks, *by_time, *by_second, *time, *other, *side, *scale, *duration, *note,
      *events, *frozen, *second, *way, *speed, *legend, *follow, *layers;
  GtkAdjustment *adjustment;
  SsuiClock *clock;
  guint tick_id;
  gboolean has_buttons, shows_playing, shows_usable; /* what buttons say, once they do */
  double shown_speed;
  gint64 last_frame; /* µs */
  gboolean is_updating;
  GPtrArray *runs; /* of SsappRun; nullable */
  SsuiMotionLook *look;
  SsuiIterateRow *iterates;
  double drag_from; /* reading at which a range begins */
  SsuiPullHold hold;
  gboolean is_dragged;
};

enum { MAX_TRACKS = 8, MOST_LINES = 8 }; /* more runs, lines could not be read */
#define NEAR        5.0                  /* px between the pointer and an event that is meant */
#define LANE        12                   /* px of a run's events                              */
#define SPEED_STEPS 4                    /* doublings about 1 */

G_DEFINE_FINAL_TYPE (SsuiPlayer, ssui_player, GTK_TYPE_WIDGET)

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *frame_clock, gpointer data)
{
  SsuiPlayer *self = SSUI_PLAYER (widget);
  gint64 now = gdk_frame_clock_get_frame_time (frame_clock);
  const double longest_step = 0.1; /* s: after a stall the motion goes on, it does not jump */

  (void)data;
  if (self->last_frame > 0)
    ssui_clock_advance (self->clock, MIN ((double)(now - self->last_frame) / G_USEC_PER_SEC, longest_step));
  self->last_frame = now;
  if (ssui_clock_is_playing (self->clock))
    return G_SOURCE_CONTINUE;
  self->tick_id = 0;
  return G_SOURCE_REMOVE;
}

static void
update_ticking (SsuiPlayer *self)
{
  gboolean wanted = ssui_clock_is_playing (self->clock) && gtk_widget_get_mapped (GTK_WIDGET (self));

  if (wanted && self->tick_id == 0) {
    self->last_frame = 0;
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);
  } else if (!wanted && self->tick_id != 0) {
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
    self->tick_id = 0;
  }
}

static int
fill_tracks (SsuiPlayer *self, SsappEventTrack tracks[MAX_TRACKS])
{
  int n = 0;

  for (guint i = 0; self->runs != NULL && i < self->runs->len && n < MAX_TRACKS; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    tracks[n++] = (SsappEventTrack){ssapp_run_get_events (run), ssapp_run_get_method (run), ssapp_run_get_label (run),
                                    ssapp_run_has_motion (run) ? ssapp_run_get_trajectory (run) : NULL};
  }
  return n;
}

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

/* The second clock that all runs with a motion have; UNKNOWN: they have none in common. */
static SsQuantity
common_clock (SsuiPlayer *self)
{
  SsQuantity common = SS_QUANTITY_UNKNOWN;

  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++) {
    const SsQuantity own = ssapp_run_get_second_clock (g_ptr_array_index (self->runs, i));
    if (i > 0 && own != common)
      return SS_QUANTITY_UNKNOWN;
    common = own;
  }
  return common;
}

static SsappRun *
first_run (SsuiPlayer *self)
{
  return self->runs != NULL && self->runs->len > 0 ? g_ptr_array_index (self->runs, 0) : NULL;
}

/* Time of a reading of the clock on show, and the other way. */
static double
time_of (SsuiPlayer *self, double reading)
{
  return first_run (self) != NULL ? ssapp_run_to_time (first_run (self), reading) : reading;
}

static double
reading_of (SsuiPlayer *self, double time)
{
  return first_run (self) != NULL ? ssapp_run_from_time (first_run (self), time) : time;
}

/* The run by which readings of one clock become those of the other; NULL: there is no other. */
static SsappRun *
told_run (SsuiPlayer *self)
{
  SsappRun *first = first_run (self);

  return first != NULL && ssapp_run_is_by_second_clock (first) ? first : NULL;
}

/* Runs come and go: all of them are told by the clock that is chosen, if they have it. */
static void
update_clocks (SsuiPlayer *self)
{
  const SsQuantity clock = common_clock (self);
  const gboolean has_clock = clock != SS_QUANTITY_UNKNOWN,
                 by_second = has_clock && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->by_second));
  g_autofree char *tooltip =
      g_strdup (clock == SS_QUANTITY_IMPULSE_TIME
                    ? _ ("Play, plot and export by the impulse time s, in which impacts take a while")
                    : _ ("Play, plot and export by the numerical time τ, in which impacts take a while"));

  g_autofree char *label = g_strdup_printf (_ ("Clock: %s"), ssapp_clock_name (clock));

  gtk_button_set_label (GTK_BUTTON (self->by_second), ssapp_clock_name (clock));
  ssui_set_label (self->by_second, label);
  ssui_set_tip (self->by_second, tooltip);
  gtk_widget_set_visible (self->clocks, has_clock);
  /* Runs are on several pages: the player on show says by which clock they are told. */
  for (guint i = 0; gtk_widget_get_mapped (GTK_WIDGET (self)) && self->runs != NULL && i < self->runs->len; i++)
    ssapp_run_set_by_second_clock (g_ptr_array_index (self->runs, i), by_second);
  gtk_widget_set_visible (self->other, has_clock);
  gtk_widget_set_visible (self->second, has_clock);
  gtk_widget_queue_draw (self->frozen);
  gtk_widget_queue_draw (self->second);
}

/* The first run's rows, where there is another clock than the one that tells them; else NULL. */
static const SsTrajectory *
two_clocks (SsuiPlayer *self)
{
  SsappRun *first = first_run (self);

  return first != NULL && common_clock (self) != SS_QUANTITY_UNKNOWN && ssapp_run_has_motion (first)
             ? ssapp_run_get_trajectory (first)
             : NULL;
}

/* The same instant by the other clock. */
static void
on_clock_chosen (SsuiPlayer *self)
{
  SsappRun *first = first_run (self);
  const double t = time_of (self, ssui_clock_get_time (self->clock));
  double duration = 0;

  if (first == NULL)
    return;
  ssui_clock_set_playing (self->clock, FALSE);
  update_clocks (self);
  for (guint i = 0; i < self->runs->len; i++)
    duration = MAX (duration, ssapp_run_get_duration (g_ptr_array_index (self->runs, i)));
  ssui_clock_set_duration (self->clock, duration);
  ssui_clock_seek (self->clock, reading_of (self, t));
}

/* Somebody writes a time, which must not be overwritten. */
static gboolean
is_typing (SsuiPlayer *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && (focus == self->time || gtk_widget_is_ancestor (focus, self->time)) &&
         !ssui_clock_is_playing (self->clock);
}

static void
on_clock_tick (SsuiPlayer *self)
{
  SsappEventTrack tracks[MAX_TRACKS];
  const SsappInstant instant = {ssui_clock_get_time (self->clock), ssui_clock_is_before (self->clock)};
  double time = instant.t;
  g_autofree char *side = ssui_clock_is_playing (self->clock)
                              ? NULL
                              : ssapp_event_tracks_place (tracks, fill_tracks (self, tracks), &instant);
  g_autofree char *text = g_strdup_printf ("%.3f s", time);
  g_autofree char *value = side != NULL ? g_strdup_printf ("%s, %s", text, side) : g_strdup (text);

  g_autofree char *other =
      two_clocks (self) != NULL ? ssapp_run_describe_other_clock (first_run (self), time, instant.is_before) : NULL;

  if (!is_typing (self))
    gtk_editable_set_text (GTK_EDITABLE (self->time), text);
  gtk_label_set_text (GTK_LABEL (self->other), other != NULL ? other : "");
  gtk_label_set_text (GTK_LABEL (self->side), side != NULL ? side : "");
  if (side != NULL) {
    ssui_set_tip (self->side, side);
    gtk_widget_set_visible (self->side, TRUE); /* and stays, so that the timeline keeps its place */
  }
  self->is_updating = TRUE;
  gtk_adjustment_set_value (self->adjustment, time);
  self->is_updating = FALSE;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, value, -1);
}

/* What buttons say and which can be pressed: seldom anything new while a live scene's duration grows with every frame,
 * and a label that is set is made anew. */
static void
update_buttons (SsuiPlayer *self, gboolean usable)
{
  const gboolean playing = ssui_clock_is_playing (self->clock);
  const double speed = ssui_clock_get_speed (self->clock);
  GtkWidget *const with_motion[] = {self->time, self->play, self->first, self->last, self->scale};

  if (self->has_buttons && playing == self->shows_playing && usable == self->shows_usable && speed == self->shown_speed)
    return;
  self->has_buttons = TRUE;
  self->shows_playing = playing;
  self->shows_usable = usable;
  self->shown_speed = speed;
  g_autofree char *text = ssapp_speed_text (speed);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->speed), text);
  gtk_button_set_icon_name (GTK_BUTTON (self->play),
                            playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  ssui_set_tip (self->play, playing ? _ ("Pause (Space)") : _ ("Play (Space)"));
  ssui_set_label (self->play, playing ? _ ("Pause") : _ ("Play"));
  for (guint i = 0; i < G_N_ELEMENTS (with_motion); i++)
    gtk_widget_set_sensitive (with_motion[i], usable);
}

static void
on_clock_changed (SsuiPlayer *self)
{
  double duration = ssui_clock_get_duration (self->clock);
  gboolean usable = duration > 0;
  g_autofree char *text = usable ? g_strdup_printf ("%.2f s", duration) : NULL;
  const double steps = 200; /* of the arrow keys over the whole motion */
  const gboolean has_turned = ssui_clock_is_playing (self->clock) != self->shows_playing;

  self->is_updating = TRUE;
  gtk_adjustment_configure (self->adjustment, ssui_clock_get_time (self->clock), 0, usable ? duration : 1,
                            (usable ? duration : 1) / steps, (usable ? duration : 1) / 10, 0);
  self->is_updating = FALSE;
  update_buttons (self, usable);
  gtk_label_set_text (GTK_LABEL (self->duration), text != NULL ? text : "");
  gtk_widget_queue_draw (self->events);
  gtk_widget_queue_draw (self->frozen);
  gtk_widget_queue_draw (self->second);
  update_ticking (self);
  if (has_turned) /* a clock that stands says at which step */
    on_clock_tick (self);
}

static void
on_value_changed (SsuiPlayer *self)
{
  if (self->is_updating)
    return;
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, gtk_adjustment_get_value (self->adjustment));
}

static void
on_play (SsuiPlayer *self)
{
  ssui_clock_set_playing (self->clock, !ssui_clock_is_playing (self->clock));
}

static void
on_first (SsuiPlayer *self)
{
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, 0);
}

static void
on_last (SsuiPlayer *self)
{
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, ssui_clock_get_duration (self->clock));
}

static void
on_loop (SsuiPlayer *self)
{
  ssui_clock_set_loop (self->clock, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->loop)));
}

/* To the next row of the runs, or the one before: both sides of a jump; of stages too, if they are wanted. Without rows
 * a two-hundredth. */
static void
step_rows (SsuiPlayer *self, int direction, gboolean with_stages)
{
  SsappEventTrack tracks[MAX_TRACKS];
  SsappInstant instant = {ssui_clock_get_time (self->clock), ssui_clock_is_before (self->clock)};
  const int n = fill_tracks (self, tracks);

  ssui_clock_set_playing (self->clock, FALSE);
  if (n == 0)
    ssui_clock_seek (self->clock, instant.t + direction * gtk_adjustment_get_step_increment (self->adjustment));
  else if (!ssapp_event_tracks_step (tracks, n, direction, with_stages, &instant))
    return;
  else if (instant.is_before)
    ssui_clock_seek_before (self->clock, instant.t);
  else
    ssui_clock_seek (self->clock, instant.t);
}

gboolean
ssui_player_step_stage (SsuiPlayer *self, int direction)
{
  g_return_val_if_fail (SSUI_IS_PLAYER (self), FALSE);

  SsappEventTrack tracks[MAX_TRACKS];

  step_rows (self, direction < 0 ? -1 : 1, TRUE);
  return ssapp_event_tracks_have_stages (tracks, fill_tracks (self, tracks));
}

static void
on_clock_step (SsuiClock *clock, int direction, SsuiPlayer *self)
{
  (void)clock;
  step_rows (self, direction < 0 ? -1 : 1, FALSE);
}

const SsuiKey ssui_player_keys[] = {
    {SSUI_KEYS_PLAY, N_ ("Play and pause, on canvas and timeline"), "space", NULL},
    {SSUI_KEYS_PLAY, N_ ("To the row before, to the next one: both sides of a jump (timeline)"), "Left Right", NULL},
    {SSUI_KEYS_PLAY, N_ ("One frame back, one on"), "comma period", NULL},
    {SSUI_KEYS_PLAY, N_ ("Stage before, next stage: rows within steps (options of the method)"),
     "<Control>Left <Control>Right", NULL},
    {SSUI_KEYS_PLAY, N_ ("Event before, next event"), "bracketleft bracketright", NULL},
    {SSUI_KEYS_PLAY, N_ ("Slower, faster"), "less greater", NULL},
    {0}};

static gboolean
on_scale_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, SsuiPlayer *self)
{
  (void)controller;
  (void)code;
  if ((state & GDK_CONTROL_MASK) != 0 && (key == GDK_KEY_Left || key == GDK_KEY_Right))
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.step-stage", "i", key == GDK_KEY_Left ? -1 : 1);
  if (key == GDK_KEY_space)
    on_play (self);
  else if (key == GDK_KEY_Left)
    step_rows (self, -1, FALSE);
  else if (key == GDK_KEY_Right)
    step_rows (self, 1, FALSE);
  else
    return FALSE;
  return TRUE;
}

void
ssui_player_step_event (SsuiPlayer *self, int direction)
{
  g_return_if_fail (SSUI_IS_PLAYER (self));

  SsappEventTrack tracks[MAX_TRACKS];
  double t = ssui_clock_get_time (self->clock);

  if (!ssapp_event_tracks_next (tracks, fill_tracks (self, tracks), direction < 0 ? -1 : 1, &t))
    return;
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, t);
}

void
ssui_player_step_speed (SsuiPlayer *self, int direction)
{
  g_return_if_fail (SSUI_IS_PLAYER (self));
  ssui_clock_set_speed (self->clock, ssui_clock_get_speed (self->clock) * (direction < 0 ? 0.5 : 2));
}

/* Begins (or ends) the range now; the other end stays where it is sensible. */
static void
set_range_end (SsuiPlayer *self, gboolean is_begin)
{
  const double now = ssui_clock_get_time (self->clock), duration = ssui_clock_get_duration (self->clock);
  double begin, end;

  if (!ssui_clock_get_range (self->clock, &begin, &end)) {
    begin = 0;
    end = duration;
  }
  if (is_begin)
    ssui_clock_set_range (self->clock, now, end > now ? end : duration);
  else
    ssui_clock_set_range (self->clock, begin < now ? begin : 0, now);
}

static gboolean
on_key (SsuiPlayer *self, guint key, guint code, GdkModifierType state)
{
  double begin, end;

  (void)code;
  if (is_typing (self) || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  switch (key) {
  case GDK_KEY_bracketleft:
  case GDK_KEY_bracketright:
    ssui_player_step_event (self, key == GDK_KEY_bracketleft ? -1 : 1);
    return TRUE;
  case GDK_KEY_comma:
  case GDK_KEY_period:
    step_rows (self, key == GDK_KEY_comma ? -1 : 1, FALSE);
    return TRUE;
  case GDK_KEY_less:
  case GDK_KEY_greater:
    ssui_player_step_speed (self, key == GDK_KEY_less ? -1 : 1);
    return TRUE;
  case GDK_KEY_i:
  case GDK_KEY_o:
    set_range_end (self, key == GDK_KEY_i);
    return TRUE;
  case GDK_KEY_Escape:
    if (ssui_pull_hold_end (&self->hold, FALSE))
      return TRUE;
    if (!ssui_clock_get_range (self->clock, &begin, &end))
      return FALSE;
    ssui_clock_set_range (self->clock, 0, 0);
    return TRUE;
  default:
    return FALSE;
  }
}

/* ---- typed time -------------------------------------------------------------------------------------------------- */

static void
show_time (SsuiPlayer *self)
{
  g_autofree char *text = g_strdup_printf ("%.3f s", ssui_clock_get_time (self->clock));

  gtk_editable_set_text (GTK_EDITABLE (self->time), text);
  gtk_widget_remove_css_class (self->time, "error");
}

static void
on_time_activate (SsuiPlayer *self)
{
  double t;

  if (!ssapp_time_parse (gtk_editable_get_text (GTK_EDITABLE (self->time)), &t)) {
    gtk_widget_add_css_class (self->time, "error");
    return;
  }
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, t);
  show_time (self);
  gtk_editable_select_region (GTK_EDITABLE (self->time), 0, -1);
}

static gboolean
on_time_key (SsuiPlayer *self, guint key, guint code, GdkModifierType state)
{
  (void)code;
  (void)state;
  if (key != GDK_KEY_Escape)
    return FALSE;
  show_time (self);
  gtk_widget_grab_focus (self->scale);
  return TRUE;
}

/* ---- menus ------------------------------------------------------------------------------------------------------- */

static void
fill_speeds (SsuiPlayer *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) stages = g_menu_new ();

  for (int i = SPEED_STEPS; i >= -SPEED_STEPS; i--) {
    const double speed = pow (2, i);
    g_autofree char *label = ssapp_speed_text (speed);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, "win.speed", "d", speed);
    g_menu_append_item (menu, item);
  }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (stages));
  g_menu_append (stages, _ ("Next Stage"), "win.step-stage(1)");
  g_menu_append (stages, _ ("Stage Before"), "win.step-stage(-1)");
  ssui_set_menu (self->speed, menu);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* The timeline from t = 0 to the end [px of the scale]. */
static void
find_way (SsuiPlayer *self, double *start, double *length)
{
  GdkRectangle trough;

  gtk_range_get_range_rect (GTK_RANGE (self->scale), &trough);
  *start = trough.x;
  *length = MAX (trough.width, 1);
}

void
ssui_player_set_indent (SsuiPlayer *self, int indent)
{
  g_return_if_fail (SSUI_IS_PLAYER (self));
  if (gtk_widget_get_margin_start (self->way) != indent)
    gtk_widget_set_margin_start (self->way, indent);
}

gboolean
ssui_player_get_way (SsuiPlayer *self, GtkWidget *relative, double *begin, double *end)
{
  double start, length, x, y;

  if (gtk_widget_get_width (self->scale) <= 1 ||
      gtk_widget_get_root (GTK_WIDGET (self)) != gtk_widget_get_root (relative))
    return FALSE;
  find_way (self, &start, &length);
  if (!gtk_widget_translate_coordinates (self->scale, relative, start, 0, &x, &y))
    return FALSE;
  *begin = x;
  *end = x + length;
  return TRUE;
}

/* Where to draw something of the timeline. */
typedef struct {
  SsappStyle style;
  double start, length; /* px of the area */
} Strip;

static void
strip_init (Strip *strip, SsuiPlayer *self, GtkDrawingArea *area)
{
  double start, y;

  ssui_style_init (&strip->style, GTK_WIDGET (self));
  find_way (self, &start, &strip->length);
  gtk_widget_translate_coordinates (self->scale, GTK_WIDGET (area), start, 0, &strip->start, &y);
}

static void draw_range (SsuiPlayer *self, cairo_t *cr, const Strip *strip, double height);
static void place_on_way (gpointer data, const double values[2], double *x, double *y);

static void
draw_events (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  SsuiPlayer *self = user_data;
  SsappEventTrack tracks[MAX_TRACKS];
  Strip strip;

  (void)width;
  strip_init (&strip, self, area);
  ssapp_event_tracks_draw (cr, &strip.style, tracks, fill_tracks (self, tracks), ssui_clock_get_duration (self->clock),
                           strip.start, 0, strip.length, height);
  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (!ssapp_run_is_by_second_clock (run))
      ssapp_parting_draw_mark (cr, &strip.style, ssapp_run_get_parting (run), ssui_clock_get_duration (self->clock),
                               strip.start, strip.length, height);
  }
  draw_range (self, cr, &strip, height);
  if (self->hold.is_on)
    ssui_pull_draw (cr, &strip.style, self->hold.pulling, place_on_way, self);
}

/* Where time stands still, over the whole timeline. */
static void
draw_frozen (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  SsuiPlayer *self = user_data;
  const double duration = ssui_clock_get_duration (self->clock);
  Strip strip;

  (void)width;
  strip_init (&strip, self, area);
  for (guint i = 0; self->runs != NULL && i < self->runs->len && duration > 0; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    g_autoptr (GArray) frozen = ssapp_frozen_spans (ssapp_run_has_motion (run) ? ssapp_run_get_trajectory (run) : NULL);
    for (guint k = 0; k < frozen->len; k++) {
      const SsappPlotSpan *span = &g_array_index (frozen, SsappPlotSpan, k);
      ssapp_draw_span (cr, &strip.style, strip.start + strip.length * span->begin / duration, 0,
                       strip.length * (span->end - span->begin) / duration, height);
    }
  }
}

static void
draw_second (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  SsuiPlayer *self = user_data;
  Strip strip;

  draw_frozen (area, cr, width, height, user_data);
  strip_init (&strip, self, area);
  ssapp_clock_other_draw (cr, &strip.style, two_clocks (self), ssui_clock_get_duration (self->clock), strip.start, 1,
                          strip.length, height - 1);
}

/* ---- range ------------------------------------------------------------------------------------------------------- */

/* The range that is played over and over, with brackets at its ends. */
static void
draw_range (SsuiPlayer *self, cairo_t *cr, const Strip *strip, double height)
{
  const double duration = ssui_clock_get_duration (self->clock);
  double begin, end;

  if (duration > 0 && ssui_clock_get_range (self->clock, &begin, &end))
    ssapp_range_draw (cr, &strip->style, strip->start + strip->length * begin / duration,
                      strip->start + strip->length * end / duration, 0, height);
}

static double
reading_at (SsuiPlayer *self, double x)
{
  double start, length, from, y;

  find_way (self, &start, &length);
  gtk_widget_translate_coordinates (self->scale, self->events, start, 0, &from, &y);
  return CLAMP ((x - from) / length, 0, 1) * ssui_clock_get_duration (self->clock);
}

static void
on_range_begin (SsuiPlayer *self, double x)
{
  self->drag_from = reading_at (self, x);
  self->is_dragged = FALSE;
}

/* The event whose mark is near where the drag began, in the hand; FALSE: there is none. */
static gboolean
pull_press (SsuiPlayer *self)
{
  double start, length;
  int number;

  if (self->hold.pulling == NULL || self->runs == NULL || self->runs->len == 0)
    return FALSE;
  find_way (self, &start, &length);
  const double pixel = ssui_clock_get_duration (self->clock) / length;
  const SsappRunEvent *event = ssapp_run_events_find_near (ssapp_run_get_events (g_ptr_array_index (self->runs, 0)),
                                                           self->drag_from, NEAR * pixel, &number);
  if (event == NULL)
    return FALSE;
  gtk_widget_grab_focus (self->scale); /* for Escape */
  ssui_clock_set_playing (self->clock, FALSE);
  self->hold.offset = (self->drag_from - event->t) / pixel;
  self->hold.is_held = TRUE;
  SsappRunEvent by_time = *event;
  by_time.t = time_of (self, event->t);
  self->hold.is_on =
      ssapp_pulling_begin_event (self->hold.pulling, &by_time, number, pixel / 2, NULL); /* the card says why not */
  return TRUE;
}

static void
place_on_way (gpointer data, const double values[2], double *x, double *y)
{
  SsuiPlayer *self = data;
  const double duration = ssui_clock_get_duration (self->clock);
  Strip strip;

  strip_init (&strip, self, GTK_DRAWING_AREA (self->events));
  *x = strip.start + strip.length * reading_of (self, values[0]) / (duration > 0 ? duration : 1);
  *y = LANE / 2.;
}

static void
on_range_update (SsuiPlayer *self, double dx, double dy, GtkGestureDrag *drag)
{
  double x, y;

  (void)dy;
  if (fabs (dx) < NEAR && !self->is_dragged)
    return;
  gtk_gesture_drag_get_start_point (drag, &x, &y);
  const gboolean is_held = self->hold.is_held || (!self->is_dragged && pull_press (self));
  const double to = reading_at (self, x + dx - (is_held ? self->hold.offset : 0));
  self->is_dragged = TRUE;
  if (self->hold.is_on) {
    ssapp_pulling_move (self->hold.pulling, time_of (self, to), 0);
    ssui_clock_seek (self->clock, to);
  }
  if (is_held)
    return;
  ssui_clock_set_range (self->clock, MIN (self->drag_from, to), MAX (self->drag_from, to));
}

/* A click goes there, to an event that is near. */
static void
on_range_end (SsuiPlayer *self, double dx)
{
  SsappEventTrack tracks[MAX_TRACKS];
  double start, length, at = self->drag_from, before = 0, after = 0;

  ssui_pull_hold_end (&self->hold, TRUE);
  self->hold.is_held = FALSE;
  if (self->is_dragged)
    return;
  (void)dx;
  find_way (self, &start, &length);
  const double reach = NEAR / length * ssui_clock_get_duration (self->clock);
  const int n = fill_tracks (self, tracks);
  before = at + 1e-12;
  after = at - 1e-12;
  if (ssapp_event_tracks_next (tracks, n, -1, &before) && at - before <= reach)
    at = before;
  else if (ssapp_event_tracks_next (tracks, n, 1, &after) && after - at <= reach)
    at = after;
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, at);
}

static void
draw_legend (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  SsuiPlayer *self = user_data;
  SsappEventTrack tracks[MAX_TRACKS];
  SsappStyle style;
  const int n = fill_tracks (self, tracks);

  (void)area;
  ssui_style_init (&style, GTK_WIDGET (self));
  const double needed = ssapp_event_legend_draw (NULL, &style, tracks, n, 0, 0, width, height);
  ssapp_event_legend_draw (cr, &style, tracks, n, MAX (width - needed, 0), 0, width, height);
}

static gboolean
on_scale_tooltip (GtkWidget *scale, int x, int y, gboolean by_key, GtkTooltip *tooltip, SsuiPlayer *self)
{
  SsappEventTrack tracks[MAX_TRACKS];
  double start, length, duration = ssui_clock_get_duration (self->clock);
  g_autofree char *text = NULL;

  (void)y;
  if (by_key)
    return FALSE;
  find_way (self, &start, &length);
  if (scale != self->scale) { /* the marks */
    double from, y0;
    gtk_widget_translate_coordinates (self->scale, scale, start, 0, &from, &y0);
    start = from;
  }
  text = ssapp_event_tracks_describe (tracks, fill_tracks (self, tracks), (x - start) / length * duration,
                                      NEAR / length * duration, MOST_LINES);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

void
ssui_player_set_runs (SsuiPlayer *self, GPtrArray *runs)
{
  g_return_if_fail (SSUI_IS_PLAYER (self));

  g_autoptr (GString) text = g_string_new (NULL);
  GPtrArray *old = self->runs;

  self->runs = runs != NULL ? g_ptr_array_ref (runs) : NULL;
  g_clear_pointer (&old, g_ptr_array_unref);
  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    g_autofree char *summary = ssapp_run_events_summary (ssapp_run_get_events (g_ptr_array_index (runs, i)));
    if (ssapp_run_get_events (g_ptr_array_index (runs, i))->len > 0 ||
        ssapp_run_get_kind (g_ptr_array_index (runs, i)) == SS_METHOD_INTEGRATOR)
      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "; " : "",
                              ssapp_run_get_label (g_ptr_array_index (runs, i)), summary);
  }
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    ssapp_run_events_find_directions (ssapp_run_get_events (g_ptr_array_index (runs, i)),
                                      ssapp_run_get_trajectory (g_ptr_array_index (runs, i)));
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->events),
                                       LANE * (int)CLAMP (runs != NULL ? runs->len : 0, 1, MAX_TRACKS));
  ssui_iterate_row_set_runs (self->iterates, runs);
  ssui_follow_menu_fill (self->follow, first_run (self));
  gtk_widget_queue_draw (self->legend);
  gtk_widget_set_visible (self->side, FALSE);
  update_clocks (self);
  on_clock_tick (self);
  ssui_set_description (self->events, text->str);
  gtk_widget_queue_draw (self->events);
}

void
ssui_player_set_pulling (SsuiPlayer *self, SsappPulling *pulling)
{
  g_return_if_fail (SSUI_IS_PLAYER (self) && (pulling == NULL || SSAPP_IS_PULLING (pulling)));
  ssui_pull_hold_set (&self->hold, self->events, pulling);
}

/* A time has another reading of the second clock with each motion. */
void
ssui_player_follow_pull (SsuiPlayer *self)
{
  g_return_if_fail (SSUI_IS_PLAYER (self));
  if (told_run (self) != NULL && self->hold.pulling != NULL && ssapp_pulling_is_on (self->hold.pulling))
    ssui_clock_seek (self->clock, reading_of (self, ssapp_pulling_get_time (self->hold.pulling)));
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

GPtrArray *
ssui_player_get_runs (SsuiPlayer *self)
{
  g_return_val_if_fail (SSUI_IS_PLAYER (self), NULL);
  return self->runs;
}

SsuiMotionLook *
ssui_player_get_look (SsuiPlayer *self)
{
  g_return_val_if_fail (SSUI_IS_PLAYER (self), NULL);
  return self->look;
}

SsuiClock *
ssui_player_get_clock (SsuiPlayer *self)
{
  g_return_val_if_fail (SSUI_IS_PLAYER (self), NULL);
  return self->clock;
}

void
ssui_player_set_note (SsuiPlayer *self, const char *note)
{
  g_return_if_fail (SSUI_IS_PLAYER (self));
  gtk_label_set_text (GTK_LABEL (self->note), note != NULL ? note : "");
  gtk_widget_set_visible (self->note, note != NULL && *note != '\0');
}

static void
ssui_player_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ssui_player_parent_class)->map (widget);
  update_ticking (SSUI_PLAYER (widget));
}

static void
ssui_player_unmap (GtkWidget *widget)
{
  SsuiPlayer *self = SSUI_PLAYER (widget);

  GTK_WIDGET_CLASS (ssui_player_parent_class)->unmap (widget);
  ssui_clock_set_playing (self->clock, FALSE);
  update_ticking (self);
}

static void
ssui_player_dispose (GObject *object)
{
  SsuiPlayer *self = SSUI_PLAYER (object);

  if (self->clock != NULL)
    g_signal_handlers_disconnect_by_data (self->clock, self);
  if (self->events != NULL)
    ssui_pull_hold_set (&self->hold, self->events, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_PLAYER);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->clock);
  g_clear_object (&self->look);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_player_parent_class)->dispose (object);
}

static void
ssui_player_class_init (SsuiPlayerClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_player_dispose;
  widget_class->map = ssui_player_map;
  widget_class->unmap = ssui_player_unmap;
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-player.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, first);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, play);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, last);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, loop);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, time);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, other);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, by_second);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, by_time);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, clocks);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, side);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, scale);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, adjustment);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, duration);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, note);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, events);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, frozen);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, speed);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, legend);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, follow);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, layers);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, second);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlayer, way);
}

static void
ssui_player_init (SsuiPlayer *self)
{
  GtkEventController *key;
  GtkGesture *drag;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->clock = ssui_clock_new ();
  self->look = ssui_motion_look_new ();
  self->iterates = SSUI_ITERATE_ROW (ssui_iterate_row_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->iterates), GTK_WIDGET (self));
  ssui_layers_button_attach (GTK_MENU_BUTTON (self->layers), self->look);
  fill_speeds (self);
  ssui_follow_menu_fill (self->follow, first_run (self));
  g_signal_connect_object (self->clock, "tick", G_CALLBACK (on_clock_tick), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->clock, "changed", G_CALLBACK (on_clock_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->clock, "step", G_CALLBACK (on_clock_step), self, 0);
  g_signal_connect_swapped (self->adjustment, "value-changed", G_CALLBACK (on_value_changed), self);
  g_signal_connect_swapped (self->play, "clicked", G_CALLBACK (on_play), self);
  g_signal_connect_swapped (self->first, "clicked", G_CALLBACK (on_first), self);
  g_signal_connect_swapped (self->last, "clicked", G_CALLBACK (on_last), self);
  g_signal_connect_swapped (self->loop, "toggled", G_CALLBACK (on_loop), self);
  g_signal_connect_swapped (self->by_second, "toggled", G_CALLBACK (on_clock_chosen), self);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->events), draw_events, self, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->frozen), draw_frozen, self, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->second), draw_second, self, NULL);
  g_signal_connect_object (self->scale, "query-tooltip", G_CALLBACK (on_scale_tooltip), self, 0);
  g_signal_connect_object (self->events, "query-tooltip", G_CALLBACK (on_scale_tooltip), self, 0);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->legend), draw_legend, self, NULL);
  g_signal_connect_swapped (self->time, "activate", G_CALLBACK (on_time_activate), self);
  key = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_time_key), self);
  gtk_widget_add_controller (self->time, key);
  key = gtk_event_controller_key_new ();
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  drag = gtk_gesture_drag_new ();
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_range_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_range_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_range_end), self);
  gtk_widget_add_controller (self->events, GTK_EVENT_CONTROLLER (drag));
  key = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_scale_key), self);
  gtk_widget_add_controller (self->scale, key);
  on_clock_changed (self);
}
