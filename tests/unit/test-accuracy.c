/* tests/unit/test-accuracy.c: simulators against a reference: formulas, errors and fits by what is known of power laws,
 * and orders of integrators on problems with closed forms. */
#include "app/study/ssapp-accuracy-ask.h"
#include "app/study/ssapp-accuracy-draw.h"
#include "fesd/ss-fesd-j.h"
#include "simulate/ss-simulate.h"
#include "tests/ss-test-scenario.h"

#include <glib/gstdio.h>
#include <jansson.h>

/* ---- truths ------------------------------------------------------------------------------------------------------ */

static void
formulas_are_read_with_parameters (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/classics/bouncing-ball.stickslip.json", NULL, 0);
  g_autoptr (SsappTruth) truth = ssapp_truth_new (scenario, "fall");

  SS_CHECK (ssapp_truth_add_formula (truth, " ball.y = h0 + r - g*t^2/2", NULL));
  SS_CHECK_NEAR (ssapp_truth_get (truth, "ball.y", 0.2), 1 + 0.1 - 9.81 * 0.04 / 2, 1e-15);
  /* A second one replaces the first; another time is not the one before. */
  SS_CHECK (ssapp_truth_add_formula (truth, "ball.y=if(t < 1, 2, 3)", NULL));
  SS_CHECK_NEAR (ssapp_truth_get (truth, "ball.y", 0.5), 2, 0);
  SS_CHECK_NEAR (ssapp_truth_get (truth, "ball.y", 1.5), 3, 0);
  SS_CHECK (isnan (ssapp_truth_get (truth, "ball.x", 0)));
  SS_CHECK (isinf (ssapp_truth_get_end (truth)));
  ss_scenario_free (scenario);
}

static void
check_refused (SsappTruth *truth, const char *pair, const char *part)
{
  g_autoptr (GError) error = NULL;

  SS_CHECK (!ssapp_truth_add_formula (truth, pair, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : "", part);
}

static void
wrong_formulas_are_told (void)
{
  g_autoptr (SsappTruth) truth = ssapp_truth_new (NULL, "none");

  check_refused (truth, "box.x", "CHANNEL=FORMULA");
  check_refused (truth, "=t", "CHANNEL=FORMULA");
  check_refused (truth, "box.x=g*t", "'g' is neither t nor a parameter");
  check_refused (truth, "box.x=2*(t", "column 5");
  check_refused (truth, "box.x=next(t)", "neither");
}

/* Writes a file below the temporary folder; g_free. */
static char *
write_temporary (const char *name, const char *text)
{
  g_autofree char *folder = g_dir_make_tmp ("stickslip-accuracy-XXXXXX", NULL);
  char *path = g_build_filename (folder, name, NULL);

  SS_CHECK (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
remove_temporary (char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_remove (path);
  g_rmdir (folder);
  g_free (path);
}

static void
files_are_read (void)
{
  char *formulas = write_temporary (
      "fall.json", "{\"title\": \"Fall\", \"source\": \"closed form\", \"channels\": {\"a.x\": \"t^2\", \"a.y\": 4}}");
  char *table = write_temporary ("fall.csv", "t,a.x,a.y\n0,0,4\n1,1,4\n2,4,4\n");
  char *wrong = write_temporary ("wrong.json", "{\"channels\": {\"a.x\": \"t +\"}}");
  char *other = write_temporary ("other.json", "{\"a.x\": \"t\"}");
  g_autoptr (GError) error = NULL;
  SsappTruth *truth = ssapp_truth_read (NULL, formulas, NULL);

  SS_CHECK (truth != NULL);
  SS_CHECK_STR (ssapp_truth_get_title (truth), "Fall");
  SS_CHECK_NEAR (ssapp_truth_get (truth, "a.x", 3), 9, 0);
  SS_CHECK_NEAR (ssapp_truth_get (truth, "a.y", 3), 4, 0);
  ssapp_truth_free (truth);
  truth = ssapp_truth_read (NULL, table, NULL);
  SS_CHECK (truth != NULL);
  SS_CHECK_STR (ssapp_truth_get_title (truth), "fall.csv");
  SS_CHECK_NEAR (ssapp_truth_get (truth, "a.x", 2), 4, 0);
  SS_CHECK_NEAR (ssapp_truth_get (truth, "a.x", 0.5), 0.5, 1e-12); /* no speeds: straight between rows */
  SS_CHECK_NEAR (ssapp_truth_get_end (truth), 2, 0);
  ssapp_truth_free (truth);
  SS_CHECK (ssapp_truth_read (NULL, wrong, &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "wrong.json: a.x = t +, column");
  g_clear_error (&error);
  SS_CHECK (ssapp_truth_read (NULL, other, &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "\"channels\"");
  g_clear_error (&error);
  SS_CHECK (ssapp_truth_read (NULL, "/nowhere/at/all.json", &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "all.json");
  remove_temporary (formulas);
  remove_temporary (table);
  remove_temporary (wrong);
  remove_temporary (other);
}

static void
errors_are_mean_largest_and_last (void)
{
  static const char *const names[] = {"t", "a.x", "a.y"};
  static const double rows[][3] = {{0, 0, 0}, {1, 1.5, 0}, {2, 2, -1}, {3, 3.1, 0}};
  static const double times[] = {1, 2, 3};
  g_autoptr (SsappTruth) truth = ssapp_truth_new (NULL, "line");
  g_autoptr (GError) error = NULL;
  SsTrajectory *motion = NULL;
  SsappMotionError e;

  SS_CHECK (ss_trajectory_new_named (names, 3, 4, &motion, NULL) == SS_OK);
  for (int i = 0; i < 4; i++)
    SS_CHECK (ss_trajectory_append (motion, rows[i], NULL) == SS_OK);
  SS_CHECK (ssapp_truth_add_formula (truth, "a.x=t", NULL) && ssapp_truth_add_formula (truth, "a.y=0", NULL));
  char **channels = ssapp_truth_channels (truth, motion, NULL, &error);
  SS_CHECK (channels != NULL && g_strv_length (channels) == 2);
  ssapp_truth_compare (truth, motion, channels, times, 3, &e);
  SS_CHECK_NEAR (e.by[SSAPP_ERROR_MEAN], (0.5 + 1 + 0.1) / 3, 1e-15);
  SS_CHECK_NEAR (e.by[SSAPP_ERROR_MAX], 1, 0);
  SS_CHECK_NEAR (e.by[SSAPP_ERROR_END], 0.1, 1e-15);
  SS_CHECK_NEAR (e.scale, 2, 0); /* from 1 to 3 */
  g_strfreev (channels);
  channels = ssapp_truth_channels (truth, motion, "a.x", &error);
  ssapp_truth_compare (truth, motion, channels, times, 3, &e);
  SS_CHECK_NEAR (e.by[SSAPP_ERROR_MAX], 0.5, 0);
  g_strfreev (channels);
  SS_CHECK (ssapp_truth_channels (truth, motion, "a.x,b.x", &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "“b.x”");
  /* A truth that ends early counts up to its end. */
  g_autoptr (SsappTruth) shorter = ssapp_truth_new_motion (motion, "itself");
  channels = ssapp_truth_channels (shorter, motion, "a.x", NULL);
  ssapp_truth_compare (shorter, motion, channels, (const double[]){1, 2, 9}, 3, &e);
  SS_CHECK_NEAR (e.by[SSAPP_ERROR_MAX], 0, 0);
  ssapp_truth_compare (shorter, motion, channels, (const double[]){9}, 1, &e);
  SS_CHECK (isnan (e.by[SSAPP_ERROR_MEAN]));
  g_strfreev (channels);
  ss_trajectory_free (motion);
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static void
what_is_asked_for_is_read (void)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *methods = ssapp_accuracy_read_methods ("moreau-jean, fesd-j:stages=2", &error);
  GArray *steps = ssapp_accuracy_read_steps (" 0.02,0.01 ", 1, &error);
  SsappAccuracyReference reference;

  SS_CHECK (methods != NULL && methods->len == 2);
  const SsappAccuracyMethod *second = g_ptr_array_index (methods, 1);
  SS_CHECK_STR (second->label, "fesd-j:stages=2");
  SS_CHECK_STR (second->names[0], "stages");
  SS_CHECK_STR (second->values[0], "2");
  SS_CHECK (steps != NULL && steps->len == 2 && g_array_index (steps, double, 1) == 0.01);
  g_ptr_array_unref (methods);
  g_array_unref (steps);
  steps = ssapp_accuracy_read_steps ("", 2, &error); /* a fiftieth, halved */
  SS_CHECK (steps->len > 3 && g_array_index (steps, double, 0) == 0.04 && g_array_index (steps, double, 1) == 0.02);
  g_array_unref (steps);
  SS_CHECK (ssapp_accuracy_read_reference ("own", NULL, NULL, &reference, &error));
  SS_CHECK (reference.method == NULL && reference.truth == NULL);
  SS_CHECK (ssapp_accuracy_read_reference ("", NULL, NULL, &reference, &error) && reference.method != NULL);
  ssapp_accuracy_reference_clear (&reference);
  SS_CHECK (ssapp_accuracy_read_reference ("a.x=t; a.y=2*t", NULL, NULL, &reference, &error));
  SS_CHECK (reference.truth != NULL && ssapp_truth_get (reference.truth, "a.y", 3) == 6);
  ssapp_accuracy_reference_clear (&reference);
}

static void
what_cannot_be_read_is_told (void)
{
  static const char *const lists[] = {"moreau", "fesd-j:stage=2", "fesd-j:stages", "fesd-j:stages=x", ""};
  static const char *const steps[] = {"0.1,x", "0", "-1", "0.1,,0.2"};
  SsappAccuracyReference reference;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    g_autoptr (GError) error = NULL;
    SS_CHECK (ssapp_accuracy_read_methods (lists[i], &error) == NULL && error != NULL);
  }
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (GError) error = NULL;
    SS_CHECK (ssapp_accuracy_read_steps (steps[i], 1, &error) == NULL && error != NULL);
  }
  g_autoptr (GError) error = NULL;
  SS_CHECK (!ssapp_accuracy_read_reference ("a.x=q", NULL, NULL, &reference, &error));
  SS_CHECK_CONTAINS (error->message, "'q'");
}

/* ---- fits -------------------------------------------------------------------------------------------------------- */

enum { N = 8 };

static void
power_law (double order, double *steps, double *errors)
{
  for (int i = 0; i < N; i++) {
    steps[i] = ldexp (0.1, -i);
    errors[i] = 3 * pow (steps[i], order);
  }
}

static void
power_laws_are_fitted (void)
{
  double steps[N], errors[N], cpu[N];
  SsappAccuracyFit fit;

  power_law (2.5, steps, errors);
  for (int i = 0; i < N; i++)
    cpu[i] = 0.01 / steps[i];
  ssapp_accuracy_fit_points (steps, errors, cpu, N, 1, &fit);
  SS_CHECK_NEAR (fit.order, 2.5, 1e-12);
  SS_CHECK_NEAR (fit.factor, 3, 1e-10);
  SS_CHECK_NEAR (fit.cpu_slope, -2.5, 1e-12);
  SS_CHECK (fit.n_points == N && !fit.is_exact);
  SS_CHECK_NEAR (fit.dt_first, steps[0], 0);
  SS_CHECK_NEAR (fit.dt_last, steps[N - 1], 0);
}

static void
only_what_falls_is_fitted (void)
{
  double steps[N], errors[N];
  SsappAccuracyFit fit;

  /* A floor of rounding. */
  power_law (5, steps, errors);
  for (int i = 4; i < N; i++)
    errors[i] = 2e-14 * (i + 1);
  ssapp_accuracy_fit_points (steps, errors, NULL, N, 1, &fit);
  SS_CHECK_NEAR (fit.order, 5, 1e-9);
  SS_CHECK (fit.n_points == 4);
  SS_CHECK_NEAR (fit.dt_last, steps[3], 0);
  SS_CHECK (isnan (fit.cpu_slope));
  /* The error of another law remains. */
  power_law (1, steps, errors);
  for (int i = 5; i < N; i++)
    errors[i] = errors[4] * (1 - 0.01 * i);
  ssapp_accuracy_fit_points (steps, errors, NULL, N, 1, &fit);
  SS_CHECK_NEAR (fit.order, 1, 0.1);
  SS_CHECK (fit.n_points == 5);
  /* Steps that are too long: the error does not fall yet, or by far too much. */
  power_law (2, steps, errors);
  errors[0] = errors[1] / 2;
  ssapp_accuracy_fit_points (steps, errors, NULL, N, 1, &fit);
  SS_CHECK_NEAR (fit.order, 2, 1e-12);
  SS_CHECK (fit.n_points == N - 1);
  errors[0] = 1e3;
  ssapp_accuracy_fit_points (steps, errors, NULL, N, 1, &fit);
  SS_CHECK_NEAR (fit.order, 2, 1e-12);
  SS_CHECK_NEAR (fit.dt_first, steps[1], 0);
  /* One point out of line within is kept: where an impact falls in a step differs. */
  power_law (1, steps, errors);
  errors[4] *= 2.5;
  ssapp_accuracy_fit_points (steps, errors, NULL, N, 1, &fit);
  SS_CHECK (fit.n_points == N);
}

static void
what_has_no_order_says_so (void)
{
  double steps[N], errors[N];
  SsappAccuracyFit fit;

  power_law (1, steps, errors);
  for (int i = 0; i < N; i++)
    errors[i] = 1e-12;
  ssapp_accuracy_fit_points (steps, errors, NULL, N, 1, &fit);
  SS_CHECK (fit.is_exact && isnan (fit.order));
  SS_CHECK_STR (fit.note, "exact up to rounding");
  for (int i = 0; i < N; i++)
    errors[i] = 0.1;
  ssapp_accuracy_fit_points (steps, errors, NULL, N, 1, &fit);
  SS_CHECK (isnan (fit.order) && !fit.is_exact);
  SS_CHECK_CONTAINS (fit.note, "does not fall");
  ssapp_accuracy_fit_points (steps, errors, NULL, 2, 1, &fit);
  SS_CHECK_CONTAINS (fit.note, "fewer than three");
  errors[0] = errors[1] = NAN;
  ssapp_accuracy_fit_points (steps, errors, NULL, 2, 1, &fit);
  SS_CHECK_CONTAINS (fit.note, "no run");
}

/* ---- integrators on closed forms --------------------------------------------------------------------------------- */

typedef struct {
  const SsIntegratorClass *method;
  const char *stages; /* option; NULL: none */
  double order;       /* 0: exact */
  double tolerance;   /* of a slope that is measured at finite steps */
} Expected;

/* Rows of a method on a scenario whose truth is known: T/20 and four halvings. */
static SsappAccuracy *
measure (const SsScenario *scenario, SsappTruth *truth, double t_end, const Expected *expected)
{
  SsappAccuracy *accuracy = ssapp_accuracy_new ("test", SSAPP_ERROR_MEAN);
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, expected->method->name, NULL);
  double times[20];

  g_ptr_array_add (accuracy->methods, ssapp_accuracy_method_new (method, NULL, NULL, NULL));
  for (int k = 0; k < 20; k++)
    times[k] = (k + 1) * t_end / 20;
  for (int i = 0; i < 5; i++) {
    SsappAccuracyRow row;
    SsSimResult result = {0};
    SsappMotionError errors;
    g_autofree void *options = g_malloc0 (MAX (method->options->size, 1));
    g_auto (GStrv) channels = NULL;
    ss_options_init (method->options, options);
    SS_CHECK (expected->stages == NULL ||
              ss_options_set (method->options, options, "stages", expected->stages, NULL) == SS_OK);
    ssapp_accuracy_row_init (&row, 0, t_end / (20 << i));
    SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = scenario->scene,
                                           .integrator = expected->method,
                                           .options = options,
                                           .dt = row.dt,
                                           .t_end = t_end},
                               NULL, &result, NULL) == SS_OK);
    row.is_success = result.outcome == SS_OUTCOME_COMPLETED;
    row.outcome = g_strdup ("completed");
    ss_metric_set (&row.metrics, SS_METRIC_CPU_SECONDS, 1e-3 * (1 << i));
    channels = ssapp_truth_channels (truth, result.trajectory, NULL, NULL);
    SS_CHECK (channels != NULL);
    ssapp_truth_compare (truth, result.trajectory, channels, times, 20, &errors);
    memcpy (row.errors, errors.by, sizeof row.errors);
    row.scale = errors.scale;
    ssapp_accuracy_add (accuracy, &row);
    ss_sim_result_clear (&result);
  }
  return accuracy;
}

static void
check_orders (const char *file, const SsOverride *set, int n_set, const char *formula, double t_end,
              const Expected *expected, int n)
{
  SsScenario *scenario = ss_test_read_file (file, set, n_set);
  g_autoptr (SsappTruth) truth = ssapp_truth_new (scenario, "closed form");

  SS_CHECK (ssapp_truth_add_formula (truth, formula, NULL));
  for (int i = 0; i < n; i++) {
    g_autoptr (SsappAccuracy) accuracy = measure (scenario, truth, t_end, &expected[i]);
    SsappAccuracyFit fit;
    const int before = ss_test_failed_checks;
    ssapp_accuracy_fit (accuracy, 0, &fit);
    if (expected[i].order > 0)
      SS_CHECK_NEAR (fit.order, expected[i].order, expected[i].tolerance);
    else
      SS_CHECK (fit.is_exact);
    if (ss_test_failed_checks > before)
      printf ("  %s, stages %s on %s\n", expected[i].method->name, expected[i].stages, file);
  }
  ss_scenario_free (scenario);
}

/* Radau IIA with s stages has order 2 s - 1 in smooth motion; the others as their theory says. */
static void
orders_of_a_smooth_motion (void)
{
  static const Expected expected[] = {{&ss_integrator_semi_implicit_euler, NULL, 1, 0.1},
                                      {&ss_integrator_implicit_euler, NULL, 1, 0.1},
                                      {&ss_integrator_moreau_jean, NULL, 2, 0.1},
                                      {&ss_integrator_fesd_j, "1", 1, 0.1},
                                      {&ss_integrator_fesd_j, "2", 3, 0.1},
                                      {&ss_integrator_fesd_j, "3", 5, 0.3}};

  check_orders ("data/bench/oscillator.stickslip.json", NULL, 0,
                "mass.x=exp(-t/10)*(cos(sqrt(3.99)*t)+sin(sqrt(3.99)*t)/(10*sqrt(3.99)))", 2, expected,
                G_N_ELEMENTS (expected));
}

static void
orders_of_a_sliding_block (void)
{
  static const SsOverride set[] = {{"n", 1}, {"mu", 0.125}};
  static const Expected expected[] = {{&ss_integrator_stewart_trinkle, NULL, 1, 0.01},
                                      {&ss_integrator_convex_time_stepping, NULL, 1, 0.05},
                                      {&ss_integrator_moreau_jean, NULL, 0, 0},
                                      {&ss_integrator_fesd_j, "2", 0, 0}};

  check_orders ("data/bench/incline.stickslip.json", set, 2,
                "b1.x=g*(sin(angle_deg*pi/180)-mu*cos(angle_deg*pi/180))*t^2/2", 1, expected, G_N_ELEMENTS (expected));
}

/* Up to the second landing. Moreau's impact falls up to a step late, wherever it falls in it. */
static void
orders_of_a_bounce (void)
{
  static const Expected expected[] = {{&ss_integrator_moreau_jean, NULL, 1, 0.4}, {&ss_integrator_fesd_j, "2", 0, 0}};

  check_orders ("examples/classics/bouncing-ball.stickslip.json", NULL, 0,
                "ball.y=r+if(t<sqrt(2*h0/g), h0-g*t^2/2, e*sqrt(2*h0*g)*(t-sqrt(2*h0/g))-g*(t-sqrt(2*h0/g))^2/2)", 0.9,
                expected, G_N_ELEMENTS (expected));
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static SsappAccuracy *
make (void)
{
  SsappAccuracy *accuracy = ssapp_accuracy_new ("Ramp", SSAPP_ERROR_MEAN);
  static const char *const methods[] = {"moreau-jean", "cvode"};

  for (guint m = 0; m < G_N_ELEMENTS (methods); m++) {
    const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, methods[m], NULL);
    g_ptr_array_add (accuracy->methods, ssapp_accuracy_method_new (method, NULL, NULL, NULL));
    for (int i = 3; i >= 0; i--) { /* in any order */
      SsappAccuracyRow row;
      ssapp_accuracy_row_init (&row, m, ldexp (0.1, -i));
      row.is_success = TRUE;
      row.outcome = g_strdup ("completed");
      for (int k = 0; k < SSAPP_ERROR_COUNT; k++)
        row.errors[k] = (k + 1) * row.dt;
      row.scale = 1;
      ss_metric_set (&row.metrics, SS_METRIC_CPU_SECONDS, 2 / row.dt);
      ssapp_accuracy_add (accuracy, &row);
    }
  }
  return accuracy;
}

static void
repeats_keep_the_fastest (void)
{
  g_autoptr (SsappAccuracy) accuracy = make ();
  SsappAccuracyRow row;

  ssapp_accuracy_row_init (&row, 0, 0.1);
  row.outcome = g_strdup ("completed");
  ss_metric_set (&row.metrics, SS_METRIC_CPU_SECONDS, 35); /* slower than 2/0.1 */
  ssapp_accuracy_add (accuracy, &row);
  SS_CHECK (accuracy->rows->len == 8);
  SS_CHECK_NEAR (ss_metric_get (&g_array_index (accuracy->rows, SsappAccuracyRow, 0).metrics, SS_METRIC_CPU_SECONDS),
                 20, 1e-12);
}

static void
tables_say_what_was_fitted (void)
{
  g_autoptr (SsappAccuracy) accuracy = make ();
  SsappTable *runs = ssapp_accuracy_table_by_name (accuracy, "runs");
  SsappTable *orders = ssapp_accuracy_table_by_name (accuracy, "orders");
  SsappTable *energy = ssapp_accuracy_table_by_name (accuracy, "energy");
  g_autofree char *text = ssapp_table_write (orders, SSAPP_TABLE_TEXT),
                  *csv = ssapp_table_write (runs, SSAPP_TABLE_CSV);
  json_t *json = ssapp_accuracy_to_json (accuracy);

  SS_CHECK (ssapp_table_get_n_rows (runs) == 8 && ssapp_table_get_n_rows (energy) == 8);
  SS_CHECK_NEAR (ssapp_table_get_number (runs, 0, 1), 0.1, 0); /* long steps first */
  SS_CHECK_NEAR (ssapp_table_get_number (runs, 0, 3), 0.2, 0); /* the largest error */
  SS_CHECK_NEAR (ssapp_table_get_number (orders, 0, 1), 1, 1e-12);
  SS_CHECK_NEAR (ssapp_table_get_number (orders, 0, 2), -1, 1e-12);
  SS_CHECK_NEAR (ssapp_table_get_number (orders, 0, 3), 4, 0);
  SS_CHECK_NEAR (ssapp_table_get_number (orders, 0, 5), 0.0125, 0);
  SS_CHECK (isnan (ssapp_table_get_number (orders, 1, 1))); /* steps of its own */
  SS_CHECK_CONTAINS (text, "steps of its own");
  SS_CHECK_CONTAINS (text, "Newton's restitution"); /* the law */
  SS_CHECK_CONTAINS (csv, "error_mean");
  SS_CHECK (ssapp_accuracy_table_by_name (accuracy, "none") == NULL);
  SS_CHECK (json_array_size (json_object_get (json, "runs")) == 8);
  json_decref (json);
  ssapp_table_free (runs);
  ssapp_table_free (orders);
  ssapp_table_free (energy);
}

/* The picture: ink in both panels, wide and narrow, also without any run. */
static void
pictures_have_curves (void)
{
  g_autoptr (SsappAccuracy) accuracy = make (), empty = ssapp_accuracy_new ("none", SSAPP_ERROR_END);
  const SsappAccuracy *const all[] = {accuracy, empty};
  static const double widths[] = {300, 900};

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
      SsappStyle style;
      ssapp_style_init (&style, FALSE);
      const double height = ssapp_accuracy_height (all[i], &style, widths[w]);
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)widths[w], (int)ceil (height));
      cairo_t *cr = cairo_create (surface);
      ssapp_accuracy_draw (cr, &style, all[i], widths[w], height);
      SS_CHECK (cairo_status (cr) == CAIRO_STATUS_SUCCESS);
      cairo_surface_flush (surface);
      const unsigned char *data = cairo_image_surface_get_data (surface);
      const size_t size = (size_t)cairo_image_surface_get_stride (surface) * (size_t)ceil (height);
      size_t ink = 0;
      for (size_t k = 3; k < size; k += 4)
        ink += data[k] > 0;
      SS_CHECK (ink > 1000);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
}

int
main (void)
{
  SS_RUN (formulas_are_read_with_parameters);
  SS_RUN (wrong_formulas_are_told);
  SS_RUN (files_are_read);
  SS_RUN (errors_are_mean_largest_and_last);
  SS_RUN (what_is_asked_for_is_read);
  SS_RUN (what_cannot_be_read_is_told);
  SS_RUN (power_laws_are_fitted);
  SS_RUN (only_what_falls_is_fitted);
  SS_RUN (what_has_no_order_says_so);
  SS_RUN (orders_of_a_smooth_motion);
  SS_RUN (orders_of_a_sliding_block);
  SS_RUN (orders_of_a_bounce);
  SS_RUN (repeats_keep_the_fastest);
  SS_RUN (tables_say_what_was_fitted);
  SS_RUN (pictures_have_curves);
  return ss_test_finish ();
}
