/* engine/qp/ss-qp-private.h: the interior point method's data, shared by set-up (ss-qp-setup.c) and iteration (ss-qp.c).
 *
 * Rows are renumbered once: [ equality | inequality with one entry | with two entries | general inequality ]; rows without entries are
 * constants and stay outside. Every row is one record of four positive numbers,
 *
 *   s - t = J p + c,   s y = sigma,   t z = sigma,   y + z = M,
 *
 * with M = mu and multiplier y for an inequality row (s its slack, t its violation), and M = 2 mu and multiplier y - mu = (y - z)/2 for an
 * equality row (s and t its positive and negative part). z, "M minus y", is stored, not recomputed: it keeps its digits when y reaches M.
 * Each |p_j| <= R_j has slacks lower = R + p, upper = R - p with multipliers bl, bu.
 */
#pragma once

#include "qp/ss-qp.h"

/* A block of rows, compressed. */
typedef struct {
  int n_rows;
  int *start; /* n_rows + 1                                     */
  int *col;   /* column of each entry                           */
  int *slot;  /* its place in the caller's Jacobian values      */
  double *a;  /* its value in this solve                        */
} SsQpRows;

struct SsQp {
  SsQpOptions options;
  int n;       /* variables                                                            */
  int n_given; /* rows as given, with the constant ones                                */
  int n_rows;  /* rows of the iteration                                                */
  int n_eq;    /* the first of them                                                    */
  int n_one, n_two, n_general;
  int *given; /* n_rows: given row of each row                                        */
  int n_constant;
  int *constant; /* given rows without entries                                           */
  int n_given_eq;

  /* Rows by kind. One: a[i] p[col[i]]. Two: a[2i] p[col[2i]] + a[2i+1] p[col[2i+1]]. */
  SsQpRows eq, general;
  int *one_col, *one_slot;
  double *one_a;
  int *two_col, *two_slot;
  double *two_a;

  /* Hessian: diagonal entries, then entries below the diagonal; slots into the caller's values. */
  int n_diagonal, n_off;
  int *diagonal_col, *diagonal_slot, *off_row, *off_col, *off_slot;
  double *diagonal_h, *off_h;

  /* The factorised matrix: lower triangle by columns, n + n_eq. */
  SsPattern lower;
  SsLdl *ldl;
  signed char *sign;     /* n + n_eq                                       */
  double *base, *matrix; /* values without and with the barrier terms      */
  int *k_diagonal;       /* n + n_eq: place of the diagonal                */
  int *k_diagonal_h, *k_off_h;
  int *k_eq;           /* one per entry of eq                            */
  int *k_two;          /* place of the off-diagonal entry of a two-entry row */
  int *k_one;          /* place of the diagonal entry of a one-entry row   */
  int *k_two_diagonal; /* places of the two diagonal entries of a two-entry row */
  int *k_general;      /* q(q+1)/2 per row of q entries                  */

  /* Rows: state, step, reciprocals. */
  double *m, *c; /* interval length, constant                          */
  double *r;     /* J p + c                                            */
  double *s, *t, *y, *z;
  double *ds, *dt, *dy;      /* dz = -dy                                           */
  double *is, *it, *iy, *iz; /* 1/s ...                                            */
  double *w;                 /* 1/(s/y + t/z)                                      */
  double *c1, *c2;           /* products ds dy and dt dy of the predictor */
  double *dr;                /* J dp                                               */
  double *v;                 /* n_rows scratch                                     */

  /* Bounds and variables. */
  double *p, *dp, *g, *hp, *radius;
  double *lower_slack, *upper_slack, *bl, *bu;
  double *il, *iu, *ibl, *ibu; /* reciprocals of slacks and multipliers */
  double *barrier;             /* bl/lower + bu/upper */
  double *dbl, *dbu;
  double *f1, *f2;            /* products dp dbl and dp dbu of the predictor */
  double *stationarity;       /* H p + g - J'y                                      */
  double *rhs;                /* n + n_eq                                           */
  double *solution, *refined; /* n + n_eq: iterative refinement */
  double *hx;                 /* n scratch */
  double *multipliers;        /* n_given                                            */
};

/* ss-qp-passes.c: the phases of an iteration. */
/* Moves by alpha (0: stays), then reciprocals and weights; the sum of the complementarity products. */
double ss_qp_advance (SsQp *qp, double alpha);
void ss_qp_predictor_rhs (SsQp *qp);
/* After the linear solve: 1 / longest step (0: none); *product = sum of ds dy + dt dz over rows and bounds. */
double ss_qp_predictor (SsQp *qp, double *product);
void ss_qp_corrector_rhs (SsQp *qp, double sigma);
/* After the linear solve: 1 / longest step; NaN when the step is not finite. */
double ss_qp_corrector (SsQp *qp, double sigma);
