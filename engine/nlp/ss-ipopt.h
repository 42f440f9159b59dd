/* engine/nlp/ss-ipopt.h: what the homotopy needs of the Ipopt solver beyond the table of ss-nlp.h. Private to the room
 * `nlp`. */
#pragma once

#include "nlp/ss-nlp.h"

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
