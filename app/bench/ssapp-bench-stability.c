/* app/bench/ssapp-bench-stability.c: whether the first-order constraint solver (paper 003) is stable, as it says, for
 * any stiffness and step: scenes with joints, with contacts, and with both, by the default and by the paper's own
 * choices; see ssapp-bench-world.h.
 *
 * All scenes start with unstressed springs and have no motor, so that kinetic and potential energy can never be above
 * the start's, whatever stiffness and damping are: what is above it came from nothing. Springs of constraints are not
 * counted: they hold some of the energy, or none.
 */
#include "app/bench/ssapp-bench-world.h"

#include <math.h>
#include <string.h>

/* As runs are judged (simulate/ss-sim-limits.h): energy from nothing, as a part of that of the motion; steps that miss
 * their law, and by how much that is [m/s]. */
static const double gain_limit = 0.05, miss_limit = 0.01, residual_limit = 1e-4;
static const double t_end = 10; /* [s]: some ten swings, or falls and their rests */

static const struct {
  const char *name, *kind, *scene;
  const char *set;            /* parameters that are the stiffness, with commas; "": the method's options alone */
  int n;                      /* parameter n; 0: none */
  double height, height_step; /* of the lowest pose of the first and further moving bodies [m] */
} problems[] = {{"pendulum", "joints", "pendulum", "K", 0, -1, 0},
                {"chain of 10", "joints", "chain", "", 10, -0.05, -0.1},
                {"stack of 10", "contacts", "disk-stack", "K", 10, 0.5, 1},
                {"rocking block", "contacts", "rocking-block", "", 0, 0.4, 0},
                {"pinned bar", "joints and contacts", "pinned-bar", "K_pin,K_n", 0, 0.25, 0}};

static const struct {
  const char *name, *options;
  gboolean is_of_contacts; /* differs from the one before in contacts alone */
} variants[] = {{"default", "joints=rattle:rebound=damped", FALSE},
                {"paper", "joints=start:rebound=spring", FALSE},
                {"penetrating", "joints=start:rebound=spring:activation=penetrating", TRUE},
                {"literal", "joints=start:rebound=spring:law=literal", TRUE}};

static const double stiffnesses[] = {1e3, 1e6, 1e9, 1e12, 1e15};            /* [N/m] */
static const double steps[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1}; /* [s] */
enum { FIRST_QUICK = 3 };                                                   /* the shorter ones take minutes */

static gboolean
has_variant (const SsappBenchConstraintPlan *plan, guint p, guint variant)
{
  if (plan->only != NULL && strcmp (plan->only, problems[p].name) != 0)
    return FALSE;
  return !variants[variant].is_of_contacts || strcmp (problems[p].kind, "joints") != 0;
}

enum { COMPLETED, GAINED, NOT_SOLVED, N_ENDS };
static const char *const ends[N_ENDS] = {"completes", "gains energy", "not solved"};

typedef struct {
  int end;
  double gain; /* largest energy above the start's, as a part of that of the motion; NaN: diverged, or did not begin */
  double drift, penetration, residual;
} Run;

static int
overrides_of (guint p, double stiffness, SsOverride *set)
{
  static const char *const names[] = {"K", "K_pin", "K_n"};
  g_auto (GStrv) wanted = g_strsplit (problems[p].set, ",", -1);
  int n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strv_contains ((const char *const *)wanted, names[i]))
      set[n++] = (SsOverride){names[i], stiffness};
  if (problems[p].n > 0)
    set[n++] = (SsOverride){"n", problems[p].n};
  return n;
}

static SsappBenchWorld *
world_new (guint p, guint variant, double stiffness)
{
  SsOverride set[4];
  const int n = overrides_of (p, stiffness, set);
  char *message = NULL;
  g_autofree char *list =
      g_strdup_printf ("constraint-solver:%s:joint-stiffness=%.17g:joint-damping=1:stiffness=%.17g:damping=1",
                       variants[variant].options, stiffness, stiffness);
  g_autoptr (GPtrArray) methods = ssapp_bench_methods_parse (SS_METHOD_INTEGRATOR, list, &message);

  if (methods == NULL) /* built in: a mistake is ours */
    g_error ("%s: %s", list, message);
  SsappBenchWorld *world = ssapp_bench_world_new (problems[p].scene, set, n, g_ptr_array_index (methods, 0), &message);
  if (world == NULL)
    g_error ("%s: %s", problems[p].scene, message);
  return world;
}

/* The energy with all bodies at rest in the lowest pose [J]. */
static double
rest_energy (SsappBenchWorld *world, guint p)
{
  const SsScene *scene = world->scenario->scene;
  const gsize size = 6 * (gsize)scene->n_bodies * sizeof (double);
  g_autofree double *start = g_memdup2 (world->state.q, size);
  int n = 0;

  for (int i = 0; i < scene->n_bodies; i++) {
    world->state.q[3 * i + 1] = scene->bodies[i].is_fixed ? 0 : problems[p].height + n++ * problems[p].height_step;
    memset (world->state.v + 3 * (gsize)i, 0, 3 * sizeof (double));
  }
  const double energy = ssapp_bench_world_energy (world);
  memcpy (world->state.q, start, size);
  return energy;
}

static Run
run_one (const SsappBenchConstraintPlan *plan, guint p, guint variant, double stiffness, double dt)
{
  SsappBenchWorld *world = world_new (p, variant, stiffness);
  const double first = ssapp_bench_world_energy (world), motion = first - rest_energy (world, p);
  const int n = (int)lround (t_end / dt);
  int n_missed = 0;
  Run run = {.gain = 0};
  gboolean ok = TRUE;

  for (int k = 0; k < n && ok && !ssapp_bench_is_cancelled (plan->control); k++) {
    ok = ssapp_bench_world_step (world, dt);
    world->state.t = (k + 1) * dt;
    n_missed += ok && world->residual > residual_limit;
    run.gain = fmax (run.gain, (ssapp_bench_world_energy (world) - first) / motion);
  }
  /* what has flown away gained energy, whatever the last step says */
  const gboolean has_gained = !(run.gain <= gain_limit);
  run.end = has_gained ? GAINED : !ok || n_missed > miss_limit * n ? NOT_SOLVED : COMPLETED;
  run.drift = world->max_drift;
  run.penetration = world->max_penetration;
  run.residual = world->max_residual;
  ssapp_bench_world_free (world);
  return run;
}

/* Columns stiffness x step, of each scene and variant. */
static void
add_counts (const SsappBenchConstraintPlan *plan, SsappBenchSheet *sheet,
            const int (*counts)[G_N_ELEMENTS (variants)][N_ENDS])
{
  static const char *const columns[] = {
      "scene|scene|0",       "kind|constraints|0",      "variant|options|0", "runs|runs|4", "completes|complete|4",
      "gains|gain energy|4", "not_solved|not solved|4", "paper|paper|0",     NULL};

  ssapp_bench_sheet_table (sheet, "stability-counts", "Runs over all stiffnesses and steps", columns);
  for (guint p = 0; p < G_N_ELEMENTS (problems); p++)
    for (guint v = 0; v < G_N_ELEMENTS (variants) && has_variant (plan, p, v); v++) {
      const int *n = counts[p][v];
      SSAPP_BENCH_ROW (sheet, {problems[p].name}, {problems[p].kind}, {variants[v].name},
                       {.n = n[COMPLETED] + n[GAINED] + n[NOT_SOLVED]}, {.n = n[COMPLETED]}, {.n = n[GAINED]},
                       {.n = n[NOT_SOLVED]}, {"unconditionally stable"});
    }
}

/* What sections 4 and 7 of the paper say of any stiffness and step. */
SsappBenchSheet *
ssapp_bench_stability (const SsappBenchConstraintPlan *plan, gboolean is_quick)
{
  g_return_val_if_fail (plan != NULL, NULL);
  static const char *const columns[] = {"scene|scene|0",       "kind|constraints|0",
                                        "variant|options|0",   "stiffness|stiffness [N/m]|3",
                                        "dt|step [s]|3",       "gain|energy gained|3",
                                        "drift|joint drift|3", "penetration||3",
                                        "residual||2",         "end|end|0",
                                        "paper|paper|0",       NULL};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  int counts[G_N_ELEMENTS (problems)][G_N_ELEMENTS (variants)][N_ENDS] = {{{0}}};

  ssapp_bench_sheet_table (sheet, "stability", "The constraint solver over stiffness and step, 10 s", columns);
  ssapp_bench_sheet_metric (sheet, "residual", SS_METRIC_MAX_RESIDUAL);
  ssapp_bench_sheet_metric (sheet, "penetration", SS_METRIC_MAX_PENETRATION);
  for (guint p = 0; p < G_N_ELEMENTS (problems); p++)
    for (guint v = 0; v < G_N_ELEMENTS (variants) && has_variant (plan, p, v); v++) {
      for (guint k = 0; k < G_N_ELEMENTS (stiffnesses); k++)
        for (guint s = is_quick ? FIRST_QUICK : 0;
             s < G_N_ELEMENTS (steps) && !ssapp_bench_is_cancelled (plan->control); s++) {
          const Run run = run_one (plan, p, v, stiffnesses[k], steps[s]);
          counts[p][v][run.end]++;
          SSAPP_BENCH_ROW (sheet, {problems[p].name}, {problems[p].kind}, {variants[v].name}, {.n = stiffnesses[k]},
                           {.n = steps[s]}, {.n = run.gain}, {.n = run.drift}, {.n = run.penetration},
                           {.n = run.residual}, {ends[run.end]}, {"unconditionally stable"});
        }
      ssapp_bench_say (plan->say, "stability: %s, %s: %d complete, %d gain energy, %d not solved", problems[p].name,
                       variants[v].name, counts[p][v][COMPLETED], counts[p][v][GAINED], counts[p][v][NOT_SOLVED]);
    }
  ssapp_bench_sheet_note (sheet, "Energy gained: the largest kinetic and potential energy above the start's, as a part "
                                 "of what the motion has; more than .05 is a gain. Not solved: a step fails, or more "
                                 "than 1 %% of the steps miss their law by more than 1e-4 m/s.");
  ssapp_bench_sheet_note (sheet, "default: joints=rattle, rebound=damped. paper: joints=start, rebound=spring. "
                                 "penetrating: the same, contacts once they overlap. literal: the quadratic programs "
                                 "as printed. Damping of all constraints is 1 N s/m.");
  add_counts (plan, sheet, (const int (*)[G_N_ELEMENTS (variants)][N_ENDS])counts);
  return sheet;
}
