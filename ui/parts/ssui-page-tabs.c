/* ui/parts/ssui-page-tabs.c: see the header. Tests: tests/ui/test_header.py */
#include "ui/parts/ssui-page-tabs.h"

#include "ui/parts/ssui-util.h"

#include <string.h>

struct _SsuiPageTabs {
  GtkWidget parent_instance;
  AdwViewStack *stack; /* weak */
};

G_DEFINE_FINAL_TYPE (SsuiPageTabs, ssui_page_tabs, GTK_TYPE_WIDGET)

static void
show_page (SsuiPageTabs *self)
{
  const char *page = adw_view_stack_get_visible_child_name (self->stack);

  for (GtkWidget *tab = gtk_widget_get_first_child (GTK_WIDGET (self)); tab != NULL;
       tab = gtk_widget_get_next_sibling (tab)) {
    const gboolean is_shown = g_strcmp0 (g_object_get_data (G_OBJECT (tab), "page"), page) == 0;
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tab), is_shown);
    gtk_accessible_update_state (GTK_ACCESSIBLE (tab), GTK_ACCESSIBLE_STATE_SELECTED, is_shown, -1);
  }
}

static GtkWidget *
make_tab (AdwViewStackPage *page)
{
  const char *name = adw_view_stack_page_get_name (page), *title = adw_view_stack_page_get_title (page);
  GtkWidget *tab = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "accessible-role", GTK_ACCESSIBLE_ROLE_TAB, NULL),
            *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (adw_view_stack_page_get_icon_name (page)));
  gtk_box_append (GTK_BOX (box), gtk_label_new (title));
  gtk_button_set_child (GTK_BUTTON (tab), box);
  gtk_widget_add_css_class (tab, "flat");
  gtk_widget_set_focus_on_click (tab, FALSE); /* keys go on where they went */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (tab), "win.page");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (tab), "s", name);
  ssui_set_label (tab, title);
  g_object_set_data_full (G_OBJECT (tab), "page", g_strdup (name), g_free);
  return tab;
}

void
ssui_page_tabs_set_stack (SsuiPageTabs *self, AdwViewStack *stack)
{
  g_autoptr (GtkSelectionModel) pages = adw_view_stack_get_pages (stack);

  g_return_if_fail (SSUI_IS_PAGE_TABS (self) && self->stack == NULL);
  g_set_weak_pointer (&self->stack, stack);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++) {
    g_autoptr (AdwViewStackPage) page = g_list_model_get_item (G_LIST_MODEL (pages), i);
    gtk_widget_set_parent (make_tab (page), GTK_WIDGET (self));
  }
  g_signal_connect_object (stack, "notify::visible-child", G_CALLBACK (show_page), self, G_CONNECT_SWAPPED);
  show_page (self);
}

void
ssui_page_tabs_show (SsuiPageTabs *self, SsuiTabsShow what)
{
  g_return_if_fail (SSUI_IS_PAGE_TABS (self));
  if (what == SSUI_TABS_BOTH)
    gtk_widget_remove_css_class (GTK_WIDGET (self), "words-alone");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self), "words-alone");
  for (GtkWidget *tab = gtk_widget_get_first_child (GTK_WIDGET (self)); tab != NULL;
       tab = gtk_widget_get_next_sibling (tab)) {
    GtkWidget *icon = gtk_widget_get_first_child (gtk_button_get_child (GTK_BUTTON (tab))),
              *word = gtk_widget_get_next_sibling (icon);
    gtk_widget_set_visible (icon, what != SSUI_TABS_WORDS);
    gtk_widget_set_visible (word, what != SSUI_TABS_ICONS);
    gtk_widget_set_tooltip_text (tab, what == SSUI_TABS_ICONS ? gtk_label_get_text (GTK_LABEL (word)) : NULL);
  }
}

int
ssui_page_tabs_get_room (SsuiPageTabs *self)
{
  int natural = 0;

  g_return_val_if_fail (SSUI_IS_PAGE_TABS (self), 0);
  for (GtkWidget *tab = gtk_widget_get_first_child (GTK_WIDGET (self)); tab != NULL;
       tab = gtk_widget_get_next_sibling (tab)) {
    int usual;
    gtk_widget_measure (tab, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &usual, NULL, NULL);
    natural += usual;
  }
  return natural;
}

/* As little as there is: the window may become smaller than its tabs are, and then has others. */
static void
ssui_page_tabs_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  (void)for_size;
  *minimum = *natural = 0;
  *minimum_baseline = *natural_baseline = -1;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *natural = ssui_page_tabs_get_room (SSUI_PAGE_TABS (widget));
    return;
  }
  for (GtkWidget *tab = gtk_widget_get_first_child (widget); tab != NULL; tab = gtk_widget_get_next_sibling (tab)) {
    int usual;
    gtk_widget_measure (tab, orientation, -1, NULL, &usual, NULL, NULL);
    *minimum = *natural = MAX (*natural, usual);
  }
}

static void
ssui_page_tabs_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  int x = 0;

  (void)width;
  for (GtkWidget *tab = gtk_widget_get_first_child (widget); tab != NULL; tab = gtk_widget_get_next_sibling (tab)) {
    int usual;
    gtk_widget_measure (tab, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &usual, NULL, NULL);
    gtk_widget_size_allocate (tab, &(GtkAllocation){x, 0, usual, height}, baseline);
    x += usual;
  }
}

static void
ssui_page_tabs_dispose (GObject *object)
{
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_weak_pointer (&SSUI_PAGE_TABS (object)->stack);
  G_OBJECT_CLASS (ssui_page_tabs_parent_class)->dispose (object);
}

static void
ssui_page_tabs_class_init (SsuiPageTabsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_page_tabs_dispose;
  GTK_WIDGET_CLASS (class)->measure = ssui_page_tabs_measure;
  GTK_WIDGET_CLASS (class)->size_allocate = ssui_page_tabs_size_allocate;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_TAB_LIST);
}

static void
ssui_page_tabs_init (SsuiPageTabs *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (GTK_WIDGET (self), "page-tabs");
}
