/* ui/window/ssui-preferences.c: see the header. */
#include "ui/window/ssui-preferences.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

/* ---- a choice among words ---------------------------------------------------------------------------------------- */

typedef struct {
  const char *key, *title, *subtitle;
  const char *const *labels;
  const char *const *values; /* as GVariant text */
} Choice;

static const char *const style_labels[] = {N_ ("As the Desktop"), N_ ("Light"), N_ ("Dark"), NULL},
                         *const style_values[] = {"'system'", "'light'", "'dark'", NULL};
static const char *const width_labels[] = {N_ ("What Suits the Runs"), N_ ("88 mm, One Column"),
                                           N_ ("180 mm, the Whole Page"), NULL},
                         *const width_values[] = {"0", "88", "180", NULL};
static const char *const limit_labels[] = {N_ ("None"), "10 s", "1 min", "5 min", "1 h", NULL},
                         *const limit_values[] = {"0.0", "10.0", "60.0", "300.0", "3600.0", NULL};

static const Choice style = {"style", N_ ("Style"), N_ ("Colours of window and drawings"), style_labels, style_values};
static const Choice width = {"figure-width", N_ ("Width of Figures"), N_ ("Offered first when a figure is exported"),
                             width_labels, width_values};
static const Choice limit = {"time-limit", N_ ("Time Limit of a Run"), N_ ("What there is then is kept"), limit_labels,
                             limit_values};

static void
on_chosen (AdwComboRow *row, GParamSpec *spec, GSettings *settings)
{
  const Choice *choice = g_object_get_data (G_OBJECT (row), "choice");

  (void)spec;
  ssui_settings_keep (settings, choice->key,
                      g_variant_parse (NULL, choice->values[adw_combo_row_get_selected (row)], NULL, NULL, NULL));
}

static GtkWidget *
make_choice (const Choice *choice, GSettings *settings)
{
  GtkWidget *row = ssui_combo_row_new (_ (choice->title), ssui_strings_new (choice->labels));
  g_autoptr (GVariant) now = g_settings_get_value (settings, choice->key);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _ (choice->subtitle));
  for (guint i = 0; choice->values[i] != NULL; i++) {
    g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_parse (NULL, choice->values[i], NULL, NULL, NULL));
    if (g_variant_equal (value, now))
      adw_combo_row_set_selected (ADW_COMBO_ROW (row), i);
  }
  g_object_set_data (G_OBJECT (row), "choice", (gpointer)choice);
  g_signal_connect_object (row, "notify::selected", G_CALLBACK (on_chosen), settings, 0);
  return row;
}

static GtkWidget *
make_switch (const char *title, const char *subtitle, GSettings *settings, const char *key)
{
  GtkWidget *row = adw_action_row_new (), *toggle = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  ssui_set_label (toggle, title);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), toggle);
  g_settings_bind (settings, key, toggle, "active", G_SETTINGS_BIND_DEFAULT);
  return row;
}

/* ---- window ------------------------------------------------------------------------------------------------------ */

static AdwPreferencesGroup *
add_group (AdwPreferencesPage *page, const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_page_add (page, ADW_PREFERENCES_GROUP (group));
  return ADW_PREFERENCES_GROUP (group);
}

void
ssui_preferences_present (GtkWindow *parent, GSettings *settings)
{
  GtkWidget *window = adw_preferences_window_new (), *page = adw_preferences_page_new ();
  AdwPreferencesGroup *look = add_group (ADW_PREFERENCES_PAGE (page), _ ("Appearance")),
                      *sheet = add_group (ADW_PREFERENCES_PAGE (page), _ ("Sketches")),
                      *runs = add_group (ADW_PREFERENCES_PAGE (page), _ ("Runs and Figures"));

  adw_preferences_group_add (look, make_choice (&style, settings));
  adw_preferences_group_add (
      sheet, make_switch (_ ("Snap"), _ ("While drawing and moving; Alt suspends it"), settings, "snap-to-grid"));
  adw_preferences_group_add (sheet, make_switch (_ ("Grid"), _ ("Lines on the sheet"), settings, "show-grid"));
  adw_preferences_group_add (runs, make_choice (&limit, settings));
  adw_preferences_group_add (runs, make_choice (&width, settings));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window), ADW_PREFERENCES_PAGE (page));
  adw_preferences_window_set_search_enabled (ADW_PREFERENCES_WINDOW (window), FALSE);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Preferences"));
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), 560, 600);
  gtk_window_present (GTK_WINDOW (window));
}
