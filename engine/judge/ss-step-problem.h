/* engine/judge/ss-step-problem.h: the contact problem of one time step as a thing of its own, and how far impulses are
 * from solving it.
 *
 * Of m contact points (normal and tangent), k bilateral rows and n velocities find impulses r, p and velocities v with
 *     M v = q + H' r + G' p,        u = H v + b + C r,
 *     0 <= r_n - least  _|_  u_n >= 0,      -r_t in mu r_n Sign (u_t),      G v + g + c p = 0,
 * or, reduced to the contacts, u = W r + b (no velocities, no bilateral rows). Rows of H are those of Siconos' H
 * transposed: normal and tangent of the first point, then of the second; C is a diagonal. Without least and C these are
 * Siconos' gfc2d and fc2d problems (V. Acary, M. Bremond, O. Huber, On solving contact problems with Coulomb friction:
 * formulations and numerical comparisons, 2018, secs. 2, 3).
 *
 * Residual: the natural map of the problem, point by point, times the point's own mobility w = H M^-1 H' + C of the
 * row, so that it is a speed [the unit of u]:
 *     normal   w |r_n - max (r_n - u_n/w, least)|        tangent   w |r_t - min (max (r_t - u_t/w, -mu r_n), mu r_n)|
 *     bilateral |G v + g + c p|
 * with v from r and p by the first equation, and of the three the largest. It is 0 where and only where r, p solve the
 * problem. It is computed here with nothing that a solver uses: judge stands before every solver. Threads: values.
 * Tests: tests/numeric/test-step-problem.c */
#pragma once

#include "linalg/ss-linalg.h"

/* A sparse matrix by rows; zeroed: none. */
typedef struct {
  SsPattern pattern; /* n_major rows, n_minor columns; columns of a row ascend */
  double *value;
} SsSparse;

typedef struct SsStepProblem {
  /* where it is from; texts may be "", numbers NaN, counts 0 */
  char scene[128], method[64];
  double t, dt;    /* [s] */
  int step, solve; /* counted from 1: of the run, of the step */

  int n_velocities, n_contacts, n_joints; /* velocities 0: reduced */
  SsSparse M;                             /* symmetric, positive definite; n x n                 */
  SsSparse H, G;                          /* 2 m x n, k x n                                      */
  SsSparse W;                             /* reduced: 2 m x 2 m; else none                       */
  double *q, *v_free;                     /* n: [N s], and M^-1 q                                */
  double *b, *compliance;                 /* 2 m [m/s], [m/(N s)] >= 0                           */
  double *mu, *least;                     /* m: >= 0; [N s] >= 0                                 */
  double *joint_bias, *joint_compliance;  /* k                                                   */
  /* an answer; has_answer false: none is known */
  bool has_answer;
  double *r, *p, *v; /* 2 m, k, n */
  double residual;   /* that whoever found it tells */
} SsStepProblem;

/* Arrays of these sizes, zeroed, without matrices. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_step_problem_new (int n_velocities, int n_contacts, int n_joints, SsStepProblem **out,
                                           SsError *err);
void ss_step_problem_free (SsStepProblem *problem); /* NULL is allowed */

/* From n entries, which add up where several have one place. SS_ERR_MEMORY; SS_ERR_INVALID: one lies outside. */
SS_NODISCARD SsStatus ss_sparse_new (int n_rows, int n_columns, int n, const int *row, const int *column,
                                     const double *value, SsSparse *out, SsError *err);
void ss_sparse_clear (SsSparse *matrix);
int ss_sparse_n_entries (const SsSparse *matrix);
double ss_sparse_get (const SsSparse *matrix, int row, int column); /* 0 where there is none */
/* Whether all entries stand on the diagonal of a square matrix. */
bool ss_sparse_is_diagonal (const SsSparse *matrix);
/* The other way round; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_sparse_transpose (const SsSparse *matrix, SsSparse *out, SsError *err);

/* Whether it has W in the place of bodies. */
bool ss_step_problem_is_reduced (const SsStepProblem *problem);
/* SS_ERR_INVALID: a size, a sign or a number is not as above; err->path names the member, err->expected what it ought
 * to be. Fills q from v_free or v_free from q where `derive` says which is missing. SS_ERR_SINGULAR: M is not positive
 * definite. */
typedef enum { SS_STEP_DERIVE_NONE, SS_STEP_DERIVE_Q, SS_STEP_DERIVE_V_FREE } SsStepDerive;
SS_NODISCARD SsStatus ss_step_problem_finish (SsStepProblem *problem, SsStepDerive derive, SsError *err);

/* M^-1. */
typedef struct SsStepMass SsStepMass;
SS_NODISCARD SsStatus ss_step_mass_new (const SsStepProblem *problem, SsStepMass **out, SsError *err);
void ss_step_mass_free (SsStepMass *mass);                   /* NULL is allowed */
void ss_step_mass_solve (const SsStepMass *mass, double *x); /* x = M^-1 x */
const double *ss_step_mass_inverse (const SsStepMass *mass); /* n, of a diagonal M; else NULL */

/* ---- the judge --------------------------------------------------------------------------------------------------- */

typedef struct SsStepJudge SsStepJudge;
/* Borrows the problem, which must be finished. SS_ERR_MEMORY, SS_ERR_SINGULAR. */
SS_NODISCARD SsStatus ss_step_judge_new (const SsStepProblem *problem, SsStepJudge **out, SsError *err);
void ss_step_judge_free (SsStepJudge *judge); /* NULL is allowed */
/* Of r (2 m) and p (k; NULL where k = 0); *worst (nullable): the point, or m + row, that misses most. NaN where a
 * number is none. */
double ss_step_judge_residual (SsStepJudge *judge, const double *r, const double *p, int *worst);
/* The velocities of the last residual, n; of a reduced problem u, 2 m. Borrowed. */
const double *ss_step_judge_velocities (const SsStepJudge *judge);
/* The largest speed of the problem without impulses, |H v_free + b|, |G v_free + g|: what a relative tolerance is
 * relative to. */
double ss_step_judge_scale (const SsStepJudge *judge);
