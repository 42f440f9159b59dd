/* tests/numeric/ss-test-plans.h: plans of paper 000's two examples against the best known ones; files of the form of
 * tests/data/fesd/discs_best_known.json and three_boxes_best_known.json. `scholtes` with the options
 * of the example's own section, starts and their polish included, whatever the numbers of a case. */
#pragma once

#include "run/ss-method.h"
#include "run/ss-run.h"
#include "transcribe/ss-transcriptions.h"
#include "ss-test-scenario.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* How much more than the best known plan a plan may cost in the replay, and by how much it may leave the way there. */
typedef struct {
  const char *key, *scene;
  double excess, way, violation;
} SsTestPlanForm;

static const SsTestPlanForm ss_test_plan_forms[] = {
    {"first_start", "examples/fesd-j/discs.stickslip.json", 0.01, 1e-3, 1e-6},
    {"third_reference", "examples/fesd-j/three-boxes.stickslip.json", 0.035, 1e-3, 1e-6},
};

static inline const SsTestPlanForm *
ss_test_plan_form (const json_t *root)
{
  const json_t *first = json_array_get (json_object_get (root, "cases"), 0);

  for (size_t i = 0; i < sizeof ss_test_plan_forms / sizeof *ss_test_plan_forms; i++)
    if (json_object_get (first, ss_test_plan_forms[i].key) != NULL)
      return &ss_test_plan_forms[i];
  return NULL;
}

/* Whether the file is of one of the two forms. */
static inline bool
ss_test_is_plan_file (const json_t *root)
{
  return ss_test_plan_form (root) != NULL;
}

/* Parameters of the scene that the case has: numbers by their names, pairs as NAME_x and NAME_y. */
static inline int
ss_test_plan_list_overrides (const json_t *one, char names[][64], SsOverride *overrides)
{
  static const char *const known[] = {"first_start", "second_start", "first_target", "second_target"};
  static const char *const numbers[] = {"velocity_weight", "third_reference"};
  int n = 0;

  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    for (size_t k = 0; k < json_array_size (json_object_get (one, known[i])) && k < 2; k++) {
      snprintf (names[n], sizeof names[n], "%s_%c", known[i], k == 0 ? 'x' : 'y');
      overrides[n] = (SsOverride){names[n], json_number_value (json_array_get (json_object_get (one, known[i]), k))};
      n++;
    }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (json_object_get (one, numbers[i]) != NULL) {
      snprintf (names[n], sizeof names[n], "%s", numbers[i]);
      overrides[n] = (SsOverride){names[n], json_number_value (json_object_get (one, numbers[i]))};
      n++;
    }
  return n;
}

/* Defaults, then the scenario's: of the method into `options`, of its transcription into `own`. */
static inline void
ss_test_plan_init_options (const SsMethod *method, const SsScenario *scenario, void *options, void *own)
{
  SsError err = {0};

  ss_method_init_options (method, scenario, options);
  ss_options_init (ss_transcription_option_table (), own);
  for (int i = 0; i < scenario->n_method_defaults; i++) {
    const SsMethodDefault *d = &scenario->method_defaults[i];
    const SsOptionTable *table = ss_method_option_table (method, scenario, d->name);
    if (ss_method_takes_default (method, scenario, d))
      SS_CHECK (ss_options_set (table, table == method->options ? options : own, d->name, d->value, &err) == SS_OK);
  }
}

static inline void
ss_test_plan_check_case (const SsTestPlanForm *form, const json_t *one)
{
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "scholtes", NULL);
  const SsOptionTable *table = ss_transcription_option_table ();
  char names[16][64];
  SsOverride overrides[16];
  SsScenario *scenario =
      ss_test_read_file (form->scene, overrides, ss_test_plan_list_overrides (one, names, overrides));
  void *options = calloc (1, method->options->size + 1), *own = calloc (1, table->size);
  const double best = json_number_value (json_object_get (one, "cost"));
  SsRunResult result;
  SsError err = {0};

  if (scenario == NULL || options == NULL || own == NULL)
    return;
  ss_test_plan_init_options (method, scenario, options, own);
  SsJob job = ss_job (method, scenario, options);
  job.solve.transcription = ss_transcription_choose (own);
  const double start = ss_clock_thread_cpu ();
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  const double cost = ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_OBJECTIVE);
  printf ("%s: replayed cost %.6f, best known %.6f; way left by %.1e, violation %.1e; %.1f s of CPU; %s\n",
          scenario->name, cost, best, ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_PATH_VIOLATION),
          ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION), ss_clock_thread_cpu () - start, result.message);
  SS_CHECK (cost <= best * (1 + form->excess));
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_PATH_VIOLATION) <= form->way);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION) <= form->violation);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
  free (options);
  free (own);
}

/* Solves every case of the file from nothing but the scene and its options, and compares what the plan's controls cost
 * in the replay; returns the number of cases. */
static inline int
ss_test_plan_file (const json_t *root)
{
  const json_t *cases = json_object_get (root, "cases");

  for (size_t i = 0; i < json_array_size (cases); i++)
    ss_test_plan_check_case (ss_test_plan_form (root), json_array_get (cases, i));
  return (int)json_array_size (cases);
}
