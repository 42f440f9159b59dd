/* engine/fesd/ss-fesd-watch.h: the sign conditions of contact modes over a solved element: which one fails first, and
 * when.
 *
 *     open      gap >= 0                       IMPACT, CROSSING
 *     closed    lambda_n >= 0                  SEPARATION
 *     slip +-   +- t' v >= 0                   STOP
 *     stick     mu lambda_n -+ lambda_t >= 0   BREAK
 *     face      room on it >= 0                EDGE
 *
 * A condition is looked at along the polynomial through its values at the start, the stages and the end (forces: the
 * stages), between them too. Paper 000 looks at the points alone. A gap of two bodies that go farther past each other
 * in the element than a quarter of what the thinner measures, or turn by more than half a radian over a half-plane, is
 * no such polynomial: it is looked for along the polynomial of the poses, by conservative advancement
 * (geometry/ss-sweep.h), from where the bodies are apart on.
 */
#pragma once

#include "fesd/ss-fesd-element.h"

typedef enum {
  SS_FESD_IMPACT,
  SS_FESD_CROSSING, /* a pair with one closed point overlaps, at another one */
  SS_FESD_SEPARATION,
  SS_FESD_STOP,
  SS_FESD_BREAK_PLUS,  /* lambda_t reaches mu lambda_n: slip in the negative direction follows */
  SS_FESD_BREAK_MINUS, /* lambda_t reaches -mu lambda_n */
  SS_FESD_EDGE_BEGIN,
  SS_FESD_EDGE_END,
} SsFesdSwitchKind;

typedef struct {
  SsFesdSwitchKind kind;
  int item;
  double theta;  /* where it fails, part of the element */
  double before; /* a place before theta where it holds clearly; < 0: it fails from the start on */
  double after;  /* a place where it clearly fails */
  double slope;  /* of the condition at theta, by the part of the element */
  double level;  /* of the condition where it fails; < 0 for a gap that began there, within the tolerance; 0 else */
} SsFesdSwitch;

typedef struct SsFesdWatch SsFesdWatch;

/* The system is borrowed, the tableau copied. */
SS_NODISCARD SsStatus ss_fesd_watch_new (SsFesdSystem *system, const SsTableau *tableau, SsFesdWatch **out,
                                         SsError *err);
void ss_fesd_watch_free (SsFesdWatch *watch); /* NULL is allowed */

/* The earliest failure over the element that was solved from (q0, v0) in these modes. False: none. `solved` (NULL:
 * none) is a switch at the element's end: its condition, which vanishes there, is not looked at. */
bool ss_fesd_watch_find (SsFesdWatch *watch, const SsFesdElement *element, const double *q0, const double *v0,
                         const SsFesdMode *modes, const double *offset, const SsFesdSwitch *solved,
                         SsFesdSwitch *first);
/* The condition of a switch at the element's end, above its level. */
double ss_fesd_watch_at_end (SsFesdWatch *watch, const SsFesdElement *element, const SsFesdSwitch *what,
                             const SsFesdMode *modes, const double *offset);
/* What may be taken for zero of it. */
double ss_fesd_watch_tolerance (const SsFesdWatch *watch, const SsFesdElement *element, SsFesdSwitchKind kind);
/* Force of a row at theta of the element, by the polynomial of the stages. */
double ss_fesd_watch_force (const SsFesdWatch *watch, const SsFesdElement *element, int row, double theta);
