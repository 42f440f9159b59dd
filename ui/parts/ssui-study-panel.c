/* ui/parts/ssui-study-panel.c: see the header. */
#include "ui/parts/ssui-study-panel.h"

#include "ui/parts/ssui-axis-popover.h"
#include "ui/parts/ssui-method-mark.h"
#include "ui/parts/ssui-method-popover.h"
#include "ui/parts/ssui-outcome-owners.h"
#include "ui/parts/ssui-study-ideas.h"
#include "ui/parts/ssui-study-limits.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define PANEL_WIDTH 256 /* px */

struct _SsuiStudyPanel {
  GtkWidget parent_instance;
  SsappSession *session;
  SsappStudySession *study;
  GtkWidget *outcomes, *add_outcome;
  GtkWidget *name, *scenario, *old, *axes, *add_axis, *methods, *add_method, *limits, *count, *stop, *again;
  GtkWidget *progress_words, *time_left, *bar, *chips, *running, *problem, *command;
  GPtrArray *counts; /* of GtkLabel: of each method */
  GPtrArray *marks;  /* of SsuiMethodMark: of each method */
};

G_DEFINE_FINAL_TYPE (SsuiStudyPanel, ssui_study_panel, GTK_TYPE_WIDGET)

/* ---- small parts ------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_label (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

/* As wide as the panel leaves it, whatever the text: cut there, or wrapped. */
static GtkWidget *
keep_narrow (GtkWidget *label, gboolean wraps)
{
  gtk_label_set_max_width_chars (GTK_LABEL (label), 1);
  gtk_widget_set_hexpand (label, TRUE);
  if (wraps)
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  else
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  return label;
}

/* A group's title, and at its end something to press. */
static GtkWidget *
make_head (const char *title, GtkWidget *end)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = make_label (title, "group-title");

  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (box, "study-head");
  gtk_box_append (GTK_BOX (box), label);
  if (end != NULL)
    gtk_box_append (GTK_BOX (box), end);
  return box;
}

/* GTK keeps the content of a menu button in its middle. */
static void
set_wide_child (GtkWidget *button, GtkWidget *child)
{
  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), child);
  for (GtkWidget *widget = child; widget != NULL && widget != button; widget = gtk_widget_get_parent (widget)) {
    gtk_widget_set_halign (widget, GTK_ALIGN_FILL);
    gtk_widget_set_hexpand (widget, TRUE);
  }
}

static GtkWidget *
make_add (const char *label, GtkWidget *popover)
{
  GtkWidget *button = gtk_menu_button_new (), *content = adw_button_content_new ();
  g_autofree char *name = g_strdup_printf (_ ("Add %s"), label);

  adw_button_content_set_icon_name (ADW_BUTTON_CONTENT (content), "list-add-symbolic");
  adw_button_content_set_label (ADW_BUTTON_CONTENT (content), label);
  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), content);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "study-add");
  gtk_widget_set_tooltip_text (button, name);
  ssui_set_label (button, name);
  return button;
}

static GtkWidget *
make_list (const char *name)
{
  GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class (list, "card");
  gtk_widget_add_css_class (list, "plain-card");
  gtk_widget_add_css_class (list, "study-list");
  gtk_widget_set_overflow (list, GTK_OVERFLOW_HIDDEN);
  ssui_set_label (list, name);
  return list;
}

static void
clear (GtkWidget *box)
{
  ssui_take_focus_from (box);
  ssui_empty (box);
}

/* ---- studies ----------------------------------------------------------------------------------------------------- */

static void
append_item (GMenu *menu, const char *label, const char *action, const char *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, target != NULL ? "s" : NULL, target);
  g_menu_append_item (menu, item);
}

static void
append_section (GMenu *menu, GMenu *section)
{
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_object_unref (section);
}

static void
show_names (SsuiStudyPanel *self)
{
  const SsappStudy *study = ssapp_study_session_get_study (self->study);
  g_autoptr (GPtrArray) list = ssapp_study_session_list (self->study);
  g_autoptr (GMenu) menu = g_menu_new ();
  GMenu *studies = g_menu_new (), *acts = g_menu_new (), *steps = g_menu_new ();
  const char *undo = ssapp_study_session_get_undo_label (self->study),
             *redo = ssapp_study_session_get_redo_label (self->study);

  for (guint k = 0; k < list->len; k++) {
    const SsappStudyRow *row = g_ptr_array_index (list, k);
    append_item (studies, row->title, "win.study-open", row->id);
  }
  append_item (acts, _ ("New Study"), "win.study-new", NULL);
  append_item (acts, _ ("Duplicate"), "win.study-duplicate", NULL);
  append_item (acts, _ ("Rename…"), "win.study-rename-dialog", NULL);
  append_item (acts, _ ("Delete"), "win.study-delete", NULL);
  if (undo != NULL) {
    g_autofree char *text = g_strdup_printf (_ ("Undo: %s"), undo);
    append_item (steps, text, "win.study-undo", NULL);
  }
  if (redo != NULL) {
    g_autofree char *text = g_strdup_printf (_ ("Redo: %s"), redo);
    append_item (steps, text, "win.study-redo", NULL);
  }
  append_section (menu, studies);
  append_section (menu, acts);
  append_section (menu, steps);
  ssui_set_menu (self->name, menu);
  gtk_label_set_text (GTK_LABEL (gtk_menu_button_get_child (GTK_MENU_BUTTON (self->name))),
                      study != NULL ? study->title : "");
}

static void
show_scenario (SsuiStudyPanel *self)
{
  const SsappStudy *study = ssapp_study_session_get_study (self->study);
  SsappDocument *document = ssapp_session_get_document (self->session);
  g_autoptr (GPtrArray) sketches = ssapp_sketches_list (ssapp_session_get_sketches (self->session), NULL);
  g_autoptr (GMenu) menu = g_menu_new ();
  GMenu *own = g_menu_new (), *others = g_menu_new ();
  g_autofree char *title = g_strdup_printf (_ ("%s, as It Is Now"), ssapp_document_get_title (document));

  append_item (own, title, "win.study-scenario", "");
  for (guint k = 0; sketches != NULL && k < sketches->len; k++) {
    const SsappSketchRow *row = g_ptr_array_index (sketches, k);
    if (g_strcmp0 (row->id, ssapp_sketches_get_current (ssapp_session_get_sketches (self->session))) != 0)
      append_item (others, row->title, "win.study-scenario", row->id);
  }
  append_section (menu, own);
  append_section (menu, others);
  ssui_set_menu (self->scenario, menu);
  gtk_label_set_text (GTK_LABEL (gtk_menu_button_get_child (GTK_MENU_BUTTON (self->scenario))),
                      study != NULL ? study->scenario_name : "");
  gtk_widget_set_visible (self->old, ssapp_study_session_is_scenario_old (self->study));
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_axis (SsuiStudyPanel *self, guint index)
{
  const SsappStudyAxis *axis = g_ptr_array_index (ssapp_study_session_get_study (self->study)->axes, index);
  GtkWidget *button = gtk_menu_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3),
            *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *name = make_label (axis->name, NULL), *note,
            *values = make_label (axis->text, "study-values");
  g_autofree char *words = ssapp_study_session_dup_axis_note (self->study, index),
                  *label = g_strdup_printf (_ ("Axis %s, %s: %s"), axis->name, words, axis->text);

  note = make_label (words, "dim-label");
  gtk_widget_add_css_class (note, "caption");
  keep_narrow (name, FALSE);
  keep_narrow (values, FALSE);
  gtk_box_append (GTK_BOX (head), name);
  gtk_box_append (GTK_BOX (head), note);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), values);
  set_wide_child (button, box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), ssui_axis_popover_new (self->study, axis->name));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_RIGHT);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "study-row");
  gtk_widget_set_tooltip_text (button, label);
  ssui_set_label (button, label);
  return button;
}

static void
show_axes (SsuiStudyPanel *self)
{
  const SsappStudy *study = ssapp_study_session_get_study (self->study);

  clear (self->axes);
  for (guint a = 0; study != NULL && a < study->axes->len; a++)
    gtk_box_append (GTK_BOX (self->axes), make_axis (self, a));
  if (study != NULL && study->axes->len == 0) {
    GtkWidget *hint = make_label (_ ("Nothing varies yet. Add an axis: a parameter, a start, a step."), "dim-label");
    keep_narrow (hint, TRUE);
    gtk_widget_add_css_class (hint, "study-hint");
    gtk_box_append (GTK_BOX (self->axes), hint);
  }
  ssui_study_ideas_append_axes (GTK_BOX (self->axes), self->study);
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

/* Name and unit, below them the formula; what figures show is told so. */
static GtkWidget *
make_outcome (SsuiStudyPanel *self, guint index)
{
  const char *text = g_ptr_array_index (ssapp_study_session_get_study (self->study)->outcomes, index),
             *equals = strchr (text, '='), *formula = equals != NULL ? equals + 1 : "";
  g_autofree char *own = g_strndup (text, (gsize)(formula - text - 1)),
                  *unit = ssapp_study_session_dup_outcome_unit (self->study, index),
                  *label = g_strdup_printf (_ ("Outcome %s: %s"), own, formula);
  const gboolean is_shown = strcmp (ssapp_study_session_get_choice (self->study, SSAPP_STUDY_HEAT), own) == 0;
  GtkWidget *button = gtk_menu_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3),
            *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *name = make_label (own, NULL),
            *of = make_label (unit, "dim-label"), *shown = make_label (is_shown ? "shown" : "", "dim-label"),
            *value = make_label (formula, "study-values"), *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (of, "caption");
  gtk_widget_add_css_class (shown, "caption");
  gtk_widget_add_css_class (value, "monospace");
  gtk_widget_set_hexpand (of, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  keep_narrow (value, FALSE);
  gtk_box_append (GTK_BOX (head), name);
  gtk_box_append (GTK_BOX (head), of);
  gtk_box_append (GTK_BOX (head), shown);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), value);
  set_wide_child (button, box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button),
                               ssui_outcome_popover_new (G_OBJECT (self->study), &ssui_outcome_owner_study, own));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_RIGHT);
  gtk_widget_set_hexpand (button, TRUE);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "study-row");
  gtk_widget_set_tooltip_text (button, label);
  ssui_set_label (button, label);
  gtk_box_append (GTK_BOX (row), button);
  if (!is_shown) {
    g_autofree char *tip = g_strdup_printf (_ ("Show %s in the figures"), own);
    GtkWidget *show = gtk_button_new_from_icon_name ("view-reveal-symbolic");
    gtk_widget_add_css_class (show, "flat");
    gtk_widget_add_css_class (show, "study-mark");
    gtk_widget_set_tooltip_text (show, tip);
    ssui_set_label (show, tip);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (show), "win.study-show-outcome");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (show), "s", own);
    gtk_box_append (GTK_BOX (row), show);
  }
  return row;
}

static void
show_outcomes (SsuiStudyPanel *self)
{
  const SsappStudy *study = ssapp_study_session_get_study (self->study);

  clear (self->outcomes);
  for (guint k = 0; study != NULL && k < study->outcomes->len; k++)
    gtk_box_append (GTK_BOX (self->outcomes), make_outcome (self, k));
  if (study != NULL && study->outcomes->len == 0) {
    GtkWidget *hint = make_label (_ ("Ask every run a question: where a body ends, what energy is lost."), "dim-label");
    keep_narrow (hint, TRUE);
    gtk_widget_add_css_class (hint, "study-hint");
    gtk_box_append (GTK_BOX (self->outcomes), hint);
  }
  ssui_study_ideas_append_outcomes (GTK_BOX (self->outcomes), self->study);
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static void
on_mark_toggled (GtkToggleButton *button, SsuiStudyPanel *self)
{
  ssapp_study_session_set_hidden (self->study, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "method")),
                                  !gtk_toggle_button_get_active (button));
}

/* The look of a method in the figures; its own before there are any. */
static void
show_look (SsuiStudyPanel *self, guint index)
{
  const SsappStudyMethod *method = g_ptr_array_index (ssapp_study_session_get_study (self->study)->methods, index);
  const SsappRunSet *set = ssapp_study_session_get_set (self->study);
  const int look = set != NULL && index < set->methods->len
                       ? ((const SsappRunMethod *)g_ptr_array_index (set->methods, index))->look
                       : -1;

  ssui_method_mark_set_look (g_ptr_array_index (self->marks, index), method->id, look);
}

static GtkWidget *
make_mark (SsuiStudyPanel *self, guint index, const SsappStudyMethod *method)
{
  GtkWidget *button = gtk_toggle_button_new (), *mark = ssui_method_mark_new ((SsMethodId){0});
  g_autofree char *label = g_strdup_printf (_ ("Show %s in the figures"), method->label);

  g_ptr_array_add (self->marks, mark);
  show_look (self, index);
  gtk_button_set_child (GTK_BUTTON (button), mark);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), !ssapp_study_session_is_hidden (self->study, index));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "study-mark");
  gtk_widget_set_tooltip_text (button, label);
  ssui_set_label (button, label);
  g_object_set_data (G_OBJECT (button), "method", GUINT_TO_POINTER (index));
  g_signal_connect_object (button, "toggled", G_CALLBACK (on_mark_toggled), self, 0);
  return button;
}

static GtkWidget *
make_method (SsuiStudyPanel *self, guint index)
{
  const SsappStudyMethod *method = g_ptr_array_index (ssapp_study_session_get_study (self->study)->methods, index);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *button = gtk_menu_button_new (),
            *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *name = make_label (method->label, NULL),
            *count = make_label ("", "dim-label");
  g_autofree char *text = ssapp_study_session_dup_method (self->study, index),
                  *label = g_strdup_printf (_ ("Method %s"), method->label);

  keep_narrow (name, FALSE);
  gtk_widget_add_css_class (count, "numeric");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), count);
  set_wide_child (button, box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), ssui_method_popover_new (self->study, (int)index));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_RIGHT);
  gtk_widget_set_hexpand (button, TRUE);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "study-row");
  gtk_widget_set_tooltip_text (button, text);
  ssui_set_label (button, label);
  gtk_box_append (GTK_BOX (row), make_mark (self, index, method));
  gtk_box_append (GTK_BOX (row), button);
  g_ptr_array_add (self->counts, count);
  return row;
}

static void
show_methods (SsuiStudyPanel *self)
{
  const SsappStudy *study = ssapp_study_session_get_study (self->study);

  clear (self->methods);
  g_ptr_array_set_size (self->counts, 0);
  g_ptr_array_set_size (self->marks, 0);
  for (guint m = 0; study != NULL && m < study->methods->len; m++)
    gtk_box_append (GTK_BOX (self->methods), make_method (self, m));
  if (study != NULL && study->methods->len == 0) {
    GtkWidget *hint = make_label (_ ("No method yet. Add those that are to be compared."), "dim-label");
    keep_narrow (hint, TRUE);
    gtk_widget_add_css_class (hint, "study-hint");
    gtk_box_append (GTK_BOX (self->methods), hint);
  }
}

/* ---- queue ------------------------------------------------------------------------------------------------------- */

static void
add_chip (SsuiStudyPanel *self, guint n, const char *outcome, const char *words)
{
  g_autofree char *text = *words != '\0' ? g_strdup_printf ("%u %s", n, words) : g_strdup_printf ("%u", n);
  GtkWidget *chip;

  if (n == 0)
    return;
  chip = ssui_chip_new ();
  ssui_chip_set (chip, outcome, text);
  gtk_widget_set_tooltip_text (chip, ssui_outcome_label (outcome));
  gtk_box_append (GTK_BOX (self->chips), chip);
}

/* What can be run once more, by how it ended. */
static void
show_again (SsuiStudyPanel *self, const SsappStudyProgress *progress)
{
  const struct {
    guint n;
    const char *words, *outcomes;
  } rows[] = {{progress->n_limited, N_ ("Limit of Time Reached (%u)"), "time_limit,cpu_limit"},
              {progress->n_failed, N_ ("Failed (%u)"), "failed,interrupted"},
              {progress->n_slow, N_ ("Machine Too Slow (%u)"), "machine_slow"},
              {progress->n_unsolved, N_ ("All That Ended Otherwise (%u)"), ""}};
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint k = 0; k < G_N_ELEMENTS (rows); k++) {
    g_autofree char *label = g_strdup_printf (_ (rows[k].words), rows[k].n);
    if (rows[k].n > 0)
      append_item (menu, label, "win.study-again", rows[k].outcomes);
  }
  ssui_set_menu (self->again, menu);
  gtk_widget_set_visible (self->again, progress->n_unsolved > 0 && !ssapp_study_session_is_running (self->study));
}

static void
show_running (SsuiStudyPanel *self)
{
  enum { SHOWN = 8 };
  g_autoptr (GArray) running = ssapp_study_session_list_running (self->study);

  clear (self->running);
  for (guint k = 0; k < running->len && k < SHOWN; k++) {
    const SsappStudyRunning *run = &g_array_index (running, SsappStudyRunning, k);
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *name = make_label (run->words, NULL), *time;
    g_autofree char *seconds = g_strdup_printf ("%.1f s", run->seconds);
    keep_narrow (name, FALSE);
    time = make_label (seconds, "dim-label");
    gtk_widget_add_css_class (time, "numeric");
    gtk_box_append (GTK_BOX (row), gtk_image_new_from_icon_name ("ss-running-symbolic"));
    gtk_box_append (GTK_BOX (row), name);
    gtk_box_append (GTK_BOX (row), time);
    gtk_widget_add_css_class (row, "study-running");
    gtk_box_append (GTK_BOX (self->running), row);
  }
}

static void
show_counts (SsuiStudyPanel *self)
{
  g_autoptr (GArray) counts = ssapp_study_session_count_methods (self->study);

  for (guint m = 0; m < self->counts->len && m < counts->len; m++) {
    g_autofree char *text = g_strdup_printf ("%u", g_array_index (counts, guint, m));
    gtk_label_set_text (g_ptr_array_index (self->counts, m), text);
    show_look (self, m);
  }
}

static void
show_progress (SsuiStudyPanel *self)
{
  g_autofree char *words = ssapp_study_session_dup_progress (self->study),
                  *left = ssapp_study_session_dup_time_left (self->study),
                  *problem = ssapp_study_session_dup_problem (self->study);
  SsappStudyProgress progress;

  ssapp_study_session_get_progress (self->study, &progress);
  gtk_label_set_text (GTK_LABEL (self->progress_words), words);
  gtk_label_set_text (GTK_LABEL (self->time_left), left);
  gtk_progress_bar_set_fraction (
      GTK_PROGRESS_BAR (self->bar),
      progress.n_tasks > 0 ? (double)(progress.n_solved + progress.n_unsolved) / progress.n_tasks : 0);
  clear (self->chips);
  add_chip (self, progress.n_solved, "solved", "");
  add_chip (self, progress.n_limited, "cpu_limit", "limit");
  add_chip (self, progress.n_failed, "failed", "failed");
  add_chip (self, progress.n_slow, "machine_slow", _ ("machine too slow"));
  add_chip (self, progress.n_unsolved - progress.n_limited - progress.n_failed - progress.n_slow, "stalled", "other");
  gtk_widget_set_visible (self->chips, progress.n_solved + progress.n_unsolved > 0);
  show_running (self);
  show_again (self, &progress);
  show_counts (self);
  gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem, problem != NULL && ssapp_study_session_get_study (self->study) != NULL);
  gtk_widget_set_visible (self->stop, ssapp_study_session_is_running (self->study));
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
show_all (SsuiStudyPanel *self)
{
  const gboolean can_edit =
      ssapp_study_session_get_study (self->study) != NULL && !ssapp_study_session_is_running (self->study);
  g_autofree char *command = ssapp_study_session_dup_command (self->study),
                  *count = ssapp_study_session_dup_count (self->study);

  show_names (self);
  show_scenario (self);
  show_outcomes (self);
  show_axes (self);
  show_methods (self);
  show_progress (self);
  gtk_label_set_text (GTK_LABEL (self->count), count);
  gtk_label_set_text (GTK_LABEL (self->command), command != NULL ? command : "");
  gtk_widget_set_tooltip_text (self->command, command);
  gtk_widget_set_sensitive (self->scenario, can_edit);
  gtk_widget_set_sensitive (self->axes, can_edit);
  gtk_widget_set_sensitive (self->outcomes, can_edit);
  gtk_widget_set_sensitive (self->add_outcome, can_edit);
  gtk_widget_set_sensitive (self->add_axis, can_edit);
  gtk_widget_set_sensitive (self->add_method, can_edit);
  gtk_widget_set_sensitive (self->limits, can_edit);
}

static void
on_document (SsuiStudyPanel *self)
{
  gtk_widget_set_visible (self->old, ssapp_study_session_is_scenario_old (self->study));
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_drop (const char *label)
{
  GtkWidget *button = gtk_menu_button_new ();

  set_wide_child (button, keep_narrow (make_label ("", NULL), FALSE));
  gtk_menu_button_set_always_show_arrow (GTK_MENU_BUTTON (button), TRUE);
  gtk_widget_add_css_class (button, "study-drop");
  gtk_widget_set_tooltip_text (button, label);
  ssui_set_label (button, label);
  return button;
}

static GtkWidget *
make_old (void)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Take the Changed Sketch"));

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "study-old");
  gtk_widget_set_tooltip_text (button,
                               _ ("The sketch was edited since the study took it. Runs that are there stay runs of the "
                                  "project"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.study-scenario");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", "");
  return button;
}

static GtkWidget *
make_queue (SsuiStudyPanel *self)
{
  GtkWidget *card = make_list (_ ("Queue")), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6),
            *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->progress_words = make_label ("", "heading");
  gtk_widget_set_hexpand (self->progress_words, TRUE);
  self->time_left = make_label ("", "dim-label");
  self->stop = gtk_button_new_from_icon_name ("media-playback-stop-symbolic");
  gtk_widget_add_css_class (self->stop, "flat");
  gtk_widget_add_css_class (self->stop, "small-button");
  gtk_widget_set_tooltip_text (self->stop, _ ("Stop the study, also what runs; Start goes on later"));
  ssui_set_label (self->stop, _ ("Stop the study"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->stop), "win.study-stop");
  self->again = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->again), "view-refresh-symbolic");
  gtk_widget_add_css_class (self->again, "flat");
  gtk_widget_add_css_class (self->again, "small-button");
  gtk_widget_set_tooltip_text (self->again, _ ("Run some once more, with the limits of now"));
  ssui_set_label (self->again, _ ("Run Again"));
  self->bar = gtk_progress_bar_new ();
  ssui_set_label (self->bar, _ ("Runs that have ended"));
  self->chips = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  self->problem = make_label ("", "dim-label");
  keep_narrow (self->problem, TRUE);
  gtk_widget_add_css_class (self->problem, "caption");
  self->running = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (head), self->progress_words);
  gtk_box_append (GTK_BOX (head), self->time_left);
  gtk_box_append (GTK_BOX (head), self->stop);
  gtk_box_append (GTK_BOX (head), self->again);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->bar);
  gtk_box_append (GTK_BOX (box), self->chips);
  gtk_box_append (GTK_BOX (box), self->problem);
  gtk_widget_add_css_class (box, "study-queue");
  gtk_box_append (GTK_BOX (card), box);
  gtk_box_append (GTK_BOX (card), self->running);
  return card;
}

static GtkWidget *
make_command (SsuiStudyPanel *self)
{
  GtkWidget *card = make_list (_ ("As a command")), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *title = make_label (_ ("As a command"), "dim-label"), *copy = gtk_button_new_with_label (_ ("Copy"));

  gtk_widget_set_hexpand (title, TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (copy), "win.study-copy-command");
  gtk_widget_add_css_class (copy, "study-copy");
  gtk_widget_set_tooltip_text (copy, _ ("Copy the command that makes this study"));
  ssui_set_label (copy, _ ("Copy the command"));
  self->command = make_label ("", "solver-text");
  keep_narrow (self->command, TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->command), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (self->command), 5);
  gtk_label_set_ellipsize (GTK_LABEL (self->command), PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (GTK_LABEL (self->command), FALSE);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), copy);
  gtk_box_append (GTK_BOX (card), head);
  gtk_box_append (GTK_BOX (card), self->command);
  gtk_widget_add_css_class (card, "study-command");
  return card;
}

static GtkWidget *
make_body (SsuiStudyPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->name = make_drop (_ ("Study on show: others, new, rename, delete"));
  gtk_widget_add_css_class (self->name, "heading");
  self->scenario = make_drop (_ ("Scenario of the study"));
  self->old = make_old ();
  self->outcomes = make_list (_ ("Outcomes"));
  self->add_outcome =
      make_add (_ ("Outcome"), ssui_outcome_popover_new (G_OBJECT (self->study), &ssui_outcome_owner_study, NULL));
  self->axes = make_list (_ ("Axes"));
  self->add_axis = make_add (_ ("Axis"), ssui_axis_popover_new (self->study, NULL));
  self->methods = make_list (_ ("Methods"));
  self->add_method = make_add (_ ("Method"), ssui_method_popover_new (self->study, -1));
  self->limits = ssui_study_limits_new (self->study);
  self->count = make_label ("", "dim-label");
  gtk_widget_add_css_class (self->count, "caption");
  gtk_widget_add_css_class (self->count, "study-count");
  keep_narrow (self->count, TRUE);
  gtk_box_append (GTK_BOX (box), self->name);
  gtk_box_append (GTK_BOX (box), make_head (_ ("Scenario"), NULL));
  gtk_box_append (GTK_BOX (box), self->scenario);
  gtk_box_append (GTK_BOX (box), self->old);
  gtk_box_append (GTK_BOX (box), make_head (_ ("Outcomes"), self->add_outcome));
  gtk_box_append (GTK_BOX (box), self->outcomes);
  gtk_box_append (GTK_BOX (box), make_head (_ ("Axes"), self->add_axis));
  gtk_box_append (GTK_BOX (box), self->axes);
  gtk_box_append (GTK_BOX (box), make_head (_ ("Methods"), self->add_method));
  gtk_box_append (GTK_BOX (box), self->methods);
  gtk_box_append (GTK_BOX (box), self->count);
  gtk_box_append (GTK_BOX (box), make_head (_ ("Queue"), self->limits));
  gtk_box_append (GTK_BOX (box), make_queue (self));
  return box;
}

GtkWidget *
ssui_study_panel_new (SsappSession *session)
{
  SsuiStudyPanel *self = g_object_new (SSUI_TYPE_STUDY_PANEL, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10), *scroller = gtk_scrolled_window_new (),
            *clamp = adw_clamp_new ();

  self->session = g_object_ref (session);
  self->study = g_object_ref (ssapp_session_get_study (session));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), make_body (self));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), make_command (self));
  gtk_widget_add_css_class (box, "study-panel");
  gtk_widget_set_size_request (box, PANEL_WIDTH, -1);
  /* Its texts would like to be wide. */
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), PANEL_WIDTH);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), PANEL_WIDTH);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_widget_set_parent (clamp, GTK_WIDGET (self));
  gtk_widget_set_hexpand (GTK_WIDGET (self), FALSE);
  g_signal_connect_object (self->study, "changed", G_CALLBACK (show_all), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->study, "looked", G_CALLBACK (show_outcomes), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->study, "runs", G_CALLBACK (show_outcomes), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->study, "progress", G_CALLBACK (show_progress), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_document (session), "changed", G_CALLBACK (on_document), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_sketches (session), "changed", G_CALLBACK (show_scenario), self,
                           G_CONNECT_SWAPPED);
  show_all (self);
  return GTK_WIDGET (self);
}

static void
ssui_study_panel_dispose (GObject *object)
{
  SsuiStudyPanel *self = SSUI_STUDY_PANEL (object);

  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_pointer (&self->counts, g_ptr_array_unref);
  g_clear_pointer (&self->marks, g_ptr_array_unref);
  g_clear_object (&self->study);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ssui_study_panel_parent_class)->dispose (object);
}

static void
ssui_study_panel_class_init (SsuiStudyPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_study_panel_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_study_panel_init (SsuiStudyPanel *self)
{
  self->counts = g_ptr_array_new ();
  self->marks = g_ptr_array_new ();
  gtk_widget_add_css_class (GTK_WIDGET (self), "sidebar-pane");
  gtk_widget_add_css_class (GTK_WIDGET (self), "region");
}
