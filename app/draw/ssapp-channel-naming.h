/* app/draw/ssapp-channel-naming.h: what the curves of a channel plot are called in the list beside it.
 * Tests: tests/unit/test-channels.c, through the stack of plots */
#pragma once

#include "app/draw/ssapp-channel-stack.h"

typedef struct {
  GPtrArray *channels; /* of SsappChannel */
  const SsappChannelPlot *plot;
  gboolean is_one_label; /* of all channels of the plot: its title says it */
  gboolean tells_run;
} SsappCurveNaming;

/* Borrows what it is given. */
SsappCurveNaming ssapp_curve_naming_of (GPtrArray *channels, const SsappChannelPlot *plot, gboolean tells_run);
/* What a curve is called beside its plot: what the plot's title does not say. `name`: of its channel. Owned by the
 * caller. */
char *ssapp_curve_naming_label (const SsappCurveNaming *naming, const char *name, const char *run);
/* What a run is called; never NULL, borrowed from it. */
const char *ssapp_curve_run_label (const SsappChannelRun *run);
