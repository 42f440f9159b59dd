/* ui/parts/ssui-outcome-bar.c: see the header. */
#include "ui/parts/ssui-outcome-bar.h"

#include "ui/parts/ssui-outcome-owners.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

struct _SsuiOutcomeBar {
  GtkWidget parent_instance;
  SsappCompared *compared;
  GtkWidget *chips, *spinner;
};

G_DEFINE_FINAL_TYPE (SsuiOutcomeBar, ssui_outcome_bar, GTK_TYPE_WIDGET)

static GtkWidget *
make_chip (SsuiOutcomeBar *self, const SsappComparedOutcome *outcome)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autofree char *words = *outcome->unit != '\0' ? g_strdup_printf ("%s [%s]", outcome->name, outcome->unit)
                                                  : g_strdup (outcome->name),
                  *tip = g_strdup_printf (_ ("%s, %u with a value"),
                                          *outcome->formula != '\0' ? outcome->formula : words, outcome->n),
                  *label = g_strdup_printf (_ ("Outcome %s: %s"), words, tip);

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), words);
  gtk_menu_button_set_popover (
      GTK_MENU_BUTTON (button),
      ssui_outcome_popover_new (G_OBJECT (self->compared), &ssui_outcome_owner_compared, outcome->name));
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "study-add");
  gtk_widget_set_tooltip_text (button, tip);
  ssui_set_label (button, label);
  return button;
}

static void
show_busy (SsuiOutcomeBar *self)
{
  const gboolean is_busy = ssapp_compared_is_busy (self->compared);

  gtk_widget_set_visible (self->spinner, is_busy);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_busy);
}

static void
show_outcomes (SsuiOutcomeBar *self)
{
  g_autoptr (GPtrArray) outcomes = ssapp_compared_list_outcomes (self->compared);
  GtkWidget *child;

  ssui_take_focus_from (self->chips);
  while ((child = gtk_widget_get_first_child (self->chips)) != NULL)
    gtk_flow_box_remove (GTK_FLOW_BOX (self->chips), child);
  for (guint i = 0; i < outcomes->len; i++) {
    gtk_flow_box_append (GTK_FLOW_BOX (self->chips), make_chip (self, g_ptr_array_index (outcomes, i)));
    gtk_widget_set_focusable (gtk_widget_get_last_child (self->chips), FALSE);
  }
  gtk_widget_set_visible (self->chips, outcomes->len > 0);
  show_busy (self);
}

void
ssui_outcome_bar_set_compared (SsuiOutcomeBar *self, SsappCompared *compared, GtkMenuButton *add)
{
  self->compared = g_object_ref (compared);
  gtk_menu_button_set_popover (
      add, ssui_outcome_popover_new (G_OBJECT (self->compared), &ssui_outcome_owner_compared, NULL));
  g_signal_connect_object (compared, "runs-changed", G_CALLBACK (show_outcomes), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (compared, "changed", G_CALLBACK (show_busy), self, G_CONNECT_SWAPPED);
  show_outcomes (self);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_outcome_bar_dispose (GObject *object)
{
  g_clear_object (&SSUI_OUTCOME_BAR (object)->compared);
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_outcome_bar_parent_class)->dispose (object);
}

static void
ssui_outcome_bar_class_init (SsuiOutcomeBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_outcome_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
ssui_outcome_bar_init (SsuiOutcomeBar *self)
{
  self->chips = gtk_flow_box_new ();
  self->spinner = gtk_spinner_new ();
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (self->chips), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->chips), 6);
  gtk_widget_set_hexpand (self->chips, TRUE);
  gtk_widget_set_margin_start (self->chips, 6);
  gtk_widget_set_margin_end (self->chips, 6);
  gtk_widget_set_margin_bottom (self->chips, 4);
  gtk_widget_set_margin_end (self->spinner, 12);
  ssui_set_label (self->chips, _ ("Outcomes of the chosen runs"));
  ssui_set_label (self->spinner, _ ("The runs are answering"));
  gtk_widget_set_parent (self->chips, GTK_WIDGET (self));
  gtk_widget_set_parent (self->spinner, GTK_WIDGET (self));
}
