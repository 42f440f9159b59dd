/* engine/qp/ss-qp-private.h: the interior point method's data, shared by set-up (ss-qp-setup.c) and iteration
 * (ss-qp.c).
 *
 * Rows are renumbered once: [ equality | inequality with one entry | with two entries | general inequality ]; rows
 * without entries are constants and stay outside, as do those that the caller leaves out. Every row is one record of
 * four positive numbers,
 *
 *   s - t = J p + c,   s y = sigma,   t z = sigma,   y + z = M,
 *
 * with M = mu and multiplier y for an inequality row (s its slack, t its violation), and M = 2 mu and multiplier y - mu
 * = (y - z)/2 for an equality row (s and t its positive and negative part). z, "M minus y", is stored, not recomputed:
 * it keeps its digits when y reaches M. Each lower_j <= p_j <= upper_j has slacks p - lower, upper - p with multipliers
 * bl, bu.
 *
 * Variables are renumbered too: where the problem is a trajectory, the same variable of eight lanes of the horizon
 * comes in a group of eight neighbours (ss-qp-lanes.c), the rows of each kind likewise, so that products, assembly and
 * factorisation work on eight numbers at a time.
 */
#pragma once

#include "linalg/ss-lanes.h"
#include "qp/ss-qp.h"

/* Where a variable or row sits when the horizon is cut into eight lanes (ss-qp-lanes.c). */
typedef struct {
  int lane;      /* 0..7; -1: between two lanes                                        */
  int slot;      /* equal in lanes that play the same part                             */
  int separator; /* lane -1: between lanes `separator` and `separator` + 1             */
} SsQpSeat;

typedef struct {
  SsQpSeat *variable; /* n, as given                */
  SsQpSeat *row;      /* n_eq + n_ineq, as given    */
} SsQpLanes;

/* False when the pattern has no time points, or too few; *ok is false after a failed allocation. */
bool ss_qp_find_lanes (const SsQpShape *shape, SsQpLanes *lanes, bool *ok);
void ss_qp_lanes_clear (SsQpLanes *lanes);

/* A block of rows, compressed. The first 8 n_groups rows come in groups of eight like rows, one per lane: entry e of
 * lane l of group g is number start[8 g] + 8 e + l, its column is that of lane 0 plus l. The others follow one by one:
 * row i has the numbers start[i] .. start[i + 1] - 1. */
typedef struct {
  int n_rows, n_groups;
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
  int n_groups, n_one_groups, n_two_groups; /* groups of eight: variables, rows of one and two entries */
  int *variable;                            /* n: given variable of each variable                     */
  int *number;                              /* n: variable of each given one                          */
  int *given;                               /* n_rows: given row of each row                                        */
  int n_constant;
  int *constant; /* given rows without entries                                           */
  int n_given_eq;

  /* Rows by kind. One: a[i] p[col[i]]. Two: a[0][i] p[col[0][i]] + a[1][i] p[col[1][i]]. */
  SsQpRows eq, general;
  int *one_col, *one_slot;
  double *one_a;
  int *two_col[2], *two_slot[2];
  double *two_a[2];

  /* Hessian: diagonal entries, then entries below the diagonal; slots into the caller's values. */
  int n_diagonal, n_off;
  int *diagonal_col, *diagonal_slot, *off_row, *off_col, *off_slot;
  double *diagonal_h, *off_h;

  /* The factorised matrix: lower triangle by columns, n + n_eq. Places are those of the factor's numbers
   * (ss_ldl_place). */
  SsPattern lower;
  SsLdl *ldl;
  signed char *sign; /* n + n_eq                                       */
  double *base;      /* the factor's numbers without the barrier terms */
  double *base_block;
  int *k_diagonal; /* n + n_eq: place of the diagonal                */
  int *k_diagonal_h, *k_off_h;
  int *k_eq;              /* one per entry of eq                            */
  int *k_two;             /* place of the off-diagonal entry of a two-entry row */
  int *k_one;             /* place of the diagonal entry of a one-entry row   */
  int *k_two_diagonal[2]; /* places of the two diagonal entries of a two-entry row */
  int *k_general;         /* q(q+1)/2 per row of q entries; of a group: for each pair of entries the eight lanes' */

  double *block; /* of the rows' coefficients and of all vectors that follow, but the last two */

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
  double *p, *dp, *g, *hp, *box_lower, *box_upper;
  double *lower_slack, *upper_slack, *bl, *bu;
  double *il, *iu, *ibl, *ibu; /* reciprocals of slacks and multipliers */
  double *barrier;             /* bl/lower + bu/upper */
  double *dbl, *dbu;
  double *f1, *f2;             /* products dp dbl and dp dbu of the predictor */
  double *stationarity;        /* H p + g - J'y                                      */
  double *rhs;                 /* n + n_eq                                           */
  double *solution, *refined;  /* n + n_eq: iterative refinement */
  double *hx;                  /* n scratch */
  double *multipliers;         /* n_given                                            */
  double *answer;              /* p as given                                         */
  double *at_lower, *at_upper; /* bl, bu as given                                   */
};

/* ss-qp-products.c */
void ss_qp_multiply (const SsQp *qp, const double *x, double *out);            /* out = J x    */
void ss_qp_multiply_transposed (const SsQp *qp, const double *v, double *out); /* out += J' v  */
/* The factor's numbers = base + shift + bounds + J_I' W J_I, -1/W_E; relative_shift of each diagonal entry is added to
 * it. */
void ss_qp_assemble (SsQp *qp, double shift, double relative_shift);

/* ss-qp-passes.c: the phases of an iteration. */
/* Moves by alpha (0: stays), then reciprocals and weights; the sum of the complementarity products. */
double ss_qp_advance (SsQp *qp, double alpha);
void ss_qp_predictor_rhs (SsQp *qp);
/* After the linear solve: 1 / longest step (0: none); *product = sum of ds dy + dt dz over rows and bounds. */
double ss_qp_predictor (SsQp *qp, double *product);
void ss_qp_corrector_rhs (SsQp *qp, double sigma);
/* After the linear solve: 1 / longest step; NaN when the step is not finite. */
double ss_qp_corrector (SsQp *qp, double sigma);
