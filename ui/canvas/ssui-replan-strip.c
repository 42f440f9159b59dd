/* ui/canvas/ssui-replan-strip.c: see the header. */
#include "ui/canvas/ssui-replan-strip.h"

#include "ui/canvas/ssui-plot-view.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define SHOWN_SECONDS 10.0 /* of the scene's time */
#define EVERY         2    /* steps */
#define DEADLINE      60.0 /* [ms] */
#define DEADLINE_MAX  10000.0
#define EVERY_MAX     1000
#define PLOT_HEIGHT   104 /* px */

struct _SsuiReplanStrip {
  GtkBox parent_instance;
  GtkWidget *toggle, *every, *deadline, *state, *times, *missed;
  SsuiPlotView *plot;
  GActionMap *map; /* borrowed: the window holds us */
  SsappSession *session;
  SsuiSandbox *sandbox; /* borrowed: of the same page */
  guint tick_id;
  guint64 version; /* of the records on show */
  gboolean is_updating;
};

G_DEFINE_FINAL_TYPE (SsuiReplanStrip, ssui_replan_strip, GTK_TYPE_BOX)

enum { MESSAGE, N_SIGNALS };
static guint signals[N_SIGNALS];

static GSimpleAction *
find_action (SsuiReplanStrip *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (self->map, name));
}

static SsappReplanner *
get_loop (SsuiReplanStrip *self)
{
  SsappSandbox *live = self->sandbox != NULL ? ssui_sandbox_get_live (self->sandbox) : NULL;

  return live != NULL ? ssapp_sandbox_get_replanner (live) : NULL;
}

static double
get_deadline (SsuiReplanStrip *self)
{
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->deadline)) / 1e3;
}

/* ---- showing ----------------------------------------------------------------------------------------------------- */

static void
show_bars (SsuiReplanStrip *self, const SsappReplanRecord *records, int n)
{
  const double last = n > 0 ? records[n - 1].t : 0, from = fmax (last - SHOWN_SECONDS, 0);
  const double deadline = 1e3 * get_deadline (self);
  g_autofree double *x = g_new (double, 3 * n + 1), *y = g_new (double, 3 * n + 1);
  g_autofree char *label = g_strdup_printf (_ ("deadline %.4g ms"), deadline);
  SsappPlotSpec spec = {SSAPP_PLOT_FREE, .y_label = _ ("plan [ms]")};

  spec.x_min = from;
  spec.x_max = fmax (last, from + SHOWN_SECONDS);
  spec.y_min = 0;
  if (deadline > 0) {
    spec.tolerance = deadline;
    spec.tolerance_label = label;
  }
  ssui_plot_view_clear (self->plot);
  const int plot = ssui_plot_view_add_plot (self->plot, &spec);
  for (int are_late = 0; are_late < 2; are_late++) {
    const int n_points = ssapp_replan_bars (records, n, from, are_late, x, y);
    ssui_plot_view_add_series (self->plot, plot, are_late ? "missed" : _ ("in time"), (SsMethodId){0}, x, y, n_points,
                               FALSE);
  }
  ssui_plot_view_done (self->plot);
}

static void
show_state (SsuiReplanStrip *self, const SsappReplanState *state)
{
  g_autofree char *times = NULL, *missed = NULL;
  const char *text = state->is_looking ? _ ("Looking for a first plan")
                     : state->is_stuck ? _ ("Stuck: looking for another way")
                     : state->is_kept  ? _ ("No new plan: the last one acts")
                                       : _ ("Planning");

  if (isfinite (state->median))
    times = g_strdup_printf (_ ("last %.1f ms, median %.1f, 99 %% %.1f"), 1e3 * state->last, 1e3 * state->median,
                             1e3 * state->percentile_99);
  missed = g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " missed", state->n_missed, state->n_plans);
  gtk_label_set_text (GTK_LABEL (self->state), text);
  gtk_widget_set_tooltip_text (self->state, state->message[0] != '\0' ? state->message : NULL);
  gtk_label_set_text (GTK_LABEL (self->times), times != NULL ? times : "");
  gtk_label_set_text (GTK_LABEL (self->missed), missed);
  if (state->n_missed > 0)
    gtk_widget_add_css_class (self->missed, "warning");
  else
    gtk_widget_remove_css_class (self->missed, "warning");
}

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *frame_clock, gpointer data)
{
  SsuiReplanStrip *self = SSUI_REPLAN_STRIP (widget);
  SsappReplanner *loop = get_loop (self);
  SsappReplanState state;
  guint64 version;

  (void)frame_clock;
  (void)data;
  if (loop == NULL) {
    self->tick_id = 0;
    return G_SOURCE_REMOVE;
  }
  g_autofree SsappReplanRecord *records = g_new (SsappReplanRecord, SSAPP_REPLANNER_RECORDS);
  const int n = ssapp_replanner_get_records (loop, records, SSAPP_REPLANNER_RECORDS, &version);
  if (version == self->version)
    return G_SOURCE_CONTINUE;
  self->version = version;
  ssapp_replanner_get_state (loop, &state);
  show_state (self, &state);
  show_bars (self, records, n);
  return G_SOURCE_CONTINUE;
}

/* What is shown and what can be done follow the sandbox and its loop. */
static void
update (SsuiReplanStrip *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (ssapp_session_get_document (self->session));
  SsappReplanner *loop = get_loop (self);
  const gboolean is_live = ssui_sandbox_is_live (self->sandbox);
  const gboolean has_task = is_live && scenario->scene != NULL && scenario->task.plan != NULL;
  SsappReplanState none = {.is_looking = TRUE, .median = NAN};

  gtk_widget_set_visible (GTK_WIDGET (self), has_task);
  if (self->map == NULL)
    return;
  g_simple_action_set_enabled (find_action (self, "replan"), has_task);
  g_simple_action_set_state (find_action (self, "replan"), g_variant_new_boolean (loop != NULL));
  const gboolean is_held = is_live && ssapp_sandbox_is_held (ssui_sandbox_get_live (self->sandbox));
  g_simple_action_set_enabled (find_action (self, "sandbox-controller"), has_task);
  g_simple_action_set_enabled (find_action (self, "sandbox-hold"), has_task);
  g_simple_action_set_state (find_action (self, "sandbox-hold"), g_variant_new_boolean (is_held));
  self->version = G_MAXUINT64;
  if (loop != NULL && self->tick_id == 0) {
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);
    show_state (self, &none);
    show_bars (self, NULL, 0);
  } else if (loop == NULL) {
    gtk_label_set_text (GTK_LABEL (self->state),
                        is_held ? _ ("The plan holds the scene") : _ ("The task as a controller of the scene"));
    gtk_label_set_text (GTK_LABEL (self->times),
                        is_held ? _ ("Drag a body: it is brought back") : _ ("Then drag the goal, or a body"));
    gtk_label_set_text (GTK_LABEL (self->missed), "");
    show_bars (self, NULL, 0);
  }
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static void
set_loop (SsuiReplanStrip *self, gboolean is_on)
{
  SsappSandbox *live = ssui_sandbox_get_live (self->sandbox);
  g_autoptr (GError) error = NULL;
  SsReplanOptions options;

  if (live == NULL)
    return;
  ss_options_init (&ss_replan_option_table, &options);
  options.every = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->every));
  options.deadline = get_deadline (self);
  if (!ssapp_sandbox_set_replan (live, is_on ? &options : NULL, &error))
    g_signal_emit (self, signals[MESSAGE], 0, error->message);
  update (self);
}

static void set_controller (SsuiReplanStrip *self, const char *controller);

static void
change_replan (GSimpleAction *action, GVariant *state, gpointer data)
{
  (void)action;
  set_controller (data, g_variant_get_boolean (state) ? "replan" : "none");
}

/* One of them at a time. */
static void
set_controller (SsuiReplanStrip *self, const char *controller)
{
  SsappSandbox *live = ssui_sandbox_get_live (self->sandbox);
  const gboolean holds = strcmp (controller, "lqr") == 0;
  const SsTrajectory *plan = holds ? ssapp_session_get_plan (self->session) : NULL;
  g_autoptr (GError) error = NULL;

  if (live == NULL)
    return;
  if (holds && plan == NULL)
    g_signal_emit (self, signals[MESSAGE], 0, "There is no plan on the Run page: solve the task first");
  else if (!ssapp_sandbox_hold_plan (live, plan, &error))
    g_signal_emit (self, signals[MESSAGE], 0, error->message);
  else if (get_loop (self) != NULL || strcmp (controller, "replan") == 0)
    set_loop (self, strcmp (controller, "replan") == 0);
  update (self);
}

static void
on_controller (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void)action;
  set_controller (data, g_variant_get_string (parameter, NULL));
}

static void
change_hold (GSimpleAction *action, GVariant *state, gpointer data)
{
  (void)action;
  set_controller (data, g_variant_get_boolean (state) ? "lqr" : "none");
}

static void
change_every (GSimpleAction *action, GVariant *state, gpointer data)
{
  SsuiReplanStrip *self = data;
  const int every = CLAMP (g_variant_get_int32 (state), 1, EVERY_MAX);

  g_simple_action_set_state (action, g_variant_new_int32 (every));
  self->is_updating = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->every), every);
  self->is_updating = FALSE;
  if (get_loop (self) != NULL)
    set_loop (self, TRUE);
}

static void
change_deadline (GSimpleAction *action, GVariant *state, gpointer data)
{
  SsuiReplanStrip *self = data;
  const double deadline = CLAMP (g_variant_get_double (state), 0, DEADLINE_MAX);
  SsappReplanner *loop = get_loop (self);

  g_simple_action_set_state (action, g_variant_new_double (deadline));
  self->is_updating = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->deadline), deadline);
  self->is_updating = FALSE;
  if (loop != NULL)
    ssapp_replanner_set_deadline (loop, deadline / 1e3);
  self->version = G_MAXUINT64;
}

static void
on_every_edited (SsuiReplanStrip *self)
{
  if (!self->is_updating)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.replan-every", "i",
                                gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->every)));
}

static void
on_deadline_edited (SsuiReplanStrip *self)
{
  if (!self->is_updating)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.replan-deadline", "d",
                                gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->deadline)));
}

void
ssui_replan_strip_attach (SsuiReplanStrip *self, SsappSession *session, SsuiSandbox *sandbox)
{
  g_return_if_fail (SSUI_IS_REPLAN_STRIP (self) && (session == NULL || SSAPP_IS_SESSION (session)) &&
                    (sandbox == NULL || SSUI_IS_SANDBOX (sandbox)));
  self->session = g_object_ref (session);
  self->sandbox = sandbox;
  g_signal_connect_object (sandbox, "live-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_document (session), "changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  update (self);
}

void
ssui_replan_strip_add_actions (SsuiReplanStrip *self, GActionMap *map)
{
  g_return_if_fail (SSUI_IS_REPLAN_STRIP (self));

  static const GActionEntry entries[] = {
      {.name = "sandbox-controller", .activate = on_controller, .parameter_type = "s" /* none|lqr|replan */},
      {.name = "sandbox-hold", .state = "false", .change_state = change_hold},
      {.name = "replan", .state = "false", .change_state = change_replan},
      {.name = "replan-every", .parameter_type = "i", .state = "2", .change_state = change_every},
      {.name = "replan-deadline", .parameter_type = "d", .state = "60.0", .change_state = change_deadline},
  };

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
  self->map = map;
  if (self->session != NULL)
    update (self);
}

void
ssui_replan_strip_describe (SsuiReplanStrip *self, SsappSessionPlace *place)
{
  g_return_if_fail (SSUI_IS_REPLAN_STRIP (self) && place != NULL);

  SsappReplanner *loop = get_loop (self);

  place->is_held =
      ssui_sandbox_is_live (self->sandbox) && ssapp_sandbox_is_held (ssui_sandbox_get_live (self->sandbox));
  place->is_planning = loop != NULL;
  if (loop != NULL)
    ssapp_replanner_get_state (loop, &place->planning);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_replan_strip_dispose (GObject *object)
{
  SsuiReplanStrip *self = SSUI_REPLAN_STRIP (object);

  self->map = NULL; /* goes with the window */
  self->sandbox = NULL;
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ssui_replan_strip_parent_class)->dispose (object);
}

static void
ssui_replan_strip_class_init (SsuiReplanStripClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_replan_strip_dispose;
  signals[MESSAGE] = g_signal_new ("message", SSUI_TYPE_REPLAN_STRIP, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_STRING);
}

/* A number with its name before it and its unit after it. */
static GtkWidget *
add_number (GtkBox *box, const char *name, const char *unit, const char *tip, double value, double least, double most)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (name);
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, 1), *after = gtk_label_new (unit);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_width_chars (GTK_LABEL (after), 5);
  gtk_label_set_xalign (GTK_LABEL (after), 0);
  gtk_widget_add_css_class (after, "dim-label");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 4);
  gtk_widget_set_tooltip_text (spin, tip);
  ssui_set_label (spin, name);
  ssui_set_description (spin, tip);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), spin);
  gtk_box_append (GTK_BOX (row), after);
  gtk_box_append (box, row);
  return spin;
}

static GtkWidget *
add_text (GtkBox *box, const char *class_)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 18);
  gtk_widget_add_css_class (label, class_);
  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (box, label);
  return label;
}

static void
ssui_replan_strip_init (SsuiReplanStrip *self)
{
  GtkWidget *settings = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *plot = ssui_plot_view_new ();
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  gtk_box_set_spacing (GTK_BOX (self), 12);
  gtk_widget_add_css_class (GTK_WIDGET (self), "replan-strip");
  self->toggle = gtk_toggle_button_new_with_label (_ ("Re-Plan"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->toggle), "win.replan");
  gtk_widget_set_tooltip_text (self->toggle,
                               _ ("Let the task's plan control the scene, and make it again every few steps"));
  GtkWidget *toggles = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *hold;
  gtk_widget_add_css_class (toggles, "linked");
  gtk_box_set_homogeneous (GTK_BOX (toggles), TRUE);
  hold = gtk_toggle_button_new_with_label (_ ("Hold Plan"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (hold), "win.sandbox-hold");
  gtk_widget_set_tooltip_text (hold,
                               _ ("Let the plan on the Run page control the scene, held by an LQR: what is dragged "
                                  "away is brought back"));
  gtk_box_append (GTK_BOX (toggles), hold);
  gtk_box_append (GTK_BOX (toggles), self->toggle);
  gtk_box_append (GTK_BOX (settings), toggles);
  self->every = add_number (GTK_BOX (settings), _ ("Every"), "steps", _ ("Steps of the plan from one plan to the next"),
                            EVERY, 1, EVERY_MAX);
  self->deadline = add_number (GTK_BOX (settings), _ ("Deadline"), "ms",
                               _ ("Time of a plan; then the best so far acts, and a miss is counted; 0: none"),
                               DEADLINE, 0, DEADLINE_MAX);
  g_signal_connect_object (self->every, "value-changed", G_CALLBACK (on_every_edited), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->deadline, "value-changed", G_CALLBACK (on_deadline_edited), self, G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand (settings, FALSE); /* not as its labels do */
  gtk_box_append (GTK_BOX (self), settings);

  self->plot = SSUI_PLOT_VIEW (plot);
  gtk_widget_set_hexpand (plot, TRUE);
  gtk_widget_set_vexpand (plot, FALSE); /* the canvas has what room there is */
  ssui_plot_view_set_height (self->plot, PLOT_HEIGHT);
  ssui_set_label (plot, _ ("Times of the plans"));
  gtk_box_append (GTK_BOX (self), plot);

  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  self->state = add_text (GTK_BOX (words), "heading");
  self->times = add_text (GTK_BOX (words), "caption");
  self->missed = add_text (GTK_BOX (words), "caption");
  gtk_box_append (GTK_BOX (self), words);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
