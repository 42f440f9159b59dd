/* ui/window/ssui-accuracy-window.c: see the header. */
#include "ui/window/ssui-accuracy-window.h"

#include "app/study/ssapp-accuracy-ask.h"
#include "app/study/ssapp-accuracy-draw.h"
#include "app/study/ssapp-accuracy-runs.h"
#include "ui/parts/ssui-keys.h"
#include "ui/parts/ssui-table-book.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 1100, HEIGHT = 720, MARGIN = 12, LEAST = 480, SIDE_WIDTH = 310, PICTURE_HEIGHT = 220 };
static const double FIGURE_MM = 180;

/* Methods that are chosen to begin with: one of each kind of law, all fast. */
static const char *const usual[] = {"moreau-jean", "stewart-trinkle", "event-driven", "fesd-j", NULL};

/* The choice of references, in its order. */
enum { AGAINST_METHOD, AGAINST_OWN, AGAINST_FORMULAS, AGAINST_OTHER };

struct _SsuiAccuracyWindow {
  AdwWindow parent_instance;
  SsappAccuracyRuns *runs; /* of the last run; NULL: none yet */
  AdwWindowTitle *title;
  AdwToastOverlay *toasts;
  GtkWidget *run, *stop, *take, *side, *steps, *against, *what, *kind, *outcome, *told, *spinner, *stack, *empty,
      *picture, *book;
  GPtrArray *checks; /* of GtkCheckButton; borrowed */
};

G_DEFINE_FINAL_TYPE (SsuiAccuracyWindow, ssui_accuracy_window, ADW_TYPE_WINDOW)

static gboolean
is_running (SsuiAccuracyWindow *self)
{
  return self->runs != NULL && ssapp_accuracy_runs_is_running (self->runs);
}

static const SsappAccuracy *
accuracy_of (SsuiAccuracyWindow *self)
{
  const SsappAccuracy *accuracy = self->runs != NULL ? ssapp_accuracy_runs_get (self->runs) : NULL;

  return accuracy != NULL && accuracy->rows->len > 0 ? accuracy : NULL;
}

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

static void
update (SsuiAccuracyWindow *self)
{
  const gboolean runs = is_running (self);

  gtk_widget_set_visible (self->run, !runs);
  gtk_widget_set_visible (self->stop, runs);
  gtk_widget_set_sensitive (self->side, !runs);
  gtk_widget_set_sensitive (self->take, accuracy_of (self) != NULL);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), runs);
  gtk_widget_set_visible (self->spinner, runs);
}

static void
show_results (SsuiAccuracyWindow *self)
{
  const SsappAccuracy *accuracy = accuracy_of (self);

  if (accuracy == NULL)
    return;
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();
  g_ptr_array_add (tables, ssapp_accuracy_orders_table (accuracy));
  g_ptr_array_add (tables, ssapp_accuracy_runs_table (accuracy));
  g_ptr_array_add (tables, ssapp_accuracy_energy_table (accuracy));
  ssui_table_book_load (SSUI_TABLE_BOOK (self->book), tables);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "results");
  gtk_widget_queue_draw (self->picture);
}

static void
on_changed (SsuiAccuracyWindow *self)
{
  guint done, total;
  g_autofree char *words = NULL, *text = NULL;

  ssapp_accuracy_runs_get_progress (self->runs, &done, &total, &words);
  text = g_strdup_printf (*words != '\0' ? _ ("%u of %u runs: %s") : _ ("%u of %u runs"), done, total, words);
  gtk_label_set_text (GTK_LABEL (self->told), text);
  gtk_widget_queue_draw (self->picture);
}

static void
on_ended (SsuiAccuracyWindow *self)
{
  const char *lost = ssapp_accuracy_runs_get_store_error (self->runs);
  guint done, total;
  g_autofree char *text = NULL;

  ssapp_accuracy_runs_get_progress (self->runs, &done, &total, NULL);
  if (ssapp_accuracy_runs_was_stopped (self->runs))
    text = g_strdup_printf (_ ("Stopped after %u of %u runs"), done, total);
  else if (lost != NULL)
    text = g_strdup_printf (_ ("%u runs; not all are stored: %s"), total, lost);
  else
    text = g_strdup_printf (_ ("%u runs, kept in the project as a comparison"), total);
  gtk_label_set_text (GTK_LABEL (self->told), text);
  show_results (self);
  update (self);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  SsuiAccuracyWindow *self = data;
  const SsappAccuracy *accuracy = accuracy_of (self);
  SsappStyle style;

  if (accuracy == NULL)
    return;
  ssui_style_init (&style, GTK_WIDGET (area));
  ssapp_accuracy_draw (cr, &style, accuracy, width, height);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void
let_go (SsuiAccuracyWindow *self)
{
  if (self->runs != NULL)
    g_signal_handlers_disconnect_by_data (self->runs, self);
  g_clear_object (&self->runs);
}

gboolean
ssui_accuracy_window_run (SsuiAccuracyWindow *self, const SsScenario *scenario, SsappStore *store, const char *methods,
                          const char *steps, const char *reference, const char *error_name, GError **error)
{
  SsappErrorKind kind = SSAPP_ERROR_MEAN;
  SsappAccuracyReference against;

  if (is_running (self)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY, _ ("Runs are being made: stop them first"));
    return FALSE;
  }
  const char *outcome = strchr (error_name, '=') != NULL ? error_name : NULL;
  if (outcome != NULL)
    kind = SSAPP_ERROR_OUTCOME;
  else
    (void)ssapp_error_kind_from_name (error_name, &kind); /* another name: the usual one */
  g_autoptr (GPtrArray) list = ssapp_accuracy_read_methods (methods, error);
  if (list == NULL)
    return FALSE;
  g_autoptr (GArray) lengths = ssapp_accuracy_read_steps (steps, scenario->task.t_end, error);
  if (lengths == NULL || !ssapp_accuracy_read_reference (reference, scenario, store, &against, error))
    return FALSE;
  const SsappAccuracyPlan plan = {
      .scenario_text = scenario->text,
      .scenario_name = scenario->name,
      .methods = list,
      .steps = (const double *)(const void *)lengths->data,
      .n_steps = lengths->len,
      .t_end = NAN,
      .reference = against.method,
      .truth = g_steal_pointer (&against.truth),
      .reference_step = NAN,
      .kind = kind,
      .repeats = 1,
      .time_limit = NAN,
      .outcome = outcome,
      .store = store,
  };
  SsappAccuracyRuns *runs = ssapp_accuracy_runs_new (&plan, error);
  ssapp_accuracy_reference_clear (&against);
  if (runs == NULL)
    return FALSE;
  let_go (self);
  self->runs = runs;
  g_signal_connect_object (runs, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (runs, "ended", G_CALLBACK (on_ended), self, G_CONNECT_SWAPPED);
  ssapp_accuracy_runs_start (runs);
  on_changed (self);
  update (self);
  return TRUE;
}

void
ssui_accuracy_window_stop (SsuiAccuracyWindow *self)
{
  if (is_running (self))
    ssapp_accuracy_runs_stop (self->runs);
}

const SsappTable *
ssui_accuracy_window_get_table (SsuiAccuracyWindow *self)
{
  return ssui_table_book_get_shown (SSUI_TABLE_BOOK (self->book));
}

gboolean
ssui_accuracy_window_save_figure (SsuiAccuracyWindow *self, const char *path, GError **error)
{
  const SsappAccuracy *accuracy = accuracy_of (self);

  if (accuracy != NULL)
    return ssapp_accuracy_export (accuracy, FIGURE_MM, path, error);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no figure yet: run it first"));
  return FALSE;
}

void
ssui_accuracy_window_tell (SsuiAccuracyWindow *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->told), text);
}

void
ssui_accuracy_window_toast (SsuiAccuracyWindow *self, const char *text)
{
  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (text));
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static char *
chosen_methods (SsuiAccuracyWindow *self)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < self->checks->len; i++)
    if (gtk_check_button_get_active (g_ptr_array_index (self->checks, i)))
      g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "",
                              (const char *)g_object_get_data (g_ptr_array_index (self->checks, i), "method"));
  return g_string_free (list, FALSE);
}

static void
on_run (SsuiAccuracyWindow *self)
{
  static const char *const kinds[] = {"mean", "max", "end"}; /* then what is asked */
  const guint against = adw_combo_row_get_selected (ADW_COMBO_ROW (self->against));
  const guint kind = adw_combo_row_get_selected (ADW_COMBO_ROW (self->kind));
  const char *outcome = gtk_editable_get_text (GTK_EDITABLE (self->outcome));
  g_autofree char *methods = chosen_methods (self);
  const char *reference = against == AGAINST_METHOD ? ""
                          : against == AGAINST_OWN  ? "own"
                                                    : gtk_editable_get_text (GTK_EDITABLE (self->what));

  if (*methods == '\0')
    ssui_accuracy_window_tell (self, _ ("Choose a simulator first"));
  else if (kind >= G_N_ELEMENTS (kinds) && strchr (outcome, '=') == NULL)
    ssui_accuracy_window_tell (self, _ ("Type the outcome as a name and a formula, such as third=final(box3.x)"));
  else if (against >= AGAINST_FORMULAS && *reference == '\0')
    ssui_accuracy_window_tell (self, _ ("Type what motions are compared with"));
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.accuracy-run", "(ssss)", methods,
                                gtk_editable_get_text (GTK_EDITABLE (self->steps)), reference,
                                kind < G_N_ELEMENTS (kinds) ? kinds[kind] : outcome);
}

static void
on_against (SsuiAccuracyWindow *self)
{
  const guint against = adw_combo_row_get_selected (ADW_COMBO_ROW (self->against));

  gtk_widget_set_visible (self->outcome,
                          adw_combo_row_get_selected (ADW_COMBO_ROW (self->kind)) == SSAPP_ERROR_OUTCOME);
  gtk_widget_set_visible (self->what, against >= AGAINST_FORMULAS);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->what),
                                 against == AGAINST_FORMULAS ? _ ("Formulas, such as box.x=g*t^2/2; box.y=0")
                                                             : _ ("File (.csv, .json) or run of the project"));
}

void
ssui_accuracy_window_load (SsuiAccuracyWindow *self, const SsScenario *scenario)
{
  double steps[SSAPP_ACCURACY_STEPS];
  g_autoptr (GString) text = g_string_new (NULL);

  adw_window_title_set_subtitle (self->title, scenario->title[0] != '\0' ? scenario->title : scenario->name);
  if (is_running (self))
    return;
  ssapp_accuracy_default_steps (scenario->task.t_end, steps);
  for (guint i = 0; i < SSAPP_ACCURACY_STEPS; i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", g_ascii_formatd (number, sizeof number, "%.6g", steps[i]));
  }
  gtk_editable_set_text (GTK_EDITABLE (self->steps), text->str);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
make_methods (SsuiAccuracyWindow *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Simulators"));
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    GtkWidget *row = adw_action_row_new (), *check = gtk_check_button_new ();
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), method->label);
    gtk_widget_set_tooltip_text (row, method->solves);
    gtk_check_button_set_active (GTK_CHECK_BUTTON (check), g_strv_contains (usual, method->name));
    gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
    g_object_set_data (G_OBJECT (check), "method", (gpointer)method->name);
    ssui_set_label (check, method->label);
    adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
    adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
    g_ptr_array_add (self->checks, check);
  }
  return group;
}

static GtkWidget *
make_side (SsuiAccuracyWindow *self)
{
  static const char *const references[] = {N_ ("FESD-J, a short step"), N_ ("Each one's finest run"),
                                           N_ ("Formulas of t"), N_ ("A file or a run"), NULL};
  static const char *const errors[] = {N_ ("Mean over the time"), N_ ("Largest"), N_ ("At the end"),
                                       N_ ("Of an outcome"), NULL};
  GtkWidget *scroller = gtk_scrolled_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN),
            *group = adw_preferences_group_new ();

  self->steps = adw_entry_row_new ();
  self->against = ssui_combo_row_new (_ ("Compared with"), ssui_strings_new (references));
  self->what = adw_entry_row_new ();
  self->kind = ssui_combo_row_new (_ ("Error"), ssui_strings_new (errors));
  self->outcome = adw_entry_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->outcome), _ ("Outcome, such as third=final(box3.x)"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->steps), _ ("Steps [s]"));
  gtk_widget_set_tooltip_text (self->steps, _ ("Steps with Commas Between Them"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->steps);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->against);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->what);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->kind);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->outcome);
  g_signal_connect_object (self->kind, "notify::selected", G_CALLBACK (on_against), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->outcome, "entry-activated", G_CALLBACK (on_run), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->against, "notify::selected", G_CALLBACK (on_against), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->steps, "entry-activated", G_CALLBACK (on_run), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->what, "entry-activated", G_CALLBACK (on_run), self, G_CONNECT_SWAPPED);
  gtk_widget_set_margin_start (box, MARGIN);
  gtk_widget_set_margin_end (box, MARGIN);
  gtk_widget_set_margin_top (box, MARGIN);
  gtk_widget_set_margin_bottom (box, MARGIN);
  gtk_box_append (GTK_BOX (box), group);
  gtk_box_append (GTK_BOX (box), make_methods (self));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_widget_set_size_request (scroller, SIDE_WIDTH, -1);
  gtk_widget_set_hexpand (scroller, FALSE);
  on_against (self);
  return scroller;
}

static GtkWidget *
make_results (SsuiAccuracyWindow *self)
{
  GtkWidget *panes = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->picture = gtk_drawing_area_new ();
  self->book = ssui_table_book_new (_ ("Errors, cost and orders"));
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->picture), draw, self, NULL);
  gtk_widget_set_size_request (self->picture, -1, PICTURE_HEIGHT);
  ssui_set_label (self->picture, _ ("Error over step and over CPU time"));
  gtk_paned_set_start_child (GTK_PANED (panes), self->picture);
  gtk_paned_set_end_child (GTK_PANED (panes), self->book);
  gtk_paned_set_shrink_start_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_resize_start_child (GTK_PANED (panes), TRUE);
  return panes;
}

static GtkWidget *
make_take (void)
{
  g_autoptr (GMenu) save = g_menu_new ();

  g_menu_append (save, _ ("Save T_able"), "win.accuracy-save-dialog::table");
  g_menu_append (save, _ ("Save _Figure"), "win.accuracy-save-dialog::figure");
  return ssui_table_take_new ("win.accuracy-copy", G_MENU_MODEL (save), _ ("Copy or Save Tables and Figure"),
                              _ ("Copy or save tables and figure"));
}

static void
make_header (SsuiAccuracyWindow *self, GtkWidget *header)
{
  self->title = ADW_WINDOW_TITLE (adw_window_title_new (_ ("Accuracy of Simulators"), ""));
  self->run = gtk_button_new_with_mnemonic (_ ("_Run"));
  self->stop = gtk_button_new_with_mnemonic (_ ("_Stop"));
  self->take = make_take ();
  gtk_widget_add_css_class (self->run, "suggested-action");
  gtk_widget_add_css_class (self->stop, "destructive-action");
  gtk_widget_set_tooltip_text (self->run, _ ("Run All Simulators with All Steps"));
  gtk_widget_set_tooltip_text (self->stop, _ ("End with What There Is"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->stop), "win.accuracy-stop");
  g_signal_connect_object (self->run, "clicked", G_CALLBACK (on_run), self, G_CONNECT_SWAPPED);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), GTK_WIDGET (self->title));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->run);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->stop);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->take);
}

static GtkWidget *
make_main (SsuiAccuracyWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *told_row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->told = gtk_label_new (NULL);
  self->spinner = gtk_spinner_new ();
  self->stack = gtk_stack_new ();
  self->empty = adw_status_page_new ();
  gtk_label_set_xalign (GTK_LABEL (self->told), 0);
  gtk_label_set_wrap (GTK_LABEL (self->told), TRUE);
  gtk_widget_add_css_class (self->told, "caption");
  gtk_box_append (GTK_BOX (told_row), self->spinner);
  gtk_box_append (GTK_BOX (told_row), self->told);
  adw_status_page_set_title (ADW_STATUS_PAGE (self->empty), _ ("No Runs Yet"));
  adw_status_page_set_description (ADW_STATUS_PAGE (self->empty),
                                   _ ("Each simulator runs with each step. Errors against the reference are drawn over "
                                      "step and CPU time, with slopes."));
  gtk_widget_add_css_class (self->empty, "compact");
  gtk_stack_add_named (GTK_STACK (self->stack), self->empty, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), make_results (self), "results");
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_widget_set_margin_start (box, MARGIN);
  gtk_widget_set_margin_end (box, MARGIN);
  gtk_widget_set_margin_top (box, MARGIN);
  gtk_widget_set_margin_bottom (box, MARGIN);
  gtk_box_append (GTK_BOX (box), told_row);
  gtk_box_append (GTK_BOX (box), self->stack);
  return box;
}

static void
ssui_accuracy_window_dispose (GObject *object)
{
  SsuiAccuracyWindow *self = SSUI_ACCURACY_WINDOW (object);

  let_go (self);
  g_clear_pointer (&self->checks, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_accuracy_window_parent_class)->dispose (object);
}

static void
ssui_accuracy_window_class_init (SsuiAccuracyWindowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_accuracy_window_dispose;
}

static void
ssui_accuracy_window_init (SsuiAccuracyWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *header = adw_header_bar_new (),
            *middle = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->checks = g_ptr_array_new ();
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  make_header (self, header);
  self->side = make_side (self);
  gtk_box_append (GTK_BOX (middle), self->side);
  gtk_box_append (GTK_BOX (middle), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (middle), make_main (self));
  gtk_widget_set_vexpand (middle, TRUE);
  adw_toast_overlay_set_child (self->toasts, middle);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), box);
  ssui_keys_close (GTK_WIDGET (self));
  gtk_window_set_title (GTK_WINDOW (self), _ ("Accuracy of Simulators"));
}

SsuiAccuracyWindow *
ssui_accuracy_window_new (SsuiWindow *window)
{
  SsuiAccuracyWindow *self = g_object_new (SSUI_TYPE_ACCURACY_WINDOW, NULL);

  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", G_ACTION_GROUP (window));
  gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (window));
  /* Within the window on small screens. */
  gtk_window_set_default_size (GTK_WINDOW (self), MIN (WIDTH, MAX (gtk_widget_get_width (GTK_WIDGET (window)), LEAST)),
                               MIN (HEIGHT, MAX (gtk_widget_get_height (GTK_WIDGET (window)), LEAST)));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  update (self);
  return self;
}
