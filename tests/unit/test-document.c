/* tests/unit/test-document.c: the edited scenario without a window: edits, undo, gestures, selection, refusal,
 * files. */
#include "app/document/ssapp-document.h"

#include "tests/ss-test-document.h"

#include <glib/gstdio.h>

/* Numbers go through decimal text of 17 digits and a rounding to a nanometre. */
#define TYPED 1e-9

static const char WITH_EXTRAS[] =
    "{\"format\": 1, \"name\": \"extras\", \"author\": {\"who\": \"somebody\"},\n"
    " \"parameters\": {\"y0\": 1.5, \"mu\": {\"value\": 0.3, \"hint\": \"kept\"}},\n"
    " \"scene\": {\"gravity\": [0, -9.81], \"friction\": \"mu\", \"note\": \"kept too\", \"bodies\": [\n"
    "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
    "   {\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}, \"mass\": 2, \"position\": "
    "[0, \"y0\"]},\n"
    "   {\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [2, 1]}],\n"
    "  \"contacts\": [{\"bodies\": [\"floor\", \"box\"], \"friction\": 0.1}, {\"bodies\": [\"box\", \"disc\"]}]},\n"
    " \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";

static SsappDocument *
open_extras (void)
{
  SsappDocument *document = ssapp_document_new ();
  GError *error = NULL;

  SS_CHECK (ssapp_document_load_text (document, WITH_EXTRAS, -1, "extras", &error));
  if (error != NULL)
    printf ("%s\n", error->message);
  g_clear_error (&error);
  return document;
}

static const SsBody *
body_at (SsappDocument *document, int index)
{
  return &ssapp_document_get_scenario (document)->scene->bodies[index];
}

static void
count_signal (int *count)
{
  (*count)++;
}

static void
test_empty_sketch (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  double bounds[4];
  int n_marks;
  g_autofree char *text = ssapp_document_describe (document);

  SS_CHECK (ssapp_document_is_scene (document));
  SS_CHECK (!ssapp_document_is_dirty (document));
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_bodies == 0);
  SS_CHECK (ssapp_document_get_undo_label (document) == NULL);
  SS_CHECK_STR (text, "empty sketch");
  ssapp_document_get_marks (document, &n_marks);
  SS_CHECK (n_marks == 0);
  ssapp_document_get_bounds (document, bounds);
  SS_CHECK (bounds[2] > bounds[0] && bounds[3] > bounds[1]);
}

static void
test_add_bodies (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const SsBody *box;
  g_autofree char *text = NULL;

  SS_CHECK (ssapp_document_add_ground (document, (SsVec2){-1, 0}, (SsVec2){1, 0}, NULL));
  SS_CHECK (ssapp_document_add_box (document, (SsVec2){0.5, 1.0}, (SsVec2){-0.5, 1.5}, NULL));
  SS_CHECK (ssapp_document_add_disc (document, (SsVec2){2, 1}, 0.3, NULL));
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_bodies == 3);
  SS_CHECK_STR (ssapp_document_get_selected (document), "disc");
  box = body_at (document, 1);
  SS_CHECK_STR (box->name, "box");
  SS_CHECK_NEAR (box->q[0], 0, TYPED);
  SS_CHECK_NEAR (box->q[1], 1.25, TYPED);
  /* 1 m x 0.5 m weighs 2 kg as in the examples; the inertia of a rectangle is m (w2 + h2) / 12. */
  SS_CHECK_NEAR (box->mass, 2, TYPED);
  SS_CHECK_NEAR (box->inertia, 2 * (1 + 0.25) / 12, TYPED);
  SS_CHECK_NEAR (body_at (document, 2)->shape.radius, 0.3, TYPED);
  SS_CHECK (body_at (document, 0)->is_fixed);
  /* All pairs but fixed with fixed: floor-box, floor-disc, box-disc. */
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_contacts == 3);
  SS_CHECK (ssapp_document_is_dirty (document));
  /* A second box gets a name of its own; a click draws the default size. */
  SS_CHECK (ssapp_document_add_box (document, (SsVec2){1, 1}, (SsVec2){1, 1}, NULL));
  SS_CHECK_STR (ssapp_document_get_selected (document), "box-2");
  SS_CHECK (body_at (document, 3)->shape.n_vertices == 4);
  text = ssapp_document_describe (document);
  SS_CHECK_CONTAINS (text, "4 bodies, box-2 selected");
}

static void
test_ground_keeps_matter_below (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  SsVec2 normal;

  /* Drawn from right to left, rising to the right by 3:4: the normal is (-3, 4)/5 either way. */
  SS_CHECK (ssapp_document_add_ground (document, (SsVec2){4, 3}, (SsVec2){0, 0}, NULL));
  normal = body_at (document, 0)->shape.normal;
  SS_CHECK_NEAR (normal.x, -0.6, TYPED);
  SS_CHECK_NEAR (normal.y, 0.8, TYPED);
}

static void
test_undo_gives_back_the_text (void)
{
  g_autoptr (SsappDocument) document = open_extras ();
  g_autofree char *after = NULL;

  SS_CHECK (move_body (document, "disc", 0.1, 0.2, NULL));
  SS_CHECK (ssapp_document_delete (document, "box", NULL));
  SS_CHECK (ssapp_document_add_disc (document, (SsVec2){0, 3}, 0.5, NULL));
  after = g_strdup (ssapp_document_get_text (document));
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Add disc-2");
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Delete box");
  SS_CHECK_STR (ssapp_document_get_redo_label (document), "Add disc-2");
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), WITH_EXTRAS);
  SS_CHECK (!ssapp_document_is_dirty (document));
  SS_CHECK (ssapp_document_get_undo_label (document) == NULL);
  ssapp_document_undo (document); /* nothing left: harmless */
  for (int i = 0; i < 3; i++)
    ssapp_document_redo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), after);
  SS_CHECK (ssapp_document_get_redo_label (document) == NULL);
  /* A new edit forgets what was undone. */
  ssapp_document_undo (document);
  SS_CHECK (move_body (document, "disc", 1, 0, NULL));
  SS_CHECK (ssapp_document_get_redo_label (document) == NULL);
}

static void
test_gesture_is_one_step (void)
{
  g_autoptr (SsappDocument) document = open_extras ();
  const double x = body_at (document, 2)->q[0];

  ssapp_document_begin_gesture (document, "Move disc");
  for (int i = 0; i < 20; i++)
    SS_CHECK (move_body (document, "disc", 0.05, 0, NULL));
  ssapp_document_end_gesture (document);
  SS_CHECK_NEAR (body_at (document, 2)->q[0], x + 1, 20 * TYPED);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Move disc");
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), WITH_EXTRAS);

  /* Cancelled: as before, and no step. */
  ssapp_document_begin_gesture (document, "Move disc");
  SS_CHECK (move_body (document, "disc", 5, 5, NULL));
  ssapp_document_cancel_gesture (document);
  SS_CHECK_STR (ssapp_document_get_text (document), WITH_EXTRAS);
  SS_CHECK (ssapp_document_get_undo_label (document) == NULL);

  /* A gesture that moved nothing is no step. */
  ssapp_document_begin_gesture (document, "Move disc");
  ssapp_document_end_gesture (document);
  SS_CHECK (ssapp_document_get_undo_label (document) == NULL);
}

static void
test_unknown_fields_survive (void)
{
  g_autoptr (SsappDocument) document = open_extras ();
  const char *text;

  SS_CHECK (move_body (document, "box", 0.25, 0, NULL));
  text = ssapp_document_get_text (document);
  SS_CHECK_CONTAINS (text, "\"author\": {\"who\": \"somebody\"}");
  SS_CHECK_CONTAINS (text, "\"hint\": \"kept\"");
  SS_CHECK_CONTAINS (text, "\"note\": \"kept too\"");
  /* The coordinate that did not change keeps its formula. */
  SS_CHECK_CONTAINS (text, "[0.25, \"y0\"]");
  SS_CHECK (ssapp_document_field_is_formula (document, "scene.bodies[1].position[1]"));
}

static void
test_contacts_follow_bodies (void)
{
  g_autoptr (SsappDocument) document = open_extras ();
  const SsScene *scene;

  SS_CHECK (ssapp_document_rename (document, "box", "crate", NULL));
  scene = ssapp_document_get_scenario (document)->scene;
  SS_CHECK_STR (scene->bodies[scene->contacts[0].body_b].name, "crate");
  SS_CHECK_NEAR (scene->contacts[0].mu, 0.1, 0);
  SS_CHECK (ssapp_document_delete (document, "crate", NULL));
  scene = ssapp_document_get_scenario (document)->scene;
  SS_CHECK (scene->n_bodies == 2 && scene->n_contacts == 0);
  /* A list of contacts gets the new body's pairs. */
  SS_CHECK (ssapp_document_add_box (document, (SsVec2){0, 1}, (SsVec2){1, 2}, NULL));
  scene = ssapp_document_get_scenario (document)->scene;
  SS_CHECK (scene->n_contacts == 2);
}

static void
test_rejected_edits_change_nothing (void)
{
  g_autoptr (SsappDocument) document = open_extras ();
  int changed = 0;
  static const char *const bad[][2] = {
      {"scene.bodies[1].mass", "-1"}, {"scene.bodies[1].mass", "0"},     {"scene.bodies[1].mass", "nothing"},
      {"scene.bodies[1].mass", ""},   {"scene.bodies[1].mass", "1e999"}, {"scene.bodies[1].shape.width", "-2"},
      {"scene.bodies[9].mass", "1"},  {"scene.bodies[x].mass", "1"},     {"task.dt", "0"},
      {"scene.gravity[0]", "1/0"},    {"parameters.mu.value", "mu"},     {"scene.bodies[1].position[0]", "5 parsec"}};

  g_signal_connect_swapped (document, "changed", G_CALLBACK (count_signal), &changed);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    gboolean done = ssapp_document_set_field (document, bad[i][0], bad[i][1], "", &error);
    if (done)
      printf ("accepted: %s = \"%s\"\n", bad[i][0], bad[i][1]);
    SS_CHECK (!done);
    SS_CHECK (error != NULL && strlen (error->message) > 10);
  }
  {
    g_autoptr (GError) error = NULL;
    SS_CHECK (!ssapp_document_set_field (document, "scene.bodies[1].mass", "-1", "", &error));
    SS_CHECK_CONTAINS (error->message, "scene.bodies[1].mass");
  }
  SS_CHECK (!ssapp_document_rename (document, "box", "disc", NULL)); /* taken */
  SS_CHECK (!ssapp_document_rename (document, "box", "", NULL));
  SS_CHECK (!ssapp_document_delete (document, "nobody", NULL));
  SS_CHECK (!move_body (document, "nobody", 1, 1, NULL));
  SS_CHECK_STR (ssapp_document_get_text (document), WITH_EXTRAS);
  SS_CHECK (!ssapp_document_is_dirty (document));
  ssapp_document_mark_saved (document); /* as it is */
  SS_CHECK (changed == 0);
}

static void
test_fields_with_units_and_formulas (void)
{
  g_autoptr (SsappDocument) document = open_extras ();
  g_autofree char *angle = NULL, *mu = NULL, *absent = NULL;

  SS_CHECK (ssapp_document_set_field (document, "scene.bodies[1].angle", "30", "deg", NULL));
  SS_CHECK_NEAR (body_at (document, 1)->q[2], G_PI / 6, 1e-15); /* one rounding of a product */
  angle = ssapp_document_get_field (document, "scene.bodies[1].angle", "deg");
  SS_CHECK_STR (angle, "30");
  SS_CHECK (ssapp_document_set_field (document, "scene.bodies[1].angle", "0.5rad", "deg", NULL));
  SS_CHECK_NEAR (body_at (document, 1)->q[2], 0.5, 0);
  SS_CHECK (ssapp_document_set_field (document, "scene.bodies[2].shape.radius", " 25 cm ", "m", NULL));
  SS_CHECK_NEAR (body_at (document, 2)->shape.radius, 0.25, 1e-16);
  SS_CHECK (ssapp_document_set_field (document, "scene.bodies[1].mass", "2*y0", "kg", NULL));
  SS_CHECK_NEAR (body_at (document, 1)->mass, 3, 0);
  /* A field that is not in the file yet is made. */
  SS_CHECK (ssapp_document_set_field (document, "scene.bodies[2].velocity[1]", "-2", "", NULL));
  SS_CHECK_NEAR (body_at (document, 2)->v[1], -2, 0);
  SS_CHECK_NEAR (body_at (document, 2)->v[0], 0, 0);
  /* Parameters: a bare number and an object with a value. */
  SS_CHECK (ssapp_document_set_field (document, "parameters.y0.value", "2.5", "", NULL));
  SS_CHECK_NEAR (body_at (document, 1)->q[1], 2.5, 0);
  SS_CHECK (ssapp_document_set_field (document, "parameters.mu.value", "0.7", "", NULL));
  SS_CHECK_CONTAINS (ssapp_document_get_text (document), "\"hint\": \"kept\"");
  mu = ssapp_document_get_field (document, "parameters.mu.value", "");
  SS_CHECK_STR (mu, "0.7");
  absent = ssapp_document_get_field (document, "scene.bodies[1].inertia", "");
  SS_CHECK (absent == NULL);
  /* The range of a slider: open ends are suggested and hold still, those of the file count; a formula has none. */
  {
    SsappRange range = {0};
    SS_CHECK (ssapp_document_get_range (document, "parameters.y0.value", &range));
    SS_CHECK_NEAR (range.low, 0, 0);
    SS_CHECK_NEAR (range.high, 5, 0);
    SS_CHECK_NEAR (range.step, 0.02, 1e-15);
    SS_CHECK (ssapp_document_set_field (document, "parameters.y0.value", "4", "", NULL));
    SS_CHECK_STR (ssapp_document_get_undo_label (document), "Set y0");
    SS_CHECK (ssapp_document_get_range (document, "parameters.y0.value", &range));
    SS_CHECK_NEAR (range.high, 5, 0);
    SS_CHECK (ssapp_document_set_field (document, "parameters.y0.maximum", "4.5", "", NULL));
    SS_CHECK (ssapp_document_set_field (document, "parameters.y0.minimum", "-0.5", "", NULL));
    SS_CHECK_CONTAINS (ssapp_document_get_text (document),
                       "\"y0\": {\"value\": 4, \"maximum\": 4.5, \"minimum\": -0.5}");
    SS_CHECK (ssapp_document_get_range (document, "parameters.y0.value", &range));
    SS_CHECK_NEAR (range.low, -0.5, 0);
    SS_CHECK_NEAR (range.high, 4.5, 0);
    SS_CHECK (!ssapp_document_set_field (document, "parameters.y0.value", "5", "", NULL));
    SS_CHECK (ssapp_document_set_field (document, "parameters.y0.value", "2 + 0.5", "", NULL));
    SS_CHECK (!ssapp_document_get_range (document, "parameters.y0.value", &range));
    SS_CHECK (!ssapp_document_get_range (document, "scene.bodies[1].mass", &range));
  }
  /* Setting what is there already is no step. */
  {
    g_autofree char *label = g_strdup (ssapp_document_get_undo_label (document));
    SS_CHECK (ssapp_document_set_field (document, "scene.bodies[1].angle", "0.5rad", "deg", NULL));
    SS_CHECK_STR (ssapp_document_get_undo_label (document), label);
  }
}

static void
test_selection (void)
{
  g_autoptr (SsappDocument) document = open_extras ();
  int changes = 0;

  g_signal_connect_swapped (document, "selection-changed", G_CALLBACK (count_signal), &changes);
  ssapp_document_select_next (document, 1);
  SS_CHECK_STR (ssapp_document_get_selected (document), "floor");
  ssapp_document_select_next (document, -1);
  SS_CHECK_STR (ssapp_document_get_selected (document), "disc");
  SS_CHECK (ssapp_document_get_selected_index (document) == 2);
  ssapp_document_select (document, "disc"); /* again: nobody is told */
  SS_CHECK (changes == 2);
  ssapp_document_select (document, "unknown");
  SS_CHECK (ssapp_document_get_selected (document) == NULL);
  ssapp_document_select (document, "box");
  SS_CHECK (ssapp_document_delete (document, "box", NULL));
  SS_CHECK (ssapp_document_get_selected (document) == NULL);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_selected (document), "box"); /* undo brings the selection back with the body */
}

static void
test_hit (void)
{
  g_autoptr (SsappDocument) document = open_extras ();
  /* 100 px a metre, world origin at (300, 300). */
  const SsappCamera camera = {.scale = 100, .ox = 300, .oy = 300, .width = 800, .height = 600};
  const double tolerance = 4; /* px */

  SS_CHECK_STR (ssapp_document_hit (document, &camera, 300, 150, tolerance), "box");   /* (0, 1.5): its centre  */
  SS_CHECK_STR (ssapp_document_hit (document, &camera, 345, 130, tolerance), "box");   /* (0.45, 1.7): a corner */
  SS_CHECK_STR (ssapp_document_hit (document, &camera, 515, 200, tolerance), "disc");  /* (2.15, 1)             */
  SS_CHECK_STR (ssapp_document_hit (document, &camera, 100, 400, tolerance), "floor"); /* (-2, -1): in matter   */
  SS_CHECK (ssapp_document_hit (document, &camera, 100, 100, tolerance) == NULL);
}

static void
test_helpers (void)
{
  double value = 0;

  SS_CHECK_NEAR (ssapp_snap (0.249, 0.1), 0.2, 1e-15);
  SS_CHECK_NEAR (ssapp_snap (-0.26, 0.1), -0.3, 1e-15);
  SS_CHECK_NEAR (ssapp_snap (0.123, 0), 0.123, 0); /* no grid: untouched */
  SS_CHECK (ssapp_parse_quantity ("1e-3", "", &value) && value == 1e-3);
  SS_CHECK (ssapp_parse_quantity ("5mm", "m", &value) && fabs (value - 0.005) < 1e-18);
  SS_CHECK (ssapp_parse_quantity ("180 deg", "", &value) && fabs (value - G_PI) < 1e-15);
  SS_CHECK (!ssapp_parse_quantity ("mu", "", &value));
  SS_CHECK (!ssapp_parse_quantity ("2*mu", "", &value));
  SS_CHECK (!ssapp_parse_quantity ("nan", "", &value));
  SS_CHECK (!ssapp_parse_quantity ("1e999", "", &value));
  SS_CHECK (!ssapp_parse_quantity ("", "", &value));
}

static void
test_files (void)
{
  g_autoptr (SsappDocument) document = open_extras (), again = ssapp_document_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("ss-document-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.stickslip.json", NULL),
                  *nowhere = g_build_filename (folder, "no", "b.json", NULL);
  g_autofree char *bad = g_build_filename (folder, "bad.stickslip.json", NULL), *before = NULL;

  SS_CHECK (move_body (document, "disc", 0.1, 0.2, NULL));
  SS_CHECK (ssapp_document_is_dirty (document));
  SS_CHECK (ssapp_document_save (document, path, &error));
  SS_CHECK (!ssapp_document_is_dirty (document));
  SS_CHECK_STR (ssapp_document_get_path (document), path);
  SS_CHECK (ssapp_document_load_file (again, path, &error));
  SS_CHECK_STR (ssapp_document_get_text (again), ssapp_document_get_text (document));
  SS_CHECK_STR (ssapp_document_get_path (again), path);
  /* Undo past the save: the file on disk is the newer one, so it is dirty again. */
  ssapp_document_undo (document);
  SS_CHECK (ssapp_document_is_dirty (document));

  SS_CHECK (!ssapp_document_save (document, nowhere, &error));
  SS_CHECK (error != NULL);
  g_clear_error (&error);
  SS_CHECK_STR (ssapp_document_get_path (document), path); /* still where it was */

  /* A file that cannot be read leaves everything as it was and says where the mistake is. */
  SS_CHECK (g_file_set_contents (bad, "{\"format\": 1,\n \"name\": \"x\",\n \"scene\": {\"bodies\": [{\"name\": 5}]}}",
                                 -1, NULL));
  before = g_strdup (ssapp_document_get_text (again));
  SS_CHECK (!ssapp_document_load_file (again, bad, &error));
  SS_CHECK_CONTAINS (error->message, "bad.stickslip.json:3");
  g_clear_error (&error);
  SS_CHECK_STR (ssapp_document_get_text (again), before);
  SS_CHECK_STR (ssapp_document_get_path (again), path);
  SS_CHECK (!ssapp_document_load_file (again, folder, &error)); /* a folder is no scenario */
  g_clear_error (&error);
  SS_CHECK (!ssapp_document_load_text (again, "", 0, NULL, NULL));
  SS_CHECK (!ssapp_document_load_text (again, "{}", -1, NULL, NULL));

  /* A problem of AMPL is opened as a scenario, which has no file yet: saving asks for one. */
  g_autofree char *problem = g_build_filename (folder, "p.nl", NULL);
  SS_CHECK (g_file_set_contents (problem,
                                 "g3 1 1 0\n 1 0 1 0 0\n 0 1\n 0 0\n 0 1 0\n 0 0 0 1\n 0 0 0 0 0\n 0 1\n 0 0\n"
                                 " 0 0 0 0 0\nO0 0\no5\nv0\nn2\nb\n3\n",
                                 -1, NULL));
  SS_CHECK (ssapp_document_load_file (again, problem, &error));
  SS_CHECK_CONTAINS (ssapp_document_get_text (again), "\"(v1^2)\"");
  SS_CHECK (ssapp_document_get_path (again) == NULL);
  SS_CHECK (g_file_set_contents (problem, "g3 1 1 0\n 1 0", -1, NULL));
  SS_CHECK (!ssapp_document_load_file (again, problem, &error));
  SS_CHECK_CONTAINS (error->message, "p.nl:2");
  g_clear_error (&error);

  g_unlink (problem);
  g_unlink (path);
  g_unlink (bad);
  g_rmdir (folder);
}

static void
test_empty_sketch_can_be_saved (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new (), again = ssapp_document_new ();
  g_autofree char *text = NULL;

  SS_CHECK (ssapp_document_add_disc (document, (SsVec2){0, 0}, 1, NULL));
  SS_CHECK (ssapp_document_delete (document, "disc", NULL)); /* the last one may go */
  text = g_strdup (ssapp_document_get_text (document));
  const guint step = ssapp_document_get_step (again);
  SS_CHECK (ssapp_document_load_text (again, text, -1, NULL, NULL));
  SS_CHECK (ssapp_document_get_step (again) != step); /* nothing of before is to be undone any more */
  SS_CHECK (ssapp_document_get_scenario (again)->scene->n_bodies == 0);
}

static void
test_model_is_set_by_parameters (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  g_autoptr (GError) error = NULL;
  int n_marks = 0, target;

  SS_CHECK (ssapp_document_load_file (document, SS_SOURCE_ROOT "/examples/crisp/push-box.stickslip.json", &error));
  SS_CHECK (!ssapp_document_is_scene (document));
  SS_CHECK_STR (ssapp_document_get_title (document), "Push Box");
  SS_CHECK (ssapp_document_set_field (document, "parameters.j.value", "3", "", &error));
  target = ss_scenario_parameter (ssapp_document_get_scenario (document), "tht");
  /* Target j lies at j 20 degrees: reference file. */
  SS_CHECK_NEAR (ssapp_document_get_scenario (document)->parameters[target].value, G_PI / 3, 1e-15);
  SS_CHECK (!ssapp_document_set_field (document, "parameters.j.value", "40", "", NULL)); /* above its maximum */
  SS_CHECK (!ssapp_document_add_box (document, (SsVec2){0, 0}, (SsVec2){1, 1}, NULL));
  SS_CHECK (!ssapp_document_delete (document, "box", NULL));
  SS_CHECK (!move_body (document, "box", 1, 0, NULL));
  ssapp_document_get_marks (document, &n_marks);
  SS_CHECK (n_marks >= 2);
}

static void
test_examples_survive_rewriting (void)
{
  static const char *const files[] = {"crisp/push-box", "sketches/falling-box"};

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (SsappDocument) document = ssapp_document_new (), again = ssapp_document_new ();
    g_autofree char *path = g_strdup_printf ("%s/examples/%s.stickslip.json", SS_SOURCE_ROOT, files[i]), *field = NULL;
    const SsScenario *a, *b;
    gboolean is_scene;
    SS_CHECK (ssapp_document_load_file (document, path, NULL));
    SS_CHECK (ssapp_document_load_file (again, path, NULL));
    is_scene = ssapp_document_is_scene (document);
    field = g_strdup (is_scene ? "parameters.tilt.value" : "parameters.mu.value");
    /* There and back by edits: another text, the same scenario. */
    SS_CHECK (ssapp_document_set_field (document, field, "0.125", "", NULL));
    SS_CHECK (ssapp_document_set_field (document, field, is_scene ? "0.3" : "0.5", "", NULL));
    a = ssapp_document_get_scenario (document);
    b = ssapp_document_get_scenario (again);
    SS_CHECK (a->n_parameters == b->n_parameters && a->n_marks == b->n_marks && a->n_strips == b->n_strips);
    for (int p = 0; p < a->n_parameters; p++)
      SS_CHECK_NEAR (a->parameters[p].value, b->parameters[p].value, 0);
  }
}

int
main (void)
{
  SS_RUN (test_empty_sketch);
  SS_RUN (test_add_bodies);
  SS_RUN (test_ground_keeps_matter_below);
  SS_RUN (test_undo_gives_back_the_text);
  SS_RUN (test_gesture_is_one_step);
  SS_RUN (test_unknown_fields_survive);
  SS_RUN (test_contacts_follow_bodies);
  SS_RUN (test_rejected_edits_change_nothing);
  SS_RUN (test_fields_with_units_and_formulas);
  SS_RUN (test_selection);
  SS_RUN (test_hit);
  SS_RUN (test_helpers);
  SS_RUN (test_files);
  SS_RUN (test_empty_sketch_can_be_saved);
  SS_RUN (test_model_is_set_by_parameters);
  SS_RUN (test_examples_survive_rewriting);
  return ss_test_finish ();
}
