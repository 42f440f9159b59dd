/* tests/unit/test-overlays.c: what a picture of a motion shows (bounds without what flies off, chosen and followed
 * regions), what its layers draw (forces with friction, impulses, velocities, energies), marks of events, and what a
 * player reads. Truth: numbers that are put into the rows of a motion by hand.
 */
#include "app/base/ssapp-text.h"
#include "app/draw/ssapp-draw.h"
#include "app/draw/ssapp-overlays.h"
#include "app/draw/ssapp-playing.h"
#include "app/draw/ssapp-region.h"
#include "tests/ss-test-scenario.h"

#include <math.h>
#include <string.h>

/* A block of 1 m on a floor with friction 0.5, and a ball of 0.1 m beside it. */
static const char SCENE[] =
    "{\"format\": 1, \"name\": \"two\", \"scene\": {\"gravity\": [0, -10], \"friction\": 0.5, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"block\", \"mass\": 1, \"position\": [0, 0.5],"
    " \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 1}},"
    "{\"name\": \"ball\", \"mass\": 1, \"position\": [2, 0.1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]}}";

typedef struct {
  SsScenario *scenario;
  SsTrajectory *motion;
  SsView *view;
} Motion;

static void
set (SsTrajectory *motion, int row, const char *channel, double value)
{
  const int c = ss_trajectory_channel (motion, channel);

  SS_CHECK (c >= 0);
  if (c >= 0)
    motion->values[(size_t)row * (size_t)motion->n_channels + (size_t)c] = value;
}

/* n rows, 0.1 s apart, all of them the start. */
static Motion
motion_new (int n)
{
  Motion m = {0};
  SsProblems problems;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (SCENE, strlen (SCENE), "two.json", NULL, 0, &problems, &m.scenario) == SS_OK);
  ss_test_print_problems (&problems);
  ss_problems_clear (&problems);
  SS_CHECK (ss_scenario_initial_trajectory (m.scenario, &m.motion, NULL) == SS_OK);
  g_autofree double *first = /* the rows move as they grow */
      g_memdup2 (ss_trajectory_row (m.motion, 0), sizeof (double) * (gsize)m.motion->n_channels);
  for (int i = 1; i < n; i++)
    SS_CHECK (ss_trajectory_append (m.motion, first, NULL) == SS_OK);
  for (int i = 0; i < n; i++)
    set (m.motion, i, "t", 0.1 * i);
  SS_CHECK (ss_view_new (m.scenario, m.motion->channels, m.motion->n_channels, &m.view, NULL) == SS_OK);
  return m;
}

static void
motion_clear (Motion *m)
{
  ss_view_free (m->view);
  ss_trajectory_free (m->motion);
  ss_scenario_free (m->scenario);
}

static void
check_box (const double box[4], double x0, double y0, double x1, double y1)
{
  SS_CHECK_NEAR (box[0], x0, 1e-12);
  SS_CHECK_NEAR (box[1], y0, 1e-12);
  SS_CHECK_NEAR (box[2], x1, 1e-12);
  SS_CHECK_NEAR (box[3], y1, 1e-12);
}

/* ---- region ------------------------------------------------------------------------------------------------------ */

static void
what_flies_off_does_not_shrink_the_rest (void)
{
  Motion m = motion_new (11);
  double near[4], far[4], exact[4];

  /* 5 m away is a part of the picture, which has 2.6 m: up to eight times as large */
  set (m.motion, 10, "ball.x", 7);
  SS_CHECK (ssapp_region_of_motion (m.view, m.motion, near));
  ss_view_bounds (m.view, m.motion, exact);
  check_box (near, exact[0], exact[1], exact[2], exact[3]);
  check_box (near, -0.5, 0, 7.1, 1);
  /* 1 km is not: the ball is seen where it starts */
  set (m.motion, 10, "ball.x", 1000);
  SS_CHECK (ssapp_region_of_motion (m.view, m.motion, far));
  check_box (far, -0.5, 0, 2.1, 1);
  /* when all go, all are shown: there is nothing else to look at */
  set (m.motion, 10, "block.x", 1000);
  set (m.motion, 10, "block.y", 500);
  SS_CHECK (ssapp_region_of_motion (m.view, m.motion, far));
  SS_CHECK (far[2] > 1000);
  motion_clear (&m);
}

/* The foot on the ground of the middle (1, 1), of a ground through (0, -1) that rises by 3 in 4: 4/5 and 3/5 are its
 * direction, along it the middle is at 2. One that is far away is not shown. */
static void
the_ground_below_the_middle_is_shown (void)
{
  const double angle = atan2 (3, 4);
  const SsMark marks[] = {{.kind = SS_MARK_HALF_PLANE, .position = {0, -1}, .angle = angle},
                          {.kind = SS_MARK_HALF_PLANE, .position = {0, -100}, .angle = angle},
                          {.kind = SS_MARK_CIRCLE, .position = {50, 50}}};
  double box[4] = {0, 0.5, 2, 1.5};

  ssapp_region_include_grounds (marks, 3, box);
  check_box (box, 0, 0.2, 2, 1.5);
}

static void
a_run_that_diverged_does_not_shrink_the_others (void)
{
  const double boxes[][4] = {{0, 0, 2, 1}, {-1, 0, 1, 3}, {0, 0, 1e6, 1}, {NAN, 0, 1, 1}};
  double out[4];

  SS_CHECK (ssapp_region_unite (boxes, 4, out));
  check_box (out, -1, 0, 2, 3);
  SS_CHECK (ssapp_region_unite (boxes + 2, 1, out)); /* alone it is what there is */
  check_box (out, 0, 0, 1e6, 1);
  SS_CHECK (!ssapp_region_unite (boxes + 3, 1, out));
}

static void
regions_are_read_and_refused (void)
{
  double b[4] = {0};
  GError *error = NULL;

  SS_CHECK (ssapp_region_parse ("2, 1,-1,0", b, NULL));
  check_box (b, -1, 0, 2, 1);
  SS_CHECK (!ssapp_region_parse ("1,2,3", b, &error));
  SS_CHECK (error != NULL && strstr (error->message, "four numbers") != NULL);
  g_clear_error (&error);
  SS_CHECK (!ssapp_region_parse ("0,0,x,1", b, &error));
  SS_CHECK (error != NULL && strstr (error->message, "'x'") != NULL);
  g_clear_error (&error);
  SS_CHECK (!ssapp_region_parse ("0,0,0,1", b, NULL));
}

static void
zoom_keeps_the_point_below_the_pointer (void)
{
  SsappCamera before, after;
  double b[4] = {0, 0, 4, 2}, x, y;
  const SsVec2 p = {1, 0.5};

  ssapp_region_camera (b, 400, 300, &before);
  ssapp_camera_to_device (&before, p, &x, &y);
  ssapp_region_zoom (b, 2, p.x, p.y);
  ssapp_region_camera (b, 400, 300, &after);
  SS_CHECK_NEAR (after.scale, 2 * before.scale, 1e-9);
  const SsVec2 q = ssapp_camera_to_world (&after, x, y);
  SS_CHECK_NEAR (q.x, p.x, 1e-12);
  SS_CHECK_NEAR (q.y, p.y, 1e-12);
  for (int i = 0; i < 200; i++) /* it ends somewhere */
    ssapp_region_zoom (b, 10, 0, 0);
  SS_CHECK (b[2] - b[0] > 1e-7);
}

static void
a_followed_body_stays_in_the_middle (void)
{
  Motion m = motion_new (11);
  const double seen[4] = {-10, -5, 10, 5};
  SsappRegion region;
  double b[4];
  SsVec2 at;

  for (int i = 0; i <= 10; i++) {
    set (m.motion, i, "ball.x", 2 + 0.3 * i);
    set (m.motion, i, "ball.vx", 3);
  }
  ssapp_region_init (&region);
  ssapp_region_follow (&region, m.view, m.motion, 0.5, "ball", seen);
  SS_CHECK (region.is_chosen && strcmp (region.follow, "ball") == 0);
  for (double t = 0; t <= 1; t += 0.25) {
    ssapp_region_at (&region, m.view, m.motion, t, b);
    SS_CHECK (ssapp_region_body_at (m.view, m.motion, "ball", t, &at));
    SS_CHECK_NEAR ((b[0] + b[2]) / 2, at.x, 1e-12);
    SS_CHECK_NEAR ((b[1] + b[3]) / 2, at.y, 1e-12);
    SS_CHECK_NEAR (at.x, 2 + 3 * t, 1e-12);
  }
  /* nobody chose the size before: ten times the ball's 0.2 m high */
  SS_CHECK_NEAR (b[3] - b[1], 2, 1e-12);
  /* nobody: the picture stays where it is */
  ssapp_region_follow (&region, m.view, m.motion, 1, "", seen);
  ssapp_region_at (&region, m.view, m.motion, 0, b);
  SS_CHECK_NEAR ((b[0] + b[2]) / 2, 5, 1e-12);
  SS_CHECK (!ssapp_region_body_at (m.view, m.motion, "nobody", 0, &at));
  g_autoptr (GPtrArray) names = ssapp_region_list_bodies (m.view, m.motion);
  SS_CHECK (names->len == 2 && strcmp (names->pdata[0], "block") == 0 && strcmp (names->pdata[1], "ball") == 0);
  motion_clear (&m);
}

static void
words_say_how_far_away (void)
{
  g_autofree char *right = ssapp_region_away_text ("ball", 1200, 10), *up = ssapp_region_away_text ("ball", -1, 3.4),
                  *corner = ssapp_region_away_text ("a", -3, -4);

  SS_CHECK_STR (right, "ball 1.2 km right");
  SS_CHECK_STR (up, "ball 3.5 m up");
  SS_CHECK_STR (corner, "a 5 m down left");
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

static void
layers_have_names (void)
{
  guint layers = 0;
  GError *error = NULL;

  SS_CHECK (ssapp_layers_parse ("forces, cones", &layers, NULL));
  SS_CHECK (layers == (SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_FORCES | SSAPP_LAYER_CONES));
  SS_CHECK (ssapp_layers_parse ("none", &layers, NULL) && layers == SSAPP_LAYERS_CHOSEN);
  SS_CHECK (!ssapp_layers_parse ("forces,none", &layers, &error));
  SS_CHECK (error != NULL && strstr (error->message, "velocities") != NULL);
  g_clear_error (&error);
  for (int i = 0; i < SSAPP_N_LAYERS_OF_MOTION; i++) {
    SS_CHECK (ssapp_layers_parse (ssapp_layer_name (i), &layers, NULL) &&
              layers == (SSAPP_LAYERS_CHOSEN | ssapp_layer_bit (i)));
    g_autofree char *text = ssapp_layers_to_text (layers);
    SS_CHECK_STR (text, ssapp_layer_name (i));
  }
}

static const SsappOverlayArrow *
arrow_of (const SsappOverlay *overlay, SsappArrowKind kind, int skip)
{
  for (guint i = 0; i < overlay->arrows->len; i++) {
    const SsappOverlayArrow *arrow = &g_array_index (overlay->arrows, SsappOverlayArrow, i);
    if (arrow->kind == kind && skip-- == 0)
      return arrow;
  }
  return NULL;
}

static void
collect_of (Motion *m, int row, GArray *events, guint layers, const char *forces_of, SsappOverlay *overlay)
{
  const int n = ss_view_n_marks (m->view);
  g_autofree SsMark *marks = g_new0 (SsMark, n);

  ss_view_frame (m->view, ss_trajectory_row (m->motion, row), marks);
  ssapp_overlay_collect (overlay, m->view, m->scenario->scene, m->motion, ss_trajectory_row (m->motion, row), marks, n,
                         events, ssapp_impulse_hold (m->motion), layers, forces_of);
}

static void
collect (Motion *m, int row, GArray *events, guint layers, SsappOverlay *overlay)
{
  collect_of (m, row, events, layers, NULL, overlay);
}

/* Of a scene with more pairs than have channels: the contacts that have them in the motion, and of these those that
 * act. */
static void
forces_of_many_contacts (void)
{
  static const char many[] =
      "{\"format\": 1, \"name\": \"many\", \"scene\": {\"gravity\": [0, -10], \"friction\": 0.5, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"for\": \"i\", \"from\": 0, \"to\": 94, \"rows\": [{\"name\": \"d{i}\", \"mass\": 1, "
      "\"position\": [\"{i}\", 0.3], \"shape\": {\"type\": \"circle\", \"radius\": 0.3}}]}], \"contacts\": \"all\"}}";
  static const SsQuantity quantities[] = {SS_QUANTITY_GAP, SS_QUANTITY_NORMAL_FORCE, SS_QUANTITY_TANGENTIAL_FORCE};
  static const double values[] = {0, 10, -5, NAN, 0, 0}; /* of the disc at 7 and of that at 80, which does nothing */
  static const char *const contacts[] = {"floor-d7", "floor-d80"};
  Motion m = {.scenario = ss_test_read_text (many)};
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  SsTrajectory *start = NULL;
  SsappOverlay overlay;

  SS_CHECK (ss_scenario_initial_trajectory (m.scenario, &start, NULL) == SS_OK);
  const int n = start->n_channels;
  g_autofree SsChannel *channels = g_new0 (SsChannel, n + 6);
  memcpy (channels, start->channels, (gsize)n * sizeof *channels);
  for (int i = 0; i < 6; i++) {
    const SsQuantity quantity = quantities[i % 3];
    g_ptr_array_add (names, g_strdup_printf ("%s.%s", contacts[i / 3], ss_quantity_name (quantity)));
    channels[n + i] = (SsChannel){.name = g_ptr_array_index (names, (guint)i),
                                  .quantity = quantity,
                                  .unit = ss_quantity_unit (quantity),
                                  .owner = SS_OWNER_CONTACT,
                                  .owner_name = contacts[i / 3]};
  }
  SS_CHECK (ss_trajectory_new (channels, n + 6, 1, &m.motion, NULL) == SS_OK);
  memcpy (m.motion->values, ss_trajectory_row (start, 0), (gsize)n * sizeof (double));
  memcpy (m.motion->values + n, values, sizeof values);
  m.motion->n_rows = 1;
  SS_CHECK (ss_view_new (m.scenario, m.motion->channels, m.motion->n_channels, &m.view, NULL) == SS_OK);
  collect (&m, 0, NULL, SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_FORCES | SSAPP_LAYER_NORMALS, &overlay);
  const SsappOverlayArrow *force = arrow_of (&overlay, SSAPP_ARROW_FORCE, 0);
  SS_CHECK (overlay.arrows->len == 1 && overlay.points->len == 1 && force != NULL);
  if (force != NULL) {
    SS_CHECK_NEAR (force->vector.x, -5, 1e-12);
    SS_CHECK_NEAR (force->vector.y, 10, 1e-12);
    SS_CHECK_NEAR (force->at.x, 7, 1e-12);
  }
  ssapp_overlay_clear (&overlay);
  static const struct {
    const char *body;
    int sign; /* of the force on it; 0: none */
  } ones[] = {{"d7", 1}, {"floor", -1}, {"d80", 0}};
  for (gsize i = 0; i < G_N_ELEMENTS (ones); i++) { /* of one body, as they act on it */
    collect_of (&m, 0, NULL, SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_FORCES, ones[i].body, &overlay);
    force = arrow_of (&overlay, SSAPP_ARROW_FORCE, 0);
    SS_CHECK ((force != NULL) == (ones[i].sign != 0) && overlay.arrows->len <= 1);
    if (force != NULL)
      SS_CHECK_NEAR (force->vector.y, 10 * ones[i].sign, 1e-12);
    ssapp_overlay_clear (&overlay);
  }
  ss_trajectory_free (start);
  motion_clear (&m);
}

static void
forces_have_their_friction (void)
{
  Motion m = motion_new (11);
  SsappOverlay overlay;

  /* the block slides to the right: friction of half the weight to the left */
  set (m.motion, 3, "floor-block.gap", 0);
  set (m.motion, 3, "floor-block.lambda_n", 10);
  set (m.motion, 3, "floor-block.lambda_t", -5);
  set (m.motion, 3, "block.vx", 2);
  set (m.motion, 3, "energy.kinetic", 2);
  collect (&m, 3, NULL, SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_FORCES | SSAPP_LAYER_VELOCITIES | SSAPP_LAYER_ENERGIES,
           &overlay);
  const SsappOverlayArrow *force = arrow_of (&overlay, SSAPP_ARROW_FORCE, 0),
                          *velocity = arrow_of (&overlay, SSAPP_ARROW_VELOCITY, 0);
  SS_CHECK (force != NULL && velocity != NULL && arrow_of (&overlay, SSAPP_ARROW_FORCE, 1) == NULL);
  if (force != NULL && velocity != NULL) {
    SS_CHECK_NEAR (force->vector.x, -5, 1e-12);
    SS_CHECK_NEAR (force->vector.y, 10, 1e-12);
    SS_CHECK_NEAR (force->at.x, 0, 1e-12); /* in the middle of its two points */
    SS_CHECK_NEAR (velocity->vector.x, 2, 1e-12);
    SS_CHECK_NEAR (velocity->at.y, 0.5, 1e-12);
  }
  SS_CHECK_NEAR (overlay.kinetic, 2, 0);
  ssapp_overlay_clear (&overlay);

  /* points that touch: two of the block, one of the ball, each with its normal and its cone */
  collect (&m, 3, NULL, SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_CONES, &overlay);
  SS_CHECK (overlay.points->len == 3 && overlay.arrows->len == 0);
  for (guint i = 0; i < overlay.points->len; i++) {
    const SsappOverlayPoint *point = &g_array_index (overlay.points, SsappOverlayPoint, i);
    SS_CHECK_NEAR (point->normal.y, 1, 1e-12);
    SS_CHECK_NEAR (point->mu, 0.5, 0);
    SS_CHECK_NEAR (point->at.y, 0, 1e-12);
  }
  ssapp_overlay_clear (&overlay);
  SS_CHECK_NEAR (ssapp_largest_speed (m.motion), 2, 0);
  motion_clear (&m);
}

/* The ink of a mark about (0, 0). */
static void
find_ink (SsEventKind kind, int direction, double ink[4])
{
  const cairo_rectangle_t all = {-100, -100, 200, 200};
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &all);
  cairo_t *cr = cairo_create (surface);
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  ssapp_event_mark_draw (cr, &style, kind, direction, 0, 0, 10);
  cairo_recording_surface_ink_extents (surface, &ink[0], &ink[1], &ink[2], &ink[3]);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Marks stand about their place; tips of slip point both ways, each the other's mirror image. */
static void
marks_of_events_stand_about_their_place (void)
{
  for (int k = 0; k < SS_EVENT_COUNT; k++) {
    double left[4], right[4];
    find_ink ((SsEventKind)k, -1, left);
    find_ink ((SsEventKind)k, 1, right);
    SS_CHECK (left[2] > 0 && left[3] > 4 && left[2] < 32 && left[3] < 32);
    SS_CHECK_NEAR (left[0], -(right[0] + right[2]), 1.01); /* extents are whole pixels */
    SS_CHECK_NEAR (left[1] + left[3] / 2, 0, 1.01);
  }
}

static void
impulses_stay_for_a_while (void)
{
  Motion m = motion_new (101); /* 10 s: an impulse is seen for 0.2 s */
  GArray *events = g_array_new (FALSE, TRUE, sizeof (SsappRunEvent));
  const SsappRunEvent impact = {.t = 1, .kind = SS_EVENT_IMPACT, .contact = "floor-block", .impulse = 3};
  SsappOverlay overlay;

  g_array_append_val (events, impact);
  for (int row = 9; row <= 13; row += row == 11 ? 2 : 1) { /* its end, row 12, is a matter of rounding */
    collect (&m, row, events, SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_IMPULSES, &overlay);
    const SsappOverlayArrow *arrow = arrow_of (&overlay, SSAPP_ARROW_IMPULSE, 0);
    SS_CHECK ((arrow != NULL) == (row >= 10 && row <= 11));
    if (arrow != NULL) {
      SS_CHECK_NEAR (arrow->vector.y, 3, 1e-12);
      SS_CHECK_NEAR (arrow->strength, 1 - (row - 10) / 2., 1e-9); /* times are sums of 0.1 */
    }
    ssapp_overlay_clear (&overlay);
  }
  SS_CHECK_NEAR (ssapp_largest_impulse (events), 3, 0);
  g_array_unref (events);
  motion_clear (&m);
}

/* A velocity has an arrow where the motion keeps both of its parts. */
static void
half_a_velocity_has_no_arrow (void)
{
  Motion m = motion_new (2);
  const int vx = ss_trajectory_channel (m.motion, "block.vx");
  SsappOverlay overlay;

  set (m.motion, 1, "block.vx", 3);
  set (m.motion, 1, "block.vy", 4);
  set (m.motion, 1, "ball.vy", 5);
  for (int is_half = 0; is_half < 2 && vx >= 0; is_half++) {
    if (is_half)
      m.motion->channels[vx].quantity = SS_QUANTITY_POSITION_X;
    collect (&m, 1, NULL, SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_VELOCITIES, &overlay);
    const SsappOverlayArrow *first = arrow_of (&overlay, SSAPP_ARROW_VELOCITY, 0),
                            *second = arrow_of (&overlay, SSAPP_ARROW_VELOCITY, 1);
    SS_CHECK (first != NULL && first->vector.y == (is_half ? 5 : 4) && (second == NULL) == is_half);
    SS_CHECK (is_half || (second != NULL && second->vector.y == 5));
    ssapp_overlay_clear (&overlay);
  }
  motion_clear (&m);
}

static void
layers_that_are_off_are_hidden (void)
{
  for (int on = 0; on < 4; on++) {
    SsMark marks[] = {{.kind = SS_MARK_POINT, .role = SS_ROLE_CONTACT, .visible = true},
                      {.kind = SS_MARK_POINT, .role = SS_ROLE_CENTRE, .visible = true},
                      {.kind = SS_MARK_ARROW, .role = SS_ROLE_FORCE, .visible = true},
                      {.kind = SS_MARK_CIRCLE, .role = SS_ROLE_BODY, .visible = true},
                      {.kind = SS_MARK_POINT, .role = SS_ROLE_BODY, .visible = true}};
    const guint layers = (on & 1 ? SSAPP_LAYER_CONTACTS : 0) | (on & 2 ? SSAPP_LAYER_CENTRES : 0);
    ssapp_overlay_hide_marks (marks, 5, SSAPP_LAYERS_CHOSEN | layers);
    SS_CHECK (marks[0].visible == (on % 2 == 1) && marks[1].visible == (on >= 2));
    SS_CHECK (!marks[2].visible && marks[3].visible && marks[4].visible);
  }
}

static const SsVec2 triangle[] = {{-0.5, -0.3}, {0.7, -0.2}, {0.1, 0.6}};
static const SsMark some_marks[] = {
    {.kind = SS_MARK_CIRCLE, .radius = 0.45},
    {.kind = SS_MARK_POLYGON, .n_vertices = 3, .vertices = triangle},
    {.kind = SS_MARK_CAPSULE, .radius = 0.15, .n_vertices = 2, .vertices = triangle},
    {.kind = SS_MARK_SEGMENT, .vector = {0.7, 0.3}},
    {.kind = SS_MARK_SPRING, .vector = {-0.2, 0.8}},
    {.kind = SS_MARK_GEAR, .n_vertices = 3, .vertices = triangle},
    {.kind = SS_MARK_ROPE, .n_vertices = 3, .vertices = triangle},
    {.kind = SS_MARK_ROPE, .n_vertices = 3, .vertices = triangle, .vector = {0.1, -0.6}},
    {.kind = SS_MARK_POINT},
    {.kind = SS_MARK_DISTANCE, .vector = {0.7, 0.3}},
};

/* The mark, with all that it has, turned about the origin; what lies in its own frame turns with its angle. */
static SsMark
turned_mark (const SsMark *mark, double by)
{
  const double c = cos (by), s = sin (by);
  SsMark turned = *mark;

  turned.position = (SsVec2){c * mark->position.x - s * mark->position.y, s * mark->position.x + c * mark->position.y};
  if (mark->kind != SS_MARK_ROPE)
    turned.vector = (SsVec2){c * mark->vector.x - s * mark->vector.y, s * mark->vector.x + c * mark->vector.y};
  turned.angle += by;
  return turned;
}

/* A mark is hit where it is drawn, at whatever angle, and its box is that of the points where it is hit: no point lies
 * outside, and at each side one lies within a step of the grid of points that are asked. */
static void
marks_are_hit_in_their_boxes (void)
{
  enum { N = 61 };
  static const double turns[] = {0, 0.7, G_PI / 2, 2.6, -G_PI / 2, -1.1};
  static const double tolerance = 1, scale = 25; /* pixels; the grid is one of pixels */
  const SsappCamera camera = {.scale = scale, .ox = N / 2, .oy = N / 2, .width = N, .height = N};

  for (guint i = 0; i < G_N_ELEMENTS (some_marks); i++)
    for (guint t = 0; t < G_N_ELEMENTS (turns); t++) {
      SsMark mark = some_marks[i];
      double box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY}, hit[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
      int n_differ = 0;
      mark.visible = true;
      mark.position = (SsVec2){0.1234, -0.0711}; /* no point of the grid lies at just the tolerance */
      mark.angle = 0.3;
      const SsMark turned = turned_mark (&mark, turns[t]);

      for (int k = 0; k < N * N; k++) {
        const double x = k % N, y = k / N;
        const SsVec2 p = ssapp_camera_to_world (&camera, x, y);
        const double c = cos (turns[t]), s = sin (turns[t]);
        double bx, by;
        if (ssapp_hit_test (&camera, &turned, 1, x, y, tolerance) == 0) {
          hit[0] = fmin (hit[0], p.x);
          hit[1] = fmin (hit[1], p.y);
          hit[2] = fmax (hit[2], p.x);
          hit[3] = fmax (hit[3], p.y);
        }
        ssapp_camera_to_device (&camera, (SsVec2){c * p.x - s * p.y, s * p.x + c * p.y}, &bx, &by);
        n_differ += ssapp_hit_test (&camera, &mark, 1, x, y, tolerance) !=
                    ssapp_hit_test (&camera, &turned, 1, bx, by, tolerance);
      }
      SS_CHECK (n_differ == 0);
      ss_mark_include (&turned, box);
      if (mark.kind == SS_MARK_DISTANCE) { /* it does not widen a picture */
        SS_CHECK (box[0] > box[2] && hit[0] < hit[2]);
        continue;
      }
      const double reach = mark.kind == SS_MARK_POINT ? tolerance + 5 : tolerance; /* a point is a disc of 5 pixels */
      for (int side = 0; side < 4; side++) {
        const double beyond = (side < 2 ? box[side] - hit[side] : hit[side] - box[side]) * scale;
        /* The corner of an edge of 30 degrees is farther from the last point of the grid than a step. */
        SS_CHECK (beyond <= reach + 1e-9 && beyond >= reach - 2);
      }
    }
}

/* The sample of each layer beside its name lies within its square, but for half of a line and the head of an arrow, and
 * looks like no other's. */
static void
samples_of_layers_fit_their_square (void)
{
  enum { SIZE = 16, AROUND = 16, SIDE = SIZE + 2 * AROUND, MARGIN = 3 };
  cairo_surface_t *seen[SSAPP_N_LAYERS_OF_MOTION];
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  for (int layer = 0; layer < SSAPP_N_LAYERS_OF_MOTION; layer++) {
    seen[layer] = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, SIDE, SIDE);
    cairo_t *cr = cairo_create (seen[layer]);
    int inside = 0, outside = 0;
    ssapp_layer_draw_sample (cr, &style, layer, AROUND, AROUND, SIZE);
    cairo_destroy (cr);
    cairo_surface_flush (seen[layer]);
    const unsigned char *data = cairo_image_surface_get_data (seen[layer]);
    const int stride = cairo_image_surface_get_stride (seen[layer]);
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        const bool is_in = x >= AROUND - MARGIN && x < AROUND + SIZE + MARGIN && y >= AROUND - 1 && y <= AROUND + SIZE;
        if (data[y * stride + 4 * x + 3] != 0)
          *(is_in ? &inside : &outside) += 1;
      }
    SS_CHECK (inside > 20 && outside == 0);
    if (outside != 0)
      printf ("  of %s: %d pixels in its square, %d beside it\n", ssapp_layer_name (layer), inside, outside);
    for (int other = 0; other < layer; other++)
      SS_CHECK (memcmp (data, cairo_image_surface_get_data (seen[other]), (size_t)(stride * SIDE)) != 0);
  }
  for (int layer = 0; layer < SSAPP_N_LAYERS_OF_MOTION; layer++)
    cairo_surface_destroy (seen[layer]);
}

/* ---- events and player ------------------------------------------------------------------------------------------- */

static void
slips_point_where_they_go (void)
{
  Motion m = motion_new (11);
  GArray *events = g_array_new (FALSE, TRUE, sizeof (SsappRunEvent));
  const SsappRunEvent slip = {.t = 0.3, .kind = SS_EVENT_SLIP, .contact = "floor-block", .impulse = NAN};
  double t = 0;
  SsappEventTrack track = {.events = events};

  set (m.motion, 3, "floor-block.lambda_t", -5);
  g_array_append_val (events, slip);
  ssapp_run_events_find_directions (events, m.motion);
  SS_CHECK (g_array_index (events, SsappRunEvent, 0).direction == 1); /* friction is against it */
  SS_CHECK (ssapp_event_tracks_next (&track, 1, 1, &t) && t == 0.3);
  SS_CHECK (!ssapp_event_tracks_next (&track, 1, 1, &t) && t == 0.3);
  t = 1;
  SS_CHECK (ssapp_event_tracks_next (&track, 1, -1, &t) && t == 0.3);
  g_array_unref (events);
  motion_clear (&m);
}

static void
times_and_speeds_are_read (void)
{
  static const struct {
    const char *text;
    double seconds;
  } good[] = {{"0.542", 0.542}, {" 0,5 s ", 0.5}, {"542 ms", 0.542}, {"30us", 3e-5}, {"2 min", 120}, {"1e-3", 1e-3}};
  static const char *const bad[] = {"", "s", "1 km", "0.5.1", "nan", "1 s 2"};
  double t;

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++) {
    SS_CHECK (ssapp_time_parse (good[i].text, &t));
    SS_CHECK_NEAR (t, good[i].seconds, 1e-15);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    SS_CHECK (!ssapp_time_parse (bad[i], &t));
  SS_CHECK (!signbit (ssapp_text_zero (-0., 0)) && !signbit (ssapp_text_zero (-4e-4, 1e-3)));
  SS_CHECK (ssapp_text_zero (-6e-4, 1e-3) == -6e-4);
  static const struct {
    const char *format;
    double value;
    const char *text;
  } numbers[] = {{"%.2f", -0.004, "0.00"}, {"%.6g", -0., "0"}, {"%.1e", -0., "0.0e+00"}, {"%.2f", -0.006, "-0.01"}};
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autofree char *text = ssapp_text_number (numbers[i].format, numbers[i].value);
    SS_CHECK_STR (text, numbers[i].text);
  }
  static const struct {
    const char *text;
    guint most;
    const char *within;
  } fields[] = {{"-3.713906e-10", 8, "-3.7e-10"},  {"-3.713906e-10", 6, "-4e-10"},
                {"0.30000000000000004", 8, "0.3"}, {"1234567890123", 8, "1.235e12"},
                {"-0.123456789", 8, "-0.12346"},   {"3*cos(tht)", 6, "3*cos(tht)"}, /* no number */
                {"1.0000001", 9, "1.0000001"}};
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    g_autofree char *text = ssapp_text_number_within (fields[i].text, fields[i].most);
    SS_CHECK_STR (text, fields[i].within);
  }
  /* as few digits as are read as the same number: C promises that 17 are enough */
  static const struct {
    double value;
    int least;
    const char *exact;
  } exact[] = {{0.1, 1, "0.1"},     {1. / 3, 6, "0.3333333333333333"},      {20000, 1, "2e+04"},
               {20000, 6, "20000"}, {0.1 + 0.2, 15, "0.30000000000000004"}, {-0., 1, "-0"}};
  for (gsize i = 0; i < G_N_ELEMENTS (exact); i++) {
    g_autofree char *text = ssapp_text_number_exact (exact[i].value, exact[i].least);
    SS_CHECK_STR (text, exact[i].exact);
  }
  /* By the second digit; binary fractions do not show. */
  const struct {
    const char *text;
    double n_steps;
    gboolean is_round;
    const char *moved; /* NULL: no number */
  } moves[] = {{"0.3", 7, FALSE, "0.37"},      {"0.3", -30, FALSE, "0"},     {"0.3", -31, FALSE, "-0.01"},
               {"9.81", 1, FALSE, "9.91"},     {"9.81", 0.1, FALSE, "9.82"}, {"9.81", 1, TRUE, "10"},
               {"-9.81", -1, FALSE, "-9.91"},  {"0", 3, FALSE, "0.03"},      {"20", 1, FALSE, "21"},
               {"1e-05", 1, FALSE, "1.1e-05"}, {"2*r", 1, FALSE, NULL},      {"", 1, FALSE, NULL}};
  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++) {
    g_autofree char *text = ssapp_text_number_moved (moves[i].text, moves[i].n_steps, moves[i].is_round);
    SS_CHECK (text == NULL ? moves[i].moved == NULL : g_strcmp0 (text, moves[i].moved) == 0);
  }
  /* Of a slider: whole steps, and the ends as they are. */
  const struct {
    double value, low, high, step;
    const char *on;
  } slides[] = {{0.2949, 0, 1, 0.005, "0.295"},
                {0.04, 0.0401, 0.5, 0.002, "0.0401"},
                {7.6, 2, 20, 1, "8"},
                {-1e-9, -1, 1, 0.01, "0"},
                {2e12, 0, 2e12, 1e10, "2e+12"}};
  for (gsize i = 0; i < G_N_ELEMENTS (slides); i++) {
    g_autofree char *text = ssapp_text_number_on (slides[i].value, slides[i].low, slides[i].high, slides[i].step);
    SS_CHECK_STR (text, slides[i].on);
  }
  g_autofree char *slow = ssapp_speed_text (1. / 16), *fast = ssapp_speed_text (4), *one = ssapp_frames_text (1),
                  *many = ssapp_frames_text (1001);
  SS_CHECK_STR (slow, "1/16×");
  SS_CHECK_STR (fast, "4×");
  SS_CHECK_STR (one, "1 frame");
  SS_CHECK_STR (many, "1\u2009001 frames");
}

int
main (void)
{
  SS_RUN (what_flies_off_does_not_shrink_the_rest);
  SS_RUN (the_ground_below_the_middle_is_shown);
  SS_RUN (a_run_that_diverged_does_not_shrink_the_others);
  SS_RUN (regions_are_read_and_refused);
  SS_RUN (zoom_keeps_the_point_below_the_pointer);
  SS_RUN (a_followed_body_stays_in_the_middle);
  SS_RUN (words_say_how_far_away);
  SS_RUN (layers_have_names);
  SS_RUN (forces_have_their_friction);
  SS_RUN (forces_of_many_contacts);
  SS_RUN (marks_of_events_stand_about_their_place);
  SS_RUN (impulses_stay_for_a_while);
  SS_RUN (half_a_velocity_has_no_arrow);
  SS_RUN (layers_that_are_off_are_hidden);
  SS_RUN (marks_are_hit_in_their_boxes);
  SS_RUN (samples_of_layers_fit_their_square);
  SS_RUN (slips_point_where_they_go);
  SS_RUN (times_and_speeds_are_read);
  return ss_test_finish ();
}
