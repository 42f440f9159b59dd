/* app/cli/cli-bench.c: the verb `bench`: named suites, as table, JSON and CSV. Ctrl-C ends a suite with what there
 * is. */
#include "app/cli/cli-bench-common.h"

#include "app/bench/ssapp-bench-fesd.h"
#include "app/bench/ssapp-bench-freeze.h"
#include "app/bench/ssapp-bench-impacts.h"
#include "app/bench/ssapp-bench-piles.h"
#include "app/bench/ssapp-bench-plans.h"
#include "app/bench/ssapp-bench-replan.h"
#include "app/export/ssapp-export.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-method-list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const built_suites[] = {
    "crisp",         "mpc",   "simulate",     "constraint-solver", "impacts",    "fesd-order", "fesd-speed",
    "time-freezing", "plans", "closed-forms", "contact-solvers",   "collection", NULL};

static const double TIME_LIMIT = 60; /* of one solve [s], as in the reference */
enum { REPEATS = 3, MAX_REPEATS = 1000, STEPS = 1000, MAX_STEPS = 10000000, EPISODE = 100, HORIZON = 10 };
enum { FRESH = 20, MAX_FRESH = 1000, MAX_DRAWN_SEED = 1000000 };
static const double NOISE = 0.001; /* m per step of 50 ms */
enum { SIMULATE_STEPS = 200, MAX_BODIES = 1500 };
enum { PLANS_COUNT = 2, MAX_PLANS_COUNT = 10000 };
enum { FESD_RUNS_MAX = 100, FESD_STEPS_MAX = 100000 };
static const double SIMULATE_TIME_LIMIT = 5; /* of one run [s] */
static const double PILES_TIME_LIMIT = 60;
#define PILES_METHODS "stewart-trinkle,convex-time-stepping,moreau-jean,constraint-solver"

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static int
fail_suite (const char *name)
{
  char *list = g_strjoinv (", ", (char **)(void *)built_suites);
  const char *nearest = ss_nearest_name (name, built_suites, (int)g_strv_length ((char **)(void *)built_suites));
  int status;

  if (nearest != NULL)
    status = cli_fail ("unknown suite '%s'; did you mean '%s'?", name, nearest);
  else
    status = cli_fail ("unknown suite '%s'; there are %s", name, list);
  g_free (list);
  return status;
}

/* Names of --problems; *ok becomes FALSE after an error; NULL: all. */
static char **
read_problems (const CliArgs *args, gboolean *ok)
{
  const char *list = cli_args_text (args, "--problems");
  char **names = list != NULL ? g_strsplit (list, ",", -1) : NULL;

  for (int i = 0; names != NULL && names[i] != NULL && *ok; i++) {
    g_strstrip (names[i]);
    if (ssapp_bench_scenario_text (names[i]) != NULL)
      continue;
    const char *nearest = ss_nearest_name (names[i], ssapp_bench_problems, SSAPP_BENCH_PROBLEMS);
    *ok = FALSE;
    if (nearest != NULL)
      cli_fail ("suite crisp has no problem '%s'; did you mean '%s'?", names[i], nearest);
    else
      cli_fail ("suite crisp has no problem '%s'; there are cartpole, push-box, transport, push-t, hopper, waiter",
                names[i]);
  }
  return names;
}

static gboolean
read_selection (const CliArgs *args, SsappBenchSelection *selection)
{
  static const char *const names[] = {"listed", "all", "quick", "none"};
  const char *text = cli_args_text (args, "--instances");

  *selection = SSAPP_BENCH_LISTED;
  for (guint i = 0; text != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], text) == 0) {
      *selection = (SsappBenchSelection)i;
      return TRUE;
    }
  if (text != NULL)
    cli_fail ("option --instances: '%s' is not what was expected (listed, all, quick or none)", text);
  return text == NULL;
}

/* Instances of --fresh N and --seed S: one of them is enough; a seed that is not given is drawn from the clock and
 * told. FALSE after an error. */
static gboolean
read_fresh (const CliArgs *args, int *n_fresh, guint64 *seed)
{
  const char *text = cli_args_text (args, "--seed");

  *n_fresh = 0;
  if (text == NULL && cli_args_text (args, "--fresh") == NULL)
    return TRUE;
  *n_fresh = cli_bench_count (args, "--fresh", FRESH, MAX_FRESH);
  *seed = text != NULL ? g_ascii_strtoull (text, NULL, 10) : (guint64)g_get_real_time () % MAX_DRAWN_SEED;
  if (text == NULL)
    fprintf (stderr, "fresh instances are drawn from seed %" G_GUINT64_FORMAT "\n", *seed);
  return *n_fresh > 0;
}

/* ---- suite crisp ------------------------------------------------------------------------------------------------- */

static void
tell_run (const SsappBenchRun *run, int index, int count, gpointer user_data)
{
  (void)user_data;
  fprintf (stderr, "%3d/%d  %-18s %-14s %-16s %-14s objective %-11.5g violation %.1e  %.0f iterations  %.3f s\n",
           index + 1, count, run->instance->group, run->instance->condition, run->method->label,
           ss_outcome_name (run->outcome), ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE),
           ssapp_bench_run_get (run, SS_METRIC_MAX_VIOLATION), ssapp_bench_run_get (run, SS_METRIC_ITERATIONS),
           ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS));
}

/* Success: the first method solved every instance. */
static int
status_of_runs (const SsappBenchReport *report)
{
  if (!report->is_complete)
    return CLI_STOPPED;
  for (guint i = 0; i < report->runs->len; i += report->methods->len) {
    const SsappBenchRun *run = g_ptr_array_index (report->runs, i);
    if (run->outcome != SS_OUTCOME_SOLVED)
      return CLI_NO_SUCCESS;
  }
  return CLI_OK;
}

/* Runs the plan and reports; returns the exit status. */
static int
run_crisp (const CliArgs *args, const SsappBenchPlan *plan, GPtrArray *paper)
{
  GError *error = NULL;
  GPtrArray *runs = ssapp_bench_run (plan, &error);
  const SsappBenchReport report = {.instances = plan->instances,
                                   .methods = plan->methods,
                                   .runs = runs,
                                   .paper = paper,
                                   .repeats = plan->repeats,
                                   .time_limit = plan->time_limit,
                                   .is_complete = error == NULL && !cli_was_cancelled ()};
  int status = status_of_runs (&report);

  if (cli_args_flag (args, "--json")) {
    json_t *json = ssapp_bench_report_json (&report);
    cli_print_json (json);
    json_decref (json);
  } else {
    char *text = ssapp_bench_report_text (&report, cli_args_flag (args, "--verbose"));
    fputs (text, stdout);
    g_free (text);
  }
  char *csv = ssapp_bench_report_csv (&report);
  if (cli_bench_write_csv (cli_args_text (args, "--to"), csv) != CLI_OK)
    status = CLI_BROKEN;
  g_free (csv);
  if (cli_args_text (args, "--best") != NULL) {
    g_autofree char *best = ssapp_bench_best_csv (runs);
    if (cli_bench_write_csv (cli_args_text (args, "--best"), best) != CLI_OK)
      status = CLI_BROKEN;
  }
  if (error != NULL) {
    cli_fail ("%s", error->message);
    g_error_free (error);
    status = CLI_BROKEN;
  }
  g_ptr_array_unref (runs);
  return status;
}

static int
bench_crisp (const CliArgs *args)
{
  char *everything = ssapp_method_list_all (SS_METHOD_OPTIMISER);
  GPtrArray *methods = cli_bench_methods (args, SS_METHOD_OPTIMISER, everything), *reference = ssapp_bench_reference (),
            *paper = ssapp_bench_paper ();
  SsappBenchPlan plan = {.methods = methods, .control = cli_control ()};
  SsappBenchSelection selection;
  guint64 seed = 0;
  int n_fresh = 0;
  gboolean ok = methods != NULL;
  char **problems = ok ? read_problems (args, &ok) : NULL;
  int status = CLI_BAD_INPUT;

  ok = ok && read_selection (args, &selection) && read_fresh (args, &n_fresh, &seed);
  if (ok && selection == SSAPP_BENCH_NONE && n_fresh == 0) {
    cli_fail ("option --instances none: there is nothing to run without --fresh or --seed");
    ok = FALSE;
  }
  ok = ok && (plan.repeats = cli_bench_count (args, "--repeats", REPEATS, MAX_REPEATS)) > 0;
  ok = ok && !isnan (plan.time_limit = cli_bench_positive (args, "--time-limit", TIME_LIMIT, FALSE));
  if (ok) {
    plan.store = cli_open_project (args, TRUE, &status);
    ok = status == CLI_OK;
  }
  if (ok) {
    plan.instances = ssapp_bench_instances (reference, problems, selection, n_fresh, seed);
    if (!cli_args_flag (args, "--json") && !cli_args_flag (args, "--quiet"))
      plan.tell = tell_run;
    status = run_crisp (args, &plan, paper);
    g_ptr_array_unref (plan.instances);
  }
  if (cli_close_project (&plan.store) != CLI_OK)
    status = CLI_BROKEN;
  g_strfreev (problems);
  g_ptr_array_unref (reference);
  g_ptr_array_unref (paper);
  g_clear_pointer (&methods, g_ptr_array_unref);
  g_free (everything);
  return status;
}

/* ---- suite mpc --------------------------------------------------------------------------------------------------- */

static int
run_mpc (const CliArgs *args, const SsappBenchMpcPlan *plan)
{
  GError *error = NULL;
  GPtrArray *loops = ssapp_bench_mpc (plan, &error);
  const gboolean is_complete = error == NULL && !cli_was_cancelled ();
  const SsappBenchLoop *first = loops->len > 0 ? g_ptr_array_index (loops, 0) : NULL;
  int status = !is_complete ? CLI_STOPPED : first->n_failures > 0 || first->n_differing > 0 ? CLI_NO_SUCCESS : CLI_OK;

  if (cli_args_flag (args, "--json")) {
    json_t *json = ssapp_bench_mpc_json (plan, loops, is_complete);
    cli_print_json (json);
    json_decref (json);
  } else {
    char *text = ssapp_bench_mpc_text (plan, loops);
    fputs (text, stdout);
    g_free (text);
  }
  if (error != NULL) {
    cli_fail ("%s", error->message);
    g_error_free (error);
    status = CLI_BROKEN;
  }
  g_ptr_array_unref (loops);
  return status;
}

/* Of push T. */
static int
bench_push_t (const CliArgs *args)
{
  const char *seed = cli_args_text (args, "--seed");
  g_autofree char *warm = g_strconcat (ss_method_default (SS_METHOD_OPTIMISER)->name, ":preset=warm", NULL);
  SsappBenchMpcPlan plan = {.methods = cli_bench_methods (args, SS_METHOD_OPTIMISER, warm),
                            .episode = EPISODE,
                            .n_points = HORIZON,
                            .seed = seed != NULL ? g_ascii_strtoull (seed, NULL, 10) : 1,
                            .control = cli_control ()};
  gboolean ok = plan.methods != NULL;

  ok = ok && (plan.steps = cli_bench_count (args, "--steps", STEPS, MAX_STEPS)) > 0;
  ok = ok && !isnan (plan.noise = cli_bench_positive (args, "--noise", NOISE, TRUE));
  ok = ok && !isnan (plan.time_limit = cli_bench_positive (args, "--time-limit", TIME_LIMIT, FALSE));
  const int status = ok ? run_mpc (args, &plan) : CLI_BAD_INPUT;
  g_clear_pointer (&plan.methods, g_ptr_array_unref);
  return status;
}

/* ---- suites simulate, constraint-solver -------------------------------------------------------------------------- */

/* ---- suite mpc with a file --------------------------------------------------------------------------------------- */

enum { REPLAN_STEPS = 240, REPLAN_EPISODE = 60 };
static const double WORLD_FRICTION = 1.2; /* of the plan's */

/* Seconds of --deadline: a number, or one with "ms" or "s" after it. FALSE after an error. */
static gboolean
read_deadline (const CliArgs *args, double *seconds)
{
  const char *text = cli_args_text (args, "--deadline");
  g_autofree char *number = g_strdup (text != NULL ? text : "0");
  const gboolean is_ms = g_str_has_suffix (number, "ms");

  if (is_ms || g_str_has_suffix (number, "s"))
    number[strlen (number) - (is_ms ? 2 : 1)] = '\0';
  if (ss_parse_double (number, seconds) && *seconds >= 0) {
    *seconds *= is_ms ? 1e-3 : 1;
    return TRUE;
  }
  cli_fail ("option --deadline: seconds are expected (0.015), or milliseconds (15ms), not '%s'", text);
  return FALSE;
}

/* What re-planning is told, by options of its own and by --option. */
static gboolean
read_replan_options (const CliArgs *args, SsReplanOptions *options)
{
  static const char *const own[] = {"look-ahead", "every"};
  GPtrArray *pairs = cli_args_list (args, "--option");
  SsError why;
  gboolean ok = TRUE;

  ss_options_init (&ss_replan_option_table, options);
  if (!read_deadline (args, &options->deadline))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (own) && ok; i++) {
    g_autofree char *name = g_strconcat ("--", own[i], NULL);
    const char *value = cli_args_text (args, name);

    ok = value == NULL || ss_options_set (&ss_replan_option_table, options, own[i], value, &why) == SS_OK;
  }
  for (guint i = 0; i < pairs->len && ok; i++) {
    g_autofree char *name = NULL;
    const char *value;

    cli_args_split (g_ptr_array_index (pairs, i), &name, &value);
    ok = ss_options_set (&ss_replan_option_table, options, name, value, &why) == SS_OK;
  }
  if (!ok)
    cli_fail ("%s%s%s", why.message, why.expected[0] != '\0' ? "; expected " : "", why.expected);
  return ok;
}

static int
bench_replan (const CliArgs *args, const char *file)
{
  const char *seed = cli_args_text (args, "--seed");
  SsappBenchReplanPlan plan = {.episode = REPLAN_EPISODE,
                               .seed = seed != NULL ? g_ascii_strtoull (seed, NULL, 10) : 1,
                               .control = cli_control ()};
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = NULL;
  SsScenario *scenario = NULL;

  if (cli_args_text (args, "--methods") != NULL || cli_args_text (args, "--time-limit") != NULL)
    return cli_fail ("suite mpc with a file has no options --methods and --time-limit: it plans by crisp, within "
                     "--deadline");
  if (!read_replan_options (args, &plan.options) ||
      (plan.steps = cli_bench_count (args, "--steps", REPLAN_STEPS, MAX_STEPS)) == 0 ||
      isnan (plan.noise = cli_bench_positive (args, "--noise", NOISE, TRUE)) ||
      isnan (plan.friction = cli_bench_positive (args, "--friction", WORLD_FRICTION, TRUE)) ||
      (scenario = cli_read_scenario (args, file)) == NULL)
    return CLI_BAD_INPUT;
  plan.scenario = scenario;
  SsappBenchReplan *bench = ssapp_bench_replan_new (&plan, &error);
  int status = CLI_BAD_INPUT;
  if (bench == NULL) {
    cli_fail ("%s: %s", file, error->message);
  } else {
    csv = ssapp_bench_replan_csv (bench);
    status =
        cli_bench_print_sheet (args, "mpc", ssapp_bench_replan_sheet (bench), ssapp_bench_replan_is_success (bench));
    if (cli_bench_write_csv (cli_args_text (args, "--to"), csv) != CLI_OK)
      status = CLI_BROKEN;
  }
  ssapp_bench_replan_free (bench);
  ss_scenario_free (scenario);
  return status;
}

static int
bench_mpc (const CliArgs *args)
{
  static const char *const of_files[] = {"--look-ahead", "--every", "--deadline", "--friction", "--set", "--to"};

  if (cli_args_n_positional (args) > 1)
    return bench_replan (args, cli_args_positional (args, 1));
  for (guint i = 0; i < G_N_ELEMENTS (of_files); i++)
    if (cli_args_list (args, of_files[i])->len > 0)
      return cli_fail ("suite mpc takes %s only with the file of a scene: bench mpc FILE", of_files[i]);
  return bench_push_t (args);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static int
bench_constraint_solver (const CliArgs *args)
{
  const SsappBenchConstraintPlan plan = {
      .is_all = cli_args_flag (args, "--all"), .control = cli_control (), .say = cli_bench_listener (args)};

  return cli_bench_print_sheet (args, "constraint-solver", ssapp_bench_constraint (&plan), TRUE);
}

static int
bench_impacts (const CliArgs *args)
{
  const SsappBenchImpactsPlan plan = {
      .is_all = cli_args_flag (args, "--all"), .control = cli_control (), .say = cli_bench_listener (args)};
  const char *folder = cli_args_text (args, "--data");
  g_autoptr (GError) error = NULL;

  if (folder != NULL && !ssapp_bench_impacts_data (&plan, folder, &error)) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  return cli_bench_print_sheet (args, "impacts", ssapp_bench_impacts (&plan), TRUE);
}

/* "50,100": how many numbers of steps; 0 after an error. */
static int
read_runs (const char *list, int *steps)
{
  char **items = g_strsplit (list, ",", -1);
  int n = 0;
  gboolean ok = items[0] != NULL;

  for (int i = 0; items[i] != NULL && ok; i++) {
    guint64 value;
    ok = n < FESD_RUNS_MAX && g_ascii_string_to_unsigned (g_strstrip (items[i]), 10, 1, FESD_STEPS_MAX, &value, NULL);
    if (ok)
      steps[n++] = (int)value;
  }
  g_strfreev (items);
  if (ok)
    return n;
  cli_fail ("option --steps: up to %d whole numbers between 1 and %d are expected, such as 50,100", FESD_RUNS_MAX,
            FESD_STEPS_MAX);
  return 0;
}

static gboolean
read_extent (const CliArgs *args, SsappHomotopyExtent *extent)
{
  static const char *const names[] = {"none", "some", "all"};
  const char *name = cli_args_text (args, "--homotopy");

  *extent = SSAPP_HOMOTOPY_NONE;
  for (int i = 0; name != NULL && i < (int)G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0) {
      *extent = (SsappHomotopyExtent)i;
      return TRUE;
    }
  if (name != NULL)
    cli_fail ("option --homotopy: '%s' is not what was expected (none, some or all)", name);
  return name == NULL;
}

static int
bench_fesd_order (const CliArgs *args)
{
  const char *list = cli_args_text (args, "--steps");
  int steps[FESD_RUNS_MAX], n_failed;
  SsappBenchFesdPlan plan = {
      .steps = list != NULL ? steps : NULL, .control = cli_control (), .say = cli_bench_listener (args)};
  const char *picture = cli_args_text (args, "--figure");
  SsappOrderFigure *figure = NULL;
  g_autoptr (GError) error = NULL;
  char *csv = NULL;

  if (list != NULL && (plan.n_steps = read_runs (list, steps)) == 0)
    return CLI_BAD_INPUT;
  if (!read_extent (args, &plan.homotopy))
    return CLI_BAD_INPUT;
  SsappBenchSheet *sheet = ssapp_bench_fesd_order (&plan, &csv, &figure, &n_failed);
  int status = cli_bench_print_sheet (args, "fesd-order", sheet, n_failed == 0);
  if (cli_bench_write_csv (cli_args_text (args, "--to"), csv) != CLI_OK)
    status = CLI_BROKEN;
  if (picture != NULL && !ssapp_order_figure_export (figure, picture, &error))
    status = cli_fail ("%s", error->message);
  ssapp_order_figure_free (figure);
  g_free (csv);
  return status;
}

/* "10,100": FALSE after an error. */
static gboolean
read_sizes (const CliArgs *args, const char *fallback, SsappBenchSimulatePlan *plan)
{
  const char *list = cli_args_text (args, "--bodies");
  char **items = g_strsplit (list != NULL ? list : fallback, ",", -1);
  gboolean ok = TRUE;

  for (int i = 0; items[i] != NULL && ok; i++) {
    guint64 size;
    ok = plan->n_sizes < SSAPP_BENCH_SIZES_MAX &&
         g_ascii_string_to_unsigned (g_strstrip (items[i]), 10, 1, MAX_BODIES, &size, NULL);
    if (ok)
      plan->sizes[plan->n_sizes++] = (int)size;
  }
  g_strfreev (items);
  if (!ok || plan->n_sizes == 0) {
    cli_fail ("option --bodies: up to %d whole numbers between 1 and %d are expected, such as 10,100",
              SSAPP_BENCH_SIZES_MAX, MAX_BODIES);
    return FALSE;
  }
  return TRUE;
}

/* What the suites of simulations share; `sizes` where --bodies is not given. FALSE after an error. */
static gboolean
read_simulate_plan (const CliArgs *args, const char *sizes, SsappBenchSimulatePlan *plan)
{
  return plan->methods != NULL && (plan->steps = cli_bench_count (args, "--steps", SIMULATE_STEPS, MAX_STEPS)) > 0 &&
         !isnan (plan->time_limit = cli_bench_positive (args, "--time-limit", SIMULATE_TIME_LIMIT, FALSE)) &&
         read_sizes (args, sizes, plan);
}

/* Names of --problems for piles: FALSE after an error. */
static gboolean
check_piles (char **names)
{
  const int n = (int)g_strv_length ((char **)(void *)ssapp_bench_pile_names);

  for (int i = 0; names != NULL && names[i] != NULL; i++) {
    if (g_strv_contains (ssapp_bench_pile_names, g_strstrip (names[i])))
      continue;
    const char *nearest = ss_nearest_name (names[i], ssapp_bench_pile_names, n);
    g_autofree char *list = g_strjoinv (", ", (char **)(void *)ssapp_bench_pile_names);
    if (nearest != NULL)
      cli_fail ("suite simulate has no scene '%s'; did you mean '%s'?", names[i], nearest);
    else
      cli_fail ("suite simulate has no scene '%s'; there are %s", names[i], list);
    return FALSE;
  }
  return TRUE;
}

/* Piles and pyramids of ssapp-bench-piles.h; a negative status after an error of the command line, else of the runs. */
static int
add_piles (const CliArgs *args, SsappBenchSheet *sheet, int *n_failed)
{
  const char *seed = cli_args_text (args, "--seed"), *list = cli_args_text (args, "--problems");
  g_auto (GStrv) names = list != NULL ? g_strsplit (list, ",", -1) : NULL;
  SsappBenchPilesPlan plan = {.methods = cli_bench_methods (args, SS_METHOD_INTEGRATOR, PILES_METHODS),
                              .scenes = (const char **)(void *)names,
                              .seed = seed != NULL ? g_ascii_strtoull (seed, NULL, 10) : 1,
                              .control = cli_control (),
                              .say = cli_bench_listener (args)};
  gboolean ok = plan.methods != NULL && check_piles (names) &&
                !isnan (plan.time_limit = cli_bench_positive (args, "--time-limit", PILES_TIME_LIMIT, FALSE));

#if SSAPP_HAVE_CHIPMUNK
  plan.beside = &ssapp_bench_chipmunk;
#endif
  if (ok && cli_args_text (args, "--steps") != NULL)
    ok = (plan.steps = cli_bench_count (args, "--steps", SIMULATE_STEPS, MAX_STEPS)) > 0;
  if (ok)
    ssapp_bench_piles (&plan, sheet, n_failed);
  g_clear_pointer (&plan.methods, g_ptr_array_unref);
  return ok ? CLI_OK : CLI_BAD_INPUT;
}

/* With --problems the piles that it names, with --bodies the scenes of these sizes, with neither both. */
static int
bench_simulate (const CliArgs *args)
{
  const gboolean has_piles = cli_args_text (args, "--problems") != NULL || cli_args_text (args, "--seed") != NULL;
  const gboolean has_sizes = cli_args_text (args, "--bodies") != NULL || cli_args_flag (args, "--all");
  const gboolean is_order = cli_args_flag (args, "--order");
  g_autofree char *everything = ssapp_method_list_all (SS_METHOD_INTEGRATOR);
  SsappBenchSheet *sheet = NULL;
  int status = CLI_OK, n_failed = 0;

  if (has_piles && (has_sizes || is_order))
    return cli_fail ("--problems and --seed are of piles, --bodies, --all and --order of the scenes of other sizes");
  if (!has_piles) {
    SsappBenchSimulatePlan plan = {.methods = cli_bench_methods (args, SS_METHOD_INTEGRATOR, everything),
                                   .control = cli_control (),
                                   .say = cli_bench_listener (args)};
    status = CLI_BAD_INPUT;
    if (read_simulate_plan (args, cli_args_flag (args, "--all") ? "10,100,1000" : "10,100", &plan)) {
      status = CLI_OK;
      sheet = is_order ? ssapp_bench_order (&plan, &n_failed) : ssapp_bench_sheet_new ();
      if (!is_order)
        ssapp_bench_simulate (&plan, sheet, &n_failed);
    }
    g_clear_pointer (&plan.methods, g_ptr_array_unref);
  }
  if (status == CLI_OK && !has_sizes && !is_order) {
    sheet = sheet != NULL ? sheet : ssapp_bench_sheet_new ();
    status = add_piles (args, sheet, &n_failed);
  }
  if (status == CLI_OK)
    return cli_bench_print_sheet (args, "simulate", sheet, n_failed == 0);
  ssapp_bench_sheet_free (sheet);
  return status;
}

static int
bench_fesd_speed (const CliArgs *args)
{
  SsappBenchSimulatePlan plan = {.methods = cli_bench_methods (args, SS_METHOD_INTEGRATOR, "fesd-j,moreau-jean"),
                                 .control = cli_control (),
                                 .say = cli_bench_listener (args)};
  int status = CLI_BAD_INPUT, n_failed = 0;

  if (read_simulate_plan (args, "1,2,5,10,20", &plan)) {
    SsappBenchSheet *sheet = ssapp_bench_fesd_speed (&plan, &n_failed);
    status = cli_bench_print_sheet (args, "fesd-speed", sheet, n_failed == 0);
  }
  g_clear_pointer (&plan.methods, g_ptr_array_unref);
  return status;
}

/* ---- suite plans ------------------------------------------------------------------------------------------------- */

static int
bench_plans (const CliArgs *args)
{
  const char *seed = cli_args_text (args, "--seed"), *list = cli_args_text (args, "--problems");
  g_auto (GStrv) kinds = list != NULL ? g_strsplit (list, ",", -1) : NULL;
  SsappBenchPlansPlan plan = {.methods = cli_bench_methods (args, SS_METHOD_OPTIMISER, "crisp"),
                              .kinds = kinds,
                              .seed = seed != NULL ? g_ascii_strtoull (seed, NULL, 10) : 1,
                              .folder = cli_args_text (args, "--data"),
                              .control = cli_control (),
                              .say = cli_bench_listener (args)};
  g_autoptr (GError) error = NULL;
  int status = CLI_BAD_INPUT;

  if (plan.methods != NULL && (plan.count = cli_bench_count (args, "--count", PLANS_COUNT, MAX_PLANS_COUNT)) > 0 &&
      !isnan (plan.time_limit = cli_bench_positive (args, "--time-limit", TIME_LIMIT, FALSE))) {
    SsappBenchSheet *sheet = ssapp_bench_plans (&plan, &error);

    status = sheet != NULL ? cli_bench_print_sheet (args, "plans", sheet, TRUE) : cli_fail ("%s", error->message);
  }
  g_clear_pointer (&plan.methods, g_ptr_array_unref);
  return status;
}

/* Parts of --problems; 0: a name is unknown. */
static int
read_freeze_parts (const CliArgs *args)
{
  const char *list = cli_args_text (args, "--problems");
  g_auto (GStrv) names = g_strsplit (list != NULL ? list : "examples,plan,work", ",", -1);
  int parts = 0;

  for (int i = 0; names[i] != NULL; i++) {
    const SsappFreezePart part = ssapp_bench_freeze_part (names[i]);

    if (part == 0) {
      cli_fail ("--problems: no part is named '%s' (examples, plan, work)", names[i]);
      return 0;
    }
    parts |= part;
  }
  return parts;
}

static int
bench_freeze (const CliArgs *args)
{
  const char *list = cli_args_text (args, "--steps"), *folder = cli_args_text (args, "--data");
  int steps[FESD_RUNS_MAX], n_failed, status;
  SsappBenchFreezePlan plan = {
      .steps = list != NULL ? steps : NULL, .control = cli_control (), .say = cli_bench_listener (args)};
  g_autoptr (GError) error = NULL;
  g_autofree char *run = NULL;
  SsTrajectory *robot = NULL;

  if ((list != NULL && (plan.n_steps = read_runs (list, steps)) == 0) || (plan.parts = read_freeze_parts (args)) == 0)
    return CLI_BAD_INPUT;
  if (cli_args_text (args, "--from") != NULL && folder == NULL)
    return cli_fail ("--from is for Figs 7 and 8, which go to the folder of --data");
  if (!cli_read_motion (args, &robot, &run))
    return CLI_BAD_INPUT;
  plan.robot = robot;
  SsappBenchFreeze *bench = ssapp_bench_freeze_new (&plan);
  g_autofree char *csv = ssapp_bench_freeze_csv (bench);
  SsappBenchSheet *sheet = ssapp_bench_freeze_sheet (bench, &n_failed);
  status = cli_bench_print_sheet (args, "time-freezing", sheet, n_failed == 0);
  if (cli_bench_write_csv (cli_args_text (args, "--to"), csv) != CLI_OK)
    status = CLI_BROKEN;
  if (folder != NULL && !ssapp_bench_freeze_data (bench, folder, &error)) {
    cli_fail ("%s", error->message);
    status = CLI_BROKEN;
  }
  ssapp_bench_freeze_free (bench);
  ss_trajectory_free (robot);
  return status;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

enum {
  CRISP = 1 << 0,
  MPC = 1 << 1,
  SIMULATE = 1 << 2,
  CONSTRAINT_SOLVER = 1 << 3,
  IMPACTS = 1 << 4,
  FESD_ORDER = 1 << 5,
  FESD_SPEED = 1 << 6,
  PLANS = 1 << 7,
  TIME_FREEZING = 1 << 8,
  CLOSED_FORMS = 1 << 9,
  CONTACT_SOLVERS = 1 << 10,
  COLLECTION = 1 << 11
};

static const struct {
  const char *name;
  int id;
  int (*run) (const CliArgs *args);
} suites[] = {{"crisp", CRISP, bench_crisp},
              {"mpc", MPC, bench_mpc},
              {"simulate", SIMULATE, bench_simulate},
              {"constraint-solver", CONSTRAINT_SOLVER, bench_constraint_solver},
              {"impacts", IMPACTS, bench_impacts},
              {"fesd-order", FESD_ORDER, bench_fesd_order},
              {"fesd-speed", FESD_SPEED, bench_fesd_speed},
              {"plans", PLANS, bench_plans},
              {"time-freezing", TIME_FREEZING, bench_freeze},
              {"closed-forms", CLOSED_FORMS, cli_bench_closed_forms},
              {"contact-solvers", CONTACT_SOLVERS, cli_bench_contact_solvers},
              {"collection", COLLECTION, cli_bench_collection}};

static const struct {
  const char *option;
  int suites; /* that have it */
} suite_options[] = {
    {"--problems", CRISP | SIMULATE | PLANS | TIME_FREEZING | CLOSED_FORMS | CONTACT_SOLVERS},
    {"--solver", CONTACT_SOLVERS},
    {"--tolerance", CONTACT_SOLVERS},
    {"--relative", CONTACT_SOLVERS},
    {"--iterations", CONTACT_SOLVERS},
    {"--cpu-limit", CONTACT_SOLVERS},
    {"--plot", CONTACT_SOLVERS},
    {"--from", TIME_FREEZING},
    {"--count", PLANS},
    {"--instances", CRISP},
    {"--repeats", CRISP | COLLECTION},
    {"--to", CRISP | COLLECTION | MPC | FESD_ORDER | TIME_FREEZING | CONTACT_SOLVERS},
    {"--table", CLOSED_FORMS},
    {"--format", COLLECTION | SIMULATE | CONSTRAINT_SOLVER | IMPACTS | FESD_ORDER | FESD_SPEED | PLANS | TIME_FREEZING},
    {"--look-ahead", MPC},
    {"--every", MPC},
    {"--deadline", MPC},
    {"--friction", MPC},
    {"--set", MPC},
    {"--project", CRISP | COLLECTION | TIME_FREEZING},
    {"--verbose", CRISP},
    {"--noise", MPC},
    {"--seed", CRISP | MPC | SIMULATE | PLANS},
    {"--fresh", CRISP},
    {"--best", CRISP},
    {"--steps", MPC | SIMULATE | FESD_ORDER | FESD_SPEED | TIME_FREEZING},
    {"--bodies", SIMULATE | FESD_SPEED},
    {"--order", SIMULATE},
    {"--homotopy", FESD_ORDER},
    {"--figure", FESD_ORDER | CONTACT_SOLVERS},
    {"--data", CONTACT_SOLVERS | IMPACTS | PLANS | TIME_FREEZING},
    {"--all", SIMULATE | CONSTRAINT_SOLVER | IMPACTS},
    {"--methods", CRISP | COLLECTION | MPC | SIMULATE | FESD_SPEED | PLANS | CLOSED_FORMS},
    {"--time-limit", CRISP | COLLECTION | MPC | SIMULATE | FESD_SPEED | PLANS},
    {"--option", CRISP | COLLECTION | MPC | SIMULATE | PLANS | CLOSED_FORMS},
};

int
cli_bench (const CliArgs *args)
{
  const char *name = cli_args_positional (args, 0);
  guint s = 0;

  while (s < G_N_ELEMENTS (suites) && strcmp (suites[s].name, name) != 0)
    s++;
  if (s == G_N_ELEMENTS (suites))
    return fail_suite (name);
  if ((suites[s].id & (MPC | COLLECTION)) == 0 && cli_args_n_positional (args) > 1)
    return cli_fail ("suite %s takes no file", name);
  /* options that mean nothing to the suite named are mistakes, not decoration */
  for (guint i = 0; i < G_N_ELEMENTS (suite_options); i++) {
    const char *option = suite_options[i].option;
    const gboolean is_given = cli_args_flag (args, option) || cli_args_list (args, option)->len > 0;
    if (is_given && !(suite_options[i].suites & suites[s].id))
      return cli_fail ("suite %s has no option %s", name, option);
  }
  SsappTableFormat format;
  const char *of_tables = cli_args_text (args, "--format");
  if (of_tables != NULL && !ssapp_table_format_from_name (of_tables, &format))
    return cli_fail ("'%s' is no format of tables (expected %s)", of_tables, ssapp_table_format_names ());
  if (cli_check_output (args, "--to") != CLI_OK || cli_check_output (args, "--best") != CLI_OK ||
      cli_check_output (args, "--figure") != CLI_OK || cli_check_output (args, "--table") != CLI_OK)
    return CLI_BAD_INPUT;
  cli_watch_signals ();
  return suites[s].run (args);
}
