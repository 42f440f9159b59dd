/* app/bench/ssapp-bench-homotopy.c: see the header. */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-homotopy.h"
#include "app/bench/ssapp-bench-runs.h"

#include "nlp/ss-scholtes.h"
#include "run/ss-run.h"
#include "transcribe/ss-fesd-j.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench-fesd-two-balls.h"

enum { N_STATE = 4 };
static const char *const start_names[N_STATE] = {"q10", "q20", "v10", "v20"};
static const char *const channels[N_STATE] = {"ball1.y", "ball2.y", "ball1.vy", "ball2.vy"};
static const double kick = 7; /* [N s] */

#define SCHOLTES(field) offsetof (SsScholtesOptions, field)
#define FESD(field)     offsetof (SsFesdOptions, field)

/* Of the homotopy, and of the transcription (whose scheme, stages and elements are the plan's). */
static const SsOptionValue method_options[] = {{SCHOLTES (relaxation), SS_SCHOLTES_ELASTIC_CAPPED},
                                               {SCHOLTES (sigma0), 1},
                                               {SCHOLTES (kappa), 0.2},
                                               {SCHOLTES (sigma_min), 1e-13},
                                               {SCHOLTES (tol_comp), 1e-13},
                                               {SCHOLTES (tol), 1e-12},
                                               {SCHOLTES (constr_viol_tol), 1e-12},
                                               {SCHOLTES (max_iter), 3000}};
static const SsOptionValue transcription_options[] = {{FESD (cross), SS_FESD_CROSS_ALL},
                                                      {FESD (initial_impacts), false},
                                                      {FESD (impulse), SS_FESD_SPLIT},
                                                      {FESD (equilibration), SS_FESD_MEAN},
                                                      {FESD (rho_h), 1}};

typedef struct {
  char *text; /* of a scene with a plan of one step of length H */
  const SsMethod *method;
  SsScholtesOptions options;
  SsFesdOptions transcription;
  SsSolveCache *cache;
  SsRunControl *control;
} Loop;

/* ---- set-up ------------------------------------------------------------------------------------------------------ */

/* The scene with a horizon H and a task that wants nothing. */
static char *
make_text (void)
{
  json_t *root = json_loads (bench_fesd_two_balls, 0, NULL);
  json_t *task = json_pack ("{s:s, s:i, s:[{s:s, s:s}]}", "horizon", "H", "steps", 1, "cost", "points", "last", "cost",
                            "0*ball1.y");
  char *text;

  json_object_set_new (json_object_get (root, "parameters"), "H", json_real (1));
  json_object_set_new (root, "task", task);
  text = json_dumps (root, 0);
  json_decref (root);
  return text;
}

static void
loop_init (Loop *loop, const SsappHomotopyPlan *plan, SsRunControl *control)
{
  const SsOptionTable *table = ss_transcription_fesd_j.options;
  const SsOptionValue own[] = {
      {FESD (scheme), plan->scheme}, {FESD (stages), plan->stages}, {FESD (elements), plan->elements}};

  *loop = (Loop){.text = make_text (),
                 .method = ss_method_lookup ((SsMethodId){SS_METHOD_OPTIMISER, "scholtes"}),
                 .cache = ss_solve_cache_new (),
                 .control = control};
  ss_options_init (ss_nlp_scholtes.options, &loop->options);
  ss_options_give (ss_nlp_scholtes.options, &loop->options, method_options, G_N_ELEMENTS (method_options));
  ss_options_init (table, &loop->transcription);
  ss_options_give (table, &loop->transcription, transcription_options, G_N_ELEMENTS (transcription_options));
  ss_options_give (table, &loop->transcription, own, G_N_ELEMENTS (own));
}

static void
loop_clear (Loop *loop)
{
  free (loop->text);
  ss_solve_cache_free (loop->cache);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

static SsScenario *
read_step (const Loop *loop, double length, const double state[N_STATE], char *message, gsize size)
{
  SsOverride overrides[N_STATE + 1] = {{"H", length}};
  g_autofree char *refusal = NULL;

  for (int k = 0; k < N_STATE; k++)
    overrides[k + 1] = (SsOverride){start_names[k], state[k]};
  SsScenario *scenario = ssapp_bench_read (loop->text, "two-balls", overrides, N_STATE + 1, &refusal);
  if (scenario == NULL)
    g_strlcpy (message, refusal, size);
  return scenario;
}

/* One solve from a motion, or from the step's start at rest; takes the motion of its answer. FALSE: it could not be
 * run. */
static gboolean
solve (const Loop *loop, const SsScenario *scenario, const SsTrajectory *start, SsappHomotopyRun *run,
       gboolean *is_solved, SsTrajectory **motion)
{
  SsJob job = ss_job (loop->method, scenario, &loop->options);
  job.solve.start = start;
  job.solve.transcription = (SsTranscribeOptions){.class_ = &ss_transcription_fesd_j, .own = &loop->transcription};
  job.solve.cache = loop->cache;
  const double begun = ss_clock_thread_cpu ();
  SsRunResult result;
  SsError error = {0};
  const gboolean ok = ss_run (&job, loop->control, &result, &error) == SS_OK;

  run->cpu_seconds += ss_clock_thread_cpu () - begun;
  *is_solved = ok && ss_outcome_is_success (result.outcome);
  *motion = ok ? ss_run_take_motion (&result) : NULL;
  const double iterations = ok ? ss_metric_get (&result.metrics, SS_METRIC_INNER_ITERATIONS) : NAN;
  run->iterations += isfinite (iterations) ? (int)iterations : 0;
  if (!ok)
    ss_error_format (&error, run->message, sizeof run->message);
  ss_run_result_clear (&result);
  return ok && *motion != NULL;
}

/* The motion with an impulse everywhere, without forces and gaps. */
static void
kick_motion (SsTrajectory *motion)
{
  for (int c = 0; c < motion->n_channels; c++) {
    const SsQuantity quantity = motion->channels[c].quantity;
    for (int row = 0; row < motion->n_rows; row++) {
      double *value = &motion->values[(size_t)row * (size_t)motion->n_channels + (size_t)c];
      if (quantity == SS_QUANTITY_NORMAL_IMPULSE)
        *value = kick;
      else if (quantity == SS_QUANTITY_NORMAL_FORCE || quantity == SS_QUANTITY_GAP)
        *value = 0;
    }
  }
}

static gboolean
take_step (const Loop *loop, double length, double state[N_STATE], SsappHomotopyRun *run)
{
  SsScenario *scenario = read_step (loop, length, state, run->message, sizeof run->message);
  SsTrajectory *motion = NULL, *kicked = NULL;
  gboolean is_solved = FALSE;
  gboolean ok = scenario != NULL && solve (loop, scenario, NULL, run, &is_solved, &motion);

  if (ok && !is_solved && !ssapp_bench_is_cancelled (loop->control)) {
    kick_motion (motion);
    run->kicked++;
    ok = solve (loop, scenario, motion, run, &is_solved, &kicked);
    ss_trajectory_free (motion);
    motion = kicked;
    run->failed += ok && !is_solved;
  }
  for (int k = 0; k < N_STATE && ok; k++)
    state[k] = ss_trajectory_row (motion, motion->n_rows - 1)[ss_trajectory_channel (motion, channels[k])];
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
  return ok;
}

void
ssapp_bench_homotopy_run (const SsappHomotopyPlan *plan, SsRunControl *control, SsappHomotopyRun *run)
{
  g_return_if_fail (plan != NULL);
  Loop loop;
  gboolean ok = TRUE;

  *run = (SsappHomotopyRun){.state = {1, 2, 0, 0}};
  loop_init (&loop, plan, control);
  for (int step = 0; step < plan->steps && ok; step++)
    ok = !ssapp_bench_is_cancelled (control) && take_step (&loop, 1. / plan->steps, run->state, run);
  run->is_complete = ok;
  loop_clear (&loop);
}
