/* app/job/ssapp-worker.h: the `worker` verb: jobs as JSON lines on standard input, events as JSON lines on standard
 * output.
 *
 * Jobs run one after another; the compiled problem is kept between jobs with the same scenario. {"type":"cancel"}
 * cancels the running job (with "id": that job, also a waiting one), {"type":"pause"} and "resume" hold it;
 * {"type":"quit"} and the end of input mean that no further job comes: what is there is finished. SIGTERM and SIGINT
 * cancel everything and end. A reader that is gone ends the worker at once, and so does the death of the parent.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

enum { SSAPP_WORKER_NICE = 5 }; /* lower priority than the window's 60 frames a second */

/* Returns the exit status: 0, or 3 when a signal ended it. May end the process itself when a solver does not come
 * back. */
int ssapp_worker_main (void);

G_END_DECLS
