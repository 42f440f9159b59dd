/* app/job/ssapp-events.h: events of a run as JSON lines: the worker's output, and the command line's --log. */
#pragma once

#include "app/job/ssapp-runner.h"

G_BEGIN_DECLS

enum {
  SSAPP_TRAJECTORY_CHUNK_BYTES = 700 * 1024
}; /* of float64 data; in base64 with its frame this stays below 1 MB */

typedef void (*SsappLineFunc) (const char *line, gpointer user_data); /* one JSON object, without newline */

/* The lines of one event. ANSWER gives the motion first, as RESULT does, and the result so far as a line of type
 * `answer`. RESULT gives the motions and the samples first, thinned as ssapp_samples_thin says, and the
 * result as the last line. */
void ssapp_event_lines (const SsappJobSpec *spec, const SsappEvent *event, SsappLineFunc func, gpointer user_data);

G_END_DECLS
