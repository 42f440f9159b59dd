/* ui/parts/ssui-text-pane.c: see the header. */
#include "ui/parts/ssui-text-pane.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

enum { LEAST_WIDTH = 340 };

struct _SsuiTextPane {
  GtkWidget parent_instance;
  GtkWidget *box, *stack;
  SsuiEquationsView *equations;
  SsuiSourceView *source;
};

G_DEFINE_FINAL_TYPE (SsuiTextPane, ssui_text_pane, GTK_TYPE_WIDGET)

void
ssui_text_pane_set_session (SsuiTextPane *self, SsappSession *session)
{
  g_return_if_fail (SSUI_IS_TEXT_PANE (self) && (session == NULL || SSAPP_IS_SESSION (session)));
  ssui_equations_view_set_session (self->equations, session);
  ssui_source_view_set_document (self->source, ssapp_session_get_document (session));
}

void
ssui_text_pane_show (SsuiTextPane *self, const char *name)
{
  g_return_if_fail (SSUI_IS_TEXT_PANE (self));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
}

SsuiEquationsView *
ssui_text_pane_get_equations (SsuiTextPane *self)
{
  g_return_val_if_fail (SSUI_IS_TEXT_PANE (self), NULL);
  return self->equations;
}

SsuiSourceView *
ssui_text_pane_get_source (SsuiTextPane *self)
{
  g_return_val_if_fail (SSUI_IS_TEXT_PANE (self), NULL);
  return self->source;
}

static GtkWidget *
make_toggle (const char *label, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  return button;
}

static GtkWidget *
make_head (void)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *linked = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0),
            *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  gtk_widget_add_css_class (linked, "linked");
  gtk_widget_set_hexpand (linked, TRUE);
  gtk_box_append (GTK_BOX (linked),
                  make_toggle (_ ("Equations"), "win.equations", _ ("Equations of the sketch (Shift+Ctrl+E)")));
  gtk_box_append (GTK_BOX (linked), make_toggle (_ ("Source"), "win.source", _ ("Text of the scenario (Ctrl+U)")));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (close), "win.close-text");
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_tooltip_text (close, _ ("Close this pane"));
  ssui_set_label (close, _ ("Close the pane of text"));
  gtk_box_append (GTK_BOX (head), linked);
  gtk_box_append (GTK_BOX (head), close);
  gtk_widget_add_css_class (head, "source-foot");
  return head;
}

static void
ssui_text_pane_dispose (GObject *object)
{
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_text_pane_parent_class)->dispose (object);
}

static void
ssui_text_pane_class_init (SsuiTextPaneClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_text_pane_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_text_pane_init (SsuiTextPane *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->stack = gtk_stack_new ();
  self->equations = g_object_new (SSUI_TYPE_EQUATIONS_VIEW, NULL);
  self->source = g_object_new (SSUI_TYPE_SOURCE_VIEW, NULL);
  gtk_stack_add_named (GTK_STACK (self->stack), GTK_WIDGET (self->equations), "equations");
  gtk_stack_add_named (GTK_STACK (self->stack), GTK_WIDGET (self->source), "source");
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (self->box), make_head ());
  gtk_box_append (GTK_BOX (self->box), self->stack);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_size_request (GTK_WIDGET (self), LEAST_WIDTH, -1);
}
