/* ui/window/ssui-application.c: see the header. */
#include "ui/window/ssui-application.h"

#include "run/ss-run.h"
#include "ui/parts/ssui-util.h"
#include "ui/parts/ssui-clicks.h"
#include "ui/window/ssui-commands.h"
#include "ui/window/ssui-window.h"

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

struct _SsuiApplication {
  AdwApplication parent_instance;
};

G_DEFINE_FINAL_TYPE (SsuiApplication, ssui_application, ADW_TYPE_APPLICATION)

static SsuiWindow *
new_window (SsuiApplication *self)
{
  GtkWidget *window = ssui_window_new (GTK_APPLICATION (self));
  gtk_window_present (GTK_WINDOW (window));
  return SSUI_WINDOW (window);
}

static void
ssui_application_activate (GApplication *application)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (active != NULL)
    gtk_window_present (active);
  else
    new_window (SSUI_APPLICATION (application));
}

static void
ssui_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (application));

  (void)hint;
  for (int i = 0; i < n_files; i++) {
    g_autofree char *path = g_file_get_path (files[i]);
    SsuiWindow *window;
    if (path == NULL)
      continue;
    window = i == 0 && SSUI_IS_WINDOW (active) && ssui_window_is_pristine (SSUI_WINDOW (active))
                 ? SSUI_WINDOW (active)
                 : new_window (SSUI_APPLICATION (application));
    ssui_window_open_path (window, path);
  }
}

/* ---- actions ----------------------------------------------------------------------------------------------------- */

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void)action;
  (void)parameter;
  new_window (data);
}

/* Windows close one after another, so that each may ask; one that stays keeps the program alive. */
static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (data)));

  (void)action;
  (void)parameter;
  for (GList *l = windows; l != NULL; l = l->next)
    if (SSUI_IS_WINDOW (l->data))
      gtk_window_close (l->data);
}

static char *
debug_info (void)
{
  return g_strdup_printf (_ ("Stickslip %s\nGTK %u.%u.%u, libadwaita %u.%u.%u, GLib %u.%u.%u\nProcessors: %u\n"),
                          SS_VERSION, gtk_get_major_version (), gtk_get_minor_version (), gtk_get_micro_version (),
                          adw_get_major_version (), adw_get_minor_version (), adw_get_micro_version (),
                          glib_major_version, glib_minor_version, glib_micro_version, g_get_num_processors ());
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const char *const developers[] = {"The Stickslip authors", NULL};
  static const char *const papers[] = {"FESD-J: Nurkanović et al. (2023)",
                                       "Time-freezing: Nurkanović et al.",
                                       "Set-valued rigid-body impacts: Halm and Posa",
                                       "First-order constraint solver: Drumwright",
                                       "CRISP: Li et al. (2025)",
                                       NULL};
  static const char *const libraries[] = {"Ipopt",           "SuiteSparse AMD",    "SQLite", "Jansson",
                                          "Cairo and Pango", "GTK and libadwaita", NULL};
  GtkWindow *parent = gtk_application_get_active_window (GTK_APPLICATION (data));
  GtkWidget *about = adw_about_window_new ();
  g_autofree char *debug = debug_info ();

  (void)action;
  (void)parameter;
  gtk_window_set_transient_for (GTK_WINDOW (about), parent);
  adw_about_window_set_application_name (ADW_ABOUT_WINDOW (about), "Stickslip");
  adw_about_window_set_application_icon (ADW_ABOUT_WINDOW (about), SSUI_APP_ID);
  adw_about_window_set_developer_name (ADW_ABOUT_WINDOW (about), "The Stickslip authors");
  adw_about_window_set_version (ADW_ABOUT_WINDOW (about), SS_VERSION);
  adw_about_window_set_license_type (ADW_ABOUT_WINDOW (about), GTK_LICENSE_MIT_X11);
  adw_about_window_set_comments (
      ADW_ABOUT_WINDOW (about),
      _ ("A workbench for planar contact mechanics: sketch a contact problem, solve it, compare methods."));
  adw_about_window_set_developers (ADW_ABOUT_WINDOW (about), (const char **)developers);
  adw_about_window_add_credit_section (ADW_ABOUT_WINDOW (about), _ ("Papers"), (const char **)papers);
  adw_about_window_add_acknowledgement_section (ADW_ABOUT_WINDOW (about), _ ("Libraries"), (const char **)libraries);
  adw_about_window_set_debug_info (ADW_ABOUT_WINDOW (about), debug);
  gtk_window_present (GTK_WINDOW (about));
}

static const GActionEntry entries[] = {
    {.name = "new-window", .activate = on_new_window},
    {.name = "quit", .activate = on_quit},
    {.name = "about", .activate = on_about},
};

static void
ssui_application_startup (GApplication *application)
{
  G_APPLICATION_CLASS (ssui_application_parent_class)->startup (application);
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries), application);
  ssui_commands_set_keys (GTK_APPLICATION (application));
  ssui_context_menu_set_fill (ssui_commands_fill_menu);
  gtk_window_set_default_icon_name (SSUI_APP_ID);
  gtk_source_init ();
  ssui_guard_clicks ();
}

static void
ssui_application_class_init (SsuiApplicationClass *class)
{
  G_APPLICATION_CLASS (class)->startup = ssui_application_startup;
  G_APPLICATION_CLASS (class)->activate = ssui_application_activate;
  G_APPLICATION_CLASS (class)->open = ssui_application_open;
}

static void
ssui_application_init (SsuiApplication *self)
{
  (void)self;
}

SsuiApplication *
ssui_application_new (void)
{
  return g_object_new (SSUI_TYPE_APPLICATION, "application-id", SSUI_APP_ID, "flags", G_APPLICATION_HANDLES_OPEN,
                       "resource-base-path", SSUI_RESOURCE_PATH, NULL);
}
