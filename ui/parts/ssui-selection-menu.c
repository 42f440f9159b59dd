/* ui/parts/ssui-selection-menu.c: see the header. */
#include "ui/parts/ssui-selection-menu.h"

#include <string.h>

/* ---- what is in it ----------------------------------------------------------------------------------------------- */

typedef struct {
  const char *label, *action; /* with its target, as in "win.mirror::vertical" */
} Entry;

static void
add_section (GMenu *menu, const Entry *entries, gsize n)
{
  g_autoptr (GMenu) section = g_menu_new ();

  for (gsize i = 0; i < n; i++)
    g_menu_append (section, entries[i].label, entries[i].action);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
add_submenu (GMenu *section, const char *label, const Entry *entries, gsize n)
{
  g_autoptr (GMenu) submenu = g_menu_new ();

  for (gsize i = 0; i < n; i++)
    g_menu_append (submenu, entries[i].label, entries[i].action);
  g_menu_append_submenu (section, label, G_MENU_MODEL (submenu));
}

static const Entry
    of_nothing[] = {{"Paste", "win.paste"}, {"Select All", "win.select-all"}, {"Show Everything", "win.zoom-fit"}},
    adding[] = {{"Add a Box", "win.add::box"}, {"Add a Disc", "win.add::disc"}, {"Add a Ground", "win.add::ground"}},
    clipboard[] = {{"Cut", "win.cut"}, {"Copy", "win.copy"}, {"Paste", "win.paste"}, {"Duplicate", "win.duplicate"}},
    placing[] = {{"Mirror Left and Right", "win.mirror::horizontal"},
                 {"Mirror Up and Down", "win.mirror::vertical"},
                 {"Turn Left by 90°", "win.turn(90.0)"},
                 {"Turn Right by 90°", "win.turn(-90.0)"}},
    joining[] = {{"By a Pin", "win.join::pin"},   {"By a Slider", "win.join::slider"},
                 {"By a Rod", "win.join::rod"},   {"By a Spring", "win.join::spring"},
                 {"By a Weld", "win.join::weld"}, {"By a Torsion Spring", "win.join::torsion"}},
    of_body[] = {{"Give It a Goal", "win.add-goal"},
                 {"Push It by a Force", "win.add-actuator::xy"},
                 {"Turn It by a Torque", "win.add-actuator::torque"},
                 {"Limit Its Place", "win.add-bounds"}},
    exactly[] = {{"Rest on What Is Below", "win.rest-on::"},
                 {"Set Flush With the Nearest", "win.flush-with::"},
                 {"Move by Numbers", "win.move-exactly"}},
    of_joint[] = {{"Add a Motor", "win.add-actuator::xy"}, {"Choose What It Joins", "win.choose-pair"}},
    editing[] = {{"Edit Numbers", "win.edit-selected"}}, deleting[] = {{"Delete", "win.delete"}},
    fixing[] = {{"Fix", "win.set-fixed(true)"}}, freeing[] = {{"Set Free", "win.set-fixed(false)"}};

/* "Turn Off", or on again. */
static void
add_contact (GMenu *menu, SsappDocument *document, const char *path)
{
  g_autoptr (GMenu) section = g_menu_new ();
  gboolean is_on = ssapp_document_find_contact (document, path) >= 0;
  g_autoptr (GMenuItem) item = g_menu_item_new (is_on ? "Turn the Contact Off" : "Turn the Contact On", NULL);

  g_menu_item_set_action_and_target (item, "win.set-contact", "(sb)", path, !is_on);
  g_menu_append_item (section, item);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

/* What one body can be given. */
static void
add_body (GMenu *menu, SsappDocument *document, const char *name)
{
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;

  for (int i = 0; scene != NULL && i < scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i];
    if (strcmp (body->name, name) != 0)
      continue;
    if (!ss_body_is_immovable (body))
      add_section (menu, of_body, G_N_ELEMENTS (of_body));
    if (body->shape.kind != SS_SHAPE_HALF_PLANE && body->item >= 0)
      add_section (menu, body->is_fixed ? freeing : fixing, 1);
  }
}

/* The commands that fit the selection. */
static GMenuModel *
ssui_selection_menu_new (SsappDocument *document)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) arranging = g_menu_new ();
  const char *item = ssapp_document_get_selected_item (document), *body = ssapp_document_get_selected (document);
  int n = ssapp_document_count_selected (document), n_bodies = 0;

  for (const char *const *key = ssapp_document_get_selection (document, NULL); *key != NULL; key++)
    n_bodies += !ssapp_key_is_item (*key);
  if (n == 0) {
    add_section (menu, of_nothing, G_N_ELEMENTS (of_nothing));
    if (ssapp_document_is_scene (document))
      add_section (menu, adding, G_N_ELEMENTS (adding));
    return G_MENU_MODEL (menu);
  }
  if (n == 1)
    add_section (menu, editing, G_N_ELEMENTS (editing));
  if (n_bodies > 0)
    add_section (menu, clipboard, G_N_ELEMENTS (clipboard));
  if (n_bodies == 1 || n_bodies == 2)
    add_submenu (arranging, n_bodies == 1 ? "Join with the World" : "Join", joining, G_N_ELEMENTS (joining));
  if (n_bodies > 0 || n > 1) {
    add_submenu (arranging, "Mirror and Turn", placing, G_N_ELEMENTS (placing));
    g_menu_append (arranging, "Array", "win.array-dialog");
    g_menu_append_section (menu, NULL, G_MENU_MODEL (arranging));
  }
  if (n == 1 && body != NULL) {
    add_section (menu, exactly, G_N_ELEMENTS (exactly));
    add_body (menu, document, body);
  }
  if (n == 1 && item != NULL && g_str_has_prefix (item, "scene.joints["))
    add_section (menu, of_joint, G_N_ELEMENTS (of_joint));
  if (n == 1 && item != NULL && g_str_has_prefix (item, "scene.contacts{"))
    add_contact (menu, document, item);
  if (item == NULL || n > 1 || !g_str_has_prefix (item, "scene.contacts{"))
    add_section (menu, deleting, G_N_ELEMENTS (deleting));
  return G_MENU_MODEL (menu);
}

/* ---- showing it -------------------------------------------------------------------------------------------------- */

typedef struct {
  GtkWidget *widget; /* that has it */
  SsappDocument **document;
  SsuiKeyAt key_at;
} Host;

/* The focus goes back to where the menu came from, unless its command has put it into an entry; GTK itself has moved it
 * to the first button of the window. */
static gboolean
drop_menu (gpointer menu)
{
  GtkRoot *root = gtk_widget_get_root (menu);
  GtkWidget *widget = g_object_get_data (G_OBJECT (menu), "widget"),
            *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (root != NULL && !GTK_IS_EDITABLE (focus))
    gtk_widget_grab_focus (widget);
  gtk_widget_unparent (menu);
  return G_SOURCE_REMOVE;
}

static void
on_closed (GtkWidget *menu)
{
  g_idle_add (drop_menu, menu); /* its command is still to be done */
}

static void
show_at (Host *host, double x, double y)
{
  GtkWidget *page = gtk_widget_get_ancestor (host->widget, g_type_from_name ("SsuiSketchPage")), *menu;
  g_autoptr (GMenuModel) model = NULL;
  double px, py;

  if (*host->document == NULL || page == NULL || !gtk_widget_translate_coordinates (host->widget, page, x, y, &px, &py))
    return;
  model = ssui_selection_menu_new (*host->document);
  menu = gtk_popover_menu_new_from_model (model);
  gtk_widget_set_parent (menu, page); /* a widget with a layout that places popovers */
  gtk_popover_set_has_arrow (GTK_POPOVER (menu), FALSE);
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &(GdkRectangle){(int)px, (int)py, 1, 1});
  gtk_widget_set_halign (menu, GTK_ALIGN_START);
  g_object_set_data (G_OBJECT (menu), "widget", host->widget); /* lives longer: both are of the page */
  g_signal_connect (menu, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (menu));
}

/* What is under the pointer is meant: it is selected, unless it is one of several. */
static void
open_at (Host *host, double x, double y)
{
  g_autofree char *key = *host->document != NULL ? host->key_at (host->widget, x, y) : NULL;
  const char *only[] = {key, NULL};

  gtk_widget_grab_focus (host->widget);
  if (*host->document != NULL && (key == NULL || !ssapp_document_is_selected (*host->document, key)))
    ssapp_document_set_selection (*host->document, only);
  show_at (host, x, y);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, Host *host)
{
  (void)n_press;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  open_at (host, x, y);
}

static void
on_long_press (GtkGestureLongPress *gesture, double x, double y, Host *host)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  open_at (host, x, y);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, Host *host)
{
  (void)controller;
  (void)code;
  if (key != GDK_KEY_Menu && (key != GDK_KEY_F10 || (state & GDK_SHIFT_MASK) == 0))
    return FALSE;
  show_at (host, gtk_widget_get_width (host->widget) / 2.0, gtk_widget_get_height (host->widget) / 3.0);
  return TRUE;
}

void
ssui_selection_menu_attach (GtkWidget *widget, SsappDocument **document, SsuiKeyAt key_at)
{
  Host *host = g_new0 (Host, 1);
  GtkGesture *click = gtk_gesture_click_new (), *hold = gtk_gesture_long_press_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  host->widget = widget;
  host->document = document;
  host->key_at = key_at;
  g_object_set_data_full (G_OBJECT (widget), "context-menu", host, g_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (hold), TRUE); /* a held button is a drag */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), host);
  g_signal_connect (hold, "pressed", G_CALLBACK (on_long_press), host);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), host);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (hold));
  gtk_widget_add_controller (widget, keys);
}
