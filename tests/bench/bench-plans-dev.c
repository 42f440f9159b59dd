/* tests/bench/bench-plans-dev.c: solves the plan of a scene and replays it.
 *
 *   bench-plans-dev [-m crisp|ipopt|scholtes] [-s NAME=VALUE]... [-o OPTION=VALUE]... [-j] [-v] [-c FILE.csv]
 *   SCENARIO...
 *
 * -j: joint coordinates. Prints sizes, set-up times (CPU), how the solver ended, its metrics, and the distance of the
 * plan to a replay of its controls by stewart-trinkle with gap=end at the same step, whole and step by step. */
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-scholtes.h"
#include "tests/ss-replay.h"
#include "transcribe/ss-transcribe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LIST = 64 };

static bool is_verbose;
static SsTranscribeOptions transcription;
static const char *csv;

static void
print_progress (void *user_data, const SsProgress *progress)
{
  (void)user_data;
  if (progress->kind == SS_PROGRESS_LOG)
    printf ("  %s\n", progress->text);
  if (progress->kind != SS_PROGRESS_ITERATION)
    return;
  printf ("  %4d", progress->iteration);
  for (int i = 0; i < progress->n_columns; i++)
    printf (" %s=%.4g", progress->columns[i].name, progress->columns[i].value);
  printf ("\n");
}

static int
fail (const char *what, const SsError *err)
{
  char text[1024] = "";
  if (err != NULL)
    ss_error_format (err, text, sizeof text);
  fprintf (stderr, "bench-plans-dev: %s %s\n", what, text);
  return 2;
}

static void
write_csv (const SsTrajectory *trajectory)
{
  FILE *file = fopen (csv, "w");
  if (file == NULL)
    return;
  for (int c = 0; c < trajectory->n_channels; c++)
    fprintf (file, "%s%s", c > 0 ? "," : "", trajectory->channels[c].name);
  for (int r = 0; r < trajectory->n_rows; r++)
    for (int c = 0; c < trajectory->n_channels; c++)
      fprintf (file, "%s%.10g", c > 0 ? "," : "\n", ss_trajectory_row (trajectory, r)[c]);
  fprintf (file, "\n");
  fclose (file);
}

static void
print_replay (const SsScene *scene, const SsTrajectory *plan)
{
  SsReplayDistance distance = {.largest = NAN};
  SsReplaySteps steps = {.largest = NAN};
  if (!ss_replay_by_its_law (scene, plan, NAN, &distance, &steps))
    return;
  printf (
      "  replay: %.3g m at t = %.4g s; one step: %.3g m at t = %.4g s, %d parted (first at %.4g s), %d with another "
      "answer, %d unsolved, law %.2g, %d failed\n",
      distance.largest, distance.t, steps.largest, steps.t, steps.n_parted, steps.first_t, steps.n_other,
      steps.n_unsolved, steps.law_residual, steps.n_failed);
}

static int
solve (const char *path, const SsOverride *overrides, int n_overrides, const SsNlpClass *method, const void *options)
{
  SsProblems problems;
  SsError err;
  SsScenario *scene = NULL, *plan = NULL;
  SsMpcc *mpcc = NULL;
  void *solver = NULL;
  SsNlpResult result;
  SsMetrics metrics;
  SsTrajectory *trajectory = NULL;
  SsRunControl control;
  double times[4];
  ss_problems_init (&problems);
  if (ss_scenario_read_file (path, overrides, n_overrides, &problems, &scene) != SS_OK)
    return fail ("cannot read the scenario:", problems.n_items > 0 ? &problems.items[0] : NULL);
  times[0] = ss_clock_thread_cpu ();
  if (ss_transcribe (scene, &transcription, &plan, &err) != SS_OK)
    return fail (path, &err);
  times[1] = ss_clock_thread_cpu ();
  if (ss_problem_build (plan, &mpcc, &err) != SS_OK)
    return fail (path, &err);
  times[2] = ss_clock_thread_cpu ();
  if (method->new_ (mpcc, options, &solver, &err) != SS_OK)
    return fail (path, &err);
  times[3] = ss_clock_thread_cpu ();
  double *guess = calloc ((size_t)ss_mpcc_n_variables (mpcc), sizeof *guess);
  if (guess == NULL || ss_problem_guess (plan, guess, &err) != SS_OK)
    return fail (path, &err);
  ss_run_control_init (&control);
  if (is_verbose)
    control.progress = print_progress;
  if (method->solve (solver, guess, &control, &result, &err) != SS_OK ||
      ss_metrics_compute (plan, result.x, &metrics, &err) != SS_OK ||
      ss_problem_trajectory (plan, result.x, &trajectory, &err) != SS_OK)
    return fail (path, &err);
  printf ("%s: %d variables, %d equalities, %d inequalities, %d pairs; set-up %.1f + %.1f + %.1f ms\n", scene->name,
          ss_mpcc_n_variables (mpcc), ss_mpcc_n_equalities (mpcc), ss_mpcc_n_inequalities (mpcc),
          ss_mpcc_n_pairs (mpcc), 1e3 * (times[1] - times[0]), 1e3 * (times[2] - times[1]),
          1e3 * (times[3] - times[2]));
  printf ("  %s %s: %d iterations, %.3f s, cost %.6g, violation %.2e (%s), tracking %.3g (%.3g %.3g %.3g %.3g)\n",
          method->name, ss_outcome_name (result.outcome), result.iterations, result.cpu_seconds, metrics.objective,
          metrics.max_violation, metrics.worst, metrics.tracking_error, metrics.tracking[0], metrics.tracking[1],
          metrics.tracking[2], metrics.tracking[3]);
  printf ("  %s\n", result.message);
  if (csv != NULL)
    write_csv (trajectory);
  print_replay (scene->scene, trajectory);
  ss_trajectory_free (trajectory);
  method->free_ (solver);
  free (guess);
  ss_mpcc_free (mpcc);
  ss_scenario_free (plan);
  ss_scenario_free (scene);
  ss_problems_clear (&problems);
  return 0;
}

int
main (int argc, char **argv)
{
  const SsNlpClass *method = &ss_nlp_crisp;
  SsOverride overrides[MAX_LIST];
  int n_overrides = 0, first = argc, status = 0;
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp (argv[i], "-m") == 0)
      method = strcmp (argv[i + 1], "ipopt") == 0      ? &ss_nlp_ipopt
               : strcmp (argv[i + 1], "scholtes") == 0 ? &ss_nlp_scholtes
                                                       : method;
  void *options = calloc (1, method->options->size);
  if (options == NULL)
    return 2;
  ss_options_init (method->options, options);
  SsError preset;
  if (method->plan_preset != NULL &&
      ss_options_set (method->options, options, "preset", method->plan_preset, &preset) != SS_OK)
    return fail ("preset:", &preset);
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '-') {
      first = i;
      break;
    }
    if (argv[i][1] == 'j') {
      transcription.coordinates = SS_COORDINATES_JOINT;
      continue;
    }
    if (argv[i][1] == 'v') {
      is_verbose = true;
      continue;
    }
    char *value = i + 1 < argc ? argv[i + 1] : NULL, *equals = value != NULL ? strchr (value, '=') : NULL;
    SsError err;
    if (value == NULL)
      return fail ("missing value", NULL);
    if (argv[i][1] == 'c') {
      csv = value;
    } else if (argv[i][1] != 'm') {
      if (equals == NULL)
        return fail ("expected NAME=VALUE", NULL);
      *equals = '\0';
      if (argv[i][1] == 's' && n_overrides < MAX_LIST)
        overrides[n_overrides++] = (SsOverride){value, atof (equals + 1)};
      else if (ss_options_set (method->options, options, value, equals + 1, &err) != SS_OK)
        return fail ("option:", &err);
    }
    i++;
  }
  for (int i = first; i < argc && status == 0; i++)
    status = solve (argv[i], overrides, n_overrides, method, options);
  free (options);
  return status;
}
