/* app/sandbox/ssapp-drag.h: a hand on a body of a live scene: a critically damped spring from a point of the body to
 * the pointer. Tests: tests/unit/test-sandbox.c */
#pragma once

#include <glib.h>

#include "simulate/ss-simulate.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_active;
  int body;
  SsVec2 anchor, target; /* frame of the body; world */
} SsappDrag;

/* A vector turned by theta. */
SsVec2 ssapp_drag_turn (SsVec2 a, double theta);
/* Its impulse on the body in a step of h [N s]; q_all, v_all: 3 n_bodies each. */
SsVec2 ssapp_drag_impulse (const SsScene *scene, const SsappDrag *drag, double h, const double *q_all,
                           const double *v_all);
/* That impulse on the speeds of the state. */
void ssapp_drag_pull (const SsScene *scene, const SsappDrag *drag, double h, SsSimState *state);

G_END_DECLS
