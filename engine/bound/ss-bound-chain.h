/* engine/bound/ss-bound-chain.h: a lower bound of models that are a chain of like stages with one nonconvex state, by a
 * Lagrangian dual and dynamic programming over that state.
 *
 *   x_{k+1} = x_k + t(x_k, u_k),  s_{k+1} = s_k + g(x_k, u_k)
 *   cost sum_k c(x_k, u_k) + T(x_{N-1}) + sum_s phi_s(s_{N-1})
 *
 * x is one state that enters as it likes; the states s enter their own rows and the end's cost only, there as convex
 * squares or linearly. Weak duality: for any l
 *
 *   f >= sum_s (min_s (phi_s(s) - l_s s) + l_s s_0) + min over paths of x of sum_k C(x_k, x_{k+1}) + T(x_{N-1})
 *   C(x, x') = min over u of c + l'g where x' = x + t
 *
 * The path's minimum is found over cells of x: a cell's T, and for a pair of cells
 *
 *   C >= min over branches of max over n of n (x' - x) + min over cell and branch of c + l'g - n t
 *
 * with slopes n. A branch is a box of the controls that is left when each pair has one side at 0. Minima are those of a
 * sum of functions of one variable each, with intervals for what multiplies it. Two more cells reach to infinity. Rows
 * that are not used (other limits of x and s) are left out, so the bound holds for any multipliers, slopes and cells;
 * all is rounded outward. A cell's width is what x may turn for nothing in each stage: it is the error.
 *
 * Threads: a chain is immutable after it is made. Tests: tests/numeric/test-bound-chain.c
 */
#pragma once

#include "bound/ss-bound-kernel.h"

typedef struct SsBoundChain SsBoundChain;

/* Borrows the problem. *out NULL: it is no such chain, `why` (may be NULL) says what is in the way. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_bound_chain_new (const SsScenario *scenario, const SsBoundProblem *problem, SsBoundChain **out,
                                          char *why, size_t why_size, SsError *err);
void ss_bound_chain_free (SsBoundChain *chain); /* NULL is allowed */

/* What a bound follows from. Arrays owned. */
typedef struct {
  int n_multipliers, n_slopes;
  double *multipliers; /* of the states s in the model's order, ds phi_s at the end */
  double *slopes;      /* ascending, 0 is one of them */
  double width; /* of a cell, at most 21 significant bits: cell i is [(first + i) width, (first + i + 1) width] */
  int first, n_cells;
  int reach; /* farther cells are counted as if they were so many cells away */
} SsBoundChainProof;

void ss_bound_chain_proof_clear (SsBoundChainProof *proof); /* leaves an empty one */
/* `to` is cleared first. */
SS_NODISCARD SsStatus ss_bound_chain_proof_copy (const SsBoundChainProof *from, SsBoundChainProof *to, SsError *err);

enum { SS_BOUND_CHAIN_CELLS = 20000, SS_BOUND_CHAIN_SLOPES = 1000 }; /* at most */

/* How a path of least cost goes. */
typedef struct {
  double *x;            /* n_points x n_variables of the model: near to a point of it; owned */
  bool is_outside;      /* it leaves the cells */
  bool is_beyond_reach; /* it goes farther in a stage than the reach */
} SsBoundChainPath;

/* What the proof proves. `path` may be NULL. SS_ERR_INVALID: the proof is none of this chain, or breaks its rules. */
SS_NODISCARD SsStatus ss_bound_chain_value (const SsBoundChain *chain, const SsBoundChainProof *proof, double *bound,
                                            SsBoundChainPath *path, SsError *err);

/* ---- for a search of multipliers ---- */

int ss_bound_chain_n_multipliers (const SsBoundChain *chain); /* the states s */
int ss_bound_chain_n_variables (const SsBoundChain *chain);   /* of the model at a point */
int ss_bound_chain_state (const SsBoundChain *chain);         /* x, of the model's variables */
double ss_bound_chain_start (const SsBoundChain *chain);      /* of x; NaN: it is free */
/* Slope of the end's cost of a state s where it starts (x NULL), or where the point x of the model ends. */
double ss_bound_chain_multiplier (const SsBoundChain *chain, int state, const double *x);
/* Least cost of a stage with a slope, over all cells of the proof. */
SS_NODISCARD SsStatus ss_bound_chain_conjugate (const SsBoundChain *chain, const SsBoundChainProof *proof, double slope,
                                                double *out, SsError *err);
