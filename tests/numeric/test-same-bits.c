/* tests/numeric/test-same-bits.c: the same run gives the same bits: again, in three threads at once, and from every
 * compiler.
 *
 * Each of our own methods has one hash over the trajectories, metrics and outcomes of a few scenarios. This program
 * compares the hashes of repeated runs and of threads, and prints them ("hash KIND METHOD VALUE"), so that tests/run.sh
 * compares the programs of gcc, of clang and of the sanitizers. No hash is kept in the tree: sin and its like differ
 * from one C library to the next.
 *
 * Two libraries take part in threads or in repetition but not in the comparison of builds: cvode is SUNDIALS', and
 * scholtes solves its members by Ipopt, whose linear solver allows one solve at a time in a process. */
#include "run/ss-run.h"
#include "tests/ss-test-scenario.h"

#include <pthread.h>
#include <stdlib.h>

/* A pair suffices for the thread sanitizer, which tells a race that did no harm this time, also of methods that run one
 * after the other, and is twenty times slower. */
enum { N_THREADS_MAX = 3, N_THREADS_COARSE = 2 };

typedef struct {
  SsMethodKind kind;
  const char *file; /* in examples/, without its extension */
  double t_end;     /* [s]; integrators only               */
  int n_points;     /* of a model's `N`; 0: the file's     */
  const char *only; /* for this method; NULL: for all      */
  bool is_skew;     /* points that are closed together are not orthogonal: not for time-freezing */
  const char *cut;  /* its `max-iterations`, which does not suffice; NULL: run to its end */
} Scenario;

/* Friction and impacts, a joint with an actuator, a closed chain of joints, and piles large and small: between them
 * they enter Lemke, the sparse contact methods, joint rows, limits and springs. Optimisers: a model, made short for the
 * homotopy, and for CRISP the transcription of plans: polygons, discs, a spring and joints, whose formulas are
 * long enough for their order to show. */
static const Scenario scenarios[] = {
    {SS_METHOD_INTEGRATOR, "classics/rocking-block", 0.5, 0, NULL, true},
    {SS_METHOD_INTEGRATOR, "classics/held-pendulum", 0.5, 0, NULL, false},
    {SS_METHOD_INTEGRATOR, "classics/four-bar", 0.2, 0, NULL, false},
    {SS_METHOD_INTEGRATOR, "classics/card-house", 0.1, 0, NULL, true},
    {SS_METHOD_INTEGRATOR, "classics/box-pyramid", 0.1, 0, NULL, true},
    {SS_METHOD_INTEGRATOR, "constraint-solver/smd", 0.2, 0, NULL, false},
    {SS_METHOD_INTEGRATOR, "time-freezing/guiding-particle", 2.25, 0, NULL, false},
    {SS_METHOD_OPTIMISER, "crisp/push-box", NAN, 20, NULL, false},
    {SS_METHOD_OPTIMISER, "plans/around-corner", NAN, 0, "crisp", false},
    {SS_METHOD_OPTIMISER, "plans/push-box-with-disc", NAN, 0, "crisp", false, "10"},
    {SS_METHOD_OPTIMISER, "plans/flip-block", NAN, 0, "crisp", false, "5"},
    {SS_METHOD_OPTIMISER, "plans/cart-pole-walls", NAN, 0, "crisp", false, "10"},
};
enum { N_SCENARIOS = sizeof scenarios / sizeof *scenarios };

/* ---- hash -------------------------------------------------------------------------------------------------------- */

/* FNV-1a, 64 bits. */
static void
add_bytes (uint64_t *hash, const void *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C (0x100000001b3);
}

/* Every NaN is the same: its sign and payload are the processor's affair. */
static void
add_number (uint64_t *hash, double value)
{
  const double number = isnan (value) ? (double)NAN : value;
  uint64_t bits;
  memcpy (&bits, &number, sizeof bits);
  bits = isnan (value) ? 1 : bits;
  add_bytes (hash, &bits, sizeof bits);
}

static void
add_text (uint64_t *hash, const char *text)
{
  add_bytes (hash, text, strlen (text) + 1);
}

/* What the computation cost differs from run to run. */
static bool
is_cost (SsMetric metric)
{
  static const SsMetric costs[] = {SS_METRIC_SETUP_SECONDS, SS_METRIC_SOLVE_SECONDS,      SS_METRIC_CPU_SECONDS,
                                   SS_METRIC_QP_SECONDS,    SS_METRIC_LINEAR_SECONDS,     SS_METRIC_DERIVATIVE_SECONDS,
                                   SS_METRIC_VALUE_SECONDS, SS_METRIC_FINISH_CPU_SECONDS, SS_METRIC_WORLDS_CPU_SECONDS};
  bool found = false;

  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
    found = found || costs[i] == metric;
  return found;
}

static void
add_motion (uint64_t *hash, const SsTrajectory *motion)
{
  for (int c = 0; c < motion->n_channels; c++)
    add_text (hash, motion->channels[c].name);
  for (int i = 0; i < motion->n_rows * motion->n_channels; i++)
    add_number (hash, motion->values[i]);
}

static void
add_result (uint64_t *hash, const SsRunResult *result)
{
  add_text (hash, ss_outcome_name (result->outcome));
  add_text (hash, result->message);
  for (int m = 0; m < SS_METRIC_COUNT; m++)
    if (result->metrics.is_set[m] && !is_cost ((SsMetric)m)) {
      add_text (hash, ss_metric_spec ((SsMetric)m)->name);
      add_number (hash, result->metrics.value[m]);
    }
  for (int i = 0; i < result->n_motions; i++)
    add_motion (hash, result->motions[i].trajectory);
  for (int i = 0; result->events != NULL && i < result->events->n_items; i++) {
    add_number (hash, result->events->items[i].t);
    add_number (hash, result->events->items[i].kind);
    add_number (hash, result->events->items[i].impulse);
  }
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct {
  uint64_t hash;
  int n_done;    /* runs that ended with SS_OK   */
  int n_success; /* of these, solved or completed */
} Answer;

/* No checks here, which threads may not share: the answer says how many runs were good. */
static void
run_scenario (const SsMethod *method, const Scenario *which, Answer *answer)
{
  char path[512];
  SsScenario *scenario = NULL;
  SsProblems problems;
  SsRunResult result;
  SsError err;
  const SsOverride n_points = {"N", which->n_points};
  void *options = calloc (1, method->options->size + 1);

  ss_problems_init (&problems);
  snprintf (path, sizeof path, SS_SOURCE_ROOT "/examples/%s.stickslip.json", which->file);
  if (options != NULL && ss_scenario_read_file (path, &n_points, which->n_points > 0, &problems, &scenario) == SS_OK) {
    SsJob job = ss_job (method, scenario, options);
    if (method->kind == SS_METHOD_INTEGRATOR)
      job.simulate.t_end = which->t_end;
    ss_method_init_options (method, scenario, options);
    (void)!ss_options_set (method->options, options, "threads", "1", &err); /* this test has threads of its own */
    const bool is_set =
        which->cut == NULL || ss_options_set (method->options, options, "max-iterations", which->cut, &err) == SS_OK;
    if (is_set && ss_run (&job, NULL, &result, &err) == SS_OK) {
      answer->n_done++;
      answer->n_success += ss_outcome_is_success (result.outcome);
      add_result (&answer->hash, &result);
      ss_run_result_clear (&result);
    }
  }
  ss_scenario_free (scenario);
  ss_problems_clear (&problems);
  free (options);
}

static bool
is_method (const SsMethod *method, const char *name)
{
  return strcmp (method->name, name) == 0;
}

static bool
is_for (const Scenario *scenario, const SsMethod *method)
{
  return scenario->kind == method->kind && (scenario->only == NULL || is_method (method, scenario->only)) &&
         !(scenario->is_skew && is_method (method, "time-freezing"));
}

static Answer
answer_of (const SsMethod *method)
{
  Answer answer = {.hash = UINT64_C (0xcbf29ce484222325)};

  for (int i = 0; i < N_SCENARIOS; i++)
    if (is_for (&scenarios[i], method))
      run_scenario (method, &scenarios[i], &answer);
  return answer;
}

/* Of the optimisers Ipopt has no code of ours that could differ. */
static bool
takes_part (const SsMethod *method)
{
  return method->is_built && method->kind != SS_METHOD_IMPACT_LAW && !is_method (method, "ipopt");
}

static bool
runs_in_threads (const SsMethod *method)
{
  return takes_part (method) && !is_method (method, "scholtes");
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static Answer alone[SS_METHODS_MAX];

static void
test_repeated_runs (void)
{
  for (int m = 0; m < ss_method_count (); m++) {
    const SsMethod *method = ss_method_at (m);
    if (!takes_part (method))
      continue;
    int failed = ss_test_failed_checks, n_scenarios = 0, n_whole = 0;
    for (int i = 0; i < N_SCENARIOS; i++) {
      n_scenarios += is_for (&scenarios[i], method);
      n_whole += is_for (&scenarios[i], method) && scenarios[i].cut == NULL;
    }
    alone[m] = answer_of (method);
    Answer again = runs_in_threads (method) ? alone[m] : answer_of (method); /* threads run it again */
    SS_CHECK (alone[m].n_done == n_scenarios);
    SS_CHECK (alone[m].n_success >= n_whole - 1); /* explicit-euler diverges on the stiff spring of smd */
    SS_CHECK (alone[m].hash == again.hash);
    if (ss_test_failed_checks > failed)
      printf ("  %s: %d of %d runs done, %d good\n", method->name, alone[m].n_done, n_scenarios, alone[m].n_success);
  }
}

typedef struct {
  pthread_t thread;
  int first; /* method it begins with, so that different methods run at the same time */
  Answer answers[SS_METHODS_MAX];
} Worker;

static void *
run_all (void *data)
{
  Worker *worker = data;
  const int n = ss_method_count ();

  for (int i = 0; i < n; i++) {
    int m = (worker->first + i) % n;
    if (runs_in_threads (ss_method_at (m)))
      worker->answers[m] = answer_of (ss_method_at (m));
  }
  return NULL;
}

static void
test_threads (void)
{
  static Worker workers[N_THREADS_MAX];
  const int n_threads = ss_test_is_coarse () ? N_THREADS_COARSE : N_THREADS_MAX;

  /* Those of a pair run the same methods at the same time, one more different ones. */
  for (int i = 0; i < n_threads; i++) {
    workers[i].first = i / 2;
    SS_CHECK (pthread_create (&workers[i].thread, NULL, run_all, &workers[i]) == 0);
  }
  for (int i = 0; i < n_threads; i++)
    SS_CHECK (pthread_join (workers[i].thread, NULL) == 0);
  for (int m = 0; m < ss_method_count () && ss_test_is_threads (); m++)
    if (takes_part (ss_method_at (m)) && !runs_in_threads (ss_method_at (m)))
      alone[m] = answer_of (ss_method_at (m));
  for (int m = 0; m < ss_method_count (); m++)
    for (int i = 0; i < n_threads && runs_in_threads (ss_method_at (m)); i++)
      if (ss_test_is_threads () && i == 0)
        alone[m] =
            workers[i].answers[m]; /* nothing ran alone: the others' is this one's, and so is that of other builds */
      else if (workers[i].answers[m].hash != alone[m].hash) {
        SS_CHECK (workers[i].answers[m].hash == alone[m].hash);
        printf ("  %s in thread %d\n", ss_method_at (m)->name, i);
      }
}

static void
print_hashes (void)
{
  static const char *const kinds[] = {"integrator", "optimiser"};

  for (int m = 0; m < ss_method_count (); m++) {
    const SsMethod *method = ss_method_at (m);
    if (takes_part (method) && !is_method (method, "cvode"))
      printf ("hash %s %s %016llx\n", kinds[method->kind], method->name, (unsigned long long)alone[m].hash);
  }
}

int
main (void)
{
  SS_RUN (test_repeated_runs);
  SS_RUN_THREADS (test_threads);
  print_hashes ();
  return ss_test_finish ();
}
