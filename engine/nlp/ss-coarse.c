/* engine/nlp/ss-coarse.c: see the header. */
#include "nlp/ss-coarse.h"

#include "mpcc/ss-problem.h"
#include "nlp/ss-crisp-private.h"
#include "nlp/ss-interior.h"
#include "nlp/ss-noisy-start.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_GRIDS = 12 };    /* 100,000 points are halved to 50 in eleven steps */
enum { FEWEST_POINTS = 50 }; /* of the second coarser grid and those after it: longer steps miss contacts */
enum { FIRST_POINTS = 20 };  /* of the first coarser grid */
enum { WARM_MOST = 100 };    /* iterations from a coarser grid's answer: near one, ten are enough */
enum { COARSEST_MOST = 240 };
/* Noise of a start, of the size of its variables: round an answer, round the guess. */
static const double NEAR_NOISE = 0.3, FAR_NOISE = 1;

typedef struct {
  SsScenario *scenario; /* owned; NULL of the given grid */
  SsMpcc *mpcc;         /* owned, but that of the given grid */
  SsMpccEval *eval;
  int n_points;
  double *x, *best;       /* its start, the answer's point */
  void *crisp, *interior; /* NULL: did not run */
  SsNlpResult answer;     /* the cheapest that was found; x NULL: there is none */
  double objective;       /* of the answer */
} Grid;

typedef struct {
  const SsMpcc *mpcc;
  const SsScenario *model;
  double enough;
  int seed;
  Grid grids[MOST_GRIDS]; /* [0]: the given one */
  int n_grids;
} Coarse;

/* ---- grids ------------------------------------------------------------------------------------------------------- */

/* Points of one grid at the places of another's, on lines between them. */
static void
carry (int n_variables, int n_from, const double *from, int n_to, double *to)
{
  for (int k = 0; k < n_to; k++) {
    const double place = (double)k * (n_from - 1) / (n_to - 1);
    const int left = place < n_from - 2 ? (int)place : n_from - 2;
    const double part = place - left, *a = from + (size_t)left * (size_t)n_variables, *b = a + n_variables;

    for (int v = 0; v < n_variables; v++)
      to[(size_t)k * (size_t)n_variables + (size_t)v] = (1 - part) * a[v] + part * b[v];
  }
}

static void
drop_grid (Coarse *s)
{
  Grid *grid = &s->grids[--s->n_grids];

  if (grid->crisp != NULL)
    ss_nlp_crisp.free_ (grid->crisp);
  if (grid->interior != NULL)
    ss_nlp_interior.free_ (grid->interior);
  ss_mpcc_eval_free (grid->eval);
  ss_free (grid->x);
  ss_free (grid->best);
  if (grid->scenario == NULL)
    return;
  ss_mpcc_free (grid->mpcc);
  ss_scenario_free (grid->scenario);
}

static void
clear_grids (Coarse *s)
{
  while (s->n_grids > 0)
    drop_grid (s);
}

static const SsScenario *
model_of (const Coarse *s, const Grid *grid)
{
  return grid->scenario != NULL ? grid->scenario : s->model;
}

static SsStatus
add_grid (Coarse *s, SsScenario *scenario, SsMpcc *mpcc, SsError *err)
{
  Grid *grid = &s->grids[s->n_grids++];

  *grid = (Grid){.scenario = scenario, .mpcc = mpcc};
  grid->n_points = model_of (s, grid)->model->n_points;
  grid->x = ss_new_array (double, ss_mpcc_n_variables (mpcc) + 1);
  grid->best = ss_new_array (double, ss_mpcc_n_variables (mpcc) + 1);
  if (grid->x == NULL || grid->best == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a grid of %d points", grid->n_points);
  return ss_mpcc_eval_new (mpcc, &grid->eval, err);
}

/* A grid that is coarser than the last one; *is_added: there is one. */
static SsStatus
add_coarser (Coarse *s, bool *is_added, SsError *err)
{
  const Grid *finer = &s->grids[s->n_grids - 1];
  SsScenario *scenario = NULL;
  SsMpcc *mpcc = NULL;

  *is_added = false;
  if (s->n_grids == MOST_GRIDS || finer->n_points < 2 * (s->n_grids == 1 ? FIRST_POINTS : FEWEST_POINTS) - 1)
    return SS_OK;
  SsStatus status = ss_scenario_read_coarser (model_of (s, finer), &scenario, err);
  if (status != SS_OK || scenario == NULL)
    return status;
  status = ss_problem_build (scenario, &mpcc, err);
  if (status != SS_OK) {
    ss_scenario_free (scenario);
    return status == SS_ERR_MEMORY ? status : SS_OK;
  }
  ss_mpcc_set_objective_scale (mpcc, ss_mpcc_objective_scale (s->mpcc));
  *is_added = true;
  return add_grid (s, scenario, mpcc, err);
}

/* The given grid and those that are coarser, each with the model's own guess as its start, or, for a start that is not
 * the guess, with what is carried of it. Where a guess that rolls the motion out leaves the numbers, steps are too
 * long: coarser grids end there. */
static SsStatus
make_grids (Coarse *s, const double *x0, SsError *err)
{
  SsStatus status = add_grid (s, NULL, (SsMpcc *)s->mpcc, err); /* is only read */
  Grid *given = &s->grids[0];
  const int n = ss_mpcc_n_variables (s->mpcc);
  bool is_added = status == SS_OK, is_guess = false;

  if (is_added) {
    is_guess =
        ss_problem_guess (s->model, given->x, NULL) == SS_OK && memcmp (given->x, x0, (size_t)n * sizeof *x0) == 0;
    memcpy (given->x, x0, (size_t)n * sizeof *x0);
  }
  while (is_added) {
    status = add_coarser (s, &is_added, err);
    if (status != SS_OK || !is_added)
      break;
    Grid *grid = &s->grids[s->n_grids - 1];
    if (!is_guess) {
      carry (s->model->model->n_variables, given->n_points, x0, grid->n_points, grid->x);
    } else if (ss_problem_guess (grid->scenario, grid->x, NULL) != SS_OK) {
      drop_grid (s);
      break;
    }
  }
  return status;
}

/* ---- one grid ---------------------------------------------------------------------------------------------------- */

static void
take_result (Grid *grid, const SsNlpResult *result, SsNlpResult *sum)
{
  ss_nlp_result_add (sum, result);
  if (result->outcome != SS_OUTCOME_SOLVED)
    return;
  const double objective = ss_mpcc_objective (grid->eval, result->x);
  if (grid->answer.x != NULL && !(objective < grid->objective))
    return;
  memcpy (grid->best, result->x, (size_t)ss_mpcc_n_variables (grid->mpcc) * sizeof *grid->best);
  grid->answer = *result;
  grid->answer.x = grid->best;
  grid->answer.multipliers = NULL; /* the solver's, which may go on */
  grid->objective = objective;
}

#define FIELD(field) offsetof (SsCrispOptions, field)

/* CRISP from the start, which is near an answer or not. */
static SsStatus
run_crisp (Coarse *s, int g, bool is_near, SsRunControl *control, SsNlpResult *sum, SsError *err)
{
  const SsOptionValue values[] = {{FIELD (preset), is_near ? SS_CRISP_PRESET_WARM : SS_CRISP_PRESET_DEFAULT},
                                  {FIELD (k_max), is_near ? WARM_MOST : COARSEST_MOST},
                                  {FIELD (restarts), 0},
                                  {FIELD (finish), g == 0}};
  Grid *grid = &s->grids[g];
  SsCrispOptions o;
  SsNlpResult result;

  ss_options_init (&ss_crisp_option_table, &o);
  ss_options_give (&ss_crisp_option_table, &o, values, sizeof values / sizeof *values);
  SsStatus status = ss_nlp_crisp.new_ (grid->mpcc, &o, &grid->crisp, err);
  if (status != SS_OK)
    return status;
  if (g == 0)
    ((SsCrisp *)grid->crisp)->enough = s->enough;
  status = ss_nlp_crisp.solve (grid->crisp, grid->x, control, &result, err);
  if (status == SS_OK)
    take_result (grid, &result, sum);
  return status;
}

static SsStatus
run_interior (Grid *grid, const double *x0, SsRunControl *control, SsNlpResult *sum, SsError *err)
{
  SsNlpResult result;
  SsStatus status = SS_OK;

  if (grid->interior == NULL)
    status = ss_nlp_interior.new_ (grid->mpcc, NULL, &grid->interior, err);
  if (status == SS_OK)
    status = ss_nlp_interior.solve (grid->interior, x0, control, &result, err);
  if (status == SS_OK)
    take_result (grid, &result, sum);
  return status;
}

static bool
is_stopped (SsRunControl *control)
{
  SsOutcome why;
  return ss_run_control_should_stop (control, &why);
}

/* Starts with noise, round the best answer and round the grid's start in turn; so many that they cost about half of
 * what one start costs on the given grid. */
static SsStatus
try_noise (Coarse *s, Grid *grid, SsRunControl *control, SsNlpResult *sum, SsError *err)
{
  const int n = ss_mpcc_n_variables (grid->mpcc), tries = s->grids[0].n_points / grid->n_points / 2;
  double *start = ss_new_array (double, n + 1);
  SsStatus status = start != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory for a start");

  for (int i = 0; i < tries && status == SS_OK && !is_stopped (control); i++) {
    const bool is_round = i % 2 == 0 && grid->answer.x != NULL;
    ss_noisy_start (n, is_round ? grid->best : grid->x, grid->answer.x != NULL ? grid->best : grid->x,
                    is_round ? NEAR_NOISE : FAR_NOISE, (uint64_t)s->seed, i, start);
    status = run_interior (grid, start, control, sum, err);
  }
  ss_free (start);
  return status;
}

/* From a coarser grid's answer CRISP is near one, and the interior point is there where it does not find it. Without
 * one both look for it, as each finds answers that the other does not, and starts with noise as long as that is cheap;
 * but not on the given grid, where others do. */
static SsStatus
solve_grid (Coarse *s, int g, bool is_near, SsRunControl *control, SsNlpResult *sum, SsError *err)
{
  Grid *grid = &s->grids[g];

  if (g == 0 && !is_near)
    return SS_OK;
  SsStatus status = run_crisp (s, g, is_near, control, sum, err);
  if (status != SS_OK || (is_near && grid->answer.x != NULL) || is_stopped (control))
    return status;
  status = run_interior (grid, grid->x, control, sum, err);
  if (status == SS_OK && !is_near)
    status = try_noise (s, grid, control, sum, err);
  return status;
}

/* ---- class ------------------------------------------------------------------------------------------------------- */

static void
coarse_free (void *data)
{
  Coarse *s = data;

  if (s == NULL)
    return;
  clear_grids (s);
  ss_free (s);
}

static SsStatus
coarse_new (const SsMpcc *mpcc, const void *options, void **solver, SsError *err)
{
  Coarse *s = ss_new (Coarse);

  (void)options;
  *solver = s;
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  s->mpcc = mpcc;
  s->enough = INFINITY;
  return SS_OK;
}

void
ss_coarse_prepare (void *solver, const SsScenario *model, double enough, int seed)
{
  Coarse *s = solver;

  s->seed = seed;
  s->model = model;
  s->enough = enough;
}

/* From the coarsest grid to the given one; what has no answer on a grid is begun anew on the next. */
static SsStatus
climb (Coarse *s, SsRunControl *control, SsNlpResult *sum, SsError *err)
{
  const int n_variables = s->model->model->n_variables;
  const SsProgressFunc progress = control->progress;
  const Grid *below = NULL; /* the coarser grid, if it has an answer */
  SsStatus status = SS_OK;

  for (int g = s->n_grids - 1; g >= 0 && status == SS_OK && !is_stopped (control); g--) {
    Grid *grid = &s->grids[g];
    if (below != NULL)
      carry (n_variables, below->n_points, below->answer.x, grid->n_points, grid->x);
    control->progress = g == 0 ? progress : NULL; /* iterates of other grids have other sizes */
    status = solve_grid (s, g, below != NULL, control, sum, err);
    control->progress = progress;
    below = grid->answer.x != NULL ? grid : NULL;
  }
  return status;
}

static SsStatus
coarse_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Coarse *s = data;
  const double wall = ss_clock_wall ();
  SsNlpResult sum = {.stationarity = NAN, .linear_seconds = NAN};
  SsRunControl silent;
  SsOutcome why;

  if (control == NULL) {
    ss_run_control_init (&silent);
    control = &silent;
  }
  clear_grids (s);
  SsStatus status = s->model != NULL ? make_grids (s, x0, err) : SS_OK;
  if (status == SS_OK && s->n_grids > 1)
    status = climb (s, control, &sum, err);
  if (status != SS_OK)
    return status;
  const Grid *grid = &s->grids[0];
  const bool is_solved = s->n_grids > 1 && grid->answer.x != NULL;
  *result = is_solved ? grid->answer : sum;
  if (!is_solved) {
    result->x = x0;
    result->outcome = ss_run_control_should_stop (control, &why) ? why : SS_OUTCOME_STALLED;
    snprintf (result->message, sizeof result->message,
              s->n_grids > 1 ? "no answer from %d coarser grids" : "the model has no coarser grid of time points",
              s->n_grids - 1);
  } else {
    ss_nlp_result_tell (result, "; from the answer on %d points, coarsest grid %d points", s->grids[1].n_points,
                        s->grids[s->n_grids - 1].n_points);
  }
  ss_nlp_result_account (result, &sum);
  result->solve_seconds = ss_clock_wall () - wall;
  return SS_OK;
}

static const SsOptionTable no_options = {0};

const SsNlpClass ss_nlp_coarse = {
    .name = "coarse",
    .label = "Coarse to fine",
    .summary = "Coarser grids of time points first; each answer is the next finer grid's start",
    .version = "0.1.0",
    .options = &no_options,
    .new_ = coarse_new,
    .solve = coarse_solve,
    .free_ = coarse_free,
};
