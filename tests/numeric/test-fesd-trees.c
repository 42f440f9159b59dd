/* tests/numeric/test-fesd-trees.c: plans by fesd-j of scenes with joints. Truth: the joint rows of engine/dynamics and
 * difference quotients for joint coordinates; for plans their replay by the integrator fesd-j, which knows no joint
 * coordinates: there joints are rows with forces, and limits events. */
#include "dynamics/ss-dynamics.h"
#include "fesd/ss-tableau.h"
#include "run/ss-method.h"
#include "run/ss-run.h"
#include "transcribe/ss-transcriptions.h"
#include "ss-test-scenario.h"
#include "transcribe/ss-fesd-j.h"
#include "transcribe/ss-transcribe-tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- coordinates ------------------------------------------------------------------------------------------------- */

/* A body that flies carries an arm by a pin, that a slide, that a plate by a weld; a second arm hangs on the world. */
static const char *const tree_text =
    "{\"format\": 1, \"name\": \"tree\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81], \"contacts\": [],"
    " \"bodies\": ["
    "  {\"name\": \"plate\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"position\": [2, 0]},"
    "  {\"name\": \"slide\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"position\": [1, 0]},"
    "  {\"name\": \"arm\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"position\": [0.5, 0]},"
    "  {\"name\": \"root\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"position\": [0, 0]},"
    "  {\"name\": \"other\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"position\": [0, 2]}],"
    " \"joints\": ["
    "  {\"name\": \"w\", \"type\": \"weld\", \"bodies\": [\"slide\", \"plate\"], \"anchor\": [1.7, 0.3]},"
    "  {\"name\": \"s\", \"type\": \"slider\", \"bodies\": [\"arm\", \"slide\"], \"anchors\": [[0.3, 0.1], [-0.2, "
    "0.1]],"
    "   \"axis\": [1, 0]},"
    "  {\"name\": \"p\", \"type\": \"pin\", \"bodies\": [\"root\", \"arm\"], \"anchor\": [0.2, 0.1]},"
    "  {\"name\": \"h\", \"type\": \"pin\", \"bodies\": [\"world\", \"other\"], \"anchor\": [0.4, 2.5]}]}}";

enum { N_BODIES = 5, N = 3 * N_BODIES };

static void
test_coordinates (void)
{
  SsScenario *scenario = ss_test_read_text (tree_text);
  const SsScene *scene = scenario->scene;
  int tree[N_BODIES], n_slots = 0;
  SsTranscription t = {.scene = scene, .tree = tree, .is_joint = true};
  double slots[N] = {0}, rates[N] = {0}, q[N], v[N], moved[N], ignored[N], side[2][N], found[N], found_rates[N];
  SsRow rows[16];
  SsDynamics *dynamics = NULL;
  SsError err = {0};
  const double nudge = 1e-6;

  SS_CHECK (ss_dynamics_new (scene, &dynamics, &err) == SS_OK);
  ss_transcription_choose_tree (&t);
  for (int i = 0; i < N; i++)
    if (ss_transcription_has_slot (&t, i)) {
      slots[i] = 0.3 + 0.7 * sin (i); /* any numbers */
      rates[i] = 1.1 * cos (2 * i);
      n_slots++;
    }
  SS_CHECK (n_slots == 3 + 1 + 1 + 1); /* the root's, two pins, the slider; the weld has none */
  ss_transcription_follow_slots (&t, slots, rates, q, v);
  const int n_rows = ss_dynamics_joint_rows (dynamics, q, v, rows);
  SS_CHECK (n_rows == 2 + 2 + 2 + 3);
  for (int i = 0; i < n_rows; i++) {
    SS_CHECK_NEAR (rows[i].phi, 0, 1e-14); /* rounding */
    SS_CHECK_NEAR (ss_row_velocity (&rows[i], v), 0, 1e-14);
  }
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < N; i++)
      moved[i] = slots[i] + (k == 0 ? nudge : -nudge) * rates[i];
    ss_transcription_follow_slots (&t, moved, rates, side[k], ignored);
  }
  for (int i = 0; i < N; i++)
    SS_CHECK_NEAR ((side[0][i] - side[1][i]) / (2 * nudge), v[i], 1e-9); /* rounding over the nudge */
  ss_transcription_find_slots (&t, q, v, found, found_rates);
  for (int i = 0; i < N; i++) {
    SS_CHECK_NEAR (found[i], slots[i], 1e-14);
    SS_CHECK_NEAR (found_rates[i], rates[i], 1e-14);
  }
  ss_dynamics_free (dynamics);
  ss_scenario_free (scenario);
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

/* A cart shall carry a hanging pole some way; %s: what the hinge has besides, what else is there, contacts, how far. */
static const char *const cart_format =
    "{\"format\": 1, \"name\": \"cart\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
    "  {\"name\": \"cart\", \"shape\": {\"type\": \"box\", \"width\": 0.16, \"height\": 0.08}, \"mass\": 1,"
    "   \"lock\": [\"y\", \"theta\"]},"
    "  {\"name\": \"pole\", \"shape\": {\"type\": \"capsule\", \"from\": [0, 0.5], \"to\": [0, 0], \"radius\": 0.02},"
    "   \"mass\": 0.3, \"inertia\": 0.001, \"position\": [0, -0.5]}%s],"
    " \"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"cart\", \"pole\"], \"anchor\": [0, 0]%s}],"
    " \"contacts\": [%s],"
    " \"actuators\": [{\"name\": \"motor\", \"type\": \"force\", \"body\": \"cart\", \"direction\": [1, 0],"
    "  \"lower\": -10, \"upper\": 10}]},"
    " \"task\": {\"horizon\": 1.2, \"steps\": 6, \"effort\": 0.01, \"targets\": ["
    "  {\"body\": \"cart\", \"position\": [%g, null], \"velocity\": [0, null]},"
    "  {\"body\": \"pole\", \"angle\": 0, \"angular_velocity\": 0}]}}";

/* Three links and the world: the last pin closes a loop. */
static const char *const four_bar_text =
    "{\"format\": 1, \"name\": \"four-bar\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81], \"contacts\": [],"
    " \"bodies\": ["
    "  {\"name\": \"crank\", \"shape\": {\"type\": \"capsule\", \"from\": [-0.1, 0], \"to\": [0.1, 0], \"radius\": "
    "0.01},"
    "   \"mass\": 0.5, \"position\": [0, 0.1], \"angle\": \"pi/2\"},"
    "  {\"name\": \"coupler\", \"shape\": {\"type\": \"capsule\", \"from\": [-0.2, 0], \"to\": [0.2, 0], \"radius\": "
    "0.01},"
    "   \"mass\": 0.5, \"position\": [0.2, 0.2]},"
    "  {\"name\": \"rocker\", \"shape\": {\"type\": \"capsule\", \"from\": [-0.15, 0], \"to\": [0.15, 0], \"radius\": "
    "0.01},"
    "   \"mass\": 0.5, \"position\": [0.4, 0.05], \"angle\": \"pi/2\"}],"
    " \"joints\": ["
    "  {\"name\": \"a\", \"type\": \"pin\", \"bodies\": [\"world\", \"crank\"], \"anchor\": [0, 0]},"
    "  {\"name\": \"b\", \"type\": \"pin\", \"bodies\": [\"crank\", \"coupler\"], \"anchor\": [0, 0.2]},"
    "  {\"name\": \"c\", \"type\": \"pin\", \"bodies\": [\"coupler\", \"rocker\"], \"anchor\": [0.4, 0.2]},"
    "  {\"name\": \"d\", \"type\": \"pin\", \"bodies\": [\"world\", \"rocker\"], \"anchor\": [0.4, -0.1]}],"
    " \"actuators\": [{\"name\": \"m\", \"type\": \"joint\", \"joint\": \"a\", \"lower\": -5, \"upper\": 5}]},"
    " \"task\": {\"horizon\": 0.8, \"steps\": 8, \"effort\": 0.1,"
    "  \"targets\": [{\"body\": \"crank\", \"angle\": \"pi/2-0.8\", \"angular_velocity\": 0}]}}";

static SsScenario *
read_cart (const char *hinge, const char *bodies, const char *contacts, double way)
{
  char text[4096];

  snprintf (text, sizeof text, cart_format, bodies, hinge, contacts, way);
  return ss_test_read_text (text);
}

/* Solves a plan by the homotopy; options as "name=value", ended by NULL. The scenario is freed. */
static SsRunResult
solve (SsScenario *scenario, const char *const *given)
{
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "scholtes", NULL);
  const SsOptionTable *table = ss_transcription_option_table ();
  void *options = calloc (1, method->options->size + 1), *own = calloc (1, table->size);
  SsRunResult result;
  SsError err = {0};
  char name[64];

  ss_method_init_options (method, scenario, options);
  ss_options_init (table, own);
  SS_CHECK (ss_options_set (table, own, "transcription", "fesd-j", &err) == SS_OK);
  SS_CHECK (ss_options_set (table, own, "first", "method", &err) == SS_OK);
  for (; *given != NULL; given++) {
    const char *value = strchr (*given, '=');

    snprintf (name, sizeof name, "%.*s", (int)(value - *given), *given);
    SS_CHECK (ss_options_set (table, own, name, value + 1, &err) == SS_OK);
  }
  SsJob job = ss_job (method, scenario, options);
  job.solve.transcription = ss_transcription_choose (own);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  printf ("  %s: %s\n", scenario->name, result.message);
  ss_scenario_free (scenario);
  free (options);
  free (own);
  return result;
}

/* Distance between where a plan ends and where its replay does, in that many elements of two stages an interval. */
static double
replayed_distance (SsScenario *scenario, const char *elements)
{
  const char *const given[] = {"stages=2", elements, NULL};
  SsRunResult result = solve (scenario, given);
  const double distance = ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_END_DISTANCE);

  ss_run_result_clear (&result);
  return distance;
}

/* Radau IIA with two stages has order 3, with trees and, thanks to the projection, with loops: half the length, an
 * eighth of the distance. The replay's own error is far below, at steps a quarter as long and in more stages. */
static void
test_order (void)
{
  const double tree = replayed_distance (read_cart ("", "", "", 0.5), "elements=2") /
                      replayed_distance (read_cart ("", "", "", 0.5), "elements=4");
  const double loop = replayed_distance (ss_test_read_text (four_bar_text), "elements=2") /
                      replayed_distance (ss_test_read_text (four_bar_text), "elements=4");

  printf ("  distances fall by %.2f and %.2f\n", tree, loop);
  SS_CHECK (tree > 6 && tree < 10.5);
  SS_CHECK (loop > 6 && loop < 10.5);
}

/* The pole leans on a wall; it reaches the end of its hinge. The polish has the modes right when its motion, in exact
 * steps, is that of the integrator to the error of the scheme, and no force pulls. */
static void
test_polished (void)
{
  static const char *const wall =
      ", {\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [-1, 0]},"
      " \"position\": [0.35, 0]}";
  static const char *const given[] = {"stages=3", "polish=on", NULL};
  SsScenario *scenarios[] = {
      read_cart ("", wall, "{\"bodies\": [\"wall\", \"pole\"], \"friction\": 0}", 0.3),
      read_cart (", \"lower\": -0.15, \"upper\": 0.15", "", "", 0.5),
  };

  for (int i = 0; i < 2; i++) {
    SsRunResult result = solve (scenarios[i], given);
    const double objective = ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE);

    SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION) < 1e-6);
    SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_END_DISTANCE) < 1e-4);
    SS_CHECK_NEAR (ss_metric_get (&result.metrics, SS_METRIC_REPLAYED_OBJECTIVE) / objective, 1, 1e-4);
    ss_run_result_clear (&result);
  }
}

static void
test_refused (void)
{
  const SsTranscriptionClass *class_ = &ss_transcription_fesd_j;
  SsFesdOptions own;
  SsScenario *scenario = ss_test_read_text (four_bar_text), *plan = NULL;
  SsError err = {0};

  ss_options_init (class_->options, &own);
  own.scheme = SS_TABLEAU_GAUSS_LEGENDRE;
  const SsTranscribeOptions options = {.class_ = class_, .own = &own};
  SS_CHECK (ss_transcribe (scenario, &options, &plan, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "the joint 'd' closes a loop");
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_coordinates);
  SS_RUN (test_order);
  SS_RUN_SLOW (test_polished);
  SS_RUN (test_refused);
  return ss_test_finish ();
}
