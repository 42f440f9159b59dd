/* app/session/ssapp-pulling.h: the sketch's motion is pulled: a body at a time, a point of a channel's curve, or an
 * event: numbers of the sketch follow, so that the motion goes through where the hand is (fit/ss-pull.h).
 *
 * Wishes     where the body, the channel's value [its unit] or the event's time [s] is to be; only the newest is
 *            answered, by a thread of this process. Steps begin at the last answer, or, where they do not lead there,
 *            at the nearest places of the band; with one number a body follows along the axis that this number moves it
 *            more along, with several in both. While no other wish comes, what was not reached is looked for over the
 *            whole ranges, and the answer tells what stands in the way.
 * Band       what can be reached, over the range of the only number that may change; made while the thread has nothing
 *            else to do.
 * Document   answers are written into it within a gesture: an end is one step of undo, a cancel takes all back. The
 *            motion that follows the document (session/ssapp-live-motion.h) shows them.
 * Threads    main thread only; no function waits for the computing one. Tests: tests/unit/test-live.c
 */
#pragma once

#include "app/draw/ssapp-run-events.h"
#include "app/session/ssapp-session.h"
#include "fit/ss-pull.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_PULLING (ssapp_pulling_get_type ())
G_DECLARE_FINAL_TYPE (SsappPulling, ssapp_pulling, SSAPP, PULLING, GObject)

/* Signal "changed" (): another answer, the band, what may change, a beginning or an end. */

/* Borrows the session, which outlives it. */
SsappPulling *ssapp_pulling_new (SsappSession *session);

/* What may change for a body: its start and the parameters of the sketch; of char *, g_ptr_array_unref. */
GPtrArray *ssapp_pulling_list_causes (SsappPulling *self, const char *body);
/* Ticks by name. Usual is the start velocity along x; of what is pulled in a plot that which is likely to move it. */
gboolean ssapp_pulling_is_ticked (SsappPulling *self, const char *cause);
void ssapp_pulling_tick (SsappPulling *self, const char *cause, gboolean is_ticked);

/* Takes hold of a body that is at (x, y) at that time [s]. FALSE with an error: nothing is ticked, or it is fixed. */
gboolean ssapp_pulling_begin (SsappPulling *self, const char *body, double t, double x, double y, GError **error);
/* The same of a channel that has that value at that time, and of an event of the motion (`number`: how many of its kind
 * and subject there are up to it, itself included). What may change is that of the body that the channel or event is
 * of, of the first that can move where it is of two, else of the selected one; that body becomes the selected one.
 * `tolerance`: what the hand can tell, in the channel's unit or [s]; half a step at least of methods that know events
 * no better. */
gboolean ssapp_pulling_begin_point (SsappPulling *self, const SsChannel *channel, double t, double value,
                                    double tolerance, GError **error);
gboolean ssapp_pulling_begin_event (SsappPulling *self, const SsappRunEvent *event, int number, double tolerance,
                                    GError **error);
gboolean ssapp_pulling_is_on (SsappPulling *self);
/* The time at which a body or point is pulled; of an event the one that is wished [s]. By the time, as all times here,
 * also where the motion is shown by its second clock (ssapp_run_to_time). */
double ssapp_pulling_get_time (SsappPulling *self);
/* x alone is the value of a point and the time of an event. */
void ssapp_pulling_move (SsappPulling *self, double x, double y);
/* Once the last wish is answered. */
void ssapp_pulling_end (SsappPulling *self);
void ssapp_pulling_cancel (SsappPulling *self);

/* The newest answer of the pull that is on, or of the last one; NULL: none yet. Borrowed until "changed". */
const SsPull *ssapp_pulling_get_answer (SsappPulling *self);
/* The band: its outcomes are x and y of the body, or what is pulled; NULL: none yet. Borrowed likewise. */
const SsReach *ssapp_pulling_get_band (SsappPulling *self);
/* Where it is wished to be, and is by the newest answer (NaN: none); of points and events the first alone. */
void ssapp_pulling_get_places (SsappPulling *self, double wish[2], double place[2]);
/* Answers a second over the last second of this pull, and the CPU time of the newest one [s]; NaN: none. */
double ssapp_pulling_get_rate (SsappPulling *self);
double ssapp_pulling_get_cpu (SsappPulling *self);
/* "ball at 1.300 s pulled to x 2.640 m, y follows", "impact 1 of floor-ball pulled to 0.6120 s", how far off it is and
 * what stands in the way; "" before; g_free. */
char *ssapp_pulling_describe (SsappPulling *self);

G_END_DECLS
