/* ui/parts/ssui-guide-bar.c: see the header. */
#include "ui/parts/ssui-guide-bar.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define HERE "guide-here" /* class of the button to use */

struct _SsuiGuideBar {
  GtkWidget parent_instance;
  GtkWidget *revealer, *count, *title, *text, *skip, *next, *end;
};

G_DEFINE_FINAL_TYPE (SsuiGuideBar, ssui_guide_bar, GTK_TYPE_WIDGET)

/* ---- the button to use ------------------------------------------------------------------------------------------- */

static gboolean
is_button_of (GtkWidget *widget, const char *name, GVariant *target)
{
  GVariant *own;

  if (!GTK_IS_ACTIONABLE (widget) || g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), name) != 0)
    return FALSE;
  own = gtk_actionable_get_action_target_value (GTK_ACTIONABLE (widget));
  return target == NULL ? own == NULL : own != NULL && g_variant_equal (own, target);
}

static void
point_at (GtkWidget *widget, const char *name, GVariant *target)
{
  if (name != NULL && is_button_of (widget, name, target))
    gtk_widget_add_css_class (widget, HERE);
  else
    gtk_widget_remove_css_class (widget, HERE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    point_at (child, name, target);
}

void
ssui_guide_bar_point_at (GtkWidget *root, const char *detailed_action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (detailed_action != NULL && !g_action_parse_detailed_name (detailed_action, &name, &target, NULL))
    g_return_if_reached ();
  point_at (root, name, target);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

void
ssui_guide_bar_show (SsuiGuideBar *self, const SsappGuide *guide)
{
  g_return_if_fail (SSUI_IS_GUIDE_BAR (self) && guide != NULL);

  const SsappTutorial *tutorial = guide->tutorial;
  const SsappTutorialStep *step = ssapp_guide_get_step (guide);
  g_autofree char *count = NULL, *text = NULL;

  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), tutorial != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), tutorial != NULL);
  if (tutorial == NULL)
    return;
  gtk_widget_set_visible (self->skip, step != NULL);
  if (step != NULL) {
    count = g_strdup_printf (_ ("%s, step %d of %d"), _ (tutorial->title), guide->step + 1, tutorial->n_steps);
    /* a lesson begins with why it is one */
    text = guide->step == 0 && tutorial->idea != NULL ? g_strconcat (_ (tutorial->idea), "\n", _ (step->text), NULL)
                                                      : g_strdup (_ (step->text));
    gtk_widget_set_visible (self->next, FALSE);
    gtk_button_set_label (GTK_BUTTON (self->end), _ ("End"));
  } else {
    int n;
    const SsappTutorial *all = ssapp_tutorials (&n), *next = tutorial + 1 < all + n ? tutorial + 1 : NULL;
    count = g_strdup (_ (tutorial->title));
    text = next != NULL ? g_strdup_printf (_ ("Next could be: %s (%s)."), _ (next->title), _ (next->summary))
                        : g_strdup (_ ("That was the last one. Help (F1) tells what else each page does."));
    gtk_widget_set_visible (self->next, next != NULL);
    if (next != NULL) {
      gtk_button_set_label (GTK_BUTTON (self->next), _ (next->title));
      gtk_actionable_set_action_target (GTK_ACTIONABLE (self->next), "s", next->name);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->next), "win.tutorial");
    }
    gtk_button_set_label (GTK_BUTTON (self->end), _ ("Close"));
  }
  gtk_label_set_label (GTK_LABEL (self->count), count);
  gtk_label_set_label (GTK_LABEL (self->title), step != NULL ? _ (step->title) : _ ("Done"));
  gtk_label_set_label (GTK_LABEL (self->text), text);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
add_label (GtkBox *box, const char *class)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  gtk_box_append (box, label);
  return label;
}

static GtkWidget *
add_button (GtkBox *box, const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (box, button);
  return button;
}

static void
ssui_guide_bar_dispose (GObject *object)
{
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_guide_bar_parent_class)->dispose (object);
}

static void
ssui_guide_bar_class_init (SsuiGuideBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_guide_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ssui_guide_bar_init (SsuiGuideBar *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  self->revealer = gtk_revealer_new ();
  self->count = add_label (GTK_BOX (words), "caption");
  self->title = add_label (GTK_BOX (words), "heading");
  self->text = add_label (GTK_BOX (words), NULL);
  gtk_widget_add_css_class (self->count, "dim-label");
  gtk_widget_set_margin_end (words, 12);
  gtk_box_append (GTK_BOX (row), words);
  self->next = add_button (GTK_BOX (row), "", NULL); /* its action comes with its target */
  self->skip = add_button (GTK_BOX (row), _ ("Skip Step"), "win.tutorial-skip");
  self->end = add_button (GTK_BOX (row), _ ("End"), "win.tutorial-end");
  gtk_widget_add_css_class (row, "guide-bar");
  gtk_widget_add_css_class (row, "region");
  gtk_revealer_set_transition_type (GTK_REVEALER (self->revealer), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP);
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), row);
  gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  ssui_set_label (GTK_WIDGET (self), _ ("Tutorial"));
}
