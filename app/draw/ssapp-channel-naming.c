/* app/draw/ssapp-channel-naming.c: see the header. */
#include "app/draw/ssapp-channel-naming.h"

#include <string.h>

const char *
ssapp_curve_run_label (const SsappChannelRun *run)
{
  return run->label != NULL ? run->label : run->method.name != NULL ? run->method.name : "Run";
}

SsappCurveNaming
ssapp_curve_naming_of (GPtrArray *channels, const SsappChannelPlot *plot, gboolean tells_run)
{
  SsappCurveNaming naming = {channels, plot, TRUE, tells_run};
  const SsappChannel *first = ssapp_channels_find (channels, g_ptr_array_index (plot->names, 0));

  for (guint i = 0; i < plot->names->len; i++) {
    const SsappChannel *channel = ssapp_channels_find (channels, g_ptr_array_index (plot->names, i));
    naming.is_one_label =
        naming.is_one_label && first != NULL && channel != NULL && strcmp (first->label, channel->label) == 0;
  }
  return naming;
}

char *
ssapp_curve_naming_label (const SsappCurveNaming *naming, const char *name, const char *run)
{
  const SsappChannel *channel = ssapp_channels_find (naming->channels, name);
  const char *space = channel != NULL ? strchr (channel->group, ' ') : NULL;
  g_autofree char *what = channel == NULL                         ? g_strdup (name)
                          : space != NULL && naming->is_one_label ? g_strdup (space + 1)
                          : space != NULL                         ? g_strdup_printf ("%s %s", space + 1, channel->label)
                                                                  : g_strdup (channel->label);

  if (naming->plot->names->len > 1 && naming->tells_run)
    return g_strdup_printf ("%s, %s", what, run);
  return g_strdup (naming->plot->names->len > 1 ? what : run);
}
