/* tests/numeric/test-plan-worlds.c: worlds that a plan was not made for: how they are drawn, what a plan does in them
 * against a closed form, the interval of a share, and what is no range of numbers in a file. */
#include "plan/ss-plan-worlds.h"

#include "core/ss-core.h"
#include "plan/ss-world-draw.h"
#include "plan/ss-worlds-table.h"
#include "ss-test-worlds.h"

#include <math.h>

/* Pushes with 10 N for the first half of a second, on a floor: v = (10/m - mu g)/2, then mu g brakes it. */
static const double FORCE = 10, PUSHED = 0.5, GRAVITY = 10, HORIZON = 3;

static double
end_of_push (double mass, double mu)
{
  const double a = FORCE / mass - mu * GRAVITY, v = a * PUSHED;

  return a * PUSHED * PUSHED / 2 + v * v / (2 * mu * GRAVITY);
}

/* The plan as rows of a motion: states at the start alone matter, and where it ends. */
static SsTrajectory *
make_push (void)
{
  enum { ROWS = 61 };
  const SsChannel channels[] = {ss_channel_of_time (),
                                ss_channel_named ("block.x"),
                                ss_channel_named ("block.y"),
                                ss_channel_named ("block.theta"),
                                ss_channel_named ("block.vx"),
                                ss_channel_named ("block.vy"),
                                ss_channel_named ("block.omega"),
                                ss_channel_named ("u.push")};
  SsTrajectory *plan = NULL;
  SsError err = {0};

  SS_CHECK (ss_trajectory_new (channels, 8, ROWS, &plan, &err) == SS_OK);
  for (int k = 0; k < ROWS; k++) {
    const double t = HORIZON * k / (ROWS - 1), row[] = {t, 0, 0.1, 0, 0, 0, 0, t < PUSHED - 1e-9 ? FORCE : 0};

    SS_CHECK (ss_trajectory_append (plan, row, &err) == SS_OK);
  }
  return plan;
}

static void
ends_are_those_of_the_closed_form (void)
{
  /* the start is moved by 5 mm, and lifted by as much it falls for .03 s without friction, at up to 3.5 m/s^2 times
   * that; the step of moreau-jean, .005 s at 4 m/s, is 20 mm */
  const double near = 5e-3 + 20e-3 + 20e-3;
  SsScenario *scenario = ss_test_read_block (false, "");
  SsTrajectory *plan = make_push ();
  const SsWorldsOptions options = {.n = 30, .seed = 7, .work = INFINITY, .has_open = true};
  SsPlanWorlds worlds;
  SsError err = {0};

  SS_CHECK (ss_plan_worlds (scenario, plan, &options, NULL, &worlds, &err) == SS_OK);
  SS_CHECK (worlds.open.n == 30 && worlds.held.n == 0 && worlds.open.n_failed == 0);
  const int mu = ss_trajectory_channel (worlds.table, "ground.friction"),
            mass = ss_trajectory_channel (worlds.table, "block.mass"),
            x = ss_trajectory_channel (worlds.table, "open.block.x"),
            miss = ss_trajectory_channel (worlds.table, "open.miss"),
            held = ss_trajectory_channel (worlds.table, "open.held");
  double least = INFINITY, most = 0;
  int n_held = 0;
  for (int w = 0; w < worlds.table->n_rows; w++) {
    const double *row = ss_trajectory_row (worlds.table, w);

    SS_CHECK (row[0] == w + 1); /* its number */
    SS_CHECK (row[mu] >= 0.8 * 0.3 && row[mu] <= 1.2 * 0.3 && row[mass] >= 0.8 && row[mass] <= 1.2);
    SS_CHECK_NEAR (row[x], end_of_push (row[mass], row[mu]), near);
    SS_CHECK_NEAR (row[miss], fabs (row[x] - 0.5), 1e-12); /* the target says x alone */
    SS_CHECK ((row[held] > 0) == (row[miss] <= SS_PLAN_GOAL_NEAR));
    n_held += row[held] > 0;
    least = fmin (least, row[x]);
    most = fmax (most, row[x]);
  }
  SS_CHECK (n_held == worlds.open.n_held);
  SS_CHECK (most - least > 10 * near); /* else `near` would say nothing */
  ss_plan_worlds_clear (&worlds);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

static void
draws_come_again_from_their_seed (void)
{
  SsScenario *scenario = ss_test_read_block (true, ", \"worlds\": {\"mu\": [0.2, 0.25], \"block.mass\": [2, 3]}");
  double first[2][2], again[2], other[2];
  SsWorldDraw *draw;
  SsWorld world;
  SsError err = {0};

  for (int seed = 0; seed < 2; seed++) {
    SS_CHECK (ss_world_draw_new (scenario, (uint64_t)seed, &draw, &err) == SS_OK);
    SS_CHECK (ss_world_draw_n_numbers (draw) == 2);
    ss_world_draw_next (draw, first[seed]);
    ss_world_draw_free (draw);
  }
  SS_CHECK (ss_world_draw_new (scenario, 0, &draw, &err) == SS_OK);
  ss_world_draw_next (draw, again);
  ss_world_draw_next (draw, other);
  SS_CHECK (memcmp (first[0], again, sizeof again) == 0 && memcmp (first[0], first[1], sizeof again) != 0 &&
            memcmp (again, other, sizeof again) != 0);
  SS_CHECK (again[0] >= 0.2 && again[0] <= 0.25 && again[1] >= 2 && again[1] <= 3);
  /* what the file makes of a number follows: the contact's friction is a formula of mu */
  SS_CHECK (ss_world_open (draw, again, &world, &err) == SS_OK);
  SS_CHECK_NEAR (world.scene.contacts[0].mu, again[0], 0);
  SS_CHECK_NEAR (world.scene.bodies[2].mass, again[1], 0);
  SS_CHECK_NEAR (scenario->scene->bodies[2].mass, 1, 0);
  ss_world_close (&world);
  ss_world_draw_free (draw);
  ss_scenario_free (scenario);
}

/* Of a block on a floor no move goes down, and every one is 5 mm or its part along an axis. */
static void
moved_starts_overlap_nothing (void)
{
  SsScenario *scenario = ss_test_read_block (true, "");
  double by[6];
  SsWorldDraw *draw;
  SsError err = {0};

  SS_CHECK (ss_world_draw_new (scenario, 3, &draw, &err) == SS_OK);
  for (int i = 0; i < 50; i++) {
    SS_CHECK (ss_world_draw_moves (draw, scenario->scene, by, &err) == SS_OK);
    SS_CHECK (by[0] == 0 && by[1] == 0 && by[2] == 0 && by[3] == 0); /* floor and wall */
    SS_CHECK (by[5] >= -1e-9);
    SS_CHECK_NEAR (hypot (by[4], by[5]), SS_WORLD_MOVED, 1e-12);
  }
  ss_world_draw_free (draw);
  ss_scenario_free (scenario);
}

/* Roots p of (k/n - p)^2 = z^2 p (1 - p) / n, which is what Wilson's interval solves. */
static void
intervals_solve_their_equation (void)
{
  static const int cases[][2] = {{0, 10}, {5, 10}, {10, 10}, {9, 60}, {56, 60}, {1, 1}};
  const double z = 1.959963984540054;

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double n = cases[i][1], part = cases[i][0] / n;
    double ends[2];

    ss_plan_worlds_interval (cases[i][0], cases[i][1], &ends[0], &ends[1]);
    SS_CHECK (ends[0] >= 0 && ends[0] <= part && part <= ends[1] && ends[1] <= 1);
    for (int e = 0; e < 2; e++)
      SS_CHECK_NEAR ((part - ends[e]) * (part - ends[e]), z * z * ends[e] * (1 - ends[e]) / n, 1e-14);
  }
}

static void
what_is_no_range_is_told (void)
{
  static const struct {
    const char *worlds, *path, *part;
  } wrong[] = {{"{}", "task.worlds", "do not differ"},
               {"[1]", "task.worlds", "object"},
               {"{\"nu\": [0, 1]}", "task.worlds.nu", "no number 'nu'"},
               {"{\"mu\": [0.4, 0.2]}", "task.worlds.mu", "lower <= upper"},
               {"{\"mu\": 0.3}", "task.worlds.mu", "pair of numbers"},
               {"{\"mu\": [-1, 0.2]}", "task.worlds.mu", "may be from 0"},
               {"{\"n\": [10, 20]}", "task.worlds.n", "changes no sizes"},
               {"{\"block.mass\": [0, 1]}", "task.worlds.block.mass", "above 0"},
               {"{\"mu\": [0, 1], \"samples\": 0}", "task.worlds.samples", "1"},
               {"{\"mu\": [0, 1], \"feedback\": \"pid\"}", "task.worlds.feedback", "lqr"},
               {"{\"mu\": [0, 1], \"seed\": -1}", "task.worlds.seed", "0"}};

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    SsScenario *good = ss_test_read_block (true, ""), *bad = NULL;
    char text[4000];
    SsProblems problems;

    /* the text of the good one with the range before its last two braces */
    snprintf (text, sizeof text, "%.*s,\n\"worlds\": %s}}", (int)good->text_length - 2, good->text, wrong[i].worlds);
    ss_problems_init (&problems);
    SS_CHECK (ss_scenario_read (text, strlen (text), "test", NULL, 0, &problems, &bad) == SS_ERR_INVALID);
    SS_CHECK (problems.n_items == 1 && ss_test_has_problem (&problems, 2, wrong[i].path, wrong[i].part));
    if (problems.n_items != 1 || !ss_test_has_problem (&problems, 2, wrong[i].path, wrong[i].part))
      ss_test_print_problems (&problems);
    ss_problems_clear (&problems);
    ss_scenario_free (good);
  }
}

/* Misses that a number makes at both ends of its range, one that has nothing to do with them, and one that they follow
 * a little: their order. */
static void
numbers_that_explain_misses_are_found (void)
{
  enum { N = 64 };
  const SsChannel channels[] = {ss_channel_named ("world"),      ss_channel_named ("idle"),
                                ss_channel_named ("weak"),       ss_channel_named ("mu"),
                                ss_channel_named ("open.held"),  ss_channel_named ("open.miss"),
                                ss_channel_named ("open.angle"), ss_channel_named ("open.block.x")};
  SsTrajectory *table = NULL;
  SsWorldsKind kinds[SS_CONTROLLER_COUNT];
  double parts[4];
  int axes[2];
  SsError err = {0};

  SS_CHECK (ss_trajectory_new (channels, 8, N, &table, &err) == SS_OK);
  for (int w = 0; w < N; w++) {
    /* mu in its order, held in its middle half; idle takes each of eight values as often in every eighth of mu */
    const bool is_held = w >= N / 4 && w < 3 * N / 4;
    const double row[] = {w + 1, w % 8, is_held || w % 8 == 0 ? w % 4 : 4 + w % 4, w, is_held, is_held ? 0.01 : 0.1,
                          0,     0};

    SS_CHECK (ss_trajectory_append (table, row, &err) == SS_OK);
  }
  SS_CHECK (ss_worlds_table_n_numbers (table) == 3);
  SS_CHECK (ss_worlds_table_kinds (table, kinds) == 1 && kinds[0].by == SS_CONTROLLER_NONE && kinds[0].n == N &&
            kinds[0].n_held == N / 2);
  for (int number = 1; number <= 3; number++)
    SS_CHECK (ss_worlds_table_explains (table, number, &parts[number], &err) == SS_OK);
  SS_CHECK_NEAR (parts[1], 0, 1e-12); /* each of its groups holds as often as all */
  SS_CHECK_NEAR (parts[3], 1, 1e-12); /* each of its groups holds always or never */
  SS_CHECK (parts[2] > 0.3 && parts[2] < 1);
  SS_CHECK (ss_worlds_table_axes (table, axes, &err) == SS_OK && axes[0] == 3 && axes[1] == 2);
  ss_trajectory_free (table);
}

int
main (void)
{
  SS_RUN (intervals_solve_their_equation);
  SS_RUN (draws_come_again_from_their_seed);
  SS_RUN (moved_starts_overlap_nothing);
  SS_RUN (ends_are_those_of_the_closed_form);
  SS_RUN (what_is_no_range_is_told);
  SS_RUN (numbers_that_explain_misses_are_found);
  return ss_test_finish ();
}
