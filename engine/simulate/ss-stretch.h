/* engine/simulate/ss-stretch.h: how far springs along tangents of contacts are stretched (K_r of paper 003), which is
 * no part of a state: one list of points for each time at which a step has ended.
 *
 * Steps are tried, halved and taken in parts: one that starts at t goes on from the list of t, and makes those of later
 * times void. Where there is none (the first step, a state that another program has made) nothing is stretched.
 * Points are known by their place in the memory of contact/ss-contact-problem.h. Threads: one call at a time.
 * Tests: tests/numeric/test-compliance.c
 */
#pragma once

#include "core/ss-core.h"

typedef struct {
  int point;
  double stretch; /* [m] */
} SsStretch;

typedef struct {
  SsStretch *items; /* owned: of all lists, one behind the other */
  int n_items, capacity;
  struct {
    double t;
    int end;    /* of its items */
  } lists[256]; /* a step has at most 64 parts */
  int n_lists;
  int open; /* items of the list that is being made begin here */
} SsStretches;

/* From the list of t on; 0 where that has not the point. */
void ss_stretches_begin (SsStretches *s, double t);
double ss_stretches_find (const SsStretches *s, int point);
/* A list for a step that ends, item by item, and its time. SS_ERR_MEMORY. */
void ss_stretches_open (SsStretches *s);
SS_NODISCARD SsStatus ss_stretches_add (SsStretches *s, int point, double stretch, SsError *err);
void ss_stretches_close (SsStretches *s, double t);
void ss_stretches_clear (SsStretches *s); /* frees what it owns */
