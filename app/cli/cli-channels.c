/* app/cli/cli-channels.c: see the header. */
#include "app/cli/cli-channels.h"

#include "app/draw/ssapp-channel-plots.h"

char *
cli_channels_text (const CliArgs *args)
{
  const char *text = cli_args_text (args, "--channels");
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  char *out = NULL;

  if (text != NULL && ssapp_channel_plots_read (plots, text, NULL)) {
    plots->is_difference = plots->is_difference || cli_args_text (args, "--difference") != NULL;
    for (guint p = 0; p < plots->plots->len && cli_args_flag (args, "--log-y"); p++)
      ssapp_channel_plots_set_log (plots, (int)p, TRUE);
    out = ssapp_channel_plots_write (plots);
  }
  ssapp_channel_plots_free (plots);
  return out;
}

gboolean
cli_channels_check (const CliArgs *args, const SsappPlotKind *plot, GError **error)
{
  const char *text = cli_args_text (args, "--channels");
  const gboolean has_plots = text != NULL && (plot->takes & SSAPP_TAKES_CHANNELS) != 0;
  const gboolean has_axes = text != NULL && (plot->takes & SSAPP_TAKES_AXES) != 0;
  g_autofree char *of_channels = ssapp_plots_that_take (SSAPP_TAKES_CHANNELS, " or ");
  g_autofree char *problem = NULL;
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  const gboolean ok = text == NULL || ssapp_channel_plots_read (plots, text, error);
  const SsappChannelPlot *first = ssapp_channel_plots_at (plots, 0);

  if (!ok) { /* told */
  } else if (text != NULL && !has_plots && !has_axes) {
    g_autofree char *all = ssapp_plots_that_take (SSAPP_TAKES_CHANNELS | SSAPP_TAKES_AXES, " and --plot ");
    problem = g_strdup_printf ("option --channels is for --plot %s", all);
  } else if (text != NULL && first == NULL)
    problem = g_strdup ("option --channels: a channel is expected, such as box.y");
  else if (has_axes && (plots->plots->len != 1 || first->names->len != 2))
    problem = g_strdup_printf ("option --channels of --plot %s: two channels are expected, such as box.x,box.y",
                               plot->file.name);
  else if (has_axes && (cli_args_text (args, "--x") != NULL || cli_args_text (args, "--y") != NULL))
    problem = g_strdup_printf ("--plot %s takes its two channels from --channels or from --x and --y, not from both",
                               plot->file.name);
  else if (!has_plots && cli_args_text (args, "--difference") != NULL)
    problem = g_strdup_printf ("option --difference is for --plot %s with --channels", of_channels);
  else if (cli_args_text (args, "--difference") != NULL && cli_args_n_positional (args) != 1)
    problem = g_strdup ("option --difference takes one run and its RUN2");
  else if (!has_plots && cli_args_flag (args, "--log-y"))
    problem = g_strdup_printf ("option --log-y is for --plot %s with --channels", of_channels);
  else if (cli_args_text (args, "--contact") != NULL && (plot->takes & SSAPP_TAKES_CONTACT) == 0) {
    g_autofree char *all = ssapp_plots_that_take (SSAPP_TAKES_CONTACT, " or ");
    problem = g_strdup_printf ("option --contact is for --plot %s", all);
  }
  if (problem != NULL)
    g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, problem);
  ssapp_channel_plots_free (plots);
  return ok && problem == NULL;
}
