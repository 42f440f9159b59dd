/* tests/numeric/test-events.c: events of simulations against closed forms. An event is dated to the end of its step, so
 * that times may be late by a step; what else a tolerance allows is said beside it. */
#include "simulate/ss-events.h"
#include "simulate/ss-simulate.h"
#include "ss-test-scenario.h"

#include <stdlib.h>

typedef struct {
  SsScenario *scenario;
  SsTrajectory *trajectory;
  SsEventList *events;
} Run;

static void
finish (Run *run, const SsIntegratorClass *integrator, double dt, double t_end)
{
  SsSimResult result = {0};
  SsError error = {0};

  if (run->scenario == NULL)
    return;
  const SsSimJob job = {.scene = run->scenario->scene, .integrator = integrator, .dt = dt, .t_end = t_end};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, &error) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK (ss_events_find (job.scene, result.trajectory, result.points, &run->events, &error) == SS_OK);
  run->trajectory = result.trajectory;
  result.trajectory = NULL;
  ss_sim_result_clear (&result);
}

static Run
run_example (const char *name, const SsIntegratorClass *integrator, double dt, double t_end)
{
  Run run = {0};
  char path[128];

  snprintf (path, sizeof path, "examples/%s.stickslip.json", name);
  run.scenario = ss_test_read_file (path, NULL, 0);
  finish (&run, integrator, dt, t_end);
  return run;
}

/* A floor with friction mu and one body of 1 kg; `body` and `more` are the rest of its object and of the scene. */
static Run
run_scene (double mu, const char *body, const char *more, const SsIntegratorClass *integrator, double dt, double t_end)
{
  Run run = {0};
  char text[2048];

  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, -10], \"friction\": %g, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"box\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}, %s}]%s}}",
      mu, body, more);
  run.scenario = ss_test_read_text (text);
  finish (&run, integrator, dt, t_end);
  return run;
}

static void
release (Run *run)
{
  ss_events_free (run->events);
  ss_trajectory_free (run->trajectory);
  ss_scenario_free (run->scenario);
}

static int
n_events (const Run *run)
{
  return run->events != NULL ? run->events->n_items : 0;
}

static int
count (const Run *run, SsEventKind kind)
{
  int n = 0;
  for (int i = 0; i < n_events (run); i++)
    n += run->events->items[i].kind == kind;
  return n;
}

/* Occurrence number n of a kind; all NaN if there is none. */
static SsEvent
nth (const Run *run, SsEventKind kind, int n)
{
  for (int i = 0; i < n_events (run); i++)
    if (run->events->items[i].kind == kind && n-- == 0)
      return run->events->items[i];
  return (SsEvent){.t = NAN, .impulse = NAN};
}

static void
print (const Run *run)
{
  for (int i = 0; i < n_events (run); i++) {
    const SsEvent *e = &run->events->items[i];
    printf ("  t = %.6g %s %s %d %g\n", e->t, ss_event_kind_name (e->kind),
            ss_event_subject_name (run->scenario->scene, e), e->point, e->impulse);
  }
}

/* The impacts of a bouncing ball: t1, then flights of 2 e^n v1/g, with impulses (1 + e) e^n v1. */
static void
test_bouncing_ball (void)
{
  const double dt = 1e-4, g = 9.81, e = 0.5, v1 = sqrt (2 * g), t1 = v1 / g;
  Run run = run_example ("classics/bouncing-ball", &ss_integrator_moreau_jean, dt, 2);
  double t = t1, v = v1;
  int before = ss_test_failed_checks;

  for (int n = 0; n < 6; n++) {
    SsEvent impact = nth (&run, SS_EVENT_IMPACT, n), parting = nth (&run, SS_EVENT_SEPARATION, n);
    SS_CHECK_NEAR (impact.t, t, 2 * (n + 1) * dt); /* each bounce is dated to a step's end, and so is what follows */
    SS_CHECK_NEAR (impact.impulse, (1 + e) * v, 3 * g * dt); /* speeds are wrong by what gravity does in the step */
    SS_CHECK_NEAR (parting.t, impact.t, 0);                  /* Newton's law parts them in the same step */
    v *= e;
    t += 2 * v / g;
  }
  /* the sequence ends where bounces are lower than the steps can show: no event after it */
  SS_CHECK (n_events (&run) < 100);
  SS_CHECK (n_events (&run) > 0 && run.events->items[n_events (&run) - 1].t < t1 * (1 + e) / (1 - e) + 20 * dt);
  SS_CHECK (count (&run, SS_EVENT_SEPARATION) <= count (&run, SS_EVENT_IMPACT));
  if (ss_test_failed_checks > before)
    print (&run);
  release (&run);
}

/* A box falls flat from 0.5 m: an impact of each lower corner at sqrt (2 h/g) with half of m v, whatever the law. */
static void
test_falling_box (void)
{
  static const struct {
    const SsIntegratorClass *class_;
    double dt, late; /* steps */
  } cases[] = {{&ss_integrator_moreau_jean, 1e-3, 2},
               {&ss_integrator_stewart_trinkle, 1e-3, 1},
               {&ss_integrator_anitescu_potra, 1e-3, 1},
               {&ss_integrator_convex_time_stepping, 1e-3, 1}};

  for (int c = 0; c < 4; c++) {
    Run run = run_scene (0.5, "\"position\": [0, 0.6]", "", cases[c].class_, cases[c].dt, 0.6);
    const double t = sqrt (0.1), v = 10 * t;
    int before = ss_test_failed_checks;

    SS_CHECK (n_events (&run) == 2);
    for (int corner = 0; corner < 2; corner++) {
      SsEvent impact = nth (&run, SS_EVENT_IMPACT, corner);
      SS_CHECK_NEAR (impact.t, t, cases[c].late * cases[c].dt);
      SS_CHECK (impact.point == corner);
      /* half of gravity's impulse of the steps of the impact, at most three, is in it */
      SS_CHECK_NEAR (impact.impulse, v / 2, 2 * 10 * cases[c].dt);
      SS_CHECK_STR (run.events != NULL ? ss_event_subject_name (run.scenario->scene, &impact) : "", "floor-box");
    }
    if (ss_test_failed_checks > before) {
      printf ("  %s\n", cases[c].class_->name);
      print (&run);
    }
    release (&run);
  }
}

/* Sticks until the spring pulls with mu m g, at mu m g/(k v), and slips from then on. */
static void
test_belt_block (void)
{
  const double t1 = 0.3 * 9.81 / (20 * 0.2), period = 2 * acos (-1) / sqrt (20);
  Run run = run_example ("classics/belt-block", &ss_integrator_stewart_trinkle, 1e-3, t1 + 0.9 * period);

  SS_CHECK (n_events (&run) == 1);
  /* the slip grows like v w^2 (t - t1)^2/2 and is seen above a thousandth of mu g dt, 1.2 ms later; and a step */
  SS_CHECK_NEAR (nth (&run, SS_EVENT_SLIP, 0).t, t1, 2.5e-3);
  if (n_events (&run) != 1)
    print (&run);
  release (&run);
}

/* A box that slides at 2 m/s on friction 0.5 stops after 0.4 s and stays: both corners. */
static void
test_braking_box (void)
{
  const SsIntegratorClass *classes[] = {&ss_integrator_moreau_jean, &ss_integrator_stewart_trinkle,
                                        &ss_integrator_anitescu_potra};

  for (int c = 0; c < 3; c++) {
    Run run = run_scene (0.5, "\"position\": [0, 0.1], \"velocity\": [2, 0]", "", classes[c], 1e-3, 1);
    SS_CHECK (n_events (&run) == 2);
    for (int corner = 0; corner < 2; corner++)
      SS_CHECK_NEAR (nth (&run, SS_EVENT_STICK, corner).t, 0.4, 1.5e-3);
    if (n_events (&run) != 2)
      print (&run);
    release (&run);
  }
}

/* Pushed back by 20 N: brakes with 25 m/s2, turns at 0.08 s (friction cannot hold it) and goes on. */
static void
test_reversal (void)
{
  for (int c = 0; c < 20; c++) { /* where in the step it passes zero is different each time */
    char body[128];
    double v = 2 + 0.001 * c;
    snprintf (body, sizeof body, "\"position\": [0, 0.1], \"velocity\": [%.17g, 0], \"lock\": [\"theta\"]", v);
    Run run = run_scene (0.5, body, ", \"forces\": [{\"body\": \"box\", \"force\": [-20, 0]}]",
                         &ss_integrator_stewart_trinkle, 1e-3, 0.3);
    const int n = count (&run, SS_EVENT_REVERSAL);
    /* of one corner or both: as the box cannot turn, the law does not say how they share the load */
    SS_CHECK (n_events (&run) == n && n >= 1 && n <= 2);
    for (int i = 0; i < n; i++)
      SS_CHECK_NEAR (nth (&run, SS_EVENT_REVERSAL, i).t, v / 25, 1.5e-3);
    if (n_events (&run) != n)
      print (&run);
    release (&run);
  }
}

/* A block of 0.2 by 0.8 m, 10 kg, leans by `lean` and rocks about its corners without slip (Housner 1963). Until the
 * next impact an inverted pendulum: I0 theta'' = -m g R sin (alpha - theta). Time until theta = 0, by steps of 10 us,
 * and the rate then. */
typedef struct {
  double R, alpha, p2, r; /* half diagonal, its angle, m g R/I0, rate after an impact over that before */
} Rocking;

static double
time_to_upright (const Rocking *rock, double lean, double rate, double *end_rate)
{
  const double h = 1e-5;
  double t = 0;

  do {
    rate -= h * rock->p2 * sin (rock->alpha - lean);
    lean += h * rate;
    t += h;
  } while (lean > 0 || rate > 0);
  *end_rate = -rate;
  return t;
}

/* The contact stays closed all the while, yet its corners hit and leave in turn: times, and impulses m b (1 + r) omega
 * of the change of momentum. */
static void
test_rocking_block (void)
{
  static const SsIntegratorClass *const classes[] = {&ss_integrator_moreau_jean, &ss_integrator_anitescu_potra,
                                                     &ss_integrator_stewart_trinkle};
  const double m = 10, b = 0.1, h = 0.4, g = 9.81, lean = 0.1, dt = 1e-4, R2 = b * b + h * h, I0 = 4.0 / 3 * m * R2;
  const Rocking rock = {sqrt (R2), atan2 (b, h), m * g * sqrt (R2) / I0, 1 - 1.5 * b * b / R2};
  char text[1024];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"rock\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 2, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"block\", \"mass\": 10, \"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.8},"
            "\"position\": [%.17g, %.17g], \"angle\": %.17g}]}}",
            b * cos (lean) - h * sin (lean) - b, b * sin (lean) + h * cos (lean), lean);
  for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
    Run run = {.scenario = ss_test_read_text (text)};
    double rate, t = time_to_upright (&rock, lean, 0, &rate);
    int before = ss_test_failed_checks;

    finish (&run, classes[c], dt, 1.15);
    for (int n = 0; n < 3; n++) {
      SsEvent hit = nth (&run, SS_EVENT_IMPACT, n), leave = nth (&run, SS_EVENT_SEPARATION, n);
      const double impulse = m * b * (1 + rock.r) * rate;
      /* first order: each swing begins with a rate that is wrong by what gravity does in two steps, and takes then
       * longer or shorter by less than ten steps */
      SS_CHECK_NEAR (hit.t, t, (2 + 10 * n) * dt);
      SS_CHECK_NEAR (leave.t, hit.t, 2 * dt);
      SS_CHECK (hit.point == (n + 1) % 2 && leave.point == n % 2); /* leans on corner 0 first */
      /* the weight of a step or two; first order in a step of 1/2600 of the swing, 1 % more with each swing before */
      SS_CHECK_NEAR (hit.impulse, impulse, 2 * m * g * dt + 0.01 * (n + 1) * impulse);
      t += time_to_upright (&rock, 0, rock.r * rate, &rate);
    }
    SS_CHECK (count (&run, SS_EVENT_SLIP) == 0);
    if (ss_test_failed_checks > before) {
      printf ("  %s\n", classes[c]->name);
      print (&run);
    }
    release (&run);
  }
}

/* A box slides at 1 m/s over the edge of a table: the table's corner takes over what a corner of the box bore, which is
 * no impact, and nothing is until the box tips. */
static void
test_sliding_over_an_edge (void)
{
  Run run = {.scenario = ss_test_read_text (
                 "{\"format\": 1, \"name\": \"edge\", \"scene\": {\"gravity\": [0, -10], \"friction\": 0, \"bodies\": ["
                 "{\"name\": \"table\", \"fixed\": true, \"position\": [0, -0.5], "
                 "\"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 1}},"
                 "{\"name\": \"box\", \"mass\": 1, \"position\": [0.2, 0.1], \"velocity\": [1, 0], "
                 "\"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}}]}}")};
  finish (&run, &ss_integrator_stewart_trinkle, 1e-3, 0.28); /* centre of mass at 0.48 of 0.5 m */
  SS_CHECK (n_events (&run) == 0);
  if (n_events (&run) > 0)
    print (&run);
  release (&run);
}

/* What rests has no events, whatever a solver leaves of zero. */
static void
test_rest (void)
{
  const SsIntegratorClass *classes[] = {&ss_integrator_moreau_jean, &ss_integrator_stewart_trinkle,
                                        &ss_integrator_anitescu_potra, &ss_integrator_constraint_solver};

  for (int c = 0; c < 4; c++) {
    Run run = run_example ("classics/card-house", classes[c], 1e-2, 1);
    SS_CHECK (count (&run, SS_EVENT_IMPACT) == 0 && count (&run, SS_EVENT_SEPARATION) == 0);
    if (n_events (&run) > 0) {
      printf ("  %s\n", classes[c]->name);
      print (&run);
    }
    release (&run);
  }
}

/* A cart driven along a slider by 2 N reaches its upper limit of 0.5 m after sqrt (2 0.5/2) s. */
static void
test_limit (void)
{
  Run run = run_scene (0, "\"position\": [0, 1]",
                       ", \"joints\": [{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": [\"world\", \"box\"], "
                       "\"axis\": [1, 0], \"anchor\": [0, 1], \"lower\": -1, \"upper\": 0.5}], "
                       "\"forces\": [{\"body\": \"box\", \"force\": [\"if(t < 1.2, 2, -2)\", 0]}]",
                       &ss_integrator_stewart_trinkle, 1e-3, 1.5);
  SsEvent reached = nth (&run, SS_EVENT_LIMIT, 0), left = nth (&run, SS_EVENT_LIMIT_LEFT, 0);

  SS_CHECK (n_events (&run) == 2);
  SS_CHECK_NEAR (reached.t, sqrt (0.5), 2e-3); /* a step, and the first-order error of the way */
  SS_CHECK (reached.is_upper);
  if (reached.t > 0)
    SS_CHECK_STR (ss_event_subject_name (run.scenario->scene, &reached), "rail");
  /* 1e-5 of the range, 1.5e-5 m, take sqrt (1.5e-5) s = 3.9 ms */
  SS_CHECK_NEAR (left.t, 1.2, 6e-3);
  if (n_events (&run) != 2)
    print (&run);
  release (&run);
}

/* A block of 100 t, 0.5 m/s, on one of 1 kg on a floor with friction 0.4: it slides until 0.5/(0.4 g) s, though
 * friction could change the light block's speed by 4000 m/s in a step, were it free. Both corners stick. */
static void
test_heavy_on_light (void)
{
  const SsIntegratorClass *classes[] = {&ss_integrator_moreau_jean, &ss_integrator_stewart_trinkle};
  for (int c = 0; c < 2; c++) {
    Run run = {0};
    run.scenario = ss_test_read_text (
        "{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, -10], \"friction\": 0.4, \"bodies\": ["
        "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
        "{\"name\": \"a\", \"mass\": 1, \"position\": [0, 0.125], \"shape\": {\"type\": \"box\", \"width\": 0.5,"
        " \"height\": 0.25}}, {\"name\": \"b\", \"mass\": 1e5, \"position\": [0, 0.375], \"velocity\": [0.5, 0],"
        " \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 0.25}}]}}");
    finish (&run, classes[c], 0.01, 0.3);
    SS_CHECK (count (&run, SS_EVENT_STICK) == 2 && n_events (&run) == 2);
    for (int k = 0; k < count (&run, SS_EVENT_STICK); k++)
      SS_CHECK_NEAR (nth (&run, SS_EVENT_STICK, k).t, 0.125, 0.01);
    if (n_events (&run) != 2)
      print (&run);
    release (&run);
  }
}

/* A ball falls 1 m onto the bound 0 of a slider to a half-plane, whichever of the two is listed first: once, after
 * sqrt (2/g). A half-plane has no size that the bound could be measured by. */
static void
test_bound_at_zero (void)
{
  static const char *const sliders[] = {"\"bodies\": [\"a\", \"ground\"], \"axis\": [0, 1], \"upper\": 0",
                                        "\"bodies\": [\"ground\", \"a\"], \"axis\": [0, 1], \"lower\": 0"};
  for (int k = 0; k < 2; k++) {
    Run run = {0};
    char text[700];
    snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, -10], \"contacts\": [], \"bodies\": ["
        "{\"name\": \"ground\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
        "{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [0, 1]}],"
        " \"joints\": [{\"name\": \"s\", \"type\": \"slider\", %s}]}}",
        sliders[k]);
    run.scenario = ss_test_read_text (text);
    finish (&run, &ss_integrator_stewart_trinkle, 0.01, 0.7);
    SS_CHECK (n_events (&run) == 1);
    if (n_events (&run) == 1) {
      SS_CHECK (run.events->items[0].kind == SS_EVENT_LIMIT);
      SS_CHECK_NEAR (run.events->items[0].t, sqrt (0.2), 0.02); /* rows */
    }
    release (&run);
  }
}

/* A ball on a rope of 1 m, and of 1 mm where all lengths and gravity are so much smaller: the same events. Those of a
 * step's first order are left to the law, only their number and order are looked at. */
static void
test_rope_of_any_length (void)
{
  static const double lengths[] = {1, 1.0 / 1024};
  Run runs[2] = {{0}};
  for (int k = 0; k < 2; k++) {
    const double l = lengths[k];
    char text[700];
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, %.17g], \"contacts\": [], \"bodies\":"
              " [{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": %.17g}, \"position\":"
              " [%.17g, 0]}], \"joints\": [{\"name\": \"p\", \"type\": \"rope\", \"bodies\": [\"world\", \"a\"],"
              " \"anchors\": [[0, 0], [0, 0]], \"length\": %.17g, \"restitution\": 0.5}]}}",
              -10 * l, l / 8, l / 2, l);
    runs[k].scenario = ss_test_read_text (text);
    finish (&runs[k], &ss_integrator_moreau_jean, 0.01, 1.5);
  }
  SS_CHECK (n_events (&runs[0]) == n_events (&runs[1]) && n_events (&runs[0]) > 2);
  for (int i = 0; i < n_events (&runs[0]) && i < n_events (&runs[1]); i++) {
    SS_CHECK (runs[0].events->items[i].kind == runs[1].events->items[i].kind);
    SS_CHECK_NEAR (runs[0].events->items[i].t, runs[1].events->items[i].t, 1e-9);
  }
  release (&runs[0]);
  release (&runs[1]);
}

/* More events than are kept: the first ones, and the number of the others. */
static void
test_many (void)
{
  static const char *const channels[] = {"t",
                                         "floor.x",
                                         "floor.y",
                                         "floor.theta",
                                         "floor.vx",
                                         "floor.vy",
                                         "floor.omega",
                                         "box.x",
                                         "box.y",
                                         "box.theta",
                                         "box.vx",
                                         "box.vy",
                                         "box.omega",
                                         "floor-box.gap",
                                         "floor-box.impulse_n",
                                         "floor-box.impulse_t"};
  Run run = run_scene (0, "\"position\": [0, 0.6]", "", &ss_integrator_moreau_jean, 0.1, 0.1);
  SsTrajectory *hops = NULL;
  SsError err;
  enum { N = 4001 };

  ss_events_free (run.events);
  run.events = NULL;
  SS_CHECK (ss_trajectory_new_named (channels, 16, N, &hops, &err) == SS_OK);
  for (int k = 0; k < N; k++) {
    double row[16] = {[0] = k, [8] = 0.1 + 0.1 * (k % 2), [13] = 0.1 * (k % 2), [14] = 1 - k % 2};
    SS_CHECK (ss_trajectory_append (hops, row, &err) == SS_OK);
  }
  SS_CHECK (ss_events_find (run.scenario->scene, hops, NULL, &run.events, &err) == SS_OK);
  SS_CHECK (n_events (&run) == SS_EVENTS_MAX);
  /* closed at the start; parted at rows 0, 2, ...; impacts at rows 2, 4, ..., 4000 */
  SS_CHECK (run.events->n_left_out == 4000 - SS_EVENTS_MAX);
  for (int i = 1; i < n_events (&run); i++)
    SS_CHECK (run.events->items[i].t >= run.events->items[i - 1].t);
  ss_trajectory_free (hops);
  release (&run);
}

int
main (void)
{
  SS_RUN (test_bouncing_ball);
  SS_RUN (test_falling_box);
  SS_RUN (test_belt_block);
  SS_RUN (test_braking_box);
  SS_RUN (test_reversal);
  SS_RUN (test_rocking_block);
  SS_RUN (test_sliding_over_an_edge);
  SS_RUN (test_rest);
  SS_RUN (test_limit);
  SS_RUN (test_heavy_on_light);
  SS_RUN (test_rope_of_any_length);
  SS_RUN (test_bound_at_zero);
  SS_RUN (test_many);
  return ss_test_finish ();
}
