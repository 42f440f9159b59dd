/* ui/parts/ssui-overlap-chip.c: see the header. Tests: tests/ui/test_flush_block.py */
#include "ui/parts/ssui-overlap-chip.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_ROWS 12

struct _SsuiOverlapChip {
  GtkWidget parent_instance;
  GtkWidget *button, *box, *image, *label, *popover, *list;
  SsappDocument *document;
};

G_DEFINE_FINAL_TYPE (SsuiOverlapChip, ssui_overlap_chip, GTK_TYPE_WIDGET)

static void
on_row_activated (SsuiOverlapChip *self, GtkListBoxRow *row)
{
  const GArray *overlaps = ssapp_document_get_overlaps (self->document);
  const SsScene *scene = ssapp_document_get_scenario (self->document)->scene;
  const guint index = (guint)gtk_list_box_row_get_index (row);
  const SsappOverlap *overlap = index < overlaps->len ? &g_array_index (overlaps, SsappOverlap, index) : NULL;
  int body;

  if (overlap == NULL)
    return;
  body = scene->bodies[overlap->b].is_fixed ? overlap->a : overlap->b; /* the one that can go */
  gtk_widget_activate_action (GTK_WIDGET (self), "win.select", "s", scene->bodies[body].name);
}

/* Rows are made when the list is opened: an overlap changes with every move of a drag. */
static void
fill (SsuiOverlapChip *self)
{
  const GArray *overlaps = ssapp_document_get_overlaps (self->document);

  ssui_take_focus_from (self->list);
  ssui_empty (self->list);
  for (guint i = 0; i < overlaps->len && i < MOST_ROWS; i++) {
    g_autofree char *text =
        ssapp_document_describe_overlap (self->document, &g_array_index (overlaps, SsappOverlap, i));
    GtkWidget *label = gtk_label_new (text);

    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_max_width_chars (GTK_LABEL (label), 36);
    gtk_widget_set_margin_start (label, 6);
    gtk_widget_set_margin_end (label, 6);
    gtk_list_box_append (GTK_LIST_BOX (self->list), label);
    ssui_set_label (gtk_widget_get_parent (label), text);
  }
}

static void
update (SsuiOverlapChip *self)
{
  const guint n = ssapp_document_get_overlaps (self->document)->len;
  g_autofree char *text = n > 0 ? ssapp_document_describe_overlaps (self->document) : g_strdup (_ ("No errors"));

  if (strcmp (gtk_label_get_text (GTK_LABEL (self->label)), text) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (self->label), text);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->image), n > 0 ? "dialog-warning-symbolic" : "object-select-symbolic");
  gtk_widget_remove_css_class (self->box, n > 0 ? "good" : "attention");
  gtk_widget_add_css_class (self->box, n > 0 ? "attention" : "good");
  gtk_widget_set_sensitive (self->button, n > 0);
  gtk_widget_set_tooltip_text (self->button, n > 0 ? _ ("Bodies that overlap at the start") : _ ("No bodies overlap"));
  ssui_set_label (self->button, text);
  if (n == 0)
    gtk_popover_popdown (GTK_POPOVER (self->popover));
  else if (gtk_widget_get_visible (self->popover))
    fill (self);
}

void
ssui_overlap_chip_set_document (SsuiOverlapChip *self, SsappDocument *document)
{
  g_set_object (&self->document, document);
  g_signal_connect_object (document, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

static void
make_popover (SsuiOverlapChip *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *button = gtk_button_new_with_label (_ ("Separate"));

  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  ssui_set_label (self->list, _ ("Overlaps"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.separate");
  gtk_widget_set_tooltip_text (button, _ ("Move bodies apart by the shortest ways, the selected one first (O)"));
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (box), button);
  self->popover = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (self->popover), box);
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (on_row_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->popover, "show", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
}

static void
ssui_overlap_chip_dispose (GObject *object)
{
  SsuiOverlapChip *self = SSUI_OVERLAP_CHIP (object);

  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->document);
  G_OBJECT_CLASS (ssui_overlap_chip_parent_class)->dispose (object);
}

static void
ssui_overlap_chip_class_init (SsuiOverlapChipClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_overlap_chip_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_overlap_chip_init (SsuiOverlapChip *self)
{
  make_popover (self);
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  self->image = gtk_image_new ();
  self->label = gtk_label_new ("");
  gtk_widget_add_css_class (self->box, "chip");
  gtk_box_append (GTK_BOX (self->box), self->image);
  gtk_box_append (GTK_BOX (self->box), self->label);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_child (GTK_MENU_BUTTON (self->button), self->box);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (self->button), GTK_ARROW_UP);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), self->popover);
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_add_css_class (self->button, "chip-button");
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}
