/* ui/canvas/ssui-assertion-bar.c: see the header. Tests: tests/ui/test_sketch.py */
#include "ui/canvas/ssui-assertion-bar.h"

#include "app/job/ssapp-interests.h"
#include "ui/parts/ssui-outcome-owners.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

enum { NAME_CHARS = 28 };

struct _SsuiAssertionBar {
  GtkBox parent_instance;
  SsappDocument *document;  /* borrowed */
  GtkWidget *add, *popover; /* of a new one */
  GPtrArray *chips;         /* of GtkMenuButton, borrowed */
  char *shown;              /* formulas of the chips */
};

G_DEFINE_FINAL_TYPE (SsuiAssertionBar, ssui_assertion_bar, GTK_TYPE_BOX)

static GtkWidget *
chip_new (SsuiAssertionBar *self, const SsScenarioInterest *asked)
{
  GtkWidget *button = gtk_menu_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);

  gtk_widget_add_css_class (box, "chip");
  gtk_box_append (GTK_BOX (box), gtk_image_new ());
  gtk_box_append (GTK_BOX (box), gtk_label_new (asked->name));
  ssui_let_shrink (gtk_widget_get_last_child (box), NAME_CHARS);
  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), box);
  gtk_menu_button_set_popover (
      GTK_MENU_BUTTON (button),
      ssui_outcome_popover_new (G_OBJECT (self->document), &ssui_outcome_owner_document, asked->name));
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "chip-button");
  g_autofree char *tip = *asked->description != '\0' ? g_strdup_printf ("%s: %s", asked->description, asked->formula)
                                                     : g_strdup (asked->formula);
  gtk_widget_set_tooltip_text (button, tip);
  return button;
}

/* Chips for other formulas than before: made anew; one answer more or less changes no widget. */
static void
update_chips (SsuiAssertionBar *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  g_autoptr (GString) asked = g_string_new ("");

  for (int i = 0; i < scenario->n_interests; i++)
    g_string_append_printf (asked, "%s=%s\n%s\n", scenario->interests[i].name, scenario->interests[i].formula,
                            scenario->interests[i].description);
  if (g_strcmp0 (self->shown, asked->str) == 0)
    return;
  g_free (self->shown);
  self->shown = g_strdup (asked->str);
  ssui_take_focus_from (GTK_WIDGET (self));
  for (guint i = 0; i < self->chips->len; i++)
    gtk_box_remove (GTK_BOX (self), g_ptr_array_index (self->chips, i));
  g_ptr_array_set_size (self->chips, 0);
  for (int i = 0; i < scenario->n_interests; i++) {
    GtkWidget *chip = chip_new (self, &scenario->interests[i]);
    gtk_box_insert_child_after (GTK_BOX (self), chip,
                                i > 0 ? g_ptr_array_index (self->chips, self->chips->len - 1) : NULL);
    g_ptr_array_add (self->chips, chip);
  }
  gtk_widget_set_visible (GTK_WIDGET (self), scenario->n_interests > 0);
}

static void
set_chip (GtkWidget *button, const char *name, const json_t *answer)
{
  static const struct {
    const char *verdict, *style, *icon;
  } looks[] = {{"holds", "good", "object-select-symbolic"},
               {"fails", "bad", "window-close-symbolic"},
               {"untold", "attention", "dialog-question-symbolic"}};
  GtkWidget *box = gtk_menu_button_get_child (GTK_MENU_BUTTON (button)), *image = gtk_widget_get_first_child (box);
  const char *verdict = answer != NULL ? ssapp_interest_verdict (answer) : NULL, *icon = NULL;
  g_autofree char *told = answer != NULL ? ssapp_interest_dup_text (answer) : g_strdup ("…"),
                  *text = g_strdup_printf ("%s %s", name, told);

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++) {
    const gboolean is_it = g_strcmp0 (verdict, looks[i].verdict) == 0;
    if (is_it)
      gtk_widget_add_css_class (box, looks[i].style);
    else
      gtk_widget_remove_css_class (box, looks[i].style);
    icon = is_it ? looks[i].icon : icon;
  }
  gtk_widget_set_visible (image, icon != NULL);
  gtk_image_set_from_icon_name (GTK_IMAGE (image), icon);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (box)), text);
  ssui_set_label (button, text);
}

void
ssui_assertion_bar_show (SsuiAssertionBar *self, SsappRun *run)
{
  g_return_if_fail (SSUI_IS_ASSERTION_BAR (self) && self->document != NULL);
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);

  update_chips (self);
  if (self->chips->len == 0)
    return;
  const SsTrajectory *motion = run != NULL ? ssapp_run_get_trajectory (run) : NULL;
  g_autoptr (SsappInterests) interests = ssapp_interests_new_of (NULL, 0, scenario);
  json_t *answers = motion != NULL && motion->n_rows > 0
                        ? ssapp_interests_to_json (interests, NULL, motion, ssapp_run_get_result (run))
                        : NULL;

  for (guint i = 0; i < self->chips->len; i++) {
    const char *name = scenario->interests[i].name;
    set_chip (g_ptr_array_index (self->chips, i), name, json_object_get (answers, name));
  }
  json_decref (answers);
}

/* The first of a sketch has no chip to open it by: the bar is there as long as its popover. */
static void
on_new_outcome (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  SsuiAssertionBar *self = user_data;

  (void)action;
  (void)parameter;
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->add));
}

static void
on_closed (SsuiAssertionBar *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), self->chips->len > 0);
}

void
ssui_assertion_bar_add_actions (SsuiAssertionBar *self, GActionMap *map)
{
  g_return_if_fail (SSUI_IS_ASSERTION_BAR (self));
  const GActionEntry entries[] = {{.name = "new-outcome", .activate = on_new_outcome}};

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
}

void
ssui_assertion_bar_attach (SsuiAssertionBar *self, SsappDocument *document)
{
  g_return_if_fail (SSUI_IS_ASSERTION_BAR (self) && SSAPP_IS_DOCUMENT (document) && self->document == NULL);
  self->document = document;
  self->popover = ssui_outcome_popover_new (G_OBJECT (document), &ssui_outcome_owner_document, NULL);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->add), self->popover);
  g_signal_connect_object (self->popover, "closed", G_CALLBACK (on_closed), self, G_CONNECT_SWAPPED);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_assertion_bar_finalize (GObject *object)
{
  SsuiAssertionBar *self = SSUI_ASSERTION_BAR (object);

  g_free (self->shown);
  g_ptr_array_unref (self->chips);
  G_OBJECT_CLASS (ssui_assertion_bar_parent_class)->finalize (object);
}

static void
ssui_assertion_bar_class_init (SsuiAssertionBarClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssui_assertion_bar_finalize;
}

static void
ssui_assertion_bar_init (SsuiAssertionBar *self)
{
  self->chips = g_ptr_array_new ();
  self->add = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->add), "list-add-symbolic");
  gtk_widget_set_tooltip_text (self->add, _ ("Ask the motion: a condition that is to hold, or a number"));
  ssui_set_label (self->add, _ ("Add Outcome"));
  gtk_widget_add_css_class (self->add, "flat");
  gtk_widget_add_css_class (self->add, "study-add");
  gtk_widget_set_halign (self->add, GTK_ALIGN_START);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 2);
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_START);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_START);
  gtk_widget_set_margin_start (GTK_WIDGET (self), 34);
  gtk_widget_set_margin_top (GTK_WIDGET (self), 32);
  gtk_widget_add_css_class (GTK_WIDGET (self), "card");
  gtk_widget_add_css_class (GTK_WIDGET (self), "canvas-options");
  gtk_box_append (GTK_BOX (self), self->add);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ssui_assertion_bar_new (void)
{
  return g_object_new (SSUI_TYPE_ASSERTION_BAR, NULL);
}
