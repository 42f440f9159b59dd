/* tests/numeric/test-driven.c: bodies whose coordinates are locked and have a velocity move what they touch and what
 * hangs on them: belts, pistons, lifts, carts, cranks, by every integrator of the registry, in groups below and above
 * the size from which contact problems are solved sparsely. */
#include "contact/ss-contact-problem.h"
#include "fesd/ss-time-freezing.h"
#include "run/ss-method.h"
#include "tests/ss-test-scenario.h"
#include "tests/ss-test-simulate.h"

#include <math.h>
#include <stdarg.h>

static const double gravity = 10, mu = 0.3, step = 0.005;

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

enum { TEXT_SIZE = 32768 };

typedef struct {
  char text[TEXT_SIZE];
  size_t n;
} Text;

static void
add (Text *text, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  int n = vsnprintf (text->text + text->n, TEXT_SIZE - text->n, format, arguments);
  va_end (arguments);
  SS_ASSERT (n >= 0 && text->n + (size_t)n < TEXT_SIZE);
  text->n += (size_t)n;
}

static void
begin (Text *text)
{
  text->n = 0;
  add (text, "{\"format\": 1, \"name\": \"driven\", \"scene\": {\"gravity\": [0, %g], \"bodies\": [", -gravity);
}

/* Body `name` with what `more` says of it, seen from a frame that moves with velocity (vx, vy). */
static void
add_body (Text *text, const char *name, double x, double y, double vx, double vy, const char *more)
{
  add (text, "%s{\"name\": \"%s\", \"position\": [%.17g, %.17g], \"velocity\": [%.17g, %.17g], %s}",
       text->text[text->n - 1] == '[' ? "" : ",", name, x, y, vx, vy, more);
}

#define DRIVEN     "\"lock\": [\"x\", \"y\", \"theta\"], "
#define SIZE(w, h) "\"shape\": {\"type\": \"box\", \"width\": " #w ", \"height\": " #h "}"
#define BRICK      "\"mass\": 1, " SIZE (1, 0.05)
#define BLOCK      "\"mass\": 1, " SIZE (0.1, 0.2)

/* n bricks, one on the other from y = 0 on, seen from a frame that moves with (frame_x, frame_y), and contacts between
 * them. They stick to each other with friction 2, the lowest one slides with mu: together they are one block, which
 * does not tip up to n = 60. */
static void
add_bricks (Text *text, int n, double vy, double frame_x, double frame_y, const char *what)
{
  for (int i = 0; i < n; i++) {
    char name[16];
    snprintf (name, sizeof name, "b%d", i);
    add_body (text, name, 0, 0.025 + 0.05 * i, -frame_x, vy - frame_y, what);
  }
}

static void
add_contacts_of_bricks (Text *text, int n)
{
  add (text, "{\"bodies\": [\"below\", \"b0\"], \"friction\": %g, \"name\": \"foot\"}", mu);
  for (int i = 1; i < n; i++)
    add (text, ", {\"bodies\": [\"b%d\", \"b%d\"], \"friction\": 2}", i - 1, i);
}

/* The ram's way is no multiple of what it passes in a step, so that rounding does not decide when it hits. */
static const double ram_way = 0.1003;
static const double belt_speed = 0.5, lift_speed = 0.4, piston_speed = 0.5, ram_speed = 8, cart_speed = 1;

static void
write_belt (Text *text, int n, double frame)
{
  begin (text);
  add_body (text, "below", 0, -0.5, belt_speed - frame, 0, DRIVEN SIZE (8, 1));
  add_bricks (text, n, 0, frame, 0, BRICK);
  add (text, "], \"contacts\": [");
  add_contacts_of_bricks (text, n);
  add (text, "]}}");
}

/* The lowest brick has a plate welded to it, so that the group has joint rows. */
static void
write_welded (Text *text, int n, double frame)
{
  begin (text);
  add_body (text, "below", 0, -0.5, belt_speed - frame, 0, DRIVEN SIZE (8, 1));
  add_bricks (text, n, 0, frame, 0, BRICK);
  add_body (text, "plate", 0, 0.025, -frame, 0, BRICK);
  add (text, "], \"contacts\": [");
  add_contacts_of_bricks (text, n);
  add (text, "], \"joints\": [{\"name\": \"weld\", \"type\": \"weld\", \"bodies\": [\"b0\", \"plate\"], \"anchor\": "
             "[0, 0.025]}]}}");
}

/* The belt lies on a floor, too: of its coordinates x alone is prescribed. */
static void
write_cart_on_floor (Text *text, int n, double frame)
{
  begin (text);
  add_body (text, "floor", 0, -1, 0, 0, "\"fixed\": true, " SIZE (40, 1));
  add_body (text, "below", 0, -0.25, belt_speed - frame, 0, "\"mass\": 2, \"lock\": [\"x\"], " SIZE (8, 0.5));
  add_bricks (text, n, 0, frame, 0, BRICK);
  add (text, "], \"contacts\": [{\"bodies\": [\"floor\", \"below\"], \"friction\": 0, \"name\": \"wheels\"}, ");
  add_contacts_of_bricks (text, n);
  add (text, "]}}");
}

/* A locked disc turns below bricks that keep their angle: a belt of the speed of its upper side. */
static void
write_roller (Text *text, int n, double frame)
{
  begin (text);
  SS_ASSERT (frame == 0);
  add_body (text, "below", 0, -0.25, 0, 0,
            DRIVEN "\"angular_velocity\": -2, \"shape\": {\"type\": \"circle\", \"radius\": 0.25}");
  add_bricks (text, n, 0, 0, 0, "\"lock\": [\"theta\"], " BRICK);
  add (text, "], \"contacts\": [");
  add_contacts_of_bricks (text, n);
  add (text, "]}}");
}

static void
write_lift (Text *text, int n, double frame)
{
  begin (text);
  add_body (text, "below", 0, -0.5, 0, lift_speed - frame, DRIVEN SIZE (8, 1));
  add_bricks (text, n, lift_speed, 0, frame, BRICK);
  add (text, "], \"contacts\": [");
  add_contacts_of_bricks (text, n);
  add (text, "]}}");
}

/* A lift that is free to slide to the side, where nothing pushes it. */
static void
write_loose_lift (Text *text, int n, double frame)
{
  begin (text);
  add_body (text, "below", 0, -0.5, 0, lift_speed - frame, "\"mass\": 3, \"lock\": [\"y\", \"theta\"], " SIZE (8, 1));
  add_bricks (text, n, lift_speed, 0, frame, BRICK);
  add (text, "], \"contacts\": [");
  add_contacts_of_bricks (text, n);
  add (text, "]}}");
}

/* n blocks in a row on a floor with friction mu, side by side; the piston comes from a distance. */
static void
write_row (Text *text, int n, double distance, double speed, double frame)
{
  begin (text);
  add_body (text, "floor", 0, -0.5, -frame, 0, DRIVEN SIZE (40, 1));
  add_body (text, "below", -0.1 - distance, 0.1, speed - frame, 0, DRIVEN SIZE (0.1, 0.15));
  for (int i = 0; i < n; i++) {
    char name[16];
    snprintf (name, sizeof name, "b%d", i);
    add_body (text, name, 0.1 * i, 0.1, -frame, 0, BLOCK);
  }
  add (text, "], \"contacts\": [{\"bodies\": [\"below\", \"b0\"], \"name\": \"foot\"}");
  for (int i = 0; i < n; i++)
    add (text, ", {\"bodies\": [\"floor\", \"b%d\"], \"friction\": %g}", i, mu);
  for (int i = 1; i < n; i++)
    add (text, ", {\"bodies\": [\"b%d\", \"b%d\"]}", i - 1, i);
  add (text, "]}}");
}

static void
write_piston (Text *text, int n, double frame)
{
  write_row (text, n, 0, piston_speed, frame);
}

/* So fast that only what it will have passed at the step's end tells that it comes. */
static void
write_ram (Text *text, int n, double frame)
{
  write_row (text, n, ram_way, ram_speed, frame);
}

/* A chain of n rods hangs on a cart, all with the cart's velocity. */
static void
write_chain (Text *text, int n, double frame)
{
  begin (text);
  add_body (text, "cart", 0, 0, cart_speed - frame, 0, DRIVEN SIZE (0.2, 0.1));
  for (int i = 0; i < n; i++) {
    char name[16];
    snprintf (name, sizeof name, "b%d", i);
    add_body (text, name, 0, -0.05 - 0.1 * i, cart_speed - frame, 0,
              "\"mass\": 0.1, \"angle\": \"90 deg\", \"shape\": {\"type\": \"capsule\", \"length\": 0.1, "
              "\"radius\": 0.01}");
  }
  add (text, "], \"contacts\": [], \"joints\": [");
  for (int i = 0; i < n; i++) {
    char before[16] = "cart";
    if (i > 0)
      snprintf (before, sizeof before, "b%d", i - 1);
    add (text, "%s{\"name\": \"p%d\", \"type\": \"pin\", \"bodies\": [\"%s\", \"b%d\"], \"anchor\": [0, %.17g]}",
         i > 0 ? "," : "", i, before, i, -0.1 * i);
  }
  add (text, "]}}");
}

/* A disc of radius .1 with prescribed spin on a floor: a wheel that drives itself. */
static void
write_wheel (Text *text, int n, double frame)
{
  begin (text);
  SS_ASSERT (n == 1);
  add_body (text, "below", 0, -0.5, -frame, 0, DRIVEN SIZE (40, 1));
  add_body (text, "b0", 0, 0.1, -frame, 0,
            "\"mass\": 1, \"lock\": [\"theta\"], \"angular_velocity\": -5, \"shape\": {\"type\": \"circle\", "
            "\"radius\": 0.1}");
  add (text, "], \"contacts\": [");
  add_contacts_of_bricks (text, 1);
  add (text, "]}}");
}

/* A free disc on a belt. */
static void
write_disc (Text *text, int n, double frame)
{
  begin (text);
  SS_ASSERT (n == 1);
  add_body (text, "below", 0, -0.5, belt_speed - frame, 0, DRIVEN SIZE (8, 1));
  add_body (text, "b0", 0, 0.1, -frame, 0, "\"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}");
  add (text, "], \"contacts\": [");
  add_contacts_of_bricks (text, 1);
  add (text, "]}}");
}

/* A disc that keeps its angle on a floor with friction, before the piston: at most one point closed a pair of bodies,
 * normals at right angles. */
static void
write_puck (Text *text, int n, double frame)
{
  begin (text);
  SS_ASSERT (n == 1);
  add_body (text, "floor", 0, -0.5, -frame, 0, DRIVEN SIZE (40, 1));
  add_body (text, "below", -0.15, 0.1, piston_speed - frame, 0, DRIVEN SIZE (0.1, 0.15));
  add_body (text, "b0", 0, 0.1, -frame, 0,
            "\"mass\": 1, \"lock\": [\"theta\"], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}");
  add (text,
       "], \"contacts\": [{\"bodies\": [\"below\", \"b0\"], \"name\": \"foot\"},"
       " {\"bodies\": [\"floor\", \"b0\"], \"friction\": %g}]}}",
       mu);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  void (*write) (Text *text, int n, double frame);
  double frame; /* velocity of a frame in which what drives rests; 0: none */
  bool is_vertical;
  const int *sizes; /* ended by 0 */
  double t_end;
  bool is_impact;     /* it begins with one, whose speeds springs and dampers give back                              */
  bool is_orthogonal; /* normals of what touches are, as time-freezing needs it                                     */
  /* What the last body's coordinate and velocity along the scene's direction are at the end, more than at the start,
   * and the normal force at "foot" (NAN: not looked at), by rigid laws. */
  void (*answer) (int n, double t, double *way, double *speed, double *force);
} Scene;

/* It slides with mu g until it has the speed v. */
static double
way_of_sliding (double v, double t)
{
  return v * t - v * v / (2 * mu * gravity);
}

static void
ride (int n, double t, double *way, double *speed, double *force)
{
  *way = way_of_sliding (belt_speed, t);
  *speed = belt_speed;
  *force = n * gravity;
}

static void
ride_with_plate (int n, double t, double *way, double *speed, double *force)
{
  ride (n + 1, t, way, speed, force);
}

static void
rise (int n, double t, double *way, double *speed, double *force)
{
  *way = lift_speed * t;
  *speed = lift_speed;
  *force = n * gravity;
}

static void
be_pushed (int n, double t, double *way, double *speed, double *force)
{
  *way = piston_speed * t;
  *speed = piston_speed;
  *force = n * mu * gravity;
}

static void
be_rammed (int n, double t, double *way, double *speed, double *force)
{
  (void)n;
  *way = ram_speed * t - ram_way;
  *speed = ram_speed;
  *force = NAN; /* few steps */
}

static void
be_carried (int n, double t, double *way, double *speed, double *force)
{
  (void)n;
  *way = cart_speed * t;
  *speed = cart_speed;
  *force = NAN;
}

static void
drive (int n, double t, double *way, double *speed, double *force)
{
  (void)n;
  *way = way_of_sliding (0.5, t);
  *speed = 0.5;
  *force = gravity;
}

/* A solid disc: its slip loses 3 mu g, so that it rolls with a third of the belt's speed. */
static void
roll (int n, double t, double *way, double *speed, double *force)
{
  (void)n;
  *way = belt_speed / 3 * t - belt_speed * belt_speed / (18 * mu * gravity);
  *speed = belt_speed / 3;
  *force = gravity;
}

/* Stacks of 7 and rows of 6 bodies have more than 48 unknowns, stacks on a cart with a floor from 6 on; chains of 13
 * have more than 24 joint rows. One size a way to solve is enough; long tests take every size of a stack. */
static const int stacks[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}, chains[] = {1, 2, 6, 12, 13, 30, 0}, one[] = {1, 0},
                 few_in_stacks[] = {1, 7, 0}, few_in_chains[] = {1, 13, 0};

static const Scene scenes[] = {
    {"belt", write_belt, belt_speed, false, stacks, 0.4, false, false, ride},
    {"belt with a weld", write_welded, belt_speed, false, stacks, 0.4, false, false, ride_with_plate},
    {"cart on a floor", write_cart_on_floor, belt_speed, false, stacks, 0.4, false, false, ride},
    {"roller", write_roller, 0, false, stacks, 0.4, false, false, ride},
    {"lift", write_lift, lift_speed, true, stacks, 0.4, false, false, rise},
    {"loose lift", write_loose_lift, lift_speed, true, stacks, 0.4, false, false, rise},
    {"piston", write_piston, piston_speed, false, stacks, 0.2, true, false, be_pushed},
    {"ram", write_ram, ram_speed, false, stacks, 0.05, true, false, be_rammed},
    {"chain", write_chain, cart_speed, false, chains, 0.2, false, true, be_carried},
    {"wheel", write_wheel, 0, false, one, 0.4, false, true, drive},
    {"disc", write_disc, belt_speed, false, one, 0.4, false, true, roll},
    {"puck", write_puck, piston_speed, false, one, 0.2, true, true, be_pushed},
};
enum { N_SCENES = sizeof scenes / sizeof *scenes };

static const int *
sizes_of (const Scene *scene, const SsMethod *method)
{
  /* SUNDIALS solves all sizes densely */
  if (!ss_test_is_long () || strcmp (method->name, "cvode") == 0)
    return scene->sizes == stacks ? few_in_stacks : scene->sizes == chains ? few_in_chains : scene->sizes;
  return scene->sizes;
}

static SsTestRun
simulate (const Scene *scene, const SsIntegratorClass *integrator, int n, double frame)
{
  static Text text;
  scene->write (&text, n, frame);
  SsScenario *scenario = ss_test_read_text (text.text);
  SsTestRun run = {0};
  if (scenario != NULL)
    run = ss_test_simulate (scenario->scene, integrator, NULL, step, scene->t_end, NULL);
  ss_scenario_free (scenario);
  return run;
}

/* Laws of impacts take 12 points at most. */
static bool
has_too_many_points (const SsTestRun *run)
{
  return run->outcome == SS_OUTCOME_FAILED && strstr (run->message, "contact points touch than") != NULL;
}

static double
value_of_body (const SsTestRun *run, int row, int body, const char *coordinate)
{
  char channel[32];
  snprintf (channel, sizeof channel, "b%d.%s", body, coordinate);
  return ss_test_value (run->trajectory, row, channel);
}

/* The same scene seen from a frame in which what drives rests: every scheme has the same motion there, but for
 * rounding, which stacks on explicit springs make larger, and for the tolerance of what chooses its steps. */
static void
check_frame (const Scene *scene, const SsIntegratorClass *integrator, int n, const SsTestRun *run, bool is_loose)
{
  SsTestRun there = simulate (scene, integrator, n, scene->frame);
  const SsTrajectory *a = run->trajectory, *b = there.trajectory;
  SS_CHECK (there.outcome == run->outcome);
  SS_CHECK (a != NULL && b != NULL);
  for (int i = 0; i < n && a != NULL && b != NULL; i++) {
    const double tolerance = is_loose ? 1e-4 : 1e-8, shift = scene->frame * scene->t_end;
    SS_CHECK_NEAR (value_of_body (run, a->n_rows - 1, i, "x"),
                   value_of_body (&there, b->n_rows - 1, i, "x") + (scene->is_vertical ? 0 : shift), tolerance);
    SS_CHECK_NEAR (value_of_body (run, a->n_rows - 1, i, "y"),
                   value_of_body (&there, b->n_rows - 1, i, "y") + (scene->is_vertical ? shift : 0), tolerance);
  }
  ss_trajectory_free (there.trajectory);
}

/* Closed forms. Laws with exact times: the solvers' tolerance of 1e-10 m/s. Others: the way is of first order, what is
 * passed in a step; the speed is off by what the default stiffness of compliant laws gives way. */
static void
check_answer (const Scene *scene, int n, const SsTestRun *run, bool is_exact, bool is_rigid, bool is_damped)
{
  double way, speed, force;
  scene->answer (n, scene->t_end, &way, &speed, &force);
  const char *coordinate = scene->is_vertical ? "y" : "x", *rate = scene->is_vertical ? "vy" : "vx";
  const int last = run->trajectory->n_rows - 1;
  const double start = value_of_body (run, 0, n - 1, coordinate);
  SS_CHECK_NEAR (value_of_body (run, last, n - 1, coordinate) - start, way,
                 is_exact ? 1e-9 : 1.01 * step * fabs (speed));
  SS_CHECK_NEAR (value_of_body (run, last, n - 1, rate), speed, is_exact ? 1e-9 : 0.02 * fabs (speed));
  /* Residuals of 1e-10 m/s over a step, for each of n bodies of 1 kg; contacts that are damped 1000 sqrt(k m) settle by
   * F/k at a rate of sqrt(k/m)/1000, which moves n bodies with (F/k) k/m/1e6 for each of n contacts. */
  if (is_rigid && !isnan (force))
    SS_CHECK_NEAR (ss_test_value (run->trajectory, last, "foot.lambda_n"), force,
                   1e-5 + (is_damped ? 1e-6 * n * n * gravity : 0));
}

static void
check_scene (const Scene *scene, const SsMethod *method, int n)
{
  const int before = ss_test_failed_checks;
  /* explicit steps on springs, and steps to a tolerance; stacks on springs swing */
  const bool is_penalty = strstr (method->solves, "(penalty)") != NULL,
             is_loose = is_penalty && method->integrator != &ss_integrator_implicit_euler;
  SsTestRun run = simulate (scene, method->integrator, n, 0);
  if (!has_too_many_points (&run)) {
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED && run.trajectory != NULL);
    /* explicit Euler wins energy: rounding decides how a row parts that it is hit into */
    const bool is_chaos = method->integrator == &ss_integrator_explicit_euler && scene->is_impact && n > 1;
    if (scene->frame != 0 && run.trajectory != NULL && !is_chaos)
      check_frame (scene, method->integrator, n, &run, is_loose);
    if (run.trajectory != NULL && !(is_penalty && scene->is_impact) && !(is_loose && n > 2))
      check_answer (scene, n, &run, method->integrator->gives_events, !is_penalty,
                    method->integrator == &ss_integrator_constraint_solver);
  }
  ss_trajectory_free (run.trajectory);
  if (ss_test_failed_checks > before)
    printf ("  %s, %s of %d\n", method->name, scene->name, n);
}

static void
test_every_law (void)
{
  for (int m = 0; m < ss_method_count (); m++) {
    const SsMethod *method = ss_method_at (m);
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    for (int s = 0; s < N_SCENES; s++)
      for (const int *n = sizes_of (&scenes[s], method); *n > 0; n++)
        if (scenes[s].is_orthogonal || method->integrator != &ss_integrator_time_freezing)
          check_scene (&scenes[s], method, *n);
  }
}

/* ---- mechanisms -------------------------------------------------------------------------------------------------- */

/* A crank of length .2 turns with 3 rad/s, all its coordinates locked; a rod of length 1 leads to a slider that keeps y
 * and theta, which pulls n wagons of that kind by pins (their rows along y answer to no impulse). */
static void
write_slider_crank (Text *text, int n)
{
  begin (text);
  add (text,
       "{\"name\": \"crank\", " DRIVEN "\"angular_velocity\": 3, \"shape\": {\"type\": \"circle\", \"radius\": 0.2}}");
  add (text,
       ", {\"name\": \"rod\", \"mass\": 1, \"position\": [0.7, 0], \"velocity\": [0, 0.3], \"angular_velocity\": -0.6, "
       "\"shape\": {\"type\": \"capsule\", \"length\": 1, \"radius\": 0.01}}");
  for (int i = 0; i < n; i++) {
    char name[16];
    snprintf (name, sizeof name, "b%d", i);
    add_body (text, name, 1.2 + 0.2 * i, 0, 0, 0, "\"mass\": 1, \"lock\": [\"y\", \"theta\"], " SIZE (0.1, 0.1));
  }
  add (text, "], \"contacts\": [], \"joints\": ["
             "{\"name\": \"p\", \"type\": \"pin\", \"bodies\": [\"crank\", \"rod\"], \"anchor\": [0.2, 0]}, "
             "{\"name\": \"q\", \"type\": \"pin\", \"bodies\": [\"rod\", \"b0\"], \"anchor\": [1.2, 0]}");
  for (int i = 1; i < n; i++)
    add (text, ", {\"name\": \"p%d\", \"type\": \"pin\", \"bodies\": [\"b%d\", \"b%d\"], \"anchor\": [%.17g, 0]}", i,
         i - 1, i, 1.1 + 0.2 * i);
  add (text, "]}}");
}

static void
test_slider_crank (void)
{
  static const int sizes[] = {1, 5, 14}; /* the last one has 30 joint rows: sparse */
  static Text text;
  const double t_end = ss_test_is_coarse () ? 0.1 : 0.5, angle = 3 * t_end,
               way = 0.2 * cos (angle) + sqrt (1 - pow (0.2 * sin (angle), 2)) - 1.2;
  for (int m = 0; m < ss_method_count (); m++) {
    const SsMethod *method = ss_method_at (m);
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    /* laws with exact times take no rows that answer to no impulse */
    for (int k = 0; k < (method->integrator->gives_events ? 1 : 3); k++) {
      const int before = ss_test_failed_checks, n = sizes[k];
      write_slider_crank (&text, n);
      SsScenario *scenario = ss_test_read_text (text.text);
      SsTestRun run = ss_test_simulate (scenario->scene, method->integrator, NULL, 0.001, t_end, NULL);
      SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
      for (int i = 0; i < n && run.trajectory != NULL; i++) /* laws without exact times: first order, .6 m/s a step */
        SS_CHECK_NEAR (value_of_body (&run, run.trajectory->n_rows - 1, i, "x"), 1.2 + 0.2 * i + way,
                       method->integrator->gives_events ? 1e-9 : 0.0006);
      ss_trajectory_free (run.trajectory);
      ss_scenario_free (scenario);
      if (ss_test_failed_checks > before)
        printf ("  %s, slider crank with %d wagons\n", method->name, n);
    }
  }
}

/* ---- one problem, two ways --------------------------------------------------------------------------------------- */

static uint64_t seed = 20240611;

static double
uniform (double from, double to)
{
  seed = seed * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.;
}

/* The problem of one step at random velocities of all coordinates, locked ones too, by Lemke's method and by the sparse
 * one. */
static void
compare_ways (int scene, int n)
{
  static Text text;
  SsContactProblem *problem = NULL;
  SsContactNewton *newton = NULL;
  SsError err = {0};
  SsStepInfo info;
  scenes[scene].write (&text, n, 0);
  SsScenario *scenario = ss_test_read_text (text.text);
  const SsScene *s = scenario->scene;
  const int n_q = 3 * s->n_bodies;
  double q[3 * 32], v_free[3 * 32], dense[3 * 32], sparse[3 * 32], residual;
  int points[64], rows[64], n_points = 0, iterations, worst;
  bool is_solved;
  SS_CHECK (ss_contact_problem_new (s, &problem, &err) == SS_OK);
  SS_CHECK (ss_contact_newton_new (problem, &newton, &err) == SS_OK);
  for (int i = 0; i < n_q; i++) {
    q[i] = s->bodies[i / 3].q[i % 3];
    v_free[i] = s->bodies[i / 3].is_fixed ? 0 : uniform (-1, 1);
  }
  SS_CHECK (ss_contact_problem_collect (problem, q, v_free, 1e-6, 1e-6, &err) == SS_OK);
  for (int i = 0; i < problem->n_points; i++)
    problem->points[i].mu = fmin (problem->points[i].mu, mu); /* much more would have several answers */
  SS_CHECK (ss_contact_problem_solve (problem, v_free, 0, dense, &info, &err) == SS_OK);
  for (int i = 0; i < problem->n_points; i++)
    if (problem->points[i].group >= 0)
      points[n_points++] = i;
  for (int i = 0; i < problem->n_rows; i++)
    rows[i] = i;
  for (int i = 0; i < problem->n_points; i++)
    problem->points[i].pn = problem->points[i].pt = 0;
  SS_CHECK (ss_contact_newton_solve (newton, problem, points, n_points, rows, problem->n_rows, v_free, &residual,
                                     &iterations, &is_solved, &worst, &err) == SS_OK);
  SS_CHECK (is_solved && residual < 1e-9);
  memcpy (sparse, v_free, sizeof sparse);
  for (int i = 0; i < n_points; i++)
    ss_contact_problem_push (problem, &problem->points[points[i]], sparse);
  for (int i = 0; i < problem->n_rows; i++)
    ss_contact_problem_push_row (problem, &problem->rows[i].row, problem->rows[i].p, sparse);
  for (int i = 0; i < n_q; i++)
    SS_CHECK_NEAR (sparse[i], dense[i], 1e-7); /* residuals of 1e-10, times the problem's condition */
  ss_contact_newton_free (newton);
  ss_contact_problem_free (problem);
  ss_scenario_free (scenario);
}

static void
test_dense_is_sparse (void)
{
  for (int scene = 0; scene < N_SCENES; scene++)
    for (int trial = 0; trial < 20; trial++) {
      const int before = ss_test_failed_checks, n = scenes[scene].sizes == one ? 1 : 1 + trial % 5;
      compare_ways (scene, n);
      if (ss_test_failed_checks > before)
        printf ("  %s of %d, trial %d\n", scenes[scene].name, n, trial);
    }
}

int
main (void)
{
  SS_RUN (test_dense_is_sparse);
  SS_RUN (test_slider_crank);
  SS_RUN_SLOW (test_every_law);
  return ss_test_finish ();
}
