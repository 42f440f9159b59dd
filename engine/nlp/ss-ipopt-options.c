/* engine/nlp/ss-ipopt-options.c: the one table of Ipopt's options. */
#include "nlp/ss-ipopt-options.h"

#include "nlp/ss-bounds.h"
#include "nlp/ss-finish.h"
#include "nlp/ss-ipopt.h"

#include <IpStdCInterface.h>

#include <stddef.h>

const char *const ss_ipopt_mu_strategies[] = {"monotone", "adaptive", NULL};
const char *const ss_ipopt_hessians[] = {"exact", "limited-memory", NULL};
static const char *const product_forms[] = {"products",       "sum",        "relaxed", "equal", "elastic",
                                            "elastic-capped", "elastic-l1", "penalty", NULL};
const char *const ss_ipopt_scalings[] = {"gradient-based", "none", NULL};
const char *const ss_ipopt_derivative_tests[] = {"none", "first-order", "second-order", NULL};

#define FIELD(name) offsetof (SsIpoptOptions, name)

static const SsOptionSpec specs[] = {
    {"tol", SS_OPTION_REAL, FIELD (tol), 1e-14, 1, 1e-6, NULL, "", "", true,
     "Relative optimality tolerance; larger values stop sooner at a higher cost."},
    {"constr_viol_tol", SS_OPTION_REAL, FIELD (constr_viol_tol), 1e-14, 1, 1e-6, NULL, "", "", true,
     "Largest unscaled row violation of an answer; larger values give less feasible answers."},
    {"max_iter", SS_OPTION_INTEGER, FIELD (max_iter), 0, 1e7, 3000, NULL, "", "", true,
     "Largest number of iterations. Larger values let runs without a solution go on longer."},
    {"mu_strategy", SS_OPTION_CHOICE, FIELD (mu_strategy), 0, 1, 0, ss_ipopt_mu_strategies, "", "", true,
     "How the barrier parameter falls: monotone is the safe rule, adaptive often takes fewer iterations."},
    {"hessian", SS_OPTION_CHOICE, FIELD (hessian), 0, 1, 0, ss_ipopt_hessians, "", "", true,
     "Second derivatives. exact: of cost and rows; limited-memory: approximated from gradients, which takes more "
     "iterations."},
    {"complementarity", SS_OPTION_CHOICE, FIELD (complementarity), 0, 7, 0, product_forms, "", "", true,
     "What becomes of the product a*b of a complementary pair; sigma is the option relaxation. products: each pair "
     "is a row a*b <= 0; sum: one row sums all products; relaxed: a*b <= sigma; equal: a*b = sigma; elastic: a*b <= "
     "s for one variable s up to 10, which costs s/sigma; elastic-capped: as elastic, with s <= sigma; elastic-l1: "
     "as elastic, with one s for each product; penalty: no row, the product costs a*b/sigma."},
    {"relaxation", SS_OPTION_REAL, FIELD (relaxation), 0, 1e6, 1e-6, NULL, "sigma", "", false,
     "The number sigma of complementarity=relaxed, equal, elastic and penalty. Larger values make the problem easier "
     "and the answer less complementary."},
    {"bounds", SS_OPTION_CHOICE, FIELD (bounds), 0, 2, SS_BOUNDS_ROWS, ss_bounds_choices, "", "", false,
     "What becomes of rows that bound one variable. exact: bounds of Ipopt's problem, which its iterates keep; "
     "unpaired: bounds, except for the sides of complementary pairs, which stay rows; rows: rows like all others."},
    {"mu_init", SS_OPTION_REAL, FIELD (mu_init), 1e-16, 1e10, 0.1, NULL, "mu", "", false,
     "First barrier parameter; small values suit starting points near the answer."},
    {"bound_relax", SS_OPTION_REAL, FIELD (bound_relax), 0, 1, 1e-8, NULL, "", "", false,
     "Relative widening of inequality bounds, which gives the barrier an interior; larger values give less feasible "
     "answers."},
    {"bound_push", SS_OPTION_REAL, FIELD (bound_push), 1e-16, 1, 0.1, NULL, "kappa_1", "", false,
     "With bounds=exact: least distance of the starting point from a bound, relative to the size of the bound (at "
     "least 1) and to the room between both bounds. Larger values move the starting point further."},
    {"pivot", SS_OPTION_REAL, FIELD (pivot), 1e-12, 0.5, 1e-6, NULL, "", "", false,
     "Least pivot of the linear solver, relative to the pivot's column. Larger values make the steps of "
     "ill-conditioned problems more accurate and the factors fuller."},
    {"permutes", SS_OPTION_BOOLEAN, FIELD (permutes), 0, 1, 1, NULL, "", "", false,
     "Whether the linear solver looks for large entries to put on the diagonal before it orders the rows. Plans with "
     "fixed modes are factorised ten times faster without; others may need it."},
    {"scaling", SS_OPTION_CHOICE, FIELD (scaling), 0, 1, 0, ss_ipopt_scalings, "", "", false,
     "How the cost and the rows are scaled. gradient-based: by their gradients at the starting point; none: not at "
     "all."},
    {"warm_start", SS_OPTION_BOOLEAN, FIELD (warm_start), 0, 1, 0, NULL, "", "", false,
     "Whether a solve starts from the multipliers of this solver's previous answer; a small mu_init goes with that."},
    {"finish", SS_OPTION_BOOLEAN, FIELD (finish), 0, 1, 0, NULL, "", "", true, ss_finish_summary},
    {"print_level", SS_OPTION_INTEGER, FIELD (print_level), 0, 5, 0, NULL, "", "", false,
     "How much Ipopt prints itself, 0 to 12; larger values print more; 0: nothing."},
    {"derivative_test", SS_OPTION_CHOICE, FIELD (derivative_test), 0, 2, 0, ss_ipopt_derivative_tests, "", "", false,
     "Whether derivatives are compared with finite differences at the starting point; print_level 1 and above prints "
     "those that differ."},
};

const SsOptionTable ss_ipopt_option_table = {(int)(sizeof specs / sizeof specs[0]), specs, sizeof (SsIpoptOptions),
                                             FIELD (given)};

/* Ipopt's return codes: name, outcome of ours, account. */
typedef struct {
  int code;
  SsOutcome outcome;
  const char *text;
} Ending;

static const Ending endings[] = {
    {Solve_Succeeded, SS_OUTCOME_SOLVED, "optimal solution found"},
    {Solved_To_Acceptable_Level, SS_OUTCOME_SOLVED, "solved to acceptable level"},
    {Feasible_Point_Found, SS_OUTCOME_SOLVED, "feasible point of a square problem found"},
    {Infeasible_Problem_Detected, SS_OUTCOME_INFEASIBLE, "converged to a point of local infeasibility"},
    {Search_Direction_Becomes_Too_Small, SS_OUTCOME_STALLED, "search direction became too small"},
    {Diverging_Iterates, SS_OUTCOME_DIVERGED, "iterates diverge"},
    {Maximum_Iterations_Exceeded, SS_OUTCOME_MAX_ITERATIONS, "iteration limit reached"},
    {Restoration_Failed, SS_OUTCOME_STALLED, "restoration phase failed"},
    {Error_In_Step_Computation, SS_OUTCOME_STALLED, "no step could be computed"},
    {Maximum_CpuTime_Exceeded, SS_OUTCOME_CPU_LIMIT, "CPU time limit reached"},
    {Not_Enough_Degrees_Of_Freedom, SS_OUTCOME_FAILED, "more equality rows than variables"},
    {Invalid_Problem_Definition, SS_OUTCOME_FAILED, "invalid problem definition"},
    {Invalid_Option, SS_OUTCOME_FAILED, "invalid option"},
    {Invalid_Number_Detected, SS_OUTCOME_DIVERGED, "a function or derivative is not finite"},
};

const char *
ss_ipopt_ending (int code, SsOutcome *outcome)
{
  *outcome = SS_OUTCOME_FAILED;
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (endings[i].code == code) {
      *outcome = endings[i].outcome;
      return endings[i].text;
    }
  return "stopped by an internal error";
}
