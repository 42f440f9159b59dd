/* ui/window/ssui-window-actions.c: the window's commands, for buttons, menus, keys and scripts alike: the list
 * of their subjects, and those of pages and the window itself. */
#include "ui/window/ssui-window-private.h"

#include "ui/canvas/ssui-regions.h"

#include <glib/gi18n.h>

ACTION (on_page)
{
  const char *page = g_variant_get_string (parameter, NULL);
  (void)action;
  if (ssui_page_find (page) != NULL)
    ssui_window_show_page (data, page);
}

ACTION (on_find)
{
  SsuiWindow *self = data;
  GtkWidget *search;
  UNUSED_ACTION;
  if (ssui_window_find_in_text (self))
    return;
  search = ssui_window_get_shown (self).search;
  if (search == NULL) {
    ssui_window_show_page (self, "project");
    search = ssui_window_get_list (self).search;
  }
  gtk_widget_grab_focus (search);
}

ACTION (on_region)
{
  (void)action;
  ssui_focus_region (data, g_variant_get_int32 (parameter) < 0 ? -1 : 1);
}

ACTION (on_close)
{
  UNUSED_ACTION;
  gtk_window_close (data);
}

static const SsuiCommand commands[] = {
    {.name = "page", .activate = on_page, .parameter_type = "s" /* start|sketch|run|compare|impact|study|project */},
    {.name = "find",
     .activate = on_find,
     .keys = "<Control>f",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Search examples, runs")},
    {.name = "region",
     .activate = on_region,
     .parameter_type = "i" /* 1|-1 */,
     .keys = "F6",
     .target = "(1)",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Next region")},
    {.name = "region",
     .keys = "<Shift>F6",
     .target = "(-1)",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Region before")},
    {.name = "close",
     .activate = on_close,
     .keys = "<Control>w",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Close window")},
    {.name = "outline", .keys = "F9", .group = SSUI_KEYS_SKETCH, .title = N_ ("Outline"), .label = N_ ("Outline")},
    {.name = "inspector",
     .keys = "<Shift>F9",
     .group = SSUI_KEYS_SKETCH,
     .title = N_ ("Inspector"),
     .label = N_ ("Inspector")},
    {.name = "live-plots",
     .keys = "<Control>F9",
     .group = SSUI_KEYS_SKETCH,
     .title = N_ ("Live plots"),
     .label = N_ ("Live Plots")},
    {.name = "sandbox-improve",
     .keys = "<Control>i",
     .group = SSUI_KEYS_SKETCH,
     .title = N_ ("Improve what was played in the sandbox")},
};

static const SsuiSubject own_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};

const SsuiSubject *const ssui_subjects[] = {&ssui_file_commands,
                                            &ssui_export_commands,
                                            &own_commands,
                                            &ssui_start_commands,
                                            &ssui_edit_commands,
                                            &ssui_contact_commands,
                                            &ssui_place_commands,
                                            &ssui_picture_commands,
                                            &ssui_selection_commands,
                                            &ssui_shape_commands,
                                            &ssui_impact_commands,
                                            &ssui_study_commands,
                                            &ssui_motion_commands,
                                            &ssui_log_commands,
                                            &ssui_welcome_commands,
                                            &ssui_sketch_commands,
                                            &ssui_run_commands,
                                            &ssui_smaller_commands,
                                            &ssui_away_commands,
                                            &ssui_method_commands,
                                            &ssui_reference_commands,
                                            &ssui_channel_commands,
                                            &ssui_text_commands,
                                            &ssui_provenance_commands,
                                            NULL};

static void
add_command (SsuiWindow *self, const SsuiCommand *command)
{
  const GActionEntry entry = {.name = command->name,
                              .activate = command->activate,
                              .parameter_type = command->parameter_type,
                              .state = command->state,
                              .change_state = command->change_state};

  if (command->activate != NULL || command->change_state != NULL)
    g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
}

void
ssui_window_add_actions (SsuiWindow *self)
{
  for (int s = 0; ssui_subjects[s] != NULL; s++) {
    for (int i = 0; i < ssui_subjects[s]->n_commands; i++)
      add_command (self, &ssui_subjects[s]->commands[i]);
    if (ssui_subjects[s]->set_up != NULL)
      ssui_subjects[s]->set_up (self);
  }
}

void
ssui_window_add_page_actions (SsuiWindow *self, const SsuiPage *page)
{
  GtkWidget *sheet = ssui_window_find_parts (self, page).sheet;

  if (page->add_actions != NULL)
    page->add_actions (ssui_window_find_widget (self, page), G_ACTION_MAP (self));
  for (int s = 0; sheet != NULL && ssui_subjects[s] != NULL; s++)
    if (ssui_subjects[s]->keys != NULL)
      ssui_keys_attach (sheet, ssui_subjects[s]->keys, TRUE);
}

void
ssui_window_update_actions (SsuiWindow *self)
{
  for (int s = 0; ssui_subjects[s] != NULL; s++)
    for (int i = 0; i < ssui_subjects[s]->n_commands; i++) {
      const SsuiCommand *command = &ssui_subjects[s]->commands[i];
      if (command->when != NULL)
        g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), command->name)),
                                     command->when (self));
    }
}
