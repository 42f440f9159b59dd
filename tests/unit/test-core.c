/* tests/unit/test-core.c: errors, numbers in text, options, arena, random numbers, trajectories, run control, what
 * is said of the members of a race. */
#include "ss-test.h"

#include "core/ss-core.h"
#include "core/ss-members.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  double mu0;
  int max_iterations;
  bool correction;
  int strategy;
} Options;

static const char *const strategies[] = {"monotone", "adaptive", NULL};
static const SsOptionSpec specs[] = {
    {"mu0", SS_OPTION_REAL, offsetof (Options, mu0), 1e-6, 1e6, 10.0, NULL, "mu_0", "", true, "initial penalty"},
    {"max-iterations", SS_OPTION_INTEGER, offsetof (Options, max_iterations), 1, 100000, 1000, NULL, "k_max", "", true,
     ""},
    {"correction", SS_OPTION_BOOLEAN, offsetof (Options, correction), 0, 1, 1, NULL, "", "", false, ""},
    {"strategy", SS_OPTION_CHOICE, offsetof (Options, strategy), 0, 1, 1, strategies, "", "", false, ""},
};
static const SsOptionTable table = {4, specs, sizeof (Options)};

static void
test_error_text (void)
{
  SsError err;
  char text[600];

  SS_CHECK (ss_error_set (&err, SS_ERR_INVALID, "mass is %g", -1.0) == SS_ERR_INVALID);
  snprintf (err.file, sizeof err.file, "a.json");
  snprintf (err.path, sizeof err.path, "scene.bodies[2].mass");
  snprintf (err.expected, sizeof err.expected, "a positive number");
  err.line = 12;
  ss_error_format (&err, text, sizeof text);
  SS_CHECK_STR (text, "a.json:12: scene.bodies[2].mass: mass is -1 (expected a positive number)");
  ss_error_format (&err, text, 9); /* truncated, terminated */
  SS_CHECK_STR (text, "a.json:1");
  SS_CHECK (ss_error_set (NULL, SS_ERR_IO, "x") == SS_ERR_IO);
}

static void
test_outcomes (void)
{
  SsOutcome outcome = SS_OUTCOME_FAILED;

  SS_CHECK_STR (ss_outcome_name (SS_OUTCOME_TIME_LIMIT), "time_limit");
  SS_CHECK (ss_outcome_from_name ("stalled", &outcome) && outcome == SS_OUTCOME_STALLED);
  SS_CHECK (!ss_outcome_from_name ("nearly", &outcome));
}

/* Shortest text that reads back: every random double must survive; some known shortest forms. */
static void
test_numbers_round_trip (void)
{
  SsRandom random;
  char text[32];
  int lost = 0;

  ss_random_seed (&random, 7);
  for (int i = 0; i < 20000; i++) {
    union {
      uint64_t bits;
      double value;
    } any = {.bits = ss_random_next (&random)};
    double back = 0.0;

    if (!isfinite (any.value))
      continue;
    ss_format_double (any.value, text, sizeof text);
    if (!ss_parse_double (text, &back) || back != any.value)
      lost++;
  }
  SS_CHECK (lost == 0);
  ss_format_double (0.1, text, sizeof text);
  SS_CHECK_STR (text, "0.1");
  ss_format_double (-3.0, text, sizeof text);
  SS_CHECK_STR (text, "-3");
  ss_format_double (1e22, text, sizeof text);
  SS_CHECK_STR (text, "1e+22");
}

static void
test_numbers_refused (void)
{
  static const char *const bad[] = {"", " 1", "1 ", "nan", "inf", "0x10", "1,5", "1e", "--1", "1e999", "abc", "."};
  double value = 0.0;

  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (ss_parse_double (bad[i], &value))
      printf ("accepted \"%s\"\n", bad[i]);
    SS_CHECK (!ss_parse_double (bad[i], &value));
  }
}

static void
test_numbers_in_comma_locale (void)
{
  double value = 0.0;
  char text[32];

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale (LC_NUMERIC, "de_DE.utf8") == NULL)
    return; /* not installed: the other tests still hold */
  SS_CHECK (ss_parse_double ("1.5", &value) && value == 1.5);
  SS_CHECK (!ss_parse_double ("1,5", &value));
  ss_format_double (2.25, text, sizeof text);
  SS_CHECK_STR (text, "2.25");
  setlocale (LC_NUMERIC, "C");
}

static void
test_options (void)
{
  Options options;
  SsError err;
  char text[64];

  ss_options_init (&table, &options);
  SS_CHECK (options.mu0 == 10.0 && options.max_iterations == 1000 && options.correction && options.strategy == 1);
  SS_CHECK (ss_options_set (&table, &options, "mu0", "2.5", &err) == SS_OK && options.mu0 == 2.5);
  SS_CHECK (!ss_options_is_default (&table, &options, 0));
  SS_CHECK (ss_options_set (&table, &options, "correction", "off", &err) == SS_OK && !options.correction);
  SS_CHECK (ss_options_set (&table, &options, "strategy", "monotone", &err) == SS_OK && options.strategy == 0);
  SS_CHECK (ss_options_set (&table, &options, "max-iterations", "1.5", &err) == SS_ERR_INVALID);
  SS_CHECK (options.max_iterations == 1000);
  SS_CHECK (ss_options_set (&table, &options, "max-iteration", "5", &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "did you mean 'max-iterations'");
  SS_CHECK (ss_options_set (&table, &options, "strategy", "fast", &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.expected, "monotone, adaptive");
  SS_CHECK (ss_options_set (&table, &options, "mu0", "1e9", &err) == SS_ERR_INVALID && options.mu0 == 2.5);
  ss_options_format (&table, &options, 3, text, sizeof text);
  SS_CHECK_STR (text, "monotone");
}

/* What was set by name is known, whatever its value. */
static void
test_options_given (void)
{
  struct {
    double mu0;
    uint64_t given;
    int count;
  } options;
  static const SsOptionSpec two_specs[] = {
      {"mu0", SS_OPTION_REAL, 0, 0, 100, 3, NULL, "", "", false, ""},
      {"count", SS_OPTION_INTEGER, sizeof (double) + sizeof (uint64_t), 0, 100, 5, NULL, "", "", false, ""}};
  const SsOptionTable with = {2, two_specs, sizeof options, sizeof (double)},
                      without = {2, two_specs, sizeof options, 0};

  ss_options_init (&with, &options);
  SS_CHECK (!ss_options_is_given (&with, &options, 0) && !ss_options_is_given (&with, &options, 1));
  SS_CHECK (ss_options_set (&with, &options, "count", "5", NULL) == SS_OK);
  SS_CHECK (!ss_options_is_given (&with, &options, 0) && ss_options_is_given (&with, &options, 1));
  SS_CHECK (ss_options_set (&with, &options, "mu0", "1000", NULL) == SS_ERR_INVALID);
  SS_CHECK (!ss_options_is_given (&with, &options, 0)); /* refused: not given */
  SS_CHECK (!ss_options_is_given (&without, &options, 1));
  SS_CHECK (ss_options_set (&without, &options, "mu0", "4", NULL) == SS_OK);
  SS_CHECK (ss_options_is_given (&without, &options, 0) && options.given == 2);
}

/* A retired option is taken at the value that holds, in each way to write it, refused at another, and known. As a
 * setting of code it counts as given: what a preset fills in leaves it. */
static void
test_options_retired (void)
{
  typedef struct {
    double mu0;
    bool is_inner;
    uint64_t given;
  } Own;
  static const SsOptionSpec own_specs[] = {
      {"mu0", SS_OPTION_REAL, offsetof (Own, mu0), 0, 100, 3, NULL, "", "", false, ""},
      {"inner", SS_OPTION_BOOLEAN, offsetof (Own, is_inner), 0, 1, 1, NULL, "", "", false, ""}};
  static const SsRetiredOption retired[] = {{"inner", "true", "mu0"}, {"gone", "0.01", "nothing"}};
  const SsOptionTable own_table = {1, own_specs, sizeof (Own), offsetof (Own, given), 1, 2, retired};
  const SsOptionValue filled[] = {{offsetof (Own, is_inner), 0}};
  Own own;
  SsError err;

  ss_options_init (&own_table, &own);
  SS_CHECK (own.is_inner && own.given == 0);
  SS_CHECK (ss_options_set (&own_table, &own, "gone", "1e-2", &err) == SS_OK && own.given == 0);
  SS_CHECK (ss_options_set (&own_table, &own, "gone", "0.02", &err) == SS_ERR_INVALID);
  SS_CHECK_STR (err.message, "option gone is retired and can't be \"0.02\"");
  SS_CHECK_STR (err.expected, "0.01; nothing");
  SS_CHECK (ss_options_set (&own_table, &own, "inner", "off", &err) == SS_ERR_INVALID && own.is_inner);
  SS_CHECK (ss_options_find (&own_table, "inner") < 0 && ss_options_find (&own_table, "gone") < 0);
  SS_CHECK (ss_options_knows (&own_table, "inner") && ss_options_knows (&own_table, "mu0") &&
            !ss_options_knows (&own_table, "never"));
  SS_CHECK (ss_options_set (&own_table, &own, "inner", "on", &err) == SS_OK);
  ss_options_fill (&own_table, &own, filled, 1);
  SS_CHECK (own.is_inner);
  ss_options_init (&own_table, &own);
  ss_options_fill (&own_table, &own, filled, 1);
  SS_CHECK (!own.is_inner);
}

/* Values by the fields' places are the same struct as their texts by the options' names, marks included. */
static void
test_options_values (void)
{
  typedef struct {
    int strategy;
    bool is_on;
    uint64_t given;
    double mu0;
    int count;
  } Own;
  static const char *const names[] = {"slow", "fast", NULL};
  static const SsOptionSpec own_specs[] = {
      {"strategy", SS_OPTION_CHOICE, offsetof (Own, strategy), 0, 0, 0, names, "", "", false, ""},
      {"on", SS_OPTION_BOOLEAN, offsetof (Own, is_on), 0, 1, 1, NULL, "", "", false, ""},
      {"mu0", SS_OPTION_REAL, offsetof (Own, mu0), 0, 100, 3, NULL, "", "", false, ""},
      {"count", SS_OPTION_INTEGER, offsetof (Own, count), 0, 100, 5, NULL, "", "", false, ""}};
  static const SsOptionTable own_table = {4, own_specs, sizeof (Own), offsetof (Own, given)};
  static const SsOptionValue values[] = {
      {offsetof (Own, strategy), 1}, {offsetof (Own, is_on), 0}, {offsetof (Own, mu0), 0.3}};
  Own by_text, by_value;

  ss_options_init (&own_table, &by_text);
  ss_options_init (&own_table, &by_value);
  SS_CHECK (ss_options_set (&own_table, &by_text, "strategy", "fast", NULL) == SS_OK &&
            ss_options_set (&own_table, &by_text, "on", "off", NULL) == SS_OK &&
            ss_options_set (&own_table, &by_text, "mu0", "0.3", NULL) == SS_OK);
  ss_options_give (&own_table, &by_value, values, 3);
  SS_CHECK (memcmp (&by_text, &by_value, sizeof by_text) == 0);
  /* one more, at its default: given; what is filled in later leaves it */
  ss_options_give (&own_table, &by_value, &(SsOptionValue){offsetof (Own, count), 5}, 1);
  ss_options_fill (&own_table, &by_value, &(SsOptionValue){offsetof (Own, count), 7}, 1);
  SS_CHECK (by_value.count == 5 && ss_options_is_given (&own_table, &by_value, 3));
}

static void
test_nearest_name (void)
{
  static const char *const names[] = {"crisp", "ipopt", "scholtes"};

  SS_CHECK_STR (ss_nearest_name ("ipot", names, 3), "ipopt");
  SS_CHECK_STR (ss_nearest_name ("CRIPS", names, 3), "crisp");
  SS_CHECK (ss_nearest_name ("simplex", names, 3) == NULL);
  SS_CHECK_STR (ss_nearest_name ("Scho", names, 3), "scholtes"); /* far by letters, but its beginning */
  SS_CHECK (ss_nearest_name ("ch", names, 3) == NULL);
}

static void
test_arena (void)
{
  SsArena *arena = ss_arena_new ();
  int misaligned = 0, dirty = 0;

  for (size_t size = 1; size < 40000; size = size * 2 + 1) {
    char *block = ss_arena_alloc (arena, size, 1);

    misaligned += (uintptr_t)block % 16 != 0;
    for (size_t i = 0; i < size; i++)
      dirty += block[i] != 0;
    memset (block, 0xff, size);
  }
  SS_CHECK (misaligned == 0 && dirty == 0);
  SS_CHECK_STR (ss_arena_strdup (arena, "box"), "box");
  SS_CHECK (ss_arena_alloc (arena, SIZE_MAX / 2, 16) == NULL);
  ss_arena_free (arena);
}

/* Moments of n samples: the standard error of the mean of uniforms is 1/sqrt(12 n); five of them fail once in two
 * million. */
static void
test_random (void)
{
  enum { N = 100000 };
  SsRandom random, again;
  double sum = 0.0, normal_sum = 0.0, normal_square = 0.0;

  ss_random_seed (&random, 0);
  for (int i = 0; i < N; i++)
    sum += ss_random_uniform (&random);
  SS_CHECK_NEAR (sum / N, 0.5, 5.0 / sqrt (12.0 * N));
  for (int i = 0; i < N; i++) {
    double z = ss_random_normal (&random);

    normal_sum += z;
    normal_square += z * z;
  }
  SS_CHECK_NEAR (normal_sum / N, 0.0, 5.0 / sqrt (N));
  SS_CHECK_NEAR (normal_square / N, 1.0, 5.0 * sqrt (2.0 / N));
  ss_random_seed (&random, 42);
  ss_random_seed (&again, 42);
  for (int i = 0; i < 100; i++)
    SS_CHECK (ss_random_next (&random) == ss_random_next (&again));
}

/* Bodies between rows: cubic where position and velocities belong together, linear where a velocity jumps. */
static void
test_motion_between_rows (void)
{
  static const SsChannel channels[] = {{"t", SS_QUANTITY_TIME, "s", SS_OWNER_SCENE, "", false},
                                       {"ball.y", SS_QUANTITY_POSITION_Y, "m", SS_OWNER_BODY, "ball", true},
                                       {"ball.vy", SS_QUANTITY_VELOCITY_Y, "m/s", SS_OWNER_BODY, "ball", true},
                                       {"c.impulse_n", SS_QUANTITY_NORMAL_IMPULSE, "N s", SS_OWNER_CONTACT, "c", false},
                                       {"u", SS_QUANTITY_CONTROL, "N", SS_OWNER_ACTUATOR, "u", false}};
  static const double rows[][5] = {
      {0, 0, -1, 0, 0},  /* y = t^3 - t up to 2 */
      {2, 6, 11, 0, 4},  /* the state before a jump */
      {2, 6, -3, 14, 4}, /* after it; a step whose velocity jumps follows, by the trapezoidal rule */
      {3, 6, 3, 6, 0},   /* impulse in the step */
      {4, 6, 3, 0, 0},   /* no impulse, but no way either: not what the velocities say */
      {5, INFINITY, 3, 0, 0},
  };
  SsTrajectory *trajectory = NULL;
  SsError err;
  double row[5];

  SS_CHECK (ss_trajectory_new (channels, 5, 1, &trajectory, &err) == SS_OK);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    SS_CHECK (ss_trajectory_append (trajectory, rows[i], &err) == SS_OK);
  for (int i = 0; i < 20; i++) {
    const double t = 0.1 * i;

    ss_trajectory_sample_motion (trajectory, t, row);
    SS_CHECK_NEAR (row[1], t * t * t - t, 1e-14); /* the cubic itself: exact up to rounding of values up to 6 */
    SS_CHECK_NEAR (row[4], 2 * t, 1e-15);         /* other channels: linear */
  }
  ss_trajectory_sample_motion (trajectory, 2, row);
  SS_CHECK (row[1] == 6 && row[2] == -3); /* at a jump the later row */
  ss_trajectory_sample_motion (trajectory, 2.5, row);
  SS_CHECK (row[1] == 6); /* the cubic would be at 4.5, below the ground */
  ss_trajectory_sample_motion (trajectory, 3.2, row);
  SS_CHECK (row[1] == 6); /* the cubic would be at 6.288 */
  ss_trajectory_sample_motion (trajectory, 4.5, row);
  SS_CHECK (row[1] == INFINITY);
  ss_trajectory_sample_motion (trajectory, 9, row);
  SS_CHECK (row[0] == 5);
  ss_trajectory_free (trajectory);
}

static void
test_trajectory (void)
{
  static const char *const channels[] = {"t", "x"};
  SsTrajectory *trajectory = NULL, *copy = NULL;
  SsError err;
  double row[2];

  SS_CHECK (ss_trajectory_new_named (channels, 2, 1, &trajectory, &err) == SS_OK);
  for (int i = 0; i < 100; i++)
    SS_CHECK (ss_trajectory_append (trajectory, (double[]){0.1 * i, 3.0 * 0.1 * i}, &err) == SS_OK);
  ss_trajectory_sample (trajectory, 1.234, row);
  SS_CHECK_NEAR (row[1], 3.0 * 1.234, 1e-14); /* linear data: exact up to rounding */
  ss_trajectory_sample (trajectory, -1.0, row);
  SS_CHECK (row[0] == 0.0);
  ss_trajectory_sample (trajectory, 1e9, row);
  SS_CHECK_NEAR (row[0], 9.9, 1e-15);
  SS_CHECK (ss_trajectory_channel (trajectory, "x") == 1 && ss_trajectory_channel (trajectory, "y") == -1);
  SS_CHECK (ss_trajectory_copy (trajectory, &copy, &err) == SS_OK && copy->n_rows == 100);
  ss_trajectory_free (copy);
  ss_trajectory_free (trajectory);

  /* allocation number n fails: no leak (seen under the sanitizer), *out stays NULL */
  for (uint64_t n = 1; n <= 5; n++) {
    ss_alloc_fail_at (n);
    SS_CHECK (ss_trajectory_new_named (channels, 2, 1, &trajectory, &err) == SS_ERR_MEMORY && trajectory == NULL);
  }
  ss_alloc_fail_at (0);
}

/* Rows beyond 64 MB lie in a file, and on the heap where there is no disk: the numbers are the same, also of rows that
 * were let go, taken out or written again. */
static void
test_many_rows (void)
{
  enum { WIDTH = 4096, ROWS = 2100, BEFORE = 2000 }; /* 69 MB */
  static const char *names[WIDTH];
  static char text[WIDTH][8];
  static double row[WIDTH];
  const char *given = getenv ("TMPDIR");
  char folder[512] = "";

  snprintf (folder, sizeof folder, "%s", given != NULL ? given : "/tmp");
  for (int i = 0; i < WIDTH; i++) {
    snprintf (text[i], sizeof text[i], "c%d", i);
    names[i] = text[i];
  }
  for (int has_disk = 0; has_disk <= 1; has_disk++) {
    SsTrajectory *trajectory = NULL;
    setenv ("TMPDIR", has_disk ? folder : "/nowhere", 1);
    SS_CHECK (ss_trajectory_new_named (names, WIDTH, 1, &trajectory, NULL) == SS_OK);
    for (int k = 0; k < ROWS; k++) {
      row[0] = k;
      row[WIDTH - 1] = 3.0 * k;
      SS_CHECK (ss_trajectory_append (trajectory, row, NULL) == SS_OK);
    }
    SS_CHECK ((trajectory->spool != NULL) == has_disk && trajectory->n_rows == ROWS);
    ss_trajectory_pass (trajectory, BEFORE);
    trajectory->values[1] = 7; /* of the first row, which was let go */
    for (int k = 0; k < ROWS; k += 99)
      SS_CHECK (ss_trajectory_row (trajectory, k)[0] == k && ss_trajectory_row (trajectory, k)[WIDTH - 1] == 3.0 * k);
    SS_CHECK (ss_trajectory_row (trajectory, 0)[1] == 7);
    ss_trajectory_remove (trajectory, 10, 2050);
    SS_CHECK (trajectory->n_rows == ROWS - 2040 && ss_trajectory_row (trajectory, 10)[0] == 2050);
    ss_trajectory_free (trajectory);
  }
  if (given == NULL)
    unsetenv ("TMPDIR");
}

static void
test_run_control (void)
{
  SsRunControl control;
  SsOutcome why = SS_OUTCOME_SOLVED;

  ss_run_control_init (&control);
  SS_CHECK (!ss_run_control_should_stop (&control, &why));
  control.deadline = ss_clock_wall () - 1.0;
  SS_CHECK (ss_run_control_should_stop (&control, &why) && why == SS_OUTCOME_TIME_LIMIT);
  ss_run_control_cancel (&control);
  SS_CHECK (ss_run_control_should_stop (&control, &why) && why == SS_OUTCOME_CANCELLED);
  SS_CHECK (!ss_run_control_should_stop (NULL, &why));
}

/* ---- members of a race ------------------------------------------------------------------------------------------- */

/* The front against its definition: each honest answer off it has one on it that is as cheap and as near in both
 * replays, but for a hundredth; no two on it are so. Random costs and distances, some not measured. */
static void
test_front (void)
{
  enum { N = 12, ROUNDS = 300 };
  uint64_t state = 7;

  for (int round = 0; round < ROUNDS; round++) {
    SsMember members[N] = {0};
    double least[SS_MEMBER_MARKS] = {INFINITY, INFINITY, INFINITY};
    int n_front = 0;

    for (int i = 0; i < N; i++) {
      double draw[4];
      for (int k = 0; k < 4; k++) {
        state = state * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
        draw[k] = (double)(state >> 11) / 9007199254740992.0;
      }
      members[i] = (SsMember){.state = draw[3] < 0.8 ? SS_MEMBER_SOLVED : SS_MEMBER_GAVE_UP,
                              .objective = 1 + floor (5 * draw[0]),
                              .tenth = 0.01 + draw[1],
                              .held = draw[2] < 0.3 ? NAN : draw[2]};
    }
    ss_members_mark (members, N);
    for (int i = 0; i < N; i++) {
      const SsMember *m = &members[i];
      bool is_matched = false;
      for (int k = 0; k < N; k++) {
        const SsMember *other = &members[k];
        const bool is_as_good = k != i && other->is_on_front && other->objective <= m->objective &&
                                other->tenth <= 1.01 * m->tenth + 1e-5 &&
                                (isnan (m->held) || other->held <= 1.01 * m->held + 1e-5);
        is_matched = is_matched || is_as_good;
      }
      SS_CHECK (m->state == SS_MEMBER_SOLVED || (!m->is_on_front && m->marks == 0));
      SS_CHECK (m->state != SS_MEMBER_SOLVED || m->is_on_front || is_matched);
      n_front += m->is_on_front;
      if (m->state != SS_MEMBER_SOLVED)
        continue;
      least[SS_MEMBER_CHEAPEST] = fmin (least[SS_MEMBER_CHEAPEST], m->objective);
      least[SS_MEMBER_STEADIEST] = fmin (least[SS_MEMBER_STEADIEST], m->tenth);
      least[SS_MEMBER_HELD] = fmin (least[SS_MEMBER_HELD], m->held);
    }
    const int cheapest = ss_members_find (members, N, SS_MEMBER_CHEAPEST),
              steadiest = ss_members_find (members, N, SS_MEMBER_STEADIEST),
              held = ss_members_find (members, N, SS_MEMBER_HELD);
    SS_CHECK (n_front > 0 && cheapest >= 0 && members[cheapest].objective == least[SS_MEMBER_CHEAPEST]);
    SS_CHECK (members[steadiest].tenth <= 1.01 * least[SS_MEMBER_STEADIEST] + 1e-5);
    SS_CHECK (isinf (least[SS_MEMBER_HELD]) ? held < 0 : members[held].held <= 1.01 * least[SS_MEMBER_HELD] + 1e-5);
  }
}

/* The sentence names the winner, and a cheaper answer only with what speaks against it. */
static void
test_sentence (void)
{
  SsMember members[] = {
      {.label = "First", .state = SS_MEMBER_SOLVED, .ended = 1, .objective = 1, .tenth = 0.2},
      {.label = "Cheap", .state = SS_MEMBER_SOLVED, .ended = 3, .objective = 0.1, .tenth = 0.3},
      {.label = "Sure", .state = SS_MEMBER_SOLVED, .ended = 5, .objective = 0.8, .tenth = 0.001, .is_best = true},
      {.label = "Cheat", .state = SS_MEMBER_NOT_HONEST, .ended = 2, .objective = 0.4, .tenth = NAN},
  };
  char text[640];

  ss_members_describe (members, 4, text, sizeof text);
  SS_CHECK (strstr (text, "after 1 s by First; 20 % cheaper by Sure at 5 s") != NULL);
  SS_CHECK (strstr (text, "Cheap is 88 % cheaper, but its replay at a tenth of the step ends 0.3 m away") != NULL);
  SS_CHECK (strstr (text, "Cheat was 50 % cheaper and is no possible motion") != NULL);
  members[0].loose = members[1].loose = 3; /* the cheapest is the answer, and the sure one dear */
  members[1].is_best = true;
  members[2].is_best = false;
  members[2].tenth = 4e-4;
  ss_members_describe (members, 4, text, sizeof text);
  SS_CHECK (strstr (text, "a steadier plan (Sure) costs 8.0 times as much: it ends 0.4 mm off at a tenth of the step, "
                          "this one 300 mm") != NULL);
  members[1].objective = -0.1;
  ss_members_describe (members, 4, text, sizeof text);
  SS_CHECK (strstr (text, "a steadier plan (Sure) costs 0.8, this one -0.1: it ends") != NULL);
  members[1].objective = 0.1;
  members[2].loose = 3; /* as loose: nothing to tell */
  ss_members_describe (members, 4, text, sizeof text);
  SS_CHECK (strstr (text, "steadier") == NULL);
  members[0].loose = members[1].loose = members[2].loose = 0;
  members[1].is_best = false;
  members[2].is_best = true;
  members[2].tenth = 0.001;
  members[2].objective = 2; /* dearer than the first, and sure */
  ss_members_describe (members, 4, text, sizeof text);
  SS_CHECK (strstr (text, "by First; Sure holds better in its replay") != NULL);
  members[2].is_best = false; /* while the race goes on the cheapest counts */
  ss_members_describe (members, 4, text, sizeof text);
  SS_CHECK (strstr (text, "90 % cheaper by Cheap at 3 s") != NULL && strstr (text, "Sure") == NULL);
  members[3] = (SsMember){.label = "Going on",
                          .state = SS_MEMBER_RUNNING,
                          .ended = NAN,
                          .objective = 0.01,
                          .tenth = 0.1,
                          .is_best = true}; /* its answer counts when it has ended */
  ss_members_describe (members, 4, text, sizeof text);
  SS_CHECK (strstr (text, "90 % cheaper by Cheap at 3 s") != NULL && strstr (text, "Going on") == NULL);
  members[3].is_best = false;
  members[1].ended = 217.4; /* a long race: seconds, without an exponent */
  ss_members_describe (members, 4, text, sizeof text);
  SS_CHECK (strstr (text, "by Cheap at 217 s") != NULL);
  members[1].ended = 3;
  members[0].objective = 2e-32; /* of next to nothing there are no parts */
  members[1].objective = -0.5;
  ss_members_describe (members, 4, text, sizeof text);
  SS_CHECK (strstr (text, "by First; cheaper (-0.5 instead of 2e-32) by Cheap at 3 s") != NULL);
}

int
main (void)
{
  SS_RUN (test_error_text);
  SS_RUN (test_outcomes);
  SS_RUN (test_numbers_round_trip);
  SS_RUN (test_numbers_refused);
  SS_RUN (test_numbers_in_comma_locale);
  SS_RUN (test_options);
  SS_RUN (test_options_given);
  SS_RUN (test_options_retired);
  SS_RUN (test_options_values);
  SS_RUN (test_nearest_name);
  SS_RUN (test_arena);
  SS_RUN (test_random);
  SS_RUN (test_trajectory);
  SS_RUN (test_motion_between_rows);
  SS_RUN (test_many_rows);
  SS_RUN (test_run_control);
  SS_RUN (test_front);
  SS_RUN (test_sentence);
  return ss_test_finish ();
}
