/* engine/fit/ss-fit-loss.h: robust losses, scales and quantiles of a fit.
 *
 * A residual u is in units of its scale. rho is about u^2 / 2 near 0; psi = rho', the weight of a residual psi / u.
 * Huber: P. J. Huber, Ann. Math. Statist. 35 (1964), bound 1.345. Tukey's biweight: A. E. Beaton, J. W. Tukey,
 * Technometrics 16 (1974), bound 4.685: residuals beyond it count nothing. Both have 95 % of the efficiency of squares
 * where noise is normal. Threads: any. Tests: tests/numeric/test-fit.c
 */
#pragma once

#include "core/ss-core.h"

#define SS_FIT_LOSS_LIST(X) X (TUKEY, "tukey") X (HUBER, "huber") X (SQUARES, "squares")

typedef enum {
#define X(id, name) SS_FIT_##id,
  SS_FIT_LOSS_LIST (X)
#undef X
      SS_FIT_LOSS_COUNT
} SsFitLoss;

/* "tukey"; and back: COUNT for another text. */
const char *ss_fit_loss_name (SsFitLoss loss);
SsFitLoss ss_fit_loss_find (const char *name);

double ss_fit_rho (SsFitLoss loss, double u);       /* the loss */
double ss_fit_weight (SsFitLoss loss, double u);    /* psi / u, 1 at u = 0 */
double ss_fit_psi_slope (SsFitLoss loss, double u); /* d psi / du */
/* The deviation of normal noise about 0 by a quantile of |values|, with a share above it that may be anything: MEDIAN,
 * 1.4826 times the median (F. R. Hampel, J. Amer. Statist. Assoc. 69 (1974)), half of them; UPPER, the upper quartile,
 * a quarter. values[n] come out in another order; 0 of none. */
typedef enum { SS_FIT_MEDIAN, SS_FIT_UPPER } SsFitQuantile;
double ss_fit_scale (SsFitQuantile which, double *values, int n);
/* The 97.5 % quantile of Student's distribution with that many degrees of freedom: closed forms of 1 and 2, 4e-3 too
 * small at 3, within 1e-3 from 4 on (Cornish-Fisher, Abramowitz and Stegun 26.7.5). */
double ss_fit_student (double freedom);
