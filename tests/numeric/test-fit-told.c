/* tests/numeric/test-fit-told.c: fits that must not be believed and say so, what is refused, two models on the same
 * data, progress. */
#include "core/ss-work.h"
#include "fit/ss-fit-loss.h"
#include "fit/ss-fit-model.h"
#include "ss-test-fit.h"

/* ---- bad input --------------------------------------------------------------------------------------------------- */

/* What is told of a fit that must not be believed: no interval, whatever the numbers. */
static void
check_poor (Measured *m, const char *what)
{
  m->job.n_trials = 1; /* one is enough */
  SsFitResult result;
  SsError err = {0};

  SS_CHECK (ss_fit (&m->job, NULL, &result, &err) == SS_OK);
  printf ("  %s: %s (%.2f s)\n", what, result.message, result.cpu_seconds);
  SS_CHECK (result.verdict == SS_FIT_POOR && result.message[0] != '\0');
  for (int k = 0; k < result.n_estimates; k++) {
    const SsFitEstimate *e = &result.estimates[k];
    SS_CHECK (!e->is_identifiable && isnan (e->standard_error) && isnan (e->lower) && isnan (e->upper));
  }
  ss_fit_result_clear (&result);
}

static void
a_wrong_scale_is_no_fit (void)
{
  Measured m;

  measured_init (&m, &ball, 11, 1.3);
  check_poor (&m, "scale 1.3");
  measured_clear (&m);
}

/* Unless it is free: gravity then says how long a metre is. */
static void
a_free_scale_is_found (void)
{
  Case c = ball;
  SsFitResult result;
  Measured m;

  c.free[c.n_free++] = (SsFitFree){"scale", NAN, NAN};
  measured_init (&m, &c, 12, 1.3);
  SS_CHECK (ss_fit (&m.job, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.verdict != SS_FIT_POOR);
  SS_CHECK_NEAR (estimate_of (&result, "scale")->value, 1.3, 0.01);
  SS_CHECK_NEAR (estimate_of (&result, "e")->value, 0.72, 0.03 * 0.72);
  printf ("  scale %.4f +- %.2g (%.2f s)\n", estimate_of (&result, "scale")->value,
          estimate_of (&result, "scale")->standard_error, result.cpu_seconds);
  ss_fit_result_clear (&result);
  measured_clear (&m);
}

/* Friction of a box that slides follows from lengths and times alone: with its place along the floor measured only, at
 * 1.1 times the scale, friction comes out 1.1 times too large, and so it is said. Its height tells the scale. */
static void
a_scale_that_nothing_tells_is_said_so (void)
{
  Case c = slider;
  double values[2];

  for (int i = 0; i < 3; i++) {
    SsFitResult result;
    Measured m;
    c.n_columns = i < 2 ? 1 : 3;
    measured_init (&m, &c, 19, i == 1 ? 1.1 : 1);
    SS_CHECK (ss_fit (&m.job, NULL, &result, NULL) == SS_OK);
    const SsFitEstimate *mu = estimate_of (&result, "mu");
    SS_CHECK (result.verdict == SS_FIT_GOOD && mu->is_identifiable);
    if (i < 2) {
      values[i] = mu->value;
      SS_CHECK_CONTAINS (result.message, i == 0 ? "10 % off moves mu by 0.031" : "10 % off moves mu by 0.034");
    } else
      SS_CHECK_STR (result.message, "");
    ss_fit_result_clear (&result);
    measured_clear (&m);
  }
  SS_CHECK_NEAR (values[1] / values[0], 1.1, 0.01);
}

/* Cameras that began before the box did: 40, 50 and 60 ms. Before it begins it moves as it does then. */
static void
sliding_late (int trial, double t, double *poses)
{
  const double s = t - 0.04 - 0.01 * trial;

  poses[0] = s < 0 ? s : slide (0, 1, 0.31, s);
  poses[1] = 0.1;
  poses[2] = 0;
}

/* To 1 ms: at 1 m/s 1 mm of noise is as much in one frame, and there are 30 frames that move. */
static void
time_offsets_are_found (void)
{
  Case c = slider;
  SsFitResult result;
  Measured m;

  c.truth = sliding_late;
  c.free[1] = (SsFitFree){"time_offset", NAN, NAN};
  c.n_free = 2;
  measured_init (&m, &c, 18, 1);
  m.job.n_profiles = 1;
  m.job.profiles = (const char *const[]){"time_offset"};
  SS_CHECK (ss_fit (&m.job, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.verdict == SS_FIT_GOOD && result.n_estimates == 1 + TRIALS);
  SS_CHECK_NEAR (result.estimates[0].value, 0.31, 0.05 * 0.31);
  for (int i = 0; i < TRIALS && result.n_estimates == 1 + TRIALS; i++) {
    SS_CHECK (result.estimates[1 + i].trial == i && result.estimates[1 + i].is_identifiable);
    SS_CHECK_NEAR (result.estimates[1 + i].value, 0.04 + 0.01 * i, 1e-3);
  }
  /* each profile looks as far as four of its own standard errors */
  SS_CHECK (result.n_profiles == TRIALS);
  for (int i = 0; i < result.n_profiles; i++) {
    const SsFitProfile *profile = &result.profiles[i];
    const SsFitEstimate *e = &result.estimates[profile->estimate];
    SS_CHECK (profile->estimate == 1 + i);
    SS_CHECK_NEAR (profile->values[profile->n - 1] - e->value, 4 * e->standard_error, 1e-9);
    SS_CHECK_NEAR (e->value - profile->values[0], 4 * e->standard_error, 1e-9);
  }
  ss_fit_result_clear (&result);
  measured_clear (&m);
}

static void
exchanged_columns_are_no_fit (void)
{
  Case c = ball;
  Measured m;

  c.columns[0] = "disc.y";
  c.columns[1] = "disc.x";
  measured_init (&m, &c, 13, 1);
  check_poor (&m, "columns exchanged");
  measured_clear (&m);
}

/* The same names in another world: what bounces is said to slide. */
static void
a_motion_of_another_scene_is_no_fit (void)
{
  Case c = slider;
  Measured m;

  c.truth = bouncing;
  measured_init (&m, &c, 14, 1);
  check_poor (&m, "another motion");
  measured_clear (&m);
}

static void
check_refused (const SsFitJob *job, const char *part)
{
  SsFitResult result;
  SsError err = {0};

  SS_CHECK (ss_fit (job, NULL, &result, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, part);
  SS_CHECK (result.n_estimates == 0 && result.estimates == NULL);
}

static void
what_cannot_be_fitted_is_refused (void)
{
  static const SsFitFree unknown[] = {{"nu", NAN, NAN}}, twice[] = {{"mu", NAN, NAN}, {"mu", NAN, NAN}},
                         narrow[] = {{"mu", 0.5, 0.2}};
  const char *const names[] = {"t", "crate.x"}, *const own[] = {"t", "box.x"};
  SsTrajectory *other = NULL, *two = NULL, *empty = NULL;
  Measured m;

  measured_init (&m, &slider, 15, 1);
  SS_CHECK (ss_trajectory_new_named (names, 2, 20, &other, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_new_named (own, 2, 20, &two, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_new_named (own, 2, 20, &empty, NULL) == SS_OK);
  for (int k = 0; k < 20; k++) {
    SS_CHECK (ss_trajectory_append (other, (double[]){0.01 * k, 1}, NULL) == SS_OK);
    SS_CHECK (ss_trajectory_append (empty, (double[]){0.01 * k, NAN}, NULL) == SS_OK);
    if (k < 2)
      SS_CHECK (ss_trajectory_append (two, (double[]){0.01 * k, 1}, NULL) == SS_OK);
  }
  SsFitJob job = m.job;
  job.n_trials = 1;
  const SsTrajectory *trial = other;
  job.trials = &trial;
  check_refused (&job, "no column of 'measured' (expected some of box.x");
  trial = two;
  check_refused (&job, "2 rows with a number (expected at least 5)");
  trial = empty;
  check_refused (&job, "0 rows with a number");
  job = m.job;
  job.n_free = 1;
  job.free = unknown;
  check_refused (&job, "did you mean 'mu'");
  job.free = narrow;
  check_refused (&job, "no room");
  job.n_free = 2;
  job.free = twice;
  check_refused (&job, "named twice");
  ss_trajectory_free (other);
  ss_trajectory_free (two);
  ss_trajectory_free (empty);
  measured_clear (&m);
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* A sliding box with a drag c v: v' = -mu g - c v / m, of 2 kg. */
static void
drag (double c, int trial, double t, double *poses)
{
  const double k = c / 2, v = 1.6 + 0.4 * trial, rest = 0.31 * G / k;
  const double end = fmin (t, log (1 + v / rest) / k);

  poses[0] = 0.1 * trial + (v + rest) * (1 - exp (-k * end)) / k - rest * end;
  poses[1] = 0.1;
  poses[2] = 0;
}

static void
dragged (int trial, double t, double *poses)
{
  drag (0.8, trial, t, poses);
}

static const Case slider_with_drag = {
    SCENE (MU_E ("0.5", "0") ", \"c\": {\"value\": 0.3, \"minimum\": 0, \"maximum\": 5}",
           "{\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.1], \"velocity\": [1, 0], \"shape\": {\"type\": "
           "\"box\", \"width\": 0.4, \"height\": 0.2}}",
           ", \"forces\": [{\"name\": \"drag\", \"body\": \"box\", \"force\": [\"-c*box.vx\", 0]}]"),
    dragged,
    0.9,
    3,
    {"box.x", "box.y"},
    4,
    {{"mu", NAN, NAN}, {"c", NAN, NAN}, {"box.x", NAN, NAN}, {"box.vx", NAN, NAN}},
    {{"mu", 0.31, 0.05}}};

static int
compare_numbers (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Starts beyond the first two cut the range of an unknown of all trials into equal parts, of the second one likewise
 * (J. H. Halton 1960: the first p^m - 1 numbers to the base p are all multiples of p^-m); what a trial begins with is
 * that of its rows in each. */
static void
starts_spread (void)
{
  enum { MOST = 2 + 8 };
  SsFitModel model;
  Measured m;
  Case c = slider_with_drag;
  int n_spread = 0;

  c.free[0] = (SsFitFree){"mu", 0.2, 0.7};
  c.free[1] = (SsFitFree){"c", 0.1, 3};
  measured_init (&m, &c, 20, 1);
  SS_CHECK (ss_fit_model_init (&model, &m.job, NULL, NULL) == SS_OK);
  const int n = model.n_unknowns;
  double *starts = calloc ((size_t)(MOST * n), sizeof *starts);

  SS_CHECK (ss_fit_starts (&model, MOST, starts) == MOST);
  for (int k = 0; k < n; k++) {
    const SsFitUnknown *u = &model.unknowns[k];
    const int parts = n_spread == 0 ? 8 : 9;
    double values[MOST];

    for (int i = 0; i < MOST; i++)
      values[i] = starts[i * n + k];
    if (u->trial >= 0) {
      for (int i = 2; i < MOST; i++)
        SS_CHECK (values[i] == values[0]);
      continue;
    }
    qsort (values + 2, (size_t)(parts - 1), sizeof *values, compare_numbers);
    for (int i = 1; i < parts; i++)
      SS_CHECK_NEAR (values[1 + i], u->from + (u->to - u->from) * i / parts,
                     1e-12 * fmax (fabs (u->from), fabs (u->to)));
    n_spread++;
  }
  SS_CHECK (n_spread == 2);
  free (starts);
  ss_fit_model_clear (&model);
  measured_clear (&m);
}

/* Those that simulations follow, beside central differences of whole simulations, by all unknowns at their starts:
 * within 2 % of an unknown's largest where an event lies within the step (a line leads to it: h^2 / 2 of what bends),
 * and within 0.2 % on the whole. */
static void
check_slopes (const Case *c, int n_differences)
{
  SsFitModel model;
  bool is_made[2];
  Measured m;

  measured_init (&m, c, 20, 1);
  SS_CHECK (ss_fit_model_init (&model, &m.job, NULL, NULL) == SS_OK);
  const SsFitProblem problem = ss_fit_model_problem (&model);
  const size_t n = (size_t)model.n_unknowns, n_values = (size_t)model.n_values;
  double *start = calloc (2 * n, sizeof *start), *values = calloc (n_values, sizeof *values);
  double *jacobians[2] = {calloc (n * n_values, sizeof (double)), calloc (n * n_values, sizeof (double))};
  int n_simulations[3] = {0};
  SS_CHECK (ss_fit_starts (&model, 2, start) == 2);
  for (int i = 0; i < 2; i++) {
    model.is_central = i == 1;
    SS_CHECK (problem.predict (&model, start, values, jacobians[i], &is_made[i], NULL) == SS_OK && is_made[i]);
    n_simulations[i + 1] = model.n_simulations;
  }
  SS_CHECK (n_simulations[1] == TRIALS + n_differences && n_simulations[2] - n_simulations[1] > n_simulations[1]);
  for (size_t k = 0; k < n; k++) {
    double most = 0, off = 0, squares = 0, all = 0;
    for (size_t i = 0; i < n_values; i++) {
      const double d = jacobians[0][i * n + k] - jacobians[1][i * n + k];
      most = fmax (most, fabs (jacobians[1][i * n + k]));
      off = fmax (off, fabs (d));
      squares += d * d;
      all += jacobians[1][i * n + k] * jacobians[1][i * n + k];
    }
    if (off > 0.02 * most || squares > 4e-6 * all)
      printf ("  %s: %.2g of %.2g, %.2g on the whole\n", model.unknowns[k].name, off, most, sqrt (squares / all));
    SS_CHECK (off <= 0.02 * most && squares <= 4e-6 * all);
  }
  for (int i = 0; i < 2; i++)
    free (jacobians[i]);
  free (values);
  free (start);
  ss_fit_model_clear (&model);
  measured_clear (&m);
}

/* A drag at its least value, 0, cannot be less: differences to one side, one simulation a trial more. */
static void
followed_derivatives_are_those_of_differences (void)
{
  Case c = slider_with_drag, bouncer = ball;
  char *disc = strdup (ball.text), *text = strdup (c.text), *at = strstr (text, "\"c\": {\"value\": 0.3");

  check_slopes (&slider, 0);
  bouncer.text = disc;
  memcpy (strstr (disc, "0.5"), "0.7", 3); /* of e: flights that are longer than a step */
  check_slopes (&bouncer, 0);
  SS_CHECK (at != NULL);
  memcpy (strstr (at, "0.3"), "0.0", 3);
  c.text = text;
  check_slopes (&c, TRIALS);
  free (text);
  free (disc);
}

/* On the way of this film impacts end bounces without end, and beside the motion nothing strikes then. */
static void
impacts_beside_which_nothing_strikes_end_derivatives (void)
{
  SsFitResult result;
  Measured m;

  measured_init (&m, &ball, 5064, 1);
  SS_CHECK (ss_fit (&m.job, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.verdict == SS_FIT_GOOD);
  SS_CHECK_NEAR (estimate_of (&result, "e")->value, 0.72, 0.03 * 0.72);
  ss_fit_result_clear (&result);
  measured_clear (&m);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* BIC of the fit without drag, less that of the one with it. */
static double
compare_drag (Truth truth)
{
  Case with = slider_with_drag, without = slider_with_drag;
  SsFitResult results[2];
  Measured m[2];

  with.truth = without.truth = truth;
  without.free[1] = without.free[--without.n_free];
  const char *c = "\"c\": {\"value\": 0.3";
  char *text = strdup (without.text), *at = strstr (text, c);
  SS_CHECK (at != NULL);
  at[strlen (c) - 1] = '0'; /* no drag */
  without.text = text;
  measured_init (&m[0], &with, 16, 1);
  measured_init (&m[1], &without, 16, 1);
  for (int i = 0; i < 2; i++)
    SS_CHECK (ss_fit (&m[i].job, NULL, &results[i], NULL) == SS_OK);
  const double difference = ss_fit_compare (&results[0], &results[1], SS_FIT_TUKEY);
  for (int i = 0; i < 2; i++) {
    ss_fit_result_clear (&results[i]);
    measured_clear (&m[i]);
  }
  free (text);
  return difference;
}

/* The data know whether there is drag: strongly where there is, and by ln n less for each number that is not needed
 * where there is none. */
static void
models_are_told_apart (void)
{
  const double there = compare_drag (dragged), none = compare_drag (sliding);

  printf ("  BIC without drag, less that with it: %+.1f where there is, %+.1f where there is none\n", there, none);
  SS_CHECK (there > 10 && none < -2);
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

typedef struct {
  SsRunControl *control;
  int n_iterations, n_iterates;
} Listener;

static void
listen (void *user_data, const SsProgress *progress)
{
  Listener *listener = user_data;

  listener->n_iterations += progress->kind == SS_PROGRESS_ITERATION;
  listener->n_iterates += progress->kind == SS_PROGRESS_ITERATE;
  if (listener->n_iterations == 2)
    ss_run_control_cancel (listener->control);
}

/* Whoever cancels gets the best so far, without errors. */
static void
a_fit_tells_its_steps_and_can_be_cancelled (void)
{
  SsRunControl control;
  Listener listener = {.control = &control};
  SsFitResult result;
  Measured m;

  measured_init (&m, &slider, 17, 1);
  ss_run_control_init (&control);
  control.progress = listen;
  control.user_data = &listener;
  SS_CHECK (ss_fit (&m.job, &control, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_CANCELLED && listener.n_iterations == 2 && listener.n_iterates == 2);
  SS_CHECK (result.n_estimates == 7 && isfinite (result.estimates[0].value) &&
            isnan (result.estimates[0].standard_error) && !result.estimates[0].is_identifiable);
  ss_fit_result_clear (&result);
  measured_clear (&m);
}

/* Wherever it is ended, in the first simulation, in the last slopes, in a profile: the best so far and no error.
 * Counted work ends it at the same place on every machine. */
static void
a_fit_can_be_ended_anywhere (void)
{
  Measured m;
  double whole = 0;

  measured_init (&m, &slider, 17, 1);
  for (double part = 0; part < 1; part = part == 0 ? 1e-6 : (ss_test_is_coarse () ? 5 : 1.7) * part) {
    SsRunControl control;
    SsFitResult result;
    SsError err = {0};

    ss_run_control_init (&control);
    const double begin = ss_work_thread ();
    if (part > 0)
      control.work_limit = begin + part * whole;
    const SsStatus status = ss_fit (&m.job, &control, &result, &err);
    if (part == 0)
      whole = ss_work_thread () - begin;
    if (status != SS_OK)
      printf ("  ended at %g of its work: %s\n", part, err.message);
    const bool is_told = status == SS_OK && result.n_estimates == 7;
    SS_CHECK (is_told && isfinite (result.estimates[0].value));
    SS_CHECK ((result.outcome == SS_OUTCOME_CPU_LIMIT) == (part > 0));
    SS_CHECK (is_told && isnan (result.estimates[0].standard_error) == (part > 0));
    ss_fit_result_clear (&result);
  }
  measured_clear (&m);
}

/* Percentage points of Student's distribution: Abramowitz and Stegun, table 26.10. */
static void
quantiles_are_those_of_tables (void)
{
  static const struct {
    double freedom, quantile, off; /* as the header promises */
  } table[] = {{1, 12.706205, 1e-6}, {2, 4.302653, 1e-6},  {3, 3.182446, 4e-3},  {4, 2.776445, 1e-3},
               {5, 2.570582, 3e-4},  {10, 2.228139, 1e-5}, {30, 2.042272, 1e-6}, {120, 1.979930, 1e-6}};

  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    SS_CHECK_NEAR (ss_fit_student (table[i].freedom), table[i].quantile, table[i].off);
}

int
main (void)
{
  SS_RUN (starts_spread);
  SS_RUN (quantiles_are_those_of_tables);
  SS_RUN (time_offsets_are_found);
  SS_RUN_SLOW (a_wrong_scale_is_no_fit);
  SS_RUN_SLOW (a_free_scale_is_found);
  SS_RUN_SLOW (a_scale_that_nothing_tells_is_said_so);
  SS_RUN_SLOW (exchanged_columns_are_no_fit);
  SS_RUN_SLOW (a_motion_of_another_scene_is_no_fit);
  SS_RUN_LONG (models_are_told_apart);
  SS_RUN (what_cannot_be_fitted_is_refused);
  SS_RUN (followed_derivatives_are_those_of_differences);
  SS_RUN_SLOW (impacts_beside_which_nothing_strikes_end_derivatives);
  SS_RUN (a_fit_tells_its_steps_and_can_be_cancelled);
  SS_RUN (a_fit_can_be_ended_anywhere);
  return ss_test_finish ();
}
