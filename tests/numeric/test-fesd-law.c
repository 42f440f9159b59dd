/* tests/numeric/test-fesd-law.c: jumps and forces of one instant as the law of contacts finds them, without the search
 * over modes that stands behind it: a disc on a floor in closed form, and in a corner, where two contacts act on each
 * other, by the equations themselves. */
#include "fesd/ss-fesd-check.h"
#include "fesd/ss-fesd-law.h"
#include "ss-test-scenario.h"

/* Rounding of some ten operations on numbers of about 1 to 20. */
static const double rounding = 1e-13;
static const double mass = 2, g = 9.81, mu = 0.3, e = 0.5;

static const char *const scene_text =
    "{\"format\": 1, \"name\": \"corner\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81],"
    " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "  {\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 0]}},"
    "  {\"name\": \"p\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 2, \"lock\": [\"theta\"],"
    "   \"position\": [0.1, 0.1]}],"
    " \"contacts\": [{\"name\": \"a\", \"bodies\": [\"floor\", \"p\"], \"friction\": 0.3, \"restitution\": 0.5},"
    "  {\"name\": \"b\", \"bodies\": [\"wall\", \"p\"], \"friction\": 0.7, \"restitution\": 0.25}],"
    " \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"p\", \"direction\": [1, 0], \"lower\": -90, "
    "\"upper\": 90}]}}";

enum { N_Q = 9, DISC = 6 };

typedef struct {
  SsScenario *scenario;
  SsFesdSystem *system;
  SsFesdLaw *law;
  double offset[8], q[N_Q], v[N_Q];
} Case;

/* The disc at x [m], on the floor, with that velocity. */
static bool
open_case (Case *c, double x, double vx, double vy)
{
  SsError err = {0};

  *c = (Case){.scenario = ss_test_read_text (scene_text)};
  const bool is_well = c->scenario != NULL && ss_fesd_system_new (c->scenario->scene, &c->system, &err) == SS_OK &&
                       ss_fesd_law_new (c->system, &c->law, &err) == SS_OK && ss_fesd_n_items (c->system) <= 8;
  SS_CHECK (is_well);
  c->q[DISC] = x;
  c->q[DISC + 1] = 0.1;
  c->v[DISC] = vx;
  c->v[DISC + 1] = vy;
  return is_well;
}

static void
close_case (Case *c)
{
  ss_fesd_law_free (c->law);
  ss_fesd_system_free (c->system);
  ss_scenario_free (c->scenario);
}

/* The jump of all that touches; their number. */
static int
jump (Case *c, SsFesdTouch **touches)
{
  SsError err = {0};
  bool is_solved = false;
  int n = 0;

  SS_CHECK (ss_fesd_law_touching (c->law, 0, c->q, c->v, c->offset, 1e-9, touches, &n, &err) == SS_OK);
  SS_CHECK (ss_fesd_law_jump (c->law, c->q, c->v, *touches, n, NULL, &is_solved, &err) == SS_OK && is_solved);
  return n;
}

/* One impact: the impulse [000 (9a)-(9b)], friction of it, slipping or not [000 (3) (8a)-(8b) (11d)-(11f)], nothing of
 * what opens or does not touch [000 (11b) (11c)]. */
static void
test_jump (void)
{
  static const struct {
    double vx, vy, impulse_n, impulse_t;
  } cases[] = {{3, -1, 3, -0.9}, {-3, -1, 3, 0.9}, {0.1, -1, 3, -0.2}, {-0.1, -1, 3, 0.2}, {1, 0.5, 0, 0}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsFesdTouch *touches;
    Case c;

    if (!open_case (&c, 5, cases[i].vx, cases[i].vy))
      return;
    SS_CHECK (jump (&c, &touches) == 1);
    SS_CHECK_NEAR (touches[0].force_n, cases[i].impulse_n, rounding);
    SS_CHECK_NEAR (touches[0].force_t, cases[i].impulse_t, rounding);
    SS_CHECK_NEAR (c.v[DISC], cases[i].vx + cases[i].impulse_t / mass, rounding);
    SS_CHECK_NEAR (c.v[DISC + 1], cases[i].vy < 0 ? -e * cases[i].vy : cases[i].vy, rounding);
    close_case (&c);
  }
}

/* What the judge misses of the jump from `before` to `after` [m/s]. */
static double
missed (const Case *c, const double *before, const double *after, int n, const SsFesdTouch *touches)
{
  const SsFesdJump jump = {.q = c->q, .v_before = before, .v_after = after, .n = n, .touches = touches};
  SsFesdCheck *check = NULL;
  SsTableau tableau;

  SS_CHECK (ss_tableau_make (SS_TABLEAU_RADAU_IIA, 1, &tableau, NULL) == SS_OK &&
            ss_fesd_check_new (c->system, &tableau, &check, NULL) == SS_OK);
  const double value = check != NULL ? ss_fesd_check_jump (check, &jump) : NAN;
  ss_fesd_check_free (check);
  return value;
}

/* Into the corner, from several sides: each equation of [000 (11a)-(11f)], with polyhedral friction, by the judge of
 * jumps too. */
static void
test_two_at_once (void)
{
  static const double speeds[][2] = {{-2, -1}, {-1, -2}, {-1, -0.1}, {-0.1, -1}, {-3, 0.2}, {0.3, -1}};
  static const double n[2][2] = {{0, 1}, {1, 0}}, t[2][2] = {{1, 0}, {0, -1}}, friction[2] = {0.3, 0.7},
                      restitution[2] = {0.5, 0.25};

  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
    const double *before = speeds[i];
    SsFesdTouch *touches;
    double impulse[2] = {0};
    Case c;

    if (!open_case (&c, 0.1, before[0], before[1]))
      return;
    double start[N_Q], other[N_Q];
    memcpy (start, c.v, sizeof start);
    SS_CHECK (jump (&c, &touches) == 2);
    const double *after = c.v + DISC;
    SS_CHECK (missed (&c, start, c.v, 2, touches) < rounding);
    memcpy (other, c.v, sizeof other);
    other[DISC + 1] += 0.01;
    SS_CHECK (missed (&c, start, other, 2, touches) >= 0.01 - rounding);
    for (int l = 0; l < 2; l++) {
      const double *of_n = n[l], *of_t = t[l], bound = friction[l] * touches[l].force_n;
      const double approach = fmin (of_n[0] * before[0] + of_n[1] * before[1], 0);
      const double residual = of_n[0] * after[0] + of_n[1] * after[1] + restitution[l] * approach;
      const double slip = of_t[0] * after[0] + of_t[1] * after[1];

      for (int axis = 0; axis < 2; axis++)
        impulse[axis] += of_n[axis] * touches[l].force_n + of_t[axis] * touches[l].force_t;
      SS_CHECK (touches[l].force_n >= 0 && residual >= -rounding);
      SS_CHECK_NEAR (touches[l].force_n * residual, 0, rounding);
      SS_CHECK (fabs (touches[l].force_t) <= bound + rounding);
      SS_CHECK_NEAR (fabs (slip) * (bound - fabs (touches[l].force_t)), 0, rounding);
      SS_CHECK (slip * touches[l].force_t <= rounding);
    }
    for (int axis = 0; axis < 2; axis++)
      SS_CHECK_NEAR (mass * (after[axis] - before[axis]), impulse[axis], rounding);
    close_case (&c);
  }
}

/* Forces on the floor: sliding either way, held, and pushed off [000 (1b) (3) (8a)-(8b)] [001 (9) (10) (11a) (12)]. */
static void
test_forces (void)
{
  static const struct {
    double push;
    int sign;
  } cases[] = {{0, 1}, {0, -1}, {2, 0}, {-2, 0}, {10, 0}, {-10, 0}};
  const double normal = mass * g, most = mu * normal;

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double push = cases[i].push,
                 friction = cases[i].sign != 0 ? -cases[i].sign * most : fmax (fmin (-push, most), -most);
    SsFesdTouch *touches;
    double a[2] = {NAN, NAN};
    bool is_solved = false;
    SsError err = {0};
    int n = 0;
    Case c;

    if (!open_case (&c, 5, cases[i].sign, 0))
      return;
    ss_fesd_system_set_controls (c.system, &push);
    SS_CHECK (ss_fesd_law_touching (c.law, 0, c.q, c.v, c.offset, 1e-9, &touches, &n, &err) == SS_OK && n == 1);
    touches[0].sign = cases[i].sign;
    SS_CHECK (ss_fesd_law_forces (c.law, 0, c.q, c.v, touches, n, a, NULL, &is_solved, &err) == SS_OK && is_solved);
    SS_CHECK_NEAR (touches[0].force_n, normal, rounding);
    SS_CHECK_NEAR (touches[0].force_t, friction, rounding);
    SS_CHECK_NEAR (a[0], (push + friction) / mass, rounding);
    SS_CHECK_NEAR (a[1], 0, rounding);
    close_case (&c);
  }
}

/* Over a disc of 1 m: its curve asks for v^2 / 1.1 of the weight, and for more than all of it from some speed on
 * [001 (9) (11b) (12)]. */
static void
test_curved (void)
{
  static const char *const text =
      "{\"format\": 1, \"name\": \"dome\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81],"
      " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"circle\", \"radius\": 1}},"
      "  {\"name\": \"p\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 2, \"lock\": [\"theta\"],"
      "   \"position\": [0, 1.1]}], \"contacts\": [{\"name\": \"a\", \"bodies\": [\"floor\", \"p\"]}]}}";
  static const double speeds[] = {0, 2, -3, 4};

  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
    const double fall = g - speeds[i] * speeds[i] / 1.1, q[6] = {0, 0, 0, 0, 1.1, 0}, v[6] = {0, 0, 0, speeds[i], 0, 0};
    const double offset[8] = {0};
    Case c = {.scenario = ss_test_read_text (text)};
    SsFesdTouch *touches;
    double a[2] = {NAN, NAN};
    bool is_solved = false;
    SsError err = {0};
    int n = 0;

    if (c.scenario == NULL || ss_fesd_system_new (c.scenario->scene, &c.system, &err) != SS_OK ||
        ss_fesd_law_new (c.system, &c.law, &err) != SS_OK) {
      SS_CHECK (!"a law of that scene");
      return;
    }
    SS_CHECK (ss_fesd_law_touching (c.law, 0, q, v, offset, 1e-9, &touches, &n, &err) == SS_OK && n == 1);
    SS_CHECK (ss_fesd_law_forces (c.law, 0, q, v, touches, n, a, NULL, &is_solved, &err) == SS_OK && is_solved);
    SS_CHECK_NEAR (touches[0].force_n, mass * fmax (fall, 0), rounding);
    SS_CHECK_NEAR (touches[0].rate_after, fmax (-fall, 0), rounding);
    SS_CHECK_NEAR (a[1], -g + fmax (fall, 0), rounding);
    close_case (&c);
  }
}

/* Friction of joints and motors as drives: what holds still is one drive, of friction and of a motor of speed 0; a
 * motor that turns is another one. In all they are as strong as both, and none is without strength. */
static void
test_drives (void)
{
  const double frictions[] = {0, 3}, limits[] = {0, 5}, speeds[] = {0, -2};

  for (int i = 0; i < 8; i++) {
    const double friction = frictions[i & 1], limit = limits[i >> 1 & 1], speed = speeds[i >> 2];
    SsJoint joint = {.kind = SS_JOINT_PIN, .friction = friction, .motor_limit = limit, .motor_speed = speed};
    const SsScene scene = {.n_joints = 1, .joints = &joint};
    SsFesdDrive drives[2] = {{0}};
    double holds = 0, turns = 0;
    const int n = ss_fesd_find_drives (&scene, drives);

    for (int k = 0; k < n; k++) {
      SS_CHECK (drives[k].joint == 0 && drives[k].most > 0);
      *(drives[k].speed == 0 ? &holds : &turns) += drives[k].most;
      SS_CHECK (drives[k].speed == 0 || drives[k].speed == speed);
    }
    SS_CHECK (holds == friction + (speed == 0 ? limit : 0) && turns == (speed == 0 ? 0 : limit));
    SS_CHECK (n == (holds > 0) + (turns > 0));
  }
}

int
main (void)
{
  SS_RUN (test_jump);
  SS_RUN (test_two_at_once);
  SS_RUN (test_forces);
  SS_RUN (test_curved);
  SS_RUN (test_drives);
  return ss_test_finish ();
}
