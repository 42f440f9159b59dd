/* engine/nlp/ss-crisp-private.h: data of CRISP, shared by its options, its model of the problem, its loop and its
 * polish.
 *
 * Letters of paper 004: x point, p step, Delta radius, mu_i penalties, phi_1 merit function (10), q model (11), rho =
 * ared/pred ratio, eta_low, eta_high, gamma_shrink, gamma_expand, eps_c, eps_p, eps_r of Algorithm 1 and Table I.
 */
#pragma once

#include "nlp/ss-bounds.h"
#include "nlp/ss-crisp.h"
#include "nlp/ss-finish.h"
#include "qp/ss-qp.h"

extern const SsOptionTable ss_crisp_option_table;
/* Options as used: with a preset, every field that was not set by name takes the preset's value. */
void ss_crisp_options_resolve (const SsCrispOptions *given, SsCrispOptions *used);

/* What is known at a point: values, derivatives, merit. */
typedef struct {
  double *x; /* n                                               */
  double *c; /* rows                                            */
  double objective;
  double violation;       /* max |c_E|, max (0, -c_I)                        */
  double merit;           /* phi_1 with the current penalties                */
  double complementarity; /* max |a b| over pairs                          */
} SsCrispPoint;

typedef struct {
  SsCrispOptions o;
  const SsMpcc *mpcc; /* borrowed */
  SsMpccEval *eval;
  int n, n_eq, n_rows;

  /* Hessian of the objective, with every diagonal entry, as the QP sees it. */
  SsPattern hessian;
  int *hessian_slot; /* place of each entry of the objective's pattern   */
  int *hessian_diagonal;
  double *h_objective, *h_values;
  SsLdl *h_test; /* answers whether the Hessian is positive semidefinite; NULL when it is diagonal */
  double *h_work;
  signed char *h_sign;  /* n times +1 */
  int *block, n_blocks; /* connected variables: block[j] */
  int *block_start, *block_member;

  /* Families: rows of one formula at different time points. */
  int *family, n_families;                               /* family[row]                                              */
  double *family_largest, *family_before, *family_floor; /* penalties: now, at the last raise, lifted to              */
  int *family_waits;                                     /* raises in a row that left the family's largest alone     */
  bool *family_raised;

  SsQp *qp;
  SsQpOptions qp_options;
  SsFinish *finish; /* NULL: the option is off */
  SsNlpFinish finished;
  int early_finishes;
  double enough; /* objective of an answer that is known: the run ends where it hardly gets below; INFINITY: none */
  bool is_given_up;

  SsCrispPoint now, trial, second; /* iterate, trial point, corrected trial point */
  double *gradient, *jacobian;
  double *mu;                  /* n_rows */
  SsBounds bounds;             /* every iterate lies within */
  double *lower, *upper;       /* n: box of the step */
  double *at_lower, *at_upper; /* n: multipliers of the bounds, scratch */
  double *p, *p_second;        /* steps: QP results are overwritten by the next solve */
  double *p_model, *bend;      /* the subproblem's own step, and its first quick correction (0 without) */
  double *c_corrected;
  double *multipliers;
  double *x_best, *mu_best, *multipliers_best; /* the best answer so far, of objective_best */
  double objective_best;                       /* infinite: none yet */
  double *g_zero, *h_identity;                 /* polish: least-norm objective */
  double *j_snap;                              /* Jacobian with one side of each pair in the place of the product */

  bool *is_product; /* n_rows */

  int relaxed_iterations; /* since the relaxation changed */
  double relaxation;      /* now in force: products are a b <= relaxation, of x the rows say relaxation - a b >= 0 */

  int subproblems, inner_iterations, failures;
  double qp_seconds, derivative_seconds, value_seconds; /* CPU */
  int level_iterations;                                 /* since the last raise */
  double level_merit, level_violation;                  /* at the last raise, with the penalties after it */
  double level_fall;                                    /* of the merit function, of the level before; 0: none */
  int runaway_levels;                                   /* see is_running_away */
  bool has_run_away;
  int iterations, late_raises; /* of this solve; raises in the later half of its iterations */
  int first_iteration;         /* of this solve, which tells of them from 0 */
  int restarts, cycles;        /* so far */
  double *x_start;             /* n: where it begins, and begins again */
  double delta;                /* radius of the next subproblem */
  bool goes_on;                /* the next solve begins from numbers that were kept (ss-crisp-state.c) */
} SsCrisp;

/* ss-crisp-model.c */
/* One QP with the options it has now, counted and timed. */
SS_NODISCARD SsStatus ss_crisp_solve_qp (SsCrisp *s, const SsQpData *data, SsRunControl *control, SsQpResult *result,
                                         SsError *err);
SS_NODISCARD SsStatus ss_crisp_model_new (SsCrisp *s, SsError *err);
void ss_crisp_model_clear (SsCrisp *s);
/* Box of the steps from `now`, in units of `unit`: |p_j| <= radius, cut by the bounds. */
void ss_crisp_set_box (SsCrisp *s, double radius, double unit);
/* What parts of the merit function are taken of: what the rows cost, and the objective, but of that no more than its
 * variables could change it by, each within `times` the box that is set: a constant is worth nothing, nor is what a
 * long way down has gathered. */
double ss_crisp_worth (const SsCrisp *s, double times);
/* Puts what rounding and corrections carried out of the bounds back: p such that x + p is within, and x + p. */
void ss_crisp_keep_in_bounds (const SsCrisp *s, const double *x, double *p, double *x_trial);
/* Multipliers of the QP's rows, and of the bounds where they are what holds the step (not the radius). */
void ss_crisp_take_multipliers (SsCrisp *s, const SsQpResult *qp);
void ss_crisp_evaluate (SsCrisp *s, SsCrispPoint *point); /* objective, rows, violation; merit with the current mu */
void ss_crisp_differentiate (SsCrisp *s, const SsCrispPoint *point); /* gradient, Jacobian, convex Hessian          */
double ss_crisp_merit (const SsCrisp *s, const SsCrispPoint *point);
/* q(0) - q(p) with the constants of `now`. */
double ss_crisp_predicted (SsCrisp *s, const double *p);

/* Violation at which polishing stops: a hundredth of the usual tolerance-constraint. */
#define SS_CRISP_POLISH_TO 1e-8
/* ss-crisp-polish.c: least-norm corrections of the rows until the violation is at most SS_CRISP_POLISH_TO; true if it
 * improved. */
bool ss_crisp_polish (SsCrisp *s, SsRunControl *control);
/* The same with the smaller side of each pair taken as zero: not the products but the sides themselves become small. */
bool ss_crisp_snap (SsCrisp *s, SsRunControl *control);

/* ss-crisp-state.c: the numbers of the loop between two iterations; as SsNlpClass has them. */
SS_NODISCARD SsStatus ss_crisp_keep (const void *solver, SsNlpState *state, SsError *err);
bool ss_crisp_go_on (void *solver, const SsNlpState *state);
/* Values at the point that was taken; true: the problem has others there than when it was kept. */
bool ss_crisp_state_is_of_another_problem (SsCrisp *s);

/* ss-crisp-told.c: what is said of how it ended. */
double ss_crisp_largest_penalty (const SsCrisp *s);
void ss_crisp_describe (const SsCrisp *s, SsOutcome outcome, int iterations, double stationarity, SsNlpResult *result);

/* ss-crisp-certificate.c: one accurate subproblem at the current point, whose derivatives are current; also sharpens
 * the multipliers. */
void ss_crisp_certify (SsCrisp *s, SsRunControl *control, double last_step, double last_radius,
                       SsNlpCertificate *certificate);
