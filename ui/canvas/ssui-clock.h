/* ui/canvas/ssui-clock.h: the time that everything on a page shows. One owner advances it from the frame clock;
 * everybody else listens. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define SSUI_TYPE_CLOCK (ssui_clock_get_type ())
G_DECLARE_FINAL_TYPE (SsuiClock, ssui_clock, SSUI, CLOCK, GObject)

/* Signals: "tick" () the time changed; "changed" () duration or playing changed; "step" (int direction) go to the next
 * row (1) or the one before (-1): the player knows the rows. */

SsuiClock *ssui_clock_new (void);
double ssui_clock_get_time (SsuiClock *self);     /* [s] */
double ssui_clock_get_duration (SsuiClock *self); /* [s] */
void ssui_clock_set_duration (SsuiClock *self, double duration);
void ssui_clock_seek (SsuiClock *self, double time); /* clamped; at a jump the state after it */
/* The state before a jump at that time, until the next seek. */
void ssui_clock_seek_before (SsuiClock *self, double time);
gboolean ssui_clock_is_before (SsuiClock *self);
void ssui_clock_step_row (SsuiClock *self, int direction); /* emits "step" */
gboolean ssui_clock_is_playing (SsuiClock *self);
void ssui_clock_set_playing (SsuiClock *self, gboolean playing); /* at the end: starts over */
void ssui_clock_set_loop (SsuiClock *self, gboolean loop);
/* Live: somebody else's time; advance does nothing, playing does not start over, and there is time before there is a
 * duration. */
void ssui_clock_set_live (SsuiClock *self, gboolean is_live);
gboolean ssui_clock_is_live (SsuiClock *self);
/* Seconds of motion per second of the wall while it plays: 1/16 to 16, 1 at first. Emits "changed". */
double ssui_clock_get_speed (SsuiClock *self);
void ssui_clock_set_speed (SsuiClock *self, double speed);
/* What is played over and over; FALSE from get, or begin >= end: the whole. Emits "changed". */
gboolean ssui_clock_get_range (SsuiClock *self, double *begin, double *end);
void ssui_clock_set_range (SsuiClock *self, double begin, double end);
void ssui_clock_advance (SsuiClock *self, double seconds); /* while playing; stops at the end unless it loops */

G_END_DECLS
