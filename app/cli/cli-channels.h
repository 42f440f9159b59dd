/* app/cli/cli-channels.h: options of `export` that choose channels, contacts and differences. */
#pragma once

#include "app/cli/cli-args.h"
#include "app/export/ssapp-export.h"

G_BEGIN_DECLS

/* What --channels, --difference and --log-y make of the chosen plots, as ssapp_channel_plots_read takes them; NULL:
 * none were chosen; g_free. */
char *cli_channels_text (const CliArgs *args);
/* Whether --channels, --difference, --log-y and --contact fit each other and the kind of figure. */
gboolean cli_channels_check (const CliArgs *args, const SsappPlotKind *plot, GError **error);

G_END_DECLS
