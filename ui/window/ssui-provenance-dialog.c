/* ui/window/ssui-provenance-dialog.c: see the header. */
#include "ui/window/ssui-provenance-dialog.h"

#include "ui/parts/ssui-keys.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

typedef struct {
  GtkWindow *parent; /* lives longer */
  GtkWidget *window, *pages, *copy;
  GPtrArray *sheets; /* of SsappProvenanceSheet */
} Dialog;

static void
dialog_free (gpointer data)
{
  Dialog *self = data;

  g_ptr_array_unref (self->sheets);
  g_free (self);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Longer values stand in several lines. */
enum { LINE_CHARS = 40 };

static GtkWidget *
make_row (const SsappSheetRow *row)
{
  GtkWidget *widget = adw_action_row_new (), *value = gtk_label_new (row->value);
  g_autoptr (PangoAttrList) plain = pango_attr_list_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (widget), row->title);
  if (row->is_changed && row->usual != NULL) {
    g_autofree char *usual =
        row->usual[0] != '\0' ? g_strdup_printf (_ ("Default %s"), row->usual) : g_strdup (_ ("No default"));
    adw_action_row_set_subtitle (ADW_ACTION_ROW (widget), usual);
  } else if (row->is_changed) {
    adw_action_row_set_subtitle (ADW_ACTION_ROW (widget), _ ("Set for this run"));
  }
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (value), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (value), 1);
  pango_attr_list_insert (plain, pango_attr_insert_hyphens_new (FALSE)); /* it may be copied */
  gtk_label_set_attributes (GTK_LABEL (value), plain);
  if (g_utf8_strlen (row->value, -1) <= LINE_CHARS)
    gtk_label_set_natural_wrap_mode (GTK_LABEL (value), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_max_width_chars (GTK_LABEL (value), LINE_CHARS);
  gtk_widget_set_margin_top (value, 6);
  gtk_widget_set_margin_bottom (value, 6);
  gtk_widget_add_css_class (value, "numeric");
  if (row->is_changed || row->usual != NULL)
    gtk_widget_add_css_class (value, row->is_changed ? "heading" : "dim-label");
  adw_action_row_add_suffix (ADW_ACTION_ROW (widget), value);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (widget), FALSE);
  return widget;
}

static GtkWidget *
make_page (const SsappProvenanceSheet *sheet)
{
  GtkWidget *page = adw_preferences_page_new ();

  for (guint g = 0; g < sheet->groups->len; g++) {
    const SsappSheetGroup *group = &g_array_index (sheet->groups, SsappSheetGroup, g);
    GtkWidget *list = adw_preferences_group_new ();
    adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (list), group->title);
    for (guint i = 0; i < group->rows->len; i++)
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (list),
                                 make_row (&g_array_index (group->rows, SsappSheetRow, i)));
    adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (list));
  }
  return page;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static const SsappProvenanceSheet *
sheet_on_show (const Dialog *self)
{
  const guint n = (guint)g_ascii_strtoull (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), NULL, 10);

  return g_ptr_array_index (self->sheets, n);
}

static void
on_copy (Dialog *self)
{
  g_autofree char *text = ssapp_provenance_sheet_dup_text (sheet_on_show (self));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (self->window), text);
  gtk_button_set_label (GTK_BUTTON (self->copy), _ ("Copied"));
}

static void
on_copy_command (Dialog *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->parent), "win.copy-command", "s", sheet_on_show (self)->run);
}

static void
on_reproduce (Dialog *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->parent), "win.reproduce", "s", sheet_on_show (self)->run);
  gtk_window_close (GTK_WINDOW (self->window));
}

static void
on_chosen (GtkDropDown *choice, GParamSpec *spec, Dialog *self)
{
  g_autofree char *name = g_strdup_printf ("%u", gtk_drop_down_get_selected (choice));

  (void)spec;
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), name);
  gtk_button_set_label (GTK_BUTTON (self->copy), _ ("Copy"));
}

/* ---- window ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
make_button (Dialog *self, const char *label, const char *tooltip, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

/* Which of several runs; NULL where there is one. */
static GtkWidget *
make_choice (Dialog *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  GtkWidget *choice;

  if (self->sheets->len < 2)
    return NULL;
  for (guint i = 0; i < self->sheets->len; i++)
    gtk_string_list_append (names, ((const SsappProvenanceSheet *)g_ptr_array_index (self->sheets, i))->name);
  choice = gtk_drop_down_new (g_object_ref (G_LIST_MODEL (names)), NULL);
  gtk_widget_set_tooltip_text (choice, _ ("Which run"));
  ssui_set_label (choice, _ ("Run"));
  g_signal_connect (choice, "notify::selected", G_CALLBACK (on_chosen), self);
  return choice;
}

static GtkWidget *
make_header (Dialog *self)
{
  GtkWidget *header = adw_header_bar_new (), *choice = make_choice (self);

  self->copy = make_button (self, _ ("Copy"), _ ("Copy the sheet as text"), G_CALLBACK (on_copy));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->copy);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header),
                             make_button (self, _ ("Copy as Command"), _ ("Copy the command line that repeats the run"),
                                          G_CALLBACK (on_copy_command)));
  adw_header_bar_pack_end (
      ADW_HEADER_BAR (header),
      make_button (self, _ ("Reproduce"), _ ("Make the run once more and compare"), G_CALLBACK (on_reproduce)));
  if (choice != NULL)
    adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), choice);
  return header;
}

static GPtrArray *
read_sheets (SsappStore *store, const char *const *ids, GError **error)
{
  g_autoptr (GPtrArray) sheets = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_provenance_sheet_free);

  for (int i = 0; ids[i] != NULL; i++) {
    SsappProvenanceSheet *sheet = ssapp_provenance_sheet_new (store, ids[i], error);
    if (sheet == NULL)
      return NULL;
    g_ptr_array_add (sheets, sheet);
  }
  return g_steal_pointer (&sheets);
}

GtkWindow *
ssui_provenance_dialog_new (GtkWindow *parent, SsappStore *store, const char *const *ids, GError **error)
{
  GPtrArray *sheets = read_sheets (store, ids, error);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  Dialog *self;

  g_object_ref_sink (box);
  if (sheets == NULL) {
    g_object_unref (box);
    return NULL;
  }
  self = g_new0 (Dialog, 1);
  self->parent = parent;
  self->sheets = sheets;
  self->window = adw_window_new ();
  self->pages = gtk_stack_new ();
  for (guint i = 0; i < sheets->len; i++) {
    g_autofree char *name = g_strdup_printf ("%u", i);
    gtk_stack_add_named (GTK_STACK (self->pages), make_page (g_ptr_array_index (sheets, i)), name);
  }
  gtk_widget_set_vexpand (self->pages, TRUE);
  gtk_box_append (GTK_BOX (box), make_header (self));
  gtk_box_append (GTK_BOX (box), self->pages);
  adw_window_set_content (ADW_WINDOW (self->window), box);
  g_object_unref (box);
  ssui_keys_close (self->window);
  g_object_set_data_full (G_OBJECT (self->window), "provenance", self, dialog_free);
  gtk_window_set_title (GTK_WINDOW (self->window), _ ("Provenance"));
  gtk_window_set_transient_for (GTK_WINDOW (self->window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self->window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 680, 560);
  return GTK_WINDOW (self->window);
}
