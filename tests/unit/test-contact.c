/* tests/unit/test-contact.c: one contact in numbers, words and pictures: blocks and discs on an incline, on a floor and
 * in the air against closed forms, in either order of the bodies; cones, hits of the pointer, the watch of a selection.
 *
 * The integrator's force on a resting face and a rolling disc is the closed form up to its own solver's rounding, for
 * the acceleration is constant: 1e-6 of the number leaves room for that and for nothing else.
 */
#include "app/draw/ssapp-contact.h"
#include "app/job/ssapp-forces.h"
#include "app/session/ssapp-contact-watch.h"
#include "simulate/ss-simulate.h"
#include "tests/ss-test-document.h"
#include "tests/ss-test-simulate.h"

static const double g = 9.81, slope = 20 * G_PI / 180, exact = 1e-6;

/* A body of 2 kg that touches a plane which falls to the right by 20 degrees, or a floor (`angle` 0), with an initial
 * velocity along it; `order`: which of the two the contact names first. */
static SsappDocument *
on_a_plane (const char *shape, double above, double angle, double mu, double speed, const char *more, gboolean swapped)
{
  const double degrees = angle * 180 / G_PI, s = sin (angle), c = cos (angle);
  g_autofree char *text = g_strdup_printf (
      "{\"format\": 1, \"name\": \"plane\", \"scene\": {\"friction\": %.17g, \"bodies\": ["
      "{\"name\": \"plane\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [%.17g, %.17g]}},"
      "{\"name\": \"body\", \"shape\": %s, \"mass\": 2, \"position\": [%.17g, %.17g], \"angle\": %.17g,"
      " \"velocity\": [%.17g, %.17g]%s}], \"contacts\": [{\"bodies\": [%s]}]},"
      "\"task\": {\"t_end\": 0.3, \"dt\": 0.005}}",
      mu, s, c, shape, above * s, above * c, -degrees * G_PI / 180, speed * c, -speed * s, more,
      swapped ? "\"body\", \"plane\"" : "\"plane\", \"body\"");
  return open_text (text);
}

static const char box[] = "{\"type\": \"box\", \"width\": 0.6, \"height\": 0.3}",
                  disc[] = "{\"type\": \"circle\", \"radius\": 0.2}";

/* The contact at the end of 0.3 s. */
static SsappContactReading
at_the_end (SsappDocument *document)
{
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  SsTestRun run = ss_test_simulate (scene, &ss_integrator_stewart_trinkle, NULL, 0.005, 0.3, NULL);
  SsappContactChannels channels = {0};
  SsappContactReading reading = {0};
  g_autofree double *row = g_new (double, run.trajectory->n_channels);

  SS_CHECK (ssapp_contact_read_motion (scene, 0, &channels, run.trajectory, 0.3, FALSE, row, &reading));
  ss_trajectory_free (run.trajectory);
  return reading;
}

static void
check_words (char *is, const char *wanted)
{
  SS_CHECK_STR (is, wanted);
  g_free (is);
}

/* ---- slipping and sticking --------------------------------------------------------------------------------------- */

static void
test_a_block_slides_down (void)
{
  for (int swapped = 0; swapped < 2; swapped++) {
    g_autoptr (SsappDocument) document = on_a_plane (box, 0.15, slope, 0.3, 0, "", swapped == 1);
    SsappContactReading r = at_the_end (document);
    const double normal = 2 * g * cos (slope), speed = g * (sin (slope) - 0.3 * cos (slope)) * 0.3;

    SS_CHECK (r.state == SSAPP_CONTACT_SLIPPING && r.n_points == 2 && r.is_closed);
    SS_CHECK (r.is_on_a == (swapped == 1));
    SS_CHECK_NEAR (r.normal_force, normal, exact * normal);
    SS_CHECK_NEAR (fabs (r.tangential_force), 0.3 * normal, exact * normal);
    SS_CHECK (r.tangential_force * r.slip < 0); /* friction is against the slip */
    SS_CHECK_NEAR (fabs (r.slip), speed, exact);
    SS_CHECK_NEAR (r.share, 1, exact);
    /* friction at half the height tips the block forward: (N2 - N1) w = 2 F h / 2 */
    for (int i = 0; i < 2; i++) {
      const SsVec2 p = r.is_on_a ? r.points[i].a : r.points[i].b;
      const double ahead = p.x > r.at.x ? 1 : -1;
      SS_CHECK_NEAR (r.points[i].normal_force, normal / 2 + ahead * 0.3 * normal * 0.15 / 0.6, exact * normal);
      SS_CHECK_NEAR (r.points[i].tangential_force / r.points[i].normal_force, r.tangential_force / r.normal_force,
                     exact);
    }
    SS_CHECK_NEAR (r.mu_other, tan (slope), exact);
    check_words (ssapp_contact_describe_state (&r), "Slides down, 0.177 m/s");
    check_words (ssapp_contact_describe_friction (&r), "5.531 N, all of the cone");
    check_words (ssapp_contact_describe_normal (&r), "18.44 N");
    check_words (ssapp_contact_describe_gap (&r), "0 mm at both points");
    check_words (ssapp_contact_describe_margin (&r), "Would stick from µ 0.364");
  }
}

static void
test_a_block_sticks (void)
{
  g_autoptr (SsappDocument) document = on_a_plane (box, 0.15, slope, 0.5, 0, "", FALSE);
  SsappContactReading r = at_the_end (document);

  SS_CHECK (r.state == SSAPP_CONTACT_STICKING);
  SS_CHECK_NEAR (r.slip, 0, exact);
  SS_CHECK_NEAR (r.mu_other, tan (slope), exact);
  SS_CHECK_NEAR (r.share, tan (slope) / 0.5, exact);
  check_words (ssapp_contact_describe_state (&r), "Sticks");
  check_words (ssapp_contact_describe_friction (&r), "6.71 N, 73 % of the cone");
  check_words (ssapp_contact_describe_margin (&r), "Would slip below µ 0.364");
}

/* What else acts on the block is not told apart from the contact: then only the sum is known. */
static void
test_parts_are_not_guessed (void)
{
  g_autoptr (SsappDocument) document = on_a_plane (box, 0.15, slope, 0.5, 0, ", \"lock\": [\"theta\"]", FALSE);
  SsappContactReading r = at_the_end (document);

  SS_CHECK (r.n_points == 2 && isnan (r.points[0].normal_force) && isnan (r.points[1].tangential_force));
}

/* A disc that slides and spins up needs a third of the friction to roll, for half of it goes into the spin. */
static void
test_a_disc_rolls_or_slides (void)
{
  g_autoptr (SsappDocument) slides = on_a_plane (disc, 0.2, slope, 0.05, 0, "", FALSE),
                            rolls = on_a_plane (disc, 0.2, slope, 0.5, 0, "", FALSE),
                            locked = on_a_plane (disc, 0.2, slope, 0.05, 0, ", \"lock\": [\"theta\"]", FALSE);
  SsappContactReading r = at_the_end (slides);

  SS_CHECK (r.state == SSAPP_CONTACT_SLIPPING && r.n_points == 1);
  SS_CHECK_NEAR (r.mu_other, tan (slope) / 3, exact);
  /* slip of the rim: g sin - mu g cos - r (mu m g cos r / (m r^2 / 2)) = g (sin - 3 mu cos) */
  SS_CHECK_NEAR (fabs (r.slip), g * (sin (slope) - 3 * 0.05 * cos (slope)) * 0.3, exact);
  r = at_the_end (rolls);
  SS_CHECK (r.state == SSAPP_CONTACT_STICKING);
  SS_CHECK_NEAR (r.mu_other, tan (slope) / 3, exact);
  r = at_the_end (locked);
  SS_CHECK (r.state == SSAPP_CONTACT_SLIPPING);
  SS_CHECK_NEAR (r.mu_other, tan (slope), exact);
}

static void
test_slides_on_a_floor (void)
{
  g_autoptr (SsappDocument) rough = on_a_plane (box, 0.15, 0, 0.1, -2, "", FALSE),
                            smooth = on_a_plane (box, 0.15, 0, 0, 2, "", TRUE);
  SsappContactReading r = at_the_end (rough);

  SS_CHECK (r.state == SSAPP_CONTACT_SLIPPING);
  SS_CHECK_NEAR (r.mu_other, 0, exact);
  check_words (ssapp_contact_describe_state (&r), "Slides to the left, 1.71 m/s");
  check_words (ssapp_contact_describe_margin (&r), "Slows down; holds from µ 0.000 once it stands");
  r = at_the_end (smooth);
  SS_CHECK (r.state == SSAPP_CONTACT_SLIPPING && isnan (r.share));
  check_words (ssapp_contact_describe_state (&r), "Slides to the right, 2 m/s");
  check_words (ssapp_contact_describe_friction (&r), "0 N");
}

/* ---- apart, and without a motion --------------------------------------------------------------------------------- */

static void
test_in_the_air (void)
{
  g_autoptr (SsappDocument) document = on_a_plane (disc, 2.2, 0, 0.3, 0, "", FALSE);
  SsappContactReading r = at_the_end (document), sketch;

  SS_CHECK (r.state == SSAPP_CONTACT_OPEN && !r.is_closed && r.n_points == 1);
  SS_CHECK_NEAR (r.gap_rate, -g * 0.3, exact);
  SS_CHECK (isnan (r.mu_other));
  check_words (ssapp_contact_describe_state (&r), "Open, closing at 2.94 m/s");
  check_words (ssapp_contact_describe_margin (&r), "");
  SS_CHECK (ssapp_contact_read_sketch (ssapp_document_get_scenario (document)->scene, 0, &sketch));
  SS_CHECK (sketch.state == SSAPP_CONTACT_PLACED && isnan (sketch.normal_force));
  SS_CHECK_NEAR (sketch.gap, 2, 1e-12);
  SS_CHECK_NEAR (sketch.points[0].b.y - sketch.points[0].a.y, 2, 1e-12);
  check_words (ssapp_contact_describe_state (&sketch), "Apart");
  check_words (ssapp_contact_describe_gap (&sketch), "2.000 m");
}

/* The parts of two points are told by the balance of moments, but where something else acts on the body, too. */
static void
test_parts_of_what_else_pulls (void)
{
  static const char spring[] = "\"springs\": [{\"bodies\": [\"world\", \"body\"], \"points\": [[0, 0.5], [0, 0.5]], "
                               "\"stiffness\": 1}],";

  for (int is_held = 0; is_held < 2; is_held++) {
    g_autofree char *text = g_strdup_printf (
        "{\"format\": 1, \"name\": \"held\", \"scene\": {%s \"bodies\": ["
        "{\"name\": \"plane\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
        "{\"name\": \"body\", \"shape\": %s, \"mass\": 2, \"position\": [0, 0.15]}], \"contacts\": "
        "[{\"bodies\": [\"plane\", \"body\"]}]}, \"task\": {\"t_end\": 0.3, \"dt\": 0.005}}",
        is_held ? spring : "", box);
    g_autoptr (SsappDocument) document = open_text (text);
    const SsappContactReading r = at_the_end (document);
    SS_CHECK (r.n_points == 2 && r.normal_force > 0);
    SS_CHECK (isnan (r.points[0].normal_force) == is_held);
  }
}

/* What a motion does not keep is not made up. */
static void
test_without_forces (void)
{
  g_autoptr (SsappDocument) document = on_a_plane (box, 0.15, 0, 0.3, 0, "", FALSE);
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  const char *const names[] = {"t", "body.x", "body.y", "body.theta"};
  const double rows[2][4] = {{0, 0, 0.15, 0}, {1, 0.5, 0.15, 0}};
  SsTrajectory *trajectory = NULL;
  SsappContactChannels channels = {0};
  SsappContactReading r;
  SsError err;
  double row[4];

  SS_CHECK (ss_trajectory_new_named (names, 4, 2, &trajectory, &err) == SS_OK);
  for (int i = 0; i < 2; i++)
    SS_CHECK (ss_trajectory_append (trajectory, rows[i], &err) == SS_OK);
  SS_CHECK (ssapp_contact_read_motion (scene, 0, &channels, trajectory, 0.5, FALSE, row, &r));
  SS_CHECK_NEAR (r.at.x, 0.25, 1e-12);
  SS_CHECK (r.state == SSAPP_CONTACT_TOUCHING && isnan (r.normal_force));
  check_words (ssapp_contact_describe_state (&r), "Touches, forces not kept");
  check_words (ssapp_contact_describe_normal (&r), "not kept");
  ss_trajectory_free (trajectory);
}

/* ---- pictures and pointer ---------------------------------------------------------------------------------------- */

/* The cone's half angle is that of friction, about the normal towards the body that moves. */
static void
test_cone (void)
{
  for (int swapped = 0; swapped < 2; swapped++) {
    g_autoptr (SsappDocument) document = on_a_plane (box, 0.15, slope, 0.3, 0, "", swapped == 1);
    SsappContactReading r;
    SsVec2 axis, edges[2];

    SS_CHECK (ssapp_contact_read_sketch (ssapp_document_get_scenario (document)->scene, 0, &r));
    ssapp_contact_cone (&r, &axis, edges);
    SS_CHECK_NEAR (axis.x, sin (slope), 1e-12);
    SS_CHECK_NEAR (axis.y, cos (slope), 1e-12);
    for (int i = 0; i < 2; i++)
      SS_CHECK_NEAR (acos (edges[i].x * axis.x + edges[i].y * axis.y), atan (0.3), 1e-12);
    SS_CHECK_NEAR (edges[0].x * edges[1].x + edges[0].y * edges[1].y, cos (2 * atan (0.3)), 1e-12);
  }
}

static void
test_pressed (void)
{
  g_autoptr (SsappDocument) document = open_text (
      "{\"format\": 1, \"name\": \"hit\", \"scene\": {\"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}, \"mass\": 1,"
      " \"position\": [0, 0.25]},"
      "{\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [0.8, 0.4]},"
      "{\"name\": \"far\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [0, 9]},"
      "{\"name\": \"tiny\", \"shape\": {\"type\": \"circle\", \"radius\": 0.02}, \"mass\": 1, \"position\": [2, "
      "0.02]}]},"
      "\"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  const SsappCamera camera = {.scale = 200, .ox = 300, .oy = 400, .width = 900, .height = 500};
  const int floor_box = ssapp_contact_find (scene, "box", "floor"),
            box_disc = ssapp_contact_find (scene, "box", "disc"),
            floor_tiny = ssapp_contact_find (scene, "floor", "tiny");
  const struct {
    double x, y; /* m */
    int wanted;
  } presses[] = {{-0.5, 0, floor_box}, {0.5, 0.01, floor_box}, {0.55, 0.4, box_disc}, /* 0.1 m apart: between them */
                 {0, 0.25, -1},        {0.8, 0.4, -1},         {0.2, 0, -1},          /* the middle of a face */
                 {2, 0, floor_tiny},   {2, 0.02, -1},          {0, 4, -1}};           /* 8 m apart: no line    */

  SS_CHECK (floor_box >= 0 && box_disc >= 0 && floor_tiny >= 0);
  for (guint i = 0; i < G_N_ELEMENTS (presses); i++) {
    double x, y;
    ssapp_camera_to_device (&camera, (SsVec2){presses[i].x, presses[i].y}, &x, &y);
    SS_CHECK (ssapp_contact_hit (scene, NULL, 0, NULL, &camera, x, y, 7) == presses[i].wanted);
  }
  SS_CHECK (ssapp_contact_find (scene, "box", "nobody") == -1);
}

/* Drawing touches the pixels at the contact, and none of a picture far from it. */
static void
test_drawn (void)
{
  g_autoptr (SsappDocument) document = on_a_plane (box, 0.15, slope, 0.3, 0, "", FALSE);
  SsappContactReading r = at_the_end (document);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 400, 300);
  cairo_t *cr = cairo_create (surface);
  SsappCamera camera = {.scale = 200, .ox = 200, .oy = 150, .width = 400, .height = 300};
  SsappStyle style;
  double x0, y0, x1, y1, x, y;
  cairo_surface_t *record = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *recorder = cairo_create (record);

  ssapp_style_init (&style, FALSE);
  ssapp_contact_draw (cr, &style, &camera, &r, 2);
  ssapp_contact_draw_gauge (cr, &style, 200, 40, &r);
  SS_CHECK (cairo_status (cr) == CAIRO_STATUS_SUCCESS);
  ssapp_contact_draw (recorder, &style, &camera, &r, 2);
  cairo_recording_surface_ink_extents (record, &x0, &y0, &x1, &y1);
  ssapp_camera_to_device (&camera, r.at, &x, &y);
  SS_CHECK (x0 < x && y0 < y && x0 + x1 > x && y0 + y1 > y);
  SS_CHECK (x1 < 300 && y1 < 300);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  cairo_destroy (recorder);
  cairo_surface_destroy (record);
}

/* ---- all forces at a state --------------------------------------------------------------------------------------- */

/* A block of 2 kg that slides at 3 m/s: m g, and friction against its way, whichever body is
 * listed first; the state is the start's, or a row's; words, table and JSON have the numbers. */
static void
test_forces_at_a_state (void)
{
  static const char *const bodies[] = {
      "{\"name\": \"block\", \"mass\": 2, \"position\": [0.3, 0.1], \"velocity\": [-3, 0], \"shape\": {\"type\": "
      "\"box\", "
      "\"width\": 0.4, \"height\": 0.2}}",
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}",
      "{\"name\": \"top\", \"mass\": 1, \"position\": [5, 5], \"angle\": 0.2, \"angular_velocity\": 4, \"velocity\": "
      "[1, 2], "
      "\"shape\": {\"type\": \"circle\", \"radius\": 0.1}}"};
  static const int orders[][3] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {0, 2, 1}, {1, 2, 0}};
  const double mu = 0.25, weight = 2 * g;

  for (gsize k = 0; k < G_N_ELEMENTS (orders); k++) {
    g_autofree char *text =
        g_strdup_printf ("{\"format\": 1, \"name\": \"forces\", \"scene\": {\"gravity\": [0, -9.81], "
                         "\"friction\": 0.25, \"bodies\": [%s, %s, %s], \"contacts\": \"all\"}, "
                         "\"task\": {\"t_end\": 0.1, \"dt\": 0.01}}",
                         bodies[orders[k][0]], bodies[orders[k][1]], bodies[orders[k][2]]);
    g_autoptr (SsappDocument) document = open_text (text);
    const SsScenario *scenario = ssapp_document_get_scenario (document);
    const SsScene *scene = scenario->scene;
    SsTrajectory *start = NULL;
    double q[9], v[9], q_row[9], v_row[9];
    SsForces *forces = NULL;
    double normal = 0, tangential = 0;

    SS_CHECK (ss_scenario_initial_trajectory (scenario, &start, NULL) == SS_OK);
    ssapp_forces_start (scene, q, v);
    SS_CHECK (ssapp_forces_state (scene, start, ss_trajectory_row (start, 0), q_row, v_row, NULL));
    for (int i = 0; i < 9; i++) {
      SS_CHECK (q[i] == scene->bodies[i / 3].q[i % 3] && v[i] == scene->bodies[i / 3].v[i % 3]);
      SS_CHECK (q_row[i] == q[i] && v_row[i] == v[i]);
    }
    SS_CHECK (ss_forces_at (scene, 0, q, v, NAN, &forces, NULL) == SS_OK);
    for (int i = 0; i < forces->n; i++) {
      const SsForceItem *item = &forces->items[i];
      const double sign = strcmp (scene->bodies[item->body[1]].name, "block") == 0 ? 1 : -1;
      if (item->kind != SS_FORCE_OF_CONTACT || item->state == SS_FORCE_IS_APART)
        continue;
      g_autofree char *words = ssapp_forces_words (scene, item);
      normal += item->normal;
      tangential += sign * item->force.x;
      SS_CHECK_CONTAINS (words, "normal 19.62 N, friction ");
      SS_CHECK_CONTAINS (words, "4.905 N, slips");
    }
    SS_CHECK_NEAR (normal, weight, exact * weight);
    SS_CHECK_NEAR (tangential, mu * weight, exact * weight); /* against its way to the left */
    json_t *json = ssapp_forces_to_json (scene, 0, forces), *acceleration = json_object_get (json, "acceleration");
    static const struct {
      const char *body;
      double x, y;
    } wanted[] = {{"block", 0.25 * 9.81, 0}, {"floor", 0, 0}, {"top", 0, -9.81}};
    for (gsize b = 0; b < G_N_ELEMENTS (wanted); b++) {
      const json_t *of = json_object_get (acceleration, wanted[b].body);
      SS_CHECK_NEAR (json_number_value (json_array_get (of, 0)), wanted[b].x, exact * g);
      SS_CHECK_NEAR (json_number_value (json_array_get (of, 1)), wanted[b].y, exact * g);
      SS_CHECK_NEAR (json_number_value (json_array_get (of, 2)), 0, 1e-4); /* over the half width, by its inertia */
    }
    json_decref (json);
    ss_forces_free (forces);
    ss_trajectory_free (start);
  }
}

/* ---- the watch --------------------------------------------------------------------------------------------------- */

static void
count (gpointer object, int *n)
{
  (void)object;
  ++*n;
}

static void
test_watch (void)
{
  g_autoptr (SsappDocument) document = on_a_plane (box, 0.15, slope, 0.3, 0, "", FALSE);
  g_autoptr (SsappContactWatch) watch = ssapp_contact_watch_new (document);
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  SsTestRun run = ss_test_simulate (scene, &ss_integrator_stewart_trinkle, NULL, 0.005, 0.3, NULL);
  int n = 0;

  g_signal_connect (watch, "changed", G_CALLBACK (count), &n);
  ssapp_contact_watch_show_sketch (watch);
  SS_CHECK (ssapp_contact_watch_get (watch) == NULL && n == 0); /* nothing selected: nobody is woken */
  ssapp_document_select_item (document, "scene.contacts{plane,body}");
  ssapp_contact_watch_show_sketch (watch);
  SS_CHECK (ssapp_contact_watch_get (watch) != NULL && n == 1 && isnan (ssapp_contact_watch_get_time (watch)));
  SS_CHECK_STR (ssapp_contact_watch_get_name (watch), "plane-body");
  ssapp_contact_watch_show_motion (watch, scene, run.trajectory, 0.15, FALSE);
  SS_CHECK_NEAR (ssapp_contact_watch_get_time (watch), 0.15, 0);
  SS_CHECK (ssapp_contact_watch_get (watch)->state == SSAPP_CONTACT_SLIPPING);
  for (int row = 20; row < 22; row++)
    ssapp_contact_watch_show_row (watch, scene, run.trajectory->channels, run.trajectory->n_channels,
                                  ss_trajectory_row (run.trajectory, row), 0.005);
  SS_CHECK_NEAR (ssapp_contact_watch_get (watch)->mu_other, tan (slope), exact);
  ssapp_document_select (document, "body");
  ssapp_contact_watch_show_sketch (watch);
  SS_CHECK (ssapp_contact_watch_get (watch) == NULL && ssapp_contact_watch_get_name (watch) == NULL);
  ss_trajectory_free (run.trajectory);
}

int
main (void)
{
  SS_RUN (test_a_block_slides_down);
  SS_RUN (test_a_block_sticks);
  SS_RUN (test_parts_are_not_guessed);
  SS_RUN (test_a_disc_rolls_or_slides);
  SS_RUN (test_slides_on_a_floor);
  SS_RUN (test_in_the_air);
  SS_RUN (test_parts_of_what_else_pulls);
  SS_RUN (test_without_forces);
  SS_RUN (test_cone);
  SS_RUN (test_pressed);
  SS_RUN (test_drawn);
  SS_RUN (test_forces_at_a_state);
  SS_RUN (test_watch);
  return ss_test_finish ();
}
