/* engine/bound/ss-bound-search.h: a lower bound of a model's objective by branch and bound, with its certificate.
 *
 * Relaxation of a node: products of variables become variables between the planes of their box (McCormick 1976),
 * squares of the objective stay where they are convex, ab <= 0 becomes the hull a / A + b / B <= 1 of the pair's
 * box. It is a convex quadratic program, solved by room `qp`; only its multipliers are believed, and they give the
 * node's bound by the kernel (ss-bound-kernel.h). Boxes are tightened by constraints and the best answer (steps).
 * The node of the lowest bound is branched: on the pair that is violated most, else on a variable of the worst
 * product. Its point is handed to the caller, who may make an answer of it.
 *
 * Threads: one at a time. Tests: tests/numeric/test-bound.c
 */
#pragma once

#include "bound/ss-bound-check.h"
#include "core/ss-run-control.h"

/* Answers are exact to this, of their size and at least of 1: a search ends when it is half as near. */
#define SS_BOUND_SAME 1e-6

/* Makes an answer of a point of the model near to one; true: a feasible one, as the caller judges it. */
typedef bool SsBoundImprove (void *data, const double *x, double *objective);

typedef struct {
  double gap;    /* ends when the bound is this near to the best answer, of its size; 0: goes on to the limits */
  int max_nodes; /* relaxations solved at most */
  double answer; /* objective of a feasible answer that is known; INFINITY: none is */
  SsBoundImprove *improve; /* NULL: nobody does */
  void *data;
} SsBoundOptions;

typedef struct {
  double bound, answer; /* of the search, both known at any time; -INFINITY, INFINITY */
  int n_solved, n_open;
  double cpu_seconds, improve_seconds;
  bool is_finished; /* the gap was reached, or nothing is left to branch on */
} SsBoundSearch;

/* Tells the control rows `objective` (the best answer), `lower_bound`, `nodes`, `open`. The certificate is the
 * caller's, also where the limits ended the search. */
SS_NODISCARD SsStatus ss_bound_search (const SsBoundProblem *problem, const SsBoundOptions *options,
                                       SsRunControl *control, SsBoundSearch *out, SsBoundCertificate *certificate,
                                       SsError *err);
