/* engine/fesd/ss-fesd-law-private.h: what the files of the law at one instant share: law (the equations and their
 * complementarity problems), modes (tests of given modes, and the search from them). The method: ss-fesd-law.h. */
#pragma once

#include "fesd/ss-fesd-law.h"

/* Added to a singular matrix of joints, relative to its diagonal: redundant joints share. */
static const double ss_fesd_joint_redundancy = 1e-13;

/* A row on free coordinates. */
typedef struct {
  int n, column[SS_FESD_POINT_N];
  double j[SS_FESD_POINT_N];
  double rate, curvature; /* J v; (dJ/dt) v */
  double own;             /* what a force of 1 does to the row beyond J M^-1 J' */
} SsFesdLawRow;

struct SsFesdLaw {
  SsFesdSystem *system; /* borrowed */
  SsLemke *lemke;       /* owned */
  double t;             /* of the state that is looked at */
  int n_touches, touches_capacity;
  SsFesdTouch *touches;
  int rows_capacity;
  SsFesdLawRow *rows; /* n_bilateral, then normal and tangential of each touch */
  double *delassus;   /* rows x rows, column major */
  double *bias;       /* rows */
  double *force;      /* rows */
  double *block;      /* n_bilateral^2 */
  int *pivot;
  int lcp_capacity;
  double *m, *q, *z; /* of a complementarity problem, or of the forces of given modes */
  int *lu_pivot;
  double *factor;      /* 2 rows: of such forces, where rows are redundant */
  double *v, *f;       /* n_free */
  const double *extra; /* borrowed: 3 n_bodies, more forces at one instant; NULL: none */
  SsRow *joints, *limits;
};

static inline double
ss_fesd_law_entry (const SsFesdLaw *law, int n_rows, int i, int j)
{
  return law->delassus[(size_t)j * (size_t)n_rows + (size_t)i];
}
