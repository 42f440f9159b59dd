/* tests/numeric/test-event-driven.c: the integrator event-driven: the Zeno block of paper 002, sec. 4.3, against its
 * closed solution, and jumps against the laws of impacts themselves.
 *
 * test-event-driven [FILE]: another file of the form of tests/data/set-valued/zeno-block.json. */
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "impact/ss-impact-law.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include "core/ss-memory.h"
#include "core/ss-random.h"

#include <jansson.h>

enum { OPTIONS_MAX = 6 };

static const char *const laws[] = {"law=newton", "law=anitescu-potra", "law=sequential", "law=set-valued"};
static const char *zeno_file;

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* However it ends. */
static SsSimResult
attempt (const SsScenario *scenario, const char *const *texts, double dt, double t_end)
{
  const SsOptionTable *table = ss_integrator_event_driven.options;
  void *options = ss_alloc (1, table->size);
  SsSimResult result = {0};
  SsError err = {0};
  ss_test_set_options (table, options, texts, &err);
  const SsSimJob job = {.scene = scenario->scene,
                        .integrator = &ss_integrator_event_driven,
                        .options = options,
                        .dt = dt,
                        .t_end = t_end};
  const SsStatus status = ss_simulate_job (&job, NULL, &result, &err);
  SS_CHECK (status == SS_OK);
  if (status != SS_OK)
    printf ("  %s\n", err.message);
  ss_free (options);
  return result;
}

static SsSimResult
run (const SsScenario *scenario, const char *const *texts, double dt, double t_end)
{
  const SsSimResult result = attempt (scenario, texts, dt, t_end);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
  if (result.outcome != SS_OUTCOME_COMPLETED)
    printf ("  %s\n", result.message);
  return result;
}

static double
number (const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);
  SS_CHECK (json_is_number (value));
  return json_number_value (value);
}

/* ---- Zeno block -------------------------------------------------------------------------------------------------- */

/* Normal impulse of the forces between two times, both of which are rows: weights of the stages times forces. */
static double
impulse_between (const SsSimResult *result, double from, double to)
{
  double sum = 0;
  for (int i = 0; i < result->stages->n_rows; i++) {
    const double t = ss_test_value (result->stages, i, "t");
    if (t > from && t <= to)
      sum += ss_test_value (result->stages, i, "weight") * ss_test_value (result->stages, i, "floor-block.lambda_n");
  }
  return sum;
}

/* Half-cycles, impulses and the accumulation to 1e-6, the paper's clock ds = (1 + lambda_n) dt too. The file has 12
 * digits; the set-valued law leaves approaches of 1e-8 m/s. Steps of 1 ms, the scene's own: forces have a lower order
 * than velocities (index 3), at 5 ms their impulses miss by 1.3e-6 [002 (56)-(57) (63) (66) (68)-(70) Fig 7 Fig 8]. */
static void
check_zeno (const char *law)
{
  const double tolerance = 1e-6;
  const char *const options[] = {law, "law.step=0.3", NULL};
  char path[512];
  json_t *root = json_load_file (
      zeno_file != NULL ? zeno_file : ss_test_source_path ("tests/data/set-valued/zeno-block.json", path, sizeof path),
      0, NULL);
  SS_CHECK (root != NULL);
  if (root == NULL)
    return;
  const json_t *parameters = json_object_get (root, "parameters"), *cycles = json_object_get (root, "half_cycles");
  const char *const names[] = {"width", "height", "mass", "mu", "gravity", "omega_0"};
  SsOverride overrides[6];
  for (int i = 0; i < 6; i++)
    overrides[i] = (SsOverride){names[i], number (parameters, names[i])};
  SsScenario *scenario = ss_test_read_file ("examples/impacts/zeno-block.stickslip.json", overrides, 6);
  SsSimResult result = run (scenario, options, 0.001, 3);
  size_t k = 0;
  double before = 0, s = 0, accumulation = NAN;
  for (int i = 0; i < result.events->n_items; i++) {
    const SsEvent *event = &result.events->items[i];
    if (event->kind == SS_EVENT_ACCUMULATION) {
      accumulation = event->t;
      SS_CHECK_NEAR (event->tau, number (root, "s_accumulation"), tolerance);
    }
    if (event->kind != SS_EVENT_IMPACT || k == json_array_size (cycles))
      continue;
    const json_t *cycle = json_array_get (cycles, k);
    const double pressed = impulse_between (&result, before, event->t);
    SS_CHECK (number (cycle, "k") == (double)k);
    SS_CHECK (event->is_exact && event->point == (k % 2 == 0 ? 1 : 0));
    SS_CHECK_NEAR (event->t, number (cycle, "t_end"), tolerance);
    SS_CHECK_NEAR (event->t - before, number (cycle, "half_time"), tolerance);
    SS_CHECK_NEAR (event->impulse, number (cycle, "impact_normal_impulse"), tolerance);
    SS_CHECK_NEAR (pressed, number (cycle, "normal_impulse"), tolerance);
    s += event->t - before + pressed + event->impulse;
    SS_CHECK_NEAR (s, number (cycle, "s_end"), tolerance * (double)(k + 1));
    SS_CHECK_NEAR (event->tau + event->impulse, number (cycle, "s_end"), tolerance);
    before = event->t;
    k++;
  }
  SS_CHECK (k == 12 && k == json_array_size (cycles));
  SS_CHECK_NEAR (accumulation, number (root, "t_accumulation"), tolerance);
  /* then it stands as before, pressed by its weight */
  SS_CHECK_NEAR (ss_test_last_value (result.trajectory, "block.theta"), 0, 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (result.trajectory, "block.omega"), 0, 1e-12);
  SS_CHECK_NEAR (ss_test_last_value (result.trajectory, "floor-block.lambda_n"),
                 number (parameters, "mass") * number (parameters, "gravity"), 1e-9);
  SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-9);
  ss_sim_result_clear (&result);
  ss_scenario_free (scenario);
  json_decref (root);
}

static void
test_zeno (void)
{
  for (int i = 0; i < 4; i++)
    check_zeno (laws[i]);
}

/* ---- jumps ------------------------------------------------------------------------------------------------------- */

static const SsImpactLawClass *const classes[] = {&ss_impact_law_newton, &ss_impact_law_anitescu_potra,
                                                  &ss_impact_law_sequential};

/* The velocities after the first jump of a run, the second row. */
static void
jump_of (const SsScenario *scenario, const char *const *options, double *v, double *residual)
{
  static const char *const parts[] = {".vx", ".vy", ".omega"};
  SsSimResult result = run (scenario, options, 1e-3, 1e-3);
  SS_CHECK (result.trajectory->n_rows > 2 && ss_test_value (result.trajectory, 1, "t") == 0);
  for (int i = 0; i < 3 * scenario->scene->n_bodies; i++) {
    char name[128];
    snprintf (name, sizeof name, "%s%s", scenario->scene->bodies[i / 3].name, parts[i % 3]);
    v[i] = ss_test_value (result.trajectory, 1, name);
  }
  *residual = result.metrics.own_residual;
  ss_sim_result_clear (&result);
}

/* The law itself on the configuration of the scene's start, as the verb impact does it: velocities of all bodies.
 * Returns the largest approach that it leaves. */
static double
law_of (const SsScenario *scenario, int law, const char *order, int seed, double *v)
{
  const SsScene *scene = scenario->scene;
  SsImpact *impact = NULL;
  SsError err = {0};
  const double *after = NULL;
  SsImpactResult result = {0};
  SsImpactSet *set = NULL;
  for (int i = 0; i < 3 * scene->n_bodies; i++)
    v[i] = scene->bodies[i / 3].v[i % 3];
  SS_CHECK (ss_impact_new_from_scene (scene, NULL, NULL, 1e-6, &impact, &err) == SS_OK);
  if (law < 3) {
    const SsOptionTable *table = classes[law]->options;
    void *options = ss_alloc (1, table->size);
    ss_options_init (table, options);
    if (order != NULL)
      SS_CHECK (ss_options_set (table, options, "order", order, &err) == SS_OK);
    if (law == 2)
      SS_CHECK (ss_options_set (table, options, "tolerance", "1e-8", &err) == SS_OK);
    SS_CHECK (ss_impact_resolve (classes[law], impact, options, NULL, &result, &err) == SS_OK);
    ss_free (options);
    after = result.outcomes[0].v;
  } else {
    const SsImpactSetOptions options = {
        .h = 0.3, .max_steps = SS_IMPACT_STEPS_MAX, .n_samples = 1, .seed = (uint64_t)seed, .n_threads = 1};
    SS_CHECK (ss_impact_set_new (impact, &options, NULL, &set, &err) == SS_OK);
    after = set->v;
  }
  double u[2 * SS_IMPACT_CONTACTS_MAX], left = 0;
  ss_impact_speeds (impact, after, u);
  for (int i = 0; i < impact->m; i++)
    left = fmax (left, -u[i]);
  for (int i = 0; i < impact->n; i++)
    v[impact->coordinates[i]] = after[i];
  ss_impact_result_clear (&result);
  ss_impact_set_free (set);
  ss_impact_free (impact);
  return left;
}

static double
energy_of (const SsScene *scene, const double *v)
{
  double twice = 0;
  for (int i = 0; i < scene->n_bodies; i++)
    if (!scene->bodies[i].is_fixed)
      twice += scene->bodies[i].mass * (v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1]) +
               scene->bodies[i].inertia * v[3 * i + 2] * v[3 * i + 2];
  return twice / 2;
}

/* Jumps of several contacts at once are those of the law by itself; without restitution they take energy. Different
 * code finds the rows, so that the velocities, some 1 m/s, agree to rounding, multiplied by the pivots of the laws. An
 * approach that the law leaves, below its tolerance, is taken away where the motion goes on [002 (71)]. */
static void
check_jumps (const char *file, double tolerance)
{
  enum { V_MAX = 64 };
  SsScenario *scenario = ss_test_read_file (file, NULL, 0);
  double before[V_MAX], ours[V_MAX], theirs[V_MAX], residual;
  SS_CHECK (3 * scenario->scene->n_bodies <= V_MAX);
  for (int i = 0; i < 3 * scenario->scene->n_bodies; i++)
    before[i] = scenario->scene->bodies[i / 3].v[i % 3];
  for (int law = 0; law < 4; law++)
    for (int seed = 1; seed <= (law == 3 ? 5 : 1); seed++) {
      char text[32];
      snprintf (text, sizeof text, "law.seed=%d", seed);
      const char *const options[] = {laws[law], text, "law.step=0.3", NULL};
      jump_of (scenario, options, ours, &residual);
      const double left = law_of (scenario, law, NULL, seed, theirs);
      SS_CHECK (left <= 1e-8);
      for (int i = 0; i < 3 * scenario->scene->n_bodies; i++)
        SS_CHECK_NEAR (ours[i], theirs[i], tolerance + 2 * left);
      SS_CHECK_NEAR (residual, 0, 1e-9);
      SS_CHECK (energy_of (scenario->scene, ours) <= energy_of (scenario->scene, before) * (1 + 1e-12));
    }
  ss_scenario_free (scenario);
}

static void
test_jumps (void)
{
  check_jumps ("examples/impacts/rocking-block.stickslip.json", 1e-12);
  check_jumps ("examples/impacts/box-wall.stickslip.json", 1e-12);
  check_jumps ("examples/impacts/disk-stack.stickslip.json", 1e-12);
  check_jumps ("examples/impacts/ramone.stickslip.json", 1e-12); /* joints */
}

/* The laws differ where they should: at once the block stays at rest; one corner first, the other or that one lifts
 * with 0.093018 m/s (002, section 5.4.1); other seeds, other samples; the same seed, the same bits. */
static void
test_laws_differ (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/impacts/rocking-block.stickslip.json", NULL, 0);
  const char *const at_once[] = {"law=newton", NULL}, *const left[] = {"law=sequential", NULL},
                    *const right[] = {"law=sequential", "law.order=floor-block.2", NULL},
                    *const one[] = {"law=set-valued", "law.step=0.3", NULL},
                    *const two[] = {"law=set-valued", "law.step=0.3", "law.seed=2", NULL};
  double a[6], b[6], theirs[6], residual;
  jump_of (scenario, at_once, a, &residual);
  for (int i = 0; i < 6; i++)
    SS_CHECK_NEAR (a[i], 0, 1e-15);
  jump_of (scenario, left, a, &residual);
  jump_of (scenario, right, b, &residual);
  SS_CHECK_NEAR (a[5], -0.093018, 1e-6); /* digits of the paper; the corner's speed is omega times 1 m */
  for (int i = 3; i < 6; i++)
    SS_CHECK_NEAR (a[i], i == 4 ? b[i] : -b[i], 1e-14);
  law_of (scenario, 2, "floor-block.2,floor-block.1", 0, theirs);
  for (int i = 0; i < 6; i++)
    SS_CHECK_NEAR (b[i], theirs[i], 1e-14);
  jump_of (scenario, one, a, &residual);
  jump_of (scenario, one, b, &residual);
  SS_CHECK (memcmp (a, b, sizeof a) == 0);
  jump_of (scenario, two, b, &residual);
  SS_CHECK (fabs (a[5] - b[5]) > 1e-3);
  ss_scenario_free (scenario);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* Newton's law is that of fesd-j; Poisson's restitution is the same for one contact; the others are inelastic. */
static void
test_restitution (void)
{
  const SsOverride overrides[] = {{"restitution", 0.5}, {"height0", 0.3}, {"g", 9.81}, {"T", 2}};
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/bouncing-ball.stickslip.json", overrides, 4);
  const double t0 = sqrt (2 * 0.3 / 9.81);
  const SsSimJob job = {.scene = scenario->scene, .integrator = &ss_integrator_fesd_j, .dt = 0.01, .t_end = 0.6};
  SsSimResult other = {0};
  SS_CHECK (ss_simulate_job (&job, NULL, &other, NULL) == SS_OK);
  for (int law = 0; law < 4; law++) {
    const char *const options[] = {laws[law], NULL};
    SsSimResult result = run (scenario, options, 0.01, 0.6);
    const double y = ss_test_last_value (result.trajectory, "ball.y");
    SS_CHECK_NEAR (result.events->items[0].t, t0, 1e-12);
    if (law < 2) {
      SS_CHECK_NEAR (y, ss_test_last_value (other.trajectory, "ball.y"), 1e-12);
      SS_CHECK_NEAR (result.events->items[1].t, 2 * t0, 1e-11); /* the second flight takes 2 e t0 */
    } else {
      SS_CHECK_NEAR (y, 0, 1e-12);
    }
    ss_sim_result_clear (&result);
  }
  ss_sim_result_clear (&other);
  ss_scenario_free (scenario);
}

/* Without restitution a motion loses energy, row by row, whatever the law draws. */
static void
test_energy (void)
{
  static const char *const files[] = {"examples/impacts/rocking-block.stickslip.json",
                                      "examples/impacts/disk-stack.stickslip.json"};
  for (int k = 0; k < 2; k++) {
    SsScenario *scenario = ss_test_read_file (files[k], NULL, 0);
    for (int law = 0; law < 4; law++) {
      const char *const options[] = {laws[law], "law.step=0.3", NULL};
      SsSimResult result = run (scenario, options, 0.01, 0.5);
      double last = INFINITY;
      for (int i = 0; i < result.trajectory->n_rows; i++) {
        const double energy = ss_test_value (result.trajectory, i, "energy.kinetic") +
                              ss_test_value (result.trajectory, i, "energy.potential");
        SS_CHECK (energy <= last + 1e-9); /* the scheme's own error at this step */
        last = energy;
      }
      SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-7);
      ss_sim_result_clear (&result);
    }
    ss_scenario_free (scenario);
  }
}

static SsStatus
start (const SsScenario *scenario, const char *name, const char *value, SsError *err)
{
  const SsOptionTable *table = ss_integrator_event_driven.options;
  void *options = ss_alloc (1, table->size), *integrator = NULL;
  ss_options_init (table, options);
  SS_CHECK (ss_options_set (table, options, name, value, err) == SS_OK);
  const SsStatus status = ss_integrator_event_driven.new_ (scenario->scene, options, &integrator, err);
  SS_CHECK ((status == SS_OK) == (integrator != NULL));
  ss_integrator_event_driven.free_ (integrator);
  ss_free (options);
  return status;
}

static void
test_refused (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/impacts/rocking-block.stickslip.json", NULL, 0);
  SsError err = {0};
  SS_CHECK (start (scenario, "law.order", "floor-block.2,floor-block", &err) == SS_OK);
  SS_CHECK (start (scenario, "law.order", "floor-block,wall", &err) == SS_ERR_ARG);
  SS_CHECK_CONTAINS (err.message, "'wall'");
  SS_CHECK (start (scenario, "law.order", "floor-block.left", &err) == SS_ERR_ARG);
  ss_scenario_free (scenario);
}

/* Each allocation of a step with a jump fails in turn: SS_ERR_MEMORY, or the answer all the same. */
static void
test_no_memory (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/impacts/rocking-block.stickslip.json", NULL, 0);
  const SsOptionTable *table = ss_integrator_event_driven.options;
  void *options = ss_alloc (1, table->size);
  for (int law = 0; law < 4; law++) {
    SsError err = {0};
    ss_options_init (table, options);
    SS_CHECK (ss_options_set (table, options, "law", strchr (laws[law], '=') + 1, &err) == SS_OK);
    const SsSimJob job = {.scene = scenario->scene,
                          .integrator = &ss_integrator_event_driven,
                          .options = options,
                          .dt = 1e-3,
                          .t_end = 1e-3};
    uint64_t n = 0;
    for (uint64_t k = 0; k <= n; k++) {
      SsSimResult result = {0};
      const uint64_t before = ss_alloc_count ();
      ss_alloc_fail_at (k); /* 0: none */
      const SsStatus status = ss_simulate_job (&job, NULL, &result, &err);
      ss_alloc_fail_at (0);
      n = k == 0 ? ss_alloc_count () - before : n;
      SS_CHECK (status == SS_ERR_MEMORY || (status == SS_OK && result.outcome == SS_OUTCOME_COMPLETED));
      SS_CHECK (k > 0 || status == SS_OK);
      SS_CHECK (status == SS_OK || err.message[0] != '\0');
      ss_sim_result_clear (&result);
    }
    SS_CHECK (n > 100);
  }
  ss_free (options);
  ss_scenario_free (scenario);
}

/* ---- a stack that is hit ----------------------------------------------------------------------------------------- */

/* Two to four boxes of .1 to 10 kg on one another, which a ball hits from the side. */
static SsScenario *
hit_stack (SsRandom *random, bool *is_elastic)
{
  char text[4096];
  const int n = 2 + (int)(ss_random_next (random) % 3);
  double top = 0;
  *is_elastic = ss_random_next (random) % 2 == 0;
  size_t used = (size_t)snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"hit\", \"scene\": {\"friction\": %.3f, \"restitution\": %.3f, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}",
      ss_random_between (random, 0.1, 0.8), *is_elastic ? ss_random_between (random, 0.1, 0.6) : 0);
  for (int i = 0; i < n; i++) {
    const double height = ss_random_between (random, 0.1, 0.3);
    used += (size_t)snprintf (text + used, sizeof text - used,
                              ", {\"name\": \"b%d\", \"mass\": %.17g, \"position\": [%.17g, %.17g], \"shape\": "
                              "{\"type\": \"box\", \"width\": %.17g, \"height\": %.17g}}",
                              i, pow (10, ss_random_between (random, -1, 1)), ss_random_between (random, -0.05, 0.05),
                              top + height / 2, ss_random_between (random, 0.2, 0.6), height);
    top += height;
  }
  snprintf (text + used, sizeof text - used,
            ", {\"name\": \"ball\", \"mass\": %.17g, \"shape\": {\"type\": \"circle\", \"radius\": 0.06}, "
            "\"position\": [-1, %.17g], \"velocity\": [%.17g, %.17g]}]}}",
            pow (10, ss_random_between (random, -1, 0.7)), ss_random_between (random, 0.1, 0.9 * top),
            ss_random_between (random, 2, 12), ss_random_between (random, 0, 2));
  return ss_test_read_text (text);
}

static double
energy_at (const SsTrajectory *motion, int row)
{
  return ss_test_value (motion, row, "energy.kinetic") + ss_test_value (motion, row, "energy.potential");
}

/* Every run comes to its end: what the rounding of a problem leaves is no approach. Only sequential with a
 * hundredth of its solves may not; then it says so and names its own option. */
static void
test_hit_stacks (void)
{
  SsRandom random;
  int n_unfinished = 0;
  ss_random_seed (&random, 2023);
  const int n_trials = ss_test_is_coarse () ? 8 : ss_test_is_long () ? 40 : 12;
  for (int trial = 0; trial < n_trials; trial++) {
    bool is_elastic;
    SsScenario *scenario = hit_stack (&random, &is_elastic);
    for (int law = 0; law < 4; law++) {
      const int before = ss_test_failed_checks;
      const bool is_sequential = strcmp (laws[law], "law=sequential") == 0,
                 is_inelastic = is_sequential || strcmp (laws[law], "law=set-valued") == 0 || !is_elastic;
      const char *options[] = {laws[law], is_sequential ? "law.max-solves=1000" : NULL, NULL};
      SsSimResult result = attempt (scenario, options, 0.01, 1);
      if (is_sequential && result.outcome == SS_OUTCOME_FAILED) {
        SS_CHECK_CONTAINS (result.message, "raise law.max-solves");
        SS_CHECK (strstr (result.message, "max-steps") == NULL);
        ss_sim_result_clear (&result);
        options[1] = NULL; /* the default is enough */
        result = attempt (scenario, options, 0.01, 1);
        n_unfinished++;
      }
      SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
      SS_CHECK (result.metrics.max_penetration < 1e-9);
      /* nothing gives energy but restitution with friction: 1e-6 of what there is for steps of the scheme */
      const double most = energy_at (result.trajectory, 0) * (1 + 1e-6);
      for (int i = 0; is_inelastic && i < result.trajectory->n_rows; i++)
        SS_CHECK (energy_at (result.trajectory, i) <= most);
      if (ss_test_failed_checks > before)
        printf ("  stack %d, %s: %s\n", trial, laws[law], result.message);
      ss_sim_result_clear (&result);
    }
    ss_scenario_free (scenario);
  }
  printf ("  sequential needed more than 1000 solves in %d of %d runs\n", n_unfinished, n_trials);
  SS_CHECK (n_unfinished > 0 || ss_test_is_coarse ());
}

/* The same tilted box, falling on its corners, of 1 m and of 1 km and a million times the mass: the same motion, since
 * gravity is the same, in 32 times the time. Angles agree to what rounding is after three impacts. */
static void
test_any_size (void)
{
  double angle[2] = {0};
  for (int k = 0; k < 2; k++) {
    const double l = k == 0 ? 1 : 1024, t = sqrt (l);
    char text[800];
    snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, -10], \"friction\": 0.5, \"bodies\": ["
        "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
        "{\"name\": \"box\", \"mass\": %.17g, \"shape\": {\"type\": \"box\", \"width\": %.17g, \"height\": %.17g},"
        " \"position\": [0, %.17g], \"angle\": 0.3, \"velocity\": [%.17g, 0]}]}}",
        2 * l * l, l, l / 2, l, l / t / 2);
    SsScenario *scenario = ss_test_read_text (text);
    SsSimResult result = run (scenario, NULL, 0.01 * t, 0.45 * t);
    angle[k] = ss_test_last_value (result.trajectory, "box.theta");
    ss_sim_result_clear (&result);
    ss_scenario_free (scenario);
  }
  SS_CHECK_NEAR (angle[1], angle[0], 1e-9);
}

/* A bar that meets the limit of its pin stops there, at 25000 rad/s as at 2e-4 rad/s: how exact a jump is has no
 * product of speeds in it, which rounding alone makes large. */
static void
test_any_speed (void)
{
  static const double speeds[] = {2e-4, 1, 25000};
  for (int k = 0; k < 3; k++) {
    char text[700];
    snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, 0], \"contacts\": [], \"bodies\": [{\"name\":"
        " \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.125}, \"position\": [1, 0],"
        " \"velocity\": [0, %.17g], \"angular_velocity\": %.17g}], \"joints\": [{\"name\": \"p\", \"type\":"
        " \"pin\", \"bodies\": [\"world\", \"a\"], \"anchor\": [0, 0], \"lower\": -1, \"upper\": 0.55}]}}",
        speeds[k], speeds[k]);
    SsScenario *scenario = ss_test_read_text (text);
    const SsIntegratorClass *const exact[] = {&ss_integrator_fesd_j, &ss_integrator_event_driven};
    for (int i = 0; i < 2 && scenario != NULL; i++) {
      SsTestRun run = ss_test_simulate (scenario->scene, exact[i], NULL, 0.1 / speeds[k], 1 / speeds[k], NULL);
      SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
      SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.omega") / speeds[k], 0, 1e-9);
      ss_trajectory_free (run.trajectory);
    }
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  zeno_file = ss_test_argc > 1 ? ss_test_argv[1] : NULL;
  SS_RUN (test_zeno);
  SS_RUN (test_jumps);
  SS_RUN (test_laws_differ);
  SS_RUN (test_restitution);
  SS_RUN (test_energy);
  SS_RUN (test_any_size);
  SS_RUN (test_any_speed);
  SS_RUN (test_refused);
  SS_RUN_SLOW (test_hit_stacks);
  SS_RUN (test_no_memory);
  return ss_test_finish ();
}
