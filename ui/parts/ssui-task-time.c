/* ui/parts/ssui-task-time.c: see the header. */
#include "ui/parts/ssui-task-time.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

static void
on_free_switched (GtkSwitch *toggle)
{
  gtk_widget_activate_action (GTK_WIDGET (toggle), "win.free-time", "b", gtk_switch_get_active (toggle));
}

GtkWidget *
ssui_free_time_switch_new (SsappDocument *document)
{
  GtkWidget *toggle = gtk_switch_new ();

  gtk_switch_set_active (GTK_SWITCH (toggle), ssapp_document_has_field (document, "task.free_time"));
  gtk_widget_set_tooltip_text (toggle, _ ("The optimiser chooses how long the plan takes"));
  ssui_set_label (toggle, _ ("Free horizon"));
  g_signal_connect (toggle, "notify::active", G_CALLBACK (on_free_switched), NULL);
  return toggle;
}

static void
on_search_toggled (GtkToggleButton *button)
{
  const gboolean searches = gtk_toggle_button_get_active (button);
  const char *label = searches ? _ ("Stop") : _ ("Find the Time");

  gtk_button_set_label (GTK_BUTTON (button), label);
  ssui_set_label (GTK_WIDGET (button), label);
  gtk_widget_set_tooltip_text (GTK_WIDGET (button), searches
                                                        ? _ ("Simulated Motions Are Tried: Leave the Horizon as It Is")
                                                        : _ ("Set Horizon and Steps to Those of a Simulated Motion "
                                                             "That Comes near the Goal"));
}

GtkWidget *
ssui_find_time_button_new (void)
{
  GtkWidget *button = gtk_toggle_button_new_with_label ("");

  g_signal_connect (button, "toggled", G_CALLBACK (on_search_toggled), NULL);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.find-time");
  on_search_toggled (GTK_TOGGLE_BUTTON (button));
  return button;
}
