/* ui/parts/ssui-study-ideas.c: see the header. */
#include "ui/parts/ssui-study-ideas.h"

#include "app/study/ssapp-study-ideas.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

enum { MAX_OUTCOMES = 2, ENOUGH_AXES = 2 };

static GtkWidget *
make_label (const char *text, gboolean is_dim)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "caption");
  if (is_dim)
    gtk_widget_add_css_class (label, "dim-label");
  return label;
}

/* Text, and a note at its end that is cut where there is no room. */
static GtkWidget *
make_idea (const char *text, const char *note, const char *name, const char *tip)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *words = make_label (note, TRUE);
  g_autofree char *label = g_strdup_printf (_ ("Add %s"), name);

  gtk_label_set_max_width_chars (GTK_LABEL (words), 1);
  gtk_label_set_xalign (GTK_LABEL (words), 1);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("list-add-symbolic"));
  gtk_box_append (GTK_BOX (box), make_label (text, FALSE));
  gtk_box_append (GTK_BOX (box), words);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "study-idea");
  gtk_widget_set_tooltip_text (button, tip);
  ssui_set_label (button, label);
  return button;
}

void
ssui_study_ideas_append_outcomes (GtkBox *list, SsappStudySession *study)
{
  const SsappStudy *now = ssapp_study_session_get_study (study);

  if (now == NULL || now->outcomes->len > 0)
    return;
  g_autoptr (GPtrArray) ideas = ssapp_study_session_list_ideas (study);
  for (guint k = 0; k < ideas->len && k < MAX_OUTCOMES; k++) {
    const SsappOutcomeIdea *idea = g_ptr_array_index (ideas, k);
    g_autofree char *text = g_strdup_printf ("%s=%s", idea->name, idea->formula),
                    *tip = g_strdup_printf (_ ("Ask every run %s: %s"), idea->title, idea->formula);
    GtkWidget *button = make_idea (idea->title, idea->formula, idea->formula, tip);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.study-set-outcome");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ss)", "", text);
    gtk_box_append (list, button);
  }
}

void
ssui_study_ideas_append_axes (GtkBox *list, SsappStudySession *study)
{
  const SsappStudy *now = ssapp_study_session_get_study (study);

  if (now == NULL || now->axes->len >= ENOUGH_AXES)
    return;
  g_autoptr (GPtrArray) ideas = ssapp_study_list_ideas (now);
  for (guint k = 0; k < ideas->len; k++) {
    const SsappAxisIdea *idea = g_ptr_array_index (ideas, k);
    g_autofree char *with = idea->with_name != NULL
                                ? g_strdup_printf (_ (" With %s: %s."), idea->with_name, idea->with_values)
                                : g_strdup ("");
    g_autofree char *tip = idea->method != NULL
                               ? g_strdup_printf (_ ("%s: %s. By %s alone. %s%s"), idea->name, idea->values,
                                                  idea->method->label, idea->title, with)
                               : g_strdup_printf ("%s: %s. %s%s", idea->name, idea->values, idea->title, with);
    GtkWidget *button = make_idea (idea->name, idea->values, idea->name, tip);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.study-take-idea");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", idea->name);
    gtk_box_append (list, button);
  }
}
