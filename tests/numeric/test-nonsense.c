/* tests/numeric/test-nonsense.c: simulations that are nonsense do not complete, and what is no nonsense does: steps
 * that miss their law, energy from nothing and to nothing, bodies that pass each other; the motion is kept in any
 * case. */
#include "run/ss-run.h"
#include "tests/ss-test-scenario.h"

#include <math.h>
#include <stdlib.h>

enum { WARNINGS_MAX = 8 };

typedef struct {
  SsScenario *scenario;
  SsRunResult result;
  int n_warnings;
  char warnings[WARNINGS_MAX][512];
} Run;

static void
take_warning (void *user_data, const SsProgress *progress)
{
  Run *run = user_data;

  if (progress->kind == SS_PROGRESS_LOG && progress->level == SS_LOG_WARNING && run->n_warnings < WARNINGS_MAX)
    snprintf (run->warnings[run->n_warnings++], sizeof run->warnings[0], "%s", progress->text);
}

/* Takes the scenario. Options as "name=value name=value". */
static Run
simulate (SsScenario *scenario, const char *integrator, const char *options_text, double dt, double t_end)
{
  Run run = {.scenario = scenario};
  SsError err = {0};
  SsRunControl control;
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, integrator, &err);
  char text[256], *rest = text;

  SS_CHECK (method != NULL && scenario != NULL);
  void *options = calloc (1, method->options->size + 1);
  ss_method_init_options (method, scenario, options);
  snprintf (text, sizeof text, "%s", options_text);
  for (char *word = strtok_r (text, " ", &rest); word != NULL; word = strtok_r (NULL, " ", &rest)) {
    char *equals = strchr (word, '=');
    *equals = '\0';
    SS_CHECK (ss_options_set (method->options, options, word, equals + 1, &err) == SS_OK);
  }
  ss_run_control_init (&control);
  control.progress = take_warning;
  control.user_data = &run;
  SsJob job = ss_job (method, scenario, options);
  job.simulate.dt = dt;
  job.simulate.t_end = t_end;
  SS_CHECK (ss_run (&job, &control, &run.result, &err) == SS_OK);
  free (options);
  return run;
}

static void
clear (Run *run)
{
  ss_run_result_clear (&run->result);
  ss_scenario_free (run->scenario);
}

/* The warning with that part, or "". */
static const char *
warning (const Run *run, const char *part)
{
  for (int i = 0; i < run->n_warnings; i++)
    if (strstr (run->warnings[i], part) != NULL)
      return run->warnings[i];
  return "";
}

/* The number that ends where `unit` begins, the first of that kind. */
static double
number_before (const char *text, const char *unit)
{
  const char *end = strstr (text, unit), *first = end;

  SS_CHECK (end != NULL);
  while (first != NULL && first > text && first[-1] != ' ')
    first--;
  return first != NULL ? strtod (first, NULL) : NAN;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* Links of 0.1 m and 0.1 kg, from level. */
static SsScenario *
chain (int n)
{
  char *text = malloc (1024 * (size_t)n + 1024), *at = text;

  at += sprintf (at, "{\"format\": 1, \"name\": \"chain\", \"scene\": {\"contacts\": [], \"bodies\": [");
  for (int i = 0; i < n; i++)
    at += sprintf (at,
                   "%s{\"name\": \"link%d\", \"mass\": 0.1, \"position\": [%.9g, 0],"
                   " \"shape\": {\"type\": \"capsule\", \"length\": 0.08, \"radius\": 0.01}}",
                   i > 0 ? "," : "", i, 0.05 + 0.1 * i);
  at += sprintf (at, "], \"joints\": [");
  for (int i = 0; i < n; i++) {
    char before[32] = "world";
    if (i > 0)
      snprintf (before, sizeof before, "link%d", i - 1);
    at += sprintf (at,
                   "%s{\"name\": \"p%d\", \"type\": \"pin\", \"bodies\": [\"%s\", \"link%d\"], \"anchor\": [%.9g, 0]}",
                   i > 0 ? "," : "", i, before, i, 0.1 * i);
  }
  sprintf (at, "]}}");
  SsScenario *scenario = ss_test_read_text (text);
  free (text);
  return scenario;
}

/* A body of 1 kg on a spring of 100 N/m, 0.1 m from rest, without gravity: 0.5 J, 10 rad/s. */
static const char oscillator[] =
    "{\"format\": 1, \"name\": \"oscillator\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
    "{\"name\": \"bob\", \"mass\": 1, \"position\": [1.1, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}],"
    "\"springs\": [{\"name\": \"s\", \"bodies\": [\"world\", \"bob\"], \"anchors\": [[0, 0], [0, 0]], \"stiffness\": "
    "100,"
    " \"rest\": 1}]}}";

/* A rod of 1 kg and 1 m on a pin, from level. */
static const char pendulum[] =
    "{\"format\": 1, \"name\": \"pendulum\", \"scene\": {\"bodies\": [{\"name\": \"rod\", \"mass\": 1,"
    " \"position\": [0.5, 0], \"shape\": {\"type\": \"capsule\", \"length\": 1, \"radius\": 0.01}}],"
    "\"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"rod\"], \"anchor\": [0, 0]}]}}";

/* A disc of 2 cm that flies towards a wall of 5 cm. */
static SsScenario *
bullet (double speed)
{
  char text[1024];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"bullet\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
            "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 0.05, \"height\": 2}},"
            "{\"name\": \"disc\", \"mass\": 0.1, \"position\": [-0.2, 0.1], \"velocity\": [%g, 0],"
            " \"shape\": {\"type\": \"circle\", \"radius\": 0.01}}]}}",
            speed);
  return ss_test_read_text (text);
}

/* The next integrator of the registry that this build has, from *at on, which it counts up; NULL: no more. */
static const SsMethod *
next_integrator (int *at)
{
  while (*at < ss_method_count ()) {
    const SsMethod *method = ss_method_at ((*at)++);
    if (method->kind == SS_METHOD_INTEGRATOR && method->is_built)
      return method;
  }
  return NULL;
}

/* ---- steps that miss their law ----------------------------------------------------------------------------------- */

/* A chain at ten times the step that implicit-euler's linearisations can follow: it ended with 1e5 times its energy. */
static void
a_chain_that_flies_apart_fails (void)
{
  Run run = simulate (chain (20), "implicit-euler", "", 0.01, 0.5);

  SS_CHECK (run.result.outcome == SS_OUTCOME_FAILED);
  SS_CHECK_CONTAINS (run.result.message, "of 50 steps miss the law of implicit-euler by over 1e-04 m/s");
  SS_CHECK_CONTAINS (run.result.message, " s, where body link");
  SS_CHECK_CONTAINS (run.result.message, "try a smaller dt");
  SS_CHECK_CONTAINS (run.result.message, "reached t = 0.5 s");
  SS_CHECK (ss_run_motion (&run.result) != NULL && ss_run_motion (&run.result)->n_rows == 51);
  SS_CHECK (isfinite (ss_metric_get (&run.result.metrics, SS_METRIC_ENERGY_FINAL)));
  clear (&run);
  /* the limits are options */
  run = simulate (chain (20), "implicit-euler", "law-misses=1 energy-gain=1", 0.01, 0.5);
  SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED);
  clear (&run);
  /* the same chain in another law */
  run = simulate (chain (20), "moreau-jean", "", 0.01, 0.5);
  SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED);
  clear (&run);
}

/* Dominoes that slide on each other keep the gap of the relaxed law, which is no miss of it; one linearisation from the
 * step's start does not find it. */
static void
a_relaxation_keeps_its_own_gap (void)
{
  static const char *const options[] = {"gap=end", "gap=end relinearisations=1"};
  SsScenario *scenario[2];
  for (int i = 0; i < 2; i++)
    scenario[i] = ss_test_read_file ("examples/classics/domino-row.stickslip.json", NULL, 0);
  Run run = simulate (scenario[0], "convex-time-stepping", options[0], NAN, 2.5);
  SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK (run.result.metrics.value[SS_METRIC_MAX_RESIDUAL] < 1e-8); /* groups are solved to about 1e-9 m/s */
  clear (&run);
  run = simulate (scenario[1], "convex-time-stepping", options[1], NAN, 2.5);
  SS_CHECK (run.result.outcome == SS_OUTCOME_FAILED);
  SS_CHECK_CONTAINS (run.result.message, "miss the law of convex-time-stepping");
  clear (&run);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

/* Explicit Euler multiplies the energy of an oscillator by 1 + (h w)^2 a step: here 1.01 a step of 0.01 s, 100 steps.
 * The gain is 0.5 (1.01^100 - 1) J, all of it from nothing. */
static void
explicit_euler_tells_its_gain (void)
{
  const double gain = 0.5 * (pow (1.01, 100) - 1);
  Run run = simulate (ss_test_read_text (oscillator), "explicit-euler", "substeps=1", 0.01, 1);

  SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED);
  const char *text = warning (&run, "came from nothing");
  SS_CHECK_CONTAINS (text, "changes body bob most");
  SS_CHECK_NEAR (number_before (text, " J, "), gain, 5e-3 * gain); /* three digits */
  SS_CHECK_NEAR (run.result.verdict.surplus, gain, 1e-9 * gain);
  clear (&run);
  run = simulate (ss_test_read_text (oscillator), "explicit-euler", "substeps=1 energy-gain=0.05", 0.01, 1);
  SS_CHECK (run.result.outcome == SS_OUTCOME_FAILED);
  SS_CHECK_CONTAINS (run.result.message, "came from nothing, most at once in the step to t = ");
  clear (&run);
}

/* What the others make of it: no gain to speak of; implicit-euler divides the energy by 1.01 a step and says so. */
static void
oscillators_elsewhere (void)
{
  int at = 0;

  for (const SsMethod *method; (method = next_integrator (&at)) != NULL;) {
    if (strcmp (method->name, "explicit-euler") == 0)
      continue;
    Run run = simulate (ss_test_read_text (oscillator), method->name, "", 0.01, 1);
    const double change = ss_metric_get (&run.result.metrics, SS_METRIC_ENERGY_FINAL) - 0.5;

    SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK_NEAR (run.result.verdict.surplus, change, 1e-9); /* a spring alone: all that changes is a surplus */
    SS_CHECK ((warning (&run, "lost to nothing")[0] != '\0') == (change < -0.05 * run.result.verdict.turned_over));
    if (strcmp (method->name, "implicit-euler") == 0) {
      SS_CHECK_NEAR (change, 0.5 * (pow (1.01, -100) - 1), 1e-9);
      SS_CHECK_NEAR (number_before (warning (&run, "lost to nothing"), " J, "), -change, -5e-3 * change);
    }
    clear (&run);
  }
}

/* implicit-euler takes from a pendulum at this step; what it takes is told as lost, and is what the energy says. */
static void
a_pendulum_that_loses_is_told (void)
{
  Run run = simulate (ss_test_read_text (pendulum), "implicit-euler", "", 0.02, 5);
  const double change = ss_metric_get (&run.result.metrics, SS_METRIC_ENERGY_FINAL) -
                        ss_metric_get (&run.result.metrics, SS_METRIC_ENERGY_INITIAL);

  SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK (change < -1); /* of 4.9 J that swing */
  SS_CHECK_NEAR (number_before (warning (&run, "lost to nothing"), " J, "), -change, -0.05 * change);
  clear (&run);
  run = simulate (ss_test_read_text (pendulum), "stewart-trinkle", "", 0.001, 2);
  SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED && warning (&run, "nothing")[0] == '\0');
  clear (&run);
}

/* A ball that keeps less than all of its speed loses much, and none of it is unexplained; neither is what it loses by
 * rubbing. */
static void
what_contacts_take_is_explained (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"ball\", \"scene\": {\"friction\": 0.3, \"restitution\": 0.7, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"ball\", \"mass\": 2, \"position\": [0, 1], \"velocity\": [3, 0],"
      " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]}}";

  int at = 0;

  for (const SsMethod *method; (method = next_integrator (&at)) != NULL;) {
    if (strcmp (method->name, "time-freezing") == 0) /* it has no law for restitution beside friction, and refuses */
      continue;
    Run run = simulate (ss_test_read_text (text), method->name, "", 0.002, 2);

    SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK_STR (warning (&run, "nothing"), "");
    SS_CHECK (ss_metric_get (&run.result.metrics, SS_METRIC_ENERGY_FINAL) <
              0.7 * ss_metric_get (&run.result.metrics, SS_METRIC_ENERGY_INITIAL));
    clear (&run);
  }
}

/* Two bodies fly along their parabolas, written down by hand; one of them is 4 m/s faster upwards from a row on. What
 * it has more, 2 kg (v + 4)^2/2 - 2 kg v^2/2, came from nothing, then and there. The same backwards is lost. */
static void
planted_energy_is_found (void)
{
  static const char text[] = "{\"format\": 1, \"name\": \"flight\", \"scene\": {\"contacts\": [], \"bodies\": ["
                             "{\"name\": \"stone\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}},"
                             "{\"name\": \"ball\", \"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]}}";
  enum { N = 60, PLANTED = 25 };
  const double h = 0.01, g = 9.81, more = 4;
  SsScenario *scenario = ss_test_read_text (text);

  for (int sign = -1; sign <= 1; sign++) {
    SsTrajectory *motion = NULL;
    SsMotionVerdict verdict;
    double row[64] = {0}, y[2] = {0, 0}, v[2] = {5, 6}, planted = 0;

    SS_CHECK (ss_scene_trajectory_new (scenario->scene, N, &motion, NULL) == SS_OK && motion->n_channels <= 64);
    for (int i = 0; i < N; i++) {
      for (int b = 0; b < 2 && i > 0; b++) {
        y[b] += h * v[b] - h * h * g / 2;
        v[b] -= h * g;
      }
      if (i == PLANTED) {
        planted = (v[1] + sign * more) * (v[1] + sign * more) - v[1] * v[1];
        v[1] += sign * more;
      }
      row[0] = i * h;
      for (int b = 0; b < 2; b++) {
        row[ss_trajectory_channel (motion, b == 0 ? "stone.y" : "ball.y")] = y[b];
        row[ss_trajectory_channel (motion, b == 0 ? "stone.vy" : "ball.vy")] = v[b];
      }
      SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
    }
    SS_CHECK (ss_motion_judge (scenario->scene, motion, false, NULL, &verdict, NULL) == SS_OK);
    const SsMotionWorst *step = planted > 0 ? &verdict.rise : &verdict.fall;
    /* rounding of 60 J over 60 steps, and gravity over half a step of the change: nobody knows when it was */
    SS_CHECK_NEAR (verdict.surplus, planted, 1e-11 + abs (sign) * 2 * g * h * more / 2);
    SS_CHECK (planted == 0 || (step->index == 1 && fabs (step->t - PLANTED * h) < 1e-12));
    ss_motion_verdict_clear (&verdict);
    ss_trajectory_free (motion);
  }
  ss_scenario_free (scenario);
}

/* With and without records of its steps a motion is worth the same: what the judge spares itself is small. */
static void
a_hasty_judge_says_the_same (void)
{
  static const char *const examples[] = {"box-pyramid", "domino-row", "compass-walker", "belt-block"};

  for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
    char path[128];
    SsMotionVerdict exact;

    snprintf (path, sizeof path, "examples/classics/%s.stickslip.json", examples[e]);
    Run run = simulate (ss_test_read_file (path, NULL, 0), "semi-implicit-euler", "", NAN, 0.5);
    const SsMotionVerdict *hasty = &run.result.verdict;
    SS_CHECK (ss_motion_judge (run.scenario->scene, ss_run_motion (&run.result), true, NULL, &exact, NULL) == SS_OK);
    /* a thousandth of what is turned over, see part_enough in ss-motion.c */
    SS_CHECK_NEAR (hasty->surplus, exact.surplus, 1e-3 * exact.turned_over);
    /* of the first order in the step either way; the search of the faces ends after six */
    SS_CHECK (hasty->balance.value >= exact.balance.value * (1 - 1e-6) - 1e-9);
    SS_CHECK (hasty->balance.value <= 2 * exact.balance.value + 1e-9);
    SS_CHECK_NEAR (hasty->penetration.value, exact.penetration.value, 0);
    ss_motion_verdict_clear (&exact);
    clear (&run);
  }
}

/* ---- bodies that pass each other --------------------------------------------------------------------------------- */

/* Of the first row that has the disc behind the wall; INFINITY: none has. */
static double
time_behind_wall (const SsTrajectory *motion)
{
  const int x = ss_trajectory_channel (motion, "disc.x");

  for (int i = 0; i < motion->n_rows; i++)
    if (ss_trajectory_row (motion, i)[x] > 0.035)
      return ss_trajectory_row (motion, i)[0];
  return INFINITY;
}

/* In every law, at any speed: the disc is stopped in front of the wall, or a warning names both and the time. */
static void
a_disc_never_passes_without_a_word (void)
{
  static const double speeds[] = {50, 123, 500, 5000};
  int n_passed = 0, at = 0;

  for (const SsMethod *method; (method = next_integrator (&at)) != NULL;)
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
      Run run = simulate (bullet (speeds[k]), method->name, "", 0.001, 0.02);
      const SsTrajectory *motion = ss_run_motion (&run.result);
      const bool has_passed =
          ss_trajectory_row (motion, motion->n_rows - 1)[ss_trajectory_channel (motion, "disc.x")] > 0;
      const char *text = warning (&run, "may have passed the other");

      n_passed += has_passed;
      SS_CHECK (!has_passed || text[0] != '\0');
      if (text[0] != '\0') {
        SS_CHECK_CONTAINS (text, "wall");
        SS_CHECK_CONTAINS (text, "disc");
        /* not before it has touched the wall, after 0.165 m, and not after the first row behind it */
        const double t = number_before (text, " s, more than half");
        SS_CHECK (t >= 0.165 / speeds[k] - 1e-9 && t <= time_behind_wall (motion));
      }
      clear (&run);
    }
  /* as found, also where there is no cvode: else there is nothing to warn of */
  SS_CHECK (n_passed > (ss_method_find (SS_METHOD_INTEGRATOR, "cvode", NULL)->is_built ? 10 : 5));
}

/* At a speed that the step can follow nobody warns. */
static void
slow_discs_warn_nobody (void)
{
  int at = 0;

  for (const SsMethod *method; (method = next_integrator (&at)) != NULL;) {
    Run run = simulate (bullet (2), method->name, "", 0.001, 0.2);

    SS_CHECK_STR (warning (&run, "may have passed the other"), "");
    clear (&run);
  }
}

/* Laws at velocity level leave dominoes in each other, 7 % of their thickness deep, and say so; of blocks that rest,
 * and of laws that correct gaps, nothing is said. A magnetic force that no step of .01 s follows is named, too. */
static void
what_laws_cannot_do_is_told (void)
{
  static const struct {
    const char *example, *law;
    bool is_told;
  } cases[] = {{"domino-row", "moreau-jean", true},
               {"domino-row", "stewart-trinkle", false},
               {"box-pyramid", "moreau-jean", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[128];
    snprintf (path, sizeof path, "examples/classics/%s.stickslip.json", cases[i].example);
    Run run = simulate (ss_test_read_file (path, NULL, 0), cases[i].law, "", 0.01, 2);
    SS_CHECK ((warning (&run, "does not correct gaps")[0] != '\0') == cases[i].is_told);
    clear (&run);
  }
  Run run = simulate (
      ss_test_read_text ("{\"format\": 1, \"name\": \"skew\", \"scene\": {\"gravity\": [0, 0], \"contacts\": [], "
                         "\"bodies\": [{\"name\": \"b\", \"mass\": 1, \"velocity\": [1, 0], \"shape\": {\"type\": "
                         "\"circle\", \"radius\": 0.1}}], \"forces\": [{\"name\": \"f\", \"body\": \"b\", "
                         "\"force\": [\"1e4*b.vy\", \"-1e4*b.vx\"]}]}}"),
      "stewart-trinkle", "", 0.01, 0.02);
  SS_CHECK_CONTAINS (warning (&run, "stayed explicit"), "in 2 steps, first to t = 0.01 s");
  clear (&run);
}

/* ---- rebounds ---------------------------------------------------------------------------------------------------- */

/* A disc of 1 kg that falls by 1 m; `contact` has what the scene says of its contact, `force` what acts on it. */
static Run
drop (const char *method, const char *options, double dt, const char *contact, const char *force)
{
  char text[1024];
  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"drop\", \"scene\": {\"bodies\": [{\"name\": \"floor\", \"fixed\": true, "
      "\"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"disc\", \"mass\": 1, \"position\": "
      "[0, 1.1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"contacts\": [{\"bodies\": [\"floor\", "
      "\"disc\"]%s}], \"forces\": [{\"name\": \"f\", \"body\": \"disc\", \"force\": [0, \"%s\"]}]}}",
      contact, force);
  return simulate (ss_test_read_text (text), method, options, dt, 1.2);
}

/* The part of its speed with which a mass comes back from a spring and a damper with the damping ratio z, which lets go
 * where it pushes no more: x = exp (-z s) sin (w s)/w until x'' = 0, tan (w s) = 2 z w/(2 z^2 - 1), w^2 = 1 - z^2. */
static double
given_back (double z)
{
  const double w = sqrt (1 - z * z), s = atan2 (2 * z * w, 2 * z * z - 1) / w;
  return -exp (-z * s) * (cos (w * s) - z * sin (w * s) / w);
}

/* What bounces although the scene gives it no restitution is told, with speeds; what it asked for is not. */
static void
a_rebound_that_nobody_asked_for_is_told (void)
{
  static const char part[] = "bounces where the scene's restitution is 0";
  static const struct {
    const char *method, *options, *contact, *force;
    double dt;
    bool is_told;
  } cases[] = {
      {"semi-implicit-euler", "damping=200", "", "0", 1e-3, true},
      {"semi-implicit-euler", "damping=200 substeps=400", "", "0", 0.04, true}, /* within a step */
      {"semi-implicit-euler", "damping=700", "", "0", 1e-3, false},
      {"semi-implicit-euler", "damping=200", ", \"restitution\": 0.5", "0", 1e-3,
       false}, /* which is told to be ignored */
      {"semi-implicit-euler", "", ", \"damping\": 200", "0", 1e-3, false},
      {"semi-implicit-euler", "damping=700", "", "if(t > 0.8, 20, 0)", 1e-3, false}, /* it is lifted */
      {"implicit-euler", "damping=200", "", "0", 1e-4, true},
      {"constraint-solver", "", "", "0", 1e-3, false},
      {"moreau-jean", "", "", "0", 1e-3, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Run run = drop (cases[i].method, cases[i].options, cases[i].dt, cases[i].contact, cases[i].force);
    SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED);
    const bool is_told = warning (&run, part)[0] != '\0';
    if (is_told != cases[i].is_told)
      printf ("  case %zu: %s\n", i, warning (&run, part));
    SS_CHECK (is_told == cases[i].is_told);
    clear (&run);
  }
  /* What jams and is thrown comes apart faster than it met: no damper gave that back. */
  Run thrown = simulate (ss_test_read_file ("examples/classics/painleve-rod.stickslip.json", NULL, 0), "implicit-euler",
                         "", NAN, 0.2);
  SS_CHECK_STR (warning (&thrown, part), "");
  clear (&thrown);
  Run run = drop ("semi-implicit-euler", "damping=200", 1e-4, "", "0"); /* z = B/(2 sqrt (K m)), K = 1e5 N/m */
  const char *text = warning (&run, part);
  const double met = number_before (text, " m/s at t"), parted = number_before (text, " m/s; a larger");
  SS_CHECK_NEAR (met, sqrt (2 * 9.81 * 1.0), 0.01 * met); /* three digits, and what it falls in a step */
  SS_CHECK_NEAR (parted, given_back (200 / (2 * sqrt (1e5))) * met, 0.02 * met); /* ten substeps are of first order */
  clear (&run);
}

static bool
is_there (const char *integrator)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, integrator, NULL);
  return method != NULL && method->is_built;
}

/* A cart of 1 kg on a spring of (2 pi)^2 N/m turns by itself 1 m off, where a slider ends a millionth farther: rows of
 * 0.05 s see it come and go at 2 m/s, but it never bounced. */
static void
a_spring_turns_at_a_limit (void)
{
  static const char *const methods[] = {"cvode", "semi-implicit-euler"};
  for (int i = 0; i < 2; i++) {
    if (!is_there (methods[i]))
      continue;
    Run run = simulate (
        ss_test_read_text (
            "{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, 0], \"contacts\": [], \"bodies\": ["
            "{\"name\": \"cart\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"velocity\":"
            " [6.283185307, 0]}], \"joints\": [{\"name\": \"s\", \"type\": \"slider\", \"bodies\": [\"world\", "
            "\"cart\"],"
            " \"axis\": [1, 0], \"upper\": 1.000001}], \"springs\": [{\"name\": \"k\", \"bodies\": [\"world\", "
            "\"cart\"],"
            " \"anchors\": [[-5, 0], [0, 0]], \"rest\": 5, \"stiffness\": 39.4784176}]}}"),
        methods[i], "", i == 0 ? 0.05 : 1e-3, 2);
    SS_CHECK_STR (warning (&run, "bounces where the scene's restitution is 0"), "");
    clear (&run);
  }
}

/* An Atwood machine, 1 and 2 kg, whose rope gets taut at 1 m/s + 2 g t of slack and is inelastic: the closed form has
 * no bounce. Springs of 1e6 N/m with 200 N s/m bounce, whatever the step, also where that takes a part of a step; it is
 * told, with speeds that a damped oscillator gives back. A rope with a damper of its own, or critical damping, tells
 * nothing, nor does what is never taut. */
static void
a_rebound_of_a_limit_is_told (void)
{
  static const char part[] = "bounces where the scene's restitution is 0: joint rope";
  static const struct {
    const char *method, *options, *rope;
    double dt, speed;
    bool is_told;
  } cases[] = {
      {"cvode", "", "", 1e-3, -1, true},
      {"cvode", "", "", 0.02, -1, true},
      {"explicit-euler", "", "", 1e-3, -1, true},
      {"cvode", "damping=4000", "", 1e-3, -1, false},
      {"cvode", "", ", \"damping\": 200", 1e-3, -1, false},
      {"cvode", "", "", 0.02, 1, false},
      {"constraint-solver", "", "", 1e-3, -1, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[900];
    if (!is_there (cases[i].method))
      continue;
    snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, -10], \"contacts\": [], \"bodies\": ["
        "{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [0, -1]},"
        "{\"name\": \"b\", \"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [1, -1],"
        " \"velocity\": [0, %g]}], \"joints\": [{\"name\": \"rope\", \"type\": \"rope\", \"bodies\": [\"a\", \"b\"],"
        " \"over\": [[0, 0], [1, 0]], \"length\": 3.1%s}]}}",
        cases[i].speed, cases[i].rope);
    /* upwards at 1 m/s, b leaves the rope slack for 0.1 s and more */
    Run run = simulate (ss_test_read_text (text), cases[i].method, cases[i].options, cases[i].dt,
                        cases[i].speed > 0 ? 0.1 : 0.3);
    SS_CHECK (run.result.outcome == SS_OUTCOME_COMPLETED);
    const char *said = warning (&run, part);
    SS_CHECK ((said[0] != '\0') == cases[i].is_told);
    if ((said[0] != '\0') != cases[i].is_told)
      printf ("  case %zu: %s\n", i, said);
    if (i == 0) { /* z = B/(2 sqrt (K m)), 1/m = 1/1 + 1/2; rows are 1 ms apart, in which both fall by 0.02 m/s */
      const double met = number_before (said, " m/s at t"), parted = number_before (said, " m/s; a larger");
      SS_CHECK_NEAR (met, sqrt (1 + 2 * 20 * 0.1), 0.03);
      SS_CHECK_NEAR (parted, given_back (200 / (2 * sqrt (1e6 / 1.5))) * met, 0.04);
    }
    clear (&run);
  }
}

int
main (void)
{
  SS_RUN (a_rebound_that_nobody_asked_for_is_told);
  SS_RUN (a_rebound_of_a_limit_is_told);
  SS_RUN (a_spring_turns_at_a_limit);
  SS_RUN (a_chain_that_flies_apart_fails);
  SS_RUN (a_relaxation_keeps_its_own_gap);
  SS_RUN (explicit_euler_tells_its_gain);
  SS_RUN (oscillators_elsewhere);
  SS_RUN (a_pendulum_that_loses_is_told);
  SS_RUN (what_contacts_take_is_explained);
  SS_RUN (planted_energy_is_found);
  SS_RUN (a_hasty_judge_says_the_same);
  SS_RUN (a_disc_never_passes_without_a_word);
  SS_RUN (slow_discs_warn_nobody);
  SS_RUN (what_laws_cannot_do_is_told);
  return ss_test_finish ();
}
