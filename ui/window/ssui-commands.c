/* ui/window/ssui-commands.c: see the header. */
#include "ui/window/ssui-commands.h"

#include <string.h>

typedef enum { GENERAL, FIT, PLAY, IMPACT, TOOLS, SEVERAL, PLACEMENT, SKETCH, N_GROUPS } Group;

/* A section is a page of the list: GTK 4.8 mixes the order of groups where a section needs several. */
static const struct {
  const char *section; /* NULL: that of the group before */
  const char *section_title, *title;
} groups[N_GROUPS] = {
    [GENERAL] = {"general", "Window and Runs", "General"},
    [FIT] = {NULL, NULL, "Fit to Measured Motions"},
    [PLAY] = {NULL, NULL, "Run and Play"},
    [IMPACT] = {"impact", "Impact", "Impact"},
    [TOOLS] = {"sketch", "Sketch", "Sketch Tools"},
    [SEVERAL] = {"edit", "Editing", "Several Objects"},
    [PLACEMENT] = {NULL, NULL, "Exact Placement"},
    [SKETCH] = {NULL, NULL, "Sketch"},
};

enum { MOST_KEYS = 5, ROWS = 15 }; /* the last key is NULL; rows of a column of the list */

static const struct {
  Group group;
  const char *action; /* detailed name; NULL: the keys are those of a widget */
  const char *title;  /* in the list; NULL: not there */
  const char *keys[MOST_KEYS];
} commands[] = {
    {GENERAL, "win.new-sketch", "New sketch", {"<Control>n"}},
    {GENERAL, "win.open-dialog", "Open", {"<Control>o"}},
    {GENERAL, "win.save", "Save sketch", {"<Control>s"}},
    {GENERAL, "win.save-as", "Save sketch as", {"<Control><Shift>s"}},
    {GENERAL, "win.provenance::", "Provenance of the runs on show", {"<Control><Shift>p"}},
    {GENERAL, "win.copy-command::", "Copy their command lines", {"<Control><Shift>c"}},
    {GENERAL, "win.export-dialog::figure", "Export figure", {"<Control>e"}},
    {GENERAL, "win.find", "Search examples, runs", {"<Control>f"}},
    {GENERAL, NULL, "Pages", {"<Alt>1...6"}},
    {GENERAL, "win.page::sketch", NULL, {"<Alt>1"}},
    {GENERAL, "win.page::run", NULL, {"<Alt>2"}},
    {GENERAL, "win.page::compare", NULL, {"<Alt>3"}},
    {GENERAL, "win.page::impact", NULL, {"<Alt>4"}},
    {GENERAL, "win.page::study", NULL, {"<Alt>5"}},
    {GENERAL, "win.page::project", NULL, {"<Alt>6"}},
    {GENERAL, "win.region(1)", "Next region", {"F6"}},
    {GENERAL, "win.region(-1)", "Region before", {"<Shift>F6"}},
    {GENERAL, "app.new-window", "New window", {"<Control><Shift>n"}},
    {GENERAL, "win.close", "Close window", {"<Control>w"}},
    {GENERAL, "win.preferences", "Preferences", {"<Control>comma"}},
    {GENERAL, "win.help", "Help", {"F1"}},
    {GENERAL, "win.show-help-overlay", "This list", {"<Control>question"}},
    {GENERAL, "app.quit", "Quit", {"<Control>q"}},
    {FIT, NULL, "Fit", {"<Control>Return"}},
    {FIT, NULL, "Add a measured motion", {"<Control>o"}},
    {FIT, NULL, "What is asked for, at the side", {"F9"}},
    {PLAY, "win.run", "Run the chosen methods", {"F5", "<Control>r"}},
    {PLAY, "win.cancel", "Stop all runs", {"<Control>period"}},
    {PLAY, NULL, "Play and pause, on canvas and timeline", {"space"}},
    {PLAY, NULL, "To the row before, to the next one: both sides of a jump (timeline)", {"Left", "Right"}},
    {PLAY, NULL, "One frame back, one on", {"comma", "period"}},
    {PLAY, NULL, "Event before, next event", {"bracketleft", "bracketright"}},
    {PLAY, NULL, "Slower, faster", {"less", "greater"}},
    {PLAY, "win.zoom-in", "Zoom in", {"<Control>plus", "<Control>equal"}},
    {PLAY, "win.zoom-out", "Zoom out", {"<Control>minus"}},
    {PLAY, "win.zoom-fit", "Show everything", {"<Control>0"}},
    {IMPACT, NULL, "Step before, next step of the impulses", {"comma", "period"}},
    {IMPACT, NULL, "Outcome before, next one of the mode", {"bracketleft", "bracketright"}},
    {IMPACT, NULL, "Brush the mode, in the table of shares", {"Return"}},
    {IMPACT, NULL, "Move the brush of energy, in the histogram (Shift: one end)", {"Left", "Right"}},
    {IMPACT, NULL, "Take the brush away", {"Escape"}},
    {TOOLS, NULL, "Select tool", {"v"}},
    {TOOLS, NULL, "Box tool", {"b"}},
    {TOOLS, NULL, "Disc tool", {"d"}},
    {TOOLS, NULL, "Capsule, polygon, segment tool", {"k", "p", "e"}},
    {TOOLS, NULL, "Ground tool", {"f"}},
    {TOOLS, NULL, "Pin tool", {"i"}},
    {TOOLS, NULL, "Slider tool", {"l"}},
    {TOOLS, NULL, "Rod tool", {"r"}},
    {TOOLS, NULL, "Spring tool", {"s"}},
    {TOOLS, NULL, "Weld, torsion spring tool", {"w", "t"}},
    {TOOLS, NULL, "Motor: of the selected joint, or tool", {"m"}},
    {TOOLS, NULL, "Give the selected body a goal", {"g"}},
    {TOOLS, NULL, "Drive the selected body by forces, the selected joint by a motor", {"u"}},
    {SEVERAL, NULL, "Select all", {"<Control>a"}},
    {SEVERAL, NULL, "Duplicate", {"<Control>d"}},
    {SEVERAL, NULL, "Copy, cut, paste as text", {"<Control>c", "<Control>x", "<Control>v"}},
    {SEVERAL, NULL, "Repeat along a line or a circle", {"<Control><Shift>m"}},
    {SEVERAL, NULL, "Menu of what is selected", {"<Shift>F10"}},
    {PLACEMENT, NULL, "Type numbers that move the selection", {"n"}},
    {PLACEMENT, NULL, "Rest it on what is below", {"Page_Down"}},
    {PLACEMENT, NULL, "Set it flush with what is near", {"h"}},
    {PLACEMENT, NULL, "Separate bodies that overlap", {"o"}},
    {PLACEMENT, NULL, "Next number, while one is typed", {"Tab"}},
    {SKETCH, NULL, "Next body, previous body", {"Tab", "<Shift>Tab"}},
    {SKETCH, NULL, "Next contact, previous contact", {"c", "<Shift>c"}},
    {SKETCH, NULL, "Nudge by a grid cell (Shift ten, Alt a tenth)", {"Left", "Up", "Right", "Down"}},
    {SKETCH, NULL, "Edit as numbers", {"Return"}},
    {SKETCH, NULL, "Delete", {"Delete"}},
    {SKETCH, "win.undo", "Undo", {"<Control>z"}},
    {SKETCH, "win.redo", "Redo", {"<Control><Shift>z", "<Control>y"}},
    {SKETCH, "win.sandbox-improve", "Improve what was played in the sandbox", {"<Control>i"}},
    {SKETCH, "win.outline", "Outline", {"F9"}},
    {SKETCH, "win.equations", "Equations", {"<Control><Shift>e"}},
    {SKETCH, "win.source", "Source", {"<Control>u"}},
    {SKETCH, "win.inspector", "Inspector", {"<Shift>F9"}},
};

void
ssui_commands_set_keys (GtkApplication *application)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (commands[i].action != NULL)
      gtk_application_set_accels_for_action (application, commands[i].action, commands[i].keys);
}

static void
add_property (GString *xml, const char *name, const char *value)
{
  g_autofree char *text = g_markup_printf_escaped ("<property name=\"%s\">%s</property>", name, value);

  g_string_append (xml, text);
}

/* The list of keys as a file of GtkBuilder: GtkShortcutsSection takes no children otherwise before GTK 4.14. */
static char *
overlay_xml (void)
{
  GString *xml = g_string_new ("<interface><object class=\"GtkShortcutsWindow\" id=\"help_overlay\">"
                               "<property name=\"modal\">True</property>");

  for (int g = 0; g < N_GROUPS; g++) {
    if (groups[g].section != NULL) {
      g_string_append (xml, g > 0 ? "</object></child>" : "");
      g_string_append (xml, "<child><object class=\"GtkShortcutsSection\">");
      add_property (xml, "section-name", groups[g].section);
      add_property (xml, "title", groups[g].section_title);
      g_string_append_printf (xml, "<property name=\"max-height\">%d</property>", ROWS);
    }
    g_string_append (xml, "<child><object class=\"GtkShortcutsGroup\">");
    add_property (xml, "title", groups[g].title);
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
      g_autofree char *keys = g_strjoinv (" ", (char **)commands[i].keys);
      if ((int)commands[i].group != g || commands[i].title == NULL)
        continue;
      g_string_append (xml, "<child><object class=\"GtkShortcutsShortcut\">");
      add_property (xml, "title", commands[i].title);
      add_property (xml, "accelerator", keys);
      g_string_append (xml, "</object></child>");
    }
    g_string_append (xml, "</object></child>");
  }
  g_string_append (xml, "</object></child></object></interface>");
  return g_string_free (xml, FALSE);
}

static void
on_show_list (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autofree char *xml = overlay_xml ();
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_string (xml, -1);
  GtkWindow *list = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  (void)action;
  (void)parameter;
  gtk_window_set_transient_for (list, window);
  gtk_window_present (list);
}

void
ssui_commands_add_list (GtkApplicationWindow *window)
{
  static const GActionEntry entry = {.name = "show-help-overlay", .activate = on_show_list};

  g_action_map_add_action_entries (G_ACTION_MAP (window), &entry, 1, window);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    g_autofree char *name = NULL;
    g_autoptr (GVariant) target = NULL;
    if (commands[i].action == NULL || !g_str_has_prefix (commands[i].action, "win."))
      continue;
    const gboolean is_name = g_action_parse_detailed_name (commands[i].action + strlen ("win."), &name, &target, NULL);
    g_assert (is_name && g_action_map_lookup_action (G_ACTION_MAP (window), name) != NULL);
  }
}
