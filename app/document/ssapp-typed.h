/* app/document/ssapp-typed.h: numbers typed while something is dragged or drawn: which there are, the text so far, and
 * what they make of the drag. Without a document and without GTK. Threads: any. Tests: tests/unit/test-place.c */
#pragma once

#include "app/document/ssapp-place.h"
#include "app/document/ssapp-quantity.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_TYPED_MOVE,   /* dx, dy, angle         */
  SSAPP_TYPED_ALONG,  /* the way along an edge */
  SSAPP_TYPED_TURN,   /* angle                 */
  SSAPP_TYPED_BOX,    /* width, height         */
  SSAPP_TYPED_DISC,   /* radius                */
  SSAPP_TYPED_LINE,   /* length, angle         */
  SSAPP_TYPED_GROUND, /* angle                 */
  SSAPP_N_TYPED
} SsappTypedKind;

enum { SSAPP_TYPED_FIELDS = 3, SSAPP_TYPED_LENGTH = 120 };

typedef struct {
  gboolean is_active;
  SsappTypedKind kind;
  int field; /* that is typed into */
  char text[SSAPP_TYPED_FIELDS][SSAPP_TYPED_LENGTH];
} SsappTyped;

/* Numbers of a kind, at most SSAPP_TYPED_FIELDS. */
int ssapp_typed_n_fields (SsappTypedKind kind);
const char *ssapp_typed_label (SsappTypedKind kind, int field); /* "dx" */
const char *ssapp_typed_unit (SsappTypedKind kind, int field);  /* "m" or "deg": what a bare number means */

/* Whether the character begins a number: a digit, a sign, a point, a parenthesis or = . */
gboolean ssapp_typed_begins (gunichar character);
void ssapp_typed_begin (SsappTyped *self, SsappTypedKind kind);
/* FALSE: it is no character of a formula, or there is no room. A leading = is left out. */
gboolean ssapp_typed_put (SsappTyped *self, gunichar character);
void ssapp_typed_erase (SsappTyped *self);
void ssapp_typed_next (SsappTyped *self, int direction);

/* The pose that the numbers make of a drag from `from` to `now`: what is not given stays as dragged. `along`: unit
 * vector of an edge (ALONG). */
gboolean ssapp_typed_pose (const SsappTyped *self, const SsScenario *scenario, const double from[3],
                           const double now[3], SsVec2 along, double pose[3], GError **error);
/* The same of what is drawn from `from` to *to. */
gboolean ssapp_typed_point (const SsappTyped *self, const SsScenario *scenario, SsVec2 from, SsVec2 *to,
                            GError **error);
/* "dx 0.45 m, dy": for people who do not see the entry. Caller frees. */
char *ssapp_typed_describe (const SsappTyped *self);

G_END_DECLS
