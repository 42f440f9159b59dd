/* app/bench/ssapp-bench-constraint.c: suite constraint-solver: the examples of paper 003 (E. Drumwright, first-order
 * constraint solver) in their planar form, its numbers beside ours.
 *
 * The paper's times are of another machine, in Matlab, and of cubes in space: four feet, spheres and so on. Where its
 * text gives no number the column says what it claims. "exact" solutions are closed forms or, for the foundation, a
 * Runge-Kutta solution with 5e-8 s (1e11) or 5e-7 s (1e7) that CVODE confirmed.
 */
#include "app/bench/ssapp-bench-world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.8; /* m/s2, as in the example files */

typedef struct {
  const SsappBenchConstraintPlan *plan;
  SsappBenchSheet *sheet;
} Suite;

/* Names and values up to a NULL name. */
typedef struct {
  SsOverride set[4];
} Settings;

static gboolean
should_stop (const Suite *suite)
{
  SsOutcome why;

  return ss_run_control_should_stop (suite->plan->control, &why);
}

/* The paper takes joints at the start of the step. */
static const char paper_joints[] = "joints=start";

/* A world of that scene and method, with options as in "law=literal" (NULL: none). Everything in it is built in: a
 * mistake is ours. */
static SsappBenchWorld *
world_new (const char *scene, const Settings *settings, const SsIntegratorClass *integrator, const char *options)
{
  g_autofree char *method =
      options != NULL ? g_strconcat (integrator->name, ":", options, NULL) : g_strdup (integrator->name);
  char *message = NULL;
  GPtrArray *methods = ssapp_bench_methods_parse (SS_METHOD_INTEGRATOR, method, &message);
  int n_set = 0;

  if (methods == NULL)
    g_error ("%s: %s", method, message);
  while (n_set < (int)G_N_ELEMENTS (settings->set) && settings->set[n_set].name != NULL)
    n_set++;
  SsappBenchWorld *world =
      ssapp_bench_world_new (scene, settings->set, n_set, g_ptr_array_index (methods, 0), &message);
  if (world == NULL)
    g_error ("%s: %s", scene, message);
  g_ptr_array_unref (methods);
  return world;
}

/* ---- Figs. 1 to 3 ------------------------------------------------------------------------------------------------ */

static const struct {
  const char *figure;
  const SsIntegratorClass *method;
  double h, k, b;
  const char *paper;
} oscillators[] = {
    {"1", &ss_integrator_explicit_euler, 1e-5, 1e6, 1, "unstable"},
    {"1", &ss_integrator_explicit_euler, 1e-5, 1e6, 10, "somewhat more stable"},
    {"1", &ss_integrator_explicit_euler, 1e-5, 1e6, 2e5, "stable"},
    {"1", &ss_integrator_explicit_euler, 1e-5, 1e6, 2.1e5, "unstable"},
    {"2", &ss_integrator_semi_implicit_euler, 1e-3, 1e6, 1, "stable"},
    {"2", &ss_integrator_semi_implicit_euler, 1e-3, 1e7, 1, "unstable"},
    {"3", &ss_integrator_implicit_euler, 1e-5, 1e6, 0, "stable"},
    {"3", &ss_integrator_implicit_euler, 1e-2, 1e6, 0, "stable, attenuates"},
};

/* The step is linear: its matrix [003 (9)-(10)] from two steps. */
static double
spectral_radius (int row)
{
  const Settings settings = {{{"k", oscillators[row].k}, {"b", oscillators[row].b}}};
  double matrix[2][2];

  for (int column = 0; column < 2; column++) {
    SsappBenchWorld *world = world_new ("smd", &settings, oscillators[row].method, NULL);
    ssapp_bench_world_q (world, "mass")[0] = column == 0;
    ssapp_bench_world_v (world, "mass")[0] = column == 1;
    ssapp_bench_world_step (world, oscillators[row].h);
    matrix[0][column] = ssapp_bench_world_q (world, "mass")[0];
    matrix[1][column] = ssapp_bench_world_v (world, "mass")[0];
    ssapp_bench_world_free (world);
  }
  const double half = (matrix[0][0] + matrix[1][1]) / 2;
  const double determinant = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0];
  const double root = half * half - determinant;
  return root < 0 ? sqrt (determinant) : fmax (fabs (half + sqrt (root)), fabs (half - sqrt (root)));
}

/* [003 Fig 1 Fig 2 Fig 3]. */
static void
tell_oscillators (const Suite *suite)
{
  static const char *const columns[] = {"figure|Fig.|0",
                                        "method|method|0",
                                        "dt|dt [s]|6",
                                        "k|k [N/m]|6",
                                        "b|b [N s/m]|6",
                                        "spectral_radius|spectral radius|8",
                                        "x_1000|x at step 1000|4",
                                        "ours|ours|0",
                                        "paper|paper|0",
                                        NULL};
  enum { STEPS = 1000 };
  static const double marginal = 1e-9; /* rounding of a radius near 1 */

  ssapp_bench_sheet_table (suite->sheet, "figs-1-3",
                           "Figs. 1 to 3: Euler's methods on a spring-mass-damper, 1 kg from 1 m", columns);
  for (guint i = 0; i < G_N_ELEMENTS (oscillators) && !should_stop (suite); i++) {
    const Settings settings = {{{"k", oscillators[i].k}, {"b", oscillators[i].b}}};
    SsappBenchWorld *world = world_new ("smd", &settings, oscillators[i].method, NULL);
    const double radius = spectral_radius ((int)i);
    const gboolean ended =
        ssapp_bench_world_run (world, oscillators[i].h, STEPS * oscillators[i].h, suite->plan->control);

    SSAPP_BENCH_ROW (suite->sheet, {oscillators[i].figure}, {oscillators[i].method->name}, {.n = oscillators[i].h},
                     {.n = oscillators[i].k}, {.n = oscillators[i].b}, {.n = radius},
                     {ended ? NULL : "diverged", ssapp_bench_world_q (world, "mass")[0]},
                     {radius < 1 - marginal   ? "stable"
                      : radius > 1 + marginal ? "unstable"
                                              : "marginal"},
                     {oscillators[i].paper});
    ssapp_bench_world_free (world);
  }
}

/* ---- Fig. 4 ------------------------------------------------------------------------------------------------------ */

/* [003 Fig 4]. */
static void
tell_pendulum (const Suite *suite)
{
  static const char *const columns[] = {"dt|dt [s]|4",
                                        "deviation|largest deviation [m]|5",
                                        "formula|h^2 omega^2 L/2 [m]|5",
                                        "order|order|4",
                                        "energy_min|lowest energy [J]|4",
                                        "energy_max|highest energy [J]|4",
                                        "paper|paper|0",
                                        NULL};
  static const double steps[] = {0.1, 0.01, 0.001, 0.0001};
  static const double J = 0.005; /* kg m2, of the example */
  double before = NAN;

  ssapp_bench_sheet_table (suite->sheet, "fig-4", "Fig. 4: pendulum on a joint of 1e15 N/m and 1 N s/m, 1 s", columns);
  for (guint i = 0; i < G_N_ELEMENTS (steps) && !should_stop (suite); i++) {
    const Settings none = {{{NULL, 0}}};
    SsappBenchWorld *world = world_new ("pendulum", &none, &ss_integrator_constraint_solver, paper_joints);
    double least = ssapp_bench_world_energy (world), most = least, deviation = 0;
    gboolean ok = TRUE;

    for (int k = (int)lround (1 / steps[i]); k > 0 && ok; k--) {
      const double *q = ssapp_bench_world_q (world, "bob");
      ok = ssapp_bench_world_step (world, steps[i]);
      deviation = fmax (deviation, hypot (q[0] - cos (q[2]), q[1] - sin (q[2]))); /* L = 1 m */
      least = fmin (least, ssapp_bench_world_energy (world));
      most = fmax (most, ssapp_bench_world_energy (world));
    }
    SSAPP_BENCH_ROW (suite->sheet, {.n = steps[i]}, {.n = deviation}, {.n = steps[i] * steps[i] * G / (J + 1)},
                     {.n = i > 0 ? log (before / deviation) / log (steps[i - 1] / steps[i]) : NAN}, {.n = least},
                     {.n = most}, {"deviation of order 2; energy kept"});
    before = deviation;
    ssapp_bench_world_free (world);
  }
  ssapp_bench_sheet_note (suite->sheet,
                          "Exact energy 0. It is kept up to O(dt), not \"to precisely zero\" as the paper says.");
}

/* ---- Fig. 6 ------------------------------------------------------------------------------------------------------ */

/* [003 Fig 6]. */
static void
tell_stop (const Suite *suite)
{
  static const char *const columns[] = {
      "K|K [N m/rad]|4",     "dt|dt [s]|4",   "theta|theta(1) [rad]|8", "exact|exact [rad]|8",
      "error|error [rad]|4", "order|order|3", "paper|paper|0",          NULL};
  /* exact: the conservative motion, from energy and the half period pi/sqrt(K) of the contact */
  static const struct {
    double K, h, exact;
    const char *paper;
    gboolean is_long;
  } rows[] = {
      {1e12, 1e-5, 1.40410307602, "dead", FALSE},
      {1e12, 1e-6, 1.40410307602, "accuracy grows linearly", FALSE},
      {1e12, 1e-7, 1.40410307602, "accuracy grows linearly", TRUE},
      {1e12, 1e-8, 1.40410307602, "accuracy grows linearly", TRUE},
      {1e6, 1e-2, 1.39839579251, "", FALSE},
      {1e6, 1e-3, 1.39839579251, "", FALSE},
      {1e6, 1e-4, 1.39839579251, "", FALSE},
      {1e6, 1e-5, 1.39839579251, "", FALSE},
      {1e6, 1e-6, 1.39839579251, "", FALSE},
  };
  double before = NAN, before_K = 0;

  ssapp_bench_sheet_table (suite->sheet, "fig-6", "Fig. 6: pendulum with a stop, from pi/2, 1 s", columns);
  for (guint i = 0; i < G_N_ELEMENTS (rows) && !should_stop (suite); i++) {
    const Settings settings = {{{"K", rows[i].K}}};
    if (rows[i].is_long && !suite->plan->is_all)
      continue;
    SsappBenchWorld *world = world_new ("limit-pendulum", &settings, &ss_integrator_constraint_solver, paper_joints);
    if (ssapp_bench_world_run (world, rows[i].h, 1, suite->plan->control)) {
      const double theta = ssapp_bench_world_q (world, "arm")[2], error = fabs (theta - rows[i].exact);
      SSAPP_BENCH_ROW (suite->sheet, {.n = rows[i].K}, {.n = rows[i].h}, {.n = theta}, {.n = rows[i].exact},
                       {.n = error}, {.n = before_K == rows[i].K ? log10 (before / error) : NAN}, {rows[i].paper});
      before = error;
      before_K = rows[i].K;
      ssapp_bench_say (suite->plan->say, "Fig. 6: K = %g, dt = %g s: %.2f s", rows[i].K, rows[i].h, world->cpu_seconds);
    }
    ssapp_bench_world_free (world);
  }
  if (!suite->plan->is_all)
    ssapp_bench_sheet_note (suite->sheet,
                            "K = 1e12 with dt = 1e-7 and 1e-8 (1e7 and 1e8 steps): --all. K = 1e6 shows the same.");
}

/* ---- Tables 1 and 2 ---------------------------------------------------------------------------------------------- */

/* The paper's rows; truth of the planar counterpart after 1 s. */
static const struct {
  double load;
  int elements;
  double E;
  double solver_seconds, ode15s_seconds, ode45_seconds, paper_error, paper_relative;
  double u, theta, uncertainty;
  double fine_error; /* of steps of .001 s, in the caption; 0: not printed */
} foundations[] = {
    {5, 100, 1e7, 0.331, 0.302, 28.0, 2.96e-5, 2.65e-5, -8.32570672289e-06, 2.49440861676e-06, 7.23e-14},
    {5, 100, 1e11, 0.286, 0.189, 27.4, 2.91e-7, 2.60e-7, -8.35090469924e-10, 2.38791802123e-10, 2.93e-16},
    {5, 900, 1e7, 7.40, 4.75, 829, 1.98e-5, 1.77e-5, -8.34000158677e-06, 2.51922152132e-06, 1.02e-20},
    {5, 900, 1e11, 8.23, 1.10, 17100, 2.71e-9, 2.42e-9, -8.34000000016e-10, 2.51721789542e-10, 1.22e-23},
    {50, 100, 1e7, 0.332, 9.55, 15.5, 0.813, 0.724, -1.28462107932e-05, 2.42831538766e-05, 1.04e-12, 3.14e-3},
    {50, 100, 1e11, 0.396, 5550, 621, 0.814, 0.728, -1.28446306796e-09, 2.70873890448e-09, 3.27e-10, 9.22e-5},
    {50, 900, 1e7, 12.98, 27.3, 346, 1.0e-2, 8.87e-3, -1.28400034832e-05, 2.51951365126e-05, 2.58e-14},
    {50, 900, 1e11, 26.00, 2.31, 17400, 1.0e-2, 8.95e-3, -1.28399997114e-09, 2.51722068556e-09, 6.81e-21},
};
/* |(position, unit quaternion)| by which the paper divides: sqrt (0.5^2 + 1). */
static const double paper_norm = 1.118033988749895;

typedef struct {
  double seconds, u, theta, residual;
} Foundation;

static gboolean
run_foundation (const Suite *suite, int row, double h, Foundation *out)
{
  const Settings settings = {
      {{"load_N", foundations[row].load}, {"elements", foundations[row].elements}, {"E", foundations[row].E}}};
  SsappBenchWorld *world = world_new ("foundation", &settings, &ss_integrator_constraint_solver, NULL);
  const gboolean ok = ssapp_bench_world_run (world, h, 1, suite->plan->control);
  const double *q = ssapp_bench_world_q (world, "box");

  *out = (Foundation){world->cpu_seconds, q[1] - 0.5, q[2], world->max_residual};
  ssapp_bench_world_free (world);
  return ok;
}

/* [003 Tab 1 Tab 2]. */
static void
tell_foundation_tables (const Suite *suite)
{
  static const char *const timing[] = {
      "load|load [N]|4",      "elements|elements|4", "E|E [N/m]|4",        "ours|ours [s]|3", "paper|paper [s]*|4",
      "ode15s|ode15s [s]*|4", "ode45|ode45 [s]*|5",  "ratio|paper/ours|3", "residual||2",     NULL};
  static const char *const accuracy[] = {"load|load [N]|4",
                                         "elements|elements|4",
                                         "E|E [N/m]|4",
                                         "error|ours, error|3",
                                         "error_relative|ours, relative|3",
                                         "paper|paper, error|3",
                                         "paper_relative|paper, relative|3",
                                         "motion_relative|ours, relative to the motion|3",
                                         "motion_relative_fine|same, dt = .001|3",
                                         "fine|ours, error, dt = .001|3",
                                         "fine_paper|paper, error, dt = .001|3",
                                         NULL};
  enum { N = G_N_ELEMENTS (foundations) };
  Foundation coarse[N], fine[N];
  guint n = 0;

  for (; n < N && !should_stop (suite); n++) {
    if (!run_foundation (suite, (int)n, 0.01, &coarse[n]) || !run_foundation (suite, (int)n, 0.001, &fine[n]))
      break;
    ssapp_bench_say (suite->plan->say, "Tables 1, 2: %g N, %d elements, E = %g: %.4f s", foundations[n].load,
                     foundations[n].elements, foundations[n].E, coarse[n].seconds);
  }
  ssapp_bench_sheet_table (suite->sheet, "table-1",
                           "Table 1: CPU time for 1 s of the box on an elastic foundation, dt = .01", timing);
  ssapp_bench_sheet_metric (suite->sheet, "residual", SS_METRIC_MAX_RESIDUAL);
  for (guint i = 0; i < n; i++) {
    SSAPP_BENCH_ROW (suite->sheet, {.n = foundations[i].load}, {.n = foundations[i].elements}, {.n = foundations[i].E},
                     {.n = coarse[i].seconds}, {.n = foundations[i].solver_seconds},
                     {.n = foundations[i].ode15s_seconds}, {.n = foundations[i].ode45_seconds},
                     {.n = foundations[i].solver_seconds / coarse[i].seconds}, {.n = coarse[i].residual});
  }
  ssapp_bench_sheet_note (suite->sheet, "* Another machine, Matlab, a cube in space.");
  ssapp_bench_sheet_table (suite->sheet, "table-2", "Table 2: error of (position, angle) after 1 s, dt = .01",
                           accuracy);
  for (guint i = 0; i < n; i++) {
    const double size = hypot (foundations[i].u, foundations[i].theta);
    const double du = coarse[i].u - foundations[i].u, dtheta = coarse[i].theta - foundations[i].theta;
    const double error = hypot (du, dtheta), as_paper = hypot (du, dtheta / 2); /* a quaternion has half the angle */
    const double fine_error = hypot (fine[i].u - foundations[i].u, fine[i].theta - foundations[i].theta);
    SSAPP_BENCH_ROW (suite->sheet, {.n = foundations[i].load}, {.n = foundations[i].elements}, {.n = foundations[i].E},
                     {.n = error}, {.n = as_paper / paper_norm}, {.n = foundations[i].paper_error},
                     {.n = foundations[i].paper_relative}, {.n = error / size}, {.n = fine_error / size},
                     {.n = fine_error}, {.n = foundations[i].fine_error > 0 ? foundations[i].fine_error : (double)NAN});
  }
  ssapp_bench_sheet_note (suite->sheet, "The paper divides by |(0.5, unit quaternion)| = 1.118; displacements are 1e-5 "
                                        "m to 1e-10 m. The exact solution of 50 N, 100 elements, 1e11 N/m rings "
                                        "undamped and is known to 3e-10 only.");
  ssapp_bench_sheet_note (suite->sheet, "The paper's .813 and .814 of 50 N and 100 elements, and its 1e-2 of 900, are "
                                        "errors of no such motion: all of it is 2.0e-5 in space too, for a cube on 10 "
                                        "x 10 springs of 1e7 N/m together, where the error is 1.5e-6.");
}

/* ---- Fig. 9 ------------------------------------------------------------------------------------------------------ */

/* [003 Fig 9]. */
static void
tell_ramp (const Suite *suite)
{
  static const char *const columns[] = {"mu|mu|4",
                                        "max|law=max [m]|8",
                                        "predicted|a (1 + h)/2 [m]|8",
                                        "coulomb|exact Coulomb [m]|8",
                                        "literal|law=literal [m]|5",
                                        "speed|speed at 1 s [m/s]|5",
                                        "lift_literal|lift, literal [m]|3",
                                        "paper|paper|0",
                                        NULL};
  static const double frictions[] = {0, 0.125, 0.25, 0.375};
  static const char *const paper[] = {"slides, no friction", "slides", "slides less", "sticks"};
  static const double slope = 15 * G_PI / 180, h = 0.01;

  ssapp_bench_sheet_table (suite->sheet, "fig-9",
                           "Fig. 9: distance of a box on a ramp of 15 degrees after 1 s, dt = .01, Hertzian feet",
                           columns);
  for (guint i = 0; i < G_N_ELEMENTS (frictions) && !should_stop (suite); i++) {
    const Settings settings = {{{"mu", frictions[i]}}};
    const double a = fmax (G * (sin (slope) - frictions[i] * cos (slope)), 0);
    SsappBenchWorld *world = world_new ("ramp", &settings, &ss_integrator_constraint_solver, NULL);
    SsappBenchWorld *literal = world_new ("ramp", &settings, &ss_integrator_constraint_solver, "law=literal");
    double lift = 0;
    gboolean ok = TRUE;

    ssapp_bench_world_run (world, h, 1, suite->plan->control);
    for (int k = (int)lround (1 / h); k > 0 && ok; k--) {
      ok = ssapp_bench_world_step (literal, h);
      lift = fmax (lift, ssapp_bench_world_q (literal, "box")[1] - 0.025);
    }
    SSAPP_BENCH_ROW (suite->sheet, {.n = frictions[i]}, {.n = ssapp_bench_world_q (world, "box")[0]},
                     {.n = a * (1 + h) / 2}, {.n = a / 2}, {.n = ok ? ssapp_bench_world_q (literal, "box")[0] : NAN},
                     {.n = ssapp_bench_world_v (world, "box")[0]}, {.n = lift}, {paper[i]});
    ssapp_bench_world_free (world);
    ssapp_bench_world_free (literal);
  }
  ssapp_bench_sheet_note (
      suite->sheet, "law=literal solves the quadratic programs as printed: they throw the sliding box off the ramp. "
                    "Sticking creeps at m g sin/(2 B_r).");
}

/* ---- Fig. 10 ----------------------------------------------------------------------------------------------------- */

/* [003 Fig 10]. */
static void
tell_stack (const Suite *suite)
{
  static const char *const columns[] = {"n|disks|4",
                                        "spacing|spacing [m]|3",
                                        "ms_per_step|ms a step|3",
                                        "seconds|CPU for 1 s [s]|3",
                                        "residual||2",
                                        "top_error|top, relative error|2",
                                        "penetration||4",
                                        "static|m g n/K [m]|4",
                                        "end|end|0",
                                        NULL};
  static const int counts[] = {1, 2, 5, 10, 20, 50, 100};
  static const double spacings[] = {0, 0.05}, K = G_PI / 4 * 1e11, h = 0.01, radius = 0.5;
  enum { STEPS = 500 };

  ssapp_bench_sheet_table (suite->sheet, "fig-10", "Fig. 10: stacks of disks, E* = 1e11, 500 steps of 10 ms", columns);
  ssapp_bench_sheet_metric (suite->sheet, "residual", SS_METRIC_MAX_RESIDUAL);
  ssapp_bench_sheet_metric (suite->sheet, "penetration", SS_METRIC_MAX_PENETRATION);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint s = 0; s < G_N_ELEMENTS (spacings) && !should_stop (suite); s++) {
      const Settings settings = {{{"n", counts[i]}, {"initial_spacing", spacings[s]}}};
      const double n = counts[i], sinks = G * n * (n + 1) / (2 * K);
      char name[16];
      SsappBenchWorld *world = world_new ("disk-stack", &settings, &ss_integrator_constraint_solver, NULL);
      const gboolean ok = ssapp_bench_world_run (world, h, STEPS * h, suite->plan->control);

      if (ok || world->message[0] != '\0') {
        snprintf (name, sizeof name, "disk%d", counts[i]);
        const double top = ssapp_bench_world_q (world, name)[1] - (2 * n - 1) * radius;
        SSAPP_BENCH_ROW (suite->sheet, {.n = n}, {.n = spacings[s]}, {.n = 1e3 * world->cpu_seconds / world->steps},
                         {.n = world->cpu_seconds / world->steps / h}, {.n = world->max_residual},
                         {.n = ok ? fabs (top / -sinks - 1) : NAN}, {.n = world->max_penetration}, {.n = n * G / K},
                         {ok ? "completed" : world->message});
        ssapp_bench_say (suite->plan->say, "Fig. 10: %d disks: %.3g ms a step", counts[i],
                         1e3 * world->cpu_seconds / world->steps);
      }
      ssapp_bench_world_free (world);
    }
  ssapp_bench_sheet_note (suite->sheet, "The paper: up to 100 spheres form a stable stack; its times are plotted, not "
                                        "printed. The top's relative error is the rounding of y.");
}

/* ---- the suite --------------------------------------------------------------------------------------------------- */

SsappBenchSheet *
ssapp_bench_constraint (const SsappBenchConstraintPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);
  static const struct {
    const char *keys; /* of its tables */
    void (*bench) (const Suite *suite);
  } parts[] = {{"figs-1-3", tell_oscillators}, {"fig-4", tell_pendulum},
               {"fig-6", tell_stop},           {"table-1,table-2", tell_foundation_tables},
               {"fig-9", tell_ramp},           {"fig-10", tell_stack}};
  const Suite suite = {plan, ssapp_bench_sheet_new ()};

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (plan->only == NULL || strstr (parts[i].keys, plan->only) != NULL)
      parts[i].bench (&suite);
  return suite.sheet;
}
