/* ui/canvas/ssui-channel-chooser.h: what a "Channels" button opens: all channels of the runs on show by what they are
 * of, with units and a search; checked ones are in a plot. */
#pragma once

#include "ui/canvas/ssui-channel-plots.h"

G_BEGIN_DECLS

#define SSUI_TYPE_CHANNEL_CHOOSER (ssui_channel_chooser_get_type ())
G_DECLARE_FINAL_TYPE (SsuiChannelChooser, ssui_channel_chooser, SSUI, CHANNEL_CHOOSER, GtkWidget)

/* The plots that it fills; borrowed, both are of one page. */
void ssui_channel_chooser_set_plots (SsuiChannelChooser *self, SsuiChannelPlots *plots);
/* When it is opened: the list as it is now, the search empty and focused. */
void ssui_channel_chooser_open (SsuiChannelChooser *self);

G_END_DECLS
