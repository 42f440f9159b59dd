/* app/cli/cli-pull.c: the verb `pull`: numbers of a scene that give its motion a wanted outcome. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-file.h"
#include "app/draw/ssapp-run-events.h"
#include "app/export/ssapp-reach-picture.h"
#include "app/job/ssapp-pull.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS_USUAL = 49, EVENTS_TOLD = 8 };

typedef struct {
  const CliArgs *args;
  SsappFitAsk ask;           /* of a fit: its scene, method, options, and what is free */
  GArray *wants;             /* of SsPullWant */
  SsPullJob job;             /* borrows from both */
  int range;                 /* cause that is scanned; -1: none */
  gboolean pulls;            /* a value is wanted */
  SsappInterests *interests; /* that the motion is asked in the end */
} Pull;

static void
clear_want (gpointer data)
{
  g_free ((char *)((SsPullWant *)data)->formula);
}

static void
pull_clear (Pull *self)
{
  ssapp_fit_ask_clear (&self->ask);
  g_clear_pointer (&self->wants, g_array_unref);
  g_clear_pointer (&self->interests, ssapp_interests_free);
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static gboolean
read_wants (Pull *self, GError **error)
{
  GPtrArray *texts = cli_args_list (self->args, "--want");
  const double tolerance = cli_args_number (self->args, "--tolerance", NAN);

  self->wants = g_array_new (FALSE, TRUE, sizeof (SsPullWant));
  g_array_set_clear_func (self->wants, clear_want);
  self->pulls = FALSE;
  for (guint i = 0; i < texts->len; i++) {
    SsPullWant want;
    if (!ssapp_pull_read_want (g_ptr_array_index (texts, i), self->range < 0, tolerance, &want, error))
      return FALSE;
    self->pulls = self->pulls || !isnan (want.value);
    g_array_append_val (self->wants, want);
  }
  return TRUE;
}

static gboolean
read_range (Pull *self)
{
  const char *name = cli_args_text (self->args, "--range");

  self->range = -1;
  for (int k = 0; name != NULL && k < self->job.n_causes; k++)
    if (strcmp (self->job.causes[k].name, name) == 0)
      self->range = k;
  if (name != NULL && self->range < 0)
    cli_fail ("--range %s: it is none of the numbers of --change", name);
  return name == NULL || self->range >= 0;
}

/* --outcome, and what the scenario asks: of the motion that is found. */
static gboolean
read_interests (Pull *self, GError **error)
{
  GPtrArray *texts = cli_args_list (self->args, "--outcome");
  int status;
  g_autoptr (SsappInterests) asked = cli_interests (self->args, &status);

  for (guint i = 0; asked != NULL && *error == NULL && i < texts->len; i++)
    g_free (ssapp_interests_dup_unit (asked, i, self->job.scenario, error));
  if (asked == NULL || *error != NULL)
    return FALSE;
  self->interests = ssapp_interests_new_of ((const char *const *)texts->pdata, texts->len, self->job.scenario);
  return TRUE;
}

static gboolean
read_all (Pull *self)
{
  const CliArgs *args = self->args;
  SsScenario *scenario = cli_read_scenario (args, cli_args_positional (args, 0));
  g_autoptr (GError) error = NULL;
  gboolean ok = scenario != NULL;

  if (!ok)
    return FALSE;
  ssapp_fit_ask_init (&self->ask, scenario);
  ok = ssapp_fit_ask_set_method (&self->ask, cli_args_text (args, "--method"), &error) &&
       ssapp_fit_ask_set_free (&self->ask, cli_args_text (args, "--change"), &error) &&
       cli_fit_ask_add_options (&self->ask, args, &error);
  if (ok)
    self->job = (SsPullJob){.scenario = scenario,
                            .method = self->ask.job.method,
                            .options = self->ask.options,
                            .dt = cli_args_number (args, "--dt", NAN),
                            .t_end = cli_args_number (args, "--t-end", NAN),
                            .causes = (const SsPullCause *)(const void *)self->ask.free->data,
                            .n_causes = (int)self->ask.free->len,
                            .wants_others = cli_args_flag (args, "--others")};
  ok = ok && read_range (self) && read_wants (self, &error) && read_interests (self, &error);
  if (ok) {
    self->job.wants = (const SsPullWant *)(const void *)self->wants->data;
    self->job.n_wants = (int)self->wants->len;
  }
  if (error != NULL)
    cli_fail ("%s", error->message);
  return ok;
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

static void
print_sequence (const SsScene *scene, const char *head, const SsEventList *events)
{
  g_autofree char *text = ssapp_pull_sequence_text (scene, events, EVENTS_TOLD);

  printf ("%-8s %s\n", head, text);
}

/* What a little of an outcome costs here. */
static void
print_slopes (const SsPull *pull)
{
  for (int i = 0; i < pull->n_wants; i++)
    for (int k = 0; k < pull->n_causes; k++)
      if (isfinite (pull->slopes[i * pull->n_causes + k]))
        printf ("%s by %s: %.6g\n", pull->outcomes[i].formula, pull->changes[k].name,
                pull->slopes[i * pull->n_causes + k]);
  printf ("\n");
}

static void
print_pull (const SsScene *scene, const SsPull *pull, json_t *answers)
{
  g_autoptr (SsappTable) changes = ssapp_pull_changes_to_table (pull), outcomes = ssapp_pull_outcomes_to_table (pull);
  g_autofree char *verdict = ssapp_pull_verdict_text (scene, pull);
  g_autofree char *first = ssapp_table_write (changes, SSAPP_TABLE_TEXT),
                  *second = ssapp_table_write (outcomes, SSAPP_TABLE_TEXT);

  printf ("%s\n\n%s\n%s\n", verdict, first, second);
  print_slopes (pull);
  print_sequence (scene, "before", pull->before);
  print_sequence (scene, "now", pull->now);
  for (int i = 0; i < pull->n_others; i++) {
    printf ("%s", i == 0 ? "other causes of the same\n" : "");
    for (int k = 0; k < pull->n_causes; k++)
      printf ("  %s %.9g", pull->changes[k].name, pull->others[i].values[k]);
    print_sequence (scene, "", pull->others[i].events);
  }
  cli_print_answers (answers);
  printf ("%d simulations, %.3g s of CPU time\n", pull->n_simulations, pull->cpu_seconds);
}

static void
print_reach (const SsScene *scene, const SsReach *reach)
{
  int first, last;

  printf ("%s from %.6g to %.6g\n", reach->name, reach->lower, reach->upper);
  for (int i = 0; ssapp_reach_stretch (reach, i, &first, &last); i++) {
    const SsReachPoint *a = &reach->points[first], *b = &reach->points[last];
    g_autofree char *sequence = a->sequence >= 0
                                    ? ssapp_pull_sequence_text (scene, reach->sequences[a->sequence], EVENTS_TOLD)
                                    : g_strdup ("no motion");
    printf ("  %.6g to %.6g: %s", a->at, b->at, sequence);
    for (int k = 0; k < reach->n_wants; k++)
      printf ("; %s %.6g to %.6g", reach->outcomes[k].formula, a->values[k], b->values[k]);
    printf ("%s\n", i < reach->n_edges && reach->edges[i].is_jump ? "; it jumps then" : "");
  }
  printf ("%d simulations, %.3g s of CPU time\n", reach->n_simulations, reach->cpu_seconds);
}

/* The answers of the motion that was found. New reference. */
static json_t *
answers_of (const Pull *self, const SsPull *pull)
{
  json_t *result = json_pack ("{s:o}", "events", ssapp_run_events_to_json (self->job.scenario->scene, pull->now));
  json_t *answers = ssapp_interests_to_json (self->interests, NULL, pull->motion, result);

  json_decref (result);
  return answers;
}

static int
write_reach (const Pull *self, const SsReach *reach, const SsPull *pull)
{
  const CliArgs *args = self->args;
  const char *figure = cli_args_text (args, "--figure");
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (cli_args_text (args, "--to") != NULL) {
    const SsappTableFormat format = cli_table_format (args, &status);
    g_autoptr (SsappTable) table = ssapp_reach_to_table (self->job.scenario->scene, reach);
    if (status == CLI_OK)
      status = cli_write_table (args, table, format);
  }
  const SsappReachPicture picture = {self->job.scenario, reach, pull, 0};
  if (status == CLI_OK && figure != NULL &&
      !ssapp_reach_picture_export (&picture, cli_args_number (args, "--width", CLI_WIDTH_MM), figure, &error))
    status = cli_fail ("%s", error->message);
  return status;
}

static int
write_pulled (const CliArgs *args, const SsPull *pull)
{
  const char *path = cli_args_text (args, "--pulled");
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return CLI_OK;
  return ssapp_write_file (path, pull->scenario, -1, &error) ? CLI_OK : cli_fail ("%s", error->message);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static SsRunControl *
control_of (const CliArgs *args)
{
  SsRunControl *control = cli_control ();
  const double seconds = cli_args_number (args, "--time-limit", NAN), cpu = cli_args_number (args, "--cpu-limit", NAN);

  cli_watch_signals ();
  if (!isnan (seconds))
    control->deadline = ss_clock_wall () + seconds;
  if (!isnan (cpu))
    ss_run_control_limit_cpu (control, cpu);
  return control;
}

static int
run (Pull *self)
{
  const CliArgs *args = self->args;
  const SsScene *scene = self->job.scenario->scene;
  const gboolean as_json = cli_args_flag (args, "--json");
  json_t *json = json_object ();
  SsPull pull = {0};
  SsReach reach = {0};
  SsError error;
  int status = CLI_OK;

  if (self->pulls && ss_pull (&self->job, control_of (args), &pull, &error) != SS_OK)
    status = cli_fail ("%s", error.message);
  if (status == CLI_OK && self->pulls) {
    json_decref (json);
    json = ssapp_pull_to_json (scene, &pull);
    json_t *answers = answers_of (self, &pull);
    if (!as_json)
      print_pull (scene, &pull, answers);
    json_object_set_new (json, "answers", answers);
    status = write_pulled (args, &pull);
  }
  if (status == CLI_OK && self->range >= 0) {
    const int n_points = (int)CLAMP (cli_args_number (args, "--points", POINTS_USUAL), 0, G_MAXINT);
    if (ss_reach (&self->job, self->range, n_points, control_of (args), &reach, &error) != SS_OK)
      status = cli_fail ("%s", error.message);
    else {
      json_object_set_new (json, "range", ssapp_reach_to_json (scene, &reach));
      if (!as_json)
        print_reach (scene, &reach);
      status = write_reach (self, &reach, self->pulls ? &pull : NULL);
    }
  }
  if (as_json && status == CLI_OK)
    cli_print_json (json);
  json_decref (json);
  if (status == CLI_OK && self->pulls)
    status = ss_outcome_is_early (pull.outcome) ? CLI_STOPPED : pull.is_reached ? CLI_OK : CLI_NO_SUCCESS;
  ss_pull_clear (&pull);
  ss_reach_clear (&reach);
  return status;
}

int
cli_pull (const CliArgs *args)
{
  static const char *const of_range[] = {"--points", "--to", "--figure", NULL};
  Pull self = {.args = args};
  int status = CLI_OK;

  if (cli_args_list (args, "--want")->len == 0)
    return cli_fail ("'pull' needs --want FORMULA=VALUE, such as --want 'final(ball.x)=3'");
  if (cli_args_text (args, "--change") == NULL)
    return cli_fail ("'pull' needs --change NAME,..., what may change");
  if (cli_args_text (args, "--range") == NULL)
    status = cli_args_none (args, " without --range", of_range, "they are of what a number reaches");
  if (status == CLI_OK && cli_args_text (args, "--figure") != NULL)
    status = cli_check_ending ("reach", cli_args_text (args, "--figure"));
  if (status == CLI_OK)
    status = cli_check_output (args, "--pulled");
  if (status != CLI_OK)
    return status;
  status = read_all (&self) ? run (&self) : CLI_BAD_INPUT;
  pull_clear (&self);
  return status;
}
