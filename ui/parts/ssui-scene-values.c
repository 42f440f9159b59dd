/* ui/parts/ssui-scene-values.c: see the header. Rows depend on the scene, so they are made here. */
#include "ui/parts/ssui-scene-values.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define SLIDER_STEPS 200

struct _SsuiSceneValues {
  GtkWidget parent_instance;
  GtkWidget *list;
  GPtrArray *names, *adjustments; /* by parameter */
  gboolean is_loading;
};

G_DEFINE_FINAL_TYPE (SsuiSceneValues, ssui_scene_values, GTK_TYPE_WIDGET)

static guint dragged_signal;

static void
on_value (GtkAdjustment *adjustment, SsuiSceneValues *self)
{
  guint k;

  if (!self->is_loading && g_ptr_array_find (self->adjustments, adjustment, &k))
    g_signal_emit (self, dragged_signal, 0, (int)k, gtk_adjustment_get_value (adjustment));
}

/* Digits that show a step of the slider. */
static guint
digits_of (double step)
{
  enum { MOST = 6 };
  return step > 0 && step < 1 ? (guint)MIN (ceil (-log10 (step)), MOST) : 0;
}

/* Name and entry above, slider below: as the rows of the page. */
static GtkWidget *
make_row (const SsParameter *parameter, GtkAdjustment *adjustment)
{
  const double step = gtk_adjustment_get_step_increment (adjustment);
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *name = gtk_label_new (parameter->name);
  GtkWidget *entry = gtk_spin_button_new (adjustment, step, parameter->is_integer ? 0 : digits_of (step));
  GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, adjustment);
  g_autofree char *entry_label = g_strdup_printf (_ ("Parameter %s"), parameter->name);
  g_autofree char *scale_label = g_strdup_printf (_ ("Parameter %s, slider"), parameter->name);

  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_widget_add_css_class (box, "impact-row");
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (entry), TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 5);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 6);
  gtk_widget_add_css_class (entry, "numeric");
  gtk_widget_add_css_class (entry, "plain-spin");
  gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
  if (parameter->description[0] != '\0')
    gtk_widget_set_tooltip_text (row, parameter->description);
  ssui_set_label (entry, entry_label);
  ssui_set_label (scale, scale_label);
  gtk_box_append (GTK_BOX (line), name);
  gtk_box_append (GTK_BOX (line), entry);
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), scale);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  return row;
}

static void
add_parameter (SsuiSceneValues *self, SsappImpactSource *source, int k)
{
  const SsParameter *parameter = ssapp_impact_source_get_parameter (source, k);
  double low, high;

  ssapp_impact_source_get_range (source, k, &low, &high);
  const double step = parameter->is_integer ? 1 : (high - low) / SLIDER_STEPS;
  GtkAdjustment *adjustment = gtk_adjustment_new (parameter->value, low, high, step, 10 * step, 0);
  g_ptr_array_add (self->adjustments, g_object_ref_sink (adjustment));
  g_ptr_array_add (self->names, g_strdup (parameter->name));
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (on_value), self, 0);
  gtk_list_box_append (GTK_LIST_BOX (self->list), make_row (parameter, adjustment));
}

static gboolean
has_same_names (const SsuiSceneValues *self, SsappImpactSource *source, int n)
{
  gboolean are_same = n == (int)self->names->len;
  for (int k = 0; k < n && are_same; k++)
    are_same = strcmp (g_ptr_array_index (self->names, k), ssapp_impact_source_get_parameter (source, k)->name) == 0;
  return are_same;
}

void
ssui_scene_values_load (SsuiSceneValues *self, SsappImpactSource *source)
{
  g_return_if_fail (SSUI_IS_SCENE_VALUES (self));
  const int n = source != NULL ? ssapp_impact_source_get_n_parameters (source) : 0;

  self->is_loading = TRUE;
  if (!has_same_names (self, source, n)) {
    ssui_take_focus_from (self->list);
    ssui_empty (self->list);
    g_ptr_array_set_size (self->adjustments, 0);
    g_ptr_array_set_size (self->names, 0);
    for (int k = 0; k < n; k++)
      add_parameter (self, source, k);
  }
  for (int k = 0; k < n; k++) {
    GtkAdjustment *own = g_ptr_array_index (self->adjustments, k);
    const double value = ssapp_impact_source_get_parameter (source, k)->value;
    if (value > gtk_adjustment_get_upper (own))
      gtk_adjustment_set_upper (own, value);
    gtk_adjustment_set_value (own, value);
  }
  self->is_loading = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
}

gboolean
ssui_scene_values_set (SsuiSceneValues *self, const char *name, double value)
{
  g_return_val_if_fail (SSUI_IS_SCENE_VALUES (self), FALSE);
  for (guint k = 0; k < self->names->len; k++)
    if (strcmp (g_ptr_array_index (self->names, k), name) == 0) {
      gtk_adjustment_set_value (g_ptr_array_index (self->adjustments, k), value);
      return TRUE;
    }
  return FALSE;
}

static void
ssui_scene_values_dispose (GObject *object)
{
  SsuiSceneValues *self = SSUI_SCENE_VALUES (object);

  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_pointer (&self->adjustments, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_scene_values_parent_class)->dispose (object);
}

static void
ssui_scene_values_class_init (SsuiSceneValuesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_scene_values_dispose;
  dragged_signal = g_signal_new ("dragged", SSUI_TYPE_SCENE_VALUES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 2, G_TYPE_INT, G_TYPE_DOUBLE);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
ssui_scene_values_init (SsuiSceneValues *self)
{
  GtkWidget *title = gtk_label_new (_ ("Scene"));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "group-title");
  gtk_widget_add_css_class (title, "impact-group");
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  gtk_widget_add_css_class (self->list, "impact-list");
  gtk_widget_set_parent (title, GTK_WIDGET (self));
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->adjustments = g_ptr_array_new_with_free_func (g_object_unref);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
