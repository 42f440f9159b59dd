/* app/draw/ssapp-clock.h: motions told by their second clock (core/ss-trajectory.h) as pictures and words. */
#pragma once

#include "app/draw/ssapp-run-events.h"

G_BEGIN_DECLS

/* "Time", "Numerical Time", "Impulse Time": of a clock's quantity; static text. */
const char *ssapp_clock_name (SsQuantity clock);
/* Title of the axis along which the motion is told, with its unit: "Time [s]", "Impulse time s [s]"; NULL: time.
 * Static text. */
const char *ssapp_clock_axis (const SsTrajectory *trajectory);
/* The letter of that clock: "t", "tau", "s"; static text. */
const char *ssapp_clock_letter (const SsTrajectory *trajectory);
/* The motion told by its second clock, and its events placed by it: ss_trajectory_free, g_array_unref. NULL where it
 * has none, or where that clock cannot tell it. Events without a time of their own by that clock get that of the
 * motion's rows. */
SsTrajectory *ssapp_told_by_second_clock (const SsTrajectory *motion);
/* Reading of the second clock when the time reaches t: of a jump, before it; NaN where the motion has none. */
double ssapp_second_clock_at (const SsTrajectory *motion, double t);
GArray *ssapp_events_by_second_clock (GArray *events, const SsTrajectory *motion);

/* The other clock of a motion that has two, along the one that tells it: a line with its labelled ticks from x (0) to
 * x + width (duration), dotted where it stands; `height` holds both. Nothing of a motion with one clock, or NULL. */
void ssapp_clock_other_draw (cairo_t *cr, const SsappStyle *style, const SsTrajectory *motion, double duration,
                             double x, double y, double width, double height);

G_END_DECLS
