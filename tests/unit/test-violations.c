/* tests/unit/test-violations.c: the rows that are violated most: amounts, places and words against closed forms, and
 * the first of each list against the metric of the run. */
#include "app/base/ssapp-json.h"
#include "app/job/ssapp-result.h"
#include "app/job/ssapp-violations.h"
#include "mpcc/ss-problem.h"
#include "solve/ss-run-violations.h"
#include "tests/ss-test-scenario.h"

#include <stdlib.h>

static void
print_list (const SsViolations *list, int n)
{
  for (int i = 0; i < list->n && i < n; i++) {
    g_autofree char *where = ssapp_violation_dup_where (&list->items[i]);
    printf ("  %.3e  %s  t = %g  %s  [%s]\n", list->items[i].amount, where, list->items[i].t, list->items[i].equation,
            list->items[i].row);
  }
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

static const char chain[] =
    "{\"format\": 1, \"name\": \"chain\", \"model\": {\"points\": 5, \"time_step\": 0.1, \"states\": [\"x\"],"
    " \"controls\": [\"f\"], \"constraints\": ["
    "{\"name\": \"dynamics\", \"points\": [0, 3], \"zero\": [\"next(x) - x - f\"]},"
    "{\"name\": \"contact\", \"points\": [0, 4], \"complementary\": [[\"x\", \"f\"]]}],"
    " \"cost\": [{\"name\": \"effort\", \"points\": [0, 4], \"cost\": \"f^2\"}]}}";

/* At rest all rows hold exactly; one control moved by 1/4 breaks one row by just that. */
static void
one_row_of_a_model (void)
{
  SsScenario *scenario = ss_test_read_text (chain);
  double x[10] = {0};
  SsViolations list;
  SsMetrics metrics;
  SsError err;

  SS_CHECK (ss_violations_find (scenario, NULL, x, 5, &metrics, &list, &err) == SS_OK);
  SS_CHECK (list.n == 0 && list.n_violated == 0 && list.n_rows == metrics.n_equalities + metrics.n_inequalities);
  ss_violations_clear (&list);

  x[2 * 2 + 1] = 0.25;
  SS_CHECK (ss_violations_find (scenario, NULL, x, 5, &metrics, &list, &err) == SS_OK);
  SS_CHECK (list.n == 1 && list.n_violated == 1);
  SS_CHECK (list.items[0].amount == 0.25 && list.items[0].amount == metrics.max_violation);
  SS_CHECK (list.items[0].k == 2 && fabs (list.items[0].t - 0.2) < 1e-15);
  SS_CHECK (strcmp (list.items[0].block, "dynamics") == 0 && list.items[0].index == 0);
  SS_CHECK_CONTAINS (list.items[0].equation, "next(x)");
  SS_CHECK_CONTAINS (list.items[0].equation, "= 0");
  SS_CHECK (list.items[0].body[0] == '\0' && list.items[0].contact[0] == '\0');
  ss_violations_clear (&list);

  /* What is not finite is the worst of all. */
  x[2 * 1 + 1] = NAN;
  SS_CHECK (ss_violations_find (scenario, NULL, x, 2, &metrics, &list, &err) == SS_OK);
  SS_CHECK (list.n == 2 && isinf (list.items[0].amount) && list.items[0].k == 1 && list.n_violated > 2);
  ss_violations_clear (&list);
  ss_scenario_free (scenario);
}

/* The list is the beginning of the sorted list of all, whatever its length; equal amounts stay in their order. */
static void
lengths_agree (void)
{
  SsScenario *scenario = ss_test_read_text (chain);
  const double x[10] = {0.5, 0, 0.25, 0.75, 0.25, -1, 0, 0.75, 1, 0.5};
  SsViolations all, some;
  SsError err;

  SS_CHECK (ss_violations_find (scenario, NULL, x, 100, NULL, &all, &err) == SS_OK);
  SS_CHECK (all.n == all.n_violated && all.n > 4);
  for (int i = 1; i < all.n; i++)
    SS_CHECK (all.items[i - 1].amount > all.items[i].amount ||
              (all.items[i - 1].amount == all.items[i].amount && all.items[i - 1].k <= all.items[i].k));
  for (int n = 1; n <= all.n; n++) {
    SS_CHECK (ss_violations_find (scenario, NULL, x, n, NULL, &some, &err) == SS_OK);
    SS_CHECK (some.n == n);
    for (int i = 0; i < n; i++)
      SS_CHECK (memcmp (&some.items[i], &all.items[i], sizeof some.items[i]) == 0);
    ss_violations_clear (&some);
  }
  ss_violations_clear (&all);
  ss_scenario_free (scenario);
}

/* A disc of 1 kg and radius 0.1 m at rest half a metre above the ground, without gravity: every row of its plan holds.
 */
static const char disc[] =
    "{\"format\": 1, \"name\": \"disc\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"disc\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1},"
    " \"position\": [0, 0.6]}],"
    "\"contacts\": [{\"name\": \"ground\", \"bodies\": [\"floor\", \"disc\"], \"friction\": 0}],"
    "\"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, 0],"
    " \"lower\": -1, \"upper\": 1}]},"
    "\"task\": {\"horizon\": 0.6, \"steps\": 6, \"targets\": [{\"body\": \"disc\", \"position\": [0, 0.6]}],"
    " \"effort\": 1}}";

static int
variable (const SsModel *model, const char *name)
{
  for (int v = 0; v < model->n_variables; v++)
    if (strcmp (model->variables[v], name) == 0)
      return v;
  SS_CHECK (false);
  return 0;
}

/* A force of 2 N at a distance of 1/2 m: the product is 1, and the disc should have got h 2 N/1 kg = 0.2 m/s by it. */
static void
a_force_at_a_distance (void)
{
  SsScenario *scenario = ss_test_read_text (disc), *plan = NULL;
  const SsScenario *model = NULL;
  SsTrajectory *motion = NULL;
  SsViolations list, again;
  SsMetrics metrics;
  SsError err = {0};
  bool is_exact = false;

  if (scenario == NULL)
    return;
  SS_CHECK (ss_solve_model (scenario, NULL, &model, &plan, &err) == SS_OK);
  const int n = model->model->n_variables;
  double *x = calloc ((size_t)(n * model->model->n_points), sizeof *x);
  SS_CHECK (ss_problem_guess (model, x, &err) == SS_OK);
  SS_CHECK (ss_violations_find (model, scenario->scene, x, 5, &metrics, &list, &err) == SS_OK);
  SS_CHECK (list.n_violated == 0 && metrics.max_violation == 0);
  ss_violations_clear (&list);

  x[3 * n + variable (model->model, "ground.lambda_n")] = 2;
  SS_CHECK (ss_violations_find (model, scenario->scene, x, 5, &metrics, &list, &err) == SS_OK);
  print_list (&list, 5);
  SS_CHECK (list.n == 2 && metrics.max_violation == list.items[0].amount);
  SS_CHECK_NEAR (list.items[0].amount, 1, 1e-15);
  SS_CHECK_NEAR (list.items[0].t, 0.3, 1e-15);
  SS_CHECK (strcmp (list.items[0].contact, "ground") == 0 && strcmp (list.items[0].body, "disc") == 0);
  SS_CHECK (strcmp (list.items[0].equation, "no normal force at a distance") == 0);
  SS_CHECK_NEAR (list.items[1].amount, 0.2, 1e-15);
  SS_CHECK_NEAR (list.items[1].t, 0.2, 1e-15); /* the step that ends at 0.3 */
  SS_CHECK (list.items[1].contact[0] == '\0' && strcmp (list.items[1].body, "disc") == 0);
  SS_CHECK_CONTAINS (list.items[1].equation, "along y");

  /* The motion alone says the same. */
  SS_CHECK (ss_problem_trajectory (model, x, &motion, &err) == SS_OK);
  SS_CHECK (ss_run_violations (scenario, NULL, motion, 5, NULL, &again, &is_exact, &err) == SS_OK && is_exact);
  SS_CHECK (again.n == list.n && memcmp (again.items, list.items, sizeof *list.items * (size_t)list.n) == 0);
  ss_violations_clear (&again);
  ss_violations_clear (&list);
  ss_trajectory_free (motion);
  free (x);
  ss_scenario_free (plan);
  ss_scenario_free (scenario);
}

/* Whether a motion is the whole point of its model. */
enum { PARTS, WHOLE, EITHER };

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* The first of the list is the metric, at the place that the metrics call the worst; the motion says the same again
 * where it `says` the whole point. */
static void
check_result (const SsScenario *scenario, const SsTranscribeOptions *options, const SsRunResult *result, int says)
{
  const SsViolations *list = &result->violations;
  SsViolations again;
  SsMetrics metrics;
  SsError err = {0};
  char worst[300];
  bool is_exact = false;

  print_list (list, 3);
  SS_CHECK (list->n > 0);
  if (list->n == 0)
    return;
  SS_CHECK (list->items[0].amount == ss_metric_get (&result->metrics, SS_METRIC_MAX_VIOLATION));
  snprintf (worst, sizeof worst, "%s at k = %d", list->items[0].row, list->items[0].k);
  SS_CHECK (strncmp (worst, result->worst, sizeof result->worst - 1) == 0);
  SS_CHECK (list->n_rows == (int)ss_metric_get (&result->metrics, SS_METRIC_N_CONSTRAINTS));
  SS_CHECK (ss_run_violations (scenario, options, ss_run_motion (result), 10, &metrics, &again, &is_exact, &err) ==
            SS_OK);
  SS_CHECK (again.n == 0 || again.items[0].amount == metrics.max_violation);
  SS_CHECK (says == EITHER || is_exact == (says == WHOLE));
  if (is_exact) {
    SS_CHECK (metrics.max_violation == ss_metric_get (&result->metrics, SS_METRIC_MAX_VIOLATION));
    for (int i = 0; i < again.n && i < list->n; i++)
      SS_CHECK (strcmp (again.items[i].row, list->items[i].row) == 0 && again.items[i].amount == list->items[i].amount);
  }
  ss_violations_clear (&again);
}

/* What a result object says is read again. */
static void
check_json (const SsRunResult *result)
{
  g_autoptr (SsappTable) table = NULL;
  json_t *object = json_pack ("{s:o}", "violations", ssapp_violations_to_json (&result->violations));
  SsViolations read;

  ssapp_violations_from_json (object, &read);
  SS_CHECK (read.n == result->violations.n && read.n_violated == result->violations.n_violated);
  for (int i = 0; i < read.n; i++) {
    SsViolation expected = result->violations.items[i];
    SS_CHECK (read.items[i].amount == expected.amount && read.items[i].t == expected.t &&
              read.items[i].k == expected.k && strcmp (read.items[i].row, expected.row) == 0 &&
              strcmp (read.items[i].body, expected.body) == 0 &&
              strcmp (read.items[i].contact, expected.contact) == 0 &&
              strcmp (read.items[i].equation, expected.equation) == 0);
  }
  table = ssapp_violations_to_table (&read, NULL, NULL);
  SS_CHECK ((int)ssapp_table_get_n_rows (table) == read.n);
  SS_CHECK (read.n == 0 || ssapp_table_get_number (table, 0, 0) == read.items[0].amount);
  ss_violations_clear (&read);
  json_decref (object);
}

typedef struct {
  const char *file, *method, *option, *value; /* option of the method or of the transcription */
  int says;
} Form;

static void
run_form (const Form *form)
{
  SsScenario *scenario = ss_test_read_file (form->file, NULL, 0);
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, form->method, NULL);
  const SsOptionTable *table = ss_transcription_option_table ();
  void *options = calloc (1, method->options->size), *plan = calloc (1, table->size);
  SsRunResult result;
  SsError err = {0};

  printf ("%s, %s=%s\n", form->file, form->option, form->value);
  ss_method_init_options (method, scenario, options);
  ss_options_init (table, plan);
  if (ss_options_find (table, form->option) >= 0) {
    SS_CHECK (ss_options_set (table, plan, form->option, form->value, &err) == SS_OK);
    SS_CHECK (ss_options_set (table, plan, "first", "method", &err) == SS_OK); /* an exact motion has no rows */
    SS_CHECK (ss_options_set (method->options, options, "max-iterations", "3", &err) == SS_OK);
  } else {
    SS_CHECK (ss_options_set (method->options, options, form->option, form->value, &err) == SS_OK);
  }
  SsJob job = ss_job (method, scenario, options);
  job.solve.transcription = ss_transcription_choose (plan);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  check_result (scenario, &job.solve.transcription, &result, form->says);
  check_json (&result);
  if (result.outcome == SS_OUTCOME_SOLVED)
    SS_CHECK (result.violations.n <= SS_VIOLATIONS_KEPT_OF_SUCCESS);
  ss_run_result_clear (&result);
  free (plan);
  free (options);
  ss_scenario_free (scenario);
}

static void
runs (void)
{
  static const Form forms[] = {
      {"examples/plans/push-box-with-disc.stickslip.json", "crisp", "max-iterations", "3", WHOLE},
      {"examples/plans/push-box-with-disc.stickslip.json", "crisp", "max-iterations", "400", WHOLE},
      {"examples/plans/cart-pole-walls.stickslip.json", "crisp", "coordinates", "joint", WHOLE},
      {"examples/crisp/hopper.stickslip.json", "crisp", "max-iterations", "3", WHOLE},
      {"examples/plans/push-box-with-disc.stickslip.json", "crisp", "transcription", "fesd-j", PARTS},
      {"examples/plans/row-of-three.stickslip.json", "crisp", "contacts", "lazy", EITHER},
  };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    run_form (&forms[i]);
}

/* A run that was broken off has the list of what it published last. */
static void
broken_off (void)
{
  SsScenario *scenario = ss_test_read_text (disc), *plan = NULL;
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL);
  const SsScenario *model = NULL;
  void *options = calloc (1, method->options->size);
  SsRunResult result;
  SsError err = {0};

  if (scenario == NULL)
    return;
  ss_method_init_options (method, scenario, options);
  SS_CHECK (ss_solve_model (scenario, NULL, &model, &plan, &err) == SS_OK);
  const int n = model->model->n_variables * model->model->n_points;
  double *x = calloc ((size_t)n, sizeof *x);
  SS_CHECK (ss_problem_guess (model, x, &err) == SS_OK);
  x[4 * model->model->n_variables + variable (model->model, "disc.y")] = 0.05; /* 5 cm into the ground */
  const SsJob job = ss_job (method, scenario, options);
  SS_CHECK (ss_run_result_from_iterate (&job, SS_OUTCOME_CANCELLED, 7, x, n, NULL, &result, &err) == SS_OK);
  check_result (scenario, NULL, &result, WHOLE);
  SS_CHECK_NEAR (result.violations.items[0].amount, 0.55, 1e-15); /* the way of a step without a velocity */
  SS_CHECK (strcmp (result.violations.items[0].body, "disc") == 0 && result.violations.items[0].k == 3);
  const SsViolation *last = &result.violations.items[result.violations.n - 1];
  SS_CHECK (result.violations.n == 3 && strcmp (last->contact, "ground") == 0 && last->k == 4);
  SS_CHECK_NEAR (last->amount, 0.05, 1e-15);
  SS_CHECK_CONTAINS (last->equation, "no overlap");
  ss_run_result_clear (&result);
  free (x);
  free (options);
  ss_scenario_free (plan);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (one_row_of_a_model);
  SS_RUN (lengths_agree);
  SS_RUN (a_force_at_a_distance);
  SS_RUN (broken_off);
  SS_RUN (runs);
  return ss_test_finish ();
}
