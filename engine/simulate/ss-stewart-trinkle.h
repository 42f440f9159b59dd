/* engine/simulate/ss-stewart-trinkle.h: options of Stewart-Trinkle time stepping, for code that simulates by it with
 * settings of its own; convex-time-stepping has the same.
 *
 * What each is: the table in ss-stewart-trinkle.c.
 */
#pragma once

#include "simulate/ss-sim-limits.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-swept.h"

/* Which gap is complementary to the impulse, in the order of the names. */
typedef enum { SS_STEWART_TRINKLE_LINEAR, SS_STEWART_TRINKLE_END, SS_STEWART_TRINKLE_MIDPOINT } SsStewartTrinkleGap;

/* How joints are stepped, in the order of the names. */
typedef enum { SS_JOINTS_RATTLE, SS_JOINTS_START } SsJointsRule;
#define SS_JOINTS_CHOICES                                                                                              \
  {                                                                                                                    \
    "rattle", "start", NULL                                                                                            \
  }

/* How contacts with restitution answer an impact, in the order of the names; see simulate/ss-bounce.h.
 * convex-time-stepping has no Poisson: the friction of its second phase is no convex problem. */
typedef enum { SS_RESTITUTION_NEWTON, SS_RESTITUTION_OFF, SS_RESTITUTION_POISSON } SsRestitutionRule;

typedef struct {
  int gap;         /* SsStewartTrinkleGap */
  int restitution; /* SsRestitutionRule, of gap=linear */
  int joints;      /* SsJointsRule */
  int forces;      /* SsForcesRule */
  int relinearisations;
  bool swept;
  int certainty, max_branches; /* simulate/ss-certainty.h; convex-time-stepping has none */
  SsSimLimits limits;
} SsStewartTrinkleOptions;

/* The defaults, but for what makes a step that of a plan by time stepping: gap=end, and no shorter steps where a sweep
 * sees an impact. */
void ss_stewart_trinkle_suit_plan (SsStewartTrinkleOptions *options);
