/* engine/simulate/ss-stiff-private.h: the parts of ss-stiff.h: pushes with a row of their own (ss-stiff.c), and what
 * formulas do to bodies (ss-stiff-formulas.c). */
#pragma once

#include "dynamics/ss-slopes.h"
#include "simulate/ss-stiff.h"

#include <math.h>

/* zeta up to which a step resolves a push. */
#define SS_STIFF_RESOLVED 1.0

/* A push along a row that is given: of a spring, across it, of an actuator. */
typedef struct {
  SsRow row;     /* phi, gdv: of springs; stiffness, damping: k, d */
  double zeta;   /* of it alone */
  double weight; /* a; 0: explicit */
  double force;  /* of actuators: u [N], and its change by d q/d t = v [N/s] */
  double change;
} SsPush;

typedef struct {
  SsJointConstraint row; /* with its bias */
  double lower, upper;   /* of its impulse [N s] */
  bool is_done;          /* its impulse is at a bound, and part of the free motion */
} SsStiffRow;

/* Bodies whose formulas act on them alone or on each other. */
typedef struct {
  int body[2]; /* -1: none */
} SsStiffGroup;

struct SsStiff {
  const SsScene *scene; /* borrowed */
  SsSlopes *slopes;     /* NULL: formulas do not vary */
  int n_pushes;         /* a spring, what is across it; then actuators */
  SsPush *pushes;
  int *first, *next; /* pushes on a body: 2 push + side, -1 at the end */
  int n_groups;
  SsStiffGroup *groups;
  int *group_of_body; /* -1: none */
  int n_rows, n_formula_rows;
  SsStiffRow *rows;               /* those of formulas, then of pushes */
  double *load;                   /* n_bodies: sum of zeta that stays explicit */
  double *change;                 /* per formula: by d q/d t = v [N/s] */
  double *f, *v_free, *v, *block; /* 3 n_bodies each */
  /* Of the last choice, for Newton's method: where it was, the formulas' forces, and what of M^-1 times them is not in
   * the free motion. */
  SsDynamics *dynamics;
  SsStiffRule rule;
  double t, *q0, *v0, *f0, *taken;
  SsStiffRow *kept; /* the rows before a round */
  bool is_left, may_settle;
};

/* What the weight a makes of the rule: p = -kick (k (phi + after J v1) + d ((1 - end) J v + end J v1)). */
typedef struct {
  double after, end; /* [s], [-] */
} SsStiffWeights;
static inline SsStiffWeights
ss_stiff_weights (const SsStiffRule *rule, double weight)
{
  const double end = rule->is_end ? 1 : rule->theta + (1 - rule->theta) * weight;
  const double after = rule->is_end ? 1 : weight + (1 - weight) * fmax (2 * rule->theta - 1, 0);
  return (SsStiffWeights){rule->way * after, end};
}

/* Pushes with a larger zeta are rows: a weight below 1 % is not worth one, whose compliance is its inverse. About a
 * guess of the end those are for which repeating the step does not get there in a few rounds. */
static inline double
ss_stiff_threshold (const SsStiffRule *rule)
{
  return rule->is_end ? 0.25 : 1.005;
}

/* ---- ss-stiff-formulas.c ----------------------------------------------------------------------------------------- */

/* Bodies on which formulas with slopes act; two that read each other, and nobody else, are one group. */
void ss_stiff_make_groups (SsStiff *s);
/* Rows of all groups, of the slopes that are known. */
void ss_stiff_add_formulas (SsStiff *s, SsDynamics *dynamics, const SsStiffRule *rule, double t, const double *q,
                            const double *v);
