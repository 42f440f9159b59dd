/* engine/geometry/ss-sweep.h: when two moving shapes come as near to each other as is asked, and how wide shapes are.
 *
 * Conservative advancement: B. Mirtich, Impulse-based dynamic simulation of rigid body systems, thesis (1996), with
 * the bound along the normal. For a direction n let s_n be the room that two convex shapes leave each other along n;
 * the gap is the largest s_n, also where they overlap. From a place of the way with gap phi along n on, no gap is below
 * phi - c ds, c being how fast s_n can fall, at most: the speed of the origins along n, plus what each shape turns. So
 * the way goes on by (phi - level)/c at once without missing a gap of `level`, and nothing of any thickness is passed
 * at any speed.
 *
 * Deviations: poses go along any way that `place` gives, whose points differ in speed from the straight way of the
 * origins and angles by `bend` at most. Half-planes that turn are not swept. Pure functions, no allocation.
 * Tests: tests/numeric/test-sweep.c
 */
#pragma once

#include "geometry/ss-geometry.h"

/* Least distance of two parallel lines that hold the shape between them [m]: for a polygon along the normal of an edge.
 * INFINITY for a half-plane, 0 for a segment. */
double ss_shape_width (const SsShape *shape);
/* The thinner of both widths [m]. A segment, which another shape can enter by half its width only, counts as if that
 * were half as wide; two segments count as 1 mm thick. INFINITY for two half-planes. */
double ss_shape_thinner_width (double width_a, double width_b);
/* Two lines have no width: they count as this thick where one passes the other [m]. */
#define SS_LINE_WIDTH 1e-3
/* Largest distance from the body's origin of a centre of rounding: how far turning moves it [m]; INFINITY for a
 * half-plane. */
double ss_shape_turning_radius (const SsShape *shape);

/* From s = 0 to s = 1. All borrowed. */
typedef struct {
  const SsShape *shape[2];
  const double *from[2], *to[2]; /* poses at both ends: x, y, theta go straight from the one to the other */
  /* The poses at s; NULL: straight. */
  void (*place) (const void *owner, double s, double pose[2][3]);
  const void *owner; /* first argument */
  double bend;       /* [m] over the whole way, both bodies together; 0 where it is straight */
} SsSweep;

/* The gap at s [m]; INFINITY for two half-planes. */
double ss_sweep_gap (const SsSweep *sweep, double s);
/* The first s from `start` on where the gap is not above level + tolerance (> 0) [m]; INFINITY: nowhere is it below
 * `level`. */
double ss_sweep_first (const SsSweep *sweep, double start, double level, double tolerance);
