/* ui/window/ssui-window-header.c: the one header of all pages: what it holds depends on the window's width alone, so
 * that
 * nothing in it moves. Left: open, undo, redo, name over project; in the middle the pages; right: one action, the next
 * sensible one, the menu. Tests: tests/ui/test_header.py */
#include "ui/window/ssui-window-private.h"

#include "ui/parts/ssui-util.h"
#include "ui/window/ssui-commands.h"

#include <glib/gi18n.h>
#include <string.h>

/* px of the window */
#define ICONS_FROM 1120 /* tabs with icons; undo and redo beside them */
#define TABS_FROM  760  /* below it the pages are in a bar at the bottom */
/* px */
#define NAME_MOST  208
#define NAME_LEAST 40
#define SLOT_WIDE  132
#define SLOT_SMALL 92
#define BESIDES    36 /* margins of the header and gaps between its parts */

#define ROOM_KEY "room" /* of the name: px */

static void
measure_place (GtkWidget *place, GtkOrientation orientation, int for_size, int *minimum, int *natural,
               int *minimum_baseline, int *natural_baseline)
{
  (void)for_size;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = NAME_LEAST; /* the window may be made smaller, then the room follows */
    *natural = MAX (NAME_LEAST, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (place), ROOM_KEY)));
  } else
    gtk_widget_measure (gtk_widget_get_first_child (place), orientation, -1, minimum, natural, NULL, NULL);
  *minimum_baseline = *natural_baseline = -1;
}

static void
allocate_place (GtkWidget *place, int width, int height, int baseline)
{
  gtk_widget_size_allocate (gtk_widget_get_first_child (place), &(GtkAllocation){0, 0, width, height}, baseline);
}

void
ssui_window_init_header (SsuiWindow *self)
{
  gtk_widget_set_layout_manager (self->place, gtk_custom_layout_new (NULL, measure_place, allocate_place));
  ssui_page_tabs_set_stack (self->tabs, self->pages);
  ssui_window_update_header (self);
}

static int
natural_width (GtkWidget *widget)
{
  int natural = 0;

  if (gtk_widget_get_visible (widget))
    gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* The header's width without tabs and name. */
static int
around_tabs (SsuiWindow *self)
{
  GtkWidget *end = gtk_widget_get_parent (self->slot); /* of the header, with the window's buttons */

  return natural_width (self->open) + natural_width (self->edit_buttons) + natural_width (end) + BESIDES;
}

static gboolean
has_room_for_tabs (SsuiWindow *self, int width)
{
  return ssui_page_tabs_get_room (self->tabs) + NAME_LEAST + around_tabs (self) <= width;
}

/* What the others leave, whatever is written there. */
static void
give_name_room (SsuiWindow *self, int width)
{
  const int others = natural_width (GTK_WIDGET (self->tabs)) + around_tabs (self),
            room = CLAMP (width - others, NAME_LEAST, NAME_MOST);

  g_object_set_data (G_OBJECT (self->place), ROOM_KEY, GINT_TO_POINTER (room));
  gtk_widget_queue_resize (self->place);
}

/* The word alone: icons of buttons' contents have no property of their own. */
static void
show_icons (GtkWidget *widget, gboolean has_icons)
{
  if (GTK_IS_IMAGE (widget))
    gtk_widget_set_visible (widget, has_icons);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    show_icons (child, has_icons);
}

static void
append_if_usable (GMenu *menu, const char *action)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (NULL, action);

  g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
  g_menu_append_item (menu, item);
}

void
ssui_window_update_header (SsuiWindow *self)
{
  const gboolean is_start = ssui_window_get_page (self)->is_start;
  const int given = gtk_widget_get_width (GTK_WIDGET (self));
  int width, height; /* GTK asks for both */

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (given > 0)
    width = given;
  const gboolean has_icons = width >= ICONS_FROM;

  gtk_widget_set_visible (self->start_title, is_start);
  gtk_widget_set_visible (self->open, !is_start);
  gtk_widget_set_visible (self->edit_buttons, !is_start && has_icons);
  gtk_widget_set_visible (self->place, !is_start);
  gtk_widget_set_visible (self->slot, !is_start);
  gtk_widget_set_size_request (self->slot, has_icons ? SLOT_WIDE : SLOT_SMALL, -1);
  if (has_icons)
    gtk_widget_remove_css_class (self->slot, "words-alone");
  else
    gtk_widget_add_css_class (self->slot, "words-alone");
  show_icons (self->slot, has_icons);
  /* Words of another language may be longer than there is room for: the icons keep the tabs' place. */
  ssui_page_tabs_show (self->tabs, has_icons ? SSUI_TABS_BOTH : SSUI_TABS_WORDS);
  if (!has_room_for_tabs (self, width))
    ssui_page_tabs_show (self->tabs, SSUI_TABS_ICONS);
  const gboolean has_tabs = width >= TABS_FROM && has_room_for_tabs (self, width);
  gtk_widget_set_visible (GTK_WIDGET (self->tabs), !is_start && has_tabs);
  adw_view_switcher_bar_set_reveal (self->switcher_bar, !is_start && !has_tabs);
  g_menu_remove_all (self->edit_menu);
  if (!has_icons) {
    append_if_usable (self->edit_menu, "win.undo");
    append_if_usable (self->edit_menu, "win.redo");
    ssui_commands_name (self->edit_menu);
  }
  give_name_room (self, width);
}

/* ---- the one action ---------------------------------------------------------------------------------------------- */

static const char *
next_action (SsuiWindow *self)
{
  const SsuiPage *page = ssui_window_get_page (self);

  if (ssapp_session_is_running (self->session) && ssui_page_own_command (page, "run") == NULL)
    return "run";
  return page->next != NULL ? page->next : "act";
}

/* What is done with the sketch on every page. */
static gboolean
solves (SsuiWindow *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (ssui_window_get_document (self));

  return scenario->scene == NULL || scenario->task.plan != NULL;
}

static void
name_button (GtkWidget *button, AdwButtonContent *content, const char *label, const char *icon)
{
  adw_button_content_set_label (content, label);
  adw_button_content_set_icon_name (content, icon);
  ssui_set_label (button, label);
}

static void
name_act (SsuiWindow *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (ssui_window_get_document (self));
  const gboolean is_running = ssapp_session_is_running (self->session),
                 is_paused = ssapp_session_is_paused (self->session);
  const char *label = solves (self) ? _ ("Solve") : _ ("Simulate"),
             *icon = solves (self) ? "ss-goal-symbolic" : "media-playback-start-symbolic",
             *action = scenario->scene != NULL && solves (self) ? "win.run" : "win.simulate";

  if (g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (self->act)), action) != 0)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (self->act), action);
  name_button (self->act, self->act_content, label, icon);
  const char *run_action = is_paused ? "win.pause" : "win.run-or-cancel";
  if (g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (self->run)), run_action) != 0)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (self->run), run_action);
  if (is_paused)
    name_button (self->run, self->run_content, _ ("Go On"), "media-playback-start-symbolic");
  else
    name_button (self->run, self->run_content, is_running ? _ ("Stop All") : label,
                 is_running ? "media-playback-stop-symbolic" : icon);
}

void
ssui_window_update_slot (SsuiWindow *self)
{
  const char *shown = next_action (self);

  name_act (self);
  for (GtkWidget *button = gtk_widget_get_first_child (self->slot); button != NULL;
       button = gtk_widget_get_next_sibling (button))
    gtk_widget_set_visible (button, strcmp (gtk_buildable_get_buildable_id (GTK_BUILDABLE (button)), shown) == 0);
  show_icons (self->slot, !gtk_widget_has_css_class (self->slot, "words-alone"));
}
