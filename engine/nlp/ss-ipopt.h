/* engine/nlp/ss-ipopt.h: options of Ipopt, for code that solves by it with settings of its own, and what the homotopy
 * needs of the solver beyond the table of ss-nlp.h.
 *
 * What each option is: the table in ss-ipopt.c.
 */
#pragma once

#include "nlp/ss-nlp.h"

/* What becomes of products, in the order of the names. */
typedef enum {
  SS_IPOPT_PRODUCTS_EACH,
  SS_IPOPT_PRODUCTS_SUM,
  SS_IPOPT_PRODUCTS_RELAXED,
  SS_IPOPT_PRODUCTS_EQUAL,
  SS_IPOPT_PRODUCTS_ELASTIC,
  SS_IPOPT_PRODUCTS_ELASTIC_CAPPED,
  SS_IPOPT_PRODUCTS_ELASTIC_L1,
  SS_IPOPT_PRODUCTS_PENALTY
} SsIpoptProducts;
typedef enum { SS_IPOPT_MU_MONOTONE, SS_IPOPT_MU_ADAPTIVE } SsIpoptMu;

typedef struct {
  double tol, constr_viol_tol;
  int max_iter;
  int mu_strategy; /* SsIpoptMu */
  int hessian;
  int complementarity; /* SsIpoptProducts */
  double relaxation, mu_init, bound_relax, bound_push, pivot;
  int scaling;
  int bounds; /* SsBoundsChoice */
  bool warm_start, finish, permutes;
  int print_level, derivative_test;
  uint64_t given; /* one bit per option that was set by name: see ss-option.h */
} SsIpoptOptions;

/* One member of a family of relaxed problems, solved in a row. */
typedef struct {
  double sigma; /* in place of the option `relaxation`; the column `sigma` is added to the progress        */
  double tol;   /* optimality tolerance of this member                                                       */
  double constr_viol_tol; /* largest row violation of its answer                                              */
  double mu_init;      /* barrier parameter at its start                                                            */
  bool warm_start;     /* multipliers of the solver's previous answer are the starting point                       */
  int first_iteration; /* number of this member's starting point in the progress                                    */
  int max_iter;        /* of this member                                                                            */
} SsIpoptStage;

/* As ss_nlp_ipopt.solve, with these values in place of the options of the same names. */
SS_NODISCARD SsStatus ss_ipopt_solve_stage (void *solver, const SsIpoptStage *stage, const double *x0,
                                            SsRunControl *control, SsNlpResult *result, SsError *err);
/* Largest |a*b| over all pairs at x; 0 without pairs. */
double ss_ipopt_complementarity (void *solver, const double *x);
/* Our objective at x, without what slacks or products cost. */
double ss_ipopt_objective (void *solver, const double *x);
/* Whether the bounds of the last solve left any point; its message says which do not. */
bool ss_ipopt_has_room (const void *solver);
