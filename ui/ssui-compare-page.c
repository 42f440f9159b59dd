/* ui/ssui-compare-page.c: see the header. */
#include "ui/ssui-compare-page.h"

#include "ui/ssui-method-mark.h"
#include "ui/ssui-motion-view.h"
#include "ui/ssui-player.h"
#include "ui/ssui-plot-view.h"
#include "ui/ssui-run-table.h"
#include "ui/ssui-util.h"

#include <math.h>
#include <string.h>

#define MAX_MOTIONS 4 /* side by side; more would be too small to see */
/* Sizes asked for [px] */
#define TABLES_WIDTH         650 /* beside the plots                     */
#define NARROW_TABLES_HEIGHT 420 /* below each other the page scrolls    */
#define NARROW_DETAIL_HEIGHT 660

struct _SsuiComparePage {
  GtkWidget parent_instance;
  GtkWidget *stack, *regions, *tables, *search, *side_by_side, *summary_note, *summary, *detail, *plot_title, *legend,
      *motions;
  SsuiRunTable *table;
  SsuiPlotView *plot;
  SsuiPlayer *player;
  SsappSession *session;
  GPtrArray *runs;
};

G_DEFINE_FINAL_TYPE (SsuiComparePage, ssui_compare_page, GTK_TYPE_WIDGET)

static guint message_signal;

static void
clear_box (GtkWidget *box)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
}

/* ---- chosen runs as a table: one row each, the best number of a column in bold --------------------------------------------------- */

typedef struct {
  const char *title, *metric;
} SummaryColumn;

static const SummaryColumn optimiser_columns[] = {{"Objective", "objective"},
                                                  {"Violation", "max_violation"},
                                                  {"Iterations", "iterations"},
                                                  {"Time [s]", "solve_seconds"}};
static const SummaryColumn simulation_columns[] = {{"Steps", "steps"},
                                                   {"Energy end [J]", "energy_final"},
                                                   {"Penetration [m]", "max_penetration"},
                                                   {"Time [s]", "solve_seconds"}};

static const SummaryColumn replay_columns[] = {{"To plan [m]", "replay_distance"},
                                               {"At the end [m]", "replay_final"},
                                               {"Energy end [J]", "energy_final"},
                                               {"Time [s]", "solve_seconds"}};

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

static void
build_summary (SsuiComparePage *self)
{
  gboolean are_simulations = self->runs->len > 0 && ssapp_run_is_simulation (g_ptr_array_index (self->runs, 0));
  const SummaryColumn *shown = has_replay (self->runs) ? replay_columns
                               : are_simulations       ? simulation_columns
                                                       : optimiser_columns;
  const int n_columns = (int)G_N_ELEMENTS (optimiser_columns);
  GtkWidget *child;
  g_autofree char *note = g_strdup_printf (self->runs->len == 1 ? "%u run" : "%u runs", self->runs->len);

  while ((child = gtk_widget_get_first_child (self->summary)) != NULL)
    gtk_grid_remove (GTK_GRID (self->summary), child);
  gtk_label_set_text (GTK_LABEL (self->summary_note), self->runs->len > 0 ? note : "none");
  if (self->runs->len == 0)
    return;
  attach_label (self, "Run", 0, 0, TRUE, FALSE);
  for (int c = 0; c < n_columns; c++) {
    double best = NAN;
    attach_label (self, shown[c].title, c + 1, 0, TRUE, FALSE);
    for (guint r = 0; r < self->runs->len; r++)
      best = fmin (best, ssapp_run_get_metric (g_ptr_array_index (self->runs, r), shown[c].metric));
    for (guint r = 0; r < self->runs->len; r++) {
      double value = ssapp_run_get_metric (g_ptr_array_index (self->runs, r), shown[c].metric);
      g_autofree char *text = ssui_number (value);
      attach_label (self, text, c + 1, (int)r + 1, FALSE, !are_simulations && self->runs->len > 1 && value == best);
    }
  }
  for (guint r = 0; r < self->runs->len; r++) {
    SsappRun *run = g_ptr_array_index (self->runs, r);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_box_append (GTK_BOX (box), ssui_method_mark_new (ssapp_run_get_method (run)));
    gtk_box_append (GTK_BOX (box), gtk_label_new (ssapp_run_get_label (run)));
    gtk_grid_attach (GTK_GRID (self->summary), box, 0, (int)r + 1, 1, 1);
  }
}

/* ---- pictures -------------------------------------------------------------------------------------------------------------------- */

static void
build_motions (SsuiComparePage *self)
{
  SsuiMotionFrame frame;
  gboolean has_frame = ssui_motion_frame_of (self->runs, &frame);

  clear_box (self->motions);
  for (guint r = 0; r < MIN (self->runs->len, MAX_MOTIONS); r++) {
    SsappRun *run = g_ptr_array_index (self->runs, r);
    g_autoptr (GPtrArray) only = g_ptr_array_new_with_free_func (g_object_unref);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *label = gtk_label_new (ssapp_run_get_label (run)), *view = ssui_motion_view_new ();
    g_autofree char *name = g_strdup_printf ("Motion of %s", ssapp_run_get_label (run));

    g_ptr_array_add (only, g_object_ref (run));
    ssui_motion_view_set_clock (SSUI_MOTION_VIEW (view), ssui_player_get_clock (self->player));
    ssui_motion_view_set_runs (SSUI_MOTION_VIEW (view), only);
    ssui_motion_view_set_frame (SSUI_MOTION_VIEW (view), has_frame ? &frame : NULL);
    ssui_set_label (view, name);
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class (label, "caption");
    gtk_widget_set_margin_start (head, 12);
    gtk_box_append (GTK_BOX (head), ssui_method_mark_new (ssapp_run_get_method (run)));
    gtk_box_append (GTK_BOX (head), label);
    gtk_box_append (GTK_BOX (box), head);
    gtk_box_append (GTK_BOX (box), view);
    gtk_box_append (GTK_BOX (self->motions), box);
  }
}

static void
build_legend (SsuiComparePage *self)
{
  clear_box (self->legend);
  for (guint r = 0; r < MIN (self->runs->len, MAX_MOTIONS); r++) {
    SsappRun *run = g_ptr_array_index (self->runs, r);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (ssapp_run_get_label (run));
    gtk_widget_add_css_class (label, "caption");
    gtk_box_append (GTK_BOX (box), ssui_method_mark_new (ssapp_run_get_method (run)));
    gtk_box_append (GTK_BOX (box), label);
    gtk_box_append (GTK_BOX (self->legend), box);
  }
}

/* Two runs of one method are told apart by a number. */
static void
name_runs (GPtrArray *runs)
{
  for (guint i = 0; i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    guint before = 0, all = 0;
    g_autofree char *label = NULL;
    for (guint k = 0; k < runs->len; k++)
      if (strcmp (ssapp_run_get_method (g_ptr_array_index (runs, k)), ssapp_run_get_method (run)) == 0) {
        all++;
        before += k <= i ? 1 : 0;
      }
    if (all > 1)
      label = g_strdup_printf ("%s (%u)", ssapp_run_get_method_label (run), before);
    ssapp_run_set_label (run, label);
  }
}

static void
show_chosen (SsuiComparePage *self)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_auto (GStrv) ids = ssui_run_table_dup_checked (self->table);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  SsuiClock *clock = ssui_player_get_clock (self->player);
  gboolean are_simulations;
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
  name_runs (runs);
  g_ptr_array_unref (self->runs);
  self->runs = g_ptr_array_ref (runs);
  are_simulations = runs->len > 0 && ssapp_run_is_simulation (g_ptr_array_index (runs, 0));
  gtk_label_set_text (GTK_LABEL (self->plot_title), are_simulations ? "Motion over Time" : "Convergence");
  ssui_set_label (GTK_WIDGET (self->plot), are_simulations ? "Motion plot" : "Convergence plot");
  ssui_plot_view_set_clock (self->plot, are_simulations ? clock : NULL);
  if (are_simulations)
    ssui_plot_view_show_channels (self->plot, runs, 2);
  else
    ssui_plot_view_show_convergence (self->plot, runs, FALSE);
  build_legend (self);
  build_motions (self);
  build_summary (self);
  ssui_clock_set_duration (clock, duration);
  ssui_player_set_runs (self->player, runs);
  ssui_clock_seek (clock, duration);
  gtk_widget_set_sensitive (self->side_by_side, runs->len > 0);
  gtk_stack_set_visible_child_name (GTK_STACK (self->detail), runs->len > 0 ? "chosen" : "choose");
}

static void
reload (SsuiComparePage *self)
{
  g_autoptr (GError) error = NULL;

  if (!ssui_run_table_load (self->table, ssapp_session_get_store (self->session), &error))
    g_signal_emit (self, message_signal, 0, error->message);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    ssui_run_table_get_n_runs (self->table) > 0 ? "runs" : "empty");
}

static void
on_store_changed (SsuiComparePage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    reload (self);
}

static void
on_search (SsuiComparePage *self)
{
  ssui_run_table_set_filter (self->table, gtk_editable_get_text (GTK_EDITABLE (self->search)));
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

void
ssui_compare_page_compare (SsuiComparePage *self, const char *const *ids)
{
  reload (self);
  ssui_run_table_check (self->table, ids);
}

void
ssui_compare_page_set_narrow (SsuiComparePage *self, gboolean is_narrow)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->regions),
                                  is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (self->tables, is_narrow ? -1 : TABLES_WIDTH, is_narrow ? NARROW_TABLES_HEIGHT : -1);
  gtk_widget_set_size_request (self->detail, -1, is_narrow ? NARROW_DETAIL_HEIGHT : -1);
}

SsuiClock *
ssui_compare_page_get_clock (SsuiComparePage *self)
{
  return ssui_player_get_clock (self->player);
}

GPtrArray *
ssui_compare_page_get_runs (SsuiComparePage *self)
{
  return self->runs;
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
  g_type_ensure (SSUI_TYPE_PLOT_VIEW);
  g_type_ensure (SSUI_TYPE_PLAYER);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-compare-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, stack);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, regions);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, tables);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, search);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, side_by_side);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, summary_note);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, summary);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, detail);
  gtk_widget_class_bind_template_child (widget_class, SsuiComparePage, plot_title);
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
  gtk_widget_init_template (GTK_WIDGET (self));
  ssui_run_table_set_compact (self->table, TRUE);
  g_signal_connect_object (self->table, "checked-changed", G_CALLBACK (show_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "run-activated", G_CALLBACK (on_run_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->side_by_side, "clicked", G_CALLBACK (on_side_by_side), self, G_CONNECT_SWAPPED);
  gtk_widget_set_sensitive (self->side_by_side, FALSE);
}
