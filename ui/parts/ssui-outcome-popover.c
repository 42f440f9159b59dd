/* ui/parts/ssui-outcome-popover.c: see the header. */
#include "ui/parts/ssui-outcome-popover.h"

#include "app/session/ssapp-outcome-ideas.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define POPOVER_WIDTH 360 /* px */

struct _SsuiOutcomePopover {
  GtkPopover parent_instance;
  GObject *owner;
  const SsuiOutcomeOwner *functions;
  char *outcome; /* that is changed; nullable */
  GtkWidget *name, *formula, *words, *done, *ideas;
};

G_DEFINE_FINAL_TYPE (SsuiOutcomePopover, ssui_outcome_popover, GTK_TYPE_POPOVER)

static char *
dup_text (SsuiOutcomePopover *self)
{
  return g_strdup_printf ("%s=%s", gtk_editable_get_text (GTK_EDITABLE (self->name)),
                          gtk_editable_get_text (GTK_EDITABLE (self->formula)));
}

static void
set_error (GtkWidget *widget, gboolean is_wrong)
{
  if (is_wrong)
    gtk_widget_add_css_class (widget, "error");
  else
    gtk_widget_remove_css_class (widget, "error");
}

static void
check (SsuiOutcomePopover *self)
{
  g_autofree char *text = dup_text (self);
  g_autoptr (GError) error = NULL;
  g_autofree char *words = self->functions->try_outcome (self->owner, self->outcome, text, &error);

  gtk_label_set_text (GTK_LABEL (self->words), words != NULL ? words : error->message);
  gtk_widget_set_sensitive (self->done, words != NULL);
  set_error (self->words, words == NULL);
  set_error (self->formula, words == NULL && *gtk_editable_get_text (GTK_EDITABLE (self->formula)) != '\0');
}

static void
act (SsuiOutcomePopover *self, const char *action, const char *text)
{
  g_autofree char *name = g_strdup (self->outcome != NULL ? self->outcome : "");

  g_object_ref (self);
  gtk_popover_popdown (GTK_POPOVER (self));
  if (text != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), action, "(ss)", name, text);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), action, "s", name);
  g_object_unref (self);
}

static void
on_done (SsuiOutcomePopover *self)
{
  g_autofree char *text = dup_text (self);

  check (self);
  if (gtk_widget_get_sensitive (self->done))
    act (self, self->functions->set_action, text);
}

static void
on_remove (SsuiOutcomePopover *self)
{
  act (self, self->functions->remove_action, NULL);
}

/* A formula to begin with; the name too, where none was typed. */
static void
on_idea (SsuiOutcomePopover *self, GtkListBoxRow *row)
{
  const SsappOutcomeIdea *idea = g_object_get_data (G_OBJECT (row), "idea");

  if (*gtk_editable_get_text (GTK_EDITABLE (self->name)) == '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->name), idea->name);
  gtk_editable_set_text (GTK_EDITABLE (self->formula), idea->formula);
  gtk_widget_grab_focus (self->formula);
}

static GtkWidget *
make_idea (const SsappOutcomeIdea *idea)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12),
            *formula = gtk_label_new (idea->formula), *title = gtk_label_new (idea->title);
  g_autofree char *label = g_strdup_printf ("%s: %s", idea->title, idea->formula);

  gtk_label_set_xalign (GTK_LABEL (formula), 0);
  gtk_label_set_ellipsize (GTK_LABEL (formula), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (formula, TRUE);
  gtk_widget_add_css_class (formula, "monospace");
  gtk_widget_add_css_class (formula, "caption");
  gtk_widget_add_css_class (title, "dim-label");
  gtk_widget_add_css_class (title, "caption");
  gtk_box_append (GTK_BOX (box), formula);
  gtk_box_append (GTK_BOX (box), title);
  gtk_widget_add_css_class (box, "study-choice");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  ssui_set_label (row, label);
  g_object_set_data (G_OBJECT (row), "idea", (gpointer)idea);
  return row;
}

static void
show_ideas (SsuiOutcomePopover *self)
{
  GPtrArray *ideas = self->functions->list_ideas (self->owner);

  ssui_take_focus_from (self->ideas);
  ssui_empty (self->ideas);
  for (guint k = 0; k < ideas->len; k++)
    gtk_list_box_append (GTK_LIST_BOX (self->ideas), make_idea (g_ptr_array_index (ideas, k)));
  /* rows borrow from it */
  g_object_set_data_full (G_OBJECT (self->ideas), "ideas", ideas, (GDestroyNotify)g_ptr_array_unref);
}

static void
on_show (SsuiOutcomePopover *self)
{
  g_autofree char *formula = self->outcome != NULL ? self->functions->dup_formula (self->owner, self->outcome) : NULL;

  gtk_editable_set_text (GTK_EDITABLE (self->name), self->outcome != NULL ? self->outcome : "");
  gtk_editable_set_text (GTK_EDITABLE (self->formula), formula != NULL ? formula : "");
  show_ideas (self);
  check (self);
  gtk_widget_grab_focus (self->name);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_entry (SsuiOutcomePopover *self, const char *label, const char *hint)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), hint);
  ssui_set_label (entry, label);
  g_signal_connect_object (entry, "changed", G_CALLBACK (check), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (entry, "activate", G_CALLBACK (on_done), self, G_CONNECT_SWAPPED);
  return entry;
}

static GtkWidget *
make_head (SsuiOutcomePopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *title = gtk_label_new (_ (self->outcome != NULL ? self->functions->title : self->functions->new_title)),
            *remove =
                ssui_icon_button_new ("user-trash-symbolic", _ ("Remove the outcome"), G_CALLBACK (on_remove), self);

  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_set_visible (remove, self->outcome != NULL);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), remove);
  return box;
}

static void
fill (SsuiOutcomePopover *self, GtkBox *box)
{
  self->name = make_entry (self, _ ("Name of the outcome"), _ ("Name, such as third"));
  self->formula = make_entry (self, _ ("Formula of the outcome"), _ ("Formula, such as final(box3.x)"));
  gtk_widget_add_css_class (self->formula, "monospace");
  self->words = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->words), 0);
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->words), 1);
  gtk_widget_set_hexpand (self->words, TRUE);
  gtk_widget_add_css_class (self->words, "caption");
  gtk_widget_add_css_class (self->words, "study-words");
  self->ideas = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->ideas), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->ideas, "study-choices");
  ssui_set_label (self->ideas, _ ("Formulas to begin with"));
  self->done = gtk_button_new_with_label (self->outcome != NULL ? _ ("Change Outcome") : _ ("Add Outcome"));
  gtk_widget_add_css_class (self->done, "suggested-action");
  g_signal_connect_object (self->ideas, "row-activated", G_CALLBACK (on_idea), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->done, "clicked", G_CALLBACK (on_done), self, G_CONNECT_SWAPPED);
  gtk_box_append (box, make_head (self));
  gtk_box_append (box, self->name);
  gtk_box_append (box, self->formula);
  gtk_box_append (box, self->words);
  gtk_box_append (box, self->ideas);
  gtk_box_append (box, self->done);
}

GtkWidget *
ssui_outcome_popover_new (GObject *owner, const SsuiOutcomeOwner *functions, const char *name)
{
  SsuiOutcomePopover *self = g_object_new (SSUI_TYPE_OUTCOME_POPOVER, NULL);

  self->owner = g_object_ref (owner);
  self->functions = functions;
  self->outcome = g_strdup (name);
  fill (self, GTK_BOX (gtk_popover_get_child (GTK_POPOVER (self))));
  return GTK_WIDGET (self);
}

static void
ssui_outcome_popover_dispose (GObject *object)
{
  SsuiOutcomePopover *self = SSUI_OUTCOME_POPOVER (object);

  g_clear_object (&self->owner);
  g_clear_pointer (&self->outcome, g_free);
  G_OBJECT_CLASS (ssui_outcome_popover_parent_class)->dispose (object);
}

static void
ssui_outcome_popover_class_init (SsuiOutcomePopoverClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_outcome_popover_dispose;
}

static void
ssui_outcome_popover_init (SsuiOutcomePopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_widget_set_size_request (box, POPOVER_WIDTH, -1);
  gtk_popover_set_child (GTK_POPOVER (self), box);
  g_signal_connect (self, "show", G_CALLBACK (on_show), NULL);
}
