/* tests/numeric/test-transcript.c: plans that take other numbers: a kept set-up gives the bits of a fresh one, whatever
 * parameter changes, and is not used where a number decides on the structure.
 *
 * A fresh transcription at the new values is the reference: it shares nothing with the one that was filled. Bits are
 * compared: both have the same formulas, and their numbers are read by the same reader. */
#include "core/ss-memory.h"
#include "mpcc/ss-problem.h"
#include "run/ss-run.h"
#include "ss-test-scenario.h"

#include <stdlib.h>

static const char *const names[] = {"ball-into-bucket", "cart-pole-walls", "discs-around-obstacle", "finger-drag",
                                    "flip-block",       "hopper-leg",      "push-box-with-disc"};
enum { N_PLANS = sizeof names / sizeof *names };

static SsScenario *
read_text (const char *text, const SsOverride *overrides, int n)
{
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, strlen (text), "test", overrides, n, &problems, &scenario) == SS_OK);
  ss_test_print_problems (&problems);
  ss_problems_clear (&problems);
  return scenario;
}

static bool
is_same (const double *a, const double *b, int n)
{
  return memcmp (a, b, (size_t)n * sizeof *a) == 0;
}

/* ---- the problem ------------------------------------------------------------------------------------------------- */

/* Everything that a solver may ask of a model at a point without symmetry. */
typedef struct {
  SsMpcc *mpcc;
  int n, n_rows, n_jacobian, n_hessian;
  double *x, *guess, *gradient, *rows, *jacobian, *hessian;
  double objective;
} Values;

static void
values_clear (Values *v)
{
  ss_mpcc_free (v->mpcc);
  free (v->x);
  free (v->guess);
  free (v->gradient);
  free (v->rows);
  free (v->jacobian);
  free (v->hessian);
}

static double *
doubles (int n)
{
  return calloc ((size_t)n + 1, sizeof (double));
}

static Values
evaluate (const SsScenario *model)
{
  Values v = {.mpcc = NULL};
  SsMpccEval *eval = NULL;
  SsError err = {0};

  SS_CHECK (ss_problem_build (model, &v.mpcc, &err) == SS_OK && ss_mpcc_eval_new (v.mpcc, &eval, &err) == SS_OK);
  if (eval == NULL)
    exit (1);
  const SsPattern *hessian = ss_mpcc_lagrangian_hessian_pattern (v.mpcc);
  v.n = ss_mpcc_n_variables (v.mpcc);
  v.n_rows = ss_mpcc_n_rows (v.mpcc);
  v.n_jacobian = ss_mpcc_jacobian_pattern (v.mpcc)->start[v.n_rows];
  v.n_hessian = hessian->start[v.n];
  v.x = doubles (v.n);
  v.guess = doubles (v.n);
  v.gradient = doubles (v.n);
  v.rows = doubles (v.n_rows);
  v.jacobian = doubles (v.n_jacobian);
  v.hessian = doubles (v.n_hessian);
  double *lambda = doubles (v.n_rows);
  for (int i = 0; i < v.n; i++)
    v.x[i] = 0.7 * sin (1.3 * i + 0.2);
  for (int i = 0; i < v.n_rows; i++)
    lambda[i] = cos (0.9 * i);
  v.objective = ss_mpcc_objective (eval, v.x);
  ss_mpcc_gradient (eval, v.x, v.gradient);
  ss_mpcc_rows (eval, v.x, v.rows);
  ss_mpcc_jacobian (eval, v.x, v.jacobian);
  ss_mpcc_lagrangian_hessian (eval, v.x, 1, lambda, v.hessian);
  SS_CHECK (ss_problem_guess (model, v.guess, &err) == SS_OK);
  free (lambda);
  ss_mpcc_eval_free (eval);
  return v;
}

static bool
values_are_same (const Values *a, const Values *b)
{
  return a->n == b->n && a->n_rows == b->n_rows && a->n_jacobian == b->n_jacobian && a->n_hessian == b->n_hessian &&
         is_same (&a->objective, &b->objective, 1) && is_same (a->gradient, b->gradient, a->n) &&
         is_same (a->rows, b->rows, a->n_rows) && is_same (a->jacobian, b->jacobian, a->n_jacobian) &&
         is_same (a->hessian, b->hessian, a->n_hessian) && is_same (a->guess, b->guess, a->n);
}

static bool
models_are_same (const SsScenario *a, const SsScenario *b)
{
  Values va = evaluate (a), vb = evaluate (b);
  SsTrajectory *ta = NULL, *tb = NULL;
  SsMetrics ma, mb;
  SsError err = {0};
  bool are_same = values_are_same (&va, &vb);

  SS_CHECK (ss_problem_trajectory (a, va.x, &ta, &err) == SS_OK);
  SS_CHECK (ss_problem_trajectory (b, vb.x, &tb, &err) == SS_OK);
  SS_CHECK (ss_metrics_compute (a, va.x, &ma, &err) == SS_OK && ss_metrics_compute (b, vb.x, &mb, &err) == SS_OK);
  are_same = are_same && ta->n_rows == tb->n_rows && is_same (ta->values, tb->values, ta->n_rows * ta->n_channels) &&
             ma.max_violation == mb.max_violation && ma.objective == mb.objective;
  ss_trajectory_free (ta);
  ss_trajectory_free (tb);
  values_clear (&va);
  values_clear (&vb);
  return are_same;
}

/* ---- other numbers ----------------------------------------------------------------------------------------------- */

/* Transcribes a text, then takes another reading of it: whether that fitted. Where it did, the model is that of a fresh
 * transcription; where not, it is what it was. */
static bool
fill (const char *text, const SsTranscribeOptions *options, const SsOverride *before, int n_before,
      const SsOverride *after, int n_after)
{
  SsScenario *first = read_text (text, before, n_before), *second = read_text (text, after, n_after);
  SsTranscript *kept = NULL, *fresh = NULL;
  SsError err = {0};
  bool fits = false;

  SS_CHECK (first != NULL && second != NULL);
  if (first == NULL || second == NULL)
    exit (1);
  SS_CHECK (ss_transcript_new (first, options, &kept, &err) == SS_OK);
  SS_CHECK (ss_transcript_fill (kept, second, &fits, &err) == SS_OK);
  SS_CHECK (ss_transcript_new (fits ? second : first, options, &fresh, &err) == SS_OK);
  SS_CHECK (models_are_same (ss_transcript_model (kept), ss_transcript_model (fresh)));
  ss_transcript_free (kept);
  ss_transcript_free (fresh);
  ss_scenario_free (first);
  ss_scenario_free (second);
  return fits;
}

static char *
read_plan_text (const char *name)
{
  enum { SIZE = 1 << 16 };
  static char text[SIZE];
  char path[512];

  snprintf (path, sizeof path, SS_SOURCE_ROOT "/examples/plans/%s.stickslip.json", name);
  FILE *file = fopen (path, "r");
  size_t n = file != NULL ? fread (text, 1, SIZE - 1, file) : 0;
  SS_CHECK (n > 0);
  if (file != NULL)
    fclose (file);
  text[n] = '\0';
  return text;
}

static double
changed (double value)
{
  return value != 0 ? 1.07 * value : 0.07;
}

/* Every parameter of every example, in both coordinates. */
static void
test_examples (void)
{
  for (int i = 0; i < N_PLANS; i++) {
    const char *text = read_plan_text (names[i]);
    SsScenario *scenario = read_text (text, NULL, 0);

    for (int p = 0; p < 2 * scenario->n_parameters; p += ss_test_is_coarse () ? 3 : 1) {
      const SsTranscribeOptions options = {.coordinates = p % 2 == 0 ? SS_COORDINATES_ABSOLUTE : SS_COORDINATES_JOINT};
      const SsParameter *parameter = &scenario->parameters[p / 2];
      const SsOverride after = {parameter->name, changed (parameter->value)};

      SS_CHECK (!parameter->is_structural);
      const int failed = ss_test_failed_checks;
      SS_CHECK (fill (text, &options, NULL, 0, &after, 1));
      if (ss_test_failed_checks > failed)
        printf ("  %s, %s\n", names[i], parameter->name);
    }
    ss_scenario_free (scenario);
  }
}

/* A scene in which numbers of every kind are formulas. */
#define ALL_KINDS                                                                                                      \
  "{\"format\": 1, \"name\": \"all\", \"parameters\": {\"a\": 0.31, \"b\": 0.42, \"m\": 1.3, \"mu\": 0.35, \"k\": "    \
  "21, \"d\": 0.7, \"v\": 0.4, \"g\": 9.7, \"w\": 3.1, \"c\": 0.6, \"lim\": 1.2, \"T\": 1.4, \"belt\": 0.2, \"two\": " \
  "{\"value\": \"2*a\"}}, \"scene\": {\"gravity\": [\"0.1*g\", \"-g\"], \"materials\": {\"rubber\": {\"friction\": "   \
  "\"mu\"}, \"ice\": {\"friction\": 0.1}}, \"bodies\": ["                                                              \
  "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [\"0.1*c\", 1]}, "         \
  "\"material\": \"rubber\"}, "                                                                                        \
  "{\"name\": \"box\", \"shapes\": [{\"type\": \"box\", \"width\": \"a\", \"height\": \"b\"}, {\"type\": \"circle\", " \
  "\"radius\": \"a/3\", \"position\": [\"b\", 0]}], \"density\": \"m\", \"position\": [0, \"b\"], \"angle\": "         \
  "\"0.1*c\", \"velocity\": [\"v\", 0], \"material\": \"rubber\"}, "                                                   \
  "{\"name\": \"arm\", \"shape\": {\"type\": \"capsule\", \"length\": \"two\", \"radius\": 0.05}, \"mass\": \"2*m\", " \
  "\"inertia\": \"m/9\", \"position\": [1, \"1 + a\"], \"angular_velocity\": \"v\", \"material\": \"ice\"}, "          \
  "{\"name\": \"cart\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": \"m\", \"lock\": [\"y\", "       \
  "\"theta\"], \"position\": [2.5, \"2 - c\"], \"material\": \"ice\"}, "                                               \
  "{\"name\": \"belt\", \"shape\": {\"type\": \"box\", \"width\": 3, \"height\": 0.1}, \"lock\": [\"x\", \"y\", "      \
  "\"theta\"], \"position\": [2, -3], \"velocity\": [\"belt\", 0]}], "                                                 \
  "\"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", \"arm\"], \"anchor\": [\"1 - a\", "   \
  "\"1 + a\"], \"lower\": \"-lim\", \"upper\": \"2*lim\"}, {\"name\": \"rod\", \"type\": \"rod\", \"bodies\": "        \
  "[\"arm\", \"cart\"], \"anchors\": [[\"a\", 0], [0, 0]]}], "                                                         \
  "\"springs\": [{\"bodies\": [\"world\", \"box\"], \"points\": [[-1, \"1 + a\"], [0, \"b\"]], \"stiffness\": \"k\", " \
  "\"damping\": \"d\", \"rest\": \"0.5*c\"}, {\"bodies\": [\"box\", \"arm\"], \"torsion\": true, \"stiffness\": "      \
  "\"k/9\"}], "                                                                                                        \
  "\"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"box\", \"direction\": [1, \"c\"], \"anchor\": "  \
  "[\"a/4\", 0.01], \"lower\": \"-9*m\", \"upper\": \"8*m\"}, {\"name\": \"q\", \"type\": \"joint\", \"joint\": "      \
  "\"hinge\"}], "                                                                                                      \
  "\"forces\": [{\"name\": \"drag\", \"body\": \"cart\", \"force\": [\"-d*cart.vx - c*sin(k*t)\", 0]}], "              \
  "\"contacts\": \"all\"}, "                                                                                           \
  "\"task\": {\"horizon\": 0.4, \"steps\": 4, \"targets\": [{\"body\": \"box\", \"position\": [\"1 + c\", null], "     \
  "\"angle\": \"0.1*w\", "                                                                                             \
  "\"velocity\": [0, 0], \"weight\": {\"velocity\": \"w\"}}], \"bounds\": [{\"body\": \"box\", \"vx\": [\"-3*v\", "    \
  "4]}], \"effort\": {\"f\": \"0.1*w\"}, \"effort_rate\": \"0.01*w\", \"free_time\": {\"lower\": 0.2, \"upper\": "     \
  "\"T\", \"weight\": \"w\"}, \"contacts\": [\"floor-box\", \"box-arm\", \"arm-cart\", \"floor-arm\"], "               \
  "\"constraints\": [{\"name\": \"near\", \"nonnegative\": [\"9*c - box.x^2\"]}], \"cost\": [{\"cost\": "              \
  "\"w*box.y\"}]}}"

static void
test_all_kinds (void)
{
  static const char *const parameters[] = {"a", "b", "m", "mu",  "k",   "d", "v",
                                           "g", "w", "c", "two", "lim", "T", "belt"};

  for (size_t i = 0; i < 2 * sizeof parameters / sizeof *parameters; i++) {
    const SsTranscribeOptions options = {.coordinates = i % 2 == 0 ? SS_COORDINATES_ABSOLUTE : SS_COORDINATES_JOINT};
    SsScenario *scenario = read_text (ALL_KINDS, NULL, 0);
    const double value = scenario->parameters[ss_scenario_parameter (scenario, parameters[i / 2])].value;
    const SsOverride after = {parameters[i / 2], changed (value)};
    const int failed = ss_test_failed_checks;

    SS_CHECK (fill (ALL_KINDS, &options, NULL, 0, &after, 1));
    if (ss_test_failed_checks > failed)
      printf ("  %s\n", after.name);
    ss_scenario_free (scenario);
  }
}

/* ---- what takes a new transcription ------------------------------------------------------------------------------ */

/* A box on a floor; `more` goes into the task. */
#define BOX(parameters, friction, more)                                                                                \
  "{\"format\": 1, \"name\": \"box\", \"parameters\": {" parameters "}, \"scene\": {\"bodies\": [{\"name\": "          \
  "\"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"box\", "       \
  "\"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.2}, \"mass\": 1, \"position\": [\"x0\", 0.1]}], "      \
  "\"contacts\": [{\"bodies\": [\"floor\", \"box\"], \"friction\": " friction "}], \"actuators\": [{\"name\": "        \
  "\"f\", \"type\": \"force\", \"body\": \"box\", \"direction\": [1, 0]}]}, \"task\": {\"horizon\": 1, " more "}}"

static void
test_structure (void)
{
  static const struct {
    const char *text;
    SsOverride before, after;
    bool fits;
  } cases[] = {
      /* a friction from and to nothing takes variables along */
      {BOX ("\"x0\": 0, \"p\": 0.3", "\"p\"",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [1, null]}]"),
       {"p", 0.3},
       {"p", 0},
       false},
      {BOX ("\"x0\": 0, \"p\": 0.3", "\"p\"",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [1, null]}]"),
       {"p", 0},
       {"p", 0.2},
       false},
      {BOX ("\"x0\": 0, \"p\": 0.3", "\"p\"",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [1, null]}]"),
       {"p", 0.1},
       {"p", 0.2},
       true},
      /* a target or a start of 0 is a number like any other */
      {BOX ("\"x0\": 0, \"p\": 0", "0.5",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [\"p\", null]}]"),
       {"p", 0},
       {"p", 2},
       true},
      {BOX ("\"x0\": 0, \"p\": 0", "0.5",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [\"p\", null]}]"),
       {"x0", 0},
       {"x0", -1},
       true},
      /* a weight of 0 is no cost */
      {BOX ("\"x0\": 0, \"p\": 1", "0.5",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [1, null], \"weight\": \"p\"}]"),
       {"p", 1},
       {"p", 0},
       false},
      /* sizes */
      {BOX ("\"x0\": 0, \"p\": 3", "0.5",
            "\"steps\": \"p\", \"targets\": [{\"body\": \"box\", \"position\": [1, null]}]"),
       {"p", 3},
       {"p", 4},
       false},
      /* the steps' length is one, too */
      {"{\"format\": 1, \"name\": \"free\", \"parameters\": {\"p\": 1}, \"scene\": {\"bodies\": [{\"name\": \"a\", "
       "\"shape\": {\"type\": \"circle\", \"radius\": 1}, \"mass\": 1}]}, \"task\": {\"horizon\": \"p\", \"steps\": 3, "
       "\"targets\": [{\"body\": \"a\", \"position\": [1, null]}]}}",
       {"p", 1},
       {"p", 1.5},
       false},
      /* on its flat side max hides that the number depends on p; leaving it is noticed */
      {BOX ("\"x0\": 0, \"p\": -1", "\"0.3 + max(p, 0)\"",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [1, null]}]"),
       {"p", -1},
       {"p", -2},
       true},
      {BOX ("\"x0\": 0, \"p\": -1", "\"0.3 + max(p, 0)\"",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [1, null]}]"),
       {"p", -1},
       {"p", 0.1},
       false},
      /* two numbers of a kind that move alike are one input until they part */
      {BOX ("\"x0\": 0, \"p\": 0.5", "0.5",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [\"p\", \"min(p, 0.8)\"]}]"),
       {"p", 0.5},
       {"p", 0.7},
       true},
      {BOX ("\"x0\": 0, \"p\": 0.5", "0.5",
            "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [\"p\", \"min(p, 0.8)\"]}]"),
       {"p", 0.5},
       {"p", 0.9},
       false},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int failed = ss_test_failed_checks;

    SS_CHECK (fill (cases[i].text, NULL, &cases[i].before, 1, &cases[i].after, 1) == cases[i].fits);
    if (ss_test_failed_checks > failed)
      printf ("  case %zu\n", i);
  }
}

/* Only what depends on parameters, and the starts, are inputs. */
static void
test_inputs (void)
{
  SsScenario *scenario = read_text (BOX ("\"x0\": 0.1, \"p\": 0.3", "\"p\"",
                                         "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [1, null]}]"),
                                    NULL, 0);
  SsTranscript *transcript = NULL;
  SsError err = {0};

  SS_CHECK (ss_transcript_new (scenario, NULL, &transcript, &err) == SS_OK);
  const SsScenario *model = ss_transcript_model (transcript);
  /* the parameters themselves, which formulas could read, the place of the box, the friction; starts of 6 coordinates
   * and of 3 forces at each of 4 corners */
  static const char *const inputs[] = {"scene.parameter", "scene.parameter", "box.x", "floor-box.friction"};
  static const double values[] = {0.1, 0.3, 0.1, 0.3};
  SS_CHECK (model->n_parameters == 4 + 6 + 12);
  for (int i = 0; i < 4; i++) {
    SS_CHECK_STR (model->parameters[i].name, inputs[i]);
    SS_CHECK (model->parameters[i].value == values[i] && !model->parameters[i].is_structural);
  }
  SS_CHECK (ss_scenario_parameter (model, "box.x.start") == 4);
  ss_transcript_free (transcript);
  ss_scenario_free (scenario);
}

/* Numbers that make a plan impossible do so with a kept set-up, too; it stays as it was. */
static void
test_refusals (void)
{
  static const char text[] =
      BOX ("\"x0\": 0.1, \"p\": 2", "0.3",
           "\"steps\": 3, \"targets\": [{\"body\": \"box\", \"position\": [1, null]}], \"constraints\": [{\"name\": "
           "\"fence\", \"nonnegative\": [\"p - box.x\"]}]");
  const SsOverride wrong = {"p", 0.05}, right = {"p", 1.5};
  SsScenario *first = read_text (text, NULL, 0), *second = read_text (text, &wrong, 1),
             *third = read_text (text, &right, 1);
  SsTranscript *kept = NULL, *fresh = NULL;
  SsError err = {0}, again = {0};
  bool fits = true;

  SS_CHECK (ss_transcript_new (first, NULL, &kept, &err) == SS_OK);
  SS_CHECK (ss_transcript_new (second, NULL, &fresh, &err) == SS_ERR_INVALID && fresh == NULL);
  SS_CHECK (ss_transcript_fill (kept, second, &fits, &again) == SS_ERR_INVALID);
  SS_CHECK_STR (again.message, err.message);
  SS_CHECK_CONTAINS (again.message, "fence");
  SS_CHECK (ss_transcript_new (first, NULL, &fresh, &err) == SS_OK);
  SS_CHECK (models_are_same (ss_transcript_model (kept), ss_transcript_model (fresh)));
  ss_transcript_free (fresh);
  SS_CHECK (ss_transcript_fill (kept, third, &fits, &err) == SS_OK && fits);
  SS_CHECK (ss_transcript_new (third, NULL, &fresh, &err) == SS_OK);
  SS_CHECK (models_are_same (ss_transcript_model (kept), ss_transcript_model (fresh)));
  ss_transcript_free (fresh);
  ss_transcript_free (kept);
  ss_scenario_free (first);
  ss_scenario_free (second);
  ss_scenario_free (third);
}

/* Memory that runs out at any place is reported, and leaves a kept model as it was. */
static void
test_out_of_memory (void)
{
  static const char text[] = BOX ("\"x0\": 0.1, \"p\": 0.3", "\"p\"",
                                  "\"steps\": 2, \"targets\": [{\"body\": \"box\", \"position\": [1, null]}]");
  const SsOverride after = {"p", 0.4};
  SsScenario *first = read_text (text, NULL, 0), *second = read_text (text, &after, 1);
  SsTranscript *transcript = NULL;
  SsError err;
  bool is_done = false, fits = false;

  for (uint64_t n = 1; !is_done; n++) {
    ss_alloc_fail_at (n);
    SsStatus status = ss_transcript_new (first, NULL, &transcript, &err);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || status == SS_ERR_MEMORY);
    SS_CHECK ((status == SS_OK) == (transcript != NULL));
    is_done = status == SS_OK;
  }
  is_done = false;
  for (uint64_t n = 1; !is_done; n++) {
    const int friction = 3;

    ss_alloc_fail_at (n);
    SsStatus status = ss_transcript_fill (transcript, second, &fits, &err);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK ? fits : status == SS_ERR_MEMORY);
    SS_CHECK (ss_transcript_model (transcript)->parameters[friction].value == (status == SS_OK ? 0.4 : 0.3));
    is_done = status == SS_OK;
  }
  ss_transcript_free (transcript);
  ss_scenario_free (first);
  ss_scenario_free (second);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Three iterations: what differs by one bit in the problem differs in most numbers of the first step. */
static SsTrajectory *
run (const char *text, const SsOverride *override, int coordinates, SsSolveCache *cache, bool *is_reused)
{
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL);
  SsScenario *scenario = read_text (text, override, override != NULL ? 1 : 0);
  void *options = calloc (1, method->options->size);
  SsTrajectory *trajectory = NULL;
  SsRunResult result;
  SsError err = {0};

  ss_method_init_options (method, scenario, options);
  SS_CHECK (ss_options_set (method->options, options, "max-iterations", "3", &err) == SS_OK);
  SsJob job = ss_job (method, scenario, options);
  job.solve.transcription = (SsTranscribeOptions){.coordinates = (SsCoordinates)coordinates};
  job.solve.cache = cache;
  if (cache != NULL) { /* as a worker does */
    const SsScenario *model = NULL, *again = NULL;

    SS_CHECK (ss_solve_prepare (&job.solve, &model, &err) == SS_OK &&
              ss_solve_prepare (&job.solve, &again, &err) == SS_OK);
    SS_CHECK (model != NULL && model == again && model->model != NULL);
  }
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  trajectory = ss_run_take_motion (&result);
  *is_reused = ss_metric_get (&result.metrics, SS_METRIC_SETUP_REUSED) != 0;
  ss_run_result_clear (&result);
  free (options);
  ss_scenario_free (scenario);
  return trajectory;
}

/* Jobs of one worker: nothing is transcribed or built again for a number, and each answer is that of a fresh one. */
static void
test_runs (void)
{
  for (int i = 0; i < N_PLANS; i++)
    for (int coordinates = 0; coordinates < 2; coordinates++) {
      if (ss_test_is_coarse () && (i + coordinates) % 4 != 0)
        continue;
      const char *text = read_plan_text (names[i]);
      SsScenario *scenario = read_text (text, NULL, 0);
      SsSolveCache *cache = ss_solve_cache_new ();
      bool is_reused;

      ss_trajectory_free (run (text, NULL, coordinates, cache, &is_reused));
      SS_CHECK (!is_reused);
      for (int p = 0; p < scenario->n_parameters; p++) {
        const SsOverride after = {scenario->parameters[p].name, changed (scenario->parameters[p].value)};
        SsTrajectory *kept = run (text, &after, coordinates, cache, &is_reused);
        SS_CHECK (is_reused);
        SsTrajectory *fresh = run (text, &after, coordinates, NULL, &is_reused);
        SS_CHECK (!is_reused);
        SS_CHECK (kept->n_rows == fresh->n_rows &&
                  is_same (kept->values, fresh->values, kept->n_rows * kept->n_channels));
        ss_trajectory_free (kept);
        ss_trajectory_free (fresh);
      }
      ss_trajectory_free (run (text, NULL, 1 - coordinates, cache, &is_reused));
      SS_CHECK (!is_reused); /* other formulas */
      ss_solve_cache_free (cache);
      ss_scenario_free (scenario);
    }
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static void
test_list (void)
{
  const SsOptionTable *table = ss_transcription_option_table ();
  void *options = calloc (1, table->size);
  SsError err = {0};

  SS_CHECK (ss_transcription_count () >= 1 && ss_transcription_at (0) == &ss_transcription_time_stepping);
  SS_CHECK_STR (table->specs[0].name, "transcription");
  SS_CHECK_STR (table->specs[1].name, "coordinates");
  for (int i = 0; i < ss_transcription_count (); i++) {
    const SsTranscriptionClass *class_ = ss_transcription_at (i);

    SS_CHECK (class_->label[0] != '\0' && class_->summary[0] != '\0' && class_->options != NULL);
    SS_CHECK_STR (table->specs[0].choices[i], class_->name);
    ss_options_init (table, options);
    SS_CHECK (ss_options_set (table, options, "transcription", class_->name, &err) == SS_OK);
    SS_CHECK (ss_options_set (table, options, "coordinates", "joint", &err) == SS_OK);
    const SsTranscribeOptions chosen = ss_transcription_choose (options);
    SS_CHECK (chosen.class_ == class_ && chosen.coordinates == SS_COORDINATES_JOINT && chosen.own != NULL);
    for (int k = 0; k < class_->options->n_specs; k++) /* its own have their defaults there */
      SS_CHECK (ss_options_is_default (class_->options, chosen.own, k));
  }
  SS_CHECK (table->specs[0].choices[ss_transcription_count ()] == NULL);
  SS_CHECK (ss_options_set (table, options, "transcription", "time", &err) == SS_ERR_INVALID);
  free (options);
}

int
main (void)
{
  SS_RUN (test_examples);
  SS_RUN (test_all_kinds);
  SS_RUN (test_structure);
  SS_RUN (test_inputs);
  SS_RUN (test_refusals);
  SS_RUN (test_out_of_memory);
  SS_RUN (test_runs);
  SS_RUN (test_list);
  return ss_test_finish ();
}
