/* ui/pages/ssui-compare-page.c: see the header. */
#include "ui/pages/ssui-compare-page.h"

#include "app/base/ssapp-metric.h"
#include "ui/parts/ssui-method-mark.h"
#include "ui/canvas/ssui-motion-view.h"
#include "ui/canvas/ssui-player.h"
#include "ui/canvas/ssui-plot-choice.h"
#include "ui/parts/ssui-pane.h"
#include "ui/parts/ssui-run-table.h"
#include "ui/parts/ssui-util.h"

#include <math.h>
#include <string.h>

#define MAX_PLOTS      2 /* of simulations, below each other */
#define MAX_MOTIONS    8 /* more would be too small to see */
#define MOTION_COLUMNS 4
#define NAME_CHARS     7 /* of a run's name at least, before it is cut */
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
  GtkWidget *stack, *tables, *search, *side_by_side, *summary_note, *summary, *detail, *legend, *motions;
  SsuiRunTable *table;
  SsuiPlotChoice *plot_choice;
  SsuiPlotView *plot;
  SsuiPlayer *player;
  SsappSession *session;
  GPtrArray *runs;
  GtkWidget *stored;  /* menu of the project's comparisons */
  GHashTable *labels; /* of the open comparison, by run */
  gboolean is_narrow;
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

/* ---- chosen runs as a table: one row each, the best number of a column in bold ----------------------------------- */

/* Each ends with SS_METRIC_COUNT. */
static const SsMetric optimiser_columns[] = {SS_METRIC_OBJECTIVE,  SS_METRIC_MAX_VIOLATION, SS_METRIC_TRACKING_TOTAL,
                                             SS_METRIC_ITERATIONS, SS_METRIC_SOLVE_SECONDS, SS_METRIC_COUNT};
static const SsMetric simulation_columns[] = {SS_METRIC_STEPS, SS_METRIC_ENERGY_FINAL, SS_METRIC_MAX_PENETRATION,
                                              SS_METRIC_SOLVE_SECONDS, SS_METRIC_COUNT};
static const SsMetric replay_columns[] = {SS_METRIC_REPLAY_DISTANCE, SS_METRIC_REPLAY_FINAL, SS_METRIC_ENERGY_FINAL,
                                          SS_METRIC_SOLVE_SECONDS, SS_METRIC_COUNT};

/* Replays beside the plan they come from, or alone, are compared by their distance to it. */
static gboolean
has_replay (GPtrArray *runs)
{
  for (guint r = 0; r < runs->len; r++)
    if (ssapp_run_get_replay_of (g_ptr_array_index (runs, r)) != NULL)
      return TRUE;
  return FALSE;
}

static void
attach_label (SsuiComparePage *self, const char *text, int column, int row, gboolean is_title, gboolean is_bold)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_widget_set_hexpand (label, column > 0);
  gtk_widget_add_css_class (label, "numeric");
  if (is_title)
    gtk_widget_add_css_class (label, "caption-heading");
  if (is_bold)
    gtk_widget_add_css_class (label, "heading");
  gtk_grid_attach (GTK_GRID (self->summary), label, column, row, 1, 1);
}

/* The kind of the runs on show; they are of one. */
static SsMethodKind
kind_of_runs (GPtrArray *runs)
{
  return runs->len > 0 ? ssapp_run_get_kind (g_ptr_array_index (runs, 0)) : SS_METHOD_KIND_COUNT;
}

/* A metric of all runs below its title, the best in bold where the table knows which is better. */
static void
add_summary_column (SsuiComparePage *self, SsMetric metric, int column)
{
  const guint n = self->runs->len;
  g_autofree double *values = g_new (double, MAX (n, 1));
  g_autofree char *title = ssapp_metric_title (metric);
  double best;

  for (guint r = 0; r < n; r++)
    values[r] = ssapp_run_get_metric (g_ptr_array_index (self->runs, r), metric);
  best = ssapp_metric_best (metric, values, n);
  attach_label (self, title, column, 0, TRUE, FALSE);
  for (guint r = 0; r < n; r++) {
    g_autofree char *text = ssui_metric (metric, values[r]);
    attach_label (self, text, column, (int)r + 1, FALSE, n > 1 && values[r] == best);
  }
}

static void
build_summary (SsuiComparePage *self)
{
  const SsMetric *shown = has_replay (self->runs)                             ? replay_columns
                          : kind_of_runs (self->runs) == SS_METHOD_INTEGRATOR ? simulation_columns
                                                                              : optimiser_columns;
  GtkWidget *child;
  g_autofree char *note = g_strdup_printf (self->runs->len == 1 ? "%u run" : "%u runs", self->runs->len);

  while ((child = gtk_widget_get_first_child (self->summary)) != NULL)
    gtk_grid_remove (GTK_GRID (self->summary), child);
  gtk_label_set_text (GTK_LABEL (self->summary_note), self->runs->len > 0 ? note : "none");
  if (self->runs->len == 0)
    return;
  attach_label (self, "Run", 0, 0, TRUE, FALSE);
  for (int c = 0; shown[c] != SS_METRIC_COUNT; c++)
    add_summary_column (self, shown[c], c + 1);
  for (guint r = 0; r < self->runs->len; r++) {
    SsappRun *run = g_ptr_array_index (self->runs, r);
    gtk_grid_attach (GTK_GRID (self->summary), run_name (run, FALSE), 0, (int)r + 1, 1, 1);
  }
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static void
build_motions (SsuiComparePage *self)
{
  SsuiMotionFrame frame;
  gboolean has_frame = ssui_motion_frame_of (self->runs, &frame);

  const int n = (int)MIN (self->runs->len, MAX_MOTIONS), n_columns = n <= MOTION_COLUMNS ? n : (n + 1) / 2;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->motions)) != NULL)
    gtk_grid_remove (GTK_GRID (self->motions), child);
  for (int r = 0; r < n; r++) {
    SsappRun *run = g_ptr_array_index (self->runs, r);
    g_autoptr (GPtrArray) only = g_ptr_array_new_with_free_func (g_object_unref);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *head = run_name (run, TRUE);
    GtkWidget *view = ssui_motion_view_new ();
    g_autofree char *name = g_strdup_printf ("Motion of %s", ssapp_run_get_label (run));

    g_ptr_array_add (only, g_object_ref (run));
    ssui_motion_view_set_clock (SSUI_MOTION_VIEW (view), ssui_player_get_clock (self->player));
    ssui_motion_view_set_look (SSUI_MOTION_VIEW (view), ssui_player_get_look (self->player));
    ssui_motion_view_set_runs (SSUI_MOTION_VIEW (view), only);
    ssui_motion_view_set_frame (SSUI_MOTION_VIEW (view), has_frame ? &frame : NULL);
    ssui_set_label (view, name);
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
  for (guint r = 0; r < self->runs->len; r++) {
    gtk_flow_box_append (GTK_FLOW_BOX (self->legend), run_name (g_ptr_array_index (self->runs, r), TRUE));
    gtk_widget_set_focusable (gtk_widget_get_last_child (self->legend), FALSE);
  }
}

/* A run is called as in the open comparison; else two of one method are told apart by a number. */
static void
name_runs (SsuiComparePage *self, GPtrArray *runs)
{
  for (guint i = 0; i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    guint before = 0, all = 0;
    g_autofree char *label = NULL;
    for (guint k = 0; k < runs->len; k++)
      if (strcmp (ssapp_run_get_name (g_ptr_array_index (runs, k)), ssapp_run_get_name (run)) == 0) {
        all++;
        before += k <= i ? 1 : 0;
      }
    const char *own = g_hash_table_lookup (self->labels, ssapp_run_get_id (run));
    if (own != NULL && *own != '\0')
      label = g_strdup (own);
    else if (all > 1)
      label = g_strdup_printf ("%s (%u)", ssapp_run_get_name (run), before);
    ssapp_run_set_label (run, label);
  }
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

static void
show_chosen (SsuiComparePage *self)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_auto (GStrv) ids = ssui_run_table_dup_checked (self->table);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  SsuiClock *clock = ssui_player_get_clock (self->player);
  double duration = 0;

  for (int i = 0; store != NULL && ids[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    SsappRun *run = ssapp_run_new_stored (store, ids[i], &error);
    if (run == NULL) {
      g_signal_emit (self, message_signal, 0, error->message);
      continue;
    }
    g_ptr_array_add (runs, run);
    duration = MAX (duration, ssapp_run_get_duration (run));
  }
  name_runs (self, runs);
  g_ptr_array_unref (self->runs);
  self->runs = g_ptr_array_ref (runs);
  ssui_plot_choice_set_runs (self->plot_choice, runs);
  ssui_plot_choice_show (self->plot_choice, MAX_PLOTS, FALSE);
  build_legend (self);
  build_motions (self);
  build_summary (self);
  arrange (self);
  ssui_clock_set_duration (clock, duration);
  ssui_player_set_runs (self->player, runs);
  ssui_clock_seek (clock, duration);
  gtk_widget_set_sensitive (self->side_by_side, runs->len > 0);
  gtk_stack_set_visible_child_name (GTK_STACK (self->detail), runs->len > 0 ? "chosen" : "choose");
}

static void
on_plot_choice (SsuiComparePage *self)
{
  ssui_plot_choice_show (self->plot_choice, MAX_PLOTS, FALSE);
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
    g_autofree char *label = g_strdup_printf ("%s (%u runs)", row->title, g_strv_length (row->run_ids));
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, "win.open-comparison", "s", row->id);
    g_menu_append_item (menu, item);
  }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->stored), G_MENU_MODEL (menu));
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
    for (guint r = 0; row->run_ids[r] != NULL; r++)
      g_hash_table_insert (self->labels, g_strdup (row->run_ids[r]), g_strdup (row->labels[r]));
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

void
ssui_compare_page_set_narrow (SsuiComparePage *self, gboolean is_narrow)
{
  self->is_narrow = is_narrow;
  arrange (self);
}

SsuiPlayer *
ssui_compare_page_get_player (SsuiComparePage *self)
{
  return self->player;
}

SsuiClock *
ssui_compare_page_get_clock (SsuiComparePage *self)
{
  return ssui_player_get_clock (self->player);
}

GtkPaned *
ssui_compare_page_get_pane (SsuiComparePage *self)
{
  return self->regions;
}

SsuiPlotChoice *
ssui_compare_page_get_plot_choice (SsuiComparePage *self)
{
  return self->plot_choice;
}

GPtrArray *
ssui_compare_page_get_runs (SsuiComparePage *self)
{
  return self->runs;
}

void
ssui_compare_page_search (SsuiComparePage *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), text);
  on_search (self); /* at once, not when somebody has stopped typing */
}

SsuiRunTable *
ssui_compare_page_get_table (SsuiComparePage *self)
{
  return self->table;
}

void
ssui_compare_page_focus_search (SsuiComparePage *self)
{
  gtk_widget_grab_focus (self->search);
}

void
ssui_compare_page_set_session (SsuiComparePage *self, SsappSession *session)
{
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

  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_COMPARE_PAGE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->session);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->labels, g_hash_table_unref);
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
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-compare-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, stack);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, regions);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, tables);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, search);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, side_by_side);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, stored);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, summary_note);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, summary);
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
  gtk_widget_init_template (GTK_WIDGET (self));
  ssui_pane_keep (self->regions, "compare-tables", TABLES_USUAL);
  ssui_plot_choice_set_plot (self->plot_choice, self->plot, ssui_player_get_clock (self->player));
  g_signal_connect_object (self->plot_choice, "changed", G_CALLBACK (on_plot_choice), self, G_CONNECT_SWAPPED);
  ssui_run_table_set_compact (self->table, TRUE);
  g_signal_connect_object (self->table, "checked-changed", G_CALLBACK (show_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "message", G_CALLBACK (on_table_message), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "shown-changed", G_CALLBACK (update_stack), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "run-activated", G_CALLBACK (on_run_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->side_by_side, "clicked", G_CALLBACK (on_side_by_side), self, G_CONNECT_SWAPPED);
  gtk_widget_set_sensitive (self->side_by_side, FALSE);
}
