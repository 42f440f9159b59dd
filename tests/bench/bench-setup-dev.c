/* tests/bench/bench-setup-dev.c: what a changed parameter costs before a plan is solved again.
 *
 *   bench-setup-dev [-m crisp|ipopt|scholtes] [-j] [-n REPEATS] [-f FACTOR] SCENARIO...
 *
 * For each parameter of each scenario: two jobs that share a cache, as in a worker, the second with the parameter times
 * FACTOR (default 1.02; FACTOR - 1 where it is 0; plus 1 where it is a whole number). Prints the reading of the
 * scenario and the set-up after it (transcription, problem, solver, starting point) of both jobs in wall time, the
 * median of REPEATS (default 9) with fresh caches, and whether the set-up was kept. -j: joint coordinates. The solver
 * is cancelled at its first report. */
#include "run/ss-run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEATS = 99 };

typedef struct {
  const char *path;
  const SsMethod *method;
  SsTranscribeOptions transcription;
  int n_repeats;
  double factor;
} Bench;

typedef struct {
  double reading, setup; /* [s] */
  bool is_reused;
} Times;

static void
cancel_at_once (void *user_data, const SsProgress *progress)
{
  if (progress->kind == SS_PROGRESS_ITERATION)
    ss_run_control_cancel (user_data);
}

static SsScenario *
read_scenario (const Bench *bench, const SsOverride *override)
{
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  if (ss_scenario_read_file (bench->path, override, override != NULL ? 1 : 0, &problems, &scenario) != SS_OK)
    fprintf (stderr, "%s: %s\n", bench->path, problems.n_items > 0 ? problems.items[0].message : "out of memory");
  ss_problems_clear (&problems);
  return scenario;
}

static bool
run_once (const Bench *bench, SsSolveCache *cache, const SsOverride *override, Times *times)
{
  const double start = ss_clock_wall ();
  SsScenario *scenario = read_scenario (bench, override);
  void *options = calloc (1, bench->method->options->size + 1);
  SsRunResult result;
  SsRunControl control;
  SsError err = {0};
  bool is_good = false;

  times->reading = ss_clock_wall () - start;
  if (scenario != NULL && options != NULL) {
    ss_method_init_options (bench->method, scenario, options);
    ss_run_control_init (&control);
    control.progress = cancel_at_once;
    control.user_data = &control;
    SsJob job = ss_job (bench->method, scenario, options);
    job.solve.transcription = bench->transcription;
    job.solve.cache = cache;
    is_good = ss_run (&job, &control, &result, &err) == SS_OK;
    if (is_good) {
      times->setup = ss_metric_get (&result.metrics, SS_METRIC_SETUP_SECONDS);
      times->is_reused = ss_metric_get (&result.metrics, SS_METRIC_SETUP_REUSED) != 0;
      ss_run_result_clear (&result);
    } else {
      fprintf (stderr, "%s: %s\n", bench->path, err.message);
    }
  }
  ss_scenario_free (scenario);
  free (options);
  return is_good;
}

static int
compare (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static double
median (double *values, int n)
{
  qsort (values, (size_t)n, sizeof *values, compare);
  return 1e3 * values[n / 2];
}

static bool
measure (const Bench *bench, const SsScenario *scenario, const SsParameter *parameter)
{
  double values[4][MAX_REPEATS];
  SsOverride changed = {parameter->name, parameter->is_integer   ? parameter->value + 1
                                         : parameter->value == 0 ? bench->factor - 1
                                                                 : parameter->value * bench->factor};
  Times first, second = {0};

  if (changed.value > parameter->maximum)
    changed.value = parameter->value / bench->factor;
  for (int i = 0; i < bench->n_repeats; i++) {
    SsSolveCache *cache = ss_solve_cache_new ();
    const bool is_good =
        cache != NULL && run_once (bench, cache, NULL, &first) && run_once (bench, cache, &changed, &second);

    ss_solve_cache_free (cache);
    if (!is_good)
      return false;
    values[0][i] = first.reading;
    values[1][i] = first.setup;
    values[2][i] = second.reading;
    values[3][i] = second.setup;
  }
  const double reading = median (values[0], bench->n_repeats), setup = median (values[1], bench->n_repeats),
               reading_again = median (values[2], bench->n_repeats), again = median (values[3], bench->n_repeats);
  printf ("%-22s %-10s %-10s %7.3f + %7.3f   %7.3f + %7.3f   %5.1f %%  %5.1f %%  %s\n", scenario->name, parameter->name,
          parameter->is_structural ? "structure" : "number", reading, setup, reading_again, again, 100 * again / setup,
          100 * (reading_again + again) / (reading + setup), second.is_reused ? "kept" : "made");
  return true;
}

static int
fail (const char *what)
{
  fprintf (stderr, "bench-setup-dev: %s\n", what);
  return 2;
}

int
main (int argc, char **argv)
{
  Bench bench = {.n_repeats = 9, .factor = 1.02};
  const char *method = "crisp";
  SsError err = {0};
  int i = 1;

  for (; i < argc && argv[i][0] == '-'; i++) {
    if (argv[i][1] == 'j') {
      bench.transcription.coordinates = SS_COORDINATES_JOINT;
      continue;
    }
    if (i + 1 == argc)
      return fail ("missing value");
    const char *value = argv[++i];
    if (argv[i - 1][1] == 'm')
      method = value;
    else if (argv[i - 1][1] == 'n')
      bench.n_repeats = atoi (value) < 1 ? 1 : atoi (value) > MAX_REPEATS ? MAX_REPEATS : atoi (value);
    else if (argv[i - 1][1] == 'f')
      bench.factor = atof (value);
    else
      return fail ("unknown option");
  }
  bench.method = ss_method_find (SS_METHOD_OPTIMISER, method, &err);
  if (bench.method == NULL)
    return fail (err.message);
  printf ("%-22s %-10s %-10s %-19s %-19s %8s %8s\n", "reading + set-up [ms]", "parameter", "changes", "first", "second",
          "set-up", "both");
  for (; i < argc; i++) {
    bench.path = argv[i];
    SsScenario *scenario = read_scenario (&bench, NULL);
    bool is_good = scenario != NULL;

    for (int p = 0; is_good && p < scenario->n_parameters; p++)
      is_good = measure (&bench, scenario, &scenario->parameters[p]);
    if (is_good && scenario->n_parameters == 0)
      printf ("%-22s no parameters\n", scenario->name);
    ss_scenario_free (scenario);
    if (!is_good)
      return 1;
  }
  return 0;
}
