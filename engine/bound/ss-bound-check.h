/* engine/bound/ss-bound-check.h: a certificate of a lower bound, and what it proves.
 *
 * A tree of boxes and modes. The root is all of space, cut by the ranges of auxiliary variables. Each node first
 * takes steps (ss-bound-kernel.h). Then a pair is branched on (a <= 0 | b <= 0, one of which ab <= 0 implies) or a
 * variable (x <= t | x >= t), or it is a leaf with multipliers, whose floor counts. The leaves cover the root by
 * construction.
 *
 * Of a chain of stages there are multipliers and cells instead (ss-bound-chain.h), from which the check solves the
 * dynamic programme again.
 *
 * The check replays this with nothing of the search but the certificate. The polynomials it works on are first
 * compared with the judge's own evaluation of the model's rows at points drawn at random.
 *
 * Threads: one at a time. Tests: tests/numeric/test-bound.c
 */
#pragma once

#include "bound/ss-bound-chain.h"

enum { SS_BOUND_DEPTH_MAX = 2000 }; /* levels below the root: the check calls itself for each */

typedef enum { SS_BOUND_LEAF, SS_BOUND_EMPTY, SS_BOUND_BRANCH_PAIR, SS_BOUND_BRANCH_VARIABLE } SsBoundNodeKind;

typedef struct {
  SsBoundNodeKind kind; /* EMPTY: the steps leave nothing */
  int n_steps;
  SsBoundStep *steps;
  int branch, first, second; /* of a branch: the pair or variable, and the children, numbered above their parent */
  double value;              /* of BRANCH_VARIABLE: t */
  SsBoundMultipliers leaf;   /* of a leaf */
  double floor;              /* of a leaf of weight 1: what it is said to prove; -INFINITY: nothing */
} SsBoundNode;

typedef struct {
  double cutoff, bound; /* cutoff INFINITY: there is none; bound: what it claims */
  int n_variables;      /* of the problem */
  int n_nodes;
  SsBoundNode *nodes; /* root first; owned, as what they point to */
  bool has_chain;     /* then no tree is there: the bound follows from the chain's multipliers */
  SsBoundChainProof chain;
} SsBoundCertificate;

void ss_bound_certificate_clear (SsBoundCertificate *certificate); /* leaves an empty one */

typedef struct {
  double bound; /* f >= bound at every feasible point, proved; -INFINITY: nothing is. Never above the cutoff */
  int n_leaves, n_empty, deepest;
  int unbounded; /* of -INFINITY: a variable that lacks a limit; -1 */
} SsBoundVerdict;

/* What it proves, whatever it claims. SS_ERR_INVALID: it is none of this problem, or breaks its rules. */
SS_NODISCARD SsStatus ss_bound_check (const SsScenario *scenario, const SsBoundProblem *problem,
                                      const SsBoundCertificate *certificate, SsBoundVerdict *out, SsError *err);
