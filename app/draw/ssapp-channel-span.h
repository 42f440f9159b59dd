/* app/draw/ssapp-channel-span.h: what lies between two times of the channels that plots show, of every run.
 * Tests: tests/ui/test_channels.py */
#pragma once

#include "app/base/ssapp-span.h"
#include "app/draw/ssapp-channel-stack.h"

G_BEGIN_DECLS

typedef struct {
  char *label;          /* owned: the channel, with its run where there are several */
  const char *unit;     /* static */
  SsMethodId method;    /* name borrowed from the run */
  SsTrajectory *motion; /* owned: the curve, channel 1 */
  SsSpan span;
} SsappChannelSpan;

/* Of SsappChannelSpan, in the order of the plots; channels without values there are left out. g_array_unref. */
GArray *ssapp_channel_spans (const SsappChannelPlots *plots, const SsappChannelRun *runs, int n_runs, double from,
                             double to);
SsappTable *ssapp_channel_spans_table (const GArray *spans);
/* Every span's amplitude over the frequency; arrays of SS_SPECTRUM_LINES. The number of lines, 0: none. */
int ssapp_channel_span_spectrum (const SsappChannelSpan *one, double *frequencies, double *amplitudes);
/* What lies between two times, shaded, with the letters A and B at its ends; NaN: that end is not set. */
void ssapp_draw_between (cairo_t *cr, const SsappStyle *style, const SsappChannelLayout *layout, const double times[2]);

G_END_DECLS
