/* tests/unit/test-impact-study.c: studies beside a set: the compliant sweep is the engine's own, another friction and
 * another approach reach it, it ends when it is told to; sets of other steps are those that the engine draws. Beside
 * them parameters of the scene, a kept set, the brush of energy. The scene is the rocking block of examples/impacts. */
#include "app/impact/ssapp-impact-set.h"
#include "tests/ss-test.h"

#include "impact/ss-impact-summary.h"

#include <math.h>
#include <string.h>

static void
note (gpointer counter)
{
  (*(int *)counter)++;
}

static SsappImpactSource *
block_source (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  SS_CHECK (g_file_get_contents (SS_SOURCE_ROOT "/examples/impacts/rocking-block.stickslip.json", &text, NULL, &error));
  SsappImpactSource *source = ssapp_impact_source_new_from_scene (text, "block", NULL, 0., &error);
  SS_CHECK (source != NULL && error == NULL);
  return source;
}

/* All rows of a study, which is freed. */
static GArray *
rows_of (SsappImpactStudy *study, SsappImpactStudyState *state)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (double));

  ssapp_impact_study_wait (study);
  ssapp_impact_study_take (study, rows, state);
  SS_CHECK (!state->is_running && ssapp_impact_study_get_message (study) == NULL);
  ssapp_impact_study_free (study);
  return rows;
}

/* Case by case as the engine's sweep in one go: the same numbers. */
static void
test_sweep_is_the_engines (void)
{
  enum { COLUMNS = 5 };
  g_autoptr (SsappImpactSource) source = block_source ();
  for (int sweep = 0; sweep < 2; sweep++) {
    SsappImpactStudyState state;
    g_autoptr (GArray) rows =
        rows_of (ssapp_impact_study_new_compliant (source, NAN, 0., (SsCompliantSweep)sweep), &state);
    SsCompliant *study = NULL;
    SsOutcome outcome;
    SsError err;
    int n_done, wrong = 0;

    SS_CHECK (ss_compliant_new (ssapp_impact_source_get_scenario (source)->scene, NULL, NULL, NULL, NULL, NULL, &study,
                                &err) == SS_OK);
    const int n = ss_compliant_n_cases (study);
    g_autofree double *table = g_new0 (double, (gsize)n *SS_COMPLIANT_COLUMNS);
    SS_CHECK (ss_compliant_sweep (study, (SsCompliantSweep)sweep, NULL, table, &n_done, &outcome, &err) == SS_OK);
    SS_CHECK (state.n_done == n && state.n_cases == n && rows->len == (guint)(n * COLUMNS));
    int vn[2] = {-1, -1};
    for (int c = 0; c < SS_COMPLIANT_COLUMNS; c++) {
      char name[128];
      ss_compliant_column (study, (SsCompliantSweep)sweep, c, name, sizeof name);
      for (int k = 0; k < 2; k++) {
        g_autofree char *wanted = g_strconcat ("vn_", ss_compliant_contact (study, k), NULL);
        vn[k] = strcmp (name, wanted) == 0 ? c : vn[k];
      }
    }
    SS_CHECK (vn[0] >= 0 && vn[1] >= 0);
    for (int k = 0; k < n; k++) {
      const double *row = &g_array_index (rows, double, (guint)(k * COLUMNS)), *own = table + k * SS_COMPLIANT_COLUMNS;
      wrong += row[0] != own[0] || row[1] != own[vn[0]] || row[2] != own[vn[1]];
    }
    SS_CHECK (wrong == 0);
    ss_compliant_free (study);
  }
}

/* Without friction nothing pushes the block sideways: it never slides. */
static void
test_another_friction_reaches_the_sweep (void)
{
  g_autoptr (SsappImpactSource) source = block_source ();
  SsappImpactStudyState state;
  g_autoptr (GArray) rows = rows_of (ssapp_impact_study_new_compliant (source, 0., 0., SS_COMPLIANT_RATIO), &state);
  double pushed = 0.;

  for (guint k = 0; k + 5 <= rows->len; k += 5) {
    const double *row = &g_array_index (rows, double, k);
    /* the block turns at omega: its lower corners slide at height/2 omega and lift at -+ width/2 omega + vy */
    const double omega = row[2] - row[1], slide = row[3];
    pushed = fmax (pushed, fabs (slide - omega * 1.));
  }
  SS_CHECK (state.n_done > 1);
  /* The block turns by some 1e-5 rad while it strikes, so that its corners are no longer where they were. */
  SS_CHECK (pushed < 1e-5);
}

static void
test_files_have_no_sweep (void)
{
  static const char numbers[] = "{\"name\": \"one\", \"M\": [[1]], \"Jn\": [[1]], \"Jt\": [[0]], \"mu\": [0],"
                                " \"v_pre\": [-1]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappImpactSource) source = ssapp_impact_source_new_from_text (numbers, "one.json", &error);
  SsappImpactStudy *study = ssapp_impact_study_new_compliant (source, NAN, 0., SS_COMPLIANT_RATIO);

  ssapp_impact_study_wait (study);
  SS_CHECK_CONTAINS (ssapp_impact_study_get_message (study), "drawn scene");
  ssapp_impact_study_free (study);
}

static void
test_sweep_is_cancelled (void)
{
  g_autoptr (SsappImpactSource) source = block_source ();
  SsappImpactStudy *study = ssapp_impact_study_new_compliant (source, NAN, 0., SS_COMPLIANT_RATIO);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (double));
  SsappImpactStudyState state;

  ssapp_impact_study_cancel (study);
  ssapp_impact_study_wait (study);
  ssapp_impact_study_take (study, rows, &state);
  SS_CHECK (!state.is_running && rows->len == (guint)state.n_done * 5);
  ssapp_impact_study_free (study);
}

/* The row of half the step is what the engine draws with half the step and twice the steps. */
static void
test_steps_are_the_engines (void)
{
  g_autoptr (SsappImpactSource) source = block_source ();
  SsImpact *impact = ssapp_impact_source_make (source, 0.2, 0., NULL);
  SsImpactSetOptions options = {
      .policy = SS_IMPACT_POLICY_LEMKE, .h = 0.3, .max_steps = 10, .n_samples = 1000, .seed = 3, .n_threads = 1};
  int columns[SSAPP_IMPACT_STUDY_PLANES][2] = {{2, 0}, {3, 1}};
  SsappImpactStudyState state;
  g_autoptr (GArray) rows = rows_of (ssapp_impact_study_new_steps (impact, &options, columns, NULL, 0), &state);
  SsImpact *again = ssapp_impact_source_make (source, 0.2, 0., NULL);
  SsImpactSet *set = NULL;
  SsError err;
  SsVec2 points[1000], hull[1001];
  double area = 0.;
  int finished = 0;

  SS_CHECK (state.n_done == 6 && rows->len == 6 * SSAPP_IMPACT_STEPS_COLUMNS);
  const double *row = &g_array_index (rows, double, 3 * SSAPP_IMPACT_STEPS_COLUMNS);
  SS_CHECK_NEAR (row[SSAPP_IMPACT_STEPS_H], 0.15, 1e-15);
  options.h = 0.15;
  options.max_steps = 20;
  SS_CHECK (ss_impact_set_new (again, &options, NULL, &set, &err) == SS_OK);
  for (int k = 0; k < 1000; k++) {
    double u[4];
    ss_impact_speeds (again, set->v + set->n * k, u);
    if (set->state[k] == SS_IMPACT_FINISHED)
      points[finished++] = (SsVec2){u[2], u[0]};
  }
  const int n = ss_impact_hull (points, finished, hull);
  for (int k = 2; k < n; k++)
    area += 0.5 * ((hull[k - 1].x - hull[0].x) * (hull[k].y - hull[0].y) -
                   (hull[k - 1].y - hull[0].y) * (hull[k].x - hull[0].x));
  SS_CHECK (area > 0.);
  SS_CHECK_NEAR (row[SSAPP_IMPACT_STEPS_AREA], area, 1e-5 * area); /* the study's corners are single precision */
  SS_CHECK_NEAR (row[SSAPP_IMPACT_STEPS_UNFINISHED], set->n_unfinished / 1000., 1e-12);
  ss_impact_set_free (set);
  ss_impact_free (again);
}

/* ---- parameters of the scene ------------------------------------------------------------------------------------- */

static int
parameter_of (SsappImpactSource *source, const char *name)
{
  for (int k = 0; k < ssapp_impact_source_get_n_parameters (source); k++)
    if (strcmp (ssapp_impact_source_get_parameter (source, k)->name, name) == 0)
      return k;
  return -1;
}

/* Width w, height 2, mass 1: the inertia about the centre, a formula, is (w^2 + 4)/12, the corners lie at -+ w/2. */
static void
test_parameters_make_configurations (void)
{
  g_autoptr (SsappImpactSource) source = block_source ();
  g_autoptr (GError) error = NULL;
  const int width = parameter_of (source, "width");
  double low, high;

  SS_CHECK (width >= 0 && parameter_of (source, "mu") >= 0);
  ssapp_impact_source_get_range (source, width, &low, &high);
  SS_CHECK (low == 0.01 && high == 2.);
  g_autoptr (SsappImpactSource) narrow = ssapp_impact_source_derive (source, width, 0.5, &error);
  SS_CHECK (narrow != NULL);
  const SsImpact *impact = ssapp_impact_source_get_impact (narrow);
  const int turn = impact->n - 1;
  SS_CHECK (impact->coordinates[turn] % 3 == 2);
  SS_CHECK_NEAR (impact->mass[turn * impact->n + turn], 4.25 / 12., 1e-12);
  SS_CHECK_NEAR (fabs (impact->jn[turn]), 0.25, 1e-12);
  SS_CHECK_NEAR (ssapp_impact_source_get_parameter (narrow, width)->value, 0.5, 0.);
  SS_CHECK_CONTAINS (ssapp_impact_source_get_scenario_text (narrow), "0.5");
  g_autoptr (SsappImpactSource) none = ssapp_impact_source_derive (source, width, -1., &error);
  SS_CHECK (none == NULL && error != NULL);
}

/* A set follows, and stays what it was with a value that leaves no block. */
static void
test_a_set_follows_parameters (void)
{
  g_autoptr (SsappImpactSource) source = block_source ();
  SsappImpactSet *set = ssapp_impact_set_new ();
  g_autofree char *first = NULL;
  int failed = 0;

  ssapp_impact_set_set_source (set, source);
  ssapp_impact_set_wait (set);
  first = g_strdup (ssapp_impact_set_get_impact (set)->sha256);
  g_signal_connect_swapped (set, "failed", G_CALLBACK (note), &failed);
  ssapp_impact_set_set_scene_value (set, parameter_of (source, "width"), 0.5);
  ssapp_impact_set_wait (set);
  SS_CHECK (strcmp (first, ssapp_impact_set_get_impact (set)->sha256) != 0 && failed == 0);
  ssapp_impact_set_set_scene_value (set, parameter_of (source, "width"), -1.);
  SS_CHECK (failed == 1);
  ssapp_impact_set_set_scene_value (set, parameter_of (source, "width"), 1.);
  ssapp_impact_set_wait (set);
  SS_CHECK_STR (ssapp_impact_set_get_impact (set)->sha256, first);
  g_object_unref (set);
}

/* Kept with its samples, in every plane, also beside a configuration of fewer contacts. */
static void
test_kept_sets_stay (void)
{
  static const char numbers[] = "{\"name\": \"one\", \"M\": [[1, 0], [0, 1]], \"Jn\": [[0, 1]], \"Jt\": [[1, 0]],"
                                " \"mu\": [0.5], \"v_pre\": [0.1, -1]}";
  g_autoptr (SsappImpactSource) source = block_source ();
  g_autoptr (SsappImpactSource) other = ssapp_impact_source_new_from_text (numbers, "one.json", NULL);
  SsappImpactSet *set = ssapp_impact_set_new ();
  SsappImpactPicture picture;
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  ssapp_impact_set_set_source (set, source);
  ssapp_impact_set_wait (set);
  ssapp_impact_set_keep_other (set, "kept");
  ssapp_impact_set_set_layer (set, SSAPP_IMPACT_LAYER_OTHER, TRUE);
  ssapp_impact_set_set_source (set, other);
  ssapp_impact_set_wait (set);
  ssapp_impact_set_fill_picture (set, 0, &style, &picture);
  SS_CHECK (picture.spec.plane->n == 8192 && picture.spec.other != NULL && picture.spec.other->n == 8192);
  SS_CHECK_STR (picture.spec.other_label, "kept");
  ssapp_impact_picture_clear (&picture);
  ssapp_impact_set_set_plane (set, 0, 0, 1);
  ssapp_impact_set_wait (set);
  ssapp_impact_set_fill_picture (set, 0, &style, &picture);
  SS_CHECK (picture.spec.other != NULL && picture.spec.other->n == 8192);
  ssapp_impact_picture_clear (&picture);
  ssapp_impact_set_keep_other (set, NULL);
  ssapp_impact_set_fill_picture (set, 0, &style, &picture);
  SS_CHECK (picture.spec.other == NULL && ssapp_impact_set_get_other (set) == NULL);
  ssapp_impact_picture_clear (&picture);
  g_object_unref (set);
}

/* From the first bin on by keys; what is brushed is what the histogram has there. */
static void
test_energy_is_brushed_by_keys (void)
{
  g_autoptr (SsappImpactSource) source = block_source ();
  SsappImpactSet *set = ssapp_impact_set_new ();
  SsappImpactTotals totals;
  double range[2], bin;
  gint64 inside = 0;

  ssapp_impact_set_set_source (set, source);
  ssapp_impact_set_wait (set);
  ssapp_impact_set_get_totals (set, &totals);
  bin = totals.energy_most / SSAPP_IMPACT_BINS;
  SS_CHECK (!ssapp_impact_set_get_energy_brush (set, range));
  ssapp_impact_set_move_energy_brush (set, 1, FALSE);
  ssapp_impact_set_move_energy_brush (set, 1, TRUE);
  ssapp_impact_set_move_energy_brush (set, 1, FALSE);
  SS_CHECK (ssapp_impact_set_get_energy_brush (set, range));
  SS_CHECK_NEAR (range[0], bin, 1e-12);
  SS_CHECK_NEAR (range[1], 3. * bin, 1e-12);
  ssapp_impact_set_wait (set);
  ssapp_impact_set_get_totals (set, &totals);
  for (gint64 k = 0; k < totals.n; k++) {
    const double energy = ssapp_impact_set_get_energies (set)[k];
    inside += energy >= range[0] && energy <= range[1];
  }
  SS_CHECK (totals.n_brushed == inside);
  for (int k = 0; k < 2 * SSAPP_IMPACT_BINS; k++)
    ssapp_impact_set_move_energy_brush (set, 1, FALSE);
  ssapp_impact_set_get_energy_brush (set, range);
  SS_CHECK_NEAR (range[1], totals.energy_most, 1e-12);
  SS_CHECK_NEAR (range[0], totals.energy_most - 2. * bin, 1e-12);
  g_object_unref (set);
}

/* A set runs them when they are asked for, and forgets them with its configuration. */
static void
test_a_set_has_its_studies (void)
{
  g_autoptr (SsappImpactSource) source = block_source ();
  SsappImpactSet *set = ssapp_impact_set_new ();
  SsappImpactStudyState state;
  SsappImpactPicture picture;
  SsappStyle style;
  int with_path = 0;

  ssapp_style_init (&style, FALSE);
  ssapp_impact_set_set_source (set, source);
  ssapp_impact_set_wait (set);
  SS_CHECK (ssapp_impact_set_get_compliant (set, &state, NULL) == NULL);
  ssapp_impact_set_set_layer (set, SSAPP_IMPACT_LAYER_COMPLIANT, TRUE);
  ssapp_impact_set_set_wants_steps (set, TRUE);
  ssapp_impact_set_wait (set);
  const double *rows = ssapp_impact_set_get_compliant (set, &state, NULL);
  SS_CHECK (rows != NULL && state.n_done == state.n_cases && !state.is_running);
  SS_CHECK_NEAR (rows[0], -5., 1e-12);
  SS_CHECK (ssapp_impact_set_get_steps (set, &state) != NULL && state.n_done == 6);
  ssapp_impact_set_fill_picture (set, 0, &style, &picture);
  for (int k = 0; k < picture.spec.n_paths; k++)
    with_path += picture.spec.paths[k].layer == SSAPP_PLANE_COMPLIANT && picture.spec.paths[k].n == 51;
  SS_CHECK (with_path == 1);
  ssapp_impact_picture_clear (&picture);
  ssapp_impact_set_set_sweep (set, SS_COMPLIANT_ANGLE);
  ssapp_impact_set_wait (set);
  rows = ssapp_impact_set_get_compliant (set, &state, NULL);
  SS_CHECK_NEAR (rows[0], -0.01 * G_PI / 180., 1e-12);
  ssapp_impact_set_set_layer (set, SSAPP_IMPACT_LAYER_COMPLIANT, FALSE);
  ssapp_impact_set_wait (set);
  SS_CHECK (ssapp_impact_set_get_compliant (set, &state, NULL) == NULL);
  g_object_unref (set);
}

int
main (void)
{
  SS_RUN (test_sweep_is_the_engines);
  SS_RUN (test_another_friction_reaches_the_sweep);
  SS_RUN (test_files_have_no_sweep);
  SS_RUN (test_sweep_is_cancelled);
  SS_RUN (test_steps_are_the_engines);
  SS_RUN (test_a_set_has_its_studies);
  SS_RUN (test_parameters_make_configurations);
  SS_RUN (test_a_set_follows_parameters);
  SS_RUN (test_kept_sets_stay);
  SS_RUN (test_energy_is_brushed_by_keys);
  return ss_test_finish ();
}
