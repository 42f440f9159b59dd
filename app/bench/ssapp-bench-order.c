/* app/bench/ssapp-bench-order.c: observed orders of convergence of the integrators on problems with known solutions,
 * beside the theory; see ssapp-bench-world.h.
 *
 * Order: slope of log(error) against log(dt) over steps from 1/64 s to 1/1024 s, least squares. Errors: mean of |x -
 * exact| over the steps (in the sense of L1, since velocities cannot converge at the instant of an impact), over
 * several heights of fall, since where within a step an impact falls changes its error by as much as the error is.
 */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-world.h"

#include <math.h>
#include <string.h>

enum { N_STEPS = 5, N_HEIGHTS = 8 };
static const double height_step = 0.0437; /* m above 1 m; no multiple of anything */
static const double longest = 1.0 / 64;   /* s */
/* An observed order may be off by this much: it is measured at finite steps, and impacts fall anywhere within them. */
static const double tolerance = 0.25;
/* An error below this is rounding: the method is exact there. [m], [rad] */
static const double rounding = 1e-8;
/* A method that chooses its own steps for a relative tolerance of 1e-6 adds its errors up over a second to less. [m],
 * [rad] */
static const double added_up = 1e-4;

/* ---- problems with their solutions ------------------------------------------------------------------------------- */

static double
oscillator (double t, double h0)
{
  (void)h0;
  const double w = sqrt (4 - 0.01);

  return exp (-t / 10) * (cos (w * t) + sin (w * t) / (10 * w));
}

/* A rod about a pin: theta'' = -m g L/(J + m L^2) cos(theta), by a fourth-order method with steps far below those of
 * the others. */
static double
pendulum (double t, double h0)
{
  (void)h0;
  enum { STEPS = 400 };
  const double c = 9.8 / 1.005, h = t / STEPS;
  double q = 0, v = 0;

  for (int i = 0; i < STEPS; i++) {
    const double k1 = v, l1 = -c * cos (q), k2 = v + h / 2 * l1, l2 = -c * cos (q + h / 2 * k1);
    const double k3 = v + h / 2 * l2, l3 = -c * cos (q + h / 2 * k2), k4 = v + h * l3, l4 = -c * cos (q + h * k3);
    q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return q;
}

static double
ramp (double t, double h0)
{
  (void)h0;
  const double slope = 15 * G_PI / 180;

  return 9.8 * (sin (slope) - 0.125 * cos (slope)) * t * t / 2;
}

/* Height of the ball's centre after bounces with restitution e, from h0. */
static double
bounces (double t, double h0, double e)
{
  const double g = 9.81, r = 0.1, landing = sqrt (2 * h0 / g);
  double v = g * landing, begun = landing;

  if (t < landing)
    return h0 + r - g * t * t / 2;
  while (e > 0 && v > 1e-9) {
    v *= e;
    if (t < begun + 2 * v / g)
      return r + v * (t - begun) - g * (t - begun) * (t - begun) / 2;
    begun += 2 * v / g;
  }
  return r;
}

static double
landing (double t, double h0)
{
  return bounces (t, h0, 0);
}

static double
bouncing (double t, double h0)
{
  return bounces (t, h0, 0.8);
}

typedef enum { PENALTY = 1, RIGID = 2, COMPLIANT = 4, RESTITUTION = 8 } Kind;

static const struct {
  const char *name, *title, *scene, *body;
  int coordinate;
  double t_end;
  SsOverride set[2];
  double (*exact) (double t, double h0);
  int kinds;      /* methods whose limit is that solution */
  gboolean falls; /* from several heights h0               */
} problems[] = {
    {"smooth",
     "oscillator with damping",
     "oscillator",
     "mass",
     0,
     1,
     {{NULL, 0}},
     oscillator,
     PENALTY | RIGID | COMPLIANT},
    {"joint", "pendulum on a pin", "pendulum", "bob", 2, 1, {{NULL, 0}}, pendulum, PENALTY | RIGID | COMPLIANT},
    {"sliding", "box on a ramp, mu = .125", "incline", "b1", 0, 1, {{"mu", 0.125}, {"n", 1}}, ramp, RIGID | COMPLIANT},
    {"impact", "ball lands, e = 0", "bouncing-ball", "ball", 1, 1, {{"e", 0}}, landing, RIGID | COMPLIANT, TRUE},
    {"bounces", "ball bounces, e = .8", "bouncing-ball", "ball", 1, 2, {{"e", 0.8}}, bouncing, RESTITUTION, TRUE},
};

/* Theory per method: constant forces between contacts are integrated exactly by the midpoint rule, joints by RATTLE to
 * second order. 0: exact. */
static const struct {
  const SsIntegratorClass *method; /* NULL: methods with steps of their own */
  int kinds;
  double orders[G_N_ELEMENTS (problems)]; /* smooth, joint, sliding, impact, bounces */
} theories[] = {
    {&ss_integrator_explicit_euler, PENALTY, {1, 1, NAN, NAN, NAN}},
    {&ss_integrator_semi_implicit_euler, PENALTY, {1, 1, NAN, NAN, NAN}},
    {&ss_integrator_implicit_euler, PENALTY, {1, 1, NAN, NAN, NAN}},
    {&ss_integrator_moreau_jean, RIGID | RESTITUTION, {2, 2, 0, 1, 1}},
    {&ss_integrator_stewart_trinkle, RIGID, {1, 2, 1, 1, NAN}},
    {&ss_integrator_anitescu_potra, RIGID | RESTITUTION, {1, 1, 1, 1, 1}},
    {&ss_integrator_convex_time_stepping, RIGID, {1, 2, 1, 1, NAN}},
    {&ss_integrator_constraint_solver, COMPLIANT, {1, 1, 1, 1, NAN}}, /* the pendulum's file asks for joints=start */
    {NULL, PENALTY, {0, 0, NAN, NAN, NAN}},
};

/* ---- measuring --------------------------------------------------------------------------------------------------- */

/* Mean error over the steps of one fall; NaN when the run ended before its end. Problems without a fall have no h0. */
static double
mean_error_from (const SsappBenchSimulatePlan *plan, guint p, const SsappBenchMethod *method, double h, double h0)
{
  SsOverride set[G_N_ELEMENTS (problems[p].set) + 1];
  char *message = NULL;
  int n_set = 0;
  double sum = 0;

  for (; n_set < (int)G_N_ELEMENTS (problems[p].set) && problems[p].set[n_set].name != NULL; n_set++)
    set[n_set] = problems[p].set[n_set];
  if (!isnan (h0))
    set[n_set++] = (SsOverride){"h0", h0};
  SsappBenchWorld *world = ssapp_bench_world_new (problems[p].scene, set, n_set, method, &message);
  g_free (message);
  if (world == NULL)
    return NAN;
  const int n = (int)lround (problems[p].t_end / h);
  const double *q = ssapp_bench_world_q (world, problems[p].body);
  for (int k = 1; k <= n; k++) {
    if (ssapp_bench_is_cancelled (plan->control) || !ssapp_bench_world_step (world, h)) {
      sum = NAN;
      break;
    }
    world->state.t = k * h;
    sum += fabs (q[problems[p].coordinate] - problems[p].exact (k * h, h0));
  }
  ssapp_bench_world_free (world);
  return sum / n;
}

static double
mean_error (const SsappBenchSimulatePlan *plan, guint p, const SsappBenchMethod *method, double h)
{
  double sum = 0;

  if (!problems[p].falls)
    return mean_error_from (plan, p, method, h, NAN);
  for (int i = 0; i < N_HEIGHTS; i++)
    sum += mean_error_from (plan, p, method, h, 1 + i * height_step);
  return sum / N_HEIGHTS;
}

static double
slope (const double *errors)
{
  SsappBenchFit fit = {0};

  for (int i = 0; i < N_STEPS; i++)
    ssapp_bench_fit_add (&fit, -i, log2 (errors[i])); /* dt halves from one to the next */
  return ssapp_bench_fit_slope (&fit);
}

static int
theory_of (const SsappBenchMethod *method)
{
  for (guint i = 0; i < G_N_ELEMENTS (theories); i++)
    if (theories[i].method == (method->method->has_own_steps ? NULL : method->method->integrator))
      return (int)i;
  return -1;
}

typedef struct {
  const SsappBenchSimulatePlan *plan;
  SsappBenchSheet *sheet;
  int n_failed; /* orders that differ from theory */
} Suite;

static gboolean
run (gpointer data, guint p, guint m, GError **error)
{
  Suite *suite = data;
  const SsappBenchSimulatePlan *plan = suite->plan;
  const SsappBenchMethod *method = g_ptr_array_index (plan->methods, m);
  const int theory = theory_of (method);

  (void)error;
  if (theory < 0 || (theories[theory].kinds & problems[p].kinds) == 0)
    return TRUE;
  const double expected = theories[theory].orders[p];
  double errors[N_STEPS];
  gboolean is_exact = TRUE;

  for (int i = 0; i < N_STEPS; i++) {
    errors[i] = mean_error (plan, p, method, ldexp (longest, -i));
    is_exact = is_exact && errors[i] < (method->method->has_own_steps ? added_up : rounding);
  }
  if (ssapp_bench_is_cancelled (plan->control))
    return FALSE;
  const double order = is_exact ? NAN : slope (errors);
  const gboolean agrees = expected == 0 ? is_exact : fabs (order - expected) <= tolerance;

  const char *const exact = method->method->has_own_steps ? "own steps" : "exact";
  SSAPP_BENCH_ROW (suite->sheet, {problems[p].title}, {method->label}, {.n = errors[0]}, {.n = errors[N_STEPS - 1]},
                   {is_exact ? exact : NULL, order}, {expected == 0 ? exact : NULL, expected}, {agrees ? "yes" : "no"});
  suite->n_failed += !agrees;
  return TRUE;
}

double
ssapp_bench_order_asked (const SsScene *scene, const SsappBenchMethod *method)
{
  g_return_val_if_fail (scene != NULL, (double)NAN);
  const int theory = theory_of (method);

  return theory >= 0 ? theories[theory].orders[scene->n_joints > 0] : 1; /* problems "smooth" and "joint" */
}

void
ssapp_bench_order (const SsappBenchSimulatePlan *plan, SsappBenchSheet *sheet, int *n_failed)
{
  g_return_if_fail (plan != NULL);
  static const char *const columns[] = {"problem|problem|0",
                                        "method|method|0",
                                        "error_coarse|error, dt = 1/64|3",
                                        "error_fine|error, dt = 1/1024|3",
                                        "order|order|3",
                                        "theory|theory|3",
                                        "agrees|agrees|0",
                                        NULL};
  const SsappBenchRuns runs = {G_N_ELEMENTS (problems), plan->methods->len, 1, NULL, run, NULL};
  Suite suite = {plan, sheet, 0};

  ssapp_bench_sheet_table (sheet, "order", "Observed orders of convergence, dt from 1/64 s to 1/1024 s", columns);
  ssapp_bench_make_runs (&runs, &suite, plan->control, NULL);
  *n_failed += suite.n_failed;
  ssapp_bench_sheet_note (sheet, "Errors: mean of |x - exact| over the steps [m] or [rad].");
  ssapp_bench_sheet_note (sheet,
                          "own steps: the method answers to its tolerance at any dt; its errors must stay below 1e-4.");
}
