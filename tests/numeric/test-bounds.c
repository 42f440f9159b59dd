/* tests/numeric/test-bounds.c: rows that bound one variable, by every optimiser and with each value of its option
 * `bounds`: known answers and multipliers, other parameters without a new solver, iterates that stay within, starts
 * that do not lie within, bounds that cross; and the homotopy's relaxations on problems with known answers.
 *
 * Answers are compared to 1e-4: Ipopt stops at 1e-6 of a scaled criterion, CRISP at 1e-3 of the merit function, which
 * is quadratic in the distance with a factor of about 1, so its own cases ask for a smaller tolerance.
 */
#include "nlp/ss-nlp.h"
#include "nlp/ss-scholtes.h"
#include "ss-test-scenario.h"

#include <stdlib.h>
#include <unistd.h>

static const double answer_error = 1e-4;

static const SsNlpClass *const classes[] = {&ss_nlp_crisp, &ss_nlp_ipopt, &ss_nlp_scholtes};
enum { N_CLASSES = 3, MAX_FORMULAS = 12, MAX_LETTERS = 26 };
static const char *const choices[] = {"exact", "unpaired", "rows"};

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* Variables a, b, c, ...; parameters p, q, r. */
typedef struct {
  SsGraph *graph;
  int n;
} Letters;

static SsStatus
resolve_letter (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  const Letters *letters = user_data;

  if (length != 1 || shift != 0 || name[0] < 'a' || name[0] > 'r')
    return ss_error_set (err, SS_ERR_INVALID, "unknown name");
  *out = ss_graph_input (letters->graph, name[0] >= 'p' ? letters->n + name[0] - 'p' : name[0] - 'a');
  return SS_OK;
}

/* Rows >= 0 as pairs of a name and a formula; after them the products, each as "-(a*b)" with the numbers of the two
 * rows. Lists end with NULL. */
typedef struct {
  int n;
  const char *cost;
  const char *equalities[MAX_FORMULAS];
  const char *rows[2 * MAX_FORMULAS];
  const char *products[MAX_FORMULAS];
  int sides[MAX_FORMULAS][2];
} Text;

static SsMpcc *
build (const Text *text)
{
  Letters letters = {.n = text->n};
  SsMpccBuilder *builder = NULL;
  SsMpcc *mpcc = NULL;
  SsError err;
  SsExpr formulas[MAX_FORMULAS];
  const char *names[MAX_FORMULAS];
  int variables[MAX_LETTERS], numbers[MAX_FORMULAS], n = 0, n_rows;

  for (int i = 0; i < MAX_LETTERS; i++)
    variables[i] = i;
  for (int i = 0; i < MAX_FORMULAS; i++)
    numbers[i] = i;
  SS_CHECK (ss_graph_new (&letters.graph, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (letters.graph, text->n, 3, &builder, &err) == SS_OK);
  SS_CHECK (ss_expr_parse (letters.graph, text->cost, resolve_letter, &letters, &formulas[0], &err) == SS_OK);
  SsMpccTemplate t = {.name = "cost", .n_inputs = text->n, .n_formulas = 1, .formulas = formulas};
  SS_CHECK (ss_mpcc_builder_add_cost (builder, &t, 1, variables, &err) == SS_OK);
  for (; text->equalities[n] != NULL; n++)
    SS_CHECK (ss_expr_parse (letters.graph, text->equalities[n], resolve_letter, &letters, &formulas[n], &err) ==
              SS_OK);
  t = (SsMpccTemplate){.name = "zero", .n_inputs = text->n, .n_formulas = n, .formulas = formulas};
  if (n > 0)
    SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_EQUALITY, &t, 1, variables, numbers, &err) == SS_OK);
  for (n = 0; text->rows[2 * n] != NULL; n++) {
    names[n] = text->rows[2 * n];
    SS_CHECK (ss_expr_parse (letters.graph, text->rows[2 * n + 1], resolve_letter, &letters, &formulas[n], &err) ==
              SS_OK);
  }
  n_rows = n;
  for (int p = 0; text->products[p] != NULL; p++, n++) {
    names[n] = "product";
    SS_CHECK (ss_expr_parse (letters.graph, text->products[p], resolve_letter, &letters, &formulas[n], &err) == SS_OK);
    SS_CHECK (ss_mpcc_builder_add_pair (builder, n_rows + p, text->sides[p][0], text->sides[p][1], &err) == SS_OK);
  }
  t = (SsMpccTemplate){
      .name = "limit", .n_inputs = text->n, .n_formulas = n, .formulas = formulas, .formula_names = names};
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_INEQUALITY, &t, 1, variables, numbers, &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, &mpcc, &err) == SS_OK);
  ss_mpcc_builder_free (builder);
  ss_graph_free (letters.graph);
  return mpcc;
}

/* "name=value name=value" */
static void *
new_solver (const SsNlpClass *class_, const SsMpcc *mpcc, const char *text)
{
  void *options = calloc (1, class_->options->size), *solver = NULL;
  char copy[256], *rest = NULL;
  SsError err;

  ss_options_init (class_->options, options);
  snprintf (copy, sizeof copy, "%s", text);
  for (char *word = strtok_r (copy, " ", &rest); word != NULL; word = strtok_r (NULL, " ", &rest)) {
    char *value = strchr (word, '=');

    *value++ = '\0';
    SS_CHECK (ss_options_set (class_->options, options, word, value, &err) == SS_OK);
  }
  SS_CHECK (class_->new_ (mpcc, options, &solver, &err) == SS_OK);
  free (options);
  return solver;
}

static const char *
sharp (const SsNlpClass *class_)
{
  return class_ == &ss_nlp_crisp ? "tolerance-decrease=1e-9" : "tol=1e-8";
}

/* ---- known answers ----------------------------------------------------------------------------------------------- */

/* (a - 3)^2 + (b + 2)^2 with a <= p, 2 b + q >= 0, a >= -5 and a row of both that is not active: a = p, b = -q/2 with
 * multipliers 2 (3 - a) and (b + 2), the derivatives of the cost over the slopes -1 and 2. */
static const Text two_limits = {.n = 2,
                                .cost = "(a - 3)^2 + (b + 2)^2",
                                .rows = {"top", "p - a", "floor", "2*b + q", "low", "a + 5", "both", "20 - a - b"}};

static void
check_limits (const SsNlpResult *result, double p, double q)
{
  SS_CHECK (result->outcome == SS_OUTCOME_SOLVED);
  SS_CHECK_NEAR (result->x[0], p, answer_error);
  SS_CHECK_NEAR (result->x[1], -q / 2, answer_error);
  SS_CHECK_NEAR (result->multipliers[0], 2 * (3 - p), 1e-2); /* CRISP's come from its last subproblem: a gap of 1e-3 */
  SS_CHECK_NEAR (result->multipliers[1], -q / 2 + 2, 1e-2);
  SS_CHECK_NEAR (result->multipliers[2], 0, 1e-2);
  SS_CHECK_NEAR (result->multipliers[3], 0, 1e-2);
}

/* Parameters move the bounds of a solver that stays. */
static void
test_limits_follow_parameters (void)
{
  for (int m = 0; m < N_CLASSES; m++)
    for (int b = 0; b < 3; b++) {
      SsMpcc *mpcc = build (&two_limits);
      char options[128];
      SsNlpResult result;
      SsError err;
      const double start[] = {7, -9}; /* outside of both limits */

      snprintf (options, sizeof options, "bounds=%s %s", choices[b], sharp (classes[m]));
      void *solver = new_solver (classes[m], mpcc, options);
      for (int k = 0; k < 3; k++) {
        double parameters[] = {1 + 0.5 * k, 1 - k, 0};

        ss_mpcc_set_parameters (mpcc, parameters);
        SS_CHECK (classes[m]->solve (solver, start, NULL, &result, &err) == SS_OK);
        check_limits (&result, parameters[0], parameters[1]);
        SS_CHECK (start[0] == 7 && start[1] == -9);
      }
      classes[m]->free_ (solver);
      ss_mpcc_free (mpcc);
    }
}

/* What a listener saw of each variable. */
typedef struct {
  double least[MAX_LETTERS], most[MAX_LETTERS];
  int n_iterates;
} Range;

static void
listen (void *user_data, const SsProgress *progress)
{
  Range *range = user_data;

  if (progress->kind != SS_PROGRESS_ITERATE)
    return;
  for (int j = 0; j < progress->n_values; j++) {
    range->least[j] = fmin (range->least[j], progress->values[j]);
    range->most[j] = fmax (range->most[j], progress->values[j]);
  }
  range->n_iterates++;
}

static SsNlpResult
solve_and_listen (const SsNlpClass *class_, void *solver, const double *x0, Range *range)
{
  SsRunControl control;
  SsNlpResult result;
  SsError err;

  *range = (Range){.n_iterates = 0};
  for (int j = 0; j < MAX_LETTERS; j++) {
    range->least[j] = INFINITY;
    range->most[j] = -INFINITY;
  }
  ss_run_control_init (&control);
  control.progress = listen;
  control.user_data = range;
  SS_CHECK (class_->solve (solver, x0, &control, &result, &err) == SS_OK);
  return result;
}

/* The cost a (1 + b^2) of a length a falls without end where a may become negative: with the limit as a row CRISP's
 * merit function does, since its penalty is linear in a. With a >= p kept, b = 0 and a = p. */
static void
test_length_cannot_become_negative (void)
{
  static const Text text = {.n = 2, .cost = "a*(1 + b^2)", .rows = {"length", "a - p", "most", "1 - a"}};
  static const char *const kept[] = {"exact", "unpaired"};
  const double start[] = {-0.5, 3}, parameters[] = {0.125, 0, 0};

  for (int m = 0; m < N_CLASSES; m++)
    for (int b = 0; b < 2; b++) {
      SsMpcc *mpcc = build (&text);
      char options[128];
      Range range;

      ss_mpcc_set_parameters (mpcc, parameters);
      snprintf (options, sizeof options, "bounds=%s %s", kept[b], sharp (classes[m]));
      void *solver = new_solver (classes[m], mpcc, options);
      SsNlpResult result = solve_and_listen (classes[m], solver, start, &range);
      SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
      SS_CHECK_NEAR (result.x[0], 0.125, answer_error);
      SS_CHECK_NEAR (result.x[1], 0, 1e-2); /* the cost is flat there: 0.125 b^2 */
      SS_CHECK (range.n_iterates == result.inner_iterations + (m == 2 ? result.subproblems : 1) || m == 0);
      /* CRISP's iterates lie within to the last bit; Ipopt widens by 1e-8. */
      SS_CHECK (range.least[0] >= 0.125 - (m == 0 ? 0 : 1.1e-8) && range.most[0] <= 1 + (m == 0 ? 0 : 1.1e-8));
      classes[m]->free_ (solver);
      ss_mpcc_free (mpcc);
    }
}

/* Sides of a pair: with `unpaired` they may be broken on the way, other limits not. (a - 1)^2 + (b - 2)^2 with a, b a
 * pair and b <= 1.5: (0, 1.5). */
static void
test_pairs_and_limits (void)
{
  static const Text text = {.n = 2,
                            .cost = "(a - 1)^2 + (b - 2)^2",
                            .rows = {"a", "a", "b", "b", "top", "1.5 - b"},
                            .products = {"-(a*b)"},
                            .sides = {{0, 1}}};
  const double start[] = {-0.25, 2};

  for (int m = 0; m < N_CLASSES; m++)
    for (int b = 0; b < 3; b++) {
      SsMpcc *mpcc = build (&text);
      char options[128];
      Range range;

      snprintf (options, sizeof options, "bounds=%s %s", choices[b], sharp (classes[m]));
      void *solver = new_solver (classes[m], mpcc, options);
      SsNlpResult result = solve_and_listen (classes[m], solver, start, &range);
      SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
      SS_CHECK_NEAR (result.x[0], 0, answer_error);
      SS_CHECK_NEAR (result.x[1], 1.5, answer_error);
      if (b == 0)
        SS_CHECK (range.least[0] >= -1.1e-8);
      if (b < 2)
        SS_CHECK (range.most[1] <= 1.5 + 1.6e-8);
      if (m == 0 && b > 0) /* CRISP starts where it is told; the others start from Ipopt's own point within */
        SS_CHECK (range.least[0] == -0.25);
      classes[m]->free_ (solver);
      ss_mpcc_free (mpcc);
    }
}

/* a <= -6 and a >= -5: no point; both rows are named and the start, within what bounds there are, is handed back. Equal
 * but for rounding: a = -5. Equal bounds: a number. */
static void
test_bounds_that_cross (void)
{
  const double start[] = {7, -9}, crossing[] = {-6, 1, 0}, rounding[] = {-5 - 1e-9, 1, 0}, equal[] = {-5, 1, 0};

  for (int m = 0; m < N_CLASSES; m++) {
    SsMpcc *mpcc = build (&two_limits);
    char options[128];
    Range range;

    snprintf (options, sizeof options, "bounds=exact %s", sharp (classes[m]));
    void *solver = new_solver (classes[m], mpcc, options);
    ss_mpcc_set_parameters (mpcc, crossing);
    SsNlpResult result = solve_and_listen (classes[m], solver, start, &range);
    SS_CHECK (result.outcome == SS_OUTCOME_INFEASIBLE);
    SS_CHECK_CONTAINS (result.message, "limit[0].top");
    SS_CHECK_CONTAINS (result.message, "limit[0].low");
    SS_CHECK_CONTAINS (result.message, "-6");
    SS_CHECK (isfinite (result.x[0]) && range.n_iterates == 1);
    for (int k = 0; k < 2; k++) {
      ss_mpcc_set_parameters (mpcc, k == 0 ? rounding : equal);
      result = solve_and_listen (classes[m], solver, start, &range);
      SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
      SS_CHECK_NEAR (result.x[0], -5, 1e-8);
      SS_CHECK_NEAR (result.x[1], -0.5, answer_error);
    }
    classes[m]->free_ (solver);
    ss_mpcc_free (mpcc);
  }
}

/* p a + 1 >= 0 with p = 0 bounds nothing, and 0 a - 1 >= 0 is impossible. */
static void
test_slope_of_zero (void)
{
  static const Text text = {.n = 1, .cost = "(a - 3)^2", .rows = {"slanted", "p*a + q"}};
  const double start[] = {0}, free_[] = {0, 1, 0}, never[] = {0, -1, 0};

  for (int m = 0; m < N_CLASSES; m++) {
    SsMpcc *mpcc = build (&text);
    char options[128];
    SsNlpResult result;
    SsError err;

    snprintf (options, sizeof options, "bounds=exact %s", sharp (classes[m]));
    void *solver = new_solver (classes[m], mpcc, options);
    ss_mpcc_set_parameters (mpcc, free_);
    SS_CHECK (classes[m]->solve (solver, start, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK_NEAR (result.x[0], 3, answer_error);
    ss_mpcc_set_parameters (mpcc, never);
    SS_CHECK (classes[m]->solve (solver, start, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_INFEASIBLE);
    SS_CHECK_CONTAINS (result.message, "limit[0].slanted");
    classes[m]->free_ (solver);
    ss_mpcc_free (mpcc);
  }
}

/* ---- relaxations ------------------------------------------------------------------------------------------------- */

static const char *const relaxations[] = {"scholtes",         "scholtes-equality", "elastic",
                                          "elastic-scholtes", "elastic-l1",        "l1-penalty"};
enum { N_RELAXATIONS = 6 };

/* Three pairs a, d; b, e; c, f with d = a + b - 2, e = b + c - 3, f = c - 1. Feasible is one point alone: c = 0 makes f
 * negative, so f = 0 and c = 1; e = b - 2 >= 0 then leaves b = 2 and e = 0; d = a, so a = 0: (0, 2, 1), with a and d
 * both zero. The relaxed answers leave it by the square root of the product. */
static const Text chain = {.n = 6,
                           .cost = "(a - 2)^2 + (b - 3)^2 + (c - p)^2",
                           .equalities = {"d - a - b + 2", "e - b - c + 3", "f - c + 1"},
                           .rows = {"a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f"},
                           .products = {"-(a*d)", "-(b*e)", "-(c*f)"},
                           .sides = {{0, 3}, {1, 4}, {2, 5}}};

/* (a - 1)^2 + (b - 2)^2 with a, b a pair: (0, 2). */
static const Text corner = {
    .n = 2, .cost = "(a - 1)^2 + (b - 2)^2", .rows = {"a", "a", "b", "b"}, .products = {"-(a*b)"}, .sides = {{0, 1}}};

/* Every relaxation, both updates, each kind of bounds: the answer, and products as small as asked for. */
static void
test_relaxations_converge (void)
{
  static const char *const updates[] = {"linear", "superlinear"};

  for (int r = 0; r < N_RELAXATIONS; r++)
    for (int u = 0; u < 2; u++)
      for (int b = 0; b < 3; b += 2) {
        const double corner_start[] = {0.5, 1.5}, chain_start[] = {1, 2, 1.5, 1, 0.5, 0.5}, parameters[] = {1, 0, 0};
        SsMpcc *problems[] = {build (&corner), build (&chain)};
        char options[160];
        SsNlpResult result;
        SsError err;

        snprintf (options, sizeof options, "relaxation=%s update=%s bounds=%s", relaxations[r], updates[u], choices[b]);
        for (int p = 0; p < 2; p++) {
          ss_mpcc_set_parameters (problems[p], parameters);
          void *solver = new_solver (&ss_nlp_scholtes, problems[p], options);
          SS_CHECK (ss_nlp_scholtes.solve (solver, p == 0 ? corner_start : chain_start, NULL, &result, &err) == SS_OK);
          if (result.outcome != SS_OUTCOME_SOLVED)
            printf ("%s, problem %d: %s\n", options, p, result.message);
          SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
          /* Where a product's multiplier is about 1 the relaxed answer is sigma^(1/2) = 3e-4 away at most. */
          SS_CHECK_NEAR (result.x[0], 0, 1e-3);
          SS_CHECK_NEAR (result.x[1], 2, 1e-3);
          if (p == 1)
            SS_CHECK_NEAR (result.x[2], 1, 1e-3);
          /* sigma_min 1e-7 and the tolerance of a row, 1e-8; with a penalty Ipopt's own 1e-6 */
          SS_CHECK_NEAR (result.x[0] * result.x[p == 0 ? 1 : 3], 0, r < 2 || r == 3 ? 1.2e-7 : 1e-6);
          ss_nlp_scholtes.free_ (solver);
          ss_mpcc_free (problems[p]);
        }
      }
}

/* The preset of the paper is what its options are by name, and options that are given keep their values. */
static void
test_preset (void)
{
  static const char *const same[] = {
      "preset=paper kappa=0.5",
      "members=full tol_comp=1e-9 sigma_min=1e-9 tol=1e-8 constr_viol_tol=1e-9 patience=100 "
      "member_iter=2000 mu_strategy=adaptive bounds=exact bound_push=0.01 bound_relax=0 "
      "warm_start=off kappa=0.5",
      "preset=paper kappa=0.5 members=loose"};
  const double start[] = {0.5, 1.5};
  double x[3][2];
  int n_inner[3];

  for (int i = 0; i < 3; i++) {
    SsMpcc *mpcc = build (&corner);
    void *solver = new_solver (&ss_nlp_scholtes, mpcc, same[i]);
    SsNlpResult result;
    SsError err;

    SS_CHECK (ss_nlp_scholtes.solve (solver, start, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    memcpy (x[i], result.x, sizeof x[i]);
    n_inner[i] = result.inner_iterations;
    ss_nlp_scholtes.free_ (solver);
    ss_mpcc_free (mpcc);
  }
  SS_CHECK (x[0][0] == x[1][0] && x[0][1] == x[1][1] && n_inner[0] == n_inner[1]);
  SS_CHECK (n_inner[2] < n_inner[0]);
  SS_CHECK_NEAR (x[0][0], 0, 1e-8); /* sigma / 2 */
}

/* A pair a, b with J = (a - 1)^2 + (b - 2)^2 and a third variable that pays 100 c^2 for c >= 1 - 10 a b: while a*b may
 * be .1 it is free, and then costs 100. That is a leap from 1.x, and no smaller step of sigma avoids it. */
static void
test_leap (void)
{
  static const Text cliff = {.n = 3,
                             .cost = "(a - 1)^2 + (b - 2)^2 + 100*c^2",
                             .rows = {"a", "a", "b", "b", "c", "c - 1 + 10*a*b"},
                             .products = {"-(a*b)"},
                             .sides = {{0, 1}}};
  static const char *const options[] = {"sigma0=0.1 kappa=0.01 retries=3", "sigma0=0.1 kappa=0.01 retries=3 leap=1"};
  const double start[] = {0.5, 1.5, 0.5};

  for (int i = 0; i < 2; i++) {
    SsMpcc *mpcc = build (&cliff);
    void *solver = new_solver (&ss_nlp_scholtes, mpcc, options[i]);
    SsNlpResult result;
    SsError err;

    SS_CHECK (ss_nlp_scholtes.solve (solver, start, NULL, &result, &err) == SS_OK);
    if (i == 0)
      SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && strstr (result.message, "went back up") == NULL);
    else
      SS_CHECK_CONTAINS (result.message, "sigma went back up");
    ss_nlp_scholtes.free_ (solver);
    ss_mpcc_free (mpcc);
  }
}

/* Superlinear: 1, .1, .1^1.5 = .0316 is above kappa sigma = .01; then .001, 3.2e-5 (.001^1.5), 1.8e-7, 1e-7: seven
 * members where linear needs eight. */
static void
test_members_are_counted (void)
{
  const struct {
    const char *options;
    int members;
  } cases[] = {{"", 8},
               {"update=superlinear", 7},
               {"kappa=0.01", 5},  /* 1, 1e-2, 1e-4, 1e-6, 1e-7 */
               {"sigma0=1e-3", 5}, /* 1e-3 .. 1e-7 */
               {"sigma_min=1e-2", 3}};

  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    SsMpcc *mpcc = build (&corner);
    void *solver = new_solver (&ss_nlp_scholtes, mpcc, cases[c].options);
    const double start[] = {0.5, 1.5};
    SsNlpResult result;
    SsError err;

    SS_CHECK (ss_nlp_scholtes.solve (solver, start, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.subproblems == cases[c].members);
    if (result.subproblems != cases[c].members)
      printf ("%s: %s\n", cases[c].options, result.message);
    ss_nlp_scholtes.free_ (solver);
    ss_mpcc_free (mpcc);
  }
}

/* The exact penalty of the corner is exact from sigma = 1/4 on (the product's multiplier is 2 (1 - a)/b = 1, so any
 * sigma < 1): products are nothing long before sigma_min, and tol_comp ends the run there, with the answer as sharp. */
static void
test_stop_by_complementarity (void)
{
  SsMpcc *mpcc = build (&corner);
  const double start[] = {0.5, 1.5};
  SsNlpResult result;
  SsError err;

  void *solver = new_solver (&ss_nlp_scholtes, mpcc, "relaxation=l1-penalty tol_comp=1e-6 sigma_min=1e-9");
  SS_CHECK (ss_nlp_scholtes.solve (solver, start, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (result.subproblems >= 3 && result.subproblems < 10); /* 10 members reach sigma_min */
  SS_CHECK_NEAR (result.x[0] * result.x[1], 0, 1e-6);
  SS_CHECK_NEAR (result.x[0], 0, 1e-6);
  SS_CHECK_NEAR (result.x[1], 2, answer_error);
  SS_CHECK (result.stationarity < 1e-4); /* solved again with the answer's tolerance, 1e-6 scaled */
  ss_nlp_scholtes.free_ (solver);
  ss_mpcc_free (mpcc);
}

/* No point satisfies a >= 1, b >= 1, a b <= sigma with sigma < 1. From 10 with kappa = .1 members are 10, 1 and .1,
 * which fails; with patience 1 sigma goes back to the last one solved, 1, and tries .316 (kappa is its root now).
 */
static void
test_back_up (void)
{
  static const Text text = {.n = 2,
                            .cost = "(a - 2)^2 + (b - 2)^2",
                            .rows = {"a", "a - 1", "b", "b - 1"},
                            .products = {"-(a*b)"},
                            .sides = {{-1, -1}}};
  const struct {
    const char *options;
    int members;
    const char *says;
  } cases[] = {{"sigma0=10 patience=1 retries=0", 3, "homotopy of 3 members"},
               {"sigma0=10 patience=1 retries=2", 5, "sigma went back up 2 times"},
               /* two in a row: 10, 1, .1, .01; then .316, .1; then .562, .316 */
               {"sigma0=10 retries=2", 8, "sigma went back up 2 times"},
               /* none is ever solved: .5 fails, 5 is solved, then 1.58, .5 fails */
               {"sigma0=0.5 patience=1 retries=1", 4, "sigma went back up 1 times"}};

  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    SsMpcc *mpcc = build (&text);
    void *solver = new_solver (&ss_nlp_scholtes, mpcc, cases[c].options);
    const double start[] = {2, 2};
    SsNlpResult result;
    SsError err;

    SS_CHECK (ss_nlp_scholtes.solve (solver, start, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.outcome != SS_OUTCOME_SOLVED && result.subproblems == cases[c].members);
    SS_CHECK_CONTAINS (result.message, cases[c].says);
    if (result.subproblems != cases[c].members)
      printf ("%s: %s\n", cases[c].options, result.message);
    ss_nlp_scholtes.free_ (solver);
    ss_mpcc_free (mpcc);
  }
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* Ipopt's own checker on the bounded problem, in every form of its products. */
static void
test_derivative_checker (void)
{
  static const char *const forms[] = {"products",       "sum",        "relaxed", "equal", "elastic",
                                      "elastic-capped", "elastic-l1", "penalty"};

  for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
    enum { MAX_OUTPUT = 1 << 16 };
    SsMpcc *mpcc = build (&chain);
    char *text = calloc (MAX_OUTPUT, 1), options[200];
    const double start[] = {1.1, 2.3, 1.7, 0.9, 0.4, 0.6};
    FILE *file = tmpfile ();
    SsNlpResult result;
    SsError err;

    snprintf (options, sizeof options,
              "bounds=exact complementarity=%s relaxation=0.1 derivative_test=second-order print_level=4 max_iter=0",
              forms[f]);
    void *solver = new_solver (&ss_nlp_ipopt, mpcc, options);
    fflush (stdout);
    int saved = dup (STDOUT_FILENO);
    dup2 (fileno (file), STDOUT_FILENO);
    SsStatus status = ss_nlp_ipopt.solve (solver, start, NULL, &result, &err);
    fflush (stdout);
    dup2 (saved, STDOUT_FILENO);
    close (saved);
    rewind (file);
    text[fread (text, 1, MAX_OUTPUT - 1, file)] = '\0';
    fclose (file);
    SS_CHECK (status == SS_OK);
    SS_CHECK_CONTAINS (text, "No errors detected by derivative checker");
    free (text);
    ss_nlp_ipopt.free_ (solver);
    ss_mpcc_free (mpcc);
  }
}

int
main (void)
{
  SS_RUN (test_limits_follow_parameters);
  SS_RUN (test_length_cannot_become_negative);
  SS_RUN (test_pairs_and_limits);
  SS_RUN (test_bounds_that_cross);
  SS_RUN (test_slope_of_zero);
  SS_RUN (test_relaxations_converge);
  SS_RUN (test_preset);
  SS_RUN (test_leap);
  SS_RUN (test_members_are_counted);
  SS_RUN (test_stop_by_complementarity);
  SS_RUN (test_back_up);
  SS_RUN (test_derivative_checker);
  return ss_test_finish ();
}
