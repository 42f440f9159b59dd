/* ui/pages/ssui-run-page.c: see the header. Whatever the workers send, the page is brought up to date once a frame. */
#include "ui/pages/ssui-run-page.h"

#include "app/base/ssapp-metric.h"
#include "ui/canvas/ssui-channel-chooser.h"
#include "app/session/ssapp-event-rows.h"
#include "ui/parts/ssui-event-table.h"
#include "ui/parts/ssui-log-table.h"
#include "ui/parts/ssui-method-mark.h"
#include "ui/canvas/ssui-motion-view.h"
#include "ui/parts/ssui-options.h"
#include "ui/parts/ssui-pane.h"
#include "ui/parts/ssui-race-panel.h"
#include "ui/pages/ssui-run-card.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define CHANNEL_PLOTS  2   /* of a simulation, in the place of the convergence plot                    */
#define LARGEST_GROWTH 4.0 /* an iterate that flies off enlarges the sheet at most so many times       */
#define METRIC_CARDS   5
#define SCENARIO_CHARS 28  /* of its button, the middle of a longer title gives way */
#define METRIC_CHARS   8   /* of a column's title */
#define LEAST_DIGITS   1   /* of a value that has little room */
#define METRICS_HEIGHT 150 /* px of the table at most; it scrolls */
/* Heights asked for [px]: side by side the window's height is shared, below each other the page scrolls. */
#define CARD_HEIGHT    200 /* of a card alone in its column, at least */
#define CARD_OF_MANY   150
#define CARDS_LEAST    200 /* of all of them in a wide window, where they scroll */
#define CARD_COLUMNS   3   /* at most, in a wide window; more cards go below each other */
#define NARROW_COLUMNS 2
#define LOWER_HEIGHT   210
#define NARROW_HEIGHT  330 /* of a plot or a log, below each other */
#define PLOT_WIDTH     340
#define ASIDE_WIDTH    330
/* Of the timeline, whose scale the channel plots below it share: what their names need. */
#define INDENT         234
#define NARROW_INDENT  174
#define MEMBERS_HEIGHT 300 /* of a race, below its motion */
/* Where borders stand until somebody moves them: shares of the first pane. */
#define VIEW_KEY    "channels" /* of the sketch's view */
#define SPLIT_USUAL 0.43
#define SIDE_USUAL  0.66
#define RACE_USUAL  0.5
#define LOWER_USUAL 0.36

struct _SsuiRunPage {
  GtkWidget parent_instance;
  AdwButtonContent *scenario_content;
  GtkWidget *scenario, *methods, *many, *choices, *plus, *hint, *race, *options_button, *stack, *scroller,
      *cards_scroller, *cards, *side, *lower_side, *aside, *plot_card, *axis_box, *by_iteration, *by_time, *metrics,
      *metrics_scroller, *channels_box, *channels_button, *channels_popover, *channels_scroller, *difference;
  GtkPaned *split, *motions, *lower;
  SsuiChannelPlots *channel_plots;
  SsuiChannelChooser *chooser;
  SsuiOptions *options;
  SsuiPlayer *player;
  SsuiPlotChoice *plot_choice;
  SsuiPlotView *plot;
  SsuiLogTable *log;
  SsuiEventTable *events; /* in its place where all runs are simulations */
  SsuiRacePanel *members;
  SsappSession *session;
  GPtrArray *runs;    /* on show */
  gboolean is_pinned; /* they were started or opened, and nothing was changed since */
  guint refresh_id;
  gboolean is_building, is_narrow;
  guint plotted_rows; /* so that an unchanged plot is not made again */
  double first_bounds[4];
  gboolean has_first_bounds;
  gboolean has_played;   /* the first answer of the race on show */
  const SsMetric *shown; /* metrics of the cards, METRIC_CARDS */
  GPtrArray *values;     /* their labels, metric by metric; borrowed */
};

G_DEFINE_FINAL_TYPE (SsuiRunPage, ssui_run_page, GTK_TYPE_WIDGET)

static const SsMetric optimiser_metrics[METRIC_CARDS] = {SS_METRIC_OBJECTIVE, SS_METRIC_MAX_VIOLATION,
                                                         SS_METRIC_TRACKING_TOTAL, SS_METRIC_ITERATIONS,
                                                         SS_METRIC_CPU_SECONDS};
/* Of models, where lower bounds are looked for. */
static const SsMetric bounded_metrics[METRIC_CARDS] = {SS_METRIC_OBJECTIVE, SS_METRIC_MAX_VIOLATION, SS_METRIC_GAP,
                                                       SS_METRIC_ITERATIONS, SS_METRIC_CPU_SECONDS};
/* A plan beside its replay. */
static const SsMetric replay_metrics[METRIC_CARDS] = {SS_METRIC_REPLAY_DISTANCE, SS_METRIC_REPLAY_FINAL,
                                                      SS_METRIC_REPLAY_ANGLE, SS_METRIC_ENERGY_FINAL,
                                                      SS_METRIC_CPU_SECONDS};
static const SsMetric simulation_metrics[METRIC_CARDS] = {SS_METRIC_STEPS, SS_METRIC_ENERGY_FINAL,
                                                          SS_METRIC_MAX_PENETRATION, SS_METRIC_MAX_CONE_VIOLATION,
                                                          SS_METRIC_CPU_SECONDS};

/* Runs of integrators have a motion over time to plot, others iterations. */
static gboolean
shows_motions (SsuiRunPage *self)
{
  return self->runs->len > 0 && ssapp_run_get_kind (g_ptr_array_index (self->runs, 0)) == SS_METHOD_INTEGRATOR;
}

/* ---- metric cards ------------------------------------------------------------------------------------------------ */

/* As much of a value as a column of the table holds: digits are rounded away, of a power of ten no part is cut. */
static char *
table_text (SsappRun *run, SsMetric metric)
{
  char *text = ssui_metric (metric, ssapp_run_get_metric (run, metric));
  const double value = ssapp_run_get_metric (run, metric);

  for (int digits = LEAST_DIGITS + 2; digits >= LEAST_DIGITS && isfinite (value); digits--) {
    if (strstr (text, "·10") == NULL || g_utf8_strlen (text, -1) <= METRIC_CHARS + 1) /* exponents are small */
      break;
    g_free (text);
    text = ssapp_format_number (value, digits);
  }
  return text;
}

static GtkWidget *
make_value (SsuiRunPage *self)
{
  GtkWidget *value = gtk_label_new ("–");

  gtk_label_set_xalign (GTK_LABEL (value), 1);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_START);
  gtk_widget_add_css_class (value, "metric-value");
  g_ptr_array_add (self->values, value);
  return value;
}

/* A line a run: what has room beside a motion. */
static GtkWidget *
make_metric_table (SsuiRunPage *self, const SsMetric *metrics)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_widget_add_css_class (grid, "card");
  gtk_widget_add_css_class (grid, "metric-card");
  gtk_widget_add_css_class (grid, "metric-table");
  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  for (guint r = 0; r < self->runs->len; r++)
    gtk_grid_attach (GTK_GRID (grid), ssui_method_mark_new (ssapp_run_get_method (g_ptr_array_index (self->runs, r))),
                     0, (int)r + 1, 1, 1);
  for (int i = 0; i < METRIC_CARDS; i++) {
    g_autofree char *text = ssapp_metric_title (metrics[i]);
    GtkWidget *title = gtk_label_new (text);
    gtk_label_set_xalign (GTK_LABEL (title), 1);
    gtk_label_set_justify (GTK_LABEL (title), GTK_JUSTIFY_RIGHT);
    gtk_label_set_wrap (GTK_LABEL (title), TRUE);
    gtk_label_set_width_chars (GTK_LABEL (title), METRIC_CHARS);
    gtk_label_set_max_width_chars (GTK_LABEL (title), METRIC_CHARS);
    gtk_widget_set_valign (title, GTK_ALIGN_END);
    gtk_widget_add_css_class (title, "metric-name");
    gtk_grid_attach (GTK_GRID (grid), title, i + 1, 0, 1, 1);
    for (guint r = 0; r < self->runs->len; r++) {
      GtkWidget *value = make_value (self);
      gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_NONE); /* see table_text */
      gtk_grid_attach (GTK_GRID (grid), value, i + 1, (int)r + 1, 1, 1);
    }
  }
  return grid;
}

static GtkWidget *
make_metric_card (SsuiRunPage *self, SsMetric metric)
{
  g_autofree char *text = ssapp_metric_title (metric);
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *title = gtk_label_new (text);

  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "metric-card");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (title, text);
  gtk_widget_add_css_class (title, "metric-name");
  gtk_box_append (GTK_BOX (card), title);
  for (guint r = 0; r < self->runs->len; r++) {
    GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *value = make_value (self);
    gtk_box_append (GTK_BOX (line), ssui_method_mark_new (ssapp_run_get_method (g_ptr_array_index (self->runs, r))));
    gtk_box_append (GTK_BOX (line), value);
    gtk_box_append (GTK_BOX (card), line);
  }
  return card;
}

static const SsMetric *
choose_metrics (SsuiRunPage *self)
{
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (ssapp_run_get_replay_of (run) != NULL)
      return replay_metrics;
    if (ssapp_run_is_running (run) ? ssapp_session_get_bound (self->session) > 0
                                   : isfinite (ssapp_run_get_metric (run, SS_METRIC_GAP)))
      return bounded_metrics;
  }
  return shows_motions (self) ? simulation_metrics : optimiser_metrics;
}

static void
build_metrics (SsuiRunPage *self)
{
  const SsMetric *metrics = self->shown = choose_metrics (self);

  ssui_empty (self->metrics);
  g_ptr_array_set_size (self->values, 0);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->metrics_scroller), GTK_POLICY_NEVER,
                                  shows_motions (self) ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->metrics_scroller),
                                              shows_motions (self) ? METRICS_HEIGHT : -1);
  gtk_box_set_homogeneous (GTK_BOX (self->metrics), TRUE);
  if (shows_motions (self))
    gtk_box_append (GTK_BOX (self->metrics), make_metric_table (self, metrics));
  for (int i = 0; i < METRIC_CARDS && !shows_motions (self); i++)
    gtk_box_append (GTK_BOX (self->metrics), make_metric_card (self, metrics[i]));
}

static void
refresh_metrics (SsuiRunPage *self)
{
  const SsMetric *metrics = self->shown;

  for (int i = 0; i < METRIC_CARDS; i++)
    for (guint r = 0; r < self->runs->len; r++) { /* as they were made, metric by metric */
      SsappRun *run = g_ptr_array_index (self->runs, r);
      g_autofree char *full = ssui_metric (metrics[i], ssapp_run_get_metric (run, metrics[i])), *label = NULL,
                      *text = shows_motions (self) ? table_text (run, metrics[i]) : g_strdup (full);
      GtkWidget *value = g_ptr_array_index (self->values, (guint)i * self->runs->len + r);
      if (strcmp (gtk_label_get_text (GTK_LABEL (value)), text) == 0)
        continue;
      gtk_label_set_text (GTK_LABEL (value), text);
      gtk_widget_set_tooltip_text (value, strcmp (text, full) != 0 ? full : NULL);
      label = g_strdup_printf (_ ("%s of %s: %s"), ss_metric_spec (metrics[i])->label, ssapp_run_get_label (run), full);
      ssui_set_label (value, label);
    }
}

/* ---- bringing up to date ----------------------------------------------------------------------------------------- */

/* One sheet, one scale of arrows and one range of the strips for all cards. */
static void
share_frame (SsuiRunPage *self)
{
  g_autoptr (GPtrArray) strips = g_ptr_array_new ();
  SsuiMotionFrame frame;
  double *bounds = frame.bounds;

  if (!ssui_motion_frame_of (self->runs, &frame))
    return;
  if (!self->has_first_bounds) {
    memcpy (self->first_bounds, bounds, sizeof self->first_bounds);
    self->has_first_bounds = TRUE;
  }
  if (ssapp_session_is_running (self->session)) {
    double w = MAX (self->first_bounds[2] - self->first_bounds[0], self->first_bounds[3] - self->first_bounds[1]);
    double reach = w * LARGEST_GROWTH;
    bounds[0] = MAX (bounds[0], self->first_bounds[0] - reach);
    bounds[1] = MAX (bounds[1], self->first_bounds[1] - reach);
    bounds[2] = MIN (bounds[2], self->first_bounds[2] + reach);
    bounds[3] = MIN (bounds[3], self->first_bounds[3] + reach);
  }
  for (GtkWidget *card = gtk_widget_get_first_child (self->cards); card != NULL;
       card = gtk_widget_get_next_sibling (card)) {
    ssui_run_card_set_frame (SSUI_RUN_CARD (card), &frame);
    g_ptr_array_add (strips, ssui_run_card_get_strips (SSUI_RUN_CARD (card)));
  }
  ssui_plot_view_share_ranges (strips);
}

static void
refresh_plot (SsuiRunPage *self, gboolean is_forced)
{
  guint rows = 0;

  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    GArray *iterations = ssapp_run_get_iterations (run);
    rows += (iterations != NULL ? iterations->len : 0) * 4 + ssapp_run_get_version (run) * 4 +
            (ssapp_run_is_running (run) ? 1 : 0);
  }
  if (rows == self->plotted_rows && !is_forced)
    return;
  self->plotted_rows = rows;
  if (ssui_plot_choice_is_channels (self->plot_choice)) {
    ssui_channel_plots_set_runs (self->channel_plots, self->runs);
    gtk_widget_set_visible (self->difference, self->runs->len > 1);
    gtk_widget_set_sensitive (self->difference, ssui_channel_plots_can_differ (self->channel_plots));
  }
  ssui_plot_choice_show (self->plot_choice, CHANNEL_PLOTS,
                         gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->by_time)));
}

/* What is beside the motions: the members of a race; of simulations, whose plots want the timeline's width, the
 * metrics and the log, which otherwise stand beside the plot. */
static void
place_aside (SsuiRunPage *self)
{
  GtkWidget *home = shows_motions (self) && !self->is_narrow ? self->side : self->lower_side;
  const gboolean has_members = gtk_widget_get_visible (GTK_WIDGET (self->members));

  if (gtk_widget_get_parent (self->aside) != home) {
    g_object_ref (self->aside);
    gtk_box_remove (GTK_BOX (gtk_widget_get_parent (self->aside)), self->aside);
    gtk_box_append (GTK_BOX (home), self->aside);
    g_object_unref (self->aside);
  }
  gtk_widget_set_visible (self->side, has_members || home == self->side);
  gtk_widget_set_visible (self->lower_side, home == self->lower_side);
  ssui_pane_set_usual (self->motions, has_members ? RACE_USUAL : SIDE_USUAL);
}

/* The members of the one run on show, and its first answer played as soon as it is there. */
static void
refresh_race (SsuiRunPage *self)
{
  SsuiClock *clock = ssui_player_get_clock (self->player);
  SsappRun *run = self->runs->len == 1 ? g_ptr_array_index (self->runs, 0) : NULL;
  const gboolean has_race = run != NULL && ssapp_run_get_race (run) != NULL;

  ssui_race_panel_show (self->members, run);
  place_aside (self);
  if (!has_race || self->has_played || !ssapp_run_is_running (run) || !ssapp_run_has_motion (run) ||
      !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->has_played = TRUE;
  ssui_clock_set_playing (clock, TRUE);
}

static void
on_tick (SsuiRunPage *self)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self->events)))
    ssui_event_table_set_time (self->events, ssui_clock_get_time (ssui_player_get_clock (self->player)));
}

/* Simulations log what happens, others their iterations. */
static void
refresh_log (SsuiRunPage *self)
{
  const gboolean has_events = ssapp_event_rows_fit (self->runs);

  gtk_widget_set_visible (GTK_WIDGET (self->events), has_events);
  gtk_widget_set_visible (GTK_WIDGET (self->log), !has_events);
  if (has_events)
    ssui_event_table_set_runs (self->events, self->runs);
  else
    ssui_log_table_refresh (self->log);
}

static void
on_event_activated (SsuiRunPage *self, double time)
{
  SsuiClock *clock = ssui_player_get_clock (self->player);

  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, time);
}

static void
refresh (SsuiRunPage *self)
{
  SsuiClock *clock = ssui_player_get_clock (self->player);
  double duration = 0;
  guint n_running = 0, n_raced = 0;
  gboolean has_replay = FALSE;

  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    has_replay = has_replay || ssapp_run_get_replay_of (run) != NULL;
    duration = MAX (duration, ssapp_run_get_duration (run));
    n_running += ssapp_run_is_running (run) ? 1 : 0;
    n_raced += ssapp_run_get_job (run) != NULL ? 1 : 0; /* they were started together */
  }
  ssui_clock_set_duration (clock, duration);
  gtk_widget_set_visible (self->race, n_raced > 1 && self->is_pinned && !has_replay);
  gtk_widget_set_sensitive (self->methods, n_running == 0);
  gtk_widget_set_sensitive (self->plus, n_running == 0);
  gtk_widget_set_sensitive (self->options_button, n_running == 0 || ssapp_session_is_paused (self->session));
  for (GtkWidget *card = gtk_widget_get_first_child (self->cards); card != NULL;
       card = gtk_widget_get_next_sibling (card))
    ssui_run_card_refresh (SSUI_RUN_CARD (card));
  if (n_running == 0)
    ssui_player_set_runs (self->player, self->runs);
  share_frame (self);
  refresh_race (self);
  refresh_plot (self, FALSE);
  refresh_metrics (self);
  refresh_log (self);
}

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *frame_clock, gpointer data)
{
  SsuiRunPage *self = SSUI_RUN_PAGE (widget);

  (void)frame_clock;
  (void)data;
  self->refresh_id = 0;
  refresh (self);
  return G_SOURCE_REMOVE;
}

/* The mailbox: any number of events before the next frame cause one refresh. */
static void
queue_refresh (SsuiRunPage *self)
{
  if (self->refresh_id == 0)
    self->refresh_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);
}

/* ---- what is on show --------------------------------------------------------------------------------------------- */

/* The chosen methods as runs that were not started: their start is drawn, their cards say Ready. */
static GPtrArray *
pending_runs (SsuiRunPage *self)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) methods = ssapp_session_list_methods (self->session);

  for (guint i = 0; i < methods->len; i++) {
    const SsMethod *method = g_ptr_array_index (methods, i);
    SsappRun *run =
        ssapp_session_is_chosen (self->session, method) ? ssapp_session_new_run (self->session, method, NULL) : NULL;
    if (run != NULL)
      g_ptr_array_add (runs, run);
  }
  return runs;
}

/* Strips in the cards say over one motion what a plot of the motions says over all of them: never both. Simulations
 * have their channels a choice away, and no room for strips beside their events. */
static gboolean
shows_strips (SsuiRunPage *self)
{
  return !shows_motions (self) && !ssui_plot_choice_is_motion (self->plot_choice) && self->runs->len <= CARD_COLUMNS;
}

static void
arrange (SsuiRunPage *self)
{
  GtkOrientation orientation = self->is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;
  const int n = MAX ((int)self->runs->len, 1);
  const int most = self->is_narrow ? NARROW_COLUMNS : CARD_COLUMNS, most_wide = self->is_narrow ? 1 : 2;
  const int n_columns = n == 4 ? 2 : MIN (n, most), n_rows = (n + n_columns - 1) / n_columns;
  const int least = n_rows * (n_rows > 1 ? CARD_OF_MANY : CARD_HEIGHT) + (n_rows - 1) * 12;
  GtkLayoutManager *grid = gtk_widget_get_layout_manager (self->cards);
  int i = 0;

  for (GtkWidget *card = gtk_widget_get_first_child (self->cards); card != NULL;
       card = gtk_widget_get_next_sibling (card), i++) {
    GtkGridLayoutChild *place = GTK_GRID_LAYOUT_CHILD (gtk_layout_manager_get_layout_child (grid, card));
    gtk_grid_layout_child_set_column (place, i % n_columns);
    gtk_grid_layout_child_set_row (place, i / n_columns);
    ssui_run_card_set_compact (SSUI_RUN_CARD (card), n_columns > 1);
    ssui_run_card_set_has_progress (SSUI_RUN_CARD (card),
                                    n_columns <= most_wide || (n_columns > 2 && !shows_motions (self)));
    ssui_run_card_set_has_strips (SSUI_RUN_CARD (card), shows_strips (self));
  }
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->motions), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->lower), orientation);
  gtk_widget_set_size_request (GTK_WIDGET (self->members), self->is_narrow ? -1 : ASIDE_WIDTH,
                               self->is_narrow ? MEMBERS_HEIGHT : -1);
  gtk_widget_set_size_request (self->cards, -1, least);
  /* in a wide window the cards scroll, in a narrow one the page */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->cards_scroller), GTK_POLICY_NEVER,
                                  self->is_narrow ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (self->cards_scroller, -1, self->is_narrow ? -1 : CARDS_LEAST);
  gtk_widget_set_size_request (self->plot_card, self->is_narrow ? -1 : PLOT_WIDTH,
                               self->is_narrow ? NARROW_HEIGHT : LOWER_HEIGHT);
  gtk_widget_set_size_request (self->aside, self->is_narrow ? -1 : ASIDE_WIDTH, self->is_narrow ? NARROW_HEIGHT : -1);
  gtk_widget_set_margin_start (self->lower_side, self->is_narrow ? 0 : 6);
  gtk_widget_set_margin_top (self->lower_side, self->is_narrow ? 6 : 0);
  gtk_widget_set_margin_start (self->side, self->is_narrow ? 0 : 6);
  gtk_widget_set_margin_top (self->side, self->is_narrow ? 6 : 0);
  place_aside (self);
  if (ssui_plot_choice_is_channels (self->plot_choice) && shows_motions (self))
    ssui_player_set_indent (self->player, self->is_narrow ? NARROW_INDENT : INDENT);
  else
    ssui_player_set_indent (self->player, 0);
}

static void
set_narrow (GtkWidget *widget, gboolean is_narrow)
{
  SsuiRunPage *self = SSUI_RUN_PAGE (widget);

  self->is_narrow = is_narrow;
  gtk_widget_set_visible (gtk_widget_get_last_child (self->race), !is_narrow);
  arrange (self);
}

static void
show_plot_kind (SsuiRunPage *self)
{
  const gboolean is_channels = ssui_plot_choice_is_channels (self->plot_choice);

  gtk_widget_set_visible (self->axis_box, ssui_plot_choice_is_convergence (self->plot_choice));
  gtk_widget_set_visible (self->channels_box, is_channels);
  gtk_widget_set_visible (self->channels_scroller, is_channels);
  gtk_widget_set_visible (GTK_WIDGET (self->plot), !is_channels);
  arrange (self);
}

static void
on_plot_choice (SsuiRunPage *self)
{
  show_plot_kind (self);
  refresh_plot (self, TRUE);
}

static void
show_runs (SsuiRunPage *self, GPtrArray *runs)
{
  GtkWidget *child;

  g_ptr_array_unref (self->runs);
  self->runs = g_ptr_array_ref (runs);
  self->has_first_bounds = self->has_played = FALSE;
  while ((child = gtk_widget_get_first_child (self->cards)) != NULL)
    gtk_grid_remove (GTK_GRID (self->cards), child);
  for (guint i = 0; i < runs->len; i++)
    gtk_grid_attach (GTK_GRID (self->cards),
                     ssui_run_card_new (g_ptr_array_index (runs, i), ssui_player_get_clock (self->player),
                                        ssui_player_get_look (self->player)),
                     (int)i, 0, 1, 1);
  arrange (self);
  ssui_plot_choice_set_runs (self->plot_choice, runs);
  show_plot_kind (self);
  build_metrics (self);
  ssui_log_table_set_runs (self->log, runs);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), runs->len > 0 ? "runs" : "none");
  refresh_plot (self, TRUE);
  refresh (self);
}

static void
show_pending (SsuiRunPage *self)
{
  g_autoptr (GPtrArray) runs = NULL;

  if (self->is_pinned || self->session == NULL)
    return;
  runs = pending_runs (self);
  show_runs (self, runs);
}

/* ---- method chips: the chosen ones, each with a cross; all of them in the popover of the plus -------------------- */

static void
on_chip_clicked (GtkButton *chip, SsuiRunPage *self)
{
  ssapp_session_choose (self->session, g_object_get_data (G_OBJECT (chip), "method"), FALSE);
}

static void
on_check_toggled (GtkCheckButton *check, SsuiRunPage *self)
{
  if (!self->is_building)
    ssapp_session_choose (self->session, g_object_get_data (G_OBJECT (check), "method"),
                          gtk_check_button_get_active (check));
}

static GtkWidget *
make_chip (SsuiRunPage *self, const SsMethod *method)
{
  GtkWidget *chip = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  g_autofree char *label = g_strdup_printf (_ ("Remove %s"), method->label);
  g_autofree char *tip = g_strdup_printf (_ ("%s. Click to take it out"), method->summary);

  gtk_box_append (GTK_BOX (box), ssui_method_mark_new (ssapp_session_get_method_id (self->session, method)));
  gtk_box_append (GTK_BOX (box), gtk_label_new (method->label));
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("window-close-symbolic"));
  gtk_button_set_child (GTK_BUTTON (chip), box);
  gtk_widget_set_tooltip_text (chip, tip);
  gtk_widget_add_css_class (chip, "method-chip");
  ssui_set_label (chip, label);
  g_object_set_data (G_OBJECT (chip), "method", (gpointer)method);
  g_signal_connect (chip, "clicked", G_CALLBACK (on_chip_clicked), self);
  return chip;
}

/* A check, and behind it what adds one more of the method. */
static GtkWidget *
make_check (SsuiRunPage *self, const SsMethod *method)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *check = gtk_check_button_new (),
            *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new (method->label),
            *more = gtk_button_new_from_icon_name ("list-add-symbolic");
  const guint number = ssapp_session_get_entrant_number (self->session, method);
  g_autofree char *name = g_strdup_printf (_ ("One More %s"), method->label),
                  *tip = g_strdup_printf (_ ("One more %s, with options of its own"), method->label),
                  *target = number > 1 ? g_strdup_printf ("%s#%u", method->name, number) : g_strdup (method->name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (check, TRUE);
  gtk_widget_add_css_class (more, "flat");
  gtk_widget_set_tooltip_text (more, tip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (more), "win.one-more");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (more), "s", target);
  ssui_set_label (more, name);
  gtk_box_append (GTK_BOX (row), check);
  gtk_box_append (GTK_BOX (row), more);
  gtk_box_append (GTK_BOX (box), ssui_method_mark_new (ssapp_session_get_method_id (self->session, method)));
  gtk_box_append (GTK_BOX (box), label);
  gtk_check_button_set_child (GTK_CHECK_BUTTON (check), box);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), ssapp_session_is_chosen (self->session, method));
  gtk_widget_set_tooltip_text (check, method->summary);
  ssui_set_label (check, method->label);
  g_object_set_data (G_OBJECT (check), "method", (gpointer)method);
  g_object_set_data (G_OBJECT (row), "method", (gpointer)method);
  g_signal_connect (check, "toggled", G_CALLBACK (on_check_toggled), self);
  return row;
}

static void
build_chips (SsuiRunPage *self)
{
  g_autoptr (GPtrArray) methods = ssapp_session_list_methods (self->session);
  GtkWidget *child = gtk_widget_get_first_child (self->choices);
  gboolean is_same = TRUE;
  guint n = 0, n_chosen = 0;

  ssui_empty (self->methods);
  for (guint i = 0; i < methods->len; i++)
    if (ssapp_session_is_chosen (self->session, g_ptr_array_index (methods, i))) {
      gtk_box_append (GTK_BOX (self->methods), make_chip (self, g_ptr_array_index (methods, i)));
      n_chosen++;
    }
  g_autofree char *many = g_strdup_printf (ngettext ("%u method", "%u methods", n_chosen), n_chosen);
  gtk_button_set_label (GTK_BUTTON (self->many), many);

  /* The popover may be open while its checks are used: they are made anew only for other methods. */
  for (; child != NULL; child = gtk_widget_get_next_sibling (child), n++)
    is_same =
        is_same && n < methods->len && g_object_get_data (G_OBJECT (child), "method") == g_ptr_array_index (methods, n);
  self->is_building = TRUE;
  if (!is_same || n != methods->len) {
    ssui_empty (self->choices);
    for (guint i = 0; i < methods->len; i++)
      gtk_box_append (GTK_BOX (self->choices), make_check (self, g_ptr_array_index (methods, i)));
  }
  for (child = gtk_widget_get_first_child (self->choices); child != NULL; child = gtk_widget_get_next_sibling (child)) {
    const SsMethod *method = g_object_get_data (G_OBJECT (child), "method");
    const gboolean is_chosen = ssapp_session_is_chosen (self->session, method);
    gtk_check_button_set_active (GTK_CHECK_BUTTON (gtk_widget_get_first_child (child)), is_chosen);
    /* it stays where it is, so that rows keep their height */
    gtk_widget_set_opacity (gtk_widget_get_last_child (child), is_chosen ? 1 : 0);
    gtk_widget_set_sensitive (gtk_widget_get_last_child (child), is_chosen);
  }
  self->is_building = FALSE;
}

static void on_view_changed (SsuiRunPage *self);
static void on_channels_changed (SsuiRunPage *self);

/* ---- session ----------------------------------------------------------------------------------------------------- */

static void
update_scenario (SsuiRunPage *self)
{
  SsappDocument *document = ssapp_session_get_document (self->session);
  const SsScenario *scenario = ssapp_document_get_scenario (document);
  const char *title = ssapp_document_get_title (document);
  const int target = ss_scenario_parameter (scenario, "j"); /* the examples of 004 number their targets by it */
  const gboolean has_target = target >= 0 && scenario->model != NULL;
  g_autofree char *tip = g_strdup_printf (_ ("Show the scenario: %s"), title);
  g_autofree char *text =
      has_target ? g_strdup_printf (_ ("%s, target %g"), title, scenario->parameters[target].value) : g_strdup (title);

  adw_button_content_set_label (self->scenario_content, text);
  ssui_set_label (self->scenario, text);
  gtk_widget_set_tooltip_text (self->scenario, tip);
}

static void
on_document_changed (SsuiRunPage *self)
{
  update_scenario (self);
  if (!ssapp_session_is_running (self->session) && !ssapp_session_runs_are_current (self->session))
    self->is_pinned = FALSE;
  build_chips (self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    show_pending (self);
}

static void
on_methods_changed (SsuiRunPage *self)
{
  build_chips (self);
  if (ssapp_session_is_running (self->session))
    return;
  self->is_pinned = FALSE;
  show_pending (self);
}

static void
on_runs_changed (SsuiRunPage *self)
{
  SsuiClock *clock = ssui_player_get_clock (self->player);

  self->is_pinned = TRUE;
  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, 0);
  show_runs (self, ssapp_session_get_runs (self->session));
}

static void
on_run_ended (SsuiRunPage *self)
{
  SsuiClock *clock = ssui_player_get_clock (self->player);

  refresh (self);
  /* The last one is there: show the motion from its beginning. */
  if (!ssapp_session_is_running (self->session) && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      ssui_clock_get_time (clock) <= 0)
    ssui_clock_set_playing (clock, TRUE);
}

void
ssui_run_page_copy_events (SsuiRunPage *self)
{
  ssui_event_table_copy (self->events);
}

SsuiLogTable *
ssui_run_page_get_log (SsuiRunPage *self)
{
  return self->log;
}

gboolean
ssui_run_page_go_to_violation (SsuiRunPage *self, int row)
{
  GArray *rows = ssapp_violation_list_get_rows (ssui_log_table_get_violations (self->log));
  SsuiClock *clock = ssui_player_get_clock (self->player);

  if (row < 0 || (guint)row >= rows->len)
    return FALSE;
  const SsappViolationRow *at = &g_array_index (rows, SsappViolationRow, row);
  ssapp_violation_select (at->violation, ssapp_session_get_document (self->session));
  ssui_motion_look_set_mark (ssui_player_get_look (self->player), ssapp_run_get_id (at->run), at->violation->contact,
                             at->violation->body, at->violation->t);
  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, ssapp_run_from_time (at->run, at->violation->t));
  return TRUE;
}

void
ssui_run_page_choose_channels (SsuiRunPage *self)
{
  if (ssui_plot_choice_choose (self->plot_choice, "channels"))
    gtk_menu_button_popup (GTK_MENU_BUTTON (self->channels_button));
}

static GtkPaned *
get_pane (GtkWidget *widget, const char *name)
{
  SsuiRunPage *self = SSUI_RUN_PAGE (widget);

  return strcmp (name, "split") == 0   ? self->split
         : strcmp (name, "side") == 0  ? self->motions
         : strcmp (name, "lower") == 0 ? self->lower
                                       : NULL;
}

static void
set_session (GtkWidget *widget, SsappSession *session)
{
  SsuiRunPage *self = SSUI_RUN_PAGE (widget);
  SsappDocument *document = ssapp_session_get_document (session);

  self->session = g_object_ref (session);
  ssui_options_set_session (self->options, session);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "methods-changed", G_CALLBACK (on_methods_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "runs-changed", G_CALLBACK (on_runs_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "run-changed", G_CALLBACK (queue_refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "run-ended", G_CALLBACK (on_run_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_sketches (session), "view-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  on_view_changed (self);
  if (ssapp_session_get_runs (session)->len > 0)
    on_runs_changed (self);
  on_document_changed (self);
}

static void
on_axis_toggled (SsuiRunPage *self)
{
  refresh_plot (self, TRUE);
}

static void
on_difference (SsuiRunPage *self)
{
  if (!self->is_building)
    ssui_channel_plots_set_difference (self->channel_plots,
                                       gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->difference)));
}

/* Chosen plots are kept with the sketch: a JSON text by the key "channels". */
static void
keep_channels (SsuiRunPage *self)
{
  g_autofree char *text = ssui_channel_plots_dup_text (self->channel_plots);
  g_autofree char *json = *text != '\0' ? ssapp_channel_text_to_json (text) : NULL;

  if (self->session != NULL)
    ssapp_session_set_view (self->session, VIEW_KEY, json);
}

static void
on_view_changed (SsuiRunPage *self)
{
  g_autofree char *json = ssapp_session_get_view (self->session, VIEW_KEY);
  g_autofree char *kept = json != NULL ? ssapp_channel_text_from_json (json) : NULL;
  g_autofree char *shown = ssui_channel_plots_dup_text (self->channel_plots);

  if (g_strcmp0 (kept != NULL ? kept : "", shown) == 0)
    return;
  self->is_building = TRUE; /* it is kept already */
  if (!ssui_channel_plots_set_text (self->channel_plots, kept != NULL ? kept : "", NULL))
    ssui_channel_plots_set_text (self->channel_plots, "", NULL); /* of a newer version: the usual ones */
  self->is_building = FALSE;
}

static void
on_channels_changed (SsuiRunPage *self)
{
  if (!self->is_building)
    keep_channels (self);
  self->is_building = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->difference),
                                ssui_channel_plots_get_plots (self->channel_plots)->is_difference);
  self->is_building = FALSE;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_run_page_map (GtkWidget *widget)
{
  SsuiRunPage *self = SSUI_RUN_PAGE (widget);

  show_pending (self);
  GTK_WIDGET_CLASS (ssui_run_page_parent_class)->map (widget);
  refresh (self);
}

static void
ssui_run_page_dispose (GObject *object)
{
  SsuiRunPage *self = SSUI_RUN_PAGE (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_RUN_PAGE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->session);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_run_page_parent_class)->dispose (object);
}

static void
ssui_run_page_class_init (SsuiRunPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_run_page_dispose;
  widget_class->map = ssui_run_page_map;
  g_type_ensure (SSUI_TYPE_PLAYER);
  g_type_ensure (SSUI_TYPE_PLOT_CHOICE);
  g_type_ensure (SSUI_TYPE_CHANNEL_PLOTS);
  g_type_ensure (SSUI_TYPE_CHANNEL_CHOOSER);
  g_type_ensure (SSUI_TYPE_PLOT_VIEW);
  g_type_ensure (SSUI_TYPE_LOG_TABLE);
  g_type_ensure (SSUI_TYPE_RACE_PANEL);
  g_type_ensure (SSUI_TYPE_OPTIONS);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-run-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, scenario);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, scenario_content);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, methods);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, many);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, choices);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, plus);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, hint);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, race);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, options_button);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, options);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, stack);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, motions);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, cards);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, members);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, lower);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, plot_card);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, plot_choice);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, axis_box);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, by_iteration);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, by_time);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, metrics);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, metrics_scroller);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, player);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, plot);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, log);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, scroller);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, cards_scroller);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, split);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, side);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, lower_side);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, aside);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, channels_box);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, channels_button);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, channels_popover);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, channels_scroller);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, channel_plots);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, chooser);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunPage, difference);
}

static void
ssui_run_page_init (SsuiRunPage *self)
{
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->values = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->many, "clicked", G_CALLBACK (gtk_menu_button_popup), self->plus);
  ssui_let_shrink (GTK_WIDGET (self->scenario_content), SCENARIO_CHARS);
  g_signal_connect_object (self->by_time, "toggled", G_CALLBACK (on_axis_toggled), self, G_CONNECT_SWAPPED);
  ssui_channel_plots_set_player (self->channel_plots, self->player);
  ssui_channel_chooser_set_plots (self->chooser, self->channel_plots);
  g_signal_connect_object (self->channels_popover, "show", G_CALLBACK (ssui_channel_chooser_open), self->chooser,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->difference, "toggled", G_CALLBACK (on_difference), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->channel_plots, "changed", G_CALLBACK (on_channels_changed), self, G_CONNECT_SWAPPED);
  ssui_pane_keep (self->split, "run-split", SPLIT_USUAL);
  ssui_pane_keep (self->motions, "run-side", SIDE_USUAL);
  ssui_pane_keep (self->lower, "run-lower", LOWER_USUAL);
  ssui_plot_choice_set_has_channels (self->plot_choice, TRUE);
  self->events = SSUI_EVENT_TABLE (ssui_event_table_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->events), "region");
  gtk_widget_set_vexpand (GTK_WIDGET (self->events), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->events), FALSE);
  gtk_box_append (GTK_BOX (gtk_widget_get_parent (GTK_WIDGET (self->log))), GTK_WIDGET (self->events));
  g_signal_connect_object (self->events, "event-activated", G_CALLBACK (on_event_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssui_player_get_clock (self->player), "tick", G_CALLBACK (on_tick), self, G_CONNECT_SWAPPED);
  ssui_plot_choice_set_plot (self->plot_choice, self->plot, ssui_player_get_clock (self->player));
  g_signal_connect_object (self->plot_choice, "changed", G_CALLBACK (on_plot_choice), self, G_CONNECT_SWAPPED);
}

static SsuiPageParts
get_parts (GtkWidget *widget)
{
  SsuiRunPage *self = SSUI_RUN_PAGE (widget);

  return (SsuiPageParts){.player = self->player,
                         .plot_choice = self->plot_choice,
                         .channel_plots = self->channel_plots,
                         .runs = self->runs};
}

const SsuiPage ssui_run_page = {.name = "run",
                                .title = N_ ("Run"),
                                .icon = "media-playback-start-symbolic",
                                .next = "run",
                                .keys = ssui_player_keys,
                                .get_type = ssui_run_page_get_type,
                                .set_session = set_session,
                                .set_narrow = set_narrow,
                                .get_parts = get_parts,
                                .get_pane = get_pane};
