/* ui/pages/ssui-compare-page.c: see the header. */
#include "ui/pages/ssui-compare-page.h"

#include "app/study/ssapp-ignored.h"
#include "ui/pages/ssui-compare-figures.h"
#include "ui/canvas/ssui-channel-chooser.h"
#include "ui/canvas/ssui-channel-plots.h"
#include "ui/parts/ssui-table-view.h"
#include "ui/parts/ssui-method-mark.h"
#include "ui/canvas/ssui-motion-view.h"
#include "ui/canvas/ssui-player.h"
#include "ui/canvas/ssui-plot-choice.h"
#include "ui/parts/ssui-outcome-bar.h"
#include "ui/parts/ssui-pane.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define HEAD_HEIGHT        34 /* px, of the table of the chosen runs */
#define SUMMARY_ROW_HEIGHT 31
#define MAX_PLOTS          2 /* of simulations, below each other */
#define MAX_MOTIONS        8 /* more would be too small to see */
#define MOTION_COLUMNS     4
#define NAME_CHARS         7 /* of a run's name at least, before it is cut */
/* Sizes asked for [px] */
#define TABLES_WIDTH         440  /* px at least */
#define TABLES_USUAL         0.53 /* share of the width until somebody moves the border */
#define NARROW_TABLES_HEIGHT 420  /* below each other the page scrolls    */
#define NARROW_DETAIL_HEIGHT 660
#define RUNS_EXPECTED        3 /* that the heights above have room for */
#define PLOT_HEIGHT          190
#define ROW_HEIGHT           26
#define LABEL_HEIGHT         18
#define TWO_ROWS_HEIGHT      300 /* of motions */

struct _SsuiComparePage {
  GtkWidget parent_instance;
  GtkPaned *regions;
  GtkWidget *stack, *tables, *search, *side_by_side, *summary_note, *summary_box, *only_differing, *copy, *detail,
      *legend, *motions, *few, *views, *over_time, *difference_box, *difference, *reference, *channels_popover,
      *channels_scroller, *overlaid, *add_outcome;
  SsuiTableView *summary;
  SsuiOutcomeBar *outcomes;
  SsappCompared *compared; /* what the chosen runs are asked */
  SsuiCompareFigures *figures;
  SsuiChannelPlots *channel_plots;
  SsuiChannelChooser *chooser;
  SsappRunList *list; /* all that are chosen; NULL: none */
  SsappRunSet *set;   /* of them */
  SsuiRunTable *table;
  SsuiPlotChoice *plot_choice;
  SsuiPlotView *plot;
  SsuiPlayer *player;
  SsappSession *session;
  GPtrArray *runs;    /* of them those whose motions are on show */
  GtkWidget *stored;  /* menu of the project's comparisons */
  GHashTable *labels; /* of the open comparison, by run */
  GHashTable *places; /* in it, from 1, by run */
  gboolean is_narrow, is_building;
};

G_DEFINE_FINAL_TYPE (SsuiComparePage, ssui_compare_page, GTK_TYPE_WIDGET)

static guint message_signal;

/* Mark and name of a run; the name is cut where there is no room for it, and is then in the tooltip. */
static GtkWidget *
run_name (SsappRun *run, gboolean is_caption)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, is_caption ? 6 : 8);
  GtkWidget *label = gtk_label_new (ssapp_run_get_label (run));

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), MIN (NAME_CHARS, (int)g_utf8_strlen (ssapp_run_get_label (run), -1)));
  gtk_widget_set_tooltip_text (label, ssapp_run_get_label (run));
  if (is_caption)
    gtk_widget_add_css_class (label, "caption");
  gtk_box_append (GTK_BOX (box), ssui_method_mark_new (ssapp_run_get_method (run)));
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

/* ---- chosen runs as a table -------------------------------------------------------------------------------------- */

/* Few runs, or those of one method, have a row each; many a row a method. */
static gboolean
is_by_method (SsuiComparePage *self)
{
  return self->list != NULL && ssapp_run_list_get_n_rows (self->list) > MAX_MOTIONS && self->set->methods->len > 1;
}

static void
mark_of (guint row, SsMethodId *method, int *look, gpointer data)
{
  SsuiComparePage *self = data;

  if (is_by_method (self) && row < self->set->methods->len) {
    const SsappRunMethod *of = g_ptr_array_index (self->set->methods, row);
    *method = of->id;
    *look = of->look;
  } else if (!is_by_method (self) && row < ssapp_run_list_get_n_shown (self->list)) {
    const SsappRunRow *of = ssapp_run_list_get_row (self->list, ssapp_run_list_get_shown (self->list, row));
    *method = ssapp_run_row_get_method (of);
    for (guint k = 0; k < self->runs->len; k++) /* with the mark that it has in plots */
      if (strcmp (ssapp_run_get_id (g_ptr_array_index (self->runs, k)), of->id) == 0)
        *method = ssapp_run_get_method (g_ptr_array_index (self->runs, k));
    *look = -1;
  }
}

SsappTable *
ssui_compare_page_make_table (SsuiComparePage *self, gboolean by_method)
{
  SsMetric metrics[SS_METRIC_COUNT];
  guint n = ssapp_run_n_usual_metrics ();

  if (self->list == NULL || ssapp_run_list_get_n_rows (self->list) == 0)
    return NULL;
  memcpy (metrics, ssapp_run_usual_metrics, n * sizeof *metrics);
  n = ssapp_run_list_known_metrics (self->list, metrics, n);
  if (by_method) {
    g_autoptr (GArray) all = ssapp_run_list_outcomes (self->list);
    g_array_prepend_vals (all, metrics, n);
    return ssapp_run_set_summary (self->set, (const SsMetric *)(const void *)all->data, all->len);
  }
  return ssapp_run_list_to_table (self->list, _ ("Runs"), metrics, n,
                                  gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->only_differing)), FALSE);
}

static void
build_summary (SsuiComparePage *self)
{
  const guint n = self->list != NULL ? ssapp_run_list_get_n_rows (self->list) : 0;
  g_autofree char *note =
      g_strdup_printf (n > 1 && is_by_method (self) ? ngettext ("%u run, by method", "%u runs, by method", n)
                                                    : ngettext ("%u run", "%u runs", n),
                       n);
  SsappTable *table = ssui_compare_page_make_table (self, is_by_method (self));
  const guint rows = table != NULL ? ssapp_table_get_n_rows (table) : 0;

  gtk_label_set_text (GTK_LABEL (self->summary_note), n > 0 ? note : "none");
  gtk_widget_set_size_request (GTK_WIDGET (self->summary), -1,
                               n > 0 ? HEAD_HEIGHT + (int)MIN (rows, MAX_MOTIONS) * SUMMARY_ROW_HEIGHT : 0);
  gtk_widget_set_visible (GTK_WIDGET (self->summary), n > 0);
  gtk_widget_set_sensitive (self->copy, n > 0);
  gtk_widget_set_sensitive (self->add_outcome, n > 0);
  ssui_table_view_load (self->summary, table);
}

static void
on_only_differing (SsuiComparePage *self)
{
  ssui_run_table_set_differing (self->table, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->only_differing)));
  build_summary (self);
}

static const char *
run_of (guint row, gpointer data)
{
  SsuiComparePage *self = data;

  return !is_by_method (self) && row < ssapp_run_list_get_n_shown (self->list)
             ? ssapp_run_list_get_row (self->list, ssapp_run_list_get_shown (self->list, row))->id
             : NULL;
}

/* The chosen runs with the metrics of tables and figures; their figures are of all of them. */
static void
read_chosen (SsuiComparePage *self, SsappStore *store, const char *const *ids)
{
  SsMetric metrics[SS_METRIC_COUNT];
  guint n = ssapp_run_n_usual_metrics ();
  g_autoptr (GError) error = NULL;

  ssui_compare_figures_set (self->figures, NULL);
  g_clear_pointer (&self->set, ssapp_run_set_free);
  g_clear_pointer (&self->list, ssapp_run_list_free);
  ssapp_compared_set_runs (self->compared, store, NULL);
  if (store == NULL || ids[0] == NULL)
    return;
  memcpy (metrics, ssapp_run_usual_metrics, n * sizeof *metrics);
  metrics[n++] = SS_METRIC_CPU_SECONDS;
  self->list = ssapp_run_list_new_of (store, ids, metrics, n, &error);
  if (self->list == NULL) {
    g_signal_emit (self, message_signal, 0, error->message);
    return;
  }
  self->set = ssapp_run_set_new (ssapp_run_list_ref_rows (self->list));
  ssapp_run_set_tell_ignored (self->set, store);
  g_autoptr (GPtrArray) rows = ssapp_run_list_ref_rows (self->list);
  ssapp_compared_set_runs (self->compared, store, rows);
  ssui_compare_figures_set (self->figures, self->set);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_motion (SsuiComparePage *self, GPtrArray *runs, const SsuiMotionFrame *frame, const char *name)
{
  GtkWidget *view = ssui_motion_view_new ();

  ssui_motion_view_set_clock (SSUI_MOTION_VIEW (view), ssui_player_get_clock (self->player));
  ssui_motion_view_set_look (SSUI_MOTION_VIEW (view), ssui_player_get_look (self->player));
  ssui_motion_view_set_runs (SSUI_MOTION_VIEW (view), runs);
  ssui_motion_view_set_frame (SSUI_MOTION_VIEW (view), frame);
  ssui_set_label (view, name);
  return view;
}

static void
build_motions (SsuiComparePage *self)
{
  SsuiMotionFrame frame;
  gboolean has_frame = ssui_motion_frame_of (self->runs, &frame);
  const int n = (int)MIN (self->runs->len, MAX_MOTIONS), n_columns = n <= MOTION_COLUMNS ? n : (n + 1) / 2;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->motions)) != NULL)
    gtk_grid_remove (GTK_GRID (self->motions), child);
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->overlaid)) && n > 1) {
    GtkWidget *view = make_motion (self, self->runs, has_frame ? &frame : NULL, _ ("Motions over each other"));
    ssui_motion_view_set_overlaid (SSUI_MOTION_VIEW (view), TRUE);
    gtk_grid_attach (GTK_GRID (self->motions), view, 0, 0, 1, 1);
    return;
  }
  for (int r = 0; r < n; r++) {
    SsappRun *run = g_ptr_array_index (self->runs, r);
    g_autoptr (GPtrArray) only = g_ptr_array_new_with_free_func (g_object_unref);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *head = run_name (run, TRUE);
    g_autofree char *name = g_strdup_printf (_ ("Motion of %s"), ssapp_run_get_label (run));

    g_ptr_array_add (only, g_object_ref (run));
    GtkWidget *view = make_motion (self, only, has_frame ? &frame : NULL, name);
    gtk_widget_set_margin_start (head, 12);
    gtk_box_append (GTK_BOX (box), head);
    gtk_box_append (GTK_BOX (box), view);
    gtk_grid_attach (GTK_GRID (self->motions), box, r % n_columns, r / n_columns, 1, 1);
  }
}

static void
build_legend (SsuiComparePage *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->legend)) != NULL)
    gtk_flow_box_remove (GTK_FLOW_BOX (self->legend), child);
  for (guint r = 0; r < self->runs->len; r++)
    gtk_flow_box_append (GTK_FLOW_BOX (self->legend), run_name (g_ptr_array_index (self->runs, r), TRUE));
}

/* Room for a row and for an end label of every run. */
static void
arrange (SsuiComparePage *self)
{
  const int more = MAX ((int)self->runs->len - RUNS_EXPECTED, 0);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->regions),
                                  self->is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (self->tables, self->is_narrow ? -1 : TABLES_WIDTH,
                               self->is_narrow ? NARROW_TABLES_HEIGHT + more * ROW_HEIGHT : -1);
  gtk_widget_set_size_request (self->detail, -1, self->is_narrow ? NARROW_DETAIL_HEIGHT + more * ROW_HEIGHT : -1);
  gtk_widget_set_margin_end (self->tables, self->is_narrow ? 0 : 6);
  gtk_widget_set_margin_bottom (self->tables, self->is_narrow ? 6 : 0);
  gtk_widget_set_margin_start (self->detail, self->is_narrow ? 0 : 6);
  gtk_widget_set_margin_top (self->detail, self->is_narrow ? 6 : 0);
  gtk_widget_set_size_request (GTK_WIDGET (self->plot), -1, more > 0 ? PLOT_HEIGHT + more * LABEL_HEIGHT : -1);
  gtk_widget_set_size_request (self->motions, -1, self->runs->len > MOTION_COLUMNS ? TWO_ROWS_HEIGHT : -1);
}

/* ---- plots ------------------------------------------------------------------------------------------------------- */

/* The runs with the one in front that the others are compared with. */
static GPtrArray *
runs_from_reference (SsuiComparePage *self)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);
  const guint reference = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->reference));

  if (reference < self->runs->len)
    g_ptr_array_add (runs, g_object_ref (g_ptr_array_index (self->runs, reference)));
  for (guint i = 0; i < self->runs->len; i++)
    if (i != reference)
      g_ptr_array_add (runs, g_object_ref (g_ptr_array_index (self->runs, i)));
  return runs;
}

static void
show_plot (SsuiComparePage *self)
{
  const gboolean is_channels = ssui_plot_choice_is_channels (self->plot_choice);

  gtk_widget_set_visible (self->over_time, ssui_plot_choice_is_convergence (self->plot_choice));
  gtk_widget_set_visible (self->difference_box, is_channels);
  gtk_widget_set_visible (self->channels_scroller, is_channels);
  gtk_widget_set_visible (GTK_WIDGET (self->plot), !is_channels);
  if (is_channels) {
    g_autoptr (GPtrArray) runs = runs_from_reference (self);
    ssui_channel_plots_set_runs (self->channel_plots, runs);
    gtk_widget_set_sensitive (self->difference, ssui_channel_plots_can_differ (self->channel_plots));
    gtk_widget_set_sensitive (self->reference, ssui_channel_plots_can_differ (self->channel_plots));
  }
  ssui_plot_choice_show (self->plot_choice, MAX_PLOTS,
                         gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->over_time)));
}

static void
on_difference (SsuiComparePage *self)
{
  ssui_channel_plots_set_difference (self->channel_plots,
                                     gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->difference)));
}

static void
on_channels_changed (SsuiComparePage *self)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->difference),
                                ssui_channel_plots_get_plots (self->channel_plots)->is_difference);
}

static void
on_reference (SsuiComparePage *self)
{
  if (!self->is_building)
    show_plot (self);
}

static void
list_references (SsuiComparePage *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < self->runs->len; i++)
    gtk_string_list_append (names, ssapp_run_get_label (g_ptr_array_index (self->runs, i)));
  self->is_building = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->reference), G_LIST_MODEL (names));
  self->is_building = FALSE;
}

/* ---- what is chosen ---------------------------------------------------------------------------------------------- */

/* A run is called as in the open comparison; else two of one method are told apart by what differs. */
static void
name_runs (SsuiComparePage *self)
{
  for (guint i = 0; self->list != NULL && i < ssapp_run_list_get_n_rows (self->list); i++) {
    const char *own = g_hash_table_lookup (self->labels, ssapp_run_list_get_row (self->list, i)->id);
    if (own != NULL && *own != '\0')
      ssapp_run_list_set_label (self->list, i, own);
  }
  if (self->list != NULL)
    ssapp_run_list_tell_apart (self->list, self->runs);
}

/* Runs of the open comparison come first, in its order; the others follow in theirs. */
static int
compare_places (gconstpointer a, gconstpointer b, gpointer places)
{
  const guint of_a = GPOINTER_TO_UINT (g_hash_table_lookup (places, *(char *const *)a)) - 1,
              of_b = GPOINTER_TO_UINT (g_hash_table_lookup (places, *(char *const *)b)) - 1;

  return of_a < of_b ? -1 : of_a > of_b;
}

/* Motions and plots of the first ones: each is read with its rows. */
static GPtrArray *
load_runs (SsuiComparePage *self, SsappStore *store, char **ids, double *duration)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (int i = 0; store != NULL && ids[i] != NULL && runs->len < MAX_MOTIONS; i++) {
    g_autoptr (GError) error = NULL;
    SsappRun *run = ssapp_run_new_stored (store, ids[i], &error);
    if (run == NULL) {
      g_signal_emit (self, message_signal, 0, error->message);
      continue;
    }
    g_ptr_array_add (runs, run);
    *duration = MAX (*duration, ssapp_run_get_duration (run));
  }
  return runs;
}

/* Ids, in the order in which they are shown. */
static GStrv
dup_chosen (SsuiComparePage *self)
{
  GStrv ids = ssui_run_table_dup_checked (self->table);

  g_qsort_with_data (ids, (int)g_strv_length (ids), sizeof *ids, compare_places, self->places);
  return ids;
}

static void
show_chosen (SsuiComparePage *self)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_auto (GStrv) ids = dup_chosen (self);
  const guint n = g_strv_length (ids);
  SsuiClock *clock = ssui_player_get_clock (self->player);
  double duration = 0;

  g_autoptr (GPtrArray) runs = load_runs (self, store, ids, &duration);
  g_autofree char *few =
      n > MAX_MOTIONS
          ? g_strdup_printf (_ ("Plots and motions are of the first %d of %u runs, figures of all."), MAX_MOTIONS, n)
          : NULL;

  g_ptr_array_unref (self->runs);
  self->runs = g_ptr_array_ref (runs);
  read_chosen (self, store, (const char *const *)ids);
  name_runs (self);
  list_references (self);
  ssui_plot_choice_set_runs (self->plot_choice, runs);
  show_plot (self);
  build_legend (self);
  build_motions (self);
  build_summary (self);
  arrange (self);
  gtk_label_set_text (GTK_LABEL (self->few), few != NULL ? few : "");
  ssui_clock_set_duration (clock, duration);
  ssui_player_set_runs (self->player, runs);
  ssui_clock_seek (clock, duration);
  gtk_widget_set_sensitive (self->side_by_side, runs->len > 0);
  gtk_widget_set_sensitive (self->overlaid, runs->len > 1);
  gtk_stack_set_visible_child_name (GTK_STACK (self->detail), runs->len > 0 ? "chosen" : "choose");
}

/* The project's comparisons, newest first. */
static void
list_comparisons (SsuiComparePage *self)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autoptr (GPtrArray) rows = store != NULL ? ssapp_store_list_comparisons (store, NULL) : NULL;
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint k = 0; rows != NULL && k < rows->len; k++) {
    const SsappComparisonRow *row = g_ptr_array_index (rows, k);
    g_autofree char *label = g_strdup_printf (ngettext ("%s (%u run)", "%s (%u runs)", g_strv_length (row->run_ids)),
                                              row->title, g_strv_length (row->run_ids));
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, "win.open-comparison", "s", row->id);
    g_menu_append_item (menu, item);
  }
  ssui_set_menu (self->stored, menu);
  gtk_widget_set_visible (self->stored, rows != NULL && rows->len > 0);
}

static void
update_stack (SsuiComparePage *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    ssui_run_table_get_n_runs (self->table) > 0 ? "runs" : "empty");
}

static void
reload (SsuiComparePage *self)
{
  g_autoptr (GError) error = NULL;

  list_comparisons (self);
  if (!ssui_run_table_load (self->table, ssapp_session_get_store (self->session), &error))
    g_signal_emit (self, message_signal, 0, error->message);
  update_stack (self);
}

/* The project has other outcomes of the chosen runs. */
static void
on_answered (SsuiComparePage *self, const char *account)
{
  g_auto (GStrv) ids = dup_chosen (self);

  reload (self);
  read_chosen (self, ssapp_session_get_store (self->session), (const char *const *)ids);
  name_runs (self);
  build_summary (self);
  g_signal_emit (self, message_signal, 0, account);
}

static void
on_table_message (SsuiComparePage *self, const char *message)
{
  g_signal_emit (self, message_signal, 0, message);
}

static void
on_store_changed (SsuiComparePage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self))) {
    list_comparisons (self);
    ssui_run_table_queue_load (self->table, ssapp_session_get_store (self->session));
  }
}

static void
on_search (SsuiComparePage *self)
{
  g_autoptr (GError) error = NULL;
  const gboolean is_read =
      ssui_run_table_set_filter (self->table, gtk_editable_get_text (GTK_EDITABLE (self->search)), &error);

  ssui_show_mistake (self->search, is_read ? NULL : error->message);
}

static void
on_run_activated (SsuiComparePage *self, const char *id)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-run", "s", id);
}

static void
on_side_by_side (SsuiComparePage *self)
{
  g_auto (GStrv) ids = ssui_run_table_dup_checked (self->table);
  g_autofree char *list = g_strjoinv (",", ids);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-run", "s", list);
}

gboolean
ssui_compare_page_open (SsuiComparePage *self, const char *comparison)
{
  g_return_val_if_fail (SSUI_IS_COMPARE_PAGE (self), FALSE);
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autoptr (GPtrArray) rows = store != NULL ? ssapp_store_list_comparisons (store, NULL) : NULL;

  for (guint k = 0; rows != NULL && k < rows->len; k++) {
    const SsappComparisonRow *row = g_ptr_array_index (rows, k);
    if (strcmp (row->id, comparison) != 0)
      continue;
    g_hash_table_remove_all (self->labels);
    g_hash_table_remove_all (self->places);
    for (guint r = 0; row->run_ids[r] != NULL; r++) {
      g_hash_table_insert (self->labels, g_strdup (row->run_ids[r]), g_strdup (row->labels[r]));
      g_hash_table_insert (self->places, g_strdup (row->run_ids[r]), GUINT_TO_POINTER (r + 1));
    }
    ssui_compare_page_compare (self, (const char *const *)row->run_ids);
    return TRUE;
  }
  return FALSE;
}

void
ssui_compare_page_compare (SsuiComparePage *self, const char *const *ids)
{
  reload (self);
  ssui_run_table_check (self->table, ids);
}

SsappCompared *
ssui_compare_page_get_compared (SsuiComparePage *self)
{
  return self->compared;
}

void
ssui_compare_page_set_over_time (SsuiComparePage *self, gboolean is_over_time)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->over_time), is_over_time);
}

void
ssui_compare_page_set_only_differing (SsuiComparePage *self, gboolean is_only)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->only_differing), is_only);
}

void
ssui_compare_page_set_overlaid (SsuiComparePage *self, gboolean is_overlaid)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->overlaid), is_overlaid);
}

gboolean
ssui_compare_page_show_view (SsuiComparePage *self, const char *view)
{
  if (gtk_stack_get_child_by_name (GTK_STACK (self->views), view) == NULL)
    return FALSE;
  gtk_stack_set_visible_child_name (GTK_STACK (self->views), view);
  return TRUE;
}

gboolean
ssui_compare_page_set_reference (SsuiComparePage *self, const char *id)
{
  for (guint i = 0; i < self->runs->len; i++)
    if (strcmp (ssapp_run_get_id (g_ptr_array_index (self->runs, i)), id) == 0) {
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->reference), i);
      return TRUE;
    }
  return FALSE;
}

const SsappChart *
ssui_compare_page_get_chart (SsuiComparePage *self, const char *name)
{
  return ssui_compare_figures_get_chart (self->figures, name);
}

static void
set_narrow (GtkWidget *widget, gboolean is_narrow)
{
  SsuiComparePage *self = SSUI_COMPARE_PAGE (widget);

  self->is_narrow = is_narrow;
  arrange (self);
}

static GtkPaned *
get_pane (GtkWidget *widget, const char *name)
{
  return strcmp (name, "compare") == 0 ? SSUI_COMPARE_PAGE (widget)->regions : NULL;
}

static void
set_session (GtkWidget *widget, SsappSession *session)
{
  SsuiComparePage *self = SSUI_COMPARE_PAGE (widget);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "store-changed", G_CALLBACK (on_store_changed), self, G_CONNECT_SWAPPED);
  build_summary (self);
}

static void
ssui_compare_page_map (GtkWidget *widget)
{
  reload (SSUI_COMPARE_PAGE (widget));
  GTK_WIDGET_CLASS (ssui_compare_page_parent_class)->map (widget);
}

static void
ssui_compare_page_dispose (GObject *object)
{
  SsuiComparePage *self = SSUI_COMPARE_PAGE (object);

  if (self->figures != NULL)
    ssui_compare_figures_set (self->figures, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_COMPARE_PAGE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->session);
  g_clear_object (&self->compared);
  g_clear_pointer (&self->set, ssapp_run_set_free);
  g_clear_pointer (&self->list, ssapp_run_list_free);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->labels, g_hash_table_unref);
  g_clear_pointer (&self->places, g_hash_table_unref);
  G_OBJECT_CLASS (ssui_compare_page_parent_class)->dispose (object);
}

static void
ssui_compare_page_class_init (SsuiComparePageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_compare_page_dispose;
  widget_class->map = ssui_compare_page_map;
  message_signal = g_signal_new ("message", SSUI_TYPE_COMPARE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
  g_type_ensure (SSUI_TYPE_RUN_TABLE);
  g_type_ensure (SSUI_TYPE_PLOT_CHOICE);
  g_type_ensure (SSUI_TYPE_PLOT_VIEW);
  g_type_ensure (SSUI_TYPE_PLAYER);
  g_type_ensure (SSUI_TYPE_COMPARE_FIGURES);
  g_type_ensure (SSUI_TYPE_OUTCOME_BAR);
  g_type_ensure (SSUI_TYPE_CHANNEL_PLOTS);
  g_type_ensure (SSUI_TYPE_CHANNEL_CHOOSER);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-compare-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, stack);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, regions);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, tables);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, search);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, side_by_side);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, stored);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, summary_note);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, summary_box);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, only_differing);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, copy);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, outcomes);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, add_outcome);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, few);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, views);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, over_time);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, difference_box);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, difference);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, reference);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, channels_popover);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, channels_scroller);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, channel_plots);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, chooser);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, overlaid);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, figures);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, detail);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, plot_choice);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, legend);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, motions);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, table);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, plot);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, player);
}

static void
ssui_compare_page_init (SsuiComparePage *self)
{
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  self->compared = ssapp_compared_new ();
  ssui_outcome_bar_set_compared (self->outcomes, self->compared, GTK_MENU_BUTTON (self->add_outcome));
  g_signal_connect_object (self->compared, "answered", G_CALLBACK (on_answered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compared, "failed", G_CALLBACK (on_table_message), self, G_CONNECT_SWAPPED);
  ssui_pane_keep (self->regions, "compare-tables", TABLES_USUAL);
  self->summary = SSUI_TABLE_VIEW (ssui_table_view_new (_ ("Chosen runs")));
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  ssui_table_view_set_runs (self->summary, mark_of, run_of, self);
  gtk_box_append (GTK_BOX (self->summary_box), GTK_WIDGET (self->summary));
  ssui_plot_choice_set_has_channels (self->plot_choice, TRUE);
  ssui_channel_plots_set_player (self->channel_plots, self->player);
  ssui_channel_chooser_set_plots (self->chooser, self->channel_plots);
  ssui_cut_drop_down (self->reference, NAME_CHARS);
  ssui_label_drop_down (self->reference, _ ("Reference run"));
  g_signal_connect_object (self->channels_popover, "show", G_CALLBACK (ssui_channel_chooser_open), self->chooser,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->channel_plots, "changed", G_CALLBACK (on_channels_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->over_time, "toggled", G_CALLBACK (show_plot), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->difference, "toggled", G_CALLBACK (on_difference), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->reference, "notify::selected", G_CALLBACK (on_reference), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->overlaid, "toggled", G_CALLBACK (build_motions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->only_differing, "toggled", G_CALLBACK (on_only_differing), self, G_CONNECT_SWAPPED);
  ssui_run_table_set_differing (self->table, TRUE);
  ssui_plot_choice_set_plot (self->plot_choice, self->plot, ssui_player_get_clock (self->player));
  g_signal_connect_object (self->plot_choice, "changed", G_CALLBACK (show_plot), self, G_CONNECT_SWAPPED);
  ssui_run_table_set_compact (self->table, TRUE);
  g_signal_connect_object (self->table, "checked-changed", G_CALLBACK (show_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "message", G_CALLBACK (on_table_message), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "shown-changed", G_CALLBACK (update_stack), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "run-activated", G_CALLBACK (on_run_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->side_by_side, "clicked", G_CALLBACK (on_side_by_side), self, G_CONNECT_SWAPPED);
  gtk_widget_set_sensitive (self->side_by_side, FALSE);
}

static const char *
get_undo_label (GtkWidget *widget, gboolean redo)
{
  return ssapp_compared_get_undo_label (SSUI_COMPARE_PAGE (widget)->compared, redo);
}

static const SsuiPageCommand page_commands[] = {{"undo", "compare-undo"}, {"redo", "compare-redo"}, {NULL, NULL}};

static SsuiPageParts
get_parts (GtkWidget *widget)
{
  SsuiComparePage *self = SSUI_COMPARE_PAGE (widget);

  return (SsuiPageParts){.player = self->player,
                         .plot_choice = self->plot_choice,
                         .channel_plots = self->channel_plots,
                         .runs = self->runs,
                         .table = self->table,
                         .search = self->search};
}

const SsuiPage ssui_compare_page = {.name = "compare",
                                    .title = N_ ("Compare"),
                                    .icon = "ss-compare-symbolic",
                                    .next = "export",
                                    .get_type = ssui_compare_page_get_type,
                                    .set_session = set_session,
                                    .set_narrow = set_narrow,
                                    .commands = page_commands,
                                    .get_parts = get_parts,
                                    .get_pane = get_pane,
                                    .get_undo_label = get_undo_label};
