/* engine/bound/ss-bound-stage.h: the like stages that a model is a chain of, read from its polynomials. Private to
 * ss-bound-chain.c.
 *
 * Local variables of a stage: those of the model at its point, then the auxiliary ones that are made there.
 * Threads: immutable after it is made. Tests: tests/numeric/test-bound-chain.c
 */
#pragma once

#include "bound/ss-bound-form.h"

typedef struct {
  int i, j; /* local variables of a product, i <= j; j -1: of i alone, both -1: a constant */
  SsInterval c;
} SsBoundTerm;

typedef struct {
  int n;
  SsBoundTerm *terms;
} SsBoundTerms;

typedef struct {
  SsOp op;
  SsBoundTerms a, b;
} SsBoundStageAuxiliary;

typedef struct {
  int row;             /* of the problem; -1: no row carries it */
  SsBoundTerms change; /* x_{k+1} - x_k as the row has it */
} SsBoundCarried;

typedef struct {
  int n_auxiliary;
  const SsBoundStageAuxiliary *auxiliary;
  SsBoundTerms cost;
} SsBoundStagePoint;

typedef struct {
  int n;     /* variables of the model at a point                           */
  int point; /* whose rows, pairs and auxiliary variables stand for those of all stages */
  SsBoundStagePoint stage, end;
  SsBoundCarried *carried;      /* n */
  int *first_auxiliary;         /* n_points + 1: of the problem's variables       */
  SsInterval *start;            /* n: what a row of the first point fixes; else all numbers */
  bool *row_holds, *pair_holds; /* of the problem's, those of `point`: there are the like in every stage */
  SsArena *arena;
} SsBoundStages;

/* *out NULL: its points are no like stages, `why` says what is in the way. */
SS_NODISCARD SsStatus ss_bound_stages_new (const SsScenario *scenario, const SsBoundProblem *problem,
                                           SsBoundStages **out, char *why, size_t why_size, SsError *err);
void ss_bound_stages_free (SsBoundStages *stages); /* NULL is allowed */
bool ss_bound_terms_use (const SsBoundTerms *terms, int variable);
