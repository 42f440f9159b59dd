/* app/export/ssapp-plot-kind.c: see the header. */
#include "app/export/ssapp-plot-kind.h"

#include "app/export/ssapp-export-private.h"
#include "app/export/ssapp-format.h"

#include <string.h>

#define CURVES (SSAPP_FORMAT_PICTURE | SSAPP_FORMAT_NUMBERS | SSAPP_FORMAT_CURVES)
#define MOTION (SSAPP_FORMAT_PICTURE | SSAPP_FORMAT_NUMBERS | SSAPP_FORMAT_FILM | SSAPP_FORMAT_FRAMES)

static gboolean
is_of_motions (SsMethodKind kind, const SsTrajectory *motion)
{
  (void)kind;
  return motion != NULL;
}

static gboolean
is_of_optimisers (SsMethodKind kind, const SsTrajectory *motion)
{
  (void)motion;
  return kind == SS_METHOD_OPTIMISER;
}

static gboolean
is_of_integrators (SsMethodKind kind, const SsTrajectory *motion)
{
  return motion != NULL && kind == SS_METHOD_INTEGRATOR;
}

static gboolean
is_of_contacts (SsMethodKind kind, const SsTrajectory *motion)
{
  (void)kind;
  return motion != NULL && ssapp_cone_first (motion) != NULL;
}

/* Motions that controls drive. */
static gboolean
is_of_plans (SsMethodKind kind, const SsTrajectory *motion)
{
  gboolean is_driven = FALSE;

  (void)kind;
  for (int c = 0; motion != NULL && c < motion->n_channels; c++)
    is_driven = is_driven || g_str_has_prefix (motion->channels[c].name, "u.");
  return is_driven;
}

static gboolean
is_of_two_clocks (SsMethodKind kind, const SsTrajectory *motion)
{
  (void)kind;
  return motion != NULL && ss_trajectory_second_clock (motion) >= 0;
}

static const SsappPlotKind plots[] = {
    {{"motion", "a motion", MOTION, NULL, FALSE},
     .also = "storyboard",
     .needs = SSAPP_NEEDS_MOTION | SSAPP_NEEDS_ONE_SCENE,
     .takes = SSAPP_TAKES_REGION | SSAPP_TAKES_TIMES,
     .is_of = is_of_motions,
     .title = "motion",
     .height = ssapp_motion_height,
     .paint = ssapp_motion_paint,
     .curves = ssapp_motion_curves},
    {{"convergence", "a plot of convergence", CURVES, NULL, FALSE},
     .shows = ssapp_convergence_shows,
     .lack = "no run has iterations",
     .is_of = is_of_optimisers,
     .title = "convergence",
     .height = ssapp_convergence_height,
     .paint = ssapp_convergence_paint,
     .curves = ssapp_convergence_curves,
     .suits_log = ssapp_convergence_suits_log},
    {{"channels", "a plot of channels", CURVES, NULL, FALSE},
     .needs = SSAPP_NEEDS_ONE_VIEW,
     .takes = SSAPP_TAKES_CHANNELS | SSAPP_TAKES_BAND,
     .shows = ssapp_channels_show,
     .lack = "no run has a channel that changes",
     .is_of = is_of_motions,
     .title = "channels",
     .heading = "Motion over Time",
     .finish = ssapp_channels_finish,
     .height = ssapp_channels_height,
     .paint = ssapp_channels_paint,
     .curves = ssapp_channels_curves},
    {{"replay", "a plot of replays", CURVES, NULL, FALSE},
     .needs = SSAPP_NEEDS_REPLAYS,
     .title = "distance of replay and plan",
     .height = ssapp_strips_height,
     .paint = ssapp_strips_paint,
     .curves = ssapp_strips_curves},
    {{"steps", "a plot of steps", CURVES, NULL, FALSE},
     .shows = ssapp_steps_show,
     .lack = "no run has steps",
     .is_of = is_of_integrators,
     .title = "step sizes",
     .heading = "Step Sizes",
     .screen = "Step size plot",
     .prepare = ssapp_steps_prepare,
     .paint = ssapp_steps_paint,
     .curves = ssapp_steps_curves,
     .suits_log = ssapp_steps_suit_log},
    {{"modes", "a plot of modes", CURVES, NULL, FALSE},
     .shows = ssapp_modes_show,
     .lack = "no run has contacts of bodies",
     .is_of = is_of_motions,
     .title = "contact modes",
     .heading = "Contact Modes",
     .screen = "Contact mode strips",
     .prepare = ssapp_modes_prepare,
     .height = ssapp_modes_height,
     .paint = ssapp_modes_paint,
     .curves = ssapp_modes_curves},
    {{"phase", "a phase plane", CURVES, NULL, FALSE},
     .help = "a channel against another",
     .needs = SSAPP_NEEDS_ROWS | SSAPP_NEEDS_SAME_BODIES,
     .takes = SSAPP_TAKES_AXES,
     .is_of = is_of_motions,
     .title = "phase plane",
     .heading = "Phase Plane",
     .screen = "Phase plane",
     .is_plane = TRUE,
     .prepare = ssapp_phase_prepare,
     .height = ssapp_plane_height,
     .paint = ssapp_plane_paint,
     .curves = ssapp_plane_curves},
    {{"cone", "a friction cone", CURVES, NULL, FALSE},
     .help = "the tangential against the normal force of a contact, with its friction cone",
     .needs = SSAPP_NEEDS_ROWS | SSAPP_NEEDS_SAME_BODIES,
     .takes = SSAPP_TAKES_CONTACT,
     .is_of = is_of_contacts,
     .title = "friction cone",
     .heading = "Friction Cone",
     .screen = "Friction cone",
     .on_cards = TRUE,
     .is_plane = TRUE,
     .prepare = ssapp_cone_prepare,
     .finish = ssapp_cone_finish,
     .height = ssapp_plane_height,
     .paint = ssapp_plane_paint,
     .curves = ssapp_plane_curves},
    {{"tries", "a plot of tries", CURVES, NULL, FALSE},
     .help = "attempts at a plan by their costs",
     .shows = ssapp_tries_show,
     .lack = "no run has tries: plans by auto, fesd-j and time-freezing have",
     .is_of = is_of_optimisers,
     .title = "tries",
     .heading = "Tries",
     .screen = "Tries by their costs",
     .paint = ssapp_tries_paint,
     .curves = ssapp_tries_curves,
     .suits_log = ssapp_steps_suit_log},
    {{"states", "a plot of all states", CURVES, NULL, FALSE},
     .help = "all of one run over time",
     .needs = SSAPP_NEEDS_ROWS | SSAPP_NEEDS_ONE_RUN,
     .shows = ssapp_states_show,
     .lack = "no run has states of bodies",
     .is_of = is_of_motions,
     .title = "states",
     .heading = "All States over Time",
     .prepare = ssapp_states_prepare,
     .height = ssapp_states_height,
     .paint = ssapp_states_paint,
     .curves = ssapp_states_curves},
    {{"clocks", "a plot of both clocks", CURVES, NULL, FALSE},
     .help = "a run of time-freezing by both of its clocks",
     .needs = SSAPP_NEEDS_ROWS | SSAPP_NEEDS_ONE_RUN,
     .is_of = is_of_two_clocks,
     .title = "both clocks",
     .heading = "Both Clocks",
     .prepare = ssapp_clocks_prepare,
     .height = ssapp_clocks_height,
     .paint = ssapp_clocks_paint,
     .curves = ssapp_clocks_curves},
    {{"worlds", "a plot of other worlds", CURVES, NULL, FALSE},
     .help = "where a plan ends in worlds that it was not made for",
     .shows = ssapp_worlds_show,
     .lack = "no run was tried in other worlds",
     .is_of = is_of_plans,
     .title = "ends in other worlds",
     .heading = "Ends in Other Worlds",
     .screen = "Ends in other worlds",
     .prepare = ssapp_worlds_prepare,
     .height = ssapp_plane_height,
     .paint = ssapp_worlds_paint,
     .curves = ssapp_worlds_curves},
    {{"worlds-map", "a map of other worlds", CURVES, NULL, FALSE},
     .help = "other worlds by two of their numbers, and where the plan fails",
     .needs = SSAPP_NEEDS_SAME_BODIES,
     .takes = SSAPP_TAKES_NUMBERS,
     .shows = ssapp_worlds_map_shows,
     .lack = "no run was tried in other worlds",
     .is_of = is_of_plans,
     .title = "where the plan fails",
     .heading = "Where the Plan Fails",
     .screen = "Map of where the plan fails",
     .prepare = ssapp_worlds_map_prepare,
     .height = ssapp_worlds_map_height,
     .paint = ssapp_worlds_map_paint,
     .curves = ssapp_worlds_map_curves},
    {{"full", "a motion with its plots", MOTION, NULL, FALSE},
     .also = "figure",
     .impact = "the planes",
     .needs = SSAPP_NEEDS_ONE_SCENE,
     .takes = SSAPP_TAKES_REGION,
     .is_of = is_of_motions,
     .title = "motion and convergence",
     .height = ssapp_full_height,
     .paint = ssapp_full_paint,
     .curves = ssapp_full_curves},
    {{"fitted", "measured and fitted channels", CURVES, NULL, FALSE},
     .of = SSAPP_PLOT_FIT,
     .title = "measured and fitted",
     .heading = "Measured and Fitted Channels",
     .height = ssapp_fit_channels_height,
     .paint = ssapp_fit_channels_paint,
     .curves = ssapp_fit_channels_curves},
    {{"paths", "measured and fitted paths", SSAPP_FORMAT_PICTURE | SSAPP_FORMAT_NUMBERS, NULL, FALSE},
     .of = SSAPP_PLOT_FIT,
     .shows = ssapp_fit_paths_show,
     .lack = "no body has x and y measured",
     .title = "measured and fitted paths",
     .heading = "Measured and Fitted Paths",
     .height = ssapp_fit_paths_height,
     .paint = ssapp_fit_paths_paint,
     .curves = ssapp_fit_paths_curves},
    {{"residuals", "a plot of residuals", CURVES, NULL, FALSE},
     .of = SSAPP_PLOT_FIT,
     .title = "residuals",
     .heading = "Residuals",
     .height = ssapp_fit_channels_height,
     .paint = ssapp_fit_residuals_paint,
     .curves = ssapp_fit_residuals_curves},
    {{"estimates", "a picture of estimates", SSAPP_FORMAT_PICTURE | SSAPP_FORMAT_NUMBERS, NULL, FALSE},
     .of = SSAPP_PLOT_FIT,
     .shows = ssapp_fit_estimates_show,
     .lack = "the fit has not ended",
     .title = "estimates",
     .heading = "Estimates",
     .height = ssapp_fit_estimates_height,
     .paint = ssapp_fit_estimates_paint,
     .curves = ssapp_fit_estimates_curves},
    {{"ellipse", "an ellipse of two estimates", SSAPP_FORMAT_PICTURE | SSAPP_FORMAT_NUMBERS, NULL, FALSE},
     .of = SSAPP_PLOT_FIT,
     .shows = ssapp_fit_ellipse_shows,
     .lack = "there are no two estimates with intervals",
     .title = "two estimates",
     .heading = "Two Estimates",
     .height = ssapp_fit_ellipse_height,
     .paint = ssapp_fit_ellipse_paint,
     .curves = ssapp_fit_ellipse_curves},
    {{"descent", "a plot of a fit's steps", CURVES, NULL, FALSE},
     .of = SSAPP_PLOT_FIT,
     .shows = ssapp_fit_descent_shows,
     .lack = "the fit took no step",
     .title = "steps of the fit",
     .heading = "Steps of the Fit",
     .paint = ssapp_fit_descent_paint,
     .curves = ssapp_fit_descent_curves,
     .suits_log = ssapp_convergence_suits_log},
    {{SSAPP_PLOT_OF_REACH, "a plot of what a number reaches", CURVES, NULL, FALSE},
     .of = SSAPP_PLOT_PULL,
     .title = "what can be reached",
     .heading = "What Can Be Reached",
     .height = ssapp_reach_height,
     .paint = ssapp_reach_paint,
     .curves = ssapp_reach_curves},
    {{"log", "a log", 0, SSAPP_ENDINGS_OF_TABLES, FALSE},
     .of = SSAPP_PLOT_TABLE,
     .heading = "Log",
     .write = ssapp_write_log},
    {{"trajectory", "a trajectory", 0, ".csv", TRUE},
     .of = SSAPP_PLOT_TABLE,
     .is_of = is_of_motions,
     .heading = "Trajectory",
     .menu = "Trajectory as CSV",
     .write = ssapp_write_trajectory},
    {{"controller", "a controller", 0, ".c .csv .json", TRUE},
     .help = "the plan with the LQR that holds it: C to compile in, or tables",
     .of = SSAPP_PLOT_TABLE,
     .is_of = is_of_plans,
     .heading = "Controller",
     .menu = "Controller as C",
     .write = ssapp_write_controller},
    {{"events", "a list of events", 0, ".csv", TRUE}, .of = SSAPP_PLOT_TABLE, .write = ssapp_write_events},
    {{"samples", "a table of samples", 0, ".csv", TRUE}, .of = SSAPP_PLOT_IMPACT, .impact = "CSV"},
    {{"shares", "a table of shares", 0, ".tex", TRUE}, .of = SSAPP_PLOT_IMPACT, .impact = "a LaTeX table"},
    {{"configuration", "a configuration", 0, ".json", TRUE}, .of = SSAPP_PLOT_IMPACT, .impact = "a file of numbers"},
};

const SsappPlotKind *
ssapp_plot_kinds (guint *n)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = G_N_ELEMENTS (plots);
  return plots;
}

const SsappPlotKind *
ssapp_plot_find (const char *name)
{
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (plots); i++)
    if (strcmp (plots[i].file.name, name) == 0 || g_strcmp0 (plots[i].also, name) == 0)
      return &plots[i];
  return NULL;
}

/* "a, b or c" of what is allocated. */
static char *
join (GPtrArray *texts)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < texts->len; i++)
    g_string_append_printf (list, "%s%s",
                            i == 0               ? ""
                            : i + 1 < texts->len ? ", "
                                                 : " or ",
                            (const char *)g_ptr_array_index (texts, i));
  return g_string_free (list, FALSE);
}

/* "phase (a channel against another)" */
static char *
with_help (const SsappPlotKind *plot, const char *help)
{
  return help != NULL ? g_strdup_printf ("%s (%s)", plot->file.name, help) : g_strdup (plot->file.name);
}

gboolean
ssapp_plot_is_of_runs (const SsappPlotKind *plot)
{
  g_return_val_if_fail (plot != NULL, FALSE);
  return plot->of != SSAPP_PLOT_FIT && plot->of != SSAPP_PLOT_PULL;
}

char *
ssapp_plots_help (void)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free),
                        of_impact = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (plots); i++) {
    if (!ssapp_plot_is_of_runs (&plots[i]))
      continue;
    if (plots[i].of != SSAPP_PLOT_IMPACT)
      g_ptr_array_add (all, with_help (&plots[i], plots[i].help));
    else
      g_ptr_array_add (of_impact, with_help (&plots[i], plots[i].impact));
  }
  for (guint i = 0; i < G_N_ELEMENTS (plots); i++) /* and those that all runs have */
    if (plots[i].of != SSAPP_PLOT_IMPACT && plots[i].impact != NULL)
      g_ptr_array_add (of_impact, with_help (&plots[i], plots[i].impact));
  g_autofree char *first = join (all), *second = join (of_impact);
  return g_strdup_printf ("%s; of an impact law %s", first, second);
}

char *
ssapp_plots_of (SsappPlotOf of)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (plots); i++)
    if (plots[i].of == of)
      g_ptr_array_add (names, g_strdup (plots[i].file.name));
  return join (names);
}

char *
ssapp_plots_that_take (guint takes, const char *between)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (plots); i++)
    if ((plots[i].takes & takes) != 0)
      g_string_append_printf (list, "%s%s", list->len > 0 ? between : "", plots[i].file.name);
  return g_string_free (list, FALSE);
}
