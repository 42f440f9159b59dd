/* ui/window/ssui-commands.c: see the header. */
#include "ui/window/ssui-commands.h"

#include "ui/window/ssui-fit-window.h"
#include "ui/window/ssui-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* A section is a page of the list: GTK 4.8 mixes the order of groups where a section needs several. */
static const struct {
  const char *section; /* NULL: that of the group before */
  const char *section_title, *title;
} groups[SSUI_N_KEYS] = {
    [SSUI_KEYS_GENERAL] = {"general", N_ ("Window"), N_ ("General")},
    [SSUI_KEYS_FIT] = {NULL, NULL, N_ ("Fit to Measured Motions")},
    [SSUI_KEYS_PLAY] = {"runs", N_ ("Runs"), N_ ("Run and Play")},
    [SSUI_KEYS_IMPACT] = {"impact", N_ ("Impact"), N_ ("Impact")},
    [SSUI_KEYS_TOOLS] = {"sketch", N_ ("Sketch"), N_ ("Sketch Tools")},
    [SSUI_KEYS_SEVERAL] = {"edit", N_ ("Editing"), N_ ("Several Objects")},
    [SSUI_KEYS_PLACEMENT] = {NULL, NULL, N_ ("Exact Placement")},
    [SSUI_KEYS_SKETCH] = {NULL, NULL, N_ ("Sketch")},
};

enum { ROWS = 15 }; /* of a column of the list */

/* Commands of the program, and of the window that are no rows of its subjects. */
static const SsuiKey others[] = {{SSUI_KEYS_GENERAL, N_ ("New window"), "<Control><Shift>n", "app.new-window"},
                                 {SSUI_KEYS_GENERAL, N_ ("This list"), "<Control>question", "win.show-help-overlay"},
                                 {SSUI_KEYS_GENERAL, N_ ("Quit"), "<Control>q", "app.quit"},
                                 {0}};

/* ---- accelerators ------------------------------------------------------------------------------------------------ */

static void
set_keys (GtkApplication *application, const char *action, const char *keys)
{
  g_auto (GStrv) list = g_strsplit (keys, " ", -1);

  gtk_application_set_accels_for_action (application, action, (const char *const *)list);
}

void
ssui_commands_set_keys (GtkApplication *application)
{
  for (int s = 0; ssui_subjects[s] != NULL; s++)
    for (int i = 0; i < ssui_subjects[s]->n_commands; i++) {
      const SsuiCommand *command = &ssui_subjects[s]->commands[i];
      g_autofree char *action =
          g_strconcat ("win.", command->name, command->target != NULL ? command->target : "", NULL);
      if (command->keys != NULL)
        set_keys (application, action, command->keys);
    }
  for (int i = 1; ssui_pages[i] != NULL; i++) { /* not the start page */
    g_autofree char *action = g_strdup_printf ("win.page::%s", ssui_pages[i]->name),
                    *keys = g_strdup_printf ("<Alt>%d", i);
    set_keys (application, action, keys);
  }
  for (const SsuiKey *row = others; row->keys != NULL; row++)
    set_keys (application, row->action, row->keys);
}

/* ---- menus ------------------------------------------------------------------------------------------------------- */

/* NULL: no command of that name has one. */
static const char *
find_label (const char *action)
{
  for (int s = 0; ssui_subjects[s] != NULL; s++)
    for (int i = 0; i < ssui_subjects[s]->n_commands; i++)
      if (strcmp (ssui_subjects[s]->commands[i].name, action + strlen ("win.")) == 0)
        return _ (ssui_subjects[s]->commands[i].label);
  return NULL;
}

void
ssui_commands_name (GMenu *menu)
{
  GMenuModel *lines = G_MENU_MODEL (menu);

  for (int i = 0; i < g_menu_model_get_n_items (lines); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (lines, i, G_MENU_LINK_SECTION);
    g_autoptr (GMenuItem) item = g_menu_item_new_from_model (lines, i);
    g_autofree char *action = NULL, *label = NULL;
    if (section != NULL)
      ssui_commands_name (G_MENU (section));
    if (g_menu_model_get_item_attribute (lines, i, G_MENU_ATTRIBUTE_LABEL, "s", &label) ||
        !g_menu_model_get_item_attribute (lines, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
      continue;
    g_assert (find_label (action) != NULL);
    g_menu_item_set_label (item, find_label (action));
    g_menu_remove (menu, i);
    g_menu_insert_item (menu, i, item);
  }
}

void
ssui_commands_fill_menu (GMenu *lines, SsuiMenuGroup group, GVariant *target)
{
  for (int s = 0; ssui_subjects[s] != NULL; s++)
    for (int i = 0; i < ssui_subjects[s]->n_commands; i++) {
      const SsuiCommand *command = &ssui_subjects[s]->commands[i];
      if ((command->menus & group) == 0)
        continue;
      g_autofree char *action =
          g_strconcat ("win.", command->name, target == NULL && command->target != NULL ? command->target : "", NULL);
      g_autoptr (GMenuItem) item = g_menu_item_new (_ (command->label), target == NULL ? action : NULL);
      if (target != NULL)
        g_menu_item_set_action_and_target_value (item, action, target);
      g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
      g_menu_append_item (lines, item);
    }
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static void
add_property (GString *xml, const char *name, const char *value)
{
  g_autofree char *text = g_markup_printf_escaped ("<property name=\"%s\">%s</property>", name, value);

  g_string_append (xml, text);
}

static void
add_row (GString *xml, const char *title, const char *keys)
{
  g_string_append (xml, "<child><object class=\"GtkShortcutsShortcut\">");
  add_property (xml, "title", title);
  add_property (xml, "accelerator", keys);
  g_string_append (xml, "</object></child>");
}

/* Those of a group. A row without a title belongs to the one before. */
static void
add_rows (GString *xml, const SsuiKey *rows, SsuiKeyGroup group)
{
  for (const SsuiKey *row = rows; row != NULL && row->keys != NULL; row++) {
    g_autoptr (GString) keys = g_string_new (row->keys);
    if (row->group != group || row->title == NULL || *row->title == '\0')
      continue;
    for (const SsuiKey *more = row + 1; more->keys != NULL && more->title == NULL; more++)
      g_string_append_printf (keys, " %s", more->keys);
    add_row (xml, _ (row->title), keys->str);
  }
}

static void
add_pages (GString *xml)
{
  g_autofree char *keys = NULL;
  int last = 0; /* the start page, which has no key */

  while (ssui_pages[last + 1] != NULL)
    last++;
  keys = g_strdup_printf ("<Alt>1...%d", last);
  add_row (xml, _ ("Pages"), keys);
}

static void
add_group (GString *xml, SsuiKeyGroup group)
{
  for (int s = 0; ssui_subjects[s] != NULL; s++) {
    for (int i = 0; i < ssui_subjects[s]->n_commands; i++) {
      const SsuiCommand *command = &ssui_subjects[s]->commands[i];
      if (command->title != NULL && command->group == group)
        add_row (xml, _ (command->title), command->keys);
    }
    add_rows (xml, ssui_subjects[s]->keys, group);
  }
  for (int i = 0; ssui_pages[i] != NULL; i++)
    add_rows (xml, ssui_pages[i]->keys, group);
  if (group == SSUI_KEYS_GENERAL)
    add_pages (xml);
  add_rows (xml, ssui_fit_keys, group);
  add_rows (xml, others, group);
}

/* The list of keys as a file of GtkBuilder: GtkShortcutsSection takes no children otherwise before GTK 4.14. */
static char *
overlay_xml (void)
{
  GString *xml = g_string_new ("<interface><object class=\"GtkShortcutsWindow\" id=\"help_overlay\">"
                               "<property name=\"modal\">True</property>");

  for (SsuiKeyGroup g = 0; g < SSUI_N_KEYS; g++) {
    if (groups[g].section != NULL) {
      g_string_append (xml, g > 0 ? "</object></child>" : "");
      g_string_append (xml, "<child><object class=\"GtkShortcutsSection\">");
      add_property (xml, "section-name", groups[g].section);
      add_property (xml, "title", _ (groups[g].section_title));
      g_string_append_printf (xml, "<property name=\"max-height\">%d</property>", ROWS);
    }
    g_string_append (xml, "<child><object class=\"GtkShortcutsGroup\">");
    add_property (xml, "title", _ (groups[g].title));
    add_group (xml, g);
    g_string_append (xml, "</object></child>");
  }
  g_string_append (xml, "</object></child></object></interface>");
  return g_string_free (xml, FALSE);
}

/* GTK's own toggle for its search has an icon alone. */
static void
give_search_a_tip (GtkWidget *widget)
{
  if (GTK_IS_TOGGLE_BUTTON (widget) && gtk_widget_has_css_class (widget, "image-button"))
    gtk_widget_set_tooltip_text (widget, _ ("Search the shortcuts"));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    give_search_a_tip (child);
}

static void
on_show_list (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autofree char *xml = overlay_xml ();
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_string (xml, -1);
  GtkWindow *list = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  (void)action;
  (void)parameter;
  give_search_a_tip (GTK_WIDGET (list));
  gtk_window_set_transient_for (list, window);
  gtk_window_present (list);
}

void
ssui_commands_add_list (GtkApplicationWindow *window)
{
  static const GActionEntry entry = {.name = "show-help-overlay", .activate = on_show_list};

  g_action_map_add_action_entries (G_ACTION_MAP (window), &entry, 1, window);
  for (const SsuiKey *row = others; row->keys != NULL; row++)
    g_assert (g_str_has_prefix (row->action, "app.") ||
              g_action_map_lookup_action (G_ACTION_MAP (window), row->action + strlen ("win.")) != NULL);
}
