/* tests/numeric/test-fesd-random.c: the integrator fesd-j on random scenes: 2 to 4 bodies, 3 to 6 contacts, mixed
 * friction and restitution, 2 s each. What each run must keep, by the scene's geometry and dynamics alone, and how many
 * may fail. test-fesd-random [FIRST N]: other seeds, a line each.
 */
#include "fesd/ss-fesd-j.h"
#include "judge/ss-motion.h"
#include "ss-test-outcomes.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include "core/ss-random.h"

#include <stdlib.h>

enum { FIRST_SEED = 1000, N_QUICK = 6, N_ALL = 200, BODIES_MAX = 4, CONTACTS_MAX = 6, TEXT_SIZE = 8192 };
static const double dt = 0.01, t_end = 2;

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

typedef struct {
  char text[TEXT_SIZE];
  size_t used;
  int n_bodies, n_contacts;
} Drawing;

static void __attribute__ ((format (printf, 2, 3))) draw (Drawing *d, const char *format, ...)
{
  va_list list;
  va_start (list, format);
  d->used += (size_t)vsnprintf (d->text + d->used, sizeof d->text - d->used, format, list);
  va_end (list);
  SS_CHECK (d->used < sizeof d->text);
}

static int
choose (SsRandom *random, int n)
{
  return (int)(ss_random_next (random) % (uint64_t)n);
}

/* A disc, a box or a triangle at a place of its own, 0.7 m from the next; its radius is below 0.3 m. */
static void
draw_body (Drawing *d, SsRandom *random, int i)
{
  const int kind = choose (random, 3);
  const double size = ss_random_between (random, 0.1, 0.2);
  draw (d, ", {\"name\": \"b%d\", \"mass\": %.3f, \"shape\": ", i, ss_random_between (random, 0.5, 3));
  if (kind == 0)
    draw (d, "{\"type\": \"circle\", \"radius\": %.4f}", size);
  else if (kind == 1)
    draw (d, "{\"type\": \"box\", \"width\": %.4f, \"height\": %.4f}", 2 * size,
          2 * size * ss_random_between (random, 0.3, 1));
  else
    draw (d, "{\"type\": \"polygon\", \"vertices\": [[%.4f, %.4f], [%.4f, %.4f], [0, %.4f]]}", -size, -0.5 * size, size,
          -0.5 * size, size);
  draw (d, ", \"position\": [%.4f, %.4f]", ss_random_between (random, -0.15, 0.15),
        0.35 + 0.7 * i + ss_random_between (random, 0, 0.05));
  draw (d, ", \"angle\": %.4f, \"velocity\": [%.4f, %.4f], \"angular_velocity\": %.4f}",
        choose (random, 3) == 0 ? 0 : ss_random_between (random, -3, 3), ss_random_between (random, -1, 1),
        ss_random_between (random, -1, 1), ss_random_between (random, -4, 4));
}

static void
draw_contact (Drawing *d, SsRandom *random, const char *a, int b)
{
  if (d->n_contacts == CONTACTS_MAX)
    return;
  const double friction = choose (random, 4) == 0 ? 0 : ss_random_between (random, 0.05, 1);
  const double restitution = choose (random, 3) == 0 ? 0 : ss_random_between (random, 0.05, 0.9);
  draw (d, "%s{\"bodies\": [\"%s\", \"b%d\"], \"friction\": %.3f, \"restitution\": %.3f}",
        d->n_contacts++ > 0 ? ", " : "", a, b, friction, restitution);
}

/* Bodies above one another over a floor, level or inclined, perhaps beside a wall. Contacts: all bodies with the floor,
 * neighbours with one another, then with the wall, up to six; what has no contact passes. */
static void
draw_scene (Drawing *d, uint64_t seed)
{
  SsRandom random;
  char name[16];
  ss_random_seed (&random, seed);
  *d = (Drawing){.n_bodies = 2 + choose (&random, BODIES_MAX - 1)};
  const double slope = choose (&random, 3) == 0 ? ss_random_between (&random, -0.4, 0.4) : 0;
  draw (d,
        "{\"format\": 1, \"name\": \"random\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
        "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [%.6f, %.6f]}}, "
        "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 0]}, "
        "\"position\": [-0.6, 0]}",
        sin (slope), cos (slope));
  for (int i = 0; i < d->n_bodies; i++)
    draw_body (d, &random, i);
  draw (d, "], \"contacts\": [");
  for (int i = 0; i < d->n_bodies; i++)
    draw_contact (d, &random, "floor", i);
  for (int i = 0; i + 1 < d->n_bodies; i++) {
    snprintf (name, sizeof name, "b%d", i);
    draw_contact (d, &random, name, i + 1);
  }
  const int n_walls = choose (&random, d->n_bodies + 1);
  for (int i = 0; i < n_walls; i++)
    draw_contact (d, &random, "wall", i);
  draw (d, "]}}");
}

/* ---- what a run must keep ---------------------------------------------------------------------------------------- */

typedef struct {
  bool is_failed, is_proved;   /* is_proved: at an impact that has no outcome */
  double residual, t_residual; /* its own word */
  double penetration, cone;    /* by the judge */
  /* Velocity that nothing explains, by the judge [m/s]: away from captured bounces, and near them. Told only. */
  double balance, t_balance, balance_captured;
  double rise, t_rise;          /* of the energy between two rows that are no jump [J] */
  double jump_rise, t_jump;     /* in a jump */
  double jump_rise_unexplained; /* in a jump where Newton's law has no right to it */
  double cpu_seconds;
  int n_by_way[SS_STEP_N_WAYS], n_events;
  char message[512];
} Kept;

/* Newton's law gives energy only with restitution, and only together with friction or with unequal restitutions:
 * whether the impulses of a row are such. */
static bool
may_give_energy (const SsScene *scene, const SsTrajectory *motion, int row)
{
  char channel[160];
  double least = INFINITY, most = 0;
  bool rubs = false;
  for (int i = 0; i < scene->n_contacts; i++) {
    snprintf (channel, sizeof channel, "%s.impulse_n", scene->contacts[i].name);
    if (!(ss_test_value (motion, row, channel) > 0))
      continue;
    least = fmin (least, scene->contacts[i].restitution);
    most = fmax (most, scene->contacts[i].restitution);
    snprintf (channel, sizeof channel, "%s.impulse_t", scene->contacts[i].name);
    rubs = rubs || ss_test_value (motion, row, channel) != 0;
  }
  return most > 0 && (rubs || most > least);
}

static void
look_at_energy (const SsScene *scene, const SsTrajectory *motion, Kept *kept)
{
  double before = NAN;
  for (int i = 0; i < motion->n_rows; i++) {
    const double now = ss_test_value (motion, i, "energy.kinetic") + ss_test_value (motion, i, "energy.potential");
    const double t = ss_trajectory_row (motion, i)[0], rise = i > 0 ? now - before : 0;
    const bool is_jump = i > 0 && t == ss_trajectory_row (motion, i - 1)[0];
    before = now;
    if (is_jump && rise > kept->jump_rise)
      kept->jump_rise = rise, kept->t_jump = t;
    if (is_jump && rise > kept->jump_rise_unexplained && !may_give_energy (scene, motion, i))
      kept->jump_rise_unexplained = rise;
    if (!is_jump && rise > kept->rise)
      kept->rise = rise, kept->t_rise = t;
  }
}

static bool
is_captured (const SsEventList *events, double t)
{
  for (int i = 0; i < events->n_items; i++)
    if (events->items[i].kind == SS_EVENT_ACCUMULATION && fabs (events->items[i].t - t) <= dt)
      return true;
  return false;
}

static void
look_at_motion (const SsScene *scene, const SsSimResult *result, Kept *kept)
{
  SsMotionVerdict verdict = {0};
  SsError err = {0};
  SS_CHECK (ss_motion_judge_stages (scene, result->trajectory, result->stages, true, NULL, &verdict, &err) == SS_OK);
  kept->penetration = verdict.penetration.value;
  kept->cone = verdict.cone.value;
  for (int i = 0; i < verdict.n_rows; i++) {
    const SsMotionStep *step = &verdict.steps[i];
    if (is_captured (result->events, step->t))
      kept->balance_captured = fmax (kept->balance_captured, step->balance);
    else if (step->balance > kept->balance)
      kept->balance = step->balance, kept->t_balance = step->t;
  }
  ss_motion_verdict_clear (&verdict);
}

static Kept
run_scene (const SsScene *scene)
{
  Kept kept = {.is_failed = true};
  SsSimResult result = {0};
  SsError err = {0};
  const SsSimJob job = {.scene = scene, .integrator = &ss_integrator_fesd_j, .dt = dt, .t_end = t_end};
  const double begun = ss_clock_thread_cpu ();
  const SsStatus status = ss_simulate_job (&job, NULL, &result, &err);
  kept.cpu_seconds = ss_clock_thread_cpu () - begun;
  SS_CHECK (status == SS_OK);
  if (status != SS_OK)
    return kept;
  kept.is_failed = result.outcome != SS_OUTCOME_COMPLETED;
  kept.residual = result.metrics.own_residual;
  kept.t_residual = result.metrics.t_residual;
  kept.n_events = result.events->n_items + result.events->n_left_out;
  memcpy (kept.n_by_way, result.metrics.n_by_way, sizeof kept.n_by_way);
  snprintf (kept.message, sizeof kept.message, "%s", kept.is_failed ? result.message : "");
  look_at_energy (scene, result.trajectory, &kept);
  look_at_motion (scene, &result, &kept);
  ss_sim_result_clear (&result);
  return kept;
}

/* ---- what a failure must prove ----------------------------------------------------------------------------------- */

enum { N_Q_MAX = 3 * (BODIES_MAX + 2) };

typedef struct {
  int n_q;
  double t, q[N_Q_MAX], v[N_Q_MAX];
} LastRow;

static SsStatus
keep_row (void *owner, const SsSimState *state, SsError *err)
{
  LastRow *last = owner;
  (void)err;
  last->t = state->t;
  memcpy (last->q, state->q, (size_t)last->n_q * sizeof *last->q);
  memcpy (last->v, state->v, (size_t)last->n_q * sizeof *last->v);
  return SS_OK;
}

static SsStatus
ignore_stage (void *owner, const SsSimState *state, double weight, SsError *err)
{
  (void)owner, (void)state, (void)weight, (void)err;
  return SS_OK;
}

static SsStatus
ignore_event (void *owner, const SsEvent *event, SsError *err)
{
  (void)owner, (void)event, (void)err;
  return SS_OK;
}

/* Runs the scene again, step by step, to the instant at which it fails: the last row that the failing step tells. */
static bool
find_failure (const SsScene *scene, LastRow *last)
{
  void *stepper = NULL;
  double q[N_Q_MAX], v[N_Q_MAX], contact[CONTACTS_MAX * SS_SIM_N_CONTACT_VALUES] = {0}, dissipated[CONTACTS_MAX] = {0};
  SsSimState state = {.q = q, .v = v, .contact = contact, .dissipated = dissipated};
  const SsStepSink sink = {.owner = last, .row = keep_row, .stage = ignore_stage, .event = ignore_event};
  *last = (LastRow){.n_q = 3 * scene->n_bodies};
  for (int i = 0; i < last->n_q; i++) {
    q[i] = scene->bodies[i / 3].q[i % 3];
    v[i] = scene->bodies[i / 3].v[i % 3];
  }
  SS_CHECK (ss_integrator_fesd_j.new_ (scene, NULL, &stepper, NULL) == SS_OK);
  bool has_failed = false;
  for (int k = 0; stepper != NULL && !has_failed && k * dt < t_end; k++) {
    const double next = (k + 1) * dt;
    const SsStep step = {.dt = next - state.t, .sink = &sink};
    SsStepInfo info = {0};
    SsError err = {0};
    has_failed = ss_integrator_fesd_j.step (stepper, &step, &state, &info, &err) != SS_OK;
    state.t = next;
  }
  ss_integrator_fesd_j.free_ (stepper);
  return has_failed;
}

/* The impact at which the run failed has no outcome. */
static bool
is_proved (const SsScene *scene, const char *message)
{
  LastRow last;
  int n_points;
  const char *at = strstr (message, "t = ");
  if (strncmp (message, "the impact", strlen ("the impact")) != 0 || at == NULL || !find_failure (scene, &last))
    return false;
  SS_CHECK_NEAR (last.t, strtod (at + strlen ("t = "), NULL), 1e-8); /* nine digits */
  return !ss_test_has_outcome (scene, last.q, last.v, &n_points) && n_points > 1;
}

static Kept
run_seed (uint64_t seed, Drawing *drawing)
{
  draw_scene (drawing, seed);
  SsScenario *scenario = ss_test_read_text (drawing->text);
  Kept kept = {.is_failed = true};
  SS_CHECK (scenario != NULL && scenario->scene->n_contacts == drawing->n_contacts);
  if (scenario != NULL)
    kept = run_scene (scenario->scene);
  if (scenario != NULL && kept.is_failed)
    kept.is_proved = is_proved (scenario->scene, kept.message);
  ss_scenario_free (scenario);
  return kept;
}

static void
tell (uint64_t seed, const Drawing *d, const Kept *k)
{
  printf ("%llu: %d bodies, %d contacts, %d events, %d alternative, %d bisected, residual %.1e at %.4f, "
          "penetration %.1e, cone %.1e, balance %.1e at %.4f, captured %.1e, energy +%.1e at %.4f, "
          "in jumps +%.1e at %.4f, unexplained +%.1e, cpu %.3f s  %s%s\n",
          (unsigned long long)seed, d->n_bodies, d->n_contacts, k->n_events, k->n_by_way[SS_STEP_ALTERNATIVE],
          k->n_by_way[SS_STEP_BISECTED], k->residual, k->t_residual, k->penetration, k->cone, k->balance, k->t_balance,
          k->balance_captured, k->rise, k->t_rise, k->jump_rise, k->t_jump, k->jump_rise_unexplained, k->cpu_seconds,
          k->message,
          !k->is_failed  ? ""
          : k->is_proved ? " PROVED"
                         : " NOT PROVED");
}

/* ---- beside time stepping ---------------------------------------------------------------------------------------- */

enum { N_AGREE_QUICK = 40, N_STEPS = 3 };
static const double time_steps[N_STEPS] = {1e-3, 5e-4, 2.5e-4};

/* Time of the first impact that time stepping may resolve differently: another point touches, or a second impact comes
 * within the longest time step; t_end if there is none. */
static double
first_ambiguous (const SsScene *scene, const SsSimResult *result)
{
  const SsTrajectory *motion = result->trajectory;
  double last = -INFINITY;
  for (int i = 0; i < result->events->n_items; i++) {
    const SsEvent *event = &result->events->items[i];
    if (event->kind != SS_EVENT_IMPACT)
      continue;
    int row = 0, n_touching = 0;
    while (row + 1 < motion->n_rows && ss_trajectory_row (motion, row + 1)[0] < event->t)
      row++;
    for (int k = 0; k < scene->n_contacts; k++) {
      char channel[160];
      snprintf (channel, sizeof channel, "%s.lambda_n", scene->contacts[k].name);
      n_touching += ss_test_value (motion, row, channel) > 0;
    }
    if (n_touching > 0 || event->t - last < 2 * time_steps[0])
      return event->t;
    last = event->t;
  }
  return t_end;
}

/* Largest difference of a pose at the time t, which both motions have as a row. */
static double
difference_at (const SsScene *scene, double t, const SsTrajectory *a, const SsTrajectory *b)
{
  static const char *const coordinates[] = {"x", "y", "theta"};
  double worst = 0;
  int row[2] = {0, 0};
  const SsTrajectory *motions[2] = {a, b};
  for (int k = 0; k < 2; k++)
    while (row[k] + 1 < motions[k]->n_rows && ss_trajectory_row (motions[k], row[k])[0] < t - 1e-9)
      row[k]++;
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    char channel[160];
    snprintf (channel, sizeof channel, "%s.%s", scene->bodies[i / 3].name, coordinates[i % 3]);
    worst = fmax (worst, fabs (ss_test_value (a, row[0], channel) - ss_test_value (b, row[1], channel)));
  }
  return worst;
}

/* Differences of a scene's motion from moreau-jean's at its time steps, before the first ambiguous impact. False:
 * there is no impact before it, or it comes too soon to compare. */
static bool
compare_seed (uint64_t seed, double difference[N_STEPS])
{
  Drawing drawing;
  draw_scene (&drawing, seed);
  SsScenario *scenario = ss_test_read_text (drawing.text);
  if (scenario == NULL)
    return false;
  const SsScene *scene = scenario->scene;
  SsSimResult exact = {0};
  const SsSimJob job = {.scene = scene, .integrator = &ss_integrator_fesd_j, .dt = dt, .t_end = t_end};
  SS_CHECK (ss_simulate_job (&job, NULL, &exact, NULL) == SS_OK);
  const double t_compare = dt * (floor (first_ambiguous (scene, &exact) / dt) - 1);
  bool has_impact = false;
  for (int i = 0; i < exact.events->n_items; i++)
    has_impact =
        has_impact || (exact.events->items[i].kind == SS_EVENT_IMPACT && exact.events->items[i].t < t_compare - dt);
  for (int k = 0; has_impact && k < N_STEPS; k++) {
    SsSimResult stepped = {0};
    const SsSimJob other = {
        .scene = scene, .integrator = &ss_integrator_moreau_jean, .dt = time_steps[k], .t_end = t_compare};
    SS_CHECK (ss_simulate_job (&other, NULL, &stepped, NULL) == SS_OK);
    difference[k] = difference_at (scene, t_compare, exact.trajectory, stepped.trajectory);
    ss_sim_result_clear (&stepped);
  }
  ss_sim_result_clear (&exact);
  ss_scenario_free (scenario);
  return has_impact;
}

static void
compare_seeds (uint64_t first, int n)
{
  int n_compared = 0;
  double sum[N_STEPS] = {0};
  for (int i = 0; i < n; i++) {
    double difference[N_STEPS];
    if (!compare_seed (first + (uint64_t)i, difference))
      continue;
    n_compared++;
    for (int k = 0; k < N_STEPS; k++)
      sum[k] += log (fmax (difference[k], 1e-12));
  }
  SS_CHECK (n_compared > 0);
  const double order = (sum[0] - sum[2]) / n_compared / log (time_steps[0] / time_steps[2]);
  printf ("  %d of %d scenes compared with moreau-jean: differences (geometric mean) %.2e %.2e %.2e, order %.2f\n",
          n_compared, n, exp (sum[0] / n_compared), exp (sum[1] / n_compared), exp (sum[2] / n_compared), order);
  /* one scene's differences go by where in a step its impacts fall; their mean is of first order */
  SS_CHECK (order > 0.6 && order < 1.5);
  SS_CHECK (exp (sum[2] / n_compared) < 1e-2);
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* Points nearer than 1e-10 of the bodies' size, here below 0.3 m, count as touching. [m] */
static const double touching = 3e-11;
/* The scheme's error in turning on a corner at elements of 5 ms: of fifth order, 1e-9 at some rad/s. [J] */
static const double scheme_error = 1e-7;
/* Of sums of energies of some 1e2 J, and of impulses of some 10 N s that a solver finds. [J], [N s] */
static const double rounding = 1e-12;
static const double largest_residual = 1e-9;

typedef struct {
  int n_failed, n_proved, n_unnamed, n_residual, n_jump_rises;
} Counts;

/* A failure says which contact, in which mode, when. */
static bool
is_named (const char *message)
{
  return strstr (message, "contact ") != NULL && strstr (message, "the contact was in ") != NULL &&
         strstr (message, "t = ") != NULL;
}

static Counts
run_seeds (uint64_t first, int n)
{
  Drawing drawing;
  Counts counts = {0};
  for (int i = 0; i < n; i++) {
    const uint64_t seed = first + (uint64_t)i;
    const Kept kept = run_seed (seed, &drawing);
    const int before = ss_test_failed_checks;
    SS_CHECK_NEAR (kept.penetration, 0, touching);
    SS_CHECK_NEAR (kept.cone, 0, rounding);
    SS_CHECK_NEAR (kept.rise, 0, scheme_error);
    SS_CHECK_NEAR (kept.jump_rise_unexplained, 0, rounding);
    const bool is_wrong = !(kept.residual < largest_residual);
    counts.n_failed += kept.is_failed;
    counts.n_proved += kept.is_proved;
    counts.n_unnamed += kept.is_failed && !is_named (kept.message);
    counts.n_residual += is_wrong;
    counts.n_jump_rises += kept.jump_rise > rounding;
    if (kept.is_failed || is_wrong || ss_test_failed_checks > before)
      tell (seed, &drawing, &kept);
  }
  printf ("  %d scenes: %d failed (%d proved, %d without contact and mode), residual above %g in %d, energy rises in a "
          "jump of %d\n",
          n, counts.n_failed, counts.n_proved, counts.n_unnamed, largest_residual, counts.n_residual,
          counts.n_jump_rises);
  return counts;
}

static void
test_quick (void)
{
  const Counts counts = run_seeds (FIRST_SEED, N_QUICK);
  SS_CHECK (counts.n_failed == 0 && counts.n_residual == 0);
}

/* Of a thousand scenes Newton's law leaves a few without a way on: a body wedged between two others where a rebound is
 * asked for. Those alone may fail, and each must be proved by an enumeration of its own. Seeds 0 to 999 and 2000 to
 * 2999 were looked at while the stepper was made. */
static void
test_all (void)
{
  if (!ss_test_is_long ())
    return;
  const Counts counts = run_seeds (FIRST_SEED, N_ALL);
  SS_CHECK (counts.n_failed == counts.n_proved);
  SS_CHECK (counts.n_unnamed == 0);
  SS_CHECK (counts.n_residual == 0);
}

/* What the proof says of impacts that are known: a disc falls flat (it has an outcome); a disc that stays between two
 * walls which it touches, and moves against one that asks for a rebound (it has none). */
static void
test_proof (void)
{
  static const char *const text =
      "{\"format\": 1, \"name\": \"wedge\", \"scene\": {\"gravity\": [0, -9.81], \"restitution\": %s, \"bodies\": ["
      "{\"name\": \"left\", \"fixed\": true, \"position\": [-0.1, 0], \"shape\": {\"type\": \"half-plane\", "
      "\"normal\": "
      "[1, 0]}}, {\"name\": \"right\", \"fixed\": true, \"position\": [0.1, 0], \"shape\": {\"type\": \"half-plane\", "
      "\"normal\": [-1, 0]}}, {\"name\": \"disc\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, "
      "\"velocity\": [1, 0]}], \"contacts\": [{\"bodies\": [\"left\", \"disc\"]}, {\"bodies\": [\"right\", "
      "\"disc\"]}]}}";
  for (int i = 0; i < 2; i++) {
    char full[1024];
    snprintf (full, sizeof full, text, i == 0 ? "0" : "0.5");
    SsScenario *scenario = ss_test_read_text (full);
    const double q[9] = {-0.1, 0, 0, 0.1, 0, 0, 0, 0, 0}, v[9] = {0, 0, 0, 0, 0, 0, 1, 0, 0};
    int n_points = 0;
    SS_CHECK (ss_test_has_outcome (scenario->scene, q, v, &n_points) == (i == 0));
    SS_CHECK (n_points == 2);
    const Kept kept = run_scene (scenario->scene);
    SS_CHECK (kept.is_failed == (i == 1));
    if (i == 1) {
      SS_CHECK (is_named (kept.message) && is_proved (scenario->scene, kept.message));
      printf ("  %s\n", kept.message);
    }
    ss_scenario_free (scenario);
  }
}

static void
test_agreement (void)
{
  compare_seeds (FIRST_SEED, ss_test_is_long () ? N_ALL : N_AGREE_QUICK);
}

int
main (void)
{
  Drawing drawing;
  const uint64_t first = ss_test_argc == 3 ? strtoull (ss_test_argv[1], NULL, 10) : 0;
  const uint64_t n = ss_test_argc == 3 ? strtoull (ss_test_argv[2], NULL, 10) : 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    const Kept kept = run_seed (seed, &drawing);
    tell (seed, &drawing, &kept);
  }
  if (n == 0) {
    SS_RUN (test_quick);
    SS_RUN (test_proof);
    SS_RUN (test_agreement);
    SS_RUN (test_all);
  }
  return ss_test_finish ();
}
