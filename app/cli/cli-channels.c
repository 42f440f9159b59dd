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
cli_channels_check (const CliArgs *args, gboolean is_table, SsappFigureKind kind, GError **error)
{
  const char *text = cli_args_text (args, "--channels");
  const gboolean has_plots = text != NULL && !is_table && kind == SSAPP_FIGURE_CHANNELS;
  const char *problem = NULL;
  SsappChannelPlots *plots = ssapp_channel_plots_new ();
  const gboolean ok = text == NULL || ssapp_channel_plots_read (plots, text, error);
  const SsappChannelPlot *first = ssapp_channel_plots_at (plots, 0);

  if (!ok) { /* told */
  } else if (text != NULL && !has_plots && (is_table || kind != SSAPP_FIGURE_PHASE))
    problem = "option --channels is for --plot channels and --plot phase";
  else if (text != NULL && first == NULL)
    problem = "option --channels: a channel is expected, such as box.y";
  else if (text != NULL && kind == SSAPP_FIGURE_PHASE && (plots->plots->len != 1 || first->names->len != 2))
    problem = "option --channels of --plot phase: two channels are expected, such as box.x,box.y";
  else if (text != NULL && kind == SSAPP_FIGURE_PHASE &&
           (cli_args_text (args, "--x") != NULL || cli_args_text (args, "--y") != NULL))
    problem = "--plot phase takes its two channels from --channels or from --x and --y, not from both";
  else if (!has_plots && cli_args_text (args, "--difference") != NULL)
    problem = "option --difference is for --plot channels with --channels";
  else if (cli_args_text (args, "--difference") != NULL && cli_args_n_positional (args) != 1)
    problem = "option --difference takes one run and its RUN2";
  else if (!has_plots && cli_args_flag (args, "--log-y"))
    problem = "option --log-y is for --plot channels with --channels";
  else if (cli_args_text (args, "--contact") != NULL && (is_table || kind != SSAPP_FIGURE_CONE))
    problem = "option --contact is for --plot cone";
  if (problem != NULL)
    g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, problem);
  ssapp_channel_plots_free (plots);
  return ok && problem == NULL;
}
