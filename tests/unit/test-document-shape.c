/* tests/unit/test-document-shape.c: shapes drawn as bodies and into bodies, polygons in convex pieces, corners as a
 * list and one by one, what a body weighs, welds and torsion springs; without a window. */

#include "app/document/ssapp-convex.h"
#include "tests/ss-test-document.h"

/* Numbers go through decimal text of 17 digits and a rounding to a nanometre. */
#define TYPED 1e-9

static const SsScene *
scene_of (SsappDocument *document)
{
  return ssapp_document_get_scenario (document)->scene;
}

static void
accept (gboolean done, GError *error)
{
  SS_CHECK (done && error == NULL);
  if (error != NULL)
    printf ("%s\n", error->message);
  g_clear_error (&error);
}

static void
refused (gboolean done, GError **error, const char *reason)
{
  SS_CHECK (!done && *error != NULL);
  SS_CHECK_CONTAINS (*error != NULL ? (*error)->message : "", reason);
  g_clear_error (error);
}

/* ---- convex pieces ----------------------------------------------------------------------------------------------- */

static double
area_of (const SsVec2 *p, guint n)
{
  double twice = 0;

  for (guint i = 0; i < n; i++)
    twice += p[i].x * p[(i + 1) % n].y - p[(i + 1) % n].x * p[i].y;
  return twice / 2;
}

static gboolean
is_convex (const GArray *corners)
{
  const SsVec2 *p = (const SsVec2 *)(const void *)corners->data;
  const guint n = corners->len;

  for (guint i = 0; i < n; i++) {
    SsVec2 a = p[i], b = p[(i + 1) % n], c = p[(i + 2) % n];
    if (!((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0))
      return FALSE;
  }
  return n >= 3;
}

/* Pieces are convex and their areas add up to the polygon's; their number. */
static guint
check_split (const SsVec2 *points, int n)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) pieces = ssapp_convex_split (points, n, &error);
  const double whole = fabs (area_of (points, (guint)n));
  double sum = 0;

  SS_CHECK (pieces != NULL && error == NULL);
  for (guint i = 0; pieces != NULL && i < pieces->len; i++) {
    const GArray *piece = g_ptr_array_index (pieces, i);
    SS_CHECK (is_convex (piece));
    sum += area_of ((const SsVec2 *)(const void *)piece->data, piece->len);
  }
  SS_CHECK_NEAR (sum, whole, 1e-9 * whole);
  g_clear_error (&error);
  return pieces != NULL ? pieces->len : 0;
}

static void
test_convex_pieces (void)
{
  const SsVec2 square[] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, /* clockwise */
      corner[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
               straight[] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {0, 1}},
               comb[] = {{0, 0}, {5, 0}, {5, 2}, {4, 2}, {4, 1}, {3, 1},
                         {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
               crossing[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}}, line[] = {{0, 0}, {1, 0}, {2, 0}};
  SsVec2 star[20];
  GError *error = NULL;

  SS_CHECK (check_split (square, 4) == 1);
  SS_CHECK (check_split (corner, 6) == 2);
  SS_CHECK (check_split (straight, 5) == 1); /* the corner on the line goes */
  SS_CHECK (check_split (comb, 12) <= 6);
  for (int i = 0; i < 20; i++) {
    double r = i % 2 == 0 ? 1 : 0.35, a = G_PI * i / 10;
    star[i] = (SsVec2){r * cos (a), r * sin (a)};
  }
  SS_CHECK (check_split (star, 20) <= 12); /* ten tips and what is between them */
  refused (ssapp_convex_split (crossing, 4, &error) != NULL, &error, "cross");
  refused (ssapp_convex_split (line, 3, &error) != NULL, &error, "no area");
  refused (ssapp_convex_split (line, 2, &error) != NULL, &error, "three corners");
}

/* Random simple polygons: radii about a point, in the order of their angles. */
static void
test_convex_pieces_of_random_polygons (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (int k = 0; k < 200; k++) {
    SsVec2 points[40];
    const int n = g_rand_int_range (rand, 4, 40);
    for (int i = 0; i < n; i++) {
      const double a = 2 * G_PI * i / n, r = g_rand_double_range (rand, 0.2, 1);
      points[i] = (SsVec2){5 + r * cos (a), -3 + r * sin (a)};
    }
    check_split (points, n);
  }
}

/* ---- new bodies -------------------------------------------------------------------------------------------------- */

static void
test_new_bodies (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  g_autofree char *before = g_strdup (ssapp_document_get_text (document)), *words = NULL, *name = NULL;
  const SsVec2 ends[] = {{0, 1}, {3, 5}}, wall[] = {{-1, 0}, {1, 0}}, click[] = {{2, 2}, {2, 2}},
               corners[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  GError *error = NULL;
  const SsBody *body;

  /* A capsule of length 5 at an angle of atan2 (4, 3), a tenth of it thick; the next one is as thick. */
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_CAPSULE, ends, 2, NULL, &error), error);
  body = &scene_of (document)->bodies[0];
  SS_CHECK (body->shape.kind == SS_SHAPE_CAPSULE && !body->is_fixed);
  SS_CHECK_STR (ssapp_document_get_selected (document), "capsule");
  SS_CHECK_NEAR (body->shape.vertices[1].x, 2.5, TYPED);
  SS_CHECK_NEAR (body->shape.radius, 0.5, TYPED);
  SS_CHECK_NEAR (body->q[2], atan2 (4, 3), TYPED);
  SS_CHECK_NEAR (body->q[1], 3, TYPED);
  SS_CHECK_NEAR (body->mass, 4 * (G_PI * 0.25 + 5), 1e-12 * body->mass); /* a density of 4 kg/m2 */
  accept (ssapp_document_place_shape (document, SSAPP_SHAPE_CAPSULE, (SsVec2){0, 9}, NULL, &error), error);
  SS_CHECK_NEAR (scene_of (document)->bodies[1].shape.radius, 0.5, TYPED);
  SS_CHECK_NEAR (scene_of (document)->bodies[1].shape.vertices[0].x, -0.5, TYPED);
  /* A segment is a wall. */
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_SEGMENT, wall, 2, NULL, &error), error);
  body = &scene_of (document)->bodies[2];
  SS_CHECK (body->shape.kind == SS_SHAPE_SEGMENT && body->is_fixed);
  accept (ssapp_document_set_fixed (document, 2, FALSE, &error), error);
  SS_CHECK (scene_of (document)->bodies[2].mass == 1);
  /* A concave polygon: two shapes whose matter is that of the corner: area 3, centroid (5/6, 5/6). */
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_POLYGON, corners, 6, NULL, &error), error);
  body = &scene_of (document)->bodies[3];
  SS_CHECK (body->n_shapes == 2);
  SS_CHECK_NEAR (body->mass, 12, 1e-9);
  SS_CHECK_NEAR (body->q[0], 5. / 6, 1e-9);
  SS_CHECK_NEAR (body->q[1], 5. / 6, 1e-9);
  words = ssapp_document_describe_mass (document, 3);
  SS_CHECK_CONTAINS (words, "Mass 12 kg");
  SS_CHECK_CONTAINS (words, "0.8333, 0.8333 m");
  name = ssapp_document_name_shape (document, 3, 1);
  SS_CHECK_STR (name, "Shape 2: Polygon");
  refused (ssapp_document_draw_shape (document, SSAPP_SHAPE_POLYGON, corners, 2, NULL, &error), &error,
           "three corners");
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_BOX, click, 2, NULL, &error), error);
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_DISC, click, 2, NULL, &error), error);
  for (int i = 0; i < 7; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
}

/* ---- several shapes ---------------------------------------------------------------------------------------------- */

static void
test_more_shapes (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const SsVec2 box[] = {{-1, -0.25}, {1, 0.25}}, turned[] = {{-0.25, 1}, {0.25, 2}}, end[] = {{2, 0}, {2.5, 0}},
               bar[] = {{0, 0}, {0, 3}};
  g_autofree char *path = NULL;
  GError *error = NULL;
  const SsBody *body;

  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_BOX, box, 2, NULL, &error), error);
  const double density = scene_of (document)->bodies[0].mass / 1; /* 2 m x 0.5 m */
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_DISC, end, 2, "box", &error), error);
  body = &scene_of (document)->bodies[0];
  SS_CHECK (body->n_shapes == 2 && body->shapes[1].kind == SS_SHAPE_CIRCLE);
  SS_CHECK_STR (ssapp_document_get_selected (document), "box");
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Add a shape to box");
  /* The matter of both: the box about the origin, the disc of radius 1/2 about (2, 0). */
  const double disc = G_PI / 4, mass = density * (1 + disc), x = 2 * disc / (1 + disc);
  SS_CHECK_NEAR (body->mass, mass, 1e-5 * mass);
  SS_CHECK_NEAR (body->q[0], x, 1e-9);
  /* In a body that is turned a box stands as it was drawn. */
  accept (ssapp_document_set_pose (document, "scene.bodies[0]", (double[3]){1, 2, G_PI / 6}, &error), error);
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_BOX, turned, 2, "box", &error), error);
  body = &scene_of (document)->bodies[0];
  SS_CHECK (body->n_shapes == 3);
  for (int k = 0; k < 4; k++) {
    const SsVec2 v = body->shapes[2].vertices[k];
    const double wx = body->q[0] + cos (body->q[2]) * v.x - sin (body->q[2]) * v.y,
                 wy = body->q[1] + sin (body->q[2]) * v.x + cos (body->q[2]) * v.y;
    SS_CHECK_NEAR (fabs (wx), 0.25, 5e-9);
    SS_CHECK_NEAR (fabs (wy - 1.5), 0.5, 5e-9);
  }
  /* Capsule and segment by their ends; shapes are taken out again, the last one not. */
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_CAPSULE, bar, 2, "box", &error), error);
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_SEGMENT, bar, 2, "box", &error), error);
  SS_CHECK (scene_of (document)->bodies[0].n_shapes == 5);
  static const char *const nowhere[] = {"scene.bodies[0].shapes[5]",
                                        "scene.bodies[1].shapes[0]",
                                        "scene.bodies[0]",
                                        "scene.contacts[0].shapes[0]",
                                        "shapes[0]",
                                        "scene"};
  g_autofree char *before = g_strdup (ssapp_document_get_text (document));
  for (guint i = 0; i < G_N_ELEMENTS (nowhere); i++) {
    refused (ssapp_document_remove_shape (document, nowhere[i], &error), &error, "needs a shape");
    SS_CHECK_STR (ssapp_document_get_undo_label (document), "Add a shape to box"); /* the last that was done */
    SS_CHECK_STR (ssapp_document_get_text (document), before);
  }
  for (int i = 0; i < 4; i++)
    accept (ssapp_document_remove_shape (document, "scene.bodies[0].shapes[1]", &error), error);
  SS_CHECK (scene_of (document)->bodies[0].n_shapes == 1);
  path = ssapp_document_shape_path (document, 0, 0);
  SS_CHECK_STR (path, "scene.bodies[0].shape");
  refused (ssapp_document_remove_shape (document, path, &error), &error, "needs a shape");
  refused (ssapp_document_draw_shape (document, SSAPP_SHAPE_BOX, box, 2, "nobody", &error), &error, "Select the body");
  SS_CHECK_NEAR (scene_of (document)->bodies[0].mass, density, 1e-5 * density); /* the box alone again */
}

/* Mass that is said with its inertia stays as it is said. */
static void
test_given_mass_stays (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const SsVec2 box[] = {{-1, -1}, {1, 1}};
  GError *error = NULL;

  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_BOX, box, 2, NULL, &error), error);
  accept (ssapp_document_set_field (document, "scene.bodies[0].inertia", "3", "", &error), error);
  accept (ssapp_document_place_shape (document, SSAPP_SHAPE_DISC, (SsVec2){1, 1}, "box", &error), error);
  SS_CHECK (scene_of (document)->bodies[0].mass == 16 && scene_of (document)->bodies[0].inertia == 3);
  SS_CHECK (scene_of (document)->bodies[0].q[0] == 0);
}

/* The mass follows the size by a density, or stays; of the two fields one is given and the other is derived. */
static void
test_mass_follows_size (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const SsVec2 box[] = {{-1, -0.25}, {1, 0.25}}, corners[] = {{0, 0}, {3, 0}, {0, 3}};
  GError *error = NULL;

  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_BOX, box, 2, NULL, &error), error);
  g_autofree char *mass = ssapp_document_get_derived (document, "scene.bodies[0].mass");
  SS_CHECK_STR (mass, "4");
  accept (ssapp_document_set_field (document, "scene.bodies[0].shape.width", "4", "m", &error), error);
  SS_CHECK_NEAR (scene_of (document)->bodies[0].mass, 8, TYPED);
  /* A typed mass is fixed: another size leaves it. */
  accept (ssapp_document_set_field (document, "scene.bodies[0].mass", "3", "kg", &error), error);
  accept (ssapp_document_set_field (document, "scene.bodies[0].shape.width", "2", "m", &error), error);
  SS_CHECK (scene_of (document)->bodies[0].mass == 3 &&
            !ssapp_document_has_field (document, "scene.bodies[0].density"));
  g_autofree char *density = ssapp_document_get_derived (document, "scene.bodies[0].density");
  SS_CHECK_STR (density, "3");
  /* Cleared it follows again, with what it is now: 3 kg of 1 m2. */
  accept (ssapp_document_clear_field (document, "scene.bodies[0].mass", &error), error);
  accept (ssapp_document_set_field (document, "scene.bodies[0].shape.width", "6", "m", &error), error);
  SS_CHECK_NEAR (scene_of (document)->bodies[0].mass, 9, TYPED);
  /* A triangle drawn from its corner: its centre of mass stays where the matter is, also with a mass of its own. */
  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_POLYGON, corners, 3, NULL, &error), error);
  accept (ssapp_document_set_mass_follows (document, 1, FALSE, &error), error);
  const SsBody *body = &scene_of (document)->bodies[1];
  SS_CHECK_NEAR (body->mass, 18, TYPED);
  SS_CHECK_NEAR (body->inertia, 18, 1e-12 * 18); /* m (a^2 + b^2) / 18 of a right triangle */
  SS_CHECK_NEAR (body->q[0], 1, 1e-12);
  SS_CHECK_NEAR (body->q[1], 1, 1e-12);
  accept (ssapp_document_set_field (document, "scene.bodies[1].mass", "9", "kg", &error), error);
  SS_CHECK_NEAR (scene_of (document)->bodies[1].inertia, 9, 1e-12 * 9);
  accept (ssapp_document_set_mass_follows (document, 1, TRUE, &error), error);
  SS_CHECK (ssapp_document_has_field (document, "scene.bodies[1].density") &&
            !ssapp_document_has_field (document, "scene.bodies[1].uniform"));
  SS_CHECK_NEAR (scene_of (document)->bodies[1].mass, 9, 1e-5 * 9); /* six digits of the density */
  /* A centre of mass that lies elsewhere by purpose is not moved. */
  accept (ssapp_document_set_field (document, "scene.bodies[0].mass", "1", "kg", &error), error);
  accept (ssapp_document_set_field (document, "scene.bodies[0].shape.position[0]", "0.5", "m", &error), error);
  refused (ssapp_document_set_mass_follows (document, 0, TRUE, &error), &error, "lies elsewhere");
}

/* What is free weighs its area, of every kind of shape; what has none weighs 1 kg. Where the middle lies elsewhere than
 * the origin, no density moves it. */
static void
test_every_shape_has_its_area (void)
{
  static const struct {
    const char *shape;
    double area;
  } cases[] = {{"\"circle\", \"radius\": 0.5", G_PI / 4},
               {"\"box\", \"width\": 3, \"height\": 0.5", 1.5},
               {"\"capsule\", \"length\": 2, \"radius\": 0.25", 1 + G_PI / 16},
               {"\"polygon\", \"vertices\": [[-1, -1], [2, -1], [-1, 2]]", 4.5},
               {"\"segment\", \"from\": [-1, 0], \"to\": [1, 0]", 0}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const double mass = cases[i].area > 0 ? 4 * cases[i].area : 1;
    g_autofree char *text =
        g_strdup_printf ("{\"format\": 1, \"name\": \"a\", \"scene\": {\"bodies\": [{\"name\": \"b\", "
                         "\"fixed\": true, \"shape\": {\"type\": %s}}]}}",
                         cases[i].shape);
    g_autoptr (SsappDocument) document = open_text (text);
    GError *error = NULL;
    accept (ssapp_document_set_fixed (document, 0, FALSE, &error), error);
    SS_CHECK_NEAR (scene_of (document)->bodies[0].mass, mass, 1e-9 * mass);
    SS_CHECK (ssapp_document_has_field (document, "scene.bodies[0].density") == (cases[i].area > 0));
    if (!(cases[i].area > 0)) {
      refused (ssapp_document_set_mass_follows (document, 0, TRUE, &error), &error, "needs a shape with an area");
      continue;
    }
    /* A mass of its own says the density, which then says the mass again. */
    accept (ssapp_document_set_mass_follows (document, 0, FALSE, &error), error);
    g_autofree char *density = ssapp_document_get_derived (document, "scene.bodies[0].density");
    SS_CHECK_STR (density, "4");
    accept (ssapp_document_set_mass_follows (document, 0, TRUE, &error), error);
    SS_CHECK_NEAR (scene_of (document)->bodies[0].mass, mass, 1e-5 * mass);
    accept (ssapp_document_set_mass_follows (document, 0, FALSE, &error), error);
    accept (ssapp_document_clear_field (document, "scene.bodies[0].uniform", &error), error);
    accept (ssapp_document_set_field (document, "scene.bodies[0].inertia", "1", "", &error), error);
    accept (ssapp_document_set_field (document, "scene.bodies[0].shape.position[0]", "0.5", "m", &error), error);
    refused (ssapp_document_set_mass_follows (document, 0, TRUE, &error), &error, "lies elsewhere");
  }
}

static void
test_models_have_no_shapes (void)
{
  g_autoptr (SsappDocument) document =
      open_text ("{\"format\": 1, \"name\": \"m\", \"model\": {\"points\": 2, \"time_step\": 1, \"states\": [\"x\"], "
                 "\"controls\": [], \"constraints\": [], \"cost\": [{\"points\": \"all\", \"cost\": \"x^2\"}]}}");
  GError *error = NULL;

  refused (ssapp_document_place_shape (document, SSAPP_SHAPE_CAPSULE, (SsVec2){0, 0}, NULL, &error), &error,
           "given by equations");
  refused (ssapp_document_place_shape (document, SSAPP_SHAPE_CAPSULE, (SsVec2){0, 0}, "x", &error), &error,
           "given by equations");
  refused (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_SPEED, &error), &error,
           "given by equations");
  refused (ssapp_document_add_force (document, "x", &error), &error, "given by equations");
  refused (ssapp_document_add_cost (document, NULL, &error), &error, "given by equations");
  refused (ssapp_document_set_time_free (document, TRUE, &error), &error, "given by equations");
}

/* ---- corners ----------------------------------------------------------------------------------------------------- */

static void
test_corners (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const char *path = "scene.bodies[0].shape.vertices";
  const SsVec2 corners[] = {{1, 1}, {3, 1}, {1, 3}};
  g_autofree char *text = NULL, *after = NULL;
  GError *error = NULL;

  accept (ssapp_document_draw_shape (document, SSAPP_SHAPE_POLYGON, corners, 3, NULL, &error), error);
  text = ssapp_document_get_field (document, path, "");
  SS_CHECK_STR (text, "0, 0; 2, 0; 0, 2"); /* from the first corner */
  accept (ssapp_document_add_corner (document, "scene.bodies[0].shape.vertices[1]", &error), error);
  after = ssapp_document_get_field (document, path, "");
  SS_CHECK_STR (after, "0, 0; 2, 0; 1, 1; 0, 2");
  /* Pulled out, the polygon has area 3 and the mass of that. */
  accept (ssapp_document_set_field (document, "scene.bodies[0].shape.vertices[2][0]", "150cm", "", &error), error);
  accept (ssapp_document_set_field (document, "scene.bodies[0].shape.vertices[2][1]", "1.5", "", &error), error);
  SS_CHECK_NEAR (scene_of (document)->bodies[0].mass, 12, 1e-9);
  accept (ssapp_document_remove_corner (document, "scene.bodies[0].shape.vertices[0]", &error), error);
  refused (ssapp_document_remove_corner (document, "scene.bodies[0].shape.vertices[0]", &error), &error,
           "three corners");
  refused (ssapp_document_add_corner (document, "scene.bodies[0].shape.vertices[7]", &error), &error, "no such corner");
  refused (ssapp_document_add_corner (document, "scene.bodies[0].position[0]", &error), &error, "no such corner");
}

static void
test_corners_as_text (void)
{
  static const char *const good[] = {"0, 0; 1, 0; 0, 1", "(0, 0), (1, 0), (0, 1)", "0 0\n1 0\n0 1\n",
                                     "[[0, 0], [1, 0], [0, 1]]", " 0,0 ; 100 cm, 0 ; 0, 1 ;"};
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const char *path = "scene.bodies[0].shape.vertices";
  g_autofree char *before = NULL;
  GError *error = NULL;

  accept (ssapp_document_place_shape (document, SSAPP_SHAPE_POLYGON, (SsVec2){0, 0}, NULL, &error), error);
  for (guint i = 0; i < G_N_ELEMENTS (good); i++) {
    g_autofree char *text = NULL;
    accept (ssapp_document_set_field (document, path, "0, 0; 3, 0; 3, 3; 0, 3", "", &error), error);
    accept (ssapp_document_set_field (document, path, good[i], "", &error), error);
    text = ssapp_document_get_field (document, path, "");
    SS_CHECK_STR (text, "0, 0; 1, 0; 0, 1");
  }
  accept (ssapp_document_set_field (document, path, "0, 0; max(1, 2), 0; 0, 1", "", &error), error);
  SS_CHECK_NEAR (scene_of (document)->bodies[0].mass, 4, 1e-9);
  before = g_strdup (ssapp_document_get_text (document));
  refused (ssapp_document_set_field (document, path, "0, 0; 1; 0, 1", "", &error), &error, "no pair");
  refused (ssapp_document_set_field (document, path, "0, 0; 1, 0", "", &error), &error, "2 vertices");
  refused (ssapp_document_set_field (document, path, "0, 0; 2, 0; 0.5, 0.5; 0, 2", "", &error), &error, "concave");
  refused (ssapp_document_set_field (document, path, "0, 0; q, 0; 0, 2", "", &error), &error, "unknown name");
  SS_CHECK_STR (ssapp_document_get_text (document), before);
}

/* ---- welds and torsion springs ----------------------------------------------------------------------------------- */

static void
test_weld_and_torsion (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const SsVec2 at = {0.9, 0.1};
  GError *error = NULL;

  accept (ssapp_document_add_box (document, (SsVec2){0, 0}, (SsVec2){1, 0.2}, &error), error);
  accept (ssapp_document_add_box (document, (SsVec2){0.8, 0}, (SsVec2){1.8, 0.2}, &error), error);
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_WELD, at, at, 0.01, &error), error);
  const SsScene *scene = scene_of (document);
  SS_CHECK (scene->n_joints == 1 && scene->joints[0].kind == SS_JOINT_WELD && scene->n_contacts == 0);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.joints[0]");
  accept (ssapp_document_set_choice (document, "scene.joints[0].collide", "true", &error), error);
  SS_CHECK (scene_of (document)->n_contacts == 1);
  accept (ssapp_document_set_choice (document, "scene.joints[0].collide", "", &error), error);
  SS_CHECK (scene_of (document)->n_contacts == 0);
  /* Half a second of period about the lighter body's inertia. */
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_TORSION, (SsVec2){0.1, 0.1}, at, 0.01, &error), error);
  scene = scene_of (document);
  SS_CHECK (scene->n_springs == 1 && scene->springs[0].is_torsion && scene->springs[0].body_a == -1);
  const double k = scene->bodies[0].inertia * 16 * G_PI * G_PI;
  SS_CHECK_NEAR (scene->springs[0].stiffness, k, 0.05 * k);
  g_autoptr (GPtrArray) fields = ssapp_document_list_fields (document, "scene.springs[0]");
  gboolean has_angle = FALSE;
  for (guint i = 0; i < fields->len; i++) {
    const SsappField *field = g_ptr_array_index (fields, i);
    has_angle = has_angle || (strcmp (field->title, "Rest angle") == 0 && strcmp (field->unit, "deg") == 0);
    SS_CHECK (strcmp (field->unit, "N/m") != 0);
  }
  SS_CHECK (has_angle);
  accept (ssapp_document_set_field (document, "scene.springs[0].rest", "30", "deg", &error), error);
  SS_CHECK_NEAR (scene_of (document)->springs[0].rest, G_PI / 6, 1e-12);
}

int
main (void)
{
  SS_RUN (test_convex_pieces);
  SS_RUN (test_convex_pieces_of_random_polygons);
  SS_RUN (test_new_bodies);
  SS_RUN (test_more_shapes);
  SS_RUN (test_given_mass_stays);
  SS_RUN (test_mass_follows_size);
  SS_RUN (test_every_shape_has_its_area);
  SS_RUN (test_models_have_no_shapes);
  SS_RUN (test_corners);
  SS_RUN (test_corners_as_text);
  SS_RUN (test_weld_and_torsion);
  return ss_test_finish ();
}
