/* tests/unit/test-run.c: the registry and the outcome rules, with solvers whose claims are known to be right or
 * wrong. */
#include "run/ss-run.h"
#include "simulate/ss-past.h"
#include "tests/ss-test-scenario.h"

/* One variable x at two points; x0 = 1, x1 >= 2, and x1 (x1 - 2) complementary is left out: enough to be violated by a
 * chosen amount. */
static const char scenario_text[] =
    "{\"format\": 1, \"name\": \"planted\", \"parameters\": {\"N\": {\"value\": 2, \"integer\": true, \"minimum\": 2}, "
    "\"target\": 2},"
    " \"model\": {\"points\": \"N\", \"time_step\": 0.5, \"states\": [\"x\"], \"controls\": [],"
    "  \"constraints\": [{\"name\": \"start\", \"points\": 0, \"zero\": [\"x - 1\"]},"
    "   {\"name\": \"end\", \"points\": \"N-1\", \"nonnegative\": [\"x - target\"]}],"
    "  \"cost\": [{\"name\": \"size\", \"points\": \"all\", \"cost\": \"x^2\"}]},"
    " \"task\": {\"guess\": \"zeros\"}}";

static const SsOptionTable no_options = {0};

/* What the planted solver says and where it stands; one test at a time, so a static plan is enough. */
static struct {
  SsOutcome claim;
  double x[8];
  int n_new, n_solved;
} plan;

static SsStatus
planted_new (const SsMpcc *mpcc, const void *options, void **solver, SsError *err)
{
  (void)mpcc;
  (void)options;
  (void)err;
  plan.n_new++;
  *solver = &plan;
  return SS_OK;
}

static SsStatus
planted_solve (void *solver, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  (void)solver;
  (void)x0;
  (void)control;
  (void)err;
  plan.n_solved++;
  *result = (SsNlpResult){.outcome = plan.claim, .iterations = 3, .x = plan.x, .stationarity = NAN};
  snprintf (result->message, sizeof result->message, "planted");
  return SS_OK;
}

static void
planted_free (void *solver)
{
  (void)solver;
}

static SsNlpClass planted = {.name = "planted",
                             .label = "Planted",
                             .summary = "",
                             .version = "0",
                             .options = &no_options,
                             .new_ = planted_new,
                             .solve = planted_solve,
                             .free_ = planted_free};
static const SsMethod planted_method = {.kind = SS_METHOD_OPTIMISER,
                                        .name = "planted",
                                        .label = "Planted",
                                        .is_built = true,
                                        .options = &no_options,
                                        .nlp = &planted};

static SsScenario *
read_scenario (const SsOverride *overrides, int n)
{
  SsScenario *scenario = NULL;
  SsProblems problems;
  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (scenario_text, strlen (scenario_text), "planted", overrides, n, &problems, &scenario) ==
            SS_OK);
  ss_test_print_problems (&problems);
  ss_problems_clear (&problems);
  return scenario;
}

static SsOutcome
outcome_of (SsOutcome claim, double x0, double x1, const char *words)
{
  SsScenario *scenario = read_scenario (NULL, 0);
  SsJob job = ss_job (&planted_method, scenario, NULL);
  SsRunResult result;
  SsError err;
  plan.claim = claim;
  plan.x[0] = x0;
  plan.x[1] = x1;
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  SsOutcome outcome = result.outcome;
  SS_CHECK_CONTAINS (result.message, words);
  SS_CHECK (ss_run_motion (&result) != NULL && ss_run_motion (&result)->n_rows == 2);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
  return outcome;
}

/* Claims and the violations that decide: 1e-6 and 1e-3 are SS_RUN_FEASIBLE and SS_RUN_NEARLY. */
static void
test_outcomes (void)
{
  SS_CHECK (outcome_of (SS_OUTCOME_SOLVED, 1, 2, "below 1.0e-06; planted") == SS_OUTCOME_SOLVED);
  SS_CHECK (outcome_of (SS_OUTCOME_SOLVED, 1, 2 - 9e-7, "max violation 9.0e-07 below") == SS_OUTCOME_SOLVED);
  SS_CHECK (outcome_of (SS_OUTCOME_SOLVED, 1, 2 - 2e-6, "claims success") == SS_OUTCOME_STALLED);
  SS_CHECK (outcome_of (SS_OUTCOME_SOLVED, 1.5, 2, "model.constraints[0].zero[0]") == SS_OUTCOME_INFEASIBLE);
  SS_CHECK (outcome_of (SS_OUTCOME_SOLVED, 1, NAN, "not finite") == SS_OUTCOME_DIVERGED);
  /* A method that does not claim success keeps its word, however good the point is. */
  SS_CHECK (outcome_of (SS_OUTCOME_MAX_ITERATIONS, 1, 2, "below") == SS_OUTCOME_MAX_ITERATIONS);
  SS_CHECK (outcome_of (SS_OUTCOME_CANCELLED, 1, NAN, "") == SS_OUTCOME_CANCELLED);
}

static void
run_with (SsSolveCache *cache, double n, double target, bool reused, int n_new)
{
  const SsOverride overrides[] = {{"N", n}, {"target", target}};
  SsScenario *scenario = read_scenario (overrides, 2);
  SsJob job = ss_job (&planted_method, scenario, NULL);
  job.solve.cache = cache;
  SsRunResult result;
  plan.claim = SS_OUTCOME_SOLVED;
  for (int i = 0; i < 8; i++)
    plan.x[i] = 1 + (target - 1) * i / (n - 1);
  SS_CHECK (ss_run (&job, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK ((ss_metric_get (&result.metrics, SS_METRIC_SETUP_REUSED) == 1) == reused);
  SS_CHECK (plan.n_new == n_new);
  /* The metrics see the parameters of this run, not of the one that made the problem. */
  const SsTrajectory *motion = ss_run_motion (&result);
  SS_CHECK_NEAR (ss_trajectory_row (motion, motion->n_rows - 1)[1], target, 1e-15);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

static void
test_cache (void)
{
  SsSolveCache *cache = ss_solve_cache_new ();
  plan.n_new = 0;
  run_with (cache, 2, 2, false, 1);
  run_with (cache, 2, 2, true, 1);  /* same numbers: the solver too                             */
  run_with (cache, 2, 3, true, 1);  /* other numbers too, as long as the method looks at none   */
  run_with (cache, 4, 3, false, 2); /* other size: nothing                                      */
  planted.keeps_numbers = true;
  run_with (cache, 4, 3, true, 2);
  run_with (cache, 4, 2, true, 3); /* other numbers: the problem only */
  planted.keeps_numbers = false;
  ss_solve_cache_free (cache);
  ss_solve_cache_free (NULL);
}

/* A payload on a cart, six points: the answer for a start, with a problem and solver of its own or those kept from
 * another start. */
static void
run_transport (const SsMethod *m, SsSolveCache *cache, double start, double mass, SsTrajectory **answer)
{
  const SsOverride overrides[] = {{"N", 6}, {"x10", start}, {"m1", mass}, {"v10", 0}, {"v20", 0}};
  SsScenario *scenario = ss_test_read_file ("examples/crisp/transport.stickslip.json", overrides, 5);
  SsRunResult result;
  void *options = ss_alloc (1, m->options->size);
  ss_options_init (m->options, options);
  SsJob job = ss_job (m, scenario, options);
  job.solve.cache = cache;
  SS_CHECK (ss_run (&job, NULL, &result, NULL) == SS_OK);
  *answer = ss_run_take_motion (&result);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
  ss_free (options);
}

/* What is kept never changes an answer: the same bits. */
static void
test_cache_keeps_answers (void)
{
  static const char *const names[] = {"crisp", "ipopt", "scholtes"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const SsMethod *m = ss_method_find (SS_METHOD_OPTIMISER, names[i], NULL);
    SsTrajectory *first, *kept, *fresh;
    if (m == NULL || !m->is_built)
      continue;
    SsSolveCache *cache = ss_solve_cache_new ();
    run_transport (m, cache, 3.2, 1, &first);
    run_transport (m, cache, 2.9, 1.3, &kept);
    run_transport (m, NULL, 2.9, 1.3, &fresh);
    SS_CHECK (first != NULL && kept != NULL && fresh != NULL && kept->n_rows == 6);
    for (int k = 0; k < kept->n_rows; k++)
      SS_CHECK (memcmp (ss_trajectory_row (kept, k), ss_trajectory_row (fresh, k),
                        (size_t)kept->n_channels * sizeof (double)) == 0);
    ss_trajectory_free (first);
    ss_trajectory_free (kept);
    ss_trajectory_free (fresh);
    ss_solve_cache_free (cache);
  }
}

static void
test_from_iterate (void)
{
  SsScenario *scenario = read_scenario (NULL, 0);
  SsJob job = ss_job (&planted_method, scenario, NULL);
  const double x[] = {1, 5};
  SsRunResult result;
  SS_CHECK (ss_run_result_from_iterate (&job, SS_OUTCOME_CANCELLED, 7, x, 2, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_CANCELLED);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_ITERATIONS) == 7);
  SS_CHECK_NEAR (ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE), 26, 1e-13);
  ss_run_result_clear (&result);
  SS_CHECK (ss_run_result_from_iterate (&job, SS_OUTCOME_TIME_LIMIT, 0, NULL, 0, NULL, &result, NULL) == SS_OK);
  SS_CHECK_CONTAINS (result.message, "time limit reached before the first iterate");
  SS_CHECK (isnan (ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE)) && ss_run_motion (&result) == NULL);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* Optimisers that verify their answer say why they did not. */
static void
test_certificate_of_an_ended_run (void)
{
  SsScenario *scenario = read_scenario (NULL, 0);
  SsJob job = ss_job (ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL), scenario, NULL);
  SsRunResult result;

  SS_CHECK (ss_run_result_from_iterate (&job, SS_OUTCOME_TIME_LIMIT, 0, NULL, 0, NULL, &result, NULL) == SS_OK);
  SS_CHECK (!result.certificate.is_computed);
  SS_CHECK_STR (result.certificate.text, "not computed: the run was ended inside an iteration");
  ss_run_result_clear (&result);
  job = ss_job (&planted_method, scenario, NULL); /* has none */
  SS_CHECK (ss_run_result_from_iterate (&job, SS_OUTCOME_TIME_LIMIT, 0, NULL, 0, NULL, &result, NULL) == SS_OK);
  SS_CHECK_STR (result.certificate.text, "");
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* A simulation that is ended inside a step knows what its rows say, however little time its judge had: 20000 rows of
 * discs that roll take longer than that, and a quarter of them where sanitizers slow it down. */
static void
test_simulation_ended_inside_a_step (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"discs\", \"scene\": {\"friction\": 0.5, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"for\": \"i\", \"from\": 1, \"to\": 12, \"rows\": [{\"name\": \"d{i}\", \"mass\": 1,"
      " \"position\": [\"{i}\", 0.099], \"velocity\": [1, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]}]}}";
  SsScenario *scenario = ss_test_read_text (text);
  SsJob job = ss_job (ss_method_find (SS_METHOD_INTEGRATOR, "semi-implicit-euler", NULL), scenario, NULL);
  SsTrajectory *frames = NULL;
  SsRunResult result;

  job.simulate.dt = 1e-4;
  job.simulate.t_end = ss_test_is_coarse () ? 0.5 : 2;
  SS_CHECK (ss_run (&job, NULL, &result, NULL) == SS_OK);
  frames = ss_run_take_motion (&result);
  const int n_steps = frames->n_rows - 1;
  const SsMetricSet whole = result.metrics;
  ss_run_result_clear (&result);
  SS_CHECK (ss_run_result_from_iterate (&job, SS_OUTCOME_TIME_LIMIT, n_steps, NULL, 0, &frames, &result, NULL) ==
            SS_OK);
  const SsMetric same[] = {SS_METRIC_ENERGY_INITIAL, SS_METRIC_ENERGY_FINAL, SS_METRIC_MAX_PENETRATION,
                           SS_METRIC_MAX_RESIDUAL, SS_METRIC_STEPS};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    SS_CHECK_NEAR (ss_metric_get (&result.metrics, same[i]), ss_metric_get (&whole, same[i]), 1e-12);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* A box of 2 kg that slides at 4 m/s; `more` are bodies behind it, each with a comma before. */
static SsScenario *
read_sliding (double mu, const char *name, const char *more)
{
  char text[1024];
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"sliding\", \"scene\": {\"gravity\": [0, -10], \"friction\": %g, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"%s\", \"mass\": 2, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.2}, "
            "\"position\": [0, 0.1], \"velocity\": [4, 0]}%s]}}",
            mu, name, more);
  return ss_test_read_text (text);
}

static void
check_no_past (const SsJob *job, SsScenario *scenario, const char *words)
{
  SsJob other = *job;
  SsRunResult result;
  SsError err = {0};
  other.simulate.scenario = scenario;
  SS_CHECK (ss_run (&other, NULL, &result, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, words);
  ss_scenario_free (scenario);
}

/* What contacts took, as the frames told it. */
typedef struct {
  int channel, n;
  double first, last; /* [J] */
} TakenInFrames;

static void
note_taken (void *user_data, const SsProgress *progress)
{
  TakenInFrames *taken = user_data;

  if (progress->kind != SS_PROGRESS_FRAME)
    return;
  taken->last = progress->values[taken->channel];
  if (taken->n++ == 0)
    taken->first = taken->last;
}

/* Gone on with another friction: what was before stays, bit by bit, and what comes is judged by the scene as it is. */
static void
test_simulation_goes_on (void)
{
  SsScenario *before = read_sliding (0.3, "box", ""), *after = read_sliding (0.1, "box", "");
  SsJob job = ss_job (ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL), before, NULL);
  SsRunResult first, second;
  SsError err;

  job.simulate.dt = 0.01;
  job.simulate.t_end = 1;
  SS_CHECK (ss_run (&job, NULL, &first, NULL) == SS_OK);
  const SsTrajectory *past = ss_run_motion (&first);
  job.simulate.scenario = after;
  job.simulate.past = past;
  check_no_past (&job, read_sliding (0.1, "box", ""), "the motion so far ends at t = 1 s, and the horizon at 1 s");
  job.simulate.t_end = 1.5;
  TakenInFrames taken = {.channel = ss_trajectory_channel (past, "energy.dissipated")};
  SsRunControl control;
  ss_run_control_init (&control);
  control.progress = note_taken;
  control.user_data = &taken;
  SS_CHECK (ss_run (&job, &control, &second, &err) == SS_OK && second.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK (taken.n == 51);
  SS_CHECK_NEAR (taken.first, 15, 1e-10); /* of 16 J, 1 J is left after the first second */
  SS_CHECK_NEAR (taken.last, 15.75, 1e-10);
  const SsTrajectory *whole = ss_run_motion (&second);
  const size_t n = (size_t)past->n_rows * (size_t)past->n_channels;
  SS_CHECK (whole->n_channels == past->n_channels && whole->n_rows == past->n_rows + 51);
  SS_CHECK (memcmp (whole->values, past->values, n * sizeof *past->values) == 0);
  /* 4 m/s, less 3 m/s in the first second, less 0.5 m/s in half of one */
  const int v = ss_trajectory_channel (whole, "box.vx"), lost = ss_trajectory_channel (whole, "energy.dissipated");
  SS_CHECK_NEAR (ss_trajectory_row (whole, past->n_rows)[0], 1, 1e-15);
  SS_CHECK_NEAR (ss_trajectory_row (whole, past->n_rows)[v], 1, 1e-12);
  SS_CHECK_NEAR (ss_trajectory_row (whole, whole->n_rows - 1)[v], 0.5, 1e-12);
  SS_CHECK_NEAR (ss_trajectory_row (whole, whole->n_rows - 1)[lost], 16 - 0.25, 1e-10); /* of all [J] */
  SS_CHECK (ss_metric_get (&second.metrics, SS_METRIC_STEPS) == 50);
  SS_CHECK (ss_metric_get (&second.metrics, SS_METRIC_MAX_CONE_VIOLATION) < 1e-12); /* the past's would be .04 N s */
  SS_CHECK_NEAR (ss_metric_get (&second.metrics, SS_METRIC_ENERGY_INITIAL), 1 + 2, 1e-12);
  SS_CHECK_CONTAINS (second.message, "on from t = 1 s");
  /* What is no state of the scene. */
  check_no_past (&job, read_sliding (0.1, "block", ""), "box is gone");
  check_no_past (&job,
                 read_sliding (0.1, "box",
                               ", {\"name\": \"disc\", \"mass\": 1, \"position\": [3, 1], \"shape\": "
                               "{\"type\": \"circle\", \"radius\": 0.1}}"),
                 "disc is new");
  ss_run_result_clear (&second);
  ss_run_result_clear (&first);
  ss_scenario_free (after);
  ss_scenario_free (before);
}

static void
count_overlaps (void *user_data, const SsProgress *progress)
{
  *(int *)user_data +=
      progress->kind == SS_PROGRESS_LOG && progress->level == SS_LOG_WARNING && strstr (progress->text, "overlap by");
}

/* Gone on while a contact spring is pressed: what it gives back came from before, not from nothing. It ends where the
 * motion does that was not interrupted. */
static void
test_goes_on_from_a_pressed_contact (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/classics/hunt-crossley.stickslip.json", NULL, 0);
  SsJob job = ss_job (ss_method_find (SS_METHOD_INTEGRATOR, "implicit-euler", NULL), scenario, NULL);
  SsRunResult all, first, second;

  job.simulate.t_end = 0.1;
  SS_CHECK (ss_run (&job, NULL, &all, NULL) == SS_OK);
  job.simulate.t_end = 0.0256; /* 14 mm deep */
  SS_CHECK (ss_run (&job, NULL, &first, NULL) == SS_OK);
  job.simulate.t_end = 0.1;
  job.simulate.past = ss_run_motion (&first);
  SsRunControl control;
  int n_overlaps = 0;
  ss_run_control_init (&control);
  control.progress = count_overlaps;
  control.user_data = &n_overlaps;
  SS_CHECK (ss_run (&job, &control, &second, NULL) == SS_OK);
  SS_CHECK (n_overlaps == 0); /* the motion ended so */
  SsRunResult raised;
  for (int i = 0; i < scenario->scene->n_bodies; i++)
    if (scenario->scene->bodies[i].is_fixed)
      ((SsBody *)scenario->scene->bodies)[i].q[1] += 0.002; /* the plate was moved up meanwhile */
  SS_CHECK (ss_run (&job, &control, &raised, NULL) == SS_OK && n_overlaps == 1);
  ss_run_result_clear (&raised);
  /* by a law that knows no springs an overlap is a fault of the start, whatever it was before */
  SsJob rigid = ss_job (ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL), scenario, NULL);
  rigid.simulate.t_end = 0.026;
  rigid.simulate.past = job.simulate.past;
  SS_CHECK (ss_run (&rigid, &control, &raised, NULL) == SS_OK && n_overlaps == 2);
  ss_run_result_clear (&raised);
  SS_CHECK (all.outcome == SS_OUTCOME_COMPLETED && second.outcome == SS_OUTCOME_COMPLETED);
  const SsTrajectory *whole = ss_run_motion (&all), *joined = ss_run_motion (&second);
  SS_CHECK (ss_trajectory_row (joined, joined->n_rows - 1)[0] == 0.1 && joined->n_rows == whole->n_rows + 1);
  for (int c = 0; c < whole->n_channels; c++) /* times of steps differ by roundings, and forces with them */
    if (whole->channels[c].owner == SS_OWNER_BODY)
      SS_CHECK_NEAR (ss_trajectory_row (joined, joined->n_rows - 1)[c], ss_trajectory_row (whole, whole->n_rows - 1)[c],
                     1e-9);
  ss_run_result_clear (&second);
  ss_run_result_clear (&first);
  ss_run_result_clear (&all);
  ss_scenario_free (scenario);
}

/* A box that turns, comes down, bounces and slides; `mu` between it and the floor. */
static SsScenario *
read_bouncing (double mu)
{
  char text[1024];
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"bouncing\", \"scene\": {\"gravity\": [0, -10], \"friction\": %g, "
            "\"restitution\": 0.5, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"box\", \"mass\": 2, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.2}, "
            "\"position\": [0, 0.4], \"angle\": 0.2, \"velocity\": [4, 0]}]}}",
            mu);
  return ss_test_read_text (text);
}

static void
count_warnings (void *user_data, const SsProgress *progress)
{
  int *n = user_data;
  *n += progress->kind == SS_PROGRESS_LOG && progress->level == SS_LOG_WARNING &&
        strstr (progress->text, "before t = 0.4 s is not known") != NULL;
}

/* What happened is that of the whole motion, and what was before stays what it was, whatever the scene is now. */
static void
check_events_go_on (const char *method)
{
  SsScenario *scenario = read_bouncing (0.3), *slippery = read_bouncing (0);
  SsJob job = ss_job (ss_method_find (SS_METHOD_INTEGRATOR, method, NULL), scenario, NULL);
  SsRunResult whole, first, second;
  SsRunControl control;
  int n_before = 0, n_warnings = 0;

  job.simulate.dt = 0.01;
  job.simulate.t_end = 0.8;
  SS_CHECK (ss_run (&job, NULL, &whole, NULL) == SS_OK);
  job.simulate.t_end = 0.4;
  SS_CHECK (ss_run (&job, NULL, &first, NULL) == SS_OK);
  job.simulate.t_end = 0.8;
  job.simulate.past = ss_run_motion (&first);
  job.simulate.past_events = first.events;
  SS_CHECK (ss_run (&job, NULL, &second, NULL) == SS_OK);
  SS_CHECK (second.events->n_items == whole.events->n_items);
  for (int i = 0; i < whole.events->n_items && i < second.events->n_items; i++) {
    const SsEvent *a = &whole.events->items[i], *b = &second.events->items[i];
    SS_CHECK (a->kind == b->kind && a->subject == b->subject && a->point == b->point && a->is_exact == b->is_exact);
    SS_CHECK_NEAR (b->t, a->t, 1e-9);
    n_before += a->t <= 0.4;
  }
  SS_CHECK (n_before > 0 && n_before < whole.events->n_items && n_before == first.events->n_items);
  ss_run_result_clear (&second);
  job.simulate.scenario = slippery;
  SS_CHECK (ss_run (&job, NULL, &second, NULL) == SS_OK);
  for (int i = 0; i < n_before && i < second.events->n_items; i++)
    SS_CHECK (memcmp (&second.events->items[i], &first.events->items[i], sizeof (SsEvent)) == 0);
  SS_CHECK (second.events->n_items > n_before && second.events->items[n_before].t >= 0.4);
  ss_run_result_clear (&second);
  ss_run_control_init (&control);
  control.progress = count_warnings;
  control.user_data = &n_warnings;
  job.simulate.past_events = NULL;
  SS_CHECK (ss_run (&job, &control, &second, NULL) == SS_OK);
  SS_CHECK (n_warnings == 1 && second.events->n_items > 0 && second.events->items[0].t >= 0.4);
  ss_run_result_clear (&second);
  ss_run_result_clear (&first);
  ss_run_result_clear (&whole);
  ss_scenario_free (slippery);
  ss_scenario_free (scenario);
}

static void
test_events_go_on (void)
{
  check_events_go_on ("event-driven");
  check_events_go_on ("stewart-trinkle");
}

/* What a simulation cannot go on with is known before it begins. */
static void
test_check_past (void)
{
  SsScenario *scenario = read_sliding (0.3, "box", "");
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL);
  void *options = ss_new_array (char, (int)method->options->size);
  const char *const number = "mu";
  SsRunResult first;
  SsError err;

  ss_options_init (method->options, options);
  SsJob job = ss_job (method, scenario, options);
  job.simulate.dt = 0.01;
  job.simulate.t_end = 0.1;
  SS_CHECK (ss_run (&job, NULL, &first, NULL) == SS_OK);
  job.simulate.past = ss_run_motion (&first);
  SS_CHECK (ss_run_check_past (&job.simulate, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "and the horizon at 0.1 s");
  job.simulate.t_end = 0.2;
  SS_CHECK (ss_run_check_past (&job.simulate, &err) == SS_OK);
  SS_CHECK (ss_options_set (method->options, options, "certainty", "branches", &err) == SS_OK);
  SS_CHECK (ss_run_check_past (&job.simulate, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "a fan begins with its scene");
  job.simulate.sensitivity = &number;
  job.simulate.n_sensitivity = 1;
  SS_CHECK (ss_run_check_past (&job.simulate, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "derivatives are followed from the start on");
  job.simulate.plan = job.simulate.past;
  SS_CHECK (ss_run_check_past (&job.simulate, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "a replay follows its plan");
  ss_run_result_clear (&first);
  ss_free (options);
  ss_scenario_free (scenario);
}

/* A state that the scene says otherwise, and channels that the past has not. */
static void
test_past_of_a_changed_scene (void)
{
  SsScenario *scenario = read_sliding (0.3, "box", "");
  SsScene scene = *scenario->scene;
  SsBody bodies[2] = {scene.bodies[0], scene.bodies[1]};
  SsJob job = ss_job (ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL), scenario, NULL);
  SsRunResult result;
  SsTrajectory *poses, *rows;
  SsPast *past;

  job.simulate.dt = 0.01;
  job.simulate.t_end = 0.1;
  SS_CHECK (ss_run (&job, NULL, &result, NULL) == SS_OK);
  const SsTrajectory *motion = ss_run_motion (&result);
  const double x = ss_trajectory_row (motion, motion->n_rows - 1)[ss_trajectory_channel (motion, "box.x")];
  SS_CHECK (x > 0.3);
  scene.bodies = bodies;
  SS_CHECK (ss_past_new (&scene, motion, &past, NULL) == SS_OK);
  SS_CHECK (!ss_past_overrules_start (past, 0) && !ss_past_overrules_start (past, 1));
  ss_past_free (past);
  /* What moved stays where it is fixed, a floor that never did is where the scene says. */
  bodies[1].is_fixed = true;
  bodies[0].q[1] = -1;
  SS_CHECK (ss_past_new (&scene, motion, &past, NULL) == SS_OK);
  SS_CHECK (ss_past_scene (past)->bodies[1].q[0] == x && ss_past_scene (past)->bodies[1].v[0] == 0);
  SS_CHECK (ss_past_scene (past)->bodies[0].q[1] == -1);
  SS_CHECK (!ss_past_overrules_start (past, 0) && !ss_past_overrules_start (past, 1));
  ss_past_free (past);
  /* What is locked moves on from where it is, as fast as the scene says, whose start elsewhere has no effect. */
  bodies[1].is_fixed = false;
  bodies[1].lock[0] = true;
  bodies[1].v[0] = 7;
  SS_CHECK (ss_past_new (&scene, motion, &past, NULL) == SS_OK);
  SS_CHECK (ss_past_scene (past)->bodies[1].q[0] == x && ss_past_scene (past)->bodies[1].v[0] == 7);
  SS_CHECK (!ss_past_overrules_start (past, 1));
  ss_past_free (past);
  bodies[1].q[0] = 5;
  SS_CHECK (ss_past_new (&scene, motion, &past, NULL) == SS_OK);
  SS_CHECK (ss_past_scene (past)->bodies[1].q[0] == x && ss_past_overrules_start (past, 1));
  ss_past_free (past);
  /* Each pose and each velocity that is the scene's own is one, by more than 1e-9; of a locked one the pose alone. */
  for (int k = 0; k < 6; k++)
    for (int by = 0; by < 3; by++) {
      bodies[1] = scenario->scene->bodies[1];
      bodies[1].lock[k % 3] = by == 2;
      *(k < 3 ? &bodies[1].q[k] : &bodies[1].v[k - 3]) += by == 0 ? 1e-10 : 1e-6;
      SS_CHECK (ss_past_new (&scene, motion, &past, NULL) == SS_OK);
      SS_CHECK (ss_past_overrules_start (past, 1) == (by == 1 || (by == 2 && k < 3)));
      SS_CHECK (!ss_past_overrules_start (past, 0));
      ss_past_free (past);
    }
  bodies[1] = scenario->scene->bodies[1];
  bodies[1].v[0] = 3;
  bodies[0].q[1] = 0;
  /* The past without contacts in channels of the motion and a clock. */
  SsChannel channels[64];
  int n = 0;
  for (int c = 0; c < motion->n_channels; c++)
    if (motion->channels[c].owner == SS_OWNER_BODY || c == 0)
      channels[n++] = motion->channels[c];
  SS_CHECK (ss_trajectory_new (channels, n, 2, &poses, NULL) == SS_OK);
  double row[64] = {0};
  row[0] = 0.25;
  row[ss_trajectory_channel (poses, "box.y")] = 0.1 + 0.5;
  SS_CHECK (ss_trajectory_append (poses, row, NULL) == SS_OK);
  SS_CHECK (ss_past_new (&scene, poses, &past, NULL) == SS_OK && ss_past_overrules_start (past, 1));
  n = motion->n_channels;
  SS_CHECK (n < 64);
  for (int c = 0; c < n; c++)
    channels[c] = motion->channels[c];
  channels[n++] = ss_channel_of_clock (SS_QUANTITY_NUMERICAL_TIME);
  SsTrajectory *like;
  SS_CHECK (ss_trajectory_new (channels, n, 0, &like, NULL) == SS_OK);
  SS_CHECK (ss_past_rows (past, like, &rows, NULL) == SS_OK && rows->n_rows == 1);
  const double *values = ss_trajectory_row (rows, 0);
  SS_CHECK (values[n - 1] == 0.25);
  int n_gaps = 0;
  for (int c = 0; c < n; c++)
    if (like->channels[c].quantity == SS_QUANTITY_GAP) {
      SS_CHECK_NEAR (values[c], 0.5, 1e-12);
      n_gaps++;
    }
  SS_CHECK (n_gaps == 1);
  ss_trajectory_free (rows);
  ss_trajectory_free (like);
  ss_past_free (past);
  ss_trajectory_free (poses);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

static void
test_registry (void)
{
  SsError err;
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *m = ss_method_at (i);
    SS_CHECK (ss_method_find (m->kind, m->name, &err) == m);
    SS_CHECK (m->label[0] != '\0' && m->summary[0] != '\0' && m->options != NULL);
    SS_CHECK (m->solves != NULL && (m->solves[0] != '\0') == (m->integrator != NULL || m->law != NULL));
    SS_CHECK (m->is_built == (m->why_not == NULL));
    for (int k = 0; k < m->options->n_specs; k++) {
      const SsOptionSpec *o = &m->options->specs[k];
      SS_CHECK (o->type == SS_OPTION_BOOLEAN || o->type == SS_OPTION_CHOICE ||
                (o->minimum <= o->fallback && o->fallback <= o->maximum));
      SS_CHECK (o->offset < m->options->size && o->summary != NULL && o->summary[0] != '\0');
    }
  }
  SS_CHECK (ss_method_find (SS_METHOD_OPTIMISER, "crips", &err) == NULL);
  SS_CHECK_CONTAINS (err.message, "did you mean 'crisp'?");
  SS_CHECK (ss_method_find (SS_METHOD_OPTIMISER, "stewart-trinkle", &err) == NULL);
  SS_CHECK_CONTAINS (err.message, "is an integrator");
  /* The same name may be an integrator and an impact law. */
  SS_CHECK (ss_method_find (SS_METHOD_IMPACT_LAW, "anitescu-potra", &err) !=
            ss_method_find (SS_METHOD_INTEGRATOR, "anitescu-potra", &err));
}

static void
test_kinds (void)
{
  for (int kind = 0; kind < SS_METHOD_KIND_COUNT; kind++) {
    int n_defaults = 0;
    for (int i = 0; i < ss_method_count (); i++) {
      const SsMethod *m = ss_method_at (i);
      SS_CHECK (ss_method_lookup (ss_method_id (m)) == m);
      n_defaults += (int)m->kind == kind && m->is_default;
      SS_CHECK (!m->is_default || m->is_built);
    }
    SS_CHECK (n_defaults == 1);
    SS_CHECK (ss_method_kind_of_verb (ss_method_kind_spec ((SsMethodKind)kind)->verb) == (SsMethodKind)kind);
  }
  SS_CHECK (ss_method_kind_of_verb ("replay") == SS_METHOD_KIND_COUNT);
  /* Methods of one kind that are drawn beside each other do not share a number. */
  for (int i = 0; i < ss_method_count (); i++)
    for (int k = 0; k < i; k++)
      SS_CHECK (ss_method_at (i)->look != ss_method_at (k)->look);
  SS_CHECK (ss_method_find_either (SS_METHOD_INTEGRATOR, SS_METHOD_OPTIMISER, "crisp", NULL)->kind ==
            SS_METHOD_OPTIMISER);
}

/* The `methods` section of a file says `anitescu-potra`, which two kinds share. */
static void
check_section (const char *method_name, const char *option, const char *value, const char *words)
{
  char text[1024];
  SsProblems problems;
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"shared\", \"scene\": {\"bodies\": [{\"name\": \"a\", \"mass\": 1, "
            "\"shape\": {\"type\": \"circle\", \"radius\": 1}}]}, \"task\": {\"t_end\": 1, \"dt\": 0.1}, "
            "\"methods\": {\"%s\": {\"%s\": %s}}}",
            method_name, option, value);
  SsScenario *scenario = ss_test_read_text (text);
  ss_problems_init (&problems);
  SS_CHECK (scenario != NULL && scenario->n_method_defaults == 1);
  if (scenario != NULL)
    SS_CHECK ((ss_method_check_defaults (scenario, &problems) == SS_OK) == (words == NULL));
  SS_CHECK (problems.n_items == (words != NULL));
  if (words != NULL && problems.n_items > 0)
    SS_CHECK_CONTAINS (problems.items[0].message, words);
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
}

static void
test_section_of_two_kinds (void)
{
  const SsMethod *shared = ss_method_find (SS_METHOD_INTEGRATOR, "anitescu-potra", NULL);
  SS_CHECK (shared != NULL && shared->is_built);
  SS_CHECK (ss_method_find (SS_METHOD_IMPACT_LAW, "anitescu-potra", NULL) != NULL);
  check_section ("anitescu-potra", "no-such-option", "1", "of the integrator: unknown option");
  check_section ("moreau-jean", "no-such-option", "1", "unknown option");
  if (shared != NULL && shared->options->n_specs > 0) {
    check_section ("anitescu-potra", shared->options->specs[0].name, "\"not a value\"", "of the integrator: ");
  }
  check_section ("time-freezing", "anything", "1", "unknown option");
  check_section ("newton", "anything", "1", "unknown option");
  check_section ("sequential", "order", "\"A,B\"", NULL);
  check_section ("no-such-method", "x", "1", "no method named");
}

/* A block of 1 by 2 m that comes down flat: both corners strike at once (002 Fig. 1). */
static const char block_text[] =
    "{\"format\": 1, \"name\": \"block\", \"scene\": {\"friction\": 1, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"block\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 2},"
    " \"position\": [0, 1], \"velocity\": [0, -1]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.1}}";

static SsRunResult
run_law (const SsScenario *scenario, const char *name, const char *option, const char *value)
{
  const SsMethod *law = ss_method_find (SS_METHOD_IMPACT_LAW, name, NULL);
  SsRunResult result;
  SsError err = {0};
  void *options = ss_alloc (1, law->options->size);

  ss_method_init_options (law, scenario, options);
  if (option != NULL)
    SS_CHECK (ss_options_set (law->options, options, option, value, &err) == SS_OK);
  const SsJob job = ss_job (law, scenario, options);
  if (ss_run (&job, NULL, &result, &err) != SS_OK)
    printf ("%s: %s\n", name, err.message);
  ss_free (options);
  return result;
}

/* The record of each law: table, motions, shares. The block is at rest when both corners strike at once; a single one
 * turns it, and the other then lifts with 0.21 of the speed. */
static void
test_impact_laws (void)
{
  SsScenario *scenario = ss_test_read_text (block_text);
  SsRunResult result = run_law (scenario, "anitescu-potra", NULL, NULL);

  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED && result.samples != NULL && result.samples->n_rows == 1);
  SS_CHECK_STR (result.samples->columns[0], "vn_floor-block.1");
  SS_CHECK_STR (result.samples->columns[5], "share");
  SS_CHECK_NEAR (ss_metric_get (&result.metrics, SS_METRIC_KINETIC_ENERGY_BEFORE), 0.5, 1e-15);
  SS_CHECK_NEAR (ss_metric_get (&result.metrics, SS_METRIC_KINETIC_ENERGY_MAX), 0, 1e-15);
  const SsTrajectory *motion = ss_run_motion (&result);
  const int vy = motion != NULL ? ss_trajectory_channel (motion, "block.vy") : -1;
  SS_CHECK (vy > 0 && motion->n_rows == 2);
  if (vy > 0) {
    SS_CHECK_NEAR (ss_trajectory_row (motion, 0)[vy], -1, 0);
    SS_CHECK_NEAR (ss_trajectory_row (motion, 1)[vy], 0, 1e-15);
  }
  ss_run_result_clear (&result);

  result = run_law (scenario, "sequential", "all", "on");
  SS_CHECK (result.n_motions == 2 && result.samples->n_rows == 2);
  for (int k = 0; k < result.n_motions; k++) {
    SS_CHECK (result.motions[k].role == SS_MOTION_BRANCH && result.motions[k].branch == k + 1);
    SS_CHECK_NEAR (result.motions[k].share, 0.5, 1e-15);
    SS_CHECK_NEAR (result.samples->values[6 * k + 2 * (k == 1)], 0.21, 1e-12);
  }
  ss_run_result_clear (&result);

  result = run_law (scenario, "set-valued", "samples", "1000");
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED && result.samples->n_rows == 1000);
  SS_CHECK (result.samples->n_columns == 7);
  SS_CHECK_NEAR (ss_metric_get (&result.metrics, SS_METRIC_SAMPLES), 1000, 0);
  SS_CHECK_NEAR (ss_metric_get (&result.metrics, SS_METRIC_FINISHED_FRACTION), 1, 0);
  SS_CHECK (isnan (ss_metric_get (&result.metrics, SS_METRIC_AMBIGUOUS_FRACTION)));
  ss_run_result_clear (&result);

  result = run_law (scenario, "sequential", "order", "floor-block.2,floor-block.3");
  SS_CHECK (result.outcome == SS_OUTCOME_FAILED && result.samples == NULL && result.impact == NULL);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

static void
test_refusals (void)
{
  SsScenario *scenario = read_scenario (NULL, 0);
  SsRunResult result;
  SsError err;
  SsJob job = ss_job (ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL), scenario, NULL);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_ERR_INVALID);
  job = ss_job (ss_method_find (SS_METHOD_IMPACT_LAW, "newton", NULL), scenario, NULL);
  SS_CHECK (job.method->is_built || ss_run (&job, NULL, &result, &err) == SS_ERR_NOT_BUILT);
  /* Cancelled before anything was built: an outcome, no error. */
  SsRunControl control;
  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  job = ss_job (&planted_method, scenario, NULL);
  SS_CHECK (ss_run (&job, &control, &result, &err) == SS_OK && result.outcome == SS_OUTCOME_CANCELLED);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_outcomes);
  SS_RUN (test_cache);
  SS_RUN (test_cache_keeps_answers);
  SS_RUN (test_from_iterate);
  SS_RUN (test_certificate_of_an_ended_run);
  SS_RUN (test_simulation_ended_inside_a_step);
  SS_RUN (test_simulation_goes_on);
  SS_RUN (test_goes_on_from_a_pressed_contact);
  SS_RUN (test_events_go_on);
  SS_RUN (test_check_past);
  SS_RUN (test_past_of_a_changed_scene);
  SS_RUN (test_registry);
  SS_RUN (test_kinds);
  SS_RUN (test_section_of_two_kinds);
  SS_RUN (test_impact_laws);
  SS_RUN (test_refusals);
  return ss_test_finish ();
}
