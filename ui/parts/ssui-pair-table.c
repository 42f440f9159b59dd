/* ui/parts/ssui-pair-table.c: see the header. */
#include "ui/parts/ssui-pair-table.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define MATERIALS_MAX 12 /* shown: beyond that the file is the better place */
#define NAME_CHARS    9

typedef struct {
  GtkWidget *entry;
  char *a, *b;
  gboolean has_problem;
} Cell;

struct _SsuiPairTable {
  GtkWidget parent_instance;
  GtkWidget *grid, *problem;
  SsappDocument *document;
  GPtrArray *cells; /* of Cell */
  SsMaterialValue which;
  gboolean is_committing;
};

G_DEFINE_FINAL_TYPE (SsuiPairTable, ssui_pair_table, GTK_TYPE_WIDGET)

static void
free_cell (Cell *cell)
{
  g_free (cell->a);
  g_free (cell->b);
  g_free (cell);
}

static void
show_problem (SsuiPairTable *self, Cell *cell, const char *message)
{
  cell->has_problem = message != NULL;
  gtk_label_set_text (GTK_LABEL (self->problem), message != NULL ? message : "");
  gtk_widget_set_visible (self->problem, message != NULL);
  if (message != NULL)
    gtk_widget_add_css_class (cell->entry, "error");
  else
    gtk_widget_remove_css_class (cell->entry, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (cell->entry), GTK_ACCESSIBLE_STATE_INVALID,
                               message != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  ssui_set_description (cell->entry, message != NULL ? message : "");
}

static void
show_cell (SsuiPairTable *self, Cell *cell)
{
  g_autofree char *text = ssapp_document_get_pair (self->document, cell->a, cell->b, self->which),
                  *derived = ssapp_document_get_pair_derived (self->document, cell->a, cell->b, self->which),
                  *label = g_strdup_printf (_ ("%s of %s and %s"), ssapp_material_value_label (self->which), cell->a,
                                            cell->b);
  const char *shown = text != NULL ? text : "", *contact = ssapp_document_get_selected_item (self->document);

  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (cell->entry)), shown) != 0)
    gtk_editable_set_text (GTK_EDITABLE (cell->entry), shown);
  gtk_entry_set_placeholder_text (GTK_ENTRY (cell->entry), derived != NULL ? derived : "");
  gtk_widget_set_tooltip_text (cell->entry, label);
  ssui_set_label (cell->entry, label);
  if (ssapp_document_is_pair_of (self->document, contact, cell->a, cell->b))
    gtk_widget_add_css_class (cell->entry, "in-force");
  else
    gtk_widget_remove_css_class (cell->entry, "in-force");
  show_problem (self, cell, NULL);
}

void
ssui_pair_table_refresh (SsuiPairTable *self)
{
  for (guint i = 0; i < self->cells->len && !self->is_committing; i++) {
    Cell *cell = g_ptr_array_index (self->cells, i);
    if (!cell->has_problem)
      show_cell (self, cell);
  }
}

void
ssui_pair_table_show (SsuiPairTable *self, SsMaterialValue which)
{
  self->which = which;
  for (guint i = 0; i < self->cells->len; i++)
    show_cell (self, g_ptr_array_index (self->cells, i));
}

static Cell *
cell_of (SsuiPairTable *self, GtkWidget *entry)
{
  for (guint i = 0; i < self->cells->len; i++)
    if (((Cell *)g_ptr_array_index (self->cells, i))->entry == entry)
      return g_ptr_array_index (self->cells, i);
  return NULL;
}

/* ---- editing ----------------------------------------------------------------------------------------------------- */

static void
commit (SsuiPairTable *self, GtkWidget *entry)
{
  g_autoptr (SsuiPairTable) hold = g_object_ref (self); /* the inspector may make its rows anew */
  Cell *cell = self->document != NULL ? cell_of (self, entry) : NULL;
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))), *before = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (cell == NULL || self->is_committing)
    return;
  before = ssapp_document_get_pair (self->document, cell->a, cell->b, self->which);
  if (strcmp (before != NULL ? before : "", text) == 0) {
    show_problem (self, cell, NULL);
    return;
  }
  self->is_committing = TRUE;
  done = ssapp_document_set_pair (self->document, cell->a, cell->b, self->which, text, &error);
  self->is_committing = FALSE;
  if (hold->document == NULL)
    return;
  if (done)
    ssui_pair_table_show (self, self->which);
  else
    show_problem (self, cell, error->message);
}

static void
on_activate (GtkEntry *entry, SsuiPairTable *self)
{
  commit (self, GTK_WIDGET (entry));
}

static void
on_leave (GtkEventControllerFocus *focus, SsuiPairTable *self)
{
  commit (self, gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (focus)));
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, SsuiPairTable *self)
{
  Cell *cell = cell_of (self, gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller)));

  (void)code;
  (void)state;
  if (key != GDK_KEY_Escape || cell == NULL)
    return FALSE;
  show_cell (self, cell);
  gtk_editable_set_position (GTK_EDITABLE (cell->entry), -1);
  return TRUE;
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

static void
add_cell (SsuiPairTable *self, const char *a, const char *b, int column, int row)
{
  GtkEventController *focus = gtk_event_controller_focus_new (), *key = gtk_event_controller_key_new ();
  Cell *cell = g_new0 (Cell, 1);

  cell->entry = gtk_entry_new ();
  cell->a = g_strdup (a);
  cell->b = g_strdup (b);
  gtk_editable_set_width_chars (GTK_EDITABLE (cell->entry), 5);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (cell->entry), 6);
  gtk_entry_set_alignment (GTK_ENTRY (cell->entry), 1);
  gtk_widget_add_css_class (cell->entry, "numeric");
  gtk_widget_add_css_class (cell->entry, "pair-cell");
  g_signal_connect (cell->entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect (focus, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (cell->entry, focus);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (cell->entry, key);
  gtk_grid_attach (GTK_GRID (self->grid), cell->entry, column, row, 1, 1);
  g_ptr_array_add (self->cells, cell);
}

static void
add_name (SsuiPairTable *self, const char *name, int column, int row)
{
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), MIN ((int)g_utf8_strlen (name, -1), NAME_CHARS));
  gtk_label_set_max_width_chars (GTK_LABEL (label), NAME_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_tooltip_text (label, name);
  gtk_grid_attach (GTK_GRID (self->grid), label, column, row, 1, 1);
}

static void
fill (SsuiPairTable *self)
{
  g_auto (GStrv) names = ssapp_document_list_materials (self->document);
  const int n = MIN ((int)g_strv_length (names), MATERIALS_MAX);

  for (int i = 0; i < n; i++) {
    add_name (self, names[i], i + 1, 0);
    add_name (self, names[i], 0, i + 1);
    for (int j = i; j < n; j++)
      add_cell (self, names[i], names[j], j + 1, i + 1);
  }
}

static void
ssui_pair_table_dispose (GObject *object)
{
  SsuiPairTable *self = SSUI_PAIR_TABLE (object);

  g_clear_object (&self->document);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_pair_table_parent_class)->dispose (object);
}

static void
ssui_pair_table_class_init (SsuiPairTableClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_pair_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
ssui_pair_table_init (SsuiPairTable *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                                  GTK_ORIENTATION_VERTICAL);
  self->cells = g_ptr_array_new_with_free_func ((GDestroyNotify)free_cell);
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 6);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 4);
  gtk_widget_add_css_class (self->grid, "pair-table");
  ssui_set_label (self->grid, _ ("Pairs of materials"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->grid);
  gtk_widget_add_css_class (scroller, "card");
  self->problem = gtk_label_new ("");
  gtk_label_set_wrap (GTK_LABEL (self->problem), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->problem), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (self->problem), 0);
  gtk_widget_add_css_class (self->problem, "caption");
  gtk_widget_add_css_class (self->problem, "error");
  gtk_widget_set_visible (self->problem, FALSE);
  gtk_widget_set_parent (scroller, GTK_WIDGET (self));
  gtk_widget_set_parent (self->problem, GTK_WIDGET (self));
}

GtkWidget *
ssui_pair_table_new (SsappDocument *document)
{
  SsuiPairTable *self = g_object_new (SSUI_TYPE_PAIR_TABLE, NULL);

  self->document = g_object_ref (document);
  fill (self);
  ssui_pair_table_show (self, SS_MATERIAL_FRICTION);
  return GTK_WIDGET (self);
}
