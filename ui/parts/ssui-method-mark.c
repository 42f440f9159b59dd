/* ui/parts/ssui-method-mark.c: see the header. */
#include "ui/parts/ssui-method-mark.h"

#include "ui/parts/ssui-util.h"

#define MARK_WIDTH  28 /* px */
#define MARK_HEIGHT 16 /* px */

struct _SsuiMethodMark {
  GtkWidget parent_instance;
  SsMethodKind kind;
  char *method; /* nullable */
  int copy;     /* of the method's id */
  int look;     /* -1: that of the method */
};

G_DEFINE_FINAL_TYPE (SsuiMethodMark, ssui_method_mark, GTK_TYPE_WIDGET)

static void
ssui_method_mark_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiMethodMark *self = SSUI_METHOD_MARK (widget);
  int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget);
  SsappStyle style;
  cairo_t *cr;

  if (self->method == NULL)
    return;
  ssui_style_init (&style, widget);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h));
  if (self->look >= 0)
    ssapp_draw_numbered_sample (cr, &style, self->look, 0, h / 2.0, w);
  else
    ssapp_draw_method_sample (cr, &style, (SsMethodId){self->kind, self->method, self->copy}, 0, h / 2.0, w);
  cairo_destroy (cr);
}

static void
ssui_method_mark_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline)
{
  (void)widget;
  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MARK_WIDTH : MARK_HEIGHT;
}

void
ssui_method_mark_set_method (SsuiMethodMark *self, SsMethodId method)
{
  ssui_method_mark_set_look (self, method, -1);
}

void
ssui_method_mark_set_look (SsuiMethodMark *self, SsMethodId method, int look)
{
  if (self->kind == method.kind && self->copy == method.copy && g_strcmp0 (self->method, method.name) == 0 &&
      self->look == look)
    return;
  self->look = look;
  g_free (self->method);
  self->kind = method.kind;
  self->copy = method.copy;
  self->method = g_strdup (method.name);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ssui_method_mark_finalize (GObject *object)
{
  g_free (SSUI_METHOD_MARK (object)->method);
  G_OBJECT_CLASS (ssui_method_mark_parent_class)->finalize (object);
}

static void
ssui_method_mark_class_init (SsuiMethodMarkClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = ssui_method_mark_finalize;
  widget_class->snapshot = ssui_method_mark_snapshot;
  widget_class->measure = ssui_method_mark_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ssui_method_mark_init (SsuiMethodMark *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  self->look = -1;
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

GtkWidget *
ssui_method_mark_new (SsMethodId method)
{
  SsuiMethodMark *self = g_object_new (SSUI_TYPE_METHOD_MARK, NULL);
  ssui_method_mark_set_method (self, method);
  return GTK_WIDGET (self);
}
