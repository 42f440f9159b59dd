/* app/session/ssapp-effects.h: what moves a motion: which numbers of a scene its derivatives are asked by, and, from
 * the result, how far each number's change moves the time of an event or the final value of a channel: bars, largest
 * first.
 *
 * Numbers: the parameters that are neither structural nor whole numbers, and the starts of what moves where that is at
 * most SSAPP_EFFECTS_BODIES bodies, unless a formula of the parameters gives it. A change is 1 % of the number; the
 * words say of what where the number is 0. Linear: derivative (job/ssapp-sensitivity.h) times change.
 * Threads: any, one at a time. Tests: tests/unit/test-effects.c, tests/ui/test_sensitivity.py
 */
#pragma once

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

enum { SSAPP_EFFECTS_BODIES = 2 };

typedef struct SsappEffects SsappEffects;

typedef struct {
  const char *name; /* "mu", "box.vx" */
  char *of;         /* "0.5 ± 0.005" */
  char *text;       /* "−0.00312 s", what comes of the number's change upwards; "no derivative" */
  double slope;     /* of what is asked for, in its unit over the number's; NaN: there is none */
  double effect;    /* slope times change */
  double part;      /* of the largest effect, -1 to 1; 0 where there is no derivative */
} SsappEffect;

/* Why a run has none, a sentence to be shown; NULL: it has. Static text. */
const char *ssapp_effects_reason (SsappRun *run);
/* The numbers of a scenario, which is read now and must be of a scene; without a result. */
SsappEffects *ssapp_effects_new (const SsScenario *scenario);
void ssapp_effects_free (SsappEffects *self); /* NULL is allowed */
/* For ssapp_job_set_sensitivity: names with commas, "" where there is none. Borrowed. */
const char *ssapp_effects_get_names (const SsappEffects *self);
/* "2 parameters and 6 starts, each 1 % more"; borrowed. */
const char *ssapp_effects_get_words (const SsappEffects *self);

/* From a result with derivatives by these numbers; it is read now. FALSE: it has none. */
gboolean ssapp_effects_take (SsappEffects *self, const json_t *result);
/* What may be asked for: final values of the channels of what moves, metrics, then times of events; their words,
 * NULL-terminated, borrowed; empty without a result. */
const char *const *ssapp_effects_get_targets (const SsappEffects *self);
/* The target that is the event next to time t [s]; 0 without events. */
guint ssapp_effects_target_at (const SsappEffects *self, double t);
/* Of SsappEffect, by the size of the effect, those without a derivative last; they borrow from self. */
GArray *ssapp_effects_bars (const SsappEffects *self, guint target);
/* Where the motion is no differentiable function of a number, a sentence each; borrowed, NULL-terminated. */
const char *const *ssapp_effects_get_breaks (const SsappEffects *self);
/* A bar from the middle of a place, to the right where the effect is positive. Sizes in the style's units. */
void ssapp_effects_draw_bar (cairo_t *cr, const SsappStyle *style, const SsappEffect *effect, double width,
                             double height);

G_END_DECLS
