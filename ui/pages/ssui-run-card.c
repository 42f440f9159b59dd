/* ui/pages/ssui-run-card.c: see the header. */
#include "ui/pages/ssui-run-card.h"

#include "app/job/ssapp-certainty.h"
#include "app/job/ssapp-own.h"
#include "app/job/ssapp-state.h"
#include "app/session/ssapp-session.h"
#include "plan/ss-plan-worlds.h"
#include "ui/parts/ssui-exports.h"
#include "ui/parts/ssui-method-mark.h"
#include "ui/parts/ssui-context-menu.h"
#include "ui/parts/ssui-run-menu.h"
#include "ui/parts/ssui-util.h"
#include "ui/parts/ssui-ways-box.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define STRIPS_SHOWN         2
#define STRIPS_WIDTH         262 /* [px] */
#define COMPACT_STRIPS_WIDTH 200

struct _SsuiRunCard {
  GtkWidget parent_instance;
  SsuiMethodMark *mark;
  GtkWidget *title, *chip_box, *chip, *progress, *stop, *pause, *reuse, *reuse_content, *export, *export_content,
      *message_revealer, *message, *ways, *fan, *certainty, *strips_edge;
  GMenu *export_figures, *export_tables;
  SsuiPlotView *strips;
  SsuiMotionView *motion;
  SsuiClock *clock;
  SsappRun *run;
  GPtrArray *only;     /* the run alone, for the views */
  GMenuModel *exports; /* all of them */
  guint shown_version;
  gboolean has_shown, is_reusable, is_compact, has_strips;
};

G_DEFINE_FINAL_TYPE (SsuiRunCard, ssui_run_card, GTK_TYPE_WIDGET)

static char *
progress_text (SsappRun *run)
{
  const char *outcome = ssapp_run_get_outcome (run);
  const gboolean has_steps = ssapp_run_get_kind (run) == SS_METHOD_INTEGRATOR;
  double iterations = ssapp_run_get_metric (run, has_steps ? SS_METRIC_STEPS : SS_METRIC_ITERATIONS);
  g_autofree char *seconds = ssui_seconds (ssapp_run_get_elapsed (run));
  const SsTrajectory *trajectory = ssapp_run_get_trajectory (run);

  if (outcome == NULL)
    return g_strdup (_ ("not started"));
  if (has_steps) {
    if (isfinite (iterations))
      return g_strdup_printf ("step %.0f, %s", iterations, seconds);
    return g_strdup_printf (_ ("motion up to %.4g s, %s"),
                            ssapp_run_has_motion (run) ? ss_trajectory_row (trajectory, trajectory->n_rows - 1)[0] : 0,
                            seconds);
  }
  if (!isfinite (iterations))
    return g_strdup_printf ("starting, %s", seconds);
  return g_strdup_printf ("iteration %.0f, %s", iterations, seconds);
}

/* The time alone where there is no room; all of it is the tooltip. */
static void
show_progress (SsuiRunCard *self, const char *progress)
{
  g_autofree char *seconds = self->is_compact && ssapp_run_get_outcome (self->run) != NULL
                                 ? ssui_seconds (ssapp_run_get_elapsed (self->run))
                                 : NULL;

  gtk_label_set_text (GTK_LABEL (self->progress), seconds != NULL ? seconds : progress);
}

/* What became of the branches: a line, and more of each body as its tooltip. */
static void
refresh_fan (SsuiRunCard *self)
{
  const SsappFan *fan = ssapp_run_get_fan (self->run);

  gtk_widget_set_visible (self->fan, fan != NULL);
  if (fan == NULL)
    return;
  g_autofree char *summary = ssapp_fan_summary (fan);
  g_autoptr (GString) more = g_string_new (NULL);
  for (guint i = 0; i < fan->bodies->len; i++) {
    g_autofree char *line = ssapp_fan_body_describe (&g_array_index (fan->bodies, SsappFanBody, i));
    g_string_append_printf (more, "%s\n", line);
  }
  g_string_append (more, ssapp_fan_legend ());
  gtk_label_set_text (GTK_LABEL (self->fan), summary);
  gtk_widget_set_tooltip_text (self->fan, more->str);
}

/* How sure its steps are: a line, whose link goes on with both solutions; velocities of the second as its tooltip. */
static void
refresh_certainty (SsuiRunCard *self)
{
  const json_t *result = ssapp_run_get_result (self->run);
  const gboolean can_branch = ssapp_run_get_fan (self->run) == NULL && ssapp_run_get_replay_of (self->run) == NULL &&
                              !ssapp_continued_has (result);
  g_autofree char *markup = ssapp_certainty_dup_markup (result, can_branch),
                  *details = ssapp_certainty_details (result);

  gtk_widget_set_visible (self->certainty, markup != NULL);
  if (markup != NULL)
    gtk_label_set_markup (GTK_LABEL (self->certainty), markup);
  gtk_widget_set_tooltip_text (self->certainty, details);
}

static gboolean
on_branch (SsuiRunCard *self)
{
  return gtk_widget_activate_action (GTK_WIDGET (self), "win.branch-steps", "s", ssapp_run_get_id (self->run));
}

/* Why the run is no success: the reasons, whose times are links, and the whole message as a tooltip; without reasons
 * the message. Of a success what it warns of: what its law ignores of the scene, energy that was lost. */
static void
refresh_message (SsuiRunCard *self, gboolean has_trouble)
{
  const char *message = ssapp_run_get_message (self->run);
  const SsReasons *reasons = ssapp_run_get_reasons (self->run);
  g_autofree char *first = ssui_first_line (message), *markup = ssapp_reasons_dup_markup (reasons),
                  *all = g_strdup_printf ("%s  %s", markup, SSAPP_REASONS_MARKUP_ALL);

  const SsappParting *parting = ssapp_run_get_parting (self->run);
  const gboolean tells_parting = parting->is_known && !has_trouble;
  g_autofree char *parts = tells_parting ? ssapp_parting_dup_markup (parting) : NULL;
  const char *warnings = ssapp_run_get_warnings (self->run);
  const gboolean warns = !has_trouble && !tells_parting && *warnings != '\0';

  if (warns) {
    gtk_label_set_text (GTK_LABEL (self->message), warnings);
    message = warnings;
  } else if (tells_parting)
    gtk_label_set_markup (GTK_LABEL (self->message), parts);
  else if (reasons->n > 0 && has_trouble)
    gtk_label_set_markup (GTK_LABEL (self->message), all);
  else
    gtk_label_set_text (GTK_LABEL (self->message), first);
  gtk_label_set_lines (GTK_LABEL (self->message), MAX (2, reasons->n));
  gtk_widget_set_tooltip_text (self->message, message);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->message_revealer), has_trouble || tells_parting || warns);
}

/* A reason's time: the motion at that instant; behind the reasons: the list of all violations. */
static gboolean
on_link (SsuiRunCard *self, const char *link)
{
  const double t = ssapp_reason_link_time (link);

  if (strcmp (link, SSAPP_REASONS_LINK_ALL) == 0)
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.log-view", "s", "violations");
  if (isnan (t))
    return FALSE;
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, ssapp_run_from_time (self->run, t));
  return TRUE;
}

/* What is one point, an answer without time, has nothing to draw over it. */
static void
show_strips (SsuiRunCard *self)
{
  const SsTrajectory *motion = ssapp_run_get_trajectory (self->run);
  const gboolean is_shown = self->has_strips && (motion == NULL || motion->n_rows != 1);

  gtk_widget_set_visible (GTK_WIDGET (self->strips), is_shown);
  gtk_widget_set_visible (self->strips_edge, is_shown);
}

/* What is done with all runs: an edit is one of the problem of all of them. */
static void
show_pause (SsuiRunCard *self, const char *outcome)
{
  const gboolean is_running = ssapp_run_is_running (self->run),
                 is_paused = is_running && g_strcmp0 (outcome, ss_outcome_name (SS_OUTCOME_PAUSED)) == 0;

  gtk_widget_set_visible (self->pause, is_running);
  gtk_button_set_icon_name (GTK_BUTTON (self->pause),
                            is_paused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic");
  ssui_set_label (self->pause, is_paused ? _ ("Go on") : _ ("Pause"));
  gtk_widget_set_tooltip_text (
      self->pause, is_paused ? _ ("Go on from here, with the sketch and the options as they are now (Shift+Ctrl+.)")
                             : _ ("Hold all runs; change goal, friction or weights, and go on (Shift+Ctrl+.)"));
}

void
ssui_run_card_refresh (SsuiRunCard *self)
{
  SsappRun *run = self->run;
  gboolean is_running = ssapp_run_is_running (run);
  const char *outcome = ssapp_run_get_outcome (run), *class = ssui_outcome_class (outcome);
  gboolean has_trouble =
      !is_running && outcome != NULL && strcmp (class, "good") != 0 && *ssapp_run_get_message (run) != '\0';
  g_autofree char *progress = progress_text (run), *label = NULL;
  g_autofree char *tip = g_strdup_printf ("%s, %s", ssapp_run_get_label (run), progress);

  ssui_chip_set (self->chip, outcome, NULL);
  show_progress (self, progress);
  gtk_widget_set_tooltip_text (self->title, tip);
  gtk_widget_set_tooltip_text (self->progress, tip);
  gtk_widget_set_visible (self->stop, is_running);
  show_pause (self, outcome);
  gtk_widget_set_sensitive (self->stop, g_strcmp0 (outcome, "cancelling") != 0);
  gtk_widget_set_visible (self->reuse,
                          !is_running && outcome != NULL && ssapp_run_has_motion (run) && self->is_reusable);
  gtk_widget_set_visible (self->export, !is_running && outcome != NULL);
  refresh_message (self, has_trouble);
  ssui_ways_box_show (SSUI_WAYS_BOX (self->ways), run);
  gtk_widget_set_tooltip_text (self->chip, *ssapp_run_get_message (run) != '\0' ? ssapp_run_get_message (run) : NULL);
  label = g_strdup_printf ("%s: %s, %s", ssapp_run_get_label (run), ssui_outcome_label (outcome), progress);
  ssui_set_label (GTK_WIDGET (self), label);
  if (!self->has_shown || self->shown_version != ssapp_run_get_version (run)) {
    self->has_shown = TRUE;
    self->shown_version = ssapp_run_get_version (run);
    refresh_fan (self);
    refresh_certainty (self);
    ssui_plot_view_show_channels (self->strips, self->only, STRIPS_SHOWN);
    show_strips (self);
    gtk_widget_queue_draw (GTK_WIDGET (self->motion));
  }
}

void
ssui_run_card_set_frame (SsuiRunCard *self, const SsuiMotionFrame *frame)
{
  ssui_motion_view_set_frame (self->motion, frame);
}

SsuiPlotView *
ssui_run_card_get_strips (SsuiRunCard *self)
{
  return self->strips;
}

static void
on_stop (SsuiRunCard *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.cancel-run", "s", ssapp_run_get_id (self->run));
}

static void
activate_export (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SsuiRunCard *self = SSUI_RUN_CARD (widget);

  (void)name;
  gtk_widget_activate_action (widget, "win.export-run", "(ss)", g_variant_get_string (parameter, NULL),
                              ssapp_run_get_id (self->run));
}

/* Whether the run has what that kind of export shows. */
static gboolean
has_export (SsappRun *run, const char *kind)
{
  const SsappPlotKind *plot = ssui_export_find (kind)->plot;

  return plot->is_of == NULL ||
         plot->is_of (ssapp_run_get_kind (run), ssapp_run_has_motion (run) ? ssapp_run_get_motion (run) : NULL);
}

/* The items of a section that the run has something for. */
static GMenu *
section_for (SsappRun *run, GMenuModel *all)
{
  GMenu *section = g_menu_new ();

  for (int i = 0; i < g_menu_model_get_n_items (all); i++) {
    g_autofree char *action = NULL, *target = NULL;
    g_menu_model_get_item_attribute (all, i, G_MENU_ATTRIBUTE_ACTION, "s", &action);
    g_menu_model_get_item_attribute (all, i, G_MENU_ATTRIBUTE_TARGET, "s", &target);
    if (strcmp (action, "card.export") == 0 && !has_export (run, target))
      continue;
    g_autoptr (GMenuItem) item = g_menu_item_new_from_model (all, i);
    g_menu_append_item (section, item);
  }
  return section;
}

/* When the menu opens: the motion of a run that goes on comes later than its card. */
static void
fill_export_menu (GtkMenuButton *button, gpointer data)
{
  SsuiRunCard *self = data;
  g_autoptr (GMenu) menu = g_menu_new ();

  for (int i = 0; i < g_menu_model_get_n_items (self->exports); i++) {
    g_autoptr (GMenuModel) all = g_menu_model_get_item_link (self->exports, i, G_MENU_LINK_SECTION);
    g_autoptr (GMenu) section = section_for (self->run, all);
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  }
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/* A command of the window for this run. */
static void
activate_command (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *action = g_strdup_printf ("win.%s", g_variant_get_string (parameter, NULL));

  (void)name;
  gtk_widget_activate_action (widget, action, "s", ssapp_run_get_id (SSUI_RUN_CARD (widget)->run));
}

static GMenuModel *
menu_at (GtkWidget *widget, double x, double y, gboolean by_key, gpointer data)
{
  (void)x;
  (void)y;
  (void)by_key;
  (void)data;
  return ssui_run_menu_of (SSUI_RUN_CARD (widget)->run);
}

static void
activate_keep_method (GtkWidget *widget, const char *name, GVariant *parameter)
{
  (void)name;
  (void)parameter;
  gtk_widget_activate_action (widget, "win.keep-method", "s", ssapp_run_get_method (SSUI_RUN_CARD (widget)->run).name);
}

static void
activate_replay (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SsuiRunCard *self = SSUI_RUN_CARD (widget);

  (void)name;
  gtk_widget_activate_action (widget, "win.replay-run", "(ss)", g_variant_get_string (parameter, NULL),
                              ssapp_run_get_id (self->run));
}

/* "lqr 1.2": the controller and the friction of the world. */
static void
activate_hold (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SsuiRunCard *self = SSUI_RUN_CARD (widget);
  g_auto (GStrv) words = g_strsplit (g_variant_get_string (parameter, NULL), " ", 2);

  (void)name;
  gtk_widget_activate_action (widget, "win.replay-held", "(ssd)", words[0], ssapp_run_get_id (self->run),
                              words[1] != NULL ? g_ascii_strtod (words[1], NULL) : 1.0);
}

static void
activate_worlds (GtkWidget *widget, const char *name, GVariant *parameter)
{
  (void)name;
  gtk_widget_activate_action (widget, "win.replay-worlds", "(ss)", g_variant_get_string (parameter, NULL),
                              ssapp_run_get_id (SSUI_RUN_CARD (widget)->run));
}

static void
activate_start_from (GtkWidget *widget, const char *name, GVariant *parameter)
{
  (void)name;
  (void)parameter;
  gtk_widget_activate_action (widget, "win.start-from", "s", ssapp_run_get_id (SSUI_RUN_CARD (widget)->run));
}

/* What holds the motion on its plan, in the plan's own world and in others; in drawn ones where a goal is judged. */
static void
fill_held_menu (const SsScenario *scenario, GMenu *menu)
{
  static const struct {
    const char *label;
    double friction;
  } others[] = {{N_ ("Friction +20 %"), 1.2}, {N_ ("Friction −20 %"), 0.8}};
  g_autoptr (GMenu) worlds = g_menu_new (), drawn = g_menu_new ();

  for (int kind = SS_CONTROLLER_COUNT - 1; kind >= 0; kind--) { /* the one to take first is the last of the table */
    const SsControllerAbout *about = &ss_controllers[kind];
    g_autofree char *own = g_strdup_printf ("card.hold::%s 1", about->name);

    g_autofree char *in_drawn = g_strdup_printf ("card.worlds::%s", about->name);

    if (kind != SS_CONTROLLER_NONE) /* open loop: the replays with an integrator */
      g_menu_append (menu, about->label, own);
    g_menu_append (drawn, about->label, in_drawn);
    for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
      g_autofree char *label = g_strdup_printf ("%s, %s", about->label, _ (others[i].label)),
                      *action = g_strdup_printf ("card.hold::%s %.1f", about->name, others[i].friction);
      g_menu_append (worlds, label, action);
    }
  }
  g_menu_append_submenu (menu, _ ("In Another World"), G_MENU_MODEL (worlds));
  g_autofree char *many = g_strdup_printf (_ ("In %d Other Worlds"), SSAPP_SESSION_WORLDS);
  if (ss_plan_worlds_can (scenario))
    g_menu_append_submenu (menu, many, G_MENU_MODEL (drawn));
}

/* Solving again from the motion where there is a task; then every integrator of this build, where something is
 * driven. */
static void
fill_reuse_menu (SsuiRunCard *self)
{
  const SsScenario *scenario = ssapp_run_get_scenario (self->run);
  const SsMethod *method = ss_method_lookup (ssapp_run_get_method (self->run));
  g_autoptr (GMenu) menu = g_menu_new (), again = g_menu_new (), replays = g_menu_new (), held = g_menu_new ();

  if (scenario->model != NULL || scenario->task.plan != NULL)
    g_menu_append (again, _ ("Solve Again, Start From This"), "card.start-from");
  for (int i = 0; i < ss_method_count () && scenario->scene != NULL && scenario->scene->n_actuators > 0; i++) {
    const SsMethod *other = ss_method_at (i);
    g_autofree char *action = g_strdup_printf ("card.replay::%s", other->name);
    if (other->is_built && other->kind == SS_METHOD_INTEGRATOR)
      g_menu_append (replays, other->label, action);
  }
  if (method != NULL && ssapp_own_find (method) != NULL)
    g_menu_append (again, _ ("Keep Its Method in the Project"), "card.keep-method");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (again));
  if (g_menu_model_get_n_items (G_MENU_MODEL (replays)) > 0) {
    fill_held_menu (scenario, held);
    g_menu_append_section (menu, _ ("Replay with Feedback"), G_MENU_MODEL (held));
    g_menu_append_section (menu, _ ("Replay With"), G_MENU_MODEL (replays));
  }
  self->is_reusable =
      g_menu_model_get_n_items (G_MENU_MODEL (again)) > 0 || g_menu_model_get_n_items (G_MENU_MODEL (replays)) > 0;
  ssui_set_menu (self->reuse, menu);
}

static void
ssui_run_card_dispose (GObject *object)
{
  SsuiRunCard *self = SSUI_RUN_CARD (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_RUN_CARD);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->run);
  g_clear_object (&self->clock);
  g_clear_object (&self->exports);
  g_clear_pointer (&self->only, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_run_card_parent_class)->dispose (object);
}

static void
ssui_run_card_class_init (SsuiRunCardClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_run_card_dispose;
  g_type_ensure (SSUI_TYPE_METHOD_MARK);
  g_type_ensure (SSUI_TYPE_MOTION_VIEW);
  g_type_ensure (SSUI_TYPE_PLOT_VIEW);
  g_type_ensure (SSUI_TYPE_WAYS_BOX);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action (widget_class, "card.export", "s", activate_export);
  gtk_widget_class_install_action (widget_class, "card.command", "s", activate_command);
  gtk_widget_class_install_action (widget_class, "card.keep-method", NULL, activate_keep_method);
  gtk_widget_class_install_action (widget_class, "card.replay", "s", activate_replay);
  gtk_widget_class_install_action (widget_class, "card.hold", "s", activate_hold);
  gtk_widget_class_install_action (widget_class, "card.start-from", NULL, activate_start_from);
  gtk_widget_class_install_action (widget_class, "card.worlds", "s", activate_worlds);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-run-card.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, mark);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, title);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, chip_box);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, progress);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, stop);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, pause);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, export);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, export_figures);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, export_tables);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, reuse);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, export_content);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, reuse_content);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, message_revealer);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, message);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, ways);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, fan);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, certainty);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, strips);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, strips_edge);
  gtk_widget_class_bind_template_child (widget_class, SsuiRunCard, motion);
}

static void
ssui_run_card_init (SsuiRunCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ssui_exports_fill (self->export_figures, self->export_tables, "card.export", TRUE);
  self->chip = ssui_chip_new ();
  gtk_box_append (GTK_BOX (self->chip_box), self->chip);
  ssui_context_menu_attach (GTK_WIDGET (self), menu_at, NULL);
  g_signal_connect_swapped (self->stop, "clicked", G_CALLBACK (on_stop), self);
  g_signal_connect_swapped (self->message, "activate-link", G_CALLBACK (on_link), self);
  g_signal_connect_swapped (self->certainty, "activate-link", G_CALLBACK (on_branch), self);
}

void
ssui_run_card_set_compact (SsuiRunCard *self, gboolean is_compact)
{
  g_autofree char *progress = progress_text (self->run);

  self->is_compact = is_compact;
  show_progress (self, progress);
  adw_button_content_set_label (ADW_BUTTON_CONTENT (self->reuse_content), is_compact ? "" : _ ("Reuse"));
  adw_button_content_set_label (ADW_BUTTON_CONTENT (self->export_content), is_compact ? "" : _ ("Export"));
  gtk_widget_set_size_request (GTK_WIDGET (self->strips), is_compact ? COMPACT_STRIPS_WIDTH : STRIPS_WIDTH, -1);
}

void
ssui_run_card_set_has_progress (SsuiRunCard *self, gboolean has_progress)
{
  gtk_widget_set_visible (self->progress, has_progress);
  gtk_widget_set_hexpand (self->title, !has_progress);
}

void
ssui_run_card_set_has_strips (SsuiRunCard *self, gboolean has_strips)
{
  self->has_strips = has_strips;
  show_strips (self);
}

GtkWidget *
ssui_run_card_new (SsappRun *run, SsuiClock *clock, SsuiMotionLook *look)
{
  SsuiRunCard *self = g_object_new (SSUI_TYPE_RUN_CARD, NULL);
  g_autofree char *stop = g_strdup_printf (_ ("Stop %s"), ssapp_run_get_label (run)),
                  *export = g_strdup_printf (_ ("Export %s"), ssapp_run_get_label (run)),
                  *reuse = g_strdup_printf (_ ("Reuse %s"), ssapp_run_get_label (run)),
                  *motion = g_strdup_printf (_ ("Motion of %s"), ssapp_run_get_label (run)),
                  *strips = g_strdup_printf (_ ("Strips of %s"), ssapp_run_get_label (run));

  self->run = g_object_ref (run);
  self->clock = g_object_ref (clock);
  self->only = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->only, g_object_ref (run));
  ssui_method_mark_set_method (self->mark, ssapp_run_get_method (run));
  gtk_label_set_text (GTK_LABEL (self->title), ssapp_run_get_label (run));
  ssui_set_label (self->stop, stop);
  ssui_label_drop_down (self->export, export);
  ssui_set_label (self->reuse, reuse);
  fill_reuse_menu (self);
  self->exports = g_object_ref (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (self->export)));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->export), fill_export_menu, self, NULL);
  ssui_set_label (GTK_WIDGET (self->motion), motion);
  ssui_set_label (GTK_WIDGET (self->strips), strips);
  ssui_motion_view_set_clock (self->motion, clock);
  ssui_motion_view_set_look (self->motion, look);
  ssui_motion_view_set_runs (self->motion, self->only);
  ssui_plot_view_set_clock (self->strips, clock);
  ssui_run_card_refresh (self);
  return GTK_WIDGET (self);
}
