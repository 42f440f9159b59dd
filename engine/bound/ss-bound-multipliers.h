/* engine/bound/ss-bound-multipliers.h: multipliers, slopes and cells of a good bound of a chain of stages.
 *
 * The bound is concave in the multipliers; it is maximised without derivatives (Nelder and Mead 1965), first with
 * coarse cells, then with fine ones. Cells cover what least paths and the best answer need, and grow where a path
 * leaves them. Slopes are a geometric row. Points of paths are handed to the caller, who may make answers of them.
 *
 * Threads: one at a time. Tests: tests/numeric/test-bound-chain.c
 */
#pragma once

#include "bound/ss-bound-chain.h"
#include "bound/ss-bound-search.h"

/* `x`: an answer's point of the model; NULL: none is known. `part`: of the control's CPU time that is left, at most.
 * The proof is the caller's. out->is_finished: the gap of the options was reached. */
SS_NODISCARD SsStatus ss_bound_multipliers_search (const SsBoundChain *chain, const SsBoundProblem *problem,
                                                   const SsBoundOptions *options, const double *x, double part,
                                                   SsRunControl *control, SsBoundSearch *out, SsBoundChainProof *proof,
                                                   SsError *err);
