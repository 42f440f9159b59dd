/* app/job/ssapp-state.h: runs that go on from where another one was paused: what its method knew there
 * (SsNlpState, nlp/ss-nlp.h) as JSON, and in what the problem was changed since.
 *
 * Threads: any. Tests: tests/cli/test-pause.sh
 */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "nlp/ss-nlp.h"

G_BEGIN_DECLS

/* From where a run goes on. Zeroed: from no other run. */
typedef struct {
  int iteration;      /* of the run that it goes on from; 0 of a simulation */
  double t;           /* of that run, a simulation [s]; NaN: it is none */
  GPtrArray *changes; /* owned; of char *, "task.horizon: 2, was 3"; empty: none; NULL: it goes on from no run */
  SsNlpState state;   /* owned; zeroed: of the motion alone */
} SsappContinued;

void ssapp_continued_clear (SsappContinued *continued); /* zeroed afterwards */

/* A state, its values in base64; and from where a run goes on, without the state. */
extern const SsappRecord ssapp_state_record, ssapp_continued_record;
/* New. */
json_t *ssapp_state_to_json (const SsNlpState *state);
/* What a result tells of it, new. */
json_t *ssapp_continued_to_json (const SsappContinued *continued);
/* The same with the state, for a job line, new. */
json_t *ssapp_continued_to_job (const SsappContinued *continued);
/* Of a job line's object. FALSE: it is none; `continued` is zeroed then. */
gboolean ssapp_continued_from_json (const json_t *object, SsappContinued *continued);

/* Text of a scenario, parameters and options as JSON objects, and what is asked for besides as in a result (of `before`
 * the result tells it). Borrowed; NULL: none. */
typedef struct {
  const char *method, *text, *parameters_json, *options_json;
  const json_t *asked;
} SsappPosed;
/* From where a run that poses `now` goes on: a stored run that posed `before`, with this result (NULL: none is known).
 * Changes are listed by their paths, at most some twenty. Release with ssapp_continued_clear. */
void ssapp_continued_from (const SsappPosed *before, const json_t *result, const SsappPosed *now,
                           SsappContinued *continued);
/* Whether that result (NULL: none) is of a run that went on from another one. */
gboolean ssapp_continued_has (const json_t *result);
/* "run 1a2b3c4d at iteration 5, with task.horizon: 2, was 3"; of a result's object. g_free. */
char *ssapp_continued_words (const char *run, const json_t *continued);

G_END_DECLS
