/* tests/numeric/test-model-race.c: the race for models on swing-ups of a cart and pole between walls, which have many
 * local answers. Truth: what a race promises of itself (bits, budgets, order of answers), and the judge. */
#include "nlp/ss-crisp-race.h"
#include "core/ss-memory.h"
#include "core/ss-work.h"
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-auto.h"
#include "nlp/ss-coarse.h"
#include "solve/ss-solve.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static SsScenario *
swing_up (double th0)
{
  const SsOverride start[] = {{"N", 40}, {"th0", th0}, {"thd0", 1}};

  return ss_test_read_file ("examples/crisp/cartpole.stickslip.json", start, 3);
}

typedef struct {
  double *x;        /* the caller's; NULL: not kept */
  double objective; /* INFINITY: none */
  double work;      /* counted */
  int iterations;
  bool is_proved;
} Raced;

/* By a method from the model's guess; with `grids` the coarser grids of the model. x and message may be NULL. */
static Raced
solve_model_by (const SsScenario *scenario, const SsNlpClass *nlp, const void *options, bool grids, double *x,
                char *message, size_t size)
{
  SsMpcc *mpcc = NULL;
  void *solver = NULL;
  SsNlpResult result;
  SsMetrics metrics;
  SsError err;

  SS_CHECK (ss_problem_build (scenario, &mpcc, &err) == SS_OK);
  const size_t n = (size_t)ss_mpcc_n_variables (mpcc);
  double *guess = ss_new_array (double, n + 1);
  SS_CHECK (ss_problem_guess (scenario, guess, &err) == SS_OK);
  SS_CHECK (nlp->new_ (mpcc, options, &solver, &err) == SS_OK);
  if (grids)
    ss_coarse_prepare (solver, scenario, INFINITY, 1);
  const double before = ss_work_thread ();
  SS_CHECK (nlp->solve (solver, guess, NULL, &result, &err) == SS_OK);
  Raced raced = {.x = x,
                 .objective = INFINITY,
                 .work = ss_work_thread () - before,
                 .iterations = result.iterations,
                 .is_proved = result.finish.is_b_stationary};
  SS_CHECK (ss_metrics_compute (scenario, result.x, &metrics, &err) == SS_OK);
  if (result.outcome == SS_OUTCOME_SOLVED && metrics.max_violation <= 1e-6)
    raced.objective = metrics.objective;
  if (x != NULL)
    memcpy (x, result.x, n * sizeof *x);
  if (message != NULL)
    snprintf (message, size, "%s", result.message);
  nlp->free_ (solver);
  ss_free (guess);
  ss_mpcc_free (mpcc);
  return raced;
}

static Raced
race (const SsScenario *scenario, SsModelRaceOptions options, double *x)
{
  return solve_model_by (scenario, &ss_nlp_crisp_race, &options, false, x, NULL, 0);
}

/* The same seed gives the same bits, on one thread and on two; another seed looks elsewhere. */
static void
test_bits (void)
{
  enum { MOST = 4000 };
  static double x[3][MOST];
  SsScenario *scenario = swing_up (3.5);

  for (int threads = ss_test_is_coarse () ? 2 : 1; threads <= 2; threads++) {
    SsModelRaceOptions o = {.threads = threads, .budget = 0.2, .seed = 1};
    const Raced first = race (scenario, o, x[0]), second = race (scenario, o, x[1]);
    SS_CHECK (isfinite (first.objective));
    SS_CHECK (memcmp (x[0], x[1], sizeof x[0]) == 0 && first.iterations == second.iterations);
    if (ss_test_is_coarse ())
      break;
    o.seed = 2;
    const Raced other = race (scenario, o, x[2]);
    SS_CHECK (isfinite (other.objective));
    SS_CHECK (first.iterations != other.iterations || memcmp (x[0], x[2], sizeof x[0]) != 0);
  }
  ss_scenario_free (scenario);
}

/* A larger budget is used, is no worse, and somewhere better; what is counted stays within it but for what is done
 * between two looks at the limit: of runs of tens of iterations a tenth. */
static void
test_budgets (void)
{
  int n_better = 0;

  for (int k = 0; k < 3; k++) {
    SsScenario *scenario = swing_up (2.5 + 0.5 * k);
    double before = INFINITY, first = NAN;
    for (int i = 0; i < 3; i++) {
      const SsModelRaceOptions o = {.threads = 1, .budget = 0.03 * pow (3, i), .seed = 1};
      const Raced raced = race (scenario, o, NULL);
      SS_CHECK (raced.objective <= before && (raced.is_proved || i < 2));
      SS_CHECK (raced.work >= 0.99 * o.budget * SS_MODEL_RACE_SECOND);
      SS_CHECK (raced.work <= 1.1 * o.budget * SS_MODEL_RACE_SECOND);
      if (raced.work > 1.1 * o.budget * SS_MODEL_RACE_SECOND || raced.objective > before)
        printf ("  budget %g: %g (before %g), work %g\n", o.budget, raced.objective, before,
                raced.work / SS_MODEL_RACE_SECOND);
      before = raced.objective;
      first = i == 0 ? raced.objective : first;
    }
    n_better += before < 0.99 * first;
    ss_scenario_free (scenario);
  }
  SS_CHECK (n_better > 0);
}

typedef struct {
  int n;
  double objective, work; /* of the last one; of the first one, counted */
  double first_at;
} Heard;

static void
hear (void *user_data, const SsProgress *progress)
{
  Heard *heard = user_data;

  if (progress->kind != SS_PROGRESS_ANSWER)
    return;
  SS_CHECK (progress->answer != NULL && progress->solved == NULL); /* judged */
  const double objective = ss_metric_get (&progress->answer->metrics, SS_METRIC_OBJECTIVE);
  SS_CHECK (progress->answer->outcome == SS_OUTCOME_SOLVED && ss_run_motion (progress->answer) != NULL);
  SS_CHECK (ss_metric_get (&progress->answer->metrics, SS_METRIC_B_VERIFIED) == 1);
  SS_CHECK (heard->n == 0 || objective < heard->objective);
  if (heard->n++ == 0)
    heard->first_at = ss_work_thread ();
  heard->objective = objective;
}

/* Each new best answer is told as it is found, judged; the last one is the run's. */
static void
test_told (void)
{
  SsScenario *scenario = swing_up (3.5);
  SsAutoOptions o;
  SsRunControl control;
  SsRunResult result;
  Heard heard = {0};
  SsError err;

  ss_options_init (ss_nlp_auto.options, &o);
  o.budget = 0.3;
  o.threads = 1;
  const SsSolveJob job = {.scenario = scenario, .nlp = &ss_nlp_auto, .options = &o};
  ss_run_control_init (&control);
  control.progress = hear;
  control.user_data = &heard;
  const double before = ss_work_thread ();
  SS_CHECK (ss_solve (&job, &control, &result, &err) == SS_OK);
  const double after = ss_work_thread ();
  SS_CHECK (heard.n > 0 && heard.first_at - before < 0.3 * (after - before));
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE) == heard.objective);
  SS_CHECK (control.progress == hear && control.user_data == &heard);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* A cart that is pushed to a place, a quadratic problem with one minimum: whatever grids its start went through, the
 * answer is that minimum, which Ipopt reaches without them. Objectives agree to what CRISP stops at, a
 * thousandth of the merit function, before the finish makes it exact: 1e-6. */
static void
test_grids_convex (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"cart\", \"parameters\": {\"N\": {\"value\": 161, \"integer\": true, \"minimum\": 2},"
      "\"T\": {\"value\": 4}},"
      "\"model\": {\"points\": \"N\", \"time_step\": \"T/(N - 1)\", \"states\": [\"x\", \"v\"], \"controls\": [\"u\"],"
      "\"constraints\": [{\"name\": \"dynamics\", \"points\": [0, \"N-2\"],"
      "\"zero\": [\"next(x) - x - T/(N - 1)*v\", \"next(v) - v - T/(N - 1)*u\"]},"
      "{\"name\": \"start\", \"points\": 0, \"zero\": [\"x\", \"v\"]}],"
      "\"cost\": [{\"points\": [0, \"N-2\"], \"cost\": \"0.01*u^2\"},"
      "{\"points\": \"N-1\", \"cost\": \"100*(x - 1)^2 + 100*v^2\"}]}}";
  char message[600];
  SsScenario *scenario = ss_test_read_text (text);
  const Raced grids = solve_model_by (scenario, &ss_nlp_coarse, NULL, true, NULL, message, sizeof message),
              direct = solve_model_by (scenario, &ss_nlp_ipopt, NULL, false, NULL, message, sizeof message);

  SS_CHECK (isfinite (direct.objective) && direct.objective > 0);
  SS_CHECK (fabs (grids.objective - direct.objective) <= 1e-6 * (1 + direct.objective));
  ss_scenario_free (scenario);
}

/* A box that is pushed, on 200 points: the answer of coarser grids keeps its rows by the judge, the same bits come
 * again, and the message says which grids there were. Without the model, or with twenty points, there are none. */
static void
test_grids_contacts (void)
{
  enum { MOST = 12000 };
  static double x[2][MOST];
  const SsOverride many = {"N", 200}, few = {"N", 20};
  char message[600];
  SsScenario *fine = ss_test_read_file ("examples/crisp/push-box.stickslip.json", &many, 1),
             *coarse = ss_test_read_file ("examples/crisp/push-box.stickslip.json", &few, 1);

  SS_CHECK (fine->model->n_points * fine->model->n_variables <= MOST);
  const Raced first = solve_model_by (fine, &ss_nlp_coarse, NULL, true, x[0], message, sizeof message);
  SS_CHECK (isfinite (first.objective));
  SS_CHECK (strstr (message, "from the answer on 100 points, coarsest grid 50 points") != NULL);
  const Raced second = solve_model_by (fine, &ss_nlp_coarse, NULL, true, x[1], message, sizeof message);
  SS_CHECK (first.iterations == second.iterations && memcmp (x[0], x[1], sizeof x[0]) == 0);
  SS_CHECK (isinf (solve_model_by (fine, &ss_nlp_coarse, NULL, false, NULL, message, sizeof message).objective));
  SS_CHECK (strstr (message, "no coarser grid") != NULL);
  SS_CHECK (isinf (solve_model_by (coarse, &ss_nlp_coarse, NULL, true, NULL, message, sizeof message).objective));
  SS_CHECK (strstr (message, "no coarser grid") != NULL);
  ss_scenario_free (fine);
  ss_scenario_free (coarse);
}

int
main (void)
{
  SS_RUN_THREADS (test_bits);
  SS_RUN_SLOW (test_budgets);
  SS_RUN (test_told);
  SS_RUN (test_grids_convex);
  SS_RUN (test_grids_contacts);
  return ss_test_finish ();
}
