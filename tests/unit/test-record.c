/* tests/unit/test-record.c: the table of metrics and the record of a run: what is in the set is what the result says,
 * for all kinds of run, and what a result says is read again. */
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/job/ssapp-certainty.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-result.h"
#include "app/job/ssapp-ways.h"
#include "tests/ss-test-scenario.h"
#include "tests/ss-test-stepper.h"

#include <stdlib.h>

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void
table_is_consistent (void)
{
  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const SsMetricSpec *spec = ss_metric_spec ((SsMetric)i);
    const char *dot = strchr (spec->name, '.');
    SS_CHECK (ss_metric_find (spec->name) == (SsMetric)i); /* so names are unique */
    SS_CHECK (spec->name[strspn (spec->name, "abcdefghijklmnopqrstuvwxyz0123456789_.")] == '\0');
    SS_CHECK (dot == NULL || strchr (dot + 1, '.') == NULL);
    SS_CHECK (spec->label[0] >= 'A' && spec->label[0] <= 'Z' && strchr (spec->label, '[') == NULL);
    SS_CHECK (spec->summary[0] != '\0' && spec->unit != NULL);
    /* One conversion of a double, with a precision and nothing around it. */
    SS_CHECK (g_regex_match_simple ("^%\\.[0-9]{1,2}[efg]$", spec->format, 0, 0));
    SS_CHECK (spec->type == SS_METRIC_TYPE_REAL || strcmp (spec->format, "%.0f") == 0);
    SS_CHECK (spec->type != SS_METRIC_TYPE_FLAG || spec->unit[0] == '\0');
    /* No plain name is also an object's. */
    for (int k = 0; dot != NULL && k < SS_METRIC_COUNT; k++) {
      const char *other = ss_metric_spec ((SsMetric)k)->name;
      SS_CHECK (strlen (other) != (size_t)(dot - spec->name) || strncmp (other, spec->name, strlen (other)) != 0);
    }
  }
  SS_CHECK (ss_metric_find ("no_such_metric") == SS_METRIC_COUNT);
}

/* Two columns of one table must not have the same heading, or nobody knows which is which. */
static void
titles_differ_where_they_meet (void)
{
  for (int i = 0; i < SS_METRIC_COUNT; i++)
    for (int k = 0; k < i; k++) {
      const SsMetricSpec *a = ss_metric_spec ((SsMetric)i), *b = ss_metric_spec ((SsMetric)k);
      SS_CHECK (strcmp (a->label, b->label) != 0 || strcmp (a->unit, b->unit) != 0);
    }
}

static void
texts_are_for_people (void)
{
  g_autofree char *title = ssapp_metric_title (SS_METRIC_MAX_PENETRATION),
                  *plain = ssapp_metric_title (SS_METRIC_STEPS);
  g_autofree char *heading = ssapp_metric_heading (SS_METRIC_MAX_PENETRATION),
                  *words = ssapp_metric_words (SS_METRIC_CPU_SECONDS);
  g_autofree char *flat = ssapp_metric_flat_name (SS_METRIC_TRACKING_TOTAL),
                  *own = ssapp_metric_flat_name (SS_METRIC_STEPS);
  g_autofree char *small = ssapp_metric_text (SS_METRIC_MAX_PENETRATION, 1.234e-7),
                  *none = ssapp_metric_text (SS_METRIC_OBJECTIVE, NAN),
                  *count = ssapp_metric_text (SS_METRIC_ITERATIONS, 1234567),
                  *yes = ssapp_metric_text (SS_METRIC_SUCCESS_PAPER, 1);
  SS_CHECK_STR (title, "Penetration [m]");
  SS_CHECK_STR (plain, "Steps");
  SS_CHECK_STR (heading, "penetration [m]");
  SS_CHECK_STR (words, "CPU time");
  SS_CHECK_STR (flat, "tracking_error");
  SS_CHECK_STR (own, "steps");
  SS_CHECK_STR (small, "1.2e-07");
  SS_CHECK_STR (none, "-");
  SS_CHECK_STR (count, "1234567");
  SS_CHECK_STR (yes, "yes");
}

static void
best_is_what_the_table_says (void)
{
  const double values[] = {NAN, 3, 1, 2}, unknown[] = {NAN, NAN};
  SS_CHECK (ssapp_metric_best (SS_METRIC_OBJECTIVE, values, 4) == 1);
  SS_CHECK (ssapp_metric_best (SS_METRIC_SUCCESS_PAPER, values, 4) == 3);
  SS_CHECK (isnan (ssapp_metric_best (SS_METRIC_ENERGY_FINAL, values, 4)));
  SS_CHECK (isnan (ssapp_metric_best (SS_METRIC_OBJECTIVE, unknown, 2)));
  SS_CHECK (!ssapp_metric_is_better (SS_METRIC_OBJECTIVE, NAN, 1));
}

/* ---- the set as JSON --------------------------------------------------------------------------------------------- */

static bool
is_same_number (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

static void
check_same_sets (const SsMetricSet *a, const SsMetricSet *b)
{
  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const bool same =
        a->is_set[i] == b->is_set[i] && is_same_number (ss_metric_get (a, (SsMetric)i), ss_metric_get (b, (SsMetric)i));
    SS_CHECK (same);
    if (!same)
      printf ("  %s\n", ss_metric_spec ((SsMetric)i)->name);
  }
}

/* Written as text and read again, as results are. */
static json_t *
through_text (const json_t *json)
{
  char *text = json_dumps (json, SSAPP_JSON_FLAGS);
  json_t *again = json_loads (text, 0, NULL);
  free (text);
  return again;
}

static void
sets_survive_json (void)
{
  SsMetricSet set = {0}, again;
  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const SsMetricType type = ss_metric_spec ((SsMetric)i)->type;
    if (i % 5 != 4)
      ss_metric_set (&set, (SsMetric)i,
                     i % 7 == 3                    ? NAN
                     : type == SS_METRIC_TYPE_FLAG ? i % 2
                     : type == SS_METRIC_TYPE_REAL ? 1. / (i + 3)
                                                   : 1000 + i);
  }
  json_t *json = ssapp_metrics_to_json (&set), *text = through_text (json);
  ssapp_metrics_from_json (text, &again);
  check_same_sets (&set, &again);
  json_decref (json);
  json_decref (text);
  ssapp_metrics_from_json (NULL, &again);
  for (int i = 0; i < SS_METRIC_COUNT; i++)
    SS_CHECK (!again.is_set[i]);
}

static void
types_are_those_of_the_contract (void)
{
  SsMetricSet set = {0};
  ss_metric_set (&set, SS_METRIC_STEPS, 50);
  ss_metric_set (&set, SS_METRIC_SUCCESS_PAPER, 1);
  ss_metric_set (&set, SS_METRIC_OBJECTIVE, 2);
  ss_metric_set (&set, SS_METRIC_TRACKING_ANGLE, NAN);
  json_t *json = ssapp_metrics_to_json (&set);
  SS_CHECK (json_is_integer (json_object_get (json, "steps")));
  SS_CHECK (json_is_true (json_object_get (json, "success_paper")));
  SS_CHECK (json_is_real (json_object_get (json, "objective")));
  SS_CHECK (json_is_null (json_object_get (json_object_get (json, "tracking_error"), "angle")));
  SS_CHECK (json_object_size (json) == 4);
  json_decref (json);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* A run of the default method of a kind; NULL where it failed. */
static SsScenario *
run_default (const char *file, const SsOverride *overrides, int n_overrides, SsMethodKind kind, SsRunResult *result)
{
  SsScenario *scenario = ss_test_read_file (file, overrides, n_overrides);
  const SsMethod *method = ss_method_default (kind);
  SsError err;
  if (scenario == NULL)
    return NULL;
  g_autofree void *options = g_malloc0 (MAX (method->options->size, 1));
  ss_method_init_options (method, scenario, options);
  SsJob job = ss_job (method, scenario, options);
  const bool ok = ss_run (&job, NULL, result, &err) == SS_OK;
  SS_CHECK (ok);
  if (ok)
    return scenario;
  printf ("  %s\n", err.message);
  ss_scenario_free (scenario);
  return NULL;
}

static json_t *
result_of (const SsScenario *scenario, const SsMethod *method, const SsRunResult *result)
{
  SsappJobSpec *spec = ssapp_job_spec_new ();
  spec->kind = method->kind;
  spec->method = g_strdup (method->name);
  json_t *json = ssapp_result_new (spec, scenario, method, NULL, NULL, result, 0.25), *text = through_text (json);
  json_decref (json);
  ssapp_job_spec_free (spec);
  return text;
}

/* The result says what is in the set, and no number besides. */
static void
check_result_is_the_set (SsMethodKind kind, const char *file, const SsOverride *overrides, int n_overrides)
{
  SsRunResult result, again;
  SsScenario *scenario = run_default (file, overrides, n_overrides, kind, &result);
  if (scenario == NULL)
    return;
  json_t *json = result_of (scenario, ss_method_default (kind), &result), *metrics = json_object_get (json, "metrics");
  ss_metric_set (&result.metrics, SS_METRIC_SETUP_SECONDS,
                 ss_metric_get (&result.metrics, SS_METRIC_SETUP_SECONDS) + 0.25); /* of reading */
  ssapp_result_read (json, &again);
  check_same_sets (&result.metrics, &again.metrics);
  SS_CHECK (again.outcome == result.outcome);
  SS_CHECK_STR (again.message, result.message);
  SS_CHECK_STR (again.worst, result.worst);
  SS_CHECK (json_object_get (json, "motions") == NULL && json_object_get (json, "sample_table") == NULL);
  SS_CHECK (result.n_motions == 1 && result.motions[0].role == SS_MOTION_ANSWER && result.motions[0].share == 1);
  json_object_del (metrics, "worst");
  json_object_del (metrics, "certificate");
  json_t *of_set = ssapp_metrics_to_json (&again.metrics), *text = through_text (of_set);
  SS_CHECK (json_equal (metrics, text));
  json_decref (of_set);
  json_decref (text);
  json_decref (json);
  ss_run_result_clear (&result);
  ss_run_result_clear (&again);
  ss_scenario_free (scenario);
}

static void
results_are_their_sets (void)
{
  const SsOverride short_one[] = {{"N", 10}};
  check_result_is_the_set (SS_METHOD_INTEGRATOR, "examples/sketches/falling-box.stickslip.json", NULL, 0);
  check_result_is_the_set (SS_METHOD_OPTIMISER, "examples/crisp/transport.stickslip.json", short_one, 1);
}

/* A race comes back as it was told, and who has a mark is found by it: with what is kept of its answer, the run itself
 * or one of its solutions. */
static void
marks_of_a_race_lead_to_runs (void)
{
  enum { N = 5 };
  static const struct {
    unsigned marks;
    int solution;
    const char *run;
  } given[N] = {{0, 0, "answer"},
                {1u << SS_MEMBER_CHEAPEST, 2, "second"},
                {0, -1, NULL},
                {1u << SS_MEMBER_STEADIEST, 1, "first"},
                {1u << SS_MEMBER_HELD, -1, NULL}};
  const char *expected[SS_MEMBER_MARKS] = {NULL};
  SsMember members[N] = {{.name = ""}};
  json_t *solutions = json_pack ("[{s:s}, {s:s}]", "run", "first", "run", "second");

  for (int i = 0; i < N; i++) {
    SsMember *m = &members[i];
    g_snprintf (m->name, sizeof m->name, "member-%d", i);
    g_snprintf (m->label, sizeof m->label, "Member %d", i);
    m->summary = "a way";
    m->state = i == 2 ? SS_MEMBER_GAVE_UP : SS_MEMBER_SOLVED;
    m->is_best = i == 1;
    m->is_on_front = given[i].marks != 0;
    m->began = 0.5 * i, m->ended = i + 1, m->cpu = 0.25 * i, m->objective = 10 - i, m->violation = 1e-9 * i;
    m->tenth = i == 0 ? (double)NAN : 0.1 * i, m->held = 0.2 * i;
    m->marks = given[i].marks, m->solution = given[i].solution;
    for (int k = 0; k < SS_MEMBER_MARKS; k++)
      if ((m->marks & 1u << k) != 0)
        expected[k] = given[i].run;
  }
  json_t *told = ssapp_race_to_json (members, N, "answer", solutions);
  SsappRace *race = ssapp_race_from_json (told);
  SS_CHECK (race != NULL && race->members->len == N);
  for (int i = 0; race != NULL && i < N; i++) {
    const SsappMember *back = &g_array_index (race->members, SsappMember, i);
    SS_CHECK_STR (back->own.name, members[i].name);
    SS_CHECK_STR (race->names[i], members[i].label);
    SS_CHECK (back->own.state == members[i].state && back->own.is_best == members[i].is_best &&
              back->own.is_on_front == members[i].is_on_front && back->own.marks == members[i].marks);
    SS_CHECK (g_strcmp0 (back->run, given[i].run) == 0);
    SS_CHECK_NEAR (back->own.began, members[i].began, 0);
    SS_CHECK_NEAR (back->own.ended, members[i].ended, 0);
    SS_CHECK_NEAR (back->own.cpu, members[i].cpu, 0);
    SS_CHECK_NEAR (back->own.objective, members[i].objective, 0);
    SS_CHECK_NEAR (back->own.violation, members[i].violation, 0);
    SS_CHECK_NEAR (back->own.held, members[i].held, 0);
    SS_CHECK (isnan (back->own.tenth) == (i == 0) && (i == 0 || back->own.tenth == members[i].tenth));
  }
  for (int k = 0; race != NULL && k < SS_MEMBER_MARKS; k++)
    SS_CHECK (g_strcmp0 (ssapp_race_find_run (race, ss_member_mark_name ((SsMemberMark)k)), expected[k]) == 0);
  SS_CHECK (race != NULL && ssapp_race_find_run (race, "fastest") == NULL && ssapp_race_find_run (race, NULL) == NULL);
  ssapp_race_free (race);
  json_decref (told);
  json_decref (solutions);
}

/* Ways on come back as they were told, with their edits; what a later version may write is left out alone. */
static void
ways_on_come_back (void)
{
  /* Of the first of two ways: a member that gets another value, or goes where that is NULL. */
  static const char *const broken[][2] = {{"kind", "\"magic\""},
                                          {"kind", NULL},
                                          {"with", NULL},
                                          {"with", "3"},
                                          {"outcome", "\"quux\""},
                                          {"outcome", NULL},
                                          {"edits", "[{\"value\": 1}]"},
                                          {"edits", "[3]"}};
  SsWayOn ways[2] = {{.kind = "time", .words = "3 s instead of 2 s", .outcome = SS_OUTCOME_SOLVED, .objective = 0.31},
                     {.kind = "friction",
                      .words = "twice the friction",
                      .outcome = SS_OUTCOME_STALLED,
                      .objective = NAN,
                      .cpu = 0.25,
                      .work = 0.5}};
  SS_CHECK (ss_way_on_add (&ways[0], "3", NULL, "task.horizon") == SS_OK);
  SS_CHECK (ss_way_on_add (&ways[0], "\"2 * mu\"", NULL, "scene.contacts[%d].friction", 1) == SS_OK);
  SS_CHECK (ss_way_on_add (&ways[0], NULL, NULL, "task.dt") == SS_OK);
  json_t *result = json_pack ("{s:o}", "ways_on", ssapp_ways_to_json (ways, 2));
  g_autoptr (GPtrArray) back = ssapp_ways_from_json (result);

  SS_CHECK (back->len == 2);
  for (guint i = 0; i < back->len; i++) {
    const SsWayOn *way = g_ptr_array_index (back, i);
    SS_CHECK_STR (way->kind, ways[i].kind);
    SS_CHECK_STR (way->words, ways[i].words);
    SS_CHECK (way->outcome == ways[i].outcome && way->n_edits == ways[i].n_edits);
    SS_CHECK (isnan (ways[i].objective) ? isnan (way->objective) : way->objective == ways[i].objective);
    SS_CHECK (way->cpu == ways[i].cpu && way->work == ways[i].work);
    for (int k = 0; k < MIN (way->n_edits, ways[i].n_edits); k++) {
      SS_CHECK_STR (way->edits[k].path, ways[i].edits[k].path);
      SS_CHECK (g_strcmp0 (way->edits[k].value, ways[i].edits[k].value) == 0);
    }
  }
  g_autofree char *command = ssapp_way_dup_command (&ways[0], "a/my plan.stickslip.json");
  SS_CHECK_STR (command, "stickslip-cli edit 'a/my plan.stickslip.json' --field 'task.horizon=3' --field "
                         "'scene.contacts[1].friction=\"2 * mu\"' --without 'task.dt' --to 'my "
                         "plan-time.stickslip.json'");
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++) {
    json_t *other = json_deep_copy (result), *first = json_array_get (json_object_get (other, "ways_on"), 0);
    if (broken[i][1] != NULL)
      json_object_set_new (first, broken[i][0], json_loads (broken[i][1], JSON_DECODE_ANY, NULL));
    else
      json_object_del (first, broken[i][0]);
    g_autoptr (GPtrArray) rest = ssapp_ways_from_json (other);
    SS_CHECK (rest->len == 1 && strcmp (((SsWayOn *)g_ptr_array_index (rest, 0))->kind, "friction") == 0);
    json_decref (other);
  }
  json_decref (result);
  ss_way_on_clear (&ways[0]);
}

/* How steps were solved is told if any was solved in one of these ways, whichever. */
static void
results_tell_each_way_of_a_step (void)
{
  static const struct {
    int way;
    const char *name;
  } ways[] = {{SS_STEP_PREDICTED, "predicted"},
              {SS_STEP_ALTERNATIVE, "alternatives"},
              {SS_STEP_HOMOTOPY, "homotopy"},
              {SS_STEP_BISECTED, "bisected"}};
  SsRunResult result;
  SsScenario *scenario =
      run_default ("examples/sketches/falling-box.stickslip.json", NULL, 0, SS_METHOD_INTEGRATOR, &result);
  const SsMethod *method = ss_method_default (SS_METHOD_INTEGRATOR);
  json_t *none = result_of (scenario, method, &result);

  SS_CHECK (json_object_get (none, "fesd") == NULL);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
      result.n_by_way[ways[k].way] = k == i ? 3 : 0;
    json_t *json = result_of (scenario, method, &result), *told = json_object_get (json, "fesd");
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
      SS_CHECK (json_integer_value (json_object_get (told, ways[k].name)) == (k == i ? 3 : 0));
    SS_CHECK (json_object_size (told) == G_N_ELEMENTS (ways));
    json_decref (json);
  }
  json_decref (none);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* A motion is worth the same, to the last bit, whether a simulation ran through or its rows come from elsewhere. */
static void
kept_motions_have_the_metrics_of_simulations (void)
{
  static const char *const files[] = {"examples/sketches/falling-box.stickslip.json",
                                      "examples/classics/rocking-block.stickslip.json",
                                      "examples/classics/bouncing-ball.stickslip.json"};
  static const SsMetric metrics[] = {SS_METRIC_STEPS,           SS_METRIC_ENERGY_INITIAL,     SS_METRIC_ENERGY_FINAL,
                                     SS_METRIC_MAX_PENETRATION, SS_METRIC_MAX_CONE_VIOLATION, SS_METRIC_MAX_RESIDUAL};
  for (gsize f = 0; f < G_N_ELEMENTS (files); f++) {
    SsRunResult result, kept;
    SsScenario *scenario = run_default (files[f], NULL, 0, SS_METHOD_INTEGRATOR, &result);
    if (scenario == NULL)
      continue;
    SsSimResult simulated = {.trajectory = ss_run_take_motion (&result),
                             .metrics.steps = (int)ss_metric_get (&result.metrics, SS_METRIC_STEPS)};
    SS_CHECK (ss_run_motion (&result) == NULL);
    SS_CHECK (ss_run_result_from_motion (scenario->scene, NULL, SS_OUTCOME_COMPLETED, &simulated, &kept, NULL) ==
              SS_OK);
    SS_CHECK (simulated.trajectory == NULL && ss_run_motion (&kept) != NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (metrics); i++)
      SS_CHECK (ss_metric_get (&kept.metrics, metrics[i]) == ss_metric_get (&result.metrics, metrics[i]));
    ss_run_result_clear (&result);
    ss_run_result_clear (&kept);
    ss_scenario_free (scenario);
  }
}

/* A method whose forces vary in the step is judged by its stages; where they are missing nothing is said of balance and
 * energy, and of its steps, which its rows do not count. */
static void
stages_are_judged (void)
{
  static const SsMethod method = {.kind = SS_METHOD_INTEGRATOR,
                                  .name = "test-stepper",
                                  .label = "Test stepper",
                                  .is_built = true,
                                  .options = &ss_test_no_options,
                                  .integrator = &ss_test_stepper};
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsJob job = ss_job (&method, scenario, NULL);
  job.simulate.dt = 0.07;
  job.simulate.t_end = 1.5;
  SsRunResult result, kept;
  SsError err;
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED && result.stages != NULL);
  /* sums of a few numbers up to 10 */
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_MAX_BALANCE_RESIDUAL) < 1e-12);
  SS_CHECK (fabs (result.verdict.surplus) < 1e-12);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_STEPS) == 22);
  SS_CHECK (result.events != NULL && result.events->n_items == 5 && result.events->items[0].is_exact);

  SsTrajectory *frames = ss_run_take_motion (&result);
  SS_CHECK (ss_run_result_from_iterate (&job, SS_OUTCOME_CANCELLED, frames->n_rows - 1, NULL, 0, &frames, &kept,
                                        &err) == SS_OK);
  SS_CHECK (!kept.metrics.is_set[SS_METRIC_MAX_BALANCE_RESIDUAL] && isnan (kept.verdict.surplus));
  SS_CHECK (!kept.metrics.is_set[SS_METRIC_STEPS]);
  SS_CHECK (ss_metric_get (&kept.metrics, SS_METRIC_MAX_PENETRATION) < 1e-15);
  ss_run_result_clear (&kept);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* A motion of one row. */
static SsTrajectory *
one_row (double x)
{
  SsChannel channels[] = {ss_channel_of_time (), ss_channel_named ("ball.x")};
  const double row[] = {0.5, x};
  SsTrajectory *motion = NULL;
  channels[1].is_state = true;
  SS_CHECK (ss_trajectory_new (channels, 2, 1, &motion, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
  return motion;
}

/* What an impact law leaves: several motions with their shares, a table of samples, metrics of few kinds. */
static void
records_of_impact_laws_survive (void)
{
  static const char *const columns[] = {"vn_A", "vt_A", "kinetic_energy"};
  static const SsMotionRole roles[] = {SS_MOTION_BRANCH, SS_MOTION_BRANCH, SS_MOTION_SAMPLE};
  static const double shares[] = {0.75, 0.25, NAN};
  enum { N_MOTIONS = 3, N_COLUMNS = 3, N_ROWS = 4 };
  const SsMethod *law = ss_method_find (SS_METHOD_IMPACT_LAW, "set-valued", NULL);
  SsScenario *scenario = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  SsRunResult result, again;

  ss_run_result_init (&result);
  result.outcome = SS_OUTCOME_COMPLETED;
  snprintf (result.message, sizeof result.message, "two outcomes");
  ss_metric_set (&result.metrics, SS_METRIC_THREADS, 2);
  for (int i = 0; i < N_MOTIONS; i++) {
    SsTrajectory *motion = one_row (10 + i);
    SS_CHECK (ss_run_add_motion (&result, &motion, roles[i], i, shares[i], NULL) == SS_OK && motion == NULL);
  }
  SS_CHECK (ss_run_motion (&result) == NULL); /* none of them is the answer */
  SS_CHECK (ss_samples_new (columns, N_COLUMNS, N_ROWS, &result.samples, NULL) == SS_OK);
  for (int i = 0; i < N_ROWS * N_COLUMNS; i++)
    result.samples->values[i] = i % 5 == 4 ? NAN : 1. / (i + 1);

  json_t *json = result_of (scenario, law, &result), *item;
  size_t i;
  ssapp_result_read (json, &again);
  check_same_sets (&result.metrics, &again.metrics);
  SS_CHECK (again.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK_STR (again.message, "two outcomes");
  SS_CHECK (again.n_motions == N_MOTIONS);
  for (int k = 0; k < again.n_motions; k++) {
    SS_CHECK (again.motions[k].role == roles[k] && again.motions[k].branch == k);
    SS_CHECK (is_same_number (again.motions[k].share, shares[k]));
  }
  json_array_foreach (json_object_get (json, "motions"), i, item)
  {
    const json_t *state = json_object_get (item, "final_state");
    SS_CHECK (ssapp_json_get_real (state, "ball.x") == 10 + (double)i && json_object_size (state) == 1);
    SS_CHECK (json_integer_value (json_object_get (item, "rows")) == 1);
  }
  SS_CHECK (again.samples != NULL && again.samples->n_rows == N_ROWS && again.samples->n_columns == N_COLUMNS);
  for (int c = 0; again.samples != NULL && c < again.samples->n_columns; c++)
    SS_CHECK_STR (again.samples->columns[c], columns[c]);
  for (int k = 0; again.samples != NULL && k < N_ROWS * N_COLUMNS; k++)
    SS_CHECK (is_same_number (again.samples->values[k], result.samples->values[k]));
  SS_CHECK (json_object_get (json_object_get (json, "metrics"), "certificate") == NULL); /* that is an optimiser's */

  json_decref (json);
  ss_run_result_clear (&result);
  ss_run_result_clear (&again);
  ss_scenario_free (scenario);
}

/* What a step's second solution is, from the run to its words: each number in its place. */
static void
second_solutions_are_told (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"two\", \"scene\": {\"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"rod\", \"mass\": 1, \"position\": [0, 1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}},"
      "{\"name\": \"cup\", \"mass\": 1, \"position\": [1, 1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}"
      "], \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  SsRunResult result;

  ss_run_result_init (&result);
  SS_CHECK (ssapp_certainty_to_json (scenario->scene, &result) == NULL); /* nobody looked */
  result.n_by_certainty[SS_CERTAINTY_UNIQUE] = 7;
  result.n_by_certainty[SS_CERTAINTY_SEVERAL] = 2;
  result.n_by_certainty[SS_CERTAINTY_UNDECIDED] = 3;
  result.second = (SsSecondSolution){.t = 0.125,
                                     .residual = 2e-9,
                                     .apart = 1.5,
                                     .n_contacts = 2,
                                     .n_bodies = 2,
                                     .contacts = {1, 0},
                                     .bodies = {1, 2},
                                     .first = {{1, 2, 3}, {-4, 5, -6}},
                                     .second = {{7, 8, 9}, {0.25, 0.5, 0.75}}};
  for (int is_there = 0; is_there < 2; is_there++) {
    result.second.is_there = is_there;
    json_t *json = json_pack ("{s:o}", "steps", ssapp_certainty_to_json (scenario->scene, &result));
    g_autofree char *summary = ssapp_certainty_summary (json), *details = ssapp_certainty_details (json),
                    *markup = ssapp_certainty_dup_markup (json, TRUE),
                    *plain = ssapp_certainty_dup_markup (json, FALSE);

    SS_CHECK_STR (summary, is_there ? "7 unique in velocities, 2 several (first from 0.125 s on, at floor-cup, "
                                      "floor-rod), 3 undecided"
                                    : "7 unique in velocities, 2 several, 3 undecided");
    SS_CHECK (strstr (plain, "<a") == NULL &&
              (strstr (markup, "<a href=\"" SSAPP_CERTAINTY_LINK "\">") != NULL) == is_there);
    if (is_there)
      SS_CHECK_STR (details, "The step from 0.125 s on has a second solution, 1.5 m/s away (residual 2e-09 m/s):\n"
                             "rod ends with 1 m/s, 2 m/s, 3 rad/s; or 7 m/s, 8 m/s, 9 rad/s\n"
                             "cup ends with -4 m/s, 5 m/s, -6 rad/s; or 0.25 m/s, 0.5 m/s, 0.75 rad/s\n"
                             "certainty=branches goes on with both.");
    else
      SS_CHECK (details == NULL);
    json_decref (json);
  }
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* A result from elsewhere is read as far as it makes sense. */
static void
odd_results_are_read (void)
{
  static const char *const texts[] = {
      "{}",
      "[]",
      "{\"outcome\": \"no such outcome\", \"metrics\": 3, \"motions\": 4, \"sample_table\": {}}",
      "{\"outcome\": \"solved\", \"motions\": [{\"role\": \"answer\", \"share\": 7}, {\"role\": \"other\"}, 1]}",
      "{\"sample_table\": {\"columns\": [\"a\"], \"shape\": [2, 1], \"data\": \"AAAA\"}}",
      "{\"sample_table\": {\"columns\": [\"a\"], \"shape\": [-1, 1], \"data\": \"\"}}",
      "{\"metrics\": {\"objective\": \"text\", \"tracking_error\": 1, \"steps\": [1]}}"};
  for (gsize t = 0; t < G_N_ELEMENTS (texts); t++) {
    json_t *json = json_loads (texts[t], 0, NULL);
    SsRunResult result;
    SS_CHECK (json != NULL);
    ssapp_result_read (json, &result);
    SS_CHECK (result.outcome == (t == 3 ? SS_OUTCOME_SOLVED : SS_OUTCOME_FAILED));
    SS_CHECK (result.n_motions == 0 && result.samples == NULL);
    for (int i = 0; i < SS_METRIC_COUNT; i++)
      SS_CHECK (!result.metrics.is_set[i]);
    ss_run_result_clear (&result);
    json_decref (json);
  }
}

static void
roles_have_names (void)
{
  for (int i = 0; i < SS_MOTION_ROLE_COUNT; i++)
    SS_CHECK (ss_motion_role_find (ss_motion_role_name ((SsMotionRole)i)) == (SsMotionRole)i);
  SS_CHECK (ss_motion_role_find ("latest") == SS_MOTION_ROLE_COUNT);
}

int
main (void)
{
  SS_RUN (table_is_consistent);
  SS_RUN (titles_differ_where_they_meet);
  SS_RUN (texts_are_for_people);
  SS_RUN (best_is_what_the_table_says);
  SS_RUN (sets_survive_json);
  SS_RUN (types_are_those_of_the_contract);
  SS_RUN (results_are_their_sets);
  SS_RUN (results_tell_each_way_of_a_step);
  SS_RUN (marks_of_a_race_lead_to_runs);
  SS_RUN (ways_on_come_back);
  SS_RUN (kept_motions_have_the_metrics_of_simulations);
  SS_RUN (stages_are_judged);
  SS_RUN (records_of_impact_laws_survive);
  SS_RUN (second_solutions_are_told);
  SS_RUN (odd_results_are_read);
  SS_RUN (roles_have_names);
  return ss_test_finish ();
}
