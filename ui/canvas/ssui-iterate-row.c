/* ui/canvas/ssui-iterate-row.c: see the header. */
#include "ui/canvas/ssui-iterate-row.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

struct _SsuiIterateRow {
  GtkWidget parent_instance;
  GtkWidget *scale, *text, *start;
  GtkAdjustment *adjustment;
  char *id;  /* of the run whose iterates the button takes; nullable */
  int shown; /* kept iteration of that run; -1: the answer           */
  gboolean is_updating;
};

G_DEFINE_FINAL_TYPE (SsuiIterateRow, ssui_iterate_row, GTK_TYPE_WIDGET)

/* The first run with kept iterates; the largest iteration of all of them. */
static SsappRun *
first_run (GPtrArray *runs, int *most)
{
  SsappRun *first = NULL;

  *most = 0;
  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    const GArray *kept = ssapp_run_get_iterates (g_ptr_array_index (runs, i));
    if (kept->len == 0)
      continue;
    if (first == NULL)
      first = g_ptr_array_index (runs, i);
    *most = MAX (*most, g_array_index (kept, int, kept->len - 1));
  }
  return first;
}

void
ssui_iterate_row_set_runs (SsuiIterateRow *self, GPtrArray *runs)
{
  int most;
  SsappRun *run = first_run (runs, &most);
  g_autofree char *text = NULL;
  double value;

  gtk_widget_set_visible (GTK_WIDGET (self), run != NULL);
  if (run == NULL)
    return;
  g_free (self->id);
  self->id = g_strdup (ssapp_run_get_id (run));
  self->shown = ssapp_run_get_shown_iterate (run);
  text = self->shown >= 0 ? g_strdup_printf (_ ("iteration %d of %d"), self->shown, most) : g_strdup ("answer");
  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_widget_set_sensitive (self->start, self->shown >= 0);
  value = gtk_adjustment_get_value (self->adjustment);
  if (ssapp_run_iterate_up_to (run, (int)(value + 0.5)) != self->shown) /* somebody else chose it */
    value = self->shown;
  self->is_updating = TRUE;
  /* One further than the last kept iterate is the answer. */
  gtk_adjustment_configure (self->adjustment, self->shown < 0 ? most + 1 : value, 0, most + 1, 1, MAX (most / 10, 1),
                            0);
  self->is_updating = FALSE;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
on_value_changed (SsuiIterateRow *self)
{
  const int wanted = (int)(gtk_adjustment_get_value (self->adjustment) + 0.5);

  if (!self->is_updating)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.iterate", "i", wanted);
}

static void
on_start (SsuiIterateRow *self)
{
  if (self->id != NULL && self->shown >= 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.start-from-iterate", "(si)", self->id, self->shown);
}

static void
ssui_iterate_row_dispose (GObject *object)
{
  SsuiIterateRow *self = SSUI_ITERATE_ROW (object);

  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_pointer (&self->id, g_free);
  G_OBJECT_CLASS (ssui_iterate_row_parent_class)->dispose (object);
}

static void
ssui_iterate_row_class_init (SsuiIterateRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_iterate_row_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
ssui_iterate_row_init (SsuiIterateRow *self)
{
  GtkWidget *title = gtk_label_new (_ ("Iteration"));

  self->adjustment = gtk_adjustment_new (0, 0, 1, 1, 1, 0);
  self->scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->adjustment);
  self->text = gtk_label_new (NULL);
  self->start = gtk_button_new_with_label (_ ("Start From This"));
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))), 6);
  gtk_scale_set_draw_value (GTK_SCALE (self->scale), FALSE);
  gtk_widget_set_hexpand (self->scale, TRUE);
  gtk_label_set_width_chars (GTK_LABEL (self->text), 18);
  gtk_label_set_xalign (GTK_LABEL (self->text), 0);
  gtk_widget_add_css_class (title, "dim-label");
  gtk_widget_add_css_class (self->text, "numeric");
  gtk_widget_add_css_class (self->start, "flat");
  gtk_widget_set_tooltip_text (self->scale, _ ("Kept iterates, and the answer at the right end"));
  gtk_widget_set_tooltip_text (self->start, _ ("Solve again by the chosen optimisers, from the iterate on show"));
  ssui_set_label (self->scale, _ ("Iteration"));
  ssui_set_label (self->start, _ ("Start from this iterate"));
  gtk_widget_set_parent (title, GTK_WIDGET (self));
  gtk_widget_set_parent (self->scale, GTK_WIDGET (self));
  gtk_widget_set_parent (self->text, GTK_WIDGET (self));
  gtk_widget_set_parent (self->start, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  self->shown = -1;
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_value_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->start, "clicked", G_CALLBACK (on_start), self);
}

GtkWidget *
ssui_iterate_row_new (void)
{
  return g_object_new (SSUI_TYPE_ITERATE_ROW, NULL);
}
