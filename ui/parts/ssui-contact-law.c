/* ui/parts/ssui-contact-law.c: see the header. One row of buttons chooses the value for both lists; the widget makes
 * them once and fills them anew, so that the focus stays where it is. */
#include "ui/parts/ssui-contact-law.h"

#include "ui/parts/ssui-pair-table.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

typedef struct {
  GtkWidget *row, *icon, *title, *value, *button;
} SourceRow;

struct _SsuiContactLaw {
  GtkWidget parent_instance;
  GtkWidget *choices[SS_MATERIAL_VALUES], *sources_title, *sources, *pairs_title, *pairs;
  SourceRow rows[SS_VALUE_SOURCES];
  SsappDocument *document;
  char *contact; /* path; NULL: of a material */
  SsMaterialValue which;
};

G_DEFINE_FINAL_TYPE (SsuiContactLaw, ssui_contact_law, GTK_TYPE_WIDGET)

/* ---- where it comes from ----------------------------------------------------------------------------------------- */

static void
show_source (SsuiContactLaw *self, SourceRow *row, const SsappLawSource *source)
{
  const gboolean is_here = source->source == SS_FROM_CONTACT;
  const char *key = ss_material_value_names[self->which];
  g_autofree char *words = g_strdup_printf (source->is_in_force ? _ ("%s, %s, in force") : "%s, %s", source->title,
                                            *source->text ? source->text : _ ("says nothing"));

  gtk_label_set_text (GTK_LABEL (row->title), source->title);
  gtk_label_set_text (GTK_LABEL (row->value), *source->text ? source->text : is_here ? "" : "–");
  gtk_image_set_from_icon_name (GTK_IMAGE (row->icon),
                                source->is_in_force ? "radio-checked-symbolic" : "radio-symbolic");
  if (source->is_in_force)
    gtk_widget_add_css_class (row->row, "in-force");
  else
    gtk_widget_remove_css_class (row->row, "in-force");
  ssui_set_label (row->row, words);
  g_object_set_data_full (G_OBJECT (row->row), "item", g_strdup (source->item), g_free);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row->row), source->item != NULL);
  gtk_widget_set_focusable (row->row, source->item != NULL);
  gtk_widget_set_tooltip_text (row->row, source->item != NULL ? _ ("Show the entry that says it") : NULL);
  gtk_widget_set_visible (row->button, source->can_change);
  if (!source->can_change)
    return;
  gtk_button_set_label (GTK_BUTTON (row->button), source->is_in_force ? _ ("Remove") : _ ("Set Here"));
  gtk_widget_set_tooltip_text (row->button, source->is_in_force
                                                ? _ ("The value follows pair, materials and scene again")
                                                : _ ("This contact gets a value of its own, what it is now at first"));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row->button), "(ss)", self->contact, key);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row->button),
                                  source->is_in_force ? "win.clear-here" : "win.set-here");
}

static void
show_sources (SsuiContactLaw *self)
{
  g_autoptr (GPtrArray) sources =
      self->contact != NULL ? ssapp_document_list_sources (self->document, self->contact, self->which) : NULL;
  g_autofree char *title = g_strdup_printf (_ ("Where %s Comes From"), ssapp_material_value_symbol (self->which));

  gtk_widget_set_visible (self->sources_title, sources != NULL);
  gtk_widget_set_visible (self->sources, sources != NULL);
  gtk_label_set_text (GTK_LABEL (self->sources_title), title);
  ssui_set_label (self->sources, title);
  for (guint i = 0; i < SS_VALUE_SOURCES; i++) {
    gtk_widget_set_visible (self->rows[i].row, sources != NULL && i < sources->len);
    if (sources != NULL && i < sources->len)
      show_source (self, &self->rows[i], g_ptr_array_index (sources, i));
  }
}

static void
show_pairs (SsuiContactLaw *self)
{
  g_autofree char *title = g_strdup_printf (_ ("Pairs of Materials, %s"), ssapp_material_value_symbol (self->which));

  if (self->pairs == NULL)
    return;
  gtk_label_set_text (GTK_LABEL (self->pairs_title), title);
  ssui_pair_table_show (SSUI_PAIR_TABLE (self->pairs), self->which);
}

void
ssui_contact_law_refresh (SsuiContactLaw *self)
{
  show_sources (self);
  if (self->pairs != NULL)
    ssui_pair_table_refresh (SSUI_PAIR_TABLE (self->pairs));
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, SsuiContactLaw *self)
{
  g_autofree char *item = g_strdup (g_object_get_data (G_OBJECT (row), "item"));
  g_autoptr (SsuiContactLaw) hold = g_object_ref (self); /* the inspector makes its rows anew */

  (void)list;
  if (hold->document != NULL && item != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.select-item", "s", item);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static void
on_chosen (GtkToggleButton *button, SsuiContactLaw *self)
{
  for (int i = 0; i < SS_MATERIAL_VALUES; i++)
    if (GTK_WIDGET (button) == self->choices[i] && gtk_toggle_button_get_active (button)) {
      self->which = (SsMaterialValue)i;
      show_sources (self);
      show_pairs (self);
    }
}

static GtkWidget *
make_choices (SsuiContactLaw *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  gtk_widget_add_css_class (box, "hold-buttons");
  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  for (int i = 0; i < SS_MATERIAL_VALUES; i++) {
    const char *name = ssapp_material_value_label ((SsMaterialValue)i);
    g_autofree char *label = g_strdup_printf (_ ("Show %s"), name);
    self->choices[i] = gtk_toggle_button_new_with_label (ssapp_material_value_symbol ((SsMaterialValue)i));
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->choices[i]),
                                 i > 0 ? GTK_TOGGLE_BUTTON (self->choices[0]) : NULL);
    gtk_widget_set_tooltip_text (self->choices[i], name);
    ssui_set_label (self->choices[i], label);
    g_signal_connect (self->choices[i], "toggled", G_CALLBACK (on_chosen), self);
    gtk_box_append (GTK_BOX (box), self->choices[i]);
  }
  return box;
}

static GtkWidget *
make_title (void)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_margin_start (label, 2);
  gtk_widget_add_css_class (label, "group-title");
  return label;
}

static void
add_source_row (SsuiContactLaw *self, SourceRow *row)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  row->row = gtk_list_box_row_new ();
  row->icon = gtk_image_new ();
  row->title = gtk_label_new ("");
  row->value = gtk_label_new ("");
  row->button = gtk_button_new ();
  gtk_label_set_xalign (GTK_LABEL (row->title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (row->title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (row->title, TRUE);
  gtk_widget_add_css_class (row->value, "numeric");
  gtk_widget_add_css_class (row->button, "flat");
  gtk_widget_add_css_class (row->button, "source-button");
  gtk_widget_set_valign (row->button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (box, "field-box");
  gtk_widget_add_css_class (row->row, "field");
  gtk_box_append (GTK_BOX (box), row->icon);
  gtk_box_append (GTK_BOX (box), row->title);
  gtk_box_append (GTK_BOX (box), row->button);
  gtk_box_append (GTK_BOX (box), row->value);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row->row), box);
  gtk_list_box_append (GTK_LIST_BOX (self->sources), row->row);
}

static void
ssui_contact_law_dispose (GObject *object)
{
  SsuiContactLaw *self = SSUI_CONTACT_LAW (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->contact, g_free);
  ssui_unparent_children (GTK_WIDGET (object));
  self->pairs = NULL;
  G_OBJECT_CLASS (ssui_contact_law_parent_class)->dispose (object);
}

static void
ssui_contact_law_class_init (SsuiContactLawClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_contact_law_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
ssui_contact_law_init (SsuiContactLaw *self)
{
  GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (layout, 6);
}

GtkWidget *
ssui_contact_law_new (SsappDocument *document)
{
  SsuiContactLaw *self = g_object_new (SSUI_TYPE_CONTACT_LAW, NULL);
  const char *item = ssapp_document_get_selected_item (document);
  g_auto (GStrv) materials = ssapp_document_list_materials (document);
  GtkWidget *parts[5];
  int n = 0;

  self->document = g_object_ref (document);
  self->contact = item != NULL && g_str_has_prefix (item, "scene.contacts{") ? g_strdup (item) : NULL;
  self->sources = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->sources), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->sources, "boxed-list");
  g_signal_connect (self->sources, "row-activated", G_CALLBACK (on_row_activated), self);
  for (int i = 0; i < SS_VALUE_SOURCES; i++)
    add_source_row (self, &self->rows[i]);
  parts[n++] = make_choices (self);
  parts[n++] = self->sources_title = make_title ();
  parts[n++] = self->sources;
  if (*materials != NULL) {
    parts[n++] = self->pairs_title = make_title ();
    parts[n++] = self->pairs = ssui_pair_table_new (document);
  }
  for (int i = 0; i < n; i++)
    gtk_widget_set_parent (parts[i], GTK_WIDGET (self));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->choices[SS_MATERIAL_FRICTION]), TRUE);
  return GTK_WIDGET (self);
}
