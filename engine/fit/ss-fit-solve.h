/* engine/fit/ss-fit-solve.h: weighted Gauss-Newton with a robust loss, for predictions that somebody else makes.
 *
 * Minimises sum rho ((measured_i - predicted_i (p)) / s_g(i)) over lower <= p <= upper by Levenberg's and Marquardt's
 * steps (D. W. Marquardt, J. SIAM 11 (1963)) with weights psi (u) / u (P. W. Holland, R. E. Welsch, Commun. Statist. 6
 * (1977)); the scale s_g of each group of values is that of its residuals (SS_FIT_UPPER: the median would let half of a
 * motion be wrong, such as all that follows an impact), taken anew before each step. Whose predictions have kinks or
 * jumps is served by steps that are shortened until the loss falls; it needs several starts, which are the caller's.
 *
 * A problem gives its predictions and their derivatives by one function, so that how they come about is nobody's
 * concern here. Threads: one at a time. Tests: tests/numeric/test-fit.c */
#pragma once

#include "fit/ss-fit-loss.h"

struct SsFitPoint;

/* Predictions of measured values by unknown numbers; all arrays are borrowed. */
typedef struct {
  int n_unknowns, n_values, n_groups;
  const double *measured;      /* n_values */
  const int *group;            /* n_values: values of a group share their noise */
  const double *least;         /* n_groups: no scale falls below it, > 0 */
  const double *lower, *upper; /* n_unknowns */
  const double *size;          /* n_unknowns: a step that is large, > 0 */
  void *owner;
  /* predicted[n_values] at unknowns[n_unknowns] and, unless it is NULL, jacobian[n_values x n_unknowns], row-major: its
   * derivatives. *is_made: false where no motion belongs to these numbers; nothing is written then. */
  SsStatus (*predict) (void *owner, const double *unknowns, double *predicted, double *jacobian, bool *is_made,
                       SsError *err);
  void (*told) (void *owner, const struct SsFitPoint *point); /* of each step that takes its scales anew; may be NULL */
} SsFitProblem;

/* Where a fit is. */
typedef struct SsFitPoint {
  double *unknowns;  /* n_unknowns */
  double *predicted; /* n_values */
  double *jacobian;  /* n_values x n_unknowns */
  double *scales;    /* n_groups */
  double loss;       /* with these scales */
  int n_steps;       /* taken so far */
  bool is_made;      /* whether a motion belongs to the unknowns */
  bool is_converged;
} SsFitPoint;

typedef struct {
  SsFitLoss loss;
  int max_steps;
  const bool *is_held; /* n_unknowns: stay as they are; NULL: none */
  bool keeps_scales;   /* the point's */
} SsFitSolveOptions;

/* On failure (SS_ERR_MEMORY) the point owns nothing. */
SS_NODISCARD SsStatus ss_fit_point_init (SsFitPoint *point, const SsFitProblem *problem, SsError *err);
void ss_fit_point_clear (SsFitPoint *point); /* a zeroed one is allowed */
void ss_fit_point_copy (const SsFitPoint *from, SsFitPoint *to, const SsFitProblem *problem);
/* Predictions (and the Jacobian, if asked for), scales unless they are kept, loss at the point's unknowns. */
SS_NODISCARD SsStatus ss_fit_evaluate (const SsFitProblem *problem, SsFitLoss loss, bool keeps_scales, bool with_slopes,
                                       SsFitPoint *point, SsError *err);
/* The loss of the point's predictions by these scales. */
double ss_fit_loss_at (const SsFitProblem *problem, SsFitLoss loss, const double *scales, const double *predicted);
/* From the point's unknowns to a minimum nearby. Emits an iteration a step (loss, rms of the residuals in units of the
 * first evaluation's, step) and the unknowns as iterate. Ends early, with the best point so far, where `control` says
 * so: *why. SS_OK also where it does not converge. */
SS_NODISCARD SsStatus ss_fit_solve (const SsFitProblem *problem, const SsFitSolveOptions *options,
                                    SsRunControl *control, SsFitPoint *point, SsOutcome *why, SsError *err);
