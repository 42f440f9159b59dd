/* app/session/ssapp-live-motion.h: the motion of a scene that is being changed: computed again at each change, with the
 * one before beside it.
 *
 * Computing  by a thread of this process (job/ssapp-runner.h), from a job that a worker would be given: step, horizon,
 *            options, and so the bits, are those of a stored run. One at a time: what is overtaken by another change is
 *            stopped and dropped.
 * Now        the newest motion that there is: while the new one has nothing yet, the old one; from
 *            SSAPP_LIVE_PATIENCE on what there is so far, a few times a second.
 * Before     the last whole motion of another step (ssapp_document_get_step): while one number is scrubbed it stays
 *            what it was when that began. After a failure that leaves no motion there is no `now`, and the last one
 *            is here.
 * Threads    main thread only; no function waits for the computing one. Tests: tests/unit/test-live.c
 */
#pragma once

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

#define SSAPP_LIVE_PATIENCE    0.1  /* s */
#define SSAPP_LIVE_CPU_SECONDS 20.0 /* of one motion; its outcome is cpu_limit then */

#define SSAPP_TYPE_LIVE_MOTION (ssapp_live_motion_get_type ())
G_DECLARE_FINAL_TYPE (SsappLiveMotion, ssapp_live_motion, SSAPP, LIVE_MOTION, GObject)

/* Signal "changed" (): another motion, more of it, its end, a failure, or none any more. */

/* Without a motion. */
SsappLiveMotion *ssapp_live_motion_new (void);
/* The motion of the run by its job, which waits and is only read; a reference of the run is kept, and it gets the
 * motion. Nothing happens where that was asked for last, or the change leaves the same scene and job. */
void ssapp_live_motion_ask (SsappLiveMotion *self, SsappJob *job, SsappRun *run, guint step);
/* Stops computing, since the processor is wanted for something else; what there is stays. What was asked for last can
 * be asked for again. */
void ssapp_live_motion_hold (SsappLiveMotion *self);
/* There is no motion, and none before: another scene has come. */
void ssapp_live_motion_clear (SsappLiveMotion *self);

/* Runs without id: they are stored nowhere. Borrowed until "changed"; NULL: there is none. */
SsappRun *ssapp_live_motion_get_now (SsappLiveMotion *self);
SsappRun *ssapp_live_motion_get_before (SsappLiveMotion *self);
/* `now` is not yet, or not yet the whole of, what was asked for last. */
gboolean ssapp_live_motion_is_computing (SsappLiveMotion *self);
/* `now` is what was asked for last, to its end. */
gboolean ssapp_live_motion_is_whole (SsappLiveMotion *self);
/* Why there is no motion, or not the whole: a sentence with the field; "" where all is well. Borrowed. */
const char *ssapp_live_motion_get_message (SsappLiveMotion *self);
/* From asking to the end of the newest whole motion, on the clock [s]; NaN: none yet. */
double ssapp_live_motion_get_seconds (SsappLiveMotion *self);

G_END_DECLS
