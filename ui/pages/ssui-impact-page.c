/* ui/pages/ssui-impact-page.c: see the header. */
#include "ui/pages/ssui-impact-page.h"

#include "ui/canvas/ssui-impact-view.h"
#include "ui/parts/ssui-scene-values.h"
#include "ui/parts/ssui-share-table.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define FRAME_BUDGET_US 6000   /* of a frame's 16 ms, for counting samples */
#define DRAG_END_MS     250    /* after the last change of a value, the set is refined */
#define WORDS_US        150000 /* between two looks at the counts in words, while they change every frame */

static const struct {
  const char *name;
  SsappImpactLayer layer;
} layers[] = {{"hull", SSAPP_IMPACT_LAYER_HULL},
              {"points", SSAPP_IMPACT_LAYER_POINTS},
              {"between", SSAPP_IMPACT_LAYER_BETWEEN},
              {"path", SSAPP_IMPACT_LAYER_PATH},
              {"simultaneous", SSAPP_IMPACT_LAYER_SIMULTANEOUS},
              {"sequential", SSAPP_IMPACT_LAYER_SEQUENTIAL},
              {"compliant", SSAPP_IMPACT_LAYER_COMPLIANT},
              {"other", SSAPP_IMPACT_LAYER_OTHER},
              {"mirror", SSAPP_IMPACT_LAYER_MIRROR},
              {"bound", SSAPP_IMPACT_LAYER_BOUND}};
static const int sample_counts[] = {1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20};
/* As the list in the page has them. */
static const char *const policies[] = {"lemke", "random-covering", "enumerate"};

struct _SsuiImpactPage {
  GtkWidget parent_instance;
  GtkWidget *stack, *empty, *source_name, *source_note, *angle_row, *samples, *policy, *spinner, *progress, *warning;
  GtkWidget *regions, *planes, *right, *plane_title[2], *plane_choice[2], *lower, *step_note;
  GtkWidget *chosen_note, *facts, *shares_note, *clear_brush;
  GtkAdjustment *mu, *angle, *step, *max_steps, *seed;
  GtkWidget *switches[G_N_ELEMENTS (layers)];
  SsuiImpactView *plane[2], *sequence, *energy, *growth, *rates, *outcome;
  SsuiShareTable *shares;
  SsuiSceneValues *scene_values;
  GtkWidget *sweep_row, *sweep, *sweep_note, *sweep_stop, *kept_note;
  SsappSession *session;
  SsappImpactSet *set; /* of the session */
  guint tick, drag_end;
  gint64 first_frame, last_frame, longest_frame; /* of the newest streaming [us] */
  guint64 n_frames;
  gint64 words_shown;         /* [us] */
  GStrv facts_shown;          /* on show; NULL: none yet */
  char *warned_of, *warnings; /* hash of the configuration, and what is to be known of it */
  gboolean is_loading;
};

G_DEFINE_FINAL_TYPE (SsuiImpactPage, ssui_impact_page, GTK_TYPE_WIDGET)

static guint message_signal;

/* ---- streaming --------------------------------------------------------------------------------------------------- */

static void
show_warnings (SsuiImpactPage *self, double lost)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (self->set);

  if (impact != NULL && g_strcmp0 (self->warned_of, impact->sha256) != 0) {
    g_free (self->warned_of);
    g_free (self->warnings);
    self->warned_of = g_strdup (impact->sha256);
    self->warnings = ssapp_impact_set_dup_warnings (self->set);
  }
  g_autofree char *text =
      g_strconcat (lost > 0.01 ? _ ("More than 1 % of the samples end before the impact does: allow more steps") : "",
                   lost > 0.01 && *self->warnings != '\0' ? "\n" : "", self->warnings, NULL);

  gtk_widget_set_visible (self->warning, *text != '\0');
  gtk_label_set_text (GTK_LABEL (self->warning), text);
}

static void
show_progress (SsuiImpactPage *self)
{
  SsappImpactTotals totals;
  g_autoptr (GString) text = g_string_new (NULL);

  ssapp_impact_set_get_totals (self->set, &totals);
  g_autofree char *count = ssapp_impact_count_text (totals.n);
  g_autofree char *brushed = ssapp_impact_count_text (totals.n_brushed);
  const gboolean is_busy = totals.n < totals.n_wanted;
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_busy);
  gtk_widget_set_visible (self->spinner, is_busy);
  g_string_append_printf (text, _ ("%s samples in %.0f ms"), count, 1000 * totals.seconds);
  if (isfinite (totals.solves))
    g_string_append_printf (text, _ ("\n%.2f steps a sample"), totals.solves);
  if (isfinite (totals.ambiguous))
    g_string_append_printf (text, _ ("\n%.0f %% of steps have several outcomes"), 100 * totals.ambiguous);
  gtk_label_set_text (GTK_LABEL (self->progress), text->str);
  const double lost = totals.n > 0 ? (double)(totals.n_unfinished + totals.n_dropped) / (double)totals.n : 0;
  g_autofree char *finished = totals.n_brushed >= 0 ? g_strdup_printf (_ ("%s brushed"), brushed)
                              : lost > 0            ? g_strdup_printf (_ ("%.2g %% not finished"), 100 * lost)
                                                    : g_strdup (_ ("all finished"));
  gtk_label_set_text (GTK_LABEL (self->shares_note), finished);
  gtk_widget_set_visible (self->clear_brush, totals.n_brushed >= 0);
  show_warnings (self, lost);
}

/* Frames that are asked for one after the other; those of a page at rest are not counted. */
static void
count_frame (SsuiImpactPage *self, gint64 now)
{
  if (self->n_frames > 0)
    self->longest_frame = MAX (self->longest_frame, now - self->last_frame);
  else
    self->first_frame = now;
  self->last_frame = now;
  self->n_frames++;
}

/* Frames while samples stream in, for the status. */
static void
describe (GtkWidget *widget, SsappSessionPlace *place)
{
  SsuiImpactPage *self = SSUI_IMPACT_PAGE (widget);
  const double seconds = 1e-6 * (double)(self->last_frame - self->first_frame);

  place->impact_frames.n = self->n_frames;
  place->impact_frames.rate = seconds > 0. ? (double)(self->n_frames - 1) / seconds : 0.;
  place->impact_frames.longest = 1e-6 * (double)self->longest_frame;
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  SsuiImpactPage *self = SSUI_IMPACT_PAGE (widget);

  (void)data;
  count_frame (self, gdk_frame_clock_get_frame_time (clock));
  if (ssapp_impact_set_take (self->set, FRAME_BUDGET_US) || self->drag_end != 0)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  show_progress (self);
  return G_SOURCE_REMOVE;
}

static void
stream (SsuiImpactPage *self)
{
  if (self->tick != 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->n_frames = 0;
  self->longest_frame = 0;
  self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

/* How far the compliant sweep is, or why there is none. */
static void
show_sweep (SsuiImpactPage *self)
{
  SsappImpactStudyState state;
  const char *failed;
  g_autofree char *text = NULL;

  ssapp_impact_set_get_compliant (self->set, &state, &failed);
  gtk_widget_set_visible (self->sweep_row, ssapp_impact_set_has_layer (self->set, SSAPP_IMPACT_LAYER_COMPLIANT));
  gtk_widget_set_visible (self->sweep_stop, state.is_running);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->sweep), ssapp_impact_set_get_sweep (self->set));
  text = failed != NULL       ? g_strdup (failed)
         : state.n_cases == 0 ? g_strdup (_ ("waits for the samples"))
         : state.is_running   ? g_strdup_printf (_ ("%d of %d cases"), state.n_done, state.n_cases)
         : state.n_done == state.n_cases
             ? g_strdup_printf (ngettext ("%d case", "%d cases", (gulong)state.n_done), state.n_done)
             : g_strdup_printf (_ ("stopped after %d of %d cases"), state.n_done, state.n_cases);
  gtk_label_set_text (GTK_LABEL (self->sweep_note), text);
}

/* Switches follow what scripts have set. */
static void
show_layers (SsuiImpactPage *self)
{
  const char *kept = ssapp_impact_set_get_other (self->set);

  gtk_widget_set_visible (self->kept_note, kept != NULL);
  gtk_label_set_text (GTK_LABEL (self->kept_note), kept != NULL ? kept : "");
  show_sweep (self);
  for (guint k = 0; k < G_N_ELEMENTS (layers); k++)
    gtk_switch_set_active (GTK_SWITCH (self->switches[k]), ssapp_impact_set_has_layer (self->set, layers[k].layer));
}

static void
on_changed (SsuiImpactPage *self)
{
  const gint64 now = g_get_monotonic_time ();

  show_layers (self);
  if (self->tick == 0 || now - self->words_shown > WORDS_US) { /* the last frame of a streaming shows them too */
    self->words_shown = now;
    show_progress (self);
  }
  stream (self);
}

/* ---- the chosen outcome ------------------------------------------------------------------------------------------ */

static void
show_facts (SsuiImpactPage *self)
{
  g_auto (GStrv) facts = ssapp_impact_set_dup_facts (self->set);
  GtkWidget *child;

  if (self->facts_shown != NULL && g_strv_equal ((const char *const *)facts, (const char *const *)self->facts_shown))
    return;
  g_strfreev (self->facts_shown);
  self->facts_shown = g_strdupv (facts);
  while ((child = gtk_widget_get_first_child (self->facts)) != NULL)
    gtk_grid_remove (GTK_GRID (self->facts), child);
  for (int k = 0; facts[k] != NULL; k += 2) {
    GtkWidget *name = gtk_label_new (facts[k]), *value = gtk_label_new (facts[k + 1]);
    gtk_label_set_xalign (GTK_LABEL (name), 0);
    gtk_label_set_xalign (GTK_LABEL (value), 1);
    gtk_widget_set_hexpand (value, TRUE);
    gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class (name, "dim-label");
    gtk_widget_add_css_class (value, k == 0 ? "heading" : "numeric");
    gtk_grid_attach (GTK_GRID (self->facts), name, 0, k, 1, 1);
    gtk_grid_attach (GTK_GRID (self->facts), value, 1, k, 1, 1);
  }
  if (facts[0] == NULL) {
    GtkWidget *hint = gtk_label_new (_ ("Click a point of a plane, or a row of the table below"));
    gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
    gtk_widget_add_css_class (hint, "dim-label");
    gtk_grid_attach (GTK_GRID (self->facts), hint, 0, 0, 1, 1);
  }
}

static void
on_chosen (SsuiImpactPage *self)
{
  const gint64 chosen = ssapp_impact_set_get_chosen (self->set);
  const int step = ssapp_impact_set_get_step (self->set);
  g_autofree char *number = ssapp_impact_count_text (chosen);
  g_autofree char *note = chosen >= 0 ? g_strdup_printf (_ ("sample %s"), number) : g_strdup (_ ("none"));
  g_autofree char *words = NULL;
  SsappImpactOutcome outcome;

  gtk_label_set_text (GTK_LABEL (self->chosen_note), note);
  if (ssapp_impact_set_get_outcome (self->set, &outcome)) {
    int count = 0;
    if (step >= 0)
      g_free (ssapp_impact_set_dup_step_outcomes (self->set, &count));
    words = step < 0    ? g_strdup_printf (ngettext ("%d step", "%d steps", (gulong)outcome.n_steps), outcome.n_steps)
            : count > 1 ? g_strdup_printf (_ ("step %d of %d, %d outcomes possible"), step + 1, outcome.n_steps, count)
                        : g_strdup_printf (_ ("step %d of %d"), step + 1, outcome.n_steps);
  }
  gtk_label_set_text (GTK_LABEL (self->step_note), words != NULL ? words : "");
  show_facts (self);
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

/* Parameters of the scene as they are now: those that are formulas have followed, and a value that left no
 * configuration is taken back. The friction may have come with them. */
static void
load_scene (SsuiImpactPage *self)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (self->set);
  const gboolean was_loading = self->is_loading;

  self->is_loading = TRUE;
  ssui_scene_values_load (self->scene_values, source);
  if (source != NULL && isnan (ssapp_impact_set_get_parameters (self->set)->mu))
    gtk_adjustment_set_value (self->mu, ssapp_impact_source_get_impact (source)->mu[0]);
  self->is_loading = was_loading;
}

static gboolean
on_drag_end (gpointer data)
{
  SsuiImpactPage *self = data;

  self->drag_end = 0;
  ssapp_impact_set_set_dragged (self->set, FALSE);
  load_scene (self);
  stream (self);
  return G_SOURCE_REMOVE;
}

/* The values of the widgets become those of the set. */
static void
apply (SsuiImpactPage *self)
{
  SsappImpactParameters parameters = *ssapp_impact_set_get_parameters (self->set);
  const guint samples = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->samples));

  if (self->is_loading || ssapp_impact_set_get_source (self->set) == NULL)
    return;
  parameters.angle = gtk_adjustment_get_value (self->angle) * G_PI / 180;
  parameters.options.h = gtk_adjustment_get_value (self->step);
  parameters.options.max_steps = (int)gtk_adjustment_get_value (self->max_steps);
  parameters.options.seed = (guint64)gtk_adjustment_get_value (self->seed);
  parameters.options.policy = (SsImpactPolicy)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->policy));
  if (samples < G_N_ELEMENTS (sample_counts))
    parameters.options.n_samples = sample_counts[samples];
  ssapp_impact_set_set_parameters (self->set, &parameters);
  stream (self);
}

/* Sliders move on; once they rest the set is refined. */
static void
drag (SsuiImpactPage *self)
{
  if (self->is_loading)
    return;
  ssapp_impact_set_set_dragged (self->set, TRUE);
  if (self->drag_end != 0)
    g_source_remove (self->drag_end);
  self->drag_end = g_timeout_add (DRAG_END_MS, on_drag_end, self);
}

static void
on_dragged (SsuiImpactPage *self)
{
  drag (self);
  apply (self);
}

static void
on_scene_value (SsuiImpactPage *self, int parameter, double value)
{
  drag (self);
  ssapp_impact_set_set_scene_value (self->set, parameter, value);
  stream (self);
}

/* The configuration's own frictions are kept until the slider is moved. */
static void
on_mu (SsuiImpactPage *self)
{
  SsappImpactParameters parameters;

  if (self->is_loading || ssapp_impact_set_get_source (self->set) == NULL)
    return;
  drag (self);
  parameters = *ssapp_impact_set_get_parameters (self->set);
  parameters.mu = gtk_adjustment_get_value (self->mu);
  ssapp_impact_set_set_parameters (self->set, &parameters);
  stream (self);
}

gboolean
ssui_impact_page_set_parameter (SsuiImpactPage *self, const char *name, const char *value)
{
  g_return_val_if_fail (SSUI_IS_IMPACT_PAGE (self) && name != NULL, FALSE);

  const double number = g_ascii_strtod (value, NULL);
  const struct {
    const char *name;
    GtkAdjustment *adjustment;
  } adjustments[] = {{"mu", self->mu},
                     {"angle", self->angle},
                     {"h", self->step},
                     {"max-steps", self->max_steps},
                     {"seed", self->seed}};

  for (guint k = 0; k < G_N_ELEMENTS (adjustments); k++)
    if (strcmp (adjustments[k].name, name) == 0) {
      gtk_adjustment_set_value (adjustments[k].adjustment, number);
      return TRUE;
    }
  if (strcmp (name, "policy") == 0)
    for (guint k = 0; k < G_N_ELEMENTS (policies); k++)
      if (strcmp (policies[k], value) == 0) {
        gtk_drop_down_set_selected (GTK_DROP_DOWN (self->policy), k);
        return TRUE;
      }
  if (strcmp (name, "samples") == 0)
    for (guint k = 0; k < G_N_ELEMENTS (sample_counts); k++)
      if (sample_counts[k] == (int)number) {
        gtk_drop_down_set_selected (GTK_DROP_DOWN (self->samples), k);
        return TRUE;
      }
  return g_str_has_prefix (name, "scene.") &&
         ssui_scene_values_set (self->scene_values, name + strlen ("scene."), number);
}

/* A slider from 0 to about twice the value it begins with. */
static void
load_value (GtkAdjustment *adjustment, double value, double most)
{
  gtk_adjustment_set_upper (adjustment, MAX (most, 2 * value));
  gtk_adjustment_set_step_increment (adjustment, MAX (most, 2 * value) / 200);
  gtk_adjustment_set_value (adjustment, value);
}

static void
load_choices (SsuiImpactPage *self)
{
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++) {
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
    int x, y, own_x, own_y;
    guint selected = 0;
    ssapp_impact_set_get_plane (self->set, p, &own_x, &own_y);
    for (int k = 0;; k++) {
      g_autofree char *name = NULL;
      if (!ssapp_impact_plane_choice (self->set, k, &x, &y, &name))
        break;
      gtk_string_list_append (names, name);
      selected = x == own_x && y == own_y ? (guint)k : selected;
    }
    gtk_drop_down_set_model (GTK_DROP_DOWN (self->plane_choice[p]), G_LIST_MODEL (names));
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->plane_choice[p]), selected);
  }
}

static void
show_titles (SsuiImpactPage *self)
{
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++) {
    g_autofree char *title = ssapp_impact_plane_title (self->set, p),
                    *label = g_strdup_printf (_ ("Plane %d, %s"), p + 1, title);
    int x, y;
    ssapp_impact_set_get_plane (self->set, p, &x, &y);
    const int m = ssapp_impact_source_get_impact (ssapp_impact_set_get_source (self->set))->m;
    gtk_label_set_text (GTK_LABEL (self->plane_title[p]), title);
    gtk_widget_set_tooltip_text (self->plane_title[p],
                                 ssapp_impact_source_get_place (ssapp_impact_set_get_source (self->set), x % m));
    ssui_set_label (GTK_WIDGET (self->plane[p]), label);
  }
}

static void
on_source (SsuiImpactPage *self)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (self->set);
  const SsappImpactParameters *parameters = ssapp_impact_set_get_parameters (self->set);

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), source != NULL ? "set" : "empty");
  if (source == NULL)
    return;
  const SsImpact *impact = ssapp_impact_source_get_impact (source);
  const double t = ssapp_impact_source_get_time (source);
  g_autofree char *note =
      isfinite (t)
          ? g_strdup_printf (ngettext ("at t = %.4g s, %d contact", "at t = %.4g s, %d contacts", (gulong)impact->m), t,
                             impact->m)
      : ssapp_impact_source_get_scenario (source) != NULL
          ? g_strdup_printf (ngettext ("at the start, %d contact", "at the start, %d contacts", (gulong)impact->m),
                             impact->m)
          : g_strdup_printf (ngettext ("from a file, %d contact", "from a file, %d contacts", (gulong)impact->m),
                             impact->m);
  self->is_loading = TRUE;
  gtk_label_set_text (GTK_LABEL (self->source_name), ssapp_impact_source_get_name (source));
  gtk_label_set_text (GTK_LABEL (self->source_note), note);
  load_value (self->mu, isnan (parameters->mu) ? impact->mu[0] : parameters->mu, 2);
  load_value (self->step, parameters->options.h, 0.01);
  gtk_adjustment_set_value (self->angle, parameters->angle * 180 / G_PI);
  gtk_adjustment_set_value (self->max_steps, parameters->options.max_steps);
  gtk_adjustment_set_value (self->seed, (double)parameters->options.seed);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->policy), parameters->options.policy);
  gtk_widget_set_visible (self->angle_row, ssapp_impact_source_has_directions (source));
  load_choices (self);
  if (self->drag_end == 0) /* else when the slider rests */
    load_scene (self);
  self->is_loading = FALSE;
  show_titles (self);
  on_chosen (self);
  stream (self);
}

static void
on_plane_choice (GtkDropDown *choice, GParamSpec *pspec, SsuiImpactPage *self)
{
  const int p = GTK_WIDGET (choice) == self->plane_choice[1];
  int x, y;

  (void)pspec;
  if (self->is_loading ||
      !ssapp_impact_plane_choice (self->set, (int)gtk_drop_down_get_selected (choice), &x, &y, NULL))
    return;
  ssapp_impact_set_set_plane (self->set, p, x, y);
  show_titles (self);
  stream (self);
}

static void
on_layer (GtkSwitch *widget, GParamSpec *pspec, SsuiImpactPage *self)
{
  (void)pspec;
  for (guint k = 0; k < G_N_ELEMENTS (layers); k++)
    if (self->switches[k] == GTK_WIDGET (widget)) {
      ssapp_impact_set_set_layer (self->set, layers[k].layer, gtk_switch_get_active (widget));
      stream (self);
    }
}

static void
on_sweep (SsuiImpactPage *self)
{
  ssapp_impact_set_set_sweep (self->set, (SsCompliantSweep)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->sweep)));
  stream (self);
}

/* Other steps are studied for whoever looks at the convergence. */
static void
on_lower (SsuiImpactPage *self)
{
  ssapp_impact_set_set_wants_steps (
      self->set, g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->lower)), "growth") == 0);
  stream (self);
}

void
ssui_impact_page_show_lower (SsuiImpactPage *self, const char *name)
{
  g_return_if_fail (SSUI_IS_IMPACT_PAGE (self));
  if (gtk_stack_get_child_by_name (GTK_STACK (self->lower), name) != NULL)
    gtk_stack_set_visible_child_name (GTK_STACK (self->lower), name);
}

static void
on_failed (SsuiImpactPage *self, const char *message)
{
  g_signal_emit (self, message_signal, 0, message);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

void
ssui_impact_page_take_source (SsuiImpactPage *self, SsappImpactSource *source, const char *why)
{
  g_return_if_fail (SSUI_IS_IMPACT_PAGE (self));
  g_autofree char *escaped = why != NULL ? g_markup_escape_text (why, -1) : NULL;

  if (source != NULL)
    ssapp_impact_set_set_source (self->set, source);
  else if (ssapp_impact_set_get_source (self->set) == NULL)
    adw_status_page_set_description (ADW_STATUS_PAGE (self->empty), escaped);
  else
    g_signal_emit (self, message_signal, 0, why);
}

static void
set_narrow (GtkWidget *widget, gboolean is_narrow)
{
  SsuiImpactPage *self = SSUI_IMPACT_PAGE (widget);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->regions),
                                  is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_margin_start (self->right, is_narrow ? 12 : 0);
  gtk_widget_set_margin_end (gtk_widget_get_first_child (self->regions), is_narrow ? 12 : 0);
  gtk_widget_set_size_request (self->planes, -1, is_narrow ? 330 : -1);
}

static void
set_session (GtkWidget *widget, SsappSession *session)
{
  SsuiImpactPage *self = SSUI_IMPACT_PAGE (widget);

  self->session = g_object_ref (session);
  self->set = g_object_ref (ssapp_session_get_impact (session));
  g_signal_connect_object (self->set, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->set, "chosen", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->set, "source", G_CALLBACK (on_source), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->set, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  ssui_impact_view_show (self->plane[0], self->set, SSAPP_IMPACT_VIEW_PLANE);
  ssui_impact_view_show (self->plane[1], self->set, SSAPP_IMPACT_VIEW_PLANE_2);
  ssui_impact_view_show (self->sequence, self->set, SSAPP_IMPACT_VIEW_SEQUENCE);
  ssui_impact_view_show (self->energy, self->set, SSAPP_IMPACT_VIEW_ENERGY);
  ssui_impact_view_show (self->growth, self->set, SSAPP_IMPACT_VIEW_GROWTH);
  ssui_impact_view_show (self->rates, self->set, SSAPP_IMPACT_VIEW_RATES);
  ssui_impact_view_show (self->outcome, self->set, SSAPP_IMPACT_VIEW_OUTCOME);
  ssui_share_table_show (self->shares, self->set);
  show_layers (self);
}

static void
ssui_impact_page_map (GtkWidget *widget)
{
  SsuiImpactPage *self = SSUI_IMPACT_PAGE (widget);

  GTK_WIDGET_CLASS (ssui_impact_page_parent_class)->map (widget);
  if (ssapp_impact_set_get_source (self->set) == NULL)
    gtk_widget_activate_action (widget, "win.impact-source", "s", "sketch");
  else
    stream (self);
}

static void
ssui_impact_page_unmap (GtkWidget *widget)
{
  SsuiImpactPage *self = SSUI_IMPACT_PAGE (widget);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (widget, self->tick);
  self->tick = 0;
  GTK_WIDGET_CLASS (ssui_impact_page_parent_class)->unmap (widget);
}

static void
ssui_impact_page_dispose (GObject *object)
{
  SsuiImpactPage *self = SSUI_IMPACT_PAGE (object);

  if (self->drag_end != 0)
    g_source_remove (self->drag_end);
  self->drag_end = 0;
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_IMPACT_PAGE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->set);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ssui_impact_page_parent_class)->dispose (object);
}

/* Keys beside entries' own: steps, outcomes of the mode, the brush. */
static const SsuiKey keys[] = {
    {SSUI_KEYS_IMPACT, N_ ("Step before, next step of the impulses"), "comma", "win.impact-step(-1)"},
    {SSUI_KEYS_IMPACT, NULL, "period", "win.impact-step(1)"},
    {SSUI_KEYS_IMPACT, N_ ("Outcome before, next one of the mode"), "bracketleft", "win.impact-next(-1)"},
    {SSUI_KEYS_IMPACT, NULL, "bracketright", "win.impact-next(1)"},
    {SSUI_KEYS_IMPACT, N_ ("Brush the mode, in the table of shares"), "Return", NULL},
    {SSUI_KEYS_IMPACT, N_ ("Move the brush of energy, in the histogram (Shift: one end)"), "Left Right", NULL},
    {SSUI_KEYS_IMPACT, N_ ("Take the brush away"), "Escape", "win.impact-brush-mode(-1)"},
    {0}};

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, SsuiImpactPage, child)
#define BIND_AS(name, field)                                                                                           \
  gtk_widget_class_bind_template_child_full (widget_class, name, FALSE, G_STRUCT_OFFSET (SsuiImpactPage, field))

static void
bind_children (GtkWidgetClass *widget_class)
{
  BIND (stack);
  BIND (empty);
  BIND (source_name);
  BIND (source_note);
  BIND (angle_row);
  BIND (samples);
  BIND (policy);
  BIND (spinner);
  BIND (progress);
  BIND (warning);
  BIND (regions);
  BIND (planes);
  BIND (right);
  BIND (lower);
  BIND (step_note);
  BIND (chosen_note);
  BIND (facts);
  BIND (shares_note);
  BIND (clear_brush);
  BIND (mu);
  BIND (angle);
  BIND (step);
  BIND (max_steps);
  BIND (seed);
  BIND (sequence);
  BIND (energy);
  BIND (growth);
  BIND (rates);
  BIND (outcome);
  BIND (shares);
  BIND (scene_values);
  BIND (sweep_row);
  BIND (sweep);
  BIND (sweep_note);
  BIND (sweep_stop);
  BIND (kept_note);
  BIND_AS ("plane_1", plane[0]);
  BIND_AS ("plane_2", plane[1]);
  BIND_AS ("plane_title_1", plane_title[0]);
  BIND_AS ("plane_title_2", plane_title[1]);
  BIND_AS ("plane_choice_1", plane_choice[0]);
  BIND_AS ("plane_choice_2", plane_choice[1]);
  for (guint k = 0; k < G_N_ELEMENTS (layers); k++) {
    g_autofree char *name = g_strdup_printf ("layer_%s", layers[k].name);
    gtk_widget_class_bind_template_child_full (widget_class, g_intern_string (name), FALSE,
                                               G_STRUCT_OFFSET (SsuiImpactPage, switches) +
                                                   (gssize)(k * sizeof (GtkWidget *)));
  }
}

static void
ssui_impact_page_finalize (GObject *object)
{
  SsuiImpactPage *self = SSUI_IMPACT_PAGE (object);

  g_free (self->warned_of);
  g_free (self->warnings);
  g_strfreev (self->facts_shown);
  G_OBJECT_CLASS (ssui_impact_page_parent_class)->finalize (object);
}

static void
ssui_impact_page_class_init (SsuiImpactPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_impact_page_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_impact_page_finalize;
  widget_class->map = ssui_impact_page_map;
  widget_class->unmap = ssui_impact_page_unmap;
  message_signal = g_signal_new ("message", SSUI_TYPE_IMPACT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
  g_type_ensure (SSUI_TYPE_IMPACT_VIEW);
  g_type_ensure (SSUI_TYPE_SHARE_TABLE);
  g_type_ensure (SSUI_TYPE_SCENE_VALUES);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-impact-page.ui");
  bind_children (widget_class);
}

static void
ssui_impact_page_init (SsuiImpactPage *self)
{
  GtkAdjustment *const *dragged[] = {&self->angle, &self->step};
  GtkAdjustment *const *typed[] = {&self->max_steps, &self->seed};

  self->warnings = g_strdup ("");
  gtk_widget_init_template (GTK_WIDGET (self));
  ssui_label_drop_down (self->samples, _ ("Samples"));
  ssui_label_drop_down (self->policy, _ ("Policy"));
  ssui_label_drop_down (self->sweep, _ ("Swept quantity"));
  ssui_label_drop_down (self->plane_choice[0], _ ("Axes of plane 1"));
  ssui_label_drop_down (self->plane_choice[1], _ ("Axes of plane 2"));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->samples), 1);
  ssui_keys_attach (self->regions, keys, FALSE);
  g_signal_connect_object (self->mu, "value-changed", G_CALLBACK (on_mu), self, G_CONNECT_SWAPPED);
  for (guint k = 0; k < G_N_ELEMENTS (dragged); k++)
    g_signal_connect_object (*dragged[k], "value-changed", G_CALLBACK (on_dragged), self, G_CONNECT_SWAPPED);
  for (guint k = 0; k < G_N_ELEMENTS (typed); k++)
    g_signal_connect_object (*typed[k], "value-changed", G_CALLBACK (apply), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->samples, "notify::selected", G_CALLBACK (apply), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->policy, "notify::selected", G_CALLBACK (apply), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->scene_values, "dragged", G_CALLBACK (on_scene_value), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sweep, "notify::selected", G_CALLBACK (on_sweep), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->lower, "notify::visible-child", G_CALLBACK (on_lower), self, G_CONNECT_SWAPPED);
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++)
    g_signal_connect_object (self->plane_choice[p], "notify::selected", G_CALLBACK (on_plane_choice), self, 0);
  for (guint k = 0; k < G_N_ELEMENTS (layers); k++)
    g_signal_connect_object (self->switches[k], "notify::active", G_CALLBACK (on_layer), self, 0);
}

const SsuiPage ssui_impact_page = {.name = "impact",
                                   .title = N_ ("Impact"),
                                   .icon = "ss-impact-symbolic",
                                   .next = "store_run",
                                   .get_type = ssui_impact_page_get_type,
                                   .set_session = set_session,
                                   .set_narrow = set_narrow,
                                   .describe = describe,
                                   .keys = keys};
