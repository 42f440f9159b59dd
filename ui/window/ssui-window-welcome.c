/* ui/window/ssui-window-welcome.c: what helps people in: tutorials, help, preferences, files to open again. What the
 * tutorials are: app/session/ssapp-tutorial.h; the words of the help: data/manual. Tests: tests/ui/test_welcome.py */
#include "ui/window/ssui-window-private.h"

#include "app/export/ssapp-help.h"
#include "ui/parts/ssui-recent.h"
#include "ui/parts/ssui-util.h"
#include "ui/window/ssui-help-window.h"
#include "ui/window/ssui-preferences.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { RECENT_SHOWN = 10 };

/* ---- tutorials --------------------------------------------------------------------------------------------------- */

static void
show_guide (SsuiWindow *self)
{
  const SsappTutorialStep *step = ssapp_guide_get_step (&self->guide);

  ssui_guide_bar_show (self->guide_bar, &self->guide);
  ssui_guide_bar_point_at (GTK_WIDGET (self), step != NULL ? step->action : NULL);
}

void
ssui_window_notice (SsuiWindow *self, SsappSessionPlace *place)
{
  if (self->guide.tutorial == NULL)
    return;
  SsappTutorialView view;
  ssapp_tutorial_look (self->session, place, &view);
  if (ssapp_guide_notice (&self->guide, &view))
    show_guide (self);
  place->tutorial = self->guide.tutorial->name;
  place->tutorial_step = self->guide.step;
}

/* The sketch that it begins with is there now. */
static void
begin_tutorial (SsuiWindow *self, const char *name)
{
  const SsappTutorial *tutorial = ssapp_tutorial_find (name);

  if (tutorial->example != NULL)
    ssui_window_open_example (self, tutorial->example);
  else
    ssui_window_new_sketch (self);
  ssapp_guide_start (&self->guide, tutorial);
  show_guide (self);
  ssui_window_queue_state (self);
}

ACTION (on_tutorial)
{
  const char *name = g_variant_get_string (parameter, NULL);
  (void)action;
  if (ssapp_tutorial_find (name) == NULL) {
    g_autofree char *message = g_strdup_printf (_ ("There is no tutorial “%s”"), name);
    ssui_window_fail (data, "", message);
    return;
  }
  ssui_window_after_saving (data, begin_tutorial, name);
}

ACTION (on_tutorial_skip)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  ssapp_guide_skip (&self->guide);
  show_guide (self);
  ssui_window_queue_state (self);
}

ACTION (on_tutorial_end)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  ssapp_guide_start (&self->guide, NULL);
  show_guide (self);
  ssui_window_queue_state (self);
}

/* ---- help -------------------------------------------------------------------------------------------------------- */

ACTION (on_help)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  g_autofree char *page = g_strconcat ("window/", ssui_window_get_page (self)->name, NULL);
  ssui_help_window_present (GTK_WINDOW (self), page);
}

ACTION (on_manual)
{
  (void)action;
  ssui_help_window_present (GTK_WINDOW (data), g_variant_get_string (parameter, NULL));
}

/* The pages that explain the window as one file. */
ACTION (on_print_help)
{
  g_autoptr (GPtrArray) all = ssapp_help_pages (), pages = ssapp_help_of_window (all);
  g_autoptr (GError) error = NULL;
  (void)action;
  if (ssapp_help_export_pdf ((const SsappHelpPage *const *)pages->pdata, (int)pages->len,
                             g_variant_get_string (parameter, NULL), &error))
    ssui_window_toast (data, _ ("Help printed to the file"));
  else
    ssui_window_fail (data, _ ("Not printed"), error->message);
}

/* ---- preferences ------------------------------------------------------------------------------------------------- */

ACTION (on_preferences)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  if (self->settings == NULL)
    ssui_window_fail (self, _ ("No preferences"),
                      _ ("The settings' schema is not installed, so that nothing can be remembered."));
  else
    ssui_preferences_present (GTK_WINDOW (self), self->settings);
}

static void
apply_style (GSettings *settings)
{
  g_autofree char *style = g_settings_get_string (settings, "style");

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      strcmp (style, "dark") == 0    ? ADW_COLOR_SCHEME_FORCE_DARK
                                      : strcmp (style, "light") == 0 ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                                                     : ADW_COLOR_SCHEME_DEFAULT);
}

static void
apply_time_limit (SsuiWindow *self)
{
  const double seconds = g_settings_get_double (self->settings, "time-limit");
  ssapp_session_set_time_limit (self->session, seconds > 0 ? seconds : INFINITY);
}

static void
on_setting_changed (GSettings *settings, const char *key, SsuiWindow *self)
{
  g_autoptr (GVariant) value = g_settings_get_value (settings, key);

  if (strcmp (key, "style") == 0)
    apply_style (settings);
  else if (strcmp (key, "time-limit") == 0)
    apply_time_limit (self);
  else if (strcmp (key, "snap-to-grid") == 0)
    g_action_group_change_action_state (G_ACTION_GROUP (self), "snap", value);
  else if (strcmp (key, "show-grid") == 0)
    g_action_group_change_action_state (G_ACTION_GROUP (self), "grid", value);
}

/* ---- files to open again ----------------------------------------------------------------------------------------- */

/* the menu of files to open again */
static void
ssui_window_update_recent (SsuiWindow *self)
{
  g_autoptr (GPtrArray) list = ssui_recent_list (RECENT_SHOWN);

  g_menu_remove_all (self->recent_menu);
  for (guint i = 0; i < list->len; i++) {
    const SsuiRecent *recent = g_ptr_array_index (list, i);
    g_auto (GStrv) parts = g_strsplit (recent->name, "_", -1);
    g_autofree char *label = g_strjoinv ("__", parts); /* an underscore would be a mnemonic */
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, "win.open", "s", recent->path);
    g_menu_append_item (self->recent_menu, item);
  }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static const SsuiCommand commands[] = {
    {.name = "tutorial", .activate = on_tutorial, .parameter_type = "s" /* name */},
    {.name = "tutorial-skip", .activate = on_tutorial_skip},
    {.name = "tutorial-end", .activate = on_tutorial_end},
    {.name = "preferences",
     .activate = on_preferences,
     .keys = "<Control>comma",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Preferences"),
     .label = N_ ("Preferences")},
    {.name = "help",
     .activate = on_help,
     .keys = "F1",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Help"),
     .label = N_ ("Help")},
    {.name = "manual", .activate = on_manual, .parameter_type = "s" /* page, as `stickslip-cli guide` names it */},
    {.name = "print-help", .activate = on_print_help, .parameter_type = "s" /* path */},
};

static void
set_up (SsuiWindow *self)
{
  int n;
  const SsappTutorial *tutorials = ssapp_tutorials (&n);

  for (int i = 0; i < n; i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (_ (tutorials[i].title), NULL);
    g_menu_item_set_action_and_target (item, "win.tutorial", "s", tutorials[i].name);
    g_menu_append_item (self->tutorials, item);
  }
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (ssui_window_update_recent), self,
                           G_CONNECT_SWAPPED);
  ssui_window_update_recent (self);
  if (self->settings == NULL)
    return;
  apply_style (self->settings);
  apply_time_limit (self);
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (on_setting_changed), self, 0);
}

const SsuiSubject ssui_welcome_commands = {commands, G_N_ELEMENTS (commands), set_up, NULL};
