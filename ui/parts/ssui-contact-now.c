/* ui/parts/ssui-contact-now.c: see the header. */
#include "ui/parts/ssui-contact-now.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

#define GAUGE_HEIGHT 42 /* px */

enum { ROW_STATE, ROW_GAP, ROW_NORMAL, ROW_FRICTION, N_ROWS };
static const char *const row_titles[N_ROWS] = {N_ ("State"), N_ ("Gap"), N_ ("Normal force"), N_ ("Friction force")};
static const char *const row_tips[N_ROWS] = {
    N_ ("Open, sticking or slipping, and which way"),
    N_ ("The smallest distance of the two bodies; below zero they overlap"),
    N_ ("Sum over the points of the contact; of methods that step by impulses, impulse divided by the step"),
    N_ ("Along the surface; the friction cone allows µ times the normal force")};

struct _SsuiContactNow {
  GtkWidget parent_instance;
  GtkWidget *time, *list, *values[N_ROWS], *rows[N_ROWS], *gauge_row, *gauge, *margin;
  SsappContactWatch *watch;
};

G_DEFINE_FINAL_TYPE (SsuiContactNow, ssui_contact_now, GTK_TYPE_WIDGET)

static void
set_row (SsuiContactNow *self, int row, char *text)
{
  gtk_label_set_text (GTK_LABEL (self->values[row]), text);
  ssui_set_description (self->rows[row], text);
  g_free (text);
}

static void
update (SsuiContactNow *self)
{
  const SsappContactReading *reading = ssapp_contact_watch_get (self->watch);
  const double time = ssapp_contact_watch_get_time (self->watch);
  g_autofree char *when = ssapp_contact_watch_describe_time (self->watch), *margin = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), reading != NULL);
  if (reading == NULL)
    return;
  gtk_label_set_text (GTK_LABEL (self->time), when != NULL ? when : _ ("in the sketch"));
  set_row (self, ROW_STATE, ssapp_contact_describe_state (reading));
  set_row (self, ROW_GAP, ssapp_contact_describe_gap (reading));
  gtk_widget_set_visible (self->rows[ROW_NORMAL], !isnan (time));
  gtk_widget_set_visible (self->rows[ROW_FRICTION], !isnan (time));
  gtk_widget_set_visible (self->gauge_row, isfinite (reading->share));
  if (!isnan (time)) {
    set_row (self, ROW_NORMAL, ssapp_contact_describe_normal (reading));
    set_row (self, ROW_FRICTION, ssapp_contact_describe_friction (reading));
  }
  margin = ssapp_contact_describe_margin (reading);
  gtk_label_set_text (GTK_LABEL (self->margin), margin);
  gtk_widget_set_visible (self->margin, *margin != '\0');
  gtk_widget_queue_draw (self->gauge);
}

static void
draw_gauge (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  SsuiContactNow *self = data;
  const SsappContactReading *reading = self->watch != NULL ? ssapp_contact_watch_get (self->watch) : NULL;
  SsappStyle style;

  ssui_style_init (&style, GTK_WIDGET (area));
  if (reading != NULL)
    ssapp_contact_draw_gauge (cr, &style, width, height, reading);
}

static GtkWidget *
make_row (GtkWidget *child)
{
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_widget_add_css_class (row, "field");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), child);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  return row;
}

static void
add_value (SsuiContactNow *self, int row)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *title = gtk_label_new (_ (row_titles[row]));

  self->values[row] = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (self->values[row]), 1);
  gtk_label_set_ellipsize (GTK_LABEL (self->values[row]), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->values[row], TRUE);
  gtk_widget_add_css_class (self->values[row], "numeric");
  if (row == ROW_STATE)
    gtk_widget_add_css_class (self->values[row], "heading");
  gtk_widget_add_css_class (box, "field-box");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), self->values[row]);
  self->rows[row] = make_row (box);
  gtk_widget_set_tooltip_text (self->rows[row], _ (row_tips[row]));
  ssui_set_label (self->rows[row], _ (row_titles[row]));
  gtk_list_box_append (GTK_LIST_BOX (self->list), self->rows[row]);
}

static void
ssui_contact_now_dispose (GObject *object)
{
  SsuiContactNow *self = SSUI_CONTACT_NOW (object);

  if (self->watch != NULL)
    g_signal_handlers_disconnect_by_data (self->watch, self);
  g_clear_object (&self->watch);
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_contact_now_parent_class)->dispose (object);
}

static void
ssui_contact_now_class_init (SsuiContactNowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_contact_now_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
ssui_contact_now_init (SsuiContactNow *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *title = gtk_label_new (_ ("Now")),
            *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (layout, 4);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_set_margin_start (title, 2);
  gtk_widget_add_css_class (title, "group-title");
  self->time = gtk_label_new ("");
  gtk_widget_add_css_class (self->time, "dim-label");
  gtk_widget_add_css_class (self->time, "caption");
  gtk_widget_add_css_class (self->time, "numeric");
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->time);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  ssui_set_label (self->list, _ ("Now"));
  for (int row = 0; row < N_ROWS; row++)
    add_value (self, row);
  self->gauge = gtk_drawing_area_new ();
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->gauge), GAUGE_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->gauge), draw_gauge, self, NULL);
  gtk_widget_set_tooltip_text (self->gauge, _ ("Friction force between −µ and µ times the normal force"));
  self->margin = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->margin), 0);
  gtk_label_set_wrap (GTK_LABEL (self->margin), TRUE);
  gtk_widget_set_tooltip_text (self->margin, _ ("With all other forces as they are at this time"));
  gtk_widget_add_css_class (self->margin, "caption");
  gtk_widget_add_css_class (box, "field-box");
  gtk_box_append (GTK_BOX (box), self->gauge);
  gtk_box_append (GTK_BOX (box), self->margin);
  self->gauge_row = make_row (box);
  ssui_set_label (self->gauge_row, _ ("Share of the friction cone"));
  gtk_list_box_append (GTK_LIST_BOX (self->list), self->gauge_row);
  gtk_widget_set_parent (head, GTK_WIDGET (self));
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));
}

GtkWidget *
ssui_contact_now_new (SsappContactWatch *watch)
{
  SsuiContactNow *self = g_object_new (SSUI_TYPE_CONTACT_NOW, NULL);

  self->watch = g_object_ref (watch);
  g_signal_connect_object (watch, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
