/* ui/canvas/ssui-channel-chooser.c: see the header. Only what fits a screen or two becomes rows: a search finds the
 * others. */
#include "ui/canvas/ssui-channel-chooser.h"

#include "app/session/ssapp-bands.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_ROWS 200
#define WIDTH     300 /* px */
#define HEIGHT    330

struct _SsuiChannelChooser {
  GtkWidget parent_instance;
  GtkWidget *search, *list, *note, *into, *band;
  SsuiChannelPlots *plots; /* borrowed */
  gboolean is_building;
};

G_DEFINE_FINAL_TYPE (SsuiChannelChooser, ssui_channel_chooser, GTK_TYPE_WIDGET)

static void on_toggled (GtkCheckButton *check, SsuiChannelChooser *self);

/* Beside the words of the tick too. */
static void
on_activated (GtkListBox *list, GtkListBoxRow *row)
{
  GtkCheckButton *check = g_object_get_data (G_OBJECT (row), "check");

  (void)list;
  gtk_check_button_set_active (check, !gtk_check_button_get_active (check));
}

static GtkWidget *
make_row (SsuiChannelChooser *self, const SsappChannel *channel, gboolean is_chosen)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *check = gtk_check_button_new_with_label (channel->label), *unit = gtk_label_new (channel->unit);
  g_autofree char *label =
      g_strdup_printf ("%s, %s%s%s", channel->group, channel->label, *channel->unit != '\0' ? ", " : "", channel->unit);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), is_chosen);
  gtk_widget_set_hexpand (check, TRUE);
  gtk_widget_set_tooltip_text (check, channel->name);
  ssui_set_label (check, label);
  gtk_widget_add_css_class (unit, "dim-label");
  gtk_box_append (GTK_BOX (box), check);
  gtk_box_append (GTK_BOX (box), unit);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_widget_set_focusable (row, FALSE);
  g_object_set_data_full (G_OBJECT (check), "channel", g_strdup (channel->name), g_free);
  g_object_set_data_full (G_OBJECT (row), "group", g_strdup (channel->group), g_free);
  g_object_set_data (G_OBJECT (row), "check", check);
  g_signal_connect (check, "toggled", G_CALLBACK (on_toggled), self);
  return row;
}

static void
set_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  const char *group = g_object_get_data (G_OBJECT (row), "group");
  const char *last = before != NULL ? g_object_get_data (G_OBJECT (before), "group") : NULL;
  GtkWidget *label;

  (void)data;
  if (g_strcmp0 (group, last) == 0) {
    gtk_list_box_row_set_header (row, NULL);
    return;
  }
  label = gtk_label_new (group);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_margin_top (label, 6);
  gtk_widget_set_margin_start (label, 6);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_list_box_row_set_header (row, label);
}

/* Where the next channel goes: a new plot, or one of those on show. */
static void
fill_into (SsuiChannelChooser *self)
{
  g_autoptr (GtkStringList) entries = gtk_string_list_new (NULL);
  const SsappChannelPlots *plots = ssui_channel_plots_get_plots (self->plots);
  const guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->into));

  gtk_string_list_append (entries, _ ("New Plot"));
  for (guint p = 0; p < plots->plots->len; p++) {
    g_autofree char *title = ssui_channel_plots_dup_title (self->plots, (int)p);
    g_autofree char *text = g_strdup_printf ("%u: %s", p + 1, title);
    gtk_string_list_append (entries, text);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->into), G_LIST_MODEL (entries));
  if (chosen != GTK_INVALID_LIST_POSITION && chosen <= plots->plots->len)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->into), chosen);
}

/* Numbers that bands may be by, of the first run that has derivatives. */
static void
fill_band (SsuiChannelChooser *self)
{
  GPtrArray *runs = ssui_channel_plots_get_runs (self->plots);
  const char *band = ssui_channel_plots_get_band (self->plots);
  g_autoptr (GtkStringList) entries = gtk_string_list_new (NULL);
  g_auto (GStrv) numbers = NULL;
  guint chosen = 0;

  for (guint i = 0; i < runs->len && numbers == NULL; i++)
    numbers = ssapp_bands_numbers (g_ptr_array_index (runs, i));
  gtk_string_list_append (entries, _ ("None"));
  for (guint i = 0; numbers != NULL && numbers[i] != NULL; i++) {
    gtk_string_list_append (entries, numbers[i]);
    if (g_strcmp0 (band, numbers[i]) == 0)
      chosen = i + 1;
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->band), G_LIST_MODEL (entries));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->band), chosen);
  gtk_widget_set_sensitive (self->band, numbers != NULL && numbers[0] != NULL);
}

static void
on_band (SsuiChannelChooser *self)
{
  GObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->band));
  const guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->band));

  if (!self->is_building && item != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.band", "s",
                                chosen > 0 ? gtk_string_object_get_string (GTK_STRING_OBJECT (item)) : "");
}

static void
fill (SsuiChannelChooser *self)
{
  const char *search = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autoptr (GPtrArray) channels = ssui_channel_plots_list_channels (self->plots);
  const SsappChannelPlots *plots = ssui_channel_plots_get_plots (self->plots);
  g_autofree char *text = NULL, *hint = g_strdup_printf (_ ("Search %u channels"), channels->len);
  GtkListBoxRow *row;
  guint n = 0;

  self->is_building = TRUE;
  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  for (guint i = 0; i < channels->len; i++) {
    const SsappChannel *channel = g_ptr_array_index (channels, i);
    if (!ssapp_channel_matches (channel, search))
      continue;
    if (n++ < MOST_ROWS)
      gtk_list_box_append (GTK_LIST_BOX (self->list),
                           make_row (self, channel, ssapp_channel_plots_find (plots, channel->name) >= 0));
  }
  if (channels->len == 0)
    text = g_strdup (_ ("Runs have channels as soon as they have a motion"));
  else if (n == 0)
    text = g_strdup (_ ("No channel has these words"));
  else if (n > MOST_ROWS)
    text = g_strdup_printf (_ ("%u more, search for them"), n - MOST_ROWS);
  gtk_label_set_text (GTK_LABEL (self->note), text != NULL ? text : "");
  gtk_widget_set_visible (self->note, text != NULL);
  g_object_set (self->search, "placeholder-text", hint, NULL);
  fill_into (self);
  fill_band (self);
  self->is_building = FALSE;
}

static void
on_toggled (GtkCheckButton *check, SsuiChannelChooser *self)
{
  const char *name = g_object_get_data (G_OBJECT (check), "channel");
  const guint into = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->into));
  gboolean done;

  if (self->is_building)
    return;
  if (gtk_check_button_get_active (check))
    done = ssui_channel_plots_add (self->plots, name, into == GTK_INVALID_LIST_POSITION ? -1 : (int)into - 1);
  else
    done = ssui_channel_plots_remove (self->plots, name);
  if (!done) { /* no more room: the check goes back */
    self->is_building = TRUE;
    gtk_check_button_set_active (check, !gtk_check_button_get_active (check));
    self->is_building = FALSE;
    return;
  }
  fill_into (self);
}

void
ssui_channel_chooser_set_plots (SsuiChannelChooser *self, SsuiChannelPlots *plots)
{
  g_return_if_fail (SSUI_IS_CHANNEL_CHOOSER (self) && (plots == NULL || SSUI_IS_CHANNEL_PLOTS (plots)));
  self->plots = plots;
}

void
ssui_channel_chooser_open (SsuiChannelChooser *self)
{
  g_return_if_fail (SSUI_IS_CHANNEL_CHOOSER (self));
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  fill (self);
  gtk_widget_grab_focus (self->search);
}

/* Escape closes what it is in. */
static void
on_stop (SsuiChannelChooser *self)
{
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);

  if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
}

static void
ssui_channel_chooser_dispose (GObject *object)
{
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_channel_chooser_parent_class)->dispose (object);
}

static void
ssui_channel_chooser_class_init (SsuiChannelChooserClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_channel_chooser_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
ssui_channel_chooser_init (SsuiChannelChooser *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *bottom = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *into = gtk_label_new (_ ("Into")), *band = gtk_label_new (_ ("Band of 1 % of")),
            *last = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));
  const char *const entries[] = {_ ("New Plot"), NULL};

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 6);
  self->search = gtk_search_entry_new ();
  ssui_set_label (self->search, _ ("Search channels"));
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), set_header, NULL, NULL);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_activated), NULL);
  gtk_widget_add_css_class (self->list, "channel-list");
  ssui_set_label (self->list, _ ("Channels"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scroller, WIDTH, HEIGHT);
  self->note = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_widget_add_css_class (self->note, "dim-label");
  self->into = gtk_drop_down_new_from_strings (entries);
  gtk_widget_set_hexpand (self->into, TRUE);
  gtk_widget_set_tooltip_text (self->into, _ ("Plot into which the next checked channel goes"));
  ssui_label_drop_down (self->into, _ ("Into which plot"));
  self->band = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_hexpand (self->band, TRUE);
  gtk_widget_set_tooltip_text (
      self->band, _ ("How far 1 % of a number of the scene moves each channel, to either side: "
                     "of runs by FESD-J, Event-Driven and Time-freezing, which are made once more for it"));
  ssui_label_drop_down (self->band, _ ("Band of 1 % of"));
  gtk_widget_add_css_class (band, "dim-label");
  gtk_box_append (GTK_BOX (last), band);
  gtk_box_append (GTK_BOX (last), self->band);
  g_signal_connect_object (self->band, "notify::selected", G_CALLBACK (on_band), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (into, "dim-label");
  gtk_box_append (GTK_BOX (bottom), into);
  gtk_box_append (GTK_BOX (bottom), self->into);
  gtk_widget_set_parent (self->search, GTK_WIDGET (self));
  gtk_widget_set_parent (scroller, GTK_WIDGET (self));
  gtk_widget_set_parent (self->note, GTK_WIDGET (self));
  gtk_widget_set_parent (bottom, GTK_WIDGET (self));
  gtk_widget_set_parent (last, GTK_WIDGET (self));
  g_signal_connect_object (self->search, "stop-search", G_CALLBACK (on_stop), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
}
