/* engine/nlp/ss-nlp.h: the optimisers behind one table.
 *
 * Life cycle: options -> new -> solve (many times) -> free. A solver borrows the mpcc, which must outlive it. `solve`
 * starts from x0 and leaves its answer in the solver; the result's arrays are borrowed until the next solve or free.
 * Progress: one SS_PROGRESS_ITERATION per outer iteration (columns: objective, violation, complementarity, merit, step,
 * radius | mu, ... the first three always present, in this order) and one SS_PROGRESS_ITERATE (current x; the caller
 * throttles), iteration 0 = the starting point. Success is decided by the caller's own metrics; `outcome` here is the
 * solver's opinion.
 */
#pragma once

#include "mpcc/ss-mpcc.h"
#include "scene/ss-scenario.h"

/* What could be verified numerically about an answer of CRISP (paper 004, Theorem 8 and Proposition 9). Stationarity of
 * the merit function is measured by the decrease its convex model promises within one unit of every variable: zero
 * exactly at stationary points. Solved to a small gap, once, at the end. */
typedef struct {
  /* false: method without certificate (an empty text), interrupted run, or failed subproblem (the text says so); the
   * rest is not set then */
  bool is_computed;
  /* max |c_E|, max (0, -c_I); complementarity rows included */
  double violation_equality, violation_inequality;
  double complementarity; /* max |a b| over pairs                                            */
  double promise;         /* the model's decrease within a radius of 1                                      */
  double promise_gap;     /* the true one is at most this much larger                                       */
  double promise_part;    /* promise + gap, of what the merit function is worth within that radius, of 1 at least */
  double last_step, last_radius; /* Theorem 8 asks for steps that vanish while the radius does not         */
  double merit, largest_penalty;
  bool is_feasible;   /* to the tolerance of the method                                                 */
  bool is_stationary; /* promise_part within the tolerance of the method                                */
  char text[512];     /* which premises hold, and which were not verified; or why it was not computed   */
} SsNlpCertificate;

/* What the finish (nlp/ss-finish.h) found out about an answer. All zero: there was none. */
typedef struct {
  bool is_computed;     /* the value below is a number                                                  */
  bool is_b_stationary; /* proved to the tolerance                                                     */
  double value;         /* no branch descends by more than -value within the box; lower bound, <= 0    */
  double rho;           /* half width of that box                                                      */
  int rounds, iterations, programs, n_biactive;
  double cpu_seconds;
  char text[256]; /* "B-stationary: ..." or "not verified as B-stationary: ..." with the reason; "": no finish */
} SsNlpFinish;

typedef struct SsNlpResult {
  SsOutcome outcome;
  char message[600];         /* the method's own account of how it ended                        */
  int iterations;            /* outer                                                            */
  int subproblems;           /* QPs, or inner problems of a homotopy, or 0                       */
  int inner_iterations;      /* interior-point iterations over all subproblems, or 0             */
  double solve_seconds;      /* wall, from the first evaluation to the answer                    */
  double cpu_seconds;        /* of the solving thread; the next four are parts of it             */
  double qp_seconds;         /* in the method's own subproblems; NAN: not told apart             */
  double linear_seconds;     /* in the library's linear solver, as it tells; NAN: not told apart */
  double derivative_seconds; /* in gradients, Jacobians and Hessians                             */
  double value_seconds;      /* in objective and rows                                            */
  double stationarity;       /* the method's own last measure; NAN if none                       */
  const double *x;           /* n_variables; the answer, or the last (best) iterate; borrowed    */
  const double *multipliers; /* n_rows or NULL; sign: gradient J - J_c' y = 0, y_I >= 0       */
  SsNlpCertificate certificate;
  SsNlpFinish finish;
  const struct SsMember *members; /* of a race (core/ss-members.h): n_members of them; NULL: it was none; borrowed */
  int n_members;
} SsNlpResult;

/* What a method knows where it was paused, and needs to go on from there. Zeroed: nothing. */
typedef struct {
  char method[24];         /* its name */
  int iteration;           /* at which it was paused */
  int n_variables, n_rows; /* of the problem that it fits */
  double scale;            /* of the objective, for the method alone (nlp/ss-scale.h) */
  int n_values;
  double *values; /* owned; in an order of the method's own, its point among them */
} SsNlpState;

void ss_nlp_state_clear (SsNlpState *state); /* zeroed afterwards */
/* `copy` is overwritten. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_nlp_state_copy (const SsNlpState *state, SsNlpState *copy, SsError *err);

typedef struct SsNlpClass {
  const char *name;  /* crisp, ipopt, scholtes                                            */
  const char *label; /* CRISP, Ipopt, Homotopy                                            */
  const char *summary;
  const char *version; /* of the method: ours, or the library's                             */
  const SsOptionTable *options;
  const char *plan_preset; /* value of the option `preset` for plans of scenes, unless given; NULL: none */
  SsStatus (*new_) (const SsMpcc *mpcc, const void *options, void **solver,
                    SsError *err); /* options copied, NULL = defaults */
  SsStatus (*solve) (void *solver, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err);
  void (*free_) (void *solver);
  /* true: new_ looks at numbers, so that other parameters of the mpcc need a new solver; false: at patterns only */
  bool keeps_numbers;
  void (*resolve) (const void *given,
                   void *used); /* options as used, presets filled in, all marked as given; NULL: as they are */
  /* Whether the objective is taken as it is, whatever its size (nlp/ss-scale.h); options NULL: defaults; NULL: never */
  bool (*takes_objective) (const void *options);
  /* Before each solve of a model in equations: the model, with its numbers, that the mpcc was built of; borrowed until
   * that solve ends. NULL: the mpcc is enough */
  void (*see_model) (void *solver, const SsScenario *model);
  /* After a solve that ended as PAUSED: iteration and values of `state`, which is zeroed. Numbers of a state that was
   * kept are taken for the next solve, in place of its x0; false: they are not those of such a solver. With the problem
   * of before the method goes on as if it had not stopped, as far as its library lets it; with another one of the same
   * structure from the point, with what it knows beside it. NULL, both: of the point alone */
  SsStatus (*keep) (const void *solver, SsNlpState *state, SsError *err);
  bool (*go_on) (void *solver, const SsNlpState *state);
} SsNlpClass;

extern const SsNlpClass ss_nlp_crisp; /* nlp/ss-crisp.c */
extern const SsNlpClass ss_nlp_ipopt; /* nlp/ss-ipopt.c */

/* Defaults of an optimiser's options: ss_options_init, and for plans of scenes its preset. What the file and the user
 * say comes after. */
void ss_nlp_init_options (const SsNlpClass *nlp, bool is_plan, void *options);
/* Adds the iterations and seconds of one solve to those of several. */
void ss_nlp_result_add (SsNlpResult *sum, const SsNlpResult *r);
/* Gives a result the iterations and seconds of several solves, but for the wall time. */
void ss_nlp_result_account (SsNlpResult *result, const SsNlpResult *sum);
/* Adds to the end of its message, as far as there is room. */
void ss_nlp_result_tell (SsNlpResult *result, const char *format, ...) SS_PRINTF (2, 3);
