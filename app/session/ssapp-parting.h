/* app/session/ssapp-parting.h: where a replay parts from its plan (simulate/ss-replay-first.h), for people: the
 * sentence with a link to its instant, a mark on the timeline, a ring around the contact in the motion.
 * Tests: tests/unit/test-parting.c
 */
#pragma once

#include <jansson.h>

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_known, is_parted;
  double t;      /* [s]; NaN where nothing parts */
  char *contact; /* owned; NULL: none */
  char *body;    /* owned; NULL: none */
  char *text;    /* owned; the sentence; "" where nothing is known */
} SsappParting;

/* Of a result's "replay_first"; a result without one leaves is_known FALSE. */
void ssapp_parting_read (SsappParting *parting, const json_t *result);
/* What it owns; a zeroed one is allowed. */
void ssapp_parting_clear (SsappParting *parting);
/* The sentence, its instant a link as those of reasons (ssapp_reason_link_time); g_free. */
char *ssapp_parting_dup_markup (const SsappParting *parting);

/* A flag on a timeline from x (t = 0) over `width` (t = duration). Nothing where nothing parts. */
void ssapp_parting_draw_mark (cairo_t *cr, const SsappStyle *style, const SsappParting *parting, double duration,
                              double x, double width, double height);
/* Where to look at that instant [m]: between the two bodies of the contact where they are nearest, else the middle of
 * the body. FALSE: there is no such place. */
gboolean ssapp_parting_place (const SsappParting *parting, const SsScene *scene, const SsTrajectory *motion,
                              SsVec2 *place);
/* A ring there, while the clock is within `near` of the instant. */
void ssapp_parting_draw_ring (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera,
                              const SsappParting *parting, const SsScene *scene, const SsTrajectory *motion, double t,
                              double near);

G_END_DECLS
