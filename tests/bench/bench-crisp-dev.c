/* tests/bench/bench-crisp-dev.c: runs one optimiser on a family of instances of one scenario and prints a row per
 * instance and their distribution.
 *
 *   bench-crisp-dev [-f FILE] [-m crisp|ipopt] [-s NAME=VALUE]... [-o OPTION=VALUE]... [-w NAME=a,b,c |
 *   NAME=from:to:count] [-r REPEATS] [-v]
 *
 * Default: the 18 push-box targets. -v prints the iterations. Times are CPU seconds of one solve, the least of REPEATS.
 * The loop is sensitive to rounding: judge distributions (several -w), never one row. */
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-nlp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LIST = 64, MAX_SWEEP = 512 };

typedef struct {
  const char *file, *sweep;
  const SsNlpClass *method;
  SsOverride overrides[MAX_LIST];
  int n_overrides;
  double values[MAX_SWEEP];
  int n_values, repeats;
  bool verbose;
  void *options;
} Arguments;

typedef struct {
  int n, solved, success, iterations, subproblems, inner;
  double cost, seconds;
} Totals;

static int
fail (const char *what, const SsError *err)
{
  char text[1024] = "";
  if (err != NULL)
    ss_error_format (err, text, sizeof text);
  fprintf (stderr, "bench-crisp-dev: %s %s\n", what, text);
  return 2;
}

static void
print_progress (void *user_data, const SsProgress *progress)
{
  (void)user_data;
  if (progress->kind != SS_PROGRESS_ITERATION)
    return;
  printf ("  %4d", progress->iteration);
  for (int i = 0; i < progress->n_columns; i++)
    printf (" %s=%.4g", progress->columns[i].name, progress->columns[i].value);
  printf ("\n");
}

/* "NAME=from:to:count" or "NAME=a,b,c" */
static bool
parse_sweep (char *text, Arguments *a)
{
  char *equals = strchr (text, '='), *colon = strchr (text, ':');
  if (equals == NULL)
    return false;
  *equals = '\0';
  a->sweep = text;
  a->n_values = 0;
  if (colon != NULL) {
    double from = strtod (equals + 1, NULL), to = strtod (colon + 1, &colon);
    int count = *colon == ':' ? atoi (colon + 1) : 0;
    for (int i = 0; i < count && i < MAX_SWEEP; i++)
      a->values[a->n_values++] = count > 1 ? from + (to - from) * i / (count - 1) : from;
  } else {
    for (char *p = equals + 1; *p != '\0' && a->n_values < MAX_SWEEP; p += *p == ',')
      a->values[a->n_values++] = strtod (p, &p);
  }
  return a->n_values > 0;
}

static bool
parse_override (char *text, Arguments *a)
{
  char *equals = strchr (text, '=');
  if (equals == NULL || a->n_overrides + 2 > MAX_LIST)
    return false;
  *equals = '\0';
  a->overrides[a->n_overrides++] = (SsOverride){text, strtod (equals + 1, NULL)};
  return true;
}

static int
parse (int argc, char **argv, Arguments *a)
{
  SsError err;
  char *option[MAX_LIST];
  int n_options = 0;
  for (int i = 1; i < argc; i++) {
    char *next = i + 1 < argc ? argv[i + 1] : NULL;
    bool ok = true;
    if (strcmp (argv[i], "-v") == 0) {
      a->verbose = true;
      continue;
    }
    if (next == NULL)
      return fail ("missing value of", NULL);
    i++;
    if (strcmp (argv[i - 1], "-f") == 0)
      a->file = next;
    else if (strcmp (argv[i - 1], "-m") == 0)
      a->method = strcmp (next, "ipopt") == 0 ? &ss_nlp_ipopt : &ss_nlp_crisp;
    else if (strcmp (argv[i - 1], "-s") == 0)
      ok = parse_override (next, a);
    else if (strcmp (argv[i - 1], "-w") == 0)
      ok = parse_sweep (next, a);
    else if (strcmp (argv[i - 1], "-r") == 0)
      a->repeats = atoi (next);
    else if (strcmp (argv[i - 1], "-o") == 0 && n_options < MAX_LIST)
      option[n_options++] = next;
    else
      ok = false;
    if (!ok)
      return fail ("cannot read", NULL);
  }
  a->options = calloc (1, a->method->options->size);
  ss_options_init (a->method->options, a->options);
  for (int i = 0; i < n_options; i++) {
    char *equals = strchr (option[i], '=');
    if (equals == NULL)
      return fail ("an option needs a value", NULL);
    *equals = '\0';
    if (ss_options_set (a->method->options, a->options, option[i], equals + 1, &err) != SS_OK)
      return fail ("", &err);
  }
  return 0;
}

static int
run_one (const Arguments *a, double value, Totals *totals)
{
  SsProblems problems;
  SsScenario *scenario = NULL;
  SsMpcc *mpcc = NULL;
  SsError err;
  SsOverride overrides[MAX_LIST];
  int n = a->n_overrides;
  memcpy (overrides, a->overrides, sizeof overrides);
  if (a->sweep != NULL)
    overrides[n++] = (SsOverride){a->sweep, value};
  ss_problems_init (&problems);
  if (ss_scenario_read_file (a->file, overrides, n, &problems, &scenario) != SS_OK)
    return fail ("scenario", problems.n_items > 0 ? &problems.items[0] : NULL);
  if (ss_problem_build (scenario, &mpcc, &err) != SS_OK)
    return fail ("problem", &err);
  double *parameters = calloc ((size_t)scenario->n_parameters + 1, sizeof (double));
  double *x0 = calloc ((size_t)ss_mpcc_n_variables (mpcc) + 1, sizeof (double));
  ss_problem_parameters (scenario, parameters);
  ss_mpcc_set_parameters (mpcc, parameters);
  if (ss_problem_guess (scenario, x0, &err) != SS_OK)
    return fail ("guess", &err);

  void *solver = NULL;
  SsNlpResult result = {0};
  SsRunControl control;
  SsMetrics metrics;
  double seconds = INFINITY;
  ss_run_control_init (&control);
  control.progress = a->verbose ? print_progress : NULL;
  if (a->method->new_ (mpcc, a->options, &solver, &err) != SS_OK)
    return fail ("solver", &err);
  for (int r = 0; r < a->repeats; r++) {
    if (a->method->solve (solver, x0, &control, &result, &err) != SS_OK)
      return fail ("solve", &err);
    seconds = fmin (seconds, result.cpu_seconds);
  }
  if (ss_metrics_compute (scenario, result.x, &metrics, &err) != SS_OK)
    return fail ("metrics", &err);
  printf ("%10.4g %-14s %d obj %9.5g viol %8.1e track %8.2e  it %4d qp %4d ip %5.1f  %8.2f ms  left %.1e  %s\n", value,
          ss_outcome_name (result.outcome), metrics.success_paper, metrics.objective, metrics.max_violation,
          metrics.tracking_error, result.iterations, result.subproblems,
          result.subproblems > 0 ? (double)result.inner_iterations / result.subproblems : 0, 1e3 * seconds,
          result.certificate.is_computed ? result.certificate.promise_part : NAN,
          result.outcome == SS_OUTCOME_SOLVED ? "" : result.message);
  totals->n++;
  totals->solved += result.outcome == SS_OUTCOME_SOLVED && metrics.max_violation < 1e-6;
  totals->success += metrics.success_paper;
  totals->cost += metrics.success_paper ? metrics.objective : 0;
  totals->iterations += result.iterations;
  totals->subproblems += result.subproblems;
  totals->inner += result.inner_iterations;
  totals->seconds += seconds;
  a->method->free_ (solver);
  ss_mpcc_free (mpcc);
  ss_scenario_free (scenario);
  ss_problems_clear (&problems);
  free (parameters);
  free (x0);
  return 0;
}

int
main (int argc, char **argv)
{
  Arguments a = {
      .file = SS_SOURCE_ROOT "/examples/crisp/push-box.stickslip.json", .method = &ss_nlp_crisp, .repeats = 1};
  Totals t = {0};
  char targets[] = "j=0:17:18";
  int status = parse (argc, argv, &a);
  if (status != 0)
    return status;
  if (strstr (a.file, "push-box") != NULL && a.sweep == NULL)
    parse_sweep (targets, &a);
  if (a.n_values == 0)
    a.n_values = 1;
  for (int i = 0; i < a.n_values && status == 0; i++)
    status = run_one (&a, a.values[i], &t);
  if (t.n > 0)
    printf ("solved %d, success %d of %d; mean: cost %.3f (successes), iterations %.1f, qps %.1f, ip per qp %.2f, %.2f "
            "ms; us per ip %.1f\n",
            t.solved, t.success, t.n, t.cost / fmax (1, t.success), (double)t.iterations / t.n,
            (double)t.subproblems / t.n, (double)t.inner / fmax (1, t.subproblems), 1e3 * t.seconds / t.n,
            1e6 * t.seconds / fmax (1, t.inner));
  free (a.options);
  return status;
}
