/* ui/window/ssui-window-pages.c: the list of pages, in the order of their tabs and keys, and what they have. The lowest
 * file of the window. */
#include "ui/window/ssui-window-private.h"

#include <glib/gi18n.h>
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

static GtkWidget *
place_of (SsuiWindow *self, const SsuiPage *page)
{
  return page->is_start ? gtk_stack_get_child_by_name (self->mode, page->name)
                        : adw_view_stack_get_child_by_name (self->pages, page->name);
}

static void
on_seen (GtkWidget *place, gpointer page)
{
  ssui_window_get_widget ((gpointer)gtk_widget_get_root (place), page);
}

void
ssui_window_add_pages (SsuiWindow *self)
{
  for (int i = 0; ssui_pages[i] != NULL; i++) {
    const SsuiPage *page = ssui_pages[i];
    GtkWidget *place = adw_bin_new ();
    if (page->is_start)
      gtk_stack_add_named (self->mode, place, page->name);
    else
      adw_view_stack_add_titled_with_icon (self->pages, place, page->name, _ (page->title), page->icon);
    g_signal_connect (place, "map", G_CALLBACK (on_seen), (gpointer)page);
  }
  gtk_stack_set_visible_child_name (self->mode, ssui_pages[0]->name);
}

GtkWidget *
ssui_window_find_widget (SsuiWindow *self, const SsuiPage *page)
{
  return adw_bin_get_child (ADW_BIN (place_of (self, page)));
}

GtkWidget *
ssui_window_get_widget (SsuiWindow *self, const SsuiPage *page)
{
  GtkWidget *widget = ssui_window_find_widget (self, page);

  if (widget != NULL)
    return widget;
  widget = g_object_new (page->get_type (), "visible", FALSE, NULL); /* it is not seen before it knows the session */
  adw_bin_set_child (ADW_BIN (place_of (self, page)), widget);
  g_signal_emit_by_name (self, "page-made", page);
  gtk_widget_set_visible (widget, TRUE);
  return widget;
}

const SsuiPage *
ssui_window_get_page (SsuiWindow *self)
{
  const SsuiPage *start = ssui_page_find (gtk_stack_get_visible_child_name (self->mode));

  return start != NULL ? start : ssui_page_find (adw_view_stack_get_visible_child_name (self->pages));
}

/* ---- what they have ---------------------------------------------------------------------------------------------- */

static SsuiPageParts
parts_of (const SsuiPage *page, GtkWidget *widget)
{
  return page->get_parts != NULL && widget != NULL ? page->get_parts (widget) : (SsuiPageParts){0};
}

SsuiPageParts
ssui_window_get_parts (SsuiWindow *self, const SsuiPage *page)
{
  return parts_of (page, ssui_window_get_widget (self, page));
}

SsuiPageParts
ssui_window_find_parts (SsuiWindow *self, const SsuiPage *page)
{
  return parts_of (page, ssui_window_find_widget (self, page));
}

SsuiPageParts
ssui_window_get_shown (SsuiWindow *self)
{
  return ssui_window_find_parts (self, ssui_window_get_page (self));
}

SsuiPageParts
ssui_window_get_plots (SsuiWindow *self)
{
  const SsuiPageParts shown = ssui_window_get_shown (self);

  return shown.plot_choice != NULL ? shown : ssui_window_get_parts (self, &ssui_run_page);
}

SsuiPageParts
ssui_window_get_list (SsuiWindow *self)
{
  const SsuiPageParts shown = ssui_window_get_shown (self);

  return shown.table != NULL ? shown : ssui_window_get_parts (self, &ssui_project_page);
}

SsuiCanvas *
ssui_window_get_canvas (SsuiWindow *self)
{
  return ssui_window_get_parts (self, &ssui_sketch_page).canvas;
}

SsuiPlayer *
ssui_window_get_player (SsuiWindow *self)
{
  return ssui_window_get_shown (self).player;
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
