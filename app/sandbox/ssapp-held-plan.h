/* app/sandbox/ssapp-held-plan.h: a plan that holds a live scene by an LQR (plan/ss-feedback.h): what its actuators do
 * in a state. It has a reading of the scenario of its own: what the plan believes, whatever becomes of the scene.
 *
 * Clock    the plan begins when it is switched on; behind its end its last pose is held.
 * Threads  one at a time. Tests: tests/unit/test-parting.c
 */
#pragma once

#include <gio/gio.h>

#include "plan/ss-feedback.h"
#include "simulate/ss-simulate.h"

G_BEGIN_DECLS

typedef struct SsappHeldPlan SsappHeldPlan;

/* plan: a motion of the scenario with controls, read now. NULL with an error where it cannot be held. */
SsappHeldPlan *ssapp_held_plan_new (const char *scenario_text, const SsOverride *overrides, int n_overrides,
                                    const SsTrajectory *plan, GError **error);
void ssapp_held_plan_free (SsappHeldPlan *self); /* NULL is allowed */
/* Controls at time t of the scene, of which the first call is the plan's beginning: one row; borrowed until the next
 * call. After going back before that the plan begins anew. */
const SsControls *ssapp_held_plan_controls (SsappHeldPlan *self, double t, const double *q, const double *v);

G_END_DECLS
