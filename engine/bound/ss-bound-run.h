/* engine/bound/ss-bound-run.h: how far from the best? A lower bound of a model's objective, the best answer found
 * beside it, and the certificate, checked.
 *
 * Answers come from CRISP, from the scenario's guess and from points of relaxations and paths; they count where the
 * judge finds them feasible (SS_RUN_FEASIBLE). The bound that is told is the one that ss_bound_check proves from the
 * certificate, never the search's own.
 *
 * Threads: one at a time. Tests: tests/numeric/test-bound.c
 */
#pragma once

#include "bound/ss-bound-search.h"

typedef struct {
  double gap;         /* ends when bound and answer are this near, of the answer's size (1e-3)                  */
  double cpu_seconds; /* of search and answers together; the check comes after it                              */
  int max_nodes;
  double answer;    /* objective of a feasible answer that is known; INFINITY: none is; the answer is not had */
  bool has_answers; /* whether answers are looked for at all                                                */
  const double *x;  /* n_points x n_variables: an answer to begin with, judged as any; NULL: CRISP's, of the guess */
} SsBoundRunOptions;

void ss_bound_run_options_init (SsBoundRunOptions *options); /* 60 s, no limit of nodes, answers looked for */

typedef struct {
  bool has_bound;
  double bound;  /* proved: no feasible point has a lower objective; NaN without                              */
  double answer; /* best objective that is known; INFINITY: none                                               */
  double gap;    /* (answer - bound) / |answer|, of which a tenth of the tolerances is 0; NaN without both   */
  double *x;     /* the answer's point (n_points x n_variables of the model); NULL: none was found; owned      */
  SsBoundSearch search;
  SsBoundVerdict verdict;
  SsBoundCertificate certificate; /* owned */
  double check_seconds;
  char message[400]; /* the gap in words, or why there is no bound */
} SsBoundRun;

/* Of a scenario with a model in equations. SS_ERR_INVALID: a formula of which no bound can be had, or no model; the
 * message says which. The control's limits are not read, but it may be stopped: what there is then is told. */
SS_NODISCARD SsStatus ss_bound_run (const SsScenario *scenario, const SsBoundRunOptions *options, SsRunControl *control,
                                    SsBoundRun *out, SsError *err);
void ss_bound_run_clear (SsBoundRun *run);
/* The gap in words, of an answer and a bound that holds. */
void ss_bound_words (double bound, double answer, char *text, size_t size);
/* (answer - bound) / |answer|; 0 where they differ by less than answers are exact to. */
double ss_bound_gap (double bound, double answer);
