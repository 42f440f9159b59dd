/* app/cli/cli-bench.c: the verb `bench`: named suites, as table, JSON and CSV. Ctrl-C ends a suite with what there
 * is. */
#include "app/cli/cli-bench-common.h"

#include "app/bench/ssapp-bench-edits.h"
#include "app/bench/ssapp-bench-fesd.h"
#include "app/bench/ssapp-bench-freeze.h"
#include "app/bench/ssapp-bench-impacts.h"
#include "app/bench/ssapp-bench-piles.h"
#include "app/bench/ssapp-bench-plans.h"
#include "app/bench/ssapp-bench-replan.h"
#include "app/bench/ssapp-bench-tasks.h"
#include "app/export/ssapp-export.h"
#include "app/base/ssapp-json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRESH = 20, MAX_FRESH = 1000, MAX_DRAWN_SEED = 1000000, EPISODE = 100, HORIZON = 10 };
static const double NOISE = 0.001; /* m per step of 50 ms */
enum { SIMULATE_STEPS = 200, MAX_BODIES = 1500, FESD_RUNS_MAX = 100, FESD_STEPS_MAX = 100000 };
enum { CPU_LIMIT = 60, SIMULATE_CPU_LIMIT = 5 }; /* of one solve, as in the reference; of one run [s] */

/* ---- arguments --------------------------------------------------------------------------------------------------- */

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
                                   .cpu_limit = plan->cpu_limit,
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
bench_crisp (const CliArgs *args, const CliBenchAsked *asked)
{
  g_autoptr (GPtrArray) reference = ssapp_bench_reference (), paper = ssapp_bench_paper ();
  SsappBenchPlan plan = {.methods = asked->methods,
                         .repeats = asked->repeats,
                         .cpu_limit = asked->cpu_limit,
                         .control = cli_control (),
                         .tell = cli_bench_listener (args) != NULL ? tell_run : NULL};
  SsappBenchSelection selection;
  guint64 seed = 0;
  int n_fresh = 0, status = CLI_OK;

  if (!read_selection (args, &selection) || !read_fresh (args, &n_fresh, &seed))
    return CLI_BAD_INPUT;
  if (selection == SSAPP_BENCH_NONE && n_fresh == 0)
    return cli_fail ("option --instances none: there is nothing to run without --fresh or --seed");
  plan.store = cli_open_project (args, TRUE, &status);
  if (status == CLI_OK) {
    plan.instances = ssapp_bench_instances (reference, asked->problems, selection, n_fresh, seed);
    status = run_crisp (args, &plan, paper);
    g_ptr_array_unref (plan.instances);
  }
  return cli_close_project (&plan.store) != CLI_OK ? CLI_BROKEN : status;
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
  g_autofree char *warm = g_strconcat (ss_method_default (SS_METHOD_OPTIMISER)->name, ":preset=warm", NULL);
  const CliBenchAsk ask = {.kind = SS_METHOD_OPTIMISER, .methods = warm, .steps = 1000, .cpu_limit = CPU_LIMIT};
  CliBenchAsked asked;
  int status = CLI_BAD_INPUT;

  if (cli_bench_ask (args, &ask, &asked)) {
    const SsappBenchMpcPlan plan = {.methods = asked.methods,
                                    .steps = asked.steps,
                                    .episode = EPISODE,
                                    .n_points = HORIZON,
                                    .noise = cli_bench_positive (args, "--noise", NOISE, TRUE),
                                    .seed = asked.seed,
                                    .cpu_limit = asked.cpu_limit,
                                    .control = cli_control ()};
    status = isnan (plan.noise) ? CLI_BAD_INPUT : run_mpc (args, &plan);
  }
  cli_bench_asked_clear (&asked);
  return status;
}

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
bench_replan (const CliArgs *args, const CliBenchAsked *asked, const char *file)
{
  SsappBenchReplanPlan plan = {.episode = REPLAN_EPISODE, .seed = asked->seed, .control = cli_control ()};
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = NULL;
  SsScenario *scenario = NULL;

  if (cli_args_text (args, "--methods") != NULL || cli_args_text (args, "--cpu-limit") != NULL)
    return cli_fail ("suite mpc with a file has no options --methods and --cpu-limit: it plans by crisp, within "
                     "--deadline");
  if (!read_replan_options (args, &plan.options) ||
      (plan.steps = cli_bench_count (args, "--steps", REPLAN_STEPS, CLI_BENCH_MAX_STEPS)) == 0 ||
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
    status = cli_bench_print_sheet (args, "mpc", ssapp_bench_replan_sheet (bench), csv,
                                    ssapp_bench_replan_is_success (bench));
  }
  ssapp_bench_replan_free (bench);
  ss_scenario_free (scenario);
  return status;
}

/* Of a file: its kind decides. */
static int
bench_file (const CliArgs *args, const CliBenchAsked *asked, const char *file)
{
  g_autofree char *text = cli_read_text (file);
  SsScenario *scenario = text != NULL ? cli_read_scenario (args, file) : NULL;

  if (scenario == NULL)
    return CLI_BAD_INPUT;
  const gboolean is_model = scenario->model != NULL;
  ss_scenario_free (scenario);
  if (!is_model && (asked->problems != NULL || cli_args_text (args, "--project") != NULL))
    return cli_fail ("suite mpc takes --problems and --project only with the file of a model in equations");
  return is_model ? cli_bench_loop (args, asked, file, text) : bench_replan (args, asked, file);
}

static int
bench_mpc (const CliArgs *args, const CliBenchAsked *asked)
{
  static const char *const of_files[] = {"--look-ahead", "--every", "--deadline", "--friction",
                                         "--set",        "--to",    "--problems", "--project"};

  if (cli_args_n_positional (args) > 1)
    return bench_file (args, asked, cli_args_positional (args, 1));
  for (guint i = 0; i < G_N_ELEMENTS (of_files); i++)
    if (cli_args_list (args, of_files[i])->len > 0)
      return cli_fail ("suite mpc takes %s only with the file of a scene: bench mpc FILE", of_files[i]);
  return bench_push_t (args);
}

/* ---- other suites ------------------------------------------------------------------------------------------------ */

static int
bench_constraint_solver (const CliArgs *args, const CliBenchAsked *asked)
{
  const SsappBenchConstraintPlan plan = {
      .is_all = cli_args_flag (args, "--all"), .control = cli_control (), .say = cli_bench_listener (args)};

  (void)asked;
  return cli_bench_print_sheet (args, "constraint-solver", ssapp_bench_constraint (&plan), NULL, TRUE);
}

static int
bench_impacts (const CliArgs *args, const CliBenchAsked *asked)
{
  const SsappBenchImpactsPlan plan = {
      .is_all = cli_args_flag (args, "--all"), .control = cli_control (), .say = cli_bench_listener (args)};
  const char *folder = cli_args_text (args, "--data");
  g_autoptr (GError) error = NULL;

  (void)asked;
  if (folder != NULL && !ssapp_bench_impacts_data (&plan, folder, &error)) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  return cli_bench_print_sheet (args, "impacts", ssapp_bench_impacts (&plan), NULL, TRUE);
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
bench_fesd_order (const CliArgs *args, const CliBenchAsked *asked)
{
  const char *list = cli_args_text (args, "--steps");
  int steps[FESD_RUNS_MAX], n_failed;
  SsappBenchFesdPlan plan = {
      .steps = list != NULL ? steps : NULL, .control = cli_control (), .say = cli_bench_listener (args)};
  const char *picture = cli_args_text (args, "--figure");
  SsappOrderFigure *figure = NULL;
  g_autoptr (GError) error = NULL;
  char *csv = NULL;

  (void)asked;
  if (list != NULL && (plan.n_steps = read_runs (list, steps)) == 0)
    return CLI_BAD_INPUT;
  if (!read_extent (args, &plan.homotopy))
    return CLI_BAD_INPUT;
  SsappBenchSheet *sheet = ssapp_bench_fesd_order (&plan, &csv, &figure, &n_failed);
  int status = cli_bench_print_sheet (args, "fesd-order", sheet, csv, n_failed == 0);
  if (picture != NULL && !ssapp_order_figure_export (figure, picture, &error))
    status = cli_fail ("%s", error->message);
  ssapp_order_figure_free (figure);
  g_free (csv);
  return status;
}

/* Fills the plan by what was asked for and the sizes of --bodies, "10,100". FALSE after an error. */
static gboolean
read_sizes (const CliArgs *args, const char *fallback, const CliBenchAsked *asked, SsappBenchSimulatePlan *plan)
{
  const char *list = cli_args_text (args, "--bodies");
  char **items = g_strsplit (list != NULL ? list : fallback, ",", -1);
  gboolean ok = TRUE;

  plan->methods = asked->methods;
  plan->steps = asked->steps;
  plan->cpu_limit = asked->cpu_limit;
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

/* Piles and pyramids of ssapp-bench-piles.h; a negative status after an error of the command line, else of the runs. */
static int
add_piles (const CliArgs *args, SsappBenchSheet *sheet, int *n_failed)
{
  static const CliBenchAsk ask = {
      .kind = SS_METHOD_INTEGRATOR,
      .methods = "stewart-trinkle,convex-time-stepping,moreau-jean,constraint-solver",
      .steps = SIMULATE_STEPS,
      .cpu_limit = 60,
  };
  CliBenchAsked asked;
  const gboolean ok = cli_bench_ask (args, &ask, &asked);
  SsappBenchPilesPlan plan = {.methods = asked.methods,
                              .scenes = (const char **)(void *)asked.problems,
                              .seed = asked.seed,
                              .steps = cli_args_text (args, "--steps") != NULL ? asked.steps : 0,
                              .cpu_limit = asked.cpu_limit,
                              .control = cli_control (),
                              .say = cli_bench_listener (args)};

#if SSAPP_HAVE_CHIPMUNK
  plan.beside = &ssapp_bench_chipmunk;
#endif
  if (ok)
    ssapp_bench_piles (&plan, sheet, n_failed);
  cli_bench_asked_clear (&asked);
  return ok ? CLI_OK : CLI_BAD_INPUT;
}

/* Scenes of the sizes of --bodies, with --order the orders of convergence. */
static int
add_sizes (const CliArgs *args, SsappBenchSheet *sheet, int *n_failed)
{
  static const CliBenchAsk ask = {
      .kind = SS_METHOD_INTEGRATOR, .methods = "", .steps = SIMULATE_STEPS, .cpu_limit = SIMULATE_CPU_LIMIT};
  CliBenchAsked asked;
  SsappBenchSimulatePlan plan = {.control = cli_control (), .say = cli_bench_listener (args)};
  const gboolean ok = cli_bench_ask (args, &ask, &asked) &&
                      read_sizes (args, cli_args_flag (args, "--all") ? "10,100,1000" : "10,100", &asked, &plan);

  if (ok && cli_args_flag (args, "--order"))
    ssapp_bench_order (&plan, sheet, n_failed);
  else if (ok)
    ssapp_bench_simulate (&plan, sheet, n_failed);
  cli_bench_asked_clear (&asked);
  return ok ? CLI_OK : CLI_BAD_INPUT;
}

/* With --problems the piles that it names, with --bodies the scenes of these sizes, with neither both. */
static int
bench_simulate (const CliArgs *args, const CliBenchAsked *asked)
{
  const gboolean has_piles = cli_args_text (args, "--problems") != NULL || cli_args_text (args, "--seed") != NULL;
  const gboolean has_sizes = cli_args_text (args, "--bodies") != NULL || cli_args_flag (args, "--all");
  const gboolean is_order = cli_args_flag (args, "--order");
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  int status = CLI_OK, n_failed = 0;

  (void)asked;
  if (has_piles && (has_sizes || is_order))
    status = cli_fail ("--problems and --seed are of piles, --bodies, --all and --order of the scenes of other sizes");
  if (status == CLI_OK && !has_piles)
    status = add_sizes (args, sheet, &n_failed);
  if (status == CLI_OK && !has_sizes && !is_order)
    status = add_piles (args, sheet, &n_failed);
  if (status == CLI_OK)
    return cli_bench_print_sheet (args, "simulate", sheet, NULL, n_failed == 0);
  ssapp_bench_sheet_free (sheet);
  return status;
}

static int
bench_fesd_speed (const CliArgs *args, const CliBenchAsked *asked)
{
  SsappBenchSimulatePlan plan = {.control = cli_control (), .say = cli_bench_listener (args)};
  int n_failed = 0;

  if (!read_sizes (args, "1,2,5,10,20", asked, &plan))
    return CLI_BAD_INPUT;
  SsappBenchSheet *sheet = ssapp_bench_fesd_speed (&plan, &n_failed);
  return cli_bench_print_sheet (args, "fesd-speed", sheet, NULL, n_failed == 0);
}

/* ---- suite edits ------------------------------------------------------------------------------------------------- */

static int
bench_edits (const CliArgs *args, const CliBenchAsked *asked)
{
  const SsappBenchEditsPlan plan = {
      .names = asked->problems, .repeats = asked->repeats, .control = cli_control (), .say = cli_bench_listener (args)};
  g_autoptr (GError) error = NULL;
  int n_failed = 0;
  SsappBenchSheet *sheet = ssapp_bench_edits (&plan, &n_failed, &error);

  return sheet != NULL ? cli_bench_print_sheet (args, "edits", sheet, NULL, n_failed == 0)
                       : cli_fail ("%s", error->message);
}

/* ---- suite plans ------------------------------------------------------------------------------------------------- */

static int
bench_plans (const CliArgs *args, const CliBenchAsked *asked)
{
  const SsappBenchPlansPlan plan = {.methods = asked->methods,
                                    .kinds = asked->problems,
                                    .count = asked->count,
                                    .seed = asked->seed,
                                    .cpu_limit = asked->cpu_limit,
                                    .folder = cli_args_text (args, "--data"),
                                    .control = cli_control (),
                                    .say = cli_bench_listener (args)};
  g_autoptr (GError) error = NULL;
  SsappBenchSheet *sheet = ssapp_bench_plans (&plan, &error);

  return sheet != NULL ? cli_bench_print_sheet (args, "plans", sheet, NULL, TRUE) : cli_fail ("%s", error->message);
}

static int
bench_freeze (const CliArgs *args, const CliBenchAsked *asked)
{
  const char *list = cli_args_text (args, "--steps"), *folder = cli_args_text (args, "--data");
  int steps[FESD_RUNS_MAX], n_failed, status;
  SsappBenchFreezePlan plan = {
      .steps = list != NULL ? steps : NULL, .control = cli_control (), .say = cli_bench_listener (args)};
  g_autoptr (GError) error = NULL;
  g_autofree char *run = NULL;
  SsTrajectory *robot = NULL;

  if (list != NULL && (plan.n_steps = read_runs (list, steps)) == 0)
    return CLI_BAD_INPUT;
  for (int i = 0; asked->problems != NULL && asked->problems[i] != NULL; i++)
    plan.parts |= ssapp_bench_freeze_part (asked->problems[i]);
  if (asked->problems == NULL)
    plan.parts = SSAPP_FREEZE_PART_EXAMPLES | SSAPP_FREEZE_PART_PLAN | SSAPP_FREEZE_PART_WORK;
  if (cli_args_text (args, "--from") != NULL && folder == NULL)
    return cli_fail ("--from is for Figs 7 and 8, which go to the folder of --data");
  if (!cli_read_motion (args, &robot, &run))
    return CLI_BAD_INPUT;
  plan.robot = robot;
  SsappBenchFreeze *bench = ssapp_bench_freeze_new (&plan);
  g_autofree char *csv = ssapp_bench_freeze_csv (bench);
  SsappBenchSheet *sheet = ssapp_bench_freeze_sheet (bench, &n_failed);
  status = cli_bench_print_sheet (args, "time-freezing", sheet, csv, n_failed == 0);
  if (folder != NULL && !ssapp_bench_freeze_data (bench, folder, &error)) {
    cli_fail ("%s", error->message);
    status = CLI_BROKEN;
  }
  ssapp_bench_freeze_free (bench);
  ss_trajectory_free (robot);
  return status;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

/* A suite: options of its own, what the common ones are without being given, what --problems may name. */
static const struct {
  const char *name, *options; /* between blanks */
  gboolean takes_file;
  CliBenchAsk ask;
  const char *noun;            /* of a problem */
  const char *const *problems; /* their names; NULL: the suite looks itself */
  int (*run) (const CliArgs *args, const CliBenchAsked *asked);
} suites[] = {
    {.name = "crisp",
     .options =
         " --problems --instances --repeats --to --project --verbose --seed --fresh --best --methods --cpu-limit "
         "--option ",
     .ask = {SS_METHOD_OPTIMISER, "", .repeats = 3, .cpu_limit = CPU_LIMIT},
     .noun = "problem",
     .problems = ssapp_bench_problems,
     .run = bench_crisp},
    {.name = "mpc",
     .options = " --problems --project --to --look-ahead --every --deadline --friction --set --noise --seed --steps "
                "--methods --cpu-limit --option ",
     .takes_file = TRUE,
     .run = bench_mpc},
    {.name = "simulate",
     .options = " --problems --format --seed --steps --bodies --order --all --methods --cpu-limit --option ",
     .noun = "scene",
     .problems = ssapp_bench_pile_names,
     .run = bench_simulate},
    {.name = "constraint-solver", .options = " --format --all ", .run = bench_constraint_solver},
    {.name = "laws",
     .options = " --format --methods --option --plot --figure ",
     .ask = {SS_METHOD_INTEGRATOR, ""},
     .run = cli_bench_laws},
    {.name = "impacts", .options = " --format --data --all ", .run = bench_impacts},
    {.name = "fesd-order", .options = " --to --format --steps --homotopy --figure ", .run = bench_fesd_order},
    {.name = "fesd-speed",
     .options = " --format --steps --bodies --methods --cpu-limit ",
     .ask = {SS_METHOD_INTEGRATOR, "fesd-j,moreau-jean", .steps = SIMULATE_STEPS, .cpu_limit = SIMULATE_CPU_LIMIT},
     .run = bench_fesd_speed},
    {.name = "time-freezing",
     .options = " --problems --from --to --format --project --steps --data ",
     .noun = "part",
     .problems = ssapp_bench_freeze_parts,
     .run = bench_freeze},
    {.name = "plans",
     .options = " --problems --count --format --seed --data --methods --cpu-limit --option ",
     .ask = {SS_METHOD_OPTIMISER, "crisp", .count = 2, .cpu_limit = CPU_LIMIT},
     .noun = "kind",
     .problems = ssapp_bench_task_kinds,
     .run = bench_plans},
    {.name = "closed-forms",
     .options = " --problems --table --methods --option ",
     .ask = {SS_METHOD_INTEGRATOR, ""},
     .run = cli_bench_closed_forms},
    {.name = "contact-solvers",
     .options = " --problems --solver --tolerance --relative --iterations --cpu-limit --plot --to --figure --data ",
     .run = cli_bench_contact_solvers},
    {.name = "edits",
     .options = " --problems --repeats --format ",
     .ask = {.repeats = 3},
     .noun = "scene",
     .run = bench_edits},
    {.name = "collection",
     .options = " --repeats --to --format --project --methods --cpu-limit --option ",
     .takes_file = TRUE,
     .ask = {SS_METHOD_OPTIMISER, "", .repeats = 1, .cpu_limit = CPU_LIMIT},
     .run = cli_bench_collection},
};

/* Says that there is no such `what`; CLI_BAD_INPUT. */
static int
fail_name (const char *what, const char *name, const char *const *known)
{
  char **names = (char **)(void *)known;
  const char *nearest = ss_nearest_name (name, known, (int)g_strv_length (names));
  g_autofree char *list = g_strjoinv (", ", names);

  if (nearest != NULL)
    return cli_fail ("%s '%s'; did you mean '%s'?", what, name, nearest);
  return cli_fail ("%s '%s'; there are %s", what, name, list);
}

static int
fail_suite (const char *name)
{
  const char *names[G_N_ELEMENTS (suites) + 1] = {NULL};

  for (guint s = 0; s < G_N_ELEMENTS (suites); s++)
    names[s] = suites[s].name;
  return fail_name ("unknown suite", name, names);
}

/* Options that mean nothing to the suite are mistakes, not decoration. */
static int
check_options (const CliArgs *args, guint suite)
{
  for (guint s = 0; s < G_N_ELEMENTS (suites); s++) {
    g_auto (GStrv) options = g_strsplit (suites[s].options, " ", -1);
    for (int i = 0; options[i] != NULL; i++) {
      g_autofree char *word = g_strconcat (" ", options[i], " ", NULL);
      if (*options[i] != '\0' && strstr (suites[suite].options, word) == NULL &&
          (cli_args_flag (args, options[i]) || cli_args_list (args, options[i])->len > 0))
        return cli_fail ("suite %s has no option %s", suites[suite].name, options[i]);
    }
  }
  return CLI_OK;
}

static int
check_problems (guint suite, char *const *names)
{
  const char *const *known = suites[suite].problems;
  g_autofree char *what = g_strdup_printf ("suite %s has no %s", suites[suite].name, suites[suite].noun);

  for (int i = 0; known != NULL && names != NULL && names[i] != NULL; i++)
    if (!g_strv_contains (known, names[i]))
      return fail_name (what, names[i], known);
  return CLI_OK;
}

int
cli_bench (const CliArgs *args)
{
  const char *name = cli_args_positional (args, 0);
  const char *of_tables = cli_args_text (args, "--format");
  CliBenchAsked asked;
  SsappTableFormat format;
  guint s = 0;

  while (s < G_N_ELEMENTS (suites) && strcmp (suites[s].name, name) != 0)
    s++;
  if (s == G_N_ELEMENTS (suites))
    return fail_suite (name);
  if (!suites[s].takes_file && cli_args_n_positional (args) > 1)
    return cli_fail ("suite %s takes no file", name);
  if (check_options (args, s) != CLI_OK)
    return CLI_BAD_INPUT;
  if (of_tables != NULL && !ssapp_table_format_from_name (of_tables, &format))
    return cli_fail ("'%s' is no format of tables (expected %s)", of_tables, ssapp_table_format_names ());
  if (cli_check_output (args, "--to") != CLI_OK || cli_check_output (args, "--best") != CLI_OK ||
      cli_check_output (args, "--figure") != CLI_OK || cli_check_output (args, "--table") != CLI_OK)
    return CLI_BAD_INPUT;
  cli_watch_signals ();
  int status = CLI_BAD_INPUT;
  if (cli_bench_ask (args, &suites[s].ask, &asked) && check_problems (s, asked.problems) == CLI_OK)
    status = suites[s].run (args, &asked);
  cli_bench_asked_clear (&asked);
  return status;
}
