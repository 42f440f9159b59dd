/* engine/simulate/ss-swept.h: steps in which something fast would pass through something, or be pushed from afar, are
 * taken in parts: an option of integrators whose steps depend on the state alone.
 *
 *     bool swept;                       a field of the integrator's options
 *     SS_SWEPT_OPTION (Options, swept)  a line of its table, before those of its limits
 *
 * A step sees contacts at a pose or two (its start, half a step on, linearised there), so that what goes farther in a
 * step than bodies are wide is seen where it is not: a disc passes a wall that lies between two poses, a rod that turns
 * by a radian meets the peg by the normal that it had before, a disc that flies past another one is stopped by the
 * plane through the place where it began. Whoever drives the steps (the integrators know nothing of it) looks at the
 * way from the step's start to its end, straight in x, y and theta:
 *
 * fast     a pair of shapes whose points may go more than a quarter of the thinner width w (geometry/ss-sweep.h)
 *          relative to each other in the step; of a pair with an impulse an eighth. Steps without are as they are, to
 *          the bit.
 * passes   a fast pair that overlaps on the way by w/64 more than at both ends, or at the end by w/4 more than at the
 *          start.
 * afar     a fast pair with a normal impulse whose gap is above w/16 at the start, and at the end or on the whole way
 *          of the velocities at the start. (The plane through the nearest point of a round body that is missed by g is
 *          met from 2 g before on at the earliest: w/8 of way for w/16.)
 *
 * A step with one of these is taken back and taken in parts, each a step of the law by itself, with the step's
 * controls, and a row of the motion: to the time where the first such pair comes near on the way (of those that are
 * pushed from afar: on the way of the velocities at the start), found by conservative advancement; then, over the time
 * that leads it w/64 deep, so that laws of closed gaps see it, unless it is so already; then on to the step's end,
 * each looked at in turn. Where no such time is known a part is halved. So misses are misses and hits are hits to w/16
 * at any speed and step, and the error of a part is that of the law with w/4 of way. Papers of the laws know steps
 * alone: this is a deviation from all of them, and `swept` off is the paper. Plans, and replays at the plans' own
 * steps, are never taken in parts.
 *
 * A step that the law's solver does not solve (SS_ERR_SINGULAR) is halved, and the parts that follow may be twice as
 * long each, whatever the option says: shorter parts have smaller gaps and turns in one problem. The run fails where
 * 1/512 of the step is not solved either.
 * Tests: tests/numeric/test-swept.c
 */
#pragma once

#include "core/ss-option.h"

#define SS_SWEPT_NAME "swept"

#define SS_SWEPT_OPTION(options_, field_)                                                                              \
  {                                                                                                                    \
    .name = SS_SWEPT_NAME, .type = SS_OPTION_BOOLEAN, .offset = offsetof (options_, field_), .fallback = 1,            \
    .symbol = "", .unit = "", .common = false,                                                                         \
    .summary = "A step in which something fast would pass through something, or be pushed from afar, is taken in "     \
               "parts that end where bodies meet. off: each step is the law's own; fast bodies pass through others."   \
  }
