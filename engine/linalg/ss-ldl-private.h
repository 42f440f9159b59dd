/* engine/linalg/ss-ldl-private.h: the factor's data, shared by ss-ldl-columns.c (one column after the other) and
 * ss-ldl-lanes.c (eight columns at once); ss-ldl.c takes the one or the other. */
#pragma once

#include "linalg/ss-linalg.h"

typedef struct SsLdlInLanes SsLdlInLanes; /* ss-ldl-lanes.c */

struct SsLdl {
  int n;
  int n_input; /* entries of the lower triangle given                              */
  int *order;  /* order[k]: original index of the k-th pivot                       */
  int *place;  /* n_input: place in `factor` of each given entry                   */
  int *start;  /* n + 1: column k of L is factor[start[k]] .. factor[start[k+1]-1] */
  int *row;    /* by place, from n on: row of an entry of L, in pivot order        */
  int *target; /* places to subtract from, in order of use; NULL: too many         */
  int n_factor;
  double *factor;      /* n_factor: D, then L; or as ss-ldl-lanes.c lays it out */
  bool borrowed;       /* `factor` belongs to another object                    */
  double *inverse;     /* n: 1/D                                               */
  double *x;           /* n: right-hand side in pivot order                    */
  SsLdlInLanes *lanes; /* NULL: one column after the other                     */
};

/* ss-ldl-lanes.c */
void ss_ldl_lanes_free (SsLdlInLanes *lanes);
void ss_ldl_lanes_clear (SsLdl *ldl); /* `factor` as before entries are stored */
int ss_ldl_lanes_n_entries (const SsLdlInLanes *lanes);
SsStatus ss_ldl_lanes_factor (SsLdl *ldl, double minimum, int *n_replaced);
void ss_ldl_lanes_solve (SsLdl *ldl, double *b);
int64_t ss_ldl_lanes_n_operations (const SsLdlInLanes *lanes);
/* ss-ldl-columns.c: of a factor without lanes; free leaves these to others. */
void ss_ldl_columns_free (SsLdl *ldl); /* NULL is allowed */
void ss_ldl_columns_clear (SsLdl *ldl);
int ss_ldl_columns_n_factor_entries (const SsLdl *ldl);
int64_t ss_ldl_columns_n_operations (const SsLdl *ldl); /* multiply-subtracts of one factorisation */
SsStatus ss_ldl_columns_factor_numbers (SsLdl *ldl, const signed char *expected_sign, double minimum, int *n_replaced);
void ss_ldl_columns_solve (SsLdl *ldl, double *b);
