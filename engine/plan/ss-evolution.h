/* engine/plan/ss-evolution.h: a minimum by trying, without derivatives: an evolution strategy that adapts its step
 * and its axes. Private to the room `plan`.
 *
 * Sep-CMA-ES (R. Ros, N. Hansen, A simple modification in CMA-ES achieving linear time and space complexity, PPSN X
 * (2008)), with the constants of that paper. Points are drawn one by one; after a generation of them mean, step and
 * axes follow the better half.
 *
 * Threads: one at a time. Tests: tests/numeric/test-evolution.c
 */
#pragma once

#include "core/ss-core.h"
#include "core/ss-random.h"

typedef struct SsEvolution SsEvolution;

/* `random` is borrowed. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_evolution_new (int n, SsRandom *random, SsEvolution **out, SsError *err);
void ss_evolution_free (SsEvolution *evolution); /* NULL is allowed */
/* Begins anew about mean[n]; units[n] > 0: how far to draw along each axis at first. */
void ss_evolution_begin (SsEvolution *evolution, const double *mean, const double *units);
/* The next point, into x[n]. */
void ss_evolution_draw (SsEvolution *evolution, double *x);
/* What the point cost that was drawn last, or what was made of it (x); infinite: worse than all others. */
void ss_evolution_tell (SsEvolution *evolution, const double *x, double cost);
/* Steps are below this part of the units, or the best has not become better for long: there is no more to find here. */
bool ss_evolution_is_over (const SsEvolution *evolution, double part);
