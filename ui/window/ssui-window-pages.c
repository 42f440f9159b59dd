/* ui/window/ssui-window-pages.c: the list of pages, in the order of their tabs and keys, and what they have. The lowest
 * file of the window. */
#include "ui/window/ssui-window-private.h"

#include <string.h>

const SsuiPage *const ssui_pages[] = {&ssui_start_page,  &ssui_sketch_page, &ssui_run_page,     &ssui_compare_page,
                                      &ssui_impact_page, &ssui_study_page,  &ssui_project_page, NULL};

const SsuiPage *
ssui_page_find (const char *name)
{
  for (int i = 0; ssui_pages[i] != NULL; i++)
    if (strcmp (ssui_pages[i]->name, name) == 0)
      return ssui_pages[i];
  return NULL;
}

void
ssui_window_add_pages (SsuiWindow *self)
{
  for (int i = 0; ssui_pages[i] != NULL; i++) {
    const SsuiPage *page = ssui_pages[i];
    GtkWidget *widget = g_object_new (page->get_type (), NULL);
    if (page->is_start)
      gtk_stack_add_named (self->mode, widget, page->name);
    else
      adw_view_stack_add_titled_with_icon (self->pages, widget, page->name, page->title, page->icon);
  }
  gtk_stack_set_visible_child_name (self->mode, ssui_pages[0]->name);
}

GtkWidget *
ssui_window_get_widget (SsuiWindow *self, const SsuiPage *page)
{
  return page->is_start ? gtk_stack_get_child_by_name (self->mode, page->name)
                        : adw_view_stack_get_child_by_name (self->pages, page->name);
}

const SsuiPage *
ssui_window_get_page (SsuiWindow *self)
{
  const SsuiPage *start = ssui_page_find (gtk_stack_get_visible_child_name (self->mode));

  return start != NULL ? start : ssui_page_find (adw_view_stack_get_visible_child_name (self->pages));
}

/* ---- what they have ---------------------------------------------------------------------------------------------- */

SsuiPageParts
ssui_window_get_parts (SsuiWindow *self, const SsuiPage *page)
{
  return page->get_parts != NULL ? page->get_parts (ssui_window_get_widget (self, page)) : (SsuiPageParts){0};
}

SsuiPageParts
ssui_window_get_plots (SsuiWindow *self)
{
  const SsuiPageParts parts = ssui_window_get_parts (self, ssui_window_get_page (self));

  return parts.plot_choice != NULL ? parts : ssui_window_get_parts (self, &ssui_run_page);
}

SsuiPageParts
ssui_window_get_list (SsuiWindow *self)
{
  const SsuiPageParts parts = ssui_window_get_parts (self, ssui_window_get_page (self));

  return parts.table != NULL ? parts : ssui_window_get_parts (self, &ssui_project_page);
}

SsuiCanvas *
ssui_window_get_canvas (SsuiWindow *self)
{
  return ssui_window_get_parts (self, &ssui_sketch_page).canvas;
}

SsuiPlayer *
ssui_window_get_player (SsuiWindow *self)
{
  return ssui_window_get_parts (self, ssui_window_get_page (self)).player;
}

SsuiClock *
ssui_window_get_clock (SsuiWindow *self)
{
  SsuiPlayer *player = ssui_window_get_player (self);

  return player != NULL ? ssui_player_get_clock (player) : NULL;
}

const char *
ssui_page_own_command (const SsuiPage *page, const char *command)
{
  for (const SsuiPageCommand *row = page->commands; row != NULL && row->command != NULL; row++)
    if (strcmp (row->command, command) == 0)
      return row->own;
  return NULL;
}

gboolean
ssui_window_pass_on (SsuiWindow *self, const char *command)
{
  const char *own = ssui_page_own_command (ssui_window_get_page (self), command);

  if (own != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self), own, NULL);
  return own != NULL;
}
