/* app/cli/cli-bench-loop.c: suite mpc of the verb `bench` on a model in equations. */
#include "app/cli/cli-bench-common.h"

#include "app/bench/ssapp-bench-loops.h"

#include <math.h>

enum { CPU_LIMIT = 60 }; /* of one solve [s] */

/* Closed loops of a model in equations. */
int
cli_bench_loop (const CliArgs *args, const CliBenchAsked *asked, const char *file, const char *text)
{
  static const char *const of_scenes[] = {"--look-ahead", "--every", "--deadline", "--friction",
                                          "--noise",      "--to",    "--option"};
  const char *methods = cli_args_text (args, "--methods");
  GPtrArray *pairs = cli_args_list (args, "--set");
  g_autofree SsOverride *set = g_new0 (SsOverride, pairs->len + 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *message = NULL;
  g_autoptr (GError) error = NULL;
  SsappBenchLoopPlan plan = {.text = text,
                             .name = file,
                             .set = set,
                             .n_set = (int)pairs->len,
                             .methods = ssapp_bench_methods_parse (
                                 SS_METHOD_OPTIMISER, methods != NULL ? methods : "crisp:preset=warm", &message),
                             .seed = asked->seed,
                             .cpu_limit = cli_bench_positive (args, "--cpu-limit", CPU_LIMIT, FALSE),
                             .control = cli_control (),
                             .say = cli_bench_listener (args)};

  for (guint i = 0; i < G_N_ELEMENTS (of_scenes); i++)
    if (cli_args_list (args, of_scenes[i])->len > 0) {
      g_clear_pointer (&plan.methods, g_ptr_array_unref);
      return cli_fail ("suite mpc with a model has no option %s", of_scenes[i]);
    }
  for (guint i = 0; i < pairs->len; i++) {
    char *name;
    const char *value;
    cli_args_split (g_ptr_array_index (pairs, i), &name, &value);
    g_ptr_array_add (names, name);
    set[i].name = name;
    (void)ss_parse_double (value, &set[i].value); /* a number: the options' table has looked */
  }
  if (plan.methods == NULL)
    return cli_fail ("option --methods: %s", message);
  if (isnan (plan.cpu_limit)) {
    g_ptr_array_unref (plan.methods);
    return CLI_BAD_INPUT;
  }
  const gboolean is_once = cli_args_text (args, "--steps") == NULL;
  plan.steps = is_once ? 0 : cli_bench_count (args, "--steps", 1, CLI_BENCH_MAX_STEPS);
  int status = CLI_BAD_INPUT;
  SsappStore *store = is_once || plan.steps > 0 ? cli_open_project (args, TRUE, &status) : NULL;
  SsappBenchSheet *sheet = status == CLI_OK ? ssapp_bench_loop (&plan, asked->problems, store, &error) : NULL;
  g_ptr_array_unref (plan.methods);
  if (error != NULL)
    status = cli_fail ("%s", error->message);
  if (sheet != NULL)
    status = cli_bench_print_sheet (args, "mpc", sheet, NULL, TRUE);
  return cli_close_project (&store) != CLI_OK ? CLI_BROKEN : status;
}
