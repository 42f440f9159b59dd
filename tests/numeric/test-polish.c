/* tests/numeric/test-polish.c: mode sequences, the polish of a plan by fesd-j, and what a run makes of it. Truth:
 * motions in closed form, and the least cost of a plan with one bounce by a search over its one free control. */
#include "plan/ss-polish.h"

#include "plan/ss-follow-plan.h"
#include "run/ss-method.h"
#include "run/ss-run.h"
#include "plan/ss-search-controls.h"
#include "plan/ss-sequence-changes.h"
#include "transcribe/ss-transcriptions.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <string.h>

/* ---- a ball and a wall ------------------------------------------------------------------------------------------- */

/* Two intervals of 1 s; the ball flies to the wall, bounces with e = .5 and shall be 1.5 m away from it at the end. */
static const double speed = -1.5, distance = 1, target = 1.5, restitution = 0.5;

static const char *const ball_format =
    "{\"format\": 1, \"name\": \"ball\", \"title\": \"\", \"scene\": {\"gravity\": [0, 0],"
    " \"bodies\": [{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 0]}},"
    "  {\"name\": \"ball\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"lock\": [\"theta\", "
    "\"y\"],"
    "   \"position\": [%.17g, 0], \"velocity\": [-1.5, 0]}],"
    " \"contacts\": [{\"name\": \"c\", \"bodies\": [\"wall\", \"ball\"], \"friction\": 0, \"restitution\": 0.5}],"
    " \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"ball\", \"direction\": [1, 0], \"lower\": -9, "
    "\"upper\": 9}]},"
    " \"task\": {\"horizon\": 2, \"steps\": 2, \"effort\": 1, \"targets\": [{\"body\": \"ball\", \"position\": [%.17g, "
    "0]}]}}";

static SsScenario *
ball (double x, double goal)
{
  char text[1000];

  snprintf (text, sizeof text, ball_format, x, goal);
  return ss_test_read_text (text);
}

/* Cost u1^2 + u2^2 of the plan whose first control is u1: the bounce falls in the first interval, u2 is what the target
 * asks for. */
static double
cost_of (double u1)
{
  const double root = sqrt (speed * speed - 2 * u1 * distance);
  const double t = 2 * distance / (-speed + root), rest = 1 - t;
  const double after = -restitution * (speed + u1 * t);
  const double u2 = 2 * (target - (after * rest + u1 * rest * rest / 2) - (after + u1 * rest));

  return u1 * u1 + u2 * u2;
}

/* Golden section; the cost is smooth with one minimum there. Its second differences leave about 1e-8 of u1, and so
 * 1e-15 of the cost. */
static double
least_cost (void)
{
  const double golden = (sqrt (5) - 1) / 2;
  double low = -2, high = 0.9;

  while (high - low > 1e-9) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);

    if (cost_of (a) < cost_of (b))
      high = b;
    else
      low = a;
  }
  return cost_of (low);
}

/* The sequence of the motion under these controls. */
static SsFesdSequence *
follow (const SsScenario *scenario, const double *controls)
{
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j};
  SsFesdSequence *sequence = NULL;
  SsTriedControls tried;
  SsError err = {0};

  SS_CHECK (ss_try_controls (scenario, scenario->task.plan, controls, 4, NULL, NULL, &tried, &err) == SS_OK);
  SS_CHECK (tried.is_complete);
  if (tried.is_complete)
    SS_CHECK (ss_fesd_sequence_from_motion (scenario, &options, tried.simulated.trajectory, tried.simulated.stages,
                                            controls, &sequence, &err) == SS_OK);
  ss_tried_controls_clear (&tried);
  return sequence;
}

static void
test_bounce (void)
{
  static const double controls[2] = {0, 0};
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j};
  SsScenario *scenario = ball (1.1, 1.6);
  SsFesdSequence *sequence = follow (scenario, controls);
  SsPolished polished;
  SsError err = {0};

  SS_CHECK (sequence != NULL && sequence->n_segments == 3);
  SS_CHECK_NEAR (sequence->segments[0].length, distance / -speed, 1e-12);
  SS_CHECK (sequence->segments[0].mode[0] == SS_FESD_OPEN && sequence->segments[1].mode[0] == SS_FESD_OPEN);
  SS_CHECK (sequence->segments[1].jump[0] != SS_FESD_OPEN && sequence->segments[2].jump[0] == SS_FESD_OPEN);
  SS_CHECK_NEAR (sequence->segments[1].impulse[0], (1 + restitution) * -speed, 1e-12);
  SS_CHECK (ss_polish (scenario, &options, sequence, NULL, NULL, &polished, &err) == SS_OK);
  SS_CHECK (polished.is_solved && polished.agrees);
  /* Ipopt's tolerance, relative to costs of some units; quadratic motions are exact in each element. */
  SS_CHECK_NEAR (polished.metrics.objective, least_cost (), 1e-7);
  SS_CHECK (polished.metrics.max_violation < 1e-10);
  SS_CHECK_NEAR (polished.replay.value.objective, polished.metrics.objective, 1e-9);
  ss_polished_clear (&polished);
  ss_fesd_sequence_free (sequence);
  ss_scenario_free (scenario);
}

/* A plan whose end is free takes it from the motion: its intervals are parts of that, longer or shorter than those of
 * the guess, and the bounce at 2/3 s falls where it does. */
static void
test_free_end (void)
{
  static const double controls[2] = {0, 0}, ends[] = {0.9, 1.2, 2, 2.4};
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j};
  SsScenario *scenario = ball (1.1, 1.6);
  SsPlan of_motion = *scenario->task.plan, of_plan = of_motion;
  SsScenario own = *scenario;

  of_plan.is_time_free = true;
  of_plan.time_lower = 0.5;
  of_plan.time_upper = 3;
  own.task.plan = &of_plan;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const double half = ends[i] / 2, hit = distance / -speed;
    SsFesdSequence *sequence = NULL;
    SsTriedControls tried;
    SsError err = {0};

    of_motion.horizon = ends[i];
    SS_CHECK (ss_try_controls (scenario, &of_motion, controls, 4, NULL, NULL, &tried, &err) == SS_OK);
    SS_CHECK (tried.is_complete);
    SS_CHECK (ss_fesd_sequence_from_motion (&own, &options, tried.simulated.trajectory, tried.simulated.stages,
                                            controls, &sequence, &err) == SS_OK);
    SS_CHECK (sequence != NULL && sequence->n_segments == 3);
    for (int s = 0; sequence != NULL && sequence->n_segments == 3 && s < 3; s++) {
      const bool is_late = hit > half; /* the bounce is in the second interval */
      const double lengths[] = {is_late ? half : hit, is_late ? hit - half : half - hit,
                                is_late ? 2 * half - hit : half};
      SS_CHECK_NEAR (sequence->segments[s].length, lengths[s], 1e-9);
      SS_CHECK (sequence->segments[s].interval == (s == 2 || (s == 1 && is_late)));
      SS_CHECK ((sequence->segments[s].jump[0] != SS_FESD_OPEN) == (s == (is_late ? 2 : 1)));
    }
    if (sequence != NULL)
      SS_CHECK_NEAR (sequence->horizon, ends[i], 1e-12);
    ss_fesd_sequence_free (sequence);
    ss_tried_controls_clear (&tried);
  }
  ss_scenario_free (scenario);
}

/* A ball that touches the wall and flies at it bounces at once: the first segment begins with the jump. */
static void
test_bounce_at_once (void)
{
  static const double controls[2] = {0, 0};
  SsScenario *scenario = ball (0.1, 1.6);
  SsFesdSequence *sequence = follow (scenario, controls);

  SS_CHECK (sequence != NULL && sequence->segments[0].jump[0] != SS_FESD_OPEN);
  SS_CHECK_NEAR (sequence->segments[0].impulse[0], (1 + restitution) * -speed, 1e-12);
  ss_fesd_sequence_free (sequence);
  ss_scenario_free (scenario);
}

/* The motion of a sequence obeys every row of the problem with these modes: quadratic motions are exact in each
 * element, and only rounding is left. */
static void
test_motion_obeys_its_rows (void)
{
  static const double controls[2] = {0, 0};
  SsScenario *scenario = ball (1.1, 0.1 - restitution * speed * (2 + distance / speed)); /* it then is there */
  SsFesdOptions own;
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j, .own = &own};
  SsScenario *model = NULL;
  SsMetrics metrics = {.max_violation = INFINITY};
  SsError err = {0};

  SsFesdSequence *sequence = follow (scenario, controls);
  ss_options_init (options.class_->options, &own);
  own.sequence = sequence;
  SS_CHECK (ss_transcribe (scenario, &options, &model, &err) == SS_OK);
  double *x = ss_new_array (double, (size_t)model->model->n_points *(size_t)model->model->n_variables);
  SS_CHECK (ss_scenario_guess (model, x, &err) == SS_OK);
  SS_CHECK (ss_metrics_compute (model, x, &metrics, &err) == SS_OK);
  printf ("  %g at %s\n", metrics.max_violation, metrics.worst);
  SS_CHECK (metrics.max_violation < 1e-12);
  ss_free (x);
  ss_scenario_free (model);
  ss_fesd_sequence_free (sequence);
  ss_scenario_free (scenario);
}

/* ---- a block that stops ------------------------------------------------------------------------------------------ */

static void
test_stop (void)
{
  static const char *const text =
      "{\"format\": 1, \"name\": \"block\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81],"
      " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "  {\"name\": \"p\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 2, \"lock\": [\"theta\"],"
      "   \"position\": [0, 0.1], \"velocity\": [-1, 0]}],"
      " \"contacts\": [{\"name\": \"c\", \"bodies\": [\"floor\", \"p\"], \"friction\": 0.3}],"
      " \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"p\", \"direction\": [1, 0], \"lower\": -9, "
      "\"upper\": 9}]},"
      " \"task\": {\"horizon\": 1, \"steps\": 2, \"effort\": 1, \"cost\": [{\"points\": \"last\", \"cost\": \"(p.x + "
      "0.2)^2\"}]}}";
  static const double controls[2] = {0, 0};
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j};
  SsScenario *scenario = ss_test_read_text (text);
  SsFesdSequence *sequence = follow (scenario, controls);
  SsPolished polished;
  SsError err = {0};

  SS_CHECK (sequence != NULL && sequence->n_segments == 3);
  SS_CHECK_NEAR (sequence->segments[0].length, 1 / (0.3 * 9.81), 1e-9);
  SS_CHECK (sequence->segments[0].mode[0] == SS_FESD_SLIP_MINUS && sequence->segments[1].mode[0] == SS_FESD_STICK);
  /* It stops after v^2 / (2 (mu g + u / m)); minimise u^2 / 2 + (.2 - that)^2 over u, the second control is 0. */
  double best = INFINITY;
  for (double u = -1; u <= 1; u += 1e-5) {
    const double way = 0.2 - 1 / (2 * (0.3 * 9.81 + u / 2));
    best = fmin (best, 0.5 * u * u + way * way);
  }
  SS_CHECK (ss_polish (scenario, &options, sequence, NULL, NULL, &polished, &err) == SS_OK);
  SS_CHECK (polished.is_solved && polished.agrees && polished.metrics.max_violation < 1e-10);
  SS_CHECK_NEAR (polished.metrics.objective, best, 1e-8);
  ss_polished_clear (&polished);
  ss_fesd_sequence_free (sequence);
  ss_scenario_free (scenario);
}

/* ---- a switch that moves over an interval's end ------------------------------------------------------------------ */

/* The best known plan of the three boxes from the controls of a time-stepping plan, of which the second touch falls at
 * 1.93 s: it moves over two ends of intervals, to 1.33 s. Cost 222.29806 by another program:
 * tests/data/fesd/three_boxes_best_known.json. */
static void
test_moves (void)
{
  static const double controls[15] = {-21.6, 9.6, 5.7, 5.2, 6.7, -2.8, -4.8, -2.8, -1.1, -0.5, -0.2};
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j};
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/three-boxes.stickslip.json", NULL, 0);
  SsFesdSequence *sequence = follow (scenario, controls);
  SsPolished polished;
  SsError err = {0};

  SS_CHECK (sequence != NULL);
  SS_CHECK (ss_polish (scenario, &options, sequence, NULL, NULL, &polished, &err) == SS_OK);
  printf ("  boxes: %.9g reported, %.9g replayed, %d problems, %d changes, %.3g s\n", polished.metrics.objective,
          polished.replay.value.objective, polished.n_solves, polished.n_changes, polished.cpu_seconds);
  SS_CHECK (polished.is_solved && polished.agrees && polished.metrics.max_violation < 1e-10);
  /* As the reference, which was found to 1e-8 by its makers' word; both stop where the cost is flat. */
  SS_CHECK_NEAR (polished.replay.value.objective, 222.29806, 1e-4);
  ss_polished_clear (&polished);
  ss_fesd_sequence_free (sequence);
  ss_scenario_free (scenario);
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

/* Answers that are told while a run goes on: judged, none dearer in its replay than the one before. */
typedef struct {
  int n;
  double last;
} Told;

static void
hear_answer (void *user_data, const SsProgress *progress)
{
  Told *told = user_data;

  if (progress->kind != SS_PROGRESS_ANSWER)
    return;
  const double replayed = ss_metric_get (&progress->answer->metrics, SS_METRIC_REPLAYED_OBJECTIVE);
  SS_CHECK (progress->answer->outcome == SS_OUTCOME_SOLVED && ss_run_motion (progress->answer) != NULL);
  SS_CHECK (told->n == 0 || replayed <= told->last);
  told->n++;
  told->last = replayed;
}

static void
test_run (void)
{
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "scholtes", NULL);
  const SsOptionTable *table = ss_transcription_option_table ();
  SsScenario *scenario = ball (1.1, 1.6);
  void *options = calloc (1, method->options->size + 1), *own = calloc (1, table->size);
  Told told = {0};
  SsRunControl control;
  SsRunResult result;
  SsError err = {0};

  ss_run_control_init (&control);
  control.progress = hear_answer;
  control.user_data = &told;
  ss_method_init_options (method, scenario, options);
  ss_options_init (table, own);
  SS_CHECK (ss_options_set (table, own, "transcription", "fesd-j", &err) == SS_OK);
  SS_CHECK (ss_options_set (table, own, "first", "method", &err) == SS_OK);
  SS_CHECK (ss_options_set (table, own, "starts", "3", &err) == SS_OK);
  SsJob job = ss_job (method, scenario, options);
  job.solve.transcription = ss_transcription_choose (own);
  SS_CHECK (ss_run (&job, &control, &result, &err) == SS_OK);
  printf ("  %s\n", result.message);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_POLISH_STARTS) == 3);
  /* the last answer that was told is the run's */
  SS_CHECK (told.n >= 1 && told.last == ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_OBJECTIVE));
  /* the run's times are of all that it did */
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_POLISH_CPU_SECONDS) > 0);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_CPU_SECONDS) >
            ss_metric_get (&result.metrics, SS_METRIC_POLISH_CPU_SECONDS));
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION) < 1e-10);
  /* no answer of the method itself is so exact, so a polished one took its place; the run says so */
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_POLISH_BEFORE) > 1e-10);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_POLISHED) == 1);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_OBJECTIVE) < least_cost () + 1e-6);
  /* every local solution is there: the answer, and the others judged and replayed as it is, none cheaper */
  SS_CHECK (result.start[0] != '\0');
  SS_CHECK (result.n_solutions == (int)ss_metric_get (&result.metrics, SS_METRIC_POLISH_SOLUTIONS) - 1);
  SS_CHECK (result.n_motions == 2 + result.n_solutions &&
            result.motions[1 + result.n_solutions].role == SS_MOTION_WORLDS);
  for (int i = 0; i < result.n_solutions; i++) {
    const SsRunResult *other = &result.solutions[i];
    printf ("  %s: %s\n", other->start, other->message);
    SS_CHECK (other->start[0] != '\0' && other->n_motions == 0);
    SS_CHECK (result.motions[i + 1].role == SS_MOTION_SOLUTION && result.motions[i + 1].branch == i + 1);
    SS_CHECK (ss_metric_get (&other->metrics, SS_METRIC_REPLAYED_OBJECTIVE) >=
              ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_OBJECTIVE));
    SS_CHECK (fabs (ss_metric_get (&other->metrics, SS_METRIC_OBJECTIVE) /
                        ss_metric_get (&other->metrics, SS_METRIC_REPLAYED_OBJECTIVE) -
                    1) < 1e-4);
  }
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
  free (options);
  free (own);
}

/* ---- what leads to a sequence ------------------------------------------------------------------------------------ */

/* A plan that is a motion, with controls that are nearly its own: these are found again, since the ends of two
 * intervals fix both. */
static void
test_follow (void)
{
  static const double controls[2] = {0.4, -0.3};
  SsScenario *scenario = ball (1.1, 1.6);
  SsFesdSequence *sequence = follow (scenario, controls);
  double found[2] = {0};
  bool followed = false;
  SsError err = {0};

  sequence->controls[0] = 0.39;
  sequence->controls[1] = -0.29;
  SS_CHECK (ss_follow_plan (scenario, sequence, 4, NULL, found, &followed, &err) == SS_OK && followed);
  for (int i = 0; i < 2; i++)
    SS_CHECK_NEAR (found[i], controls[i], 1e-3); /* derivatives are differences, the last gains are not asked for */
  ss_fesd_sequence_free (sequence);
  ss_scenario_free (scenario);
}

/* Boxes that nobody pushes: no control has a derivative that tells of the touch, and trying finds it. */
static void
test_search (void)
{
  double controls[15] = {0};
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/three-boxes.stickslip.json", NULL, 0);
  SsSearched searched;
  SsError err = {0};

  SS_CHECK (ss_search_controls (scenario, scenario->task.plan, 2, 400, NULL, controls, &searched, &err) == SS_OK);
  printf ("  boxes: %d motions, %.6g to %.6g\n", searched.n_tries, searched.before, searched.after);
  SS_CHECK (searched.n_tries <= 400);
  /* both outer boxes stay 4 m and 2 m away: 1000 (16 + 4) and 6 s of 10 (16 + 4) */
  SS_CHECK_NEAR (searched.before, 21200, 1e-6);
  SS_CHECK (searched.after < searched.before / 2);
  ss_scenario_free (scenario);
}

/* A switch at an interval's end, an interval earlier; one within an interval stays. */
static void
test_shift (void)
{
  SsFesdSequence *sequence = NULL;
  SsError err = {0};
  bool is_one = false;

  SS_CHECK (ss_fesd_sequence_new (3, 1, 3, 0, 3, &sequence, &err) == SS_OK);
  for (int i = 0; i < 3; i++)
    SS_CHECK (ss_fesd_sequence_insert (sequence, i, i, 1, &err) == SS_OK);
  sequence->segments[0].mode[0] = sequence->segments[1].mode[0] = SS_FESD_STICK;
  SS_CHECK (ss_sequence_change (sequence, SS_SEQUENCE_SHIFT, 0, &is_one, &err) == SS_OK && is_one);
  SS_CHECK (sequence->segments[0].mode[0] == SS_FESD_STICK && sequence->segments[1].mode[0] == SS_FESD_OPEN);
  SS_CHECK (ss_sequence_change (sequence, SS_SEQUENCE_SHIFT, 2, &is_one, &err) == SS_OK && !is_one);
  SS_CHECK (ss_sequence_change (sequence, SS_SEQUENCE_LESS, 0, &is_one, &err) == SS_OK && !is_one);
  ss_fesd_sequence_free (sequence);
}

int
main (void)
{
  SS_RUN (test_follow);
  SS_RUN (test_search);
  SS_RUN (test_shift);
  SS_RUN (test_bounce);
  SS_RUN (test_free_end);
  SS_RUN (test_bounce_at_once);
  SS_RUN (test_motion_obeys_its_rows);
  SS_RUN (test_stop);
  SS_RUN (test_moves);
  SS_RUN (test_run);
  return ss_test_finish ();
}
