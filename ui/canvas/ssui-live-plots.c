/* ui/canvas/ssui-live-plots.c: see the header. Looked at in tests/ui/test_sketch.py. */
#include "ui/canvas/ssui-live-plots.h"

#include "ui/canvas/ssui-channel-chooser.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define VIEW_KEY     "live-channels"
#define LEAST_HEIGHT 460  /* px of the column: less is left to the widget above */
#define SHARE        0.45 /* of the column, at most */

struct _SsuiLivePlots {
  GtkWidget parent_instance;
  GtkWidget *above, *panel, *scroller, *chooser, *what;
  SsuiChannelPlots *plots;
  SsappSession *session;
  SsappRun *now, *before; /* owned, nullable; what is shown where there is no sandbox */
  SsappSandbox *sandbox;  /* owned; NULL: the motion of the sketch is shown */
  gboolean is_shown, has_motion, is_building;
};

enum { PROP_SHOWN = 1, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (SsuiLivePlots, ssui_live_plots, GTK_TYPE_WIDGET)

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

static gboolean
is_wanted (SsuiLivePlots *self)
{
  return self->is_shown && self->has_motion;
}

/* Hidden, not only without room, when they are not wanted: nobody finds them by Tab or a screen reader. */
static void
update_wanted (SsuiLivePlots *self)
{
  gtk_widget_set_visible (self->panel, is_wanted (self));
}

/* The plots show what there is, where they are wanted. */
static void
refresh (SsuiLivePlots *self)
{
  if (is_wanted (self) && self->sandbox != NULL)
    ssui_channel_plots_set_sandbox (self->plots, self->sandbox);
  else if (is_wanted (self))
    ssui_channel_plots_set_live (self->plots, self->now, self->before);
  update_wanted (self);
}

static void
say_what (SsuiLivePlots *self, const char *text, const char *tip)
{
  if (strcmp (gtk_label_get_text (GTK_LABEL (self->what)), text) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (self->what), text);
  gtk_widget_set_tooltip_text (self->what, tip);
}

void
ssui_live_plots_show (SsuiLivePlots *self, SsappRun *now, SsappRun *before)
{
  g_return_if_fail (SSUI_IS_LIVE_PLOTS (self));

  const gboolean was_sandbox = self->sandbox != NULL;

  g_clear_object (&self->sandbox);
  say_what (self, _ ("now, and pale before"),
            _ ("The motion of the sketch as it is, and, pale and dashed, before the last edit"));

  if (now != NULL && !ssapp_run_has_motion (now))
    now = NULL;
  g_set_object (&self->now, now);
  g_set_object (&self->before, before);
  self->has_motion = now != NULL || before != NULL;
  if (was_sandbox && !is_wanted (self)) /* the plots let go of it all the same */
    ssui_channel_plots_set_live (self->plots, now, before);
  refresh (self);
}

void
ssui_live_plots_show_sandbox (SsuiLivePlots *self, SsappSandbox *sandbox)
{
  g_return_if_fail (SSUI_IS_LIVE_PLOTS (self) && SSAPP_IS_SANDBOX (sandbox));
  g_autofree char *text = g_strdup_printf (_ ("last %.0f s of the sandbox"), SSAPP_SANDBOX_RECENT);

  g_set_object (&self->sandbox, sandbox);
  g_clear_object (&self->now);
  g_clear_object (&self->before);
  self->has_motion = TRUE;
  say_what (self, text, _ ("The motion of the sandbox while it goes on; an earlier time shows what was around it"));
  refresh (self);
}

void
ssui_live_plots_go_on (SsuiLivePlots *self)
{
  g_return_if_fail (SSUI_IS_LIVE_PLOTS (self));
  if (self->sandbox != NULL && gtk_widget_get_mapped (self->panel))
    ssui_channel_plots_go_on (self->plots);
}

static void
on_channels_changed (SsuiLivePlots *self)
{
  g_autofree char *text = ssui_channel_plots_dup_text (self->plots);
  g_autofree char *json = *text != '\0' ? ssapp_channel_text_to_json (text) : NULL;

  gtk_widget_queue_resize (GTK_WIDGET (self));
  if (!self->is_building && self->session != NULL)
    ssapp_session_set_view (self->session, VIEW_KEY, json);
}

static void
on_view_changed (SsuiLivePlots *self)
{
  g_autofree char *json = ssapp_session_get_view (self->session, VIEW_KEY);
  g_autofree char *kept = json != NULL ? ssapp_channel_text_from_json (json) : NULL;
  g_autofree char *shown = ssui_channel_plots_dup_text (self->plots);

  if (g_strcmp0 (kept != NULL ? kept : "", shown) == 0)
    return;
  self->is_building = TRUE; /* it is kept already */
  if (!ssui_channel_plots_set_text (self->plots, kept != NULL ? kept : "", NULL))
    ssui_channel_plots_set_text (self->plots, "", NULL); /* of a newer version: the usual ones */
  self->is_building = FALSE;
}

void
ssui_live_plots_set_session (SsuiLivePlots *self, SsappSession *session)
{
  g_return_if_fail (SSUI_IS_LIVE_PLOTS (self) && SSAPP_IS_SESSION (session) && self->session == NULL);
  self->session = g_object_ref (session);
  g_signal_connect_object (ssapp_session_get_sketches (session), "view-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  on_view_changed (self);
}

SsuiChannelPlots *
ssui_live_plots_get_plots (SsuiLivePlots *self)
{
  g_return_val_if_fail (SSUI_IS_LIVE_PLOTS (self), NULL);
  return self->plots;
}

/* ---- the column -------------------------------------------------------------------------------------------------- */

static void
ssui_live_plots_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  SsuiLivePlots *self = SSUI_LIVE_PLOTS (widget);
  int ignored;

  gtk_widget_measure (self->panel, orientation, -1, &ignored, NULL, NULL, NULL);
  gtk_widget_measure (self->above, orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
}

static void
ssui_live_plots_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SsuiLivePlots *self = SSUI_LIVE_PLOTS (widget);
  int least_width = 0, least = 0, natural = 0, lower = 0;

  (void)baseline;
  if (is_wanted (self)) {
    gtk_widget_measure (self->panel, GTK_ORIENTATION_HORIZONTAL, -1, &least_width, NULL, NULL, NULL);
    gtk_widget_measure (self->panel, GTK_ORIENTATION_VERTICAL, width, &least, &natural, NULL, NULL);
    if (width >= least_width && height >= LEAST_HEIGHT)
      lower = CLAMP (natural, least, MAX ((int)(SHARE * height), least));
  }
  gtk_widget_set_child_visible (self->panel, lower > 0);
  gtk_widget_size_allocate (self->above, &(GtkAllocation){0, 0, width, height - lower}, -1);
  if (lower > 0)
    gtk_widget_size_allocate (self->panel, &(GtkAllocation){0, height - lower, width, lower}, -1);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_live_plots_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  SsuiLivePlots *self = SSUI_LIVE_PLOTS (object);

  (void)id;
  (void)spec;
  if (self->is_shown == g_value_get_boolean (value))
    return;
  self->is_shown = g_value_get_boolean (value);
  refresh (self);
  g_object_notify_by_pspec (object, properties[PROP_SHOWN]);
}

static void
ssui_live_plots_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  (void)id;
  (void)spec;
  g_value_set_boolean (value, SSUI_LIVE_PLOTS (object)->is_shown);
}

static void
ssui_live_plots_dispose (GObject *object)
{
  SsuiLivePlots *self = SSUI_LIVE_PLOTS (object);

  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->session);
  g_clear_object (&self->now);
  g_clear_object (&self->before);
  g_clear_object (&self->sandbox);
  G_OBJECT_CLASS (ssui_live_plots_parent_class)->dispose (object);
}

static void
ssui_live_plots_class_init (SsuiLivePlotsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_live_plots_dispose;
  G_OBJECT_CLASS (class)->set_property = ssui_live_plots_set_property;
  G_OBJECT_CLASS (class)->get_property = ssui_live_plots_get_property;
  widget_class->measure = ssui_live_plots_measure;
  widget_class->size_allocate = ssui_live_plots_size_allocate;
  properties[PROP_SHOWN] = g_param_spec_boolean ("shown", NULL, NULL, TRUE,
                                                 G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), N_PROPS, properties);
}

static void
on_popover_shown (SsuiLivePlots *self)
{
  ssui_channel_chooser_open (SSUI_CHANNEL_CHOOSER (self->chooser));
}

static GtkWidget *
make_heading (SsuiLivePlots *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *title = gtk_label_new (_ ("Live")),
            *what = gtk_label_new (""), *add = gtk_menu_button_new (), *popover = gtk_popover_new ();

  self->chooser = g_object_new (SSUI_TYPE_CHANNEL_CHOOSER, NULL);
  ssui_channel_chooser_set_plots (SSUI_CHANNEL_CHOOSER (self->chooser), self->plots);
  gtk_popover_set_child (GTK_POPOVER (popover), self->chooser);
  g_signal_connect_object (popover, "show", G_CALLBACK (on_popover_shown), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (what, "dim-label");
  gtk_widget_add_css_class (what, "caption");
  gtk_widget_set_hexpand (what, TRUE);
  gtk_label_set_xalign (GTK_LABEL (what), 0);
  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_END);
  self->what = what;
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (add), "list-add-symbolic");
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (add), popover);
  gtk_widget_add_css_class (add, "flat");
  gtk_widget_set_tooltip_text (add, _ ("Choose channels of the live plots"));
  ssui_label_drop_down (add, _ ("Live Channels"));
  gtk_widget_set_margin_start (box, 14);
  gtk_widget_set_margin_end (box, 4);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), what);
  gtk_box_append (GTK_BOX (box), add);
  return box;
}

static void
ssui_live_plots_init (SsuiLivePlots *self)
{
  self->is_shown = TRUE;
  self->plots = g_object_new (SSUI_TYPE_CHANNEL_PLOTS, NULL);
  self->scroller = gtk_scrolled_window_new ();
  ssui_set_label (GTK_WIDGET (self->plots), _ ("Live plots"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->plots));
  gtk_widget_set_vexpand (self->scroller, TRUE);
  self->panel = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->panel, "region");
  gtk_widget_add_css_class (self->panel, "sidebar-pane");
  gtk_box_append (GTK_BOX (self->panel), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (self->panel), make_heading (self));
  gtk_box_append (GTK_BOX (self->panel), self->scroller);
  gtk_widget_set_parent (self->panel, GTK_WIDGET (self));
  update_wanted (self);
  g_signal_connect_object (self->panel, "map", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED); /* what came unseen */
  g_signal_connect_object (self->plots, "changed", G_CALLBACK (on_channels_changed), self, G_CONNECT_SWAPPED);
}

GtkWidget *
ssui_live_plots_new (GtkWidget *above, SsuiPlayer *player)
{
  g_return_val_if_fail (GTK_IS_WIDGET (above), NULL);
  SsuiLivePlots *self = g_object_new (SSUI_TYPE_LIVE_PLOTS, NULL);

  self->above = above;
  gtk_widget_insert_before (above, GTK_WIDGET (self), self->panel); /* and so comes before it by Tab */
  ssui_channel_plots_set_player (self->plots, player);
  return GTK_WIDGET (self);
}
