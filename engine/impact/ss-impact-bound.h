/* engine/impact/ss-impact-bound.h: all that can come of an impact, from outside: polytopes of speeds, by linear
 * programmes over the modes of the contacts; and how far samples come, from inside.
 *
 * The mode of a contact after a step says where its speeds are and which impulses it may have received:
 *   no impulse  vn >= 0     stick  vn <= 0, vt = 0, |lt| <= mu ln     slide+-  vn <= 0, +-vt >= 0, lt = -+mu ln
 * The speeds X of a joint mode are a cone, and its impulses are a cone K, so that a step of any size takes a polytope P
 * into that mode as (P + D K) with X: again a polytope. From v they are made for all modes, and of those for all modes
 * again, until none grows; cut with vn >= 0 they hold whatever Algorithm 1 can give (V infinity [002 (86)]), for
 * every h, policy and number of steps, and with it the outcomes of the differential inclusion [002 (39)], whose ways
 * stay in one mode at a time, are straight there as far as K knows, and so are such steps too. The answer is their
 * union, not its hull. On 002's four models with two contacts it is their set itself: every corner is reached.
 * Polytopes are kept as corners and rays; what the others add up to is found by a linear programme
 * (lcp/ss-least-distance.h) and dropped. Too many of a mode become one, their hull, which still bounds them; beyond the
 * budget the energy alone bounds the speeds, |u_k| <= sqrt (2 E D_kk).
 * Source: 002 secs. 2.2, 3.3, 5.1 to 5.3. Threads: plain functions. Tests: tests/numeric/test-impact-bound.c.
 */
#pragma once

#include "impact/ss-impact-mode.h"
#include "impact/ss-impact-set.h"

/* Most draws at corners beside a set. */
enum { SS_IMPACT_INNER_DRAWS = 1 << 13 };

/* Nothing approaches in it. */
typedef struct {
  SsImpactMode mode[SS_IMPACT_CONTACTS_MAX]; /* of its largest speeds: smaller ones end in it too */
  int n_corners;
  double *corners; /* n_corners x 2m: vn, then vt [m/s]; owned by the bound */
} SsImpactPart;

typedef struct {
  double low[2 * SS_IMPACT_CONTACTS_MAX], high[2 * SS_IMPACT_CONTACTS_MAX]; /* vn, then vt [m/s] */
} SsImpactExtent;

typedef struct SsImpactBound {
  int m;
  bool is_whole; /* false: of the energy alone, without parts */
  int n_parts;
  SsImpactPart *parts; /* owned */
  SsImpactExtent outer;
  int n_programmes;
} SsImpactBound;

/* SS_ERR_MEMORY. `control` may be NULL; told to stop, it is as beyond the budget. */
SS_NODISCARD SsStatus ss_impact_bound_new (const SsImpact *impact, SsRunControl *control, SsImpactBound **out,
                                           SsError *err);
/* Of the energy alone: with restitution. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_bound_of_energy (const SsImpact *impact, SsImpactBound **out, SsError *err);
/* NULL is allowed. */
void ss_impact_bound_free (SsImpactBound *bound);
/* Corners of a part in the plane of speeds x and y (columns below 2m), counter-clockwise into polygon[n_corners + 1];
 * their number is returned. SS_ERR_MEMORY: 0 of them. */
int ss_impact_part_polygon (const SsImpactBound *bound, int part, int x, int y, SsVec2 *polygon);
/* Draws at the corners of the box of impulses with a set's other options, as many as it has samples, at most
 * SS_IMPACT_INNER_DRAWS: they reach what uniform draws miss. Where all answers of a step can be listed quickly, any of
 * them is taken. `control` may be NULL. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_corner_draws (const SsImpact *impact, const SsImpactSetOptions *options,
                                              SsRunControl *control, SsImpactSet **out, SsError *err);
/* To where a set's finished samples are; an extent of NaN is that of nothing. */
void ss_impact_extent_widen (const SsImpact *impact, const SsImpactSet *set, SsImpactExtent *extent);
