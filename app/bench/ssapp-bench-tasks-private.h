/* app/bench/ssapp-bench-tasks-private.h: a task while it is drawn (private to ssapp-bench-tasks.c, which writes and
 * certifies it, and ssapp-bench-task-kinds.c, which draws it). */
#pragma once

#include "app/bench/ssapp-bench-tasks.h"

#include "core/ss-random.h"

#include <jansson.h>

G_BEGIN_DECLS

/* How bodies are driven that forces move along an axis. Samplers of starts follow smooth glides themselves, so half of
 * the kinds do not:
 *   GLIDES  smooth ways in time, critically damped feedback
 *   WAVES   such ways with three random sines on top, feedback that is damped too little
 *   RELAYS  straight to the place, by a force that is at its limit most of the time
 *   SPEED   no way at all: a speed is held */
typedef enum { GLIDES, WAVES, RELAYS, SPEED } SsappTaskPolicy;

/* What of a body's end becomes its target. */
enum { SSAPP_TASK_PLACE = 1, SSAPP_TASK_ANGLE = 2, SSAPP_TASK_REST = 4 };

typedef struct {
  SsRandom random;
  json_t *bodies, *joints, *springs, *actuators, *formulas; /* formulas: of the actuators, by their order */
  json_t *targets;                                          /* {"body": name, "what": flags} */
  double gravity, friction, horizon;
  int steps;
  SsappTaskPolicy policy;
} SsappTaskDraft;

/* Draws one of that kind into an empty draft, by its policy. */
void ssapp_bench_draw_task (SsappTaskDraft *draft, int kind);

G_END_DECLS
