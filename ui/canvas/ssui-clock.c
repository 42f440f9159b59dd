/* ui/canvas/ssui-clock.c: see the header. */
#include "ui/canvas/ssui-clock.h"

#include <math.h>

struct _SsuiClock {
  GObject parent_instance;
  double time, duration, speed;
  double range_begin, range_end; /* equal: none */
  gboolean is_playing, loop, is_live, is_before;
};

G_DEFINE_FINAL_TYPE (SsuiClock, ssui_clock, G_TYPE_OBJECT)

enum { SIGNAL_TICK, SIGNAL_CHANGED, SIGNAL_STEP, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
ssui_clock_class_init (SsuiClockClass *class)
{
  (void)class;
  signals[SIGNAL_TICK] = g_signal_new ("tick", SSUI_TYPE_CLOCK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STEP] =
      g_signal_new ("step", SSUI_TYPE_CLOCK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", SSUI_TYPE_CLOCK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssui_clock_init (SsuiClock *self)
{
  self->speed = 1;
}

SsuiClock *
ssui_clock_new (void)
{
  return g_object_new (SSUI_TYPE_CLOCK, NULL);
}

double
ssui_clock_get_time (SsuiClock *self)
{
  g_return_val_if_fail (SSUI_IS_CLOCK (self), NAN);
  return self->time;
}

double
ssui_clock_get_duration (SsuiClock *self)
{
  g_return_val_if_fail (SSUI_IS_CLOCK (self), NAN);
  return self->duration;
}

void
ssui_clock_set_duration (SsuiClock *self, double duration)
{
  g_return_if_fail (SSUI_IS_CLOCK (self));
  if (!isfinite (duration) || duration < 0)
    duration = 0;
  if (duration == self->duration)
    return;
  self->duration = duration;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  if (self->time > duration)
    ssui_clock_seek (self, duration);
}

static void
seek (SsuiClock *self, double time, gboolean is_before)
{
  time = isfinite (time) ? CLAMP (time, 0, self->duration) : 0;
  if (time == self->time && is_before == self->is_before)
    return;
  self->time = time;
  self->is_before = is_before;
  g_signal_emit (self, signals[SIGNAL_TICK], 0);
}

void
ssui_clock_seek (SsuiClock *self, double time)
{
  g_return_if_fail (SSUI_IS_CLOCK (self));
  seek (self, time, FALSE);
}

void
ssui_clock_seek_before (SsuiClock *self, double time)
{
  g_return_if_fail (SSUI_IS_CLOCK (self));
  seek (self, time, TRUE);
}

void
ssui_clock_step_row (SsuiClock *self, int direction)
{
  g_return_if_fail (SSUI_IS_CLOCK (self));
  g_signal_emit (self, signals[SIGNAL_STEP], 0, direction);
}

gboolean
ssui_clock_is_before (SsuiClock *self)
{
  return self->is_before;
}

gboolean
ssui_clock_is_playing (SsuiClock *self)
{
  g_return_val_if_fail (SSUI_IS_CLOCK (self), FALSE);
  return self->is_playing;
}

void
ssui_clock_set_playing (SsuiClock *self, gboolean playing)
{
  g_return_if_fail (SSUI_IS_CLOCK (self));
  playing = playing && (self->duration > 0 || self->is_live);
  if (playing == self->is_playing)
    return;
  self->is_playing = playing;
  if (playing && !self->is_live && self->time >= self->duration)
    ssui_clock_seek (self, self->range_begin < self->range_end ? self->range_begin : 0);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
ssui_clock_set_loop (SsuiClock *self, gboolean loop)
{
  self->loop = loop;
}

void
ssui_clock_set_live (SsuiClock *self, gboolean is_live)
{
  self->is_live = is_live;
}

gboolean
ssui_clock_is_live (SsuiClock *self)
{
  g_return_val_if_fail (SSUI_IS_CLOCK (self), FALSE);
  return self->is_live;
}

double
ssui_clock_get_speed (SsuiClock *self)
{
  return self->speed;
}

void
ssui_clock_set_speed (SsuiClock *self, double speed)
{
  const double slowest = 1. / 16, fastest = 16;

  g_return_if_fail (SSUI_IS_CLOCK (self));
  speed = isfinite (speed) ? CLAMP (speed, slowest, fastest) : 1;
  if (speed == self->speed)
    return;
  self->speed = speed;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

gboolean
ssui_clock_get_range (SsuiClock *self, double *begin, double *end)
{
  *begin = MIN (self->range_begin, self->duration);
  *end = MIN (self->range_end, self->duration);
  return *begin < *end;
}

void
ssui_clock_set_range (SsuiClock *self, double begin, double end)
{
  g_return_if_fail (SSUI_IS_CLOCK (self));
  if (!(begin < end))
    begin = end = 0;
  if (begin == self->range_begin && end == self->range_end)
    return;
  self->range_begin = MAX (begin, 0);
  self->range_end = end;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
ssui_clock_advance (SsuiClock *self, double seconds)
{
  double time = self->time + seconds * self->speed, begin, end;

  if (!self->is_playing || self->is_live)
    return;
  if (ssui_clock_get_range (self, &begin, &end)) { /* always over and over: why else choose one */
    if (time < begin || time >= end)
      time = begin + (time >= end ? fmod (time - begin, end - begin) : 0);
    ssui_clock_seek (self, time);
    return;
  }
  if (time >= self->duration && self->loop && self->duration > 0)
    time = fmod (time, self->duration);
  ssui_clock_seek (self, time);
  if (time >= self->duration)
    ssui_clock_set_playing (self, FALSE);
}
