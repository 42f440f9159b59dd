/* app/bench/ssapp-bench-laws.c: suite laws: which integrators sink, lift, slip, creep, rebound, drift, gain energy
 * and squeeze, and which of that goes away with shorter steps. The questions are those by which contact models are
 * compared (Q. Le Lidec and others, Contact Models in Robotics, IEEE T-RO 40 (2024)): Signorini (sinks, lifts, throws),
 * Coulomb's cone and the most dissipation (slips, creeps), energy (rebounds, gains), forces that cancel each other
 * (squeezes). Each answer is measured against a closed form, from positions and velocities alone; squeezes from forces.
 * See ssapp-bench-laws.h. */
#include "app/bench/ssapp-bench-laws.h"

#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-world.h"

#include <math.h>
#include <string.h>

static const double steps[] = {0.02, 0.01, 0.005, 0.0025}; /* [s] */
enum { N_STEPS = G_N_ELEMENTS (steps) };
/* Below this a number is rounding [m], [m/s], [-]. */
static const double rounding = 1e-9;
/* A defect goes away where it falls with at least this power of the step: half of the order of a first order method. */
static const double least_order = 0.5;
static const double slope = 15 * G_PI / 180, g_slope = 9.8, half_height = 0.025; /* of data/bench/incline */

/* ---- defects ----------------------------------------------------------------------------------------------------- */

typedef struct {
  const double *q, *v;   /* of the body */
  double t, energy;      /* [s]; above the start's [J] */
  const double *contact; /* as in SsSimState */
} Look;

static double
lift (const Look *now, double so_far)
{
  return fmax (so_far, now->q[1] - half_height);
}

/* a t^2/2 with a = g (sin - mu cos): Coulomb's friction, and the most dissipation within its cone. */
static double
slip (const Look *now, double so_far)
{
  (void)so_far;
  return fabs (now->q[0] - g_slope * (sin (slope) - 0.125 * cos (slope)) * now->t * now->t / 2);
}

static double
creep (const Look *now, double so_far)
{
  (void)so_far;
  return fabs (now->v[0]);
}

/* The third box of a stack of cubes of 1 m. */
static double
sink (const Look *now, double so_far)
{
  (void)so_far;
  return fmax (2.5 - now->q[1], 0);
}

/* A ball of 0.1 m falls 1 m without restitution: sqrt (2/g) = 0.45 s; 0.1 s later it lies. */
static double
rebound (const Look *now, double so_far)
{
  return now->t > 0.55 ? fmax (so_far, now->q[1] - 0.1) : so_far;
}

static double
drift (const Look *now, double so_far)
{
  return fmax (so_far, hypot (now->q[0] - cos (now->q[2]), now->q[1] - sin (now->q[2])));
}

/* Of the energy of a swing from the horizontal, m g L. */
static double
swing_gain (const Look *now, double so_far)
{
  return fmax (so_far, now->energy / 9.8);
}

/* Of what a block of 10 kg, 0.2 m x 0.8 m, has on its corner at 0.12 rad above what it has lying. */
static double
rock_gain (const Look *now, double so_far)
{
  static const double height = 0.1 * 0.119712207288919 + 0.4 * 0.992808635853866 - 0.4;

  return fmax (so_far, now->energy / (10 * 9.81 * height));
}

/* Of the weight, the part of both forces on a disc in a groove of 15 degrees that cancels: they act at two points, and
 * what is along the line between these moves nothing. Statics says no more of it than where it lies, between
 * tan (alpha - phi)/2 and tan (alpha + phi)/2 with phi = atan (mu). Where tan (alpha) <= mu both forces may be upright,
 * m g/2 each, and then it is 0: the least forces that hold the disc. Without friction it is tan (alpha)/2. */
static double
squeeze (const Look *now, double so_far)
{
  const double *left = now->contact, *right = left + SS_SIM_N_CONTACT_VALUES;
  const double normal = left[SS_SIM_LAMBDA_N] + right[SS_SIM_LAMBDA_N],
               tangential = left[SS_SIM_LAMBDA_T] - right[SS_SIM_LAMBDA_T];

  (void)so_far;
  return fabs (normal * sin (slope) + tangential * cos (slope)) / (2 * g_slope);
}

static const struct {
  const char *key, *title, *scene, *body;
  SsOverride set[2];
  double t_end; /* [s] */
  double (*measure) (const Look *now, double so_far);
  const char *what; /* for people */
  double speed;     /* along x at the start beside the scene's [m/s] */
} defects[SSAPP_LAWS_DEFECTS] = {
    {"sinks", "sinks [m]", "box-stack", "b3", {{"n", 3}}, 1, sink, "how far three cubes sink, that rest"},
    {"lifts",
     "lifts [m]",
     "incline",
     "b1",
     {{"n", 1}, {"mu", 0.125}},
     1,
     lift,
     "how far a box rises that slides down 15 degrees, friction .125"},
    {"throws",
     "throws [m]",
     "incline",
     "b1",
     {{"n", 1}, {"mu", 0.125}},
     0.2,
     lift,
     "the same box, that begins to slide at 1 m/s",
     1},
    {"slips",
     "slips [m]",
     "incline",
     "b1",
     {{"n", 1}, {"mu", 0.125}},
     1,
     slip,
     "the distance from Coulomb's after 1 s of the box that slides from rest"},
    {"creeps",
     "creeps [m/s]",
     "incline",
     "b1",
     {{"n", 1}, {"mu", 0.375}},
     1,
     creep,
     "its speed after 1 s with friction .375, by which it sticks"},
    {"rebounds",
     "rebounds [m]",
     "bouncing-ball",
     "ball",
     {{"e", 0}},
     1.2,
     rebound,
     "how high a ball without restitution comes after a fall of 1 m"},
    {"drifts", "drifts [m]", "pendulum", "bob", {{NULL, 0}}, 5, drift, "how far a pendulum's joint opens in 5 s"},
    {"gains_joint",
     "gains, joint",
     "pendulum",
     "bob",
     {{NULL, 0}},
     5,
     swing_gain,
     "energy that the pendulum gains, as a part of its swing"},
    {"gains_contact",
     "gains, contact",
     "rocking-block",
     "block",
     {{NULL, 0}},
     2,
     rock_gain,
     "the same of a block that rocks from corner to corner"},
    {"squeezes",
     "squeezes",
     "groove",
     "disc",
     {{NULL, 0}},
     1,
     squeeze,
     "forces on a disc in a groove of 15 degrees, friction .5, that cancel each other, as a part of its weight. "
     "Statics "
     "allows up to .443 and asks for none; .134 without friction"},
};

const char *
ssapp_laws_defect (guint index)
{
  return index < SSAPP_LAWS_DEFECTS ? defects[index].key : NULL;
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsappBenchLawsPlan *plan;
  GPtrArray *rows; /* of double[N_STEPS][SSAPP_LAWS_DEFECTS], one a method */
} Suite;

/* INFINITY: it ended before its time; NaN: the method refuses the scene. */
static double
measure (const SsappBenchLawsPlan *plan, const SsappBenchMethod *method, guint d, double dt)
{
  const int n_set = (defects[d].set[0].name != NULL) + (defects[d].set[1].name != NULL);
  const int n = (int)lround (defects[d].t_end / dt);
  g_autofree char *message = NULL;
  SsappBenchWorld *world = ssapp_bench_world_new (defects[d].scene, defects[d].set, n_set, method, &message);
  double value = 0;
  gboolean ok = world != NULL;

  if (!ok)
    return NAN;
  ssapp_bench_world_v (world, defects[d].body)[0] += defects[d].speed;
  const double first = ssapp_bench_world_energy (world);
  for (int k = 1; k <= n && ok; k++) {
    ok = ssapp_bench_world_step (world, dt);
    world->state.t = k * dt;
    const Look now = {ssapp_bench_world_q (world, defects[d].body), ssapp_bench_world_v (world, defects[d].body),
                      k * dt, ssapp_bench_world_energy (world) - first, world->state.contact};
    value = defects[d].measure (&now, value);
    ok = ok && !ssapp_bench_is_cancelled (plan->control);
  }
  ssapp_bench_world_free (world);
  return ok ? value : INFINITY;
}

static gboolean
run_method (gpointer data, guint p, guint m, GError **error)
{
  Suite *suite = data;
  const SsappBenchMethod *method = g_ptr_array_index (suite->plan->methods, m);
  double *values = g_new (double, N_STEPS *SSAPP_LAWS_DEFECTS);

  (void)p;
  (void)error;
  for (guint s = 0; s < N_STEPS; s++)
    for (guint d = 0; d < SSAPP_LAWS_DEFECTS; d++)
      values[s * SSAPP_LAWS_DEFECTS + d] = measure (suite->plan, method, d, steps[s]);
  g_ptr_array_add (suite->rows, values);
  ssapp_bench_say (suite->plan->say, "%s", method->label);
  return !ssapp_bench_is_cancelled (suite->plan->control);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* "no", "order 1.0", "steps >= 0.02", "2e-05" (stays), "fails", "refuses"; g_free. */
static char *
verdict_of (const double *values, guint d)
{
  SsappBenchFit fit = {0};
  const double last = values[(N_STEPS - 1) * SSAPP_LAWS_DEFECTS + d];
  double shortest = NAN; /* step that has the defect */

  for (guint s = 0; s < N_STEPS; s++) {
    const double value = values[s * SSAPP_LAWS_DEFECTS + d];
    if (isnan (value))
      return g_strdup ("refuses");
    if (isinf (value))
      return g_strdup ("fails");
    if (value >= rounding)
      shortest = steps[s];
    if (s > 0) /* the longest steps may be beyond what the method is stable for */
      ssapp_bench_fit_add (&fit, log (steps[s]), log (fmax (value, rounding)));
  }
  if (isnan (shortest))
    return g_strdup ("no");
  if (last < rounding)
    return g_strdup_printf ("steps >= %g", shortest);
  const double order = ssapp_bench_fit_slope (&fit);
  return order >= least_order ? g_strdup_printf ("order %.1f", order) : g_strdup_printf ("%.0e", last);
}

static void
add_verdicts (const SsappBenchLawsPlan *plan, const Suite *suite, SsappBenchSheet *sheet)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (columns, g_strdup ("method|method|0"));
  for (guint d = 0; d < SSAPP_LAWS_DEFECTS; d++)
    g_ptr_array_add (columns, g_strdup_printf ("%s|%s|0", defects[d].key, defects[d].title));
  g_ptr_array_add (columns, NULL);
  ssapp_bench_sheet_table (sheet, "laws", "What each law does that rigid bodies with Coulomb friction do not",
                           (const char *const *)columns->pdata);
  for (guint m = 0; m < suite->rows->len; m++) {
    SsappBenchCell cells[SSAPP_LAWS_DEFECTS + 1] = {{.text = ((SsappBenchMethod *)plan->methods->pdata[m])->label}};
    char *texts[SSAPP_LAWS_DEFECTS];
    for (guint d = 0; d < SSAPP_LAWS_DEFECTS; d++)
      cells[d + 1].text = texts[d] = verdict_of (g_ptr_array_index (suite->rows, m), d);
    ssapp_bench_sheet_row (sheet, cells, G_N_ELEMENTS (cells));
    for (guint d = 0; d < SSAPP_LAWS_DEFECTS; d++)
      g_free (texts[d]);
  }
  for (guint d = 0; d < SSAPP_LAWS_DEFECTS; d++)
    ssapp_bench_sheet_note (sheet, "%s: %s.", defects[d].key, defects[d].what);
  ssapp_bench_sheet_note (sheet,
                          "no: below 1e-9. order p: it falls with the step as its power p. steps >= h: shorter "
                          "ones do not have it. A number stays: that of steps of 2.5 ms. fails: a run ended early. "
                          "refuses: the method does not take the scene.");
  ssapp_bench_sheet_note (sheet, "The pendulum's file gives constraint-solver joints=start, as its paper has it.");
  g_ptr_array_unref (columns);
}

static void
add_numbers (const SsappBenchLawsPlan *plan, const Suite *suite, SsappBenchSheet *sheet)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (columns, g_strdup ("method|method|0"));
  g_ptr_array_add (columns, g_strdup ("dt|step [s]|4"));
  for (guint d = 0; d < SSAPP_LAWS_DEFECTS; d++)
    g_ptr_array_add (columns, g_strdup_printf ("%s|%s|3", defects[d].key, defects[d].title));
  g_ptr_array_add (columns, NULL);
  ssapp_bench_sheet_table (sheet, "numbers", "The same in numbers", (const char *const *)columns->pdata);
  for (guint m = 0; m < suite->rows->len; m++)
    for (guint s = 0; s < N_STEPS; s++) {
      const double *values = (const double *)g_ptr_array_index (suite->rows, m) + s * SSAPP_LAWS_DEFECTS;
      SsappBenchCell cells[SSAPP_LAWS_DEFECTS + 2] = {{.text = ((SsappBenchMethod *)plan->methods->pdata[m])->label},
                                                      {.n = steps[s]}};
      for (guint d = 0; d < SSAPP_LAWS_DEFECTS; d++)
        cells[d + 2].n = values[d];
      ssapp_bench_sheet_row (sheet, cells, G_N_ELEMENTS (cells));
    }
  g_ptr_array_unref (columns);
}

SsappBenchSheet *
ssapp_bench_laws (const SsappBenchLawsPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  Suite suite = {plan, g_ptr_array_new_with_free_func (g_free)};
  const SsappBenchRuns runs = {1, plan->methods->len, 1, NULL, run_method, NULL};

  ssapp_bench_make_runs (&runs, &suite, plan->control, NULL);
  add_verdicts (plan, &suite, sheet);
  add_numbers (plan, &suite, sheet);
  g_ptr_array_unref (suite.rows);
  return sheet;
}
