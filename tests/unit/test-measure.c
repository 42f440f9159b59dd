/* tests/unit/test-measure.c: distances, angles and notes of a scene, by hand and from places on the sheet; what lies of
 * a channel between two times. Truth: right triangles, a falling ball, sums by hand, sines. */
#include "scene/ss-measure.h"

#include "core/ss-span.h"
#include "scene/ss-view.h"
#include "tests/ss-test-document.h"

#include <math.h>
#include <string.h>

/* A box of 0.4 x 0.2 turned by 90 degrees: its first corner (-0.2, -0.1) is at (2.1, 0.8), its first edge, which was
 * below, looks to the right and goes up. */
#define SCENE(measures)                                                                                                \
  "{\"format\": 1, \"name\": \"yard\", \"scene\": {\"bodies\": [\n"                                                    \
  "  {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"             \
  "  {\"name\": \"box\", \"mass\": 1, \"position\": [2, 1], \"angle\": \"pi/2\", \"points\": {\"tip\": [0.2, 0]},\n"   \
  "   \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}},\n"                                             \
  "  {\"name\": \"ball\", \"mass\": 1, \"position\": [5, 5], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}],\n"  \
  "  \"contacts\": \"all\", \"measures\": [\n" measures "]},\n"                                                        \
  " \"outcomes\": {\"near\": \"min(measure.reach)\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n"
#define REACH "{\"name\": \"reach\", \"between\": [\"box\", \"ball\"]}"

/* What rounding leaves of numbers of this size. */
static const double EXACT = 1e-12;

static void
test_values (void)
{
  static const struct {
    const char *a, *b;
    bool is_angle;
    double value;
  } cases[] = {{"box", "ball", false, 5},
               {"floor", "box", false, 1},
               {"box", "floor", false, 1},
               {"floor", "box.corner1", false, 0.8},
               {"box.tip", "ball", false, 4.8414873747640819}, /* of (3, 3.8) */
               {"box.edge1", "ball", false, 2.9},              /* the edge is the line x = 2.1, the matter left of it */
               {"box.edge3", "ball", false, -3.1},             /* x = 1.9, the matter right of it: beyond it */
               {"0,0", "box", false, 2.2360679774997897},
               {"floor", "box.edge1", true, 1.5707963267948966},
               {"box", "floor", true, -1.5707963267948966},
               {"floor", "box.tip", true, 1.5707963267948966}};
  g_autoptr (SsappDocument) document = open_text (SCENE (REACH));
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  SsTrajectory *start = NULL;
  SsError err = {0};

  SS_CHECK (ss_scenario_initial_trajectory (ssapp_document_get_scenario (document), &start, &err) == SS_OK);
  SS_CHECK (ss_trajectory_channel (start, "measure.reach") > 0);
  SS_CHECK_NEAR (ss_trajectory_row (start, 0)[ss_trajectory_channel (start, "measure.reach")], 5, EXACT);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    SsMeasure measure;
    SS_CHECK (ss_measure_between (scene->bodies, scene->n_bodies, "one", cases[i].is_angle, cases[i].a, cases[i].b,
                                  &measure, &err) == SS_OK);
    SS_CHECK (ss_motion_add_measures (scene, &measure, 1, &start, &err) == SS_OK);
    const int channel = ss_trajectory_channel (start, "measure.one");
    SS_CHECK_NEAR (ss_trajectory_row (start, 0)[channel], cases[i].value, EXACT);
    SS_CHECK_STR (start->channels[channel].unit, cases[i].is_angle ? "rad" : "m");
    ss_trajectory_free (start);
    SS_CHECK (ss_scenario_initial_trajectory (ssapp_document_get_scenario (document), &start, &err) == SS_OK);
  }
  ss_trajectory_free (start);
}

/* Where a measure is drawn: feet of the lines of edges, and of an angle its corner: at the second feature, unless that
 * is a surface or the world, which are everywhere. Places by hand; the order of the bodies does not matter. */
static void
test_places (void)
{
  static const struct {
    const char *a, *b;
    bool is_angle;
    SsVec2 from, to;
  } cases[] = {{"box", "ball", false, {2, 1}, {5, 5}},         {"ball", "box", false, {5, 5}, {2, 1}},
               {"floor", "box", false, {2, 0}, {2, 1}},        {"box.tip", "floor", false, {2, 1.2}, {2, 0}},
               {"box.edge1", "ball", false, {2.1, 5}, {5, 5}}, {"0,0", "box", false, {0, 0}, {2, 1}},
               {"floor", "box", true, {0, 0}, {2, 1}},         {"box", "floor", true, {2, 1}, {2, 1}},
               {"ball", "box", true, {5, 5}, {2, 1}},          {"box", "ball", true, {2, 1}, {5, 5}},
               {"box", "3,1", true, {2, 1}, {2, 1}},           {"1,2", "box", true, {1, 2}, {2, 1}},
               {"box.edge1", "ball", true, {2.1, 1}, {5, 5}}};
  g_autoptr (SsappDocument) document = open_text (SCENE (REACH));
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;

  for (int first = 0; first < 3; first++) /* each body is once the first of the list */
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
      SsBody bodies[3];
      double poses[9];
      SsMeasure measure;
      SsError err = {0};

      for (int k = 0; k < 3; k++) {
        bodies[k] = scene->bodies[(first + k) % 3];
        memcpy (poses + 3 * k, bodies[k].q, sizeof bodies[k].q);
      }
      SS_CHECK (ss_measure_between (bodies, 3, "one", cases[i].is_angle, cases[i].a, cases[i].b, &measure, &err) ==
                SS_OK);
      const SsMeasured at = ss_measure_at (&measure, poses, 3);
      SS_CHECK_NEAR (at.from.x, cases[i].from.x, EXACT);
      SS_CHECK_NEAR (at.from.y, cases[i].from.y, EXACT);
      SS_CHECK_NEAR (at.to.x, cases[i].to.x, EXACT);
      SS_CHECK_NEAR (at.to.y, cases[i].to.y, EXACT);
    }
}

static void
test_refused (void)
{
  static const struct {
    const char *text, *words;
  } cases[] = {{SCENE ("{\"name\": \"reach\", \"between\": [\"box.corner5\", \"ball\"]}"), "has 4 corners"},
               {SCENE ("{\"name\": \"reach\", \"between\": [\"box.top\", \"ball\"]}"), "has no point 'top'"},
               {SCENE ("{\"name\": \"reach\", \"between\": [\"bax\", \"ball\"]}"), "is no feature"},
               {SCENE ("{\"name\": \"reach\", \"between\": [\"ball.corner1\", \"box\"]}"), "has 0 corners"},
               {SCENE ("{\"name\": \"reach\", \"between\": [\"box.edge1\", \"floor\"]}"), "no distance that stays one"},
               {SCENE ("{\"name\": \"reach\", \"between\": [\"box\", \"box.tip\"]}"), "of one body"},
               {SCENE ("{\"name\": \"reach\", \"between\": [\"box\"]}"), "between two features"},
               {SCENE (REACH "," REACH), "used twice"}};

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    SsScenario *scenario = NULL;
    SsProblems problems;
    ss_problems_init (&problems);
    SS_CHECK (ss_scenario_read (cases[i].text, strlen (cases[i].text), "yard", NULL, 0, &problems, &scenario) != SS_OK);
    SS_CHECK (scenario == NULL && problems.n_items > 0 && strstr (problems.items[0].message, cases[i].words) != NULL);
    SS_CHECK (problems.n_items > 0 && g_str_has_prefix (problems.items[0].path, "scene.measures["));
    ss_problems_clear (&problems);
  }
}

static void
check_field (SsappDocument *document, const char *path, const char *expected)
{
  g_autofree char *text = ssapp_document_get_field (document, path, "");

  SS_CHECK_STR (text, expected);
}

static void
test_on_the_sheet (void)
{
  g_autoptr (SsappDocument) document = open_text (SCENE (REACH));
  const double reach = 0.02;
  GError *error = NULL;

  /* Near a corner; inside of a body, whose centre is meant; on the floor; on an edge; on nothing. */
  const struct {
    SsVec2 at;
    const char *feature;
  } cases[] = {{{2.11, 0.8}, "box.corner1"}, {{2, 1.2}, "box.tip"},   {{2.05, 1}, "box"},
               {{2.095, 1.1}, "box.edge1"},  {{3, 0}, "floor.edge1"}, {{4, 2}, "4,2"}};
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *feature = ssapp_document_feature_at (document, cases[i].at, reach);
    SS_CHECK_STR (feature, cases[i].feature);
  }
  SS_CHECK (ssapp_document_add_measure (document, (SsVec2){3, 0}, (SsVec2){2.095, 1.1}, reach, &error));
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.measures[1]");
  SS_CHECK (ssapp_document_get_scenario (document)->scene->measures[1].is_angle);
  SS_CHECK (ssapp_document_add_note (document, (SsVec2){1, 2}, "starts here", &error));
  SS_CHECK_STR (ssapp_document_get_scenario (document)->scene->notes[0].text, "starts here");

  /* Names follow: of a body in measures, of a measure in outcomes; undo takes a step back. */
  SS_CHECK (ssapp_document_rename (document, "box", "crate", &error));
  check_field (document, "scene.measures[0].between[0]", "crate");
  check_field (document, "scene.measures[1].between[1]", "crate.edge1");
  SS_CHECK (ssapp_document_set_field (document, "scene.measures[0].name", "gap", "", &error));
  SS_CHECK_STR (ssapp_document_get_scenario (document)->interests[0].formula, "min(measure.gap)");
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_scenario (document)->interests[0].formula, "min(measure.reach)");

  /* A measure that goes takes what reads it along; a body that goes takes its measures. */
  ssapp_document_select_item (document, "scene.measures[0]");
  SS_CHECK (ssapp_document_delete_selection (document, &error));
  SS_CHECK (ssapp_document_get_scenario (document)->n_interests == 0);
  ssapp_document_select (document, "crate");
  SS_CHECK (ssapp_document_delete_selection (document, &error));
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_measures == 0);
  g_clear_error (&error);
}

/* ---- spans ------------------------------------------------------------------------------------------------------- */

static SsTrajectory *
new_rows (const double *rows, int n)
{
  const SsChannel channels[] = {ss_channel_of_time (), ss_channel_named ("f")};
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new (channels, 2, n, &motion, NULL) == SS_OK);
  for (int k = 0; k < n; k++)
    SS_CHECK (ss_trajectory_append (motion, rows + 2 * k, NULL) == SS_OK);
  return motion;
}

/* Rows of stages between, whose values lie anywhere, change no number. */
static void
test_span_of_steps (void)
{
  static const SsChannel channels[] = {{.name = "t", .quantity = SS_QUANTITY_TIME, .unit = "s", .owner_name = ""},
                                       {.name = "f", .unit = "", .owner_name = ""},
                                       {.name = "stage", .quantity = SS_QUANTITY_STAGE, .unit = "", .owner_name = ""}};
  static const double rows[][3] = {{0, 0, 0}, {0.5, 9, 1}, {2, 2, 0}, {2, 6, 0}, {2.5, -9, 1}, {3, 9, 2}, {4, 6, 0}};
  SsTrajectory *motion;
  SsSpan span;

  SS_CHECK (ss_trajectory_new (channels, 3, 7, &motion, NULL) == SS_OK);
  for (int k = 0; k < 7; k++)
    SS_CHECK (ss_trajectory_append (motion, rows[k], NULL) == SS_OK);
  SS_CHECK (ss_span_of (motion, 1, 1, 3, &span, NULL) == SS_OK);
  SS_CHECK_NEAR (span.at_from, 1, EXACT);
  SS_CHECK_NEAR (span.at_to, 6, EXACT);
  SS_CHECK_NEAR (span.mean, 3.75, EXACT);
  SS_CHECK_NEAR (span.least, 1, EXACT);
  SS_CHECK_NEAR (span.most, 6, EXACT);
  SS_CHECK (span.n_rows == 2);
  ss_trajectory_free (motion);
}

static void
test_span (void)
{
  /* 0 to 2 in two seconds, a jump to 6, constant. From 1 to 3: pieces 1..2 and 6..6 of a second each. */
  static const double rows[][2] = {{0, 0}, {2, 2}, {2, 6}, {4, 6}};
  SsTrajectory *motion = new_rows (rows[0], 4);
  SsSpan span;
  SsError err = {0};

  SS_CHECK (ss_span_of (motion, 1, 1, 3, &span, &err) == SS_OK);
  SS_CHECK_NEAR (span.at_from, 1, EXACT);
  SS_CHECK_NEAR (span.at_to, 6, EXACT);
  SS_CHECK_NEAR (span.slope, 2.5, EXACT);
  SS_CHECK_NEAR (span.mean, 3.75, EXACT);                    /* (1.5 + 6) / 2 */
  SS_CHECK_NEAR (span.rms, sqrt ((7. / 3 + 36) / 2), EXACT); /* of t from 1 to 2: 7/3 */
  SS_CHECK_NEAR (span.deviation, sqrt ((7. / 3 + 36) / 2 - 3.75 * 3.75), EXACT);
  SS_CHECK_NEAR (span.least, 1, EXACT);
  SS_CHECK_NEAR (span.most, 6, EXACT);
  SS_CHECK_NEAR (span.fitted_slope, 3.5, EXACT); /* 12 / T^3 times the integral of (t - 2) f, -2/3 + 3 */
  SS_CHECK (ss_span_of (motion, 1, 2, 4, &span, &err) == SS_OK); /* of the jump the state after it */
  SS_CHECK_NEAR (span.at_from, 6, EXACT);
  SS_CHECK_NEAR (span.least, 6, EXACT);
  SS_CHECK (ss_span_of (motion, 1, -9, 9, &span, &err) == SS_OK && span.from == 0 && span.to == 4);
  SS_CHECK (ss_span_of (motion, 1, 5, 9, &span, &err) == SS_ERR_INVALID);
  ss_trajectory_free (motion);
  test_span_of_steps ();
}

static void
test_spectrum (void)
{
  /* 3 sin (2 pi 5 t) + 0.5 sin (2 pi 12 t) + 7 over two seconds in rows whose steps are between 1 and 2 ms: straight
   * lines of them miss the sines by 1/8 (2 pi f h)^2 = 0.3 % at most. */
  enum { N = 1334 };
  static double rows[N + 1][2];
  static double frequencies[SS_SPECTRUM_LINES], amplitudes[SS_SPECTRUM_LINES];
  int n_lines = 0;

  for (int k = 0; k <= N; k++) {
    const double t = 2. * (k + 0.3 * sin (2.1 * k) * (k > 0 && k < N)) / N;
    rows[k][0] = t;
    rows[k][1] = 7 + 3 * sin (2 * G_PI * 5 * t) + 0.5 * sin (2 * G_PI * 12 * t);
  }
  SsTrajectory *motion = new_rows (rows[0], N + 1);
  SS_CHECK (ss_span_spectrum (motion, 1, 0, 2, frequencies, amplitudes, &n_lines, NULL) == SS_OK);
  SS_CHECK (n_lines == 1023 && frequencies[0] == 0.5);
  SS_CHECK_NEAR (amplitudes[9], 3, 0.01);     /* 5 Hz */
  SS_CHECK_NEAR (amplitudes[23], 0.5, 0.005); /* 12 Hz */
  SS_CHECK (amplitudes[15] < 1e-3);           /* 8 Hz: a Hann window leaks two lines */
  ss_trajectory_free (motion);
}

int
main (void)
{
  SS_RUN (test_values);
  SS_RUN (test_places);
  SS_RUN (test_refused);
  SS_RUN (test_on_the_sheet);
  SS_RUN (test_span);
  SS_RUN (test_spectrum);
  return ss_test_finish ();
}
