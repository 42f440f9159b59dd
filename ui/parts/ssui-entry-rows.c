/* ui/parts/ssui-entry-rows.c: see the header. */
#include "ui/parts/ssui-entry-rows.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

/* ---- rows with a list -------------------------------------------------------------------------------------------- */

typedef struct {
  SsappDocument *document;
  GtkWidget *list; /* the drop-down */
  char *path;
  const char *const *choices; /* of a field; NULL: of a motor */
  gboolean is_updating;
} Row;

static const char *const motor_words[] = {N_ ("Nothing"), N_ ("Control"), N_ ("Speed"),
                                          N_ ("Place"),   N_ ("Formula"), NULL},
                         *const motor_words_without[] = {N_ ("Nothing"), N_ ("Control"), N_ ("Speed"), N_ ("Place"),
                                                         NULL};
static const char *const motor_laws[] = {"none", "control", "speed", "place"};

static void
row_free (gpointer data)
{
  Row *row = data;

  g_object_unref (row->document);
  g_free (row->path);
  g_free (row);
}

static guint
current_choice (const Row *row)
{
  g_autofree char *value = ssapp_document_get_choice (row->document, row->path);

  for (guint i = 0; row->choices[i] != NULL; i += 2)
    if (g_str_equal (row->choices[i], value))
      return i / 2;
  return 0; /* what holds where nothing is said; a file may say that in words, too: "points": "all" */
}

static void
refresh (Row *row)
{
  row->is_updating = TRUE;
  if (row->choices != NULL) {
    gtk_drop_down_set_selected (GTK_DROP_DOWN (row->list), current_choice (row));
  } else {
    SsappMotorLaw law = ssapp_document_get_motor_law (row->document, row->path);
    GListModel *shown = gtk_drop_down_get_model (GTK_DROP_DOWN (row->list));
    guint wanted = law == SSAPP_MOTOR_FORMULA ? 5 : 4; /* a formula of the file is told, not offered */
    if (g_list_model_get_n_items (shown) != wanted) {
      g_autoptr (GtkStringList) words = ssui_strings_new (wanted == 5 ? motor_words : motor_words_without);
      gtk_drop_down_set_model (GTK_DROP_DOWN (row->list), G_LIST_MODEL (words));
    }
    gtk_drop_down_set_selected (GTK_DROP_DOWN (row->list), (guint)law);
  }
  row->is_updating = FALSE;
}

/* While the list is there: others may hold the row longer. */
static void
on_document_changed (GtkWidget *list)
{
  Row *row = g_object_get_data (G_OBJECT (list), "row");

  if (row != NULL && gtk_widget_get_root (list) != NULL)
    refresh (row);
}

static void
on_chosen (GtkDropDown *list, GParamSpec *pspec, Row *row)
{
  guint chosen = gtk_drop_down_get_selected (list);
  g_autoptr (GtkWidget) hold = g_object_ref (GTK_WIDGET (list)); /* an edit may make the rows anew */

  (void)pspec;
  if (row->is_updating || chosen == GTK_INVALID_LIST_POSITION)
    return;
  if (row->choices != NULL)
    gtk_widget_activate_action (hold, "win.set-choice", "(ss)", row->path, row->choices[2 * chosen]);
  else if (chosen < G_N_ELEMENTS (motor_laws))
    gtk_widget_activate_action (hold, "win.motor", "s", motor_laws[chosen]);
  if (gtk_widget_get_root (hold) != NULL)
    refresh (row); /* the edit may have been refused */
}

static GtkWidget *
row_new (SsappDocument *document, const char *title, const char *tip, const char *path, const char *const *choices,
         const char *const *words)
{
  GtkWidget *widget = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *label = gtk_label_new (title);
  Row *row = g_new0 (Row, 1);

  row->document = g_object_ref (document);
  row->path = g_strdup (path);
  row->choices = choices;
  row->list = gtk_drop_down_new (G_LIST_MODEL (ssui_strings_new (words)), NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  ssui_tip_when_cut (label);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_valign (row->list, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (row->list, tip);
  ssui_label_drop_down (row->list, title);
  gtk_widget_add_css_class (box, "field-box");
  gtk_widget_add_css_class (widget, "field");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), row->list);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (widget), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (widget), FALSE);
  gtk_widget_set_focusable (widget, FALSE);
  refresh (row);
  g_signal_connect (row->list, "notify::selected", G_CALLBACK (on_chosen), row);
  g_object_set_data_full (G_OBJECT (row->list), "row", row, row_free);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), row->list, G_CONNECT_SWAPPED);
  return widget;
}

GtkWidget *
ssui_choice_row_new (SsappDocument *document, const SsappField *field)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; field->choices[i] != NULL; i += 2)
    g_ptr_array_add (words, (gpointer)field->choices[i + 1]);
  g_ptr_array_add (words, NULL);
  return row_new (document, field->title, NULL, field->path, field->choices, (const char *const *)words->pdata);
}

GtkWidget *
ssui_motor_row_new (SsappDocument *document, const char *path)
{
  return row_new (
      document, _ ("Driven by"),
      _ ("Control: an optimiser chooses it, simulations leave it 0. Speed and Place: a law written as a formula"), path,
      NULL, motor_words_without);
}

/* ---- buttons with something to read or type ---------------------------------------------------------------------- */

static GtkWidget *
menu_button (const char *icon, const char *tip)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "group-menu");
  gtk_widget_set_tooltip_text (button, tip);
  ssui_set_label (button, tip);
  return button;
}

typedef struct {
  SsappDocument *document;
  char *path;
} Names;

static void
names_free (gpointer data)
{
  Names *names = data;

  g_object_unref (names->document);
  g_free (names->path);
  g_free (names);
}

/* Written when it is opened: names come and go. */
static void
show_names (GtkMenuButton *button, gpointer data)
{
  const int width = 44; /* characters */
  Names *names = data;
  GtkWidget *popover = gtk_popover_new (), *label;
  g_autofree char *text = ssapp_document_describe_names (names->document, names->path);

  label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), width);
  gtk_label_set_max_width_chars (GTK_LABEL (label), width);
  gtk_popover_set_child (GTK_POPOVER (popover), label);
  gtk_menu_button_set_popover (button, popover);
}

GtkWidget *
ssui_names_button_new (SsappDocument *document, const char *path)
{
  GtkWidget *button = menu_button ("dialog-question-symbolic", _ ("Names for formulas"));
  Names *names = g_new0 (Names, 1);

  names->document = g_object_ref (document);
  names->path = g_strdup (path);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), show_names, names, names_free);
  return button;
}

static void
on_parameter_named (GtkEntry *entry, GtkPopover *popover)
{
  g_autofree char *name = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));

  gtk_popover_popdown (popover);
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  gtk_widget_activate_action (GTK_WIDGET (entry), "win.add-parameter", "s", name);
}

GtkWidget *
ssui_add_parameter_button_new (void)
{
  GtkWidget *button = menu_button ("list-add-symbolic", _ ("Add a parameter")), *popover = gtk_popover_new (),
            *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("Name, then Return"));
  ssui_set_label (entry, _ ("Name of the parameter"));
  g_signal_connect (entry, "activate", G_CALLBACK (on_parameter_named), popover);
  gtk_popover_set_child (GTK_POPOVER (popover), entry);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  return button;
}

GtkWidget *
ssui_add_shape_button_new (void)
{
  static const char *const kinds[][2] = {{N_ ("Box"), "box"},
                                         {N_ ("Disc"), "disc"},
                                         {N_ ("Capsule"), "capsule"},
                                         {N_ ("Polygon"), "polygon"},
                                         {N_ ("Segment"), "segment"}};
  GtkWidget *button = menu_button ("list-add-symbolic", _ ("Add a shape to this body"));
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (_ (kinds[i][0]), NULL);
    g_menu_item_set_action_and_target (item, "win.add-shape", "s", kinds[i][1]);
    g_menu_append_item (menu, item);
  }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  return button;
}
