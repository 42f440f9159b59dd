/* engine/nlp/ss-finish.h: the second-order finish of an MPCC's answer, and the certificate that it is B-stationary.
 *
 * From a point that nearly solves the problem: every pair gets its smaller side as its zero; the smooth problem of that
 * branch is solved with exact second derivatives (ss-branch.h); at its solution a linear program with the
 * complementarity of the pairs that are zero on both sides (ss-lpcc.h) in a box of half width rho either proves
 * that no branch descends to first order, or names one that does, in which the next round goes on (Nurkanovic, Leyffer
 * 2025, phase II with a fixed box; which pairs may switch: those that are zero on both sides). Where neither is known,
 * or a descent to first order comes to nothing, the pairs whose multipliers have the wrong sign are turned, and the
 * same point is looked at in that branch. The objective falls from round to round, or stays within a tenth of the
 * tolerance of the certificate. The answer is, but for that, never worse than the point it began with: a branch problem
 * that fails, or ends higher, leaves that point, and the account says so. What is proved holds within the box: a slope
 * below the tolerance that goes on adds up beyond it (1e-9 over a way of 1e5 is 1e-4), and the text says that as well.
 *
 * Memory: run allocates nothing. Threads: one at a time. Tests: tests/numeric/test-finish.c
 */
#pragma once

#include "nlp/ss-bounds.h"
#include "nlp/ss-nlp.h"

typedef struct SsFinish SsFinish;

typedef struct {
  double rho; /* half width of the box of the certificate, 0.1, of each variable's size where that is above 1 */
  /* 1e-6: v >= -tolerance (1 + min (|J|, box . |gradient J|)) is stationary: relative to what the variables can change
   * the objective by within the box, so that neither a constant nor a J that runs away hides a slope */
  double tolerance;
  int max_rounds; /* branch problems, 40                                               */
  double penalty; /* least of a row: 100; more where slopes are steeper, and multipliers are not known */
  double box;     /* variables stay within this of 0 and of the start; INFINITY: anywhere */
} SsFinishOptions;
/* The values named beside the fields. */
void ss_finish_options_init (SsFinishOptions *options);

typedef struct {
  bool is_improved;     /* x is another point than the one given                                          */
  bool is_b_stationary; /* proved: no descent by more than the tolerance, and rows kept to 1e-6           */
  double value;         /* lower bound of the linear program's value at x, <= 0; NAN: not computed        */
  double rho;
  double objective, violation; /* at x                                                                    */
  int rounds, iterations;      /* branch problems that were solved, Newton steps in them                  */
  int programs;                /* linear programs                                                         */
  int n_biactive;              /* pairs that are zero on both sides at x                                  */
  bool is_stopped;             /* by the control                                                          */
  double cpu_seconds;
  const double *x; /* n; borrowed until the next run                                                   */
  char text[256];  /* "B-stationary: ..." or "not verified as B-stationary: ..." with the reason        */
} SsFinishResult;

SS_NODISCARD SsStatus ss_finish_new (const SsMpcc *mpcc, SsFinish **out, SsError *err); /* borrows mpcc */
void ss_finish_free (SsFinish *finish);                                                 /* NULL is allowed */
/* From x0 (n) with an objective and a violation that the answer must not exceed; y: multipliers (n_rows) or NULL. */
SS_NODISCARD SsStatus ss_finish_run (SsFinish *finish, const double *x0, const double *y,
                                     const SsFinishOptions *options, SsRunControl *control, SsFinishResult *result,
                                     SsError *err);
/* As part of an optimiser's result, and at the front of its message. */
void ss_finish_tell (const SsFinishResult *result, SsNlpFinish *told);
void ss_finish_say (const SsNlpFinish *told, char *message, size_t size);
/* Of an optimiser's answer, whatever the optimiser, with the options' defaults: if it is solved, x becomes the finished
 * point (borrowed until the next run; multipliers and measure of stationarity, which belong to the old one, are unset
 * where x has moved), and result says what was proved. */
SS_NODISCARD SsStatus ss_finish_answer (SsFinish *finish, SsRunControl *control, SsNlpResult *result, SsError *err);
/* What an optimiser's option `finish` says of itself. */
extern const char ss_finish_summary[];
