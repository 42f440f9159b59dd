/* tests/unit/test-view.c: rows become marks: poses of bodies, forces at contacts, formulas at and between time points,
 * bounds, strips, starts. */
#include "scene/ss-view.h"
#include "ss-test-scenario.h"

static const double pi = 3.14159265358979323846;

/* A view of channels of which only the names are known. */
static SsStatus
view_of_names (const SsScenario *scenario, const char *const *names, int n, SsView **view, SsError *error)
{
  SsChannel channels[16];

  for (int i = 0; i < n; i++)
    channels[i] = ss_channel_named (names[i]);
  return ss_view_new (scenario, channels, n, view, error);
}

static SsView *
make_view (const SsScenario *scenario, const SsTrajectory *trajectory)
{
  SsView *view = NULL;
  SsError error = {0};

  SS_CHECK (ss_view_new (scenario, trajectory->channels, trajectory->n_channels, &view, &error) == SS_OK);
  SS_CHECK_STR (error.message, "");
  return view;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static void
test_scene_start (void)
{
  SsScenario *s = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  SsTrajectory *start = NULL;
  SsMark marks[6];
  SsView *view;
  double bounds[4], gap = 1 - (0.5 * sin (0.3) + 0.25 * cos (0.3));

  SS_CHECK (s != NULL && ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK);
  if (start == NULL)
    return;
  SS_CHECK (start->n_rows == 1 && start->n_channels == 1 + 12 + 5 + 4 + 7);
  SS_CHECK (ss_trajectory_channel (start, "box.omega") == 12 && ss_trajectory_channel (start, "floor-box.gap") == 13);
  /* The lowest corner of the tilted box. */
  SS_CHECK_NEAR (ss_trajectory_row (start, 0)[13], gap, 1e-15);
  SS_CHECK (ss_trajectory_row (start, 0)[ss_trajectory_channel (start, "box.vx")] == 0.5);

  view = make_view (s, start);
  SS_CHECK (ss_view_n_marks (view) == 6); /* two bodies, a centre, a force, two contact points */
  ss_view_frame (view, ss_trajectory_row (start, 0), marks);
  SS_CHECK (marks[0].kind == SS_MARK_HALF_PLANE && marks[0].role == SS_ROLE_FIXED && marks[0].angle == 0);
  SS_CHECK (marks[1].kind == SS_MARK_POLYGON && marks[1].role == SS_ROLE_BODY && marks[1].angle == 0.3 &&
            marks[1].trace);
  SS_CHECK (marks[1].n_vertices == 4 && marks[1].visible);
  SS_CHECK (marks[2].role == SS_ROLE_CENTRE && marks[2].position.y == 1);
  SS_CHECK (!marks[3].visible && !marks[4].visible && !marks[5].visible); /* in the air */
  ss_view_bounds (view, start, bounds);
  SS_CHECK_NEAR (bounds[1], gap, 1e-15); /* the floor has no bounds, the box has */
  SS_CHECK_NEAR (bounds[2], 0.5 * cos (0.3) + 0.25 * sin (0.3), 1e-15);
  ss_view_free (view);
  ss_trajectory_free (start);
  ss_scenario_free (s);
}

/* A box flat on the floor, pressed with 19.62 N: two points, one arrow at their middle. */
static void
test_scene_contact (void)
{
  SsScenario *s = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  SsTrajectory *start = NULL;
  SsMark marks[6];
  SsView *view;
  double row[18];
  uint64_t allocations;

  SS_CHECK (s != NULL && ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK);
  if (start == NULL)
    return;
  view = make_view (s, start);
  memcpy (row, ss_trajectory_row (start, 0), sizeof row);
  row[ss_trajectory_channel (start, "box.x")] = 3;
  row[ss_trajectory_channel (start, "box.y")] = 0.25;
  row[ss_trajectory_channel (start, "box.theta")] = 0;
  row[ss_trajectory_channel (start, "floor-box.gap")] = 0;
  row[ss_trajectory_channel (start, "floor-box.lambda_n")] = 19.62;
  allocations = ss_alloc_count ();
  ss_view_frame (view, row, marks);
  SS_CHECK (ss_alloc_count () == allocations);
  SS_CHECK (marks[3].visible && marks[3].role == SS_ROLE_FORCE && marks[4].visible && marks[5].visible);
  SS_CHECK_NEAR (marks[3].position.x, 3, 1e-14);
  SS_CHECK_NEAR (marks[3].position.y, 0, 1e-14);
  SS_CHECK_NEAR (marks[3].vector.x, 0, 1e-14);
  SS_CHECK_NEAR (marks[3].vector.y, 19.62, 1e-13); /* the floor pushes the box up */
  SS_CHECK_NEAR (fabs (marks[4].position.x - marks[5].position.x), 1, 1e-14);
  ss_view_free (view);
  ss_trajectory_free (start);
  ss_scenario_free (s);
}

/* Two shapes a body, every joint, a spring and an actuator: what is drawn where, after the body has moved and
 * turned. */
static void
test_scene_mechanism (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"s\", \"scene\": {\"contacts\": [], \"bodies\": ["
      "{\"name\": \"a\", \"mass\": 1, \"shapes\": [{\"type\": \"capsule\", \"length\": 2, \"radius\": 0.1}, "
      "{\"type\": \"circle\", \"radius\": 0.2, \"position\": [1, 0]}]},"
      "{\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"segment\", \"length\": 2}}], \"joints\": ["
      "{\"name\": \"p\", \"type\": \"pin\", \"bodies\": [\"world\", \"a\"], \"anchor\": [-1, 0]},"
      "{\"name\": \"g\", \"type\": \"slider\", \"bodies\": [\"a\", \"b\"], \"axis\": [1, 0], \"lower\": -1, \"upper\": "
      "3},"
      "{\"name\": \"r\", \"type\": \"rod\", \"bodies\": [\"world\", \"b\"], \"points\": [[0, 5], [0, 0]]}],"
      "\"springs\": [{\"name\": \"k\", \"bodies\": [\"world\", \"a\"], \"points\": [[-4, 0], [1, 0]], \"stiffness\": "
      "1}],"
      "\"actuators\": [{\"name\": \"jet\", \"type\": \"force\", \"body\": \"a\", \"direction\": [0, 1], "
      "\"anchor\": [1, 0], \"frame\": \"body\"}]}}";
  const char *channels[] = {"t", "a.x", "a.y", "a.theta", "b.x", "b.y", "b.theta", "u.jet"};
  const double row[] = {0, 2, 3, acos (-1.0) / 2, 0, 1, 0, 5};
  SsScenario *s = ss_test_read_text (text);
  SsView *view = NULL;
  SsMark marks[10];
  SsError error;

  SS_CHECK (s != NULL);
  if (s == NULL)
    return;
  SS_CHECK (view_of_names (s, channels, 8, &view, &error) == SS_OK);
  /* two first shapes, two centres, one more shape, three joints, a spring, an actuator */
  SS_CHECK (view != NULL && ss_view_n_marks (view) == 10);
  if (view != NULL) {
    ss_view_frame (view, row, marks);
    SS_CHECK (marks[0].kind == SS_MARK_CAPSULE && marks[0].radius == 0.1 && marks[0].n_vertices == 2);
    SS_CHECK (marks[1].kind == SS_MARK_CAPSULE && marks[1].radius == 0);
    SS_CHECK (marks[4].kind == SS_MARK_CIRCLE && marks[4].role == SS_ROLE_BODY);
    SS_CHECK_STR (marks[4].name, "a");
    /* a stands upright at (2, 3): its end (1, 0) is at (2, 4), its other end at (2, 2) */
    SS_CHECK_NEAR (marks[4].position.x, 2, 1e-15);
    SS_CHECK_NEAR (marks[4].position.y, 4, 1e-15);
    SS_CHECK (marks[5].kind == SS_MARK_POINT && marks[5].role == SS_ROLE_GUIDE);
    SS_CHECK_NEAR (marks[5].position.y, 2, 1e-15);
    /* the guide runs upwards through (2, 3), from one below to three above */
    SS_CHECK (marks[6].kind == SS_MARK_SEGMENT && marks[6].role == SS_ROLE_GUIDE);
    SS_CHECK_NEAR (marks[6].position.y, 2, 1e-15);
    SS_CHECK_NEAR (marks[6].vector.x, 0, 1e-15);
    SS_CHECK_NEAR (marks[6].vector.y, 4, 1e-15);
    SS_CHECK (marks[7].kind == SS_MARK_SEGMENT && marks[7].role == SS_ROLE_BODY);
    SS_CHECK_NEAR (marks[7].vector.y, -4, 1e-15);
    SS_CHECK (marks[8].kind == SS_MARK_SPRING && marks[8].position.x == -4);
    SS_CHECK_NEAR (marks[8].vector.x, 6, 1e-15);
    SS_CHECK_NEAR (marks[8].vector.y, 4, 1e-15);
    /* the body's y axis points to -x now */
    SS_CHECK (marks[9].kind == SS_MARK_ARROW && marks[9].visible && marks[9].role == SS_ROLE_FORCE);
    SS_CHECK_NEAR (marks[9].vector.x, -5, 1e-14);
    SS_CHECK_NEAR (marks[9].position.y, 4, 1e-15);
  }
  ss_view_free (view);
  /* without the channel of the control there is no arrow */
  SS_CHECK (view_of_names (s, channels, 7, &view, &error) == SS_OK);
  if (view != NULL) {
    ss_view_frame (view, row, marks);
    SS_CHECK (!marks[9].visible);
  }
  ss_view_free (view);
  ss_scenario_free (s);
}

/* The same with the box first: the normal points into the floor, the arrow still shows what pushes the box. */
static void
test_scene_fixed_second (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"s\", \"scene\": {\"bodies\": ["
      "{\"name\": \"ball\", \"mass\": 1, \"position\": [0, 0.5], \"shape\": {\"type\": \"circle\", \"radius\": 0.5}},"
      "{\"name\": \"wall\", \"fixed\": true, \"position\": [0.5, 0], \"shape\": {\"type\": \"half-plane\", \"normal\": "
      "[-1, 0]}}]},"
      "\"view\": {\"marks\": [{\"type\": \"segment\", \"position\": [\"ball.x\", \"ball.y\"], \"to\": [0, \"ball.y + "
      "k\"]}],"
      " \"strips\": [{\"label\": \"Height [m]\", \"value\": \"ball.y\"}]}}";
  const char *channels[] = {"t", "ball.x", "ball.y", "ball.theta", "ball-wall.lambda_n"};
  const double row[] = {0.02, 0, 0.5, 0, 7};
  SsScenario *s = ss_test_read_text (text);
  SsView *view = NULL;
  SsMark marks[7];
  SsError error;

  SS_CHECK (s != NULL);
  if (s == NULL)
    return;
  /* Channels of a fixed body may be missing, those of a free one may not. */
  SS_CHECK (view_of_names (s, channels, 3, &view, &error) == SS_ERR_INVALID && view == NULL);
  SS_CHECK_CONTAINS (error.message, "ball.theta");
  SS_CHECK (view_of_names (s, channels, 5, &view, &error) == SS_OK && ss_view_n_marks (view) == 7);
  if (view == NULL)
    return;
  ss_view_frame (view, row, marks);
  SS_CHECK_NEAR (marks[1].angle, pi / 2, 1e-15); /* surface upwards, matter to its right */
  SS_CHECK (marks[3].visible && marks[3].vector.x == -7 && marks[3].position.x == 0.5);
  SS_CHECK (marks[6].kind == SS_MARK_SEGMENT && marks[6].role == SS_ROLE_GUIDE);
  SS_CHECK_NEAR (marks[6].vector.y, 2, 1e-12); /* k = t / dt = 0.02 / 0.01 */
  SS_CHECK (ss_view_n_strips (view) == 1 && ss_view_strip_value (view, 0, row) == 0.5 &&
            isnan (ss_view_strip_reference (view, 0, row)));
  SS_CHECK_STR (ss_view_strip_label (view, 0), "Height [m]");
  ss_view_free (view);
  ss_scenario_free (s);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

static void
test_model_marks (void)
{
  SsScenario *s = ss_test_read_file ("examples/crisp/push-box.stickslip.json", NULL, 0);
  SsTrajectory *start = NULL;
  SsView *view;
  SsMark marks[4];
  /* t px py th cx cy l1 l2 l3 l4: turned by a quarter, pushed with 3 N on the left face at its middle */
  double row[] = {0.02, 1, 2, pi / 2, -0.5, 0, 0, 3, 0, 0}, bounds[4];
  uint64_t allocations;

  SS_CHECK (s != NULL && ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK);
  if (start == NULL)
    return;
  view = make_view (s, start);
  SS_CHECK (ss_view_n_marks (view) == 4 && ss_view_n_strips (view) == 2);
  allocations = ss_alloc_count ();
  ss_view_frame (view, row, marks);
  SS_CHECK (ss_alloc_count () == allocations);
  SS_CHECK (marks[0].role == SS_ROLE_GOAL && marks[1].role == SS_ROLE_BODY && marks[1].trace &&
            marks[1].n_vertices == 4);
  SS_CHECK_STR (marks[1].name, "box");
  SS_CHECK_NEAR (marks[0].position.x, -1.5, 1e-14);
  SS_CHECK (marks[1].position.x == 1 && marks[1].vertices[2].x == 0.5 && marks[1].vertices[2].y == 0.25);
  SS_CHECK (marks[3].visible && marks[3].kind == SS_MARK_ARROW);
  SS_CHECK_NEAR (marks[3].position.x, 1, 1e-14);
  SS_CHECK_NEAR (marks[3].position.y, 1.5, 1e-14);
  SS_CHECK_NEAR (marks[3].vector.y, 3, 1e-14);

  /* At the last point (99 * 0.02 / 0.02 is no whole number in floating point) the control has no meaning. */
  row[0] = 99 * 0.02;
  ss_view_frame (view, row, marks);
  SS_CHECK (!marks[3].visible);
  row[0] = 98.5 * 0.02;
  ss_view_frame (view, row, marks);
  SS_CHECK (marks[3].visible);
  SS_CHECK_NEAR (ss_view_strip_value (view, 0, row), hypot (1 + 1.5, 2 + 3 * sin (pi / 3)), 1e-14);
  SS_CHECK (ss_view_strip_reference (view, 0, row) == 0);
  /* Something not finite is not drawn. */
  row[1] = NAN;
  ss_view_frame (view, row, marks);
  SS_CHECK (marks[0].visible && !marks[1].visible && !marks[3].visible);
  /* Boxes at the start and at the goal (turned by 240 degrees). */
  ss_view_bounds (view, start, bounds);
  SS_CHECK_NEAR (bounds[0], -1.5 - (0.5 * 0.5 + 0.25 * sin (pi / 3)), 1e-14);
  SS_CHECK (bounds[2] == 0.5 && bounds[3] == 0.25);
  ss_view_free (view);
  ss_trajectory_free (start);
  ss_scenario_free (s);
}

static void
test_missing_channel (void)
{
  SsScenario *s = ss_test_read_file ("examples/crisp/push-box.stickslip.json", NULL, 0);
  const char *channels[] = {"t", "px", "py"};
  SsView *view = (SsView *)&channels;
  SsError error;

  if (s == NULL)
    return;
  SS_CHECK (view_of_names (s, channels, 3, &view, &error) == SS_ERR_INVALID);
  SS_CHECK (view == NULL);
  SS_CHECK_CONTAINS (error.message, "'th'");
  ss_scenario_free (s);
}

/* Rows `variable - known` at point 0 show the start; others are left to the guess. */
static void
test_model_start (void)
{
  SsScenario *s = ss_test_read_file ("examples/crisp/hopper.stickslip.json", NULL, 0);
  SsScenario *forms = ss_test_read_text (
      "{\"format\": 1, \"name\": \"f\", \"parameters\": {\"a\": 2}, \"model\": {\"points\": 3, \"time_step\": 1,"
      "\"states\": [\"u\", \"v\", \"w\", \"x\", \"y\"], \"constraints\": ["
      "{\"points\": 0, \"zero\": [\"u\", \"v + 6\", \"a^2 - w\", \"x - y\", \"y*2 - 1\"]},"
      "{\"points\": 1, \"zero\": [\"x - 9\"]}]},"
      "\"task\": {\"guess\": {\"values\": {\"u\": 5, \"x\": 7}}}}");
  SsTrajectory *start = NULL;

  SS_CHECK (s != NULL && ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK);
  if (start != NULL) {
    SS_CHECK (ss_trajectory_row (start, 0)[ss_trajectory_channel (start, "py")] == 1.5);
    SS_CHECK (ss_trajectory_row (start, 0)[ss_trajectory_channel (start, "qy")] == 0.5);
    ss_trajectory_free (start);
    start = NULL;
  }
  SS_CHECK (forms != NULL && ss_scenario_initial_trajectory (forms, &start, NULL) == SS_OK);
  if (start != NULL) {
    const double *row = ss_trajectory_row (start, 0);

    SS_CHECK (row[0] == 0 && row[1] == 0 && row[2] == -6 && row[3] == 4 && row[4] == 7 && row[5] == 0);
    ss_trajectory_free (start);
  }
  ss_scenario_free (s);
  ss_scenario_free (forms);
}

/* What is one point has room about it, and what is a line has the line's: one number apart is no point. */
static void
test_bounds_of_a_point (void)
{
  for (int i = 0; i < 4; i++) {
    const double x = 2, y = i % 2 == 0 ? 5 : 2, to_x = i < 2 ? x : x + 1;
    char text[700];
    double bounds[4];
    SsTrajectory *start = NULL;

    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"p\", \"model\": {\"points\": 2, \"time_step\": 1, \"states\": [\"u\"], "
              "\"constraints\": [{\"points\": 0, \"zero\": [\"u\"]}]}, \"view\": {\"marks\": ["
              "{\"type\": \"point\", \"role\": \"centre\", \"name\": \"a\", \"position\": [%g, %g]}, "
              "{\"type\": \"point\", \"role\": \"centre\", \"name\": \"b\", \"position\": [%g, %g]}]}}",
              x, y, to_x, y);
    SsScenario *s = ss_test_read_text (text);
    SS_CHECK (s != NULL && ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK);
    SsView *view = make_view (s, start);
    ss_view_bounds (view, start, bounds);
    SS_CHECK_NEAR (bounds[0] + bounds[2], x + to_x, 1e-15); /* in the middle */
    SS_CHECK_NEAR (bounds[1] + bounds[3], 2 * y, 1e-15);
    SS_CHECK (i < 2 ? bounds[3] > bounds[1] && bounds[2] - bounds[0] == bounds[3] - bounds[1]
                    : bounds[1] == bounds[3] && bounds[2] - bounds[0] == 1);
    ss_view_free (view);
    ss_trajectory_free (start);
    ss_scenario_free (s);
  }
}

/* Every example can be drawn before it is run. */
static void
test_examples_draw (void)
{
  static const char *const files[] = {"crisp/cartpole", "crisp/push-box", "crisp/transport",     "crisp/push-t",
                                      "crisp/hopper",   "crisp/waiter",   "sketches/falling-box"};

  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[128];
    SsScenario *s;
    SsTrajectory *start = NULL;
    SsMark marks[64];
    double bounds[4];
    SsView *view;

    snprintf (path, sizeof path, "examples/%s.stickslip.json", files[i]);
    s = ss_test_read_file (path, NULL, 0);
    SS_CHECK (s != NULL && ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK);
    if (start == NULL)
      continue;
    view = make_view (s, start);
    SS_CHECK (ss_view_n_marks (view) > 2 && ss_view_n_marks (view) <= 64);
    ss_view_frame (view, ss_trajectory_row (start, 0), marks);
    SS_CHECK (marks[0].visible && marks[1].visible);
    ss_view_bounds (view, start, bounds);
    SS_CHECK (bounds[0] < bounds[2] && bounds[1] < bounds[3] && bounds[2] - bounds[0] < 100);
    ss_view_free (view);
    ss_trajectory_free (start);
    ss_scenario_free (s);
  }
}

/* Allocation number n fails, for every n, on the way from a scenario to its first picture. */
static void
test_out_of_memory (void)
{
  static const char *const files[] = {"examples/crisp/hopper.stickslip.json",
                                      "examples/sketches/falling-box.stickslip.json"};

  for (int i = 0; i < 2; i++) {
    SsScenario *s = ss_test_read_file (files[i], NULL, 0);
    bool done = false;
    int n;

    SS_CHECK (s != NULL);
    for (n = 1; s != NULL && !done && n < 10000; n++) {
      SsTrajectory *start = NULL;
      SsView *view = NULL;
      SsError error = {0};
      SsStatus status;

      ss_alloc_fail_at ((uint64_t)n);
      status = ss_scenario_initial_trajectory (s, &start, &error);
      if (status == SS_OK)
        status = ss_view_new (s, start->channels, start->n_channels, &view, &error);
      else
        SS_CHECK (start == NULL);
      ss_alloc_fail_at (0);
      done = status == SS_OK;
      SS_CHECK (done || (status == SS_ERR_MEMORY && view == NULL && error.message[0] != '\0'));
      ss_view_free (view);
      ss_trajectory_free (start);
    }
    SS_CHECK (done && n > 10);
    ss_scenario_free (s);
  }
}

/* Strips read every channel of a simulation; a parameter's name keeps its meaning. */
static void
test_all_channels (void)
{
  const char *text =
      "{\"format\": 1, \"name\": \"s\", \"parameters\": {\"residual\": 5}, \"scene\": {\"bodies\": ["
      "{\"name\": \"arm\", \"shape\": {\"type\": \"circle\", \"radius\": 1}, \"mass\": 1},"
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}, \"position\": "
      "[0, -3]}],"
      "\"contacts\": [{\"name\": \"c\", \"bodies\": [\"floor\", \"arm\"]}],"
      "\"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", \"arm\"]}],"
      "\"actuators\": [{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"hinge\"}]},"
      "\"view\": {\"strips\": [{\"label\": \"Torque [N m]\", \"value\": \"u.motor\"},"
      "{\"label\": \"Energy [J]\", \"value\": \"energy.kinetic + energy.potential + energy.dissipated\"},"
      "{\"label\": \"Drift\", \"value\": \"hinge.drift\"}, {\"label\": \"Rest\", \"value\": \"c.penetration + "
      "10*c.cone_violation + 100*c.dissipated\"},"
      "{\"label\": \"Momentum\", \"value\": \"momentum.x + 10*momentum.y + 100*momentum.angular\"}, {\"label\": "
      "\"Parameter\", \"value\": \"residual\"}]}}";
  SsScenario *s = ss_test_read_text (text);
  SsTrajectory *start = NULL;
  SsError error;

  SS_CHECK (s != NULL && ss_scenario_initial_trajectory (s, &start, &error) == SS_OK);
  if (start == NULL)
    return;
  SS_CHECK (start->n_channels == 1 + 12 + 5 + 4 + 1 + 2 + 1 + 7);
  double row[33];
  for (int i = 0; i < 33; i++)
    row[i] = i;
  SsView *view = make_view (s, start);
  SS_CHECK (view != NULL && ss_view_n_strips (view) == 6);
  if (view != NULL) {
    const int u = ss_trajectory_channel (start, "u.motor"), drift = ss_trajectory_channel (start, "hinge.drift"),
              kinetic = ss_trajectory_channel (start, "energy.kinetic"),
              c = ss_trajectory_channel (start, "c.penetration"), p = ss_trajectory_channel (start, "momentum.x");
    SS_CHECK (c == 18 && drift == 22 && u == 25 && kinetic == 26 && p == 29);
    SS_CHECK_NEAR (ss_view_strip_value (view, 0, row), u, 0);
    SS_CHECK_NEAR (ss_view_strip_value (view, 1, row), 3 * kinetic + 3, 0);
    SS_CHECK_NEAR (ss_view_strip_value (view, 2, row), drift, 0);
    SS_CHECK_NEAR (ss_view_strip_value (view, 3, row), c + 10 * (c + 1) + 100 * (c + 2), 0);
    SS_CHECK_NEAR (ss_view_strip_value (view, 4, row), p + 10 * (p + 1) + 100 * (p + 2), 0);
    SS_CHECK_NEAR (ss_view_strip_value (view, 5, row), 5, 0);
    /* before a simulation: no control yet, energies not known */
    SS_CHECK_NEAR (ss_view_strip_value (view, 0, ss_trajectory_row (start, 0)), 0, 0);
    SS_CHECK (isnan (ss_view_strip_value (view, 1, ss_trajectory_row (start, 0))));
  }
  ss_view_free (view);
  ss_trajectory_free (start);
  ss_scenario_free (s);
}

/* ---- scenes of many contacts ------------------------------------------------------------------------------------- */

/* 95 discs on a floor have 4560 pairs, too many for channels. */
static const char many[] =
    "{\"format\": 1, \"name\": \"many\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.5, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"for\": \"i\", \"from\": 0, \"to\": 94, \"rows\": [{\"name\": \"d{i}\", \"mass\": 1, "
    "\"position\": [\"{i}\", 0.3], \"shape\": {\"type\": \"circle\", \"radius\": 0.3}}]}], \"contacts\": \"all\"}}";

/* The start, with a column more for each of the forces of two contacts. */
static SsTrajectory *
with_two_contacts (const SsScenario *s, const SsTrajectory *start)
{
  SsChannel *channels = ss_new_array (SsChannel, start->n_channels + 4);
  SsTrajectory *motion = NULL;
  static const char *const names[] = {"floor-d3.gap", "floor-d3.lambda_n", "floor-d90.gap", "floor-d90.lambda_n"};

  memcpy (channels, start->channels, (size_t)start->n_channels * sizeof *channels);
  for (int i = 0; i < 4; i++)
    channels[start->n_channels + i] = (SsChannel){.name = names[i],
                                                  .quantity = i % 2 ? SS_QUANTITY_NORMAL_FORCE : SS_QUANTITY_GAP,
                                                  .unit = i % 2 ? "N" : "m",
                                                  .owner = SS_OWNER_CONTACT,
                                                  .owner_name = i < 2 ? "floor-d3" : "floor-d90"};
  SS_CHECK (s->scene->n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX);
  SS_CHECK (ss_trajectory_new (channels, start->n_channels + 4, 1, &motion, NULL) == SS_OK);
  memcpy (motion->values, ss_trajectory_row (start, 0), (size_t)start->n_channels * sizeof (double));
  memcpy (motion->values + start->n_channels, (double[4]){0, 7, NAN, 0}, 4 * sizeof (double));
  motion->n_rows = 1;
  ss_free (channels);
  return motion;
}

/* Forces that a motion tells of some contacts are arrows of these; forces that it does not tell are made on demand. */
static void
test_forces_of_many_contacts (void)
{
  SsScenario *s = ss_test_read_text (many);
  SsTrajectory *start = NULL, *motion;
  SsView *view;
  SsMark *marks, arrows[2];
  int n_contacts, n_arrows = 0, n_points = 0;

  SS_CHECK (ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK);
  motion = with_two_contacts (s, start);
  view = make_view (s, motion);
  const SsViewContact *contacts = ss_view_contacts (view, &n_contacts);
  SS_CHECK (n_contacts == 2 && contacts[0].force_n == start->n_channels + 1 && contacts[0].force_t == -1 &&
            contacts[1].gap == start->n_channels + 2);
  SS_CHECK_STR (s->scene->contacts[contacts[1].contact].name, "floor-d90");
  marks = ss_new_array (SsMark, ss_view_n_marks (view));
  ss_view_frame (view, ss_trajectory_row (motion, 0), marks);
  for (int i = 0; i < ss_view_n_marks (view); i++) {
    n_points += marks[i].visible && marks[i].kind == SS_MARK_POINT && marks[i].role == SS_ROLE_CONTACT;
    if (!marks[i].visible || marks[i].kind != SS_MARK_ARROW)
      continue;
    n_arrows++;
    SS_CHECK (marks[i].of_contact && marks[i].vector.x == 0 && marks[i].vector.y == 7 && marks[i].position.x == 3);
    SS_CHECK_STR (marks[i].name, "floor-d3");
  }
  SS_CHECK (n_arrows == 1 && n_points == 95); /* all touch the floor */
  /* of bodies alone */
  ss_view_frame_bodies (view, ss_trajectory_row (motion, 0), marks);
  for (int i = 0; i < ss_view_n_marks (view); i++)
    SS_CHECK (!marks[i].visible || marks[i].kind != SS_MARK_ARROW);
  SS_CHECK (marks[1].visible && marks[1].kind == SS_MARK_CIRCLE);

  SsView *plain = make_view (s, start);
  const SsContactRow rows[] = {{.contact = contacts[0].contact, .lambda_n = 2},
                               {.contact = contacts[0].contact, .lambda_n = 0},
                               {.contact = contacts[1].contact, .lambda_n = 5},
                               {.contact = contacts[1].contact, .lambda_n = 6}};
  ss_view_contacts (plain, &n_contacts);
  SS_CHECK (n_contacts == 0);
  ss_view_frame (plain, ss_trajectory_row (start, 0), marks);
  SS_CHECK (ss_view_contact_forces (plain, rows, 4, arrows, 2) == 2); /* no more than there is room for */
  SS_CHECK (arrows[0].vector.y == 2 && arrows[0].position.x == 3 && arrows[1].vector.y == 5 &&
            arrows[1].position.x == 90 && arrows[1].visible);
  ss_free (marks);
  ss_view_free (plain);
  ss_view_free (view);
  ss_trajectory_free (motion);
  ss_trajectory_free (start);
  ss_scenario_free (s);
}

int
main (void)
{
  SS_RUN (test_scene_start);
  SS_RUN (test_scene_contact);
  SS_RUN (test_scene_mechanism);
  SS_RUN (test_scene_fixed_second);
  SS_RUN (test_forces_of_many_contacts);
  SS_RUN (test_model_marks);
  SS_RUN (test_missing_channel);
  SS_RUN (test_model_start);
  SS_RUN (test_bounds_of_a_point);
  SS_RUN (test_examples_draw);
  SS_RUN (test_out_of_memory);
  SS_RUN (test_all_channels);
  return ss_test_finish ();
}
