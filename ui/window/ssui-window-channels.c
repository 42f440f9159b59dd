/* ui/window/ssui-window-channels.c: commands of the channel plots and of the panes, for buttons, menus, keys and
 * scripts alike. */
#include "ui/window/ssui-window-private.h"

#include "app/session/ssapp-bands.h"
#include "ui/parts/ssui-pane.h"

#include <glib/gi18n.h>
#include <string.h>

/* Those of the page on show, of the Sketch page the live ones, else the Run page's. */
static SsuiChannelPlots *
plots_of (SsuiWindow *self)
{
  SsuiLivePlots *live = ssui_window_get_shown (self).live_plots;

  return live != NULL ? ssui_live_plots_get_plots (live) : ssui_window_get_plots (self).channel_plots;
}

/* The page shows them from now on; FALSE where its runs cannot. */
static gboolean
show_plots (SsuiWindow *self)
{
  return ssui_window_get_shown (self).live_plots != NULL ||
         ssui_plot_choice_choose (ssui_window_get_plots (self).plot_choice, "channels");
}

static void
fail_channel (SsuiWindow *self, const char *name)
{
  g_autoptr (GPtrArray) channels = ssui_channel_plots_list_channels (plots_of (self));
  g_autofree char *text = ssapp_channels_find (channels, name) == NULL
                              ? g_strdup_printf (_ ("The runs on show have no channel “%s”"), name)
                              : g_strdup_printf (_ ("That plot has no room for “%s”"), name);

  ssui_window_fail (self, "", text);
}

ACTION (on_channels)
{
  SsuiWindow *self = data;

  UNUSED_ACTION;
  ssui_window_show_page (self, "run");
  ssui_run_page_choose_channels (RUN_PAGE (self));
}

ACTION (on_show_channels)
{
  g_autoptr (GError) error = NULL;

  (void)action;
  show_plots (data);
  if (!ssui_channel_plots_set_text (plots_of (data), g_variant_get_string (parameter, NULL), &error))
    ssui_window_fail (data, "", error->message);
}

ACTION (on_add_channel)
{
  const char *name;
  int plot;

  (void)action;
  g_variant_get (parameter, "(&si)", &name, &plot);
  show_plots (data);
  if (!ssui_channel_plots_add (plots_of (data), name, plot))
    fail_channel (data, name);
}

ACTION (on_cursors)
{
  double a, b;

  (void)action;
  g_variant_get (parameter, "(dd)", &a, &b);
  show_plots (data);
  ssui_channel_plots_set_cursors (plots_of (data), a, b);
}

ACTION (on_remove_channel)
{
  (void)action;
  ssui_channel_plots_remove (plots_of (data), g_variant_get_string (parameter, NULL));
}

ACTION (on_remove_plot)
{
  (void)action;
  ssui_channel_plots_remove_plot (plots_of (data), g_variant_get_int32 (parameter));
}

ACTION (on_move_plot)
{
  int plot, by;

  (void)action;
  g_variant_get (parameter, "(ii)", &plot, &by);
  ssui_channel_plots_move (plots_of (data), plot, by);
}

ACTION (on_plot_log)
{
  int plot;
  gboolean is_log;

  (void)action;
  g_variant_get (parameter, "(ib)", &plot, &is_log);
  ssui_channel_plots_set_log (plots_of (data), plot, is_log);
}

ACTION (on_difference)
{
  (void)action;
  ssui_channel_plots_set_difference (plots_of (data), g_variant_get_boolean (parameter));
}

/* Runs without derivatives by the number are made once more with them; the reason where none can be. */
ACTION (on_band)
{
  SsuiWindow *self = data;
  const char *number = g_variant_get_string (parameter, NULL);
  SsuiChannelPlots *plots = plots_of (self);
  GPtrArray *runs = ssui_channel_plots_get_runs (plots);
  g_autoptr (GError) first = NULL;
  gboolean has_any = FALSE;

  (void)action;
  for (guint i = 0; *number != '\0' && i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    has_any = ssapp_bands_has (run, number) ||
              ssapp_bands_ask (ssapp_session_get_store (self->session), run, first == NULL ? &first : NULL) != NULL ||
              has_any;
  }
  if (*number != '\0' && !has_any)
    ssui_window_toast (self, first != NULL ? first->message : _ ("No run is on show"));
  else
    ssui_channel_plots_set_band (plots, *number != '\0' ? number : NULL);
}

ACTION (on_zoom_time)
{
  double from, to;

  (void)action;
  g_variant_get (parameter, "(dd)", &from, &to);
  ssui_channel_plots_zoom_time (plots_of (data), from, to);
}

ACTION (on_zoom_values)
{
  int plot;
  double from, to;

  (void)action;
  g_variant_get (parameter, "(idd)", &plot, &from, &to);
  ssui_channel_plots_zoom_values (plots_of (data), plot, from, to);
}

ACTION (on_cone)
{
  SsuiWindow *self = data;
  SsuiPlotChoice *choice = ssui_window_get_plots (self).plot_choice;
  const char *contact = g_variant_get_string (parameter, NULL);

  (void)action;
  if (ssui_plot_choice_choose_contact (choice, *contact != '\0' ? contact : NULL) &&
      ssui_plot_choice_choose (choice, "cone"))
    return;
  g_autofree char *text = *contact != '\0'
                              ? g_strdup_printf (_ ("The runs on show have no forces of a contact “%s”"), contact)
                              : g_strdup (_ ("The runs on show have no forces of contacts"));
  ssui_window_fail (self, "", text);
}

ACTION (on_pane)
{
  SsuiWindow *self = data;
  const char *name;
  double share;
  GtkPaned *paned = NULL;

  (void)action;
  g_variant_get (parameter, "(&sd)", &name, &share);
  for (int i = 0; ssui_pages[i] != NULL && paned == NULL; i++)
    if (ssui_pages[i]->get_pane != NULL)
      paned = ssui_pages[i]->get_pane (ssui_window_get_widget (self, ssui_pages[i]), name);
  if (paned != NULL)
    ssui_pane_set_share (paned, share);
  else {
    g_autofree char *text = g_strdup_printf (_ ("There is no border “%s” (split, side, lower, compare)"), name);
    ssui_window_fail (self, "", text);
  }
}

ACTION (on_plot)
{
  const char *name = g_variant_get_string (parameter, NULL);

  (void)action;
  if (!ssui_plot_choice_choose (ssui_window_get_plots (data).plot_choice, name)) {
    g_autofree char *text = g_strdup_printf (_ ("The runs on show have no plot “%s”"), name);
    ssui_window_fail (data, "", text);
  }
}

ACTION (on_phase)
{
  const char *x, *y;

  (void)action;
  g_variant_get (parameter, "(&s&s)", &x, &y);
  if (!ssui_plot_choice_choose_channels (ssui_window_get_plots (data).plot_choice, x, y)) {
    const gboolean has_x = ssui_plot_choice_has_channel (ssui_window_get_plots (data).plot_choice, x),
                   has_y = ssui_plot_choice_has_channel (ssui_window_get_plots (data).plot_choice, y);
    g_autofree char *text = has_x || has_y
                                ? g_strdup_printf (_ ("The runs on show have no channel “%s”"), has_x ? y : x)
                                : g_strdup_printf (_ ("The runs on show have no channels “%s” and “%s”"), x, y);
    ssui_window_fail (data, "", text);
  }
}

static const SsuiCommand commands[] = {
    {.name = "channels", .activate = on_channels},
    {.name = "show-channels", .activate = on_show_channels, .parameter_type = "s" /* "box.y,box.vy;log:residual" */},
    {.name = "add-channel", .activate = on_add_channel, .parameter_type = "(si)" /* name, plot, -1 new */},
    {.name = "remove-channel", .activate = on_remove_channel, .parameter_type = "s"},
    {.name = "remove-plot", .activate = on_remove_plot, .parameter_type = "i"},
    {.name = "move-plot", .activate = on_move_plot, .parameter_type = "(ii)" /* plot, by */},
    {.name = "plot-log", .activate = on_plot_log, .parameter_type = "(ib)" /* plot, on */},
    {.name = "difference", .activate = on_difference, .parameter_type = "b"},
    {.name = "band", .activate = on_band, .parameter_type = "s"},
    {.name = "cursors", .activate = on_cursors, .parameter_type = "(dd)" /* A, B [s]; nan: none */},
    {.name = "zoom-time", .activate = on_zoom_time, .parameter_type = "(dd)" /* from, to; equal: all */},
    {.name = "zoom-values", .activate = on_zoom_values, .parameter_type = "(idd)" /* plot, from, to; equal: all */},
    {.name = "cone", .activate = on_cone, .parameter_type = "s" /* contact, "" the one that presses hardest */},
    {.name = "pane",
     .activate = on_pane,
     .parameter_type = "(sd)" /* split|side|lower|compare, share of the first pane */},
    {.name = "plot",
     .activate = on_plot,
     .parameter_type = "s" /* convergence|channels|motion|steps|modes|phase|cone|tries */},
    {.name = "phase", .activate = on_phase, .parameter_type = "(ss)" /* channels along x, y */},
};

const SsuiSubject ssui_channel_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
