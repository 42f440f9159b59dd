/* tests/unit/test-place.c: exact placement: gaps of zero as the engine's own contacts have them, for boxes, discs,
 * polygons, capsules and segments on level and tilted half-planes and on one another; snapping of bodies, points and
 * radii; overlaps and how they part; typed quantities. */
#include "app/document/ssapp-document.h"
#include "app/document/ssapp-place-draw.h"

#include "tests/ss-test-picture.h"

#include <string.h>

/* What stands beside a plane that is tilted by `angle`: one body of a shape, placed off it and turned. */
static SsappDocument *
make (const char *angle, const char *shape, const char *more)
{
  SsappDocument *document = ssapp_document_new ();
  g_autofree char *text = g_strdup_printf (
      "{\"format\": 1, \"name\": \"place\", \"parameters\": {\"x0\": 0.1, \"r\": 0.2},\n"
      " \"scene\": {\"bodies\": [\n"
      "  {\"name\": \"plane\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}, "
      "\"position\": "
      "[0.3, -0.1], \"angle\": \"%s\"},\n"
      "  {\"name\": \"thing\", \"shape\": %s, \"mass\": 1, \"position\": [\"x0\", 0.9], \"angle\": 0.05}%s],\n"
      "  \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n",
      angle, shape, more);
  GError *error = NULL;

  SS_CHECK (ssapp_document_load_text (document, text, -1, "place", &error));
  if (error != NULL)
    printf ("%s\n", error->message);
  g_clear_error (&error);
  return document;
}

static const SsScene *
scene_of (SsappDocument *document)
{
  return ssapp_document_get_scenario (document)->scene;
}

/* The engine's own gap of the pair: the smallest over the contact's shapes. */
static double
gap_of (SsappDocument *document, int a, int b)
{
  const SsScene *scene = scene_of (document);
  double least = INFINITY;

  for (int i = 0; i < scene->bodies[a].n_shapes; i++)
    for (int j = 0; j < scene->bodies[b].n_shapes; j++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      if (ss_geometry_manifold (&scene->bodies[a].shapes[i], scene->bodies[a].q, &scene->bodies[b].shapes[j],
                                scene->bodies[b].q, gaps) > 0)
        least = fmin (least, gaps[0].phi);
    }
  return least;
}

/* How many points of the pair touch: two where edges are flush. */
static int
points_touching (SsappDocument *document, int a, int b)
{
  const SsScene *scene = scene_of (document);
  SsGap gaps[SS_MANIFOLD_MAX];
  int n = ss_geometry_manifold (&scene->bodies[a].shape, scene->bodies[a].q, &scene->bodies[b].shape,
                                scene->bodies[b].q, gaps),
      touching = 0;

  for (int i = 0; i < n; i++)
    touching += fabs (gaps[i].phi) <= SSAPP_PLACE_EXACT;
  return touching;
}

static const char *const angles[] = {"0", "20deg", "-35deg", "1.1"};
static const struct {
  const char *shape;
  gboolean has_edges;
} shapes[] = {
    {"{\"type\": \"box\", \"width\": 0.5, \"height\": 0.3}", TRUE},
    {"{\"type\": \"circle\", \"radius\": 0.17}", FALSE},
    {"{\"type\": \"polygon\", \"vertices\": [[-0.2, -0.1], [0.3, -0.13], [0.1, 0.25]]}", TRUE},
    {"{\"type\": \"capsule\", \"radius\": 0.07, \"length\": 0.4}", TRUE},
    {"{\"type\": \"segment\", \"length\": 0.4}", TRUE},
};

static void
test_rest_and_flush (void)
{
  for (guint a = 0; a < G_N_ELEMENTS (angles); a++)
    for (guint s = 0; s < G_N_ELEMENTS (shapes); s++) {
      g_autoptr (SsappDocument) document = make (angles[a], shapes[s].shape, "");
      g_autofree char *before = g_strdup (ssapp_document_get_text (document)), *x = NULL;
      double rested;

      SS_CHECK (ssapp_document_rest_on (document, "thing", "", NULL));
      rested = gap_of (document, 0, 1);
      if (!(fabs (rested) <= SSAPP_PLACE_EXACT)) {
        printf ("%s on %s: gap %g\n", shapes[s].shape, angles[a], rested);
        SS_CHECK (false);
      }
      x = ssapp_document_get_field (document, "scene.bodies[1].position[0]", "");
      SS_CHECK_STR (x, "x0"); /* it went straight down: the formula stays */
      SS_CHECK (ssapp_document_flush_with (document, "thing", "plane", NULL));
      SS_CHECK (fabs (gap_of (document, 0, 1)) <= SSAPP_PLACE_EXACT);
      SS_CHECK (points_touching (document, 0, 1) == (shapes[s].has_edges ? 2 : 1));
      while (ssapp_document_get_undo_label (document) != NULL) /* a disc may lie there already */
        ssapp_document_undo (document);
      SS_CHECK_STR (ssapp_document_get_text (document), before);
    }
}

/* ---- the sheet turned and moved ---------------------------------------------------------------------------------- */

static void
move_pose (const double by[3], const double q[3], double out[3])
{
  const double c = cos (by[2]), s = sin (by[2]);

  out[0] = by[0] + c * q[0] - s * q[1];
  out[1] = by[1] + s * q[0] + c * q[1];
  out[2] = by[2] + q[2];
}

static SsBody *
dup_moved (const SsScene *scene, const double by[3])
{
  SsBody *bodies = g_memdup2 (scene->bodies, (gsize)scene->n_bodies * sizeof *scene->bodies);

  for (int i = 0; i < scene->n_bodies; i++)
    move_pose (by, scene->bodies[i].q, bodies[i].q);
  return bodies;
}

/* `there` is `here`, moved: of places of some metres a million roundings, as an answer is an iteration's. */
static void
check_moved (const double by[3], const double here[3], const double there[3])
{
  double want[3];

  move_pose (by, here, want);
  for (int k = 0; k < 3; k++)
    SS_CHECK_NEAR (there[k], want[k], 1e-9);
}

/* Where things lie on one another knows no origin and no axes: what all bodies are turned and moved by, the answer is
 * too. Only rest asks for gravity and the grid for axes. Over an edge's end a body comes back to lie over it. */
static void
test_knows_no_axes (void)
{
  static const double by[][3] = {{7, -3, 0}, {0, 0, 2.2}, {-4, 9, -0.8}};
  static const double places[][2] = {{1.4, 1.6}, {2.9, 1.3}, {2.2, 0.3}, {-0.7, 0.6}};
  const char *more =
      ", {\"name\": \"post\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 0.7, \"height\": 0.4}, "
      "\"position\": [2.1, 1.2], \"angle\": 0.3}, {\"name\": \"wedge\", \"fixed\": true, \"shape\": {\"type\": "
      "\"polygon\", \"vertices\": [[0, 0], [0.6, 0.1], [0.2, 0.5]]}, \"position\": [-1.2, 1]}, {\"name\": \"disc\", "
      "\"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [2.7, 2]}";
  const SsappSnapRules rules = {.reach = 0.03};
  int n_kinds[SSAPP_SNAP_FLUSH + 1] = {0};

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++) {
    g_autoptr (SsappDocument) document = make ("20deg", shapes[s].shape, more);
    const SsScene *scene = scene_of (document);

    for (guint k = 0; k < G_N_ELEMENTS (by); k++) {
      g_autofree SsBody *bodies = dup_moved (scene, by[k]);
      SsScene moved = *scene;
      moved.bodies = bodies;

      for (int on = -1; on < scene->n_bodies; on++)
        for (guint i = 0; i < G_N_ELEMENTS (places) && on != 1; i++) {
          const double from[3] = {places[i][0], places[i][1], 0.1 + i};
          double here[3] = {from[0], from[1], from[2]}, there[3], moved_from[3];
          int found, found_there;

          move_pose (by[k], from, moved_from);
          memcpy (there, moved_from, sizeof there);
          const gboolean is_flush = ssapp_place_flush (scene, 1, on, here, &found);
          SS_CHECK (ssapp_place_flush (&moved, 1, on, there, &found_there) == is_flush && found == found_there);
          SS_CHECK (is_flush);
          check_moved (by[k], here, there);

          SsappSnap snap, snap_there;
          here[0] += 0.011; /* dragged from there, to beside it and to a corner of the post */
          here[1] -= 0.004;
          here[2] += 0.02;
          for (int corner = 0; corner < 2; corner++) {
            if (corner) {
              here[0] = scene->bodies[2].q[0] + 0.01;
              here[1] = scene->bodies[2].q[1] - 0.02 * (i + 1) / 4;
            }
            move_pose (by[k], here, there);
            ssapp_place_snap_body (scene, 1, from, here, &rules, &snap);
            ssapp_place_snap_body (&moved, 1, moved_from, there, &rules, &snap_there);
            SS_CHECK (snap.kind == snap_there.kind && snap.body == snap_there.body &&
                      snap.second == snap_there.second && snap.is_pinned == snap_there.is_pinned);
            SS_CHECK_STR (snap.text, snap_there.text);
            check_moved (by[k], snap.q, snap_there.q);
            if (snap.kind != SSAPP_SNAP_FLUSH) /* there any point of the edge may be the one */
              check_moved (by[k], (double[3]){snap.at.x, snap.at.y, 0},
                           (double[3]){snap_there.at.x, snap_there.at.y, by[k][2]});
            n_kinds[snap.kind]++;
          }
        }
    }
  }
  SS_CHECK (n_kinds[SSAPP_SNAP_POINT] > 0 && n_kinds[SSAPP_SNAP_TOUCH] > 0 && n_kinds[SSAPP_SNAP_FLUSH] > 0);
}

/* A stack: on what is below, out of what it lies in, beside a wall, nothing below. */
static void
test_rest_on_bodies (void)
{
  const char *more =
      ", {\"name\": \"step\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.2}, "
      "\"position\": [0, 0.3]}, {\"name\": \"ball\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, "
      "\"mass\": 1, \"position\": [0.3, 0.35]}";
  g_autoptr (SsappDocument) document = make ("20deg", shapes[0].shape, more);
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_document_rest_on (document, "ball", "", NULL)); /* half within the step: onto it */
  SS_CHECK (fabs (gap_of (document, 3, 2)) <= SSAPP_PLACE_EXACT);
  SS_CHECK (scene_of (document)->bodies[3].q[1] > 0.49 && scene_of (document)->bodies[3].q[0] == 0.3);
  SS_CHECK (ssapp_document_rest_on (document, "thing", "", NULL)); /* the ball is met before the step */
  SS_CHECK (fabs (gap_of (document, 1, 3)) <= SSAPP_PLACE_EXACT);
  SS_CHECK (gap_of (document, 1, 2) > 0);
  SS_CHECK (ssapp_document_rest_on (document, "thing", "step", NULL)); /* chosen: whatever else is there */
  SS_CHECK (fabs (gap_of (document, 1, 2)) <= SSAPP_PLACE_EXACT);
  SS_CHECK (!ssapp_document_rest_on (document, "thing", "thing", &error));
  g_clear_error (&error);
  SS_CHECK (!ssapp_document_rest_on (document, "thing", "nobody", &error));
  g_clear_error (&error);
  SS_CHECK (ssapp_document_delete (document, "plane", NULL));
  SS_CHECK (!ssapp_document_rest_on (document, "step", "", &error) && error != NULL);
  SS_CHECK_STR (error->message, "There is nothing below “step”");
}

/* Far from the origin a gap can only be as exact as places are. */
static void
test_flush_bodies (void)
{
  const char *more = ", {\"name\": \"post\", \"fixed\": true, \"shape\": {\"type\": \"polygon\", \"vertices\": "
                     "[[0, 0], [0.4, 0.1], [0.35, 0.6], [-0.1, 0.5]]}, \"position\": [0.9, 0.7], \"angle\": 0.3}";
  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++) {
    g_autoptr (SsappDocument) document = make ("0", shapes[s].shape, more);

    SS_CHECK (ssapp_document_flush_with (document, "thing", "post", NULL));
    SS_CHECK (fabs (gap_of (document, 1, 2)) <= SSAPP_PLACE_EXACT);
    SS_CHECK (points_touching (document, 1, 2) == (shapes[s].has_edges ? 2 : 1));
    SS_CHECK_STR (ssapp_document_get_undo_label (document), "Set thing flush with post");
  }
}

/* Dragged near the plane with a small turn missing: flush, with the edge, and free along it. */
static void
test_snap_body (void)
{
  const SsappSnapRules rules = {.reach = 0.02, .step = 0.1}, off = {.reach = 0.02, .step = 0.1, .is_free = TRUE};

  for (guint a = 0; a < G_N_ELEMENTS (angles); a++)
    for (guint s = 0; s < G_N_ELEMENTS (shapes); s++) {
      g_autoptr (SsappDocument) document = make (angles[a], shapes[s].shape, "");
      double from[3], want[3], tilt = scene_of (document)->bodies[0].q[2];
      g_autoptr (GError) error = NULL;
      SsappSnap snap;

      SS_CHECK (ssapp_document_flush_with (document, "thing", "plane", NULL));
      ssapp_document_get_pose (document, 1, want);
      memcpy (from, want, sizeof from);
      want[0] += 0.013 * sin (tilt) - 0.031 * cos (tilt); /* off the plane or into it, along it, and turned */
      want[1] -= 0.013 * cos (tilt) + 0.031 * sin (tilt);
      want[2] += 0.02;
      SS_CHECK (ssapp_document_snap_pose (document, "scene.bodies[1]", from, want, &rules, &snap));
      SS_CHECK (snap.kind == (shapes[s].has_edges ? SSAPP_SNAP_FLUSH : SSAPP_SNAP_TOUCH));
      SS_CHECK (snap.has_edge == shapes[s].has_edges);
      SS_CHECK_STR (snap.text, shapes[s].has_edges ? "Flush with plane, gap 0" : "Tangent to plane, gap 0");
      SS_CHECK (fabs (snap.free.x * sin (tilt) - snap.free.y * cos (tilt)) < 1e-12);
      SS_CHECK (ssapp_document_set_pose_exactly (document, "scene.bodies[1]", snap.q, &error));
      SS_CHECK (fabs (gap_of (document, 0, 1)) <= SSAPP_PLACE_EXACT);
      SS_CHECK (points_touching (document, 0, 1) == (shapes[s].has_edges ? 2 : 1));
      SS_CHECK (ssapp_document_snap_pose (document, "scene.bodies[1]", from, want, &off, &snap));
      SS_CHECK (snap.kind == SSAPP_SNAP_NONE && snap.q[0] == want[0] && snap.text[0] == '\0');
    }
}

/* On the plane and against a disc at once; centre on centre; on the grid where nothing is. */
static void
test_snap_second (void)
{
  const char *more = ", {\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, "
                     "\"position\": [1, 2]}";
  const SsappSnapRules rules = {.reach = 0.02, .step = 0.1};
  g_autoptr (SsappDocument) document = make ("20deg", shapes[0].shape, more);
  double from[3], want[3];
  SsappSnap snap;

  SS_CHECK (ssapp_document_flush_with (document, "disc", "plane", NULL));
  SS_CHECK (ssapp_document_flush_with (document, "thing", "plane", NULL));
  ssapp_document_get_pose (document, 1, from);
  ssapp_document_get_pose (document, 2, want);
  {
    const double c = cos (20 * G_PI / 180), s = sin (20 * G_PI / 180), way = -(0.25 + 0.1) + 0.008;
    const double up = 0.15 - 0.1 + 0.004;
    want[0] += way * c - up * s;
    want[1] += way * s + up * c;
    want[2] = from[2];
  }
  SS_CHECK (ssapp_document_snap_pose (document, "scene.bodies[1]", from, want, &rules, &snap));
  SS_CHECK_STR (snap.text, "Flush with plane and against disc, gap 0");
  SS_CHECK (snap.is_pinned);
  SS_CHECK (ssapp_document_set_pose_exactly (document, "scene.bodies[1]", snap.q, NULL));
  SS_CHECK (fabs (gap_of (document, 0, 1)) <= SSAPP_PLACE_EXACT && fabs (gap_of (document, 1, 2)) <= SSAPP_PLACE_EXACT);

  ssapp_document_get_pose (document, 2, want);
  want[0] += 0.005;
  SS_CHECK (ssapp_document_set_pose_exactly (document, "scene.bodies[1]", (double[3]){3, 3, 0}, NULL));
  SS_CHECK (ssapp_document_snap_pose (document, "scene.bodies[1]", (double[3]){3, 3, 0}, want, &rules, &snap));
  SS_CHECK_STR (snap.text, "Centre on centre of disc");
  SS_CHECK (ssapp_document_snap_pose (document, "scene.bodies[1]", (double[3]){3, 3, 0}, (double[3]){3.27, 3.14, 0},
                                      &rules, &snap));
  SS_CHECK (snap.kind == SSAPP_SNAP_GRID && fabs (snap.q[0] - 3.3) < 1e-12 && fabs (snap.q[1] - 3.1) < 1e-12);
}

static void
test_snap_point (void)
{
  const SsappSnapRules rules = {.reach = 0.03, .step = 0.1};
  g_autoptr (SsappDocument) document = make ("0", shapes[0].shape, "");
  const SsScene *scene = scene_of (document);
  SsappSnap snap;
  double r;

  SS_CHECK (ssapp_document_set_pose_exactly (document, "scene.bodies[1]", (double[3]){1, 1, 0}, NULL));
  scene = scene_of (document);
  ssapp_place_snap_point (scene, (SsVec2){1.01, 0.99}, &rules, &snap);
  SS_CHECK_STR (snap.text, "Centre of thing");
  SS_CHECK (snap.at.x == 1 && snap.at.y == 1);
  ssapp_place_snap_point (scene, (SsVec2){1.26, 1.16}, &rules, &snap);
  SS_CHECK_STR (snap.text, "Corner of thing");
  ssapp_place_snap_point (scene, (SsVec2){1.0, 1.17}, &rules, &snap);
  SS_CHECK_STR (snap.text, "Middle of edge of thing");
  ssapp_place_snap_point (scene, (SsVec2){1.12, 1.16}, &rules, &snap);
  SS_CHECK_STR (snap.text, "On edge of thing");
  SS_CHECK (fabs (snap.at.x - 1.1) < 1e-12 && fabs (snap.at.y - 1.15) < 1e-12); /* a line of the grid crosses it */
  ssapp_place_snap_point (scene, (SsVec2){5.03, 5.04}, &rules, &snap);
  SS_CHECK (snap.kind == SSAPP_SNAP_GRID && fabs (snap.at.x - 5) < 1e-12 && snap.text[0] == '\0');
  r = ssapp_place_snap_radius (scene, (SsVec2){2, 0.4}, (SsVec2){2.49, 0.4}, &rules, &snap);
  SS_CHECK (fabs (r - 0.5) < 1e-12); /* the plane is at -0.1 */
  SS_CHECK_STR (snap.text, "Tangent to plane, gap 0");
}

/* A disc drawn so is written in nanometres; settling closes what that leaves. */
static void
test_settle (void)
{
  g_autoptr (SsappDocument) document = make ("20deg", shapes[0].shape, "");
  const SsappSnapRules rules = {.reach = 0.1};
  SsappSnap snap;
  const SsVec2 centre = {1.23, 1.7};
  double r = ssapp_place_snap_radius (scene_of (document), centre, (SsVec2){1.23, 0.3}, &rules, &snap);

  SS_CHECK (ssapp_document_add_disc (document, centre, r, NULL));
  SS_CHECK (fabs (gap_of (document, 0, 2)) > SSAPP_PLACE_EXACT);
  SS_CHECK (ssapp_document_settle (document, ssapp_document_get_selected (document), "plane", NULL));
  SS_CHECK (fabs (gap_of (document, 0, 2)) <= SSAPP_PLACE_EXACT);
}

static void
test_overlaps (void)
{
  const char *more =
      ", {\"name\": \"b\", \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 0.3}, \"mass\": 2, \"position\": "
      "[0.2, 0.85]}, {\"name\": \"c\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 5, \"position\": "
      "[0.5, 0.0]}, {\"name\": \"far\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 5, \"position\": "
      "[5, 5]}";
  g_autoptr (SsappDocument) document = make ("0", shapes[0].shape, more);
  g_autofree char *text = ssapp_document_describe_overlaps (document), *one = NULL;
  g_autofree char *before = g_strdup (ssapp_document_get_text (document));
  const GArray *overlaps = ssapp_document_get_overlaps (document);
  g_autoptr (GError) error = NULL;

  SS_CHECK_STR (text, "2 overlaps");
  SS_CHECK (overlaps->len == 2);
  one = ssapp_document_describe_overlap (document, &g_array_index (overlaps, SsappOverlap, 1));
  SS_CHECK_STR (one, "plane and c overlap by 0.1 m"); /* centre at 0, radius 0.2, plane at -0.1 */
  SS_CHECK (fabs (g_array_index (overlaps, SsappOverlap, 1).depth - 0.1) < 1e-12);
  ssapp_document_select (document, "b");
  SS_CHECK (ssapp_document_separate (document, &error));
  SS_CHECK (ssapp_document_get_overlaps (document)->len == 0);
  SS_CHECK (fabs (gap_of (document, 1, 2)) <= SSAPP_PLACE_EXACT); /* parted, and no farther */
  SS_CHECK (fabs (gap_of (document, 0, 3)) <= SSAPP_PLACE_EXACT);
  SS_CHECK (scene_of (document)->bodies[1].q[1] == 0.9); /* the selected one went, not the lighter one */
  SS_CHECK (!ssapp_document_separate (document, &error) && error != NULL);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
}

/* Two walls with less room than the box needs: an error, and nothing moved. */
static void
test_wedged (void)
{
  const char *more =
      ", {\"name\": \"left\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 0]}, "
      "\"position\": "
      "[0, 0]}, {\"name\": \"right\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [-1, 0]}, "
      "\"position\": [0.1, 0]}";
  g_autoptr (SsappDocument) document = make ("0", shapes[0].shape, more);
  g_autofree char *before = g_strdup (ssapp_document_get_text (document));
  g_autoptr (GError) error = NULL;

  SS_CHECK (!ssapp_document_separate (document, &error) && error != NULL);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
}

/* A pin where three bodies overlap: it says which two, and takes another two. */
static void
test_pairs (void)
{
  const char *more = ", {\"name\": \"arm\", \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 0.3}, \"mass\": "
                     "2, \"position\": "
                     "[0.2, 0.85], \"angle\": 0.4}, {\"name\": \"wheel\", \"shape\": {\"type\": \"circle\", "
                     "\"radius\": 0.2}, \"mass\": 5, "
                     "\"position\": [0.2, 0.9]}";
  g_autoptr (SsappDocument) document = make ("0", shapes[0].shape, more);
  g_autoptr (GPtrArray) pairs = NULL, again = NULL;
  const SsappPair *pair;
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_document_add_joint (document, SSAPP_JOINT_SLIDER, (SsVec2){0.2, 0.9}, (SsVec2){0.4, 1.0}, 0, &error));
  pairs = ssapp_document_list_pairs (document, "scene.joints[0]");
  SS_CHECK (pairs->len == 6); /* three pairs, and each of the three with the world */
  pair = g_ptr_array_index (pairs, 0);
  SS_CHECK_STR (pair->text, "arm and wheel");
  SS_CHECK (pair->is_chosen);
  pair = g_ptr_array_index (pairs, 2);
  SS_CHECK_STR (pair->text, "wheel and the world");
  SS_CHECK (!pair->is_chosen);
  SS_CHECK (ssapp_document_choose_pair (document, "scene.joints[0]", "thing", "arm", &error));
  {
    const SsJoint *joint = &scene_of (document)->joints[0];
    const double turn = scene_of (document)->bodies[1].q[2];
    SS_CHECK (joint->body_a == 1 && joint->body_b == 2);
    /* the rail has its direction in the world */
    SS_CHECK_NEAR (cos (turn) * joint->axis.x - sin (turn) * joint->axis.y, 2 / sqrt (5), 1e-8);
  }
  again = ssapp_document_list_pairs (document, "scene.joints[0]");
  SS_CHECK (again->len == 6);
  pair = g_ptr_array_index (again, 3);
  SS_CHECK_STR (pair->text, "thing and arm");
  SS_CHECK (pair->is_chosen);
  SS_CHECK (!ssapp_document_choose_pair (document, "scene.joints[0]", "thing", "nobody", &error) && error != NULL);
}

static void
test_quantities (void)
{
  static const struct {
    const char *text, *unit;
    double value;
  } good[] = {{"0.45", "", 0.45},        {"-0.45", "m", -0.45},   {"5cm + 2*r", "", 0.45}, {"250 g", "", 0.25},
              {"30", "deg", G_PI / 6},   {"30deg", "", G_PI / 6}, {"1/2 m", "", 0.5},      {"-(x0)", "", -0.1},
              {"2*30deg", "", G_PI / 3}, {" 3 mm ", "", 0.003}};
  static const char *const bad[] = {"", "5 furlong", "q", "1/0", "5cm +", "1/2 cm", "t", "5 m m"};
  g_autoptr (SsappDocument) document = make ("0", shapes[0].shape, "");
  double value;

  for (guint i = 0; i < G_N_ELEMENTS (good); i++) {
    g_autoptr (GError) error = NULL;
    value = NAN;
    SS_CHECK (
        ssapp_evaluate_quantity (ssapp_document_get_scenario (document), good[i].text, good[i].unit, &value, &error));
    SS_CHECK (fabs (value - good[i].value) < 1e-15);
  }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    SS_CHECK (!ssapp_evaluate_quantity (ssapp_document_get_scenario (document), bad[i], "", &value, &error));
    SS_CHECK (error != NULL && error->message[0] != '\0');
  }
  /* without a scenario: numbers alone */
  g_autoptr (GError) unknown = NULL;
  SS_CHECK (ssapp_evaluate_quantity (NULL, "2*3", "", &value, NULL) && value == 6);
  SS_CHECK (!ssapp_evaluate_quantity (NULL, "2*r", "", &value, &unknown) && unknown != NULL);
  SS_CHECK (ssapp_check_unit ("5 cm", "m", NULL) && ssapp_check_unit ("30 deg", "deg", NULL));
  SS_CHECK (ssapp_check_unit ("1 rad", "deg", NULL) && ssapp_check_unit ("5", "kg", NULL));
  SS_CHECK (ssapp_check_unit ("5cm + r", "kg", NULL)); /* formulas have no dimension */
  SS_CHECK (!ssapp_check_unit ("5 kg", "m", NULL) && !ssapp_check_unit ("5 cm", "", NULL));
  /* in the file it stays the formula that was typed */
  SS_CHECK (ssapp_document_set_field (document, "scene.bodies[1].position[1]", "5cm + 2*r", "", NULL));
  SS_CHECK (fabs (scene_of (document)->bodies[1].q[1] - 0.45) < 1e-15);
  SS_CHECK (!ssapp_document_set_field (document, "scene.bodies[1].position[1]", "5 furlong", "", NULL));
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static SsappCamera
sheet (double dx, double dy)
{
  return (SsappCamera){
      .scale = 100, .ox = 150 + dx, .oy = 250 + dy, .width = SS_PICTURE_SIDE, .height = SS_PICTURE_SIDE};
}

/* Grounded joints, overlaps and what is snapped to. */
static void
paint_help (cairo_t *cr, const void *what, double dx, double dy)
{
  const SsScene *scene = what;
  const SsappCamera camera = sheet (dx, dy);
  g_autoptr (GArray) overlaps = ssapp_overlaps_find (scene, 10);
  const SsappSnap snaps[] = {
      {.kind = SSAPP_SNAP_FLUSH, .has_edge = TRUE, .edge = {{0.1, 0.3}, {0.7, 0.6}}},
      {.kind = SSAPP_SNAP_TOUCH, .has_edge = TRUE, .edge = {{1, 0.3}, {1.2, 0.6}}, .at = {1.1, 0.45}},
      {.kind = SSAPP_SNAP_POINT, .at = {0.4, 0.9}}};

  SS_CHECK (overlaps->len == 2);
  ssapp_draw_grounded_joints (cr, &ss_picture_style, &camera, scene);
  ssapp_draw_overlaps (cr, &ss_picture_style, &camera, scene, overlaps);
  for (guint i = 0; i < G_N_ELEMENTS (snaps); i++)
    ssapp_draw_snap (cr, &ss_picture_style, &camera, &snaps[i]);
  ssapp_draw_hint (cr, &ss_picture_style, &camera, 100 + dx, 330 + dy, "Flush with plane", NULL, FALSE);
}

static void
paint_entry (cairo_t *cr, const void *what, double dx, double dy)
{
  const SsappCamera camera = sheet (0, 0);

  ssapp_draw_hint (cr, &ss_picture_style, &camera, 40 + dx, 100 + dy, NULL, what, FALSE);
}

static void
test_help_moves_with_the_sheet (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"help\", \"scene\": {\"bodies\": [\n"
      "  {\"name\": \"a\", \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 0.3}, \"mass\": 1, "
      "\"position\": [0.2, 1.2], \"angle\": 0.3},\n"
      "  {\"name\": \"b\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [0.5, "
      "1.3]},\n"
      "  {\"name\": \"c\", \"shape\": {\"type\": \"capsule\", \"radius\": 0.1, \"length\": 0.4}, \"mass\": 1, "
      "\"position\": [1.5, 1.2], \"angle\": 1},\n"
      "  {\"name\": \"d\", \"shape\": {\"type\": \"box\", \"width\": 0.3, \"height\": 0.3}, \"mass\": 1, "
      "\"position\": [1.65, 1.2]}],\n"
      " \"joints\": [{\"type\": \"pin\", \"bodies\": [\"world\", \"b\"], \"anchor\": [0.5, 1.3]},\n"
      "  {\"type\": \"slider\", \"bodies\": [\"world\", \"c\"], \"anchor\": [1.5, 1.2], "
      "\"axis\": [0.6, 0.8]}], \"contacts\": \"all\"},\n"
      " \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  GError *error = NULL;

  SS_CHECK (ssapp_document_load_text (document, text, -1, "help", &error));
  if (error != NULL)
    printf ("%s\n", error->message);
  else
    ss_picture_check_moves ("help", paint_help, scene_of (document), 0);
  g_clear_error (&error);
}

/* Fields of an entry stand beside each other, with label and unit between: what is typed lies within the frame of its
 * field, which is accented where the next character comes. */
static void
test_typed_text_lies_in_its_field (void)
{
  static const double pad = 9; /* px */
  SsappTyped none;
  int frames[3][4], box[4];

  ssapp_typed_begin (&none, SSAPP_TYPED_MOVE);
  none.field = -1;
  for (int f = 0; f < 3; f++)
    g_strlcpy (none.text[f], f == 0 ? "1.2345678" : "1.1", sizeof none.text[f]);
  ss_picture_check_moves ("entry", paint_entry, &none, 0);
  for (int f = 0; f < 3; f++) {
    SsappTyped one = none, other = none;
    one.field = f;
    SS_CHECK (ss_picture_find_added (paint_entry, &none, &one, frames[f]));
    g_strlcpy (other.text[f], f == 0 ? "2.2345678" : "2.2", sizeof other.text[f]); /* as wide */
    SS_CHECK (ss_picture_find_added (paint_entry, &none, &other, box));
    SS_CHECK (box[0] > frames[f][0] + 2 && box[1] > frames[f][1] && box[2] < frames[f][2] - 2 && box[3] < frames[f][3]);
  }
  for (int f = 1; f < 3; f++) {
    double unit, label;
    ssapp_text_measure (&ss_picture_style, ss_picture_style.font_size, FALSE,
                        ssapp_typed_unit (SSAPP_TYPED_MOVE, f - 1), &unit, NULL);
    ssapp_text_measure (&ss_picture_style, ss_picture_style.font_size, FALSE, ssapp_typed_label (SSAPP_TYPED_MOVE, f),
                        &label, NULL);
    SS_CHECK_NEAR (frames[f][0] - frames[f - 1][2], unit + label + 2.2 * pad, 3); /* lines of 2 px, and two roundings */
  }
}

int
main (void)
{
  SS_RUN (test_rest_and_flush);
  SS_RUN (test_knows_no_axes);
  SS_RUN (test_rest_on_bodies);
  SS_RUN (test_flush_bodies);
  SS_RUN (test_snap_body);
  SS_RUN (test_snap_second);
  SS_RUN (test_snap_point);
  SS_RUN (test_settle);
  SS_RUN (test_overlaps);
  SS_RUN (test_wedged);
  SS_RUN (test_pairs);
  SS_RUN (test_quantities);
  ssapp_style_init (&ss_picture_style, FALSE);
  SS_RUN (test_help_moves_with_the_sheet);
  SS_RUN (test_typed_text_lies_in_its_field);
  return ss_test_finish ();
}
