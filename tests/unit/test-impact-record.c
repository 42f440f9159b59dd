/* tests/unit/test-impact-record.c: what runs of impact laws are made from, and which of their samples are kept. */
#include "app/job/ssapp-impact-input.h"
#include "app/job/ssapp-samples.h"
#include "impact/ss-impact-summary.h"
#include "tests/ss-test-scenario.h"

/* ---- samples that are kept --------------------------------------------------------------------------------------- */

/* A table of two contacts: speeds of A on a circle that a few rows alone reach, B at rest but for one row, and rows
 * that did not finish. */
static SsSamples *
circle (int n_rows, int every)
{
  static const char *const columns[] = {"vn_A", "vt_A", "vn_B", "vt_B", "kinetic_energy"};
  SsSamples *samples;

  SS_CHECK (ss_samples_new (columns, 5, n_rows, &samples, NULL) == SS_OK);
  for (int k = 0; k < n_rows; k++) {
    double *row = samples->values + 5 * k;
    const double r = k % every == 1 ? 1 : 0.5;
    row[0] = r * cos (k);
    row[1] = r * sin (k);
    row[2] = k == 77777 ? 3 : k % 2 == 0 ? 0. : -0.;
    row[4] = k;
    if (k % 1000 == 5)
      row[0] = row[1] = NAN;
  }
  return samples;
}

static double
area_of (const SsSamples *samples, int x, int y)
{
  SsVec2 *points = ss_new_array (SsVec2, samples->n_rows), *hull = ss_new_array (SsVec2, samples->n_rows + 1);
  double area = 0;
  int n = 0;

  for (int k = 0; k < samples->n_rows; k++)
    if (isfinite (samples->values[5 * k + x]))
      points[n++] = (SsVec2){samples->values[5 * k + x], samples->values[5 * k + y]};
  n = ss_impact_hull (points, n, hull);
  for (int k = 0; k < n; k++)
    area += (hull[k].x * hull[(k + 1) % n].y - hull[k].y * hull[(k + 1) % n].x) / 2;
  ss_free (points);
  ss_free (hull);
  return area;
}

/* Rows at odd places carry the hull: none of them is a multiple of the stride, which alone would leave half the radius.
 * The corners are some hundreds, and rest is kept but once. */
static void
test_thinned_samples_keep_the_hull (void)
{
  const int n = SSAPP_SAMPLES_KEPT + SSAPP_SAMPLES_KEPT / 2;
  SsSamples *all = circle (n, 400), *kept;

  SS_CHECK (ssapp_samples_thin (all, &kept, NULL) == SS_OK);
  SS_CHECK (kept->n_columns == 5);
  SS_CHECK_STR (kept->columns[1], "vt_A");
  SS_CHECK (kept->n_rows > n / 2 && kept->n_rows < n / 2 + 1000);
  SS_CHECK_NEAR (area_of (kept, 1, 0) / area_of (all, 1, 0), 1, 1e-5);
  SS_CHECK_NEAR (area_of (all, 1, 0), G_PI, 0.01); /* about 1000 places on a circle of radius 1 */
  SS_CHECK_NEAR (area_of (kept, 0, 2), area_of (all, 0, 2), 1e-5);
  int n_lifted = 0;
  for (int k = 0; k < kept->n_rows; k++) {
    const int from = (int)kept->values[5 * k + 4];
    n_lifted += kept->values[5 * k + 2] > 1;
    SS_CHECK (k == 0 || kept->values[5 * k + 4] > kept->values[5 * k - 1]); /* in their order */
    SS_CHECK (memcmp (&kept->values[5 * k + 2], &all->values[5 * from + 2], 3 * sizeof (double)) == 0);
  }
  SS_CHECK (n_lifted == 1); /* row 77777 is odd */
  ss_samples_free (kept);
  ss_samples_free (all);
}

static void
test_few_samples_are_kept_whole (void)
{
  SsSamples *all = circle (1000, 4), *none = circle (0, 1), *kept;

  SS_CHECK (ssapp_samples_thin (all, &kept, NULL) == SS_OK && kept->n_rows == 1000);
  SS_CHECK (memcmp (kept->values, all->values, 5000 * sizeof (double)) == 0);
  ss_samples_free (kept);
  SS_CHECK (ssapp_samples_thin (none, &kept, NULL) == SS_OK && kept->n_rows == 0 && kept->n_columns == 5);
  ss_samples_free (kept);
  ss_samples_free (none);
  ss_samples_free (all);
}

/* Above the limit, and all of it rest: a hull of one corner, and a table whose planes have no place at all. */
static void
test_hulls_may_be_points (void)
{
  SsSamples *all = circle (SSAPP_SAMPLES_KEPT + 2, 4), *kept;

  for (int k = 0; k < 5 * all->n_rows; k++)
    all->values[k] = 0.25;
  SS_CHECK (ssapp_samples_thin (all, &kept, NULL) == SS_OK && kept->n_rows == SSAPP_SAMPLES_KEPT / 2 + 1);
  ss_samples_free (kept);
  for (int k = 0; k < 5 * all->n_rows; k++)
    all->values[k] = NAN;
  SS_CHECK (ssapp_samples_thin (all, &kept, NULL) == SS_OK && kept->n_rows == SSAPP_SAMPLES_KEPT / 2 + 1);
  ss_samples_free (kept);
  ss_samples_free (all);
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

static const char scene[] =
    "{\"format\": 1, \"name\": \"pair\", \"scene\": {\"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.5}, \"mass\": 1, \"position\": [0, 3]}]},"
    "\"task\": {\"t_end\": 1, \"dt\": 0.5}}";

/* Between two rows a state is interpolated, at a jump it is the one before; written into the text and read again it is
 * the same to the bit. */
static void
test_states_of_motions (void)
{
  const char *names[] = {"t", "disc.x", "disc.y", "disc.theta", "disc.vx", "disc.vy", "disc.omega"};
  const double rows[3][7] = {{0, 0, 3, 0, 0.1, 0, 1}, {1, 0.1, 2, 1, 0.1, -2, 1}, {1, 0.1, 2, 1, 0.1, 5, 1}};
  SsScenario *scenario = ss_test_read_text (scene);
  SsTrajectory *motion;
  double q[6], v[6];
  SsError err = {0};

  SS_CHECK (ss_trajectory_new_named (names, 7, 2, &motion, NULL) == SS_OK);
  for (int k = 0; k < 3; k++)
    SS_CHECK (ss_trajectory_append (motion, rows[k], NULL) == SS_OK);
  SS_CHECK (ssapp_impact_state_at (scenario->scene, motion, 0.25, q, v, &err) == SS_OK);
  SS_CHECK_NEAR (q[4], 2.75, 1e-15);
  SS_CHECK_NEAR (v[4], -0.5, 1e-15);
  SS_CHECK (q[0] == 0 && q[1] == 0 && v[1] == 0); /* the floor has no channels */
  g_autofree char *text = ssapp_impact_scenario_in_state (scene, scenario->scene, q, v, &err);
  SsScenario *again = ss_test_read_text (text);
  for (int k = 0; k < 3; k++) {
    SS_CHECK (again->scene->bodies[1].q[k] == q[3 + k]);
    SS_CHECK (again->scene->bodies[1].v[k] == v[3 + k]);
  }
  SS_CHECK (ssapp_impact_state_at (scenario->scene, motion, 1, q, v, &err) == SS_OK && v[4] == -2);
  SS_CHECK (ssapp_impact_state_at (scenario->scene, motion, NAN, q, v, &err) == SS_OK && q[4] == 2 && v[4] == -2);
  ss_scenario_free (again);

  motion->n_rows = 0;
  SS_CHECK (ssapp_impact_state_at (scenario->scene, motion, 0, q, v, &err) == SS_ERR_INVALID);
  motion->n_rows = 3;
  ss_trajectory_free (motion);
  names[5] = "disk.vy";
  SS_CHECK (ss_trajectory_new_named (names, 7, 2, &motion, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_append (motion, rows[0], NULL) == SS_OK);
  SS_CHECK (ssapp_impact_state_at (scenario->scene, motion, 0, q, v, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "'disc.vy'");
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
}

static void
test_bodies_of_families_have_no_place (void)
{
  static const char family[] = "{\"format\": 1, \"name\": \"row\", \"scene\": {\"bodies\": ["
                               "{\"for\": \"k\", \"from\": 0, \"to\": 1, \"rows\": [{\"name\": \"disc{k}\","
                               " \"shape\": {\"type\": \"circle\", \"radius\": 0.5}, \"mass\": 1, \"position\": "
                               "[\"2*{k}\", 3]}]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.5}}";
  SsScenario *scenario = ss_test_read_text (family);
  const double zero[6] = {0};
  SsError err = {0};

  SS_CHECK (scenario != NULL);
  if (scenario == NULL)
    return;
  SS_CHECK (ssapp_impact_scenario_in_state (family, scenario->scene, zero, zero, &err) == NULL);
  SS_CHECK_CONTAINS (err.message, "made by a family");
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_thinned_samples_keep_the_hull);
  SS_RUN (test_few_samples_are_kept_whole);
  SS_RUN (test_hulls_may_be_points);
  SS_RUN (test_states_of_motions);
  SS_RUN (test_bodies_of_families_have_no_place);
  return ss_test_finish ();
}
