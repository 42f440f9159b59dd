/* ui/parts/ssui-outline-choice.c: see the header. */
#include "ui/parts/ssui-outline-choice.h"

#include "ui/parts/ssui-context-menu.h"
#include "ui/parts/ssui-selection-menu.h"

#include <string.h>

const char *
ssui_outline_choice_key (GtkListBoxRow *row)
{
  const char *key = row != NULL ? g_object_get_data (G_OBJECT (row), "key") : NULL;

  if (key == NULL || !gtk_list_box_row_get_selectable (row))
    return NULL;
  return g_str_has_prefix (key, "body ")   ? key + strlen ("body ")
         : g_str_has_prefix (key, "item ") ? key + strlen ("item ")
                                           : NULL;
}

void
ssui_outline_choice_show (GtkListBox *list, SsappDocument *document)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)) != NULL; i++) {
    const char *key = ssui_outline_choice_key (row);
    gboolean is_chosen = key != NULL && ssapp_document_is_selected (document, key);
    if (is_chosen && !gtk_list_box_row_is_selected (row))
      gtk_list_box_select_row (list, row);
    else if (!is_chosen && gtk_list_box_row_is_selected (row))
      gtk_list_box_unselect_row (list, row);
  }
}

/* From the row of the primary to this one, which is the primary then. */
static void
choose_up_to (GtkListBox *list, SsappDocument *document, GtkListBoxRow *row)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  const char *item = ssapp_document_get_selected_item (document),
             *primary = item != NULL ? item : ssapp_document_get_selected (document);
  int to = gtk_list_box_row_get_index (row), from = to;
  GtkListBoxRow *other;

  for (int i = 0; (other = gtk_list_box_get_row_at_index (list, i)) != NULL; i++)
    if (primary != NULL && g_strcmp0 (ssui_outline_choice_key (other), primary) == 0)
      from = i;
  for (int i = from;; i += to > from ? 1 : -1) {
    other = gtk_list_box_get_row_at_index (list, i);
    if (ssui_outline_choice_key (other) != NULL && gtk_widget_get_child_visible (GTK_WIDGET (other)))
      g_ptr_array_add (keys, (char *)ssui_outline_choice_key (other));
    if (i == to)
      break;
  }
  g_ptr_array_add (keys, NULL);
  ssapp_document_set_selection (document, (const char *const *)keys->pdata);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, SsappDocument **document)
{
  GtkListBox *list = GTK_LIST_BOX (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (list, (int)y);

  (void)n_press;
  (void)x;
  if ((state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) == 0 || ssui_outline_choice_key (row) == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (row));
  if (state & GDK_CONTROL_MASK)
    ssapp_document_toggle_selected (*document, ssui_outline_choice_key (row));
  else
    choose_up_to (list, *document, row);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, SsappDocument **document)
{
  GtkWidget *list = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller)),
            *focus = gtk_widget_get_focus_child (list);

  (void)code;
  if ((state & GDK_CONTROL_MASK) == 0 || (state & (GDK_SHIFT_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_a) {
    ssapp_document_select_all (*document);
    return TRUE;
  }
  if (key != GDK_KEY_space || !GTK_IS_LIST_BOX_ROW (focus) ||
      ssui_outline_choice_key (GTK_LIST_BOX_ROW (focus)) == NULL)
    return FALSE;
  ssapp_document_toggle_selected (*document, ssui_outline_choice_key (GTK_LIST_BOX_ROW (focus)));
  return TRUE;
}

static GMenuModel *
menu_at (GtkWidget *list, double x, double y, gboolean by_key, gpointer document)
{
  (void)x;
  return ssui_selection_menu_at (list, *(SsappDocument **)document,
                                 ssui_outline_choice_key (gtk_list_box_get_row_at_y (GTK_LIST_BOX (list), (int)y)),
                                 by_key);
}

void
ssui_outline_choice_attach (GtkListBox *list, SsappDocument **document)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_list_box_set_selection_mode (list, GTK_SELECTION_MULTIPLE);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), document);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), document);
  gtk_widget_add_controller (GTK_WIDGET (list), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (list), keys);
  ssui_context_menu_attach (GTK_WIDGET (list), menu_at, document);
}
