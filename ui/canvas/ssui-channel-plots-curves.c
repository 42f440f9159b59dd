/* ui/canvas/ssui-channel-plots-curves.c: what the curves of channel plots are made of: runs, the motion of a sketch, or
 * what a sandbox did in the last seconds. */
#include "ui/canvas/ssui-channel-plots-private.h"

#include "ui/parts/ssui-util.h"

#include <math.h>

#define LEAST_HEIGHT 120 /* px */

GArray *
ssui_channel_plots_dup_runs (SsuiChannelPlots *self)
{
  GArray *out = g_array_new (FALSE, TRUE, sizeof (SsappChannelRun));

  if (self->sandbox != NULL) {
    const SsappChannelRun played = {.label = "now",
                                    .method = {SS_METHOD_INTEGRATOR, ssapp_sandbox_get_method (self->sandbox)},
                                    .motion = self->recent};
    g_array_append_val (out, played);
  }
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    const SsappChannelRun about = {.label = run == self->before ? "before"
                                            : self->is_live     ? "now"
                                                                : ssapp_run_get_label (run),
                                   .is_before = run == self->before,
                                   .method = ssapp_run_get_method (run),
                                   .motion = ssapp_run_has_motion (run) ? ssapp_run_get_trajectory (run) : NULL,
                                   .band = ssapp_run_get_band (run, self->band)};
    g_array_append_val (out, about);
  }
  return out;
}

void
ssui_channel_plots_take_sandbox (SsuiChannelPlots *self, SsappSandbox *sandbox)
{
  if (g_set_object (&self->sandbox, sandbox))
    self->range[0] = self->range[1] = 0;
  g_clear_pointer (&self->recent, ss_trajectory_free);
}

void
ssui_channel_plots_find_times (SsuiChannelPlots *self)
{
  if (self->sandbox != NULL) /* with the curves */
    return;
  ssapp_channel_stack_times (self->stack, self->times); /* infinite where there are no curves */
  self->times[0] = MIN (self->times[0], 0);
  self->times[1] = MAX (self->times[1], self->clock != NULL ? ssui_clock_get_duration (self->clock) : 0);
}

void
ssui_channel_plots_make_curves (SsuiChannelPlots *self)
{
  g_autoptr (GArray) runs = NULL;

  if (self->sandbox != NULL) {
    if (!self->is_chosen)
      ssapp_sandbox_suggest_plots (self->sandbox, self->plots);
    ss_trajectory_free (self->recent);
    self->recent = ssapp_sandbox_dup_recent (self->sandbox, self->plots, self->times);
  }
  runs = ssui_channel_plots_dup_runs (self);
  const SsappChannelRun *list = (const SsappChannelRun *)(const void *)runs->data;
  if (self->sandbox == NULL && !self->is_chosen && !self->hold.is_held) /* axes stand still meanwhile */
    ssapp_channel_plots_suggest (self->plots, list, (int)runs->len);
  ssapp_channel_stack_free (self->stack);
  self->stack = ssapp_channel_stack_new (self->plots, list, (int)runs->len,
                                         self->sandbox != NULL ? 0 : SSAPP_CHANNEL_STACK_POINTS);
  ssui_channel_plots_find_times (self);
}

int
ssui_channel_plots_find_height (SsuiChannelPlots *self)
{
  SsappStyle style;

  ssui_style_init (&style, GTK_WIDGET (self));
  return MAX (LEAST_HEIGHT, (int)ceil (ssapp_channel_stack_height (self->stack, &style)));
}

gboolean
ssui_channel_plots_is_between_old (SsuiChannelPlots *self)
{
  const double every = 0.5, end = self->times[1], last = MAX (self->cursors[0], self->cursors[1]);

  return !ssui_clock_is_playing (self->clock) ||
         (self->told_to < last && (end >= last || end > self->told_to + every || end < self->told_to));
}
